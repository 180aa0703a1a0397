"""Whole archives as they are made: a program, the configs and members or the pickles that
hold its state, and the marks.  A change of a Kit makes another archive; where the configs and
the program have what the change broke, the Kit knows.
"""

import copy
import struct
from collections import OrderedDict

from format.document import Document
from format.history import VERSIONS
from format.writer import Writer
from generate.archive import pickles
from generate.archive.pickles import (dictionary, parameter, pickled, saved, scripted, several,
                                      storage, tensor)
from generate.archive.zips import archive, member
from generate.suite import change_between
from generate.whole import Draft, at, custom_obj, meta, spec, user_input, user_output
from generate.whole import tensor as value_of

FLAT, PT2 = "flat", "pt2"
LATEST = VERSIONS["8.20"]
ROOT, NAME = "m/", "model"
ID = b"1374611803619092859009724839916186401110"
MARKS = (("archive_format", b"pt2"), ("archive_version", b"0"), (".data/version", b"6\n"),
         ("byteorder", b"little"), (".data/serialization_id", ID))
NOWHERE = "nowhere"  # what is wrong has no place at all, not even 0
LONG = 300   # bytes of a change that is flagged
SHORT = 4000  # bytes of a change that is not worth a file
FLOAT, LONG_INT, HALF = 7, 5, 6  # dtypes


def floats(*values):
    return struct.pack("<%df" % len(values), *values)


STORED = floats(*range(8))  # weight shows the first six, tail the last three
TABLE = floats(0.5, 1.5, 2.5, 3.5)
CACHE = bytes(8)


def held(path, tensor_meta, param=False, pickle=False):
    """A PayloadMeta."""
    return {"path_name": path, "is_param": param, "use_pickle": pickle, "tensor_meta": tensor_meta}


class Pickled:
    """A member that torch.save wrote. make: what the pickle holds, of the items."""

    def __init__(self, items=(), storages=(), make=None):
        self.items, self.storages = OrderedDict(items), OrderedDict(storages)
        self.make = make or (lambda pairs: dictionary(*pairs))
        self.protocol, self.said, self.data = pickles.PROTOCOL, {}, None

    def written(self):
        if self.data is not None:
            return self.data
        value = self.make(list(self.items.items()))
        return saved(pickled(value, self.protocol), self.storages, **self.said)


def object_saved(kind="__torch__.torch.classes.my:Foo"):
    """What a custom_obj_ member holds."""
    return saved(pickled(scripted(kind)), folder="obj")


def sample_inputs():
    x = tensor(storage("0", 6), (2, 3))
    return Pickled((("x", x),), (("0", bytes(24)),),
                   lambda pairs: several(several(*[value for _, value in pairs]), dictionary()))


def model(version, constants=True, shares=True, engine=False):
    """The program: a parameter, a buffer that shows the end of the same storage, and where the
    version has them a buffer that is not persistent and a constant; a custom object if it is
    wanted, whose class no implementation has."""
    draft = Draft()
    specs = [spec("parameter", "p_weight", parameter_name="weight"),
             spec("buffer", "b_tail", buffer_name="tail", persistent=True)]
    tables = {"p_weight": meta(2, 3, requires_grad=True),
              "b_tail": meta(3, storage_offset=5 if shares else 0), "x": meta(2, 3)}
    if constants:
        specs += [spec("buffer", "b_cache", buffer_name="cache", persistent=False),
                  spec("tensor_constant", "c_table", tensor_constant_name="table")]
        tables.update(b_cache=meta(4, dtype=HALF), c_table=meta(2, 2))
    if engine:
        said = custom_obj("obj_engine")["as_custom_obj"]
        specs.append({"custom_obj": {"arg": said, "custom_obj_name": "engine"}})
        draft.table("custom_obj_values", obj_engine=said)
    draft.take(*specs, user_input(value_of("x"))).give(user_output(value_of("x")))
    return draft.tensors(**tables)


