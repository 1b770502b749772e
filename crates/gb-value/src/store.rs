//! Placeholder signatures while the kernel is being written.
#![allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Value(u32);
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop { Nodes, Bytes, Time, Cancelled }
pub struct Store;
pub struct Kernel<'a> { pub store: &'a Store }
impl Kernel<'_> {
    pub fn integer(&self, n: i64) -> Value { Value(n as u32) }
    pub fn nimber(&self, n: u32) -> Value { Value(n) }
}
