//! Measures a folder of tables: `measure FOLDER [GAME POSITION]...`, or makes one: `measure FOLDER build GAME SCOPE [THREADS [MEGABYTES]]`,
//! where the scope is `4x4`, or a number of cells for parts, or `within-4x4`.
//!
//! For every table of boards: look-ups a second of one core, in random order and in order, of the numbers of facts and of
//! values, one by one and many at once. For every position: how long its value takes with the tables and without, each with
//! an empty store.

use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::UNIX_EPOCH;

use gb_board::Random;
use gb_db::{GameArchive, Library, OutcomeTable, Scope, Settings, Table, TabulatedGame};
use gb_games::games::{clobber::Clobber, domineering::Domineering};
use gb_rules::{AnyGame, Game, Key, Keyed, Rules, Variant, direct};
use gb_search::{Archive, Archives, GameTables, SearchContext};
use gb_value::{Budget, Halt, Kernel, Store, Value};

const LOOKUPS: u64 = 20_000_000;
/// So many places are asked about in one call.
const HANDFUL: usize = 256;

/// Seconds that this thread has been running, where the system says: on a busy machine the clock measures the others.
fn seconds() -> f64 {
    let spent = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = spent.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| UNIX_EPOCH.elapsed().map_or(0.0, |t| t.as_secs_f64()), |n| n / 1e9)
}

/// Millions of look-ups a second: the fastest of three runs over all places, which come in handfuls.
fn million_a_second(places: &[u64], work: impl Fn(&[u64]) -> u64) -> f64 {
    let run = || {
        let start = seconds();
        black_box(places.chunks(HANDFUL).fold(0u64, |sum, some| sum.wrapping_add(work(some))));
        places.len() as f64 / (seconds() - start) / 1e6
    };
    (0..3).map(|_| run()).fold(0.0, f64::max)
}

fn lookups(table: &Table) {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let kernel = store.kernel(&budget);
    // Everything is read once: blocks are checked, values are built.
    let start = seconds();
    for place in 0..table.boards() {
        table.fact_at(place, &kernel).expect("a sound table");
    }
    let all = seconds() - start;
    let boards = table.boards();
    let scattered: Vec<u64> =
        (0..LOOKUPS).map(|i| ((i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) * boards) >> 32).collect();
    let in_order: Vec<u64> = (0..LOOKUPS).map(|i| i % boards).collect();
    let bits = |value: Option<Value>| value.map_or(0, |value| u64::from(value.to_bits().get()));
    let number =
        |places: &[u64]| places.iter().map(|&at| table.number(at).expect("a sound table")).sum::<u64>();
    let value = |places: &[u64]| {
        let one = |&at: &u64| bits(table.value_at(at, &kernel).expect("a sound table"));
        places.iter().map(one).fold(0, u64::wrapping_add)
    };
    let many = |places: &[u64]| {
        let mut found = Vec::new();
        table.values_at(places, &kernel, &mut found).expect("a sound table");
        found.into_iter().map(bits).fold(0, u64::wrapping_add)
    };
    println!("{} {:?}: {} facts, {all:.1} s to read all of it", table.game(), table.scope(), table.facts());
    println!("  millions of look-ups a second     scattered  in order");
    let line = |name: &str, work: &dyn Fn(&[u64]) -> u64| {
        let [scattered, in_order] = [&scattered, &in_order].map(|places| million_a_second(places, work));
        println!("  {name:<32} {scattered:>10.1} {in_order:>9.1}");
    };
    line("numbers of facts", &number);
    line("values, one by one", &value);
    line("values, many at once", &many);
}

/// Looks some boards up: where their stones are, and where Left's are.
type LookUp<'a> = dyn Fn(&[(u32, u32)]) + 'a;

/// Who wins boards drawn by lot: each of the middle cells is empty or holds either stone, so that what is read fits into memory.
fn outcome_lookups(table: &OutcomeTable) {
    let mut random = Random::new(1, 0);
    let cells = (table.layers().len() - 1).min(20);
    let mut board = || {
        (0..cells).fold((0, 0), |(stones, left), cell| {
            let code = random.below(3) as u32;
            (stones | u32::from(code != 0) << cell, left | u32::from(code == 1) << cell)
        })
    };
    let boards: Vec<(u32, u32)> = (0..LOOKUPS / 2).map(|_| board()).collect();
    let rate = |work: &LookUp<'_>| {
        let start = seconds();
        boards.chunks(HANDFUL).for_each(work);
        boards.len() as f64 / (seconds() - start) / 1e6
    };
    let single = |some: &[(u32, u32)]| {
        for &(stones, left) in some {
            black_box(table.outcome_of(stones, left).expect("a sound table"));
        }
    };
    let many = |some: &[(u32, u32)]| {
        let mut found = Vec::new();
        table.outcomes_of(some, &mut found).expect("a sound table");
        black_box(found);
    };
    let first = rate(&single);
    let [single, many] =
        [&single as &LookUp<'_>, &many].map(|work| (0..3).map(|_| rate(work)).fold(0.0, f64::max));
    println!("{} {}: millions of look-ups a second", table.game(), table.scope());
    println!("  {first:.1} at first, then {single:.1} one by one, {many:.1} many at once");
}

