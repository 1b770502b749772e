// @ts-check
/** The trainer: exercises, the analyst's answers, and what a mistake gave away. */
import { ask } from "./api.js";
import { nameOf, sideName } from "./board.js";
import { button, byId, input, make, toast } from "./dom.js";
import { suggest } from "./play.js";
import { current, lastCommand, open, refresh, show, tell } from "./state.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Exercise} Exercise */
/** @typedef {import("./types.js").Lesson} Lesson */

/** Seconds for a move where a proof is to be had, and where it is only tried. */
const PROVED = 12;
const HEDGED = 4;

/** @type {Exercise[]} */
let exercises = [];
/** What is being learnt, in which session. @type {{exercise: Exercise, session: string, mistakes: number, helped: boolean, over: boolean} | null} */
let active = null;
/** The move that is being judged. @type {AbortController | null} */
let waiting = null;

/** Exercises that were solved in this browser. @returns {Set<string>} */
function solved() {
  try {
    return new Set(JSON.parse(localStorage.getItem("solved") ?? "[]"));
  } catch {
    return new Set();
  }
}

export async function start() {
  exercises = (await ask("api/exercises")).exercises;
  byId("train-back").onclick = takeBack;
  byId("train-hint").onclick = hint;
  byId("train-again").onclick = () => { if (active) begin(active.exercise); };
  byId("train-next").onclick = next;
  byId("train-all").onclick = () => leave(true);
  list();
  const view = current();
  if (view) update(view, null);
}

/** The exercises by theme. */
function list() {
  const done = solved();
  const themes = [...new Set(exercises.map((exercise) => exercise.theme))];
  byId("exercises").replaceChildren(...themes.map((theme) => {
    const rows = exercises.filter((exercise) => exercise.theme === theme).map((exercise) => {
      const is = done.has(exercise.id);
      const control = make("button", { type: "button", "data-exercise": exercise.id, title: exercise.source },
        make("b", {}, exercise.title), make("small", {}, exercise.task), make("i", { class: "tick", "aria-label": is ? "solved" : "not solved yet" }, is ? "✓" : ""));
      control.onclick = () => begin(exercise);
      return make("li", {}, control);
    });
    return make("section", {}, make("h2", {}, theme), make("ul", {}, ...rows));
  }));
  byId("train-count").textContent = `${exercises.filter((exercise) => done.has(exercise.id)).length} of ${exercises.length} solved in this browser.`;
}

/** @param {Exercise} exercise */
async function begin(exercise) {
  waiting?.abort();
  input("opponent").value = "";
  active = null;
  try {
    await open({ game: exercise.game, position: exercise.position });
  } catch (error) {
    return toast(error instanceof Error ? error.message : String(error));
  }
  const view = current();
  if (!view) return;
  active = { exercise, session: view.session, mistakes: 0, helped: false, over: false };
  byId("train-list").hidden = true;
  byId("train-one").hidden = false;
  byId("train-title").textContent = exercise.title;
  byId("train-task").textContent = exercise.task;
  byId("train-source").textContent = `${exercise.note} Source: ${exercise.source}.`;
  byId("train-log").replaceChildren();
  say("Your move.", "");
  refresh();
  byId("train-title").focus();
}

/** Back to the list. @param {boolean} toList whether the reader wants to see it */
function leave(toList) {
  waiting?.abort();
  active = null;
  byId("train-list").hidden = false;
  byId("train-one").hidden = true;
  list();
  refresh();
  if (toList) byId("exercises").querySelector("button")?.focus();
}

function next() {
  const at = active ? exercises.indexOf(active.exercise) : -1;
  const following = exercises[(at + 1) % exercises.length];
  if (following) begin(following);
}

/** What is to be read above the board, if somebody is learning. @param {View} view */
export function message(view) {
  if (!active || view.session !== active.session) return null;
  if (waiting) return `${sideName(view, view.to_play)} is thinking about an answer…`;
  if (active.over) return byId("train-says").textContent;
  return view.to_play === active.exercise.learner ? active.exercise.task : `${sideName(view, view.to_play)} to play. Take back, or go on yourself.`;
}

/** Answers a move of the learner's. @param {View} view @param {View | null} before */
export function update(view, before) {
  const fits = exercises.some((exercise) => exercise.game === view.game.name);
  byId("tab-train").hidden = !fits;
  if (!fits && byId("tab-train").getAttribute("aria-selected") === "true") byId("tab-analysis").click();
  if (active && view.session !== active.session) return leave(false);
  if (!active) return;
  const node = view.tree.find((one) => one.id === view.at);
  button("train-back").disabled = node?.parent === null;
  button("train-hint").disabled = view.ended !== null || view.to_play !== active.exercise.learner;
  const made = before?.session === view.session && node?.parent === before.at && node.player === active.exercise.learner && lastCommand() === "play";
  if (made && !waiting) judge(view);
}

