"""Runs every benchmark and prints one table of ratios; `scripts/bench` starts it.

What is compared runs by turns in rounds, A, B, A, B …, so that a machine that slows down slows
both down. A ratio is the median of the rounds' ratios, ours to the baseline's rate: above 1 is
faster than the baseline.
"""

import argparse
import datetime
import json
import os
import pathlib
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512"]
# What the verification of a 1 KB policy must reach of bare EVP's rate.
VERIFY_TARGETS = {"RS256": 0.85, "PS256": 0.85, "ES256": 0.95, "ES384": 0.95, "ES512": 0.95}
PEERS = pathlib.Path(__file__).resolve().parent / "peers"


class Participant:
    """A program that answers `CASE … COUNT` with the nanoseconds that COUNT turns took."""

    def __init__(self, name, command):
        self.name = name
        self.process = subprocess.Popen(
            [str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, case, count):
        self.process.stdin.write(f"{case} {count}\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer.strip().lstrip("-").isdigit() or int(answer) < 0:
            sys.exit(f"{self.name}: '{case}' answers '{answer.strip()}'")
        return int(answer)

    def close(self):
        self.process.stdin.close()
        if self.process.wait() != 0:
            sys.exit(f"{self.name} failed")


def interleave(contestants, rounds, seconds):
    """Nanoseconds a turn of each contestant in each round; `contestants`: name → (program, case)."""
    counts = {}
    for name, (program, case) in contestants.items():
        program.ask(case, 1)  # Warm up.
        once = max(1, program.ask(case, 1))
        few = max(1, int(seconds * 1e8 / once))
        once = max(1, program.ask(case, few) // few)
        counts[name] = max(1, int(seconds * 1e9 / once))
    times = {name: [] for name in contestants}
    for number in range(rounds):
        # Each is as often behind the others as before them.
        order = list(contestants.items())
        for name, (program, case) in order if number % 2 else reversed(order):
            times[name].append(program.ask(case, counts[name]) / counts[name])
    return times


def ratio(ours, baseline):
    """The median of how many times faster ours was than the baseline in each round."""
    return statistics.median(theirs / mine for mine, theirs in zip(ours, baseline))


class Table:
    def __init__(self):
        self.rows = []

    def add(self, what, unit, ours, baseline_name, baseline, value, target=None, most=None):
        met = None
        if target is not None:
            met = value >= target
        elif most is not None:
            met = value <= most
        self.rows.append(
            {
                "what": what,
                "unit": unit,
                "ours": ours,
                "baselineName": baseline_name,
                "baseline": baseline,
                "ratio": value,
                "atLeast": target,
                "atMost": most,
                "met": met,
            }
        )
        print(".", end="", file=sys.stderr, flush=True)

    def compare(self, what, times, ours, baseline, unit="ns", target=None):
        scale = {"ns": 1, "µs": 1e3, "ms": 1e6}[unit]
        self.add(
            what,
            unit,
            statistics.median(times[ours]) / scale,
            baseline,
            statistics.median(times[baseline]) / scale,
            ratio(times[ours], times[baseline]),
            target,
        )

    def text(self):
        lines = [("what", "ours", "baseline", "", "ratio", "target", "met")]
        for row in self.rows:
            target = ""
            if row["atLeast"] is not None:
                target = f">= {row['atLeast']:g}"
            elif row["atMost"] is not None:
                target = f"<= {row['atMost']:g}"
            met = {None: "", True: "yes", False: "NO"}[row["met"]]
            baseline = "" if row["baseline"] is None else number(row["baseline"], row["unit"])
            value = "" if row["ratio"] is None else f"{row['ratio']:.2f}"
            ours = number(row["ours"], row["unit"])
            lines.append((row["what"], ours, baseline, row["baselineName"], value, target, met))
        widths = [max(len(line[column]) for line in lines) for column in range(7)]
        aligned = []
        for line in lines:
            cells = [line[0].ljust(widths[0])]
            cells += [line[column].rjust(widths[column]) for column in (1, 2)]
            cells.append(line[3].ljust(widths[3]))
            cells += [line[column].rjust(widths[column]) for column in (4, 5, 6)]
            aligned.append("  ".join(cells).rstrip())
        return "\n".join(aligned)


def number(value, unit):
    digits = 0 if value >= 100 or value == int(value) else 1 if value >= 10 else 2
    return f"{value:.{digits}f} {unit}".rstrip()


def generate(what, count, path):
    subprocess.run(
        [sys.executable, PEERS / "generate_policy.py", what, str(count), path], check=True
    )


def signatures(table, ours, folder, peers, options):
    for algorithm in ALGORITHMS:
        times = interleave(
            {
                "ours": (ours, f"verify {algorithm}"),
                "bare EVP": (ours, f"evp-verify {algorithm}"),
            },
            options.rounds,
            options.seconds,
        )
        target = VERIFY_TARGETS.get(algorithm)
        table.compare(f"verify {algorithm}, 1 KB", times, "ours", "bare EVP", "µs", target)
    for algorithm in ALGORITHMS:
        contestants = {"ours": (ours, f"verify-jose {algorithm}")}
        for name, program in peers.items():
            contestants[name] = (program, f"{name} {algorithm} {algorithm}.jose.jws")
        # The others are so far away that fewer rounds tell.
        times = interleave(contestants, max(3, options.rounds // 3), options.seconds)
        for name in peers:
            table.compare(f"verify {algorithm}, 1 KB", times, "ours", name, "µs")
    for algorithm in ALGORITHMS:
        times = interleave(
            {"ours": (ours, f"sign {algorithm}"), "bare EVP": (ours, f"evp-sign {algorithm}")},
            max(3, options.rounds // 3),
            options.seconds,
        )
        what = f"sign {algorithm}, 1 KB (ours verifies too)"
        table.compare(what, times, "ours", "bare EVP", "µs")


def loading(table, ours, folder, parser, libraries, options):
    for hosts in (100, 10_000, 100_000):
        contestants = {"ours": (ours, f"load {hosts}")}
        for library in libraries:
            for collection in ("gc", "no-gc"):
                contestants[f"{library}, {collection}"] = (
                    parser,
                    f"{library} {collection} {folder}/{hosts}.json",
                )
        times = interleave(contestants, options.rounds if hosts < 100_000 else 7, options.seconds)
        for library in libraries:
            names = [f"{library}, {collection}" for collection in ("gc", "no-gc")]
            fastest = min(names, key=lambda name: statistics.median(times[name]))
            target = 1.2 if library == "orjson" and hosts == 100_000 else None
            what = f"payload → Policy, {hosts} hosts"
            table.compare(what, times, "ours", fastest, "ms", target)


def memory(table, program, folder):
    payload = (folder / "100000.json").stat().st_size / 1e6
    peak = subprocess.run(
        [program, folder, "memory", "100000"], check=True, capture_output=True, text=True
    ).stdout.split()
    for what, growth in (("at its peak", int(peak[0])), ("once loaded", int(peak[1]))):
        megabytes = growth / 1e6
        table.add(
            f"resident growth of 100000 hosts, {what}",
            "MB",
            megabytes,
            "payload",
            payload,
            megabytes / payload,
            most=4,
        )


def resolution(table, ours, options):
    cases = {
        (kind, hosts): (ours, f"resolve {kind} {hosts}")
        for kind in ("random", "hot", "random-name")
        for hosts in (100, 10_000, 100_000)
    }
    times = interleave(cases, options.rounds, options.seconds)
    for kind, words in (
        ("random", "random hosts"),
        ("hot", "64 hot hosts"),
        ("random-name", "random hosts, parsed before"),
    ):
        for hosts in (100, 10_000, 100_000):
            mine = statistics.median(times[kind, hosts])
            what = f"resolve {words} in {hosts}"
            if hosts == 100_000 and kind == "random":
                table.add(f"{what}, ns", "", mine, "", None, mine, most=300)
            elif hosts == 100:
                table.add(what, "ns", mine, "", None, None)
            else:
                slower = 1 / ratio(times[kind, hosts], times[kind, 100])
                most = 1.2 if hosts == 100_000 and kind == "hot" else None
                baseline = statistics.median(times[kind, 100])
                table.add(f"{what}, time", "ns", mine, "in 100", baseline, slower, most=most)
    for hosts in (100, 10_000, 100_000):
        count = ours.ask(f"allocations {hosts}", 100_000)
        what = f"allocations in 100000 look-ups, {hosts} hosts"
        table.add(what, "", count, "", None, count, most=0)


def trust(table, ours, options):
    for kind, words in (("rsa", "RSA 2048"), ("ec", "P-256")):
        cases = ("pins", "judge", "evaluate", "bare-evaluate")
        times = interleave(
            {case: (ours, f"trust {case} {kind}") for case in cases}, options.rounds, options.seconds
        )
        mine = {case: statistics.median(times[case]) for case in cases}
        table.add(f"names and pins of 3 certificates, {words}", "ns", mine["pins"], "", None, None)
        what = f"pins on a validated path, {words}, ns"
        table.add(what, "", mine["judge"], "", None, mine["judge"], most=2000)
        table.add(
            f"DER → trust → verdict, {words}, time",
            "µs",
            mine["evaluate"] / 1e3,
            "bare X509_verify_cert",
            mine["bare-evaluate"] / 1e3,
            1 / ratio(times["evaluate"], times["bare-evaluate"]),
            most=1.25,
        )
        for version in ("1.2", "1.3"):
            for side, which, most in (("", "both sides", 1.03), ("-client", "the client alone", None)):
                cases = {
                    way: (ours, f"trust handshake-{version}-{way}{side} {kind}")
                    for way in ("plain", "hooked")
                }
                # A difference of some microseconds in two milliseconds: many short turns.
                times = interleave(cases, 10 * options.rounds, options.seconds / 4)
                table.add(
                    f"handshake with the hook, TLS {version}, {words}, {which}, time",
                    "µs",
                    statistics.median(times["hooked"]) / 1e3,
                    "trust alone",
                    statistics.median(times["plain"]) / 1e3,
                    1 / ratio(times["hooked"], times["plain"]),
                    most=most,
                )


def check(table, policyctl, folder):
    """`policyctl check` of 1 000 hosts on one `openssl s_server`, which serves one after the other."""
    hosts = [f"h{number}.hosts.example.com" for number in range(1000)]
    pin = json.loads(
        subprocess.run(
            [policyctl, "pin", folder / "ec-root.pem", "--json"],
            check=True, capture_output=True, text=True,
        ).stdout
    )["spki"]
    rule = {"spki": {"anchor": [pin, "sha256/" + "A" * 43 + "="]}}
    (folder / "check.json").write_text(json.dumps({"aud": "bench", "hosts": {host: rule for host in hosts}}))
    policy = folder / "check.jws"
    subprocess.run(
        [policyctl, "sign", folder / "check.json", "--key", folder / "ES256.pem", "--valid-for", "1d", "-o", policy],
        check=True, capture_output=True,
    )
    server = subprocess.Popen(
        ["openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", folder / "ec-leaf.pem"]
        + ["-cert_chain", folder / "ec-ca.pem", "-key", folder / "ec-key.pem", "-naccept", "9999"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )
    try:
        place = next(line.split()[1] for line in server.stdout if line.startswith("ACCEPT "))
        started = time.monotonic()
        asked = subprocess.Popen(
            [policyctl, "check", policy, "--key", folder / "ES256.pub.pem", "--audience", "bench"]
            + ["--connect", place, "--anchors", f"bench={folder / 'ec-root.pem'}", "--json"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )
        threading.Thread(target=server.stdout.read, daemon=True).start()
        answers = [json.loads(line) for line in asked.stdout]
        _, status, usage = os.wait4(asked.pid, 0)
        seconds = time.monotonic() - started
    finally:
        server.kill()
        server.wait()
    if status != 0 or len(answers) != len(hosts):
        sys.exit(f"check: {len(answers)} answers, status {status}")
    table.add("check of 1000 hosts, s", "", seconds, "", None, seconds, most=10)
    table.add("check of 1000 hosts, resident at its peak", "MB", usage.ru_maxrss / 1e3, "", None, None)


def whole_process(table, policyctl, folder, options):
    """Whole processes on the same policy and key, by hyperfine, by turns."""
    commands = {
        "ours": f"{policyctl} verify {folder}/ES256.jose.jws --key {folder}/ES256.pub.pem "
        f"--alg ES256 --ecdsa jose --at {options.at}",
        "jose jws ver": f"jose jws ver -i {folder}/ES256-jose -k {folder}/ES256.pub.jwk -O /dev/null",
    }
    shutil.copy(folder / "ES256.jose.jws", folder / "ES256-jose")
    times = {name: [] for name in commands}
    processor = {name: [] for name in commands}
    # Short turns side by side: starts are what a busy machine disturbs most.
    for turn in range(3 * options.rounds):
        order = list(commands.items())
        for name, command in order if turn % 2 else reversed(order):
            result = folder / "hyperfine.json"
            subprocess.run(
                ["hyperfine", "-N", "--warmup", "2", "--runs", "12", "--style", "none"]
                + ["--export-json", result, command],
                check=True,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            found = json.loads(result.read_text())["results"][0]
            times[name].append(found["median"] * 1e9)
            processor[name].append((found["user"] + found["system"]) * 1e9)
    what = "whole process, ES256, 1 KB"
    table.compare(what, times, "ours", "jose jws ver", "ms", 1)
    table.compare(f"{what}, processor time", processor, "ours", "jose jws ver", "ms")


def versions():
    def first_line(command):
        try:
            result = subprocess.run(command, capture_output=True, text=True, check=True)
        except (OSError, subprocess.CalledProcessError):
            return None
        return (result.stdout + result.stderr).strip().splitlines()[0]

    def package(name):
        return first_line(["dpkg-query", "-W", "-f", "${Version}", name])

    found = {
        "processor": next(
            (
                line.split(":", 1)[1].strip()
                for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines()
                if line.startswith("model name")
            ),
            platform.machine(),
        ),
        "swift": first_line(["swift", "--version"]),
        "openssl": first_line(["openssl", "version"]),
        "python": platform.python_version(),
        "hyperfine": first_line(["hyperfine", "--version"]),
        "jose": package("jose"),
        "PyJWT": package("python3-jwt"),
        "jwcrypto": package("python3-jwcrypto"),
        "authlib": package("python3-authlib"),
    }
    try:
        import orjson

        found["orjson"] = orjson.__version__
    except ImportError:
        found["orjson"] = None
    return found


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--benchmarks", type=pathlib.Path, required=True)
    options.add_argument("--policyctl", type=pathlib.Path, required=True)
    options.add_argument("--libjose", type=pathlib.Path)
    options.add_argument("--output", type=pathlib.Path, required=True)
    options.add_argument("--rounds", type=int, default=15)
    options.add_argument("--seconds", type=float, default=0.06, help="a turn of one contestant")
    options.add_argument("--only", default="", help="signatures,loading,memory,resolution,trust,check,process")
    options = options.parse_args()
    options.at = 1_764_500_100
    only = set(filter(None, options.only.split(",")))

    def wanted(part):
        return not only or part in only

    table = Table()
    found = versions()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for hosts in (100, 10_000, 100_000):
            generate("hosts", hosts, folder / f"{hosts}.json")
        for algorithm in ALGORITHMS:
            # Compact, the whole policy has 1 KB; with a signature of 4 096 bits a little more.
            bits = 0 if algorithm.startswith("ES") else {"256": 2048, "384": 3072, "512": 4096}[algorithm[2:]]
            signature = {"ES256": 64, "ES384": 96, "ES512": 132}.get(algorithm, bits // 8)
            room = (1024 - 2 - 128) * 3 // 4 - signature
            generate("bytes", max(200, room), folder / f"{algorithm}.json")
        for kind in ("rsa", "ec"):
            subprocess.run(
                [PEERS / "generate_chain.sh", kind, folder], check=True, stderr=subprocess.DEVNULL
            )
        subprocess.run([options.benchmarks, folder, "prepare"], check=True)
        ours = Participant("benchmarks", [options.benchmarks, folder])
        peers = {}
        python = Participant("python", [sys.executable, PEERS / "jws_peer.py", folder])
        for name, module in (("pyjwt", "jwt"), ("jwcrypto", "jwcrypto"), ("authlib", "authlib")):
            if subprocess.run([sys.executable, "-c", f"import {module}"], stderr=subprocess.DEVNULL).returncode == 0:
                peers[name] = python
            else:
                print(f"left out, not installed: {name}", file=sys.stderr)
        if options.libjose:
            peers["libjose"] = Participant("libjose", [options.libjose, folder])
        else:
            print("left out, not installed: libjose", file=sys.stderr)
        libraries = ["orjson", "json"] if found["orjson"] else ["json"]
        if not found["orjson"]:
            print("left out, not installed: orjson", file=sys.stderr)
        parser = Participant("json", [sys.executable, PEERS / "json_peer.py"])
        if wanted("signatures"):
            signatures(table, ours, folder, peers, options)
        if wanted("loading"):
            loading(table, ours, folder, parser, libraries, options)
        if wanted("memory"):
            memory(table, options.benchmarks, folder)
        if wanted("resolution"):
            resolution(table, ours, options)
        if wanted("trust"):
            trust(table, ours, options)
        if wanted("check"):
            check(table, options.policyctl, folder)
        if wanted("process"):
            if shutil.which("hyperfine") and shutil.which("jose"):
                whole_process(table, options.policyctl, folder, options)
            else:
                print("left out, not installed: hyperfine or jose", file=sys.stderr)
        for program in {ours, python, parser, *peers.values()}:
            program.close()

    print(file=sys.stderr)
    print(table.text())
    missed = [row["what"] for row in table.rows if row["met"] is False]
    targets = sum(row["met"] is not None for row in table.rows)
    print(f"\n{targets - len(missed)} of {targets} targets met" + "".join(f"\nmissed: {what}" for what in missed))
    report = {
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "versions": found,
        "rounds": options.rounds,
        "rows": table.rows,
    }
    options.output.write_text(json.dumps(report, indent=2, ensure_ascii=False) + "\n")
    print(f"written to {options.output}")


main()
