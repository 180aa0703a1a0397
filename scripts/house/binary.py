"""The rules of scripts/house/rules that are about what was compiled.  Each
takes the path of a library and yields findings.
"""

import re
import subprocess

# What the core may take from outside: what a compiler calls by itself. gcc
# makes strlen of a loop to the closing zero; the rule on calls sees to it that
# no source says it.
OUTSIDE = {"memcpy", "memmove", "memset", "memcmp", "strlen", "__stack_chk_fail",
           "_GLOBAL_OFFSET_TABLE_"}

SECTION = re.compile(r"^\s*\d+\s+(\.(?:data|bss|tdata|tbss)\S*)\s+([0-9a-f]+)\s", re.MULTILINE)
READ_ONLY = ".data.rel.ro"
MEMBER = re.compile(r"^(\S+\.o):", re.MULTILINE)


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def symbols(*command):
    """Name and type of each symbol, by nm's portable format."""
    for line in output(*command).splitlines():
        words = line.split()
        if len(words) >= 2 and len(words[1]) == 1:
            yield words[0], words[1]


def state(static):
    """The core has no memory of its own that could be written to."""
    member = None
    for line in output("objdump", "-h", static).splitlines():
        named, section = MEMBER.match(line), SECTION.match(line)
        if named:
            member = named[1]
        elif section and int(section[2], 16) and not section[1].startswith(READ_ONLY):
            yield member, f"has {int(section[2], 16)} bytes in {section[1]}"
    for name, kind in symbols("nm", "-P", static):
        if kind == "C":
            yield name, "is a common symbol"


def imports(static):
    """The core calls nothing but what the compiler calls by itself."""
    rows = list(symbols("nm", "-P", static))
    own = {name for name, kind in rows if kind not in "UwC"}
    for name in sorted({name for name, kind in rows if kind in "Uw"} - own - OUTSIDE):
        yield name, "is taken from outside"


def exports(shared, declared):
    """The shared library shows what its header declares, no more, no less."""
    shown = {name for name, _ in symbols("nm", "-P", "-D", "--defined-only", shared)}
    for name in sorted(shown - declared):
        yield name, "is exported but in no public header"
    for name in sorted(declared - shown):
        yield name, "is in a public header but not exported"
    for name in sorted(shown):
        if not name.startswith("ep_"):
            yield name, "is exported without the prefix ep_"
