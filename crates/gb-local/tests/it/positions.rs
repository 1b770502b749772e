//! Positions to search: any games as boards of one mixed game, so that the search is compiled only once.

use std::ops::ControlFlow;

use gb_game::mixed::{Mixed, MixedBoard};
use gb_game::{GameName, GameVisitor, Player, Rules};

/// Adds the game of a position to a list of games.
struct Add<'a> {
    games: &'a mut Mixed,
    position: &'a str,
}

impl GameVisitor for Add<'_> {
    type Out = MixedBoard;

    fn visit<R: Rules>(self, rules: R) -> MixedBoard {
        let board = match gb_board::Size::read(self.position) {
            Ok(size) if self.position.contains('x') && !self.position.contains(['.', 'o']) => {
                rules.start(size)
            }
            _ => rules.read(self.position),
        };
        let board = board.unwrap_or_else(|error| panic!("{} {}: {error}", rules.info().name, self.position));
        let game = self.games.add(rules);
        self.games.board::<R>(game, board)
    }
}

/// A position, or the starting position of a size, of a game that is added to `games`.
pub fn add(games: &mut Mixed, name: &str, position: &str) -> MixedBoard {
    gb_games::visit(&GameName::read(name).unwrap(), position, Add { games, position }).unwrap()
}

/// Numbers without order (xorshift, Marsaglia 2003): the same in every run.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

/// The position after some random moves.
pub fn played<R: Rules>(rules: &R, start: &R::Board, moves: usize, random: &mut Random) -> R::Board {
    let mut board = start.clone();
    for _ in 0..moves {
        let who = Player::BOTH[random.below(2)];
        let mut all = vec![];
        let _ = rules.moves(&board, who, &mut |mv| {
            all.push(mv);
            ControlFlow::Continue(())
        });
        if all.is_empty() {
            continue;
        }
        rules.play(&mut board, who, &all[random.below(all.len())]);
    }
    board
}
