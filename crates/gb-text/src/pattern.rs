//! Patterns as they lie on a board: one for each way in which a move of the text can be laid.

use gb_rules::Player;

use crate::error::{Place, TextError};
use crate::tree::{
    Action, BoardKind, Condition, GameText, Legal, LetterSet, Near, Per, Points, Reach, Rewrite, Ways,
};

/// How many ways to move there may be in all.
const MAX_PATTERNS: usize = 1_000;

/// A step: rows downwards, columns to the right.
pub(crate) type Step = (i32, i32);

/// A cell of a pattern, as seen from its base.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct PatternCell {
    pub(crate) at: Step,
    /// The letters that may be there.
    pub(crate) before: LetterSet,
    /// The letter afterwards, if another.
    pub(crate) after: Option<u8>,
}

/// How far a pattern reaches.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Span {
    /// As far as its cells.
    Once,
    /// Again and again, this far on each time.
    Repeat(Step),
    /// The last cell is any number of steps away, over these letters.
    Slide(Step, LetterSet),
    /// The only cell moves one step, and pushes a run of these letters.
    Push(Step, LetterSet),
    /// All cells of these letters beyond the last one, in this direction, become that.
    Sweep(Step, LetterSet, Option<u8>),
}

/// What a pattern is, whatever it is pointed at by. Patterns are placed by their base, the upper left corner of the box
/// around their cells.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Shape {
    pub(crate) span: Span,
    pub(crate) cells: Vec<PatternCell>,
    /// Of each list there must be a place without these letters.
    pub(crate) absent: Vec<Vec<(Step, LetterSet)>>,
    /// Of each list one must be there.
    pub(crate) present: Vec<Vec<(Step, LetterSet)>>,
    /// Cells of these letters at these places get that letter.
    pub(crate) neighbours: Option<(Vec<Step>, LetterSet, u8)>,
    /// The points of the move: so many, for every cell that changes and for every one of these letters at these places.
    pub(crate) points: (u32, bool, Option<(Vec<Step>, LetterSet)>),
    /// What may be done afterwards from where the last cell lies; nothing: nothing has to be.
    pub(crate) then: Vec<Shape>,
    /// Where the first cell lies, for spans and halves that go on from there.
    pub(crate) first: Step,
    /// Where the last cell lies.
    pub(crate) last: Step,
}

/// A shape with whose it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Pattern {
    /// Whether Left and whether Right may move so.
    pub(crate) players: [bool; 2],
    pub(crate) shape: Shape,
}

/// The neighbours of a cell.
pub(crate) fn neighbours(board: BoardKind, diagonal: bool) -> &'static [Step] {
    const ALL: [Step; 8] = [(0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (1, -1), (1, 1), (-1, -1)];
    match board {
        BoardKind::Strip => &ALL[..2],
        _ if diagonal => &ALL,
        BoardKind::Hex => &ALL[..6],
        _ => &ALL[..4],
    }
}

/// An image of a grid: transposed, upside down, reversed, in this order.
pub(crate) type Image = (bool, bool, bool);

pub(crate) fn turned((row, col): Step, (transposed, flipped, reversed): Image) -> Step {
    let (row, col) = if transposed { (col, row) } else { (row, col) };
    (if flipped { -row } else { row }, if reversed { -col } else { col })
}

