//! A value to text: never more of it than asked for, and every shared part of the game sorted once.

use std::cmp::Ordering;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::budget::Halt;
use crate::dyadic::Dyadic;
use crate::kernel::{Kernel, deeper};
use crate::player::Player;
use crate::value::{NumberUpStar, Value};

/// Which characters to print with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Script {
    /// `^`, `v`, `*`, `+-`.
    #[default]
    Ascii,
    /// `↑`, `⇓`, `⋆`, `±`.
    Unicode,
    /// For TeX in math mode: `\uparrow`, `\ast`, `\pm`.
    Latex,
}

impl Script {
    /// The word for a game with a loop.
    pub(crate) fn name(self, word: &str) -> String {
        if self == Script::Latex { format!("\\mathbf{{{word}}}") } else { word.to_owned() }
    }

    /// What stands where a text was cut.
    fn cut_mark(self) -> &'static str {
        match self {
            Script::Ascii => "...",
            Script::Unicode => "…",
            Script::Latex => "\\ldots",
        }
    }
}

/// How to print a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// Which characters.
    pub script: Script,
    /// Numbers, ups, stars and braces alone, without names such as `+-1` and `Tiny(2)`.
    pub plain: bool,
    /// `2|0||-1` where braces can be spared.
    pub slashes: bool,
    /// How many bytes to print at most; what is longer is cut, and ends in `...` (or `…`).
    pub max_len: usize,
}

impl Default for Style {
    /// ASCII with names, cut at a million characters.
    fn default() -> Self {
        Style { script: Script::Ascii, plain: false, slashes: false, max_len: 1_000_000 }
    }
}

impl Style {
    /// ASCII without names, for other programs to read.
    #[must_use]
    pub fn plain() -> Style {
        Style { plain: true, ..Style::default() }
    }
}

/// The text of a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shown {
    /// The text.
    pub text: String,
    /// Whether the end of it had to be cut off.
    pub cut: bool,
}

impl std::fmt::Display for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&self.text)
    }
}

impl Kernel<'_> {
    /// The text of a value. Options are sorted by their own plain ASCII text, in every style, so the same value has always
    /// the same text. The work is bounded by the number of distinct positions of the value, however long the text is.
    pub fn show(&self, value: Value, style: &Style) -> Result<Shown, Halt> {
        let (atoms, sorted, order, bars, shapes) = Default::default();
        Printer { kernel: self, style, atoms, sorted, order, bars, shapes }.print(value)
    }
}

/// Left's and Right's options in the order in which they are printed.
type Sorted = Rc<[Vec<Value>; 2]>;

/// More levels of slashes than this are hard to count, and braces are better.
const MAX_BARS: u32 = 6;

struct Printer<'p> {
    kernel: &'p Kernel<'p>,
    style: &'p Style,
    /// To write a number of twenty thousand digits takes milliseconds, and it may occur in a hundred places.
    atoms: FxHashMap<(Value, Script), Rc<str>>,
    sorted: FxHashMap<Value, Sorted>,
    /// Which of two games comes first.
    order: FxHashMap<(Value, Value), Ordering>,
    /// How many bars separate the sides of a game written with slashes.
    bars: FxHashMap<Value, u32>,
    shapes: FxHashMap<Value, Shape>,
}

