//! From patterns over letters to patterns over the codes of a board.

use std::sync::Arc;

use gb_board::Look;
use gb_rules::{GridTraits, Info, Sign};

use super::split::{self, Adjacency, FlatSteps, Splitting};
use crate::error::TextError;
use crate::kept;
use crate::pattern::{self, Pattern, Shape, Span, Step};
use crate::potential;
use crate::symmetry::{self, Likeness, Likenesses, Normaliser};
use crate::tree::{Action, BoardKind, ClaimKind, GameText, Legal, LetterSet, Play, Start};

/// The most planes a board has.
pub(crate) const MAX_PLANES: usize = 4;

/// A game on a grid, ready to be played. Letters are codes here: the place of a letter in the alphabet.
#[derive(Debug)]
pub(crate) struct GridProgram {
    pub(crate) info: Info,
    pub(crate) board: BoardKind,
    pub(crate) planes: usize,
    pub(crate) patterns: Vec<Compiled>,
    /// All patterns and all that may follow one, as single steps.
    pub(crate) steps: Vec<Compiled>,
    /// The same as flat lists, where they are that simple.
    pub(crate) flat_steps: Option<FlatSteps>,
    /// Whether the cells of all patterns are joined by bonds.
    pub(crate) bonded: bool,
    /// Whether a pattern needs something not to be there.
    pub(crate) has_absent: bool,
    /// The patterns of each player.
    pub(crate) of_player: [Vec<u16>; 2],
    /// The sets of codes that patterns look for.
    pub(crate) sets: Vec<LetterSet>,
    /// Groups of these must touch those.
    pub(crate) touching: Vec<(LetterSet, LetterSet)>,
    /// Pairs of cells of which one must touch something.
    pub(crate) pairs: Vec<Pair>,
    /// Codes that mean something to a pattern.
    pub(crate) live: LetterSet,
    pub(crate) scores: bool,
    pub(crate) has_points: bool,
    pub(crate) ragged: bool,
    pub(crate) shows_ragged: bool,
    pub(crate) likenesses: Vec<Likeness>,
    /// For each code the one it is exchanged for.
    pub(crate) exchange: Vec<usize>,
    pub(crate) normaliser: Normaliser,
    /// Weights of the codes that every move makes less, if there are some.
    pub(crate) weights: Option<Vec<u8>>,
    pub(crate) traits: Option<GridTraits>,
    pub(crate) splitting: Splitting,
    /// The steps that join the cells of all patterns, if boards may be taken apart so.
    pub(crate) coarse: Option<Adjacency>,
    /// Whether moves of one cell and longer ones are pointed at.
    pub(crate) has_long: bool,
    /// Whether a player may choose between letters to put.
    pub(crate) has_choice: bool,
    pub(crate) start: Option<Start>,
    pub(crate) look: Look,
    /// Whether everything about the game is derived, and nothing claimed.
    pub(crate) derived: bool,
}

/// Every cell of the first codes with one of the second a step from it: one of the two touches one of the last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    pub(crate) one: LetterSet,
    pub(crate) other: LetterSet,
    pub(crate) step: Step,
    pub(crate) near: LetterSet,
}

/// A pattern with what is computed once.
#[derive(Clone, Debug)]
pub(crate) struct Compiled {
    pub(crate) players: [bool; 2],
    pub(crate) shape: Shape,
    /// For each cell the place of its set in the list.
    pub(crate) tests: Vec<(i32, i32, u8)>,
    /// How many columns it takes.
    pub(crate) width: u32,
    /// Whether nothing but its cells has to be looked at.
    pub(crate) plain: bool,
    /// What to change in each plane, on boards whose rows are bytes, or for patterns of one row on all boards, if that is always
    /// the same.
    pub(crate) flips: Option<[u64; MAX_PLANES]>,
    /// Whether it has one row.
    pub(crate) is_row: bool,
    /// What joins its cells, where that is simple (see [`split::bonds`]).
    pub(crate) bonds: Vec<(u8, u8, u8)>,
    /// The patterns that may follow.
    pub(crate) then: Vec<Compiled>,
}

