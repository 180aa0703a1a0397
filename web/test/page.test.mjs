// The page in a headless Chromium. EPREF_PAGE is its file, EPREF_GOLDEN the folder of golden
// archives, EPREF_PERF that of large programs, CHROMIUM the browser.

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import test, { after, before } from "node:test";
import { pathToFileURL } from "node:url";

import { check, diff, digest, migrate, show } from "epref";
import { chromium } from "playwright-core";

import { compiledModel, twoPrograms } from "./archives.mjs";

const golden = process.env.EPREF_GOLDEN;
const address = pathToFileURL(process.env.EPREF_PAGE).href;
const SLOW = 60_000;

let browser, page;
const complaints = [], requests = [];

before(async () => {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
  page = await browser.newPage({ viewport: { width: 1100, height: 900 }, colorScheme: "light" });
  page.setDefaultTimeout(SLOW);
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(address);
  await page.locator("body[data-ready]").waitFor();
});

after(async () => {
  await browser?.close();
});

/** Opens bytes as a file of a name, and gives what the page says. */
async function open(name, bytes, input = "#file") {
  await page.evaluate(() => delete document.body.dataset.opened);
  await page.locator(input).setInputFiles({ name, mimeType: "application/octet-stream", buffer: Buffer.from(bytes) });
  await page.waitForFunction((wanted) => document.body.dataset.opened === wanted, name);
  return page.locator("#word").textContent();
}

const tab = (name) => page.getByRole("tab", { name, exact: true });

/** A view, when it is filled. */
async function view(name) {
  await tab(name).click();
  const panel = page.getByRole("tabpanel", { name, exact: true });
  await panel.and(page.locator(":not([aria-busy])")).waitFor();
  return panel;
}

const program = readFileSync(join(golden, "2.13.0", "dynamic_batch", "program.json"));
const broken = program.toString().replace('"as_int": 3}', '"as_int": 3.0}');

test("a golden archive of each release", { timeout: 5 * SLOW }, async () => {
  const releases = readdirSync(golden);
  assert.ok(releases.length >= 15);
  for (const release of releases) {
    const path = join(golden, release, "linear", "model.pt2");
    assert.ok(existsSync(path), path);
    const bytes = readFileSync(path);
    assert.equal(await open(`${release}.pt2`, bytes), "valid");
    assert.equal(await page.locator("#digest").textContent(), digest(bytes));
    assert.equal(await (await view("Program")).locator("pre").textContent(),
      show(bytes, { name: `${release}.pt2` }));
  }
});

test("the byte in the text", async () => {
  assert.equal(await open("broken.json", broken), "invalid");
  const { offset, code } = check(broken);
  assert.equal(await page.locator("mark").textContent(), broken[offset]);
  assert.match(await page.locator("#verdict").textContent(), new RegExp(`${code}.*byte ${offset}, line 1`));
  assert.match(await page.getByRole("figure").textContent(), /"as_int": 3\.0}/);
});

test("interface, weights, audit", async () => {
  await open("linear.pt2", readFileSync(join(golden, "2.13.0", "linear", "model.pt2")));
  assert.match(await (await view("Interface")).textContent(), /parameterp_weightweightfloat32\[2, 3\]/);
  assert.match(await (await view("Weights")).textContent(), /weightfloat32\[2, 3\]\[3, 1\]0/);
  assert.match(await (await view("Audit")).textContent(), /AUDIT_UNPICKLED/);
});

test("a second file", async () => {
  await open("program.json", program);
  await view("Compare");
  const other = program.toString().replace("aten.relu", "aten.tanh");
  await page.locator("#other").setInputFiles({ name: "other.json", mimeType: "", buffer: Buffer.from(other) });
  const wanted = diff(program, other, { name: ["program.json", "other.json"] }).text;
  await page.waitForFunction((text) => document.querySelector("#difference pre")?.textContent.trim() === text.trim(), wanted);
  await page.locator("#other").setInputFiles({ name: "same.json", mimeType: "", buffer: program });
  await page.locator("#difference .valid").waitFor();
});

test("migrate, and save what comes out", async () => {
  const old = readFileSync(join(golden, "2.2.2", "dynamic_batch", "model.pt2"));
  await open("old.pt2", old);
  await view("Migrate");
  await page.locator("#to").selectOption("8.20");
  await page.getByRole("button", { name: "Migrate" }).click();
  const link = page.getByRole("link", { name: /^Save old-8.20.pt2/ });
  const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
  assert.deepEqual(readFileSync(await download.path()), Buffer.from(migrate(old, "8.20")));
  await open("program.json", program);
  await page.locator("#to").selectOption("8.2");
  await page.getByRole("button", { name: "Migrate" }).click();
  await page.locator("#migrated .invalid").waitFor();
});

