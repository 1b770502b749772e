//! Exercises are what they say, and mistakes are explained.

use std::collections::BTreeSet;

use gb_chess::{EXERCISES, Ending, Exercise, Goal, Grade, Judgement, Request, Tempi, analyse, judge, prove};
use gb_games::games::chess::ChessBoard;
use gb_value::Budget;

use crate::tables;

fn budget() -> Budget {
    Budget::unlimited().with_nodes(6_000_000)
}

fn judged(fen: &str, text: &str) -> Judgement {
    judge(&Request::new(fen).unwrap().board, text, tables(), &budget()).unwrap()
}

fn exercise(id: &str) -> &'static Exercise {
    Exercise::find(id).unwrap()
}

#[test]
fn goals_are_proved_or_said_by_the_values() {
    let ids: BTreeSet<&str> = EXERCISES.iter().map(|exercise| exercise.id).collect();
    assert_eq!(ids.len(), EXERCISES.len());
    for exercise in EXERCISES {
        let request = Request::new(exercise.position).unwrap();
        match exercise.wanted() {
            Some(wanted) => {
                let found = prove(&request.board, tables(), &budget());
                assert_eq!(found.ending, Some(wanted), "{}", exercise.id);
                // There is something to be done wrong.
                let wrong = |choice: &&gb_chess::Choice| choice.ending.is_some_and(|ending| ending != wanted);
                assert!(
                    found.moves.iter().any(|choice| wrong(&choice)),
                    "{}: {:?}",
                    exercise.id,
                    found.moves
                );
            }
            None => {
                let found = analyse(&request, &Budget::unlimited()).unwrap();
                assert_eq!(found.claim(), exercise.learner(), "{}", exercise.id);
                assert!(!found.winning[exercise.learner() as usize].is_empty(), "{}", exercise.id);
            }
        }
    }
}

#[test]
fn a_mistake_is_explained_by_what_it_gave_away() {
    let found = judged(exercise("lasker-reichhelm").position, "Ka1-a2");
    assert_eq!(
        (found.grade, found.before, found.after),
        (Grade::Mistake, Some(Ending::White), Some(Ending::Draw))
    );
    assert_eq!(found.better, ["Ka1-b1"]);
    assert_eq!(
        found.sentences[0],
        "Ka1-a2 gives away the win: before it was won for White, now it is a draw (both proved)."
    );
    // Black's only answer takes the square that corresponds.
    let found = judged(exercise("lasker-reichhelm").position, "Ka1-b2");
    assert_eq!(
        (found.grade, found.reply.as_ref().map(|reply| reply.text.as_str())),
        (Grade::Mistake, Some("Ka7-a8"))
    );
    assert!(found.sentences.iter().any(|text| text.contains("corresponding squares")), "{found:?}");
    let good = judged(exercise("lasker-reichhelm").position, "Ka1-b1");
    assert_eq!((good.grade, good.better.len()), (Grade::Good, 0));
    assert!(good.reply.is_some());
    // Reti: any other move loses.
    let found = judged(exercise("reti").position, "Kh8-h7");
    assert_eq!((found.grade, found.after), (Grade::Mistake, Some(Ending::Black)));
    assert_eq!(found.better, ["Kh8-g7"]);
}

/// Sveda - Sika: 1.h3-h4 leaves 0; 1.a2-a3 does not.
#[test]
fn values_say_what_was_given_away() {
    let fen = exercise("sveda-sika").position;
    let few = Budget::unlimited().with_nodes(20_000);
    let at = Request::new(fen).unwrap().board;
    let good = judge(&at, "h3-h4", tables(), &few).unwrap();
    let given = good.values.unwrap();
    assert_eq!((given.before.as_str(), given.leaves.as_str(), good.grade), ("v*", "0", Grade::SeemsGood));
    assert_eq!(given.lost.as_deref(), Some("0"));
    let bad = judge(&at, "a2-a3", tables(), &few).unwrap();
    let given = bad.values.clone().unwrap();
    assert_eq!((bad.grade, given.best), (Grade::SeemsMistake, Some(("h3-h4".into(), "0".into()))), "{bad:?}");
    assert!(given.lost.is_some_and(|lost| lost != "0"), "{bad:?}");
    // Nothing that is not proved is told as if it were.
    assert!(bad.sentences.iter().any(|text| text.contains("not proved")), "{bad:?}");
    let king = judge(&at, "Kf3-e2", tables(), &few).unwrap();
    assert!(king.sentences.iter().any(|text| text.contains("gives way")), "{king:?}");
}

#[test]
fn the_battle_of_tempi_ends_when_nothing_free_can_move() {
    // Sveda - Sika after 1.h4 a5 2.h5 a4, and Black's queenside blocked: 3.h6 leaves nothing but the king.
    let found = judge(
        &Request::new("8/7p/8/4k2P/p3Pp2/P4K2/8/8 w - - 0 1").unwrap().board,
        "h5-h6",
        tables(),
        &Budget::unlimited().with_nodes(20_000),
    )
    .unwrap();
    assert_eq!(found.tempi, Tempi::Won, "{found:?}");
}

/// Whoever follows the proofs solves the exercises that are proved, against the best defence; of those with many pawns only the
/// beginning is played, since every move takes a proof.
#[test]
fn proofs_solve_the_exercises() {
    for exercise in EXERCISES.iter().filter(|exercise| exercise.goal != Goal::Tempi) {
        let mut at = Request::new(exercise.position).unwrap().board;
        let mut seen: Vec<ChessBoard> = vec![at];
        let mut standing = None;
        let small = exercise.position.chars().filter(|letter| matches!(letter, 'P' | 'p')).count() <= 4;
        for _ in 0..if small { 40 } else { 3 } {
            let best = prove(&at, tables(), &budget()).line.first().cloned();
            let text = best.unwrap_or_else(|| panic!("{}: nothing to play", exercise.id));
            let found = judge(&at, &text, tables(), &budget()).unwrap();
            assert_eq!(found.grade, Grade::Good, "{}: {found:?}", exercise.id);
            let play = |at: ChessBoard, text: &str| {
                let plain = |text: &str| text.trim_end_matches(['+', '#']).to_owned();
                let step =
                    at.legal_moves().into_iter().find(|step| plain(&at.step_text(*step)) == plain(text));
                at.after(step.unwrap_or_else(|| panic!("{}: {text} is not legal", exercise.id)))
            };
            at = play(at, &text);
            if let Some(reply) = &found.reply {
                at = play(at, &reply.text);
            }
            seen.push(at);
            standing = exercise.standing(&found, seen.iter().filter(|other| **other == at).count());
            if standing.is_some() {
                break;
            }
        }
        assert!(
            !small || standing.as_ref().is_some_and(|standing| standing.solved),
            "{}: {standing:?}",
            exercise.id
        );
    }
}

#[test]
fn moves_that_are_not_legal_are_refused() {
    let at = Request::new(exercise("reti").position).unwrap().board;
    let error = judge(&at, "Kh8-h6", tables(), &budget()).unwrap_err().to_string();
    assert!(error.starts_with("`Kh8-h6` is no legal move here: expected one such as `"), "{error}");
}
