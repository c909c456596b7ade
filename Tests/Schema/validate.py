#!/usr/bin/python3
"""Validates documents with an implementation of JSON Schema that is not ours.

validate.py SCHEMA < documents > faults

Reads a document a line, in Base64, and writes a line for each: a JSON array of its faults, each
"place keyword" ("hosts/a.example/mode enum"; the place of the whole document is empty). A text that
is no JSON has the one fault "syntax". Exits with 77 where Debian's python3-jsonschema is missing.
"""

import base64
import json
import sys

try:
    from jsonschema import Draft202012Validator
except ImportError:
    sys.exit(77)


def faults(text, validator):
    try:
        document = json.loads(text.decode("utf-8"))
    except ValueError:
        return ["syntax"]
    return sorted(
        "{} {}".format("/".join(map(str, error.absolute_path)), error.validator or "false").strip()
        for error in validator.iter_errors(document)
    )


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    for line in sys.stdin:
        print(json.dumps(faults(base64.b64decode(line), validator)))


main()
