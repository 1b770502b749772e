//! Games with loops: what the kernel cannot hold is a stopper or two sides over its store, and comes back to the kernel when
//! it can.

use std::cmp::Ordering;
use std::sync::Arc;

use gb_value::loopy::{Builder, LoopyError, LoopyGame, NodeId};
use gb_value::stoppers::{Equations, Form as StopperForm, LoopyValue, Opt, SidedId, Stoppers};
use gb_value::text::{Shown, Style};
use gb_value::{Kernel, OutcomeClass, Player, Value};

use crate::calc::datum::Datum;
use crate::calc::error::CalcError;

/// The largest graph that a game without known sides is turned into.
const MAX_NODES: usize = 1 << 16;
/// Positions of one expression with names for loops.
const MAX_PLACES: usize = 1 << 20;
/// A text that is longer is cut.
const MAX_TEXT: usize = 1 << 20;

/// A game with loops other than `on` and `off`.
#[derive(Clone, Debug)]
pub struct Loopy(Form);

#[derive(Clone, Debug)]
enum Form {
    /// Its value: a stopper, or two sides.
    Sides(LoopyValue),
    /// Sidling did not come to an end, so the sides are not known.
    Graph(LoopyGame),
}

impl From<LoopyValue> for Datum {
    fn from(value: LoopyValue) -> Self {
        match value.as_value() {
            Some(value) => Datum::Value(value),
            None => Datum::Loopy(Arc::new(Loopy(Form::Sides(value)))),
        }
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
        let mut games = Stoppers::new(kernel);
        match if_found(games.import_graph(&game))? {
            Some(sides) => Loopy::found(&games, sides),
            None => Ok(Datum::Loopy(Arc::new(Loopy(Form::Graph(game))))),
        }
    }

    fn found(games: &Stoppers<'_, '_>, sides: SidedId) -> Result<Datum, CalcError> {
        Ok(games.export(sides)?.into())
    }

    fn of_form(form: &StopperForm) -> Datum {
        LoopyValue::from(form.clone()).into()
    }

    /// A value as a game with loops.
    pub(crate) fn of_value(value: Value) -> Loopy {
        Loopy(Form::Sides(value.into()))
    }

    /// The value as it stands, where the sides are known.
    pub fn value(&self) -> Option<&LoopyValue> {
        match &self.0 {
            Form::Sides(value) => Some(value),
            Form::Graph(_) => None,
        }
    }

    fn sides(&self) -> Result<&LoopyValue, CalcError> {
        self.value().ok_or_else(no_sides)
    }

    /// `onside & offside`.
    pub(crate) fn of_two_sides(
        kernel: &Kernel<'_>,
        onside: &Loopy,
        offside: &Loopy,
    ) -> Result<Datum, CalcError> {
        let mut games = Stoppers::new(kernel);
        let onside = games.import_form(onside.as_stopper()?)?;
        let offside = games.import_form(offside.as_stopper()?)?;
        if games.ge(onside, offside)? {
            Loopy::found(&games, SidedId { onside, offside })
        } else {
            Err(CalcError::general("the onside, before `&`, must be at least the offside, after it"))
        }
    }

    /// The game `{lefts|rights}`. Its sides are those of the options.
    pub(crate) fn of_options(
        kernel: &Kernel<'_>,
        lefts: &[Datum],
        rights: &[Datum],
    ) -> Result<Datum, CalcError> {
        let mut places = Places::default();
        let slots = |list: &[Datum]| list.iter().cloned().map(Slot::Game).collect();
        let root = places.node(slots(lefts), slots(rights))?;
        places.close(kernel, root)
    }

    /// The stopper it is.
    pub(crate) fn as_stopper(&self) -> Result<&StopperForm, CalcError> {
        self.sides()?.as_stopper().ok_or_else(|| LoopyError::NotStopper.into())
    }

    pub(crate) fn negate(&self, kernel: &Kernel<'_>) -> Result<Datum, CalcError> {
        match &self.0 {
            Form::Sides(value) => {
                let mut games = Stoppers::new(kernel);
                let value = games.import(value)?;
                let negative = games.neg_sides(value)?;
                Loopy::found(&games, negative)
            }
            Form::Graph(graph) => Loopy::simplest(kernel, graph.negate()),
        }
    }

