// @ts-check
/** What is on the bench, what was on it before, and who wants to know when it changes. */
import { ApiError, ask, remove, text } from "./api.js";
import { toast } from "./dom.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Shown} Shown */
/** A session that can be opened again: a record, and the place in its tree. @typedef {{id: string, title: string, position: string, moves: number, record: string, index: number, when: number}} Kept */

/** @type {View | null} */
let view = null;
/** @type {((view: View, before: View | null) => void)[]} */
const listeners = [];
/** What was found out about positions, by game and position. @type {Map<string, Shown>} */
const known = new Map(read("known", /** @type {[string, Shown][]} */ ([])));

/** @template T @param {string} name @param {T} otherwise @returns {T} */
export function read(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "") ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** Keeps something in this browser; where there is no room, it is not kept. @param {string} name @param {unknown} what */
export function write(name, what) {
  try {
    localStorage.setItem(name, JSON.stringify(what));
    return true;
  } catch {
    return false;
  }
}

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

/** So many analyses survive when the page is loaded again, and so large ones. */
const ANALYSES = 24;
const LARGEST = 150_000;

/** @param {View} at @param {Shown} shown */
export function learn(at, shown) {
  if (known.size > 500) known.clear();
  known.delete(key(at));
  known.set(key(at), shown);
  const small = [...known].filter(([, one]) => JSON.stringify(one).length < LARGEST).slice(-ANALYSES);
  while (small.length && !write("known", small)) small.splice(0, Math.ceil(small.length / 2));
}

/* Sessions of the past */

/** So many are listed. */
const RECENT = 20;
/** By which name the session on the bench is kept. */
let entry = sessionStorage.getItem("entry") ?? "";

/** @returns {Kept[]} */
export const recent = () => read("recent", /** @type {Kept[]} */ ([]));
export const entryName = () => entry;

/** @param {Kept} kept */
function keep(kept) {
  const others = recent().filter((one) => one.id !== kept.id && !(one.moves === 0 && one.position === kept.position && one.title === kept.title));
  const list = [kept, ...others].slice(0, RECENT);
  while (list.length && !write("recent", list)) list.pop();
}

/** @param {string} name */
function enter(name) {
  entry = name;
  sessionStorage.setItem("entry", name);
}

/** @param {string} session */
const recordOf = (session) => text(`api/sessions/${session}/record`).catch(() => null);

/* Steps that can be undone: the tree after each change. */

/** @type {{record: string, index: number}[]} */
let past = [];
/** @type {{record: string, index: number}[]} */
let undone = [];
/** What is being kept; one after the other, so that they stay in order. */
let keeping = Promise.resolve();
let restoring = false;

/** Keeps the tree of moves after it has changed: for undoing, for the list of recent sessions, and for the case that the server forgets it. @param {View} at */
export function keepRecord(at) {
  const index = at.tree.findIndex((node) => node.id === at.at);
  // What a search has noted is nothing that anybody would undo.
  const [name, isRestored, isNote] = [entry, restoring, last === "note"];
  keeping = keeping.then(async () => {
    const record = await recordOf(at.session);
    if (!record) return;
    sessionStorage.setItem("record", record);
    const kept = { id: name, title: at.game.title, position: at.position, moves: at.tree.length - 1, record, index, when: Date.now() };
    // An example that nobody has touched is found in the list of games.
    if (kept.moves || at.comment || at.position !== at.game.example) keep(kept);
    if (name !== entry || isRestored) return;
    const before = past[past.length - 1];
    if (before && (before.record === record || isNote)) Object.assign(before, { record, index });
    else {
      past.push({ record, index });
      undone = [];
      if (past.length > 200) past.shift();
    }
  });
  return keeping;
}

/** Takes the last change back, or makes it again. @param {boolean} [again] */
export async function undo(again = false) {
  await keeping;
  if (!view) return;
  const [from, to] = again ? [undone, past] : [past, undone];
  // The last of the past is what is on the bench.
  if (from.length < (again ? 1 : 2)) return toast(again ? "There is nothing to make again." : "There is nothing to undo.");
  const moved = from.pop();
  if (moved) to.push(moved);
  const wanted = past[past.length - 1];
  if (!wanted) return;
  restoring = true;
  try {
    const opened = await ask(`api/sessions/${view.session}`, { command: "open-record", record: wanted.record });
    await go(opened, wanted.index);
    await keeping;
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error));
  } finally {
    restoring = false;
  }
}

/** Shows a tree at one of its nodes, by their order. @param {View} opened @param {number} index */
async function go(opened, index) {
  const node = opened.tree[index]?.id;
  show(node === undefined || node === opened.at ? opened : await ask(`api/sessions/${opened.session}`, { command: "go", node }).catch(() => opened));
}

/**
 * Puts something on the bench: a game, by its name or as a text, with a position; or a record, at one of its nodes.
 * @param {{game?: string, text?: string, position?: string, record?: string}} what
 * @param {{index?: number, name?: string}} [place] where in the record, and by which name it is kept
 */
export async function open(what, { index = 0, name } = {}) {
  await keeping;
  const before = view;
  const opened = await ask("api/sessions", what);
  enter(name ?? opened.session);
  [past, undone] = [[], []];
  await go(opened, index);
  // Nobody will ask for the old one again: its record is kept.
  if (before) forget(before.session);
}

/** Opens a session of the past again. @param {string} id */
export async function openKept(id) {
  await keeping;
  const kept = recent().find((one) => one.id === id);
  if (!kept) return false;
  await open({ record: kept.record }, { index: kept.index, name: kept.id });
  return true;
}

/** @param {string} session */
function forget(session) {
  remove(`api/sessions/${session}`);
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
