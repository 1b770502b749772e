//! Decomposition search beside plain alpha-beta on growing sets of areas: tables 1 and 2 of M. Mueller, Decomposition search
//! (1999), on positions with the same areas. `tables [--limit NODES] [--svg FILE] FILE.sgf..`
//!
//! For each record a table: the areas, nodes of local search, nodes and time of alpha-beta. With `--svg`, both curves of
//! each record on a logarithmic scale.

use std::fmt::Write;
use std::time::Instant;

use gb_go::{Area, KoRule, Pruning, Scoring, Settings, WholeBoard, analyse, optimal_line, sgf};
use gb_value::{Budget, Player, Store};

/// As many as in the paper's larger problems.
const TABLE: usize = 1 << 22;

struct Row {
    points: usize,
    local: u64,
    whole: Option<u64>,
}

/// Points and nodes of the areas in the paper's tables.
const PAPER: [&[(usize, u64)]; 2] = [
    &[(4, 21), (3, 5), (3, 5), (6, 11), (2, 3), (2, 3)],
    &[(3, 5), (3, 5), (2, 3), (2, 3), (4, 5), (3, 5), (5, 9), (2, 3)],
];

/// The areas in the order of the paper's tables: those of the same size that are most alike, then the others.
fn order(areas: &[(usize, u64)]) -> Vec<usize> {
    let wanted = if areas.len() <= PAPER[0].len() { PAPER[0] } else { PAPER[1] };
    let mut left: Vec<usize> = (0..areas.len()).collect();
    let mut order = vec![];
    for &(size, nodes) in wanted {
        let fitting = left.iter().enumerate().filter(|&(_, &i)| areas[i].0 == size);
        if let Some((at, _)) = fitting.min_by_key(|&(_, &i)| areas[i].1.abs_diff(nodes)) {
            order.push(left.remove(at));
        }
    }
    order.extend(left);
    order
}

fn table(path: &str, limit: u64) -> Vec<Row> {
    let text = std::fs::read_to_string(path).expect("a file");
    let game = sgf::read(&text, KoRule::Simple, None).expect("a record");
    let (store, budget) = (Store::new(), Budget::unlimited());
    let kernel = store.kernel(&budget);
    let to_play = if game.to_play == Player::Left { "Black" } else { "White" };
    println!("{path}, {to_play} to play");
    for scoring in [Scoring::Territory, Scoring::TerritoryNeutralZero, Scoring::Area] {
        // Each with a store of its own, as a user would.
        let store = Store::new();
        let kernel = store.kernel(&budget);
        let settings = Settings { scoring, ..Settings::default() };
        let start = Instant::now();
        let analysis = analyse(&kernel, &game, &settings);
        let analysed = start.elapsed().as_secs_f64();
        let line = optimal_line(&kernel, &game.board, &analysis, game.to_play, &settings).expect("no limits");
        let (moves, played) = (line.len(), start.elapsed().as_secs_f64() - analysed);
        println!("{scoring:?}: analysed in {analysed:.3} s, best play of {moves} moves in {played:.3} s");
    }
    let settings = Settings { scoring: Scoring::TerritoryNeutralZero, ..Settings::default() };
    let analysis = analyse(&kernel, &game, &settings);
    let facts = |i: &usize| analysis.areas[*i].facts.as_ref().expect("a value");
    let kinds: Vec<(usize, u64)> =
        (0..analysis.areas.len()).map(|i| (analysis.areas[i].points.len(), facts(&i).nodes)).collect();
    let order = order(&kinds);
    println!();
    println!("| areas (points) | decomposition: nodes | score | alpha-beta: nodes | score | seconds |");
    println!("|---|---:|---:|---:|---:|---:|");
    let (mut rows, mut areas, mut name, mut gave_up) = (vec![], vec![], String::new(), false);
    for (i, &index) in order.iter().enumerate() {
        let report = &analysis.areas[index];
        name += &report.letter;
        areas.push(analysis.area(&game.board, index).expect("a small area"));
        let points = areas.iter().map(Area::len).sum();
        let local = order[..=i].iter().map(|i| facts(i).nodes).sum();
        let stops = analysis.stops_of(&kernel, &order[..=i]).expect("no limits").expect("values");
        let score = &stops[game.to_play as usize];
        let start = Instant::now();
        let whole = WholeBoard::new(&kernel, &areas, Pruning::ALL).expect("no limits").expect("no kos");
        let solved = if gave_up { None } else { whole.solve(game.to_play, limit, TABLE) };
        gave_up |= solved.is_none();
        let seconds = start.elapsed().as_secs_f64();
        match solved {
            Some(solved) => {
                println!(
                    "| {name} ({points}) | {local} | {score} | {} | {} | {seconds:.2} |",
                    solved.nodes, solved.score
                );
                assert_eq!(score.to_i64(), Some(solved.score), "both searches agree");
            }
            None => println!("| {name} ({points}) | {local} | {score} | more than {limit} | | |"),
        }
        rows.push(Row { points, local, whole: solved.map(|s| s.nodes) });
    }
    println!();
    rows
}

