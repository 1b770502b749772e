//! The analyst against known-right facts.
mod facts;
