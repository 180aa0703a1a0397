"""The program and its state (SPEC 8.4): what is missing, what nobody named, and tensors that
are others than the program says; in configs and in pickles.
"""

from generate.archive.kits import (FLAT, HALF, PT2, Wholes, add, both, entry, held, object_saved,
                                   payload, pickle, raw, raw_object, remove, saved_object,
                                   saved_state, value)
from generate.archive.pickles import (fake_tensor, meta_tensor, number, numbers, of_type, ordered,
                                      parameter, pickled, saved, scripted, sparse_tensor, storage,
                                      subclassed, tensor, tensor_of_dtype)
from generate.whole import custom_obj, meta, spec, user_input
from generate.whole import tensor as value_of

MISSING, UNNAMED, SAME = "8.4.1", "8.4.2", "8.4.3"
LOST, OTHER, TENSOR = "EP_ARCHIVE_MISSING", "EP_ARCHIVE_UNNAMED", "EP_ARCHIVE_TENSOR"
INPUTS = "graph_module/signature/input_specs/"
SYMBOL = "Symbol('s0', integer=True)"
FIRST = storage("0", 8)
TAIL = subclassed(FIRST, (3,), 5)
FAKE = fake_tensor('{"dtype": 7, "sizes": [{"as_int": 3}], "requires_grad": false, "device": '
                   '{"type": "cpu", "index": null}, "strides": [{"as_int": 1}], "storage_offset": '
                   '{"as_int": 0}, "layout": 7}')
PLACES = {"weight": 0, "tail": 1, "cache": 2, "table": 3, "engine": 4}


def spec_of(name):
    return "program", INPUTS + str(PLACES[name])


def forget(part, name):
    """Without an item of a pickle."""
    def change(kit):
        del kit.state[part].items[name]
    return change


def renamed(part, old, new):
    """An entry of a config under another name, in the same place."""
    def change(kit):
        found = getattr(kit, part)
        pairs = [(new if key == old else key, said) for key, said in found.items()]
        found.clear()
        found.update(pairs)
    return change


def renamed_item(part, old, new):
    def change(kit):
        found = kit.state[part]
        found.items = type(found.items)((new if key == old else key, said)
                                        for key, said in found.items.items())
    return change


# ---- 8.4.1: nothing missing -------------------------------------------------------


def moved(part, name, to, path):
    """An entry that is in the other config."""
    def change(kit):
        said = getattr(kit, part).pop(name)
        kit.payloads["%s/%s" % (to, path)] = kit.payloads.pop(
            "%s/%s" % (part, said["path_name"]))
        getattr(kit, to)[name] = {**said, "path_name": path}
    return change


def without(part, name):
    """Without an entry, and without the member that nothing else names."""
    def change(kit):
        said = getattr(kit, part).pop(name)
        if all(each["path_name"] != said["path_name"] for each in getattr(kit, part).values()):
            del kit.payloads["%s/%s" % (part, said["path_name"])]
    return change


