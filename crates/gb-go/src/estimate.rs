//! What areas without values may be worth: a guess, and how far it can be trusted.
//!
//! Each player begins in the area with the move after which random games go best, or elsewhere, which is as if he passed. Half
//! of the difference is what a move there seems to be worth. Nothing of this is proven.

use gb_value::{Budget, Player};

use crate::analysis::Analysis;
use crate::board::Point;
use crate::game::{Game, Move};
use crate::playout::{sensible_moves, try_moves};

/// Games for each player and area.
const PLAYOUTS: usize = 1_500;

/// A guess about an area without a value.
#[derive(Clone, PartialEq, Debug)]
pub struct Estimate {
    /// The number of the area in the analysis.
    pub area: usize,
    /// What a move there seems to be worth.
    pub temperature: f64,
    /// The standard error of that, as far as chance is concerned; that the players are bad comes on top.
    pub error: f64,
    /// Where Black, where White seems to play best; `None` if nothing is better than playing elsewhere.
    pub moves: [Option<Point>; 2],
    /// The least and the most that the area can count for Black, whatever happens.
    pub bounds: (i64, i64),
}

/// Estimates the areas without values, the most urgent first. Areas for which there is no time are left out.
pub fn estimates(game: &Game, analysis: &Analysis, budget: &Budget) -> Vec<Estimate> {
    let open = (0..analysis.areas.len()).filter(|&i| analysis.areas[i].facts.is_err());
    let mut found: Vec<Estimate> = open.filter_map(|area| estimate(game, analysis, area, budget)).collect();
    found.sort_by(|a, b| b.temperature.total_cmp(&a.temperature));
    found
}

fn estimate(game: &Game, analysis: &Analysis, area: usize, budget: &Budget) -> Option<Estimate> {
    let points = &analysis.areas[area].points;
    let mut tried = vec![];
    for player in Player::BOTH {
        let moves = sensible_moves(game, player, |p| points.binary_search(&p).is_ok());
        tried.push(*try_moves(game, player, moves, PLAYOUTS, budget).first()?);
    }
    let moves = [0, 1].map(|i| match tried[i].mv {
        Move::Stone(point) => Some(point),
        Move::Pass => None,
    });
    Some(Estimate {
        area,
        temperature: (tried[0].mean - tried[1].mean) / 2.0,
        error: tried[0].error.hypot(tried[1].error) / 2.0,
        moves,
        bounds: analysis.bounds_of(&game.board, area),
    })
}
