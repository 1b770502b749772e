// @ts-check
/** Lines: straight, or bent where several join the same two points or one comes back to where it begins. */

/** @typedef {import("./types.js").Item} Item */
/** @typedef {[number, number]} Point */

/** How far lines between the same points are apart. */
const APART = 34;
/** Of each line that is not straight its place among those beside it; 0 is the middle. @type {WeakMap<Item, number>} */
const places = new WeakMap();

/** Finds out which lines lie on others. @param {Item[]} items */
export function spread(items) {
  /** @type {Map<string, Item[]>} */
  const groups = new Map();
  for (const item of items) {
    if (item.shape !== "line") continue;
    const [x = 0, y = 0, u = 0, v = 0] = item.at;
    const ends = [[x, y], [u, v]].map(String).sort().join(" ");
    groups.set(ends, [...(groups.get(ends) ?? []), item]);
  }
  for (const lines of groups.values()) {
    lines.forEach((line, index) => {
      if (isLoop(line)) places.set(line, index);
      else if (lines.length > 1) places.set(line, index - (lines.length - 1) / 2);
    });
  }
}

/** @param {Item} item */
const isLoop = ({ at: [x, y, u, v] }) => x === u && y === v;

/** The point of a line this far along it, from 0 to 1. @param {Item} item @param {number} t @returns {Point} */
export function along(item, t) {
  const [x = 0, y = 0, u = 0, v = 0] = item.at;
  const place = places.get(item) ?? 0;
  if (isLoop(item)) {
    // A circle beside the point and a little above it, where neither the ground nor most other lines are.
    const [turn, size] = [2 * Math.PI * t + Math.PI + 0.5, 26 + 14 * place];
    return [x + size * (Math.cos(turn) + Math.cos(0.5)), y - size * (Math.sin(turn) + Math.sin(0.5))];
  }
  // Across the line, the same way from whichever end it is drawn.
  const way = x < u || (x === u && y < v) ? 1 : -1;
  const long = Math.hypot(u - x, v - y) || 1;
  const off = way * place * APART * 4 * t * (1 - t);
  return [x + (u - x) * t - (v - y) / long * off, y + (v - y) * t + (u - x) / long * off];
}

/** So many pieces look round. */
const PIECES = 20;

/** The points through which a line is drawn. @param {Item} item @returns {Point[]} */
function points(item) {
  const pieces = places.get(item) || isLoop(item) ? PIECES : 1;
  return Array.from({ length: pieces + 1 }, (_, index) => along(item, index / pieces));
}

/** A line as a path. @param {Item} item */
export const path = (item) => `M${points(item).map(([x, y]) => `${round(x)},${round(y)}`).join("L")}`;

/** A line has no inside, so it gets a band around it; that of a loop is all that it goes round. @param {Item} item */
export function band(item) {
  const line = points(item);
  if (isLoop(item)) return line.map(([x, y]) => `${round(x)},${round(y)}`).join(" ");
  const half = line.length > 2 ? APART / 2 : 20;
  const sides = line.map(([x, y], index) => {
    const [a, b] = /** @type {[Point, Point]} */ ([line[Math.max(0, index - 1)] ?? [x, y], line[index + 1] ?? [x, y]]);
    const long = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
    const [dx, dy] = [(b[1] - a[1]) / long * half, (a[0] - b[0]) / long * half];
    return /** @type {const} */ ([[x + dx, y + dy], [x - dx, y - dy]]);
  });
  return [...sides.map(([one]) => one), ...sides.map(([, other]) => other).reverse()].map(([x, y]) => `${round(x)},${round(y)}`).join(" ");
}

/** @param {number} number */
const round = (number) => Math.round(10 * number) / 10;
