//! Reading a table from one end to the other, and single facts of it, without keeping anything in memory.

use gb_value::Kernel;

use super::{Shape, Table, Unread, Values};
use crate::error::StoreError;
use crate::fact::Fact;
use crate::finish::STRIDE;
use crate::parts::Key;
use crate::record::{self, Cursor, Raw};
use crate::scope::Scope;

/// So many groups of facts are read together.
const GROUPS: usize = 1 << 12;
/// So many boards are: a multiple of 8, so that their numbers begin with a byte.
const BOARDS: u64 = 1 << 16;

impl Table {
    /// Calls `emit` with the records of all facts in their order.
    pub(crate) fn for_each_record(
        &self,
        kernel: &Kernel<'_>,
        emit: &mut dyn FnMut(Raw) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let mut left = self.facts;
        for group in (0..self.facts.div_ceil(STRIDE)).step_by(GROUPS) {
            let (start, end) = (self.place_of_group(group)?, self.place_of_group(group + GROUPS)?);
            if start > end || end > self.records.length {
                return Err(self.damaged("the places of facts"));
            }
            let bytes = self.reader.bytes_once(self.records, start..end)?;
            let mut cursor = Cursor(&bytes);
            let here = left.min(GROUPS * STRIDE);
            for _ in 0..here {
                emit(record::read(&mut cursor, kernel).map_err(|error| self.unreadable(error))?)?;
            }
            left -= here;
        }
        Ok(())
    }

    /// Calls `emit` with the numbers of the facts about all boards in their order, many at a time.
    pub(crate) fn for_each_numbers(
        &self,
        emit: &mut dyn FnMut(&[u64]) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let (width, mut numbers) = (u64::from(self.bits), vec![]);
        let mask = (1 << width) - 1;
        for first in (0..self.boards).step_by(BOARDS as usize) {
            let count = BOARDS.min(self.boards - first);
            let start = (first * width / 8) as usize;
            let mut bytes =
                self.reader.bytes_once(self.numbers, start..start + (count * width).div_ceil(8) as usize)?;
            // A number of up to 48 bits lies within the eight bytes from its first on.
            bytes.extend([0; 8]);
            numbers.clear();
            numbers.extend((0..count).map(|i| {
                let bit = i * width;
                let mut eight = [0; 8];
                eight.copy_from_slice(&bytes[(bit / 8) as usize..][..8]);
                u64::from_le_bytes(eight) >> (bit % 8) & mask
            }));
            emit(&numbers)?;
        }
        Ok(())
    }

    /// Of a table of parts: calls `emit` with numbers of cells, how many boards in a row have so many, and the place of the first.
    pub(crate) fn for_each_size(
        &self,
        emit: &mut dyn FnMut(usize, u64, u64) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        match (&self.shape, self.scope) {
            (Shape::Within { .. }, Scope::Within(..) | Scope::Less(..)) => {
                let shapes = self.shapes()?;
                for stones in 0..shapes.layers() {
                    let places = shapes.layer(stones);
                    if !places.is_empty() {
                        emit(stones, places.end - places.start, places.start)?;
                    }
                }
            }
            (Shape::Parts { keys, key_bytes, sizes }, _) => {
                for size in sizes {
                    for first in (size.start..size.end).step_by(BOARDS as usize) {
                        let places = first..(first + BOARDS).min(size.end);
                        let bytes = places.start as usize * key_bytes..places.end as usize * key_bytes;
                        let bytes = self.reader.bytes_once(*keys, bytes)?;
                        for (place, key) in places.zip(bytes.chunks_exact(*key_bytes)) {
                            let mut number = [0; 16];
                            number[..*key_bytes].copy_from_slice(key);
                            let (rows, cols) = (size.rows, size.cols);
                            let key = Key { rows, cols, number: u128::from_le_bytes(number) };
                            emit(key.filled(self.letters), 1, place)?;
                        }
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The record of a fact.
    pub(crate) fn record_once(&self, number: u64, kernel: &Kernel<'_>) -> Result<Raw, StoreError> {
        Ok(self.record(number, false, kernel)?)
    }

    /// The fact with a number, given the values that are known so far in the store of the kernel.
    pub(crate) fn fact_once(
        &self,
        number: u64,
        values: &Values,
        kernel: &Kernel<'_>,
    ) -> Result<Fact, Unread> {
        self.fact_in(values, number, false, kernel)
    }
}
