//! The language by its description and nothing else: boards are lists of letters, patterns are compared cell by cell, and every
//! legal move is found by trying all places. It shares the tree of a text with the interpreters, and no code with them.

use std::collections::BTreeSet;

use gb_board::Random;
use gb_rules::{Player, Variant, with_game};
use gb_text::TextGame;
use gb_text::tree::{
    Action, BoardKind, GameText, Legal, LetterSet, Near, Per, Reach, Rewrite, Symbol, Turn, Ways,
};

use crate::plain::options;
use crate::random::Maker;
use crate::{gallery, long};

type Place = (i32, i32);

/// A board: the letters of its cells by their numbers in the text. Holes are cells that are not there.
#[derive(Clone)]
struct Board(Vec<Vec<Option<usize>>>, Option<usize>);

impl Board {
    fn at(&self, (row, col): Place) -> Option<usize> {
        *self.0.get(usize::try_from(row).ok()?)?.get(usize::try_from(col).ok()?)?
    }
    fn is(&self, place: Place, set: LetterSet) -> bool {
        self.at(place).is_some_and(|letter| set >> letter & 1 == 1)
    }
    fn put(&mut self, (row, col): Place, letter: usize) {
        self.0[row as usize][col as usize] = Some(letter).filter(|_| Some(letter) != self.1);
    }
    fn places(&self) -> Vec<Place> {
        let cols = self.0[0].len() as i32;
        (0..self.0.len() as i32).flat_map(|row| (0..cols).map(move |col| (row, col))).collect()
    }
}

struct Naive<'a> {
    text: &'a GameText,
}

/// What one half of a move has done: the board, and where it goes on.
struct Done {
    board: Board,
    last: Place,
}

