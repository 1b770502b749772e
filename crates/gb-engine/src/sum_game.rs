//! A sum of positions and values as a game of its own, so that whoever can hold a game can hold a sum: a tree of moves, a record, an
//! address, a search. A player moves in one of the summands by the rules of its game.
//!
//! Positions are written as sums are typed everywhere: `clobber xo.|.ox + domineering ..|.. + ^*`. Moves begin with the number of
//! their summand: `2:a1-a2`, and those in values say what they lead to: `3:0`.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use gb_board::{BoardError, Item, Look, Paint, Scene, Shape, Spot};
use gb_rules::{
    AnyGame, Heuristics, Info, Key, MoveKey, Notation, Player, Rules, Scoring, Sign, Theorems, Variant,
    WIDEST, has, with_game,
};
use gb_value::text::Style;
use gb_value::{Budget, Halt, Kernel, Store, Value};

use crate::calc::{Answer, Calculator, Datum};
use crate::games::Games;
use crate::sums::{game_and_position, summands};

/// By which name a sum is a game.
pub const SUM: &str = "sum";

/// More summands than this nobody can look at.
const MOST_SUMMANDS: usize = 12;
/// Options of a value that can be pointed at, for each player.
const OPTIONS_DRAWN: usize = 8;
/// A value with more options than this is no summand to move in.
const MOST_OPTIONS: usize = 200;
/// Nodes and edges of different summands have numbers this far apart.
const APART: u32 = 10_000;
/// Where the options of Right begin among the spots of a value.
const RIGHT: u32 = 5_000;

/// The game of sums of these games.
pub fn sum_game(games: &Games) -> AnyGame {
    AnyGame::interned(Variant::Plain, SumRules::of(games))
}

/// A summand as a front end shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SummandView {
    /// The name of its game, or nothing for a value.
    pub game: String,
    /// The title of its game.
    pub title: String,
    /// The position or the value as text.
    pub text: String,
    /// What its things stand on.
    pub look: Look,
    /// Where it begins in the scene of the sum, in hundredths of a cell, and how wide and how high it is.
    pub frame: (i32, i32, i32),
    /// Its spots are those of the sum moved back by so many columns, or with so much smaller numbers.
    pub moved: (u32, u32),
    /// For a value: the options of Left and of Right.
    pub options: [Vec<String>; 2],
}

