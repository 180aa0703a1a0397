"""The rows of fuzz/targets.json that OSS-Fuzz builds, and the folder that is
handed in to it: project.yaml, Dockerfile and build.sh with a public address.
"""

import importlib.machinery
import importlib.util
import os
import re

import ossfuzz_files

LICENSE = "# Licensed under the Apache License, Version 2.0:\n" \
          "# http://www.apache.org/licenses/LICENSE-2.0\n"
ADDRESS = "https://epref.example/epref.git"


def rows(root):
    """The rows that fuzz/oss-fuzz/pack packs: it says which ones."""
    loader = importlib.machinery.SourceFileLoader(
        "pack", os.path.join(root, "fuzz", "oss-fuzz", "pack"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("pack", loader))
    loader.exec_module(module)
    return module.rows()


def with_license(text):
    """OSS-Fuzz wants its licence in each file of its own that is run."""
    if not text.startswith("#!"):
        return LICENSE + text
    first, rest = text.split("\n", 1)
    return f"{first}\n{LICENSE}{rest}"


def texts(root, repo, contact):
    """What each file of the folder says."""
    read = ossfuzz_files.read
    folder = os.path.join(root, "fuzz", "oss-fuzz")
    project = re.sub(r"\A(#.*\n)+", "", read(os.path.join(folder, "project.yaml")))
    lines = f'homepage: "{re.sub(r"[.]git$", "", repo)}"\nprimary_contact: "{contact}"\n'
    return {
        "project.yaml": lines + project.replace(ADDRESS, repo),
        "Dockerfile": with_license(read(os.path.join(folder, "Dockerfile")).replace(ADDRESS, repo)),
        "build.sh": with_license(read(os.path.join(root, ".clusterfuzzlite", "build.sh"))),
    }


def submission(root, chosen):
    """Writes the folder and judges it; 0 when OSS-Fuzz would take it."""
    os.makedirs(chosen.submission, exist_ok=True)
    for name, text in texts(root, chosen.repo, chosen.contact).items():
        path = os.path.join(chosen.submission, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o755 if name == "build.sh" else 0o644)
    found = list(ossfuzz_files.folder(chosen.submission, True))
    if ADDRESS in (chosen.repo, chosen.contact):
        found.append(("--repo", "is the address that stands for none"))
    for name, text in found:
        print(f"{chosen.submission}/{name}: {text}")
    print(f"{chosen.submission}: {len(found)} findings")
    return 1 if found else 0
