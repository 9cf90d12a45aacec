//! The operations on a message in one of the formats, by each path of the library.

use crate::family::{Outcome, Run, Verb};
use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;
use std::fmt::Debug;
use std::hash::DefaultHasher;
use tobu::convert::WireToJson;
use tobu::reflect::Visit;
use tobu::sink::{Flow, Plan, Sink};
use tobu::{
    DecodeOptions, DynamicMessage, Element, ElementDecoder, Elements, EncodeOptions, Merge, Message,
    MessageDescriptor, MessageDescriptorExt, MessageReader, Parsed, Reflect, UnknownFields, convert, json,
    text,
};

/// A type with tobu's derives.
pub(crate) trait Derived:
    Message + Serialize + DeserializeOwned + Debug + Clone + Default + PartialEq + for<'de> Merge<'de> + 'static
{
}

impl<T> Derived for T where
    T: Message
        + Serialize
        + DeserializeOwned
        + Debug
        + Clone
        + Default
        + PartialEq
        + for<'de> Merge<'de>
        + 'static
{
}

/// A type with serde's derives.
pub(crate) trait Plain: Message + Serialize + DeserializeOwned + 'static {}

impl<T: Message + Serialize + DeserializeOwned + 'static> Plain for T {}

/// The outcome of something that gives no bytes.
fn nothing<T, E: ToString>(result: Result<T, E>) -> Outcome {
    result.map(|_| 0).map_err(|error| error.to_string())
}

/// The outcome of something that writes.
fn bytes<T: AsRef<[u8]>, E: ToString>(result: Result<T, E>) -> Outcome {
    result.map(|made| made.as_ref().len()).map_err(|error| error.to_string())
}

fn run<'a>(run: impl FnOnce() -> Outcome + 'a) -> Option<Run<'a>> {
    Some(Box::new(run))
}

fn str(input: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(input).map_err(|error| error.to_string())
}

/// A table of verbs.
macro_rules! verbs {
    ($($name:literal => $prepare:expr;)*) => {
        vec![$(Verb { name: $name, prepare: $prepare }),*]
    };
}

/// Counts what a sink is given.
struct Count(usize);

impl<'a> Sink<'a> for Count {
    fn bytes(&mut self, _: u32, value: &'a [u8]) -> Flow {
        self.0 += value.len();
        Ok(())
    }

    fn i64s(&mut self, _: u32, values: &[i64]) -> Flow {
        self.0 += values.len();
        Ok(())
    }

    fn end(&mut self, _: u32) -> Flow {
        self.0 += 1;
        Ok(())
    }
}

/// The paths to all fields, some levels deep.
fn paths(message: &MessageDescriptor, depth: usize) -> Vec<String> {
    let mut all = Vec::new();
    for field in message.fields() {
        let path = match field.is_list() || field.is_map() {
            true => format!("{}[]", field.name()),
            false => field.name().to_owned(),
        };
        if let Some(inside) = field.message_type().filter(|_| depth > 0) {
            all.extend(paths(&inside, depth - 1).iter().map(|inside| format!("{path}.{inside}")));
        }
        all.push(path);
    }
    all
}