impl Naive<'_> {
    fn neighbours(&self, (row, col): Place, diagonal: bool) -> Vec<Place> {
        let mut steps = vec![(0, 1), (0, -1)];
        if self.text.board != BoardKind::Strip {
            steps.extend([(1, 0), (-1, 0)]);
            if diagonal || self.text.board == BoardKind::Hex {
                steps.extend([(-1, 1), (1, -1)]);
            }
            if diagonal {
                steps.extend([(1, 1), (-1, -1)]);
            }
        }
        steps.into_iter().map(|(down, right)| (row + down, col + right)).collect()
    }

    /// The neighbours of cells that are not cells of the pattern themselves.
    fn around(&self, cells: &[Place], own: &[Place], diagonal: bool) -> BTreeSet<Place> {
        let all = cells.iter().flat_map(|&cell| self.neighbours(cell, diagonal));
        all.filter(|place| !own.contains(place)).collect()
    }

    /// The letter that a cell gets: nothing, if it stays.
    fn after(&self, board: &Board, at: Place, symbol: &Symbol) -> Option<usize> {
        let Some(turn) = symbol.turn else { return symbol.after };
        let letter = board.at(at)?;
        let to = match turn {
            Turn::Next if letter + 1 < self.text.cells.len() => letter + 1,
            Turn::Next => letter,
            Turn::Other => (0..16).find(|&l| l != letter && symbol.before.unwrap() >> l & 1 == 1)?,
        };
        Some(to).filter(|to| *to != letter)
    }

    fn options(&self, board: &Board, who: Player) -> Vec<(Board, i64)> {
        let mut found = vec![];
        for rule in &self.text.moves {
            let Action::Rewrite(rewrite) = &rule.action else { panic!("a game on grids") };
            if rule.who.is_some_and(|owner| owner != who) {
                continue;
            }
            for place in board.places() {
                for (done, points) in self.rewritten(board, rewrite, place) {
                    if !self.is_legal(&done.board) {
                        continue;
                    }
                    let points = if who == Player::Left { points } else { -points };
                    match &rewrite.then {
                        None => found.push((done.board, points)),
                        Some(then) => {
                            let second = self.rewritten(&done.board, then, done.last);
                            found.extend(second.into_iter().map(|(done, _)| (done.board, points)));
                        }
                    }
                }
            }
        }
        found
    }

    /// All that a pattern makes of a board if its first cell lies here.
    fn rewritten(&self, board: &Board, rewrite: &Rewrite, from: Place) -> Vec<(Done, i64)> {
        let mut found = vec![];
        match &rewrite.ways {
            Ways::Along(steps) => {
                for &step in steps {
                    self.along(board, rewrite, from, step, &mut found);
                }
            }
            Ways::Images(images) => {
                for &(transposed, flipped, reversed) in images {
                    let place = |row: usize, col: usize| {
                        let (row, col) = (row as i32, col as i32);
                        let (row, col) = if transposed { (col, row) } else { (row, col) };
                        (
                            from.0 + if flipped { -row } else { row },
                            from.1 + if reversed { -col } else { col },
                        )
                    };
                    let cells = rewrite.cells.iter().enumerate().flat_map(|(row, line)| {
                        line.iter().enumerate().map(move |(col, symbol)| (place(row, col), symbol))
                    });
                    let cells: Vec<_> =
                        cells.map(|(at, s)| (at, s.before, self.after(board, at, s))).collect();
                    found.extend(self.replaced(board, rewrite, &cells));
                }
            }
        }
        found
    }

    fn along(
        &self,
        board: &Board,
        rewrite: &Rewrite,
        from: Place,
        step: Place,
        found: &mut Vec<(Done, i64)>,
    ) {
        let row = &rewrite.cells[0];
        let place = |index: usize| (from.0 + step.0 * index as i32, from.1 + step.1 * index as i32);
        let cells: Vec<_> = row
            .iter()
            .enumerate()
            .filter(|(_, symbol)| !symbol.all)
            .map(|(index, symbol)| (place(index), symbol.before, self.after(board, place(index), symbol)))
            .collect();
        match rewrite.reach {
            Reach::Once => {
                let Some((mut done, points)) = self.replaced(board, rewrite, &cells) else { return };
                if let Some(symbol) = row.last().filter(|symbol| symbol.all) {
                    // All that follow.
                    let mut index = cells.len();
                    while board.is(place(index), symbol.before.unwrap()) {
                        if let Some(letter) = symbol.after {
                            done.board.put(place(index), letter);
                        }
                        index += 1;
                    }
                }
                found.push((done, points));
            }
            Reach::Repeat => {
                let mut board = board.clone();
                let mut first = 0;
                loop {
                    let moved: Vec<_> = row
                        .iter()
                        .enumerate()
                        .map(|(index, symbol)| (place(first + index), symbol.before, symbol.after))
                        .collect();
                    let Some((done, points)) = self.replaced(&board, rewrite, &moved) else { return };
                    board = done.board.clone();
                    found.push((done, points));
                    first += row.len() - 1;
                }
            }
            Reach::Slide(over) => {
                let over = over.or(row[1].before).unwrap();
                let mut index = 1;
                loop {
                    let cells = [cells[0], (place(index), row[1].before, row[1].after)];
                    found.extend(self.replaced(board, rewrite, &cells));
                    if !board.is(place(index), over) {
                        return;
                    }
                    index += 1;
                }
            }
            Reach::Push(letters) => {
                if !board.is(from, row[0].before.unwrap()) {
                    return;
                }
                let mut after = board.clone();
                after.put(from, row[0].after.unwrap());
                let mut index = 0;
                // The piece, and all of these letters before it.
                while index == 0 || board.is(place(index), letters) {
                    if board.at(place(index + 1)).is_some() {
                        after.0[place(index + 1).0 as usize][place(index + 1).1 as usize] =
                            board.at(place(index));
                    }
                    index += 1;
                }
                found.push((Done { board: after, last: from }, 0));
            }
        }
    }

    /// The board with the cells of a pattern replaced, and the points, if it matches and its conditions hold.
    #[allow(clippy::type_complexity)]
    fn replaced(
        &self,
        board: &Board,
        rewrite: &Rewrite,
        cells: &[(Place, Option<LetterSet>, Option<usize>)],
    ) -> Option<(Done, i64)> {
        if !cells.iter().all(|&(at, before, _)| before.is_none_or(|set| board.is(at, set))) {
            return None;
        }
        let own: Vec<Place> = cells.iter().filter(|c| c.1.is_some()).map(|c| c.0).collect();
        let put: Vec<(Place, usize)> =
            cells.iter().filter_map(|&(at, _, after)| Some((at, after?))).collect();
        let changed: Vec<Place> = put.iter().map(|&(at, _)| at).collect();
        for condition in &rewrite.conditions {
            let near: BTreeSet<Place> = match condition.near {
                Near::Beside => self.around(&changed, &own, false),
                Near::Around => self.around(&changed, &own, true),
                Near::Toward(down, right) => {
                    let steps = changed.iter().map(|&(row, col)| (row + down, col + right));
                    steps.filter(|at| !own.contains(at)).collect()
                }
            };
            let is_asked_for = |&at: &Place| match condition.letters {
                Some(letters) => board.is(at, letters),
                None => board.at(at).is_none(),
            };
            if near.iter().any(is_asked_for) != condition.wanted {
                return None;
            }
        }
        let mut after = board.clone();
        let near = self.around(&changed, &own, false);
        if let Some((letters, letter)) = rewrite.neighbours {
            near.iter().filter(|&&at| board.is(at, letters)).for_each(|&at| after.put(at, letter));
        }
        put.iter().for_each(|&(at, letter)| after.put(at, letter));
        // Nothing that was put stands beside what it must not, as the board is then.
        for legal in &self.text.legal {
            let &Legal::Apart(one, other) = legal else { continue };
            for (mine, theirs) in [(one, other), (other, one)] {
                let mut placed = put.iter().filter(|&&(_, letter)| mine >> letter & 1 == 1);
                if placed.any(|&(at, _)| self.neighbours(at, false).iter().any(|&n| after.is(n, theirs))) {
                    return None;
                }
            }
        }
        let count = match rewrite.points.per {
            Per::Move => 1,
            Per::Cell => board.places().into_iter().filter(|&at| board.at(at) != after.at(at)).count(),
            Per::Beside(letters) => near.iter().filter(|&&at| board.is(at, letters)).count(),
        };
        let points = i64::from(rewrite.points.each) * count as i64;
        Some((Done { board: after, last: cells[cells.len() - 1].0 }, points))
    }

    /// Whether all groups touch what they have to touch.
    fn is_legal(&self, board: &Board) -> bool {
        self.text.legal.iter().all(|legal| {
            if let &Legal::Pairs(one, other, step, near) = legal {
                let touches =
                    |at| self.neighbours(at, false).into_iter().any(|beside| board.is(beside, near));
                let pairs = board.places().into_iter().map(|at| (at, (at.0 + step.0, at.1 + step.1)));
                let mut pairs = pairs.filter(|&(a, b)| board.is(a, one) && board.is(b, other));
                return pairs.all(|(a, b)| touches(a) || touches(b));
            }
            let &Legal::Touches(members, near) = legal else { return true };
            board.places().into_iter().filter(|&at| board.is(at, members)).all(|start| {
                let mut group = vec![start];
                let mut next = 0;
                while next < group.len() {
                    let more = self.neighbours(group[next], false);
                    let more: Vec<Place> =
                        more.into_iter().filter(|at| board.is(*at, members) && !group.contains(at)).collect();
                    group.extend(more);
                    next += 1;
                }
                group
                    .iter()
                    .any(|&at| self.neighbours(at, false).iter().any(|&beside| board.is(beside, near)))
            })
        })
    }
}

