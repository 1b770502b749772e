//! Sets of cells, up to the symmetries of a rectangle, and where the block of each is in a table.
//!
//! Cells are numbered from the middle outwards, cells that symmetries exchange side by side. A symmetry then hardly moves a variable of a
//! truth table from within words to between words, which is the dear part of renaming variables.

use gb_board::sort_by_key;
use gb_rules::{Coming, ComingRule, GridTraits, Sign, StoneMove, Tabulated};

use super::truth;
use crate::error::StoreError;

/// Sets have so many cells at most: an index has a bit for each of them.
const MAX_CELLS: usize = 30;
/// The symmetries of a square.
const IMAGES: usize = 8;
/// Blocks of a layer begin at multiples of so many words, so that every one of them is under checksums of its own.
pub(super) const PAGE_WORDS: usize = crate::file::BLOCK / 8;

/// What the rules mean for tables: the moves, and which boards are alike.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Form {
    /// Where stones go.
    pub(crate) moves: Vec<StoneMove>,
    /// Where they come.
    pub(crate) coming: Option<Coming>,
    /// Upside down and left to right.
    pub(crate) mirrors: bool,
    /// Rows and columns exchanged.
    pub(crate) transposes: bool,
}

impl Form {
    /// The form of a game, if it has one.
    pub(crate) fn of(traits: &GridTraits, tabulated: Option<Tabulated>) -> Option<Form> {
        let swap = |code: u8| traits.swap?.get(usize::from(code)).copied();
        let (letters, moves, coming) = match tabulated.filter(Tabulated::is_sound)? {
            Tabulated::Going(moves) => ([0, 1, 2], moves, None),
            Tabulated::Coming(coming) => (coming.letters, vec![], Some(coming)),
            Tabulated::Filling(_) => return None,
        };
        let [empty, left, right] = letters;
        let exchanged = [empty, right, left].map(Some);
        (letters.map(swap) == exchanged).then(|| Form {
            moves,
            coming,
            mirrors: traits.mirrors,
            transposes: traits.mirrors && traits.transpose == Some(Sign::Plus),
        })
    }

    /// The form of a game of stones that only go.
    pub(crate) fn of_going(traits: &GridTraits, tabulated: Option<Tabulated>) -> Option<Form> {
        Form::of(traits, tabulated).filter(|form| form.coming.is_none())
    }

    /// Whether rows and columns may be exchanged.
    pub(super) fn turns(&self) -> bool {
        self.transposes
    }

    /// As a line of a header.
    pub(crate) fn text(&self) -> String {
        let images = if self.transposes {
            8
        } else if self.mirrors {
            4
        } else {
            1
        };
        if let Some(Coming { letters: [empty, left, right], rule }) = &self.coming {
            return format!("{images} +{}:{empty},{left},{right}", rule_name(*rule));
        }
        let one = |found: &StoneMove| {
            let cells =
                found.cells.iter().map(|((down, right), from, to)| format!("{down},{right}:{from}>{to}"));
            cells.collect::<Vec<_>>().join("+")
        };
        let moves: Vec<String> = self.moves.iter().map(one).collect();
        format!("{images} {}", moves.join(" "))
    }

    /// From such a line.
    pub(crate) fn read(text: &str) -> Option<Form> {
        let mut words = text.split(' ');
        let (mirrors, transposes) = match words.next()? {
            "8" => (true, true),
            "4" => (true, false),
            "1" => (false, false),
            _ => return None,
        };
        if let Some(coming) = text.split_once(" +").map(|(_, coming)| coming) {
            let (name, letters) = coming.split_once(':')?;
            let rule = ComingRule::ALL.into_iter().find(|rule| rule_name(*rule) == name)?;
            let letters: Option<Vec<u8>> = letters.split(',').map(|letter| letter.parse().ok()).collect();
            let coming = Coming { letters: letters?.try_into().ok()?, rule };
            let sound = Tabulated::Coming(coming.clone()).is_sound();
            return sound.then_some(Form { moves: vec![], coming: Some(coming), mirrors, transposes });
        }
        let cell = |text: &str| {
            let (step, stones) = text.split_once(':')?;
            let ((down, right), (from, to)) = (step.split_once(',')?, stones.split_once('>')?);
            Some(((down.parse().ok()?, right.parse().ok()?), from.parse().ok()?, to.parse().ok()?))
        };
        let one = |text: &str| Some(StoneMove { cells: text.split('+').map(cell).collect::<Option<_>>()? });
        let moves = words.map(one).collect::<Option<Vec<_>>>()?;
        moves.iter().all(StoneMove::is_sound).then_some(Form { moves, coming: None, mirrors, transposes })
    }
}

