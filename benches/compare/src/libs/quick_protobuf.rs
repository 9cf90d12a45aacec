//! quick-protobuf: types that borrow.

use crate::contest::{Contest, Library, Outcome, peer};
use crate::task::Task;
use quick_protobuf::{BytesReader, MessageRead, MessageWrite, Writer};
use std::marker::PhantomData;

/// A type by its lifetime.
pub trait Borrowed {
    type Of<'a>: MessageRead<'a> + MessageWrite;
}

pub struct QuickProtobuf<F>(PhantomData<F>);

impl<F: Borrowed> Library for QuickProtobuf<F> {
    fn enter<'s>(&'s self, contest: &mut Contest<'s>) -> Outcome<()> {
        let set = contest.set;
        let entrant = peer("quick-protobuf");
        // `deserialize_from_slice` and `serialize_into_vec` are for messages with a length in front.
        let decode =
            |bytes: &'s Vec<u8>| Ok(F::Of::<'s>::from_reader(&mut BytesReader::from_bytes(bytes), bytes)?);
        let to_vec = |message: &F::Of<'s>| {
            let mut bytes = Vec::with_capacity(message.get_size());
            message.write_message(&mut Writer::new(&mut bytes))?;
            Ok(bytes)
        };
        let messages = || -> Outcome<Vec<F::Of<'s>>> { set.payloads.iter().map(decode).collect() };
        match contest.task {
            Task::DecodeBorrowed => contest.decode(entrant, &set.payloads, decode, to_vec),
            Task::Encode => contest.encode(entrant, messages(), to_vec),
            Task::EncodeReuse => contest.encode_into(entrant, messages(), |message, bytes| {
                Ok(message.write_message(&mut Writer::new(bytes))?)
            }),
            _ => Ok(()),
        }
    }
}

macro_rules! types {
    ($($message:literal: $($path:ident)::+ $(<$a:lifetime>)?;)*) => {
        /// The library for a message type, if pb-rs can compile it.
        pub fn library(message: &str) -> Option<Box<dyn Library>> {
            // It refers to packed numbers in place, aligned or not, for which the checks of the profile `smoke` would
            // end the program.
            if cfg!(debug_assertions) {
                return None;
            }
            match message {
                $($message => {
                    struct Family;
                    impl Borrowed for Family {
                        type Of<'a> = tobu_compare::quick_protobuf_types::$($path)::+ $(<$a>)?;
                    }
                    Some(Box::new(QuickProtobuf::<Family>(PhantomData)))
                })*
                _ => None,
            }
        }
    };
}

types! {
    "bench.ApiResponse": bench::ApiResponse<'a>;
    "bench.LogRecord": bench::LogRecord<'a>;
    "bench.AnalyticsEvent": bench::AnalyticsEvent<'a>;
    "benchmarks.proto3.GoogleMessage1": benchmarks::proto3::GoogleMessage1<'a>;
    "bench.MediaFrame": bench::MediaFrame<'a>;
    "bench.TriMesh": bench::TriMesh;
    "bench.PackedTile": bench::PackedTile;
    "bench.PackedSigned": bench::PackedSigned;
    "bench.ColumnBatch": bench::ColumnBatch<'a>;
    "gobshape.Tiny": gobshape::Tiny<'a>;
    "gobshape.Medium": gobshape::Medium<'a>;
    "gobshape.Big": gobshape::Big<'a>;
    "gobshape.Huge": gobshape::Huge<'a>;
    "gobshape.MapHeavy": gobshape::MapHeavy<'a>;
}
