//! Types of other crates and of users that settings name, for all kinds of fields: all paths agree on them.

use chrono::{DateTime, TimeDelta};
use jiff::SignedDuration;
use serde::Serialize;
use serde::de::DeserializeOwned;
use smallvec::smallvec;
use std::fmt::Debug;
use std::num::NonZeroU32;
use std::time::{Duration, SystemTime};
use tobu::{DynamicMessage, Message, Reflect, json, text};
use tobu_generated_tests::Cents;
use tobu_generated_tests::own::UserId;
use tobu_generated_tests::own::own::v1::{Loan, Order, order};
use uuid::Uuid;

fn id() -> Uuid {
    Uuid::from_bytes(*b"0123456789abcdef")
}

/// A message as bytes, JSON and text.
type Row<M> = (M, &'static [u8], &'static str, &'static str);

fn orders() -> Vec<Row<Order>> {
    let base = Order::default;
    let three = NonZeroU32::new(3).unwrap();
    vec![
        (base(), b"", "{}", ""),
        (
            Order { id: id(), ..base() },
            b"\x0a\x2430313233-3435-3637-3839-616263646566",
            r#"{"id":"30313233-3435-3637-3839-616263646566"}"#,
            r#"id: "30313233-3435-3637-3839-616263646566""#,
        ),
        (
            Order { key: id(), ..base() },
            b"\x12\x100123456789abcdef",
            r#"{"key":"MDEyMzQ1Njc4OWFiY2RlZg=="}"#,
            r#"key: "0123456789abcdef""#,
        ),
        (
            Order { parents: vec![id(), Uuid::nil()], ..base() },
            b"\x1a\x2430313233-3435-3637-3839-616263646566\x1a\x00",
            r#"{"parents":["30313233-3435-3637-3839-616263646566",""]}"#,
            r#"parents: "30313233-3435-3637-3839-616263646566" parents: """#,
        ),
        (
            Order { small: smallvec![1, 2, 300], ..base() },
            b"\x22\x04\x01\x02\xac\x02",
            r#"{"small":[1,2,300]}"#,
            "small: 1 small: 2 small: 300",
        ),
        (
            Order { boxed: Box::new([5, 6]), ..base() },
            b"\x2a\x02\x05\x06",
            r#"{"boxed":[5,6]}"#,
            "boxed: 5 boxed: 6",
        ),
        (Order { shelf: Some(three), ..base() }, b"\x30\x03", r#"{"shelf":3}"#, "shelf: 3"),
        (
            Order { shelves: [("a".to_owned(), three)].into(), ..base() },
            b"\x3a\x05\x0a\x01a\x10\x03",
            r#"{"shelves":{"a":3}}"#,
            r#"shelves { key: "a" value: 3 }"#,
        ),
        (Order { row: Some(three), ..base() }, b"\x40\x03", r#"{"row":3}"#, "row: 3"),
        (
            Order { placed: Some(jiff::Timestamp::new(1, 500_000_000).unwrap()), ..base() },
            b"\x4a\x08\x08\x01\x10\x80\xca\xb5\xee\x01",
            r#"{"placed":"1970-01-01T00:00:01.500Z"}"#,
            "placed { seconds: 1 nanos: 500000000 }",
        ),
        (
            Order { took: Some(SignedDuration::from_secs(-2)), ..base() },
            b"\x52\x0b\x08\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01",
            r#"{"took":"-2s"}"#,
            "took { seconds: -2 }",
        ),
        (
            Order { sent: vec![DateTime::from_timestamp(2, 0).unwrap(), DateTime::UNIX_EPOCH], ..base() },
            b"\x5a\x02\x08\x02\x5a\x00",
            r#"{"sent":["1970-01-01T00:00:02Z","1970-01-01T00:00:00Z"]}"#,
            "sent { seconds: 2 } sent {}",
        ),
        (
            Order { waits: [("x".to_owned(), TimeDelta::seconds(3))].into(), ..base() },
            b"\x62\x07\x0a\x01x\x12\x02\x08\x03",
            r#"{"waits":{"x":"3s"}}"#,
            r#"waits { key: "x" value { seconds: 3 } }"#,
        ),
        (
            Order { started: Some(SystemTime::UNIX_EPOCH + Duration::from_secs(4)), ..base() },
            b"\x6a\x02\x08\x04",
            r#"{"started":"1970-01-01T00:00:04Z"}"#,
            "started { seconds: 4 }",
        ),
        (
            Order { timeout: Some(Duration::from_secs(5)), ..base() },
            b"\x72\x02\x08\x05",
            r#"{"timeout":"5s"}"#,
            "timeout { seconds: 5 }",
        ),
        (Order { price: Cents(150), ..base() }, b"\x7a\x041.50", r#"{"price":"1.50"}"#, r#"price: "1.50""#),
        (Order { user: UserId(300), ..base() }, b"\x80\x01\xac\x02", r#"{"user":"300"}"#, "user: 300"),
        (
            Order { users: vec![UserId(1), UserId(0)], ..base() },
            b"\x8a\x01\x02\x01\x00",
            r#"{"users":["1","0"]}"#,
            "users: 1 users: 0",
        ),
        (
            Order { at: Some(order::At::Time(SystemTime::UNIX_EPOCH)), ..base() },
            b"\x92\x01\x00",
            r#"{"time":"1970-01-01T00:00:00Z"}"#,
            "time {}",
        ),
        (Order { at: Some(order::At::By(UserId(0))), ..base() }, b"\x98\x01\x00", r#"{"by":"0"}"#, "by: 0"),
        (
            Order { at: Some(order::At::ByKey(id())), ..base() },
            b"\xa2\x01\x100123456789abcdef",
            r#"{"byKey":"MDEyMzQ1Njc4OWFiY2RlZg=="}"#,
            r#"by_key: "0123456789abcdef""#,
        ),
        (
            Order { inner: Some(Box::new(Order { user: UserId(7), ..base() })), ..base() },
            b"\xaa\x01\x03\x80\x01\x07",
            r#"{"inner":{"user":"7"}}"#,
            "inner { user: 7 }",
        ),
    ]
}

/// A required message is written also if it is empty.
fn loans() -> Vec<Row<Loan>> {
    let until = jiff::Timestamp::new(2, 0).unwrap();
    vec![
        (
            Loan::default(),
            b"\x0a\x00\x12\x00",
            r#"{"length":"0s","until":"1970-01-01T00:00:00Z"}"#,
            "length {} until {}",
        ),
        (
            Loan { length: Duration::from_secs(1), until, ..Loan::default() },
            b"\x0a\x02\x08\x01\x12\x02\x08\x02",
            r#"{"length":"1s","until":"1970-01-01T00:00:02Z"}"#,
            "length { seconds: 1 } until { seconds: 2 }",
        ),
    ]
}

fn agree<M: Message + Reflect + Serialize + DeserializeOwned + Clone + Debug + PartialEq>(rows: Vec<Row<M>>) {
    for (message, bytes, json_text, text_text) in rows {
        assert_eq!(tobu::to_vec(&message).unwrap(), bytes, "{message:?}");
        assert_eq!(tobu::from_slice::<M>(bytes).unwrap(), message);
        assert_eq!(json::to_string(&message).unwrap(), json_text);
        assert_eq!(json::from_str::<M>(json_text).unwrap(), message);
        assert_eq!(text::Options::new().one_line(true).to_string(&message).unwrap(), text_text);
        assert_eq!(text::from_str::<M>(text_text).unwrap(), message);
        // The schema knows no conversion.
        let dynamic = DynamicMessage::decode(&M::descriptor(), bytes).unwrap();
        assert_eq!(message.clone().into_dynamic().unwrap(), dynamic);
        assert_eq!(json::to_string(&dynamic).unwrap(), json_text);
        assert!(message.as_reflect().equals(&dynamic));
        assert_eq!(dynamic.absorb::<M>().unwrap(), message);
    }
}

#[test]
fn all_paths_agree() {
    agree(orders());
    agree(loans());
    // A required message that is absent from the input is an empty one.
    assert_eq!(tobu::from_slice::<Loan>(b"").unwrap(), Loan::default());
}

/// An input that a conversion rejects, as bytes, JSON and text, and the error with its position in each of them.
type Rejected = (&'static [u8], &'static str, &'static str, &'static str, [&'static str; 3]);

const ORDERS: [Rejected; 16] = [
    (
        b"\x0a\x01x",
        r#"{"id": "x"}"#,
        r#"id: "x""#,
        "id: expected a UUID",
        ["byte 3", "line 1 column 8", "line 1 column 5"],
    ),
    (
        b"\x12\x01x",
        r#"{"key": "eA=="}"#,
        r#"key: "x""#,
        "key: expected a UUID of 16 bytes",
        ["byte 3", "line 1 column 9", "line 1 column 6"],
    ),
    (
        b"\x1a\x00\x1a\x01x",
        r#"{"parents": ["", "x"]}"#,
        r#"parents: "" parents: "x""#,
        "parents[1]: expected a UUID",
        ["byte 5", "line 1 column 13", "line 1 column 13"],
    ),
    (
        b"\x22\x09\x00\x00\x00\x00\x00\x00\x00\x00\x00",
        r#"{"small": [0, 0, 0, 0, 0, 0, 0, 0, 0]}"#,
        "small: [0, 0, 0, 0, 0, 0, 0, 0, 0]",
        "small: expected at most 8 numbers",
        ["byte 11", "line 1 column 11", "line 1 column 1"],
    ),
    (
        b"\x2a\x05\x00\x00\x00\x00\x00",
        r#"{"boxed": [0, 0, 0, 0, 0]}"#,
        "boxed: [0, 0, 0, 0, 0]",
        "boxed: expected at most 4 numbers",
        ["byte 7", "line 1 column 11", "line 1 column 1"],
    ),
    (
        b"\x30\x00",
        r#"{"shelf": 0}"#,
        "shelf: 0",
        "shelf: expected a number that is not 0",
        ["byte 2", "line 1 column 11", "line 1 column 8"],
    ),
    (
        b"\x3a\x05\x0a\x01a\x10\x00",
        r#"{"shelves": {"a": 0}}"#,
        r#"shelves { key: "a" value: 0 }"#,
        r#"shelves["a"]: expected a number that is not 0"#,
        ["byte 7", "line 1 column 19", "line 1 column 27"],
    ),
    (
        b"\x4a\x07\x08\xff\x82\xd1\xff\xaf\x07",
        r#"{"placed": "9999-12-31T23:59:59Z"}"#,
        "placed { seconds: 253402300799 }",
        "placed: expected a time from year -9999 to 9999",
        ["byte 9", "line 1 column 12", "line 1 column 1"],
    ),
    (
        b"\x52\x04\x08\x80\xa3\x05",
        r#"{"took": "86400s"}"#,
        "took { seconds: 86400 }",
        "took: expected a duration of less than a day",
        ["byte 6", "line 1 column 10", "line 1 column 1"],
    ),
    (
        b"\x5a\x00\x5a\x0b\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
        r#"{"sent": ["1970-01-01T00:00:00Z", "1969-12-31T23:59:59Z"]}"#,
        "sent {} sent { seconds: -1 }",
        "sent[1]: expected a time since 1970",
        ["byte 15", "line 1 column 10", "line 1 column 9"],
    ),
    (
        b"\x62\x10\x0a\x01x\x12\x0b\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
        r#"{"waits": {"x": "-1s"}}"#,
        r#"waits { key: "x" value { seconds: -1 } }"#,
        r#"waits["x"]: expected a duration that chrono can hold and that is not negative"#,
        ["byte 18", "line 1 column 11", "line 1 column 1"],
    ),
    (
        b"\x72\x0b\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
        r#"{"timeout": "-1s"}"#,
        "timeout { seconds: -1 }",
        "timeout: expected a duration that is not negative",
        ["byte 13", "line 1 column 13", "line 1 column 1"],
    ),
    (
        b"\x7a\x011",
        r#"{"price": "1"}"#,
        r#"price: "1""#,
        "price: expected an amount with two decimals",
        ["byte 3", "line 1 column 11", "line 1 column 8"],
    ),
    (
        b"\x8a\x01\x03\x01\xe8\x07",
        r#"{"users": ["1", "1000"]}"#,
        "users: [1, 1000]",
        "users[1]: expected a user id below 1,000",
        ["byte 6", "line 1 column 17", "line 1 column 12"],
    ),
    (
        b"\xa2\x01\x01x",
        r#"{"byKey": "eA=="}"#,
        r#"by_key: "x""#,
        "by_key: expected a UUID of 16 bytes",
        ["byte 4", "line 1 column 11", "line 1 column 9"],
    ),
    (
        b"\xaa\x01\x04\x80\x01\xe8\x07",
        r#"{"inner": {"user": "1000"}}"#,
        "inner { user: 1000 }",
        "inner.user: expected a user id below 1,000",
        ["byte 7", "line 1 column 20", "line 1 column 15"],
    ),
];

const LOANS: [Rejected; 2] = [
    (
        b"\x0a\x0b\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
        r#"{"length": "-1s"}"#,
        "length { seconds: -1 }",
        "length: expected a duration that is not negative",
        ["byte 13", "line 1 column 12", "line 1 column 1"],
    ),
    (
        b"\x12\x07\x08\xff\x82\xd1\xff\xaf\x07",
        r#"{"until": "9999-12-31T23:59:59Z"}"#,
        "until { seconds: 253402300799 }",
        "until: expected a time from year -9999 to 9999",
        ["byte 9", "line 1 column 11", "line 1 column 1"],
    ),
];

fn rejects<M: Message + Serialize + DeserializeOwned + Debug>(rows: &[Rejected]) {
    let descriptor = M::descriptor();
    for &(bytes, json_text, text_text, error, [in_bytes, in_json, in_text]) in rows {
        let error = format!("{}.{error}", descriptor.full_name());
        let found = [
            tobu::from_slice::<M>(bytes).unwrap_err().to_string(),
            json::from_str::<M>(json_text).unwrap_err().to_string(),
            text::from_str::<M>(text_text).unwrap_err().to_string(),
        ];
        let wanted = [in_bytes, in_json, in_text].map(|position| format!("{error} (at {position})"));
        assert_eq!(found, wanted);
        // The schema alone accepts the input. The conversion rejects it when the dynamic message becomes one of the type.
        let dynamic = DynamicMessage::decode(&descriptor, bytes).unwrap();
        assert_eq!(DynamicMessage::from_json(&descriptor, json_text).unwrap(), dynamic);
        assert_eq!(dynamic.absorb::<M>().unwrap_err().to_string(), error);
    }
}

#[test]
fn errors_have_the_path() {
    rejects::<Order>(&ORDERS);
    rejects::<Loan>(&LOANS);
}
