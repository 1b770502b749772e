//! Misère play against plain minimax over the moves of the game itself, and against what is known of Nim and Kayles.

use std::collections::HashMap;
use std::ops::ControlFlow;

use gb_rules::conformance::{boards_below, boards_of_letters};
use gb_rules::{DynGame, Key, NameError, Player, with_game};
use gb_search::sum::Moves;
use gb_search::{AnySolved, SearchContext};
use gb_value::loopy::Ending;
use gb_value::{Budget, Halt, Store};

/// Games that are not decided by who cannot move.
const OTHERS: &[&str] = &["blockbusting", "chess", "fox-and-geese", "pawns", "regio"];

/// Positions of games whose boards are no letters, small enough for minimax, which knows no order of heaps.
const SMALL: &[(&str, &str)] = &[
    ("cutcake", "2x3,1x2"),
    ("dawsons-kayles", "8"),
    ("hackenbush", "BRG,RB"),
    ("kayles", "7"),
    ("maundy-cake", "4x3,2x2"),
    ("nim", "2,3,2"),
    ("octal", "6"),
    ("subtraction", "6,5"),
];

/// So many boards of a size are gone through.
const MOST_BOARDS: usize = 260;

/// Who wins in misère play, by the moves of normal play.
struct Minimax<'g, const N: usize> {
    game: &'g dyn DynGame<N>,
    known: HashMap<(Key<N>, Player), bool>,
}

impl<const N: usize> Minimax<'_, N> {
    /// Whether `who` wins by moving first.
    fn wins(&mut self, at: Key<N>, who: Player) -> bool {
        if let Some(&known) = self.known.get(&(at, who)) {
            return known;
        }
        let mut nexts = vec![];
        let _ = self.game.options(&at, who, &mut |next, _| {
            nexts.push(next);
            ControlFlow::Continue(())
        });
        let wins = nexts.is_empty() || nexts.into_iter().any(|next| !self.wins(next, who.opponent()));
        self.known.insert((at, who), wins);
        wins
    }

    fn ending(&mut self, at: Key<N>, first: Player) -> Ending {
        Ending::won_by(if self.wins(at, first) { first } else { first.opponent() })
    }
}

/// Compares the boards of a game with its misère variant, and says how many there were. Of a few of them also every move.
fn agree<const N: usize>(game: &dyn DynGame<N>, boards: &[Key<N>], solved: &AnySolved) -> usize {
    let mut minimax = Minimax { game, known: HashMap::new() };
    // Small tables are made sooner; but other tests of this process are counted as well.
    let (store, budget) = (Store::new(), Budget::unlimited().with_bytes(256 << 20));
    let context = SearchContext::new(&store, &budget);
    let name = solved.game().info().name;
    for (index, &board) in boards.iter().enumerate() {
        let text = game.show(&board);
        let at = *solved.game().read(&text).unwrap().key();
        let expected = Player::BOTH.map(|first| minimax.ending(board, first));
        let found = solved.winners(&at, &context);
        assert_eq!([found.left_first, found.right_first].map(Result::unwrap), expected, "{name} {text}");
        if index % 17 == 0 {
            let examined = solved.examine(&at, Moves::Valued, &context, &|_, _, _| {});
            assert_eq!(examined.misere.unwrap().outcome(), found.outcome(), "{name} {text}");
            for who in Player::BOTH {
                let mut nexts = vec![];
                let _ = game.options(&board, who, &mut |next, _| {
                    nexts.push(next);
                    ControlFlow::Continue(())
                });
                let moves = &examined.moves[who as usize];
                if nexts.is_empty() {
                    let stuck: Vec<_> = moves.iter().map(|mv| (mv.label.as_str(), mv.ending)).collect();
                    assert_eq!(stuck, [("stuck", Some(Ok(Ending::won_by(who))))], "{name} {text}");
                    continue;
                }
                let expected: Vec<_> =
                    nexts.into_iter().map(|next| Some(Ok(minimax.ending(next, who.opponent())))).collect();
                let endings: Vec<_> = moves.iter().map(|mv| mv.ending).collect();
                assert_eq!(endings, expected, "{name} {text}: moves of {who}");
            }
        }
    }
    boards.len()
}

fn compare(name: &str, sample: &str, letters: Option<(usize, usize)>) -> usize {
    let solved = AnySolved::from(gb_games::open(&format!("misere({name})"), sample).unwrap());
    with_game!(gb_games::open(name, sample).unwrap(), game => {
        let boards = match letters {
            Some((rows, cols)) => boards_of_letters(&*game, rows, cols),
            None => boards_below(&*game, &[game.read(sample).unwrap()], MOST_BOARDS),
        };
        agree(&*game, &boards, &solved)
    })
}

