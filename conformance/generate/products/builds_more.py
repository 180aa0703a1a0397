"""Programs that are built again, further ones: every part of a signature among the others, hints
where arithmetic has its edges, sizes that are multiplied, texts of every length in UTF-8, more
bytes than a writer holds at a time.
"""

from generate.language.texts import since
from generate.products.builds import FORMS, LATEST, has, header, plain, put, symbol, symbolic
from generate.whole import (Draft, buffer, call, custom_obj, meta, parameter, spec, sym_bool,
                            sym_float, sym_int, tensor, user_input, user_output)

TWO = 1 << 31
NEGATIVE = (  # (label, srepr, hint where s0 is 8 and s1 is 3)
    ("quotient", "FloorDiv({a}, Integer(-7))", -2), ("quotient-whole", "FloorDiv({a}, Integer(-4))", -2),
    ("quotient-two", "FloorDiv({a}, Integer(-3))", -3), ("rest", "Mod({a}, Integer(-7))", -6),
    ("rest-whole", "Mod({a}, Integer(-4))", 0), ("rest-two", "Mod({a}, Integer(-3))", -1),
    ("both", "FloorDiv(Mul(Integer(-1), {a}), Integer(-7))", 1),
    ("both-rest", "Mod(Mul(Integer(-1), {a}), Integer(-7))", -1),
    ("symbol", "FloorDiv({a}, Mul(Integer(-1), {b}))", -3),
    ("symbol-rest", "Mod({a}, Mul(Integer(-1), {b}))", -1),
    ("sum", "Add({a}, Integer(-9))", -1), ("sum-two", "Add({a}, Integer(-3), Integer(-5))", 0),
)


def hinted(suite, label, version, text, hint):
    draft = symbolic(version)
    draft.node(call("mylib.n.default", {"a": sym_int("n")}, sym_int("m")))
    draft.table("sym_int_values", m=(text, hint))
    put(suite, "expression-" + label, version, draft, "An expression and its hint.", ["4.1.6"])


def hints(suite):
    for version in ("8.2", LATEST):
        for label, text, hint in NEGATIVE:
            hinted(suite, "negative-" + label, version, text.format(
                a=symbol(version), b=symbol(version, "s1")), hint)
    for version in ("7.3", LATEST):
        for label, size in (("at", TWO), ("below", TWO - 1)):
            ranges = {"s0": {"min_val": 2, "max_val": 4 * TWO}}
            draft = Draft(header=header(version, range_constraints=ranges))
            draft.take(user_input(tensor("x"))).tensors(x=meta((symbol(version), size)))
            draft.node(call("aten.sym_size.int", {"self": tensor("x"), "dim": {"as_int": 0}},
                            sym_int("n")),
                       call("mylib.n.default", {"a": sym_int("n")}, sym_int("m")))
            text = "Mul(Integer(3), %s)" if since(version, "8.2") else "3*%s"
            draft.table("sym_int_values", n=(symbol(version), size),
                        m=(text % symbol(version), 3 * size))
            put(suite, "hint-" + label, version, draft.give(user_output(tensor("x"))),
                "A product of numbers of 32 bits.", ["4.1.6"])
    for version in ("2", "7.3", LATEST):
        draft = Draft(header=header(version)).take(user_input(tensor("x"))).tensors(
            x=meta(2, 3, TWO + 1))
        put(suite, "strides-great", version, draft.give(user_output(tensor("x"))),
            "A stride is a number, whatever its size.", ["3.6.1"])


def product(version, number, text):
    return ("Mul(Integer(%d), %s)" if since(version, "8.2") else "%d*%s") % (number, text)


