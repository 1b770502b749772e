// @ts-check
/** What the first view does not need: the other tabs, keys, the tour. Loaded when the board is there. */
import * as calc from "./calc.js";
import * as editor from "./editor.js";
import * as keys from "./keys.js";
import * as proof from "./proof.js";
import * as record from "./record.js";
import * as setup from "./setup.js";
import * as sum from "./sum.js";
import * as tour from "./tour.js";
import * as trainer from "./trainer.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Game} Game */

export { rest } from "./setup.js";
export { message } from "./trainer.js";

/** @param {Game[]} games @param {boolean} isFirst whether somebody comes for the first time */
export async function start(games, isFirst) {
  setup.start();
  editor.start();
  calc.start();
  proof.start();
  record.start();
  keys.start();
  sum.start(games);
  await trainer.start();
  tour.start(isFirst);
}

/** @param {View} view @param {View | null} before */
export function update(view, before) {
  setup.update(view, before);
  editor.update(view, before);
  sum.update(view);
  record.update(view, before);
  trainer.update(view, before);
}