def missing(made):
    for name, part, what in (
            ("weight", "weights", "A parameter"), ("tail", "weights", "A persistent buffer"),
            ("cache", "constants", "A buffer that is not persistent"),
            ("table", "constants", "A tensor constant"),
            ("engine", "constants", "A custom object")):
        one = made["object" if name == "engine" else "raw"]
        one.bad("missing-" + name, without(part, name), LOST, spec_of(name),
                what + " has no entry.")
        one.bad("missing-%s-case" % name, renamed(part, name, name.upper()), LOST if part ==
                "weights" else OTHER, spec_of(name) if part == "weights" else
                ("constants", name.upper()), what + " has an entry in another case.")
        one = made["saved-object" if name == "engine" else "pickled"]
        one.bad("missing-" + name, forget(part, name), LOST, spec_of(name),
                what + " is not in the pickle.")
    one = made["raw"]
    one.bad("missing-cache-in-weights", moved("constants", "cache", "weights", "weight_1"), LOST,
            spec_of("cache"), "A buffer that is not persistent is among the weights.")
    one.bad("missing-table-in-weights", moved("constants", "table", "weights", "weight_1"), LOST,
            spec_of("table"), "A tensor constant is among the weights.")
    one.bad("missing-tail-in-constants", both(remove("weights", "tail"), add(
        "constants", "tail", held("tensor_9", meta(3)), tensor_9=bytes(12)), value(
            "b_tail", storage_offset=0)), LOST, spec_of("tail"),
            "A persistent buffer is among the constants.")
    one.bad("missing-path", renamed("weights", "tail", "module.tail"), LOST, spec_of("tail"),
            "A buffer has an entry with a module before its name.")

    def persistent(kit):
        kit.draft.data["input_specs"][2]["buffer"]["persistent"] = True
    one.bad("missing-persistent", persistent, LOST, spec_of("cache"),
            "A buffer that the program calls persistent is among the constants.")
    one.good("persistent", both(persistent, moved("constants", "cache", "weights", "weight_1")),
             [MISSING], "The same buffer among the weights.")

    def not_persistent(kit):
        kit.draft.data["input_specs"][1]["buffer"]["persistent"] = False
    one.bad("missing-not-persistent", not_persistent, LOST, spec_of("tail"),
            "A buffer that the program calls not persistent is among the weights.")
    for version in ("2", "5.1", "8.7"):
        made["flat-" + version].bad("missing-tail", forget("weights", "tail"), LOST,
                                    spec_of("tail"), "A buffer is not in the state.")
    for name in ("tail", "weight"):
        made["flat-1"].bad("missing-" + name, forget("weights", name), LOST, (0, ""),
                           "%s is not in the state, of a program that has no specs." % name)


# ---- 8.4.2: no other constants ----------------------------------------------------


def takes_object(kit):
    """The program with a custom object among its user's inputs."""
    said = custom_obj("given")
    kit.draft.take(user_input(said)).table("custom_obj_values", given=said["as_custom_obj"])


GIVEN = add("constants", "given", held("custom_obj_9", None, pickle=True),
            custom_obj_9=object_saved())


def unnamed(made):
    one, objects = made["raw"], made["object"]
    extra = held("tensor_9", meta(3))
    one.bad("unnamed-constant", add("constants", "extra", extra, tensor_9=bytes(12)), OTHER,
            ("constants", "extra"), "A constant that the signature does not name.")
    one.bad("unnamed-weight", add("constants", "weight", held(
        "tensor_9", meta(2, 3, requires_grad=True)), tensor_9=bytes(24)), OTHER,
            ("constants", "weight"), "A parameter among the constants, too.")
    one.bad("unnamed-buffer", add("constants", "tail", extra, tensor_9=bytes(12)), OTHER,
            ("constants", "tail"), "A persistent buffer among the constants, too.")
    objects.bad("unnamed-object", GIVEN, OTHER, ("constants", "given"),
            "An object that the signature does not name.")
    objects.good("user-object", both(takes_object, GIVEN), [UNNAMED],
             "An object that the signature names as an input of the user.")
    objects.bad("user-object-tensor", both(takes_object, add(
        "constants", "given", extra, tensor_9=bytes(12))), OTHER, ("constants", "given"),
            "A tensor under the name of an object that is an input of the user.",
            twin="user-object")
    one.bad("user-tensor", add("constants", "x", held("tensor_9", meta(2, 3)), tensor_9=bytes(24)),
            OTHER, ("constants", "x"), "A tensor that is an input of the user.")
    objects.bad("user-tensor-object", add("constants", "x", held("custom_obj_9", None, pickle=True),
                                      custom_obj_9=object_saved()), OTHER, ("constants", "x"),
            "An object under the name of a tensor that is an input of the user.")
    objects.good("user-object-none", takes_object, [UNNAMED],
             "An object that is an input of the user need not be there.")
    one.bad("unnamed-value", renamed("constants", "table", "c_table"), OTHER,
            ("constants", "c_table"), "A constant under the name of its value.")
    one.good("tied-weight", add("weights", "again", held(
        "weight_0", meta(2, 3, requires_grad=True), param=True)), [UNNAMED],
             "A weight under a second name.")
    one.good("other-weight", add("weights", "other", held("weight_1", meta(5, dtype=4)),
                                 weight_1=bytes(20)), [UNNAMED],
             "A weight that the program does not use.")
    made["pickled"].bad("unnamed", pickle("constants", items={"extra": tensor(storage(
        "1", 4), (4,))}), OTHER, None, "A pickled constant that the signature does not name.")
    made["saved-object"].bad("unnamed-object", pickle("constants", items={"extra": scripted()}), OTHER,
                        None, "A pickled object that the signature does not name.")
    made["pickled"].good("other-weight", pickle("weights", items={"extra": tensor(storage(
        "0", 8), (8,))}), [UNNAMED], "A pickled weight that the program does not use.")
    made["saved-object"].good("user-object", both(takes_object, pickle(
        "constants", items={"given": scripted()})), [UNNAMED],
                         "A pickled object that the signature names as an input of the user.")
    made["flat-8.7"].bad("unnamed", pickle("constants", items={"extra": tensor(storage(
        "1", 4), (4,))}), OTHER, None, "A constant of the flat layout that has no name.")
    made["flat-2"].bad("unnamed", pickle("constants", items={"extra": tensor(storage(
        "0", 4), (4,))}, storages={"0": bytes(16)}), OTHER, None,
                       "A constant of a program of version 2 that has none.")