/// What a text that has been read becomes.
pub(crate) fn compile(game: &GameText, name: String) -> Result<GridProgram, TextError> {
    let patterns = pattern::patterns(game)?;
    for (rule, wrong) in game.moves.iter().filter_map(|rule| match &rule.action {
        Action::Rewrite(rewrite) => {
            Some((rule, rewrite.then.is_some() || rewrite.reach != crate::tree::Reach::Once))
        }
        _ => None,
    }) {
        if wrong && !game.legal.is_empty() {
            return Err(TextError::meaning(
                rule.at,
                "lines `legal:` do not go with `slide`, `repeat`, `pushing` and `then`",
            ));
        }
    }
    pattern::check_apart(game)?;
    let lettering = Lettering::of(game, &patterns)?;
    let code = |letter: u8| lettering.code(letter);
    let coded_set = |set: LetterSet| lettering.set(set);
    let patterns = lettering.patterns(&patterns);
    let planes = lettering.planes();
    let count = lettering.alphabet.len();
    let mut sets = vec![];
    let compiled: Vec<Compiled> =
        patterns.iter().map(|p| compiled(p.players, &p.shape, planes, &mut sets)).collect();
    let of_player = [0, 1].map(|who| {
        let own = |i: &u16| compiled[usize::from(*i)].players[who];
        (0..compiled.len() as u16).filter(own).collect::<Vec<u16>>()
    });
    let touching: Vec<(LetterSet, LetterSet)> = game
        .legal
        .iter()
        .filter_map(|legal| match *legal {
            Legal::Touches(group, near) => Some((coded_set(group), coded_set(near))),
            Legal::Pairs(..) | Legal::Apart(..) => None,
        })
        .collect();
    let pairs: Vec<Pair> = game
        .legal
        .iter()
        .filter_map(|legal| match *legal {
            Legal::Pairs(one, other, step, near) => {
                Some(Pair { one: coded_set(one), other: coded_set(other), step, near: coded_set(near) })
            }
            Legal::Touches(..) | Legal::Apart(..) => None,
        })
        .collect();
    // Cells that must touch something are joined to it, be they groups or pairs.
    let joined = touching.iter().copied().chain(pairs.iter().map(|pair| (pair.one | pair.other, pair.near)));
    let joined: Vec<(LetterSet, LetterSet)> = joined.collect();
    let mut live = patterns.iter().fold(0, |all, p| all | p.shape.looked_for());
    // Whatever stands at the end of a run is pushed over, also what no pattern looks for.
    if pushes(&patterns) {
        live |= coded_set(all_letters(game));
    }
    live |= joined.iter().fold(0, |all, (group, near)| all | group | near);
    let weights = potential::weights(&patterns, count);
    let ends = weights.is_some()
        || potential::walks_end(&patterns, count)
        || game.claims.iter().any(|claim| claim.kind == ClaimKind::Ends);
    let has_points = patterns.iter().any(|p| p.shape.points.0 > 0);
    let exchange = lettering.exchange();
    let list = lettering.found.list.clone();
    let normaliser = Normaliser::of(game.board, &list);
    let splitting = Splitting::choose(game, &patterns, &joined, coded_set)?;
    let scores = game.play == Play::Score;
    let traits =
        weights.clone().filter(|_| !has_points && game.board != BoardKind::Strip && !splitting.is_ragged());
    let traits = traits.map(|weights| traits_of(&weights, &list, &exchange));
    let example = game.example.as_ref().map_or("", |(_, example)| example);
    let start = game.start.clone().map(|start| coded_start(start, &|letter| usize::from(code(letter as u8))));
    let is_single =
        |p: &Pattern| p.shape.span == Span::Once && p.shape.first == p.shape.last && p.shape.cells.len() == 1;
    let steps: Vec<Compiled> =
        compiled.iter().flat_map(|p| std::iter::once(p).chain(&p.then)).cloned().collect();
    Ok(GridProgram {
        coarse: split::adjacency(game.board, &patterns, !joined.is_empty()),
        has_long: patterns.iter().any(is_single) && !patterns.iter().all(is_single),
        has_choice: has_choice(&patterns),
        info: Info {
            impartial: patterns.iter().all(|p| p.players == [true, true]) && !has_points,
            loopy: !ends,
            ..kept::info(game, name, example, &lettering.alphabet)
        },
        board: game.board,
        planes,
        flat_steps: FlatSteps::of(&steps, &sets),
        steps,
        bonded: patterns.iter().all(|p| is_bonded(&p.shape)),
        has_absent: compiled.iter().any(|p| !p.shape.absent.is_empty()),
        patterns: compiled,
        of_player,
        sets,
        touching,
        pairs,
        live,
        scores,
        has_points,
        ragged: game.board == BoardKind::Strip,
        shows_ragged: game.board == BoardKind::Strip && lettering.implicit,
        derived: lettering.derived && !splitting.is_claimed(),
        likenesses: list,
        exchange,
        normaliser,
        weights,
        traits,
        splitting,
        start,
        look: game.look,
    })
}

