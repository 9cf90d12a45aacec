//! Fragments of input.

use tobu::wire::{Tag, WireType, Writer};

/// One field as wire bytes.
fn write(number: u32, ty: WireType, value: impl FnOnce(&mut Writer)) -> Vec<u8> {
    let mut writer = Writer::new();
    writer.tag(Tag::new(number, ty));
    value(&mut writer);
    writer.finish().expect("less than 2 GiB")
}

/// A string, a byte string, a message or a packed list.
pub(crate) fn len(number: u32, body: impl AsRef<[u8]>) -> Vec<u8> {
    write(number, WireType::Len, |writer| writer.len_prefixed(body.as_ref()))
}

/// A number.
pub(crate) fn int(number: u32, value: u64) -> Vec<u8> {
    write(number, WireType::Varint, |writer| writer.varint(value))
}

/// A group.
pub(crate) fn group(number: u32, body: impl AsRef<[u8]>) -> Vec<u8> {
    let end = write(number, WireType::EndGroup, |_| ());
    [&write(number, WireType::StartGroup, |_| ()), body.as_ref(), &end].concat()
}

/// An entry of a map with string keys.
pub(crate) fn entry(number: u32, key: impl AsRef<[u8]>, value: impl AsRef<[u8]>) -> Vec<u8> {
    len(number, join([len(1, key), len(2, value)]))
}

pub(crate) fn join<P: AsRef<[u8]>>(pieces: impl IntoIterator<Item = P>) -> Vec<u8> {
    let mut out = Vec::new();
    for piece in pieces {
        out.extend_from_slice(piece.as_ref());
    }
    out
}

/// The same many times.
pub(crate) fn times(count: usize, piece: impl AsRef<[u8]>) -> Vec<u8> {
    piece.as_ref().repeat(count)
}

/// One fragment for each number below `count`.
pub(crate) fn each<P: AsRef<[u8]>>(count: usize, piece: impl FnMut(usize) -> P) -> Vec<u8> {
    join((0..count).map(piece))
}

/// The innermost message, wrapped so often.
pub(crate) fn nested(levels: usize, inner: impl AsRef<[u8]>, wrap: impl Fn(Vec<u8>) -> Vec<u8>) -> Vec<u8> {
    (0..levels).fold(inner.as_ref().to_vec(), |body, _| wrap(body))
}
