/* list.js - the vectors, filtered, a page at a time. */

const PAGE = 100;

/* Whether an outcome is what the filter asks for. */
function isOutcome(report, run, i, wanted) {
  const outcome = report.outcome(run, i);
  const failed = outcome !== "" && outcome !== "pass" && outcome !== "skipped";
  if (wanted === "failed") return failed;
  if (wanted === "expected") return failed && report.detail(run, i).cause !== undefined;
  if (wanted === "unexpected") return failed && report.detail(run, i).cause === undefined;
  if (wanted === "missing") return outcome === "";
  if (wanted.startsWith("skipped-")) return report.skip(run, i) === wanted.slice(8);
  return outcome === wanted;
}

function chosenRuns(report, asked) {
  return asked.testee ? report.runs.filter((run) => run.testee.id === asked.testee) : report.runs;
}

function inPart(report, i, part) {
  return report.sectionOf[i] === part || report.sectionOf[i].split(".")[0] === part;
}

function searchText(report, i) {
  if (!report.search) report.search = [];
  if (!report.search[i]) {
    const { id, why, code = "", clause, provenance } = report.vectors[i];
    report.search[i] = [id, why, code, clause.join(" "), provenance].join("\n").toLowerCase();
  }
  return report.search[i];
}

/* The numbers of the vectors that are asked for. */
function choose(report, asked) {
  const words = (asked.text || "").toLowerCase().split(/\s+/).filter(Boolean);
  const runs = chosenRuns(report, asked);
  const chosen = [];
  report.vectors.forEach((vector, i) => {
    const fits = (!asked.operation || vector.operation === asked.operation)
      && (!asked.schema || (vector.schema || "none") === asked.schema)
      && (!asked.verdict || vector.verdict === asked.verdict)
      && (!asked.clause || vector.clause.includes(asked.clause))
      && (!asked.twin || vector.twin === asked.twin)
      && (!asked.code || runs.some((run) => (codeOf(report, run, i) || "none") === asked.code))
      && (!asked.part || inPart(report, i, asked.part))
      && (!asked.splits || report.splits[i])
      && words.every((word) => searchText(report, i).includes(word))
      && (!asked.outcome || runs.some((run) => isOutcome(report, run, i, asked.outcome)))
      && (!asked.cause || runs.some((run) => report.detail(run, i).cause === asked.cause));
    if (fits) chosen.push(i);
  });
  if (asked.order !== "failures") return chosen;
  const worth = (i) => (runs.some((run) => isOutcome(report, run, i, "unexpected")) ? 0 : runs.some((run) => isOutcome(report, run, i, "failed")) ? 1 : 2);
  return chosen.map((i) => [worth(i), i]).sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(([, i]) => i);
}

function vectorRow(report, i) {
  const vector = report.vectors[i];
  return h("tr", {},
    h("th", { scope: "row", class: "id mono" }, h("a", { href: vectorAddress(vector.id) }, breakable(vector.id))),
    report.runs.map((run) => h("td", { "data-label": report.runs.length > 1 ? report.nameOf(run) + ":" : null }, outcomeMark(report.outcome(run, i), report.skip(run, i)))),
    h("td", {}, vector.operation),
    h("td", {}, vector.schema || "–"),
    h("td", {}, vector.verdict + " ", vector.code ? h("div", { class: "soft mono" }, vector.code) : null),
    h("td", {}, vector.clause[0]));
}

/* A choice among values; `choices` are [value, words]. */
function chooser(name, label, choices, asked, change) {
  const id = "filter-" + name;
  const select = h("select", { id, onchange: (event) => change({ [name]: event.target.value }) },
    h("option", { value: "" }, "any"), choices.map(([value, words]) => h("option", { value }, words)));
  select.value = asked[name] || "";
  return h("label", { for: id }, label, select);
}

function outcomeChoices() {
  return [["failed", "failed"], ["expected", "failed as expected"], ["unexpected", "failed unexpectedly"]]
    .concat(Object.keys(OUTCOME_WORDS).map((outcome) => [outcome, outcome === "skipped" ? "not run" : outcome]))
    .concat(Object.keys(SKIP_WORDS).map((skip) => ["skipped-" + skip, "not run: " + skip]), [["missing", "no result"]]);
}

function partChoices(report) {
  const sections = [...new Set(report.sectionOf)].sort(numerically);
  const parts = [...new Set(sections.map((section) => section.split(".")[0]))];
  return parts.flatMap((part) => [[part, report.partTitle(part)]].concat(
    sections.filter((section) => section.split(".")[0] === part).map((section) => [section, "\u00a0\u00a0" + report.titleOf(section)])));
}

