//! Batches are bounded, and bad messages leave nothing in them.

use crate::support::{batch, kinds, pool, row};
use arrow_array::Array;
use tobu::{DecodeOptions, Limits};
use tobu_arrow::{Batcher, Columns, Options};

/// A message with something in each column.
const FULL: &[u8] = b"\x0a\x01a\x10\x03\x18\x05\x22\x09\x0a\x01i\x12\x04\0\0\x80\x3f\x2a\x08\x0a\x01k\x12\x03\x0a\x01v\
\x3a\x01w\x4a\x02\x01\x02\x52\x02\x07\x01\x5b\x0a\x01g\x5c\x62\x04\x08\x02\x10\x05\x6a\x02\x08\x01\x72\x02\x08\x07\
\x7a\x03\x0a\x01t\x82\x01\x00\x8a\x01\x02\x08\x01\x92\x01\x01b\x98\x01\x07\xa2\x01\x01l\xaa\x01\x0b\x08\x01\x11\
\0\0\0\0\0\0\xf0\x3f\xb0\x01\x01";

#[test]
fn a_message_that_is_cut_anywhere_leaves_nothing() {
    let columns = Columns::new(&kinds()).unwrap();
    let whole = row(&batch(&columns, &[FULL]), 0);
    let mut batcher = Batcher::new(&columns).skip_bad(usize::MAX);
    let (mut good, mut bad) = (0, 0);
    for end in 0..FULL.len() {
        batcher.push(FULL).unwrap();
        batcher.push(&FULL[..end]).unwrap();
        match tobu::DynamicMessage::decode(&kinds(), &FULL[..end]) {
            Ok(_) => good += 1,
            Err(_) => bad += 1,
        }
    }
    assert!(bad > 50 && good > 15);
    assert_eq!(batcher.bad_count(), bad);
    assert_eq!(batcher.len(), FULL.len() + good);
    let kept = batcher.take_bad();
    for bad in &kept {
        assert!(
            bad.number() % 2 == 1
                && bad.position().is_none()
                && bad.message().len() as u64 == bad.number() / 2
        );
        let expected = tobu::DynamicMessage::decode(&kinds(), bad.message()).unwrap_err();
        assert_eq!(bad.error().to_string(), expected.to_string());
    }
    let batch = batcher.finish().unwrap().unwrap();
    let (mut at, mut bad) = (0, kept.iter().map(|bad| bad.message().len()).peekable());
    for end in 0..FULL.len() {
        assert_eq!(row(&batch, at), whole, "{end}");
        at += 1;
        if bad.next_if_eq(&end).is_none() {
            at += 1;
        }
    }
    assert_eq!((at, batcher.take_bad().len()), (batch.num_rows(), 0));
}

#[test]
fn garbled_bytes_are_refused_as_decoding_refuses_them() {
    let columns = Columns::new(&kinds()).unwrap();
    let whole = row(&batch(&columns, &[FULL]), 0);
    for at in 0..FULL.len() {
        for with in [0x00, 0x01, 0x0a, 0x7f, 0x80, 0xff] {
            let mut bytes = FULL.to_vec();
            bytes[at] = with;
            let mut batcher = Batcher::new(&columns);
            batcher.push(FULL).unwrap();
            let pushed = batcher.push(&bytes);
            let decoded = tobu::DynamicMessage::decode(&kinds(), &bytes);
            if let (Err(error), Err(expected)) = (&pushed, &decoded) {
                assert!(error.message().contains("not UTF-8") || error.to_string() == expected.to_string());
            }
            assert!(pushed.is_err() || decoded.is_ok(), "{at} {with}");
            batcher.push(FULL).unwrap();
            let rows = 2 + usize::from(pushed.is_ok());
            let batch = batcher.finish().unwrap().unwrap();
            assert_eq!(batch.num_rows(), rows);
            assert_eq!((row(&batch, 0), row(&batch, rows - 1)), (whole.clone(), whole.clone()));
        }
    }
}

#[test]
fn batches_have_no_more_rows_than_they_may() {
    let columns = Columns::new(&kinds()).unwrap();
    for most in [1, 2, 3, 7] {
        let mut batcher = Batcher::new(&columns).rows(most);
        let mut sizes = Vec::new();
        for _ in 0..7 {
            sizes.extend(batcher.push(FULL).unwrap().map(|batch| batch.num_rows()));
        }
        assert_eq!(sizes, vec![most; 7 / most]);
        assert_eq!(batcher.finish().unwrap().map_or(0, |batch| batch.num_rows()), 7 % most);
        assert!(batcher.finish().unwrap().is_none() && batcher.is_empty());
    }
}

