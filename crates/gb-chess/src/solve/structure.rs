//! Where the pawns stand, and how they can move on.

use smallvec::SmallVec;

use super::bits::{attacks_of_black, attacks_of_white, bit, squares};

/// A piece that a pawn can become.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(super) enum Kind {
    Queen,
    Rook,
    Bishop,
    Knight,
}

impl Kind {
    pub(super) const ALL: [Kind; 4] = [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight];
}

/// Who is to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Side {
    White,
    Black,
}

impl Side {
    pub(super) const BOTH: [Side; 2] = [Side::White, Side::Black];

    pub(super) fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }
}

/// All pawns. Pawns never come back, so structures are the layers in which the game is solved.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Default)]
pub(super) struct Structure {
    pub(super) white: u64,
    pub(super) black: u64,
}

/// A move of a pawn, whatever else stands on the board.
#[derive(Clone, Debug)]
pub(super) struct PawnStep {
    pub(super) from: u8,
    pub(super) to: u8,
    /// Squares that must be free of kings and pieces.
    pub(super) gap: u64,
    /// The pawns afterwards; a pawn that is promoted is gone.
    pub(super) next: Structure,
    pub(super) promotes: bool,
    /// The pawns after each capture en passant that it allows.
    pub(super) passing: SmallVec<[Structure; 2]>,
}

impl Structure {
    pub(super) fn all(&self) -> u64 {
        self.white | self.black
    }

    /// The same seen by the other player: colours exchanged, the board turned upside down.
    #[must_use]
    pub(super) fn flipped(&self) -> Structure {
        Structure { white: self.black.swap_bytes(), black: self.white.swap_bytes() }
    }

    /// Which of the two ways to see these pawns is kept. It hardly ever changes when pawns move, so that layers and those
    /// after a move are kept the same way round.
    pub(super) fn is_kept_flipped(&self) -> bool {
        let files = |set: u64| {
            let mut counts = 0u32;
            squares(set).for_each(|square| counts += 1 << (3 * (square % 8)));
            (set.count_ones(), counts)
        };
        let (white, black) = (files(self.white), files(self.black));
        white < black || white == black && self.flipped() < *self
    }

    #[must_use]
    pub(super) fn without(&self, square: u8) -> Structure {
        Structure { white: self.white & !bit(square), black: self.black & !bit(square) }
    }

    pub(super) fn attacks(&self, side: Side) -> u64 {
        match side {
            Side::White => attacks_of_white(self.white),
            Side::Black => attacks_of_black(self.black),
        }
    }

    /// The moves of one side's pawns, captures of pawns included; captures of pieces are not among them.
    pub(super) fn steps(&self, side: Side) -> SmallVec<[PawnStep; 16]> {
        match side {
            Side::White => self.white_steps(),
            Side::Black => {
                let mut steps = self.flipped().white_steps();
                for step in &mut steps {
                    step.from ^= 56;
                    step.to ^= 56;
                    step.gap = step.gap.swap_bytes();
                    step.next = step.next.flipped();
                    step.passing.iter_mut().for_each(|next| *next = next.flipped());
                }
                steps
            }
        }
    }

    fn white_steps(&self) -> SmallVec<[PawnStep; 16]> {
        let mut steps = SmallVec::new();
        let all = self.all();
        for from in squares(self.white) {
            let moved = |to: u8| Structure {
                white: if to >= 56 { self.white & !bit(from) } else { self.white & !bit(from) | bit(to) },
                black: self.black & !bit(to),
            };
            let mut push = |to: u8, gap: u64, passing: SmallVec<[Structure; 2]>| {
                steps.push(PawnStep { from, to, gap, next: moved(to), promotes: to >= 56, passing });
            };
            let to = from + 8;
            if all & bit(to) == 0 {
                push(to, bit(to), SmallVec::new());
                let two = from + 16;
                if from < 16 && all & bit(two) == 0 {
                    let next = moved(two);
                    let passing = squares(super::bits::beside(bit(two)) & self.black)
                        .map(|taker| Structure {
                            white: next.white & !bit(two),
                            black: next.black & !bit(taker) | bit(to),
                        })
                        .collect();
                    push(two, bit(to) | bit(two), passing);
                }
            }
            for target in squares(attacks_of_white(bit(from)) & self.black) {
                push(target, 0, SmallVec::new());
            }
        }
        steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_of_both_sides() {
        // White e2, d5; Black d4, e6, c7.
        let at = Structure { white: bit(12) | bit(35), black: bit(27) | bit(44) | bit(50) };
        let white = at.steps(Side::White);
        let texts: Vec<(u8, u8, usize)> = white.iter().map(|s| (s.from, s.to, s.passing.len())).collect();
        assert_eq!(texts, [(12, 20, 0), (12, 28, 1), (35, 43, 0), (35, 44, 0)]);
        assert_eq!(white[1].passing[0], Structure { white: bit(35), black: bit(20) | bit(44) | bit(50) });
        let black = at.steps(Side::Black);
        let texts: Vec<(u8, u8, usize)> = black.iter().map(|s| (s.from, s.to, s.passing.len())).collect();
        assert!(texts.contains(&(50, 34, 1)) && texts.contains(&(44, 35, 0)) && texts.contains(&(27, 19, 0)));
        assert_eq!(texts.len(), 5);
    }
}
