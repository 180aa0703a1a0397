"""Runs the examples of a page, in a folder that has their files.

    python examples.py PAGE FOLDER

What is marked with NUMPY, FSSPEC or ARROW is left out where there is no numpy, no fsspec, or no
pyarrow or duckdb.
"""

import doctest
import importlib.util
import os
import pathlib
import shutil
import sys
import tempfile

NEEDED = {doctest.register_optionflag("NUMPY"): ("numpy",),
          doctest.register_optionflag("FSSPEC"): ("fsspec",),
          doctest.register_optionflag("ARROW"): ("pyarrow", "duckdb")}


def main():
    page = pathlib.Path(sys.argv[1])
    test = doctest.DocTestParser().get_doctest(page.read_text(encoding="utf-8"), {}, page.name,
                                               str(page), 0)
    for flag, modules in NEEDED.items():
        if not all(map(importlib.util.find_spec, modules)):
            test.examples = [each for each in test.examples if not each.options.get(flag)]
    runner = doctest.DocTestRunner(optionflags=doctest.REPORT_NDIFF)
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(sys.argv[2], folder, dirs_exist_ok=True)
        os.chdir(folder)
        result = runner.run(test)
        os.chdir("/")
    print(f"{page.name}: {result.attempted} examples, {result.failed} failed")
    return 1 if result.failed or not result.attempted else 0


if __name__ == "__main__":
    sys.exit(main())
