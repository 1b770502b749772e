//! Thousands of endings: what a player has proven is true, and who has solved a won position never loses it.

use std::ops::ControlFlow;

use gb_board::Random;
use gb_games::games::{
    amazons::Amazons, blockbusting::Blockbusting, clobber::Clobber, domineering::Domineering, nogo::NoGo,
};
use gb_play::{Limits, Player};
use gb_rules::conformance::Naive;
use gb_rules::{AnyGame, DynGame, Game, Key, MoveKey, Player as Side, Sign, direct};
use gb_search::GameTables;
use gb_value::Store;

use crate::Home;

const PLAYERS: &[&str] = &[
    "mcts",
    "mcts+solved",
    "mcts+solved+simplify",
    "mcts+simplify-root+atomic+solved",
    "mcts+temperature+solved+atomic+simplify",
    "mcts+endgame",
    "mcts+cutoff",
    "mcts+solved+transpositions",
    "mcts+solved+dominated",
    "mcts+all",
    "ab",
    "ab+solved+atomic+simplify",
    "ab+all",
];

fn moves<const N: usize>(rules: &dyn DynGame<N>, board: &Key<N>, who: Side) -> Vec<MoveKey> {
    let mut moves = vec![];
    let _ = rules.moves(board, who, &mut |mv| {
        moves.push(mv);
        ControlFlow::Continue(())
    });
    moves
}

/// A position after random moves, such that at most so many moves are left for each.
fn ending<const N: usize>(
    rules: &dyn DynGame<N>,
    size: &str,
    most: usize,
    random: &mut Random,
) -> (Key<N>, i64, Side) {
    let mut board = rules.start(gb_board::Size::read(size).unwrap()).unwrap();
    let (mut who, mut points) = (Side::Left, 0);
    loop {
        let choices = moves(rules, &board, who);
        if choices.len() <= most {
            return (board, points, who);
        }
        let mv = choices[random.index(choices.len() as u32) as usize];
        let (after, more) = rules.play(&board, who, mv);
        (board, points) = (after, points + more);
        who = who.opponent();
    }
}

/// Plays endings out, one player against an opponent who makes no mistakes if there is a choice.
fn endings<const N: usize>(rules: Game<N>, size: &str, most: usize, games: u64, nodes: u64)
where
    AnyGame: From<Game<N>>,
{
    let home = Home::new(rules.clone());
    let mut naive = Naive::new(&*rules, 2_000_000);
    let mut winner = |board: &Key<N>, points: i64, who: Side| {
        naive.winner(&[(*board, Sign::Plus)], points, who).expect("small enough for brute force")
    };
    let (mut solved, mut won) = (0, 0);
    for number in 0..games {
        let spec = PLAYERS[number as usize % PLAYERS.len()];
        let mut random = Random::new(77, number);
        let (mut board, mut points, mut who) = ending(&*rules, size, most, &mut random);
        let me = who;
        let mut player: Box<dyn Player> = gb_play::player(home.solved.clone(), spec.parse().unwrap(), number);
        let mut proven_win = false;
        loop {
            let choices = moves(&*rules, &board, who);
            if choices.is_empty() {
                break;
            }
            let truth = winner(&board, points, who);
            let text = rules.show(&board);
            if who == me {
                let limits = Limits { bytes: 4 << 20, ..Limits::nodes(nodes) };
                let chosen = player.choose(&text, points, who, &home.store, &limits).unwrap();
                if let Some(claim) = chosen.winner {
                    assert_eq!(claim, truth, "{spec} is wrong about {text}, {who} to move");
                    proven_win |= claim == me;
                    solved += 1;
                }
                let after = rules.read(&chosen.after).unwrap();
                if proven_win {
                    assert_eq!(
                        winner(&after, chosen.points, who.opponent()),
                        me,
                        "{spec} gives a won position away: {text}, {who} to move, {}",
                        chosen.mv
                    );
                }
                (board, points) = (after, chosen.points);
            } else {
                let after = |mv: &MoveKey| {
                    let (after, more) = rules.play(&board, who, *mv);
                    (after, points + more)
                };
                let best = choices.iter().map(&after).find(|(b, p)| winner(b, *p, who.opponent()) == who);
                let lot = &choices[random.index(choices.len() as u32) as usize];
                (board, points) = best.unwrap_or_else(|| after(lot));
            }
            who = who.opponent();
        }
        won += u64::from(proven_win);
    }
    assert!(
        solved > games / 2 && won > games / 20,
        "{solved} positions solved, {won} of {games} endings won"
    );
}

#[test]
fn clobber() {
    endings::<3>(direct(Clobber::<u64>::default()), "4x5", 8, 1500, 300);
}

#[test]
fn domineering() {
    endings::<2>(direct(Domineering::<u64>::default()), "5x5", 8, 1200, 300);
}

#[test]
fn nogo() {
    endings::<4>(direct(NoGo::<u64>::default()), "4x4", 6, 600, 300);
}

#[test]
fn konane() {
    let AnyGame::W3(konane) = gb_games::open("konane", "5x5").unwrap() else { panic!("three words") };
    endings::<3>(konane, "5x5", 4, 600, 300);
}

#[test]
fn amazons() {
    endings::<3>(direct(Amazons::<u64>::default()), "4x4", 8, 300, 300);
}

#[test]
fn games_with_points() {
    endings::<3>(direct(Blockbusting::<u64>::default()), "9", 5, 600, 300);
}

