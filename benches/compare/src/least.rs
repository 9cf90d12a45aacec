//! Short runs in turns, of which the shortest counts: what other programs take of the processor's caches makes runs longer, never
//! shorter.

use cpu_time::ThreadTime;
use std::time::{Duration, Instant};

/// Something to be measured.
pub type Run<'a> = Box<dyn FnMut() + 'a>;

/// The shortest time that each of these takes, of so many turns, or fewer where all of them take longer than `most`.
pub fn least(runs: &mut [Run<'_>], turns: u32, most: Duration) -> Vec<Duration> {
    let mut times = vec![Duration::MAX; runs.len()];
    let start = Instant::now();
    for turn in 0..turns {
        if turn > 2 && start.elapsed() > most {
            break;
        }
        for (run, time) in runs.iter_mut().zip(&mut times) {
            let start = ThreadTime::now();
            run();
            *time = start.elapsed().min(*time);
        }
    }
    times
}
