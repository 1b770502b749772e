//! The boards that a proof speaks of: their moves, and the parts they fall into.

use std::borrow::Cow;
use std::hash::{BuildHasher, Hasher};
use std::io;
use std::ops::ControlFlow;
use std::rc::Rc;

use gb_rules::{AnyGame, Expansion, Game, Key, Player, Sign, WIDEST, with_game};
use gb_value::Kernel;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};

use crate::certificate::ProofError;
use crate::spill::{Room, SpillMap};

/// A board, as its game has it.
pub(crate) type BoardKey = Key<WIDEST>;

/// A part by its name: the first half of the BLAKE3 hash of the text of its least image. So nothing has to be kept of parts that were met.
pub(crate) type Part = u128;

/// The parts of a board or of a sum.
pub(crate) type Parts = SmallVec<[Part; 2]>;

/// What is kept of boards that were met.
#[derive(Clone, Copy)]
pub(crate) enum Keep<'s> {
    /// All parts, with their texts.
    Parts(Room<'s>),
    /// The names of parts, in about so many bytes.
    Names(u64),
}

/// So many options many boards have.
const OPTIONS: usize = 32;

/// How many names are at hand.
const LATEST: usize = 1 << 12;

/// Bytes of a name, as tables grow by doubling.
const BYTES_OF_NAME: u64 = 128;

/// Bytes of a part and its text, in the same way.
const BYTES_OF_PART: u64 = 320;

/// Parts with their texts: the newest in memory.
struct KeptParts<'s> {
    recent: FxHashMap<Part, (BoardKey, Rc<str>)>,
    most: usize,
    /// The texts of the others.
    older: SpillMap<'s>,
}

/// The boards of a game, and its parts that were met.
pub(crate) struct Boards<'s> {
    pub(crate) game: AnyGame,
    pub(crate) impartial: bool,
    /// Boards are not taken apart, because play can repeat or be won everywhere at once.
    pub(crate) whole: bool,
    names: Names,
    /// The parts with these names, if they are kept.
    parts: Option<KeptParts<'s>>,
}

/// The names of regions that were met; nothing for those without moves.
struct Names {
    all: FxHashMap<ShortKey, [u64; 2]>,
    most: usize,
    /// Those that were asked for last, few enough for the processor's own memory; each has one place.
    latest: Box<[(ShortKey, [u64; 2])]>,
}

impl Names {
    fn new(most: usize) -> Names {
        // No short key ends in 0.
        Names { all: FxHashMap::default(), most, latest: vec![(smallvec![0], [0; 2]); LATEST].into() }
    }

    /// The name of a region, if it was met.
    #[inline]
    fn get<const N: usize>(&mut self, region: &Key<N>) -> Option<Option<Part>> {
        let short = short_words(region);
        let place = (hash_of_words(short) >> (64 - LATEST.ilog2())) as usize;
        let latest = &mut self.latest[place];
        if *latest.0 == *short {
            return Some(of_halves(latest.1));
        }
        let halves = *self.all.get(short)?;
        *latest = (SmallVec::from_slice(short), halves);
        Some(of_halves(halves))
    }

    fn insert(&mut self, region: &BoardKey, name: Option<Part>) {
        if self.all.len() >= self.most {
            self.all.clear();
        }
        self.all.insert(SmallVec::from_slice(short_words(region)), halves_of(name));
    }
}

/// The options of a board, each by the parts that it falls into.
#[derive(Default)]
pub(crate) struct OptionParts {
    parts: Vec<Part>,
    ends: Vec<usize>,
}

impl OptionParts {
    pub(crate) fn clear(&mut self) {
        self.parts.clear();
        self.ends.clear();
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &[Part]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.parts[start..end])
    }
}

