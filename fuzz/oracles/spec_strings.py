"""Two of the languages inside strings (SPEC 4.2, 4.3) once more, from the specification and
its annexes, for spec_oracle: whether a tree spec, or a text of a node's metadata, is one.
"""

import json
import re

import spec_wire
from format.annexes import rows
from format.history import ORDER

INT_LEAST, INT_MOST = -2**63, 2**63 - 1
NAMES = {"nn_module_stack": "1-2023-08", "source_fn": "1-2023-08", "source_fn_stack": "2",
         "torch_fn": "5.3", "custom": "7.3", "from_node": "8.17"}
LAST = {"source_fn": "1"}  # of 1-2023-12 nobody knows
OLD, BETWEEN = ("1-2023-08", "1"), "1-2023-12"  # two forms of nn_module_stack; in one, any
ENUM_KEYS = "7.4"
ACTIONS = re.compile(r"((create|replace)(\+(create|replace))*)?\Z")
SOURCE = ["name", "target", "graph_id", "pass_name", "action", "from_node"]


class Bad(ValueError):
    """The text is none."""


def need(holds, why):
    if not holds:
        raise Bad(why)


def place(name):
    return ORDER.index(name)


def within(version, since, until=None):
    """Whether a version is in a range of an annex."""
    at = place(version.name)
    return (since is None or place(since) <= at) and (until is None or at < place(until))


FORMS = [(each["type"], each["form"], each["since"], each["until"])
         for each in rows("tree_specs")]
PROTOCOLS = {each["name"]: int(each["tree_spec"] or 1) for each in rows("versions")}


class Pairs(list):
    """An object, in order."""


def parse(text):
    """A JSON value, of a text of part 2 without literals, spelled as json.dumps does."""
    need(spec_wire.judge(text.encode("utf-8")) == "EP_OK 0", "JSON")
    data = json.loads(text, object_pairs_hook=Pairs)
    need(spelled(data) == text, "spelling")
    return data


def spelled(data):
    """As json.dumps; U+007F is escaped (3.9.3)."""
    if isinstance(data, Pairs):
        return "{%s}" % ", ".join("%s: %s" % (spelled(key), spelled(value)) for key, value in data)
    if isinstance(data, list):
        return "[%s]" % ", ".join(map(spelled, data))
    return json.dumps(data).replace("\x7f", "\\u007f")


def is_object(data, keys):
    return isinstance(data, Pairs) and [key for key, _ in data] == keys


def is_int(data):
    return isinstance(data, int) and not isinstance(data, bool) and INT_LEAST <= data <= INT_MOST


def is_list(data):
    return isinstance(data, list) and not isinstance(data, Pairs)


def is_name(text):
    """Names of Python with dots between, < and > around some (4.2.3). Every character beyond
    ASCII counts as a letter (1.6), whatever Python says of it."""
    text = re.sub(r"[^\x00-\x7f]", "a", text)
    parts = [re.sub(r"\A<(.*)>\Z", r"\1", part, flags=re.DOTALL) for part in text.split(".")]
    return all(part.isidentifier() for part in parts)


# ---- tree specs


def key_of(data, version):
    """A key, so that those are equal which Python takes for one (4.2.4)."""
    if isinstance(data, Pairs):
        need(within(version, ENUM_KEYS) and is_object(data, ["__enum__", "fqn", "name"]), "key")
        said = dict(data)
        need(said["__enum__"] is True and isinstance(said["fqn"], str), "enum")
        need(isinstance(said["name"], str) and is_name(said["name"]), "enum")
        module, colon, name = said["fqn"].partition(":")
        need(colon and is_name(module) and is_name(name), "enum")
        return "enum", said["fqn"], said["name"]
    need(not isinstance(data, list), "key")
    if isinstance(data, int) and not isinstance(data, bool):
        need(is_int(data), "key")
    return ("text", data) if isinstance(data, str) else ("other", data)


def keys_of(data, version):
    need(is_list(data), "keys")
    keys = [key_of(each, version) for each in data]
    need(len(set(keys)) == len(keys), "keys that are one")
    return len(keys)


def inner(context):
    need(isinstance(context, str), "context")
    return parse(context)


def count_null(context, version, fields):
    need(context == "null", "context")


def count_keys(context, version, fields):
    return keys_of(inner(context), version)


def count_maxlen(context, version, fields):
    most = inner(context)
    need(most is None or (is_int(most) and most >= 0), "maxlen")
    return None if most is None else range(most + 1)


def count_factory(context, version, fields):
    need(is_object(context, ["default_factory_module", "default_factory_name", "dict_context"]),
         "factory")
    said = dict(context)
    for key in ("default_factory_module", "default_factory_name"):
        need(isinstance(said[key], str) and is_name(said[key]), "name")
    return keys_of(said["dict_context"], version)


