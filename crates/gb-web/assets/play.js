// @ts-check
/** Playing against the engine. */
import { ask } from "./api.js";
import * as clock from "./clock.js";
import { sideName } from "./board.js";
import { button, byId, input, make, toast } from "./dom.js";
import { command, current, show, tell } from "./state.js";

/** @typedef {import("./types.js").View} View */

/** @type {AbortController | null} */
let thinking = null;
/** @type {{text: string, gesture: string[], position: string} | null} */
let hint = null;

/** @param {[string, string][]} players */
export function start(players) {
  const list = byId("player");
  list.replaceChildren(...players.map(([name]) => make("option", { value: name }, name)));
  const about = () => { byId("about-player").textContent = players.find(([name]) => name === input("player").value)?.[1] ?? ""; };
  list.onchange = about;
  about();
  byId("engine").onclick = () => (thinking ? stop() : engine(false));
  byId("hint").onclick = () => engine(true);
  byId("takeback").onclick = takeBack;
  byId("opponent").onchange = () => { const view = current(); if (view) update(view); };
}

/** @param {import("./types.js").Side} side */
const isEngine = (side) => ["both", side].includes(input("opponent").value);

/** The hint for the position on the board. @param {View} view */
export const hintFor = (view) => (hint && hint.position === view.position ? hint : null);

/**
 * Makes a move of a person; false if it was not made. Nobody moves for the engine while it thinks.
 * @param {string} text @param {import("./types.js").Side} [player] who makes it, if that is not who is to play
 */
export async function playMove(text, player) {
  const view = current();
  if (!view) return false;
  if (thinking && isEngine(view.to_play)) {
    toast(`${sideName(view, view.to_play)} is the engine's, and it is thinking: stop it first, or wait.`);
    return false;
  }
  try {
    if (player && player !== view.to_play) await command({ command: "to-play", player });
    await command({ command: "play", text });
    return true;
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error));
    return false;
  }
}

/** Asks the strongest player for a move. */
export const askHint = () => engine(true);

/** Points at a move. @param {View} view @param {{move: string, gesture: string[]}} answer */
export function suggest(view, answer) {
  hint = { text: answer.move, gesture: answer.gesture, position: view.position };
}

/** Makes the engine move if it is its turn. @param {View} view */
export function update(view) {
  if (hint && hint.position !== view.position) hint = null;
  clock.update(view, { playing: input("opponent").value !== "", moving: !view.ended && isAtEnd(view) });
  const turn = isEngine(view.to_play) && !view.ended && isAtEnd(view);
  if (turn && !thinking) setTimeout(() => { if (current() === view && !thinking) engine(false); }, 30);
}

/** Whoever looks at earlier moves does not want them answered. @param {View} view */
const isAtEnd = (view) => !view.tree.some((node) => node.parent === view.at);

function stop() {
  thinking?.abort();
}

/** @param {string} text */
function say(text) {
  const box = byId("engine-says");
  box.textContent = text;
  box.hidden = !text;
}

/** @param {boolean} only a hint */
async function engine(only) {
  const view = current();
  if (!view || thinking) return;
  const abort = new AbortController();
  thinking = abort;
  button("engine").textContent = "Stop thinking";
  say("Thinking…");
  let next = null;
  try {
    // Whoever asks for a hint wants the best one, whoever plays: without a name, the strongest player is asked.
    const answer = await ask(`api/sessions/${view.session}/engine`, { player: only ? undefined : input("player").value, seconds: Number(input("seconds").value) || 2, hint: only }, abort.signal);
    if (only) {
      hint = { text: answer.move, gesture: answer.gesture, position: view.position };
      if (byId("panel-play").hidden) toast(`Try ${answer.move}: ${answer.why}`);
    }
    say(`${only ? "Try" : `${sideName(view, view.to_play)} played`} ${answer.move}: ${answer.why}`);
    if (current()?.session === view.session) next = answer;
  } catch (error) {
    say(abort.signal.aborted ? "Stopped." : error instanceof Error ? error.message : String(error));
    if (!only) {
      input("opponent").value = "";
      update(current() ?? view);
    }
  } finally {
    thinking = null;
    button("engine").textContent = "Engine moves now";
  }
  if (next) show(next);
}

/** Back to the last position in which a person is to move. */
async function takeBack() {
  stop();
  const view = current();
  if (!view) return;
  const parents = new Map(view.tree.map((node) => [node.id, node]));
  let node = parents.get(view.at);
  while (node && node.parent !== null) {
    const mover = node.player;
    node = parents.get(node.parent);
    if (!mover || !isEngine(mover)) break;
  }
  if (node) {
    await tell({ command: "go", node: node.id });
    say("Taken back. Your move.");
  }
}
