"""State of a whole archive (SPEC 8.3 to 8.5) in more than one tensor: entries, members and
storages in any order, of which the program names few; what a config says of a weight that is
pickled by itself; and sample inputs of the flat layout before they have to be there.
"""

from generate.archive.kits import (FLAT, PT2, STORED, Wholes, add, both, held, pickle, plain, raw,
                                   saved_state, value)
from generate.archive.pickles import (dictionary, imported, meta_tensor, number, numbers, parameter,
                                      pickled, saved, scripted, several, sparse_tensor, storage,
                                      tensor)
from generate.whole import meta

ENTRIES, METAS, BYTES = "8.3.2", "8.3.3", "8.3.4"
SAME, PICKLE, STORAGES = "8.4.3", "8.5.2", "8.5.3"
BAD, UNFIT, TENSOR = "EP_ARCHIVE_PICKLE", "EP_ARCHIVE_BYTES", "EP_ARCHIVE_TENSOR"
MANY = 40
KEYS = ("3", "10", "0", "2", "9", "1", "00", "a", "Z", "0/1")


# ---- many ------------------------------------------------------------------------------


def shifted(count):
    """The numbers up to count, in an order that is not theirs."""
    return [at * 7 % count for at in range(count)]


def spares(change=None):
    """So many weights that the program does not know, each in a member of its own. change: of
    what one of them says."""
    def made(kit):
        for at in shifted(MANY):
            said = meta(*[1] * (at % 5), at + 1)
            if change and at == MANY // 2:
                said.update(change)
            kit.weights["w%d" % at] = held("weight_%d" % at, said)
            kit.payloads["weights/weight_%d" % at] = bytes(4 * (at + 1))
    return made


def many(one, saves):
    half = MANY // 2
    one.good("many", spares(), [ENTRIES, METAS, BYTES], "Forty weights, in no order.")
    for label, change, code, why in (
            ("dtype", {"dtype": 8}, UNFIT, "is of doubles in the bytes of floats"),
            ("size", {"sizes": [half + 2], "strides": [1]}, UNFIT, "has an element too many"),
            ("offset", {"storage_offset": 1}, UNFIT, "begins an element too late"),
            ("layout", {"layout": 1}, "EP_ARCHIVE_PAYLOAD", "is not Strided")):
        one.bad("many-" + label, spares(change), code, ("weights", "w%d" % half),
                "Of forty weights one %s." % why, twin="many")

    def storages(sizes):
        made = dict(zip(KEYS, sizes))
        items = {"t%d" % at: tensor(storage(key, made[key]), (made[key],))
                 for at, key in enumerate(sorted(KEYS, reverse=True))}
        return both(pickle("weights", items=items, storages={
            key: bytes(4 * count) for key, count in made.items() if key != "0"}), pickle(
                "weights", storages={"0": STORED}))
    sizes = [1, 2, 8, 3, 4, 5, 6, 7, 9, 10]
    saves.good("many-storages", storages(sizes), [STORAGES], "Ten storages, in no order.")
    for at, key in enumerate(KEYS):
        if key == "0":
            continue
        saves.bad("many-storages-%d" % at, both(storages(sizes), pickle("weights", storages={
            key: bytes(4 * sizes[at] + 4)})), UNFIT, None,
            "Of ten storages one is an element longer.", twin="many-storages")
    items = {"t%d" % at: tensor(storage("0", 8), (at % 8 + 1,)) for at in shifted(MANY)}
    saves.good("many-items", pickle("weights", items=items), [PICKLE],
               "Forty tensors of one storage.")
    saves.bad("many-items-over", pickle("weights", items={
        **items, "t%d" % half: tensor(storage("0", 8), (9,))}), UNFIT, None,
        "Of forty tensors of one storage one does not fit.", twin="many-items")
    saves.bad("many-items-twice", pickle("weights", make=lambda pairs: dictionary(
        *pairs, *items.items(), ("t%d" % half, items["t0"]))), BAD, None,
        "Of forty names one is there twice.", twin="many-items")
    inputs = [tensor(storage(key, 2), (2,)) for key in KEYS]

    def given(*made):
        return pickle("inputs", make=lambda pairs: several(several(*made), b"}"),
                      storages={key: bytes(8) for key in KEYS})
    saves.good("many-inputs", given(*inputs), [PICKLE, STORAGES], "Ten sample inputs.")
    for at in (0, 4, 9):
        changed = list(inputs)
        changed[at] = tensor(storage(KEYS[at], 2), (3,))
        saves.bad("many-inputs-%d" % at, given(*changed), UNFIT, None,
                  "Of ten sample inputs one does not fit.", twin="many-inputs")


# ---- so many elements that their number wraps ---------------------------------------------

HALF, MOST = 1 << 32, (1 << 63) - 1
COUNTS = (  # label, whether it fits, sizes, strides
    ("none", True, [HALF, HALF], [0, 0]), ("step", False, [HALF, HALF], [1, 1]),
    ("last", False, [HALF, HALF], [0, 1]), ("first", False, [HALF, HALF], [1, 0]),
    ("three", False, [HALF, 1 << 31, 2], [1, 0, 0]), ("empty", True, [HALF, HALF, 0], [1, 1, 1]),
    ("one", True, [MOST], [0]), ("most", False, [MOST, 2], [0, MOST]))


