//! The test that every game must pass, reusable for games of your own.
//!
//! [`check`] plays from the given positions and checks on the way: texts round-trip; gestures tell moves apart; play ends
//! (unless the game says that it is loopy); normal forms are stable and keep the value; the parts add up to the whole,
//! those that a move leaves to the option, and those beside a bridge to the part; bounds and winners by inspection are right; what is said for databases ([`Tabulation`](crate::Tabulation)) is true. Values are compared
//! without any theory of values, by playing a difference: `G = H` if and only if the second player wins `G - H`. That is
//! slow, but shares nothing with the code under test. [`check_claims`] goes through all boards of a small size instead, and
//! through the variants of the game as well.

mod claims;

use std::collections::HashMap;
use std::ops::ControlFlow;

use gb_board::{Alphabet, Codes, Random};

pub use self::claims::{ClaimError, boards_below, boards_of_letters, check_alike, check_claims};

use gb_value::{Budget, Store};

use crate::{
    Bridge, DynGame, ExpandedOption, Expansion, Key, MoveKey, Player, Sign, StaticResult, Tabulated,
};

/// A sum of boards, some of them negated, and of an integer: what the naive search plays on.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Sum<const N: usize> {
    boards: Vec<(Key<N>, Sign)>,
    integer: i64,
}

/// A naive search for the winner of sums of boards of one game.
#[derive(Debug)]
pub struct Naive<'r, const N: usize> {
    game: &'r dyn DynGame<N>,
    wins: HashMap<(Sum<N>, Player), bool>,
    nodes: usize,
    limit: usize,
}

impl<'r, const N: usize> Naive<'r, N> {
    /// A search that gives up after `limit` positions a question, and where somebody wins everywhere.
    pub fn new(game: &'r dyn DynGame<N>, limit: usize) -> Self {
        Naive { game, wins: HashMap::new(), nodes: 0, limit }
    }

    /// Who wins the sum of these boards and an integer when `first` moves first. `None`: too large.
    pub fn winner(&mut self, boards: &[(Key<N>, Sign)], integer: i64, first: Player) -> Option<Player> {
        self.nodes = 0;
        let wins = self.mover_wins(Sum { boards: boards.to_vec(), integer }, first)?;
        Some(if wins { first } else { first.opponent() })
    }

    /// Whether the sum of these boards and an integer is zero. `None`: too large.
    pub fn is_zero(&mut self, boards: &[(Key<N>, Sign)], integer: i64) -> Option<bool> {
        for first in Player::BOTH {
            if self.winner(boards, integer, first)? == first {
                return Some(false);
            }
        }
        Some(true)
    }

    fn mover_wins(&mut self, sum: Sum<N>, who: Player) -> Option<bool> {
        let key = (sum, who);
        if let Some(&known) = self.wins.get(&key) {
            return Some(known);
        }
        self.nodes += 1;
        if self.nodes > self.limit {
            return None;
        }
        let sum = &key.0;
        // A win everywhere ends a difference before it can be played out.
        if sum.boards.iter().any(|(board, _)| self.game.global_win(board).is_some()) {
            return None;
        }
        let mut next = vec![];
        let forward = if who == Player::Left { 1 } else { -1 };
        if sum.integer * forward > 0 {
            next.push(Sum { integer: sum.integer - forward, ..sum.clone() });
        }
        for (i, (board, sign)) in sum.boards.iter().enumerate() {
            let as_whom = if *sign == Sign::Plus { who } else { who.opponent() };
            let _ = self.game.moves(board, as_whom, &mut |mv| {
                let mut after = sum.clone();
                let (next_board, points) = self.game.play(board, as_whom, mv);
                after.boards[i].0 = next_board;
                after.integer += if *sign == Sign::Plus { points } else { -points };
                next.push(after);
                ControlFlow::Continue(())
            });
        }
        let mut wins = false;
        for after in next {
            if !self.mover_wins(after, who.opponent())? {
                wins = true;
                break;
            }
        }
        self.wins.insert(key, wins);
        Some(wins)
    }
}

/// What [`check`] has looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Checked {
    /// Positions played through.
    pub positions: usize,
    /// Equations `parts = whole` and `normal form = part` that were proven.
    pub equations: usize,
    /// Equations that were too large for the naive search, or were ended by a win everywhere.
    pub skipped: usize,
}

