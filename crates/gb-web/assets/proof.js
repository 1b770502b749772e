// @ts-check
/** Proofs of who wins: made and saved, or opened and checked. */
import { ApiError, ask, text } from "./api.js";
import { button, byId, input, make } from "./dom.js";
import { current } from "./state.js";

/** @param {string} sentence @param {boolean} wrong */
function say(sentence, wrong = false) {
  byId("proof-says").textContent = sentence;
  byId("proof-says").classList.toggle("error", wrong);
}

/** What a certificate proves. @param {string} certificate */
async function checked(certificate) {
  const { claims, lines } = await ask("api/check", { certificate });
  return `Checked, ${lines} lines: ${claims.join("; ")}.`;
}

/** @param {() => Promise<string>} work */
async function busy(work) {
  button("prove").disabled = true;
  try {
    say(await work());
  } catch (error) {
    say(error instanceof ApiError ? error.message : String(error), true);
  }
  button("prove").disabled = false;
}

export function start() {
  button("prove").onclick = () =>
    busy(async () => {
      const view = current();
      if (!view) return "";
      say("Looking for a proof…");
      const certificate = await text(`api/sessions/${view.session}/proof`, { seconds: Number(input("time").value) });
      const address = URL.createObjectURL(new Blob([certificate], { type: "text/plain" }));
      make("a", { href: address, download: `${view.game.name}.proof` }).click();
      URL.revokeObjectURL(address);
      return checked(certificate);
    });
  byId("check-proof").onclick = () => byId("proof-file").click();
  byId("proof-file").onchange = () =>
    busy(async () => {
      const file = input("proof-file").files?.[0];
      input("proof-file").value = "";
      return file ? checked(await file.text()) : "";
    });
}
