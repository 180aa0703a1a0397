"""The summary of a campaign: figures from its state, as a dictionary, as plain
text, and as one page of HTML that needs nothing else. What comes from data is
escaped; the page reads on a telephone, in light and dark.
"""

import html
import time
import urllib.parse

import fuzz_state
from fuzz_coverage import KINDS, percent
from fuzz_triage import standing

KEYS = ("executions", "seconds", "cpu", "new_edges", "new_files", "crashes")


def rate(row):
    return row["executions"] / row["seconds"] if row["seconds"] else 0.0


def core_rate(rounds):
    """Executions a second of processor time, where that is known: what else the
    machine did at the time does not count."""
    timed = [each for each in rounds if each.get("cpu")]
    spent = sum(each["cpu"] for each in timed)
    return sum(each["executions"] for each in timed) / spent if spent else 0.0


def target_row(rows, target, found):
    """All of a target: sums, edges over time, plateau, findings."""
    rounds = [each for each in rows["rounds"] if each["target"] == target.name]
    sums = {key: sum(each.get(key, 0) for each in rounds if each["role"] != "seeds")
            for key in KEYS}
    plain = [each for each in rounds if each["role"] == "plain" and each["executions"]]
    mine = [each for each in found if each["target"] == target.name]
    known = rows["targets"].get(target.name, {})
    return {"name": target.name, "about": target.about, "floor": target.floor, **sums,
            "rate": rate(sums), "plain_rate": core_rate(plain),
            "edges": known.get("edges", 0), "base": known.get("base", 0),
            "files": known.get("files", 0),
            "plateau": fuzz_state.plateau(rounds, target.name, rows["active"]),
            "series": fuzz_state.edge_series(rounds, target.name),
            **{name: len([each for each in mine if standing(each) == kind]) for name, kind in (
                ("findings", "open"), ("known", "known"), ("fixed", "fixed"))}}


def role_rows(rows):
    """A row for each target and role that has run."""
    sums = fuzz_state.total(rows["rounds"], *KEYS)
    out = []
    for (target, role), row in sums.items():
        if role != "seeds":
            rounds = sum(each["target"] == target and each["role"] == role
                         for each in rows["rounds"])
            out.append({"target": target, "role": role, **row, "rate": rate(row),
                        "rounds": rounds})
    return out


def summarize(rows, targets, found, coverage):
    """Everything that the page and the text say."""
    each = [target_row(rows, target, found) for target in targets]
    totals = {key: sum(row[key] for row in each) for key in KEYS}
    totals.update(rate=rate(totals),
                  rounds=sum(row["role"] != "seeds" for row in rows["rounds"]),
                  findings=sum(row["findings"] for row in each),
                  known=sum(row["known"] for row in each),
                  fixed=sum(row["fixed"] for row in each))
    return {"night": rows["night"], "hours": rows.get("hours", 0), "jobs": rows.get("jobs", 0),
            "started": rows.get("started", 0), "active": rows["active"],
            "sessions": rows["sessions"], "finished": rows["finished"],
            "commit": rows.get("commit", ""), "version": rows.get("version", ""),
            "targets": each, "roles": role_rows(rows), "totals": totals,
            "findings": found, "coverage": coverage, "notes": rows["notes"], "trend": []}


def trend_row(summary):
    """What the trend keeps of a night."""
    row = {"night": summary["night"], "started": summary["started"],
           "commit": summary["commit"], "minutes": round(summary["active"] / 60, 1),
           "executions": summary["totals"]["executions"],
           "findings": summary["totals"]["findings"],
           "edges": sum(each["edges"] for each in summary["targets"])}
    if summary["coverage"]:
        row["coverage"] = summary["coverage"]["all"]
    return row


# ---- plain text ---------------------------------------------------------------


def minutes(value):
    return "-" if value is None else f"{value:.1f}"