/// Which letter has which code.
pub(crate) struct Lettering {
    /// The letters in the order of their codes, with their meanings.
    pub(crate) alphabet: Vec<(char, &'static str)>,
    /// For each code the letter of the text, if it has one.
    order: Vec<Option<usize>>,
    code_of: Vec<u8>,
    /// Whether the letter around the board is none of the text.
    pub(crate) implicit: bool,
    /// What is alike.
    pub(crate) found: Likenesses,
    /// Whether all of that is derived.
    pub(crate) derived: bool,
}

impl Lettering {
    /// Finds out what is alike, and gives codes to the letters so that exchanging letters is easy.
    pub(crate) fn of(game: &GameText, patterns: &[Pattern]) -> Result<Lettering, TextError> {
        let mut letters: Vec<(char, String)> =
            game.cells.iter().map(|cell| (cell.letter, cell.meaning.clone())).collect();
        let blank = blank(game, patterns, &mut letters);
        let mut found = symmetry::derive(game.board, patterns, &game.legal, letters.len(), blank);
        let derived_list = found.list.clone();
        claimed_likenesses(game, letters.len(), &mut found)?;
        let order = match symmetry::codes(letters.len(), blank, &found.exchange) {
            Some(order) => order,
            None => {
                // Without the exchange of letters they fit.
                found.list.retain(|likeness| !likeness.exchanged);
                found.exchange = (0..letters.len() as u8).collect();
                symmetry::codes(letters.len(), blank, &found.exchange).unwrap_or_default()
            }
        };
        let mut code_of = vec![0u8; letters.len()];
        for (code, letter) in order.iter().enumerate() {
            if let Some(letter) = letter {
                code_of[*letter] = code as u8;
            }
        }
        let named = |(code, letter): (usize, &Option<usize>)| match letter {
            Some(letter) => (letters[*letter].0, kept::text(&letters[*letter].1)),
            // A code that no letter has: nobody can type it.
            None => (char::from_u32(0xe000 + code as u32).unwrap_or('\u{fffd}'), "(not used)"),
        };
        let alphabet = order.iter().enumerate().map(named).collect();
        let derived = derived_list == found.list;
        Ok(Lettering { alphabet, order, code_of, implicit: blank == game.cells.len(), found, derived })
    }

    pub(crate) fn code(&self, letter: u8) -> u8 {
        self.code_of.get(usize::from(letter)).copied().unwrap_or(letter)
    }

    pub(crate) fn set(&self, set: LetterSet) -> LetterSet {
        (0..16u8).filter(|i| set >> i & 1 == 1).fold(0, |all, i| all | 1 << self.code(i))
    }

    /// Patterns over codes.
    pub(crate) fn patterns(&self, patterns: &[Pattern]) -> Vec<Pattern> {
        let coded = |p: &Pattern| Pattern { players: p.players, shape: p.shape.lettered(&|l| self.code(l)) };
        patterns.iter().map(coded).collect()
    }

    fn planes(&self) -> usize {
        (usize::BITS - (self.order.len() - 1).leading_zeros()).max(1) as usize
    }

