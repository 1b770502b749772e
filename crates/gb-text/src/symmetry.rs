//! Which boards are alike: derived from the patterns, and one representative of them.
//!
//! **Why this is sound.** Let `g` be an image of grids and `p` a permutation of the letters that keeps the letter around the
//! board. If `g` and `p` together turn the set of Left's patterns into itself, and Right's likewise, then a move of a player on a board
//! becomes a move of the same player on its image, and back, for a pattern matches, and is rewritten, by its cells alone. So
//! a board and its image have the same game tree, by induction over the moves. If they turn Left's patterns into Right's and
//! the other way round, the image has the tree of the negative. Points count in the same way, and are part of a pattern; what must
//! hold after a move must be kept by `p` too, groups being the same on every image.

use gb_board::{BitGrid, Grid, Word};
use gb_rules::Sign;
use gb_rules::grid::Symmetry;

use crate::pattern::{Image, Pattern, Shape, neighbours, turned};
use crate::tree::{BoardKind, Legal, LetterSet};

/// Up to so many pairs of an involution and a pattern are tried.
const MAX_TRIALS: usize = 60_000;

/// A board and the image of it are alike.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Likeness {
    pub(crate) image: Image,
    /// Whether letters are exchanged.
    pub(crate) exchanged: bool,
    pub(crate) sign: Sign,
}

/// All that is alike, and which letters are exchanged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Likenesses {
    pub(crate) list: Vec<Likeness>,
    /// The letter that each letter is exchanged for.
    pub(crate) exchange: Vec<u8>,
}

/// The images of a grid.
pub(crate) fn images(board: BoardKind) -> Vec<Image> {
    let both = [false, true];
    match board {
        BoardKind::Strip => both.map(|reversed| (false, false, reversed)).to_vec(),
        BoardKind::Graph => vec![(false, false, false)],
        _ => both
            .into_iter()
            .flat_map(|t| both.into_iter().flat_map(move |u| both.map(move |r| (t, u, r))))
            .collect(),
    }
}

/// Finds what is alike. `letters` counts the letters; `blank` lies around the board.
pub(crate) fn derive(
    board: BoardKind,
    patterns: &[Pattern],
    legal: &[Legal],
    letters: usize,
    blank: usize,
) -> Likenesses {
    let identity: Vec<u8> = (0..letters as u8).collect();
    let mut best = likenesses(board, patterns, legal, &identity);
    let mut trials = 0;
    involutions(letters, blank, &mut |exchange| {
        trials += patterns.len().max(1);
        if trials > MAX_TRIALS {
            return false;
        }
        let found = likenesses(board, patterns, legal, exchange);
        if found.list.len() > best.list.len() {
            best = found;
        }
        true
    });
    best
}

/// Calls `emit` for every involution of the letters but the identity that keeps the blank, until it says no.
fn involutions(letters: usize, blank: usize, emit: &mut dyn FnMut(&[u8]) -> bool) {
    fn go(at: usize, map: &mut Vec<u8>, blank: usize, emit: &mut dyn FnMut(&[u8]) -> bool) -> bool {
        let Some(first) = (at..map.len()).find(|&i| i != blank && usize::from(map[i]) == i) else {
            return map.iter().enumerate().all(|(i, &to)| usize::from(to) == i) || emit(map);
        };
        for other in first..map.len() {
            if other == blank || usize::from(map[other]) != other {
                continue;
            }
            map.swap(first, other);
            let goes_on = go(first + 1, map, blank, emit);
            map.swap(first, other);
            if !goes_on {
                return false;
            }
        }
        true
    }
    go(0, &mut (0..letters as u8).collect(), blank, emit);
}

