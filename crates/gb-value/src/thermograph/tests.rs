use std::collections::HashMap;

use num_traits::One;
use proptest::prelude::*;

use super::*;

/// A game tree in any form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Tree {
    Number(Dyadic),
    Options(Vec<Tree>, Vec<Tree>),
    /// `number + ups . ^ + *nimber`
    UpStar(Dyadic, i64, u32),
}

impl Tree {
    /// The options, with numbers in canonical form; `None` for integers.
    fn options(&self) -> Option<(Vec<Tree>, Vec<Tree>)> {
        match self {
            Tree::Number(x) if x.is_integer() => None,
            Tree::Number(x) => {
                let step = tick(x.exponent());
                Some((vec![Tree::Number(x - &step)], vec![Tree::Number(x + &step)]))
            }
            Tree::Options(lefts, rights) => Some((lefts.clone(), rights.clone())),
            Tree::UpStar(x, 0, 0) => Tree::Number(x.clone()).options(),
            Tree::UpStar(x, ups, star) => {
                let to = |ups, star| Tree::UpStar(x.clone(), ups, star);
                let nims: Vec<Tree> = (0..*star).map(|m| to(*ups, m)).collect();
                let (mut lefts, mut rights) = (nims.clone(), nims);
                match ups.signum() {
                    1 => {
                        lefts.push(to(ups - 1, *star));
                        rights.push(to(ups - 1, star ^ 1));
                    }
                    -1 => {
                        lefts.push(to(ups + 1, star ^ 1));
                        rights.push(to(ups + 1, *star));
                    }
                    _ => {}
                }
                Some((lefts, rights))
            }
        }
    }

    fn thermograph(&self, memo: &mut HashMap<Tree, Thermograph>) -> Thermograph {
        if let Some(known) = memo.get(self) {
            return known.clone();
        }
        let thermograph = match self {
            Tree::Number(x) | Tree::UpStar(x, 0, 0) => Thermograph::of_number(x),
            _ => {
                let (lefts, rights) = self.options().unwrap();
                let lefts: Vec<_> = lefts.iter().map(|g| g.thermograph(memo)).collect();
                let rights: Vec<_> = rights.iter().map(|g| g.thermograph(memo)).collect();
                Thermograph::of_options(&lefts, &rights)
            }
        };
        memo.insert(self.clone(), thermograph.clone());
        thermograph
    }
}

/// Walls sampled at every multiple of 1/2^GRID from -1 to TOP, straight from the definition, in units of 1/2^GRID.
struct Samples {
    left: Vec<i64>,
    right: Vec<i64>,
    temperature: i64,
}

const GRID: u32 = 7;
const ONE: i64 = 1 << GRID;
const TOP: i64 = 10;

fn sample(tree: &Tree) -> Samples {
    let times = || -ONE..=TOP * ONE;
    let Some((lefts, rights)) = tree.options() else {
        let Tree::Number(n) = tree else { unreachable!() };
        let wall: Vec<i64> = times().map(|_| n.to_i64().unwrap() * ONE).collect();
        return Samples { left: wall.clone(), right: wall, temperature: -ONE };
    };
    let lefts: Vec<Samples> = lefts.iter().map(sample).collect();
    let rights: Vec<Samples> = rights.iter().map(sample).collect();
    let left: Option<Vec<i64>> = (!lefts.is_empty()).then(|| {
        times().enumerate().map(|(i, t)| lefts.iter().map(|g| g.right[i]).max().unwrap() - t).collect()
    });
    let right: Option<Vec<i64>> = (!rights.is_empty()).then(|| {
        times().enumerate().map(|(i, t)| rights.iter().map(|g| g.left[i]).min().unwrap() + t).collect()
    });
    let (lo, hi) = (left.as_ref().map(|w| w[0]), right.as_ref().map(|w| w[0]));
    if lo.is_none() || hi.is_none() || lo < hi {
        // The integer of least absolute value between the scaffolds at -1.
        let n = 0.max(lo.unwrap_or(0)).min(hi.unwrap_or(i64::MAX)).max(lo.unwrap_or(i64::MIN));
        assert_eq!(n % ONE, 0, "walls at -1 are integers");
        let wall: Vec<i64> = times().map(|_| n).collect();
        return Samples { left: wall.clone(), right: wall, temperature: -ONE };
    }
    let (mut left, mut right) = (left.unwrap(), right.unwrap());
    let meet = (0..left.len()).find(|&i| left[i] <= right[i]).expect("they meet below TOP");
    assert_eq!(left[meet], right[meet], "the grid is too coarse");
    let mean = left[meet];
    left[meet..].fill(mean);
    right[meet..].fill(mean);
    Samples { left, right, temperature: meet as i64 - ONE }
}

