// @ts-check
/** The board: drawn from the scene, and played on with gestures. */
import { byId, draw, make } from "./dom.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Item} Item */
/** @typedef {import("./types.js").Move} Move */
/** @typedef {import("./types.js").Shown} Shown */

/** Spots pointed at so far. @type {string[]} */
let gesture = [];
/** @type {View | null} */
let view = null;
/** @type {Map<string, SVGElement>} */
let hits = new Map();
/** The spot that has the keyboard. */
let focus = "";
let zoom = 1;
/** @type {{play: (text: string) => void, paint: ((spot: string) => void) | null, say: (text: string) => void}} */
let handlers = { play() {}, paint: null, say() {} };

/** @param {Partial<typeof handlers>} some */
export function handle(some) {
  handlers = { ...handlers, ...some };
  if (view) markTargets();
}

/** @param {number} factor 0 fits the board into its box */
export function setZoom(factor) {
  zoom = factor === 0 ? 1 : Math.min(6, Math.max(0.5, zoom * factor));
  fit();
}

const PIECES = {
  p: "M50 16a15 15 0 0 1 9 27c5 3 7 7 6 12h-7c1 9 5 15 12 20v9H30v-9c7-5 11-11 12-20h-7c-1-5 1-9 6-12a15 15 0 0 1 9-27z",
  k: "M47 10h6v8h8v6h-8v9c14-7 31-4 31 12 0 12-10 20-14 27v12H30V72c-4-7-14-15-14-27 0-16 17-19 31-12v-9h-8v-6h8z",
  q: "M20 26l15 22 5-30 10 28 10-28 5 30 15-22-8 46v12H28V72z",
};

/** The middle of a thing. @param {Item} item @returns {[number, number]} */
function middle(item) {
  const [x = 0, y = 0, u = 0, v = 0] = item.at;
  if (item.shape === "square") return [x + 50, y + 50];
  return item.shape === "disc" ? [x, y] : [(x + u) / 2, (y + v) / 2];
}

/** @param {View} next @param {Shown | undefined} shown @param {Move | null} hint */
export function drawBoard(next, shown, hint) {
  if (view?.position !== next.position || view.to_play !== next.to_play) gesture = [];
  const same = view && sameShape(view, next);
  view = next;
  const { scene } = next;
  const box = byId("board");
  const hadFocus = box.contains(document.activeElement);
  document.body.classList.toggle("black-white", scene.look === "lines");
  document.body.classList.toggle("white-black", scene.look === "checkered");
  const grid = scene.items.length > 0 && scene.items.every((item) => item.shape === "square");
  const margin = scene.look === "lines" ? 62 : grid ? 46 : scene.look === "ground" ? 70 : 26;
  const svg = draw("svg", {
    viewBox: `${-margin} ${-margin} ${scene.width + margin + (grid ? 16 : margin)} ${scene.height + margin + 16}`,
    role: "group", "aria-label": `${next.game.title}, ${sideName(next, next.to_play)} to play`,
  });
  svg.append(...background(next, margin));
  if (grid) svg.append(...coordinates(next, margin));
  const parts = shown?.parts ?? [];
  /** @type {Map<string, number>} */
  const partOf = new Map();
  parts.forEach((part, index) => part.cells.forEach((cell) => partOf.set(cell, index)));
  const layers = { cells: draw("g"), tints: draw("g"), things: draw("g"), names: draw("g"), hits: draw("g") };
  hits = new Map();
  for (const item of scene.items) {
    const part = partOf.get(item.spot);
    if (part !== undefined) layers.tints.append(tint(item, part));
    layers.cells.append(...cell(item, next));
    layers.things.append(...thing(item, next));
    if (part !== undefined && parts.length > 1 && parts[part]?.cells[0] === item.spot && !shown?.labels?.some((label) => label.spot === item.spot)) layers.names.append(partName(item, parts[part]?.name ?? ""));
    if (item.shape === "line" && item.letter === "-") continue;
    const hit = hitArea(item, next, part === undefined ? "" : `, part ${parts[part]?.name}`);
    if (part !== undefined) hit.dataset.part = String(part);
    hits.set(item.spot, hit);
    layers.hits.append(hit);
  }
  const marks = next.marks.flatMap(([spot, text]) => {
    const item = scene.items.find((other) => other.spot === spot);
    return item ? [draw("text", { class: "mark", x: middle(item)[0], y: middle(item)[1] }, text)] : [];
  });
  svg.append(layers.cells, ...dominoes(next), layers.tints, layers.things, layers.names, ...labels(next, shown), ...goodMoves(next, shown, hint), ...marks, layers.hits);
  if (!scene.items.length) svg.append(draw("text", { class: "coordinate", x: 0, y: 0 }, "nothing is left"));
  const scroll = [box.scrollLeft, box.scrollTop];
  box.replaceChildren(svg);
  fit();
  if (same) [box.scrollLeft, box.scrollTop] = /** @type {[number, number]} */ (scroll);
  if (!hits.has(focus)) focus = next.moves[0]?.gesture[0] ?? next.scene.items[0]?.spot ?? "";
  markTargets();
  if (hadFocus) hits.get(focus)?.focus();
}

