// @ts-check
/** A whole record, move by move: how hot the board was, what each move lost, and what would have been better. */
import { ask, follow } from "./api.js";
import { nameOf, showMove } from "./board.js";
import { button, byId, draw, input, make } from "./dom.js";
import { current, tell } from "./state.js";
import { fractions } from "./typeset.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Node} Node */
/** @typedef {import("./types.js").Followed} Followed */

/** The games whose records can be followed. */
const FOLLOWED = ["go"];
/** Whoever says nothing follows so many moves, up to the end. */
const USUAL = 100;
const [WIDTH, HEIGHT, LEFT, BOTTOM] = [480, 170, 34, 24];

/** What is known about the moves, by their numbers. @type {Map<number, Followed>} */
const known = new Map();
/** The moves that this is about: another line has to be followed anew. */
let about = "";
/** @type {{abort: AbortController, name: string} | null} */
let running = null;

/** The moves of the main line. @param {View} view @returns {Node[]} */
function line(view) {
  /** @type {Map<number | null, Node>} */
  const first = new Map();
  for (const node of view.tree) if (!first.has(node.parent)) first.set(node.parent, node);
  const moves = [];
  for (let node = first.get(null); node; node = first.get(node.id)) if (node.player) moves.push(node);
  return moves;
}

/** @param {View} view */
const key = (view) => `${view.session} ${line(view).map((node) => `${node.id}${node.label}`).join(" ")}`;

/** @param {string} text */
function numberOf(text) {
  const [above = 0, below = 1] = text.split("/").map(Number);
  return above / below;
}

/** @param {string} score */
const scoreText = (score) => (score === "0" ? "even" : score.startsWith("-") ? `White by ${score.slice(1)}` : `Black by ${score}`);
/** @param {Followed} step */
const isMistake = (step) => step.loss !== null && step.loss !== "0";

/** Of areas whose temperature is not known, one may be hotter. @param {Followed} step */
const heatText = (step) => (step.may_be_hotter ? "≥ " : "") + step.temperature;

/** All that is known about a move, in a sentence. @param {Followed} step */
function sentence(step) {
  const score = step.score === null ? (step.bounds ? `between ${scoreText(step.bounds[0])} and ${scoreText(step.bounds[1])}` : null) : scoreText(step.score);
  return [
    `${step.move}. ${step.player === "black" ? "Black" : "White"} ${step.point}`,
    step.temperature === null ? (step.score === null ? "temperature not known" : "nothing is open") : `temperature ${heatText(step)}`,
    step.kind,
    score && `${score} with best play${step.exact ? "" : ", likely"}`,
    isMistake(step) && `lost ${step.loss}${step.better.length ? `, better ${step.better.join(" ")}` : ""}`,
  ].filter(Boolean).join(" · ");
}

/** Goes to the position after a move, or before it. @param {number} move @param {boolean} [before] */
function go(move, before = false) {
  const view = current();
  const node = view && line(view)[move - 1];
  if (node) tell({ command: "go", node: before ? node.parent : node.id });
}

/** Temperatures over moves. @param {View} view */
function graph(view) {
  const moves = line(view);
  const steps = [...known.values()].sort((a, b) => a.move - b.move);
  const [start, end] = [Math.min(...steps.map((step) => step.move)), moves.length];
  const top = Math.max(1, ...steps.map((step) => numberOf(step.temperature ?? "0")));
  /** @param {number} move */
  const x = (move) => LEFT + (WIDTH - LEFT - 12) * (end === start ? 0.5 : (move - start) / (end - start));
  /** @param {number} heat */
  const y = (heat) => HEIGHT - BOTTOM - (HEIGHT - BOTTOM - 12) * (Math.max(0, heat) / top);
  const svg = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": "Temperature by move", class: "heat" });
  for (const heat of [0, top / 2, top]) {
    svg.append(draw("path", { class: "rule", d: `M${LEFT} ${y(heat)}H${WIDTH - 8}` }), draw("text", { x: LEFT - 6, y: y(heat) + 4, "text-anchor": "end" }, String(Math.round(heat * 100) / 100)));
  }
  for (const move of new Set([start, Math.round((start + end) / 2), end])) svg.append(draw("text", { x: x(move), y: HEIGHT - 6, "text-anchor": "middle" }, String(move)));
  const at = moves.findIndex((node) => node.id === view.at) + 1;
  if (at >= start) svg.append(draw("path", { class: "now", d: `M${x(at)} 8V${HEIGHT - BOTTOM}` }));
  // Moves of which nothing is known leave a gap.
  const path = steps.map((step) => (step.temperature === null ? "" : `${known.get(step.move - 1)?.temperature ? "L" : "M"}${x(step.move)} ${y(numberOf(step.temperature))}`)).join("");
  svg.append(draw("path", { class: "course", d: path }));
  for (const step of steps) {
    if (step.temperature === null && !isMistake(step)) continue;
    const dot = draw("circle", { class: `at ${step.player}${step.exact && !step.may_be_hotter ? "" : " likely"}${isMistake(step) ? " mistake" : ""}`, cx: x(step.move), cy: y(numberOf(step.temperature ?? "0")), r: isMistake(step) ? 6 : 4, "data-move": step.move });
    dot.append(draw("title", {}, sentence(step)));
    svg.append(dot);
  }
  svg.onclick = (event) => {
    const box = svg.getBoundingClientRect();
    const share = ((event.clientX - box.left) * WIDTH / box.width - LEFT) / (WIDTH - LEFT - 12);
    go(Math.max(start, Math.min(end, Math.round(start + share * (end - start)))));
  };
  return svg;
}

