//! A measured task.

/// One thing that libraries do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Task {
    Decode,
    DecodeBorrowed,
    DecodeReuse,
    Encode,
    EncodeReuse,
    SerdeDecode,
    SerdeEncode,
    JsonEncode,
    JsonDecode,
    TextEncode,
    TextDecode,
    DynamicDecode,
    DynamicEncode,
    WireToJson,
    JsonToWire,
    PoolLoad,
    ReflectRead,
    View,
    ViewSome,
}

use Task::*;

impl Task {
    pub const ALL: [Task; 19] = [
        Decode,
        DecodeBorrowed,
        DecodeReuse,
        Encode,
        EncodeReuse,
        SerdeDecode,
        SerdeEncode,
        JsonEncode,
        JsonDecode,
        TextEncode,
        TextDecode,
        DynamicDecode,
        DynamicEncode,
        WireToJson,
        JsonToWire,
        PoolLoad,
        ReflectRead,
        View,
        ViewSome,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Decode => "decode",
            DecodeBorrowed => "decode_borrowed",
            DecodeReuse => "decode_reuse",
            Encode => "encode",
            EncodeReuse => "encode_reuse",
            SerdeDecode => "serde_decode",
            SerdeEncode => "serde_encode",
            JsonEncode => "json_encode",
            JsonDecode => "json_decode",
            TextEncode => "text_encode",
            TextDecode => "text_decode",
            DynamicDecode => "dynamic_decode",
            DynamicEncode => "dynamic_encode",
            WireToJson => "wire_to_json",
            JsonToWire => "json_to_wire",
            PoolLoad => "pool_load",
            ReflectRead => "reflect_read",
            View => "view",
            ViewSome => "view_some",
        }
    }

    /// Its description, for a heading.
    pub fn about(self) -> &'static str {
        match self {
            Decode => "bytes to a message that owns its strings",
            DecodeBorrowed => "bytes to a message whose strings point into them",
            DecodeReuse => "bytes into a message that was used before",
            Encode => "a message to a new Vec",
            EncodeReuse => "a message to a Vec that was used before",
            SerdeDecode => "bytes to a struct with serde's own derives",
            SerdeEncode => "the same back to a new Vec",
            JsonEncode => "a message to ProtoJSON; MiB of JSON",
            JsonDecode => "ProtoJSON to a message; MiB of JSON",
            TextEncode => "a message to the text format, on one line; MiB of text",
            TextDecode => "text over several lines to a message; MiB of text",
            DynamicDecode => "bytes to a message of a schema known at run time",
            DynamicEncode => "the same back to a new Vec",
            WireToJson => "bytes to ProtoJSON over a schema known at run time; MiB of wire",
            JsonToWire => "the same back; MiB of wire",
            PoolLoad => "a descriptor set to a pool that can be used",
            ReflectRead => "a visit of every field of a message by reflection",
            View => "bytes to a message, and every field read by accessors",
            ViewSome => "bytes to a message, and three of its fields read by accessors",
        }
    }

    /// The rate counts bytes of JSON.
    pub fn counts_json(self) -> bool {
        matches!(self, JsonEncode | JsonDecode)
    }

    /// The rate counts bytes of the text format.
    pub fn counts_text(self) -> bool {
        matches!(self, TextEncode | TextDecode)
    }

    /// Neither JSON nor text has unknown fields.
    pub fn drops_unknown(self) -> bool {
        matches!(self, JsonEncode | JsonDecode | WireToJson | JsonToWire | TextEncode | TextDecode)
    }

    /// What tobu is compared with, for each lane.
    pub fn lanes(self) -> &'static [(Lane, &'static str)] {
        match self {
            Decode => &[(Lane::First, "best peer"), (Lane::Second, "google")],
            DecodeBorrowed => &[(Lane::First, "best view"), (Lane::Second, "best with Bytes")],
            SerdeDecode | SerdeEncode => &[(Lane::First, "prost")],
            DynamicDecode | DynamicEncode => {
                &[(Lane::First, "best dynamic"), (Lane::Second, "prost generated")]
            }
            WireToJson | JsonToWire => &[(Lane::First, "best dynamic"), (Lane::Second, "best typed")],
            ReflectRead => &[(Lane::First, "best dynamic"), (Lane::Second, "best typed")],
            PoolLoad => &[(Lane::First, "best pool"), (Lane::Second, "rust-protobuf")],
            View | ViewSome => {
                &[(Lane::First, "best owned"), (Lane::Second, "buffa view"), (Lane::Third, "google")]
            }
            _ => &[(Lane::First, "best peer")],
        }
    }
}

/// Which comparison a library belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    First,
    Second,
    Third,
    /// Shown only.
    Beside,
}
