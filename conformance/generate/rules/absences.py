"""Required fields that a whole program lacks: for implementations that judge nothing
less.  The program has a parameter, so that whoever loads it needs what goes with it.
"""

from format.document import append, child_pointer, remove, replace
from format.history import VERSIONS
from generate.whole import (Draft, Whole, call, meta, parameter, tensor, user_input, user_output)


def draft():
    made = Draft().take(parameter("p", "weight"), user_input(tensor("x")))
    made.tensors(p=meta(2, 3), x=meta(2, 3), y=meta(2, 3))
    made.node(call("aten.add.Tensor", {"self": tensor("x"), "other": tensor("p")}, tensor("y")))
    return made.give(user_output(tensor("y")))


def required(version, document):
    """(struct, member) of a node each, that the version's type wants."""
    seen = set()
    for node in document.nodes():
        if node.kind != "struct" or node.type == "SchemaVersion":  # that has codes of its own
            continue
        for member in VERSIONS[version].types[node.type].members:
            place = (node.type, member.name)
            if member.required and place not in seen and member.name != "schema_version":
                seen.add(place)
                yield node, member


def vectors(suite):
    for version in ("5.3", "8.20"):
        whole = Whole(suite, "whole/parameter", draft(), version, ["3.5.3", "5.3.1"],
                      "A program of one parameter.")
        document = whole.draft.written(VERSIONS[version])
        for node, member in required(version, document):
            where = "%s.%s/%s" % (node.type, member.name, version)
            change, brace = remove(node, member.name)
            suite.invalid("whole/missing/" + where, whole.twin, change, "EP_MISSING_FIELD",
                          (brace, node.pointer), "A whole program without %s." % member.name,
                          provenance="hand")
            value = node.member(member.name)
            if member.shape.kind != "optional":
                suite.invalid("whole/null/" + where, whole.twin, replace(value, "null"), "EP_NULL",
                              (value.start, value.pointer), "A whole program with null there.",
                              provenance="hand")
        root = document.root
        change, key = append(root, '"not_a_field"', "1")
        suite.invalid("whole/unknown/ExportedProgram/" + version, whole.twin, change,
                      "EP_UNKNOWN_FIELD", (key, child_pointer(root, "not_a_field")),
                      "A whole program with a field more.", provenance="hand")