fn rule_name(rule: ComingRule) -> &'static str {
    match rule {
        ComingRule::NotBesideOwn => "not-beside-own",
        ComingRule::NotBesideOther => "not-beside-other",
        ComingRule::GroupsBreathe => "groups-breathe",
    }
}

/// A move of Left in one place, in terms of cells.
pub(crate) struct Placement {
    /// All its cells.
    pub(crate) cells: u32,
    /// The cells whose stones stay, with whether the stone is Left's afterwards and before.
    pub(crate) stay: Vec<(u8, bool, bool)>,
}

/// Moves that take the same stones away.
pub(crate) struct Group {
    /// The cells that become empty.
    pub(crate) removed: u32,
    /// Those of them where Left's stones were.
    pub(crate) left: u32,
    pub(crate) placements: Vec<Placement>,
}

/// The sets of cells of a rectangle.
pub(super) struct Sets {
    pub(super) rows: usize,
    pub(super) cols: usize,
    pub(super) cells: usize,
    /// Where each cell is on the board, row by row.
    pub(super) place_of: Vec<u8>,
    /// The cell at each place.
    cell_at: Vec<u8>,
    half: usize,
    /// The images of the sets of the lower half of the cells, and of the others.
    low: Vec<[u32; IMAGES]>,
    high: Vec<[u32; IMAGES]>,
    /// The cells beside the sets of either half, where all moves are about two cells.
    beside: Option<[Vec<u32>; 2]>,
    /// The cells that moves are about.
    placements: Vec<u32>,
    pub(super) groups: Vec<Group>,
    /// Where stones come, and the cells beside each cell.
    pub(super) coming: Option<ComingRule>,
    pub(super) near: Vec<u32>,
    /// Ranks of sets of the lower half among those of equal size; for every size of these, those of the upper half.
    rank_low: Vec<u32>,
    rank_high: Vec<Vec<u32>>,
}

fn binomial(n: usize, k: usize) -> u64 {
    (0..k).fold(1, |product, i| if i < n { product * (n - i) as u64 / (i as u64 + 1) } else { 0 })
}

/// A sum over the cells of a set, for all sets of some cells.
fn for_all_sets<T: Copy>(none: T, cells: impl Iterator<Item = T>, add: impl Fn(T, T) -> T) -> Vec<T> {
    let mut sums = vec![none];
    for cell in cells {
        let count = sums.len();
        for set in 0..count {
            let with = add(sums[set], cell);
            sums.push(with);
        }
    }
    sums
}

impl Sets {
    pub(super) fn new(rows: usize, cols: usize, form: &Form) -> Result<Sets, StoreError> {
        let cells = rows.checked_mul(cols).filter(|cells| (1..=MAX_CELLS).contains(cells)).ok_or_else(|| {
            StoreError::Invalid(format!(
                "{rows}x{cols} has too many cells for a table of outcomes: at most {MAX_CELLS} are possible"
            ))
        })?;
        let image = |place: usize, number: usize| {
            let (mut row, mut col) = (place / cols, place % cols);
            if form.transposes && rows == cols && number & 4 != 0 {
                (row, col) = (col, row);
            }
            if form.mirrors && number & 1 != 0 {
                row = rows - 1 - row;
            }
            if form.mirrors && number & 2 != 0 {
                col = cols - 1 - col;
            }
            row * cols + col
        };
        let mut order: Vec<usize> = (0..cells).collect();
        sort_by_key(&mut order, |&place| {
            let from_middle = |at: usize, length: usize| (2 * at + 1).abs_diff(length).pow(2);
            let orbit = (0..IMAGES).map(|number| image(place, number)).min();
            (from_middle(place / cols, rows) + from_middle(place % cols, cols), orbit, place)
        });
        let mut cell_at = vec![0; cells];
        for (cell, &place) in order.iter().enumerate() {
            cell_at[place] = cell as u8;
        }
        let half = cells.div_ceil(2);
        let images_of = |cell: usize| -> [u32; IMAGES] {
            std::array::from_fn(|number| 1 << cell_at[image(order[cell], number)])
        };
        let or = |a: [u32; IMAGES], b: [u32; IMAGES]| std::array::from_fn(|i| a[i] | b[i]);
        let groups = groups(rows, cols, form, &cell_at);
        let mut placements: Vec<u32> = groups
            .iter()
            .flat_map(|group| group.placements.iter().map(|placement| placement.cells))
            .collect();
        placements.sort_unstable();
        placements.dedup();
        let pairs = placements.iter().all(|cells| cells.count_ones() == 2);
        let beside_cell = |cell: usize| {
            let with = placements.iter().filter(|&cells| cells >> cell & 1 == 1);
            with.fold(0, |all, cells| all | cells & !(1 << cell))
        };
        let beside = |range: std::ops::Range<usize>| for_all_sets(0, range.map(beside_cell), |a, b| a | b);
        let beside = pairs.then(|| [beside(0..half), beside(half..cells)]);
        let near = |place: usize| {
            let is_near = |other: &usize| {
                (other / cols).abs_diff(place / cols) + (other % cols).abs_diff(place % cols) == 1
            };
            (0..cells).filter(is_near).fold(0u32, |set, other| set | 1 << cell_at[other])
        };
        let sum_of_ranks = |set: usize, first: usize, size: usize| -> u32 {
            let mut size = size;
            let ranks = (first..cells).filter(|cell| set >> (cell - first) & 1 == 1).map(|cell| {
                size += 1;
                binomial(cell, size) as u32
            });
            ranks.sum()
        };
        Ok(Sets {
            rows,
            cols,
            cells,
            half,
            low: for_all_sets([0; IMAGES], (0..half).map(images_of), or),
            high: for_all_sets([0; IMAGES], (half..cells).map(images_of), or),
            beside,
            placements,
            groups,
            coming: form.coming.as_ref().map(|coming| coming.rule),
            near: order.iter().map(|&place| near(place)).collect(),
            rank_low: (0..1 << half).map(|set| sum_of_ranks(set, 0, 0)).collect(),
            rank_high: (0..=half)
                .map(|size| (0..1 << (cells - half)).map(|set| sum_of_ranks(set, half, size)).collect())
                .collect(),
            place_of: order.iter().map(|&place| place as u8).collect(),
            cell_at,
        })
    }

