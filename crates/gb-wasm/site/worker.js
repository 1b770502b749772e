// @ts-check
/** A worker with an engine of its own. Does one thing after the other; while it is busy it hears nothing, so it looks at a flag. */
import { Engine } from "./engine.js";

/** How often a page hears that a search is still alive, in milliseconds. */
const PULSE = 200;

/** @type {Promise<Engine>} */
let starting;

/**
 * Whether the address of a flag means nothing any more. A busy worker gets no messages, and memory that is shared with the page is
 * only to be had from hosts with special headers; but the page can take an address back, and that can be seen from here.
 * @param {string} flag
 */
function isTaken(flag) {
  try {
    const look = new XMLHttpRequest();
    look.open("GET", flag, false);
    look.send();
    return false;
  } catch {
    return true;
  }
}

/** @param {MessageEvent} message */
self.onmessage = async ({ data }) => {
  if (data.module) {
    starting = Engine.start(data.module);
    starting.catch((error) => self.postMessage({ failed: String(error) }));
    return;
  }
  const engine = await starting;
  const since = performance.now();
  let [pulse, cancelled] = [since, false];
  engine.listener = {
    tell: (told) => self.postMessage({ told }),
    tick: () => {
      if (!cancelled && data.flag && isTaken(data.flag)) {
        cancelled = true;
        engine.cancel();
      }
      const now = performance.now();
      if (now - pulse < PULSE) return;
      pulse = now;
      self.postMessage({ nodes: engine.nodes(), seconds: (now - since) / 1000 });
    },
  };
  try {
    const answer = engine.call(data.call, data.text);
    self.postMessage({ answer, bytes: engine.bytes() });
  } catch (error) {
    self.postMessage({ failed: error instanceof RangeError ? "it goes deeper than this browser allows" : error instanceof Error ? error.message : String(error) });
  }
};
