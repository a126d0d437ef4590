//! Exact ties, broken by a seed.

use rand::RngExt;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// The generator of a seed: the same stream on every machine.
pub(super) fn seeded(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// The item of the greatest score with its score, each of several equally likely; `None` when there are no items.
pub(super) fn best<T, S: Copy + PartialOrd>(
    scored: impl Iterator<Item = (T, S)> + Clone,
    generator: &mut ChaCha8Rng,
) -> Option<(T, S)> {
    let scores = scored.clone().map(|(_, score)| score);
    let greatest = scores.reduce(|best, score| if score > best { score } else { best })?;
    let mut tied = scored.filter(|&(_, score)| score == greatest);
    let ticket = generator.random_range(0..tied.clone().count());
    tied.nth(ticket)
}
