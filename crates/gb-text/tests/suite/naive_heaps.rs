//! Heaps and graphs by the description of the language and nothing else, as `naive.rs` does it for grids.

use std::collections::BTreeSet;

use gb_board::Random;
use gb_rules::{Player, Variant, with_game};
use gb_text::TextGame;
use gb_text::tree::{
    Action, BoardKind, Comparison, Expression, GameText, HeapAction, HeapRule, Legal, LetterSet, Operation,
    Per, Range, Relation, Rewrite,
};

use crate::plain::options;
use crate::{gallery, long};

type Heap = Vec<i64>;

fn number(expression: &Expression, known: &[i64]) -> Option<i64> {
    match expression {
        Expression::Number(number) => Some(*number),
        Expression::Variable(index) => known.get(*index).copied(),
        Expression::Of(parts) => {
            let (one, other) = (number(&parts.0, known)?, number(&parts.2, known)?);
            Some(match parts.1 {
                Operation::Plus => one + other,
                Operation::Minus => one - other,
                Operation::Times => one * other,
                Operation::Over if other == 0 => return None,
                Operation::Over => (one as f64 / other as f64).floor() as i64,
                Operation::Mod if other <= 0 => return None,
                Operation::Mod => ((one % other) + other) % other,
                Operation::Min => one.min(other),
                Operation::Max => one.max(other),
            })
        }
    }
}

fn holds(Comparison(one, relation, other): &Comparison, known: &[i64]) -> bool {
    let (Some(one), Some(other)) = (number(one, known), number(other, known)) else { return false };
    match relation {
        Relation::Equal => one == other,
        Relation::Unequal => one != other,
        Relation::Less => one < other,
        Relation::AtMost => one <= other,
        Relation::Divides => one != 0 && other % one == 0,
    }
}

/// All ways to do something to a heap: the heaps that are left.
fn left_by(rule: &HeapRule, known: &mut Vec<i64>, chosen: usize) -> Vec<Vec<Heap>> {
    let Some(range) = rule.choices.get(chosen) else {
        if !rule.conditions.iter().all(|condition| holds(condition, known)) {
            return vec![];
        }
        let mut left = vec![];
        for (times, numbers) in &rule.heaps {
            let heap: Option<Heap> = numbers.iter().map(|expression| number(expression, known)).collect();
            let (Some(heap), Some(times)) = (heap, number(times, known)) else { return vec![] };
            if times < 0 || heap.iter().any(|n| !(0..=65_535).contains(n)) {
                return vec![];
            }
            left.extend((0..times).map(|_| heap.clone()));
        }
        return vec![left];
    };
    let numbers: Vec<i64> = match range {
        Range::OneOf(list) => list.clone(),
        Range::Between(low, high) => match (number(low, known), number(high, known)) {
            (Some(low), Some(high)) => (low.max(0)..=high).collect(),
            _ => vec![],
        },
    };
    let mut all = vec![];
    for number in numbers.into_iter().filter(|number| *number >= 0) {
        known.push(number);
        all.extend(left_by(rule, known, chosen + 1));
        known.pop();
    }
    all
}

fn heaps_after(text: &GameText, heap: &Heap, who: Player) -> Vec<Vec<Heap>> {
    let mut all = vec![];
    for rule in text.moves.iter().filter(|rule| rule.who.is_none_or(|owner| owner == who)) {
        match &rule.action {
            Action::Heap(HeapAction::Becomes(rule)) => all.extend(left_by(rule, &mut heap.clone(), 0)),
            Action::Heap(HeapAction::Code(digits)) => {
                for (take, digit) in digits.iter().enumerate() {
                    let rest = heap[0] - take as i64;
                    if rest < 0 {
                        continue;
                    }
                    if (digit & 1 != 0 && rest == 0) || (digit & 2 != 0 && rest > 0) {
                        all.push(vec![vec![rest]]);
                    }
                    if digit & 4 != 0 {
                        all.extend((1..rest).map(|one| vec![vec![one], vec![rest - one]]));
                    }
                }
            }
            _ => panic!("a game of heaps"),
        }
    }
    all
}

