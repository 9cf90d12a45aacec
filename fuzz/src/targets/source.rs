//! `.proto` source: printed from any descriptors, and written by anybody.

use crate::counting;
use crate::generate::{self, Choices};
use crate::known::source as known;
use crate::mutate::{BUILT, Syntax};
use crate::rng::Rng;
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use tobu::Pool;
use tobu::descriptor::{ExtensionDescriptor, FieldDescriptor, FileDescriptor, MessageDescriptor};
use tobu_build::load_sources;

/// The sources of tests: every construct of the language.
const SOURCES: &[&str] = &[
    include_str!("../../../tests/descriptor_print/legacy.proto"),
    include_str!("../../../tests/descriptor_print/modern.proto"),
    include_str!("../../../tests/schemas/proto/corpus/corpus2.proto"),
    include_str!("../../../tests/schemas/proto/json/sets.proto"),
    include_str!("../../../tobu-build/tests/golden/comments.proto"),
    include_str!("../../../tobu-build/tests/golden/edition_2024.proto"),
    include_str!("../../../tobu-build/tests/golden/edition_2026.proto"),
    include_str!("../../../tobu-build/tests/golden/editions.proto"),
    include_str!("../../../tobu-build/tests/golden/extensions.proto"),
    include_str!("../../../tobu-build/tests/golden/names.proto"),
    include_str!("../../../tobu-build/tests/golden/proto2.proto"),
    include_str!("../../../tobu-build/tests/golden/services.proto"),
];

/// What they import.
const IMPORTED: &[(&str, &str)] = &[
    ("b.proto", include_str!("../../../tobu-build/tests/golden/b.proto")),
    ("external.proto", include_str!("../../../tobu-build/tests/golden/external.proto")),
    ("legacy.proto", include_str!("../../../tests/descriptor_print/legacy.proto")),
    ("names_package.proto", include_str!("../../../tobu-build/tests/golden/names_package.proto")),
    ("names_root.proto", include_str!("../../../tobu-build/tests/golden/names_root.proto")),
    ("names_same.proto", include_str!("../../../tobu-build/tests/golden/names_same.proto")),
    ("services_root.proto", include_str!("../../../tobu-build/tests/golden/services_root.proto")),
];

/// The name of a hostile source.
const NAME: &str = "a.proto";

/// A source, or choices for one of a random schema.
pub(super) fn seed(rng: &mut Rng) -> Vec<u8> {
    let kind = rng.next() as u8;
    let rest = match kind & BUILT {
        0 => rng.pick(SOURCES).as_bytes().to_vec(),
        _ => generate::choices(rng),
    };
    [&[kind][..], &rest].concat()
}

/// The source of an input: the bytes after its first one, or that of a random schema with damage.
fn source_of(data: &[u8]) -> Option<Cow<'_, [u8]>> {
    let (&kind, rest) = data.split_first()?;
    if kind & BUILT == 0 {
        return Some(rest.into());
    }
    let choices = Choices::of(rest);
    let mut source = choices.source().into_bytes();
    choices.hurt(&mut source, Syntax::Proto);
    Some(source.into())
}

/// A source is refused with a position, or prints as source that means the same.
pub(super) fn source(data: &[u8]) {
    let Some(source) = source_of(data) else { return };
    let Ok(source) = std::str::from_utf8(&source) else { return };
    let imported = IMPORTED.iter().copied().filter(|(name, _)| source.contains(name));
    let sources: Vec<_> = std::iter::once((NAME, source)).chain(imported).collect();
    let (held, loaded) = counting::peak(|| load_sources(&sources));
    // Tokens, the tree, the descriptor with its positions, and two pools; besides the descriptors of what is imported.
    let most = 512 * source.len() + (8 << 20);
    assert!(held <= most, "{held} bytes for a source of {}", source.len());
    match loaded {
        Ok(pool) => reads_back(&pool),
        Err(error) => {
            let error = error.to_string();
            for line in error.lines() {
                assert!(is_placed(line), "no position: {line:?}");
            }
        }
    }
}

/// `a.proto:LINE:COLUMN: ` and why.
fn is_placed(error: &str) -> bool {
    let mut parts = error.splitn(4, ':');
    let mut part = || parts.next().unwrap_or_default();
    let is_number = |part: &str| part.parse::<u32>().is_ok_and(|number| number > 0);
    part() == NAME && is_number(part()) && is_number(part()) && part().starts_with(' ')
}

