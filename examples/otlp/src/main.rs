//! Sums up the operations of trace requests with rows and with prost, and prints the time that each way takes.

use example_otlp::rows::SpanRow;
use example_otlp::{Totals, by_prost, request, rows};
use std::time::{Duration, Instant};
use tobu::sink::RowPlan;

/// The number of requests, and how often the program reads all of them.
const REQUESTS: u64 = 20;
const TURNS: usize = 20;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let plan = RowPlan::new::<SpanRow<'_>>(&example_otlp::message()?)?;
    let requests: Vec<Vec<u8>> = (0..REQUESTS).map(request::encoded).collect();
    let mut totals = Totals::new();
    for request in &requests {
        rows::add(&plan, request, &mut totals)?;
    }
    for ((scope, name), total) in &totals {
        let milliseconds = total.nanoseconds / 1_000_000 / total.spans.max(1);
        println!(
            "{scope:<13} {name:<22} {:>5} spans, {:>4} errors, {milliseconds} ms",
            total.spans, total.errors
        );
    }
    let by_rows = least(|| {
        let mut totals = Totals::new();
        requests.iter().try_for_each(|request| rows::add(&plan, request, &mut totals)).map(|()| totals)
    })?;
    let by_prost = least(|| {
        let mut totals = Totals::new();
        requests.iter().try_for_each(|request| by_prost::add(request, &mut totals)).map(|()| totals)
    })?;
    let per_span = |time: Duration| time.as_nanos() as u64 / (400 * REQUESTS);
    println!("rows: {} ns per span; prost: {} ns per span", per_span(by_rows), per_span(by_prost));
    Ok(())
}

/// Runs a function many times, and returns the shortest time.
fn least<T, E>(mut run: impl FnMut() -> Result<T, E>) -> Result<Duration, E> {
    let mut least = Duration::MAX;
    for _ in 0..TURNS {
        let start = Instant::now();
        std::hint::black_box(run()?);
        least = least.min(start.elapsed());
    }
    Ok(least)
}
