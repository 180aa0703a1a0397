"""Whole programs: what passes every level, not the types alone.  A Draft says a
program in plain Python, in the terms of the newest version; told a version, it
writes it as that version does.  What a version does not have is left out, or
said in its way (version 1 has dicts in place of specs), so that one draft does
for many versions.
"""

import copy
import json

from format.document import Document, child_pointer
from format.history import VERSIONS
from format.writer import Writer
from generate.suite import change_between

MARK = "`"  # in a string of a draft: here is the error. No document has it.
HEADER = {
    "opset_version": {"aten": 10}, "dialect": "ATEN", "verifiers": ["ATEN"],
    "torch_version": "2.7.0", "range_constraints": {}, "guards_code": [],
}
POSITIONAL, KEYWORD = 1, 2  # ArgumentKind
OLD_SIGNATURE = ("inputs_to_parameters", "inputs_to_buffers", "user_inputs", "user_outputs",
                 "buffers_to_mutate", "backward_signature")

# ---- the terms of a draft -----------------------------------------------------


def tensor(name):
    return {"as_tensor": {"name": name}}


def tensors(*names):
    return {"as_tensors": [{"name": name} for name in names]}


def sym_int(name):
    return {"as_sym_int": {"as_name": name}}


def sym_bool(name):
    return {"as_sym_bool": {"as_name": name}}


def sym_float(name):
    return {"as_sym_float": {"as_name": name}}


def custom_obj(name):
    return {"as_custom_obj": {"name": name, "class_fqn": "__torch__.torch.classes.my.Foo"}}


def meta(*sizes, **changed):
    """A TensorMeta: contiguous, of floats.  A size is a number; an expression's
    text; or that with a hint."""
    strides, stride = [], 1
    for size in reversed(sizes):
        strides.insert(0, stride)
        stride = stride * size if isinstance(size, int) and isinstance(stride, int) else 1
    return {"dtype": 7, "sizes": list(sizes), "requires_grad": False,
            "device": {"type": "cpu", "index": None}, "strides": strides, "storage_offset": 0,
            "layout": 7, **changed}


def call(target, inputs, outputs, name=None, **more):
    """A node; inputs: {name: Argument} or pairs of them."""
    pairs = list(inputs.items()) if isinstance(inputs, dict) else inputs
    named = [{"name": key, "arg": value, "kind": POSITIONAL} for key, value in pairs]
    outputs = outputs if isinstance(outputs, list) else [outputs]
    if not target.startswith(("torch.", "_operator.", "math.", "#", "$")):
        target = "torch.ops." + target
    return {"target": target, "inputs": named, "outputs": outputs, "metadata": {}, "name": name,
            **more}


def graph(inputs=(), nodes=(), outputs=(), **tables):
    return {"inputs": list(inputs), "outputs": list(outputs), "nodes": list(nodes), **tables}


# Input and output specs, each under its tag.

def parameter(value, name):
    return {"parameter": {"arg": {"name": value}, "parameter_name": name}}


def buffer(value, name):
    return {"buffer": {"arg": {"name": value}, "buffer_name": name, "persistent": True}}


def user_input(argument):
    return {"user_input": {"arg": argument}}


def user_output(argument):
    return {"user_output": {"arg": argument}}


def spec(tag, value, **target):
    return {tag: {"arg": {"name": value}, **target}}


# Tree specs.
LEAF = '{"type": null, "context": null, "children_spec": []}'


def tree(type_name, context, children):
    return '{"type": %s, "context": %s, "children_spec": [%s]}' % (
        json.dumps(type_name), json.dumps(context), ", ".join(children))


def treespec(root, protocol=1):
    return "[%d, %s]" % (protocol, root)


def leaves(count):
    return treespec(tree("builtins.tuple", "null", [LEAF] * count) if count != 1 else LEAF)


def arguments(count, *keywords):
    """The in_spec of a call with so many positional arguments, and keywords."""
    return treespec(tree("builtins.tuple", "null", [
        tree("builtins.tuple", "null", [LEAF] * count),
        tree("builtins.dict", json.dumps(list(keywords)), [LEAF] * len(keywords))]))


