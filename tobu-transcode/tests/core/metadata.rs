//! Case 23: headers and metadata.

use http::{HeaderMap, HeaderName, HeaderValue};
use std::time::Duration;
use tobu_transcode::{request_metadata, request_timeout, response_metadata};

fn headers(rows: &[(&str, &[u8])]) -> HeaderMap {
    let pair = |(name, value): &(&str, &[u8])| {
        (name.parse::<HeaderName>().unwrap(), HeaderValue::from_bytes(value).unwrap())
    };
    rows.iter().map(pair).collect()
}

fn told(metadata: &HeaderMap) -> Vec<String> {
    let mut rows: Vec<String> =
        metadata.iter().map(|(name, value)| format!("{name}: {}", value.to_str().unwrap())).collect();
    rows.sort();
    rows
}

#[test]
fn of_requests() {
    let given = headers(&[
        ("authorization", b"Bearer x"),
        ("x-request-id", b"7"),
        ("cookie", b"secret"),
        ("user-agent", b"test"),
        ("Grpc-Metadata-Tenant", b"a"),
        ("grpc-metadata-trace-bin", b"AQI="),
        ("grpc-metadata-other-bin", b"AQID"),
        // What is about the connection or belongs to gRPC.
        ("connection", b"keep-alive, grpc-metadata-hop"),
        ("grpc-metadata-hop", b"1"),
        ("te", b"trailers"),
        ("transfer-encoding", b"chunked"),
        ("grpc-metadata-te", b"trailers"),
        ("grpc-metadata-host", b"other"),
        ("grpc-metadata-connection", b"close"),
        ("grpc-metadata-grpc-timeout", b"1S"),
        ("grpc-metadata-content-type", b"text/plain"),
        // Nothing of these is ever looked at.
        ("x-http-method-override", b"DELETE"),
        ("x-method-override", b"DELETE"),
    ]);
    let listed = [HeaderName::from_static("x-request-id"), HeaderName::from_static("transfer-encoding")];
    let metadata = request_metadata(&given, &listed).unwrap();
    assert_eq!(
        told(&metadata),
        ["authorization: Bearer x", "other-bin: AQID", "tenant: a", "trace-bin: AQI", "x-request-id: 7"]
    );
}

#[test]
fn several_values_of_one_name() {
    let given = headers(&[("grpc-metadata-a", b"1"), ("grpc-metadata-a", b"2")]);
    let metadata = request_metadata(&given, &[]).unwrap();
    assert_eq!(told(&metadata), ["a: 1", "a: 2"]);
}

/// What metadata cannot be is left out, and the rest of a request is as it is without it.
#[test]
fn left_out() {
    let rows: &[(&str, &[u8])] = &[
        ("grpc-metadata-a", "\u{e9}".as_bytes()),
        ("grpc-metadata-a", b"\xff"),
        ("grpc-metadata-a", b"a\tb"),
        ("grpc-metadata-a-bin", b"\xff"),
        ("x-request-id", "\u{e9}".as_bytes()),
        ("grpc-metadata-", b"a"),
        ("grpc-metadata-a!b", b"a"),
        ("grpc-metadata-a~b-bin", b"AQI"),
    ];
    let listed = [HeaderName::from_static("x-request-id")];
    for (name, value) in rows {
        let given = headers(&[(name, value), ("grpc-metadata-tenant", b"7"), ("grpc-metadata-A_1.b", b"8")]);
        let metadata = request_metadata(&given, &listed).unwrap();
        assert_eq!(told(&metadata), ["a_1.b: 8", "tenant: 7"], "{name}");
    }
    // Of several values of one name those that can be.
    let given =
        headers(&[("grpc-metadata-a", b"1"), ("grpc-metadata-a", b"\xff"), ("grpc-metadata-a", b"2")]);
    assert_eq!(told(&request_metadata(&given, &[]).unwrap()), ["a: 1", "a: 2"]);
}

#[test]
fn rejected() {
    // CR, LF and NUL do not get as far as a header value.
    for byte in [b'\r', b'\n', 0] {
        assert!(HeaderValue::from_bytes(&[b'a', byte]).is_err());
    }
    let rows: &[(&str, &[u8], &str)] = &[
        ("authorization", b"\xff", "the header authorization has characters that metadata cannot have"),
        (
            "grpc-metadata-authorization",
            b"a\tb",
            "the header grpc-metadata-authorization has characters that metadata cannot have",
        ),
        ("grpc-metadata-a-bin", b"a b", "the header grpc-metadata-a-bin is not base64"),
        ("grpc-metadata-a-bin", b"AQ=I", "the header grpc-metadata-a-bin is not base64"),
    ];
    for (name, value, wanted) in rows {
        let error = request_metadata(&headers(&[(name, value)]), &[]).unwrap_err();
        assert_eq!((error.to_string(), error.status().as_u16()), ((*wanted).to_owned(), 400));
    }
}

#[test]
fn of_responses() {
    let metadata = headers(&[
        ("date", b"Sat, 21 Nov 2026 18:00:00 GMT"),
        ("served-by", b"a"),
        ("etag-bin", b"AQI"),
        ("grpc-status", b"0"),
        ("grpc-message", b""),
        ("content-type", b"application/grpc"),
        ("trailer", b"x"),
        ("connection", b"close"),
        ("keep-alive", b"1"),
    ]);
    let mut headers = HeaderMap::new();
    response_metadata(&metadata, &mut headers);
    assert_eq!(told(&headers), ["grpc-metadata-etag-bin: AQI", "grpc-metadata-served-by: a"]);
}

#[test]
fn timeouts() {
    let rows: &[(&[u8], Option<Duration>)] = &[
        (b"2H", Some(Duration::from_secs(7200))),
        (b"3M", Some(Duration::from_secs(180))),
        (b"10S", Some(Duration::from_secs(10))),
        (b"5m", Some(Duration::from_millis(5))),
        (b"6u", Some(Duration::from_micros(6))),
        (b"99999999n", Some(Duration::from_nanos(99_999_999))),
        (b"0S", Some(Duration::ZERO)),
        (b"100000000S", None),
        (b"S", None),
        (b"", None),
        (b"1", None),
        (b"1s", None),
        (b"-1S", None),
    ];
    for (value, wanted) in rows {
        let headers = headers(&[("grpc-timeout", value)]);
        let got = request_timeout(&headers);
        match wanted {
            Some(wanted) => assert_eq!(got.unwrap(), Some(*wanted)),
            None => {
                let value = &headers["grpc-timeout"];
                let text = format!("the header grpc-timeout: {value:?} is not a timeout");
                assert_eq!(got.unwrap_err().to_string(), text);
            }
        }
    }
    assert_eq!(request_timeout(&HeaderMap::new()).unwrap(), None);
    let twice = headers(&[("grpc-timeout", b"1S"), ("grpc-timeout", b"2S")]);
    assert_eq!(request_timeout(&twice).unwrap_err().to_string(), "the header grpc-timeout is given twice");
}