/// What is still to be printed.
enum Piece {
    Value(Value),
    /// A game as a side of a larger one, written with slashes if possible.
    Side(Value),
    Text(&'static str),
    Bars(u32),
}

/// How a value that is no number-up-star looks.
#[derive(Clone)]
enum Shape {
    /// An uptimal.
    Literal(Rc<str>),
    Braces(Sorted),
    Switch(Sorted),
    Tiny(Value),
    Miny(Value),
}

impl Printer<'_> {
    fn print(mut self, value: Value) -> Result<Shown, Halt> {
        // What is one word is written also where time is up: a search that was halted still says what it knows.
        if let Some(atom) = self.atom(value, self.style.script) {
            return Ok(cut(atom.to_string(), self.style));
        }
        let marks = self.marks();
        let mut text = String::new();
        let mut stack = vec![if self.style.slashes { Piece::Side(value) } else { Piece::Value(value) }];
        while let Some(piece) = stack.pop() {
            if text.len() > self.style.max_len {
                break;
            }
            self.kernel.step()?;
            match piece {
                Piece::Text(piece) => text.push_str(piece),
                Piece::Bars(n) => (0..n).for_each(|_| text.push('|')),
                Piece::Side(value) => match self.bars(value)? {
                    0 => stack.push(Piece::Value(value)),
                    n => {
                        let sorted = self.sorted(value)?;
                        let [left, right] = [sorted[0][0], sorted[1][0]];
                        let [left, right] = [self.side(left, n)?, self.side(right, n)?];
                        stack.extend([right, Piece::Bars(n), left]);
                    }
                },
                Piece::Value(value) => match self.atom(value, self.style.script) {
                    Some(atom) => text.push_str(&atom),
                    None => match self.shape(value)? {
                        Shape::Literal(literal) => text.push_str(&literal),
                        Shape::Braces(sorted) => {
                            stack.push(Piece::Text(marks.close));
                            push_list(&mut stack, &sorted[1]);
                            stack.push(Piece::Text("|"));
                            push_list(&mut stack, &sorted[0]);
                            stack.push(Piece::Text(marks.open));
                        }
                        Shape::Switch(sorted) => match sorted[0].as_slice() {
                            &[one] if !self.is_sum(one) => {
                                stack.extend([Piece::Value(one), Piece::Text(marks.switch)]);
                            }
                            list => {
                                stack.push(Piece::Text(marks.close));
                                push_list(&mut stack, list);
                                stack.extend([Piece::Text(marks.open), Piece::Text(marks.switch)]);
                            }
                        },
                        Shape::Tiny(of) => {
                            stack.extend([
                                Piece::Text(marks.group_end),
                                Piece::Value(of),
                                Piece::Text(marks.tiny),
                            ]);
                        }
                        Shape::Miny(of) => {
                            stack.extend([
                                Piece::Text(marks.group_end),
                                Piece::Value(of),
                                Piece::Text(marks.miny),
                            ]);
                        }
                    },
                },
            }
        }
        Ok(cut(text, self.style))
    }

    fn marks(&self) -> Marks {
        match self.style.script {
            Script::Ascii => {
                Marks { open: "{", close: "}", switch: "+-", tiny: "Tiny(", miny: "Miny(", group_end: ")" }
            }
            Script::Unicode => {
                Marks { open: "{", close: "}", switch: "±", tiny: "Tiny(", miny: "Miny(", group_end: ")" }
            }
            Script::Latex => {
                Marks { open: "\\{", close: "\\}", switch: "\\pm", tiny: "+_{", miny: "-_{", group_end: "}" }
            }
        }
    }

    /// The text of `on`, `off`, or a sum of a number, ups and a star.
    fn atom(&mut self, value: Value, script: Script) -> Option<Rc<str>> {
        if let Some(text) = self.atoms.get(&(value, script)) {
            return Some(text.clone());
        }
        let text: Rc<str> = match value {
            Value::ON => script.name("on"),
            Value::OFF => script.name("off"),
            _ => number_up_star(&self.kernel.as_number_up_star(value)?, script),
        }
        .into();
        self.atoms.insert((value, script), text.clone());
        Some(text)
    }

    /// Whether the text of a value is a sum, so that a sign in front of it would take the first part only.
    fn is_sum(&self, value: Value) -> bool {
        let parts = self.kernel.as_number_up_star(value).filter(|_| self.style.script == Script::Latex);
        parts.is_some_and(|parts| !parts.number.is_zero() && parts.ups.abs() > 2)
    }

    fn shape(&mut self, value: Value) -> Result<Shape, Halt> {
        if self.style.plain {
            return Ok(Shape::Braces(self.sorted(value)?));
        }
        if let Some(shape) = self.shapes.get(&value) {
            return Ok(shape.clone());
        }
        let shape = if let Some(text) = self.uptimal(value)? {
            Shape::Literal(text.into())
        } else if let Some(of) = self.kernel.as_tiny(value)? {
            Shape::Tiny(of)
        } else if let Some(of) = self.kernel.as_miny(value)? {
            Shape::Miny(of)
        } else if self.kernel.is_plus_minus(value)? {
            Shape::Switch(self.sorted(value)?)
        } else {
            Shape::Braces(self.sorted(value)?)
        };
        self.shapes.insert(value, shape.clone());
        Ok(shape)
    }

