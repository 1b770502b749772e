//! Games on the vertices of graphs: patterns are paths along edges.
//!
//! A graph falls apart into connected sets of live vertices, for the same reason as a grid does (see `grid/split.rs`): no
//! pattern looks for the letter that means nothing, so the vertices of a path that is rewritten are live, and joined by edges.

use std::ops::ControlFlow;
use std::sync::Arc;

use gb_board::{Alphabet, BoardError, Graph, Scene, Size, Spot, Word};
use gb_rules::{AnyGame, Capabilities, ImpartialForm, Info, MoveCode, Player, Rules, Scoring, Sign, Variant};
use smallvec::SmallVec;

use crate::error::TextError;
use crate::grid::compile::Lettering;
use crate::kept;
use crate::pattern;
use crate::potential;
use crate::tree::{Action, GameText, Ground, Legal, LetterSet, Per, Play, Points, Rewrite};

/// How many planes the codes of vertices have.
const PLANES: usize = 4;

type Board = Graph<PLANES>;

/// A path that is rewritten. Letters are codes.
#[derive(Debug)]
struct Path {
    players: [bool; 2],
    cells: Vec<(LetterSet, Option<u8>)>,
    /// These letters must be beside the vertices that change, or must not.
    conditions: Vec<(LetterSet, bool)>,
    /// Beside the vertices of these places on the path, as bits, these letters must not be.
    apart: Vec<(u32, LetterSet)>,
    neighbours: Option<(LetterSet, u8)>,
    points: Points,
    /// The path and its reverse are the same pattern.
    symmetric: bool,
}

/// A game on graphs, ready to be played.
#[derive(Debug)]
pub(crate) struct GraphProgram {
    pub(crate) info: Info,
    paths: Vec<Path>,
    live: LetterSet,
    /// The code of vertices whose state is not written.
    usual: usize,
    pub(crate) exchanges: bool,
    scores: bool,
    derived: bool,
}

/// The rules of a game on graphs.
#[derive(Clone)]
pub(crate) struct TextGraph(Arc<GraphProgram>);

/// A move: the pattern, and the vertices of the path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct GraphMove(u64);

impl MoveCode for GraphMove {
    fn code(&self) -> u64 {
        self.0
    }
    fn of_code(code: u64) -> GraphMove {
        GraphMove(code)
    }
}

impl GraphMove {
    fn new(pattern: usize, path: &[u32]) -> GraphMove {
        GraphMove(
            path.iter()
                .enumerate()
                .fold(pattern as u64, |code, (i, &node)| code | u64::from(node) << (8 + 6 * i)),
        )
    }
    fn pattern(self) -> usize {
        (self.0 & 0xff) as usize
    }
    fn vertices(self, count: usize) -> impl Iterator<Item = u32> {
        (0..count).map(move |i| (self.0 >> (8 + 6 * i) & 63) as u32)
    }
}

/// Makes a game of a text.
pub(crate) fn compile(game: &GameText, name: String) -> Result<GraphProgram, TextError> {
    let patterns = pattern::patterns(game)?;
    if let Some(claim) = game.claims.first() {
        return Err(TextError::meaning(
            claim.at,
            "claims are for games on grids and strips, where small boards can be gone through",
        ));
    }
    let lettering = Lettering::of(game, &patterns)?;
    let coded = lettering.patterns(&patterns);
    let code = |letter: usize| lettering.code(letter as u8);
    let mut paths = vec![];
    for rule in &game.moves {
        let Action::Rewrite(rewrite) = &rule.action else { continue };
        let players = match rule.who {
            Some(Player::Left) => [true, false],
            Some(Player::Right) => [false, true],
            None => [true, true],
        };
        paths.push(path(game, rewrite, players, &lettering));
    }
    pattern::check_apart(game)?;
    for legal in &game.legal {
        if let Legal::Touches(..) | Legal::Pairs(..) = legal {
            return Err(TextError::Missing {
                line: "board grid",
                expected: "`board grid` where groups must touch something",
            });
        }
    }
    let usual = match &game.start {
        Some(start) => match start.ground {
            Ground::Fill(letter) => usize::from(code(letter)),
            _ => 1,
        },
        None => game.cells.iter().position(|cell| cell.letter == '.').map_or(1, |l| usize::from(code(l))),
    };
    let mut live = coded.iter().fold(0, |all, p| all | p.shape.looked_for());
    live &= !1;
    let has_points = paths.iter().any(|p| p.points.each > 0);
    let example = match &game.example {
        Some((_, example)) => example.clone(),
        None => "5;0-1,1-2,2-3,3-4,4-0".into(),
    };
    Ok(GraphProgram {
        info: Info {
            impartial: paths.iter().all(|p| p.players == [true, true]) && !has_points,
            loopy: potential::weights(&coded, lettering.alphabet.len()).is_none(),
            ..kept::info(game, name, &example, &lettering.alphabet)
        },
        exchanges: lettering.found.list.iter().any(|l| l.exchanged && l.sign == Sign::Minus),
        derived: lettering.derived,
        paths,
        live,
        usual,
        scores: game.play == Play::Score,
    })
}

