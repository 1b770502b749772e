//! The Game Bench: put a position on the bench, and it is taken apart into independent local games, each gets its exact
//! value, and the sum is played perfectly.
//!
//! Values stand on their own:
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
//! A position is taken apart, and its parts become a sum with winning moves:
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
//! # Ok::<(), String>(())
//! ```
//!
//! The stages, in the order in which data passes through them:

pub use gb_value as value;

pub use gb_board as board;

pub use gb_rules as rules;

pub use gb_games as games;

pub use gb_search as search;

pub use gb_play as play;

pub use gb_db as db;

pub use gb_record as record;

pub use gb_engine as engine;