/// A position without the order of its heaps, and without those of nothing.
fn in_order(mut heaps: Vec<Heap>) -> Vec<Heap> {
    heaps.retain(|heap| heap.iter().any(|number| *number != 0));
    heaps.sort();
    heaps
}

fn read(text: &str) -> Vec<Heap> {
    text.split(',').map(|heap| heap.split('x').map(|number| number.parse().unwrap()).collect()).collect()
}

fn compare_heaps(game: &TextGame, source: &str, positions: usize, random: &mut Random) -> usize {
    let BoardKind::Heap(numbers) = game.tree().board else { panic!("a game of heaps") };
    let open = game.open(Variant::Plain, "1");
    let mut count = 0;
    for _ in 0..positions {
        let heaps: Vec<Heap> = (0..1 + random.below(3))
            .map(|_| (0..numbers).map(|_| random.below(if numbers > 1 { 8 } else { 14 }) as i64).collect())
            .collect();
        let show = |heap: &Heap| heap.iter().map(i64::to_string).collect::<Vec<_>>().join("x");
        let position = heaps.iter().map(show).collect::<Vec<_>>().join(",");
        for who in Player::BOTH {
            let mut expected = BTreeSet::new();
            for (index, heap) in heaps.iter().enumerate() {
                for left in heaps_after(game.tree(), heap, who) {
                    let others =
                        heaps.iter().enumerate().filter(|(i, _)| *i != index).map(|(_, h)| h.clone());
                    expected.insert(in_order(others.chain(left).collect()));
                }
            }
            let found: BTreeSet<Vec<Heap>> = with_game!(&open, open => {
                let at = open.read(&position).unwrap_or_else(|error| panic!("{position}: {error} in\n{source}"));
                options(&**open, &at, who).into_iter().map(|(text, _)| in_order(read(&text))).collect()
            });
            count += found.len();
            assert_eq!(found, expected, "{who} on `{position}` in\n{source}");
        }
    }
    count
}

/// A game of heaps that nobody thought of.
fn random_heaps(random: &mut Random) -> String {
    let two = random.below(3) == 0;
    let mut text = format!("game random\nboard heap{}\n", if two { " r x c" } else { "" });
    for who in ["left", "right", "both"] {
        for _ in 0..random.below(3) {
            let (a, b) = (1 + random.below(4), 1 + random.below(4));
            let plain = [
                format!("n -> n-k where k in {a}..{}", a + b),
                format!("n -> n-{a}, n-{b}"),
                "n -> k and n-k where k in 1..n-1, k != n-k".to_string(),
                format!("n -> n/{} where {a} < n", b + 1),
                format!("n -> {b} of n/{} where {} divides n, 0 < n", a + 1, a + 1),
                format!("n -> i and j where i in {{{a}, {b}}}, j in 0..n-i, i + j < n"),
                format!("n -> max(n-{a}, 0) and min(n/2, {b}) where {b} < n, 1 < n"),
                format!(
                    "octal {}.{}{}{}",
                    [0, 4][random.below(2)],
                    random.below(8),
                    random.below(8),
                    random.below(8)
                ),
                "n -> nothing where 0 < n".to_string(),
                format!("n -> n-1-n mod {b} where n mod {} = {}", a + 1, b - 1),
            ];
            let pairs = [
                format!("r x c -> r x c-k where k in {a}..{}", a + b),
                "r x c -> r-k x c+k where k in 1..r".to_string(),
                "r x c -> r x k and r x c-k where k in 1..c-1".to_string(),
                format!("r x c -> r-k x c-k where k in 1..min(r, c), {a} divides k"),
                format!("r x c -> r-{a} x {b}*c where c <= {b}"),
            ];
            let list = if two { &pairs[..] } else { &plain[..] };
            text += &format!("{who}: {}\n", list[random.below(list.len())]);
        }
    }
    text
}

/// A graph with letters on its vertices.
#[derive(Clone)]
struct Vertices {
    edges: Vec<(usize, usize)>,
    letters: Vec<usize>,
}