class Kit:
    """An archive.  weights, constants: configs, or None; state: pickles by part; puts: members
    beside these or in their places; drops: names that are left out; how: what zips.member is
    told of a member."""

    def __init__(self, version, layout=PT2, name=NAME):
        self.version, self.layout, self.name = version, layout, name
        self.draft = model(version)
        self.weights = self.constants = None
        self.payloads, self.state = OrderedDict(), OrderedDict()
        self.puts, self.drops, self.how, self.texts = OrderedDict(), set(), {}, {}
        self.behind, self.order, self.root, self.marks = OrderedDict(), None, ROOT, dict(MARKS)

    # -- what it holds

    def program(self):
        return self.draft.written(VERSIONS[self.version])

    def config(self, part):
        said = {"config": getattr(self, part)}
        return Document(Writer(LATEST).filled(LATEST.types["PayloadConfig"], said))

    def config_name(self, part):
        return "data/%s/%s_%s_config.json" % (part, self.name, part)

    def said(self, part):
        """The text of a config."""
        return self.texts.get(part) or self.config(part).text.encode("utf-8")

    def state_name(self, part):
        if self.layout == PT2:
            return "data/%s/%s.pt" % ({"inputs": "sample_inputs"}.get(part, part), self.name)
        words = {"weights": "state_dict", "constants": "constants", "inputs": "example_inputs"}
        json = self.version[0] in "1234" and part != "inputs"
        return "serialized_%s.%s" % (words[part], "json" if json else "pt")

    def marked(self):
        if self.layout == PT2:
            return list(self.marks.items())
        return [("version", VERSIONS[self.version].number.encode("ascii"))]

    def files(self):
        """Name to bytes, what is changed most often last."""
        flat = self.layout == FLAT
        name = "serialized_exported_program.json" if flat else "models/%s.json" % self.name
        files = OrderedDict([(name, self.texts.get("program") or self.program().text.encode())])
        if "inputs" in self.state:
            files[self.state_name("inputs")] = self.state["inputs"].written()
        files.update(self.marked())
        files.update(("data/" + path, data) for path, data in self.payloads.items())
        for part in ("constants", "weights"):
            if part in self.state:
                files[self.state_name(part)] = self.state[part].written()
            if getattr(self, part) is not None:
                files[self.config_name(part)] = self.said(part)
        for key, data in self.puts.items():
            files[key] = data
        return OrderedDict((key, data) for key, data in files.items() if key not in self.drops)

    def bytes(self):
        root = self.root if self.layout == PT2 else ""
        made = [member(root + name, data, **self.how.get(name, {}))
                for name, data in self.files().items()]
        return archive(*made, order=self.order)

    # -- where something is

    def place(self, where):
        """None: in a member that has no places. A part and a name: an entry. "program" and a
        path. (offset, pointer)."""
        if where is None:
            return 0, ""
        if isinstance(where[0], int):
            return where
        if where[0] == "program":
            node = at(self.program(), where[1])
            return node.start, node.pointer
        node = self.config(where[0]).root.member("config").member(where[1])
        return node.start, node.pointer


def raw(version="8.20"):
    """As 2.9 and later write it."""
    kit = Kit(version)
    kit.weights = OrderedDict([
        ("weight", held("weight_0", meta(2, 3, requires_grad=True), param=True)),
        ("tail", held("weight_0", meta(3, storage_offset=5)))])
    kit.constants = OrderedDict([
        ("cache", held("tensor_1", meta(4, dtype=HALF))),
        ("table", held("tensor_0", meta(2, 2)))])
    kit.payloads.update({"weights/weight_0": STORED, "constants/tensor_0": TABLE,
                         "constants/tensor_1": CACHE})
    kit.state["inputs"] = sample_inputs()
    return kit


def raw_object():
    """The same, with a custom object."""
    kit = raw()
    kit.draft = model(kit.version, engine=True)
    kit.constants["engine"] = held("custom_obj_0", None, pickle=True)
    kit.payloads["constants/custom_obj_0"] = object_saved()
    return kit


def state_of(offset=5):
    """The pickled weights: two tensors of one storage."""
    first = storage("0", 8)
    return Pickled((("weight", parameter(tensor(first, (2, 3)))),
                    ("tail", tensor(first, (3,), offset=offset))), (("0", STORED),),
                   lambda pairs: pickles.ordered(*pairs))


def constants_of():
    return Pickled((("cache", tensor(storage("0", 4, HALF), (4,))),
                    ("table", tensor(storage("1", 4), (2, 2)))), (("0", CACHE), ("1", TABLE)))


def saved_state(version, layout):
    """As 2.1 to 2.8 write it: the offset of the view is in the pickle alone."""
    kit = Kit(version, layout)
    major = int(version.split(".")[0].split("-")[0])
    kit.draft = model(version, constants=major >= 5, shares=False)
    kit.state["weights"] = state_of()
    if major >= 5:
        kit.state["constants"] = constants_of()
    elif major >= 2:
        kit.state["constants"] = Pickled()
    if layout == PT2 or VERSIONS[version].number not in (
            "1", "2", "3.1", "4.2", "5.1", "5.3"):
        kit.state["inputs"] = sample_inputs()
    return kit


