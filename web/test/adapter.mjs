// The package as a testee of the conformance suite: conformance/PROTOCOL.md.
//
//   epconform run --profile=epref --proc='node adapter.mjs PACKAGE'
//
// It answers through the package's public functions alone.

import { pathToFileURL } from "node:url";
import { join } from "node:path";

import { serve } from "../../conformance/testees/testee.mjs";

const epref = await import(pathToFileURL(join(process.argv[2], "src", "index.js")));
const ARCHIVE = [0x50, 0x4b, 3, 4]; // SPEC 8.1

const VERSIONS = epref.schemas().map(({ name }) => name);
const HELLO = {
  name: "epref-web", version: epref.version,
  operations: ["wire", "decode", "check", "encode", "forward", "forward-encode", "migrate",
    "canon", "digest", "archive", "whole", "audit", "diff"],
  schemas: {
    "*": VERSIONS,
    // of the pickles that version 1 has inside, the command tells what is in them (9.5.1)
    audit: VERSIONS.filter((name) => !/^1(-|$)/.test(name)),
  },
  options: ["schema", "limits", "memory", "constants", "model", "provenance"],
  forms: { epref: null, torch: null },
  reports: ["code", "clause", "offset", "position", "pointer", "schema", "warnings"],
  profile: "epref",
};

const isArchive = (bytes) => ARCHIVE.every((byte, i) => bytes[i] === byte);

/**
 * What the functions take, of the options of a vector. Its memory is what a reader takes beside
 * the documents; that of the functions is all.
 */
function options({ document, other, said: { schema, limits, memory, model } }) {
  const all = memory === undefined ? undefined : memory + document.length + other.length;
  return { schema, limits, memory: all, model };
}

// ---- operations; each gives the verdict of check, and a product if it has one

const judged = (level, more = {}) => (request) =>
  ({ verdict: epref.check(request.document, { ...options(request), level, ...more }) });

const bytesOrder = (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b));
const numbers = ({ clause }) => clause.split(".").map(Number);

/** PROTOCOL.md: by place or member, by clause, by text; what is only counted comes last. */
function order(a, b) {
  const [x, y] = [numbers(a), numbers(b)];
  return (a.more > 0) - (b.more > 0)
    || (a.more > 0 ? 0 : (a.offset === null) - (b.offset === null)
      || (a.offset ?? 0) - (b.offset ?? 0)
      || (a.offset === null ? bytesOrder(a.file, b.file) : 0))
    || x[0] - y[0] || x[1] - y[1] || x[2] - y[2]
    || bytesOrder(a.text, b.text);
}

function finding({ file, id, severity, clause, offset, pointer, text, more }) {
  const member = file.includes("!") ? file.slice(file.indexOf("!") + 1) : undefined;
  if (more > 0) {
    return { id, severity, clause, more };
  }
  const place = offset === null ? { member } : { offset, pointer };
  return { id, severity, clause, ...place, ...(text === "" ? {} : { text }) };
}

function audit(document, chosen) {
  const all = epref.audit(document, { ...chosen, verbose: true, name: "it" });
  if (all.some(({ id }) => id === "AUDIT_UNREADABLE")) {
    epref.encode(document, chosen); // which throws what is wrong
  }
  // What is not valid is another operation's verdict.
  const found = all.filter(({ clause }) => !clause.startsWith("9.8."));
  return JSON.stringify(found.sort(order).map(finding));
}

function side({ there, offset, pointer, text, enumerator, cut_before, cut_behind }) {
  return {
    there,
    ...(offset === null ? {} : { offset, pointer }),
    ...(text === "" ? {} : { text }),
    ...(cut_before ? { cut_before } : {}),
    ...(cut_behind ? { cut_behind } : {}),
    ...(enumerator === null ? {} : { enumerator }),
  };
}

function difference({ a, b, ...said }) {
  if ("count" in said) {
    return { more: said.count - said.told };
  }
  const kept = Object.entries(said).filter(([, value]) => value !== null && value !== "");
  return { ...Object.fromEntries(kept), a: side(a), b: side(b) };
}

function diff(document, chosen, { provenance }, other) {
  return JSON.stringify(epref.differences(document, other, { ...chosen, provenance }).map(difference));
}

/** A product, with the verdict of the document at the schema level beside it. */
const made = (make, more = {}) => (request) => {
  const { document, other, said } = request;
  const chosen = { ...options(request), ...more };
  const product = make(document, chosen, said, other);
  return { product, verdict: epref.check(document, { ...chosen, level: "schema" }) };
};

const OPERATIONS = {
  wire: judged("wire"),
  decode: judged("schema"),
  check: judged("program"),
  archive: judged("program"),
  whole: judged("archive"),
  forward: judged("schema", { forward: true }),
  encode: made((document, chosen) => epref.encode(document, chosen)),
  "forward-encode": made((document, chosen) => epref.encode(document, chosen), { forward: true }),
  migrate: made((document, chosen, said) => epref.migrate(document, said.to, chosen)),
  canon: made((document, chosen, said) =>
    epref.canon(document, { ...chosen, form: said.form, constants: said.constants })),
  digest: made((document, chosen) => epref.digest(document, chosen)),
  audit: made(audit),
  diff: made(diff),
};

// ---- answers

function refusal({ code, clause, offset, line, column, pointer, message }) {
  return {
    verdict: "invalid", code, clause, offset: offset ?? 0, line: line ?? 0, column: column ?? 0,
    pointer: pointer ?? "", message: String(message).slice(0, 300),
  };
}

function valid({ product, verdict }) {
  const warnings = [...verdict?.warnings ?? [], ...(verdict?.notes ?? []).filter(({ code }) => code)]
    .map(({ code, offset, pointer }) => ({ code, offset, pointer }));
  return [{
    verdict: "valid",
    ...(verdict?.schema_version ? { schema: verdict.schema_version } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
  }, product];
}

/** The command says in words alone that what forward reading passed over cannot be written. */
const LOST = { code: "EP_ARGUMENT", clause: "1.5.6" };
const isLost = ({ code, detail }) => code == null && detail.startsWith("not encoded: ");

function answer(request) {
  try {
    const result = OPERATIONS[request.operation](request);
    const refused = result.verdict?.code != null;
    return refused ? [refusal(result.verdict)] : valid(result);
  } catch (thrown) {
    if (thrown instanceof epref.EprefError && (thrown.code != null || isLost(thrown))) {
      const said = isLost(thrown) ? LOST : {};
      return [refusal({ ...thrown, message: thrown.detail, ...said })];
    }
    return [{ verdict: "error", message: String(thrown).slice(0, 300) }];
  }
}

await serve(HELLO, ({ operation, options: said = {} }, document, other) =>
  answer({ operation, document, other, said }));
