//! Lines that say what a part is worth.

use gb_rules::Player;
use gb_value::Value;

use super::{Checker, Wrong, hint_of};
use crate::boards::{BoardKey, OptionParts};
use crate::facts::Worth;

impl Checker<'_, '_, '_> {
    /// The value of a part follows from the values of what its options fall into, as far as they are not shown to be no better than
    /// others; or from its being at most and at least that value.
    pub(super) fn value_of_part(&mut self, rest: &str) -> Result<(), Wrong> {
        let (rest, reasons) = match rest.split_once(" ; ") {
            Some((rest, reasons)) => (rest, Some(reasons)),
            None => (rest, None),
        };
        if self.facts.boards.whole {
            return Err("boards of this game have no values".into());
        }
        let (text, value) = rest.split_once(' ').ok_or("expected a part and its value")?;
        let (board, value) = (self.facts.boards.read(text)?, self.value(value)?);
        let &[part] = &self.facts.boards.parts_of(&board)?[..] else {
            return Err("this board is no single part with moves".into());
        };
        let follows = match reasons {
            None => self.by_options(&board)? == value,
            Some("LR") => self.is_worth(&board, value)?,
            Some(reasons) => self.by_best_options(&board, reasons)? == value,
        };
        if !follows {
            return Err("the options make another value".into());
        }
        self.facts.has_value(part, value, self.line)?;
        Ok(())
    }

    /// The value that all options of a board make.
    fn by_options(&mut self, board: &BoardKey) -> Result<Value, Wrong> {
        let mut sides = [vec![], vec![]];
        let mut options = OptionParts::default();
        for who in Player::BOTH {
            if who == Player::Right && self.facts.boards.impartial {
                sides[1] = sides[0].clone();
                break;
            }
            let side = &mut sides[who as usize];
            options.clear();
            self.facts.boards.parts_of_options(board, who, self.kernel, &mut options)?;
            for (at, parts) in options.iter().enumerate() {
                match self.facts.value_of_parts(parts, self.kernel)? {
                    Some(value) => side.push(value),
                    None => {
                        let option = self.facts.boards.options(board, who)?.swap_remove(at);
                        return Err(self.not_valued(&option));
                    }
                }
            }
            side.sort_unstable();
            side.dedup();
        }
        Ok(self.kernel.from_options(&sides[0], &sides[1])?)
    }

    fn not_valued(&self, option: &BoardKey) -> Wrong {
        let option = self.facts.boards.text(option);
        Wrong::Line(format!("the value of {option}, an option, is not known here"))
    }

    /// The value that the options make whose values are known; every other one has to be known to be no better than one of them.
    fn by_best_options(&mut self, board: &BoardKey, reasons: &str) -> Result<Value, Wrong> {
        let mut reasons = reasons.split(' ').peekable();
        let (mut sides, mut rivals) = ([vec![], vec![]], [vec![], vec![]]);
        for who in Player::BOTH {
            for (text, option) in self.facts.boards.sorted(board, who)? {
                self.kernel.work(1)?;
                let reason = reasons.next().ok_or_else(|| format!("nothing is said of {text}, an option"))?;
                if reason == "=" {
                    let sum = self.facts.sum(&[option], Value::ZERO, self.kernel)?;
                    if !sum.parts.is_empty() {
                        return Err(self.not_valued(&option));
                    }
                    sides[who as usize].push(sum.worth.value);
                    continue;
                }
                let (rival, hint) = (self.value(reason)?, hint_of(&mut reasons));
                let sum = self.facts.sum(&[option], Worth::less(rival), self.kernel)?;
                if !self.is_lost(who, sum, hint)? {
                    return Err(format!("it is not known here that {text} is no better than {reason}").into());
                }
                rivals[who as usize].push(rival);
            }
        }
        if reasons.next().is_some() {
            return Err("more is said than there are options".into());
        }
        if Player::BOTH
            .iter()
            .any(|&who| rivals[who as usize].iter().any(|v| !sides[who as usize].contains(v)))
        {
            return Err("an option is compared with what no option is worth".into());
        }
        Ok(self.kernel.from_options(&sides[0], &sides[1])?)
    }

    /// Whether a board is known to be at most and at least a value.
    fn is_worth(&mut self, board: &BoardKey, value: Value) -> Result<bool, Wrong> {
        let sum = self.facts.sum(&[*board], Worth::less(value), self.kernel)?;
        for player in Player::BOTH {
            if !self.is_lost(player, sum.clone(), None)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
