"""Run the notebook of the documentation, and compare what its cells show.

    python notebook.py NOTEBOOK GOLDEN [--update]

Its first cell, which installs, is not run. Of golden programs of GOLDEN there are forty in the
folder models/. --update writes what the cells show into the notebook.
"""

import ast
import contextlib
import io
import json
import os
import pathlib
import shutil
import sys
import tempfile

# Seven programs, and the releases that saved them.
SINCE_2_4 = "2.4.1 2.5.1 2.6.0 2.7.1 2.8.0 2.9.1 2.10.0 2.11.0 2.12.1 2.13.0 2.14.1 2.15.0"
MODELS = {
    "decomp_input_mutation": SINCE_2_4, "decomp_cond": SINCE_2_4,
    "decomp_mlp": "2.8.0 2.10.0 2.12.1 2.15.0", "decomp_conv_bn_train": "2.9.1 2.11.0 2.13.0 2.14.1",
    "linear": "2.13.0 2.14.1 2.15.0", "sdpa": "2.11.0 2.12.1 2.13.0", "set_grad": "2.14.1 2.15.0"}


def models(golden, folder):
    """Copies the archives."""
    folder.mkdir()
    for model, releases in MODELS.items():
        for release in releases.split():
            shutil.copyfile(golden / release / model / "model.pt2", folder / f"{model}-{release}.pt2")


def shown(source, names):
    """What a cell prints, and its last expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(tree, "cell", "exec"), names)
        value = None if last is None else eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    text = out.getvalue() + ("" if value is None else f"{value!r}".rstrip() + "\n")
    return text.splitlines(keepends=True)


def main():
    path, golden = pathlib.Path(sys.argv[1]).absolute(), pathlib.Path(sys.argv[2]).absolute()
    notebook = json.loads(path.read_text(encoding="utf-8"))
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"][1:]
    names, differ = {"__name__": "__main__"}, 0
    with tempfile.TemporaryDirectory() as folder:
        models(golden, pathlib.Path(folder, "models"))
        os.chdir(folder)
        for number, cell in enumerate(cells, 2):
            found = shown("".join(cell["source"]), names)
            said = [line for output in cell["outputs"] for line in output["text"]]
            if found != said:
                differ += 1
                print(f"cell {number} shows\n{''.join(found)}and not\n{''.join(said)}")
            cell["outputs"] = [{"name": "stdout", "output_type": "stream", "text": found}] if found else []
        os.chdir("/")
    if "--update" in sys.argv:
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        return 0
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
