// @ts-check
/** The analysis: started, followed, stopped, shown. */
import { ask, follow } from "./api.js";
import { showMove, sideName, stress } from "./board.js";
import { button, byId, input, make, picture } from "./dom.js";
import { explorer } from "./explorer.js";
import { playMove } from "./play.js";
import { command, current, knownAbout, learn, refresh } from "./state.js";
import { fractions, value as typeset } from "./typeset.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Shown} Shown */
/** @typedef {import("./types.js").Part} Part */
/** @typedef {import("./types.js").DepthPart} DepthPart */
/** @typedef {import("./types.js").Estimate} Estimate */

/** The search that is running. @type {{abort: AbortController, name: string, position: string, parts: Part[], count: number, depths: {depth: number, parts: DepthPart[]}[]} | null} */
let running = null;
/** The part whose thermograph is shown; null means the sum. @type {number | null} */
let selected = null;
/** Whether the thermographs of all parts are in one picture. */
let together = false;

export function start() {
  byId("analyse").onclick = () => (running ? stop() : analyse());
}

/** Whether a search is going on. */
export const isRunning = () => running !== null;

/** Ends the search and shows what is known. */
async function stop() {
  const search = running;
  if (!search) return;
  byId("progress").textContent = "Stopping…";
  if (search.name) await ask(`api/searches/${search.name}/stop`, {}).catch(() => search.abort.abort());
  else search.abort.abort();
}

/** Ends the search because nobody wants to know any more. */
export function forget() {
  running?.abort.abort();
  running = null;
  busy(false);
}

/** @param {boolean} is */
function busy(is) {
  byId("bar").hidden = !is;
  const control = button("analyse");
  control.textContent = is ? "Stop" : "Analyse";
  control.classList.toggle("primary", !is);
}

/** Searches the position on the board. */
export async function analyse() {
  const view = current();
  if (!view) return;
  forget();
  /** @type {NonNullable<typeof running>} */
  const search = { abort: new AbortController(), name: "", position: view.position, parts: [], count: 0, depths: [] };
  running = search;
  selected = null;
  busy(true);
  byId("progress").textContent = "Starting…";
  byId("verdict").hidden = byId("estimate").hidden = true;
  byId("findings").replaceChildren();
  /** @type {Record<string, (data: any) => void>} */
  const handlers = {
    started: (data) => { search.name = data.search; },
    progress: (data) => { byId("progress").textContent = progressText(data, search); },
    part: (data) => {
      search.parts[data.index] = data.part;
      search.count = data.count;
      showTable(search.parts.filter(Boolean), null, view);
    },
    depth: (data) => {
      search.depths.push(data);
      byId("findings").replaceChildren(depthTable(search.depths));
    },
    estimate: (data) => {
      showEvaluation(view, undefined, data);
      byId("estimate").replaceChildren(...estimateText(view, data, true));
      byId("estimate").hidden = false;
    },
    shown: (data) => learn(view, data),
    result: (data) => { byId("progress").textContent = resultText(data); },
    error: (data) => { fail(data.error); },
  };
  try {
    await follow(`api/sessions/${view.session}/analysis`, { seconds: Number(input("time").value) }, (event, data) => {
      if (running === search) handlers[event]?.(data);
    }, search.abort.signal);
  } catch (error) {
    if (search.abort.signal.aborted) return;
    fail(error instanceof Error ? error.message : String(error));
  } finally {
    if (running === search) {
      running = null;
      busy(false);
    }
  }
  const shown = knownAbout(view);
  if (shown && current()?.position === view.position && current()?.session === view.session) {
    const value = shown.sum?.facts?.value;
    // The tree remembers what was found.
    if (value && !view.tree.some((node) => node.id === view.at && node.value === value) && current()?.at === view.at) await command({ command: "note", value }).catch(() => {});
    refresh();
    showDepths(search.depths);
  }
}

/** @param {string} sentence */
function fail(sentence) {
  byId("progress").textContent = "";
  byId("findings").replaceChildren(make("p", { class: "error", role: "alert" }, sentence));
}

/** @param {number} count */
const number = (count) => count.toLocaleString("en");

