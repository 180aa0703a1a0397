"""What a release consists of, each made of the same sources: packages with the same bytes
whenever and wherever they are built with the same tools.
"""

import dataclasses
import hashlib
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import tarfile

import versions

ROOT = versions.ROOT
PACKAGING = ROOT / "build" / "packaging" / "bin" / "python"


class Trouble(Exception):
    """A release could not be made."""


@dataclasses.dataclass
class Release:
    """What is released, and where it is made."""
    version: str
    commit: str
    epoch: int        # the date of all files, in seconds: that of the commit
    owner: str        # of the repository
    maintainer: str   # who makes the packages: a name with an address
    work: pathlib.Path
    into: pathlib.Path
    source: pathlib.Path = None  # the unpacked sources
    libraries: dict = dataclasses.field(default_factory=dict)  # by file: what it alone has

    @property
    def repository(self):
        return f"https://github.com/{self.owner}/epref"

    @property
    def name(self):
        return f"epref-{self.version}"

    def environment(self):
        """Nothing of it may show in what is built: neither folders nor dates."""
        flags = buildflags(self.work)
        return {**os.environ, **flags, "SOURCE_DATE_EPOCH": str(self.epoch), "LC_ALL": "C.UTF-8",
                "TZ": "UTC"}


def run(*command, **options):
    """A command that has to succeed; what it prints."""
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False,
                          **options)
    if done.returncode != 0:
        raise Trouble(f"{' '.join(map(str, command))}:\n{done.stdout}{done.stderr}")
    return done.stdout


def buildflags(work):
    """CFLAGS and LDFLAGS: those of Debian's packages where they are known, and no folder."""
    flags = {"CFLAGS": "", "LDFLAGS": ""}
    if shutil.which("dpkg-buildflags"):
        hardened = {**os.environ, "DEB_BUILD_MAINT_OPTIONS": "hardening=+all reproducible=-all",
                    "DEB_CFLAGS_MAINT_STRIP": "-g"}
        flags = {"CFLAGS": " ".join(run("dpkg-buildflags", "--get", name, env=hardened).strip()
                                    for name in ("CFLAGS", "CPPFLAGS")),
                 "LDFLAGS": run("dpkg-buildflags", "--get", "LDFLAGS", env=hardened).strip()}
    flags["CFLAGS"] += " " + prefix_map(work)
    return flags


def prefix_map(work):
    return f"-ffile-prefix-map={work}=."


