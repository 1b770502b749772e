//! Graphs whose nodes carry codes: `5;0-1,1-2,2-3,3-4,4-0;..x..`.

use crate::{Alphabet, BoardError, Item, Scene, Spot, Word};

/// How many nodes fit into a set.
const MAX_NODES: usize = 64;

/// A graph without loops or double edges, each node with an `N`-bit code as in a [`BitGrid`](crate::BitGrid).
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Graph<const N: usize> {
    /// The codes of the nodes.
    pub planes: [u64; N],
    /// The neighbours of each node.
    near: Box<[u64]>,
}

impl<const N: usize> Graph<N> {
    /// Reads `n;edges` or `n;edges;states`: nodes 0 to n-1, edges `a-b` separated by commas, one letter a node (without
    /// states all nodes have the code `plain`).
    pub fn read(text: &str, alphabet: &Alphabet, plain: usize) -> Result<Self, BoardError> {
        let mut fields = text.splitn(3, ';');
        let (count, edges) = (fields.next().unwrap_or(""), fields.next().unwrap_or(""));
        let nodes: usize = count.trim().parse().map_err(|_| {
            BoardError::syntax(text, 0, "the number of nodes, as in `3;0-1,1-2`, or a grid of letters")
        })?;
        if nodes == 0 {
            return Err(BoardError::Empty { expected: "at least one node".into() });
        }
        if nodes > MAX_NODES {
            return Err(BoardError::TooLarge {
                found: format!("a graph of {nodes} nodes"),
                limit: format!("at most {MAX_NODES} nodes"),
            });
        }
        let mut graph = Graph { planes: [0; N], near: vec![0; nodes].into() };
        let mut at = count.len() + 1;
        for edge in edges.split(',').filter(|_| !edges.trim().is_empty()) {
            let ends: Option<Vec<usize>> = edge.split('-').map(|end| end.trim().parse().ok()).collect();
            let [a, b] = ends.as_deref().unwrap_or(&[]) else {
                return Err(BoardError::syntax(text, at, "an edge such as `0-1`"));
            };
            if let Some(far) = [a, b].into_iter().find(|&&end| end >= nodes) {
                return Err(BoardError::Invalid(format!(
                    "the edge `{edge}` names the node {far}, but the nodes are 0 to {}",
                    nodes - 1
                )));
            }
            if a == b {
                return Err(BoardError::Invalid(format!("the edge `{edge}` joins node {a} to itself")));
            }
            graph.near[*a] |= 1 << b;
            graph.near[*b] |= 1 << a;
            at += edge.len() + 1;
        }
        let states = fields.next().map(str::trim);
        if let Some(found) = states.map(|states| states.chars().count()).filter(|&found| found != nodes) {
            return Err(BoardError::Invalid(format!(
                "the graph has {nodes} nodes but {found} states: expected one letter a node"
            )));
        }
        for node in 0..nodes {
            let code = match states.and_then(|states| states.chars().nth(node)) {
                None => plain,
                Some(found) => alphabet.code(found).ok_or_else(|| {
                    BoardError::syntax(text, text.len() - nodes + node, alphabet.expected())
                })?,
            };
            for (i, plane) in graph.planes.iter_mut().enumerate() {
                *plane |= ((code >> i & 1) as u64) << node;
            }
        }
        Ok(graph)
    }

    /// Writes the graph as [`read`](Graph::read) reads it; states are left out where all are `plain`.
    pub fn show(&self, alphabet: &Alphabet, plain: usize) -> String {
        let edges: Vec<String> = self.edges().map(|(a, b)| format!("{a}-{b}")).collect();
        let codes: Vec<usize> = (0..self.near.len() as u32).map(|node| self.code(node)).collect();
        let head = format!("{};{}", self.near.len(), edges.join(","));
        if codes.iter().all(|&code| code == plain) {
            return head;
        }
        format!("{head};{}", codes.iter().map(|&code| alphabet.letter(code)).collect::<String>())
    }

