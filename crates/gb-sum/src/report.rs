//! A whole bench: positions of any games and plain values, added up.

use gb_value::stoppers::LoopyValue;
use gb_value::{Kernel, Player, Stop, Value};

use crate::analysis::{Analysis, SumMove, analyse};
use crate::component::Component;
use crate::loops::{LoopyAnalysis, LoopyMove, analyse_loops};
use crate::position::{Examined, RegionMove};

/// One summand as it was put on the bench.
#[derive(Clone, Debug)]
pub enum Term {
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
    pub term: usize,
    /// Which part of it, if the summand is a position.
    pub region: Option<usize>,
    /// The move on the board, if the summand is a position.
    pub on_board: Option<&'r RegionMove>,
    /// What the part becomes.
    pub to: Value,
    /// What is left of the whole sum.
    pub leaves: Value,
}

/// All that was found out about a sum.
#[derive(Clone, Debug)]
pub struct SumReport {
    /// The summands.
    pub terms: Vec<Term>,
    /// The sum, who wins, and the winning moves, or why that was not found.
    pub analysis: Result<Analysis, Stop>,
    /// The same where some value has loops, and so no place in the store.
    pub loops: Option<LoopyAnalysis>,
    components: Vec<Component>,
    /// For each component its summand, and its part there.
    origins: Vec<(usize, Option<usize>)>,
}

impl SumReport {
    /// Adds the terms up.
    pub fn new(kernel: &Kernel<'_>, terms: Vec<Term>) -> SumReport {
        let (mut components, mut origins) = (vec![], vec![]);
        let mut gather = || -> Result<(), Stop> {
            for (index, term) in terms.iter().enumerate() {
                match term {
                    Term::Value { text, value } => {
                        components.push(Component::of_value(kernel, text.clone(), *value, |_| String::new()));
                        origins.push((index, None));
                    }
                    Term::Loopy { .. } => return Err(Stop::Repetition),
                    Term::Position(examined) => {
                        for (region, component) in examined.components()?.into_iter().enumerate() {
                            components.push(component);
                            origins.push((index, (region < examined.regions.len()).then_some(region)));
                        }
                    }
                }
            }
            Ok(())
        };
        let analysis = gather().and_then(|()| analyse(kernel, &components));
        let loops = match analysis {
            Err(Stop::Repetition) => analyse_loops(kernel, &terms).ok().flatten(),
            _ => None,
        };
        SumReport { terms, analysis, loops, components, origins }
    }

    /// The move on the board that a move of a sum with loops is.
    pub fn board_move(&self, mv: &LoopyMove, player: Player) -> Option<&RegionMove> {
        let Term::Position(examined) = &self.terms[mv.term] else { return None };
        examined.moves[player as usize].get(mv.on_board?.1)
    }

    /// The components of the sum, as far as their values are known.
    pub fn components(&self) -> &[Component] {
        &self.components
    }

    /// The winning first moves of a player, with where they are made.
    pub fn winning_moves(&self, player: Player) -> Vec<ExplainedMove<'_>> {
        let Ok(analysis) = &self.analysis else { return vec![] };
        let explain = |&crate::WinningMove { at, leaves }| {
            let (term, region) = self.origins[at.component];
            let to = self.components[at.component].moves_of(player)[at.index].to;
            ExplainedMove { term, region, on_board: self.on_board(term, region, at, player), to, leaves }
        };
        analysis.winning[player as usize].iter().map(explain).collect()
    }

    fn on_board(
        &self,
        term: usize,
        region: Option<usize>,
        at: SumMove,
        player: Player,
    ) -> Option<&RegionMove> {
        let Term::Position(examined) = &self.terms[term] else { return None };
        examined.moves[player as usize].iter().filter(|m| m.region == region).nth(at.index)
    }
}
