// @ts-check
/** New games: their text, what is wrong with it and where, and the board to try them on. */
import { byId, input, make } from "./dom.js";
import { open } from "./state.js";

/** @typedef {import("./types.js").View} View */

/** Texts to begin with. @type {[string, string][]} */
const EXAMPLES = [
  ["Clobber", `game clobber
board grid
cells . empty, x Left's stone, o Right's stone
left:  xo -> .x along orthogonal
right: ox -> .o along orthogonal
start checker x o
`],
  ["Toads and Frogs", `game toads-and-frogs
board strip
cells t toad, f frog, . empty
left:  t. -> .t ; tf. -> .ft
right: .f -> f. ; .tf -> ft.
start thirds t . f
`],
  ["Snort", `game snort
board grid
cells # not part of the board, . not coloured, x Left's colour, o Right's colour
left:  . -> x unless beside o
right: . -> o unless beside x
start fill .
`],
  ["A subtraction game", `game subtraction
board heap
both: n -> n-k where k in {1, 3, 4}
example 9,6
`],
];

const area = () => /** @type {HTMLTextAreaElement} */ (byId("text"));

/** Where a sentence says that something is wrong: characters from the beginning of the text. @param {string} text @param {string} sentence */
function placeOf(text, sentence) {
  const found = /^line (\d+), column (\d+)/.exec(sentence);
  if (!found) return null;
  const lines = text.split("\n");
  const [line, column] = [Number(found[1]) - 1, Number(found[2]) - 1];
  const before = lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0);
  // Columns count characters, and browsers count halves of some of them.
  const inLine = [...(lines[line] ?? "")].slice(0, column).join("").length;
  return before + inLine;
}

/** @param {string} sentence */
function complain(sentence) {
  const box = byId("text-error");
  box.textContent = sentence;
  box.hidden = !sentence;
  if (!sentence) {
    area().removeAttribute("aria-invalid");
    return;
  }
  area().setAttribute("aria-invalid", "true");
  const place = placeOf(area().value, sentence);
  if (place === null) return;
  area().focus();
  const end = /^[^\s;,]+/.exec(area().value.slice(place))?.[0].length ?? 1;
  area().setSelectionRange(place, place + end);
}

export function start() {
  byId("editor-form").onsubmit = async (event) => {
    event.preventDefault();
    try {
      await open({ text: area().value });
      complain("");
    } catch (error) {
      complain(error instanceof Error ? error.message : String(error));
    }
  };
  const examples = /** @type {HTMLSelectElement} */ (byId("text-example"));
  examples.append(...EXAMPLES.map(([name], index) => make("option", { value: index }, name)));
  examples.onchange = () => {
    area().value = EXAMPLES[Number(examples.value)]?.[1] ?? area().value;
    examples.value = "";
    complain("");
  };
  area().value = EXAMPLES[0]?.[1] ?? "";
  // Control and Enter: as the button.
  area().onkeydown = (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) /** @type {HTMLFormElement} */ (byId("editor-form")).requestSubmit();
  };
}

/** @param {View} view @param {View | null} before */
export function update(view, before) {
  // The texts of a sum are those of its summands, and not what is being written.
  const text = view.summands ? undefined : view.text;
  if (text !== undefined && text !== before?.text) input("text").value = text;
  if (text === undefined) byId("derived").hidden = true;
  if (!view.derived || text === undefined) return;
  const { alike, parts, ends, warnings } = view.derived;
  const known = [["Alike", alike], ["Parts", parts], ["End", ends], ...warnings.map((warning) => ["Warning", warning])];
  byId("derived").replaceChildren(...known.flatMap(([name = "", text = ""]) => [make("dt", {}, name), make("dd", {}, text)]));
  byId("derived").hidden = false;
}