#[test]
fn who_has_lost_hopes_for_mistakes() {
    let rules: Game<3> = direct(Clobber::<u64>::default());
    let home = Home::new(rules.clone());
    let mut naive = Naive::new(&*rules, 2_000_000);
    let mut winner = |board: Key<3>, who: Side| {
        naive.winner(&[(board, Sign::Plus)], 0, who).expect("small enough for brute force")
    };
    let mut lost = 0;
    for number in 0..300 {
        let mut random = Random::new(78, number);
        let (board, _, me) = ending(&*rules, "4x5", 8, &mut random);
        // How many replies to each move give the win away.
        let mut mistakes = |after: Key<3>| {
            let replies = moves(&*rules, &after, me.opponent());
            let wins = replies.iter().filter(|reply| {
                let (next, _) = rules.play(&after, me.opponent(), **reply);
                winner(next, me) == me
            });
            wins.count()
        };
        let spec = ["mcts+all", "mcts+solved", "ab+solved"][number as usize % 3];
        let mut player = gb_play::player(home.solved.clone(), spec.parse().unwrap(), number);
        let text = rules.show(&board);
        let Ok(chosen) = player.choose(&text, 0, me, &home.store, &Limits::nodes(3_000)) else { continue };
        if chosen.winner != Some(me.opponent()) {
            continue;
        }
        lost += 1;
        let most = moves(&*rules, &board, me).into_iter().map(|mv| mistakes(rules.play(&board, me, mv).0));
        if most.max() > Some(0) {
            assert!(mistakes(rules.read(&chosen.after).unwrap()) > 0, "{spec}: {text}, {me}: {}", chosen.mv);
        }
    }
    assert!(lost > 50, "{lost} lost positions");
}

#[test]
fn budgets_are_obeyed_and_threads_agree() {
    let rules: Game<3> = direct(Clobber::<u64>::default());
    let home = Home::new(rules.clone());
    for spec in ["mcts", "mcts+all", "ab+solved"] {
        for threads in [1, 3] {
            let mut player = gb_play::player(home.solved.clone(), spec.parse().unwrap(), 1);
            let limits = Limits { threads, bytes: 1 << 20, ..Limits::nodes(2_000) };
            let text = "xoxoxo|oxoxox|xoxoxo|oxoxox";
            let chosen = player.choose(text, 0, Side::Left, &home.store, &limits).unwrap();
            assert!(chosen.nodes <= 2_000, "{spec}: {chosen:?}");
            // On the small board every thread must come to the same proof.
            let chosen = player.choose("xo.|.ox", 0, Side::Left, &home.store, &limits).unwrap();
            assert_eq!(chosen.winner, Some(Side::Right), "{spec}: xo + ox is *+*");
        }
    }
}

#[test]
fn one_node_is_enough_for_a_legal_move() {
    let rules: Game<3> = direct(Clobber::<u64>::default());
    let home = Home::new(rules.clone());
    for spec in PLAYERS {
        let mut player = gb_play::player(home.solved.clone(), spec.parse().unwrap(), 1);
        let text = "xoxo|oxox|xoxo|oxox";
        let chosen = player.choose(text, 0, Side::Left, &home.store, &Limits::nodes(1)).unwrap();
        assert_ne!(chosen.after, text, "{spec}");
    }
}

#[test]
fn the_tree_is_kept_between_moves() {
    let rules: Game<3> = direct(Clobber::<u64>::default());
    let (tables, store) = (GameTables::default(), Store::new());
    let settings = gb_play::mcts::Settings::default();
    let mut mcts = gb_play::mcts::Mcts::new(rules.clone(), gb_play::Knowledge::NONE, settings, 1);
    let mut board = rules.read("xoxox|oxoxo|xoxox|oxoxo").unwrap();
    let limits = Limits::nodes(3_000);
    let first = mcts.choose(&board, 0, Side::Left, &tables, &store, &limits).unwrap();
    board = rules.play(&board, Side::Left, first.mv).0;
    let reply = moves(&*rules, &board, Side::Right)[0];
    board = rules.play(&board, Side::Right, reply).0;
    let second = mcts.choose(&board, 0, Side::Left, &tables, &store, &Limits::nodes(100)).unwrap();
    let visits: u32 = second.tried.iter().map(|(_, visits, _)| visits).sum();
    assert!(visits > 100, "{visits} visits with 100 playouts");
}

#[test]
fn all_threads_play_on_the_same_kind_of_board() {
    let rules: Game<3> = direct(Clobber::<u64>::default());
    let (tables, store) = (GameTables::default(), Store::new());
    let board = rules.start(gb_board::Size::read("8x8").unwrap()).unwrap();
    for separate_trees in [false, true] {
        let settings = gb_play::mcts::Settings { separate_trees, ..Default::default() };
        let mut mcts = gb_play::mcts::Mcts::new(rules.clone(), gb_play::Knowledge::ALL, settings, 1);
        let limits = Limits { threads: 4, ..Limits::nodes(112) };
        let choice = mcts.choose(&board, 0, Side::Left, &tables, &store, &limits).unwrap();
        // One playout for every move, on average: nobody has an advantage at random.
        let (won, all) = choice
            .tried
            .iter()
            .fold((0.0, 0), |(won, all), (_, visits, mean)| (won + mean * *visits as f32, all + visits));
        let mean = won / all as f32;
        assert!((0.3..0.7).contains(&mean), "{mean} in {all} playouts");
    }
}
