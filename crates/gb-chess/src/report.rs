//! The analysis as text for people.

use std::fmt::Write;

use gb_game::Player;

use crate::analysis::Analysis;
use crate::check::{Basis, Check, Verdict};
use crate::complex::Cost;
use crate::names::player_name;

impl Analysis {
    /// The complete report: board, chunks, sum, winning moves with reasons, a line to the end, and what a search of the
    /// whole board says, if there was one.
    pub fn text(&self, check: Option<&Check>) -> String {
        let mut text = format!("{}\n\n{}\n", self.fen, self.picture());
        self.complex_text(&mut text);
        self.table(&mut text);
        if let Some(remark) = &self.together {
            let _ = writeln!(text, "{remark}");
        }
        let proviso = if self.complex.zugzwang { "" } else { ", if the kings can do nothing (not proved)" };
        for who in Player::BOTH {
            let (mover, winner) = (player_name(who), self.winners[who as usize]);
            let _ = writeln!(text, "With {mover} to move {winner} wins the battle of tempi{proviso}.");
        }
        for who in Player::BOTH {
            self.moves_text(&mut text, who);
        }
        self.line_text(&mut text);
        text.push_str(
            "\nThe decomposition is heuristic: it assumes that the kings stay where they are until somebody has no pawn move \
             left.\n",
        );
        if let Some(check) = check {
            text.push_str(&check.text());
        }
        text
    }

    /// The board, and beside it the chunks: A, B, ... and + for kings and bound pawns.
    fn picture(&self) -> String {
        let mut text = String::from("    a b c d e f g h        a b c d e f g h\n");
        for rank in (0..8u8).rev() {
            let (mut pieces, mut parts) = (String::new(), String::new());
            for file in 0..8 {
                let square = 8 * rank + file;
                let letter = self.board.letter(square);
                let chunk = self.chunk_sets.iter().position(|&set| set >> square & 1 == 1);
                let part = match (chunk, letter) {
                    (Some(index), _) => char::from(b'A' + (index % 26) as u8),
                    (None, Some(_)) => '+',
                    (None, None) => '.',
                };
                pieces += &format!("{} ", letter.unwrap_or('.'));
                parts += &format!("{part} ");
            }
            let line = format!("  {} {pieces}     {} {parts}", rank + 1, rank + 1);
            let _ = writeln!(text, "{}", line.trim_end());
        }
        text
    }

    fn complex_text(&self, text: &mut String) {
        let complex = &self.complex;
        let how = if complex.named { "named" } else { "found" };
        let bound = if complex.bound.is_empty() { "none".to_string() } else { complex.bound.join(", ") };
        let _ = writeln!(text, "Pawns bound to the kings ({how}): {bound}.");
        if complex.zugzwang {
            let _ = writeln!(
                text,
                "The kings are in mutual zugzwang: having to move there makes a difference of {}.",
                stake(&complex.costs[0])
            );
        } else {
            let _ = writeln!(
                text,
                "This is NOT a mutual zugzwang as far as the local search sees ({} positions): what follows holds only if the \
                 kings cannot gain anything.",
                complex.nodes
            );
        }
        for cost in &complex.costs {
            let line = if cost.line.is_empty() { "no move".to_string() } else { cost.line.join(" ") };
            let _ = writeln!(text, "  {} to move there: {line} ({})", cost.player, balance(cost.balance));
        }
        text.push('\n');
    }

