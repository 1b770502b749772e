//! Retrograde analysis of one layer (K. Thompson, Retrograde analysis of certain endgames, 1986), 64 positions at a time.
//!
//! Moves that leave the layer are known; inside it only kings and a piece move, and positions repeat. A side wins where it has a
//! way out to a won position, or a move to a position where the other side cannot avoid losing, and so on: the *least* set of
//! positions with this property. Whoever can go round for ever is not in it, so repetition needs no care.

use super::bits::{AROUND, squares};
use super::ground::Ground;
use super::structure::Side;

/// Positions with White to move, and with Black to move: a word for every square of Black's king and of the piece.
pub(super) type Sets = [Vec<u64>; 2];

/// Ways out of a layer, for the question whether one side wins.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Exits {
    /// The winner, to move, has a way out to a won position.
    pub(super) winning: Vec<u64>,
    /// The loser, to move, has a way out to a position that is not lost, or is stalemated.
    pub(super) escape: Vec<u64>,
}

/// In which round of retrograde analysis each position was found: whoever follows positions that came earlier makes progress.
#[derive(Default)]
pub(super) struct Rounds {
    /// For each side to move and each word, the last entry about it, counted from one.
    last: [Vec<u32>; 2],
    /// What was new in a round, and the entry before it.
    entries: Vec<(u64, u16, u32)>,
}

impl Rounds {
    pub(super) fn with_room(words: usize) -> Rounds {
        Rounds { last: [vec![0; words], vec![0; words]], entries: vec![] }
    }

    fn note(&mut self, side: usize, word: usize, new: u64, round: u16) {
        let before = self.last[side][word];
        self.entries.push((new, round, before));
        self.last[side][word] = self.entries.len() as u32;
    }

    /// The round of a position: `word` says where Black's king and the piece are.
    pub(super) fn of(&self, side: Side, word: usize, white_king: u8) -> Option<usize> {
        let mut at = self.last[side as usize][word];
        while at != 0 {
            let (new, round, before) = self.entries[at as usize - 1];
            if new >> white_king & 1 == 1 {
                return Some(round as usize);
            }
            at = before;
        }
        None
    }
}

/// Which positions a side wins, beginning with some that are known. `rounds` keeps in which round positions were found.
pub(super) fn wins(
    ground: &Ground,
    winner: Side,
    valid: &Sets,
    exits: &Exits,
    known: &mut Sets,
    mut rounds: Option<&mut Rounds>,
) {
    let places = ground.places();
    let (to_move, waiting) = (winner as usize, winner.other() as usize);
    // Rows that can change, because what they depend on has changed.
    let (mut attack, mut defence) = (u64::MAX, u64::MAX);
    let (mut won, mut lost) = (vec![0; places], vec![0; places]);
    // Positions that the loser would like to reach.
    let mut safe: Vec<u64> = vec![0; 64 * places];
    for round in 0.. {
        let mut changed = 0u64;
        for king in squares(attack) {
            let row = king as usize * places..(king as usize + 1) * places;
            won.copy_from_slice(&exits.winning[row.clone()]);
            let found = &mut won;
            match winner {
                Side::White => {
                    ground.add_white_moves(&known[waiting][row.clone()], king, found);
                }
                Side::Black => ground.add_black_moves(&known[waiting], king, found),
            }
            for (index, &found) in row.zip(found.iter()) {
                let new = known[to_move][index] | found & valid[to_move][index];
                if new != known[to_move][index] {
                    if let Some(rounds) = &mut rounds {
                        rounds.note(to_move, index, new & !known[to_move][index], round);
                    }
                    known[to_move][index] = new;
                    changed |= 1 << king;
                }
            }
        }
        defence |= match winner {
            Side::White => reach(changed),
            Side::Black => changed,
        };
        for king in squares(if round == 0 { u64::MAX } else { changed }) {
            for index in king as usize * places..(king as usize + 1) * places {
                safe[index] = valid[to_move][index] & !known[to_move][index];
            }
        }
        let mut answered = 0u64;
        for king in squares(defence) {
            let row = king as usize * places..(king as usize + 1) * places;
            lost.copy_from_slice(&exits.escape[row.clone()]);
            match winner {
                Side::White => ground.add_black_moves(&safe, king, &mut lost),
                Side::Black => ground.add_white_moves(&safe[row.clone()], king, &mut lost),
            }
            for (index, &kept) in row.zip(&lost) {
                let new = known[waiting][index] | valid[waiting][index] & !kept;
                if new != known[waiting][index] {
                    if let Some(rounds) = &mut rounds {
                        rounds.note(waiting, index, new & !known[waiting][index], round);
                    }
                    known[waiting][index] = new;
                    answered |= 1 << king;
                }
            }
        }
        if answered == 0 {
            return;
        }
        attack = match winner {
            Side::White => answered,
            Side::Black => reach(answered),
        };
        defence = 0;
    }
}

/// The rows from which Black's king reaches these.
fn reach(rows: u64) -> u64 {
    squares(rows).fold(0, |set, row| set | AROUND[row as usize])
}
