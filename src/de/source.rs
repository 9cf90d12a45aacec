//! What a format must be able to read.

use crate::error::Result;
use crate::plan::{EnumPlan, FieldPlan, Kind, MapPlan, MessagePlan, PlanSet, Route};
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

    /// Puts the input to where the front stands, before a value is read.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lead(&mut self, _front: &Self::Front) {}

    /// Brings the front to where the input stands, after a value was read.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn follow(&self, _front: &mut Self::Front) {}

    /// The next field, where it takes no more than a glance, and for a message whose plan is bound. The front goes past
    /// its tag, the input itself does not yet.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn glance<'m>(&mut self, _front: &mut Self::Front, _plan: &'m MessagePlan) -> Glance<'m> {
        Glance::Other
    }

    /// Leaves a message whose last field was read.
    fn close_message(&mut self, message: Self::Message, outer: Self::Outer);

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

/// What comes next in a message, at a glance.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Glance<'m> {
    /// A field, and the member that it goes to.
    Field(&'m FieldPlan, u16),
    End,
    /// A second look is needed.
    Other,
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
