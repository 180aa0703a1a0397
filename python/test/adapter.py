"""The Python package as a testee of the conformance suite: conformance/PROTOCOL.md.

    epconform run --profile=epref --proc='python3 adapter.py'

It answers through the package's public interface alone.
"""

import json
import os
import sys
import tempfile

import epref

from building import Unsaid, rebuild

ARCHIVE = b"PK\3\4"  # SPEC 8.1
HELLO = {
    "type": "hello", "protocol": 1, "name": "epref-python", "version": epref.__version__,
    "operations": ["wire", "decode", "check", "encode", "forward", "forward-encode", "migrate",
                   "canon", "digest", "archive", "whole", "audit", "diff", "build",
                   "migrate-archive", "extract", "weights", "report"],
    "options": ["schema", "limits", "memory", "constants", "model", "provenance"],
    "forms": {"epref": None, "torch": None},
    "reports": ["code", "clause", "offset", "position", "pointer", "schema", "warnings"],
    "profile": "epref",
}


class Unsupported(Exception):
    """This is not what the package can do."""


class Beyond(Exception):
    """All members are longer than a limit, which the package applies to one at a time."""


class Request:
    """One document and what is wanted of it."""

    def __init__(self, said, document, other):
        self.operation = said["operation"]
        self.options = said.get("options", {})
        self.document = document
        self.other = other
        self.schema = None
        self.warnings = []

    def limits(self):
        said = self.options.get("limits", {})
        return epref.Limits(memory=self.options.get("memory", 0), **said)

    def load(self, document=None, forward=False):
        program = epref.load(self.document if document is None else document, check=False,
                             forward=forward, limits=self.limits(),
                             schema=self.options.get("schema"))
        self.schema = self.schema or program.schema_version
        self.warnings += program.warnings
        return program

    def archive(self, one_program=False):
        return epref.Archive(self.document, limits=self.limits(), schema=self.options.get("schema"),
                             model=self.options.get("model"), one_program=one_program)


def wire(request):
    epref.check_wire(request.document, limits=request.limits())


def decode(request):
    request.load()


def check(request):
    request.warnings += request.load().check()


def encode(request):
    return request.load().encode()


def forward(request):
    request.load(forward=True)


def forward_encode(request):
    return request.load(forward=True).encode()


def migrate(request):
    return request.load().migrate(request.options["to"]).encode()


def canon(request):
    return request.load().canon(request.options.get("form", "epref"),
                                request.options.get("constants", []))


def digest(request):
    return request.load().digest().encode("ascii")


def archive(request):
    if not request.document.startswith(ARCHIVE):
        return check(request)
    opened = request.archive(one_program=True)
    limit = request.options.get("limits", {}).get("bytes", sys.maxsize)
    room = len(request.document) + limit
    for member in sorted(opened.members, key=lambda member: not member.is_program):
        if member.is_program and member.size > limit:
            opened.program(check=False)  # which refuses it before its checksum is known
        if member.size > room:
            raise Beyond("the members are longer than the limit on bytes")
        room -= member.size
        opened.read(member.name)  # whose checksum is compared
    program = opened.program(check=False)
    request.schema = program.schema_version
    request.warnings += program.check()


def whole(request):
    if not request.document.startswith(ARCHIVE):
        return check(request)
    opened = request.archive()
    request.warnings += opened.check()
    request.schema = opened.program(opened.models[-1], check=False).schema_version


def audit(request):
    if request.document.startswith(ARCHIVE):
        opened = request.archive(one_program=True)
        request.schema = opened.program(check=False).schema_version
        found = opened.audit()
    else:
        found = request.load().audit()
    # what is not valid is another operation's verdict
    said = [each for each in found if not each.clause.startswith("9.8.")]
    return json.dumps([finding(each) for each in sorted(said, key=order)]).encode()


def is_of_program(found):
    return found.line > 0 or found.more > 0


def order(found):
    """PROTOCOL.md: about the program, by place, then about members, by their names; by clause, by
    text; what is only counted comes last."""
    clause = tuple(map(int, found.clause.split(".")))
    member = b"" if is_of_program(found) else found.member.encode("utf-8")
    return (found.more > 0, member, found.offset, clause, found.text.encode("utf-8"))


