//! All functions of the calculator, in one table.

use gb_value::{Dyadic, Player, Value};
use num_bigint::{BigInt, BigUint};

use crate::calc::arguments::Arguments;
use crate::calc::datum::Datum;
use crate::calc::error::CalcError;
use crate::calc::operate::{add, game, neg};

/// A function of the calculator.
pub struct Function {
    /// Its name, in small letters; capitals are read as well.
    pub name: &'static str,
    /// Other names for it.
    pub aliases: &'static [&'static str],
    /// Its parameters, separated by commas: `G, t`. A parameter in brackets may be left out, `...` stands for more.
    pub parameters: &'static str,
    /// What it does, in one line.
    pub help: &'static str,
    /// A call of it.
    pub example: &'static str,
    pub(crate) run: fn(&Arguments<'_>) -> Result<Datum, CalcError>,
}

impl Function {
    /// How it is called: `cool(G, t)`.
    pub fn signature(&self) -> String {
        format!("{}({})", self.name, self.parameters)
    }

    /// The least and the greatest number of arguments.
    pub(crate) fn arity(&self) -> (usize, usize) {
        let (mut least, mut most) = (0, 0);
        for parameter in self.parameters.split(", ").filter(|p| !p.is_empty()) {
            match parameter {
                "..." => return (least, usize::MAX),
                _ if parameter.starts_with('[') => most += 1,
                _ => (least, most) = (least + 1, most + 1),
            }
        }
        (least, most)
    }
}

/// The function with this name.
pub(crate) fn find(name: &str) -> Option<&'static Function> {
    let name = name.to_ascii_lowercase();
    FUNCTIONS.iter().find(|f| f.name == name || f.aliases.contains(&name.as_str()))
}

/// A hint at the name that was probably meant, or nothing.
pub(crate) fn similar<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> String {
    let near = if name.len() > 1 { gb_board::nearest(name, names) } else { vec![] };
    near.first().map_or_else(String::new, |best| format!(" (did you mean `{best}`?)"))
}

/// Followers that are listed at most.
const MAX_LISTED: usize = 10_000;

macro_rules! function {
    ($name:literal $(/ $alias:literal)*, $parameters:literal, $help:literal, $example:literal, $run:expr) => {
        Function {
            name: $name,
            aliases: &[$($alias),*],
            parameters: $parameters,
            help: $help,
            example: $example,
            run: $run,
        }
    };
}

