"""Audits of pickles (SPEC 9.6.1, 9.6.2) that import one thing many times, have names, stacks and
numbers of the memo at the ends of what is judged, or break off and go on; and of members (9.6) that
stand first or last, or are as long together as a limit.
"""


from generate.archive.archives import program
from generate.archive.pickles import dictionary, pickled, saved, storage, tensor
from generate.archive.zips import DEFLATED, archive, member, written
from generate.archive.audit_members import (BOMB, CLEAN, CONFIG, CONTAINER, DUPLICATE, EVIL, FLAT,
                                             GLOBAL, HIDDEN, NAMES, NATIVE, PATH, PICKLE, PT2, R,
                                             SIZE4, SIZE8, UNPICKLED, UNREAD, VERSION, ZEROS, base,
                                             payload, put, replaced, sized, text)
from generate.archive.audit_storages import config, hidden, inside, piece, tuple_of
from generate.archive.findings import FINDINGS, listed

MANY = 2100  # that one thing is imported
LONGEST = 1000  # bytes of the names of a module and of what it has
STACK, MEMO = 1 << 22, 1 << 24
NAME = "serialized_constants.pt"
SYSTEM, ABORT, KILL = (b"cos\n" + each + b"\n" for each in (b"system", b"abort", b"kill"))
OLD = [("__builtin__", name) for name in
       "bool dict float frozenset int list long slice str tuple unicode".split()]
OS_SYSTEM = [(GLOBAL, "os.system")]


def of(suite, label, data, found, why, **how):
    put(suite, "pickle-" + label, FLAT, [
        member(NAME, data, **how) if each.name == NAME.encode() else each for each in base(FLAT)],
        [(NAME, each, about) for each, about in found], why, drop=[NAME])


# ---- repeats ----------------------------------------------------------------------------


def kept(module, name, at):
    """Two texts that are put into the memo, and nothing on the stack."""
    return text(module) + b"q" + bytes([at]) + b"0" + text(name) + b"q" + bytes([at + 1]) + b"0"


def again(at):
    """Imports what was kept."""
    return b"h" + bytes([at]) + b"h" + bytes([at + 1]) + b"\x930"


def repeats(suite):
    put_ = kept("os", "system", 0) + kept("collections", "deque", 2)
    system, deque = again(0), again(2)
    default = b"ccollections\ndefaultdict\n0"
    values = [(CONTAINER, "collections." + each) for each in ("defaultdict", "deque")]
    calls = [(GLOBAL, "os." + each) for each in ("abort", "kill", "system")]
    for label, data, found in (
            ("behind", system * MANY + ABORT + b"0" + KILL, calls),
            ("between", ABORT + b"0" + system * MANY + KILL + b"0" + system * MANY, calls),
            ("often", system * (5 * MANY) + ABORT + b"0" + KILL, calls),
            ("last", b"cos\nwait\n0" + system * MANY, [calls[2], (GLOBAL, "os.wait")]),
            ("line", (SYSTEM + b"0") * MANY + ABORT + b"0" + KILL, calls),
            ("values", deque * MANY + default, values),
            ("both", (system + deque) * MANY + default + ABORT + b"0" + KILL, calls + values)):
        of(suite, "repeats-" + label, put_ + data + b"N.", found,
           "What is imported a thousand times and more hides nothing else.")


# ---- names ------------------------------------------------------------------------------


def names(suite):
    for label, count, valid in (("", LONGEST, True), ("-over", LONGEST + 1, False)):
        module, name = b"os", b"a" * (count - 2)
        found = [(GLOBAL, "os." + name.decode())] if valid else [(PICKLE, "")]
        stacked = text("os") + b"X" + SIZE4(len(name)) + name + b"\x93"
        for kind, data in (("global", b"c%s\n%s\n" % (module, name)),
                           ("inst", b"(i%s\n%s\n" % (module, name)), ("stack", stacked)):
            of(suite, "long-%s%s" % (kind, label), data + b".", found,
               "Two names of %d bytes together." % count)
        of(suite, "long-behind" + label, stacked + SYSTEM + b"t.",
           ([(PICKLE, "")] if not valid else found + OS_SYSTEM + [(PICKLE, "")]),
           "Two names of %d bytes together, before something else." % count)
    for label, made in (("binbytes", b"B" + SIZE4(2) + b"os"), ("short-binbytes", b"C\2os"),
                        ("binbytes8", b"\x8e" + SIZE8(2) + b"os"),
                        ("bytearray8", b"\x96" + SIZE8(2) + b"os"), ("long", b"L12\n"),
                        ("int", b"I12\n"), ("float", b"F1.5\n"), ("persid", b"Pos\n"),
                        ("long1", b"\x8a\2os"), ("long4", b"\x8b" + SIZE4(2) + b"os"),
                        ("string", b"S'os'\n"), ("unicode", b"Vos\n")):
        of(suite, "computed-module-" + label, made + text("system") + b"\x93.", [(PICKLE, "")],
           "The name of a module is no string.")
        of(suite, "computed-name-" + label, text("os") + made + b"\x93.", [(PICKLE, "")],
           "The name of what is imported is no string.")