impl<'s> Boards<'s> {
    /// The boards of a game that proofs can be about. If parts are not kept, [`part`](Boards::part) does not know them.
    ///
    /// # Errors
    /// If points are counted, or who cannot move wins.
    pub(crate) fn new(game: AnyGame, keep: Keep<'s>) -> Result<Self, ProofError> {
        let info = game.info();
        let (scores, misere, global) =
            with_game!(&game, game => (game.ends_in_score(), game.is_misere(), game.has_global_wins()));
        if scores {
            return Err(ProofError::CountsPoints(info.name));
        }
        if misere {
            return Err(ProofError::Misere(info.name));
        }
        let whole = info.loopy || global;
        let count = |bytes: u64, of: u64| usize::try_from(bytes / of).unwrap_or(usize::MAX).max(1);
        let (parts, most_names) = match keep {
            Keep::Parts(room) => {
                let [half, quarter] = [room.share(2), room.share(4)];
                // Without files nothing can be older.
                let most = room.scratch.map_or(usize::MAX, |_| count(half.bytes, BYTES_OF_PART));
                let parts = KeptParts { recent: FxHashMap::default(), most, older: SpillMap::new(quarter) };
                (Some(parts), count(quarter.bytes, BYTES_OF_NAME))
            }
            Keep::Names(bytes) => (None, count(bytes, BYTES_OF_NAME)),
        };
        Ok(Boards { game, impartial: info.impartial && !whole, whole, names: Names::new(most_names), parts })
    }

    /// The board with this text.
    pub(crate) fn read(&self, text: &str) -> Result<BoardKey, ProofError> {
        let spaced = if text.contains('_') { text.replace('_', " ").into() } else { Cow::Borrowed(text) };
        match with_game!(&self.game, game => game.read(&spaced).map(|key| key.resized())) {
            Ok(key) => Ok(key),
            Err(error) => Err(ProofError::Board(text.to_owned(), error)),
        }
    }

    /// The text of a board, without spaces.
    pub(crate) fn text(&self, board: &BoardKey) -> String {
        let text = with_game!(&self.game, game => game.show(&board.resized()));
        if text.contains(' ') { text.replace(' ', "_") } else { text }
    }

    /// The board and the text of a part that was met, if parts are kept.
    pub(crate) fn part(&self, part: Part) -> io::Result<(BoardKey, Rc<str>)> {
        let parts = self.parts.as_ref().expect("who asks for parts keeps them");
        if let Some(found) = parts.recent.get(&part) {
            return Ok(found.clone());
        }
        let damaged = || io::Error::new(io::ErrorKind::InvalidData, "a temporary file was changed");
        let text = String::from_utf8(parts.older.get(part)?.ok_or_else(damaged)?.into_vec());
        let text = text.map_err(|_| damaged())?;
        let key = self.read(&text).map_err(|_| damaged())?;
        Ok((key, text.into()))
    }

    /// The boards of parts that were met.
    pub(crate) fn keys(&self, parts: &[Part]) -> io::Result<Vec<BoardKey>> {
        parts.iter().map(|part| Ok(self.part(*part)?.0)).collect()
    }

    /// The boards that the moves of a player leave.
    pub(crate) fn options(&self, board: &BoardKey, who: Player) -> Result<Vec<BoardKey>, ProofError> {
        let mut options = Vec::with_capacity(OPTIONS);
        self.append_options(board, who, &mut options)?;
        Ok(options)
    }

    /// How many moves a player has.
    pub(crate) fn count_moves(&self, board: &BoardKey, who: Player) -> u32 {
        with_game!(&self.game, game => game.count_moves(&board.resized(), who))
    }

    /// Puts them behind others.
    pub(crate) fn append_options(
        &self,
        board: &BoardKey,
        who: Player,
        options: &mut Vec<BoardKey>,
    ) -> Result<(), ProofError> {
        let mut scores = false;
        let _ = with_game!(&self.game, game => game.options(&board.resized(), who, &mut |after, points| {
            scores |= points != 0;
            options.push(after.resized());
            ControlFlow::Continue(())
        }));
        if scores { Err(ProofError::CountsPoints(self.game.info().name)) } else { Ok(()) }
    }