    fn edges(&self) -> impl Iterator<Item = (u32, u32)> {
        let later = |(a, near): (usize, &u64)| {
            let later = *near & !u64::low(a as u32 + 1);
            later.cells().map(move |b| (a as u32, b))
        };
        self.near.iter().enumerate().flat_map(later)
    }

    /// The code of a node.
    pub fn code(&self, node: u32) -> usize {
        (0..N).map(|plane| usize::from(self.planes[plane].has(node)) << plane).sum()
    }

    /// The neighbours of the nodes of a set.
    pub fn around(&self, set: u64) -> u64 {
        set.cells().fold(0, |all, node| all | self.near[node as usize])
    }

    /// The graph of the nodes of `set` alone, numbered anew: first by code, degree and the degrees of neighbours, so that
    /// many graphs of the same shape become equal.
    pub fn cut(&self, set: u64) -> Self {
        let degree = |node: u32| (self.near[node as usize] & set).len();
        let mut order: Vec<u32> = set.cells().collect();
        order.sort_by_cached_key(|&node| {
            let mut around: Vec<(usize, u32)> = (self.near[node as usize] & set)
                .cells()
                .map(|other| (self.code(other), degree(other)))
                .collect();
            around.sort_unstable();
            (self.code(node), degree(node), around)
        });
        let number = |old: u32| order.iter().position(|&node| node == old);
        let renumber = |nodes: u64| nodes.cells().filter_map(number).fold(0u64, |all, new| all | 1 << new);
        Graph {
            planes: self.planes.map(|plane| renumber(plane & set)),
            near: order.iter().map(|&node| renumber(self.near[node as usize] & set)).collect(),
        }
    }

    /// The nodes on a circle, joined by lines.
    pub fn scene(&self, alphabet: &Alphabet) -> Scene {
        let count = self.near.len() as u32;
        let radius = 30.0 * f64::from(count) + 50.0;
        let place = |node: u32| {
            // Only for drawing: nothing is computed from these places.
            let angle = std::f64::consts::TAU * f64::from(node) / f64::from(count);
            let (x, y) = (radius + radius * angle.sin(), radius - radius * angle.cos());
            (x as i32 + 50, y as i32 + 50)
        };
        let line =
            |(i, (a, b)): (usize, (u32, u32))| Item::line(Spot::Edge(i as u32), place(a), place(b), '-');
        let disc = |node: u32| Item::disc(Spot::Node(node), place(node), alphabet.letter(self.code(node)));
        Scene::new(self.edges().enumerate().map(line).chain((0..count).map(disc)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LETTERS: Alphabet = Alphabet(&[('#', "gone"), ('.', "free"), ('x', "Left")]);

    fn read(text: &str) -> Result<Graph<2>, BoardError> {
        Graph::read(text, &LETTERS, 1)
    }

    #[test]
    fn graphs_as_text() {
        for text in ["3;0-1,1-2", "1;", "4;0-1,0-2,0-3;x..#"] {
            assert_eq!(read(text).unwrap().show(&LETTERS, 1), text);
        }
        let error = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(error("3;0-1,1-3"), "the edge `1-3` names the node 3, but the nodes are 0 to 2");
        assert_eq!(error("3;0-1,1-1"), "the edge `1-1` joins node 1 to itself");
        assert_eq!(error("3;0-1,q"), "at character 7: found `q`, expected an edge such as `0-1`");
        assert_eq!(
            error("3;0-1;..q"),
            "at character 9: found `q`, expected `#` (gone), `.` (free) or `x` (Left)"
        );
        assert_eq!(error("3;0-1;.."), "the graph has 3 nodes but 2 states: expected one letter a node");
        assert_eq!(error("900;0-1"), "a graph of 900 nodes is too large: at most 64 nodes");
        assert!(error("x;0-1").starts_with("at character 1: found `x`, expected the number of nodes"));
        assert!(error("3;0-1;é..").contains("expected `#`"));
    }

    #[test]
    fn parts_of_the_same_shape_become_equal() {
        let path = read("5;3-0,0-2,2-4").unwrap();
        let star = read("5;0-1,1-2,2-3").unwrap();
        assert_eq!(path.cut(0b11101), star.cut(0b01111));
    }
}
