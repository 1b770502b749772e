//! Negatives and sums.
//!
//! **Number translation.** For a stopper G that is no number, G + x = {G^L + x | G^R + x}, as for short games: then x is added to
//! the values in G, and nothing is played through. Proof. Write T for the right-hand graph, x being added at its leaves. In
//! T - G - x the second player answers every move in T or -G by its mirror image. Let Right move from -x to -x^L, and
//! d = x - x^L > 0. Let LS and RS be the stops of G, where alternating play comes to a number, or to `on` or `off` where it comes to none. As G is no
//! number LS >= RS, or a number between them would be G. If LS is `on`, Left goes there and has moves for ever; if RS is `off`, she
//! does the same in -G. Otherwise she moves to some T^L with RS(T^L) = LS(T), and from then on keeps this: the right stops of the two
//! games with loops add up to x or more than that, and the number beside them exceeds -x. Where Right moves in one of them, she answers in
//! it, if it has not come to a number; where he moves in the number (it grows, and he can do so only finitely often) or a game has come to
//! one, she moves in a game that is none, whose left stop is no less than its right stop; and where both are numbers, the whole is
//! positive. So she survives, and by symmetry so does Right. Adding x keeps all comparisons, so canonical forms stay canonical.
//!
//! **Absorption.** over + e = over for every short infinitesimal e, and so under + e = under. Proof. Some n has -n.^ < e < n.^ (Siegel,
//! Combinatorial Game Theory, chapter II), so that e < over if n.^ <= over: Left, second in over + n.v, answers every move of Right's by
//! turning a v into *, or else a * into 0, or else over into 0. Each answer but the last lessens twice the number of v plus that of *, and no
//! move of Right's raises it, so the last move is hers. The same holds for -e. As over + over = over, over + e <= over and over - e <= over; e added to the second
//! is over <= over + e, because e - e = 0. With a number y beside it, y + e is short with both stops y.

use rustc_hash::FxHashMap;

use super::equations::{Equations, Opt};
use super::{Id, Node, SidedId, StopperId, Stoppers};
use crate::budget::Halt;
use crate::loopy::LoopyError;
use crate::player::Player;
use crate::value::Value;

impl Stoppers<'_, '_> {
    /// The negative of a stopper.
    pub fn neg(&mut self, game: StopperId) -> Result<StopperId, LoopyError> {
        Ok(StopperId(self.negative(game.0)?))
    }

    /// The negative of any game: its sides change places.
    pub fn neg_sides(&mut self, game: SidedId) -> Result<SidedId, LoopyError> {
        Ok(SidedId { onside: self.neg(game.offside)?, offside: self.neg(game.onside)? })
    }

    /// The sum of two stoppers, which need not be a stopper.
    pub fn plus(&mut self, a: SidedId, b: SidedId) -> Result<SidedId, LoopyError> {
        let onsides = self.plus_stoppers(a.onside.0, b.onside.0)?;
        if a.as_stopper().is_some() && b.as_stopper().is_some() {
            return Ok(onsides);
        }
        // Each side of a sum is that side of the sum of those sides.
        let offsides = self.plus_stoppers(a.offside.0, b.offside.0)?;
        Ok(SidedId { onside: onsides.onside, offside: offsides.offside })
    }

    pub(super) fn negative(&mut self, game: Id) -> Result<Id, LoopyError> {
        match game {
            Id::Short(value) => Ok(Id::Short(self.kernel.neg(value)?)),
            Id::Temp(_) => Ok(game),
            Id::Loop(_) => self.rebuild(game, true, &|kernel, value| kernel.neg(value)),
        }
    }

    /// A position with the players' places changed, other positions of its component being turned as well.
    pub(super) fn negative_node(&mut self, node: &Node) -> Result<Node, LoopyError> {
        let mut turned = Node::default();
        for who in Player::BOTH {
            for &option in node.of(who) {
                let option = self.negative(option)?;
                turned.sides[who.opponent() as usize].push(option);
            }
        }
        turned.tidy();
        Ok(turned)
    }

    /// A game with loops plus a number.
    pub(super) fn translate(&mut self, game: Id, number: Value) -> Result<Id, LoopyError> {
        if number == Value::ZERO {
            return Ok(game);
        }
        self.rebuild(game, false, &|kernel, value| kernel.add(value, number))
    }

