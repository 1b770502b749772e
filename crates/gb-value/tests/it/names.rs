//! Games that have names of their own, and kinds of games.

use gb_value::text::{Script, Style};
use gb_value::{Budget, Dyadic, Kernel, Kind, Parity, Store, Uptimal, Value};

use crate::read;

fn with_kernel(work: impl FnOnce(&Kernel<'_>)) {
    let (store, budget) = (Store::new(), Budget::unlimited());
    work(&store.kernel(&budget));
}

#[test]
fn powers_of_up() {
    with_kernel(|kernel| {
        assert_eq!(kernel.up_power(1).unwrap(), Value::UP);
        assert_eq!(kernel.up_power(2).unwrap(), read(kernel, "{0|v*}"));
        assert_eq!(kernel.up_powers_sum(1).unwrap(), Value::UP);
        assert_eq!(kernel.up_powers_sum(2).unwrap(), read(kernel, "{^|*}"));
        let mut sum = Value::ZERO;
        for n in 1..6 {
            let power = kernel.up_power(n).unwrap();
            let next = kernel.up_power(n + 1).unwrap();
            // Each power is infinitesimal compared with the one before it.
            assert!(kernel.le(kernel.times(20, next).unwrap(), power).unwrap());
            assert!(kernel.le(Value::ZERO, next).unwrap());
            sum = kernel.add(sum, power).unwrap();
            assert_eq!(kernel.up_powers_sum(n).unwrap(), sum);
        }
    });
}

#[test]
fn uptimals_are_recognised() {
    with_kernel(|kernel| {
        for star in [0, 1, 2, 5] {
            for number in [Dyadic::ZERO, Dyadic::new(-3, 2)] {
                for code in 0..625 {
                    let mut powers: Vec<i64> = (0..4).map(|i| code / 5i64.pow(i) % 5 - 2).collect();
                    while powers.last() == Some(&0) {
                        powers.pop();
                    }
                    let uptimal = Uptimal { number: number.clone(), powers: powers.into(), star };
                    let value = kernel.uptimal(&uptimal).unwrap();
                    assert_eq!(kernel.as_uptimal(value).unwrap(), Some(uptimal));
                    for script in [Script::Ascii, Script::Unicode, Script::Latex] {
                        let shown = kernel.show(value, &Style { script, ..Style::default() }).unwrap().text;
                        assert!(!shown.contains('|'), "{shown}");
                        assert_eq!(read(kernel, &shown), value, "{shown}");
                    }
                }
            }
        }
        for other in ["{1|0}", "{*,^|*,v}", "tiny(1)", "{0,^*|0,v*}"] {
            assert_eq!(kernel.as_uptimal(read(kernel, other)).unwrap(), None, "{other}");
        }
        let name =
            |value| kernel.as_uptimal(value).unwrap().map(|u| (u.as_power(), u.as_powers_sum())).unwrap();
        assert_eq!(name(kernel.up_power(4).unwrap()), (Some(4), None));
        assert_eq!(name(kernel.neg(kernel.up_powers_sum(3).unwrap()).unwrap()), (None, Some(-3)));
    });
}

#[test]
fn tiny_miny_and_plus_minus() {
    with_kernel(|kernel| {
        for g in ["1", "2", "1/2", "{5|1}", "1*", "3/4^"] {
            let g = read(kernel, g);
            let tiny = kernel.tiny(g).unwrap();
            let miny = kernel.neg(tiny).unwrap();
            assert_eq!((kernel.as_tiny(tiny).unwrap(), kernel.as_miny(tiny).unwrap()), (Some(g), None));
            assert_eq!((kernel.as_tiny(miny).unwrap(), kernel.as_miny(miny).unwrap()), (None, Some(g)));
        }
        for other in ["^", "{0|v*}", "{1|0}", "0", "{0|{0|{1|-1}}}"] {
            let other = read(kernel, other);
            assert_eq!((kernel.as_tiny(other).unwrap(), kernel.as_miny(other).unwrap()), (None, None));
        }
        let two = read(kernel, "{2,{3|1}|-2,{-1|-3}}");
        assert!(kernel.is_plus_minus(two).unwrap());
        assert_eq!(kernel.plus_minus(&[read(kernel, "2"), read(kernel, "{3|1}")]).unwrap(), two);
        assert!(!kernel.is_plus_minus(read(kernel, "{2|1}")).unwrap());
    });
}

#[test]
fn kinds() {
    with_kernel(|kernel| {
        for (text, kind) in [
            ("-7", Kind::Integer),
            ("3/4", Kind::Number),
            ("*5", Kind::Nimber),
            ("^^*2", Kind::UpStar),
            ("1v", Kind::NumberUpStar),
            ("{0|v*}", Kind::Uptimal),
            ("tiny(2)", Kind::Tiny),
            ("miny(1/2)", Kind::Miny),
            ("{*,^|*,v}", Kind::AllSmall),
            ("tiny(1)+tiny(1)", Kind::Infinitesimal),
            ("tiny(1)+3/4", Kind::Numberish),
            ("{2|-1/2}", Kind::Switch),
            ("{2|{1|-1}}", Kind::Hot),
        ] {
            assert_eq!(kernel.kind(read(kernel, text)).unwrap(), kind, "{text}");
        }
        assert_eq!(kernel.kind(Value::ON).unwrap(), Kind::OnOff);
        for (text, parity) in [
            ("0", Some(Parity::Even)),
            ("-3", Some(Parity::Odd)),
            ("*", Some(Parity::Odd)),
            ("{1*|-1*}", Some(Parity::Odd)),
            ("{2*|-1}", Some(Parity::Even)),
            ("1/2", None),
            ("*2", None),
            ("{1|0}", None),
        ] {
            assert_eq!(kernel.parity(read(kernel, text)).unwrap(), parity, "{text}");
        }
    });
}

#[test]
fn companions() {
    with_kernel(|kernel| {
        for (text, companion) in
            [("0", "*"), ("*", "0"), ("*2", "*2"), ("^", "^*"), ("^^*", "^^"), ("v*2", "v*2")]
        {
            assert_eq!(kernel.companion(read(kernel, text)), Ok(read(kernel, companion)), "{text}");
        }
        assert!(kernel.companion(Value::ONE).is_err());
    });
}

#[test]
fn a_large_number_beside_a_game_does_not_make_its_name_hard_to_find() {
    let store = Store::new();
    for text in ["999999999999999999999999 - Tiny(2)", "1000 + Tiny(3)", "-70000* - Tiny(1)"] {
        let budget = Budget::unlimited().with_nodes(2_000);
        let kernel = store.kernel(&budget);
        let found = kernel.read(text).unwrap();
        assert_eq!(kernel.as_uptimal(found).unwrap(), None, "{text}");
    }
    let budget = Budget::unlimited();
    let kernel = store.kernel(&budget);
    let found = kernel.read("1000^[5]*").unwrap();
    assert_eq!(kernel.as_uptimal(found).unwrap().unwrap().as_powers_sum(), Some(5));
}
