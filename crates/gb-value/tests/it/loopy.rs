//! Games with loops: the published facts, the named games, limits, printing.

use gb_value::loopy::{Builder, Ending, LoopyError, LoopyGame, NAMES, NodeId, Outcome, Sides, Stopper, Work};
use gb_value::text::{Script, Style};
use std::cmp::Ordering;

fn working<T>(f: impl FnOnce(&mut Work) -> Result<T, LoopyError>) -> T {
    f(&mut Work::new(50_000_000, &mut || true)).expect("within the allowance")
}

/// The dyadic number `m / 2^k`.
fn number(b: &mut Builder, m: i64, k: u32) -> NodeId {
    if k == 0 {
        return b.integer(m).unwrap();
    }
    if m % 2 == 0 {
        return number(b, m / 2, k - 1);
    }
    let (l, r) = (number(b, m - 1, k), number(b, m + 1, k));
    b.node(&[l], &[r]).unwrap()
}

fn nimber(b: &mut Builder, n: usize) -> NodeId {
    let mut smaller = Vec::new();
    for _ in 0..=n {
        let next = b.node(&smaller, &smaller).unwrap();
        smaller.push(next);
    }
    smaller[n]
}

fn built(make: impl FnOnce(&mut Builder) -> NodeId) -> LoopyGame {
    let mut b = Builder::new(10_000);
    let root = make(&mut b);
    b.build(root).unwrap()
}

fn sum(games: &[LoopyGame]) -> LoopyGame {
    games[1..].iter().fold(games[0].clone(), |a, g| working(|w| a.plus(g, w)))
}

fn pair(l: &LoopyGame, r: &LoopyGame) -> LoopyGame {
    built(|b| {
        let (l, r) = (b.include(l).unwrap(), b.include(r).unwrap());
        b.node(&[l], &[r]).unwrap()
    })
}

fn integer(n: i64) -> LoopyGame {
    built(|b| b.integer(n).unwrap())
}

fn star(n: usize) -> LoopyGame {
    built(|b| nimber(b, n))
}

fn up() -> LoopyGame {
    pair(&integer(0), &star(1))
}

fn tiny(g: &LoopyGame) -> LoopyGame {
    pair(&integer(0), &pair(&integer(0), &g.negate()))
}

/// {0|b} and b = {a|0}, the two games called cycA and cycB in the facts.
fn cycle(second: bool) -> LoopyGame {
    built(|b| {
        let (x, y, zero) = (b.declare().unwrap(), b.declare().unwrap(), b.node(&[], &[]).unwrap());
        b.set(x, &[zero], &[y]).unwrap();
        b.set(y, &[x], &[zero]).unwrap();
        if second { y } else { x }
    })
}

/// The few expressions that occur in the facts.
fn term(text: &str) -> LoopyGame {
    let text = text.split('=').next().unwrap();
    if let Some(game) = LoopyGame::named(text) {
        return game;
    }
    match text {
        "cycA" => cycle(false),
        "cycB" => cycle(true),
        "{|tis}" => LoopyGame::tisn(),
        "{9|-9}" => pair(&integer(9), &integer(-9)),
        "{1|0}" => pair(&integer(1), &integer(0)),
        "{{on|off}|{on|off}}" => {
            let g = pair(&LoopyGame::on(), &LoopyGame::off());
            pair(&g, &g)
        }
        "{{on|*}|}" => {
            let threat = pair(&LoopyGame::on(), &star(1));
            built(|b| {
                let l = b.include(&threat).unwrap();
                b.node(&[l], &[]).unwrap()
            })
        }
        "^" => up(),
        "v" => up().negate(),
        "^^" => sum(&[up(), up()]),
        "^5*" => sum(&[up(), up(), up(), up(), up(), star(1)]),
        "*" => star(1),
        "*4" => star(4),
        "tiny(1)" => tiny(&integer(1)),
        "tiny(7)" => tiny(&integer(7)),
        _ => match text.split_once('/') {
            Some((m, d)) => {
                let d: u32 = d.parse().unwrap();
                assert!(d.is_power_of_two(), "{text}");
                built(|b| number(b, m.parse().unwrap(), d.trailing_zeros()))
            }
            None => integer(text.parse().unwrap_or_else(|_| panic!("no game for `{text}`"))),
        },
    }
}

