"""What the proofs on the golden programs share: which these are, where each is expected to stop
and why, and the table that is printed.
"""

import argparse
import collections
import concurrent.futures
import json
import multiprocessing
import pathlib
import re
import subprocess
import sys
import tempfile

import installed
from installed import Failed, first_line

BOUND = "the class of its object is compiled code that is not here"
SCALARS = "torch 2.4 and 2.5 wrote a bool where their own schema has an integer"
SYM_BOOL = "2.13 cannot read a SymBool among the outputs of a program, and exports none"
FALSE = "the program asserts what is false: torch 2.2 exported it so, and could not run it either"
CONTEXT = "torch 2.2 wrote the context of a registered dataclass as only its own registry reads it"
SDPA = "aten._scaled_dot_product_flash_attention returned other things in torch 2.2"
LOSS = "torch 2.5 lost the loss among the outputs, and 2.13 wants one where there are gradients"
TIED = "two parameters of one name, which is refused from 8.8 on"

# (release/model, the step that PyTorch 2.13 or the migration to it stops at, why)
OLD = [
    (r"2\.1\.2/sym_bool_output", "load", SYM_BOOL),
    (r"2\.2\.2/dataclass_io", "load", CONTEXT),
    (r"2\.2\.2/preserve_(inner|shared)", "run", FALSE),
    (r"2\.2\.2/sdpa", "migrate", SDPA),
    (r"2\.[45]\.1/scalar_inputs(__\w+)?", "migrate", SCALARS),
    (r"2\.5\.1/joint_loss", "migrate", LOSS),
    (r"2\.[56]\.\d/tied_weights", "migrate", TIED),
    (r"2\..*/torchbind_.*", "load", BOUND),
]


class Prover:
    """One program after the other. Subclasses have `exceptions`, rows as above; `columns`, what
    is counted; and the steps of a proof."""

    def __init__(self, args, torch, models):
        self.args, self.torch, self.models = args, torch, models
        self.golden, self.folder = args.corpora / "golden", args.keep

    def epref(self, *words):
        done = subprocess.run([self.args.epref, *words], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            try:
                told = json.loads(done.stderr)
                raise Failed(f"{told['code']} {told['message']} at {told['pointer']}")
            except ValueError:
                raise Failed(f"{words[0]}: {done.stderr.strip()}") from None

    def place(self, name, file):
        """Where a file is made of a program."""
        (self.folder / name).mkdir(parents=True, exist_ok=True)
        return self.folder / name / file

    def prove(self, name):
        """(what to count, the step that it stopped at, why)"""
        count, step = collections.Counter(), None
        try:
            for step in self.steps(name, count):
                pass
        except Failed as failed:
            return count, getattr(failed, "step", step), str(failed)
        except Exception as error:  # whatever PyTorch raises
            return count, step, first_line(error)
        return count, None, None

    def judge(self, name, step, why):
        """Prints where a program stopped; whether that was expected."""
        row = next((row for row in self.exceptions if re.fullmatch(row[0], name)), None)
        if row is not None and step is not None and row[1] == step:
            print(f"{name}: {step}: {row[2]}\n    {why}")
        elif step is not None:
            print(f"{name}: WRONG: {step}: {why}")
        elif row is not None:
            print(f"{name}: WRONG: there is a row for {row[1]}, and nothing fails")
        return (row and row[1]) == step


def print_table(columns, counts, head="release"):
    """Prints counts by name, and their sums, which it returns."""
    print(f"\n{head:8} " + " ".join(f"{column:>{max(8, len(column))}}" for column in columns))
    total = sum(counts.values(), collections.Counter())
    for release, count in [*counts.items(), ("all", total)]:
        print(f"{release:8} " + " ".join(f"{count[column]:{max(8, len(column))}}"
                                         for column in columns))
    return total


def hold(prover):
    """A process keeps its prover: there is no sending it."""
    prove_one.prover = prover


def prove_one(name):
    return prove_one.prover.prove(name)


def prove_all(prover, names, jobs):
    """Proves programs in several processes; (counts by release, whether all was as expected)."""
    counts, good = {}, True
    context = multiprocessing.get_context("fork")
    with concurrent.futures.ProcessPoolExecutor(jobs, context, hold, (prover,)) as pool:
        for name, (count, step, why) in zip(names, pool.map(prove_one, names, chunksize=8)):
            counts.setdefault(name.split("/")[0], collections.Counter()).update(count)
            good = prover.judge(name, step, why) and good
    print_table(prover.columns, counts)
    return counts, good


def select(golden, releases, file, wanted):
    names = [f"{release}/{path.parent.name}" for release in releases
             for path in sorted((golden / release).glob(f"*/{file}"))]
    return [name for name in names
            if not wanted or any(name == w or name.startswith(w + "/") for w in wanted)]


def main(doc, maker, releases, file, *flags):
    """(counts by release, whether all was as expected); flags: (name, what it does)."""
    parser = argparse.ArgumentParser(description=doc.split("\n")[0])
    parser.add_argument("--epref", type=pathlib.Path, required=True)
    parser.add_argument("--corpora", type=pathlib.Path, required=True,
                        help="the folder that scripts/unpack_corpora fills")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default 2)")
    parser.add_argument("--keep", type=pathlib.Path, help="leave what was made there")
    for flag, about in flags:
        parser.add_argument(flag, action="store_true", help=about)
    parser.add_argument("which", nargs="*", metavar="RELEASE[/MODEL]")
    args = parser.parse_args()
    torch = installed.find_torch()
    if torch is None:
        print("there is no PyTorch 2.13 here", file=sys.stderr)
        sys.exit(77)
    args.epref = args.epref.resolve()
    names = select(args.corpora / "golden", releases, file, args.which)
    if not names:
        parser.error("no programs")
    installed.prepare(torch)
    with tempfile.TemporaryDirectory() as folder:
        args.keep = args.keep or pathlib.Path(folder)
        return prove_all(maker(args, torch, installed.load_models()), names, args.jobs)