/// The summands of a sum of these games, laid out as in its scene.
///
/// # Errors
/// If the text is no sum.
pub fn summand_views(games: &Games, text: &str) -> Result<Vec<SummandView>, BoardError> {
    let rules = SumRules::of(games);
    let sum = rules.read(text)?;
    let views = sum.iter().zip(rules.layout(&sum)).map(|(summand, place)| {
        let (width, height) = place.scene.corner();
        let mut view = SummandView {
            game: String::new(),
            title: String::new(),
            text: rules.text(summand),
            look: place.scene.look,
            frame: (100 * place.column as i32, width, height),
            moved: (place.column, place.number),
            options: [vec![], vec![]],
        };
        match summand {
            Summand::Board { game, key } => with_game!(rules.game(*game), game => {
                let info = game.info();
                (view.game, view.title, view.text) = (info.name, info.title.into(), game.show(&key.resized()));
            }),
            Summand::Value(value) => {
                let shown = |who| rules.options(*value, who).into_iter().map(|to| rules.value_text(to));
                view.options = Player::BOTH.map(|who| shown(who).collect());
            }
        }
        view
    });
    Ok(views.collect())
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Summand {
    /// A board of the game at this place of the list.
    Board { game: u32, key: Key<WIDEST> },
    /// A value of their store.
    Value(Value),
}

/// The games and values that were met so far. Boards are read when they come, so that games come one by one.
#[derive(Default)]
struct Summands {
    store: Store,
    games: Mutex<Vec<AnyGame>>,
}

#[derive(Clone)]
struct SumRules {
    names: Games,
    summands: Arc<Summands>,
}

/// Where a summand lies on the common table.
struct Place {
    scene: Scene,
    column: u32,
    number: u32,
}

impl Place {
    fn spot(&self, spot: Spot) -> Spot {
        match spot {
            Spot::Cell { row, col } => Spot::Cell { row, col: col + self.column },
            Spot::Token { heap, index } => Spot::Token { heap: heap + self.column, index },
            Spot::Node(node) => Spot::Node(node + self.number),
            Spot::Edge(edge) => Spot::Edge(edge + self.number),
        }
    }

    fn item(&self, item: &Item) -> Item {
        let x = 100 * self.column as i32;
        let shape = match item.shape {
            Shape::Square(a, b) => Shape::Square(a + x, b),
            Shape::Disc(a, b) => Shape::Disc(a + x, b),
            Shape::Line((a, b), (c, d)) => Shape::Line((a + x, b), (c + x, d)),
        };
        Item { spot: self.spot(item.spot), shape, ..*item }
    }
}

impl SumRules {
    fn of(games: &Games) -> SumRules {
        SumRules { names: games.clone(), summands: Arc::default() }
    }

    fn game(&self, place: u32) -> AnyGame {
        self.summands.games.lock().unwrap_or_else(PoisonError::into_inner)[place as usize].clone()
    }

    /// The place of a game in the list; one with the same name and width is the same game.
    fn place(&self, game: AnyGame) -> u32 {
        let mut games = self.summands.games.lock().unwrap_or_else(PoisonError::into_inner);
        let (width, name) = (game.width(), game.info().name);
        let known = games.iter().position(|other| other.width() == width && other.info().name == name);
        known.unwrap_or_else(|| {
            games.push(game);
            games.len() - 1
        }) as u32
    }

    fn board(&self, name: &str, position: &str) -> Result<Summand, BoardError> {
        let wrong = |sentence: String| BoardError::Invalid(sentence);
        if name == SUM {
            return Err(wrong("a sum is no summand of another: write its summands themselves".into()));
        }
        let opened = self.names.open(name, position).map_err(|error| wrong(error.to_string()))?;
        let fits = with_game!(&opened, game => {
            !game.info().loopy && !game.has_global_wins() && !game.ends_in_score() && !game.is_misere()
        });
        if !fits {
            return Err(wrong(format!(
                "{name} cannot be a summand here: only games that end, and that are won by who moves last, can be added up"
            )));
        }
        let game = self.place(opened);
        let key = *self.game(game).read_or_start(position)?.key();
        Ok(Summand::Board { game, key })
    }

    fn value(&self, text: &str) -> Result<Summand, BoardError> {
        let wrong = |problem: &str| {
            BoardError::Invalid(format!(
                "`{text}` is no summand: {problem}; expected a position such as `clobber xo.|.ox`, or a value such as `+-1`"
            ))
        };
        let budget = Budget::unlimited().with_time(Duration::from_secs(1)).with_bytes(64 << 20);
        match Calculator::new(&self.summands.store).run(text, &budget) {
            Ok(Answer::Datum(Datum::Value(value))) if self.summands.store.kernel(&budget).is_short(value) => {
                let many =
                    |who| self.summands.store.kernel(&budget).options(value, who).nth(MOST_OPTIONS).is_some();
                if Player::BOTH.into_iter().any(many) {
                    return Err(wrong("it has too many options"));
                }
                Ok(Summand::Value(value))
            }
            Ok(_) => Err(wrong("it is no value of a game that ends")),
            Err(error) => Err(wrong(&error.to_string())),
        }
    }

    fn value_text(&self, value: Value) -> String {
        let budget = Budget::unlimited();
        let shown = self.summands.store.kernel(&budget).show(value, &Style::default());
        shown.map_or_else(|_| "?".into(), |shown| shown.text)
    }

    fn text(&self, summand: &Summand) -> String {
        match summand {
            Summand::Board { game, key } => {
                with_game!(self.game(*game), game => format!("{} {}", game.info().name, game.show(&key.resized())))
            }
            Summand::Value(value) => {
                let text = self.value_text(*value);
                if summands(&text).len() > 1 { format!("({text})") } else { text }
            }
        }
    }

    fn options(&self, value: Value, who: Player) -> Vec<Value> {
        let budget = Budget::unlimited();
        self.summands.store.kernel(&budget).options(value, who).collect()
    }

    fn option_spot(who: Player, index: usize) -> Spot {
        Spot::Node(1 + index as u32 + if who == Player::Left { 0 } else { RIGHT })
    }

    /// A value is a square with its options beside it: those of Left below it, those of Right further down.
    fn value_scene(&self, value: Value) -> Scene {
        let square = |spot, col, row, paint| Item { paint, ..Item::square(spot, col, row, '=') };
        let mut items = vec![square(Spot::Node(0), 0, 0, Paint::Both)];
        for (row, who) in Player::BOTH.into_iter().enumerate() {
            let paint = if who == Player::Left { Paint::Left } else { Paint::Right };
            for index in 0..self.options(value, who).len().min(OPTIONS_DRAWN) {
                items.push(square(Self::option_spot(who, index), index as i32, row as i32 + 1, paint));
            }
        }
        Scene::new(items)
    }

    /// Side by side, with room for a name between them.
    fn layout(&self, sum: &[Summand]) -> Vec<Place> {
        let mut column = 0;
        let place = |(index, summand): (usize, &Summand)| {
            let scene = match summand {
                Summand::Board { game, key } => {
                    with_game!(self.game(*game), game => game.scene(&key.resized()))
                }
                Summand::Value(value) => self.value_scene(*value),
            };
            let place = Place { scene, column, number: APART * index as u32 };
            let (width, _) = place.scene.corner();
            column += (width.max(200) as u32).div_ceil(100) + 2;
            place
        };
        sum.iter().enumerate().map(place).collect()
    }

    /// The moves of a player in one summand.
    fn moves_in(
        &self,
        summand: &Summand,
        who: Player,
        emit: &mut dyn FnMut(MoveKey) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match summand {
            Summand::Board { game, key } => {
                with_game!(self.game(*game), game => game.moves(&key.resized(), who, emit))
            }
            Summand::Value(value) => {
                for index in 0..self.options(*value, who).len() {
                    emit(MoveKey(index as u64))?;
                }
                ControlFlow::Continue(())
            }
        }
    }

    fn play_in(&self, summand: &Summand, who: Player, mv: MoveKey) -> (Summand, i64) {
        match *summand {
            Summand::Board { game, key } => with_game!(self.game(game), rules => {
                let (after, points) = rules.play(&key.resized(), who, mv);
                (Summand::Board { game, key: after.resized() }, points)
            }),
            Summand::Value(value) => {
                let to = self.options(value, who).get(mv.0 as usize).copied();
                (Summand::Value(to.unwrap_or(value)), 0)
            }
        }
    }

    /// The summand of a move and the move there. In a single summand, which is what searches look at, moves are those of its game; else
    /// they are counted, because the numbers of some games fill all bits.
    fn inner(&self, sum: &[Summand], who: Player, mv: MoveKey) -> (usize, MoveKey) {
        if sum.len() == 1 {
            return (0, mv);
        }
        let (index, mut count) = ((mv.0 >> 32) as usize, mv.0 & u64::from(u32::MAX));
        let mut found = mv;
        let _ = self.moves_in(&sum[index], who, &mut |inner| {
            found = inner;
            if count == 0 {
                return ControlFlow::Break(());
            }
            count -= 1;
            ControlFlow::Continue(())
        });
        (index, found)
    }
}

impl Rules for SumRules {
    type Board = Vec<Summand>;
    type Move = MoveKey;

    fn info(&self) -> Info {
        Info {
            name: SUM.into(),
            title: "Sum",
            rules: "Several positions and values at once. A player moves in one of them by the rules of its game; in a value, to one \
                    of its options. A player who cannot move anywhere loses.",
            alphabet: &[],
            example: "domineering ...#|.#..|.... + clobber xox|oxo + +-1",
            impartial: false,
            loopy: false,
        }
    }

    fn read(&self, text: &str) -> Result<Vec<Summand>, BoardError> {
        let pieces = summands(text);
        if pieces.len() > MOST_SUMMANDS {
            return Err(BoardError::Invalid(format!("a sum has at most {MOST_SUMMANDS} summands here")));
        }
        let piece = |piece: &str| match game_and_position(piece) {
            Some((name, position)) => self.board(name, position),
            None => self.value(piece),
        };
        pieces.into_iter().map(piece).collect()
    }

    fn show(&self, at: &Vec<Summand>) -> String {
        at.iter().map(|summand| self.text(summand)).collect::<Vec<_>>().join(" + ")
    }

    fn moves(
        &self,
        at: &Vec<Summand>,
        who: Player,
        emit: &mut impl FnMut(MoveKey) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if let [summand] = &at[..] {
            return self.moves_in(summand, who, emit);
        }
        for (index, summand) in at.iter().enumerate() {
            let mut count = 0;
            self.moves_in(summand, who, &mut |_| {
                let mv = MoveKey((index as u64) << 32 | count);
                count += 1;
                emit(mv)
            })?;
        }
        ControlFlow::Continue(())
    }

    fn play(&self, at: &mut Vec<Summand>, who: Player, mv: &MoveKey) {
        let (index, inner) = self.inner(at, who, *mv);
        at[index] = self.play_in(&at[index], who, inner).0;
    }

    fn gesture(&self, at: &Vec<Summand>, who: Player, mv: &MoveKey) -> Vec<Spot> {
        let (index, inner) = self.inner(at, who, *mv);
        let spots = match &at[index] {
            Summand::Board { game, key } => {
                with_game!(self.game(*game), game => game.gesture(&key.resized(), who, inner))
            }
            Summand::Value(_) => vec![Self::option_spot(who, inner.0 as usize)],
        };
        match self.layout(at).get(index) {
            Some(place) => spots.into_iter().map(|spot| place.spot(spot)).collect(),
            None => spots,
        }
    }

    fn scene(&self, at: &Vec<Summand>) -> Scene {
        let places = self.layout(at);
        Scene::new(
            places.iter().flat_map(|place| place.scene.items.iter().map(|item| place.item(item))).collect(),
        )
    }

    fn parts(&self, at: &Vec<Summand>, emit: &mut impl FnMut(Vec<Summand>)) {
        for summand in at {
            match summand {
                Summand::Board { game, key } => with_game!(self.game(*game), rules => {
                    let mut parts = vec![];
                    rules.parts(&key.resized(), &mut parts);
                    for part in parts {
                        emit(vec![Summand::Board { game: *game, key: part.resized() }]);
                    }
                }),
                Summand::Value(_) => emit(vec![*summand]),
            }
        }
    }

    fn regions(&self, at: &Vec<Summand>, emit: &mut impl FnMut(Vec<Summand>, Vec<Spot>)) {
        for (summand, place) in at.iter().zip(self.layout(at)) {
            match summand {
                Summand::Board { game, key } => with_game!(self.game(*game), rules => {
                    for (part, spots) in rules.regions(&key.resized()) {
                        let spots = spots.into_iter().map(|spot| place.spot(spot)).collect();
                        emit(vec![Summand::Board { game: *game, key: part.resized() }], spots);
                    }
                }),
                Summand::Value(_) => {
                    emit(
                        vec![*summand],
                        place.scene.items.iter().map(|item| place.spot(item.spot)).collect(),
                    );
                }
            }
        }
    }

    fn normalise(&self, at: Vec<Summand>) -> (Vec<Summand>, Sign) {
        match &at[..] {
            [Summand::Board { game, key }] => with_game!(self.game(*game), rules => {
                let (key, sign) = rules.normalise(&key.resized());
                (vec![Summand::Board { game: *game, key: key.resized() }], sign)
            }),
            _ => (at, Sign::Plus),
        }
    }

    has!(theorems, scoring, heuristics, notation);
}

impl Theorems<Vec<Summand>, MoveKey> for SumRules {
    fn known(&self, at: &Vec<Summand>, kernel: &Kernel<'_>) -> Result<Option<Value>, Halt> {
        match &at[..] {
            [Summand::Board { game, key }] => {
                with_game!(self.game(*game), rules => rules.known(&key.resized(), kernel))
            }
            // The kernel has a store of its own.
            [Summand::Value(value)] => Ok(kernel.read(&self.value_text(*value)).ok()),
            _ => Ok(None),
        }
    }
    fn bounds(&self, at: &Vec<Summand>) -> (Option<i64>, Option<i64>) {
        match &at[..] {
            [Summand::Board { game, key }] => {
                with_game!(self.game(*game), rules => rules.bounds(&key.resized()))
            }
            _ => (None, None),
        }
    }
}

impl Scoring<Vec<Summand>, MoveKey> for SumRules {
    fn points(&self, at: &Vec<Summand>, who: Player, mv: &MoveKey) -> i64 {
        let (index, inner) = self.inner(at, who, *mv);
        self.play_in(&at[index], who, inner).1
    }
}

impl Heuristics<Vec<Summand>, MoveKey> for SumRules {
    fn order_score(&self, at: &Vec<Summand>, who: Player, mv: &MoveKey) -> i32 {
        match &at[..] {
            [Summand::Board { game, key }] => {
                with_game!(self.game(*game), rules => rules.order_score(&key.resized(), who, *mv))
            }
            _ => 0,
        }
    }
    fn size(&self, at: &Vec<Summand>) -> Option<usize> {
        match &at[..] {
            [Summand::Board { game, key }] => {
                Some(with_game!(self.game(*game), rules => rules.size(&key.resized())))
            }
            _ => None,
        }
    }
}

impl Notation<Vec<Summand>, MoveKey> for SumRules {
    fn move_text(&self, at: &Vec<Summand>, who: Player, mv: &MoveKey) -> Option<String> {
        let (index, inner) = self.inner(at, who, *mv);
        let text = match &at[index] {
            Summand::Board { game, key } => {
                with_game!(self.game(*game), game => game.move_text(&key.resized(), who, inner))
            }
            Summand::Value(value) => {
                self.options(*value, who).get(inner.0 as usize).map(|to| self.value_text(*to))?
            }
        };
        Some(format!("{}:{text}", index + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Engine;
    use gb_rules::Position;

    fn read(text: &str) -> Position {
        sum_game(&Games::default()).read_or_start(text).unwrap()
    }

    #[test]
    fn sums_are_read_written_and_played() {
        let sum = read("domineering 2x2 + clobber xo. + +-1 + ^*");
        assert_eq!(sum.show(), "domineering ..|.. + clobber xo. + +-1 + ^*");
        let texts = |who| sum.moves(who, 99).into_iter().map(|choice| choice.text).collect::<Vec<_>>();
        assert_eq!(texts(Player::Left), ["1:a1-a2", "1:b1-b2", "2:a1-b1", "3:1", "4:0", "4:*"]);
        assert_eq!(sum.play(Player::Left, "3:1").unwrap().show(), "domineering ..|.. + clobber xo. + 1 + ^*");
        assert_eq!(
            sum.play(Player::Right, "1:a2-b2").unwrap().show(),
            "domineering ..|## + clobber xo. + +-1 + ^*"
        );
        // No two moves are made by the same gesture, and all of it can be pointed at.
        let scene = sum.scene();
        let mut gestures: Vec<_> =
            sum.moves(Player::Left, 99).into_iter().map(|choice| choice.gesture).collect();
        assert!(gestures.iter().flatten().all(|spot| scene.items.iter().any(|item| item.spot == *spot)));
        gestures.sort();
        gestures.dedup();
        assert_eq!(gestures.len(), 6);
        let names: Vec<String> = scene.items.iter().map(|item| item.spot.to_string()).collect();
        let mut different = names.clone();
        different.sort();
        different.dedup();
        assert_eq!(different.len(), names.len(), "{names:?}");
    }

    #[test]
    fn nonsense_is_explained() {
        let sentence = |text: &str| sum_game(&Games::default()).read_or_start(text).unwrap_err().to_string();
        assert!(sentence("clobber xo. + ").contains("expected a position"), "{}", sentence("clobber xo. + "));
        assert!(sentence("clobber xo. + fox").contains("fox"));
        assert!(sentence("clobber xz.").contains('z'));
        assert!(sentence(&"sum ".repeat(100_000)).contains("no summand of another"));
        assert!(sentence("clobber xo. + chess").contains("only games that end"));
        assert!(sentence(&["1"; 20].join(" + ")).contains("at most"));
    }

    /// Games of texts are summands like any others, and only of those who have the text.
    #[test]
    fn texts_are_summands() {
        let games = Games::default();
        let text = "game steps\nboard strip\ncells x piece, . empty\nleft: x. -> .x";
        let name = games.add(text).unwrap();
        let sum = format!("{name} x.. + domineering 2x2 + {name} .x.");
        let at = sum_game(&games).read_or_start(&sum).unwrap();
        assert_eq!(
            at.play(Player::Left, "3:b1-c1").unwrap().show(),
            format!("{name} x.. + domineering ..|.. + {name} ..x")
        );
        assert!(sum_game(&Games::default()).read_or_start(&sum).is_err());
        let views = summand_views(&games, &sum).unwrap();
        assert_eq!((views[0].title.as_str(), &*views[0].game), ("Steps", &*name));
    }

    /// The judge is the sum of the values that are found one by one.
    #[test]
    fn the_search_of_a_sum_agrees_with_its_summands() {
        let (engine, unlimited) = (Engine::new(1), Budget::unlimited());
        for text in [
            "domineering 3x3 + clobber xox|oxo + +-1",
            "domineering ..#|...|#.. + {3|{1|-2}} + *2 + v",
            "nim 3,5 + hackenbush BRG,RB + 1/2",
            "toads-and-frogs tt.ff + domineering 2x3 + clobber xo|ox",
        ] {
            let whole = engine.examine(SUM, text, &unlimited, &Budget::unlimited, &|_, _, _| {}).unwrap();
            let apart = engine.analyze(text, &unlimited, &Budget::unlimited, &|_, _, _| {}).unwrap();
            let kernel = engine.store.kernel(&unlimited);
            let examined = whole.examined.unwrap();
            let values: Vec<Value> = examined.components.iter().map(|part| part.value.unwrap()).collect();
            assert_eq!(kernel.sum(&values).unwrap(), apart.report.analysis.as_ref().unwrap().total, "{text}");
            // What moves leave, by playing them.
            for who in Player::BOTH {
                for mv in &examined.moves[who as usize] {
                    let after = read(text).play(who, &mv.label).unwrap().show();
                    let leaves =
                        engine.analyze(&after, &unlimited, &Budget::unlimited, &|_, _, _| {}).unwrap();
                    let component = mv.component.map_or(Value::ZERO, |index| values[index]);
                    let others = kernel.sub(kernel.sum(&values).unwrap(), component).unwrap();
                    let sum = kernel.add(others, mv.to.unwrap()).unwrap();
                    assert_eq!(sum, leaves.report.analysis.unwrap().total, "{text}: {}", mv.label);
                }
            }
        }
    }

    #[test]
    fn summands_are_described_where_they_lie() {
        let views = summand_views(&Games::default(), "domineering 2x3 + +-1 + nim 3,2").unwrap();
        let frames: Vec<_> =
            views.iter().map(|view| (view.title.as_str(), view.frame.0, view.moved)).collect();
        assert_eq!(frames, [("Domineering", 0, (0, 0)), ("", 500, (5, APART)), ("Nim", 900, (9, 2 * APART))]);
        assert_eq!(views[1].options, [vec!["1".to_string()], vec!["-1".to_string()]]);
    }
}