fn check_against_samples(tree: &Tree) {
    let samples = sample(tree);
    let thermograph = tree.thermograph(&mut HashMap::new());
    assert_eq!(thermograph.temperature(), Dyadic::new(samples.temperature, GRID), "temperature of {tree:?}");
    let (left, right) = (thermograph.left_wall(), thermograph.right_wall());
    for (i, t) in (-ONE..=TOP * ONE).enumerate() {
        let at = Dyadic::new(t, GRID);
        assert_eq!(left.at(&at), Dyadic::new(samples.left[i], GRID), "left wall at {at} of {tree:?}");
        assert_eq!(right.at(&at), Dyadic::new(samples.right[i], GRID), "right wall at {at} of {tree:?}");
        if t % 16 == 0 {
            assert_eq!(thermograph.left_at(&at), left.at(&at));
            assert_eq!(thermograph.right_at(&at), right.at(&at));
        }
    }
    for wall in [left, right] {
        let slope = |pair: &[Corner]| (&pair[1].value - &pair[0].value).signum();
        let slopes: Vec<i32> = wall.corners().windows(2).map(slope).collect();
        assert!(slopes.windows(2).all(|pair| pair[0] != pair[1]), "a corner that is none in {wall}");
        assert!(slopes.last().is_none_or(|&last| last != 0), "a corner that is none in {wall}");
    }
}

fn trees(depth: u32, whole: bool) -> BoxedStrategy<Tree> {
    let number = (-8i64..=8, if whole { 0..1u32 } else { 0..3u32 })
        .prop_map(|(num, exp)| Tree::Number(Dyadic::new(num, exp)))
        .boxed();
    if depth == 0 {
        return number;
    }
    let inner = prop_oneof![1 => number, 2 => trees(depth - 1, whole)].boxed();
    let some = || prop::collection::vec(inner.clone(), 1..=2);
    let any = || prop::collection::vec(inner.clone(), 0..=2);
    prop_oneof![6 => (some(), some()), 1 => (any(), any())]
        .prop_map(|(lefts, rights)| Tree::Options(lefts, rights))
        .boxed()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn walls_equal_the_definition_at_every_temperature(tree in trees(3, false)) {
        check_against_samples(&tree);
    }

    #[test]
    fn walls_of_deep_trees_equal_the_definition(tree in trees(5, true)) {
        check_against_samples(&tree);
    }

    #[test]
    fn translating_equals_translating_the_leaves(tree in trees(4, false), num in -20i64..20, exp in 0u32..5) {
        let x = Dyadic::new(num, exp);
        let memo = &mut HashMap::new();
        let thermograph = tree.thermograph(memo);
        // By the number translation theorem the options move along, unless the game is a number.
        fn plus(tree: &Tree, x: &Dyadic, memo: &mut HashMap<Tree, Thermograph>) -> Tree {
            let thermograph = tree.thermograph(memo);
            match tree {
                Tree::Options(lefts, rights) if !thermograph.is_number() => Tree::Options(
                    lefts.iter().map(|g| plus(g, x, memo)).collect(),
                    rights.iter().map(|g| plus(g, x, memo)).collect(),
                ),
                _ => Tree::Number(thermograph.mean() + x),
            }
        }
        let moved = plus(&tree, &x, memo).thermograph(memo);
        prop_assert_eq!(thermograph.translate(&x), moved);
    }

    #[test]
    fn negating_swaps_the_players(tree in trees(4, false)) {
        fn negative(tree: &Tree) -> Tree {
            match tree {
                Tree::Number(x) => Tree::Number(-x),
                Tree::UpStar(x, ups, star) => Tree::UpStar(-x, -ups, *star),
                Tree::Options(lefts, rights) => Tree::Options(
                    rights.iter().map(negative).collect(),
                    lefts.iter().map(negative).collect(),
                ),
            }
        }
        let memo = &mut HashMap::new();
        prop_assert_eq!(tree.thermograph(memo).negate(), negative(&tree).thermograph(memo));
    }
}

