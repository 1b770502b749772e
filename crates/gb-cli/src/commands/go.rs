//! `gamebench analyze go FILE.sgf`: a Go endgame taken apart at its safe stones.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use gb_engine::picture::thermograph::Drawing;
use gb_go::{
    Board, Following, Game, KoRule, Memory, Report, Scoring, Settings, Step, Threats, analyse, estimates,
    failure_text, follow_text, likely, optimal_line, sgf,
};
use gb_value::{Budget, Player, Store};
use gb_web::analysts::{go_json, ko_drawings, step_json};

use crate::errors::{Failure, is_limit};
use crate::files;
use crate::output;

/// How points are counted.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Counting {
    /// Territory and prisoners; a neutral point is `*`
    Territory,
    /// Territory and prisoners; a neutral point is 0
    DameZero,
    /// Stones and territory
    Area,
}

impl Counting {
    /// As the library calls it.
    pub fn scoring(self) -> Scoring {
        match self {
            Counting::Territory => Scoring::Territory,
            Counting::DameZero => Scoring::TerritoryNeutralZero,
            Counting::Area => Scoring::Area,
        }
    }
}

/// Who has the ko threats.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Komaster {
    /// Black wins the ko if he goes on once he has taken it
    Black,
    /// White does
    White,
    /// Both have the same threats
    Neutral,
}

impl Komaster {
    fn threats(self) -> Threats {
        match self {
            Komaster::Black => Threats::Komaster(Player::Left),
            Komaster::White => Threats::Komaster(Player::Right),
            Komaster::Neutral => Threats::Neutral,
        }
    }
}

/// The thermographs of all areas of a board, with their names; of those in which a ko decides, those for the komaster that is
/// asked for, or all.
pub fn thermographs(
    source: &str,
    budget: &Budget,
    scoring: Option<Counting>,
    komaster: Option<Komaster>,
) -> Result<Vec<(String, Drawing)>, Failure> {
    let game = read(source, KoRule::Simple, None)?;
    let scoring = scoring.unwrap_or(Counting::Territory).scoring();
    let store = Store::new();
    let kernel = store.kernel(budget);
    let analysis = analyse(&kernel, &game, &Settings { scoring, ..Settings::default() });
    let (mut drawn, mut missing) = (vec![], vec![]);
    for area in &analysis.areas {
        let (letter, value) = (&area.letter, area.value(&kernel, scoring).ok().flatten());
        match (&area.facts, value, &area.ko) {
            (Ok(_), Some(value), _) => match kernel.thermograph(value) {
                Ok(graph) => drawn.push((letter.clone(), Drawing::from(&*graph))),
                Err(error) => missing.push(format!("{letter}: {error}")),
            },
            (_, _, Some(ko)) => {
                let wanted = komaster.map(|komaster| komaster.threats());
                let has = |threats: &Threats| wanted.is_none_or(|wanted| wanted == *threats);
                drawn.extend(
                    ko_drawings(ko)
                        .into_iter()
                        .filter(|one| has(&one.0))
                        .map(|(threats, graph)| (format!("{letter}, {}", threats.text()), graph)),
                );
            }
            (Err(failure), ..) => missing.push(format!("{letter}: {}", failure_text(&kernel, failure))),
            _ => missing.push(format!("{letter}: no value")),
        }
    }
    if drawn.is_empty() {
        let why = if missing.is_empty() { "the board has no open areas".into() } else { missing.join("; ") };
        return Err(Failure::Input(format!("there is no thermograph: {why}")));
    }
    missing.iter().for_each(|why| eprintln!("not drawn: {why}"));
    Ok(drawn)
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Colour {
    Black,
    White,
}

/// Options for boards of Go.
#[derive(Args)]
#[command(next_help_heading = "Go")]
pub struct GoOptions {
    /// Write best play to this file, with letters on the areas and comments
    #[arg(long, value_name = "FILE")]
    sgf: Option<PathBuf>,
    /// How points are counted [default: territory]
    #[arg(long, value_enum)]
    scoring: Option<Counting>,
    /// Forbid positions that were on the board before, not only taking back a ko at once
    #[arg(long)]
    superko: bool,
    /// Who is to play, whatever the record says
    #[arg(long, value_enum)]
    to_play: Option<Colour>,
    /// Analyse the position before this move of the record, counted from 1
    #[arg(long, value_name = "NUMBER")]
    before_move: Option<usize>,
    /// Follow the record from this move on: temperatures, scores, what each move lost
    #[arg(long, value_name = "NUMBER")]
    from_move: Option<usize>,
    /// Search areas of at most so many points [default: 12]
    #[arg(long, value_name = "POINTS")]
    max_area: Option<usize>,
    /// Try to prove regions with at most so many empty points safe by search [default: 32]
    #[arg(long, value_name = "POINTS")]
    max_proof: Option<usize>,
}

/// The results of Go in a folder of databases: read before a question, written after it.
pub struct GoResults {
    path: PathBuf,
    memory: Option<Memory>,
}

impl GoResults {
    /// Opens what is in a folder. If it cannot be used, that is said on standard error, and the file stays as it is.
    pub fn open(folder: &Path) -> GoResults {
        let path = folder.join("go-results.txt");
        let memory =
            Memory::open(&path).inspect_err(|error| eprintln!("warning: {error}; it is not used")).ok();
        GoResults { path, memory }
    }

    /// What was found so far.
    pub fn memory(&self) -> Option<&Memory> {
        self.memory.as_ref()
    }

    /// Writes what is new.
    pub fn save(&self) -> Result<(), Failure> {
        let Some(memory) = &self.memory else { return Ok(()) };
        let folder = self.path.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder)
            .and_then(|()| memory.save(&self.path))
            .map_err(|error| Failure::Input(format!("cannot write {}: {error}", self.path.display())))
    }
}