/// What a game got wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// A text is not read, or read as another board.
    Text,
    /// Play does not end in a game that is not loopy.
    Endless,
    /// A move changes nothing, or cannot be told from another.
    Moves,
    /// A spot of a move is not in the scene.
    Scene,
    /// A board is not the sum of its parts, or what a move leaves not its option.
    Parts,
    /// A normal form is not its own, or has another value.
    NormalForm,
    /// A part is not the sum of what a bridge joins.
    Bridge,
    /// Random moves are not all the moves ([`Sampling`](crate::Sampling)).
    Sampling,
    /// What is said for databases ([`Tabulation`](crate::Tabulation)).
    Tabulation,
    /// A bound or a winner by inspection ([`Theorems`](crate::Theorems)).
    Theorem,
}

/// Why [`check`] failed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{sentence}")]
pub struct ConformanceError {
    /// What is wrong.
    pub fault: Fault,
    /// On which board.
    pub board: String,
    sentence: String,
}

impl ConformanceError {
    fn new(fault: Fault, board: &str, sentence: String) -> ConformanceError {
        ConformanceError { fault, board: board.to_owned(), sentence }
    }
}

/// Checks the rules on random lines of play from these positions. `limit` is the number of sums that the naive search
/// may look at for one equation.
///
/// # Errors
/// The first failure.
pub fn check<const N: usize>(
    game: &dyn DynGame<N>,
    texts: &[&str],
    limit: usize,
) -> Result<Checked, ConformanceError> {
    let mut checked = Checked::default();
    let mut random = Random::new(1, 0);
    for text in texts {
        let start = game
            .read(text)
            .map_err(|error| ConformanceError::new(Fault::Text, text, format!("`{text}`: {error}")))?;
        for line in 0..3 {
            let mut board = start;
            let mut who = Player::BOTH[line % 2];
            for ply in 0.. {
                position(game, &board, limit, &mut checked)?;
                let choices = moves(game, &board, who);
                if choices.is_empty() {
                    if moves(game, &board, who.opponent()).is_empty() {
                        break;
                    }
                    who = who.opponent();
                    continue;
                }
                board = game.play(&board, who, choices[random.below(choices.len())]).0;
                if random.below(3) > 0 {
                    who = who.opponent();
                }
                if ply > 500 {
                    if game.info().loopy {
                        break;
                    }
                    let sentence = format!(
                        "play from `{text}` does not end, but the game does not say that it is loopy"
                    );
                    return Err(ConformanceError::new(Fault::Endless, text, sentence));
                }
            }
        }
    }
    Ok(checked)
}

fn moves<const N: usize>(game: &dyn DynGame<N>, board: &Key<N>, who: Player) -> Vec<MoveKey> {
    let mut moves = vec![];
    let _ = game.moves(board, who, &mut |mv| {
        moves.push(mv);
        ControlFlow::Continue(())
    });
    moves
}

