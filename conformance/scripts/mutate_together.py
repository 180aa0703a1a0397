"""Several changes of one table at once. Where nothing sees them together, nothing sees any
of them: changes of different rows do not take each other back.
"""

MOST = 16


def apart(mutants):
    """Those of them whose changes touch no other's, from the first on."""
    found = []
    for mutant in sorted(mutants, key=lambda mutant: (mutant.change.start, mutant.change.end)):
        if not found or found[-1].change.end < mutant.change.start:
            found.append(mutant)
    return found


def changed(text, mutants):
    """The text with all the changes, which are apart."""
    for mutant in sorted(mutants, key=lambda mutant: -mutant.change.start):
        text = text[:mutant.change.start] + mutant.change.text + text[mutant.change.end:]
    return text


def seen(mutants, sees):
    """Those that have to be tried alone. sees: whether anything sees some of them."""
    if not mutants or not sees(mutants):
        return []
    if len(mutants) == 1:
        return mutants
    half = len(mutants) // 2
    return seen(mutants[:half], sees) + seen(mutants[half:], sees)
