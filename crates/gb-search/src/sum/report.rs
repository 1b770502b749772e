//! A whole bench: positions of any games and plain values, added up.

use crate::Scores;
use crate::question::outcome::Winners;
use gb_value::loopy::Ending;
use gb_value::stoppers::LoopyValue;
use gb_value::{Dyadic, Halt, Kernel, Player, Value};
use rustc_hash::FxHashMap;

use crate::sum::analysis::{Analysis, SumMove, analyse};
use crate::sum::component::Component;
use crate::sum::loops::{LoopyAnalysis, LoopyMove, analyse_loops};
use crate::sum::position::{BoardMove, Examined};
use crate::sum::scores::{ScoredMove, SumScores};

/// One summand as it was put on the bench.
#[derive(Clone, Debug)]
pub enum Summand {
    /// A position of a game.
    Position(Examined),
    /// A value.
    Value {
        /// As it was written.
        text: String,
        /// What it is.
        value: Value,
    },
    /// A value with loops.
    Loopy {
        /// As it was written.
        text: String,
        /// What it is.
        value: LoopyValue,
    },
}

/// A winning move, with everything a front end needs to show it.
#[derive(Clone, Debug)]
pub struct ExplainedMove<'r> {
    /// Which summand it is made in.
    pub summand: usize,
    /// Which part of it, if the summand is a position.
    pub component: Option<usize>,
    /// The move on the board, if the summand is a position.
    pub on_board: Option<&'r BoardMove>,
    /// What the part becomes.
    pub to: Value,
    /// What is left of the whole sum.
    pub leaves: Value,
}

/// A move in a sum that ends in a score.
#[derive(Clone, Debug)]
pub struct ExplainedScore<'r> {
    /// Which summand it is made in.
    pub summand: usize,
    /// Which part of it, if the summand is a position.
    pub component: Option<usize>,
    /// The move on the board, if the summand is a position.
    pub on_board: Option<&'r BoardMove>,
    /// What the part becomes, in a sum of several summands.
    pub to: Option<Value>,
    /// The score that best play leads to.
    pub score: Dyadic,
    /// How much worse that is than the best move.
    pub loses: Dyadic,
}

/// All that was found out about a sum.
#[derive(Clone, Debug)]
pub struct SumReport {
    /// The summands.
    pub summands: Vec<Summand>,
    /// The sum, who wins, and the winning moves, or why that was not found.
    pub analysis: Result<Analysis, Halt>,
    /// The same where some value has loops, and so no place in the store.
    pub loops: Option<LoopyAnalysis>,
    /// Where points decide, and not who moves last: what the sum ends with. Then nobody wins by `analysis`.
    pub scores: Option<SumScores>,
    components: Vec<Component>,
    /// For each component its summand, and its part there.
    origins: Vec<(usize, Option<usize>)>,
}

impl SumReport {
    /// Adds the summands up.
    pub fn new(kernel: &Kernel<'_>, summands: Vec<Summand>) -> SumReport {
        let (mut components, mut origins) = (vec![], vec![]);
        let mut gather = || -> Result<(), Halt> {
            for (index, summand) in summands.iter().enumerate() {
                match summand {
                    Summand::Value { text, value } => {
                        components
                            .push(Component::of_value(kernel, text.clone(), *value, |_| String::new())?);
                        origins.push((index, None));
                    }
                    Summand::Loopy { .. } => return Err(Halt::Repetition),
                    Summand::Position(examined) => {
                        for (part, component) in examined.valued_components()?.into_iter().enumerate() {
                            components.push(component);
                            origins.push((index, (part < examined.components.len()).then_some(part)));
                        }
                    }
                }
            }
            Ok(())
        };
        let analysis = gather().and_then(|()| analyse(kernel, &components));
        let loops = match analysis {
            Err(Halt::Repetition) => analyse_loops(kernel, &summands).ok().flatten(),
            _ => None,
        };
        let scores = scores(kernel, &summands, &components, analysis.as_ref().err().copied());
        SumReport { summands, analysis, loops, scores, components, origins }
    }

