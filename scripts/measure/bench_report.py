"""What scripts/bench tells: the tables, the chart, the goals.

Everything is read off the report that becomes bench.json, so the same figures
stand everywhere.
"""

from xml.sax.saxutils import escape

YARDSTICK = "yyjson"
OURS = "epref"
PEER_OPERATIONS = ("decode", "encode")
OPERATIONS = PEER_OPERATIONS + ("check",)
GENERATED = {"gen1k": 1000, "gen10k": 10_000, "gen100k": 100_000, "gen1m": 1_000_000}  # nodes

# Goals: what is measured, on which program, and the most that it may be.
GOALS = (
    ("decode", "enc24", "instructions_per_byte", 12, "instructions a byte"),
    ("encode", "enc24", "instructions_per_byte", 8, "instructions a byte"),
    ("decode", "enc24", "peak_per_byte", 4, "bytes of heap a byte"),
    ("check", "enc24", "with_decode_instructions", 2, "times a decode, with the decode"),
)


def find(report, name, peer, operation):
    for line in report["results"]:
        if (line["input"], line["peer"], line["operation"]) == (name, peer, operation):
            return line
    return None


def in_order(values):
    """Without repetitions, the first places kept."""
    return list(dict.fromkeys(values))


# ---- goals ------------------------------------------------------------------


def judge(report):
    """A verdict for each goal; what was not measured is not passed."""
    goals = []
    for operation, name, figure, most, unit in GOALS:
        line = find(report, name, OURS, operation)
        value = line.get(figure) if line else None
        verdict = "not measured" if value is None else "pass" if value <= most else "fail"
        goals.append({"operation": operation, "input": name, "figure": figure, "most": most,
                      "unit": unit, "value": value, "verdict": verdict})
    return goals


def verdict(goals):
    lines = []
    for goal in goals:
        value = "-" if goal["value"] is None else f"{goal['value']:.2f}"
        lines.append(f"{goal['verdict']}: {OURS} {goal['operation']} {goal['input']}: "
                     f"{value} {goal['unit']} (goal: at most {goal['most']})\n")
    return "".join(lines)


# ---- tables -----------------------------------------------------------------


def number(value, digits):
    return "–" if value is None else f"{value:.{digits}f}"


def cells(line):
    if line is None:
        return ["–"] * 4
    return [number(line["mb_per_second"], 0), number(line["instructions_per_byte"], 1),
            number(line["peak_per_byte"], 2), number(line["time_beside_yyjson"], 2)]


def row(values):
    return "| " + " | ".join(values) + " |\n"


def table(report, name):
    lines = [line for line in report["results"] if line["input"] == name]
    head = [f"{operation} {what}" for operation in PEER_OPERATIONS
            for what in ("MB/s", "instr/B", "heap B/B", "time/yyjson")]
    text = f"### {name}, {lines[0]['bytes']:,} bytes\n\n"
    text += row(["peer"] + head) + row(["---"] + ["--:"] * len(head))
    for peer in in_order(line["peer"] for line in lines):
        version = next(line["version"] for line in lines if line["peer"] == peer)
        both = [cells(find(report, name, peer, operation)) for operation in PEER_OPERATIONS]
        text += row([f"{peer} {version}"] + both[0] + both[1])
    return text + "\n"


def check_cells(report, name):
    """What a check costs: of its own, and with the decode that it follows."""
    line = find(report, name, OURS, "check")
    if line is None:
        return ["–"] * 5
    return [number(line["mb_per_second"], 0), number(line["instructions_per_byte"], 1),
            number(line["peak_per_byte"], 2), number(line.get("with_decode_instructions"), 2),
            number(line.get("with_decode_time"), 2)]


def check_table(report, names):
    text = "### Checking after decoding\n\n"
    text += row(["program", "check MB/s", "instr/B", "heap B/B", "decode and check / decode, instr",
                 "in time"])
    text += row(["---"] + ["--:"] * 5)
    for name in names:
        text += row([name] + check_cells(report, name))
    return text + "\n"


def scale_row(report, name):
    lines = [find(report, name, OURS, operation) for operation in OPERATIONS]
    size = next(line["bytes"] for line in lines if line)
    values = [f"{GENERATED[name]:,}", f"{size:,}"]
    for figure, digits in (("instructions_per_byte", 2), ("nanoseconds_per_byte", 2),
                           ("peak_per_byte", 2)):
        values += [number(line and line.get(figure), digits) for line in lines]
    return row(values)


