//! The analysis as text for people.

use std::fmt::Write;

use gb_rules::Player;

use crate::analysis::Analysis;
use crate::complex::Cost;
use crate::names::player_name;
use crate::solve::{Ending, Proof};

impl Analysis {
    /// The complete report: what is proved on the whole board, then the board, chunks, sum, winning moves with reasons and a line
    /// to the end. Where the values and the board disagree, the report says so and believes the board.
    pub fn text(&self, proof: Option<&Proof>) -> String {
        let mut text = format!("{}\n\n", self.fen);
        if let Some(proof) = proof {
            text.push_str(&self.proof_text(proof));
            text.push('\n');
        }
        let _ = writeln!(text, "{}", self.picture());
        self.complex_text(&mut text, proof);
        if self.chunks.is_empty() {
            text.push_str(if self.complex.bound.is_empty() {
                "There are no pawns, and so no values.\n"
            } else {
                "All pawns are bound to the kings: nothing is left that could be taken apart, and there are no values.\n"
            });
            return text;
        }
        self.table(&mut text);
        if let Some(remark) = &self.together {
            let _ = writeln!(text, "{remark}");
        }
        for who in Player::BOTH {
            self.tempi_text(&mut text, who, proof);
        }
        for who in Player::BOTH {
            self.moves_text(&mut text, who, proof);
        }
        self.line_text(&mut text);
        self.assumptions(&mut text);
        text
    }

    /// What has to be true of the kings, so that the values say something about the board.
    fn assumptions(&self, text: &mut String) {
        text.push_str(
            "\nThe decomposition is heuristic: it assumes that the kings stay where they are until somebody has no pawn move \
             left.\n",
        );
        if !self.touched.is_empty() {
            let _ = writeln!(
                text,
                "A king attacks, defends, blocks or meets {}: the {} {} not independent of the kings, and there the values are a \
                 guess.",
                self.touched.join(", "),
                self.touched_chunks().join(" and the "),
                if self.touched_chunks().len() == 1 { "is" } else { "are" },
            );
        }
        if !self.reachable.is_empty() {
            let all = self.chunks.iter().all(|chunk| chunk.reach.is_some());
            let whole = if all { "; so no chunk is out of the kings' reach" } else { "" };
            let _ = writeln!(
                text,
                "A king that leaves its place can reach {} in time{whole}. The values say nothing about that: it is left to the \
                 proof.",
                self.reachable.join(", "),
            );
        } else if !self.chunks.is_empty() && self.touched.is_empty() {
            text.push_str("No king can reach a pawn of the chunks in time.\n");
        }
    }

    /// Whoever has to move would rather have it the other's turn.
    fn is_zugzwang(&self, now: Ending, turned: Ending) -> bool {
        let worth = |ending: Ending| match ending {
            Ending::White => 1,
            Ending::Draw => 0,
            Ending::Black => -1,
        };
        let gain = worth(turned) - worth(now);
        if self.board.to_move() == Player::Left { gain > 0 } else { gain < 0 }
    }

    /// The chunks that are not independent of the kings where they stand.
    fn touched_chunks(&self) -> Vec<&str> {
        let touched = self.chunks.iter().filter(|chunk| !chunk.touched.is_empty());
        touched.map(|chunk| chunk.name.as_str()).collect()
    }

    /// How the game ends, if that is proved, with this player to move.
    fn proved(&self, who: Player, proof: Option<&Proof>) -> Option<Ending> {
        if who == self.board.to_move() { proof?.ending } else { proof?.turned }
    }

    /// What the values say about who wins, and whether the board agrees.
    fn tempi_text(&self, text: &mut String, who: Player, proof: Option<&Proof>) {
        let (mover, winner) = (player_name(who), self.winners[who as usize]);
        let claim = if winner == player_name(Player::Left) { Ending::White } else { Ending::Black };
        let rest = match self.proved(who, proof) {
            Some(ending) if ending == claim => ", and the board agrees: proved".to_string(),
            Some(ending) => {
                format!(". The board disagrees: it is {}, proved. Believe the board", told(ending))
            }
            None if self.complex.zugzwang && self.touched.is_empty() => {
                ", as long as no king leaves its place (not proved)".to_string()
            }
            None if self.complex.zugzwang => format!(
                ", as long as no king leaves its place or takes part on the {} (not proved)",
                self.touched_chunks().join(" or the ")
            ),
            None => {
                let _ = writeln!(
                    text,
                    "With {mover} to move the values do not say who wins: the kings are not held by mutual zugzwang."
                );
                return;
            }
        };
        let _ = writeln!(text, "With {mover} to move {winner} wins the battle of tempi{rest}.");
    }