    /// The cell at a place of the board.
    pub(super) fn cell_at(&self, row: usize, col: usize) -> u32 {
        u32::from(self.cell_at[row * self.cols + col])
    }

    /// All images of a set.
    #[inline]
    pub(super) fn images(&self, set: u32) -> [u32; IMAGES] {
        let (low, high) =
            (&self.low[set as usize & ((1 << self.half) - 1)], &self.high[set as usize >> self.half]);
        std::array::from_fn(|i| low[i] | high[i])
    }

    /// The least image, and which image it is.
    #[inline]
    pub(super) fn least(&self, set: u32) -> (u32, usize) {
        let images = self.images(set);
        let least = images.iter().fold(u32::MAX, |least, &image| least.min(image));
        (least, images.iter().position(|&image| image == least).unwrap_or(0))
    }

    /// One of the images.
    #[inline]
    pub(super) fn image(&self, set: u32, number: usize) -> u32 {
        self.low[set as usize & ((1 << self.half) - 1)][number] | self.high[set as usize >> self.half][number]
    }

    /// The cells that any move can ever be about: stones that go make room for none. Where stones come, all.
    #[inline]
    pub(super) fn active(&self, set: u32) -> u32 {
        if self.coming.is_some() {
            return set;
        }
        if let Some([low, high]) = &self.beside {
            return set & (low[set as usize & ((1 << self.half) - 1)] | high[set as usize >> self.half]);
        }
        self.placements.iter().filter(|&&cells| set & cells == cells).fold(0, |all, &cells| all | cells)
    }

    /// Whether all groups of stones, of which these are Left's, are beside an empty cell.
    pub(super) fn breathe(&self, stones: u32, left: u32) -> bool {
        let empty = !stones & (((1u64 << self.cells) - 1) as u32);
        let around = |mut set: u32| {
            let mut around = 0;
            while set != 0 {
                around |= self.near[set.trailing_zeros() as usize];
                set &= set - 1;
            }
            around
        };
        let beside_empty = around(empty);
        [left, stones & !left].into_iter().all(|own| {
            let mut breathing = own & beside_empty;
            loop {
                let more = own & around(breathing) & !breathing;
                if more == 0 {
                    return breathing == own;
                }
                breathing |= more;
            }
        })
    }

    /// How many sets of equal size are less.
    #[inline]
    fn rank(&self, set: u32) -> usize {
        let low = set as usize & ((1 << self.half) - 1);
        (self.rank_low[low] + self.rank_high[low.count_ones() as usize][set as usize >> self.half]) as usize
    }

