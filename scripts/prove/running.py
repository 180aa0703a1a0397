"""Runs of exported programs, and whether two of them are the same bit for bit.

What is seen of a run is a dict: everything that the program gave back, what its
arguments, parameters, buffers and constants hold behind it, what it printed, and
how it left the random number generator and the grad mode.
"""

import contextlib
import copy
import io
import os
import sys
import tempfile

from installed import Failed, first_line

# PyTorch makes Python of the names of inputs for its guards, and fails where a
# dict's key has a backslash; and no leaf that requires grad can be written with
# grad on. (name of the way, check guards, with grad)
MODULE = [("module", True, True), ("module, unguarded", False, True),
          ("module, no grad", True, False)]
GRAPH = [("graph", None, True), ("graph, no grad", None, False)]


@contextlib.contextmanager
def printed():
    """A file that takes what is printed meanwhile, by C++ too."""
    sys.stdout.flush()
    kept = os.dup(1)
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 1)
        try:
            yield file
        finally:
            sys.stdout.flush()
            os.dup2(kept, 1)
            os.close(kept)


class Runner:
    """Runs one program after the other, each from the same state."""

    def __init__(self, torch):
        self.torch = torch

    def call(self, function, args, kwargs, seed, grad):
        """What a function gives back, and what is seen beside it."""
        self.torch.manual_seed(seed)
        with self.torch.set_grad_enabled(grad), printed() as file:
            result = function(*args, **kwargs)
            mode = self.torch.is_grad_enabled()
            sys.stdout.flush()
            file.seek(0)
            text = file.read()
        return result, {"printed": text, "grad mode": mode,
                        "random numbers": self.torch.get_rng_state()}

    def leaves(self, label, tree):
        from torch.utils import _pytree
        leaves, spec = _pytree.tree_flatten(tree)
        seen = {f"{label} {i}": leaf for i, leaf in enumerate(leaves)}
        seen[f"{label}s"] = str(spec)
        return seen

    def run_module(self, program, args, kwargs, seed, way):
        module = program.module(check_guards=way[1])
        result, seen = self.call(module, args, kwargs, seed, way[2])
        seen.update(self.leaves("output", result))
        seen.update(self.leaves("argument", (args, kwargs)))
        for name, tensor in module.named_parameters(remove_duplicate=False):
            seen[f"parameter {name}"] = tensor
        for name, tensor in module.named_buffers(remove_duplicate=False):
            seen[f"buffer {name}"] = tensor
        return seen

    def lifted(self, program, args, kwargs):
        """The inputs of the graph itself, each with what it is."""
        from torch.export._tree_utils import reorder_kwargs
        from torch.utils import _pytree
        kwargs = reorder_kwargs(kwargs, program.call_spec.in_spec)
        user = enumerate(_pytree.tree_leaves((args, kwargs)))
        inputs = []
        for spec in program.graph_signature.input_specs:
            kind, held = spec.kind.name, spec.target
            if kind == "USER_INPUT":
                label, value = next(user)
            elif kind == "TOKEN":
                label, value = len(inputs), self.torch.empty(0)
            elif held in program.state_dict and (kind != "BUFFER" or spec.persistent):
                label, value = held, program.state_dict[held]
            else:
                label, value = held, program.constants[held]
            inputs.append((f"input {kind} {label}", value))
        return inputs

    def run_graph(self, program, args, kwargs, seed, way):
        inputs = self.lifted(program, args, kwargs)
        values = [value for _, value in inputs]
        result, seen = self.call(program.graph_module, values, {}, seed, way[2])
        signature = program.graph_signature
        labels = {spec.arg.name: label for spec, (label, _) in zip(signature.input_specs, inputs)}
        if len(result) != len(signature.output_specs):
            raise Failed(f"{len(result)} outputs")
        user = 0
        for spec, value in zip(signature.output_specs, result):
            kind, target = spec.kind.name, spec.target
            if target is None:
                target, user = user, user + 1
            elif "USER_INPUT" in kind:
                target = labels[target]
            seen[f"output {kind} {target}"] = value
        seen.update(inputs)
        return seen

    def run(self, program, inputs, way):
        """What is seen of one run; the program itself stays as it is."""
        pristine = program._state_dict, program._constants
        try:
            program._state_dict, program._constants = copy.deepcopy(pristine)
            args, kwargs = copy.deepcopy(inputs[:2])
            run = self.run_module if way in MODULE else self.run_graph
            with contextlib.redirect_stderr(io.StringIO()):  # PyTorch shows the graph there
                return run(program, args, kwargs, inputs[2], way)
        except Exception as error:  # whatever PyTorch raises
            raise Failed(f"{way[0]}: {first_line(error)}") from error
        finally:
            program._state_dict, program._constants = pristine

    def first(self, program, inputs, ways):
        """(the first way that works, what is seen), or why none does."""
        reasons = []
        for way in ways:
            try:
                return way, self.run(program, inputs, way)
            except Failed as failed:
                reasons.append(str(failed))
        raise Failed(reasons[0])

    # ------------------------------------------------------------ comparing

    def same_bits(self, one, other):
        """Of two tensors of one dtype and shape."""
        torch = self.torch
        if one.is_meta:
            return True  # it has none
        if one.layout is not torch.strided:
            one, other = one.to_dense(), other.to_dense()
        flat = [x.detach().resolve_conj().resolve_neg().contiguous().flatten()
                for x in (one, other)]
        if torch.equal(*(x.view(torch.uint8) for x in flat)):
            return True
        if flat[0].is_complex():
            flat = [torch.view_as_real(x).flatten() for x in flat]
        if not flat[0].is_floating_point():
            return False
        nans = [x.isnan() for x in flat]
        return torch.equal(*nans) and torch.equal(
            *(x[~nan].view(torch.uint8) for x, nan in zip(flat, nans)))

    def part(self, one, other):
        """In what two values part; None where they are the same."""
        if type(one) is not type(other):
            return f"{type(one).__name__} and {type(other).__name__}"
        if not isinstance(one, self.torch.Tensor):
            return None if repr(one) == repr(other) else f"{one!r} and {other!r}"[:200]
        for what in ("dtype", "shape", "layout", "device", "requires_grad"):
            if getattr(one, what) != getattr(other, what):
                return f"{what} {getattr(one, what)} and {getattr(other, what)}"
        strided = one.layout is self.torch.strided
        if strided and one.stride() != other.stride():
            return f"strides {one.stride()} and {other.stride()}"
        return None if self.same_bits(one, other) else "other values"

    def shared(self, seen):
        """For each tensor, the first one that has the same memory."""
        first, shared = {}, {}
        for label in sorted(seen):
            tensor = seen[label]
            if isinstance(tensor, self.torch.Tensor) and tensor.layout is self.torch.strided:
                memory = tensor.untyped_storage()
                if memory.nbytes() > 0:
                    shared[label] = first.setdefault(memory.data_ptr(), label)
        return shared

    def differences(self, one, other):
        """Where two runs part, as texts."""
        if one.keys() != other.keys():
            return [f"only one of them has {sorted(one.keys() ^ other.keys())}"]
        told = [f"{label}: {self.part(one[label], other[label])}" for label in one
                if self.part(one[label], other[label])]
        if self.shared(one) != self.shared(other):
            told.append("other tensors share memory")
        return told