# ---- 8.4.3: the same tensors ------------------------------------------------------

CUDA = {"type": "cuda", "index": None}
CUDA_0 = {"type": "cuda", "index": 0}
CUDA_1 = {"type": "cuda", "index": 1}
INT, DOUBLE = 4, 8


def table(**said):
    """What the config says of the constant."""
    return entry("constants", "table", **{"meta_" + key: what for key, what in said.items()})


ALIKE = (  # of the constant, four floats in two rows: label, whether it is the same, change, why
    ("dtype", False, table(dtype=INT), "Another dtype of the same size."),
    ("dtype-both", True, both(table(dtype=INT), value("c_table", dtype=INT)),
     "Another dtype in both."),
    ("sizes", False, table(sizes=[4, 1], strides=[1, 1]), "Other sizes, and as many elements."),
    ("sizes-order", False, both(table(sizes=[1, 2]), value("c_table", sizes=[2, 1])),
     "The sizes in another order."),
    ("rank", False, table(sizes=[4], strides=[1]), "A dimension less."),
    ("rank-more", False, table(sizes=[2, 2, 1], strides=[2, 1, 1]), "A dimension more."),
    ("rank-none", False, table(sizes=[], strides=[]), "No dimension."),
    ("strides", False, table(strides=[1, 2]), "Other strides."),
    ("strides-both", True, both(table(strides=[1, 2]), value("c_table", strides=[1, 2])),
     "Other strides in both."),
    ("strides-unused", False, both(table(sizes=[1, 2], strides=[4, 1]), value(
        "c_table", sizes=[1, 2], strides=[2, 1])), "Another stride that nothing steps by."),
    ("device", False, table(device=CUDA), "Another device."),
    ("device-both", True, both(table(device=CUDA_1), value("c_table", device=CUDA_1)),
     "Another device in both."),
    ("device-index", False, both(table(device=CUDA_0), value("c_table", device=CUDA_1)),
     "Another device of the same type."),
    ("device-none", False, both(table(device=CUDA_0), value("c_table", device=CUDA)),
     "A device with a number, and one without."),
    ("grad", True, table(requires_grad=True), "It requires a gradient, and not in the program."),
    ("grad-program", True, value("c_table", requires_grad=True),
     "It requires a gradient in the program alone."),
    ("grad-both", True, both(table(requires_grad=True), value("c_table", requires_grad=True)),
     "It requires a gradient in both."),
    ("offset", True, both(table(storage_offset=2), payload("constants/tensor_0", bytes(24))),
     "An offset where the program has 0."),
    ("offset-both", True, both(table(storage_offset=2), payload("constants/tensor_0", bytes(24)),
                               value("c_table", storage_offset=2)), "An offset in both."),
    ("offset-other", False, both(table(storage_offset=2), payload(
        "constants/tensor_0", bytes(24)), value("c_table", storage_offset=1)),
     "Another offset than the program has."),
    ("offset-program", False, value("c_table", storage_offset=1),
     "An offset in the program alone."),
    ("layout", False, value("c_table", layout=1), "A layout in the program that is not Strided."),
    ("param", False, entry("constants", "table", is_param=True),
     "A constant that is called a parameter."),
    ("param-grad", True, both(table(requires_grad=True), value("c_table", requires_grad=True),
                              entry("constants", "table", is_param=True)),
     "A constant that requires a gradient may be called a parameter."),
)


