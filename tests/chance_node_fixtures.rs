//! The fixture table of "Weighted Chance-Node Search", section 6, by name: the chance node under policies of this test's own,
//! against plain enumeration of the 216 ordered rolls and of the 56 weighted ones.

mod oracle;

use dicechess_native::board::{Color, PieceType, Position, Square};
use dicechess_native::rules::{Budget, WeightedRoll, partition};
use dicechess_native::search::chance_node::{ChanceResult, Policy, Replies, Value, expand};
use dicechess_native::search::{SearchControl, SearchError, SearchOutcome, UtilityBounds};
use oracle::{Kind, Reply, State, chance_numerator, chance_numerator_weighted, offset};

const F1: &str = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
const F2: &str = "k7/4P3/8/8/8/8/8/4K3 w - - 0 1";
const F3: &str = "k7/8/4P3/8/8/8/8/4K3 w - - 0 1";
const F4: &str = "4k3/8/8/8/8/p7/P7/R3K3 w - - 0 1";
const F7: &str = "8/8/8/2k5/8/1N6/2P5/K7 w - - 0 1";
const F8: &str = "4k3/8/8/8/8/8/P6P/4K3 w - - 0 1";
const F9: &str = "4k3/8/8/8/3r4/2P5/8/4K3 b - - 0 1";
const F10: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 2 3";
const MANDATORY_KNIGHT: &str = "n6k/8/3P4/P7/8/8/8/7K b - - 0 1";

const INF: f64 = f64::INFINITY;
const OPEN: (f64, f64) = (-INF, INF);
const LOSS: f64 = -1e9;
const WIN: f64 = 10_001.0;

/// An evaluation, written twice: on the engine's board and on the oracle's.
#[derive(Clone, Copy)]
struct Leaf {
    engine: fn(&Position, Color) -> i64,
    oracle: fn(&State, oracle::Color) -> i64,
}

const MATERIAL: Leaf = Leaf {
    engine: |position, view| i64::from(dicechess_native::eval::material(position, view)),
    oracle: oracle::material,
};

/// Tells apart what material does not: where each piece stands.
const PLACEMENT: Leaf = Leaf {
    engine: |position, view| {
        let worth = |square| match position.piece_at(square) {
            None => 0,
            Some((color, piece)) => {
                let places = (square.index() as i64 + 1) * (piece.index() as i64 + 1);
                if color == view { places } else { -places }
            }
        };
        Square::all().map(worth).sum()
    },
    oracle: |state, view| {
        let mut sum = 0;
        for (square, cell) in state.board.iter().enumerate() {
            if let Some((color, kind)) = *cell {
                let places = (square as i64 + 1) * (kind as i64 + 1);
                sum += if color == view { places } else { -places };
            }
        }
        sum
    },
};

/// Counts a piece that a pawn attacks as lost, for either side.
const THREATS: Leaf = Leaf {
    engine: |position, view| {
        const WORTH: [i64; 6] = [100, 300, 300, 500, 900, 0];
        let mut sum = i64::from(dicechess_native::eval::material(position, view));
        for square in Square::all() {
            let Some((color, piece)) = position.piece_at(square) else { continue };
            let pawns = position.attackers(!color, square) & position.pieces(!color, PieceType::Pawn);
            if pawns.any() {
                sum += if color == view { -WORTH[piece.index()] } else { WORTH[piece.index()] };
            }
        }
        sum
    },
    oracle: |state, view| {
        let threatened = |side: oracle::Color| {
            let pawns = state.squares_of((side.other(), Kind::Pawn));
            let mut lost = 0;
            for square in 0..64 {
                let attacked_by = |&pawn: &usize| {
                    [-1, 1].iter().any(|&file| offset(pawn, file, side.other().forward()) == Some(square))
                };
                lost += match state.board[square] {
                    Some((color, kind)) if color == side && pawns.iter().any(attacked_by) => match kind {
                        Kind::Pawn => 100,
                        Kind::Knight | Kind::Bishop => 300,
                        Kind::Rook => 500,
                        Kind::Queen => 900,
                        Kind::King => 0,
                    },
                    _ => 0,
                };
            }
            lost
        };
        oracle::material(state, view) - threatened(view) + threatened(view.other())
    },
};

