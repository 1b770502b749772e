//! Tables of outcomes, judged by a program of their own that goes cell by cell and knows nothing of sets, words or symmetries.

use std::fs;
use std::path::Path;
use std::time::Duration;

use gb_board::{Codes, Random};
use gb_db::{
    Built, OutcomeBuild, OutcomeTable, Outcomes, Scope, Settings, StoreError, TabulatedGame, verify_outcomes,
};
use gb_value::{Budget, Outcome};

use crate::{game, library, times, wide};

/// Who wins every board of a rectangle, by number in base 3, the first cell in the lowest digit: whether Left wins if she begins,
/// and if Right does.
struct Naive {
    rows: usize,
    cols: usize,
    /// Steps from a stone to one that it may take.
    steps: &'static [(isize, isize)],
    known: Vec<Option<(bool, bool)>>,
}

const BESIDE: &[(isize, isize)] = &[(0, 1), (0, -1), (1, 0), (-1, 0)];
const AROUND: &[(isize, isize)] = &[(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)];

impl Naive {
    fn new(rows: usize, cols: usize, steps: &'static [(isize, isize)]) -> Naive {
        Naive { rows, cols, steps, known: vec![None; 3usize.pow((rows * cols) as u32)] }
    }

    fn board(&self, mut number: usize) -> Codes {
        let mut board = Codes::blank(self.rows, self.cols);
        for cell in &mut board.cells {
            *cell = (number % 3) as u8;
            number /= 3;
        }
        board
    }

    fn winners(&mut self, number: usize) -> (bool, bool) {
        if let Some(known) = self.known[number] {
            return known;
        }
        let board = self.board(number);
        // Whoever begins wins if one move leaves a board on which the other, who begins then, loses.
        let mut begins_and_wins = [false; 2];
        for own in [1, 2] {
            for from in (0..board.cells.len()).filter(|&from| board.cells[from] == own) {
                for &(down, right) in self.steps {
                    let (row, col) =
                        ((from / self.cols) as isize + down, (from % self.cols) as isize + right);
                    if row < 0 || col < 0 || row >= self.rows as isize || col >= self.cols as isize {
                        continue;
                    }
                    let to = row as usize * self.cols + col as usize;
                    if board.cells[to] != 3 - own {
                        continue;
                    }
                    let mut after = board.cells.clone();
                    (after[from], after[to]) = (0, own);
                    let after = after.iter().rev().fold(0, |number, &code| 3 * number + usize::from(code));
                    let (left_first, right_first) = self.winners(after);
                    begins_and_wins[usize::from(own) - 1] |= if own == 1 { right_first } else { !left_first };
                }
            }
        }
        let found = (begins_and_wins[0], !begins_and_wins[1]);
        self.known[number] = Some(found);
        found
    }

    fn outcome(&mut self, number: usize) -> Outcome {
        match self.winners(number) {
            (true, true) => Outcome::L,
            (true, false) => Outcome::N,
            (false, true) => Outcome::P,
            (false, false) => Outcome::R,
        }
    }
}

fn build(
    game: TabulatedGame,
    size: (usize, usize),
    folder: &Path,
    settings: &Settings,
) -> Result<Built, StoreError> {
    gb_db::build(game, Scope::Outcomes(size.0, size.1), folder, Budget::unlimited(), settings, &|_| {})
}

