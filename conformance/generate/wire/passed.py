"""Limits in what forward reading passes over, and behind it: depth, values and strings are counted
on (SPEC 1.4, 3.10.2), whatever form the members have that nobody knows.  And in texts of part 4,
which are counted from their beginning, one by one.
"""

import re

from format.document import append, child_pointer, prepend, replace
from format.history import VERSIONS
from generate.language.depths import LIMIT, nested_spec
from generate.language.texts import Texts
from generate.suite import change_between
from generate.wire.forward import Forward

FIELD, TAG = "EP_UNKNOWN_FIELD", "EP_UNKNOWN_TAG"
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')


def depth_of(node):
    return node.pointer.count("/") + 1


def nested(levels):
    """An array, in it an object, and so on; where the last begins, and its pointer."""
    text, at, pointer, ends = "", 0, "", ""
    for i in range(levels):
        at = len(text)
        text += "[" if i % 2 == 0 else '{"k": '
        ends = ("]" if i % 2 == 0 else "}") + ends
        pointer += ("/0" if i % 2 == 0 else "/k") if i < levels - 1 else ""
    return (text[:-len('"k": ')] if levels % 2 == 0 else text) + ends, at, pointer


class Passed:
    """The programs of a version under another number, with a member that nobody knows."""

    def __init__(self, suite, name, number):
        self.forward = Forward(suite, name, number)
        self.suite, self.number = suite, number
        self.options = VERSIONS[name].options
        self.nodes = list(self.forward.document.nodes())
        self.deepest = max(depth_of(node) for node in self.nodes
                           if node.object or node.kind in ("list", "tuple") or node.text == "[]")
        self.longest = max(map(len, STRING.findall(self.forward.document.text)))

    def member(self, node, text, put=append, key="new", code=FIELD):
        """(change, where the key is, where the value is, its pointer, its warning)."""
        change, at = put(node, '"%s"' % key, text)
        pointer = child_pointer(node, key)
        return change, at + len(key) + 4, pointer, (code, at, pointer)

    def tagged(self, node, text):
        """The same, of a union with a tag that nobody knows."""
        pointer = node.pointer + "/as_new"
        return (replace(node, '{"as_new": %s}' % text), node.start + len('{"as_new": '), pointer,
                (TAG, node.start + 1, pointer))

    def both(self, label, change, warnings, limit, count, code, at, why):
        """At a limit, and beyond it by one."""
        told = [{"code": each, "offset": offset, "pointer": pointer}
                for each, offset, pointer in warnings]
        name = "forward/limit-%s-%s%%s/%s" % (limit, label, self.number)
        clause = {"depth": "1.4.2", "values": "1.4.3", "string": "1.4.4"}[limit]
        twin = self.suite.valid_edit(
            name % "", self.forward.twin, change, [clause, "3.10.2"], why, warnings=told,
            options={**self.options, "limits": {limit: count}})
        self.suite.invalid(name % "-above", twin, None, code, at, why, also=["3.10.2"],
                           options={**self.options, "limits": {limit: count - 1}})

    def depth(self, label, node, made, many=2):
        """Deeper than anything else is. made(node, text): as member()."""
        levels = self.deepest + many - depth_of(node)
        text, at, pointer = nested(levels)
        change, start, place, warning = made(node, text)
        self.both(label, change, [warning], "depth", self.deepest + many, "EP_LIMIT_DEPTH",
                  (start + at, place + pointer), "What is passed over is as deep as it stands.")

    def behind(self):
        """What is passed over has ended, and does not count any more."""
        change, _, _, warning = self.member(self.forward.document.root, "[[]]", prepend)
        node = next(each for each in self.nodes if depth_of(each) == self.deepest
                    and (each.object or each.kind in ("list", "tuple") or each.text == "[]"))
        self.both("behind", change, [warning], "depth", self.deepest, "EP_LIMIT_DEPTH",
                  (node.start + len(change[2]), node.pointer), "What is behind it.")

    def values(self, label, node, made, fewer=0):
        """Six values, in the middle or at the end."""
        text = '[1, {"a": "b", "c": [null]}]'
        change, start, place, warning = made(node, text)
        last = self.nodes[-1]
        at = (last.start + len(change[2]) - change[1], last.pointer)
        if start > last.start:
            at = (start + text.index("null"), place + "/1/c/0")
        self.both(label, change, [warning], "values", len(self.nodes) + 6 - fewer,
                  "EP_LIMIT_VALUES", at, "What is passed over is counted, too.")

    def strings(self, node):
        """A value, a key, and the key of what is passed over."""
        long = "k" * (self.longest + 1)
        for label, key, text, inside in (
                ("value", "new", '["%s"]' % long, "/0"), ("key", "new", '{"%s": 1}' % long, ""),
                ("own", long, "1", None)):
            change, start, place, warning = self.member(node, text, key=key)
            at = (start + 1, place + inside) if inside is not None else (
                warning[1], node.pointer)
            self.both(label, change, [warning], "string", len(long), "EP_LIMIT_STRING", at,
                      "A string is one wherever it stands.")

    def twice(self, node):
        """Two members: the first counts for the second, its depth does not."""
        first, second = '[[[1, 2]]]', nested(self.deepest + 1 - depth_of(node))[0]
        change, start, place, warning = self.member(node, first)
        text = change[2] + ', "newer": ' + second
        change = (change[0], change[1], text)
        key = change[0] + text.index('"newer"')
        other = (FIELD, key, child_pointer(node, "newer"))
        _, at, pointer = nested(self.deepest + 1 - depth_of(node))
        self.both("twice", change, [warning, other], "depth", self.deepest + 1, "EP_LIMIT_DEPTH",
                  (key + len('"newer": ') + at, other[2] + pointer), "The second is as deep.")


