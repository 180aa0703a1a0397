/* show.js - elements, addresses and bytes. What comes from the data is only
   ever text of an element: nothing of it is read as HTML. */

/* What is not seen, or changes how other text is seen, as an escape; line feeds and tabs stay. */
// eslint-disable-next-line no-control-regex
const HARMFUL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
const safe = (text) => text.replace(HARMFUL, (found) => "\\u{" + found.codePointAt(0).toString(16) + "}");

/* An element: properties that begin with "on" are listeners, the others
   attributes; children are elements, texts, or arrays of these. */
function h(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties || {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, ["title", "aria-label"].includes(name) ? safe(String(value)) : value);
    }
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) {
      element.append(typeof child === "string" ? safe(child) : child);
    }
  }
  return element;
}

const number = (n) => n.toLocaleString("en-US");

/* "1 vector", "2 vectors" */
const counted = (n, word) => number(n) + " " + word + (n === 1 ? "" : "s");

/* An address in this page: its view, and what the view is of. */
function address(view, parameters = {}) {
  const said = Object.entries(parameters).filter(([, value]) => value);
  return "#" + [view, ...said.map(([key, value]) => key + "=" + encodeURIComponent(value))].join("&");
}

const vectorAddress = (id) => "#v=" + encodeURIComponent(id).replaceAll("%2F", "/");

function readAddress(hash) {
  const [first, ...rest] = hash.replace(/^#/, "").split("&");
  const parameters = {};
  for (const pair of rest.concat(first.startsWith("v=") ? [first] : [])) {
    const at = pair.indexOf("=");
    try {
      if (at > 0) parameters[pair.slice(0, at)] = decodeURIComponent(pair.slice(at + 1));
    } catch (error) {
      if (!(error instanceof URIError)) throw error;
      parameters[pair.slice(0, at)] = pair.slice(at + 1);
    }
  }
  return { view: first.startsWith("v=") ? "v" : first || "overview", parameters };
}

/* A link out of the page; the words alone if the address is none. */
function outside(url, words) {
  return typeof url === "string" && /^https?:\/\//.test(url)
    ? h("a", { href: url, rel: "noreferrer" }, words)
    : h("span", {}, words);
}

/* An id, which may be broken into lines behind a slash or a full stop. */
const breakable = (id) => id.split(/(?<=[/.])/).flatMap((piece, k) => (k > 0 ? [h("wbr"), piece] : [piece]));

/* A table in a box of its own, which scrolls; the keyboard can reach it. */
function table(caption, heads, rows, style = "") {
  const head = heads.map((cell) => (cell instanceof Node ? cell : h("th", { scope: "col" }, cell)));
  return h("div", { class: "box " + style, tabindex: "0", role: "region", "aria-label": caption },
    h("table", {}, h("caption", {}, caption), h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows)));
}

const headCell = (...words) => h("th", { scope: "col", class: "n" }, ...words);
const rowHead = (...words) => h("th", { scope: "row" }, ...words);

const OUTCOME_WORDS = {
  pass: "as the vector wants",
  accepted: "an invalid document taken for valid",
  changed: "an invalid document taken for valid, and written with other values",
  refused: "a valid document refused",
  unwritable: "read, and then not written",
  reason: "refused, with another code or clause",
  place: "refused, with another place",
  schema: "accepted, as another version",
  product: "accepted, with other values written",
  spelling: "accepted, with the same values written otherwise",
  warnings: "accepted, with other warnings",
  crash: "ended before it answered",
  timeout: "no answer in time",
  flood: "an answer without an end",
  protocol: "an answer that is none",
  error: "failed, by its own word",
  skipped: "not run: the testee does not do this",
};

const SKIP_WORDS = {
  operation: "it has no such operation",
  schema: "it does not read this version",
  option: "it does not take the options",
  form: "it does not make this form",
  level: "it does not judge this level",
  unsupported: "it says that it cannot",
  twin: "refused, as its valid twin is: shows nothing",
};

/* What became of a vector: a sign, and the word. */
function outcomeMark(outcome, skip) {
  if (outcome === "") return h("span", { class: "outcome absent" }, "– no result");
  if (outcome === "skipped" && skip === "twin") return h("span", { class: "outcome absent", title: SKIP_WORDS[skip] }, "– shows nothing");
  if (outcome === "skipped") return h("span", { class: "outcome absent", title: SKIP_WORDS[skip] }, "– not run");
  const passed = outcome === "pass";
  return h("span", { class: "outcome " + (passed ? "all" : "none"), title: OUTCOME_WORDS[outcome] }, passed ? "✓ pass" : "✗ " + outcome);
}

/* ---- bytes ---- */

/* Letters, digits, marks of punctuation and the space show as they are;
   everything that cannot be seen, or that joins what stands beside it, does not. */
const PRINTABLE = /^[ \p{L}\p{N}\p{P}\p{S}]$/u;

const hexOf = (byte) => "\\x" + byte.toString(16).toUpperCase().padStart(2, "0");

