use super::*;

fn number(text: &str) -> Thermograph {
    Thermograph::of_number(&text.parse().unwrap())
}

fn game(left: &Thermograph, right: &Thermograph) -> Thermograph {
    Thermograph::of_options([left], [right])
}

fn switch(left: &str, right: &str) -> Thermograph {
    game(&number(left), &number(right))
}

/// `4|{1|0}||{0|-1}|-4`, whose walls turn three times.
fn house() -> Thermograph {
    game(&game(&number("4"), &switch("1", "0")), &game(&switch("0", "-1"), &number("-4")))
}

/// Compares with a stored picture; `UPDATE_SNAPSHOTS=1 cargo test` stores the new one, to be looked at.
fn check_snapshot(file: &str, picture: &str) {
    let path = format!("{}/src/picture/thermograph/snapshots/{file}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(&path, picture).unwrap();
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(picture == stored, "the picture differs from {file}:\n{picture}");
}

#[test]
fn pictures_look_as_before() {
    let (house, skew, star) = (house(), switch("2", "-1/2"), switch("0", "0"));
    check_snapshot("three.svg", &svg(&[("4|{1|0}||{0|-1}|-4", &house), ("{2|-1/2}", &skew), ("*", &star)]));
    check_snapshot("house.txt", &text("4|{1|0}||{0|-1}|-4", &house, 72, 22));
    check_snapshot("skew.txt", &text("{2|-1/2}", &skew, 40, 16));
    let tall = game(&switch("100002", "4"), &switch("0", "-100000"));
    check_snapshot("tall.txt", &text("{100002|4||0|-100000}", &tall, 60, 20));
    check_snapshot("number.txt", &text("13/8", &number("13/8"), 40, 20));
}

#[test]
fn a_star_in_characters() {
    let picture = text("*", &switch("0", "0"), 30, 10);
    let expected = "\
*   mean 0, temperature 0
  1/2┤    ▲
  1/4┤    ┃
    0┤┄┄┄┄┃┄┄┄┄
 -1/4┤   ╱░╲
 -1/2┤  ╱░░░╲
 -3/4┤ ╱░░░░░╲
   -1┤╱░░░░░░░╲
     └┴───┴───┴
      1   0  -1
";
    assert_eq!(picture, expected);
}

#[test]
fn svg_keeps_names_as_text() {
    let graph = switch("1", "0");
    let picture = svg(&[("a<b>&\u{1}\n\"c\"", &graph)]);
    assert!(picture.contains("<title>Thermograph of a&lt;b&gt;&amp; \"c\"</title>"), "{picture}");
    assert!(picture.contains("mean 1/2, temperature 1/2"));
    let long = "x".repeat(10_000);
    assert!(svg(&[(&long, &graph)]).contains(&format!("{}…<", "x".repeat(48))));
}

#[test]
fn slopes_are_45_degrees_where_that_fits() {
    let picture = svg(&[("{1|-1}", &switch("1", "-1"))]);
    let wall = picture.lines().find(|line| line.contains("class=\"wall")).unwrap();
    let path = wall.split("d=\"M").nth(1).unwrap().trim_end_matches("\"/>");
    let points: Vec<f64> = path.split([' ', ',']).map(|x| x.parse().unwrap()).collect();
    let (dx, dy) = (points[2] - points[0], points[3] - points[1]);
    assert!((dx + dy).abs() <= 0.02, "{path}");
}

#[test]
fn any_size_of_game_and_picture() {
    let huge: Dyadic = format!("1{}", "0".repeat(300)).parse().unwrap();
    let fine = Dyadic::ONE.checked_shift(-900).unwrap();
    let graphs = [
        number("0"),
        number("-7/8"),
        Thermograph::of_number(&fine),
        Thermograph::of_number(&huge),
        switch("0", "-100000"),
        switch("1000001/1024", "1000000/1024"),
        game(&Thermograph::of_number(&huge), &Thermograph::of_number(&fine)),
        game(&Thermograph::of_number(&fine), &number("0")),
        game(&game(&Thermograph::of_number(&huge), &number("1")), &number("0")),
    ];
    for graph in &graphs {
        let picture = svg(&[("G", graph)]);
        assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
        assert!(picture.len() < 20_000, "{} bytes", picture.len());
        for (width, height) in [(0, 0), (24, 10), (40, 12), (80, 24), (200, 60)] {
            let picture = text("G", graph, width, height);
            assert!(picture.lines().count() <= height.max(10), "{width}x{height}\n{picture}");
            for line in picture.lines() {
                assert!(line.chars().count() <= width.max(24), "{width}x{height}\n{picture}");
            }
        }
    }
    assert!(svg(&[]).contains("</svg>"));
}
