//! A message of which the derive tells the truth, in a format that is read at a glance.
//!
//! The hot path of decoding. Most single values are taken from a front that is kept in registers: what a member is folds
//! into the code, and the plan is not asked. Whatever a glance does not see, and whatever is wrong, goes by the plan, out of
//! line: that is given parts, and the address of nothing that is to stay in registers.

use super::Decoder;
use super::ask::{self, by_plan};
use super::glance::{Glance, glance_methods};
use super::key::Identifier;
use super::merged::{Came, Follows, fail, left, unknown};
use super::packed;
use super::source::{Next, Source};
use super::value::{Place, ValueDeserializer};
use crate::error::{Error, Result};
use crate::member::{Element, is_few};
use crate::methods::deserializer_methods;
use crate::plan::{FieldPlan, Head, Kind, Lead, MemberPlan, MessagePlan, PlanSet, first_in, mark_in};
use crate::wire::packed::Form;
use serde::de::{DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, Visitor};

/// True for a name by which a member tells of itself.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn is_lead(name: &str) -> bool {
    Lead::of_name(name).is_some()
}

/// Reads the message at hand, which is the value of a field; `plan` has the mark of the type.
// Out of line: once per type, wherever a message of it stands.
#[inline(never)]
pub(super) fn read<'de, S: Source<'de>, V: Visitor<'de>>(
    decoder: &mut Decoder<'_, S>,
    plan: &MessagePlan,
    field: &FieldPlan,
    visitor: V,
) -> Result<V::Value> {
    if let Err(error) = decoder.enter(plan) {
        return Err(decoder.source.locate(error));
    }
    let outer = decoder.source.outer();
    let message = decoder.source.open_message(decoder.cx(), Some(field), plan, &plan.routes)?;
    let (closed, front) = (S::closed(&message), decoder.source.front(&message));
    let value = read_open(decoder, plan, message, front, visitor)?;
    decoder.source.close_message(closed, outer);
    Ok(value)
}

/// Reads the outermost message likewise, in the place of the one caller; where it is not read at a glance, gives the
/// visitor back.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn read_root<'de, S: Source<'de>, V: Visitor<'de>>(
    decoder: &mut Decoder<'_, S>,
    plan: &MessagePlan,
    visitor: V,
) -> std::result::Result<Result<V::Value>, V> {
    let Some((message, front)) = decoder.source.glance_root() else { return Err(visitor) };
    Ok(match decoder.enter(plan) {
        // It ends where the input does.
        Ok(()) => read_open(decoder, plan, message, front, visitor),
        Err(error) => Err(decoder.source.locate(error)),
    })
}

/// Reads a message that was entered and opened, to its end, which is where nothing is left at its front.
#[inline(never)]
fn read_open<'de, S: Source<'de>, V: Visitor<'de>>(
    decoder: &mut Decoder<'_, S>,
    plan: &MessagePlan,
    message: S::Message,
    front: S::Front,
    visitor: V,
) -> Result<V::Value> {
    read_here(decoder, plan, message, front, None, visitor)
}

/// The same in the place of the caller; maybe the `first` member is told.
#[cfg_attr(not(debug_assertions), inline(always))]
fn read_here<'de, S: Source<'de>, V: Visitor<'de>>(
    decoder: &mut Decoder<'_, S>,
    plan: impl Planned,
    message: S::Message,
    front: S::Front,
    first: Option<(u16, Head)>,
    visitor: V,
) -> Result<V::Value> {
    let mut state = State { message, ended: false, came: Came::default() };
    let value =
        visitor.visit_map(Fields { decoder: &mut *decoder, plan, state: &mut state, front, first })?;
    if !state.ended {
        return Err(left());
    }
    decoder.leave();
    Ok(value)
}

/// What is kept of a message in memory.
struct State<M> {
    message: M,
    /// The last field was read.
    ended: bool,
    came: Came,
}

/// The plan of an open message.
trait Planned: Copy {
    /// The plan at hand.
    fn get(&self) -> &MessagePlan;
}

impl Planned for &MessagePlan {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn get(&self) -> &MessagePlan {
        self
    }
}

