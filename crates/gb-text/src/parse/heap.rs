//! What is done to heaps: `n -> n - k where k in 1..3`.

use super::{Names, is_name};
use crate::cursor::Cursor;
use crate::error::TextError;
use crate::tree::{BoardKind, Comparison, Expression, HeapAction, HeapRule, Operation, Range, Relation};

/// How deep an expression may be nested.
const MAX_DEPTH: usize = 16;
/// How many numbers a move may choose.
const MAX_CHOICES: usize = 2;
/// How many heaps a move may leave, as it is written.
const MAX_HEAPS: usize = 8;
/// How many digits a code may have.
const MAX_DIGITS: usize = 65;
/// How many results may be written with commas.
const MAX_RESULTS: usize = 64;

/// The variables of a rule: the numbers of the heap, then the chosen ones.
struct Scope<'a> {
    names: &'a Names<'a>,
    choices: Vec<String>,
}

/// All that a heap may become: `n -> n-1, n-3`, or `octal 0.77`.
pub(super) fn actions(names: &Names<'_>, cursor: &mut Cursor<'_>) -> Result<Vec<HeapAction>, TextError> {
    if cursor.take_word("octal") {
        return Ok(vec![HeapAction::Code(code(names, cursor)?)]);
    }
    let BoardKind::Heap(count) = names.board else { unreachable!("heaps are played on heaps") };
    for index in 0..count {
        if index > 0 {
            cursor.need("x", "`x` between the numbers of a heap")?;
        }
        let name = &names.numbers[index];
        if !cursor.take_word(name) {
            return Err(cursor.expected(format!("the heap, `{}`", names.numbers.join(" x "))));
        }
    }
    cursor.need("->", "`->` and what the heap becomes")?;
    // Numbers are chosen after the heaps that use them, so the names are looked for first.
    let choices = chosen(names, cursor.clone());
    if choices.len() > MAX_CHOICES {
        return Err(TextError::meaning(
            cursor.place(),
            format!("a move chooses at most {MAX_CHOICES} numbers"),
        ));
    }
    let mut scope = Scope { names, choices };
    let mut results = vec![];
    loop {
        results.push(scope.heaps(cursor, count)?);
        if !cursor.take(",") {
            break;
        }
        if results.len() == MAX_RESULTS {
            return Err(TextError::meaning(
                cursor.place(),
                format!("more than {MAX_RESULTS} results are too many"),
            ));
        }
    }
    let (ranges, conditions) = scope.wheres(cursor)?;
    let rule = |heaps| {
        HeapAction::Becomes(HeapRule { heaps, choices: ranges.clone(), conditions: conditions.clone() })
    };
    Ok(results.into_iter().map(rule).collect())
}

/// The names that `where` introduces with `in`, before the next `;`.
fn chosen(names: &Names<'_>, mut cursor: Cursor<'_>) -> Vec<String> {
    let mut found: Vec<String> = vec![];
    let mut last: Option<&str> = None;
    let mut after_where = false;
    while !cursor.at_end() && !cursor.rest().starts_with(';') {
        match cursor.word() {
            Some("where") => after_where = true,
            Some("in") if after_where => {
                if let Some(name) = last.filter(|name| {
                    is_name(name)
                        && !names.numbers.iter().any(|n| n == name)
                        && !found.iter().any(|n| n == name)
                }) {
                    found.push(name.to_string());
                }
            }
            Some(word) => last = Some(word),
            None => {
                cursor.next();
            }
        }
    }
    found
}

fn code(names: &Names<'_>, cursor: &mut Cursor<'_>) -> Result<Vec<u8>, TextError> {
    cursor.skip_spaces();
    let before = cursor.clone();
    let written: String =
        cursor.rest().chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '.').collect();
    written.chars().for_each(|_| _ = cursor.next());
    let parameter = names.parameter(&written, false);
    let code = parameter.map_or(written, |p| p.values[0].clone());
    let digits: Option<Vec<u8>> = code.split_once('.').and_then(|(zero, rest)| {
        let zero = if zero.is_empty() { "0" } else { zero };
        let digits = zero.chars().chain(rest.chars()).map(|c| c.to_digit(8).map(|digit| digit as u8));
        let digits: Vec<u8> = digits.collect::<Option<_>>()?;
        (zero.len() == 1 && digits.len() > 1 && digits.len() <= MAX_DIGITS && digits[0] & 3 == 0)
            .then_some(digits)
    });
    digits.ok_or_else(|| {
        before.expected("a code of octal digits that begins with `0.` or `4.`, or a parameter that is one")
    })
}

