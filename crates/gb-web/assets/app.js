// @ts-check
/** The page: puts the pieces together. */
import * as analysis from "./analysis.js";
import { ask } from "./api.js";
import * as board from "./board.js";
import { lead } from "./carrier.js";
import { button, byId, input, make, toast } from "./dom.js";
import { notes } from "./explorer.js";
import * as play from "./play.js";
import { share, unpacked } from "./share.js";
import { current, entryName, keepRecord, knownAbout, onChange, open, openKept, recent, refresh, reopen, show, tell, undo } from "./state.js";
import { drawTree } from "./tree.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Game} Game */

/** What is shown first. */
const FIRST = { game: "domineering", position: "..#...#..|..#.#.#..|###...##.|...##.#..|.#.##.#.#" };
/** The rest of the page, when it is there. @type {typeof import("./late.js") | null} */
let late = null;
/** The address that belongs to the position on the board. */
let address = "";
/** Whether a session of the past is being opened because somebody went back. */
let returning = false;

/** @param {View} view @param {View | null} before */
function update(view, before) {
  const title = `${view.game.title}${view.game.name.startsWith("misere(") ? ", misère" : ""}`;
  byId("game-title").textContent = title;
  document.title = `${title} · Game Bench`;
  const shown = knownAbout(view);
  board.drawBoard(view, shown, play.hintFor(view), notes(view, shown));
  drawTree(view, (node) => tell({ command: "go", node }));
  for (const side of /** @type {const} */ (["Left", "Right"])) {
    const control = byId(`turn-${side.toLowerCase()}`);
    control.setAttribute("aria-checked", String(view.to_play === side));
    control.lastElementChild?.replaceChildren(board.sideName(view, side));
  }
  byId("message").textContent = late?.message(view) ?? message(view);
  const at = view.tree.find((node) => node.id === view.at);
  const hasNext = view.tree.some((node) => node.parent === view.at);
  for (const name of ["first", "back", "delete"]) button(name).disabled = at?.parent === null;
  for (const name of ["forward", "last"]) button(name).disabled = !hasNext;
  button("promote").disabled = at?.parent === null;
  if (document.activeElement !== byId("comment") || before?.at !== view.at) input("comment").value = view.comment;
  byId("moves").replaceChildren(...view.moves.slice(0, 300).map((move) => make("option", { value: move.text })));
  byId("pass").hidden = !view.moves.some((move) => move.text === "pass");
  lead(byId("save"), `api/sessions/${view.session}/record`);
  const parts = new URLSearchParams({ game: view.game.name, position: view.position, turn: view.to_play });
  // A game that is a text has it in its address, for those who do not know it.
  if (view.text !== undefined) parts.set("text", view.text);
  address = `#${parts}`;
  // Another session is another page to go back from; a move is not.
  const kept = { entry: entryName() };
  if (history.state?.entry && history.state.entry !== kept.entry && !returning) history.pushState(kept, "", address);
  else if (location.hash !== address || history.state?.entry !== kept.entry) history.replaceState(kept, "", address);
  sessionStorage.setItem("session", view.session);
  if (before?.session !== view.session || before.tree !== view.tree) keepRecord(view);
  byId("detail").textContent = "";
  // The patterns of a text do not say who wins.
  byId("rules-text").textContent = `${view.game.rules}${/^\s*play\s+misere/m.test(view.summands ? "" : view.text ?? "") ? " Misère play: who cannot move wins." : ""}`;
  byId("rules-box").hidden = !view.game.rules;
  analysis.update(view, before);
  play.update(view);
  late?.update(view, before);
}

/** @param {View} view */
function message(view) {
  const last = view.tree.find((node) => node.id === view.at);
  const made = last?.player ? `${board.sideName(view, last.player)} played ${last.label}. ` : "";
  if (view.ended) return made + view.ended;
  const points = view.points === null || view.points === 0 ? "" : ` Points: ${view.points > 0 ? `Left ${view.points}` : `Right ${-view.points}`} ahead.`;
  const count = view.more_moves ? "many moves" : view.moves.length === 1 ? "one move" : `${view.moves.length} moves`;
  return `${made}${board.sideName(view, view.to_play)} to play, ${count}.${points}`;
}

