// @ts-check
/** A short tour for whoever is here for the first time. It covers nothing that it speaks of, and everything can be used meanwhile. */
import { byId } from "./dom.js";
import { read, write } from "./state.js";

/** What is pointed at, and what is said about it. @type {[string, string, string][]} */
const STEPS = [
  ["board", "The board", "Click where you want to move, or drag a piece: what can be pointed at lights up. The arrow keys walk through the moves, and u takes back every change."],
  ["analyse", "Analyse", "The position is taken apart, each part gets its exact value, and the moves that win are marked in green. Below stand all moves with what they leave."],
  ["choose", "Games", "Choose another game here, or go back to what you had before under Recent. The rules stand below the board."],
  ["tab-play", "Play", "Play against the engine on either side. Hints always come from its strongest player."],
  ["tab-setup", "Set up", "Type or paint a position, draw a graph, add boards and values to a sum. Beside it you write games of your own, and calculate with values."],
  ["help", "Keys and words", "All keys, and what mean, temperature and the other words say. This tour is there as well."],
];
const SEEN = "toured";

let step = 0;

/** Marks what is spoken of. @param {string | undefined} id */
function mark(id) {
  for (const marked of document.querySelectorAll(".toured")) marked.classList.remove("toured");
  if (!id) return;
  byId(id).classList.add("toured");
  byId(id).scrollIntoView({ block: "nearest" });
}

function show() {
  const [id, title, text] = STEPS[step] ?? ["", "", ""];
  byId("tour-title").textContent = title;
  byId("tour-text").textContent = text;
  byId("tour-count").textContent = `${step + 1} of ${STEPS.length}`;
  byId("tour-next").textContent = step + 1 < STEPS.length ? "Next" : "Done";
  byId("tour-back").hidden = step === 0;
  // The board is on the left, the tools are on the right.
  byId("tour").classList.toggle("aside", id === "board");
  byId("tour").hidden = false;
  mark(id);
}

/** Ends the tour for good; it can be called again. */
function end() {
  const within = byId("tour").contains(document.activeElement);
  byId("tour").hidden = true;
  mark(undefined);
  write(SEEN, true);
  if (within) byId("help").focus();
}

/** Begins the tour. @param {boolean} called whether somebody has asked for it, and waits for it with the keyboard */
function begin(called) {
  step = 0;
  show();
  if (called) byId("tour-next").focus();
}

/** @param {boolean} isFirst whether nobody has asked for anything in particular */
export function start(isFirst) {
  byId("tour-next").onclick = () => {
    step += 1;
    if (step < STEPS.length) show();
    else end();
  };
  byId("tour-back").onclick = () => {
    step -= 1;
    show();
    if (byId("tour-back").hidden) byId("tour-next").focus();
  };
  byId("tour-skip").onclick = end;
  byId("tour").onkeydown = (event) => {
    if (event.key === "Escape") end();
    else if (event.key === "ArrowRight") byId("tour-next").click();
    else if (event.key === "ArrowLeft" && step > 0) byId("tour-back").click();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  byId("tour-again").onclick = () => {
    /** @type {HTMLDialogElement} */ (byId("keys")).close();
    begin(true);
  };
  if (isFirst && !read(SEEN, false)) begin(false);
}
