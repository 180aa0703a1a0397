// What of the page needs no browser: the layout of graphs, and text that is made fit to be seen.

import assert from "node:assert/strict";
import test from "node:test";

import { layOut } from "../page/layout.js";
import { safe } from "../page/text.js";

const value = (name) => ({ value: name });

/** A program of one graph, as `epref show --format=json` describes it. */
function program(nodes, { inputs = [], outputs = [], values = {} } = {}) {
  return { inputs: [], graphs: [{ name: null, inputs, outputs, values, nodes }] };
}

const node = (target, args, outputs) => ({
  target, name: outputs[0], inputs: args.map((arg) => ({ name: "", arg })),
  outputs: outputs.map(value),
});

test("a list longer than a call takes arguments", () => {
  const MANY = 200_000;
  const names = Array.from({ length: MANY }, (_, i) => `v${i}`);
  const list = names.map(value);
  const record = Object.fromEntries(list.map((each, i) => [`key${i}`, each]));
  for (const long of [list, [list], record, [record], { list }]) {
    const { boxes, edges } = layOut(program([node("make", [], names), node("use", [long], ["out"])],
      { outputs: [value("out")] }), 0, true);
    assert.equal(boxes.length, 3);
    assert.deepEqual(edges, [[0, 1], [1, 2]]);
  }
  const { boxes } = layOut(program([node("use", [1], ["out"])],
    { inputs: list, outputs: list, values: { out: { dtype: "float32", shape: names } } }), 0, true);
  assert.equal(boxes.length, MANY + 2);
});

test("lists within lists, however deep", () => {
  let deep = value("x");
  for (let i = 0; i < 100_000; i++) {
    deep = [deep];
  }
  const { edges } = layOut(program([node("make", [], ["x"]), node("use", [deep], ["y"])]), 0, true);
  assert.deepEqual(edges, [[0, 1]]);
});

test("time grows as nodes and edges do", () => {
  const seconds = (count) => {
    const nodes = [node("make", [], ["v0"])];
    for (let i = 1; i < count; i++) {
      nodes.push(node("use", [value(`v${i - 1}`), value(`v${i >> 1}`), value("v0")], [`v${i}`]));
    }
    const began = performance.now();
    layOut(program(nodes), 0, true);
    return performance.now() - began;
  };
  seconds(5_000);
  assert.ok(seconds(80_000) < 40 * Math.max(seconds(10_000), 20), "more than linear");
});

test("characters that are not seen", () => {
  const hidden = "\x1b\x7f\x9b\u061c\u180e\u200b\u202e\u2028\u2066\ufeff\ufff9\u{e0041}\ud800";
  const shown = safe(`a${hidden}b\n\tü漢😀`);
  assert.equal(shown, "a\\u001b\\u007f\\u009b\\u061c\\u180e\\u200b\\u202e\\u2028\\u2066\\ufeff\\ufff9"
    + "\\U000e0041\\ud800b\n\tü漢😀");
  const { boxes } = layOut(program([node(hidden, [], [`a${hidden}`])], { outputs: [value(hidden)] }), 0, true);
  for (const { title, below } of boxes) {
    assert.equal(safe(title + below), title + below);
  }
});
