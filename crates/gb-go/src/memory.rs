//! Results of local searches that outlive a question: values of areas, and territories that were found to be kept.
//!
//! An area is known by its normal form: its points, what is on them and which walls they touch, whatever the board around
//! them, so that a result serves every board it comes up on. The file is text, one result a line, and is written as a whole:
//!
//! ```text
//! gamebench go results 1            what it is, and which edition
//! p 1/2 0 1                         a number, ups and a star: value 0
//! o 0|0,0                           the value with these left and right options: value 1
//! a territory 0004001d 1 1          an area, and the numbers of its bounds, both the same if it has a value
//! k 3.1.0.7.0.a.5.2                 a territory that is kept (see `Field::key`)
//! checksum 0f3e..                   BLAKE3 of all before
//! ```

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gb_record::files::{self, ReadError};
use gb_value::{Halt, Kernel, NumberUpStar, Player, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::area::Key;
use crate::graph::Bounds;
use crate::local::Scoring;

const NAME: &str = "gamebench go results";
const EDITION: u32 = 1;
const CHECKSUM: &str = "checksum ";
/// No longer file is read.
const LONGEST: u64 = 1 << 30;
/// Values with more positions than this are not kept: to read them would take as long as to find them.
const MOST_FORMS: usize = 4_000;

/// Why there are no results in a file.
#[derive(Debug, thiserror::Error)]
pub enum MemoryError {
    /// It cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: ReadError,
    },
    /// Another program, or another edition of this one, wrote it.
    #[error("{}: the first line is `{found}`, expected `{NAME} {EDITION}`", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// Its first line.
        found: String,
    },
    /// It is not what was written.
    #[error("{} is damaged: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
}

/// A value, apart from every store.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Form {
    /// A number, ups and a star.
    Plain(String),
    /// The numbers of the forms of its options.
    Options([Vec<u32>; 2]),
}

#[derive(Default)]
struct Table {
    forms: Vec<Form>,
    index: FxHashMap<Form, u32>,
    areas: FxHashMap<(Scoring, Key), [u32; 2]>,
    kept: FxHashSet<Box<[u64]>>,
    is_changed: bool,
}

/// What was found so far. Copies share it.
#[derive(Clone, Default)]
pub struct Memory(Arc<Mutex<Table>>);

impl std::fmt::Debug for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} results", self.len())
    }
}

impl Memory {
    /// The results of a file; none if there is no such file.
    ///
    /// # Errors
    /// If the file cannot be read, is of another kind, or is damaged.
    pub fn open(path: &Path) -> Result<Memory, MemoryError> {
        let bytes = match files::read(path, LONGEST) {
            Ok(bytes) => bytes,
            Err(ReadError::Io(error)) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Memory::default());
            }
            Err(source) => return Err(MemoryError::Unreadable { path: path.to_owned(), source }),
        };
        let text = String::from_utf8_lossy(&bytes);
        let first = text.lines().next().unwrap_or_default();
        if first != format!("{NAME} {EDITION}") {
            let found: String = first.chars().take(60).collect();
            return Err(MemoryError::Foreign { path: path.to_owned(), found });
        }
        match Table::read(&text) {
            Ok(table) => Ok(Memory(Arc::new(Mutex::new(table)))),
            Err(what) => Err(MemoryError::Damaged { path: path.to_owned(), what }),
        }
    }

    /// Writes everything to a file, unless nothing is new.
    ///
    /// # Errors
    /// If it cannot be written; then it is as it was.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        let mut table = self.table();
        if table.is_changed {
            files::write(path, table.text().as_bytes())?;
            table.is_changed = false;
        }
        Ok(())
    }

    /// How many results there are.
    pub fn len(&self) -> usize {
        let table = self.table();
        table.areas.len() + table.kept.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        // Nothing that could panic leaves a table half changed.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The bounds of an area in its normal form.
    pub(crate) fn area(
        &self,
        kernel: &Kernel<'_>,
        scoring: Scoring,
        key: &Key,
    ) -> Result<Option<Bounds>, Halt> {
        let table = self.table();
        let Some(&[lower, upper]) = table.areas.get(&(scoring, key.clone())) else { return Ok(None) };
        let mut made = FxHashMap::default();
        let lower = table.value(kernel, lower, &mut made)?;
        let upper = table.value(kernel, upper, &mut made)?;
        Ok(Some(Bounds { lower, upper }))
    }

    pub(crate) fn add_area(&self, kernel: &Kernel<'_>, scoring: Scoring, key: Key, bounds: Bounds) {
        let mut table = self.table();
        let mut found = FxHashMap::default();
        if let Some(lower) = table.number(kernel, bounds.lower, &mut found)
            && let Some(upper) = table.number(kernel, bounds.upper, &mut found)
            && table.areas.insert((scoring, key), [lower, upper]) != Some([lower, upper])
        {
            table.is_changed = true;
        }
    }

    pub(crate) fn is_kept(&self, key: &[u64]) -> bool {
        self.table().kept.contains(key)
    }

    pub(crate) fn add_kept(&self, key: Box<[u64]>) {
        let mut table = self.table();
        table.is_changed |= table.kept.insert(key);
    }
}

