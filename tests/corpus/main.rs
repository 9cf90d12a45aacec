//! Every row of `tests/corpus/*.toml` through every path: derived, derived by serde, generated, with private members, with
//! lazy fields, parsed, dynamic, a tree of values over the run-time schema, and converted between formats. A row is wire bytes, or
//! text of the text format, and the exact results.

mod converted;
mod pooled;
mod types;

use converted::{has_unknown_fields, json_to_text, text_to_json, text_to_wire, wire_to_json, wire_to_text};
use serde::Deserialize;
use std::collections::HashMap;
use std::fmt::Write;
use tobu::parsed::Parse;
use tobu::{
    DecodeOptions, DynamicMessage, EncodeOptions, Error, Message, MessageDescriptorExt, Parsed, convert, text,
};
use tobu_schemas::read::{Reread, reread_parsed};
use types::{derived, plain};

/// One behaviour.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    /// A description of the test.
    name: String,
    /// The message, without `corpus.`.
    r#type: String,
    /// Hexadecimal digits, quoted text in single quotes, and spaces.
    wire: String,
    /// The bytes after a round trip, if they change.
    canonical: Option<String>,
    /// The content of the message, as a tree over the run-time schema; absent if a tree cannot
    /// represent it.
    value: Option<serde_json::Value>,
    /// The message in the text format, with its unknown fields.
    text: Option<String>,
    /// The same of the derived types, whose groups are not declared in their message and so have the names of fields.
    derived_text: Option<String>,
    /// The wire bytes of that text, if not `canonical`: the text loses the types of some unknown fields.
    text_wire: Option<String>,
    /// The error, where that text is refused: unknown fields have numbers of fields that the schema knows.
    text_error: Option<String>,
    /// The error, where the bytes are refused; `corpus.` before names is understood.
    error: Option<String>,
    /// Paths that have no such type, or where the outcome differs, with the reason.
    #[serde(default)]
    skip: HashMap<String, String>,
}

impl Row {
    /// The text by a path.
    fn text_of(&self, path: &str) -> Option<&str> {
        let derived = self.derived_text.as_deref().filter(|_| !path.starts_with("generated"));
        derived.or(self.text.as_deref())
    }
}

/// Text of the text format, as people write it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    name: String,
    r#type: String,
    text: String,
    /// Its wire bytes.
    wire: Option<String>,
    /// The error, where it is refused.
    error: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Corpus {
    #[serde(default)]
    row: Vec<Row>,
    #[serde(default)]
    input: Vec<Input>,
}

/// Decodes and encodes again, with map keys in order.
type RoundTrip = fn(&[u8]) -> Result<Vec<u8>, Error>;

/// The operations of one path on a message.
struct Path {
    name: &'static str,
    round_trip: RoundTrip,
    to_text: RoundTrip,
    from_text: RoundTrip,
}

fn text_options() -> text::Options {
    text::Options::new().one_line(true).unknown_fields(true)
}

fn to_text<T: Message + serde::de::DeserializeOwned + serde::Serialize>(
    wire: &[u8],
) -> Result<Vec<u8>, Error> {
    text_options().to_vec(&tobu::from_slice::<T>(wire)?)
}

fn from_text<T: Message + serde::de::DeserializeOwned + serde::Serialize>(
    text: &[u8],
) -> Result<Vec<u8>, Error> {
    let message = text_options().from_slice::<T>(text)?;
    EncodeOptions::new().deterministic(true).to_vec(&message)
}

/// Into a message that is there: the text is merged into an empty one, and again into the same, which must not fail.
fn merge_text<T>(text: &[u8]) -> Result<Vec<u8>, Error>
where
    T: Message + serde::Serialize + for<'de> tobu::Merge<'de> + Default,
{
    let mut message = T::default();
    let text = std::str::from_utf8(text).expect("the rows are UTF-8");
    text_options().merge(&mut message, text)?;
    // Required fields are checked when it is encoded.
    let bytes = EncodeOptions::new().deterministic(true).to_vec(&message);
    text_options().merge(&mut message, text)?;
    bytes
}

/// The same through the descriptor. Required fields are not checked then, but by parsing.
fn merge_text_reflected<T>(text: &[u8]) -> Result<Vec<u8>, Error>
where
    T: Message + serde::Serialize + serde::de::DeserializeOwned + Default,
{
    let mut message = T::default();
    let text = std::str::from_utf8(text).expect("the rows are UTF-8");
    message.as_reflect_mut().merge_text(text, &text_options())?;
    text_options().from_str::<T>(text)?;
    EncodeOptions::new().deterministic(true).to_vec(&message)
}

