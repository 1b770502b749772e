// @ts-check
/** How requests reach the bench. The page without a server has another file of this name (crates/gb-wasm/site), which asks an engine beside the page. */

/** Sends a request. @param {string} path @param {RequestInit} options @returns {Promise<Response>} */
export const send = (path, options) => fetch(path, options);

/** What is said where there is no answer. */
export const SILENCE = "The bench does not answer. Is `gamebench app` still running?";

/** Lets a link lead to what a request gives, or a picture show it. @param {HTMLElement} element @param {string} path */
export const lead = (element, path) => element.setAttribute(element instanceof HTMLImageElement ? "src" : "href", path);