/// What a policy answers when it is asked for probes.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Probing {
    /// It says beforehand that it has none.
    OptOut,
    /// It has none.
    Nothing,
    /// The reply with the best material for the mover; exact for a king capture and a forced pass.
    LegalReply,
    /// The same with every bound pointing the wrong way.
    WrongWay,
    /// What passing would be worth, though passing is illegal wherever there is a legal turn.
    Pass,
}

/// How a policy answers a decision whose window is not open.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Answers {
    Exact,
    /// A tight bound outside the window.
    FailSoft,
    /// The end of the declared range: sound, and of no use.
    Loose,
}

const SOUND_PROBING: [Probing; 4] =
    [Probing::OptOut, Probing::Nothing, Probing::LegalReply, Probing::WrongWay];
const ANSWERS: [Answers; 3] = [Answers::Exact, Answers::FailSoft, Answers::Loose];

/// One ply above a leaf evaluation, with all replies generated by [`Replies`].
struct OnePly {
    leaf: Leaf,
    probing: Probing,
    answers: Answers,
    bounds: UtilityBounds,
    mover: Color,
    /// By class; what the probes generated is not generated again.
    replies: Vec<Option<Replies>>,
    probes: Vec<Value>,
    probe_calls: usize,
    decided: Vec<usize>,
    decided_open: usize,
    generated: usize,
}

impl OnePly {
    fn new(node: &Position, perspective: Color, leaf: Leaf) -> Self {
        Self {
            leaf,
            probing: Probing::OptOut,
            answers: Answers::Exact,
            bounds: UtilityBounds::expectimax(perspective),
            mover: node.side_to_move(),
            replies: vec![None; partition(node).len()],
            probes: vec![],
            probe_calls: 0,
            decided: vec![],
            decided_open: 0,
            generated: 0,
        }
    }

    fn with(self, probing: Probing, answers: Answers) -> Self {
        Self { probing, answers, ..self }
    }

    fn maximizes(&self) -> bool {
        self.bounds.is_maximizing(self.mover)
    }

    fn worth(&self, position: &Position) -> f64 {
        (self.leaf.engine)(position, self.bounds.perspective()) as f64
    }

    fn best(&self, replies: &[Position]) -> f64 {
        let best = if self.maximizes() { f64::max } else { f64::min };
        replies.iter().map(|reply| self.worth(reply)).reduce(best).unwrap()
    }

    /// Generates the replies of a class unless they are there; `false` when the budget ran out.
    fn generate(&mut self, rolled: &Position, class: usize, control: &SearchControl<'_>) -> bool {
        if self.replies[class].is_none() {
            self.generated += 1;
            self.replies[class] = Replies::generate(rolled, control);
            assert_eq!(control.is_cancelled(), self.replies[class].is_none());
        }
        self.replies[class].is_some()
    }

    fn terminal(&self, control: &SearchControl<'_>) -> Value {
        Value::exact(self.bounds.terminal(self.mover), control).tainted_if(!self.maximizes())
    }

    fn value(&self, class: usize, control: &SearchControl<'_>) -> Value {
        match self.replies[class].as_ref().unwrap() {
            Replies::KingCapture => self.terminal(control),
            Replies::ForcedPass(passed) => Value::exact(self.worth(passed), control),
            Replies::Positions(replies) => Value::exact(self.best(replies), control),
        }
    }

    fn probe_value(&self, class: usize, rolled: &Position, control: &SearchControl<'_>) -> Value {
        let own_way = if self.maximizes() { Value::lower_bound } else { Value::upper_bound };
        let wrong_way = if self.maximizes() { Value::upper_bound } else { Value::lower_bound };
        if self.probing == Probing::Pass {
            return own_way(self.worth(&rolled.end_turn()), control);
        }
        let Replies::Positions(replies) = self.replies[class].as_ref().unwrap() else {
            return self.value(class, control);
        };
        if self.probing == Probing::WrongWay {
            // Far from the truth, so that using it would show.
            return wrong_way(if self.maximizes() { -9_999.0 } else { 9_999.0 }, control);
        }
        let material = |reply: &&Position| dicechess_native::eval::material(reply, self.mover);
        own_way(self.worth(replies.iter().max_by_key(material).unwrap()), control)
    }

