"""Applies the rules of a CNPinning client to policies, apart from the signature.

`python3 cnpinning_client.py FILE…` prints a line a file: `FILE accepted ALG HOSTS` or
`FILE refused WHY`. Such a client knows nine lower-case algorithms (any other spelling of them crashes
it), the type `JWT`, whole seconds in `iat` and `exp`, and takes every other member for a host with an
array of chains; one member that is something else makes it drop the whole policy. What it would
ignore (other header members, unknown link members) is refused here too: a signer that writes it
means something that the client does not do.
"""

import base64
import json
import sys

ALGORITHMS = {kind + bits for kind in ("rs", "ps", "es") for bits in ("256", "384", "512")}
LINK_TYPES = {"exact", "prefix", "prefixWithNumber", "suffix"}


class Refused(Exception):
    pass


def require(condition, why):
    if not condition:
        raise Refused(why)


def decoded(segment):
    allowed = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    require(segment and all(byte in allowed for byte in segment), "not base64url")
    data = base64.urlsafe_b64decode(segment + b"=" * (-len(segment) % 4))
    require(base64.urlsafe_b64encode(data).rstrip(b"=") == segment, "loose trailing bits")
    return data


def members(pairs):
    require(len({name for name, _ in pairs}) == len(pairs), "a member twice")
    return dict(pairs)


def parsed(data):
    try:
        return json.loads(data.decode("utf-8"), object_pairs_hook=members)
    except ValueError as failure:
        raise Refused(f"not JSON: {failure}") from failure


def check(policy):
    segments = policy.split(b".")
    require(len(segments) == 3, "not three segments")
    header_bytes, payload_bytes, signature = (decoded(segment) for segment in segments)

    header = parsed(header_bytes)
    algorithm = header.get("alg")
    require(algorithm in ALGORITHMS, "the algorithm: the client stops here or crashes")
    expected = '{"alg":"%s","typ":"JWT"}' % algorithm
    require(header_bytes == expected.encode(), f"the header is not {expected}")
    if algorithm.startswith("es"):  # the platform's verifiers take X9.62 alone
        require(signature[0] == 0x30, "the signature is no DER sequence")

    payload = parsed(payload_bytes)
    require(type(payload) is dict, "the payload is no object")
    for name in ("iat", "exp"):
        require(type(payload.get(name)) is int, f"{name} is no whole number")
    hosts = {name: chains for name, chains in payload.items() if name not in ("iat", "exp")}
    for host, chains in hosts.items():
        require(type(chains) is list and chains, f"{host}: no chains")
        for chain in chains:
            require(type(chain) is list and chain, f"{host}: an empty chain")
            for link in chain:
                require(type(link) is dict, f"{host}: a link that is no object")
                require(set(link) == {"type", "value"}, f"{host}: a link's members")
                require(link["type"] in LINK_TYPES, f"{host}: a link's type")
                require(type(link["value"]) is str and link["value"], f"{host}: a link's value")
    return algorithm, hosts


def main():
    for name in sys.argv[1:]:
        with open(name, "rb") as file:
            policy = file.read().removesuffix(b"\n")
        try:
            algorithm, hosts = check(policy)
            print(name, "accepted", algorithm, ",".join(sorted(hosts)))
        except Refused as why:
            print(name, "refused", why)


main()
