//! Creates update masks. An update mask lists the fields of a resource that are in the body of a PATCH request.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use tobu::{FieldDescriptor, MessageDescriptor};

use crate::error::{Error, Result};
use crate::route::RequestBody;
use crate::router::Match;
use crate::value;

/// Writes a mask with the paths of all members of the body. Writes nothing if the body is blank or is not the resource.
///
/// The mask leaves out fields that the URL sets, because they identify the resource, and members that are no fields.
///
/// # Errors
/// The body is not JSON.
pub(super) fn write(
    found: &Match<'_, '_>,
    mask: &FieldDescriptor,
    body: &[u8],
    out: &mut Vec<u8>,
) -> Result<()> {
    let route = found.route();
    let RequestBody::Field(resource) = &route.body else { return Ok(()) };
    let Some(message) = resource.message_type() else { return Ok(()) };
    if body.iter().all(u8::is_ascii_whitespace) {
        return Ok(());
    }
    let mut paths = Vec::new();
    let mut json = serde_json::Deserializer::from_slice(body);
    Members { message: &message, prefix: "", paths: &mut paths }
        .deserialize(&mut json)
        .map_err(|error| Error::argument(format!("the body: {error}")))?;
    paths.sort_unstable();
    paths.dedup();
    let is_bound = |path: &String| {
        route.bindings().any(|(variable, _)| {
            let inside = variable.field_path().strip_prefix(resource.name());
            inside.and_then(|inside| inside.strip_prefix('.')) == Some(path)
        })
    };
    let start = out.len();
    for path in paths.iter().filter(|path| !is_bound(path)) {
        value::len_prefixed(1, path.as_bytes(), true, out);
    }
    if out.len() > start {
        value::wrap(mask, start, out);
    }
    Ok(())
}

/// Collects the paths of the members of an object.
struct Members<'a> {
    message: &'a MessageDescriptor,
    /// The path of the object, with a dot at its end. It is empty for the resource.
    prefix: &'a str,
    paths: &'a mut Vec<String>,
}

impl Members<'_> {
    /// Adds the path of the object itself, which selects the whole message. Does nothing for the resource.
    fn whole(self) {
        if let Some(path) = self.prefix.strip_suffix('.') {
            self.paths.push(path.to_owned());
        }
    }
}

impl<'de> DeserializeSeed<'de> for Members<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Members<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut is_empty = true;
        while let Some(name) = map.next_key::<String>()? {
            is_empty = false;
            let field = self.message.field_by_json_name(&name).or_else(|| self.message.field_by_name(&name));
            let Some(field) = field else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            let path = format!("{}{}", self.prefix, field.name());
            match nested(&field) {
                Some(message) => {
                    let prefix = format!("{path}.");
                    map.next_value_seed(Members { message: &message, prefix: &prefix, paths: self.paths })?;
                }
                None => {
                    map.next_value::<IgnoredAny>()?;
                    self.paths.push(path);
                }
            }
        }
        if is_empty {
            self.whole();
        }
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.whole();
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        self.whole();
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        self.whole();
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        self.whole();
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        self.whole();
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        self.whole();
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        self.whole();
        Ok(())
    }
}

/// Returns the message type of a field if a path of a mask can name fields inside the field. Returns `None` for a list, a map,
/// a scalar, or a message of `google.protobuf`, most of which have a special JSON form. `Empty` has none.
fn nested(field: &FieldDescriptor) -> Option<MessageDescriptor> {
    let message = field.message_type().filter(|_| !field.is_list() && !field.is_map())?;
    let name = message.full_name();
    let own_form = name.starts_with("google.protobuf.") && name != "google.protobuf.Empty";
    (!own_form).then_some(message)
}