test("a program of 1.4 MB and its graph", async () => {
  const bytes = readFileSync(join(process.env.EPREF_PERF, "enc24.json"));
  assert.equal(await open("enc24.json", bytes), "valid");
  const said = await page.locator("#status").textContent();
  await view("Graph");
  const picture = page.locator("#picture[data-nodes]");
  await picture.waitFor();
  const { nodes, time } = await picture.evaluate(({ dataset }) => ({ ...dataset }));
  assert.ok(nodes >= 843);
  await page.getByRole("searchbox", { name: "Find" }).fill("aten.linear");
  assert.match(await page.locator("#found").textContent(), /^\d+ found$/);
  await page.getByRole("searchbox", { name: "Find" }).press("Enter");
  assert.match(await page.locator("#node").textContent(), /torch\.ops\.aten\.linear/);
  const frames = await frameTimes();
  console.log(`${said} Graph: ${nodes} boxes in ${time} ms, a frame while it moves: ${frames.toFixed(1)} ms`);
  assert.ok(frames < 250);
});

/** The median time between frames, in milliseconds, while the whole graph is moved. */
async function frameTimes() {
  await page.getByRole("button", { name: "Whole" }).click();
  const box = await page.locator("#picture").boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  const measured = page.evaluate(() => new Promise((done) => {
    const times = [];
    let last = performance.now();
    const step = (now) => {
      times.push(now - last);
      last = now;
      document.querySelector("#picture").dispatchEvent(new WheelEvent("wheel",
        { deltaY: times.length % 2 ? 40 : -40, bubbles: true, cancelable: true, clientX: 500, clientY: 500 }));
      return times.length < 40 ? requestAnimationFrame(step) : done(times.sort((a, b) => a - b)[20]);
    };
    requestAnimationFrame(step);
  }));
  return measured;
}

test("the whole by keys", async () => {
  await open("cond.pt2", readFileSync(join(golden, "2.13.0", "decomp_cond", "model.pt2")));
  await tab("Program").focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(await tab("Graph").getAttribute("aria-selected"), "true");
  await page.waitForFunction(() => document.querySelectorAll("#which option").length === 3);
  await page.locator("#picture").focus();
  await page.keyboard.press("n");
  await page.keyboard.press("n");
  assert.match(await page.locator("#node").textContent(), /torch\.ops\.aten\.sum/);
  await page.locator("#which").selectOption("1");
  await page.waitForFunction(() => document.querySelector("#picture").dataset.nodes === "4");
  await page.keyboard.press("Home");
  const unnamed = await page.evaluate(() => [...document.querySelectorAll("button, input, select, canvas, [role]")]
    .filter((element) => !(element.textContent.trim() || element.labels?.length || element.ariaLabel
      || element.getAttribute("aria-labelledby") || element.getAttribute("role") === "status"))
    .map(({ outerHTML }) => outerHTML));
  assert.deepEqual(unnamed.filter((html) => !/role="tabpanel"/.test(html)), []);
});

test("hostile files", async () => {
  const evil = '<img src=x onerror="document.title=1"></script><script>document.title=2</script>';
  const named = program.toString().replaceAll('"relu"', JSON.stringify(evil));
  const files = {
    "deep.json": "[".repeat(5e6),
    "cut.pt2": readFileSync(join(golden, "2.13.0", "linear", "model.pt2")).subarray(0, 4000),
    "zip.pt2": Buffer.concat([Buffer.from("PK\x03\x04"), Buffer.alloc(1e6, 0xff)]),
    "binary.json": Buffer.from(Array.from({ length: 70000 }, (_, i) => (i * 7919) & 255)),
    "empty.json": Buffer.alloc(0),
    [`${evil.replaceAll("/", "")}.json`]: named,
  };
  for (const [name, bytes] of Object.entries(files)) {
    const word = await open(name, bytes);
    assert.ok(["valid", "invalid", "not judged"].includes(word));
    for (const each of ["Program", "Graph", "Interface", "Weights", "Audit"]) {
      await view(each);
    }
  }
  assert.equal(await page.title(), "epref: look into a .pt2");
  assert.equal(await page.locator("img").count(), 0);
  assert.equal(await open("program.json", program), "valid");
});

/** All that the page says, in texts and in attributes that are read out or shown. */
const allText = () => page.evaluate(() => [...document.querySelectorAll("*")].flatMap((each) => [
  ...[...each.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE).map(({ data }) => data),
  each.title, each.type === "file" ? "" : each.value, each.ariaLabel, each.download,
]).filter((said) => typeof said === "string").join("\n"));