def weights_alike(one, objects):
    where = ("weights", "weight")
    one.bad("same-not-param", entry("weights", "weight", is_param=False), TENSOR, where,
            "A parameter that is not called one.")
    one.bad("same-param-buffer", entry("weights", "tail", is_param=True), TENSOR,
            ("weights", "tail"), "A buffer that is called a parameter.")
    one.good("same-param-buffer-grad", both(entry(
        "weights", "tail", is_param=True, meta_requires_grad=True), value(
            "b_tail", requires_grad=True)), [SAME],
             "A buffer that requires a gradient may be called a parameter.")
    one.bad("same-frozen", entry("weights", "weight", meta_requires_grad=False), TENSOR, where,
            "A parameter that was frozen after the export.")
    one.good("same-frozen-both", both(entry("weights", "weight", meta_requires_grad=False), value(
        "p_weight", requires_grad=False)), [SAME], "A parameter that was frozen before.")
    one.bad("same-weight-dtype", entry("weights", "weight", meta_dtype=INT, meta_requires_grad=False
                                       ), "EP_ARCHIVE_PAYLOAD", ("weights", "tail"),
            "A parameter of another dtype than the buffer in its member.")
    one.bad("same-weight-sizes", entry("weights", "weight", meta_sizes=[3, 2],
                                       meta_strides=[2, 1]), TENSOR, where,
            "A parameter whose rows are its columns.")
    one.bad("same-tail-offset", entry("weights", "tail", meta_storage_offset=4), TENSOR,
            ("weights", "tail"), "A view at another offset.")
    one.bad("same-tail-zero", entry("weights", "tail", meta_storage_offset=0), TENSOR,
            ("weights", "tail"), "A view at no offset.")

    def symbolic(kit):
        kit.draft.data["graph"]["tensor_values"]["x"]["sizes"] = [SYMBOL, 3]
        kit.draft.data["graph"]["tensor_values"]["p_weight"]["sizes"] = [SYMBOL, 3]
    one.bad("same-symbol", symbolic, TENSOR, where,
            "A parameter whose size is a symbol in the program.")
    objects.bad("same-object-tensor", both(without("constants", "engine"), add(
        "constants", "engine", held("tensor_9", meta(1)), tensor_9=bytes(4))), TENSOR,
            ("constants", "engine"), "A custom object that is a tensor.")
    objects.bad("same-tensor-object", both(without("constants", "table"), add(
        "constants", "table", held("custom_obj_9", None, pickle=True),
        custom_obj_9=object_saved())), TENSOR, ("constants", "table"),
            "A constant that is an object.")
    objects.bad("same-tensor-opaque", both(without("constants", "table"), add(
        "constants", "table", held("opaque_obj_9", None, pickle=True),
        opaque_obj_9=pickled(number(1)))), TENSOR, ("constants", "table"),
            "A constant that is an opaque object.")
    objects.good("same-opaque", both(without("constants", "engine"), add(
        "constants", "engine", held("opaque_obj_9", None, pickle=True),
        opaque_obj_9=pickled(number(1)))), [SAME, "8.5.1"],
             "A custom object that is an opaque one.")


def alike(one, objects):
    for label, valid, change, why in ALIKE:
        one.pairs([("same-" + label, valid, change, why)], [SAME], TENSOR, ("constants", "table"))
    weights_alike(one, objects)


# -- pickled state


def weight_of(data):
    return pickle("weights", items={"weight": data})


