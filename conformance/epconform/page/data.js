/* data.js - the packed data as vectors, documents and results. */

const UTF8 = new TextEncoder();

function fromBase64(text) {
  const words = atob(text);
  const bytes = new Uint8Array(words.length);
  for (let i = 0; i < words.length; i++) bytes[i] = words.charCodeAt(i);
  return bytes;
}

async function unpack(id) {
  const element = document.getElementById(id);
  const packed = fromBase64(element.textContent.trim());
  element.remove();
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/* ---- documents: a size, and slices of what is known, from `from` to `to` ---- */

function bytesDocument(bytes) {
  return { size: bytes.length, from: 0, to: bytes.length, slice: (a, b) => bytes.subarray(a, b) };
}

/* A part of a document, which begins at byte `from` of it. */
function windowDocument(bytes, from, size) {
  return { size, from, to: from + bytes.length, slice: (a, b) => bytes.subarray(a - from, b - from) };
}

/* What an edit puts in: a piece again and again, and, where it nests, what stands in
   the middle and what follows as often. Its size, and the byte at a place of it. */
function editPut(edit) {
  const [, , said, times = 1, inside = "", behind = ""] = edit;
  const piece = typeof said === "string" ? UTF8.encode(said) : fromBase64(said.base64);
  const [between, after] = [UTF8.encode(inside), UTF8.encode(behind)];
  const first = piece.length * times;
  const second = first + between.length;
  const byteAt = (i) => (i < first ? piece[i % piece.length] : i < second ? between[i - first] : after[(i - second) % after.length]);
  return { size: second + after.length * times, byteAt };
}

/* A document with one change. It is never built as a whole: a replacement may
   stand there millions of times. */
function editedDocument(base, edit) {
  const [offset, length] = edit;
  const put = editPut(edit);
  const end = offset + put.size;
  const longer = put.size - length;
  function slice(a, b) {
    const out = new Uint8Array(b - a);
    if (a < offset) out.set(base.slice(a, Math.min(b, offset)));
    for (let i = Math.max(a, offset); i < Math.min(b, end); i++) out[i - a] = put.byteAt(i - offset);
    const rest = Math.max(a, end);
    if (rest < b) out.set(base.slice(rest - longer, b - longer), rest - a);
    return out;
  }
  return { size: base.size + longer, from: 0, to: base.size + longer, slice };
}

/* The titles of parts and sections, and the first paragraph of every clause, by their numbers. */
function readSpec({ text, url }) {
  const all = (form) => Object.fromEntries([...text.matchAll(form)].map(([, name, words]) => [name, words]));
  return { url, parts: all(/^## Part ([\d.]+): (.*)/gm), sections: all(/^### ([\d.]+) (.*)/gm),
    clauses: all(/^\*\*([\d.]+)\*\* ([^]*?)(?=\n\n|\n?(?![^]))/gm) };
}

class Report {
  constructor(data, documents) {
    Object.assign(this, data);
    this.documents = documents;
    this.index = new Map(this.vectors.map((vector, i) => [vector.id, i]));
    this.spec = readSpec(data.spec);
    this.runs = this.testees.filter((testee) => testee.results);
    this.absent = this.testees.filter((testee) => !testee.results);
    this.sectionOf = this.vectors.map((vector) => vector.clause[0].split(".").slice(0, 2).join("."));
    this.splits = this.vectors.map((_, i) => this.isSplit(i));
  }

  manifestOf(i) {
    let first = 0;
    return this.suite.manifests.findIndex((count) => (first += count) > i);
  }

  /* The outcome of a vector, "skipped", or "" if there is no result. */
  outcome(run, i) {
    return run.results[i] ? run.results[i].outcome : "";
  }

  skip(run, i) {
    return (run.results[i] || {}).skip || "";
  }

  detail(run, i) {
    return run.results[i] || {};
  }

  /* Whether testees that ran a vector came to different outcomes. */
  isSplit(i) {
    const seen = this.runs.map((run) => this.outcome(run, i)).filter((outcome) => outcome && outcome !== "skipped");
    return new Set(seen).size > 1;
  }

  /* What `said`, a vector or a product of manifest `m`, speaks of; null if the
     page does not have it. */
  documentOf(said, m) {
    const known = said.base || said.twin;
    if (known !== undefined) {
      const i = this.index.get(known);
      const base = i === undefined ? null : this.documentOf(this.vectors[i], this.manifestOf(i));
      if (base === null) return null;
      return said.edit ? editedDocument(base, said.edit) : base;
    }
    if (said.text !== undefined) return bytesDocument(UTF8.encode(said.text));
    if (said.base64 !== undefined) return bytesDocument(fromBase64(said.base64));
    const span = this.files[m + "/" + said.file];
    return span ? bytesDocument(this.documents.subarray(span[0], span[0] + span[1])) : null;
  }

  document(i) {
    const vector = this.vectors[i];
    const window = Object.hasOwn(this.windows, vector.id) ? this.windows[vector.id] : null;
    if (window) {
      const [at, size, from, whole] = window;
      return windowDocument(this.documents.subarray(at, at + size), from, whole);
    }
    return this.documentOf(vector, this.manifestOf(i));
  }

  product(i) {
    const { product } = this.vectors[i];
    if (product === undefined) return null;
    return product === "same" ? this.document(i) : this.documentOf(product, this.manifestOf(i));
  }

  /* Passed, run and all of the vectors that are chosen. */
  tally(run, chosen) {
    const sum = { passed: 0, run: 0, all: 0, unexpected: 0 };
    for (const i of chosen) {
      const outcome = this.outcome(run, i);
      sum.all++;
      if (outcome === "" || outcome === "skipped") continue;
      sum.run++;
      if (outcome === "pass") sum.passed++;
      else if (!this.detail(run, i).cause) sum.unexpected++;
    }
    return sum;
  }

  titleOf(section) {
    const title = Object.hasOwn(this.spec.sections, section) ? this.spec.sections[section] : null;
    return title ? section + " " + title : section;
  }

  partTitle(part) {
    const title = this.spec.parts[part];
    return title ? "Part " + part + ": " + title : "Part " + part;
  }

  nameOf(testee) {
    return testee.testee.name || testee.testee.id;
  }
}
