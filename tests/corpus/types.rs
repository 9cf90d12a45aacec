//! The messages of the corpus as hand-written structs, once for each pair of derives.

/// Defines all messages in the given packages with the given derives.
macro_rules! corpus_types {
    ($v3:literal, $v2:literal, $($derive:path),+) => {
        use std::collections::HashMap;
        use tobu::UnknownFields;

        #[derive(Clone, Debug, Default, PartialEq, tobu::Message, $($derive),+)]
        #[tobu(package = $v3)]
        pub struct Scalars {
            #[tobu(1)]
            pub f_double: f64,
            #[tobu(2)]
            pub f_float: f32,
            #[tobu(3)]
            pub f_int32: i32,
            #[tobu(4)]
            pub f_int64: i64,
            #[tobu(5)]
            pub f_uint32: u32,
            #[tobu(6)]
            pub f_uint64: u64,
            #[tobu(7, sint32)]
            pub f_sint32: i32,
            #[tobu(8, sint64)]
            pub f_sint64: i64,
            #[tobu(9, fixed32)]
            pub f_fixed32: u32,
            #[tobu(10, fixed64)]
            pub f_fixed64: u64,
            #[tobu(11, sfixed32)]
            pub f_sfixed32: i32,
            #[tobu(12, sfixed64)]
            pub f_sfixed64: i64,
            #[tobu(13)]
            pub f_bool: bool,
            #[tobu(14)]
            pub f_string: String,
            #[tobu(15)]
            pub f_bytes: Vec<u8>,
            #[tobu(16)]
            pub f_color: Color,
            #[tobu(unknown)]
            pub unknown_fields: UnknownFields,
        }

        #[derive(Clone, Debug, Default, PartialEq, tobu::Message, $($derive),+)]
        #[tobu(package = $v3)]
        pub struct Optionals {
            #[tobu(1)]
            pub f_double: Option<f64>,
            #[tobu(2)]
            pub f_float: Option<f32>,
            #[tobu(3)]
            pub f_int32: Option<i32>,
            #[tobu(4)]
            pub f_int64: Option<i64>,
            #[tobu(5)]
            pub f_uint32: Option<u32>,
            #[tobu(6)]
            pub f_uint64: Option<u64>,
            #[tobu(7, sint32)]
            pub f_sint32: Option<i32>,
            #[tobu(8, sint64)]
            pub f_sint64: Option<i64>,
            #[tobu(9, fixed32)]
            pub f_fixed32: Option<u32>,
            #[tobu(10, fixed64)]
            pub f_fixed64: Option<u64>,
            #[tobu(11, sfixed32)]
            pub f_sfixed32: Option<i32>,
            #[tobu(12, sfixed64)]
            pub f_sfixed64: Option<i64>,
            #[tobu(13)]
            pub f_bool: Option<bool>,
            #[tobu(14)]
            pub f_string: Option<String>,
            #[tobu(15)]
            pub f_bytes: Option<Vec<u8>>,
            #[tobu(16)]
            pub f_color: Option<Color>,
            #[tobu(unknown)]
            pub unknown_fields: UnknownFields,
        }

        #[derive(Clone, Debug, Default, PartialEq, tobu::Message, $($derive),+)]
        #[tobu(package = $v3)]
        pub struct Lists {
            #[tobu(1)]
            pub f_double: Vec<f64>,
            #[tobu(2)]
            pub f_float: Vec<f32>,
            #[tobu(3)]
            pub f_int32: Vec<i32>,
            #[tobu(4)]
            pub f_int64: Vec<i64>,
            #[tobu(5)]
            pub f_uint32: Vec<u32>,
            #[tobu(6)]
            pub f_uint64: Vec<u64>,
            #[tobu(7, sint32)]
            pub f_sint32: Vec<i32>,
            #[tobu(8, sint64)]
            pub f_sint64: Vec<i64>,
            #[tobu(9, fixed32)]
            pub f_fixed32: Vec<u32>,
            #[tobu(10, fixed64)]
            pub f_fixed64: Vec<u64>,
            #[tobu(11, sfixed32)]
            pub f_sfixed32: Vec<i32>,
            #[tobu(12, sfixed64)]
            pub f_sfixed64: Vec<i64>,
            #[tobu(13)]
            pub f_bool: Vec<bool>,
            #[tobu(14)]
            pub f_string: Vec<String>,
            #[tobu(15)]
            pub f_bytes: Vec<Vec<u8>>,
            #[tobu(16)]
            pub f_color: Vec<Color>,
            #[tobu(17)]
            pub f_leaf: Vec<Leaf>,
            #[tobu(18, packed = false)]
            pub f_expanded: Vec<i32>,
            #[tobu(unknown)]
            pub unknown_fields: UnknownFields,
        }

        #[derive(Clone, Debug, Default, PartialEq, tobu::Message, $($derive),+)]
        #[tobu(package = $v3)]
        pub struct Maps {
            #[tobu(1)]
            pub f_int32: HashMap<i32, i32>,
            #[tobu(2)]
            pub f_int64: HashMap<i64, i64>,
            #[tobu(3)]
            pub f_uint32: HashMap<u32, u32>,
            #[tobu(4)]
            pub f_uint64: HashMap<u64, u64>,
            #[tobu(5, key = "sint32", value = "sint32")]
            pub f_sint32: HashMap<i32, i32>,
            #[tobu(6, key = "sint64", value = "sint64")]
            pub f_sint64: HashMap<i64, i64>,
            #[tobu(7, key = "fixed32", value = "fixed32")]
            pub f_fixed32: HashMap<u32, u32>,
            #[tobu(8, key = "fixed64", value = "fixed64")]
            pub f_fixed64: HashMap<u64, u64>,
            #[tobu(9, key = "sfixed32")]
            pub f_sfixed32: HashMap<i32, f32>,
            #[tobu(10, key = "sfixed64")]
            pub f_sfixed64: HashMap<i64, f64>,
            #[tobu(11)]
            pub f_bool: HashMap<bool, bool>,
            #[tobu(12)]
            pub f_string: std::collections::BTreeMap<String, String>,
            #[tobu(13)]
            pub f_bytes: HashMap<String, Vec<u8>>,
            #[tobu(14)]
            pub f_color: HashMap<String, Color>,
            #[tobu(15)]
            pub f_leaf: HashMap<String, Leaf>,
            #[tobu(unknown)]
            pub unknown_fields: UnknownFields,
        }

        #[derive(Clone, Debug, Default, PartialEq, tobu::Message, $($derive),+)]
        #[tobu(package = $v3)]
        pub struct Choice {
            #[tobu(1)]
            pub before: String,
            #[tobu(oneof)]
            pub kind: Option<Kind>,
            #[tobu(8)]
            pub after: String,
            #[tobu(unknown)]
            pub unknown_fields: UnknownFields,
        }

        #[derive(Clone, Debug, PartialEq, tobu::Oneof, $($derive),+)]
        pub enum Kind {
            #[tobu(2)]
            Number(i32),
            #[tobu(3)]
            Text(String),
            #[tobu(4)]
            Raw(Vec<u8>),
            #[tobu(5)]
            Leaf(Leaf),
            #[tobu(6)]
            Color(Color),
            #[tobu(7, sint64)]
            Zigzag(i64),
        }

        #[derive(Clone, Debug, Default, PartialEq, tobu::Message, $($derive),+)]
        #[tobu(package = $v3)]
        pub struct Tree {
            #[tobu(1)]
            pub name: String,
            #[tobu(2)]
            pub left: Option<Box<Tree>>,
            #[tobu(3)]
            pub right: Option<Box<Tree>>,
            #[tobu(4)]
            pub children: Vec<Tree>,
            #[tobu(5)]
            pub named: HashMap<String, Tree>,
            #[tobu(6)]
            pub leaf: Option<Leaf>,
            #[tobu(unknown)]
            pub unknown_fields: UnknownFields,
        }

        #[derive(Clone, Debug, Default, PartialEq, tobu::Message, $($derive),+)]
        #[tobu(package = $v3)]
        pub struct Leaf {
            #[tobu(1)]
            pub a: i32,
            #[tobu(2)]
            pub b: String,
            #[tobu(3)]
            pub c: Vec<i32>,
            #[tobu(unknown)]
            pub unknown_fields: UnknownFields,
        }

        #[derive(Clone, Debug, Default, PartialEq, tobu::Message, $($derive),+)]
        #[tobu(package = $v3)]
        pub struct Numbers {
            #[tobu(1)]
            pub one: i32,
            #[tobu(15)]
            pub fifteen: i32,
            #[tobu(16)]
            pub sixteen: i32,
            #[tobu(2047)]
            pub two_bytes: i32,
            #[tobu(2048)]
            pub three_bytes: i32,
            #[tobu(18999)]
            pub reserved_before: i32,
            #[tobu(20000)]
            pub reserved_after: i32,
            #[tobu(536870911)]
            pub largest: i32,
            #[tobu(unknown)]
            pub unknown_fields: UnknownFields,
        }

        #[derive(Clone, Debug, Default, PartialEq, tobu::Message, $($derive),+)]
        #[tobu(package = $v3)]
        pub struct Empty {
            #[tobu(unknown)]
            pub unknown_fields: UnknownFields,
        }

        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, tobu::Enumeration, $($derive),+)]
        #[tobu(package = $v3, values(COLOR_UNSPECIFIED = 0, COLOR_RED = 1, COLOR_GREEN = 2, COLOR_NEGATIVE = -1))]
        pub struct Color(pub i32);

        #[derive(Clone, Debug, Default, PartialEq, tobu::Message, $($derive),+)]
        #[tobu(package = $v2)]
        pub struct Required {
            #[tobu(1, required)]
            pub id: Option<i32>,
            #[tobu(2, required)]
            pub name: Option<String>,
            #[tobu(3)]
            pub child: Option<Box<Required>>,
            #[tobu(4)]
            pub children: Vec<Required>,
            #[tobu(unknown)]
            pub unknown_fields: UnknownFields,
        }

        #[derive(Clone, Debug, Default, PartialEq, tobu::Message, $($derive),+)]
        #[tobu(package = $v2)]
        pub struct Defaults {
            #[tobu(1, default = -7)]
            pub number: Option<i32>,
            #[tobu(2, default = "a\"b\n")]
            pub text: Option<String>,
            #[tobu(3)]
            pub raw: Option<Vec<u8>>,
            #[tobu(4)]
            pub ratio: Option<f64>,
            #[tobu(5)]
            pub level: Option<Level>,
            #[tobu(6, default = true)]
            pub flag: Option<bool>,
            #[tobu(unknown)]
            pub unknown_fields: UnknownFields,
        }

        #[derive(Clone, Debug, Default, PartialEq, tobu::Message, $($derive),+)]
        #[tobu(package = $v2)]
        pub struct Closed {
            #[tobu(1)]
            pub level: Option<Level>,
            #[tobu(2, packed = false)]
            pub levels: Vec<Level>,
            #[tobu(3)]
            pub packed_levels: Vec<Level>,
            #[tobu(4)]
            pub named: HashMap<String, Level>,
            #[tobu(oneof)]
            pub kind: Option<Either>,
            #[tobu(unknown)]
            pub unknown_fields: UnknownFields,
        }

        #[derive(Clone, Debug, PartialEq, tobu::Oneof, $($derive),+)]
        pub enum Either {
            #[tobu(5)]
            Either(Level),
            #[tobu(6)]
            Or(i32),
        }

        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, tobu::Enumeration, $($derive),+)]
        #[tobu(package = $v2)]
        pub enum Level {
            #[default]
            Low = 1,
            High = 3,
        }

        #[derive(Clone, Debug, Default, PartialEq, tobu::Message, $($derive),+)]
        #[tobu(package = $v2)]
        pub struct Groups {
            #[tobu(1, delimited)]
            pub single: Option<Box<Single>>,
            #[tobu(3, delimited)]
            pub many: Vec<Many>,
            #[tobu(5)]
            pub after: Option<i32>,
            #[tobu(unknown)]
            pub unknown_fields: UnknownFields,
        }

        #[derive(Clone, Debug, Default, PartialEq, tobu::Message, $($derive),+)]
        #[tobu(package = $v2)]
        pub struct Single {
            #[tobu(1)]
            pub a: Option<i32>,
            #[tobu(2)]
            pub nested: Option<Groups>,
            #[tobu(unknown)]
            pub unknown_fields: UnknownFields,
        }

        #[derive(Clone, Debug, Default, PartialEq, tobu::Message, $($derive),+)]
        #[tobu(package = $v2)]
        pub struct Many {
            #[tobu(1)]
            pub b: Option<String>,
            #[tobu(unknown)]
            pub unknown_fields: UnknownFields,
        }
    };
}

/// With tobu's own derives.
pub mod derived {
    corpus_types!("derived.v3", "derived.v2", tobu::Serialize, tobu::Deserialize);
}

/// With serde's own derives.
pub mod plain {
    corpus_types!("plain.v3", "plain.v2", serde::Serialize, serde::Deserialize);
}
