"""Uses a program as its reader would, and records in which sinks a marker arrives."""

import ast
import io
import json
import os
import re
import resource
import signal
import sys

from sinks_places import DUNDER, MARK

# Events of sys.addaudithook by the name of the sink.
EVENTS = {
    "compile": "source", "import": "import", "open": "open", "ctypes.dlopen": "library",
    "pickle.find_class": "unpickle", "marshal.loads": "unpickle", "subprocess.Popen": "process",
    "os.system": "process", "os.exec": "process", "os.posix_spawn": "process",
    "os.spawn": "process", "os.remove": "open", "os.rename": "open", "os.mkdir": "open",
    "shutil.copyfile": "open", "shutil.rmtree": "open", "socket.connect": "process",
}
SAID = {
    "library": r"dlopen.*|[^ ]*\.so: .*", "attribute": rf"has no attribute '{DUNDER}'",
    "format": rf"KeyError: '{MARK}'$",
    "open": rf"(unable to open|cannot open|failed to open|No such file)[^\n]*{MARK}.*",
}
WALKERS = ("torch._export", "torch.export", "torch.fx", "torch.utils._pytree",
           "torch._higher_order_ops", "torch._library")
SECONDS = 10


def spellings(planted):
    """The ways in which a text may stand in a literal, and be that text."""
    part = next((part for part in planted.split(".") if MARK in part), planted)
    for text in (planted, part, re.sub(r"\W", "_", planted)):
        yield text
        yield repr(text)[1:-1]
        yield json.dumps(text)[1:-1]
        yield repr(repr(text)[1:-1])[1:-1]


def names_of(node):
    for field in ("id", "attr", "arg", "name", "module", "asname"):
        name = getattr(node, field, None)
        if isinstance(name, str):
            yield name


