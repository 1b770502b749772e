//! Values of all parts within a rectangle, for games of stones that only go: tables larger than memory, built in shards.

mod build;
mod files;
mod finish;
mod merge;
mod session;
mod shapes;

pub use build::ShardBuild;
pub(crate) use build::build;
pub(crate) use finish::KIND;
pub(crate) use shapes::Shapes;