def saved_object():
    """State that 2.8 wrote, with a custom object."""
    kit = saved_state("8.8", PT2)
    kit.draft = model(kit.version, shares=False, engine=True)
    kit.state["constants"].items["engine"] = scripted()
    return kit


def plain(version="8.20"):
    """A program without state, and configs without entries."""
    kit = Kit(version)
    kit.draft = Draft().take(user_input(value_of("x"))).give(user_output(value_of("x"))).tensors(
        x=meta(2, 3))
    kit.weights, kit.constants = OrderedDict(), OrderedDict()
    kit.state["inputs"] = sample_inputs()
    return kit


# ---- vectors ----------------------------------------------------------------------


class Wholes:
    """The archives of one kind: a valid one, and what is made from it."""

    def __init__(self, suite, label, make, clauses, why):
        """make(): the Kit. label: of its ids."""
        self.suite, self.label, self.make = suite, label, make
        self.base = self.named("base")
        if self.base not in suite.vectors:
            kit = make()
            suite.valid(self.base, "whole", kit.version, kit.bytes(), clauses, why,
                        file="archives/whole-%s.pt2" % label, provenance="hand")

    def named(self, name):
        return "whole-archive/%s/%s" % (name, self.label)

    def changed(self, change):
        kit = copy.deepcopy(self.make())
        if change is not None:
            change(kit)
        return kit

    def good(self, name, change, clauses, why):
        kit = self.changed(change)
        data = kit.bytes()
        edit = change_between(self.suite.bytes[self.base], data)
        if len(edit[2]) < SHORT:
            return self.suite.valid_edit(self.named(name), self.base, edit, clauses, why,
                                         provenance="hand",
                                         flags=["large"] if len(edit[2]) > LONG else None)
        return self.suite.valid(self.named(name), "whole", kit.version, data, clauses, why,
                                file="archives/whole-%s-%s.pt2" % (name, self.label),
                                provenance="hand")

    def bad(self, name, change, code, where, why, twin=None, also=(), flags=()):
        """where: as Kit.place has it, NOWHERE, or a function that finds it. twin: an id, or a
        name of this kind."""
        kit = self.changed(change)
        twin = twin if twin in self.suite.vectors else self.named(twin) if twin else self.base
        edit = change_between(self.suite.bytes[twin], kit.bytes())
        place = None if where == NOWHERE else where(kit) if callable(where) else kit.place(where)
        flags = list(flags) + (["large"] if len(edit[2]) > LONG else [])
        return self.suite.invalid(self.named(name), twin, edit, code, place, why,
                                  provenance="hand", also=list(also), flags=flags)

    def pairs(self, rows, clauses, code, where=None):
        """Rows of (name, whether it is valid, change, why)."""
        for name, valid, change, why in rows:
            if valid:
                self.good(name, change, clauses, why)
            else:
                self.bad(name, change, code, where, why, also=clauses)


# ---- changes ----------------------------------------------------------------------


def both(*changes):
    """One change after the other."""
    def change(kit):
        for each in changes:
            each(kit)
    return change


def put(name, data, **how):
    def change(kit):
        kit.puts[name] = data
        if how:
            kit.how[name] = how
    return change


def drop(*names):
    def change(kit):
        kit.drops.update(names)
    return change


def entry(part, name, **said):
    """What a PayloadMeta says instead; what begins with `meta_` is of its tensor_meta."""
    def change(kit):
        found = getattr(kit, part)[name]
        for key, value in said.items():
            if key.startswith("meta_"):
                found["tensor_meta"][key[len("meta_"):]] = value
            else:
                found[key] = value
    return change


def add(part, name, payload, **members):
    """One entry more; members: of its folder."""
    def change(kit):
        getattr(kit, part)[name] = copy.deepcopy(payload)
        for path, data in members.items():
            kit.payloads["%s/%s" % (part, path)] = data
    return change


def payload(path, data):
    """Another member of the data, or other bytes of one."""
    def change(kit):
        kit.payloads[path] = data
    return change


def remove(part, name):
    def change(kit):
        del getattr(kit, part)[name]
    return change


def value(name, **said):
    """What the program says of a tensor instead."""
    def change(kit):
        kit.draft.data["graph"]["tensor_values"][name].update(said)
    return change


def pickle(part, **said):
    """Attributes of a Pickled; items and storages are put to those that are there."""
    def change(kit):
        found = kit.state[part]
        for key, what in said.items():
            if key in ("items", "storages", "said"):
                getattr(found, key).update(what)
            else:
                setattr(found, key, what)
    return change

