"""Every kind of argument in every place where the torch form (SPEC 6.9) asks for its leaves,
and dead nodes whose values differ in one of their entries alone (SPEC 6.4.4).
"""

from generate.canon.forms import Forms, numbered, op, program, subgraph
from generate.canon.order import dead
from generate.canon.torch import LATEST, RELEASES, Torch, relu, torched, without_objects
from generate.language.texts import has, is_srepr, since
from generate.whole import (GRAPH, SIGNATURE, call, custom_obj, meta, sym_bool, sym_float, sym_int,
                            tensor, user_input, user_output)

OBJECT = custom_obj("o")["as_custom_obj"]
OBJECTS = "8.7"  # from here on they have names
# label, an Argument, what becomes of one that the program takes, and of one that it gives:
# None, it stays or is renamed; SPEC, no such input or output; LEAF and where, no such leaf.
SPEC, LEAF = "EP_TORCH_SPEC", "EP_TORCH_LEAF"
KINDS = (
    ("ints", {"as_ints": [1, 2]}, SPEC, SPEC), ("floats", {"as_floats": [0.5]}, SPEC, SPEC),
    ("bools", {"as_bools": [True]}, SPEC, SPEC), ("strings", {"as_strings": ["a"]}, SPEC, SPEC),
    ("int-lists", {"as_int_lists": [[1], [2]]}, SPEC, SPEC),
    ("float-lists", {"as_float_lists": [[0.5], []]}, SPEC, SPEC),
    ("dtype", {"as_scalar_type": 7}, SPEC, SPEC), ("format", {"as_memory_format": 1}, SPEC, SPEC),
    ("layout", {"as_layout": 7}, SPEC, SPEC),
    ("device", {"as_device": {"type": "cpu", "index": None}}, SPEC, SPEC),
    ("complex", {"as_complex": {"real": 1.5, "imag": 2.5}}, SPEC, SPEC),
    ("operator", {"as_operator": "torch.ops.aten.relu.default"}, SPEC, SPEC),
    ("graph", subgraph("g", "v", [relu("v", "w")], "w"), SPEC, SPEC),
    ("dict", {"as_string_to_argument": {"a": {"as_int": 1}}}, SPEC, SPEC),
    ("tensors", {"as_tensors": [{"name": "w"}]}, SPEC, SPEC),
    ("tensors-none", {"as_tensors": []}, SPEC, SPEC),
    ("nested", {"as_nested_tensors": [[{"name": "w"}]]}, SPEC, SPEC),
    ("sym-int", sym_int("n"), None, None), ("sym-ints", {"as_sym_ints": [{"as_name": "n"}]},
                                            SPEC, SPEC),
    ("sym-ints-number", {"as_sym_ints": [{"as_int": 3}]}, SPEC, SPEC),
    ("sym-float", sym_float("f"), None, None),
    ("sym-float-number", {"as_sym_float": {"as_float": 0.5}}, (LEAF, "as_sym_float"), None),
    ("sym-floats", {"as_sym_floats": [{"as_name": "f"}]}, SPEC, SPEC),
    ("sym-bool", sym_bool("b"), SPEC, SPEC),
    ("sym-bool-number", {"as_sym_bool": {"as_bool": True}}, (LEAF, "as_sym_bool"), SPEC),
    ("sym-bools", {"as_sym_bools": [{"as_name": "b"}]}, SPEC, SPEC),
    ("optionals-none", {"as_optional_tensors": [{"as_none": True}]},
     (LEAF, "as_optional_tensors/0"), SPEC),
    ("optionals", {"as_optional_tensors": [{"as_tensor": {"name": "w"}}]},
     (LEAF, "as_optional_tensors/0"), SPEC),
    ("optional", {"as_optional_tensor": {"as_tensor": {"name": "w"}}}, (LEAF, ""), (LEAF, "")),
    ("optional-none", {"as_optional_tensor": {"as_none": True}}, (LEAF, ""), (LEAF, "")),
    ("object", {"as_custom_obj": OBJECT}, "spec-kept", SPEC),
)