/// Everything that can be said about one position.
fn position<const N: usize>(
    game: &dyn DynGame<N>,
    board: &Key<N>,
    limit: usize,
    checked: &mut Checked,
) -> Result<(), ConformanceError> {
    checked.positions += 1;
    let text = game.show(board);
    let wrong = |fault, sentence| Err(ConformanceError::new(fault, &text, sentence));
    round_trip(game, board)?;
    for who in Player::BOTH {
        let choices = moves(game, board, who);
        let mut gestures = vec![];
        for &mv in &choices {
            let (after, _) = game.play(board, who, mv);
            if after == *board {
                let mv = game.move_text(board, who, mv);
                return wrong(Fault::Moves, format!("`{text}`: the move {mv} changes nothing"));
            }
            round_trip(game, &after)?;
            gestures.push((game.move_text(board, who, mv), game.gesture(board, who, mv)));
        }
        for (i, (a, spots)) in gestures.iter().enumerate() {
            for (b, others) in &gestures[i + 1..] {
                // In the impartial variant of a game one gesture may stand for a move of either player.
                let alike = others.starts_with(spots) || spots.starts_with(others);
                if a == b || (alike && !game.info().impartial) {
                    let sentence = format!("`{text}`: the moves {a} and {b} of {who} cannot be told apart");
                    return wrong(Fault::Moves, sentence);
                }
            }
        }
        drawing(game, board, who, &choices)?;
        let scene = game.scene(board);
        for spot in gestures.iter().flat_map(|(_, spots)| spots) {
            if !scene.items.iter().any(|item| item.spot == *spot) {
                let sentence = format!("`{text}`: the spot {spot} of a move is not in the scene");
                return wrong(Fault::Scene, sentence);
            }
        }
    }
    let mut naive = Naive::new(game, limit);
    let mut difference = vec![(*board, Sign::Plus)];
    let mut failure = None;
    let mut parts = vec![];
    game.parts(board, &mut parts);
    for part in &parts {
        round_trip(game, part)?;
        let (normal, sign) = game.normalise(part);
        let (again, still) = game.normalise(&normal);
        if (&again, still) != (&normal, Sign::Plus) {
            failure = Some(format!("the normal form `{}` is not its own", game.show(&normal)));
        }
        if normal != *part {
            let difference = [(*part, Sign::Minus), (normal, sign)];
            equation(&mut naive, &difference, 0, checked, Fault::NormalForm, || {
                format!("`{}` has not the value of its normal form `{}`", game.show(part), game.show(&normal))
            })?;
        }
        parts_after_a_move(game, part, &mut naive, checked)?;
        bridges(game, part, &mut naive, checked)?;
        difference.push((*part, Sign::Minus));
    }
    if let Some(failure) = failure {
        return wrong(Fault::NormalForm, failure);
    }
    if parts.len() != 1 || parts[0] != *board {
        let shown: Vec<String> = parts.iter().map(|part| format!("`{}`", game.show(part))).collect();
        equation(&mut naive, &difference, 0, checked, Fault::Parts, || {
            format!("`{text}` is not the sum of its parts {}", shown.join(" + "))
        })?;
    }
    impartial_parts(game, board)?;
    grid(game, board, &mut naive, checked)?;
    inspection(game, board, &mut naive)
}

/// The parts of the impartial variant are its regions, but for those without moves, and an expansion is what all moves leave. (That a board is the sum of
/// its regions is an equation of the variant.)
fn impartial_parts<const N: usize>(game: &dyn DynGame<N>, board: &Key<N>) -> Result<(), ConformanceError> {
    let text = game.show(board);
    let wrong = |what: &str| {
        Err(ConformanceError::new(Fault::Parts, &text, format!("`{text}`: {what} of the impartial variant")))
    };
    let has_moves = |part: &Key<N>| Player::BOTH.iter().any(|&who| !moves(game, part, who).is_empty());
    let parts_of = |board: &Key<N>| {
        let mut parts = vec![];
        game.impartial_parts(board, &mut |part| parts.push(*part));
        parts
    };
    let of_regions: Vec<Key<N>> = game.impartial_regions(board).into_iter().map(|(part, _)| part).collect();
    let mut live = [parts_of(board), of_regions];
    live.iter_mut().for_each(|parts| parts.retain(has_moves));
    if live[0] != live[1] {
        return wrong("the parts are not the regions");
    }
    let (store, budget) = (Store::new(), Budget::unlimited());
    for who in Player::BOTH {
        let mut expansion = Expansion::default();
        if game.impartial_expand(board, who, &store.kernel(&budget), &mut expansion).is_err() {
            continue;
        }
        let choices = moves(game, board, who);
        let agrees = |(mv, option): (&MoveKey, &ExpandedOption)| {
            let (after, points) = game.play(board, who, *mv);
            points == option.points && parts_of(&after) == expansion.parts_of(option)
        };
        if choices.len() != expansion.options.len() || !choices.iter().zip(&expansion.options).all(agrees) {
            return wrong("what moves leave is not the expansion");
        }
    }
    Ok(())
}

/// What a move leaves of a part is the option.
fn parts_after_a_move<const N: usize>(
    game: &dyn DynGame<N>,
    part: &Key<N>,
    naive: &mut Naive<'_, N>,
    checked: &mut Checked,
) -> Result<(), ConformanceError> {
    for who in Player::BOTH {
        let choices = moves(game, part, who);
        // One of them for each position: all of them are met on the way, and playing them out takes long.
        let Some(&mv) = choices.get(checked.positions % choices.len().max(1)) else { continue };
        let (option, points) = game.play(part, who, mv);
        let (mut difference, mut left) = (vec![(option, Sign::Plus)], vec![]);
        let number = game.parts_after(part, who, mv, &mut left);
        difference.extend(left.into_iter().map(|part| (part, Sign::Minus)));
        if difference[1..] == [(option, Sign::Minus)] && number == points {
            continue;
        }
        equation(naive, &difference, points - number, checked, Fault::Parts, || {
            let text = game.move_text(part, who, mv);
            format!("`{}`: the parts after {text} do not add up to the option", game.show(part))
        })?;
    }
    Ok(())
}

