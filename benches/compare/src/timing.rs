//! Rounds in which everybody takes a turn, and the median of each.

use crate::contest::Contender;
use cpu_time::ThreadTime;
use std::time::Duration;

/// How long to measure.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    pub rounds: u32,
    /// How long a turn takes at least.
    pub turn: Duration,
    /// How long all turns of a contender may take: slow ones have fewer, but at least one.
    pub most: Duration,
}

/// The median time of one pass of each contender.
pub fn race(contenders: &mut [Contender<'_>], effort: Effort) -> Vec<Duration> {
    let plans: Vec<(u32, u32)> = contenders.iter_mut().map(|contender| plan(contender, effort)).collect();
    let mut times = vec![Vec::new(); contenders.len()];
    for round in 0..effort.rounds {
        for ((contender, times), &(passes, rounds)) in contenders.iter_mut().zip(&mut times).zip(&plans) {
            if round < rounds {
                times.push(time(contender, passes) / passes);
            }
        }
    }
    times.into_iter().map(median).collect()
}

/// How many passes fill a turn, and how many turns there are; finding out is the warm-up.
fn plan(contender: &mut Contender<'_>, effort: Effort) -> (u32, u32) {
    let mut passes = 1;
    let mut took = time(contender, passes);
    while took * 2 < effort.turn {
        passes *= 2;
        took = time(contender, passes);
    }
    let turns = (effort.most.as_secs_f64() / took.as_secs_f64()) as u32;
    let fill = f64::from(passes) * effort.turn.as_secs_f64() / took.as_secs_f64();
    ((fill.ceil() as u32).max(1), turns.clamp(1, effort.rounds))
}

/// The processor's time, so that other programs do not count.
fn time(contender: &mut Contender<'_>, passes: u32) -> Duration {
    let start = ThreadTime::now();
    for _ in 0..passes {
        (contender.run)();
    }
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}
