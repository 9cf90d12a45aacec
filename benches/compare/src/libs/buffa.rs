//! buffa: types that own, views, and views that decode fields on access.

use crate::contest::{Contest, Library, Outcome, peer};
use crate::task::Task;
use buffa::{HasMessageView, Message, SizeCache, ViewEncode};
use serde::{Serialize, de::DeserializeOwned};
use std::marker::PhantomData;

pub struct Buffa<M>(pub PhantomData<M>);

impl<M> Library for Buffa<M>
where
    M: Message + HasMessageView + Serialize + DeserializeOwned,
    for<'a> M::View<'a>: ViewEncode<'a> + Serialize,
{
    fn enter<'s>(&'s self, contest: &mut Contest<'s>) -> Outcome<()> {
        let set = contest.set;
        let buffa = peer("buffa");
        let view = peer("buffa view");
        let to_vec = |message: &M| Ok(message.encode_to_vec());
        let messages = || -> Outcome<Vec<M>> {
            set.payloads.iter().map(|bytes| Ok(M::decode_from_slice(bytes)?)).collect()
        };
        match contest.task {
            Task::Decode => {
                contest.decode(buffa, &set.payloads, |bytes| Ok(M::decode_from_slice(bytes)?), to_vec)
            }
            Task::DecodeBorrowed => contest.decode(
                view,
                &set.payloads,
                |bytes| Ok(<M as HasMessageView>::decode_view(bytes)?),
                |message| Ok(message.encode_to_vec()),
            ),
            Task::DecodeReuse => contest.reuse(
                buffa,
                M::default(),
                |message, bytes| {
                    message.clear();
                    Ok(message.merge_from_slice(bytes)?)
                },
                to_vec,
            ),
            Task::Encode => contest.encode(buffa, messages(), to_vec),
            Task::EncodeReuse => {
                let cache = std::cell::RefCell::new(SizeCache::new());
                contest.encode_into(buffa, messages(), move |message, bytes| {
                    message.encode_with_cache(&mut cache.borrow_mut(), bytes);
                    Ok(())
                })
            }
            Task::JsonEncode => contest.encode(buffa, messages(), |message| Ok(serde_json::to_vec(message)?)),
            Task::JsonDecode => {
                contest.decode(buffa, &set.json, |text| Ok(serde_json::from_str::<M>(text)?), to_vec)
            }
            Task::WireToJson => contest.encode_into(
                view.second(),
                Ok(set.payloads.iter().collect()),
                |bytes: &&Vec<u8>, out| {
                    Ok(serde_json::to_writer(out, &<M as HasMessageView>::decode_view(bytes)?)?)
                },
            ),
            Task::JsonToWire => {
                contest.encode_into(buffa.second(), Ok(set.json.iter().collect()), |text: &&String, out| {
                    serde_json::from_str::<M>(text)?.encode(out);
                    Ok(())
                })
            }
            _ => Ok(()),
        }
    }
}
