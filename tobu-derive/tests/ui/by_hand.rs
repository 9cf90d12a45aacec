//! What the library relies on cannot be promised without `unsafe`.

use tobu::__private::{FilledFrom, Member, MergeOneof, MessageShape, OneofLayout, Storage};
use tobu::{Merge, Message, Oneof};

struct Liar(i32);

impl Member for Liar {
    const STORAGE: Storage = Storage::String;

    fn empty() -> Option<Self> {
        Some(Liar(0))
    }
}

impl Message for Liar {
    fn shape() -> &'static MessageShape {
        <tobu::types::Duration as Message>::shape()
    }
}

impl<'de> Merge<'de> for Liar {}

impl<'de> FilledFrom<'de> for Liar {}

impl OneofLayout for Liar {
    fn value(&self) -> Option<(usize, *const u8)> {
        None
    }

    fn value_mut(&mut self) -> Option<(usize, *mut u8)> {
        None
    }

    fn empty(_: usize) -> Option<Self> {
        None
    }
}

#[derive(Oneof)]
enum Kind {
    #[tobu(1)]
    A(i32),
}

impl<'de> MergeOneof<'de> for Kind {}

fn main() {}
