"""Checks and makes policies with PyJWT.

`python3 pyjwt_peer.py FOLDER AUDIENCE ALG…`: for each algorithm the folder holds `ALG.pem` (PKCS#8),
`ALG.pub.pem` (SPKI), `ALG.kid` and `ALG.jose.jws` (ECDSA as raw r and s), and `payload.json`.
Prints a line a check, `ALG WHAT yes|no|error …`, and leaves `ALG.pyjwt.jws`.
"""

import base64
import json
import pathlib
import sys

import jwt


def answer(policy, key, algorithm, audience):
    try:
        claims = jwt.decode(policy, key, algorithms=[algorithm], audience=audience)
    except jwt.InvalidSignatureError:
        return "no"
    except Exception as failure:
        return f"error {type(failure).__name__} {failure}"
    return "yes" if claims["aud"] == audience and "hosts" in claims else "error claims"


def tampered(policy):
    """The policy with one bit of its payload's middle changed."""
    header, payload, signature = policy.split(".")
    changed = bytearray(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    changed[len(changed) // 2] ^= 1
    return f"{header}.{base64.urlsafe_b64encode(changed).decode().rstrip('=')}.{signature}"


def main():
    folder, audience = pathlib.Path(sys.argv[1]), sys.argv[2]
    claims = json.loads((folder / "payload.json").read_bytes())
    print("version", jwt.__version__)
    for algorithm in sys.argv[3:]:
        public = (folder / f"{algorithm}.pub.pem").read_text()
        private = (folder / f"{algorithm}.pem").read_text()
        policy = (folder / f"{algorithm}.jose.jws").read_text().strip()
        print(algorithm, "standard", answer(policy, public, algorithm, audience))
        print(algorithm, "standard-tampered", answer(tampered(policy), public, algorithm, audience))
        headers = {"typ": "pin-policy+jwt", "kid": (folder / f"{algorithm}.kid").read_text().strip()}
        signed = jwt.encode(claims, private, algorithm=algorithm, headers=headers)
        (folder / f"{algorithm}.pyjwt.jws").write_text(signed)


main()