const valuesOf = (report, key) => [...new Set(report.vectors.map((vector) => vector[key] || "none"))].sort(numerically).map((value) => [value, value]);

function filterForm(report, asked, change) {
  const words = h("input", { type: "search", id: "filter-text", autocomplete: "off", placeholder: "id, reason, code, clause",
    oninput: (event) => change({ text: event.target.value }) });
  words.value = asked.text || "";
  const splits = h("input", { type: "checkbox", id: "filter-splits", onchange: (event) => change({ splits: event.target.checked ? "yes" : "" }) });
  splits.checked = Boolean(asked.splits);
  const narrow = window.matchMedia("(max-width: 40rem)").matches;
  return h("form", { class: "filters", role: "search", "aria-label": "Filter the vectors", onsubmit: (event) => event.preventDefault() },
    h("label", { class: "words", for: "filter-text" }, "Text", words),
    chooser("testee", "Implementation", report.runs.map((run) => [run.testee.id, report.nameOf(run)]), asked, change),
    chooser("outcome", "Outcome", outcomeChoices(), asked, change),
    h("details", { class: "more", open: !narrow }, h("summary", {}, "More filters"), h("div", { class: "filters" },
      chooser("part", "Part or section", partChoices(report), asked, change),
      chooser("operation", "Operation", valuesOf(report, "operation"), asked, change),
      chooser("schema", "Schema version", valuesOf(report, "schema"), asked, change),
      chooser("verdict", "Verdict", valuesOf(report, "verdict"), asked, change),
      chooser("order", "Order", [["failures", "failures first"]], asked, change),
      h("label", { class: "line", for: "filter-splits" }, splits, "only splits"),
      h("button", { type: "button", onclick: () => { location.hash = "#list"; } }, "Clear"))));
}

/* What narrows the list and has no place in the form: a clause, or a cause with
   its reason. */
function beyondForm(report, asked, change) {
  const remove = (key) => [" ", h("button", { type: "button", onclick: () => change({ [key]: "" }) }, "Remove")];
  const known = report.runs.flatMap((run) => (run.causes || []).filter(({ cause }) => cause === asked.cause && (!asked.testee || run.testee.id === asked.testee)));
  return [
    asked.clause ? h("p", { class: "clause" }, "Only clause ", clauseName(report, asked.clause), ". ", plainWords(report.spec.clauses[asked.clause] || ""), remove("clause")) : "",
    asked.code ? h("p", { class: "clause" }, "Only code ", h("strong", {}, asked.code), ".", remove("code")) : "",
    asked.twin ? h("p", { class: "clause" }, "Only with the valid twin ", idLink(asked.twin), ".", remove("twin")) : "",
    asked.cause ? h("p", { class: "clause" }, "Only cause ", h("strong", {}, asked.cause), ". ", known.map(({ reason }) => reason + " "), remove("cause")) : "",
  ];
}

function list(report, asked) {
  const body = h("div", {});
  const status = h("p", { role: "status", id: "list-status" });
  const beyond = h("div", {});
  let first = 0;
  let chosen = [];
  function draw() {
    const shown = chosen.slice(first, first + PAGE);
    const turn = (to, words, possible) => h("button", { type: "button", disabled: !possible, onclick: () => { first = to; draw(); body.scrollIntoView(); } }, words);
    const pages = () => h("p", { class: "pages" }, turn(first - PAGE, "Previous", first > 0), turn(first + PAGE, "Next", first + PAGE < chosen.length),
      h("span", {}, shown.length === 0 ? "none" : number(first + 1) + "–" + number(first + shown.length) + " of " + number(chosen.length)));
    const heads = ["Vector", ...report.runs.map((run) => report.nameOf(run)), "Operation", "Schema", "Verdict", "Clause"];
    body.replaceChildren(pages(), table("Vectors and their outcomes.", heads, shown.map((i) => vectorRow(report, i)), "cards"), shown.length > 20 ? pages() : "");
  }
  function change(more) {
    Object.assign(asked, more);
    if (Object.keys(more).length > 0) history.replaceState(null, "", address("list", asked));
    first = 0;
    chosen = report.listed = choose(report, asked);
    status.textContent = number(chosen.length) + " of " + counted(report.vectors.length, "vector");
    beyond.replaceChildren(...beyondForm(report, asked, change));
    draw();
  }
  change({});
  return [h("h2", { tabindex: "-1" }, "Vectors"), filterForm(report, asked, change), beyond, status, body];
}