# ---- the ends of what is judged -----------------------------------------------------------


def ends(suite):
    for label, sixth in (("evil", EVIL), ("none", b"\xff"), ("cut", b"\x80\2}")):
        of(suite, "sixth-" + label, CLEAN * 5 + sixth, [(UNPICKLED, "")],
           "Nobody reads what is behind five pickles.")
    for label, made in (
            ("binunicode", b"X" + SIZE4(99)), ("short-binunicode", b"\x8c\x63"),
            ("binunicode8", b"\x8d" + SIZE8(99)), ("binstring", b"T" + SIZE4(99)),
            ("binbytes", b"B" + SIZE4(99)), ("long1", b"\x8a\x63"), ("long4", b"\x8b" + SIZE4(99))):
        of(suite, "cut-before-" + label, made + EVIL[2:], [(PICKLE, "")],
           "It ends within an operand, in which there is what would be a pickle.")
    for label, made in (("frozenset", b"(\x91"), ("list", b"(l"), ("tuple", b"(t"), ("dict", b"(d"),
                        ("appends", b"](e"), ("setitems", b"}(u"), ("additems", b"\x8f(\x90"),
                        ("pop-mark", b"N(1"), ("frozenset-one", b"(N\x91"), ("obj", b"(No"),
                        ("stack", NAMES + b"\x93"), ("inst", b"(ios\nsystem\n")):
        found = OS_SYSTEM if label in ("stack", "inst") else []
        of(suite, "goes-on-" + label, made + b"0" + ABORT + b".", [(GLOBAL, "os.abort")] + found,
           "An import behind what an opcode makes of nothing or of little.")
    of(suite, "obj-nothing", b"(o" + ABORT + b".", [(PICKLE, "")],
       "An object without a class, before an import.")
    of(suite, "values-old", tuple_of(OLD), [(CONTAINER, ".".join(each)) for each in OLD],
       "Types that make nothing but a value, as protocols up to 2 call them.")
    of(suite, "mark-near", b"PK\3\5\n0" + EVIL[2:], OS_SYSTEM,
       "A pickle whose first three bytes are those of an archive.")
    of(suite, "mark-near-first", b"PJ\3\4\n0" + EVIL[2:], OS_SYSTEM,
       "A pickle whose second byte is not that of an archive.")


def memos(suite):
    long_, line = (b"r" + SIZE4(0), b"p000\n")
    texts = b"0X" + SIZE4(300) + b"a" * 300 + b"."
    size, lined = len(b"N" + long_ + texts), len(b"N" + line + texts)
    for label, spelled, valid in (
            ("byte", b"q\xff", True), ("long-255", b"r" + SIZE4(255), True),
            ("long-256", b"r" + SIZE4(256), False), ("line-255", b"p255\n", True),
            ("line-256", b"p256\n", False), ("line-far", b"p4294967296\n", False),
            ("line-wraps", b"p18446744073709551616\n", False)):
        of(suite, "memo-end-" + label, b"N" + spelled + b".", [(UNPICKLED if valid else PICKLE, "")],
           "A number of the memo of a short pickle.")
    for label, spelled, valid in (
            ("size", b"r" + SIZE4(size - 1), True), ("size-over", b"r" + SIZE4(size), False),
            ("line", b"p%d\n" % (lined - 1), True), ("line-over", b"p%d\n" % lined, False),
            ("longest", b"r" + SIZE4(0xFFFFFFFF), False)):
        of(suite, "memo-end-of-" + label, b"N" + spelled + texts,
           [(UNPICKLED if valid else PICKLE, "")], "A number of the memo of a longer pickle.")
    of(suite, "memo-end-behind", b"Nr" + SIZE4(256) + b"0" + ABORT + b".", [(PICKLE, "")],
       "A number of the memo that is too large, before an import.")
    for label, spelled in (("far", b"g4294967296\n"), ("wraps", b"g18446744073709551616\n"),
                           ("most", b"g256\n"), ("ten", b"g10\n")):
        of(suite, "memo-get-" + label, b"Np0\n" + spelled + b".", [(PICKLE, "")],
           "A number under which nothing was put.")


