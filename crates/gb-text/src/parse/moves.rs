//! Patterns and what is done with them.

use gb_rules::Player;

use super::{Names, heap};
use crate::cursor::Cursor;
use crate::error::TextError;
use crate::tree::{
    Action, BoardKind, Condition, LetterSet, MoveRule, Near, Per, Points, Reach, Rewrite, Symbol, Turn, Ways,
};

/// How many cells a side of a pattern may have.
const MAX_SIDE: usize = 16;
/// How many vertices a pattern may have on a graph.
pub(crate) const MAX_PATH: usize = 8;
/// How many points a move may earn for each thing that counts.
const MAX_POINTS: u32 = 1_000;

const MODIFIERS: &str = "`along`, `slide`, `repeat`, `pushing`, `if`, `unless`, `neighbours`, `scores`, `then`, `;` or the end of the line";

const JOINED: &str = "directions joined by `and`, letters of a choice in brackets such as `[xo]`, conditions one after the other, each with its `if` or `unless`";

/// A line of moves: several, separated by `;`.
pub(super) fn line(
    names: &Names<'_>,
    keyword: &str,
    mut cursor: Cursor<'_>,
    moves: &mut Vec<MoveRule>,
) -> Result<(), TextError> {
    let who = match keyword {
        "left" => Some(Player::Left),
        "right" => Some(Player::Right),
        _ => None,
    };
    loop {
        cursor.skip_spaces();
        let at = cursor.place();
        // `. -> # ; neighbours . -> #` is one move.
        let goes_on = cursor.clone().take_word("neighbours");
        match moves.last_mut() {
            Some(MoveRule { action: Action::Rewrite(rewrite), .. }) if goes_on => {
                modifiers(names, who, &mut cursor, rewrite)?;
            }
            _ => {
                let actions = match names.board {
                    BoardKind::Heap(_) => {
                        heap::actions(names, &mut cursor)?.into_iter().map(Action::Heap).collect()
                    }
                    BoardKind::Edges => {
                        cursor.need("cut", "`cut` and the letters of the edges, as in `cut [BG]`")?;
                        let letters = names.letters(&mut cursor)?;
                        vec![Action::Cut(letters, cursor.take_word("leaves"))]
                    }
                    _ => vec![Action::Rewrite(Box::new(rewrite(names, who, &mut cursor)?))],
                };
                moves.extend(actions.into_iter().map(|action| MoveRule { at, who, action }));
            }
        }
        if cursor.at_end() {
            return Ok(());
        }
        let expected = match names.board {
            BoardKind::Heap(_) => "`where` and what must hold, `;` or the end of the line",
            BoardKind::Edges => "`leaves`, `;` or the end of the line",
            _ => MODIFIERS,
        };
        cursor.need(";", expected)?;
    }
}

