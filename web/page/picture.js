// The graph as a picture on a canvas, of which only what is seen is drawn. d3-zoom has wheel,
// fingers and pointer; keys are here.

import { select } from "d3-selection";
import { zoom, zoomIdentity } from "d3-zoom";

const FONT = "ui-monospace, 'DejaVu Sans Mono', monospace";
const READABLE = 0.45; // below this scale letters are left out
const STEP = 60;

export class Picture {
  /** chosen: told of a box, or null. */
  constructor(canvas, chosen) {
    this.canvas = canvas;
    this.chosen = chosen;
    this.layers = [];
    this.boxes = [];
    this.edges = [];
    this.found = new Set();
    this.current = null;
    this.transform = zoomIdentity;
    this.zoom = zoom().scaleExtent([0.002, 3]).clickDistance(4)
      .on("zoom", ({ transform }) => { this.transform = transform; this.ask(); });
    select(canvas).call(this.zoom).on("dblclick.zoom", null)
      .on("click", (event) => this.click(event))
      .on("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.resize()).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.ask());
  }

  show({ boxes, edges }) {
    this.boxes = boxes;
    this.layers = [];
    for (const box of boxes) {
      (this.layers[box.layer] ??= []).push(box);
    }
    for (const layer of this.layers) {
      layer?.sort((a, b) => a.x - b.x);
    }
    // by where they begin; `reach` is how far those up to there go, to stop early
    this.edges = edges.map(([from, to]) => [boxes[from], boxes[to]]).sort((a, b) => a[0].y - b[0].y);
    let reach = -Infinity;
    this.reach = this.edges.map(([, to]) => (reach = Math.max(reach, to.y)));
    this.found = new Set();
    this.choose(null);
    this.whole();
  }

  // ---- what is seen

  resize() {
    const ratio = devicePixelRatio;
    this.canvas.width = this.canvas.clientWidth * ratio;
    this.canvas.height = this.canvas.clientHeight * ratio;
    this.ask();
  }

  /** Draws once before the next frame. */
  ask() {
    this.asked ??= requestAnimationFrame(() => { this.asked = undefined; this.draw(); });
  }

  bounds() {
    let left = Infinity, right = -Infinity, bottom = 0;
    for (const { x, y, width, height } of this.boxes) {
      left = Math.min(left, x - width / 2);
      right = Math.max(right, x + width / 2);
      bottom = Math.max(bottom, y + height);
    }
    return { left, right, bottom };
  }

  set(transform) {
    select(this.canvas).call(this.zoom.transform, transform);
  }

  whole() {
    const { left, right, bottom } = this.bounds();
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (this.boxes.length === 0 || width === 0) {
      return;
    }
    const scale = Math.min(1, 0.95 * width / (right - left), 0.95 * height / bottom);
    this.set(zoomIdentity.translate(width / 2, (height - scale * bottom) / 2).scale(scale)
      .translate(-(left + right) / 2, 0));
  }

  /** Shows the beginning, large enough to be read. */
  beginning() {
    const [first] = this.boxes;
    if (first !== undefined) {
      this.goTo(first, 0.15);
    }
  }

  goTo(box, height = 0.5) {
    const scale = Math.max(this.transform.k, 0.9);
    const { clientWidth, clientHeight } = this.canvas;
    this.set(zoomIdentity.translate(clientWidth / 2, clientHeight * height).scale(scale)
      .translate(-box.x, -box.y - box.height / 2));
  }

  by(factor) {
    select(this.canvas).call(this.zoom.scaleBy, factor);
  }

  // ---- drawing

  colours() {
    const style = getComputedStyle(document.documentElement);
    const names = ["ink", "paper", "quiet", "accent", "edge", "node", "input", "weight", "calls", "bad"];
    return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`)]));
  }

  view() {
    const { x, y, k } = this.transform;
    const { clientWidth, clientHeight } = this.canvas;
    return { left: -x / k, top: -y / k, right: (clientWidth - x) / k, bottom: (clientHeight - y) / k };
  }

  draw() {
    const context = this.canvas.getContext("2d");
    const { x, y, k } = this.transform;
    const ratio = devicePixelRatio;
    const colours = this.colours();
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = colours.paper;
    context.fillRect(0, 0, this.canvas.clientWidth, this.canvas.clientHeight);
    context.setTransform(ratio * k, 0, 0, ratio * k, ratio * x, ratio * y);
    const view = this.view();
    this.drawEdges(context, view, colours);
    for (const box of this.seen(view)) {
      this.drawBox(context, box, colours, k);
    }
  }

  drawEdges(context, view, colours) {
    context.strokeStyle = colours.edge;
    context.lineWidth = Math.max(1, 0.6 / this.transform.k);
    context.beginPath();
    // from the first that reaches the view
    let low = 0, high = this.edges.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      [low, high] = this.reach[middle] < view.top ? [middle + 1, high] : [low, middle];
    }
    for (let i = low; i < this.edges.length && this.edges[i][0].y <= view.bottom; i++) {
      const [from, to] = this.edges[i];
      const isSeen = to.y >= view.top && Math.max(from.x, to.x) >= view.left
        && Math.min(from.x, to.x) <= view.right;
      if (isSeen) {
        const start = from.y + from.height;
        const bend = Math.min(60, (to.y - start) / 2);
        context.moveTo(from.x, start);
        context.bezierCurveTo(from.x, start + bend, to.x, to.y - bend, to.x, to.y);
      }
    }
    context.stroke();
  }

  /** Layers are equally high, and sorted by their places. */
  *seen({ left, top, right, bottom }) {
    for (const layer of this.layers) {
      const [first] = layer ?? [];
      if (first === undefined || first.y > bottom || first.y + first.height < top) {
        continue;
      }
      for (const box of layer) {
        if (box.x - box.width / 2 > right) {
          break;
        }
        if (box.x + box.width / 2 >= left) {
          yield box;
        }
      }
    }
  }

  drawBox(context, box, colours, scale) {
    const left = box.x - box.width / 2;
    context.fillStyle = colours[box.kind === "output" ? "input" : box.kind];
    context.fillRect(left, box.y, box.width, box.height);
    if (this.found.has(box) || box === this.current) {
      context.strokeStyle = box === this.current ? colours.bad : colours.accent;
      context.lineWidth = Math.max(2, 2 / scale);
      context.strokeRect(left, box.y, box.width, box.height);
    }
    if (scale >= READABLE) {
      context.textAlign = "center";
      context.fillStyle = colours.ink;
      context.font = `11px ${FONT}`;
      context.fillText(box.title, box.x, box.y + 16);
      context.fillStyle = colours.quiet;
      context.fillText(box.below, box.x, box.y + 30);
    }
  }

  // ---- what is chosen

  at(clientX, clientY) {
    const { left, top } = this.canvas.getBoundingClientRect();
    const [x, y] = this.transform.invert([clientX - left, clientY - top]);
    const [box] = this.seen({ left: x, right: x, top: y, bottom: y });
    return box ?? null;
  }

  click({ clientX, clientY }) {
    this.choose(this.at(clientX, clientY));
  }

  choose(box) {
    this.current = box;
    this.ask();
    this.chosen(box);
  }

  /** Marks the boxes that have a text in them, and says how many. */
  search(text) {
    const wanted = text.trim().toLowerCase();
    const fits = ({ title, below }) => `${title} ${below}`.toLowerCase().includes(wanted);
    this.found = new Set(wanted === "" ? [] : this.boxes.filter(fits));
    this.ask();
    return this.found.size;
  }

  /** The next of some boxes behind the one that is chosen. */
  step(boxes, by) {
    if (boxes.length === 0) {
      return;
    }
    const at = boxes.indexOf(this.current);
    const next = at < 0 ? (by > 0 ? 0 : boxes.length - 1) : (at + by + boxes.length) % boxes.length;
    this.choose(boxes[next]);
    this.goTo(boxes[next]);
  }

  nextFound() {
    this.step([...this.found], 1);
  }

  key(event) {
    const move = (x, y) => select(this.canvas).call(this.zoom.translateBy,
      x / this.transform.k, y / this.transform.k);
    const keys = {
      ArrowLeft: () => move(STEP, 0), ArrowRight: () => move(-STEP, 0),
      ArrowUp: () => move(0, STEP), ArrowDown: () => move(0, -STEP),
      "+": () => this.by(1.3), "=": () => this.by(1.3), "-": () => this.by(1 / 1.3),
      0: () => this.whole(), n: () => this.step(this.boxes, 1), p: () => this.step(this.boxes, -1),
    };
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
    if (act !== undefined) {
      event.preventDefault();
      act();
    }
  }
}
