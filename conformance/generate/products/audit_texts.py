"""What an audit finds in texts that are more than a text where they go (SPEC 9.7): strings of
operators and of inputs, keys whose numbers are counted up to, metadata, and how large the
numbers of an expression become.
"""

import json

from format.history import VERSIONS
from generate.suite import change_between
from generate.language.texts import draft
from generate.products.audit_edges import Named
from generate.products.audits import (ATTRIBUTE, CALLED, CARRIER, COST, CUSTOM, FINDINGS, FORMAT,
                                      LATEST, METHOD, STACK, TAKES, TARGET, TOLD, VALUE, Judged,
                                      expressions, naming, one)

VALUES = (  # (label, text, finding): how large the value of an expression becomes
    ("power-sum", "2**(998 + s0)", None), ("power-sum-5", "2**(999 + s0)", COST),
    ("cancelled", "9**(s0 - s0 + 99999)", COST), ("cancelled-base", "(9 + s0 - s0)**99999", COST),
    ("tower", "((9**9999)**9999)**9999", COST), ("tower-low", "((9**9)**9)**9", None),
    ("tower-srepr", "Pow(Pow(Integer(9), Integer(9999)), Integer(9999))", COST),
    ("value-most", "9" * 50 + "**5000", None), ("value-above", "9" * 50 + "**5001", COST),
    ("rational", "Pow(Integer(2), Rational(4999, 2))", None),
    ("rational-5", "Pow(Integer(2), Rational(19998, 7))", COST),
    ("rational-below", "Pow(Integer(2), Rational(1, 10001))", COST),
    ("float", "2**9999.5", None), ("float-5", "2**10000.5", COST), ("float-half", "2**0.5", None),
    ("float-exponent", "2**floor(1.0e+20)", COST), ("float-small", "2**floor(1/1.0e-20)", COST),
    ("float-near", "2**floor(1/0.001)", None), ("float-nearer", "2**floor(1/0.0001)", COST),
    ("terms", "(s0 + 1)**13", None), ("terms-more", "(s0 + 1)**14", COST),
    ("terms-none", "(2 + 1)**17", None), ("terms-product", "*".join(["(s0 + 1)"] * 14), COST),
    ("exponential", "floor(exp(9999))", None), ("exponential-5", "floor(exp(10000))", COST),
    ("exponential-cosh", "floor(cosh(10000))", COST),
    ("exponential-sinh", "floor(sinh(10000))", COST),
    ("decimal", "RoundDecimal(1.5, 9999)", None),
    ("decimal-5", "RoundDecimal(1.5, -10000)", COST), ("symbol-power-3", "s0**999", None),
    ("symbol-power-4", "s0**1000", COST),
)
FORMATS = (("plain", "x {} {{a.b}} {x} {0!r:>9.3f}", None), ("attribute", "{x.y}", CARRIER),
           ("item", "{0[y]}", CARRIER), ("cut", "{", CARRIER), ("inside", "{:{x}}", CARRIER),
           ("wide", "{:9999}", None), ("wider", "{:10000}", CARRIER), ("blank", "{x y}", CARRIER),
           ("doubled", "{{", None), ("tripled", "{{{", CARRIER), ("closed", "}", None))
METHODS = (("plain", "add_2", None), ("under", "_add", None), ("own", "__init__", CARRIER),
           ("dotted", "a.b", CARRIER), ("letter", "\u00e9", CARRIER))


def strings(here):
    """Strings that an operator takes for more, and what calls such an operator."""
    print_, bind, inner, called = TAKES
    rows = [("format-" + label, print_, FORMAT, text, said) for label, text, said in FORMATS]
    rows += [("method-" + label, bind, METHOD, text, said) for label, text, said in METHODS]
    rows += [("inner-" + label, inner, METHOD, text, said) for label, text, said in METHODS]
    rows += [("called", called, CALLED, "os.path.C", "AUDIT_IMPORT")]
    for label, target, role, text, said in rows:
        for way in ("target", "given"):
            def change(data, target=target, text=text, way=way):
                node = data["graph"]["nodes"][0]
                node["inputs"].append({"name": "", "arg": {"as_string": text}, "kind": 1})
                if way == "target":
                    node["target"] = target
                else:
                    node["inputs"].append({"name": "", "arg": {"as_operator": target}, "kind": 1})

            here.changed("string-%s-%s" % (label, way), change, {(role, text): one(said, text)},
                         [FINDINGS[said or CARRIER][1]], "A string for %s." % target)

    def elsewhere(data):
        data["graph"]["nodes"][0]["inputs"].append(
            {"name": "", "arg": {"as_string": "{x.y} it's \""}, "kind": 1})

    here.changed("string-elsewhere", elsewhere, {}, ["9.3.2"], "The string of another operator.")

    def alone(data):
        data["graph"]["nodes"][0].update(target=called, inputs=[])

    here.changed("string-called-alone", alone, {(TARGET, called): one("AUDIT_IMPORT", called)},
                 ["9.4.1"], "No string says what is called.")


