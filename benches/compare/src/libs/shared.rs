//! `bytes::Bytes` that share the input, for the data set whose content is bytes.

use crate::contest::{Contest, Library, Outcome, ours, peer};
use crate::task::Task;
use bytes::Bytes;
use prost::Message as _;
use tobu_compare::{prost_bytes, tobu_bytes};

pub struct Shared;

/// The libraries for a message type, if it is the one.
pub fn library(message: &str) -> Option<Box<dyn Library>> {
    (message == "bench.MediaFrame").then(|| Box::new(Shared) as Box<dyn Library>)
}

impl Library for Shared {
    fn enter<'s>(&'s self, contest: &mut Contest<'s>) -> Outcome<()> {
        if contest.task != Task::DecodeBorrowed {
            return Ok(());
        }
        let set = contest.set;
        contest.decode(
            ours("tobu Bytes").second(),
            &set.shared,
            |bytes: &Bytes| Ok(tobu::from_bytes::<tobu_bytes::bench::MediaFrame>(bytes)?),
            |message| Ok(tobu::to_vec(message)?),
        )?;
        contest.decode(
            peer("prost Bytes").second(),
            &set.shared,
            |bytes: &Bytes| Ok(prost_bytes::bench::MediaFrame::decode(bytes.clone())?),
            |message| Ok(message.encode_to_vec()),
        )
    }
}
