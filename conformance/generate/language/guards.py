"""Guards: what PyTorch's printer of shape guards writes, and what is no guard."""

from generate.language.texts import Texts
from generate.whole import MARK

M = MARK
X, Y = "L['x'].size()[0]", "L['y'].size()[1]"
GOOD = (
    ("relation", X + " <= 100", "4.4.1", "A size and a number."),
    ("equal", X + " == ((-1) + " + Y + ")", "4.4.1", "A sum in parentheses."),
    ("unequal", X + " != 0", "4.4.3", "A relation."),
    ("less", X + " < " + Y, "4.4.3", "A relation."),
    ("greater", X + " > 2", "4.4.3", "A relation."),
    ("never", "1 == 2", "4.4.1", "It may never hold."),
    ("true", "True", "4.4.1", "A truth."),
    ("false", "False", "4.4.1", "A truth."),
    ("not", "not (" + X + " == 4)", "4.4.1", "Not a condition."),
    ("and", X + " >= 2 and " + Y + " >= 2 and True", "4.4.1", "Conditions."),
    ("or", "(" + X + " == 2) or (" + Y + " == 3) or 1 < 2", "4.4.1", "Conditions."),
    ("mixed", X + " >= 2 and 1 < 2 or False", "4.4.1", "Both words."),
    ("product", "2*" + X + " == " + Y, "4.4.3", "A product."),
    ("float", "(0.5*torch.sym_float(" + X + ")) == 3.0", "4.4.3", "Floats."),
    ("quotient", "math.trunc(" + X + " / 2) == 30", "4.4.3", "A quotient in a function."),
    ("floor", X + " // 2 >= 1", "4.4.3", "A division."),
    ("modulo", X + " % 2 == 0", "4.4.3", "A remainder."),
    ("power", X + " ** 2 < 100", "4.4.3", "A power."),
    ("bits", "(" + X + " & 3) != (" + X + " | 4)", "4.4.3", "Of bits."),
    ("xor", X + " ^ 1 > 0", "4.4.3", "Of bits."),
    ("rational", X + " > 1/2", "4.4.3", "A fraction."),
    ("infinite", X + " < math.inf", "4.4.3", "A literal."),
    ("negative-infinite", X + " > -math.inf", "4.4.3", "A literal."),
    ("nan", X + " != math.nan", "4.4.3", "A literal."),
    ("negative", X + " > -3", "4.4.3", "A literal with its sign."),
    ("long", X + " < 123456789012345678901234567890", "4.4.3", "Of any length."),
    ("exponent", X + " < 1e+16", "4.4.3", "As Python prints it."),
    ("stride", "L['x'].stride()[0] == 1", "4.4.2", "A property."),
    ("storage-offset", "L['x'].storage_offset() == 0", "4.4.2", "A property."),
    ("item", "L['x'].item() == 0", "4.4.2", "A property."),
    ("bare", "L['n'] == 3", "4.4.2", "No property."),
    ("path", "L['args'][0]['k'].field.size()[0] == 3", "4.4.2", "A path."),
    ("path-bool", "L['a'][True] == L['a'][False]", "4.4.2", "Bools are keys."),
    ("path-negative", "L['a'][-1] == 1", "4.4.2", "An index."),
    ("quotes", "L[\"it's\"] == 1", "4.4.2", "A name with a single quote."),
    ("quotes-both", "L['it\\'s \"q\"'] == 1", "4.4.2", "A name with both quotes."),
    ("escapes", "L['\\n\\t\\r\\\\\\x01\\u200b\\U000e0001'] == 1", "4.4.2", "Escapes."),
    ("escape-last", "L['\\uffff\\U0010ffff'] == 1", "4.4.2", "The last character."),
    ("unicode", "L['\u00e9\U0001f600'] == 1", "4.4.2", "Beyond ASCII."),
    ("attribute-unicode", "L['x'].\u00e9t\u00e9 == 1", "4.4.2", "An identifier beyond ASCII."),
    ("choice", "(1 if " + X + " == 2 else 3) == " + Y, "4.4.3", "A choice of numbers."),
    ("choice-bool", "(True if " + X + " == 2 else 1 < 2)", "4.4.3", "A choice of conditions."),
    ("max", "max(" + X + ", " + Y + ", 3) > 2", "4.4.4", "Two or more."),
    ("round-one", "round(" + X + " / 2) == 2", "4.4.4", "One argument."),
    ("round-two", "round(" + X + " / 2, 1) == 2.5", "4.4.4", "Two arguments."),
    ("sym-max", "torch.sym_max(" + X + ", 2) >= torch.sym_min(1, 2)", "4.4.4", "Two arguments."),
    ("sqrt", "torch._sym_sqrt(" + X + ") > math.sqrt(2)", "4.4.4", "One argument."),
    ("abs", "abs((-2)) == math.floor(2.5)", "4.4.4", "One argument."),
    ("cast", "cast_symbool_to_symint_guardless(L['b']) == 1", "4.4.4", "One argument."),
    ("indicator", "IsNonOverlappingAndDenseIndicator(" + X + ", 1) == 1", "4.4.4", "One or more."),
    ("nested", "((((" + X + "))) == (2))", "4.4.1", "Parentheses."),
)
BAD = (
    ("empty", M, "No guard."),
    ("space", M + " " + X + " == 1", "White space."),
    ("space-after", X + " == 1" + M + " ", "White space."),
    ("tight", X + M + "<=100", "Blanks are due."),
    ("half-tight", X + M + " <=100", "A blank is due."),
    ("number", X + M, "A number is no condition."),
    ("literal", "1" + M, "A number is no condition."),
    ("print", M + "print(1) == 2", "No such function."),
    ("import", M + "__import__('os') == 1", "No such function."),
    ("call-source", "L['x']" + ".size()[0]" + M + "() == 1", "A size is not called."),
    ("other-name", M + "G['x'] == 1", "No such source."),
    ("source-bare", M + "L == 1", "A name is due."),
    ("source-number", "L[" + M + "0] == 1", "A name is due."),
    ("source-open", "L['x'" + M + " == 1", "It stays open."),
    ("string-open", "L['x" + M, "It ends early."),
    ("index-empty", "L['x'][" + M + "] == 1", "An index is due."),
    ("size-no-index", "L['x'].size()" + M + " == 1", "An index is due."),
    ("size-negative-zero", "L['x'].size()[" + M + "01] == 1", "A leading zero."),
    ("property-twice", "L['x'].item()" + M + ".item() == 1", "One property."),
    ("behind-property", X + M + ".real == 1", "Nothing behind it."),
    ("double-quotes", "L[\"x" + M + "\"] == 1", "Python's repr prefers single ones."),
    ("escape-unknown", "L['" + M + "\\q'] == 1", "No such escape."),
    ("escape-upper-case", "L['\\x" + M + "A0'] == 1", "repr writes lower case."),
    ("escape-beyond", "L['\\U001" + M + "10000'] == 1", "No character has the number."),
    ("raw-control", "L['a" + M + "\nb'] == 1", "An escape is due."),
    ("relation-chain", "1 < " + X + M + " < 3", "Relations do not follow each other."),
    ("relation-none", X + M + " ", "It ends early."),
    ("relation-is", X + M + " is 1", "No such relation."),
    ("relation-in", X + M + " in L['y']", "No such relation."),
    ("relation-open", X + " == " + M, "It ends early."),
    ("assign", X + M + " = 1", "No relation."),
    ("walrus", "(" + M + "y := 1) == 1", "No such thing."),
    ("lambda", M + "lambda: 0", "No such thing."),
    ("not-number", "not (" + X + M + ")", "A condition is due."),
    ("not-bare", M + "not " + X + " == 1", "Parentheses are due."),
    ("not-twice", M + "not not (True)", "Parentheses are due."),
    ("and-open", "True and " + M, "It ends early."),
    ("and-number", "True and 1" + M, "A condition is due."),
    ("and-signs", "True" + M + " && True", "Python's word."),
    ("minus-factor", "2*" + M + "-3 == 1", "A sign of its own wants parentheses."),
    ("minus-source", M + "-" + X + " == 1", "A sign is a literal's."),
    ("minus-operator", X + M + " - 1 == 1", "No such operator."),
    ("product-wide", X + M + " * 2 == 1", "No blanks."),
    ("unclosed", "(" + X + " == 1" + M, "It ends early."),
    ("closed", X + " == 1" + M + ")", "A parenthesis too many."),
    ("group-empty", "(" + M + ") == 1", "Nothing in it."),
    ("zero", X + " == " + M + "01", "A leading zero."),
    ("minus-zero", X + " == " + M + "-0", "Zero has no sign."),
    ("float-form", X + " == " + M + "2.50", "Not as Python prints it."),
    ("float-exponent", X + " == " + M + "1e5", "Not as Python prints it."),
    ("rational-zero", X + " == 1/" + M + "02", "A leading zero."),
    ("rational-negative", X + " == 1/" + M + "-2", "Digits are due."),
    ("infinite-name", X + " < " + M + "inf", "No such name."),
    ("function-bare", M + "abs == 1", "A parenthesis is due."),
    ("function-none", "abs(" + M + ") == 1", "An argument is due."),
    ("function-many", "abs(1" + M + ", 2) == 1", "One argument."),
    ("function-few", "torch.sym_max(1" + M + ") == 1", "Two arguments."),
    ("shift", M + "LShift(" + X + ", 1) == 4", "No such function."),
    ("max-one", "max(1" + M + ") == 1", "Two or more."),
    ("round-three", "round(1, 2" + M + ", 3) == 1", "Two at most."),
    ("argument-condition", "abs(1 < 2" + M + ") == 1", "A number is due."),
    ("argument-bool", "abs(" + M + "True) == 1", "A number is due."),
    ("argument-tight", "max(1" + M + ",2) == 1", "A blank is due."),
    ("math-other", M + "math.exp(1) == 1", "No such function."),
    ("index-word", "L['x'][" + M + "Truex] == 1", "A longer word."),
    ("index-word-point", "L['x'][" + M + "False.x] == 1", "A longer word."),
    ("word-longer", M + "Truex", "A longer word."),
    ("word-point", M + "True.x", "A longer word."),
    ("escape-open", "L['\\x4" + M + "g'] == 1", "Two digits are due."),
    ("choice-no-else", "(1 if True" + M + ") == 1", "Else is due."),
    ("choice-condition", "(1 if 2" + M + " else 3) == 1", "A condition is due."),
    ("two", X + " == 1" + M + "; True", "One condition."),
    ("newline", X + " == 1" + M + "\n", "White space."),
    ("comment", X + " == 1" + M + "  # yes", "No comments."),
)
CLAUSES = {  # that bad ones break beside 4.4.1, by the beginning of the label
    **dict.fromkeys(("source", "string", "index", "size", "property", "behind", "double", "quote",
                     "escape", "raw", "other"), ["4.4.2"]),
    **dict.fromkeys(("relation", "assign", "minus", "product", "zero", "float", "rational",
                     "infinite", "choice", "tight", "half"), ["4.4.3"]),
    **dict.fromkeys(("print", "import", "function", "max", "round", "argument", "math", "shift"),
                    ["4.4.4"]),
}
SHOWN = ("empty", "relation", "number", "print", "quotes", "unclosed")


def vectors(suite):
    for version, full in (("8.20", True), ("8.11", False), ("8.14", False)):
        texts = Texts(suite, version, "guard")
        for label, text, clause, why in GOOD:
            if full or label in SHOWN:
                texts.good(label, texts.guard(text), [clause, "4.4.1"], why)
        for label, text, why in BAD:
            if full or label in SHOWN:
                texts.bad("bad-" + label, texts.guard(text), "EP_GUARD", None, why,
                          also=CLAUSES.get(label.split("-")[0], ()))
        several(texts)


def several(texts):
    """Each guard is judged."""
    def change(data):
        data["header"]["guards_code"].append(M + "x")
    texts.bad("second", change, "EP_GUARD", None, "The second of two.")

    def none(data):
        data["header"]["guards_code"] = []
    texts.good("none", none, "4.4.1", "There need be none.")
