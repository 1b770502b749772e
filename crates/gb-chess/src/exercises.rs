//! Endgames to learn from: those of the literature, and the games of F. Maeser's thesis (2001, chapter 7).

use gb_rules::Player;
use serde::Serialize;

use crate::coach::{Judgement, Tempi};
use crate::names::player_name;
use crate::solve::Ending;

/// What is to be reached.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Goal {
    /// Win; that it can be done is proved on the whole board.
    Win,
    /// Hold the draw; that it can be done is proved on the whole board.
    Draw,
    /// Win the battle of tempi: the other side runs out of pawn moves first, or a pawn gets through. It can be done by the
    /// values of the chunks; the whole board is too large for a proof in a few seconds.
    Tempi,
}

/// A position to be played by the learner, who is to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct Exercise {
    /// A short name that stays.
    pub id: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// What it teaches.
    pub theme: &'static str,
    /// Where it is from.
    pub source: &'static str,
    /// The position.
    pub position: &'static str,
    /// What is to be reached.
    pub goal: Goal,
    /// A word before it begins.
    pub note: &'static str,
}

const KINGS: &str = "The kings fight";
const RACES: &str = "Races";
const TEMPI: &str = "The battle of tempi";
const AVERBAKH: &str = "Y. Averbakh, I. Maizelis, Pawn Endings, 1974";
const THESIS: &str = "F. Maeser, Divide and conquer in game tree search, 2001";

/// All exercises, easy ones first within a theme.
pub const EXERCISES: &[Exercise] = &[
    Exercise {
        id: "opposition-win",
        title: "The king in front of its pawn",
        theme: KINGS,
        source: AVERBAKH,
        position: "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1",
        goal: Goal::Win,
        note: "Black has the opposition. Go round.",
    },
    Exercise {
        id: "opposition-draw",
        title: "Holding king and pawn",
        theme: KINGS,
        source: AVERBAKH,
        position: "4k3/8/8/3KP3/8/8/8/8 b - - 0 1",
        goal: Goal::Draw,
        note: "Only the opposition holds.",
    },
    Exercise {
        id: "trebuchet",
        title: "The trebuchet",
        theme: KINGS,
        source: "Y. Averbakh, I. Maizelis, Pawn Endings, 1974; here one move earlier",
        position: "8/8/8/5K2/3p4/2kP4/8/8 w - - 0 1",
        goal: Goal::Win,
        note: "Whoever has to move beside the locked pawns loses his own.",
    },
    Exercise {
        id: "schlage-ahues",
        title: "Schlage - Ahues",
        theme: KINGS,
        source: "Berlin 1921",
        position: "8/p7/P3K3/8/8/2k5/8/8 w - - 0 1",
        goal: Goal::Win,
        note: "Two ways to a7 are equally long. One of them is in Black's way as well.",
    },
    Exercise {
        id: "triangulation",
        title: "Triangulation",
        theme: KINGS,
        source: "H. Fahrni; J. Speelman, Endgame Preparation, 1981",
        position: "2k5/8/p1P5/P2K4/8/8/8/8 w - - 0 1",
        goal: Goal::Win,
        note: "It would be won if it were Black's turn. Lose a move.",
    },
    Exercise {
        id: "baehr",
        title: "Baehr's rule",
        theme: KINGS,
        source: "W. Baehr, Deutsche Schachzeitung 1936",
        position: "8/8/8/p4k2/P4P2/5K2/8/8 w - - 0 1",
        goal: Goal::Win,
        note: "The passed pawn leads Black's king away from the a-file.",
    },
    Exercise {
        id: "lasker-reichhelm",
        title: "Lasker - Reichhelm",
        theme: KINGS,
        source: "Em. Lasker and G. Reichhelm, Chicago Tribune 1901",
        position: "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
        goal: Goal::Win,
        note: "Corresponding squares: one move wins.",
    },
    Exercise {
        id: "reti",
        title: "Reti's diagonal",
        theme: RACES,
        source: "R. Reti, Ostrauer Morgenzeitung 1921",
        position: "7K/8/k1P5/7p/8/8/8/8 w - - 0 1",
        goal: Goal::Draw,
        note: "Black's pawn is too far away, and so is Black's king. Do both at once.",
    },
    Exercise {
        id: "sveda-sika",
        title: "Sveda - Sika, White",
        theme: TEMPI,
        source: "Brno 1929; N. D. Elkies, On numbers and endgames, 1996",
        position: "8/1p5p/p7/4k3/4Pp2/5K1P/PP6/8 w - - 0 1",
        goal: Goal::Tempi,
        note: "Whoever has to move a king loses a pawn. Make the last pawn move.",
    },
    Exercise {
        id: "sveda-sika-black",
        title: "Sveda - Sika, Black",
        theme: TEMPI,
        source: "Brno 1929; N. D. Elkies, On numbers and endgames, 1996",
        position: "8/1p5p/p7/4k3/4Pp2/5K1P/PP6/8 b - - 0 1",
        goal: Goal::Tempi,
        note: "The same from the other side: the first player wins.",
    },
    Exercise {
        id: "breakthrough-tempi",
        title: "Breakthrough with locked kings",
        theme: TEMPI,
        source: THESIS,
        position: "8/ppp5/8/PPP2k2/5Pp1/6K1/8/8 w - - 0 1",
        goal: Goal::Tempi,
        note: "A threat that wins everywhere at once.",
    },
    Exercise {
        id: "popov-dankov",
        title: "Popov - Dankov",
        theme: TEMPI,
        source: "Albena 1978; the centre as in the thesis of F. Maeser, 2001",
        position: "8/pp4p1/7p/3k4/PP1Pp3/4K1P1/6P1/8 w - - 0 1",
        goal: Goal::Tempi,
        note: "White has one good move on the kingside.",
    },
    Exercise {
        id: "velimirovic-smejkal",
        title: "Velimirovic - Smejkal",
        theme: TEMPI,
        source: "Rio de Janeiro 1979",
        position: "8/1pp4p/3p4/Pp1P1k2/3PpP2/1P2K3/7P/8 w - - 0 1",
        goal: Goal::Tempi,
        note: "White wins the battle of tempi and a pawn; whether that is enough is disputed.",
    },
    Exercise {
        id: "paoli-michel",
        title: "Paoli - Michel",
        theme: TEMPI,
        source: "Vienna 1950; the centre as in the thesis of F. Maeser, 2001",
        position: "8/pp6/6pp/3k4/3Pp1P1/P3K3/1P5P/8 w - - 0 1",
        goal: Goal::Tempi,
        note: "Two wings with two pawns each.",
    },
    Exercise {
        id: "bronstein-rajna",
        title: "Bronstein - Rajna, after Black's first move",
        theme: TEMPI,
        source: "Budapest 1977",
        position: "8/5p1p/4kp2/p1p5/2p1PKP1/8/PP5P/8 w - - 0 1",
        goal: Goal::Tempi,
        note: "White is a whole move ahead. Do not waste it.",
    },
    Exercise {
        id: "thomas-maroczy",
        title: "Thomas - Maroczy",
        theme: TEMPI,
        source: "Nice 1930, with the kings in zugzwang",
        position: "8/6pp/1pk2p2/2p2P1P/P1K5/1P6/6P1/8 w - - 0 1",
        goal: Goal::Tempi,
        note: "The kingside is worth 1: one move to spare.",
    },
    Exercise {
        id: "pirc-kolski",
        title: "Pirc - Kolski, after f6-f5",
        theme: TEMPI,
        source: "Lodz 1938",
        position: "8/p4p2/2k4p/2Pp1p2/3K4/P7/5PPP/8 w - - 0 1",
        goal: Goal::Tempi,
        note: "Two moves win, and one of them wins by more.",
    },
    Exercise {
        id: "ranits-wirius",
        title: "Ranits - Wirius",
        theme: TEMPI,
        source: "Austria 1998; the centre as in the thesis of F. Maeser, 2001",
        position: "8/6pp/p4p2/2k5/P1Pp4/3K3P/5PP1/8 w - - 0 1",
        goal: Goal::Tempi,
        note: "The sum is a star: the first player wins.",
    },
    Exercise {
        id: "nehlert-precour",
        title: "Nehlert - Precour",
        theme: TEMPI,
        source: "Baden 1992",
        position: "8/1pp5/p4P2/6k1/P1P2pP1/1P3K2/8/8 w - - 0 1",
        goal: Goal::Tempi,
        note: "White's pawn on f6 is close to promotion, too.",
    },
    Exercise {
        id: "jacek-miler",
        title: "Jacek - Miler",
        theme: TEMPI,
        source: "Czech Republic 1996",
        position: "8/5p1p/p1k3p1/2Pp4/3K1P2/P5P1/7P/8 b - - 0 1",
        goal: Goal::Tempi,
        note: "One move wins.",
    },
    Exercise {
        id: "schuessler-king",
        title: "Schuessler - King",
        theme: TEMPI,
        source: "Gausdal 1990; the centre as in the thesis of F. Maeser, 2001",
        position: "8/p4p2/6pp/2k5/2Pp4/P2K1P1P/6P1/8 b - - 0 1",
        goal: Goal::Tempi,
        note: "Black wins whoever begins.",
    },
];

