//! The messages of `google.rpc`: their bytes, details of errors, and what an error becomes.

use std::fmt::Debug;
use std::time;

use tobu::rpc::{
    BadRequest, Code, DebugInfo, Detail, ErrorDetails, ErrorInfo, Help, LocalizedMessage,
    PreconditionFailure, QuotaFailure, RequestInfo, ResourceInfo, RetryInfo, Status, bad_request, files,
    quota_failure,
};
use tobu::types::{Any, Duration, Empty, ListValue, StringValue};
use tobu::{Category, DecodeOptions, Deserialize, Error, Limits, MessageName, Pool, Serialize, json};

/// The bytes of a message, and that it is a detail of its type.
#[track_caller]
fn row<T>(message: T, bytes: &[u8])
where
    T: MessageName + Serialize + for<'de> Deserialize<'de> + Into<Detail> + Clone + PartialEq + Debug,
{
    assert_eq!(tobu::to_vec(&message).unwrap(), bytes);
    assert_eq!(tobu::from_slice::<T>(bytes).unwrap(), message);
    let detail: Detail = message.into();
    let any = Any::from(detail.clone());
    assert_eq!(any, Any::new(T::TYPE_URL, bytes));
    assert_eq!(Detail::try_from(any).unwrap(), detail);
}

#[test]
fn bytes() {
    let info = ErrorInfo::new("R", "d").with_metadata("b", "2").with_metadata("a", "1");
    row(info, b"\x0a\x01R\x12\x01d\x1a\x06\x0a\x01a\x12\x011\x1a\x06\x0a\x01b\x12\x012");
    row(RetryInfo::new(time::Duration::new(5, 7)), b"\x0a\x04\x08\x05\x10\x07");
    row(DebugInfo::new(["f", "g"], "d"), b"\x0a\x01f\x0a\x01g\x12\x01d");
    row(QuotaFailure::new([("s", "d")]), b"\x0a\x06\x0a\x01s\x12\x01d");
    let violation = quota_failure::Violation {
        subject: "s".into(),
        description: "d".into(),
        api_service: "a".into(),
        quota_metric: "m".into(),
        quota_id: "i".into(),
        quota_dimensions: [("k".to_owned(), "v".to_owned())].into(),
        quota_value: 1,
        future_quota_value: Some(0),
        ..quota_failure::Violation::default()
    };
    row(
        QuotaFailure::new([violation]),
        b"\x0a\x1b\x0a\x01s\x12\x01d\x1a\x01a\x22\x01m\x2a\x01i\x32\x06\x0a\x01k\x12\x01v\x38\x01\x40\x00",
    );
    row(PreconditionFailure::new([("t", "s", "d")]), b"\x0a\x09\x0a\x01t\x12\x01s\x1a\x01d");
    row(BadRequest::new([("f", "d"), ("g", "")]), b"\x0a\x06\x0a\x01f\x12\x01d\x0a\x03\x0a\x01g");
    let violation = bad_request::FieldViolation {
        reason: "R".into(),
        localized_message: Some(LocalizedMessage::new("l", "m")),
        ..("f", "d").into()
    };
    let bytes = b"\x0a\x11\x0a\x01f\x12\x01d\x1a\x01R\x22\x06\x0a\x01l\x12\x01m";
    row(BadRequest::new([violation]), bytes);
    row(RequestInfo::new("i", "d"), b"\x0a\x01i\x12\x01d");
    let info = ResourceInfo { owner: "o".into(), description: "d".into(), ..ResourceInfo::new("t", "n") };
    row(info, b"\x0a\x01t\x12\x01n\x1a\x01o\x22\x01d");
    row(Help::new([("d", "u")]), b"\x0a\x06\x0a\x01d\x12\x01u");
    row(LocalizedMessage::new("l", "m"), b"\x0a\x01l\x12\x01m");
}

#[test]
fn delays() {
    let info = RetryInfo::new(time::Duration::MAX);
    assert_eq!(info.retry_delay, Some(Duration::new(315_576_000_000, 0)));
    assert_eq!(info.delay(), Some(time::Duration::from_secs(315_576_000_000)));
    let of = |retry_delay| RetryInfo { retry_delay, ..RetryInfo::default() }.delay();
    assert_eq!((of(None), of(Some(Duration::new(-1, 0)))), (None, None));
}