/** @param {View} view */
async function judge(view) {
  const learning = active;
  if (!learning) return;
  const abort = new AbortController();
  waiting = abort;
  say("The analyst looks at your move…", "");
  byId("message").textContent = message(view);
  /** @type {Lesson | null} */
  let lesson = null;
  try {
    lesson = await ask(`api/sessions/${view.session}/lesson`, { exercise: learning.exercise.id, seconds: learning.exercise.goal === "tempi" ? HEDGED : PROVED }, abort.signal);
  } catch (error) {
    if (!abort.signal.aborted) say(error instanceof Error ? error.message : String(error), "bad");
  } finally {
    if (waiting === abort) waiting = null;
  }
  if (!lesson || active !== learning || current()?.at !== view.at) return;
  tellAbout(lesson, learning, view);
  show(lesson);
}

/** @param {Lesson} lesson @param {NonNullable<typeof active>} learning @param {View} view */
function tellAbout(lesson, learning, view) {
  const { judgement, standing } = lesson;
  const bad = judgement.grade === "mistake" || judgement.grade === "seems-mistake";
  if (bad) learning.mistakes += 1;
  const words = { good: "Good", mistake: "A mistake", "seems-good": "Seems good", "seems-mistake": "Seems to be a mistake", unknown: "Not known" };
  const kind = bad ? "bad" : judgement.grade === "unknown" ? "" : "good";
  const entry = make("li", { class: kind && `is-${kind}`, "data-grade": judgement.grade },
    make("b", {}, `${judgement.text}: ${words[judgement.grade]}.`), ...judgement.sentences.map((text) => make("p", {}, text)), weights(lesson),
    judgement.reply ? make("p", {}, `${sideName(view, learning.exercise.learner === "Left" ? "Right" : "Left")} answers `, make("b", {}, judgement.reply.text), `: ${judgement.reply.why}.`) : null,
    bad && judgement.line.length > 1 ? make("p", { class: "quiet" }, `It goes on ${judgement.line.slice(0, 8).join(" ")}${judgement.line.length > 8 ? " …" : "."}`) : null);
  byId("train-log").prepend(entry);
  if (!standing) return say(bad ? "Take back and try another move, or play on." : "Your move.", bad ? "bad" : "");
  learning.over = true;
  if (!standing.solved) return say(`Not solved. ${standing.text}`, "bad");
  const how = learning.helped ? " (with a hint)" : learning.mistakes ? ` (after ${learning.mistakes === 1 ? "one mistake" : `${learning.mistakes} mistakes`})` : "";
  say(`Solved${how}. ${standing.text}`, "good");
  localStorage.setItem("solved", JSON.stringify([...solved().add(learning.exercise.id)]));
}

/** Before and after, as far as it is known. @param {Lesson} lesson */
function weights({ judgement }) {
  const names = { white: "White wins", draw: "a draw", black: "Black wins" };
  /** @param {"white" | "draw" | "black" | null} ending */
  const told = (ending) => (ending ? names[ending] : "not proved");
  const { values } = judgement;
  const rows = [["Proved", told(judgement.before), told(judgement.after)], ...(values ? [["Sum of the chunks", values.before, values.leaves]] : [])];
  const head = make("tr", {}, ...["", "before", "after"].map((text) => make("th", { scope: "col" }, text)));
  const body = make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map((text) => make("td", {}, text ?? "")))));
  if (values?.lost && values.lost !== "0") body.append(make("tr", {}, make("td", {}, "Given away"), make("td", { colspan: 2 }, values.lost)));
  return make("table", { class: "weights" }, make("thead", {}, head), body);
}

/** @param {string} text @param {string} kind */
function say(text, kind) {
  const box = byId("train-says");
  box.textContent = text;
  box.className = `verdict ${kind}`;
}

/** Back to where the learner was to move. */
async function takeBack() {
  const view = current();
  if (!view || !active) return;
  waiting?.abort();
  waiting = null;
  active.over = false;
  const nodes = new Map(view.tree.map((node) => [node.id, node]));
  let node = nodes.get(view.at);
  while (node && node.parent !== null) {
    const own = node.player === active.exercise.learner;
    node = nodes.get(node.parent);
    if (own) break;
  }
  if (!node) return;
  say("Taken back. Your move.", "");
  await tell({ command: "go", node: node.id });
}

async function hint() {
  const view = current();
  if (!view || !active || waiting) return;
  active.helped = true;
  say("Looking for a move…", "");
  try {
    const answer = await ask(`api/sessions/${view.session}/engine`, { seconds: 4, hint: true });
    suggest(view, answer);
    const where = answer.gesture.map((/** @type {string} */ spot) => nameOf(view, spot)).join(" to ");
    say(`Try ${answer.move}${where ? ` (${where})` : ""}: ${answer.why}`, "");
    if (current()?.at === view.at) refresh();
  } catch (error) {
    say(error instanceof Error ? error.message : String(error), "bad");
  }
}
