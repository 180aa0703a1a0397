// The page: a file is opened, judged by the worker, and shown view by view.

import { addTo, facts, find, longText, make, table } from "./elements.js";
import { Picture } from "./picture.js";
import { safe } from "./text.js";

// ---- the worker

class Worked {
  waiting = new Map();
  count = 0;

  constructor(started) {
    this.ready = new Promise((resolve) => { this.start = resolve; });
    const code = Uint8Array.from(atob(find("worker").textContent), (letter) => letter.charCodeAt(0));
    const address = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
    this.worker = new Worker(address);
    this.worker.onmessage = ({ data }) => ("ready" in data ? this.start(started(data)) : this.answer(data));
    this.worker.onerror = (event) => say(`This browser cannot run epref: ${event.message}`);
  }

  answer({ id, result, error }) {
    const { resolve, reject } = this.waiting.get(id);
    this.waiting.delete(id);
    if (error === undefined) {
      resolve(result);
    } else {
      reject(error);
    }
  }

  /** The result of a function of the package; "file" is the file that is open. */
  async call(call, ...words) {
    await this.ready; // it hears nothing before
    return new Promise((resolve, reject) => {
      const id = this.count++;
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ id, call, words });
    });
  }
}

const worked = new Worked(({ ready, schemas }) => {
  say(`Ready: epref ${ready}.`);
  document.body.dataset.ready = "true";
  offerVersions(schemas);
});

function say(text) {
  find("status").textContent = safe(text);
}

// ---- opening

let opened = null; // {file, drawn}; what comes of an older one is dropped

async function open(file) {
  const mine = opened = { file, drawn: new Set() };
  say(`Reading ${file.name}…`);
  const before = performance.now();
  await worked.call("open", file);
  const verdict = await worked.call("check", "file").catch((error) => ({ valid: null, ...error }));
  const time = performance.now() - before;
  if (mine !== opened) {
    return;
  }
  find("result").hidden = false;
  document.body.classList.add("opened");
  clear();
  say(`${file.name}: ${wordOf(verdict)}, in ${time.toFixed(0)} ms.`);
  await showVerdict(verdict);
  select(currentTab);
  document.body.dataset.opened = file.name;
}

/** Takes away what an earlier file left. */
function clear() {
  for (const id of ["view-program", "view-interface", "view-weights", "view-audit", "difference",
    "migrated", "node"]) {
    find(id).replaceChildren();
  }
}

find("file").addEventListener("change", ({ target }) => target.files[0] && open(target.files[0]));
addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("over");
});
addEventListener("dragleave", () => document.body.classList.remove("over"));
addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("over");
  const [file] = event.dataTransfer.files;
  if (file !== undefined) {
    open(file);
  }
});

// ---- the verdict

const bytesText = (count) => `${Number(count).toLocaleString("en")} bytes`;

function place({ line, column, offset, pointer }) {
  return line == null ? null : `byte ${offset}, line ${line}, column ${column}${pointer ? `, ${pointer}` : ""}`;
}

function refusal(said) {
  return facts([["why", said.message], ["rule", said.code == null ? null
    : `${said.code}, SPEC ${said.clause}${said.level ? `, level ${said.level}` : ""}`],
    ["file", said.file], ["place", place(said)]]);
}

const hex = (byte) => `0x${byte.toString(16).padStart(2, "0")}`;

/** The byte in the text. */
async function excerptOf({ offset }) {
  const { before, byte, character, behind } = await worked.call("excerpt", "file", offset);
  const label = byte === null ? "the end" : `the byte ${hex(byte)}`;
  return make("pre", { className: "excerpt", role: "figure", "aria-label": `The text around ${label}` },
    before, make("mark", { title: label }, byte === null ? "⟨end⟩" : character), behind);
}

async function explanation({ code }) {
  const { meaning } = await worked.call("explain", code);
  return make("p", {}, meaning);
}

/** A package of compiled models that is whole: neither valid nor invalid. */
const isPackage = ({ valid, kind, code }) => valid === null && kind === "compiled" && code == null;

function wordOf(verdict) {
  return isPackage(verdict) ? "compiled"
    : verdict.valid ? "valid" : verdict.valid === false ? "invalid" : "not judged";
}