impl Vertices {
    fn joined(&self, a: usize, b: usize) -> bool {
        self.edges.contains(&(a, b)) || self.edges.contains(&(b, a))
    }
    fn is(&self, vertex: usize, set: LetterSet) -> bool {
        set >> self.letters[vertex] & 1 == 1
    }
    fn show(&self, text: &GameText) -> String {
        let edges: Vec<String> = self.edges.iter().map(|(a, b)| format!("{a}-{b}")).collect();
        let letters: String = self.letters.iter().map(|&letter| text.cells[letter].letter).collect();
        format!("{};{};{letters}", self.letters.len(), edges.join(","))
    }
    fn random(text: &GameText, random: &mut Random) -> Vertices {
        let count = 1 + random.below(6);
        let mut edges = vec![];
        for a in 0..count {
            for b in a + 1..count {
                if random.below(5) < 2 {
                    edges.push((a, b));
                }
            }
        }
        Vertices { edges, letters: (0..count).map(|_| random.below(text.cells.len())).collect() }
    }

    /// All that a pattern makes of the graph, with points, if it goes on from these vertices.
    fn rewritten(
        &self,
        text: &GameText,
        rewrite: &Rewrite,
        path: &mut Vec<usize>,
        found: &mut Vec<(Vertices, i64)>,
    ) {
        let row = &rewrite.cells[0];
        if path.len() == row.len() {
            found.extend(self.replaced(text, rewrite, path));
            return;
        }
        for vertex in 0..self.letters.len() {
            let goes_on =
                path.last().is_none_or(|&last| self.joined(last, vertex)) && !path.contains(&vertex);
            if goes_on && self.is(vertex, row[path.len()].before.unwrap()) {
                path.push(vertex);
                self.rewritten(text, rewrite, path, found);
                path.pop();
            }
        }
    }

    fn replaced(&self, text: &GameText, rewrite: &Rewrite, path: &[usize]) -> Option<(Vertices, i64)> {
        let put: Vec<(usize, usize)> =
            path.iter().zip(&rewrite.cells[0]).filter_map(|(&v, symbol)| Some((v, symbol.after?))).collect();
        let beside = |vertices: &[usize]| -> Vec<usize> {
            (0..self.letters.len())
                .filter(|v| !path.contains(v) && vertices.iter().any(|&changed| self.joined(changed, *v)))
                .collect()
        };
        let near = beside(&put.iter().map(|&(v, _)| v).collect::<Vec<_>>());
        for condition in &rewrite.conditions {
            if near.iter().any(|&v| self.is(v, condition.letters.unwrap())) != condition.wanted {
                return None;
            }
        }
        let mut after = self.clone();
        if let Some((letters, letter)) = rewrite.neighbours {
            near.iter().filter(|&&v| self.is(v, letters)).for_each(|&v| after.letters[v] = letter);
        }
        put.iter().for_each(|&(v, letter)| after.letters[v] = letter);
        for legal in &text.legal {
            let &Legal::Apart(one, other) = legal else { panic!("graphs have no groups") };
            for (mine, theirs) in [(one, other), (other, one)] {
                let mut placed = put.iter().filter(|&&(_, letter)| mine >> letter & 1 == 1);
                if placed
                    .any(|&(v, _)| (0..after.letters.len()).any(|n| self.joined(v, n) && after.is(n, theirs)))
                {
                    return None;
                }
            }
        }
        let count = match rewrite.points.per {
            Per::Move => 1,
            Per::Cell => self.letters.iter().zip(&after.letters).filter(|(a, b)| a != b).count(),
            Per::Beside(letters) => near.iter().filter(|&&v| self.is(v, letters)).count(),
        };
        Some((after, i64::from(rewrite.points.each) * count as i64))
    }
}