/** Opens what the address says, or the session of this window, or something to look at. */
async function begin() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const session = sessionStorage.getItem("session");
  const packed = wanted.get("record");
  if (packed) {
    try {
      return await open({ record: await unpacked(packed) }, { index: Number(wanted.get("node") ?? 0) });
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error));
    }
  }
  if (session) {
    /** @type {View | null} */
    const kept = await ask(`api/sessions/${session}`).catch(() => null);
    const same = kept && (!wanted.has("game") || (kept.game.name === wanted.get("game") && kept.position === wanted.get("position")));
    if (kept && same) return show(kept);
  }
  const game = wanted.get("game");
  try {
    // The server has forgotten the session, but this window has not.
    if (session && await reopen(game ? { game: { name: game }, position: wanted.get("position") ?? "" } : null)) return;
    await open(game ? { game, text: wanted.get("text") ?? undefined, position: wanted.get("position") ?? "" } : FIRST);
    // Whoever comes for the first time sees at once what this is about.
    if (!game) analysis.analyse();
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error));
    await open(FIRST);
  }
  const turn = wanted.get("turn");
  if (turn && turn !== current()?.to_play) await tell({ command: "to-play", player: turn });
}

/** @param {Game[]} games */
function chooser(games) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("games"));
  const list = byId("game-list");
  const listGames = () => {
    const wanted = input("filter").value.trim().toLowerCase();
    const fitting = games.filter((game) => `${game.title} ${game.name} ${game.rules}`.toLowerCase().includes(wanted));
    list.replaceChildren(...fitting.map((game) => {
      const picture = make("img", { alt: "", loading: "lazy", width: 72, height: 72 });
      lead(picture, `api/games/${encodeURIComponent(game.name)}/picture`);
      const control = make("button", { type: "button", "data-game": game.name }, picture, make("b", {}, game.title), make("small", {}, game.rules));
      control.onclick = async () => {
        dialog.close();
        await open({ game: game.name }).catch((error) => toast(error.message));
      };
      return make("li", {}, control);
    }), ...(fitting.length ? [] : [make("li", { class: "quiet" }, "No game is called that.")]));
  };
  const listRecent = () => {
    const kept = recent().filter((one) => one.id !== entryName());
    byId("recent").hidden = !kept.length;
    byId("recent-list").replaceChildren(...kept.slice(0, 6).map((one) => {
      const control = make("button", { type: "button", "data-kept": one.id }, make("b", {}, one.title), make("small", {}, `${one.moves === 1 ? "1 move" : `${one.moves} moves`} · ${new Date(one.when).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" })}`), make("code", {}, one.position.slice(0, 60)));
      control.onclick = async () => {
        dialog.close();
        if (!await openKept(one.id).catch((error) => (toast(error.message), true))) toast("This session is no longer kept.");
      };
      return make("li", {}, control);
    }));
  };
  byId("choose").onclick = () => {
    input("filter").value = "";
    listGames();
    listRecent();
    dialog.showModal();
    byId("filter").focus();
  };
  input("filter").oninput = listGames;
  dialog.onclick = (event) => { if (event.target === dialog) dialog.close(); };
}

function tabs() {
  const all = [...document.querySelectorAll("[role=tab]")].map((tab) => /** @type {HTMLElement} */ (tab));
  /** @param {HTMLElement} chosen */
  const choose = (chosen) => {
    for (const tab of all) {
      const is = tab === chosen;
      tab.setAttribute("aria-selected", String(is));
      tab.tabIndex = is ? 0 : -1;
      byId(tab.getAttribute("aria-controls") ?? "").hidden = !is;
    }
    if (chosen.id !== "tab-setup") late?.rest();
    refresh();
  };
  all.forEach((tab) => {
    tab.onclick = (event) => {
      choose(tab);
      // After a click the arrow keys walk the tree of moves, as everywhere.
      if (event.detail > 0) tab.blur();
    };
    tab.onkeydown = (event) => {
      const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      const open = all.filter((other) => !other.hidden);
      const next = step ? open[(open.indexOf(tab) + step + open.length) % open.length] : undefined;
      if (!next) return;
      choose(next);
      next.focus();
      event.preventDefault();
      event.stopPropagation();
    };
  });
}

