"""What epref says of the programs of the harvest."""

import json
import pathlib
import re
import subprocess
import zipfile

AT_ONCE = 200  # files that one process of epref checks


def masked(text):
    """A text without its numbers and names, so that what is alike has one key."""
    text = re.sub(r'"[^"]*"', '"…"', text or "")
    text = re.sub(r"0x[0-9a-f]+", "0x…", text)
    return re.sub(r"\d+", "N", text)


def program_of(path):
    """The program of an archive that torch.export.save wrote."""
    with zipfile.ZipFile(path) as archive:
        return next(archive.read(name) for name in archive.namelist()
                    if name.endswith("models/model.json"))


class Judge:
    """Runs epref."""

    def __init__(self, epref):
        self.epref = str(epref)

    def run(self, *words):
        return subprocess.run([self.epref, *map(str, words)], capture_output=True, check=False)

    def check(self, paths):
        """For each path, by its name: what `epref check` says of it."""
        found = {}
        for i in range(0, len(paths), AT_ONCE):
            found.update(self.check_some(paths[i:i + AT_ONCE]))
        return found

    def check_some(self, paths):
        done, found = self.run("check", "-v", "--format=json", *paths), {}
        for line in done.stdout.decode().splitlines():
            said = json.loads(line)
            found[said["file"].split("!")[0]] = said
        if done.returncode in (0, 1) and set(map(str, paths)) == set(found):
            return found
        if len(paths) > 1:  # one of them is too much for it: which?
            return {name: said for path in paths for name, said in self.check_some([path]).items()}
        told = done.stderr.decode(errors="replace").strip()[-300:]
        return {str(paths[0]): {"valid": False, "code": f"exit status {done.returncode}",
                                "clause": "-", "message": told, "notes": [], "warnings": []}}

    def encoded(self, path, program):
        """None if epref writes the program again byte for byte, or what is wrong."""
        done = self.run("encode", path)
        if done.returncode != 0:
            return f"encode: exit status {done.returncode}"
        return None if done.stdout == program else "encode: other bytes"

    def formed(self, path, failure):
        """None if epref makes PyTorch's canonical form, or refuses where that fails."""
        done = self.run("canon", "--form=torch", path)
        if done.returncode not in (0, 1):
            return f"canon --form=torch: exit status {done.returncode}"
        if failure is not None:
            return None if done.returncode == 1 else \
                f"canon --form=torch: made, and PyTorch's own fails: {masked(failure)[:200]}"
        if done.returncode == 1:
            told = done.stderr.decode(errors="replace").strip()
            return f"canon --form=torch: refused: {masked(told.split('error: ')[-1])[:200]}"
        same = done.stdout == path.with_suffix(".canonical").read_bytes()
        return None if same else "canon --form=torch: other bytes"

    def all(self, found):
        """Adds to what became of each saved program what epref says of it."""
        saved = [one for one in found if one.get("saved")]
        verdicts = self.check([pathlib.Path(one["path"]) for one in saved])
        for one in saved:
            path, said = pathlib.Path(one["path"]), verdicts[one["path"]]
            program = program_of(path)
            told = [self.encoded(path, program)]
            if said["valid"]:
                told.append(self.formed(path, one["form"]))
            one["errors"] = [] if said["valid"] else [said]
            one["notes"] = sorted({note.get("code", "") for note in
                                   said["notes"] + said["warnings"]})
            one["wrong"] = [text for text in told if text]
            one["json"] = len(program)