/// Reads wire bytes, into a new message and into a used one.
pub(crate) fn wire<D: Derived>() -> Vec<Verb> {
    verbs! {
        "from_slice" => |wire| run(move || nothing(tobu::from_slice::<D>(wire)));
        "from_bytes" => |wire| {
            let shared = bytes::Bytes::copy_from_slice(wire);
            run(move || nothing(tobu::from_bytes::<D>(&shared)))
        };
        "Parsed::decode" => |wire| run(move || nothing(Parsed::<D>::decode(wire)));
        "Parsed::decode_bytes" => |wire| {
            let shared = bytes::Bytes::copy_from_slice(wire);
            run(move || nothing(Parsed::<D>::decode_bytes(shared)))
        };
        "Parsed, written" => |wire| {
            let message = Parsed::<D>::decode(wire).ok()?;
            run(move || bytes(message.encode_to_vec()))
        };
        "Parsed, to a struct" => |wire| {
            let message = Parsed::<D>::decode(wire).ok()?;
            run(move || nothing(message.to_message()))
        };
        "Parsed, compared" => |wire| {
            let (one, other) = (Parsed::<D>::decode(wire).ok()?, Parsed::<D>::decode(wire).ok()?);
            run(move || Ok(usize::from(one == other)))
        };
        "from_slice_in_place" => |wire| {
            let mut message = decoded::<D>(wire).unwrap_or_default();
            run(move || nothing(tobu::from_slice_in_place(&mut message, wire)))
        };
        "merge" => |wire| {
            let mut message = decoded::<D>(wire).unwrap_or_default();
            run(move || nothing(tobu::merge(&mut message, wire)))
        };
        "MessageReader" => |wire| {
            let mut stream = tobu::wire::Writer::new();
            stream.len_prefixed(wire);
            let stream = stream.finish().ok()?;
            run(move || nothing(MessageReader::<_, D>::new(&stream[..]).next().expect("a message")))
        };
        "MessageReader::read_into" => |wire| {
            let mut message = decoded::<D>(wire).unwrap_or_default();
            let mut stream = tobu::wire::Writer::new();
            stream.len_prefixed(wire);
            let stream = stream.finish().ok()?;
            run(move || nothing(MessageReader::new(&stream[..]).read_into(&mut message)))
        };
        "a part" => |wire| {
            tobu::from_slice::<D>(wire).ok()?;
            let field = D::descriptor().fields().last()?;
            let part = D::descriptor().project(&[field.name()]).ok()?;
            run(move || nothing(DecodeOptions::new().fields(&part).from_slice::<D>(wire)))
        };
        "a part, validated" => |wire| {
            let field = D::descriptor().fields().next()?;
            let part = D::descriptor().project(&[field.name()]).ok()?.validate(true);
            run(move || nothing(part.decode(wire)))
        };
        "a sink" => |wire| {
            tobu::from_slice::<D>(wire).ok()?;
            let plan = Plan::new(&D::descriptor(), &paths(&D::descriptor(), 2)).ok()?;
            run(move || {
                let mut count = Count(0);
                plan.read(wire, &mut count).map_err(|error| error.to_string())?;
                Ok(count.0)
            })
        };
        "elements" => |wire| {
            tobu::from_slice::<D>(wire).ok()?;
            let field = D::descriptor().fields().find(|field| field.is_list() || field.is_map())?;
            let mut elements = Elements::<_, Element>::new(wire, &D::descriptor(), field.name()).ok()?;
            run(move || nothing(elements.try_for_each(|element| element.map(drop))))
        };
        "elements in chunks" => |wire| {
            tobu::from_slice::<D>(wire).ok()?;
            let field = D::descriptor().fields().find(|field| field.is_list() || field.is_map())?;
            let mut elements = ElementDecoder::new(&D::descriptor(), field.name()).ok()?;
            run(move || {
                for chunk in wire.chunks(16) {
                    elements.push(chunk);
                    while elements.next_element::<Element>().map_err(|error| error.to_string())?.is_some() {}
                }
                elements.finish();
                nothing(elements.next_element::<Element>())
            })
        };
        "dynamic decode" => |wire| run(move || nothing(DynamicMessage::decode(&D::descriptor(), wire)));
        "dynamic merge" => |wire| {
            let message = DynamicMessage::decode_with(&D::descriptor(), wire, DecodeOptions::new().partial(true));
            let mut message = message.or_else(|_| DynamicMessage::new(&D::descriptor())).ok()?;
            run(move || nothing(message.merge(wire)))
        };
        "merge seen through its descriptor" => |wire| {
            let mut message = decoded::<D>(wire).unwrap_or_default();
            run(move || nothing(message.as_reflect_mut().merge(wire)))
        };
        "a tree" => |wire| run(move || nothing(D::descriptor().decode::<Value>(wire)));
        "what is ignored" => |wire| run(move || nothing(D::descriptor().decode::<IgnoredAny>(wire)));
    }
}

/// Those of them that look for required fields, which merging does not.
pub(crate) fn checking<D: Derived>() -> Vec<Verb> {
    let mut verbs = [wire::<D>(), transcode_wire::<D>()].concat();
    verbs.retain(|verb| !verb.name.contains("merge"));
    verbs
}

/// The JSON of a message received in chunks.
fn in_pieces<D: Derived>(wire: &[u8]) -> tobu::Result<Vec<u8>> {
    let (mut converter, mut out) = (WireToJson::new(&D::descriptor(), json::Options::new())?, Vec::new());
    wire.chunks(100).try_for_each(|chunk| converter.push(chunk, &mut out))?;
    converter.finish(&mut out).map(|()| out)
}

