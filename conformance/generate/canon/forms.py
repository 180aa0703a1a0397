"""Canonical forms (SPEC part 6).  A group is one program: its form, written by
hand as a draft of the latest version, and other files of it.  That the form is its own
and that of the others is what the vectors say; the oracle of the suite (suite.py), which was written
from the specification alone, has to agree, or nothing is made.  libepref is not asked.
"""

import copy
import json
import re

from format.document import Document
from format.history import ORDER, VERSIONS
from generate.migrate.migrations import kinds, written
from generate.suite import change_between
from generate.whole import (Draft, call, graph, meta, place_of, tensor, tensors, tree_of,
                            user_input, user_output)

LATEST = ORDER[-1]
NEAR, LATELY = 1200, 12         # a form is said as a change of one of the last, if that is short
SHOWN = (LATEST, "7.3")         # a form, and a program that is rewritten for it
OLD = ("1", "3.1", "5.3", "8.7")  # others of which some are shown


# ---- programs -------------------------------------------------------------------


def argument(value):
    """An Argument: a name is a tensor, a list of names tensors."""
    if isinstance(value, str):
        return tensor(value)
    if isinstance(value, list):
        return tensors(*value)
    return {"as_int": value} if isinstance(value, int) else value


def op(target, outputs, *pairs, **named):
    """A node; outputs: names, a list of them, or Arguments."""
    inputs = [(key, argument(value)) for key, value in list(pairs) + list(named.items())]
    outputs = outputs.split() if isinstance(outputs, str) else [outputs]
    return call(target, inputs, [argument(each) for each in outputs])


def names_in(arguments, kinds_of=("as_tensor", "as_tensors")):
    """The tensors that Arguments name, or other values."""
    found = []
    for each in arguments:
        (tag, value), = each.items()
        if tag in kinds_of:
            found += [one.get("name", one.get("as_name"))
                      for one in (value if isinstance(value, list) else [value])]
    return [name for name in found if name is not None]


def listed(main):
    """With an entry for each tensor that lacks one, behind the others."""
    defined = list(main["inputs"])
    for node in main["nodes"]:
        defined += node["outputs"]
        for each in node["inputs"]:
            if "as_graph" in each["arg"]:
                listed(each["arg"]["as_graph"]["graph"])
    values = main.setdefault("tensor_values", {})
    order = names_in(defined)
    made = {name: values.get(name, meta(2, 3)) for name in order}
    made.update((name, entry) for name, entry in values.items() if name not in made)
    main["tensor_values"] = {name: made[name] for name in order + sorted(set(made) - set(order))}
    return main


def program(inputs, nodes, outputs, header=None, **tables):
    """A draft: of user inputs by their names, or specs; and user outputs."""
    draft = Draft(header={"torch_version": "<=2.4", **(header or {})})
    for each in inputs.split() if isinstance(inputs, str) else inputs:
        draft.take(user_input(tensor(each)) if isinstance(each, str) else each)
    draft.node(*copy.deepcopy(nodes))
    for each in outputs.split() if isinstance(outputs, str) else outputs:
        draft.give(user_output(argument(each)) if not is_spec(each) else each)
    for table, values in tables.items():
        draft.table(table, **values)
    listed(draft.data["graph"])
    for node in operators(draft.data["graph"]):
        (tag, value), = node["outputs"][0].items()
        if tag == "as_tensors" and len(value) == 1:
            node["outputs"] = [{"as_tensor": value[0]}]
        if tag == "as_tensor" or len(value) == 1:
            node.setdefault(RETURNS, tag == "as_tensor")
    return kinds(draft, None)


RETURNS = "is_hop_single_tensor_return"


def operators(main):
    """The higher-order operators of one output, in all graphs."""
    for node in main["nodes"]:
        if ".higher_order." in node["target"] and len(node["outputs"]) == 1:
            yield node
        for each in node["inputs"]:
            if "as_graph" in each["arg"]:
                yield from operators(each["arg"]["as_graph"]["graph"])


def earlier(draft):
    """As it is before 8.5-a: a tuple of one tensor is a list of it (SPEC 7.4.4)."""
    made = copy.deepcopy(draft)
    for node in operators(made.data["graph"]):
        if node.get(RETURNS) is False and "as_tensor" in node["outputs"][0]:
            node["outputs"] = [{"as_tensors": [node["outputs"][0]["as_tensor"]]}]
    return made


def is_spec(each):
    return isinstance(each, dict) and not next(iter(each)).startswith("as_")


def subgraph(name, inputs, nodes, outputs):
    return {"as_graph": {"name": name, "graph": listed(graph(
        [argument(each) for each in inputs.split()], nodes,
        [argument(each) for each in outputs.split()]))}}