fn compare_graphs(game: &TextGame, source: &str, graphs: usize, random: &mut Random) -> usize {
    let text = game.tree();
    let open = game.open(Variant::Plain, "1");
    let mut count = 0;
    for _ in 0..graphs {
        let graph = Vertices::random(text, random);
        let position = graph.show(text);
        for who in Player::BOTH {
            let mut after = vec![];
            for rule in text.moves.iter().filter(|rule| rule.who.is_none_or(|owner| owner == who)) {
                let Action::Rewrite(rewrite) = &rule.action else { panic!("a game on graphs") };
                graph.rewritten(text, rewrite, &mut vec![], &mut after);
            }
            with_game!(&open, open => {
                let shown = |text: &str| {
                    open.show(&open.read(text).unwrap_or_else(|error| panic!("{text}: {error} in\n{source}")))
                };
                let sign = if who == Player::Left { 1 } else { -1 };
                let expected: BTreeSet<(String, i64)> =
                    after.iter().map(|(graph, points)| (shown(&graph.show(text)), sign * points)).collect();
                let at = open.read(&position).unwrap_or_else(|error| panic!("{position}: {error} in\n{source}"));
                let found = options(&**open, &at, who);
                count += found.len();
                assert_eq!(found, expected, "{who} on `{position}` in\n{source}");
            });
        }
    }
    count
}

/// A game on graphs that nobody thought of.
fn random_graph(random: &mut Random) -> String {
    let letters = &[".", "x", "o", "y"][..2 + random.below(3)];
    let one = |random: &mut Random| letters[random.below(letters.len())].to_string();
    let set = |random: &mut Random| match random.below(3) {
        0 => format!("[{}{}]", one(random), one(random)),
        _ => one(random),
    };
    let cells: Vec<String> = letters.iter().map(|letter| format!("{letter} vertex")).collect();
    let mut text = format!("game random\nboard graph\ncells {}\n", cells.join(", "));
    for who in ["left", "right", "both"] {
        for _ in 0..random.below(3) {
            let length = 1 + random.below(3);
            let before: String = (0..length).map(|_| set(random)).collect();
            let after: String = (0..length)
                .map(|_| if random.below(4) == 0 { "~".to_string() } else { one(random) })
                .collect();
            let more = match random.below(6) {
                0 => format!("if beside {}", set(random)),
                1 => format!("unless beside {}", set(random)),
                2 => format!("neighbours {} -> {}", set(random), one(random)),
                3 => "scores 1 per cell".to_string(),
                4 => format!("scores 2 per {} beside", set(random)),
                _ => String::new(),
            };
            text += &format!("{who}: {before} -> {after} {more}\n");
        }
    }
    if random.below(5) == 0 && letters.len() > 2 {
        text += "legal: no x beside [xo]\n";
    }
    text
}

#[test]
fn heaps_and_graphs_of_the_gallery_have_the_options_of_their_description() {
    let mut random = Random::new(9, 0);
    let (mut heaps, mut graphs) = (0, 0);
    for entry in std::fs::read_dir(gallery()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "game") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let game = TextGame::read(&text, &[]).unwrap();
        match game.tree().board {
            BoardKind::Heap(_) => {
                assert!(compare_heaps(&game, &text, 100, &mut random) > 50, "{}", path.display());
                heaps += 1;
            }
            BoardKind::Graph => {
                assert!(compare_graphs(&game, &text, 100, &mut random) > 50, "{}", path.display());
                graphs += 1;
            }
            _ => {}
        }
    }
    assert!(heaps > 10 && graphs > 2, "{heaps} {graphs}");
}

#[test]
fn random_heaps_and_graphs_have_the_options_of_their_description() {
    let mut random = Random::new(10, 0);
    let wanted = if long() { 5_000 } else { 300 };
    let (mut heaps, mut graphs, mut options) = (0, 0, 0);
    while heaps < wanted || graphs < wanted {
        let text = random_heaps(&mut random);
        if let Ok(game) = TextGame::read(&text, &[]) {
            options += compare_heaps(&game, &text, 10, &mut random);
            heaps += 1;
        }
        let text = random_graph(&mut random);
        if let Ok(game) = TextGame::read(&text, &[]) {
            options += compare_graphs(&game, &text, 10, &mut random);
            graphs += 1;
        }
    }
    assert!(options > 5_000, "{options}");
}
