//! Whole boards solved soundly.

mod bits;
mod book;
mod cache;
mod cell;
mod duel;
mod fixpoint;
mod ground;
mod layer;
mod search;
mod spot;
mod structure;

use cozy_chess::Board;
use gb_value::Budget;

use book::Book;
use duel::Duels;
use search::Search;
use spot::known;
use structure::Side;

/// Quick look.
pub fn probe(fen: &str, budget: &Budget) -> String {
    let Ok(board) = Board::from_fen(fen, false) else { return "illegal".into() };
    let book = Book::new(Duels::new(Some(std::path::Path::new("/tmp/gbcache"))));
    let mut search = Search { book: &book, budget, seed: 0x5eed };
    let mut limit = 8;
    let mut dead = [false; 2];
    let mut reason = "";
    loop {
        let state = known(&book, &board);
        if state.is_decided(Side::White) && state.is_decided(Side::Black) || state.wins[0][0] || state.wins[1][0] {
            break;
        }
        let mut stopped = false;
        for who in Side::BOTH {
            if known(&book, &board).is_decided(who) || dead[who as usize] {
                continue;
            }
            let before = book.counts();
            match search.work(&board, who, limit) {
                Ok(_) => dead[who as usize] = book.counts() == before,
                Err(_) => stopped = true,
            }
        }
        if stopped {
            reason = "budget";
            break;
        }
        let state = known(&book, &board);
        if Side::BOTH.iter().all(|&who| dead[who as usize] || state.is_decided(who)) {
            reason = "dead";
            break;
        }
        limit = (limit * 3 / 2).min(100_000);
    }
    let state = known(&book, &board);
    let verdict = match state.wins {
        [[true, ..], _] => "white",
        [_, [true, ..]] => "black",
        [[.., false], [.., false]] => "draw",
        _ => "unknown",
    };
    format!("{verdict} {reason} {:?} {:?}", state.wins, book.counts())
}