    /// The text of a number, powers of up and a star: the highest power first, so that ups alone come last and are not
    /// taken for the arrow of a power. A sum of all powers up to one of them, each once, is `^[n]`.
    fn uptimal(&self, value: Value) -> Result<Option<String>, Halt> {
        let Some(uptimal) = self.kernel.as_uptimal(value)? else { return Ok(None) };
        let script = self.style.script;
        let text =
            if uptimal.number.is_zero() { String::new() } else { number_text(&uptimal.number, script) };
        let mut powers = String::new();
        if let Some(degree) = uptimal.as_powers_sum() {
            powers = power_text(degree.unsigned_abs(), true, degree.signum(), script);
        } else {
            for (degree, &times) in (1..).zip(&uptimal.powers).filter(|(_, times)| **times != 0) {
                powers.insert_str(0, &power_text(degree, false, times, script));
            }
        }
        Ok(Some(text + &powers + &star_text(uptimal.star, script)))
    }

    /// A side of a game whose sides are separated by `bars`: with slashes if it needs fewer of them itself.
    fn side(&mut self, value: Value, bars: u32) -> Result<Piece, Halt> {
        Ok(if self.bars(value)? < bars { Piece::Side(value) } else { Piece::Value(value) })
    }

    /// How many bars separate the sides of a game when it is written with slashes; 0 if it is not.
    fn bars(&mut self, value: Value) -> Result<u32, Halt> {
        if self.atom(value, Script::Ascii).is_some() || !matches!(self.shape(value)?, Shape::Braces(_)) {
            return Ok(0);
        }
        let sorted = self.sorted(value)?;
        let (&[left], &[right]) = (sorted[0].as_slice(), sorted[1].as_slice()) else { return Ok(0) };
        if let Some(&bars) = self.bars.get(&value) {
            return Ok(bars);
        }
        let below = deeper(|| Ok(self.bars(left)?.max(self.bars(right)?)))?;
        let bars = below % MAX_BARS + 1;
        self.bars.insert(value, bars);
        Ok(bars)
    }

    /// The options of a game, sorted by their plain text.
    fn sorted(&mut self, value: Value) -> Result<Sorted, Halt> {
        if let Some(sorted) = self.sorted.get(&value) {
            return Ok(sorted.clone());
        }
        self.kernel.step()?;
        let mut lists = Player::BOTH.map(|player| self.kernel.options(value, player).collect::<Vec<_>>());
        for list in &mut lists {
            self.sort(list)?;
        }
        let sorted = Rc::new(lists);
        self.sorted.insert(value, sorted.clone());
        Ok(sorted)
    }

    /// Sorts by merging. The library's way needs an order to the end, and may panic where it gets none because a limit was reached.
    fn sort(&mut self, list: &mut Vec<Value>) -> Result<(), Halt> {
        let mut width = 1;
        while width < list.len() {
            let mut merged = Vec::with_capacity(list.len());
            for pair in list.chunks(2 * width) {
                let (mut first, mut second) = pair.split_at(width.min(pair.len()));
                while let (Some(&a), Some(&b)) = (first.first(), second.first()) {
                    if deeper(|| self.compare(b, a))? == Ordering::Less {
                        merged.push(b);
                        second = &second[1..];
                    } else {
                        merged.push(a);
                        first = &first[1..];
                    }
                }
                merged.extend_from_slice(first);
                merged.extend_from_slice(second);
            }
            *list = merged;
            width *= 2;
        }
        Ok(())
    }

    /// Compares the plain ASCII texts of two values without building them.
    fn compare(&mut self, a: Value, b: Value) -> Result<Ordering, Halt> {
        if a == b {
            return Ok(Ordering::Equal);
        }
        match (self.atom(a, Script::Ascii), self.atom(b, Script::Ascii)) {
            (Some(a), Some(b)) => return Ok(a.cmp(&b)),
            // `{` comes after all characters with which other texts begin.
            (Some(_), None) => return Ok(Ordering::Less),
            (None, Some(_)) => return Ok(Ordering::Greater),
            (None, None) => {}
        }
        if let Some(&order) = self.order.get(&(a, b)) {
            return Ok(order);
        }
        self.kernel.step()?;
        let (mine, theirs) = (self.sorted(a)?, self.sorted(b)?);
        let mut order = Ordering::Equal;
        for (mine, theirs) in mine.iter().zip(theirs.iter()) {
            order = self.compare_lists(mine, theirs)?;
            if order != Ordering::Equal {
                break;
            }
        }
        self.order.insert((a, b), order);
        self.order.insert((b, a), order.reverse());
        Ok(order)
    }

