// The engine as WebAssembly against the program: the same questions, the same answers.
// Usage: node compare.mjs SITE PROGRAM
//
// Asked are the examples of the documents, every game of the list, and some positions. The program answers as `gamebench app`.
import { spawn } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";

const [site, program] = process.argv.slice(2);
const root = new URL("../../../", import.meta.url);

/* The engine. */
const { Engine } = await import(pathToFileURL(join(site, "engine.js")).href);
const begun = performance.now();
const module = await WebAssembly.compile(gunzipSync(readFileSync(join(site, "engine.pack"))));
const engine = await Engine.start(module);
const loaded = performance.now() - begun;

function here(method, path, body) {
  const asked = JSON.parse(engine.call("answer", JSON.stringify([method, path, body === undefined ? "" : JSON.stringify(body)])));
  if (!asked.task) return { status: asked.status, text: asked.body };
  const events = [];
  engine.listener = { tell: (told) => events.push(JSON.parse(told)) };
  const done = JSON.parse(engine.call("run", JSON.stringify(asked.task)));
  if (asked.tells) return { status: done.status ?? 200, events };
  const reply = done.found === undefined ? done : JSON.parse(engine.call("finish", JSON.stringify([asked.then, done.found])));
  return { status: reply.status, text: reply.body };
}

/* The program. */
const server = spawn(program, ["app", "--port", "0", "--no-open", "--json", "--threads", "1"], { stdio: ["ignore", "pipe", "inherit"] });
const address = await new Promise((resolve, reject) => {
  server.on("error", reject);
  createInterface({ input: server.stdout }).once("line", (line) => resolve(JSON.parse(line).address.replace(/\/$/, "")));
});

