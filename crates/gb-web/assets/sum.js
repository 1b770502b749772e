// @ts-check
/** Sums: several positions and values on one bench. */
import { ask, remove } from "./api.js";
import { byId, input, make, toast } from "./dom.js";
import { command, current, open } from "./state.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Game} Game */

const SUM = "sum";
/** What stands for the game in the editor among those that can be added. */
const WRITTEN = "~";

/** What is on the bench, as summands. @param {View} view @returns {string[]} */
function pieces(view) {
  if (!view.summands) return [`${view.game.name} ${view.position}`];
  return view.summands.map((one) => (one.game ? `${one.game} ${one.text}` : one.text));
}

/** @param {string} sentence */
function complain(sentence) {
  byId("sum-error").textContent = sentence;
  byId("sum-error").hidden = !sentence;
}

/** Puts these summands on the bench, with the texts of their games. @param {View} view @param {string[]} list @param {string | undefined} texts */
async function put(view, list, texts = view.text) {
  try {
    const position = list.join(" + ");
    if (view.summands && texts === view.text) await command({ command: "setup", position });
    else await open({ game: SUM, text: texts, position });
    complain("");
    return true;
  } catch (error) {
    complain(error instanceof Error ? error.message : String(error));
    return false;
  }
}

/** The name in a text, if it has one. @param {string} text */
const nameIn = (text) => /^\s*game\s+([a-z][a-z0-9-]*)/m.exec(text)?.[1];

/** The game in the editor can be added too. */
function offerWritten() {
  const name = nameIn(input("text").value);
  const written = byId("sum-written");
  written.hidden = /** @type {HTMLOptionElement} */ (written).disabled = !name;
  written.textContent = name ? `New game: ${name}` : "New game";
}

/** A summand of the game in the editor, with the texts that a sum with it needs. @param {View} view @param {string} text @returns {Promise<[string, string]>} */
async function fromEditor(view, text) {
  const written = input("text").value;
  /** @type {View} */
  const read = await ask("api/sessions", { text: written, position: text });
  remove(`api/sessions/${read.session}`);
  const texts = view.text ?? "";
  return [`${read.game.name} ${read.position}`, texts.includes(written) ? texts : `${texts}${texts && "\n"}${written}`];
}

/** @param {Game[]} games */
export function start(games) {
  const list = byId("sum-game");
  list.replaceChildren(make("option", { value: "" }, "a value"), make("option", { value: WRITTEN, id: "sum-written" }, "New game"), ...games.filter((game) => game.name !== SUM && !game.loopy && game.name !== "go").map((game) => make("option", { value: game.name }, game.title)));
  list.onfocus = offerWritten;
  offerWritten();
  const fit = () => {
    const game = games.find((one) => one.name === input("sum-game").value);
    const isWritten = input("sum-game").value === WRITTEN;
    input("sum-text").placeholder = game ? `${game.example}, or a size` : isWritten ? "a position, or nothing for the example" : "+-1, {3|{1|-2}}, ^*";
  };
  list.onchange = fit;
  fit();
  byId("sum-form").onsubmit = async (event) => {
    event.preventDefault();
    const view = current();
    const game = games.find((one) => one.name === input("sum-game").value);
    const text = input("sum-text").value.trim() || (game?.example ?? "");
    if (!view) return;
    const isWritten = input("sum-game").value === WRITTEN;
    if (!text && !isWritten) return complain("Type a value, such as +-1 or {3|{1|-2}}.");
    let [added, texts] = [game ? `${game.name} ${text}` : text, view.text];
    try {
      if (isWritten) [added, texts] = await fromEditor(view, text);
    } catch (error) {
      return complain(error instanceof Error ? error.message : String(error));
    }
    if (await put(view, [...pieces(view), added], texts)) {
      input("sum-text").value = "";
      if (!view.summands) toast("This is a sum now. The game that was on the bench is under Recent.");
    }
  };
}

/** @param {View} view */
export function update(view) {
  byId("summands").replaceChildren(...(view.summands ?? []).map((one, index) => {
    const away = make("button", { type: "button", class: "icon", "aria-label": `Take summand ${index + 1} away`, title: "Take it away" }, "✕");
    away.onclick = () => {
      const list = pieces(view);
      list.splice(index, 1);
      if (list.length) put(view, list);
      else toast("The last summand stays.");
    };
    const alone = one.game ? make("button", { type: "button", title: "Put this one alone on the bench" }, "alone") : null;
    if (alone) alone.onclick = () => open({ game: one.game, text: view.text, position: one.text }).catch((error) => toast(error.message));
    return make("li", {}, make("b", {}, String(index + 1)), make("span", {}, one.title ? `${one.title} ` : "", make("code", {}, one.text)), alone, away);
  }));
  byId("sum-head").textContent = view.summands ? "Add another summand" : "Make a sum: add to what is on the bench";
}