#[test]
fn numbers_have_the_walls_of_their_canonical_forms() {
    for exp in 0..=6 {
        for num in -130..=130 {
            check_against_samples(&Tree::Number(Dyadic::new(num, exp)));
        }
    }
}

#[test]
fn huge_and_fine_numbers_stay_exact() {
    let memo = &mut HashMap::new();
    let fine = Dyadic::ONE.checked_shift(-5000).unwrap();
    let number = Thermograph::of_number(&fine);
    assert_eq!(number.temperature(), -&fine);
    assert_eq!(number.right_wall().to_string().split(' ').count(), 3);
    assert_eq!(number.left_at(&Dyadic::new(-1, 1)), Dyadic::new(1, 1));
    let huge = Dyadic::from(BigInt::one() << 200u32);
    let hot =
        Tree::Options(vec![Tree::Number(huge.clone())], vec![Tree::Number(fine.clone())]).thermograph(memo);
    assert_eq!(*hot.mean(), (&huge + &fine).half());
    assert_eq!(hot.temperature(), (&huge - &fine).half());
    assert_eq!((hot.left_stop(), hot.right_stop()), (huge, fine));
}

#[test]
fn walls_of_the_fact_files() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/facts/values/thermographs.tsv");
    let facts = std::fs::read_to_string(path).unwrap();
    let memo = &mut HashMap::new();
    let mut checked = 0;
    for line in facts.lines().skip(1) {
        let [text, mean, temperature, left, right] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("five columns expected: {line}");
        };
        let thermograph = parse(text).thermograph(memo);
        assert_eq!(thermograph.mean().to_string(), mean, "mean of {text}");
        assert_eq!(thermograph.temperature().to_string(), temperature, "temperature of {text}");
        assert_eq!(thermograph.left_wall().to_string(), left, "left wall of {text}");
        assert_eq!(thermograph.right_wall().to_string(), right, "right wall of {text}");
        checked += 1;
    }
    assert!(checked > 100);
}

/// Reads the notation of the fact files.
fn parse(text: &str) -> Tree {
    let (tree, rest) = parse_value(text);
    assert_eq!(rest, "", "unread text in {text}");
    tree
}

fn parse_value(text: &str) -> (Tree, &str) {
    if let Some(mut rest) = text.strip_prefix('{') {
        let mut sides = [Vec::new(), Vec::new()];
        for (side, close) in sides.iter_mut().zip(['|', '}']) {
            while !rest.starts_with(close) {
                let (tree, after) = parse_value(rest.trim_start_matches(','));
                side.push(tree);
                rest = after;
            }
            rest = &rest[1..];
        }
        let [lefts, rights] = sides;
        return (Tree::Options(lefts, rights), rest);
    }
    let take =
        |text: &'_ str, accept: &str| text.len() - text.trim_start_matches(|c| accept.contains(c)).len();
    let end = take(text, "-/0123456789");
    let (number, mut rest) = text.split_at(end);
    let number: Dyadic = if number.is_empty() { Dyadic::ZERO } else { number.parse().unwrap() };
    let mut ups = 0;
    if let Some(arrow @ ('^' | 'v')) = rest.chars().next() {
        let count = take(rest, "^v");
        rest = &rest[count..];
        let digits = take(rest, "0123456789");
        ups = if digits > 0 { rest[..digits].parse().unwrap() } else { count as i64 };
        rest = &rest[digits..];
        ups *= if arrow == 'v' { -1 } else { 1 };
    }
    let mut star = 0;
    if let Some(after) = rest.strip_prefix('*') {
        let digits = take(after, "0123456789");
        star = if digits > 0 { after[..digits].parse().unwrap() } else { 1 };
        rest = &after[digits..];
    }
    (Tree::UpStar(number, ups, star), rest)
}
