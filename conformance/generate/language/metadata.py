"""The texts of node metadata: module stacks, sources, functions, a user's own,
and the nodes that a node comes from.
"""

from generate.language.texts import METADATA, Texts, within
from generate.whole import MARK

M = MARK
CLAUSE = {"nn_module_stack": "4.3.1", "source_fn": "4.3.2", "source_fn_stack": "4.3.2",
          "torch_fn": "4.3.3", "custom": "4.3.4", "from_node": "4.3.5"}
CODE = {"4.3.1": "EP_METADATA_MODULES", "4.3.2": "EP_METADATA_SOURCE",
        "4.3.3": "EP_METADATA_TORCH_FN", "4.3.4": "EP_METADATA_CUSTOM",
        "4.3.5": "EP_METADATA_FROM_NODE"}


def source(name="n", target="t", graph_id=1, pass_name="", action="create", inner=""):
    """One of from_node; the number as it is given."""
    return ('{"name": "%s", "target": "%s", "graph_id": %s, "pass_name": "%s", "action": "%s", '
            '"from_node": [%s]}' % (name, target, graph_id, pass_name, action, inner))


# (key, label, text, why), valid and then invalid; in the versions that have the key.
GOOD = (
    ("nn_module_stack", "one", "L__self__,,models.MLP", "A path may be empty."),
    ("nn_module_stack", "slice", "L__self__,layers.slice(1, None, None),torch.nn.Sequential",
     "A comma in brackets."),
    ("nn_module_stack", "brackets", "k,getattr(L['a'].b[0, 1], '0'),m.C", "Brackets of two kinds."),
    ("nn_module_stack", "call", "L__self___sub,sub,models.Sub@1", "The second call of a module."),
    ("nn_module_stack", "type-brackets", "k,p,m.C[int, str]", "Brackets in a type."),
    ("nn_module_stack", "spaces", "k , p, m", "Blanks are characters."),
    ("nn_module_stack", "unicode", "k\u00e9y,p\u00e4th,M\u00f6d", "Letters beyond ASCII."),
    ("nn_module_stack", "many", ";".join("k%d,p%d,m.C%d" % (i, i, i) for i in range(6)),
     "Six of them."),
    ("source_fn_stack", "one", "add,_operator.add", "One function."),
    ("source_fn_stack", "object", "f,<function f at 0x7f>", "Any target."),
    ("torch_fn", "method", "add_1;method_descriptor.add", "A method."),
    ("torch_fn", "dots", "conv.default_1;OpOverload.conv.default", "Dots in a name."),
    ("torch_fn", "comma", "a,b;c,d", "A comma is a character."),
    ("custom", "empty", "{}", "Nothing in it."),
    ("custom", "nested", '{"a": {"b": [1, null, true, "x"]}, "c": 0.5}', "JSON in it."),
    ("custom", "spelled", '{ "a" :1.50,"b":"\\u0041" }', "Its spelling is not judged."),
    ("custom", "literals", '{"a": NaN, "b": [Infinity, -Infinity]}', "Python's literals."),
    ("custom", "white-space", '{"a": 1}\n', "White space behind it."),
    ("custom", "white-space-before", ' \n{}', "White space before it."),
    ("from_node", "null", "null", "No source."),
    ("from_node", "none", "[]", "No source."),
    ("from_node", "two", "[%s, %s]" % (source(), source("m")), "Two of them."),
    ("from_node", "nested", "[%s]" % source(inner=source(inner=source("a"))), "In each other."),
    ("from_node", "both", "[%s]" % source(action="create+replace"), "Two actions."),
    ("from_node", "no-action", "[%s]" % source(action=""), "No action."),
    ("from_node", "again", "[%s]" % source(action="replace+replace+create"), "Any number."),
    ("from_node", "id-max", "[%s]" % source(graph_id=9223372036854775807), "64 bits."),
    ("from_node", "id-min", "[%s]" % source(graph_id=-9223372036854775808), "64 bits."),
    ("from_node", "escapes", "[%s]" % source("\\u00e9\\n\\\"", "<built-in f>"),
     "As json.dumps writes them."),
)
BAD = (
    ("nn_module_stack", "empty", M, "No module."),
    ("nn_module_stack", "key-alone", "L__self__" + M, "Parts are missing."),
    ("nn_module_stack", "two-parts", "L__self__,path" + M, "A part is missing."),
    ("nn_module_stack", "four-parts", "k,p,m.C" + M + ",x", "A comma too many."),
    ("nn_module_stack", "no-key", M + ",p,m.C", "The key is empty."),
    ("nn_module_stack", "no-type", "k,p," + M, "The type is empty."),
    ("nn_module_stack", "no-key-cut", ",p" + M, "A missing part comes before an empty one."),
    ("nn_module_stack", "no-key-no-type", M + ",p,", "The first that is empty."),
    ("nn_module_stack", "last-semicolon", "k,p,m.C;" + M, "Nothing behind it."),
    ("nn_module_stack", "first-semicolon", M + ";k,p,m.C", "Nothing before it."),
    ("nn_module_stack", "two-semicolons", "k,p,m.C;" + M + ";k,p,m.C", "Nothing between them."),
    ("nn_module_stack", "second", "k,p,m.C;k,p" + M, "The second lacks a part."),
    ("nn_module_stack", "open", "k,p(1, 2,m.C" + M, "The brackets stay open."),
    ("source_fn_stack", "empty", M, "No function."),
    ("source_fn_stack", "name-alone", "add" + M, "The target is missing."),
    ("source_fn_stack", "no-name", M + ",_operator.add", "The name is empty."),
    ("source_fn_stack", "no-target", "add," + M, "The target is empty."),
    ("source_fn_stack", "three", "add,_operator.add" + M + ",x", "A comma too many."),
    ("source_fn_stack", "last-semicolon", "add,_operator.add;" + M, "Nothing behind it."),
    ("source_fn_stack", "second", "cond,cond;add" + M, "The second lacks a target."),
    ("torch_fn", "empty", M, "No name."),
    ("torch_fn", "name-alone", "relu_1" + M, "The function is missing."),
    ("torch_fn", "no-name", M + ";function.relu", "The name is empty."),
    ("torch_fn", "no-function", "relu_1;" + M, "The function is empty."),
    ("torch_fn", "three", "relu_1;function.relu" + M + ";x", "A semicolon too many."),
    ("custom", "empty", M, "No JSON."),
    ("custom", "array", M + "[1]", "No object."),
    ("custom", "null", M + "null", "No object."),
    ("custom", "string", M + '"a"', "No object."),
    ("custom", "python", "{" + M + "'a': 1}", "Python's quotes."),
    ("custom", "cut", '{"a": 1' + M, "It ends early."),
    ("custom", "trailing", "{}" + M + "{}", "Behind the end."),
    ("custom", "comma", '{"a": 1, ' + M + "}", "Nothing follows."),
    ("custom", "again", '{"a": 1, ' + M + '"a": 2}', "The same key."),
    ("custom", "number", '{"a": 0' + M + "1}", "A leading zero."),
    ("custom", "escape", '{"a": "x' + M + '\\q"}', "No such escape."),
    ("custom", "surrogate", '{"a": "x' + M + '\\ud800"}', "A lone surrogate."),
    ("custom", "control", '{"a": "x' + M + '\n"}', "A raw control character."),
    ("custom", "behind-escapes", '{"\\u00e9\\n\\"": ' + M + "x}", "A place behind escapes."),
    ("from_node", "empty", M, "No JSON."),
    ("from_node", "object", M + source(), "An array."),
    ("from_node", "cut", "[" + source()[:-1] + M, "It ends early."),
    ("from_node", "trailing", "[]" + M + " ", "White space."),
    ("from_node", "tight", "[" + source() + "," + M + source() + "]", "A blank is due."),
    ("from_node", "comma", "[" + source() + ", " + M + "]", "Nothing follows."),
    ("from_node", "python", M + "None", "JSON's word."),
    ("from_node", "no-name", '[{"' + M + 'target": "t", "graph_id": 1}]', "The name is missing."),
    ("from_node", "order", '[{"' + M + 'target": "t", "name": "n"}]', "The name comes first."),
    ("from_node", "name-null", '[{"name": ' + M + 'null, "target": "t"}]', "A string."),
    ("from_node", "id-string", "[%s]" % source(graph_id=M + '"1"'), "A number."),
    ("from_node", "id-missing", "[%s]" % source(graph_id=M), "A number is due."),
    ("from_node", "id-float", "[%s]" % source(graph_id=M + "1.0"), "An integer."),
    ("from_node", "id-zero", "[%s]" % source(graph_id="0" + M + "1"), "A leading zero."),
    ("from_node", "id-great", "[%s]" % source(graph_id=M + "9223372036854775808"),
     "Beyond 64 bits."),
    ("from_node", "id-small", "[%s]" % source(graph_id=M + "-9223372036854775809"),
     "Beyond 64 bits."),
    ("from_node", "action", "[%s]" % source(action=M + "delete"), "No such action."),
    ("from_node", "action-twice", "[%s]" % source(action="create" + M + "create"),
     "A sign is due."),
    ("from_node", "action-open", "[%s]" % source(action="create+" + M), "Nothing follows."),
    ("from_node", "action-escape", "[%s]" % source(action="create" + M + "\\n"),
     "An escape that json.dumps writes."),
    ("from_node", "action-foreign",
     "[%s]" % source().replace('"create"', M + '"cr\\u0065ate"'), "A letter as an escape."),
    ("from_node", "action-number", '[%s]' % source().replace('"create"', M + "1"), "A string."),
    ("from_node", "no-inner", "[%s]" % source().replace(', "from_node": []', M), "It is missing."),
    ("from_node", "inner-null", "[%s]" % source().replace("[]", M + "null"), "An array."),
    ("from_node", "inner", "[%s]" % source(inner=M + "1"), "A source."),
    ("from_node", "extra", "[%s]" % (source()[:-1] + M + ', "x": 1}'), "No other member."),
    ("from_node", "space", "[{" + M + ' "name"' + source()[8:] + "]", "White space."),
)
OLD_GOOD = (
    ("nn_module_stack", "old-two", "L__self___a:(L['self'].a,m.A);L__self___b:(b,m.B)", "Two."),
    ("nn_module_stack", "old-call", "k:(getattr(L['self'].layers, '0'),torch.nn.Linear)",
     "A comma in parentheses."),
    ("nn_module_stack", "old-colon", "k:(a:b,m.C)", "A colon in a path."),
    ("nn_module_stack", "old-no-path", "k:(,m.C)", "A path may be empty."),
    ("source_fn", "semicolon", "add,_operator.add;x", "A semicolon is a character."),
    ("source_fn", "module", "fn,torch.nn.modules.linear.Linear", "A module."),
)
OLD_BAD = (
    ("nn_module_stack", "old-empty", M, "No module."),
    ("nn_module_stack", "old-no-key", M + ":(p,m.C)", "The key is empty."),
    ("nn_module_stack", "old-open", "k:(p,m.C" + M, "The parenthesis stays open."),
    ("nn_module_stack", "old-no-key-open", ":(p,m.C" + M, "What is missing comes first."),
    ("nn_module_stack", "old-no-key-one", ":(p" + M, "What is missing comes first."),
    ("nn_module_stack", "old-three-open", "k:(p,m.C" + M + ",x", "A comma too many comes first."),
    ("nn_module_stack", "old-no-key-no-type", M + ":(p,)", "The first that is empty."),
    ("nn_module_stack", "old-no-type", "k:(p,)".replace(")", M + ")"), "The type is empty."),
    ("nn_module_stack", "old-one", "k:(p)" + M, "A part is missing."),
    ("nn_module_stack", "old-no-parenthesis", "k:" + M + "p,m.C", "A parenthesis is due."),
    ("nn_module_stack", "old-behind", "k:(p,m.C)x" + M, "Behind the end."),
    ("nn_module_stack", "old-semicolon", "k:(p,m.C);" + M, "Nothing behind it."),
    ("source_fn", "empty", M, "No function."),
    ("source_fn", "name-alone", "add" + M, "The target is missing."),
    ("source_fn", "no-name", M + ",_operator.add", "The name is empty."),
    ("source_fn", "no-target", "add," + M, "The target is empty."),
    ("source_fn", "three", "add,_operator.add" + M + ",x", "A comma too many."),
)
SHOWN = ("empty", "key-alone", "name-alone", "one", "nested", "cut", "old-open", "old-two", "null")


