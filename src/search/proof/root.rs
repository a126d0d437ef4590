//! The root of a proof: deepens the brackets of all turns until one of them is proven best.

use std::collections::HashSet;

use super::bracket::Bracket;
use super::tree::{End, Tree};
use super::{BracketedTurn, ProofResult, ProofStats, ProofTurn, ProofVerdict};
use crate::board::Position;
use crate::rules::{Turn, TurnPlayer, Turns};
use crate::search::root::{MAX_KEPT_ROOT_BYTES, list_turns};
use crate::search::{SearchControl, SearchError, ties};

/// A turn of the root that leads to a position of its own.
#[derive(Debug)]
struct Rival {
    turn: Turn,
    /// Its place in canonical order.
    place: usize,
    position: Position,
    bracket: Bracket,
}

/// Buffers of the root, kept between searches.
#[derive(Debug, Default)]
pub(super) struct RootScratch {
    turns: Turns,
    seen: HashSet<Position>,
    /// Best first: by lower end, upper end, and place.
    rivals: Vec<Rival>,
}

impl RootScratch {
    /// The turns with their brackets, best first.
    pub(super) fn bracketed(&self) -> impl ExactSizeIterator<Item = BracketedTurn> + '_ {
        self.rivals.iter().map(|rival| BracketedTurn { turn: rival.turn, bracket: rival.bracket })
    }

    /// One turn for each position that the turns of `root` lead to: the first. Draws are left to the host, so clocks tell
    /// no positions apart.
    fn collect_rivals(&mut self, root: &Position) -> Result<(), SearchError> {
        let too_many = SearchError::TooManyTurns { turns: self.turns.len() };
        self.seen.clear();
        let mut player = TurnPlayer::new(root);
        for &turn in self.turns.quiet() {
            let mut position = player.play(turn).end_turn();
            position.set_half_move(0);
            // How many there will be is not known: room is made for one more, which grows by doubling.
            if self.seen.try_reserve(1).is_err() || self.rivals.try_reserve(1).is_err() {
                return Err(too_many);
            }
            if self.seen.insert(position) {
                let place = self.rivals.len();
                self.rivals.push(Rival { turn, place, position, bracket: Bracket::UNKNOWN });
            }
        }
        Ok(())
    }

    /// Starts over when the buffers have grown too large.
    pub(super) fn shrink(&mut self) {
        let seen = self.seen.capacity() * size_of::<Position>();
        if self.turns.bytes() + seen + self.rivals.capacity() * size_of::<Rival>() > MAX_KEPT_ROOT_BYTES {
            *self = Self::default();
        }
    }

    fn sort(&mut self) {
        self.rivals.sort_unstable_by(|a, b| {
            let ends = |rival: &Rival| (rival.bracket.lower, rival.bracket.upper);
            let ((a_lower, a_upper), (b_lower, b_upper)) = (ends(a), ends(b));
            b_lower.total_cmp(&a_lower).then(b_upper.total_cmp(&a_upper)).then(a.place.cmp(&b.place))
        });
    }
}

/// How many turns could still be better than the first, which has the greatest lower end.
fn open_rivals(rivals: &[Rival]) -> usize {
    let best = rivals[0].bracket.lower;
    rivals[1..].iter().filter(|rival| rival.bracket.upper > best).count()
}

/// Searches `root`, which has dice and both kings, within `max_horizon` turns after each of its own.
pub(super) fn search(
    root: &Position,
    max_horizon: u32,
    control: &SearchControl<'_>,
    tree: &mut Tree<'_>,
    scratch: &mut RootScratch,
    seed: u64,
) -> Result<ProofResult, SearchError> {
    scratch.rivals.clear();
    let mut stats = ProofStats::default();
    list_turns(&mut scratch.turns, root)?;
    stats.legal_turns = scratch.turns.len() as u64;
    if let Some(&turn) = scratch.turns.captures().iter().min_by_key(|turn| turn.len()) {
        let best = ProofTurn { turn, bracket: Bracket::WON, verdict: ProofVerdict::Proven };
        return Ok(ProofResult { best: Some(best), stats });
    }
    if scratch.turns.is_empty() {
        return Ok(ProofResult { best: None, stats });
    }
    scratch.collect_rivals(root)?;
    let verdict = deepen(max_horizon, control, tree, scratch, &mut stats)?;
    stats.distinct_turns = scratch.rivals.len() as u64;
    stats.open_rivals = open_rivals(&scratch.rivals) as u64;
    stats.chance_nodes = tree.chance_nodes;
    stats.work_used = control.work_used();
    Ok(ProofResult { best: Some(choose(&scratch.rivals, verdict, seed)), stats })
}

/// Looks one turn further ahead, again and again.
fn deepen(
    max_horizon: u32,
    control: &SearchControl<'_>,
    tree: &mut Tree<'_>,
    scratch: &mut RootScratch,
    stats: &mut ProofStats,
) -> Result<ProofVerdict, SearchError> {
    for horizon in 1..=max_horizon {
        if open_rivals(&scratch.rivals) == 0 {
            break;
        }
        let completed = narrow_all(horizon, control, tree, &mut scratch.rivals)?;
        scratch.sort();
        if !completed && open_rivals(&scratch.rivals) > 0 {
            return Ok(ProofVerdict::Cancelled);
        }
        stats.horizon = horizon;
    }
    Ok(if open_rivals(&scratch.rivals) == 0 { ProofVerdict::Proven } else { ProofVerdict::HorizonReached })
}

/// Searches every turn that could be best; `false` when the control cancels.
///
/// The turn with the greatest lower end comes first where lower ends are raised, so that the others can be cut against it,
/// and last where upper ends are lowered, as its own is not part of the proof.
fn narrow_all(
    horizon: u32,
    control: &SearchControl<'_>,
    tree: &mut Tree<'_>,
    rivals: &mut [Rival],
) -> Result<bool, SearchError> {
    let mut best = rivals[0].bracket;
    let lower = tree.end_moved_by(horizon, &rivals[0].position) == End::Lower;
    for step in 0..rivals.len() {
        let i = if lower { step } else { rivals.len() - 1 - step };
        if i == 0 && !lower && open_rivals(rivals) == 0 {
            break;
        }
        let Rival { position, bracket, .. } = &mut rivals[i];
        if i > 0 && bracket.upper <= best.lower {
            continue;
        }
        if control.is_cancelled() || !tree.narrow(bracket, position, horizon, best.alpha())? {
            return Ok(false);
        }
        if bracket.lower > best.lower {
            best = *bracket;
        }
    }
    Ok(true)
}

/// The best turn: the greatest lower end, of those the greatest upper end, of those by the seed.
fn choose(rivals: &[Rival], verdict: ProofVerdict, seed: u64) -> ProofTurn {
    let ends = rivals.iter().map(|rival| (rival, (rival.bracket.lower, rival.bracket.upper)));
    let (best, _) = ties::best(ends, &mut ties::seeded(seed)).expect("a proof has turns to choose from");
    ProofTurn { turn: best.turn, bracket: best.bracket, verdict }
}
