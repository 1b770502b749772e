//! Certificates that were changed.

use gb_board::Random;
use gb_proof::{Claim, Sizes, Want};

use crate::{TINY, checked, proved, proved_as};

/// The certificate with its lines as they are now and a checksum that fits.
fn sealed(lines: &[String]) -> String {
    let body: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let hash = blake3::hash(body.as_bytes()).to_hex();
    format!("{body}end {} {hash}\n", lines.len())
}

/// A change that makes a fact or a claim say something else, or takes away what another rests on.
fn mutated(lines: &[String], random: &mut Random) -> Option<Vec<String>> {
    let mut lines = lines.to_vec();
    let at = 2 + random.index(lines.len() as u32 - 2) as usize;
    let mut words: Vec<String> = lines[at].split(' ').map(str::to_owned).collect();
    match random.index(4) {
        // A fact is left out.
        0 => {
            lines.remove(at);
            return Some(lines);
        }
        // Two lines change places.
        1 => {
            let other = 2 + random.index(lines.len() as u32 - 2) as usize;
            lines.swap(at, other);
        }
        // A word is another one of the certificate.
        2 => {
            let from = 2 + random.index(lines.len() as u32 - 2) as usize;
            let others: Vec<&str> = lines[from].split(' ').collect();
            let other = others[random.index(others.len() as u32) as usize].to_owned();
            let word = random.index(words.len() as u32) as usize;
            words[word] = other;
            lines[at] = words.join(" ");
        }
        // A letter is another one.
        _ => {
            let word = random.index(words.len() as u32) as usize;
            let letters = b".#xo0123456789*|=LRVED@~>:";
            let mut bytes = words[word].clone().into_bytes();
            if bytes.is_empty() {
                return None;
            }
            let place = random.index(bytes.len() as u32) as usize;
            bytes[place] = letters[random.index(letters.len() as u32) as usize];
            words[word] = String::from_utf8(bytes).ok()?;
            lines[at] = words.join(" ");
        }
    }
    Some(lines)
}

/// What is claimed, whichever move it wins by.
fn says(claim: &Claim) -> String {
    let said = claim.to_string();
    said.split(" by leaving ").next().unwrap_or_default().to_owned()
}

/// Of a changed certificate nothing is believed that is not true: it is refused, or claims the same as before (a fact that nobody
/// needs was left out, or another reply is as good).
#[test]
fn changed_certificates_are_refused_or_still_true() {
    let times = if std::env::var_os("GB_LONG_TESTS").is_some() { 2_000 } else { 150 };
    let mut random = Random::new(24, 2);
    let (mut refused, mut harmless) = (0, 0);
    let usual = &Sizes::default();
    for (name, board, want, sizes) in [
        ("domineering", "....|....|....", Want::Outcome, usual),
        ("domineering", "...|...|...", Want::Value, usual),
        // By the best options, by comparing, and with facts that are pointed to.
        ("domineering", "....|....|...#", Want::Value, &TINY),
        ("clobber", "xoxo|oxox", Want::Value, usual),
        ("clobber", "xoxo|oxox", Want::Value, &TINY),
        ("clobber", "xoxo|oxox|xoxo", Want::Outcome, usual),
        ("cram", "....|....|....", Want::Value, usual),
        ("snort", "...|...|...", Want::Outcome, usual),
        ("octal(0.77)", "12", Want::Value, usual),
        // Wins of games that repeat or end at once, and a draw.
        ("fox-and-geese", "x.x.|....|....|.o..", Want::Outcome, usual),
        ("pawns", "2/pp/2/2/2/PP/2", Want::Outcome, usual),
        ("chess", "8/8/8/8/4k3/8/4P3/4K3 w - - 0 1", Want::Outcome, usual),
    ] {
        let (proof, certificate) = proved_as(name, &[board], want, sizes).unwrap();
        let mut lines: Vec<String> = certificate.lines().map(str::to_owned).collect();
        lines.pop();
        for _ in 0..times {
            let Some(changed) = mutated(&lines, &mut random) else { continue };
            if changed == lines {
                continue;
            }
            match checked(&sealed(&changed)) {
                Err(_) => refused += 1,
                Ok(accepted) => {
                    // Another board may be claimed about, and rightly; what is claimed of this one has not changed.
                    for claim in accepted.claims.iter().filter(|claim| claim.to_string().contains(board)) {
                        assert!(
                            proof.claims.iter().any(|known| says(known) == says(claim)),
                            "{name} {board}: {claim}\n{}",
                            changed.join("\n")
                        );
                    }
                    harmless += 1;
                }
            }
            // Without a checksum that fits, every change is refused.
            let last = certificate.lines().last().unwrap();
            let unsealed = format!("{}\n{last}\n", changed.join("\n"));
            assert!(checked(&unsealed).is_err());
        }
    }
    assert!(refused > 3 * harmless, "{refused} refused, {harmless} accepted");
    println!("{refused} refused, {harmless} harmless");
}

/// Files that were cut or are something else.
#[test]
fn damaged_files_are_refused() {
    let (_, certificate) = proved("clobber", &["xoxo|oxox"], Want::Value).unwrap();
    for end in (0..certificate.len()).step_by(97) {
        assert!(checked(&certificate[..end]).is_err(), "{end}");
    }
    for wrong in ["", "hello\n", "gamebench-proof 1\n", "gamebench-proof 2\n", "gamebench-proof 2\nend 1 0\n"]
    {
        assert!(checked(wrong).is_err(), "{wrong}");
    }
    assert!(checked(&format!("{certificate}\n")).is_err());
}
