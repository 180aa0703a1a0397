"""What a program says of itself: operator sets, verifiers, the release."""

from format.document import Foreign
from generate.language.texts import has, since
from generate.whole import Draft, Whole, call, meta, tensor, user_input, user_output


def base():
    draft = Draft().take(user_input(tensor("x"))).tensors(x=meta(2), y=meta(2))
    draft.node(call("aten.relu.default", {"self": tensor("x")}, tensor("y")))
    return draft.give(user_output(tensor("y")))


def header(key, value):
    def change(data):
        data["header"][key] = value
    return change


def opsets(whole):
    key = "opset_version"
    whole.good("opset-empty", header(key, {}), "5.7.1", "None.", warn=[("EP_OPSET", "")])
    for label, said, where, why in (
            ("past", {"aten": 9}, "aten", "No release has it."),
            ("future", {"aten": 11}, "aten", "No release has it."),
            ("negative", {"aten": -1}, "aten", "No number of one."),
            ("zero", {"aten": 0}, "aten", "No release has it."),
            ("other", {"prims": 10}, "prims", "Another name."),
            ("case", {"ATen": 10}, "ATen", "Case counts."),
            ("more", {"aten": 10, "prims": 10}, "prims", "One more."),
            ("several", {"prims": 1, "aten": 9}, "prims", "Of two others the first is told."),
            ("first", {"torchvision": 1, "aten": 10}, "torchvision", "One more.")):
        whole.good("opset-" + label, header(key, said), "5.7.1", why,
                   warn=[("EP_OPSET", (key, where))])


def dialects(suite):
    for version in ("1-2023-12", "2", "5.1", "5.3", "5.4", "6.1-a", "6.1"):
        whole = Whole(suite, "header/base", base(), version, ["5.7.1", "5.7.2"], "A header.")
        if has(version, "ExportedProgram", "dialect"):
            whole.good("dialect-edge", header("dialect", "EDGE"), "5.7.2", "ExecuTorch's.")
            whole.good("dialect-empty", header("dialect", ""), "5.7.2", "It says nothing.")
            for label, said in (("other", "TORCH"), ("case", "aten"), ("space", "ATEN "),
                                ("letter", "A")):
                whole.good("dialect-" + label, header("dialect", said), "5.7.2",
                           "Somebody's own.", warn=[("EP_VERIFIER", "dialect")])
            if since(version, "5.4"):
                whole.good("dialect-training", header("dialect", "TRAINING"), "5.7.2",
                           "Known by now.")
            else:
                whole.good("dialect-training", header("dialect", "TRAINING"), "5.7.2",
                           "Of later versions.", warn=[("EP_VERIFIER", "dialect")])


def verifiers(suite):
    for version in ("6.1-a", "6.1", "7.3", "8.20"):
        whole = Whole(suite, "header/base", base(), version, ["5.7.1", "5.7.2"], "A header.")
        for label, said in (("none", []), ("training", ["TRAINING"]), ("empty", [""]),
                            ("all", ["ATEN", "EDGE", "TRAINING", ""]), ("twice", ["ATEN", "ATEN"])):
            whole.good("verifiers-" + label, header("verifiers", said), "5.7.2", "Known ones.")
        for label, said, i in (("other", ["TORCH"], 0), ("case", ["training"], 0),
                               ("second", ["ATEN", "x"], 1), ("space", [" "], 0),
                               ("several", ["", "x", "y"], 1)):
            whole.good("verifiers-" + label, header("verifiers", said), "5.7.2",
                       "Somebody's own.", warn=[("EP_VERIFIER", "verifiers/%d" % i)])


RELEASES = ("<=2.4", "2.5.0", "2.13.0+cpu", "2.9.0a0+gitabc", "2.6.0.dev20241112", "2.7", "3",
            "2.7.0rc1", "2.8.0b2", "2.5.1.post3", "2.5.1a1.post2.dev3+cu124.1-a_b", "2.10.0+cu130")
NO_RELEASES = (
    ("empty", "", "None."), ("word", "main", "No number."), ("v", "v2.5.0", "No letter first."),
    ("less", "<=2.5", "Only 2.4 is written so."), ("less-space", "<= 2.4", "No blank."),
    ("dot", "2.5.", "A number is missing."), ("dots", "2..5", "A number is missing."),
    ("first", ".5", "A number is missing."), ("space", "2.5.0 ", "White space."),
    ("before", " 2.5.0", "White space."), ("plus", "2.5.0+", "Nothing behind it."),
    ("plus-dot", "2.5.0+cpu.", "A separator ends it."), ("plus-dots", "2.5.0+a..b", "Two of them."),
    ("plus-other", "2.5.0+cpu!", "No such character."), ("plus-twice", "2.5.0+a+b", "One plus."),
    ("a", "2.5.0a", "A number is missing."), ("post", "2.5.0.post", "A number is missing."),
    ("dev", "2.5.0.dev", "A number is missing."), ("order", "2.5.0.dev1.post2", "Out of order."),
    ("git", "2.5.0git", "No such mark."), ("negative", "-2.5", "No sign."),
    ("unicode", "2.5.\u0661", "Digits of ASCII."), ("epoch", "1!2.5.0", "No epoch."),
    ("letter", "x", "No number, in one letter."),
    ("plus-underscore", "2.5.0+a_", "A separator ends it."),
    ("plus-underscore-first", "2.5.0+_a", "A separator begins it."),
    ("plus-backquote", "2.5.0+a`b", "The character next to the underscore."))


def releases(suite):
    for version in ("7.3", "8.8", "8.20"):
        whole = Whole(suite, "header/base", base(), version, ["5.7.1", "5.7.2"], "A header.")
        for i, said in enumerate(RELEASES):
            whole.good("release-%d" % i, header("torch_version", said), "5.7.3",
                       "As releases are named: %s." % said)
        for label, said, why in NO_RELEASES:
            whole.bad("release-" + label, header("torch_version", said), "EP_TORCH_VERSION",
                      "torch_version", why)


def vectors(suite):
    for version in ("1-2023-08", "1", "2", "5.3", "7.3", "8.20"):
        opsets(Whole(suite, "header/base", base(), version, ["5.7.1", "5.7.2"], "A header."))
    opsets(Whole(suite, "header/base", base(), "8.20", ["5.7.1"], "A header.", Foreign()))
    dialects(suite)
    verifiers(suite)
    releases(suite)