/// Merged into an empty message through its descriptor. Required fields are not checked then, but by decoding.
fn round_trip_reflected<T>(wire: &[u8]) -> Result<Vec<u8>, Error>
where
    T: Message + serde::Serialize + serde::de::DeserializeOwned + Default,
{
    let mut message = T::default();
    message.as_reflect_mut().merge(wire)?;
    tobu::from_slice::<T>(wire)?;
    EncodeOptions::new().deterministic(true).to_vec(&message)
}

fn round_trip<T: Message + serde::de::DeserializeOwned + serde::Serialize>(
    wire: &[u8],
) -> Result<Vec<u8>, Error> {
    let message = DecodeOptions::new().from_slice::<T>(wire)?;
    let bytes = EncodeOptions::new().deterministic(true).to_vec(&message)?;
    assert_eq!(
        EncodeOptions::new().encoded_len(&message)?,
        bytes.len(),
        "the counted length is the written one"
    );
    Ok(bytes)
}

/// The same, into a message that is not empty, and merged in two slices if possible.
fn round_trip_in_place<T>(wire: &[u8]) -> Result<Vec<u8>, Error>
where
    T: Message + serde::de::DeserializeOwned + serde::Serialize + for<'de> tobu::Merge<'de> + Default,
{
    let mut message = T::default();
    // The old content of the message must not show.
    let _ = tobu::merge(&mut message, wire);
    tobu::from_slice_in_place(&mut message, wire)?;
    EncodeOptions::new().deterministic(true).to_vec(&message)
}

/// The same of a parsed message, through the struct as well.
fn round_trip_parsed<T>(wire: &[u8]) -> Result<Vec<u8>, Error>
where
    T: Message + serde::Serialize + serde::de::DeserializeOwned,
{
    let options = EncodeOptions::new().deterministic(true);
    let message = Parsed::<T>::decode(wire)?;
    let bytes = options.to_vec(&message)?;
    let shared = Parsed::<T>::decode_bytes(wire.to_vec().into())?;
    assert_eq!(options.to_vec(&shared.untyped())?, bytes);
    assert_eq!(options.encoded_len(&message)?, bytes.len());
    let again = Parsed::from_message(&message.to_message()?)?;
    assert_eq!(options.to_vec(&again)?, bytes);
    Ok(bytes)
}

/// The same, and once more of what the accessors give.
fn round_trip_accessors<T>(wire: &[u8]) -> Result<Vec<u8>, Error>
where
    T: Parse + serde::Serialize + serde::de::DeserializeOwned,
    for<'a> T::Ref<'a>: Reread,
{
    let bytes = round_trip_parsed::<T>(wire)?;
    let message = Parsed::<T>::decode(wire)?;
    // A field without presence that is set to its default is written by neither.
    let accessed = reread_parsed(&message).encode_with(EncodeOptions::new().deterministic(true))?;
    assert_eq!(accessed, bytes, "what the accessors give");
    Ok(bytes)
}

fn parsed_to_text<T: Message>(wire: &[u8]) -> Result<Vec<u8>, Error> {
    text_options().to_vec(&Parsed::<T>::decode(wire)?)
}

fn text_to_parsed<T: Message>(text: &[u8]) -> Result<Vec<u8>, Error> {
    let message = Parsed::<T>::from_text_with(text, &text_options())?;
    EncodeOptions::new().deterministic(true).to_vec(&message)
}

