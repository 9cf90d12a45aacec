//! The steps of a message type, and which of them a message needs.
//!
//! Of a type with many fields most are not set in most messages. For those whose Rust types show it by the bytes of the
//! member, that is found out by one loop per Rust type, without a jump per field.

use super::{Action, Inner, OneofMembers, Step};
use crate::layout::{Plan, RECORD, Record};

/// Types with no more steps than this go through all of them.
const MAX_UNPROBED: usize = 16;

/// The steps of a message type, and for each 64 of them which ones are needed.
#[derive(Debug)]
pub(crate) struct Steps {
    pub(crate) list: &'static [Step],
    pub(crate) sets: &'static [Set],
    /// The same as a record, where the type is one.
    pub(crate) record: Option<&'static Record>,
    /// The straight-line code that does the same.
    pub(crate) straight: Option<Straight>,
}

/// The straight-line code of a message type.
#[derive(Debug)]
pub(crate) struct Straight {
    pub(crate) plan: Plan,
    /// The indices of the steps of the fields.
    pub(super) steps: &'static [u16],
}

/// Which of 64 steps a message needs.
#[derive(Debug)]
pub(crate) struct Set {
    /// Those that are always needed, or check themselves.
    pub(crate) always: u64,
    pub(crate) probes: &'static [(ProbeKind, &'static [Probe])],
    pub(crate) runs: &'static [Run],
}

/// Adjacent steps whose presence bits are adjacent in one word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    /// Bytes from the start of the struct to the word.
    pub(crate) word: u32,
    /// The first presence bit, and how many there are.
    pub(crate) first: u8,
    pub(crate) count: u8,
    /// The bit of the first step.
    pub(crate) bit: u8,
}

/// A member that is probed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Probe {
    pub(crate) offset: u32,
    pub(crate) bit: u8,
}

/// How a member shows that it is not set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProbeKind {
    Four,
    Eight,
    Bool,
    String,
    Vec,
    Pointer,
    OptionI32,
    OptionU32,
    OptionI64,
    OptionU64,
    OptionF32,
    OptionF64,
    OptionBool,
    OptionString,
    OptionVec,
}

impl Steps {
    pub(super) fn new(list: &'static [Step], unknown: Option<u32>, straight: Option<Straight>) -> Steps {
        let mut sets = Vec::new();
        for steps in list.chunks(64) {
            sets.push(Set::new(steps, list.len() > MAX_UNPROBED));
        }
        let is_number = |step: &Step| step.action == Action::Fixed32 && !step.always && step.tag_len == 1;
        let is_record = list.len() <= RECORD && list.iter().all(is_number);
        let record = is_record.then(|| {
            let mut fields = Vec::with_capacity(list.len());
            for step in list {
                fields.push((step.offset, step.tag as u8));
            }
            &*Box::leak(Box::new(Record { fields: fields.leak(), unknown }))
        });
        Steps { list, sets: sets.leak(), record, straight }
    }
}

impl Straight {
    /// The step of a field.
    pub(crate) fn step<'s>(&self, steps: &'s [Step], index: u16) -> &'s Step {
        &steps[usize::from(self.steps[usize::from(index)])]
    }

    /// The oneofs before a field: their steps, and which members these are of.
    #[inline]
    pub(crate) fn oneofs<'s>(
        &self,
        steps: &'s [Step],
        index: u16,
    ) -> impl Iterator<Item = (&'s Step, &'s OneofMembers)> {
        let start = match index.checked_sub(1) {
            None => 0,
            Some(before) => usize::from(self.steps[usize::from(before)]) + 1,
        };
        steps[start..].iter().map_while(|step| match &step.inner {
            Inner::Oneof(members) => Some((step, *members)),
            _ => None,
        })
    }
}

impl Set {
    fn new(steps: &[Step], probing: bool) -> Set {
        let mut always = 0;
        let mut found = Vec::<(ProbeKind, Vec<Probe>)>::new();
        let mut runs = Vec::<Run>::new();
        for (bit, step) in (0..).zip(steps) {
            if let Some(presence) = step.presence {
                let (word, first) = (presence.word() as u32, presence.shift());
                match runs.last_mut() {
                    Some(run)
                        if (run.word, run.first + run.count, run.bit + run.count) == (word, first, bit) =>
                    {
                        run.count += 1;
                    }
                    _ => runs.push(Run { word, first, count: 1, bit }),
                }
                continue;
            }
            let Some(kind) = ProbeKind::of(step).filter(|_| probing) else {
                always |= 1 << bit;
                continue;
            };
            let probe = Probe { offset: step.offset, bit };
            match found.iter_mut().find(|(other, _)| *other == kind) {
                Some((_, probes)) => probes.push(probe),
                None => found.push((kind, vec![probe])),
            }
        }
        let mut probes = Vec::with_capacity(found.len());
        for (kind, found) in found {
            probes.push((kind, &*found.leak()));
        }
        Set { always, probes: probes.leak(), runs: runs.leak() }
    }
}

impl ProbeKind {
    /// How a step's member shows that it can be skipped; `None` if it never can.
    fn of(step: &Step) -> Option<ProbeKind> {
        let is_option = matches!(step.storage, crate::layout::Storage::Option(_));
        if step.required || (step.always && !is_option) {
            return None;
        }
        Some(match step.action {
            Action::Int32 | Action::UInt32 | Action::SInt32 | Action::Fixed32 => ProbeKind::Four,
            Action::Int64 | Action::SInt64 | Action::Fixed64 => ProbeKind::Eight,
            Action::Bool => ProbeKind::Bool,
            Action::String => ProbeKind::String,
            Action::Vec => ProbeKind::Vec,
            Action::OptionBoxMessage => ProbeKind::Pointer,
            Action::OptionI32 | Action::OptionSInt32 | Action::OptionFixedI32 => ProbeKind::OptionI32,
            Action::OptionU32 | Action::OptionFixedU32 => ProbeKind::OptionU32,
            Action::OptionI64 | Action::OptionSInt64 | Action::OptionFixedI64 => ProbeKind::OptionI64,
            Action::OptionU64 | Action::OptionFixedU64 => ProbeKind::OptionU64,
            Action::OptionF32 => ProbeKind::OptionF32,
            Action::OptionF64 => ProbeKind::OptionF64,
            Action::OptionBool => ProbeKind::OptionBool,
            Action::OptionString => ProbeKind::OptionString,
            Action::OptionVec => ProbeKind::OptionVec,
            _ => return None,
        })
    }
}