const PACKAGE = "A package of compiled models of AOTInductor, without a program: it is whole. "
  + "Loading it links native code into the process.";

async function showVerdict(verdict) {
  const box = find("verdict");
  box.replaceChildren(make("p", { className: verdict.valid ? "valid" : "invalid", id: "word" }, wordOf(verdict)));
  if (isPackage(verdict)) {
    box.append(make("p", {}, PACKAGE), facts(await known(verdict)));
    return;
  }
  if (!verdict.valid) {
    box.append(refusal(verdict));
    const parts = [verdict.code == null ? null : explanation(verdict),
      verdict.offset == null ? null : excerptOf(verdict)];
    for (const part of parts) {
      box.append(await Promise.resolve(part).catch(() => null) ?? "");
    }
    return;
  }
  box.append(facts(await known(verdict)));
  if (verdict.warnings.length + verdict.notes.length > 0) {
    box.append(diagnostics([...verdict.warnings, ...verdict.notes]));
  }
}

/** What `inspect` says of a valid file. */
async function known(verdict) {
  const { programs = [], compiled, bytes, weights, audit } = await worked.call("inspect", "file");
  const [program] = programs.length === 1 ? programs : [];
  return [
    ["schema", verdict.schema_version],
    ["written by", program && (program.torch_version ? `torch ${program.torch_version}`
      : program.releases.length > 0 ? `torch ${program.releases[0]} to ${program.releases.at(-1)}` : null)],
    ["digest", program && make("code", { id: "digest" }, program.digest)],
    ["size", bytesText(bytes)],
    ["nodes", program && program.nodes.toLocaleString("en")
      + (program.subgraphs > 0 ? `, in ${program.subgraphs + 1} graphs` : "")],
    ["weights", weights && `${weights.stored}, ${weights.tensors} tensors, ${bytesText(weights.bytes)}`],
    ["audit", audit && `worst ${audit.worst}: high ${audit.high}, medium ${audit.medium}, low ${audit.low}, info ${audit.info}`],
    ...(programs.length > 1 ? programs.map(({ member, schema_version: version, digest, nodes }) =>
      ["program", `${member}: schema ${version}, ${nodes.toLocaleString("en")} nodes, ${digest}`]) : []),
    ...compiled.map(({ name, device, platform, machine, isa }) =>
      ["compiled model", `${name || "without a name"} for ${device}, ${platform} ${machine}, ${isa}`]),
  ];
}

function diagnostics(rows) {
  return table("Warnings and notes", [["", ({ severity }) => severity], ["code", ({ code, deviation }) => code ?? deviation],
    ["place", place], ["message", ({ message }) => message]], rows);
}

// ---- the views

const code = () => "code";

/** A view that cannot be shown says why. */
function failed(panel, error) {
  panel.replaceChildren(make("p", { className: "invalid" }, error.message ?? String(error)));
}

