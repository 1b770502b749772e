//! `gamebench analyze --explain`: a game against a proof, which says at each move which of its facts answers it.

use std::io;

use gb_engine::{Engine, EngineError, Explained, Explanation, Place};
use gb_proof::{ProofError, Reason};
use gb_rules::Player;
use gb_value::{Budget, Kernel, Value};

use super::gtp::draw;
use crate::errors::Failure;
use crate::input::next_line;
use crate::output;

const HELP: &str = "\
a move as the board shows it, such as a1-b1; of several boards the one is named, `a1-b1 in B`,
         and in the value what it becomes, `*2 in value`
moves    all your moves
why      why you lose
board    the boards again
quit     leaves the game";

/// Plays against the proof of who wins, if `first` begins.
pub fn explain(engine: &Engine, text: &str, first: Player, budget: &Budget) -> Result<(), Failure> {
    let explanation = engine.explain(text, first, budget).map_err(failure)?;
    // The limits are for the proof; a person may think as long as he likes.
    let unlimited = Budget::unlimited();
    let kernel = engine.store.kernel(&unlimited);
    let several = explanation.positions().len() > 1 || explanation.value() != Value::ZERO;
    Table { explanation, several, kernel: &kernel, last: None }.play()
}

fn failure(error: EngineError) -> Failure {
    match &error {
        EngineError::Proof(proof) => match &**proof {
            ProofError::Halt(stop) => Failure::of_stop(*stop, format!("the proof was not found: {error}")),
            _ => Failure::input(error),
        },
        _ => Failure::input(error),
    }
}

struct Table<'k, 's> {
    explanation: Explanation,
    /// Whether a move has to say where it is made.
    several: bool,
    kernel: &'k Kernel<'s>,
    /// Why the user loses, as was last said.
    last: Option<Reason>,
}

impl Table<'_, '_> {
    fn play(&mut self) -> Result<(), Failure> {
        let mut input = io::stdin().lock();
        let loser = self.explanation.loser();
        let (first, winner) = (self.explanation.to_move(), loser.opponent());
        output::line(&format!(
            "\n{winner} wins if {first} begins. The proof has {} lines; it plays {winner}, and you play {loser}.",
            self.explanation.lines()
        ))?;
        self.boards()?;
        if first == loser {
            self.last = self.explanation.why_lost(self.kernel).map_err(failure)?;
            self.why()?;
        }
        loop {
            if self.explanation.is_won() {
                return Ok(output::line(&format!("{winner} has won."))?);
            }
            if self.explanation.to_move() == winner {
                let Some(explained) = self.explanation.answer(self.kernel).map_err(failure)? else {
                    return Err(Failure::Input("the proof has no answer to this move".into()));
                };
                self.tell(&explained)?;
                self.last = Some(explained.reason);
                continue;
            }
            if self.moves()?.is_empty() {
                return Ok(output::line(&format!("{loser} cannot move: {winner} has won."))?);
            }
            output::line(&format!("{loser} to move (help shows what to type):"))?;
            let Some(line) = next_line(&mut input) else { return Ok(()) };
            let line = line.map_err(|error| Failure::Input(format!("reading your move: {error}")))?;
            match line.trim() {
                "" => {}
                "quit" | "exit" => return Ok(()),
                "help" | "?" => output::line(HELP)?,
                "board" => self.boards()?,
                "why" => self.why()?,
                "moves" => output::line(&self.moves()?.join(", "))?,
                text => {
                    let (text, place) = self.place(text)?;
                    let Some(place) = place else { continue };
                    match self.explanation.play(place, text, self.kernel) {
                        Ok(()) => {}
                        Err(EngineError::Summand(sentence)) => output::line(&sentence)?,
                        Err(error) => return Err(failure(error)),
                    }
                }
            }
        }
    }

    /// The name of a place, from A on.
    fn name(place: Place) -> String {
        match place {
            Place::Position(at) => gb_board::column_name(at as u32).to_uppercase(),
            Place::Value => "value".into(),
        }
    }

    /// Splits a move from the place where it is made. No place, if there is no such one; that is said.
    fn place<'t>(&self, text: &'t str) -> Result<(&'t str, Option<Place>), Failure> {
        let Some((text, wanted)) = text.rsplit_once(" in ") else {
            if !self.several {
                return Ok((text, Some(Place::Position(0))));
            }
            output::line("say where, such as `a1-b1 in A`")?;
            return Ok((text, None));
        };
        let places = (0..self.explanation.positions().len()).map(Place::Position).chain([Place::Value]);
        let place = places.into_iter().find(|place| Self::name(*place).eq_ignore_ascii_case(wanted.trim()));
        if place.is_none() {
            output::line(&format!("`{}` is none of the boards", wanted.trim()))?;
        }
        Ok((text, place))
    }

    /// The moves of the player who is to move.
    fn moves(&self) -> Result<Vec<String>, Failure> {
        let mut texts = vec![];
        let mut add = |text: String, place: Place| {
            texts.push(if self.several { format!("{text} in {}", Self::name(place)) } else { text });
        };
        for (at, position) in self.explanation.positions().iter().enumerate() {
            for choice in position.moves(self.explanation.to_move(), usize::MAX) {
                add(choice.text, Place::Position(at));
            }
        }
        for (text, _) in self.explanation.value_moves(self.kernel).map_err(failure)? {
            add(text, Place::Value);
        }
        Ok(texts)
    }

    fn boards(&self) -> Result<(), Failure> {
        for (at, position) in self.explanation.positions().iter().enumerate() {
            if self.several {
                output::line(&format!("{} ({}):", Self::name(Place::Position(at)), position.info().name))?;
            }
            output::line(draw(position).trim_end())?;
        }
        if self.explanation.value() != Value::ZERO {
            output::line(&format!("value: {}", self.shown(self.explanation.value())?))?;
        }
        Ok(())
    }

    fn shown(&self, value: Value) -> Result<String, Failure> {
        let shown = self.kernel.show(value, &Default::default());
        Ok(shown.map_err(|stop| Failure::of_stop(stop, stop.to_string()))?.to_string())
    }

    /// Why the user loses.
    fn sentence(&self, reason: &Reason) -> Result<String, Failure> {
        self.explanation.sentence(reason, self.kernel).map_err(failure)
    }

    /// A move of the proof.
    fn tell(&self, explained: &Explained) -> Result<(), Failure> {
        let winner = self.explanation.loser().opponent();
        let place = match explained.place {
            _ if !self.several => String::new(),
            place => format!(" in {}", Self::name(place)),
        };
        output::line(&format!(
            "{winner} plays {}{place}: {}",
            explained.mv,
            self.sentence(&explained.reason)?
        ))?;
        self.boards()
    }

    fn why(&self) -> Result<(), Failure> {
        match &self.last {
            Some(reason) => Ok(output::line(&self.sentence(reason)?)?),
            None => Ok(()),
        }
    }
}