impl Exercise {
    /// The exercise with this name.
    pub fn find(id: &str) -> Option<&'static Exercise> {
        EXERCISES.iter().find(|exercise| exercise.id == id)
    }

    /// The learner: whoever is to move first.
    pub fn learner(&self) -> Player {
        if self.position.contains(" w ") { Player::Left } else { Player::Right }
    }

    /// What the learner has to reach on the whole board; `None` where only the values say so.
    pub fn wanted(&self) -> Option<Ending> {
        match self.goal {
            Goal::Win => Some(Ending::won_by(self.learner())),
            Goal::Draw => Some(Ending::Draw),
            Goal::Tempi => None,
        }
    }

    /// The task in a sentence.
    pub fn task(&self) -> String {
        let who = player_name(self.learner());
        match self.goal {
            Goal::Win => format!("{who} to play and win."),
            Goal::Draw => format!("{who} to play and draw."),
            Goal::Tempi => {
                format!(
                    "{who} to play and win the battle of tempi (by the values; not proved on the whole board)."
                )
            }
        }
    }

    /// Whether an exercise is over after a move of the learner's; `seen` says how often the position after the answer was on the
    /// board, that time included.
    pub fn standing(&self, judgement: &Judgement, seen: usize) -> Option<Standing> {
        let own = Ending::won_by(self.learner());
        let said = |solved: bool, text: String| Some(Standing { solved, text });
        if let Some(over) = &judgement.over {
            let solved = match over.ending {
                Some(Ending::Draw) => self.goal == Goal::Draw,
                Some(ending) => ending == own,
                None => self.goal == Goal::Tempi && over.by == player_name(self.learner()),
            };
            return said(solved, over.text.clone());
        }
        if self.goal == Goal::Tempi && judgement.tempi == Tempi::Won {
            let other = player_name(self.learner().opponent());
            return said(true, format!("The battle of tempi is won: {other} has to give way."));
        }
        if self.goal == Goal::Draw && seen >= 3 {
            return said(true, "The position is on the board for the third time: a draw.".into());
        }
        None
    }
}

/// The end of an exercise.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Standing {
    /// The goal was reached.
    pub solved: bool,
    /// How.
    pub text: String,
}
