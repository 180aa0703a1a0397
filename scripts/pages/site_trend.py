"""Figures of many days: those that are kept, those that a run of the benchmark or the nights
of a campaign add, and their page.
"""

import html
import json
import os
import subprocess
import time

from folders import ROOT
from site_frame import Page, TREND

SHOWN = 120  # days of a chart
WIDTH, HEIGHT, EDGE = 320, 64, 3


def lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def commit():
    """Of what stands here: its date and its name."""
    done = subprocess.run(["git", "-C", ROOT, "log", "-1", "--format=%cs %h"], check=False,
                          stdout=subprocess.PIPE, text=True)
    return done.stdout.split() if done.returncode == 0 else ["", ""]


def of_bench(path):
    """The day of a bench.json: instructions a byte, which depend on no machine's load."""
    with open(path, encoding="utf-8") as file:
        results = json.load(file)["results"]
    figures = {"%s of %s by %s, instructions a byte" % (
        each["operation"], each["input"], each["peer"]): each["instructions_per_byte"]
        for each in results if each.get("instructions_per_byte")}
    date, name = commit()
    return [{"date": date, "commit": name, "of": "bench", "figures": figures}]


def of_campaign(path):
    """The nights of a campaign's trend.jsonl."""
    for night in lines(path):
        figures = {"fuzzing, " + name: night[name]
                   for name in ("executions", "edges", "findings") if name in night}
        yield {"date": date_of(night["started"]), "commit": night["commit"],
               "of": "campaign %s" % night["night"], "figures": figures}


def date_of(seconds):
    return time.strftime("%Y-%m-%d", time.gmtime(seconds))


class Days:
    """The rows in the order of their dates. What is said again of a day counts."""

    def __init__(self, kept, benches, campaigns):
        found = lines(kept) if kept and os.path.exists(kept) else []
        for path in benches:
            found += of_bench(path)
        for path in campaigns:
            found += of_campaign(path)
        rows = {(row["date"], row["commit"], row["of"]): row for row in found}
        self.rows = [rows[key] for key in sorted(rows)]

    def write(self, path):
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.writelines(json.dumps(row) + "\n" for row in self.rows)

    def series(self):
        """By the name of a figure, the days that have it."""
        found = {}
        for row in self.rows:
            for name, value in row["figures"].items():
                found.setdefault(name, []).append((row["date"], row["commit"], value))
        return {name: found[name][-SHOWN:] for name in sorted(found)}


def spelled(value):
    return "{:,.0f}".format(value) if value == int(value) else "%.2f" % value


def chart(name, days):
    """A line from the first day to the last; its words for who does not see it."""
    values = [value for _, _, value in days]
    low, high = min(values), max(values)
    step = (WIDTH - 2 * EDGE) / max(1, len(values) - 1)
    points = " ".join("%.1f,%.1f" % (
        EDGE + step * i, HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * (
            (value - low) / (high - low) if high > low else 0.5)) for i, value in enumerate(values))
    label = html.escape("%s: from %s on %s to %s on %s, between %s and %s" % (
        name, spelled(values[0]), days[0][0], spelled(values[-1]), days[-1][0], spelled(low),
        spelled(high)))
    return ('<svg width="%d" height="%d" role="img" aria-label="%s"><title>%s</title>'
            '<polyline points="%s" fill="none" stroke="currentColor"/></svg>' % (
                WIDTH, HEIGHT, label, label, points))


def row_of(name, days):
    date, made, value = days[-1]
    before = spelled(days[-2][2]) if len(days) > 1 else "-"
    cells = (html.escape(name), spelled(value), before, str(len(days)), date,
             "<code>%s</code>" % html.escape(made), chart(name, days) if len(days) > 1 else "")
    return "<tr>%s</tr>\n" % "".join("<td>%s</td>" % cell for cell in cells)


def page(days):
    series = days.series()
    body = '<h1>Trend</h1>\n<p>Figures of benchmarks and of fuzzing campaigns, by day; the lines ' \
           'are in <a href="trend.jsonl">trend.jsonl</a>.</p>\n'
    if series:
        heads = ("figure", "last", "before", "days", "on", "commit", "")
        body += '<div class="box" tabindex="0"><table>\n<tr>%s</tr>\n%s</table></div>\n' % (
            "".join('<th scope="col">%s</th>' % each for each in heads),
            "".join(row_of(*pair) for pair in series.items()))
    else:
        body += "<p>No day is kept yet.</p>\n"
    return Page(TREND, "Trend", body, None)