fn path(game: &GameText, rewrite: &Rewrite, players: [bool; 2], lettering: &Lettering) -> Path {
    let code = |letter: usize| lettering.code(letter as u8);
    let cells: Vec<(LetterSet, Option<u8>)> = rewrite.cells[0]
        .iter()
        .map(|symbol| (lettering.set(symbol.before.unwrap_or(0)), symbol.after.map(code)))
        .collect();
    // The parser has seen to it that no condition is about the edge of a board.
    let asked = rewrite.conditions.iter().filter_map(|c| Some((c.letters?, c.wanted)));
    let conditions = asked.map(|(letters, wanted)| (lettering.set(letters), wanted)).collect();
    let mut apart = vec![];
    for legal in &game.legal {
        let &Legal::Apart(one, other) = legal else { continue };
        for (put, near) in [(one, other), (other, one)] {
            let is_put =
                |place: &usize| rewrite.cells[0][*place].after.is_some_and(|letter| put >> letter & 1 == 1);
            let places = (0..cells.len()).filter(is_put).fold(0u32, |all, place| all | 1 << place);
            apart.push((places, lettering.set(near)));
        }
    }
    let points = match rewrite.points {
        Points { each, per: Per::Beside(letters) } => {
            Points { each, per: Per::Beside(lettering.set(letters)) }
        }
        points => points,
    };
    let symmetric = cells.iter().eq(cells.iter().rev());
    let neighbours = rewrite.neighbours.map(|(set, after)| (lettering.set(set), code(after)));
    Path { players, cells, conditions, apart, neighbours, points, symmetric }
}

/// Opens a game on graphs.
pub(crate) fn open(program: &Arc<GraphProgram>, variant: Variant) -> AnyGame {
    AnyGame::interned(variant, TextGraph(program.clone()))
}

fn nodes_of(at: &Board, codes: LetterSet) -> u64 {
    let mut found = 0;
    for code in (1..16).filter(|code| codes >> code & 1 == 1) {
        let planes = at.planes.iter().enumerate();
        found |=
            planes.fold(u64::MAX, |all, (i, &plane)| all & if code >> i & 1 == 1 { plane } else { !plane });
    }
    found
}

fn put(at: &mut Board, nodes: u64, code: u8) {
    for (i, plane) in at.planes.iter_mut().enumerate() {
        if code >> i & 1 == 1 {
            *plane |= nodes;
        } else {
            *plane &= !nodes;
        }
    }
}

impl TextGraph {
    fn letters(&self) -> Alphabet {
        Alphabet(self.0.info.alphabet)
    }

    /// Goes on along edges from the last vertex.
    fn walk(
        &self,
        at: &Board,
        path: &Path,
        sets: &[u64],
        walked: &mut SmallVec<[u32; 8]>,
        emit: &mut dyn FnMut(&[u32]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if walked.len() == path.cells.len() {
            // A path that reads the same from both ends is one move.
            let is_other_end = path.symmetric && walked.len() > 1 && walked[0] > walked[walked.len() - 1];
            if is_other_end || !self.allows(at, path, walked) {
                return ControlFlow::Continue(());
            }
            return emit(walked);
        }
        let taken = walked.iter().fold(0u64, |all, &node| all | 1 << node);
        let next = sets[walked.len()] & !taken & walked.last().map_or(u64::MAX, |&last| at.around(1 << last));
        for node in next.cells() {
            walked.push(node);
            self.walk(at, path, sets, walked, emit)?;
            walked.pop();
        }
        ControlFlow::Continue(())
    }

    /// The neighbours of the vertices that change, outside of the path.
    fn surroundings(at: &Board, path: &Path, walked: impl Iterator<Item = u32>) -> u64 {
        let (mut changed, mut all) = (0u64, 0u64);
        for (node, (_, after)) in walked.zip(&path.cells) {
            all |= 1 << node;
            changed |= u64::from(after.is_some()) << node;
        }
        at.around(changed) & !all
    }

    fn allows(&self, at: &Board, path: &Path, walked: &[u32]) -> bool {
        let near = Self::surroundings(at, path, walked.iter().copied());
        let is_apart = |&(places, letters): &(u32, LetterSet)| {
            let placed = walked.iter().enumerate().filter(|(place, _)| places >> place & 1 == 1);
            let placed = placed.fold(0u64, |placed, (_, &node)| placed | 1 << node);
            // What is there after the move: vertices of the path as well.
            let mut there = nodes_of(at, letters);
            for (&node, (_, after)) in walked.iter().zip(&path.cells) {
                match after {
                    Some(letter) if letters >> letter & 1 == 1 => there |= 1 << node,
                    Some(_) => there &= !(1 << node),
                    None => {}
                }
            }
            !at.around(placed).meets(there)
        };
        path.apart.iter().all(is_apart)
            && path.conditions.iter().all(|&(letters, wanted)| near.meets(nodes_of(at, letters)) == wanted)
    }

    fn split(&self, at: &Board, emit: &mut impl FnMut(u64)) {
        let mut left = nodes_of(at, self.0.live);
        while left != 0 {
            let mut part = u64::bit(left.first());
            loop {
                let next = part | (at.around(part) & left);
                if next == part {
                    break;
                }
                part = next;
            }
            left &= !part;
            emit(part);
        }
    }
}

impl Rules for TextGraph {
    type Board = Board;
    type Move = GraphMove;

