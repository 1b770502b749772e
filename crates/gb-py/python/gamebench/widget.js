// The board of gamebench.widget: draws the view that Python sends, and says which move was clicked.

const PARTS = ["#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#0072b2", "#f0e442", "#999999"];
const SVG = "http://www.w3.org/2000/svg";

function svg(name, attributes, parent) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  parent?.append(element);
  return element;
}

function html(name, text, parent, kind) {
  const element = document.createElement(name);
  if (text !== undefined) element.textContent = text;
  if (kind) element.className = kind;
  parent?.append(element);
  return element;
}

function fill(paint) {
  return { left: "#222", right: "#fff", both: "#7a9a4a" }[paint] ?? "none";
}

function drawItem(item, group, look) {
  const [x, y, u, v] = item.at;
  if (item.shape === "line") {
    const ink = item.letter === "-" ? "#999" : { left: "#1f6fb2", right: "#c8452f" }[item.paint] ?? "#4b8a2a";
    svg("path", { d: `M${x},${y}L${u},${v}`, stroke: ink, "stroke-width": 12, "stroke-linecap": "round" }, group);
    svg("path", { class: "hit", d: `M${x},${y}L${u},${v}`, stroke: "#000", "stroke-opacity": 0, "stroke-width": 40 }, group);
    return;
  }
  if (item.shape === "disc") {
    const inside = item.paint === "empty" ? "#fff" : fill(item.paint);
    svg("circle", { cx: x, cy: y, r: 40, fill: inside, stroke: "#777", "stroke-width": 4 }, group);
    svg("circle", { class: "hit", cx: x, cy: y, r: 46, fill: "#000", "fill-opacity": 0 }, group);
    return;
  }
  if (item.paint === "hole") return;
  const dark = look === "checkered" && (x / 100 + y / 100) % 2 === 1;
  svg("rect", { x, y, width: 100, height: 100, fill: dark ? "#c9d2dc" : "#fff", stroke: "#bbb", "stroke-width": 3 }, group);
  svg("rect", { class: "part", x, y, width: 100, height: 100, fill: "none" }, group);
  if (item.paint !== "empty") {
    if ("xo*".includes(item.letter) || item.paint !== "both") {
      svg("circle", { cx: x + 50, cy: y + 50, r: 36, fill: fill(item.paint), stroke: "#222", "stroke-width": 4 }, group);
    } else {
      const text = { x: x + 50, y: y + 72, "font-size": 60, "text-anchor": "middle", fill: "#222" };
      svg("text", text, group).textContent = item.letter;
    }
  }
  svg("rect", { class: "hit", x: x + 3, y: y + 3, width: 94, height: 94, fill: "#000", "fill-opacity": 0 }, group);
}

// Coordinates beside the cells of a grid.
function drawNames(board, picture, height) {
  const cells = board.items.filter((item) => item.shape === "square" && /^[a-z]+\d+$/.test(item.spot));
  const names = { "font-size": 32, fill: "#666", "text-anchor": "middle" };
  for (const [key, place] of [[/^[a-z]+/, "x"], [/\d+$/, "y"]]) {
    const seen = new Map(cells.map((item) => [item.spot.match(key)[0], item.at[place === "x" ? 0 : 1]]));
    for (const [name, at] of seen) {
      const where = place === "x" ? { x: at + 50, y: height + 28 } : { x: -22, y: at + 60 };
      svg("text", { ...where, ...names }, picture).textContent = name;
    }
  }
}

