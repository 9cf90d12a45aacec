//! tobu: types that own, borrow or share.

use crate::contest::{Contest, Library, Outcome, ours};
use crate::libs::visit;
use crate::task::Task;
use bytes::Bytes;
use std::marker::PhantomData;
use tobu::parsed::Parse;
use tobu::reflect::MessageRef;
use tobu::{Deserialize, EncodeOptions, Merge, Message, Parsed, Serialize};
use tobu_compare::read::Read;

/// A generated type and the one that borrows.
pub trait Generated:
    Message + Serialize + Default + for<'de> Deserialize<'de> + for<'de> Merge<'de> + Parse
{
    type View<'a>: Message + Deserialize<'a>;
}

pub struct Tobu<T>(pub PhantomData<T>);

/// A type with private members.
pub struct Opaque<T>(pub PhantomData<T>);

impl<T> Library for Opaque<T>
where
    T: Message + Serialize + Default + for<'de> Deserialize<'de> + for<'de> Merge<'de>,
{
    fn enter<'s>(&'s self, contest: &mut Contest<'s>) -> Outcome<()> {
        let set = contest.set;
        let tobu = ours("tobu opaque").beside();
        let to_vec = |message: &T| Ok(tobu::to_vec(message)?);
        let messages =
            || -> Outcome<Vec<T>> { set.payloads.iter().map(|bytes| Ok(tobu::from_slice(bytes)?)).collect() };
        match contest.task {
            Task::Decode => {
                contest.decode(tobu, &set.payloads, |bytes| Ok(tobu::from_slice::<T>(bytes)?), to_vec)
            }
            Task::DecodeReuse => contest.reuse(
                tobu,
                T::default(),
                |message, bytes| Ok(tobu::from_slice_in_place(message, bytes)?),
                to_vec,
            ),
            Task::Encode => contest.encode(tobu, messages(), |message| Ok(tobu::to_vec(message)?)),
            Task::EncodeReuse => contest.encode_into(tobu, messages(), |message, bytes| {
                Ok(EncodeOptions::new().append(message, bytes)?)
            }),
            _ => Ok(()),
        }
    }
}

impl<T: Generated> Library for Tobu<T>
where
    for<'a> T::Ref<'a>: Read,
{
    fn enter<'s>(&'s self, contest: &mut Contest<'s>) -> Outcome<()> {
        let set = contest.set;
        let tobu = ours("tobu");
        let to_vec = |message: &T| Ok(tobu::to_vec(message)?);
        let messages =
            || -> Outcome<Vec<T>> { set.payloads.iter().map(|bytes| Ok(tobu::from_slice(bytes)?)).collect() };
        match contest.task {
            Task::Decode => {
                contest.decode(tobu, &set.payloads, |bytes| Ok(tobu::from_slice::<T>(bytes)?), to_vec)
            }
            Task::View => {
                contest.read(tobu, &set.payloads, |bytes: &[u8], sum| {
                    Parsed::<T>::decode(bytes)?.get().all(sum);
                    Ok(())
                })?;
                contest.read(ours("tobu (shared input)").beside(), &set.shared, |bytes: &Bytes, sum| {
                    Parsed::<T>::decode_bytes(bytes.clone())?.get().all(sum);
                    Ok(())
                })
            }
            Task::ViewSome => {
                contest.read(tobu, &set.payloads, |bytes: &[u8], sum| {
                    Parsed::<T>::decode(bytes)?.get().three(sum);
                    Ok(())
                })?;
                contest.read(ours("tobu (shared input)").beside(), &set.shared, |bytes: &Bytes, sum| {
                    Parsed::<T>::decode_bytes(bytes.clone())?.get().three(sum);
                    Ok(())
                })
            }
            Task::DecodeBorrowed => contest.decode(
                tobu,
                &set.payloads,
                |bytes| Ok(tobu::from_slice::<T::View<'s>>(bytes)?),
                // By reflection: an encoder for each view would have to be compiled.
                |message| Ok(message.as_reflect().to_dynamic()?.encode_to_vec()?),
            ),
            Task::DecodeReuse => contest.reuse(
                tobu,
                T::default(),
                |message, bytes| Ok(tobu::from_slice_in_place(message, bytes)?),
                to_vec,
            ),
            Task::Encode => contest.encode(tobu, messages(), |message| Ok(tobu::to_vec(message)?)),
            Task::EncodeReuse => contest.encode_into(tobu, messages(), |message, bytes| {
                Ok(EncodeOptions::new().append(message, bytes)?)
            }),
            Task::JsonEncode => contest.encode(tobu, messages(), |message| Ok(tobu::json::to_vec(message)?)),
            Task::JsonDecode => {
                contest.decode(tobu, &set.json, |text| Ok(tobu::json::from_str::<T>(text)?), to_vec)
            }
            Task::TextEncode => {
                let options = tobu::text::Options::new().one_line(true);
                contest.encode(tobu, messages(), move |message| Ok(options.to_vec(message)?))
            }
            Task::TextDecode => {
                contest.decode(tobu, &set.text, |text| Ok(tobu::text::from_str::<T>(text)?), to_vec)
            }
            Task::ReflectRead => contest.visit(ours("tobu typed").second(), messages(), |message| {
                visit::tobu(MessageRef::new(message))
            }),
            _ => Ok(()),
        }
    }
}
