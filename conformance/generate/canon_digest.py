"""The digest (SPEC 6.10): of the forms and of the migrations that are there."""

import hashlib

from generate.canon import LATEST

FORMS = ("plain", "names", "inputs", "order-view", "order-view-turned", "rest-twins", "confused",
         "confused-b", "separated")
MIGRATED = ("plain", "signature", "signature-joint", "maximum", "dtype-14", "infinity", "nan",
            "modules", "hint", "optional", "expression-00", "expression-19", "treespec", "calls",
            "ranges", "map-old", "wrap", "persistent", "tuple-of-one", "dropped-equal",
            "provenance", "verifiers", "edge")
REFUSED = ("calls-uneven", "namedtuple", "training", "constants", "undefined", "torch-fn",
           "operator", "map-many", "verifiers-two", "call-deque-in", "persistent-not")


def digest(suite, text):
    form = suite.oracle(text, LATEST)
    return "ep1:" + hashlib.sha256(form.encode("utf-8")).hexdigest()


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


def of(suite, base, label, text, clause, why):
    """The digest of a document that another vector has."""
    version = suite.vectors[base]["schema"]
    if named(label, version) in suite.vectors:
        return named(label, version)
    options = {key: value for key, value in suite.vectors[base].get("options", {}).items()
               if key == "schema"}
    return suite.valid_edit(named(label, version), base, None, clause, why, operation="digest",
                            options=options, provenance="oracle", product={"text": digest(suite, text)})


def forms(suite):
    for name, vector in list(suite.vectors.items()):
        steps = name.split("/")
        if steps[0] != "canon" or vector["schema"] != LATEST or steps[1] not in FORMS:
            continue
        if vector["verdict"] == "valid":
            of(suite, name, "%s-%s" % (steps[1], steps[2]), suite.bytes[name], ["6.10.1"],
               "The same digest as that of its form: " + vector["why"])


def migrations(suite):
    for name, vector in list(suite.vectors.items()):
        steps = name.split("/")
        if steps[0] != "migrate" or vector.get("options", {}).get("to") != LATEST:
            continue
        if vector["verdict"] == "valid" and steps[1] in MIGRATED and vector["schema"] != LATEST:
            of(suite, name, "migrated-" + steps[1], product(suite, name), ["6.10.1"],
               "That of what it becomes in 8.20: " + vector["why"])
    for name, vector in list(suite.vectors.items()):
        steps = name.split("/")
        if steps[0] == "migrate" and vector["verdict"] == "invalid" and steps[1] in REFUSED \
                and vector["options"]["to"] == LATEST:
            refused(suite, name, steps[1], vector)


def refused(suite, name, label, vector):
    """What cannot be migrated has no digest."""
    base = vector["twin"]
    twin = of(suite, base, "migrated-" + base.split("/")[1], product(suite, base), ["6.10.1"],
              "That of what it becomes in 8.20: " + suite.vectors[base]["why"])
    more = vector["clause"][1:] + ["6.10.2"]
    options = suite.vectors[twin].get("options")
    suite.invalid(named(label, vector["schema"]), twin, tuple(vector["edit"]), vector["code"],
                  (vector["offset"], vector["pointer"]), vector["why"], provenance="hand",
                  also=more, options=options, flags=vector.get("flags", []))


def vectors(suite):
    forms(suite)
    migrations(suite)
