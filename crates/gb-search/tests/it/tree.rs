//! A game that is its own tree: `{3,{4|2}|-3}`, leaves being scores, several side by side with `+`.

use std::ops::ControlFlow;

use gb_board::BoardError;
use gb_rules::{Info, Player, Rules, Scoring};
use gb_value::Dyadic;

#[derive(Clone, Copy)]
pub(crate) struct TreeGame;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Tree {
    Leaf(i64),
    Node(Vec<Tree>, Vec<Tree>),
}

impl Tree {
    fn options(&self, who: Player) -> &[Tree] {
        match (self, who) {
            (Tree::Leaf(_), _) => &[],
            (Tree::Node(left, _), Player::Left) => left,
            (Tree::Node(_, right), Player::Right) => right,
        }
    }

    fn show(&self) -> String {
        let list = |trees: &[Tree]| trees.iter().map(Tree::show).collect::<Vec<_>>().join(",");
        match self {
            Tree::Leaf(score) => score.to_string(),
            Tree::Node(left, right) => format!("{{{}|{}}}", list(left), list(right)),
        }
    }

    fn read(rest: &mut &str) -> Tree {
        let Some(inside) = rest.strip_prefix('{') else {
            let end = rest.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(rest.len());
            let score = rest[..end].parse().unwrap();
            *rest = &rest[end..];
            return Tree::Leaf(score);
        };
        *rest = inside;
        let mut sides = [vec![], vec![]];
        for (side, end) in sides.iter_mut().zip(['|', '}']) {
            while !rest.starts_with(end) {
                side.push(Tree::read(rest));
                *rest = rest.strip_prefix(',').unwrap_or(rest);
            }
            *rest = &rest[1..];
        }
        let [left, right] = sides;
        Tree::Node(left, right)
    }
}

impl Rules for TreeGame {
    type Board = Vec<Tree>;
    /// Which tree, and which of its options.
    type Move = (usize, usize);

    fn info(&self) -> Info {
        Info {
            name: "tree".into(),
            title: "Tree",
            rules: "A player goes on to an option. In the end the leaves are counted.",
            alphabet: &[],
            example: "{1|-1}",
            impartial: false,
            loopy: false,
        }
    }
    fn read(&self, text: &str) -> Result<Vec<Tree>, BoardError> {
        Ok(text.split('+').filter(|text| !text.is_empty()).map(|mut tree| Tree::read(&mut tree)).collect())
    }
    fn show(&self, at: &Vec<Tree>) -> String {
        at.iter().map(Tree::show).collect::<Vec<_>>().join("+")
    }
    fn moves(
        &self,
        at: &Vec<Tree>,
        who: Player,
        emit: &mut impl FnMut((usize, usize)) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for (i, tree) in at.iter().enumerate() {
            for option in 0..tree.options(who).len() {
                emit((i, option))?;
            }
        }
        ControlFlow::Continue(())
    }
    fn play(&self, at: &mut Vec<Tree>, who: Player, &(i, option): &(usize, usize)) {
        at[i] = at[i].options(who)[option].clone();
    }
    fn parts(&self, at: &Vec<Tree>, emit: &mut impl FnMut(Vec<Tree>)) {
        for tree in at {
            if matches!(tree, Tree::Node(..)) {
                emit(vec![tree.clone()]);
            }
        }
    }
    gb_rules::has!(scoring);
}

impl Scoring<Vec<Tree>, (usize, usize)> for TreeGame {
    fn points(&self, at: &Vec<Tree>, who: Player, &(i, option): &(usize, usize)) -> i64 {
        match at[i].options(who)[option] {
            Tree::Leaf(score) => score,
            Tree::Node(..) => 0,
        }
    }
    fn ends_in_score(&self) -> bool {
        true
    }
    fn estimate(&self, _at: &Vec<Tree>) -> Option<Dyadic> {
        Some(Dyadic::ZERO)
    }
}

/// The best score for `first`, by trying everything.
pub(crate) fn minimax<R: Rules + Scoring<R::Board, R::Move>>(rules: &R, at: &R::Board, first: Player) -> i64 {
    let mut scores = vec![];
    let _ = rules.moves(at, first, &mut |mv| {
        let mut next = at.clone();
        rules.play(&mut next, first, &mv);
        scores.push(rules.points(at, first, &mv) + minimax(rules, &next, first.opponent()));
        ControlFlow::Continue(())
    });
    let best = if first == Player::Left { scores.into_iter().max() } else { scores.into_iter().min() };
    best.unwrap_or(0)
}
