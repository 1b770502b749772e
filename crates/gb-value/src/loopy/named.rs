//! The loopy games that have names (Winning Ways, chapter 11; Siegel, Combinatorial Game Theory, chapter VI).

use super::LoopyGame;
use super::graph::Node;

/// Options of the nodes 0, 1, 2, ... as (Left's, Right's); node 0 of a table is the named game itself.
type Table = &'static [(&'static [u32], &'static [u32])];

const ON: Table = &[(&[0], &[])];
const OFF: Table = &[(&[], &[0])];
const DUD: Table = &[(&[0], &[0])];
const OVER: Table = &[(&[1], &[0]), (&[], &[])];
const UNDER: Table = &[(&[0], &[1]), (&[], &[])];
const UPON: Table = &[(&[0], &[1]), (&[2], &[2]), (&[], &[])];
const UPON_STAR: Table = &[(&[0, 1], &[1]), (&[], &[])];
const TINY_ON: Table = &[(&[1], &[2]), (&[], &[]), (&[1], &[3]), (&[], &[3])];
const HI: Table = &[(&[1], &[2]), (&[1], &[]), (&[], &[])];
const LO: Table = &[(&[1], &[2]), (&[], &[]), (&[], &[2])];
const TIS: Table = &[(&[1], &[]), (&[], &[0])];
const TISN: Table = &[(&[], &[1]), (&[0], &[])];

/// The names [`LoopyGame::named`] knows.
pub const NAMES: &[&str] =
    &["on", "off", "dud", "over", "under", "upon", "upon*", "tiny(on)", "hi", "lo", "tis", "tisn"];

fn game(table: Table) -> LoopyGame {
    let nodes: Vec<Node> = table.iter().map(|(l, r)| Node::new(l.to_vec(), r.to_vec())).collect();
    LoopyGame { nodes: nodes.into(), root: 0 }
}

impl LoopyGame {
    /// The game with this name, one of [`NAMES`].
    pub fn named(name: &str) -> Option<LoopyGame> {
        Some(game(match name {
            "on" => ON,
            "off" => OFF,
            "dud" => DUD,
            "over" => OVER,
            "under" => UNDER,
            "upon" => UPON,
            "upon*" => UPON_STAR,
            "tiny(on)" => TINY_ON,
            "hi" => HI,
            "lo" => LO,
            "tis" => TIS,
            "tisn" => TISN,
            _ => return None,
        }))
    }

    /// `{on|}`: Left can always move. Greater than every other stopper.
    pub fn on() -> LoopyGame {
        game(ON)
    }

    /// `{|off}`: Right can always move.
    pub fn off() -> LoopyGame {
        game(OFF)
    }

    /// `{dud|dud}`, the deathless universal draw: both can always move. Not a stopper.
    pub fn dud() -> LoopyGame {
        game(DUD)
    }

    /// `{0|over}`: above every infinitesimal short game, below every positive number.
    pub fn over() -> LoopyGame {
        game(OVER)
    }

    /// `{under|0}`, the negative of over.
    pub fn under() -> LoopyGame {
        game(UNDER)
    }

    /// `{upon|*}`.
    pub fn upon() -> LoopyGame {
        game(UPON)
    }

    /// `{0,upon*|0}`, the sum of upon and `*`.
    pub fn upon_star() -> LoopyGame {
        game(UPON_STAR)
    }

    /// `{0|{0|off}}`: positive, below every other tiny.
    pub fn tiny_on() -> LoopyGame {
        game(TINY_ON)
    }

    /// `{on|0}`.
    pub fn hi() -> LoopyGame {
        game(HI)
    }

    /// `{0|off}`, the negative of hi.
    pub fn lo() -> LoopyGame {
        game(LO)
    }

    /// `{tisn|}` where tisn is `{|tis}`: not a stopper, its sides are 1 and 0.
    pub fn tis() -> LoopyGame {
        game(TIS)
    }

    /// `{|tis}` where tis is `{tisn|}`: not a stopper, its sides are 0 and -1.
    pub fn tisn() -> LoopyGame {
        game(TISN)
    }
}
