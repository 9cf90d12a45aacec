//! Messages of a schema known at run time: tobu, prost-reflect, buffa and rust-protobuf.

use crate::contest::{Contest, Library, Outcome, ours, peer};
use crate::data::DataSet;
use crate::libs::visit;
use crate::task::Task;
use bytes::Bytes;
use prost::Message as _;
use rust_protobuf::Message as _;
use rust_protobuf::MessageDyn;
use rust_protobuf::reflect::FileDescriptor;
use serde::de::DeserializeSeed;
use std::error::Error;
use std::sync::Arc;

/// The pools of all libraries, from the same descriptor set.
pub struct Dynamic {
    prost: prost_reflect::DescriptorPool,
    buffa: Arc<buffa_descriptor::DescriptorPool>,
    rust_protobuf: Vec<FileDescriptor>,
}

impl Dynamic {
    pub fn load(set: &[u8]) -> Outcome<Self> {
        Ok(Dynamic {
            prost: prost_reflect::DescriptorPool::decode(set)?,
            buffa: Arc::new(buffa_descriptor::DescriptorPool::decode(set)?),
            rust_protobuf: rust_protobuf_pool(set)?,
        })
    }
}

/// The inputs as the task has them.
fn wire(set: &DataSet) -> Outcome<Vec<&[u8]>> {
    Ok(set.payloads.iter().map(Vec::as_slice).collect())
}

fn json(set: &DataSet) -> Outcome<Vec<&str>> {
    Ok(set.json.iter().map(String::as_str).collect())
}

impl Library for Dynamic {
    fn enter<'s>(&'s self, contest: &mut Contest<'s>) -> Outcome<()> {
        if contest.task == Task::PoolLoad {
            return pool_load(contest);
        }
        tobu(contest)?;
        self.prost(contest)?;
        self.buffa(contest)?;
        self.rust_protobuf(contest)
    }
}

fn tobu(contest: &mut Contest<'_>) -> Outcome<()> {
    use tobu::DynamicMessage;
    let set = contest.set;
    let tobu = ours("tobu");
    let decode = |bytes: &Vec<u8>| Ok(DynamicMessage::decode(&set.descriptor, bytes)?);
    let messages = || -> Outcome<Vec<DynamicMessage>> { set.payloads.iter().map(decode).collect() };
    match contest.task {
        Task::DynamicDecode => {
            contest.decode(tobu, &set.payloads, decode, |message| Ok(message.encode_to_vec()?))?;
            let shared = ours("tobu (shared input)").beside();
            contest.decode(
                shared,
                &set.shared,
                |bytes: &Bytes| Ok(DynamicMessage::decode_bytes(&set.descriptor, bytes.clone())?),
                |message| Ok(message.encode_to_vec()?),
            )
        }
        Task::DynamicEncode => contest.encode(tobu, messages(), |message| Ok(message.encode_to_vec()?)),
        Task::WireToJson => contest.encode_into(tobu, wire(set), |bytes, out| {
            Ok(tobu::convert::wire_to_json(&set.descriptor, bytes, out)?)
        }),
        Task::JsonToWire => contest.encode_into(tobu, json(set), |text, out| {
            Ok(tobu::convert::json_to_wire(&set.descriptor, text.as_bytes(), out)?)
        }),
        Task::ReflectRead => {
            contest.visit(ours("tobu dynamic"), messages(), |message| visit::tobu(message.into()))
        }
        _ => Ok(()),
    }
}

