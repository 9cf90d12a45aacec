//! rust-protobuf, with its JSON mapping and its text format.

use crate::contest::{Contest, Library, Outcome, peer};
use crate::libs::visit;
use crate::task::Task;
use rust_protobuf::MessageFull;
use std::marker::PhantomData;

pub struct RustProtobuf<M>(pub PhantomData<M>);

impl<M: MessageFull> Library for RustProtobuf<M> {
    fn enter<'s>(&'s self, contest: &mut Contest<'s>) -> Outcome<()> {
        let set = contest.set;
        let entrant = peer("rust-protobuf");
        let to_vec = |message: &M| Ok(message.write_to_bytes()?);
        let messages = || -> Outcome<Vec<M>> {
            set.payloads.iter().map(|bytes| Ok(M::parse_from_bytes(bytes)?)).collect()
        };
        match contest.task {
            Task::Decode => {
                contest.decode(entrant, &set.payloads, |bytes| Ok(M::parse_from_bytes(bytes)?), to_vec)
            }
            Task::DecodeReuse => contest.reuse(
                entrant,
                M::new(),
                |message, bytes| {
                    message.clear();
                    Ok(message.merge_from_bytes(bytes)?)
                },
                to_vec,
            ),
            Task::Encode => contest.encode(entrant, messages(), to_vec),
            Task::EncodeReuse => {
                contest.encode_into(entrant, messages(), |message, bytes| Ok(message.write_to_vec(bytes)?))
            }
            Task::JsonEncode => contest.encode(entrant, messages(), |message| {
                Ok(rust_protobuf_json::print_to_string(message)?.into_bytes())
            }),
            Task::JsonDecode => contest.decode(
                entrant,
                &set.json,
                |text| Ok(rust_protobuf_json::parse_from_str::<M>(text)?),
                to_vec,
            ),
            Task::TextEncode => contest.encode(entrant, messages(), |message| {
                Ok(rust_protobuf::text_format::print_to_string(message).into_bytes())
            }),
            Task::TextDecode => contest.decode(
                entrant,
                &set.text,
                |text| Ok(rust_protobuf::text_format::parse_from_str::<M>(text)?),
                to_vec,
            ),
            Task::ReflectRead => {
                contest.visit(entrant.second(), messages(), |message| visit::rust_protobuf(message))
            }
            _ => Ok(()),
        }
    }
}