    /// Whether a move of a player leaves this board.
    pub(crate) fn is_option(
        &self,
        board: &BoardKey,
        who: Player,
        after: &BoardKey,
    ) -> Result<bool, ProofError> {
        let mut scores = false;
        let flow = with_game!(&self.game, game => {
            let wanted = after.resized();
            game.options(&board.resized(), who, &mut |after, points| {
                scores |= points != 0;
                if after == wanted { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })
        });
        if scores { Err(ProofError::CountsPoints(self.game.info().name)) } else { Ok(flow.is_break()) }
    }

    /// The different boards that the moves of a player leave, sorted by their texts.
    pub(crate) fn sorted(
        &self,
        board: &BoardKey,
        who: Player,
    ) -> Result<Vec<(String, BoardKey)>, ProofError> {
        let options = self.options(board, who)?;
        let mut sorted: Vec<_> = options.into_iter().map(|after| (self.text(&after), after)).collect();
        sorted.sort_unstable();
        sorted.dedup();
        Ok(sorted)
    }

    /// The parts of a board that have moves, each as the least of its images.
    ///
    /// Boards fall apart as they do for the impartial variant: that rests on moves alone. What a game knows besides (a dead end that
    /// is worth nothing to either) rests on values, and a checker would have to believe it.
    pub(crate) fn parts_of(&mut self, board: &BoardKey) -> Result<Parts, ProofError> {
        let (names, whole) = (&mut self.names, self.whole);
        let (mut parts, mut unnamed) = (Parts::new(), false);
        with_game!(&self.game, game => all_regions(game, whole, board, |region| {
            match names.get(region) {
                Some(Some(part)) => parts.push(part),
                Some(None) => {}
                None => unnamed = true,
            }
            !unnamed
        }));
        if unnamed {
            parts.clear();
            for region in self.regions(board) {
                parts.extend(self.named_part(&region)?);
            }
        }
        Ok(parts)
    }

    /// The same, unless a part has moves and a normal form whose hash `may_be` refuses: to normalise a part takes less than to name it.
    pub(crate) fn parts_if(
        &mut self,
        board: &BoardKey,
        may_be: impl Fn(u64) -> bool,
    ) -> Result<Option<Parts>, ProofError> {
        let mut named: SmallVec<[BoardKey; 2]> = SmallVec::new();
        let all = with_game!(&self.game, game => all_regions(game, self.whole, board, |region| {
            let may_be = may_be(hash_of(&game.normalise(region).0));
            if may_be {
                named.push(region.resized());
            }
            may_be || is_over(game, region)
        }));
        if !all {
            return Ok(None);
        }
        let mut parts = Parts::new();
        for region in &named {
            if let Some(part) = self.named_part(region)? {
                parts.push(part);
            }
        }
        Ok(Some(parts))
    }

    /// The parts of all that the moves of a player leave of a board.
    pub(crate) fn parts_of_options(
        &mut self,
        board: &BoardKey,
        who: Player,
        kernel: &Kernel<'_>,
        options: &mut OptionParts,
    ) -> Result<(), ProofError> {
        let first = options.ends.len();
        let (mut unnamed, mut scores): (Vec<(usize, BoardKey)>, bool) = (vec![], false);
        let names = &mut self.names;
        with_game!(&self.game, game => {
            let mut expansion = Expansion::default();
            game.impartial_expand(&board.resized(), who, kernel, &mut expansion)?;
            for option in &expansion.options {
                scores |= option.points != 0;
                for region in expansion.parts_of(option) {
                    match names.get(region) {
                        Some(name) => options.parts.extend(name),
                        // In its place stands nothing that has a name.
                        None => {
                            unnamed.push((options.parts.len(), region.resized()));
                            options.parts.push(0);
                        }
                    }
                }
                options.ends.push(options.parts.len());
            }
        });
        if scores {
            return Err(ProofError::CountsPoints(self.game.info().name));
        }
        let mut nothing = false;
        for (place, region) in unnamed {
            let name = self.named_part(&region)?;
            nothing |= name.is_none();
            options.parts[place] = name.unwrap_or(0);
        }
        if nothing {
            let (mut kept, mut start): (Vec<Part>, usize) =
                (vec![], options.ends[..first].last().copied().unwrap_or(0));
            let before = start;
            for end in &mut options.ends[first..] {
                kept.extend(options.parts[start..*end].iter().filter(|part| **part != 0));
                start = *end;
                *end = before + kept.len();
            }
            options.parts.truncate(before);
            options.parts.extend(kept);
        }
        Ok(())
    }

    /// Whether a board has a part that is larger than this and has moves, and whose normal form has none of these hashes.
    pub(crate) fn has_larger(&self, board: &BoardKey, size: usize, except: &FxHashSet<u64>) -> bool {
        !with_game!(&self.game, game => all_regions(game, self.whole, board, |region| {
            game.size(region) <= size
                || !except.is_empty() && except.contains(&hash_of(&game.normalise(region).0))
                || is_over(game, region)
        }))
    }

    /// How large a part is.
    pub(crate) fn size(&self, part: &BoardKey) -> usize {
        with_game!(&self.game, game => game.size(&part.resized()))
    }

    fn regions(&self, board: &BoardKey) -> SmallVec<[BoardKey; 4]> {
        let mut regions = SmallVec::new();
        with_game!(&self.game, game => all_regions(game, self.whole, board, |region| {
            regions.push(region.resized());
            true
        }));
        regions
    }

    /// A region that has moves by its name.
    fn named_part(&mut self, region: &BoardKey) -> io::Result<Option<Part>> {
        if let Some(name) = self.names.get(region) {
            return Ok(name);
        }
        let name = self.name(region)?;
        self.names.insert(region, name);
        Ok(name)
    }

    fn name(&mut self, region: &BoardKey) -> io::Result<Option<Part>> {
        if with_game!(&self.game, game => is_over(game, &region.resized())) {
            return Ok(None);
        }
        let (text, least) = self.least_image(region);
        let part = short_hash(text.as_bytes());
        if let Some(parts) = &mut self.parts {
            if parts.recent.len() >= parts.most {
                for (part, (_, text)) in std::mem::take(&mut parts.recent) {
                    parts.older.insert(part, SmallVec::from_slice(text.as_bytes()))?;
                }
            }
            parts.recent.entry(part).or_insert_with(|| (least, text.into()));
        }
        Ok(Some(part))
    }

    /// The same for all images of a region: [`least_image`](Boards::least_image) takes none with another normal form.
    pub(crate) fn hash_of_normal(&self, region: &BoardKey) -> u64 {
        with_game!(&self.game, game => hash_of(&game.normalise(&region.resized()).0))
    }

    /// The player who has won everywhere.
    pub(crate) fn global_win(&self, board: &BoardKey) -> Option<Player> {
        if self.whole { with_game!(&self.game, game => game.global_win(&board.resized())) } else { None }
    }

    fn normal(&self, region: &BoardKey) -> (BoardKey, Sign) {
        with_game!(&self.game, game => {
            let (key, sign) = game.normalise(&region.resized());
            (key.resized(), sign)
        })
    }

    /// One board for all that a part becomes when it is turned and reflected, as far as the game says that its value stays.
    fn least_image(&self, part: &BoardKey) -> (String, BoardKey) {
        let (text, own) = (self.text(part), self.normal(part));
        let serves = |image: &str| self.read(image).ok().filter(|key| self.normal(key) == own);
        let images = Images::of(&text);
        // Nearly always the least of all serves.
        let Some(least) = images.as_ref().map(Images::least).filter(|least| *least < text) else {
            return (text, *part);
        };
        if let Some(key) = serves(&least) {
            return (least, key);
        }
        for image in images.map(|images| images.sorted()).unwrap_or_default() {
            if image >= text {
                break;
            }
            if let Some(key) = serves(&image) {
                return (image, key);
            }
        }
        (text, *part)
    }
}

/// Whether something is so of all regions of a board. They are as wide as the game has them: most games need a few words, and the
/// widest of them nine.
fn all_regions<const N: usize>(
    game: &Game<N>,
    whole: bool,
    board: &BoardKey,
    mut is_so: impl FnMut(&Key<N>) -> bool,
) -> bool {
    let mut all = true;
    let mut ask = |region: &Key<N>| all = all && is_so(region);
    if whole {
        ask(&board.resized());
    } else {
        game.impartial_parts(&board.resized(), &mut ask);
    }
    all
}

/// Whether neither player has a move.
fn is_over<const N: usize>(game: &Game<N>, region: &Key<N>) -> bool {
    !Player::BOTH.iter().any(|&who| game.options(region, who, &mut |_, _| ControlFlow::Break(())).is_break())
}

/// The same for one key in all widths.
fn hash_of<const N: usize>(key: &Key<N>) -> u64 {
    hash_of_words(short_words(key))
}

fn hash_of_words(words: &[u64]) -> u64 {
    let mut hasher = FxBuildHasher.build_hasher();
    for word in words {
        hasher.write_u64(*word);
    }
    hasher.finish()
}

/// A key without the words at its end that are 0: most games need few, and these tables are large.
type ShortKey = SmallVec<[u64; 3]>;

fn short_words<const N: usize>(key: &Key<N>) -> &[u64] {
    let end = key.0.iter().rposition(|word| *word != 0).map_or(0, |last| last + 1);
    &key.0[..end]
}

/// The two halves of a name; none is as good as 0, which no hash is.
fn halves_of(part: Option<Part>) -> [u64; 2] {
    let part = part.unwrap_or(0);
    [part as u64, (part >> 64) as u64]
}

fn of_halves([low, high]: [u64; 2]) -> Option<Part> {
    let part = u128::from(low) | u128::from(high) << 64;
    (part != 0).then_some(part)
}

/// The first half of the BLAKE3 hash.
pub(crate) fn short_hash(bytes: &[u8]) -> u128 {
    let mut half = [0; 16];
    half.copy_from_slice(&blake3::hash(bytes).as_bytes()[..16]);
    u128::from_le_bytes(half)
}

/// The texts of a grid that is turned and reflected.
struct Images<'t> {
    /// What stands before the grid.
    name: &'t str,
    cells: &'t [u8],
    height: usize,
    width: usize,
}