/// Compares every board of a table, and the counts for every number of stones.
fn compare(
    game: TabulatedGame,
    (rows, cols): (usize, usize),
    steps: &'static [(isize, isize)],
    settings: &Settings,
) {
    let folder = tempfile::tempdir().unwrap();
    let path = build(game, (rows, cols), folder.path(), settings).unwrap().path;
    let table = OutcomeTable::open(&path).unwrap();
    let mut naive = Naive::new(rows, cols, steps);
    let mut layers = vec![Outcomes::default(); rows * cols + 1];
    let mut all = (vec![], vec![]);
    for number in 0..naive.known.len() {
        let (board, expected) = (naive.board(number), naive.outcome(number));
        let (stones, left) = table.sets_of(&board).unwrap().expect("it fits");
        let found = table.outcome_of(stones, left).unwrap();
        assert_eq!(found, expected, "{rows}x{cols}, {:?}", board.cells);
        assert_eq!(table.board(stones, left).unwrap(), board);
        all.0.push((stones, left));
        all.1.push(expected);
        let layer = stones.count_ones() as usize;
        match expected {
            Outcome::L => layers[layer].left += 1,
            Outcome::R => layers[layer].right += 1,
            Outcome::N => layers[layer].next += 1,
            Outcome::P => layers[layer].previous += 1,
        }
    }
    let mut found = vec![];
    table.outcomes_of(&all.0, &mut found).unwrap();
    assert!(found == all.1, "many at once");
    assert_eq!(table.layers(), layers);
    assert!(layers.iter().all(|of| of.left == of.right));
    assert_eq!(table.boards(), naive.known.len() as u64);
}

#[test]
fn every_board_is_right() {
    let sizes: &[(usize, usize)] = &[
        (1, 1),
        (1, 2),
        (1, 9),
        (9, 1),
        (2, 2),
        (2, 5),
        (5, 2),
        (3, 3),
        (3, 4),
        (4, 3),
        (1, 12),
        (3, 5),
        (4, 4),
    ];
    for &size in &sizes[..times(sizes.len() - 2, sizes.len())] {
        for threads in [1, 2] {
            compare(game("clobber"), size, BESIDE, &Settings { threads, ..Settings::default() });
        }
    }
}

pub(crate) fn king_clobber(size: &str) -> TabulatedGame {
    let game = gb_text::TextGame::read(include_str!("../../../../games/king-clobber.game"), &[]).unwrap();
    TabulatedGame::new(game.open(gb_rules::Variant::Plain, size)).unwrap()
}

/// A game of a text, with moves in eight directions.
#[test]
fn every_board_of_a_text_is_right() {
    for size in [(2, 3), (3, 3), (3, 4), (2, 5)] {
        compare(king_clobber(&format!("{}x{}", size.0, size.1)), size, AROUND, &Settings::default());
    }
}

/// What verification asks: the value of a board in another representation, made by the search for values.
fn value_outcome(text: &str) -> Result<Outcome, StoreError> {
    let (wide, store, budget) = (crate::wide("clobber"), gb_value::Store::new(), Budget::unlimited());
    let value = wide.search(&wide.read(text)?, &gb_search::SearchContext::new(&store, &budget))?;
    Ok(store.kernel(&budget).outcome(value)?)
}

#[test]
fn samples_are_right_by_values() {
    let folder = tempfile::tempdir().unwrap();
    let path = build(game("clobber"), (4, 4), folder.path(), &Settings::default()).unwrap().path;
    let table = OutcomeTable::open(&path).unwrap();
    let sample = times(60, 2000) as u64;
    let verified = verify_outcomes(&table, &crate::wide("clobber"), sample, 1, &mut value_outcome).unwrap();
    assert_eq!((verified.boards, verified.wrong.len()), (sample, 0));
    // A judge who errs is contradicted.
    let mut wrong = |_: &str| Ok(Outcome::L);
    let verified = verify_outcomes(&table, &game("clobber"), 40, 1, &mut wrong).unwrap();
    assert!(!verified.wrong.is_empty());
}