/// All functions, in the order in which `help` lists them.
pub static FUNCTIONS: &[Function] = &[
    // Building games.
    function!(
        "pm",
        "G, ...",
        "the game in which Left moves to one of these and Right to a negative of one",
        "pm(2)",
        |a| {
            let lefts = a.games()?;
            let rights = lefts.iter().map(|d| neg(a.kernel, d)).collect::<Result<Vec<_>, _>>()?;
            game(a.kernel, &lefts, &rights)
        }
    ),
    function!("tiny", "G", "tiny-G, {0||0|-G}", "tiny(2)", |a| value(a.kernel.tiny(a.value(0)?))),
    function!("miny", "G", "miny-G, {G|0||0}, the negative of tiny-G", "miny(1/2)", |a| value(
        a.kernel.tiny(a.value(0)?).and_then(|tiny| a.kernel.neg(tiny))
    )),
    function!("nim" / "star", "n", "the nimber *n", "nim(3)", |a| Ok(Datum::Value(
        a.kernel.nimber(a.index(0)?)
    ))),
    function!("up", "[n]", "n ups (one if n is left out; downs if n is negative)", "up(3)", |a| {
        Ok(Datum::Value(a.kernel.ups(if a.data.is_empty() { 1 } else { a.count(0)? })))
    }),
    function!("uppower", "n", "^<n>, the n-th power of up", "uppower(2)", |a| value(
        a.kernel.up_power(a.index(0)?)
    )),
    function!("uppowers", "n", "^[n], the sum of the first n powers of up", "uppowers(3)", |a| {
        value(a.kernel.up_powers_sum(a.index(0)?))
    }),
    function!("times", "n, G", "the sum of n copies of G", "times(3, ^*)", times),
    function!("sum", "G, ...", "the sum of games, or of the games in a list", "sum(1, *, ^)", |a| {
        let mut total = Datum::Value(Value::ZERO);
        for game in a.games()? {
            total = add(a.kernel, &total, &game)?;
        }
        Ok(total)
    }),
    function!("canonical", "G", "G itself: every game is kept in canonical form", "canonical({*|*})", |a| {
        a.game(0)
    }),
    // Looking into games.
    function!("left", "G", "Left's options", "left({1,*|-1})", |a| options(a, Player::Left)),
    function!("right", "G", "Right's options", "right({1|-1})", |a| options(a, Player::Right)),
    function!("options", "G", "Left's options, then Right's", "options(^)", |a| {
        let mut all = options_of(a, Player::Left)?;
        all.extend(options_of(a, Player::Right)?);
        Ok(Datum::List(all))
    }),
    function!("followers", "G", "all positions that can be reached, G first", "followers(^)", |a| {
        let found = a.kernel.followers(a.value(0)?, MAX_LISTED)?;
        if !found.complete {
            let message = format!("there are more than {MAX_LISTED} followers; nsub(G) counts them");
            return Err(CalcError::general(message));
        }
        Ok(Datum::List(found.values.into_iter().map(Datum::Value).collect()))
    }),
    function!("birthday", "G", "the depth of the canonical form", "birthday(1/2)", |a| {
        a.short(0)?;
        whole(a, a.kernel.birthday(a.value(0)?)?)
    }),
    function!("nsub", "G", "how many positions the canonical form has, G and 0 included", "nsub(^)", |a| {
        whole(a, a.kernel.subpositions(a.value(0)?)?)
    }),
    function!(
        "treesize",
        "G",
        "how many nodes the canonical form has, written out as a tree",
        "treesize(^)",
        |a| {
            a.short(0)?;
            whole(a, a.kernel.tree_nodes(a.value(0)?)?)
        }
    ),
    function!("kind", "G", "what G is: integer, number, nimber, switch, all-small, ...", "kind(^*)", |a| {
        Ok(Datum::Word(if a.is_loopy(0) { "loopy".into() } else { a.kernel.kind(a.value(0)?)?.to_string() }))
    }),
    function!(
        "outcome",
        "G",
        "who wins: L, R, N (the next player), P (the previous one), or with draws D, N-hat, N-check, P-hat, P-check",
        "outcome({1|-1})",
        |a| {
            Ok(Datum::Word(if a.is_loopy(0) {
                a.loopy(0)?.outcome(a.kernel)?.to_string()
            } else {
                a.kernel.outcome(a.value(0)?)?.to_string()
            }))
        }
    ),
    function!(
        "infinitesimal",
        "G",
        "whether G lies between all negative and all positive numbers",
        "infinitesimal(tiny(1))",
        |a| { Ok(Datum::Truth(a.kernel.is_infinitesimal(a.value(0)?))) }
    ),
    function!(
        "allsmall",
        "G",
        "whether in every position of G both players can move or neither",
        "allsmall(^*)",
        |a| { Ok(Datum::Truth(a.kernel.is_all_small(a.value(0)?))) }
    ),
    // Temperature.
    function!("mean", "G", "the mean value, the mast of the thermograph", "mean({3|{1|-2}})", |a| number(
        a,
        a.kernel.mean(a.value(0)?)?
    )),
    function!(
        "temp" / "temperature",
        "G",
        "the temperature, where the mast begins",
        "temp({3|{1|-2}})",
        |a| { number(a, a.kernel.temperature(a.value(0)?)?) }
    ),
    function!("lstop", "G", "the Left stop: the number reached when Left begins", "lstop({1|-1})", |a| stop(
        a,
        Player::Left
    )),
    function!("rstop", "G", "the Right stop: the number reached when Right begins", "rstop({1|-1})", |a| {
        stop(a, Player::Right)
    }),
    function!(
        "thermograph",
        "G",
        "both walls, corner by corner as value@temperature",
        "thermograph({2|-1})",
        |a| { Ok(Datum::Thermograph(a.kernel.thermograph(a.value(0)?)?)) }
    ),
    function!("cool", "G, t", "G cooled by the number t", "cool({2|-2}, 1)", |a| value(
        a.kernel.cool(a.value(0)?, &a.number(1)?)
    )),
    function!("freeze", "G", "G cooled by its temperature", "freeze({2|-2})", |a| value(
        a.kernel.freeze(a.value(0)?)
    )),
    function!("chill", "G", "G cooled by 1", "chill({2|-2})", |a| value(a.kernel.chill(a.value(0)?))),
    function!("heat", "G, t", "G heated by the game t", "heat(*, 2)", |a| value(
        a.kernel.heat(a.value(0)?, a.value(1)?)
    )),
    function!("overheat", "G, s, t", "G overheated from s to t", "overheat(1/2, 1, 1)", |a| {
        value(a.kernel.overheat(a.value(0)?, a.value(1)?, a.value(2)?))
    }),
    function!(
        "warm",
        "G",
        "G warmed: overheated from 1* to 1, the inverse of chilling for many games",
        "warm(*)",
        |a| value(a.kernel.warm(a.value(0)?))
    ),
    function!(
        "incentives",
        "G",
        "the incentives of both players that are not dominated",
        "incentives({1|-1})",
        |a| { list(a.kernel.all_incentives(a.value(0)?)?) }
    ),
    function!(
        "lincentives",
        "G",
        "Left's incentives G^L - G that are not dominated",
        "lincentives({1|-1})",
        |a| { list(a.kernel.incentives(a.value(0)?, Player::Left)?) }
    ),
    function!(
        "rincentives",
        "G",
        "Right's incentives G - G^R that are not dominated",
        "rincentives({1|-1})",
        |a| { list(a.kernel.incentives(a.value(0)?, Player::Right)?) }
    ),
    // Infinitesimals.
    function!(
        "rcf" / "reduced",
        "G",
        "the reduced canonical form: the simplest game that differs from G by an infinitesimal",
        "rcf({1*|v})",
        |a| { value(a.kernel.reduced(a.value(0)?)) }
    ),
    function!("aw" / "atomicweight", "G", "the atomic weight of an all-small game", "aw(^^*)", |a| value(
        a.kernel.atomic_weight(a.value(0)?)
    )),
    function!(
        "remote",
        "G",
        "the index of the least nimber that is remote from an all-small game",
        "remote(^*2)",
        |a| { Ok(Datum::Value(a.kernel.integer(i64::from(a.kernel.remote_star(a.value(0)?)?)))) }
    ),
    function!("companion", "G", "the companion of an all-small game", "companion(^)", |a| value(
        a.kernel.companion(a.value(0)?)
    )),
    // Products and other sums.
    function!("norton", "G, U", "the Norton product of G by a unit U > 0", "norton({1|-1}, ^)", |a| value(
        a.kernel.norton(a.value(0)?, a.value(1)?)
    )),
    function!(
        "conway",
        "G, H",
        "the Conway product of the canonical forms; of nimbers, the nim product",
        "conway(*2, *3)",
        |a| { value(a.kernel.conway(a.value(0)?, a.value(1)?)) }
    ),
    function!("ordsum", "G, H", "the ordinal sum G:H, in which a move in G ends H", "ordsum(1, *)", |a| {
        value(a.kernel.ordinal_sum(a.value(0)?, a.value(1)?))
    }),
    function!("conj", "G, H", "the conjunctive sum: a move is a move in both", "conj(2, *)", |a| {
        value(a.kernel.conjunctive_sum(a.value(0)?, a.value(1)?))
    }),
    function!("sel", "G, H", "the selective sum: a move is a move in one or in both", "sel(*, *)", |a| {
        value(a.kernel.selective_sum(a.value(0)?, a.value(1)?))
    }),
    // Loops.
    function!("onside", "G", "what G equals if infinite play is a win for Left", "onside(tis)", |a| a
        .loopy(0)?
        .side(true)),
    function!("offside", "G", "what G equals if infinite play is a win for Right", "offside(tis)", |a| a
        .loopy(0)?
        .side(false)),
    function!(
        "degree",
        "G",
        "the degree of loopiness of a stopper, the onside of G - G",
        "degree(upon)",
        |a| a.loopy(0)?.degree(a.kernel)
    ),
];