/// A pattern and what it becomes, with what follows.
fn rewrite(names: &Names<'_>, who: Option<Player>, cursor: &mut Cursor<'_>) -> Result<Rewrite, TextError> {
    cursor.skip_spaces();
    let at = cursor.place();
    let before = side(names, cursor, false)?;
    cursor.need("->", "`->` and what the pattern becomes")?;
    cursor.skip_spaces();
    let place_of_after = cursor.place();
    let after = side(names, cursor, true)?;
    let shape = |side: &[Vec<Symbol>]| side.iter().map(Vec::len).collect::<Vec<_>>();
    if shape(&before) != shape(&after) {
        let sizes =
            |side: &[Vec<Symbol>]| shape(side).iter().map(usize::to_string).collect::<Vec<_>>().join(" and ");
        return Err(TextError::meaning(
            place_of_after,
            format!(
                "the pattern has {} cells, but what it becomes has {}: expected as many",
                sizes(&before),
                sizes(&after)
            ),
        ));
    }
    let mut cells = before;
    for (row, line) in cells.iter_mut().enumerate() {
        for (col, symbol) in line.iter_mut().enumerate() {
            let becomes = after[row][col];
            if becomes.all != symbol.all {
                return Err(TextError::meaning(
                    place_of_after,
                    "`*` stands for several cells: expected it on both sides of `->`",
                ));
            }
            if symbol.before.is_none() && becomes.after.is_some() {
                return Err(TextError::meaning(
                    place_of_after,
                    "what may be anything, `?`, stays as it is: expected `?` after `->` too",
                ));
            }
            symbol.after = becomes.after;
            symbol.turn = becomes.turn;
            if let Some(turn) = becomes.turn {
                let letters = symbol.before.map_or(0, LetterSet::count_ones);
                if letters == 0 || (turn == Turn::Other && letters != 2) {
                    return Err(TextError::meaning(
                        place_of_after,
                        "`+` is the letter after the one that was there, and `!` the other one of two: expected letters before the arrow, for `!` two, as in `[HT] -> !`",
                    ));
                }
            }
            // What stays as it is does not change.
            if let (Some(set), Some(letter)) = (symbol.before, symbol.after)
                && set == 1 << letter
            {
                symbol.after = None;
            }
        }
    }
    let count = cells.iter().map(Vec::len).sum::<usize>();
    let stars = cells.iter().flatten().filter(|symbol| symbol.all).count();
    if stars > 0 && (cells.len() > 1 || stars > 1 || !cells[0].last().is_some_and(|s| s.all) || count < 2) {
        return Err(TextError::meaning(
            at,
            "`*` stands after the last cell of a row of two or more: expected as in `x[xo]* -> .~*`",
        ));
    }
    if cells.iter().flatten().all(|symbol| symbol.before.is_none()) {
        return Err(TextError::meaning(
            at,
            "a pattern of nothing but `?` is found everywhere: expected a letter",
        ));
    }
    let one_row = cells.len() == 1;
    let ways = if one_row { Ways::Along(vec![(0, 1)]) } else { Ways::Images(vec![(false, false, false)]) };
    let mut rewrite = Rewrite {
        cells,
        ways,
        reach: Reach::Once,
        conditions: vec![],
        neighbours: None,
        points: Points::default(),
        then: None,
    };
    modifiers(names, who, cursor, &mut rewrite)?;
    check(names, at, &rewrite)?;
    Ok(rewrite)
}

/// What does not go together.
fn check(names: &Names<'_>, at: crate::Place, rewrite: &Rewrite) -> Result<(), TextError> {
    let turns = rewrite.cells.iter().flatten().any(|symbol| symbol.turn.is_some());
    let changes = turns || rewrite.cells.iter().flatten().any(|symbol| symbol.after.is_some());
    if !changes && rewrite.reach == Reach::Once {
        return Err(TextError::meaning(at, "the move changes nothing: expected another letter after `->`"));
    }
    let row = &rewrite.cells[0];
    let has_star = row.iter().any(|symbol| symbol.all);
    let long = rewrite.reach != Reach::Once;
    if long && (rewrite.cells.len() > 1 || has_star) {
        return Err(TextError::meaning(
            at,
            "`slide`, `repeat` and `pushing` are for patterns of one row without `*`",
        ));
    }
    if turns && (long || has_star || rewrite.then.is_some() || names.board == BoardKind::Graph) {
        return Err(TextError::meaning(
            at,
            "`+` and `!` are for patterns of cells without `*`, `slide`, `repeat`, `pushing` and `then`: expected a move for each letter, as in `xa. -> .bx repeat ; xb. -> .cx repeat`",
        ));
    }
    match rewrite.reach {
        Reach::Slide(_) if row.len() != 2 || row.iter().any(|symbol| symbol.before.is_none()) => {
            return Err(TextError::meaning(
                at,
                "`slide` is for patterns of two cells, as in `x. -> .x slide`",
            ));
        }
        Reach::Push(_) if row.len() != 1 || row[0].after.is_none() => {
            return Err(TextError::meaning(
                at,
                "`pushing` is for patterns of one cell, as in `x -> . pushing [xo]`",
            ));
        }
        Reach::Repeat => {
            let (first, last) = (row[0], row[row.len() - 1]);
            let goes_on =
                last.after.is_some_and(|letter| first.before.is_some_and(|set| set >> letter & 1 == 1));
            if row.len() < 2 || !goes_on {
                return Err(TextError::meaning(
                    at,
                    "`repeat` goes on from the last cell: expected that it becomes what the first one was, as in `xo. -> ..x repeat`",
                ));
            }
        }
        _ => {}
    }
    let special =
        !rewrite.conditions.is_empty() || rewrite.neighbours.is_some() || rewrite.points != Points::default();
    if special && (long || has_star || rewrite.then.is_some()) {
        return Err(TextError::meaning(
            at,
            "`if`, `unless`, `neighbours` and `scores` are for patterns without `*`, `slide`, `repeat`, `pushing` and `then`",
        ));
    }
    if let Some(then) = &rewrite.then {
        let fits = |part: &Rewrite| {
            part.cells.len() == 1
                && matches!(part.reach, Reach::Once | Reach::Slide(_))
                && !part.cells[0].iter().any(|s| s.all)
        };
        if !fits(rewrite) || !fits(then) || then.then.is_some() {
            return Err(TextError::meaning(
                at,
                "`then` joins two patterns of one row, each plain or with `slide`",
            ));
        }
    }
    if names.board == BoardKind::Graph
        && (rewrite.cells.len() > 1 || long || has_star || rewrite.then.is_some())
    {
        return Err(TextError::meaning(
            at,
            "on graphs patterns are rows of vertices joined by edges, without `*`, `slide`, `repeat`, `pushing` and `then`",
        ));
    }
    if names.board == BoardKind::Graph && row.len() > MAX_PATH {
        return Err(TextError::meaning(at, format!("on graphs a pattern has at most {MAX_PATH} vertices")));
    }
    if names.board == BoardKind::Graph && row.iter().any(|symbol| symbol.before.is_none()) {
        return Err(TextError::meaning(
            at,
            "on graphs every vertex of a pattern has letters: `?` is not known there",
        ));
    }
    if names.board == BoardKind::Strip && rewrite.cells.len() > 1 {
        return Err(TextError::meaning(at, "on strips patterns have one row"));
    }
    Ok(())
}