impl Shape {
    /// Every place in the shape changed by `place`, every direction by `way`, every letter by `letter`; then the base is found
    /// anew.
    fn mapped(&self, way: &dyn Fn(Step) -> Step, letter: &dyn Fn(u8) -> u8) -> Shape {
        let set =
            |set: LetterSet| (0..16).filter(|i| set >> i & 1 == 1).fold(0, |all, i| all | 1 << letter(i));
        let steps = |list: &[Step]| list.iter().map(|&at| way(at)).collect::<Vec<_>>();
        let span = match self.span {
            Span::Once => Span::Once,
            Span::Repeat(step) => Span::Repeat(way(step)),
            Span::Slide(step, over) => Span::Slide(way(step), set(over)),
            Span::Push(step, letters) => Span::Push(way(step), set(letters)),
            Span::Sweep(step, letters, after) => Span::Sweep(way(step), set(letters), after.map(letter)),
        };
        let pairs = |list: &[(Step, LetterSet)]| list.iter().map(|&(at, s)| (way(at), set(s))).collect();
        let (each, per_cell, beside) = &self.points;
        let mut shape = Shape {
            span,
            cells: self
                .cells
                .iter()
                .map(|cell| PatternCell {
                    at: way(cell.at),
                    before: set(cell.before),
                    after: cell.after.map(letter),
                })
                .collect(),
            absent: self.absent.iter().map(|list| pairs(list)).collect(),
            present: self.present.iter().map(|list| pairs(list)).collect(),
            neighbours: self.neighbours.as_ref().map(|(list, s, to)| (steps(list), set(*s), letter(*to))),
            points: (*each, *per_cell, beside.as_ref().map(|(list, s)| (steps(list), set(*s)))),
            then: self.then.iter().map(|then| then.mapped(way, letter)).collect(),
            first: way(self.first),
            last: way(self.last),
        };
        shape.settle();
        shape
    }

    /// The image of the shape, with other letters.
    pub(crate) fn image(&self, image: Image, letter: &dyn Fn(u8) -> u8) -> Shape {
        self.mapped(&|at| turned(at, image), letter)
    }

    /// The same shape with other letters.
    pub(crate) fn lettered(&self, letter: &dyn Fn(u8) -> u8) -> Shape {
        self.mapped(&|at| at, letter)
    }

    /// Puts the base into the corner and everything into order.
    fn settle(&mut self) {
        let top = self.cells.iter().map(|cell| cell.at.0).min().unwrap_or(0);
        let left = self.cells.iter().map(|cell| cell.at.1).min().unwrap_or(0);
        let moved = |(row, col): Step| (row - top, col - left);
        self.cells.iter_mut().for_each(|cell| cell.at = moved(cell.at));
        self.cells.sort_unstable();
        for lists in [&mut self.absent, &mut self.present] {
            for list in lists.iter_mut() {
                list.iter_mut().for_each(|(at, _)| *at = moved(*at));
                list.sort_unstable();
            }
            lists.sort_unstable();
            lists.dedup();
        }
        if let Some((list, ..)) = &mut self.neighbours {
            list.iter_mut().for_each(|at| *at = moved(*at));
            list.sort_unstable();
        }
        if let Some((list, _)) = &mut self.points.2 {
            list.iter_mut().for_each(|at| *at = moved(*at));
            list.sort_unstable();
        }
        self.then.sort_unstable();
        self.first = moved(self.first);
        self.last = moved(self.last);
    }

    /// Settles which cells are pointed at to make a move: where a piece comes from, and where it goes to; of several such pairs one that
    /// lies farthest apart. `empty` is the letter that is no piece. Otherwise the ends of the pattern, as it is written.
    ///
    /// Only where the pattern is found again by its cells: halves of moves begin at their first cell, whatever moves there.
    fn point(&mut self, empty: Option<usize>) {
        if self.span != Span::Once || !self.then.is_empty() || self.first == self.last {
            return;
        }
        // A pattern and its image must be the same.
        if self.is_symmetric_in_ends() && self.last < self.first {
            (self.first, self.last) = (self.last, self.first);
        }
        let goes = |from: &PatternCell, to: &PatternCell| {
            let piece = |&letter: &u8| {
                Some(usize::from(letter)) != empty
                    && from.before >> letter & 1 == 1
                    && from.after.is_some_and(|after| after != letter)
                    && to.before >> letter & 1 == 0
            };
            to.after.as_ref().is_some_and(piece)
        };
        let distance = |(a, b): (Step, Step)| (a.0 - b.0).abs().max((a.1 - b.1).abs());
        let written = (self.first, self.last);
        let walks = self
            .cells
            .iter()
            .flat_map(|from| self.cells.iter().filter(|to| goes(from, to)).map(|to| (from.at, to.at)));
        let best = walks.max_by_key(|&walk| (distance(walk), walk == written, std::cmp::Reverse(walk)));
        (self.first, self.last) = best.unwrap_or(written);
    }

