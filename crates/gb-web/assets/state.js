// @ts-check
/** What is on the bench, and who wants to know when it changes. */
import { ApiError, ask } from "./api.js";
import { toast } from "./dom.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Shown} Shown */

/** @type {View | null} */
let view = null;
/** @type {((view: View, before: View | null) => void)[]} */
const listeners = [];
/** What was found out about positions, by game and position. @type {Map<string, Shown>} */
const known = new Map();

/** @returns {View | null} */
export const current = () => view;

/** The last command that a person has given. */
let last = "";
export const lastCommand = () => last;

/** @param {(view: View, before: View | null) => void} listener */
export function onChange(listener) {
  listeners.push(listener);
}

/** @param {View} next */
export function show(next) {
  const before = view;
  view = next;
  for (const listener of listeners) listener(next, before);
}

/** Shows the same again, because something around it has changed. */
export function refresh() {
  if (view) show(view);
}

/** @param {{game: {name: string}, position: string}} at */
const key = (at) => `${at.game.name} ${at.position}`;
/** @param {View} at @returns {Shown | undefined} */
export const knownAbout = (at) => known.get(key(at));
/** @param {View} at @param {Shown} shown */
export function learn(at, shown) {
  if (known.size > 500) known.clear();
  known.set(key(at), shown);
}

/**
 * Puts something on the bench: a game, by its name or as a text, with a position; or a record.
 * @param {{game?: string, text?: string, position?: string, record?: string}} what
 */
export async function open(what) {
  const before = view;
  show(await ask("api/sessions", what));
  // Nobody will ask for the old one again.
  if (before) forget(before.session);
}

/** @param {string} session */
function forget(session) {
  fetch(`api/sessions/${session}`, { method: "DELETE" }).catch(() => {});
}

let keeping = 0;

/** Keeps the tree of moves in this window a moment after it has changed, for the case that the server forgets it. @param {View} at */
export function keepRecord(at) {
  clearTimeout(keeping);
  keeping = setTimeout(async () => {
    const record = await fetch(`api/sessions/${at.session}/record`).then((answer) => (answer.ok ? answer.text() : null)).catch(() => null);
    if (record) sessionStorage.setItem("record", record);
  }, 400);
}

/**
 * Opens the tree that this window has kept, at the position that was on the board. False if it does not have that position.
 * @param {{game: {name: string}, position: string} | null} at
 */
export async function reopen(at) {
  const record = sessionStorage.getItem("record");
  /** @type {View | null} */
  let found = record ? await ask("api/sessions", { record }).catch(() => null) : null;
  const has = () => found !== null && (!at || (found.game.name === at.game.name && found.position === at.position));
  // From the end backwards: that is where people usually are.
  const nodes = found?.tree.map((node) => node.id).reverse().slice(0, 200) ?? [];
  for (const node of nodes) {
    if (!found || has()) break;
    found = await ask(`api/sessions/${found.session}`, { command: "go", node }).catch(() => null);
  }
  if (found && has()) {
    show(found);
    return true;
  }
  if (found) forget(found.session);
  return false;
}

/**
 * Has the session do something. A session that the server has given up is opened again where it was.
 * @param {Record<string, unknown>} command
 */
export async function command(command) {
  if (!view) return;
  const at = view;
  last = String(command.command ?? "");
  try {
    show(await ask(`api/sessions/${at.session}`, command));
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    if (await reopen(at)) {
      toast("The server had forgotten the session; it is opened again.");
      return;
    }
    await open({ game: at.game.name, text: at.text, position: at.position });
    if (at.to_play !== view?.to_play) show(await ask(`api/sessions/${view?.session}`, { command: "to-play", player: at.to_play }));
    toast("The session was lost; this is its last position.");
  }
}

/**
 * The same, for callers who have no place to show an error.
 * @param {Record<string, unknown>} what
 */
export async function tell(what) {
  try {
    await command(what);
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error));
  }
}