fn expression(text: &str) -> LoopyGame {
    let parts: Vec<LoopyGame> = text
        .split('+')
        .map(|p| {
            term(p.trim_start_matches('(').trim_end_matches(if p.starts_with('(') { ")" } else { "\0" }))
        })
        .collect();
    sum(&parts)
}

fn outcome_text(outcome: Outcome) -> String {
    let word = |e| match e {
        Ending::Win => "win",
        Ending::Draw => "draw",
        Ending::Loss => "loss",
    };
    format!("{},{}", word(outcome.left_starts), word(outcome.right_starts))
}

fn sides(g: &LoopyGame) -> Sides {
    working(|w| g.sides(w))
}

fn canonical(g: &LoopyGame) -> Stopper {
    working(|w| g.canonical(w))
}

#[test]
fn published_facts() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/facts/values/loopy.tsv");
    let file = std::fs::read_to_string(path).expect("the fact file");
    let mut rows = 0;
    for line in file.lines().skip(1) {
        let cell: Vec<&str> = line.split('\t').collect();
        let (lhs, rel, rhs) = (cell[0], cell[1], cell[2]);
        rows += 1;
        if let Some((game, _)) = lhs.split_once(" outcome") {
            let outcome = expression(game).outcome();
            assert_eq!(outcome_text(outcome), rhs, "{line}");
        } else if let Some(game) = lhs.strip_prefix("onside(") {
            let found = sides(&expression(game.trim_end_matches(')')));
            assert_eq!(*found.onside(), canonical(&expression(rhs)), "{line}");
        } else if let Some(game) = lhs.strip_prefix("offside(") {
            let found = sides(&expression(game.trim_end_matches(')')));
            assert_eq!(*found.offside(), canonical(&expression(rhs)), "{line}");
        } else if rel == ":=" {
            // The definitions of named games, as text.
            let defined = match lhs {
                "over" => pair(&integer(0), &LoopyGame::over()),
                "hi" => pair(&LoopyGame::on(), &integer(0)),
                "tiny(on)" => tiny(&LoopyGame::on()),
                "tis" => LoopyGame::tis(),
                "tisn" => LoopyGame::tisn(),
                "cycB" => pair(&cycle(false), &integer(0)),
                _ => panic!("no definition for {line}"),
            };
            assert_eq!(sides(&term(lhs)), sides(&defined), "{line}");
        } else {
            let (g, h) = (sides(&expression(lhs)), sides(&expression(rhs)));
            let found = working(|w| g.compare(&h, w));
            let expected = match rel {
                "<" => Some(Ordering::Less),
                ">" => Some(Ordering::Greater),
                "=" => Some(Ordering::Equal),
                "||" => None,
                _ => panic!("what is {rel}?"),
            };
            assert_eq!(found, expected, "{line}");
            assert_eq!(rel == "=", g == h, "{line}");
        }
    }
    assert!(rows > 50, "only {rows} rows");
}

fn text(g: &LoopyGame) -> String {
    sides(g).show(&|_, _| None, &Style::default()).text
}