    /// Calls `emit` with all sets of a size, the least first.
    fn of_size(&self, size: usize, emit: &mut dyn FnMut(u32)) {
        let end = 1u64 << self.cells;
        let mut set = (1u64 << size) - 1;
        while set < end {
            emit(set as u32);
            if set == 0 {
                return;
            }
            // The next number with as many ones.
            let lowest = set & set.wrapping_neg();
            let carried = set + lowest;
            set = carried | ((set ^ carried) / lowest) >> 2;
        }
    }

    /// In how many ways so many cells can be added to a set that no move will ever be about.
    pub(super) fn idle_cells(&self, set: u32) -> Vec<u64> {
        let mut ways = vec![0; self.cells + 1];
        self.add_idle(set, set, 0, 0, &mut ways);
        ways
    }

    fn add_idle(&self, active: u32, set: u32, from: usize, count: usize, ways: &mut [u64]) {
        ways[count] += 1;
        for cell in (from..self.cells).filter(|cell| set >> cell & 1 == 0) {
            let larger = set | 1 << cell;
            if self.active(larger) == active {
                self.add_idle(active, larger, cell + 1, count + 1, ways);
            }
        }
    }
}

pub(crate) fn groups(rows: usize, cols: usize, form: &Form, cell_at: &[u8]) -> Vec<Group> {
    let mut groups: Vec<Group> = vec![];
    for found in &form.moves {
        for base in 0..rows * cols {
            let (mut removed, mut left) = (0, 0);
            let mut placement = Placement { cells: 0, stay: vec![] };
            let fits = found.cells.iter().all(|&((down, right), before, after)| {
                let place = |from: usize, step: i32, end: usize| {
                    from.checked_add_signed(step as isize).filter(|&place| place < end)
                };
                let (row, col) = (place(base / cols, down, rows), place(base % cols, right, cols));
                let (Some(row), Some(col)) = (row, col) else { return false };
                let cell = cell_at[row * cols + col];
                placement.cells |= 1 << cell;
                match after {
                    0 => {
                        removed |= 1 << cell;
                        left |= u32::from(before == 1) << cell;
                    }
                    after => placement.stay.push((cell, after == 1, before == 1)),
                }
                true
            });
            if !fits {
                continue;
            }
            match groups.iter_mut().find(|group| (group.removed, group.left) == (removed, left)) {
                Some(group) => group.placements.push(placement),
                None => groups.push(Group { removed, left, placements: vec![placement] }),
            }
        }
    }
    groups
}

/// Which sets have blocks: the least of their images, of those in which no cell is idle.
pub(super) struct Index {
    layers: Vec<Layer>,
}

struct Layer {
    /// A bit for every set of this size.
    kept: Vec<u64>,
    /// How many sets before each word of these are kept.
    before: Vec<u32>,
    count: u32,
    /// Where their blocks begin, in words.
    start: u64,
    block_words: usize,
}

impl Index {
    /// Finds out.
    pub(super) fn new(sets: &Sets) -> Index {
        let layers = (0..=sets.cells).map(|size| {
            let mut kept = vec![0u64; (binomial(sets.cells, size) as usize).div_ceil(64)];
            let mut rank = 0;
            sets.of_size(size, &mut |set| {
                if sets.active(set) == set && sets.least(set).0 == set {
                    kept[rank / 64] |= 1 << (rank % 64);
                }
                rank += 1;
            });
            kept
        });
        Index::of_bits(layers.collect())
    }

    /// From what a table holds.
    pub(super) fn read(sets: &Sets, words: &[u64]) -> Option<Index> {
        let mut words = words.iter().copied();
        let layers: Vec<Vec<u64>> = (0..=sets.cells)
            .map(|size| words.by_ref().take((binomial(sets.cells, size) as usize).div_ceil(64)).collect())
            .collect();
        let complete = (0..=sets.cells)
            .all(|size| layers[size].len() == (binomial(sets.cells, size) as usize).div_ceil(64));
        (complete && words.next().is_none()).then(|| Index::of_bits(layers))
    }

    fn of_bits(layers: Vec<Vec<u64>>) -> Index {
        let mut start = 0;
        let layer = |(size, kept): (usize, Vec<u64>)| {
            let mut count = 0;
            let before = kept
                .iter()
                .map(|word| {
                    count += word.count_ones();
                    count - word.count_ones()
                })
                .collect();
            let block_words = truth::words(size);
            let layer = Layer { kept, before, count, start, block_words };
            start += (count as usize * block_words).next_multiple_of(PAGE_WORDS) as u64;
            layer
        };
        Index { layers: layers.into_iter().enumerate().map(layer).collect() }
    }

