//! What counts as won here, Stockfish wins as well. Only where it is installed: it is an opponent, no part of this.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Command, Stdio};

use gb_chess::{Basis, Request, Verdict, check};
use gb_value::Budget;

struct Program {
    child: Child,
    output: BufReader<ChildStdout>,
}

impl Program {
    fn find() -> Option<Program> {
        let start = |path: &str| Command::new(path).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok();
        let mut child = start("stockfish").or_else(|| start("/usr/games/stockfish"))?;
        let output = BufReader::new(child.stdout.take()?);
        Some(Program { child, output })
    }

    /// Its score for the player to move, in hundredths of a pawn.
    fn score(&mut self, fen: &str, nodes: u64) -> i32 {
        let input = self.child.stdin.as_mut().unwrap();
        writeln!(input, "ucinewgame\nposition fen {fen}\ngo nodes {nodes}").unwrap();
        let (mut line, mut score) = (String::new(), 0);
        loop {
            line.clear();
            assert_ne!(self.output.read_line(&mut line).unwrap(), 0, "stockfish has left");
            let words: Vec<&str> = line.split_whitespace().collect();
            if words.first() == Some(&"bestmove") {
                return score;
            }
            if let Some(at) = words.iter().position(|word| *word == "score") {
                let number: i32 = words[at + 2].parse().unwrap();
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

/// A board with some pawns at random (xorshift, Marsaglia 2003); often not legal.
fn random_fen(seed: &mut u64) -> String {
    let mut below = |bound: u64| {
        *seed ^= *seed << 13;
        *seed ^= *seed >> 7;
        *seed ^= *seed << 17;
        (*seed >> 16) % bound
    };
    let mut cells = [['1'; 8]; 8];
    for (piece, count) in [('P', 1 + below(3)), ('p', 1 + below(3))] {
        for _ in 0..count {
            cells[1 + below(6) as usize][below(8) as usize] = piece;
        }
    }
    for king in ['K', 'k'] {
        cells[below(8) as usize][below(8) as usize] = king;
    }
    let rows: Vec<String> = cells.iter().map(|row| row.iter().collect()).collect();
    format!("{} {} - - 0 1", rows.join("/"), if below(2) == 0 { 'w' } else { 'b' })
}

#[test]
fn decided_games_are_won_for_stockfish_too() {
    let Some(mut stockfish) = Program::find() else {
        eprintln!("stockfish is not installed: nothing was compared");
        return;
    };
    let (mut seed, mut decided) = (0x5eed_c4e5_5eed_u64, 0);
    while decided < 20 {
        let fen = random_fen(&mut seed);
        let Ok(request) = Request::new(&fen) else { continue };
        let budget = Budget::unlimited().with_nodes(100_000);
        let mover = request.board.to_move();
        let found = check(&request.board, mover, 40, &budget, &mut |_, _, _, _| {});
        if found.basis == Basis::Estimate || found.verdict == Verdict::NotDecided {
            continue;
        }
        decided += 1;
        let score = stockfish.score(&fen, 50_000);
        let ours = if found.verdict == Verdict::Agreement { 1 } else { -1 };
        assert!(score * ours >= 150, "{fen}: {found:?}, but Stockfish says {score} for {mover:?}");
    }
}
