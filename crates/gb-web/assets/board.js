// @ts-check
/** The board: drawn from the scene, and played on with gestures. */
import { byId, draw, make } from "./dom.js";
import { along, band, path, spread } from "./edges.js";
import { isCheckered, kind, piece } from "./pieces.js";
import * as sketch from "./sketch.js";

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
/** Whether the board is seen from the other side. */
let flipped = false;
/** The last click made a move: a second one at once is a double click, and makes none. */
let played = 0;
/** @type {{play: (text: string) => void, paint: ((spots: string[]) => void) | null, say: (text: string) => void}} */
let handlers = { play() {}, paint: null, say() {} };
/** What was shown last, to draw it again. @type {[View, Shown | undefined, Move | null, Note[]] | null} */
let drawn = null;
/** A word on a move of the board. @typedef {{gesture: string[], text: string, wins: boolean}} Note */

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

/** Only the best few are marked; the others are shown when their rows are pointed at. */
const MARKED = 4;

/** Looks at the board from the other side. */
export function flip() {
  flipped = !flipped;
  if (drawn) drawBoard(...drawn);
}

/** The same scene seen from the other side. What stands on the ground, or on other things, is only seen from behind. @param {View} at @returns {View} */
function turned(at) {
  const { scene } = at;
  const { width, height } = scene;
  const upright = scene.look === "ground" || scene.look === "tiles" || scene.items.some((item) => item.shape === "disc" && /^[a-z]/.test(item.spot));
  /** @param {Item} item */
  const place = (item) => {
    const [x = 0, y = 0, u = 0, v = 0] = item.at;
    const [a, b] = item.shape === "square" ? [width - 100, height - 100] : [width, height];
    /** @param {number} from */
    const down = (from) => (upright ? from : b - from);
    return { ...item, at: item.shape === "line" ? [a - x, down(y), a - u, down(v)] : [a - x, down(y)] };
  };
  return { ...at, scene: { ...scene, items: scene.items.map(place) } };
}

/** The summand of a sum that something on the board belongs to. @param {View} at @param {Item} item */
function summandOf(at, item) {
  const index = at.summands?.findLastIndex((one) => (item.at[0] ?? 0) >= one.x) ?? -1;
  return { index, summand: index < 0 ? undefined : at.summands?.[index] };
}

/** The middle of a thing. @param {Item} item @returns {[number, number]} */
function middle(item) {
  const [x = 0, y = 0] = item.at;
  if (item.shape === "square") return [x + 50, y + 50];
  return item.shape === "disc" ? [x, y] : along(item, 0.5);
}

