//! The expectimax search as its users see it: configuration, parts, entry points.

use std::sync::Arc;

use super::chance_node::{self, ChanceResult, Shared, Value};
use super::pool::Pool;
use super::root::{self, Candidate, RootScratch, SearchResult};
use super::tree::{NodeSource, Scratch, Tree};
use super::{SearchControl, SearchError, TranspositionTable, UtilityBounds};
use crate::board::{Color, Position};
use crate::eval::{BuiltIn, Evaluator};
use crate::rules::Budget;

/// The most threads of one search.
pub const MAX_THREADS: usize = 256;

/// The deepest search, in full turns.
pub const MAX_SEARCH_DEPTH: u32 = 8;

/// How wide and how deep a search looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExpectimaxConfig {
    /// How many of the best turns by the pre-ranker are searched; at least 1.
    pub candidate_limit: usize,
    /// Keeps bounds out of the transposition table: neither stored nor used. Cuts stay.
    pub exact_only: bool,
    /// Full turns, 2 to [`MAX_SEARCH_DEPTH`]: 2 is the own turn, the opponent's roll and reply; 3 adds the own roll and
    /// reply to that.
    pub search_depth: u32,
    /// Selects the best distinct positions, each by its first turn, instead of the best turns, of which several may lead to
    /// one position. Distinct means another board, targets, rights or half-move clock, whoever reads the clock.
    pub distinct_candidates: bool,
    /// Probes each roll by the mover's best reply by material, searched to its end, before any roll is decided (Star2). Without
    /// it probes are cheap: king captures and, one ply above the leaves, a few replies to each roll.
    pub reply_probes: bool,
    /// How many threads share the classes of each root candidate, 1 to [`MAX_THREADS`]. More than one only without a work
    /// budget. Turn, score, outcome and ties are those of one thread; what may differ is how far a candidate that is not the
    /// best was looked at, and so its bound, `candidates_completed`, `cutoffs`, `rolls_saved`, `chance_nodes` and `leaves`.
    pub threads: usize,
}

impl Default for ExpectimaxConfig {
    /// Eight turns, two deep; bounds are cached, probes are cheap.
    fn default() -> Self {
        Self {
            candidate_limit: 8,
            exact_only: false,
            search_depth: 2,
            distinct_candidates: false,
            reply_probes: false,
            threads: 1,
        }
    }
}

/// Blends a second opinion on the position after a candidate into its value.
///
/// The final value is `(1 − weight) · search + weight · rescore`; a candidate that loses the king on some roll keeps its
/// search value.
#[derive(Clone, Copy)]
pub struct RootRescore<'a> {
    /// Scores the candidates' positions, in one batch.
    pub evaluator: &'a dyn Evaluator,
    /// From 0, which never calls the evaluator, to 1.
    pub weight: f64,
}

/// Exact chance-node expectimax ("Weighted Chance-Node Search", section 5).
///
/// Can be used for many searches, also at the same time; what they need is pooled, so that searches do not allocate once
/// the pool has grown.
///
/// Three ways to limit a search:
///
/// ```
/// use dicechess_native::board::Position;
/// use dicechess_native::eval::BuiltIn;
/// use dicechess_native::rules::Budget;
/// use dicechess_native::search::{Expectimax, ExpectimaxConfig, SearchControl, monotonic_nanos};
///
/// let search = Expectimax::new(ExpectimaxConfig::default(), &BuiltIn::Material)?;
/// let state: Position =
///     "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 2 3 NBP".parse()?;
///
/// // Deterministic: the same budget bounds every nested reply generation; reproducible on any machine.
/// let budget = Budget::new(50_000);
/// let fixed = search.find_best_move(&state, &SearchControl::unbounded().with_budget(&budget), 7)?;
///
/// // Timed.
/// let deadline = monotonic_nanos() + 100_000_000;
/// let timed = search.find_best_move(&state, &SearchControl::unbounded().with_deadline(deadline), 7)?;
///
/// // Both: whichever limit fires first cancels; there is always a legal turn unless the roll is a forced pass.
/// let budget = Budget::new(50_000);
/// let control = SearchControl::unbounded().with_budget(&budget).with_deadline(monotonic_nanos() + 100_000_000);
/// let both = search.find_best_move(&state, &control, 7)?;
/// assert!(fixed.best.is_some() && timed.best.is_some() && both.best.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Expectimax<'a> {
    pub(super) config: ExpectimaxConfig,
    pub(super) evaluator: &'a dyn Evaluator,
    pub(super) pre_ranker: Option<&'a dyn Evaluator>,
    pub(super) rescore: Option<RootRescore<'a>>,
    table: Option<&'a TranspositionTable>,
    scratch: Arc<ScratchPool>,
}