#[test]
fn every_game_of_the_list_against_minimax() {
    for name in gb_games::NAMES {
        if OTHERS.contains(name) {
            let refused = gb_games::open(&format!("misere({name})"), "1").unwrap_err();
            assert!(matches!(refused, NameError::Misere { .. }), "{refused}");
            continue;
        }
        let info = gb_games::info(name).unwrap();
        let letters = info.alphabet.iter().filter(|(_, meaning)| !meaning.starts_with('(')).count();
        let mut compared = 0;
        for (_, position) in SMALL.iter().filter(|(game, _)| game == name) {
            let name = &info.name;
            compared += compare(name, position, None);
            compared += compare(&format!("impartial({name})"), position, None);
        }
        for (rows, cols) in [(1, 4), (1, 5), (2, 2), (2, 3), (3, 2)] {
            let count = letters.checked_pow((rows * cols) as u32).filter(|count| *count <= MOST_BOARDS);
            if letters > 0 && count.is_some() {
                let size = format!("{rows}x{cols}");
                compared += compare(name, &size, Some((rows, cols)));
                compared += compare(&format!("impartial({name})"), &size, Some((rows, cols)));
            }
        }
        assert!(compared > 10, "{name}: {compared}");
    }
    // Graphs, larger boards than all boards of a size can be, and words of other widths.
    for (name, sample) in [
        ("col", "5;0-1,1-2,2-3,3-4,4-0"),
        ("snort", "5;0-1,1-2,2-3,3-4,4-0"),
        ("clobber", "xoxo|oxox"),
        ("domineering", "....|.#..|...."),
        ("konane", "x.xo.x|oo.o.."),
        ("amazons", "x..|..o"),
        ("hackenbush", "0-1B,1-2R,0-3G,3-4B"),
        ("negative(domineering)", "...|..."),
        ("clobber", &format!("{}xoxo", ".".repeat(80))),
    ] {
        assert!(compare(name, sample, None) > 2, "{name} {sample}");
    }
}

fn is_lost(game: &str, position: &str) -> bool {
    let solved = AnySolved::from(gb_games::open(game, position).unwrap());
    let at = solved.game().read(position).unwrap();
    let (store, budget) = (Store::new(), Budget::unlimited().with_bytes(200 << 20));
    let found = solved.winners(at.key(), &SearchContext::new(&store, &budget));
    let [left, right] = [found.left_first, found.right_first].map(Result::unwrap);
    assert_ne!(left, right, "an impartial game");
    left == Ending::Loss
}

/// Bouton, Nim, a game with a complete mathematical theory, Annals of Mathematics 3 (1901): play as in normal play until all heaps but one
/// have one token, and then leave an odd number of heaps.
#[test]
fn nim_is_boutons() {
    for a in 0..6u32 {
        for b in a..6 {
            for c in b..6 {
                let heaps = [a, b, c];
                let lost = if c > 1 { a ^ b ^ c == 0 } else { (a + b + c) % 2 == 1 };
                let text = heaps.map(|heap| heap.to_string()).join(",");
                assert_eq!(is_lost("misere(nim)", &text), lost, "{text}");
            }
        }
    }
    // Heaps that fill the words of a key.
    assert!(is_lost("misere(nim)", "1,1,1,1,1,1,1") && !is_lost("misere(nim)", "1,0,0,0,0,0,40000"));
}

/// The rows that who begins loses in misère Kayles: Sibert and Conway, Mathematical Kayles, International Journal of Game Theory 20
/// (1992). Of 1, 4, 9, 12 and 20, which are all there are, those that are soon searched; a row of 20 as a long run.
#[test]
fn kayles_is_siberts_and_conways() {
    let most = if std::env::var_os("GB_LONG_TESTS").is_some() { 21 } else { 12 };
    let lost: Vec<u32> = (1..=most).filter(|n| is_lost("misere(kayles)", &n.to_string())).collect();
    assert_eq!(lost, [1, 4, 9, 12, 20].into_iter().filter(|n| *n <= most).collect::<Vec<u32>>());
}

#[test]
fn there_are_no_values() {
    let solved = AnySolved::from(gb_games::open("misere(clobber)", "xox").unwrap());
    let at = solved.game().read("xox").unwrap();
    let (store, budget) = (Store::new(), Budget::unlimited());
    let context = SearchContext::new(&store, &budget);
    assert_eq!(solved.value(at.key(), &context), Err(Halt::Misere));
    assert!(solved.thermograph(at.key(), &context).is_err());
    let mut examined = solved.examine(at.key(), Moves::Valued, &context, &|_, _, _| {});
    solved.bound(&mut examined, &context);
    assert!(examined.components.iter().all(|part| part.value.is_err() && part.bounds == (None, None)));
    assert!(solved.game().read("xox (over)").unwrap().options(Player::Left).is_empty());
}