#[test]
fn codes() {
    let names = [
        "OK",
        "CANCELLED",
        "UNKNOWN",
        "INVALID_ARGUMENT",
        "DEADLINE_EXCEEDED",
        "NOT_FOUND",
        "ALREADY_EXISTS",
        "PERMISSION_DENIED",
        "RESOURCE_EXHAUSTED",
        "FAILED_PRECONDITION",
        "ABORTED",
        "OUT_OF_RANGE",
        "UNIMPLEMENTED",
        "INTERNAL",
        "UNAVAILABLE",
        "DATA_LOSS",
        "UNAUTHENTICATED",
    ];
    for (number, name) in (0..).zip(names) {
        let code = Code::from(number);
        assert_eq!((code.to_string().as_str(), i32::from(code)), (name, number));
        assert_eq!(name.parse::<Code>().unwrap(), code);
    }
    assert_eq!(files::CODE.descriptor().enums().next().unwrap().values().len(), names.len());
    assert_eq!(Status { code: 99, ..Status::default() }.code(), Code(99));
}

#[test]
fn a_status() {
    let status = Status::new(Code::NOT_FOUND, "no")
        .with_details([RequestInfo::new("i", "")])
        .with_details(ErrorDetails::new().with(Detail::Other(Any::new("a/b", [8, 1]))));
    let url = b"type.googleapis.com/google.rpc.RequestInfo";
    let bytes = [
        b"\x08\x05\x12\x02no\x1a\x31\x0a\x2a".as_slice(),
        url,
        b"\x12\x03\x0a\x01i\x1a\x09\x0a\x03a/b\x12\x02\x08\x01",
    ];
    assert_eq!(tobu::to_vec(&status).unwrap(), bytes.concat());
    assert_eq!(tobu::from_slice::<Status>(&bytes.concat()).unwrap(), status);

    let details = status.error_details().unwrap();
    assert_eq!(details.request_info(), Some(&RequestInfo::new("i", "")));
    assert_eq!(details.bad_request(), None);
    assert_eq!(details.others().collect::<Vec<_>>(), [&status.details[1]]);
    assert_eq!(details.into_iter().collect::<ErrorDetails>(), status.error_details().unwrap());
}

#[test]
fn a_status_as_json() {
    let status = Status::new(Code::INVALID_ARGUMENT, "").with_details([BadRequest::new([("f", "d")])]);
    let text = concat!(
        r#"{"code":3,"details":[{"@type":"type.googleapis.com/google.rpc.BadRequest","#,
        r#""fieldViolations":[{"field":"f","description":"d"}]}]}"#
    );
    assert_eq!(json::to_string(&status).unwrap(), text);
    assert_eq!(json::from_str::<Status>(text).unwrap(), status);
}

/// Each type has its getter, which gives the first of several.
#[test]
fn getters() {
    let details = ErrorDetails::new()
        .with(ErrorInfo::new("R", "d"))
        .with(RetryInfo::default())
        .with(DebugInfo::new(["f"], ""))
        .with(QuotaFailure::new([("s", "d")]))
        .with(PreconditionFailure::new([("t", "s", "d")]))
        .with(BadRequest::new([("f", "d")]))
        .with(RequestInfo::new("i", ""))
        .with(ResourceInfo::new("t", "n"))
        .with(Help::new([("d", "u")]))
        .with(LocalizedMessage::new("l", "m"))
        .with(LocalizedMessage::new("second", ""));
    assert_eq!(details.error_info(), Some(&ErrorInfo::new("R", "d")));
    assert_eq!(details.retry_info(), Some(&RetryInfo::default()));
    assert_eq!(details.debug_info(), Some(&DebugInfo::new(["f"], "")));
    assert_eq!(details.quota_failure(), Some(&QuotaFailure::new([("s", "d")])));
    assert_eq!(details.precondition_failure(), Some(&PreconditionFailure::new([("t", "s", "d")])));
    assert_eq!(details.bad_request(), Some(&BadRequest::new([("f", "d")])));
    assert_eq!(details.request_info(), Some(&RequestInfo::new("i", "")));
    assert_eq!(details.resource_info(), Some(&ResourceInfo::new("t", "n")));
    assert_eq!(details.help(), Some(&Help::new([("d", "u")])));
    assert_eq!(details.localized_message(), Some(&LocalizedMessage::new("l", "m")));
    assert_eq!((details.iter().count(), details.others().count()), (11, 0));
}

