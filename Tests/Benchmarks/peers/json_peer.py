"""Times the loading of a JSON text: `json_peer.py`, then a line `LIBRARY GC FILE COUNT` each time.

Answers with the nanoseconds that COUNT loads took; releasing what was loaded is not counted.
"""

import gc
import importlib
import sys
import time


def main():
    texts = {}
    for line in sys.stdin:
        library, collection, path, count = line.split()
        loads = importlib.import_module(library).loads
        if path not in texts:
            with open(path, "rb") as file:
                texts[path] = file.read()
        text = texts[path]
        (gc.enable if collection == "gc" else gc.disable)()
        total = 0
        for _ in range(int(count)):
            start = time.thread_time_ns()
            value = loads(text)
            total += time.thread_time_ns() - start
            del value
        print(total, flush=True)


main()
