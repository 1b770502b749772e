// @ts-check
/** What stands on a board: one shape for each kind of piece, so that they can be told apart without their colours. */
import { draw } from "./dom.js";

/** @typedef {import("./types.js").Item} Item */
/** @typedef {import("./types.js").Game} Game */

/** In a square of side 100. */
const SHAPES = {
  pawn: "M50 16a15 15 0 0 1 9 27c5 3 7 7 6 12h-7c1 9 5 15 12 20v9H30v-9c7-5 11-11 12-20h-7c-1-5 1-9 6-12a15 15 0 0 1 9-27z",
  king: "M47 10h6v8h8v6h-8v9c14-7 31-4 31 12 0 12-10 20-14 27v12H30V72c-4-7-14-15-14-27 0-16 17-19 31-12v-9h-8v-6h8z",
  amazon: "M20 26l15 22 5-30 10 28 10-28 5 30 15-22-8 46v12H28V72z",
  fox: "M22 18l17 13h22l17-13v34c0 14-14 24-28 34-14-10-28-20-28-34z",
  goose: "M36 14c11-4 22 3 22 15 0 7-4 11-4 16 0 4 4 5 10 5h24c-1 20-15 34-36 34-20 0-32-12-32-27 0-14 12-19 12-29l-20-2z",
  elephant: "M14 36c0-14 12-20 26-20h18c18 0 26 12 26 26v34h-9c-8 0-9-7-8-16H56v24H44V68H30v16H18V60c-3-6-4-14-4-24z",
  rhino: "M86 40c0-12-10-18-24-18H46L30 12l2 18-20-6 8 24c-4 4-4 12 2 16l12 4v16h12V70h18v14h12V66c6-6 10-14 10-26z",
  toad: "M22 32h30l26 18-26 32H22a8 8 0 0 1-8-8V40a8 8 0 0 1 8-8z",
  frog: "M50 30c6-14 24-14 24 2 10 6 14 16 12 28-2 14-16 22-36 22S16 74 14 60c-2-12 2-22 12-28 0-16 18-16 24-2z",
};
/** Eyes and the like. */
const DETAILS = {
  fox: "M38 48h.1M62 48h.1M50 70h.1",
  goose: "M44 26h.1",
  toad: "M38 46h.1M38 66h.1",
  frog: "M35 34h.1M65 34h.1M36 62c8 8 20 8 28 0",
  elephant: "M66 36h.1",
  rhino: "M34 40h.1",
};

/** What kind of piece a letter is, by what the game says about it. @param {Game} game @param {string} letter */
export function kind(game, letter) {
  const meaning = game.alphabet.find(([other]) => other === letter)?.[1] ?? "";
  if (meaning.includes("promoted")) return "amazon";
  return Object.keys(SHAPES).find((name) => new RegExp(`\\b${name}\\b`).test(meaning)) ?? (/\bpeg\b/.test(meaning) ? "peg" : /\bhole\b/.test(meaning) ? "socket" : "");
}

/** Pieces that walk over squares of two colours. @param {Game} game */
export const isCheckered = (game) => game.alphabet.some(([letter]) => ["amazon", "fox", "goose", "pawn"].includes(kind(game, letter)));

/** A piece of a kind on the square at a corner; nothing if there is no such kind. @param {string} name @param {Item} item */
export function piece(name, item) {
  const [x = 0, y = 0] = item.at;
  if (name === "peg") return [draw("circle", { class: `piece ${item.paint}`, cx: x + 50, cy: y + 50, r: 27 }), draw("circle", { class: "shine", cx: x + 42, cy: y + 42, r: 7 })];
  const shape = SHAPES[/** @type {"fox"} */ (name)];
  if (!shape) return null;
  const details = DETAILS[/** @type {"fox"} */ (name)];
  const transform = `translate(${x} ${y})`;
  return [draw("path", { class: `piece ${item.paint}`, d: shape, transform }), ...(details ? [draw("path", { class: "detail-line", d: details, transform })] : [])];
}