def has_key(version, key):
    return any(name == key and within(version, first, last) for name, first, last, _ in METADATA)


def run(texts, version, good, bad, full):
    for key, label, text, why in good:
        if has_key(version, key) and (full or label in SHOWN):
            texts.good("%s-%s" % (key, label), texts.metadata(key, text), CLAUSE[key], why)
    for key, label, text, why in bad:
        if has_key(version, key) and (full or label in SHOWN):
            texts.bad("%s-bad-%s" % (key, label), texts.metadata(key, text), CODE[CLAUSE[key]],
                      None, why)


def other_keys(suite):
    """Under keys that a version does not know there is any text."""
    for version, key, text in (
            ("1", "source_fn_stack", "no"), ("2", "source_fn", ""), ("1", "torch_fn", "no"),
            ("5.1", "torch_fn", "no"), ("5.3", "custom", "no"), ("7.2", "custom", "{"),
            ("8.16", "from_node", "no"), ("8.20", "source_fn", "no"), ("1-2023-12", "torch_fn", ""),
            ("8.20", "stack_trace", "\u00e9\n\x01"), ("8.20", "", ""), ("8.20", "Custom", "no"),
            ("1-2023-12", "nn_module_stack", "no"), ("1-2023-12", "source_fn", "no")):
        texts = Texts(suite, version, "metadata")
        texts.good("any-%s" % (key or "empty"), texts.metadata(key, text),
                   CLAUSE.get(key, "4.3.1"), "%s has no rule for it." % version)


def vectors(suite):
    for version, full in (("8.20", True), ("2", False), ("5.3", False), ("7.3", False),
                          ("8.8", False), ("8.17", False)):
        run(Texts(suite, version, "metadata"), version, GOOD, BAD, full)
    for version, full in (("1-2023-08", False), ("1", True)):
        run(Texts(suite, version, "metadata"), version, OLD_GOOD, OLD_BAD, full)
    other_keys(suite)