impl Scope<'_> {
    fn variable(&self, name: &str) -> Option<usize> {
        let numbers = self.names.numbers.iter().chain(&self.choices);
        numbers.into_iter().position(|known| known == name)
    }

    /// The heaps that are left: `a + b`, or `3 of a`, or `a x b + c x d`; a single 0 is nothing.
    fn heaps(
        &self,
        cursor: &mut Cursor<'_>,
        count: usize,
    ) -> Result<Vec<(Expression, Vec<Expression>)>, TextError> {
        let mut heaps = vec![];
        if cursor.take_word("nothing") {
            return Ok(heaps);
        }
        loop {
            let mut first = self.product(cursor, 0)?;
            let mut times = Expression::Number(1);
            if cursor.take_word("of") {
                times = first;
                first = self.product(cursor, 0)?;
            }
            // Between heaps `and` is written, so that sums stay sums.
            let mut numbers = vec![self.sum_from(first, cursor, 0)?];
            while numbers.len() < count {
                cursor.need("x", "`x` between the numbers of a heap")?;
                numbers.push(self.sum(cursor, 0)?);
            }
            heaps.push((times, numbers));
            if !cursor.take_word("and") {
                return Ok(heaps);
            }
            if heaps.len() == MAX_HEAPS {
                return Err(TextError::meaning(
                    cursor.place(),
                    format!("a move leaves at most {MAX_HEAPS} heaps, or `k of` the same"),
                ));
            }
        }
    }

    fn wheres(&mut self, cursor: &mut Cursor<'_>) -> Result<(Vec<Range>, Vec<Comparison>), TextError> {
        let mut ranges: Vec<Option<Range>> = vec![None; self.choices.len()];
        let mut conditions = vec![];
        if cursor.take_word("where") {
            loop {
                cursor.skip_spaces();
                let before = cursor.clone();
                let name = cursor.word();
                let choice = name.and_then(|name| self.choices.iter().position(|known| known == name));
                match choice {
                    Some(choice) if cursor.take_word("in") => {
                        if ranges[choice].is_some() {
                            return Err(TextError::meaning(
                                before.place(),
                                format!("`{}` is chosen twice", self.choices[choice]),
                            ));
                        }
                        if ranges[..choice].iter().any(Option::is_none) {
                            return Err(TextError::meaning(
                                before.place(),
                                "numbers are chosen in the order in which they are written",
                            ));
                        }
                        ranges[choice] = Some(self.range(cursor)?);
                    }
                    _ => {
                        *cursor = before;
                        conditions.extend(self.comparison(cursor)?);
                    }
                }
                if !cursor.take(",") {
                    break;
                }
                if conditions.len() > MAX_RESULTS {
                    return Err(TextError::meaning(cursor.place(), "too many conditions"));
                }
            }
        }
        Ok((ranges.into_iter().flatten().collect(), conditions))
    }

    /// `1..n`, or a parameter that is a list, or `{1, 3, 4}`.
    fn range(&self, cursor: &mut Cursor<'_>) -> Result<Range, TextError> {
        let mut word = cursor.clone();
        let found = word.word().and_then(|name| self.names.parameter(name, true));
        if let Some(list) = found {
            let numbers = list.values.iter().map(|value| value.parse::<u32>().map(i64::from));
            let numbers: Result<Vec<i64>, _> = numbers.collect();
            let problem = || {
                TextError::meaning(
                    cursor.place(),
                    format!("`{}` is no list of numbers", list.values.join(",")),
                )
            };
            let mut numbers = numbers.map_err(|_| problem())?;
            numbers.sort_unstable();
            numbers.dedup();
            *cursor = word;
            return Ok(Range::OneOf(numbers));
        }
        if cursor.take("{") {
            let mut numbers = vec![];
            loop {
                numbers.push(i64::from(cursor.number(1_000_000, "a number")?));
                if cursor.take("}") {
                    return Ok(Range::OneOf(numbers));
                }
                cursor.need(",", "`,` or `}`")?;
            }
        }
        let low = self.sum(cursor, 0)?;
        cursor.need("..", "`..`, as in `1..n`")?;
        Ok(Range::Between(low, self.sum(cursor, 0)?))
    }

    /// `a < b <= c`.
    fn comparison(&self, cursor: &mut Cursor<'_>) -> Result<Vec<Comparison>, TextError> {
        let mut found = vec![];
        let mut one = self.sum(cursor, 0)?;
        while found.len() < 4 {
            let (relation, turned) = if cursor.take("!=") {
                (Relation::Unequal, false)
            } else if cursor.take("<=") {
                (Relation::AtMost, false)
            } else if cursor.take(">=") {
                (Relation::AtMost, true)
            } else if cursor.take("<") {
                (Relation::Less, false)
            } else if cursor.take(">") {
                (Relation::Less, true)
            } else if cursor.take("=") {
                (Relation::Equal, false)
            } else if cursor.take_word("divides") {
                (Relation::Divides, false)
            } else {
                break;
            };
            let other = self.sum(cursor, 0)?;
            let (a, b) = if turned { (other.clone(), one) } else { (one, other.clone()) };
            found.push(Comparison(a, relation, b));
            one = other;
        }
        if found.is_empty() {
            return Err(cursor.expected("`=`, `!=`, `<`, `<=`, `>`, `>=` or `divides`"));
        }
        Ok(found)
    }

    fn sum(&self, cursor: &mut Cursor<'_>, depth: usize) -> Result<Expression, TextError> {
        let first = self.product(cursor, depth)?;
        self.sum_from(first, cursor, depth)
    }

    fn sum_from(
        &self,
        first: Expression,
        cursor: &mut Cursor<'_>,
        depth: usize,
    ) -> Result<Expression, TextError> {
        let mut sum = first;
        for _ in 0..MAX_RESULTS {
            let operation = if cursor.take("+") {
                Operation::Plus
            } else if cursor.take("-") {
                Operation::Minus
            } else {
                return Ok(sum);
            };
            sum = Expression::Of(Box::new((sum, operation, self.product(cursor, depth)?)));
        }
        Err(TextError::meaning(cursor.place(), "the sum is too long"))
    }

    fn product(&self, cursor: &mut Cursor<'_>, depth: usize) -> Result<Expression, TextError> {
        let mut product = self.factor(cursor, depth)?;
        for _ in 0..MAX_RESULTS {
            let operation = if cursor.take("*") {
                Operation::Times
            } else if cursor.clone().take("/") && !cursor.clone().take("//") {
                cursor.take("/");
                Operation::Over
            } else if cursor.take_word("mod") {
                Operation::Mod
            } else {
                return Ok(product);
            };
            product = Expression::Of(Box::new((product, operation, self.factor(cursor, depth)?)));
        }
        Err(TextError::meaning(cursor.place(), "the product is too long"))
    }

    fn factor(&self, cursor: &mut Cursor<'_>, depth: usize) -> Result<Expression, TextError> {
        cursor.skip_spaces();
        if depth > MAX_DEPTH {
            return Err(TextError::meaning(cursor.place(), "the expression is nested too deeply"));
        }
        if cursor.peek().is_some_and(|c| c.is_ascii_digit()) {
            return Ok(Expression::Number(cursor.number(1_000_000, "a number")?.into()));
        }
        if cursor.take("(") {
            let inside = self.sum(cursor, depth + 1)?;
            cursor.need(")", "`)`")?;
            return Ok(inside);
        }
        for (name, operation) in [("min", Operation::Min), ("max", Operation::Max)] {
            if cursor.clone().take(&format!("{name}(")) {
                cursor.take_word(name);
                cursor.take("(");
                let one = self.sum(cursor, depth + 1)?;
                cursor.need(",", "`,` and another number")?;
                let other = self.sum(cursor, depth + 1)?;
                cursor.need(")", "`)`")?;
                return Ok(Expression::Of(Box::new((one, operation, other))));
            }
        }
        let before = cursor.clone();
        let name = self.name(cursor);
        if let Some(variable) = name.and_then(|name| self.variable(name)) {
            return Ok(Expression::Variable(variable));
        }
        let parameter = name.and_then(|name| self.names.parameter(name, false));
        if let Some(number) = parameter.and_then(|p| p.values[0].parse::<u32>().ok()) {
            return Ok(Expression::Number(number.into()));
        }
        let known: Vec<&str> = self.names.numbers.iter().chain(&self.choices).map(String::as_str).collect();
        Err(before.expected(format!(
            "a number, or one of {} (other names are chosen with `where k in 1..n`)",
            crate::cursor::listed(&known)
        )))
    }

    /// A name without dashes, so that `n-1` is a difference.
    fn name<'b>(&self, cursor: &mut Cursor<'b>) -> Option<&'b str> {
        let rest = cursor.rest();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        rest[..end].chars().for_each(|_| _ = cursor.next());
        (end > 0).then(|| &rest[..end])
    }
}
