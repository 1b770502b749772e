//! The test that every game must pass, reusable for games of your own.
//!
//! [`check`] plays from the given positions and checks on the way: texts round-trip; gestures tell moves apart; play ends
//! (unless the game says that it is loopy); normal forms are stable and keep the value; the parts add up to the whole,
//! those that a move leaves to the option, and those beside a bridge to the part; bounds and winners by inspection are right; what is said for databases ([`Rules::grid`]) is true. Values are compared
//! without any theory of values, by playing a difference: `G = H` if and only if the second player wins `G - H`. That is
//! slow, but shares nothing with the code under test. [`check_claims`] goes through all boards of a small size instead, and
//! through the variants of the game as well.

mod claims;

use std::collections::HashMap;
use std::ops::ControlFlow;

use gb_board::{Alphabet, Codes};

pub use self::claims::{ClaimError, boards_below, boards_of_letters, check_claims};

use crate::{Bridge, Player, Rules, Sign, Verdict};

/// A sum of boards, some of them negated, and of an integer: what the naive search plays on.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Sum<B> {
    boards: Vec<(B, Sign)>,
    integer: i64,
}

/// A naive search for the winner of sums of boards of one game.
#[derive(Debug)]
pub struct Naive<'r, R: Rules> {
    rules: &'r R,
    wins: HashMap<(Sum<R::Board>, Player), bool>,
    nodes: usize,
    limit: usize,
}

impl<'r, R: Rules> Naive<'r, R> {
    /// A search that gives up after `limit` positions a question, and where somebody wins everywhere.
    pub fn new(rules: &'r R, limit: usize) -> Self {
        Naive { rules, wins: HashMap::new(), nodes: 0, limit }
    }

    /// Who wins the sum of these boards and an integer when `first` moves first. `None`: too large.
    pub fn winner(&mut self, boards: &[(R::Board, Sign)], integer: i64, first: Player) -> Option<Player> {
        self.nodes = 0;
        let wins = self.mover_wins(Sum { boards: boards.to_vec(), integer }, first)?;
        Some(if wins { first } else { first.opponent() })
    }

    /// Whether the sum of these boards and an integer is zero. `None`: too large.
    pub fn is_zero(&mut self, boards: &[(R::Board, Sign)], integer: i64) -> Option<bool> {
        for first in Player::BOTH {
            if self.winner(boards, integer, first)? == first {
                return Some(false);
            }
        }
        Some(true)
    }