/// Goes from wire bytes straight to the other formats.
pub(crate) fn transcode_wire<D: Derived>() -> Vec<Verb> {
    verbs! {
        "wire_to_json in pieces" => |wire| {
            // Fails if a field occurs again after others.
            in_pieces::<D>(wire).ok()?;
            run(move || bytes(in_pieces::<D>(wire)))
        };
        "wire_to_json" => |wire| run(move || {
            let mut out = Vec::new();
            let done = convert::wire_to_json(&D::descriptor(), wire, &mut out);
            bytes(done.map(|()| out))
        });
        "wire_to_text" => |wire| run(move || {
            let mut out = Vec::new();
            let done = convert::wire_to_text(&D::descriptor(), wire, &mut out, &text::Options::new());
            bytes(done.map(|()| out))
        });
    }
}

/// Reads and writes with serde's derives.
pub(crate) fn plain<P: Plain>() -> Vec<Verb> {
    verbs! {
        "from_slice with serde's derive" => |wire| run(move || nothing(tobu::from_slice::<P>(wire)));
        "to_vec with serde's derive" => |wire| {
            let message = decoded::<P>(wire)?;
            run(move || bytes(tobu::to_vec(&message)))
        };
        "json::to_vec with serde's derive" => |wire| {
            let message = decoded::<P>(wire)?;
            run(move || bytes(json::to_vec(&message)))
        };
    }
}

fn decoded<T: Message + DeserializeOwned>(wire: &[u8]) -> Option<T> {
    DecodeOptions::new().partial(true).from_slice(wire).ok()
}

/// Writes the message decoded from wire bytes.
pub(crate) fn write<D: Derived>() -> Vec<Verb> {
    verbs! {
        "to_vec" => |wire| {
            let message = decoded::<D>(wire)?;
            run(move || bytes(EncodeOptions::new().partial(true).to_vec(&message)))
        };
        "to_vec, deterministic" => |wire| {
            let message = decoded::<D>(wire)?;
            run(move || bytes(EncodeOptions::new().partial(true).deterministic(true).to_vec(&message)))
        };
        "encoded_len" => |wire| {
            let message = decoded::<D>(wire)?;
            run(move || nothing(EncodeOptions::new().partial(true).encoded_len(&message)))
        };
        "json::to_vec" => |wire| {
            let message = printable::<D>(wire)?;
            run(move || bytes(json::Options::new().partial(true).to_vec(&message)))
        };
        "json::to_vec, deterministic" => |wire| {
            let message = printable::<D>(wire)?;
            run(move || bytes(json::Options::new().partial(true).deterministic(true).to_vec(&message)))
        };
        "text::to_vec" => |wire| {
            let message = decoded::<D>(wire)?;
            run(move || bytes(text::Options::new().partial(true).unknown_fields(true).to_vec(&message)))
        };
        "Debug" => |wire| {
            let message = decoded::<D>(wire)?;
            run(move || Ok(format!("{message:?}").len()))
        };
        "serde_json::to_string" => |wire| {
            let message = printable::<D>(wire)?;
            run(move || bytes(serde_json::to_string(&message)))
        };
        "postcard::to_stdvec" => |wire| {
            let message = decoded::<D>(wire)?;
            run(move || bytes(postcard::to_stdvec(&message)))
        };
        "postcard::from_bytes" => |wire| {
            let other = postcard::to_stdvec(&decoded::<D>(wire)?).ok()?;
            run(move || nothing(postcard::from_bytes::<D>(&other)))
        };
        "clone and compare" => |wire| {
            let message = decoded::<D>(wire)?;
            run(move || Ok(usize::from(message.clone() == message)))
        };
        "dynamic encode" => |wire| {
            let message = dynamic::<D>(wire)?;
            run(move || bytes(EncodeOptions::new().partial(true).deterministic(true).to_vec(&message)))
        };
        "dynamic to JSON" => |wire| {
            let message = dynamic::<D>(wire)?;
            let options = json::Options::new().partial(true).emit_defaults(true).deterministic(true);
            options.to_vec(&message).ok()?;
            run(move || bytes(options.to_vec(&message)))
        };
        "dynamic to text" => |wire| {
            let message = dynamic::<D>(wire)?;
            run(move || bytes(text::Options::new().partial(true).to_vec(&message)))
        };
        "from_message" => |wire| {
            let message = decoded::<D>(wire)?;
            run(move || nothing(DynamicMessage::from_message(&message)))
        };
        "absorb" => |wire| {
            let message = dynamic::<D>(wire)?;
            run(move || nothing(message.absorb::<D>()))
        };
    }
}

/// A message that has a form in JSON: not every `Any` has.
fn printable<D: Derived>(wire: &[u8]) -> Option<D> {
    let message = decoded::<D>(wire)?;
    json::Options::new().partial(true).to_vec(&message).ok()?;
    Some(message)
}