/** @param {{nodes: number, seconds: number, waiting: boolean}} data @param {{parts: Part[], count: number}} search */
function progressText(data, search) {
  if (data.waiting) return "All engines are busy: waiting for the next one…";
  const parts = search.count > 1 ? ` · ${search.parts.filter(Boolean).length} of ${search.count} parts` : "";
  return `${number(data.nodes)} nodes · ${data.seconds.toFixed(1)} s${parts}`;
}

/** @param {any} data */
function resultText(data) {
  const texts = [];
  if (typeof data.nodes === "number") texts.push(`${number(data.nodes)} nodes`);
  if (typeof data.seconds === "number") texts.push(`${data.seconds.toFixed(data.seconds < 1 ? 3 : 1)} s`);
  if (data.stopped) texts.push(data.stopped);
  return texts.join(" · ");
}

/** Shows what is known about the position on the board. @param {View} view @param {View | null} before */
export function update(view, before) {
  const moved = before?.position !== view.position || before.session !== view.session;
  if (moved) selected = null;
  if (running && (running.position !== view.position || before?.session !== view.session)) forget();
  if (running) return;
  const shown = knownAbout(view);
  const verdict = byId("verdict");
  verdict.hidden = !shown;
  verdict.textContent = shown?.verdict ?? "";
  showEvaluation(view, shown, shown?.estimate ?? null);
  byId("estimate").hidden = !shown?.estimate;
  if (shown?.estimate) byId("estimate").replaceChildren(...estimateText(view, shown.estimate, false));
  if (!shown) {
    byId("findings").replaceChildren();
    if (moved) byId("progress").textContent = "Takes the position apart and finds the value of each part.";
    if (moved && before && input("auto").checked && !view.ended) analyse();
    return;
  }
  if (moved && before) byId("progress").textContent = shown.stopped ?? "Known from before.";
  showAll(shown, view);
}

/** Why these games have reports, and no table of all moves with what they leave. @type {Record<string, string>} */
const UNEXPLORED = {
  go: "There is no table of moves with what they leave: in Go only the endgames around stones that are safe have values, and not the whole board. The report says what moves there are worth.",
  chess: "There is no table of moves with what they leave: in chess only pawns out of reach of the kings have values, and not the whole board. The report says which moves are proved to win, to draw or to lose, and what each group of pawns is worth.",
};

/** @param {Shown} shown @param {View} view */
function showAll(shown, view) {
  showTable(shown.parts, shown.sum, view);
  const findings = byId("findings");
  const chosen = selected === null ? shown.sum : shown.parts[selected];
  const graph = graphOf(chosen ?? shown.parts[0] ?? null, shown, view);
  const table = explorer(view, shown);
  if (table) findings.append(table);
  for (const [side, moves] of /** @type {[import("./types.js").Side, import("./types.js").GoodMove[]][]} */ ([["Left", shown.moves[0]], ["Right", shown.moves[1]]])) findings.append(goodMoves(side, moves, shown, view));
  if (graph) findings.append(graph);
  if (shown.report) findings.append(make("h2", {}, "Report"), ...(UNEXPLORED[view.game.name] ? [make("p", { class: "quiet" }, UNEXPLORED[view.game.name] ?? "")] : []), make("pre", { class: "report", tabindex: 0, "aria-label": "Report" }, shown.report));
}

/** @param {Part | null} part @param {Shown} shown @param {View} view */
function graphOf(part, shown, view) {
  const all = together && shown.together;
  const svg = all ? shown.together : part?.thermograph;
  const drawn = svg ? picture(svg) : null;
  if (!part || !drawn) return null;
  const title = all ? "Thermographs of the parts and the sum" : part.name === "sum" ? "Thermograph of the sum" : `Thermograph of ${part.name}`;
  const control = make("button", { type: "button", id: "together", "aria-pressed": String(together) }, together ? "One at a time" : "All in one picture");
  control.onclick = () => {
    together = !together;
    showAll(shown, view);
    byId("together").focus();
  };
  return make("figure", { class: "graph", id: "thermograph" }, make("div", { class: "head" }, make("h2", {}, title), shown.together ? control : null), drawn);
}