COUNTERS = (("u", "u999999", False), ("u-7", "u1000000", True), ("s", "s1000000", False),
            ("zuf", "zuf999999", False), ("zuf-7", "zuf1000000", True), ("bare", "u", False),
            ("blanks", "u 1_000_000 ", True), ("plus", "u+9999999", True),
            ("minus", "u-9999999", False), ("sum", "u0 + 9999999", False),
            ("digits", "u\uff19\uff19", False), ("digits-3", "u\uff19\uff19\uff19", True))


def counters(here):
    """Keys whose numbers are counted up to."""
    for label, key, told in COUNTERS:
        draft_of = draft(here.version)
        draft_of.data["header"]["range_constraints"] = {key: {"min_val": 0, "max_val": 9}}
        document = draft_of.written(VERSIONS[here.version])
        judged = Judged(document, here.version)
        start = document.text.index(json.dumps(key), document.text.index('"range_constraints"'))
        if told:
            judged.found.append((start, COST, key, "/range_constraints"))
        here.suite.valid_edit(
            here.id("counter-" + label), here.base,
            change_between(here.suite.bytes[here.base], document.text), ["9.2.2"],
            "A key of range_constraints.", provenance="hand", product=judged.product())


STACKS = (("plain", "L__self__,,a.B;k,L['self'].layers.0,a.C;g,getattr(L['self'], '0'),a.D", None),
          ("quote", 'k,a"b,a.B', "AUDIT_NAME"), ("backslash", "k,a\\b,a.B", "AUDIT_NAME"),
          ("control", "k,a\x7fb,a.B", "AUDIT_NAME"), ("type", 'k,a,a"B', "AUDIT_NAME"),
          ("own", "k,,__main__.A;l,a.__b,a.B", "AUDIT_METADATA"),
          ("own-first", "k,__a,__main__.A", "AUDIT_METADATA"),
          ("own-bracket", "k,a[1,2].__b,__main__.A", "AUDIT_METADATA"),
          ("own-none", "__k,a[1,__b]._c__,__main__.A;__l,,__main__.B", None),
          ("own-alone", "__k;__l,;k,,;__a.__b", None))
CUSTOMS = (("plain", '{"a": 1}', None), ("options", '{"compile_with_inductor": 1}', CARRIER),
           ("near", '{"compile_with_inducto": 1}', None), ("escape", '{"\\u0063": 1}', CARRIER),
           ("letter", '{"\\u00e4": 1}', None))


def metadata(here):
    """Stacks of modules, and what is kept as JSON."""
    for key, role, rows in (("nn_module_stack", STACK, STACKS), ("custom", CUSTOM, CUSTOMS)):
        for label, text, name in rows:
            def change(data, key=key, text=text):
                data["graph"]["nodes"][0]["metadata"] = {key: text}

            here.changed("metadata-%s-%s" % (key.replace("_", "-"), label), change,
                         {(role, text): one(name, text)},
                         [FINDINGS[name or "AUDIT_NAME"][1]], "What metadata says under %s." % key)


def values(here):
    """Strings that are inputs, and names that walk past a module."""
    every = ["a%sb" % chr(each) for each in range(128)]
    bad = [each for each in every if each[1] < " " or each[1] in "'\"\\\x7f"]
    for label, texts in (("good", [each for each in every if each not in bad] + ["", "\u00e9"]),
                         ("bad", bad[:TOLD]), ("bad-more", bad[TOLD:])):
        def change(data, texts=texts):
            data["graph"]["inputs"] = [{"as_string": text} for text in texts]

        here.changed("value-" + label, change, {
            (VALUE, text): one("AUDIT_GUARD" if text in bad else None, text) for text in texts},
            ["9.2.4"], "Strings that are inputs of the graph.")
    walked = [("a.__b", True), ("__a", True), ("_a__b", False), ("a.b__", False), ("a._", False),
              ("a.__", True)]
    here.changed("attribute-own", naming(ATTRIBUTE, [text for text, _ in walked]), {
        (ATTRIBUTE, text): one("AUDIT_METADATA" if told else None, text) for text, told in walked},
        ["9.3.6"], "Names that are walked past a module.")


def vectors(suite):
    for version in ("1", "7.3", LATEST):
        expressions(Named(suite, version), VALUES)
    here = Named(suite, LATEST)
    for part in (strings, counters, metadata, values):
        part(here)
