// The package as it is installed, in Node. EPREF_GOLDEN is the folder of golden archives,
// EPREF the native command to compare with.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, readSync, readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import test from "node:test";

import {
  EprefError, audit, canon, check, describe, diff, differences, digest, encode, explain, extract,
  inspect, list, migrate, migrationReport, run, show, version,
} from "epref";

import { compiledModel, twoPrograms } from "./archives.mjs";

const golden = process.env.EPREF_GOLDEN;
const native = process.env.EPREF;
const file = (...path) => readFileSync(join(golden, ...path));
const program = file("2.13.0", "dynamic_batch", "program.json");
const archive = file("2.13.0", "linear", "model.pt2");
const old = file("2.2.2", "dynamic_batch", "model.pt2");
const broken = program.toString().replace('"as_int": 3}', '"as_int": 3.0}');

test("what the conformance suite does not ask of the package", () => {
  assert.match(version, /^\d+\.\d+\.\d+$/);
  assert.equal(check(broken, { name: "/some/where/bröken.json" }).file, "bröken.json");
  assert.equal(migrationReport(old, "torch-2.13").to, "8.20");
  assert.equal(list(archive).tensors[0].name, "weight");
  assert.equal(inspect(archive).weights.stored, "raw");
  assert.equal(extract(archive, { tensor: "weight", as: "raw" }).length, 24);
  assert.match(digest(archive, { weights: true }), /^ew1:[0-9a-f]{64}$/);
  assert.equal(explain("type").code, "EP_TYPE");
});

test("refusals of all else are errors with their place", () => {
  const calls = [show, describe, digest, encode, canon, (bytes) => migrate(bytes, "8.20"),
    (bytes) => diff(program, bytes), (bytes) => diff(bytes, program),
    (bytes) => differences(program, bytes)];
  for (const call of calls) {
    assert.throws(() => call(broken), (error) => error instanceof EprefError
      && error.code === "EP_INT_FORM" && error.clause === "3.2.1" && error.offset === 1193);
  }
  assert.throws(() => list(program), (error) => error.code === "EP_ARCHIVE");
});

test("what cannot be asked is a TypeError", () => {
  assert.throws(() => check(5), TypeError);
  assert.throws(() => migrate(program, "torch-99"), TypeError);
  assert.throws(() => check(program, { limits: { width: 1 } }), TypeError);
  for (const call of [check, inspect, audit, show, describe, list, digest, encode, canon, extract,
    (one, how) => diff(one, one, how), (one, how) => differences(one, one, how),
    (one, how) => migrate(one, "latest", how), (one, how) => migrationReport(one, "latest", how)]) {
    assert.throws(() => call(archive, { shema: "8.20" }), /^TypeError: there is no option "shema" here/);
  }
  assert.throws(() => explain("EP_NOTHING"), TypeError);
});

test("messages are for one who calls functions", () => {
  assert.throws(() => show(twoPrograms(program)), /, model takes one: /);
  assert.throws(() => migrate(program, "torch-99"), (error) => !/--|Try|^epref/.test(error.message));
});

test("require says what to do instead", () => {
  assert.throws(() => createRequire(import.meta.url)("epref"), /await import\("epref"\)/);
});

test("limits are kept by what is taken out", () => {
  const few = { limits: { bytes: 100 } };
  const refused = (code, call) => assert.throws(call, (error) => error instanceof EprefError && error.code === code);
  for (const call of [show, describe, digest, encode, canon, (one, how) => migrate(one, "latest", how),
    (one, how) => diff(one, one, how)]) {
    refused("EP_LIMIT_BYTES", () => call(program, few));
    refused("EP_MEMORY", () => call(program, { memory: 1000 }));
  }
  for (const call of [show, list, audit, digest, (one, how) => extract(one, { tensor: "weight", as: "raw", ...how }),
    (one, how) => migrate(one, "latest", how)]) {
    refused("EP_LIMIT_BYTES", () => call(archive, few));
  }
});

test("a call that fails leaves no file", () => {
  const half = new Uint8Array(old);
  half[half.length >> 1] ^= 1; // in a member that is copied
  for (const [words, files] of [[["migrate", "--to=latest", "-o", "to", "in"], { in: half }],
    [["canon", "-o", "to", "in"], { in: broken }], [["extract", "--tensor=none", "-o", "to", "in"], { in: archive }],
    [["migrate", "--to=latest", "-o", "to", "--max-bytes=100", "in"], { in: old }]]) {
    const { status, outputs } = run(words, files);
    assert.notEqual(status, 0);
    assert.deepEqual(outputs, {});
  }
});

test("characters that are not seen", () => {
  const hidden = "\u001b\u009b\u202e\u200b\u2066\u{e0041}";
  const wrong = program.toString().replaceAll('"add"', JSON.stringify(`add${hidden}`));
  for (const name of ["a", hidden]) {
    assert.throws(() => show(broken.replace('"x"', `"x${hidden}"`), { name }), (error) => {
      assert.ok(![...hidden].some((one) => error.message.includes(one)), JSON.stringify(error.message));
      return error instanceof EprefError;
    });
  }
  assert.ok(![...hidden].some((one) => show(wrong).includes(one)));
});

