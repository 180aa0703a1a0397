// The functions of the package. Each runs a command of epref and takes its JSON apart, so
// what they say is what the command says.

import { run, runOn } from "./command.js";
import { safe } from "./text.js";

const DONE = 0, INVALID = 1, LIMIT = 4;

/** A program or archive that is refused; its fields are those of the command's JSON. */
export class EprefError extends Error {
  constructor(said) {
    super(spell(said));
    this.name = "EprefError";
    const { code, clause, level, file, offset, line, column, pointer, message } = said;
    Object.assign(this, { code, clause, level, file, offset, line, column, pointer });
    this.detail = unlined(message);
  }
}

/** A message of the command for one who calls a function: options by their names here, and no
 *  advice about the command line. */
function unlined(message) {
  return message.trim().replace(/^epref: /, "").replace(/\nTry `epref[^]*$/, "")
    .replace(/--([a-z]+(?:-[a-z]+)*)(?:=[A-Z]+)?/g, (_, name) =>
      name.replace(/-([a-z])/g, (_, letter) => letter.toUpperCase()));
}

/** The line that the command prints of a diagnostic. */
export function spell(said) {
  const place = said.line == null ? "" : `:${said.line}:${said.column}`;
  const rule = said.code == null ? "" : ` [${said.code}, SPEC ${said.clause}]`;
  const pointer = said.pointer ? ` at ${said.pointer}` : "";
  return safe(`${said.file}${place}: ${said.severity ?? "error"}: ${unlined(said.message)}${rule}${pointer}`);
}

const text = (bytes) => new TextDecoder().decode(bytes);

/** Objects that stand in a line each. */
const lines = (said) => said.split("\n").filter((line) => line.startsWith("{"))
  .map((line) => JSON.parse(line));

// ---- options

const READING = ["name", "schema", "model", "forward", "limits", "memory"];
const LIMITS = { bytes: "max-bytes", depth: "max-depth", values: "max-values", string: "max-string" };

/** What all commands take of the options. */
function reading(options) {
  const { schema, model, forward, limits = {}, memory } = options;
  const words = [];
  for (const [name, value] of Object.entries({ schema, model })) {
    if (value != null) {
      words.push(`--${name}=${value}`);
    }
  }
  if (forward) {
    words.push("--forward");
  }
  for (const [limit, value] of Object.entries({ ...limits, memory })) {
    if (value != null) {
      words.push(`--${LIMITS[limit] ?? (limit === "memory" ? "max-memory" : unknown(limit))}=${value}`);
    }
  }
  return words;
}

function unknown(limit) {
  throw new TypeError(`there is no limit "${limit}"`);
}

/** "--name=value" of those that are given, "--name" of true. */
function flags(options) {
  return Object.entries(options).flatMap(([name, value]) =>
    value == null || value === false ? [] : [value === true ? `--${name}` : `--${name}=${value}`]);
}

/** The flags of those options that a function has beside those of reading; it has no others. */
function own(options, ...names) {
  const other = Object.keys(options).find((name) => !names.includes(name) && !READING.includes(name));
  if (other !== undefined) {
    throw new TypeError(`there is no option "${other}" here; there are ${[...names, ...READING].join(", ")}`);
  }
  return flags(Object.fromEntries(names.map((name) =>
    [name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`), options[name]])));
}

// ---- calls

/** Without memory for an object the command has plain words. */
function unsaid({ status, stderr }) {
  const memory = status === LIMIT ? { code: "EP_MEMORY", clause: "1.4.5" } : {};
  return { file: "", message: stderr.trim(), ...memory };
}

/** What a command without JSON says of a refusal: its line ends with code and clause. */
function refusalInWords(result) {
  const [, code, clause] = /\[(EP_\w+)(?:, SPEC ([\d.]+))?\]/.exec(result.stderr) ?? [];
  return new EprefError({ ...unsaid(result), ...(code === undefined ? {} : { code, clause }) });
}

/** What a command that did not come to its end has said. */
function refusal(result) {
  if (result.status !== INVALID && result.status !== LIMIT && result.status !== 3) {
    return new TypeError(unlined(result.stderr) || `epref ended with status ${result.status}`);
  }
  // audit says it where its findings go
  const told = [...lines(text(result.stdout)), ...lines(result.stderr)]
    .filter((said) => said.severity === "error");
  return new EprefError(told.at(-1) ?? unsaid(result));
}

