"""Pairs of programs, exported here, on which PyTorch's canonical form is wrong.

Some pairs it takes for one program, and they compute different things. Others it
tells apart, and they are the same program. The form and the digest of epref have
to say it as it is.
"""

import copy
import subprocess

import running


def confused(torch):
    """{name of the pair: (the modules, arguments, dynamic shapes)}"""

    class ReadFirst(torch.nn.Module):
        def forward(self, x):
            y = x.view(-1)
            s = y.sum()
            x.add_(1)
            return s

    class WriteFirst(torch.nn.Module):
        def forward(self, x):
            y = x.view(-1)
            x.add_(1)
            s = y.sum()
            return s

    class DrawFirst(torch.nn.Module):
        def forward(self, x):
            one = torch.rand_like(x)
            other = torch.randn_like(x)
            return one, other

    class DrawSecond(torch.nn.Module):
        def forward(self, x):
            other = torch.randn_like(x)
            one = torch.rand_like(x)
            return one, other

    x = torch.arange(6.0).reshape(2, 3)
    return {"confused": ((ReadFirst(), WriteFirst()), (x,), None),
            "confused, random": ((DrawFirst(), DrawSecond()), (x,), None)}


def separated(torch):
    """As confused()."""

    class ByX(torch.nn.Module):
        def forward(self, x, y):
            one = x + 1
            two = x + 2
            return one * two + y

    class ByValue(torch.nn.Module):
        def forward(self, value, y):
            two = value + 2
            one = value + 1
            return one * two + y

    class Names(torch.nn.Module):
        """Names of nodes alone: PyTorch's form has both multiplications in one order."""

        def __init__(self, swapped):
            super().__init__()
            self.swapped = swapped

        def forward(self, x, y):
            if self.swapped:
                two = y * 3
                one = x * 2
            else:
                one = x * 2
                two = y * 3
            return one - two

    class Order(torch.nn.Module):
        """The order of nodes that differ in a number alone."""

        def __init__(self, swapped):
            super().__init__()
            self.swapped = swapped

        def forward(self, x, y):
            if self.swapped:
                two = x + 2
                one = x + 1
            else:
                one = x + 1
                two = x + 2
            return one * two - y

    class SymbolOfX(torch.nn.Module):
        def forward(self, x, y):
            return x * y.sum()

    class SymbolOfValue(torch.nn.Module):
        def forward(self, value, y):
            return value * y.sum()

    args = torch.arange(6.0).reshape(2, 3), torch.tensor([1.0, 10.0, 100.0])
    dynamic = {0: torch.export.Dim("rows", min=2, max=64)}, None
    return {"separated": ((ByX(), ByValue()), args, dynamic),
            "separated, names": ((Names(False), Names(True)), args, None),
            "separated, order": ((Order(False), Order(True)), args, None),
            "separated, symbols": ((SymbolOfX(), SymbolOfValue()), args, dynamic)}


class Exported:
    """A module, exported, in each of its forms."""

    def __init__(self, torch, epref, module, args, dynamic):
        from torch._export.serde import serialize
        self.program = torch.export.export(module, args, dynamic_shapes=dynamic)
        for node in self.program.graph.nodes:  # says on which machine this was
            node.meta.pop("stack_trace", None)
        self.artifact = serialize.serialize(self.program)
        self.text = self.artifact.exported_program
        made = serialize.ExportedProgramSerializer().serialize(self.program).exported_program
        self.torch_form = serialize._to_json_bytes(
            serialize.canonicalize(made, set(self.program.constants)))
        self.form = self.ask(epref, "canon")
        self.made_torch_form = self.ask(epref, "canon", "--form=torch")
        self.digest = self.ask(epref, "digest").split()[0].decode()

    def ask(self, epref, *words):
        return subprocess.run([epref, *words, "-"], input=self.text, stdout=subprocess.PIPE,
                              check=True).stdout

    def canonical(self):
        """The program that PyTorch makes of the form of epref."""
        from torch._export.serde import serialize
        artifact = copy.copy(self.artifact)
        artifact.exported_program = self.form
        return serialize.deserialize(artifact)


def outcome(torch, exported, args):
    """What a program computes; its canonical form has to compute the same."""
    runner, inputs = running.Runner(torch), (args, {}, 0)
    way = running.MODULE[0]
    seen = runner.run(exported.program, inputs, way)
    told = runner.differences(seen, runner.run(exported.canonical(), inputs, way))
    return seen, [f"the canonical form computes something else: {text}" for text in told]


def outputs(seen):
    return [value for label, value in seen.items() if label.startswith("output ")]


def prove_pair(torch, pair, one_program, args):
    """(What is wrong with a pair, as texts; what the one gives back; what the other)"""
    (one, wrong), (other, wrong_too) = (outcome(torch, exported, args) for exported in pair)
    a, b = pair
    same = not running.Runner(torch).differences(one, other)
    texts = wrong + wrong_too
    for said, wanted, what in [
            (a.torch_form == b.torch_form, not one_program, "PyTorch's form"),
            (same, one_program, "what they compute"),
            (a.made_torch_form == a.torch_form, True, "PyTorch's form of the first by epref"),
            (b.made_torch_form == b.torch_form, True, "PyTorch's form of the second by epref"),
            (a.form == b.form, one_program, "the form of epref"),
            (a.digest == b.digest, one_program, "the digest of epref")]:
        if said != wanted:
            texts.append(f"{what} is {'the same' if said else 'not the same'}")
    return texts, outputs(one), outputs(other)


def leave(folder, name, pair, results, args):
    """Writes the two programs and PyTorch's form of each; says what they compute."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = []
    for letter, exported, result in zip("ab", pair, results):
        path = folder / f"{name}_{letter}.json"
        path.write_bytes(exported.text)
        path.with_suffix(".torch.json").write_bytes(exported.torch_form)
        lines += ["", f"{path.name}: {exported.digest}",
                  *(f"    given {value.tolist()}" for value in args),
                  *(f"    gives {value.tolist()}" for value in result)]
    return lines


def prove(torch, epref, folder):
    """Prints what each pair shows; whether all of them show it."""
    lines, good = [f"Exported and run by PyTorch {torch.__version__}. *.torch.json is what its",
                   "own canonicalize makes of a program. By scripts/prove/canon --pairs."], True
    for one_program, pairs in [(False, confused(torch)), (True, separated(torch))]:
        for name, (modules, args, dynamic) in pairs.items():
            pair = [Exported(torch, epref, module, args, dynamic) for module in modules]
            wrong, *results = prove_pair(torch, pair, one_program, args)
            print(f"pair {name}: {'WRONG: ' + '; '.join(wrong) if wrong else 'as expected'}")
            good = good and not wrong
            if folder and "," not in name:
                lines += leave(folder, name, pair, results, args)
    if folder:
        (folder / "README.txt").write_text("\n".join(lines) + "\n")
    return good