    /// The shape without what it is pointed at by, for those who ask whether two are the same.
    pub(crate) fn essence(mut self) -> Shape {
        if self.span == Span::Once && self.then.is_empty() {
            (self.first, self.last) = ((0, 0), (0, 0));
        }
        self
    }

    /// Whether the two ends look the same, so that which of them is the first does not matter.
    fn is_symmetric_in_ends(&self) -> bool {
        let cell = |at: Step| self.cells.iter().find(|cell| cell.at == at).map(|c| (c.before, c.after));
        cell(self.first) == cell(self.last)
    }

    /// All places where something is looked at or changed, as seen from the base.
    pub(crate) fn places(&self) -> impl Iterator<Item = Step> {
        let near = self.neighbours.iter().flat_map(|(list, ..)| list.iter().copied());
        let beside = self.points.2.iter().flat_map(|(list, _)| list.iter().copied());
        let cells = self.cells.iter().map(|cell| cell.at);
        let asked = self.absent.iter().chain(&self.present).flatten().map(|&(at, _)| at);
        cells.chain(asked).chain(near).chain(beside)
    }

    /// The letters that the shape looks for anywhere.
    pub(crate) fn looked_for(&self) -> LetterSet {
        let mut all = self.cells.iter().fold(0, |all, cell| all | cell.before);
        all |= match self.span {
            Span::Sweep(_, set, _) | Span::Slide(_, set) => set,
            // What is left behind is what is pushed onto: it must not be the same as the edge.
            Span::Push(_, set) => {
                self.cells.iter().filter_map(|cell| cell.after).fold(set, |all, l| all | 1 << l)
            }
            _ => 0,
        };
        all |= self.absent.iter().chain(&self.present).flatten().fold(0, |all, (_, set)| all | set);
        all |= self.neighbours.as_ref().map_or(0, |(_, set, _)| *set);
        all |= self.points.2.as_ref().map_or(0, |(_, set)| *set);
        self.then.iter().fold(all, |all, then| all | then.looked_for())
    }
}

/// All patterns of a game on a grid, over the letters of its list.
pub(crate) fn patterns(game: &GameText) -> Result<Vec<Pattern>, TextError> {
    let mut all: Vec<Pattern> = vec![];
    let empty = game.cells.iter().position(|cell| cell.letter == '.');
    for rule in &game.moves {
        let Action::Rewrite(rewrite) = &rule.action else { continue };
        let players = match rule.who {
            Some(Player::Left) => [true, false],
            Some(Player::Right) => [false, true],
            None => [true, true],
        };
        let Some(plain) = without_turns(rewrite, game.cells.len()) else {
            return Err(too_many(rule.at));
        };
        for mut shape in plain.iter().flat_map(|rewrite| laid(game, rewrite)) {
            // Where letters follow from others, no piece can be told from what it leaves: the ends are pointed at as they are written.
            if rewrite.cells.iter().flatten().all(|symbol| symbol.turn.is_none()) {
                shape.point(empty);
            }
            match all.iter_mut().find(|known| known.shape == shape) {
                Some(known) => {
                    known.players = [0, 1].map(|who| known.players[who] || players[who]);
                }
                None => all.push(Pattern { players, shape }),
            }
        }
        let count = all.iter().map(|pattern| 1 + pattern.shape.then.len()).sum::<usize>();
        if count > MAX_PATTERNS {
            return Err(too_many(rule.at));
        }
    }
    Ok(all)
}

fn too_many(at: Place) -> TextError {
    TextError::meaning(
        at,
        format!("the patterns can be laid in more than {MAX_PATTERNS} ways, which is too many"),
    )
}

