"""Whole archives (SPEC 8.2 to 8.5), where what is looked at first or last makes the difference:
the first member of the directory, the first entry of a config, the last key of a pickle and the
last value in it; more programs than two; state alone among the inputs; elements as far as 64 bits
count them; and members that are longer than a limit.
"""

import zlib

from generate.archive.corners import inputs
from generate.archive.kits import (FLAT, NOWHERE, PT2, Kit, Wholes, add, both, drop, held,
                                   object_saved, payload, pickle, plain, put, raw, raw_object,
                                   sample_inputs, saved_state)
from generate.archive.payloads import MOST, NO_BYTES, of, spare, two, updating
from generate.archive.pickles import (EMPTY_TUPLE, imported, pickled, several, storage, tensor,
                                      text)
from generate.archive.saves import PICKLED, inner, items, keyed, said, weights
from generate.archive.states import EIGHT, own
from generate.archive.zips import DEFLATED, member
from generate.archive.zips import both as headers
from generate.whole import Draft, custom_obj, meta, spec, user_input, user_output
from generate.whole import tensor as value_of

PARTED, READ, ENTRIES, BYTES, SIGNED = "8.2.2", "8.2.3", "8.3.2", "8.3.4", "8.4.2"
INSIDE, PICKLE, STORAGES = "8.5.1", "8.5.2", "8.5.3"
BAD, UNFIT, TENSOR, MEMBER = ("EP_ARCHIVE_PICKLE", "EP_ARCHIVE_BYTES", "EP_ARCHIVE_TENSOR",
                              "EP_ARCHIVE_MEMBER")


def first(name):
    """This member before all others of the directory."""
    def change(kit):
        names = list(kit.files())
        at = names.index(name)
        kit.order = [at, *[each for each in range(len(names)) if each != at]]
    return change


# ---- members ----------------------------------------------------------------------------


def members(one):
    twin = one.good("first-mark", both(put(".data/strip", b"ab"), first(".data/strip")), [READ],
                    "A member that no release writes, as the first of the directory.")
    one.bad("first-stripped", both(put(".data/stripped", b"ab"), first(".data/stripped")),
            "EP_ARCHIVE_PART", None, "The first member of the directory says that others were "
            "taken out.", twin=twin)

    def around(kit):
        names = list(kit.files())
        ends = [names.index("data/weights/weight_0"), names.index("data/constants/tensor_1")]
        kit.order = [ends[0], *[at for at in range(len(names)) if at not in ends], ends[1]]
    one.good("first-weight", around, [PARTED, ENTRIES],
             "A weight as the first member of the directory, and a constant as the last.")
    folder = payload("weights/weight_9/a", bytes(4))
    twin = one.good("path-plain", both(add("weights", "w", held("weight_9", meta(1)),
                                           weight_9=bytes(4))), [ENTRIES], "Another weight.")
    one.bad("path-below", both(add("weights", "w", held("weight_9/a", meta(1))), folder),
            "EP_ARCHIVE_PAYLOAD", ("weights", "w"),
            "Its member is in a folder below the config's.", twin=twin)


def flat(suite):
    """Members that a later version of the flat layout has."""
    for version, name in (("1", "serialized_constants.json"),
                          ("4.2", "serialized_example_inputs.json"),
                          ("4.2", "serialized_example_inputs.pt")):
        one = Wholes(suite, "flat-" + version, lambda version=version: saved_state(version, FLAT),
                     [READ], "The flat layout, of version %s." % version)
        one.bad("later-" + name, put(name, b"ab"), "EP_ARCHIVE_UNREAD", None,
                "A member that a later version has, whatever it holds.")


def programs(one):
    def others(kit):
        for at in range(9):
            other = plain()
            other.name = "other%d" % at
            kit.puts.update((key, data) for key, data in other.files().items() if other.name in key)
    one.good("ten", others, [PARTED, "8.4.1"], "Ten programs, each with configs of its own.")
    one.bad("ten-without", both(others, drop("data/sample_inputs/other8.pt")), "EP_ARCHIVE_PART",
            None, "Ten programs, the last of which has no sample inputs.", twin="ten")