impl<'t> Images<'t> {
    /// None if the text is no grid.
    fn of(text: &'t str) -> Option<Images<'t>> {
        let name = text.bytes().position(|byte| byte == b'_').map_or(0, |place| place + 1);
        let cells = &text.as_bytes()[name..];
        let width = cells.iter().position(|&byte| byte == b'|').unwrap_or(cells.len());
        let is_row = |row: &[u8]| {
            let (letters, end) = row.split_at(width.min(row.len()));
            letters.len() == width
                && matches!(end, [] | [b'|'])
                && letters.iter().all(|byte| byte.is_ascii() && !matches!(byte, b'|' | b',' | b';' | b'/'))
        };
        let height = (cells.len() + 1) / (width + 1);
        let is_grid = width > 0 && height * (width + 1) == cells.len() + 1;
        (is_grid && cells.chunks(width + 1).all(is_row)).then_some(Images {
            name: &text[..name],
            cells,
            height,
            width,
        })
    }

    /// The rows of an image. Bit 2 exchanges rows and columns, bit 1 turns the rows round, bit 0 the columns.
    fn rows(&self, way: usize) -> impl Iterator<Item = impl Iterator<Item = u8>> {
        let &Images { cells, height, width, .. } = self;
        let (down, right) = (width as isize + 1, 1);
        let (top, down) = if way & 2 == 0 { (0, down) } else { ((height as isize - 1) * down, -down) };
        let (left, right) = if way & 1 == 0 { (0, right) } else { (width as isize - 1, -right) };
        let (rows, cols) = if way & 4 == 0 { (height, width) } else { (width, height) };
        let (next_row, next_col) = if way & 4 == 0 { (down, right) } else { (right, down) };
        (0..rows as isize).map(move |row| {
            let first = top + left + row * next_row;
            (0..cols as isize).map(move |col| cells[(first + col * next_col) as usize])
        })
    }

    /// The letters of an image.
    fn letters(&self, way: usize) -> impl Iterator<Item = u8> {
        let rows = if way & 4 == 0 { self.height } else { self.width };
        self.rows(way)
            .enumerate()
            .flat_map(move |(row, letters)| letters.chain((row + 1 < rows).then_some(b'|')))
    }

    fn text(&self, way: usize) -> String {
        let mut text = String::with_capacity(self.name.len() + self.cells.len() + self.height);
        text.push_str(self.name);
        for (row, letters) in self.rows(way).enumerate() {
            if row > 0 {
                text.push('|');
            }
            for letter in letters {
                text.push(char::from(letter));
            }
        }
        text
    }

    /// The least of them, which is found at the first letters in which they differ.
    fn least(&self) -> String {
        let better = |best, way| if self.letters(way).lt(self.letters(best)) { way } else { best };
        self.text((1..8).fold(0, better))
    }

    /// All of them, sorted.
    fn sorted(&self) -> Vec<String> {
        let mut found: Vec<String> = (0..8).map(|way| self.text(way)).collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_has_eight_images() {
        let images = |text: &str| Images::of(text).map(|images| images.sorted()).unwrap_or_default();
        assert_eq!(
            images("abc|def"),
            ["abc|def", "ad|be|cf", "cba|fed", "cf|be|ad", "da|eb|fc", "def|abc", "fc|eb|da", "fed|cba"]
        );
        assert_eq!(images("3,5"), Vec::<String>::new());
        for text in ["abc|def", "fed|cba", "b", "ba", "b|a|c", "name_fc|eb|da", "ooo|o.o|oxo"] {
            assert_eq!(Images::of(text).unwrap().least(), images(text)[0]);
        }
    }
}
