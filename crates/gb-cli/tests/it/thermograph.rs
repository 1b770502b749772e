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

/// A board with a ko: three thermographs, or the one that is asked for. Errors name what is missing.
#[test]
fn boards_of_go() {
    let ko = "XXXOOOO|X.XOO.O|XXXOOOO|XX.XOOO|XXXOOOO|X.XOO.O|XXXOOOO";
    let ran = gamebench(&["thermograph", "go", ko, "--komaster", "white"], "");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.starts_with("A, White komaster   mean -1/3, temperature 1/3\n"), "{}", ran.out);
    let ran = gamebench(&["thermograph", "go", ko, "--json"], "");
    let areas: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let names: Vec<&str> =
        areas["areas"].as_array().unwrap().iter().map(|a| a["area"].as_str().unwrap()).collect();
    assert_eq!(names, ["A, Black komaster", "A, White komaster", "A, equal threats"]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ko.svg");
    let ran = gamebench(&["thermograph", "go", ko, "--svg", path.to_str().unwrap()], "");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let svg = std::fs::read_to_string(&path).unwrap();
    assert!(svg.contains("White komaster") && svg.matches("class=\"wall").count() == 6, "{svg}");
    // An area without a ko is drawn as any game.
    let ran =
        gamebench(&["thermograph", "go", "OOOOOOO|O.OOO.O|OOOOOOO|XXX.XXX|X.X.XXX|XXX.X.X|XXXXXXX"], "");
    assert!(ran.out.starts_with("A   mean 5/4, temperature 3/4\n"), "{}", ran.out);
    let ran = gamebench(&["thermograph", "go", "...|...|..."], "");
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("there is no thermograph: A: "), "{}", ran.err);
    let ran = gamebench(&["thermograph", "-"], &format!("go X.|.?\ngo {ko}\n"));
    assert_eq!(ran.code, Some(1));
    assert!(ran.out.starts_with("error: line 1") && ran.out.contains("A, Black komaster"), "{}", ran.out);
    assert_eq!(gamebench(&["thermograph", "{1|0}", "--komaster", "black"], "").code, Some(2));
}