def alone(suite):
    """A program that takes its state and nothing else."""
    def made():
        kit = Kit("8.20")
        draft = Draft().take(spec("parameter", "p_weight", parameter_name="weight"))
        kit.draft = draft.give(user_output(value_of("p_weight"))).tensors(
            p_weight=meta(2, requires_grad=True))
        kit.weights = {"weight": held("weight_0", meta(2, requires_grad=True), param=True)}
        kit.constants = {}
        kit.payloads["weights/weight_0"] = bytes(8)
        kit.state["inputs"] = sample_inputs()
        kit.state["inputs"].make = lambda pairs: several(EMPTY_TUPLE, b"}")
        return kit
    one = Wholes(suite, "state-alone", made, [PARTED, "8.4.1"],
                 "A program that takes a parameter, and nothing else.")
    one.bad("missing", lambda kit: kit.weights.update(other=kit.weights.pop("weight")),
            "EP_ARCHIVE_MISSING", ("program", "graph_module/signature/input_specs/0"),
            "A program that takes a parameter, and nothing else: it has no entry.")


# ---- entries ----------------------------------------------------------------------------


def leading(part, name):
    """An entry before all others of its config."""
    def change(kit):
        getattr(kit, part).move_to_end(name, last=False)
    return change


def entries(one, plain_one, objects):
    twin = one.good("first-own", both(own(meta(2), tensor(EIGHT, (2,))), leading(
        "weights", "own")), [PICKLE], "A weight that is pickled by itself, as the first entry.")
    one.bad("first-own-size", both(own(meta(2), tensor(EIGHT, (3,))), leading("weights", "own")),
            TENSOR, ("weights", "own"), "A weight that is pickled by itself, as the first entry, "
            "has another size.", twin=twin)
    pair = both(add("weights", "a", held("weight_0", meta(1, dtype=1)), weight_0=b"a"),
                add("weights", "b", held("weight_1", meta(1)), weight_1=bytes(4)))
    twin = plain_one.good("one-byte", pair, [BYTES], "A weight of a byte, and one of a float.")
    plain_one.bad("one-byte-none", both(pair, payload("weights/weight_1", b"")), UNFIT,
                  ("weights", "b"), "A weight of a byte, and one of a float that has no bytes: a "
                  "byte is enough for none to stand for a fake tensor.", twin=twin)
    names = ("zebra", "apple", "mango", "melon", "kiwi")

    def taken(kit):
        for name in names:
            what = custom_obj(name)
            kit.draft.take(user_input(what)).table("custom_obj_values", **{
                name: what["as_custom_obj"]})

    def given(*some):
        def change(kit):
            for at, name in enumerate(some):
                kit.constants[name] = held("custom_obj_%d" % (9 + at), None, pickle=True)
                kit.payloads["constants/custom_obj_%d" % (9 + at)] = object_saved()
        return change
    twin = objects.good("user-objects", both(taken, given(*names)), [SIGNED],
                        "Five objects that are inputs of the user, in no order.")
    objects.bad("user-objects-other", both(taken, given(*names[:4], "lemon")),
                "EP_ARCHIVE_UNNAMED", ("constants", "lemon"),
                "Five objects, one of which is no input of the user.", twin=twin)


def far(one):
    """Tensors of a member without bytes, as far as 64 bits count its elements."""
    where = ("weights", "second")
    all_of_them, half = of([2, MOST], [0, 0]), of([MOST], [0])
    for label, valid, sized, second, why in (
            ("last", True, all_of_them, {"sizes": [2], "strides": [MOST],
                                         "storage_offset": MOST - 1}, "the last one"),
            ("behind", False, all_of_them, {"sizes": [2], "strides": [MOST],
                                            "storage_offset": MOST}, "one behind them"),
            ("wrap-one", False, all_of_them, {
                "sizes": [2, 20], "strides": [MOST, 1], "storage_offset": MOST - 1},
             "some behind 2^64, step by step"),
            ("wrap", False, half, {"sizes": [3], "strides": [MOST - 1], "storage_offset": MOST - 1},
             "one behind 2^64")):
        one.pairs([("far-" + label, valid, both(NO_BYTES, sized, two(updating(**second))),
                    "Two tensors of one member without bytes. The first has all elements, the "
                    "second reaches %s." % why)], [BYTES], UNFIT, where)


# ---- pickles ----------------------------------------------------------------------------


def last_value(made):
    """The dict of the weights, whose attributes are the value that is made last."""
    return pickle("weights", make=lambda pairs: PICKLED[2:-1] + made + b"b")