    fn mover_wins(&mut self, sum: Sum<R::Board>, who: Player) -> Option<bool> {
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
        if sum.boards.iter().any(|(board, _)| self.rules.global_win(board).is_some()) {
            return None;
        }
        let mut next = vec![];
        let forward = if who == Player::Left { 1 } else { -1 };
        if sum.integer * forward > 0 {
            next.push(Sum { integer: sum.integer - forward, ..sum.clone() });
        }
        for (i, (board, sign)) in sum.boards.iter().enumerate() {
            let as_whom = if *sign == Sign::Plus { who } else { who.opponent() };
            let _ = self.rules.moves(board, as_whom, &mut |mv| {
                let points = self.rules.points(board, as_whom, &mv);
                let mut after = sum.clone();
                self.rules.play(&mut after.boards[i].0, as_whom, &mv);
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

/// Checks the rules on random lines of play from these positions. `limit` is the number of sums that the naive search
/// may look at for one equation.
///
/// # Errors
/// A sentence about the first failure.
pub fn check<R: Rules>(rules: &R, texts: &[&str], limit: usize) -> Result<Checked, String> {
    let mut checked = Checked::default();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for text in texts {
        let start = rules.read(text).map_err(|error| format!("`{text}`: {error}"))?;
        for line in 0..3 {
            let mut board = start.clone();
            let mut who = Player::BOTH[line % 2];
            for ply in 0.. {
                position(rules, &board, limit, &mut checked)?;
                let choices = moves(rules, &board, who);
                if choices.is_empty() {
                    if moves(rules, &board, who.opponent()).is_empty() {
                        break;
                    }
                    who = who.opponent();
                    continue;
                }
                rules.play(&mut board, who, &choices[random.below(choices.len())]);
                if random.below(3) > 0 {
                    who = who.opponent();
                }
                if ply > 500 {
                    if rules.info().loopy {
                        break;
                    }
                    return Err(format!(
                        "play from `{text}` does not end, but the game does not say that it is loopy"
                    ));
                }
            }
        }
    }
    Ok(checked)
}

fn moves<R: Rules>(rules: &R, board: &R::Board, who: Player) -> Vec<R::Move> {
    let mut moves = vec![];
    let _ = rules.moves(board, who, &mut |mv| {
        moves.push(mv);
        ControlFlow::Continue(())
    });
    moves
}

/// Everything that can be said about one position.
fn position<R: Rules>(
    rules: &R,
    board: &R::Board,
    limit: usize,
    checked: &mut Checked,
) -> Result<(), String> {
    checked.positions += 1;
    let text = rules.show(board);
    round_trip(rules, board)?;
    for who in Player::BOTH {
        let choices = moves(rules, board, who);
        let mut gestures = vec![];
        for mv in &choices {
            let mut after = board.clone();
            rules.play(&mut after, who, mv);
            if after == *board {
                return Err(format!(
                    "`{text}`: the move {} changes nothing",
                    rules.move_text(board, who, mv)
                ));
            }
            round_trip(rules, &after)?;
            gestures.push((rules.move_text(board, who, mv), rules.gesture(board, who, mv)));
        }
        for (i, (a, spots)) in gestures.iter().enumerate() {
            for (b, others) in &gestures[i + 1..] {
                // In the impartial variant of a game one gesture may stand for a move of either player.
                let alike = others.starts_with(spots) || spots.starts_with(others);
                if a == b || (alike && !rules.info().impartial) {
                    return Err(format!("`{text}`: the moves {a} and {b} of {who} cannot be told apart"));
                }
            }
        }
        drawing(rules, board, who, &choices)?;
        let scene = rules.scene(board);
        for spot in gestures.iter().flat_map(|(_, spots)| spots) {
            if !scene.items.iter().any(|item| item.spot == *spot) {
                return Err(format!("`{text}`: the spot {spot} of a move is not in the scene"));
            }
        }
    }
    let mut naive = Naive::new(rules, limit);
    let mut difference = vec![(board.clone(), Sign::Plus)];
    let mut failure = None;
    let mut parts = vec![];
    rules.parts(board, &mut |part| parts.push(part));
    for part in &parts {
        round_trip(rules, part)?;
        let (normal, sign) = rules.normalise(part.clone());
        let (again, still) = rules.normalise(normal.clone());
        if (&again, still) != (&normal, Sign::Plus) {
            failure = Some(format!("the normal form `{}` is not its own", rules.show(&normal)));
        }
        if normal != *part {
            equation(&mut naive, &[(part.clone(), Sign::Minus), (normal.clone(), sign)], 0, checked)
                .map_err(|()| {
                    format!(
                        "`{}` has not the value of its normal form `{}`",
                        rules.show(part),
                        rules.show(&normal)
                    )
                })?;
        }
        parts_after_a_move(rules, part, &mut naive, checked)?;
        bridges(rules, part, &mut naive, checked)?;
        difference.push((part.clone(), Sign::Minus));
    }
    if let Some(failure) = failure {
        return Err(failure);
    }
    if parts.len() != 1 || parts[0] != *board {
        let shown: Vec<String> = parts.iter().map(|part| format!("`{}`", rules.show(part))).collect();
        equation(&mut naive, &difference, 0, checked)
            .map_err(|()| format!("`{text}` is not the sum of its parts {}", shown.join(" + ")))?;
    }
    grid(rules, board, &mut naive, checked)?;
    inspection(rules, board, &mut naive)
}

/// What a move leaves of a part is the option.
fn parts_after_a_move<R: Rules>(
    rules: &R,
    part: &R::Board,
    naive: &mut Naive<'_, R>,
    checked: &mut Checked,
) -> Result<(), String> {
    for who in Player::BOTH {
        let choices = moves(rules, part, who);
        // One of them for each position: all of them are met on the way, and playing them out takes long.
        let Some(mv) = choices.get(checked.positions % choices.len().max(1)) else { continue };
        let mut option = part.clone();
        rules.play(&mut option, who, mv);
        let mut difference = vec![(option.clone(), Sign::Plus)];
        let number = rules.parts_after(part, who, mv, &mut |part| difference.push((part, Sign::Minus)));
        if difference[1..] == [(option, Sign::Minus)] && number == rules.points(part, who, mv) {
            continue;
        }
        equation(naive, &difference, rules.points(part, who, mv) - number, checked).map_err(|()| {
            let text = rules.move_text(part, who, mv);
            format!("`{}`: the parts after {text} do not add up to the option", rules.show(part))
        })?;
    }
    Ok(())
}

/// Where an end and the longer end are equal, the part falls apart.
fn bridges<R: Rules>(
    rules: &R,
    part: &R::Board,
    naive: &mut Naive<'_, R>,
    checked: &mut Checked,
) -> Result<(), String> {
    let mut bridges = vec![];
    rules.bridges(part, &mut |bridge| bridges.push(bridge));
    for Bridge { end, longer_end, rest } in bridges {
        let ends = [(end.clone(), Sign::Plus), (longer_end, Sign::Minus)];
        if naive.is_zero(&ends, 0) == Some(true) {
            let text = format!("`{}`, `{}`", rules.show(&end), rules.show(&rest));
            let difference = [(part.clone(), Sign::Plus), (end, Sign::Minus), (rest, Sign::Minus)];
            equation(naive, &difference, 0, checked).map_err(|()| {
                format!("`{}` is not the sum of what a bridge joins: {text}", rules.show(part))
            })?;
        }
    }
    Ok(())
}

/// Moves drawn by lot are all the moves, each by one number.
fn drawing<R: Rules>(rules: &R, board: &R::Board, who: Player, choices: &[R::Move]) -> Result<(), String> {
    let wrong = |what: &str| Err(format!("`{}`: {what} of {who}", rules.show(board)));
    if rules.count_moves(board, who) as usize != choices.len() {
        return wrong("a wrong count of the moves");
    }
    let mut drawn = vec![];
    for number in 0..choices.len().max(1) as u32 {
        let Some(mv) = rules.random_move(board, who, &mut |_| number) else { continue };
        if !choices.contains(&mv) || drawn.contains(&mv) {
            return wrong("not every random move is one of the moves, or not all are equally likely");
        }
        drawn.push(mv);
    }
    if drawn.len() == choices.len() { Ok(()) } else { wrong("some move is never drawn") }
}

/// What the game says for tables of all boards: codes are the letters, moves make boards lighter, images have the same
/// value.
fn grid<R: Rules>(
    rules: &R,
    board: &R::Board,
    naive: &mut Naive<'_, R>,
    checked: &mut Checked,
) -> Result<(), String> {
    let (Some(traits), Some(codes)) = (rules.grid(), rules.codes(board)) else { return Ok(()) };
    let text = rules.show(board);
    if Codes::read(&text, &Alphabet(rules.info().alphabet)).as_ref() != Some(&codes) {
        return Err(format!("`{text}`: the codes {:?} are not its letters", codes.cells));
    }
    if rules.of_codes(&codes).as_ref() != Ok(board) {
        return Err(format!("`{text}` is not read again from its codes"));
    }
    let weight = |codes: &Codes| -> u64 {
        codes.cells.iter().map(|&code| u64::from(traits.weights[usize::from(code)])).sum()
    };
    for who in Player::BOTH {
        for mv in moves(rules, board, who) {
            let mut after = board.clone();
            rules.play(&mut after, who, &mv);
            if rules.codes(&after).is_none_or(|after| weight(&after) >= weight(&codes)) {
                return Err(format!(
                    "`{text}` does not become lighter by {}",
                    rules.move_text(board, who, &mv)
                ));
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
    if let Ok(image) = rules.of_codes(&image) {
        equation(naive, &[(board.clone(), Sign::Plus), (image.clone(), -sign)], 0, checked)
            .map_err(|()| format!("`{text}` has not the value of its image `{}`", rules.show(&image)))?;
    }
    Ok(())
}

fn round_trip<R: Rules>(rules: &R, board: &R::Board) -> Result<(), String> {
    let text = rules.show(board);
    match rules.read(&text) {
        Err(error) => Err(format!("`{text}` was written but is not read: {error}")),
        Ok(again) if again != *board => Err(format!("`{text}` is read as `{}`", rules.show(&again))),
        Ok(_) => Ok(()),
    }
}

fn equation<R: Rules>(
    naive: &mut Naive<'_, R>,
    difference: &[(R::Board, Sign)],
    integer: i64,
    checked: &mut Checked,
) -> Result<(), ()> {
    match naive.is_zero(difference, integer) {
        Some(true) => checked.equations += 1,
        Some(false) => return Err(()),
        None => checked.skipped += 1,
    }
    Ok(())
}

/// Bounds and winners that the game claims without search.
fn inspection<R: Rules>(rules: &R, board: &R::Board, naive: &mut Naive<'_, R>) -> Result<(), String> {
    let text = rules.show(board);
    let here = [(board.clone(), Sign::Plus)];
    let (low, high) = rules.bounds(board);
    // G >= n if Left wins G - n moving second, and likewise for Right.
    for (bound, loser) in [(low, Player::Right), (high, Player::Left)] {
        let Some(bound) = bound else { continue };
        if naive.winner(&here, -bound, loser) == Some(loser) {
            return Err(format!("`{text}`: the bound {bound} is wrong"));
        }
    }
    for (first, sign, rest) in Player::BOTH
        .into_iter()
        .flat_map(|first| [Sign::Plus, Sign::Minus].map(|sign| (first, sign)))
        .flat_map(|(first, sign)| [-1, 0, 1].map(|rest| (first, sign, rest)))
    {
        let summands = [(board.clone(), sign)];
        let chances = rules.chances(board);
        let chances = if sign == Sign::Plus { chances } else { chances.turned() };
        let verdict = rules.verdict(&chances, (rest, rest), first);
        let Verdict::Winner(claim) = verdict else { continue };
        if naive.winner(&summands, rest, first).is_some_and(|winner| winner != claim) {
            return Err(format!("{sign:?} `{text}` + {rest}: {claim} does not win when {first} begins"));
        }
    }
    Ok(())
}

/// Numbers without order (xorshift, Marsaglia 2003): the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}
