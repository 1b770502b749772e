use super::*;

struct List;

impl Catalog for List {
    fn open(&self, game: &str, text: &str) -> Result<AnyGame, NameError> {
        gb_games::open(game, text)
    }
}

fn session(game: &str, position: &str) -> Session {
    Session::open(Arc::new(List), game, position).unwrap()
}

fn play(session: &mut Session, moves: &str) {
    for text in moves.split(' ') {
        session.play(text).unwrap();
    }
}

fn error(session: &mut Session, command: Command) -> String {
    let before = (session.record(), session.at());
    let sentence = session.apply(command).unwrap_err().to_string();
    assert_eq!((session.record(), session.at()), before, "nothing changes with an error");
    sentence
}

/// What is shown at every node.
fn all(session: &mut Session) -> Vec<(String, String, String, Option<String>)> {
    let mut seen = vec![];
    for id in session.tree().walk() {
        session.apply(Command::Go { node: id.0 }).unwrap();
        let view = session.view();
        let label = view.tree.iter().find(|n| n.id == id.0).unwrap().label.clone();
        seen.push((view.position, label, format!("{} {}", view.to_play, view.comment), view.ended));
    }
    seen
}

fn reopened(session: &Session) -> Session {
    Session::from_record(Arc::new(List), &session.record()).unwrap()
}

#[test]
fn a_game_with_variations_is_kept_whole() {
    let mut game = session("domineering", "3x3");
    play(&mut game, "a1-a2 b1-c1 b2-b3");
    assert_eq!(game.view().ended.as_deref(), Some("Right has no move: Left wins."));
    game.apply(Command::Comment { text: "too soon [really] \\ yes".into() }).unwrap();
    game.apply(Command::Back {}).unwrap();
    play(&mut game, "B2-B3");
    assert_eq!(game.tree().len(), 4, "a move that was tried is not noted twice");
    game.apply(Command::Back {}).unwrap();
    play(&mut game, "c2-c3");
    game.apply(Command::Mark { spot: "a3".into(), text: "!".into() }).unwrap();
    game.apply(Command::Note { value: "1/2".into() }).unwrap();
    game.apply(Command::First {}).unwrap();
    game.apply(Command::ToPlay { player: Player::Right }).unwrap();
    play(&mut game, "a1-b1");
    assert_eq!(
        game.tree().node(game.at()).parent.map(|id| id.0),
        Some(5),
        "its own node, because play began here"
    );
    let mut again = reopened(&game);
    assert_eq!(all(&mut again), all(&mut game));
    assert_eq!(again.record(), game.record());
}

#[test]
fn every_game_of_the_list_is_played_and_kept() {
    for name in gb_games::NAMES {
        let info = gb_games::info(name).unwrap();
        let mut game = session(&info.name, "");
        for _ in 0..6 {
            let Some(mv) = game.view().moves.into_iter().next() else { break };
            game.play(&mv.text).unwrap();
            if let Some(other) = game.view().moves.into_iter().last() {
                game.play(&other.text).unwrap();
                game.apply(Command::Back {}).unwrap();
            }
        }
        let mut again = reopened(&game);
        assert_eq!(all(&mut again), all(&mut game), "{name}");
    }
}

#[test]
fn whose_turn_it_is_comes_from_the_position_if_it_says_so() {
    assert_eq!(session("chess", "8/8/8/4k3/4Pp2/5K2/8/8 b - - 0 1").view().to_play, Player::Right);
    assert_eq!(session("clobber", "xo").view().to_play, Player::Left);
}

#[test]
fn positions_are_set_up_in_place_until_play_goes_on() {
    let mut game = session("clobber", "xo|ox");
    let setup = |text: &str| Command::Setup { position: text.into() };
    game.apply(setup("xx|oo")).unwrap();
    assert_eq!((game.tree().len(), game.view().position.as_str()), (1, "xx|oo"));
    play(&mut game, "a1-a2");
    game.apply(setup("x.|oo")).unwrap();
    game.apply(setup("xo|..")).unwrap();
    assert_eq!((game.tree().len(), game.view().position.as_str()), (3, "xo|.."));
    let mut again = reopened(&game);
    assert_eq!(all(&mut again), all(&mut game));
    game.apply(Command::Delete {}).unwrap();
    assert_eq!(game.view().tree.len(), 2);
}

#[test]
fn points_are_counted_along_the_line() {
    let mut game = session("regio", "..|..");
    while let Some(mv) = game.view().moves.first() {
        game.play(&mv.text.clone()).unwrap();
    }
    let view = game.view();
    assert!(view.points.is_some());
    assert!(view.ended.unwrap().starts_with("The game is over"));
}

#[test]
fn wrong_commands_are_explained() {
    let mut game = session("clobber", "xo");
    let open = |game: &str, position: &str| Command::Open { game: game.into(), position: position.into() };
    assert_eq!(error(&mut game, open("clober", "")), "there is no game `clober`; did you mean `clobber`?");
    assert!(error(&mut game, open("clobber", "xz")).contains('z'));
    assert!(error(&mut game, Command::Play { text: "a1-c1".into() }).contains("did you mean"));
    assert_eq!(error(&mut game, Command::Go { node: 7 }), "there is no node 7 in this tree");
    let long = "x".repeat(MAX_COMMENT + 1);
    assert_eq!(error(&mut game, Command::Comment { text: long }), "the comment is too long: at most 20000");
    let record = |text: &str| Command::OpenRecord { record: text.into() };
    let illegal = "(;GAME[clobber]POS[xo]\n;B[a1-b1];W[b1-a1])";
    assert_eq!(error(&mut game, record(illegal)), "line 2, column 10: Right has no move at all here");
    assert!(error(&mut game, record("(;GM[2])")).contains("which game is this?"));
    assert!(error(&mut game, record("(;GAME[clober])")).starts_with("line 1, column 2: there is no game"));
}

#[test]
fn commands_are_plain_data() {
    let read = |text: &str| serde_json::from_str::<Command>(text);
    assert_eq!(read(r#"{"command":"back"}"#).unwrap(), Command::Back {});
    let to_play = r#"{"command":"to-play","player":"right"}"#;
    assert_eq!(read(to_play).unwrap(), Command::ToPlay { player: Player::Right });
    assert!(read(r#"{"command":"back","x":1}"#).unwrap_err().to_string().contains("unknown field"));
    assert!(read(r#"{"command":"play"}"#).is_err());
    assert!(read(r#"{"command":"to-play","player":"up"}"#).unwrap_err().to_string().contains("no player"));
}

#[test]
fn a_tree_cannot_grow_for_ever() {
    let mut record = String::from("(;GAME[nim]POS[1]");
    record.push_str(&";C[x]".repeat(MAX_NODES - 1));
    record.push(')');
    let mut game = Session::from_record(Arc::new(List), &record).unwrap();
    game.apply(Command::Last {}).unwrap();
    let full = error(&mut game, Command::Play { text: "a1".into() });
    assert_eq!(full, "the tree of moves is too long: at most 5000");
}
