"""What PyTorch writes of the machine that it runs on, made neutral before it writes.

In the programs: paths in stack traces; the memory addresses in "from_node" (a number
that tells graphs apart, and the text of functions) and in "nn_module_stack" (the keys
of some exports). In the archives that zipfile writes (until 2.7): the time of day.
The rest is not touched.
"""

import os
import re
import sysconfig
import types
import zipfile

PYTORCH = "/opt/torch/"
PYTHON = "/opt/python/"
ADDRESS = re.compile(r"0x[0-9a-f]{6,}")
NO_ADDRESS = "0x0"
STACK = re.compile(r'"nn_module_stack": "(?:[^"\\]|\\.)*"')
KEY = re.compile(r"(?<=[\";])\d+(?=,)")
GRAPH_ID = re.compile(r'(\\*"graph_id\\*": )(\d+)')


def stop_the_clock():
    """Time, for zipfile, is always 1 January 1980."""
    zipfile.time = types.SimpleNamespace(
        time=lambda: 0, localtime=lambda _=None: (1980, 1, 1, 0, 0, 0, 1, 1, 0))


def folders(torch):
    """Folder of this machine to its neutral name, the longest first."""
    library = {os.path.dirname(torch.__file__) + os.sep: PYTORCH}
    for kind in ("purelib", "platlib"):
        library[sysconfig.get_paths()[kind] + os.sep] = os.path.dirname(PYTORCH[:-1]) + "/"
    library[sysconfig.get_paths()["stdlib"] + os.sep] = PYTHON
    return sorted(library.items(), key=lambda pair: -len(pair[0]))


class Neutral:
    """Makes the metadata of one program neutral."""

    def __init__(self, torch):
        self.torch, self.folders = torch, folders(torch)
        self.numbers, self.modules, self.seen = {}, {}, []

    def program(self, program):
        for module in program.graph_module.modules():
            if isinstance(module, self.torch.fx.GraphModule):
                for node in module.graph.nodes:
                    self.node(node.meta)

    def node(self, meta):
        if isinstance(meta.get("stack_trace"), str):
            meta["stack_trace"] = self.text(meta["stack_trace"])
        if isinstance(meta.get("nn_module_stack"), dict):
            meta["nn_module_stack"] = {self.key(key): value for key, value
                                       in meta["nn_module_stack"].items()}
        for source in meta.get("from_node") or ():
            self.source(source)

    def key(self, key):
        """A key of nn_module_stack: a name, or the address of a module."""
        if not str(key).isdigit() or len(str(key)) < 9:
            return key
        return str(self.modules.setdefault(str(key), len(self.modules) + 1))

    def text(self, text):
        for folder, name in self.folders:
            text = text.replace(folder, name)
        return text

    def source(self, source):
        """Graphs are numbered from 1 as they come; a NodeSource may be shared."""
        if not hasattr(source, "node_info") or any(source is other for other in self.seen):
            return  # until 2.5 a pair, which no program holds
        self.seen.append(source)
        info = source.node_info
        if info is not None:
            info.graph_id = self.numbers.setdefault(info.graph_id, len(self.numbers) + 1)
            info.target = ADDRESS.sub(NO_ADDRESS, info.target)
        source._dict = None  # where PyTorch keeps what it made of the old numbers
        for each in source.from_node or ():
            self.source(each)


def without_addresses(text):
    """The text of a program with its addresses made the same, for comparing."""
    numbers, modules = {}, {}

    def renumber(found):
        return found[1] + str(numbers.setdefault(found[2], len(numbers) + 1))

    def stack(found):
        return KEY.sub(lambda key: str(modules.setdefault(key[0], len(modules) + 1)), found[0])

    return STACK.sub(stack, GRAPH_ID.sub(renumber, ADDRESS.sub(NO_ADDRESS, text)))
