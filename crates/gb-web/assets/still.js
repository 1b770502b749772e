// @ts-check
/** A board to look at, beside other results. */
import { background, captions, cell, coordinates, letterSize, thing } from "./board.js";
import { draw } from "./dom.js";
import { spread } from "./edges.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Posed} Posed */

/** So many pixels a cell, where there is room. */
const CELL = 34;
const WIDEST = 340;
const HIGHEST = 240;

/** @param {Posed} posed */
export function still(posed) {
  const { scene, summands, game, position } = posed;
  const at = /** @type {View} */ ({ ...posed });
  const grid = scene.items.length > 0 && (summands !== undefined || scene.items.every((item) => item.shape === "square"));
  spread(scene.items);
  const size = letterSize(at);
  const margin = grid ? 22 + size : scene.look === "ground" ? 60 : 12;
  const [width, height] = [scene.width + margin + (summands ? 80 : 24), scene.height + margin + (summands ? 80 : 24)];
  const scale = Math.min(CELL / 100, WIDEST / width, HIGHEST / height);
  const colours = { checkered: "white-black", lines: "black-white" }[/** @type {"lines"} */ (scene.look)] ?? "";
  return draw("svg", {
    class: `still ${colours}`, viewBox: `${-margin} ${-margin} ${width} ${height}`, width: Math.round(width * scale), height: Math.round(height * scale),
    role: "img", "aria-label": `${game.title}: ${position}`,
  }, ...background(at, margin), ...(grid ? coordinates(at, margin, size) : []), ...scene.items.flatMap((item) => cell(item, at)), ...scene.items.flatMap((item) => thing(item, at)), ...captions(at));
}
