//! Pawns alone, on any number of files and ranks: a pawn steps forward, from its first rank also two squares, captures
//! diagonally forward and en passant. Who promotes a pawn wins everywhere at once; who cannot move loses. White is Left.
//!
//! The right to capture en passant belongs to its neighbourhood: it lapses with the next move in the same chunk of pawns
//! and not through moves elsewhere, so that a board is the sum of its chunks.
//!
//! ```
//! use gb_rules::Player::{Left, Right};
//! let pawns = gb_games::game("pawns").unwrap().read("8/8/8/8/1p6/8/P7/8").unwrap();
//! assert_eq!(pawns.options(Left), ["8/8/8/8/1p6/P7/8/8", "8/8/8/8/Pp6/8/8/8 a3"]);
//! assert_eq!(pawns.options(Right), ["8/8/8/8/8/1p6/P7/8"]);
//! ```

use std::ops::ControlFlow;

use gb_board::{BoardError, Item, Look, Paint, Plain, Scene, Shape, Spot, Word, column_name};
use gb_rules::{Arguments, GlobalWins, Heuristics, Info, NameError, Notation, Player, Rules, Sign};

/// The rules of the game of pawns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pawns;

/// The game for the list.
pub(crate) fn pawns(arguments: &Arguments) -> Result<Pawns, NameError> {
    arguments.none()?;
    Ok(Pawns)
}

/// Squares: bit `rank * files + file`, both from 0, rank 0 at White's end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct PawnBoard {
    files: u8,
    ranks: u8,
    /// White's pawns and Black's pawns. On the last rank they are promoted.
    pawns: [u128; 2],
    /// The squares that pawns have just passed by a double step, where a capture is possible.
    passed: u128,
}

const MAX_SQUARES: usize = 128;

impl Plain for PawnBoard {
    const WORDS: usize = 7;

    fn write_words(self, words: &mut [u64]) {
        let [white, black] = self.pawns;
        for (i, set) in [white, black, self.passed].into_iter().enumerate() {
            set.write_words(&mut words[2 * i..]);
        }
        words[6] = u64::from(self.files) << 8 | u64::from(self.ranks);
    }
    fn read_words(words: &[u64]) -> PawnBoard {
        PawnBoard {
            files: (words[6] >> 8) as u8,
            ranks: words[6] as u8,
            pawns: [u128::read_words(words), u128::read_words(&words[2..])],
            passed: u128::read_words(&words[4..]),
        }
    }
}
gb_rules::keyed! { PawnBoard => W9 }

impl PawnBoard {
    /// An empty board.
    ///
    /// # Errors
    /// If it has no files, fewer than four ranks, or more than 128 squares.
    pub fn empty(files: usize, ranks: usize) -> Result<PawnBoard, BoardError> {
        if files == 0 || ranks < 4 {
            return Err(BoardError::Invalid(format!(
                "a board of {files} files and {ranks} ranks is too small: expected at least 1 file and 4 ranks, separated by `/`"
            )));
        }
        if files.saturating_mul(ranks) > MAX_SQUARES {
            return Err(BoardError::TooLarge {
                found: format!("a board of {files} files and {ranks} ranks"),
                limit: format!("at most {MAX_SQUARES} squares"),
            });
        }
        Ok(PawnBoard { files: files as u8, ranks: ranks as u8, pawns: [0; 2], passed: 0 })
    }

    /// Puts a pawn on a square. Both count from 0.
    pub fn put(&mut self, who: Player, file: usize, rank: usize) {
        self.pawns[who as usize] |= 1 << (rank * self.files as usize + file);
    }

    /// Marks the square that a pawn has just passed by a double step.
    pub fn mark_passed(&mut self, file: usize, rank: usize) {
        self.passed |= 1 << (rank * self.files as usize + file);
    }

    /// File and rank of all pawns of a player, from 0.
    pub fn squares(&self, who: Player) -> impl Iterator<Item = (usize, usize)> {
        let files = self.files as usize;
        let set = self.pawns[who as usize];
        (0..self.ranks as usize * files)
            .filter(move |i| set >> i & 1 == 1)
            .map(move |i| (i % files, i / files))
    }

