//! Pawn endgames: the report of the analyst of chess.

use std::time::Duration;

use gb_chess::{Analysis, Ending, Proof, Request, Tables, analyse as analyse_chess, prove};
use gb_engine::Engine;
use gb_engine::analysis_json::{Facts, ValueFacts};
use gb_engine::picture::board::part_letter;
use gb_rules::Player;
use gb_value::Budget;
use gb_value::clock::Instant;
use serde::Serialize;

use super::{
    AnalysisView, AnalystError, Chosen, Effort, Event, Question, ShownLabel, ShownMove, ShownOption,
    ShownPart, finish,
};

/// The game.
pub const NAME: &str = "chess";

/// `a2` of a chess player is the first column and the seventh row from the top.
fn spot(square: &str) -> Option<String> {
    let (file, rank) = square.split_at_checked(1)?;
    let rank: u32 = rank.parse().ok().filter(|rank| (1..=8).contains(rank))?;
    Some(format!("{file}{}", 9 - rank))
}

/// `h3-h4`, `a5xb6`, `Kd1-c2`: the squares are where they are, whatever stands around them.
fn gesture(text: &str) -> Vec<String> {
    let plain = text.trim_start_matches(|c: char| c.is_ascii_uppercase());
    plain.split(['-', 'x']).filter_map(|square| spot(square.get(..2)?)).collect()
}

fn find(question: &Question, budget: &Budget) -> Result<Analysis, AnalystError> {
    let request = Request::new(&question.position)?;
    Ok(analyse_chess(&request, budget)?)
}

/// How long a proof is tried at least, as the command line does it; whoever gives more time gets half of it.
const PATIENCE: Duration = Duration::from_secs(3);

fn patience(budget: &Budget) -> Duration {
    let left = budget.deadline().map_or(PATIENCE, |end| end.saturating_duration_since(Instant::now()));
    PATIENCE.max(left / 2)
}

/// What is proved on the whole board.
fn proof(question: &Question, budget: &Budget) -> Option<Proof> {
    let request = Request::new(&question.position).ok()?;
    let tables = Tables::new(Tables::folder_of_user().as_deref());
    Some(prove(&request.board, &tables, &budget.part_of_time(patience(budget))))
}

/// The values and the proof together.
#[derive(Serialize)]
struct Found<'a> {
    #[serde(flatten)]
    analysis: &'a Analysis,
    proof: Option<&'a Proof>,
}

/// The verdict in a sentence: what is proved, and else a guess that says so.
fn sentence(proof: &Proof, position: &str) -> String {
    let mover = if position.split(' ').nth(1) == Some("b") { "Black" } else { "White" };
    match proof.ending {
        Some(ending) => format!("Proved, with {mover} to move: {}.", ending.text()),
        None => match proof.guess {
            Some(guess) => format!("Not proved, with {mover} to move. Best guess: {}.", guess.text()),
            None => format!("Not proved, with {mover} to move, and too close for a guess."),
        },
    }
}

/// Moves that the board proves to win, or to draw where nothing wins.
fn proved_moves(proof: &Proof, player: Player) -> Vec<ShownMove> {
    let (best, why) = match proof.ending {
        Some(ending) if ending == Ending::won_by(player) => (ending, "proved to win on the whole board"),
        Some(Ending::Draw) => (Ending::Draw, "proved to draw on the whole board"),
        _ => return vec![],
    };
    let good = proof.moves.iter().filter(|mv| mv.ending == Some(best));
    good.map(|mv| ShownMove { text: mv.text.clone(), gesture: gesture(&mv.text), reason: why.into() })
        .collect()
}

/// A move without the sign of a check, which not everybody writes.
fn plain(text: &str) -> &str {
    text.trim_end_matches(['+', '#'])
}

/// All legal moves; who wins after those of the player to move is known as far as it is proved.
fn moves_with_endings(
    question: &Question,
    proof: Option<&Proof>,
) -> Result<[Vec<ShownOption>; 2], AnalystError> {
    let position = gb_record::session::read_position(&question.games, &question.game, &question.position)?;
    Ok(Player::BOTH.map(|player| {
        let choices = position.moves(player, usize::MAX);
        let mut options: Vec<ShownOption> = choices.iter().map(ShownOption::unknown).collect();
        let proved = proof.filter(|_| player == question.to_play);
        for option in &mut options {
            let same = |mv: &&gb_chess::Choice| plain(&mv.text) == plain(&option.text);
            let ending = proved.and_then(|proof| proof.moves.iter().find(same)?.ending);
            option.winner = ending.map(|ending| match ending {
                Ending::White => "Left",
                Ending::Draw => "Draw",
                Ending::Black => "Right",
            });
            // What draws is good only where nothing wins.
            let is_best = ending.is_some() && ending == proved.and_then(|proof| proof.ending);
            option.wins = is_best && ending != Some(Ending::won_by(player.opponent()));
        }
        options
    }))
}

pub(super) fn options(question: &Question, effort: &Effort) -> Result<[Vec<ShownOption>; 2], AnalystError> {
    moves_with_endings(question, proof(question, &effort.budget).as_ref())
}

/// More labels than this would only confuse.
const MOST_LABELS: usize = 8;

