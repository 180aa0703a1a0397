// The command `epref`, run in the module: a new instance for each call, so that no call can
// see what another one left, and memory goes back when it is over.

import { System } from "./system.js";
import packed from "./epref.wasm.js";

// The bytes come along as text, and so nothing is fetched, from whatever place this runs.
async function unpack(text) {
  const zipped = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([zipped]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

const module = await unpack(packed);

function source(input) {
  if (typeof input === "string") {
    input = new TextEncoder().encode(input);
  } else if (input instanceof ArrayBuffer) {
    input = new Uint8Array(input);
  }
  if (ArrayBuffer.isView(input)) {
    const bytes = new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
    return { size: bytes.length, read: (place, size) => bytes.subarray(place, place + size) };
  }
  if (input instanceof Blob && typeof FileReaderSync === "function") {
    const reader = new FileReaderSync();
    const piece = (place, size) => reader.readAsArrayBuffer(input.slice(place, place + size));
    return { size: input.size, read: (place, size) => new Uint8Array(piece(place, size)) };
  }
  if (typeof input?.read === "function" && Number.isSafeInteger(input.size) && input.size >= 0) {
    return input;
  }
  throw new TypeError("a program is bytes, a string, or an object with size and read");
}

/** The last part of a path, as a name that is none of the command's own words. */
function nameOf(said, unnamed) {
  // eslint-disable-next-line no-control-regex
  const name = String(said ?? "").replace(/^.*[/\\]/s, "").replaceAll("\0", "");
  return ["", "-", ".", ".."].includes(name) ? unnamed : name;
}

/** The command's line of arguments without files, and those that it reads by their names. */
export function run(words, files = {}) {
  const sources = new Map(Object.entries(files).map(([name, input]) => [name, source(input)]));
  const system = new System(["epref", ...words], sources);
  const status = system.run(module);
  const outputs = {};
  for (const [name, file] of system.made) {
    outputs[name] = file.product.bytes();
  }
  return {
    status,
    stdout: system.written(1),
    stderr: new TextDecoder().decode(system.written(2)),
    outputs,
  };
}

/** Runs a command on some inputs, which are called as `names` says. */
export function runOn(words, inputs, names) {
  const files = {};
  for (const [i, input] of inputs.entries()) {
    let name = nameOf(names[i] ?? input?.name, `program${i === 0 ? "" : i + 1}`);
    while (name in files) {
      name += "'";
    }
    files[name] = input;
  }
  return run([...words, "--", ...Object.keys(files)], files);
}
