use crate::gamebench;

#[test]
fn a_picture_in_the_terminal() {
    let ran = gamebench(&["thermograph", "{3|{1|-2}}"], "");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.starts_with("{3|{1|-2}}   mean 5/4, temperature 7/4\n"), "{}", ran.out);
}

#[test]
fn a_picture_in_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("g.svg");
    let name = path.to_str().unwrap();
    let ran = gamebench(&["thermograph", "{2|-1}", "--svg", name], "");
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""));
    assert!(std::fs::read_to_string(&path).unwrap().starts_with("<svg"));
    // Nothing is left beside it, and a folder that is not there gets a sentence.
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    let missing = folder.path().join("no/g.svg");
    let ran = gamebench(&["thermograph", "{2|-1}", "--svg", missing.to_str().unwrap()], "");
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.starts_with("error: writing "), "{}", ran.err);
}

#[test]
fn json_and_many_inputs() {
    let ran = gamebench(&["thermograph", "--json", "-"], "{2|-1}\nover\n*\n");
    let lines: Vec<serde_json::Value> = ran.out.lines().map(|l| serde_json::from_str(l).expect(l)).collect();
    assert_eq!((lines.len(), ran.code), (3, Some(1)));
    assert_eq!((&lines[0]["left_wall"], &lines[0]["mean"]), (&"3@-1 1/2@3/2".into(), &"1/2".into()));
    assert!(lines[1]["error"].is_string());
    assert_eq!(lines[2]["temperature"], "0");
}

#[test]
fn bad_input() {
    assert_eq!(gamebench(&["thermograph", "1 < 2"], "").code, Some(1));
    assert_eq!(gamebench(&["thermograph", "on"], "").code, Some(1));
    assert_eq!(gamebench(&["thermograph", "--svg", "x.svg", "-"], "").code, Some(2));
}