SPARSE = sparse_tensor(tensor(storage("1", 4, 5), (2, 2)), tensor(storage("2", 2), (2,)), (2, 3))
PICKLED = (  # of the parameter, or the view behind it
    ("sizes", False, weight_of(parameter(tensor(FIRST, (3, 2)))), "Other sizes."),
    ("strides", False, weight_of(parameter(tensor(FIRST, (2, 3), (1, 2)))), "Other strides."),
    ("rank", False, weight_of(parameter(tensor(FIRST, (6,)))), "A dimension less."),
    ("offset", True, weight_of(parameter(tensor(FIRST, (2, 3), offset=1))),
     "Another offset, which the program does not have."),
    ("not-param", False, weight_of(tensor(FIRST, (2, 3), grad=True)),
     "A parameter that is a plain tensor."),
    ("frozen", False, weight_of(parameter(tensor(FIRST, (2, 3)), grad=False)),
     "A parameter that was frozen."),
    ("param-data", True, weight_of(parameter(tensor(FIRST, (2, 3), grad=True))),
     "Whether the data of a parameter requires a gradient says nothing."),
    ("param-buffer", False, pickle("weights", items={"tail": parameter(
        tensor(FIRST, (3,)), grad=False)}), "A buffer that is a parameter."),
    ("param-buffer-grad", True, pickle("weights", items={"tail": parameter(
        tensor(FIRST, (3,)))}), "A buffer that is a parameter, and requires a gradient."),
    ("grad-buffer", True, pickle("weights", items={"tail": tensor(FIRST, (3,), grad=True)}),
     "A buffer that requires a gradient."),
    ("grad-both", True, both(pickle("weights", items={"tail": parameter(tensor(FIRST, (3,)))}),
                             value("b_tail", requires_grad=True)),
     "A buffer that is a parameter, and requires a gradient in the program, too."),
    ("dtype", False, both(weight_of(parameter(tensor(storage("1", 6, DOUBLE), (2, 3)))), pickle(
        "weights", storages={"1": bytes(48)})), "Another dtype."),
    ("dtype-both", True, both(weight_of(parameter(tensor(storage("1", 6, DOUBLE), (2, 3)))), pickle(
        "weights", storages={"1": bytes(48)}), value("p_weight", dtype=DOUBLE)),
     "Another dtype in both."),
    ("device", False, weight_of(parameter(tensor(storage("0", 8, location="cuda:0"), (2, 3)))),
     "Another device."),
    ("device-both", True, both(weight_of(parameter(tensor(storage(
        "0", 8, location="cuda:1"), (2, 3)))), value("p_weight", device=CUDA_1)),
     "Another device in both."),
    ("layout", False, value("p_weight", layout=1, requires_grad=True),
     "A layout in the program that is not Strided."),
    ("sparse", False, both(pickle("weights", items={"tail": SPARSE}), pickle(
        "weights", storages={"1": bytes(32), "2": bytes(8)})),
     "A sparse tensor, of which the program says Strided."),
    ("sparse-both", True, both(pickle("weights", items={"tail": SPARSE}), pickle(
        "weights", storages={"1": bytes(32), "2": bytes(8)}), value("b_tail", layout=1)),
     "A sparse tensor, of which the program says so; nothing else is compared."),
    ("meta", False, weight_of(parameter(meta_tensor((2, 3)))), "A tensor on meta."),
    ("meta-both", True, both(weight_of(parameter(meta_tensor((2, 3)))), value(
        "p_weight", device={"type": "meta", "index": None})), "A tensor on meta in both."),
    ("fake", True, pickle("weights", items={"tail": FAKE}),
     "What stands for a fake tensor: nothing more is known."),
    ("class", True, pickle("weights", items={"tail": subclassed(FIRST, (1,))}),
     "A tensor of a class that is not torch's own: nothing more is known."),
    ("class-torch", False, weight_of(of_type(
        "torch:Tensor", "torch._utils:_rebuild_tensor_v2", FIRST, number(0), numbers((3, 2)),
        numbers((2, 1)), b"\x88", ordered())), "A tensor of torch's own class, of other sizes."),
    ("untyped", True, both(weight_of(parameter(tensor_of_dtype(storage(
        "0", 32, kind="torch.storage:UntypedStorage"), "torch:float32", (2, 3)))), pickle(
            "weights", items={"tail": tensor_of_dtype(storage(
                "0", 32, kind="torch.storage:UntypedStorage"), "torch:float32", (3,), 5)})),
     "Of untyped storages, with a dtype."),
    ("untyped-dtype", False, weight_of(parameter(tensor_of_dtype(storage(
        "1", 32, kind="torch.storage:UntypedStorage"), "torch:int32", (2, 3)))),
     "Of an untyped storage, with another dtype."),
)