def finding(found):
    said = {"id": found.id, "severity": found.severity, "clause": found.clause}
    if found.more:
        return {**said, "more": found.more}
    if found.line:
        said.update(offset=found.offset, pointer=found.pointer)
    elif found.member:
        said["member"] = found.member
    return {**said, "text": found.text} if found.text else said


def diff(request):
    one, two = request.load(), request.load(request.other)
    found = one.diff(two, provenance=request.options.get("provenance", False))
    told = [difference(each) for each in found]
    if found.total > len(told):
        told.append({"more": found.total - len(told)})
    return json.dumps(told).encode()


def build(request):
    try:
        return rebuild(request.load())
    except Unsaid as error:
        raise Unsupported(str(error)) from error


def opened(request):
    archive = request.archive()
    if archive.models:
        request.schema = archive.program(archive.models[0], check=False).schema_version
    return archive


def in_file(make):
    """What a method writes into a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "product")
        make(path)
        with open(path, "rb") as file:
            return file.read()


def extract(request):
    archive, options = opened(request), request.options
    if "member" in options:
        return archive.read(options["member"])
    return in_file(lambda to: archive.extract(to, tensor=options.get("tensor"),
                                              form=options.get("as", "safetensors")))


def weights(request):
    archive = opened(request)
    archive.check()
    return (archive.digest() if "all" in request.options else archive.weights_digest()).encode()


def migrate_archive(request):
    return in_file(lambda to: opened(request).migrate(to, request.options["to"],
                                                      raw="raw" in request.options))


def report(request):
    if request.document.startswith(ARCHIVE):
        with tempfile.TemporaryDirectory() as folder:
            steps = opened(request).migrate(os.path.join(folder, "product"), request.options["to"],
                                            raw="raw" in request.options)
    else:
        steps = request.load().migrate(request.options["to"]).steps
    return json.dumps([dict(zip(("clause", "about", "times"), step)) for step in steps]).encode()


def difference(found):
    said = {"group": found.group, "type": found.type, "member": found.member,
            "target": found.target, "argument": found.argument}
    return {**{key: value for key, value in said.items() if value},
            "a": side(found.a), "b": side(found.b)}


def side(told):
    said = {"there": told.there}
    if told.line:
        said.update(offset=told.offset, pointer=told.pointer)
    if told.text:
        said["text"] = told.text
    said.update({key: True for key in ("cut_before", "cut_behind") if getattr(told, key)})
    return {**said, "enumerator": told.enumerator} if told.enumerator else said


def answer(request):
    """The header's keys, and the product."""
    try:
        product = globals()[request.operation.replace("-", "_")](request)
    except epref.Error as error:
        said = {key: getattr(error, key) for key in ("code", "clause", "offset", "line", "column",
                                                     "pointer")}
        return {"verdict": "invalid", **said, "message": error.detail}, None
    except Beyond as error:
        return {"verdict": "invalid", "code": "EP_LIMIT_BYTES", "clause": "1.4.1",
                "message": str(error)}, None
    except KeyError as error:  # which says that there is no such tensor or member
        return {"verdict": "invalid", "code": "EP_ARGUMENT", "clause": "1.5.6",
                "message": str(error)}, None
    except Unsupported as error:
        return {"verdict": "unsupported", "message": str(error)}, None
    except Exception as error:
        return {"verdict": "error", "message": f"{type(error).__name__}: {error}"[:300]}, None
    said = {"verdict": "valid"}
    if request.schema:
        said["schema"] = request.schema
    if request.warnings:
        said["warnings"] = [{key: getattr(each, key) for key in ("code", "offset", "pointer")}
                            for each in request.warnings]
    return said, product


def main():
    sys.setrecursionlimit(20_000)  # building.py recurs where values do; a limit of depth ends it
    output = sys.stdout.buffer
    for line in iter(sys.stdin.buffer.readline, b""):
        said = json.loads(line)
        if said["type"] == "hello":
            header, product = HELLO, None
        else:
            document = sys.stdin.buffer.read(said.get("size", 0))
            other = sys.stdin.buffer.read(said.get("other", 0))
            header, product = answer(Request(said, document, other))
            header = {"id": said["id"], **header}
        if product is not None:
            header["size"] = len(product)
        output.write(json.dumps(header).encode("ascii") + b"\n" + (product or b""))
        output.flush()


if __name__ == "__main__":
    main()