    /// The classes whose replies are of this kind, and their weight.
    fn classes_with(&self, node: &Position, kind: fn(&Replies) -> bool) -> (Vec<usize>, u32) {
        let is_kind = |class: &usize| self.replies[*class].as_ref().is_some_and(kind);
        let classes: Vec<usize> = (0..self.replies.len()).filter(is_kind).collect();
        let weight = classes.iter().map(|&class| partition(node)[class].weight).sum();
        (classes, weight)
    }
}

impl Policy for OnePly {
    fn lowest_value(&self) -> f64 {
        if self.maximizes() { self.bounds.min_non_terminal() } else { self.bounds.terminal_loss() }
    }

    fn highest_value(&self) -> f64 {
        if self.maximizes() { self.bounds.terminal_win() } else { self.bounds.max_non_terminal() }
    }

    fn probing_enabled(&self) -> bool {
        self.probing != Probing::OptOut
    }

    fn probe(
        &mut self,
        rolled: &[Position],
        control: &SearchControl<'_>,
    ) -> Result<Option<&[Value]>, SearchError> {
        self.probe_calls += 1;
        assert_eq!(self.decided, [], "probes come before decisions");
        if self.probing == Probing::Nothing {
            return Ok(None);
        }
        for (class, position) in rolled.iter().enumerate() {
            let probe = match self.generate(position, class, control) {
                true => self.probe_value(class, position, control),
                false => Value::incomplete(control),
            };
            self.probes.push(probe);
        }
        Ok(Some(&self.probes))
    }

    fn decide(
        &mut self,
        rolled: &Position,
        class: usize,
        alpha: f64,
        beta: f64,
        control: &SearchControl<'_>,
    ) -> Result<Value, SearchError> {
        self.decided.push(class);
        self.decided_open += usize::from((alpha, beta) == OPEN);
        if !self.generate(rolled, class, control) {
            return Ok(Value::incomplete(control));
        }
        let value = self.value(class, control);
        let exact = value.outcome.exact().unwrap();
        Ok(match self.answers {
            Answers::FailSoft if exact < alpha => {
                Value::upper_bound(exact, control).tainted_if(value.loss_tainted)
            }
            Answers::FailSoft if exact > beta => {
                Value::lower_bound(exact, control).tainted_if(value.loss_tainted)
            }
            Answers::Loose if alpha.is_finite() => Value::upper_bound(self.highest_value(), control),
            Answers::Loose if beta.is_finite() => Value::lower_bound(self.lowest_value(), control),
            _ => value,
        })
    }
}

fn node(dfen: &str) -> Position {
    dfen.parse().unwrap()
}

fn state(dfen: &str) -> State {
    State::parse(dfen).unwrap()
}

fn view(perspective: Color) -> oracle::Color {
    match perspective {
        Color::White => oracle::Color::White,
        Color::Black => oracle::Color::Black,
    }
}

/// The expectation by both oracles, which must agree.
fn truth(dfen: &str, perspective: Color, leaf: Leaf) -> f64 {
    let (state, view) = (state(dfen), view(perspective));
    let ordered = chance_numerator(&state, 1, view, &leaf.oracle);
    assert_eq!(chance_numerator_weighted(&state, 1, view, &leaf.oracle), ordered, "{dfen}");
    ordered as f64 / 216.0
}

fn run(dfen: &str, window: (f64, f64), policy: &mut OnePly) -> ChanceResult {
    let bounds = policy.bounds;
    expand(&node(dfen), &bounds, &SearchControl::unbounded(), window, policy).unwrap()
}

fn assert_bit_equal(result: &ChanceResult, truth: f64) {
    assert_eq!(result.outcome.exact().map(f64::to_bits), Some(truth.to_bits()), "{result:?} is not {truth}");
    assert_eq!(result.classes_resolved, result.classes);
}

/// Exact and the truth, or a bound that is sound and strictly outside the window.
fn assert_sound(result: &ChanceResult, truth: f64, (alpha, beta): (f64, f64)) {
    match result.outcome {
        SearchOutcome::Exact { .. } => assert_bit_equal(result, truth),
        SearchOutcome::UpperBound { value, .. } => {
            assert!(truth <= value && value < alpha, "{result:?}: {truth}, alpha {alpha}");
        }
        SearchOutcome::LowerBound { value, .. } => {
            assert!(truth >= value && value > beta, "{result:?}: {truth}, beta {beta}");
        }
        SearchOutcome::Incomplete { .. } => panic!("{result:?}"),
    }
}