impl Table {
    /// The number of a value, which gets one if it has none; `None` if it is too large.
    fn number(
        &mut self,
        kernel: &Kernel<'_>,
        value: Value,
        found: &mut FxHashMap<Value, u32>,
    ) -> Option<u32> {
        if let Some(&number) = found.get(&value) {
            return Some(number);
        }
        if found.len() > MOST_FORMS {
            return None;
        }
        let form = match kernel.as_number_up_star(value) {
            Some(NumberUpStar { number, ups, star }) => Form::Plain(format!("{number} {ups} {star}")),
            None => {
                let mut lists = [vec![], vec![]];
                for player in Player::BOTH {
                    for option in kernel.options(value, player) {
                        let number =
                            stacker::maybe_grow(64 << 10, 4 << 20, || self.number(kernel, option, found))?;
                        lists[player as usize].push(number);
                    }
                    lists[player as usize].sort_unstable();
                }
                Form::Options(lists)
            }
        };
        let number = self.add_form(form);
        found.insert(value, number);
        Some(number)
    }

    fn add_form(&mut self, form: Form) -> u32 {
        if let Some(&number) = self.index.get(&form) {
            return number;
        }
        let number = self.forms.len() as u32;
        self.forms.push(form.clone());
        self.index.insert(form, number);
        number
    }

    fn value(
        &self,
        kernel: &Kernel<'_>,
        number: u32,
        made: &mut FxHashMap<u32, Value>,
    ) -> Result<Value, Halt> {
        if let Some(&value) = made.get(&number) {
            return Ok(value);
        }
        let value = match &self.forms[number as usize] {
            // Whoever wrote it has read it before: see `plain`.
            Form::Plain(text) => plain(text).map_or(Value::ZERO, |parts| kernel.number_up_star(&parts)),
            Form::Options(lists) => {
                let mut options = [vec![], vec![]];
                for (list, options) in lists.iter().zip(&mut options) {
                    for &option in list {
                        options.push(stacker::maybe_grow(64 << 10, 4 << 20, || {
                            self.value(kernel, option, made)
                        })?);
                    }
                }
                kernel.from_options(&options[0], &options[1])?
            }
        };
        made.insert(number, value);
        Ok(value)
    }

    fn text(&self) -> String {
        let mut text = format!("{NAME} {EDITION}\n");
        for form in &self.forms {
            _ = match form {
                Form::Plain(parts) => writeln!(text, "p {parts}"),
                Form::Options(lists) => {
                    let [left, right] = lists
                        .each_ref()
                        .map(|list| list.iter().map(ToString::to_string).collect::<Vec<_>>().join(","));
                    writeln!(text, "o {left}|{right}")
                }
            };
        }
        let mut lines: Vec<String> = self
            .areas
            .iter()
            .map(|((scoring, key), [lower, upper])| {
                let key: String = key.iter().map(|code| format!("{code:04x}")).collect();
                format!("a {} {key} {lower} {upper}", scoring.name())
            })
            .collect();
        lines.extend(self.kept.iter().map(|key| {
            let key: Vec<String> = key.iter().map(|number| format!("{number:x}")).collect();
            format!("k {}", key.join("."))
        }));
        // The same results make the same file.
        lines.sort_unstable();
        for line in lines {
            text += &line;
            text.push('\n');
        }
        let sum = blake3::hash(text.as_bytes());
        _ = writeln!(text, "{CHECKSUM}{sum}");
        text
    }

    /// Reads what [`text`](Table::text) wrote, or says what is wrong.
    fn read(text: &str) -> Result<Table, String> {
        let at = text.rfind(CHECKSUM).ok_or("its end with the checksum is missing")?;
        let (lines, sum) = text.split_at(at);
        if sum != format!("{CHECKSUM}{}\n", blake3::hash(lines.as_bytes())) {
            return Err("its checksum is wrong".into());
        }
        let mut table = Table::default();
        for (number, line) in lines.lines().enumerate().skip(1) {
            table.line(line).ok_or_else(|| format!("line {} cannot be understood", number + 1))?;
        }
        Ok(table)
    }

    fn line(&mut self, line: &str) -> Option<()> {
        let (kind, rest) = line.split_once(' ')?;
        match kind {
            "p" => {
                plain(rest)?;
                self.add_form(Form::Plain(rest.into()));
            }
            "o" => {
                let list = |text: &str| -> Option<Vec<u32>> {
                    let numbers = text.split(',').filter(|n| !n.is_empty()).map(|n| n.parse().ok());
                    numbers.map(|n| n.filter(|&n| (n as usize) < self.forms.len())).collect()
                };
                let (left, right) = rest.split_once('|')?;
                let form = Form::Options([list(left)?, list(right)?]);
                self.add_form(form);
            }
            "a" => {
                let words: Vec<&str> = rest.split(' ').collect();
                let [scoring, key, lower, upper] = words[..] else { return None };
                let scoring = Scoring::ALL.into_iter().find(|s| s.name() == scoring)?;
                let codes = key
                    .as_bytes()
                    .chunks(4)
                    .map(|code| u16::from_str_radix(std::str::from_utf8(code).ok()?, 16).ok());
                let form = |n: &str| n.parse().ok().filter(|&n: &u32| (n as usize) < self.forms.len());
                let bounds = [form(lower)?, form(upper)?];
                self.areas.insert((scoring, codes.collect::<Option<Key>>()?), bounds);
            }
            "k" => {
                let numbers = rest.split('.').map(|n| u64::from_str_radix(n, 16).ok());
                self.kept.insert(numbers.collect::<Option<_>>()?);
            }
            _ => return None,
        }
        Some(())
    }
}

/// `NUMBER UPS STAR`.
fn plain(text: &str) -> Option<NumberUpStar> {
    let words: Vec<&str> = text.split(' ').collect();
    let [number, ups, star] = words[..] else { return None };
    Some(NumberUpStar { number: number.parse().ok()?, ups: ups.parse().ok()?, star: star.parse().ok()? })
}
