//! A game that was read from a text.

use std::sync::Arc;

use gb_rules::{AnyGame, Info, Variant};

use crate::error::TextError;
use crate::grid::{self, compile};
use crate::heap::{self, HeapProgram};
use crate::parse::parse;
use crate::tree::{BoardKind, GameText};

/// A game that was read from a text, ready to be opened.
#[derive(Clone, Debug)]
pub struct TextGame {
    tree: GameText,
    program: Program,
}

#[derive(Clone, Debug)]
enum Program {
    Grid(compile::Shared),
    Heaps(Arc<HeapProgram>),
}

impl TextGame {
    /// Reads a game. `parameters` are what was given in parentheses after its name; where nothing was, the defaults of the text
    /// count.
    ///
    /// # Errors
    /// If the text is no game, with the place; if what it claims is false, with a board that shows it.
    pub fn read(text: &str, parameters: &[String]) -> Result<TextGame, TextError> {
        let tree = parse(text, parameters)?;
        let name = full_name(&tree, parameters);
        let program = match tree.board {
            BoardKind::Grid | BoardKind::Strip | BoardKind::Hex => {
                Program::Grid(compile::compile(&tree, name)?.settle_splitting())
            }
            BoardKind::Heap(_) => Program::Heaps(Arc::new(heap::compile(&tree, name)?)),
            BoardKind::Graph | BoardKind::Edges => todo!(),
        };
        Ok(TextGame { tree, program })
    }

    /// The name, without parameters.
    pub fn name(&self) -> &str {
        &self.tree.name
    }

    /// The text as it was read.
    pub fn tree(&self) -> &GameText {
        &self.tree
    }

    /// The game, for boards as large as this position or size.
    pub fn open(&self, variant: Variant, text: &str) -> AnyGame {
        match &self.program {
            Program::Grid(program) => grid::open(program, variant, text),
            Program::Heaps(program) => heap::open(program, variant),
        }
    }

    /// What the game is about.
    pub fn info(&self) -> Info {
        self.open(Variant::Plain, "1").info()
    }
}

fn full_name(tree: &GameText, parameters: &[String]) -> String {
    if parameters.is_empty() { tree.name.clone() } else { format!("{}({})", tree.name, parameters.join(",")) }
}