/** Words for each player on the same square: those of Left above, those of Right below. @param {View} at @param {Shown | undefined} shown */
function labels(at, shown) {
  return (shown?.labels ?? []).flatMap(({ spot, text, player }) => {
    const item = at.scene.items.find((other) => other.spot === spot);
    if (!item) return [];
    const [x, y] = middle(item);
    const [dx, dy] = player === "Left" ? [-28, -26] : [28, 28];
    return [draw("circle", { class: `label ${player.toLowerCase()}`, cx: x + dx, cy: y + dy, r: 19 }), draw("text", { class: `label-text ${player.toLowerCase()}`, x: x + dx, y: y + dy }, text)];
  });
}

/**
 * The dominoes that were laid on the way to this position, where a board consists of nothing but free and taken cells. The
 * position itself does not know which two cells belong together.
 * @param {View} at
 */
function dominoes(at) {
  if (!at.game.alphabet.length || at.game.alphabet.some(([letter]) => letter !== "." && letter !== "#")) return [];
  const nodes = new Map(at.tree.map((node) => [node.id, node]));
  const taken = new Map(at.scene.items.filter((item) => item.paint === "hole").map((item) => [item.spot, item.at]));
  const drawn = [];
  // A position that was set up on the way says nothing about what lies on it.
  for (let node = nodes.get(at.at); node?.player && node.parent !== null; node = nodes.get(node.parent)) {
    const [a, b, ...more] = node.label.split("-").map((spot) => taken.get(spot));
    if (!a || !b || more.length) continue;
    const [x, y] = [Math.min(a[0] ?? 0, b[0] ?? 0), Math.min(a[1] ?? 0, b[1] ?? 0)];
    const [wide, high] = [Math.max(a[0] ?? 0, b[0] ?? 0) - x, Math.max(a[1] ?? 0, b[1] ?? 0) - y];
    if (wide + high !== 100) continue;
    const last = node.id === at.at ? " last" : "";
    drawn.push(draw("rect", { class: `domino ${node.player.toLowerCase()}${last}`, x: x + 8, y: y + 8, width: wide + 84, height: high + 84, rx: 18 }));
  }
  return drawn;
}

/** @param {View} a @param {View} b */
const sameShape = (a, b) => a.session === b.session && a.scene.width === b.scene.width && a.scene.height === b.scene.height;

/** Makes the picture as large as fits, or larger. */
export function fit() {
  const box = byId("board");
  const svg = box.querySelector("svg");
  if (!svg) return;
  const [, , width = 1, height = 1] = (svg.getAttribute("viewBox") ?? "").split(" ").map(Number);
  const room = box.clientWidth - 28;
  const high = getComputedStyle(box).maxHeight === "none" ? box.clientHeight - 28 : innerHeight * 0.6;
  const scale = Math.min(room / width, high / height, 0.85) * zoom;
  svg.setAttribute("width", String(Math.max(40, width * scale)));
  svg.setAttribute("height", String(Math.max(40, height * scale)));
}

/** @param {View} at @param {number} margin */
function background(at, margin) {
  const { look, width, height } = at.scene;
  if (look === "lines") return [draw("rect", { class: "wood", x: -margin / 4, y: -margin / 4, width: width + margin / 2, height: height + margin / 2, rx: 10 })];
  if (look === "ground") return [draw("line", { class: "ground", x1: -50, x2: width + 50, y1: height + 4, y2: height + 4 })];
  return [];
}

/** Players of chess and Go count rows from below, and players of Go leave out one letter. @param {View} at @param {string} letters @param {string} number @returns {[string, string]} */
function named(at, letters, number) {
  const { look, height } = at.scene;
  if (look !== "checkered" && look !== "lines") return [letters, number];
  const column = look === "lines" ? "ABCDEFGHJKLMNOPQRSTUVWXYZ"[letters.charCodeAt(0) - 97] ?? letters : letters;
  return [column, String(height / 100 - Number(number) + 1)];
}

