"""Archives without the bytes of their tensors, those bytes, and both put together (SPEC 8.7): in
each layout, with members that are taken out first, last, all and none, and with texts of what is
missing that are none.
"""

import hashlib

from format.history import VERSIONS
from generate.archive.kits import raw, raw_object
from generate.archive.packing import all_roles, program_of
from generate.archive.wholes import second
from generate.archive.written import laid_out, zipped
from generate.archive.zips import DATE, archive, member
from generate.suite import change_between, to_bytes

OUT, BACK = "8.7.1", "8.7.2"
TITLE = b"epref stripped 1\n"
TIMES = (0x21 << 16, 0x5C9F << 16 | 0x8B7D, 0xFFFFFFFF, 1)  # dates above, times below


def is_taken(name, pt2):
    """Whether a member holds bytes of tensors."""
    if not pt2:
        return name.startswith(("serialized_state_dict.", "serialized_constants."))
    name = name.split("/", 1)[1]
    return (name.startswith(("data/weights/weight_", "data/constants/tensor_"))
            or name in ("data/weights/model.pt", "data/constants/model.pt"))


def date_text(date):
    day, time = date >> 16, date & 0xFFFF
    return "%04d-%02d-%02d %02d:%02d:%02d " % (1980 + (day >> 9), day >> 5 & 15, day & 31,
                                              time >> 11, time >> 5 & 63, (time & 31) * 2)


def spelled(name):
    named = {"\n": "\\n", "\r": "\\r"}
    return "".join(named.get(c, c if c >= " " else "\\x%02x" % ord(c)) for c in name)


def line(position, data, name, date=None):
    said = "" if date is None else date_text(date)
    return to_bytes("%d %d %s %s%s\n" % (position, len(data), hashlib.sha256(data).hexdigest(),
                                         said, spelled(name)))


class Apart:
    """An archive, and its two parts."""

    def __init__(self, suite, label, files, pt2, dates=()):
        self.suite, self.label, self.pt2 = suite, label, pt2
        self.files = files
        usual = None if pt2 else DATE << 16  # PyTorch's writer says no date
        self.dates = list(dates) + [usual] * (len(files) - len(dates))
        self.name = files[0][0].split("/")[0] + "/.data/stripped" if pt2 else "stripped"
        taken = [is_taken(name, pt2) for name, _ in files]
        self.text = TITLE + b"".join(
            line(i, *reversed(files[i]), None if pt2 else self.dates[i])
            for i, out in enumerate(taken) if out)
        self.whole = zipped(files, pt2, self.dates)
        self.rest, self.weights = [self.part(taken, out) for out in (False, True)]

    def part(self, taken, out):
        chosen = [i for i, each in enumerate(taken) if each == out]
        return zipped([self.files[i] for i in chosen] + [(self.name, self.text)], self.pt2,
                      [self.dates[i] for i in chosen])

    def file(self, part):
        return "archives/apart-%s-%s.pt2" % (self.label, part)

    def vectors(self, version, why):
        suite = self.suite
        base = suite.valid("strip/rest/" + self.label, "strip", version, self.whole, [OUT],
                           "What is left. " + why, file=self.file("whole"), provenance="hand",
                           product=suite.digested(self.rest))
        suite.valid_edit("strip/weights/" + self.label, base, None, [OUT], "What is taken out. "
                         + why, options={"part": "weights"}, provenance="hand",
                         product=suite.digested(self.weights))
        second = suite.spelled(self.weights, self.file("weights"))
        suite.valid("join/parts/" + self.label, "join", version, self.rest, [BACK],
                    "Both parts. " + why, file=self.file("rest"), provenance="hand",
                    product=suite.digested(self.whole), other=second)
        return base

    def joined(self, name, version, other, why):
        self.suite.valid_edit("join/%s/%s" % (name, self.label), "join/parts/" + self.label, None,
                              [BACK], why, provenance="hand",
                              product=self.suite.digested(self.whole),
                              other=self.suite.spelled(other, self.file(name)))

    def refused(self, name, other, why):
        self.suite.invalid("join/%s/%s" % (name, self.label), "join/parts/" + self.label, None,
                           "EP_ARGUMENT", None, why, provenance="hand", also=[BACK],
                           other=self.suite.spelled(other, self.file(name)))


def of(version, tensors, folder="archive"):
    text = program_of(tensors).written(VERSIONS[version]).text.encode("utf-8")
    return laid_out(version, text, tensors, [("x", b"text")], folder=folder)


def layouts(suite):
    for version in ("1", "5.1", "8.7", "8.8", "8.20"):
        Apart(suite, version, *of(version, all_roles(version))).vectors(
            version, "All roles, as %s has them." % version)
    for version in ("8.7", "8.20"):
        Apart(suite, "none-" + version, *of(version, [])).vectors(version, "No tensors.")
    files, pt2 = of("8.7", all_roles("8.7"))
    Apart(suite, "dates", files, pt2, TIMES).vectors("8.7", "Members of other times.")
    files, pt2 = of("8.20", all_roles("8.20"), folder="m\u00e9\n\t\r z")
    Apart(suite, "named", files, pt2).vectors("8.20", "A folder's name that has to be escaped.")
    files, pt2 = of("8.20", all_roles("8.20"))
    order = sorted(files, key=lambda each: is_taken(each[0], pt2))
    Apart(suite, "last", order, pt2).vectors("8.20", "What is taken out stands last.")
    order = [each for pair in zip(order, reversed(order)) for each in pair][:len(order)]
    Apart(suite, "between", order, pt2).vectors("8.20", "What is taken out stands between others.")