def entry(fqn, inputs=None, outputs=(), **changed):
    """A module call; with a signature, if it has inputs."""
    if inputs is None:
        return {"fqn": fqn, "signature": None}
    return {"fqn": fqn, "signature": {
        "inputs": list(inputs), "outputs": list(outputs), "in_spec": arguments(len(inputs)),
        "out_spec": leaves(len(outputs)), "forward_arg_names": None, **changed}}


# ---- drafts ---------------------------------------------------------------------


class Draft:
    """A program.  data: its graph, input_specs and output_specs, modules (the
    entries after the root), root (changes in the root's signature), and what is
    to stand in the fields of the outermost object and of the graph module."""

    def __init__(self, main=None, **data):
        self.data = {"graph": main or graph(), "input_specs": [], "output_specs": [], "modules": [],
                     "root": {}, "header": {}, "module": {}, "backward": None, **data}

    def take(self, *specs):
        """Inputs of the program, by their specs."""
        for each in specs:
            self.data["input_specs"].append(each)
            self.data["graph"]["inputs"].append(argument_of(each))
        return self

    def give(self, *specs):
        for each in specs:
            self.data["output_specs"].append(each)
            self.data["graph"]["outputs"].append(argument_of(each))
        return self

    def node(self, *nodes):
        self.data["graph"]["nodes"] += nodes
        return self

    def tensors(self, **values):
        self.data["graph"].setdefault("tensor_values", {}).update(values)
        return self

    def table(self, table, **values):
        self.data["graph"].setdefault(table, {}).update(values)
        return self

    def written(self, version, style=None):
        return Document(tree_of(version, self.data), style)


def argument_of(each):
    """The graph's Argument that a spec stands for."""
    (tag, value), = each.items()
    if tag == "constant_input":
        return copy.deepcopy(value["value"])
    argument = value["arg"]
    if tag in ("user_input", "user_output"):
        return copy.deepcopy(argument)
    return {"as_custom_obj" if tag == "custom_obj" else "as_tensor": copy.deepcopy(argument)}


def name_of(argument):
    """The name of the value that an Argument is."""
    (_, value), = argument.items()
    return value.get("name", value.get("as_name"))


def count_of(specs, *tags):
    return sum(tag in tags for each in specs for tag in each)


def old_signature(data):
    """The dicts of version 1 that say the same as specs."""
    said = {key: {} for key in OLD_SIGNATURE}
    said.update(user_inputs=[], user_outputs=[], backward_signature=data["backward"])
    for each in data["input_specs"] + data["output_specs"]:
        (tag, value), = each.items()
        if tag in ("user_input", "user_output"):
            said[tag + "s"].append(name_of(value["arg"]))
        elif tag in ("parameter", "buffer"):
            said["inputs_to_%ss" % tag][value["arg"]["name"]] = value[tag + "_name"]
        elif tag == "buffer_mutation":
            said["buffers_to_mutate"][value["arg"]["name"]] = value["buffer_name"]
    return said


def root_signature(data):
    inputs = count_of(data["input_specs"], "user_input", "constant_input")
    outputs = count_of(data["output_specs"], "user_output", "loss_output")
    said = {"inputs": [], "outputs": [], "in_spec": arguments(inputs), "out_spec": leaves(outputs),
            "forward_arg_names": None}
    said.update(data["root"])
    return said


def tree_of(version, data):
    """The tree of a draft's data in a version."""
    writer = Writer(version)
    fields = {member.name for member in version.types["GraphModule"].members}
    module = {"graph": data["graph"], "module_call_graph": data["modules"], **data["module"]}
    root = root_signature(data)
    if "call_spec" in fields:
        module["signature"] = old_signature(data)
        module["call_spec"] = {key: root[key] for key in ("in_spec", "out_spec")}
    else:
        module["signature"] = {key: data[key] for key in ("input_specs", "output_specs")}
    if "module_call_graph" not in data["module"] and ("call_spec" not in fields or data["modules"]):
        first = {"fqn": "", "signature": None if "call_spec" in fields else root}
        module["module_call_graph"] = [first] + data["modules"]
    said = {**HEADER, **data["header"], "graph_module": module}
    return writer.filled(version.types["ExportedProgram"], said)


