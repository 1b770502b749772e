//! Texts that are played misère, and triangles as graphs.

use gb_rules::{NoMisere, Player, Variant, with_game};
use gb_text::TextGame;
use gb_value::{Budget, Store};

use crate::game;
use crate::plain::Plain;

const NIM: &str = "game last-loses\nboard heap\nboth: n -> n-k where k in 1..n\nplay misere";

#[test]
fn who_cannot_move_is_stuck() {
    let text = TextGame::read(NIM, &[]).unwrap();
    let open = text.open(Variant::Plain, "2,1");
    let at = open.read("0,1").unwrap();
    assert_eq!(at.options(Player::Left), ["0,0"]);
    let over = open.read("0,0").unwrap().play(Player::Right, "stuck").unwrap();
    assert_eq!(over.show(), "0,0 (over)");
    assert!(Player::BOTH.into_iter().all(|who| over.options(who).is_empty()));
    assert_eq!(open.read(&over.show()).unwrap().show(), over.show());
    // The rules say that it is misère, and the name need not.
    assert_eq!(open.info().name, text.full_name());
    assert!(at.is_misere() && !text.derived().tabulated);
    assert_eq!(open.misere(true).unwrap_err(), NoMisere::Already);
}

/// Either player's moves, and then misère: a player who has no move of his own is not stuck.
#[test]
fn the_impartial_variant_is_played_misere() {
    let text =
        "game g\nboard strip\ncells . empty, x Left, o Right\nleft: x. -> ..\nright: o. -> ..\nplay misere";
    let open = TextGame::read(text, &[]).unwrap().open(Variant::Impartial, "x.");
    assert_eq!(open.read("x.").unwrap().options(Player::Right), [".."]);
    assert_eq!(open.read("..").unwrap().options(Player::Right), [".. (over)"]);
}

/// Triangles touch as the vertices of graphs that are drawn by hand.
#[test]
fn triangles_are_graphs() {
    let boards = [
        ("AVA|VAV", "6;0-1,1-2,3-4,4-5,0-3,2-5"),
        ("AV", "2;0-1"),
        ("A|V|A", "3;0-1"),
        ("AV|VA", "4;0-1,2-3,0-2"),
    ];
    for (triangles, graph) in boards {
        let (store, budget) = (Store::new(), Budget::unlimited());
        let kernel = store.kernel(&budget);
        let value = |name: &str, text: &str| {
            with_game!(game(name, &[]).open(Variant::Plain, text), game => {
                let at = game.read(text).unwrap();
                Plain::new(&*game, &kernel).value(&at).unwrap()
            })
        };
        assert_eq!(value("triangle-snort", triangles), value("graph-snort", graph), "{triangles}");
    }
}
