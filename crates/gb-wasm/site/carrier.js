// @ts-check
/** How requests reach the bench where there is no server: workers beside the page have an engine each. One keeps the sessions and answers at once, the others search. */

/** What is said where there is no answer. */
export const SILENCE = "The engine does not answer: the browser may have no WebAssembly, or no memory left.";

/** So many searches at once. */
const MOST = Math.max(2, Math.min(4, navigator.hardwareConcurrency || 2));
/** A worker that holds more bytes is not used again: memory that it once had it never gives back. */
const WORN = 256 << 20;
/** A search that was stopped ends within so many milliseconds, or its worker goes. */
const GRACE = 2_000;

/** The engine, packed so that every host sends few bytes. @type {Promise<WebAssembly.Module>} */
const engine = fetch("engine.pack").then(async (answer) => {
  if (!answer.ok || !answer.body) throw new Error(`there is no engine: ${answer.status}`);
  const unpacked = answer.body.pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compileStreaming(new Response(unpacked, { headers: { "content-type": "application/wasm" } }));
});

/** A worker that does one thing at a time. */
class Desk {
  bytes = 0;
  #worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  /** What it is doing. @type {{resolve: (text: string) => void, reject: (error: Error) => void, told: (message: any) => void} | null} */
  #doing = null;
  /** @type {Promise<unknown>} */
  #last = engine.then((module) => this.#worker.postMessage({ module }));

  constructor() {
    this.#worker.onmessage = ({ data }) => {
      if (data.failed !== undefined) this.end(new Error(data.failed));
      else if (data.answer === undefined) this.#doing?.told(data);
      else {
        this.bytes = data.bytes;
        this.#doing?.resolve(data.answer);
      }
    };
    this.#worker.onerror = (event) => this.end(new Error(event.message || SILENCE));
  }

  /**
   * Has it do something, when it has done what it was asked before.
   * @param {string} call @param {string} text @param {string} [flag] an address that is taken back to stop it @param {(message: any) => void} [told]
   * @returns {Promise<any>}
   */
  ask(call, text, flag, told = () => {}) {
    const asked = this.#last.then(() => new Promise((resolve, reject) => {
      if (this.ended) return reject(this.ended);
      this.#doing = { resolve, reject, told };
      this.#worker.postMessage({ call, text, flag });
    }));
    this.#last = asked.catch(() => {});
    return asked.then(JSON.parse);
  }

  /** Why it is not to be used any more. @type {Error | null} */
  ended = null;

  /** Ends it. @param {Error} why */
  end(why) {
    this.ended ??= why;
    this.#worker.terminate();
    this.#doing?.reject(this.ended);
  }
}

let sessions = new Desk();
/** Asks the one that keeps the sessions. If it has failed, the next begins without them; the page knows what was in its own. @param {string} call @param {unknown} what */
function ask(call, what) {
  if (sessions.ended) sessions = new Desk();
  return sessions.ask(call, JSON.stringify(what));
}

/** Those that search and have nothing to do; the first is ready before it is asked. @type {Desk[]} */
const idle = [new Desk()];
let busy = 0;
/** @type {(() => void)[]} */
const queue = [];

async function take() {
  if (busy >= MOST) await new Promise((resolve) => queue.push(() => resolve(undefined)));
  busy += 1;
  return idle.pop() ?? new Desk();
}

/** @param {Desk} desk */
function giveBack(desk) {
  busy -= 1;
  if (!desk.ended && desk.bytes > WORN) desk.end(new Error("worn"));
  if (!desk.ended) idle.push(desk);
  queue.shift()?.();
}

/** How to stop the searches that go on, by their names. @type {Map<string, () => void>} */
const running = new Map();
let count = 0;

/** @param {number} status @param {string} error */
const refusal = (status, error) => ({ status, kind: "application/json", body: JSON.stringify({ error }) });
const hungUp = () => new DOMException("nobody wants to know any more", "AbortError");

/**
 * Carries out a task.
 * @param {{task: unknown, then: unknown}} asked @param {AbortSignal | null | undefined} signal @param {(event: string, data: unknown) => void} tell
 */
