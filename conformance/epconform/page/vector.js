/* vector.js - one vector: why it exists, its bytes, and what came of it. */

/* The anchor of a section in SPEC.md, as it is commonly made of headings. */
function anchorOf(report, section) {
  const title = Object.hasOwn(report.spec.sections, section) ? report.spec.sections[section] : null;
  return title ? "#" + (section + " " + title).toLowerCase().replace(/[^\p{L}\p{N} -]/gu, "").replaceAll(" ", "-") : "";
}

/* Where a clause can be read: in one text, or in a folder of pages as scripts/spec_pages makes them. */
function clauseAddress(report, clause) {
  const [part, section] = clause.split(".");
  const { url } = report.spec;
  return url + (url.endsWith("/") ? `part-${part}.html#${clause}` : anchorOf(report, `${part}.${section}`));
}

/* The number of a clause, linked to there. */
function clauseName(report, clause) {
  return report.spec.url ? outside(clauseAddress(report, clause), clause) : h("strong", {}, clause);
}

function clauseLine(report, clause) {
  const text = report.spec.clauses[clause];
  return h("p", { class: "clause" }, clauseName(report, clause), " ", text ? plainWords(text) : null, " ",
    h("a", { class: "soft", href: address("list", { clause }) }, "all its vectors"));
}

