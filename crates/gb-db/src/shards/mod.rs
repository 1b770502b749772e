//! Values of all parts within a rectangle, for games of stones that only go, and of all parts of at most so many cells: tables larger than
//! memory, built in shards.

mod build;
mod ending;
mod files;
mod finish;
mod keys;
mod less;
mod merge;
mod order;
mod polyominoes;
mod rounds;
mod session;
mod shapes;
mod tasks;

pub use build::ShardBuild;
pub(crate) use build::build;
pub(crate) use finish::KIND;
pub(crate) use shapes::Shapes;
pub use tasks::MergeTask;

#[cfg(test)]
mod tests;
