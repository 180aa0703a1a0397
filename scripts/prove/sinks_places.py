"""Where a marker can be planted in an archive, and in which forms.

A place is a string or a key of a document (a program or a payload config), or a string
inside it: of the JSON or of the lists that some strings hold. Its label says the type
and the field, and what tells apart strings of one field, such as the key of metadata.
"""

import json
import re
import zipfile

MARK = "EPMARK"
DUNDER = f"__{MARK}__"

# By name: what becomes of a string. The first does no harm anywhere; each of the others
# leaves one of the forms in which text of a file stands in Python.
FORMS = {
    "plain": "{}_" + MARK,
    "call": "{}\")" + MARK + "(",
    "double": "{}\" if " + MARK + " else \"",
    "single": "{}' or " + MARK + " or '",
    "line": "{}\n  " + MARK + "\n",
    "brace": "{}{{" + MARK + ".a}}",
    "escape": "{}\\\")+" + MARK + "+(\"\\",
    "default": "{}=" + MARK,
    "dunder": "{}." + DUNDER,
    "torch": "torch." + DUNDER,
    "path": "../" + MARK + "/{}.so",
    "dotted": "x" + MARK + ".{}",
    "shared": "x" + MARK + ".so",
}
FEW = ("call", "dunder")  # which show whether anything arrives anywhere

# The types whose fields are told apart by where they stand, and what says that.
TOLD_APART = ("TensorArgument", "Sym", "Argument", "TokenArgument", "GraphArgument",
              "CustomObjArgument", "NamedArgument")
CONTEXTS = ("Graph", "Node", "ModuleCallSignature")
OPERATOR = re.compile(r"torch\.ops\.(?!higher_order)|_operator|math")  # those in C++


def read_archive(path):
    with zipfile.ZipFile(path) as archive:
        return {info.filename: archive.read(info) for info in archive.infolist()}


def write_archive(members, path):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content)


def type_of(member):
    """The type of the document that a member is, if it is one."""
    if re.fullmatch(r"[^/]+/models/[^/]+\.json", member):
        return "ExportedProgram"
    if re.fullmatch(r"[^/]+/data/(weights|constants)/.*_config\.json", member):
        return "PayloadConfig"
    return None


def documents(members):
    """(member, type, tree) of each document of an archive."""
    for member, content in members.items():
        kind = type_of(member)
        if kind:
            yield member, kind, json.loads(content)


# ---------------------------------------------------------------- strings in strings


def nested(text):
    """The JSON that a string is, if it is a list or an object."""
    if text[:1] not in ("[", "{"):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def inner(text, label, depth=0):
    """(label, string) of a string and of all that stands in it."""
    yield label, text
    tree = nested(text) if depth < 4 else None
    if tree is not None:
        yield from within(tree, label, depth + 1)
    elif re.match("Node.metadata (?!stack_trace)", label) and re.search("[,;]", text):
        for entry in text.split(";"):
            for i, part in enumerate(entry.split(",")):
                yield f"{label}[{i}]", part


def within(tree, label, depth):
    if isinstance(tree, str):
        yield from inner(tree, label + ">", depth)
    elif isinstance(tree, list):
        for item in tree:
            yield from within(item, label, depth)
    elif isinstance(tree, dict):
        for key, item in tree.items():
            if key == "children_spec" and label == "ModuleCallSignature.in_spec":
                for i, child in enumerate(item):
                    yield from within(child, label + (" keywords", " arguments")[i == 0], depth)
            elif key in ("children_spec", "from_node"):
                yield from within(item, label, depth)
            elif key == "context" and tree.get("type"):
                yield from within(item, f"{label}.context of {tree['type']}", depth)
            elif re.fullmatch("[a-z_]+", key):  # what PyTorch calls it
                yield from within(item, f"{label}.{key}", depth)
            else:
                yield f"{label} key", key
                yield from within(item, label, depth)


def replace(text, old, new, parts=True):
    """A string with another in the place of one that it is, or that stands in it."""
    if text == old:
        return new
    tree = nested(text) if old in text or "\\" in text else None
    if tree is not None:
        made = rename(tree, old, new)
        return text if made == tree else json.dumps(made)
    if parts and re.search("[,;]", text):
        return "".join(new if part == old else part for part in re.split("([,;])", text))
    return text


