//! The conformance run over the list, on positions that are small enough for the naive search.

use gb_rules::conformance::{Checked, ConformanceError, check};
use gb_rules::{Game, with_game};

/// Positions to play through. A game that is not here is tried with its own example.
const POSITIONS: &[(&str, &[&str])] = &[
    ("amazons", &["x..o", "x.|.o|..", "x..|.#o|...", "x..#.o", "xo.|...", "x...#x.", "..x#|.#.o"]),
    (
        "chess",
        &[
            "8/8/8/4k3/4Pp2/5K1P/8/8 w - - 0 1",
            "8/pp6/8/P3k3/8/5K1P/8/8 b - - 0 1",
            "7k/P7/8/8/8/8/8/K7 b - - 0 1",
        ],
    ),
    ("clobber", &["xoxo", "xo.|.ox", "xox|oxo", "xx.oo|x..xo", "xoxoxo", "x.o|oxx|xo.", "xo..xo..xoxo"]),
    (
        "col",
        &[
            "....",
            "..|..",
            "...|.x.",
            ".#.|...|o.x",
            "5;0-1,1-2,2-3,3-4,4-0",
            "6;0-1,1-2,3-4;..x.o.",
            "l.r|.l.",
        ],
    ),
    ("blockbusting", &[".", "..", "....", "x..o.", ".x.|..", "x.x", ".....x"]),
    ("cram", &["..|..", "...|...", "...|.#.|...", "....."]),
    ("cutcake", &["2x3", "3x2,1x2", "3x4", "1x5"]),
    ("elephants-and-rhinos", &["x.o", "x..o.x", "xx.o.o", ".x.x..o|x.o", "o.x..o", "x.xo.o..o"]),
    (
        "fission",
        &["...|.x.|...", "..x..", ".x.x.|.....|..#..|..x..", "....|..x.|....|#..#", "x...x|.x...|....."],
    ),
    ("fox-and-geese", &["x.x|...|.o.", "x.x.|....|.o..", ".x.|#..|o.x|..."]),
    (
        "hackenbush",
        &[
            "BRB",
            "BRG,RB",
            "GGG,GB",
            "BRRB,RBB",
            "0-1B,0-2B,1-2R",
            "0-1R,3-2G,2-4B,2-3R,3-1R,1-3G,3-2R",
            "0-1B,1-1R,1-2G,0-3R",
            "0-1G,0-2G,1-2G,2-3B",
            "0-1R,3-1R,4-2G",
        ],
    ),
    (
        "konane",
        &[".xo.", "xo.o.", "xox|o.o|xox", "xo..|oo.o|.oox", ".xo.#.xo.o", "x.xo.x|oo.o..", "o.xo..xoo..x"],
    ),
    ("maundy-cake", &["2x4", "3x2,1x4", "4x6"]),
    (
        "pawns",
        &["1/p/1/1/P/1", "1/p/1/1/1/P/1", "2/p1/1p/2/P1/1P/2", "8/8/8/p6p/8/P6P/8/8", "2/p1/Pp/2/2/2 a3"],
    ),
    ("peg-duotaire", &[".xx.", "xx.x|.xx.", "xxx|x.x|.x.", "xx.x..xx.", "xx..|.#.x|xx.."]),
    ("subtraction(1,3,4)", &["7", "3,5", "9"]),
    ("toads-and-frogs", &["tf.", "tt..ff", "t.f.t.f", "..f|tft", "tf.tf.|t.", "f.tft.f..", "ff.t.tf.t"]),
    ("toppling-dominoes", &["xo", "xxogo", "xox|gx", "oxxoox"]),
    ("dawsons-kayles", &["7", "3,4", "9"]),
    (
        "domineering",
        &[
            "..|..",
            "...|...",
            "...|...|...",
            "......|.#....",
            "....|###.|....",
            ".#...|.#.#.|....#",
            ".....",
            "..#.|.##.|....",
            "..###..|.......",
            "##..|#...|..#.|.#..",
        ],
    ),
    ("kayles", &["6", "3,4", "1,2,3"]),
    ("nim", &["3,2", "1,2,3", "5"]),
    (
        "nogo",
        &[
            "....",
            "...|...",
            "...|.x.|...",
            "x..o|..#.",
            ".......",
            "xo..|..ox",
            "..#..",
            ".x.|x.#|...",
            ".o.x|x.#.|....",
        ],
    ),
    ("octal(0.137)", &["8", "2,5"]),
    ("octal(4.7)", &["5", "2,3"]),
    ("octal(0.77)", &["6"]),
    ("regio", &["...", "..|..", "....", "..#..", ".x.|o..", "4;0-1,0-2,0-3", "5;0-1,1-2,2-3,3-4,4-0;..x.o"]),
    (
        "snort",
        &[
            "....",
            "..|..",
            "...|.x.",
            ".#.|...|o.x",
            "5;0-1,1-2,2-3,3-4,4-0",
            "6;0-1,1-2,3-4;..x.o.",
            "l.r|.l.",
        ],
    ),
];

struct Conform<'a>(&'a [&'a str]);

impl Conform<'_> {
    fn visit<const N: usize>(self, rules: Game<N>) -> Result<(Checked, bool), ConformanceError> {
        Ok((check(&*rules, self.0, 20_000)?, rules.has_global_wins()))
    }
}

fn run(name: &str, texts: &[&str]) {
    for text in texts {
        // Small boards in both widths, which must agree.
        for size in [text, "1x128"] {
            let size = if text.contains(';') { text } else { size };
            let result =
                with_game!(gb_games::open(name, size).unwrap(), game => Conform(&[text]).visit(game));
            let (checked, has_global_wins) = result.unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(
                checked.skipped <= checked.equations || has_global_wins,
                "{name} {text}: too large to check: {checked:?}"
            );
        }
    }
}

#[test]
fn every_game_conforms() {
    for name in gb_games::NAMES {
        if !POSITIONS.iter().any(|(game, _)| game.split('(').next() == Some(name)) {
            run(name, &[gb_games::info(name).unwrap().example]);
        }
    }
    for (name, texts) in POSITIONS {
        run(name, texts);
    }
}

#[test]
fn variants_conform() {
    for (name, texts) in POSITIONS {
        let shortest = texts.iter().min_by_key(|text| text.len()).unwrap();
        run(&format!("impartial({name})"), &[shortest]);
        run(&format!("negative({name})"), &[shortest]);
    }
}