fn likenesses(board: BoardKind, patterns: &[Pattern], legal: &[Legal], exchange: &[u8]) -> Likenesses {
    let of = |who: usize| {
        let mut shapes: Vec<Shape> =
            patterns.iter().filter(|p| p.players[who]).map(|p| p.shape.clone().essence()).collect();
        shapes.sort_unstable();
        shapes
    };
    let own = [of(0), of(1)];
    let is_identity = exchange.iter().enumerate().all(|(i, &to)| usize::from(to) == i);
    let mut list = vec![];
    for exchanged in [false, true] {
        if exchanged && is_identity {
            continue;
        }
        for image in images(board) {
            if !keeps_legal(board, legal, image, if exchanged { exchange } else { &[] }) {
                continue;
            }
            let letter =
                |l: u8| if exchanged { exchange.get(usize::from(l)).copied().unwrap_or(l) } else { l };
            let turned = own.each_ref().map(|shapes| {
                let mut shapes: Vec<Shape> =
                    shapes.iter().map(|s| s.image(image, &letter).essence()).collect();
                shapes.sort_unstable();
                shapes
            });
            let keeps = turned == own;
            let negates = turned[0] == own[1] && turned[1] == own[0];
            if keeps {
                list.push(Likeness { image, exchanged, sign: Sign::Plus });
            } else if negates {
                list.push(Likeness { image, exchanged, sign: Sign::Minus });
            }
        }
    }
    // The identity comes first, and what keeps the sign before what does not.
    list.sort_by_key(|l| (l.sign == Sign::Minus, l.exchanged, l.image));
    Likenesses { list, exchange: exchange.to_vec() }
}

/// Whether what must hold after a move is the same on images, with letters exchanged.
fn keeps_legal(board: BoardKind, legal: &[Legal], image: Image, exchange: &[u8]) -> bool {
    // Groups and pairs touch what is beside them: on hexagons not every image has the same neighbours.
    let near = neighbours(board, false);
    let touches = legal.iter().any(|legal| !matches!(legal, Legal::Apart(..)));
    if touches && !near.iter().all(|&step| near.contains(&turned(step, image))) {
        return false;
    }
    let letter = |i: usize| exchange.get(i).map_or(i, |&to| usize::from(to));
    let set = |set: LetterSet| (0..16).filter(|i| set >> i & 1 == 1).fold(0, |all, i| all | 1 << letter(i));
    let exchanged = |legal: &Legal| match *legal {
        Legal::Touches(group, near) => Legal::Touches(set(group), set(near)),
        Legal::Pairs(one, other, step, near) => {
            Legal::Pairs(set(one), set(other), turned(step, image), set(near))
        }
        // These are part of the patterns.
        Legal::Apart(..) => *legal,
    };
    legal.iter().all(|one| legal.contains(&exchanged(one)))
}

/// How the representative of a board is found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Normaliser {
    /// One of the usual kinds, for which there are faster ways.
    Usual(Symmetry),
    /// The least of these images.
    Least(Vec<Likeness>),
}

impl Normaliser {
    pub(crate) fn of(board: BoardKind, list: &[Likeness]) -> Normaliser {
        let has =
            |image: Image, exchanged: bool, sign: Sign| list.contains(&Likeness { image, exchanged, sign });
        let all =
            |exchanged: bool, sign: Sign| images(board).into_iter().all(|image| has(image, exchanged, sign));
        let count = list.len();
        if board == BoardKind::Strip {
            let reversed = (false, false, true);
            return Normaliser::Usual(match count {
                4 if all(false, Sign::Plus) && all(true, Sign::Minus) => Symmetry::RowAndColours,
                2 if has(reversed, false, Sign::Plus) => Symmetry::Row,
                2 if has(reversed, true, Sign::Minus) => Symmetry::RowFromBehind,
                1 => Symmetry::Unknown,
                _ => return Normaliser::Least(list.to_vec()),
            });
        }
        let transposed = |image: &Image| image.0;
        let negates = |image: Image| if transposed(&image) { Sign::Minus } else { Sign::Plus };
        Normaliser::Usual(match count {
            16 if all(false, Sign::Plus) && all(true, Sign::Minus) => Symmetry::ImagesAndColours,
            8 if all(false, Sign::Plus) => Symmetry::Images,
            8 if images(board).into_iter().all(|i| has(i, false, negates(i))) => Symmetry::TransposeNegates,
            1 => Symmetry::Unknown,
            _ => return Normaliser::Least(list.to_vec()),
        })
    }

