//! Members of types of one's own for numbers, messages, lists and texts that are made: the same on every path.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::time::{Duration, SystemTime};
use tobu::member::{Convert, Protos};
use tobu::prelude::*;
use tobu::reflect::{Value, ValueRef};
use tobu::types;
use tobu::{DynamicMessage, Message, Reflect, json, text};

/// `u16` as `uint32`.
enum Small {}

impl Convert<u16> for Small {
    type Proto = u32;
    const EXPECTED: &'static str = "a number below 65,536";

    fn as_proto(value: &u16) -> u32 {
        (*value).into()
    }

    fn from_proto(proto: u32) -> Option<u16> {
        proto.try_into().ok()
    }
}

/// `NonZeroU32` as `uint32`.
enum NonZero {}

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

/// Zero as an absent value.
enum OrNone {}

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

/// A checked newtype.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct UserId(u64);

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

/// Angles are shown in degrees and sent in turns.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Degrees(f64);

impl Convert<Degrees> for Degrees {
    type Proto = f64;
    const EXPECTED: &'static str = "an angle";

    fn as_proto(angle: &Degrees) -> f64 {
        angle.0 / 360.0
    }

    fn from_proto(turns: f64) -> Option<Degrees> {
        turns.is_finite().then_some(Degrees(turns * 360.0))
    }
}

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
    const EXPECTED: &'static str = "a time that the system can hold";

    fn as_proto(time: &SystemTime) -> types::Timestamp {
        (*time).try_into().unwrap_or_default()
    }

    fn from_proto(time: types::Timestamp) -> Option<SystemTime> {
        time.try_into().ok()
    }
}

/// Hundredths, as a decimal text: the text is made.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Cents(i64);

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
enum Boxed {}

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

#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "derive.own")]
struct Author {
    #[tobu(1)]
    name: String,
    #[tobu(2)]
    aliases: Vec<String>,
}

/// A message that must say something: required, without an option.
#[derive(Clone, Debug, PartialEq)]
struct Named(String);

enum AsAuthor {}

impl Convert<Named> for AsAuthor {
    type Proto = Author;
    const EXPECTED: &'static str = "an author with a name";

    fn as_proto(named: &Named) -> Author {
        Author { name: named.0.clone(), aliases: Vec::new() }
    }

    fn from_proto(author: Author) -> Option<Named> {
        (!author.name.is_empty()).then_some(Named(author.name))
    }
}

#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "derive.own")]
struct Job {
    #[tobu(1, with = Small)]
    port: u16,
    #[tobu(2, with = Small)]
    other_port: Option<u16>,
    #[tobu(3, with = NonZero)]
    shelf: Option<NonZeroU32>,
    #[tobu(4, with = OrNone)]
    row: Option<NonZeroU32>,
    #[tobu(5, with = UserId)]
    user: UserId,
    #[tobu(6, with = UserId)]
    users: Vec<UserId>,
    #[tobu(7, with = NonZero)]
    shelves: BTreeMap<String, NonZeroU32>,
    #[tobu(8, with = Degrees)]
    angle: Degrees,
    #[tobu(9, with = AsDuration)]
    timeout: Option<Duration>,
    #[tobu(10, with = AsTimestamp)]
    started: Vec<SystemTime>,
    #[tobu(11, with = AsDuration)]
    waits: BTreeMap<String, Duration>,
    #[tobu(12, with = Cents)]
    price: Cents,
    #[tobu(13, with = Cents)]
    prices: Vec<Cents>,
    #[tobu(14, with = Boxed)]
    numbers: Box<[i32]>,
    #[tobu(oneof)]
    at: Option<At>,
    #[tobu(20, with = AsAuthor)]
    author: Option<Named>,
    #[tobu(21)]
    plain: String,
    #[tobu(protos)]
    protos: Protos,
}

#[derive(Clone, Debug, PartialEq, tobu::Oneof, tobu::Serialize, tobu::Deserialize)]
enum At {
    #[tobu(15, with = AsTimestamp)]
    Time(SystemTime),
    #[tobu(16, with = UserId)]
    By(UserId),
    #[tobu(17, with = Cents)]
    For(Cents),
    #[tobu(18)]
    Word(String),
}

fn time(seconds: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
}