/// A pattern in which what letters become depends on them, as patterns of single letters. `None`: too many.
fn without_turns(rewrite: &Rewrite, letters: usize) -> Option<Vec<Rewrite>> {
    let turned = |rewrite: &Rewrite| {
        let rows = rewrite.cells.iter().enumerate();
        rows.flat_map(|(row, line)| line.iter().enumerate().map(move |(col, symbol)| (row, col, *symbol)))
            .find_map(|(row, col, symbol)| Some((row, col, symbol.before?, symbol.turn?)))
    };
    let mut plain = vec![rewrite.clone()];
    // All have the same cells left to turn.
    while let Some((row, col, set, turn)) = plain.first().and_then(turned) {
        if plain.len() * set.count_ones() as usize > MAX_PATTERNS {
            return None;
        }
        let before = (0..letters).filter(|letter| set >> letter & 1 == 1);
        plain = before
            .flat_map(|letter| {
                let to = turn.of(letter, letters, set);
                plain.iter().map(move |rewrite| {
                    let mut rewrite = rewrite.clone();
                    let symbol = &mut rewrite.cells[row][col];
                    (symbol.before, symbol.turn) = (Some(1 << letter), None);
                    symbol.after = (to != letter).then_some(to);
                    rewrite
                })
            })
            .collect();
    }
    Some(plain)
}

/// The ways to lay a pattern.
fn laid(game: &GameText, rewrite: &Rewrite) -> Vec<Shape> {
    match &rewrite.ways {
        Ways::Along(steps) => steps.iter().filter_map(|&step| along(game, rewrite, step)).collect(),
        Ways::Images(images) => images.iter().filter_map(|&image| lying(game, rewrite, image)).collect(),
    }
}

/// A row of cells along a direction, unless that is never legal.
fn along(game: &GameText, rewrite: &Rewrite, step: Step) -> Option<Shape> {
    let row = &rewrite.cells[0];
    let at = |index: usize| (step.0 * index as i32, step.1 * index as i32);
    let plain = row.iter().filter(|symbol| !symbol.all).count();
    let span = match (rewrite.reach, row.last()) {
        (_, Some(symbol)) if symbol.all => {
            Span::Sweep(step, symbol.before.unwrap_or(0), symbol.after.map(|letter| letter as u8))
        }
        (Reach::Repeat, _) => Span::Repeat(at(row.len() - 1)),
        (Reach::Slide(over), Some(last)) => Span::Slide(step, over.or(last.before).unwrap_or(0)),
        (Reach::Push(letters), _) => Span::Push(step, letters),
        _ => Span::Once,
    };
    let cells = row[..plain].iter().enumerate().filter_map(|(index, symbol)| {
        Some(PatternCell { at: at(index), before: symbol.before?, after: symbol.after.map(|l| l as u8) })
    });
    let mut shape = bare(span, cells.collect(), at(0), at(plain - 1));
    keep_apart(game, &mut shape)?;
    with_surroundings(game, rewrite, &mut shape);
    shape.then = rewrite.then.iter().flat_map(|then| laid(game, then)).collect();
    shape.settle();
    Some(shape)
}

/// Rows of cells as they are written, or an image of them, unless that is never legal.
fn lying(game: &GameText, rewrite: &Rewrite, image: Image) -> Option<Shape> {
    let mut cells = vec![];
    for (row, line) in rewrite.cells.iter().enumerate() {
        for (col, symbol) in line.iter().enumerate() {
            if let Some(before) = symbol.before {
                let at = turned((row as i32, col as i32), image);
                cells.push(PatternCell { at, before, after: symbol.after.map(|l| l as u8) });
            }
        }
    }
    let mut shape = bare(Span::Once, cells, (0, 0), (0, 0));
    keep_apart(game, &mut shape)?;
    with_surroundings(game, rewrite, &mut shape);
    // Patterns of several rows are pointed at by all cells that change.
    let ends = shape.cells[0].at;
    (shape.first, shape.last) = (ends, ends);
    shape.settle();
    (shape.first, shape.last) = ((0, 0), (0, 0));
    Some(shape)
}

fn bare(span: Span, cells: Vec<PatternCell>, first: Step, last: Step) -> Shape {
    Shape {
        span,
        cells,
        absent: vec![],
        present: vec![],
        neighbours: None,
        points: (0, false, None),
        then: vec![],
        first,
        last,
    }
}

