//! Features of buffa for generated types, but not for its own well-known types: lazy views, whose sub-messages are
//! decoded on access, which never happens here; the text format; reflection in place; and reading all fields.

use crate::contest::{Contest, Library, Outcome, peer};
use crate::libs::visit;
use crate::task::Task;
use buffa::{HasMessageView, LazyMessageView, Message};
use buffa_descriptor::ReflectMessage;
use std::marker::PhantomData;
use tobu_compare::read::Read;

/// A type and its lazy view.
pub trait Generated {
    type Owned: Message + ReflectMessage + HasMessageView + buffa::TextFormat + Read + Default;
    type Lazy<'a>: LazyMessageView<'a>;
}

pub struct BuffaMore<F>(PhantomData<F>);

impl<F: Generated> Library for BuffaMore<F>
where
    for<'a> <F::Owned as HasMessageView>::View<'a>: Read,
{
    fn enter<'s>(&'s self, contest: &mut Contest<'s>) -> Outcome<()> {
        let payloads = &contest.set.payloads;
        match contest.task {
            Task::DecodeBorrowed => contest.decode(
                peer("buffa lazy view").beside(),
                payloads,
                |bytes| Ok(F::Lazy::<'s>::decode_lazy(bytes)?),
                |message| Ok(message.to_owned_message()?.encode_to_vec()),
            ),
            Task::View => {
                contest.read(peer("buffa"), payloads, |bytes: &[u8], sum| {
                    F::Owned::decode_from_slice(bytes)?.all(sum);
                    Ok(())
                })?;
                contest.read(peer("buffa view").second(), payloads, |bytes: &[u8], sum| {
                    <F::Owned as HasMessageView>::decode_view(bytes)?.all(sum);
                    Ok(())
                })
            }
            Task::ViewSome => {
                contest.read(peer("buffa"), payloads, |bytes: &[u8], sum| {
                    F::Owned::decode_from_slice(bytes)?.three(sum);
                    Ok(())
                })?;
                contest.read(peer("buffa view").second(), payloads, |bytes: &[u8], sum| {
                    <F::Owned as HasMessageView>::decode_view(bytes)?.three(sum);
                    Ok(())
                })
            }
            Task::TextEncode => {
                let messages = payloads.iter().map(|bytes| Ok(F::Owned::decode_from_slice(bytes)?)).collect();
                contest.encode(peer("buffa"), messages, |message| {
                    Ok(buffa::text::encode_to_string(message).into_bytes())
                })
            }
            Task::TextDecode => contest.decode(
                peer("buffa"),
                &contest.set.text,
                |text| Ok(buffa::text::decode_from_str::<F::Owned>(text)?),
                |message| Ok(message.encode_to_vec()),
            ),
            Task::ReflectRead => {
                let messages = payloads.iter().map(|bytes| Ok(F::Owned::decode_from_slice(bytes)?)).collect();
                contest.visit(peer("buffa").second(), messages, |message| visit::buffa(message))
            }
            _ => Ok(()),
        }
    }
}

macro_rules! types {
    ($($message:literal: $($package:ident)::+, $ty:ident, $lazy:ident;)*) => {
        /// The library for a message type.
        pub fn library(message: &str) -> Option<Box<dyn Library>> {
            match message {
                $($message => {
                    struct Family;
                    impl Generated for Family {
                        type Owned = tobu_compare::buffa_types::$($package)::+::$ty;
                        type Lazy<'a> = tobu_compare::buffa_types::$($package)::+::$lazy<'a>;
                    }
                    Some(Box::new(BuffaMore::<Family>(PhantomData)))
                })*
                _ => None,
            }
        }
    };
}

types! {
    "bench.ApiResponse": bench, ApiResponse, ApiResponseLazyView;
    "bench.LogRecord": bench, LogRecord, LogRecordLazyView;
    "bench.AnalyticsEvent": bench, AnalyticsEvent, AnalyticsEventLazyView;
    "benchmarks.proto3.GoogleMessage1": benchmarks::proto3, GoogleMessage1, GoogleMessage1LazyView;
    "bench.MediaFrame": bench, MediaFrame, MediaFrameLazyView;
    "bench.TriMesh": bench, TriMesh, TriMeshLazyView;
    "bench.PackedTile": bench, PackedTile, PackedTileLazyView;
    "bench.PackedSigned": bench, PackedSigned, PackedSignedLazyView;
    "bench.ColumnBatch": bench, ColumnBatch, ColumnBatchLazyView;
    "gobshape.Tiny": gobshape, Tiny, TinyLazyView;
    "gobshape.Medium": gobshape, Medium, MediumLazyView;
    "gobshape.Big": gobshape, Big, BigLazyView;
    "gobshape.Huge": gobshape, Huge, HugeLazyView;
    "gobshape.MapHeavy": gobshape, MapHeavy, MapHeavyLazyView;
}
