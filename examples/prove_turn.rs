//! Deepens the win brackets of the turns of a DFEN with dice until one is proven best, and prints them horizon by horizon:
//! `cargo run --release --example prove_turn -- "<DFEN>" [max horizon] [work budget]`.

use dicechess_native::board::Position;
use dicechess_native::rules::Budget;
use dicechess_native::search::{
    BracketedTurn, ProofResult, ProofVerdict, SearchControl, WinProof, WinProofConfig,
};

const HANGING_KINGS: &str = "6R1/1n6/2Q5/4K2q/2N1k3/5r2/8/8 w - - 0 1 PPR";
const WORK: u64 = 100_000_000;
/// How many turns are printed.
const TOP: usize = 5;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let root: Position = arguments.next().as_deref().unwrap_or(HANGING_KINGS).parse()?;
    let max_horizon = arguments.next().map_or(Ok(4), |horizon| horizon.parse())?;
    let work = arguments.next().map_or(Ok(WORK), |work| work.parse())?;
    let mut turns = Vec::new();
    // One search deepens by itself; one for each horizon shows the way there.
    for max_horizon in 1..=max_horizon {
        let proof = WinProof::new(WinProofConfig { max_horizon, ..WinProofConfig::default() })?;
        let budget = Budget::new(work);
        let control = SearchControl::unbounded().with_budget(&budget);
        let result = proof.bracket_moves(&root, &control, 1, &mut turns)?;
        let Some(best) = result.best else {
            println!("forced pass");
            return Ok(());
        };
        print_brackets(max_horizon, &result, &turns);
        match best.verdict {
            ProofVerdict::Proven => {
                println!("stopped: {} is proven best", best.turn);
                return print_rest(&root, max_horizon + 1, &turns, work);
            }
            ProofVerdict::Cancelled => {
                println!("stopped: {work} units of work are used up; so far {}", best.turn);
                return Ok(());
            }
            ProofVerdict::HorizonReached => {}
        }
    }
    println!("stopped: the horizon is reached");
    Ok(())
}

fn print_brackets(horizon: u32, result: &ProofResult, turns: &[BracketedTurn]) {
    let stats = result.stats;
    println!(
        "horizon {horizon}: {} of {} positions open; {} chance nodes, {} units of work",
        stats.open_rivals, stats.distinct_turns, stats.chance_nodes, stats.work_used,
    );
    for BracketedTurn { turn, bracket } in turns.iter().take(TOP) {
        println!("  {:<18} {:.4} to {:.4}", turn.to_string(), bracket.lower, bracket.upper);
    }
}

/// What the whole brackets would have cost one turn further ahead.
fn print_rest(
    root: &Position,
    horizon: u32,
    turns: &[BracketedTurn],
    work: u64,
) -> Result<(), Box<dyn std::error::Error>> {
    let proof = WinProof::new(WinProofConfig::default())?;
    let budget = Budget::new(work);
    let control = SearchControl::unbounded().with_budget(&budget);
    for turn in turns {
        let after = root.play_turn(turn.turn).end_turn();
        proof.win_bracket(&after, root.side_to_move(), horizon, &control)?;
    }
    let more = if budget.is_exhausted() { "more than " } else { "" };
    println!("brackets of all turns at horizon {horizon}: {more}{} units of work", budget.used());
    Ok(())
}
