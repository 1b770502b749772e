//! What an analysis says, in words, tables and SGF.

use std::fmt::Write;

use gb_value::text::Style;
use gb_value::{Dyadic, Kernel, Player, Value};

use crate::analysis::{Analysis, AreaReport, RatedMove, Searched};
use crate::board::Point;
use crate::estimate::Estimate;
use crate::game::{Game, Move};
use crate::ko::{KoFacts, KoReport};
use crate::local::{LocalFailure, Scoring};
use crate::play::LineMove;
use crate::safety::Reason;
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
            format!("one area of {points} points, too large: at most {limit} empty points are searched")
        }
        LocalFailure::Unproven => "it could not be proven whose a part of it is".into(),
        LocalFailure::Ko { lower, upper } => {
            format!("a ko decides: between {} and {}", show(kernel, *lower, 200), show(kernel, *upper, 200))
        }
        LocalFailure::Stopped(stop) => stop.to_string(),
    }
}

/// What a ko is worth, as a sentence.
pub fn ko_text(report: &KoReport) -> String {
    let said = |facts: &KoFacts| format!("mean {}, temperature {}", facts.mean, facts.temperature);
    let [black, white] = &report.masters;
    let neutral = report.neutral.as_ref().map(said);
    if said(black) == said(white) {
        return match neutral {
            Some(neutral) if neutral != said(black) => {
                format!("{}, whoever is komaster; {neutral} with equal threats", said(black))
            }
            _ => format!("{}, whoever is komaster", said(black)),
        };
    }
    let neutral = neutral.map_or(String::new(), |neutral| format!("; {neutral} with equal threats"));
    format!("{} if Black is komaster; {} if White is{neutral}", said(black), said(white))
}

/// The scores by komaster, as a sentence.
pub fn komasters_text(komasters: &[[Dyadic; 2]; 2]) -> String {
    let [black, white] = komasters.each_ref().map(|both| both.each_ref().map(result_text));
    if black == white {
        let [if_black, if_white] = black;
        return format!("Whoever is komaster, it is {if_black} if Black begins, {if_white} if White begins.");
    }
    let said = |[if_black, if_white]: [String; 2]| match if_black == if_white {
        true => format!("{if_black}, whoever begins"),
        false => format!("{if_black} if Black begins, {if_white} if White begins"),
    };
    format!("If Black is komaster: {}; if White is: {}.", said(black), said(white))
}