test("no call sees another one", () => {
  const before = show(program);
  assert.throws(() => show(broken));
  assert.equal(show(program), before);
});

test("two releases, one program; and two programs", () => {
  const [a, b] = ["2.4.1", "2.15.0"].map((release) => file(release, "decomp_cond", "model.pt2"));
  assert.deepEqual(diff(a, b), { same: true, text: "" });
  const tanh = program.toString().replace("aten.relu", "aten.tanh");
  const told = diff(program, tanh, { name: ["a.json", "b.json"] });
  assert.equal(told.same, false);
  assert.match(told.text, /^--- a\.json .*\n\+\+\+ b\.json /);
  assert.equal(differences(program, tanh)[0].member, "target");
});

test("compiled models are neither valid nor invalid", () => {
  const { valid, kind, compiled, code } = check(compiledModel);
  assert.deepEqual([valid, kind, compiled, code], [null, "compiled", ["m"], undefined]);
  for (const { compiled: [model] } of [list(compiledModel), inspect(compiledModel)]) {
    assert.deepEqual([model.name, model.device, model.isa, model.metadata.at(-1)],
      ["m", "cpu", "AVX2", { key: "own", value: "mine" }]);
  }
  assert.ok(audit(compiledModel).some(({ id }) => id === "AUDIT_NATIVE"));
  assert.match(digest(compiledModel), /^ec1:[0-9a-f]{64}$/);
  for (const call of [show, describe, encode, canon, extract, (bytes) => migrate(bytes, "8.20")]) {
    assert.throws(() => call(compiledModel), (error) => error instanceof EprefError
      && error.code === "EP_ARCHIVE_PROGRAM" && /with compiled models alone/.test(error.message), call.name);
  }
});

test("of several programs each is reported, or all are named", () => {
  const two = twoPrograms(program);
  const members = ["a/models/one.json", "a/models/two.json"];
  assert.deepEqual(check(two).programs.map(({ member, valid }) => [member, valid]), members.map((each) => [each, true]));
  assert.deepEqual(inspect(two).programs.map(({ member }) => member), members);
  assert.deepEqual(list(two).programs.map(({ name }) => name), ["one", "two"]);
  assert.equal(audit(two).filter(({ id }) => id === "AUDIT_GUARDED").length, 2);
  for (const call of [show, describe, encode, canon, (bytes) => migrate(bytes, "8.20")]) {
    assert.throws(() => call(two), (error) => error instanceof EprefError
      && error.code === "EP_ARCHIVE_PROGRAM" && /one, two/.test(error.message), call.name);
  }
  assert.equal(show(two, { model: "two" }).split("\n").length, show(program).split("\n").length);
});

test("an archive is read in place, piece by piece", () => {
  const path = join(golden, "2.13.0", "linear", "model.pt2");
  const descriptor = openSync(path);
  const source = {
    name: path,
    size: statSync(path).size,
    read(place, size) {
      const bytes = new Uint8Array(size);
      readSync(descriptor, bytes, 0, size, place);
      return bytes;
    },
  };
  assert.equal(check(source).file, "model.pt2!model/models/model.json");
  closeSync(descriptor);
  const failing = { size: 100, read() { throw new RangeError("no disk"); } };
  assert.throws(() => check(failing), /no disk/);
});

test("the command, with files of its own", () => {
  const { status, stdout, outputs } = run(["encode", "-o", "out.json", "in.json"],
    { "in.json": program });
  assert.equal(status, 0);
  assert.equal(stdout.length, 0);
  assert.deepEqual(Buffer.from(outputs["out.json"]), program);
  assert.equal(run(["check", "nothing.json"]).status, 3);
});

// ---- beside the native command

/** What the native command says with the same words; null where it is not here. */
function ask(...words) {
  try {
    return execFileSync(native, words, { encoding: "latin1", stdio: ["ignore", "pipe", "ignore"] });
  } catch (failed) {
    return failed.stdout;
  }
}

test("golden archives of all releases: the words of the native command", { skip: !native }, () => {
  let count = 0;
  for (const release of readdirSync(golden)) {
    for (const model of readdirSync(join(golden, release)).filter((_, i) => i % 9 === 0)) {
      const path = join(golden, release, model, "model.pt2");
      if (!existsSync(path)) {
        continue;
      }
      const files = { [path.slice(1)]: readFileSync(path) };
      for (const command of ["check", "show", "digest", "audit", "list", "inspect"]) {
        const words = [command, ...(command === "show" ? [] : ["--format=json"])];
        const here = run([...words, path], files);
        assert.equal(Buffer.from(here.stdout).toString("latin1"), ask(...words, path),
          `${command} ${path}`);
      }
      count++;
    }
  }
  assert.ok(count >= 15 * 10, `${count} archives`);
  console.log(`${count} archives`);
});