    pub(crate) fn plus(&self, other: &Loopy, kernel: &Kernel<'_>) -> Result<Datum, CalcError> {
        let mut games = Stoppers::new(kernel);
        if let (Form::Sides(a), Form::Sides(b)) = (&self.0, &other.0) {
            let (a, b) = (games.import(a)?, games.import(b)?);
            if let Some(sum) = if_found(games.plus(a, b))? {
                return Loopy::found(&games, sum);
            }
        }
        let (a, b) = (self.graph(&mut games)?, other.graph(&mut games)?);
        let mut stopped = None;
        let mut go_on = || {
            stopped = kernel.budget().spend(0, kernel.store().bytes()).err();
            stopped.is_none()
        };
        let graph = a.plus(&b, &mut gb_value::loopy::Work::new(MAX_NODES, &mut go_on));
        match (graph, stopped) {
            (Err(LoopyError::Cancelled), Some(stop)) => Err(stop.into()),
            (graph, _) => Loopy::simplest(kernel, graph?),
        }
    }

    /// The game written out as a graph, if it is one and not two sides.
    fn graph(&self, games: &mut Stoppers<'_, '_>) -> Result<LoopyGame, CalcError> {
        match &self.0 {
            Form::Graph(graph) => Ok(graph.clone()),
            Form::Sides(value) => {
                let id = games.import_form(value.as_stopper().ok_or_else(no_sides)?)?;
                Ok(games.export_graph(id, MAX_NODES)?)
            }
        }
    }

    pub(crate) fn compare(&self, other: &Loopy, kernel: &Kernel<'_>) -> Result<Option<Ordering>, CalcError> {
        let mut games = Stoppers::new(kernel);
        let (a, b) = (games.import(self.sides()?)?, games.import(other.sides()?)?);
        Ok(games.compare(a, b)?)
    }

    /// What it equals if infinite play is a win for Left (`onside`), or for Right.
    pub(crate) fn side(&self, onside: bool) -> Result<Datum, CalcError> {
        let sides = self.sides()?;
        Ok(Loopy::of_form(if onside { sides.onside() } else { sides.offside() }))
    }

    /// The degree of loopiness of a stopper, the onside of `self - self` (Winning Ways, chapter 11).
    pub(crate) fn degree(&self, kernel: &Kernel<'_>) -> Result<Datum, CalcError> {
        let mut games = Stoppers::new(kernel);
        let game = games.import_form(self.as_stopper()?)?;
        let negative = games.neg(game)?;
        let difference = games.plus(game.into(), negative.into())?;
        Loopy::found(&games, difference.onside.into())
    }

    /// The options of a stopper.
    pub(crate) fn options(&self, kernel: &Kernel<'_>, player: Player) -> Result<Vec<Datum>, CalcError> {
        let mut games = Stoppers::new(kernel);
        let game = games.import_form(self.as_stopper()?)?;
        let options = games.options_of(game, player);
        options.into_iter().map(|option| Loopy::found(&games, option.into())).collect()
    }

    /// Who wins, with draws.
    pub(crate) fn outcome(&self, kernel: &Kernel<'_>) -> Result<OutcomeClass, CalcError> {
        match &self.0 {
            Form::Sides(value) => {
                let mut games = Stoppers::new(kernel);
                let value = games.import(value)?;
                Ok(games.outcome(value)?)
            }
            Form::Graph(graph) => Ok(graph.outcome().class()),
        }
    }

    pub(crate) fn show(&self, kernel: &Kernel<'_>, style: &Style) -> Shown {
        let style = Style { max_len: style.max_len.min(MAX_TEXT), ..*style };
        let short = |game: &LoopyGame, at: NodeId| -> Option<String> {
            let value = kernel.from_loopy_at(game, at).ok()??;
            kernel.show(value, &style).ok().filter(|s| !s.cut).map(|s| s.text)
        };
        match &self.0 {
            Form::Sides(value) => value.show(kernel, &style),
            Form::Graph(graph) => graph.show(&short, &style),
        }
    }
}

fn no_sides() -> CalcError {
    CalcError::general("the sides of this game are not known: they may not be stoppers")
}

/// An option of a position of an expression.
#[derive(Clone, Debug)]
pub(crate) enum Slot {
    /// Another position.
    Place(usize),
    /// A game.
    Game(Datum),
}

/// The positions of one expression in which loops have names: `a{0|b{a|*}}`.
#[derive(Default)]
pub(crate) struct Places(Vec<Option<[Vec<Slot>; 2]>>);

impl Places {
    /// A position whose options will be set later.
    pub(crate) fn declare(&mut self) -> Result<usize, CalcError> {
        if self.0.len() >= MAX_PLACES {
            return Err(LoopyError::TooLarge { limit: MAX_PLACES, unit: "nodes" }.into());
        }
        self.0.push(None);
        Ok(self.0.len() - 1)
    }