    /// The moves of a player in a sum that ends in a score, the best first.
    pub fn scored_moves(&self, player: Player) -> Vec<ExplainedScore<'_>> {
        let Some(scores) = &self.scores else { return vec![] };
        let on_boards = self.moves_on_boards(player);
        let explain = |mv: &ScoredMove| match &self.summands[..] {
            // The only board: its moves are numbered as they are listed.
            [Summand::Position(examined)] => {
                let on_board = examined.moves[player as usize].get(mv.at.index);
                let component = on_board.and_then(|on_board| on_board.component);
                let (score, loses) = (mv.score.clone(), mv.loses.clone());
                ExplainedScore { summand: 0, component, on_board, to: None, score, loses }
            }
            _ => {
                let (summand, component) = self.origins[mv.at.component];
                let to = self.components[mv.at.component].moves_of(player)[mv.at.index].to;
                let on_board =
                    on_boards.get(&(summand, component)).and_then(|moves| moves.get(mv.at.index)).copied();
                let (score, loses) = (mv.score.clone(), mv.loses.clone());
                ExplainedScore { summand, component, on_board, to: Some(to), score, loses }
            }
        };
        scores.moves[player as usize].iter().map(explain).collect()
    }

    /// The move on the board that a move of a sum with loops is.
    pub fn board_move(&self, mv: &LoopyMove, player: Player) -> Option<&BoardMove> {
        let Summand::Position(examined) = &self.summands[mv.summand] else { return None };
        examined.moves[player as usize].get(mv.on_board?.1)
    }

    /// In misère play, where there is one position and no value: who wins it.
    pub fn misere(&self) -> Option<&Winners> {
        let [Summand::Position(examined)] = &self.summands[..] else { return None };
        examined.misere.as_ref()
    }

    /// The moves of a player in misère play after which play ends so.
    pub fn misere_moves(&self, player: Player, ending: Ending) -> Vec<&BoardMove> {
        let [Summand::Position(examined)] = &self.summands[..] else { return vec![] };
        let moves = examined.moves[player as usize].iter();
        moves.filter(|mv| mv.ending == Some(Ok(ending))).collect()
    }

    /// The components of the sum, as far as their values are known.
    pub fn components(&self) -> &[Component] {
        &self.components
    }

    /// The winning first moves of a player, with where they are made, where who moves last wins.
    pub fn winning_moves(&self, player: Player) -> Vec<ExplainedMove<'_>> {
        let Ok(analysis) = &self.analysis else { return vec![] };
        if self.scores.is_some() {
            return vec![];
        }
        let on_boards = self.moves_on_boards(player);
        let explain = |&crate::sum::WinningMove { at, leaves }| {
            let (summand, component) = self.origins[at.component];
            let to = self.components[at.component].moves_of(player)[at.index].to;
            let on_board =
                on_boards.get(&(summand, component)).and_then(|moves| moves.get(at.index)).copied();
            ExplainedMove { summand, component, on_board, to, leaves }
        };
        analysis.winning[player as usize].iter().map(explain).collect()
    }

    /// The moves of a player on the boards, in each component as they are numbered there. A heap can have a hundred thousand.
    fn moves_on_boards(&self, player: Player) -> FxHashMap<(usize, Option<usize>), Vec<&BoardMove>> {
        let mut moves: FxHashMap<_, Vec<&BoardMove>> = FxHashMap::default();
        for (index, summand) in self.summands.iter().enumerate() {
            if let Summand::Position(examined) = summand {
                for mv in &examined.moves[player as usize] {
                    moves.entry((index, mv.component)).or_default().push(mv);
                }
            }
        }
        moves
    }
}

/// What a sum ends with, if all its positions end in a score. Values are then read as what they are worth in points.
fn scores(
    kernel: &Kernel<'_>,
    summands: &[Summand],
    components: &[Component],
    stopped: Option<Halt>,
) -> Option<SumScores> {
    if let [Summand::Position(examined)] = summands {
        let scores = examined.scores.clone()?;
        let moves = [0, 1].map(|player| {
            let moves = examined.moves[player].iter().enumerate();
            let scored: Option<Vec<_>> = moves
                .map(|(index, mv)| Some((SumMove { component: 0, index }, mv.score.clone()?.ok()?)))
                .collect();
            // As long as one is missing, it is not known which are best.
            scored.unwrap_or_default()
        });
        return Some(SumScores::new(scores, moves));
    }
    let mut positions = 0;
    for summand in summands {
        match summand {
            Summand::Position(examined) if examined.scores.is_none() => return None,
            Summand::Position(_) => positions += 1,
            Summand::Value { .. } => {}
            Summand::Loopy { .. } => return None,
        }
    }
    if positions == 0 {
        return None;
    }
    let found = stopped.map_or_else(|| SumScores::of_components(kernel, components), Err);
    Some(found.unwrap_or_else(|stop| {
        let unknown = Scores { left_first: Err(stop), right_first: Err(stop) };
        SumScores { scores: unknown, moves: Default::default() }
    }))
}
