//! Positions to search: any games as boards of their union, so that all have the same width.

use std::ops::ControlFlow;

use gb_board::Random;
use gb_rules::{DynGame, Game, Key, Player, UnionGame};

/// Positions, or starting positions of a size, of different games: names and texts.
pub fn open_all(positions: &[(&str, &str)]) -> (Game<2>, Vec<Key<2>>) {
    let read = |&(name, position): &(&str, &str)| {
        let game = gb_games::open(name, position).unwrap();
        game.read_or_start(position).unwrap_or_else(|error| panic!("{name} {position}: {error}"))
    };
    UnionGame::of_positions(&positions.iter().map(read).collect::<Vec<_>>())
}

/// A single one.
pub fn open(name: &str, position: &str) -> (Game<2>, Key<2>) {
    let (game, keys) = open_all(&[(name, position)]);
    (game, keys[0])
}

/// The position after some random moves.
pub fn played<const N: usize>(
    game: &dyn DynGame<N>,
    start: &Key<N>,
    moves: usize,
    random: &mut Random,
) -> Key<N> {
    let mut board = *start;
    for _ in 0..moves {
        let who = Player::BOTH[random.below(2)];
        let mut all = vec![];
        let _ = game.moves(&board, who, &mut |mv| {
            all.push(mv);
            ControlFlow::Continue(())
        });
        if all.is_empty() {
            continue;
        }
        board = game.play(&board, who, all[random.below(all.len())]).0;
    }
    board
}
