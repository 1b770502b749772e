// @ts-check
/** Arrows and circles that are drawn with the right button, as on other boards: Shift and Alt choose another colour. */

/** @typedef {import("./types.js").View} View */
/** @typedef {{from: string, to: string, colour: string}} Stroke */

/** By game and position. @type {Map<string, Stroke[]>} */
const sketches = new Map();

/** @param {View} view */
const key = (view) => `${view.game.name} ${view.position}`;

/** @param {View} view @returns {Stroke[]} */
export const strokes = (view) => sketches.get(key(view)) ?? [];

/** @param {{shiftKey: boolean, altKey: boolean}} event */
export const colourOf = (event) => (event.altKey ? "blue" : event.shiftKey ? "red" : "green");

/** Draws something, or takes it away if it is there. @param {View} view @param {Stroke} stroke */
export function toggle(view, stroke) {
  const others = strokes(view).filter((one) => one.from !== stroke.from || one.to !== stroke.to);
  sketches.set(key(view), others.length < strokes(view).length ? others : [...others, stroke]);
}

/** Whether there was something to wipe away. @param {View} view */
export const wipe = (view) => sketches.delete(key(view));