/** Another archive, whose names say others of as many bytes. */
const renamed = (bytes, from, to) => Buffer.from(bytes.toString("latin1")
  .replaceAll(from, Buffer.from(to).toString("latin1")), "latin1");

const HIDDEN = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/u;

test("characters that are not seen", { timeout: 5 * SLOW }, async () => {
  const hidden = "\x1b\x7f\x9b\u061c\u200b\u202e\u2028\u2066\ufeff\u{e0041}";
  const named = program.toString().replaceAll('"add"', JSON.stringify(`add${hidden}`))
    .replaceAll("\"x\"", JSON.stringify(`x${hidden}`));
  const linear = readFileSync(join(golden, "2.13.0", "linear", "model.pt2"));
  const files = {
    "named.json": named, [`a${hidden}.json`]: program,
    "code.json": program.toString().replace('"torch.ops.aten.relu.default"', JSON.stringify(`a${hidden}`)),
    "modules.json": program.toString().replace('"nn_module_stack": "', `$&${JSON.stringify(hidden).slice(1, -1)}`),
    "broken.json": named.replace('"as_int": 3}', `"as_int": ${hidden}3.0}`),
    "model.pt2": renamed(renamed(linear, "/model.", "/mx\u202e."), "/model_", "/mx\u202e_"),
    "control.pt2": renamed(linear, "/model.", "/m\x1b\u202e."),
    "tensor.pt2": renamed(linear, '"weight"', '"w\\u202e"'),
  };
  let escaped = 0;
  for (const [name, bytes] of Object.entries(files)) {
    await open(name, bytes);
    for (const each of ["Program", "Graph", "Interface", "Weights", "Audit"]) {
      await view(each);
      await page.locator("#picture").press("n");
      const said = await allText();
      assert.doesNotMatch(said, HIDDEN, `${name}, ${each}`);
      escaped += said.includes("\\u202e");
    }
    await view("Compare");
    await page.locator("#other").setInputFiles({ name: `b${hidden}.json`, mimeType: "", buffer: program });
    await page.waitForFunction(() => !/Comparing/.test(document.querySelector("#difference").textContent));
    await view("Migrate");
    await page.getByRole("button", { name: "Migrate" }).click();
    await page.waitForFunction(() => !/Migrating/.test(document.querySelector("#migrated").textContent));
    assert.doesNotMatch(await allText(), HIDDEN, name);
  }
  assert.ok(escaped >= 20, `${escaped} views had some`);
});

test("compiled models, and several programs", async () => {
  assert.equal(await open("a.pt2", compiledModel), "compiled");
  assert.match(await page.locator("#verdict").textContent(), /A package of compiled models.*m for cpu/);
  assert.match(await (await view("Program")).textContent(), /with compiled models alone.*EP_ARCHIVE_PROGRAM/);
  assert.match(await (await view("Weights")).textContent(), /own.*mine/);
  assert.match(await (await view("Audit")).textContent(), /AUDIT_NATIVE/);
  assert.equal(await open("b.pt2", twoPrograms(program)), "valid");
  assert.match(await page.locator("#verdict").textContent(), /one\.json: schema 8\.20.*two\.json: schema 8\.20/);
  assert.match(await (await view("Program")).textContent(), /one, two.*EP_ARCHIVE_PROGRAM/);
});

async function isNoWider(what, width) {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `${what} is ${wide} px too wide at ${width}`);
  const cut = page.locator("#view-audit:not([hidden]) .sheet, #view-diff:not([hidden]) pre");
  for (const each of await cut.all()) {
    const beyond = await each.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    assert.ok(beyond <= 0, `of ${what}, ${beyond} px cannot be seen at ${width}`);
  }
}

test("light, dark, and as wide as a telephone", async () => {
  const mlp = readFileSync(join(golden, "2.13.0", "training_mlp", "model.pt2"));
  const older = readFileSync(join(golden, "2.9.1", "training_mlp", "model.pt2"));
  for (const colorScheme of ["light", "dark"]) {
    for (const width of [1100, 390]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 844 });
      await open("linear.pt2", mlp);
      for (const each of ["Program", "Graph", "Interface", "Weights", "Audit", "Migrate"]) {
        await view(each);
        await isNoWider(each, width);
      }
      await view("Compare");
      await page.locator("#other").setInputFiles({ name: "older.pt2", mimeType: "", buffer: older });
      await page.locator("#difference pre").waitFor();
      await isNoWider("Compare", width);
      await open("broken.json", broken);
    }
  }
});

test("nothing was asked of a server, and nothing failed", () => {
  assert.deepEqual(requests.filter((url) => url !== address && !url.startsWith("blob:")), []);
  assert.deepEqual(complaints, []);
});