/// The plan of a message of a few numbers, which is not looked for unless something else comes than was expected.
#[derive(Clone, Copy)]
struct Sub<'p> {
    set: &'p PlanSet,
    index: u32,
}

impl Planned for Sub<'_> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn get(&self) -> &MessagePlan {
        &self.set.messages[self.index as usize]
    }
}

/// The fields of an open message, as serde's map access: handed on by value, so that it can be taken apart.
///
/// The tag of the field at hand is the source's, unless the member was expected, and so tells its tag.
struct Fields<'a, 'de, 'p, S: Source<'de>, P> {
    decoder: &'a mut Decoder<'p, S>,
    plan: P,
    state: &'a mut State<S::Message>,
    front: S::Front,
    /// The member that is to be expected first, and its place.
    first: Option<(u16, Head)>,
}

/// In the place of a tag: that of unknown fields, of which no field has the number.
const UNKNOWN: u32 = 7;

/// A message that was entered at a glance: its plan, itself, and its front.
type Entered<'de, 'p, S> = (&'p MessagePlan, <S as Source<'de>>::Message, <S as Source<'de>>::Front);

/// The same of a message of a few numbers.
type EnteredFew<'de, 'p, S> = (Sub<'p>, <S as Source<'de>>::Message, <S as Source<'de>>::Front);

impl<'de, 'p, S: Source<'de>, P: Planned> Fields<'_, 'de, 'p, S, P> {
    /// Enters the message at hand, where it takes no more than a glance and its derive tells the truth.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn enter_at(&mut self, member: u16, inside: bool, mark: u64) -> Result<Option<Entered<'de, 'p, S>>> {
        let Some(MemberPlan { sub, .. }) = self.plan.get().members.get(usize::from(member)) else {
            return Ok(None);
        };
        let Some(plan) = self.decoder.set.messages.get(*sub as usize) else { return Ok(None) };
        if !plan.glances(mark) {
            return Ok(None);
        }
        let mut after = self.front;
        let Some((message, front)) = S::glance_message(&mut after) else { return Ok(None) };
        // What a message took that came before is given back, for it will be taken again.
        if !inside && self.state.came.member(member) {
            self.decoder.memory += u64::from(plan.size);
        }
        if let Err(error) = self.decoder.enter(plan) {
            self.decoder.source.lead(&self.front);
            return Err(self.decoder.source.locate(error));
        }
        self.front = after;
        Ok(Some((plan, message, front)))
    }

    /// The same of a message of a few numbers. One that is not in a list is not counted: it is part of the struct around it,
    /// or, where that has it in a box, one allocation of a few words for a member that was counted.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn enter_few(&mut self, member: u16, inside: bool, mark: u64) -> Result<Option<EnteredFew<'de, 'p, S>>> {
        let Some(&MemberPlan { sub, sub_size, sub_glanced, .. }) =
            self.plan.get().members.get(usize::from(member))
        else {
            return Ok(None);
        };
        if mark == 0 || sub_glanced != mark {
            return Ok(None);
        }
        let mut after = self.front;
        let Some((message, front)) = S::glance_message(&mut after) else { return Ok(None) };
        if let Err(error) = self.decoder.enter_sized(if inside { sub_size } else { 0 }) {
            self.decoder.source.lead(&self.front);
            return Err(self.decoder.source.locate(error));
        }
        self.front = after;
        Ok(Some((Sub { set: self.decoder.set, index: sub }, message, front)))
    }

    /// Goes to the member with this tag, where it is the one that comes next.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn expect(&mut self, head: Head) -> bool {
        // A number of a closed enum must be looked at before it is known to be the field's.
        if head.holds.single(Kind::Enum) && self.plan.get().sorts {
            return false;
        }
        let follows = head.tag_len > 0 && S::glance_at(&mut self.front, head.tag_bytes, head.tag_len);
        if follows && head.holds.is_numbers() {
            // They have another tag where each comes with it.
            self.decoder.source.set_tag(head.tag());
        }
        follows
    }

    /// The key of what is to be told first.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn pending<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        let Some(member) = look(self.decoder, self.plan.get(), self.state, S::Front::default())? else {
            return Ok(None);
        };
        self.decoder.source.follow(&mut self.front);
        seed.deserialize(Identifier::Index(u32::from(member))).map(Some)
    }

    /// Reads the value of the field with this tag by its plan.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn by_plan<T: DeserializeSeed<'de>>(&mut self, tag: u32, inside: bool, seed: T) -> Result<T::Value> {
        let came = if inside { None } else { Some(&mut self.state.came) };
        let value = read_apart(self.decoder, self.plan.get(), came, self.front, tag, seed)?;
        self.decoder.source.follow(&mut self.front);
        Ok(value)
    }
}