function command(name, words, inputs, options) {
  const names = Array.isArray(options.name) ? options.name : [options.name];
  return runOn([name, ...words, ...reading(options)], inputs, names);
}

/** The result of a command whose refusals are said as JSON. */
function demand(name, words, inputs, options) {
  const result = command(name, ["--format=json", ...words], inputs, options);
  if (result.status !== DONE) {
    throw refusal(result);
  }
  return result;
}

/** What a command prints for people. It is asked for a refusal as JSON anew. */
function printed(name, words, inputs, options, ends = [DONE]) {
  const result = command(name, words, inputs, options);
  if (!ends.includes(result.status) || (result.status !== DONE && result.stdout.length === 0)) {
    demand(name, name === "diff" ? ["--fields"] : [], inputs, options);
    throw new Error(unlined(result.stderr));
  }
  return { ...result, text: text(result.stdout) };
}

// ---- the package

export const version = text(run(["--version"]).stdout).trim().split(" ")[1];

export function check(input, options = {}) {
  const words = own(options, "level", "noData");
  const result = command("check", ["--format=json", ...words], [input], options);
  if (result.stdout.length === 0) {
    throw refusal(result);
  }
  return JSON.parse(text(result.stdout));
}

export function inspect(input, options = {}) {
  const result = command("inspect", ["--format=json", ...own(options, "noData")], [input],
    options);
  if (result.stdout.length === 0) {
    throw refusal(result);
  }
  return JSON.parse(text(result.stdout));
}

export function audit(input, options = {}) {
  const words = ["--fail-on=none", ...own(options, "verbose")];
  const result = command("audit", ["--format=json", ...words], [input], options);
  if (result.status !== DONE && result.status !== INVALID) { // what is refused is a finding
    throw refusal(result);
  }
  return lines(text(result.stdout));
}

export function show(input, options = {}) {
  return printed("show", own(options, "width", "source", "full"), [input], options).text;
}

export function describe(input, options = {}) {
  return JSON.parse(text(demand("show", own(options), [input], options).stdout));
}

export function list(input, options = {}) {
  return JSON.parse(text(demand("list", own(options), [input], options).stdout));
}

export function digest(input, options = {}) {
  const words = own(options, "weights", "archive", "all");
  return JSON.parse(text(demand("digest", words, [input], options).stdout)).digest;
}

export function diff(a, b, options = {}) {
  const words = own(options, "unified", "provenance", "stat", "full", "noData");
  const result = printed("diff", words, [a, b], options, [DONE, INVALID]);
  return { same: result.status === DONE, text: result.text };
}

export function differences(a, b, options = {}) {
  const words = ["--format=json", "--fields", ...own(options, "provenance", "limit", "noData")];
  const result = command("diff", words, [a, b], options);
  if (result.status !== DONE && result.stdout.length === 0) {
    throw refusal(result);
  }
  return lines(text(result.stdout));
}

function made(name, words, input, options) {
  return demand(name, words, [input], options).stdout;
}

export function encode(input, options = {}) {
  return made("encode", own(options), input, options);
}

export function canon(input, options = {}) {
  const constants = options.constants?.join(",") || null;
  return made("canon", own({ ...options, constants }, "form", "constants"), input, options);
}

export function migrate(input, to, options = {}) {
  return made("migrate", [...flags({ to }), ...own(options, "raw")], input, options);
}

export function migrationReport(input, to, options = {}) {
  const words = [...flags({ to, report: true }), ...own(options, "raw")];
  return lines(demand("migrate", words, [input], options).stderr).find((said) => "steps" in said);
}

export function extract(input, options = {}) {
  const words = own(options, "tensor", "as", "program");
  const result = command("extract", words, [input], options);
  if (result.status !== DONE) {
    throw refusalInWords(result);
  }
  return result.stdout;
}

export function explain(code) {
  const result = run(["explain", "--format=json", "--", code]);
  if (result.status !== DONE) {
    throw new TypeError(unlined(result.stderr));
  }
  return JSON.parse(text(result.stdout));
}

export function schemas() {
  return JSON.parse(text(run(["schema", "--format=json"]).stdout));
}

export { run };
