"""scripts/bench --canon: how the work of a canonical form grows with the program.

Programs of many shapes (bench_shapes.py), each from a thousand nodes to a million,
and of every shape the exponent of growth: 1 is linear, n log n is some 1.07 here,
quadratic 2.  Everything told is read off the report that becomes canon.json.
"""

import math
import os
import resource
from xml.sax.saxutils import escape

import bench_shapes

OPERATION = "canon"
SIZES = (1000, 10_000, 100_000, 1_000_000)
LARGEST = SIZES[-1]
FITTED_FROM = 10_000  # below, what every program costs hides the growth
REPEATED_BELOW = 100_000  # nodes: only small programs have to be measured often
MOST_SECONDS = 180  # of the processor, for one count of instructions
MOST_MEMORY = 10 << 30  # bytes in the arena: no machine has to have more

# Growth that is no n log n is flagged.  Times grow faster than the work does while
# programs outgrow one cache after the other: where instructions do not bear them out,
# a flagged time is a failure only when no cache explains it.
FIGURES = ("instructions", "peak_arena_bytes", "seconds")
MOST_EXPONENT = 1.15
MOST_BY_CACHES = 1.5

# What grows with a limit of the format, as with the depth of a term, is linear in the
# end, and still too much.  No shape comes near these for a byte of its program.
MOST_PER_BYTE = {"instructions": 1000, "peak_arena_bytes": 25}


# ---- measuring ------------------------------------------------------------------