    pub(crate) fn node(&mut self, left: Vec<Slot>, right: Vec<Slot>) -> Result<usize, CalcError> {
        let place = self.declare()?;
        self.set(place, left, right);
        Ok(place)
    }

    pub(crate) fn set(&mut self, place: usize, left: Vec<Slot>, right: Vec<Slot>) {
        self.0[place] = Some([left, right]);
    }

    /// The game that a position is, everything it leads to being set.
    pub(crate) fn close(&self, kernel: &Kernel<'_>, root: usize) -> Result<Datum, CalcError> {
        let order = self.reached(kernel, root)?;
        let mut games = Stoppers::new(kernel);
        if let Some(graph) = self.equations(&order, &mut games)?
            && let Some(values) = if_found(games.solve(&graph))?
        {
            return Loopy::found(&games, values[0]);
        }
        let graph = self.graph(&order, &mut games)?;
        match if_found(games.import_graph(&graph))? {
            Some(sides) => Loopy::found(&games, sides),
            None => Ok(Datum::Loopy(Arc::new(Loopy(Form::Graph(graph))))),
        }
    }

    /// The positions that `root` leads to, itself first.
    fn reached(&self, kernel: &Kernel<'_>, root: usize) -> Result<Vec<usize>, CalcError> {
        let mut seen = vec![false; self.0.len()];
        let mut order = vec![root];
        seen[root] = true;
        let mut next = 0;
        while let Some(&place) = order.get(next) {
            next += 1;
            kernel.step()?;
            let Some(sides) = &self.0[place] else {
                return Err(LoopyError::Undefined { node: place }.into());
            };
            for slot in sides.iter().flatten() {
                if let Slot::Place(to) = *slot
                    && !std::mem::replace(&mut seen[to], true)
                {
                    order.push(to);
                }
            }
        }
        Ok(order)
    }

    fn sides(&self, place: usize) -> &[Vec<Slot>; 2] {
        const NONE: &[Vec<Slot>; 2] = &[vec![], vec![]];
        self.0[place].as_ref().unwrap_or(NONE)
    }

    /// As equations; `None` if the sides of some game in it are not known.
    fn equations(
        &self,
        order: &[usize],
        games: &mut Stoppers<'_, '_>,
    ) -> Result<Option<Equations>, CalcError> {
        let mut numbers = vec![0; self.0.len()];
        for (number, &place) in order.iter().enumerate() {
            numbers[place] = number as u32;
        }
        let mut graph = Equations::default();
        for &place in order {
            let mut sides = [vec![], vec![]];
            for (side, slots) in sides.iter_mut().zip(self.sides(place)) {
                for slot in slots {
                    side.push(match slot {
                        Slot::Place(to) => Opt::Node(numbers[*to]),
                        Slot::Game(Datum::Value(value)) => Opt::of(*value),
                        Slot::Game(Datum::Loopy(loopy)) => match loopy.value() {
                            Some(value) => Opt::Known(games.import(value)?),
                            None => return Ok(None),
                        },
                        Slot::Game(other) => {
                            return Err(CalcError::general(format!(
                                "an option is a game, found {}",
                                other.what()
                            )));
                        }
                    });
                }
            }
            graph.push(&sides[0], &sides[1]);
        }
        Ok(Some(graph))
    }

    /// As a plain graph, games being written out.
    fn graph(&self, order: &[usize], games: &mut Stoppers<'_, '_>) -> Result<LoopyGame, CalcError> {
        let mut builder = Builder::new(MAX_NODES);
        let mut nodes = vec![None; self.0.len()];
        for &place in order {
            nodes[place] = Some(builder.declare()?);
        }
        for &place in order {
            let mut sides = [vec![], vec![]];
            for (side, slots) in sides.iter_mut().zip(self.sides(place)) {
                for slot in slots {
                    side.push(match slot {
                        Slot::Place(to) => nodes[*to].ok_or_else(no_sides)?,
                        Slot::Game(Datum::Value(value)) => {
                            builder.include(&Loopy::of_value(*value).graph(games)?)?
                        }
                        Slot::Game(Datum::Loopy(loopy)) => builder.include(&loopy.graph(games)?)?,
                        Slot::Game(_) => return Err(no_sides()),
                    });
                }
            }
            builder.set(nodes[place].ok_or_else(no_sides)?, &sides[0], &sides[1])?;
        }
        Ok(builder.build(nodes[order[0]].ok_or_else(no_sides)?)?)
    }
}