#[test]
fn named_games() {
    for &name in NAMES {
        assert!(LoopyGame::named(name).is_some(), "{name}");
    }
    assert!(LoopyGame::named("ono").is_none());
    for name in ["on", "off", "over", "under", "upon", "upon*", "dud"] {
        assert_eq!(text(&LoopyGame::named(name).unwrap()), name);
    }
    assert_eq!(text(&LoopyGame::upon().negate()), "-upon");
    assert_eq!(text(&LoopyGame::hi()), "{on|0}");
    assert_eq!(text(&LoopyGame::lo()), "{0|off}");
    assert_eq!(text(&LoopyGame::tiny_on()), "{0|{0|off}}");
    assert_eq!(text(&LoopyGame::tis()), "{0|} & 0");
    assert_eq!(text(&LoopyGame::tisn()), "0 & {|0}");
    assert_eq!(text(&sum(&[LoopyGame::upon(), star(1)])), "upon*");
    assert_eq!(text(&sum(&[LoopyGame::over(), LoopyGame::under()])), "over & under");
    assert_eq!(text(&sum(&[LoopyGame::on(), LoopyGame::off()])), "dud");
    // tis + tisn = (1 & 0) + (0 & -1) = 1 & -1.
    assert_eq!(text(&sum(&[LoopyGame::tis(), LoopyGame::tisn()])), "{0|} & {|0}");
    let added = working(|w| sides(&LoopyGame::tis()).plus(&sides(&LoopyGame::tisn()), w));
    assert_eq!(added, sides(&sum(&[LoopyGame::tis(), LoopyGame::tisn()])));
    let negated = working(|w| sides(&LoopyGame::tis()).negate(w));
    assert_eq!(negated, sides(&LoopyGame::tisn()));
}

#[test]
fn degrees_of_loopiness() {
    let degree = |g: &LoopyGame| working(|w| canonical(g).degree(w));
    let zero = canonical(&integer(0));
    assert_eq!(degree(&LoopyGame::on()), canonical(&LoopyGame::on()));
    assert_eq!(degree(&LoopyGame::off()), canonical(&LoopyGame::on()));
    assert_eq!(degree(&LoopyGame::over()), canonical(&LoopyGame::over()));
    assert_eq!(degree(&LoopyGame::under()), canonical(&LoopyGame::over()));
    for short in [integer(3), star(2), up(), tiny(&integer(1))] {
        assert_eq!(degree(&short), zero);
    }
    // A degree is the degree of itself, and not below 0.
    let upon = degree(&LoopyGame::upon());
    assert_eq!(working(|w| upon.degree(w)), upon);
    assert_eq!(working(|w| upon.game().compare(&integer(0), w)), Some(Ordering::Greater));
}

/// a{0||||0|||a|*||*}, whose loop of four moves is in simplest form (Siegel, Figure VI.3.2).
fn four_cycle() -> LoopyGame {
    built(|b| {
        let a = b.declare().unwrap();
        let (zero, star) = (b.integer(0).unwrap(), nimber(b, 1));
        let x = b.node(&[a], &[star]).unwrap();
        let x = b.node(&[x], &[star]).unwrap();
        let x = b.node(&[zero], &[x]).unwrap();
        b.set(a, &[zero], &[x]).unwrap();
        a
    })
}

#[test]
fn a_loop_of_four_moves_is_irreducible() {
    let g = four_cycle();
    assert!(g.is_stopper() && g.has_loops());
    assert_eq!(canonical(&g).node_count(), g.node_count());
    assert_eq!(text(&g), "a{0|{0|{{a|*}|*}}}");
}

/// Bach's Carousel, a{0,{1|1,{*,{1*|1*,a}|*}}|0}: its sides are no stoppers.
#[test]
fn the_carousel_has_no_stoppers_for_sides() {
    let one_star = sum(&[integer(1), star(1)]);
    let g = built(|b| {
        let a = b.declare().unwrap();
        let (zero, one, star) = (b.integer(0).unwrap(), b.integer(1).unwrap(), nimber(b, 1));
        let one_star = b.include(&one_star).unwrap();
        let x = b.node(&[one_star], &[one_star, a]).unwrap();
        let x = b.node(&[star, x], &[star]).unwrap();
        let x = b.node(&[one], &[one, x]).unwrap();
        b.set(a, &[zero, x], &[zero]).unwrap();
        a
    });
    let error = g.sides(&mut Work::new(5_000_000, &mut || true)).unwrap_err();
    assert!(matches!(error, LoopyError::NoSides { .. }), "{error}");
}

