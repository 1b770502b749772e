use crate::gamebench;

#[test]
fn one_expression() {
    let ran = gamebench(&["calc", "{1|-1}+^"], "");
    assert_eq!((ran.out.as_str(), ran.code), ("{1^|-1^}\n", Some(0)));
    let ran = gamebench(&["calc", "-1^"], "");
    assert_eq!((ran.out.as_str(), ran.code), ("-1^\n", Some(0)));
}

#[test]
fn styles() {
    for (flag, expected) in [
        ("--plain", "{{1|-1}|{-2^|-5}}\n"),
        ("--unicode", "{±1|{-2↑|-5}}\n"),
        ("--latex", "\\{\\pm1|\\{-2\\uparrow|-5\\}\\}\n"),
        ("--slashes", "+-1||-2^|-5\n"),
        ("--length=6", "{+-...\n"),
    ] {
        let ran = gamebench(&["calc", flag, "{{1|-1}|{-2^|-5}}"], "");
        assert_eq!((ran.out.as_str(), ran.code), (expected, Some(0)), "{flag}");
    }
}

#[test]
fn a_bad_expression_is_pointed_at() {
    let ran = gamebench(&["calc", "{1|"], "");
    assert_eq!((ran.out.as_str(), ran.code), ("", Some(1)));
    assert!(ran.err.starts_with("{1|\n   ^\nexpected a game"), "{}", ran.err);
}

#[test]
fn lines_go_on_after_a_bad_one() {
    let ran = gamebench(&["calc", "-"], "g := {1|-1}\n\n# a comment\n1/3\ng+g\r\n1 +");
    assert_eq!(ran.code, Some(1));
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines[0], "+-1");
    assert!(lines[1].starts_with("error: line 4, column 1: the denominator 3"), "{}", lines[1]);
    assert_eq!(lines[2], "0");
    assert_eq!(lines[3], "error: line 6, column 4: expected a game, found the end");
    assert_eq!(lines.len(), 4);
    assert_eq!(gamebench(&["calc", "-"], "1\n2\n").code, Some(0));
    assert_eq!(gamebench(&["calc"], "1+1\n").out, "2\n");
}

#[test]
fn json() {
    let ran = gamebench(&["calc", "--json", "-"], "g := {3|{1|-2}}\n{1|\ng > 0\nleft(g)\non\n");
    assert_eq!(ran.code, Some(1));
    let lines: Vec<serde_json::Value> = ran.out.lines().map(|l| serde_json::from_str(l).expect(l)).collect();
    for (field, expected) in [
        ("value", "{3|{1|-2}}"),
        ("variable", "g"),
        ("outcome", "L"),
        ("mean", "5/4"),
        ("temperature", "7/4"),
        ("left_stop", "3"),
        ("right_stop", "1"),
    ] {
        assert_eq!(lines[0][field], expected, "{field}");
    }
    assert!(lines[0]["nodes"].is_u64() && lines[0]["seconds"].is_f64());
    assert!(lines[1]["error"].as_str().is_some_and(|e| e.starts_with("expected a game")));
    assert_eq!(lines[1]["column"], 4);
    assert_eq!(lines[2]["value"], true);
    assert_eq!(lines[3]["value"], serde_json::json!(["3"]));
    assert_eq!((&lines[4]["value"], &lines[4]["mean"]), (&"on".into(), &serde_json::Value::Null));
}

#[test]
fn a_limit_ends_a_line_and_not_the_session() {
    let input = "g := {1|-1}\ntimes(1000000000, {3|{1|-2}})\ng\n";
    let ran = gamebench(&["calc", "--nodes", "10k", "-"], input);
    assert_eq!(ran.out, "+-1\nerror: line 2, column 1: stopped: the limit of nodes was reached\n+-1\n");
    // Out of memory the variables move to a new store.
    let ran = gamebench(&["calc", "--memory", "300k", "-"], input);
    assert_eq!(ran.out, "+-1\nerror: line 2, column 1: stopped: the memory limit was reached\n+-1\n");
}

#[test]
fn wrong_usage_has_its_own_code() {
    for arguments in [&["calc", "--time", "soon", "1"][..], &["calc", "1", "2"], &["clac"], &[]] {
        assert_eq!(gamebench(arguments, "").code, Some(2), "{arguments:?}");
    }
    let ran = gamebench(&["--version"], "");
    assert!(ran.out.starts_with("gamebench ") && ran.code == Some(0));
}

#[test]
fn a_closed_pipe_is_no_error() {
    use std::io::Read;
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_gamebench"))
        .args(["calc", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    // Whether this can be written depends on how soon the program ends.
    let _ = std::io::Write::write_all(&mut stdin, "1\n".repeat(1000).as_bytes());
    drop(stdin);
    let mut err = String::new();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    assert_eq!((err.as_str(), child.wait().unwrap().code()), ("", Some(0)));
}