/// From either perspective, open and under a window that holds the whole scale, the node has the oracles' expectation bit
/// for bit.
fn assert_parity(dfen: &str) {
    for perspective in Color::ALL {
        for leaf in [MATERIAL, PLACEMENT] {
            let truth = truth(dfen, perspective, leaf);
            for probing in SOUND_PROBING {
                for window in [OPEN, (LOSS, WIN)] {
                    let mut policy =
                        OnePly::new(&node(dfen), perspective, leaf).with(probing, Answers::FailSoft);
                    assert_bit_equal(&run(dfen, window, &mut policy), truth);
                }
            }
        }
    }
}

/// The node expanded with an open window by exact decisions, and the policy with all replies.
fn expanded(dfen: &str, perspective: Color) -> (ChanceResult, OnePly) {
    let mut policy = OnePly::new(&node(dfen), perspective, MATERIAL);
    let result = run(dfen, OPEN, &mut policy);
    (result, policy)
}

fn class(dfen: &str, dice: &str) -> Option<usize> {
    partition(&node(dfen)).iter().position(|class| class.roll.to_string() == dice)
}

fn has_dice(dfen: &str, class: usize) -> bool {
    !partition(&node(dfen))[class].roll.is_empty()
}

#[test]
fn f1_lone_kings_have_four_classes_and_the_oracles_expectation_from_either_perspective() {
    assert_parity(F1);
    for perspective in Color::ALL {
        let (result, policy) = expanded(F1, perspective);
        assert_eq!((result.classes, policy.decided), (4, vec![0, 1, 2, 3]));
    }
}

#[test]
fn f1_the_empty_class_is_a_forced_pass() {
    let (_, policy) = expanded(F1, Color::White);
    let passes = policy.classes_with(&node(F1), |replies| matches!(replies, Replies::ForcedPass(_)));
    assert_eq!(passes, (vec![0], 125));
    assert!(!has_dice(F1, 0));
    assert_eq!(policy.replies[0], Some(Replies::ForcedPass(node(F1).end_turn())));
    assert_eq!(state(F1).capturing_and_pass_rolls(), (0, 125));
}

#[test]
fn f2_a_pawn_one_step_from_promotion_keeps_parity_with_the_ungrouped_rolls() {
    assert_parity(F2);
}

#[test]
fn f2_the_promoted_pieces_move_in_the_same_turn() {
    // A queen or rook on e8 captures the king on a8; a knight leaves e8; none of them has a die without the pawn's.
    let (_, policy) = expanded(F2, Color::White);
    for dice in ["PQK", "PRK"] {
        assert_eq!(policy.replies[class(F2, dice).unwrap()], Some(Replies::KingCapture), "{dice}");
    }
    let Some(Replies::Positions(after)) = &policy.replies[class(F2, "PNK").unwrap()] else { panic!() };
    let off_the_last_rank = |position: &Position| {
        position.pieces(Color::White, PieceType::Knight).into_iter().any(|square| square.rank() < 7)
    };
    assert!(after.iter().all(off_the_last_rank), "the maximum rule spends the knight's die too");
    for dice in ["N", "B", "R", "Q", "NK", "QK"] {
        assert_eq!(class(F2, dice), None, "{dice}");
    }
}

#[test]
fn f3_a_pawn_two_steps_from_promotion_keeps_parity_with_the_ungrouped_rolls() {
    assert_parity(F3);
}

#[test]
fn f3_the_promoted_pieces_move_in_the_same_turn() {
    let (_, policy) = expanded(F3, Color::White);
    for dice in ["PPQ", "PPR"] {
        assert_eq!(policy.replies[class(F3, dice).unwrap()], Some(Replies::KingCapture), "{dice}");
    }
    let Some(Replies::Positions(after)) = &policy.replies[class(F3, "PPN").unwrap()] else { panic!() };
    assert!(after.iter().all(|position| position.pieces(Color::White, PieceType::Knight).any()));
    for dice in ["N", "PN", "PQ", "QK"] {
        assert_eq!(class(F3, dice), None, "{dice}");
    }
}

