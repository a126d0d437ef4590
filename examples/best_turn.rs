//! Prints the best turn of a DFEN with dice, and what each candidate is worth:
//! `cargo run --release --example best_turn -- "<DFEN>" [depth]`.

use dicechess_native::board::Position;
use dicechess_native::eval::BuiltIn;
use dicechess_native::search::{Expectimax, ExpectimaxConfig, SearchControl};

const F10: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 2 3 NBP";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let position: Position = arguments.next().as_deref().unwrap_or(F10).parse()?;
    let search_depth = arguments.next().map_or(Ok(2), |depth| depth.parse())?;
    let config = ExpectimaxConfig { search_depth, ..ExpectimaxConfig::default() };
    let search = Expectimax::new(config, &BuiltIn::Material)?;
    let mut candidates = Vec::new();
    let result = search.rank_moves(&position, &SearchControl::unbounded(), 1, &mut candidates)?;
    match result.best {
        None => println!("forced pass"),
        Some(best) => println!("{}: {:?}", best.turn, best.outcome),
    }
    for candidate in candidates {
        println!("  {:<18} {:?}", candidate.turn.to_string(), candidate.outcome);
    }
    Ok(())
}
