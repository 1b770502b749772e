// @ts-check
/** Sums: several positions and values on one bench. */
import { byId, input, make, toast } from "./dom.js";
import { command, current, open } from "./state.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Game} Game */

const SUM = "sum";

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

/** Puts these summands on the bench. @param {View} view @param {string[]} list */
async function put(view, list) {
  try {
    const position = list.join(" + ");
    if (view.summands) await command({ command: "setup", position });
    else await open({ game: SUM, position });
    complain("");
    return true;
  } catch (error) {
    complain(error instanceof Error ? error.message : String(error));
    return false;
  }
}

/** @param {Game[]} games */
export function start(games) {
  const list = byId("sum-game");
  list.replaceChildren(make("option", { value: "" }, "a value"), ...games.filter((game) => game.name !== SUM && !game.loopy && game.name !== "go").map((game) => make("option", { value: game.name }, game.title)));
  const fit = () => {
    const game = games.find((one) => one.name === input("sum-game").value);
    input("sum-text").placeholder = game ? `${game.example}, or a size` : "+-1, {3|{1|-2}}, ^*";
  };
  list.onchange = fit;
  fit();
  byId("sum-form").onsubmit = async (event) => {
    event.preventDefault();
    const view = current();
    const game = games.find((one) => one.name === input("sum-game").value);
    const text = input("sum-text").value.trim() || (game?.example ?? "");
    if (!view) return;
    if (!text) return complain("Type a value, such as +-1 or {3|{1|-2}}.");
    if (view.text !== undefined) return complain("A game that is a text cannot be a summand yet.");
    if (await put(view, [...pieces(view), game ? `${game.name} ${text}` : text])) {
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
    if (alone) alone.onclick = () => open({ game: one.game, position: one.text }).catch((error) => toast(error.message));
    return make("li", {}, make("b", {}, String(index + 1)), make("span", {}, one.title ? `${one.title} ` : "", make("code", {}, one.text)), alone, away);
  }));
  byId("sum-head").textContent = view.summands ? "Add another summand" : "Make a sum: add to what is on the bench";
}
