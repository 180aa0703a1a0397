"""Which vectors a mutant of a table is shown first. No probe tells what reaches a row, but
the suite names its vectors after what they show: the identifiers and strings of the row are
in their ids, and error codes in their "code".
"""

import re
from collections import Counter

WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{2,}")
VERSION = re.compile(r"\bV(\d+)(?:_(\w+?))?\b")
COMMON = 2000  # vectors; a word that more of them have tells nothing


def words(text):
    """The words of a text, and the parts of those that _ joins."""
    found = set(WORD.findall(text))
    for word in list(found):
        found.update(part for part in word.split("_") if len(part) > 2)
    return {word.lower() for word in found}


def versions(text):
    """The versions that a row names, as vectors call them: V8_3 as 8.3."""
    return {".".join(part.replace("_", "-") for part in found.groups() if part)
            for found in VERSION.finditer(text)}


class Hints:
    """Vectors by the words of their ids and codes."""

    def __init__(self, vectors):
        self.vectors, self.having = vectors, {}
        for name, line in vectors.items():
            for word in words(name + " " + line.get("code", "")):
                self.having.setdefault(word, []).append(name)

    def of(self, old, new, most):
        """The vectors that have the rarest words of a change, at most so many; of those
        that have the same words first those of a version that it names."""
        weights, near = Counter(), versions(old) | versions(new)
        for word in words(old) | words(new):
            having = self.having.get(word, ())
            if len(having) <= COMMON:
                for name in having:
                    weights[name] += 1.0 / len(having)
        for name in weights:
            if self.vectors[name].get("schema") in near:
                weights[name] *= 2
        return [name for name, _ in weights.most_common(most)]
