//! Hackenbush: a picture of blue, red and green edges stands on the ground. Left cuts a blue or green edge, Right a red or
//! green one, and what is no longer joined to the ground falls away. Who cannot move loses.
//!
//! Pictures are stalks, written from the ground up and separated by commas, `BRG,RB`; or any graph, written as edges
//! `a-bC` between numbered nodes, of which 0 is the ground: `0-1B,1-2R,2-0G`.
//!
//! ```
//! use gb_rules::Player::{Left, Right};
//! let stalk = gb_games::game("hackenbush").unwrap().read("BRB").unwrap();
//! assert_eq!(stalk.options(Left), ["0", "BR"]);
//! assert_eq!(stalk.options(Right), ["B"]);
//! let girl = gb_games::game("hackenbush").unwrap().read("0-1B,0-2B,1-2R").unwrap();
//! assert_eq!(girl.options(Left), ["0-2B,1-2R", "0-1B,1-2R"]);
//! ```

use std::ops::ControlFlow;

use gb_board::{BoardError, Item, Look, Scene, Spot};
use gb_rules::{Arguments, Info, NameError, Player, Rules, Sign, Theorems};
use gb_value::{Dyadic, Halt, Kernel, Value};

/// The rules of Hackenbush.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Hackenbush;

/// Hackenbush, by name.
pub(crate) fn hackenbush(arguments: &Arguments) -> Result<Hackenbush, NameError> {
    arguments.none().map(|()| Hackenbush)
}

/// Who may cut an edge.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Colour {
    /// Left.
    Blue,
    /// Right.
    Red,
    /// Both.
    Green,
}

use Colour::{Blue, Green, Red};

impl Colour {
    const LETTERS: &'static [(char, &'static str)] =
        &[('B', "blue, Left's edge"), ('R', "red, Right's edge"), ('G', "green, either player's edge")];

    fn read(letter: char) -> Option<Colour> {
        [('B', Blue), ('R', Red), ('G', Green)].into_iter().find(|(l, _)| *l == letter).map(|(_, c)| c)
    }
    fn letter(self) -> char {
        Colour::LETTERS[self as usize].0
    }
    fn swapped(self) -> Colour {
        match self {
            Blue => Red,
            Red => Blue,
            Green => Green,
        }
    }
    fn may_cut(self, who: Player) -> bool {
        self != if who == Player::Left { Red } else { Blue }
    }
}

/// An edge between two nodes.
type Edge = (u16, u16, Colour);

/// A picture. What does not stand on the ground is not in it.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Picture {
    /// Stalks, each from the ground up.
    Stalks(Vec<Vec<Colour>>),
    /// At least one edge.
    Graph(Vec<Edge>),
}

/// How many edges a picture may have.
const MAX_EDGES: usize = 1_000;

impl Picture {
    fn graph(mut edges: Vec<Edge>) -> Picture {
        let standing = standing(&edges);
        edges.retain(|&(a, _, _)| standing[usize::from(a)]);
        if edges.is_empty() { Picture::Stalks(vec![]) } else { Picture::Graph(edges) }
    }

    /// The colours of the edges in the order of the text.
    fn colours(&self) -> impl Iterator<Item = Colour> {
        let (stalks, edges): (&[Vec<Colour>], &[Edge]) = match self {
            Picture::Stalks(stalks) => (stalks, &[]),
            Picture::Graph(edges) => (&[], edges),
        };
        stalks.iter().flatten().copied().chain(edges.iter().map(|&(_, _, colour)| colour))
    }

    fn cut(&mut self, mut edge: usize) {
        match self {
            Picture::Stalks(stalks) => {
                for stalk in stalks.iter_mut() {
                    if edge < stalk.len() {
                        stalk.truncate(edge);
                        break;
                    }
                    edge -= stalk.len();
                }
                stalks.retain(|stalk| !stalk.is_empty());
            }
            Picture::Graph(edges) => {
                edges.remove(edge);
                *self = Picture::graph(std::mem::take(edges));
            }
        }
    }
}

/// Which of the nodes are joined to the ground.
fn standing(edges: &[Edge]) -> Vec<bool> {
    let nodes = edges.iter().map(|&(a, b, _)| a.max(b)).max().map_or(1, |last| usize::from(last) + 1);
    let mut stands = vec![false; nodes];
    stands[0] = true;
    let mut has_grown = true;
    while has_grown {
        has_grown = false;
        for &(a, b, _) in edges {
            let (a, b) = (usize::from(a), usize::from(b));
            if stands[a] != stands[b] {
                (stands[a], stands[b], has_grown) = (true, true, true);
            }
        }
    }
    stands
}