/// Where an end and the longer end are equal, the part falls apart.
fn bridges<const N: usize>(
    game: &dyn DynGame<N>,
    part: &Key<N>,
    naive: &mut Naive<'_, N>,
    checked: &mut Checked,
) -> Result<(), ConformanceError> {
    let mut bridges = vec![];
    game.bridges(part, &mut bridges);
    for Bridge { end, longer_end, rest } in bridges {
        let ends = [(end, Sign::Plus), (longer_end, Sign::Minus)];
        if naive.is_zero(&ends, 0) == Some(true) {
            let text = format!("`{}`, `{}`", game.show(&end), game.show(&rest));
            let difference = [(*part, Sign::Plus), (end, Sign::Minus), (rest, Sign::Minus)];
            equation(naive, &difference, 0, checked, Fault::Bridge, || {
                format!("`{}` is not the sum of what a bridge joins: {text}", game.show(part))
            })?;
        }
    }
    Ok(())
}

/// Moves drawn by lot are all the moves, each by one number.
fn drawing<const N: usize>(
    game: &dyn DynGame<N>,
    board: &Key<N>,
    who: Player,
    choices: &[MoveKey],
) -> Result<(), ConformanceError> {
    let wrong = |what: &str| {
        let text = game.show(board);
        Err(ConformanceError::new(Fault::Sampling, &text, format!("`{text}`: {what} of {who}")))
    };
    if game.count_moves(board, who) as usize != choices.len() {
        return wrong("a wrong count of the moves");
    }
    let mut drawn = vec![];
    for number in 0..choices.len().max(1) as u32 {
        let Some(mv) = game.random_move(board, who, &mut |_| number) else { continue };
        if !choices.contains(&mv) || drawn.contains(&mv) {
            return wrong("not every random move is one of the moves, or not all are equally likely");
        }
        drawn.push(mv);
    }
    if drawn.len() == choices.len() { Ok(()) } else { wrong("some move is never drawn") }
}

/// What the game says for tables of all boards: codes are the letters, moves make boards lighter, images have the same
/// value.
fn grid<const N: usize>(
    game: &dyn DynGame<N>,
    board: &Key<N>,
    naive: &mut Naive<'_, N>,
    checked: &mut Checked,
) -> Result<(), ConformanceError> {
    let (Some(traits), Some(codes)) = (game.grid(), game.codes(board)) else { return Ok(()) };
    let text = game.show(board);
    let wrong = |sentence| Err(ConformanceError::new(Fault::Tabulation, &text, sentence));
    if Codes::read(&text, &Alphabet(game.info().alphabet)).as_ref() != Some(&codes) {
        return wrong(format!("`{text}`: the codes {:?} are not its letters", codes.cells));
    }
    if game.of_codes(&codes).as_ref() != Ok(board) {
        return wrong(format!("`{text}` is not read again from its codes"));
    }
    let weight = |codes: &Codes| -> u64 {
        codes.cells.iter().map(|&code| u64::from(traits.weights[usize::from(code)])).sum()
    };
    for who in Player::BOTH {
        for mv in moves(game, board, who) {
            let (after, _) = game.play(board, who, mv);
            if game.codes(&after).is_none_or(|after| weight(&after) >= weight(&codes)) {
                return wrong(format!(
                    "`{text}` does not become lighter by {}",
                    game.move_text(board, who, mv)
                ));
            }
        }
    }
    if let Some(tabulated) = game.tabulated() {
        for who in Player::BOTH {
            if let Some(sentence) = wrong_tabulated(game, board, (who, &tabulated), &codes) {
                return wrong(sentence);
            }
        }
    }
    let Codes { rows, cols, cells } = &codes;
    let mut wider = Codes::blank(rows + 1, cols + 1);
    for (i, &code) in cells.iter().enumerate() {
        wider.cells[(i / cols + 1) * (cols + 1) + i % cols + 1] = code;
    }
    let mut images = vec![(wider, Sign::Plus)];
    if traits.mirrors {
        images.push((Codes { cells: cells.iter().rev().copied().collect(), ..codes.clone() }, Sign::Plus));
        let upside_down = cells.chunks(*cols).rev().flatten().copied().collect();
        images.push((Codes { cells: upside_down, ..codes.clone() }, Sign::Plus));
    }
    images.extend(traits.transpose.map(|sign| (codes.transpose(), sign)));
    images.extend(traits.swap.map(|swap| {
        let cells = cells.iter().map(|&code| swap[usize::from(code)]).collect();
        (Codes { cells, ..codes.clone() }, Sign::Minus)
    }));
    // One of them for each position: all of them are met on the way, and playing them out takes long.
    let (image, sign) = images.swap_remove(checked.positions % images.len());
    if let Ok(image) = game.of_codes(&image) {
        equation(naive, &[(*board, Sign::Plus), (image, -sign)], 0, checked, Fault::Tabulation, || {
            format!("`{text}` has not the value of its image `{}`", game.show(&image))
        })?;
    }
    Ok(())
}