def counts(one):
    for label, valid, sizes, strides in COUNTS:
        said = meta(1, sizes=sizes, strides=strides)
        one.pairs([("count-" + label, valid, add("weights", "w", held("weight_0", said),
                                                 weight_0=bytes(4)),
                    "Elements beyond 64 bits, in a member of one.")], [BYTES], UNFIT,
                  ("weights", "w"))


# ---- names of a letter ------------------------------------------------------------------


def letters(raw_one, saves):
    """A weight that is called by one letter."""
    def called(kit):
        kit.draft.data["input_specs"][0]["parameter"]["parameter_name"] = "w"
        if kit.weights is not None:
            kit.weights["w"] = kit.weights.pop("weight")
        else:
            found = kit.state["weights"]
            found.items["w"] = found.items.pop("weight")
    for one in (raw_one, saves):
        one.good("letter", called, ["8.4.1"], "A weight that is called by one letter.")
        one.bad("letter-other", both(called, lambda kit: kit.draft.data["input_specs"][0][
            "parameter"].update(parameter_name="v")), "EP_ARCHIVE_MISSING",
                ("program", "graph_module/signature/input_specs/0"),
                "The program calls it by another letter.", twin="letter")


# ---- inputs that are no state -----------------------------------------------------------


def stateless(one):
    """A constant of the user's among the inputs of the program."""
    def constant(kit):
        kit.draft.take({"constant_input": {"name": "n", "value": {"as_int": 3}}})
    one.good("input-constant", constant, ["8.4.1"], "A constant of the user's is no state.")


# ---- a weight that is pickled by itself -------------------------------------------------

EIGHT = storage("0", 8)
SPARSE = sparse_tensor(tensor(storage("1", 1, 5), (1, 1)), tensor(EIGHT, (1,)), (2,))


def own(said, data, storages=(("0", STORED),)):
    """One that the program does not know. said: what the config says of it."""
    return add("weights", "own", held("weight_9", said, pickle=True),
               weight_9=saved(pickled(data), dict(storages)))


OWN = (  # label, code (None: valid), what the config says, the tensor, why
    ("same", None, meta(2, 3), tensor(EIGHT, (2, 3)), "The same."),
    ("dtype", TENSOR, meta(2, dtype=4), tensor(EIGHT, (2,)), "Another dtype of the same size."),
    ("dtype-long", TENSOR, meta(2, dtype=8), tensor(EIGHT, (2,)), "Another dtype."),
    ("size", TENSOR, meta(3), tensor(EIGHT, (2,)), "Another size."),
    ("sizes-turned", TENSOR, meta(3, 2), tensor(EIGHT, (2, 3), (2, 1)), "Another order of sizes."),
    ("size-last", TENSOR, meta(1, 1, 3), tensor(EIGHT, (1, 1, 2), (3, 3, 1)), "Another last size."),
    ("rank", TENSOR, meta(2), tensor(EIGHT, (2, 1)), "A dimension more."),
    ("rank-none", TENSOR, meta(), tensor(EIGHT, (1,)), "A dimension, and none."),
    ("scalar", None, meta(), tensor(EIGHT, ()), "No dimension."),
    ("strides", TENSOR, meta(2, strides=[2]), tensor(EIGHT, (2,)), "Another stride."),
    ("strides-last", TENSOR, meta(2, 2, strides=[2, 1]), tensor(EIGHT, (2, 2), (2, 2)),
     "Another last stride."),
    ("strides-same", None, meta(2, 2, strides=[1, 2]), tensor(EIGHT, (2, 2), (1, 2)),
     "The same strides, that are not those of rows."),
    ("offset", TENSOR, meta(2, storage_offset=1), tensor(EIGHT, (2,)), "Another offset."),
    ("offset-none", TENSOR, meta(2), tensor(EIGHT, (2,), offset=1), "No offset, and one."),
    ("offset-same", None, meta(2, storage_offset=6), tensor(EIGHT, (2,), offset=6),
     "The same offset."),
    ("grad", TENSOR, meta(2), tensor(EIGHT, (2,), grad=True), "It requires a gradient."),
    ("grad-not", TENSOR, meta(2, requires_grad=True), tensor(EIGHT, (2,)),
     "It requires no gradient."),
    ("grad-same", None, meta(2, requires_grad=True), tensor(EIGHT, (2,), grad=True),
     "It requires a gradient in both."),
    ("device", None, meta(2, device={"type": "cuda", "index": 0}), tensor(EIGHT, (2,)),
     "Another device, which is not compared."),
    ("device-same", None, meta(2, device={"type": "cuda", "index": 0}), tensor(storage(
        "0", 8, location="cuda:0"), (2,)), "The same device."),
    ("meta", None, meta(2, device={"type": "meta", "index": None}), meta_tensor((2,)),
     "On meta."),
    ("meta-offset", None, meta(2, device={"type": "meta", "index": None}, storage_offset=3),
     meta_tensor((2,)), "On meta, where the pickle has no offset."),
    ("meta-size", TENSOR, meta(3, device={"type": "meta", "index": None}), meta_tensor((2,)),
     "On meta, of another size."),
    ("parameter", None, meta(2, requires_grad=True), parameter(tensor(EIGHT, (2,))),
     "A parameter."),
    ("over", UNFIT, meta(9), tensor(EIGHT, (9,)), "It does not fit."),
    ("object", TENSOR, meta(2), scripted(), "An object."),
    ("number", TENSOR, meta(2), number(2), "A number."),
    ("list", TENSOR, meta(2), b"]", "A list."),
    ("class", TENSOR, meta(2), imported("torch:Tensor"), "A class."),
    ("storage", TENSOR, meta(2), EIGHT, "A storage."),
    ("size-value", TENSOR, meta(2), numbers((2,)), "A tuple."),
)


