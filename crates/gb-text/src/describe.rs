//! What was found out about a game, in words.

use gb_rules::Sign;

use crate::grid::compile::GridProgram;
use crate::grid::split::{Adjacency, Splitting};
use crate::pattern::Image;
use crate::symmetry::Likeness;
use crate::tree::BoardKind;

/// What was found out about a game when its text was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Derived {
    /// Which boards are alike.
    pub symmetry: String,
    /// How boards fall apart.
    pub parts: String,
    /// Whether play ends, and how that is known.
    pub ends: String,
    /// Whether all boards of a size can be numbered, for databases.
    pub tabulated: bool,
}

pub(crate) fn of_grid(program: &GridProgram, claims_to_end: bool) -> Derived {
    let ends = match (&program.weights, program.info.loopy) {
        (Some(weights), _) => {
            let heavy: Vec<String> = program
                .info
                .alphabet
                .iter()
                .zip(weights)
                .filter(|(_, weight)| **weight > 0)
                .map(|((letter, _), weight)| format!("{letter} {weight}"))
                .collect();
            format!("play ends: every move makes the board lighter (weights: {})", heavy.join(", "))
        }
        (None, false) if claims_to_end => "play ends, as the text claims and small boards confirm".into(),
        (None, false) => "play ends: pieces only walk one way".into(),
        (None, true) => "play may go round in circles, as far as is known".into(),
    };
    Derived { symmetry: symmetry(program), parts: parts(program), ends, tabulated: program.traits.is_some() }
}

fn parts(program: &GridProgram) -> String {
    let adjacency = |adjacency: Adjacency| match adjacency {
        Adjacency::Row => "runs along the rows",
        Adjacency::Sides => "sets of cells that hang together by their sides",
        Adjacency::King => "sets of cells that hang together by sides or corners",
    };
    let letters = |codes: u16| -> String {
        let known = program.info.alphabet.iter().enumerate().filter(|(code, _)| codes >> code & 1 == 1);
        known.map(|(_, (letter, _))| letter).collect()
    };
    match program.splitting {
        Splitting::Whole => "boards stay in one piece".into(),
        Splitting::Connected(way) => {
            format!("a board falls apart into {} of the letters {}", adjacency(way), letters(program.live))
        }
        Splitting::Claimed(codes, way) => format!(
            "a board falls apart into {} of the letters {}, as the text claims and small boards confirm",
            adjacency(way),
            letters(codes)
        ),
        Splitting::Ever => "a board falls apart where no moves that may ever be possible join cells".into(),
    }
}

fn image_name(image: Image) -> &'static str {
    match image {
        (false, false, false) => "the board itself",
        (false, false, true) => "left to right",
        (false, true, false) => "upside down",
        (false, true, true) => "turned by half a circle",
        (true, false, false) => "rows as columns",
        (true, false, true) => "turned to the right",
        (true, true, false) => "turned to the left",
        (true, true, true) => "rows as columns, the other way",
    }
}

fn symmetry(program: &GridProgram) -> String {
    let list = &program.likenesses;
    let swapped: Vec<String> = program
        .exchange
        .iter()
        .enumerate()
        .filter(|&(code, &other)| code < other)
        .map(|(code, &other)| {
            format!("{} and {}", program.info.alphabet[code].0, program.info.alphabet[other].0)
        })
        .collect();
    let of = |exchanged: bool, sign: Sign| -> Vec<Image> {
        let alike = |l: &&Likeness| l.exchanged == exchanged && l.sign == sign;
        list.iter().filter(alike).map(|l| l.image).collect()
    };
    let all = if program.board == BoardKind::Strip { 2 } else { 8 };
    let named = |images: &[Image]| -> String {
        if images.len() == all && all == 8 {
            return "all eight images".into();
        }
        let others = images.iter().filter(|image| **image != (false, false, false));
        others.map(|&image| image_name(image)).collect::<Vec<_>>().join(", ")
    };
    let mut said = vec![];
    let same = of(false, Sign::Plus);
    if same.len() > 1 {
        said.push(format!("the same value: {}", named(&same)));
    }
    let negative = of(false, Sign::Minus);
    if !negative.is_empty() {
        said.push(format!("the negative: {}", named(&negative)));
    }
    let exchange = swapped.join(", ");
    for (sign, word) in [(Sign::Plus, "the same value"), (Sign::Minus, "the negative")] {
        let images = of(true, sign);
        if !images.is_empty() {
            let with = if images.contains(&(false, false, false)) {
                String::new()
            } else {
                format!(" and the board {}", named(&images))
            };
            said.push(format!("{word}: {exchange} exchanged{with}"));
        }
    }
    if said.is_empty() { "no two boards are known to be alike".into() } else { said.join("; ") }
}