async function search({ task, then }, signal, tell) {
  const name = String((count += 1));
  const flag = URL.createObjectURL(new Blob(["go on"]));
  /** @type {Desk | null} */
  let desk = null;
  const stop = () => {
    URL.revokeObjectURL(flag);
    const stopped = desk;
    if (stopped) setTimeout(() => { if (running.get(name) === stop) stopped.end(new Error("it did not stop in time and was given up")); }, GRACE);
  };
  running.set(name, stop);
  signal?.addEventListener("abort", stop);
  tell("started", { search: name });
  if (busy >= MOST) tell("progress", { nodes: 0, seconds: 0, waiting: true });
  desk = await take();
  try {
    if (signal?.aborted) throw hungUp();
    const done = await desk.ask("run", JSON.stringify(task), flag, (message) => {
      if (message.told === undefined) return tell("progress", { ...message, waiting: false });
      const { event, data } = JSON.parse(message.told);
      tell(event, data);
    });
    if (signal?.aborted) throw hungUp();
    return done.found === undefined ? done : ask("finish", [then, done.found]);
  } catch (error) {
    if (signal?.aborted) throw hungUp();
    return refusal(500, `the search failed inside the engine: ${error instanceof Error ? error.message : error}`);
  } finally {
    running.delete(name);
    URL.revokeObjectURL(flag);
    signal?.removeEventListener("abort", stop);
    giveBack(desk);
  }
}

/** @param {{status: number, kind: string, file?: string | null, body: string}} reply */
const response = ({ status, kind, file, body }) =>
  new Response(status === 204 ? null : body, { status, headers: { "content-type": kind, ...(file ? { "content-disposition": `attachment; filename="${file}"` } : {}) } });

/** A search that tells of itself, as a server would. @param {{task: unknown, then: unknown}} asked @param {AbortSignal | null | undefined} signal */
function stream(asked, signal) {
  const bytes = new TextEncoder();
  return new Response(new ReadableStream({
    async start(controller) {
      /** @param {string} event @param {unknown} data */
      const tell = (event, data) => {
        if (!signal?.aborted) controller.enqueue(bytes.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
      };
      signal?.addEventListener("abort", () => controller.error(hungUp()));
      try {
        const reply = await search(asked, signal, tell);
        if (reply.status !== 200) tell("error", JSON.parse(reply.body));
        controller.close();
      } catch (error) {
        if (!signal?.aborted) controller.error(error);
      }
    },
  }), { headers: { "content-type": "text/event-stream" } });
}

/** Sends a request. @param {string} path @param {RequestInit} options @returns {Promise<Response>} */
export async function send(path, { method = "GET", body, signal }) {
  const stopped = /^api\/searches\/(\w+)\/stop$/.exec(path);
  if (stopped) {
    const stop = running.get(stopped[1] ?? "");
    stop?.();
    return response(stop ? { status: 204, kind: "text/plain", body: "" } : refusal(404, "there is no such search, or it has ended"));
  }
  if (path === "api/status") return response({ status: 200, kind: "application/json", body: JSON.stringify({ searches: running.size, engines: MOST, busy }) });
  // The list of games can wait until the board is shown.
  if (path.startsWith("api/games")) await new Promise((resolve) => setTimeout(resolve));
  const answer = await ask("answer", [method, `/${path}`, body ?? ""]);
  if (answer.task === undefined) return response(answer);
  return answer.tells ? stream(answer, signal) : response(await search(answer, signal, () => {}));
}

/** Addresses of pictures that were asked for. @type {Map<string, Promise<string>>} */
const pictures = new Map();

/** @param {string} path */
async function blob(path) {
  const answer = await send(path, {});
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return { address: URL.createObjectURL(await answer.blob()), file: /filename="(.*)"/.exec(answer.headers.get("content-disposition") ?? "")?.[1] };
}

/** Lets a link lead to what a request gives, or a picture show it. @param {HTMLElement} element @param {string} path */
export function lead(element, path) {
  if (element instanceof HTMLImageElement) {
    const drawn = pictures.get(path) ?? blob(path).then(({ address }) => address);
    pictures.set(path, drawn);
    drawn.then((address) => { element.src = address; }, () => pictures.delete(path));
    return;
  }
  element.setAttribute("href", "#");
  element.onclick = async (event) => {
    event.preventDefault();
    const { address, file } = await blob(path);
    const link = document.createElement("a");
    link.href = address;
    if (file) link.download = file;
    else [link.target, link.rel] = ["_blank", "noopener"];
    link.click();
    // Whoever opens it needs it for a moment.
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  };
}
