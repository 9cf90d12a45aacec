//! prost, with pbjson for JSON.

use crate::contest::{Contest, Library, Outcome, peer};
use crate::task::Task;
use prost::Message;
use serde::{Serialize, de::DeserializeOwned};
use std::marker::PhantomData;
use tobu_compare::read::Read;

pub struct Prost<M>(pub PhantomData<M>);

impl<M: Message + Default + Serialize + DeserializeOwned + Read> Library for Prost<M> {
    fn enter<'s>(&'s self, contest: &mut Contest<'s>) -> Outcome<()> {
        let set = contest.set;
        let prost = peer("prost");
        let pbjson = peer("prost + pbjson");
        let to_vec = |message: &M| Ok(message.encode_to_vec());
        let messages =
            || -> Outcome<Vec<M>> { set.payloads.iter().map(|bytes| Ok(M::decode(&**bytes)?)).collect() };
        match contest.task {
            Task::Decode | Task::SerdeDecode => {
                contest.decode(prost, &set.payloads, |bytes| Ok(M::decode(&**bytes)?), to_vec)
            }
            Task::View => contest.read(prost, &set.payloads, |bytes: &[u8], sum| {
                M::decode(bytes)?.all(sum);
                Ok(())
            }),
            Task::ViewSome => contest.read(prost, &set.payloads, |bytes: &[u8], sum| {
                M::decode(bytes)?.three(sum);
                Ok(())
            }),
            Task::DecodeReuse => contest.reuse(
                prost,
                M::default(),
                |message, bytes| {
                    message.clear();
                    Ok(message.merge(bytes)?)
                },
                to_vec,
            ),
            Task::Encode | Task::SerdeEncode => contest.encode(prost, messages(), to_vec),
            Task::EncodeReuse => {
                contest.encode_into(prost, messages(), |message, bytes| Ok(message.encode(bytes)?))
            }
            Task::JsonEncode => {
                contest.encode(pbjson, messages(), |message| Ok(serde_json::to_vec(message)?))
            }
            Task::JsonDecode => {
                contest.decode(pbjson, &set.json, |text| Ok(serde_json::from_str::<M>(text)?), to_vec)
            }
            Task::DynamicDecode => contest.decode(
                peer("prost generated").second(),
                &set.payloads,
                |bytes| Ok(M::decode(&**bytes)?),
                to_vec,
            ),
            Task::DynamicEncode => contest.encode(peer("prost generated").second(), messages(), to_vec),
            Task::WireToJson => contest.encode_into(
                pbjson.second(),
                Ok(set.payloads.iter().collect()),
                |bytes: &&Vec<u8>, out| Ok(serde_json::to_writer(out, &M::decode(&***bytes)?)?),
            ),
            Task::JsonToWire => {
                contest.encode_into(pbjson.second(), Ok(set.json.iter().collect()), |text: &&String, out| {
                    Ok(serde_json::from_str::<M>(text)?.encode(out)?)
                })
            }
            _ => Ok(()),
        }
    }
}
