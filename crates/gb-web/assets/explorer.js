// @ts-check
/** The explorer: all moves with what they leave, and further down as far as one likes. */
import { ask } from "./api.js";
import { showMove, sideName } from "./board.js";
import { make, toast } from "./dom.js";
import { playMove } from "./play.js";
import { current, knownAbout, read, refresh, write } from "./state.js";
import { fractions, value } from "./typeset.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Side} Side */
/** @typedef {import("./types.js").Shown} Shown */
/** @typedef {import("./types.js").Option} Option */
/** @typedef {{player: Side, move: string}} Turn */

/** What is shown and how; kept in this browser. */
const wishes = { who: "to-play", sensible: false, board: false, ...read("explorer", {}) };
/** By which column, and which way. @type {{by: string, down: boolean} | null} */
let order = null;
/** Lines that are open, and what was found there. @type {Map<string, import("./types.js").Explored | null>} */
const opened = new Map();
/** To which position they belong. */
let root = "";

/** Columns with what the words mean. */
const COLUMNS = [
  ["move", "Move", ""],
  ["value", "Leaves", "The value of the whole position after the move"],
  ["mean", "Mean", "What the position is worth on average, in moves of Left"],
  ["temperature", "Temp.", "How urgent the next move is: what a move gains at the most"],
  ["wins", "Wins", "Who wins what is left: a player whoever begins, or the first or the second player"],
];

/** A number for ordering. @param {string | null | undefined} text */
function number(text) {
  const [above = NaN, below = 1] = (text ?? "").split("/").map(Number);
  return text ? above / below : -Infinity;
}

/** @param {Option} option @param {string} by */
function sortKey(option, by) {
  if (by === "move") return option.text;
  if (by === "temperature") return number(option.facts?.temperature);
  if (by === "wins" && option.winner) return ["Left", "Draw", "Right"].indexOf(option.winner);
  if (by === "wins") return "LNPR".indexOf(option.facts?.outcome ?? "R");
  return number(option.score ?? option.facts?.mean);
}

/** @param {Option[]} options @param {Side} player @returns {Option[]} */
function sorted(options, player) {
  const list = options.filter((option) => !wishes.sensible || option.sensible);
  const sign = player === "Left" ? -1 : 1;
  /** @param {Option} a @param {Option} b @param {string} by */
  const compare = (a, b, by) => {
    const [x, y] = [sortKey(a, by), sortKey(b, by)];
    return typeof x === "string" && typeof y === "string" ? x.localeCompare(y, "en", { numeric: true }) : Number(x) - Number(y) || 0;
  };
  const by = order;
  // Without a wish: what wins first, then what is worth most to the player.
  if (!by) return list.sort((a, b) => Number(b.wins) - Number(a.wins) || sign * compare(a, b, "mean"));
  return list.sort((a, b) => (by.down ? -1 : 1) * compare(a, b, by.by));
}

/** What is written on the board, if that is wanted. @param {View} view @param {Shown | undefined} shown */
export function notes(view, shown) {
  if (!wishes.board || !shown?.options) return [];
  const options = sorted(shown.options[view.to_play === "Left" ? 0 : 1], view.to_play);
  return options.slice(0, 120).flatMap((option) => (option.facts || option.score ? [{ gesture: option.gesture, text: option.score ?? option.facts?.value ?? "", wins: option.wins }] : []));
}

/** The table of moves. @param {View} view @param {Shown} shown @returns {HTMLElement | null} */
export function explorer(view, shown) {
  if (!shown.options?.some((list) => list.length)) return null;
  const at = `${view.session} ${view.position}`;
  if (root !== at) opened.clear();
  root = at;
  const body = make("tbody");
  const sides = wishes.who === "both" ? /** @type {Side[]} */ (["Left", "Right"]) : [wishes.who === "other" ? (view.to_play === "Left" ? "Right" : "Left") : view.to_play];
  for (const side of sides) body.append(...rows(view, shown.options, [], side));
  if (!body.childElementCount) body.append(make("tr", {}, make("td", { colspan: 6, class: "quiet" }, wishes.sensible ? "No move is sensible: all that matters has been played, and every move only costs." : "There is no move.")));
  const heads = COLUMNS.map(([by = "", text = "", meaning = ""]) => {
    const control = make("button", { type: "button", class: "sort", title: meaning || "Sort by the move" }, text, order?.by === by ? (order.down ? " ▾" : " ▴") : "");
    control.onclick = () => {
      order = order?.by === by ? (order.down ? { by, down: false } : null) : { by, down: by !== "move" };
      again();
    };
    return make("th", { scope: "col", class: ["mean", "temperature"].includes(by) ? "number" : "", "aria-sort": order?.by === by ? (order.down ? "descending" : "ascending") : "none" }, control);
  });
  const table = make("table", { id: "options" }, make("thead", {}, make("tr", {}, make("th", { scope: "col" }, make("span", { class: "hidden" }, "Expand")), ...heads)), body);
  return make("section", { class: "explorer", "aria-label": "Moves and what they leave" }, make("div", { class: "head" }, make("h2", {}, "Moves and what they leave"), choices(view)), make("div", { class: "table-box" }, table));
}

