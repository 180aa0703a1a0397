"""Tests of epref.Builder, run by ../test/package as test_epref.py is. That it can make again what
there is, the conformance suite asks (building.py)."""

import random
import threading
import unittest
import weakref

import epref

RELU = "torch.ops.aten.relu.default"


def unary(builder, target=RELU, shape=(4, 3)):
    """A program of one node; its values."""
    x = builder.graph.tensor("x", "float32", shape)
    y = builder.graph.tensor("y", "float32", shape)
    builder.input(x)
    builder.graph.node(target, {"self": x}, [y])
    builder.output(y)
    return x, y


class Building(unittest.TestCase):
    def test_every_version(self):
        texts = set()
        for version in epref.versions():
            builder = epref.Builder(version.name)
            unary(builder)
            program = builder.build()
            self.assertEqual(program.schema_version, version.name)
            self.assertEqual(program.encode(), builder.text)
            self.assertEqual(program.nodes[0].target, RELU)
            texts.add(builder.text)
        self.assertGreater(len(texts), 10)

    def test_metadata(self):
        builder = epref.Builder()
        x, y = unary(builder)
        z = builder.graph.tensor("z", "float32", (4, 3))
        builder.graph.node(RELU, {"self": y}, [z], stack_trace="here", metadata={"own": "1"},
                           modules=[("L__self__", "", "M"), ("L__self___a", "a", "N")],
                           source=("relu", "torch.relu"), torch_fn=("relu_1", "function.relu"))
        self.assertEqual(builder.build(check=False).nodes[1].metadata, {
            "stack_trace": "here", "nn_module_stack": "L__self__,,M;L__self___a,a,N",
            "source_fn_stack": "relu,torch.relu", "torch_fn": "relu_1;function.relu", "own": "1"})

    def test_arguments(self):
        """What Python tells alone gets the tag that it has in the schema."""
        builder = epref.Builder()
        x = builder.graph.tensor("x", "float32", (2,))
        n = builder.graph.symbolic("n", builder.symbol("u0"))
        y = builder.graph.tensor("y", "float32", (2,))
        values = [(None, "as_none"), (True, "as_bool"), (-7, "as_int"), (0.5, "as_float"),
                  (1 + 2j, "as_complex"), ("text", "as_string"), ([1, 2], "as_ints"),
                  ([True], "as_bools"), ([1, 2.5], "as_floats"), (["a"], "as_strings"),
                  ([], "as_ints"), (x, "as_tensor"), ([x, y], "as_tensors"),
                  ([x, None], "as_optional_tensors"), (n, "as_sym_int"), ([n, 3], "as_sym_ints"),
                  ({"a": 1, "b": x}, "as_string_to_argument")]
        tagged = [("cuda:1", "as_device"), ("cpu", "as_device"), ("bfloat16", "as_scalar_type"),
                  ("HALF", "as_scalar_type"), ("Strided", "as_layout"),
                  ("ContiguousFormat", "as_memory_format"), (None, "as_optional_tensor"),
                  ([], "as_floats"), ([[1], [2, 3]], "as_int_lists"),
                  ([[x], [y]], "as_nested_tensors"), ("_operator.add", "as_operator")]
        inputs = [(f"a{i}", value) for i, (value, _) in enumerate(values)]
        inputs += [(f"b{i}", builder.arg(value, tag)) for i, (value, tag) in enumerate(tagged)]
        builder.graph.node("torch.ops.mylib.every.default", inputs, [y], kwargs={"last": 1})
        read = builder.build(check=False).nodes[0].inputs
        self.assertEqual([each.tag for each in read],
                         [tag for _, tag in values + tagged] + ["as_int"])
        self.assertEqual([each.is_keyword for each in read], [False] * (len(read) - 1) + [True])
        self.assertEqual([each.value for each in read[1:4]], [True, -7, 0.5])
        self.assertEqual(read[len(values)].value, {"type": "cuda", "index": 1})
        self.assertEqual(read[len(values) + 2].value, "BFLOAT16")

    def test_expressions(self):
        builder = epref.Builder("torch-2.3")  # which spells them as people do
        s0, u0 = builder.symbol("s0", 4), builder.symbol("u0")
        made = [s0 + 1, 1 + s0, s0 - 1, 2 * s0, s0 // 2, s0 % 3, s0.max(u0), s0.min(7), s0 * u0]
        builder.range(s0, 2, 100)
        for i, expression in enumerate(made):
            builder.graph.symbolic(f"n{i}", expression)
        for name in ("lt", "le", "gt", "ge", "eq", "ne"):
            builder.graph.symbolic(name, getattr(s0, name)(u0))
        program = builder.build(check=False)
        said = program.value["graph_module"]["graph"]
        texts = [each["expr_str"] for each in
                 (value["as_expr"] for value in said["sym_int_values"].plain().values())]
        self.assertEqual(texts, ["s0 + 1", "s0 + 1", "s0 - 1", "2*s0", "(s0//2)", "Mod(s0, 3)",
                                 "Max(s0, u0)", "Min(s0, 7)", "s0*u0"])
        self.assertEqual([value["as_expr"]["expr_str"] for value in
                          said["sym_bool_values"].plain().values()][:2], ["s0 < u0", "s0 <= u0"])
        self.assertEqual(program.ranges["s0"], epref.Range(2, 100))

    def test_subgraphs(self):
        builder = epref.Builder()
        graph = builder.graph
        pred, x = graph.tensor("pred", "bool", ()), graph.tensor("x", "float32", (3,))
        out = graph.tensor("out", "float32", (3,))
        builder.input(pred)
        builder.input(x)
        branches = []
        for name, target in (("true_graph_0", "sin"), ("false_graph_0", "cos")):
            branch = builder.subgraph(name)
            given, made = (branch.tensor(each, "float32", (3,)) for each in ("arg0_1", target))
            branch.input(given)
            branch.node(f"torch.ops.aten.{target}.default", {"self": given}, [made])
            branch.output(made)
            branches.append(branch)
        graph.node("torch.ops.higher_order.cond", [("", pred), ("", branches[0]),
                   ("", branches[1]), ("", [x])], [out], returns="tuple")
        builder.output(out)
        program = builder.build()
        self.assertEqual([each.name for each in program.graph.subgraphs()],
                         ["true_graph_0", "false_graph_0"])

    def test_calls(self):
        builder = epref.Builder()
        x, y = unary(builder)
        leaf = epref.LEAF
        builder.call(({"x": leaf},), [leaf], names=["batch"], inputs=[x], outputs=[y])
        builder.module("layer", (leaf,), leaf, inputs=[x], outputs=[y])
        builder.module("other")
        builder.opset("mylib", 3)
        builder.torch_version("2.13.1")
        builder.guard("L['x'].size()[0] == 4")
        program = builder.build()
        entries = program.value["graph_module"]["module_call_graph"].plain()
        self.assertEqual([each["fqn"] for each in entries], ["", "layer", "other"])
        self.assertIn("builtins.dict", entries[0]["signature"]["in_spec"])
        for entry in entries[:2]:
            self.assertEqual(entry["signature"]["inputs"], [{"as_tensor": {"name": "x"}}])
            self.assertEqual(entry["signature"]["outputs"], [{"as_tensor": {"name": "y"}}])
        self.assertEqual((program.opset_version["mylib"], program.torch_version, program.guards),
                         (3, "2.13.1", ["L['x'].size()[0] == 4"]))


class Refusals(unittest.TestCase):
    def test_a_call_that_is_refused_ends_it(self):
        builder = epref.Builder()
        with self.assertRaises(epref.Error) as caught:
            builder.graph.tensor("x", "nibble", (3,))
        self.assertEqual(caught.exception.code, "EP_ARGUMENT")
        self.assertTrue(caught.exception.detail)
        for call in (builder.build, lambda: builder.arg(1), lambda: builder.symbol("s0"),
                     lambda: builder.has("Node")):
            self.assertRaises(ValueError, call)

    def test_a_program_that_is_refused(self):
        builder = epref.Builder()
        x, _ = unary(builder, "torch.ops.aten.relu.other")
        with self.assertRaises(epref.Error) as caught:
            builder.build()
        error = caught.exception
        self.assertEqual(error.code, "EP_OPERATOR")
        self.assertTrue(builder.text[error.offset:].startswith(b'"torch.ops.aten.relu.other"'))
        self.assertRaises(ValueError, builder.output, x)

    def test_versions(self):
        self.assertTrue(epref.Builder("8.20").has("OutputSpec", "token"))
        self.assertFalse(epref.Builder("torch-2.2").has("OutputSpec", "token"))
        self.assertRaises(ValueError, epref.Builder, "99.9")

    def test_others(self):
        """What another builder made is not taken, nor what is another thing."""
        one, two = epref.Builder(), epref.Builder()
        x = one.graph.tensor("x", "float32", (1,))
        argument = one.arg(1)
        for call in (lambda: two.arg(x), lambda: two.input(argument),
                     lambda: two.graph.tensor("y", "float32", (one.symbol("s0", 2),)),
                     lambda: two.range(one.symbol("s1", 2)),
                     lambda: two.arg(one.subgraph("g")), lambda: two.arg([x, x])):
            self.assertRaises(ValueError, call)
        for wrong in (object(), b"bytes", [object()], {1: 2}):
            self.assertRaises(TypeError, two.arg, wrong)
        for value, tag in (("1", "as_int"), (1.5, "as_int"), (None, "as_float"), (1, "as_bool"),
                           ([1.5], "as_ints"), (["x"], "as_tensors"), (7, "as_string")):
            with self.assertRaises((TypeError, ValueError), msg=tag):
                two.arg(value, tag)
        self.assertRaises(OverflowError, two.arg, 2**63)
        self.assertRaises(ValueError, two.arg, "a", "as_nothing")
        self.assertRaises(ValueError, two.arg, "nul\0", "as_operator")
        unary(two)  # which nothing of this ended
        self.assertEqual(len(two.build().nodes), 1)

    def test_what_is_left_over(self):
        """A builder that nobody ends, and parts that outlive it."""
        for _ in range(100):
            builder = epref.Builder()
            x, _ = unary(builder)
        gone = weakref.ref(builder)
        self.assertEqual(builder.graph, builder.graph)
        self.assertNotEqual(builder.graph, builder.subgraph("g"))
        del builder
        self.assertIsNone(gone())  # at once, and not when garbage is collected
        self.assertEqual(x.name, "x")

    def test_random_calls(self):
        """Whatever is called in whatever order, the answer is a value or an exception."""
        draw = random.Random(5)
        for _ in range(200):
            builder = epref.Builder(draw.choice(epref.versions()).name)
            parts = [0, 1, None, "x", builder.graph, 2.5, True, float("nan"), (), [1], {}]
            for _ in range(20):
                call = draw.choice([
                    lambda: builder.graph.tensor("x", "float32", (draw.choice(parts),)),
                    lambda: builder.symbol("s0", draw.choice([None, 4, 2**62])),
                    lambda: builder.arg(draw.choice(parts)),
                    lambda: builder.arg([draw.choice(parts), draw.choice(parts)]),
                    lambda: builder.input(draw.choice(parts)),
                    lambda: builder.graph.node(RELU, [("self", draw.choice(parts))],
                                               [draw.choice(parts)]),
                    lambda: builder.subgraph("g"),
                    lambda: builder.output(draw.choice(parts), draw.choice(["user", "loss"])),
                    lambda: draw.choice(parts) + draw.choice(parts)])
                try:
                    parts.append(call())
                except (epref.Error, TypeError, ValueError):
                    pass
            try:
                builder.build()
            except (epref.Error, ValueError):
                pass

    def test_threads(self):
        """One of several threads ends a builder; the others are told."""
        for _ in range(50):
            builder = epref.Builder()
            unary(builder)
            ended = []

            def end():
                try:
                    ended.append(builder.build())
                except ValueError:
                    pass

            threads = [threading.Thread(target=end) for _ in range(3)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(len(ended), 1)


if __name__ == "__main__":
    unittest.main()
