//! Games nobody thought of: what is derived from random patterns is true of all small boards.

use gb_board::Random;
use gb_rules::conformance::{ClaimError, boards_of_letters, check_claims};
use gb_rules::{Variant, with_game};
use gb_text::TextGame;
use gb_value::{Budget, Store};

use crate::long;

/// Up to so many boards of a size.
const MOST_BOARDS: usize = 300;

pub(crate) struct Maker {
    random: Random,
    letters: Vec<char>,
}

impl Maker {
    pub(crate) fn new(seed: u64) -> Maker {
        Maker { random: Random::new(seed, 0), letters: vec![] }
    }

    fn one<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.random.below(list.len())]
    }

    fn letter(&mut self) -> char {
        self.letters[self.random.below(self.letters.len())]
    }

    fn set(&mut self) -> String {
        match self.random.below(4) {
            0 => format!("[{}{}]", self.letter(), self.letter()),
            _ => self.letter().to_string(),
        }
    }

    /// A pattern of one row and what it becomes.
    fn row(&mut self, length: usize) -> String {
        let before: String = (0..length).map(|_| self.set()).collect();
        let after: String =
            (0..length).map(|_| if self.random.below(4) == 0 { '~' } else { self.letter() }).collect();
        format!("{before} -> {after}")
    }

    fn ways(&mut self, strip: bool) -> String {
        let ways: &[&str] = if strip {
            &["", "along rows", "along west"]
        } else {
            &[
                "",
                "along rows",
                "along columns",
                "along orthogonal",
                "along diagonal",
                "along queen",
                "along south and east",
            ]
        };
        self.one(ways).to_string()
    }

    fn action(&mut self, strip: bool) -> String {
        let ways = self.ways(strip);
        match self.random.below(14).min(12) {
            0 => format!("{} slide {ways}", self.row(2)),
            1 => format!("{} slide over {} {ways}", self.row(2), self.set()),
            2 => {
                let (a, b, c) = (self.letter(), self.set(), self.letter());
                let over = if self.random.below(2) == 0 { '~' } else { c };
                format!("{a}{b}{c} -> {c}{over}{a} repeat {ways}")
            }
            3 => format!("{} -> {} pushing {} {ways}", self.set(), self.letter(), self.set()),
            4 => format!("{}{}* -> {}~* {ways}", self.set(), self.set(), self.letter()),
            5 => format!("{} neighbours {} -> {}", self.row(1), self.set(), self.letter()),
            6 => {
                let word = self.one(&["if", "unless"]);
                let near = self.one(&["beside", "around"]);
                let letters = if self.random.below(4) == 0 { "edge".to_string() } else { self.set() };
                let length = 1 + self.random.below(2);
                format!("{} {word} {near} {letters} {ways}", self.row(length))
            }
            7 if !strip => {
                let (a, b, c) = (self.set(), self.set(), self.set());
                let (x, y, z) = (self.letter(), self.letter(), self.letter());
                let ways = self.one(&["", "along images", "along turns", "along mirrors"]);
                format!("{a}{b}/{c}? -> {x}{y}/{z}? {ways}")
            }
            10 | 12 => {
                // Letters of one cell may be in the way before and after it changes, so sets of two are asked for as well.
                let near: &[&str] =
                    if strip { &["west", "east"] } else { &["south", "north", "west", "east", "beside"] };
                let conditions: Vec<String> = (0..1 + self.random.below(2))
                    .map(|_| {
                        let (word, near) = (self.one(&["if", "unless", "unless"]), self.one(near));
                        let letters = match self.random.below(5) {
                            0 => "edge".to_string(),
                            1 | 2 => format!("[{}{}]", self.letter(), self.letter()),
                            _ => self.set(),
                        };
                        format!("{word} {near} {letters}")
                    })
                    .collect();
                let length = 1 + self.random.below(2);
                format!("{} {} {ways}", self.row(length), conditions.join(" "))
            }
            11 => {
                let (a, b, c) = (self.letter(), self.letter(), self.letter());
                let turn = self.one(&["!+", "+~", "~!"]);
                format!("[{a}{b}][{b}{c}] -> {turn} {ways}")
            }
            8 => format!("{} {ways} then {} {ways}", self.row(2), self.row(2)),
            _ => {
                let length = 1 + self.random.below(3);
                let points = self.one(&["", "", "", "scores 1", "scores 1 per cell"]);
                format!("{} {ways} {points}", self.row(length))
            }
        }
    }

    pub(crate) fn text(&mut self) -> String {
        self.letters = ".xoy".chars().take(2 + self.random.below(3)).collect();
        let strip = self.random.below(3) == 0;
        let board = if strip { "strip" } else { self.one(&["grid", "grid", "hex"]) };
        let cells: Vec<String> = self.letters.iter().map(|letter| format!("{letter} cell")).collect();
        let mut text = format!("game random\nboard {board}\ncells {}\n", cells.join(", "));
        for who in ["left", "right", "both"] {
            for _ in 0..self.random.below(3) {
                let action = self.action(strip);
                text += &format!("{who}: {action}\n");
            }
        }
        if self.random.below(6) == 0 && self.letters.len() > 2 {
            text += "legal: every group of x touches .\n";
        } else if self.random.below(6) == 0 && self.letters.len() > 2 {
            text += "legal: no x beside [xo]\n";
        } else if self.random.below(6) == 0 && self.letters.len() > 2 {
            let way = if strip { "west" } else { "south" };
            text += &format!("legal: every xo along {way} touches .\n");
        }
        text
    }
}

#[test]
fn what_is_derived_from_random_patterns_is_true() {
    let wanted = if long() { 3_000 } else { 120 };
    let mut maker = Maker::new(22);
    let (mut games, mut loopy, mut boards) = (0, 0, 0);
    while games < wanted {
        let text = maker.text();
        // Many of them make no sense, and are told so.
        let Ok(game) = TextGame::read(&text, &[]) else { continue };
        let info = game.info();
        if info.loopy {
            loopy += 1;
            continue;
        }
        let letters = info.alphabet.iter().filter(|(_, meaning)| !meaning.starts_with('(')).count();
        for variant in [Variant::Plain, Variant::Impartial] {
            let open = game.open(variant, "4x4");
            for (rows, cols) in [(1, 3), (1, 4), (1, 5), (1, 7), (2, 2), (2, 3), (3, 2), (2, 4), (3, 3)] {
                if letters.pow((rows * cols) as u32) > MOST_BOARDS {
                    continue;
                }
                let (store, budget) = (Store::new(), Budget::unlimited().with_nodes(2_000_000));
                with_game!(&open, open => {
                    let all = boards_of_letters(&**open, rows, cols);
                    match check_claims(&**open, &all, &store.kernel(&budget)) {
                        Ok(count) => boards += count,
                        Err(ClaimError::Stopped(_)) => {}
                        Err(error) => panic!("{error} in\n{text}\n{:?}", game.derived()),
                    }
                });
            }
        }
        games += 1;
    }
    println!("{games} games, {boards} boards, {loopy} more that may repeat");
}