/** @param {View} next @param {Shown | undefined} shown @param {Move | null} hint @param {Note[]} [notes] */
export function drawBoard(next, shown, hint, notes = []) {
  if (view?.position !== next.position || view.to_play !== next.to_play) gesture = [];
  drawn = [next, shown, hint, notes];
  const same = view && sameShape(view, next);
  const inSum = next.summands !== undefined;
  next = flipped && !inSum ? turned(next) : next;
  view = next;
  const { scene } = next;
  const box = byId("board");
  // Whoever clicks has the keyboard for the tree of moves; whoever came with the keyboard keeps it on the board.
  const hadFocus = document.activeElement !== box && box.contains(document.activeElement);
  document.body.classList.toggle("black-white", scene.look === "lines");
  document.body.classList.toggle("white-black", scene.look === "checkered");
  const grid = scene.items.length > 0 && (inSum || scene.items.every((item) => item.shape === "square"));
  const size = letterSize(next);
  const margin = (scene.look === "lines" ? 38 : inSum ? 34 : grid ? 22 : scene.look === "ground" ? 46 : 2) + size;
  // The name of the last summand may be wider than its board.
  const ends = Math.max(0, ...(next.summands ?? []).map((one) => one.x + Math.max(one.width, 200) + 30));
  const [below, beside] = inSum ? [110, Math.max(60, ends - scene.width)] : [16, grid ? 16 : margin];
  const svg = draw("svg", {
    viewBox: `${-margin} ${-margin} ${scene.width + margin + beside} ${scene.height + margin + below}`,
    role: "group", "aria-label": `${next.game.title}, ${sideName(next, next.to_play)} to play`,
  });
  svg.append(...background(next, margin));
  if (grid) svg.append(...coordinates(next, margin, size));
  const parts = shown?.parts ?? [];
  /** @type {Map<string, number>} */
  const partOf = new Map();
  parts.forEach((part, index) => part.cells.forEach((cell) => partOf.set(cell, index)));
  spread(scene.items);
  const layers = { cells: draw("g"), last: draw("g"), tints: draw("g"), things: draw("g"), names: draw("g"), over: draw("g", { id: "pointed" }), sketch: draw("g", { id: "sketch" }), hits: draw("g") };
  const last = new Set(next.last);
  hits = new Map();
  for (const item of scene.items) {
    const part = partOf.get(item.spot);
    if (part !== undefined) layers.tints.append(tint(item, part));
    layers.cells.append(...cell(item, next));
    if (last.has(item.spot)) layers.last.append(lastMark(item));
    const things = thing(item, next);
    if (things.length) layers.things.append(draw("g", { "data-thing": item.spot }, ...things));
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
  svg.append(layers.cells, ...dominoes(next), layers.last, layers.tints, layers.things, ...captions(next), layers.names, ...labels(next, shown), ...(notes.length ? [] : goodMoves(next, shown, hint)), ...written(next, notes), ...marks, layers.over, layers.sketch, layers.hits);
  if (!scene.items.length) svg.append(draw("text", { class: "coordinate", "font-size": 24, x: 0, y: 0 }, "nothing is left"));
  const scroll = [box.scrollLeft, box.scrollTop];
  box.replaceChildren(svg);
  drawSketch();
  fit();
  if (same) [box.scrollLeft, box.scrollTop] = /** @type {[number, number]} */ (scroll);
  if (!hits.has(focus)) focus = next.moves[0]?.gesture[0] ?? next.scene.items[0]?.spot ?? "";
  markTargets();
  if (hadFocus) hits.get(focus)?.focus();
}

/** Letters and numbers beside the board: larger on larger boards, which are drawn smaller. @param {View} at */
export function letterSize(at) {
  return at.summands ? 28 : Math.min(64, Math.max(24, 3 * Math.max(at.scene.width, at.scene.height) / 100));
}

/** Where the last move was made. @param {Item} item */
function lastMark(item) {
  const [x = 0, y = 0] = item.at;
  if (item.shape === "square") return draw("rect", { class: "last-move", x: x + 3, y: y + 3, width: 94, height: 94, rx: 8 });
  return item.shape === "disc" ? draw("circle", { class: "last-move", cx: x, cy: y, r: 47 }) : draw("path", { class: "last-move", d: path(item) });
}

/** Names of the summands, and the values among them. @param {View} at */
export function captions(at) {
  return (at.summands ?? []).flatMap((summand, index) => {
    const middle = summand.x + Math.max(summand.width, 200) / 2;
    const plus = index ? [draw("text", { class: "plus", x: summand.x - 118, y: Math.max(50, at.scene.height / 2) }, "+")] : [];
    const named = draw("text", { class: "caption", x: middle, y: at.scene.height + 52, "data-summand": index }, `${index + 1}  ${summand.title || "value"}`);
    if (summand.game) return [...plus, named];
    const texts = [[summand.text], ...summand.options].flatMap((list, row) => list.slice(0, 8).map((text, column) => draw("text", {
      class: row ? "option-text" : "value-text", x: summand.x + 100 * column + 50, y: 100 * row + 50, "font-size": Math.max(13, Math.min(34, 150 / text.length)),
    }, text.length > 11 ? `${typed(text).slice(0, 10)}…` : typed(text))));
    return [...plus, named, ...texts];
  });
}

/** A value as it is typed, for the eye; names such as `Tiny` stay. @param {string} text */
const typed = (text) => (/[a-uw-z]/i.test(text) ? text : text.replaceAll("+-", "±").replaceAll("^", "↑").replaceAll("v", "↓").replaceAll("*", "∗").replaceAll("-", "−"));

/** Words beside moves. @param {View} at @param {Note[]} notes */
function written(at, notes) {
  /** Two moves that end at one place would write over each other. @type {Set<string>} */
  const taken = new Set();
  return notes.flatMap(({ gesture, text, wins }) => {
    const places = gesture.flatMap((spot) => at.scene.items.filter((item) => item.spot === spot).map(middle));
    const [first, last] = [places[0], places[places.length - 1]];
    if (!first || !last) return [];
    const open = isOpen(gesture[0] ?? "");
    const [x, y] = open ? [(first[0] + last[0]) / 2, (first[1] + last[1]) / 2] : [first[0] + (last[0] - first[0]) * 0.7, first[1] + (last[1] - first[1]) * 0.7];
    const name = `${Math.round(x / 20)} ${Math.round(y / 20)}`;
    if (taken.has(name)) return [];
    taken.add(name);
    const short = text.length > 9 ? `${text.slice(0, 8)}…` : text;
    const wide = 11 * short.length + 16;
    return [draw("rect", { class: `note-box${wins ? " wins" : ""}`, x: x - wide / 2, y: y - 17, width: wide, height: 34, rx: 9 }), draw("text", { class: "note-text", x, y }, short)];
  });
}

/** Shows a move on the board while its row is pointed at. @param {string[] | null} gesture */
export function showMove(gesture) {
  const layer = document.getElementById("pointed");
  if (!layer || !view) return;
  layer.replaceChildren(...(gesture ? arrow(view, gesture, "pointed") : []));
}

/** Draws what was drawn with the right button. */
function drawSketch() {
  const layer = document.getElementById("sketch");
  const at = view;
  if (!layer || !at) return;
  layer.replaceChildren(...sketch.strokes(at).flatMap(({ from, to, colour }) => {
    const item = at.scene.items.find((other) => other.spot === from);
    if (!item) return [];
    if (from === to) return [draw("circle", { class: `ring ${colour}`, cx: middle(item)[0], cy: middle(item)[1], r: 44 })];
    return arrow(at, [from, to], `sketched ${colour}`, true);
  }));
}

/** Wipes drawings away, and lets go of what is held. */
export function letGo() {
  gesture = [];
  if (view && sketch.wipe(view)) drawSketch();
  markTargets();
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
export function background(at, margin) {
  const { look, width, height } = at.scene;
  if (look === "lines") return [...[draw("rect", { class: "wood", x: -margin / 4, y: -margin / 4, width: width + margin / 2, height: height + margin / 2, rx: 10 })], ...stars(width / 100, height / 100)];
  if (look === "ground") return [draw("line", { class: "ground", x1: -50, x2: width + 50, y1: height + 4, y2: height + 4 })];
  return [];
}

/** The points that players of Go find their way by. @param {number} columns @param {number} rows */
function stars(columns, rows) {
  /** @param {number} size @returns {number[]} */
  const lines = (size) => (size < 7 ? [] : size < 12 ? [2, (size - 1) / 2, size - 3] : [3, (size - 1) / 2, size - 4]).filter(Number.isInteger);
  return lines(columns).flatMap((column) => lines(rows).map((row) => draw("circle", { class: "star", cx: 100 * column + 50, cy: 100 * row + 50, r: 11 })));
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
  if (at.summands) return nameInSum(at, spot);
  const [, letters, number] = /^([a-z]+)(\d+)$/.exec(spot) ?? [];
  return letters && number ? named(at, letters, number).join("") : spot;
}

/** The number of the summand, and what the spot is called there. @param {View} at @param {string} spot */
function nameInSum(at, spot) {
  const item = at.scene.items.find((other) => other.spot === spot);
  const { index, summand } = item ? summandOf(at, item) : { index: -1, summand: undefined };
  if (!summand) return spot;
  const [, letters, number] = /^([a-z]+)(\d+)$/.exec(spot) ?? [];
  if (!summand.game) return `${index + 1}:${item?.letter === "=" && item.paint === "both" ? summand.text : "option"}`;
  return `${index + 1}:${letters && number && item?.shape !== "line" ? `${columnName(columnOf(letters) - summand.column)}${number}` : spot}`;
}

/** `a` is 0, `z` is 25, `aa` is 26. @param {string} letters */
const columnOf = (letters) => [...letters].reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 96, 0) - 1;
/** @param {number} column @returns {string} */
const columnName = (column) => (column < 26 ? String.fromCharCode(97 + column) : columnName(Math.floor(column / 26) - 1) + columnName(column % 26));

/** What players are called: in chess White is Left, in Go Black is. @param {View} at @param {import("./types.js").Side} side */
export function sideName(at, side) {
  const colours = { checkered: ["White", "Black"], lines: ["Black", "White"] }[/** @type {"lines"} */ (at.scene.look)] ?? ["Left", "Right"];
  return colours[side === "Left" ? 0 : 1] ?? side;
}

/** @param {View} at @param {number} margin @param {number} size */
export function coordinates(at, margin, size) {
  const texts = [];
  const seen = new Set();
  for (const item of at.scene.items) {
    const [, letters = "", number = ""] = /^([a-z]+)(\d+)$/.exec(item.spot) ?? [];
    if (item.shape !== "square" || !letters) continue;
    const { index, summand } = summandOf(at, item);
    const [x = 0, y = 0] = item.at;
    const [column, row] = summand ? [columnName(columnOf(letters) - summand.column), number] : named(at, letters, number);
    const common = { class: "coordinate", "font-size": size };
    if (!seen.has(letters)) texts.push(draw("text", { ...common, x: x + 50, y: -margin / 2 }, column));
    if (!seen.has(`${index} ${number}`)) texts.push(draw("text", { ...common, x: (summand?.x ?? 0) - margin / 2, y: y + 50 }, row));
    seen.add(letters).add(`${index} ${number}`);
  }
  return texts;
}

/** What lies under a piece. @param {Item} item @param {View} at */
export function cell(item, at) {
  const [x = 0, y = 0] = item.at;
  if (item.shape !== "square") return [];
  if (at.scene.look === "lines") return wires(item, at);
  const socket = kind(gameOf(at, item), item.letter) === "socket" ? [draw("circle", { class: "socket", cx: x + 50, cy: y + 50, r: 12 })] : [];
  if (at.scene.look === "checkered") return [draw("rect", { class: `cell ${(x + y) / 100 % 2 ? "dark" : "light"}`, x, y, width: 100, height: 100 })];
  // Tiles stand on the table, not in cells.
  if (at.scene.look === "tiles") return [draw("line", { class: "shelf", x1: x, x2: x + 100, y1: y + 95, y2: y + 95 })];
  if (item.letter === "=") return [draw("rect", { class: `cell term ${item.paint}`, x: x + 4, y: y + 14, width: 92, height: 72, rx: 12 })];
  const odd = isCheckered(at.game) && (x + y) / 100 % 2 ? " odd" : "";
  return [draw("rect", { class: `cell ${item.paint}${odd}`, x: x + 1, y: y + 1, width: 98, height: 98, rx: item.paint === "hole" ? 0 : 8 }), ...socket];
}

/** What the letters of a thing mean: in a sum, each summand has its own. @param {View} at @param {Item} item */
function gameOf(at, item) {
  if (!at.summands) return at.game;
  const name = summandOf(at, item).summand?.game;
  return { ...at.game, alphabet: games.find((game) => game.name === name)?.alphabet ?? [] };
}

/** All games, for sums of them. @type {import("./types.js").Game[]} */
let games = [];
/** @param {import("./types.js").Game[]} all */
export function knowGames(all) {
  games = all;
  if (drawn?.[0].summands) drawBoard(...drawn);
}

/** @param {Item} item @param {View} at */
export function thing(item, at) {
  const [x = 0, y = 0, u = 0, v = 0] = item.at;
  const look = summandOf(at, item).summand?.look ?? at.scene.look;
  if (item.letter === "=") return [];
  if (item.shape === "line") {
    const kind = item.letter === "-" ? "wire" : item.paint;
    const line = draw("path", { class: `edge ${kind}`, d: path(item) });
    return kind === "wire" ? [line] : [line, draw("circle", { class: "knot", cx: x, cy: y, r: 9 }), draw("circle", { class: "knot", cx: u, cy: v, r: 9 })];
  }
  if (item.shape === "disc") return [draw("circle", { class: `piece token ${item.paint}`, cx: x, cy: y, r: 38 }), ...glyph(item, x, y)];
  if (item.paint === "empty" || item.paint === "hole") return [];
  const shape = piece(kind(gameOf(at, item), item.letter), item);
  if (shape) return shape;
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
  const [x = 0, y = 0] = item.at;
  if (item.shape === "line") return draw("path", { class: "tint-line", stroke: colour, d: path(item), "data-part": part });
  const [left, top] = item.shape === "square" ? [x, y] : [x - 50, y - 50];
  return draw("rect", { class: "tint", fill: colour, x: left, y: top, width: 100, height: 100, "data-part": part });
}

/** @param {Item} item @param {string} name */
function partName(item, name) {
  const [x, y] = middle(item);
  return draw("text", { class: "part-name", x: x - 45, y: y - 24 }, name);
}

/** The best moves, the estimate of the strongest player, and a hint. @param {View} at @param {Shown | undefined} shown @param {Move | null} hint */
function goodMoves(at, shown, hint) {
  const moves = shown ? shown.moves[at.to_play === "Left" ? 0 : 1] : [];
  const guess = shown?.estimate && shown.estimate.to_play === at.to_play && !moves.length ? shown.estimate.gesture : null;
  return [...moves.slice(0, MARKED).flatMap((move) => arrow(at, move.gesture, "win")), ...(guess ? arrow(at, guess, "win guess") : []), ...(hint ? arrow(at, hint.gesture, "win hint") : [])];
}

/**
 * A line through the spots of a move; where a piece walks, with a head.
 * @param {View} at @param {string[]} spots @param {string} kind @param {boolean} [always] whether it has a head in any case
 */
function arrow(at, spots, kind, always = false) {
  // A dot on the option of a value must not hide what it is.
  const places = spots.flatMap((spot) => at.scene.items.filter((item) => item.spot === spot).map((item) => (item.letter === "=" ? /** @type {[number, number]} */ ([(item.at[0] ?? 0) + 12, (item.at[1] ?? 0) + 22]) : middle(item))));
  const [first] = places;
  if (!first) return [];
  const last = places[places.length - 1] ?? first;
  const before = places[places.length - 2];
  const long = before ? Math.hypot(last[0] - before[0], last[1] - before[1]) || 1 : 1;
  const head = before && (always || !isOpen(spots[0] ?? ""));
  const [dx, dy] = before ? [(last[0] - before[0]) / long, (last[1] - before[1]) / long] : [0, 0];
  // A little shorter, so that one move does not run into the next.
  const end = head ? 34 : 26;
  if (before) places[places.length - 1] = [last[0] - dx * end, last[1] - dy * end];
  const path = places.map(([x, y]) => `${x},${y}`).join(" ");
  /** @param {number} along @param {number} across */
  const corner = (along, across) => `${last[0] - dx * along - dy * across},${last[1] - dy * along + dx * across}`;
  const name = kind.split(" ")[0];
  return [
    draw("polyline", { class: kind, points: path }),
    ...(head ? [draw("polygon", { class: `${name}-head ${kind}`, points: `${corner(6, 0)} ${corner(40, 17)} ${corner(40, -17)}` })] : []),
    draw("circle", { class: `${name}-dot ${kind}`, cx: first[0], cy: first[1], r: 11 }),
  ];
}

/** @param {Item} item @param {View} at @param {string} part */
function hitArea(item, at, part) {
  const names = { empty: "empty", hole: "gone", left: "Left", right: "Right", both: "anyone's" };
  const meaning = at.game.alphabet.find(([letter]) => letter === item.letter)?.[1] ?? names[item.paint];
  const common = { class: "hit", role: "button", tabindex: -1, "data-spot": item.spot, "aria-label": `${nameOf(at, item.spot)}, ${meaning}${part}` };
  const [x = 0, y = 0] = item.at;
  if (item.shape === "line") return draw("polygon", { ...common, points: band(item) });
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
    // What is dragged is not what scrolls the page.
    hit.classList.toggle("grip", handlers.paint !== null || (hot && !gesture.length && !isOpen(spot)));
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
  if (handlers.paint) return handlers.paint([spot]);
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
  played = performance.now();
  handlers.play(move.text);
}

/** Somebody has dragged from one spot to another. @param {string} from @param {string} to */
function drop(from, to) {
  const moves = view?.moves.filter((move) => move.gesture.includes(from) && move.gesture.includes(to)) ?? [];
  const onward = moves.some((move) => move.gesture[0] === from && move.gesture[1] === to);
  gesture = onward ? [from] : [];
  if (onward) return point(to);
  const whole = moves.filter((move) => move.gesture.length === 2 && isOpen(from));
  if (whole[0] && whole.length === 1) return finish(whole[0]);
  handlers.say("That is no move.");
  markTargets();
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
  /** @param {PointerEvent} event */
  const under = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest("#board [data-spot]")?.getAttribute("data-spot") ?? null;
  /** What the button went down on. @type {{spot: string, x: number, y: number, thing: Element | null, drags: boolean, painted: string[] | null, right: boolean} | null} */
  let press = null;
  box.addEventListener("pointerdown", (event) => {
    const spot = spotOf(event);
    if (spot === null || event.button === 1) return;
    const painted = handlers.paint && event.button === 0 ? [spot] : null;
    press = { spot, x: event.clientX, y: event.clientY, thing: box.querySelector(`[data-thing="${CSS.escape(spot)}"]`), drags: false, painted, right: event.button === 2 };
    if (painted) hits.get(spot)?.classList.add("painted");
    // What is touched must not keep the pointer, so that others hear of it.
    if (event.target instanceof Element && event.target.hasPointerCapture(event.pointerId)) event.target.releasePointerCapture(event.pointerId);
  });
  box.addEventListener("pointermove", (event) => {
    if (!press) return;
    const spot = under(event);
    if (press.painted) {
      if (spot !== null && !press.painted.includes(spot)) {
        press.painted.push(spot);
        hits.get(spot)?.classList.add("painted");
      }
      return;
    }
    press.drags ||= Math.hypot(event.clientX - press.x, event.clientY - press.y) > 8;
    if (!press.drags || press.right || !press.thing || !movesAt(press.spot).length) return;
    const svg = box.querySelector("svg");
    const scale = (svg?.viewBox.baseVal.width ?? 1) / (svg?.clientWidth || 1);
    press.thing.setAttribute("transform", `translate(${(event.clientX - press.x) * scale} ${(event.clientY - press.y) * scale})`);
    press.thing.classList.add("held");
  });
  const release = () => {
    press?.thing?.removeAttribute("transform");
    press?.thing?.classList.remove("held");
    press = null;
  };
  addEventListener("pointerup", (event) => {
    if (!press) return;
    const [{ spot, drags, painted, right }, to] = [press, under(event)];
    release();
    if (painted) return handlers.paint?.(painted);
    if (to === null || !view) return;
    if (right) {
      sketch.toggle(view, { from: spot, to, colour: sketch.colourOf(event) });
      drawSketch();
    } else if (drags && to !== spot) drop(spot, to);
  });
  addEventListener("pointercancel", release);
  box.addEventListener("contextmenu", (event) => event.preventDefault());
  box.addEventListener("click", (event) => {
    const spot = spotOf(event);
    // Painting is done when the button comes up; helpers that click without a pointer have no such moment.
    if (spot === null || (handlers.paint && event.detail > 0)) return;
    const isDouble = event.detail > 1 && performance.now() - played < 600;
    // After a click the arrow keys walk the tree of moves.
    if (event.detail > 0) box.focus({ preventScroll: true });
    if (isDouble) return;
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
    // With the keyboard on the board as a whole, keys mean what they mean everywhere.
    if (event.altKey || event.ctrlKey || event.metaKey || spotOf(event) === null) return;
    if (step) {
      focus = neighbour(focus, step[0] ?? 0, step[1] ?? 0);
      markTargets();
      hits.get(focus)?.focus();
    } else if (event.key === "Enter" || event.key === " ") {
      point(focus);
    } else if (event.key === "Escape") {
      letGo();
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
