// @ts-check
/** The tree of moves, drawn. */
import { byId, draw } from "./dom.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Node} Node */

const WIDE = 74;
const HIGH = 34;

/**
 * Columns by depth; a variation begins a new row below all that is there already.
 * @param {Node[]} nodes
 */
function layout(nodes) {
  /** @type {Map<number, {x: number, y: number, children: number}>} */
  const places = new Map();
  let rows = 0;
  for (const node of nodes) {
    const parent = node.parent === null ? undefined : places.get(node.parent);
    const isFirst = parent ? parent.children === 0 : true;
    if (parent) parent.children += 1;
    const y = parent ? (isFirst ? parent.y : ++rows) : 0;
    places.set(node.id, { x: parent ? parent.x + 1 : 0, y, children: 0 });
  }
  return { places, rows };
}

/** @param {View} view @param {(id: number) => void} go */
export function drawTree(view, go) {
  const box = byId("tree");
  const { places, rows } = layout(view.tree);
  const columns = Math.max(...[...places.values()].map((place) => place.x));
  const svg = draw("svg", { width: (columns + 1) * WIDE + 8, height: (rows + 1) * HIGH + 6, role: "presentation" });
  const links = draw("g");
  const items = draw("g", { role: "presentation" });
  let selected = null;
  for (const node of view.tree) {
    const place = places.get(node.id);
    if (!place) continue;
    const [x, y] = [place.x * WIDE + 4, place.y * HIGH + 4];
    const parent = node.parent === null ? undefined : places.get(node.parent);
    if (parent) {
      const from = `${parent.x * WIDE + 4 + WIDE - 12},${parent.y * HIGH + 17}`;
      links.append(draw("path", { class: "link", d: parent.y === place.y ? `M${from}H${x}` : `M${from}h4V${y + 13}H${x}` }));
    }
    const label = node.label.length > 8 ? `${node.label.slice(0, 7)}…` : node.label;
    const said = [node.player && `${node.player}:`, node.label, node.value && `value ${node.value}`, node.comment && "with a comment"].filter(Boolean).join(" ");
    const item = draw("g", {
      class: `node ${(node.player ?? "").toLowerCase()}`, role: "treeitem", "aria-selected": String(node.id === view.at), "aria-label": said,
      "aria-level": place.x + 1, "data-node": node.id, id: `node-${node.id}`,
    }, draw("title", {}, said), draw("rect", { x, y, width: WIDE - 12, height: HIGH - 8, rx: 8 }), draw("text", { x: x + (WIDE - 12) / 2, y: y + (HIGH - 8) / 2 }, label));
    if (node.comment) item.append(draw("circle", { class: "said", cx: x + WIDE - 14, cy: y + 3, r: 4 }));
    if (node.id === view.at) selected = item;
    items.append(item);
  }
  svg.append(links, items);
  const scroll = [box.scrollLeft, box.scrollTop];
  box.replaceChildren(svg);
  [box.scrollLeft, box.scrollTop] = /** @type {[number, number]} */ (scroll);
  box.setAttribute("aria-activedescendant", `node-${view.at}`);
  const place = places.get(view.at);
  if (selected && place) reveal(box, place.x * WIDE, place.y * HIGH);
  box.onclick = (event) => {
    const node = event.target instanceof Element ? event.target.closest("[data-node]") : null;
    if (node) go(Number(node.getAttribute("data-node")));
  };
}

/** Scrolls the box, and only the box. @param {HTMLElement} box @param {number} x @param {number} y */
function reveal(box, x, y) {
  if (x < box.scrollLeft) box.scrollLeft = Math.max(0, x - WIDE);
  if (x + 2 * WIDE > box.scrollLeft + box.clientWidth) box.scrollLeft = x + 2 * WIDE - box.clientWidth;
  if (y < box.scrollTop) box.scrollTop = y;
  if (y + HIGH + 10 > box.scrollTop + box.clientHeight) box.scrollTop = y + HIGH + 10 - box.clientHeight;
}