/** What players call a spot. @param {View} at @param {string} spot */
export function nameOf(at, spot) {
  const [, letters, number] = /^([a-z]+)(\d+)$/.exec(spot) ?? [];
  return letters && number ? named(at, letters, number).join("") : spot;
}

/** What players are called: in chess White is Left, in Go Black is. @param {View} at @param {import("./types.js").Side} side */
export function sideName(at, side) {
  const colours = { checkered: ["White", "Black"], lines: ["Black", "White"] }[/** @type {"lines"} */ (at.scene.look)] ?? ["Left", "Right"];
  return colours[side === "Left" ? 0 : 1] ?? side;
}

/** @param {View} at @param {number} margin */
function coordinates(at, margin) {
  const texts = [];
  const { items } = at.scene;
  const [columns, rows] = [new Set(), new Set()];
  for (const item of items) {
    const [, letters = "", number = ""] = /^([a-z]+)(\d+)$/.exec(item.spot) ?? [];
    const [x = 0, y = 0] = item.at;
    const [column, row] = named(at, letters, number);
    if (!columns.has(letters)) texts.push(draw("text", { class: "coordinate", x: x + 50, y: -margin / 2 }, column));
    if (!rows.has(number)) texts.push(draw("text", { class: "coordinate", x: -margin / 2, y: y + 50 }, row));
    columns.add(letters);
    rows.add(number);
  }
  return texts;
}

/** What lies under a piece. @param {Item} item @param {View} at */
function cell(item, at) {
  const [x = 0, y = 0] = item.at;
  if (item.shape !== "square") return [];
  if (at.scene.look === "lines") return wires(item, at);
  if (at.scene.look === "checkered") return [draw("rect", { class: `cell ${(x + y) / 100 % 2 ? "dark" : "light"}`, x, y, width: 100, height: 100 })];
  // Tiles stand on the table, not in cells.
  if (at.scene.look === "tiles") return [draw("line", { class: "shelf", x1: x, x2: x + 100, y1: y + 95, y2: y + 95 })];
  return [draw("rect", { class: `cell ${item.paint}`, x: x + 1, y: y + 1, width: 98, height: 98, rx: item.paint === "hole" ? 0 : 8 })];
}

/** @param {Item} item @param {View} at */
function thing(item, at) {
  const [x = 0, y = 0, u = 0, v = 0] = item.at;
  const { look } = at.scene;
  if (item.shape === "line") {
    const kind = item.letter === "-" ? "wire" : item.paint;
    const line = draw("line", { class: `edge ${kind}`, x1: x, y1: y, x2: u, y2: v });
    return kind === "wire" ? [line] : [line, draw("circle", { class: "knot", cx: x, cy: y, r: 9 }), draw("circle", { class: "knot", cx: u, cy: v, r: 9 })];
  }
  if (item.shape === "disc") return [draw("circle", { class: `piece token ${item.paint}`, cx: x, cy: y, r: 38 }), ...glyph(item, x, y)];
  if (item.paint === "empty" || item.paint === "hole") return [];
  const shape = PIECES[/** @type {"p"} */ (item.letter.toLowerCase())];
  if (look === "checkered" && shape) return [draw("path", { class: `piece ${item.paint}`, d: shape, transform: `translate(${x} ${y})` })];
  if (look === "tiles") return [draw("rect", { class: `piece ${item.paint}`, x: x + 30, y: y + 8, width: 40, height: 84, rx: 8 })];
  return [draw("circle", { class: `piece ${item.paint}`, cx: x + 50, cy: y + 50, r: look === "lines" ? 46 : 37 }), ...glyph(item, x + 50, y + 50)];
}

/** Letters that are not just somebody's stone are written on it. @param {Item} item @param {number} x @param {number} y */
function glyph(item, x, y) {
  return item.paint === "both" && !"*#".includes(item.letter) ? [draw("text", { class: "glyph", x, y }, item.letter)] : [];
}

/** The lines through a point, which end at the edges. @param {Item} item @param {View} at */
function wires(item, at) {
  const [x = 0, y = 0] = item.at;
  const { width, height } = at.scene;
  return [
    draw("line", { class: "wire", x1: x === 0 ? 50 : x, x2: x + 100 === width ? x + 50 : x + 100, y1: y + 50, y2: y + 50 }),
    draw("line", { class: "wire", y1: y === 0 ? 50 : y, y2: y + 100 === height ? y + 50 : y + 100, x1: x + 50, x2: x + 50 }),
  ];
}