macro_rules! paths {
    ($($name:literal => $($derived:ident)::+, $($generated:ident)::+;)*) => {
        fn paths(message: &str) -> Vec<Path> {
            macro_rules! path {
                ($path:literal, $round_trip:ident, $from_text:ident, $ty:ty) => {
                    path!($path, $round_trip, to_text, $from_text, $ty)
                };
                ($path:literal, $round_trip:ident, $to_text:ident, $from_text:ident, $ty:ty) => {
                    Path {
                        name: $path,
                        round_trip: $round_trip::<$ty>,
                        to_text: $to_text::<$ty>,
                        from_text: $from_text::<$ty>,
                    }
                };
            }
            match message {
                $($name => vec![
                    path!("derived", round_trip, from_text, derived::$($derived)::+),
                    path!("in place", round_trip_in_place, merge_text, derived::$($derived)::+),
                    path!("reflected", round_trip_reflected, merge_text_reflected, derived::$($derived)::+),
                    path!("serde", round_trip, from_text, plain::$($derived)::+),
                    path!("generated", round_trip, from_text, tobu_schemas::corpus::$($generated)::+),
                    path!("parsed", round_trip_parsed, parsed_to_text, text_to_parsed, derived::$($derived)::+),
                    path!("generated parsed", round_trip_accessors, parsed_to_text, text_to_parsed, tobu_schemas::corpus::$($generated)::+),
                    path!("generated in place", round_trip_in_place, merge_text, tobu_schemas::corpus::$($generated)::+),
                    path!("generated opaque", round_trip, from_text, tobu_schemas::corpus_opaque::$($generated)::+),
                    path!("generated lazy", round_trip, from_text, tobu_schemas::corpus_lazy::$($generated)::+),
                    path!("generated lazy in place", round_trip_in_place, merge_text, tobu_schemas::corpus_lazy::$($generated)::+),
                ],)*
                other => panic!("no message {other:?} in the corpus"),
            }
        }
    };
}

paths! {
    "v3.Scalars" => Scalars, corpus::v3::Scalars;
    "v3.Optionals" => Optionals, corpus::v3::Optionals;
    "v3.Lists" => Lists, corpus::v3::Lists;
    "v3.Maps" => Maps, corpus::v3::Maps;
    "v3.Choice" => Choice, corpus::v3::Choice;
    "v3.Tree" => Tree, corpus::v3::Tree;
    "v3.Leaf" => Leaf, corpus::v3::Leaf;
    "v3.Numbers" => Numbers, corpus::v3::Numbers;
    "v3.Empty" => Empty, corpus::v3::Empty;
    "v2.Required" => Required, corpus::v2::Required;
    "v2.Defaults" => Defaults, corpus::v2::Defaults;
    "v2.Closed" => Closed, corpus::v2::Closed;
    "v2.Groups" => Groups, corpus::v2::Groups;
}

