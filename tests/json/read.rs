//! Reading: rows of a text and its meaning, or its error, on every path that reads it.

mod any;
mod extensions;
mod known;
mod limits;
mod lists;
mod members;
mod scalars;
mod types;
mod values;

use serde::Serialize;
use serde::de::DeserializeOwned;
use tobu::json::Options;
use tobu::{DynamicMessage, Merge, Message, MessageDescriptorExt, Pool, convert};

/// The bounds of a message type for every reading path.
trait Read: Message + Serialize + DeserializeOwned + for<'de> Merge<'de> + Default {}
impl<T: Message + Serialize + DeserializeOwned + for<'de> Merge<'de> + Default> Read for T {}

/// A text, and its canonical text, or the error.
type Row<'a> = (&'a str, Result<&'a str, &'a str>);

/// Reads each text in every way there is.
fn check<T: Read>(rows: &[Row<'_>]) {
    check_with::<T>(&Options::new(), rows);
}

fn check_with<T: Read>(options: &Options, rows: &[Row<'_>]) {
    let name = T::descriptor();
    let name = name.full_name();
    let canonical = |message: &T| Options::new().deterministic(true).to_string(message).unwrap();
    for (text, wanted) in rows {
        let wanted = match wanted {
            Ok(canonical) => Ok((*canonical).to_owned()),
            Err(error) => Err(format!("{name}{error}")),
        };
        let read = options.from_str::<T>(text).map_err(|error| error.to_string());
        assert_eq!(read.as_ref().map(canonical).map_err(Clone::clone), wanted, "{text}");
        let other: [Result<T, tobu::Error>; 7] = [
            options.from_reader(text.as_bytes()),
            {
                let mut used =
                    read.as_ref().ok().map(|_| options.from_str(text).unwrap()).unwrap_or_default();
                options.from_str_in_place(&mut used, text).map(|()| used)
            },
            {
                let mut empty = T::default();
                options.merge(&mut empty, text).map(|()| empty)
            },
            {
                // A tree has no room for fields that the schema does not name, and none for NaN.
                let tree = T::descriptor().decode_json_with::<serde_json::Value>(text, options);
                let lossy = text.contains("NaN") || text.contains("Infinity") || text.contains("[json.v2");
                tree.and_then(|tree| match lossy {
                    true => options.from_str(text),
                    false => tobu::from_slice(&T::descriptor().encode(&tree)?),
                })
            },
            {
                // Into a dynamic message, which says the same in JSON.
                let dynamic = DynamicMessage::from_json_with(&T::descriptor(), text.as_bytes(), options);
                dynamic.and_then(|dynamic| {
                    let text = Options::new().deterministic(true).to_string(&dynamic)?;
                    assert_eq!(Ok(&text), wanted.as_ref());
                    dynamic.absorb()
                })
            },
            {
                // Straight into the wire format.
                let mut wire = b"kept".to_vec();
                let done = convert::json_to_wire_with(&T::descriptor(), text.as_bytes(), &mut wire, options);
                assert!(wire.starts_with(b"kept") && (done.is_ok() || wire.len() == 4));
                done.and_then(|()| tobu::from_slice(&wire[4..]))
            },
            {
                // And from there straight back.
                let (mut wire, mut again) = (Vec::new(), Vec::new());
                convert::json_to_wire_with(&T::descriptor(), text.as_bytes(), &mut wire, options)
                    .and_then(|()| convert::wire_to_json(&T::descriptor(), &wire, &mut again))
                    .and_then(|()| Options::new().from_slice(&again))
            },
        ];
        for (path, read) in other.into_iter().enumerate() {
            let read = read.map(|message| canonical(&message)).map_err(|error| error.to_string());
            assert_eq!(read, wanted, "path {path}: {text}");
        }
    }
}

/// The error of a text, which must be one.
fn error<T: Read>(text: &str) -> tobu::Error {
    match tobu::json::from_str::<T>(text) {
        Ok(_) => panic!("{text} was read"),
        Err(error) => error,
    }
}

/// The pool of the schemas of these tests.
fn pool() -> Pool {
    // Files register themselves when they are first used.
    for descriptor in [
        tobu_schemas::known::json::v1::Known::descriptor(),
        tobu_schemas::known::json::v2::Open::descriptor(),
        tobu_schemas::corpus::corpus::v2::Closed::descriptor(),
        tobu_schemas::corpus::corpus::v3::Tree::descriptor(),
    ] {
        assert!(Pool::global().message(descriptor.full_name()).is_some());
    }
    Pool::global()
}