    fn count(&self) -> u32 {
        self.files as u32 * self.ranks as u32
    }
    fn forward(&self, who: Player, square: u32) -> u32 {
        match who {
            Player::Left => square + self.files as u32,
            Player::Right => square - self.files as u32,
        }
    }
    fn last_rank(&self, who: Player) -> u128 {
        let row: u128 = (1 << self.files) - 1;
        match who {
            Player::Left => row << (self.count() - self.files as u32),
            Player::Right => row,
        }
    }
    fn is_home(&self, who: Player, square: u32) -> bool {
        let rank = square / self.files as u32;
        rank == if who == Player::Left { 1 } else { self.ranks as u32 - 2 }
    }
    fn beside(&self, square: u32) -> u128 {
        let (file, bit) = (square % self.files as u32, 1u128 << square);
        let left = if file > 0 { bit >> 1 } else { 0 };
        let right = if file + 1 < self.files as u32 { bit << 1 } else { 0 };
        left | right
    }
    /// The pawn that has just passed a square, and whose it is.
    fn passer(&self, square: u32) -> (Player, u32) {
        let up = self.forward(Player::Left, square);
        if self.pawns[0] >> up & 1 == 1 {
            (Player::Left, up)
        } else {
            (Player::Right, square - self.files as u32)
        }
    }

    /// The chunks: sets of pawns between which nothing can ever happen.
    ///
    /// White pawns move up only and Black pawns down only, and a pawn changes its file only by taking an enemy, so the
    /// pawns of a chunk stay on the files between its outermost pawns. Two chunks are apart if at least one file lies
    /// between those; or if they are neighbours without a common file and all enemies have passed each other. (Compare the
    /// rule of F. Maeser's thesis, section 7.3.1, which asks pawns one by one.)
    pub fn chunks(&self) -> Vec<PawnBoard> {
        self.chunk_sets().into_iter().map(|set| self.only(set)).collect()
    }

    /// The same board with the pawns of a set alone.
    fn only(&self, set: u128) -> PawnBoard {
        let mut passed = 0;
        for square in self.passed.cells() {
            if set >> self.passer(square).1 & 1 == 1 {
                passed |= 1 << square;
            }
        }
        PawnBoard { pawns: self.pawns.map(|p| p & set), passed, ..*self }
    }

    fn chunk_sets(&self) -> Vec<u128> {
        let mut chunks: Vec<Chunk> = vec![];
        for who in Player::BOTH {
            for square in self.pawns[who as usize].cells() {
                chunks.push(Chunk::of(self, who, square));
            }
        }
        // Joining one pair can make others meet: begin again until nothing meets.
        'again: loop {
            for i in 0..chunks.len() {
                for j in i + 1..chunks.len() {
                    if chunks[i].meets(&chunks[j]) {
                        let other = chunks.swap_remove(j);
                        chunks[i].join(&other);
                        continue 'again;
                    }
                }
            }
            break;
        }
        chunks.sort_by_key(|chunk| (chunk.files, chunk.set));
        chunks.iter().map(|chunk| chunk.set).collect()
    }

    fn mapped(&self, files: u8, swap: bool, to: impl Fn(u32, u32) -> Option<(u32, u32)>) -> PawnBoard {
        let map = |set: u128| {
            let mut image = 0;
            for square in set.cells() {
                if let Some((file, rank)) = to(square % self.files as u32, square / self.files as u32) {
                    image |= 1 << (rank * files as u32 + file);
                }
            }
            image
        };
        let [white, black] = self.pawns.map(map);
        let pawns = if swap { [black, white] } else { [white, black] };
        PawnBoard { files, ranks: self.ranks, pawns, passed: map(self.passed) }
    }

    /// Without the empty files at both sides.
    fn cropped(&self) -> PawnBoard {
        let mut used = 0u128;
        for square in (self.pawns[0] | self.pawns[1]).cells() {
            used |= 1 << (square % self.files as u32);
        }
        if used == 0 {
            return PawnBoard { files: 1, passed: 0, ..*self };
        }
        let (first, last) = (used.trailing_zeros(), 127 - used.leading_zeros());
        self.mapped((last - first + 1) as u8, false, |file, rank| Some((file - first, rank)))
    }

    fn mirrored(&self) -> PawnBoard {
        let last = self.files as u32 - 1;
        self.mapped(self.files, false, |file, rank| Some((last - file, rank)))
    }

    fn turned(&self) -> PawnBoard {
        let last = self.ranks as u32 - 1;
        self.mapped(self.files, true, |file, rank| Some((file, last - rank)))
    }
}

