//! serde_json on the structs of prost with serde's own derives: no ProtoJSON, but what Rust programs are used to.

use crate::contest::{Contest, Library, Outcome, peer};
use crate::task::Task;
use serde::{Serialize, de::DeserializeOwned};
use std::hint::black_box;
use std::marker::PhantomData;

pub struct SerdeJson<M>(pub PhantomData<M>);

impl<M> Library for SerdeJson<M>
where
    M: prost::Message + Default + Serialize + DeserializeOwned,
{
    fn enter<'s>(&'s self, contest: &mut Contest<'s>) -> Outcome<()> {
        if !contest.task.counts_json() {
            return Ok(());
        }
        let entrant = peer("serde_json").beside();
        let payloads = &contest.set.payloads;
        let messages = payloads.iter().map(|bytes| M::decode(&**bytes)).collect::<Result<Vec<_>, _>>()?;
        let texts = messages.iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>()?;
        match contest.task {
            Task::JsonEncode => contest.add(entrant, move || {
                for message in &messages {
                    black_box(serde_json::to_vec(black_box(message)).is_ok());
                }
            }),
            _ => contest.add(entrant, move || {
                for text in &texts {
                    black_box(
                        M::deserialize(&mut serde_json::Deserializer::from_str(black_box(text))).is_ok(),
                    );
                }
            }),
        }
        Ok(())
    }
}