#[test]
fn malformed_details() {
    let status = |any: Any| Status { details: vec![Any::default(), any], ..Status::default() };
    let error =
        status(Any::new("x/google.rpc.BadRequest", b"\x0a\x03\x0a\x01\xff")).error_details().unwrap_err();
    let text = "google.rpc.Status.details[1].field_violations[0].field: invalid UTF-8 in a string";
    assert_eq!((error.category(), error.to_string().as_str()), (Category::Malformed, text));
    let error = status(Any::new("x/google.rpc.Help", b"\x08")).error_details().unwrap_err();
    assert_eq!(error.to_string(), "google.rpc.Status.details[1]: input ends inside a varint");
    // What is of no usual type is not looked into.
    let details = status(Any::new("x/y", b"\x08")).error_details().unwrap();
    assert_eq!(details.others().count(), 2);
}

/// A message with a required field.
#[derive(Debug, Default, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "rpc.test")]
struct Loan {
    #[tobu(1, required)]
    reader: String,
    #[tobu(2)]
    inner: Vec<Loan>,
    #[tobu(3)]
    by_name: std::collections::BTreeMap<String, StringValue>,
}

/// What a client learns of an error, and what it does not.
#[test]
fn what_an_error_becomes() {
    let loan = |bytes: &[u8]| tobu::from_slice::<Loan>(bytes).unwrap_err();
    let tight = DecodeOptions::new().limits(Limits::default().input(1));
    let any = Any::new("x/nobody.Knows", []);
    let violation = |field: &str, text: &str| vec![BadRequest::new([(field, text)]).into()];
    #[rustfmt::skip]
    let rows: [(Error, Code, &str, Vec<Detail>); 10] = [
        (loan(b"\x08"), Code::INVALID_ARGUMENT, "", vec![]),
        (loan(b"\x0a\x01\xff"), Code::INVALID_ARGUMENT, "", violation("reader", "invalid UTF-8 in a string")),
        (loan(b"\x0a\x01a\x1a\x0a\x0a\x03\"\\n\x12\x03\x0a\x01\xff"), Code::INVALID_ARGUMENT, "",
         violation(r#"by_name["\"\\n"].value"#, "invalid UTF-8 in a string")),
        (loan(b""), Code::INVALID_ARGUMENT, "", violation("reader", "required field reader has no value")),
        (loan(b"\x0a\x01a\x12\x03\x0a\x01a\x12\x00"), Code::INVALID_ARGUMENT, "",
         violation("inner[1].reader", "required field reader has no value")),
        (json::from_str::<ListValue>("[1").unwrap_err(), Code::INVALID_ARGUMENT, "",
         violation("values", "expected `,` or `]`, but the input ends")),
        (tight.from_slice::<Empty>(b"\x08\x01").unwrap_err(), Code::RESOURCE_EXHAUSTED, "", vec![]),
        (any.unpack::<Empty>().unwrap_err(), Code::INTERNAL, "the message and its type do not fit together", vec![]),
        (any.resolve(&Pool::new()).unwrap_err(), Code::INTERNAL, "the schema of the message is not valid", vec![]),
        (std::io::Error::other("/etc/secret").into(), Code::INTERNAL, "a stream of messages failed", vec![]),
    ];
    for (error, code, text, details) in rows {
        let status = Status::from(&error);
        let text = if text.is_empty() { error.to_string() } else { text.to_owned() };
        assert_eq!((status.code(), &status.message), (code, &text));
        assert_eq!(status.error_details().unwrap().into_iter().collect::<Vec<_>>(), details, "{error}");
    }
}