/** A better move: pointing at it shows it. @param {View} view @param {string} name */
function better(view, name) {
  const spot = view.scene.items.find((item) => nameOf(view, item.spot).toLowerCase() === name.toLowerCase())?.spot;
  const shown = make("b", { class: "better", tabindex: 0 }, name);
  shown.onmouseenter = shown.onfocus = () => showMove(spot ? [spot] : null);
  shown.onmouseleave = shown.onblur = () => showMove(null);
  return shown;
}

/** @param {View} view */
function table(view) {
  const told = [...known.values()].filter((step) => step.temperature !== null || step.loss !== null || step.score !== null).sort((a, b) => a.move - b.move);
  const rows = told.map((step) => {
    const control = make("button", { type: "button", class: "follow", title: "The position before this move" }, make("i", { class: `dot ${step.player === "black" ? "left" : "right"}`, "aria-hidden": "true" }), `${step.move}. ${step.point}`);
    control.onclick = () => go(step.move, true);
    const score = step.score === null ? (step.bounds ? `${scoreText(step.bounds[0])} to ${scoreText(step.bounds[1])}` : "open") : `${scoreText(step.score)}${step.exact ? "" : ", likely"}`;
    return make("tr", { class: isMistake(step) ? "mistake" : "", "data-step": step.move }, make("td", {}, control), make("td", { class: "number" }, ...fractions(step.temperature === null ? "–" : heatText(step))), make("td", {}, step.kind), make("td", {}, ...fractions(score)), make("td", { class: "number" }, ...fractions(step.loss ?? "?")), make("td", {}, ...step.better.map((name) => better(view, name))));
  });
  const heads = [["Move", ""], ["Temp.", "number"], ["", ""], ["With best play", ""], ["Lost", "number"], ["Better", ""]].map(([text = "", kind = ""]) => make("th", { scope: "col", class: kind }, text));
  return make("div", { class: "table-box" }, make("table", { id: "followed" }, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows)));
}

/** What each player has lost, in a sentence. */
function summary() {
  const steps = [...known.values()];
  const lost = (/** @type {string} */ player) => {
    const mistakes = steps.filter((step) => step.player === player && isMistake(step));
    const points = mistakes.reduce((sum, step) => sum + numberOf(step.loss ?? "0"), 0);
    return mistakes.length ? `lost ${points} in ${mistakes.length === 1 ? "one mistake" : `${mistakes.length} mistakes`}` : "lost nothing that is known";
  };
  const rated = steps.filter((step) => step.loss !== null).length;
  const proven = steps.filter((step) => step.exact).length;
  return `Of ${steps.length} moves ${rated} could be rated, in positions of which ${proven} are proven. Black ${lost("black")}, White ${lost("white")}.`;
}

/** @param {View} view */
function show(view) {
  byId("follow-found").replaceChildren(...(known.size ? [make("p", { id: "follow-sum" }, summary()), graph(view), table(view)] : []));
}

/** Ends it because nobody wants to know any more. */
function forget() {
  running?.abort.abort();
  running = null;
  known.clear();
  busy(false);
  byId("follow-says").textContent = "Temperature by move, and what each move lost, from the last move backwards.";
}

/** @param {boolean} is */
function busy(is) {
  button("follow-go").textContent = is ? "Stop" : "Follow the record";
}

async function begin() {
  const view = current();
  if (!view) return;
  forget();
  const search = running = { abort: new AbortController(), name: "" };
  about = key(view);
  busy(true);
  const says = byId("follow-says");
  says.textContent = "Starting…";
  /** @type {Record<string, (data: any) => void>} */
  const handlers = {
    started: (data) => { search.name = data.search; },
    progress: (data) => { if (data.waiting) says.textContent = "All engines are busy: waiting for the next one…"; },
    step: ({ count, step }) => {
      known.set(step.move, step);
      says.textContent = `${known.size} of ${count} moves…`;
      const now = current();
      if (now) show(now);
    },
    result: (data) => { says.textContent = `${data.followed === data.moves ? "All" : `The last ${data.followed} of`} ${data.moves} moves · ${data.seconds.toFixed(1)} s`; },
    error: (data) => { says.textContent = data.error; },
  };
  try {
    await follow(`api/sessions/${view.session}/follow`, { from: Math.max(1, Math.round(Number(input("follow-from").value)) || 1), seconds: Number(input("time").value) }, (event, data) => {
      if (running === search) handlers[event]?.(data);
    }, search.abort.signal);
  } catch (error) {
    if (!search.abort.signal.aborted) says.textContent = error instanceof Error ? error.message : String(error);
  } finally {
    if (running === search) {
      running = null;
      busy(false);
    }
  }
}

export function start() {
  const from = make("input", { id: "follow-from", type: "number", min: 1, step: 1, value: 1, size: 4 });
  const control = make("button", { id: "follow-go", type: "button" });
  byId("panel-analysis").append(make("section", { id: "follow", class: "summing", "aria-labelledby": "follow-head", hidden: true }, make("h2", { id: "follow-head" }, "The whole game"), make("div", { class: "row" }, control, make("label", {}, "from move ", from)), make("p", { id: "follow-says", class: "quiet", role: "status", "aria-live": "polite" }), make("div", { id: "follow-found", class: "stack" })));
  control.onclick = () => {
    if (!running) begin();
    else if (running.name) ask(`api/searches/${running.name}/stop`, {}).catch(() => running?.abort.abort());
    else running.abort.abort();
  };
  forget();
}

/** @param {View} view @param {View | null} before */
export function update(view, before) {
  const moves = FOLLOWED.includes(view.game.name) ? line(view) : [];
  byId("follow").hidden = !moves.length;
  if (before?.session !== view.session) input("follow-from").value = String(Math.max(1, moves.length - USUAL + 1));
  if (about && about !== key(view)) {
    forget();
    about = "";
  }
  show(view);
}