    /// The representative of all boards that are like this one.
    #[inline]
    pub(crate) fn normalise<W: Word, const N: usize>(&self, at: BitGrid<W, N>) -> (BitGrid<W, N>, Sign) {
        match self {
            Normaliser::Usual(symmetry) => symmetry.normalise(at),
            Normaliser::Least(list) => {
                let (mut least, mut sign) = (at, Sign::Plus);
                for likeness in list {
                    let image = image(at, likeness);
                    if image < least {
                        (least, sign) = (image, likeness.sign);
                    }
                }
                (least, sign)
            }
        }
    }
}

/// The image of a board. Exchanged letters have codes that differ by the exchange of the first two planes.
fn image<W: Word, const N: usize>(at: BitGrid<W, N>, likeness: &Likeness) -> BitGrid<W, N> {
    let (transposed, flipped, reversed) = likeness.image;
    let mut board = if transposed { at.transpose() } else { at };
    if reversed {
        board = board.turn().flip();
    }
    if flipped {
        board = board.flip();
    }
    if likeness.exchanged && N > 1 { Grid::exchange(board) } else { board }
}

/// The letters in the order of their codes, so that exchanging the first two planes exchanges letters. `None`: they do not
/// fit into four planes. Codes without a letter are `None` in the list.
pub(crate) fn codes(letters: usize, blank: usize, exchange: &[u8]) -> Option<Vec<Option<usize>>> {
    let mut order: Vec<Option<usize>> = vec![None; 16];
    order[0] = Some(blank);
    let is_identity = exchange.iter().enumerate().all(|(i, &to)| usize::from(to) == i);
    if is_identity {
        let others = (0..letters).filter(|&letter| letter != blank);
        for (code, letter) in (1..16).zip(others) {
            order[code] = Some(letter);
        }
    } else {
        let (mut pairs, mut fixed) = ([1, 5, 9, 13].into_iter(), [3, 4, 7, 8, 11, 12, 15].into_iter());
        for letter in (0..letters).filter(|&letter| letter != blank) {
            let other = usize::from(exchange[letter]);
            if other == letter {
                order[fixed.next()?] = Some(letter);
            } else if letter < other {
                let code = pairs.next()?;
                (order[code], order[code + 1]) = (Some(letter), Some(other));
            }
        }
    }
    let used = order.iter().rposition(Option::is_some)? + 1;
    order.truncate(used);
    Some(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn involutions_are_counted() {
        // Of 1, 2, 3, 4 things there are 1, 2, 4, 10, the identity among them.
        for (letters, count) in [(2, 0), (3, 1), (4, 3), (5, 9)] {
            let mut found = 0;
            involutions(letters, 0, &mut |map| {
                assert!(map.iter().enumerate().all(|(i, &to)| usize::from(map[usize::from(to)]) == i));
                assert_eq!(map[0], 0);
                found += 1;
                true
            });
            assert_eq!(found, count, "{letters} letters");
        }
    }

    #[test]
    fn exchanged_letters_differ_by_two_planes() {
        assert_eq!(codes(4, 0, &[0, 2, 1, 3]), Some(vec![Some(0), Some(1), Some(2), Some(3)]));
        assert_eq!(codes(4, 0, &[0, 1, 3, 2]), Some(vec![Some(0), Some(2), Some(3), Some(1)]));
        assert_eq!(codes(3, 1, &[0, 1, 2]), Some(vec![Some(1), Some(0), Some(2)]));
    }
}
