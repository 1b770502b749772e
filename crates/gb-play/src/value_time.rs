//! How much knowledge may cost: when boards are taken apart is learned, and values have a share of the time.

use std::time::Duration;

use gb_value::clock::Instant;

/// Playouts take boards apart when the mover has at most this many moves (see [`Threshold`]): where learning begins, and
/// how far it may go.
const FEW_MOVES_AT_FIRST: f32 = 8.0;
const MOST_FEW_MOVES: f32 = 40.0;
/// How much the threshold rises when taking the board apart settled the game, and falls when not.
const HIT: f32 = 0.1;
const MISS: f32 = 0.02;
/// So many lessons come before the first search, and count so many times as much.
pub(crate) const FIRST_LESSONS: u32 = 64;
const HURRY: f32 = 5.0;
/// Playouts from one lesson to the next: at least, and at most.
const LESSON_SPACING: f32 = 16.0;
const MOST_BETWEEN_LESSONS: f32 = 128.0;
/// Where games are settled so late, it does not pay to take positions apart in the tree; for every move of the threshold
/// above that, the players together may have so many moves.
const TOO_FEW_MOVES: f32 = 5.0;
const REACH: f32 = 20.0;
/// The share of the time that may go into the values of parts where positions are taken apart, and where they are not; and
/// what may be spent at once.
pub(crate) const VALUES_SHARE: f32 = 0.3;
pub(crate) const LESSONS_SHARE: f32 = 0.04;
const GRACE: Duration = Duration::from_micros(500);

/// With how many moves to choose from a playout takes the board apart: learned from whether that settled the game at once.
/// A game whose parts are seldom known is so played out at nearly full speed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Threshold {
    moves: f32,
    lessons: u32,
}

impl Default for Threshold {
    fn default() -> Self {
        Threshold { moves: FEW_MOVES_AT_FIRST, lessons: 0 }
    }
}

impl Threshold {
    pub(crate) fn moves(self) -> u32 {
        self.moves as u32
    }

    pub(crate) fn is_fresh(self) -> bool {
        self.lessons < FIRST_LESSONS
    }

    /// Whether it pays to take everything apart where both players have so many moves: from there, games reach the threshold
    /// soon enough.
    pub(crate) fn is_near(self, open: u32) -> bool {
        open as f32 <= REACH * (self.moves - TOO_FEW_MOVES)
    }

    /// Where both players have so many moves and positions are not taken apart, every so-manieth playout is, to learn: the
    /// more seldom, the less there is to hope for.
    pub(crate) fn between_lessons(self, open: u32) -> u32 {
        let reach = REACH * (self.moves - TOO_FEW_MOVES).max(0.1);
        (LESSON_SPACING * open as f32 / reach).clamp(LESSON_SPACING, MOST_BETWEEN_LESSONS) as u32
    }

    /// In the long run the board is taken apart where a share of `MISS / (HIT + MISS)` is settled at once.
    pub(crate) fn learn(&mut self, settled: bool) {
        let step = if settled { HIT } else { -MISS };
        let step = if self.is_fresh() { HURRY * step } else { step };
        self.moves = (self.moves + step).clamp(1.0, MOST_FEW_MOVES);
        self.lessons = self.lessons.saturating_add(1);
    }
}

/// The time that may go into the values of parts: a share of all time, so that knowledge that does not come cheaply does
/// not take the time that playouts need.
#[derive(Debug)]
pub(crate) struct TimeShare {
    start: Instant,
    pub(crate) spent: Duration,
}

impl TimeShare {
    pub(crate) fn new() -> Self {
        TimeShare { start: Instant::now(), spent: Duration::ZERO }
    }

    /// The time now, if there is something left to spend.
    #[inline]
    pub(crate) fn open(&self, share: f32) -> Option<Instant> {
        let now = Instant::now();
        (self.spent <= GRACE + now.saturating_duration_since(self.start).mul_f32(share)).then_some(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_threshold_goes_where_boards_are_settled_now_and_then() {
        // Settled where there are at most ten moves: the threshold stays around that.
        let mut threshold = Threshold::default();
        for _ in 0..5_000 {
            threshold.learn(threshold.moves() <= 10);
        }
        assert!((9..=11).contains(&threshold.moves()), "{threshold:?}");
        assert!(threshold.is_near(60) && !threshold.is_near(200));
        let spacing = threshold.between_lessons(200);
        // Never settled: boards stay in one piece.
        for _ in 0..5_000 {
            threshold.learn(false);
        }
        assert!(threshold.moves() == 1 && !threshold.is_near(1));
        assert!(threshold.between_lessons(200) > spacing);
    }
}