impl Dynamic {
    fn prost<'s>(&'s self, contest: &mut Contest<'s>) -> Outcome<()> {
        use prost_reflect::DynamicMessage;
        let set = contest.set;
        let entrant = peer("prost-reflect");
        let found = self.prost.get_message_by_name(set.descriptor.full_name());
        let descriptor = found.ok_or("prost-reflect has no such message")?;
        let of = descriptor.clone();
        let decode = move |bytes: &Vec<u8>| Ok(DynamicMessage::decode(of.clone(), &**bytes)?);
        let messages = || -> Outcome<Vec<DynamicMessage>> { set.payloads.iter().map(&decode).collect() };
        match contest.task {
            Task::DynamicDecode => {
                contest.decode(entrant, &set.payloads, decode, |message| Ok(message.encode_to_vec()))
            }
            Task::DynamicEncode => contest.encode(entrant, messages(), |message| Ok(message.encode_to_vec())),
            Task::WireToJson => contest.encode_into(entrant, wire(set), move |bytes, out| {
                let message = DynamicMessage::decode(descriptor.clone(), *bytes)?;
                Ok(serde_json::to_writer(out, &message)?)
            }),
            Task::JsonToWire => contest.encode_into(entrant, json(set), move |text, out| {
                let mut input = serde_json::Deserializer::from_str(text);
                let message = DynamicMessage::deserialize(descriptor.clone(), &mut input)?;
                input.end()?;
                Ok(message.encode(out)?)
            }),
            Task::TextEncode => {
                contest.encode(entrant, messages(), |message| Ok(message.to_text_format().into_bytes()))
            }
            Task::TextDecode => contest.decode(
                entrant,
                &set.text,
                move |text| Ok(DynamicMessage::parse_text_format(descriptor.clone(), text)?),
                |message| Ok(message.encode_to_vec()),
            ),
            Task::ReflectRead => contest.visit(entrant, messages(), visit::prost),
            _ => Ok(()),
        }
    }

    fn buffa<'s>(&'s self, contest: &mut Contest<'s>) -> Outcome<()> {
        use buffa_descriptor::{DynamicMessage, DynamicMessageSeed};
        let set = contest.set;
        let entrant = peer("buffa dynamic");
        let pool = &self.buffa;
        let found = pool.message_index(set.descriptor.full_name());
        let index = found.ok_or("buffa has no such message")?;
        let decode = move |bytes: &[u8]| Ok(DynamicMessage::decode(Arc::clone(pool), index, bytes)?);
        let messages =
            || -> Outcome<Vec<DynamicMessage>> { set.payloads.iter().map(|bytes| decode(bytes)).collect() };
        match contest.task {
            Task::DynamicDecode => contest.decode(
                entrant,
                &set.payloads,
                move |bytes| decode(bytes),
                |message| Ok(message.encode_to_vec()),
            ),
            Task::DynamicEncode => contest.encode(entrant, messages(), |message| Ok(message.encode_to_vec())),
            Task::WireToJson => contest.encode_into(entrant, wire(set), move |bytes, out| {
                Ok(serde_json::to_writer(out, &decode(bytes)?)?)
            }),
            Task::JsonToWire => contest.encode_into(entrant, json(set), move |text, out| {
                let mut input = serde_json::Deserializer::from_str(text);
                let message = DynamicMessageSeed::new(Arc::clone(pool), index).deserialize(&mut input)?;
                input.end()?;
                message.encode(out);
                Ok(())
            }),
            Task::ReflectRead => contest.visit(entrant, messages(), |message| visit::buffa(message)),
            _ => Ok(()),
        }
    }

    fn rust_protobuf<'s>(&'s self, contest: &mut Contest<'s>) -> Outcome<()> {
        let set = contest.set;
        let entrant = peer("rust-protobuf dynamic");
        let name = set.descriptor.full_name();
        let found = self.rust_protobuf.iter().find_map(|file| file.message_by_full_name(&format!(".{name}")));
        let descriptor = found.ok_or("rust-protobuf has no such message")?;
        let of = descriptor.clone();
        let decode = move |bytes: &[u8]| Ok(of.parse_from_bytes(bytes)?);
        let messages = || -> Outcome<Vec<Box<dyn MessageDyn>>> {
            set.payloads.iter().map(|bytes| decode(bytes)).collect()
        };
        #[allow(clippy::borrowed_box, reason = "the messages are boxed")]
        let to_vec = |message: &Box<dyn MessageDyn>| Ok(message.write_to_bytes_dyn()?);
        match contest.task {
            Task::DynamicDecode => {
                let decode = decode.clone();
                contest.decode(entrant, &set.payloads, move |bytes| decode(bytes), to_vec)
            }
            Task::DynamicEncode => contest.encode(entrant, messages(), to_vec),
            Task::WireToJson => contest.encode_into(entrant, wire(set), move |bytes, out| {
                let message = descriptor.parse_from_bytes(bytes)?;
                *out = rust_protobuf_json::print_to_string(&*message)?.into_bytes();
                Ok(())
            }),
            Task::JsonToWire => contest.encode_into(entrant, json(set), move |text, out| {
                let message = rust_protobuf_json::parse_dyn_from_str(&descriptor, text)?;
                Ok(message.write_to_vec_dyn(out)?)
            }),
            Task::ReflectRead => {
                contest.visit(entrant, messages(), |message| visit::rust_protobuf(&**message))
            }
            _ => Ok(()),
        }
    }
}

fn pool_load(contest: &mut Contest<'_>) -> Outcome<()> {
    let tobu = tobu::Pool::from_descriptor_set;
    contest.load(ours("tobu"), tobu, |pool, name| pool.message(name).is_some())?;
    let prost = prost_reflect::DescriptorPool::decode;
    contest.load(peer("prost-reflect"), prost, |pool, name| pool.get_message_by_name(name).is_some())?;
    let buffa = buffa_descriptor::DescriptorPool::decode;
    contest.load(peer("buffa-descriptor"), buffa, |pool, name| pool.message_index(name).is_some())?;
    // A list of files, each with its own messages.
    contest.load(peer("rust-protobuf dynamic").second(), rust_protobuf_pool, |files, name| {
        files.iter().any(|file| file.message_by_full_name(&format!(".{name}")).is_some())
    })
}

fn rust_protobuf_pool(set: &[u8]) -> Result<Vec<FileDescriptor>, Box<dyn Error>> {
    let set = rust_protobuf::descriptor::FileDescriptorSet::parse_from_bytes(set)?;
    Ok(FileDescriptor::new_dynamic_fds(set.file, &[])?)
}