def processor_seconds():
    """Of all processes that were started here and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def foresee(lines, figure, nodes):
    """What a program of so many nodes takes by the growth so far, at least linear."""
    known = [line[figure] for line in lines if line.get(figure)]
    if not known:
        return 0
    growth = known[-1] / known[-2] if len(known) > 1 else 0
    return max(growth, nodes / lines[-1]["nodes"]) * known[-1]


class Measuring:
    """One shape at a time, from small to large; run is how scripts/bench measures."""

    def __init__(self, program, args, run, say):
        self.program, self.args, self.run, self.say = program, args, run, say

    def count(self, line, before, path):
        """Instructions, where they do not take too long to count."""
        stopped = before and not before[-1].get("instructions")
        if (self.run.counts is None or stopped
                or foresee(before, "count_seconds", line["nodes"]) > MOST_SECONDS):
            return
        start = processor_seconds()
        line["instructions"] = self.run.counts(self.program, OPERATION, path, self.args.into)
        line["count_seconds"] = processor_seconds() - start

    def size(self, shape, nodes, before):
        """The line of one program, or what went wrong."""
        path = os.path.join(self.args.into, f"canon-{shape}.json")
        made = bench_shapes.write(shape, nodes, path)
        try:
            reps = 1 if nodes >= REPEATED_BELOW else self.args.reps
            line, trouble = self.run.times(self.program, OPERATION, path, reps)
            if trouble is not None:
                return None, trouble
            line.update(shape=shape, nodes=made)
            self.count(line, before, path)
            return line, None
        finally:
            os.unlink(path)  # a million nodes are half a gigabyte

    def shape(self, shape, sizes):
        """(the lines of a shape, [what failed or was not run])."""
        lines, failed = [], []
        for nodes in sizes:
            self.say(f"{shape}: {nodes:,} nodes")
            memory = foresee(lines, "peak_arena_bytes", nodes)
            trouble = f"would take {memory / 1e9:.0f} GB" if memory > MOST_MEMORY else None
            if trouble is None:
                line, trouble = self.size(shape, nodes, lines)
            if trouble is not None:
                failed.append({"shape": shape, "nodes": nodes, "reason": trouble})
                break
            lines.append(line)
        return lines, failed


def measure(program, args, run, say):
    """The lines of all shapes, and what failed."""
    sizes = [size for size in SIZES if not args.quick or size < LARGEST]
    measuring = Measuring(program, args, run, say)
    results, failed = [], []
    for shape in args.shapes:
        lines, troubles = measuring.shape(shape, sizes)
        results += lines
        failed += troubles
    return results, failed


# ---- growth -----------------------------------------------------------------------


def exponent(points):
    """The slope of the line that fits the points best on logarithmic axes."""
    if len(points) < 2:
        return None
    xs = [math.log(x) for x, _ in points]
    ys = [math.log(y) for _, y in points]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    return (sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys))
            / sum((x - mean_x) ** 2 for x in xs))


def of_shape(report, shape):
    return [line for line in report["results"] if line["shape"] == shape]


def shapes_in(report):
    return list(dict.fromkeys(line["shape"] for line in report["results"]))


def grow(report):
    """For each shape the exponents, and which of them are too large.  A shape may
    round its count, so sizes are told by what they are near to."""
    growth = []
    for shape in shapes_in(report):
        one = {"shape": shape, "flagged": []}
        for figure in FIGURES:
            one[figure] = exponent([(line["nodes"], line[figure])
                                    for line in of_shape(report, shape)
                                    if line.get(figure) and line["nodes"] > FITTED_FROM * 0.9])
            if one[figure] is not None and one[figure] > MOST_EXPONENT:
                one["flagged"].append(figure)
        one["heavy"] = [figure for figure, most in MOST_PER_BYTE.items()
                        if any((line.get(figure) or 0) > most * line["bytes"]
                               for line in of_shape(report, shape))]
        growth.append(one)
    return growth


def fails(one, figure):
    """Whether a flagged figure is a failure."""
    caches = figure == "seconds" and one["instructions"] is not None
    return one[figure] > (MOST_BY_CACHES if caches else MOST_EXPONENT)


def failing(one):
    return bool(one["heavy"]) or any(fails(one, figure) for figure in one["flagged"])


def missed(report):
    """Whether a shape grows too fast, or could not be measured at all sizes."""
    return bool(report["failed"]) or any(failing(one) for one in report["growth"])


# ---- tables -------------------------------------------------------------------------


def figure_of(line, figure, per, digits):
    value = line.get(figure)
    return "–" if value is None else f"{value / line[per]:,.{digits}f}"


def row(values):
    return "| " + " | ".join(values) + " |\n"


def growth_row(one, lines):
    """The exponents, how far they reach, and what the largest programs cost."""
    last = lines[-1]
    shown = ["–" if one[figure] is None
             else f"{one[figure]:.2f}" + (" **!**" if figure in one["flagged"] else "")
             for figure in FIGURES]
    counted = [line for line in lines if line.get("instructions")]
    reach = f"{counted[-1]['nodes']:,}" if counted else "–"
    nanoseconds = last["seconds"] * 1e9 / last["nodes"]
    mark = " **!**" if one["heavy"] else ""
    return row([one["shape"], shown[0], reach, shown[1], shown[2], f"{last['nodes']:,}",
                figure_of((counted or lines)[-1], "instructions", "nodes", 0),
                f"{nanoseconds:,.0f}",
                figure_of(last, "peak_arena_bytes", "nodes", 0),
                figure_of(last, "peak_arena_bytes", "bytes", 1) + mark])


def growth_table(report):
    text = row(["shape", "instructions", "up to nodes", "memory", "time", "up to nodes",
                "instr/node", "ns/node", "arena B/node", "arena B/B"])
    text += row(["---"] + ["--:"] * 9)
    for one in report["growth"]:
        text += growth_row(one, of_shape(report, one["shape"]))
    return text + "\n"


def size_table(report):
    text = row(["shape", "nodes", "bytes", "instr/node", "instr/B", "ns/node", "arena B/node",
                "arena B/B"])
    text += row(["---"] + ["--:"] * 7)
    for line in report["results"]:
        nanoseconds = line["seconds"] * 1e9 / line["nodes"]
        text += row([line["shape"], f"{line['nodes']:,}", f"{line['bytes']:,}",
                     figure_of(line, "instructions", "nodes", 0),
                     figure_of(line, "instructions", "bytes", 1), f"{nanoseconds:,.0f}",
                     figure_of(line, "peak_arena_bytes", "nodes", 0),
                     figure_of(line, "peak_arena_bytes", "bytes", 2)])
    return text + "\n"


def markdown(report):
    info = report["machine"]
    text = (f"{info['processor']}, {info['system']}; {info['c_compiler']}, {info['flags']}; "
            f"{info['valgrind']}.\n\n"
            "The canonical form of decoded programs, their check and the writing of the form\n"
            "included.\n\n### Growth\n\n"
            f"Exponents are fitted from {FITTED_FROM:,} nodes on: 1 is linear, n log n some 1.07.\n"
            f"Above {MOST_EXPONENT} they are flagged (**!**); times also pay for outgrown caches.\n"
            f"So is more than {MOST_PER_BYTE['instructions']:,} instructions or "
            f"{MOST_PER_BYTE['peak_arena_bytes']} bytes of arena for a byte of a program.\n"
            "Other figures are those of the largest program that has them.\n\n")
    text += growth_table(report)
    text += "".join(f"- {shape}: {bench_shapes.describe(shape)}\n"
                    for shape in shapes_in(report))
    text += "\n### All sizes\n\n" + size_table(report)
    for one in report["failed"]:
        text += f"- {one['shape']}, {one['nodes']:,} nodes: not measured: {one['reason']}\n"
    return text


NAMES = {"instructions": "instructions", "peak_arena_bytes": "memory", "seconds": "time"}


def verdict(report):
    text = ""
    for one in report["growth"]:
        for figure in one["flagged"]:
            word = "fail" if fails(one, figure) else "flagged, not by instructions"
            text += f"{word}: {one['shape']}: {NAMES[figure]}: exponent {one[figure]:.2f}\n"
        for figure in one["heavy"]:
            text += (f"fail: {one['shape']}: {NAMES[figure]}: more than "
                     f"{MOST_PER_BYTE[figure]:,} for a byte of the program\n")
    text += "".join(f"not measured: {one['shape']}, {one['nodes']:,} nodes: {one['reason']}\n"
                    for one in report["failed"])
    return text if missed(report) else text + "pass: nothing grows faster than n log n\n"


# ---- the chart ------------------------------------------------------------------------

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 860, 560, 70, 170, 40, 46  # pixels
LABEL = 15  # between two labels
COLORS = ("#d9541e", "#1f6f8b", "#4c9a2a", "#8e44ad", "#b8860b", "#c2185b", "#34495e")
DASHES = ("", "7 3", "2 3")
STYLE = ("text{font:12px sans-serif;fill:#222}.h{font-weight:bold}.n{fill:#666}"
         ".g{stroke:#ddd}.l{fill:none;stroke-width:2}.f{font-weight:bold}")


class Axes:
    """Logarithmic ones, whole decades high and wide."""

    def __init__(self, points):
        xs, ys = [x for x, _ in points], [y for _, y in points]
        # A shape may be some nodes off, which is no reason for another decade.
        self.left, self.right = round(math.log10(min(xs))), round(math.log10(max(xs)))
        self.low, self.high = math.floor(math.log10(min(ys))), math.ceil(math.log10(max(ys)))
        self.right = max(self.right, self.left + 1)
        self.high = max(self.high, self.low + 1)

    def x(self, value):
        share = (math.log10(value) - self.left) / (self.right - self.left)
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def y(self, value):
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)

    def grid(self):
        right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
        text = ""
        for power in range(self.left, self.right + 1):
            x = self.x(10 ** power)
            text += (f'<line class="g" x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{bottom}"/>'
                     f'<text class="n" x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">'
                     f"{10 ** power:,}</text>\n")
        for power in range(self.low, self.high + 1):
            y = self.y(10 ** power)
            text += (f'<line class="g" x1="{LEFT}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}"/>'
                     f'<text class="n" x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">'
                     f"{10 ** power:,}</text>\n")
        return text + (f'<text class="n" x="{(LEFT + right) / 2}" y="{HEIGHT - 10}" '
                       'text-anchor="middle">nodes</text>\n')


def curves(report):
    """[(shape, what is counted, [(nodes, cost of one)])]: instructions where there are
    any, else nanoseconds."""
    found = []
    for shape in shapes_in(report):
        lines = of_shape(report, shape)
        counted = [(line["nodes"], line["instructions"] / line["nodes"]) for line in lines
                   if line.get("instructions")]
        timed = [(line["nodes"], line["seconds"] * 1e9 / line["nodes"]) for line in lines]
        found.append((shape, "" if counted else " (ns)", counted or timed))
    return found


def spread(wanted):
    """The places of labels, from the top: as near to what is wanted as they fit."""
    places = []
    for y in wanted:
        places.append(max(y, places[-1] + LABEL) if places else y)
    for i in range(len(places) - 1, -1, -1):
        least = HEIGHT - BOTTOM if i == len(places) - 1 else places[i + 1] - LABEL
        places[i] = min(places[i], least)
    return places


def curve(axes, number, points):
    color, dash = COLORS[number % len(COLORS)], DASHES[number // len(COLORS) % len(DASHES)]
    path = " ".join(f"{axes.x(x):.1f},{axes.y(y):.1f}" for x, y in points)
    return f'<polyline class="l" stroke="{color}" stroke-dasharray="{dash}" points="{path}"/>\n'


def label(axes, number, point, y, text, bold):
    """The shape's name beside the end of its line, and a thin line between them."""
    color, right = COLORS[number % len(COLORS)], WIDTH - RIGHT
    return (f'<line x1="{axes.x(point[0]):.1f}" y1="{axes.y(point[1]):.1f}" x2="{right + 14}" '
            f'y2="{y:.1f}" stroke="{color}" stroke-opacity="0.4"/>'
            f'<text class="{"f" if bold else "n"}" x="{right + 18}" y="{y + 4:.1f}" '
            f'style="fill:{color}">{escape(text)}</text>\n')


def chart(report):
    """What a node costs against the number of nodes: linear work is a level line."""
    drawn = curves(report)
    if not drawn:
        return '<svg xmlns="http://www.w3.org/2000/svg"/>\n'
    axes = Axes([point for _, _, points in drawn for point in points])
    bold = {one["shape"] for one in report["growth"] if failing(one)}
    body = axes.grid()
    order = sorted(range(len(drawn)), key=lambda i: axes.y(drawn[i][2][-1][1]))
    places = spread([axes.y(drawn[i][2][-1][1]) for i in order])
    for i, y in zip(order, places):
        shape, unit, points = drawn[i]
        body += curve(axes, i, points)
        body += label(axes, i, points[-1], y, shape + unit, shape in bold)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
            f'viewBox="0 0 {WIDTH} {HEIGHT}" role="img">\n'
            "<title>Work of a canonical form against the size of the program</title>\n"
            f'<style>{STYLE}</style>\n<rect width="100%" height="100%" fill="#fff"/>\n'
            f'<text class="h" x="{LEFT}" y="24">Instructions a node of epref\'s canonical form, '
            f"by shape</text>\n{body}</svg>\n")