/// One side of a pattern: rows separated by `/`.
fn side(names: &Names<'_>, cursor: &mut Cursor<'_>, is_after: bool) -> Result<Vec<Vec<Symbol>>, TextError> {
    cursor.skip_spaces();
    let mut rows: Vec<Vec<Symbol>> = vec![vec![]];
    while let Some(c) = cursor.peek().filter(|c| !c.is_whitespace() && *c != ';') {
        // An arrow may follow without a space.
        if !is_after && cursor.rest().starts_with("->") && !rows[0].is_empty() {
            break;
        }
        if c == '/' {
            cursor.next();
            rows.push(vec![]);
            continue;
        }
        let before = cursor.clone();
        let mut symbol = symbol(names, cursor, is_after)?;
        let row = rows.last_mut().expect("there is always a row");
        let mut count = 1;
        if cursor.rest().starts_with('*') {
            cursor.next();
            symbol.all = true;
        } else if cursor.rest().starts_with('{') {
            cursor.next();
            count = names.count(cursor, MAX_SIDE as u32)? as usize;
            cursor.need("}", "`}`")?;
        }
        if row.len() + count > MAX_SIDE || rows.len() > MAX_SIDE {
            return Err(TextError::meaning(
                before.place(),
                format!("a side of a pattern has at most {MAX_SIDE} cells"),
            ));
        }
        let row = rows.last_mut().expect("there is always a row");
        row.extend(std::iter::repeat_n(symbol, count));
    }
    if rows[0].is_empty() {
        let what = if is_after { "what the pattern becomes" } else { "a pattern" };
        return Err(cursor.expected(format!("{what}, of {}", names.expected())));
    }
    if let Some(odd) = rows.iter().find(|row| row.len() != rows[0].len()) {
        let problem = format!(
            "a row of the pattern has {} cells, but the first has {}: expected equally many, with `?` for what may be anything",
            odd.len(),
            rows[0].len()
        );
        return Err(TextError::meaning(cursor.place(), problem));
    }
    Ok(rows)
}