/// The corresponding squares of the kings, each label tinted on the board like a part.
fn corresponding(proof: &Proof) -> Vec<ShownPart> {
    let Some(squares) = proof.squares.as_ref().filter(|squares| squares.labels.len() <= MOST_LABELS) else {
        return vec![];
    };
    let shown = |label: &gb_chess::Label| ShownPart {
        name: label.label.to_string(),
        position: "corresponding squares".into(),
        cells: label.white.iter().chain(&label.black).filter_map(|square| spot(square)).collect(),
        facts: Some(Facts { value: "corresponding".into(), ..Facts::default() }),
        note: format!(
            "White's king {}, Black's king {}: whoever has to move is worse off",
            label.white.join(" "),
            label.black.join(" ")
        ),
        thermograph: None,
    };
    squares.labels.iter().map(shown).collect()
}

/// The same as words on the board, one for each king: a square may matter to both, with different labels.
fn labels(proof: &Proof) -> Vec<ShownLabel> {
    let Some(squares) = proof.squares.as_ref().filter(|squares| squares.labels.len() <= MOST_LABELS) else {
        return vec![];
    };
    let mut list = vec![];
    for label in &squares.labels {
        for (player, names) in Player::BOTH.into_iter().zip([&label.white, &label.black]) {
            let written = |spot: String| ShownLabel { spot, text: label.label.to_string(), player };
            list.extend(names.iter().filter_map(|name| spot(name)).map(written));
        }
    }
    list
}

pub(super) fn analyse(
    _: &Engine,
    question: &Question,
    effort: &Effort,
    tell: &dyn Fn(Event),
) -> Result<(), AnalystError> {
    let found = find(question, &effort.budget)?;
    let proof = proof(question, &effort.budget);
    let facts = |value: &str, outcome: Option<&str>| Facts {
        value: value.to_owned(),
        known: ValueFacts { outcome: outcome.map(str::to_owned), ..ValueFacts::default() },
    };
    let parts = found.chunks.iter().enumerate().map(|(index, chunk)| ShownPart {
        name: part_letter(index).to_string(),
        position: chunk.name.clone(),
        cells: chunk.pawns.iter().filter_map(|square| spot(square)).collect(),
        facts: Some(facts(&chunk.value, None)),
        note: if chunk.nodes == 1 { "1 node".into() } else { format!("{} nodes", chunk.nodes) },
        thermograph: None,
    });
    let moves = Player::BOTH.map(|player| {
        let moves = found.winning[player as usize].iter();
        let shown = |w: &gb_chess::Winning| ShownMove {
            text: w.text.clone(),
            gesture: gesture(&w.text),
            reason: w.reason.clone(),
        };
        // Where the board is solved, it has the last word about the player to move.
        match &proof {
            Some(proof) if player == question.to_play && proof.ending.is_some() => {
                proved_moves(proof, player)
            }
            _ => moves.map(shown).collect(),
        }
    });
    let shown = AnalysisView {
        verdict: match &proof {
            Some(proof) => sentence(proof, &question.position),
            None => "A pawn is promoted: the game of pawns is over.".into(),
        },
        parts: parts.chain(proof.iter().flat_map(corresponding)).collect(),
        sum: Some(ShownPart {
            name: "sum".into(),
            facts: Some(facts(&found.sum, Some(&found.outcome))),
            ..ShownPart::default()
        }),
        title: match proof.as_ref().and_then(|proof| proof.ending) {
            Some(Ending::Draw) => "draws with".into(),
            Some(_) => "wins with".into(),
            None if found.complex.zugzwang => "wins by the values with".into(),
            None => "would win, if the kings stayed, with".into(),
        },
        moves,
        stopped: proof.as_ref().and_then(|proof| proof.stopped.clone()),
        report: Some(found.text(proof.as_ref())),
        labels: proof.as_ref().map_or_else(Vec::new, labels),
        options: moves_with_endings(question, proof.as_ref())?,
        ..AnalysisView::default()
    };
    finish(tell, &shown, &Found { analysis: &found, proof: proof.as_ref() });
    Ok(())
}

pub(super) fn choose(
    _: &Engine,
    question: &Question,
    _player: Option<&str>,
    effort: &Effort,
) -> Result<Chosen, AnalystError> {
    let position = gb_record::session::read_position(&question.games, &question.game, &question.position)?;
    let moves = position.moves(question.to_play, usize::MAX);
    let shown = |choice: &gb_rules::Choice, why: &str| Chosen {
        text: choice.text.clone(),
        gesture: choice.gesture.iter().map(|spot| spot.to_string()).collect(),
        why: why.to_owned(),
    };
    // What is proved first: a winning move, or one that does not lose, or the longest defence.
    if let Some(proof) = proof(question, &effort.budget) {
        let find = |text: &str| moves.iter().find(|choice| plain(&choice.text) == plain(text));
        if let (Some(ending), Some(choice)) = (proof.ending, proof.line.first().and_then(|text| find(text))) {
            return Ok(shown(choice, &format!("proved: {}", ending.text())));
        }
    }
    // Without an analysis any legal move is better than none.
    if let Ok(found) = find(question, &effort.budget) {
        for winning in &found.winning[question.to_play as usize] {
            if let Some(choice) = moves.iter().find(|choice| choice.text == winning.text) {
                return Ok(shown(choice, &winning.reason));
            }
        }
    }
    let first = moves.first().ok_or(AnalystError::NoMove(question.to_play))?;
    Ok(shown(first, "no move is known to win"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_of_chess_players_are_spots_of_the_scene() {
        assert_eq!(gesture("h3-h4"), ["h6", "h5"]);
        assert_eq!(gesture("a5xb6"), ["a4", "b3"]);
        assert_eq!(gesture("a7-a8Q"), ["a2", "a1"]);
        assert_eq!(gesture("Ke5-d4"), ["e4", "d5"]);
    }
}