    fn info(&self) -> Info {
        self.0.info.clone()
    }
    fn read(&self, text: &str) -> Result<Board, BoardError> {
        Graph::read(text, &self.letters(), self.0.usual)
    }
    fn show(&self, at: &Board) -> String {
        at.show(&self.letters(), self.0.usual)
    }
    fn start(&self, _size: Size) -> Result<Board, BoardError> {
        Err(BoardError::Invalid(format!(
            "{} is played on graphs: give one such as `{}`",
            self.0.info.title, self.0.info.example
        )))
    }
    fn moves(
        &self,
        at: &Board,
        who: Player,
        emit: &mut impl FnMut(GraphMove) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for (index, path) in self.0.paths.iter().enumerate().filter(|(_, path)| path.players[who as usize]) {
            let sets: SmallVec<[u64; 8]> = path.cells.iter().map(|(set, _)| nodes_of(at, *set)).collect();
            let mut walked = SmallVec::new();
            self.walk(at, path, &sets, &mut walked, &mut |walked| emit(GraphMove::new(index, walked)))?;
        }
        ControlFlow::Continue(())
    }
    fn play(&self, at: &mut Board, _who: Player, mv: &GraphMove) {
        let path = &self.0.paths[mv.pattern()];
        let count = path.cells.len();
        if let Some((letters, after)) = path.neighbours {
            let near = Self::surroundings(at, path, mv.vertices(count)) & nodes_of(at, letters);
            put(at, near, after);
        }
        for (node, (_, after)) in mv.vertices(count).zip(&path.cells) {
            if let Some(after) = after {
                put(at, 1 << node, *after);
            }
        }
    }
    fn gesture(&self, _at: &Board, _who: Player, mv: &GraphMove) -> Vec<Spot> {
        mv.vertices(self.0.paths[mv.pattern()].cells.len()).map(Spot::Node).collect()
    }
    fn scene(&self, at: &Board) -> Scene {
        at.scene(&self.letters())
    }
    fn parts(&self, at: &Board, emit: &mut impl FnMut(Board)) {
        self.split(at, &mut |part| emit(at.cut(part)));
    }
    fn regions(&self, at: &Board, emit: &mut impl FnMut(Board, Vec<Spot>)) {
        self.split(at, &mut |part| emit(at.cut(part), part.cells().map(Spot::Node).collect()));
    }
    /// As far as it is cheap to find: numbered anew, with either player as Left where letters can be exchanged.
    fn normalise(&self, at: Board) -> (Board, Sign) {
        // Parts have no vertices that mean nothing.
        let vertices = at.planes.iter().fold(0, |all, plane| all | plane);
        let kept = at.cut(vertices);
        if !self.0.exchanges {
            return (kept, Sign::Plus);
        }
        let mut exchanged = at;
        exchanged.planes.swap(0, 1);
        let exchanged = exchanged.cut(vertices);
        if exchanged < kept { (exchanged, Sign::Minus) } else { (kept, Sign::Plus) }
    }
    fn capabilities(&self) -> Capabilities<'_, Board, GraphMove> {
        let counts = self.0.scores || self.0.paths.iter().any(|p| p.points.each > 0);
        Capabilities {
            scoring: counts.then_some(self as _),
            impartial_form: if self.0.derived { ImpartialForm::Same } else { ImpartialForm::Nothing },
            ..Capabilities::default()
        }
    }
}

impl Scoring<Board, GraphMove> for TextGraph {
    fn points(&self, at: &Board, who: Player, mv: &GraphMove) -> i64 {
        let path = &self.0.paths[mv.pattern()];
        let count = match path.points.per {
            Per::Move => 1,
            Per::Cell => {
                let mut after = at.clone();
                self.play(&mut after, who, mv);
                at.planes.iter().zip(&after.planes).fold(0, |all, (a, b)| all | (a ^ b)).len()
            }
            Per::Beside(letters) => {
                let near = Self::surroundings(at, path, mv.vertices(path.cells.len()));
                (near & nodes_of(at, letters)).len()
            }
        };
        let points = i64::from(path.points.each) * i64::from(count);
        if who == Player::Left { points } else { -points }
    }
    fn ends_in_score(&self) -> bool {
        self.0.scores
    }
}
