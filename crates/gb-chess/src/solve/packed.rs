//! Layers as they are kept: most of the words about a position are the same as others.

use super::cell::{Cell, Plane, Rows, WORDS, plane_of, rows_of};

/// Planes, one after the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Packed {
    /// For every plane, where its rows are.
    planes: Vec<[u16; WORDS]>,
    /// The first is empty; the others belong to one plane each.
    rows: Vec<[u64; 64]>,
}

impl Packed {
    pub(super) fn with_room(planes: usize) -> Packed {
        Packed { planes: Vec::with_capacity(planes), rows: vec![[0; 64]] }
    }

    pub(super) fn push(&mut self, plane: &Plane) {
        let rows: Rows = rows_of(plane);
        let mut index = [0u16; WORDS];
        for word in 0..WORDS {
            if rows[word].iter().all(|&word| word == 0) {
                continue;
            }
            index[word] = match (0..word).find(|&other| rows[other] == rows[word]) {
                Some(same) => index[same],
                None => {
                    self.rows.push(rows[word]);
                    (self.rows.len() - 1) as u16
                }
            };
        }
        self.planes.push(index);
    }

    /// Gives back room that is not needed.
    pub(super) fn finish(mut self) -> Packed {
        self.rows.shrink_to_fit();
        self
    }

    pub(super) fn plane(&self, index: usize, plane: &mut Plane) {
        let index = self.planes[index];
        plane_of(&index.map(|row| &self.rows[row as usize]), plane);
    }

    pub(super) fn cell(&self, index: usize, king: u8) -> Cell {
        Cell::from_words(self.planes[index].map(|row| self.rows[row as usize][king as usize]))
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.planes.len() * size_of::<[u16; WORDS]>() + self.rows.len() * size_of::<[u64; 64]>()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gb_board::Xorshift;

    #[test]
    fn planes_come_back() {
        let mut random = Xorshift(0x5eed);
        let mut packed = Packed::with_room(20);
        let planes: Vec<Plane> = (0..20)
            .map(|_| {
                // Few words, so that many are the same, and some empty.
                let words = [0, random.next(), random.next()];
                let pick: [u64; WORDS] = std::array::from_fn(|_| words[(random.next() >> 20) as usize % 3]);
                std::array::from_fn(|king| Cell::from_words(pick.map(|word| word.rotate_left(king as u32))))
            })
            .collect();
        planes.iter().for_each(|plane| packed.push(plane));
        let packed = packed.finish();
        for (index, plane) in planes.iter().enumerate() {
            let mut found = [Cell::default(); 64];
            packed.plane(index, &mut found);
            assert_eq!(&found, plane);
            assert_eq!(packed.cell(index, 17), plane[17]);
        }
        assert!(packed.bytes() < 20 * 5 * 64 * 8);
    }
}
