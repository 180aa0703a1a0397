// Where the nodes of a graph are drawn: layers by the longest way from the inputs, and in each
// layer an order and places near the neighbours. Libraries that draw in layers split an edge at
// each layer that it passes; a program of a thousand nodes has so many long edges that they
// take minutes. Here the work grows as nodes and edges do, times a logarithm.

import { addAll, safe } from "./text.js";

const GAP_X = 16, GAP_Y = 34, LETTER = 6.6, PADDING = 20, HEIGHT = 38, SWEEPS = 6;
const LABEL_MOST = 46;

/** The names of values in an argument, and the numbers of subgraphs. */
function uses(argument, values = [], graphs = []) {
  const waiting = [argument];
  while (waiting.length > 0) {
    const part = waiting.pop();
    if (Array.isArray(part)) {
      addAll(waiting, part);
    } else if (part !== null && typeof part === "object") {
      if (typeof part.value === "string") {
        values.push(part.value);
      } else if (typeof part.graph === "number") {
        graphs.push(part.graph);
      } else {
        addAll(waiting, Object.values(part));
      }
    }
  }
  return { values, graphs };
}

const DTYPES = { float: "f", bfloat: "bf", int: "i", uint: "u", complex: "c" };

/** "f32[s17, 3]" */
export function typeText(value) {
  if (value?.dtype === undefined) {
    return value?.expression != null ? String(value.expression) : value?.kind ?? "";
  }
  const dtype = value.dtype.replace(/^(bfloat|float|uint|int|complex)(\d+)$/,
    (_, kind, bits) => DTYPES[kind] + bits);
  return `${dtype}[${(value.shape ?? []).slice(0, LABEL_MOST).join(", ")}]`;
}

const cut = (text) => safe(text.length > LABEL_MOST ? `${text.slice(0, LABEL_MOST - 1)}…` : text);

function box(kind, title, below, more = {}) {
  const letters = Math.max(title.length, below.length);
  return { kind, title, below, width: letters * LETTER + PADDING, height: HEIGHT, ...more };
}

function nodeBox(graph, node) {
  const said = uses(node.outputs);
  const types = said.values.slice(0, LABEL_MOST).map((name) => typeText(graph.values[name]));
  const target = node.target.replace(/^torch\.ops\./, "");
  const { graphs } = uses(node.inputs.map(({ arg }) => arg));
  return box(graphs.length > 0 ? "calls" : "node", cut(target),
    cut(`%${node.name ?? said.values[0] ?? ""} ${types.join(", ")}`), { node, graphs });
}

/** What the program's own inputs are, by their names. */
function rolesOf(program) {
  return new Map(program.inputs.map((input) => [input.name, input]));
}

/** Boxes and edges [from, to] of one graph of a program; weights are inputs that are left out
 *  unless they are wanted. */
function connect(program, number, weights) {
  const graph = program.graphs[number];
  const roles = number === 0 ? rolesOf(program) : new Map();
  const boxes = [], edges = [], makers = new Map();
  const join = (names, to) => {
    for (const from of new Set(names.map((name) => makers.get(name)))) {
      if (from !== undefined) {
        edges.push([from, to]);
      }
    }
  };
  for (const name of uses(graph.inputs).values) {
    const input = roles.get(name);
    const isWeight = input !== undefined && input.role !== "user";
    if (!isWeight || weights) {
      const type = typeText(graph.values[name] ?? input);
      boxes.push(box(isWeight ? "weight" : "input", cut(isWeight ? input.target ?? name : name),
        cut(`${isWeight ? input.role : "input"} ${type}`), { name }));
      makers.set(name, boxes.length - 1);
    }
  }
  for (const node of graph.nodes) {
    boxes.push(nodeBox(graph, node));
    join(node.inputs.flatMap(({ arg }) => uses(arg).values), boxes.length - 1);
    for (const name of uses(node.outputs).values) {
      makers.set(name, boxes.length - 1);
    }
  }
  const results = uses(graph.outputs).values;
  if (results.length > 0) {
    const shown = results.slice(0, LABEL_MOST).map((name) => `%${name}`);
    boxes.push(box("output", "output", cut(shown.join(", "))));
    join(results, boxes.length - 1);
  }
  return { boxes, edges };
}

/** The layer of each box; edges lead forwards in the list. A weight is just above its use. */
function rank(boxes, edges) {
  const layer = new Int32Array(boxes.length);
  for (const [from, to] of edges) {
    layer[to] = Math.max(layer[to], layer[from] + 1);
  }
  const least = new Int32Array(boxes.length).fill(2 ** 30);
  for (const [from, to] of edges) {
    least[from] = Math.min(least[from], layer[to]);
  }
  boxes.forEach(({ kind }, i) => {
    if (kind === "weight" && least[i] < 2 ** 30) {
      layer[i] = Math.max(0, least[i] - 1);
    }
  });
  return layer;
}

/** Boxes of a row, in their order, as near to the wanted places as they go without touching:
 *  blocks that push each other are merged at their mean. A block is those from `first` on. */
function place(row, wanted) {
  const blocks = [];
  row.forEach((box, first) => {
    let block = { first, width: box.width, sum: wanted(box) - box.width / 2, count: 1 };
    while (blocks.length > 0) {
      const before = blocks.at(-1);
      const shift = before.width + GAP_X;
      if (before.sum / before.count + shift <= block.sum / block.count) {
        break;
      }
      blocks.pop();
      block = {
        first: before.first,
        width: shift + block.width,
        sum: before.sum + block.sum - shift * block.count,
        count: before.count + block.count,
      };
    }
    blocks.push(block);
  });
  for (const { first, sum, count } of blocks) {
    let at = sum / count;
    for (const box of row.slice(first, first + count)) {
      box.x = at + box.width / 2;
      at += box.width + GAP_X;
    }
  }
}

const mean = (boxes, otherwise) =>
  boxes.length === 0 ? otherwise : boxes.reduce((sum, { x }) => sum + x, 0) / boxes.length;

/** Gives each box x and y, and says how large the whole is. */
export function layOut(program, number, weights) {
  const { boxes, edges } = connect(program, number, weights);
  const layer = rank(boxes, edges);
  const rows = [];
  boxes.forEach((box, i) => {
    Object.assign(box, { x: 0, above: [], below_: [], layer: layer[i] });
    (rows[layer[i]] ??= []).push(box);
  });
  for (const [from, to] of edges) {
    boxes[to].above.push(boxes[from]);
    boxes[from].below_.push(boxes[to]);
  }
  const filled = rows.filter((row) => row !== undefined);
  filled.forEach((row, i) => row.forEach((box) => { box.y = i * (HEIGHT + GAP_Y); }));
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const down = sweep % 2 === 0;
    for (const row of down ? filled : filled.toReversed()) {
      const wanted = new Map(row.map((box) => [box, mean(down ? box.above : box.below_, box.x)]));
      row.sort((a, b) => wanted.get(a) - wanted.get(b));
      place(row, (box) => wanted.get(box));
    }
  }
  return {
    edges,
    boxes: boxes.map(({ above, below_, ...rest }) => rest),
  };
}
