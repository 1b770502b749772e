//! A chess program that speaks UCI over a pipe.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Command, Stdio};

/// A running program.
pub struct Program {
    child: Child,
    output: BufReader<ChildStdout>,
}

impl Program {
    /// Starts Stockfish, if it is installed.
    pub fn find() -> Option<Program> {
        let start = |path: &str| Command::new(path).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok();
        let mut child = start("stockfish").or_else(|| start("/usr/games/stockfish"))?;
        let output = BufReader::new(child.stdout.take()?);
        Some(Program { child, output })
    }

    /// Its score for the player to move, in hundredths of a pawn; mates are 100,000.
    pub fn score(&mut self, fen: &str, nodes: u64) -> i32 {
        let input = self.child.stdin.as_mut().expect("it was asked for");
        writeln!(input, "ucinewgame\nposition fen {fen}\ngo nodes {nodes}").expect("stockfish has left");
        let (mut line, mut score) = (String::new(), 0);
        loop {
            line.clear();
            assert_ne!(self.output.read_line(&mut line).expect("text"), 0, "stockfish has left");
            let words: Vec<&str> = line.split_whitespace().collect();
            if words.first() == Some(&"bestmove") {
                return score;
            }
            if let Some(at) = words.iter().position(|word| *word == "score")
                && let Ok(number) = words[at + 2].parse::<i32>()
            {
                score = if words[at + 1] == "mate" { 100_000 * number.signum() } else { number };
            }
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
