//! A game that was read from a text.

use std::sync::Arc;

use gb_rules::{AnyGame, Info, Variant};

use crate::claims;
use crate::describe::{self, Derived};
use crate::edges::{self, EdgeProgram};
use crate::error::TextError;
use crate::graph::{self, GraphProgram};
use crate::grid::{self, compile};
use crate::heap::{self, HeapProgram};
use crate::kept;
use crate::parse::parse;
use crate::tree::{BoardKind, ClaimKind, GameText, Play, name_with};
use crate::warn::{self, Warning};

/// A game that was read from a text, ready to be opened.
#[derive(Clone, Debug)]
pub struct TextGame {
    full_name: String,
    tree: GameText,
    program: Program,
}

#[derive(Clone, Debug)]
enum Program {
    Grid(compile::Shared),
    Heaps(Arc<HeapProgram>),
    Graph(Arc<GraphProgram>),
    Edges(Arc<EdgeProgram>),
}

impl TextGame {
    /// Reads a game. `parameters` are what was given in parentheses after its name; where nothing was, the defaults of the text
    /// count.
    ///
    /// # Errors
    /// If the text is no game, with the place; if what it claims is false, with a board that shows it.
    pub fn read(text: &str, parameters: &[String]) -> Result<TextGame, TextError> {
        kept::has_room()?;
        let read = |given: &[String]| {
            let tree = parse(text, given)?;
            let full_name = format!("{}~{:06x}", tree.name, fingerprint(text));
            TextGame::compile(tree, full_name, given)
        };
        match read(parameters) {
            Err(error) if !parameters.is_empty() && error.place().is_some() => Err(match read(&[]) {
                // The text is a game, but not with what was given.
                Ok(game) => TextError::Parameters {
                    game: game.name().into(),
                    problem: format!("is no game with `{}` ({error})", parameters.join(",")),
                    example: name_with(game.name(), &game.tree.parameters),
                },
                Err(_) => error,
            }),
            read => read,
        }
    }

    /// As [`read`](TextGame::read), for a text that is part of the program: the game goes by its name alone, as nothing else can be
    /// meant by it.
    ///
    /// # Errors
    /// As [`read`](TextGame::read).
    pub fn read_built_in(text: &str) -> Result<TextGame, TextError> {
        let tree = parse(text, &[])?;
        let name = tree.name.clone();
        TextGame::compile(tree, name, &[])
    }

    fn compile(tree: GameText, full_name: String, parameters: &[String]) -> Result<TextGame, TextError> {
        let name = match parameters {
            [] => full_name.clone(),
            given => format!("{full_name}({})", given.join(",")),
        };
        let program = match tree.board {
            BoardKind::Grid | BoardKind::Strip | BoardKind::Hex => {
                Program::Grid(compile::compile(&tree, name)?.settle_splitting())
            }
            BoardKind::Heap(_) => Program::Heaps(Arc::new(heap::compile(&tree, name)?)),
            BoardKind::Graph => Program::Graph(Arc::new(graph::compile(&tree, name)?)),
            BoardKind::Edges => Program::Edges(Arc::new(edges::compile(&tree, name)?)),
        };
        let game = TextGame { full_name, tree, program };
        if let Some((at, example)) = &game.tree.example {
            game.open(Variant::Plain, example).read_or_start(example).map_err(|error| {
                TextError::meaning(*at, format!("the example `{example}` is no position: {error}"))
            })?;
        }
        claims::check(&game, game.tree.board, &game.tree.claims)?;
        Ok(game)
    }

    /// The name, without parameters.
    pub fn name(&self) -> &str {
        &self.tree.name
    }

    /// The name with a number that changes with the rules, `clobber~3f81a2`. Games are known by it everywhere, so that a text that
    /// was changed, or one that has the name of another game, is a game of its own.
    pub fn full_name(&self) -> &str {
        &self.full_name
    }

    /// The text as it was read.
    pub fn tree(&self) -> &GameText {
        &self.tree
    }