    /// For each code the one it is exchanged for.
    pub(crate) fn exchange(&self) -> Vec<usize> {
        let exchanged = |letter: usize| usize::from(self.code(self.found.exchange[letter]));
        (0..self.order.len()).map(|code| self.order[code].map_or(code, exchanged)).collect()
    }
}

fn is_bonded(shape: &Shape) -> bool {
    split::bonds(shape).is_some() && shape.then.iter().all(is_bonded)
}

/// Whether one gesture of a player can mean two moves, which put different letters.
fn has_choice(patterns: &[Pattern]) -> bool {
    // Pieces that go different ways are pointed at by different cells.
    let way = |span: Span| match span {
        Span::Once => None,
        Span::Repeat(step) | Span::Slide(step, _) | Span::Push(step, _) | Span::Sweep(step, ..) => Some(step),
    };
    let alike = |one: &Shape, other: &Shape| {
        let ends = way(one.span) == way(other.span)
            && (one.first, one.last, one.cells.len()) == (other.first, other.last, other.cells.len());
        let mut cells = one.cells.iter().zip(&other.cells);
        ends && cells.all(|(a, b)| a.at == b.at && a.before & b.before != 0)
    };
    patterns.iter().enumerate().any(|(i, one)| {
        patterns[..i].iter().any(|other| {
            (0..2).any(|who| one.players[who] && other.players[who]) && alike(&one.shape, &other.shape)
        })
    })
}

fn pushes(patterns: &[Pattern]) -> bool {
    patterns.iter().any(|pattern| matches!(pattern.shape.span, Span::Push(..)))
}

fn all_letters(game: &GameText) -> LetterSet {
    (0..game.cells.len()).fold(0, |all, letter| all | 1 << letter)
}

/// The letter that lies around the board: `#` or `.` if no pattern looks for it, or a new one. Cutting a part out of a board puts it
/// everywhere else, so no pattern may see the difference between it and the edge.
fn blank(game: &GameText, patterns: &[Pattern], letters: &mut Vec<(char, String)>) -> usize {
    let mut looked_for = patterns.iter().fold(0, |all, p| all | p.shape.looked_for());
    if pushes(patterns) {
        looked_for |= all_letters(game);
    }
    for legal in &game.legal {
        looked_for |= match *legal {
            Legal::Touches(one, other) | Legal::Apart(one, other) => one | other,
            Legal::Pairs(one, other, _, near) => one | other | near,
        };
    }
    // A piece that no pattern looks for is still a piece: the rest of a row that is shorter than others is not full of them.
    let hole =
        |letter: char| (0..letters.len()).find(|&i| letters[i].0 == letter && looked_for >> i & 1 == 0);
    if let Some(hole) = hole('#').or_else(|| hole('.')) {
        return hole;
    }
    let letter =
        "#%&@$=_+".chars().find(|c| letters.iter().all(|(known, _)| known != c)).unwrap_or('\u{2588}');
    letters.push((letter, "(not part of the board)".into()));
    letters.len() - 1
}

/// Adds the likenesses that the text claims, and all that follow from them.
fn claimed_likenesses(game: &GameText, letters: usize, found: &mut Likenesses) -> Result<(), TextError> {
    let has_swap = |found: &Likenesses| found.list.iter().any(|l| l.exchanged);
    let mut list: Vec<Likeness> = vec![];
    for claim in &game.claims {
        let plus = |image| Likeness { image, exchanged: false, sign: Sign::Plus };
        match claim.kind {
            ClaimKind::Mirrors => {
                list.push(plus((false, false, true)));
                if game.board != BoardKind::Strip {
                    list.push(plus((false, true, false)));
                }
            }
            ClaimKind::Transpose if game.board == BoardKind::Strip => {
                return Err(TextError::meaning(claim.at, "strips have no columns to become rows"));
            }
            ClaimKind::Transpose => list.push(plus((true, false, false))),
            ClaimKind::Swap(one, other) => {
                if !has_swap(found) {
                    found.exchange = (0..letters as u8).collect();
                    found.exchange.swap(one, other);
                } else if usize::from(found.exchange[one]) != other {
                    return Err(TextError::meaning(
                        claim.at,
                        "other letters can be exchanged already, by the moves themselves",
                    ));
                }
                list.push(Likeness { image: (false, false, false), exchanged: true, sign: Sign::Minus });
            }
            ClaimKind::Parts(..) | ClaimKind::Ends => {}
        }
    }
    if list.is_empty() {
        return Ok(());
    }
    // What is claimed and what is derived together generate all that is alike.
    found.list.extend(list);
    let compose = |one: Likeness, other: Likeness| Likeness {
        image: composed(one.image, other.image),
        exchanged: one.exchanged ^ other.exchanged,
        sign: if one.sign == other.sign { Sign::Plus } else { Sign::Minus },
    };
    loop {
        let known = found.list.clone();
        for &one in &known {
            for &other in &known {
                let both = compose(one, other);
                // Both signs: the board is its own negative, which says no more for a normal form.
                let is_known =
                    found.list.iter().any(|l| l.image == both.image && l.exchanged == both.exchanged);
                if !is_known {
                    found.list.push(both);
                }
            }
        }
        if found.list.len() == known.len() {
            break;
        }
    }
    found.list.sort_by_key(|l| (l.sign == Sign::Minus, l.exchanged, l.image));
    found.list.dedup();
    Ok(())
}

/// One image after the other, found by what they do to a corner.
fn composed(first: crate::pattern::Image, second: crate::pattern::Image) -> crate::pattern::Image {
    let done = |at| pattern::turned(pattern::turned(at, first), second);
    let all = symmetry::images(BoardKind::Grid);
    let same = |image: &&crate::pattern::Image| {
        [(1, 0), (0, 1)].into_iter().all(|at| pattern::turned(at, **image) == done(at))
    };
    all.iter().find(same).copied().unwrap_or_default()
}

pub(crate) fn compiled(
    players: [bool; 2],
    shape: &Shape,
    planes: usize,
    sets: &mut Vec<LetterSet>,
) -> Compiled {
    let tests = shape
        .cells
        .iter()
        .map(|cell| {
            // The first step of a slide may already land, or not yet.
            let wanted = match shape.span {
                Span::Slide(_, over) if cell.at == shape.last => cell.before | over,
                _ => cell.before,
            };
            let index = sets.iter().position(|set| *set == wanted).unwrap_or_else(|| {
                sets.push(wanted);
                sets.len() - 1
            });
            (cell.at.0, cell.at.1, index as u8)
        })
        .collect();
    let width = shape.cells.iter().map(|cell| cell.at.1).max().unwrap_or(0) as u32 + 1;
    let height = shape.cells.iter().map(|cell| cell.at.0).max().unwrap_or(0);
    let bare = shape.absent.is_empty()
        && shape.present.is_empty()
        && shape.neighbours.is_none()
        && shape.then.is_empty();
    let plain = shape.span == Span::Once && bare;
    let rewritten_as_is = plain || bare && matches!(shape.span, Span::Repeat(_));
    let always = shape.cells.iter().all(|cell| cell.after.is_none() || cell.before.is_power_of_two());
    let flips = (rewritten_as_is && always && width <= 8 && height < 8).then(|| {
        let mut flips = [0u64; MAX_PLANES];
        for cell in shape.cells.iter() {
            let Some(after) = cell.after else { continue };
            let change = after ^ cell.before.trailing_zeros() as u8;
            for (plane, flip) in flips.iter_mut().enumerate().take(planes) {
                *flip |= u64::from(change >> plane & 1) << (8 * cell.at.0 + cell.at.1);
            }
        }
        flips
    });
    let then = shape.then.iter().map(|then| compiled(players, then, planes, sets)).collect();
    let bonds = split::bonds(shape).unwrap_or_default();
    Compiled { players, shape: shape.clone(), tests, width, plain, flips, is_row: height == 0, bonds, then }
}

/// What tables of all boards need to know.
fn traits_of(weights: &[u8], list: &[Likeness], exchange: &[usize]) -> GridTraits {
    let has = |image, exchanged, sign| list.contains(&Likeness { image, exchanged, sign });
    let mirrors =
        has((false, true, false), false, Sign::Plus) && has((false, false, true), false, Sign::Plus);
    let transposed = (true, false, false);
    let transpose = [Sign::Plus, Sign::Minus].into_iter().find(|&sign| has(transposed, false, sign));
    let same_weights = exchange.iter().enumerate().all(|(code, &to)| weights[code] == weights[to]);
    let swaps = has((false, false, false), true, Sign::Minus) && same_weights;
    let swap: Option<&'static [u8]> =
        swaps.then(|| kept::numbers(&exchange.iter().map(|&code| code as u8).collect::<Vec<u8>>()));
    GridTraits { weights: kept::numbers(weights), mirrors, transpose, swap }
}

fn coded_start(start: Start, code: &dyn Fn(usize) -> usize) -> Start {
    use crate::tree::Ground;
    let ground = match start.ground {
        Ground::Fill(one) => Ground::Fill(code(one)),
        Ground::Checker(one, other) => Ground::Checker(code(one), code(other)),
        Ground::Thirds(three) => Ground::Thirds(three.map(code)),
        Ground::Corners(three) => Ground::Corners(three.map(code)),
        Ground::Rows(rows) => Ground::Rows(rows.map(|row| row.into_iter().map(code).collect())),
    };
    Start { ground, middle: start.middle.into_iter().map(code).collect() }
}

/// The program behind a pointer, for rules that are copied.
pub(crate) type Shared = Arc<GridProgram>;
