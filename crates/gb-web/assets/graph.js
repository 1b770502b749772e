// @ts-check
/** Graphs drawn by hand: nodes are joined by dragging, or by choosing one and pointing at another. */
import { byId, draw, make } from "./dom.js";

/** @typedef {import("./types.js").View} View */
/** Two nodes and the letter of what joins them. @typedef {[number, number, string]} Edge */
/**
 * A graph with letters on its nodes, or, as in Hackenbush, on its edges; there node 0 is the ground.
 * @typedef {{onEdges: boolean, letters: string[], edges: Edge[]}} Graph
 */
/** What was chosen: a node or an edge, by its number. @typedef {{kind: "vertex" | "edge", index: number} | null} Chosen */

const [WIDTH, HEIGHT, GROUND, ROOM] = [480, 340, 318, 34];
/** Games of the list that are played on graphs as well as on boards. */
const ON_GRAPHS = ["snort", "col"];
const FIRST_GRAPH = "4;0-1,1-2,2-3,0-3";

/** @type {Graph | null} */
let graph = null;
/** Where nodes are drawn. @type {[number, number][]} */
let places = [];
/** @type {Chosen} */
let chosen = null;
/** The letter of new edges, or of new nodes. */
let letter = "";
/** Puts a text on the bench. @type {(text: string) => void} */
let put = () => {};

/** The graph that a position is, or null. @param {View} view @returns {Graph | null} */
export function graphOf(view) {
  if (view.summands) return null;
  const { position, scene } = view;
  const nodes = /^(\d+);([\d,-]*)(?:;(.*))?$/.exec(position);
  if (nodes) {
    const discs = scene.items.filter((item) => item.shape === "disc");
    if (discs.length !== Number(nodes[1])) return null;
    const edges = (nodes[2] ?? "").split(",").filter(Boolean).map((edge) => /** @type {Edge} */ ([...edge.split("-").map(Number), ""]));
    return { onEdges: false, letters: discs.map((disc) => disc.letter), edges };
  }
  if (scene.look !== "ground" && position !== "0") return null;
  /** @type {Edge[]} */
  const edges = [];
  let count = 1;
  for (const word of position === "0" ? [] : position.split(",")) {
    const one = /^(\d+)-(\d+)(\D)$/.exec(word);
    if (one) {
      edges.push([Number(one[1]), Number(one[2]), one[3] ?? ""]);
      count = Math.max(count, Number(one[1]) + 1, Number(one[2]) + 1);
    } else if (/^[A-Za-z]+$/.test(word)) {
      // A stalk: one edge above the other.
      [...word].forEach((colour, level) => edges.push([level ? count - 1 : 0, count++, colour]));
    } else return null;
  }
  return { onEdges: true, letters: Array(count).fill(""), edges };
}

/** The graph as a position. @param {Graph} of */
export function textOf(of) {
  if (of.onEdges) return of.edges.map(([a, b, colour]) => `${a}-${b}${colour}`).join(",") || "0";
  // As the bench writes them.
  const edges = [...of.edges].sort(([a, b], [c, d]) => a - c || b - d).map(([a, b]) => `${a}-${b}`).join(",");
  return `${of.letters.length};${edges}${of.letters.every((one) => one === ".") ? "" : `;${of.letters.join("")}`}`;
}

/** Only some of the nodes, numbered anew; with edges on the ground only what still hangs on it. @param {Graph} of @param {[number, number][]} at @param {(node: number) => boolean} stays @returns {[Graph, [number, number][]]} */
export function kept(of, at, stays) {
  let nodes = of.letters.map((_, node) => node).filter(stays);
  if (of.onEdges) {
    const joined = new Set([0]);
    for (let before = 0; before !== joined.size;) {
      before = joined.size;
      for (const [a, b] of of.edges) if (stays(a) && stays(b) && (joined.has(a) || joined.has(b))) joined.add(a).add(b);
    }
    nodes = nodes.filter((node) => joined.has(node));
  }
  const number = new Map(nodes.map((node, index) => [node, index]));
  const edges = of.edges.flatMap(([a, b, colour]) => {
    const [from, to] = [number.get(a), number.get(b)];
    return from === undefined || to === undefined ? [] : [/** @type {Edge} */ ([from, to, colour])];
  });
  return [{ ...of, edges, letters: nodes.map((node) => of.letters[node] ?? "") }, nodes.map((node) => at[node] ?? [WIDTH / 2, HEIGHT / 2])];
}