function theme() {
  const set = (/** @type {string | null} */ name) => {
    if (name) document.documentElement.dataset.theme = name;
  };
  set(localStorage.getItem("theme"));
  byId("theme").onclick = () => {
    const dark = document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    const next = dark === "dark" ? "light" : "dark";
    localStorage.setItem("theme", next);
    set(next);
  };
}

function controls() {
  for (const name of ["first", "back", "forward", "last"]) byId(name).onclick = () => tell({ command: name });
  byId("delete").onclick = () => tell({ command: "delete" });
  byId("promote").onclick = () => tell({ command: "promote" });
  byId("turn-left").onclick = () => tell({ command: "to-play", player: "Left" });
  byId("turn-right").onclick = () => tell({ command: "to-play", player: "Right" });
  byId("larger").onclick = () => board.setZoom(1.3);
  byId("smaller").onclick = () => board.setZoom(1 / 1.3);
  byId("fit").onclick = () => board.setZoom(0);
  byId("pass").onclick = () => play.playMove("pass");
  byId("undo").onclick = () => undo();
  byId("flip").onclick = board.flip;
  byId("typed").onsubmit = (event) => {
    event.preventDefault();
    const text = input("move").value;
    if (!text.trim()) return;
    play.playMove(text);
    input("move").value = "";
  };
  byId("comment").onchange = () => tell({ command: "comment", text: input("comment").value });
  byId("mark-form").onsubmit = (event) => {
    event.preventDefault();
    const view = current();
    const wanted = input("mark-spot").value.trim().toLowerCase();
    const item = view?.scene.items.find((item) => board.nameOf(view, item.spot).toLowerCase() === wanted);
    if (item) tell({ command: "mark", spot: item.spot, text: input("mark-text").value.trim() });
    else toast(wanted ? `There is no ${wanted} on this board.` : "Say where to write, such as a1.");
  };
  byId("open-file").onclick = () => byId("file").click();
  byId("file").onchange = async () => {
    const file = input("file").files?.[0];
    if (!file) return;
    await open({ record: await file.text() }).catch((error) => toast(error.message));
    input("file").value = "";
  };
  byId("share").onclick = () => {
    const view = current();
    if (view) share(view, address);
  };
  window.onpopstate = async (event) => {
    const kept = event.state?.entry;
    if (kept === entryName() && location.hash === address) return;
    returning = true;
    try {
      if (!kept || !await openKept(kept)) await begin();
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error));
    } finally {
      returning = false;
    }
  };
}

async function main() {
  // Whoever comes by a link wants what it leads to.
  const isFirst = !location.hash;
  theme();
  tabs();
  controls();
  analysis.start();
  board.handle({ play: play.playMove, say: (text) => { byId("message").textContent = text; } });
  board.start((spot) => {
    const view = current();
    const shown = view && knownAbout(view);
    const part = spot === null ? null : board.partAt(spot);
    board.stress(part);
    const known = part === null ? undefined : shown?.parts[part];
    byId("detail").textContent = known ? analysis.describe(known) : "";
  });
  onChange(update);
  const [{ games, players }] = await Promise.all([ask("api/games"), begin()]);
  chooser(games);
  board.knowGames(games);
  play.start(players);
  performance.mark("usable");
  const rest = await import("./late.js");
  await rest.start(games, isFirst);
  late = rest;
  const view = current();
  if (view) late.update(view, null);
  document.body.dataset.ready = "true";
}

main().catch((error) => toast(error.message));
