//! Batches become messages, and say why where they cannot.

use crate::support::{KINDS, batch, kinds, pool};
use arrow_array::builder::{Int32Builder, ListBuilder};
use arrow_array::*;
use arrow_schema::{DataType, Field, TimeUnit};
use std::sync::Arc;
use tobu_arrow::{Columns, Enums, Messages, Oneofs, Options, Texts};

/// Messages as writers write them.
const MESSAGES: &[&[u8]] = &[
    b"",
    b"\x0a\x01a\x10\x03\x18\x00",
    b"\x22\x09\x0a\x01a\x12\x04\0\0\x80\x3f\x22\x02\x1a\x00\x22\x00",
    b"\x2a\x08\x0a\x01k\x12\x03\x0a\x01v",
    b"\x35\0\0\0\0",
    b"\x3a\x00",
    b"\x42\x02\x1a\x00",
    b"\x4a\x03\x01\x02\x05\x52\x03\x07\x00\x09",
    b"\x5b\x0a\x01g\x5c",
    b"\x62\x04\x08\x02\x10\x05",
    b"\x6a\x16\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x10\xfb\xff\xff\xff\xff\xff\xff\xff\xff\x01",
    b"\x72\x02\x08\x07\x7a\x00",
    b"\x82\x01\x0b\x0a\x09\x0a\x01a\x12\x04\x1a\x02\x78\x79",
    b"\x8a\x01\x02\x08\x01\x8a\x01\x00",
    b"\x92\x01\x01\xff\x98\x01\x07\xa2\x01\x01l",
    b"\xaa\x01\x0b\x08\x01\x11\0\0\0\0\0\0\xf0\x3f\xb0\x01\x01",
];

#[test]
fn there_and_back() {
    for (enums, oneofs, texts) in [
        (Enums::Dictionary, Oneofs::Columns, Texts::Plain),
        (Enums::Number, Oneofs::Union, Texts::Views),
        (Enums::Text, Oneofs::Union, Texts::Plain),
    ] {
        let options = Options::new().enums(enums).oneofs(oneofs).texts(texts);
        let columns = options.columns(&kinds()).unwrap();
        let batch = batch(&columns, MESSAGES);
        let messages = Messages::new(&kinds());
        assert_eq!(messages.encode(&batch).unwrap(), MESSAGES);
        let mut file = Vec::new();
        messages.encode_delimited(&batch, &mut file).unwrap();
        let expected: Vec<u8> =
            MESSAGES.iter().flat_map(|message| [&[message.len() as u8], *message].concat()).collect();
        assert_eq!(file, expected);
        // A part of a batch.
        assert_eq!(messages.encode(&batch.slice(3, 4)).unwrap(), MESSAGES[3..7]);
    }
}

#[test]
fn extensions_and_columns_of_other_types() {
    let pool = pool(KINDS);
    let root = pool.message("kinds.Root").unwrap();
    let columns = Options::new().fields(&["[kinds.note]"]).pool(&pool).columns(&root).unwrap();
    let batch = batch(&columns, &[b"\xa2\x06\x01n"]);
    assert_eq!(Messages::with_pool(&root, &pool).encode(&batch).unwrap(), [&b"\xa2\x06\x01n"[..]]);
    let error = Messages::new(&root).encode(&batch).unwrap_err();
    assert_eq!(error.to_string(), "kinds.Root: kinds.Root has no field \"[kinds.note]\"");
    let keys = Int32Array::from(vec![1, 0]);
    let names = DictionaryArray::new(keys, Arc::new(StringArray::from(vec!["a", "b"])));
    let numbers =
        LargeListArray::from_iter_primitive::<types::Int64Type, _, _>([Some([Some(-1)]), Some([Some(1)])]);
    let batch = RecordBatch::try_from_iter([
        ("name", Arc::new(names) as ArrayRef),
        ("numbers", Arc::new(numbers)),
        ("blob", Arc::new(LargeStringArray::from(vec!["x", "y"]))),
    ]);
    let encoded = Messages::new(&root).encode(&batch.unwrap()).unwrap();
    assert_eq!(encoded, [&b"\x0a\x01b\x4a\x01\x01\x92\x01\x01x"[..], b"\x0a\x01a\x4a\x01\x02\x92\x01\x01y"]);
}