def objects(suite):
    """Objects stay; of two programs the bytes of both are taken out."""
    for label, change, why in (
            ("object", None, "A custom object, which is no tensor."),
            ("two", second(), "Two programs, whose configs name the same members.")):
        kit = raw_object() if change is None else raw()
        if change is not None:
            change(kit)
        files = [("m/" + name, to_bytes(data)) for name, data in kit.files().items()]
        Apart(suite, label, files, True).vectors("8.20", why)


def sources(suite):
    """What the bytes can come from."""
    files, pt2 = of("8.20", all_roles("8.20"))
    one = Apart(suite, "8.20", files, pt2)
    taken = [each for each in files if is_taken(each[0], pt2)]
    for label, other, why in (
            ("whole", one.whole, "The bytes come from the whole archive."),
            ("turned", zipped(taken[::-1], pt2), "The bytes come from members in another order."),
            ("plain", archive(*[member(*each) for each in taken]),
             "The bytes come from a zip of another writer."),
            ("more", zipped([(one.name + "x", b"")] + taken, pt2),
             "The bytes come from an archive with more members.")):
        one.joined(label, "8.20", other, why)
    first = taken[0]
    for label, other, why in (
            ("lacks", zipped(taken[1:], pt2), "The first member is not there."),
            ("lacks-last", zipped(taken[:-1], pt2), "The last member is not there."),
            ("other", zipped([(first[0], first[1][:-1] + b"\1")] + taken[1:], pt2),
             "A member of other bytes."),
            ("longer", zipped([(first[0], first[1] + b"\1")] + taken[1:], pt2),
             "A member of more bytes."),
            ("named", zipped([("x" + first[0], first[1])] + taken[1:], pt2),
             "A member of another name.")):
        one.refused("weights-" + label, other, why)


def texts(suite):
    """Texts of what is missing: each a change of one that is good."""
    one = Apart(suite, "8.7", *of("8.7", all_roles("8.7")))
    base, good = "join/parts/8.7", one.text
    first = good.split(b"\n")[1]
    words = first.split(b" ")
    for label, text, why in (
            ("title", good.replace(b"stripped 1", b"stripped 2"), "Another title."),
            ("end", good[:-1], "The last line does not end."),
            ("position", good.replace(first, first.replace(b"1 ", b"9 ", 1)),
             "A position that is none."),
            ("zero", good.replace(words[1], b"0" + words[1], 1) + b"\0", "A zero byte."),
            ("hash", good.replace(words[2], words[2].upper()), "Digits of upper case."),
            ("hash-other", good.replace(words[2], words[2][::-1]), "Another hash."),
            ("size", good.replace(b" " + words[1] + b" ", b" 1 "), "Another size."),
            ("date", good.replace(b"1980-01-01", b"1980-1-01"), "A date that is none."),
            ("escape", good.replace(b"serialized", b"\\serialized"), "A backslash that is no "
             "escape."),
            ("twice", good + first + b"\n", "A line twice."),
            ("blank", good.replace(words[1], words[1] + b" ", 1), "A blank too many.")):
        chosen = [each for each in one.files if not is_taken(each[0], False)]
        data = zipped(chosen + [(one.name, text)], False)
        suite.invalid("join/text-%s/8.7" % label, base, changed(suite, base, data), "EP_ARGUMENT",
                      None, "In the text of what is missing: " + why, provenance="hand",
                      also=[OUT], other=suite.vectors[base]["other"], flags=["large"])


def changed(suite, base, data):
    return change_between(suite.bytes[base], data)


def refusals(suite):
    """What cannot be stripped, or is."""
    one = Apart(suite, "8.20", *of("8.20", all_roles("8.20")))
    base = "strip/rest/8.20"
    for label, data, why in (
            ("stripped", one.rest, "It is stripped already."),
            ("zip", archive(*[member(*each) for each in one.files]),
             "The zip of no release: it could not be made again.")):
        suite.invalid("strip/%s/8.20" % label, base, changed(suite, base, data), "EP_ARGUMENT",
                      None, why, provenance="hand", also=[OUT], flags=["large"])
    suite.invalid("join/whole-document/8.20", "join/parts/8.20",
                  changed(suite, "join/parts/8.20", one.whole), "EP_ARGUMENT", None,
                  "It is not stripped.", provenance="hand", also=[BACK], flags=["large"],
                  other=suite.vectors["join/parts/8.20"]["other"])


def vectors(suite):
    layouts(suite)
    objects(suite)
    sources(suite)
    texts(suite)
    refusals(suite)
