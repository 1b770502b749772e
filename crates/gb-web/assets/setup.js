// @ts-check
/** Positions: typed, pasted, painted. */
import { handle, sample } from "./board.js";
import { lead } from "./carrier.js";
import { byId, input, make, toast } from "./dom.js";
import * as graph from "./graph.js";
import { copy } from "./share.js";
import { command, current, tell } from "./state.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Item} Item */

/** The letter that is painted with, if any. @type {string | null} */
let brush = null;

/** How the cells of a board are written. Used only where it gives the text that is there. @type {((rows: string[][]) => string)[]} */
const WRITERS = [
  (rows) => rows.map((row) => row.join("")).join("|"),
  (rows) => rows.map((row) => row.join("").replace(/\.+/g, (gap) => String(gap.length))).join("/"),
];

/** The cells of a grid, row by row, or null if the board is no grid. @param {Item[]} items @param {Map<string, string>} changed */
function grid(items, changed) {
  /** @type {string[][]} */
  const rows = [];
  for (const item of items) {
    const [x = 0, y = 0] = item.at;
    if (item.shape !== "square") return null;
    const row = (rows[y / 100] ??= []);
    row[x / 100] = changed.get(item.spot) ?? item.letter;
  }
  return rows.length && rows.every((row) => row && row.length && !row.includes(/** @type {any} */ (undefined))) ? rows : null;
}

/** The text of the position with another letter on some spots; null where painting makes no sense. @param {View} view @param {string[]} spots @param {string} letter */
function painted(view, spots, letter) {
  const [board = "", ...rest] = view.position.split(" ");
  const before = grid(view.scene.items, new Map());
  const after = grid(view.scene.items, new Map(spots.map((spot) => [spot, letter])));
  if (!before || !after) return null;
  const writer = WRITERS.find((write) => write(before) === board);
  return writer ? [writer(after), ...rest].join(" ") : null;
}

/** The text of the position with rows and columns added or taken away; null where that makes no sense. @param {View} view @param {(rows: string[][], filler: string) => string[][]} change */
function resized(view, change) {
  const [board = "", ...rest] = view.position.split(" ");
  const before = grid(view.scene.items, new Map());
  const writer = before && WRITERS.find((write) => write(before) === board);
  if (!before || !writer) return null;
  const after = change(before.map((row) => [...row]), ".");
  return after.length && after[0]?.length ? [writer(after), ...rest].join(" ") : null;
}

/** @param {View} view */
const canPaint = (view) => view.game.alphabet.length > 0 && painted(view, [], "") !== null;

export function start() {
  graph.start((position) => attempt({ command: "setup", position }));
  byId("position-form").onsubmit = (event) => {
    event.preventDefault();
    put(input("position").value);
  };
  byId("size-form").onsubmit = (event) => {
    event.preventDefault();
    const size = input("size").value.trim();
    if (size) open(size);
  };
  byId("copy-position").onclick = async () => {
    const copied = await copy(current()?.position ?? "");
    toast(copied ? "The position is copied." : "The browser did not let the page copy: mark the text and copy it yourself.");
    if (!copied) input("position").select();
  };
  /** @param {(rows: string[][], filler: string) => string[][]} change */
  const resize = (change) => {
    const view = current();
    const text = view && resized(view, change);
    if (text) attempt({ command: "setup", position: text });
  };
  byId("row-more").onclick = () => resize((rows, filler) => [...rows, (rows[0] ?? []).map(() => filler)]);
  byId("row-less").onclick = () => resize((rows) => rows.slice(0, -1));
  byId("column-more").onclick = () => resize((rows, filler) => rows.map((row) => [...row, filler]));
  byId("column-less").onclick = () => resize((rows) => rows.map((row) => row.slice(0, -1)));
}

