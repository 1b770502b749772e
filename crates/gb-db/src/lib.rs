//! Facts on disk: tables of all boards of a rectangle, and of all parts up to a size, with the value of each.

mod blocks;
mod build;
mod dense;
mod error;
mod exchange;
mod fact;
mod file;
mod finish;
mod game;
mod journal;
mod library;
mod outcomes;
mod parts;
mod record;
mod rectangle;
mod scope;
mod shards;
mod small;
mod stats;
mod table;
mod unfinished;
mod verify;
mod work;

pub use build::{Build, Built, Progress, Settings, Shard, build};
pub use error::StoreError;
pub use fact::{Fact, Partial};
pub use file::FORMAT;
pub use game::TabulatedGame;
pub use library::{GameArchive, Library, Report, usual_folder};
pub use outcomes::{OutcomeBuild, OutcomeTable, Outcomes, verify_outcomes};
pub use scope::{EXTENSION, Less, Scope};
pub use shards::{MergeTask, ShardBuild};
pub use small::AllSmall;
pub use stats::{Count, SizeStats, Stats, size_stats, stats};
pub use table::{Table, Unread};
pub use verify::{Verified, verify};
