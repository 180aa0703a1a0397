/* tally.js - what fails, summed up: what stands in the way first, then groups that fold. */

const FIRST_GROUPS = 12;
const FIRST_VECTORS = 10;
const EXCERPT = 48;
const SAID = 100;      // characters of what was said that are compared

const isFailure = (outcome) => outcome !== "" && outcome !== "pass" && outcome !== "skipped";

/* An element that unfolds; what is in it is made when it is first opened. */
function fold(summary, make, style = "") {
  const body = h("div", { class: "body" });
  const draw = (event) => { if (event.target.open && !body.hasChildNodes()) body.append(...[make()].flat(Infinity).filter(Boolean)); };
  return h("details", { class: "fold " + style, ontoggle: draw }, h("summary", {}, summary), body);
}

/* ---- must be accepted, must be refused, either way ---- */

/* Passed and run of the vectors that want each verdict, and how many more show nothing. */
function byVerdict(report, run) {
  if (run.byVerdict) return run.byVerdict;
  run.byVerdict = {};
  report.vectors.forEach(({ verdict }, i) => {
    const sum = (run.byVerdict[verdict] = run.byVerdict[verdict] || { passed: 0, run: 0, hidden: 0 });
    const outcome = report.outcome(run, i);
    if (outcome === "skipped" && report.skip(run, i) === "twin") sum.hidden++;
    if (outcome === "" || outcome === "skipped") return;
    sum.run++;
    if (outcome === "pass") sum.passed++;
  });
  return run.byVerdict;
}

/* ---- what stands in the way ---- */

/* The valid twin's id, where it was refused with the code that the document has got, and
   that is not the one that it should have. */
function twinOfOneCode(report, run, i) {
  const { twin } = report.vectors[i];
  const j = report.index.get(twin);
  const code = (k) => (report.detail(run, k).got || {}).code;
  return report.outcome(run, i) === "reason" && j !== undefined && isFailure(report.outcome(run, j)) && code(i) && code(i) === code(j) ? twin : undefined;
}

/* Valid documents that were not accepted, and what is hidden by each; the worst first. */
function blockingOf(report, run) {
  const found = new Map();
  report.vectors.forEach((vector, i) => {
    const isVoid = report.outcome(run, i) === "skipped" && report.skip(run, i) === "twin";
    const j = report.index.get(isVoid ? vector.twin : twinOfOneCode(report, run, i));
    if (j === undefined) return;
    if (!found.has(j)) found.set(j, { i: j, outcome: "skipped-twin", hidden: 0 });
    found.get(j).hidden++;
    if (!isVoid) found.get(j).outcome = "reason";
  });
  return [...found.values()].sort((a, b) => b.hidden - a.hidden || a.i - b.i);
}

function blockingRow(report, run, { i, outcome, hidden }) {
  const { detail, message } = report.detail(run, i);
  const twin = report.vectors[i].id;
  return h("tr", {},
    h("th", { scope: "row", class: "id mono" }, h("a", { href: vectorAddress(twin) }, breakable(twin))),
    h("td", { class: "n", "data-label": "hidden:" }, h("a", { href: address("list", { testee: run.testee.id, outcome, twin }) }, number(hidden))),
    h("td", {}, outcomeMark(report.outcome(run, i), report.skip(run, i))),
    h("td", { class: "wide" }, message ? h("span", { class: "mono" }, message) : detail));
}

function blockingPart(report, run) {
  const found = blockingOf(report, run);
  if (found.length === 0) return null;
  const hidden = found.reduce((sum, each) => sum + each.hidden, 0);
  const heads = ["Valid document", headCell("Hidden"), "Outcome", "What it said"];
  const rows = (some) => table("What they hide, in vectors.", heads, some.map((each) => blockingRow(report, run, each)), "cards");
  return [h("p", { class: "notice" }, h("strong", {}, counted(hidden, "refusal") + " show nothing."),
    " The valid twins of the documents are refused, too: here they are, with how many vectors each hides. Mend these first."),
  rows(found.slice(0, 5)),
  found.length > 5 ? fold(number(found.length - 5) + " more", () => rows(found.slice(5))) : null];
}

/* ---- groups of failures without a cause ---- */

const plainText = (bytes) => textOf(bytes).map((node) => node.textContent).join("");

/* What an edit has made of what: "3" to "3.0". */
function editWords(report, i) {
  const vector = report.vectors[i];
  const j = report.index.get(vector.twin);
  const text = vector.edit && j !== undefined ? report.document(j) : null;
  if (text === null || vector.edit[0] < text.from || vector.edit[0] > text.to) return null;
  const [offset, length, said] = vector.edit;
  const part = (bytes) => (bytes.length > EXCERPT ? plainText(bytes.subarray(0, EXCERPT)) + "…" : plainText(bytes));
  const old = text.slice(offset, Math.min(offset + length, offset + EXCERPT + 1, text.to));
  const put = typeof said === "string" ? UTF8.encode(said) : fromBase64(said.base64);
  const word = (bytes) => (bytes.length === 0 ? h("span", { class: "soft" }, "nothing") : h("code", {}, part(bytes)));
  return [word(old), " → ", word(put), vector.edit[3] > 1 ? " × " + number(vector.edit[3]) : null];
}

/* What was written of an invalid document, which shows what it was read as. */
function readWords(report, run, i) {
  const { product } = report.detail(run, i).got || {};
  return product ? ["written again: ", h("code", {}, "… " + product.got + " …")] : null;
}

