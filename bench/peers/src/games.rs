//! Games: exact values of whole boards.

use std::hash::Hash;
use std::str::FromStr;

use cgt::graph::adjacency_matrix::undirected::UndirectedGraph;
use cgt::graph::{Graph, VertexIndex};
use cgt::short::partizan::games::{amazons::Amazons, col, domineering::Domineering, snort};
use cgt::short::partizan::partizan_game::PartizanGame;
use cgt::short::partizan::transposition_table::ParallelTranspositionTable;
use gb_rules::{Game, with_game};
use gb_search::question::{ExactValue, exact_value};
use gb_search::{SearchContext, Table, search};
use gb_value::{Budget, Store};

use crate::{least_time, row};

pub fn run(wanted: &dyn Fn(&str) -> bool) {
    for (rows, cols) in [(4, 6), (5, 5), (5, 6)] {
        let board = vec![".".repeat(cols); rows].join("|");
        let name = format!("domineering {rows}x{cols}");
        if wanted(&name) {
            compare(&name, "domineering", &board, || <Domineering>::from_str(&board).expect("a board"));
        }
    }
    let square = vec![".".repeat(4); 4].join("|");
    if wanted("snort 4x4") {
        let empty = snort::VertexKind::Single(snort::VertexColor::Empty);
        compare("snort 4x4", "snort", &square, || snort::Snort::new(grid(4, 4, empty)));
    }
    if wanted("col 4x4") {
        compare("col 4x4", "col", &square, || col::Col::new(grid(4, 4, col::VertexColor::Empty)));
    }
    let amazons = "x...|....|...o";
    if wanted("amazons") {
        compare(&format!("amazons {amazons}"), "amazons", amazons, || {
            Amazons::<cgt::grid::vec_grid::VecGrid<_>>::from_str(amazons).expect("a board")
        });
    }
}

fn grid<V: Clone>(rows: usize, cols: usize, empty: V) -> UndirectedGraph<V> {
    let mut graph = UndirectedGraph::empty(&vec![empty; rows * cols]);
    let vertex = |r: usize, c: usize| VertexIndex { index: r * cols + c };
    for r in 0..rows {
        for c in 0..cols {
            if r + 1 < rows {
                graph.connect(vertex(r, c), vertex(r + 1, c), true);
            }
            if c + 1 < cols {
                graph.connect(vertex(r, c), vertex(r, c + 1), true);
            }
        }
    }
    graph
}

fn compare<G: PartizanGame + Hash>(title: &str, game: &str, text: &str, theirs: impl Fn() -> G) {
    let (peer, _) = least_time(1, || {
        let table = ParallelTranspositionTable::new();
        theirs().canonical_form(&table)
    });
    for (way, title) in [(Way::Shortest, title), (Way::AllOptions, "  with all options")] {
        let (ours, _) = least_time(3, || {
            with_game!(gb_games::open(game, text).expect("a game"), game => Value { text, way }.find(game))
        });
        row(title, peer, ours);
    }
}

/// How a value is found.
#[derive(Clone, Copy)]
enum Way {
    /// As the command `value` does it.
    Shortest,
    /// With the values of all options, of their options and so on, as the peer does it.
    AllOptions,
}

struct Value<'a> {
    text: &'a str,
    way: Way,
}

impl Value<'_> {
    fn find<const N: usize>(self, rules: Game<N>) -> usize {
        let (store, budget, table) = (Store::new(), Budget::unlimited(), Table::new());
        let board = rules.read(self.text).expect("a board");
        let bench = SearchContext::new(&store, &budget);
        let value = match self.way {
            Way::Shortest => exact_value(&*rules, &table, &board, &bench),
            Way::AllOptions => search(&*rules, &ExactValue, &table, &board, &bench),
        };
        value.expect("no limits");
        store.len()
    }
}