async function there(method, path, body) {
  const options = body === undefined ? { method } : { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  // While the engine was busy here, the server may have closed the connection.
  const answer = await fetch(address + path, options).catch(() => fetch(address + path, options));
  const text = await answer.text();
  if (!(answer.headers.get("content-type") ?? "").startsWith("text/event-stream")) return { status: answer.status, text };
  const events = text.split("\n\n").filter(Boolean).map((block) => {
    const field = (name) => block.split("\n").find((line) => line.startsWith(name))?.slice(name.length).trim();
    return { event: field("event:"), data: JSON.parse(field("data:") ?? "null") };
  });
  return { status: answer.status, events };
}

/* What is compared: everything but names, times and how long it took. */
const PASSING = new Set(["session", "seconds", "nodes", "table"]);
function plain(data) {
  if (Array.isArray(data)) return data.map(plain);
  if (data === null || typeof data !== "object") return data;
  return Object.fromEntries(Object.keys(data).filter((key) => !PASSING.has(key)).sort().map((key) => [key, plain(data[key])]));
}
const read = (text) => {
  try {
    return plain(JSON.parse(text));
  } catch {
    return text;
  }
};
let [asked, failed] = [0, 0];
function same(what, ours, theirs) {
  asked += 1;
  const [a, b] = [JSON.stringify(ours), JSON.stringify(theirs)];
  if (a === b) return;
  failed += 1;
  let at = 0;
  while (a?.[at] === b?.[at]) at += 1;
  console.log(`${what}:\n  WebAssembly: ${a?.slice(Math.max(0, at - 60), at + 200)}\n  program:     ${b?.slice(Math.max(0, at - 60), at + 200)}`);
}
async function compare(method, path, body) {
  const [ours, theirs] = [here(method, path, body), await there(method, path, body)];
  same(`${method} ${path} ${JSON.stringify(body) ?? ""}`, [ours.status, read(ours.text)], [theirs.status, read(theirs.text)]);
  return [ours, theirs];
}
/** The same request to a session of either. */
async function both(game, position, what) {
  const [ours, theirs] = await compare("POST", "/api/sessions", { game, position });
  if (ours.status !== 201 || theirs.status !== 201) return;
  const [mine, yours] = [JSON.parse(ours.text), JSON.parse(theirs.text)].map((view) => `/api/sessions/${view.session}`);
  await what(
    async (name, method, path, body) => {
      const [a, b] = [here(method, mine + path, body), await there(method, yours + path, body)];
      same(`${game} ${position}: ${name}`, [a.status, read(a.text)], [b.status, read(b.text)]);
    },
    async (seconds) => {
      const shown = (answer) => plain(answer.events?.find(({ event }) => event === "shown")?.data ?? answer);
      const [a, b] = [here("POST", `${mine}/analysis`, { seconds }), await there("POST", `${yours}/analysis`, { seconds })].map(shown);
      same(`${game} ${position}: analysis`, a, b);
    },
    JSON.parse(ours.text),
  );
}

try {
  await compare("GET", "/api/games");
  await compare("GET", "/api/exercises");
  await compare("GET", "/api/nothing");
  await compare("GET", "/api/calc");

  // Every line of the calculator that the documents show.
  const documents = ["README.md", ...readdirSync(new URL("docs", root)).filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`)];
  const lines = new Set();
  const positions = [];
  for (const name of documents) {
    const text = readFileSync(new URL(name, root), "utf8");
    for (const [, line] of text.matchAll(/gamebench calc '([^']*)'/g)) lines.add(line);
    if (name === "docs/language.md") for (const [, line] of text.matchAll(/^> (.+)$/gm)) lines.add(line);
    for (const [, game, position] of text.matchAll(/^\$ gamebench (?:analyze|value) ([a-z-]+) '?([^' \n]+)'?$/gm)) positions.push([game, position]);
  }
  for (const line of lines) await compare("POST", "/api/calc", { line, variables: [["g", "{3|{1|-2}}"]] });

  // Every game: its example, a move, the record, the picture.
  for (const { name } of JSON.parse(here("GET", "/api/games").text).games) {
    await both(name, "", async (session, _, view) => {
      if (view.moves[0]) await session("a move", "POST", "", { command: "play", text: view.moves[0].text });
      await session("the record", "GET", "/record");
      await session("the picture", "GET", "/picture");
    });
    await compare("GET", `/api/games/${encodeURIComponent(name)}/picture`);
  }

  // Values, winners, scores, loops, analysts, sums.
  positions.push(["clobber", "xo..|.oxx|xo.."], ["domineering", "4x4"], ["nim", "3,5,7"], ["amazons", "x...|....|...o"], ["fox-and-geese", "x.x.|....|....|.o.."],
    ["sum", "clobber xo + nim 3 + ^"], ["toads-and-frogs", "tt..ff"], ["snort", "3x3"], ["regio", "....|...."], ["hackenbush", ""], ["kayles", "9"]);
  for (const [game, position] of positions) {
    await both(game, position, async (session, analysis) => {
      await analysis(30);
      if (!["chess", "go"].includes(game)) await session("the explorer", "POST", "/explore", { path: [], seconds: 30 });
    });
  }
  for (const [game, position] of [["clobber", "xoxo|oxox"], ["nim", "3,5,6"], ["domineering", "3x3"]]) {
    await both(game, position, async (session) => {
      await session("a proof", "POST", "/proof", { seconds: 30 });
      await session("a move of the engine", "POST", "/engine", { seconds: 30 });
      await session("a move of a proof", "POST", "/engine", { seconds: 30, player: "proof" });
      await session("no player", "POST", "/engine", { player: "nobody" });
    });
  }

  // A game as text.
  const text = readFileSync(new URL("games/clobber.game", root), "utf8");
  const [written] = await compare("POST", "/api/sessions", { text, position: "xox|oxo" });
  if (written.status !== 201) throw new Error(written.text);
  await compare("POST", "/api/sessions", { text: "game nothing\nboard nowhere" });

  // Stopped by the clock, as the worker of the page does it.
  const { session } = JSON.parse(here("POST", "/api/sessions", { game: "domineering", position: "8x8" }).text);
  const task = JSON.parse(engine.call("answer", JSON.stringify(["POST", `/api/sessions/${session}/analysis`, "{\"seconds\": 60}"])));
  const [since, events] = [performance.now(), []];
  engine.listener = { tell: (told) => events.push(JSON.parse(told)), tick: () => { if (performance.now() - since > 1000) engine.cancel(); } };
  engine.call("run", JSON.stringify(task.task));
  const took = performance.now() - since;
  if (took > 3000 || !events.find(({ event }) => event === "shown")?.data.verdict.includes("stopped")) {
    failed += 1;
    console.log(`a search that was stopped after 1 s took ${Math.round(took)} ms`);
  }

  // How fast it is, beside the program with one thread.
  const timed = (what) => {
    const start = performance.now();
    const done = what();
    return done instanceof Promise ? done.then(() => performance.now() - start) : performance.now() - start;
  };
  const fresh = await Engine.start(module);
  const value = { game: "domineering", position: "5x6" };
  const opened = JSON.parse(JSON.parse(fresh.call("answer", JSON.stringify(["POST", "/api/sessions", JSON.stringify(value)]))).body);
  const search = JSON.parse(fresh.call("answer", JSON.stringify(["POST", `/api/sessions/${opened.session}/analysis`, "{\"seconds\": 300}"])));
  const ours = timed(() => fresh.call("run", JSON.stringify(search.task)));
  const remote = JSON.parse((await there("POST", "/api/sessions", value)).text).session;
  const theirs = await timed(() => there("POST", `/api/sessions/${remote}/analysis`, { seconds: 300 }));
  console.log(`engine loaded in ${Math.round(loaded)} ms; Domineering 5x6 analysed in ${Math.round(ours)} ms, by the program in ${Math.round(theirs)} ms (${(ours / theirs).toFixed(1)} times); ${Math.round(fresh.bytes() / 1e6)} MB`);
  console.log(`${asked} answers compared, ${failed} different`);
  if (asked < 200) throw new Error("too little was compared");
} finally {
  server.kill();
}
process.exit(failed ? 1 : 0);