/* The length of the UTF-8 sequence that begins at `i`, by its first byte. */
function sequenceLength(byte) {
  return byte < 0x80 ? 1 : byte >= 0xc2 && byte < 0xe0 ? 2 : byte >= 0xe0 && byte < 0xf0 ? 3 : byte >= 0xf0 && byte < 0xf5 ? 4 : 0;
}

const STRICT = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/* The printable character at `i`, or "". */
function characterAt(bytes, i) {
  const length = sequenceLength(bytes[i]);
  if (length === 0 || i + length > bytes.length) return "";
  try {
    const character = STRICT.decode(bytes.subarray(i, i + length));
    return PRINTABLE.test(character) ? character : "";
  } catch (error) {
    if (error instanceof TypeError) return "";
    throw error;
  }
}

/* Bytes as nodes: text, and spans with bytes in hexadecimal. */
function textOf(bytes) {
  const nodes = [];
  let plain = "";
  let hex = "";
  const flush = () => {
    if (plain) nodes.push(document.createTextNode(plain));
    if (hex) nodes.push(h("span", { class: "hex" }, hex));
    plain = hex = "";
  };
  for (let i = 0; i < bytes.length; i++) {
    const character = characterAt(bytes, i);
    if (character ? hex : plain) flush();
    if (character) {
      plain += character;
      i += sequenceLength(bytes[i]) - 1;
    } else {
      hex += hexOf(bytes[i]) + (bytes[i] === 10 ? "\n" : "");
    }
  }
  flush();
  return nodes;
}

/* Marks are {from, to, style, label}; one that is empty is a point between
   bytes, which shows its label. */
function markedBytes(text, from, to, marks) {
  const here = marks.filter((mark) => mark.from <= to && mark.to >= from);
  const cuts = new Set([from, to]);
  for (const mark of here) for (const at of [mark.from, mark.to]) if (at > from && at < to) cuts.add(at);
  const places = [...cuts].sort((a, b) => a - b);
  return places.flatMap((at, k) => {
    const points = here.filter((mark) => mark.from === at && mark.to === at && (at < to || k > 0 || from === to));
    const nodes = points.map((mark) => h("span", { class: "point " + mark.style, "data-offset": at }, mark.label));
    const end = places[k + 1];
    if (end === undefined) return nodes;
    const over = here.filter((mark) => mark.from <= at && mark.to >= end && mark.from < mark.to);
    const words = textOf(text.slice(at, end));
    return nodes.concat(over.length === 0 ? words
      : h("mark", { class: over.map((mark) => mark.style).join(" "), title: over.map((mark) => mark.label).join("; "), "data-offset": at }, words));
  });
}

const AROUND = 200;
const WHOLE = 524288;

/* The stretches of a document around what is marked. */
function stretches(text, marks) {
  const points = marks.flatMap((mark) => [mark.from, mark.to]).sort((a, b) => a - b);
  const spans = [];
  for (const point of points.length > 0 ? points : [text.from + AROUND]) {
    const span = [Math.max(text.from, point - AROUND), Math.min(text.to, point + AROUND)];
    const last = spans[spans.length - 1];
    if (last && span[0] <= last[1] + AROUND) last[1] = Math.max(last[1], span[1]);
    else spans.push(span);
  }
  return spans;
}

/* A document with marks: around them first, the whole of it on demand. */
function showDocument(text, marks, name) {
  const pre = h("pre", { class: "bytes", tabindex: "0", "aria-label": name });
  const bytesWord = (n) => "… " + counted(n, "byte") + " …";
  function draw(spans) {
    let at = 0;
    pre.replaceChildren();
    for (const [from, to] of spans) {
      if (from > at) pre.append(h("span", { class: "gap" }, bytesWord(from - at)));
      pre.append(...markedBytes(text, from, to, marks));
      at = to;
    }
    if (text.size > at) pre.append(h("span", { class: "gap" }, bytesWord(text.size - at)));
  }
  const around = stretches(text, marks);
  draw(around);
  const partly = text.from > 0 || text.to < text.size;
  const short = around.length === 1 && around[0][0] === text.from && around[0][1] === text.to;
  let open = false;
  const button = h("button", {
    type: "button", "aria-expanded": "false",
    onclick: () => {
      open = !open;
      draw(open ? [[text.from, Math.min(text.to, text.from + WHOLE)]] : around);
      button.textContent = open ? "Around the marks" : wholeWord;
      button.setAttribute("aria-expanded", String(open));
    },
  });
  const wholeWord = text.size > WHOLE ? "The first " + counted(WHOLE, "byte") : "The whole document";
  button.textContent = wholeWord;
  const save = h("button", { type: "button", onclick: () => saveDocument(text, name) }, "Save");
  return [h("p", { class: "soft" }, counted(text.size, "byte"), partly ? ", of which this page has a part" : ""), pre,
    h("p", { class: "pages" }, short || partly ? null : button, partly ? null : save)];
}

function saveDocument(text, name) {
  const url = URL.createObjectURL(new Blob([text.slice(0, text.size)], { type: "application/octet-stream" }));
  h("a", { href: url, download: name.replace(/[^A-Za-z0-9.@+-]+/g, "_") + ".json" }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