def scale_table(report, names):
    """Whether the work grows as the program does: each column should not."""
    text = "### Generated programs, from small to large\n\n"
    text += row(["nodes", "bytes"] + [f"{operation} {what}"
                                      for what in ("instr/B", "ns/B", "heap B/B")
                                      for operation in OPERATIONS])
    text += row(["--:"] * (2 + 3 * len(OPERATIONS)))
    for name in names:
        text += scale_row(report, name)
    return text + "\n"


def troubles(report):
    text = "".join(f"- {one['peer']}: not run: {one['reason']}\n" for one in report["not_run"])
    for one in report["failed"]:
        text += f"- {one['peer']} {one['operation']} {one['input']}: failed: {one['reason']}\n"
    return text + "\n" if text else ""


def markdown(report):
    info = report["machine"]
    text = (f"{info['processor']}, {info['system']}; {info['c_compiler']}, {info['flags']}; "
            f"{info['valgrind']}.\n\n"
            "Figures are per byte of the input, for encoders too. epref's decode is typed and\n"
            "checks the schema; the peers' make a tree of any JSON. epref's encode writes\n"
            "PyTorch's own bytes, spaces included; the peers' write none. The heap is the peak of\n"
            "what the operation took, its result included and the input not: epref's tree, and\n"
            "no other, points into the input, which has to stay.\n\n")
    names = in_order(line["input"] for line in report["results"])
    given = [name for name in names if name not in GENERATED]
    made = [name for name in names if name in GENERATED]
    for name in given:
        text += table(report, name)
    text += check_table(report, given) if given else ""
    text += scale_table(report, made) if made else ""
    return text + troubles(report)


# ---- the chart --------------------------------------------------------------

PANEL, LABELS, BAR, GAP, TOP = 530, 80, 16, 6, 26  # pixels
SCALE = PANEL - LABELS - 215  # of the longest bar; the rest is for its figures
STYLE = ("text{font:12px sans-serif;fill:#222}.h{font-weight:bold}"
         ".b{fill:#9aa5b1}.o{fill:#d9541e}.n{fill:#666}")


def bar(line, longest, y):
    width = max(1.0, SCALE * line["mb_per_second"] / longest)
    kind = "o" if line["peer"] == OURS else "b"
    ratio = line["time_beside_yyjson"]
    figures = f"{line['mb_per_second']:,.0f} MB/s"
    if ratio is not None:
        figures += f" · {ratio:.2f} × yyjson's time"
    base = y + BAR - 4
    return (f'<text x="{LABELS - 6}" y="{base}" text-anchor="end">{escape(line["peer"])}</text>'
            f'<rect class="{kind}" x="{LABELS}" y="{y}" width="{width:.1f}" height="{BAR}"/>'
            f'<text class="n" x="{LABELS + width + 5:.1f}" y="{base}">{escape(figures)}</text>\n')


def panel(report, name, operation):
    """(the panel's elements, its height), the fastest peer first."""
    lines = [line for line in report["results"]
             if line["input"] == name and line["operation"] == operation]
    lines.sort(key=lambda line: line["seconds"])
    text = f'<text class="h" x="{LABELS}" y="{TOP - 10}">{escape(f"{operation} {name}")}</text>\n'
    for i, line in enumerate(lines):
        text += bar(line, lines[0]["mb_per_second"], TOP + i * (BAR + GAP))
    return text, TOP + len(lines) * (BAR + GAP) + 12


def chart(report):
    """Bars of throughput: a column for each operation, a row for each program."""
    body, y = "", 8
    for name in in_order(line["input"] for line in report["results"]):
        if name in GENERATED:
            continue
        height = 0
        for column, operation in enumerate(PEER_OPERATIONS):
            text, panel_height = panel(report, name, operation)
            body += f'<g transform="translate({column * PANEL},{y})">\n{text}</g>\n'
            height = max(height, panel_height)
        y += height
    width = PANEL * len(PEER_OPERATIONS)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{y}" '
            f'viewBox="0 0 {width} {y}" role="img">\n'
            "<title>Throughput of epref and of JSON libraries</title>\n"
            f'<style>{STYLE}</style>\n<rect width="100%" height="100%" fill="#fff"/>\n'
            f"{body}</svg>\n")