def sizes(suite):
    """Strides that are products of sizes, of numbers and symbols in every order."""
    for version in ("2", "7.3", LATEST):
        name = symbol(version)
        one, three = (name, 8), (product(version, 3, name), 24)
        six = (product(version, 6, name), 48)
        rows = (("last", (4, 3, one), [three, one, 1]), ("middle", (4, one, 3), [three, 3, 1]),
                ("first", (one, 4, 3), [12, 3, 1]), ("both", (5, 2, one, 3), [six, three, 3, 1]),
                ("ones", (1, 1, one), [one, one, 1]), ("zero", (4, 0, one), [one, one, 1]))
        for label, said, strides in rows:
            draft = symbolic(version)
            draft.node(call("mylib.z.default", {"a": sym_int("n")}, tensor("z")))
            draft.tensors(z=meta(*said, strides=strides))
            put(suite, "sizes-" + label, version, draft, "Strides of sizes that are multiplied.",
                ["4.1.6"])
        sums = [(text % symbol(version, name), value) for text, name, value in (
            ("Add(%s, Integer(1))", "s0", 9), ("Add(%s, Integer(-1))", "s1", 2))] \
            if since(version, "8.2") else [("s0 + 1", 9), ("s1 - 1", 2)]
        texts = [text for text, _ in sums]
        both = ("Mul(%s, %s)" if since(version, "8.2") else "(%s)*(%s)") % tuple(texts)
        draft = symbolic(version)
        draft.node(call("mylib.z.default", {"a": sym_int("n")}, tensor("z")))
        draft.tensors(z=meta(2, *sums, strides=[(both, 18), sums[1], 1]))
        put(suite, "sizes-sums", version, draft, "A stride that is the product of two sums.",
            ["4.1.6"])


TEXTS = ("\u007f\u0080", "\u07ff\u0800", "\ud7ff\ue000", "\uffff\U00010000", "\U0010ffff\U00010001",
         "a\u0080b\u0800c\U00010000d")


def texts(suite):
    for version in ("1", "5.3", LATEST):
        for i, text in enumerate(TEXTS):
            draft = plain(version).tensors(r=meta(2))
            draft.node(call("mylib.f.default", {"v": {"as_string": text}, "w": {
                "as_strings": [text, "", text + text]}}, tensor("r")))
            put(suite, "text-%d" % i, version, draft, "The least and the greatest of each length.",
                ["2.4.2"])
    for version in ("7.3", LATEST):
        draft = plain(version)
        for i in range(260):
            draft.node(call("mylib.f%d.default" % i, {"self": tensor("x" if i == 0 else "r%d" % (
                i - 1)), "number": {"as_int": i}}, tensor("r%d" % i)))
            draft.tensors(**{"r%d" % i: meta(i + 1)})
        put(suite, "long", version, draft, "More than a writer holds at a time.")


# ---- signatures ----------------------------------------------------------------------------------


def mixed(version):
    """Two of every kind of input and output that a version has."""
    draft = Draft(header=header(version))
    names = []

    def value(name):
        names.append(name)
        return name
    if has(version, "TokenArgument"):
        draft.take(spec("token", value("token")), spec("token", value("token_1")))
    draft.take(parameter(value("p_w"), "w"), parameter(value("p_v"), "sub.v"),
               buffer(value("b_a"), "a"), buffer(value("b_b"), "sub.b"))
    if has(version, "InputToBufferSpec", "persistent"):
        draft.take({"buffer": {**buffer(value("b_n"), "n")["buffer"], "persistent": False}},
                   buffer(value("b_c"), "c"),
                   {"buffer": {**buffer(value("b_m"), "m")["buffer"], "persistent": False}})
    if since(version, "2"):
        draft.take(spec("tensor_constant", value("c_k"), tensor_constant_name="k"),
                   spec("tensor_constant", value("c_l"), tensor_constant_name="l"))
    if has(version, "CustomObjArgument", "class_fqn") and since(version, "5.3"):
        for name in ("o", "q"):
            held = custom_obj("obj_" + name)["as_custom_obj"]
            draft.take({"custom_obj": {"arg": held, "custom_obj_name": name}})
            draft.table("custom_obj_values", **{"obj_" + name: held})
    draft.take(user_input(tensor(value("x"))), user_input(tensor(value("y"))))
    if has(version, "InputToConstantInputSpec"):
        draft.take({"constant_input": {"name": "k", "value": {"as_int": 3}}},
                   {"constant_input": {"name": "l", "value": {"as_string": "x"}}})
    return draft.tensors(**{name: meta(2) for name in names})


def made(draft, *names):
    draft.tensors(**{name: meta(2) for name in names})
    return draft.node(call("mylib.f.default", {"a": tensor("x"), "b": tensor("y")},
                           [tensor(name) for name in names]))


