//! Games against proofs: whatever the loser does, the proof has an answer, and wins in the end.

use gb_board::Random;
use gb_engine::{Engine, Place};
use gb_rules::Player;
use gb_value::Budget;

/// Plays at random against the proof, and counts the moves.
fn lose_at_random(engine: &Engine, sum: &str, first: Player, random: &mut Random) -> usize {
    let budget = Budget::unlimited();
    let kernel = engine.store.kernel(&budget);
    let mut game = engine.explain(sum, first, &budget).unwrap();
    let mut moves = 0;
    loop {
        if game.is_won() {
            return moves;
        }
        if game.to_move() != game.loser() {
            let answered = game.answer(&kernel).unwrap();
            assert!(answered.is_some(), "{sum}: no answer at {:?} + {:?}", game.positions(), game.value());
            moves += 1;
            continue;
        }
        assert!(game.why_lost(&kernel).unwrap().is_some(), "{sum}: {:?}", game.positions());
        let mut choices = vec![];
        for (at, position) in game.positions().iter().enumerate() {
            let texts = position.moves(game.loser(), usize::MAX).into_iter();
            choices.extend(texts.map(|choice| (Place::Position(at), choice.text)));
        }
        choices.extend(game.value_moves(&kernel).unwrap().into_iter().map(|(text, _)| (Place::Value, text)));
        if choices.is_empty() {
            return moves;
        }
        let (place, text) = &choices[random.index(choices.len() as u32) as usize];
        game.play(*place, text, &kernel).unwrap();
        moves += 1;
        assert!(moves < 500, "{sum}: the proof does not come to an end");
    }
}

/// Where play repeats, who follows just any fact might go round for ever, and where a player can win at once, that ends it.
#[test]
fn a_proof_comes_to_an_end_where_play_repeats() {
    let (engine, mut random) = (Engine::default(), Random::new(24, 3));
    let mut moves = 0;
    for sum in ["pawns 8/1p5p/p7/8/8/7P/PP6/8", "fox-and-geese 6x6", "chess 8/8/8/8/8/2k5/2p5/2K5"] {
        for first in Player::BOTH {
            for _ in 0..4 {
                moves += lose_at_random(&engine, sum, first, &mut random);
            }
        }
    }
    assert!(moves > 100, "{moves} moves");
}

#[test]
fn a_proof_wins_against_every_defence() {
    let (engine, mut random) = (Engine::default(), Random::new(24, 2));
    let mut moves = 0;
    for sum in [
        "clobber xoxo|oxox|xoxo",
        "domineering 4x5",
        "nogo 3x3",
        "snort 3x3",
        "col 2x5",
        "cram 3x5",
        "nim 3,5,9",
        "octal(0.77) 9,12",
        "amazons x..|...|..o",
        "konane xoxo|ox.x|xoxo",
        "toads-and-frogs ttt..fff",
        "hackenbush 0-1B,1-2R,2-3G,1-3R,0-4G,4-5B",
        "clobber xoxo|oxox + domineering 3x3 + nim 3 + ^*",
        "cram 3x4 + kayles 7 + *5",
        "cram #..#|...#|#... + ^",
        "nim 2,3 + -1/2",
        "domineering 3x4 + 3/4",
        "col 2x3 + -1 + v",
        "clobber xoxo + ^",
        "nogo x..x|x... + konane .xx.|o.xx|..xo + 1/2",
        "clobber xoxox|oxoxo",
        "fission 3x3",
        "toppling-dominoes xoxxoxo",
        "elephants-and-rhinos x.o.x.o",
        "clobber xoxo|oxox + konane xoxo|ox.x + snort 2x3",
    ] {
        for first in Player::BOTH {
            for _ in 0..12 {
                moves += lose_at_random(&engine, sum, first, &mut random);
            }
        }
    }
    assert!(moves > 500, "{moves} moves");
}

/// Equal parts of impartial games cancel, whatever is known of them, so that a proof need not mention them at all.
#[test]
fn a_proof_answers_by_parts_that_cancel() {
    let (engine, mut random) = (Engine::default(), Random::new(24, 4));
    let mut moves = 0;
    for game in ["cram", "fission", "impartial(clobber)", "impartial(nogo)", "impartial(col)"] {
        let letters = if game == "cram" || game == "impartial(nogo)" { "...#" } else { ".xo" };
        let letters: Vec<char> = letters.chars().filter(|c| game != "fission" || *c != 'o').collect();
        for _ in 0..12 {
            let (rows, columns) = (1 + random.index(3), 3 + random.index(3));
            let row = |random: &mut Random| -> String {
                (0..columns).map(|_| letters[random.index(letters.len() as u32) as usize]).collect()
            };
            let rows: Vec<String> = (0..rows).map(|_| row(&mut random)).collect();
            let sum = format!("{game} {}", rows.join("|"));
            for _ in 0..4 {
                moves += lose_at_random(&engine, &sum, Player::Left, &mut random);
            }
        }
    }
    assert!(moves > 300, "{moves} moves");
}
