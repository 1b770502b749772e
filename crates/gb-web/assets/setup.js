// @ts-check
/** Positions: typed, pasted, painted. */
import { handle, sample } from "./board.js";
import { byId, input, make, toast } from "./dom.js";
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

/** The text of the position with another letter on a spot; null where painting makes no sense. @param {View} view @param {string} spot @param {string} letter */
function painted(view, spot, letter) {
  const [board = "", ...rest] = view.position.split(" ");
  const before = grid(view.scene.items, new Map());
  const after = grid(view.scene.items, new Map([[spot, letter]]));
  if (!before || !after) return null;
  const writer = WRITERS.find((write) => write(before) === board);
  return writer ? [writer(after), ...rest].join(" ") : null;
}

/** @param {View} view */
const canPaint = (view) => view.game.alphabet.length > 0 && painted(view, "", "") !== null;

export function start() {
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
    await navigator.clipboard?.writeText(current()?.position ?? "").catch(() => {});
    toast("The position is copied.");
  };
}

/** @param {string} text */
async function put(text) {
  // Rows may be typed on lines of their own.
  const lines = text.trim().startsWith("(") ? text.trim() : text.trim().split(/\s*\n\s*/).filter(Boolean).join("|").replace(/\|+/g, "|");
  await attempt({ command: "setup", position: lines });
}

/** @param {string} size */
const open = (size) => attempt({ command: "open", game: current()?.game.name ?? "", position: size });

/** @param {Record<string, unknown>} what */
async function attempt(what) {
  const box = byId("position-error");
  try {
    await command(what);
    box.hidden = true;
    input("position").removeAttribute("aria-invalid");
  } catch (error) {
    box.textContent = error instanceof Error ? error.message : String(error);
    box.hidden = false;
    input("position").setAttribute("aria-invalid", "true");
  }
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
  byId("rules").textContent = view.game.rules;
  byId("letters").replaceChildren(...view.game.alphabet.flatMap(([letter, meaning]) => [make("dt", {}, letter), make("dd", {}, meaning)]));
  byId("picture").setAttribute("href", `api/sessions/${view.session}/picture`);
  const possible = canPaint(view);
  byId("palette-box").hidden = !possible;
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

/** @param {string} spot */
function paint(spot) {
  const view = current();
  const text = view && brush !== null ? painted(view, spot, brush) : null;
  if (text !== null) tell({ command: "setup", position: text });
}
