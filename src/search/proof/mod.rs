//! The win proof: brackets of the probability of capturing the king first, deepened until one turn is proven best.

mod bracket;
mod root;
mod tree;

pub use bracket::Bracket;

use std::sync::Arc;

use self::root::RootScratch;
use self::tree::{Scratch, Tree};
use super::pool::Pool;
use super::root::{require_roll, reserve};
use super::{SearchControl, SearchError, TranspositionTable};
use crate::board::{Color, Position};
use crate::rules::Turn;

/// The furthest a proof can look ahead, in turns.
pub const MAX_PROOF_HORIZON: u32 = 32;

/// How far a proof looks, and what it can remember.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WinProofConfig {
    /// Turns after a turn of the root, 1 to [`MAX_PROOF_HORIZON`]: 1 is the opponent's roll and turn, 2 adds the own roll
    /// and turn to that.
    pub max_horizon: u32,
    /// Entries of each of the two transposition tables of a search, one for each end of the brackets; at most
    /// [`TranspositionTable::MAX_CAPACITY`], and rounded up as there.
    pub table_capacity: usize,
}

impl Default for WinProofConfig {
    /// Four turns, and tables of [`TranspositionTable::DEFAULT_CAPACITY`].
    fn default() -> Self {
        Self { max_horizon: 4, table_capacity: TranspositionTable::DEFAULT_CAPACITY }
    }
}

/// Why a proof search stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofVerdict {
    /// No turn is better than the chosen one: its lower end is at least the upper end of every other, or it captures the
    /// king, or the roll leads to one position only.
    Proven,
    /// The horizon of the configuration was searched.
    HorizonReached,
    /// The budget, the deadline or the cancel flag ended the search.
    Cancelled,
}

/// The turn a proof search chose: with the greatest lower end; of those with the greatest upper end; of those by the seed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProofTurn {
    /// A legal turn of the root.
    pub turn: Turn,
    /// Bounds of the mover's win probability after it.
    pub bracket: Bracket,
    /// Whether it is proven best.
    pub verdict: ProofVerdict,
}

/// A turn of the root, and what is known of the mover's win probability after it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BracketedTurn {
    /// The first of the legal turns that lead to its position.
    pub turn: Turn,
    /// Bounds of the mover's win probability.
    pub bracket: Bracket,
}

/// What a proof search did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProofStats {
    /// Legal turns of the root.
    pub legal_turns: u64,
    /// Distinct positions that they lead to; 0 for a king capture.
    pub distinct_turns: u64,
    /// Turns that could still be better than the chosen one; none when it is proven.
    pub open_rivals: u64,
    /// The horizon of the last search that was completed for every turn that could be best, or that completed the proof.
    pub horizon: u32,
    /// Chance nodes opened.
    pub chance_nodes: u64,
    /// Units of the budget used so far, by earlier calls too; 0 without a budget, and where nothing had to be searched.
    pub work_used: u64,
}

/// The answer of a proof search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProofResult {
    /// The chosen turn; `None` only for a forced pass.
    pub best: Option<ProofTurn>,
    /// What was done.
    pub stats: ProofStats,
}

/// A search for the turn with the greatest probability of capturing the king first, that stops as soon as it has a proof.
///
/// Two expectimax searches of one horizon enclose the true probability under best play by both sides: one counts every line
/// that is undecided at the horizon as lost, the other as won. Deeper horizons narrow the bracket, each by one search: the
/// own turns raise the lower end, the opponent's lower the upper end. The search deepens turn by turn and stops when the
/// lower end of one root turn is at least the upper end of every other: no depth can change that any more ("Where a search
/// may stop", the bracket; the stopping rule of Berliner's B*, *Artificial Intelligence* 12, 1979). No evaluator takes part.
///
/// * Every legal turn is covered; turns that lead to the same position are searched once, as the first of them.
/// * A turn whose upper end is at most the best lower end is proven no better and is not searched further. One that a
///   search proves to lie below the best lower end keeps the lower end of an earlier horizon, and gets as its upper end
///   what was proven. The ends of the chosen turn are those of its horizon.
/// * The proof names *a* best turn. Turns of exactly equal value whose brackets do not close stay unresolved, and the search
///   goes on to its horizon.
///
/// Can be used for many searches, also at the same time; what they need is pooled, so that searches do not allocate once
/// the pool has grown. Each begins with empty tables: the same limits give the same result, unless a clock is one of them.
///
/// ```
/// use dicechess_native::board::Position;
/// use dicechess_native::search::{ProofVerdict, SearchControl, WinProof, WinProofConfig};
///
/// let root: Position = "5r2/8/6k1/1B3K2/8/8/2P5/8 w - - 0 1 BRQ".parse()?;
/// let proof = WinProof::new(WinProofConfig::default())?;
/// let result = proof.find_proven_move(&root, &SearchControl::unbounded(), 7)?;
/// let best = result.best.unwrap();
/// assert_eq!((best.turn.to_string().as_str(), best.verdict), ("b5e8", ProofVerdict::Proven));
/// assert_eq!(result.stats.horizon, 3);
/// // At least 20.8 and at most 29.6 percent; every other turn wins less often than that.
/// assert!(best.bracket.lower > 0.208 && best.bracket.upper < 0.297);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct WinProof {
    config: WinProofConfig,
    pool: Arc<ProofPool>,
}

