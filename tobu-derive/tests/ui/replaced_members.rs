//! Structs that another macro replaced after the derives had seen them: safe code, so that it must not compile.

use tobu::{Deserialize, Message, Serialize, UnknownFields};

// A member more, a member less, and another type.
#[derive(Message, Serialize, Deserialize)]
#[tobu(direct)]
#[tobu_replace::by(#[derive(Default)] struct More { a: i32, b: String })]
struct More {
    #[tobu(1)]
    a: i32,
}

#[derive(Message, Serialize, Deserialize)]
#[tobu(direct)]
#[tobu_replace::by(#[derive(Default)] struct Less { a: i32 })]
struct Less {
    #[tobu(1)]
    a: i32,
    #[tobu(skip)]
    b: i32,
}

#[derive(Message)]
#[tobu_replace::by(struct Other { a: u128 })]
struct Other {
    #[tobu(1)]
    a: i32,
}

#[derive(Message, Serialize, Deserialize)]
#[tobu(direct)]
#[tobu_replace::by(#[derive(Default)] struct Unknown { a: i32, unknown: Vec<u8> })]
struct Unknown {
    #[tobu(1)]
    a: i32,
    #[tobu(unknown)]
    unknown: UnknownFields,
}

// The members are those of another struct, behind a pointer.
struct Inner {
    a: i32,
}

#[derive(Message)]
#[tobu_replace::by(
    struct Behind { inner: Box<Inner> }
    impl std::ops::Deref for Behind { type Target = Inner; fn deref(&self) -> &Inner { &self.inner } }
    impl std::ops::DerefMut for Behind { fn deref_mut(&mut self) -> &mut Inner { &mut self.inner } }
)]
struct Behind {
    #[tobu(1)]
    a: i32,
}

// Another lifetime than the input's.
#[derive(Message, Deserialize)]
#[tobu_replace::by(struct Lifetime { text: &'static str })]
struct Lifetime {
    #[tobu(1)]
    text: String,
}

fn main() {}
