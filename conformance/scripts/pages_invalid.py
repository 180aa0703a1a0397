"""VERDICTS.md: what this specification makes of the malformed programs beside PyTorch, whose
verdicts stand in verdicts.jsonl of the unpacked corpus; this specification's are in
conformance/invalid_verdicts.jsonl. Of PyTorch's verdicts, those count that a release gave on
the files made from its own program.
"""

import os
import re
from collections import Counter, OrderedDict

from splits_suite import ROOT, anchor, read_lines, table

OURS = os.path.join(ROOT, "conformance", "invalid_verdicts.jsonl")
RELEASES = ("2.4.1", "2.6.0", "2.9.1", "2.13.0", "2.15.0")

STEPS = (("decode", "D"), ("canonicalize", "C"), ("deserialize", "L"))
ENDS = OrderedDict((("same", "="), ("another", "~"), ("fails", "!"), ("refused", "-")))

# Title, heading of the count, and what stands above the rows.
SECTIONS = OrderedDict((
    ("every", ("Refused here, loaded by PyTorch",
               "Each release loads its own file, and this specification refuses all of them.")),
    ("some", ("Refused here, loaded by some releases",
              "At least one release loads a file that this specification refuses; other releases "
              "refuse theirs, or this specification takes another release's, whose version has "
              "another rule.")),
    ("accepts", ("Valid here, refused by PyTorch, or run to another end",
                 "At least one file is valid here, and its release does not load it, or what it "
                 "loads fails, or computes something else than the program without the change. The "
                 "last column says why it is valid all the same.")),
    ("none", ("Refused here and by PyTorch", "No release loads its file.")),
    ("both", ("Valid here, and the same program to PyTorch",
              "Every release loads its file, and what it loads computes the same.")),
))


class File:
    """A file of the corpus: the verdict here, and that of its own release."""

    def __init__(self, ours, theirs):
        self.defect, rest = theirs["file"].split("@")
        self.release = rest[:-len(".json")]
        self.valid = ours["verdict"] == "valid"
        self.verdict = ("`%s` %s" % (ours["code"], ours["clause"][0]) if not self.valid else
                        "valid" + (", warned" if ours["warnings"] else ""))
        self.why, self.description = ours["why"], theirs["description"]
        self.steps = theirs["verdicts"][self.release]

    @property
    def end(self):
        """What becomes of it in PyTorch."""
        if self.steps.get("deserialize") != "ok":
            return "refused"
        run = self.steps.get("run")
        return "same" if run == "equal" else "another" if isinstance(run, str) else "fails"

    @property
    def loads(self):
        return self.end != "refused"

    @property
    def short(self):
        """PyTorch's verdict in four characters."""
        if "crash" in self.steps:
            return "crash"
        letters = [letter if self.steps.get(step) == "ok" else "x" if step in self.steps else "-"
                   for step, letter in STEPS]
        return "".join(letters) + ENDS[self.end]


def contents(folder, name):
    with open(os.path.join(folder, name), "rb") as file:
        return file.read()


def read(folder):
    """Name to its files, in the order of the releases; files with the same bytes have
    one verdict here."""
    theirs = {line["file"]: line for line in read_lines(os.path.join(folder, "verdicts.jsonl"))}
    ours = {contents(folder, line["file"]): line for line in read_lines(OURS)}
    data = {name: contents(folder, name) for name in theirs}
    if {line["file"] for line in ours.values()} - set(theirs) or set(data.values()) - set(ours):
        raise ValueError("%s and %s are about other files" % (OURS, folder))
    names = OrderedDict()
    for name in sorted(theirs):
        file = File(ours[data[name]], theirs[name])
        names.setdefault(file.defect, []).append(file)
    for files in names.values():
        files.sort(key=lambda each: RELEASES.index(each.release))
    return names


def section(files):
    """Under which heading a name stands: that of the first of these that holds."""
    odd = [file for file in files if not file.valid and file.loads]
    if odd:
        return "every" if len(odd) == len(files) else "some"
    if any(file.valid and file.end != "same" for file in files):
        return "accepts"
    return "none" if any(not file.valid for file in files) else "both"


# ---- text ---------------------------------------------------------------------


def plain(text):
    return re.sub(r"([\\`*_<>|\[\]])", r"\\\1", text)


def minor(release):
    return release.rsplit(".", 1)[0]


def by_release(files, what):
    """What is said of the files, once when it is the same of all."""
    said = OrderedDict()
    for file in files:
        said.setdefault(what(file), []).append(minor(file.release))
    if len(said) == 1:
        return next(iter(said))
    return "; ".join("%s: %s" % (", ".join(releases), text) for text, releases in said.items())


def row(name, files):
    shorts = {file.release: "`%s`" % file.short for file in files}
    return ["`%s`" % name, plain(files[0].description), by_release(files, lambda f: f.verdict),
            *(shorts.get(release, "") for release in RELEASES),
            by_release(files, lambda f: plain(f.why))]


def figures(names):
    """The counts, of files and of names."""
    files = Counter((file.valid, file.end) for each in names.values() for file in each)
    ends = [(title, [files[valid, end] for end in ENDS])
            for valid, title in ((False, "refused here"), (True, "valid here"))]
    counts = Counter(section(each) for each in names.values())
    sections = [("[%s](%s)" % (title, anchor(title)), counts[key])
                for key, (title, _) in SECTIONS.items()]
    return [*table(("files", "loaded, the same outputs", "loaded, other outputs",
                    "loaded, fails when run", "not loaded", "all"),
                   [(title, *found, sum(found)) for title, found in ends]), "",
            *table(("names", "number"), [*sections, ("all", len(names))])]


INTRO = """# This specification and PyTorch on malformed programs

Made by `conformance/scripts/pages` from the verdicts; not edited by hand.

`corpora/invalid.tar.xz` has {files:,} files: programs of five PyTorch releases, each with one of \
{names} changes, most of which make it wrong. Here is what [SPEC.md](../SPEC.md) makes of each at \
all levels, beside what the release that wrote the program does with it. PyTorch's verdict is a \
fact, and no rule. The verdicts here, each with its place, are in `invalid_verdicts.jsonl`; those \
of PyTorch with their messages, also of releases on others' files, are in the archive.

What PyTorch does is four letters: `D` it decodes the JSON, `C` it makes the canonical form, `L` \
it loads the program (`deserialize`); and then `=` the program gives the outputs that the \
unchanged one gives, `~` it gives others, `!` it fails. In place of a letter, `x` is a step that \
ends in an exception, and `-` one that was not tried. `crash` is the end of the process. An empty \
cell: there is no such file of the release. "Warned" is a note of clause 5.6.9.

## Counts

""".replace("\\\n", "")


def page(folder):
    names = read(folder)
    intro = INTRO.format(files=sum(map(len, names.values())), names=len(names))
    lines = intro.splitlines() + figures(names)
    heads = ["file", "what is wrong, or odd", "here", *map(minor, RELEASES), "why"]
    for key, (title, text) in SECTIONS.items():
        lines += ["", "## " + title, "", text, "", *table(heads, [
            row(name, files) for name, files in names.items() if section(files) == key])]
    return "\n".join(lines) + "\n"