/// Reads the value of the field with a tag by its plan, out of line; without `came`, an element of the list that it is.
#[inline(never)]
fn read_apart<'de, S: Source<'de>, T: DeserializeSeed<'de>>(
    decoder: &mut Decoder<'_, S>,
    plan: &MessagePlan,
    came: Option<&mut Came>,
    front: S::Front,
    tag: u32,
    seed: T,
) -> Result<T::Value> {
    let place = if came.is_none() { Place::Inside } else { Place::OfMessage(plan) };
    let field = arrive(decoder, plan, came, front, tag)?;
    seed.deserialize(ValueDeserializer { decoder, field, place })
}

/// The field with a tag, and the input led to its value.
#[inline(never)]
fn arrive<'m, 'de, S: Source<'de>>(
    decoder: &mut Decoder<'_, S>,
    plan: &'m MessagePlan,
    came: Option<&mut Came>,
    front: S::Front,
    tag: u32,
) -> Result<&'m FieldPlan> {
    let Some(field) = find(plan, tag) else {
        return Err(Error::ty("a value was asked for without its key"));
    };
    decoder.source.set_tag(tag);
    if let Some(came) = came
        && field.single_message
        && came.field(field, field.route)
    {
        decoder.memory += u64::from(decoder.set.messages[field.sub as usize].size);
    }
    decoder.source.lead(&front);
    Ok(field)
}

fn find(plan: &MessagePlan, tag: u32) -> Option<&FieldPlan> {
    plan.numbers.get(tag >> 3).and_then(|index| plan.fields.get(index))
}

/// The next member, where it takes more than a glance; none at the end.
// Once per format, not once per type.
#[inline(never)]
fn look<'de, S: Source<'de>>(
    decoder: &mut Decoder<'_, S>,
    plan: &MessagePlan,
    state: &mut State<S::Message>,
    front: S::Front,
) -> Result<Option<u16>> {
    // What is pending stands before what is left.
    if !decoder.source.pending() {
        decoder.source.lead(&front);
    }
    let cx = decoder.cx();
    Ok(match decoder.source.next_field(cx, &mut state.message, plan)? {
        Next::Field(index) => Some(plan.fields[index].route.member),
        Next::Unknown => {
            decoder.source.set_tag(UNKNOWN);
            Some(plan.unknown.unwrap_or(u16::MAX))
        }
        Next::End => {
            state.ended = true;
            None
        }
    })
}

impl<'de, S: Source<'de>, P: Planned> MapAccess<'de> for Fields<'_, 'de, '_, S, P> {
    type Error = Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        if let Some((index, head)) = self.first.take()
            && self.expect(head)
        {
            return seed.deserialize(Identifier::Index(u32::from(index))).map(Some);
        }
        let Some(byte) = S::glance(self.front) else {
            if self.decoder.source.pending() {
                return self.pending(seed);
            }
            self.decoder.source.lead(&self.front);
            self.state.ended = true;
            return Ok(None);
        };
        let member = if let Some(member) = self.plan.get().tags.member(byte) {
            S::pass(&mut self.front, 1);
            self.decoder.source.set_tag(byte.into());
            member
        } else if let Some(glanced) = S::glance_wide(self.front, &self.plan.get().tags) {
            S::pass(&mut self.front, 2);
            self.decoder.source.set_tag(glanced.tag());
            glanced.member()
        } else {
            let Some(member) = look(self.decoder, self.plan.get(), self.state, self.front)? else {
                return Ok(None);
            };
            self.decoder.source.follow(&mut self.front);
            member
        };
        seed.deserialize(Identifier::Index(u32::from(member))).map(Some)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        seed.deserialize(MemberDeserializer { fields: self })
    }
}

