//! Every row of `tests/corpus/*.toml` through every path: derived, derived by serde, generated, dynamic, and a tree of
//! values over the run-time schema. A row is wire bytes and what must come of them, to the byte and to the letter.

mod types;

use serde::Deserialize;
use std::collections::HashMap;
use std::fmt::Write;
use tobu::{DecodeOptions, DynamicMessage, EncodeOptions, Error, Message};
use types::{derived, plain};

/// One behaviour.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    /// What is tested, in words.
    name: String,
    /// The message, without `corpus.`.
    r#type: String,
    /// Hexadecimal digits, quoted text in single quotes, and spaces.
    wire: String,
    /// What the bytes are after a round trip, where they change.
    canonical: Option<String>,
    /// What the message holds, as a tree over the run-time schema; absent where a tree cannot say it.
    value: Option<serde_json::Value>,
    /// The error, where the bytes are refused; `corpus.` before names is understood.
    error: Option<String>,
    /// Paths that have no such type, or where the outcome differs, with the reason.
    #[serde(default)]
    skip: HashMap<String, String>,
}

#[derive(Debug, Deserialize)]
struct Corpus {
    row: Vec<Row>,
}

/// Decodes and encodes again, with map keys in order.
type RoundTrip = fn(&[u8]) -> Result<Vec<u8>, Error>;

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

/// The same, into a message that holds something already, and merged in two pieces where that is possible.
fn round_trip_in_place<T>(wire: &[u8]) -> Result<Vec<u8>, Error>
where
    T: Message + serde::de::DeserializeOwned + serde::Serialize + for<'de> tobu::Merge<'de> + Default,
{
    let mut message = T::default();
    // Whatever stood in the message before must not show.
    let _ = tobu::merge(&mut message, wire);
    tobu::from_slice_in_place(&mut message, wire)?;
    EncodeOptions::new().deterministic(true).to_vec(&message)
}

macro_rules! paths {
    ($($name:literal => $($derived:ident)::+, $($generated:ident)::+;)*) => {
        fn paths(message: &str) -> Vec<(&'static str, RoundTrip)> {
            match message {
                $($name => vec![
                    ("derived", round_trip::<derived::$($derived)::+> as RoundTrip),
                    ("in place", round_trip_in_place::<derived::$($derived)::+>),
                    ("serde", round_trip::<plain::$($derived)::+>),
                    ("generated", round_trip::<tobu_schemas::corpus::$($generated)::+>),
                    ("generated in place", round_trip_in_place::<tobu_schemas::corpus::$($generated)::+>),
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
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpus");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    assert!(!files.is_empty(), "no corpus in {folder}");
    for file in files {
        let corpus: Corpus = toml::from_str(&std::fs::read_to_string(&file).unwrap())
            .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        for row in corpus.row {
            for (path, outcome) in outcomes(&row) {
                runs += 1;
                if let Err(difference) = outcome {
                    let _ = writeln!(failures, "{:?} of {} by {path}: {difference}", row.name, row.r#type);
                }
            }
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
    assert!(runs > 500, "only {runs} runs");
}

fn outcomes(row: &Row) -> Vec<(&'static str, Result<(), String>)> {
    let wire = bytes(&row.wire);
    let canonical = row.canonical.as_deref().map_or_else(|| wire.clone(), bytes);
    let mut outcomes = Vec::new();
    for (path, round_trip) in paths(&row.r#type) {
        if !row.skip.contains_key(path) {
            outcomes.push((path, compare(row, &canonical, round_trip(&wire))));
        }
    }
    if !row.skip.contains_key("dynamic") {
        let name = format!("derived.{}", row.r#type);
        outcomes.push(("dynamic", compare(row, &canonical, dynamic(&name, &wire))));
    }
    if !row.skip.contains_key("value") {
        outcomes.push(("value", by_value(row, &wire, &canonical)));
    }
    outcomes
}

/// Through a dynamic message, which is also merged into one that is not empty, and converted to itself by way of bytes.
fn dynamic(name: &str, wire: &[u8]) -> Result<Vec<u8>, Error> {
    let descriptor = tobu::Pool::global().message(name).expect("a descriptor");
    let message = DynamicMessage::decode(&descriptor, wire)?;
    let deterministic = EncodeOptions::new().deterministic(true);
    let bytes = message.encode_with(deterministic)?;
    assert_eq!(message.encoded_len()?, bytes.len(), "the counted length is the written one");
    let again = DynamicMessage::decode_bytes(&descriptor, bytes.clone().into())?;
    assert_eq!(again.encode_with(deterministic)?, bytes);
    let mut merged = DynamicMessage::new(&descriptor)?;
    merged.merge(wire)?;
    assert_eq!(merged.encode_with(deterministic)?, bytes);
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
            (Err(error), Some(_)) => compare(row, canonical, Err(error)),
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
    compare(row, canonical, encoded.and_then(|bytes| paths(&row.r#type)[0].1(&bytes)))
}

fn compare(row: &Row, canonical: &[u8], outcome: Result<Vec<u8>, Error>) -> Result<(), String> {
    match (outcome, &row.error) {
        (Ok(bytes), None) if bytes == canonical => Ok(()),
        (Ok(bytes), None) => Err(format!("wanted {}, got {}", hex(canonical), hex(&bytes))),
        (Ok(bytes), Some(error)) => Err(format!("wanted the error {error:?}, got {}", hex(&bytes))),
        (Err(error), wanted) => {
            let got = error.to_string();
            let got =
                got.strip_prefix("derived.").or(got.strip_prefix("plain.")).or(got.strip_prefix("corpus."));
            match wanted {
                Some(wanted) if got == Some(wanted) => Ok(()),
                Some(wanted) => Err(format!("wanted the error {wanted:?}, got {got:?}")),
                None => Err(format!("failed: {error}")),
            }
        }
    }
}

/// `08 01 'text' 12*100` as bytes: hexadecimal digits, text in quotes, and repetitions of the piece before `*`.
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