/// What searches with leaf evaluators of one kind (reading the clocks or not) need for their work, kept between them. What
/// one board has blown up is not kept: at most 16 MB for the root and as much for each ply below it.
#[derive(Default)]
pub(crate) struct ScratchPool(Pool<(Scratch, RootScratch)>);

impl<'a> Expectimax<'a> {
    /// A search with this configuration and leaf evaluator, a material pre-ranker, no root rescore and no table.
    ///
    /// # Errors
    /// When the candidate limit is 0, or the depth or the number of threads is not supported.
    pub fn new(config: ExpectimaxConfig, evaluator: &'a dyn Evaluator) -> Result<Self, SearchError> {
        if config.candidate_limit == 0 {
            return Err(SearchError::CandidateLimit(config.candidate_limit));
        }
        if !(2..=MAX_SEARCH_DEPTH).contains(&config.search_depth) {
            return Err(SearchError::SearchDepth(config.search_depth));
        }
        if !(1..=MAX_THREADS).contains(&config.threads) {
            return Err(SearchError::Threads(config.threads));
        }
        Ok(Self {
            config,
            evaluator,
            pre_ranker: Some(&BuiltIn::Material),
            rescore: None,
            table: None,
            scratch: Arc::default(),
        })
    }

    /// With another pre-ranker; without one, turns are selected in canonical order.
    #[must_use]
    pub fn with_pre_ranker(self, pre_ranker: Option<&'a dyn Evaluator>) -> Self {
        Self { pre_ranker, ..self }
    }

    /// With a root rescore.
    ///
    /// # Errors
    /// When the weight is not within 0–1.
    pub fn with_root_rescore(self, rescore: RootRescore<'a>) -> Result<Self, SearchError> {
        if !(0.0..=1.0).contains(&rescore.weight) {
            return Err(SearchError::RescoreWeight(rescore.weight));
        }
        Ok(Self { rescore: (rescore.weight > 0.0).then_some(rescore), ..self })
    }

    /// With a transposition table, which may be shared with other searches that have the same leaf evaluator.
    ///
    /// # Errors
    /// When the table belongs to another evaluator.
    pub fn with_table(self, table: &'a TranspositionTable) -> Result<Self, SearchError> {
        table.claim(self.evaluator)?;
        Ok(Self { table: Some(table), ..self })
    }

    /// With the scratch of other searches, whose leaf evaluators read the clocks just when this one's does.
    #[must_use]
    pub(crate) fn with_scratch(self, scratch: Arc<ScratchPool>) -> Self {
        Self { scratch, ..self }
    }

    /// The best turn of `root` with its dice, as far as `control` allows.
    ///
    /// There is always a turn unless the roll is a forced pass: a king capture if there is one, else the best of the
    /// candidates that were finished, else the pre-ranker's first. Finding the legal turns, the captures and the pre-rank is
    /// done even when the control is cancelled at entry, and is not charged to the budget. `seed` breaks exact ties: the
    /// same seed, the same budget and a table in the same state give the same result everywhere.
    ///
    /// # Errors
    /// When a king is missing, the pool is empty, there are more than [`Turns::MAX`](crate::rules::Turns::MAX) turns or more
    /// than memory holds, several threads are to share a budget, or an evaluator leaves its range.
    ///
    /// # Panics
    /// When memory does not hold the replies to a turn, on boards that no game reaches. Later searches are not affected.
    pub fn find_best_move(
        &self,
        root: &Position,
        control: &SearchControl<'_>,
        seed: u64,
    ) -> Result<SearchResult, SearchError> {
        self.search(root, control, seed, None)
    }

    /// [`Expectimax::find_best_move`] that also tells of every candidate: `candidates` is replaced by them, in pre-rank
    /// order; by none for a forced pass or a king capture.
    ///
    /// # Errors
    /// As [`Expectimax::find_best_move`].
    pub fn rank_moves(
        &self,
        root: &Position,
        control: &SearchControl<'_>,
        seed: u64,
        candidates: &mut Vec<Candidate>,
    ) -> Result<SearchResult, SearchError> {
        self.search(root, control, seed, Some(candidates))
    }