/// The value of a member, which may tell of itself.
struct MemberDeserializer<'x, 'a, 'de, 'p, S: Source<'de>, P> {
    fields: &'x mut Fields<'a, 'de, 'p, S, P>,
}

impl<'de, S: Source<'de>, P: Planned> MemberDeserializer<'_, '_, 'de, '_, S, P> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn by_plan<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        let tag = self.fields.decoder.source.tag();
        if tag == UNKNOWN {
            return unknown(self.fields.decoder, seed);
        }
        match self.fields.by_plan(tag, false, seed) {
            Ok(value) => Ok(value),
            Err(error) => Err(fail_at(self.fields.decoder, self.fields.plan.get(), tag, error)),
        }
    }
}

impl<'de, S: Source<'de>, P: Planned> Deserializer<'de> for MemberDeserializer<'_, '_, 'de, '_, S, P> {
    type Error = Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_human_readable(&self) -> bool {
        false
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        match Lead::of_name(name) {
            Some(lead) => visitor.visit_enum(ToldMember { fields: self.fields, lead }),
            None => visitor.visit_newtype_struct(self),
        }
    }

    deserializer_methods!(by_plan! all);
    by_plan! {
        deserialize_any();
        deserialize_option();
    }
}

/// A member that tells of itself: its value as an enum, whose content is whether the next member comes right after it.
struct ToldMember<'x, 'a, 'de, 'p, S: Source<'de>, P> {
    fields: &'x mut Fields<'a, 'de, 'p, S, P>,
    lead: Lead,
}

impl<'de, S: Source<'de>, P: Planned> EnumAccess<'de> for ToldMember<'_, '_, 'de, '_, S, P> {
    type Error = Error;
    type Variant = Follows;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Follows)> {
        let ToldMember { fields, lead: Lead { index, head, next } } = self;
        let value = match head {
            None => MemberDeserializer { fields: &mut *fields }.by_plan(seed)?,
            Some(head) if head.holds.is_unknown() => unknown(fields.decoder, seed)?,
            Some(head) => {
                match seed.deserialize(ToldDeserializer { fields: &mut *fields, index, head, inside: false })
                {
                    Ok(value) => value,
                    Err(error) => return Err(fail_at(fields.decoder, fields.plan.get(), head.tag(), error)),
                }
            }
        };
        let follows = next.is_some_and(|next| fields.expect(next));
        Ok((value, Follows(follows)))
    }
}

/// The value of a member that told what it holds, at a glance.
struct ToldDeserializer<'x, 'a, 'de, 'p, S: Source<'de>, P> {
    fields: &'x mut Fields<'a, 'de, 'p, S, P>,
    /// The place among the members.
    index: u16,
    head: Head,
    /// It is an element of the list that the member is.
    inside: bool,
}

impl<'de, S: Source<'de>, P: Planned> ToldDeserializer<'_, '_, 'de, '_, S, P> {
    /// How the numbers of a packed run are written, for a list of such elements.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn form(&self, name: &str) -> Option<Form> {
        let kind = self.head.holds.numbers()?;
        let form = packed::form(kind, Element::of(name)?)?;
        let sorts = kind == Kind::Enum && self.fields.plan.get().sorts;
        (!sorts && self.fields.decoder.source.tag() == self.head.tag()).then_some(form)
    }

    /// The bytes of a packed run of whole numbers, where they are what is in memory.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fixed(&mut self, form: Form) -> Option<&'de [u8]> {
        let mut after = self.fields.front;
        let run = S::glance_part(&mut after)?;
        let whole = cfg!(target_endian = "little") && run.len().is_multiple_of(form.size()?);
        if whole {
            self.fields.front = after;
        }
        whole.then_some(run)
    }
}