/// Boards of a game as texts and as lists.
struct Boards<'a> {
    text: &'a GameText,
    /// The letter of holes.
    hole: char,
    letters: Vec<char>,
}

impl Boards<'_> {
    fn random(&self, random: &mut Random) -> String {
        let most = if self.text.board == BoardKind::Strip { 1 } else { 5 };
        let (rows, cols) = (1 + random.below(most), 1 + random.below(6));
        let line = |random: &mut Random| -> String {
            (0..cols).map(|_| self.letters[random.below(self.letters.len())]).collect()
        };
        (0..rows).map(|_| line(random)).collect::<Vec<_>>().join("|")
    }
    fn read(&self, text: &str) -> Board {
        let number = |letter: char| {
            let number = self.text.cells.iter().position(|cell| cell.letter == letter);
            number.filter(|_| letter != self.hole)
        };
        let blank = self.text.cells.iter().position(|cell| cell.letter == self.hole);
        Board(text.split('|').map(|line| line.chars().map(number).collect()).collect(), blank)
    }
    fn show(&self, board: &Board) -> String {
        let letter = |cell: &Option<usize>| cell.map_or(self.hole, |number| self.text.cells[number].letter);
        let line = |line: &Vec<Option<usize>>| line.iter().map(letter).collect::<String>();
        board.0.iter().map(line).collect::<Vec<_>>().join("|")
    }
}

