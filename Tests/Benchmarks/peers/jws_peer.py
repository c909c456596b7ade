"""Times verifiers: `jws_peer.py FOLDER`, then a line `LIBRARY ALG FILE COUNT` each time.

Keys are read once, beforehand. Answers with the nanoseconds that COUNT verifications took.
"""

import pathlib
import sys
import time


def pyjwt(algorithm, key, token):
    import jwt
    from jwt.api_jws import PyJWS

    verifier = PyJWS()
    public = jwt.algorithms.get_default_algorithms()[algorithm].prepare_key(key)

    def verify():
        return verifier.decode(token, public, algorithms=[algorithm])

    return verify


def jwcrypto(algorithm, key, token):
    from jwcrypto import jwk, jws

    public = jwk.JWK.from_pem(key.encode())
    text = token.decode()

    def verify():
        message = jws.JWS()
        message.allowed_algs = [algorithm]
        message.deserialize(text, public)
        return message.payload

    return verify


def authlib(algorithm, key, token):
    from authlib.jose import ECKey, JsonWebSignature, RSAKey

    verifier = JsonWebSignature([algorithm])
    kind = ECKey if algorithm.startswith("ES") else RSAKey
    public = kind.import_key(key)

    def verify():
        return verifier.deserialize_compact(token, public)["payload"]

    return verify


def main():
    folder = pathlib.Path(sys.argv[1])
    checks = {}
    for line in sys.stdin:
        library, algorithm, name, count = line.split()
        check = checks.get((library, algorithm, name))
        if check is None:
            key = (folder / f"{algorithm}.pub.pem").read_text()
            check = globals()[library](algorithm, key, (folder / name).read_bytes())
            checks[library, algorithm, name] = check
        turns = range(int(count))
        start = time.thread_time_ns()
        for _ in turns:
            check()
        print(time.thread_time_ns() - start, flush=True)


main()
