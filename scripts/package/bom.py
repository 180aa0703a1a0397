"""The bill of materials of a release, in the JSON of CycloneDX 1.6: epref, what it is linked
with, and each file that is released, with its digest. The same release has the same bytes.
"""

import datetime
import hashlib
import json
import pathlib
import subprocess
import uuid

SPEC_VERSION = "1.6"
# What the command and the library of archives are linked with; the library needs nothing.
LINKED = {"libdeflate": ("libdeflate", "MIT"), "zlib": ("zlib", "Zlib"), "openssl": ("libcrypto", "Apache-2.0")}


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def installed(package):
    return subprocess.run(["pkg-config", "--modversion", package], check=True, text=True,
                          capture_output=True).stdout.strip()


def component(name, version, licence):
    purl = f"pkg:generic/{name}@{version}"
    return {"type": "library", "bom-ref": purl, "name": name, "version": version,
            "licenses": [{"license": {"id": licence}}], "purl": purl}


def linked():
    """The libraries as components: what the packages of this release were built with."""
    for name, (package, licence) in sorted(LINKED.items()):
        yield component(name, installed(package), licence)


def is_built(path):
    """Whether a file holds something that is linked, not sources alone."""
    name = path.name
    return name.endswith((".whl", ".tar.xz")) or (name.endswith(".deb") and "-dev_" not in name)


def bill(release, paths):
    """The bill as an object. release has version, commit, epoch, repository and libraries."""
    epref = f"pkg:generic/epref@{release.version}"
    system = list(linked())
    references = [each["bom-ref"] for each in system]
    more = {name: [component(*each) for each in parts]
            for name, parts in release.libraries.items()}
    libraries = list({each["bom-ref"]: each for parts in (system, *more.values())
                      for each in parts}.values())
    made = [(path, f"file:{path.name}") for path in sorted(paths)]
    files = [{"type": "file", "bom-ref": ref, "name": path.name,
              "hashes": [{"alg": "SHA-256", "content": sha256(path)}]} for path, ref in made]
    depends = [{"ref": epref, "dependsOn": references}]
    depends += [{"ref": ref, "dependsOn": [epref] + references * is_built(path) +
                 [each["bom-ref"] for each in more.get(path.name, ())]} for path, ref in made]
    when = datetime.datetime.fromtimestamp(release.epoch, datetime.timezone.utc)
    return {
        "bomFormat": "CycloneDX",
        "specVersion": SPEC_VERSION,
        "serialNumber": uuid.uuid5(uuid.NAMESPACE_URL, f"{epref}#{release.commit}").urn,
        "version": 1,
        "metadata": {
            "timestamp": when.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                "type": "library", "bom-ref": epref, "name": "epref", "version": release.version,
                "licenses": [{"license": {"id": "BSD-3-Clause"}}], "purl": epref,
                "externalReferences": [{"type": "vcs", "url": release.repository}]}},
        "components": libraries + files,
        "dependencies": depends,
    }


def write(release, paths, path):
    text = json.dumps(bill(release, paths), indent=2) + "\n"
    pathlib.Path(path).write_text(text, "utf-8")