/// How long to guess what is not proven.
const LIKELY_TIME: Duration = Duration::from_secs(5);

/// How many positions a proof may visit for larger regions than usual.
const LONG_PROOF: usize = 2_000_000;

/// A record or rows: from a file, from standard input, or the source itself.
fn text_of(source: &str) -> Result<String, Failure> {
    match source {
        rows if rows.contains('|') && !Path::new(rows).exists() => Ok(rows.to_owned()),
        path => files::read_record(Path::new(path)),
    }
}

/// Reads a record, up to before a move, or a board of rows with `X`, `O` and `.`: from a file, from standard input (`-`), or, if
/// there is a `|` in it, from the text itself.
fn read(source: &str, rule: KoRule, before_move: Option<usize>) -> Result<Game, Failure> {
    let text = text_of(source)?;
    let source = if source == "-" { "standard input" } else { source };
    if text.trim_start_matches('\u{feff}').trim_start().starts_with('(') {
        return sgf::read(&text, rule, before_move)
            .map_err(|error| Failure::Input(format!("{source}: {error}")));
    }
    let board = Board::read(&text)
        .map_err(|error| Failure::Input(format!("{source} is neither SGF nor a board of rows: {error}")))?;
    Ok(Game::new(board, Player::Left, rule))
}

impl GoOptions {
    /// Whether one of them was given.
    pub fn any(&self) -> bool {
        let GoOptions { sgf, scoring, superko, to_play, before_move, from_move, max_area, max_proof } = self;
        let is_counted =
            before_move.is_some() || from_move.is_some() || max_area.is_some() || max_proof.is_some();
        sgf.is_some() || scoring.is_some() || *superko || to_play.is_some() || is_counted
    }

    fn read(&self, source: &str) -> Result<Game, Failure> {
        let rule = if self.superko { KoRule::Superko } else { KoRule::Simple };
        let mut game = read(source, rule, self.before_move)?;
        match self.to_play {
            Some(Colour::Black) => game.to_play = Player::Left,
            Some(Colour::White) => game.to_play = Player::Right,
            None => {}
        }
        Ok(game)
    }

