//! Derive output where every name that it might use means something else.

#![allow(dead_code, non_camel_case_types, non_snake_case)]

struct Option;
struct Result;
struct Some;
struct None;
struct Ok;
struct Err;
struct Vec;
struct Box;
struct String;
struct i32;
struct u32;
struct usize;
struct bool;
struct str;
trait Default {}
trait Clone {}
trait Into {}
trait Iterator {}
trait Fn {}
mod core {}
mod std {}
mod serde {}
mod tobu {}
#[allow(unused_macros)]
macro_rules! unreachable {
    () => {
        compile_error!("not this one")
    };
}

use ::tobu as derive;

#[derive(Debug, PartialEq, derive::Message, derive::Serialize, derive::Deserialize)]
#[tobu(package = "derive.hygiene")]
struct Self_ {
    #[tobu(1)]
    r#type: ::core::primitive::i32,
    #[tobu(2)]
    Option: ::core::option::Option<i64>,
    #[tobu(3)]
    this: ::std::vec::Vec<::core::primitive::u32>,
    #[tobu(4)]
    map: ::core::primitive::bool,
    #[tobu(5)]
    index: ::core::option::Option<::std::boxed::Box<Self_>>,
    #[tobu(6)]
    Self_: ::core::option::Option<Numbers>,
    #[tobu(oneof)]
    r#match: ::core::option::Option<r#enum>,
    #[tobu(skip)]
    skipped: ::core::primitive::bool,
}

#[derive(Debug, PartialEq, derive::Oneof, derive::Serialize, derive::Deserialize)]
enum r#enum {
    #[tobu(10)]
    Some(::core::primitive::i32),
    #[tobu(11)]
    None(i64),
    #[tobu(12)]
    Ok(::std::string::String),
    #[tobu(13)]
    r#Err(::std::boxed::Box<Self_>),
}

#[derive(Debug, PartialEq, derive::Enumeration, derive::Serialize, derive::Deserialize)]
#[tobu(package = "derive.hygiene")]
enum Numbers {
    Some = 0,
    None = 1,
    r#Ok = 2,
}

#[derive(Debug, PartialEq, derive::Enumeration, derive::Serialize, derive::Deserialize)]
#[tobu(package = "derive.hygiene", values(r#ZERO = 0))]
struct Open(::core::primitive::i32);

#[test]
fn every_name_is_absolute() {
    let value = Self_ {
        r#type: 1,
        Option: ::core::option::Option::Some(2),
        this: ::std::vec![3],
        map: true,
        index: ::core::option::Option::None,
        Self_: ::core::option::Option::Some(Numbers::None),
        r#match: ::core::option::Option::Some(r#enum::Some(4)),
        skipped: false,
    };
    let bytes = b"\x08\x01\x10\x02\x1a\x01\x03\x20\x01\x30\x01\x50\x04";
    assert_eq!(::tobu::to_vec(&value).unwrap(), bytes);
    assert_eq!(::tobu::from_slice::<Self_>(bytes).unwrap(), value);
    let names: ::std::vec::Vec<_> = <Self_ as ::tobu::Message>::descriptor()
        .fields()
        .map(|field| ::std::string::ToString::to_string(field.name()))
        .collect();
    assert_eq!(names, ["type", "Option", "this", "map", "index", "Self_", "some", "none", "ok", "err"]);
}

/// Types, names and numbers passed through a macro.
macro_rules! message {
    ($name:ident { $($field:ident: $ty:ty = $number:literal),* }) => {
        #[derive(Debug, PartialEq, derive::Message, derive::Serialize, derive::Deserialize)]
        #[tobu(package = "derive.hygiene")]
        struct $name { $(#[tobu($number)] $field: $ty),* }
    };
}

message!(FromMacro { a: ::core::primitive::i32 = 1, b: ::core::option::Option<::std::string::String> = 2 });

#[test]
fn through_macro_rules() {
    let value = FromMacro { a: 1, b: ::core::option::Option::Some("x".into()) };
    assert_eq!(::tobu::to_vec(&value).unwrap(), b"\x08\x01\x12\x01x");
    assert_eq!(::tobu::from_slice::<FromMacro>(b"\x08\x01\x12\x01x").unwrap(), value);
}

/// The runtime under another name.
mod renamed {
    pub(super) use ::tobu::__private;
}

#[derive(derive::Message, derive::Serialize, derive::Deserialize)]
#[tobu(crate = "self::renamed", package = "derive.hygiene")]
struct Renamed {
    #[tobu(1)]
    a: ::core::primitive::i32,
}

#[test]
fn another_path_to_the_runtime() {
    assert_eq!(::tobu::to_vec(&Renamed { a: 1 }).unwrap(), b"\x08\x01");
}
