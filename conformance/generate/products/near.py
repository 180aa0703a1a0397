"""Programs that are built again whose backward signature is not whole, or whose release says
nothing.
"""

import json

from generate.products.builds import add, has, header, positional, put
from generate.suite import change_between
from generate.whole import (Draft, leaves, meta, parameter, spec, tensor, user_input, user_output)

LOSSLESS = ("1-2023-12", "2", "5.3", "7.3")  # before 8.1-a gradients need no loss


def backward(version):
    draft = Draft(header=header(version)).take(parameter("p_w", "w"), user_input(tensor("x")),
                                               user_input(tensor("y")))
    draft.tensors(**{name: meta(2) for name in ("p_w", "x", "y", "t", "u")}, s=meta(), r=meta())
    draft.node(add("x", "p_w", "s"), add("s", "s", "t"), add("s", "t", "u"), add("s", "y", "r"))
    return draft


def gradients(suite):
    """Gradients without a loss, of each kind and of both."""
    both = (spec("gradient_to_parameter", "t", parameter_name="w"),
            spec("gradient_to_user_input", "u", user_input_name="x"))
    for version in LOSSLESS[1:]:
        for label, given in (("parameter", both[:1]), ("input", both[1:]), ("both", both)):
            draft = backward(version).give(user_output(tensor("s")), *given)
            put(suite, "lossless-" + label, version, draft, "Gradients without a loss.",
                ["5.3.11"])


def losses(suite):
    """The loss of version 1 in each place among the outputs."""
    for place in range(3):
        for label, gradients_ in (("alone", {}), ("gradient", {"t": "w"})):
            names = ["r", "u"]
            names.insert(place, "s")
            draft = backward("1").give(*[user_output(tensor(name)) for name in names])
            draft.data["graph"]["outputs"] += [tensor(name) for name in gradients_]
            draft.data["backward"] = {"gradients_to_parameters": gradients_,
                                      "gradients_to_user_inputs": {}, "loss_output": "s"}
            put(suite, "loss-%s-%d" % (label, place), "1", draft, "A loss among the outputs.",
                ["5.3.11"], in_spec=positional(2), out_spec=leaves(3))


def releases(suite):
    """A document that does not say its release, which is then a word for none."""
    for version in ("7.3", "7.4", "8.2"):
        assert has(version, "ExportedProgram", "torch_version")
        base = "build/plain/" + version
        text = suite.bytes[base].decode("ascii")
        data = json.loads(text)
        release = data.pop("torch_version")
        said = text.replace('"torch_version": "%s"' % release, '"torch_version": "<=2.4"')
        product = {"base": base, "edit": suite.edit(change_between(text, said))}
        suite.valid_edit("build/release-none/" + version, base,
                         change_between(text, json.dumps(data)), ["3.5.2", "3.9.1"],
                         "It does not say its release.", provenance="hand", product=product)


def vectors(suite):
    for part in (gradients, losses, releases):
        part(suite)