    /// Follows a record, and prints a line for each move. Each position gets what is left of the time, shared with those to
    /// come.
    fn follow(
        &self,
        source: &str,
        from: usize,
        budget: &Budget,
        settings: &Settings,
        json: bool,
    ) -> Result<(), Failure> {
        let text = text_of(source)?;
        let rule = if self.superko { KoRule::Superko } else { KoRule::Simple };
        let wrong = |error: sgf::SgfError| Failure::Input(format!("{source}: {error}"));
        let following = Following::new(&text, rule, from, settings).map_err(wrong)?;
        let step = |index: usize| {
            let left = budget.deadline().map(|d| d.saturating_duration_since(Instant::now()));
            let each = left.map_or(LIKELY_TIME, |left| Following::share(left, following.len() - index));
            following.step(index, || budget.part_of_time(each))
        };
        let steps: Vec<Step> = (0..following.len()).map(step).collect();
        if json {
            let steps: Vec<_> = steps.iter().map(step_json).collect();
            output::json(&serde_json::json!({ "moves": steps }))?;
            return Ok(());
        }
        output::line(follow_text(&steps).trim_end())?;
        Ok(())
    }

    fn settings(&self, nodes: Option<u64>) -> Settings {
        let mut settings = Settings::default();
        // One area may take no more than its share of what nobody has limited.
        settings.area_nodes = nodes.unwrap_or(settings.area_nodes);
        settings.scoring = self.scoring.unwrap_or(Counting::Territory).scoring();
        settings.max_area = self.max_area.unwrap_or(settings.max_area);
        if let Some(empties) = self.max_proof {
            if empties > settings.effort.search_empties {
                settings.effort.search_nodes = LONG_PROOF;
            }
            settings.effort.search_empties = empties;
        }
        settings
    }

    /// Analyses a position, prints a report, and writes best play where that was asked for.
    pub fn analyze(
        &self,
        source: &str,
        budget: &Budget,
        nodes: Option<u64>,
        memory: Option<&Memory>,
        json: bool,
    ) -> Result<(), Failure> {
        let settings = Settings { memory: memory.cloned(), ..self.settings(nodes) };
        if let Some(from) = self.from_move {
            return self.follow(source, from, budget, &settings, json);
        }
        let game = self.read(source)?;
        let start = Instant::now();
        let store = Store::new();
        let kernel = store.kernel(budget);
        let analysis = analyse(&kernel, &game, &settings);
        // Without a line the report is still worth printing.
        let line = optimal_line(&kernel, &game.board, &analysis, game.to_play, &settings).unwrap_or_default();
        let seconds = start.elapsed().as_secs_f64();
        let unlimited = Budget::unlimited();
        let kernel = store.kernel(&unlimited);
        let report = Report { game: &game, analysis: &analysis, line: &line };
        if let Some(path) = &self.sgf {
            files::write(path, report.sgf(&kernel).as_bytes())?;
        }
        let halted = analysis.stopped.is_some_and(is_limit);
        let done = if halted { Err(Failure::Halted) } else { Ok(()) };
        if json {
            output::json(&go_json(&kernel, &report, seconds))?;
            return done;
        }
        output::line(&report.text(&kernel))?;
        if analysis.score.is_none() && !analysis.is_only_ko() {
            let more = Budget::unlimited().with_time(LIKELY_TIME).with_cancel(budget.cancel().clone());
            let guess = likely(&store.kernel(&more), &game, &settings, &analysis);
            // Who sees an opening has nothing to gain from guesses.
            if 2 * guess.safety.count() >= game.board.points().len() {
                let report = Report { game: &game, analysis: &guess, line: &[] };
                output::line(&report.likely_text(&kernel))?;
            }
            let guesses = estimates(&game, &analysis, &more);
            if !guesses.is_empty() {
                output::line(&report.estimates_text(&guesses))?;
            }
        }
        output::line(&format!("{} nodes in local searches, {seconds:.3} s", analysis.nodes()))?;
        done
    }
}
