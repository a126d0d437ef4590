//! Deepens the win brackets of the turns of a DFEN with dice until one is proven best, and prints them horizon by horizon:
//! `cargo run --release --example prove_turn -- "<DFEN>" [max horizon] [work budget]`.

use dicechess_native::board::Position;
use dicechess_native::rules::Budget;
use dicechess_native::search::{ProofVerdict, SearchControl, WinProof, WinProofConfig};

const ROOK_ENDING: &str = "k7/8/8/8/8/8/8/R3K3 w - - 0 1 NBK";
const TOP: usize = 5;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let position: Position = arguments.next().as_deref().unwrap_or(ROOK_ENDING).parse()?;
    let max_horizon = arguments.next().map_or(Ok(4), |horizon| horizon.parse())?;
    let budget = Budget::new(arguments.next().map_or(Ok(200_000_000), |work| work.parse())?);
    let control = SearchControl::unbounded().with_budget(&budget);
    let mut turns = Vec::new();
    // A search by itself deepens too; one for each horizon shows the way there.
    for max_horizon in 1..=max_horizon {
        let proof = WinProof::new(WinProofConfig { max_horizon, ..WinProofConfig::default() })?;
        let before = budget.used();
        let result = proof.bracket_moves(&position, &control, 1, &mut turns)?;
        let Some(best) = result.best else {
            println!("forced pass");
            return Ok(());
        };
        let stats = result.stats;
        println!(
            "horizon {max_horizon}: {} of {} positions could still be better than {}; {} nodes, {} units of work",
            stats.open_rivals,
            stats.distinct_turns,
            best.turn,
            stats.chance_nodes,
            budget.used() - before,
        );
        for turn in turns.iter().take(TOP) {
            let bracket = turn.bracket;
            println!("  {:<18} {:.6} to {:.6}", turn.turn.to_string(), bracket.lower, bracket.upper);
        }
        match best.verdict {
            ProofVerdict::Proven => println!("proven best: {}", best.turn),
            ProofVerdict::Cancelled => println!("out of budget"),
            ProofVerdict::HorizonReached => continue,
        }
        break;
    }
    Ok(())
}
