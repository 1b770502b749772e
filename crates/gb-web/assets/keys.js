// @ts-check
/** Keys for everything, and the list of them. */
import { askHint } from "./play.js";
import { flip, letGo, setZoom } from "./board.js";
import { byId, make } from "./dom.js";
import { tell, undo } from "./state.js";

/** @param {string} id */
const press = (id) => () => byId(id).click();
/** @param {string} command */
const walk = (command) => () => tell({ command });

/** Keys, what they are called, what they do. @type {[string[], string, string, () => void][]} */
const KEYS = [
  [["ArrowLeft"], "←", "one move back", walk("back")],
  [["ArrowRight"], "→", "one move on", walk("forward")],
  [["ArrowUp"], "↑", "the variation before", walk("previous")],
  [["ArrowDown"], "↓", "the next variation", walk("next")],
  [["Home"], "Home", "to the beginning", walk("first")],
  [["End"], "End", "to the end", walk("last")],
  [["u"], "u, Ctrl Z", "undo the last change", () => { undo(); }],
  [["r"], "r, Ctrl Y", "make it again", () => { undo(true); }],
  [["a"], "a", "analyse, or stop", press("analyse")],
  [["h"], "h", "a hint from the strongest player", () => { askHint(); }],
  [["m"], "m", "the engine moves", press("engine")],
  [["f"], "f", "flip the board", flip],
  [["+", "="], "+", "a larger board", () => setZoom(1.3)],
  [["-"], "−", "a smaller board", () => setZoom(1 / 1.3)],
  [["0"], "0", "fit the board into the window", () => setZoom(0)],
  [["/"], "/", "type a move", () => byId("move").focus()],
  [["g"], "g", "choose a game", press("choose")],
  [["s"], "s", "share", press("share")],
  [["Escape"], "Esc", "let go, wipe arrows away", letGo],
  [["?"], "?", "this list", press("help")],
];

/** What a mouse does. */
const MOUSE = [
  ["click, drag", "make a move"],
  ["right click", "a circle on the board; with Shift or Alt in another colour"],
  ["right drag", "an arrow"],
  ["point at a row", "see the move on the board"],
];

/** Words that the page uses. */
const WORDS = [
  ["value", "what a position is worth as a game: positions with the same value can stand for each other in every sum"],
  ["number", "a value in which nobody wants to move, such as 2 or 3/4: Left is so many moves ahead"],
  ["switch", "±x: whoever moves first gains x, as in {1|−1}"],
  ["mean", "what a position is worth on average when many copies of it are played"],
  ["temperature", "how urgent a move is: what moving gains at the most; numbers are cold"],
  ["stops", "the numbers at which play ends if Left begins, and if Right begins"],
  ["↑, ∗", "infinitesimals: less than every positive number, yet enough to decide who moves last"],
  ["sensible", "a move that is neither dominated by a better one nor reversible: the others change nothing"],
];

export function start() {
  const dialog = /** @type {HTMLDialogElement} */ (byId("keys"));
  byId("help").onclick = () => dialog.showModal();
  /** @param {string} name @param {string} text */
  const pair = (name, text) => [make("dt", {}, make("kbd", {}, name)), make("dd", {}, text)];
  byId("key-list").append(...KEYS.flatMap(([, name, text]) => pair(name, text)), ...MOUSE.flatMap(([name = "", text = ""]) => pair(name, text)));
  byId("word-list").append(...WORDS.flatMap(([name = "", text = ""]) => [make("dt", {}, name), make("dd", {}, text)]));
  dialog.onclick = (event) => { if (event.target === dialog) dialog.close(); };
  document.addEventListener("keydown", (event) => {
    const target = event.target instanceof Element ? event.target : null;
    // Whoever types, types; a tick or a button is nothing to type into.
    if (target?.closest("textarea, select, dialog, input:not([type=checkbox]), [role=tab]")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (event.ctrlKey || event.metaKey) {
      if (key !== "z" && key !== "y") return;
      event.preventDefault();
      undo(key === "y" || event.shiftKey);
      return;
    }
    const found = KEYS.find(([keys]) => keys.includes(key));
    if (!found || event.altKey) return;
    event.preventDefault();
    found[3]();
  });
}