/** @param {View} view */
function choices(view) {
  const who = make("select", { id: "explore-who", "aria-label": "Whose moves" });
  who.append(...[["to-play", sideName(view, view.to_play)], ["other", sideName(view, view.to_play === "Left" ? "Right" : "Left")], ["both", "both"]].map(([name = "", text = ""]) => make("option", { value: name, selected: wishes.who === name }, text)));
  who.onchange = () => wish({ who: /** @type {HTMLSelectElement} */ (who).value });
  /** @param {"sensible" | "board"} name @param {string} text @param {string} meaning */
  const box = (name, text, meaning) => {
    const control = /** @type {HTMLInputElement} */ (make("input", { type: "checkbox", id: `explore-${name}`, checked: wishes[name] }));
    control.onchange = () => wish({ [name]: control.checked });
    return make("label", { class: "check", title: meaning }, control, text);
  };
  return make("div", { class: "row" }, who, box("sensible", "sensible only", "Only moves that are neither dominated nor reversible"), box("board", "on the board", "Writes what moves leave on the board"));
}

/** @param {Partial<typeof wishes>} some */
function wish(some) {
  Object.assign(wishes, some);
  write("explorer", wishes);
  again();
}

/** Draws everything again, with the keyboard where it was. */
function again() {
  const id = document.activeElement?.id;
  refresh();
  if (id) document.getElementById(id)?.focus();
}

/** @param {View} view @param {[Option[], Option[]]} options @param {Turn[]} path @param {Side} player @returns {HTMLElement[]} */
function rows(view, options, path, player) {
  return sorted(options[player === "Left" ? 0 : 1], player).flatMap((option) => row(view, option, [...path, { player, move: option.text }]));
}

/** Who wins what a move leaves. @param {View} view @param {Option} option */
function winnerOf(view, { facts, winner }) {
  if (winner) return winner === "Draw" ? "nobody" : sideName(view, winner);
  return { L: sideName(view, "Left"), R: sideName(view, "Right"), N: "first", P: "second" }[facts?.outcome ?? ""] ?? "";
}

/** A move, and if it is open, all that follows. @param {View} view @param {Option} option @param {Turn[]} path @returns {HTMLElement[]} */
function row(view, option, path) {
  const name = JSON.stringify(path);
  const { player } = path[path.length - 1] ?? { player: view.to_play };
  const further = opened.get(name);
  const { facts } = option;
  const wins = winnerOf(view, option);
  const expand = make("button", { type: "button", class: "expand", "aria-expanded": String(opened.has(name)), "aria-label": `Options after ${option.text}`, title: "Options after this move" }, opened.has(name) ? "▾" : "▸");
  expand.onclick = (event) => {
    event.stopPropagation();
    toggle(view, path);
  };
  const depth = Math.min(path.length - 1, 6);
  const move = make("button", { type: "button", class: "follow", title: path.length > 1 ? "Play all moves up to here" : `Play ${option.text}` }, make("i", { class: `dot ${player.toLowerCase()}`, "aria-hidden": "true" }), make("b", {}, option.text));
  const left = facts ? value(facts.value, 26) : option.score ? make("span", {}, ...fractions(option.score), option.score === "1" || option.score === "-1" ? " point" : " points") : option.to ? value(`part: ${option.to}`, 26) : make("span", { class: "quiet" }, option.winner ? "no value" : "not known");
  const line = make("tr", { class: `option depth-${depth}${option.wins ? " wins" : ""}${option.sensible ? "" : " poor"}`, "data-move": option.text, "data-depth": path.length },
    make("td", {}, expand), make("td", {}, move), make("td", { class: "value" }, left),
    make("td", { class: "number" }, ...fractions(option.score ?? facts?.mean ?? "–")), make("td", { class: "number" }, ...fractions(facts?.temperature ?? "–")), make("td", {}, wins));
  line.onmouseenter = () => showMove(path.length === 1 ? option.gesture : null);
  line.onmouseleave = () => showMove(null);
  line.addEventListener("focusin", () => showMove(path.length === 1 ? option.gesture : null));
  line.onclick = (event) => { if (event.detail < 2) follow(path); };
  if (!opened.has(name)) return [line];
  if (!further) return [line, make("tr", {}, make("td"), make("td", { colspan: 5, class: "quiet" }, "Looking…"))];
  const below = /** @type {Side[]} */ (["Left", "Right"]).flatMap((side) => rows(view, further.options, path, side));
  return [line, ...(below.length ? below : [make("tr", {}, make("td"), make("td", { colspan: 5, class: "quiet" }, "Nobody has a move here."))])];
}

/** Opens or closes the options after a line. @param {View} view @param {Turn[]} path */
async function toggle(view, path) {
  const name = JSON.stringify(path);
  if (opened.delete(name)) return again();
  opened.set(name, null);
  again();
  try {
    opened.set(name, await ask(`api/sessions/${view.session}/explore`, { path, seconds: 5 }));
  } catch (error) {
    opened.delete(name);
    toast(error instanceof Error ? error.message : String(error));
  }
  const now = current();
  if (now && `${now.session} ${now.position}` === root && knownAbout(now)) again();
}

/** Plays the moves of a line one after the other. @param {Turn[]} path */
async function follow(path) {
  for (const { player, move } of path) if (!await playMove(move, player)) return;
}