    fn search(
        &self,
        root: &Position,
        control: &SearchControl<'_>,
        seed: u64,
        candidates: Option<&mut Vec<Candidate>>,
    ) -> Result<SearchResult, SearchError> {
        root::require_roll(root)?;
        self.require_no_budget_for_threads(control)?;
        self.with_tree(root.side_to_move(), control, |tree, scratch| {
            let result = root::search(self, root, tree, scratch, seed)?;
            if let Some(candidates) = candidates {
                scratch.tell(candidates)?;
            }
            Ok(result)
        })
    }

    /// The chance node at `after_turn`, whose side to move is about to roll, for `perspective`: what it is worth when
    /// `search_depth − 1` turns follow. The value of a position before the roll.
    ///
    /// # Errors
    /// When a king is missing, dice are left, several threads are to share a budget, or the evaluator leaves its range.
    ///
    /// # Panics
    /// As [`Expectimax::find_best_move`].
    pub fn chance_value(
        &self,
        after_turn: &Position,
        perspective: Color,
        control: &SearchControl<'_>,
    ) -> Result<ChanceResult, SearchError> {
        let open = (f64::NEG_INFINITY, f64::INFINITY);
        self.require_no_budget_for_threads(control)?;
        self.with_tree(perspective, control, |tree, _| self.expand(tree, after_turn, open))
    }

    /// A node below the root, on all threads of the search.
    pub(super) fn node(
        &self,
        tree: &mut Tree<'_>,
        position: &Position,
        window: (f64, f64),
    ) -> Result<(Value, NodeSource), SearchError> {
        tree.node_by(position, self.plies(), window, |tree| self.expand(tree, position, window))
    }

    fn expand(
        &self,
        tree: &mut Tree<'_>,
        position: &Position,
        window: (f64, f64),
    ) -> Result<ChanceResult, SearchError> {
        let plies = self.plies();
        if self.config.threads == 1 {
            return tree.expand(position, plies, window);
        }
        let (bounds, control) = (tree.bounds, tree.control);
        let help = |shared: &Shared<'_>| {
            let control = SearchControl::unbounded().with_cancel_flag(shared.stop());
            self.with_tree(bounds.perspective(), &control, |tree, _| {
                shared.work(&mut tree.ply(position, plies, window), &control);
                (tree.chance_nodes, tree.leaves)
            })
        };
        let mut ply = tree.ply(position, plies, window);
        let helpers = self.config.threads - 1;
        let (result, counts) =
            chance_node::expand_shared(position, &bounds, control, window, &mut ply, helpers, help)?;
        drop(ply);
        tree.chance_nodes += 1;
        for (chance_nodes, leaves) in counts {
            tree.chance_nodes += chance_nodes;
            tree.leaves += leaves;
        }
        Ok(result)
    }

    /// How much work is done until a search ends depends on timing when threads share it.
    fn require_no_budget_for_threads(&self, control: &SearchControl<'_>) -> Result<(), SearchError> {
        match control.budget() {
            Some(_) if self.config.threads > 1 => Err(SearchError::ThreadsWithBudget(self.config.threads)),
            _ => Ok(()),
        }
    }

    /// The position as the evaluators of the search tell it from others: without its clock, if none of them reads it.
    pub(super) fn as_searched(&self, position: &Position) -> Position {
        let mut seen = *position;
        let rescore_reads = self.rescore.is_some_and(|rescore| rescore.evaluator.reads_clocks());
        if !self.evaluator.reads_clocks() && !rescore_reads {
            seen.set_half_move(0);
        }
        seen
    }

    pub(super) fn has_table(&self) -> bool {
        self.table.is_some()
    }

    /// Decision plies below a candidate's chance node.
    pub(super) fn plies(&self) -> usize {
        self.config.search_depth as usize - 1
    }

    fn with_tree<T>(
        &self,
        perspective: Color,
        control: &SearchControl<'_>,
        search: impl FnOnce(&mut Tree<'_>, &mut RootScratch) -> T,
    ) -> T {
        let pooled = self.scratch.0.pop();
        let (mut scratch, mut root_scratch) =
            pooled.unwrap_or_else(|| (Scratch::new(self.evaluator), RootScratch::default()));
        scratch.forget();
        let mut tree = Tree {
            evaluator: self.evaluator,
            bounds: UtilityBounds::expectimax(perspective),
            control,
            table: self.table,
            exact_only: self.config.exact_only,
            reply_probes: self.config.reply_probes,
            scratch: &mut scratch,
            unlimited: Budget::unlimited(),
            chance_nodes: 0,
            leaves: 0,
        };
        let result = search(&mut tree, &mut root_scratch);
        scratch.shrink();
        root_scratch.shrink();
        self.scratch.0.push((scratch, root_scratch));
        result
    }
}
