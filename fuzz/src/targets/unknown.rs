//! Unknown fields, which are kept as bytes.

use crate::mutate::Syntax;
use crate::oracle::{self, Alike, agree};
use crate::subject::Case;
use tobu::{DecodeOptions, Message, UnknownFields};

/// Unknown fields are accepted as a message without fields accepts them, and keep their bytes.
pub(super) fn unknown(data: &[u8]) {
    let Some(case) = Case::of(data, Syntax::Wire) else { return };
    let (subject, wire) = (&*case, case.payload());
    let empty = tobu_schemas::corpus::corpus::v3::Empty::descriptor();
    let decoded = oracle::dynamic(&empty, wire, &DecodeOptions::new());
    let fields = oracle::lean("unknown fields", wire.len(), || UnknownFields::from_bytes(wire));
    let kept = fields.as_ref().map(|fields| fields.as_bytes().to_vec());
    match (&decoded, &kept) {
        (Ok(decoded), Ok(kept)) => assert_eq!(decoded, kept),
        (Err(one), Err(other)) => {
            assert_eq!((one.category(), one.message()), (other.category(), other.message()))
        }
        _ => panic!("decoded: {decoded:?}, from bytes: {kept:?}"),
    }
    let Ok(fields) = fields else { return };
    let mut len = 0;
    for (_, value) in fields.iter() {
        len += 1 + value.len();
    }
    assert!(len <= fields.as_bytes().len(), "each field has a tag and a value");
    let again = UnknownFields::from_bytes(fields.as_bytes()).map(|fields| fields.as_bytes().to_vec());
    agree(subject, ("once", "again"), &decoded, &again, Alike::Text);
}
