"""Time and memory: documents of some megabytes, made of one piece again and again,
that an implementation whose work grows faster than its input does not get through.
What is asked of each is ordinary; the bounds say in what time and memory.
"""

from generate.language.depths import LIMIT
from format.document import Document, replace
from format.history import VERSIONS
from format.programs import Rich, carrier

MANY = 2 * 1000 * 1000
DEEP = 200 * 1000
RICH = "encode/rich/8.20"
ESCAPES = (16 << 20) // 6  # as many as a string may have that every decoder accepts


def named(label):
    return "resource/%s/8.20" % label


def place(field):
    document = Document(Rich(VERSIONS["8.20"]).program())
    return next(node for node in document.nodes() if node.place == ("Argument", field))


def long_numbers(suite):
    """Rounded from all digits, however many there are."""
    node = place("as_float")
    for label, text, at, digit, wanted, why in (
            ("fraction", "1.01", 3, "0", "1.0", "The last digit is too far to count."),
            ("middle", "9007199254740993.01", 18, "0", "9007199254740994.0",
             "The last digit is what is above the middle."),
            ("small", "0.1", 2, "0", "0.0", "Too small for any but zero."),
            ("balanced", "1e-%d" % MANY, 1, "0", "1.0", "As many zeros as the exponent takes away."),
            ("exponent-zeros", "1e1", 2, "0", "10.0", "Zeros before the exponent's digit."),
            ("exponent", "1e-9", 4, "9", "0.0", "An exponent of millions of digits."),
            ("exponent-zero", "0e9", 3, "9", "0.0", "Zero, whatever its exponent.")):
        product = {"base": RICH, "edit": suite.edit(replace(node, wanted))}
        short = repr(float(text))
        base = suite.valid_edit(named("digits-%s-base" % label), RICH, replace(node, text),
                                ["3.3.1", "3.9.4"], "The same with few digits.", provenance="hand",
                                product="same" if short == text else
                                {"base": RICH, "edit": suite.edit(replace(node, short))})
        suite.valid_edit(named("digits-" + label), base, (node.start + at, 0, digit, MANY),
                         ["3.3.1", "3.9.4"], why, provenance="hand", product=product,
                         flags=["large"])


def refused_numbers(suite):
    for label, field, text, at, digit, code, why in (
            ("float", "as_float", "1", 1, "0", "EP_FLOAT_RANGE", "Beyond the largest."),
            ("exponent", "as_float", "1e9", 3, "9", "EP_FLOAT_RANGE", "Beyond the largest."),
            ("int", "as_int", "1", 1, "0", "EP_INT_RANGE", "Beyond the largest."),
            ("int-negative", "as_int", "-1", 2, "0", "EP_INT_RANGE", "Below the smallest.")):
        node = place(field)
        twin = suite.valid_edit(named("range-%s-base" % label), "program/rich/8.20",
                                replace(node, text), "3.3.1" if field == "as_float" else "3.2.1",
                                "The same with one digit.", provenance="hand")
        suite.invalid(named("range-" + label), twin, (node.start + at, 0, digit, MANY), code,
                      (node.start, node.pointer), why, provenance="hand", flags=["large"])


def repeated_keys(suite):
    """One key a million times: the second is the one that is told."""
    twin = suite.whole("wire/valid/object", "wire", None, '{"a": 1}', "2.1.2", "")
    suite.invalid("resource/keys", twin, (1, 0, '"a": 1, ', MANY // 2), "EP_DUPLICATE_KEY",
                  (9, "/a"), "One key, again and again.", provenance="hand", flags=["large"])
    root, node = carrier(VERSIONS["8.20"], "opset_version", '{"a": 1}')
    document = Document(root)
    twin = suite.whole("program/carrier/opset_version-other/8.20", "decode", "8.20", document.text,
                       "3.4.1", "")
    suite.invalid(named("keys"), twin, (node.start + 1, 0, '"a": 1, ', MANY // 2), "EP_DUPLICATE_KEY",
                  (node.start + 9, node.pointer + "/a"), "One key, again and again.",
                  provenance="hand", flags=["large"])


def long_strings(suite):
    node = place("as_string")
    for label, spelled, wanted, why in (
            ("escapes", "\\u0041", "A", "An escape for each letter."),
            ("escapes-same", "\\u00e9", "\\u00e9", "An escape for each letter, and so again.")):
        product = {"base": RICH, "edit": suite.edit((node.start + 1, node.end - node.start - 2,
                                                     wanted, ESCAPES))}
        suite.valid_edit(named("string-" + label), RICH,
                         (node.start + 1, node.end - node.start - 2, spelled, ESCAPES),
                         ["3.9.3", "1.4.4"], why, provenance="hand", flags=["large"],
                         product="same" if spelled == wanted else product)


def buffered(suite):
    """A string of 2^15 bytes, as long as what many writers gather before they hand it on."""
    node = place("as_string")
    suite.valid_edit(named("string-buffer"), RICH,
                     (node.start + 1, node.end - node.start - 2, "a", 1 << 15), ["3.9.3", "1.4.4"],
                     "A string of 32,768 bytes.", provenance="hand", product="same")


def many_values(suite):
    """Arrays and objects, which take more memory than their bytes."""
    for label, field, text, at, piece, count, why in (
            ("lists", "as_int_lists", "[[1]]", 1, "[1], ", MANY, "Lists of one number."),
            ("objects", "as_tensors", '[{"name": "x"}]', 1, '{"name": "x"}, ', MANY // 2,
             "Objects of one field.")):
        root, node = carrier(VERSIONS["8.20"], field, text)
        document = Document(root)
        base = suite.whole("program/carrier/%s-other/8.20" % field, "decode", "8.20",
                           document.text, "3.4.1", "A program that carries %s as %s." % (
                               text, field))
        suite.valid_edit(named(label), base, (node.start + at, 0, piece, count), ["1.4.3", "1.4.5"],
                         why, provenance="hand", flags=["large"])


def deep_texts(suite):
    """As depth/NAME-above, deeper than any stack; what would close it is missing, and
    the limit is what is told, as it stands first (SPEC 1.5.1)."""
    for label, version, bracket, also in (("expression", "7.3", "(", "4.1.8"),
                                          ("guard", "8.20", "(", "4.4.1"),
                                          ("custom", "8.20", "[", "4.3.4")):
        twin = "depth/%s/%s" % (label, version)
        above = suite.vectors["depth/%s-above/%s" % (label, version)]
        suite.invalid("resource/depth-%s/%s" % (label, version), twin,
                      (above["offset"], 0, bracket, DEEP), "EP_LIMIT_DEPTH",
                      (above["offset"], above["pointer"]),
                      "%d more levels than the limit of %d." % (DEEP, LIMIT), provenance="hand",
                      also=[also], flags=["large"])


def vectors(suite):
    long_numbers(suite)
    refused_numbers(suite)
    repeated_keys(suite)
    long_strings(suite)
    buffered(suite)
    many_values(suite)
    deep_texts(suite)