    /// The game, for boards as large as this position or size.
    pub fn open(&self, variant: Variant, text: &str) -> AnyGame {
        let game = self.open_normal(variant, text);
        if self.tree.play != Play::Misere {
            return game;
        }
        // The parser has seen to it that no points are counted, and nothing in a text wins everywhere.
        game.misere(false).unwrap_or_else(|problem| unreachable!("{problem}"))
    }

    /// As [`open`](TextGame::open), played so that who cannot move loses.
    pub(crate) fn open_normal(&self, variant: Variant, text: &str) -> AnyGame {
        match &self.program {
            Program::Grid(program) => grid::open(program, variant, text),
            Program::Heaps(program) => heap::open(program, variant),
            Program::Graph(program) => graph::open(program, variant),
            Program::Edges(program) => edges::open(program, variant),
        }
    }

    /// What was found out when the text was read.
    pub fn derived(&self) -> Derived {
        let derived = self.derived_normal();
        if self.tree.play != Play::Misere {
            return derived;
        }
        Derived {
            symmetry: "nothing is taken from normal play".into(),
            parts: "a board is one whole: in misère play parts do not add up".into(),
            tabulated: false,
            ..derived
        }
    }

    /// What was found out about normal play.
    fn derived_normal(&self) -> Derived {
        match &self.program {
            Program::Grid(program) => {
                let claims_to_end = self.tree.claims.iter().any(|claim| claim.kind == ClaimKind::Ends);
                describe::of_grid(program, claims_to_end)
            }
            Program::Graph(program) => Derived {
                symmetry: if program.exchanges {
                    "the negative: the letters of the players exchanged".into()
                } else {
                    "only graphs that are numbered alike".into()
                },
                parts: "a graph falls apart into connected vertices whose letters mean something".into(),
                ends: if program.info.loopy {
                    "play may go round in circles, as far as is known".into()
                } else {
                    "play ends: every move makes the letters lighter".into()
                },
                tabulated: false,
            },
            Program::Edges(_) => Derived {
                symmetry: "no two pictures are known to be alike".into(),
                parts: "a picture falls apart where only the ground joins it".into(),
                ends: "play ends: every move cuts an edge".into(),
                tabulated: false,
            },
            Program::Heaps(_) => Derived {
                symmetry: "no two heaps are known to be alike".into(),
                parts: "every heap is a part of its own".into(),
                ends: "play ends: every move leaves smaller heaps".into(),
                tabulated: false,
            },
        }
    }

    /// What is right and probably not meant.
    pub fn warnings(&self) -> Vec<Warning> {
        warn::of(self)
    }

    /// The game of one of the moves alone, to see where it is possible.
    pub(crate) fn of_move(&self, index: usize) -> Result<TextGame, TextError> {
        let mut tree = self.tree.clone();
        tree.moves = vec![tree.moves.swap_remove(index)];
        tree.claims.clear();
        (tree.example, tree.play) = (None, Play::Normal);
        let full_name = self.full_name.clone();
        if !matches!(self.program, Program::Grid(_)) {
            return TextGame::compile(tree, full_name, &[]);
        }
        // How boards fall apart does not matter.
        let program = Program::Grid(Arc::new(compile::compile(&tree, full_name.clone())?));
        Ok(TextGame { full_name, tree, program })
    }

    /// What the game is about.
    pub fn info(&self) -> Info {
        self.open(Variant::Plain, "1").info()
    }
}

/// A number that changes with the rules: tables and databases of one text must not be used for another. Comments and spaces do
/// not count, nor does what is said about the game in words (FNV-1a, folded to 24 bits).
fn fingerprint(text: &str) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().take_while(|word| !word.starts_with("//")).collect();
        if words.first().is_some_and(|word| !["title", "rules", "example", "look"].contains(word)) {
            for byte in words.join(" ").bytes().chain([b'\n']) {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
    }
    (hash ^ hash >> 24 ^ hash >> 48) & 0xff_ffff
}