/// `no x beside y` is about the cells that a pattern names and their neighbours as they are.
pub(crate) fn check_apart(game: &GameText) -> Result<(), TextError> {
    if !game.legal.iter().any(|legal| matches!(legal, Legal::Apart(..))) {
        return Ok(());
    }
    for rule in &game.moves {
        let Action::Rewrite(rewrite) = &rule.action else { continue };
        if rewrite.neighbours.is_some() || rewrite.cells.iter().flatten().any(|symbol| symbol.all) {
            return Err(TextError::meaning(
                rule.at,
                "a line `legal: no ... beside ...` does not go with `neighbours` and `*`",
            ));
        }
    }
    Ok(())
}

/// Leaves out what `no x beside y` forbids among the cells of the pattern themselves. `None`: nothing is left.
fn keep_apart(game: &GameText, shape: &mut Shape) -> Option<()> {
    for legal in &game.legal {
        let &Legal::Apart(one, other) = legal else { continue };
        for (put, near) in [(one, other), (other, one)] {
            let is_put = |cell: &&PatternCell| cell.after.is_some_and(|letter| put >> letter & 1 == 1);
            let placed: Vec<Step> = shape.cells.iter().filter(is_put).map(|cell| cell.at).collect();
            for cell in &mut shape.cells {
                let beside = |&(row, col): &Step| {
                    neighbours(game.board, false).iter().any(|n| (row + n.0, col + n.1) == cell.at)
                };
                if !placed.iter().any(beside) {
                    continue;
                }
                match cell.after {
                    Some(letter) if near >> letter & 1 == 1 => return None,
                    Some(_) => {}
                    None => cell.before &= !near,
                }
                if cell.before == 0 {
                    return None;
                }
            }
        }
    }
    Some(())
}

/// Adds what a move says about the neighbours of the cells that change.
fn with_surroundings(game: &GameText, rewrite: &Rewrite, shape: &mut Shape) {
    let own: Vec<Step> = shape.cells.iter().map(|cell| cell.at).collect();
    let around = |changed: &[Step], diagonal: bool| -> Vec<Step> {
        let mut found: Vec<Step> = changed
            .iter()
            .flat_map(|&(row, col)| {
                neighbours(game.board, diagonal).iter().map(move |n| (row + n.0, col + n.1))
            })
            .filter(|at| !own.contains(at))
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    };
    let changed: Vec<Step> = shape.cells.iter().filter(|c| c.after.is_some()).map(|c| c.at).collect();
    for &Condition { letters, wanted, near } in &rewrite.conditions {
        let places = match near {
            Near::Beside => around(&changed, false),
            Near::Around => around(&changed, true),
            Near::Toward(down, right) => {
                let steps = changed.iter().map(|&(row, col)| (row + down, col + right));
                steps.filter(|at| !own.contains(at)).collect()
            }
        };
        // The edge is where none of all letters is.
        let all = (1 << game.cells.len()) - 1;
        let places = places.into_iter().map(|at| (at, letters.unwrap_or(all)));
        match (wanted, letters.is_some()) {
            (true, true) => shape.present.push(places.collect()),
            (false, true) => shape.absent.extend(places.map(|place| vec![place])),
            (true, false) => shape.absent.push(places.collect()),
            (false, false) => shape.present.extend(places.map(|place| vec![place])),
        }
    }
    for legal in &game.legal {
        let &Legal::Apart(one, other) = legal else { continue };
        for (put, near) in [(one, other), (other, one)] {
            let placed: Vec<Step> = shape
                .cells
                .iter()
                .filter(|cell| cell.after.is_some_and(|letter| put >> letter & 1 == 1))
                .map(|cell| cell.at)
                .collect();
            shape.absent.extend(around(&placed, false).into_iter().map(|at| vec![(at, near)]));
        }
    }
    if let Some((letters, after)) = rewrite.neighbours {
        shape.neighbours = Some((around(&changed, false), letters, after as u8));
    }
    let Points { each, per } = rewrite.points;
    shape.points = match per {
        Per::Move => (each, false, None),
        Per::Cell => (each, true, None),
        Per::Beside(letters) => (each, false, Some((around(&changed, false), letters))),
    };
}