/** Where the bench has drawn the nodes, made to fit. @param {View} view @param {Graph} of @returns {[number, number][]} */
function placed(view, of) {
  const { items, width, height } = view.scene;
  const scale = Math.min((WIDTH - 2 * ROOM) / Math.max(1, width), (HEIGHT - 2 * ROOM) / Math.max(1, height), 0.8);
  const [left, top] = [(WIDTH - width * scale) / 2, of.onEdges ? GROUND - height * scale : (HEIGHT - height * scale) / 2];
  /** @param {number[]} at @returns {[number, number]} */
  const here = ([x = 0, y = 0]) => [left + x * scale, top + y * scale];
  const discs = items.filter((item) => item.shape === "disc");
  const lines = items.filter((item) => item.shape === "line");
  return of.letters.map((_, node) => {
    if (!of.onEdges) return here(discs[node]?.at ?? []);
    const index = of.edges.findIndex(([a, b]) => a === node || b === node);
    const at = lines[index]?.at ?? [];
    return node === 0 ? [WIDTH / 2, GROUND] : here(of.edges[index]?.[0] === node ? at : at.slice(2));
  });
}

/** @param {Graph} next @param {[number, number][]} [at] */
function change(next, at = places) {
  [graph, places] = [next, at];
  put(textOf(next));
  paint();
}

/** Joins two nodes, or parts them. On the ground there may be several edges, so nothing is parted by joining. @param {number} a @param {number} b */
function join(a, b) {
  if (!graph || a === b) return;
  const [from, to] = [Math.min(a, b), Math.max(a, b)];
  const there = graph.edges.some(([x, y]) => Math.min(x, y) === from && Math.max(x, y) === to);
  const without = graph.edges.filter(([x, y]) => Math.min(x, y) !== from || Math.max(x, y) !== to);
  chosen = null;
  change({ ...graph, edges: there && !graph.onEdges ? without : [...graph.edges, [from, to, graph.onEdges ? letter : ""]] });
}

/** A new node, joined to another. @param {number | null} from @param {[number, number]} at */
function add(from, at) {
  if (!graph) return;
  const node = graph.letters.length;
  const edges = from === null ? graph.edges : [...graph.edges, /** @type {Edge} */ ([from, node, graph.onEdges ? letter : ""])];
  chosen = null;
  change({ ...graph, edges, letters: [...graph.letters, graph.onEdges ? "" : letter] }, [...places, at]);
}

/** Takes what was chosen away. */
function remove() {
  if (!graph || !chosen) return;
  const { kind, index } = chosen;
  if (kind === "vertex" && (graph.onEdges ? index === 0 : graph.letters.length < 2)) return say(graph.onEdges ? "The ground stays." : "The last node stays.");
  chosen = null;
  const less = kind === "edge" ? { ...graph, edges: graph.edges.filter((_, other) => other !== index) } : graph;
  change(...kept(less, places, (node) => kind === "edge" || node !== index));
}

/** @param {string} sentence */
function say(sentence) {
  byId("graph-says").textContent = sentence;
}

/** @param {number} node */
const nameOf = (node) => (graph?.onEdges && node === 0 ? "the ground" : `node ${node}`);

/** Somebody has pointed at a node or an edge. @param {"vertex" | "edge"} kind @param {number} index */
function point(kind, index) {
  if (kind === "vertex" && chosen?.kind === "vertex" && chosen.index !== index) return join(chosen.index, index);
  chosen = chosen?.kind === kind && chosen.index === index ? null : { kind, index };
  paint();
}

/** Where an edge is drawn: those between the same nodes are bent apart. @param {Graph} of @param {number} index */
function path(of, index) {
  const [a, b] = of.edges[index] ?? [0, 0];
  const same = of.edges.flatMap(([x, y], other) => (Math.min(x, y) === Math.min(a, b) && Math.max(x, y) === Math.max(a, b) ? [other] : []));
  let bend = (same.indexOf(index) - (same.length - 1) / 2) * 36;
  if (a === b) return `M${40 + 44 * index} ${GROUND} c0 -50 36 -50 36 0`;
  let [[x, y], [u, v]] = /** @type {[[number, number], [number, number]]} */ ([places[a] ?? [0, 0], places[b] ?? [0, 0]]);
  // What stands on the ground stands upright.
  if (of.onEdges && a === 0) x = u;
  if (of.onEdges && b === 0) u = x;
  const long = Math.hypot(u - x, v - y) || 1;
  // An edge goes around nodes that it does not join.
  const isInTheWay = places.some(([p, q], node) => {
    const along = ((p - x) * (u - x) + (q - y) * (v - y)) / long;
    return node !== a && node !== b && !(of.onEdges && node === 0) && along > 0 && along < long && Math.abs((p - x) * (v - y) - (q - y) * (u - x)) / long < 16;
  });
  if (isInTheWay) bend += 90;
  return `M${x} ${y} Q${(x + u) / 2 + (v - y) / long * bend} ${(y + v) / 2 - (u - x) / long * bend} ${u} ${v}`;
}

