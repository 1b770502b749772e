//! King and pawn endgames by number: natural ones, such with locked kings, and near variants of known ones.

use gb_board::Random;

/// How a board came about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    /// Kings and pawns anywhere.
    Natural,
    /// Kings beside a pawn of each side that hold each other, as in Sveda - Sika, and other pawns anywhere.
    Locked,
    /// A known endgame with a small change.
    Variant,
    /// Sveda - Sika with a small change.
    Sveda,
}

/// The endgames of the literature that are varied.
const KNOWN: &[&str] = &[
    "8/1p5p/p7/4k3/4Pp2/5K1P/PP6/8",
    "8/1p5p/7P/4k3/p3Pp2/5K2/PP6/8",
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7",
    "7K/8/k1P5/7p/8/8/8/8",
    "8/8/8/3Pp3/4K3/8/8/k7",
    "8/5p1p/8/4k3/4P3/5K2/6PP/8",
    "8/p6p/2k5/2p5/2P5/3K4/P6P/8",
    "8/pp6/8/2k5/8/1K6/PP6/8",
    "8/8/1p6/1P1k4/8/3K4/5P2/8",
    "8/6pp/1p1k1p2/2p2P1P/P7/3K4/1P4P1/8",
];

type Cells = [[char; 8]; 8];

fn fen(cells: &Cells, white: bool) -> String {
    let mut rows = vec![];
    for row in cells.iter().rev() {
        let (mut text, mut gap) = (String::new(), 0);
        for &cell in row {
            if cell == '.' {
                gap += 1;
                continue;
            }
            if gap > 0 {
                text += &gap.to_string();
                gap = 0;
            }
            text.push(cell);
        }
        if gap > 0 {
            text += &gap.to_string();
        }
        rows.push(text);
    }
    format!("{} {} - - 0 1", rows.join("/"), if white { 'w' } else { 'b' })
}

fn cells(text: &str) -> Cells {
    let mut cells = [['.'; 8]; 8];
    for (index, row) in text.split('/').enumerate() {
        let mut file = 0;
        for letter in row.chars() {
            match letter.to_digit(10) {
                Some(gap) => file += gap as usize,
                None => {
                    cells[7 - index][file] = letter;
                    file += 1;
                }
            }
        }
    }
    cells
}

/// A board; it may be illegal. `pawns` is how many there are, except in variants.
pub fn board(sort: Sort, pawns: usize, random: &mut Random) -> String {
    let mut at = [['.'; 8]; 8];
    let put = |at: &mut Cells, letter: char, random: &mut Random| loop {
        let (rank, file) = match letter {
            'K' | 'k' => (random.below(8), random.below(8)),
            _ => (1 + random.below(6), random.below(8)),
        };
        let cell = &mut at[rank][file];
        if *cell == '.' {
            *cell = letter;
            return;
        }
    };
    let mut left = pawns;
    match sort {
        Sort::Variant | Sort::Sveda => {
            let known = if sort == Sort::Sveda { 0 } else { random.below(KNOWN.len()) };
            let from = cells(KNOWN[known]);
            at = from;
            while at == from {
                vary(&mut at, random);
            }
        }
        Sort::Locked => {
            // Kf3 and e4 against Ke5 and f4, anywhere and mirrored.
            let (file, rank) = (random.below(7), 2 + random.below(2));
            let (a, b) = if random.below(2) == 0 { (file, file + 1) } else { (file + 1, file) };
            at[rank][b] = 'K';
            at[rank + 2][a] = 'k';
            at[rank + 1][a] = 'P';
            at[rank + 1][b] = 'p';
            left = left.saturating_sub(2);
        }
        Sort::Natural => {
            put(&mut at, 'K', random);
            put(&mut at, 'k', random);
        }
    }
    if !matches!(sort, Sort::Variant | Sort::Sveda) {
        // As many pawns each, or one more, or sometimes anything.
        let mut white = left / 2 + random.below(2) * (left % 2);
        if random.below(4) == 0 {
            white = random.below(left + 1);
        }
        for index in 0..left {
            put(&mut at, if index < white { 'P' } else { 'p' }, random);
        }
    }
    fen(&at, random.below(2) == 0)
}

/// One to three pieces go one square further, or a pawn is taken away.
fn vary(at: &mut Cells, random: &mut Random) {
    for _ in 0..1 + random.below(3) {
        let (rank, file) = (random.below(8), random.below(8));
        let letter = at[rank][file];
        if letter == '.' {
            continue;
        }
        if matches!(letter, 'P' | 'p') && random.below(6) == 0 {
            at[rank][file] = '.';
            continue;
        }
        let (up, across) =
            (rank as i64 + random.below(3) as i64 - 1, file as i64 + random.below(3) as i64 - 1);
        let lowest = if matches!(letter, 'P' | 'p') { 1 } else { 0 };
        if (lowest..8 - lowest).contains(&up)
            && (0..8).contains(&across)
            && at[up as usize][across as usize] == '.'
        {
            at[rank][file] = '.';
            at[up as usize][across as usize] = letter;
        }
    }
    // Most squares are empty: try until something has changed.
    if random.below(3) != 0 {
        vary(at, random);
    }
}