/// What is wrong if the form for tables does not lead to the boards that moves lead to.
fn wrong_tabulated<const N: usize>(
    game: &dyn DynGame<N>,
    board: &Key<N>,
    (who, tabulated): (Player, &Tabulated),
    codes: &Codes,
) -> Option<String> {
    if !tabulated.is_sound() {
        return Some(format!("{tabulated:?} is no form for tables"));
    }
    let by_form = tabulated.options(codes, who)?;
    let mut by_moves: Vec<Vec<u8>> = moves(game, board, who)
        .into_iter()
        .filter_map(|mv| game.codes(&game.play(board, who, mv).0))
        .map(|codes| codes.cells)
        .collect();
    by_moves.sort();
    by_moves.dedup();
    (by_form != by_moves)
        .then(|| format!("`{}`: the form for tables has not the moves of {who}", game.show(board)))
}

fn round_trip<const N: usize>(game: &dyn DynGame<N>, board: &Key<N>) -> Result<(), ConformanceError> {
    let text = game.show(board);
    let sentence = match game.read(&text) {
        Err(error) => format!("`{text}` was written but is not read: {error}"),
        Ok(again) if again != *board => format!("`{text}` is read as `{}`", game.show(&again)),
        Ok(_) => return Ok(()),
    };
    Err(ConformanceError::new(Fault::Text, &text, sentence))
}

/// Checks that a difference is zero, as far as it is not too large; the first board is the one in question.
fn equation<const N: usize>(
    naive: &mut Naive<'_, N>,
    difference: &[(Key<N>, Sign)],
    integer: i64,
    checked: &mut Checked,
    fault: Fault,
    sentence: impl FnOnce() -> String,
) -> Result<(), ConformanceError> {
    match naive.is_zero(difference, integer) {
        Some(true) => checked.equations += 1,
        Some(false) => {
            return Err(ConformanceError::new(fault, &naive.game.show(&difference[0].0), sentence()));
        }
        None => checked.skipped += 1,
    }
    Ok(())
}

/// Bounds and winners that the game claims without search.
fn inspection<const N: usize>(
    game: &dyn DynGame<N>,
    board: &Key<N>,
    naive: &mut Naive<'_, N>,
) -> Result<(), ConformanceError> {
    let text = game.show(board);
    let wrong = |sentence| Err(ConformanceError::new(Fault::Theorem, &text, sentence));
    let here = [(*board, Sign::Plus)];
    let (low, high) = game.bounds(board);
    // G >= n if Left wins G - n moving second, and likewise for Right.
    for (bound, loser) in [(low, Player::Right), (high, Player::Left)] {
        let Some(bound) = bound else { continue };
        if naive.winner(&here, -bound, loser) == Some(loser) {
            return wrong(format!("`{text}`: the bound {bound} is wrong"));
        }
    }
    for (first, sign, rest) in Player::BOTH
        .into_iter()
        .flat_map(|first| [Sign::Plus, Sign::Minus].map(|sign| (first, sign)))
        .flat_map(|(first, sign)| [-1, 0, 1].map(|rest| (first, sign, rest)))
    {
        let summands = [(*board, sign)];
        let features = game.features(board);
        let features = if sign == Sign::Plus { features } else { features.turned() };
        let verdict = game.static_result(&features, (rest, rest), first);
        let StaticResult::Winner(claim) = verdict else { continue };
        if naive.winner(&summands, rest, first).is_some_and(|winner| winner != claim) {
            return wrong(format!("{sign:?} `{text}` + {rest}: {claim} does not win when {first} begins"));
        }
    }
    Ok(())
}
