//! `gamebench db stats`: what is in the tables.

use std::cell::Cell;
use std::io::IsTerminal;
use std::time::Instant;

use clap::Args;
use gb_db::{Count, Looked, OutcomeTable, Outcomes, SizeStats, Stats as Counted, StoreError, Table};
use gb_engine::Engine;
use gb_value::{Budget, Cancel, Store};
use serde_json::{Value, json};

use super::build::TICK;
use super::{file_name, grouped, name_of};
use crate::databases::Databases;
use crate::errors::Failure;
use crate::limits::{Limits, interrupt};
use crate::output;

/// Counts boards by value, kind of value, temperature
#[derive(Args)]
pub struct Stats {
    /// Only the tables of this game
    game: Option<String>,
    /// Also count the smaller rectangles in each table of boards
    #[arg(long)]
    sizes: bool,
    /// Comma-separated values: table, list, name, boards, distinct values, example
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    #[command(flatten)]
    databases: Databases,
    #[command(flatten)]
    limits: Limits,
    /// One JSON object a table
    #[arg(long)]
    json: bool,
}

impl Stats {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        let (wanted_game, games) = match &self.game {
            Some(game) => {
                let (name, games) = crate::game_files::game_of_tables(game);
                (Some(name), games)
            }
            None => (None, crate::game_files::games()),
        };
        let (engine, library) = (Engine::new(1).with_games(games), self.databases.library()?);
        let cancel = interrupt();
        if self.csv {
            output::line("table,list,name,boards,distinct,example")?;
        }
        let wanted =
            |table: &&std::sync::Arc<Table>| wanted_game.as_ref().is_none_or(|game| game == table.game());
        let tables: Vec<_> = library.tables().iter().filter(wanted).collect();
        let wanted = |table: &&std::sync::Arc<OutcomeTable>| {
            wanted_game.as_ref().is_none_or(|game| game == table.game())
        };
        let outcomes: Vec<_> = library.outcome_tables().iter().filter(wanted).collect();
        if tables.is_empty() && outcomes.is_empty() {
            let folder = library.folder().display();
            return Err(Failure::Input(format!(
                "there are no such tables in {folder}: `gamebench db build` makes some"
            )));
        }
        for table in tables {
            self.one(&engine, table, &cancel)?;
        }
        outcomes.into_iter().try_for_each(|table| self.outcomes(table))
    }

    /// Who wins, for every number of stones, or of empty cells.
    fn outcomes(&self, table: &OutcomeTable) -> Result<(), Failure> {
        let columns = |of: &Outcomes| [("L", of.left), ("R", of.right), ("N", of.next), ("P", of.previous)];
        if self.csv {
            let file = file_name(table.path());
            output::line(&format!("{file},total,boards,{},,", table.boards()))?;
            for (stones, of) in table.layers().iter().enumerate() {
                for (name, boards) in columns(of) {
                    output::line(&format!("{file},{}-{stones},{name},{boards},,", table.layer_name()))?;
                }
            }
            return Ok(());
        }
        if self.json {
            let layer = |(stones, of): (usize, &Outcomes)| {
                let mut object = json!({table.layer_name(): stones, "boards": of.boards()});
                columns(of).into_iter().for_each(|(name, boards)| object[name] = boards.into());
                object
            };
            return Ok(output::json(&json!({
                "game": table.game(), "scope": table.scope().to_string(), "file": file_name(table.path()),
                "boards": table.boards(), "layers": table.layers().iter().enumerate().map(layer).collect::<Vec<_>>(),
            }))?);
        }
        output::line(&format!("{} {}", table.game(), table.scope()))?;
        output::line(&format!(
            "  {:>6} {:>17} {:>17} {:>17} {:>17} {:>17}",
            table.layer_name(),
            "boards",
            "L",
            "R",
            "N",
            "P"
        ))?;
        let row = |title: &str, of: &Outcomes| {
            let numbers = columns(of).map(|(_, boards)| format!(" {:>17}", grouped(boards)));
            output::line(&format!("  {title:>6} {:>17}{}", grouped(of.boards()), numbers.concat()))
        };
        let mut all = Outcomes::default();
        for (stones, of) in table.layers().iter().enumerate() {
            all.left += of.left;
            all.right += of.right;
            all.next += of.next;
            all.previous += of.previous;
            row(&stones.to_string(), of)?;
        }
        Ok(row("all", &all)?)
    }

    fn one(&self, engine: &Engine, table: &Table, cancel: &Cancel) -> Result<(), Failure> {
        let budget = self.limits.budget(None).with_cancel(cancel.clone());
        let (counted, sizes) = self.count(engine, table, &budget).map_err(|error| match error {
            StoreError::Stopped(halt) => {
                Failure::of_stop(halt, format!("{} {}: {halt}", table.game(), table.scope()))
            }
            error => error.into(),
        })?;
        if self.csv {
            self.print_csv(table, &counted, &sizes)
        } else if self.json {
            self.print_json(table, &counted, &sizes)
        } else {
            print(table, &counted, &sizes)
        }
    }

    fn count(
        &self,
        engine: &Engine,
        table: &Table,
        budget: &Budget,
    ) -> Result<(Counted, Vec<SizeStats>), StoreError> {
        let game = engine
            .tabulated_game(table.game(), &table.scope().sample())
            .map_err(|error| StoreError::Invalid(error.to_string()))?;
        let store = Store::new();
        let kernel = store.kernel(budget);
        let (terminal, last) = (std::io::stderr().is_terminal(), Cell::new(Instant::now()));
        let report = |Looked { done, total }: Looked| {
            if terminal && last.get().elapsed() > TICK {
                last.set(Instant::now());
                let percent = 100.0 * done as f64 / total.max(1) as f64;
                let line = format!("{} {}: {percent:.1} % counted", table.game(), table.scope());
                eprint!("\r{line:99}");
            }
        };
        let counted = gb_db::stats(table, &game, &kernel, &report);
        if terminal {
            eprint!("\r{:99}\r", "");
        }
        let counted = counted?;
        let boards = matches!(table.scope(), gb_db::Scope::Boards(..));
        let sizes = if self.sizes && boards { gb_db::size_stats(table, &game, &kernel)? } else { vec![] };
        Ok((counted, sizes))
    }

    fn print_json(&self, table: &Table, counted: &Counted, sizes: &[SizeStats]) -> Result<(), Failure> {
        let counts = |list: &[Count]| -> Vec<Value> {
            let count = |c: &Count| json!({"name": c.name, "boards": c.boards, "distinct": c.distinct, "example": c.example});
            list.iter().map(count).collect()
        };
        let mut object = json!({
            "game": table.game(), "scope": table.scope().to_string(), "file": name_of(table),
            "boards": counted.boards, "exact": counted.exact, "distinct": counted.distinct,
        });
        for (name, list) in counted.lists() {
            object[name] = counts(list).into();
        }
        let size = |s: &SizeStats| {
            json!({
                "rows": s.size.0, "cols": s.size.1, "boards": s.boards, "exact": s.exact,
                "distinct": s.distinct, "up_stars": s.up_stars, "all_up_stars": s.all_up_stars,
                "whole": s.whole, "whole_up_stars": s.whole_up_stars,
                "whole_all_up_stars": s.whole_all_up_stars,
            })
        };
        if self.sizes {
            object["sizes"] = sizes.iter().map(size).collect::<Vec<_>>().into();
        }
        Ok(output::json(&object)?)
    }

    fn print_csv(&self, table: &Table, counted: &Counted, sizes: &[SizeStats]) -> Result<(), Failure> {
        let file = name_of(table);
        let quoted = |text: &str| match text.contains([',', '"', '\n']) {
            true => format!("\"{}\"", text.replace('"', "\"\"")),
            false => text.to_owned(),
        };
        let row = |list: &str, name: &str, boards: u64, distinct: u64, example: &str| {
            output::line(&format!("{file},{list},{},{boards},{distinct},{}", quoted(name), quoted(example)))
        };
        row("total", "boards", counted.boards, counted.distinct, "")?;
        row("total", "exact", counted.exact, counted.distinct, "")?;
        for (name, list) in counted.lists() {
            for c in list {
                row(name, &c.name, c.boards, c.distinct, &c.example)?;
            }
        }
        for s in sizes {
            let size = format!("{}x{}", s.size.0, s.size.1);
            for (name, boards) in [
                ("size-boards", s.boards),
                ("size-exact", s.exact),
                ("size-up-stars", s.up_stars),
                ("size-all-up-stars", s.all_up_stars),
                ("size-whole", s.whole),
                ("size-whole-up-stars", s.whole_up_stars),
                ("size-whole-all-up-stars", s.whole_all_up_stars),
            ] {
                row(name, &size, boards, s.distinct, "")?;
            }
        }
        Ok(())
    }
}

