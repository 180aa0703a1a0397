/* overview.js - the first view: what was run, and the matrices. */

function statusOf(run) {
  const { counts } = run;
  if (!run.complete) return h("span", { class: "wrong" }, "✗ incomplete: the run was stopped");
  if (counts.unexpected > 0 || counts.stale > 0) {
    const words = [counts.unexpected > 0 && "unexpected failures", counts.stale > 0 && number(counts.stale) + " stale"];
    return h("span", { class: "wrong" }, "✗ " + words.filter(Boolean).join(", "));
  }
  return counts.expected > 0 ? h("span", { class: "known" }, "= as expected, with failures") : "✓ no failures";
}

function partOfSuite(run) {
  const words = [];
  if (run.shard[1] > 1) words.push("shard " + run.shard.join(" of "));
  if (run.suite.chosen < run.suite.vectors) words.push(number(run.suite.chosen) + " of " + number(run.suite.vectors) + " chosen");
  return words.length > 0 ? h("div", { class: "soft" }, words.join("; ")) : null;
}

function testeeRow(report, run) {
  const { counts, suite, testee } = run;
  const ran = counts.passed + counts.expected + counts.unexpected;
  const share = (n, label, parameters) => h("td", { class: "n" + (n ? "" : " zero"), "data-label": label },
    n ? h("a", { href: address("list", { testee: testee.id, ...parameters }) }, number(n)) : "0");
  const verdicts = byVerdict(report, run);
  const passed = (verdict, label) => {
    const sum = verdicts[verdict] || { passed: 0, run: 0 };
    return h("td", { class: "n" + (sum.run ? "" : " zero"), "data-label": label },
      sum.run ? h("a", { href: address("list", { testee: testee.id, verdict, order: "failures" }) }, number(sum.passed) + " of " + number(sum.run)) : "–");
  };
  const hidden = Object.values(verdicts).reduce((sum, each) => sum + each.hidden, 0);
  return h("tr", {},
    rowHead(outside(testee.link, report.nameOf(run)), " ", testee.version, partOfSuite(run), h("div", { class: "soft" }, testee.description || "")),
    h("td", { class: "nowrap result" }, statusOf(run)),
    passed("valid", "to be accepted, passed:"), passed("invalid", "to be refused, passed:"),
    share(counts.unexpected, "unexpected failures:", { outcome: "unexpected" }), share(counts.expected, "expected failures:", { outcome: "expected" }),
    share(hidden, "show nothing:", { outcome: "skipped-twin" }),
    h("td", { class: "n", "data-label": "run:" }, number(ran) + " of " + number(suite.vectors) + " ", run.seconds ? h("div", { class: "soft" }, "in " + number(run.seconds) + " s") : null));
}

function testeeTable(report) {
  const heads = ["Implementation", "Result", headCell("To be accepted"), headCell("To be refused"), headCell("Unexpected"), headCell("Expected failures"), headCell("Show nothing"), headCell("Run")];
  return table("Passed of run, in vectors. Show nothing: refused, as the valid twin is. Not run is what an implementation says that it does not do; that is never passed.",
    heads, report.runs.map((run) => testeeRow(report, run)), "pin cards testees");
}

const absentLine = (report) => (report.absent.length === 0 ? null
  : h("p", { class: "soft", id: "absent" }, "Not run: " + report.absent.map((testee) => report.nameOf(testee)).join(", ") + "."));

/* A cell: passed of run, with a sign and a bar of the share. */
function tallyCell(sum, href, words) {
  const inside = (sign, share) => [h("span", { class: "sign" }, sign), h("span", { class: "share" }, share),
    h("span", { class: "flag" }, sum.unexpected ? "!" : "")];
  if (sum.run === 0) {
    return h("td", { class: "cell absent" }, h("a", { href, title: words + ": none of " + number(sum.all) + " run" }, inside("–", "0/0")));
  }
  const style = sum.passed === sum.run ? "all" : sum.passed === 0 ? "none" : "some";
  const sign = { all: "✓", none: "✗", some: "~" }[style];
  const share = Math.floor((100 * sum.passed) / sum.run);
  const title = words + ": " + number(sum.passed) + " of " + number(sum.run) + " run passed (" + share + "%)"
    + (sum.unexpected ? ", " + number(sum.unexpected) + " unexpected failures" : "")
    + (sum.all > sum.run ? "; " + number(sum.all - sum.run) + " not run" : "");
  const link = h("a", { href, title }, inside(sign, number(sum.passed) + "/" + number(sum.run)));
  const cell = h("td", { class: "cell " + style }, link);
  link.style.setProperty("--share", share + "%");
  return cell;
}