#[test]
fn batches_take_no_more_bytes_than_they_may() {
    let source = r#"syntax = "proto3"; message M { repeated Wide all = 1; string text = 2; repeated int64 numbers = 3; }
        message Wide { int64 a = 1; int64 b = 2; int64 c = 3; int64 d = 4; string e = 5; repeated bool f = 6; }"#;
    let columns = Columns::new(&pool(source).message("M").unwrap()).unwrap();
    let most = 10_000;
    let text = [&b"\x12\x80\x02"[..], &[b'x'; 256]].concat();
    let elements = b"\x0a\x00".repeat(50);
    let numbers = [&b"\x1a\x40"[..], &[1; 64]].concat();
    for message in [&text, &elements, &numbers] {
        let mut batcher = Batcher::new(&columns).bytes(most);
        let (mut batches, mut rows) = (Vec::new(), 0);
        for _ in 0..200 {
            batches.extend(batcher.push(message).unwrap());
        }
        batches.extend(batcher.finish().unwrap());
        assert!(batches.len() > 5);
        for batch in &batches {
            let taken: usize =
                batch.columns().iter().map(|array| array.to_data().get_slice_memory_size().unwrap()).sum();
            assert!(taken <= most, "{taken}");
            rows += batch.num_rows();
        }
        assert_eq!(rows, 200);
    }
    // A message that no batch has room for: few bytes, and many columns for each two of them.
    let mut batcher = Batcher::new(&columns).bytes(most);
    batcher.push(&text).unwrap();
    let error = batcher.push(&b"\x0a\x00".repeat(500)).unwrap_err();
    assert_eq!(error.to_string(), "M: the decoded message would take more than 10000 bytes of memory");
    assert_eq!(error.category(), tobu::Category::Limit);
    // What was there before it comes with the next one.
    assert_eq!(batcher.push(&text).unwrap().unwrap().num_rows(), 1);
    assert_eq!(batcher.finish().unwrap().unwrap().num_rows(), 1);
    assert!(batcher.finish().unwrap().is_none());
}

#[test]
fn limits_are_those_of_decoding() {
    let source = r#"syntax = "proto3"; message Node { string name = 1; Node next = 2; }"#;
    let node = pool(source).message("Node").unwrap();
    let limits = |limits: Limits| DecodeOptions::new().limits(limits);
    let push = |decode: DecodeOptions, bytes: &[u8]| {
        let columns = Options::new().recursion(3).decode(decode).columns(&node).unwrap();
        Batcher::new(&columns).push(bytes).map(|_| ()).map_err(|error| error.to_string())
    };
    let deep = b"\x12\x04\x12\x02\x12\x00";
    assert_eq!(push(limits(Limits::default()), deep), Ok(()));
    let error = "Node.next.next: messages are nested deeper than 2 levels (at byte 3)".to_owned();
    assert_eq!(push(limits(Limits::default().depth(2)), deep), Err(error));
    let error = "Node: input of 6 bytes is larger than the limit of 5 bytes".to_owned();
    assert_eq!(push(limits(Limits::default().input(5)), deep), Err(error));
    // Messages of a thousand levels are bytes from the third level on.
    let mut bytes = Vec::new();
    for _ in 0..1000 {
        let mut outer = vec![0x12];
        let mut length = bytes.len();
        while length >= 0x80 {
            outer.push(length as u8 | 0x80);
            length >>= 7;
        }
        outer.push(length as u8);
        outer.extend(bytes);
        bytes = outer;
    }
    assert_eq!(push(DecodeOptions::new(), &bytes), Ok(()));
}

#[test]
fn messages_without_columns_are_checked() {
    let source = r#"syntax = "proto3"; message M { Empty one = 1; repeated Empty list = 2; map<string, Empty> map = 3; }
        message Empty {}"#;
    let columns = Columns::new(&pool(source).message("M").unwrap()).unwrap();
    let error = |bytes: &[u8]| Batcher::new(&columns).push(bytes).unwrap_err().to_string();
    assert_eq!(error(b"\x0a\x02\x00\x01"), "M.one: field number 0 is not valid (at byte 2)");
    assert_eq!(error(b"\x12\x00\x12\x01\x08"), "M.list[1]: input ends inside a varint (at byte 5)");
    let in_map = error(b"\x1a\x06\x0a\x01k\x12\x01\x08");
    assert_eq!(in_map, "M.map[\"k\"]: input ends inside a varint (at byte 8)");
    let batch = batch(&columns, &[b"\x0a\x02\x08\x01\x12\x00\x12\x00\x1a\x03\x0a\x01k", b""]);
    assert_eq!(row(&batch, 0), serde_json::json!({"one": {}, "list": [{}, {}], "map": [["k", {}]]}));
    assert_eq!(row(&batch, 1), serde_json::json!({"one": null, "list": [], "map": []}));
}

#[test]
fn required_fields() {
    let source = r#"syntax = "proto2"; message M { required int32 a = 1; optional M2 b = 2; }
        message M2 { required string c = 1; }"#;
    let message = pool(source).message("M").unwrap();
    let columns = Columns::new(&message).unwrap();
    let mut batcher = Batcher::new(&columns);
    let error = batcher.push(b"\x08\x01\x12\x00").unwrap_err();
    assert_eq!(error.to_string(), "M.b: required field c has no value (at byte 4)");
    let error = batcher.push_at(b"\x08\x01\x12\x00", 100).unwrap_err();
    assert_eq!(error.to_string(), "M.b: required field c has no value (at byte 104)");
    // In two occurrences of its message.
    batcher.push(b"\x08\x01\x12\x00\x12\x03\x0a\x01c").unwrap();
    assert_eq!(batcher.finish().unwrap().unwrap().num_rows(), 1);
    let partial = Options::new().decode(DecodeOptions::new().partial(true)).columns(&message).unwrap();
    let batch = batch(&partial, &[b"\x12\x00", b"\x08\x05"]);
    assert_eq!(row(&batch, 0), serde_json::json!({"a": 0, "b": {"c": ""}}));
    assert_eq!(row(&batch, 1), serde_json::json!({"a": 5, "b": null}));
    assert_eq!(batch["a"].null_count(), 0);
}