def fields(suite):
    passed = Passed(suite, "8.20", "8.21")
    root = passed.forward.document.root
    places = [("root", root)] + [(name.lower(), passed.forward.struct(name))
                                 for name in ("Node", "Device")]
    for label, node in places:
        passed.depth(label, node, passed.member)
    union = passed.forward.union("Argument", "as_int")
    passed.depth("tag", union, passed.tagged)
    passed.behind()
    passed.twice(passed.forward.struct("Node"))
    passed.values("last", root, passed.member)
    passed.values("tag", union, passed.tagged, 1)  # the union's own value goes
    passed.strings(passed.forward.struct("Node"))


def forms(suite):
    """The other forms of unions."""
    passed = Passed(suite, "2.1", "2.5")
    union = passed.forward.union("SymInt")

    def variant(node, text):
        return passed.member(node, text, key="as_new", code=TAG)
    passed.depth("variant", union, variant)
    passed.values("variant", union, variant)
    passed = Passed(suite, "3.1", "3.3")
    passed.depth("tensormeta", passed.forward.struct("TensorMeta"), passed.member)


# ---- 1.4.2: texts -------------------------------------------------------------------------------


def texts_together(suite):
    """Each text begins anew, also behind another one; of the limits depth alone holds in it."""
    texts = Texts(suite, "8.20", "depth")
    parts = [texts.in_spec(nested_spec(LIMIT - 1, "")),
             texts.metadata("custom", '{"a": %s%s}' % ("[" * (LIMIT - 1), "]" * (LIMIT - 1)))]
    guard = "(" * LIMIT + "1 == 1" + ")" * LIMIT

    def change(data):
        for each in parts:
            each(data)
        data["header"]["guards_code"] = [guard, guard]
    text = texts.changed(change).text
    count = len(list(texts.changed(change).nodes()))
    edit = change_between(suite.bytes[texts.twin], text)
    for label, limits in (("together", {"depth": LIMIT}),
                          ("together-values", {"depth": LIMIT, "values": count})):
        suite.valid_edit(texts.id(label), texts.twin, edit, ["1.4.2", "4.2.1", "4.3.4", "4.4.1"],
                         "Several texts that are as deep as the limit.", provenance="hand",
                         options={"limits": limits}, flags=["large"])
    texts = Texts(suite, "7.3", "depth")
    inner = "(" * LIMIT + "s0" + ")" * LIMIT

    def both(data):
        data["graph"]["sym_int_values"].update(n=inner, m=inner)
    suite.valid_edit(texts.id("together"), texts.twin, change_between(
        suite.bytes[texts.twin], texts.changed(both).text), ["1.4.2", "4.1.8"],
        "Two expressions that are as deep as the limit.", provenance="hand",
        options={"limits": {"depth": LIMIT}})


def vectors(suite):
    for part in (fields, forms, texts_together):
        part(suite)
