"""What notebooks show: thermographs in the axes of matplotlib, and trees of options as graphs."""

from __future__ import annotations

from typing import Any, Optional

from ._gamebench import Position, Thermograph, Value
from ._sum import Sum


def _plot(self: Thermograph, ax: Any = None, *, label: Optional[str] = None, top: Optional[float] = None, **style: Any) -> Any:
    """Draws both walls and the mast into axes of matplotlib (new ones if none are given) and returns the axes. As is usual, larger
    values are to the left. ``top`` is the temperature up to which the mast is drawn; style goes to ``Axes.plot``."""
    if ax is None:
        from matplotlib import pyplot

        ax = pyplot.figure().add_subplot()
    left, right = self.left_corners(), self.right_corners()
    end = max(float(self.temperature) + 1, 1.0) if top is None else top
    first = not ax.lines
    for wall in (left, right):
        xs = [float(x) for x, _ in wall] + [float(self.mean)]
        ys = [float(t) for _, t in wall] + [end]
        (line,) = ax.plot(xs, ys, label=label, **style)
        # The other wall has the same colour, and is not in the legend again.
        style, label = {**style, "color": line.get_color()}, None
    if first:
        ax.invert_xaxis()
        ax.set_xlabel("value")
        ax.set_ylabel("temperature")
    return ax


def overlay(*games: Any, ax: Any = None, **limits: Any) -> Any:
    """The thermographs of several games (positions, sums, values or texts) in the same axes of matplotlib, which are returned."""
    known = [game if hasattr(game, "thermograph") else Value(game) for game in games]
    graphs = [game.thermograph(**limits) for game in known]
    top = max(float(graph.temperature) for graph in graphs) + 1
    for game, graph in zip(known, graphs):
        ax = graph.plot(ax, label=str(game), top=top)
    if ax is not None:
        ax.legend()
    return ax


class Tree:
    """The options of a game and theirs, as a graph: nodes in layers, edges of Left to the left and of Right to the right. Notebooks draw
    it; ``to_networkx()`` makes it a graph of networkx, and ``dot()`` a text for Graphviz."""

    def __init__(self, game: Any, depth: int, most: int):
        self.nodes: list[Any] = [game]
        self.levels: list[int] = [0]
        self.edges: list[tuple[int, int, str]] = []
        self.cut = False
        numbers = {game: 0}
        for at, node in enumerate(self.nodes):
            if self.levels[at] == depth:
                continue
            for who in ("left", "right"):
                for option in node.options(who):
                    if option not in numbers:
                        if len(self.nodes) >= most:
                            self.cut = True
                            continue
                        numbers[option] = len(self.nodes)
                        self.nodes.append(option)
                        self.levels.append(self.levels[at] + 1)
                    self.edges.append((at, numbers[option], who))

    def to_networkx(self) -> Any:
        """A MultiDiGraph of networkx whose nodes are the games; edges have an attribute ``player``."""
        import networkx

        graph = networkx.MultiDiGraph()
        graph.add_nodes_from(self.nodes)
        graph.add_edges_from((self.nodes[a], self.nodes[b], {"player": who}) for a, b, who in self.edges)
        return graph

    def dot(self) -> str:
        """The graph for Graphviz."""
        colour = {"left": "blue", "right": "red"}
        lines = [f'  n{at} [label="{_label(node)}"];' for at, node in enumerate(self.nodes)]
        lines += [f"  n{a} -> n{b} [color={colour[who]}];" for a, b, who in self.edges]
        return "digraph options {\n" + "\n".join(lines) + "\n}\n"

    def __repr__(self) -> str:
        more = ", cut short" if self.cut else ""
        return f"Tree({len(self.nodes)} games, {len(self.edges)} moves{more})"

    def _repr_svg_(self) -> str:
        from html import escape

        layers: dict[int, list[int]] = {}
        for at, level in enumerate(self.levels):
            layers.setdefault(level, []).append(at)
        labels = [_label(node) for node in self.nodes]
        wide = 9 * max(map(len, labels)) + 24
        width = max(map(len, layers.values())) * wide
        place = {
            at: ((i + 0.5) * width / len(layer), 30 + 80 * level)
            for level, layer in layers.items()
            for i, at in enumerate(layer)
        }
        out = []
        for a, b, who in self.edges:
            (x, y), (u, v) = place[a], place[b]
            ink = "#1f6fb2" if who == "left" else "#c8452f"
            shift = -4 if who == "left" else 4
            out.append(f'<path d="M{x + shift:.1f},{y + 12}L{u + shift:.1f},{v - 14}" stroke="{ink}" fill="none"/>')
        for at, (x, y) in place.items():
            text = f'<text x="{x:.1f}" y="{y + 5}" text-anchor="middle" font-family="monospace">{escape(labels[at])}</text>'
            half = 4.5 * len(labels[at]) + 6
            box = f'x="{x - half:.1f}" y="{y - 13}" width="{2 * half:.1f}" height="26" rx="6"'
            out.append(f'<rect {box} fill="#fff" stroke="#999"/>{text}')
        height = 60 + 80 * max(layers)
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
        return head + "".join(out) + "</svg>"


def _label(game: Any) -> str:
    text = str(game)
    return text if len(text) <= 40 else text[:37] + "..."


def option_tree(game: Any, depth: int = 2, most: int = 200) -> Tree:
    """The options of a position, a sum or a value (or its text), theirs, and so on down to a depth: at most so many games.

    >>> option_tree("^", 3)
    Tree(3 games, 4 moves)
    """
    known = game if isinstance(game, (Position, Sum, Value)) else Value(game)
    return Tree(known, depth, most)


def _show(self: Position, **settings: Any) -> Any:
    """A board to play on, in a notebook: see ``gamebench.widget``."""
    from .widget import Board

    return Board(self, **settings)


def attach() -> None:
    """Classes get what notebooks show."""
    setattr(Thermograph, "plot", _plot)
    setattr(Position, "widget", _show)
    setattr(Sum, "widget", _show)