def fresh(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def only(folder, pattern):
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        raise Trouble(f"{len(found)} of {pattern} in {folder}")
    return found[0]


# ---- archives whose bytes depend on their files alone --------------------------


def pack(path, root, names, prefix, epoch):
    """GNU tar: files are nobody's, of one date, with plain permissions."""
    run("tar", "-cf", path, "-I", "gzip -9n" if path.suffix == ".gz" else "xz -2T1", "-C", root,
        "--format=gnu", "--owner=root:0", "--group=root:0", f"--mtime=@{epoch}",
        "--mode=u=rwX,go=rX", "--hard-dereference", "--no-recursion",
        f"--transform=flags=rSH;s,^,{prefix}/,", "--null", "-T", "-",
        input="\0".join(sorted(names)))


# ---- sources ------------------------------------------------------------------


def source(release):
    """All files that are tracked, as they are in the tree; unpacked too, to build of."""
    names = [name for name in versions.git("ls-files", "-z").split("\0")
             if name and (ROOT / name).is_file()]
    if not names:
        raise Trouble("not a clone: git knows none of the files")
    path = release.into / f"{release.name}-source.tar.gz"
    pack(path, ROOT, names, release.name, release.epoch)
    with tarfile.open(path) as archive:
        archive.extractall(release.work)  # our own
    release.source = release.work / release.name


# ---- packages -----------------------------------------------------------------


def python(release, call, *arguments, cwd):
    """Calls what builds Python packages, which scripts/install_deps has installed."""
    if not PACKAGING.exists():
        raise Trouble(f"no {PACKAGING}: scripts/install_deps --all makes it")
    run(PACKAGING, "-c", f"import sys; from scikit_build_core import build; build.{call}", *arguments,
        cwd=cwd, env=release.environment())


def sdist(release):
    """The source distribution of the Python package."""
    python(release, "build_sdist(sys.argv[1])", release.into, cwd=release.source)


def wheel(release):
    """The wheel, built of the source distribution as others would."""
    made = fresh(release.work / "sdist")
    python(release, "build_sdist(sys.argv[1])", made, cwd=release.source)
    with tarfile.open(only(made, "*.tar.gz")) as archive:
        archive.extractall(made)  # our own
    python(release, "build_wheel(sys.argv[1], {'build-dir': sys.argv[2]})", release.into,
           release.work / "build-wheel", cwd=made / release.name)


def configured(release, tests):
    """The build folder of what CMake installs, or with tests of the suite. No path of a library
    is linked in: the folder would be part of the build id, also where it is taken out later."""
    build = release.work / f"build-{'suite' if tests else 'deb'}"
    run("cmake", "-S", release.source, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
        "-DCMAKE_INSTALL_PREFIX=/usr", "-DCMAKE_SKIP_RPATH=ON",
        "-DCMAKE_SKIP_INSTALL_ALL_DEPENDENCY=ON", "-DEPREF_STATIC_LIBRARIES=OFF", f"-DEPREF_TESTS={'ON' if tests else 'OFF'}",
        *(["-DEPCONFORM_TREE=OFF"] if tests else []),
        f"-DEPREF_REPOSITORY={release.repository}", f"-DEPREF_MAINTAINER={release.maintainer}",
        env=release.environment())
    targets = ["epconform", "epref_corpora"] if tests else ["all"]
    run("cmake", "--build", build, "--target", *targets, env=release.environment())
    return build


def deb(release):
    """The packages of Debian."""
    build = configured(release, tests=False)
    run("cpack", "-B", release.work / "deb", cwd=build, env=release.environment())
    for path in sorted((release.work / "deb").glob("*.deb")):
        shutil.copy2(path, release.into)


def suite(release):
    """The conformance suite with its runner, to be unpacked anywhere."""
    build = configured(release, tests=True)
    root = fresh(release.work / "suite")
    run("cmake", "--install", build, "--component", "conformance", "--strip", "--prefix", root,
        env=release.environment())
    names = [path.relative_to(root).as_posix() for path in root.rglob("*")]
    machine = f"{platform.system()}-{platform.machine()}".lower()
    name = f"epref-conformance-{release.version}"
    path = release.into / f"{name}-{machine}.tar.xz"
    pack(path, root, names, name, release.epoch)
    cjson = run("pkg-config", "--modversion", "libcjson").strip()
    release.libraries[path.name] = [("cjson", cjson, "MIT")]


def npm(release):
    """The package of npm, by web/make. What is compiled in is of the sources of this system."""
    web = release.work / "web"
    run(release.source / "web" / "make", web,
        env={**release.environment(), "LDFLAGS": "", "CFLAGS": prefix_map(release.work)})
    about = json.loads((web / "package" / "package.json").read_text("utf-8"))
    about["repository"] = {"type": "git", "url": f"git+{release.repository}.git"}
    (web / "package" / "package.json").write_text(json.dumps(about, indent=2) + "\n", "utf-8")
    run("npm", "pack", "--silent", "--pack-destination", release.into, "./package", cwd=web,
        env=release.environment())
    release.libraries[f"{release.name}.tgz"] = [
        ("zlib", source_version(web, "zlib"), "Zlib"),
        ("libmd", source_version(web, "libmd"), "BSD-3-Clause"),
        ("wasi-libc", upstream(run("dpkg-query", "-W", "-f${Version}", "wasi-libc")), "MIT")]


def source_version(web, name):
    """The version of a library whose sources web/make has fetched."""
    path = web / "sources" / name / "debian" / "changelog"
    return upstream(re.match(r"\S+ \((\S+)\)", path.read_text("utf-8")).group(1))


def upstream(version):
    """Of a version of Debian, what its makers call it."""
    return re.fullmatch(r"(?:\d+:)?(.+?)(?:[.+]dfsg[^-]*)?(?:-[^-]*)?", version).group(1)


def filled(release, template, path):
    """Writes a template with the facts of this release."""
    tarball = release.into / f"{release.name}-source.tar.gz"
    text = template.read_text("utf-8")
    facts = {"VERSION": release.version, "REPOSITORY": release.repository, "OWNER": release.owner,
             "SHA256": hashlib.sha256(tarball.read_bytes()).hexdigest()}
    for name, fact in facts.items():
        text = text.replace(f"@{name}@", fact)
    path.write_text(text, "utf-8")


def formula(release):
    """The formula of Homebrew."""
    filled(release, ROOT / "packaging" / "homebrew" / "epref.rb.in", release.into / "epref.rb")


def recipe(release):
    """The recipe of conda-forge."""
    filled(release, ROOT / "packaging" / "conda" / "recipe.yaml.in", release.into / "recipe.yaml")


KINDS = {each.__name__: each for each in (sdist, wheel, deb, suite, npm, formula, recipe)}
