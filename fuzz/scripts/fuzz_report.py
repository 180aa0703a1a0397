"""The page of a campaign and its figures: targets with what they ran, findings with links
to their reports. One file of HTML that needs nothing else; what comes from data is escaped.
"""

import html
import json
import os
import time
import urllib.parse

import fuzz_project
import fuzz_triage

STYLE = """body{font:16px/1.5 system-ui,sans-serif;margin:1rem auto;max-width:70rem;padding:0 1rem}
table{border-collapse:collapse;width:100%}td,th{text-align:right;padding:.2rem .6rem;
border-bottom:1px solid #8884}td:first-child,th:first-child{text-align:left}
:root{color-scheme:light dark}"""


def target_row(night, target, findings):
    rounds = [row for row in night.state["rounds"] if row["target"] == target.name]
    executions = sum(row["executions"] for row in rounds)
    seconds = sum(row["seconds"] for row in rounds)
    return {"name": target.name, "executions": executions, "seconds": round(seconds),
            "rate": round(executions / seconds) if seconds else 0, "floor": target.floor,
            "edges": max((row["edges"] for row in rounds), default=0), "files": night.count(target),
            "findings": sum(note["target"] == target.name for note in findings)}


def summarize(night):
    found = fuzz_triage.findings(night.at("findings"))
    rows = [target_row(night, target, found) for target in night.targets]
    state = night.state
    return {"night": state["night"], "started": state["started"], "commit": state["commit"],
            "minutes": round(state["active"] / 60, 1), "finished": state["finished"],
            "executions": sum(row["executions"] for row in rows),
            "edges": sum(row["edges"] for row in rows),
            "findings": sum(note["standing"] == "open" for note in found),
            "targets": rows, "found": found}


def table(heads, rows):
    cells = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return "<table><tr>" + "".join(f"<th>{head}</th>" for head in heads) + f"</tr>{cells}</table>"


def page(summary):
    when = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(summary["started"]))
    targets = [(html.escape(row["name"]), f"{row['executions']:,}", f"{row['rate']:,}",
                f"{row['edges']:,}", f"{row['files']:,}", row["findings"])
               for row in summary["targets"]]
    found = [(f'<a href="../findings/{urllib.parse.quote(note["key"])}/report.md">'
              f'{html.escape(note["key"])}</a>', html.escape(note["what"]), note["standing"],
              note["size"], note["times"]) for note in summary["found"]]
    return (f"<!doctype html><html lang=en><meta charset=utf-8><title>Fuzzing</title>"
            f"<meta name=viewport content='width=device-width'><style>{STYLE}</style>"
            f"<h1>Fuzzing, night {summary['night']}</h1><p>{when}, commit "
            f"{html.escape(summary['commit'])}, {summary['minutes']} minutes"
            f"{'' if summary['finished'] else ', not finished'}.</p><h2>Findings</h2>"
            + (table(("finding", "what", "", "bytes", "inputs"), found) if found else "<p>None.</p>")
            + "<h2>Targets</h2>"
            + table(("target", "executions", "a second", "edges", "corpus", "findings"), targets)
            + "</html>\n")


def text(summary):
    lines = [f"{row['name']:10} {row['executions']:12} executions {row['rate']:8}/s "
             f"{row['edges']:7} edges {row['files']:6} inputs" for row in summary["targets"]]
    lines += [f"{note['standing']}: {note['key']}: {note['what']}" for note in summary["found"]]
    lines.append(f"{summary['executions']} executions in {summary['minutes']} minutes, "
                 f"{summary['findings']} open findings")
    return "\n".join(lines)


def write(night):
    """The page and its figures, as things are."""
    summary = summarize(night)
    fuzz_project.write_atomically(night.at("report", "index.html"), page(summary))
    fuzz_project.write_atomically(night.at("report", "summary.json"), json.dumps(summary, indent=1))
    return summary


def add_to_trend(path, summary):
    """A line a night; that of the same night is replaced."""
    rows = []
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            rows = [json.loads(line) for line in file if line.strip()]
    keys = ("night", "started", "commit", "minutes", "executions", "edges", "findings")
    rows = [row for row in rows if row["night"] != summary["night"]]
    rows.append({key: summary[key] for key in keys})
    fuzz_project.write_atomically(path, "".join(json.dumps(row) + "\n" for row in rows))