/// Files print as source, which compiles to the same descriptors and prints alike.
pub(super) fn reads_back(pool: &Pool) {
    let printed = |pool: &Pool| {
        let files = pool.files().map(|file| (file.name().to_owned(), file.to_proto_text()));
        files.map(|(name, text)| (name, text.expect("a linked file can be printed"))).collect::<Vec<_>>()
    };
    let sources = printed(pool);
    let again = match load_sources(&sources) {
        Ok(again) => again,
        Err(error) => {
            let error = error.to_string();
            assert!(
                known::is_not_source(pool, &error),
                "the printed source does not compile: {error}\n{}",
                shown(&sources)
            );
            return;
        }
    };
    if known::has_other_options(pool) || known::has_other_entries(pool) {
        return;
    }
    for file in pool.files() {
        let other = again.file(file.name()).expect("each file has its source");
        let (Some(one), Some(two)) = (content(pool, &file), content(&again, &other)) else { continue };
        assert!(one == two, "compiled again, it is\n{two}\nand not\n{one}\n{}", shown(&sources));
    }
    let texts = printed(&again);
    if plain(&texts) != plain(&sources) {
        // Options may have come in another order than that of their numbers: but once.
        let third = load_sources(&texts).expect("what was compiled and printed compiles");
        let (texts, last) = (plain(&texts), plain(&printed(&third)));
        assert!(texts == last, "printed again, it is\n{}\nand not\n{}", shown(&last), shown(&texts));
    }
}

/// Sources by name, without comments: these are those of the files, and where they stand is not kept.
fn plain(sources: &[(String, String)]) -> Vec<(String, String)> {
    let plain = sources.iter().map(|(name, text)| (name.clone(), known::without_comments(text)));
    let mut plain: Vec<_> = plain.collect();
    plain.sort();
    plain
}

fn shown(sources: &[(String, String)]) -> String {
    sources.iter().map(|(name, text)| format!("--- {name}\n{text}")).collect()
}

/// What a file says: its descriptor as JSON, with all that may be left out, and without comments.
///
/// `None` where that has no JSON, because a text is not UTF-8.
fn content(pool: &Pool, file: &FileDescriptor) -> Option<Value> {
    let Value::Object(mut value) = known::json_of(pool, file)? else { return None };
    value.remove("sourceCodeInfo");
    if value.get("syntax").is_none_or(|syntax| syntax != "editions") {
        value.remove("edition");
    }
    if value.get("syntax").is_some_and(|syntax| syntax == "proto2" || syntax == "") {
        value.remove("syntax");
    }
    if value.get("package").is_some_and(|package| package == "") {
        value.remove("package");
    }
    for (message, linked) in objects(&mut value, "messageType").zip(file.messages()) {
        of_message(message, &linked);
    }
    for (extension, linked) in objects(&mut value, "extension").zip(file.extensions()) {
        of_extension(extension, &linked);
    }
    for (service, linked) in objects(&mut value, "service").zip(file.services()) {
        for (method, linked) in objects(service, "method").zip(linked.methods()) {
            method.insert("inputType".into(), json!(format!(".{}", linked.input().full_name())));
            method.insert("outputType".into(), json!(format!(".{}", linked.output().full_name())));
        }
    }
    let mut value = Value::Object(value);
    known::leave_out(&mut value);
    Some(value)
}

/// The elements of a list in an object.
fn objects<'v>(
    object: &'v mut Map<String, Value>,
    name: &str,
) -> impl Iterator<Item = &'v mut Map<String, Value>> {
    object.get_mut(name).and_then(Value::as_array_mut).into_iter().flatten().filter_map(Value::as_object_mut)
}

fn of_message(message: &mut Map<String, Value>, linked: &MessageDescriptor) {
    for (field, linked) in objects(message, "field").zip(linked.fields()) {
        of_field(field, &linked);
    }
    for (extension, linked) in objects(message, "extension").zip(linked.extensions()) {
        of_extension(extension, &linked);
    }
    for (nested, linked) in objects(message, "nestedType").zip(linked.messages()) {
        of_message(nested, &linked);
    }
    known::gather_oneofs(message);
    known::sort_entries(message);
}

fn of_extension(field: &mut Map<String, Value>, linked: &ExtensionDescriptor) {
    field.insert("extendee".into(), json!(format!(".{}", linked.extendee().full_name())));
    of_field(field, linked.field());
}

fn of_field(field: &mut Map<String, Value>, linked: &FieldDescriptor) {
    let message = linked.message_type().map(|message| (message.full_name().to_owned(), "TYPE_MESSAGE"));
    let named = message.or_else(|| Some((linked.enum_type()?.full_name().to_owned(), "TYPE_ENUM")));
    if let Some((name, ty)) = named {
        field.insert("typeName".into(), json!(format!(".{name}")));
        field.entry("type").or_insert(json!(ty));
    }
    field.entry("label").or_insert(json!("LABEL_OPTIONAL"));
    // Those of an entry of a map are not written.
    if linked.message().is_map_entry() {
        field.remove("jsonName");
    } else {
        field.insert("jsonName".into(), json!(linked.json_name()));
    }
}