/** @param {Item} item @param {number} part */
function tint(item, part) {
  const colour = `var(--p${part % 8})`;
  const [x = 0, y = 0, u = 0, v = 0] = item.at;
  if (item.shape === "line") return draw("line", { class: "tint-line", stroke: colour, x1: x, y1: y, x2: u, y2: v, "data-part": part });
  const [left, top] = item.shape === "square" ? [x, y] : [x - 50, y - 50];
  return draw("rect", { class: "tint", fill: colour, x: left, y: top, width: 100, height: 100, "data-part": part });
}

/** @param {Item} item @param {string} name */
function partName(item, name) {
  const [x, y] = middle(item);
  return draw("text", { class: "part-name", x: x - 45, y: y - 24 }, name);
}

/** @param {View} at @param {Shown | undefined} shown @param {Move | null} hint */
function goodMoves(at, shown, hint) {
  const moves = shown ? shown.moves[at.to_play === "Left" ? 0 : 1] : [];
  /** @param {{gesture: string[]}} move @param {string} kind */
  const one = (move, kind) => {
    const places = move.gesture.flatMap((spot) => at.scene.items.filter((item) => item.spot === spot).map(middle));
    const [first] = places;
    if (!first) return [];
    // A little shorter, so that one move does not run into the next.
    const last = places[places.length - 1] ?? first;
    const before = places[places.length - 2];
    const long = before ? Math.hypot(last[0] - before[0], last[1] - before[1]) || 1 : 1;
    if (before) places[places.length - 1] = [last[0] - (last[0] - before[0]) / long * 26, last[1] - (last[1] - before[1]) / long * 26];
    const path = places.map(([x, y]) => `${x},${y}`).join(" ");
    return [draw("polyline", { class: `win ${kind}`, points: path }), draw("circle", { class: `win-dot ${kind}`, cx: first[0], cy: first[1], r: 11 })];
  };
  return [...moves.slice(0, 60).flatMap((move) => one(move, "")), ...(hint ? one(hint, "hint") : [])];
}

/** @param {Item} item @param {View} at @param {string} part */
function hitArea(item, at, part) {
  const names = { empty: "empty", hole: "gone", left: "Left", right: "Right", both: "anyone's" };
  const meaning = at.game.alphabet.find(([letter]) => letter === item.letter)?.[1] ?? names[item.paint];
  const common = { class: "hit", role: "button", tabindex: -1, "data-spot": item.spot, "aria-label": `${nameOf(at, item.spot)}, ${meaning}${part}` };
  const [x = 0, y = 0, u = 0, v = 0] = item.at;
  if (item.shape === "line") {
    // A line has no inside, so it gets a box around it.
    const long = Math.hypot(u - x, v - y) || 1;
    const [dx, dy] = [(v - y) / long * 20, (x - u) / long * 20];
    return draw("polygon", { ...common, points: `${x + dx},${y + dy} ${u + dx},${v + dy} ${u - dx},${v - dy} ${x - dx},${y - dy}` });
  }
  if (item.shape === "disc") return draw("circle", { ...common, cx: x, cy: y, r: 48 });
  return draw("rect", { ...common, x: x + 3, y: y + 3, width: 94, height: 94, rx: 8 });
}

/** The moves that go on from what was pointed at. */
function candidates() {
  return view?.moves.filter((move) => gesture.every((spot, i) => move.gesture[i] === spot)) ?? [];
}

/** Moves that one click on a spot would make or go on with. @param {string} spot @returns {Move[]} */
function movesAt(spot) {
  const next = candidates().filter((move) => move.gesture[gesture.length] === spot);
  if (next.length || gesture.length) return next;
  // A domino may be pointed at by either end.
  const within = candidates().filter((move) => move.gesture.includes(spot) && isOpen(move.gesture[0] ?? ""));
  return within.length === 1 ? within : [];
}

/** Whether nothing of either player stands there, so that no piece is picked up. @param {string} spot */
function isOpen(spot) {
  const item = view?.scene.items.find((other) => other.spot === spot);
  return item !== undefined && item.paint !== "left" && item.paint !== "right";
}

function markTargets() {
  for (const [spot, hit] of hits) {
    const hot = handlers.paint !== null || movesAt(spot).length > 0;
    hit.classList.toggle("hot", hot);
    hit.classList.toggle("target", gesture.length > 0 && hot && !handlers.paint);
    hit.classList.toggle("chosen", gesture.includes(spot));
    hit.setAttribute("tabindex", spot === focus ? "0" : "-1");
    hit.setAttribute("aria-disabled", String(!hot));
  }
}

