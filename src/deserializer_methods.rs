//! Lists the methods of `serde::Deserializer`, for macros that implement them.

/// Applies a macro to methods of `serde::Deserializer`. `common` are the methods for members of messages, `rare` are the other
/// ones, and `all` are both. `deserialize_any` and the methods for options and newtypes are not in the lists.
macro_rules! deserializer_methods {
    ($apply:ident! common) => {
        $apply! {
            deserialize_bool();
            deserialize_i32();
            deserialize_i64();
            deserialize_u32();
            deserialize_u64();
            deserialize_f32();
            deserialize_f64();
            deserialize_str();
            deserialize_string();
            deserialize_bytes();
            deserialize_byte_buf();
            deserialize_seq();
            deserialize_struct(name: &'static str, members: &'static [&'static str]);
        }
    };
    ($apply:ident! rare) => {
        $apply! {
            deserialize_i8();
            deserialize_i16();
            deserialize_i128();
            deserialize_u8();
            deserialize_u16();
            deserialize_u128();
            deserialize_char();
            deserialize_unit();
            deserialize_unit_struct(name: &'static str);
            deserialize_tuple(len: usize);
            deserialize_tuple_struct(name: &'static str, len: usize);
            deserialize_map();
            deserialize_enum(name: &'static str, variants: &'static [&'static str]);
            deserialize_identifier();
            deserialize_ignored_any();
        }
    };
    ($apply:ident! all) => {
        deserializer_methods!($apply! common);
        deserializer_methods!($apply! rare);
    };
}
pub(crate) use deserializer_methods;
