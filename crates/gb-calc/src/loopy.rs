//! Games with loops: what the kernel cannot hold is computed on graphs, and comes back to the kernel when it can.

use std::cmp::Ordering;
use std::sync::Arc;

use gb_value::loopy::{Builder, Ending, LoopyError, LoopyGame, NodeId, Outcome, Sides, Stopper, Work};
use gb_value::text::{Shown, Style};
use gb_value::{Budget, Kernel, Stop, Value};

use crate::datum::Datum;
use crate::error::CalcError;

/// The largest graph that a value is turned into.
const MAX_NODES: usize = 1 << 20;
/// Steps on graphs for one operation; the budget may end it earlier.
const MAX_STEPS: usize = 1 << 28;
/// A text that is longer is cut.
const MAX_TEXT: usize = 1 << 20;

/// A game with loops other than `on` and `off`.
#[derive(Clone, Debug)]
pub struct Loopy(Form);

#[derive(Clone, Debug)]
enum Form {
    /// Its value, by the two sides; and a graph that has them unless they were all that was given.
    Sides(Sides, Option<LoopyGame>),
    /// Sidling did not come to an end, so the sides are not known.
    Graph(LoopyGame),
}

/// Does work on graphs within a budget.
pub(crate) fn within<T>(
    budget: &Budget,
    work: impl FnOnce(&mut Work<'_>) -> Result<T, LoopyError>,
) -> Result<T, CalcError> {
    let mut stopped: Option<Stop> = None;
    let mut keep_going = || {
        stopped = budget.spend(1024, 0).err();
        stopped.is_none()
    };
    let result = work(&mut Work::new(MAX_STEPS, &mut keep_going));
    match (result, stopped) {
        (Err(LoopyError::Cancelled), Some(stop)) => Err(stop.into()),
        (result, _) => Ok(result?),
    }
}

/// `None` if the sides of a game are not found.
fn if_found<T>(sides: Result<T, LoopyError>) -> Result<Option<T>, LoopyError> {
    match sides {
        Err(LoopyError::NoSides { .. }) => Ok(None),
        other => other.map(Some),
    }
}

impl Loopy {
    /// The simplest form of a game: a value of the kernel if it is one, a stopper, or whatever it is.
    pub(crate) fn simplest(kernel: &Kernel<'_>, game: LoopyGame) -> Result<Datum, CalcError> {
        match within(kernel.budget(), |work| if_found(game.sides(work)))? {
            Some(sides) => Loopy::of_sides(kernel, sides, Some(game)),
            None => Ok(Datum::Loopy(Arc::new(Loopy(Form::Graph(game))))),
        }
    }

    fn of_sides(kernel: &Kernel<'_>, sides: Sides, graph: Option<LoopyGame>) -> Result<Datum, CalcError> {
        let graph = match sides.as_stopper() {
            Some(stopper) => {
                let game = stopper.game();
                if let Some(value) = kernel.from_loopy(&game)? {
                    return Ok(Datum::Value(value));
                }
                Some(game)
            }
            None => graph,
        };
        Ok(Datum::Loopy(Arc::new(Loopy(Form::Sides(sides, graph)))))
    }

    pub(crate) fn of_stopper(kernel: &Kernel<'_>, stopper: Stopper) -> Result<Datum, CalcError> {
        Loopy::of_sides(kernel, stopper.into(), None)
    }

    /// A value as a graph.
    pub(crate) fn of_value(kernel: &Kernel<'_>, value: Value) -> Result<Loopy, CalcError> {
        let game = kernel.to_loopy(value, MAX_NODES)?;
        let sides = within(kernel.budget(), |work| game.sides(work))?;
        Ok(Loopy(Form::Sides(sides, Some(game))))
    }

    /// `onside & offside`.
    pub(crate) fn of_two_sides(
        kernel: &Kernel<'_>,
        onside: &Loopy,
        offside: &Loopy,
    ) -> Result<Datum, CalcError> {
        let (a, b) = (onside.as_stopper()?.clone(), offside.as_stopper()?.clone());
        match within(kernel.budget(), |work| Sides::new(a, b, work))? {
            Some(sides) => Loopy::of_sides(kernel, sides, None),
            None => Err(CalcError::general("the onside, before `&`, must be at least the offside, after it")),
        }
    }

    /// The game `{lefts|rights}`. Its sides are those of the options.
    pub(crate) fn of_options(
        kernel: &Kernel<'_>,
        lefts: &[Arc<Loopy>],
        rights: &[Arc<Loopy>],
    ) -> Result<Datum, CalcError> {
        let all = || lefts.iter().chain(rights);
        if all().all(|l| l.graph().is_some()) {
            let game = build(lefts, rights, |loopy| loopy.graph().cloned())?;
            return Loopy::simplest(kernel, game);
        }
        let onside = build(lefts, rights, |l| Some(l.sides().ok()?.onside().game()))?;
        let offside = build(lefts, rights, |l| Some(l.sides().ok()?.offside().game()))?;
        let sides = within(kernel.budget(), |work| {
            let (onside, offside) = (onside.canonical(work)?, offside.canonical(work)?);
            Sides::new(onside, offside, work)
        })?;
        match sides {
            Some(sides) => Loopy::of_sides(kernel, sides, None),
            None => Err(no_sides()),
        }
    }

    /// A graph of the game, unless it was given by its sides.
    pub(crate) fn graph(&self) -> Option<&LoopyGame> {
        match &self.0 {
            Form::Sides(_, graph) => graph.as_ref(),
            Form::Graph(graph) => Some(graph),
        }
    }

    fn sides(&self) -> Result<&Sides, CalcError> {
        match &self.0 {
            Form::Sides(sides, _) => Ok(sides),
            Form::Graph(_) => Err(no_sides()),
        }
    }

    /// The stopper it is.
    pub(crate) fn as_stopper(&self) -> Result<&Stopper, CalcError> {
        self.sides()?.as_stopper().ok_or_else(|| LoopyError::NotStopper.into())
    }

    pub(crate) fn negate(&self, kernel: &Kernel<'_>) -> Result<Datum, CalcError> {
        match &self.0 {
            Form::Sides(sides, graph) => {
                let negative = within(kernel.budget(), |work| sides.negate(work))?;
                Loopy::of_sides(kernel, negative, graph.as_ref().map(LoopyGame::negate))
            }
            Form::Graph(graph) => Loopy::simplest(kernel, graph.negate()),
        }
    }

    pub(crate) fn plus(&self, other: &Loopy, kernel: &Kernel<'_>) -> Result<Datum, CalcError> {
        let graph = || match (self.graph(), other.graph()) {
            (Some(a), Some(b)) => within(kernel.budget(), |work| a.plus(b, work)).map(Some),
            _ => Ok(None),
        };
        if let (Ok(a), Ok(b)) = (self.sides(), other.sides())
            && let Some(sides) = within(kernel.budget(), |work| if_found(a.plus(b, work)))?
        {
            let needs_graph = sides.as_stopper().is_none();
            return Loopy::of_sides(kernel, sides, if needs_graph { graph()? } else { None });
        }
        match graph()? {
            Some(graph) => Loopy::simplest(kernel, graph),
            None => Err(no_sides()),
        }
    }

    pub(crate) fn compare(&self, other: &Loopy, kernel: &Kernel<'_>) -> Result<Option<Ordering>, CalcError> {
        let (a, b) = (self.sides()?, other.sides()?);
        within(kernel.budget(), |work| a.compare(b, work))
    }

    /// What it equals if infinite play is a win for Left (`onside`), or for Right.
    pub(crate) fn side(&self, kernel: &Kernel<'_>, onside: bool) -> Result<Datum, CalcError> {
        let sides = self.sides()?;
        let side = if onside { sides.onside() } else { sides.offside() };
        Loopy::of_stopper(kernel, side.clone())
    }

    /// Who wins, with draws. A stopper is never drawn, so the sides say it as well: Left wins what is a win with infinite
    /// play lost, and draws what is a win only with infinite play won.
    pub(crate) fn outcome(&self) -> Outcome {
        let (sides, graph) = match &self.0 {
            Form::Sides(sides, graph) => (sides, graph),
            Form::Graph(graph) => return graph.outcome(),
        };
        if let Some(graph) = graph {
            return graph.outcome();
        }
        let (on, off) = (sides.onside().game().outcome(), sides.offside().game().outcome());
        let ending = |on, off| match (on, off) {
            (Ending::Win, Ending::Win) => Ending::Win,
            (Ending::Win, _) => Ending::Draw,
            _ => Ending::Loss,
        };
        Outcome {
            left_starts: ending(on.left_starts, off.left_starts),
            right_starts: ending(on.right_starts, off.right_starts),
        }
    }

    pub(crate) fn show(&self, kernel: &Kernel<'_>, style: &Style) -> Shown {
        let short = |game: &LoopyGame, at: NodeId| -> Option<String> {
            let value = kernel.from_loopy_at(game, at).ok()??;
            kernel.show(value, &Style { max_len: MAX_TEXT, ..*style }).ok().filter(|s| !s.cut).map(|s| s.text)
        };
        let style = Style { max_len: style.max_len.min(MAX_TEXT), ..*style };
        match &self.0 {
            Form::Sides(sides, _) => sides.show(&short, &style),
            Form::Graph(graph) => graph.show(&short, &style),
        }
    }
}

fn no_sides() -> CalcError {
    CalcError::general("the sides of this game are not known: they may not be stoppers")
}

fn build(
    lefts: &[Arc<Loopy>],
    rights: &[Arc<Loopy>],
    graph: impl Fn(&Loopy) -> Option<LoopyGame>,
) -> Result<LoopyGame, CalcError> {
    let mut builder = graph_builder();
    let mut include = |list: &[Arc<Loopy>]| -> Result<Vec<NodeId>, CalcError> {
        list.iter().map(|l| Ok(builder.include(&graph(l).ok_or_else(no_sides)?)?)).collect()
    };
    let (lefts, rights) = (include(lefts)?, include(rights)?);
    let root = builder.node(&lefts, &rights)?;
    Ok(builder.build(root)?)
}

/// A builder for the graphs of one expression.
pub(crate) fn graph_builder() -> Builder {
    Builder::new(MAX_NODES)
}

/// An outcome with draws: the classes L, R, N, P when nobody draws, otherwise what happens when Left and when Right begins.
pub(crate) fn outcome_text(outcome: Outcome) -> String {
    let word = |ending| match ending {
        Ending::Win => "win",
        Ending::Draw => "draw",
        Ending::Loss => "loss",
    };
    match (outcome.left_starts, outcome.right_starts) {
        (Ending::Win, Ending::Win) => "L".into(),
        (Ending::Loss, Ending::Loss) => "R".into(),
        (Ending::Win, Ending::Loss) => "N".into(),
        (Ending::Loss, Ending::Win) => "P".into(),
        (left, right) => format!("{},{}", word(left), word(right)),
    }
}