/// A set of pawns that may meet.
struct Chunk {
    set: u128,
    /// The outermost files.
    files: (u32, u32),
    /// The lowest White pawn and the highest Black one, if any: if these have passed each other, all have.
    white: Option<u32>,
    black: Option<u32>,
}

impl Chunk {
    fn of(board: &PawnBoard, who: Player, square: u32) -> Chunk {
        let (file, mut rank) = (square % board.files as u32, square / board.files as u32);
        // A pawn that can be taken en passant stands, in a way, on the square that it has passed.
        for passed in board.passed.cells() {
            if board.passer(passed) == (who, square) {
                rank = passed / board.files as u32;
            }
        }
        let (white, black) = if who == Player::Left { (Some(rank), None) } else { (None, Some(rank)) };
        Chunk { set: 1 << square, files: (file, file), white, black }
    }

    fn meets(&self, other: &Chunk) -> bool {
        let near = self.files.0 <= other.files.1 + 1 && other.files.0 <= self.files.1 + 1;
        let overlap = self.files.0 <= other.files.1 && other.files.0 <= self.files.1;
        let unpassed = |white: Option<u32>, black: Option<u32>| match (white, black) {
            (Some(white), Some(black)) => white < black,
            _ => false,
        };
        let same_colour =
            self.white.is_some() && other.white.is_some() || self.black.is_some() && other.black.is_some();
        near && (unpassed(self.white, other.black)
            || unpassed(other.white, self.black)
            || overlap && same_colour)
    }

    fn join(&mut self, other: &Chunk) {
        self.set |= other.set;
        self.files = (self.files.0.min(other.files.0), self.files.1.max(other.files.1));
        self.white = self.white.into_iter().chain(other.white).min();
        self.black = self.black.into_iter().chain(other.black).max();
    }
}

impl Rules for Pawns {
    type Board = PawnBoard;
    /// From, to.
    type Move = (u8, u8);

