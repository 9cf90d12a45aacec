//! Google's crate: a binding of upb, whose messages live in arenas and borrow strings from the input.

use crate::contest::{Contest, Library, Outcome, peer};
use crate::task::Task;
use protobuf::{ClearAndParse, Parse, Serialize};
use std::marker::PhantomData;

pub struct Google<M>(pub PhantomData<M>);

impl<M: Parse + Serialize + ClearAndParse + Default + 'static> Library for Google<M> {
    fn enter<'s>(&'s self, contest: &mut Contest<'s>) -> Outcome<()> {
        let set = contest.set;
        let google = peer("google");
        let to_vec = |message: &M| Ok(message.serialize().map_err(|_| "cannot serialize")?);
        let parse = |bytes: &[u8]| Ok(M::parse(bytes).map_err(|_| "cannot parse")?);
        let messages = || -> Outcome<Vec<M>> { set.payloads.iter().map(|bytes| parse(bytes)).collect() };
        match contest.task {
            Task::Decode => contest.decode(google.second(), &set.payloads, move |bytes| parse(bytes), to_vec),
            Task::DecodeReuse => contest.reuse(
                google.beside(),
                M::default(),
                |message, bytes| Ok(message.clear_and_parse(bytes).map_err(|_| "cannot parse")?),
                to_vec,
            ),
            Task::Encode => contest.encode(google, messages(), to_vec),
            _ => Ok(()),
        }
    }
}