def target_line(row):
    return "%-10s %12d %9.0f %9.0f %7d %6d %8s %9d %8d %7.1f" % (
        row["name"], row["executions"], row["rate"], row["plain_rate"], row["edges"],
        row["new_edges"], minutes(row["plateau"]), row["files"], row["findings"],
        row["seconds"] / 60)


def text(summary):
    """The page's figures for a terminal."""
    lines = ["%-10s %12s %9s %9s %7s %6s %8s %9s %8s %7s" % (
        "target", "executions", "a second", "plain", "edges", "new", "plateau", "inputs",
        "findings", "minutes")]
    lines += [target_line(row) for row in summary["targets"]]
    lines.append("")
    lines.append("%-10s %-14s %7s %12s %9s %6s %8s %7s" % (
        "target", "role", "rounds", "executions", "a second", "new", "crashes", "minutes"))
    lines += ["%-10s %-14s %7d %12d %9.0f %6d %8d %7.1f" % (
        row["target"], row["role"], row["rounds"], row["executions"], row["rate"],
        row["new_edges"], row["crashes"], row["seconds"] / 60) for row in summary["roles"]]
    lines += ["", *coverage_lines(summary), *summary["notes"]]
    lines += [f"finding: {each['key']}: {each['what']} "
              f"({each['times']} inputs, {standing(each)})"
              for each in summary["findings"]]
    return "\n".join([*lines, last_line(summary)])


def coverage_lines(summary):
    if not summary["coverage"]:
        return []
    return ["coverage of ref/src: " + ", ".join(
        "%s %.1f%% (%d of %d)" % (kind, percent(summary["coverage"]["all"][kind]),
                                  *summary["coverage"]["all"][kind]) for kind in KINDS)]


def last_line(summary):
    totals = summary["totals"]
    return "night %d%s: %d targets, %d rounds, %d executions, %.0f a second, %.1f minutes, " \
        "%d findings open, %d known, %d fixed, %d not reproduced" % (
            summary["night"], "" if summary["finished"] else " (not over)",
            len(summary["targets"]), totals["rounds"], totals["executions"],
            totals["executions"] / max(1, summary["active"]), summary["active"] / 60,
            totals["findings"], totals["known"], totals["fixed"], summary.get("unreproduced", 0))


# ---- HTML ---------------------------------------------------------------------

STYLE = """
:root { color-scheme: light dark; --ink: #1c1c1c; --paper: #fdfdfb; --line: #d4d4cc;
  --soft: #66665e; --bad: #b3261e; --good: #1d6b3a; --draw: #2358a6; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e8e4; --paper: #16171a;
  --line: #3a3b40; --soft: #a2a29a; --bad: #ff8a80; --good: #7fd19b; --draw: #8ab4f8; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 84rem; color: var(--ink);
  background: var(--paper); font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; }
th, td { padding: .25rem .45rem; border-bottom: 1px solid var(--line); text-align: right;
  white-space: nowrap; font-variant-numeric: tabular-nums; }
th:first-child, td:first-child, .l { text-align: left; }
th { font-weight: 600; color: var(--soft); white-space: normal; vertical-align: bottom; }
@media (max-width: 76rem) { thead { display: none; }
  tr { display: block; padding: .4rem 0; border-bottom: 1px solid var(--line); }
  td, td:first-child { display: flex; justify-content: space-between; border: 0; padding: .1rem 0;
    white-space: normal; overflow-wrap: anywhere; gap: 1rem; }
  td::before { content: attr(data-label); color: var(--soft); } }
.findings { padding: 0; list-style: none; } .findings li { padding: .5rem 0;
  border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.findings pre { margin: .3rem 0; white-space: pre-wrap; }
a { color: var(--draw); } svg { display: block; } polyline { fill: none; stroke: var(--draw); stroke-width: 1.5; }
.bad { color: var(--bad); font-weight: 600; } .good { color: var(--good); }
.soft { color: var(--soft); } code { overflow-wrap: anywhere; }
.figures { display: flex; flex-wrap: wrap; gap: .5rem 2rem; padding: 0; list-style: none; }
.figures b { display: block; font-size: 1.3rem; }
"""