function drawBoard(board, view, parent, play) {
  const box = html("div", undefined, parent);
  html("div", board.title, box, "title");
  const winning = new Set(view.facts.winning ?? []);
  // Moves without a place to click, or that many share, are buttons.
  const gestures = new Map();
  for (const move of board.moves) {
    const key = move.gesture.join("-");
    gestures.set(key, [...(gestures.get(key) ?? []), move]);
  }
  const clickable = (move) => move.gesture.length > 0 && gestures.get(move.gesture.join("-")).length === 1;
  if (!board.value) {
    const [width, height] = board.size;
    const scale = Math.min(0.56, 480 / Math.max(width, height, 1));
    const frame = { class: "board", viewBox: `-44 -12 ${width + 60} ${height + 52}` };
    const picture = svg("svg", { ...frame, width: (width + 60) * scale, height: (height + 52) * scale, role: "img" }, box);
    picture.setAttribute("aria-label", `${board.title} ${board.text}`);
    drawNames(board, picture, height);
    if (board.look === "ground") {
      svg("path", { d: `M-20,${height}H${width + 10}`, stroke: "#777", "stroke-width": 8 }, picture);
    }
    const groups = new Map();
    for (const item of board.items) {
      const group = svg("g", { "data-spot": item.spot }, picture);
      drawItem(item, group, board.look);
      groups.set(item.spot, group);
    }
    board.parts.forEach((spots, part) => {
      for (const spot of spots) {
        groups.get(spot)?.querySelector(".part")?.setAttribute("style", `fill:${PARTS[part % PARTS.length]};fill-opacity:0.35`);
      }
    });
    let chosen = [];
    const mark = () => {
      const open = board.moves.filter((move) => clickable(move) && chosen.every((spot, i) => move.gesture[i] === spot));
      for (const [spot, group] of groups) {
        const here = open.filter((move) => move.gesture[chosen.length] === spot);
        group.classList.toggle("can", here.length > 0);
        group.classList.toggle("chosen", chosen.includes(spot));
        group.classList.toggle("wins", view.show && here.some((move) => winning.has(move.move)));
        if (here.length > 0) group.setAttribute("tabindex", 0);
        else group.removeAttribute("tabindex");
      }
    };
    const click = (spot) => {
      const longer = [...chosen, spot];
      const open = board.moves.filter((move) => clickable(move) && longer.every((s, i) => move.gesture[i] === s));
      chosen = open.length > 0 ? longer : [];
      const whole = open.find((move) => move.gesture.length === longer.length);
      if (whole) play(whole.move);
      else mark();
    };
    for (const [spot, group] of groups) {
      group.addEventListener("click", () => click(spot));
      group.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") click(spot);
      });
    }
    mark();
  }
  const buttons = html("div", undefined, box, "moves");
  for (const move of board.moves.filter((move) => board.value || !clickable(move))) {
    const button = html("button", move.move, buttons, view.show && winning.has(move.move) ? "wins" : "");
    button.addEventListener("click", () => play(move.move));
  }
}

function draw(model, root) {
  const view = model.get("view");
  root.replaceChildren();
  root.className = "gamebench";
  const say = (message) => model.send(message);
  const boards = html("div", undefined, root, "boards");
  for (const board of view.boards ?? []) drawBoard(board, view, boards, (move) => say({ do: "play", move }));
  const side = html("div", undefined, root, "side");
  const left = html("div", undefined, side);
  const turn = view.boards.some((board) => board.moves.length > 0)
    ? `${view.who === "left" ? "Left" : "Right"} to move`
    : `${view.who === "left" ? "Left" : "Right"} has no move and loses`;
  html("div", turn, left, "turn");
  const bar = html("div", undefined, left);
  for (const [text, message] of [
    ["undo", "undo"],
    ["let the bench move", "answer"],
    ["other player", "turn"],
    [view.show ? "hide values" : "show values", "show"],
  ]) {
    html("button", text, bar, message).addEventListener("click", () => say({ do: message }));
  }
  html("div", view.sentence || view.facts.unknown || "", left, "sentence").setAttribute("role", "status");
  if (view.line.length > 0) html("div", view.line.join("   "), left, "line");
  if (view.show && view.facts.value !== undefined) {
    const table = html("table", undefined, side, "facts");
    for (const name of ["value", "outcome", "mean", "temperature"]) {
      if (view.facts[name] === undefined) continue;
      const row = html("tr", undefined, table);
      html("th", name, row);
      html("td", view.facts[name], row, name);
    }
    const row = html("tr", undefined, table);
    html("th", "winning moves", row);
    html("td", (view.facts.winning ?? []).slice(0, 12).join(", ") || "none", row, "winning");
    if (view.facts.thermograph) {
      const picture = new DOMParser().parseFromString(view.facts.thermograph, "image/svg+xml").documentElement;
      html("div", undefined, side, "thermograph").append(document.importNode(picture, true));
    }
  }
}

export default {
  render({ model, el }) {
    const root = html("div", undefined, el);
    const again = () => draw(model, root);
    model.on("change:view", again);
    again();
    return () => model.off("change:view", again);
  },
};
