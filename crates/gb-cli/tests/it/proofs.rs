//! Certificates: proved and checked by commands, and by the checker that shares nothing with us.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::gamebench;

fn file(folder: &Path, name: &str) -> (PathBuf, String) {
    let path = folder.join(name);
    let text = path.to_str().expect("UTF-8").to_owned();
    (path, text)
}

/// What `checker/check.py` says: what is proved, or that it was refused. `None` without Python.
fn check_py(path: &Path) -> Option<Result<String, String>> {
    ask_python("check.py", path)
}

fn ask_python(checker: &str, path: &Path) -> Option<Result<String, String>> {
    let checker = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../checker").join(checker);
    let run = match Command::new("python3").arg(checker).arg(path).output() {
        Ok(run) => run,
        Err(_) => {
            eprintln!("skipped: python3 is not installed");
            return None;
        }
    };
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    let (out, err) = (text(run.stdout), text(run.stderr));
    Some(if run.status.success() {
        Ok(out)
    } else {
        assert!(err.starts_with("refused: "), "{err}");
        Err(err)
    })
}

#[test]
fn both_checkers_accept_what_is_proved() {
    let folder = tempfile::tempdir().expect("a folder");
    for (sum, goal, claims) in [
        ("col 2x3", "--outcome", 2),
        ("snort 2x3", "--outcome", 2),
        ("domineering 3x4", "--value", 1),
        ("domineering 4x4", "--outcome", 2),
        ("cram 3x4", "--nimber", 1),
        ("clobber 3x4", "--value", 1),
        ("clobber xoxo|oxox + clobber xox.|.xoo", "--outcome", 2),
        ("nogo 3x3", "--outcome", 2),
        ("snort 3x3", "--value", 1),
        ("col 3x3", "--outcome", 2),
        ("nim 3,5,9", "--nimber", 1),
        ("octal(0.77) 60", "--nimber", 1),
        ("octal(4.7) 11", "--value", 1),
        ("kayles 20 + cram 2x3 + *2", "--nimber", 1),
        ("cram 3x4 + ^", "--outcome", 2),
        ("nim 2,3 + cram 2x3 + -1/2", "--outcome", 2),
        ("clobber xoxo|oxox + domineering 3x3 + nim 3 + ^*", "--outcome", 2),
    ] {
        let (path, name) = file(folder.path(), "proof");
        let ran = gamebench(&["prove", sum, goal, "--out", &name], "");
        assert_eq!(ran.code, Some(0), "{sum}: {}", ran.err);
        let proved: Vec<&str> = ran.out.lines().filter(|line| line.starts_with("proved: ")).collect();
        assert_eq!(proved.len(), claims, "{sum}");
        let checked = gamebench(&["check", &name], "");
        assert_eq!(checked.code, Some(0), "{sum}: {}", checked.err);
        assert_eq!(
            checked.out.lines().filter(|line| line.starts_with("proved: ")).collect::<Vec<_>>(),
            proved
        );
        if let Some(said) = check_py(&path) {
            assert_eq!(said.unwrap_or_else(|e| panic!("{sum}: {e}")).lines().count(), claims, "{sum}");
        }
    }
}

/// Boards that repeat or are won everywhere at once, in files when memory is short as well, and by the checker for them.
#[test]
fn whole_boards_are_proved_and_accepted() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, name) = file(folder.path(), "proof");
    for (sum, verdict) in [
        ("fox-and-geese 4x4", "Left, moving first, wins "),
        ("pawns 8/1p5p/p7/8/8/7P/PP6/8", "Left, moving first, wins "),
        ("pawns 4/1p1p/4/4/4/P1P1/4", "Left, moving first, wins "),
    ] {
        let ran = gamebench(&["prove", sum, "--outcome", "--out", &name], "");
        assert_eq!(ran.code, Some(0), "{sum}: {}", ran.err);
        assert!(ran.out.starts_with(&format!("proved: {verdict}")), "{}", ran.out);
        let checked = gamebench(&["check", &name], "");
        assert_eq!(checked.out.lines().next(), ran.out.lines().next(), "{}", checked.err);
        if let Some(said) = ask_python("whole.py", &path) {
            assert_eq!(said.unwrap_or_else(|e| panic!("{sum}: {e}")).lines().count(), 2, "{sum}");
        }
    }
}

/// A line that is left out or changed: whatever still passes says the same as before.
#[test]
fn the_second_checker_refuses_what_does_not_follow() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, name) = file(folder.path(), "proof");
    gamebench(&["prove", "clobber xoxo|oxox", "--value", "--out", &name], "");
    let certificate = fs::read_to_string(&path).expect("a certificate");
    let Some(Ok(whole)) = check_py(&path) else { return };
    let lines: Vec<&str> = certificate.lines().collect();
    let mut refused = 0;
    for left_out in (2..lines.len() - 1).step_by(lines.len() / 20 + 1) {
        let mut rest = lines.clone();
        rest.remove(left_out);
        let end = format!("end {}", rest.len() - 1);
        *rest.last_mut().expect("an end") = &end;
        fs::write(&path, rest.join("\n") + "\n").expect("written");
        match check_py(&path).expect("Python is here") {
            Ok(said) => assert!(said == "\n" || said == whole, "{left_out}: {said}"),
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 10, "{refused}");
    let wrong = certificate.replace("V ox *1", "V ox *2");
    assert_ne!(wrong, certificate);
    fs::write(&path, wrong).expect("written");
    assert!(check_py(&path).expect("Python is here").unwrap_err().contains("the options make another value"));
}

