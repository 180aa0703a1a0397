"""A JSON text that knows its places: a tree of nodes, each of which, once
written, has the bytes that it stands in and its JSON Pointer.  From that the
vectors take what to change, and where the change is an error.
"""

import json


class Node:
    """A value.  kind: struct, union, dict, list, tuple, scalar or null."""

    def __init__(self, kind, shape=None, text="", type_name=None):
        self.kind, self.shape, self.text, self.type = kind, shape, text, type_name
        self.members = []  # of an object: [key, node]
        self.items = []    # of an array
        self.tag = None    # of a union
        self.place = None  # (type, member) that it is the value of
        self.start = self.end = 0
        self.keys = []     # where each key begins
        self.pointer = ""

    def member(self, key):
        return next(node for name, node in self.members if name == key)

    def index(self, key):
        return [name for name, _ in self.members].index(key)

    @property
    def object(self):
        return self.kind in ("struct", "union", "dict")


def escape(segment):
    return segment.replace("~", "~0").replace("/", "~1")


def child_pointer(node, key):
    return node.pointer + "/" + escape(str(key))


class Style:
    """How a document is spelled: as PyTorch does."""

    comma, colon, inside, around = ", ", ": ", ("", ""), ("", "")

    def key(self, key):
        return json.dumps(key)

    def scalar(self, text):
        return text

    def order(self, members, node):
        return list(members)


class Document:
    """A tree, written in a style."""

    def __init__(self, root, style=None):
        self.root, self.style = root, style or Style()
        self.parts, self.size = [], 0
        self.put(self.style.around[0])
        self.write(root, "")
        self.put(self.style.around[1])
        self.text = "".join(self.parts)

    def put(self, text):
        self.parts.append(text)
        self.size += len(text)

    def write(self, node, pointer):
        node.start, node.pointer, node.keys = self.size, pointer, []
        if node.object:
            node.members = self.style.order(node.members, node)
            self.write_object(node)
        elif node.kind in ("list", "tuple"):
            self.write_array(node)
        else:
            self.put(self.style.scalar(node.text))
        node.end = self.size

    def write_object(self, node):
        self.put("{" + self.style.inside[0] * bool(node.members))
        for i, (key, value) in enumerate(node.members):
            self.put(self.style.comma * bool(i))
            node.keys.append(self.size)
            self.put(self.style.key(key) + self.style.colon)
            self.write(value, child_pointer(node, key))
        self.put(self.style.inside[1] * bool(node.members) + "}")

    def write_array(self, node):
        self.put("[" + self.style.inside[0] * bool(node.items))
        for i, item in enumerate(node.items):
            self.put(self.style.comma * bool(i))
            self.write(item, child_pointer(node, i))
        self.put(self.style.inside[1] * bool(node.items) + "]")

    def nodes(self):
        """Every node, in the order of the document."""
        todo = [self.root]
        while todo:
            node = todo.pop()
            yield node
            parts = [value for _, value in node.members] + node.items
            todo.extend(reversed(parts))


# ---- changes ----------------------------------------------------------------
#
# A change is (offset, length, replacement): what it puts in the place of what.


def replace(node, text):
    return (node.start, node.end - node.start, text)


def remove(node, key):
    """Without a member, and where the closing brace is then."""
    i = node.index(key)
    if i > 0:
        begin, end = node.members[i - 1][1].end, node.members[i][1].end
    elif len(node.members) > 1:
        begin, end = node.keys[0], node.keys[1]
    else:
        begin, end = node.keys[0], node.members[0][1].end
    return (begin, end - begin, ""), node.end - 1 - (end - begin)


def append(node, key, text):
    """With a member at the end, and where its key is then."""
    member = "%s: %s" % (key, text)
    if not node.members:
        return (node.start + 1, 0, member), node.start + 1
    end = node.members[-1][1].end
    return (end, 0, ", " + member), end + 2


def apply(text, change):
    """The bytes that a change makes; change may repeat its replacement, and then nest
    something in it: (offset, length, before, times, between, after)."""
    offset, length, replacement = change[:3]
    times = change[3] if len(change) > 3 else 1
    between, after = change[4:] if len(change) > 4 else (text[:0], text[:0])
    return (text[:offset] + replacement * times + between + after * times
            + text[offset + length:])
