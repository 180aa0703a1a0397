/* clauses.js - which clauses of the specification the vectors cover. */

/* A number; where it is 0, the reason why that is meant to be so, or a hole. */
function coverageCell(row, lack) {
  const count = row[lack];
  const reason = (row.exceptions || {})[lack];
  if (count === undefined) return h("td", { class: "n zero" }, "–");
  if (count > 0) return h("td", { class: "n" }, number(count));
  return reason ? h("td", { class: "n absent", title: reason }, "– exempt") : h("td", { class: "n none" }, "✗ hole");
}

function coverageRow(report, row) {
  const text = report.spec.clauses[row.clause];
  const reasons = [...new Set(Object.values(row.exceptions || {}))];
  return h("tr", {},
    rowHead(h("a", { href: address("list", { clause: row.clause }) }, row.clause)),
    h("td", { class: "n" }, number(row.musts)),
    coverageCell(row, "site"), coverageCell(row, "valid"), coverageCell(row, "invalid"),
    h("td", { class: "wide" }, text ? h("div", { class: "text" }, plainWords(text)) : null, reasons.map((reason) => h("div", { class: "soft" }, "Exempt: " + reason))));
}

const isHole = (row) => (row.holes || []).length > 0;

function sectionRows(report, rows) {
  return groupBy(rows.map((_, k) => k), (k) => rows[k].clause.split(".").slice(0, 2).join(".")).flatMap(([section, inside]) => [
    h("tr", { class: "sum" }, h("th", { scope: "rowgroup", colspan: 6 }, report.titleOf(section))),
    ...inside.map((k) => coverageRow(report, rows[k]))]);
}

function coverage(report) {
  const { trace } = report;
  const title = h("h2", { tabindex: "-1" }, "Clauses");
  if (!trace) return [title, h("p", { class: "notice" }, "Not known: the report was made without a trace of the specification.")];
  const holes = trace.clauses.filter(isHole).length;
  const exempt = trace.clauses.filter((row) => Object.keys(row.exceptions || {}).length > 0).length;
  const heads = ["Clause", headCell("MUSTs"), headCell("Sites"), headCell("Valid"), headCell("Invalid"), "Text"];
  const body = h("div", {});
  const draw = (only) => body.replaceChildren(table("Clauses with a MUST, and what shows them.", heads,
    sectionRows(report, trace.clauses.filter((row) => !only || isHole(row) || row.exceptions)), "tall"));
  const box = h("input", { type: "checkbox", id: "only-holes", onchange: (event) => draw(event.target.checked) });
  draw(false);
  return [title,
    h("p", {}, "Every clause that says MUST: lines of code that cite it, vectors that show it kept and broken. "
      + number(trace.clauses.length) + " clauses; " + counted(holes, "hole") + "; " + number(exempt) + " with an exemption."),
    h("form", { class: "filters", onsubmit: (event) => event.preventDefault() }, h("label", { class: "line", for: "only-holes" }, box, "only holes and exemptions")),
    body];
}