fn symbol(names: &Names<'_>, cursor: &mut Cursor<'_>, is_after: bool) -> Result<Symbol, TextError> {
    let plain = Symbol { before: None, after: None, turn: None, all: false };
    let turns = [('+', Turn::Next), ('!', Turn::Other)];
    let turn = turns.iter().find(|(sign, _)| cursor.peek() == Some(*sign) && names.index(*sign).is_none());
    match cursor.peek() {
        _ if is_after && turn.is_some() => {
            cursor.next();
            Ok(Symbol { turn: turn.map(|(_, turn)| *turn), ..plain })
        }
        Some('?') => {
            cursor.next();
            Ok(plain)
        }
        Some('~') if is_after => {
            cursor.next();
            Ok(plain)
        }
        Some('[') if is_after => Err(cursor.expected(format!("`~` (as before) or {}", names.expected()))),
        _ if is_after => Ok(Symbol { after: Some(names.letter(cursor)?), ..plain }),
        _ => Ok(Symbol { before: Some(names.letters(cursor)?), ..plain }),
    }
}

/// What follows a pattern.
fn modifiers(
    names: &Names<'_>,
    who: Option<Player>,
    cursor: &mut Cursor<'_>,
    rewrite: &mut Rewrite,
) -> Result<(), TextError> {
    let mut said: Vec<&str> = vec![];
    loop {
        if cursor.at_end() || cursor.rest().starts_with(';') {
            return Ok(());
        }
        cursor.skip_spaces();
        let before = cursor.clone();
        let word = cursor.word();
        if let Some(word) = word.filter(|word| !["if", "unless"].contains(word)) {
            // How far a pattern reaches is said once, whichever word says it.
            let kind = if ["slide", "repeat", "pushing"].contains(&word) { "reach" } else { word };
            if said.contains(&kind) {
                return Err(TextError::meaning(
                    before.place(),
                    format!(
                        "`{word}` says again what was said of this move: expected it once (several directions are joined by `and`)"
                    ),
                ));
            }
            said.push(kind);
        }
        match word {
            Some("along") => rewrite.ways = ways(names, who, cursor, rewrite.cells.len() == 1)?,
            Some("slide") => {
                let over = if cursor.take_word("over") { Some(names.letters(cursor)?) } else { None };
                rewrite.reach = Reach::Slide(over);
            }
            Some("repeat") => rewrite.reach = Reach::Repeat,
            Some("pushing") => rewrite.reach = Reach::Push(names.letters(cursor)?),
            Some(word @ ("if" | "unless")) => {
                let near = near(names, cursor)?;
                let letters = letters_or_edge(names, cursor)?;
                rewrite.conditions.push(Condition { letters, wanted: word == "if", near });
            }
            Some("neighbours") => {
                let letters = names.letters(cursor)?;
                cursor.need("->", "`->` and a letter")?;
                rewrite.neighbours = Some((letters, names.letter(cursor)?));
            }
            Some("scores") => rewrite.points = points(names, cursor)?,
            Some("then") => {
                rewrite.then = Some(Box::new(self::rewrite(names, who, cursor)?));
            }
            Some("or" | "and") => return Err(before.expected(JOINED)),
            _ if before.rest().starts_with(',') => return Err(before.expected(JOINED)),
            _ => return Err(before.expected(MODIFIERS)),
        }
    }
}

/// Which neighbours a condition is about: `beside`, `around`, or a direction.
fn near(names: &Names<'_>, cursor: &mut Cursor<'_>) -> Result<Near, TextError> {
    let mut words = vec!["beside", "around"];
    let directions: Vec<_> = match names.board {
        BoardKind::Graph => vec![],
        board => NAMED.iter().filter(|(_, (down, _))| board != BoardKind::Strip || *down == 0).collect(),
    };
    words.extend(directions.iter().map(|(name, _)| *name));
    Ok(match cursor.one_of(&words)? {
        0 => Near::Beside,
        1 => Near::Around,
        other => {
            let (down, right) = directions[other - 2].1;
            Near::Toward(down, right)
        }
    })
}

/// What a condition looks for: letters, or `edge`.
fn letters_or_edge(names: &Names<'_>, cursor: &mut Cursor<'_>) -> Result<Option<LetterSet>, TextError> {
    cursor.skip_spaces();
    let at = cursor.place();
    if !cursor.take_word("edge") {
        return names.letters(cursor).map(Some);
    }
    if names.board == BoardKind::Graph {
        return Err(TextError::meaning(at, "a graph has no edge of the board: expected letters of vertices"));
    }
    Ok(None)
}