fn percent(part: u64, whole: u64) -> String {
    format!("{:.1} %", 100.0 * part as f64 / whole.max(1) as f64)
}

/// Longer texts of values and boards are cut, so that columns stay columns.
const WIDTH: usize = 32;

fn print(table: &Table, counted: &Counted, sizes: &[SizeStats]) -> Result<(), Failure> {
    output::line(&format!("{} {}", table.game(), table.scope()))?;
    output::line(&format!("  {:<WIDTH$} {:>13}", "boards", grouped(counted.boards)))?;
    output::line(&format!(
        "  {:<WIDTH$} {:>13} {:>8}",
        "with their value",
        grouped(counted.exact),
        percent(counted.exact, counted.boards)
    ))?;
    output::line(&format!("  {:<WIDTH$} {:>13}", "distinct values", grouped(counted.distinct)))?;
    let titles = [
        "who wins",
        "kinds of values",
        "of these",
        "nimbers, ups, tinies",
        "highest temperatures",
        "most frequent values",
        "cells",
    ];
    for (title, (_, list)) in titles.iter().zip(counted.lists()) {
        if list.is_empty() {
            continue;
        }
        let (boards, distinct) = ("boards", "distinct");
        output::line(&format!("\n  {title:<WIDTH$} {boards:>13} {:>8} {distinct:>11}  example", ""))?;
        for c in list {
            let cut = |text: &str| match text.chars().count() > WIDTH {
                true => text.chars().take(WIDTH - 3).chain("...".chars()).collect(),
                false => text.to_owned(),
            };
            output::line(&format!(
                "  {:<WIDTH$} {:>13} {:>8} {:>11}  {}",
                cut(&c.name),
                grouped(c.boards),
                percent(c.boards, counted.boards),
                grouped(c.distinct),
                cut(&c.example)
            ))?;
        }
    }
    if !sizes.is_empty() {
        output::line(&format!(
            "\n  {:<6} {:>13} {:>11} {:>9} {:>9} {:>13} {:>9} {:>9}",
            "size", "boards", "distinct", "up-stars", "all down", "single parts", "up-stars", "all down"
        ))?;
    }
    for s in sizes {
        output::line(&format!(
            "  {:<6} {:>13} {:>11} {:>9} {:>9} {:>13} {:>9} {:>9}",
            format!("{}x{}", s.size.0, s.size.1),
            grouped(s.boards),
            grouped(s.distinct),
            percent(s.up_stars, s.boards),
            percent(s.all_up_stars, s.boards),
            grouped(s.whole),
            percent(s.whole_up_stars, s.whole),
            percent(s.whole_all_up_stars, s.whole),
        ))?;
    }
    Ok(())
}
