//! The built-in evaluators, in centipawns from a colour's view.

use super::{Color, Kind, State, file_of, offset, rank_of};

/// Own pieces minus enemy pieces.
pub fn material(state: &State, view: Color) -> i64 {
    let signed = |&(color, kind): &(Color, Kind)| {
        if color == view { worth(kind) } else { -worth(kind) }
    };
    state.board.iter().flatten().map(signed).sum()
}

fn worth(kind: Kind) -> i64 {
    match kind {
        Kind::Pawn => 100,
        Kind::Knight | Kind::Bishop => 300,
        Kind::Rook => 500,
        Kind::Queen => 900,
        Kind::King => 10_000,
    }
}

/// `material`, less 2000 when an own king is attacked (the evaluator called standard).
pub fn evaluate(state: &State, view: Color) -> i64 {
    let is_attacked =
        |king: usize| (0..64).any(|from| owns(state, from, view.other()) && attacks(state, from, king));
    let in_danger = state.squares_of((view, Kind::King)).into_iter().any(is_attacked);
    material(state, view) - if in_danger { 2000 } else { 0 }
}

/// `evaluate` plus pawn storm, proximity to the enemy king and attacks on the squares around it.
pub fn aggressive(state: &State, view: Color) -> i64 {
    let standard = evaluate(state, view);
    let Some(&king) = state.squares_of((view.other(), Kind::King)).first() else {
        return standard;
    };
    let own_squares = || (0..64).filter(|&from| owns(state, from, view));

    let pawns = state.squares_of((view, Kind::Pawn)).into_iter();
    let storm: i64 =
        pawns.map(|pawn| 15 * i64::from(view.forward()) * (rank_of(pawn) as i64 - view.rank(2) as i64)).sum();

    let proximity: i64 = own_squares()
        .map(|from| {
            let rate = match state.board[from] {
                Some((_, Kind::Knight | Kind::Bishop)) => 15,
                Some((_, Kind::Rook)) => 25,
                Some((_, Kind::Queen)) => 40,
                _ => 0,
            };
            let files = file_of(from).abs_diff(file_of(king));
            let ranks = rank_of(from).abs_diff(rank_of(king));
            rate * (8 - files.max(ranks) as i64)
        })
        .sum();

    let mut ring = 0;
    for files in -1..=1 {
        for ranks in -1..=1 {
            let Some(near) = offset(king, files, ranks).filter(|&near| near != king) else {
                continue;
            };
            ring += 25 * own_squares().filter(|&from| attacks(state, from, near)).count() as i64;
        }
    }
    standard + storm + proximity + ring
}

/// The five differences of piece counts, then material difference and total in pawns.
pub fn onnx_features(state: &State, view: Color) -> Vec<i64> {
    let types = [(Kind::Pawn, 1), (Kind::Knight, 3), (Kind::Bishop, 3), (Kind::Rook, 5), (Kind::Queen, 9)];
    let count = |color, kind| state.squares_of((color, kind)).len() as i64;
    let worth = |color| types.map(|(kind, value)| value * count(color, kind)).iter().sum::<i64>();
    let mut features: Vec<i64> =
        types.map(|(kind, _)| count(view, kind) - count(view.other(), kind)).to_vec();
    features.extend([worth(view) - worth(view.other()), worth(view) + worth(view.other())]);
    features
}

/// `onnx_features`, then the differences in micro-moves with a die of each type, and in king safety.
pub fn rich_features(state: &State, view: Color) -> Vec<i64> {
    let moves = |mover| State { mover, ..state.with_pool(&Kind::ALL) }.steps().len() as i64;
    let safety = |color| evaluate(state, color) - material(state, color);
    let mut features = onnx_features(state, view);
    features.push(moves(view) - moves(view.other()));
    features.push(safety(view) - safety(view.other()));
    features
}

/// A built-in evaluator's value as a search uses it for a leaf.
pub fn saturated(value: i64) -> i64 {
    value.clamp(-10_000, 10_000)
}

fn owns(state: &State, square: usize, color: Color) -> bool {
    matches!(state.board[square], Some((owner, _)) if owner == color)
}

fn attacks(state: &State, from: usize, to: usize) -> bool {
    state.attacks(from).contains(&to)
}
