// Puts together what web/make has built: the package and the page.
//
//   node bundle.mjs FOLDER     that of web/make, with module/ and npm/ in it

import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const out = resolve(process.argv[2]);
const npm = join(out, "npm", "node_modules");
const esbuild = createRequire(join(out, "npm", "package.json"))("esbuild");
const read = (...path) => readFileSync(join(...path), "utf8");

/** What others wrote, with their licences. Files that end up in a product alone. */
function licences(parts) {
  return parts.map(([name, ...path]) => `${name}\n\n${read(...path).trim()}\n`)
    .join(`\n${"-".repeat(72)}\n\n`);
}

const IN_MODULE = [
  ["zlib", out, "sources", "zlib", "LICENSE"],
  ["libmd", out, "sources", "libmd", "COPYING"],
  ["wasi-libc, with parts of musl and of others", "/usr/share/doc/wasi-libc/copyright"],
];

const D3 = ["d3-zoom", "d3-selection", "d3-transition", "d3-drag", "d3-interpolate", "d3-dispatch",
  "d3-ease", "d3-timer", "d3-color"];

// ---- the package

function version() {
  const header = read(here, "..", "ref", "include", "epref.h");
  return ["MAJOR", "MINOR", "PATCH"]
    .map((part) => header.match(`EPREF_VERSION_${part} (\\d+)`)[1]).join(".");
}

/** The module as a file of JavaScript: text of the compressed bytes. */
function writeModule(folder) {
  const bytes = readFileSync(join(out, "module", "bin", "epref.wasm"));
  const zipped = gzipSync(bytes, { level: 9 });
  writeFileSync(join(folder, "epref.wasm.js"), `export default "${zipped.toString("base64")}";\n`);
  const kilobytes = (size) => (size / 1000).toFixed(0);
  console.log(`epref.wasm: ${kilobytes(bytes.length)} kB, gzip ${kilobytes(zipped.length)} kB, `
    + `brotli ${kilobytes(brotliCompressSync(bytes).length)} kB`);
}

function writePackage() {
  const folder = join(out, "package");
  rmSync(folder, { recursive: true, force: true });
  cpSync(join(here, "package"), folder, { recursive: true });
  const about = JSON.parse(read(here, "package", "package.json"));
  writeFileSync(join(folder, "package.json"),
    JSON.stringify({ ...about, version: version() }, null, 2) + "\n");
  cpSync(join(here, "..", "LICENSE"), join(folder, "LICENSE"));
  cpSync(join(here, "README.md"), join(folder, "README.md"));
  writeFileSync(join(folder, "THIRD_PARTY.txt"), licences(IN_MODULE));
  writeModule(join(folder, "src"));
}

// ---- the page

function bundle(entry) {
  const { outputFiles } = esbuild.buildSync({
    entryPoints: [entry], bundle: true, format: "esm", minify: true, write: false,
    charset: "utf8", target: "es2022", legalComments: "none", nodePaths: [npm],
    alias: { epref: join(out, "package", "src", "index.js") },
  });
  return outputFiles[0].text;
}

/** For the policy of the page, which lets nothing run but what is in it. */
const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Text of a script element: nothing in it may end the element. */
const inElement = (script) => script.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");

function writePage() {
  const page = join(here, "page");
  const parts = {
    style: read(page, "page.css"),
    script: inElement(bundle(join(page, "page.js"))),
    // a page that is a file of its own may start no worker that is a module
    worker: `(async () => {${bundle(join(page, "worker.js"))}})();`,
    licences: licences([...IN_MODULE,
      ...D3.map((name) => [name, npm, name, "LICENSE"])]),
  };
  parts.worker = Buffer.from(parts.worker).toString("base64");
  parts.licences = parts.licences.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const policy = `default-src 'none'; script-src ${hash(parts.script)} 'wasm-unsafe-eval'; `
    + `style-src ${hash(parts.style)}; worker-src blob:; base-uri 'none'; `
    + "form-action 'none'";
  const html = read(page, "index.html").replaceAll(/\{\{(\w+)\}\}/g,
    (_, name) => ({ ...parts, policy, version: version() })[name]);
  mkdirSync(join(out, "page"), { recursive: true });
  writeFileSync(join(out, "page", "index.html"), html);
}

writePackage();
if (existsSync(join(here, "page", "index.html"))) {
  writePage();
}