def tables(version, argument):
    """What an argument names, in its table."""
    srepr, said = is_srepr(version), repr(argument)
    made = {}
    if "'n'" in said:
        made["sym_int_values"] = {"n": 4}
    if "'f'" in said:
        made["sym_float_values"] = {"f": "ToFloat(Integer(2))" if srepr else "ToFloat(2)"}
    if "'b'" in said:
        made["sym_bool_values"] = {"b": "true" if srepr else "True"}
    if "'o'" in said:
        made["custom_obj_values"] = {"o": OBJECT}
    return made


def places(to):
    """Each kind as a user input and as a user output."""
    for version in RELEASES:
        for label, argument, taken, given in KINDS:
            (tag, _), = argument.items()
            if not has(version, "Argument", tag):
                continue
            more = tables(version, argument)
            if "sym_float_values" in more and not has(version, "Graph", "sym_float_values"):
                continue
            if "custom_obj_values" in more and not has(version, "Graph", "custom_obj_values"):
                continue
            values = {"tensor_values": {"w": meta(2)}} if "'w'" in repr(argument) else {}
            one = program(["x", user_input(argument)], [relu("x", "y")], "y", **more, **values)
            if label != "object" or not since(version, "7.3"):  # canon.torch has these
                place(to, "place-input-" + label, version, one, (taken, "input"))
            inputs = ["x", *([user_input(tensor("w"))] if values else [])]
            nodes = [relu("x", "y")]
            nodes += [op("mylib.f.default", argument)] if label in ("sym-int", "sym-float") else []
            other = program(inputs, nodes, ["y", user_output(argument)], **more, **values)
            place(to, "place-output-" + label, version, other, (given, "output"))


def place(to, label, version, draft, wanted):
    """What becomes of the draft."""
    answer, side = wanted
    clause = ["6.9.13", "6.9.3", "6.9.4"]
    if answer is None:
        to.valid(label, version, draft, torched(draft), clause, "What the torch form takes.")
    elif answer == "spec-kept":
        form = torched(draft) if since(version, OBJECTS) else without_objects(draft)
        form.data["input_specs"][1] = user_input({"as_custom_obj": OBJECT})
        to.valid(label, version, draft, form, clause, "The spec keeps the name of an object.")
    elif answer == SPEC:
        to.invalid(label, to.name("plain", version), draft, SPEC,
                   SIGNATURE + "%s_specs/1/user_%s/arg" % (side, side),
                   "No %s that it knows." % side, clause + ["6.9.2"])
    else:
        code, path = answer
        where = GRAPH + "%ss/1" % side + ("/" + path if path else "")
        to.invalid(label, to.name("plain", version), draft, code, where, "No leaf that it knows.",
                   clause + ["6.9.10"])


# ---- 6.4.4: entries of dead nodes ------------------------------------------------------------

DIFFERENT = (("dtype", {"dtype": 6}), ("requires-grad", {"requires_grad": True}),
             ("layout", {"layout": 1}), ("offset", {"storage_offset": 4}),
             ("device", {"device": {"type": "cuda", "index": None}}), ("strides", {
                 "strides": [1, 2]}), ("sizes", None))


def entries(suite):
    """Two dead nodes of several values, one of which has another entry."""
    to = Forms(suite)
    targets = (("two", "a0 a1", "b0 b1", lambda names: op("aten.max.dim", names, self="x", dim=0)),
               ("three", "a0 a1 a2", "b0 b1 b2", lambda names: op(
                   "aten._unique2.default", names,
                   self="x")),
               ("list", "a0 a1 a2", "b0 b1 b2", lambda names: call(
                   "aten.split.Tensor", [("self", tensor("x")), ("split_size", {"as_int": 1})],
                   [{"as_tensors": [{"name": name} for name in names.split()]}])))
    for label, first, second, make in targets:
        for place in range(len(first.split())):
            for what, changed in DIFFERENT:
                other = meta(2, 4) if changed is None else meta(2, 3, **changed)
                pair = [make(first), make(second)]
                names = []
                for end, owner in (("", second), ("-turned", first)):
                    values = {name: meta(2, 3) for name in (first + " " + second).split()}
                    values[owner.split()[place]] = other
                    link = {"different_from": names[0]} if names else {}
                    names.append(to.form(
                        "twins-entry-%s-%d-%s%s" % (label, place, what, end), LATEST,
                        numbered(dead(pair, tensor_values=values)), ["6.4.4"],
                        "The entries of one value differ.", **link))


def vectors(suite):
    places(Torch(suite))
    entries(suite)
