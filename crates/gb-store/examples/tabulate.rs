//! Builds a table without the command line: `tabulate clobber 4x4 FOLDER` or `tabulate domineering 12 FOLDER`.

use std::path::Path;
use std::time::Instant;

use gb_board::Size;
use gb_game::{GameName, GameVisitor, Rules};
use gb_store::{GridGame, HiddenTypes, Scope, Settings, build};
use gb_value::{Budget, Store};

struct Hide;

impl GameVisitor for Hide {
    type Out = Box<dyn GridGame>;
    fn visit<R: Rules>(self, rules: R) -> Self::Out {
        Box::new(HiddenTypes::new(rules).expect("a game on grids"))
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, game, size, folder] = &arguments[..] else { panic!("tabulate GAME SIZE FOLDER") };
    let scope = match Size::read(size).expect("a size") {
        Size::Grid(rows, cols) => Scope::Boards(rows, cols),
        Size::Length(cells) => Scope::Parts(cells),
    };
    let game = gb_games::visit(&GameName::read(game).expect("a name"), "8x8", Hide).expect("a game");
    let (store, budget) = (Store::new(), Budget::unlimited());
    let settings = Settings { threads: 2, ..Settings::default() };
    let start = Instant::now();
    let built = build(&*game, scope, Path::new(folder), &store, &budget, &settings, &|progress| {
        if progress.boards % 7 == 0 {
            eprint!("\r{} of {}, {} facts ", progress.boards, progress.total, progress.facts);
        }
    });
    let bytes = std::fs::metadata(built.as_ref().expect("built").path.clone()).expect("a file").len();
    println!(
        "\n{:?} {:.2} s, {bytes} bytes, store {} MB",
        built.expect("built"),
        start.elapsed().as_secs_f64(),
        store.bytes() >> 20
    );
}
