//! Checks whether a Rust type can hold a field of the schema. A [`Storage`] is the form of one member, for example a
//! `Vec<u8>`.

use super::{Kind, Shape};
use crate::error::{Error, Result};
use crate::layout::{Absent, Storage, TypeShape};
use std::borrow::Cow;

/// Checks that a Rust type can hold a field of the schema.
///
/// # Errors
/// The type cannot hold the field.
pub(crate) fn check(storage: Storage, shape: Shape, kind: Kind, key: Option<Kind>) -> Result<()> {
    if storage.boxes_many() {
        return Err(Error::schema(Storage::BOXES_MANY));
    }
    let fits = match (shape, storage.ty()) {
        (Shape::List, TypeShape::List(element)) => single_fits(element.ty(), kind),
        (Shape::Map, TypeShape::Map(k, v)) => {
            key.is_some_and(|key| single_fits(k.ty(), key)) && single_fits(v.ty(), kind)
        }
        (Shape::Singular, TypeShape::Option(inner)) => single_fits(inner.ty(), kind),
        (Shape::Singular, single) => single_fits(single, kind),
        _ => false,
    };
    if fits {
        return Ok(());
    }
    let wanted = match (shape, key) {
        (Shape::List, _) => format!("repeated {}", kind.as_str()),
        (Shape::Map, Some(key)) => format!("map<{}, {}>", key.as_str(), kind.as_str()),
        _ => kind.as_str().to_owned(),
    };
    Err(Error::schema(format!(
        "the field is a {wanted} in the schema, but the Rust type is {}",
        rust_name(storage)
    )))
}

/// If a type has a conversion, checks the value that the conversion gives for an absent field. Returns true if the field is
/// required, because the conversion gives no such value, but an initial value that decoding replaces.
///
/// # Errors
/// The conversion gives neither a value nor an initial value for an absent field, or gives a value, other than a message, that
/// an encoder would write.
pub(crate) fn check_conversion(storage: Storage, in_oneof: bool) -> Result<bool> {
    let value = if let Storage::Map(functions) = storage { functions.value } else { storage };
    if let Storage::Number(functions) = value.leaf()
        && matches!((functions.conversion.absent)(), Absent::Nothing)
    {
        // The decoder first creates the Rust value from zero or from `initial`, and then replaces it by the decoded value,
        // also in an option, a list, a map or a oneof.
        return Err(Error::schema(
            "the conversion does not accept zero, so it needs an `initial` value, which decoding replaces",
        ));
    }
    let (conversion, is_text) = match (storage, storage.conversion()) {
        (_, None) => return Ok(false),
        // An unset field of a oneof needs no value.
        (Storage::Number(_) | Storage::Made(_), _) if in_oneof => return Ok(false),
        (Storage::Number(_), Some(conversion)) => (conversion, false),
        // An absent option, list or map is empty, so it needs no value from the conversion.
        (Storage::Made(functions), Some(conversion)) => match functions.proto {
            Storage::Option(_) | Storage::List(_) | Storage::Map(_) => return Ok(false),
            _ => (conversion, false),
        },
        (_, Some(conversion)) if storage.is_text() => (conversion, true),
        _ => return Ok(false),
    };
    match (conversion.absent)() {
        // A message without an `Option` is always written, so its default value need not be empty.
        Absent::Set if matches!(storage.proto(), Storage::Message(_)) => Ok(false),
        Absent::Set if is_text => Err(Error::schema(
            "the conversion does not convert the default value of the Rust type, which an absent field has, to an empty value",
        )),
        Absent::Set => Err(Error::schema(
            "the conversion does not convert the value of an absent field to zero or to an empty value",
        )),
        Absent::Nothing => Err(Error::schema(
            "the conversion has no value for an absent field: write an `Option`, or give the conversion an `initial` value, with \
             which the field is required",
        )),
        Absent::Unset => Ok(false),
        Absent::Initial => Ok(true),
    }
}

fn single_fits(ty: TypeShape, kind: Kind) -> bool {
    use TypeShape as T;
    match kind {
        Kind::Double => matches!(ty, T::F64),
        Kind::Float => matches!(ty, T::F32),
        Kind::Int32 | Kind::SInt32 | Kind::SFixed32 => matches!(ty, T::I32),
        Kind::Int64 | Kind::SInt64 | Kind::SFixed64 => matches!(ty, T::I64),
        Kind::UInt32 | Kind::Fixed32 => matches!(ty, T::U32),
        Kind::UInt64 | Kind::Fixed64 => matches!(ty, T::U64),
        Kind::Bool => matches!(ty, T::Bool),
        // A `string` field that need not be UTF-8 can contain any bytes.
        Kind::String => matches!(ty, T::Str | T::Bytes),
        Kind::Bytes => matches!(ty, T::Bytes | T::Str),
        Kind::Enum => matches!(ty, T::Enum(_) | T::I32),
        Kind::Message | Kind::Group => matches!(ty, T::Message(_)),
    }
}

fn rust_name(storage: Storage) -> Cow<'static, str> {
    let name = match storage.ty() {
        TypeShape::Bool => "bool",
        TypeShape::I32 => "i32",
        TypeShape::I64 => "i64",
        TypeShape::U32 => "u32",
        TypeShape::U64 => "u64",
        TypeShape::F32 => "f32",
        TypeShape::F64 => "f64",
        TypeShape::Str => "a string",
        TypeShape::Bytes => "a byte string",
        TypeShape::Enum(shape) => shape().rust_name(),
        TypeShape::Message(shape) => shape().rust_name(),
        TypeShape::Option(inner) => return format!("an option of {}", rust_name(inner)).into(),
        TypeShape::List(element) => return format!("a list of {}", rust_name(element)).into(),
        TypeShape::Map(key, value) => {
            return format!("a map from {} to {}", rust_name(key), rust_name(value)).into();
        }
    };
    name.into()
}