/** @param {string} one */
const paintOf = (one) => ({ B: "left", x: "left", l: "left", R: "right", o: "right", r: "right", G: "both", "#": "hole", ".": "empty" }[one] ?? "both");

/** Draws the graph again. */
function paint() {
  const of = graph;
  if (!of) return;
  const svg = byId("graph");
  const active = document.activeElement;
  const had = active instanceof Element && svg.contains(active) ? active.getAttribute("data-key") : null;
  /** @param {"vertex" | "edge"} kind @param {number} index @param {string} name */
  const hit = (kind, index, name) => ({ role: "button", tabindex: 0, "aria-label": name, "aria-pressed": String(chosen?.kind === kind && chosen.index === index), [`data-${kind}`]: index, "data-key": `${kind}-${index}` });
  const edges = of.edges.map(([a, b, colour], index) => draw("g", hit("edge", index, `${colour ? `${meaning(colour)}, ` : ""}from ${nameOf(a)} to ${nameOf(b)}`), draw("path", { class: `edge ${of.onEdges ? paintOf(colour) : "wire"}`, d: path(of, index) }), draw("path", { class: "reach", d: path(of, index) })));
  const nodes = of.letters.map((one, node) => {
    const [x, y] = places[node] ?? [0, 0];
    const common = hit("vertex", node, `${nameOf(node)}${one ? `, ${meaning(one)}` : ""}`);
    if (of.onEdges && node === 0) return draw("g", common, draw("rect", { class: "vertex earth", x: 8, y: GROUND - 5, width: WIDTH - 16, height: 22, rx: 6 }));
    return draw("g", common, draw("circle", { class: `vertex piece ${of.onEdges ? "knotted" : paintOf(one)}`, cx: x, cy: y, r: of.onEdges ? 11 : 17 }), draw("circle", { class: "reach", cx: x, cy: y, r: 24 }));
  });
  const ground = of.onEdges ? nodes.splice(0, 1) : [];
  svg.replaceChildren(...ground, ...edges, ...nodes, draw("path", { id: "rubber", d: "" }));
  if (had) /** @type {SVGElement | null} */ (svg.querySelector(`[data-key="${had}"]`))?.focus();
  /** @type {HTMLButtonElement} */ (byId("graph-less")).disabled = !chosen;
  /** @type {HTMLButtonElement} */ (byId("graph-more")).disabled = of.onEdges && chosen?.kind !== "vertex";
  const chose = chosen?.kind === "vertex" ? `${nameOf(chosen.index)} is chosen: point at another to join ${of.onEdges ? "them" : "them, or to part them"}.` : chosen ? "An edge is chosen." : "";
  say(chose.charAt(0).toUpperCase() + chose.slice(1));
  for (const control of byId("graph-letters").children) control.setAttribute("aria-checked", String(control.getAttribute("data-letter") === letter));
}

/** What letters mean. @type {[string, string][]} */
let alphabet = [];
/** @param {string} one */
const meaning = (one) => alphabet.find(([other]) => other === one)?.[1] ?? one;

/** The letters to draw with; what is chosen gets the letter at once. */
function palette() {
  byId("graph-letters").replaceChildren(...alphabet.map(([one, text]) => {
    const control = make("button", { type: "button", role: "radio", "aria-checked": String(one === letter), "data-letter": one }, make("i", { class: `swatch ${paintOf(one)}`, "aria-hidden": "true" }), text);
    control.onclick = () => {
      letter = one;
      if (graph && chosen && (chosen.kind === "edge") === graph.onEdges && (chosen.kind === "edge" || !graph.onEdges)) {
        const { index } = chosen;
        if (graph.onEdges) change({ ...graph, edges: graph.edges.map((edge, other) => (other === index ? [edge[0], edge[1], one] : edge)) });
        else change({ ...graph, letters: graph.letters.map((old, other) => (other === index ? one : old)) });
      } else paint();
    };
    return control;
  }));
}

