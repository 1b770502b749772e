//! A game on the whole board: whose turn it is, prisoners, ko.

use std::collections::HashSet;

use gb_value::Player;

use crate::board::{Board, Illegal, Point};

/// Which repetitions are forbidden.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum KoRule {
    /// A single stone may not be taken back at once.
    #[default]
    Simple,
    /// No position may come up again, whoever is to move (positional superko).
    Superko,
}

/// A move on the whole board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// A stone.
    Stone(Point),
    /// Nothing.
    Pass,
}

/// A game in progress.
#[derive(Clone, Debug)]
pub struct Game {
    /// The stones.
    pub board: Board,
    /// Whose turn it is.
    pub to_play: Player,
    /// How many stones Black has captured and how many White has.
    pub prisoners: [u32; 2],
    rule: KoRule,
    /// Where a stone may not be placed now.
    ko: Option<Point>,
    /// The positions so far, where superko needs them.
    before: HashSet<Board>,
    last: Option<(Player, Move)>,
    passes: u32,
}

impl Game {
    /// A game that begins with a position.
    pub fn new(board: Board, to_play: Player, rule: KoRule) -> Game {
        let before = if rule == KoRule::Superko { HashSet::from([board.clone()]) } else { HashSet::new() };
        Game { board, to_play, prisoners: [0; 2], rule, ko: None, before, last: None, passes: 0 }
    }

    /// Which repetitions are forbidden.
    pub fn rule(&self) -> KoRule {
        self.rule
    }

    /// The same, where the player to move may not play on this point, because it would take a ko back.
    #[must_use]
    pub fn with_ko(mut self, point: Point) -> Game {
        self.ko = Some(point);
        self
    }

    /// The last move and who made it.
    pub fn last(&self) -> Option<(Player, Move)> {
        self.last
    }

    /// Whether the last two moves were passes.
    pub fn is_over(&self) -> bool {
        self.passes >= 2
    }

    /// Where the player to move may not take a ko back.
    pub fn ko(&self) -> Option<Point> {
        self.ko
    }

    /// Makes a move for a player, whoever is to play; afterwards it is the opponent's turn.
    ///
    /// # Errors
    /// If the rules forbid the move; the game is then as it was.
    pub fn play(&mut self, player: Player, mv: Move) -> Result<(), Illegal> {
        match mv {
            Move::Pass => {
                self.passes += 1;
                self.ko = None;
            }
            Move::Stone(point) => {
                if self.ko == Some(point) && player == self.to_play {
                    return Err(Illegal::Ko);
                }
                let mut board = self.board.clone();
                let captured = board.play(player, point)?;
                if self.rule == KoRule::Superko {
                    if self.before.contains(&board) {
                        return Err(Illegal::Superko);
                    }
                    self.before.insert(board.clone());
                }
                let block = board.block(point);
                self.ko = match captured.as_slice() {
                    &[single] if block.stones.len() == 1 && block.liberties.len() == 1 => Some(single),
                    _ => None,
                };
                self.prisoners[player as usize] += captured.len() as u32;
                self.board = board;
                self.passes = 0;
            }
        }
        self.last = Some((player, mv));
        self.to_play = player.opponent();
        Ok(())
    }

    /// Whether a player may place a stone on a point.
    pub fn is_legal(&self, player: Player, point: Point) -> bool {
        self.clone().play(player, Move::Stone(point)).is_ok()
    }

    /// Prisoners as points, positive for Black.
    pub fn prisoner_score(&self) -> i64 {
        self.prisoners[0] as i64 - self.prisoners[1] as i64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gb_value::Player::{Left, Right};

    const KO: &str = ".XO.|X.XO|.XO.|....";

    #[test]
    fn a_ko_may_be_taken_back_after_a_move_elsewhere() {
        for rule in [KoRule::Simple, KoRule::Superko] {
            let mut game = Game::new(Board::read(KO).unwrap(), Right, rule);
            game.play(Right, Move::Stone(5)).unwrap();
            assert_eq!(game.prisoners, [0, 1]);
            let forbidden = game.play(Left, Move::Stone(6)).unwrap_err();
            assert!(matches!(forbidden, Illegal::Ko | Illegal::Superko));
            game.play(Left, Move::Stone(12)).unwrap();
            game.play(Right, Move::Stone(15)).unwrap();
            game.play(Left, Move::Stone(6)).unwrap();
            assert_eq!(game.prisoners, [1, 1]);
        }
    }

    #[test]
    fn superko_forbids_what_simple_ko_allows() {
        // After two passes the ban on the ko is lifted, but not that on the position.
        for (rule, allowed) in [(KoRule::Simple, true), (KoRule::Superko, false)] {
            let mut game = Game::new(Board::read(KO).unwrap(), Right, rule);
            game.play(Right, Move::Stone(5)).unwrap();
            game.play(Left, Move::Pass).unwrap();
            game.play(Right, Move::Pass).unwrap();
            assert_eq!(game.play(Left, Move::Stone(6)).is_ok(), allowed);
        }
    }
}