def pickles(one):
    one.bad("pickle-key-twice-last", weights(keyed(text("weight"))), BAD, None,
            "The pickle of the weights. The key that is the last of all in its order, twice.")
    twin = one.good("pickle-attributes", last_value(imported("collections:OrderedDict")), [PICKLE],
                    "The attributes of the dict are a class, made behind all else.")
    one.bad("pickle-attributes-import", last_value(imported("collections:Counter")), BAD, None,
            "The attributes of the dict are a class that no weights name, made behind all else.",
            twin=twin)
    one.bad("inside-root-two-long", said(more=[("another one/x", b"")]), BAD, None,
            "In a pickled member. A member in another folder, whose name is longer.", also=[INSIDE])
    empty, some = [items(other=tensor(storage("", count), (count,))) for count in (0, 1)]
    folder = said(more=[("archive/data/", b"")])
    twin = one.good("storage-key-none", both(empty, folder), [INSIDE, STORAGES],
                    "A storage without bytes, whose key has no letters.")
    one.bad("storage-key-none-more", both(some, folder), UNFIT, None,
            "A storage whose key has no letters, and of which the pickle says that it has bytes.",
            twin=twin)
    ahead = [member("archive/first", b"ab")]
    wrong = [member("archive/first", b"ab", **headers(crc=1))]
    twin = one.good("inside-first", inner(lambda made: ahead + made), [INSIDE],
                    "In a pickled member. Another member as the first.")
    one.bad("inside-first-checksum", inner(lambda made: wrong + made), MEMBER, NOWHERE,
            "In a pickled member. The first one has another checksum.", twin=twin)
    for name in (b"pkl", b"order"):
        label = name.decode("ascii")

        def changed(made, name=name, **how):
            return [each._replace(method=DEFLATED, **how) if each.name.endswith(name) else each
                    for each in made]
        twin = one.good("inside-deflated-" + label, inner(changed), [INSIDE],
                        "In a pickled member. A member that is deflated.")
        one.bad("inside-deflated-%s-crc" % label, inner(lambda made, changed=changed: changed(
            made, local={"crc": 0}, central={"crc": 0})), MEMBER, NOWHERE,
            "In a pickled member. A checksum of 0, of a member that is deflated.", twin=twin)


def more(one):
    """A deflated member of the archive inside, of which more comes out than its headers say."""
    def order(data):
        def change(made):
            told = {"size": len(b"little"), "crc": zlib.crc32(b"little")}
            return [each._replace(method=DEFLATED, data=data, local=told, central=told)
                    if each.name.endswith(b"order") else each for each in made]
        return inner(change)
    one.bad("inside-deflated-more", order(b"little" + bytes(40)), MEMBER, NOWHERE,
            "In a pickled member. More comes out of the byte order than its headers say.",
            twin="inside-deflated-order", also=[INSIDE])


# ---- limits -----------------------------------------------------------------------------


def asked(one, name, base, limit, valid, why):
    more = {} if valid else {"verdict": "implementation-defined", "code": "EP_LIMIT_BYTES",
                             "profiles": {"epref": "invalid"}}
    one.suite.valid_edit(one.named(name), base, None, ["1.4.1", "8.1.3"], why, provenance="hand",
                         options={"limits": {"bytes": limit}}, **more)


def limits(one):
    size = len(one.make().program().text.encode("utf-8"))
    value = several(several(text("a" * size)), b"}")
    twin = one.good("near-inputs", inputs(text("a" * size)), [PICKLE],
                    "Sample inputs that are longer than the program.")
    asked(one, "near-inputs-above", twin, len(pickled(value)) - 1, False,
          "The pickle of the sample inputs is a byte longer than the limit.")

    def blanks(kit):
        kit.texts["weights"] = kit.said("weights") + b" " * size
    length = len(one.make().said("weights")) + size
    twin = one.good("near-config", blanks, ["8.3.1"], "A config that is longer than the program.")
    asked(one, "near-config-limit", twin, length, True, "A config is as long as the limit.")
    asked(one, "near-config-above", twin, length - 1, False,
          "A config is a byte longer than the limit.")


def vectors(suite):
    raw_one = Wholes(suite, "raw", raw, [], "")
    plain_one = Wholes(suite, "plain", plain, [], "")
    saves = Wholes(suite, "pickled", lambda: saved_state("8.8", PT2), [], "")
    members(raw_one)
    flat(suite)
    programs(plain_one)
    alone(suite)
    entries(raw_one, plain_one, Wholes(suite, "object", raw_object, [], ""))
    far(Wholes(suite, "spare", spare, [], ""))
    pickles(saves)
    more(saves)
    limits(raw_one)