/// Whatever is done to a file is found by verification, and no look-up is ever wrong.
#[test]
fn damage_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = build(game("clobber"), (3, 4), folder.path(), &Settings::default()).unwrap().path;
    let whole = fs::read(&path).unwrap();
    let mut naive = Naive::new(3, 4, BESIDE);
    let mut random = Random::new(7, 0);
    let damaged = folder.path().join("damaged.gbtable");
    for _ in 0..times(60, 2000) {
        let mut bytes = whole.clone();
        let bit = random.below(8 * bytes.len());
        bytes[bit / 8] ^= 1 << (bit % 8);
        fs::write(&damaged, &bytes).unwrap();
        let Ok(table) = OutcomeTable::open(&damaged) else { continue };
        assert!(table.check().is_err(), "bit {bit}");
        assert!(verify_outcomes(&table, &game("clobber"), 1, 1, &mut |_| Ok(Outcome::P)).is_err());
        for _ in 0..50 {
            let number = random.below(naive.known.len());
            let found = table.sets_of(&naive.board(number)).and_then(|sets| {
                let (stones, left) = sets.expect("it fits");
                table.outcome_of(stones, left)
            });
            if let Ok(outcome) = found {
                assert_eq!(outcome, naive.outcome(number), "bit {bit}");
            }
        }
    }
    for _ in 0..times(30, 1000) {
        fs::write(&damaged, &whole[..random.below(whole.len())]).unwrap();
        assert!(OutcomeTable::open(&damaged).is_err());
    }
    // A library goes without it, and says so.
    let (library, reports) = library(folder.path());
    assert_eq!(library.outcome_tables().len(), 1);
    assert!(reports.lock().unwrap()[0].contains("Delete it and build it again"));
    let board = game("clobber").read("xo.o|.xo.|..xx").unwrap();
    assert!(library.outcome(&game("clobber"), &board).is_some());
    assert!(library.outcome(&game("clobber"), &Codes::blank(4, 4)).is_none());
}

/// However a build was cut into pieces, and however little memory it had, the file is the same.
#[test]
fn interrupted_builds_go_on() {
    let (whole, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let expected =
        fs::read(build(game("clobber"), (4, 4), whole.path(), &Settings::default()).unwrap().path).unwrap();
    let settings = Settings { threads: 2, checkpoint: Duration::ZERO, ..Settings::default() };
    let scope = Scope::Outcomes(4, 4);
    let hidden = |end: &str| folder.path().join(format!(".{}.{end}", scope.file_name("clobber")));
    for nodes in [10, 300, 900, 900] {
        let budget = Budget::unlimited().with_nodes(nodes);
        let stopped = gb_db::build(game("clobber"), scope, folder.path(), budget, &settings, &|_| {});
        assert!(stopped.unwrap_err().is_limit());
    }
    // What the disk has lost is found again.
    let mut blocks = fs::read(hidden("blocks")).unwrap();
    // In a block of five cells.
    blocks[(4 + 5) * 4096 + 3] ^= 1;
    fs::write(hidden("blocks"), &blocks[..blocks.len() - 5000]).unwrap();
    let budget = Budget::unlimited().with_bytes(6_600_000);
    let built = gb_db::build(game("clobber"), scope, folder.path(), budget, &settings, &|_| {}).unwrap();
    assert!(built.resumed > 0);
    assert!(fs::read(&built.path).unwrap() == expected, "the same file");
    assert!(!hidden("blocks").exists() && !hidden("journal").exists());
    let again =
        gb_db::build(game("clobber"), scope, folder.path(), Budget::unlimited(), &settings, &|_| {}).unwrap();
    assert!(again.was_there);
}

#[test]
fn what_cannot_be_built_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let build = |name: &str, size: (usize, usize), bytes: u64| {
        let (scope, budget) = (Scope::Outcomes(size.0, size.1), Budget::unlimited().with_bytes(bytes));
        let built = gb_db::build(game(name), scope, folder.path(), budget, &Settings::default(), &|_| {});
        built.unwrap_err().to_string()
    };
    // With what other tests hold at the time, the figure is larger.
    let small = build("clobber", (5, 5), 20_000_000);
    let (needs, allowed) = small.split_once(" MB, and --memory allows ").unwrap_or_else(|| panic!("{small}"));
    let (what, needed) = needs.rsplit_once(' ').unwrap();
    assert_eq!(
        what,
        "clobber outcomes of all boards 5x5: the index with the buffers of the threads alone takes"
    );
    assert!(needed.parse::<u32>().unwrap() >= 58, "{small}");
    assert_eq!(allowed, "20 MB. Build a smaller table, or allow more with --memory");
    assert!(
        build("clobber", (6, 6), u64::MAX)
            .contains("6x6 has too many cells for a table of outcomes: at most 30")
    );
    for name in ["konane", "amazons"] {
        assert!(
            build(name, (2, 2), u64::MAX).contains("Tables of values are built without --store"),
            "{name}"
        );
    }
    assert!(
        fs::read_dir(folder.path()).unwrap().all(|file| file
            .unwrap()
            .file_name()
            .to_string_lossy()
            .starts_with('.'))
    );
}