fn value<E: Into<CalcError>>(result: Result<Value, E>) -> Result<Datum, CalcError> {
    result.map(Datum::Value).map_err(Into::into)
}

fn number(a: &Arguments<'_>, number: Dyadic) -> Result<Datum, CalcError> {
    Ok(Datum::Value(a.kernel.number(&number)))
}

fn whole(a: &Arguments<'_>, number: BigUint) -> Result<Datum, CalcError> {
    Ok(Datum::Value(a.kernel.number(&Dyadic::from(BigInt::from(number)))))
}

fn list(values: Vec<Value>) -> Result<Datum, CalcError> {
    Ok(Datum::List(values.into_iter().map(Datum::Value).collect()))
}

fn stop(a: &Arguments<'_>, first: Player) -> Result<Datum, CalcError> {
    use gb_value::PlayStop::{Number, Off, On};
    Ok(Datum::Value(match a.kernel.play_stop(a.value(0)?, first)? {
        Number(x) => a.kernel.number(&x),
        On => Value::ON,
        Off => Value::OFF,
    }))
}

fn options(a: &Arguments<'_>, player: Player) -> Result<Datum, CalcError> {
    Ok(Datum::List(options_of(a, player)?))
}

fn options_of(a: &Arguments<'_>, player: Player) -> Result<Vec<Datum>, CalcError> {
    if !a.is_loopy(0) {
        let options = a.kernel.options(a.value(0)?, player);
        if options.len() > MAX_LISTED {
            let message = format!("there are {} options, more than {MAX_LISTED}", options.len());
            return Err(CalcError::general(message));
        }
        return Ok(options.map(Datum::Value).collect());
    }
    a.loopy(0)?.options(a.kernel, player)
}

/// `n` copies of a game, with loops by doubling.
fn times(a: &Arguments<'_>) -> Result<Datum, CalcError> {
    let n = a.count(0)?;
    if !a.is_loopy(1) {
        match a.kernel.times(n, a.value(1)?) {
            Err(gb_value::Halt::Loopy) => {}
            result => return value(result),
        }
    }
    let mut power = if n < 0 { neg(a.kernel, &a.data[1])? } else { a.data[1].clone() };
    let (mut rest, mut total) = (n.unsigned_abs(), Datum::Value(Value::ZERO));
    while rest > 0 {
        if rest & 1 == 1 {
            total = add(a.kernel, &total, &power)?;
        }
        rest >>= 1;
        if rest > 0 {
            power = add(a.kernel, &power, &power)?;
        }
    }
    Ok(total)
}
