"""The state of a campaign: one JSON file, written as a whole after each round.

A round stands in it once it is finished, with its figures; before that its
folder stands in WORK/rounds with round.json, so that the next start finds it.
"""

import json
import os

import fuzz_project

FORMAT = 1


class State:
    """What a night has done so far, and what is running."""

    def __init__(self, folder, rows=None):
        self.folder = folder
        self.rows = rows or {"format": FORMAT, "night": 1, "next": 1, "active": 0.0,
                             "sessions": 0, "finished": True, "rounds": [], "open": {},
                             "targets": {}, "notes": []}

    @property
    def path(self):
        return os.path.join(self.folder, "state.json")

    @classmethod
    def load(cls, folder):
        """The state of a work folder; a fresh one where there is none."""
        path = os.path.join(folder, "state.json")
        if not os.path.exists(path):
            return cls(folder)
        try:
            with open(path, encoding="utf-8") as file:
                rows = json.load(file)
        except (OSError, ValueError) as trouble:
            raise fuzz_project.Trouble(f"{path}: {trouble}") from trouble
        if rows.get("format") != FORMAT:
            raise fuzz_project.Trouble(f"{path}: written by another version of scripts/fuzz")
        return cls(folder, rows)

    def save(self):
        fuzz_project.write_atomically(self.path, json.dumps(self.rows, indent=1) + "\n")

    def begin(self, plan):
        """A new night; numbers of rounds go on, so that no folder is used twice."""
        fresh = State(self.folder).rows
        fresh.update(night=self.rows["night"] + bool(self.rows["sessions"]),
                     next=self.rows["next"], open=self.rows["open"], finished=False, **plan)
        self.rows = fresh

    def open_round(self, target, role, group):
        """Note that a round has started; its number."""
        number = self.rows["next"]
        self.rows["next"] += 1
        self.rows["open"][str(number)] = {"target": target, "role": role, "group": group}
        return number

    def set_group(self, number, group):
        self.rows["open"][str(number)]["group"] = group

    def close_round(self, number, result):
        """Add a finished round; a second time changes nothing."""
        self.rows["open"].pop(str(number), None)
        if any(each["number"] == number for each in self.rows["rounds"]):
            return
        self.rows["rounds"].append({"number": number, **result})
        row = self.rows["targets"].setdefault(result["target"], {"base": 0, "edges": 0})
        row["edges"] = max(row["edges"], result.get("edges", 0))
        row["files"] = result.get("files", row.get("files", 0))
        if result["role"] == "seeds":
            row["base"] = row["edges"]

    def is_closed(self, number):
        return any(each["number"] == number for each in self.rows["rounds"])

    def note(self, text):
        """Something the report must say, once."""
        if text not in self.rows["notes"]:
            self.rows["notes"].append(text)

    def spent(self):
        """Seconds by (target, role)."""
        total = {}
        for each in self.rows["rounds"]:
            key = each["target"], each["role"]
            total[key] = total.get(key, 0.0) + each["seconds"]
        return total


def total(rounds, *keys):
    """Sums of a night's rounds by (target, role): executions, seconds and so on."""
    sums = {}
    for each in rounds:
        row = sums.setdefault((each["target"], each["role"]), dict.fromkeys(keys, 0))
        for key in keys:
            row[key] += each.get(key, 0)
    return sums


def edge_series(rounds, target):
    """[(active seconds, edges)] of a target's shared corpus, never falling."""
    series, edges = [], 0
    for each in sorted(rounds, key=lambda one: one["at"]):
        if each["target"] == target:
            edges = max(edges, each.get("edges", 0))
            series.append((each["at"], edges))
    return series


def plateau(rounds, target, active):
    """Minutes of the campaign since the target's last new edge; None without one."""
    found = [each["at"] for each in rounds
             if each["target"] == target and each.get("new_edges", 0) > 0]
    return max(0.0, (active - max(found)) / 60) if found else None
