//! Games of cutting edges that stand on the ground, node 0: Hackenbush and what is like it.
//!
//! What the ground alone joins is independent: a cut changes which edges hang together with the ground only among those that are
//! joined by other nodes.

use std::ops::ControlFlow;
use std::sync::Arc;

use gb_board::{BoardError, Item, Look, Scene, Spot};
use gb_rules::{AnyGame, Info, Player, Rules, Variant};

use crate::error::TextError;
use crate::kept;
use crate::tree::{Action, GameText, LetterSet};

/// How many edges a picture may have.
const MAX_EDGES: usize = 1_000;
/// The greatest number of a node.
const MAX_NODE: u16 = 9_999;

/// Two nodes and the place of the letter in the list.
type Edge = (u16, u16, u8);

/// A game of cutting edges, ready to be played.
#[derive(Debug)]
pub(crate) struct EdgeProgram {
    info: Info,
    /// What a player may cut, and whether only edges whose loss costs no other.
    cuts: Vec<([bool; 2], LetterSet, bool)>,
}

/// The rules of a game of cutting edges.
#[derive(Clone)]
pub(crate) struct TextEdges(Arc<EdgeProgram>);

/// Makes a game of a text.
pub(crate) fn compile(game: &GameText, name: String) -> Result<EdgeProgram, TextError> {
    let mut cuts = vec![];
    for rule in &game.moves {
        let players = match rule.who {
            Some(Player::Left) => [true, false],
            Some(Player::Right) => [false, true],
            None => [true, true],
        };
        if let Action::Cut(letters, leaves) = rule.action {
            cuts.push((players, letters, leaves));
        }
    }
    let letters: Vec<(char, &'static str)> =
        game.cells.iter().map(|cell| (cell.letter, kept::text(&cell.meaning))).collect();
    let example = match &game.example {
        Some((_, example)) => example.clone(),
        None => format!("0-1{},1-2{}", letters[0].0, letters[letters.len() - 1].0),
    };
    Ok(EdgeProgram {
        info: Info {
            impartial: cuts.iter().all(|(players, ..)| *players == [true, true]),
            ..kept::info(game, name, &example, &letters)
        },
        cuts,
    })
}

/// Opens a game of cutting edges.
pub(crate) fn open(program: &Arc<EdgeProgram>, variant: Variant) -> AnyGame {
    AnyGame::interned(variant, TextEdges(program.clone()))
}

/// The edges that hang together with the ground.
fn standing(edges: &[Edge]) -> Vec<Edge> {
    let mut reached = vec![0];
    let mut next = 0;
    while next < reached.len() {
        let here = reached[next];
        next += 1;
        for &(a, b, _) in edges {
            for (from, to) in [(a, b), (b, a)] {
                if from == here && !reached.contains(&to) {
                    reached.push(to);
                }
            }
        }
    }
    edges.iter().copied().filter(|(a, ..)| reached.contains(a)).collect()
}

fn without(edges: &[Edge], index: usize) -> Vec<Edge> {
    let mut left = edges.to_vec();
    left.remove(index);
    standing(&left)
}

impl TextEdges {
    fn may_cut(&self, at: &[Edge], who: Player, index: usize) -> bool {
        let letter = at[index].2;
        self.0.cuts.iter().any(|&(players, letters, leaves)| {
            players[who as usize]
                && letters >> letter & 1 == 1
                && (!leaves || without(at, index).len() + 1 == at.len())
        })
    }

    /// The indices of the edges of each part.
    fn split(&self, edges: &[Edge], emit: &mut impl FnMut(Vec<usize>)) {
        let mut taken = vec![false; edges.len()];
        for first in 0..edges.len() {
            if taken[first] {
                continue;
            }
            taken[first] = true;
            let mut members = vec![first];
            let mut next = 0;
            while next < members.len() {
                let (a, b, _) = edges[members[next]];
                next += 1;
                for (i, &(c, d, _)) in edges.iter().enumerate() {
                    let joined = [a, b].into_iter().any(|node| node != 0 && (node == c || node == d));
                    if !taken[i] && joined {
                        taken[i] = true;
                        members.push(i);
                    }
                }
            }
            members.sort_unstable();
            emit(members);
        }
    }
}

impl Rules for TextEdges {
    type Board = Vec<Edge>;
    /// The place of the edge in the list.
    type Move = u16;

    fn info(&self) -> Info {
        self.0.info.clone()
    }
    fn read(&self, text: &str) -> Result<Vec<Edge>, BoardError> {
        let expected = "an edge such as `0-1B`, two nodes and a letter; node 0 is the ground";
        if text.trim().is_empty() {
            return Err(BoardError::Empty { expected: expected.into() });
        }
        let (mut edges, mut at) = (vec![], 0);
        if text.trim() == "0" {
            return Ok(edges);
        }
        for word in text.split(',') {
            let edge = word.trim();
            let found = edge.chars().last().and_then(|last| {
                let letter = self.0.info.alphabet.iter().position(|(known, _)| *known == last)?;
                let (a, b) = edge[..edge.len() - last.len_utf8()].split_once('-')?;
                Some((a.parse::<u16>().ok()?, b.parse::<u16>().ok()?, letter as u8))
            });
            match found.filter(|(a, b, _)| *a.max(b) <= MAX_NODE) {
                Some(edge) => edges.push(edge),
                None => return Err(BoardError::syntax(text, at, expected)),
            }
            at += word.len() + 1;
        }
        if edges.len() > MAX_EDGES {
            return Err(BoardError::TooLarge {
                found: format!("a picture of {} edges", edges.len()),
                limit: format!("at most {MAX_EDGES} edges"),
            });
        }
        Ok(standing(&edges))
    }
    fn show(&self, at: &Vec<Edge>) -> String {
        if at.is_empty() {
            return "0".into();
        }
        let edge = |&(a, b, letter): &Edge| format!("{a}-{b}{}", self.0.info.alphabet[usize::from(letter)].0);
        at.iter().map(edge).collect::<Vec<_>>().join(",")
    }
    fn moves(
        &self,
        at: &Vec<Edge>,
        who: Player,
        emit: &mut impl FnMut(u16) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        (0..at.len()).filter(|&index| self.may_cut(at, who, index)).try_for_each(|index| emit(index as u16))
    }
    fn play(&self, at: &mut Vec<Edge>, _who: Player, mv: &u16) {
        *at = without(at, usize::from(*mv));
    }
    fn gesture(&self, _at: &Vec<Edge>, _who: Player, mv: &u16) -> Vec<Spot> {
        vec![Spot::Edge(u32::from(*mv))]
    }
    /// The nodes in rows by their distance from the ground.
    fn scene(&self, at: &Vec<Edge>) -> Scene {
        let mut rows: Vec<Vec<u16>> = vec![vec![0]];
        let known = |rows: &[Vec<u16>], node: u16| rows.iter().any(|row| row.contains(&node));
        loop {
            let mut next: Vec<u16> = vec![];
            let last = &rows[rows.len() - 1];
            for &(a, b, _) in at {
                for (from, to) in [(a, b), (b, a)] {
                    if last.contains(&from) && !known(&rows, to) && !next.contains(&to) {
                        next.push(to);
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            rows.push(next);
        }
        let height = rows.len() as i32 - 1;
        let place = |node: u16, edge: usize| {
            let found = rows.iter().enumerate().find_map(|(row, nodes)| {
                nodes.iter().position(|n| *n == node).map(|col| (col as i32, row as i32))
            });
            let (col, row) = found.unwrap_or((0, 0));
            // Edges that stand on the ground stand side by side.
            let col = if node == 0 { edge as i32 } else { col };
            (100 * col + 50, 100 * (height - row))
        };
        let line = |(i, &(a, b, letter)): (usize, &Edge)| {
            let letter = self.0.info.alphabet[usize::from(letter)].0;
            Item::line(Spot::Edge(i as u32), place(a, i), place(b, i), letter)
        };
        Scene { look: Look::Ground, ..Scene::new(at.iter().enumerate().map(line).collect()) }
    }
    fn parts(&self, at: &Vec<Edge>, emit: &mut impl FnMut(Vec<Edge>)) {
        self.split(at, &mut |members| emit(members.iter().map(|&i| at[i]).collect()));
    }
    fn regions(&self, at: &Vec<Edge>, emit: &mut impl FnMut(Vec<Edge>, Vec<Spot>)) {
        self.split(at, &mut |members| {
            let spots = members.iter().map(|&i| Spot::Edge(i as u32)).collect();
            emit(members.iter().map(|&i| at[i]).collect(), spots);
        });
    }
    gb_rules::has!(same_when_impartial);
}