impl<'de, S: Source<'de>, P: Planned> Glance<'de, S> for ToldDeserializer<'_, '_, 'de, '_, S, P> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is(&self, kind: Kind) -> bool {
        let holds = self.head.holds;
        if self.inside { holds.list(kind) } else { holds.single(kind) }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn front(&mut self) -> &mut S::Front {
        &mut self.fields.front
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn by_plan<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        let tag = match self.head.holds.is_numbers() {
            true => self.fields.decoder.source.tag(),
            false => self.head.tag(),
        };
        self.fields.by_plan(tag, self.inside, seed)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn done<T>(self, made: Result<T>) -> Result<T> {
        if made.is_err() {
            self.fields.decoder.source.lead(&self.fields.front);
        }
        made
    }
}

impl<'de, S: Source<'de>, P: Planned> Deserializer<'de> for ToldDeserializer<'_, '_, 'de, '_, S, P> {
    glance_methods!();

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        if let Some(form) = self.form(name) {
            if form.size().is_some() {
                if let Some(numbers) = self.fixed(form) {
                    return self.done(visitor.visit_borrowed_bytes(numbers));
                }
            } else if let Some(run) = self.fields.decoder.source.glance_run(&mut self.fields.front) {
                // A number that an enum does not have is told with all the others.
                return match packed::is_tiny(&run) && !self.head.holds.list(Kind::Enum) {
                    true => self.done(visitor.visit_seq(packed::Numbers::new(run, form))),
                    false => self.done(packed::read(run, form, visitor)),
                };
            }
        }
        if self.head.holds.is_numbers() {
            return self.by_plan(ask::deserialize_newtype_struct(name, visitor));
        }
        visitor.visit_newtype_struct(self)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        members: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        if self.is(Kind::Message)
            && let Some(mark) = mark_in(name)
        {
            if const { is_few::<V>() } {
                if let Some((plan, message, front)) = self.fields.enter_few(self.index, self.inside, mark)? {
                    let first = first_in(name);
                    return read_here(self.fields.decoder, plan, message, front, first, visitor);
                }
            } else if let Some((plan, message, front)) =
                self.fields.enter_at(self.index, self.inside, mark)?
            {
                return read_open(self.fields.decoder, plan, message, front, visitor);
            }
        }
        self.by_plan(ask::deserialize_struct(name, members, visitor))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.head.holds.is_list() && !self.inside {
            let ToldDeserializer { fields, index: member, head, .. } = self;
            return visitor.visit_seq(ToldElements { fields, member, head, index: 0 });
        }
        self.by_plan(ask::deserialize_seq(visitor))
    }

    deserializer_methods!(by_plan! rare);
    by_plan! {
        deserialize_any();
    }
}

/// The elements of a list of which its member told, each with its tag; that of the first was read.
struct ToldElements<'x, 'a, 'de, 'p, S: Source<'de>, P> {
    fields: &'x mut Fields<'a, 'de, 'p, S, P>,
    member: u16,
    head: Head,
    /// How many were read.
    index: usize,
}

impl<'de, S: Source<'de>, P: Planned> SeqAccess<'de> for ToldElements<'_, '_, 'de, '_, S, P> {
    type Error = Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let (index, head) = (self.member, self.head);
        // Where something else comes, it is of the message, be it another form of the same tag.
        if self.index > 0 && !S::glance_at(&mut self.fields.front, head.tag_bytes, head.tag_len) {
            return Ok(None);
        }
        match seed.deserialize(ToldDeserializer { fields: &mut *self.fields, index, head, inside: true }) {
            Ok(value) => {
                self.index += 1;
                Ok(Some(value))
            }
            Err(error) => Err(fail_in(self.fields.decoder, self.index, error)),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn size_hint(&self) -> Option<usize> {
        // Before the first.
        match self.index {
            0 => Some(S::glance_count(self.fields.front, self.head.tag_bytes, self.head.tag_len)),
            _ => None,
        }
    }
}

#[cold]
#[inline(never)]
fn fail_at<'de, S: Source<'de>>(
    decoder: &Decoder<'_, S>,
    plan: &MessagePlan,
    tag: u32,
    error: Error,
) -> Error {
    fail(decoder, find(plan, tag), error)
}

#[cold]
#[inline(never)]
fn fail_in<'de, S: Source<'de>>(decoder: &Decoder<'_, S>, index: usize, error: Error) -> Error {
    decoder.source.locate(error.in_index(index))
}
