//! Text for a terminal: colours, and lines around boards.

use anstyle::{AnsiColor, Style};

/// What a piece of text is, which says how it is coloured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tint {
    /// Left's pieces and moves.
    Left,
    /// Right's pieces and moves.
    Right,
    /// What is anyone's, and moves that win.
    Good,
    /// What is wrong.
    Bad,
    /// The headline of an answer.
    Strong,
    /// What frames the rest: coordinates, empty cells.
    Faint,
    /// The part with this index.
    Part(usize),
    /// Anything else.
    Plain,
}

/// What the terminal can show. The default is plain text, for files, pipes and tests.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Ink {
    /// Colours, by ANSI escape codes.
    pub colours: bool,
    /// Lines and dots that are not in ASCII.
    pub unicode: bool,
}

impl Ink {
    /// The text in the colour of what it is. Pad before, not after: the codes have no width, but count as characters.
    pub fn paint(self, tint: Tint, text: &str) -> String {
        if !self.colours || tint == Tint::Plain || text.trim().is_empty() {
            return text.to_owned();
        }
        let style = tint.style();
        format!("{style}{text}{style:#}")
    }
}

impl Tint {
    fn style(self) -> Style {
        // Neighbouring parts differ; blue and red are the players'.
        const PARTS: [AnsiColor; 4] =
            [AnsiColor::Cyan, AnsiColor::Yellow, AnsiColor::Magenta, AnsiColor::Green];
        match self {
            Tint::Left => AnsiColor::Blue.on_default().bold(),
            Tint::Right => AnsiColor::Red.on_default().bold(),
            Tint::Good => AnsiColor::Green.on_default(),
            Tint::Bad => AnsiColor::Red.on_default().bold(),
            Tint::Strong => Style::new().bold(),
            Tint::Faint => Style::new().dimmed(),
            Tint::Plain => Style::new(),
            Tint::Part(index) => PARTS[index % PARTS.len()].on_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_ink_changes_nothing() {
        assert_eq!(Ink::default().paint(Tint::Left, "x"), "x");
        let colours = Ink { colours: true, unicode: false };
        assert_eq!(colours.paint(Tint::Strong, "N"), "\u{1b}[1mN\u{1b}[0m");
        assert_eq!(colours.paint(Tint::Strong, "  "), "  ");
    }
}