const VIEWS = {
  async program() {
    return longText(await worked.call("show", "file"));
  },
  async graph() {
    await drawGraph(0);
  },
  async interface() {
    const { inputs, outputs, symbols, guards } = await worked.call("describe", "file");
    const type = ({ kind, dtype, shape, value }) => (dtype ? `${dtype}[${shape.join(", ")}]`
      : value !== undefined ? JSON.stringify(value) : kind);
    const columns = [["role", ({ role }) => role], ["name", ({ name }) => name, code],
      ["target", ({ target }) => target, code], ["type", type, code], ["device", ({ device }) => device]];
    const bounds = Object.entries(symbols).map(([name, { min, max }]) => ({ name, min, max }));
    return make("div", {},
      make("h3", {}, "Inputs"), table("Inputs", columns, inputs),
      make("h3", {}, "Outputs"), table("Outputs", columns, outputs),
      make("h3", {}, "Symbols"), table("Symbols", [["name", ({ name }) => name, code],
        ["least", ({ min }) => min, "number"], ["most", ({ max }) => max ?? "∞", "number"]], bounds),
      make("h3", {}, "Guards"), table("Guards", [["guard", (guard) => guard, code]], guards));
  },
  async weights() {
    const { tensors, storages, members, compiled } = await worked.call("list", "file");
    const said = compiled.flatMap(({ name, metadata, constants, objects, fault }) => [
      ...metadata.map(({ key, value }) => ({ name, key, value })),
      ...constants.map(({ name: key, member, shape }) => ({ name, key, value: `[${shape.join(", ")}] in ${member}` })),
      ...objects.map(({ name: key, member }) => ({ name, key, value: `in ${member}` })),
      ...(fault === null ? [] : [{ name, key: "not read", value: fault }])]);
    const models = said.length === 0 ? null : table("What compiled models say", [["model", ({ name }) => name, code],
      ["key or constant", ({ key }) => key, code], ["says", ({ value }) => value, code]], said);
    const storage = ({ storage: i }) => (i == null ? undefined : storages[i]);
    return make("div", {},
      table("Tensors", [["role", ({ role }) => role], ["name", ({ name }) => name, code],
        ["dtype", ({ dtype }) => dtype, code], ["shape", ({ shape }) => shape && `[${shape.join(", ")}]`, code],
        ["strides", ({ strides }) => strides && `[${strides.join(", ")}]`, code],
        ["offset", ({ offset }) => offset, "number"],
        ["bytes of storage", (tensor) => storage(tensor)?.bytes?.toLocaleString("en"), "number"],
        ["member", (tensor) => storage(tensor)?.member, code],
        ["program", ({ program }) => program, code]], tensors), models,
      make("h3", {}, "Members"),
      table("Members", [["name", ({ name }) => name, code],
        ["bytes", ({ bytes }) => bytes.toLocaleString("en"), "number"],
        ["CRC-32", ({ crc32 }) => hex(crc32), code]], members));
  },
  async audit() {
    const found = await worked.call("audit", "file", { verbose: true });
    return make("div", {},
      make("p", { className: "quiet" }, "What loading this file would make PyTorch do. Nothing was executed."),
      table("Findings", [["severity", ({ severity }) => severity, ({ severity }) => severity],
        ["id", ({ id }) => id, code], ["SPEC", ({ clause }) => clause],
        ["where", (one) => place(one) ?? one.file.replace(/^[^!]*!?/, ""), code],
        ["finding", ({ message, more }) => (more > 0 ? `${message} (${more} more)` : message)]], found));
  },
};

let currentTab = "program";

async function fill(name) {
  const mine = opened;
  if (mine === null || !(name in VIEWS) || mine.drawn.has(name)) {
    return;
  }
  mine.drawn.add(name);
  const panel = find(`view-${name}`);
  panel.setAttribute("aria-busy", "true");
  try {
    const content = await VIEWS[name]();
    if (mine === opened && content !== undefined) {
      panel.replaceChildren(content);
    }
  } catch (error) {
    if (mine === opened) {
      failed(name === "graph" ? find("node") : panel, error);
    }
  } finally {
    panel.removeAttribute("aria-busy");
  }
}

const tabs = [...document.querySelectorAll("[role=tab]")];

function select(name) {
  currentTab = name;
  for (const tab of tabs) {
    const isChosen = tab.id === `tab-${name}`;
    tab.setAttribute("aria-selected", isChosen);
    tab.tabIndex = isChosen ? 0 : -1;
    find(tab.getAttribute("aria-controls")).hidden = !isChosen;
  }
  return fill(name);
}

for (const [i, tab] of tabs.entries()) {
  tab.addEventListener("click", () => select(tab.id.slice("tab-".length)));
  tab.addEventListener("keydown", ({ key }) => {
    const to = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: tabs.length - 1 }[key];
    const next = tabs[(to + tabs.length) % tabs.length];
    if (next !== undefined) {
      next.focus();
      next.click();
    }
  });
}

// ---- the graph

