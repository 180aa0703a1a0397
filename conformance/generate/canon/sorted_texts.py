"""What both canonical forms sort by text (SPEC 6.8.1, 6.9.1): dicts and lists of two, three and
many texts, whose spellings in JSON have another order than the texts, and that are prefixes of
each other.  An escape begins with a backslash, which is before the small letters and behind
the large ones; a character beyond U+FFFF is behind all others, though not by its surrogates.
"""

import copy
import json

from generate.canon.forms import Forms
from generate.canon.torch import Torch, plain, torched
from generate.migrate.migrations import LATEST, kinds, written
from generate.whole import call, entry, tensor

TEXTS = ("z", "\u00e9", "A", "\U0001f600", "a", "\ufffd", "", "aa", "\n", "\\", '"', "a\u0301", "~",
         "\u0080", "a\U0001f600", "a\ufffd", " ")
SHOWN = (TEXTS[:2], TEXTS[2:5], TEXTS[3:6], ("a", "aa", ""), TEXTS)


def changed(change):
    draft = copy.deepcopy(plain())
    change(draft.data)
    return kinds(draft, None)


def opsets(texts):
    def change(data):
        data["header"]["opset_version"] = {each: i + 1 for i, each in enumerate(texts)}
    return changed(change)


def tuples(texts):
    def change(data):
        data["module"]["treespec_namedtuple_fields"] = {
            "m.%s" % each: {"field_names": ["f%d" % i]} for i, each in enumerate(texts)}
    return changed(change)


def dicts(texts):
    def change(data):
        data["graph"]["nodes"].append(call("mylib.f.default", {"d": {"as_string_to_argument": {
            each: {"as_int": i} for i, each in enumerate(texts)}}}, []))
    return changed(change)


def guards(texts):
    def change(data):
        data["header"]["guards_code"] = [
            "L[%s] == %d" % (repr(each), i) for i, each in enumerate(texts) if '"' not in each]
    return changed(change)


def modules(texts):
    def change(data):
        data["modules"] = [entry("m" + each, [tensor("x")] * (i % 3), [tensor("y")] * (i % 2))
                           for i, each in enumerate(texts)]
    return changed(change)


KINDS = (("opsets", opsets), ("tuples", tuples), ("dicts", dicts), ("guards", guards),
         ("modules", modules))


def plainly(text):
    """The document with its characters themselves, where escapes are not needed."""
    return json.dumps(json.loads(text), ensure_ascii=False)


def turns(make, texts):
    """The same in three orders, and in two spellings."""
    number = {each: i for i, each in enumerate(texts)}
    for order in (texts, texts[::-1], texts[1:] + texts[:1]):
        draft = make(texts)
        yield written(LATEST, reorder(draft, order, number))


def reorder(draft, order, number):
    """The draft's sorted dict or list in the order of the texts."""
    places = [number[each] for each in order]
    data = draft.data
    arguments = data["graph"]["nodes"][-1]["inputs"][0]["arg"]
    for owner, key in ((data["header"], "opset_version"), (arguments, "as_string_to_argument"),
                       (data["module"], "treespec_namedtuple_fields")):
        if len(owner.get(key, {})) == len(places):
            items = list(owner[key].items())
            owner[key] = dict(items[i] for i in places)
    for owner, key in ((data["header"], "guards_code"), (data, "modules")):
        items = owner.get(key, [])
        if len(items) > 1:
            owner[key] = [items[i] for i in places if i < len(items)]
    return draft


def epref(forms):
    for label, make in KINDS:
        for i, texts in enumerate(SHOWN):
            texts = tuple(each for each in texts if label != "guards" or '"' not in each)
            found = list(dict.fromkeys(turns(make, texts)))
            found += [plainly(text) for text in found[:2]]
            forms.found("sorted-%s-%d" % (label, i), LATEST, list(dict.fromkeys(found)),
                        ["6.8.1"], "%d texts." % len(texts))


def torch(to):
    for label, make in (KINDS[0], KINDS[3], KINDS[4]):
        for i, texts in enumerate(SHOWN):
            texts = tuple(each for each in texts if label != "guards" or '"' not in each)
            base = make(tuple(sorted(texts)))
            wanted = torched(base)
            wanted.data["modules"] = base.data["modules"]
            wanted.data["header"]["guards_code"] = sorted(
                wanted.data["header"].get("guards_code", []))
            places = {each: k for k, each in enumerate(sorted(texts))}
            for turn, order in enumerate((texts, texts[::-1])):
                to.valid("sorted-%s-%d-%d" % (label, i, turn), LATEST,
                         reorder(copy.deepcopy(base), order, places), wanted, ["6.9.1"],
                         "%d texts." % len(texts))


def vectors(suite):
    epref(Forms(suite))
    torch(Torch(suite))
