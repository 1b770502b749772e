// @ts-check
/** The calculator: the same language as `gamebench calc`. */
import { ask } from "./api.js";
import { byId, draw, input, make, picture, toast } from "./dom.js";
import { open, read, write } from "./state.js";
import { still } from "./still.js";
import { fractions, value as typeset } from "./typeset.js";

/** @typedef {import("./types.js").Calculated} Calculated */
/** @typedef {import("./types.js").OptionTree} OptionTree */

/** Answers so far, kept in this browser. @type {Calculated[]} */
let answers = [];
const MOST_ANSWERS = 60;
/** Variables in the order in which they were given. @type {Map<string, string>} */
const variables = new Map();
/** @type {string[]} */
const lines = [];
let recalled = 0;

/** @param {Calculated} answer */
function remember(answer) {
  if (answer.variable && typeof answer.value === "string") {
    variables.delete(answer.variable);
    variables.set(answer.variable, answer.value);
  }
  lines.push(answer.expression);
  recalled = lines.length;
  byId("history").prepend(entry(answer));
  byId("calc-tools").hidden = false;
}

/** The worksheet as a text that the calculator of the command line reads. */
function worksheet() {
  // The command line does not read positions here; a name for one stands for its value.
  /** @param {Calculated} answer */
  const asked = (answer) => (!answer.board ? answer.expression : answer.variable ? `# ${answer.expression}\n${answer.variable} := ${textOf(answer)}` : `# ${answer.expression}`);
  const text = answers.map((answer) => `${asked(answer)}\n# ${textOf(answer).replaceAll("\n", "\n# ")}\n`).join("");
  const link = /** @type {HTMLAnchorElement} */ (make("a", { href: URL.createObjectURL(new Blob([text], { type: "text/plain" })), download: "worksheet.txt" }));
  link.click();
  URL.revokeObjectURL(link.href);
}

export function start() {
  byId("calc-form").onsubmit = (event) => {
    event.preventDefault();
    run(input("line").value);
  };
  byId("line").onkeydown = (event) => {
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    recalled = Math.min(lines.length, Math.max(0, recalled + (event.key === "ArrowUp" ? -1 : 1)));
    input("line").value = lines[recalled] ?? "";
    event.preventDefault();
  };
  byId("calc-save").onclick = worksheet;
  byId("calc-clear").onclick = () => {
    answers = [];
    write("answers", answers);
    variables.clear();
    byId("history").replaceChildren();
    byId("calc-picture").replaceChildren();
    byId("calc-tools").hidden = true;
  };
  answers = read("answers", /** @type {Calculated[]} */ ([]));
  answers.forEach(remember);
  for (const example of document.querySelectorAll(".try")) {
    /** @type {HTMLElement} */ (example).onclick = () => run(example.textContent ?? "");
  }
}

/** @param {string} line */
async function run(line) {
  if (!line.trim()) return;
  const error = byId("calc-error");
  try {
    /** @type {Calculated} */
    const answer = await ask("api/calc", { line, variables: [...variables] });
    error.hidden = true;
    input("line").value = "";
    remember(answer);
    answers = [...answers, answer].slice(-MOST_ANSWERS);
    while (answers.length && !write("answers", answers)) answers.shift();
    drawn(answer);
  } catch (problem) {
    error.textContent = problem instanceof Error ? problem.message : String(problem);
    error.hidden = false;
    input("line").value = line;
    byId("line").focus();
  }
}

/** @param {Calculated} answer */
function textOf(answer) {
  if (Array.isArray(answer.value)) return `[${answer.value.map((item) => item ?? "?").join(", ")}]`;
  return String(answer.value ?? "");
}

/** @param {Calculated} answer */
function entry(answer) {
  const facts = /** @type {[string, string | null | undefined][]} */ ([["outcome", answer.outcome], ["mean", answer.mean], ["temperature", answer.temperature], ["left stop", answer.left_stop], ["right stop", answer.right_stop]])
    .filter(([, value]) => value).map(([name, value]) => `${name} ${value}`).join(" · ");
  const asked = make("button", { class: "asked", title: "Show its pictures" }, answer.expression);
  const item = make("li", {}, asked, answer.board ? posed(answer.board) : null, make("div", { class: "said" }, answer.typeset ? typeset(answer.typeset, 120) : textOf(answer)), facts ? make("div", { class: "facts" }, ...fractions(facts)) : null);
  item.onclick = () => drawn(answer);
  return item;
}

/** The board that was asked about. @param {import("./types.js").Posed} board */
function posed(board) {
  const bench = make("button", { type: "button", class: "to-bench" }, "Put on the bench");
  bench.onclick = (event) => {
    event.stopPropagation();
    open({ game: board.game.name, position: board.position }).catch((error) => toast(error.message));
  };
  return make("figure", { class: "posed" }, still(board), bench);
}

/** @param {Calculated} answer */
function drawn(answer) {
  const graph = answer.thermograph ? picture(answer.thermograph) : null;
  const tree = answer.tree && (answer.tree.left.length || answer.tree.right.length) ? options(answer.tree) : null;
  byId("calc-picture").replaceChildren(
    ...(graph ? [make("figure", { class: "graph" }, graph)] : []),
    ...(tree ? [make("h2", {}, "Options: Left's to the left, Right's to the right"), make("div", { class: "options", tabindex: 0 }, tree)] : []),
  );
}

const HIGH = 52;

/** The game with its options below it. @param {OptionTree} root */
function options(root) {
  const edges = draw("g");
  const names = draw("g");
  let depth = 0;
  /** How wide a name is. @param {OptionTree} node */
  const wide = (node) => Math.max(26, node.value.length * 8 + 14);
  /** Draws a node from this place on; where its middle is, and where the next may begin. @param {OptionTree} node @param {number} from @param {number} level @returns {[number, number]} */
  const place = (node, from, level) => {
    depth = Math.max(depth, level);
    let at = from;
    /** @type {[number, string][]} */
    const below = [];
    for (const [children, side] of /** @type {[OptionTree[], string][]} */ ([[node.left, "l"], [node.right, "r"]])) {
      for (const child of children) {
        const [middle, next] = place(child, at, level + 1);
        below.push([middle, side]);
        at = next;
      }
    }
    const width = wide(node);
    const [first, last] = [below[0]?.[0], below[below.length - 1]?.[0]];
    const x = first === undefined || last === undefined ? from + width / 2 : Math.max((first + last) / 2, from + width / 2);
    const y = level * HIGH + 16;
    for (const [middle, side] of below) edges.append(draw("line", { class: side, x1: x, y1: y, x2: middle, y2: y + HIGH }));
    names.append(draw("rect", { x: x - width / 2, y: y - 13, width, height: 26, rx: 8 }), draw("text", { x, y }, node.more ? `${node.value} …` : node.value));
    return [x, Math.max(at, x + width / 2) + (below.length ? 0 : 8)];
  };
  const [, width] = place(root, 4, 0);
  return draw("svg", { width: width + 8, height: depth * HIGH + 34, role: "img", "aria-label": `Options of ${root.value}` }, edges, names);
}
