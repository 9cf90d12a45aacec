//! Random messages of random schemas: columns have what decoded messages have, and become the same messages again.

use crate::entropy::{self, Entropy};
use crate::schema::{self, Style, Syntax};
use crate::support::{check, row};
use crate::tree;
use crate::wire::{self, Form};
use arrow_array::RecordBatch;
use arrow_schema::{DataType, Field};

use proptest::collection::vec;
use proptest::prelude::*;
use tobu::prelude::*;
use tobu::{DynamicMessage, MessageDescriptor, Pool};
use tobu_arrow::{Batcher, Columns, Enums, Messages, Oneofs, Options, Texts};

const LEVELS: usize = 2;
/// What columns do not hold, though messages do.
const REFUSED: [&str; 5] =
    ["not UTF-8", "are no ", "64 bits do not hold ", "has no form in JSON", "JSON has no number"];

fn config(quick: u32) -> ProptestConfig {
    let asked = ProptestConfig::default();
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { asked.cases } else { quick };
    ProptestConfig { cases, failure_persistence: None, ..asked }
}

fn entropy(most: usize) -> impl Strategy<Value = Vec<u8>> {
    vec(any::<u8>(), 0..most)
}

proptest! {
    #![proptest_config(config(600))]

    /// Several messages of one schema, written in any way, some of them garbled, in one batch.
    #[test]
    fn random_batches(
        schema in entropy(120),
        choices in entropy(8),
        messages in vec((entropy(200), entropy(200), entropy(6)), 1..6),
    ) {
        let mut choices = Entropy::new(&choices);
        let descriptor = random_schema(&schema, &mut choices);
        let columns = random_columns(&descriptor, &mut choices);
        let has_raw = columns.schema().fields().iter().any(|field| has_raw(field));
        let mut batcher = Batcher::new(&columns);
        let mut pushed = Vec::new();
        for (content, form, damage) in &messages {
            let tree = tree::message(&descriptor, &mut Entropy::new(content), 4);
            let mut bytes = wire::encode(&descriptor, &tree, &mut Form::Scrambled(Entropy::new(form)));
            entropy::tamper(&mut bytes, damage);
            let decoded = DynamicMessage::decode(&descriptor, &bytes);
            match (batcher.push(&bytes), decoded) {
                (Ok(full), Ok(decoded)) => {
                    prop_assert!(full.is_none());
                    pushed.push(decoded);
                }
                (Err(error), Err(expected)) => {
                    let is_own = REFUSED.iter().any(|text| error.message().contains(text));
                    let is_equal = error.to_string() == expected.to_string();
                    prop_assert!(has_raw || is_own || is_equal, "{} {}", error, expected);
                }
                // What is in a message that is bytes is not looked at.
                (Ok(_), Err(_)) if has_raw => return Ok(()),
                // A column holds no text that is not UTF-8, and no time that is none.
                (Err(error), Ok(_)) if REFUSED.iter().any(|text| error.message().contains(text)) => {}
                (pushed, decoded) => panic!("{pushed:?} {:?} of {bytes:02x?}", decoded.map(drop)),
            }
        }
        prop_assert_eq!(batcher.len(), pushed.len());
        let Some(batch) = batcher.finish().unwrap() else { return Ok(()) };
        content(&batch, &pushed);
        again(&batch, &descriptor);
    }
}

fn content(batch: &RecordBatch, pushed: &[DynamicMessage]) {
    assert_eq!(batch.num_rows(), pushed.len());
    for (index, message) in pushed.iter().enumerate() {
        check(message, &row(batch, index), LEVELS);
    }
}

/// Messages that are made of the rows have what is in the rows.
fn again(batch: &RecordBatch, descriptor: &MessageDescriptor) {
    let encoded = Messages::new(descriptor).encode(batch).unwrap();
    assert_eq!(encoded.len(), batch.num_rows());
    for (index, bytes) in encoded.iter().enumerate() {
        let message = DynamicMessage::decode(descriptor, bytes).unwrap();
        assert!(message.unknown_fields().is_empty());
        check(&message, &row(batch, index), LEVELS);
    }
}

fn random_schema(bytes: &[u8], choices: &mut Entropy<'_>) -> MessageDescriptor {
    let syntax = [Syntax::Edition2023, Syntax::Proto3, Syntax::Proto2][choices.below(3)];
    let style = Style { package: "random", syntax, rich: choices.chance(2) };
    let file = schema::file(style, &mut Entropy::new(bytes));
    let mut pool = known();
    pool.add_file(&file).unwrap();
    pool.message("random.M0").unwrap()
}

/// A pool of the well-known types.
fn known() -> Pool {
    let files = ["any", "duration", "empty", "field_mask", "struct", "timestamp", "wrappers"];
    let imports = files.map(|file| format!("import \"google/protobuf/{file}.proto\";")).concat();
    Pool::from_sources(&[("imports.proto", format!("syntax = \"proto3\"; {imports}"))]).unwrap()
}

fn random_columns(descriptor: &MessageDescriptor, choices: &mut Entropy<'_>) -> Columns {
    let options = Options::new()
        .recursion(LEVELS)
        .enums([Enums::Dictionary, Enums::Text, Enums::Number][choices.below(3)])
        .oneofs([Oneofs::Columns, Oneofs::Union][choices.below(2)])
        .texts([Texts::Plain, Texts::Views][choices.below(2)]);
    options.columns(descriptor).unwrap()
}

/// True for a column with messages as bytes.
fn has_raw(field: &Field) -> bool {
    let names_message = field.metadata().get("protobuf.type").is_some_and(|ty| ty.starts_with("random."));
    match field.data_type() {
        DataType::Binary | DataType::BinaryView => {
            names_message || field.metadata().get("protobuf.type").is_some_and(|ty| ty == "group")
        }
        DataType::List(item) => has_raw(item),
        DataType::Struct(fields) => fields.iter().any(|field| has_raw(field)),
        DataType::Map(entries, _) => has_raw(entries),
        DataType::Union(fields, _) => fields.iter().any(|(_, field)| has_raw(field)),
        _ => false,
    }
}
