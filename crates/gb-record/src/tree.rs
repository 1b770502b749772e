//! The tree of moves: nodes with lists of properties, as in SGF (A. Kierulf, Smart Game Board, 1990).

use gb_rules::Player;

/// A node of a tree. Names are never used again, not even after the node is gone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(pub usize);

/// Something that is noted at a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Property {
    /// A player made a move.
    Move {
        /// Who.
        player: Player,
        /// The move as text.
        text: String,
    },
    /// The position was set up anew.
    Setup {
        /// The position as text.
        position: String,
    },
    /// From here on it is this player's turn.
    ToPlay(Player),
    /// What somebody said.
    Comment(String),
    /// A word written on a spot of the board.
    Mark {
        /// The spot as text.
        spot: String,
        /// The word.
        text: String,
    },
    /// How much time a player had left, in seconds.
    Time {
        /// Who.
        player: Player,
        /// Seconds, as they were written.
        seconds: String,
    },
    /// What the position is worth, as found by a search.
    Value(String),
    /// Anything else that a record said, kept for whoever understands it.
    Other {
        /// The name of the property.
        name: String,
        /// Its values.
        values: Vec<String>,
    },
}

/// A place in the tree, and what is noted there.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Node {
    /// What comes before; `None` at the root.
    pub parent: Option<NodeId>,
    /// What comes after; the first is the main line.
    pub children: Vec<NodeId>,
    /// What is noted.
    pub properties: Vec<Property>,
}

/// Lines of play from one position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
}

impl Default for Tree {
    fn default() -> Self {
        Tree { nodes: vec![Node::default()] }
    }
}

impl Tree {
    /// Where all lines begin.
    pub const ROOT: NodeId = NodeId(0);

    /// A node. Must be of this tree.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0]
    }

    /// The properties of a node, to be changed.
    pub fn properties_mut(&mut self, id: NodeId) -> &mut Vec<Property> {
        &mut self.nodes[id.0].properties
    }

    /// How many nodes were ever made.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: there is always a root.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Adds a node after all other children of `parent`.
    pub fn add(&mut self, parent: NodeId, properties: Vec<Property>) -> NodeId {
        let id = NodeId(self.nodes.len());
        self.nodes.push(Node { parent: Some(parent), children: vec![], properties });
        self.nodes[parent.0].children.push(id);
        id
    }

    /// Cuts a node off, with all that comes after it. The root stays.
    pub fn remove(&mut self, id: NodeId) {
        if let Some(parent) = self.node(id).parent {
            self.nodes[parent.0].children.retain(|&child| child != id);
        }
    }

    /// Makes the line through a node the main line.
    pub fn promote(&mut self, mut id: NodeId) {
        while let Some(parent) = self.node(id).parent {
            let children = &mut self.nodes[parent.0].children;
            if let Some(at) = children.iter().position(|&child| child == id) {
                children[..=at].rotate_right(1);
            }
            id = parent;
        }
    }

    /// Whether the node is there and was not cut off.
    pub fn contains(&self, id: NodeId) -> bool {
        let mut at = id;
        while at != Tree::ROOT {
            let Some(parent) = self.nodes.get(at.0).and_then(|node| node.parent) else { return false };
            if !self.node(parent).children.contains(&at) {
                return false;
            }
            at = parent;
        }
        true
    }

    /// All nodes, parents before children, and the main line before variations.
    pub fn walk(&self) -> Vec<NodeId> {
        let (mut order, mut open) = (vec![], vec![Tree::ROOT]);
        while let Some(id) = open.pop() {
            order.push(id);
            open.extend(self.node(id).children.iter().rev());
        }
        order
    }
}

/// A place in a tree that remembers which lines were followed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cursor {
    /// The place.
    pub at: NodeId,
    /// For each node the child that was visited last.
    latest: std::collections::HashMap<NodeId, NodeId>,
}

impl Default for Cursor {
    fn default() -> Self {
        Cursor { at: Tree::ROOT, latest: Default::default() }
    }
}

/// A step in a tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// To what comes before.
    Back,
    /// On, along the line that was followed last.
    Forward,
    /// To the root.
    First,
    /// To the end of the line.
    Last,
    /// To the next variation of the same move.
    Next,
    /// To the variation before.
    Previous,
}

impl Cursor {
    /// Goes to a node.
    pub fn go(&mut self, tree: &Tree, id: NodeId) {
        self.at = id;
        let mut child = id;
        while let Some(parent) = tree.node(child).parent {
            self.latest.insert(parent, child);
            child = parent;
        }
    }

    /// Makes a step, or stays where there is nowhere to go.
    pub fn step(&mut self, tree: &Tree, step: Step) {
        let to = match step {
            Step::Back => tree.node(self.at).parent,
            Step::Forward => self.next(tree, self.at),
            Step::First => Some(Tree::ROOT),
            Step::Last => {
                let mut end = self.at;
                while let Some(next) = self.next(tree, end) {
                    end = next;
                }
                Some(end)
            }
            Step::Next => self.sibling(tree, 1),
            Step::Previous => self.sibling(tree, -1),
        };
        if let Some(to) = to {
            self.go(tree, to);
        }
    }

    fn next(&self, tree: &Tree, id: NodeId) -> Option<NodeId> {
        let children = &tree.node(id).children;
        self.latest.get(&id).copied().filter(|child| children.contains(child)).or(children.first().copied())
    }

    fn sibling(&self, tree: &Tree, by: isize) -> Option<NodeId> {
        let siblings = &tree.node(tree.node(self.at).parent?).children;
        let at = siblings.iter().position(|&id| id == self.at)?;
        siblings.get(at.checked_add_signed(by)?).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn say(text: &str) -> Vec<Property> {
        vec![Property::Comment(text.into())]
    }

    #[test]
    fn a_cursor_walks_and_remembers_the_line() {
        let mut tree = Tree::default();
        let a = tree.add(Tree::ROOT, say("a"));
        let b = tree.add(Tree::ROOT, say("b"));
        let (a1, b1) = (tree.add(a, say("a1")), tree.add(b, say("b1")));
        let mut cursor = Cursor::default();
        cursor.step(&tree, Step::Last);
        assert_eq!(cursor.at, a1);
        cursor.go(&tree, b1);
        cursor.step(&tree, Step::First);
        cursor.step(&tree, Step::Forward);
        assert_eq!(cursor.at, b, "the line followed last");
        cursor.step(&tree, Step::Previous);
        assert_eq!(cursor.at, a);
        cursor.step(&tree, Step::Previous);
        assert_eq!(cursor.at, a, "there is nothing before the first");
        assert_eq!(tree.walk(), [Tree::ROOT, a, a1, b, b1]);
        tree.promote(b1);
        assert_eq!(tree.walk(), [Tree::ROOT, b, b1, a, a1]);
        tree.remove(b);
        assert!(!tree.contains(b1) && tree.contains(a1) && !tree.contains(NodeId(99)));
        tree.remove(Tree::ROOT);
        assert_eq!(tree.walk(), [Tree::ROOT, a, a1]);
        cursor.go(&tree, Tree::ROOT);
        cursor.step(&tree, Step::Forward);
        assert_eq!(cursor.at, a, "what was cut off is not remembered");
    }
}
