//! What is to be known of a member to read most values, and to guess which member comes next.
//!
//! It comes with the member as a [head](super::Head) does to write it: as the name of a newtype struct.

use super::head::{Head, Name, of_place, place};

/// A member that is to be read, and the one after it by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lead {
    /// The place among the members.
    pub(crate) index: u16,
    /// None where nothing is told.
    pub(crate) head: Option<Head>,
    pub(crate) next: Option<Head>,
}

/// A name that tells of a member and of the next.
pub(crate) type LeadName = [u8; 28];

impl Lead {
    /// What a name says, if it is one that says this.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        let Ok(name): Result<&LeadName, _> = name.as_bytes().try_into() else { return None };
        let (b"$tobu::>", name) = name.split_first_chunk::<8>()? else { return None };
        let (place, name) = name.split_first_chunk::<3>()?;
        let (own, next) = name.split_first_chunk::<8>()?;
        let index = of_place(*place);
        Some(Lead { index, head: Head::of_part(own), next: Head::of_part(next.first_chunk()?) })
    }
}

/// The name that tells of the member at `index`, of which and of the next one a derive tells so much.
pub const fn lead_name(index: u16, own: Name, next: Name) -> LeadName {
    let mut name = *b"$tobu::>                    ";
    let mut group = 0;
    while group < 3 {
        name[8 + group] = place(index)[group];
        group += 1;
    }
    let mut at = 0;
    while at < 8 {
        name[11 + at] = own[8 + at];
        name[19 + at] = next[8 + at];
        at += 1;
    }
    name
}

#[cfg(test)]
mod tests {
    use super::super::head::{Held, Many, OTHER_NAME, UNKNOWN_NAME, name, text};
    use super::*;

    #[test]
    fn names_say_what_is_told() {
        let number = name(3, Held::F32, Many::One, None, false);
        let list = name(2047, Held::Message, Many::List, None, false);
        let head = |name: Name| Head::of_name(text(&name));
        for (index, own, next) in
            [(0, number, list), (127, list, UNKNOWN_NAME), (u16::MAX, OTHER_NAME, number)]
        {
            let lead = Lead::of_name(text(&lead_name(index, own, next)));
            assert_eq!(lead, Some(Lead { index, head: head(own), next: head(next) }));
        }
        for name in ["", "$tobu::Message", text(&number)] {
            assert_eq!(Lead::of_name(name), None);
        }
    }
}
