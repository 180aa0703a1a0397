"""What PyTorch itself keeps and loses of a program: the content of roundtrip.json.

Each question is one key. Where PyTorch gives up, the answer is its error; where
two programs part that should not, the first differences stand beside it.
"""

import json

import golden_names as names

LONG = 700  # how much of an error is told


def trouble(error):
    return f"error: {type(error).__name__}: {error}"[:LONG]


class Laws:
    """The answers for one program, in the order of asking."""

    def __init__(self, serde, text):
        self.serde, self.text, self.tree = serde, text, json.loads(text)
        self.answers = {}

    # ------------------------------------------------------------ answers

    def tell(self, key, ask):
        """The answer to one question; None if PyTorch gives up."""
        try:
            found = ask()
        except Exception as error:  # whatever PyTorch raises is the answer
            self.answers[key] = trouble(error)
            return None
        self.answers[key] = found
        return found

    def same_form(self, key, tree, canonical, with_differences=True):
        """Has another spelling the same canonical form?"""
        made = []

        def ask():
            made.append(self.serde.canonical(tree))
            return made[0] == canonical

        if self.tell(f"{key}_invariant", ask) is False and with_differences:
            self.answers[f"{key}_diff"] = names.differences(json.loads(canonical),
                                                            json.loads(made[0]))

    # ------------------------------------------------------------ bytes

    def reencoded(self):
        decoded = self.serde.decode(json.loads(self.text))
        return self.serde.encode(decoded) == self.text

    # ------------------------------------------------------------ the canonical form

    def canonical(self, canonical):
        """All that the canonical form should not depend on."""
        again = json.loads(canonical)
        self.tell("canonicalize_deterministic",
                  lambda: self.serde.canonical(json.loads(self.text)) == canonical)
        self.tell("canonicalize_idempotent", lambda: self.serde.canonical(again) == canonical)
        self.answers["renamed_values"] = len(names.value_names(self.tree))
        self.same_form("rename_values", names.with_other_values(self.tree), canonical)
        if self.serde.names_nodes():
            self.same_form("rename_values_and_node_names",
                           names.with_other_values_and_nodes(self.tree), canonical)
        self.canonical_of_some(canonical)

    def canonical_of_some(self, canonical):
        """What only some programs have."""
        if names.has(self.tree, "as_graph"):
            self.same_form("rename_subgraphs", names.with_other_subgraphs(self.tree), canonical)
        if names.has(self.tree, "constant_input"):
            self.same_form("rename_constant_inputs", names.with_other_constants(self.tree),
                           canonical)
        self.same_form("node_shuffle", names.with_other_order(self.tree), canonical)
        if names.has(self.tree, "expr_str"):
            self.same_form("rename_symbols", names.with_other_symbols(self.tree), canonical,
                           with_differences=False)

    # ------------------------------------------------------------ the program itself

    def round_trip(self, artifact):
        """Deserialize and serialize again, once or twice."""
        loaded = self.tell("deserialize", lambda: self.serde.deserialize(artifact))
        if loaded is None:
            return
        self.answers["deserialize"] = "ok"
        again = self.tell("reserialize", lambda: self.serde.serialize(loaded))
        if again is None:
            return
        self.answers["reserialize"] = "ok"
        text = self.serde.text(again)
        self.answers["roundtrip_identical"] = text == self.text
        if text != self.text:
            self.parted(text, again)

    def parted(self, text, again):
        other = json.loads(text)
        self.answers["roundtrip_diff"] = names.differences(self.tree, other)
        bare = [names.without_stack_traces(tree) for tree in (self.tree, other)]
        self.answers["roundtrip_identical_without_stack_trace"] = bare[0] == bare[1]
        if self.serde.canonicalize:
            self.tell("roundtrip_canonical_identical",
                      lambda: self.serde.canonical(other) == self.serde.canonical(self.tree))
        self.tell("second_roundtrip_identical", lambda: self.serde.text(
            self.serde.serialize(self.serde.deserialize(again))) == text)
