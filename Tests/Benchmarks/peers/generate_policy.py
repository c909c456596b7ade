"""Writes payloads of profile standard, the same ones every time.

`generate_policy.py hosts N FILE`: N hosts, about 220 bytes each; the first hosts of a longer policy
are those of a shorter one. `generate_policy.py bytes N FILE`: two hosts, filled up to N bytes.
"""

import base64
import hashlib
import json
import sys

TIMES = {"version": 1, "aud": "payments-prod", "iat": 1764500000, "exp": 1765104800}


def pin(text):
    return "sha256/" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def rule(number):
    """Eight shapes of rules in turn: half of them pin keys alone, one includes subdomains."""
    backup = pin("backup")
    match number % 8:
        case 0 | 1 | 2:
            return {"spki": {"anchor": [pin(f"root {number}"), backup]}}
        case 3:
            return {
                "includesSubdomains": True,
                "spki": {"ca": [pin(f"issuer {number}"), backup]},
            }
        case 4 | 5:
            names = ["Example Root X", f"Issuing CA {number} R"]
            chain = [{"type": "prefixWithNumber", "value": name} for name in names]
            chain.append({"type": "any"})
            return {"chains": [chain], "spki": {"anchor": [pin(f"root {number}"), backup]}}
        case 6:
            return {"mode": "report", "spki": {"any": [pin(f"key {number}"), backup, pin("third")]}}
        case _:
            return {
                "chains": [[{"type": "exact", "value": "Example Root"}, {"type": "suffix", "value": ".example.com"}]],
                "require": "any",
                "spki": {"leaf": [pin(f"leaf {number}"), backup]},
            }


def host(number):
    return f"host-{number:06d}.zone{number % 97:02d}.example.com"


def text(payload):
    return json.dumps(payload, sort_keys=True, separators=(",", ":")).encode()


def main():
    what, count, path = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    if what == "hosts":
        hosts = {host(number): rule(number) for number in range(count)}
        payload = text({**TIMES, "hosts": hosts})
    else:
        hosts = {"a.example.com": {"mode": "exempt"}}
        payload = text({**TIMES, "iss": "", "hosts": hosts})
        names = 0
        while count - len(payload) > 255:
            hosts[f"h{names}.example.com"] = rule(0)
            names += 1
            payload = text({**TIMES, "iss": "", "hosts": hosts})
        payload = text({**TIMES, "iss": "i" * max(1, count - len(payload)), "hosts": hosts})
    with open(path, "wb") as file:
        file.write(payload)


main()
