//! Messages that nest in every way there is, once for each pair of derives.

/// Defines the messages in a package with the given derives.
macro_rules! messages {
    ($package:literal, $($derive:path),+) => {
        use std::collections::HashMap;
        use tobu::UnknownFields;

        /// Recursive through a member, a list, a map, a group and a oneof.
        #[derive(Clone, Debug, Default, PartialEq, tobu::Message, $($derive),+)]
        #[tobu(package = $package)]
        pub(crate) struct Deep {
            #[tobu(1)]
            pub(crate) one: Option<Box<Deep>>,
            #[tobu(2)]
            pub(crate) list: Vec<Deep>,
            #[tobu(3)]
            pub(crate) map: HashMap<i32, Deep>,
            #[tobu(4, delimited)]
            pub(crate) group: Option<Box<Deep>>,
            #[tobu(oneof)]
            pub(crate) kind: Option<Kind>,
            #[tobu(7)]
            pub(crate) count: i32,
            #[tobu(unknown)]
            pub(crate) unknown_fields: UnknownFields,
        }

        #[derive(Clone, Debug, PartialEq, tobu::Oneof, $($derive),+)]
        pub(crate) enum Kind {
            #[tobu(5)]
            Chosen(Box<Deep>),
            #[tobu(6)]
            Number(i32),
        }

        /// Has unknown fields, and so does its child.
        #[derive(Clone, Debug, Default, PartialEq, tobu::Message, $($derive),+)]
        #[tobu(package = $package)]
        pub(crate) struct Parent {
            #[tobu(1)]
            pub(crate) levels: Vec<Level>,
            #[tobu(2)]
            pub(crate) child: Option<Child>,
            #[tobu(3)]
            pub(crate) last: i32,
            #[tobu(4)]
            pub(crate) named: HashMap<i32, Level>,
            #[tobu(5)]
            pub(crate) children: Vec<Child>,
            #[tobu(6)]
            pub(crate) titled: HashMap<String, Level>,
            #[tobu(unknown)]
            pub(crate) unknown_fields: UnknownFields,
        }

        #[derive(Clone, Debug, Default, PartialEq, tobu::Message, $($derive),+)]
        #[tobu(package = $package)]
        pub(crate) struct Child {
            #[tobu(1)]
            pub(crate) a: i32,
            #[tobu(2)]
            pub(crate) levels: Vec<Level>,
            #[tobu(unknown)]
            pub(crate) unknown_fields: UnknownFields,
        }

        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, tobu::Enumeration, $($derive),+)]
        #[tobu(package = $package)]
        pub(crate) enum Level {
            #[default]
            None = 0,
            High = 3,
        }

        /// Encoding it fails, except with `partial`.
        #[derive(Clone, Debug, Default, PartialEq, tobu::Message, $($derive),+)]
        #[tobu(package = $package)]
        pub(crate) struct Strict {
            #[tobu(1, required)]
            pub(crate) id: Option<i32>,
            #[tobu(2)]
            pub(crate) inner: Option<Box<Strict>>,
            #[tobu(3)]
            pub(crate) note: String,
        }
    };
}

/// With tobu's own derives.
pub(crate) mod derived {
    messages!("derived.hostile", tobu::Serialize, tobu::Deserialize);
}

/// With serde's own derives.
pub(crate) mod plain {
    messages!("plain.hostile", serde::Serialize, serde::Deserialize);
}

/// Twice a number that a type with serde's derives takes once: the rest is read grouped.
pub(crate) const REGROUP: &[u8] = &[0x38, 1, 0x38, 1];