def body(name="g0", target="aten.relu.default", **named):
    """A subgraph of one node and one tensor."""
    return subgraph(name, "v0", [op(target, "v1", self="v0", **named)], "v1")


# ---- documents --------------------------------------------------------------------


def text_of(version, source):
    """A document: a text is one, and so is what a function makes of a draft."""
    if isinstance(source, str):
        return source
    return written(version, earlier(source) if before(version, "8.5-a") else source)


def before(version, other):
    return ORDER.index(version) < ORDER.index(other)


def replaced(text, names):
    """A document with other strings."""
    pattern = "|".join(re.escape(json.dumps(name)) for name in names)
    return re.sub(pattern, lambda found: json.dumps(names[json.loads(found.group())]), text)


def renumbered(text, names):
    """With these names, and the tables in the order of the numbers."""
    root = json.loads(replaced(text, names))
    main = root["graph_module"]["graph"]
    values = main["tensor_values"]
    main["tensor_values"] = {key: values[key] for key in sorted(values, key=lambda key: (
        len(key), key))}
    return json.dumps(root)


ANY = ("as_tensor", "as_tensors", "as_sym_int", "as_sym_bool", "as_custom_obj")


def numbered(draft):
    """A draft whose values have the names that 6.6.1 gives in its order."""
    names = names_in(draft.data["graph"]["inputs"], ANY)
    for node in draft.data["graph"]["nodes"]:
        names += names_in(node["outputs"], ANY)
    return renamed(draft, {name: "v%d" % i for i, name in enumerate(names)},
                   lambda name: (len(name), name))


def renamed(draft, new, order):
    """With other names of values, and tables sorted by them."""
    def walked(value):
        if isinstance(value, list):
            return [walked(item) for item in value]
        if not isinstance(value, dict):
            return value
        made = {key: new.get(item, item) if is_name(key, value) and isinstance(item, str)
                else walked(item) for key, item in value.items() if not key.endswith("_values")}
        for table in (key for key in value if key.endswith("_values")):
            entries = {new.get(key, key): walked(item) for key, item in value[table].items()}
            made[table] = {key: entries[key] for key in sorted(entries, key=order)}
        return made
    made = copy.deepcopy(draft)
    made.data = walked(draft.data)
    return made


def is_name(key, owner):
    """Whether a key of a draft holds the name of a value."""
    return key in ("as_name", "user_input_name") or (
        key == "name" and set(owner) <= {"name", "class_fqn"})


def reordered(draft, *places):
    """With the nodes at these places, in this order."""
    made = copy.deepcopy(draft)
    nodes = made.data["graph"]["nodes"]
    made.data["graph"]["nodes"] = [nodes[i] for i in places]
    return made


# ---- vectors ----------------------------------------------------------------------


class Disagreement(AssertionError):
    """The oracle makes something else."""


def agree(suite, name, text, form):
    """Whether the oracle makes this form of a document of the latest version."""
    made = suite.oracle(text)
    if made != form:
        begin, length, other = change_between(form, made)
        raise Disagreement("%s: wanted %r, the oracle has %r\n%s\n%s" % (
            name, form[max(begin - 60, 0):begin + length + 60], other.decode("utf-8"), form, made))