impl Rules for Hackenbush {
    type Board = Picture;
    /// The number of the edge.
    type Move = u16;

    fn info(&self) -> Info {
        Info {
            name: "hackenbush".into(),
            title: "Hackenbush",
            rules: "Left cuts a blue or green edge, Right a red or green one; what is no longer joined to the ground (node 0) \
                    falls away. Who cannot move loses.",
            alphabet: Colour::LETTERS,
            example: "BRG,RB",
            impartial: false,
            loopy: false,
        }
    }
    fn read(&self, text: &str) -> Result<Picture, BoardError> {
        read(text)
    }
    fn show(&self, at: &Picture) -> String {
        match at {
            Picture::Stalks(stalks) if stalks.is_empty() => "0".into(),
            Picture::Stalks(stalks) => {
                let stalk = |stalk: &Vec<Colour>| stalk.iter().map(|c| c.letter()).collect::<String>();
                stalks.iter().map(stalk).collect::<Vec<_>>().join(",")
            }
            Picture::Graph(edges) => {
                let edge = |&(a, b, colour): &Edge| format!("{a}-{b}{}", colour.letter());
                edges.iter().map(edge).collect::<Vec<_>>().join(",")
            }
        }
    }
    fn moves(
        &self,
        at: &Picture,
        who: Player,
        emit: &mut impl FnMut(u16) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for (edge, colour) in at.colours().enumerate() {
            if colour.may_cut(who) {
                emit(edge as u16)?;
            }
        }
        ControlFlow::Continue(())
    }
    fn play(&self, at: &mut Picture, _who: Player, mv: &u16) {
        at.cut(usize::from(*mv));
    }
    fn gesture(&self, _at: &Picture, _who: Player, mv: &u16) -> Vec<Spot> {
        vec![Spot::Edge(u32::from(*mv))]
    }
    fn scene(&self, at: &Picture) -> Scene {
        scene(at)
    }

    fn parts(&self, at: &Picture, emit: &mut impl FnMut(Picture)) {
        self.regions(at, &mut |part, _| emit(part));
    }
    /// Stalks; in a graph, what hangs together without the ground.
    fn regions(&self, at: &Picture, emit: &mut impl FnMut(Picture, Vec<Spot>)) {
        let mut edge = 0;
        match at {
            Picture::Stalks(stalks) => {
                for stalk in stalks {
                    let spots = (edge..edge + stalk.len() as u32).map(Spot::Edge).collect();
                    edge += stalk.len() as u32;
                    emit(Picture::Stalks(vec![stalk.clone()]), spots);
                }
            }
            Picture::Graph(edges) => split(edges, emit),
        }
    }
    fn normalise(&self, at: Picture) -> (Picture, Sign) {
        match at {
            Picture::Stalks(mut stalks) => {
                let mut swapped: Vec<Vec<Colour>> =
                    stalks.iter().map(|stalk| stalk.iter().map(|c| c.swapped()).collect()).collect();
                stalks.sort();
                swapped.sort();
                let minus = swapped < stalks;
                let (stalks, sign) = if minus { (swapped, Sign::Minus) } else { (stalks, Sign::Plus) };
                (Picture::Stalks(stalks), sign)
            }
            Picture::Graph(edges) => {
                let swapped: Vec<Edge> = edges.iter().map(|&(a, b, c)| (a, b, c.swapped())).collect();
                let (kept, swapped) = (renumbered(edges), renumbered(swapped));
                if swapped < kept {
                    (Picture::Graph(swapped), Sign::Minus)
                } else {
                    (Picture::Graph(kept), Sign::Plus)
                }
            }
        }
    }
    gb_rules::has!(theorems, same_when_impartial);
}

impl Theorems<Picture, u16> for Hackenbush {
    fn known(&self, at: &Picture, kernel: &Kernel<'_>) -> Result<Option<Value>, Halt> {
        let Picture::Stalks(stalks) = at else { return Ok(None) };
        let mut values = vec![];
        for stalk in stalks {
            match stalk_value(stalk, kernel) {
                None => return Ok(None),
                Some(value) => values.push(value),
            }
        }
        kernel.sum(&values).map(Some)
    }
    fn bounds(&self, at: &Picture) -> (Option<i64>, Option<i64>) {
        let most = |who| at.colours().filter(|colour| colour.may_cut(who)).count() as i64;
        (Some(-most(Player::Right)), Some(most(Player::Left)))
    }
}

