//! Google's crate: a binding of upb, whose messages live in arenas and borrow strings from the input.

use crate::contest::{Contest, Library, Outcome, peer};
use crate::task::Task;
use protobuf::{AsView, ClearAndParse, Parse, Serialize, View};
use std::marker::PhantomData;
use tobu_compare::read::Read;

pub struct Google<M>(pub PhantomData<M>);

impl<M: Parse + Serialize + ClearAndParse + AsView + Default + 'static> Library for Google<M>
where
    for<'a> View<'a, M::Proxied>: Read,
{
    fn enter<'s>(&'s self, contest: &mut Contest<'s>) -> Outcome<()> {
        let set = contest.set;
        let google = peer("google");
        let to_vec = |message: &M| Ok(message.serialize().map_err(|_| "cannot serialize")?);
        let parse = |bytes: &[u8]| Ok(M::parse(bytes).map_err(|_| "cannot parse")?);
        let messages = || -> Outcome<Vec<M>> { set.payloads.iter().map(|bytes| parse(bytes)).collect() };
        match contest.task {
            Task::Decode => contest.decode(google.second(), &set.payloads, move |bytes| parse(bytes), to_vec),
            Task::View => contest.read(google.third(), &set.payloads, move |bytes: &[u8], sum| {
                parse(bytes)?.as_view().all(sum);
                Ok(())
            }),
            Task::ViewSome => contest.read(google.third(), &set.payloads, move |bytes: &[u8], sum| {
                parse(bytes)?.as_view().three(sum);
                Ok(())
            }),
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
