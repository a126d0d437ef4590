//! When a search may stop: two rules for any game of two players, and what they certify.
//!
//! * [`deepen_until_agreement`]: deepen one move at a time and stop when two consecutive depths say the same.
//! * [`Extension`]: do not guess where a position is close, search on there, with a cap.
//!
//! [`CutSearch`] follows both for a [`Game`] in which the player who cannot move loses. The first rule asks nothing of the
//! game and takes any search as a closure. `docs/stopping.md` has the measurements.
//!
//! # What agreement certifies
//!
//! Write W(p) for the truth, whether the mover of p wins, and h(p) for what the search answers at its horizon, guess and
//! extension together. Its verdict is V₀ = h and, for d ≥ 1, V_d(p): *some reply r has not V_{d−1}(r)*. Order *loss* below
//! *win*. A position without a move is lost, in every line of what follows.
//!
//! **The bracket.** Say that h *flatters the mover* if h(p) ≥ W(p) everywhere: it never calls a won position lost. Then an
//! even depth can only overstate the mover at the root and an odd depth only understate: V_d ≥ W for even d, V_d ≤ W for odd
//! d. So if V_{d−1}(p) = V_d(p), both are W(p): **agreement is a proof**.
//!
//! *Proof.* Let T(f)(p) be *some reply r has not f(r)*. T turns order round: f ≥ g gives T(f) ≤ T(g), as a reply that is
//! lost by f is lost by g. T(W) = W is the rule of the game. From V₀ = h ≥ W follow V₁ = T(V₀) ≤ T(W) = W, then V₂ = T(V₁) ≥
//! W, and so on. ∎
//!
//! The condition is exact. If h(p) < W(p) at one p, depth 0 understates there and the bracket fails at once; two depths that
//! agree may then both rest on that error.
//!
//! **Which horizons flatter.** The guess that knows nothing ([`Guess::Mover`]) does, since it calls nothing lost that has a
//! move. A guess by a count ([`Guess::Ahead`]) does not: positions exist that it calls lost and are won.
//!
//! With an extension the guess is made at positions k moves past the horizon. At even k the mover there is the mover at the
//! horizon, at odd k the opponent. **An extension keeps the bracket in every game if and only if every guess favours the
//! mover at the horizon**:
//!
//! * [`Guess::Mover`] at even k only: [`Step::Pair`] or [`Step::ToEnd`], without a cap or with an even one; or
//! * [`Guess::MoverAtCut`], with any step and any cap.
//!
//! *Proof.* See all values with the eyes of the mover at a horizon position p. Then h(p) rises with the value at each end of
//! the extension. Lines that end without a guess have their true value there, and a guess in favour of that mover has at
//! least the true one. So h(p) ≥ W(p). Conversely, let a guess k moves past the horizon be against that mover, and take a
//! game in which the moves up to there are forced, each position before is close, and the guess is false: then h(p) is
//! *loss* and W(p) *win*. ∎ [`Horizon::keeps_bracket`] is this condition.
//!
//! **Two sides at one depth.** A guess for the player at the root ([`Guess::Root`]) makes every verdict an upper bound, one
//! for the other player ([`Guess::RootOpponent`]) a lower one, at every depth and with every extension, by the same proof.
//! Two such searches that agree at one depth are a proof. Without an extension they are nothing new: a horizon where the
//! mover always loses is one where the mover always wins, one move later, so the lower bound at an even depth is that of the
//! depth before, and so is the upper bound at an odd one.
//!
//! **Never later.** An extended search that keeps the bracket stops no later than the plain search with [`Guess::Mover`],
//! for no horizon answer exceeds *has a move*, which is the plain one: applying T to W ≤ h ≤ plain h puts its verdict
//! between the truth and the plain verdict at every depth. Where the plain verdicts agree, all are the truth. That counts
//! depths; what a depth costs is another matter.

mod agreement;
mod game;
mod horizon;
mod search;

pub use agreement::{Reason, Stop, Verdict, deepen_until_agreement};
pub use game::Game;
pub use horizon::{Cut, Extension, Guess, Horizon, Step, Window};
pub use search::CutSearch;