    /// The bits as they are written.
    pub(super) fn bits(&self) -> impl Iterator<Item = u64> + '_ {
        self.layers.iter().flat_map(|layer| layer.kept.iter().copied())
    }

    /// How many sets of a size have blocks.
    pub(super) fn count(&self, size: usize) -> u32 {
        self.layers[size].count
    }

    /// Words of all blocks.
    pub(super) fn words(&self) -> u64 {
        self.layers.last().map_or(0, |_| self.end(self.layers.len() - 1))
    }

    /// Where the blocks of a size begin, in words.
    pub(super) fn start(&self, size: usize) -> u64 {
        self.layers[size].start
    }

    /// Where they end, with what fills the last page.
    pub(super) fn end(&self, size: usize) -> u64 {
        let layer = &self.layers[size];
        layer.start + (layer.count as usize * layer.block_words).next_multiple_of(PAGE_WORDS) as u64
    }

    /// The place of a set that is kept among those of its size.
    #[inline]
    pub(super) fn place(&self, sets: &Sets, set: u32) -> Option<u32> {
        let (layer, rank) = (&self.layers[set.count_ones() as usize], sets.rank(set));
        let word = layer.kept[rank / 64];
        let bit = 1 << (rank % 64);
        (word & bit != 0).then(|| layer.before[rank / 64] + (word & (bit - 1)).count_ones())
    }

    /// The sets of a size that are kept, the least first.
    pub(super) fn sets(&self, sets: &Sets, size: usize) -> Vec<u32> {
        let kept = &self.layers[size].kept;
        let (mut found, mut rank) = (Vec::with_capacity(self.count(size) as usize), 0);
        sets.of_size(size, &mut |set| {
            if kept[rank / 64] >> (rank % 64) & 1 == 1 {
                found.push(set);
            }
            rank += 1;
        });
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clobber() -> Form {
        Form::read("8 0,0:1>0+0,1:2>1 0,0:1>0+0,-1:2>1 0,0:1>0+1,0:2>1 0,0:1>0+-1,0:2>1").unwrap()
    }

    #[test]
    fn forms_are_read_as_they_are_written() {
        let form = clobber();
        assert_eq!(Form::read(&form.text()), Some(form));
        for wrong in ["", "3 0,0:1>0", "8 0,0:1>1", "8 0,0:0>1", "8 0:1>0", "8 0,0:1>0+0,0:2>0"] {
            assert_eq!(Form::read(wrong), None, "{wrong}");
        }
    }

    /// Every set has a block: that of the least image of its active cells; and places are numbered in order.
    #[test]
    fn every_set_has_its_block() {
        for (rows, cols) in [(1, 1), (1, 7), (3, 4), (4, 4), (2, 7)] {
            let sets = Sets::new(rows, cols, &clobber()).unwrap();
            let index = Index::new(&sets);
            let neighbours = |cell: usize| -> u32 {
                let (row, col) =
                    (usize::from(sets.place_of[cell]) / cols, usize::from(sets.place_of[cell]) % cols);
                let all =
                    (0..rows * cols).filter(|at| (at / cols).abs_diff(row) + (at % cols).abs_diff(col) == 1);
                all.fold(0, |set, at| set | 1 << sets.cell_at(at / cols, at % cols))
            };
            let mut kept = 0;
            for set in 0..1u32 << sets.cells {
                let active: u32 = (0..sets.cells)
                    .filter(|&c| set >> c & 1 == 1 && set & neighbours(c) != 0)
                    .map(|c| 1 << c)
                    .sum();
                assert_eq!(sets.active(set), active);
                let (least, number) = sets.least(active);
                assert_eq!(sets.image(active, number), least);
                assert_eq!(sets.least(least).0, least);
                let size = least.count_ones() as usize;
                let place = index.place(&sets, least).expect("it is kept") as usize;
                assert_eq!(index.sets(&sets, size)[place], least);
                kept += usize::from(least == set);
            }
            assert_eq!(kept, (0..=sets.cells).map(|size| index.count(size) as usize).sum::<usize>());
            let again = Index::read(&sets, &index.bits().collect::<Vec<_>>()).unwrap();
            assert_eq!(again.words(), index.words());
            // All sets are a kept set with cells that nobody uses.
            let all: u64 = (0..=sets.cells)
                .flat_map(|size| index.sets(&sets, size))
                .map(|set| {
                    let mut images = sets.images(set).to_vec();
                    images.sort_unstable();
                    images.dedup();
                    images.len() as u64 * sets.idle_cells(set).iter().sum::<u64>()
                })
                .sum();
            assert_eq!(all, 1 << sets.cells);
        }
    }
}