fn points(names: &Names<'_>, cursor: &mut Cursor<'_>) -> Result<Points, TextError> {
    let each = cursor.number(MAX_POINTS, "points")?;
    if !cursor.take_word("per") {
        return Ok(Points { each, per: Per::Move });
    }
    if cursor.take_word("cell") {
        return Ok(Points { each, per: Per::Cell });
    }
    let letters = names.letters(cursor)?;
    cursor.need("beside", "`beside`")?;
    Ok(Points { each, per: Per::Beside(letters) })
}

pub(super) const NAMED: [(&str, (i32, i32)); 8] = [
    ("north", (-1, 0)),
    ("northeast", (-1, 1)),
    ("east", (0, 1)),
    ("southeast", (1, 1)),
    ("south", (1, 0)),
    ("southwest", (1, -1)),
    ("west", (0, -1)),
    ("northwest", (-1, -1)),
];

fn ways(
    names: &Names<'_>,
    who: Option<Player>,
    cursor: &mut Cursor<'_>,
    one_row: bool,
) -> Result<Ways, TextError> {
    if !one_row {
        let both = [false, true];
        let all = || {
            both.into_iter()
                .flat_map(move |t| both.into_iter().flat_map(move |u| both.map(move |r| (t, u, r))))
        };
        return Ok(Ways::Images(match cursor.one_of(&["images", "turns", "mirrors"])? {
            0 => all().collect(),
            // A quarter turn is a transposition and one reversal.
            1 => all().filter(|&(t, u, r)| t == (u ^ r)).collect(),
            _ => all().filter(|(t, ..)| !t).collect(),
        }));
    }
    let mut along: Vec<(i32, i32)> = vec![];
    loop {
        cursor.skip_spaces();
        let before = cursor.clone();
        let word = cursor.word().unwrap_or("");
        let rows = || vec![(0, 1), (0, -1)];
        let columns = || vec![(1, 0), (-1, 0)];
        let diagonals = || vec![(1, 1), (1, -1), (-1, 1), (-1, -1)];
        let found: Vec<(i32, i32)> = match word {
            "rows" => rows(),
            "columns" => columns(),
            "orthogonal" if names.board == BoardKind::Strip => rows(),
            "orthogonal" if names.board == BoardKind::Hex => {
                [rows(), columns(), vec![(-1, 1), (1, -1)]].concat()
            }
            "orthogonal" => [rows(), columns()].concat(),
            "diagonal" => diagonals(),
            "queen" => [rows(), columns(), diagonals()].concat(),
            "forward" => {
                let ahead = |who| match (names.board == BoardKind::Strip, who) {
                    (true, Player::Left) => (0, 1),
                    (true, Player::Right) => (0, -1),
                    (false, Player::Left) => (-1, 0),
                    (false, Player::Right) => (1, 0),
                };
                match who {
                    Some(who) => vec![ahead(who)],
                    None => return Err(before.expected("`forward` in lines of one player only")),
                }
            }
            _ => NAMED.iter().filter(|(name, _)| *name == word).map(|&(_, way)| way).collect(),
        };
        if found.is_empty() {
            return Err(before.expected(
                "`rows`, `columns`, `orthogonal`, `diagonal`, `queen`, `forward`, `north`, `northeast`, `east`, `southeast`, `south`, `southwest`, `west` or `northwest`",
            ));
        }
        if names.board == BoardKind::Graph {
            return Err(TextError::meaning(
                before.place(),
                "on graphs patterns lie along all edges: `along` is not needed",
            ));
        }
        if names.board == BoardKind::Strip && found.iter().any(|&(down, _)| down != 0) {
            return Err(TextError::meaning(before.place(), "on strips patterns lie along rows"));
        }
        for way in found {
            if !along.contains(&way) {
                along.push(way);
            }
        }
        if !cursor.take_word("and") {
            return Ok(Ways::Along(along));
        }
    }
}