function exampleRow(report, run, i) {
  const { id } = report.vectors[i];
  const { detail, message } = report.detail(run, i);
  return h("tr", {},
    h("th", { scope: "row", class: "id mono" }, h("a", { href: vectorAddress(id) }, breakable(id))),
    h("td", {}, outcomeMark(report.outcome(run, i), "")),
    h("td", { class: "wide" }, h("div", {}, editWords(report, i)),
      h("div", { class: "soft" }, readWords(report, run, i) || message || (report.outcome(run, i) === "accepted" ? report.vectors[i].why : detail))));
}

/* Groups of vectors by what a function says of them, the largest first. */
const groupsOf = (indices, key) => groupBy(indices, key, (a, b) => b[1].length - a[1].length);

function groupBody(report, run, code, indices) {
  const clauses = groupsOf(indices, (i) => report.vectors[i].clause[0]);
  return clauses.map(([clause, inside]) => [
    h("p", { class: "clause" }, clauseName(report, clause), " ", report.spec.clauses[clause] ? plainWords(report.spec.clauses[clause]) : null, " ",
      h("a", { href: address("list", { testee: run.testee.id, outcome: "unexpected", clause, code: code || "none" }) }, "all " + number(inside.length))),
    table("Some of them, and what was changed in the valid twin.", ["Vector", "Outcome", "Edit, and answer"],
      inside.slice(0, FIRST_VECTORS).map((i) => exampleRow(report, run, i)), "cards")]);
}

/* A group: its number, what it is about, and what comes of opening it. */
function groupFold(report, run, indices, what, make) {
  const outcomes = groupsOf(indices, (i) => report.outcome(run, i));
  return fold([h("span", { class: "count" }, number(indices.length)), " ",
    h("span", { class: "what" }, what[0], " ",
      outcomes.map(([outcome, inside]) => [outcomeMark(outcome, ""), outcomes.length > 1 ? " " + number(inside.length) + " " : " "]),
      what.slice(1))], make);
}

function codeFold(report, run, code, indices) {
  const clauses = groupsOf(indices, (i) => report.vectors[i].clause[0]);
  const section = clauses[0][0].split(".").slice(0, 2).join(".");
  const title = Object.hasOwn(report.spec.sections, section) ? ", " + report.spec.sections[section] : "";
  const titles = clauses.length === 1 ? clauses[0][0] + title : clauses.slice(0, 3).map(([clause]) => clause).join(", ") + (clauses.length > 3 ? " and " + number(clauses.length - 3) + " more" : "");
  return groupFold(report, run, indices, [h("span", { class: code ? "key mono" : "key" }, code || "valid documents"), h("span", { class: "soft" }, "SPEC " + titles)],
    () => groupBody(report, run, code, indices));
}

/* Failures of the testee itself: no verdict, whatever the vector is about. */
function ownFold(report, run, indices) {
  const outcome = report.outcome(run, indices[0]);
  return groupFold(report, run, indices, [h("span", { class: "key" }, "no verdict"), h("span", { class: "mono" }, saidOf(report, run, indices[0]).slice(0, SAID))],
    () => [h("p", { class: "clause" }, h("a", { href: address("list", { testee: run.testee.id, outcome }) }, "all of this outcome")),
      table("Some of them, and what was changed in the valid twin.", ["Vector", "Outcome", "Edit, and answer"],
        indices.slice(0, FIRST_VECTORS).map((i) => exampleRow(report, run, i)), "cards")]);
}

/* What is said of a failure of the testee itself: what an error is about is its message. */
const OWN = new Set(["crash", "timeout", "flood", "protocol", "error"]);

function saidOf(report, run, i) {
  const { detail, message } = report.detail(run, i);
  return (report.outcome(run, i) === "error" && message) || detail || "";
}

/* What a failure is grouped by; of two messages that are the same but for numbers one key. */
const keyOf = (report, run, i) => (OWN.has(report.outcome(run, i))
  ? report.outcome(run, i) + ": " + saidOf(report, run, i).replace(/[0-9]+/g, "0").slice(0, SAID) : codeOf(report, run, i));

/* The code that a document should have been refused with; of a valid one the code that it
   was refused with, or nothing. */
const codeOf = (report, run, i) => report.vectors[i].code || (report.detail(run, i).got || {}).code || "";

function groupsPart(report, run) {
  const failed = report.vectors.map((_, i) => i).filter((i) => isFailure(report.outcome(run, i)) && !report.detail(run, i).cause);
  if (failed.length === 0) return null;
  const groups = groupsOf(failed, (i) => keyOf(report, run, i));
  const folds = (some) => some.map(([key, indices]) => (OWN.has(report.outcome(run, indices[0])) ? ownFold(report, run, indices) : codeFold(report, run, key, indices)));
  return [h("p", {}, h("a", { class: "wrong", href: address("list", { testee: run.testee.id, outcome: "unexpected" }) }, counted(failed.length, "failure") + " without a cause"),
    ", by the code that is wanted; without a verdict, by what was said:"),
  h("div", { class: "folds" }, folds(groups.slice(0, FIRST_GROUPS)),
    groups.length > FIRST_GROUPS ? fold(number(groups.length - FIRST_GROUPS) + " more groups, " + counted(groups.slice(FIRST_GROUPS).reduce((sum, [, inside]) => sum + inside.length, 0), "failure"),
      () => folds(groups.slice(FIRST_GROUPS)), "rest") : null)];
}

/* Both, of a run, under its name. */
function failuresPart(report, run) {
  const parts = [blockingPart(report, run), groupsPart(report, run)];
  if (!parts.some(Boolean) && run.counts.expected === 0) return null;
  return h("section", {}, h("h3", {}, "What fails: " + report.nameOf(run)), parts.flat().filter(Boolean),
    run.counts.expected > 0 ? h("p", {}, h("a", { href: "#causes" }, counted(run.counts.expected, "failure") + " with a known cause"), ".") : null);
}
