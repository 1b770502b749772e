//! What an analysis says, in words, tables and SGF.

use std::fmt::Write;

use gb_value::text::Style;
use gb_value::{Dyadic, Kernel, Player, Value};

use crate::analysis::{Analysis, RatedMove};
use crate::board::Point;
use crate::game::{Game, Move};
use crate::local::{LocalFailure, Scoring};
use crate::play::LineMove;
use crate::sgf::{self, Record};

fn name(player: Player) -> &'static str {
    if player == Player::Left { "Black" } else { "White" }
}

/// `Black by 6`, `White by 5`, `even`.
pub fn result_text(score: &Dyadic) -> String {
    match score.signum() {
        0 => "even".into(),
        1 => format!("Black by {score}"),
        _ => format!("White by {}", -score),
    }
}

/// A value in at most `width` characters.
fn show(kernel: &Kernel<'_>, value: Value, width: usize) -> String {
    let style = Style { slashes: true, max_len: width, ..Style::default() };
    kernel.show(value, &style).map_or_else(|stop| stop.to_string(), |shown| shown.text)
}

/// Why an area has no value, as a sentence.
pub fn failure_text(kernel: &Kernel<'_>, failure: &LocalFailure) -> String {
    match failure {
        LocalFailure::TooLarge { points, limit } => {
            format!("one area of {points} points, too large: at most {limit} points are searched")
        }
        LocalFailure::Unproven => "it could not be proven whose a part of it is".into(),
        LocalFailure::Ko { lower, upper } => {
            format!("a ko decides: between {} and {}", show(kernel, *lower, 200), show(kernel, *upper, 200))
        }
        LocalFailure::Stopped(stop) => stop.to_string(),
    }
}

/// A game, what was found out about it, and a line of best play.
pub struct Report<'a> {
    /// The game.
    pub game: &'a Game,
    /// The analysis of its position.
    pub analysis: &'a Analysis,
    /// A line of best play for the player to move.
    pub line: &'a [LineMove],
}

