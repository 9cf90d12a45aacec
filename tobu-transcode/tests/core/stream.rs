//! Case 21: streams.

use http::{HeaderMap, HeaderValue};
use tobu_transcode::{FrameDecoder, Framing, LineDecoder, StreamEncoder};

#[test]
fn framings() {
    let rows = [
        (None, Framing::Lines),
        (Some("*/*"), Framing::Lines),
        (Some("application/x-ndjson"), Framing::Lines),
        (Some("text/event-stream"), Framing::Events),
        (Some("application/json"), Framing::Array),
        (Some("Application/JSON; charset=utf-8"), Framing::Array),
        (Some("text/html, application/json;q=0.3, text/event-stream;q=0.8"), Framing::Events),
        (Some("application/json;q=0, */*"), Framing::Lines),
        (Some("application/json, text/event-stream"), Framing::Array),
    ];
    for (accept, wanted) in rows {
        let mut headers = HeaderMap::new();
        accept.map(|accept| headers.insert("accept", HeaderValue::from_static(accept)));
        assert_eq!(Framing::of_accept(&headers), wanted, "{accept:?}");
    }
}

#[test]
fn bodies() {
    let body = |framing, wrapped, values: &[&str], error: Option<&str>| {
        let mut encoder = StreamEncoder::new(framing).wrapped(wrapped);
        let mut out = Vec::new();
        values.iter().for_each(|value| encoder.value(value.as_bytes(), &mut out));
        match error {
            Some(error) => encoder.error(error, &mut out),
            None => encoder.finish(&mut out),
        }
        String::from_utf8(out).unwrap()
    };
    let (one, two) = (r#"{"a":1}"#, "{\n  \"a\": 2\n}");
    let status = Some(r#"{"code":5}"#);
    #[rustfmt::skip]
    let rows = [
        (Framing::Lines, "", "{\"a\":1}\n{   \"a\": 2 }\n", "{\"a\":1}\n{\"error\":{\"code\":5}}\n"),
        (Framing::Events, "", "data: {\"a\":1}\n\ndata: {   \"a\": 2 }\n\n",
         "data: {\"a\":1}\n\nevent: error\ndata: {\"error\":{\"code\":5}}\n\n"),
        (Framing::Array, "[]", "[{\"a\":1},{   \"a\": 2 }]", "[{\"a\":1},{\"error\":{\"code\":5}}]"),
    ];
    for (framing, empty, values, failed) in rows {
        assert_eq!(body(framing, false, &[], None), empty);
        assert_eq!(body(framing, false, &[one, two], None), values);
        assert_eq!(body(framing, false, &[one], status), failed);
    }
    assert_eq!(
        body(Framing::Lines, true, &[one], status),
        "{\"result\":{\"a\":1}}\n{\"error\":{\"code\":5}}\n"
    );
    assert_eq!(body(Framing::Array, false, &[], status), "[{\"error\":{\"code\":5}}]");
}

#[test]
fn lines_in_pieces() {
    let text = b"\n{\"a\":1}\n  \r\n{\"b\":2}\r\n{\"c\":3}";
    for size in 1..text.len() {
        let mut lines = LineDecoder::new(8);
        let mut got = Vec::new();
        for piece in text.chunks(size) {
            lines.push(piece);
            while let Some(line) = lines.next_line().unwrap() {
                got.push(line);
            }
        }
        got.extend(lines.finish());
        assert_eq!(got, ["{\"a\":1}", "{\"b\":2}", "{\"c\":3}"], "{size}");
        assert_eq!(lines.finish(), None);
    }
    let mut lines = LineDecoder::new(8);
    lines.push(b"123456789");
    let error = lines.next_line().unwrap_err();
    assert_eq!(error.to_string(), "a line is longer than the limit of 8 bytes");
    assert_eq!(error.status(), 413);
    let mut lines = LineDecoder::new(8);
    lines.push(b"123456789\n");
    assert_eq!(lines.next_line().unwrap_err().status(), 413);
}

#[test]
fn frames_in_pieces() {
    let bytes = b"\0\0\0\0\x02hi\x01\0\0\0\0\0\0\0\0\x03abc";
    for size in 1..bytes.len() {
        let mut frames = FrameDecoder::new(3);
        let mut got = Vec::new();
        for piece in bytes.chunks(size) {
            frames.push(piece);
            while let Some(frame) = frames.next_frame().unwrap() {
                got.push((frame.compressed, frame.message));
            }
        }
        frames.finish().unwrap();
        assert_eq!(got, [(false, "hi".into()), (true, "".into()), (false, "abc".into())]);
    }
    let rows: &[(&[u8], &str)] = &[
        (b"\0\0\0\0\x04", "a message of 4 bytes is longer than the limit of 3 bytes"),
        (b"\0\xff\xff\xff\xff", "a message of 4294967295 bytes is longer than the limit of 3 bytes"),
        (b"\x02\0\0\0\0", "a frame has the flag 2"),
    ];
    for (bytes, wanted) in rows {
        let mut frames = FrameDecoder::new(3);
        frames.push(*bytes);
        assert_eq!(frames.next_frame().unwrap_err().to_string(), *wanted);
    }
}

/// The elements of an array, in chunks of any size, and what is none.
#[test]
fn arrays() {
    let rows: &[(&str, Result<&[&str], &str>)] = &[
        ("", Ok(&[])),
        (" \n", Ok(&[])),
        ("[]", Ok(&[])),
        (" [ ] \n", Ok(&[])),
        (r#"[{"a":"],{"}]"#, Ok(&[r#"{"a":"],{"}"#])),
        ("[{},{}\n, [1,[2]] ,3,\"x\\\"]\",true]", Ok(&["{}", "{}", "[1,[2]]", "3", "\"x\\\"]\"", "true"])),
        ("[1 2]", Err("the stream is not a JSON array: there is `2`")),
        ("{}", Err("the stream is not a JSON array: there is `{`")),
        ("[,]", Err("the stream is not a JSON array: there is `,`")),
        ("[1,]", Err("the stream is not a JSON array: there is `]`")),
        ("[1]]", Err("the stream is not a JSON array: there is `]`")),
        ("[1] {}", Err("the stream is not a JSON array: there is `{`")),
        ("[", Err("the JSON array does not end")),
        ("[{}", Err("the JSON array does not end")),
        ("[{},", Err("the JSON array does not end")),
        ("[{\"a\"", Err("the JSON array does not end")),
        (
            "[\"1234567890123456789012345678901234567890\"]",
            Err("a value is longer than the limit of 32 bytes"),
        ),
    ];
    for (text, wanted) in rows {
        for size in 1..=text.len().max(1) {
            let mut decoder = LineDecoder::array(32);
            let mut read = || -> tobu_transcode::Result<Vec<String>> {
                let mut values = Vec::new();
                for piece in text.as_bytes().chunks(size) {
                    decoder.push(piece);
                    while let Some(value) = decoder.next_line()? {
                        values.push(String::from_utf8(value.to_vec()).unwrap());
                    }
                }
                decoder.check_end()?;
                assert_eq!(decoder.finish(), None);
                Ok(values)
            };
            let done = read().map_err(|error| error.to_string());
            let wanted = wanted.map(|all| all.iter().map(|one| (*one).to_owned()).collect::<Vec<_>>());
            assert_eq!(done, wanted.map_err(str::to_owned), "{text:?} by {size}");
        }
    }
}