/* A paragraph of SPEC.md: `code`, <sub> and <sup> as such, of links the words. */
function plainWords(text) {
  const words = text.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll("**", "");
  return words.split(/(`[^`]*`|<su[bp]>[^<]*<\/su[bp]>)/).map((piece) => {
    if (/^`.*`$/s.test(piece)) return h("code", {}, piece.slice(1, -1));
    const found = piece.match(/^<(su[bp])>(.*)<\/\1>$/s);
    return found ? h(found[1], {}, found[2]) : piece;
  });
}

const idLink = (id) => h("a", { class: "mono", href: vectorAddress(id) }, id);

const FACTS = {
  operation: ["Operation"],
  schema: ["Schema version", (version) => version || "none: only part 2 counts"],
  verdict: ["Verdict"],
  code: ["Code", (code) => h("code", {}, code)],
  offset: ["Offset", number],
  pointer: ["Pointer", (pointer) => h("code", {}, pointer || "(the root)")],
  twin: ["Valid twin", idLink],
  base: ["Made from", idLink],
  same_as: ["Same program as", idLink],
  different_from: ["Other program than", idLink],
  file: ["File", (file) => h("code", {}, file)],
  flags: ["Flags", (flags) => flags.join(", ")],
  provenance: ["Provenance"],
};

/* What is shown elsewhere on the page. */
const ELSEWHERE = ["id", "why", "clause", "text", "base64", "edit", "product"];

function factsOf(vector) {
  const known = Object.keys(FACTS).filter((key) => vector[key] !== undefined);
  const others = Object.keys(vector).filter((key) => !FACTS[key] && !ELSEWHERE.includes(key));
  const fact = (name, value) => [h("dt", {}, name), h("dd", {}, value)];
  return h("dl", { class: "facts" },
    known.map((key) => fact(FACTS[key][0], FACTS[key][1] ? FACTS[key][1](vector[key]) : vector[key])),
    others.map((key) => fact(key[0].toUpperCase() + key.slice(1), h("code", {}, JSON.stringify(vector[key])))));
}

const hasNoBytes = () => h("p", { class: "notice" }, "This page does not hold the document: it is a program of the corpora.");

function editSizes(vector) {
  const [offset, length] = vector.edit;
  return { offset, length, put: editPut(vector.edit).size };
}

/* The marks of a vector: what the edit has put there, and the byte that is
   reported. */
function marksOf(vector, text) {
  const marks = [];
  if (vector.edit) {
    const { offset, length, put } = editSizes(vector);
    marks.push({ from: offset, to: offset + put, style: "edit", label: put === 0 ? counted(length, "byte") + " removed" : "the edit" });
  }
  if (vector.offset !== undefined) {
    const end = vector.offset >= text.size;
    marks.push({ from: vector.offset, to: vector.offset + (end ? 0 : 1), style: "bad", label: end ? "the end of the document" : "byte " + vector.offset });
  }
  return marks;
}

function twinMarks(vector) {
  if (!vector.edit) return [];
  const { offset, length, put } = editSizes(vector);
  return [{ from: offset, to: offset + length, style: "edit", label: length === 0 ? counted(put, "byte") + " put here" : "replaced by the edit" }];
}

function documentSection(title, text, marks, name) {
  return h("section", {}, h("h3", {}, title), text === null ? hasNoBytes() : showDocument(text, marks, name));
}

function legend(vector) {
  const words = [];
  if (vector.offset !== undefined) words.push("Outlined: byte " + number(vector.offset) + ", which the reference reports");
  if (vector.edit) words.push("Dotted line: the edit");
  words.push("\\xNN: a byte that is no printable character");
  return h("p", { class: "legend" }, words.join(". ") + ".");
}

function bytesOf(report, i) {
  const vector = report.vectors[i];
  const text = report.document(i);
  const other = vector.twin || (vector.edit && vector.base);
  const j = report.index.get(other);
  return [h("div", { class: "pair" },
    documentSection("The document", text, text === null ? [] : marksOf(vector, text), vector.id),
    j === undefined ? null : documentSection(vector.twin ? "Its valid twin" : "What it is made from", report.document(j), twinMarks(vector), other)),
  legend(vector)];
}

/* ---- products ---- */

/* Of what was to be refused there is no product that is wanted: it is held against the
   document, and shows what was read. */
const isTaken = (outcome) => outcome === "accepted" || outcome === "changed";

/* How a product differs from the wanted one: in a value, or in its spelling. */
function productSentence(outcome, product, wantedAt) {
  if (product.pointer !== undefined) {
    return ", which differ in " + (product.pointer || "the whole") + ", at byte " + number(product.at) + " (byte " + number(wantedAt) + " of " + (isTaken(outcome) ? "the document" : "what is wanted") + ").";
  }
  if (outcome === "accepted") return ": what it has read, from byte " + number(Math.max(0, product.at - 40)) + " on.";
  const same = outcome === "spelling" ? "say the same, and " : "";
  return ", which " + same + "part from what is wanted at byte " + number(product.at) + ".";
}

/* Text with \xNN as bytes. */
function unescaped(text) {
  const bytes = [];
  for (const [, hex, plain] of text.matchAll(/\\x([0-9A-Fa-f]{2})|([^])/gu)) {
    if (hex) bytes.push(parseInt(hex, 16));
    else bytes.push(...UTF8.encode(plain));
  }
  return new Uint8Array(bytes);
}

function productWindow(title, text, at, size) {
  const bytes = unescaped(text);
  const from = Math.max(0, at - 40);
  const shown = windowDocument(bytes, from, Math.max(size, from + bytes.length));
  const end = at >= shown.to;
  const mark = { from: at, to: end ? at : at + 1, style: "bad", label: end ? "it ends here" : "byte " + number(at) };
  return h("section", {}, h("h4", {}, title), h("pre", { class: "bytes", tabindex: "0", "aria-label": title }, markedBytes(shown, shown.from, shown.to, [mark])));
}

function gotProducts(report, i) {
  return report.runs.filter((run) => (report.detail(run, i).got || {}).product).map((run) => {
    const { product } = report.detail(run, i).got;
    const wantedAt = product.wanted_at === undefined ? product.at : product.wanted_at;
    return [h("p", {}, report.nameOf(run) + " wrote " + counted(product.size, "byte") + productSentence(report.outcome(run, i), product, wantedAt)),
      h("div", { class: "pair" }, productWindow(isTaken(report.outcome(run, i)) ? "The document" : "Wanted", product.wanted, wantedAt, 0), productWindow("Written by " + report.nameOf(run), product.got, product.at, product.size))];
  });
}

/* What an invalid document was read as, by those that accept it and write. */
function takenProducts(report, i) {
  const shown = gotProducts(report, i);
  return shown.length > 0 ? [h("h3", {}, "What was read of it"), shown] : null;
}

function productOf(report, i) {
  const { product } = report.vectors[i];
  if (product === undefined) return takenProducts(report, i);
  const text = report.product(i);
  const name = report.vectors[i].id + " product";
  const wanted = product === "same" ? h("p", {}, "The document itself, byte for byte.")
    : product.sha256 !== undefined ? h("p", {}, counted(product.size, "byte") + " of the SHA-256 ", h("code", {}, product.sha256), ".")
    : text === null ? hasNoBytes() : showDocument(text, [], name);
  return [h("h3", {}, "The product that is wanted"), wanted, gotProducts(report, i)];
}

/* ---- outcomes ---- */

function gotWords(got) {
  const said = Object.entries(got || {}).filter(([key]) => key !== "product");
  return said.length === 0 ? null : h("div", {}, said.map(([key, value]) => [h("span", { class: "soft" }, key + " "), h("code", {}, String(value)), " "]));
}

function runRow(report, run, i) {
  const outcome = report.outcome(run, i);
  const skip = report.skip(run, i);
  const { cause, detail, message, got } = report.detail(run, i);
  const reason = (run.causes || []).find((known) => known.cause === cause);
  return h("tr", {},
    rowHead(report.nameOf(run), " ", h("span", { class: "soft" }, run.testee.version)),
    h("td", {}, outcomeMark(outcome, skip), cause || outcome === "pass" || outcome === "" || skip ? null : h("div", { class: "wrong" }, "not expected")),
    h("td", { class: "wide" }, skip && !detail ? SKIP_WORDS[skip] : null, detail ? h("div", {}, detail) : null, gotWords(got), message ? h("div", { class: "mono" }, message) : null,
      cause ? h("div", {}, "Cause: ", h("a", { href: address("list", { testee: run.testee.id, cause }) }, cause), ". ", reason ? reason.reason : null) : null));
}

function outcomesOf(report, i) {
  return table("What implementations made of it.", ["Implementation", "Outcome", "What it said"], report.runs.map((run) => runRow(report, run, i)), "cards");
}

/* The neighbours in the list that was shown last. */
function neighbours(report, i) {
  const listed = report.listed && report.listed.includes(i) ? report.listed : report.vectors.map((_, k) => k);
  const at = listed.indexOf(i);
  const link = (k, words) => (listed[k] === undefined ? null : h("a", { href: vectorAddress(report.vectors[listed[k]].id) }, words));
  return h("p", { class: "pages" }, link(at - 1, "← previous"), link(at + 1, "next →"),
    h("span", { class: "soft" }, number(at + 1) + " of " + number(listed.length)));
}

function vectorView(report, id) {
  const i = report.index.get(id);
  if (i === undefined) return [h("h2", { tabindex: "-1" }, "No such vector"), h("p", {}, h("code", {}, id))];
  const vector = report.vectors[i];
  return [
    neighbours(report, i),
    h("h2", { tabindex: "-1", class: "mono" }, breakable(vector.id)),
    h("p", {}, vector.why),
    factsOf(vector),
    outcomesOf(report, i),
    bytesOf(report, i),
    productOf(report, i),
    h("h3", {}, vector.clause.length === 1 ? "The clause" : "The clauses"),
    vector.clause.map((clause) => clauseLine(report, clause)),
  ];
}