fn dynamic<D: Derived>(wire: &[u8]) -> Option<DynamicMessage> {
    DynamicMessage::decode_with(&D::descriptor(), wire, DecodeOptions::new().partial(true)).ok()
}

/// The operations of reflection on every message: with a typed one and a dynamic one that are
/// equal.
pub(crate) fn reflect<D: Derived>() -> Vec<Verb> {
    verbs! {
        "visit" => |wire| {
            let (one, other) = (decoded::<D>(wire)?, dynamic::<D>(wire)?);
            run(move || {
                let mut values = 0;
                for message in [one.as_reflect(), &other as &dyn Reflect] {
                    nothing(message.visit(|path, _, _| {
                        values += path.segments().len();
                        Visit::Continue
                    }))?;
                }
                Ok(values)
            })
        };
        "visit_mut" => |wire| {
            let (mut one, mut other) = (decoded::<D>(wire)?, dynamic::<D>(wire)?);
            run(move || {
                for message in [one.as_reflect_mut(), &mut other as &mut dyn Reflect] {
                    nothing(message.visit_mut(|place| match place.field().name() {
                        "b" | "number" | "f_string" => place.clear().map(|()| Visit::Skip),
                        _ => Ok(Visit::Continue),
                    }))?;
                }
                Ok(0)
            })
        };
        "equals" => |wire| {
            let (one, other) = (decoded::<D>(wire)?, dynamic::<D>(wire)?);
            run(move || Ok(usize::from(one.as_reflect().equals(&other))))
        };
        "diff" => |wire| {
            let (one, other) = (decoded::<D>(wire)?, dynamic::<D>(wire)?);
            let empty = D::default();
            run(move || {
                let same = one.as_reflect().diff(&other).changes().len();
                Ok(same + one.as_reflect().diff(empty.as_reflect()).changes().len())
            })
        };
        "stable_hash" => |wire| {
            let (one, other) = (decoded::<D>(wire)?, dynamic::<D>(wire)?);
            run(move || {
                one.as_reflect().stable_hash(&mut DefaultHasher::new());
                (&other as &dyn Reflect).stable_hash(&mut DefaultHasher::new());
                Ok(0)
            })
        };
        "merge_from" => |wire| {
            let (mut one, mut other) = (decoded::<D>(wire)?, dynamic::<D>(wire)?);
            run(move || {
                nothing(one.as_reflect_mut().merge_from(&other))?;
                nothing((&mut other as &mut dyn Reflect).merge_from(one.as_reflect()))
            })
        };
        "to_dynamic" => |wire| {
            let one = decoded::<D>(wire)?;
            run(move || nothing(one.as_reflect().to_dynamic()))
        };
        "check_extensions" => |wire| {
            let one = decoded::<D>(wire)?;
            // Its result is not checked here.
            run(move || Ok(one.as_reflect().check_extensions(&tobu::Pool::global()).map_or(0, |()| 0)))
        };
        "UnknownFields::from_bytes" => |wire| {
            let _ = decoded::<D>(wire)?;
            run(move || nothing(UnknownFields::from_bytes(wire)))
        };
    }
}

/// Reads JSON.
pub(crate) fn json<D: Derived>() -> Vec<Verb> {
    verbs! {
        "json::from_slice" => |text| run(move || nothing(json::from_slice::<D>(text)));
        "json::from_slice_in_place" => |text| {
            let mut message = json::from_slice::<D>(text).unwrap_or_default();
            run(move || nothing(json::from_slice_in_place(&mut message, text)))
        };
        "json::merge" => |text| {
            let mut message = json::from_slice::<D>(text).unwrap_or_default();
            run(move || nothing(json::merge(&mut message, str(text)?)))
        };
        "Parsed::from_json" => |text| run(move || nothing(Parsed::<D>::from_json_with(text, &json::Options::new())));
        "dynamic from_json" => |text| run(move || nothing(DynamicMessage::from_json(&D::descriptor(), str(text)?)));
        "dynamic merge_json" => |text| {
            let mut message = DynamicMessage::from_json(&D::descriptor(), str(text).ok()?)
                .or_else(|_| DynamicMessage::new(&D::descriptor())).ok()?;
            run(move || nothing(message.merge_json(str(text)?, &json::Options::new())))
        };
        "merge_json seen through its descriptor" => |text| {
            let mut message = json::from_slice::<D>(text).unwrap_or_default();
            run(move || nothing(message.as_reflect_mut().merge_json(str(text)?, &json::Options::new())))
        };
        "json_to_wire" => |text| run(move || {
            let mut out = Vec::new();
            let done = convert::json_to_wire(&D::descriptor(), text, &mut out);
            bytes(done.map(|()| out))
        });
        "json_to_text" => |json| run(move || {
            let mut out = Vec::new();
            let options = (&json::Options::new(), &text::Options::new());
            let done = convert::json_to_text(&D::descriptor(), json, &mut out, options.0, options.1);
            bytes(done.map(|()| out))
        });
        "a tree from JSON" => |text| run(move || nothing(D::descriptor().decode_json::<Value>(str(text)?)));
    }
}

