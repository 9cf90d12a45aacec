//! Parsed messages against the structs of the same messages.

use crate::DETERMINISTIC;
use proptest::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tobu::Parsed;
use tobu::descriptor::Edition;
use tobu::parsed::Parse;
use tobu_schemas::read::{Reread, reread_parsed};

/// The accessors of a parsed message give what the struct holds that was decoded from the same bytes, or neither can be decoded.
pub(crate) fn agrees<T>(bytes: &[u8]) -> Result<(), TestCaseError>
where
    T: Parse + Serialize + DeserializeOwned,
    for<'a> T::Ref<'a>: Reread,
{
    let (typed, parsed) = (tobu::from_slice::<T>(bytes), Parsed::<T>::decode(bytes));
    let (typed, parsed) = match (typed, parsed) {
        (Ok(typed), Ok(parsed)) => (typed, parsed),
        (Err(one), Err(other)) => {
            // Of several errors each may report another.
            let same = one.position() != other.position() || one.to_string() == other.to_string();
            prop_assert!(same, "{} and {}", one, other);
            return Ok(());
        }
        // Of the keys of one entry in a schema of proto2 a struct checks the last, a parsed message all.
        (Ok(_), Err(error))
            if error.message() == "invalid UTF-8 in a string"
                && T::descriptor().file().edition() == Edition::Proto2 =>
        {
            return Ok(());
        }
        (typed, parsed) => {
            let (typed, parsed) = (typed.map(drop), parsed.map(drop));
            return Err(TestCaseError::fail(format!("{typed:?} and {parsed:?} of {bytes:02x?}")));
        }
    };
    let wanted = DETERMINISTIC().to_vec(&typed).unwrap();
    prop_assert_eq!(&DETERMINISTIC().to_vec(&parsed).unwrap(), &wanted);
    let accessed = reread_parsed(&parsed);
    prop_assert_eq!(&DETERMINISTIC().to_vec(&accessed).unwrap(), &wanted);
    prop_assert_eq!(&DETERMINISTIC().to_vec(&parsed.to_message().unwrap()).unwrap(), &wanted);
    let again = Parsed::from_message(&typed).unwrap();
    prop_assert_eq!(&DETERMINISTIC().to_vec(&again).unwrap(), &wanted);
    // A NaN is equal to nothing.
    let is_equal_to_itself = parsed == parsed.clone();
    prop_assert_eq!(again == parsed, is_equal_to_itself);
    Ok(())
}
