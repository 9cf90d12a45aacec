//! A nested message may lie at the address of its struct. Each of the two finishes its own members with conversions.

use std::time::{Duration, SystemTime};
use tobu::member::{Convert, Protos};
use tobu::{Deserialize, Message, Serialize, json, text, types};

enum AsDuration {}

impl Convert<Duration> for AsDuration {
    type Proto = types::Duration;
    const EXPECTED: &'static str = "a duration that is not negative";

    fn as_proto(duration: &Duration) -> types::Duration {
        (*duration).try_into().unwrap_or_default()
    }

    fn from_proto(duration: types::Duration) -> Option<Duration> {
        duration.try_into().ok()
    }
}

enum AsTimestamp {}

impl Convert<SystemTime> for AsTimestamp {
    type Proto = types::Timestamp;
    const EXPECTED: &'static str = "a time";

    fn as_proto(time: &SystemTime) -> types::Timestamp {
        (*time).try_into().unwrap_or_default()
    }

    fn from_proto(time: types::Timestamp) -> Option<SystemTime> {
        time.try_into().ok()
    }
}

#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "place")]
#[repr(C)]
struct Inner {
    #[tobu(1, with = AsTimestamp)]
    start: Option<SystemTime>,
    #[tobu(2)]
    names: Vec<String>,
    #[tobu(protos)]
    protos: Protos,
}

#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "place")]
#[repr(C)]
struct Outer {
    #[tobu(3)]
    inner: Option<Inner>,
    #[tobu(1, with = AsDuration)]
    wait: Option<Duration>,
    #[tobu(2, with = AsDuration)]
    pause: Option<Duration>,
    #[tobu(protos)]
    protos: Protos,
}

#[test]
fn nested_at_the_same_address() {
    let inner = Inner {
        start: Some(SystemTime::UNIX_EPOCH + Duration::from_secs(1)),
        names: vec!["a".into()],
        ..Inner::default()
    };
    let outer = Outer {
        inner: Some(inner),
        wait: Some(Duration::new(2, 3)),
        pause: Some(Duration::from_secs(4)),
        ..Outer::default()
    };
    assert_eq!(outer.inner.as_ref().map(|inner| (&raw const *inner).addr()), Some((&raw const outer).addr()));
    let members: [&[u8]; 4] =
        [b"\x0a\x02\x08\x02", b"\x0a\x02\x10\x03", b"\x12\x02\x08\x04", b"\x1a\x07\x0a\x02\x08\x01\x12\x01a"];
    for order in [[0, 1, 2, 3], [0, 3, 1, 2], [2, 0, 3, 1], [3, 0, 1, 2], [0, 2, 1, 3]] {
        let bytes = order.map(|index| members[index]).concat();
        assert_eq!(Outer::decode(&*bytes).unwrap(), outer, "{order:?}");
    }
    assert_eq!(json::from_str::<Outer>(&json::to_string(&outer).unwrap()).unwrap(), outer);
    assert_eq!(text::from_str::<Outer>(&text::to_string(&outer).unwrap()).unwrap(), outer);
}