def signatures(suite):
    for version in FORMS:
        if not since(version, "2"):
            continue
        draft = mixed(version)
        outputs = []
        if has(version, "TokenArgument"):
            outputs += [spec("token", "t0"), spec("token", "t1")]
        outputs += [spec("buffer_mutation", "m0", buffer_name="sub.b"),
                    spec("buffer_mutation", "m1", buffer_name="a")]
        if has(version, "ParameterMutationSpec"):
            outputs += [spec("parameter_mutation", "m2", parameter_name="sub.v"),
                        spec("parameter_mutation", "m3", parameter_name="w")]
        if has(version, "UserInputMutationSpec"):
            outputs += [{"user_input_mutation": {"arg": {"name": "m4"}, "user_input_name": "y"}},
                        {"user_input_mutation": {"arg": {"name": "m5"}, "user_input_name": "x"}}]
        names = [each["arg"]["name"] for one in outputs for each in one.values()]
        made(draft, *names, "r0", "r1")
        draft.give(*outputs, user_output(tensor("r1")), user_output(tensor("r0")))
        put(suite, "signature-every", version, draft, "Two of every kind, in and out.", ["5.3.1"])
        joint(suite, version)
        symbols(suite, version)


def joint(suite, version):
    draft = mixed(version)
    tokens = ("t0", "t1") if has(version, "TokenArgument") else ()
    made(draft, *tokens, "s", "g0", "g1", "g2", "g3", "r0", "r1")
    draft.give(*[spec("token", name) for name in tokens])
    draft.data["graph"]["tensor_values"]["s"] = meta()
    draft.give(user_output(tensor("r0")), spec("loss_output", "s"), user_output(tensor("r1")),
               spec("gradient_to_parameter", "g0", parameter_name="sub.v"),
               spec("gradient_to_parameter", "g1", parameter_name="w"),
               spec("gradient_to_user_input", "g2", user_input_name="y"),
               spec("gradient_to_user_input", "g3", user_input_name="x"))
    put(suite, "signature-joint", version, draft, "A loss between outputs, and gradients.",
        ["5.3.10"])


def symbols(suite, version):
    """Symbolic values of every kind that go in and out."""
    draft = symbolic(version)
    draft.node(call("mylib.b.default", {"a": sym_int("n")}, sym_bool("c")))
    text = "StrictLessThan(%s, Integer(9))" if since(version, "8.2") else "%s < 9"
    draft.table("sym_bool_values", c=text % symbol(version))
    draft.give(user_output(sym_int("n")), user_output(sym_bool("c")))
    if has(version, "SymFloat"):
        draft.node(call("mylib.q.default", {"a": sym_int("n")}, sym_float("f")))
        draft.table("sym_float_values", f="ToFloat(%s)" % symbol(version))
        draft.give(user_output(sym_float("f")))
    put(suite, "signature-symbols", version, draft, "Symbolic values of every kind.", ["5.3.1"])


# ---- metadata -------------------------------------------------------------------------------


def stacks(suite):
    """Several nodes, each below other modules; a node without any between them."""
    for version in FORMS:
        form = "%s:(%s,%s)" if version == "1" else "%s,%s,%s"
        said = [[("L__self__", "", "models.MLP"), ("sub", "sub", "models.Sub")],
                [("L__self__", "", "models.MLP")], [],
                [("other", "other", "models.Other"), ("last", "other.last", "models.Last")]]
        names = ["x", "y", "z", "v", "w"]
        draft = Draft(header=header(version)).take(user_input(tensor("x")))
        draft.tensors(**{name: meta(2) for name in names})
        for before, name, frames in zip(names, names[1:], said):
            draft.node(call("mylib.f.default", {"self": tensor(before)}, tensor(name)))
            text = ";".join(form % frame for frame in frames)
            draft.data["graph"]["nodes"][-1]["metadata"] = {"nn_module_stack": text} if text else {}
        put(suite, "metadata-stacks", version, draft.give(user_output(tensor("w"))),
            "The modules around several nodes.", ["4.3.1"])


def vectors(suite):
    stacks(suite)
    hints(suite)
    sizes(suite)
    texts(suite)
    signatures(suite)