/** @param {string} text */
async function put(text) {
  // Rows may be typed on lines of their own.
  const lines = text.trim().startsWith("(") ? text.trim() : text.trim().split(/\s*\n\s*/).filter(Boolean).join("|").replace(/\|+/g, "|");
  // Nothing would mean the example, and put another position on the bench than the one that was wiped away.
  if (!lines) return complain(`The field is empty. Type a position, such as ${current()?.game.example ?? ""}.`);
  await attempt({ command: "setup", position: lines });
}

/** @param {string} size */
const open = (size) => attempt({ command: "open", game: current()?.game.name ?? "", position: size });

/** @param {string} sentence */
function complain(sentence) {
  const box = byId("position-error");
  box.textContent = sentence;
  box.hidden = false;
  input("position").setAttribute("aria-invalid", "true");
}

/** @param {Record<string, unknown>} what */
async function attempt(what) {
  const box = byId("position-error");
  try {
    await command(what);
    box.hidden = true;
    input("position").removeAttribute("aria-invalid");
  } catch (error) {
    complain(error instanceof Error ? error.message : String(error));
  }
}

/** The sizes of heaps, if that is what a position consists of. @param {View} view */
const heapsOf = (view) => (/^\d+(,\d+)*$/.test(view.position) && view.game.alphabet.length === 0 ? view.position.split(",").map(Number) : null);

/** Heaps that grow and shrink. @param {View} view */
function heaps(view) {
  const sizes = heapsOf(view);
  byId("heap-box").hidden = !sizes;
  if (!sizes) return;
  /** @param {number[]} next */
  const put = (next) => attempt({ command: "setup", position: next.filter((size) => size > 0).join(",") || "0" });
  /** @param {number} index @param {number} by */
  const change = (index, by) => put(sizes.map((size, place) => (place === index ? size + by : size)));
  byId("heaps").replaceChildren(...sizes.map((size, index) => {
    const less = make("button", { type: "button", class: "icon", "aria-label": `One token fewer on heap ${index + 1}`, "data-heap": `less-${index}` }, "−");
    const more = make("button", { type: "button", class: "icon", "aria-label": `One token more on heap ${index + 1}`, "data-heap": `more-${index}` }, "+");
    less.onclick = () => change(index, -1);
    more.onclick = () => change(index, 1);
    return make("li", {}, less, make("b", {}, String(size)), more);
  }));
  byId("heap-more").onclick = () => put([...sizes, 1]);
}

/** Stops painting. */
export function rest() {
  brush = null;
  handle({ paint: null });
}

/** @param {View} view @param {View | null} before */
export function update(view, before) {
  if (document.activeElement !== byId("position") || before?.position !== view.position) input("position").value = view.position;
  if (before?.position !== view.position) byId("position-error").hidden = true;
  byId("letters").replaceChildren(...view.game.alphabet.flatMap(([letter, meaning]) => [make("dt", {}, letter), make("dd", {}, meaning)]));
  lead(byId("picture"), `api/sessions/${view.session}/picture`);
  const possible = canPaint(view);
  byId("palette-box").hidden = byId("resize").hidden = !possible;
  const had = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.heap : undefined;
  heaps(view);
  graph.update(view);
  if (had) /** @type {HTMLElement | null} */ (document.querySelector(`[data-heap="${had}"]`))?.focus();
  if (!possible || before?.game.name !== view.game.name) rest();
  palette(view);
}

/** @param {View} view */
function palette(view) {
  /** @param {string | null} letter @param {string} text */
  const one = (letter, text) => {
    const control = make("button", { type: "button", role: "radio", "aria-checked": String(brush === letter) }, ...(letter === null ? [] : [sample(letter, view)]), text);
    control.onclick = () => {
      brush = letter;
      handle({ paint: letter === null ? null : paint });
      const now = current();
      if (now) palette(now);
    };
    return control;
  };
  byId("palette").replaceChildren(one(null, "Play moves"), ...view.game.alphabet.map(([letter, meaning]) => one(letter, meaning)));
}

/** @param {string[]} spots */
function paint(spots) {
  const view = current();
  const text = view && brush !== null ? painted(view, spots, brush) : null;
  if (text !== null) tell({ command: "setup", position: text });
}