def escape(value):
    return html.escape(str(value), quote=True)


def number(value):
    return f"{value:,.0f}"


def line_chart(series, width=140, height=32):
    """Edges over active time, as a small line."""
    points = [point for point in series if point[1]]
    if len(points) < 2:
        return ""
    low, high = points[0][1], max(value for _, value in points)
    first, last = points[0][0], max(points[-1][0], points[0][0] + 1)
    place = " ".join("%.1f,%.1f" % (
        2 + (width - 4) * (at - first) / (last - first),
        height - 2 - (height - 4) * ((value - low) / (high - low) if high > low else 0))
        for at, value in points)
    label = f"edges over time, from {low} to {high}"
    return (f'<svg width="{width}" height="{height}" role="img" aria-label="{escape(label)}">'
            f'<title>{escape(label)}</title><polyline points="{place}"/></svg>')


def html_table(heads, rows):
    """A table; cells are HTML already."""
    head = "".join(f"<th scope=\"col\">{escape(each)}</th>" for each in heads)
    body = "".join("<tr>" + "".join(
        f'<td data-label="{escape(name)}">{cell}</td>' for name, cell in zip(heads, row)) + "</tr>"
        for row in rows)
    return (f'<div class="wide"><table><thead><tr>{head}</tr></thead>'
            f"<tbody>{body}</tbody></table></div>")


def target_cells(row):
    slow = row["floor"] and row["plain_rate"] and row["plain_rate"] < row["floor"]
    return [f'<span title="{escape(row["about"])}">{escape(row["name"])}</span>',
            number(row["executions"]), number(row["rate"]),
            f'<span class="{"bad" if slow else ""}">{number(row["plain_rate"])}</span>',
            number(row["edges"]), number(row["new_edges"]), escape(minutes(row["plateau"])),
            line_chart(row["series"]), number(row["files"]),
            f'<span class="{"bad" if row["findings"] else "good"}">{row["findings"]}</span>',
            f"{row['seconds'] / 60:.1f}"]


def targets_section(summary):
    heads = ("target", "executions", "a second", "plain a second", "edges", "new edges",
             "minutes without new ones", "edges over time", "inputs", "findings", "minutes")
    return "<h2>Targets</h2>" + html_table(heads, map(target_cells, summary["targets"])) + (
        '<p class="soft">Edges are those that the whole corpus reaches in the build for speed; '
        "new ones are counted when a round's inputs are merged. Plain is libFuzzer without "
        "sanitizers, a second of a core; it is red where fuzz/targets.json wants more.</p>")


def roles_section(summary):
    rows = [[escape(row["target"]), f'<span class="l">{log_of(summary, row["target"], row["role"])}</span>',
             number(row["rounds"]), number(row["executions"]), number(row["rate"]),
             number(row["new_edges"]), number(row["crashes"]), f"{row['seconds'] / 60:.1f}"]
            for row in summary["roles"]]
    if not rows:
        return "<h2>Roles</h2><p>No round is over.</p>"
    heads = ("target", "role", "rounds", "executions", "a second", "new edges", "crashes",
             "minutes")
    return "<h2>Roles</h2>" + html_table(heads, rows)


def finding_item(note):
    """A finding with its folder; the page stands in WORK/report."""
    where = f"../findings/{urllib.parse.quote(note['key'])}"
    links = " ".join(f'<a href="{where}/{name}">{words}</a>' for name, words in (
        ("report.md", "report"), ("input", "input"), ("output.txt", "output")))
    stack = escape(" < ".join(note["stack"]))
    words = escape("\n".join(note.get("said", [])[1:]))  # the first line names the property
    return (f'<li><b class="{"bad" if standing(note) == "open" else "soft"}">{standing(note)}</b> '
            f"{escape(note['class'])}: {escape(note['what'])}"
            f"<br><code>{escape(note['key'])}</code>, {escape(note['times'])} inputs: {links}"
            + (f"<pre>{words}</pre>" if words else "<br>" if stack else "")
            + (f'<code class="soft">{stack}</code>' if stack else "") + "</li>")


