//! Whole boards against plain play: who wins, by which moves, and where each move is made.

use std::collections::HashMap;
use std::ops::ControlFlow;

use gb_board::Random;
use gb_games::games::pawns::{PawnBoard, Pawns};
use gb_rules::{Coding, Direct, DynGame, Game, GlobalWins, Key, Notation, Player, Rules, direct, with_game};
use gb_search::sum::{Moves, SumReport, Summand, examine};
use gb_search::{GameTables, SearchContext};
use gb_value::loopy::Ending;
use gb_value::{Budget, Dyadic, Outcome, OutcomeClass, Store};

/// Whether the player to move wins, by trying everything.
struct Plain<R: Rules> {
    rules: R,
    wins: HashMap<(R::Board, Player), bool>,
}

impl<R: Rules + GlobalWins<R::Board> + Notation<R::Board, R::Move>> Plain<R> {
    fn wins(&mut self, at: &R::Board, who: Player) -> bool {
        if let Some(winner) = self.rules.global_win(at) {
            return winner == who;
        }
        let key = (at.clone(), who);
        if let Some(&wins) = self.wins.get(&key) {
            return wins;
        }
        let wins = self.after(at, who).iter().any(|(_, next)| !self.wins(next, who.opponent()));
        self.wins.insert(key, wins);
        wins
    }

    fn after(&self, at: &R::Board, who: Player) -> Vec<(String, R::Board)> {
        let mut after = vec![];
        let _ = self.rules.moves(at, who, &mut |mv| {
            let mut next = at.clone();
            self.rules.play(&mut next, who, &mv);
            after.push((self.rules.move_text(at, who, &mv).unwrap_or_default(), next));
            ControlFlow::Continue(())
        });
        after
    }
}

fn report<const N: usize>(
    game: &dyn DynGame<N>,
    at: &Key<N>,
    store: &Store,
    tables: &GameTables<N>,
) -> SumReport {
    let budget = Budget::unlimited();
    let examined =
        examine(game, at, Moves::Valued, tables, &SearchContext::new(store, &budget), &|_, _, _| {});
    SumReport::new(&store.kernel(&budget), vec![Summand::Position(examined)])
}

/// Chunks of pawns that threaten each other were added up as if they did not, so that a third of all random boards had no
/// value: the published endgames have no such chunks.
#[test]
fn every_board_of_pawns_has_a_value_and_the_winner_of_plain_play() {
    let mut random = Random::new(2001, 0);
    let game: Game<9> = direct(Pawns);
    let mut plain = Plain { rules: Pawns, wins: HashMap::new() };
    let (store, tables) = (Store::new(), GameTables::default());
    let mut together = 0;
    for _ in 0..400 {
        let (files, ranks) = (1 + random.below(5), 5 + random.below(4));
        let mut board = PawnBoard::empty(files, ranks).unwrap();
        let mut taken = vec![];
        for _ in 0..1 + random.below(5) {
            let (file, rank) = (random.below(files), 1 + random.below(ranks - 2));
            if !taken.contains(&(file, rank)) {
                taken.push((file, rank));
                board.put(Player::BOTH[random.below(2)], file, rank);
            }
        }
        let text = Pawns.show(&board);
        let report = report(&*game, &Direct.key(&board), &store, &tables);
        let analysis = report.analysis.as_ref().unwrap_or_else(|stop| panic!("{text}: {stop}"));
        let [left, right] = Player::BOTH.map(|first| plain.wins(&board, first));
        let outcome = match (left, right) {
            (true, false) => Outcome::L,
            (false, true) => Outcome::R,
            (true, true) => Outcome::N,
            (false, false) => Outcome::P,
        };
        assert_eq!(analysis.outcome, outcome, "{text}");
        for who in Player::BOTH {
            let found: Vec<String> =
                report.winning_moves(who).iter().map(|mv| mv.on_board.unwrap().label.clone()).collect();
            let after = plain.after(&board, who);
            let wins = after.into_iter().filter(|(_, next)| !plain.wins(next, who.opponent()));
            let mut expected: Vec<String> = wins.map(|(text, _)| text).collect();
            let mut found = found;
            expected.sort();
            found.sort();
            assert_eq!(found, expected, "{text} {who}");
        }
        let Summand::Position(examined) = &report.summands[0] else { unreachable!() };
        let mut chunks = 0;
        Pawns.regions(&board, &mut |_, _| chunks += 1);
        together += usize::from(chunks > examined.components.len());
    }
    assert!(together > 30, "{together} boards were searched as one game");
}

