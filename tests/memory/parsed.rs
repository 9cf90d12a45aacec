//! How often reading a parsed message allocates.

use crate::counting::calls;
use bytes::Bytes;
use tobu::Parsed;
use tobu_schemas::library::v1::Book;

#[test]
fn a_small_message_is_one_allocation() {
    let small = Bytes::from_static(b"\x0a\x04Dune\x18\x9c\x03");
    let large = [b"\x0a\x88\x27".as_slice(), &[b'x'; 5000]].concat();
    // The first message builds the table.
    Parsed::<Book>::decode(&small).unwrap();
    let (count, copied) = calls(|| Parsed::<Book>::decode(&small).unwrap());
    assert_eq!((count, copied.get().title()), (1, "Dune"));
    let (count, shared) = calls(|| Parsed::<Book>::decode_bytes(small.clone()).unwrap());
    assert_eq!((count, shared.get().title()), (1, "Dune"));
    // A large input is copied into an allocation of its own.
    let (count, large) = calls(|| Parsed::<Book>::decode(&large).unwrap());
    assert_eq!((count, large.get().title().len()), (2, 5000));
    // The first clone makes the count.
    for calls_of_clone in [1, 0] {
        let (count, clone) = calls(|| copied.clone());
        assert_eq!((count, clone.get().title()), (calls_of_clone, "Dune"));
        assert_eq!(clone.get().title().as_ptr(), copied.get().title().as_ptr());
    }
}
