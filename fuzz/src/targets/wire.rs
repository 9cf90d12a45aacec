//! The wire format by every Rust type of a message, and as a dynamic message.

use crate::mutate::Syntax;
use crate::oracle::{self, Alike, Outcome, agree, bounded};
use crate::subject::{Case, Subject};
use crate::typed::Path;
use bytes::Bytes;
use tobu::{Category, DecodeOptions};

/// All types of a message have the content of a dynamic message.
pub(super) fn typed(data: &[u8]) {
    compare(data, |_| true);
}

/// The same of the types that borrow or share alone.
pub(super) fn views(data: &[u8]) {
    compare(data, |path| path.name == "view" || path.name == "shared");
}

fn compare(data: &[u8], include: fn(&Path) -> bool) {
    let Some(case) = Case::typed(data, Syntax::Wire) else { return };
    let (subject, wire) = (&*case, case.payload());
    let paths = || subject.paths().iter().filter(|path| include(path));
    let strict = DecodeOptions::new();
    let expected = alike(subject, paths(), wire, &strict);
    if expected.is_err_and(|error| error.category() == Category::Required) {
        let _ = alike(subject, paths(), wire, &strict.partial(true));
    }
    let shared = Bytes::copy_from_slice(wire);
    for path in paths() {
        if let Some(bytes) = path.bytes {
            agree(subject, ("a slice", path.name), &(path.wire)(wire, &strict), &bytes(&shared), Alike::Text);
        }
    }
    paths().filter_map(|path| path.accessors).for_each(|accessors| accessors(wire));
    if wire.len() > 512 {
        tight(subject, paths(), wire);
    }
}

/// All types read the same as a dynamic message; returns the result.
fn alike<'a>(
    subject: &Subject,
    paths: impl Iterator<Item = &'a Path>,
    wire: &[u8],
    options: &DecodeOptions,
) -> Outcome {
    let expected = bounded("dynamic", wire.len(), || oracle::dynamic(&subject.descriptor, wire, options));
    for path in paths {
        let outcome = bounded(path.name, wire.len(), || (path.wire)(wire, options));
        let alike = if path.serde { Alike::Category } else { Alike::Text };
        agree(subject, ("dynamic", path.name), &expected, &outcome, alike);
    }
    if let Ok(bytes) = &expected {
        let again = oracle::dynamic(&subject.descriptor, bytes, options);
        agree(subject, ("once", "twice"), &expected, &again, Alike::Text);
    }
    expected
}

/// The budget of memory holds.
fn tight<'a>(subject: &Subject, paths: impl Iterator<Item = &'a Path>, wire: &[u8]) {
    let options = DecodeOptions::new().limits(oracle::tight());
    let _ = oracle::bounded_tightly("dynamic", wire.len(), || {
        tobu::DynamicMessage::decode_with(&subject.descriptor, wire, options).map(drop)
    });
    for path in paths {
        // Encoding takes room, too, but not more than the input.
        let _ = oracle::bounded_tightly(path.name, 2 * wire.len(), || (path.wire)(wire, &options));
    }
}
