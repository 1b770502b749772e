//! Certificates are accepted if they are what the prover wrote, and refused if anything that matters is changed.

use gb_board::Random;
use gb_proof::{Checked, Claim, ProofContext, ProofError, Proved, Scratch, Sizes, Want, check, prove};
use gb_rules::conformance::boards_below;
use gb_rules::{Player, with_game};
use gb_search::{AnySolved, SearchContext};
use gb_value::loopy::Ending;
use gb_value::{Budget, Store, Value};

mod mutations;
mod whole;

fn proved(name: &str, boards: &[&str], want: Want) -> Result<(Proved, String), ProofError> {
    proved_as(name, boards, want, &Sizes::default())
}

/// Small boards are proved as large ones are.
const TINY: Sizes =
    Sizes { valued_size: 3, valued_size_for_values: 4, most_values: 20, most_values_of_all: 5 };

fn proved_as(name: &str, boards: &[&str], want: Want, sizes: &Sizes) -> Result<(Proved, String), ProofError> {
    proved_within(&Budget::unlimited(), None, name, boards, want, sizes)
}

fn proved_within(
    budget: &Budget,
    scratch: Option<&Scratch<'_>>,
    name: &str,
    boards: &[&str],
    want: Want,
    sizes: &Sizes,
) -> Result<(Proved, String), ProofError> {
    let store = Store::new();
    let search = SearchContext::new(&store, budget);
    let context = ProofContext { search: &search, sizes, scratch };
    let solved = AnySolved::from(gb_games::open(name, boards[0]).unwrap());
    let texts: Vec<String> = boards.iter().map(|text| (*text).to_owned()).collect();
    let mut out = vec![];
    let head = [format!("game {name} {}", boards[0].replace(' ', "_"))];
    let proved = prove(&solved, &head, (&texts, Value::ZERO), want, &context, &mut out)?;
    let text = String::from_utf8(out).unwrap();
    assert_eq!((proved.lines, proved.bytes), (text.lines().count() as u64, text.len() as u64));
    Ok((proved, text))
}

fn checked(certificate: &str) -> Result<Checked, ProofError> {
    let (store, budget) = (Store::new(), Budget::unlimited());
    let open = |head: &[String]| {
        let line = head.first().and_then(|line| line.strip_prefix("game ")).ok_or("no game")?;
        let (name, sample) = line.split_once(' ').ok_or("no board")?;
        Ok(gb_games::open(name, &sample.replace('_', " "))?)
    };
    check(certificate.as_bytes(), &open, &store.kernel(&budget), None)
}

const STARTS: &[(&str, &str)] = &[
    ("domineering", "....|....|...."),
    ("cram", "....|....|...."),
    ("clobber", "xoxo|oxox|xoxo"),
    ("nogo", "...|...|..."),
    ("snort", "...|...|..."),
    ("col", "...|...|..."),
    ("nim", "3,5"),
    ("octal(0.77)", "9"),
    ("amazons", "x..|...|..o"),
    ("konane", "xoxo|ox.x|xoxo"),
    ("hackenbush", "0-1B,1-2R,2-3G,1-3R,0-4G,4-5B"),
    ("toppling-dominoes", "xoxxoxo"),
    ("toads-and-frogs", "ttt..fff"),
    ("impartial(clobber)", "xoxo|oxox"),
    ("negative(domineering)", "...|..."),
    ("cutcake", "3x5"),
];

