//! Input of any size, what is done with it, and that this takes twice as much for twice as much input.

use crate::meter::Counts;
use std::sync::{Mutex, PoisonError};

/// What comes of one run: the size of what was made, or the text of an error.
pub(crate) type Outcome = Result<usize, String>;

/// A piece of work that has all it needs.
pub(crate) type Run<'a> = Box<dyn FnOnce() -> Outcome + 'a>;

/// Something that is done with an input.
#[derive(Clone, Copy)]
pub(crate) struct Verb {
    pub(crate) name: &'static str,
    /// Makes what the work needs, which does not count; nothing where it cannot be made of this input.
    pub(crate) prepare: for<'a> fn(&'a [u8]) -> Option<Run<'a>>,
}

/// Input that grows.
pub(crate) struct Family {
    pub(crate) name: &'static str,
    /// The first size, which is doubled five times.
    pub(crate) first: usize,
    pub(crate) input: fn(usize) -> Vec<u8>,
    /// What the error says where the input is refused.
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

/// How often a size is doubled.
const DOUBLINGS: u32 = 5;

/// What twice as much may take: a little more than twice as much, since tables and lists grow by steps.
const TIMES: f64 = 2.5;

/// Counters of blocks are those of the whole program: one family at a time.
static LOCK: Mutex<()> = Mutex::new(());

/// Runs every verb over every family.
///
/// # Panics
/// A verb takes more than [`TIMES`] as much for twice the input, or does not come out as the family says.
#[track_caller]
pub(crate) fn run(families: &[Family], verbs: &[Verb]) {
    run_as(families, |input| Some(input.to_vec()), verbs);
}

/// Runs every verb over what becomes of the input of every family; over nothing where nothing becomes of it.
///
/// # Panics
/// As [`run`].
#[track_caller]
pub(crate) fn run_as(families: &[Family], form: fn(&[u8]) -> Option<Vec<u8>>, verbs: &[Verb]) {
    let faults: Vec<String> = families.iter().filter_map(|family| faults(family, form, verbs)).collect();
    assert!(faults.is_empty(), "{} families of {}:\n{}", faults.len(), families.len(), faults.join("\n"));
}

/// What was counted in one run, and the larger of input and output.
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
            // What is made on first use counts for nothing.
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
                    (0..20 * input.len().pow(2)).for_each(|at| drop(std::hint::black_box(at)));
                    Ok(0)
                }))
            },
        },
    ];
    let wanted = [
        "calls of 32: too many allocations after 1 doublings",
        "bytes of 256: too many bytes after 1 doublings",
        "too many blocks of code after 1 doublings",
    ];
    for (verb, wanted) in verbs.iter().zip(wanted) {
        let fault =
            faults(&taken("bytes", 8, |count| vec![0; count]), |input| Some(input.to_vec()), &[*verb]);
        assert!(fault.as_ref().is_some_and(|fault| fault.contains(wanted)), "{fault:?}");
    }
}
