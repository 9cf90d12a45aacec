//! What a format must be able to read.

use crate::error::Result;
use crate::plan::{EnumPlan, FieldPlan, Kind, MapPlan, MessagePlan, PlanSet, Route, TagTable};
use crate::wire::Reader;
use crate::wire::packed::{Form, PackedRun};
use std::borrow::Cow;

/// Reads one format: bytes and syntax only.
///
/// Which member takes a field, what comes when nothing was given, how values merge: all that is decided by the
/// caller, from the plan. After [`next_field`](Self::next_field) told a field, exactly one of the value methods, `open_list`, `open_map`,
/// `open_message` or `skip_value` is called for it.
pub(crate) trait Source<'de>: Sized {
    /// No field of a message and no key of a map ever comes twice.
    const UNIQUE: bool;
    /// Glances see something.
    const GLANCES: bool = false;
    /// An open message.
    type Message;
    /// An open list.
    type List;
    /// An open map.
    type Map: Clone;
    /// A place in the input to go back to.
    type Mark;
    /// What a loop over the fields of a message keeps at hand, in registers: where the input stands.
    type Front: Copy + Default;
    /// What is around a message, to go on with after it. On its own and not in the message, whose address is known: what
    /// is there has to be in memory, and words that are stored one by one are slow to copy as a whole.
    type Outer: Copy;
    /// What is to be known of a message to leave it.
    type Closed: Copy;

    /// The place where the input stands, before a message is opened.
    fn mark(&self) -> Self::Mark;
    /// Goes back to a message that turned out to hold a field again after others, and opens it grouped.
    fn reopen_grouped(
        &mut self,
        mark: Self::Mark,
        cx: Context<'_>,
        field: Option<&FieldPlan>,
        plan: &MessagePlan,
    ) -> Result<Self::Message>;

    /// What is around the message that is opened next.
    fn outer(&self) -> Self::Outer;

    /// Enters a message: the outermost one where there is no field.
    fn open_message(
        &mut self,
        cx: Context<'_>,
        field: Option<&FieldPlan>,
        plan: &MessagePlan,
        routes: &[Route],
    ) -> Result<Self::Message>;

    /// The next field that has something in it.
    fn next_field(
        &mut self,
        cx: Context<'_>,
        message: &mut Self::Message,
        plan: &MessagePlan,
    ) -> Result<Next>;

    /// Where the input stands at the start of a message.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn front(&self, _message: &Self::Message) -> Self::Front {
        Self::Front::default()
    }

    /// Puts the input to where the front stands, before anything is read that takes more than a glance.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lead(&mut self, _front: &Self::Front) {}

    /// The tag at hand: of the field that comes, or that a glance has found.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn tag(&self) -> u32 {
        0
    }

    /// Says that the tag at hand is this one.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn set_tag(&mut self, _tag: u32) {}

    /// Brings the front to where the input stands; to nothing, where unknown fields are to be told first.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn follow(&self, _front: &mut Self::Front) {}

    /// True when unknown fields that turned up in a value are to be told before anything else.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn pending(&self) -> bool {
        false
    }

    // Glances see what comes next at the front and go past it, or see nothing: then the input is led there to have a
    // second look, and whatever is wrong is found by that.

    /// True where the message of a field has a length, and its fields may be found by a glance: it ends where nothing is
    /// left at its front.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn glances(&self, _field: &FieldPlan) -> bool {
        false
    }

    /// The byte at the front.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn glance(_front: Self::Front) -> Option<u8> {
        None
    }

    /// Goes past so many bytes that a glance has seen.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn pass(_front: &mut Self::Front, _bytes: usize) {}

    /// The tag at the front where it takes two bytes, and the member that its field goes to.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn glance_wide(_front: Self::Front, _tags: &TagTable) -> Option<Glanced> {
        None
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn glance_varint(_front: &mut Self::Front) -> Option<u64> {
        None
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn glance_fixed32(_front: &mut Self::Front) -> Option<u32> {
        None
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn glance_fixed64(_front: &mut Self::Front) -> Option<u64> {
        None
    }

    /// A value with a length.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn glance_part(_front: &mut Self::Front) -> Option<&'de [u8]> {
        None
    }

    /// This tag, the first `len` of `bytes`: of a further element, or of the member that is expected.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn glance_at(_front: &mut Self::Front, _bytes: [u8; 8], _len: u8) -> bool {
        false
    }

    /// How many values with a length come one after the other, the first one without its tag, the others with this one.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn glance_count(_front: Self::Front, _bytes: [u8; 8], _len: u8) -> usize {
        0
    }

    /// A run of packed numbers, to be read as wire bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn glance_run(&self, _front: &mut Self::Front) -> Option<Reader<'de>> {
        None
    }

    /// The outermost message, where it is read at a glance: itself, and its front.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn glance_root(&self) -> Option<(Self::Message, Self::Front)> {
        None
    }

    /// A message with a length: itself, and its own front.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn glance_message(_front: &mut Self::Front) -> Option<(Self::Message, Self::Front)> {
        None
    }

    /// Where the input stands, at a map whose entries may be read at a glance.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn glance_map(&self) -> Option<Self::Front> {
        None
    }

    /// The tag of a further entry of the map that a field holds.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn glance_further(_front: &mut Self::Front, _field: &FieldPlan) -> bool {
        false
    }

    /// A map entry of one key and one value, in this order: fronts over each of them alone, without a length.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn glance_entry(
        _front: &mut Self::Front,
        _cx: Context<'_>,
        _plan: &MapPlan,
    ) -> Option<(Self::Front, Self::Front)> {
        None
    }

    /// All that is left at a front.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn glance_all(_front: &mut Self::Front) -> Option<&'de [u8]> {
        None
    }

    /// Puts the input to a place in the entry at a front that a glance has seen.
    fn lead_into(&mut self, _front: Self::Front, _cx: Context<'_>, _plan: &MapPlan, _at: At) {}

    /// The key of such an entry in words, for errors.
    fn glance_key(&self, _front: Self::Front, _cx: Context<'_>, _plan: &MapPlan) -> String {
        String::new()
    }

    /// What is to be known of a message to leave it.
    fn closed(message: &Self::Message) -> Self::Closed;

    /// Leaves a message whose last field was read.
    fn close_message(&mut self, message: Self::Closed, outer: Self::Outer);

    /// True when all occurrences of a field come together, so that none comes twice.
    fn is_grouped(&self, message: &Self::Message) -> bool;

    /// The bytes of the fields that `Next::Unknown` told.
    fn unknown(&mut self) -> Cow<'de, [u8]>;

    /// Drops the value of a field.
    fn skip_value(&mut self, cx: Context<'_>, field: &FieldPlan) -> Result<()>;

    /// Drops one element of a list.
    fn skip_element(&mut self, cx: Context<'_>, field: &FieldPlan) -> Result<()>;

    /// Enters the list that a field holds.
    fn open_list(&mut self, field: &FieldPlan) -> Result<Self::List>;
    /// Goes to the next element; false at the end, when the list is left.
    fn next_element(&mut self, cx: Context<'_>, list: &mut Self::List, field: &FieldPlan) -> Result<bool>;
    /// A guess at how many elements are left.
    fn list_hint(&self, list: &Self::List, field: &FieldPlan) -> Option<usize>;

    /// Takes the packed run at hand, where there is one that can be read as a whole; else the list is to be opened.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn packed_run(&mut self, _field: &FieldPlan, _form: Form) -> Result<Option<PackedRun<'de>>> {
        Ok(None)
    }

    /// Enters the map that a field holds.
    fn open_map(&mut self) -> Self::Map;
    /// A guess at how many entries come one after the other, before the first one.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn map_hint(&self, _map: &Self::Map, _field: &FieldPlan) -> Option<usize> {
        None
    }
    /// Goes to the key of the next entry; false at the end, when the map is left.
    fn next_entry(
        &mut self,
        cx: Context<'_>,
        map: &mut Self::Map,
        field: &FieldPlan,
        plan: &MapPlan,
    ) -> Result<bool>;
    /// Goes to the value of the entry; false when there is none, and the default of the field stands for it.
    fn entry_value(&mut self, map: &mut Self::Map, plan: &MapPlan) -> bool;
    /// The value of the entry was read.
    fn end_entry(&mut self, map: &mut Self::Map);
    /// The key of the entry in words, for errors.
    fn describe_key(&self, map: &Self::Map, key: &FieldPlan) -> String;

    fn bool(&mut self) -> Result<bool>;
    /// `kind` is int32, sint32 or sfixed32; likewise below.
    fn i32(&mut self, kind: Kind) -> Result<i32>;
    fn i64(&mut self, kind: Kind) -> Result<i64>;
    fn u32(&mut self, kind: Kind) -> Result<u32>;
    fn u64(&mut self, kind: Kind) -> Result<u64>;
    fn f32(&mut self) -> Result<f32>;
    fn f64(&mut self) -> Result<f64>;
    /// The number of an enum value; one that the closed enum does not have never comes.
    fn enumeration(&mut self, plan: &EnumPlan) -> Result<i32>;
    fn str(&mut self, field: &FieldPlan) -> Result<Cow<'de, str>>;
    /// Of a field of kind bytes, or of kind string where its Rust type is bytes.
    fn bytes(&mut self, field: &FieldPlan) -> Result<Cow<'de, [u8]>>;

    /// Adds the position where reading stands.
    fn locate(&self, error: crate::Error) -> crate::Error;
}

/// What a format may need to know beside the field at hand.
#[derive(Clone, Copy)]
pub(crate) struct Context<'p> {
    pub(crate) set: &'p PlanSet,
    /// How many levels of messages may still be opened.
    pub(crate) depth: u32,
    /// Unknown fields are told, whether or not a member keeps them.
    pub(crate) unknown: bool,
}

impl Context<'_> {
    /// True when the unknown fields of a message are told.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn keeps_unknown(&self, plan: &MessagePlan) -> bool {
        self.unknown || plan.unknown.is_some()
    }
}

/// A tag that a glance found, and the member that the field goes to: in one word, which is cheap to hand on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Glanced(u64);

impl Glanced {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn new(tag: u32, member: u16) -> Self {
        Glanced(u64::from(member) << 32 | u64::from(tag))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn tag(self) -> u32 {
        self.0 as u32
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn member(self) -> u16 {
        (self.0 >> 32) as u16
    }
}

/// A place in a map entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum At {
    Key,
    Value,
    AfterKey,
    AfterValue,
    /// Where the input is, if that is in the key; else at the key.
    InKey,
    /// The same of the value.
    InValue,
}

/// What comes next in a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// A field, by its index in the plan.
    Field(usize),
    /// Fields that the plan does not have, for a message that keeps them.
    Unknown,
    /// Nothing.
    End,
}