    fn table(&self, text: &mut String) {
        let mut rows = vec![["".to_string(), "chunk".into(), "pawns".into(), "value".into(), "nodes".into()]];
        for (index, chunk) in self.chunks.iter().enumerate() {
            let letter = char::from(b'A' + (index % 26) as u8).to_string();
            rows.push([
                letter,
                chunk.name.clone(),
                chunk.pawns.join(" "),
                chunk.value.clone(),
                chunk.nodes.to_string(),
            ]);
        }
        rows.push(["".into(), "sum".into(), "".into(), self.sum.clone(), self.nodes.to_string()]);
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..5).map(width).collect();
        for row in &rows {
            let cells: Vec<String> =
                row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
            let _ = writeln!(text, "{}", cells.join("  ").trim_end());
        }
        text.push('\n');
    }

    fn moves_text(&self, text: &mut String, who: Player) {
        let name = player_name(who);
        let winning = &self.winning[who as usize];
        if winning.is_empty() {
            let _ = writeln!(text, "\n{name} has no winning move.");
            return;
        }
        let _ = writeln!(text, "\n{name} wins with");
        for winning in winning {
            let _ = writeln!(text, "  {} (leaves {}): {}.", winning.text, winning.leaves, winning.reason);
        }
    }

    fn line_text(&self, text: &mut String) {
        let mut moves = String::new();
        let black_first = self.board.to_move() == Player::Right;
        for (index, mv) in self.main_line.iter().enumerate() {
            let ply = index + black_first as usize;
            if ply.is_multiple_of(2) {
                let _ = write!(moves, "{}.{mv} ", ply / 2 + 1);
            } else if index == 0 {
                let _ = write!(moves, "1...{mv} ");
            } else {
                let _ = write!(moves, "{mv} ");
            }
        }
        let _ = writeln!(text, "\nMain line: {moves}and {}.", self.ending);
    }
}

/// What is at stake in words.
fn stake(cost: &Cost) -> String {
    match (cost.pawns, cost.ground) {
        (0, 1) => "one rank of ground for the kings".into(),
        (0, ground) => format!("{ground} ranks of ground for the kings"),
        (1, _) => "a pawn".into(),
        (pawns @ 2..50, _) => format!("{pawns} pawns"),
        _ => "a promotion".into(),
    }
}

fn balance(pawns: i32) -> String {
    match pawns {
        50.. => "White promotes".into(),
        i32::MIN..=-50 => "Black promotes".into(),
        0 => "pawns are even".into(),
        1 | -1 => format!("{} is a pawn ahead", if pawns > 0 { "White" } else { "Black" }),
        _ => format!("{} is {} pawns ahead", if pawns > 0 { "White" } else { "Black" }, pawns.abs()),
    }
}

/// Nobody is ahead by more, in hundredths of a pawn.
const LEVEL: i32 = 50;

impl Check {
    /// The verdict in words.
    pub fn text(&self) -> String {
        let line = self.line.join(" ");
        let effort = format!("depth {}, {} positions", self.depth, self.nodes);
        let estimate = self.estimate.unwrap_or(0);
        let sign = if estimate < 0 { "-" } else { "+" };
        let pawns = format!("{sign}{}.{:02}", estimate.abs() / 100, estimate.abs() % 100);
        let claim = self.claim;
        let by = match self.basis {
            Basis::Mate => "by proof (mate)",
            Basis::Rule => "by rule",
            Basis::Estimate => "by estimate",
        };
        let rule = match self.basis {
            Basis::Rule => {
                " Taken as won: a queen that cannot be taken against pawns three moves or more from promotion, a pawn that no \
                 king can catch, king and pawn against king as the table of all such positions says."
            }
            Basis::Mate | Basis::Estimate => "",
        };
        let decided = self.basis != Basis::Estimate;
        let (head, rest) = match self.verdict {
            Verdict::Agreement if decided => (
                format!("agreement, {by}"),
                format!("The whole board, kings included, is won for {claim} ({effort}): {line}.{rule}"),
            ),
            Verdict::Agreement => (
                format!("agreement, {by}"),
                format!(
                    "On the whole board, kings included, {claim} is far ahead (estimate for White {pawns}, {effort}), but the \
                     win is beyond the limits: {line}"
                ),
            ),
            Verdict::Refutation if decided => (
                format!("REFUTED, {by}"),
                format!("The whole board, kings included, is not won for {claim} ({effort}): {line}.{rule}"),
            ),
            Verdict::Refutation => (
                format!("REFUTED, {by}"),
                format!(
                    "On the whole board, kings included, {claim} is far behind (estimate for White {pawns}, {effort}): {line}"
                ),
            ),
            Verdict::NotDecided => (
                "not decided".to_string(),
                format!(
                    "Within the limits ({effort}) neither side is proved to win or far ahead; the estimate for White is \
                     {pawns}{}, the best line {line}",
                    if estimate.abs() < LEVEL { ", which looks like a draw" } else { "" }
                ),
            ),
        };
        format!("\nCheck: {head}. {rest}\n")
    }
}
