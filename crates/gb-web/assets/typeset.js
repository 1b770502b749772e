// @ts-check
/** Values for the eye: fractions are set, and what is long is folded to a line. */
import { make } from "./dom.js";

/** Longer values are folded. */
const LINE = 40;

/** A text with its fractions set, and a star that can be seen. What is copied is still `3/4`. @param {string} text @returns {(Node | string)[]} */
export function fractions(text) {
  return text.replaceAll("⋆", "∗").split(/(\d+\/\d+)/).filter(Boolean).map((piece) => {
    const [above, below] = /^\d+\/\d+$/.test(piece) ? piece.split("/") : [];
    return above && below ? make("span", { class: "frac" }, make("sup", {}, above), "/", make("sub", {}, below)) : piece;
  });
}

/** A value; a long one is a line with "more". @param {string} text @param {number} [line] @returns {HTMLElement} */
export function value(text, line = LINE) {
  const box = make("span", { class: "set" }, ...fractions(text));
  if (text.length <= line) return box;
  const short = make("span", { class: "cut" }, ...fractions(text.slice(0, line - 4)), "…");
  const control = /** @type {HTMLButtonElement} */ (make("button", { class: "more", type: "button", "aria-expanded": "false" }, "more"));
  box.hidden = true;
  control.onclick = (event) => {
    event.stopPropagation();
    box.hidden = !box.hidden;
    short.hidden = !box.hidden;
    control.textContent = box.hidden ? "more" : "less";
    control.setAttribute("aria-expanded", String(!box.hidden));
  };
  return make("span", { class: "folded" }, short, box, " ", control);
}
