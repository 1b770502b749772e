//! Games that repeat or are won everywhere at once: what is proved of their boards is accepted, and what plain play says.

use std::collections::HashMap;

use gb_board::Random;
use gb_proof::{Claim, Want};
use gb_rules::conformance::boards_below;
use gb_rules::{Player, with_game};

use crate::{checked, proved};

/// How play ends from every board for either player who moves first: nobody wins what is not decided after as many rounds as there are
/// boards. Plain iteration to the end, without any order.
fn plain(name: &str, start: &str) -> Vec<(String, [Option<Player>; 2])> {
    with_game!(gb_games::open(name, start).unwrap(), game => {
        let boards = boards_below(&*game, &[game.read(start).unwrap()], 100_000);
        let index: HashMap<_, _> = boards.iter().enumerate().map(|(i, board)| (*board, i)).collect();
        let mut winners: Vec<[Option<Player>; 2]> =
            boards.iter().map(|board| [game.global_win(board); 2]).collect();
        loop {
            let mut changed = false;
            for (i, board) in boards.iter().enumerate() {
                for who in Player::BOTH {
                    if winners[i][who as usize].is_some() {
                        continue;
                    }
                    let (mut wins, mut loses) = (false, true);
                    let _ = game.options(board, who, &mut |after, _| {
                        let winner = winners[index[&after]][who.opponent() as usize];
                        wins |= winner == Some(who);
                        loses &= winner == Some(who.opponent());
                        std::ops::ControlFlow::Continue(())
                    });
                    if wins || loses {
                        winners[i][who as usize] = Some(if wins { who } else { who.opponent() });
                        changed = true;
                    }
                }
            }
            if !changed {
                break;
            }
        }
        boards.iter().map(|board| game.show(board)).zip(winners).collect()
    })
}

#[test]
fn wins_and_draws_are_proved_as_plain_play_ends() {
    let (mut random, mut wins, mut draws) = (Random::new(24, 3), 0, 0);
    for (name, start) in [
        ("fox-and-geese", "x.x|...|.o."),
        ("fox-and-geese", "x.x.|....|.o.."),
        ("fox-and-geese", "x...|....|....|.o.."),
        ("pawns", "2/pp/2/2/PP/2"),
        ("pawns", "3/p1p/3/3/P1P/3"),
        ("pawns", "3/1pp/3/3/3/PP1/3"),
        ("chess", "8/8/8/8/k7/8/P7/K7 w - - 0 1"),
    ] {
        let all = plain(name, start);
        for _ in 0..40 {
            let (text, winners) = &all[random.index(all.len() as u32) as usize];
            if gb_games::open(name, text).unwrap().read(text).is_err() {
                continue;
            }
            let Ok((proof, certificate)) = proved(name, &[text], Want::Outcome) else {
                // Nothing is proved of a board that is won already.
                assert!(winners[0] == winners[1] && winners[0].is_some(), "{name} {text}");
                continue;
            };
            let accepted =
                checked(&certificate).unwrap_or_else(|e| panic!("{name} {text}: {e}\n{certificate}"));
            assert_eq!(accepted.claims, proof.claims);
            for (claim, first) in accepted.claims.iter().zip(Player::BOTH) {
                let winner = match claim {
                    Claim::Wins { first: who, .. } if *who == first => Some(first),
                    Claim::Loses { first: who, .. } if *who == first => Some(first.opponent()),
                    Claim::Draws { first: who, .. } if *who == first => None,
                    other => panic!("{other}"),
                };
                assert_eq!(winner, winners[first as usize], "{name} {text}");
                wins += usize::from(winner.is_some());
                draws += usize::from(winner.is_none());
            }
        }
    }
    assert!(wins > 300 && draws > 20, "{wins} wins, {draws} draws");
}
