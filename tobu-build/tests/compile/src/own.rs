//! Types of other crates and of users as members of generated messages.

use chrono::{DateTime, TimeDelta, Utc};
use jiff::SignedDuration;
use smallvec::SmallVec;
use std::num::NonZeroU32;
use tobu::member::Convert;
use tobu::types;
use uuid::Uuid;

tobu::include_proto!("own");

/// A UUID as a string.
#[derive(Debug)]
pub enum UuidText {}

impl Convert<Uuid> for UuidText {
    type Proto = String;
    const EXPECTED: &'static str = "a UUID";

    fn as_proto(id: &Uuid) -> String {
        if id.is_nil() { String::new() } else { id.to_string() }
    }

    fn from_proto(text: String) -> Option<Uuid> {
        if text.is_empty() { Some(Uuid::nil()) } else { text.parse().ok() }
    }
}

/// A UUID as its bytes, which are lent.
#[derive(Debug)]
pub enum UuidBytes {}

impl Convert<Uuid> for UuidBytes {
    type Proto = [u8];
    const EXPECTED: &'static str = "a UUID of 16 bytes";

    fn as_proto(id: &Uuid) -> &[u8] {
        if id.is_nil() { &[] } else { id.as_bytes() }
    }

    fn from_proto(bytes: &[u8]) -> Option<Uuid> {
        Uuid::from_slice(bytes).ok()
    }
}

/// A list on the stack.
#[derive(Debug)]
pub enum Small {}

impl Convert<SmallVec<[u32; 4]>> for Small {
    type Proto = Vec<u32>;
    const EXPECTED: &'static str = "at most 8 numbers";

    fn as_proto(numbers: &SmallVec<[u32; 4]>) -> Vec<u32> {
        numbers.to_vec()
    }

    fn from_proto(numbers: Vec<u32>) -> Option<SmallVec<[u32; 4]>> {
        (numbers.len() <= 8).then(|| numbers.into())
    }
}

/// A number without a zero.
#[derive(Debug)]
pub enum NonZero {}

impl Convert<NonZeroU32> for NonZero {
    type Proto = u32;
    const EXPECTED: &'static str = "a number that is not 0";

    fn as_proto(value: &NonZeroU32) -> u32 {
        value.get()
    }

    fn from_proto(proto: u32) -> Option<NonZeroU32> {
        NonZeroU32::new(proto)
    }

    fn initial() -> Option<NonZeroU32> {
        Some(NonZeroU32::MIN)
    }
}

/// Zero as `None`.
#[derive(Debug)]
pub enum OrNone {}

impl Convert<Option<NonZeroU32>> for OrNone {
    type Proto = u32;
    const EXPECTED: &'static str = "a number";

    fn as_proto(value: &Option<NonZeroU32>) -> u32 {
        value.map_or(0, NonZeroU32::get)
    }

    fn from_proto(proto: u32) -> Option<Option<NonZeroU32>> {
        Some(NonZeroU32::new(proto))
    }
}

/// Times of jiff.
#[derive(Debug)]
pub enum Jiff {}

impl Convert<jiff::Timestamp> for Jiff {
    type Proto = types::Timestamp;
    const EXPECTED: &'static str = "a time from year -9999 to 9999";

    fn as_proto(time: &jiff::Timestamp) -> types::Timestamp {
        types::Timestamp::new(time.as_second(), time.subsec_nanosecond())
    }

    fn from_proto(time: types::Timestamp) -> Option<jiff::Timestamp> {
        jiff::Timestamp::new(time.seconds, time.nanos).ok()
    }
}

impl Convert<SignedDuration> for Jiff {
    type Proto = types::Duration;
    const EXPECTED: &'static str = "a duration of less than a day";

    fn as_proto(duration: &SignedDuration) -> types::Duration {
        types::Duration::new(duration.as_secs(), duration.subsec_nanos())
    }

    fn from_proto(duration: types::Duration) -> Option<SignedDuration> {
        (duration.seconds.abs() < 86_400).then(|| SignedDuration::new(duration.seconds, duration.nanos))
    }
}

/// Times of chrono.
#[derive(Debug)]
pub enum Chrono {}

impl Convert<DateTime<Utc>> for Chrono {
    type Proto = types::Timestamp;
    const EXPECTED: &'static str = "a time since 1970";

    fn as_proto(time: &DateTime<Utc>) -> types::Timestamp {
        types::Timestamp::new(time.timestamp(), time.timestamp_subsec_nanos() as i32)
    }

    fn from_proto(time: types::Timestamp) -> Option<DateTime<Utc>> {
        DateTime::from_timestamp(time.seconds, time.nanos.try_into().ok()?).filter(|_| time.seconds >= 0)
    }
}

impl Convert<TimeDelta> for Chrono {
    type Proto = types::Duration;
    const EXPECTED: &'static str = "a duration that chrono can hold and that is not negative";

    fn as_proto(duration: &TimeDelta) -> types::Duration {
        types::Duration::new(duration.num_seconds(), duration.subsec_nanos())
    }

    fn from_proto(duration: types::Duration) -> Option<TimeDelta> {
        let seconds = TimeDelta::try_seconds(duration.seconds).filter(|_| duration.seconds >= 0)?;
        seconds.checked_add(&TimeDelta::nanoseconds(duration.nanos.into()))
    }
}

/// A checked newtype.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct UserId(pub u64);

impl Convert<UserId> for UserId {
    type Proto = u64;
    const EXPECTED: &'static str = "a user id below 1,000";

    fn as_proto(id: &UserId) -> u64 {
        id.0
    }

    fn from_proto(proto: u64) -> Option<UserId> {
        (proto < 1000).then_some(UserId(proto))
    }
}