function tellNode(box) {
  const { node } = box ?? {};
  if (node === undefined) {
    find("node").replaceChildren(box === null ? "" : safe(`${box.title}: ${box.below}`));
    return;
  }
  const spell = (argument) => JSON.stringify(argument, (_, part) =>
    (typeof part?.value === "string" ? `%${part.value}` : part)).replaceAll(/"(%[^"]*)"/g, "$1");
  const words = node.inputs.map(({ name, keyword, arg }) => `${keyword ? `${name}=` : ""}${spell(arg)}`);
  find("node").replaceChildren(facts([["node", make("code", {}, box.below)],
    ["operator", make("code", {}, node.target)],
    ["arguments", make("code", {}, words.join(", ").slice(0, 2000))],
    ["source", node.source ? make("code", {}, node.source) : null]]));
}

const picture = new Picture(find("picture"), tellNode);

async function drawGraph(number) {
  const mine = opened;
  const before = performance.now();
  const drawn = await worked.call("graph", "file", number, find("weights").checked);
  if (mine !== opened) {
    return;
  }
  find("which").replaceChildren();
  addTo(find("which"), drawn.graphs.map(({ name, nodes }, i) => make("option",
    { value: i, selected: i === number }, `${name ?? "main"} (${nodes.toLocaleString("en")} nodes)`)));
  picture.show(drawn);
  find("found").textContent = "";
  find("find").value = "";
  find("picture").dataset.nodes = drawn.boxes.length;
  find("picture").dataset.time = (performance.now() - before).toFixed(0);
  if (drawn.boxes.length > 300) {
    picture.beginning();
  }
}

const redraw = () => drawGraph(Number(find("which").value)).catch((error) => failed(find("node"), error));
find("which").addEventListener("change", redraw);
find("weights").addEventListener("change", redraw);
find("find").addEventListener("input", ({ target }) => {
  const count = picture.search(target.value);
  find("found").textContent = target.value.trim() === "" ? "" : `${count.toLocaleString("en")} found`;
});
find("find").addEventListener("keydown", ({ key }) => key === "Enter" && picture.nextFound());
find("next").addEventListener("click", () => picture.nextFound());
find("closer").addEventListener("click", () => picture.by(1.5));
find("farther").addEventListener("click", () => picture.by(1 / 1.5));
find("whole").addEventListener("click", () => picture.whole());

// ---- a second file

const classOfLine = (line) => (/^(---|\+\+\+|@@)/.test(line) ? "hunk"
  : line.startsWith("+") ? "plus" : line.startsWith("-") ? "minus" : "");

find("other").addEventListener("change", async ({ target }) => {
  const [other] = target.files;
  if (other === undefined) {
    return;
  }
  const box = find("difference");
  box.replaceChildren("Comparing…");
  try {
    const { same, text } = await worked.call("diff", "file", other);
    box.replaceChildren(same
      ? make("p", { className: "valid" }, `No difference: ${opened.file.name} and ${other.name} have the same canonical form and, as archives, the same contents.`)
      : longText(text, classOfLine));
  } catch (error) {
    failed(box, error);
  }
});

// ---- migration

/** Newest first, with the releases that write each. */
function offerVersions(schemas) {
  const released = schemas.filter(({ releases }) => releases.length > 0).toReversed();
  find("to").append(...released.map(({ name, releases }) => make("option", { value: name },
    `${name} (torch ${releases[0]}${releases.length > 1 ? ` to ${releases.at(-1)}` : ""})`)));
}

function download(bytes, name) {
  const address = URL.createObjectURL(new Blob([bytes]));
  return make("a", { href: address, download: safe(name), className: "button" }, `Save ${name} (${bytesText(bytes.length)})`);
}

find("migrate").addEventListener("submit", async (event) => {
  event.preventDefault();
  const box = find("migrated");
  const to = find("to").value;
  box.replaceChildren("Migrating…");
  try {
    const { report, bytes } = await worked.call("migrate", "file", to, find("raw").checked);
    const name = opened.file.name.replace(/(\.[^.]*)?$/, (ending) => `-${to}${ending}`);
    box.replaceChildren(make("p", {}, download(bytes, name)),
      make("p", {}, `Schema ${report.from} to ${report.to}.`),
      table("Steps", [["SPEC", ({ clause }) => clause], ["step", ({ about }) => about],
        ["times", ({ times }) => times, "number"]], report.steps));
  } catch (error) {
    failed(box, error);
  }
});

select(currentTab);