class Forms:
    """The vectors of canonical forms, in groups. A form is a document of the latest
    version; files of the program are of any. What a draft writes at an earlier version
    is the same program: that is what migration says of drafts."""

    def __init__(self, suite):
        self.suite, self.files = suite, {}  # by version, the last documents that are whole
        self.forms = {}                     # by label: the form, and its product

    @staticmethod
    def name(label, case, version):
        return "canon/%s/%s/%s" % (label, case, version)

    def document(self, name, version, text, clause, why, product, **said):
        """A vector, as a change of a recent one of its version where that is short."""
        said = {"provenance": "hand", "options": VERSIONS[version].options, "product": product,
                "operation": "canon", **said}
        files = self.files.setdefault(version, [])
        for base in files:
            edit = change_between(self.suite.bytes[base], text)
            if len(edit[2]) < NEAR:
                return self.suite.valid_edit(name, base, edit, clause, why, **said)
        _, label, case, _ = name.split("/")
        case = "" if case == "form" else "-" + case
        made = self.suite.valid(name, said.pop("operation"), version, text, clause, why,
                                file="canon/%s-%s%s.json" % (version, label, case), **said)
        self.files[version] = ([made] if made == name else []) + files[:LATELY]
        return made

    def unsaid(self, label, text):
        """A form that is not a valid document: only the product of others."""
        agree(self.suite, label, text, text)
        self.forms[label] = text, self.suite.spelled(text, "canon/%s-form.json" % label)

    def form(self, label, version, source, clause, why, latest=None, **links):
        """A program at a version, and its form, which is the draft at the latest version or
        what latest is there. Gives the name of the program's vector."""
        clause = ["6.1.1"] + clause
        text = self.forms[label][0] if label in self.forms else text_of(LATEST, latest or source)
        if label not in self.forms:
            name = self.name(label, "form", LATEST)
            agree(self.suite, name, text, text)
            if version != LATEST:
                links = {key: self.forms[other.split("/")[1]][1]["base"]
                         for key, other in links.items() if key == "different_from"}
            made = self.document(name, LATEST, text, clause + ["6.1.2"], why, "same", **links)
            self.forms[label] = text, {"base": made}
        if version == LATEST:
            assert text == text_of(LATEST, latest or source), label
            return self.forms[label][1]["base"]
        return self.other(label, "form", version, text_of(version, source), clause, why)

    def other(self, label, case, version, text, clause, why):
        """Another file of a program."""
        wanted, product = self.forms[label]
        name = self.name(label, case, version)
        if version == LATEST:
            agree(self.suite, name, text, wanted)
        said = {"same_as": product["base"]} if "base" in product else {}
        if version == LATEST and said:
            return self.suite.valid_edit(name, product["base"], change_between(wanted, text),
                                         clause, why, provenance="hand", product=product, **said)
        return self.document(name, version, text, clause, why, product, **said)

    def case(self, form, case, source, clause, why, label=None):
        """Another file of the program of a vector, of its version; None where it is none."""
        version, label = self.suite.vectors[form]["schema"], label or form.split("/")[1]
        text = text_of(version, source)
        if text == self.suite.bytes[form].decode("utf-8"):
            return None  # what a version has not is not written
        return self.other(label, case, version, text, ["6.1.1"] + clause, why)

    def group(self, label, versions, draft, clause, why, cases, **links):
        """The form of a draft, its files in versions, and the cases: (case, source,
        clause, why), of which each is another file in one version at least. A source
        is a draft, or what makes one, or a document, of that of the version."""
        seen = set()
        for version in versions:
            form = self.form(label, version, draft, clause, why, **{
                key: self.name(other, "form", version) for key, other in links.items()})
            for case, source, more, reason in cases:
                made = source(text_of(version, draft)) if callable(source) else source
                if self.case(form, case, made, more, reason, label):
                    seen.add(case)
        lost = [case for case, _, _, _ in cases if case not in seen]
        assert not lost, "%s: never another file: %s" % (label, lost)

    def found(self, label, version, sources, clause, why, **links):
        """Files of one program whose form follows from an order that nobody works out
        by hand: it is what the oracle makes."""
        wanted = self.suite.oracle(text_of(LATEST, sources[0]))
        if version == LATEST:
            form = self.form(label, LATEST, wanted, clause, why, provenance="oracle", **links)
        for i, source in enumerate(sources):
            text = text_of(version, source)
            if version != LATEST or text != wanted:
                self.other(label, "order-%d" % i, version, text, ["6.1.1"] + clause, why)
        return form if version == LATEST else None

    def invalid(self, case, form, draft, code, where, why, also):
        """The program's document with a defect."""
        version = self.suite.vectors[form]["schema"]
        _, offset, pointer = place_of(Document(tree_of(VERSIONS[version], draft.data)), where)
        text = written(version, draft)
        return self.suite.invalid(
            self.name(form.split("/")[1], case, version), form,
            change_between(self.suite.bytes[form], text), code, (offset, pointer), why,
            provenance="hand", also=also)


def put(path, value):
    """What makes, of a document, that with another value under a path."""
    def change(text):
        root = json.loads(text)
        *steps, last = [int(step) if step.isdigit() else step for step in path.split("/")]
        place = root
        for step in steps:
            if (step not in place) if isinstance(place, dict) else step >= len(place):
                return text  # the version has no such thing
            place = place[step]
        if isinstance(place, dict) and last not in place:
            return text
        place[last] = value
        return json.dumps(root)
    return change


def both(*changes):
    def change(text):
        for each in changes:
            text = each(text)
        return text
    return change


def shuffled(path):
    """What turns a dict or a list round."""
    def change(text):
        root = place = json.loads(text)
        *steps, last = [int(step) if step.isdigit() else step for step in path.split("/")]
        for step in steps:
            if (step not in place) if isinstance(place, dict) else step >= len(place):
                return text
            place = place[step]
        if isinstance(place, dict) and last not in place:
            return text
        found = place[last]
        place[last] = (dict(reversed(list(found.items()))) if isinstance(found, dict)
                       else found[::-1])
        return json.dumps(root)
    return change