/// Games in which stones come, or cells are filled: every board is who wins by its value, which plain search finds in boards of another width, and
/// so are the counts for every number of stones, or of empty cells. Standing boards are found lying, and other boards are not in the table.
#[test]
fn every_board_is_right_where_stones_come() {
    let sizes = [(1, 1), (1, 5), (2, 2), (2, 3), (3, 2), (1, 8), (2, 4), (3, 3)];
    for name in ["col", "snort", "nogo", "domineering", "cram"] {
        let coming = !["domineering", "cram"].contains(&name);
        for (rows, cols) in sizes.into_iter().chain([(3, 4), (4, 3)].into_iter().filter(|_| !coming)) {
            let folder = tempfile::tempdir().unwrap();
            let settings = Settings { threads: 2, ..Settings::default() };
            let path = build(game(name), (rows, cols), folder.path(), &settings).unwrap().path;
            let table = OutcomeTable::open(&path).unwrap();
            let (library, reports) = library(folder.path());
            let (store, budget, wide) = (gb_value::Store::new(), Budget::unlimited(), wide(name));
            let (context, kernel) = (gb_search::SearchContext::new(&store, &budget), store.kernel(&budget));
            let mut layers = vec![Outcomes::default(); rows * cols + 1];
            let all = (1u32 << (rows * cols)) - 1;
            for stones in 0..=all {
                // All sets of the stones, or none where nobody has them.
                let mut left = if coming { stones } else { 0 };
                loop {
                    let board = table.board(stones, left).unwrap();
                    assert_eq!(table.sets_of(&board).unwrap(), Some((stones, left)));
                    let text = wide.show(&board);
                    let value = wide.search(&wide.read(&text).unwrap(), &context).unwrap();
                    let expected = kernel.outcome(value).unwrap();
                    assert_eq!(table.outcome_of(stones, left).unwrap(), expected, "{name} {text}");
                    if (stones ^ left).is_multiple_of(7) {
                        assert_eq!(library.outcome(&game(name), &board), Some(expected), "{name} {text}");
                        // Domineering on its side is the game of the other player.
                        let turned = match (name, expected) {
                            ("domineering", Outcome::L) => Outcome::R,
                            ("domineering", Outcome::R) => Outcome::L,
                            (_, same) => same,
                        };
                        let lying = board.transpose();
                        if rows != cols {
                            assert_eq!(library.outcome(&game(name), &lying), Some(turned), "{name} {text}");
                        }
                    }
                    let layer = &mut layers[stones.count_ones() as usize];
                    match expected {
                        Outcome::L => layer.left += 1,
                        Outcome::R => layer.right += 1,
                        Outcome::N => layer.next += 1,
                        Outcome::P => layer.previous += 1,
                    }
                    if left == 0 {
                        break;
                    }
                    left = (left - 1) & stones;
                }
            }
            assert_eq!(table.layers(), layers, "{name} {rows}x{cols}");
            assert_eq!(layers.iter().map(Outcomes::boards).sum::<u64>(), table.boards());
            // Smaller boards are in the corner where cells are filled, and nowhere where stones come.
            if rows > 1 {
                let smaller = game(name).read(if cols > 1 { ".." } else { "." }).unwrap();
                assert_eq!(library.outcome(&game(name), &smaller).is_some(), !coming);
            }
            assert_eq!(*reports.lock().unwrap(), Vec::<String>::new());
        }
        // Cells for one player, and holes.
        if ["col", "snort"].contains(&name) {
            let folder = tempfile::tempdir().unwrap();
            build(game(name), (2, 2), folder.path(), &Settings::default()).unwrap();
            for text in ["l.|..", ".r|..", "..|#."] {
                let board = game(name).read(text).unwrap();
                assert_eq!(library(folder.path()).0.outcome(&game(name), &board), None, "{text}");
            }
        }
    }
}