/// The best score for `first`, by trying everything.
fn minimax<const N: usize>(rules: &dyn DynGame<N>, at: &Key<N>, first: Player, known: &mut Scores<N>) -> i64 {
    if let Some(&score) = known.get(&(*at, first)) {
        return score;
    }
    let mut scores = vec![];
    let _ = rules.moves(at, first, &mut |mv| {
        let (next, _) = rules.play(at, first, mv);
        scores.push(rules.play(at, first, mv).1 + minimax(rules, &next, first.opponent(), known));
        ControlFlow::Continue(())
    });
    let best = if first == Player::Left { scores.into_iter().max() } else { scores.into_iter().min() };
    let score = best.unwrap_or(0);
    known.insert((*at, first), score);
    score
}

type Scores<const N: usize> = HashMap<(Key<N>, Player), i64>;

struct ByScore<'a>(&'a [String]);

impl ByScore<'_> {
    fn visit<const N: usize>(self, rules: Game<N>) {
        let (store, tables, mut known) = (Store::new(), GameTables::default(), HashMap::new());
        for text in self.0 {
            let at = rules.read(text).unwrap();
            let report = report(&*rules, &at, &store, &tables);
            let scores = report.scores.as_ref().expect("points decide");
            let by_play = Player::BOTH.map(|first| minimax(&*rules, &at, first, &mut known));
            let ending = |score: i64| match score {
                1.. => Ending::Win,
                0 => Ending::Draw,
                _ => Ending::Loss,
            };
            let [left, right] = by_play.map(ending);
            assert_eq!(scores.scores.outcome(), Ok(OutcomeClass::of(left, right)), "{text}");
            assert!(Player::BOTH.iter().all(|&who| report.winning_moves(who).is_empty()), "{text}");
            for who in Player::BOTH {
                let score = by_play[who as usize];
                assert_eq!(scores.scores.first(who), &Ok(Dyadic::integer(score)), "{text} {who}");
                let mut moves: Vec<(String, i64, i64)> = vec![];
                let _ = rules.moves(&at, who, &mut |mv| {
                    let (next, _) = rules.play(&at, who, mv);
                    let points = rules.play(&at, who, mv).1;
                    let ends = points + minimax(&*rules, &next, who.opponent(), &mut known);
                    moves.push((rules.move_text(&at, who, mv), ends, (score - ends).abs()));
                    ControlFlow::Continue(())
                });
                moves.sort_by_key(|&(_, _, loses)| loses);
                let scored = report.scored_moves(who).into_iter();
                let found: Vec<(String, Dyadic, Dyadic)> =
                    scored.map(|mv| (mv.on_board.unwrap().label.clone(), mv.score, mv.loses)).collect();
                let expected: Vec<(String, Dyadic, Dyadic)> = moves
                    .into_iter()
                    .map(|(text, ends, loses)| (text, Dyadic::integer(ends), Dyadic::integer(loses)))
                    .collect();
                assert_eq!(found, expected, "{text} {who}");
            }
        }
    }
}

