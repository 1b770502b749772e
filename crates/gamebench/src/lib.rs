//! The Game Bench: put a position on the bench, and it is taken apart into independent local games, each gets its exact
//! value, and the sum is played perfectly.
//!
//! # Ask about a position
//!
//! The [`engine`] takes texts and returns typed answers. It keeps what it has found for the next question, obeys a budget, and
//! says what it knows when that runs out.
//!
//! ```
//! use gamebench::engine::Engine;
//! use gamebench::rules::Player;
//! use gamebench::value::Budget;
//!
//! let (engine, budget) = (Engine::new(1), Budget::unlimited());
//! let analysed = engine.analyze("domineering ..#.|..#.", &budget, &Budget::unlimited, &|_, _, _| {})?;
//! let moves = analysed.report.winning_moves(Player::Left);
//! let labels: Vec<&str> = moves.iter().filter_map(|m| m.on_board).map(|m| m.label.as_str()).collect();
//! assert_eq!(labels, ["a1-a2", "b1-b2"]);
//!
//! // Who wins, without values; sums of different games and of values work as well.
//! let winners = engine.winners("clobber", "4x4", &budget)?.winners.expect("asked for");
//! assert_eq!(winners.outcome().map(|outcome| outcome.to_string()), Ok("N".into()));
//! # Ok::<(), gamebench::engine::EngineError>(())
//! ```
//!
//! # Compute with values
//!
//! Values stand on their own. A [`value::Store`] holds them, a [`value::Kernel`] computes with them under a budget.
//!
//! ```
//! use gamebench::value::{Budget, Store};
//! use gamebench::value::text::Style;
//!
//! let (store, budget) = (Store::new(), Budget::unlimited());
//! let kernel = store.kernel(&budget);
//! let up = kernel.read("^")?;
//! let switch = kernel.read("{3|{1|-2}}")?;
//! let sum = kernel.add(up, switch)?;
//! assert_eq!(kernel.show(sum, &Style::default())?.text, "{3^|{1^|-2^}}");
//! assert_eq!(kernel.mean(sum)?.to_string(), "5/4");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Walk through positions
//!
//! A [`rules::Position`] is a game with a position of it. Moves have texts, and a wrong one gets a sentence.
//!
//! ```
//! use gamebench::rules::Player;
//!
//! let start = gamebench::games::position("clobber", "xo.|.ox")?;
//! let after = start.play(Player::Left, "a1-b1")?;
//! assert_eq!(after.show(), ".x.|.ox");
//! assert_eq!(after.parts().len(), 1);
//! let error = start.play(Player::Left, "a1-c1").unwrap_err().to_string();
//! assert_eq!(error, "Left has no move `a1-c1` here; did you mean `a1-b1`?");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Bring a game
//!
//! A game implements [`rules::Rules`]: five methods are needed, everything else has a default that is right but slower. It
//! becomes an [`rules::AnyGame`], and is a game like any other: values, outcomes, sums, players, databases.
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use gamebench::board::BoardError;
//! use gamebench::rules::{AnyGame, Info, Player, Rules, Variant};
//! use gamebench::search::{AnySolved, SearchContext, with_solved};
//! use gamebench::value::{Budget, Store};
//!
//! /// Left takes one or two tokens, Right takes one.
//! #[derive(Clone)]
//! struct Taking;
//!
//! impl Rules for Taking {
//!     type Board = u32;
//!     type Move = u32;
//!     fn info(&self) -> Info {
//!         let (name, title) = ("taking".into(), "Taking");
//!         Info { name, title, rules: "", alphabet: &[], example: "3", impartial: false, loopy: false }
//!     }
//!     fn read(&self, text: &str) -> Result<u32, BoardError> {
//!         text.trim().parse().map_err(|_| BoardError::Invalid(format!("`{text}`: expected a number")))
//!     }
//!     fn show(&self, at: &u32) -> String {
//!         at.to_string()
//!     }
//!     fn moves(
//!         &self,
//!         at: &u32,
//!         who: Player,
//!         emit: &mut impl FnMut(u32) -> ControlFlow<()>,
//!     ) -> ControlFlow<()> {
//!         let most = if who == Player::Left { 2 } else { 1 };
//!         (1..=most.min(*at)).try_for_each(emit)
//!     }
//!     fn play(&self, at: &mut u32, _who: Player, taken: &u32) {
//!         *at -= taken;
//!     }
//! }
//!
//! let game = AnySolved::from(AnyGame::interned(Variant::Plain, Taking));
//! let (store, budget) = (Store::new(), Budget::unlimited());
//! let context = SearchContext::new(&store, &budget);
//! let value = with_solved!(&game, solved => {
//!     let at = solved.game.read("2").expect("a position");
//!     solved.tables.value(&*solved.game, &at, &context).expect("no limits")
//! });
//! let kernel = store.kernel(&budget);
//! assert_eq!(value, kernel.read("{0,*|*}").expect("a value"));
//! ```
//!
//! # The stages, in the order in which data passes through them

pub use gb_value as value;

pub use gb_board as board;

pub use gb_rules as rules;

pub use gb_games as games;

pub use gb_search as search;

pub use gb_play as play;

pub use gb_db as db;
/// Certificates.
pub use gb_proof as proof;

pub use gb_record as record;

pub use gb_engine as engine;
