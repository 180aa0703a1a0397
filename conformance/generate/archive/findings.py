"""What an audit finds, by the tables of SPEC.md, and the list of it as the operation wants it."""

import json
import os
import re

from format.history import ROOT

FINDING = re.compile(r"^\| (9\.\d\.\d+) \| (AUDIT_\w+) \| (\w+) \|", re.MULTILINE)
TOLD = 20  # of an id, one by one


def read_findings():
    """Id to (severity, clause), in the order of the clauses."""
    with open(os.path.join(ROOT, "SPEC.md"), encoding="utf-8") as file:
        found = {name: (severity, clause) for clause, name, severity in FINDING.findall(file.read())}
    assert len(found) == 35, "%d findings in SPEC.md" % len(found)
    return found


FINDINGS = read_findings()


def head(name):
    severity, clause = FINDINGS[name]
    return {"id": name, "severity": severity, "clause": clause}


def listed(found, members=()):
    """The list of (offset, id, about, pointer), and of (member, id, about), as the
    operation wants it: of each id the first ones, and how many there are beyond."""
    order = list(FINDINGS)
    found = sorted(found, key=lambda each: (each[0], order.index(each[1]),
                                            each[2].encode("utf-8")))
    lines, counts = [], {}
    for offset, name, about, pointer in found:
        counts[name] = counts.get(name, 0) + 1
        if counts[name] <= TOLD:
            lines.append({**head(name), "offset": offset, "pointer": pointer,
                          **({"text": about} if about else {})})
    for member, name, about in sorted(members, key=lambda each: (
            each[0].encode("utf-8"), order.index(each[1]), each[2].encode("utf-8"))):
        lines.append({**head(name), "member": member, **({"text": about} if about else {})})
    for name in order:
        if counts.get(name, 0) > TOLD:
            lines.append({**head(name), "more": counts[name] - TOLD})
    return {"text": json.dumps([{key: value for key, value in line.items() if value != ""
                                 or key == "pointer"} for line in lines])}