/** The share of games that Left is expected to win, between 0 and 1, or null. @param {View} view @param {Shown | undefined} shown @param {Estimate | null} estimate */
function shareOfLeft(view, shown, estimate) {
  // Points that were earned on the way count as well, and reports of analysts have the last word about their games.
  if (view.points !== null || shown?.report) return null;
  const outcome = shown?.sum?.facts?.outcome;
  const first = view.to_play === "Left" ? 1 : 0;
  const exact = { L: 1, R: 0, N: first, P: 1 - first }[outcome ?? ""];
  if (exact !== undefined) return exact;
  if (shown?.moves[first ? 0 : 1].length && shown.title.startsWith("wins")) return first;
  if (typeof estimate?.share !== "number") return null;
  return estimate.to_play === "Left" ? estimate.share : 1 - estimate.share;
}

/** The bar above the board. @param {View} view @param {Shown | undefined} shown @param {Estimate | null} estimate */
function showEvaluation(view, shown, estimate) {
  const bar = byId("evaluation");
  const share = shareOfLeft(view, shown, estimate);
  bar.hidden = share === null;
  if (share === null) return;
  const percent = Math.round(100 * share);
  const guess = estimate && !estimate.proven && shown?.sum?.facts?.outcome === undefined;
  const text = !guess ? `${sideName(view, percent > 50 ? "Left" : "Right")} wins` : `${sideName(view, "Left")} ${percent} %`;
  bar.classList.toggle("guess", Boolean(guess));
  bar.setAttribute("aria-label", guess ? `${sideName(view, "Left")} is expected to win ${percent} % of the games` : text);
  /** @type {HTMLElement} */ (bar.firstElementChild).style.width = `${percent}%`;
  if (bar.lastElementChild) bar.lastElementChild.textContent = text;
}

/** What the strongest player thinks, in sentences, with its move. @param {View} view @param {Estimate} estimate @param {boolean} goesOn @returns {(Node | string)[]} */
function estimateText(view, estimate, goesOn) {
  const mover = sideName(view, estimate.to_play);
  const move = /** @type {HTMLButtonElement} */ (make("button", { type: "button", class: "follow", title: `Play ${estimate.move}` }, make("b", {}, estimate.move)));
  move.disabled = estimate.to_play !== view.to_play;
  move.onclick = (event) => { if (event.detail < 2) playMove(estimate.move); };
  move.onmouseenter = () => showMove(estimate.gesture);
  move.onmouseleave = () => showMove(null);
  const share = estimate.share === null ? "" : estimate.proven ? `${mover} is proved to ${estimate.share ? "win" : "lose"}. ` : `${mover} is expected to win ${Math.round(100 * estimate.share)} % of the games. `;
  const effort = ` (${estimate.player}: ${number(estimate.nodes)} playouts, ${estimate.seconds.toFixed(1)} s)`;
  const help = goesOn ? "It gets better until you stop it." : estimate.proven ? "" : "More time makes it better; after a few moves the position is smaller, and may be solved.";
  return [`${share}Best move: `, move, `${effort}. ${help}`];
}

/** @param {import("./types.js").Side} side @param {import("./types.js").GoodMove[]} moves @param {Shown} shown @param {View} view */
function goodMoves(side, moves, shown, view) {
  const title = make("h3", {}, make("i", { class: `dot ${side.toLowerCase()}`, "aria-hidden": "true" }), `${sideName(view, side)} first ${moves.length ? shown.title : shown.sum && !shown.stopped ? "has no winning move" : "has no move that is known to be good"}`);
  const list = make("ul");
  // With the table above, a few reasons are enough.
  const few = shown.options?.some((one) => one.length) ? 3 : moves.length;
  for (const [index, move] of moves.entries()) {
    const control = /** @type {HTMLButtonElement} */ (make("button", { title: `Play ${move.text}` }, make("b", {}, move.text), make("span", {}, ...fractions(move.reason.replace(`${move.text} `, "")))));
    control.disabled = side !== view.to_play;
    // The second click of a double click is meant for what was there before the first.
    control.onclick = (event) => { if (event.detail < 2) playMove(move.text); };
    control.onmouseenter = () => showMove(move.gesture);
    control.onmouseleave = () => showMove(null);
    list.append(make("li", { hidden: index >= few }, control));
  }
  if (moves.length > few) {
    const more = make("button", { type: "button", class: "more" }, `${moves.length - few} more`);
    more.onclick = () => {
      for (const item of list.children) /** @type {HTMLElement} */ (item).hidden = false;
      more.remove();
    };
    list.append(make("li", {}, more));
  }
  return make("section", { class: "good", "aria-label": `Good moves of ${side}` }, title, moves.length ? list : null);
}

