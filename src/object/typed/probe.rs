//! Which fields of a message are set, as far as the bytes of the members show it.

use crate::table::{Probe, ProbeKind, Set};

impl Set {
    /// A bit for each step that is needed.
    ///
    /// # Safety
    /// A live struct of the type lies there.
    #[inline(always)]
    pub(crate) unsafe fn of(&self, base: *const u8) -> u64 {
        match self.probes.is_empty() && self.runs.is_empty() {
            true => self.always,
            // SAFETY: as above.
            false => self.always | unsafe { self.probe(base) },
        }
    }

    #[inline(never)]
    unsafe fn probe(&self, base: *const u8) -> u64 {
        let mut bits = 0;
        for run in self.runs {
            // SAFETY: see the module.
            let word = unsafe { base.add(run.word as usize).cast::<u32>().read() };
            bits |= (u64::from(word >> run.first) & ((1 << run.count) - 1)) << run.bit;
        }
        for (kind, probes) in self.probes {
            // SAFETY: see the module.
            bits |= unsafe {
                match kind {
                    ProbeKind::Four => set(base, probes, |value: &u32| *value != 0),
                    ProbeKind::Eight => set(base, probes, |value: &u64| *value != 0),
                    ProbeKind::Bool => set(base, probes, |value: &bool| *value),
                    ProbeKind::String => set(base, probes, |value: &String| !value.is_empty()),
                    ProbeKind::Vec => set(base, probes, |value: &Vec<u8>| !value.is_empty()),
                    ProbeKind::Pointer => set(base, probes, |value: &*const u8| !value.is_null()),
                    ProbeKind::OptionI32 => set(base, probes, Option::<i32>::is_some),
                    ProbeKind::OptionU32 => set(base, probes, Option::<u32>::is_some),
                    ProbeKind::OptionI64 => set(base, probes, Option::<i64>::is_some),
                    ProbeKind::OptionU64 => set(base, probes, Option::<u64>::is_some),
                    ProbeKind::OptionF32 => set(base, probes, Option::<f32>::is_some),
                    ProbeKind::OptionF64 => set(base, probes, Option::<f64>::is_some),
                    ProbeKind::OptionBool => set(base, probes, Option::<bool>::is_some),
                    ProbeKind::OptionString => set(base, probes, Option::<String>::is_some),
                    ProbeKind::OptionVec => set(base, probes, Option::<Vec<u8>>::is_some),
                }
            };
        }
        bits
    }
}

/// The bits of the members that are set.
///
/// # Safety
/// A live value of the type lies at each offset.
#[inline(always)]
unsafe fn set<T>(base: *const u8, probes: &[Probe], is_set: impl Fn(&T) -> bool) -> u64 {
    let mut bits = 0;
    for probe in probes {
        // SAFETY: the caller promises that a live value of the type lies at each offset.
        let is_set = is_set(unsafe { &*base.add(probe.offset as usize).cast::<T>() });
        bits |= u64::from(is_set) << (probe.bit & 63);
    }
    bits
}
