//! A thermograph in plain characters.

use gb_value::{Dyadic, Thermograph};
use num_bigint::BigInt;

use super::{Drawing, Window};
use crate::picture::scale::{Scale, log2};

/// A picture of at most `width` columns and `height` lines (but never less than 24 by 10), each line ending in a
/// newline, under a line with the name and the exact mean and temperature.
///
/// Columns and rows are whole multiples of a power of two, so every label is exact where it stands. Walls slope by one
/// column a row unless the picture would be too narrow for that.
pub fn text(name: &str, graph: &Thermograph, width: usize, height: usize) -> String {
    text_of(name, &graph.into(), width, height)
}

/// As [`text`], for a thermograph that need not be that of a game.
pub fn text_of(name: &str, graph: &Drawing, width: usize, height: usize) -> String {
    let (width, height) = (width.max(24), height.max(10));
    let canvas = Canvas::new(graph, width, height - 3);
    let mut lines = vec![headline(name, graph, width)];
    lines.extend(canvas.rows(graph));
    lines.extend(canvas.value_axis());
    lines.iter().map(|line| line.trim_end().to_owned() + "\n").collect()
}

fn headline(name: &str, graph: &Drawing, width: usize) -> String {
    let line = format!("{name}   mean {}, temperature {}", graph.mean, graph.temperature);
    match line.char_indices().nth(width) {
        None => line,
        Some(_) => line.chars().take(width - 1).chain(['…']).collect(),
    }
}

/// Which numbers the rows and columns stand for.
struct Canvas {
    /// The temperatures of the rows from the top down to -1, and their labels.
    rows: Vec<Dyadic>,
    row_labels: Vec<String>,
    /// From the greatest value to the least, one place a column.
    columns: Scale,
    column_step: i32,
    gutter: usize,
    width: usize,
}

impl Canvas {
    fn new(graph: &Drawing, width: usize, height: usize) -> Canvas {
        let window = Window::around(std::iter::once(graph));
        let wide = &window.hi - &window.lo;
        let row_step = step(&(&window.top + Dyadic::ONE), height - 1);
        let rows = row_temperatures(&window.top, row_step);
        let row_labels = row_labels(&rows, row_step, width / 3);
        let gutter = row_labels.iter().map(String::len).max().unwrap_or(0) + 2;
        let plot = width.saturating_sub(gutter).max(12);
        // The same step for both axes, unless the walls would not fit or hardly part.
        let finest = step(&wide, plot - 2);
        let column_step = if finest + 3 < row_step { finest } else { finest.max(row_step) };
        let unit = power_of_two(column_step);
        let per_unit = power_of_two(-column_step);
        let ends = |x: &Dyadic| x * &per_unit;
        let from = ends(&window.hi).ceil() * &unit;
        let to = ends(&window.lo).floor() * &unit;
        let length = ends(&(&from - &to)).to_i64().unwrap_or(1);
        Canvas { rows, row_labels, columns: Scale { from, to, length }, column_step, gutter, width }
    }

    fn rows(&self, graph: &Drawing) -> Vec<String> {
        let [left_wall, right_wall] = &graph.walls;
        let mut above = None;
        let mut lines = Vec::with_capacity(self.rows.len());
        for (i, (t, label)) in self.rows.iter().zip(&self.row_labels).enumerate() {
            let left = self.columns.place(&Drawing::at(left_wall, t)) as usize;
            let right = self.columns.place(&Drawing::at(right_wall, t)) as usize;
            let background = if t.is_zero() { '┄' } else { ' ' };
            let mut cells = vec![background; self.columns.length as usize + 1];
            cells[left..=right].fill(if left == right { ' ' } else { '░' });
            let (left_above, right_above) = above.unwrap_or((left, right));
            // A wall that moves by more than a column is joined to the row above.
            cells[left..left_above.max(left)].fill('─');
            cells[right.min(right_above + 1)..=right].fill('─');
            if left_above == right_above && left + 2 < right {
                cells[left_above] = '┸';
            }
            cells[left] = if left < left_above { '╱' } else { '│' };
            cells[right] = if right > right_above { '╲' } else { '│' };
            if left == right {
                cells[left] = if i == 0 { '▲' } else { '┃' };
            }
            above = Some((left, right));
            let axis = if label.is_empty() { '│' } else { '┤' };
            let cells: String = cells.into_iter().collect();
            lines.push(format!("{label:>0$}{axis}{cells}", self.gutter - 1));
        }
        lines
    }

    /// The axis below the plot and the labels below the axis.
    fn value_axis(&self) -> [String; 2] {
        let unit = power_of_two(self.column_step);
        let mut every = unit;
        let ticks = loop {
            let ticks: Vec<(usize, String)> = (self.columns.multiples(&every).iter().rev())
                .map(|x| (self.gutter + self.columns.place(x) as usize, x.to_string()))
                .collect();
            let start = |(at, label): &(usize, String)| at.saturating_sub(label.len() / 2);
            let apart = |pair: &[(usize, String)]| start(&pair[0]) + pair[0].1.len() + 1 < start(&pair[1]);
            if ticks.windows(2).all(apart) {
                break ticks;
            }
            every = every.double();
        };
        let columns = self.columns.length as usize + 1;
        let mut axis: Vec<char> = format!("{:>1$}", "└", self.gutter).chars().collect();
        axis.extend(std::iter::repeat_n('─', columns));
        let mut labels = String::new();
        for (at, label) in ticks {
            axis[at] = '┴';
            let start = at.saturating_sub(label.len() / 2);
            if start + label.len() <= self.width {
                labels += &format!("{:>1$}", label, start + label.len() - labels.len());
            }
        }
        [axis.into_iter().collect(), labels]
    }
}

/// The temperatures of the rows: -1, then multiples of the step up to the top; downwards.
fn row_temperatures(top: &Dyadic, step: i32) -> Vec<Dyadic> {
    let unit = power_of_two(step);
    let mut rows = vec![Dyadic::integer(-1)];
    let mut t = if step <= 0 { &unit - Dyadic::ONE } else { Dyadic::ZERO };
    while t <= *top {
        rows.push(t.clone());
        t += &unit;
    }
    rows.reverse();
    rows
}

/// Labels at round temperatures, at -1 and at 0, of at most `longest` characters.
fn row_labels(rows: &[Dyadic], step: i32, longest: usize) -> Vec<String> {
    // A row step of one or more leaves no free row between -1 and 0.
    let mut every = if step >= 0 { step + 1 } else { step };
    while rows.len() > 12 && every < 0 && every < step + 2 {
        every += 1;
    }
    let per_label = power_of_two(-every);
    let round = |t: &Dyadic| (t * &per_label).is_integer();
    let labelled = |t: &Dyadic| t.is_zero() || *t == Dyadic::integer(-1) || round(t);
    let label = |t: &Dyadic| Some(t).filter(|t| labelled(t)).map(Dyadic::to_string);
    rows.iter().map(|t| label(t).filter(|text| text.len() <= longest).unwrap_or_default()).collect()
}

/// The least power of two, as an exponent, that divides the range into at most so many.
fn step(range: &Dyadic, most: usize) -> i32 {
    let most = Dyadic::integer(most as i64);
    let mut step = log2(range).clamp(-(1 << 30), 1 << 30) as i32 - log2(&most) as i32 - 1;
    while power_of_two(step) * &most < *range {
        step += 1;
    }
    step
}

fn power_of_two(exponent: i32) -> Dyadic {
    match exponent {
        ..0 => Dyadic::new(1, exponent.unsigned_abs()),
        _ => Dyadic::from(BigInt::from(1) << exponent),
    }
}