#[test]
fn what_cannot_be_proved_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, name) = file(folder.path(), "proof");
    for (arguments, code, sentence) in [
        (vec!["prove", "domineering 1x2", "--at-least", "0"], 1, "error: that is not true: "),
        (vec!["prove", "regio 3x3"], 1, "error: regio counts points"),
        (
            vec!["prove", "fox-and-geese 4x4"],
            1,
            "error: fox-and-geese can repeat or be won everywhere at once: ",
        ),
        (vec!["prove", "misere(nim) 3", "--outcome"], 1, "error: in misere(nim) who cannot move wins"),
        (vec!["prove", "clobber 2x2", "--nimber"], 1, "error: clobber is not impartial"),
        (vec!["prove", "go", "9x9"], 1, "error: there is no game `go`"),
        (vec!["prove", "^*"], 1, "error: there is no position to prove anything about"),
        (
            vec!["prove", "clobber 6x6", "--outcome", "--time", "50ms"],
            3,
            "error: stopped: the time limit was reached",
        ),
    ] {
        let ran = gamebench(&[&arguments[..], &["--out", &name]].concat(), "");
        assert_eq!(ran.code, Some(code), "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains(sentence), "{arguments:?}: {}", ran.err);
        assert!(!path.exists(), "nothing is left of what was not finished");
    }
    let nowhere = folder.path().join("no/such/folder");
    let ran = gamebench(&["prove", "nim 3", "--out", nowhere.to_str().expect("UTF-8")], "");
    let sentence = format!("error: writing {}: entity not found\n", nowhere.display());
    assert_eq!((ran.code, ran.err), (Some(1), sentence));
    fs::write(&path, "gamebench-proof 2\ngame clobber xo\nV xo *1\nclaim value xo ; 0 ; *1\n")
        .expect("written");
    let ran = gamebench(&["check", &name], "");
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (Some(1), "error: line 5: the certificate ends without its last line, `end`\n")
    );
}

/// A game as text is in the certificate with all its rules.
#[test]
fn games_as_text_carry_their_rules() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, name) = file(folder.path(), "proof");
    let (_, shove) = file(folder.path(), "own.game");
    fs::write(
        &shove,
        "game own\nboard strip\ncells x piece, o stone, . empty\nleft: x. -> .x\nright: .o -> o.\n",
    )
    .expect("written");
    let ran = gamebench(&["prove", &shove, "x..o.x", "--value", "--out", &name], "");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    fs::remove_file(&shove).expect("removed");
    let ran = gamebench(&["check", &name], "");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.starts_with("proved: x..o.x has the value "), "{}", ran.out);
    assert!(fs::read_to_string(&path).expect("there").contains("\n| left: x. -> .x\n"));
}

#[test]
fn a_line_is_played_against_the_proof_to_the_end() {
    let ran = gamebench(&["analyze", "clobber xoxo|oxox", "--explain"], "moves\nhelp\nwhy\nnonsense\na9\n");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    for said in
        ["Left wins if Left begins. The proof has ", "it plays Left, and you play Right", "Left plays "]
    {
        assert!(ran.out.contains(said), "{said}: {}", ran.out);
    }
    assert!(ran.out.contains("`nonsense`"), "{}", ran.out);

    // Nim: every move in one heap is answered in the other.
    let ran = gamebench(&["analyze", "nim 2,2", "--explain=right"], "a-1\n");
    assert!(ran.out.contains("Left wins if Right begins"), "{}", ran.out);
    let sum = "clobber xo + *";
    let ran = gamebench(&["analyze", sum, "--explain"], "a1\na1-b1 in Z\na1-b1 in A\n0 in value\n");
    assert!(ran.out.contains("Right wins if Left begins"), "{}", ran.out);
    assert!(ran.out.contains("say where, such as"), "{}", ran.out);
    assert!(ran.out.contains("`Z` is none of the boards"), "{}", ran.out);
    assert!(ran.out.contains("Right plays 0 in value: what is left is worth 0"), "{}", ran.out);
    assert!(ran.out.contains("Left cannot move: Right has won."), "{}", ran.out);

    for wrong in [&["analyze", "-", "--explain"][..], &["analyze", "go", "9x9", "--explain"]] {
        let ran = gamebench(wrong, "");
        assert_eq!(ran.code, Some(2), "{}", ran.err);
        assert!(ran.err.contains("--explain is for one position"), "{}", ran.err);
    }
    let ran = gamebench(&["analyze", "clobber 5x5", "--explain", "--nodes", "100"], "");
    assert_eq!(ran.code, Some(3), "{}", ran.err);
}

/// Facts about small games are theorems of Coq, and a wrong one is not.
#[test]
fn coq_proves_small_facts() {
    if Command::new("coqc").arg("--version").output().is_err() {
        eprintln!("skipped: coqc is not installed (apt-get install coq)");
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../checker/coq/check.sh");
    let run = Command::new(script).args([env!("CARGO_BIN_EXE_gamebench"), "10"]).output().expect("a script");
    let said = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success(), "{said}{}", String::from_utf8_lossy(&run.stderr));
    assert!(said.contains("60 facts of the bench"), "{said}");
}
