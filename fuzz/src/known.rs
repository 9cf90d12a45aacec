//! Where ways through the library differ, and why that is meant. Nothing else may.

use crate::subject::Subject;
use serde_json::{Map, Value, json};
use std::collections::HashSet;
use tobu::{Error, FieldDescriptor, MessageDescriptor, Pool};

/// A difference that the oracles let pass.
#[derive(Debug)]
pub struct Difference {
    /// Describes the difference.
    pub what: &'static str,
    /// Why it is meant.
    pub reason: &'static str,
    /// Whether it is this difference: the error of a type where a dynamic message has none, or another one.
    applies: fn(&Subject, &Error) -> bool,
}

/// Every difference between a Rust type and a dynamic message in accepting an input.
pub const DIFFERENCES: &[Difference] = &[
    Difference {
        what: "a string of proto2 that is not UTF-8 is accepted by dynamic messages, refused by types with `String`",
        reason: "proto2 does not ask strings to be UTF-8, Rust does; a type that must take them has bytes there",
        applies: |subject, error| {
            subject.is_loose()
                && (error.message().contains("UTF-8") || error.message().contains("a borrowed string"))
        },
    },
    Difference {
        what: "a type that borrows refuses strings with escapes in JSON and text, and bytes in JSON, which are base64",
        reason: "what they mean does not stand in the text",
        applies: |_, error| error.message().contains("expected a borrowed"),
    },
];

/// Fields not compared, because they are lost on purpose.
pub const LOST: &[(&str, &str)] = &[
    (
        "which error is named of an input with several",
        "dynamic messages look at map keys before their entry is whole, types after it; both name the right place",
    ),
    (
        "numbers of `NullValue` other than 0 in JSON",
        "every value of it is written as `null`, and `null` is 0",
    ),
    (
        "values in a tree that are defaults without presence",
        "a tree shows what came, encoding writes what is set",
    ),
    (
        "unknown fields in an `Any` that is printed as text with its message in it",
        "unknown fields are not printed unless that is asked for, within an `Any` neither",
    ),
    (
        "the limit of the stack for types with serde's own derive",
        "such a type is built on the machine's stack, whose use is limited on its own",
    ),
];

/// True if a type may reject input that a dynamic message accepts, or reject it for another reason.
pub fn is_known(subject: &Subject, error: &Error) -> bool {
    DIFFERENCES.iter().any(|difference| (difference.applies)(subject, error))
}

/// What descriptors can say and `.proto` source cannot, so that printed source is without it, or does not compile.
pub const UNPRINTED: &[(&str, &str)] = &[
    ("options that no import declares", "a comment with their number stands in their place"),
    ("options that are there and empty, but for those of methods", "the language has no way to write them"),
    (
        "fields of a oneof apart from each other, and oneofs in another order than their first fields",
        "source has a oneof once, with all of its fields",
    ),
    (
        "what breaks a rule for sources: the style of names, visibility, limits",
        "schemas that are linked already are taken as they are",
    ),
    (
        "options that an import of an import declares",
        "they are printed for people; compilers want the import itself",
    ),
    (
        "options of another kind of element, or of another edition",
        "pools ask no option where it stands; the compiler asks each for its targets",
    ),
    ("an edition beside the syntax of proto2 or proto3", "it says nothing there"),
    (
        "names of files that are no relative paths",
        "a pool takes any name; compilers read nothing outside of their directories",
    ),
];

/// What the compiler says of sources that are so for an [`UNPRINTED`] reason.
const REFUSED: &[&str] = &[
    "is not a file name",
    "which is not imported",
    "cannot be set on",
    "is not there before edition",
    "is not there from edition",
    "has no option",
    "invalid UTF-8",
];

/// True if these files cannot be written as source, for [`UNPRINTED`] reasons.
pub fn is_not_source(pool: &Pool, error: &str) -> bool {
    REFUSED.iter().any(|reason| error.contains(reason))
        || pool.files().any(|file| !file.broken_rules().is_empty())
}

/// True if the options of a pool have other numbers than those of `descriptor.proto`, which is `base`.
pub fn has_other_options(pool: &Pool, base: &Pool) -> bool {
    let is_options = |message: &MessageDescriptor| message.name().ends_with("Options");
    base.messages().filter(is_options).any(|options| {
        let theirs = pool.message(options.full_name());
        theirs.is_some_and(|theirs| {
            theirs.fields().any(|field| {
                options.field_by_name(field.name()).is_none_or(|known| known.number() != field.number())
            })
        })
    })
}

