//! tobu with types of serde's own derives, whose schema it knows from a descriptor only. The structs are prost's.

use crate::contest::{Contest, Library, Outcome, ours};
use crate::task::Task;
use serde::{Serialize, de::DeserializeOwned};
use std::marker::PhantomData;
use tobu::MessageDescriptorExt;

pub struct TobuSerde<M>(pub PhantomData<M>);

impl<M: prost::Message + Default + Serialize + DeserializeOwned> Library for TobuSerde<M> {
    fn enter<'s>(&'s self, contest: &mut Contest<'s>) -> Outcome<()> {
        let set = contest.set;
        let tobu = ours("tobu");
        let decode = |bytes: &Vec<u8>| -> Outcome<M> { Ok(set.descriptor.decode(bytes)?) };
        match contest.task {
            Task::SerdeDecode => {
                contest.decode(tobu, &set.payloads, decode, |message| Ok(message.encode_to_vec()))
            }
            Task::SerdeEncode => {
                let messages = set.payloads.iter().map(decode).collect();
                contest.encode(tobu, messages, |message| Ok(set.descriptor.encode(message)?))
            }
            _ => Ok(()),
        }
    }
}