def pickles_alike(made):
    one, objects = made["pickled"], made["saved-object"]
    for label, valid, change, why in PICKLED:
        if label == "untyped-dtype":
            change = both(change, pickle("weights", storages={"1": bytes(32)}))
        one.pairs([("same-" + label, valid, change, "Pickled. " + why)], [SAME], TENSOR)
    objects.bad("same-object-tensor", pickle("constants", items={"engine": tensor(
        storage("1", 4), (4,))}), TENSOR, None, "Pickled. A custom object that is a tensor.")
    objects.bad("same-tensor-object", pickle("constants", items={"table": scripted()}), TENSOR, None,
            "Pickled. A constant that is an object.")
    one.bad("same-constant-dtype", pickle("constants", items={"table": tensor(storage(
        "0", 4, HALF), (2, 2))}), TENSOR, None, "Pickled. A constant of another dtype.")
    frozen = value("p_weight", requires_grad=False)
    for version, valid in (("2", True), ("5.1", True), ("5.3", True), ("7.3", True),
                           ("8.7", True)):
        made["flat-" + version].pairs(
            [("same-grad", valid, frozen, "The program says of a parameter that it requires no "
              "gradient; the pickle that it does. Version %s." % version)], [SAME], TENSOR)
        made["flat-" + version].bad("same-frozen", weight_of(parameter(
            tensor(FIRST, (2, 3)), grad=False)), TENSOR, None,
                                    "The program says of a parameter that it requires a gradient; "
                                    "the pickle that it does not. Version %s." % version)


def before(suite):
    """A config beside a program, whose pickles may say other gradients."""
    for version, valid in (("5.3", True), ("5.4", True)):
        one = Wholes(suite, "pickled-" + version, lambda version=version: saved_state(version, PT2),
                     [SAME], "Pickled state in the PT2 layout, of a program of version %s." % version)
        one.pairs([("same-grad", valid, value("p_weight", requires_grad=False),
                    "The pickle says that a parameter requires a gradient, the program that it "
                    "does not.")], [SAME], TENSOR)
    one = Wholes(suite, "raw-5.3", lambda: raw("5.3"), [SAME], "Configs beside a program of version 5.3.")
    one.good("same-gradient", value("p_weight", requires_grad=False), [SAME],
             "A raw parameter requires a gradient, and not in the program, as a migration keeps it.")


# -- tensors that are pickled beside a config

PATHS = ("weights", "tail")


def one_pickled(data, storages=(("0", bytes(32)),)):
    """The view in a member of its own, pickled."""
    def change(kit):
        kit.weights["tail"].update(path_name="weight_1", use_pickle=True)
        kit.payloads["weights/weight_1"] = saved(pickled(data), storages)
    return change


EIGHT = storage("0", 8)
OWN = (
    ("same", True, one_pickled(tensor(EIGHT, (3,), offset=5)), "The same."),
    ("dtype", False, one_pickled(tensor(storage("0", 8, INT), (3,), offset=5)), "Another dtype."),
    ("sizes", False, one_pickled(tensor(EIGHT, (2,), offset=5)), "Another size."),
    ("rank", False, one_pickled(tensor(EIGHT, (3, 1), offset=5)), "A dimension more."),
    ("strides", False, one_pickled(tensor(EIGHT, (3,), (0,), offset=5)), "Another stride."),
    ("offset", False, one_pickled(tensor(EIGHT, (3,), offset=4)), "Another offset."),
    ("grad", False, one_pickled(tensor(EIGHT, (3,), offset=5, grad=True)),
     "It requires a gradient."),
    ("object", False, one_pickled(scripted(), ()), "An object."),
    ("class", True, one_pickled(TAIL),
     "A tensor of a class that is not torch's own."),
    ("fake", True, one_pickled(FAKE, ()), "What stands for a fake tensor."),
)


