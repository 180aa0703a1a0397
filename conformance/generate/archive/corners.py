"""Whole archives (SPEC 8.2 to 8.5) that come near to something else: programs that stand last, or
of which the first says more; members that are as long as a limit; tensors of more elements than
their bytes can be counted; and versions of the flat layout of which no release is known.
"""

from generate.archive.kits import (FLAT, NOWHERE, Wholes, add, both, entry, held, pickle, plain, put, raw,
                                   raw_object, saved_state)
from generate.archive.payloads import NO_BYTES, of, spare, two, updating
from generate.archive.pickles import (UNTYPED, imported, number, pickled, saved, several, storage,
                                      tensor_of_dtype, text)
from generate.archive.agreement import GIVEN, takes_object
from generate.archive.zips import DEFLATED
from generate.whole import meta

PARTED, ENTRIES, BYTES, UNNAMED = "8.2.2", "8.3.2", "8.3.4", "8.4.2"
INSIDE, PICKLE, STORAGES = "8.5.1", "8.5.2", "8.5.3"
BAD, UNFIT = "EP_ARCHIVE_PICKLE", "EP_ARCHIVE_BYTES"


# ---- programs ---------------------------------------------------------------------------


def last(kit):
    """The program behind all others in the directory."""
    count = len(kit.files())
    kit.order = [*range(1, count), 0]


def beside(make, change=None):
    """Another program, with a state of its own."""
    def put_other(kit):
        other = make()
        other.name = "other"
        if change:
            change(other)
        for key, data in other.files().items():
            if "other" in key or key.startswith("data/constants/custom_obj"):
                kit.puts[key] = data
    return put_other


def renumbered(change=None):
    """The objects in other members than those of the first program."""
    def renumber(kit):
        if change:
            change(kit)
        for said in kit.constants.values():
            name = said["path_name"]
            if name.startswith("custom_obj_"):
                said["path_name"] = name + "0"
                kit.payloads["constants/%s0" % name] = kit.payloads.pop("constants/" + name)
    return renumber


def programs(one, objects):
    one.good("program-last", last, [PARTED, "8.4.1"],
             "The program is the last of the directory.")
    one.bad("program-last-unread", both(put("data/weights/weight_9", b""), last),
            "EP_ARCHIVE_UNREAD", None, "A member that nobody reads, and the program behind it.",
            twin="program-last")
    one.good("two-less", beside(plain), [PARTED, "8.4.1"],
             "Two programs, the second of which has no state.")
    table = add("constants", "table", held("tensor_0", meta(2, 2)))

    def entry_of_other(_):
        kit = plain()
        table(kit)
        return kit.place(("constants", "table"))
    one.bad("two-less-unnamed", beside(plain, table), "EP_ARCHIVE_UNNAMED", entry_of_other,
            "Two programs. The second has a constant that the signature of the first names.",
            twin="two-less")

    def where(_):
        kit = raw_object()
        kit.name = "other"
        renumbered(GIVEN)(kit)
        return kit.place(("constants", "given"))
    twin = objects.good("two-objects", both(takes_object, GIVEN, beside(raw_object, renumbered())),
                        [UNNAMED], "Two programs, the first of which takes an object.")
    objects.bad("two-objects-unnamed", both(takes_object, GIVEN, beside(
        raw_object, renumbered(GIVEN))), "EP_ARCHIVE_UNNAMED", where,
                "Two programs, the first of which takes an object that the second has.", twin=twin)


# ---- versions of the flat layout ----------------------------------------------------------


def flat(suite):
    """Before 5.1 the state is in members `.json`, of versions that no release writes, too."""
    for version in ("3.1", "4.2"):
        one = Wholes(suite, "flat-" + version, lambda version=version: saved_state(version, FLAT),
                     ["8.2.1", PARTED, "8.2.3"], "The flat layout, of version %s." % version)
        for part in ("weights", "constants"):
            name = one.make().state_name(part)
            one.bad("no-" + part, lambda kit, name=name: kit.drops.add(name), "EP_ARCHIVE_PART",
                    None, "There are no %s." % part)
            late = name.replace(".json", ".pt")
            one.bad("pickled-" + part, lambda kit, part=part, late=late: kit.puts.update(
                {late: kit.state[part].written()}), "EP_ARCHIVE_UNREAD", None,
                    "%s, too, which a later version has." % late)


def unread(one):
    """A member that nobody reads, as the first of the directory."""
    def first(kit):
        kit.puts["x"] = b"ab"
        count = len(kit.files())
        kit.order = [count - 1, *range(count - 1)]
    one.bad("unread-before", first, "EP_ARCHIVE_UNREAD", None,
            "A member that no release writes, as the first of the directory.")


# ---- entries ----------------------------------------------------------------------------

MANY = 1 << 62


