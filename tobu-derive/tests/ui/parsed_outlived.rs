//! References to a parsed message, and what their accessors give, do not outlive it.

use tobu::Parsed;
use tobu::parsed::List;
use tobu::types::{FieldMask, FieldMaskRef, StringValue};

fn reference() -> FieldMaskRef<'static> {
    let parsed = Parsed::<FieldMask>::decode(b"").unwrap();
    parsed.get()
}

fn text<'a>(parsed: Parsed<StringValue>) -> &'a str {
    parsed.get().value()
}

fn list<'a>(parsed: &Parsed<FieldMask>) -> List<'a, &'a str> {
    parsed.get().paths()
}

fn element() -> Option<&'static str> {
    let parsed = Parsed::<FieldMask>::decode(b"").unwrap();
    let first = parsed.get().paths().get(0);
    drop(parsed);
    first
}

fn main() {}
