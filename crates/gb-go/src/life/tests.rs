//! Zones against plain search.

use std::collections::HashSet;

use gb_board::Xorshift;
use gb_value::Player;

use super::*;
use crate::benson::Surroundings;
use crate::board::{Board, Point};
use crate::field::Bordering;

/// Plain search without zones, pairs and parts: the owner has to go on until all that is left is between stones that live
/// whatever happens and leaves no room for two eyes.
struct Plain<'a> {
    field: &'a Field,
    proven: HashSet<State>,
    seen: HashSet<State>,
    left: usize,
}

impl Plain<'_> {
    fn keeps(&mut self, state: State) -> Option<bool> {
        loop {
            let known = self.proven.len();
            self.seen.clear();
            if self.holds(state)? {
                return Some(true);
            }
            if self.proven.len() == known {
                return Some(false);
            }
        }
    }

    fn holds(&mut self, state: State) -> Option<bool> {
        let (part, owner_to_move) = state;
        if self.field.is_lost(&part, owner_to_move) {
            return Some(false);
        }
        if self.proven.contains(&state) || !owner_to_move && self.field.split(&part, false).is_empty() {
            return Some(true);
        }
        if !self.seen.insert(state) {
            return Some(false);
        }
        self.left = self.left.checked_sub(1)?;
        let moves = bits(self.field.empties(&part))
            .filter_map(|vertex| self.field.place(&part, vertex, owner_to_move))
            .collect::<Vec<Part>>();
        let may_pass = owner_to_move || part.foe != 0;
        let mut result = !owner_to_move;
        for after in moves.into_iter().chain(may_pass.then_some(part)) {
            if self.holds((after, !owner_to_move))? == owner_to_move {
                result = owner_to_move;
                break;
            }
        }
        if result {
            self.proven.insert(state);
        }
        Some(result)
    }
}

/// A board full of one colour, out of which a room is cut, with some opposing stones in it.
fn room(random: &mut Xorshift) -> Board {
    let size = 4 + random.below(2);
    let mut board = Board::new(size);
    board.points().for_each(|p| board.set(p, Some(Player::Left)));
    let mut at = random.below(size * size) as Point;
    for _ in 0..6 + random.below(10) {
        let stone = if random.below(5) == 0 { Some(Player::Right) } else { None };
        board.set(at, stone);
        let next: Vec<Point> = board.neighbours(at).collect();
        at = next[random.below(next.len())];
    }
    for point in board.points() {
        if board.at(point) == Some(Player::Right) && board.block(point).liberties.is_empty() {
            board.set(point, None);
        }
    }
    board
}

/// Every stone has a liberty, or is held.
fn is_legal(field: &Field, part: &Part) -> bool {
    let empties = field.empties(part);
    let has_room = |block: u64| field.grown(block) & empties != 0;
    field.components(part.foe).all(has_room)
        && field.components(part.own).all(|block| block & (part.wall | part.guests) != 0 || has_room(block))
}

/// What inspection finds by counting eyes (see `eyes`) holds out against plain search.
#[test]
fn rooms_without_two_eyes_are_kept() {
    let is_long = std::env::var("GB_LONG_TESTS").is_ok();
    let mut random = Xorshift(if is_long { 0x5EED_3042 } else { 0x5EED_3041 });
    let (mut looked_at, mut skipped, mut claims) = (0, 0, [0; 2]);
    for _ in 0..if is_long { 400_000 } else { 20_000 } {
        let board = room(&mut random);
        let around = Surroundings::new(&board, Player::Left);
        let Some(region) = around.regions.first() else { continue };
        let Some(field) = Field::new(&board, &region.points, &[], |p| board.at(p) == Some(Player::Left))
        else {
            continue;
        };
        // Some moves of both, so that there are stones of all kinds.
        let mut part = field.start;
        for by_owner in (0..random.below(5)).map(|n| n % 2 == 1) {
            let empties: Vec<usize> = bits(field.empties(&part)).collect();
            if let Some(&vertex) = empties.get(random.below(12)) {
                part = field.place(&part, vertex, by_owner).unwrap_or(part);
            }
        }
        looked_at += 1;
        if field.inspect(&part, false).0 == 0 || field.inspect(&part, true).0 != 0 {
            continue;
        }
        let has_stones = part.foe != 0;
        claims[usize::from(has_stones)] += 1;
        let (proven, seen) = Default::default();
        let mut plain = Plain { field: &field, proven, seen, left: 400_000 };
        match plain.keeps((part, false)) {
            Some(kept) => assert!(kept, "\n{board}\n{:?}\n{part:?}", field.points),
            None => skipped += 1,
        }
    }
    println!("{looked_at} rooms, claims without and with stones {claims:?}, {skipped} skipped");
    assert!(claims[0] > 0 && claims[1] > 300, "{claims:?}");
}

