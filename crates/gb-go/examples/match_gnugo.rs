//! Plays positions out against GNU Go, both colours: `match_gnugo FILE.sgf.. [--generated N]`.
//! Prints the predicted and the actual score of each game, positive for Black.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use gb_go::gtp::Session;
use gb_go::{Game, KoRule, Settings, analyse, sgf};
use gb_value::{Budget, Dyadic, Player, Store};

struct GnuGo {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl GnuGo {
    fn start() -> GnuGo {
        let mut child = Command::new("/usr/games/gnugo")
            .args(["--mode", "gtp", "--japanese-rules", "--never-resign", "--level", "10"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("gnugo is installed");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        GnuGo { child, input, output }
    }

    fn say(&mut self, command: &str) -> String {
        writeln!(self.input, "{command}").expect("gnugo listens");
        let mut answer = String::new();
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line).expect("gnugo answers") == 0 || line.trim().is_empty() {
                return answer.trim_start_matches(['=', '?']).trim().to_string();
            }
            answer += &line;
        }
    }
}

impl Drop for GnuGo {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn predicted(game: &Game) -> Option<[Dyadic; 2]> {
    let (store, budget) = (Store::new(), Budget::unlimited());
    analyse(&store.kernel(&budget), game, &Settings::default()).ok()?.score
}

/// The score of a game from `start`, with us as `us`.
fn play(start: &Game, us: Player) -> Option<Dyadic> {
    let mut gnugo = GnuGo::start();
    let board = &start.board;
    gnugo.say(&format!("boardsize {}", board.size()));
    gnugo.say("clear_board");
    for (point, stone) in board.points().filter_map(|p| board.at(p).map(|s| (p, s))) {
        let colour = if stone == Player::Left { "black" } else { "white" };
        gnugo.say(&format!("play {colour} {}", board.name(point)));
    }
    let mut session = Session::new(Settings::default(), Budget::unlimited);
    session.set_game(start.clone());
    let mut player = start.to_play;
    for _ in 0..400 {
        let colour = if player == Player::Left { "black" } else { "white" };
        let genmove = format!("genmove {colour}");
        let vertex = if player == us {
            let answer = session.answer(&genmove)?;
            let vertex = answer.trim_start_matches('=').trim().to_string();
            gnugo.say(&format!("play {colour} {vertex}"));
            vertex
        } else {
            let vertex = gnugo.say(&genmove);
            let answer = session.answer(&format!("play {colour} {vertex}"))?;
            assert!(answer.starts_with('='), "{vertex}: {answer}");
            vertex
        };
        if std::env::var_os("SHOW_MOVES").is_some() {
            eprintln!("{colour} {vertex}");
        }
        if session.game().is_over() {
            return predicted(session.game()).map(|score| score[session.game().to_play as usize].clone());
        }
        player = player.opponent();
    }
    None
}

/// Puts random stones into the open areas of a position, so that values are unpaired; `None` if that cannot be solved.
fn varied(game: &Game, seed: &mut u64) -> Option<Game> {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let analysis = analyse(&store.kernel(&budget), game, &Settings::default()).ok()?;
    let mut board = game.board.clone();
    for &point in analysis.areas.iter().flat_map(|area| &area.points) {
        *seed ^= *seed << 13;
        *seed ^= *seed >> 7;
        *seed ^= *seed << 17;
        board.set(
            point,
            match *seed >> 20 & 15 {
                0..2 => Some(Player::Left),
                2..4 => Some(Player::Right),
                _ => None,
            },
        );
    }
    let sound = board.points().all(|p| board.at(p).is_none() || !board.block(p).liberties.is_empty());
    let varied = Game::new(board, game.to_play, KoRule::Simple);
    (sound && predicted(&varied).is_some()).then_some(varied)
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let generated: usize = arguments
        .iter()
        .position(|a| a == "--generated")
        .and_then(|i| arguments.get(i + 1)?.parse().ok())
        .unwrap_or(0);
    let files = arguments.iter().take_while(|a| *a != "--generated");
    let mut games: Vec<(String, Game)> = files
        .map(|f| (f.clone(), sgf::read(&std::fs::read_to_string(f).expect("a file")).expect("a record")))
        .collect();
    let (mut seed, base) = (0x5EED_CAFE, games[0].1.clone());
    while games.len() < generated + arguments.iter().take_while(|a| *a != "--generated").count() {
        if let Some(game) = varied(&base, &mut seed) {
            games.push((format!("generated {}", games.len()), game));
        }
    }
    println!("position\tours\tpredicted\tresult\tgained");
    for (name, game) in games {
        let score = predicted(&game).expect("a solved position");
        for us in Player::BOTH {
            let expected = &score[game.to_play as usize];
            match play(&game, us) {
                Some(result) => {
                    let gained = if us == Player::Left { &result - expected } else { expected - &result };
                    println!("{name}\t{us}\t{expected}\t{result}\t{gained}");
                }
                None => println!("{name}\t{us}\t{expected}\tunfinished\t"),
            }
        }
    }
}