    /// A canonical game with its values changed, and its players if `turn`; both in a way that keeps it canonical.
    fn rebuild(
        &mut self,
        game: Id,
        turn: bool,
        change: &dyn Fn(&crate::kernel::Kernel<'_>, Value) -> Result<Value, Halt>,
    ) -> Result<Id, LoopyError> {
        let mut places: FxHashMap<u32, u32> = FxHashMap::default();
        let mut games: Vec<u32> = vec![];
        let mut place = |at: u32, games: &mut Vec<u32>| {
            *places.entry(at).or_insert_with(|| {
                games.push(at);
                games.len() as u32 - 1
            })
        };
        let Id::Loop(root) = game else {
            return Err(LoopyError::NotStopper);
        };
        place(root, &mut games);
        let mut nodes: Vec<Node> = vec![];
        while let Some(&at) = games.get(nodes.len()) {
            let mut changed = Node::default();
            for who in Player::BOTH {
                let side = if turn { who.opponent() } else { who };
                self.work(1 + self.nodes[at as usize].of(who).len())?;
                for &option in self.nodes[at as usize].of(who) {
                    changed.sides[side as usize].push(match option {
                        Id::Short(value) => Id::Short(change(self.kernel, value)?),
                        Id::Loop(next) => Id::Temp(place(next, &mut games)),
                        Id::Temp(_) => option,
                    });
                }
            }
            changed.tidy();
            nodes.push(changed);
        }
        Ok(self.intern(nodes)?[0])
    }

    /// The sum of two values where that is one, or of a number and a game with loops.
    fn plus_at_once(&mut self, a: Id, b: Id) -> Result<Option<Id>, LoopyError> {
        Ok(match (a, b) {
            (Id::Short(x), Id::Short(y)) => match self.kernel.add(x, y) {
                Err(Halt::Loopy) => None,
                sum => Some(Id::Short(sum?)),
            },
            (Id::Short(x), game) | (game, Id::Short(x)) if self.kernel.is_number(x) => {
                Some(self.translate(game, x)?)
            }
            (Id::Short(x), game) | (game, Id::Short(x)) if self.absorbs_infinitesimals(game) => {
                match self.number_beside_infinitesimal(x)? {
                    Some(number) => Some(self.translate(game, number)?),
                    None => None,
                }
            }
            _ => None,
        })
    }

    /// Whether a game is `over` or `under`, or one of them and a number.
    fn absorbs_infinitesimals(&self, game: Id) -> bool {
        let Id::Loop(at) = game else { return false };
        let node = &self.nodes[at as usize];
        Player::BOTH.into_iter().any(|who| {
            matches!(node.of(who), &[Id::Short(x)] if self.kernel.is_number(x))
                && node.of(who.opponent()) == [game]
        })
    }

    /// The number from which a value without loops differs by an infinitesimal, if there is one.
    fn number_beside_infinitesimal(&self, value: Value) -> Result<Option<Value>, LoopyError> {
        if !self.kernel.is_short(value) {
            return Ok(None);
        }
        let (left, right) = (self.kernel.stop(value, Player::Left)?, self.kernel.stop(value, Player::Right)?);
        let (Some(left), Some(right)) = (left, right) else { return Ok(None) };
        Ok((left == right).then(|| self.kernel.number(&left)))
    }

    fn plus_stoppers(&mut self, a: Id, b: Id) -> Result<SidedId, LoopyError> {
        if let Some(sum) = self.plus_at_once(a, b)? {
            return Ok(StopperId(sum).into());
        }
        let mut places: FxHashMap<(Id, Id), u32> = FxHashMap::default();
        let mut pairs = vec![(a, b)];
        places.insert((a, b), 0);
        let mut graph = Equations::default();
        let mut charged = 0;
        while let Some(&(a, b)) = pairs.get(graph.len()) {
            let bytes = graph.bytes() + 64 * pairs.len() as u64;
            if bytes > charged + (1 << 18) {
                self.charge(bytes - charged)?;
                charged = bytes;
            }
            let mut sides = [vec![], vec![]];
            self.check_options(a)?;
            self.check_options(b)?;
            for who in Player::BOTH {
                let (in_a, in_b) = (self.listed(a, who)?, self.listed(b, who)?);
                let next = in_a.into_iter().map(|a| (a, b)).chain(in_b.into_iter().map(|b| (a, b)));
                for pair in next {
                    self.work(1)?;
                    let option = match self.plus_at_once(pair.0, pair.1)? {
                        Some(sum) => Opt::Known(StopperId(sum).into()),
                        None => Opt::Node(*places.entry(pair).or_insert_with(|| {
                            pairs.push(pair);
                            pairs.len() as u32 - 1
                        })),
                    };
                    sides[who as usize].push(option);
                }
            }
            graph.push(&sides[0], &sides[1]);
        }
        let sums = self.solve(&graph);
        self.release(charged);
        Ok(sums?[0])
    }
}