    /// Compares two lists as they are printed, with what follows them: `|` and `}` come after all other characters, so the
    /// list that ends first comes later.
    fn compare_lists(&mut self, mine: &[Value], theirs: &[Value]) -> Result<Ordering, Halt> {
        for (at, (&a, &b)) in mine.iter().zip(theirs).enumerate() {
            if a == b {
                continue;
            }
            if let (Some(a), Some(b)) = (self.atom(a, Script::Ascii), self.atom(b, Script::Ascii)) {
                // One may be the beginning of the other, and then the next character decides.
                let next = |list: &[Value]| if at + 1 == list.len() { b"|" } else { b"," };
                return Ok(a.bytes().chain(*next(mine)).cmp(b.bytes().chain(*next(theirs))));
            }
            return deeper(|| self.compare(a, b));
        }
        Ok(theirs.len().cmp(&mine.len()))
    }
}

struct Marks {
    open: &'static str,
    close: &'static str,
    switch: &'static str,
    tiny: &'static str,
    miny: &'static str,
    group_end: &'static str,
}

fn push_list(stack: &mut Vec<Piece>, list: &[Value]) {
    for (at, &value) in list.iter().enumerate().rev() {
        stack.push(Piece::Value(value));
        if at > 0 {
            stack.push(Piece::Text(","));
        }
    }
}

/// A text, cut where it is longer than the style allows.
pub(crate) fn cut(mut text: String, style: &Style) -> Shown {
    let (max_len, mark) = (style.max_len, style.script.cut_mark());
    if text.len() <= max_len {
        return Shown { text, cut: false };
    }
    let mut end = max_len.saturating_sub(mark.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    text.push_str(mark);
    Shown { text, cut: true }
}

fn number_up_star(parts: &NumberUpStar, script: Script) -> String {
    let NumberUpStar { number, ups, star } = parts;
    let mut text = match (number.is_zero(), ups, star) {
        (true, 0, 0) => return "0".to_owned(),
        (true, ..) => String::new(),
        _ => number_text(number, script),
    };
    let arrows = arrows(*ups > 0, script);
    match ups.unsigned_abs() {
        0 => {}
        1 => text.push_str(arrows[0]),
        2 => text.push_str(arrows[1]),
        n if script == Script::Latex => {
            let plus = if text.is_empty() { "" } else { "+" };
            text.push_str(&format!("{plus}{n}\\cdot{}", arrows[0]));
        }
        n => text.push_str(&format!("{}{n}", arrows[0])),
    }
    text + &star_text(*star, script)
}

/// One arrow, and two.
fn arrows(up: bool, script: Script) -> [&'static str; 2] {
    match (script, up) {
        (Script::Ascii, true) => ["^", "^^"],
        (Script::Ascii, false) => ["v", "vv"],
        (Script::Unicode, true) => ["↑", "⇑"],
        (Script::Unicode, false) => ["↓", "⇓"],
        (Script::Latex, true) => ["\\uparrow", "\\Uparrow"],
        (Script::Latex, false) => ["\\downarrow", "\\Downarrow"],
    }
}

/// A power of up, or (`summed`) the sum of the powers up to it, so many times; downs if that is negative.
fn power_text(degree: u64, summed: bool, times: i64, script: Script) -> String {
    let mark = match (script, degree, summed) {
        (_, 1, _) => String::new(),
        (Script::Latex, _, false) => format!("^{{{degree}}}"),
        (Script::Latex, _, true) => format!("^{{[{degree}]}}"),
        (_, _, false) => format!("<{degree}>"),
        (_, _, true) => format!("[{degree}]"),
    };
    let count = if times.abs() == 1 { String::new() } else { times.unsigned_abs().to_string() };
    format!("{}{mark}{count}", arrows(times > 0, script)[0])
}

fn star_text(star: u32, script: Script) -> String {
    let sign = match script {
        Script::Ascii => "*",
        Script::Unicode => "⋆",
        Script::Latex => "\\ast",
    };
    match star {
        0 => String::new(),
        1 => sign.to_owned(),
        n => format!("{sign}{n}"),
    }
}

fn number_text(number: &Dyadic, script: Script) -> String {
    let text = number.to_string();
    if script != Script::Latex {
        return text;
    }
    let (sign, unsigned) = text.strip_prefix('-').map_or(("", text.as_str()), |rest| ("-", rest));
    match unsigned.split_once('/') {
        Some((above, below)) => format!("{sign}\\frac{{{above}}}{{{below}}}"),
        None => text,
    }
}