    fn info(&self) -> Info {
        Info {
            name: "pawns".into(),
            title: "Pawns",
            rules: "Chess pawns step (from their first rank also two squares), capture diagonally and en passant; who \
                    promotes a pawn wins everywhere at once. Who cannot move loses.",
            alphabet: &[
                ('P', "White's pawn (Left)"),
                ('p', "Black's pawn (Right)"),
                ('Q', "White's pawn, promoted"),
                ('q', "Black's pawn, promoted"),
            ],
            example: "8/ppp5/8/PPP5/8/8/8/8",
            impartial: false,
            loopy: false,
        }
    }
    fn read(&self, text: &str) -> Result<PawnBoard, BoardError> {
        read(text)
    }
    fn show(&self, at: &PawnBoard) -> String {
        show(at)
    }
    fn moves(
        &self,
        at: &PawnBoard,
        who: Player,
        emit: &mut impl FnMut((u8, u8)) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.global_win(at).is_some() {
            return ControlFlow::Continue(());
        }
        let enemy = at.pawns[who.opponent() as usize];
        let all = at.pawns[0] | at.pawns[1];
        for from in at.pawns[who as usize].cells() {
            let ahead = at.forward(who, from);
            for to in at.beside(ahead).cells() {
                let passed = at.passed >> to & 1 == 1 && at.passer(to).0 != who;
                if enemy >> to & 1 == 1 || passed {
                    emit((from as u8, to as u8))?;
                }
            }
            if all >> ahead & 1 == 0 {
                emit((from as u8, ahead as u8))?;
                if at.is_home(who, from) {
                    let two = at.forward(who, ahead);
                    if all >> two & 1 == 0 {
                        emit((from as u8, two as u8))?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }
    fn play(&self, at: &mut PawnBoard, who: Player, &(from, to): &(u8, u8)) {
        let (from, to) = (from as u32, to as u32);
        let enemy = who.opponent() as usize;
        let mut taken = 1u128 << to;
        if at.passed >> to & 1 == 1 && at.passer(to).0 != who {
            taken |= 1 << at.passer(to).1;
        }
        if at.passed != 0 {
            let chunk = at.chunk_sets().into_iter().find(|set| set >> from & 1 == 1).unwrap_or(0);
            at.passed &= !at.only(chunk).passed;
        }
        at.pawns[who as usize] ^= 1 << from | 1 << to;
        at.pawns[enemy] &= !taken;
        if from.abs_diff(to) == 2 * at.files as u32 && at.beside(to) & at.pawns[enemy] != 0 {
            at.passed |= 1 << at.forward(who, from);
        }
    }
    fn gesture(&self, at: &PawnBoard, _who: Player, &(from, to): &(u8, u8)) -> Vec<Spot> {
        vec![spot(at, from.into()), spot(at, to.into())]
    }
    fn scene(&self, at: &PawnBoard) -> Scene {
        let mut items = vec![];
        for rank in (0..at.ranks as u32).rev() {
            for file in 0..at.files as u32 {
                let square = rank * at.files as u32 + file;
                let (col, row) = (100 * file as i32, 100 * (at.ranks as u32 - 1 - rank) as i32);
                let letter = letter(at, square).unwrap_or('.');
                let paint = match letter {
                    'P' | 'Q' => Paint::Left,
                    'p' | 'q' => Paint::Right,
                    _ => Paint::Empty,
                };
                items.push(Item { spot: spot(at, square), shape: Shape::Square(col, row), letter, paint });
            }
        }
        Scene { items, look: Look::Checkered }
    }
    /// The chunks. A board that is won stays whole.
    fn parts(&self, at: &PawnBoard, emit: &mut impl FnMut(PawnBoard)) {
        self.regions(at, &mut |part, _| emit(part));
    }
    fn regions(&self, at: &PawnBoard, emit: &mut impl FnMut(PawnBoard, Vec<Spot>)) {
        if self.global_win(at).is_some() {
            let all = at.pawns[0] | at.pawns[1];
            return emit(*at, all.cells().map(|square| spot(at, square)).collect());
        }
        for set in at.chunk_sets() {
            emit(at.only(set), set.cells().map(|square| spot(at, square)).collect());
        }
    }
    /// The least of the images under mirroring and exchange of the players, without empty files at the sides.
    fn normalise(&self, at: PawnBoard) -> (PawnBoard, Sign) {
        let plain = at.cropped();
        let turned = plain.turned();
        let (plain, turned) = (plain.min(plain.mirrored()), turned.min(turned.mirrored()));
        if turned < plain { (turned, Sign::Minus) } else { (plain, Sign::Plus) }
    }
    gb_rules::has!(global_wins, heuristics, notation);
}

impl GlobalWins<PawnBoard> for Pawns {
    fn global_win(&self, at: &PawnBoard) -> Option<Player> {
        Player::BOTH.into_iter().find(|&who| at.pawns[who as usize] & at.last_rank(who) != 0)
    }
}

impl Heuristics<PawnBoard, (u8, u8)> for Pawns {
    /// Far pawns and captures first.
    fn order_score(&self, at: &PawnBoard, who: Player, &(from, to): &(u8, u8)) -> i32 {
        let rank = (to / at.files) as i32;
        let far = if who == Player::Left { rank } else { at.ranks as i32 - 1 - rank };
        2 * far + (from % at.files != to % at.files) as i32
    }
}

impl Notation<PawnBoard, (u8, u8)> for Pawns {
    fn move_text(&self, at: &PawnBoard, _who: Player, &(from, to): &(u8, u8)) -> Option<String> {
        let sideways = from % at.files != to % at.files;
        let last = at.last_rank(Player::Left) | at.last_rank(Player::Right);
        Some(format!(
            "{}{}{}{}",
            square_name(at, from.into()),
            if sideways { 'x' } else { '-' },
            square_name(at, to.into()),
            if last >> to & 1 == 1 { "Q" } else { "" }
        ))
    }
}

fn spot(at: &PawnBoard, square: u32) -> Spot {
    let (file, rank) = (square % at.files as u32, square / at.files as u32);
    Spot::Cell { row: at.ranks as u32 - 1 - rank, col: file }
}

/// `e4`: the letter of the file, the number of the rank counted from White's end.
fn square_name(at: &PawnBoard, square: u32) -> String {
    let (file, rank) = (square % at.files as u32, square / at.files as u32);
    format!("{}{}", column_name(file), rank + 1)
}

fn letter(at: &PawnBoard, square: u32) -> Option<char> {
    let who = Player::BOTH.into_iter().find(|&who| at.pawns[who as usize] >> square & 1 == 1)?;
    let promoted = at.last_rank(who) >> square & 1 == 1;
    Some(match (who, promoted) {
        (Player::Left, false) => 'P',
        (Player::Left, true) => 'Q',
        (Player::Right, false) => 'p',
        (Player::Right, true) => 'q',
    })
}

fn show(at: &PawnBoard) -> String {
    let mut rows = vec![];
    for rank in (0..at.ranks as u32).rev() {
        let mut row = String::new();
        let mut gap = 0;
        for file in 0..=at.files as u32 {
            let piece = (file < at.files as u32).then(|| letter(at, rank * at.files as u32 + file));
            if matches!(piece, Some(None)) {
                gap += 1;
                continue;
            }
            // FEN has digits only: a longer gap is written as several.
            while gap > 0 {
                row.push(char::from(b'0' + gap.min(9)));
                gap -= gap.min(9);
            }
            row.extend(piece.flatten());
        }
        rows.push(row);
    }
    let mut text = rows.join("/");
    for square in at.passed.cells() {
        text.push(' ');
        text.push_str(&square_name(at, square));
    }
    text
}

fn read(text: &str) -> Result<PawnBoard, BoardError> {
    let mut words = text.split_whitespace();
    let field = words.next().unwrap_or("");
    if field.is_empty() {
        return Err(BoardError::Empty {
            expected: "ranks separated by `/`, such as `8/pp6/8/8/PP6/8/8/8`".into(),
        });
    }
    let rows: Vec<&str> = field.split('/').collect();
    let width = |row: &str| row.chars().map(|c| c.to_digit(10).map_or(1, |d| d as usize)).sum::<usize>();
    let mut board = PawnBoard::empty(width(rows[0]), rows.len())?;
    for (index, row) in rows.iter().enumerate() {
        if width(row) != board.files as usize {
            return Err(BoardError::Ragged {
                row: index + 1,
                found: width(row),
                expected: board.files as usize,
            });
        }
        let mut file = 0;
        for found in row.chars() {
            let rank = rows.len() - 1 - index;
            let expected = |expected: &str| BoardError::Letter {
                row: index + 1,
                column: file + 1,
                found,
                expected: expected.to_string(),
            };
            match found {
                '1'..='9' => {
                    file += found as usize - '0' as usize;
                    continue;
                }
                'P' | 'p' if rank == 0 || rank == rows.len() - 1 => {
                    return Err(expected(
                        "no pawn on the first or on the last rank (a promoted one is `Q` or `q`)",
                    ));
                }
                'P' => board.put(Player::Left, file, rank),
                'p' => board.put(Player::Right, file, rank),
                'Q' if rank == rows.len() - 1 => board.put(Player::Left, file, rank),
                'q' if rank == 0 => board.put(Player::Right, file, rank),
                'Q' | 'q' => return Err(expected("promoted pawns on their last rank only")),
                'K' | 'k' => return Err(expected("pawns only (with kings it is the game `chess`)")),
                _ => {
                    return Err(expected(
                        "`P` (White's pawn), `p` (Black's pawn) or a number of empty squares",
                    ));
                }
            }
            file += 1;
        }
    }
    if Player::BOTH.into_iter().all(|who| board.pawns[who as usize] & board.last_rank(who) != 0) {
        return Err(BoardError::Invalid("both players have promoted a pawn: only one can have won".into()));
    }
    for word in words {
        mark(&mut board, word, text)?;
    }
    Ok(board)
}

/// Marks a square that a pawn has just passed.
fn mark(board: &mut PawnBoard, word: &str, text: &str) -> Result<(), BoardError> {
    let at = text.rfind(word).unwrap_or(0);
    let square = (0..board.count()).find(|&square| square_name(board, square) == word).ok_or_else(|| {
        BoardError::syntax(text, at, "a square where a pawn can be taken en passant, such as `e3`")
    })?;
    let all = board.pawns[0] | board.pawns[1];
    for who in Player::BOTH {
        let rank = square / board.files as u32;
        if rank != if who == Player::Left { 2 } else { board.ranks as u32 - 3 } {
            continue;
        }
        let (pawn, home) = (board.forward(who, square), board.forward(who.opponent(), square));
        let stepped = board.pawns[who as usize] >> pawn & 1 == 1 && (all >> home | all >> square) & 1 == 0;
        if stepped && board.beside(pawn) & board.pawns[who.opponent() as usize] != 0 {
            board.passed |= 1 << square;
            return Ok(());
        }
    }
    Err(BoardError::Invalid(format!(
        "`{word}`: no pawn can be taken en passant there (it must just have passed the square, and an enemy pawn must stand \
         beside it)"
    )))
}
