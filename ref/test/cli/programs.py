"""Programs of schema 8.20 put together as text, and archives around them."""

import json
import zipfile

META = {"dtype": "7", "sizes": "[]", "requires_grad": "false",
        "device": '{"type": "cpu", "index": null}', "strides": "[]",
        "storage_offset": '{"as_int": 0}', "layout": "7"}


def object_text(fields):
    return "{" + ", ".join(f'"{key}": {value}' for key, value in fields.items()) + "}"


def node_text(target="torch.ops.aten.relu.default", inputs="[]", outputs="[]", metadata="{}"):
    return object_text({"target": json.dumps(target), "inputs": inputs, "outputs": outputs,
                        "metadata": metadata, "is_hop_single_tensor_return": "null",
                        "name": "null"})


NOTHING = json.dumps('[1, {"type": "builtins.tuple", "context": "null", "children_spec": []}]')
ROOT = object_text({"fqn": '""', "signature": object_text(
    {"inputs": "[]", "outputs": "[]", "in_spec": NOTHING, "out_spec": NOTHING,
     "forward_arg_names": "null"})})


def program(**changes):
    """A program without inputs and outputs; changes are JSON texts of the graph's fields, or of
    the program's, whose names are then in capitals."""
    graph = {"inputs": "[]", "outputs": "[]", "nodes": "[]", "tensor_values": "{}",
             "sym_int_values": "{}", "sym_bool_values": "{}",
             "is_single_tensor_return": "false", "custom_obj_values": "{}",
             "sym_float_values": "{}",
             **{key: value for key, value in changes.items() if not key.isupper()}}
    module = object_text({"graph": object_text(graph),
                          "signature": '{"input_specs": [], "output_specs": []}',
                          "module_call_graph": f"[{ROOT}]", "metadata": "{}",
                          "treespec_namedtuple_fields": "{}"})
    return object_text({"graph_module": module, "opset_version": '{"aten": 10}',
                        "range_constraints": "{}", "schema_version": '{"major": 8, "minor": 20}',
                        "verifiers": "[]", "torch_version": '"2.15.0"', "guards_code": "[]",
                        **{key.lower(): value for key, value in changes.items() if key.isupper()}})


def zip_with(path, members, method=zipfile.ZIP_STORED):
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return path