/// What searches with tables of one capacity need for their work, kept between them.
#[derive(Default)]
pub(crate) struct ProofPool(Pool<(Scratch, RootScratch)>);

impl WinProof {
    /// A search with this configuration.
    ///
    /// # Errors
    /// When the horizon or the capacity of the tables is not supported.
    pub fn new(config: WinProofConfig) -> Result<Self, SearchError> {
        let proof = Self::with_pool(config, Arc::default())?;
        // The first search finds its tables made.
        proof.pool.0.push((Scratch::new(config.table_capacity)?, RootScratch::default()));
        Ok(proof)
    }

    /// A search with the scratch of others, whose tables have the same capacity; they are made when first needed.
    pub(crate) fn with_pool(config: WinProofConfig, pool: Arc<ProofPool>) -> Result<Self, SearchError> {
        require_horizon(config.max_horizon)?;
        Ok(Self { config, pool })
    }

    /// The turn of `root` that is proven best with its dice, or the best by what `control` allows to prove.
    ///
    /// There is always a turn unless the roll is a forced pass. Finding the legal turns and the king captures is done even
    /// when the control is cancelled at entry, and is not charged to the budget. `seed` breaks ties between turns with the
    /// same bracket.
    ///
    /// # Errors
    /// When a king is missing, the pool is empty, there are more turns than are listed, or memory does not hold them or the
    /// tables.
    pub fn find_proven_move(
        &self,
        root: &Position,
        control: &SearchControl<'_>,
        seed: u64,
    ) -> Result<ProofResult, SearchError> {
        self.search(root, control, seed, None)
    }

    /// [`WinProof::find_proven_move`] that also tells of every turn: `turns` is replaced by one for each distinct position,
    /// best bracket first; by none for a forced pass or a king capture.
    ///
    /// # Errors
    /// As [`WinProof::find_proven_move`].
    pub fn bracket_moves(
        &self,
        root: &Position,
        control: &SearchControl<'_>,
        seed: u64,
        turns: &mut Vec<BracketedTurn>,
    ) -> Result<ProofResult, SearchError> {
        self.search(root, control, seed, Some(turns))
    }

    /// The bracket of the probability that `perspective` captures the king first, at a position before the roll, `horizon`
    /// turns ahead; at the last horizon that was completed when the control cancels.
    ///
    /// # Errors
    /// When a king is missing, dice are left, the horizon is not supported, or memory does not hold the tables.
    pub fn win_bracket(
        &self,
        before_roll: &Position,
        perspective: Color,
        horizon: u32,
        control: &SearchControl<'_>,
    ) -> Result<Bracket, SearchError> {
        require_horizon(horizon)?;
        self.with_tree(perspective, control, |tree, _| {
            let mut bracket = Bracket::UNKNOWN;
            for horizon in 1..=horizon {
                if !tree.narrow(&mut bracket, before_roll, horizon, f64::NEG_INFINITY)? {
                    break;
                }
            }
            Ok(bracket)
        })
    }

    fn search(
        &self,
        root: &Position,
        control: &SearchControl<'_>,
        seed: u64,
        turns: Option<&mut Vec<BracketedTurn>>,
    ) -> Result<ProofResult, SearchError> {
        require_roll(root)?;
        self.with_tree(root.side_to_move(), control, |tree, scratch| {
            let result = root::search(root, self.config.max_horizon, control, tree, scratch, seed)?;
            if let Some(turns) = turns {
                turns.clear();
                reserve(turns, scratch.bracketed().len(), result.stats.legal_turns as usize)?;
                turns.extend(scratch.bracketed());
            }
            Ok(result)
        })
    }

    fn with_tree<T>(
        &self,
        perspective: Color,
        control: &SearchControl<'_>,
        search: impl FnOnce(&mut Tree<'_>, &mut RootScratch) -> Result<T, SearchError>,
    ) -> Result<T, SearchError> {
        let (mut scratch, mut root_scratch) = match self.pool.0.pop() {
            Some(pooled) => pooled,
            None => (Scratch::new(self.config.table_capacity)?, RootScratch::default()),
        };
        let result = search(&mut Tree::new(perspective, control, &mut scratch), &mut root_scratch);
        scratch.shrink();
        root_scratch.shrink();
        self.pool.0.push((scratch, root_scratch));
        result
    }
}

fn require_horizon(horizon: u32) -> Result<(), SearchError> {
    if (1..=MAX_PROOF_HORIZON).contains(&horizon) { Ok(()) } else { Err(SearchError::ProofHorizon(horizon)) }
}