def count_fields(context, version, fields):
    need(is_object(context, ["class_name", "fields"]), "fields")
    said = dict(context)
    need(isinstance(said["class_name"], str) and is_name(said["class_name"]), "name")
    need(is_list(said["fields"]) and all(isinstance(each, str) for each in said["fields"]),
         "fields")
    return keys_of(said["fields"], version)


def count_name(context, version, fields):
    need(isinstance(context, str) and is_name(context), "name")
    if fields is None:
        return None
    need(context in fields, "named tuple")
    return fields[context]


COUNTS = {"null": count_null, "keys": count_keys, "maxlen": count_maxlen,
          "factory": count_factory, "fields": count_fields, "name": count_name}


def children_of(kind, context, version, fields):
    """How many a node has: a number, a range, None for any."""
    if kind is None:
        need(context is None, "leaf")
        return 0
    need(isinstance(kind, str), "type")
    forms = [form for name, form, since, until in FORMS
             if name == kind and within(version, since, until)]
    if len(forms) > 1:  # a context is a struct in one of them, a string in the other
        forms = [form for form in forms if (form == "name") == isinstance(context, str)]
    if forms:
        return COUNTS[forms[0]](context, version, fields)
    need(is_name(kind) and not kind.startswith(("builtins.", "collections.")), "type")
    return (fields or {}).get(kind)


def tree_spec(text, version, fields):
    """fields: how many each named tuple has, None where the version does not say."""
    data = parse(text)
    need(is_list(data) and len(data) == 2, "pair")
    need(is_int(data[0]) and data[0] == PROTOCOLS[version.name], "protocol")
    todo = [data[1]]
    while todo:
        node = todo.pop()
        need(is_object(node, ["type", "context", "children_spec"]), "node")
        said = dict(node)
        children = said["children_spec"]
        need(is_list(children), "children")
        count = children_of(said["type"], said["context"], version, fields)
        need(count is None or (len(children) in count if isinstance(count, range)
                               else len(children) == count), "children")
        todo.extend(children)


# ---- metadata


def apart(entry):
    """What the commas outside of brackets set apart (4.3)."""
    parts, depth = [""], 0
    for letter in entry:
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def old_apart(entry):
    parts, depth = [""], 0
    for letter in entry:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def nn_module_stack(text, version):
    for entry in text.split(";") if version.name != BETWEEN else ():
        if version.name in OLD:
            key, colon, rest = entry.partition(":")
            need(key and colon and len(rest) > 1 and rest[0] == "(" and rest[-1] == ")", "module")
            parts = old_apart(rest[1:-1])
            need(len(parts) == 2 and parts[1], "module")
        else:
            parts = apart(entry)
            need(len(parts) == 3 and parts[0] and parts[2], "module")


def function(text):
    parts = text.split(",")
    need(len(parts) == 2 and all(parts), "function")


def source_fn(text, version):
    function(text)


def source_fn_stack(text, version):
    for entry in text.split(";"):
        function(entry)


def torch_fn(text, version):
    parts = text.split(";")
    need(len(parts) == 2 and all(parts), "torch_fn")


def custom(text, version):
    code = spec_wire.judge(text.encode("utf-8"))
    need(code in (None, "EP_OK 0"), "JSON")
    if code is not None:
        need(isinstance(json.loads(text), dict), "object")


def from_node(text, version):
    todo = [parse(text)]
    if todo == [None]:
        return
    while todo:
        sources = todo.pop()
        need(is_list(sources), "sources")
        for source in sources:
            need(is_object(source, SOURCE), "source")
            said = dict(source)
            texts = [said[key] for key in SOURCE if key not in ("graph_id", "from_node")]
            need(is_int(said["graph_id"]) and all(isinstance(each, str) for each in texts), "source")
            need(ACTIONS.match(said["action"]), "action")
            todo.append(said["from_node"])


METADATA = {"nn_module_stack": nn_module_stack, "source_fn": source_fn, "custom": custom,
            "source_fn_stack": source_fn_stack, "torch_fn": torch_fn, "from_node": from_node}


def metadata(key, text, version):
    since = NAMES.get(key)
    if since and place(since) <= place(version.name) <= place(LAST.get(key, ORDER[-1])):
        METADATA[key](text, version)


# ---- programs


def bad(texts, version, fields):
    """The texts of a program that are none, and what is wrong with each: (family, words).
    texts: (family, key, text)."""
    found = []
    for family, key, text in texts:
        try:
            if family == "EP_TREESPEC":
                tree_spec(text, version, fields)
            else:
                metadata(key, text, version)
        except Bad as why:
            found.append((family, "%s in %s" % (why, text[:200])))
    return found