/// Both curves of each table, nodes on a logarithmic scale over the number of open points.
fn drawing(tables: &[(String, Vec<Row>)]) -> String {
    let (width, height, left, bottom) = (720.0, 420.0, 70.0, 50.0);
    let most_points = tables.iter().flat_map(|t| &t.1).map(|r| r.points).max().unwrap_or(1) as f64;
    let most_nodes =
        tables.iter().flat_map(|t| &t.1).filter_map(|r| r.whole).chain([1000]).max().unwrap_or(1) as f64;
    let decades = most_nodes.log10().ceil();
    let x = |points: f64| left + points / most_points * (width - left - 20.0);
    let y = |nodes: f64| height - bottom - nodes.log10() / decades * (height - bottom - 20.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    for decade in 0..=decades as i32 {
        let at = y(10f64.powi(decade));
        _ = writeln!(
            svg,
            "<path d=\"M{left} {at:.1}H{:.1}\" stroke=\"#ddd\"/>\n<text x=\"{:.1}\" y=\"{:.1}\" \
             text-anchor=\"end\">10<tspan dy=\"-5\" font-size=\"9\">{decade}</tspan></text>",
            width - 20.0,
            left - 6.0,
            at + 4.0
        );
    }
    for points in (0..=most_points as usize).step_by(10) {
        let (at, base) = (x(points as f64), height - bottom + 18.0);
        _ = writeln!(svg, "<text x=\"{at:.1}\" y=\"{base:.1}\" text-anchor=\"middle\">{points}</text>");
    }
    _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">open points</text>\n<text x=\"16\" y=\"{:.1}\" \
         text-anchor=\"middle\" transform=\"rotate(-90 16 {:.1})\">nodes</text>",
        (left + width) / 2.0,
        height - 12.0,
        height / 2.0,
        height / 2.0
    );
    let colours = ["#b03030", "#3050b0", "#308040", "#806020"];
    for (i, (name, rows)) in tables.iter().enumerate() {
        let colour = colours[i % colours.len()];
        let local: Vec<(f64, f64)> = rows.iter().map(|r| (r.points as f64, r.local as f64)).collect();
        let whole: Vec<(f64, f64)> =
            rows.iter().filter_map(|r| Some((r.points as f64, r.whole? as f64))).collect();
        let curves = [(local, "none", "decomposition", 16.0), (whole, "5 4", "alpha-beta", -6.0)];
        for (points, dash, what, below) in curves {
            let path: Vec<String> = points.iter().map(|&(p, n)| format!("{:.1} {:.1}", x(p), y(n))).collect();
            _ = writeln!(
                svg,
                "<path d=\"M{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" \
                 stroke-dasharray=\"{dash}\"/>",
                path.join("L")
            );
            if let Some(&(p, n)) = points.last() {
                let (anchor, shift) = if p > most_points * 0.7 { ("end", 0.0) } else { ("start", 6.0) };
                _ = writeln!(
                    svg,
                    "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\" fill=\"{colour}\">{what}, \
                     {name}</text>",
                    x(p) + shift,
                    y(n) + below
                );
            }
        }
    }
    svg + "</svg>\n"
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (mut limit, mut svg, mut tables) = (20_000_000, None, vec![]);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--limit" => {
                limit = arguments.next().and_then(|n| n.parse().ok()).expect("a number after --limit")
            }
            "--svg" => svg = Some(arguments.next().expect("a file after --svg")),
            path => {
                let name = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".sgf").to_string();
                tables.push((name, table(path, limit)));
            }
        }
    }
    if let Some(path) = svg {
        std::fs::write(path, drawing(&tables)).expect("the drawing can be written");
    }
}
