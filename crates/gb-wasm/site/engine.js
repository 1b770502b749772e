// @ts-check
/** The bench as WebAssembly: texts in, texts out. */

/**
 * What an engine tells of itself while it is busy, and the chance to stop it.
 * @typedef {{tell?: (text: string) => void, tick?: (engine: Engine) => void}} Listener
 */

/** How often a busy engine lets others have a word, in milliseconds. */
const TICK = 100;

export class Engine {
  /** @type {Listener} */
  listener = {};
  /** @type {any} */
  #exports;

  /** @param {WebAssembly.Module} module */
  static async start(module) {
    const engine = new Engine();
    let ticked = performance.now();
    const page = {
      // Every search asks for the time again and again: that is when it can be stopped.
      now: () => {
        const now = performance.now();
        if (now - ticked >= TICK) {
          ticked = now;
          engine.listener.tick?.(engine);
        }
        return now;
      },
      random: Math.random,
      tell: () => engine.listener.tell?.(engine.#read()),
      fail: () => {
        throw new Error(engine.#read());
      },
    };
    const instance = await WebAssembly.instantiate(module, { page });
    engine.#exports = instance.exports;
    engine.#exports.start();
    return engine;
  }

  /** Asks for something: `answer`, `run` or `finish`. @param {string} what @param {string} text */
  call(what, text) {
    const bytes = new TextEncoder().encode(text);
    const at = this.#exports.input(bytes.length);
    new Uint8Array(this.#exports.memory.buffer, at, bytes.length).set(bytes);
    this.#exports[what]();
    return this.#read();
  }

  #read() {
    return new TextDecoder().decode(new Uint8Array(this.#exports.memory.buffer, this.#exports.output(), this.#exports.output_len()));
  }

  /** Ends what is running, soon. */
  cancel() {
    this.#exports.cancel();
  }

  /** How many nodes were searched so far. @returns {number} */
  nodes() {
    return this.#exports.nodes();
  }

  /** How many bytes it holds. @returns {number} */
  bytes() {
    return this.#exports.memory.buffer.byteLength;
  }
}