def large(suite):
    """Pickles of many megabytes, which are little when they are deflated."""
    bomb = [(BOMB, "")]
    for label, count, found in (("", STACK, [(UNPICKLED, "")]), ("-over", STACK + 1, [(PICKLE, "")])):
        data = b"N" * count + (b"" if not label else ABORT) + b"."
        of(suite, "stack-most" + label, data, found + bomb, "%d values on the stack." % count,
           method=DEFLATED)
    filler = b"X" + SIZE4(MEMO) + b"a" * MEMO
    for label, number, found in (("", MEMO - 1, [(UNPICKLED, "")]), ("-over", MEMO, [(PICKLE, "")])):
        of(suite, "memo-most" + label, filler + b"r" + SIZE4(number) + b".", found + bomb,
           "The number %d of the memo, of a pickle that has more bytes." % number, method=DEFLATED)


# ---- limits -----------------------------------------------------------------------------


def limited(suite):
    """Members that are read together, as long as the limit and longer."""
    state, last = "serialized_state_dict.pt", "serialized_example_inputs.pt"
    size = len(program(VERSION[FLAT]))
    evil = b"\x80\2cos\nsystem\n0X" + SIZE4(size) + b"a" * size + b"."
    other = evil.replace(b"system", b"abort_")
    told = [(state, GLOBAL, "os.system"), (NAME, GLOBAL, "os.abort_"), (last, UNPICKLED, "")]

    def of_limit(label, limit, found, why, twin=None):
        members = {state: evil, NAME: other, last: CLEAN}
        name, data = "audit/archive-limit-%s/flat" % label, archive(*[
            each._replace(data=members.get(each.name.decode(), each.data)) for each in base(FLAT)])
        common = dict(provenance="hand", options={"limits": {"bytes": limit}},
                      product=listed([], found))
        clauses = [FINDINGS[PICKLE][1], "1.4.1"]
        if twin is None:
            suite.valid(name, "audit", VERSION[FLAT], data, clauses, why,
                        file="archives/audit-limit-%s-flat.pt2" % label, **common)
        else:
            suite.valid_edit(name, twin, None, clauses, why, **common)
        return name
    whole = 2 * len(evil) + len(CLEAN)
    twin = of_limit("together", whole, told, "Three pickles are together as long as the limit.")
    for label, limit, found, why in (
            ("last", whole - 1, told[:2] + [(last, PICKLE, "")], "The last is a byte too long."),
            ("second", 2 * len(evil) - 1, told[:1] + [(NAME, PICKLE, ""), (last, PICKLE, "")],
             "The second is a byte too long, and nothing is left for the last."),
            ("first", len(evil) - 1, [(each, PICKLE, "") for each in (state, NAME, last)],
             "The first is a byte too long, and nothing is left for those behind it.")):
        of_limit(label, limit, found, why, twin)


# ---- members ----------------------------------------------------------------------------


def members(suite):
    def flat(label, name, found, why):
        put(suite, label, FLAT, base(FLAT) + [member(name, b"ab")],
            [(name, each, "") for each in found], why)
    flat("path-drive-alone", "C:", [PATH, UNREAD], "A drive alone.")
    flat("path-not-colon-first", ":x", [UNREAD], "A colon, and no drive before it.")
    flat("path-not-colon-later", "ab:", [UNREAD], "A colon behind two letters.")
    flat("path-not-letter", "a", [UNREAD], "One letter.")
    for name in ("Xbyteorder", "Xarchive_format", "Xextra", "Xversion"):
        flat("member-behind-" + name[1:].replace("_", "-"), name, [UNREAD],
             "A name of which all but the first letter is that of another member.")
    own = "Serialized_exported_program.json"
    put(suite, "duplicate-of-first", FLAT, base(FLAT) + [member(own, b"ab")],
        [(own, DUPLICATE, ""), (own, UNREAD, "")], "The name of the first member, in another case.")
    put(suite, "member-first", FLAT, [member("x", b"ab")] + base(FLAT), [("x", UNREAD, "")],
        "What nobody reads, before all others.")
    put(suite, "program-last", FLAT, base(FLAT)[1:] + base(FLAT)[:1], [],
        "The program behind all other members.")
    weights = R + "data/weights/model_weights_config.json"
    weight = R + "data/weights/weight_0"
    rest = [each for each in base(PT2) if each.name != weights.encode()]
    put(suite, "config-last", PT2, [written(weight, EVIL)] + rest
        + [written(weights, payload("weight_0"))], [(weight, *OS_SYSTEM[0])],
        "A weight before all others, and the config that names it behind them.")
    for said, found, told in (("weight_Z", OS_SYSTEM, []), ("weight_Y", OS_SYSTEM, []),
                              ("/", [], [(CONFIG, "")]), ("", [(UNREAD, "")], [(CONFIG, "")])):
        name = R + "data/weights/" + (said.lower() if "_" in said else "weight_0")
        label = {"/": "slash", "": "empty-path"}.get(said, said[-1:].lower() + "-case")
        put(suite, "config-weights-" + label, PT2,
            replaced(PT2, weights, payload(said)) + [written(name, EVIL)],
            [(name, each, about) for each, about in found]
            + [(weights, each, about) for each, about in told], "What a config says of a payload.")
    library, own = R + "data/aotinductor/m/x.so", R + "data/weights/w"
    for label, data, found in (("saved", saved(EVIL), OS_SYSTEM), ("bare", EVIL, [(UNREAD, "")]),
                               ("clean", saved(CLEAN), [(UNPICKLED, "")]),
                               ("near", b"PK\3\5" + EVIL, [(UNREAD, "")])):
        put(suite, "model-deflated-" + label, PT2, base(PT2) + [
            written(library, b"ab"), written(own, data, method=DEFLATED)],
            [(library, NATIVE, "")] + [(own, each, about) for each, about in found],
            "What no config names, deflated, beside a model of AOTInductor.")
    made = [each._replace(name=each.name.replace(b"/model", b"/custom_obj_0")) for each in base(PT2)]
    made = [each._replace(name=each.name.replace(b"archive/custom_obj_0s/", b"archive/models/"))
            for each in made]
    name = R + "data/constants/custom_obj_0.pt"
    put(suite, "name-object", PT2, made + [written(name, EVIL)], [
        (R + "data/sample_inputs/custom_obj_0.pt", UNPICKLED, ""), (name, *OS_SYSTEM[0])],
        "The constants of a program that is called as an object is.",
        drop=["archive/data/sample_inputs/model.pt"])