/// The value of a stalk without or of only green edges.
///
/// A stalk of blue and red edges is a number (Berlekamp, Conway and Guy, Winning Ways, chapter 3): each edge counts 1 as
/// long as no colour changes, and from the first change on each counts half of the one below it; blue is positive.
fn stalk_value(stalk: &[Colour], kernel: &Kernel<'_>) -> Option<Value> {
    if stalk.iter().all(|&colour| colour == Green) {
        return Some(kernel.nimber(stalk.len() as u32));
    }
    if stalk.contains(&Green) {
        return None;
    }
    let (mut value, mut edge) = (Dyadic::integer(0), Dyadic::integer(1));
    let mut changed = false;
    for &colour in stalk {
        changed |= colour != stalk[0];
        if changed {
            edge = edge.half();
        }
        value = if colour == Blue { &value + &edge } else { &value - &edge };
    }
    Some(kernel.number(&value))
}

/// What hangs together without the ground; a path that stands on one end becomes a stalk.
fn split(edges: &[Edge], emit: &mut impl FnMut(Picture, Vec<Spot>)) {
    let mut taken = vec![false; edges.len()];
    for first in 0..edges.len() {
        if taken[first] {
            continue;
        }
        let mut members = vec![first];
        let mut nodes: Vec<u16> = vec![edges[first].0, edges[first].1];
        nodes.retain(|&node| node != 0);
        taken[first] = true;
        let mut next = 0;
        while next < nodes.len() {
            let here = nodes[next];
            next += 1;
            for (i, &(a, b, _)) in edges.iter().enumerate() {
                if !taken[i] && (a == here || b == here) {
                    taken[i] = true;
                    members.push(i);
                    nodes.extend([a, b].into_iter().filter(|&n| n != 0 && n != here));
                }
            }
        }
        members.sort_unstable();
        let part: Vec<Edge> = members.iter().map(|&i| edges[i]).collect();
        let spots = members.iter().map(|&i| Spot::Edge(i as u32)).collect();
        let picture = match as_stalk(&part) {
            Some(stalk) => Picture::Stalks(vec![stalk]),
            None => Picture::Graph(part),
        };
        emit(picture, spots);
    }
}

/// The colours of a path from the ground up, if that is what the edges are.
fn as_stalk(edges: &[Edge]) -> Option<Vec<Colour>> {
    let mut stalk = vec![];
    let (mut here, mut last) = (0, usize::MAX);
    loop {
        let mut out =
            edges.iter().enumerate().filter(|&(i, &(a, b, _))| i != last && (a == here || b == here));
        let Some((i, &(a, b, colour))) = out.next() else { break };
        if out.next().is_some() || a == b || stalk.len() == edges.len() {
            return None;
        }
        stalk.push(colour);
        (here, last) = (if a == here { b } else { a }, i);
    }
    (stalk.len() == edges.len()).then_some(stalk)
}

/// The same graph with nodes numbered by how they look from the ground, and with edges sorted, so that many graphs of the
/// same shape become equal.
fn renumbered(edges: Vec<Edge>) -> Vec<Edge> {
    // The nodes that stand, in their order: the ground comes first.
    let mut nodes = 0;
    let place = |stands: bool| {
        nodes += usize::from(stands);
        nodes.wrapping_sub(1)
    };
    let places: Vec<usize> = standing(&edges).into_iter().map(place).collect();
    let ends: Vec<(usize, usize, Colour)> = edges
        .iter()
        .map(|&(a, b, colour)| (places[usize::from(a)], places[usize::from(b)], colour))
        .collect();
    // How a node looks: refined a few times by the looks of its neighbours.
    let mut look: Vec<u64> = (0..nodes).map(|place| u64::from(place == 0)).collect();
    for _ in 0..4 {
        let mix = |look: u64, colour: Colour| {
            (look ^ (colour as u64 + 1)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23)
        };
        let mut next: Vec<u64> = look.iter().map(|look| look.wrapping_mul(3)).collect();
        for &(a, b, colour) in &ends {
            next[a] = next[a].wrapping_add(mix(look[b], colour));
            next[b] = next[b].wrapping_add(mix(look[a], colour));
        }
        look = next;
    }
    let mut order: Vec<usize> = (1..nodes).collect();
    order.sort_by_key(|&place| look[place]);
    let mut numbers = vec![0; nodes];
    for (number, &place) in order.iter().enumerate() {
        numbers[place] = number as u16 + 1;
    }
    let mut edges: Vec<Edge> = ends
        .into_iter()
        .map(|(a, b, colour)| (numbers[a].min(numbers[b]), numbers[a].max(numbers[b]), colour))
        .collect();
    edges.sort_unstable();
    edges
}