def owned(one):
    for label, code, said, data, why in OWN:
        change, why = own(said, data), "A weight pickled by itself, beside its config. " + why
        if code is None:
            one.good("beside-" + label, change, [SAME, PICKLE], why)
        else:
            where = None if code == UNFIT else ("weights", "own")
            one.bad("beside-" + label, change, code, where, why, also=[SAME])
    for label, valid, param, data, why in (
            ("both", True, True, parameter(tensor(EIGHT, (2, 3))), "is a Parameter, and called one"),
            ("called", True, True, tensor(EIGHT, (2, 3), grad=True), "is called one"),
            ("is", True, False, parameter(tensor(EIGHT, (2, 3))), "is a Parameter"),
            ("neither", False, False, tensor(EIGHT, (2, 3), grad=True), "is neither")):
        def change(kit, param=param, data=data):
            kit.weights["weight"].update(path_name="weight_1", use_pickle=True, is_param=param)
            kit.payloads["weights/weight_1"] = saved(pickled(data), {"0": STORED})
        one.pairs([("beside-param-" + label, valid, change, "A parameter that is pickled by "
                    "itself %s." % why)], [SAME, PICKLE], TENSOR, ("weights", "weight"))
    one.good("beside-sparse", own(meta(5), SPARSE, (("0", STORED), ("1", bytes(8)))), [SAME],
             "A weight pickled by itself, which is sparse: nothing is compared.")


# ---- the flat layout before sample inputs have to be there -------------------------------


def early(made):
    junk = pickle("inputs", data=b"ab")
    for version in ("5.1", "5.3"):
        one = made["flat-" + version]

        def given(change):
            def put_inputs(kit):
                kit.state["inputs"] = saved_state("8.7", FLAT).state["inputs"]
                change(kit)
            return put_inputs
        twin = one.good("early-inputs", given(lambda kit: None), [PICKLE],
                        "Sample inputs that need not be there.")
        for label, change, code in (
                ("junk", junk, BAD), ("short", pickle("inputs", storages={"0": bytes(20)}), UNFIT),
                ("lost", pickle("inputs", make=lambda pairs: several(several(tensor(
                    storage("1", 1), (1,))), b"}")), UNFIT),
                ("over", pickle("inputs", items={"x": tensor(storage("0", 6), (7,))}), UNFIT),
                ("list", pickle("inputs", make=lambda pairs: b"]"), BAD)):
            one.bad("early-inputs-" + label, given(change), code, None,
                    "Sample inputs that need not be there, and are none.", twin=twin)


# ---- devices ----------------------------------------------------------------------------


def devices(one):
    """A device is its type and its number."""
    for label, valid, here, there in (
            ("none", True, ("cuda", None), ("cuda", None)), ("zero", True, ("cuda", 0), ("cuda", 0)),
            ("ten", True, ("cuda", 10), ("cuda", 10)),
            ("one-ten", False, ("cuda", 1), ("cuda", 10)),
            ("ten-one", False, ("cuda", 10), ("cuda", 1)),
            ("zero-none", False, ("cuda", 0), ("cuda", None)),
            ("types", False, ("cud", 0), ("cuda", 0)),
            ("types-longer", False, ("cudas", 0), ("cuda", 0))):
        said = [{"type": kind, "index": index} for kind, index in (here, there)]

        def change(kit, said=said):
            kit.constants["table"]["tensor_meta"]["device"] = said[0]
            value("c_table", device=said[1])(kit)
        one.pairs([("device-" + label, valid, change, "The device of a constant, in its config and "
                    "in the program.")], [SAME], TENSOR, ("constants", "table"))


def vectors(suite):
    made = {"raw": Wholes(suite, "raw", raw, [], ""), "plain": Wholes(suite, "plain", plain, [], ""),
            "pickled": Wholes(suite, "pickled", lambda: saved_state("8.8", PT2), [], "")}
    for version in ("5.1", "5.3"):
        made["flat-" + version] = Wholes(
            suite, "flat-" + version, lambda version=version: saved_state(version, FLAT), [], "")
    many(made["plain"], made["pickled"])
    counts(made["plain"])
    letters(made["raw"], made["pickled"])
    stateless(made["raw"])
    owned(made["raw"])
    early(made)
    devices(made["raw"])