/// A larger table of stones that come is a sample of what search says, and the same with little memory, after interruptions and with any number of threads.
#[test]
fn tables_where_stones_come_go_on_as_well() {
    for name in ["col", "nogo"] {
        let (whole, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let size = (3, 4);
        let expected = build(game(name), size, whole.path(), &Settings::default()).unwrap().path;
        let table = OutcomeTable::open(&expected).unwrap();
        let (store, budget, wide) = (gb_value::Store::new(), Budget::unlimited(), wide(name));
        let (context, kernel) = (gb_search::SearchContext::new(&store, &budget), store.kernel(&budget));
        let verified = verify_outcomes(&table, &game(name), 200, 3, &mut |text| {
            Ok(kernel.outcome(wide.search(&wide.read(text)?, &context)?)?)
        });
        assert_eq!(verified.unwrap().wrong, Vec::<String>::new());
        let settings = Settings { threads: 2, checkpoint: Duration::ZERO, ..Settings::default() };
        let scope = Scope::Outcomes(size.0, size.1);
        for nodes in [10, 300, 300] {
            let budget = Budget::unlimited().with_nodes(nodes);
            let stopped = gb_db::build(game(name), scope, folder.path(), budget, &settings, &|_| {});
            assert!(stopped.unwrap_err().is_limit());
        }
        let budget = Budget::unlimited().with_bytes(7_000_000);
        let built = gb_db::build(game(name), scope, folder.path(), budget, &settings, &|_| {}).unwrap();
        assert!(built.resumed > 0);
        assert!(fs::read(&built.path).unwrap() == fs::read(&expected).unwrap(), "{name}");
    }
}

/// Several who have joined find shards in any order, some of them twice; the build is given up now and then; the file is that of one process.
#[test]
fn workers_share_the_shards_of_outcomes() {
    for (name, size) in [("clobber", (4, 4)), ("nogo", (3, 4))] {
        let (whole, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let expected = fs::read(build(game(name), size, whole.path(), &Settings::default()).unwrap().path);
        let begin = |join: bool| {
            let begin = if join { OutcomeBuild::join } else { OutcomeBuild::open };
            begin(&game(name), size, folder.path(), Budget::unlimited(), &Settings::default())
        };
        assert!(matches!(begin(true), Err(StoreError::Foreign(_))), "nobody has opened it");
        let mut first = begin(false).unwrap();
        let joined = [begin(true).unwrap(), begin(true).unwrap()];
        assert!(matches!(begin(false), Err(StoreError::Busy { .. })));
        let mut before = 0;
        while let Some(layer) = first.layer() {
            for (i, shard) in first.missing().into_iter().rev().enumerate() {
                let found = joined[i % 2].find(layer, shard).unwrap();
                first.add(&found).unwrap();
                // Who comes second brings nothing new.
                first.add(&found).unwrap();
            }
            assert!(first.finished() > before);
            before = first.finished();
            if layer % 4 == 0 {
                first.checkpoint().unwrap();
                drop(first);
                first = begin(false).unwrap();
                assert_eq!(first.finished(), before, "what was found is kept");
            }
        }
        assert!(joined[0].find(99, 0).is_err() && joined[0].find(3, 99_999).is_err());
        assert!(first.add(&[1, 2, 3]).is_err());
        assert_eq!(first.finished(), first.boards());
        assert!(fs::read(first.finish().unwrap().path).unwrap() == expected.unwrap(), "{name}");
    }
}