# ---- storages ---------------------------------------------------------------------------


def storages(suite):
    """Many tensors of one storage, and storages and tensors of one byte."""
    count = 70
    said, name = R + "data/weights/model_weights_config.json", R + "data/weights/weight_0"
    rows = [("seventy", [piece(at, 1) for at in range(count)], 4 * count, []),
            ("seventy-more", [piece(at, 1) for at in range(count)], 4 * count + 4,
             hidden(4, 4 * count + 4)),
            ("seventy-less", [piece(at, 1) for at in range(count) if at != 40], 4 * count,
             hidden(4, 4 * count)),
            ("tied", [piece(0, 3, strides=(2,))] * 2, 24, hidden(12, 24)),
            ("tied-thrice", [piece(1, 3, strides=(3,))] * 3, 40, hidden(28, 40)),
            ("tied-rows", [piece(0, 2, 2, strides=(5, 2))] * 2, 40, hidden(24, 40)),
            ("tied-apart", [piece(8, 2, strides=(3,))] * 2 + [piece(0, 3, strides=(2,))] * 2, 48,
             hidden(28, 48)),
            ("byte", [sized(dtype=2), sized(dtype=2, offset=2)], 3, hidden(1, 3)),
            ("byte-zeros", [sized(dtype=2, sizes=())], 0, [(ZEROS, "1 bytes")]),
            ("bytes-zeros", [sized(dtype=2, sizes=(2,))], 0, [(ZEROS, "2 bytes")])]
    for label, tensors, size, found in rows:
        put(suite, "many-" + label, PT2,
            replaced(PT2, said, config(*[("weight_0", each) for each in tensors]))
            + [written(name, b"." * size)], [(name, each, about) for each, about in found],
            "Bytes that tensors show of one storage.")
    for label, shown, size, found in (
            ("all", range(count), count, []), ("more", range(count), count + 1,
                                               inside(4, 4 * count + 4)),
            ("less", [at for at in range(count) if at != 40], count, inside(4, 4 * count))):
        made = dictionary(*[("t%d" % at, tensor(storage("0", size), (1,), offset=at))
                            for at in shown])
        put(suite, "many-saved-" + label, FLAT, replaced(FLAT, NAME, saved(
            pickled(made), {"0": bytes(4 * size)})), [(NAME, each, about) for each, about in found],
            "Bytes that seventy tensors show of one storage.")
    for label, order in (("", (7, 8)), ("-turned", (8, 7))):
        made = dictionary(*[("t%d" % each, tensor(storage("0", 32 // size, each), (4,)))
                            for each, size in zip(order, (4, 8) if order[0] == 7 else (8, 4))])
        put(suite, "many-saved-dtypes" + label, FLAT, replaced(FLAT, NAME, saved(
            pickled(made), {"0": bytes(32)})), [], "Floats and doubles of one storage, all of which "
            "the doubles show.")
    made = dictionary(("t", tensor(storage("0", 1), (1,))))
    put(suite, "many-saved-byte", FLAT, replaced(FLAT, NAME, saved(
        pickled(made), {"0": bytes(4), "1": b"."})),
        [(NAME, each, about) for each, about in inside(1, 1, "data/1")],
        "A storage of one byte, which the pickle does not name.")


def vectors(suite):
    for part in (repeats, names, ends, memos, large, limited, members, storages):
        part(suite)
