//! A game of every kind played to its end, with everything the bench says on the way, kept as a text to compare with.
//!
//! `UPDATE_PLAYTHROUGHS=1 cargo test -p gb-search playthrough` writes the texts anew: read the difference before you keep it.

use std::fmt::Write;
use std::fs;
use std::ops::ControlFlow;

use gb_rules::{Game, Player, with_game};
use gb_search::{GameTables, SearchContext};
use gb_value::text::Style;
use gb_value::{Budget, Store};

/// Larger positions are shown without a value.
const NODES: u64 = 20_000;
const LONGEST_VALUE: usize = 160;

struct PlayThrough;

impl PlayThrough {
    fn visit<const N: usize>(self, rules: Game<N>) -> String {
        let info = rules.info();
        let mut text = format!("{}: {}\n{}\n", info.name, info.title, info.rules);
        let (store, tables) = (Store::new(), GameTables::default());
        let style = Style { max_len: LONGEST_VALUE, ..Style::default() };
        let mut at = rules.read(info.example).expect("the example is a position");
        let (mut who, mut random) = (Player::Left, 12_345u64);
        for ply in 0..60 {
            let budget = Budget::unlimited().with_nodes(NODES);
            let context = SearchContext::new(&store, &budget);
            let _ = write!(text, "\n{ply}. {}\n", rules.show(&at));
            let parts: Vec<String> = rules.regions(&at).iter().map(|(part, _)| rules.show(part)).collect();
            let _ = writeln!(text, "   parts: {}", parts.join("  "));
            // Which of the shorter ways comes first depends on time, and the text must not.
            if let Ok(value) = tables.value_with_options(&*rules, &at, &context) {
                let unlimited = Budget::unlimited();
                let kernel = store.kernel(&unlimited);
                let shown = kernel.show(value, &style).expect("no limits").text;
                let _ = writeln!(
                    text,
                    "   value: {shown}, outcome {}",
                    kernel.outcome(value).expect("no limits")
                );
            }
            let mut moves = vec![];
            let _ = rules.moves(&at, who, &mut |mv| {
                moves.push(mv);
                ControlFlow::Continue(())
            });
            let labels: Vec<String> =
                moves.iter().take(12).map(|&mv| rules.move_text(&at, who, mv)).collect();
            let _ = writeln!(text, "   {who} has {} moves: {}", moves.len(), labels.join(" "));
            if moves.is_empty() {
                break;
            }
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let mv = moves[(random >> 33) as usize % moves.len()];
            let _ = writeln!(text, "   {who} plays {}", rules.move_text(&at, who, mv));
            at = rules.play(&at, who, mv).0;
            if let Some(winner) = rules.global_win(&at) {
                let _ = writeln!(text, "   {winner} has won everywhere");
                break;
            }
            who = who.opponent();
        }
        text
    }
}

#[test]
fn playthroughs_are_as_before() {
    let folder = format!("{}/../../testdata/playthroughs", env!("CARGO_MANIFEST_DIR"));
    let update = std::env::var_os("UPDATE_PLAYTHROUGHS").is_some();
    if update {
        fs::create_dir_all(&folder).unwrap();
    }
    for &base in gb_games::NAMES {
        let info = gb_games::info(base).unwrap();
        let game = gb_games::open(&info.name, info.example).unwrap();
        let text = with_game!(game, game => PlayThrough.visit(game));
        let path = format!("{folder}/{base}.txt");
        if update {
            fs::write(&path, &text).unwrap();
        }
        let kept = fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(text, kept, "{base}: see the head of this test for how to write it anew");
    }
}
