//! Schemas of Arrow as descriptors.

use crate::support::{batch, kinds};
use arrow_schema::{DataType, Field, Schema};
use std::sync::Arc;
use tobu::descriptor::find_breaking;
use tobu_arrow::{Enums, Messages, Oneofs, Options, descriptor};

#[test]
fn the_schema_of_a_message_is_a_message_with_its_wire_format() {
    let bytes: &[u8] =
        b"\x0a\x01a\x10\x03\x22\x09\x0a\x01a\x12\x04\0\0\x80\x3f\x2a\x08\x0a\x01k\x12\x03\x0a\x01v\x3a\x01w\
\x52\x02\x07\x01\x5b\x0a\x01g\x5c\x62\x04\x08\x02\x10\x05\x72\x02\x08\x07\x98\x01\x07";
    for oneofs in [Oneofs::Columns, Oneofs::Union] {
        for enums in [Enums::Dictionary, Enums::Text, Enums::Number] {
            let columns = Options::new().oneofs(oneofs).enums(enums).columns(&kinds()).unwrap();
            let made = descriptor(&columns.schema(), "made.v1.Root").unwrap();
            // A closed and a delimited field are the same, too.
            assert_eq!(find_breaking(&kinds(), &made), None);
            let batch = batch(&columns, &[bytes]);
            assert_eq!(Messages::new(&made).encode(&batch).unwrap(), [bytes]);
            let again = Options::new().oneofs(oneofs).enums(enums).columns(&made).unwrap();
            let types = |schema: &Schema| -> Vec<DataType> {
                schema.fields().iter().map(|field| strip(field.data_type())).collect()
            };
            assert_eq!(types(&again.schema()), types(&columns.schema()));
        }
    }
}

/// Without metadata.
fn strip(ty: &DataType) -> DataType {
    let field = |field: &Arc<Field>| {
        Arc::new(Field::new(field.name(), strip(field.data_type()), field.is_nullable()))
    };
    match ty {
        DataType::List(item) => DataType::List(field(item)),
        DataType::Map(entries, sorted) => DataType::Map(field(entries), *sorted),
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(field).collect()),
        DataType::Union(fields, mode) => {
            DataType::Union(fields.iter().map(|(id, member)| (id, field(member))).collect(), *mode)
        }
        other => other.clone(),
    }
}

#[test]
fn a_schema_that_says_nothing_of_protobuf() {
    let list = DataType::List(Arc::new(Field::new("item", DataType::Utf8, true)));
    let inner = DataType::Struct(vec![Field::new("x", DataType::Float64, false)].into());
    let names = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    let schema = Schema::new(vec![
        Field::new("id", DataType::Int64, false),
        Field::new("tags", list, true),
        Field::new("point", inner, true),
        Field::new("name", names, true),
        Field::new("at", DataType::Timestamp(arrow_schema::TimeUnit::Second, None), true),
    ]);
    let made = descriptor(&schema, "Row").unwrap();
    let expected = r#"edition = "2023";

import "google/protobuf/timestamp.proto";

message Row {
  int64 id = 1 [features.field_presence = IMPLICIT];
  repeated string tags = 2;
  Row.Point_ point = 3;
  string name = 4;
  google.protobuf.Timestamp at = 5;
  message Point_ {
    double x = 1 [features.field_presence = IMPLICIT];
  }
}
"#;
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(plain(&made.file().to_proto_text().unwrap()), plain(expected));
}

#[test]
fn schemas_that_are_no_messages() {
    let nested = DataType::List(Arc::new(Field::new(
        "item",
        DataType::List(Arc::new(Field::new("item", DataType::Utf8, true))),
        true,
    )));
    let rows = [
        (
            vec![Field::new("a", DataType::Date32, true)],
            "M",
            "a: no field has the type Date32: cast the column",
        ),
        (vec![Field::new("a", nested, true)], "M", "a: a list of lists cannot be a field"),
        (vec![Field::new("a b", DataType::Utf8, true)], "M", "M.proto: M: \"a b\" is not a name for a field"),
        (vec![], "a..M", "a//M.proto: \"a.\" is not a package name"),
    ];
    for (fields, name, expected) in rows {
        let error = descriptor(&Schema::new(fields), name).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
}
