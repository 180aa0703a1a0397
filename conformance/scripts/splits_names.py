"""The names of splits: what implementations part over, under its heading.

A split is named after what the document is or holds, not after what anyone does
with it, so that a cause that accepts it and one that ends on it are one entry. A
cause of expected.jsonl names its split; without one its own name is the split's.
A name that is not in this table is told under the heading of its vectors' clauses.
"""

from collections import OrderedDict

# Heading to names, and for each what it is, as a title. Order is that of the document.
GROUPS = OrderedDict((
    ("Text and white space", OrderedDict((
        ("text-ends-early", "A text that ends early"),
        ("trailing-bytes", "Bytes after the document"),
        ("json-extensions", "Comments, trailing commas, single quotes and the like"),
        ("white-space", "White space that JSON does not have"),
    ))),
    ("Encoding", OrderedDict((
        ("byte-order-mark", "A byte order mark"),
        ("other-encodings", "UTF-16 and UTF-32"),
        ("bad-utf8", "Bytes that are not UTF-8"),
    ))),
    ("Strings", OrderedDict((
        ("control-characters", "Raw control characters in strings"),
        ("bad-escapes", "Escapes that JSON does not have"),
        ("lone-surrogates", "Escapes of half a surrogate pair"),
        ("zero-in-strings", "U+0000 in strings"),
        ("base64", "Bytes in base64 that no encoder writes"),
    ))),
    ("Duplicate keys", OrderedDict((
        ("duplicate-keys", "Equal keys in one object"),
    ))),
    ("Numbers", OrderedDict((
        ("number-syntax", "Numbers that JSON does not have"),
        ("bare-nonfinite", "The bare words NaN, Infinity and -Infinity"),
        ("integers-beyond-64-bits", "Integers beyond 64 bits"),
        ("integer-forms", "1.0, 1e3 and -0 for integers"),
        ("bool-as-number", "true and false for numbers"),
        ("numbers-beyond-binary64", "Numbers beyond binary64"),
        ("number-precision", "Numbers that are rounded"),
        ("float-strings", "Texts for floats"),
    ))),
    ("Versions", OrderedDict((
        ("version-missing", "No schema_version"),
        ("version-malformed", "The form of schema_version"),
        ("version-unknown", "Numbers of versions"),
        ("version-newer", "A version that is newer than the reader"),
        ("version-older", "A version that the reader no longer reads"),
        ("fields-of-other-versions", "Fields of other versions"),
        ("tags-of-other-versions", "Union tags of other versions"),
        ("enumerators-of-other-versions", "Enumerators of other versions"),
    ))),
    ("Types", OrderedDict((
        ("wrong-types", "A value of another type"),
        ("null-values", "Null where none may be"),
        ("tuple-lengths", "Tuples of another length"),
    ))),
    ("Fields", OrderedDict((
        ("unknown-fields", "Fields that no version has"),
        ("missing-fields", "Required fields that are missing"),
        ("optional-fields", "Optional fields that are left out"),
    ))),
    ("Unions", OrderedDict((
        ("unknown-tags", "Tags of unions"),
        ("union-without-tag", "A union without a value"),
        ("union-second-tag", "A union with a second value"),
        ("union-forms", "The form in which a version writes unions"),
        ("as-none-values", "The value of as_none"),
    ))),
    ("Enums", OrderedDict((
        ("unknown-enumerators", "Enumerators that no version has"),
    ))),
    ("Limits", OrderedDict((
        ("depth", "Depth of nesting"),
        ("length", "Long documents and strings"),
    ))),
    ("Order", OrderedDict((
        ("two-errors", "Which of two errors is told"),
        ("key-order", "The order of keys"),
    ))),
    ("Expressions", OrderedDict((
        ("expression-syntax", "The spelling of expressions"),
        ("expression-functions", "Functions in expressions"),
        ("expression-arguments", "Arguments in expressions"),
        ("expression-types", "Types in expressions"),
        ("expression-zero", "Divisors that are 0"),
        ("expression-evaluation", "Expressions that are evaluated"),
        ("expression-symbols", "Symbols in expressions"),
    ))),
    ("Tree specs", OrderedDict((
        ("treespec-syntax", "The spelling of tree specs"),
        ("treespec-protocols", "Protocols of tree specs"),
        ("treespec-types", "Types in tree specs"),
        ("treespec-contexts", "Contexts in tree specs"),
        ("treespec-children", "Children in tree specs"),
    ))),
    ("Metadata and guards", OrderedDict((
        ("metadata-modules", "nn_module_stack"),
        ("metadata-source", "source_fn and source_fn_stack"),
        ("metadata-torch-fn", "torch_fn"),
        ("metadata-custom", "Custom metadata"),
        ("metadata-from-node", "from_node"),
        ("guards", "Guards"),
    ))),
    ("Names", OrderedDict((
        ("targets-malformed", "The spelling of targets"),
        ("targets-unknown", "Targets that are no overload of an operator"),
        ("device-types", "Device types"),
        ("values-twice", "A value that is defined twice"),
        ("values-undefined", "A value that nothing defines"),
        ("values-early", "A value before its definition"),
        ("values-unlisted", "A value without an entry in its table"),
        ("values-listed-twice", "A value in two tables"),
        ("values-extra", "Listed values that nothing defines"),
        ("value-kinds", "Kinds of values"),
        ("input-kinds", "Kinds of inputs"),
        ("output-kinds", "Kinds of outputs"),
        ("node-names", "Node names that repeat"),
    ))),
    ("Subgraphs", OrderedDict((
        ("subgraph-names", "Names of subgraphs"),
        ("subgraphs-and-operators", "What operators take and return as subgraphs"),
    ))),
    ("The signature", OrderedDict((
        ("signature-length", "A signature of another length than the graph"),
        ("signature-specs", "Specs and the graph"),
        ("signature-order", "The order of specs"),
        ("signature-names", "Empty names in the signature"),
        ("signature-twice", "Names that the signature has twice"),
        ("mutations", "Mutations"),
        ("gradients", "Gradients and losses"),
        ("tokens", "Effect tokens"),
    ))),
    ("Tensors and symbols", OrderedDict((
        ("type-numbers", "Numbers of dtypes, layouts and memory formats"),
        ("sizes-and-strides", "Sizes, strides and storage offsets"),
        ("device-indexes", "Device indexes"),
        ("hints", "Hints"),
        ("symbols-without-range", "Symbols and their ranges"),
        ("range-constraints", "Ranges"),
    ))),
    ("Modules, operators and the header", OrderedDict((
        ("module-call-graph", "The module call graph"),
        ("operators-unknown", "Which operators there are"),
        ("operator-arguments", "Arguments of operators"),
        ("operator-outputs", "Outputs of operators"),
        ("operator-verifier", "Operators and verifiers"),
        ("opsets", "Opsets"),
        ("verifiers", "Verifiers and dialects"),
        ("torch-version", "torch_version"),
    ))),
    ("Writing", OrderedDict((
        ("written-order", "The order of keys that are written"),
        ("written-defaults", "Defaults and nulls that are written or left out"),
        ("written-strings", "How strings are written"),
        ("written-floats", "How floats are written"),
        ("written-fields", "Fields that the version does not have"),
        ("written-version", "The version that is written"),
    ))),
    ("Canonical form", OrderedDict((
        ("canonical-order", "The order of nodes in a canonical form"),
        ("canonical-names", "Names in a canonical form"),
        ("canonical-refusals", "Programs without a canonical form"),
    ))),
    ("Forward reading", OrderedDict((
        ("forward-reading", "What forward reading passes over"),
    ))),
    ("Migration", OrderedDict((
        ("migration", "A program at another version"),
    ))),
    ("Archives", OrderedDict((
        ("archives", "Programs in archives"),
        ("archive-marks", "What the marks of an archive say"),
        ("archive-members", "Members that are missing, or that nothing names"),
        ("archive-configs", "Payload configs"),
        ("archive-bytes", "Tensors and the bytes of their members"),
        ("archive-state", "State that is not what the program says"),
        ("archive-pickles", "What torch.save wrote in an archive"),
    ))),
    ("Limits of an implementation", OrderedDict((
        ("ends", "Documents on which a process ends"),
    ))),
))