/** @param {string} spot */
function preview(spot) {
  for (const hit of hits.values()) hit.classList.remove("preview");
  if (handlers.paint) return;
  const moves = movesAt(spot);
  // Too many at once would say nothing.
  if (moves.length === 1) for (const other of moves[0]?.gesture ?? []) hits.get(other)?.classList.add("preview");
}

/** @param {string} spot */
function point(spot) {
  if (handlers.paint) return handlers.paint(spot);
  const moves = movesAt(spot);
  const [first] = moves;
  if (!first) {
    if (gesture.length) handlers.say("That is no move. Start again.");
    gesture = [];
    return markTargets();
  }
  const done = moves.find((move) => move.gesture.length === gesture.length + 1);
  const sure = moves.length === 1 && (gesture.length > 0 || isOpen(first.gesture[0] ?? ""));
  if (done && moves.length === 1) return finish(done);
  if (sure) return finish(first);
  gesture = [...gesture, spot];
  handlers.say(`${gesture.map((one) => (view ? nameOf(view, one) : one)).join("-")}: where to?`);
  markTargets();
}

/** @param {Move} move */
function finish(move) {
  gesture = [];
  handlers.play(move.text);
}

/** The next thing in a direction. @param {string} from @param {number} dx @param {number} dy */
function neighbour(from, dx, dy) {
  const items = view?.scene.items.filter((item) => hits.has(item.spot)) ?? [];
  const here = items.find((item) => item.spot === from);
  if (!here) return items[0]?.spot ?? "";
  const [x, y] = middle(here);
  let best = from;
  let least = Infinity;
  for (const item of items) {
    const [u, v] = middle(item);
    const along = (u - x) * dx + (v - y) * dy;
    const across = Math.abs((u - x) * dy) + Math.abs((v - y) * dx);
    if (along > 0 && across <= along * 2 && along + 3 * across < least) [best, least] = [item.spot, along + 3 * across];
  }
  return best;
}

/** Lets the board listen. @param {(spot: string | null) => void} hovered */
export function start(hovered) {
  const box = byId("board");
  /** @param {Event} event */
  const spotOf = (event) => (event.target instanceof Element ? event.target.getAttribute("data-spot") : null);
  box.addEventListener("click", (event) => {
    const spot = spotOf(event);
    if (spot === null) return;
    focus = spot;
    point(spot);
  });
  box.addEventListener("pointerover", (event) => {
    const spot = spotOf(event);
    if (spot !== null) preview(spot);
    hovered(spot);
  });
  box.addEventListener("pointerleave", () => {
    preview("");
    hovered(null);
  });
  box.addEventListener("focusin", (event) => {
    const spot = spotOf(event);
    if (spot === null) return;
    preview(spot);
    hovered(spot);
  });
  box.addEventListener("keydown", (event) => {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const step = steps[/** @type {"ArrowUp"} */ (event.key)];
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (step) {
      focus = neighbour(focus, step[0] ?? 0, step[1] ?? 0);
      markTargets();
      hits.get(focus)?.focus();
    } else if (event.key === "Enter" || event.key === " ") {
      point(focus);
    } else if (event.key === "Escape") {
      gesture = [];
      markTargets();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
  new ResizeObserver(() => fit()).observe(box);
}

/** Shows which part is meant. @param {number | null} part */
export function stress(part) {
  for (const tint of byId("board").querySelectorAll("[data-part]")) tint.classList.toggle("strong", part !== null && tint.getAttribute("data-part") === String(part));
}

/** The part that a spot belongs to. @param {string} spot @returns {number | null} */
export function partAt(spot) {
  const part = hits.get(spot)?.dataset.part;
  return part === undefined ? null : Number(part);
}

/** A little picture of a letter, for the palette. @param {string} letter @param {View} at */
export function sample(letter, at) {
  const like = at.scene.items.find((item) => item.letter === letter);
  const upper = letter !== letter.toLowerCase();
  const paint = like?.paint ?? (letter === "." ? "empty" : letter === "#" ? "hole" : "xXtlB".includes(letter) || (at.scene.look === "checkered" && upper) ? "left" : "oOfrR".includes(letter) || at.scene.look === "checkered" ? "right" : "both");
  /** @type {Item} */
  const item = { spot: "", shape: "square", at: [0, 0], letter, paint };
  const small = { ...at, scene: { ...at.scene, width: 100, height: 100 } };
  return make("span", { "aria-hidden": "true" }, draw("svg", { viewBox: "0 0 100 100", width: 26, height: 26 }, ...cell(item, small), ...thing(item, small)));
}