/// Sidling alone would come down 0, -1, -2, ... or 1, 1/2, 1/4, ... for ever.
#[test]
fn sides_that_guessing_only_approaches() {
    let g = built(|b| {
        let [x, y, z] = [(); 3].map(|_| b.declare().unwrap());
        b.set(x, &[x], &[y, x]).unwrap();
        b.set(y, &[y], &[z, x]).unwrap();
        b.set(z, &[], &[x]).unwrap();
        x
    });
    assert!(!g.is_stopper());
    assert_eq!(text(&g), "off");
    let g = built(|b| {
        let [x, y, z] = [(); 3].map(|_| b.declare().unwrap());
        b.set(x, &[z], &[y]).unwrap();
        b.set(y, &[y], &[x, y]).unwrap();
        b.set(z, &[], &[y]).unwrap();
        x
    });
    assert_eq!(text(&g), "over & off");
}

#[test]
fn limits_and_mistakes_are_errors() {
    let mut b = Builder::new(100);
    assert_eq!(b.integer(i64::MIN).unwrap_err(), LoopyError::TooLarge { limit: 100, unit: "nodes" });
    assert_eq!(b.integer(100).unwrap_err(), LoopyError::TooLarge { limit: 100, unit: "nodes" });
    let mut b = Builder::new(100);
    let a = b.declare().unwrap();
    assert_eq!(b.build(a).unwrap_err(), LoopyError::Undefined { node: 0 });
    b.set(a, &[a], &[]).unwrap();
    assert_eq!(b.set(a, &[], &[]).unwrap_err(), LoopyError::AlreadySet { node: 0 });
    let other = Builder::new(9).build(a).unwrap_err();
    assert_eq!(other, LoopyError::NoSuchNode { node: 0 });
    let (dud, on) = (LoopyGame::dud(), LoopyGame::on());
    let big = integer(5000);
    let mut yes = || true;
    let mut work = Work::new(10_000, &mut yes);
    assert_eq!(dud.canonical(&mut work).unwrap_err(), LoopyError::NotStopper);
    assert_eq!(on.ge(&dud, &mut work).unwrap_err(), LoopyError::NotStopper);
    let error = big.plus(&big.negate(), &mut work).unwrap_err();
    assert_eq!(error, LoopyError::TooLarge { limit: 10_000, unit: "steps" });
    let mut calls = 0;
    let mut thrice = || {
        calls += 1;
        calls < 3
    };
    assert_eq!(big.plus(&big, &mut Work::new(1 << 30, &mut thrice)).unwrap_err(), LoopyError::Cancelled);
}

/// Chains are what large integers look like here: no deep recursion, no quadratic work where one is enough.
#[test]
fn long_chains() {
    let big = built(|b| b.integer(9_000).unwrap());
    let mut yes = || true;
    let mut work = Work::new(2_000_000, &mut yes);
    assert_eq!(big.canonical(&mut work).unwrap().node_count(), 9_001);
    assert!(LoopyGame::on().ge(&big, &mut work).unwrap());
    assert!(!big.ge(&LoopyGame::on(), &mut work).unwrap());
    assert_eq!(big.compare(&integer(8_999), &mut work).unwrap(), Some(Ordering::Greater));
    let upto = |max_len| Style { max_len, ..Style::default() };
    let cut = big.show(&|_, _| None, &upto(1_000));
    assert!(cut.cut && cut.text.len() == 1_000 && cut.text.ends_with("{..."), "{cut}");
    let whole = big.show(&|_, _| None, &upto(100_000));
    assert!(!whole.cut && whole.text.starts_with("{{{{"));
    assert_eq!(big.show(&|_, _| Some("9000".to_string()), &upto(4)).text, "9000");
}

#[test]
fn letters_are_given_in_order_and_only_where_needed() {
    let g = built(|b| {
        let (x, y, one) = (b.declare().unwrap(), b.declare().unwrap(), b.integer(1).unwrap());
        let z = b.node(&[x], &[y]).unwrap();
        b.set(y, &[z], &[one]).unwrap();
        b.set(x, &[y, one], &[]).unwrap();
        x
    });
    let short = |_: &LoopyGame, _: NodeId| Some("short".to_string());
    assert_eq!(g.show(&short, &Style::default()).text, "a{short,b{{a|b}|short}|}");
    let latex = Style { script: Script::Latex, ..Style::default() };
    assert_eq!(g.show(&short, &latex).text, "a\\{short,b\\{\\{a|b\\}|short\\}|\\}");
}