TITLES = {name: title for names in GROUPS.values() for name, title in names.items()}
HEADING = {name: heading for heading, names in GROUPS.items() for name in names}

# The clauses that a split is about, where its vectors break, or are about, others too.
CLAUSES = {
    "written-order": ("3.9.2", "3.9.9"),
    "written-strings": ("3.9.3",),
    "written-floats": ("3.9.6", "3.9.4"),
    "written-defaults": ("3.9.7",),
}

# Heading of the clauses that begin so; the longest that fits counts.
BY_CLAUSE = {
    "1.4": "Limits", "1.5": "Order", "2.1": "Text and white space", "2.2": "Encoding",
    "2.3": "Text and white space", "2.4": "Strings", "2.5": "Duplicate keys", "2.6": "Numbers",
    "2.7": "Numbers", "3.1": "Versions", "3.2": "Numbers", "3.3": "Numbers", "3.4": "Types",
    "3.5": "Fields", "3.5.2": "Versions", "3.6": "Unions", "3.6.3": "Versions", "3.7": "Enums",
    "3.7.2": "Versions", "3.8": "Types", "3.8.1": "Strings", "3.9": "Writing",
    "3.10": "Forward reading", "4.1": "Expressions", "4.2": "Tree specs",
    "4.3": "Metadata and guards", "4.4": "Metadata and guards", "4.5": "Names", "4.6": "Names",
    "5.1": "Names", "5.2": "Subgraphs", "5.3": "The signature", "5.4": "Tensors and symbols",
    "5.5": "Modules, operators and the header", "5.6": "Modules, operators and the header",
    "5.7": "Modules, operators and the header", "6": "Canonical form", "7": "Migration",
    "8": "Archives",
}


def heading_of_clause(clause):
    """The heading under which a clause is told."""
    parts = clause.split(".")
    for length in (3, 2, 1):
        heading = BY_CLAUSE.get(".".join(parts[:length]))
        if heading:
            return heading
    return "Else"


def title_of(name):
    return TITLES.get(name) or name[0].upper() + name[1:].replace("-", " ")
