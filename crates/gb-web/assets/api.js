// @ts-check
/** Talking to the bench. */
import { SILENCE, send } from "./carrier.js";

/** An answer that says what was wrong. */
export class ApiError extends Error {
  /** @param {number} status @param {string} message */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/**
 * @param {string} path
 * @param {unknown} [body]
 * @param {AbortSignal} [signal]
 * @param {string} [method]
 * @returns {Promise<Response>}
 */
async function request(path, body, signal, method = "GET") {
  /** @type {RequestInit} */
  const options = body === undefined ? { method, signal } : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body), signal };
  let response;
  try {
    response = await send(path, options);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiError(0, SILENCE);
  }
  if (!response.ok) {
    const answer = await response.json().catch(() => ({}));
    throw new ApiError(response.status, answer.error ?? `the bench answered ${response.status}`);
  }
  return response;
}

/**
 * @param {string} path
 * @param {unknown} [body]
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function ask(path, body, signal) {
  const response = await request(path, body, signal);
  return response.status === 204 ? null : response.json();
}

/** What the bench answers as it is. @param {string} path @param {unknown} [body] */
export async function text(path, body) {
  return (await request(path, body)).text();
}

/** Takes something away. @param {string} path */
export const remove = (path) => request(path, undefined, undefined, "DELETE").catch(() => {});

/**
 * Starts something that tells about itself in events.
 * @param {string} path
 * @param {unknown} body
 * @param {(event: string, data: any) => void} told
 * @param {AbortSignal} signal
 */
export async function follow(path, body, told, signal) {
  const response = await request(path, body, signal);
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += value;
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const fields = Object.fromEntries(text.slice(0, end).split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]));
      text = text.slice(end + 2);
      if (fields.event) told(fields.event, JSON.parse(fields.data ?? "null"));
    }
  }
}
