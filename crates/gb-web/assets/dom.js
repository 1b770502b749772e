// @ts-check
/** Small helpers for pages. */

/**
 * The element with this name, which is part of the page.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no ${id}`);
  return found;
}

/** @param {string} id */
export const input = (id) => /** @type {HTMLInputElement} */ (byId(id));
/** @param {string} id */
export const button = (id) => /** @type {HTMLButtonElement} */ (byId(id));

/**
 * An element with attributes and content.
 * @param {string} tag
 * @param {Record<string, string | number | boolean | null | undefined>} [attributes]
 * @param {...(Node | string | null)} content
 * @returns {HTMLElement}
 */
export function make(tag, attributes = {}, ...content) {
  return /** @type {HTMLElement} */ (fill(document.createElement(tag), attributes, content));
}

/**
 * An element of a picture.
 * @param {string} tag
 * @param {Record<string, string | number | boolean | null | undefined>} [attributes]
 * @param {...(Node | string | null)} content
 * @returns {SVGElement}
 */
export function draw(tag, attributes = {}, ...content) {
  return /** @type {SVGElement} */ (fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, content));
}

/**
 * @param {Element} element
 * @param {Record<string, string | number | boolean | null | undefined>} attributes
 * @param {(Node | string | null)[]} content
 */
function fill(element, attributes, content) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...content.filter((item) => item !== null));
  return element;
}

/**
 * A picture that the server has drawn, without its own style: the page has one, for light and dark.
 * @param {string} text
 * @returns {Node | null}
 */
export function picture(text) {
  // Taken out before it is read: the policy of the page would complain about a style as soon as it is there.
  const plain = text.replace(/<style[\s\S]*?<\/style>/g, "").replace(/ style="[^"]*"/g, "");
  const svg = new DOMParser().parseFromString(plain, "image/svg+xml").documentElement;
  if (svg.nodeName !== "svg") return null;
  svg.querySelectorAll("style, script").forEach((node) => node.remove());
  return document.importNode(svg, true);
}

let hiding = 0;
/**
 * Says something for a few seconds.
 * @param {string} text
 */
export function toast(text) {
  const box = byId("toast");
  box.textContent = text;
  box.hidden = false;
  clearTimeout(hiding);
  hiding = window.setTimeout(() => { box.hidden = true; }, 5000);
}