impl Report<'_> {
    /// The stones, and beside them whose each point is: `+` Black's, `-` White's, a letter for open areas.
    pub fn board_text(&self) -> String {
        let board = &self.game.board;
        let mut marks: Vec<char> = board
            .points()
            .map(|p| match self.analysis.safety.owner(p) {
                Some(Player::Left) => '+',
                Some(Player::Right) => '-',
                None => '?',
            })
            .collect();
        for area in &self.analysis.areas {
            let letter = area.letter.chars().next().unwrap_or('?');
            area.points.iter().for_each(|&p| marks[p as usize] = letter);
        }
        let columns: String = board.columns().flat_map(|c| [c, ' ']).collect();
        let mut text = format!("    {columns}     {columns}\n");
        for (row, stones) in board.to_string().lines().enumerate() {
            let spaced = |line: &str| line.chars().flat_map(|c| [c, ' ']).collect::<String>();
            let from = row * board.size();
            let owners: String = marks[from..from + board.size()].iter().collect();
            _ = writeln!(text, "{:3} {}     {}", board.size() - row, spaced(stones), spaced(&owners));
        }
        text
    }

    /// One row for each area.
    pub fn table_text(&self, kernel: &Kernel<'_>) -> String {
        let mut rows = vec![["area", "size", "value", "chilled", "mean", "temp", "kind"].map(String::from)];
        let mut failures = String::new();
        for area in &self.analysis.areas {
            let size = area.points.len().to_string();
            match &area.facts {
                Ok(facts) => {
                    let value =
                        area.value(kernel, self.analysis.scoring).ok().flatten().unwrap_or(facts.value);
                    rows.push([
                        area.letter.clone(),
                        size,
                        show(kernel, value, 40),
                        show(kernel, facts.chilled, 24),
                        facts.mean.to_string(),
                        facts.temperature.to_string(),
                        facts.kind.text().into(),
                    ]);
                }
                Err(failure) => {
                    rows.push([
                        area.letter.clone(),
                        size,
                        "?".into(),
                        "?".into(),
                        "?".into(),
                        "?".into(),
                        "?".into(),
                    ]);
                    _ = writeln!(failures, "{}: {}", area.letter, failure_text(kernel, failure));
                }
            }
        }
        table(&rows) + &failures
    }

    /// The best moves of a player, and how much the others lose.
    pub fn moves_text(&self, player: Player) -> String {
        let board = &self.game.board;
        let (mut best, mut others): (Vec<String>, Vec<(Dyadic, Vec<String>)>) = Default::default();
        for RatedMove { point, loss, .. } in &self.analysis.moves[player as usize] {
            match loss {
                Some(loss) if !loss.is_zero() => match others.last_mut() {
                    Some((same, names)) if same == loss => names.push(board.name(*point)),
                    _ => others.push((loss.clone(), vec![board.name(*point)])),
                },
                _ => best.push(board.name(*point)),
            }
        }
        let mut text = match best.as_slice() {
            [] => format!("{}: pass\n", name(player)),
            _ => format!("{}: {}\n", name(player), best.join(" ")),
        };
        for (loss, names) in others {
            _ = writeln!(text, "  loses {loss}: {}", names.join(" "));
        }
        text
    }

    /// What the score will be, or why that is not known.
    pub fn score_text(&self) -> String {
        match &self.analysis.score {
            Some([left, right]) => format!(
                "Score with best play: {} if Black begins, {} if White begins.\n",
                result_text(left),
                result_text(right)
            ),
            None => {
                let open: Vec<&str> = self
                    .analysis
                    .areas
                    .iter()
                    .filter(|area| area.facts.is_err())
                    .map(|area| area.letter.as_str())
                    .collect();
                format!(
                    "The score is open: areas without a value are {}. Settled so far: {}.\n",
                    open.join(", "),
                    result_text(&Dyadic::from(self.analysis.constant))
                )
            }
        }
    }

    /// The line of best play.
    pub fn line_text(&self) -> String {
        let board = &self.game.board;
        let moves = self.line.iter().enumerate().map(|(i, mv)| {
            let letter = if mv.player == Player::Left { 'B' } else { 'W' };
            match mv.mv {
                Move::Stone(point) => format!("{}.{letter} {}({})", i + 1, board.name(point), mv.letter),
                Move::Pass => format!("{}.{letter} pass", i + 1),
            }
        });
        moves.collect::<Vec<_>>().join("  ")
    }

    /// Everything.
    pub fn text(&self, kernel: &Kernel<'_>) -> String {
        let scoring = match self.analysis.scoring {
            Scoring::Area => "area scoring",
            _ => "territory scoring",
        };
        let mut text = self.board_text();
        _ = writeln!(text, "\n{} to play, {scoring}.", name(self.game.to_play));
        if !self.analysis.areas.is_empty() {
            _ = writeln!(text, "\n{}", self.table_text(kernel));
        }
        text += &self.score_text();
        if !self.analysis.areas.is_empty() {
            text += if self.analysis.is_complete() {
                "\nBest moves\n"
            } else {
                "\nBest moves in the areas with values\n"
            };
            for player in [self.game.to_play, self.game.to_play.opponent()] {
                text += &self.moves_text(player);
            }
        }
        if !self.line.is_empty() {
            _ = writeln!(text, "\nBest play, {} moves\n{}", self.line.len(), self.line_text());
        }
        text
    }

    /// The position with a letter in each area and the line of best play with a comment at each move.
    pub fn sgf(&self, kernel: &Kernel<'_>) -> String {
        let labels: Vec<(Point, String)> =
            self.analysis.areas.iter().map(|area| (area.points[0], area.letter.clone())).collect();
        let moves: Vec<(Player, Move, String)> = self
            .line
            .iter()
            .map(|mv| {
                let comment = match mv.values {
                    Some((from, to)) => {
                        format!("{}: {} -> {}", mv.letter, show(kernel, from, 100), show(kernel, to, 100))
                    }
                    None => String::new(),
                };
                (mv.player, mv.mv, comment)
            })
            .collect();
        sgf::write(&Record {
            board: &self.game.board,
            to_play: self.game.to_play,
            komi: "0",
            labels: &labels,
            comment: &format!("{}\n{}", self.score_text(), self.table_text(kernel)),
            moves: &moves,
        })
    }
}

/// Columns of equal width.
fn table(rows: &[[String; 7]]) -> String {
    let widths: [usize; 7] =
        std::array::from_fn(|i| rows.iter().map(|row| row[i].chars().count()).max().unwrap_or(0));
    let mut text = String::new();
    for row in rows {
        let line: Vec<String> =
            row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        _ = writeln!(text, "{}", line.join("  ").trim_end());
    }
    text
}
