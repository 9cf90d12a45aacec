//! Case 22: codes and `google.rpc.Status`.

use http::{HeaderMap, HeaderValue, StatusCode};
use tobu::types::Any;
use tobu_transcode::rpc::{self, BadRequest, Detail};
use tobu_transcode::{Code, Status};

#[test]
fn codes() {
    #[rustfmt::skip]
    let statuses = [200, 499, 500, 400, 504, 404, 409, 403, 429, 400, 409, 400, 501, 500, 503, 500, 401];
    for (number, status) in statuses.into_iter().enumerate() {
        let code = Code::from_number(number as i32);
        assert_eq!((code.number(), code.http_status().as_u16()), (number as i32, status), "{code:?}");
    }
    assert_eq!(Code::from_number(17), Code::Unknown);
    assert_eq!(Code::from_number(-1), Code::Unknown);
    let rows = [
        (400, Code::Internal),
        (401, Code::Unauthenticated),
        (403, Code::PermissionDenied),
        (404, Code::Unimplemented),
        (429, Code::Unavailable),
        (502, Code::Unavailable),
        (503, Code::Unavailable),
        (504, Code::Unavailable),
        (500, Code::Unknown),
        (302, Code::Unknown),
    ];
    for (status, code) in rows {
        assert_eq!(Code::from_http_status(StatusCode::from_u16(status).unwrap()), code);
    }
}

#[test]
fn details() {
    let pool = tobu_transcode_schemas::pool();
    let any = |url: &str, value: &[u8]| Detail::Other(Any::new(format!("type.googleapis.com/{url}"), value));
    let status = Status::new(Code::FailedPrecondition, "say \"no\"\n")
        .detail(any("google.rpc.ErrorInfo", b"\x0a\x04LENT"))
        .detail(any("unknown.Type", b"\x08\x01"))
        // A type that is known, of which this is no message.
        .detail(any("google.rpc.ErrorInfo", b"\x0a\x09x"))
        // Types that only `tobu::rpc` has.
        .detail(BadRequest::new([("title", "empty")]))
        .detail(any("google.rpc.BadRequest", b"\x0a\x09x"))
        .detail(any("google.rpc.Status", b"\x08\x01"))
        .detail(Detail::Other(Any::new("none", b"\xff")))
        .detail(Detail::Other(Any::default()));
    let options = tobu::json::Options::new().pool(&pool);
    assert_eq!(
        status.to_json(&options),
        concat!(
            r#"{"code":9,"message":"say \"no\"\n","details":["#,
            r#"{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"LENT"},"#,
            r#"{"@type":"type.googleapis.com/unknown.Type","value":"CAE="},"#,
            r#"{"@type":"type.googleapis.com/google.rpc.ErrorInfo","value":"Cgl4"},"#,
            r#"{"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[{"field":"title","description":"empty"}]},"#,
            r#"{"@type":"type.googleapis.com/google.rpc.BadRequest","value":"Cgl4"},"#,
            r#"{"@type":"type.googleapis.com/google.rpc.Status","code":1},"#,
            r#"{"@type":"none","value":"/w=="},"#,
            r#"{}]}"#
        )
    );
}

#[test]
fn conversions() {
    for number in -1..=18 {
        let code = Code::from_number(number);
        let known = if (0..=16).contains(&number) { number } else { 2 };
        assert_eq!((Code::from(number), i32::from(code)), (code, known));
        assert_eq!((Code::from(rpc::Code(number)), rpc::Code::from(code)), (code, rpc::Code(known)));
    }

    let status = Status::new(Code::NotFound, "no").detail(BadRequest::new([("title", "empty")]));
    let message =
        rpc::Status::new(rpc::Code::NOT_FOUND, "no").with_details([BadRequest::new([("title", "empty")])]);
    assert_eq!(rpc::Status::from(status.clone()), message);
    assert_eq!(Status::from(message), status);
    assert_eq!(Status::from(rpc::Status::new(rpc::Code(99), "")), Status::new(Code::Unknown, ""));
}

#[cfg(feature = "remote")]
#[test]
fn conversions_of_tonic() {
    for number in 0..=16 {
        let (code, tonic) = (Code::from_number(number), tonic::Code::from(number));
        assert_eq!((Code::from(tonic), tonic::Code::from(code)), (code, tonic));
    }

    let status = Status::new(Code::NotFound, "no").detail(Detail::Other(Any::new("a", b"b")));
    let tonic = tonic::Status::from(status.clone());
    assert_eq!((tonic.code(), tonic.message()), (tonic::Code::NotFound, "no"));
    assert_eq!(tonic.details(), b"\x08\x05\x12\x02no\x1a\x06\x0a\x01a\x12\x01b");
    assert_eq!(Status::from(tonic), status);
    let malformed = tonic::Status::with_details(tonic::Code::NotFound, "no", b"\x80"[..].into());
    assert_eq!(Status::from(malformed), Status::new(Code::NotFound, "no"));
}

/// A sign is none of the digits that a status has.
#[test]
fn numbers_in_headers() {
    let of = |number: &str| {
        let headers = HeaderMap::from_iter([("grpc-status".parse().unwrap(), number.parse().unwrap())]);
        Status::from_headers(&headers).unwrap().code()
    };
    assert_eq!((of("0"), of("16")), (Code::Ok, Code::Unauthenticated));
    for number in ["+0", "-0", "+5", "-1", "", " ", "0x5", "17", "4294967296"] {
        assert_eq!(of(number), Code::Unknown, "{number}");
    }
}

#[test]
fn in_headers() {
    let headers = |rows: &[(&'static str, &'static str)]| -> HeaderMap {
        rows.iter().map(|(name, value)| (name.parse().unwrap(), HeaderValue::from_static(value))).collect()
    };
    assert_eq!(Status::from_headers(&HeaderMap::new()), None);
    let rows = [
        (headers(&[("grpc-status", "0")]), Status::new(Code::Ok, "")),
        (headers(&[("grpc-status", "x")]), Status::new(Code::Unknown, "")),
        (
            headers(&[("grpc-status", "3"), ("grpc-message", "100%25 %C3%A9")]),
            Status::new(Code::InvalidArgument, "100% \u{e9}"),
        ),
        (
            headers(&[("grpc-status", "3"), ("grpc-message", "100%")]),
            Status::new(Code::InvalidArgument, "100%"),
        ),
        (
            // code 5, and an Any of the type `a`.
            headers(&[("grpc-status", "5"), ("grpc-status-details-bin", "CAUaAwoBYQ")]),
            Status::new(Code::NotFound, "").detail(Detail::Other(Any::new("a", []))),
        ),
        (headers(&[("grpc-status", "5"), ("grpc-status-details-bin", "*")]), Status::new(Code::NotFound, "")),
        (
            headers(&[("grpc-status", "5"), ("grpc-status-details-bin", "GgU")]),
            Status::new(Code::NotFound, ""),
        ),
    ];
    for (headers, wanted) in rows {
        assert_eq!(Status::from_headers(&headers), Some(wanted));
    }
}
