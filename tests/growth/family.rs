//! Input of any size, the operations on it, and the check that their cost is linear.

use crate::meter::Counts;
use std::sync::{Mutex, PoisonError};

/// The result of one run: the size of the output, or the text of an error.
pub(crate) type Outcome = Result<usize, String>;

/// A prepared operation.
pub(crate) type Run<'a> = Box<dyn FnOnce() -> Outcome + 'a>;

/// Something that is done with an input.
#[derive(Clone, Copy)]
pub(crate) struct Verb {
    pub(crate) name: &'static str,
    /// Prepares the operation, which is not counted; `None` if this input does not allow it.
    pub(crate) prepare: for<'a> fn(&'a [u8]) -> Option<Run<'a>>,
}

/// Input that grows.
#[derive(Clone, Copy)]
pub(crate) struct Family {
    pub(crate) name: &'static str,
    /// The first size, which is doubled [`DOUBLINGS`] times.
    pub(crate) first: usize,
    pub(crate) input: fn(usize) -> Vec<u8>,
    /// The error text if the input is rejected.
    pub(crate) refused: Option<&'static str>,
}

/// Input that every verb takes.
pub(crate) const fn taken(name: &'static str, first: usize, input: fn(usize) -> Vec<u8>) -> Family {
    Family { name, first, input, refused: None }
}

/// Input that no verb takes; the error of each has this text in it.
pub(crate) const fn refused(
    name: &'static str,
    first: usize,
    input: fn(usize) -> Vec<u8>,
    text: &'static str,
) -> Family {
    Family { name, first, input, refused: Some(text) }
}

/// How often a size is doubled. A quarter of the work shows most of what allocates too much; CI counts blocks, too.
const DOUBLINGS: u32 = if cfg!(counted) { 5 } else { 3 };

/// The allowed factor for twice the input: a little more than twice as much, since tables and lists
/// grow by steps.
const TIMES: f64 = 2.5;

/// Counters of blocks are those of the whole program: one family at a time.
static LOCK: Mutex<()> = Mutex::new(());

/// Prepares data before a test counts anything, while no other test counts.
#[allow(dead_code, reason = "not every crate that counts needs it")]
pub(crate) fn prepare<T>(make: impl FnOnce() -> T) -> T {
    let _alone = LOCK.lock().unwrap_or_else(PoisonError::into_inner);
    make()
}

/// Runs every verb over every family.
///
/// # Panics
/// A verb takes more than [`TIMES`] as much for twice the input, or does not have the family's result.
#[track_caller]
pub(crate) fn run(families: &[Family], verbs: &[Verb]) {
    run_as(families, |input| Some(input.to_vec()), verbs);
}

/// Runs every verb over the converted input of every family; inputs that cannot be converted are skipped.
///
/// # Panics
/// As [`run`].
#[track_caller]
pub(crate) fn run_as(families: &[Family], form: fn(&[u8]) -> Option<Vec<u8>>, verbs: &[Verb]) {
    let faults: Vec<String> = families.iter().filter_map(|family| faults(family, form, verbs)).collect();
    assert!(faults.is_empty(), "{} families of {}:\n{}", faults.len(), families.len(), faults.join("\n"));
}

/// The counts of one run, and the larger of input and output.
struct Step {
    counts: Counts,
    size: usize,
}

/// The first thing that is wrong. Larger inputs are left alone then: it may be exponential.
fn faults(family: &Family, form: fn(&[u8]) -> Option<Vec<u8>>, verbs: &[Verb]) -> Option<String> {
    let _alone = LOCK.lock().unwrap_or_else(PoisonError::into_inner);
    let mut steps: Vec<Vec<Step>> = verbs.iter().map(|_| Vec::new()).collect();
    for doubling in 0..=DOUBLINGS {
        let count = family.first << doubling;
        let input = form(&(family.input)(count))?;
        for (verb, steps) in verbs.iter().zip(&mut steps) {
            // Data built on first use is not counted.
            if doubling == 0
                && let Some(run) = (verb.prepare)(&input)
            {
                let _ = run();
            }
            let Some(run) = (verb.prepare)(&input) else { continue };
            let (counts, outcome) = Counts::of(run);
            let at = format!("{}, {} of {count}", family.name, verb.name);
            let made = match (outcome, family.refused) {
                (Ok(made), None) => made,
                (Err(error), Some(text)) if error.contains(text) => error.len(),
                (outcome, text) => return Some(format!("{at}: {outcome:.300?}, expected {text:?}")),
            };
            let size = input.len().max(made);
            for (doublings, less) in (1..).zip(steps.iter().rev()) {
                let larger = (size as f64 / less.size as f64).powf(1.0 / f64::from(doublings)) / 2.0;
                if let Some(fault) = counts.beyond(&less.counts, doublings, TIMES * larger.max(1.0)) {
                    steps.push(Step { counts, size });
                    let counted =
                        steps.iter().map(|step| format!("\n  {} bytes: {}", step.size, step.counts));
                    return Some(format!("{at}: {fault}{}", counted.collect::<String>()));
                }
            }
            steps.push(Step { counts, size });
        }
    }
    steps.iter().all(Vec::is_empty).then(|| format!("{}: nothing could be done with it", family.name))
}

#[test]
fn more_than_linear_is_found() {
    let verbs = [
        Verb {
            name: "calls",
            prepare: |input| {
                Some(Box::new(move || {
                    (0..input.len().pow(2)).for_each(|_| drop(std::hint::black_box(Box::new(0))));
                    Ok(0)
                }))
            },
        },
        Verb {
            name: "bytes",
            prepare: |input| Some(Box::new(move || Ok(vec![0_u8; 1 << (input.len() / 10)].len() & 1))),
        },
        #[cfg(counted)]
        Verb {
            name: "steps",
            prepare: |input| {
                Some(Box::new(move || {
                    (0..20 * input.len().pow(2)).for_each(|at| _ = std::hint::black_box(at));
                    Ok(0)
                }))
            },
        },
    ];
    let wanted = [
        "too many allocations after 1 doublings",
        "bytes of 256: too many bytes after 1 doublings",
        "too many blocks of code after 1 doublings",
    ];
    for (verb, wanted) in verbs.iter().zip(wanted) {
        let fault = faults(
            &taken("bytes", 256 >> DOUBLINGS, |count| vec![0; count]),
            |input| Some(input.to_vec()),
            &[*verb],
        );
        assert!(fault.as_ref().is_some_and(|fault| fault.contains(wanted)), "{fault:?}");
    }
}