/** @param {(text: string) => void} bench puts a text on the bench */
export function start(bench) {
  put = bench;
  const svg = byId("graph");
  /** @param {PointerEvent} event @returns {[number, number]} */
  const place = (event) => {
    const box = svg.getBoundingClientRect();
    /** @param {number} at @param {number} most */
    const inside = (at, most) => Math.round(Math.min(most - 14, Math.max(14, at)));
    return [inside((event.clientX - box.left) * WIDTH / box.width, WIDTH), inside((event.clientY - box.top) * HEIGHT / box.height, graph?.onEdges ? GROUND - 6 : HEIGHT)];
  };
  /** @param {Event} event @param {"vertex" | "edge"} kind */
  const numberOf = (event, kind) => {
    const found = event.target instanceof Element ? event.target.closest(`[data-${kind}]`)?.getAttribute(`data-${kind}`) : null;
    return found === null || found === undefined ? null : Number(found);
  };
  /** Where the pointer went down. @type {{node: number | null, edge: number | null, x: number, y: number} | null} */
  let press = null;
  svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    press = { node: numberOf(event, "vertex"), edge: numberOf(event, "edge"), x: event.clientX, y: event.clientY };
    if (event.target instanceof Element && event.target.hasPointerCapture(event.pointerId)) event.target.releasePointerCapture(event.pointerId);
  });
  svg.addEventListener("pointermove", (event) => {
    if (!press || press.node === null) return;
    const [x, y] = place(event);
    const [u, v] = graph?.onEdges && press.node === 0 ? [x, GROUND] : places[press.node] ?? [x, y];
    byId("rubber").setAttribute("d", `M${u} ${v} L${x} ${y}`);
  });
  addEventListener("pointercancel", () => { press = null; });
  addEventListener("pointerup", (event) => {
    if (!press) return;
    const { node, edge, x, y } = press;
    press = null;
    byId("rubber").setAttribute("d", "");
    const under = document.elementFromPoint(event.clientX, event.clientY);
    if (!under || !svg.contains(under)) return;
    const end = under.closest("[data-vertex]")?.getAttribute("data-vertex");
    const moved = Math.hypot(event.clientX - x, event.clientY - y) > 8;
    if (node !== null && moved) {
      if (end === null || end === undefined) add(node, place(event));
      else join(node, Number(end));
    } else if (node !== null) point("vertex", node);
    else if (edge !== null) point("edge", edge);
    else if (!moved && graph && !graph.onEdges) add(null, place(event));
  });
  svg.addEventListener("keydown", (event) => {
    const [node, edge] = [numberOf(event, "vertex"), numberOf(event, "edge")];
    if (event.key === "Enter" || event.key === " ") {
      if (node !== null) point("vertex", node);
      else if (edge !== null) point("edge", edge);
    } else if (event.key === "Delete" || event.key === "Backspace") {
      chosen = node !== null ? { kind: "vertex", index: node } : edge !== null ? { kind: "edge", index: edge } : chosen;
      remove();
    } else if (event.key === "Escape" && chosen) {
      chosen = null;
      paint();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
  byId("graph-less").onclick = remove;
  byId("graph-more").onclick = () => {
    const from = chosen?.kind === "vertex" ? chosen.index : null;
    const [x, y] = from === null || (graph?.onEdges && from === 0) ? [ROOM + 73 * places.length % (WIDTH - 2 * ROOM), graph?.onEdges ? GROUND : ROOM] : places[from] ?? [0, 0];
    // A little to the side of the other, and above it.
    add(from, [Math.min(WIDTH - 20, x + (graph?.onEdges ? 20 : 46)), Math.max(20, y - 62)]);
    // Whoever builds one upon the other goes on from here.
    if (from !== null) point("vertex", places.length - 1);
  };
  byId("to-graph").onclick = () => put(FIRST_GRAPH);
}

/** @param {View} view */
export function update(view) {
  const next = graphOf(view);
  byId("graph-box").hidden = !next;
  byId("to-graph").hidden = next !== null || !ON_GRAPHS.includes(view.game.name);
  if (!next) {
    graph = null;
    return;
  }
  if (String(alphabet) !== String(view.game.alphabet)) {
    alphabet = view.game.alphabet;
    if (!alphabet.some(([one]) => one === letter)) letter = alphabet.find(([one]) => one === ".")?.[0] ?? alphabet[0]?.[0] ?? "";
    palette();
  }
  byId("graph-help").textContent = next.onEdges
    ? "Drag from the ground or a node to another, or to where a new one shall be. What no longer hangs on the ground falls away."
    : "Drag from node to node to join them, or to part them. Drag to an empty place, or click there, for a new node.";
  // What was drawn here stays where it was drawn.
  if (!graph || textOf(graph) !== textOf(next)) {
    [graph, places] = [next, placed(view, next)];
    chosen = null;
  }
  paint();
}
