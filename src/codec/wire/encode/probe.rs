//! Which fields of a message are set, as far as the bytes of the members show it.

use crate::table::{Look, Probe, Set};

impl Set {
    /// A bit for each step that is needed.
    ///
    /// # Safety
    /// A live struct of the type lies there.
    #[inline(always)]
    pub(super) unsafe fn of(&self, base: *const u8) -> u64 {
        // SAFETY: as above.
        if self.probes.is_empty() { self.always } else { self.always | unsafe { self.probe(base) } }
    }

    #[inline(never)]
    unsafe fn probe(&self, base: *const u8) -> u64 {
        let mut bits = 0;
        for (look, probes) in &self.probes {
            // SAFETY: see the module.
            bits |= unsafe {
                match look {
                    Look::Four => set(base, probes, |value: &u32| *value != 0),
                    Look::Eight => set(base, probes, |value: &u64| *value != 0),
                    Look::Bool => set(base, probes, |value: &bool| *value),
                    Look::String => set(base, probes, |value: &String| !value.is_empty()),
                    Look::Vec => set(base, probes, |value: &Vec<u8>| !value.is_empty()),
                    Look::Pointer => set(base, probes, |value: &*const u8| !value.is_null()),
                    Look::OptionI32 => set(base, probes, Option::<i32>::is_some),
                    Look::OptionU32 => set(base, probes, Option::<u32>::is_some),
                    Look::OptionI64 => set(base, probes, Option::<i64>::is_some),
                    Look::OptionU64 => set(base, probes, Option::<u64>::is_some),
                    Look::OptionF32 => set(base, probes, Option::<f32>::is_some),
                    Look::OptionF64 => set(base, probes, Option::<f64>::is_some),
                    Look::OptionBool => set(base, probes, Option::<bool>::is_some),
                    Look::OptionString => set(base, probes, Option::<String>::is_some),
                    Look::OptionVec => set(base, probes, Option::<Vec<u8>>::is_some),
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
    // SAFETY: as above.
    let look = |probe: &Probe| is_set(unsafe { &*base.add(probe.offset as usize).cast::<T>() });
    probes.iter().fold(0, |bits, probe| bits | u64::from(look(probe)) << (probe.bit & 63))
}