# What 8.3.3 has of a raw tensor, where it is pickled: no such tensor can be.
IMPLAUSIBLE = (
    ("size-negative", {"sizes": [-3]}, "A size below 0."),
    ("size-symbol", {"sizes": [SYMBOL]}, "A size that is a symbol."),
    ("stride-negative", {"strides": [-1]}, "A stride below 0."),
    ("stride-symbol", {"strides": [SYMBOL]}, "A stride that is a symbol."),
    ("strides-less", {"strides": []}, "No strides."),
    ("strides-more", {"strides": [1, 1]}, "A stride too many."),
    ("rank-65", {"sizes": [1] * 65, "strides": [1] * 65}, "65 dimensions."),
    ("offset-negative", {"storage_offset": -5}, "An offset below 0."),
    ("offset-symbol", {"storage_offset": SYMBOL}, "An offset that is a symbol."),
    ("dtype-none", {"dtype": 0}, "UNKNOWN has no size."),
    ("grad-int", {"dtype": INT, "requires_grad": True}, "An integer that requires a gradient."),
    ("layout", {"layout": 1}, "Another layout."),
)


def own_metas(one):
    plain = one_pickled(tensor(storage("0", 8), (3,), offset=5))
    for label, said, why in IMPLAUSIBLE:
        one.bad("own-meta-" + label, both(plain, entry("weights", "tail", **{
            "meta_" + key: what for key, what in said.items()})), TENSOR, PATHS,
                "A weight that is pickled by itself, and its tensor_meta. " + why, twin="own-same",
                also=["8.3.3"])
    apart = (("1", bytes(32)), ("2", bytes(8)))
    sparse = both(one_pickled(SPARSE, apart), value("b_tail", layout=1))
    one.good("own-meta-sparse", both(sparse, entry("weights", "tail", meta_layout=1, meta_sizes=[9])),
             [SAME], "A sparse tensor: nothing of its tensor_meta is judged.")


def own_pickles(one):
    for label, valid, change, why in OWN:
        one.pairs([("own-" + label, valid, change, "A weight that is pickled by itself. " + why)],
                  [SAME, "8.5.2"], TENSOR, PATHS)


# ---- a value that is several inputs -------------------------------------------------

INPUTS_OF_ONE = ("p_weight", "p_again", "p_third")


def three(version):
    """The parameter is three inputs, which releases of 5.4 to 8.7 write of a tied one."""
    kit = saved_state(version, FLAT)
    data = kit.draft.data
    for at, name in enumerate(INPUTS_OF_ONE[1:], 1):
        data["input_specs"].insert(at, spec("parameter", name, parameter_name="weight"))
        data["graph"]["inputs"].insert(at, value_of(name))
        data["graph"]["tensor_values"][name] = meta(2, 3, requires_grad=True)
    return kit


def repeated(suite):
    """Of three inputs each is compared."""
    for version in ("7.3", "8.7"):
        one = Wholes(suite, "three-" + version, lambda version=version: three(version),
                     [SAME, "8.4.2"], "A parameter that is three inputs.")
        for name, place in zip(INPUTS_OF_ONE, ("first", "middle", "last")):
            for label, said in (("sizes", {"sizes": [3, 2], "strides": [2, 1]}),
                                ("dtype", {"dtype": 8}), ("gradient", {"requires_grad": False}),
                                ("device", {"device": {"type": "cuda", "index": 0}})):
                change = value(name, **said)
                if label == "gradient":
                    one.good("input-%s-%s" % (place, label), change, [SAME],
                             "The %s of three inputs has no gradient." % place)
                else:
                    one.bad("input-%s-%s" % (place, label), change, TENSOR, None,
                            "The %s of three inputs has another %s." % (place, label), also=[SAME])


def vectors(suite):
    made = {"raw": Wholes(suite, "raw", raw, [], ""),
            "object": Wholes(suite, "object", raw_object, [], ""),
            "saved-object": Wholes(suite, "saved-object", saved_object, [], ""),
            "pickled": Wholes(suite, "pickled", lambda: saved_state("8.8", PT2), [], "")}
    for version in ("1", "2", "5.1", "5.3", "7.3", "8.7"):
        label = "flat-" + version
        made[label] = Wholes(suite, label, lambda version=version: saved_state(version, FLAT), [],
                             "")
    missing(made)
    unnamed(made)
    alike(made["raw"], made["object"])
    pickles_alike(made)
    before(suite)
    own_pickles(made["raw"])
    own_metas(made["raw"])
    repeated(suite)