/// A score of 0 was called a loss of whoever begins: the tests compared values, and never asked who wins.
#[test]
fn games_that_end_in_a_score_have_the_scores_of_plain_play() {
    let mut random = Random::new(8, 0);
    let mut texts: Vec<String> = vec![];
    for (rows, cols) in [(1, 7), (2, 3), (2, 4), (3, 3)] {
        for number in 0..1usize << (rows * cols) {
            let row = |row: usize| -> String {
                (0..cols).map(|col| if number >> (row * cols + col) & 1 == 0 { '.' } else { '#' }).collect()
            };
            if rows * cols < 9 || random.below(4) == 0 {
                texts.push((0..rows).map(row).collect::<Vec<_>>().join("|"));
            }
        }
    }
    with_game!(gb_games::open("regio", "8x8").unwrap(), game => ByScore(&texts).visit(game));
    let graphs: Vec<String> = (0..60)
        .map(|_| {
            let nodes = 3 + random.below(5);
            let edges: Vec<String> = (1..nodes)
                .flat_map(|b| (0..b).map(move |a| (a, b)))
                .filter(|_| random.below(3) == 0)
                .map(|(a, b)| format!("{a}-{b}"))
                .collect();
            format!("{nodes};{}", edges.join(","))
        })
        .filter(|text| !text.ends_with(';'))
        .collect();
    with_game!(gb_games::open("regio", "3;0-1").unwrap(), game => ByScore(&graphs).visit(game));
}

struct Places<'a>(&'a str);

impl Places<'_> {
    fn visit<const N: usize>(self, rules: Game<N>) -> usize {
        let at = rules.read(self.0).unwrap();
        let store = Store::new();
        let report = report(&*rules, &at, &store, &GameTables::default());
        let Summand::Position(examined) = &report.summands[0] else { unreachable!() };
        for mv in examined.moves.iter().flatten() {
            let inside = |component: &gb_search::sum::ExaminedComponent| {
                mv.gesture.iter().any(|spot| component.spots.contains(spot))
            };
            let component = mv.component.map(|i| &examined.components[i]);
            assert!(
                component.is_some_and(inside) || !examined.components.iter().any(inside),
                "{} {}: {} is said to be made in {:?}",
                examined.game,
                examined.position,
                mv.label,
                component.map(|component| &component.text)
            );
        }
        examined.components.len()
    }
}

/// Equal parts were told apart by their values only: the tests had no board with two of them.
#[test]
fn moves_are_made_in_the_part_they_point_at() {
    let (mut random, mut parts) = (Random::new(7, 0), 0);
    for (game, letters) in [
        ("amazons", "xo..#"),
        ("blockbusting", "x.o"),
        ("clobber", "xo."),
        ("col", ".#xo"),
        ("cram", "..#"),
        ("domineering", "..#"),
        ("elephants-and-rhinos", "xo.."),
        ("fission", "x..#"),
        ("konane", "xo.#"),
        ("nogo", "xo#."),
        ("peg-duotaire", "x.#"),
        ("regio", "..#"),
        ("snort", ".#xo"),
        ("toads-and-frogs", "tf."),
        ("toppling-dominoes", "xog#"),
    ] {
        let letters: Vec<char> = letters.chars().collect();
        for round in 0..12 {
            let (rows, cols) = if round < 6 { (2, 7) } else { (3, 4) };
            let row = |random: &mut Random| -> String {
                (0..cols).map(|_| letters[random.below(letters.len())]).collect()
            };
            let half = row(&mut random);
            // Equal rows make equal parts.
            let text = (0..rows).map(|_| half.clone()).collect::<Vec<_>>().join("|");
            let text = if round % 2 == 0 {
                text
            } else {
                (0..rows).map(|_| row(&mut random)).collect::<Vec<_>>().join("|")
            };
            parts += with_game!(gb_games::open(game, &text).unwrap(), game => Places(&text).visit(game));
        }
    }
    assert!(parts > 200, "{parts} parts on all boards");
    for (game, text) in [
        ("domineering", "..#..#..|..#..#.."),
        ("clobber", "xo.ox|.....|..x..|..o..|....."),
        ("nim", "3,3,3,2"),
        ("kayles", "3,3,5"),
        ("hackenbush", "BR,BR,BR"),
        ("cutcake", "2x3,2x3"),
        ("regio", "9;0-1,1-2,3-4,4-5,6-7,7-8"),
    ] {
        let parts = with_game!(gb_games::open(game, text).unwrap(), game => Places(text).visit(game));
        assert!(parts > 1, "{game} {text}");
    }
}