/// `1 point`, `2 points`.
fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// How much of the board is settled, in a line.
pub fn points_text(analysis: &Analysis) -> String {
    let settled = count(analysis.safety.count(), "point");
    match analysis.areas.iter().map(|area| area.points.len()).sum() {
        0 => format!("{settled} settled"),
        open => {
            let (open, areas) = (count(open, "point"), count(analysis.areas.len(), "area"));
            format!("{settled} settled, {open} open in {areas}")
        }
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

    /// Why points are safe, as far as they need an answer or a proof.
    pub fn reasons_text(&self) -> String {
        let board = &self.game.board;
        let mut text = String::new();
        for reason in Reason::ALL {
            let has_reason = |p: &Point| self.analysis.safety.reason(*p) == Some(reason);
            let points: Vec<Point> = board.points().filter(has_reason).collect();
            if !points.is_empty() && !matches!(reason, Reason::Unconditional | Reason::Assumed) {
                _ = writeln!(text, "Safe, because {}: {}", reason.text(), board.names(&points));
            }
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
                    if facts.is_reduced {
                        _ = writeln!(
                            failures,
                            "{}: play may repeat there, so its value is known but for an infinitesimal, which changes no score",
                            area.letter
                        );
                    }
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
                    if let Some(facts) = &area.ko {
                        _ = writeln!(failures, "{}: {}", area.letter, ko_text(facts));
                    }
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
        let facts = self.analysis.areas.iter().filter_map(|area| area.facts.as_ref().ok());
        let unrated: Vec<Point> = facts.flat_map(|f| f.unrated[player as usize].iter().copied()).collect();
        if !unrated.is_empty() {
            _ = writeln!(text, "  no better, and not rated: {}", board.names(&unrated));
        }
        text
    }

    /// What the score will be, or why that is not known.
    pub fn score_text(&self) -> String {
        let analysis = self.analysis;
        let settled = result_text(&Dyadic::from(analysis.constant));
        if let Some([left, right]) = &analysis.score {
            let (left, right) = (result_text(left), result_text(right));
            let mut text =
                format!("Score with best play: {left} if Black begins, {right} if White begins.\n");
            if let Some(searched) = &analysis.searched {
                text += &self.searched_text(searched);
            }
            return text;
        }
        let is_open = |area: &&AreaReport| area.facts.is_err();
        let open: Vec<&str> = analysis.areas.iter().filter(is_open).map(|a| a.letter.as_str()).collect();
        let mut text = match &analysis.stopped {
            Some(stop) if analysis.safety.stopped() == Some(*stop) => {
                format!("Safe stones were not looked for to the end: {stop}. ")
            }
            Some(stop) => format!("The values could not be added up: {stop}. "),
            None => String::new(),
        };
        if !open.is_empty() {
            _ = write!(text, "The score is open: areas without a value are {}. ", open.join(", "));
        }
        if let Some([if_black, if_white]) = &analysis.bounds {
            let said = |(low, high): &(Dyadic, Dyadic)| match low == high {
                true => result_text(low),
                false => format!("between {} and {}", result_text(low), result_text(high)),
            };
            let (if_black, if_white) = (said(if_black), said(if_white));
            _ = write!(text, "It is {if_black} if Black begins, {if_white} if White begins. ");
        }
        if let Some(komasters) = &analysis.komasters {
            _ = write!(text, "{} ", komasters_text(komasters));
        }
        _ = writeln!(text, "Settled so far: {settled}.");
        text
    }

    /// What areas without values may be worth, the most urgent first.
    pub fn estimates_text(&self, estimates: &[Estimate]) -> String {
        let mut text = String::from("Guessed from random games, which prove nothing:\n");
        for estimate in estimates {
            let letter = &self.analysis.areas[estimate.area].letter;
            let [black, white] =
                estimate.moves.map(|mv| mv.map_or("elsewhere".into(), |point| self.game.board.name(point)));
            let (least, most) = estimate.bounds;
            _ = writeln!(
                text,
                "{letter}: temperature about {:.1} (chance alone: ± {:.1}); Black seems to play best {black}, White \
                 {white}; certain is only between {least} and {most} points for Black",
                estimate.temperature.max(0.0),
                estimate.error,
            );
        }
        text
    }

    /// What a search for the score alone found.
    fn searched_text(&self, searched: &Searched) -> String {
        let letters: Vec<&str> =
            searched.areas.iter().map(|&i| self.analysis.areas[i].letter.as_str()).collect();
        let [black, white] =
            searched.moves.map(|mv| mv.map_or("pass".into(), |point| self.game.board.name(point)));
        let seki = if searched.is_seki { " It is a seki." } else { "" };
        format!(
            "The score of {} was searched for by itself; Black gets it with {black}, White with {white}.{seki}\n",
            letters.join(", ")
        )
    }

    /// A short report on an analysis with assumptions, to stand below one without.
    pub fn likely_text(&self, kernel: &Kernel<'_>) -> String {
        let mut text = String::from("If what looks settled is settled, which is not proven:\n");
        text += &self.board_text();
        if !self.analysis.areas.is_empty() {
            _ = writeln!(text, "\n{}", self.table_text(kernel));
        }
        text += &self.score_text();
        if self.analysis.areas.iter().any(|area| area.facts.is_ok()) {
            text += "\nMoves that look best\n";
            for player in [self.game.to_play, self.game.to_play.opponent()] {
                text += &self.moves_text(player);
            }
        }
        text
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
        let (to_play, settled) = (name(self.game.to_play), points_text(self.analysis));
        _ = writeln!(text, "\n{to_play} to play, {scoring}; {settled}.");
        text += &self.reasons_text();
        if !self.analysis.areas.is_empty() {
            _ = writeln!(text, "\n{}", self.table_text(kernel));
        }
        text += &self.score_text();
        if self.analysis.areas.iter().any(|area| area.facts.is_ok()) {
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
            _ = writeln!(text, "\nBest play, {}\n{}", count(self.line.len(), "move"), self.line_text());
        }
        text
    }

    /// The position with a letter in each area and the line of best play with a comment at each move.
    pub fn sgf(&self, kernel: &Kernel<'_>) -> String {
        let board = &self.game.board;
        let labels: Vec<(Point, String)> = self
            .analysis
            .areas
            .iter()
            .flat_map(|area| area.points.iter().map(|&point| (point, area.letter.clone())))
            .collect();
        let owner = |p: Point| self.analysis.safety.owner(p).map(|owner| (p, owner));
        let territory: Vec<(Point, Player)> =
            board.points().filter_map(owner).filter(|&(p, owner)| board.at(p) != Some(owner)).collect();
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
            game: self.game,
            komi: "0",
            labels: &labels,
            territory: &territory,
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