#[test]
fn every_row_on_every_path() {
    let mut failures = String::new();
    let mut runs = 0;
    for corpus in corpora() {
        let rows = corpus.row.iter().map(|row| (&row.name, &row.r#type, outcomes(row)));
        let inputs = corpus.input.iter().map(|input| (&input.name, &input.r#type, input_outcomes(input)));
        for (name, message, outcomes) in rows.chain(inputs) {
            for (path, outcome) in outcomes {
                runs += 1;
                if let Err(difference) = outcome {
                    let _ = writeln!(failures, "{name:?} of {message} by {path}: {difference}");
                }
            }
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
    assert!(runs > 2_000, "only {runs} runs");
}

/// The corpus, file by file.
fn corpora() -> Vec<Corpus> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpus");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    assert!(!files.is_empty(), "no corpus in {folder}");
    let parse = |file: &std::path::PathBuf| {
        toml::from_str(&std::fs::read_to_string(file).unwrap())
            .unwrap_or_else(|error| panic!("{}: {error}", file.display()))
    };
    files.iter().map(parse).collect()
}

type Outcomes = Vec<(String, Result<(), String>)>;

fn outcomes(row: &Row) -> Outcomes {
    let wire = bytes(&row.wire);
    let canonical = row.canonical.as_deref().map_or_else(|| wire.clone(), bytes);
    let mut outcomes = Vec::new();
    let mut add = |path: &str, outcome| outcomes.push((path.to_owned(), outcome));
    let text_wire = row.text_wire.as_deref().map_or_else(|| canonical.clone(), bytes);
    for path in paths(&row.r#type) {
        if row.skip.contains_key(path.name) {
            continue;
        }
        add(path.name, compare(row.error.as_deref(), &canonical, (path.round_trip)(&wire)));
        let text = row.text_of(path.name);
        if row.error.is_none() {
            add(&format!("{} to text", path.name), compare_text(text, (path.to_text)(&wire)));
        }
        if let Some(text) = text {
            add(
                &format!("{} from text", path.name),
                compare(row.text_error.as_deref(), &text_wire, (path.from_text)(text.as_bytes())),
            );
        }
    }
    let name = format!("derived.{}", row.r#type);
    if !row.skip.contains_key("dynamic") {
        add("dynamic", compare(row.error.as_deref(), &canonical, dynamic(&name, &wire)));
        let text = row.text_of("dynamic");
        if row.error.is_none() {
            add("dynamic to text", compare_text(text, dynamic_to_text(&name, &wire)));
        }
        if let Some(text) = text {
            add(
                "dynamic from text",
                compare(row.text_error.as_deref(), &text_wire, dynamic_from_text(&name, text.as_bytes())),
            );
        }
    }
    if !row.skip.contains_key("value") {
        add("value", by_value(row, &wire, &canonical));
    }
    if !row.skip.contains_key("dynamic") {
        let text = row.text_of("dynamic");
        add(
            "wire to text",
            match &row.error {
                None => compare_text(text, wire_to_text(&name, &wire)),
                error => compare(error.as_deref(), b"", wire_to_text(&name, &wire)),
            },
        );
        if let Some(text) = text {
            let error = row.text_error.as_deref();
            add("text to wire", compare(error, &text_wire, text_to_wire(&name, text.as_bytes())));
        }
        let json = wire_to_json(&name, &wire);
        if row.error.is_some() {
            add("wire to JSON", compare(row.error.as_deref(), b"", json));
        } else if let (Ok(json), Some(text)) = (json, text)
            && !has_unknown_fields(&name, &wire)
        {
            let json = String::from_utf8(json).expect("JSON");
            add("text to JSON", compare_text(Some(&json), text_to_json(&name, text.as_bytes())));
            add("JSON to text", compare_text(Some(text), json_to_text(&name, json.as_bytes())));
        }
    }
    outcomes
}

fn input_outcomes(input: &Input) -> Outcomes {
    let wire = input.wire.as_deref().map(bytes).unwrap_or_default();
    assert!(input.wire.is_some() != input.error.is_some(), "{}: bytes or an error", input.name);
    let outcome = |read: Result<Vec<u8>, Error>| compare(input.error.as_deref(), &wire, read);
    let text = input.text.as_bytes();
    // Merging does not check required fields.
    let is_asked = |path: &Path| {
        !path.name.ends_with("in place")
            || input.error.as_ref().is_none_or(|error| !error.contains("required field"))
    };
    let paths = paths(&input.r#type).into_iter().filter(is_asked);
    let mut outcomes: Outcomes =
        paths.map(|path| (path.name.to_owned(), outcome((path.from_text)(text)))).collect();
    let name = format!("derived.{}", input.r#type);
    outcomes.push(("dynamic".to_owned(), outcome(dynamic_from_text(&name, text))));
    outcomes.push(("text to wire".to_owned(), outcome(text_to_wire(&name, text))));
    let json = text_to_json(&name, text);
    if input.error.is_some() {
        outcomes.push(("text to JSON".to_owned(), outcome(json)));
    } else if let Ok(json) = json
        && !has_unknown_fields(&name, &wire)
    {
        let back = json_to_text(&name, &json).and_then(|text| text_to_wire(&name, &text));
        outcomes.push(("by way of JSON".to_owned(), outcome(back)));
    }
    outcomes
}

fn compare_text(wanted: Option<&str>, written: Result<Vec<u8>, Error>) -> Result<(), String> {
    let written = written.map_err(|error| error.to_string())?;
    let written = String::from_utf8(written).map_err(|error| error.to_string())?;
    match wanted == Some(&written) {
        true => Ok(()),
        false => Err(format!("wanted {wanted:?}, got {written:?}")),
    }
}

fn dynamic_to_text(name: &str, wire: &[u8]) -> Result<Vec<u8>, Error> {
    let descriptor = tobu::Pool::global().message(name).expect("a descriptor");
    let text = text_options().to_vec(&DynamicMessage::decode(&descriptor, wire)?)?;
    let mut transcoded = Vec::new();
    convert::wire_to_text(&descriptor, wire, &mut transcoded, &text_options())?;
    assert_eq!(transcoded, text);
    Ok(text)
}

fn dynamic_from_text(name: &str, text: &[u8]) -> Result<Vec<u8>, Error> {
    let descriptor = tobu::Pool::global().message(name).expect("a descriptor");
    let message = DynamicMessage::from_text_with(&descriptor, text, &text_options())?;
    let bytes = EncodeOptions::new().deterministic(true).to_vec(&message)?;
    let mut transcoded = Vec::new();
    convert::text_to_wire(&descriptor, text, &mut transcoded, &text_options())?;
    assert_eq!(transcoded, message.encode_to_vec()?);
    Ok(bytes)
}

/// Through a dynamic message, which is also merged into one that is not empty, and converted to itself by way of bytes.
fn dynamic(name: &str, wire: &[u8]) -> Result<Vec<u8>, Error> {
    let descriptor = tobu::Pool::global().message(name).expect("a descriptor");
    let message = DynamicMessage::decode(&descriptor, wire)?;
    let deterministic = EncodeOptions::new().deterministic(true);
    let bytes = deterministic.to_vec(&message)?;
    assert_eq!(message.encoded_len(), bytes.len(), "the counted length is the written one");
    let again = DynamicMessage::decode_bytes(&descriptor, bytes.clone().into())?;
    assert_eq!(deterministic.to_vec(&again)?, bytes);
    let mut merged = DynamicMessage::new(&descriptor)?;
    merged.merge(wire)?;
    assert_eq!(deterministic.to_vec(&merged)?, bytes);
    let delimited = [&[wire.len() as u8][..], wire].concat();
    if wire.len() < 0x80 {
        let delimited = DynamicMessage::decode_length_delimited(&descriptor, &delimited[..])?;
        assert_eq!(deterministic.to_vec(&delimited)?, bytes);
    }
    let mut appended = b"before".to_vec();
    message.append(&mut appended, deterministic)?;
    assert_eq!(appended.strip_prefix(b"before"), Some(&bytes[..]));
    Ok(bytes)
}

/// Through `serde_json::Value` over the descriptor.
fn by_value(row: &Row, wire: &[u8], canonical: &[u8]) -> Result<(), String> {
    let name = format!("derived.{}", row.r#type);
    let descriptor = tobu::Pool::global().message(&name).ok_or_else(|| format!("no descriptor of {name}"))?;
    let decoded = descriptor.decode::<serde_json::Value>(wire);
    let Some(expected) = &row.value else {
        return match (decoded, &row.error) {
            (Err(error), Some(wanted)) => compare(Some(wanted), canonical, Err(error)),
            (Ok(_), Some(wanted)) => Err(format!("wanted the error {wanted:?}, got a value")),
            (decoded, None) => decoded.map(drop).map_err(|error| error.to_string()),
        };
    };
    let decoded = decoded.map_err(|error| error.to_string())?;
    if decoded != *expected {
        return Err(format!("wanted {expected}, got {decoded}"));
    }
    let encoded = descriptor.encode_with(&decoded, EncodeOptions::new().deterministic(true));
    // A tree has its fields in any order: the derived type puts them into theirs.
    compare(None, canonical, encoded.and_then(|bytes| (paths(&row.r#type)[0].round_trip)(&bytes)))
}

fn compare(error: Option<&str>, canonical: &[u8], outcome: Result<Vec<u8>, Error>) -> Result<(), String> {
    match (outcome, error) {
        (Ok(bytes), None) if bytes == canonical => Ok(()),
        (Ok(bytes), None) => Err(format!("wanted {}, got {}", hex(canonical), hex(&bytes))),
        (Ok(bytes), Some(error)) => Err(format!("wanted the error {error:?}, got {}", hex(&bytes))),
        (Err(error), wanted) => {
            let got = ["derived.", "plain.", "corpus."]
                .iter()
                .fold(error.to_string(), |text, package| text.replace(package, ""));
            match wanted {
                Some(wanted) if got == wanted => Ok(()),
                Some(wanted) => Err(format!("wanted the error {wanted:?}, got {got:?}")),
                None => Err(format!("failed: {error}")),
            }
        }
    }
}

/// `08 01 'text' 12*100` as bytes: hexadecimal digits, text in quotes, and repetitions of the element before
/// `*`.
fn bytes(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let (piece, after) = match rest.strip_prefix('\'') {
            Some(quoted) => {
                let (text, after) = quoted.split_once('\'').expect("a closing quote");
                (text.as_bytes().to_vec(), after)
            }
            None => {
                let end = rest.find([' ', '\n', '\'', '*']).unwrap_or(rest.len());
                let digits = &rest[..end];
                assert!(digits.len().is_multiple_of(2), "an odd number of digits: {digits:?}");
                let byte = |i| u8::from_str_radix(&digits[i..i + 2], 16).expect("hexadecimal digits");
                ((0..digits.len()).step_by(2).map(byte).collect(), &rest[end..])
            }
        };
        let (times, after) = match after.strip_prefix('*') {
            Some(count) => {
                let end = count.find(|c: char| !c.is_ascii_digit()).unwrap_or(count.len());
                (count[..end].parse().expect("a count"), &count[end..])
            }
            None => (1, after),
        };
        out.extend(piece.repeat(times));
        rest = after.trim_start();
    }
    out
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
}