#[test]
fn rows_that_are_no_messages() {
    let (source, message) = (
        r#"syntax = "proto2"; message M { required int32 a = 1; optional E e = 2; repeated int32 list = 3;
            oneof one { int32 x = 4; int32 y = 5; } map<string, M2> map = 6; optional M2 sub = 7; }
            message M2 { required int32 a = 1; } enum E { A = 1; B = 2; }"#,
        "M",
    );
    let messages = Messages::new(&pool(source).message(message).unwrap());
    let int = |values: Vec<Option<i32>>| Arc::new(Int32Array::from(values)) as ArrayRef;
    let a = ("a", int(vec![Some(1), Some(2)]));
    let mut nulls = ListBuilder::new(Int32Builder::new());
    nulls.append_value([Some(1), None]);
    nulls.append_value([]);
    let sub =
        StructArray::from(vec![(Arc::new(Field::new("a", DataType::Int32, true)), int(vec![Some(1), None]))]);
    let rows: [(Vec<(&str, ArrayRef)>, &str); 10] = [
        (vec![("x", int(vec![Some(1), None]))], "M.a: the required field has no column"),
        (vec![("a", int(vec![Some(1), None]))], "M[1]: required field a has no value"),
        (vec![("b", int(vec![Some(1), None]))], "M: M has no field \"b\""),
        (
            vec![("a", Arc::new(Int64Array::from(vec![1, 2])))],
            "M.a: the field is int32, but the column is Int64",
        ),
        (vec![a.clone(), ("e", int(vec![Some(1), Some(3)]))], "M.e: the enum E has no value 3"),
        (
            vec![a.clone(), ("e", Arc::new(StringArray::from(vec!["A", "C"])))],
            "M.e: the enum E has no value \"C\"",
        ),
        (vec![a.clone(), ("list", Arc::new(nulls.finish()))], "M.list: a list of protobuf has no nulls"),
        (
            vec![a.clone(), ("list", int(vec![None, None]))],
            "M.list: the field is a list of int32, but the column is Int32",
        ),
        (
            vec![a.clone(), ("x", int(vec![Some(1), None])), ("y", int(vec![Some(1), None]))],
            "M[0].y: the oneof one has a value already",
        ),
        (vec![a.clone(), ("sub", Arc::new(sub))], "M[1].sub: required field a has no value"),
    ];
    for (columns, expected) in rows {
        let batch = RecordBatch::try_from_iter_with_nullable(
            columns.into_iter().map(|(name, array)| (name, array, true)),
        );
        assert_eq!(messages.encode(&batch.unwrap()).unwrap_err().to_string(), expected);
    }
    let json = Messages::new(&kinds());
    let batch = RecordBatch::try_from_iter([("labels", Arc::new(StringArray::from(vec!["{"])) as ArrayRef)]);
    let error = json.encode(&batch.unwrap()).unwrap_err().to_string();
    let expected =
        "google.protobuf.Struct.fields: expected a key in quotes, but the input ends (at line 1 column 2)";
    assert_eq!(error, format!("kinds.Root[0].labels: {expected}"));
}

#[test]
fn times_of_each_unit() {
    let messages = Messages::new(&kinds());
    for (unit, value, expected) in [
        (TimeUnit::Second, 3, &b"\x62\x02\x08\x03"[..]),
        (TimeUnit::Millisecond, 3_001, b"\x62\x06\x08\x03\x10\xc0\x84\x3d"),
        (TimeUnit::Microsecond, 3_000_001, b"\x62\x05\x08\x03\x10\xe8\x07"),
        (TimeUnit::Nanosecond, 3_000_000_001, b"\x62\x04\x08\x03\x10\x01"),
    ] {
        let columns = Options::new().fields(&["at"]).time_unit(unit).columns(&kinds()).unwrap();
        let times = Int64Array::from(vec![value]).reinterpret_cast::<types::Int64Type>();
        let times = arrow_array::make_array(
            times
                .into_data()
                .into_builder()
                .data_type(columns.schema().field(0).data_type().clone())
                .build()
                .unwrap(),
        );
        let batch = RecordBatch::try_new(columns.schema(), vec![times]).unwrap();
        assert_eq!(messages.encode(&batch).unwrap(), [expected]);
    }
    // Before 1970 the nanoseconds count upwards.
    let columns = Columns::new(&kinds()).unwrap();
    let before: &[u8] = b"\x62\x11\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x10\xff\x93\xeb\xdc\x03";
    assert_eq!(messages.encode(&batch(&columns, &[before])).unwrap(), [before]);
}
