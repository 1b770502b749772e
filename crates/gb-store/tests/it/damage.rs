//! Accidents.
