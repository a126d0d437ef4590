//! A bracket: two proven bounds of a win probability.

use super::tree::End;

/// How far bounds are moved outward, relative to themselves, so that rounding cannot make them wrong.
///
/// All terms of a chance node are positive, so its quotient is off by at most the roundings on the way to it: a product,
/// 55 sums and the division, each within 2^−53. Nested as deep as a horizon can be these are 32 · 57 · 2^−53 < 2^−42.
const OUTWARD: f64 = 1.0 / (1u64 << 40) as f64;

/// Proven bounds of the probability that a side captures the king first when both play their best.
///
/// Every line that is undecided at the horizon counts as lost in `lower` and as won in `upper`. Both ends are moved outward
/// by one part in 2^40, more than all rounding on the way to them, so they bound the true probability, not only its
/// floating-point image. A deeper bracket lies within a shallower one, bit for bit: rounding is monotone, and each chance
/// node adds its terms in one order whatever the depth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bracket {
    /// At most the true probability.
    pub lower: f64,
    /// At least the true probability.
    pub upper: f64,
    /// Turns after the position, or after the root turn, that the last completed search looked ahead; 0 for none. A root
    /// turn that was cut against a better one may have the ends of an earlier horizon.
    pub horizon: u32,
}

impl Bracket {
    /// What is known without looking.
    pub(super) const UNKNOWN: Self = Self { lower: 0.0, upper: 1.0, horizon: 0 };
    /// Of a king that is captured at once.
    pub(super) const WON: Self = Self { lower: 1.0, upper: 1.0, horizon: 0 };

    /// With one end as a search of `horizon` found it.
    pub(super) fn moved(self, end: End, value: f64, horizon: u32) -> Self {
        match end {
            End::Lower => Self { lower: value * (1.0 - OUTWARD), horizon, ..self },
            End::Upper => Self { upper: (value * (1.0 + OUTWARD)).min(1.0), horizon, ..self },
        }
    }

    /// A value so far below the lower end that it is so as an upper end too; nothing is below 0.
    pub(super) fn alpha(self) -> f64 {
        if self.lower > 0.0 { self.lower * (1.0 - 4.0 * OUTWARD) } else { f64::NEG_INFINITY }
    }
}
