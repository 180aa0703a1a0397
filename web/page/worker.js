// What is judged is judged here, beside the page, which stays fluent. A message is
// {id, call, words}; the answer {id, result} or {id, error}.

import * as epref from "epref";

import { layOut } from "./layout.js";

/** The bytes around a place of a program's text: what is before it, the byte, and what follows. */
function excerpt(input, offset, model) {
  const AROUND = 160;
  const blob = input instanceof Blob ? input : new Blob([input]);
  const start = new Uint8Array(new FileReaderSync().readAsArrayBuffer(blob.slice(0, 4)));
  const isArchive = start[0] === 0x50 && start[1] === 0x4b;
  let bytes, from = Math.max(0, offset - AROUND);
  if (isArchive) {
    const whole = epref.extract(input, { program: true, model });
    bytes = whole.subarray(from, offset + AROUND);
  } else {
    bytes = new Uint8Array(new FileReaderSync().readAsArrayBuffer(blob.slice(from, offset + AROUND)));
  }
  const text = (part) => new TextDecoder().decode(part);
  const at = offset - from;
  let end = at + 1; // of the character that begins at the byte
  while (end < bytes.length && (bytes[end] & 0xc0) === 0x80) {
    end++;
  }
  return {
    before: (from > 0 ? "…" : "") + text(bytes.subarray(0, at)),
    byte: at < bytes.length ? bytes[at] : null,
    character: text(bytes.subarray(at, end)),
    behind: text(bytes.subarray(end)) + (offset + AROUND < blob.size && !isArchive ? "…" : ""),
  };
}

/** The graph that is shown is kept: it is drawn anew with and without weights. */
let described = null;

function graph(input, number, weights) {
  if (described?.input !== input) {
    described = { input, program: epref.describe(input) };
  }
  const { graphs } = described.program;
  return {
    ...layOut(described.program, number, weights),
    graphs: graphs.map(({ name, nodes }) => ({ name, nodes: nodes.length })),
  };
}

function describe(input) {
  described = { input, program: epref.describe(input) };
  const { graphs, ...rest } = described.program;
  return { ...rest, graphs: graphs.length };
}

function migrate(input, to, raw) {
  const report = epref.migrationReport(input, to, { raw });
  return { report, bytes: epref.migrate(input, to, { raw }) };
}

const calls = { ...epref, excerpt, graph, describe, migrate };
let file = null; // an input keeps its identity while it is the same one

onmessage = ({ data: { id, call, words } }) => {
  try {
    if (call === "open") {
      [file] = words;
      postMessage({ id, result: null });
      return;
    }
    const result = calls[call](...words.map((word) => (word === "file" ? file : word)));
    postMessage({ id, result });
  } catch (thrown) {
    const { message, name, code, clause, offset, line, column, pointer, file: where } = thrown;
    postMessage({ id, error: { message, name, code, clause, offset, line, column, pointer, file: where } });
  }
};
postMessage({ ready: epref.version, schemas: epref.schemas() });