# ---- places ---------------------------------------------------------------------


def at(document, path):
    """The node under a path, "graph_module/graph/nodes/0"; a union's value is
    under its tag in every form of unions."""
    node = document.root
    for step in path.split("/") if isinstance(path, str) else path:
        if node.kind == "union":
            node = node.member("$value" if node.members[0][0] == "$type" else step)
        elif node.kind in ("list", "tuple"):
            node = node.items[int(step)]
        else:
            node = node.member(step)
    return node


GRAPH = "graph_module/graph/"
NODES = GRAPH + "nodes/"
SIGNATURE = "graph_module/signature/"
MODULES = "graph_module/module_call_graph/"


def place_of(document, where):
    """(text, offset, pointer): of a path; of a key, (path, key); of the mark,
    None, which is then taken away; of the one that comes last of a list."""
    if isinstance(where, list):
        return max((place_of(document, each) for each in where), key=lambda place: place[1])
    if where is None:
        offset = document.text.index(MARK)
        node = next(each for each in document.nodes() if MARK in each.text)
        text = document.text.replace(MARK, "")
        assert len(text) == len(document.text) - 1
        return text, offset, node.pointer
    if isinstance(where, tuple):
        node = at(document, where[0])
        return (document.text, node.keys[node.index(where[1])], child_pointer(node, where[1]))
    node = at(document, where) if where else document.root
    return document.text, node.start, node.pointer


class Whole:
    """A valid program of a version, and what is made from it."""

    def __init__(self, suite, program, draft, version, clause, why, style=None):
        """program: its area and name, "value/base"."""
        self.suite, self.draft, self.style = suite, draft, style
        self.area = program.split("/")[0]
        self.version = VERSIONS[version]
        self.label = version + (style.label if style else "")
        self.flags = ["foreign-spelling"] if style else []
        self.twin = "%s/%s" % (program, self.label)
        if self.twin not in suite.vectors:
            file = "whole/%s-%s.json" % (self.label, program.replace("/", "-"))
            self.twin = suite.valid(  # another one, where that has the same bytes
                self.twin, "check", version, draft.written(self.version, style).text, clause, why,
                file=file, provenance="hand", options=self.version.options, flags=self.flags)

    def at(self, area):
        """The same with another area for what is made from it."""
        self.area = area
        return self

    def id(self, name):
        return "%s/%s/%s" % (self.area, name, self.label)

    def changed(self, change):
        data = copy.deepcopy(self.draft.data)
        change(data)
        return Document(tree_of(self.version, data), self.style)

    def good(self, name, change, clause, why, warn=(), flags=()):
        """Valid with a change; warn: (code, where) of what is told."""
        document = self.changed(change)
        warnings = [self.warning(document, *each) for each in warn]
        return self.suite.valid_edit(
            self.id(name), self.twin, change_between(self.suite.bytes[self.twin], document.text),
            clause, why, provenance="hand", flags=self.flags + list(flags),
            warnings=warnings or None)

    @staticmethod
    def warning(document, code, where):
        _, offset, pointer = place_of(document, where)
        return {"code": code, "offset": offset, "pointer": pointer}

    def bad(self, name, change, code, where, why, also=(), flags=()):
        """Invalid with a change, which has put a mark there or not."""
        text, offset, pointer = place_of(self.changed(change), where)
        edit = change_between(self.suite.bytes[self.twin], text)
        flags = self.flags + [flag for flag in flags if flag != "large"]
        flags += ["large"] if len(edit[2]) > 300 else []
        return self.suite.invalid(self.id(name), self.twin, edit, code, (offset, pointer), why,
                                  provenance="hand", also=list(also), flags=flags)
