//! Rounds in which everybody takes a turn, and the median of each.

use crate::contest::Contender;
use std::time::{Duration, Instant};

/// How long to measure.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    pub rounds: usize,
    /// How long one turn takes at least.
    pub turn: Duration,
}

/// The median time of one pass of each contender.
pub fn race(contenders: &mut [Contender<'_>], effort: Effort) -> Vec<Duration> {
    let passes: Vec<u32> = contenders.iter_mut().map(|contender| passes(contender, effort.turn)).collect();
    let mut times = vec![Vec::with_capacity(effort.rounds); contenders.len()];
    for _ in 0..effort.rounds {
        for (index, contender) in contenders.iter_mut().enumerate() {
            let start = Instant::now();
            for _ in 0..passes[index] {
                (contender.run)();
            }
            times[index].push(start.elapsed() / passes[index]);
        }
    }
    times.into_iter().map(median).collect()
}

/// How many passes fill a turn; doing them is the warm-up.
fn passes(contender: &mut Contender<'_>, turn: Duration) -> u32 {
    let mut passes = 1;
    loop {
        let start = Instant::now();
        for _ in 0..passes {
            (contender.run)();
        }
        let took = start.elapsed();
        if took * 2 >= turn {
            return ((f64::from(passes) * turn.as_secs_f64() / took.as_secs_f64()).ceil() as u32).max(1);
        }
        passes *= 2;
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}
