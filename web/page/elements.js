// Elements of the page. What comes from a file becomes text, never HTML.

import { safe } from "./text.js";

/** An element with properties and children; a child may be text. */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes("-") || name === "role") {
      element.setAttribute(name, value);
    } else {
      element[name] = value;
    }
  }
  addTo(element, children);
  return element;
}

/** Appends children, text of which is made fit to be seen. One by one: a program can have more than
 *  a call takes arguments. */
export function addTo(element, children) {
  for (const child of children) {
    if (child != null) {
      element.append(child instanceof Node ? child : safe(String(child)));
    }
  }
}

export const find = (id) => document.getElementById(id);

const PIECE = 300;

/** A long text: pieces that are laid out when they are seen. className: of a line. */
export function longText(text, classOf) {
  const lines = text.split("\n");
  const whole = make("pre", {});
  for (let i = 0; i < lines.length; i += PIECE) {
    const part = lines.slice(i, i + PIECE);
    const piece = make("div", { className: "piece" });
    if (classOf === undefined) {
      piece.textContent = safe(part.join("\n"));
    } else {
      piece.append(...part.map((line) => make("span", { className: classOf(line) }, `${line}\n`)));
    }
    whole.append(piece);
  }
  return whole;
}

const MOST = 5000;

/** A table of rows; a column is [title, text of a row, class]. */
export function table(caption, columns, rows) {
  if (rows.length === 0) {
    return make("p", { className: "quiet" }, `${caption}: none.`);
  }
  const cell = (row) => ([, text, className]) => {
    const said = text(row);
    return make("td", { className: (typeof className === "function" ? className(row) : className) ?? "" },
      said == null ? "" : said instanceof Node ? said : String(said));
  };
  const shown = rows.slice(0, MOST);
  const body = make("tbody", {}, ...shown.map((row) => make("tr", {}, ...columns.map(cell(row)))));
  const head = make("thead", {}, make("tr", {}, ...columns.map(([title]) =>
    make("th", { scope: "col" }, title))));
  const left = rows.length - shown.length;
  return make("div", { className: "sheet" },
    make("table", {}, make("caption", { className: "aside" }, caption), head, body),
    left > 0 ? make("p", {}, `${left.toLocaleString("en")} more are not shown.`) : null);
}

/** Names with what they are. */
export function facts(pairs) {
  const list = make("dl");
  for (const [name, said] of pairs.filter(([, each]) => each != null).slice(0, MOST)) {
    addTo(list, [make("dt", {}, name), make("dd", {}, said)]);
  }
  return list;
}