def findings_section(summary):
    body = "".join(map(finding_item, summary["findings"]))
    return "<h2>Findings</h2>" + (f'<ul class="findings">{body}</ul>' if body else
                                  '<p class="good">None.</p>')


def log_of(summary, target, role):
    """A role's name, with its log where there is one."""
    name = f"{target}-{role}.log"
    if name not in summary.get("logs", ()):
        return escape(role)
    return f'<a href="../logs/{urllib.parse.quote(name)}">{escape(role)}</a>'


def coverage_section(summary):
    figures = summary["coverage"]
    if not figures:
        words = "Not measured." if summary["finished"] else "Measured when the night is over."
        return f"<h2>Coverage</h2><p>{words}</p>"
    rows = [[escape(name)] + [f"{percent(row[kind]):.1f}% ({row[kind][0]} of {row[kind][1]})"
                              for kind in KINDS]
            for name, row in [*figures["targets"].items(), ("all", figures["all"])]]
    never = "".join(f"<li><code>{escape(name)}</code> <span class=\"soft\">{escape(place)}</span>"
                    "</li>" for place, name in figures["missing_functions"])
    return ("<h2>Coverage of ref/src by corpora</h2>" + html_table(("target", *KINDS), rows)
            + (f"<h3>Functions that nothing reaches</h3><ul>{never}</ul>" if never else ""))


def trend_section(summary):
    rows = [[escape(each["night"]), escape(day(each["started"])),
             f"<code>{escape(each['commit'])}</code>", f"{each['minutes']:.1f}",
             number(each["executions"]), number(each["edges"]), escape(each["findings"])]
            + ([f"{percent(each['coverage'][kind]):.1f}%" for kind in KINDS]
               if each.get("coverage") else ["-"] * len(KINDS)) for each in summary["trend"][-60:]]
    heads = ("night", "started", "commit", "minutes", "executions", "edges", "findings", *KINDS)
    return "<h2>Nights</h2>" + html_table(heads, rows)


def day(seconds):
    return time.strftime("%Y-%m-%d %H:%M", time.gmtime(seconds))


def figures_section(summary):
    totals = summary["totals"]
    bad = "bad" if totals["findings"] else "good"
    said = (("executions", number(totals["executions"]), ""),
            ("a second", number(totals["executions"] / max(1, summary["active"])), ""),
            ("minutes", f"{summary['active'] / 60:.1f}", ""),
            ("new edges", number(totals["new_edges"]), ""),
            ("findings", number(totals["findings"]), bad))
    return '<ul class="figures">' + "".join(
        f'<li><b class="{kind}">{value}</b>{name}</li>' for name, value, kind in said) + "</ul>"


def notes_section(summary):
    notes = "".join(f"<li>{escape(each)}</li>" for each in summary["notes"])
    return f"<h2>Notes</h2><ul>{notes}</ul>" if notes else ""


def page(summary):
    """The whole page."""
    planned = summary["hours"] * 60
    state = "" if summary["finished"] else (
        f" It is not over: {summary['active'] / 60:.0f} of {planned:.0f} minutes, as of "
        f"{day(summary.get('written', 0))} UTC.")
    about = (f"Night {summary['night']}, epref {summary['version']}, commit "
             f"{summary['commit']}, started {day(summary['started'])} UTC, "
             f"sessions {summary['sessions']}, jobs {summary['jobs']}.{state}")
    parts = (figures_section, findings_section, notes_section, targets_section,
             coverage_section, roles_section, trend_section)
    return ('<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>epref: fuzzing, night {escape(summary['night'])}</title>"
            f"<style>{STYLE}</style></head><body><h1>Fuzzing of epref</h1>"
            f"<p>{escape(about)}</p>" + "".join(part(summary) for part in parts) + "</body></html>\n")
