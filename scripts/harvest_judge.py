"""What epref says of the programs of the harvest."""

import json
import re
import subprocess

AT_ONCE = 200  # files that one process of epref checks


def masked(text):
    """A text without its numbers and names, so that what is alike has one key."""
    text = re.sub(r'"[^"]*"', '"…"', text or "")
    text = re.sub(r"0x[0-9a-f]+", "0x…", text)
    return re.sub(r"\d+", "N", text)


class Judge:
    """Runs epref."""

    def __init__(self, epref):
        self.epref = str(epref)

    def run(self, *words):
        return subprocess.run([self.epref, *map(str, words)], capture_output=True, check=False)

    def check(self, paths):
        """For each path: a list of errors, and one of notes and warnings."""
        found = {str(path): ([], []) for path in paths}
        for i in range(0, len(paths), AT_ONCE):
            done = self.run("check", "-v", "--format=json", *paths[i:i + AT_ONCE])
            if done.returncode not in (0, 1):
                raise RuntimeError(f"epref check: exit status {done.returncode}: "
                                   f"{done.stderr.decode(errors='replace')[:300]}")
            told = set()
            for line in done.stdout.decode().splitlines():
                said = json.loads(line)
                path = said["file"].split("!")[0]
                told.add(path)
                if not said["valid"]:
                    found[path][0].append(said)
                found[path][1].extend(said["notes"] + said["warnings"])
            silent = set(map(str, paths[i:i + AT_ONCE])) - told
            if silent:
                raise RuntimeError(f"epref check says nothing of {sorted(silent)[0]}")
        return found

    def encoded(self, path, program):
        """None if epref writes the program again byte for byte, or what is wrong."""
        done = self.run("encode", path)
        if done.returncode != 0:
            return f"encode: exit status {done.returncode}"
        return None if done.stdout == program else "encode: other bytes"

    def formed(self, path, form):
        """None if epref makes PyTorch's canonical form, or refuses where that fails."""
        done = self.run("canon", "--form=torch", path)
        wanted = path.with_suffix(".canonical")
        if form is None:
            if done.returncode != 0:
                told = done.stderr.decode(errors="replace").strip()
                return f"canon --form=torch: refused: {masked(told.split('error: ')[-1])[:200]}"
            if done.stdout != wanted.read_bytes():
                return "canon --form=torch: other bytes"
        elif done.returncode == 0:
            return f"canon --form=torch: made, and PyTorch's own fails: {masked(form)[:200]}"
        elif done.returncode != 1:
            return f"canon --form=torch: exit status {done.returncode}"
        return None
