//! What Go players call an endgame: gote, sente, reverse sente, double sente.

use gb_value::{Dyadic, Player, Thermograph};

/// Who keeps the initiative by playing in an area.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Nobody gains by moving.
    Settled,
    /// Nobody gains by moving, and stones of both colours stay there that are not one player's for good.
    Seki,
    /// A neutral point, or an infinitesimal: nobody gains a point.
    Neutral,
    /// Whoever moves loses the initiative.
    Gote,
    /// The player's move has to be answered; for the other one, moving there first is reverse sente.
    Sente(Player),
    /// Either player's move has to be answered.
    DoubleSente,
}

impl Kind {
    /// The kind of a game, by its thermograph.
    ///
    /// A vertical wall means that the move is answered: it is that player's sente if his wall is vertical just below the
    /// temperature. It is a double sente if both walls are vertical at the temperature that the game would have without
    /// threats, half the difference of its stops; it may well be gote in still hotter surroundings.
    pub fn of(graph: &Thermograph) -> Kind {
        let temperature = graph.temperature();
        if temperature.signum() < 0 {
            return Kind::Settled;
        }
        let (left_stop, right_stop) = (graph.left_stop(), graph.right_stop());
        if left_stop == right_stop {
            return Kind::Neutral;
        }
        let calm: Dyadic = (left_stop - right_stop).half();
        let (left, right) = (graph.left_wall(), graph.right_wall());
        if left.at(&calm) == graph.left_stop() && right.at(&calm) == graph.right_stop() {
            return Kind::DoubleSente;
        }
        let is_vertical_at_the_top = |corners: &[gb_value::Corner]| {
            corners.last().is_none_or(|corner| corner.temperature < temperature)
        };
        if is_vertical_at_the_top(left.corners()) {
            Kind::Sente(Player::Left)
        } else if is_vertical_at_the_top(right.corners()) {
            Kind::Sente(Player::Right)
        } else {
            Kind::Gote
        }
    }

    /// What the move of a player is called.
    pub fn of_move(self, player: Player) -> &'static str {
        match self {
            Kind::Settled => "settled",
            Kind::Seki => "seki",
            Kind::Neutral => "neutral",
            Kind::Gote => "gote",
            Kind::Sente(owner) if owner == player => "sente",
            Kind::Sente(_) => "reverse sente",
            Kind::DoubleSente => "double sente",
        }
    }

    /// The name, with both players' points of view where they differ.
    pub fn text(self) -> &'static str {
        match self {
            Kind::Sente(Player::Left) => "Black's sente, White's reverse sente",
            Kind::Sente(Player::Right) => "White's sente, Black's reverse sente",
            other => other.of_move(Player::Left),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gb_value::{Budget, Store};

    #[test]
    fn the_usual_examples() {
        let (store, budget) = (Store::new(), Budget::unlimited());
        let kernel = store.kernel(&budget);
        for (text, kind) in [
            ("4|0", Kind::Gote),
            ("9||8|0", Kind::Sente(Player::Right)),
            ("22|4||0", Kind::Sente(Player::Left)),
            ("10|-3||-5", Kind::Sente(Player::Left)),
            ("13|4||0|-11", Kind::DoubleSente),
            ("14|2|||-2||-14|-16", Kind::DoubleSente),
            ("100002|4||0|-100000", Kind::DoubleSente),
            ("3|||2||1|*", Kind::Gote),
            ("*", Kind::Neutral),
            ("^", Kind::Neutral),
            ("3", Kind::Settled),
            ("1/2", Kind::Settled),
        ] {
            let value = kernel.read(text).unwrap();
            assert_eq!(Kind::of(&kernel.thermograph(value).unwrap()), kind, "{text}");
        }
        assert_eq!(Kind::Sente(Player::Left).of_move(Player::Right), "reverse sente");
    }
}
