// @ts-check
/** How much time each player has used against the engine. */
import { byId } from "./dom.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Side} Side */

/** Milliseconds that each player has used. @type {Record<Side, number>} */
const used = { Left: 0, Right: 0 };
/** Whose clock is running. @type {Side | null} */
let running = null;
let since = 0;
let session = "";
let ticking = 0;

/** What was used so far. @param {Side} side */
export const timeOf = (side) => used[side] + (running === side ? performance.now() - since : 0);

/**
 * Runs the clock of the player to move, or stops both. A new game, and going back to its beginning, set them to zero.
 * @param {View} view
 * @param {{playing: boolean, moving: boolean}} state whether the engine plays anybody, and whether a move is waited for
 */
export function update(view, { playing, moving }) {
  const now = performance.now();
  if (running) used[running] += now - since;
  const atStart = view.tree.find((node) => node.id === view.at)?.parent === null;
  if (session !== view.session || atStart) used.Left = used.Right = 0;
  session = view.session;
  since = now;
  running = playing && moving ? view.to_play : null;
  byId("clocks").hidden = !playing;
  show();
  clearInterval(ticking);
  ticking = running ? window.setInterval(show, 250) : 0;
}

function show() {
  for (const side of /** @type {const} */ (["Left", "Right"])) {
    const clock = byId(`clock-${side.toLowerCase()}`);
    clock.classList.toggle("running", running === side);
    const seconds = Math.floor(timeOf(side) / 1000);
    const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    if (clock.lastElementChild && clock.lastElementChild.textContent !== text) clock.lastElementChild.textContent = text;
  }
}