/// True if entries of maps in a pool have names that source does not give them, or are those of no map.
pub fn has_other_entries(pool: &Pool) -> bool {
    let entry_of = |field: FieldDescriptor| {
        let words = field.name().split('_').filter_map(|word| word.split_at_checked(1));
        let name: String = words.map(|(first, rest)| first.to_ascii_uppercase() + rest).collect();
        format!("{}.{name}Entry", field.message().full_name())
    };
    let maps = pool.messages().flat_map(|message| message.fields().collect::<Vec<_>>());
    let named: HashSet<String> = maps.filter(FieldDescriptor::is_map).map(entry_of).collect();
    pool.messages().any(|message| message.is_map_entry() && !named.contains(message.full_name()))
}

/// Takes out of the JSON of a descriptor what [`UNPRINTED`] names.
pub fn leave_out(value: &mut Value) {
    match value {
        Value::Object(object) => {
            if let Some(Value::Object(options)) = object.get_mut("options") {
                options.retain(|name, value| match name.as_str() {
                    "mapEntry" => *value != false,
                    "features" => value.as_object().is_none_or(|features| !features.is_empty()),
                    _ => true,
                });
            }
            // 1e300 is infinity there.
            if object.get("type").is_some_and(|ty| ty == "TYPE_FLOAT")
                && let Some(value) = object.get("defaultValue").and_then(Value::as_str)
                && let Ok(value) = value.parse::<f32>()
            {
                object.insert("defaultValue".into(), json!(value.to_string()));
            }
            if object.get("defaultValue").is_some_and(|value| value == "-0") && !is_real(object) {
                object.insert("defaultValue".into(), json!("0"));
            }
            // A value of an enum without a number has 0.
            let values = object.get_mut("value").and_then(Value::as_array_mut).into_iter().flatten();
            for value in values.filter_map(Value::as_object_mut) {
                value.entry("number").or_insert(json!(0));
            }
            // Methods alone have an input.
            let is_method = object.contains_key("inputType");
            if object
                .get("options")
                .is_some_and(|options| options.as_object().is_some_and(|it| it.is_empty()))
                && !is_method
            {
                object.remove("options");
            }
            object.values_mut().for_each(leave_out);
        }
        Value::Array(values) => values.iter_mut().for_each(leave_out),
        _ => {}
    }
}

/// True for a field with a sign of its zero.
fn is_real(field: &Map<String, Value>) -> bool {
    field.get("type").is_some_and(|ty| ty == "TYPE_DOUBLE" || ty == "TYPE_FLOAT" || ty == "TYPE_STRING")
}

/// Puts the fields of each oneof where its first one is, and oneofs into the order of these, as source has them.
pub fn gather_oneofs(message: &mut Map<String, Value>) {
    let (Some(Value::Array(fields)), Some(Value::Array(oneofs))) =
        (message.get("field").cloned(), message.get("oneofDecl").cloned())
    else {
        return;
    };
    let oneof_of = |field: &Value| field["oneofIndex"].as_u64();
    // Those that are written come before those that `optional` makes in proto3.
    let is_written = |field: &Value| field["proto3Optional"] != true;
    let mut order: Vec<u64> = Vec::new();
    for written in [true, false] {
        for oneof in fields.iter().filter(|field| is_written(field) == written).filter_map(oneof_of) {
            if !order.contains(&oneof) {
                order.push(oneof);
            }
        }
    }
    let mut gathered: Vec<Value> = Vec::new();
    for (at, field) in fields.iter().enumerate() {
        let oneof = oneof_of(field);
        if oneof.is_some() && fields[..at].iter().any(|before| oneof_of(before) == oneof) {
            continue;
        }
        let rest = fields[at + 1..].iter().filter(|other| oneof.is_some() && oneof_of(other) == oneof);
        gathered.extend(std::iter::once(field).chain(rest).cloned());
    }
    for field in &mut gathered {
        let index = oneof_of(field).and_then(|oneof| order.iter().position(|other| *other == oneof));
        if let Some(index) = index {
            field["oneofIndex"] = json!(index);
        }
    }
    let oneofs = order.iter().filter_map(|&oneof| oneofs.get(oneof as usize).cloned()).collect();
    message.insert("field".into(), Value::Array(gathered));
    message.insert("oneofDecl".into(), Value::Array(oneofs));
}

/// Source without comments and empty lines; a block that had nothing else is an empty one.
pub fn without_comments(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let line = line.split_once("  //").map_or(line, |(line, _)| line).trim_end();
        if line.is_empty() || line.trim_start().starts_with("//") {
            continue;
        }
        let is_empty_block = line.trim_start() == "}" && out.ends_with('{');
        if is_empty_block {
            out.push('}');
            continue;
        }
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(line);
    }
    out
}