/// Compares the options on random boards; says how many there were.
fn compare(game: &TextGame, source: &str, boards: usize, random: &mut Random) -> usize {
    let text = game.tree();
    let alphabet = game.info().alphabet;
    let letters = alphabet.iter().map(|&(letter, _)| letter).filter(|letter| {
        text.cells.iter().any(|cell| cell.letter == *letter)
            || (*letter == alphabet[0].0 && text.board != BoardKind::Strip)
    });
    let list = Boards { text, hole: alphabet[0].0, letters: letters.collect() };
    let naive = Naive { text };
    let open = game.open(Variant::Plain, "5x6");
    let mut count = 0;
    for _ in 0..boards {
        let board = list.random(random);
        with_game!(&open, open => {
            let at = open.read(&board).unwrap_or_else(|error| panic!("{board}: {error} in\n{source}"));
            for who in Player::BOTH {
                let expected: BTreeSet<(String, i64)> = naive
                    .options(&list.read(&board), who)
                    .into_iter()
                    .map(|(after, points)| (list.show(&after), points))
                    .collect();
                let shown = |text: &str| open.show(&open.read(text).unwrap());
                let expected: BTreeSet<(String, i64)> =
                    expected.into_iter().map(|(after, points)| (shown(&after), points)).collect();
                let found = options(&**open, &at, who);
                count += found.len();
                assert_eq!(found, expected, "{who} on `{board}` in\n{source}");
            }
        });
    }
    count
}

#[test]
fn the_gallery_has_the_options_of_its_description() {
    let mut random = Random::new(5, 0);
    let mut games = 0;
    for entry in std::fs::read_dir(gallery()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "game") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let game = TextGame::read(&text, &[]).unwrap();
        if matches!(game.tree().board, BoardKind::Grid | BoardKind::Strip | BoardKind::Hex) {
            let options = compare(&game, &text, if long() { 3_000 } else { 300 }, &mut random);
            assert!(options > 30, "{}: {options}", path.display());
            games += 1;
        }
    }
    assert!(games > 25, "{games}");
}

#[test]
fn random_texts_have_the_options_of_their_description() {
    let mut maker = Maker::new(23);
    let mut random = Random::new(6, 0);
    let (mut games, mut options) = (0, 0);
    while games < if long() { 20_000 } else { 150 } {
        let text = maker.text();
        let Ok(game) = TextGame::read(&text, &[]) else { continue };
        options += compare(&game, &text, 25, &mut random);
        games += 1;
    }
    assert!(options > 4_000, "{options}");
}
