//! Generated code: what the build script makes, and the golden files, all of which must compile without a warning.
#![deny(warnings)]

pub mod own;

use std::time::{Duration, SystemTime};
use tobu::member::{Convert, JsonBytes};

/// Bytes of a type of one's own.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Id(pub [u8; 2]);

impl Convert<Id> for Id {
    type Proto = [u8];
    const EXPECTED: &'static str = "an id of 2 bytes";
    const JSON: Option<&'static JsonBytes> = Some(JsonBytes::HEX);

    fn as_proto(id: &Id) -> &[u8] {
        if id.0 == [0, 0] { &[] } else { &id.0 }
    }

    fn from_proto(bytes: &[u8]) -> Option<Id> {
        bytes.try_into().ok().map(Id)
    }
}

/// A string of a type of one's own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Word(pub std::sync::Arc<str>);

/// How a `Word` is a member.
pub struct AsWord;

impl Convert<Word> for AsWord {
    type Proto = str;
    const EXPECTED: &'static str = "a word";

    fn as_proto(word: &Word) -> &str {
        &word.0
    }

    fn from_proto(text: &str) -> Option<Word> {
        (!text.contains(' ')).then(|| Word(text.into()))
    }
}

/// The output of the build script.
pub mod built {
    tobu::include_proto!();
}

/// `u16` as `uint32`.
#[derive(Debug)]
pub enum AsPort {}

impl Convert<u16> for AsPort {
    type Proto = u32;
    const EXPECTED: &'static str = "a number below 65,536";

    fn as_proto(value: &u16) -> u32 {
        (*value).into()
    }

    fn from_proto(proto: u32) -> Option<u16> {
        proto.try_into().ok()
    }
}

/// A duration of the standard library.
#[derive(Debug)]
pub enum AsDuration {}

impl Convert<Duration> for AsDuration {
    type Proto = tobu::types::Duration;
    const EXPECTED: &'static str = "a duration that is not negative";

    fn as_proto(duration: &Duration) -> tobu::types::Duration {
        (*duration).try_into().unwrap_or_default()
    }

    fn from_proto(duration: tobu::types::Duration) -> Option<Duration> {
        duration.try_into().ok()
    }
}

/// A time of the standard library.
#[derive(Debug)]
pub enum AsTimestamp {}

impl Convert<SystemTime> for AsTimestamp {
    type Proto = tobu::types::Timestamp;
    const EXPECTED: &'static str = "a time that the system can hold";

    fn as_proto(time: &SystemTime) -> tobu::types::Timestamp {
        (*time).try_into().unwrap_or_default()
    }

    fn from_proto(time: tobu::types::Timestamp) -> Option<SystemTime> {
        time.try_into().ok()
    }
}

/// Hundredths, as a decimal text: the text is made.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cents(pub i64);

impl Convert<Cents> for Cents {
    type Proto = String;
    const EXPECTED: &'static str = "an amount with two decimals";

    fn as_proto(cents: &Cents) -> String {
        if cents.0 == 0 { String::new() } else { format!("{}.{:02}", cents.0 / 100, cents.0 % 100) }
    }

    fn from_proto(text: String) -> Option<Cents> {
        if text.is_empty() {
            return Some(Cents(0));
        }
        let (whole, part) = text.split_once('.').filter(|(_, part)| part.len() == 2)?;
        Some(Cents(whole.parse::<i64>().ok()? * 100 + part.parse::<i64>().ok()?))
    }
}

/// A list in a box.
#[derive(Debug)]
pub enum Boxed {}

impl Convert<Box<[i32]>> for Boxed {
    type Proto = Vec<i32>;
    const EXPECTED: &'static str = "at most 4 numbers";

    fn as_proto(numbers: &Box<[i32]>) -> Vec<i32> {
        numbers.to_vec()
    }

    fn from_proto(numbers: Vec<i32>) -> Option<Box<[i32]>> {
        (numbers.len() <= 4).then(|| numbers.into())
    }
}

/// A message that prost has generated.
#[derive(Clone, PartialEq, ::prost::Message)]
pub struct ProstHeader {
    /// `revision`
    #[prost(uint64, tag = "1")]
    pub revision: u64,
    /// `members`
    #[prost(string, repeated, tag = "2")]
    pub members: Vec<String>,
}

/// Accessors of fields with all kinds of names and shapes.
pub mod accessors_of_all {
    tobu::include_proto!("accessors_of_all");
}

/// Public members and accessors of all kinds of names and shapes.
pub mod hybrid {
    tobu::include_proto!("hybrid");
}

/// Private members of all kinds of names and shapes.
pub mod opaque_of_all {
    tobu::include_proto!("opaque_of_all");
}

/// Members that are the numbers of enums.
pub mod enum_numbers {
    tobu::include_proto!("enum_numbers");
}

/// Members that are the numbers of enums, with all accessors.
pub mod enum_numbers_with_accessors {
    tobu::include_proto!("enum_numbers_with_accessors");
}

/// Private members that are the numbers of enums.
pub mod enum_numbers_opaque {
    tobu::include_proto!("enum_numbers_opaque");
}

/// References to parsed messages with all kinds of names and shapes.
pub mod parsed_of_all {
    tobu::include_proto!("parsed_of_all");
}

/// Members of the types in `tobu::rpc`.
pub mod operations {
    tobu::include_proto!("operations");
}

/// The same, of an older schema.
pub mod operations_of_old {
    tobu::include_proto!("operations_of_old");
}

/// Names and modules with a Rust file per package.
pub mod packages {
    tobu::include_proto!("packages");
}

macro_rules! golden {
    ($($name:ident)*) => {
        $(
            #[allow(missing_docs)]
            pub mod $name {
                include!(concat!("../../golden/", stringify!($name), ".rs"));
            }
        )*
    };
}

golden! { accessors api comments edition_2024 edition_2026 editions extensions external imports library names opaque options parsed parsed_proto2 proto2 recursive rust_enums services stubs traits views views_only well_known serde_derives with prost }
