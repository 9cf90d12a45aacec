//! What descriptors can say and `.proto` source cannot.

use serde_json::{Map, Value, json};
use std::collections::HashSet;
use std::sync::LazyLock;
use tobu::descriptor::FileDescriptor;
use tobu::{DynamicMessage, FieldDescriptor, MessageDescriptor, Pool};

/// `descriptor.proto` as it is: that of an input may be another one.
static BASE: LazyLock<Pool> = LazyLock::new(|| {
    let mut pool = Pool::new();
    pool.add_file(tobu::types::files::DESCRIPTOR.encoded()).expect("descriptor.proto is valid");
    pool
});

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
    ("`allow_alias` where there are no aliases", "pools do not mind it; compilers refuse it"),
    (
        "options of another kind of element, or of another edition",
        "pools ask no option where it stands; the compiler asks each for its targets",
    ),
    (
        "entries of maps that are not named after their field, or are those of several",
        "source has maps without entries",
    ),
    ("imports of options before edition 2024", "the language has them from then on"),
    ("entries of maps in another order than their fields", "source has maps without entries"),
    ("an edition beside the syntax of proto2 or proto3", "it says nothing there"),
    (
        "names of files that are not relative paths",
        "a pool takes any name; compilers read nothing outside of their directories",
    ),
];

/// True if the compiler may say this of the printed source of a pool, for an [`UNPRINTED`] reason: it is asked of the pool,
/// line by line, whether that is what it cannot say.
pub fn is_not_source(pool: &Pool, error: &str) -> bool {
    error.lines().all(|line| is_refused(pool, line))
}

fn is_refused(pool: &Pool, line: &str) -> bool {
    if line.ends_with("is not a file name: it must be a relative path without `..`") {
        return pool.files().any(|file| line.contains(&format!("{:?} is not a file name", file.name())));
    }
    if line.contains("invalid UTF-8") {
        // Such a text has no JSON.
        return pool.files().any(|file| json_of(pool, &file).is_none());
    }
    let Some(file) = pool.files().find(|file| line.starts_with(&format!("{}:", file.name()))) else {
        return false;
    };
    let between = |before: &str, after: &str| {
        let (_, rest) = line.rsplit_once(before)?;
        rest.split_once(after).map(|(word, _)| word)
    };
    if let Some(declaring) = between(" is declared in ", ", which is not imported") {
        return pool.file(declaring).is_some() && !sees(&file, declaring);
    }
    if let Some((message, option)) =
        line.rsplit_once(": ").and_then(|(_, of)| of.split_once(" has no option "))
    {
        // That of a file of the pool, which tobu does not ask for the names of options.
        return pool.message(message).is_some_and(|message| message.field_by_name(option).is_none());
    }
    if line.ends_with("`import option` needs edition 2024 or later") {
        return json_of(pool, &file).is_none_or(|file| file.get("optionDependency").is_some());
    }
    if line.contains("already declared as") {
        return has_other_entries(pool);
    }
    if line.contains(": `allow_alias` ") {
        return file.all_enums().any(|it| it.options().encoded().contains(&0x10));
    }
    let rules = file.findings(pool, &BASE).errors;
    let mut rules = rules.iter().map(|rule| rule.to_string());
    rules.any(|rule| rule.strip_prefix(file.name()).is_some_and(|rule| line.ends_with(rule)))
}

/// True if a file may name what another one declares.
fn sees(file: &FileDescriptor, other: &str) -> bool {
    let mut pending: Vec<FileDescriptor> = file.dependencies().collect();
    let mut seen = HashSet::from([file.name().to_owned()]);
    while let Some(import) = pending.pop() {
        if seen.insert(import.name().to_owned()) {
            pending.extend(import.public_dependencies());
        }
    }
    seen.contains(other)
}

/// The descriptor of a file as JSON; `None` where that has none, because a text is not UTF-8.
pub fn json_of(pool: &Pool, file: &FileDescriptor) -> Option<Value> {
    let descriptor = BASE.message("google.protobuf.FileDescriptorProto")?;
    let message = DynamicMessage::decode(&descriptor, file.encoded()).ok()?;
    serde_json::from_str(&tobu::json::Options::new().pool(pool).to_string(&message).ok()?).ok()
}

/// True if the options of a pool have other numbers than those of `descriptor.proto`.
pub fn has_other_options(pool: &Pool) -> bool {
    let is_options = |message: &MessageDescriptor| message.name().ends_with("Options");
    BASE.messages().filter(is_options).any(|options| {
        let theirs = pool.message(options.full_name());
        theirs.is_some_and(|theirs| {
            theirs.fields().any(|field| {
                options.field_by_name(field.name()).is_none_or(|known| known.number() != field.number())
            })
        })
    })
}

/// True if entries of maps in a pool have names that source does not give them, or are those of no map or of several.
pub fn has_other_entries(pool: &Pool) -> bool {
    let source_name = |field: &FieldDescriptor| {
        let words = field.name().split('_').filter_map(|word| word.split_at_checked(1));
        let name: String = words.map(|(first, rest)| first.to_ascii_uppercase() + rest).collect();
        format!("{}.{name}Entry", field.message().full_name())
    };
    let fields = pool.messages().flat_map(|message| message.fields().collect::<Vec<_>>());
    let mut named = HashSet::new();
    for field in fields {
        let Some(key) = field.map_key() else { continue };
        let name = source_name(&field);
        if key.message().full_name() != name {
            return true;
        }
        named.insert(name);
    }
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

/// Puts the entries of maps behind other messages and sorts them: source does not have them.
pub fn sort_entries(message: &mut Map<String, Value>) {
    let Some(nested) = message.get_mut("nestedType").and_then(Value::as_array_mut) else { return };
    nested.sort_by_key(|nested| match nested["options"]["mapEntry"] == true {
        true => nested["name"].as_str().map(str::to_owned),
        false => None,
    });
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