def rename(tree, old, new):
    """A tree with another string in the place of one, wherever it stands."""
    if isinstance(tree, str):
        return replace(tree, old, new)
    if isinstance(tree, list):
        return [rename(item, old, new) for item in tree]
    if isinstance(tree, dict):
        return {replace(key, old, new, False): rename(item, old, new)
                for key, item in tree.items()}
    return tree


def rename_at(tree, place, old, new):
    """A tree with another string in the place of one, at one place only."""
    pointer, is_key = place
    if len(pointer) == 1 and is_key:
        return {new if key == pointer[0] else key: item for key, item in tree.items()}
    if not pointer:
        return replace(tree, old, new)
    made = dict(tree) if isinstance(tree, dict) else list(tree)
    made[pointer[0]] = rename_at(made[pointer[0]], (pointer[1:], is_key), old, new)
    return made


# ---------------------------------------------------------------- strings of a document


class Walk:
    """Yields (label, pointer, is a key, string) of all strings, by the types of a version."""

    def __init__(self, types):
        self.types = types

    def fields(self):
        """The fields that hold text, as labels."""
        for name, kind in self.types.items():
            for field in kind.get("fields", []):
                if re.search(r"\bstr\b", field["type"]):
                    yield f"{name}.{field['name']}"

    def walk(self, kind, tree, pointer=(), label="", context=""):
        shape = re.fullmatch(r"(optional|list|dict)<(?:str, *)?(.*)>", kind)
        if tree is None:
            return
        if not shape and kind == "str":
            told = f" in {context}" if label.startswith(TOLD_APART) else ""
            if OPERATOR.match(context) and not label.startswith("Argument"):
                told = " in an operator"
            if label == "Node.target":
                told = " " + ".".join(tree.split(".")[:2])
            yield label + told, pointer, False, tree
        elif not shape:
            yield from self.struct(kind, tree, pointer, context)
        elif shape.group(1) == "dict":
            for key, item in tree.items():
                yield label + " key", (*pointer, key), True, key
                below = f"{label} {key}" if label == "Node.metadata" else label
                yield from self.walk(shape.group(2), item, (*pointer, key), below, context)
        elif shape.group(1) == "list":
            for i, item in enumerate(tree):
                yield from self.walk(shape.group(2), item, (*pointer, i), label, context)
        else:
            yield from self.walk(shape.group(2), tree, pointer, label, context)

    def struct(self, kind, tree, pointer, context):
        for field in self.types.get(kind, {}).get("fields", []):
            name = field["name"]
            if name not in tree:
                continue
            below = context
            if kind == "Node" and name == "inputs":
                below = tree["target"]
            elif kind == "NamedArgument" and name == "name":
                below = "a keyword" if tree.get("kind") == 2 else "an operator's argument"
            elif kind in CONTEXTS or kind.endswith("Spec"):
                below = f"{kind}.{name}" + (" inside" if len(pointer) > 2 and kind == "Graph" else "")
            yield from self.walk(field["type"], tree[name], (*pointer, name),
                                 f"{kind}.{name}", below)

    def places(self, members):
        """(label, member, (pointer, is a key), string) of all places of an archive."""
        for member, kind, tree in documents(members):
            for label, pointer, is_key, text in self.walk(kind, tree):
                for sub, part in inner(text, label):
                    yield sub, member, (pointer, is_key), part

    def marked(self, members):
        """The pointers of all that holds a marker."""
        found = set()
        for member, kind, tree in documents(members):
            for _, pointer, _, text in self.walk(kind, tree):
                if MARK in text:
                    found.add(spelled(pointer))
        return found


def spelled(pointer):
    """A pointer as an audit writes it."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in pointer)


def plant(members, member, place, text, form, everywhere):
    """The members with a marker in one place, or wherever that string stands in a document;
    None where nothing comes of it."""
    new, made = FORMS[form].format(text), dict(members)
    for name, _, tree in documents(members):
        if everywhere:
            changed = rename(tree, text, new)
        elif name == member:
            changed = rename_at(tree, place, text, new)
        else:
            continue
        if changed != tree:
            made[name] = json.dumps(changed).encode("utf-8")
    return made if made != members else None