/** @param {Part[]} parts @param {Part | null} sum @param {View} view */
function showTable(parts, sum, view) {
  const body = make("tbody");
  parts.forEach((part, index) => body.append(row(part, index, view)));
  if (sum) body.append(row(sum, null, view));
  const heads = [["Part", "", "A part of the board that nothing joins to the others"], ["Value", "", "The value in canonical form"], ["Mean", "number", "What it is worth on average, in moves of Left"], ["Temp.", "number", "The temperature: how urgent a move is there"], ["Wins", "", "Who wins it alone: a player whoever begins, or the first or the second player"]];
  const head = make("tr", {}, ...heads.map(([text = "", kind = "", meaning = ""]) => make("th", { class: kind, scope: "col", title: meaning }, text)));
  const empty = parts.length ? null : make("p", { class: "quiet" }, "No part has a move left.");
  byId("findings").replaceChildren(make("div", { class: "table-box" }, make("table", { id: "parts" }, make("thead", {}, head), body)), ...(empty ? [empty] : []));
}

/** @param {Part} part @param {number | null} index @param {View} view */
function row(part, index, view) {
  const { facts } = part;
  const chip = make("button", { class: index === null ? "chip plain" : "chip", title: `Thermograph of ${part.name}` }, index === null ? "sum" : part.name);
  if (index !== null) chip.style.background = `var(--p${index % 8})`;
  const wins = { L: sideName(view, "Left"), R: sideName(view, "Right"), N: "first", P: "second" }[facts?.outcome ?? ""] ?? "";
  const value = make("td", { class: "value", title: part.position }, facts ? typeset(facts.value) : "?");
  if (part.note) value.append(make("div", { class: "note quiet" }, part.note));
  const line = make("tr", { class: index === null ? "sum" : "", "data-part": index }, make("td", {}, chip), value, make("td", { class: "number" }, ...fractions(facts?.mean ?? "–")), make("td", { class: "number" }, ...fractions(facts?.temperature ?? "–")), make("td", {}, wins));
  line.onmouseenter = () => stress(index);
  line.onmouseleave = () => stress(null);
  line.onclick = (event) => {
    if (event.detail > 1) return;
    selected = index;
    together = false;
    const shown = knownAbout(view);
    if (shown && !running) showAll(shown, view);
    document.getElementById("thermograph")?.scrollIntoView({ block: "nearest" });
  };
  return line;
}

/** @param {{depth: number, parts: DepthPart[]}[]} depths */
function depthTable(depths) {
  const several = depths.some(({ parts }) => parts.length > 1);
  const rows = depths.flatMap(({ depth, parts }) => parts.map((part) => make("tr", {}, make("td", { class: "number" }, String(depth)), ...(several ? [make("td", {}, part.part)] : []), make("td", { class: "value" }, typeset(part.value)), make("td", { class: "number" }, part.mean ?? "–"), make("td", { class: "number" }, part.temperature ?? "–"), make("td", {}, part.exact ? "exact" : "guess"))));
  const heads = ["Depth", ...(several ? ["Part"] : []), "Value", "Mean", "Temp.", ""].map((text) => make("th", { scope: "col" }, text));
  return make("div", { class: "table-box", id: "depths" }, make("h2", {}, "Depth by depth"), make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows)));
}

/** @param {{depth: number, parts: DepthPart[]}[]} depths */
function showDepths(depths) {
  if (depths.length) byId("findings").append(depthTable(depths));
}

/** One line about a part, for whoever points at it. @param {Part} part */
export function describe(part) {
  const { facts } = part;
  if (!facts) return `${part.name}: ${part.note || "not known"}`;
  const numbers = facts.mean === null ? "" : `, mean ${facts.mean}, temperature ${facts.temperature}`;
  return `${part.name}: ${facts.value}${numbers}${part.note ? ` (${part.note})` : ""}`;
}