function columnHeads(report) {
  return [headCell("Vectors"), ...report.runs.map((run) => h("th", { scope: "col" }, report.nameOf(run)))];
}

function matrixRow(report, title, chosen, parameters, style) {
  return h("tr", { class: style },
    rowHead(title),
    h("td", { class: "n" }, h("a", { href: address("list", parameters) }, number(chosen.length))),
    report.runs.map((run) => tallyCell(report.tally(run, chosen), address("list", { ...parameters, testee: run.testee.id, order: "failures" }), report.nameOf(run))));
}

const numerically = (a, b) => a.localeCompare(b, "en", { numeric: true });

function groupBy(indices, key, order = (a, b) => numerically(a[0], b[0])) {
  const groups = new Map();
  for (const i of indices) {
    const name = key(i);
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(i);
  }
  return [...groups.entries()].sort(order);
}

function clauseMatrix(report) {
  const everything = report.vectors.map((_, i) => i);
  const rows = [matrixRow(report, "The whole suite", everything, {}, "sum")];
  for (const [part, inPart] of groupBy(everything, (i) => report.sectionOf[i].split(".")[0])) {
    rows.push(matrixRow(report, report.partTitle(part), inPart, { part }, "sum"));
    for (const [section, inSection] of groupBy(inPart, (i) => report.sectionOf[i])) {
      rows.push(matrixRow(report, report.titleOf(section), inSection, { part: section }, ""));
    }
  }
  return table("Passed of run, by section of the specification. A vector counts where its first clause stands.", ["Section", ...columnHeads(report)], rows, "pin tall");
}

/* golden/RELEASE/MODEL/OPERATION: programs that releases of PyTorch wrote. */
function producerMatrix(report) {
  const golden = report.vectors.map((_, i) => i).filter((i) => report.vectors[i].id.startsWith("golden/"));
  const operations = [...new Set(golden.map((i) => report.vectors[i].operation))].sort();
  const body = h("div", {});
  function draw(operation) {
    const chosen = golden.filter((i) => operation === "" || report.vectors[i].operation === operation);
    const rows = groupBy(chosen, (i) => report.vectors[i].id.split("/")[1]).map(([release, inRelease]) =>
      matrixRow(report, "PyTorch " + release, inRelease, { text: "golden/" + release + "/", operation }, ""));
    body.replaceChildren(table("Producer (rows) × consumer (columns): programs that releases of PyTorch wrote, passed of run.", ["Written by", ...columnHeads(report)], rows, "pin tall"));
  }
  const select = h("select", { id: "producer-operation", onchange: (event) => draw(event.target.value) },
    h("option", { value: "" }, "all"), operations.map((operation) => h("option", { value: operation }, operation)));
  draw("");
  return golden.length === 0 ? h("p", {}, "The suite has no golden programs.")
    : [h("form", { class: "filters", onsubmit: (event) => event.preventDefault() }, h("label", { for: "producer-operation" }, "Operation", select)), body];
}

/* A row of the table of outcomes: what the chosen outcome of each testee is. */
function outcomeRow(report, name, words, parameters, counts) {
  return h("tr", {}, rowHead(name), h("td", { class: "wide soft" }, words),
    counts.map((count, k) => h("td", { class: "n" + (count ? "" : " zero") },
      count ? h("a", { href: address("list", { testee: report.runs[k].testee.id, ...parameters }) }, number(count)) : number(count))));
}