fn read(text: &str) -> Result<Picture, BoardError> {
    const STALKS: &str = "stalks of `B`, `R` and `G` such as `BRG,RB`, or edges such as `0-1B,1-2R`";
    let text = text.trim();
    if text.is_empty() {
        return Err(BoardError::Empty { expected: STALKS.into() });
    }
    if text == "0" {
        return Ok(Picture::Stalks(vec![]));
    }
    let as_graph = text.contains('-');
    let (mut stalks, mut edges) = (vec![], vec![]);
    let mut at = 0;
    for word in text.split(',') {
        if as_graph {
            let edge = || {
                let word = word.trim();
                let colour = word.chars().next_back()?;
                let (a, b) = word[..word.len() - colour.len_utf8()].split_once('-')?;
                Some((a.trim().parse().ok()?, b.trim().parse().ok()?, Colour::read(colour)?))
            };
            edges.push(edge().ok_or_else(|| {
                BoardError::syntax(text, at, "an edge such as `0-1B`: two nodes and `B`, `R` or `G`")
            })?);
        } else {
            let stalk: Option<Vec<Colour>> = word.trim().chars().map(Colour::read).collect();
            let stalk = stalk.filter(|stalk| !stalk.is_empty());
            stalks.push(stalk.ok_or_else(|| BoardError::syntax(text, at, STALKS))?);
        }
        at += word.len() + 1;
    }
    let count = edges.len() + stalks.iter().map(Vec::len).sum::<usize>();
    if count > MAX_EDGES {
        return Err(BoardError::TooLarge {
            found: format!("a picture of {count} edges"),
            limit: format!("at most {MAX_EDGES} edges"),
        });
    }
    Ok(if as_graph { Picture::graph(edges) } else { Picture::Stalks(stalks) })
}

/// Stalks side by side; the nodes of a graph in levels by their distance from the ground.
fn scene(at: &Picture) -> Scene {
    let mut lines = vec![];
    match at {
        Picture::Stalks(stalks) => {
            let top = stalks.iter().map(Vec::len).max().unwrap_or(0) as i32;
            for (i, stalk) in stalks.iter().enumerate() {
                let x = 100 * i as i32 + 50;
                for (height, &colour) in stalk.iter().enumerate() {
                    let y = 100 * (top - height as i32);
                    lines.push(((x, y), (x, y - 100), colour));
                }
            }
        }
        Picture::Graph(edges) => {
            let mut level: Vec<(u16, i32)> = vec![(0, 0)];
            let mut next = 0;
            while next < level.len() {
                let (here, height) = level[next];
                next += 1;
                for &(a, b, _) in edges {
                    for (from, to) in [(a, b), (b, a)] {
                        if from == here && !level.iter().any(|&(node, _)| node == to) {
                            level.push((to, height + 1));
                        }
                    }
                }
            }
            let top = level.iter().map(|&(_, height)| height).max().unwrap_or(0);
            let place = |node: u16| {
                let height = level.iter().find(|&&(other, _)| other == node).map_or(0, |&(_, h)| h);
                let in_level = level.iter().filter(|&&(_, h)| h == height);
                let column = in_level.map(|&(other, _)| other).position(|other| other == node).unwrap_or(0);
                (100 * column as i32 + 50, 100 * (top - height))
            };
            lines.extend(edges.iter().map(|&(a, b, colour)| (place(a), place(b), colour)));
        }
    }
    let numbered = (0..).map(Spot::Edge).zip(lines);
    let items = numbered.map(|(spot, (a, b, colour))| Item::line(spot, a, b, colour.letter())).collect();
    Scene { items, look: Look::Ground }
}