    /// What is proved on the whole board.
    fn proof_text(&self, proof: &Proof) -> String {
        let mover = player_name(self.board.to_move());
        let mut text = match proof.ending {
            Some(ending) => format!("Proved, with {mover} to move: {}.\n", ending.text()),
            None => {
                let known = match proof.excluded {
                    [true, _] => " (but it is proved that White does not win)",
                    [_, true] => " (but it is proved that Black does not win)",
                    _ => "",
                };
                let sign = if proof.estimate < 0 { '-' } else { '+' };
                let pawns = proof.estimate.abs();
                let seen =
                    format!("a short search sees {sign}{}.{:02} pawns for White", pawns / 100, pawns % 100);
                let mut text = format!("Not proved, with {mover} to move{known}. ");
                let _ = match proof.guess {
                    Some(guess) => writeln!(text, "Best guess: {}, because {seen}.", guess.text()),
                    None => writeln!(text, "No guess: {seen}, which is neither enough nor nothing."),
                };
                if let Some(why) = &proof.stopped {
                    let _ = writeln!(text, "The search for a proof was {why}.");
                } else {
                    text.push_str(
                        "A proof would need queens on both sides beside pawns, or more than one on one side, which are beyond the \
                         tables.\n",
                    );
                }
                text
            }
        };
        let of = |ending: Option<Ending>| -> Vec<&str> {
            proof.moves.iter().filter(|mv| mv.ending == ending).map(|mv| mv.text.as_str()).collect()
        };
        let own = Ending::won_by(self.board.to_move());
        let other = Ending::won_by(self.board.to_move().opponent());
        for (word, ending) in
            [("Wins", Some(own)), ("Draws", Some(Ending::Draw)), ("Loses", Some(other)), ("Not known", None)]
        {
            let list = of(ending);
            if !list.is_empty() {
                let _ = writeln!(text, "  {word}: {}.", list.join(", "));
            }
        }
        if proof.moves.is_empty() {
            let mated = self.board.is_check(self.board.to_move());
            let _ = writeln!(text, "  {mover} is {}.", if mated { "checkmated" } else { "stalemated" });
        }
        if !proof.line.is_empty() {
            let _ = writeln!(text, "Best play: {}.", self.numbered(&proof.line).trim_end());
        }
        if let (Some(now), Some(turned)) = (proof.ending, proof.turned) {
            let other = player_name(self.board.to_move().opponent());
            let what = if self.is_zugzwang(now, turned) { "This is mutual zugzwang. " } else { "" };
            let _ = writeln!(text, "{what}With {other} to move it would be {}.", told(turned));
        }
        if proof.triangulation {
            text.push_str("The winner loses a move on the way: triangulation.\n");
        }
        if let Some(squares) = &proof.squares {
            if squares.now {
                let name = squares.name.map_or(String::new(), |name| format!(" This is {name}."));
                let _ = writeln!(text, "The kings stand on corresponding squares.{name}");
            }
            let _ = writeln!(
                text,
                "Corresponding squares (same label: whoever has to move there is worse off; pawns are ^ and v):\n{}",
                squares.picture(|square| self.board.letter(square)).trim_end()
            );
        }
        text.push_str("Fifty moves without a capture or a move of a pawn are no draw here.\n");
        for trouble in &proof.troubles {
            let _ = writeln!(text, "Note: {trouble}.");
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

    fn complex_text(&self, text: &mut String, proof: Option<&Proof>) {
        let complex = &self.complex;
        let how = if complex.named { "named" } else { "found" };
        let bound = if complex.bound.is_empty() { "none".to_string() } else { complex.bound.join(", ") };
        let _ = writeln!(text, "Pawns bound to the kings ({how}): {bound}.");
        if complex.zugzwang {
            let _ = writeln!(
                text,
                "The kings seem to be in mutual zugzwang (eight half-moves, other pawns standing still): having to move there \
                 makes a difference of {}.",
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
        // Where there is nothing but the kings' complex, the board has the last word about it.
        if let Some(proof) = proof.filter(|_| self.chunks.is_empty())
            && let (Some(now), Some(turned)) = (proof.ending, proof.turned)
        {
            match (complex.zugzwang, self.is_zugzwang(now, turned)) {
                (true, false) => text.push_str("The board says that it is none: proved.\n"),
                (false, true) => text.push_str("The board says that it is one: proved.\n"),
                _ => {}
            }
        }
        for cost in &complex.costs {
            let line = if cost.line.is_empty() { "no move".to_string() } else { cost.line.join(" ") };
            let _ = writeln!(text, "  {} to move there: {line} ({})", cost.player, balance(cost.balance));
        }
        text.push('\n');
    }

    fn table(&self, text: &mut String) {
        let head = ["", "chunk", "pawns", "value", "nodes", "a king comes"];
        let mut rows = vec![head.map(str::to_string)];
        for (index, chunk) in self.chunks.iter().enumerate() {
            let king = match chunk.reach {
                _ if !chunk.touched.is_empty() => "touches it now".to_string(),
                None => "too late".into(),
                Some(0 | 1) => "in one move".into(),
                Some(moves) => format!("in {moves} moves"),
            };
            rows.push([
                char::from(b'A' + (index % 26) as u8).to_string(),
                chunk.name.clone(),
                chunk.pawns.join(" "),
                chunk.value.clone(),
                chunk.nodes.to_string(),
                king,
            ]);
        }
        let sum = ["", "sum", "", &self.sum, &self.nodes.to_string(), ""];
        rows.push(sum.map(str::to_string));
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..head.len()).map(width).collect();
        for row in &rows {
            let cells: Vec<String> =
                row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
            let _ = writeln!(text, "{}", cells.join("  ").trim_end());
        }
        text.push('\n');
    }

    fn moves_text(&self, text: &mut String, who: Player, proof: Option<&Proof>) {
        let name = player_name(who);
        let won = Ending::won_by(who);
        // The board has the last word about the moves of the player to move.
        let board = |mv: &str| {
            let proof = proof.filter(|_| who == self.board.to_move())?;
            let plain = |text: &str| text.trim_end_matches(['+', '#']).to_string();
            proof.moves.iter().find(|option| plain(&option.text) == plain(mv))?.ending
        };
        let refuted = |mv: &str| board(mv).is_some_and(|ending| ending != won);
        let (bad, good): (Vec<_>, Vec<_>) =
            self.winning[who as usize].iter().partition(|winning| refuted(&winning.text));
        if good.is_empty() {
            let _ = writeln!(text, "\n{name} has no winning move by the values.");
        } else if self.complex.zugzwang || self.proved(who, proof) == Some(won) {
            let _ = writeln!(text, "\n{name} wins by the values with");
        } else {
            let _ = writeln!(text, "\nIf the kings stayed where they are, {name} would win with");
        }
        for winning in good {
            let proved = if board(&winning.text) == Some(won) { " Proved on the board." } else { "" };
            let _ =
                writeln!(text, "  {} (leaves {}): {}.{proved}", winning.text, winning.leaves, winning.reason);
        }
        for winning in bad {
            let ending = board(&winning.text).map_or("", told);
            let _ = writeln!(
                text,
                "  The values name {} (leaves {}) as well; the board says that it is {ending}.",
                winning.text, winning.leaves
            );
        }
        if !self.illegal[who as usize].is_empty() {
            let _ = writeln!(
                text,
                "  Moves of pawns that the values would like are not legal here: the kings are in the way ({}).",
                self.illegal[who as usize].len()
            );
        }
    }

    /// Moves with their numbers.
    fn numbered(&self, list: &[String]) -> String {
        let mut moves = String::new();
        let black_first = self.board.to_move() == Player::Right;
        for (index, mv) in list.iter().enumerate() {
            let ply = index + black_first as usize;
            if ply.is_multiple_of(2) {
                let _ = write!(moves, "{}.{mv} ", ply / 2 + 1);
            } else if index == 0 {
                let _ = write!(moves, "1...{mv} ");
            } else {
                let _ = write!(moves, "{mv} ");
            }
        }
        moves
    }

    fn line_text(&self, text: &mut String) {
        let moves = self.numbered(&self.main_line);
        let _ = writeln!(text, "\nMain line of the values: {moves}and {}.", self.ending);
    }
}

/// `a draw`, `won for White`.
pub(crate) fn told(ending: Ending) -> &'static str {
    match ending {
        Ending::White => "won for White",
        Ending::Draw => "a draw",
        Ending::Black => "won for Black",
    }
}

/// What is at stake in words.
pub(crate) fn stake(cost: &Cost) -> String {
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