/// Reads JSON by another reader of it.
pub(crate) fn serde_json<D: Derived>() -> Vec<Verb> {
    verbs! {
        "serde_json::from_slice" => |text| {
            // It has a separate limit, which counts braces.
            serde_json::from_slice::<Value>(text).ok()?;
            run(move || nothing(serde_json::from_slice::<D>(text)))
        };
    }
}

/// Reads JSON of which much is not known.
pub(crate) fn lenient_json<D: Derived>() -> Vec<Verb> {
    verbs! {
        "json, ignoring what is not known" => |text| run(move || {
            nothing(json::Options::new().ignore_unknown(true).from_slice::<D>(text))
        });
        "json_to_wire, ignoring what is not known" => |text| run(move || {
            let (mut out, options) = (Vec::new(), json::Options::new().ignore_unknown(true));
            let done = convert::json_to_wire_with(&D::descriptor(), text, &mut out, &options);
            bytes(done.map(|()| out))
        });
        "dynamic JSON, ignoring what is not known" => |text| run(move || {
            let options = json::Options::new().ignore_unknown(true);
            nothing(DynamicMessage::from_json_with(&D::descriptor(), text, &options))
        });
    }
}

/// Reads text of which much is not known.
pub(crate) fn lenient_text<D: Derived>() -> Vec<Verb> {
    verbs! {
        "text, ignoring what is not known" => |text| run(move || {
            nothing(text::Options::new().ignore_unknown(true).from_slice::<D>(text))
        });
        "text, keeping what is not known" => |text| run(move || {
            let options = text::Options::new().ignore_unknown(true).unknown_fields(true);
            nothing(DynamicMessage::from_text_with(&D::descriptor(), text, &options))
        });
    }
}

/// Reads the text format.
pub(crate) fn text<D: Derived>() -> Vec<Verb> {
    verbs! {
        "text::from_slice" => |text| run(move || nothing(text::from_slice::<D>(text)));
        "text::merge" => |text| {
            let mut message = text::from_slice::<D>(text).unwrap_or_default();
            run(move || nothing(text::merge(&mut message, str(text)?)))
        };
        "dynamic merge_text" => |text| {
            let mut message = DynamicMessage::from_text(&D::descriptor(), str(text).ok()?)
                .or_else(|_| DynamicMessage::new(&D::descriptor())).ok()?;
            run(move || nothing((&mut message as &mut dyn Reflect).merge_text(str(text)?, &text::Options::new())))
        };
        "merge_text seen through its descriptor" => |text| {
            let mut message = text::from_slice::<D>(text).unwrap_or_default();
            run(move || nothing(message.as_reflect_mut().merge_text(str(text)?, &text::Options::new())))
        };
        "dynamic from_text" => |text| run(move || nothing(DynamicMessage::from_text(&D::descriptor(), str(text)?)));
        "text_to_wire" => |text| run(move || {
            let mut out = Vec::new();
            let done = convert::text_to_wire(&D::descriptor(), text, &mut out, &text::Options::new());
            bytes(done.map(|()| out))
        });
        "text_to_json" => |text| run(move || {
            let mut out = Vec::new();
            let options = (&text::Options::new(), &json::Options::new());
            let done = convert::text_to_json(&D::descriptor(), text, &mut out, options.0, options.1);
            bytes(done.map(|()| out))
        });
    }
}

/// JSON of a message in wire bytes, where it has a form in it.
pub(crate) fn to_json<D: Derived>(wire: &[u8]) -> Option<Vec<u8>> {
    json::to_vec(&decoded::<D>(wire)?).ok()
}

/// The text of a message in wire bytes.
pub(crate) fn to_text<D: Derived>(wire: &[u8]) -> Option<Vec<u8>> {
    text::to_vec(&decoded::<D>(wire)?).ok()
}
