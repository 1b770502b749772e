//! The form of a game for tables of outcomes: what its moves do to sets of cells.

use gb_board::Codes;

use crate::{Player, StoneMove};

/// What tables of outcomes have to know about a game. In all forms a board is a set of cells, and a colouring of it by at most two colours; a move
/// makes the set smaller, or larger, and never leaves it as it was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Tabulated {
    /// Stones go: all moves of Left are patterns of stones, and those of Right are the same with the colours exchanged.
    Going(Vec<StoneMove>),
    /// Stones come.
    Coming(Coming),
    /// Cells are filled, and it does not matter by whom.
    Filling(Filling),
}

/// A game in which a move places one stone of the player's colour on an empty cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Coming {
    /// The codes of an empty cell, Left's stone and Right's stone. A board with other letters is not in tables.
    pub letters: [u8; 3],
    /// Where it may be placed.
    pub rule: ComingRule,
}

/// Where a stone may be placed. Cells are beside each other if they are neighbours in a row or a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ComingRule {
    /// Not beside an own one (Col).
    NotBesideOwn,
    /// Not beside one of the opponent (Snort).
    NotBesideOther,
    /// Such that every group, of connected stones of one colour, is beside an empty cell afterwards (NoGo). Where a group is not,
    /// there are no moves.
    GroupsBreathe,
}

impl ComingRule {
    /// All of them.
    pub const ALL: [ComingRule; 3] =
        [ComingRule::NotBesideOwn, ComingRule::NotBesideOther, ComingRule::GroupsBreathe];
}

/// A game in which a move fills empty cells. Code 0 is a cell that is filled, or none of the board, code 1 is an empty one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Filling {
    /// The cells that moves of Left and of Right fill: rows downwards and columns to the right from any one of them.
    pub moves: [Vec<Vec<(i32, i32)>>; 2],
}

impl Tabulated {
    /// Whether it is what it must be.
    pub fn is_sound(&self) -> bool {
        match self {
            Tabulated::Going(moves) => moves.iter().all(StoneMove::is_sound),
            Tabulated::Coming(coming) => {
                let [empty, left, right] = coming.letters;
                empty != left && left != right && right != empty
            }
            Tabulated::Filling(filling) => {
                filling.moves.iter().flatten().all(|cells| {
                    !cells.is_empty() && (0..cells.len()).all(|i| !cells[..i].contains(&cells[i]))
                })
            }
        }
    }

    /// The cells of the boards after the moves of a player, each once and in order; `None` if the board is not in tables. Cell by cell: tests compare
    /// it with the moves of the game.
    pub fn options(&self, board: &Codes, who: Player) -> Option<Vec<Vec<u8>>> {
        let mut found = match self {
            Tabulated::Going(moves) => {
                let stone = |code: u8| if who == Player::Left || code == 0 { code } else { 3 - code };
                let cells = |found: &StoneMove| {
                    let cell =
                        |&(step, before, after): &((i32, i32), u8, u8)| (step, stone(before), stone(after));
                    found.cells.iter().map(cell).collect::<Vec<_>>()
                };
                by_patterns(board, &moves.iter().map(cells).collect::<Vec<_>>())
            }
            Tabulated::Filling(filling) => {
                let cells = |cells: &Vec<(i32, i32)>| cells.iter().map(|&step| (step, 1, 0)).collect();
                by_patterns(board, &filling.moves[who as usize].iter().map(cells).collect::<Vec<_>>())
            }
            Tabulated::Coming(coming) => coming.options(board, who)?,
        };
        found.sort();
        found.dedup();
        Some(found)
    }
}

/// A place from another by steps, if it is on the board.
fn step(Codes { rows, cols, .. }: &Codes, from: usize, (down, right): (i32, i32)) -> Option<usize> {
    let place = |from: usize, step: i32, end: usize| {
        from.checked_add_signed(step as isize).filter(|&place| place < end)
    };
    Some(place(from / cols, down, *rows)? * cols + place(from % cols, right, *cols)?)
}

type Pattern = Vec<((i32, i32), u8, u8)>;

fn by_patterns(board: &Codes, patterns: &[Pattern]) -> Vec<Vec<u8>> {
    let mut found = vec![];
    for pattern in patterns {
        for base in 0..board.cells.len() {
            let mut after = board.cells.clone();
            let fits = pattern.iter().all(|&(at, before, then)| match step(board, base, at) {
                Some(place) if board.cells[place] == before => {
                    after[place] = then;
                    true
                }
                _ => false,
            });
            if fits {
                found.push(after);
            }
        }
    }
    found
}

const BESIDE: [(i32, i32); 4] = [(0, 1), (0, -1), (1, 0), (-1, 0)];

impl Coming {
    fn options(&self, board: &Codes, who: Player) -> Option<Vec<Vec<u8>>> {
        let [empty, left, right] = self.letters;
        let (own, other) = if who == Player::Left { (left, right) } else { (right, left) };
        if board.cells.iter().any(|code| !self.letters.contains(code)) {
            return None;
        }
        let beside = |place: usize, code: u8| {
            BESIDE.iter().any(|&at| step(board, place, at).is_some_and(|near| board.cells[near] == code))
        };
        let mut found = vec![];
        for place in (0..board.cells.len()).filter(|&place| board.cells[place] == empty) {
            let mut after = board.clone();
            after.cells[place] = own;
            let legal = match self.rule {
                ComingRule::NotBesideOwn => !beside(place, own),
                ComingRule::NotBesideOther => !beside(place, other),
                ComingRule::GroupsBreathe => groups_breathe(&after, empty),
            };
            if legal {
                found.push(after.cells);
            }
        }
        Some(found)
    }
}

/// Whether every group of equal letters is beside an empty cell.
fn groups_breathe(board: &Codes, empty: u8) -> bool {
    let mut breathes: Vec<bool> = board.cells.iter().map(|&code| code == empty).collect();
    loop {
        let reached: Vec<usize> = (0..breathes.len())
            .filter(|&place| !breathes[place])
            .filter(|&place| {
                BESIDE.iter().filter_map(|&at| step(board, place, at)).any(|near| {
                    let code = board.cells[near];
                    code == empty || code == board.cells[place] && breathes[near]
                })
            })
            .collect();
        if reached.is_empty() {
            return breathes.iter().all(|breathes| *breathes);
        }
        reached.into_iter().for_each(|place| breathes[place] = true);
    }
}
