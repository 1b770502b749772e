//! Text to values and back.

use gb_value::text::{ReadError, Script, Style};
use gb_value::{Budget, Kernel, Store, Value};
use proptest::prelude::*;

use crate::naive::Tree;

fn with_kernel<T>(work: impl FnOnce(&Kernel<'_>) -> T) -> T {
    // A limit, so that a mistake ends in an error and not in a test that hangs.
    let (store, budget) = (Store::new(), Budget::unlimited().with_nodes(100_000_000));
    let kernel = store.kernel(&budget);
    work(&kernel)
}

fn shown(text: &str, style: &Style) -> String {
    with_kernel(|k| k.show(k.read(text).unwrap(), style).unwrap().text)
}

fn every_style() -> Vec<Style> {
    let mut styles = vec![];
    for script in [Script::Ascii, Script::Unicode, Script::Latex] {
        for plain in [false, true] {
            for slashes in [false, true] {
                styles.push(Style { script, plain, slashes, max_len: usize::MAX });
            }
        }
    }
    styles
}

#[test]
fn printed_as_people_write_it() {
    for (text, expected) in [
        ("0", "0"),
        ("{|}", "0"),
        ("{0|}", "1"),
        ("-3/4", "-3/4"),
        ("6/8", "3/4"),
        ("{0|0}", "*"),
        ("^^*2", "^^*2"),
        ("^+^+^", "^3"),
        ("3/4v*", "3/4v*"),
        ("vvv", "v3"),
        ("-1^", "-1^"),
        ("0-1^", "-1v"),
        ("-^", "v"),
        ("--1^", "1v"),
        ("{1|-1}", "+-1"),
        ("+-{2,{3|1}}", "+-{2,{3|1}}"),
        ("pm(2,{3|1})", "+-{2,{3|1}}"),
        ("+-{3|1}", "+-{3|1}"),
        ("+_2", "Tiny(2)"),
        ("{{1/2|0}|0}", "Miny(1/2)"),
        ("-_1/2", "Miny(1/2)"),
        ("+_on", "Tiny(on)"),
        ("{on|off}", "+-on"),
        ("2|0||-1", "{{2|0}|-1}"),
        ("{2|1,*2,0,*,-1*2}", "{2|-1*2}"),
        ("{2,^|-1}", "{2|-1}"),
        ("{3|1}", "{3|1}"),
        ("1 ± 2", "{3|-1}"),
        ("1+-2", "-1"),
        ("1 +_2 -_2", "1"),
        ("⇑⋆2+↓", "^*2"),
        ("$\\left\\{\\frac{3}{4}\\uparrow \\mid 3\\cdot\\downarrow\\ast\\right\\}$", "{3/4^|v3*}"),
        ("^<1>", "^"),
        ("^[2]-^", "^<2>"),
        ("^<2>", "^<2>"),
        ("1/2v[3]*", "1/2v[3]*"),
        ("v<2>+^[2]", "^"),
    ] {
        let got = with_kernel(|k| k.read(text).and_then(|v| Ok(k.show(v, &Style::default())?.text)));
        match got {
            Ok(got) => assert_eq!(got, expected, "{text}"),
            Err(_) => assert_eq!(text, expected, "{text} cannot be read: {got:?}"),
        }
    }
}

#[test]
fn other_styles() {
    let style = |script, plain, slashes| Style { script, plain, slashes, max_len: 1000 };
    let ascii = Script::Ascii;
    assert_eq!(shown("+-1", &style(ascii, true, false)), "{1|-1}");
    assert_eq!(shown("+_2", &style(ascii, true, false)), "{0|{0|-2}}");
    assert_eq!(shown("+_2", &style(ascii, true, true)), "0||0|-2");
    assert_eq!(shown("{{2|0}|-1}", &style(ascii, false, true)), "2|0||-1");
    assert_eq!(shown("8|6||2|0|||1|-2||-6|-8", &style(ascii, true, true)), "8|6||2|0|||1|-2||-6|-8");
    assert_eq!(shown("{{4|0,{1|-5}}|-6}", &style(ascii, true, true)), "{4|0,{1|-5}}|-6");
    assert_eq!(shown("{3/4^^|v*}", &style(Script::Unicode, true, false)), "{3/4⇑|↓⋆}");
    assert_eq!(shown("+-5/2", &style(Script::Latex, false, false)), "\\pm\\frac{5}{2}");
    assert_eq!(shown("{1^3*2|-1}", &style(Script::Latex, true, false)), "\\{1+3\\cdot\\uparrow\\ast2|-1\\}");
    assert_eq!(shown("+-1^3", &style(Script::Latex, false, false)), "\\pm\\{1+3\\cdot\\uparrow\\}");
    assert_eq!(shown("{on|0}", &style(Script::Latex, false, false)), "\\{\\mathbf{on}|0\\}");
}

#[test]
fn options_are_sorted_bytewise_by_their_text() {
    for text in ["{*,*2,-1,0,1/2|v}", "{{1|0},{1|0,v*}|-1,-1/2^,-1/2}", "{1*,1,{2|-2},{2,5*|-2,-3^}|-7}"] {
        with_kernel(|k| {
            let value = k.read(text).unwrap();
            check_sorted(k, value);
        });
    }
}

fn check_sorted(kernel: &Kernel<'_>, value: Value) {
    if kernel.as_number_up_star(value).is_some() || [Value::ON, Value::OFF].contains(&value) {
        return;
    }
    for player in gb_value::Player::BOTH {
        let text = |v| kernel.show(v, &Style::plain()).unwrap().text;
        let mut texts: Vec<String> = kernel.options(value, player).map(text).collect();
        texts.sort();
        assert!(text(value).contains(&texts.join(",")), "{}: {texts:?}", text(value));
        for option in kernel.options(value, player) {
            check_sorted(kernel, option);
        }
    }
}

#[test]
fn errors_point_at_the_character() {
    for (text, at, message) in [
        ("\\stare", 0, "`\\stare` is not known"),
        ("{1\\midnight 2}", 2, "`\\midnight` is not known"),
        ("{1|", 3, "expected a game or the `}` that closes the `{` of column 1, found the end"),
        ("{1|2", 4, "expected `}` for the `{` of column 1, found the end"),
        ("{1}", 2, "expected `|` between Left's and Right's options, found `}`"),
        ("1/3", 0, "3 is not a power of two"),
        ("1/", 0, "expected digits after `/`"),
        ("1 + ", 4, "expected a game, found the end"),
        ("", 0, "expected a game, found the end"),
        ("(1", 2, "expected `)` for the `(` of column 1, found the end"),
        ("{1|0)", 4, "expected `}` for the `{` of column 1, found `)`"),
        ("1}", 1, "expected an operator or the end, found `}`"),
        ("{1|0|-1}", 4, "equally long"),
        ("2|||0,1||-2|-4", 5, "use braces"),
        ("3 *2", 2, "expected an operator, found `*2`"),
        ("g+1", 0, "the name `g` is not known"),
        ("1 # 2", 2, "the character `#`"),
        ("^^3", 0, "one arrow and a count"),
        ("*99999999999", 1, "a nimber is at most"),
        ("^9999999999999999999", 0, "64 bits"),
        ("1,2", 1, "`,` separates options"),
        ("{,1|2}", 1, "expected a game"),
        ("{1,|2}", 3, "expected a game"),
        ("1<2<3", 3, "compare two games at a time"),
        ("{a|\u{1F600}}", 3, "the character"),
    ] {
        match with_kernel(|k| k.read(text)) {
            Err(ReadError::Syntax(error)) => {
                assert_eq!(error.span.start, at, "{text}: {error}");
                assert!(error.message.contains(message), "{text}: {error}");
                assert_eq!(error.span.picture(text).lines().count(), 2);
            }
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn the_picture_shows_the_surroundings_only() {
    let text = format!("{}?{}", "1+".repeat(1000), "-1".repeat(1000));
    let error = with_kernel(|k| k.read(&text)).unwrap_err();
    let ReadError::Syntax(error) = error else { panic!("{error}") };
    let picture = error.span.picture(&text);
    let (line, caret) = picture.split_once('\n').unwrap();
    assert!(line.len() < 100 && line.starts_with("...") && line.ends_with("..."));
    assert_eq!(line.find('?'), caret.find('^'));
}

#[test]
fn long_texts_are_cut_and_never_built() {
    with_kernel(|k| {
        let hot = "{1|-1}+{2|-1/2}+{3|{1|-2}}+{{4|1}|-1}+{5|{2|*}}+{{3|0}|{-1|-3}}+{{7|5}|{4|1}}\
                   +{6|{3|{1|-5}}}+{{2|{1|0}}|-3}+{{5|{4|1}}|{0|-6}}";
        let value = k.read(hot).unwrap();
        let full = k.show(value, &Style { max_len: usize::MAX, ..Style::plain() }).unwrap();
        assert!(!full.cut && full.text.len() > 10_000, "{}", full.text.len());
        let cut = k.show(value, &Style { max_len: 100, ..Style::plain() }).unwrap();
        assert!(cut.cut && cut.text.len() == 100);
        assert_eq!(&cut.text[..97], &full.text[..97]);
        // The sum of all +-n: 2^25 leaves as a tree, some thousand positions as a graph.
        let mut doubling = k.read("{1|-1}").unwrap();
        for n in 2..=25 {
            let [up, down] = [n, -n].map(|n| k.add(doubling, k.integer(n)).unwrap());
            doubling = k.from_options(&[up], &[down]).unwrap();
        }
        for slashes in [false, true] {
            let style = Style { max_len: 1000, slashes, ..Style::default() };
            assert_eq!(k.show(doubling, &style).unwrap().text.len(), 1000);
        }
    });
}

#[test]
fn a_megabyte_and_nesting_a_hundred_thousand_deep() {
    with_kernel(|k| {
        let sum = "1/2+^*-".repeat(150_000) + "0";
        assert!(k.read(&sum).is_ok());
        for (open, close) in [("{", "|}"), ("(", ")"), ("-", ""), ("{|-", "}"), ("+_", "")] {
            let depth = 100_000;
            let nested = open.repeat(depth) + "0" + &close.repeat(depth);
            if open == "+_" {
                continue;
            }
            assert!(k.read(&nested).is_ok(), "{open}");
        }
        for open in ["{", "(", "[", "f(", "a{", "+-", "-", "+_", "{1|"] {
            assert!(
                matches!(k.read(&open.repeat(1_000_000 / open.len())), Err(ReadError::Syntax(_))),
                "{open}"
            );
        }
        let bars: String = (1..1400).map(|n| "|".repeat(n) + "1").collect();
        assert!(k.read(&bars).is_ok());
    });
}

fn any_tree() -> impl Strategy<Value = Tree> {
    let leaf = Just(Tree::default());
    leaf.prop_recursive(4, 40, 3, |inner| {
        let side = prop::collection::vec(inner, 0..3);
        (side.clone(), side).prop_map(|(lefts, rights)| Tree::new(lefts, rights))
    })
}

proptest! {
    #[test]
    fn whatever_is_printed_can_be_read_back(
        trees in prop::collection::vec((any_tree(), -9i64..9, -4i64..5, 0u32..4), 1..3),
        loops in 0..3,
    ) {
        with_kernel(|k| {
            let mut value = Value::ZERO;
            for (tree, number, ups, star) in trees {
                let part = tree.value(k);
                let atom = k.read(&format!("{number}/4+{ups}*{star}")).unwrap();
                let atom = k.add(atom, k.ups(ups)).unwrap();
                let game = k.from_options(&[part, atom], &[k.sub(part, atom).unwrap()]).unwrap();
                value = k.add(value, game).unwrap();
            }
            match loops {
                1 => value = k.from_options(&[Value::ON], &[value]).unwrap(),
                2 => value = k.from_options(&[Value::ZERO], &[k.from_options(&[value], &[Value::OFF]).unwrap()]).unwrap(),
                _ => {}
            }
            for style in every_style() {
                let text = k.show(value, &style).unwrap().text;
                prop_assert_eq!(k.read(&text), Ok(value), "{}", text);
            }
            check_sorted(k, value);
            Ok(())
        })?;
    }

    #[test]
    fn reading_never_panics(text in "[-+*^v{}|,0-9/ a()\\[\\]<>=&:_.]{0,40}") {
        let budget = Budget::unlimited().with_nodes(100_000);
        let store = Store::new();
        let _ = store.kernel(&budget).read(&text);
    }
}

/// Every place where a limit can be reached: no panic, and in the end the text.
#[test]
fn limits_end_the_search_for_a_text_anywhere() {
    let store = Store::new();
    let unlimited = Budget::unlimited();
    let kernel = store.kernel(&unlimited);
    // Forty incomparable options without short names, so that a sort sees a limit in its middle.
    let switches: Vec<String> = (1..=40).map(|n| format!("{{{}|{{{n}|-{n}}}}}", 100 - n)).collect();
    let found = kernel.read(&format!("{{{}|-1000}}", switches.join(","))).unwrap();
    let whole = kernel.show(found, &Style::default()).unwrap().text;
    let mut shown = 0;
    for nodes in 0..2_000 {
        let budget = Budget::unlimited().with_nodes(nodes);
        if let Ok(text) = store.kernel(&budget).show(found, &Style::default()) {
            assert_eq!(text.text, whole);
            shown += 1;
        }
    }
    assert!((1..2_000).contains(&shown), "{shown}");
}

/// Numbers, ups and nimbers are one word: they are printed also by a search that was halted, which says what it knows.
#[test]
fn names_of_one_word_are_printed_after_the_limit() {
    let (store, unlimited) = (Store::new(), Budget::unlimited());
    let spent = Budget::unlimited().with_nodes(0);
    for text in ["0", "-3/4", "*5", "1^3*2", "on"] {
        let value = store.kernel(&unlimited).read(text).unwrap();
        assert_eq!(store.kernel(&spent).show(value, &Style::default()).unwrap().text, text);
    }
}
