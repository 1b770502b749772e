// @ts-check
/** Addresses that hold a whole tree of moves. */
import { text } from "./api.js";
import { byId, input, toast } from "./dom.js";

/** @typedef {import("./types.js").View} View */

/** Longer addresses are cut by some programs. */
const LONGEST = 30_000;

/** @param {Uint8Array} bytes */
const toText = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
/** @param {string} text */
const toBytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

/** @param {BlobPart} bytes @param {ReadableWritablePair<Uint8Array, BufferSource>} through */
async function piped(bytes, through) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(through)).arrayBuffer());
}

/** A record as a part of an address. @param {string} record */
export async function packed(record) {
  return toText(await piped(new TextEncoder().encode(record), new CompressionStream("deflate-raw")));
}

/** The record in an address; throws if it is none. @param {string} text */
export async function unpacked(text) {
  try {
    return new TextDecoder().decode(await piped(toBytes(text), new DecompressionStream("deflate-raw")));
  } catch {
    throw new Error("The address is not complete: the tree of moves in it cannot be read.");
  }
}

/** Whether there is more to share than a position. @param {View} view */
const hasTree = (view) => view.tree.length > 1 || view.comment !== "" || view.marks.length > 0;

/** Copies the address of what is on the bench, and says what it holds. @param {View} view @param {string} position the address of the position alone */
export async function share(view, position) {
  let [hash, holds] = [position, "this position"];
  if (hasTree(view)) {
    const record = await text(`api/sessions/${view.session}/record`).catch(() => null);
    const tree = record ? `#${new URLSearchParams({ record: await packed(record), node: String(view.tree.findIndex((node) => node.id === view.at)) })}` : null;
    if (tree && tree.length < LONGEST) [hash, holds] = [tree, `the whole tree (${view.tree.length} positions)`];
    else holds = "this position alone: the tree is too long for an address, so save it as a file";
  }
  const link = `${location.origin}${location.pathname}${hash}`;
  const copied = await copy(link);
  if (copied) return toast(`Copied: the address of ${holds}.`);
  // The browser has refused: whoever wants the address can take it by hand.
  byId("share-what").textContent = `The browser did not let the page copy. This is the address of ${holds}:`;
  input("share-link").value = link;
  /** @type {HTMLDialogElement} */ (byId("share-box")).showModal();
  input("share-link").select();
}

/** Whether something could be copied. @param {string} text */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