function outcomeTable(report) {
  const count = (fits) => report.runs.map((run) => report.vectors.filter((_, i) => fits(run, i)).length);
  const rows = Object.entries(OUTCOME_WORDS).filter(([outcome]) => outcome !== "skipped").map(([outcome, words]) =>
    outcomeRow(report, outcome, words, { outcome }, count((run, i) => report.outcome(run, i) === outcome)));
  rows.push(...Object.entries(SKIP_WORDS).map(([skip, words]) =>
    outcomeRow(report, "not run: " + skip, words, { outcome: "skipped-" + skip }, count((run, i) => report.skip(run, i) === skip))));
  rows.push(outcomeRow(report, "no result", "not chosen, or the run was stopped", { outcome: "missing" }, count((run, i) => report.outcome(run, i) === "")));
  rows.push(h("tr", { class: "sum" }, rowHead("Vectors"), h("td", {}), report.runs.map(() => h("td", { class: "n" }, number(report.vectors.length)))));
  const heads = ["Outcome", "Meaning", ...report.runs.map((run) => headCell(report.nameOf(run)))];
  return table("Outcomes by implementation, in vectors.", heads, rows, "pin");
}

function overview(report) {
  const split = report.splits.filter(Boolean).length;
  return [
    h("h2", { tabindex: "-1" }, "Overview"),
    h("p", {}, "What implementations make of the format in which PyTorch saves programs (the JSON of ExportedProgram), held against the "
      + "conformance vectors: each a document, what must become of it, and why. " + counted(report.vectors.length, "vector") + "."),
    testeeTable(report),
    absentLine(report),
    report.runs.length > 1 ? h("p", {}, h("a", { href: address("list", { splits: "yes" }) }, counted(split, "vector") + " on which implementations part"), " of " + number(report.vectors.length) + ".") : null,
    report.runs.map((run) => failuresPart(report, run)),
    h("h3", {}, "Implementation × section"),
    h("p", { class: "soft" }, "✓ all that were run passed, ~ some, ✗ none, – none were run, ! a failure that is not expected. The bar is the share that passed. A cell leads to its vectors."),
    clauseMatrix(report),
    h("h3", {}, "Producer × consumer"),
    producerMatrix(report),
    h("h3", {}, "Outcomes"),
    outcomeTable(report),
  ];
}

/* ---- causes ---- */

function causeRows(report, run) {
  const found = new Map();
  for (const { cause, outcome } of run.results.filter((result) => result && result.cause)) {
    if (!found.has(cause)) found.set(cause, { count: 0, outcome });
    found.get(cause).count++;
  }
  const none = { count: 0, outcome: "" };
  return (run.causes || []).map(({ cause, reason, link }) => h("tr", {},
    rowHead(h("a", { href: address("list", { testee: run.testee.id, cause }) }, cause)),
    h("td", {}, outcomeMark((found.get(cause) || none).outcome)),
    h("td", { class: "n", "data-label": "vectors:" }, number((found.get(cause) || none).count)),
    h("td", { class: "wide" }, reason, link ? [" ", outside(link, /^https?:/.test(link) ? "(more)" : "(" + link + ")")] : null)));
}

function causesOf(report, run) {
  const { counts } = run;
  const failed = counts.expected + counts.unexpected;
  const rows = causeRows(report, run);
  return [
    h("h3", {}, report.nameOf(run) + " " + run.testee.version),
    h("p", {}, failed === 0 ? "Nothing failed." : number(failed) + " of " + number(counts.passed + failed) + " vectors run failed: "
      + number(counts.expected) + " by a known cause, " + number(counts.unexpected) + " by none."),
    groupsPart(report, run),
    rows.length === 0 ? null : table("Causes of expected failures of " + report.nameOf(run) + ".", ["Cause", "Outcome", headCell("Vectors"), "Reason"], rows, "cards"),
  ];
}

function causes(report) {
  return [
    h("h2", { tabindex: "-1" }, "Causes"),
    h("p", {}, "Why vectors fail, by implementation: expected failures with their reasons. An expected failure that passes, or fails in another way, fails the run."),
    report.runs.map((run) => causesOf(report, run)),
    absentLine(report),
  ];
}