#[test]
fn f4_every_class_with_dice_but_no_legal_turn_reaches_the_policy_as_a_forced_pass() {
    assert_parity(F4);
    let (_, policy) = expanded(F4, Color::White);
    let mut blocked = vec![];
    for (index, class) in partition(&node(F4)).iter().enumerate() {
        let by_the_oracle = state(F4).reply(&oracle_dice(class));
        let is_pass = matches!(policy.replies[index], Some(Replies::ForcedPass(_)));
        assert_eq!(is_pass, matches!(by_the_oracle, Reply::Pass(_)), "{class:?}");
        if is_pass && has_dice(F4, index) {
            blocked.push(class.roll.to_string());
        }
    }
    assert_eq!(blocked, ["P", "PP", "PPP"]);
}

fn oracle_dice(class: &WeightedRoll) -> Vec<Kind> {
    class.roll.to_string().chars().map(|letter| Kind::from_letter(letter).unwrap()).collect()
}

#[test]
fn f4_the_forced_pass_mass_equals_the_oracles_and_the_weights_sum_to_216() {
    let (result, policy) = expanded(F4, Color::White);
    let is_pass = |replies: &Replies| matches!(replies, Replies::ForcedPass(_));
    let (_, mass) = policy.classes_with(&node(F4), is_pass);
    assert_eq!(mass, state(F4).capturing_and_pass_rolls().1);
    let (all, weight) = policy.classes_with(&node(F4), |_| true);
    assert_eq!((all.len(), weight), (result.classes, 216));
}

#[test]
fn f7_91_knight_die_outcomes_are_terminal_and_taint_the_node_for_black_and_not_for_white() {
    assert_parity(F7);
    assert_eq!(state(F7).capturing_and_pass_rolls().0, 91);
    for perspective in Color::ALL {
        for window in [OPEN, (LOSS, WIN)] {
            for probing in SOUND_PROBING {
                let policy = OnePly::new(&node(F7), perspective, MATERIAL);
                let mut policy = policy.with(probing, Answers::FailSoft);
                let result = run(F7, window, &mut policy);
                assert_bit_equal(&result, truth(F7, perspective, MATERIAL));
                assert_eq!(result.loss_tainted, perspective == Color::Black);
                let is_capture = |replies: &Replies| *replies == Replies::KingCapture;
                let (terminal, weight) = policy.classes_with(&node(F7), is_capture);
                assert_eq!(weight, 91);
                let with_knight: Vec<usize> = (0..result.classes)
                    .filter(|&class| partition(&node(F7))[class].roll.count_of(PieceType::Knight) > 0)
                    .collect();
                assert_eq!(terminal, with_knight);
            }
        }
    }
}

#[test]
fn f7_terminal_outcomes_are_settled_by_their_exact_probes_without_a_second_decision() {
    // The own side of the window is finite: alpha for Black, below whose king White minimises, beta for White.
    for (perspective, window) in
        [(Color::Black, (LOSS, INF)), (Color::White, (-INF, WIN)), (Color::Black, (LOSS, WIN))]
    {
        let policy = OnePly::new(&node(F7), perspective, MATERIAL);
        let mut policy = policy.with(Probing::LegalReply, Answers::Exact);
        let result = run(F7, window, &mut policy);
        assert_bit_equal(&result, truth(F7, perspective, MATERIAL));
        let (quiet, weight) =
            policy.classes_with(&node(F7), |replies| matches!(replies, Replies::Positions(_)));
        assert_eq!(policy.decided, quiet, "neither a capture nor a forced pass is decided");
        let (_, passing) = state(F7).capturing_and_pass_rolls();
        assert_eq!(weight, 216 - 91 - passing);
        assert_eq!((policy.probe_calls, policy.generated), (1, result.classes));
    }
}

#[test]
fn f8_commuting_pushes_are_one_reply() {
    assert_parity(F8);
    let (_, policy) = expanded(F8, Color::White);
    let rolled = state(F8).with_dice_letters("PP");
    let Some(Replies::Positions(replies)) = &policy.replies[class(F8, "PP").unwrap()] else { panic!() };
    assert_eq!(replies.len(), rolled.distinct_finals_after_end_turn().len());
    assert!(replies.len() < rolled.turns().quiet.len(), "some turns differ by their order alone");
}