def judge_source(text, planted):
    """What a marker is in Python source: source, attribute, name, literal or comment."""
    try:
        tree = ast.parse(text.strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "source"
    said = "comment"
    for node in ast.walk(tree):
        for name in names_of(node):
            if name == DUNDER and isinstance(node, ast.Attribute):
                said = "attribute"
            elif name in (MARK, DUNDER):
                return "source"
            elif MARK in name and said != "attribute":
                said = "name"
        value = getattr(node, "value", None)
        if isinstance(node, ast.Constant) and MARK in str(value):
            if not any(one in str(value) for one in planted):
                return "source"
            said = "literal" if said == "comment" else said
    return said


class Recorder:
    """What arrived where, while it is on."""

    def __init__(self):
        self.stage, self.seen, self.own = None, {}, ""
        sys.addaudithook(self.hook)

    def hook(self, event, args):
        if self.stage is None or event not in EVENTS:
            return
        text = args[0] if args else ""
        if event == "compile" and isinstance(text, ast.AST):
            text = ast.unparse(text)
        elif event in ("pickle.find_class", "subprocess.Popen", "os.exec", "os.posix_spawn"):
            text = repr(args)
        if isinstance(text, (bytes, bytearray)):
            text = text.decode("utf-8", "replace")
        if isinstance(text, str) and MARK in text and not text.startswith(self.own):
            self.add(EVENTS[event], text)

    def add(self, sink, text):
        frame = sys._getframe(2)
        while frame.f_back and "importlib" in frame.f_code.co_filename:
            frame = frame.f_back
        if frame.f_code.co_filename.endswith("/ast.py"):
            return  # read as a tree, and not executed
        if frame.f_code.co_name in ("getlines", "updatecache"):
            return  # a traceback looks for its lines
        name = frame.f_globals.get("__name__", "?") + "." + frame.f_code.co_name
        self.seen.setdefault((sink, name, text), self.stage)

    def learn(self, error, stage):
        """What an error says of sinks that are in C++."""
        text = f"{type(error).__name__}: {error}"
        for sink, pattern in SAID.items():
            found = re.search(pattern, text, re.DOTALL)
            if found and not self.own in found.group():
                self.seen.setdefault((sink, "C++", found.group()[-300:]), stage)

    def watch(self):
        """Watch the attributes that PyTorch's loaders ask for by name."""
        for name, function in (("getattr", getattr), ("hasattr", hasattr)):
            def asked(value, attribute, *default, function=function):
                if self.stage and isinstance(attribute, str) and MARK in attribute:
                    self.add("attribute", attribute)
                return function(value, attribute, *default)
            for module in list(sys.modules.values()):
                if getattr(module, "__name__", "").startswith(WALKERS):
                    vars(module)[name] = asked

    def results(self, planted):
        """(sink, caller, stage, text, verdict) of all that was recorded."""
        ways = list(spellings(planted))
        for (sink, caller, text), stage in self.seen.items():
            verdict = sink
            if sink == "source":
                verdict = judge_source(text, ways)
            elif sink == "attribute" and not re.search(r"(^|\.)__", text):
                verdict = "name"
            at = text.find(MARK)
            yield {"sink": sink, "caller": caller, "stage": stage, "verdict": verdict,
                   "text": text[max(0, at - 60):at + 40]}


# ---------------------------------------------------------------- using a program


def sample(torch, program):
    """Arguments for a program: its own, in the shape that it says now."""
    from torch.utils import _pytree
    leaves = _pytree.tree_leaves(program.example_inputs)
    spec = program.call_spec.in_spec
    if len(leaves) != spec.num_leaves:
        values = {node.name: node.meta.get("val") for node in program.graph.nodes}
        leaves = [values.get(name) for name in program.graph_signature.user_inputs]
        leaves = [torch.zeros([int(size) for size in leaf.shape], dtype=leaf.dtype)
                  if isinstance(leaf, torch.Tensor) else leaf for leaf in leaves]
    return _pytree.tree_unflatten(leaves, spec)


def steps(torch, path):
    """(stage, what does it) of all that is done with a file."""
    import copy
    held = {}

    def load():
        held["program"] = torch.export.load(path)

    def module():
        held["module"] = held["program"].module()

    def inputs():
        held["args"], held["kwargs"] = sample(torch, held["program"])

    def unflatten():
        held["flat"] = torch.export.unflatten(held["program"])

    def call(name):
        return lambda: held[name](*held["args"], **held["kwargs"])

    yield "load", load
    yield "inputs", inputs
    yield "module", module
    yield "call", call("module")
    yield "interpreter", lambda: torch.fx.Interpreter(held["module"]).run(
        *held["args"], *held["kwargs"].values())
    yield "unflatten", unflatten
    yield "call of unflattened", call("flat")
    yield "compile", lambda: torch.compile(held["flat"], backend="eager")(
        *held["args"], **held["kwargs"])
    yield "unguarded", lambda: held["program"].module(check_guards=False)(
        *held["args"], **held["kwargs"])
    yield "decompositions", lambda: held["program"].run_decompositions().module()
    yield "copy", lambda: copy.deepcopy(held["module"])
    yield "save", lambda: torch.export.save(held["program"], io.BytesIO())
    from torch._inductor import aoti_load_package
    yield "compiled models", lambda: aoti_load_package(path)


def use(torch, recorder, path, planted):
    """What was recorded while a file was used, and which stages went through."""
    done, errors = [], {}
    recorder.seen, recorder.own = {}, path
    for stage, step in steps(torch, path):
        if "load" in errors and stage != "compiled models":
            continue
        recorder.stage = stage
        try:
            step()
            done.append(stage)
        except Exception as error:  # whatever PyTorch raises
            errors[stage] = f"{type(error).__name__}: {str(error)[-300:]}"
            recorder.learn(error, stage)
        finally:
            recorder.stage = None
    return {"done": done, "errors": errors, "seen": list(recorder.results(planted))}


def run_child(torch, recorder, path, planted):
    """In a process of its own: uses the file, and writes beside it what was recorded."""
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
    signal.alarm(3 * SECONDS)
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)
    result = use(torch, recorder, path, planted)
    with open(path + ".out", "w", encoding="utf-8") as file:
        json.dump(result, file)