/// What does not fit into memory goes into files, and the proof says the same and is accepted.
#[test]
fn facts_on_disk_prove_the_same() {
    let made = std::cell::Cell::new(0);
    let scratch = || {
        made.set(made.get() + 1);
        let path =
            std::env::temp_dir().join(format!("gamebench-facts-{}-{}", std::process::id(), made.get()));
        let file = std::fs::File::options().read(true).write(true).create_new(true).open(&path)?;
        std::fs::remove_file(path)?;
        Ok(file)
    };
    // In tests only values and tables count for the limit, which is as low as they allow.
    let budget = Budget::unlimited().with_bytes(3 << 18);
    for (name, start) in STARTS {
        for want in [Want::Outcome, Want::Value] {
            let (in_memory, _) = proved_as(name, &[start], want, &TINY).unwrap();
            let on_disk = proved_within(&budget, Some(&scratch), name, &[start], want, &TINY);
            let (on_disk, certificate) = on_disk.unwrap_or_else(|error| panic!("{name} {start}: {error}"));
            assert_eq!(on_disk.claims, in_memory.claims, "{name} {start}");
            assert_eq!(checked(&certificate).unwrap().claims, on_disk.claims, "{name} {start}");
        }
    }
    assert!(made.get() > 20, "{} files", made.get());
}

/// Values and outcomes of boards that play comes to are proved, accepted, and what the engine says.
#[test]
fn what_is_proved_is_accepted_and_true() {
    let mut random = Random::new(24, 1);
    let mut compared = 0;
    for (name, start) in STARTS {
        let texts: Vec<String> = with_game!(gb_games::open(name, start).unwrap(), game => {
            let boards = boards_below(&*game, &[game.read(start).unwrap()], 3_000);
            (0..12).map(|_| game.show(&boards[random.index(boards.len() as u32) as usize])).collect()
        });
        for text in texts.iter().map(String::as_str).chain([*start]) {
            let (store, budget) = (Store::new(), Budget::unlimited());
            let context = SearchContext::new(&store, &budget);
            let solved = AnySolved::from(gb_games::open(name, start).unwrap());
            let key = *solved.game().read(text).unwrap().key();
            let value = solved.value(&key, &context).unwrap();
            let winners = solved.winners(&key, &context);

            let shown = store.kernel(&budget).show(value, &Default::default()).unwrap().to_string();
            for sizes in [&Sizes::default(), &TINY] {
                let (proof, certificate) = proved_as(name, &[text], Want::Value, sizes).unwrap();
                let accepted =
                    checked(&certificate).unwrap_or_else(|e| panic!("{name} {text}: {e}\n{certificate}"));
                assert_eq!(accepted.claims, proof.claims);
                let claim = Claim::Value { sum: text.into(), value: shown.clone() };
                assert_eq!(accepted.claims, [claim], "{name}");
            }

            let (proof, certificate) = proved(name, &[text], Want::Outcome).unwrap();
            let accepted =
                checked(&certificate).unwrap_or_else(|e| panic!("{name} {text}: {e}\n{certificate}"));
            assert_eq!(accepted.claims, proof.claims);
            for (claim, first) in accepted.claims.iter().zip(Player::BOTH) {
                let winner = match claim {
                    Claim::Wins { first: who, .. } if *who == first => first,
                    Claim::Loses { first: who, .. } if *who == first => first.opponent(),
                    other => panic!("{other}"),
                };
                assert_eq!(winners.ending(first), Ok(Ending::won_by(winner)), "{name} {text}");
            }
            compared += 1;
        }
    }
    assert_eq!(compared, 13 * STARTS.len());
}

/// What is not true is not proved.
#[test]
fn nothing_false_is_proved() {
    let one = Value::ZERO;
    let error = proved("domineering", &[".|."], Want::AtMost(one)).unwrap_err();
    assert!(matches!(error, ProofError::NotTrue(_)), "{error}");
    proved("domineering", &[".|."], Want::AtLeast(one)).unwrap();
    let error = proved("fox-and-geese", &["x.o|.x.|x.."], Want::Value).unwrap_err();
    assert!(
        error.to_string().starts_with("fox-and-geese can repeat or be won everywhere at once: "),
        "{error}"
    );
    let error = proved("misere(nim)", &["2,3"], Want::Outcome).unwrap_err();
    assert!(error.to_string().starts_with("in misere(nim) who cannot move wins"), "{error}");
}