/// Messages as bytes, JSON and text.
fn rows() -> Vec<(Job, &'static [u8], &'static str, &'static str)> {
    let base = Job::default;
    vec![
        (base(), b"", "{}", ""),
        (Job { port: 80, ..base() }, b"\x08\x50", r#"{"port":80}"#, "port: 80"),
        (Job { other_port: Some(0), ..base() }, b"\x10\x00", r#"{"otherPort":0}"#, "other_port: 0"),
        (Job { shelf: NonZeroU32::new(7), ..base() }, b"\x18\x07", r#"{"shelf":7}"#, "shelf: 7"),
        (Job { row: NonZeroU32::new(9), ..base() }, b"\x20\x09", r#"{"row":9}"#, "row: 9"),
        (Job { user: UserId(300), ..base() }, b"\x28\xac\x02", r#"{"user":"300"}"#, "user: 300"),
        (
            Job { users: vec![UserId(1), UserId(0)], ..base() },
            b"\x32\x02\x01\x00",
            r#"{"users":["1","0"]}"#,
            "users: 1 users: 0",
        ),
        (
            Job { shelves: [("a".to_owned(), NonZeroU32::MIN)].into(), ..base() },
            b"\x3a\x05\x0a\x01a\x10\x01",
            r#"{"shelves":{"a":1}}"#,
            r#"shelves { key: "a" value: 1 }"#,
        ),
        (
            Job { angle: Degrees(180.0), ..base() },
            b"\x41\x00\x00\x00\x00\x00\x00\xe0\x3f",
            r#"{"angle":0.5}"#,
            "angle: 0.5",
        ),
        (
            Job { timeout: Some(Duration::from_millis(1500)), ..base() },
            b"\x4a\x08\x08\x01\x10\x80\xca\xb5\xee\x01",
            r#"{"timeout":"1.500s"}"#,
            "timeout { seconds: 1 nanos: 500000000 }",
        ),
        (Job { timeout: Some(Duration::ZERO), ..base() }, b"\x4a\x00", r#"{"timeout":"0s"}"#, "timeout {}"),
        (
            Job { started: vec![time(1), time(0)], ..base() },
            b"\x52\x02\x08\x01\x52\x00",
            r#"{"started":["1970-01-01T00:00:01Z","1970-01-01T00:00:00Z"]}"#,
            "started { seconds: 1 } started {}",
        ),
        (
            Job { waits: [("x".to_owned(), Duration::from_secs(2))].into(), ..base() },
            b"\x5a\x07\x0a\x01x\x12\x02\x08\x02",
            r#"{"waits":{"x":"2s"}}"#,
            r#"waits { key: "x" value { seconds: 2 } }"#,
        ),
        (Job { price: Cents(150), ..base() }, b"\x62\x041.50", r#"{"price":"1.50"}"#, r#"price: "1.50""#),
        (
            Job { prices: vec![Cents(1), Cents(0)], ..base() },
            b"\x6a\x040.01\x6a\x00",
            r#"{"prices":["0.01",""]}"#,
            r#"prices: "0.01" prices: """#,
        ),
        (
            Job { numbers: Box::new([1, -1]), ..base() },
            b"\x72\x0b\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
            r#"{"numbers":[1,-1]}"#,
            "numbers: 1 numbers: -1",
        ),
        (
            Job { at: Some(At::Time(time(5))), ..base() },
            b"\x7a\x02\x08\x05",
            r#"{"time":"1970-01-01T00:00:05Z"}"#,
            "time { seconds: 5 }",
        ),
        (Job { at: Some(At::By(UserId(0))), ..base() }, b"\x80\x01\x00", r#"{"by":"0"}"#, "by: 0"),
        (
            Job { at: Some(At::For(Cents(5))), ..base() },
            b"\x8a\x01\x040.05",
            r#"{"for":"0.05"}"#,
            r#"for: "0.05""#,
        ),
        (
            Job { author: Some(Named("Ann".into())), plain: "p".into(), ..base() },
            b"\xa2\x01\x05\x0a\x03Ann\xaa\x01\x01p",
            r#"{"author":{"name":"Ann"},"plain":"p"}"#,
            r#"author { name: "Ann" } plain: "p""#,
        ),
    ]
}

/// Every field set to something else, so that nothing of it may be left.
fn used() -> Job {
    Job {
        port: 1,
        other_port: Some(1),
        shelf: NonZeroU32::new(1),
        row: NonZeroU32::new(1),
        user: UserId(1),
        users: vec![UserId(1); 3],
        shelves: [("used".to_owned(), NonZeroU32::MIN)].into(),
        angle: Degrees(90.0),
        timeout: Some(Duration::from_secs(7)),
        started: vec![time(7)],
        waits: [("used".to_owned(), Duration::from_secs(7))].into(),
        price: Cents(7),
        prices: vec![Cents(7)],
        numbers: Box::new([7]),
        at: Some(At::Word("used".into())),
        author: Some(Named("used".into())),
        plain: "used".into(),
        protos: Protos::new(),
    }
}

#[test]
fn every_format_writes_and_reads_them() {
    for (message, bytes, json_text, text_text) in rows() {
        assert_eq!(tobu::to_vec(&message).unwrap(), bytes, "{message:?}");
        assert_eq!(tobu::encoded_len(&message).unwrap(), bytes.len());
        assert_eq!(tobu::from_slice::<Job>(bytes).unwrap(), message);
        let mut target = used();
        tobu::from_slice_in_place(&mut target, bytes).unwrap();
        assert_eq!(target, message);

        assert_eq!(json::to_string(&message).unwrap(), json_text);
        assert_eq!(json::from_str::<Job>(json_text).unwrap(), message);
        let mut target = used();
        json::from_str_in_place(&mut target, json_text).unwrap();
        assert_eq!(target, message);

        let one_line = text::Options::new().one_line(true);
        assert_eq!(one_line.to_string(&message).unwrap(), text_text);
        assert_eq!(text::from_str::<Job>(text_text).unwrap(), message);

        // Formats that know nothing of protobuf: people get ProtoJSON, others the members.
        assert_eq!(serde_json::to_string(&message).unwrap(), json_text);
        assert_eq!(serde_json::from_str::<Job>(json_text).unwrap(), message);
        let packed = postcard::to_stdvec(&message).unwrap();
        assert_eq!(postcard::from_bytes::<Job>(&packed).unwrap(), message);
        let packed = rmp_serde::to_vec_named(&message).unwrap();
        assert_eq!(rmp_serde::from_slice::<Job>(&packed).unwrap(), message);
    }
}

#[test]
fn merging_adds_to_lists_and_maps_and_replaces_the_rest() {
    for (message, bytes, json_text, text_text) in rows() {
        let mut merged = used();
        tobu::merge(&mut merged, bytes).unwrap();
        let mut from_json = used();
        json::merge(&mut from_json, json_text).unwrap();
        let mut by_reflection = used();
        by_reflection.as_reflect_mut().merge_from(message.as_reflect()).unwrap();
        let mut wanted = tobu::to_vec(&used()).unwrap();
        wanted.extend_from_slice(bytes);
        let wanted = tobu::from_slice::<Job>(&wanted).unwrap();
        assert_eq!((&merged, &from_json, &by_reflection), (&wanted, &wanted, &wanted), "{text_text}");
    }
    // A message is merged field by field: the seconds stay.
    let mut job = Job { timeout: Some(Duration::from_secs(3)), ..Job::default() };
    tobu::merge(&mut job, b"\x4a\x02\x10\x05").unwrap();
    assert_eq!(job.timeout, Some(Duration::new(3, 5)));
}

#[test]
fn fields_in_pieces_are_one_value() {
    // A message in two places, a list between other fields, a member of a oneof that is replaced and comes again.
    let bytes = b"\x4a\x02\x08\x01\x52\x02\x08\x01\x08\x50\x4a\x02\x10\x02\x52\x02\x08\x02\x70\x01\x70\x02\x72\x01\x03";
    let job = tobu::from_slice::<Job>(bytes).unwrap();
    let wanted = Job {
        port: 80,
        timeout: Some(Duration::new(1, 2)),
        started: vec![time(1), time(2)],
        numbers: Box::new([1, 2, 3]),
        ..Job::default()
    };
    assert_eq!(job, wanted);
    for (bytes, at) in [
        (&b"\x7a\x02\x08\x05\x92\x01\x01w"[..], At::Word("w".into())),
        (b"\x92\x01\x01w\x7a\x02\x08\x05", At::Time(time(5))),
        // Not merged with the first one: another member came between.
        (b"\x7a\x02\x10\x05\x92\x01\x01w\x7a\x02\x08\x05", At::Time(time(5))),
        (b"\x7a\x02\x10\x05\x7a\x02\x08\x05", At::Time(time(5) + Duration::from_nanos(5))),
    ] {
        assert_eq!(tobu::from_slice::<Job>(bytes).unwrap().at, Some(at.clone()));
        let mut target = Job { at: Some(At::Time(time(9))), ..used() };
        tobu::from_slice_in_place(&mut target, bytes).unwrap();
        assert_eq!(target, Job { at: Some(at), ..Job::default() });
    }
    let text = "timeout { seconds: 1 } numbers: 1 port: 80 timeout { nanos: 2 } started { seconds: 1 } numbers: [2, 3] started { seconds: 2 }";
    assert_eq!(text::from_str::<Job>(text).unwrap(), wanted);
}

#[test]
fn dynamic_messages_know_no_conversion() {
    let descriptor = Job::descriptor();
    for (message, bytes, json_text, text_text) in rows() {
        let dynamic = DynamicMessage::decode(&descriptor, bytes).unwrap();
        assert_eq!(dynamic.encode_to_vec().unwrap(), bytes);
        assert!((&dynamic as &dyn Reflect).equals(message.as_reflect()));
        assert!(message.as_reflect().equals(&dynamic));
        assert_eq!(message.clone().into_dynamic().unwrap(), dynamic);
        assert_eq!(dynamic.clone().absorb::<Job>().unwrap(), message);
        let mut copy = used();
        copy.as_reflect_mut().clear_all();
        assert_eq!(copy, Job::default());
        copy.as_reflect_mut().merge_from(&dynamic).unwrap();
        assert_eq!(copy, message);
        assert_eq!(text::Options::new().one_line(true).to_string(&dynamic).unwrap(), text_text);
        assert_eq!(json::to_string(&dynamic).unwrap(), json_text);
        let mut converted = Vec::new();
        tobu::convert::wire_to_json(&descriptor, bytes, &mut converted).unwrap();
        assert_eq!(String::from_utf8(converted).unwrap(), json_text);
        let mut wire = Vec::new();
        tobu::convert::json_to_wire(&descriptor, json_text.as_bytes(), &mut wire).unwrap();
        assert_eq!(wire, bytes);
    }
}

#[test]
fn the_schema_is_that_of_the_proto_types() {
    let printed = Job::descriptor().file().to_proto_text().unwrap();
    let wanted = "\
  uint32 port = 1;
  optional uint32 other_port = 2;
  optional uint32 shelf = 3;
  uint32 row = 4;
  uint64 user = 5;
  repeated uint64 users = 6;
  map<string, uint32> shelves = 7;
  double angle = 8;
  google.protobuf.Duration timeout = 9;
  repeated google.protobuf.Timestamp started = 10;
  map<string, google.protobuf.Duration> waits = 11;
  string price = 12;
  repeated string prices = 13;
  repeated int32 numbers = 14;
  oneof at {
    google.protobuf.Timestamp time = 15;
    uint64 by = 16;
    string for = 17;
    string word = 18;
  }
  derive.own.Author author = 20;
  string plain = 21;
";
    assert!(printed.contains(wanted), "{printed}");
}

#[test]
fn what_has_no_value_is_an_error_with_its_place() {
    let wire: &[(&[u8], &str)] = &[
        (b"\x08\x80\x80\x04", "derive.own.Job.port: expected a number below 65,536 (at byte 4)"),
        (b"\x10\x80\x80\x04", "derive.own.Job.other_port: expected a number below 65,536 (at byte 4)"),
        (b"\x18\x00", "derive.own.Job.shelf: expected a number that is not 0 (at byte 2)"),
        (b"\x32\x03\x01\xe8\x07", "derive.own.Job.users[1]: expected a user id below 1,000 (at byte 5)"),
        (
            b"\x3a\x05\x0a\x01a\x10\x00",
            "derive.own.Job.shelves[\"a\"]: expected a number that is not 0 (at byte 7)",
        ),
        (
            b"\x4a\x0b\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x08\x50",
            "derive.own.Job.timeout: expected a duration that is not negative (at byte 13)",
        ),
        (
            b"\x5a\x10\x0a\x01x\x12\x0b\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
            "derive.own.Job.waits[\"x\"]: expected a duration that is not negative (at byte 18)",
        ),
        (b"\x62\x011", "derive.own.Job.price: expected an amount with two decimals (at byte 3)"),
        (b"\x62\x01\xff", "derive.own.Job.price: invalid UTF-8 in a string (at byte 2)"),
        (b"\x6a\x00\x6a\x011", "derive.own.Job.prices[1]: expected an amount with two decimals (at byte 5)"),
        (b"\x72\x05\x01\x02\x03\x04\x05", "derive.own.Job.numbers: expected at most 4 numbers (at byte 7)"),
        (b"\x80\x01\xe8\x07", "derive.own.Job.by: expected a user id below 1,000 (at byte 4)"),
        (b"\x8a\x01\x011", "derive.own.Job.for: expected an amount with two decimals (at byte 4)"),
        (b"\xa2\x01\x00", "derive.own.Job.author: expected an author with a name (at byte 3)"),
        (
            b"\xa2\x01\x02\x0a\x05",
            "derive.own.Job.author.name: length of 5 bytes, but only 0 bytes are left (at byte 5)",
        ),
    ];
    for (bytes, error) in wire {
        assert_eq!(tobu::from_slice::<Job>(bytes).unwrap_err().to_string(), *error);
        // Nothing is merged of a message with an error in it.
        let mut target = used();
        assert_eq!(tobu::merge(&mut target, bytes).unwrap_err().to_string(), *error);
        assert_eq!(target, used());
    }
    let texts = [
        ("{\"port\": 65536}", "derive.own.Job.port: expected a number below 65,536 (at line 1 column 10)"),
        ("{\"shelf\": 0}", "derive.own.Job.shelf: expected a number that is not 0 (at line 1 column 11)"),
        (
            "{\"users\": [1,\n1000]}",
            "derive.own.Job.users[1]: expected a user id below 1,000 (at line 2 column 1)",
        ),
        (
            "{\"timeout\": \"-1s\"}",
            "derive.own.Job.timeout: expected a duration that is not negative (at line 1 column 13)",
        ),
        (
            "{\"waits\": {\"x\": \"1s\", \"y\": \"-1s\"}}",
            "derive.own.Job.waits[\"y\"]: expected a duration that is not negative (at line 1 column 11)",
        ),
        (
            "{\"price\": \"1\"}",
            "derive.own.Job.price: expected an amount with two decimals (at line 1 column 11)",
        ),
        (
            "{\"numbers\": [1,2,3,4,5]}",
            "derive.own.Job.numbers: expected at most 4 numbers (at line 1 column 13)",
        ),
        ("{\"author\": {}}", "derive.own.Job.author: expected an author with a name (at line 1 column 12)"),
        (
            "{\"author\": {\"name\": 1}}",
            "derive.own.Job.author.name: expected a string, but found the number 1 (at line 1 column 21)",
        ),
        ("{\"by\": 1000}", "derive.own.Job.by: expected a user id below 1,000 (at line 1 column 8)"),
    ];
    for (text, error) in texts {
        assert_eq!(json::from_str::<Job>(text).unwrap_err().to_string(), error, "{text}");
        let mut target = used();
        assert_eq!(json::merge(&mut target, text).unwrap_err().to_string(), error);
        assert_eq!(target, used());
    }
    let texts = [
        ("port: 65536", "derive.own.Job.port: expected a number below 65,536 (at line 1 column 7)"),
        ("users: [1, 1000]", "derive.own.Job.users[1]: expected a user id below 1,000 (at line 1 column 12)"),
        (
            "plain: \"a\"\nauthor { }",
            "derive.own.Job.author: expected an author with a name (at line 2 column 1)",
        ),
        (
            "price: \"1\" port: 1",
            "derive.own.Job.price: expected an amount with two decimals (at line 1 column 8)",
        ),
        ("numbers: [1,2,3,4,5]", "derive.own.Job.numbers: expected at most 4 numbers (at line 1 column 1)"),
    ];
    for (text, error) in texts {
        assert_eq!(text::from_str::<Job>(text).unwrap_err().to_string(), error, "{text}");
    }
    let json_text = "{\"port\": 65536}";
    let error = serde_json::from_str::<Job>(json_text).unwrap_err().to_string();
    assert_eq!(error, "derive.own.Job.port: expected a number below 65,536");
}

#[test]
fn other_formats_say_what_is_expected() {
    #[derive(serde::Serialize, Default)]
    struct Members {
        #[serde(skip_serializing_if = "Option::is_none")]
        port: Option<u32>,
        #[serde(skip_serializing_if = "Option::is_none")]
        price: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        numbers: Option<Vec<i32>>,
    }
    for (members, error) in [
        (
            Members { port: Some(70_000), ..Members::default() },
            "invalid value: integer `70000`, expected a number below 65,536",
        ),
        (Members { price: Some("1".into()), ..Members::default() }, "expected an amount with two decimals"),
        (Members { numbers: Some(vec![1; 5]), ..Members::default() }, "expected at most 4 numbers"),
    ] {
        let packed = rmp_serde::to_vec_named(&members).unwrap();
        assert_eq!(rmp_serde::from_slice::<Job>(&packed).unwrap_err().to_string(), error);
    }
}

#[test]
fn reflection_sees_the_proto_values() {
    let mut job = Job { at: Some(At::Time(time(3))), ..used() };
    {
        let reflect = job.as_reflect();
        assert_eq!(reflect.get_by_name("port").unwrap(), ValueRef::U32(1));
        assert_eq!(reflect.get_by_name("price").unwrap(), ValueRef::Str("0.07"));
        let timeout = reflect.get_by_name("timeout").unwrap().as_message().unwrap();
        assert_eq!(timeout.get_by_name("seconds").unwrap(), ValueRef::I64(7));
        let at = reflect.get_by_name("time").unwrap().as_message().unwrap();
        assert_eq!(at.get_by_name("seconds").unwrap(), ValueRef::I64(3));
        assert_eq!(
            reflect.get_by_name("prices").unwrap().as_list().unwrap().get(0).unwrap(),
            ValueRef::Str("0.07")
        );
        assert!(reflect.has_by_name("started").unwrap() && !reflect.has_by_name("by").unwrap());
    }
    // Assigned by the program: reflection sees the new value.
    job.price = Cents(1);
    assert_eq!(job.as_reflect().get_by_name("price").unwrap(), ValueRef::Str("0.01"));
    job.price = Cents(0);
    assert!(!job.as_reflect().has_by_name("price").unwrap());

    let reflect = job.as_reflect_mut();
    let seconds = |seconds: i64| Value::Message(types::Duration::new(seconds, 0).into_dynamic().unwrap());
    reflect.set_by_name("port", 2u32).unwrap();
    reflect.set_by_name("shelf", 3u32).unwrap();
    reflect.set_by_name("users", Value::List(vec![Value::U64(4)])).unwrap();
    reflect.set_by_name("timeout", seconds(5)).unwrap();
    reflect.set_by_name("waits", Value::Map([("k".into(), seconds(6))].into())).unwrap();
    reflect.set_by_name("price", "0.08").unwrap();
    reflect.set_by_name("numbers", Value::List(vec![Value::I32(9)])).unwrap();
    reflect.set_by_name("for", "0.10").unwrap();
    reflect.clear_by_name("started").unwrap();
    reflect.clear_by_name("row").unwrap();
    let wanted = Job {
        port: 2,
        shelf: NonZeroU32::new(3),
        users: vec![UserId(4)],
        timeout: Some(Duration::from_secs(5)),
        waits: [("k".to_owned(), Duration::from_secs(6))].into(),
        price: Cents(8),
        numbers: Box::new([9]),
        at: Some(At::For(Cents(10))),
        started: Vec::new(),
        row: None,
        ..used()
    };
    assert_eq!(job, wanted);

    // What is not taken changes nothing, not even another member of the oneof.
    let reflect = job.as_reflect_mut();
    let list = |values: &[i32]| Value::List(values.iter().map(|value| Value::I32(*value)).collect());
    let rows = [
        ("port", Value::U32(65_536), "derive.own.Job.port: expected a number below 65,536"),
        ("shelf", Value::U32(0), "derive.own.Job.shelf: expected a number that is not 0"),
        (
            "users",
            Value::List(vec![Value::U64(1000)]),
            "derive.own.Job.users[0]: expected a user id below 1,000",
        ),
        ("by", Value::U64(1000), "derive.own.Job.by: expected a user id below 1,000"),
        ("timeout", seconds(-1), "derive.own.Job.timeout: expected a duration that is not negative"),
        (
            "waits",
            Value::Map([("k".into(), seconds(-1))].into()),
            "derive.own.Job.waits[\"k\"]: expected a duration that is not negative",
        ),
        ("price", "1".into(), "derive.own.Job.price: expected an amount with two decimals"),
        ("numbers", list(&[1, 2, 3, 4, 5]), "derive.own.Job.numbers: expected at most 4 numbers"),
        ("price", Value::U32(1), "derive.own.Job.price: a string was expected, but this is a number"),
    ];
    for (field, value, error) in rows {
        let found = reflect.set_by_name(field, value).unwrap_err().to_string();
        if field != "price" || !error.contains("expected, but") {
            assert_eq!(found, error);
        }
    }
    // In place it cannot be changed.
    let field = Job::descriptor().field_by_name("timeout").unwrap();
    assert!(reflect.is_set_whole(&field));
    let error = reflect.get_mut(&field).err().unwrap();
    assert_eq!(
        error.to_string(),
        "derive.own.Job.timeout: the member has a conversion, so it cannot be changed in place: set it"
    );
    assert_eq!(job, wanted);

    // What changes messages in place does it by a copy.
    let mask = Job { timeout: Some(Duration::new(1, 2)), ..Job::default() };
    job.as_reflect_mut().merge_masked(mask.as_reflect(), &["timeout.nanos"]).unwrap();
    assert_eq!(job.timeout, Some(Duration::new(5, 2)));
    job.as_reflect_mut().trim(&["timeout", "author.aliases", "port"]).unwrap_err();
    job.as_reflect_mut().trim(&["timeout", "author.name", "port"]).unwrap();
    assert_eq!(
        job,
        Job {
            port: 2,
            timeout: Some(Duration::new(5, 2)),
            author: Some(Named("used".into())),
            ..Job::default()
        }
    );
}

#[test]
fn a_message_may_be_required_without_an_option() {
    #[derive(Debug, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
    #[tobu(package = "derive.own")]
    struct Loan {
        #[tobu(1, with = AsTimestamp)]
        until: SystemTime,
        #[tobu(2)]
        days: u32,
        #[tobu(protos)]
        protos: Protos,
    }
    let loan = Loan { until: time(5), days: 1, protos: Protos::new() };
    let bytes = tobu::to_vec(&loan).unwrap();
    assert_eq!(bytes, b"\x0a\x02\x08\x05\x10\x01");
    assert_eq!(tobu::from_slice::<Loan>(&bytes).unwrap(), loan);
    // One that is not there is what an empty message is, and is written.
    let absent = tobu::from_slice::<Loan>(b"\x10\x01").unwrap();
    assert_eq!(absent, Loan { until: time(0), days: 1, protos: Protos::new() });
    assert_eq!(tobu::to_vec(&absent).unwrap(), b"\x0a\x00\x10\x01");

    // Where there is no value for it, the message cannot be made.
    #[derive(Debug, tobu::Message, tobu::Serialize, tobu::Deserialize)]
    #[tobu(package = "derive.own")]
    struct Signed {
        #[tobu(1, with = AsAuthor)]
        author: Named,
        #[tobu(protos)]
        protos: Protos,
    }
    let signed = Signed { author: Named("Ann".into()), protos: Protos::new() };
    let error = tobu::to_vec(&signed).unwrap_err().to_string();
    assert_eq!(
        error,
        "derive.own.Signed: Signed.author: the conversion has no value for an absent field: write an `Option`, or give the \
         conversion an `initial` value, with which the field is required"
    );
    let error = tobu::from_slice::<Signed>(b"\x0a\x05\x0a\x03Ann").unwrap_err().to_string();
    assert_eq!(
        error,
        "derive.own.Signed: no empty value of the Rust type can be made: a skipped member has no default, or a conversion has no value for an absent field"
    );

    // With a value to be replaced the field is required.
    #[derive(Debug, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
    #[tobu(package = "derive.own")]
    struct Shelf {
        #[tobu(1, with = NonZero)]
        number: NonZeroU32,
        #[tobu(2)]
        name: String,
    }
    let shelf = Shelf { number: NonZeroU32::new(3).unwrap(), name: String::new() };
    assert_eq!(tobu::to_vec(&shelf).unwrap(), b"\x08\x03");
    assert_eq!(json::to_string(&shelf).unwrap(), r#"{"number":3}"#);
    assert_eq!(tobu::from_slice::<Shelf>(b"\x08\x03").unwrap(), shelf);
    let mut used = Shelf { number: NonZeroU32::MAX, name: "used".into() };
    tobu::from_slice_in_place(&mut used, b"\x08\x03").unwrap();
    assert_eq!(used, shelf);
    for error in [
        tobu::from_slice::<Shelf>(b"\x12\x01a").unwrap_err(),
        json::from_str::<Shelf>(r#"{"name":"a"}"#).unwrap_err(),
        text::from_str::<Shelf>(r#"name: "a""#).unwrap_err(),
    ] {
        let text = error.to_string();
        assert!(text.starts_with("derive.own.Shelf: required field number has no value"), "{text}");
    }
    let error = serde_json::from_str::<Shelf>(r#"{"name":"a"}"#).unwrap_err().to_string();
    assert_eq!(error, "derive.own.Shelf: required field number has no value");
}

/// A conversion that does not accept zero, and has no initial value.
enum Positive {}

impl Convert<NonZeroU32> for Positive {
    type Proto = u32;
    const EXPECTED: &'static str = "a number that is not 0";

    fn as_proto(value: &NonZeroU32) -> u32 {
        value.get()
    }

    fn from_proto(proto: u32) -> Option<NonZeroU32> {
        NonZeroU32::new(proto)
    }
}

#[test]
fn a_number_needs_an_initial_value_in_containers_too() {
    #[derive(Debug, Default, tobu::Message, tobu::Serialize, tobu::Deserialize)]
    #[tobu(package = "derive.own")]
    struct Maybe {
        #[tobu(1, with = Positive)]
        number: Option<NonZeroU32>,
    }
    #[derive(Debug, Default, tobu::Message, tobu::Serialize, tobu::Deserialize)]
    #[tobu(package = "derive.own")]
    struct Many {
        #[tobu(1, with = Positive)]
        number: Vec<NonZeroU32>,
    }
    #[derive(Debug, Default, tobu::Message, tobu::Serialize, tobu::Deserialize)]
    #[tobu(package = "derive.own")]
    struct Named {
        #[tobu(1, with = Positive)]
        number: BTreeMap<u32, NonZeroU32>,
    }
    #[derive(Debug, tobu::Oneof, tobu::Serialize, tobu::Deserialize)]
    enum Choice {
        #[tobu(1, with = Positive)]
        Number(NonZeroU32),
    }
    #[derive(Debug, Default, tobu::Message, tobu::Serialize, tobu::Deserialize)]
    #[tobu(package = "derive.own")]
    struct Chosen {
        #[tobu(oneof)]
        choice: Option<Choice>,
    }
    let why = "the conversion does not accept zero, so it needs an `initial` value, which decoding replaces";
    let is =
        |place: &str, error: tobu::Error| assert_eq!(error.to_string(), format!("derive.own.{place}: {why}"));
    is("Maybe: Maybe.number", tobu::to_vec(&Maybe::default()).unwrap_err());
    is("Maybe: Maybe.number", tobu::from_slice::<Maybe>(b"\x08\x01").unwrap_err());
    is("Many: Many.number", tobu::from_slice::<Many>(b"").unwrap_err());
    is("Named: Named.number", tobu::from_slice::<Named>(b"").unwrap_err());
    is("Chosen: Chosen.number", tobu::from_slice::<Chosen>(b"").unwrap_err());
}

#[test]
fn a_projection_decodes_parts_of_them() {
    let projection = Job::descriptor().project(&["timeout.seconds", "started", "port"]).unwrap();
    let bytes = b"\x08\x50\x4a\x04\x08\x01\x10\x05\x52\x02\x08\x02\x62\x011";
    let job = tobu::DecodeOptions::new().fields(&projection).from_slice::<Job>(bytes).unwrap();
    let wanted =
        Job { port: 80, started: vec![time(2)], timeout: Some(Duration::new(1, 5)), ..Job::default() };
    // A message with a form of its own in JSON is one value.
    assert_eq!(job, wanted);
    let projection = Job::descriptor().project(&["author.name"]).unwrap();
    let job = tobu::DecodeOptions::new()
        .fields(&projection)
        .from_slice::<Job>(b"\xa2\x01\x08\x0a\x03Ann\x12\x01a")
        .unwrap();
    assert_eq!(job, Job { author: Some(Named("Ann".into())), ..Job::default() });
}

/// What is put aside to be filled again holds nothing of it, and a message that is lent again has nothing left.
#[test]
fn pools_and_clones_have_nothing_left() {
    let pool = tobu::reuse::MessagePool::<Job>::new();
    let mut lent = pool.lend();
    *lent = used();
    assert!(lent.as_reflect().has_by_name("price").unwrap());
    drop(lent);
    assert_eq!(*pool.lend(), Job::default());
    let job = used();
    assert_eq!(job.as_reflect().get_by_name("price").unwrap(), ValueRef::Str("0.07"));
    let copy = job.clone();
    assert_eq!(copy, job);
    assert!(copy.as_reflect().equals(job.as_reflect()));
    let other = Job { price: Cents(1), ..used() };
    assert_eq!(copy.as_reflect().diff(other.as_reflect()).changes().len(), 1);
}

/// A field in many pieces is converted once, however often others come between.
#[test]
fn fields_in_many_pieces_take_linear_time() {
    use std::cell::Cell;

    thread_local! {
        static MADE: Cell<usize> = const { Cell::new(0) };
    }

    #[derive(Clone, Debug, Default, PartialEq)]
    struct Counted(String);

    impl Convert<Counted> for Counted {
        type Proto = String;
        const EXPECTED: &'static str = "a text";

        fn as_proto(text: &Counted) -> String {
            MADE.set(MADE.get() + 1);
            text.0.clone()
        }

        fn from_proto(text: String) -> Option<Counted> {
            MADE.set(MADE.get() + 1);
            Some(Counted(text))
        }
    }

    #[derive(Default, tobu::Message, tobu::Serialize, tobu::Deserialize)]
    #[tobu(package = "derive.own")]
    struct Pieces {
        #[tobu(1, with = Counted)]
        texts: Vec<Counted>,
        #[tobu(2)]
        other: u32,
        #[tobu(3)]
        inner: Option<Box<Pieces>>,
        #[tobu(protos)]
        protos: Protos,
    }

    const COUNT: usize = 1000;
    let made = |read: &dyn Fn() -> usize| {
        MADE.set(0);
        assert_eq!(read(), COUNT);
        MADE.get()
    };
    let bytes = b"\x0a\x01a\x10\x01".repeat(COUNT);
    assert_eq!(made(&|| tobu::from_slice::<Pieces>(&bytes).unwrap().texts.len()), COUNT);
    // A message in pieces ends with each of them: what is converted again is limited as memory is.
    let piece = [b"\x1a\x05", &b"\x0a\x01a\x10\x01"[..]].concat();
    assert_eq!(tobu::from_slice::<Pieces>(&piece.repeat(10)).unwrap().inner.unwrap().texts.len(), 10);
    MADE.set(0);
    let error = tobu::from_slice::<Pieces>(&piece.repeat(100_000)).err().unwrap().to_string();
    assert!(
        error.starts_with(
            "derive.own.Pieces.inner.texts: the decoded message would take more than 67108864 bytes"
        ),
        "{error}"
    );
    assert!(MADE.get() < 67_108_864 / 2, "{}", MADE.get());
    // Unknown fields stand between the elements.
    let text = "texts: \"a\" 9: 1 ".repeat(COUNT);
    assert_eq!(
        made(&|| text::Options::new().ignore_unknown(true).from_str::<Pieces>(&text).unwrap().texts.len()),
        COUNT
    );
    let json_text = format!(r#"{{"texts":["a"{}]}}"#, r#","a""#.repeat(COUNT - 1));
    assert_eq!(made(&|| json::from_str::<Pieces>(&json_text).unwrap().texts.len()), COUNT);
}
