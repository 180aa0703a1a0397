"""The protocol of ../PROTOCOL.md for testees that are written in Python.

    serve(hello, answer)
    serve(hello, answer, apart=True)

hello is what the testee can do, without type and protocol; answer(operation,
options, document) returns None or the product's bytes, and raises Refused,
Unsupported or any other exception, which is said as an error. What keeps a state from
one document to the next, such as a cache, answers apart: each in a process of its own.
"""

import json
import os
import signal
import sys


# The versions of the vectors, by major number; two with one major and minor are
# told apart by what they hold, not by PyTorch.
MAJORS = {major: names.split() for major, names in {
    1: "1-2023-08 1 1-2023-12",
    2: "2 2.1",
    3: "3.1-a 3.1 3.1-c",
    4: "4.2",
    5: "5.1 5.3-2024-03 5.3 5.4",
    6: "6.1-a 6.1",
    7: "7.1 7.2 7.3 7.4",
    8: "8.1-a 8.1-b 8.1-c 8.1-d 8.2-ast 8.1 8.2 8.3 8.5-a 8.5 8.6 8.7 8.8 8.10 8.11 8.14 "
       "8.15-a 8.15 8.16 8.17 8.18 8.19 8.20",
}.items()}


class Refused(Exception):
    """The document is not valid."""


class Unsupported(Exception):
    """This is not what the testee can do."""


class Checked(Exception):
    """The version check is behind us."""


def stand_in():
    """In the place of the class that reads the graph, which comes after the version check."""
    raise Checked


def check_version(serialize, load):
    """PyTorch's own check, or a fork's: its deserializer goes on to the graph, and gets no
    further."""
    real = serialize.GraphModuleDeserializer
    serialize.GraphModuleDeserializer = stand_in
    try:
        load()
    except Checked:
        return
    finally:
        serialize.GraphModuleDeserializer = real


def first_line(error):
    """An exception, or what it says that it comes from, in one line for people."""
    while error.__cause__:
        error = error.__cause__
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0] if lines else ''}"[:300]


def private_output():
    """The standard output for answers alone: whatever else prints goes to standard error."""
    sys.stdout.flush()
    mine = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return mine


def send(output, header, product=None):
    if product is not None:
        header["size"] = len(product)
    output.write(json.dumps(header).encode("ascii") + b"\n" + (product or b""))
    output.flush()


def judge(answer, request, document):
    """What becomes of a document: the header's keys, and the product."""
    try:
        product = answer(request["operation"], request.get("options", {}), document)
        return {"verdict": "valid"}, product
    except Refused as error:
        return {"verdict": "invalid", "message": first_line(error)}, None
    except Unsupported as error:
        return {"verdict": "unsupported", "message": str(error)}, None
    except Exception as error:
        return {"verdict": "error", "message": first_line(error)}, None


def in_a_child(function):
    """Calls a function in a process of its own, and ends as it has ended if that is not well."""
    child = os.fork()
    if child == 0:
        function()
        os._exit(0)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status < 0:
        signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    if status != 0:
        sys.exit(status)


def serve(hello, answer, apart=False):
    """Answers requests until there are no more."""
    output = private_output()
    requests = sys.stdin.buffer
    for line in iter(requests.readline, b""):
        request = json.loads(line)
        if request["type"] == "hello":
            send(output, {"type": "hello", "protocol": 1, **hello})
            continue
        document = requests.read(request.get("size", 0))

        def reply(request=request, document=document):
            verdict, product = judge(answer, request, document)
            send(output, {"id": request["id"], **verdict}, product)

        if apart:
            in_a_child(reply)
        else:
            reply()
