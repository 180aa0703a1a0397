"""The manual as pages of the site: what mandoc makes of the pages of the commands and of the
functions.
"""

import os
import re
import subprocess

from site_frame import Page

# The first and last line of a printed page.
RUNNING = re.compile(r'<table class="(?:head|foot)">.*?</table>\n?', re.DOTALL)
# Below the title of the page; lines of code that are wider than a phone move in a box.
CHANGED = (("<h2", "<h3"), ("</h2>", "</h3>"), ("<h1", "<h2"), ("</h1>", "</h2>"),
           ('class="permalink"', 'class="self"'), ("<br/>\n", ""),
           ("<pre>", '<pre class="box" tabindex="0">'))
LINK = re.compile(r'<a class="Xr" href="([^"#]*)\.html">(.*?)</a>', re.DOTALL)


def text_of(path):
    done = subprocess.run(["mandoc", "-T", "html", "-O", "fragment,man=%N.%S.html", path],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False, text=True)
    if done.returncode > 2:  # 2: a warning
        raise ValueError("mandoc: %s: %s" % (path, done.stderr))
    text = RUNNING.sub("", done.stdout)
    for old, new in CHANGED:
        text = text.replace(old, new)
    return text


def sources(root, build):
    """The files by the names of their pages: the command's first."""
    found = {"epref.1": os.path.join(root, "ref", "cli", "epref.1")}
    functions = os.path.join(build, "man", "man3")
    for name in sorted(os.listdir(functions)):
        found[name] = os.path.join(functions, name)
    return found


def pages(root, build):
    """All but those that only name another one: each function names the page of its group."""
    texts = {}
    for name, path in sources(root, build).items():
        with open(path, encoding="utf-8") as file:
            is_alias = file.read().startswith(".so ")
        if not is_alias:
            texts[name] = text_of(path)

    def link(found):
        """A page of another manual is named, and not linked to."""
        return found[0] if found[1] in texts else found[2]

    made = []
    for name, text in texts.items():
        title = "%s(%s)" % tuple(name.rsplit(".", 1))
        made.append(Page("manual/%s.html" % name, title,
                         "<h1>%s</h1>\n%s" % (title, LINK.sub(link, text)), None))
    return made
