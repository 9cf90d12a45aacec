//! The messages of the corpus as hand-written structs, once for each pair of derives.

/// Defines all messages in the given packages with the given derives.
macro_rules! corpus_types {
    ($v3:literal, $v2:literal, $($derive:path),+) => {
        use std::collections::HashMap;
        use tobu::UnknownFields;

        #[derive(Clone, Debug, Default, PartialEq, tobu::Message, $($derive),+)]
        #[tobu(package = $v3)]
        pub(crate) struct Scalars {
            #[tobu(1)]
            pub(crate) f_double: f64,
            #[tobu(2)]
            pub(crate) f_float: f32,
            #[tobu(3)]
            pub(crate) f_int32: i32,
            #[tobu(4)]
            pub(crate) f_int64: i64,
            #[tobu(5)]
            pub(crate) f_uint32: u32,
            #[tobu(6)]
            pub(crate) f_uint64: u64,
            #[tobu(7, sint32)]
            pub(crate) f_sint32: i32,
            #[tobu(8, sint64)]
            pub(crate) f_sint64: i64,
            #[tobu(9, fixed32)]
            pub(crate) f_fixed32: u32,
            #[tobu(10, fixed64)]
            pub(crate) f_fixed64: u64,
            #[tobu(11, sfixed32)]
            pub(crate) f_sfixed32: i32,
            #[tobu(12, sfixed64)]
            pub(crate) f_sfixed64: i64,
            #[tobu(13)]
            pub(crate) f_bool: bool,
            #[tobu(14)]
            pub(crate) f_string: String,
            #[tobu(15)]
            pub(crate) f_bytes: Vec<u8>,
            #[tobu(16)]
            pub(crate) f_color: Color,
            #[tobu(unknown)]
            pub(crate) unknown_fields: UnknownFields,
        }

        #[derive(Clone, Debug, Default, PartialEq, tobu::Message, $($derive),+)]
        #[tobu(package = $v3)]
        pub(crate) struct Optionals {
            #[tobu(1)]
            pub(crate) f_double: Option<f64>,
            #[tobu(2)]
            pub(crate) f_float: Option<f32>,
            #[tobu(3)]
            pub(crate) f_int32: Option<i32>,
            #[tobu(4)]
            pub(crate) f_int64: Option<i64>,
            #[tobu(5)]
            pub(crate) f_uint32: Option<u32>,
            #[tobu(6)]
            pub(crate) f_uint64: Option<u64>,
            #[tobu(7, sint32)]
            pub(crate) f_sint32: Option<i32>,
            #[tobu(8, sint64)]
            pub(crate) f_sint64: Option<i64>,
            #[tobu(9, fixed32)]
            pub(crate) f_fixed32: Option<u32>,
            #[tobu(10, fixed64)]
            pub(crate) f_fixed64: Option<u64>,
            #[tobu(11, sfixed32)]
            pub(crate) f_sfixed32: Option<i32>,
            #[tobu(12, sfixed64)]
            pub(crate) f_sfixed64: Option<i64>,
            #[tobu(13)]
            pub(crate) f_bool: Option<bool>,
            #[tobu(14)]
            pub(crate) f_string: Option<String>,
            #[tobu(15)]
            pub(crate) f_bytes: Option<Vec<u8>>,
            #[tobu(16)]
            pub(crate) f_color: Option<Color>,
            #[tobu(unknown)]
            pub(crate) unknown_fields: UnknownFields,
        }

        #[derive(Clone, Debug, Default, PartialEq, tobu::Message, $($derive),+)]
        #[tobu(package = $v3)]
        pub(crate) struct Lists {
            #[tobu(1)]
            pub(crate) f_double: Vec<f64>,
            #[tobu(2)]
            pub(crate) f_float: Vec<f32>,
            #[tobu(3)]
            pub(crate) f_int32: Vec<i32>,
            #[tobu(4)]
            pub(crate) f_int64: Vec<i64>,
            #[tobu(5)]
            pub(crate) f_uint32: Vec<u32>,
            #[tobu(6)]
            pub(crate) f_uint64: Vec<u64>,
            #[tobu(7, sint32)]
            pub(crate) f_sint32: Vec<i32>,
            #[tobu(8, sint64)]
            pub(crate) f_sint64: Vec<i64>,
            #[tobu(9, fixed32)]
            pub(crate) f_fixed32: Vec<u32>,
            #[tobu(10, fixed64)]
            pub(crate) f_fixed64: Vec<u64>,
            #[tobu(11, sfixed32)]
            pub(crate) f_sfixed32: Vec<i32>,
            #[tobu(12, sfixed64)]
            pub(crate) f_sfixed64: Vec<i64>,
            #[tobu(13)]
            pub(crate) f_bool: Vec<bool>,
            #[tobu(14)]
            pub(crate) f_string: Vec<String>,
            #[tobu(15)]
            pub(crate) f_bytes: Vec<Vec<u8>>,
            #[tobu(16)]
            pub(crate) f_color: Vec<Color>,
            #[tobu(17)]
            pub(crate) f_leaf: Vec<Leaf>,
            #[tobu(18, packed = false)]
            pub(crate) f_expanded: Vec<i32>,
            #[tobu(unknown)]
            pub(crate) unknown_fields: UnknownFields,
        }

        #[derive(Clone, Debug, Default, PartialEq, tobu::Message, $($derive),+)]
        #[tobu(package = $v3)]
        pub(crate) struct Maps {
            #[tobu(1)]
            pub(crate) f_int32: HashMap<i32, i32>,
            #[tobu(2)]
            pub(crate) f_int64: HashMap<i64, i64>,
            #[tobu(3)]
            pub(crate) f_uint32: HashMap<u32, u32>,
            #[tobu(4)]
            pub(crate) f_uint64: HashMap<u64, u64>,
            #[tobu(5, key = "sint32", value = "sint32")]
            pub(crate) f_sint32: HashMap<i32, i32>,
            #[tobu(6, key = "sint64", value = "sint64")]
            pub(crate) f_sint64: HashMap<i64, i64>,
            #[tobu(7, key = "fixed32", value = "fixed32")]
            pub(crate) f_fixed32: HashMap<u32, u32>,
            #[tobu(8, key = "fixed64", value = "fixed64")]
            pub(crate) f_fixed64: HashMap<u64, u64>,
            #[tobu(9, key = "sfixed32")]
            pub(crate) f_sfixed32: HashMap<i32, f32>,
            #[tobu(10, key = "sfixed64")]
            pub(crate) f_sfixed64: HashMap<i64, f64>,
            #[tobu(11)]
            pub(crate) f_bool: HashMap<bool, bool>,
            #[tobu(12)]
            pub(crate) f_string: std::collections::BTreeMap<String, String>,
            #[tobu(13)]
            pub(crate) f_bytes: HashMap<String, Vec<u8>>,
            #[tobu(14)]
            pub(crate) f_color: HashMap<String, Color>,
            #[tobu(15)]
            pub(crate) f_leaf: HashMap<String, Leaf>,
            #[tobu(unknown)]
            pub(crate) unknown_fields: UnknownFields,
        }

        #[derive(Clone, Debug, Default, PartialEq, tobu::Message, $($derive),+)]
        #[tobu(package = $v3)]
        pub(crate) struct Choice {
            #[tobu(1)]
            pub(crate) before: String,
            #[tobu(oneof)]
            pub(crate) kind: Option<Kind>,
            #[tobu(8)]
            pub(crate) after: String,
            #[tobu(unknown)]
            pub(crate) unknown_fields: UnknownFields,
        }

        #[derive(Clone, Debug, PartialEq, tobu::Oneof, $($derive),+)]
        pub(crate) enum Kind {
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
        pub(crate) struct Tree {
            #[tobu(1)]
            pub(crate) name: String,
            #[tobu(2)]
            pub(crate) left: Option<Box<Tree>>,
            #[tobu(3)]
            pub(crate) right: Option<Box<Tree>>,
            #[tobu(4)]
            pub(crate) children: Vec<Tree>,
            #[tobu(5)]
            pub(crate) named: HashMap<String, Tree>,
            #[tobu(6)]
            pub(crate) leaf: Option<Leaf>,
            #[tobu(unknown)]
            pub(crate) unknown_fields: UnknownFields,
        }

        #[derive(Clone, Debug, Default, PartialEq, tobu::Message, $($derive),+)]
        #[tobu(package = $v3)]
        pub(crate) struct Leaf {
            #[tobu(1)]
            pub(crate) a: i32,
            #[tobu(2)]
            pub(crate) b: String,
            #[tobu(3)]
            pub(crate) c: Vec<i32>,
            #[tobu(unknown)]
            pub(crate) unknown_fields: UnknownFields,
        }

        #[derive(Clone, Debug, Default, PartialEq, tobu::Message, $($derive),+)]
        #[tobu(package = $v3)]
        pub(crate) struct Numbers {
            #[tobu(1)]
            pub(crate) one: i32,
            #[tobu(15)]
            pub(crate) fifteen: i32,
            #[tobu(16)]
            pub(crate) sixteen: i32,
            #[tobu(2047)]
            pub(crate) two_bytes: i32,
            #[tobu(2048)]
            pub(crate) three_bytes: i32,
            #[tobu(18999)]
            pub(crate) reserved_before: i32,
            #[tobu(20000)]
            pub(crate) reserved_after: i32,
            #[tobu(536870911)]
            pub(crate) largest: i32,
            #[tobu(unknown)]
            pub(crate) unknown_fields: UnknownFields,
        }

        #[derive(Clone, Debug, Default, PartialEq, tobu::Message, $($derive),+)]
        #[tobu(package = $v3)]
        pub(crate) struct Empty {
            #[tobu(unknown)]
            pub(crate) unknown_fields: UnknownFields,
        }

        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, tobu::Enumeration, $($derive),+)]
        #[tobu(package = $v3, values(COLOR_UNSPECIFIED = 0, COLOR_RED = 1, COLOR_GREEN = 2, COLOR_NEGATIVE = -1))]
        pub(crate) struct Color(pub(crate) i32);

        #[derive(Clone, Debug, Default, PartialEq, tobu::Message, $($derive),+)]
        #[tobu(package = $v2)]
        pub(crate) struct Required {
            #[tobu(1, required)]
            pub(crate) id: Option<i32>,
            #[tobu(2, required)]
            pub(crate) name: Option<String>,
            #[tobu(3)]
            pub(crate) child: Option<Box<Required>>,
            #[tobu(4)]
            pub(crate) children: Vec<Required>,
            #[tobu(unknown)]
            pub(crate) unknown_fields: UnknownFields,
        }

        #[derive(Clone, Debug, Default, PartialEq, tobu::Message, $($derive),+)]
        #[tobu(package = $v2)]
        pub(crate) struct Defaults {
            #[tobu(1, default = -7)]
            pub(crate) number: Option<i32>,
            #[tobu(2, default = "a\"b\n")]
            pub(crate) text: Option<String>,
            #[tobu(3)]
            pub(crate) raw: Option<Vec<u8>>,
            #[tobu(4)]
            pub(crate) ratio: Option<f64>,
            #[tobu(5)]
            pub(crate) level: Option<Level>,
            #[tobu(6, default = true)]
            pub(crate) flag: Option<bool>,
            #[tobu(unknown)]
            pub(crate) unknown_fields: UnknownFields,
        }

        #[derive(Clone, Debug, Default, PartialEq, tobu::Message, $($derive),+)]
        #[tobu(package = $v2)]
        pub(crate) struct Closed {
            #[tobu(1)]
            pub(crate) level: Option<Level>,
            #[tobu(2, packed = false)]
            pub(crate) levels: Vec<Level>,
            #[tobu(3)]
            pub(crate) packed_levels: Vec<Level>,
            #[tobu(4)]
            pub(crate) named: HashMap<String, Grade>,
            #[tobu(oneof)]
            pub(crate) kind: Option<Either>,
            #[tobu(unknown)]
            pub(crate) unknown_fields: UnknownFields,
        }

        #[derive(Clone, Debug, PartialEq, tobu::Oneof, $($derive),+)]
        pub(crate) enum Either {
            #[tobu(5)]
            Either(Level),
            #[tobu(6)]
            Or(i32),
        }

        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, tobu::Enumeration, $($derive),+)]
        #[tobu(package = $v2)]
        pub(crate) enum Level {
            #[default]
            Low = 1,
            High = 3,
        }

        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, tobu::Enumeration, $($derive),+)]
        #[tobu(package = $v2)]
        pub(crate) enum Grade {
            #[default]
            None = 0,
            Good = 1,
        }

        #[derive(Clone, Debug, Default, PartialEq, tobu::Message, $($derive),+)]
        #[tobu(package = $v2)]
        pub(crate) struct Groups {
            #[tobu(1, delimited)]
            pub(crate) single: Option<Box<Single>>,
            #[tobu(3, delimited)]
            pub(crate) many: Vec<Many>,
            #[tobu(5)]
            pub(crate) after: Option<i32>,
            #[tobu(unknown)]
            pub(crate) unknown_fields: UnknownFields,
        }

        #[derive(Clone, Debug, Default, PartialEq, tobu::Message, $($derive),+)]
        #[tobu(package = $v2)]
        pub(crate) struct Single {
            #[tobu(1)]
            pub(crate) a: Option<i32>,
            #[tobu(2)]
            pub(crate) nested: Option<Groups>,
            #[tobu(unknown)]
            pub(crate) unknown_fields: UnknownFields,
        }

        #[derive(Clone, Debug, Default, PartialEq, tobu::Message, $($derive),+)]
        #[tobu(package = $v2)]
        pub(crate) struct Many {
            #[tobu(1)]
            pub(crate) b: Option<String>,
            #[tobu(unknown)]
            pub(crate) unknown_fields: UnknownFields,
        }
    };
}

/// With tobu's own derives.
pub(crate) mod derived {
    corpus_types!("derived.v3", "derived.v2", tobu::Serialize, tobu::Deserialize);
}

/// With serde's own derives.
pub(crate) mod plain {
    corpus_types!("plain.v3", "plain.v2", serde::Serialize, serde::Deserialize);
}
