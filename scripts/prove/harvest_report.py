"""What came of a harvest: counts, groups of disagreements, the smallest example of each."""

import collections
import pathlib
import shutil

from harvest_judge import masked
from harvest_known import KNOWN, matches

SHOWN = 12  # reasons that are printed of those that prove nothing


class Group:
    """Programs of which the same is to be said."""

    def __init__(self):
        self.count, self.smallest, self.names, self.said = 0, None, [], None

    def add(self, one, said):
        self.count += 1
        if len(self.names) < 5:
            self.names.append(one["done"])
        size = one.get("json", 0)
        if self.smallest is None or size < self.smallest:
            self.smallest, self.said = size, dict(said, name=one["done"])
            return True
        return False

    def data(self):
        return {"count": self.count, "names": self.names, **(self.said or {})}


class Report:
    """Adds up."""

    def __init__(self, examples):
        self.examples, self.seconds = examples, 0.0
        self.counts = collections.defaultdict(collections.Counter)
        self.refused = collections.defaultdict(Group)  # by code: PyTorch loads it
        self.known = collections.defaultdict(Group)  # by row of KNOWN
        self.unloaded = collections.defaultdict(Group)  # by exception: epref accepts it
        self.both = collections.defaultdict(Group)  # neither takes it
        self.unsaved = collections.defaultdict(Group)  # loaded, and cannot be saved again
        self.wrong = collections.defaultdict(Group)  # not written again, another torch form
        self.failed = collections.defaultdict(Group)  # not exported, not saved
        self.gone = []  # crashed, hung, faults
        self.notes = collections.Counter()

    def keep(self, kind, key, one):
        """Copies an example, in place of a larger one."""
        if not self.examples or not one.get("path"):
            return
        source = pathlib.Path(one["path"])
        if not source.exists():
            return
        folder = self.examples / kind
        folder.mkdir(parents=True, exist_ok=True)
        name = "".join(c if c.isalnum() or c in "._-" else "_" for c in " ".join(key))[:120]
        shutil.copyfile(source, folder / f"{name}.pt2")

    def put(self, kind, key, one, said):
        key = tuple(map(str, key))
        if getattr(self, kind)[key].add(one, said):
            self.keep(kind, key, one)

    def add(self, group, one):
        """One program."""
        count = self.counts[group.split("/")[0]]
        count["attempted"] += 1
        if "gone" in one or "fault" in one:
            count["gone"] += 1
            self.gone.append({"name": one["done"], "error": one.get("gone") or one["fault"]})
            return
        for step in ("exported", "saved", "loaded", "again"):
            count[step] += bool(one.get(step))
        error = one.get("error", "")
        if not one.get("saved"):
            step = "saved" if one.get("exported") else "exported"
            self.put("failed", (f"not {step}", masked(error)), one, {"error": error})
            return
        self.saved(count, one, error)

    def saved(self, count, one, error):
        """One that there is to compare."""
        count["accepted"] += not one["errors"]
        self.notes.update(one["notes"])
        said = one["errors"][0] if one["errors"] else None
        row = said and next((row for row in KNOWN if matches(row, one["done"], said)), None)
        if row is not None and one.get("loaded"):  # that it is not written again follows
            count["known"] += 1
            self.put("known", (row.code, row.clause, row.names), one, said)
            return
        for told in one["wrong"]:
            self.put("wrong", (told,), one, {})
        if said:
            key = (said["code"], said["clause"], masked(said["message"]))
            if not one.get("loaded"):
                self.put("both", key, one, dict(said, error=error))
                return
            count["refused"] += 1
            again = "saved again" if one.get("again") else "not saved again"
            self.put("refused", key, one, dict(said, again=again, error=error))
        elif not one.get("loaded"):
            count["unloaded"] += 1
            self.put("unloaded", (masked(error),), one, {"error": error})
        elif not one.get("again"):
            self.put("unsaved", (masked(error),), one, {"error": error})

    # ------------------------------------------------------------ what is printed

    def total(self):
        total = collections.Counter()
        for count in self.counts.values():
            total.update(count)
        return total

    def table(self):
        columns = ["attempted", "exported", "saved", "loaded", "again", "accepted", "known",
                   "refused", "unloaded", "gone"]
        print(f"{'':10}" + "".join(f"{column:>11}" for column in columns))
        for name, count in [*sorted(self.counts.items()), ("all", self.total())]:
            print(f"{name:10}" + "".join(f"{count[column]:11}" for column in columns))

    def section(self, title, groups, most=None):
        if not groups:
            return
        total = sum(group.count for group in groups.values())
        print(f"\n{title}: {total}")
        ordered = sorted(groups.items(), key=lambda item: (-item[1].count, item[0]))
        for key, group in ordered[:most]:
            print(f"  {group.count:6}  {' '.join(key)[:200]}")
            print(f"          {group.data().get('name', group.names[0])}")
        if most and len(ordered) > most:
            print(f"          and {len(ordered) - most} reasons more")

    def show(self, complete):
        """Prints it; whether it is as it should be."""
        self.table()
        self.section("not exported or not saved, which proves nothing", self.failed, SHOWN)
        self.section("neither accepted nor loaded", self.both)
        self.section("loaded, and not saved again", self.unsaved)
        self.section("accepted, and not loaded", self.unloaded)
        self.section("refused and loaded, as known", self.known)
        self.section("refused and loaded", self.refused)
        self.section("not written again, or another torch form", self.wrong)
        for entry in self.gone:
            print(f"\ngone: {entry['name']}: {entry['error'][:300]}")
        lost = [row for row in KNOWN
                if (str(row.code), str(row.clause), str(row.names)) not in self.known]
        if complete:
            for row in lost:
                print(f"\nknown, and not found: {row.code} {row.clause} {row.names}")
        total = self.total()
        print(f"\n{total['saved']} programs saved of {total['attempted']} in "
              f"{self.seconds:.0f} s, {total['refused']} refused that PyTorch loads, "
              f"{total['unloaded']} accepted that it does not load")
        return not (self.refused or self.wrong or (complete and lost)) and total["saved"] > 0

    def data(self):
        def groups(kind):
            ordered = sorted(getattr(self, kind).items(), key=lambda item: -item[1].count)
            return [{"key": list(key), **group.data()} for key, group in ordered]
        kinds = ("refused", "known", "unloaded", "both", "unsaved", "wrong", "failed")
        return {"counts": {**{name: dict(count) for name, count in sorted(self.counts.items())},
                           "all": dict(self.total())},
                "seconds": round(self.seconds), "notes": dict(self.notes), "gone": self.gone,
                **{kind: groups(kind) for kind in kinds}}
