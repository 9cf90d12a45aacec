//! Members of types of other crates, each by a conversion of a few lines.

use chrono::{DateTime, TimeDelta, Utc};
use jiff::SignedDuration;
use smallvec::{SmallVec, smallvec};
use tobu::member::{Convert, Protos};
use tobu::{json, types};
use uuid::Uuid;

enum Jiff {}

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
    const EXPECTED: &'static str = "a duration";

    fn as_proto(duration: &SignedDuration) -> types::Duration {
        types::Duration::new(duration.as_secs(), duration.subsec_nanos())
    }

    fn from_proto(duration: types::Duration) -> Option<SignedDuration> {
        Some(SignedDuration::new(duration.seconds, duration.nanos))
    }
}

enum Chrono {}

impl Convert<DateTime<Utc>> for Chrono {
    type Proto = types::Timestamp;
    const EXPECTED: &'static str = "a time that chrono can hold";

    fn as_proto(time: &DateTime<Utc>) -> types::Timestamp {
        types::Timestamp::new(time.timestamp(), time.timestamp_subsec_nanos() as i32)
    }

    fn from_proto(time: types::Timestamp) -> Option<DateTime<Utc>> {
        DateTime::from_timestamp(time.seconds, time.nanos.try_into().ok()?)
    }
}

impl Convert<TimeDelta> for Chrono {
    type Proto = types::Duration;
    const EXPECTED: &'static str = "a duration that chrono can hold";

    fn as_proto(duration: &TimeDelta) -> types::Duration {
        types::Duration::new(duration.num_seconds(), duration.subsec_nanos())
    }

    fn from_proto(duration: types::Duration) -> Option<TimeDelta> {
        TimeDelta::try_seconds(duration.seconds)?.checked_add(&TimeDelta::nanoseconds(duration.nanos.into()))
    }
}

/// The bytes of an id are a part of it, and need not be made.
enum UuidBytes {}

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

enum UuidText {}

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

enum Small {}

impl Convert<SmallVec<[u32; 4]>> for Small {
    type Proto = Vec<u32>;
    const EXPECTED: &'static str = "numbers";

    fn as_proto(numbers: &SmallVec<[u32; 4]>) -> Vec<u32> {
        numbers.to_vec()
    }

    fn from_proto(numbers: Vec<u32>) -> Option<SmallVec<[u32; 4]>> {
        Some(numbers.into())
    }
}

#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "derive.crates")]
struct Order {
    #[tobu(1, with = Jiff)]
    placed: Option<jiff::Timestamp>,
    #[tobu(2, with = Jiff)]
    took: Option<SignedDuration>,
    #[tobu(3, with = Chrono)]
    sent: Vec<DateTime<Utc>>,
    #[tobu(4, with = Chrono)]
    waits: Vec<TimeDelta>,
    #[tobu(5, with = UuidBytes)]
    id: Uuid,
    #[tobu(6, with = UuidText)]
    parents: Vec<Uuid>,
    #[tobu(8, with = Small)]
    numbers: SmallVec<[u32; 4]>,
    #[tobu(protos)]
    protos: Protos,
}

#[test]
fn each_format_has_them() {
    let id = Uuid::from_bytes([0x11; 16]);
    let order = Order {
        placed: Some(jiff::Timestamp::new(1, 500_000_000).unwrap()),
        took: Some(SignedDuration::from_millis(-1500)),
        sent: vec![DateTime::from_timestamp(2, 0).unwrap(), DateTime::UNIX_EPOCH],
        waits: vec![TimeDelta::milliseconds(-2500), TimeDelta::zero()],
        id,
        parents: vec![id],
        numbers: smallvec![1, 2, 3],
        protos: Protos::new(),
    };
    let text = concat!(
        r#"{"placed":"1970-01-01T00:00:01.500Z","took":"-1.500s","sent":["1970-01-01T00:00:02Z","1970-01-01T00:00:00Z"],"#,
        r#""waits":["-2.500s","0s"],"id":"EREREREREREREREREREREQ==","parents":["11111111-1111-1111-1111-111111111111"],"#,
        r#""numbers":[1,2,3]}"#,
    );
    assert_eq!(json::to_string(&order).unwrap(), text);
    assert_eq!(json::from_str::<Order>(text).unwrap(), order);
    let bytes = tobu::to_vec(&order).unwrap();
    assert_eq!(tobu::from_slice::<Order>(&bytes).unwrap(), order);
    assert_eq!(tobu::text::from_str::<Order>(&tobu::text::to_string(&order).unwrap()).unwrap(), order);
    let dynamic = tobu::DynamicMessage::from_message(&order).unwrap();
    assert_eq!(
        (dynamic.encode_to_vec().unwrap(), json::to_string(&dynamic).unwrap()),
        (bytes, text.to_owned())
    );
    assert_eq!(tobu::to_vec(&Order::default()).unwrap(), b"");

    for (text, error) in [
        (r#"{"parents": ["1"]}"#, "derive.crates.Order.parents[0]: expected a UUID (at line 1 column 13)"),
        (r#"{"id": "AA=="}"#, "derive.crates.Order.id: expected a UUID of 16 bytes (at line 1 column 8)"),
    ] {
        assert_eq!(json::from_str::<Order>(text).unwrap_err().to_string(), error);
    }
    let error = tobu::from_slice::<Order>(b"\x1a\x0a\x08\xff\xff\xff\xff\xff\xff\xff\xff\x7f").unwrap_err();
    assert_eq!(
        error.to_string(),
        "derive.crates.Order.sent[0]: expected a time that chrono can hold (at byte 12)"
    );
}
