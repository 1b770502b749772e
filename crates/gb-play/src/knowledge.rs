//! What a player knows of combinatorial game theory, each piece a switch.

use std::fmt;
use std::str::FromStr;

use gb_board::nearest;

/// Where zero parts and pairs of inverse parts are taken off the board (Claessen 2011, Algorithm 5 and section 7.3).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Simplify {
    /// Nowhere.
    #[default]
    Never,
    /// At the root of the tree and where a playout begins.
    Sometimes,
    /// After every move.
    Always,
}

/// What a player knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Knowledge {
    /// The winner of a sum all of whose parts have known values (Algorithm 4).
    pub solved: bool,
    /// Zero parts and inverse pairs are not played in.
    pub simplify: Simplify,
    /// Two ahead wins: sums of atomic weights, where values are all-small and too many to add up.
    pub atomic: bool,
    /// Moves in hotter parts come first.
    pub temperature: bool,
    /// Positions of the tree that are equal sums, in whatever order the moves were made, share what is known of them.
    pub transpositions: bool,
    /// In a part whose value is known, moves are left out if another one there is at least as good.
    pub dominated: bool,
    /// Moves that strong players are likely to make ([`gb_rules::Heuristics::move_prior`]) are tried more often.
    pub priors: bool,
    /// Playouts are cut off, and the static evaluation ([`gb_rules::Heuristics::static_eval`]) counts.
    pub playout_cutoff: bool,
    /// The search for the winner of the sum ([`gb_search::question::outcome`]): at length for the position itself, briefly
    /// for positions of the tree.
    pub endgame: bool,
}

/// The switches: name, and what it does.
pub const SWITCHES: &[(&str, &str)] = &[
    ("all", "Everything that helps, in the combination that plays best."),
    ("solved", "Positions whose parts all have known values are won or lost."),
    ("simplify", "Zero parts and pairs of inverse parts are left out, after every move."),
    ("simplify-root", "The same, but only at the root and where a playout begins."),
    ("atomic", "An atomic weight of two or more wins."),
    ("temperature", "Moves in hotter parts come first."),
    ("endgame", "The winner of the sum is searched for."),
    ("transpositions", "Equal sums in the tree of playouts are one position."),
    ("dominated", "Moves in known parts are left out where another one is at least as good."),
    ("priors", "Moves that strong players are likely to make are tried more often."),
    ("cutoff", "Playouts end after a few moves, and the static evaluation of the board decides."),
];

impl Knowledge {
    /// None at all.
    pub const NONE: Knowledge = Knowledge {
        solved: false,
        simplify: Simplify::Never,
        atomic: false,
        temperature: false,
        endgame: false,
        transpositions: false,
        dominated: false,
        priors: false,
        playout_cutoff: false,
    };

    /// Everything that helps, in the combination that plays best at a tenth of a second a move (docs/players.md has the
    /// figures). Static evaluation does not help, because random games whose ends are solved say more; and the search
    /// for the winner takes more time than it is worth, because solved playouts see the same a few moves later.
    pub const ALL: Knowledge = Knowledge {
        solved: true,
        simplify: Simplify::Always,
        atomic: true,
        temperature: true,
        endgame: false,
        transpositions: true,
        dominated: true,
        priors: true,
        playout_cutoff: false,
    };

    /// Whether positions have to be taken apart.
    pub fn takes_apart(&self) -> bool {
        self.solved || self.simplify != Simplify::Never || self.atomic || self.temperature || self.dominated
    }

    /// Switches one piece on.
    fn add(&mut self, switch: &str) -> bool {
        match switch {
            "all" => *self = Knowledge::ALL,
            "solved" => self.solved = true,
            "simplify" => self.simplify = Simplify::Always,
            "simplify-root" => self.simplify = Simplify::Sometimes,
            "atomic" => self.atomic = true,
            "temperature" => self.temperature = true,
            "endgame" => self.endgame = true,
            "transpositions" => self.transpositions = true,
            "dominated" => self.dominated = true,
            "priors" => self.priors = true,
            "cutoff" => self.playout_cutoff = true,
            _ => return false,
        }
        true
    }
}

/// Why a text names no knowledge.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no knowledge called `{name}`; {hint}")]
pub struct KnowledgeError {
    name: String,
    hint: String,
}

impl FromStr for Knowledge {
    type Err = KnowledgeError;

    /// Reads switches joined by `+`, such as `solved+atomic`; nothing is no knowledge.
    fn from_str(text: &str) -> Result<Knowledge, KnowledgeError> {
        let mut knowledge = Knowledge::NONE;
        for name in text.split('+').map(str::trim).filter(|name| !name.is_empty()) {
            if !knowledge.add(name) {
                let names = || SWITCHES.iter().map(|(name, _)| *name);
                let hint = match nearest(name, names()).first() {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("it can be {}", names().collect::<Vec<_>>().join(", ")),
                };
                return Err(KnowledgeError { name: name.into(), hint });
            }
        }
        Ok(knowledge)
    }
}

impl fmt::Display for Knowledge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Knowledge::ALL {
            return f.write_str("all");
        }
        let mut names = vec![];
        names.extend(self.solved.then_some("solved"));
        match self.simplify {
            Simplify::Never => {}
            Simplify::Sometimes => names.push("simplify-root"),
            Simplify::Always => names.push("simplify"),
        }
        names.extend(self.atomic.then_some("atomic"));
        names.extend(self.temperature.then_some("temperature"));
        names.extend(self.endgame.then_some("endgame"));
        names.extend(self.transpositions.then_some("transpositions"));
        names.extend(self.dominated.then_some("dominated"));
        names.extend(self.priors.then_some("priors"));
        names.extend(self.playout_cutoff.then_some("cutoff"));
        f.write_str(&names.join("+"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn switches_are_read_as_they_are_written() {
        for text in [
            "",
            "all",
            "solved",
            "solved+simplify",
            "simplify-root+atomic+temperature",
            "endgame",
            "transpositions+dominated+priors",
        ] {
            let knowledge: Knowledge = text.parse().unwrap();
            assert_eq!(knowledge.to_string(), text);
        }
        assert_eq!(
            "solvd".parse::<Knowledge>().unwrap_err().to_string(),
            "there is no knowledge called `solvd`; did you mean `solved`?"
        );
        assert!("x".parse::<Knowledge>().unwrap_err().to_string().contains("simplify-root"));
    }
}
