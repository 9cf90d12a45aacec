//! Messages as columns of Arrow, and values of Kafka with the schemas of a registry.

use crate::mutate::Syntax;
use crate::oracle::bounded;
use crate::rng::Rng;
use crate::subject::Case;
use tobu::{DynamicMessage, Error};
use tobu_arrow::confluent::{self, BoxError, Decoder, Framed, Registered, Registry};
use tobu_arrow::{Batcher, Enums, Messages, Oneofs, Options, Texts};

/// What columns do not hold, though messages do.
const REFUSED: [&str; 5] =
    ["not UTF-8", "are no ", "64 bits do not hold ", "has no form in JSON", "JSON has no number"];

/// The most bytes of a batch.
const MOST: usize = 8 << 20;

/// A batch takes what decoding takes, and refuses what it refuses. Messages that are made of its rows give the same rows, also
/// behind a bad message.
pub(super) fn arrow(data: &[u8]) {
    let Some(case) = Case::of(data, Syntax::Wire) else { return };
    let (descriptor, wire, flags) = (&case.descriptor, case.payload(), case.flags);
    let options = Options::new()
        .recursion(1 + usize::from(flags & 1))
        .enums([Enums::Dictionary, Enums::Text, Enums::Number][usize::from(flags >> 1) % 3])
        .oneofs([Oneofs::Columns, Oneofs::Union][usize::from(flags >> 3 & 1)])
        .texts([Texts::Plain, Texts::Views][usize::from(flags >> 4 & 1)]);
    // A oneof may have more members than a union.
    let Ok(columns) = options.columns(descriptor) else { return };
    let mut batcher = Batcher::new(&columns).bytes(MOST);
    let pushed = bounded("arrow", wire.len() + MOST, || batcher.push(wire));
    let decoded = DynamicMessage::decode(descriptor, wire);
    match (&pushed, &decoded) {
        (Ok(_), Ok(_)) | (Err(_), Err(_)) => {}
        (Err(error), Ok(_)) => assert!(is_own(error), "only columns refuse: {error}"),
        // Messages that are bytes are not looked into.
        (Ok(_), Err(_)) => {}
    }
    if pushed.is_err() {
        assert!(batcher.is_empty(), "a bad message leaves nothing");
        return;
    }
    let batch = batcher.finish().expect("arrays of their types").expect("one row");
    let messages = match Messages::new(descriptor).encode(&batch) {
        Ok(messages) => messages,
        // The bytes of a message that was not looked into are none, or the JSON of one is too deep.
        Err(error) => panic!("{error}"),
    };
    let mut bad = wire.to_vec();
    bad.push(0xff);
    for before in [&[][..], &bad[..]] {
        if batcher.push(before).is_ok() {
            let _ = batcher.finish().expect("arrays of their types");
        }
        batcher.push(&messages[0]).expect("what was encoded can be read");
        let again = batcher.finish().expect("arrays of their types").expect("one row");
        assert!(again == batch, "{again:?}\n{batch:?}");
    }
}

fn is_own(error: &Error) -> bool {
    let text = error.message();
    REFUSED.iter().any(|own| text.contains(own)) || error.category() == tobu::Category::Limit
}

/// Answers any request with the same source.
struct One(String);

impl Registry for One {
    fn schema(&self, _: u32) -> Result<Option<Registered>, BoxError> {
        Ok(Some(Registered::new(self.0.clone()).reference("a.proto", "a", 1)))
    }

    fn version(&self, _: &str, version: u32) -> Result<Option<Registered>, BoxError> {
        Ok(Some(Registered::new(self.0.clone()).reference("b.proto", "b", version)))
    }
}

/// A value is taken apart as it was put together, and a registry may answer anything.
pub(super) fn confluent(data: &[u8]) {
    let Some((&cut, rest)) = data.split_first() else { return };
    let (value, source) = rest.split_at(rest.len().min(usize::from(cut & 0x7f)));
    if let Ok(parsed) = Framed::parse(value) {
        let again = confluent::frame(parsed.id(), parsed.indexes(), parsed.message());
        let reparsed = Framed::parse(&again).expect("what was put together");
        let parts = |framed: &Framed<'_>| (framed.id(), framed.indexes().to_vec(), framed.message().to_vec());
        assert_eq!(parts(&reparsed), parts(&parsed));
    }
    let source = String::from_utf8_lossy(source).into_owned();
    let options = Options::new().recursion(2).most_columns(100);
    let mut decoder =
        Decoder::new(One(source), options).skip_bad(1).batchers(|batcher| batcher.bytes(1 << 20));
    for _ in 0..2 {
        assert!(decoder.push(value).expect("a registry that answers").is_none());
    }
    let batches = decoder.finish().expect("arrays of their types");
    let rows: usize = batches.iter().map(|batch| batch.num_rows()).sum();
    assert_eq!(rows as u64 + decoder.bad_count(), 2);
}

/// A value whose schema fits it.
pub(super) fn confluent_seed(rng: &mut Rng) -> Vec<u8> {
    let message = [&b"\x0a\x01a"[..], b"\x10\x05", b"", b"\x1a\x02\x08\x01"][rng.below(4)];
    let indexes = [&[0][..], &[1], &[0, 0], &[7]][rng.below(4)];
    let value = confluent::frame(rng.next() as u32, indexes, message);
    let source = "syntax = \"proto3\"; message A { string s = 1; int32 n = 2; B b = 3; message C { A a = 1; } } message B { int32 x = 1; }";
    let imports = ["", "syntax = \"proto3\"; import \"a.proto\";"][rng.below(2)];
    [&[value.len() as u8][..], &value, imports.as_bytes(), source.as_bytes()].concat()
}
