#!/usr/bin/env python3
"""An adapter that plugs a reader of ExportedProgram JSON into epconform.

    epconform run --proc='python3 starter.py'

It runs as it is, and says of each text whether Python's json reads it. Put your
reader into judge(), and the operations that it knows into HELLO.
conformance/PROTOCOL.md says what may stand in a request and an answer.
"""

import json
import sys

HELLO = {
    "type": "hello", "protocol": 1,
    "name": "my-reader", "version": "0.1",
    "operations": ["wire", "decode"],      # of conformance/vectors/README.md
    # "schemas": ["8.20"],                 # the versions that you read, if not all
    # "reports": ["code", "pointer"],      # what you say of a refusal, if anything
}


class Refused(Exception):
    """The document is not valid."""


class Unsupported(Exception):
    """I cannot judge this."""


def judge(operation, options, document):
    """Returns the product, None where there is none; or raises one of the two above."""
    try:
        json.loads(document.decode("utf-8"))
    except ValueError as error:
        raise Refused(str(error))
    if operation == "wire":
        return None
    # ---- Put your reader here: `document` is bytes, `options` a dict. ----
    raise Unsupported("no reader yet")


def answer(request, document):
    """The header of the answer, and its bytes."""
    try:
        product = judge(request["operation"], request.get("options", {}), document)
    except Refused as reason:
        return {"verdict": "invalid", "message": str(reason)[:300]}, b""
    except Unsupported as reason:
        return {"verdict": "unsupported", "message": str(reason)[:300]}, b""
    except Exception as failure:           # mine, not the document's: never a refusal
        return {"verdict": "error", "message": repr(failure)[:300]}, b""
    if product is None:
        return {"verdict": "valid"}, b""
    return {"verdict": "valid", "size": len(product)}, product


def main():
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    for line in requests:
        request = json.loads(line)
        document = requests.read(request.get("size", 0))
        if request["type"] == "hello":
            header, product = HELLO, b""
        else:
            header, product = answer(request, document)
            header["id"] = request["id"]
        answers.write(json.dumps(header).encode() + b"\n" + product)
        answers.flush()


main()
