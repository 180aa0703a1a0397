"""The digest (SPEC 6.10): of the forms and of the migrations that are there."""

import hashlib

from generate.canon.forms import LATEST

FORMS = ("plain", "names", "inputs", "order-view", "order-view-turned", "twins-merged", "early-check",
         "unused-range", "hints", "confused", "confused-b", "separated")
MIGRATED = ("plain", "signature", "signature-joint", "maximum", "dtype-14", "infinity", "nan",
            "modules", "hint", "optional", "expression-00", "expression-19", "treespec", "calls",
            "ranges", "map-old", "wrap", "persistent", "tuple-of-one", "dropped-equal",
            "provenance", "verifiers", "edge")


def hashed(form):
    return "ep1:" + hashlib.sha256(form).hexdigest()


def digest(suite, text):
    """Of a document of the latest version."""
    return hashed(suite.oracle(text).encode("utf-8"))


def named(label, version):
    return "digest/%s/%s" % (label, version)


def product(suite, name):
    """The document that a migration makes."""
    said = suite.vectors[name]["product"]
    if said == "same":
        return suite.bytes[name]
    if "base" in said:
        return suite.bytes[said["base"]]
    return suite.files[said["file"]] if "file" in said else said["text"].encode("utf-8")


def of(suite, base, label, made, clause, why):
    """The digest of a document that another vector has."""
    version = suite.vectors[base]["schema"]
    if named(label, version) in suite.vectors:
        return named(label, version)
    options = {key: value for key, value in suite.vectors[base].get("options", {}).items()
               if key == "schema"}
    return suite.valid_edit(named(label, version), base, None, clause, why, operation="digest",
                            options=options, provenance="oracle", product={"text": made})


def forms(suite):
    """Of forms, of other files of their programs, and of what has no valid form."""
    for name, vector in list(suite.vectors.items()):
        steps = name.split("/")
        if steps[0] != "canon" or vector["verdict"] != "valid" or not (
                steps[1] in FORMS or steps[1].startswith(("rewritten-", "ties-"))):
            continue
        of(suite, name, "%s-%s" % (steps[1], steps[2]), hashed(product(suite, name)),
           ["6.10.1"] + ["6.1.3"] * steps[1].startswith("rewritten-"),
           "That of its form: " + vector["why"])


def migrations(suite):
    for name, vector in list(suite.vectors.items()):
        steps = name.split("/")
        if steps[0] != "migrate" or vector.get("options", {}).get("to") != LATEST:
            continue
        if vector["verdict"] == "valid" and steps[1] in MIGRATED and vector["schema"] != LATEST:
            of(suite, name, "migrated-" + steps[1], digest(
                suite, product(suite, name)), ["6.10.1"], "That of what it becomes in 8.20: " + vector["why"])
    undefined(suite)


def undefined(suite):
    """What is no program has no digest."""
    for name, vector in list(suite.vectors.items()):
        steps = name.split("/")
        if steps[:2] != ["migrate", "undefined"] or vector["options"]["to"] != LATEST:
            continue
        twin = named("migrated-plain", vector["schema"])
        suite.invalid(named("undefined", vector["schema"]), twin, tuple(vector["edit"]),
                      vector["code"], (vector["offset"], vector["pointer"]), vector["why"],
                      provenance="hand", also=["6.10.1", "6.1.1"])


def vectors(suite):
    forms(suite)
    migrations(suite)