def entries(one, raw_one):
    where = ("weights", "second")
    for label, valid, first, second, why in (
            ("repeated", True, of([MANY], [0]), {"sizes": [5]}, "five of them"),
            ("all", True, of([MANY], [1]), {"sizes": [5]}, "five of them"),
            ("last", True, of([MANY], [1]), {"sizes": [1], "storage_offset": MANY - 1},
             "the last one"),
            ("behind", False, of([MANY], [1]), {"sizes": [1], "storage_offset": MANY},
             "one behind them")):
        one.pairs([("zeros-many-" + label, valid, both(NO_BYTES, first, two(updating(**second))),
                    "Two tensors of one member without bytes. The first has 2^62 elements, the "
                    "second %s." % why)], [BYTES], UNFIT, where)

    odd = tensor_of_dtype(storage("0", 18, kind=UNTYPED), "torch:float32", (4,))
    one.good("pickled-odd", both(entry("weights", "spare", use_pickle=True), lambda kit: (
        kit.payloads.update({"weights/weight_0": saved(pickled(odd), {"0": bytes(18)})}))),
             [ENTRIES, STORAGES], "A pickled weight, whose storage ends within an element.")
    raw_one.good("model-file-comment", both(put("data/aotinductor/x", b""), lambda kit: (
        kit.how.update({"data/aotinductor/x": {"central": {"comment": b"/a/b"}}}))), [PARTED],
                 "A member in no folder of a model; what its comment says is no part of its name.")


# ---- pickles ----------------------------------------------------------------------------


def inputs(value, storages=()):
    made = several(several(value), b"}")
    return pickle("inputs", make=lambda pairs: made, storages=dict(storages))


def dtypes(one):
    """The dtypes that came last, in sample inputs."""
    for dtype, size in (("uint16", 2), ("uint32", 4), ("uint64", 8)):
        for label, valid, count in (("", True, 3), ("-over", False, 4)):
            value = tensor_of_dtype(storage("k", 3 * size, kind=UNTYPED), "torch:" + dtype,
                                    (count,))
            one.pairs([("inputs-%s%s" % (dtype, label), valid, inputs(value, {"k": bytes(
                3 * size)}), "A sample input of %s." % dtype)], [PICKLE, STORAGES], UNFIT)


def calls(one):
    """Arguments of many: those behind the eighth are nobody's."""
    value = imported("fractions:Fraction") + several(*[number(at) for at in range(9)]) + b"R"
    one.good("inputs-nine-arguments", inputs(value), [PICKLE],
             "An object that is made of nine numbers.")


def inside(one):
    """The archive inside, whose pickle is deflated."""
    def deflated(**how):
        said = {"archive/data.pkl": {"method": DEFLATED, **how}}
        return both(inputs(text("a")), pickle("inputs", said={"said": said}))
    twin = one.good("inputs-deflated", deflated(), [INSIDE], "A pickle that is deflated.")
    for label, how, why in (("checksum", {"local": {"crc": 1}, "central": {"crc": 1}},
                             "Its checksum is another."),
                            ("stream", {"stream": b"\xff" * 8}, "What it is deflated to is none."),
                            ("cut", {"stream": b"\x2b"}, "What it is deflated to is cut off.")):
        one.bad("inputs-deflated-" + label, deflated(**how), "EP_ARCHIVE_MEMBER", NOWHERE,
                "A pickle that is deflated. " + why, twin=twin)


# ---- limits -----------------------------------------------------------------------------


def limits(one):
    """No limit is smaller than what is as long as it."""
    def asked(base, name, limit, why):
        one.suite.valid_edit(one.named(name), base, None, ["1.4.1", "8.1.3"], why,
                             provenance="hand", options={"limits": {"bytes": limit}})
    size = len(one.make().program().text.encode("utf-8"))
    asked(one.base, "limit-program", size, "The program is as long as the limit.")
    one.suite.invalid(one.named("limit-program-above"), one.named("limit-program"), None,
                      "EP_LIMIT_BYTES", (0, ""), "The program is a byte longer than the limit.",
                      provenance="hand", also=["8.1.3"], options={"limits": {"bytes": size - 1}})
    longer = several(several(text("a" * size)), b"}")
    twin = one.good("inputs-long", inputs(text("a" * size)), [PICKLE],
                    "Sample inputs that are longer than the program.")
    asked(twin, "limit-inputs", len(pickled(longer)),
          "The pickle of the sample inputs is as long as the limit.")


def vectors(suite):
    raw_one = Wholes(suite, "raw", raw, [], "")
    one = Wholes(suite, "spare", spare, [], "")
    programs(raw_one, Wholes(suite, "object", raw_object, [], ""))
    flat(suite)
    unread(Wholes(suite, "flat-8.7", lambda: saved_state("8.7", FLAT), [], ""))
    entries(one, raw_one)
    dtypes(raw_one)
    calls(raw_one)
    inside(raw_one)
    limits(raw_one)