/// An archive that counts.
struct Counted<const N: usize> {
    archive: Arc<GameArchive<N>>,
    asked: AtomicU64,
    found: AtomicU64,
}

impl<const N: usize> Archive<Key<N>, Value> for Counted<N> {
    fn fact(&self, part: &Key<N>, kernel: &Kernel<'_>) -> Result<Option<Value>, Halt> {
        let fact = Archive::<Key<N>, Value>::fact(&*self.archive, part, kernel)?;
        self.asked.fetch_add(1, Relaxed);
        self.found.fetch_add(u64::from(fact.is_some()), Relaxed);
        Ok(fact)
    }
}

fn compare<const N: usize>(rules: Game<N>, folder: &Path, text: &str) {
    let at = rules.read(text).expect("a position");
    let time = |tables: &GameTables<N>, store: &Store| {
        let (budget, start) = (Budget::unlimited(), seconds());
        let value = tables.value(&*rules, &at, &SearchContext::new(store, &budget)).expect("no limits");
        (value, seconds() - start)
    };
    let (store, tables) = (Store::new(), GameTables::default());
    let (value, without) = time(&tables, &store);
    let parts = tables.values.len() + tables.nimbers.len();
    let other = Store::new();
    let start = seconds();
    let library = Library::open(folder, Arc::new(|error| eprintln!("{error}")));
    let archive = library.archive(&rules).expect("tables of this game");
    let opened = seconds() - start;
    let counted = Arc::new(Counted { archive, asked: AtomicU64::new(0), found: AtomicU64::new(0) });
    let archives = Archives { values: counted.clone(), thermographs: counted.archive.clone() };
    let (found, with) = time(&GameTables::over(archives), &other);
    let show = |store: &Store, value| {
        let budget = Budget::unlimited();
        let kernel = store.kernel(&budget);
        kernel.show(value, &Default::default()).map(|shown| shown.text).unwrap_or_default()
    };
    assert_eq!(show(&store, value), show(&other, found), "the same value");
    println!(
        "{} {text}: {without:.4} s and {parts} parts without tables; with them {with:.4} s ({:.1} times as fast), and of {} \
         parts {} were in them; opening them {opened:.4} s",
        rules.info().name,
        without / with,
        counted.asked.load(Relaxed),
        counted.found.load(Relaxed),
    );
}

fn hidden<R: Rules<Board: Keyed> + Default>() -> TabulatedGame {
    TabulatedGame::new(AnyGame::direct(Variant::Plain, R::default())).expect("a game on grids")
}

/// Boards of more than 64 cells need words of 128 bits.
fn build(folder: &Path, game: &str, scope: &str, limits: &[String]) {
    let number = |text: &str| text.parse::<usize>().expect("a number");
    let (within, size) = match scope.strip_prefix("within-") {
        Some(size) => (true, size),
        None => (false, scope),
    };
    let scope = match size.split_once('x') {
        Some((rows, cols)) if within => Scope::Within(number(rows), number(cols)),
        Some((rows, cols)) => Scope::Boards(number(rows), number(cols)),
        None => Scope::Parts(number(scope)),
    };
    let wide = matches!(scope, Scope::Parts(cells) if cells > 15);
    let game = match (game, wide) {
        ("clobber", false) => hidden::<Clobber<u64>>(),
        ("clobber", true) => hidden::<Clobber<u128>>(),
        ("domineering", false) => hidden::<Domineering<u64>>(),
        ("domineering", true) => hidden::<Domineering<u128>>(),
        (other, _) => panic!("{other} is not measured here"),
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = limits.first().map_or(threads, |text| number(text));
    let bytes = limits.get(1).map_or(u64::MAX, |text| (number(text) as u64) << 20);
    let settings = Settings { threads, ..Settings::default() };
    let start = seconds();
    let budget = Budget::unlimited().with_bytes(bytes);
    let built = gb_db::build(game, scope, folder, budget, &settings, &|_| {});
    let path = built.expect("a table").path;
    let table = Table::open(&path).expect("a sound table");
    println!(
        "{}: {} boards, {} facts, {:.1} s",
        path.display(),
        table.boards(),
        table.facts(),
        seconds() - start
    );
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, positions @ ..] = &arguments[..] else { panic!("measure FOLDER [GAME POSITION]...") };
    let folder = Path::new(folder);
    if let [word, game, scope, limits @ ..] = positions
        && word == "build"
    {
        return build(folder, game, scope, limits);
    }
    for pair in positions.chunks_exact(2) {
        match pair[0].as_str() {
            "clobber" => compare(direct::<3, _>(Clobber::<u64>::default()), folder, &pair[1]),
            "domineering" => compare(direct::<2, _>(Domineering::<u64>::default()), folder, &pair[1]),
            other => panic!("{other} is not measured here"),
        }
    }
    if positions.is_empty() {
        let library = Library::open(folder, Arc::new(|error| eprintln!("{error}")));
        library.outcome_tables().iter().for_each(|table| outcome_lookups(table));
        for table in library.tables() {
            if let Scope::Boards(..) = table.scope() {
                lookups(table);
            }
        }
    }
}
