//! The search for threats against the full evaluation with `on` and `off`, and against the general definition of loopy
//! games.

use gb_board::Random;
use gb_games::games::pawns::{PawnBoard, Pawns};
use gb_rules::{Coding, Direct, Game, Player, Rules, direct};
use gb_search::question::outcome::{Memory, Settings, Sum, winners};
use gb_search::question::{ExactValue, Kind, ThreatSearch, ThreatTable, threats};
use gb_search::{SearchContext, Table, loopy_game, search};
use gb_value::loopy::{Builder, LoopyGame, NodeId, Work};
use gb_value::{Budget, Halt, Kernel, Store, Value};

pub(crate) fn pawns() -> Game<9> {
    direct(Pawns)
}

/// Pawns on the files from `first` to `last`: mostly pairs that face each other, so that not everything is won at once.
fn put_pawns(board: &mut PawnBoard, ranks: usize, first: usize, last: usize, random: &mut Random) {
    for file in first..=last {
        let (a, b) = (1 + random.below(ranks - 2), 1 + random.below(ranks - 2));
        match random.below(9) {
            0 => board.put(Player::Left, file, a),
            1 => board.put(Player::Right, file, a),
            2 => {}
            _ if a != b => {
                board.put(Player::Left, file, a.min(b));
                board.put(Player::Right, file, a.max(b));
            }
            _ => {}
        }
    }
}

/// A value as a graph.
pub(crate) fn graph_of(value: Value, kernel: &Kernel<'_>) -> LoopyGame {
    fn node(value: Value, kernel: &Kernel<'_>, builder: &mut Builder) -> NodeId {
        match value {
            Value::ON => builder.include(&LoopyGame::on()).unwrap(),
            Value::OFF => builder.include(&LoopyGame::off()).unwrap(),
            _ => {
                let sides = Player::BOTH.map(|player| {
                    kernel.options(value, player).map(|v| node(v, kernel, builder)).collect::<Vec<_>>()
                });
                builder.node(&sides[0], &sides[1]).unwrap()
            }
        }
    }
    let mut builder = Builder::new(1 << 20);
    let root = node(value, kernel, &mut builder);
    builder.build(root).unwrap()
}

#[test]
fn cut_offs_lose_nothing() {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let (context, kernel) = (SearchContext::new(&store, &budget), store.kernel(&budget));
    let (table, exact) = (ThreatTable::new(), Table::new());
    let mut random = Random::new(0x1234_5678_9abc_def1, 0);
    let mut kinds = std::collections::HashSet::new();
    let (mut with_threats, mut graphs) = (0, 0);
    for round in 0..3000 {
        let ranks = 5 + random.below(3);
        let mut board = PawnBoard::empty(4, ranks).unwrap();
        put_pawns(&mut board, ranks, 0, 3, &mut random);
        let found = threats(&*pawns(), &table, &Direct.key(&board), &context).unwrap();
        let text = Pawns.show(&board);
        assert_eq!(
            found.value,
            search(&*pawns(), &ExactValue, &exact, &Direct.key(&board), &context).unwrap(),
            "{text}"
        );
        let who_wins = winners(
            &*pawns(),
            &Sum::of(Direct.key(&board)),
            &Settings::default(),
            &exact,
            &mut Memory::new(0),
            &context,
        );
        assert_eq!(who_wins.outcome(), kernel.outcome(found.value).map(Into::into), "{text}");
        kinds.insert((found.left, found.right));
        with_threats += (found.left == Kind::Wins || found.right == Kind::Wins) as usize;
        if round % 10 == 0 {
            let mut go_on = || true;
            let mut work = Work::new(20_000_000, &mut go_on);
            let whole = loopy_game(&*pawns(), &Direct.key(&board), &context, 3_000)
                .and_then(|g| Ok(g.canonical(&mut work)?));
            if let Ok(whole) = whole {
                assert_eq!(whole, graph_of(found.value, &kernel).canonical(&mut work).unwrap(), "{text}");
                graphs += 1;
            }
        }
    }
    assert_eq!(kinds.len(), 9, "all kinds occur: {kinds:?}");
    assert!(with_threats > 200 && graphs > 100, "{with_threats} {graphs}");
}

#[test]
fn chunks_add_up() {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let (context, kernel) = (SearchContext::new(&store, &budget), store.kernel(&budget));
    let table = ThreatTable::new();
    let mut random = Random::new(0xfeed_beef_0123_4567, 0);
    let (mut equal, mut with_threats, mut loopy) = (0, 0, 0);
    for round in 0..6000 {
        let ranks = 5 + random.below(3);
        let mut board = PawnBoard::empty(8, ranks).unwrap();
        // Files next to each other too: there, chunks are apart only if they have passed each other.
        put_pawns(&mut board, ranks, 0, 1, &mut random);
        put_pawns(&mut board, ranks, 2 + round % 2, 4, &mut random);
        let chunks = board.chunks();
        if chunks.len() < 2 {
            continue;
        }
        let mut sum = Ok(Value::ZERO);
        let mut threatened = false;
        for chunk in &chunks {
            let part = threats(&*pawns(), &table, &Direct.key(chunk), &context).unwrap();
            threatened |= part.left == Kind::Wins || part.right == Kind::Wins;
            sum = sum.and_then(|sum| kernel.add(sum, part.value));
        }
        match sum {
            Ok(sum) => {
                let whole = threats(&*pawns(), &table, &Direct.key(&board), &context).unwrap().value;
                assert_eq!(whole, sum, "{}", Pawns.show(&board));
                equal += 1;
                with_threats += threatened as usize;
            }
            Err(stop) => {
                assert_eq!(stop, Halt::Loopy);
                loopy += 1;
            }
        }
    }
    assert!(equal > 2000 && with_threats > 500 && loopy > 20, "{equal} {with_threats} {loopy}");
}

#[test]
fn the_budget_is_obeyed_and_nothing_wrong_is_kept() {
    let store = Store::new();
    let board = Pawns.read("8/5p1p/6p1/4p3/4P3/6P1/5P1P/8").unwrap();
    let table = ThreatTable::new();
    let mut stops = 0;
    loop {
        let budget = Budget::unlimited().with_nodes(2_000);
        match threats(&*pawns(), &table, &Direct.key(&board), &SearchContext::new(&store, &budget)) {
            Ok(found) => {
                assert_eq!(found.value, Value::ZERO);
                break;
            }
            Err(stop) => assert_eq!(stop, Halt::Nodes),
        }
        stops += 1;
        assert!(stops < 1000);
    }
    assert!(stops > 0);
    let (budget, table) = (Budget::unlimited(), ThreatTable::new());
    let context = SearchContext::new(&store, &budget);
    let game = pawns();
    let mut search = ThreatSearch::new(&*game, &table, &context);
    search.position(&Direct.key(&board)).unwrap();
    assert!(search.nodes() < 231_195 && search.depth() > 10, "{} {}", search.nodes(), search.depth());
}