/// Each proof is tried on positions that look like the proven one in its zone, and differ elsewhere.
#[test]
fn zones_are_all_that_proofs_rely_on() {
    let is_long = std::env::var("GB_LONG_TESTS").is_ok();
    let mut random = Xorshift(if is_long { 0x5EED_2042 } else { 0x5EED_2041 });
    let (mut fields, mut same, mut other, mut skipped) = (0, 0, 0, 0);
    for _ in 0..if is_long { 60_000 } else { 4_000 } {
        let board = room(&mut random);
        let around = Surroundings::new(&board, Player::Left);
        let Some(region) = around.regions.first().filter(|region| region.empties.len() <= 9) else {
            continue;
        };
        let roles: Vec<usize> = region.border.iter().map(|_| random.below(4)).collect();
        let blocks: Vec<Bordering<'_>> = region
            .border
            .iter()
            .zip(&roles)
            .filter(|(_, role)| **role != 0)
            .map(|(&b, &role)| Bordering { stones: &around.blocks[b].stones, has_eye: role == 1 })
            .collect();
        let block_of = around.block_of(&board);
        let is_wall = |p: Point| {
            block_of[p as usize].is_some_and(|block| {
                region.border.iter().zip(&roles).any(|(&b, &role)| b == block && role == 0)
            })
        };
        let Some(field) = Field::new(&board, &region.points, &blocks, is_wall) else { continue };
        let budget = Budget::unlimited();
        let mut life = Life::new(&field, &budget, 3_000, false);
        life.keeps().unwrap();
        fields += 1;
        let mut frames: Vec<(&Frame, &Vec<(u64, u64)>)> = life.patterns.iter().collect();
        frames.sort_by_key(|((part, owner), _)| (part.points, part.own, part.wall, part.guests, *owner));
        let mut plain = Plain { field: &field, proven: HashSet::new(), seen: HashSet::new(), left: 0 };
        for _ in 0..if frames.is_empty() { 0 } else { 12 } {
            let ((frame, owner_to_move), patterns) = frames[random.below(frames.len())];
            let (zone, foe) = patterns[random.below(patterns.len())];
            let free = frame.points & !frame.own & !zone;
            let outside = bits(free).fold(0u64, |set, v| set | u64::from(random.below(2) == 0) << v);
            let part = Part { foe: foe | outside, ..*frame };
            if !is_legal(&field, &part) || field.is_lost(&part, *owner_to_move) {
                continue;
            }
            plain.left = 40_000;
            match plain.keeps((part, *owner_to_move)) {
                Some(kept) => {
                    assert!(kept, "\n{board}\n{:?}\n{part:?} zone {zone:b} {owner_to_move}", field.points)
                }
                None => skipped += 1,
            }
            if free == 0 { same += 1 } else { other += 1 }
        }
    }
    println!("{fields} fields, {same} proofs as they are, {other} elsewhere different, {skipped} skipped");
    assert!(other > 1_000, "{other}");
}