#[test]
fn f8_a_wrong_direction_probe_bound_is_ignored_and_leaves_the_node_exact() {
    for perspective in Color::ALL {
        for leaf in [MATERIAL, PLACEMENT] {
            let truth = truth(F8, perspective, leaf);
            for window in [(LOSS, WIN), (truth - 1.0, truth + 1.0), (truth, truth)] {
                let policy = OnePly::new(&node(F8), perspective, leaf);
                let mut policy = policy.with(Probing::WrongWay, Answers::Exact);
                let result = run(F8, window, &mut policy);
                assert_bit_equal(&result, truth);
                assert_eq!(policy.probe_calls, 1);
                let quiet =
                    policy.classes_with(&node(F8), |replies| matches!(replies, Replies::Positions(_))).0;
                assert_eq!(policy.decided, quiet);
            }
        }
    }
}

#[test]
fn f9_the_mandatory_rook_move_stays_exact_under_pruning_windows_around_the_expectation() {
    assert_parity(F9);
    for perspective in Color::ALL {
        for leaf in [MATERIAL, PLACEMENT, THREATS] {
            let truth = truth(F9, perspective, leaf);
            for probing in SOUND_PROBING {
                for answers in ANSWERS {
                    let policy = || OnePly::new(&node(F9), perspective, leaf).with(probing, answers);
                    let (below, above) = (truth.next_down(), truth.next_up());
                    for alpha in [-INF, LOSS, truth - 300.0, truth - 1.0, truth - 1.0 / 216.0, below, truth] {
                        for beta in [truth, above, truth + 1.0 / 216.0, truth + 1.0, truth + 300.0, WIN, INF]
                        {
                            assert_bit_equal(&run(F9, (alpha, beta), &mut policy()), truth);
                        }
                    }
                    for distance in [1.0 / 216.0, 1.0, 50.0, 300.0] {
                        for window in [
                            (truth + distance, INF),
                            (-INF, truth - distance),
                            (truth + distance, truth + 2.0 * distance),
                            (truth - 2.0 * distance, truth - distance),
                        ] {
                            assert_sound(&run(F9, window, &mut policy()), truth, window);
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn f9_the_rook_is_never_left_where_it_stands_when_its_die_is_rolled() {
    let (_, policy) = expanded(F9, Color::White);
    for (index, class) in partition(&node(F9)).iter().enumerate() {
        if class.roll.count_of(PieceType::Rook) != 1 {
            continue;
        }
        let Some(Replies::Positions(replies)) = &policy.replies[index] else { panic!("{class:?}") };
        let rook = node(F9).pieces(Color::Black, PieceType::Rook);
        assert!(replies.iter().all(|reply| reply.pieces(Color::Black, PieceType::Rook) != rook), "{class:?}");
    }
}

mod f10 {
    use super::*;

    /// The node with an open window on this budget, with the policy that ran it.
    fn budgeted(window: (f64, f64), probing: Probing, budget: &Budget) -> (ChanceResult, OnePly) {
        let mut policy = OnePly::new(&node(F10), Color::Black, MATERIAL).with(probing, Answers::Exact);
        let control = SearchControl::unbounded().with_budget(budget);
        let bounds = policy.bounds;
        let result = expand(&node(F10), &bounds, &control, window, &mut policy).unwrap();
        (result, policy)
    }

    /// Open without probes; and with probes, which generate everything before the first decision.
    const SEARCHES: [((f64, f64), Probing); 3] =
        [(OPEN, Probing::OptOut), ((LOSS, WIN), Probing::OptOut), ((LOSS, WIN), Probing::LegalReply)];

    #[test]
    fn f10_has_the_oracles_expectation_from_either_perspective() {
        assert_parity(F10);
    }

    #[test]
    fn f10_budget_of_the_exact_need_reproduces_the_unbounded_expectation() {
        let truth = truth(F10, Color::Black, MATERIAL);
        for (window, probing) in SEARCHES {
            let plenty = Budget::unlimited();
            assert_bit_equal(&budgeted(window, probing, &plenty).0, truth);
            let need = plenty.used();
            let budget = Budget::new(need);
            let (result, _) = budgeted(window, probing, &budget);
            assert_bit_equal(&result, truth);
            assert_eq!(result.outcome.work_used(), need);
            assert_eq!((budget.used(), budget.is_exhausted()), (need, false));
        }
    }

    #[test]
    fn f10_budget_of_one_unit_less_is_incomplete_with_fewer_classes_and_no_forced_pass_invented() {
        // No roll is a forced pass here, so any would be invented.
        assert_eq!(state(F10).capturing_and_pass_rolls().1, 0);
        for (window, probing) in SEARCHES {
            let plenty = Budget::unlimited();
            let classes = budgeted(window, probing, &plenty).0.classes;
            let need = plenty.used();
            for limit in [need - 1, need / 2, need / 10, 1, 0] {
                let budget = Budget::new(limit);
                let (result, policy) = budgeted(window, probing, &budget);
                assert_eq!(result.outcome, SearchOutcome::Incomplete { work_used: limit });
                assert_eq!((budget.used(), budget.is_exhausted()), (limit, true));
                assert_eq!(result.classes, classes);
                assert!(result.classes_resolved < classes, "{result:?}");
                let known = policy.replies.iter().flatten().count();
                assert!(result.classes_resolved <= known && known < classes);
                let passes =
                    policy.classes_with(&node(F10), |replies| matches!(replies, Replies::ForcedPass(_)));
                assert_eq!(passes, (vec![], 0));
            }
        }
        let need = {
            let plenty = Budget::unlimited();
            budgeted(OPEN, Probing::OptOut, &plenty);
            plenty.used()
        };
        let (result, _) = budgeted(OPEN, Probing::OptOut, &Budget::new(need - 1));
        assert_eq!(result.classes_resolved, result.classes - 1, "only the last class is missing");
    }

    /// The expectation of the probes alone.
    fn probe_sum(perspective: Color, leaf: Leaf) -> f64 {
        let mut policy = OnePly::new(&node(F10), perspective, leaf).with(Probing::LegalReply, Answers::Exact);
        run(F10, (LOSS, WIN), &mut policy);
        let weighted = partition(&node(F10))
            .iter()
            .zip(&policy.probes)
            .map(|(class, probe)| f64::from(class.weight) * probe.outcome.value().unwrap());
        weighted.sum::<f64>() / 216.0
    }

    #[test]
    fn f10_a_probe_sum_outside_the_window_prunes_the_node_before_any_class_is_expanded() {
        for leaf in [MATERIAL, PLACEMENT] {
            for (perspective, outside, edge) in [
                (Color::Black, 1.0, true),
                (Color::Black, 0.0, false),
                (Color::White, -1.0, true),
                (Color::White, 0.0, false),
            ] {
                let truth = truth(F10, perspective, leaf);
                let sum = probe_sum(perspective, leaf);
                let bound = sum + outside;
                let window = if perspective == Color::Black { (bound, INF) } else { (-INF, bound) };
                let mut policy =
                    OnePly::new(&node(F10), perspective, leaf).with(Probing::LegalReply, Answers::Exact);
                let result = run(F10, window, &mut policy);
                assert_sound(&result, truth, window);
                assert_eq!(result.probe_pruned, edge, "a sum equal to the bound does not prune");
                if edge {
                    assert_eq!(result.outcome.value(), Some(sum));
                    assert_eq!((policy.decided, policy.decided_open), (vec![], 0));
                    assert!(result.classes_resolved < result.classes);
                }
            }
        }
    }

    #[test]
    fn f10_a_loose_child_bound_triggers_the_open_window_re_search() {
        for perspective in Color::ALL {
            let truth = truth(F10, perspective, PLACEMENT);
            for window in [(truth - 1.0, truth + 1.0), (truth, INF), (-INF, truth)] {
                let policy = OnePly::new(&node(F10), perspective, PLACEMENT);
                let mut policy = policy.with(Probing::OptOut, Answers::Loose);
                let result = run(F10, window, &mut policy);
                assert_bit_equal(&result, truth);
                assert_eq!(policy.decided_open, result.classes, "each class once more");
                assert_eq!(policy.decided.len(), 2 * result.classes);
                assert!(policy.decided.chunks(2).all(|pair| pair[0] == pair[1]), "at once");
            }
            let policy = OnePly::new(&node(F10), perspective, PLACEMENT);
            let mut policy = policy.with(Probing::OptOut, Answers::Exact);
            run(F10, (truth, truth), &mut policy);
            assert_eq!(policy.decided_open, 0);
        }
    }
}

mod mandatory_knight {
    use super::*;

    /// The static value of standing still, weighted over the classes: what passing would be worth.
    fn pass_sum(perspective: Color) -> f64 {
        let node = node(MANDATORY_KNIGHT);
        let passed = (THREATS.engine)(&node.end_turn(), perspective) as f64;
        let classes = partition(&node).iter();
        classes.map(|class| f64::from(class.weight) * passed).sum::<f64>() / 216.0
    }

    #[test]
    fn mandatory_knight_every_move_of_one_knight_die_lands_on_a_pawn_attacked_square() {
        let (_, policy) = expanded(MANDATORY_KNIGHT, Color::White);
        let class = class(MANDATORY_KNIGHT, "N").unwrap();
        let Some(Replies::Positions(replies)) = &policy.replies[class] else { panic!() };
        assert_eq!(replies.len(), 2);
        let standing = (THREATS.engine)(&node(MANDATORY_KNIGHT).end_turn(), Color::White);
        for reply in replies {
            assert_eq!((THREATS.engine)(reply, Color::White), standing + 300);
        }
    }

    #[test]
    fn mandatory_knight_the_weighted_pass_sum_undercuts_the_true_expectation() {
        assert_parity(MANDATORY_KNIGHT);
        let truth = truth(MANDATORY_KNIGHT, Color::White, THREATS);
        let passes = pass_sum(Color::White);
        assert!(passes < truth, "{passes} is below {truth}");
        // A rival candidate worth more than the passes and less than this one, which is therefore the best.
        let rival = (passes + truth) / 2.0;
        let best = |probing| {
            let policy = OnePly::new(&node(MANDATORY_KNIGHT), Color::White, THREATS);
            run(MANDATORY_KNIGHT, (rival, INF), &mut policy.with(probing, Answers::Exact))
        };
        let wrong = best(Probing::Pass);
        assert!(wrong.probe_pruned, "the pass value as a bound would prune it");
        assert_eq!(wrong.outcome, SearchOutcome::UpperBound { value: passes, work_used: 0 });
        assert_bit_equal(&best(Probing::LegalReply), truth);
        assert_bit_equal(&best(Probing::OptOut), truth);
    }

    #[test]
    fn mandatory_knight_the_weighted_pass_sum_overshoots_from_the_movers_perspective() {
        let truth = truth(MANDATORY_KNIGHT, Color::Black, THREATS);
        let passes = pass_sum(Color::Black);
        assert!(passes > truth, "{passes} is above {truth}");
        let policy = OnePly::new(&node(MANDATORY_KNIGHT), Color::Black, THREATS);
        let rival = (passes + truth) / 2.0;
        let mut policy = policy.with(Probing::Pass, Answers::Exact);
        let wrong = run(MANDATORY_KNIGHT, (-INF, rival), &mut policy);
        assert_eq!(wrong.outcome, SearchOutcome::LowerBound { value: passes, work_used: 0 });
    }

    #[test]
    fn mandatory_knight_the_legal_reply_probe_is_exact_or_soundly_bounded_under_every_window() {
        for perspective in Color::ALL {
            let truth = truth(MANDATORY_KNIGHT, perspective, THREATS);
            let mut edges = vec![-INF, LOSS, -10_000.0, 10_000.0, WIN, INF];
            for value in [truth, pass_sum(perspective)] {
                for distance in [0.0, 1.0 / 216.0, 0.5, 1.0, 37.0, 100.0, 300.0] {
                    edges.extend([value - distance, value + distance]);
                }
                edges.extend([value.next_down(), value.next_up()]);
            }
            let (mut exact, mut bounded, mut pruned) = (0, 0, 0);
            for &alpha in &edges {
                for &beta in edges.iter().filter(|&&beta| alpha <= beta) {
                    for answers in ANSWERS {
                        let policy = OnePly::new(&node(MANDATORY_KNIGHT), perspective, THREATS);
                        let mut policy = policy.with(Probing::LegalReply, answers);
                        let result = run(MANDATORY_KNIGHT, (alpha, beta), &mut policy);
                        assert_sound(&result, truth, (alpha, beta));
                        let inside = alpha <= truth && truth <= beta;
                        assert!(result.outcome.is_exact() || !inside);
                        exact += usize::from(result.outcome.is_exact());
                        bounded += usize::from(!result.outcome.is_exact());
                        pruned += usize::from(result.probe_pruned);
                    }
                }
            }
            assert!(exact > 100 && bounded > 100 && pruned > 10, "{exact} {bounded} {pruned}");
        }
    }
}
