//! Resolves `google.protobuf.Any` and options through a pool.

use crate::descriptor::{OptionsRef, Pool};
use crate::error::{Error, Result};
use crate::message::dynamic::DynamicMessage;
use crate::message::reflect::Reflect;
use crate::options::DecodeOptions;

/// Returns the message that a `google.protobuf.Any` holds. The `Any` may be typed or dynamic. Its type is looked up in the
/// pool.
///
/// ```
/// # use tobu::{Message, Pool};
/// use tobu::{reflect, types::{Any, Duration}};
///
/// # let _ = Duration::descriptor();
/// let any = Any::pack(&Duration::new(1, 0))?;
/// let message = reflect::unpack_any(any.as_reflect(), &Pool::global())?;
/// assert_eq!(message.absorb::<Duration>()?, Duration::new(1, 0));
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// # Errors
/// The message is not an `Any`, its URL does not name a type in the pool, or its value is malformed.
pub fn unpack_any(any: &dyn Reflect, pool: &Pool) -> Result<DynamicMessage> {
    let descriptor = any.descriptor();
    if descriptor.full_name() != "google.protobuf.Any" {
        let message = format!("the message is a {}, not a google.protobuf.Any", descriptor.full_name());
        return Err(Error::ty(message));
    }
    let (url, value) = (any.get_by_number(1)?, any.get_by_number(2)?);
    unpack(url.as_str().unwrap_or_default(), value.as_bytes().unwrap_or_default(), pool)
}

/// Returns the message in an `Any` with this URL and value.
pub(crate) fn unpack(url: &str, value: &[u8], pool: &Pool) -> Result<DynamicMessage> {
    let name = url.rsplit_once('/').map(|(_, name)| name).filter(|name| !name.is_empty());
    let Some(name) = name else {
        return Err(Error::ty(format!("the type URL {url:?} has no name of a type after a slash")));
    };
    match pool.message(name) {
        Some(descriptor) => DynamicMessage::decode(&descriptor, value),
        None => Err(Error::schema(format!("there is no message named {name:?} in the pool"))),
    }
}

/// Encodes any message.
///
/// # Errors
/// Messages nest deeper than 100 levels, or a required field is not set.
#[cfg(feature = "derive")]
pub(crate) fn encode(message: &dyn Reflect) -> Result<Vec<u8>> {
    message.to_dynamic()?.encode_with(crate::EncodeOptions::new())
}

/// Returns options as a message. The custom options are its extensions.
pub(crate) fn options_message(options: &OptionsRef<'_>, pool: &Pool) -> Result<DynamicMessage> {
    let name = options.message_name();
    #[cfg(feature = "derive")]
    let known = || crate::types::files::DESCRIPTOR.message(name);
    #[cfg(not(feature = "derive"))]
    let known = || None;
    let Some(descriptor) = pool.message(name).or_else(known) else {
        return Err(Error::schema(format!("there is no message named {name:?} in the pool")));
    };
    DynamicMessage::decode_with(&descriptor, options.encoded(), DecodeOptions::new().partial(true))
}
