//! What a format must be able to write.

use crate::error::Result;
use crate::plan::{EnumPlan, FieldPlan, Head, Kind, MessagePlan};

/// Writes one format: bytes and syntax only.
///
/// What is written, under which field, whether it is present, packed, an entry of a map: all that is decided by the
/// caller, from the plan. A sink is told where it is and puts down what the format wants there.
pub(crate) trait Sink: Sized {
    /// An open message.
    type Message;
    /// An open list.
    type List;
    /// An open map entry.
    type Entry;
    /// A place in the output to go back to.
    type Mark;

    /// A field may be written again after others: its reader merges, as that of the wire format does.
    const MERGES: bool;

    /// Fields without presence are told when they have their default, too: an earlier value of theirs must go.
    const ZEROS: bool = false;

    /// The place where the output stands.
    fn mark(&self) -> Self::Mark;
    /// Takes back what was written since the mark.
    fn rewind(&mut self, mark: Self::Mark);

    /// A field with one value comes; the value follows.
    fn field(&mut self, field: &FieldPlan);

    /// A message: the outermost one where there is no field.
    fn begin_message(&mut self, field: Option<&FieldPlan>, plan: &MessagePlan) -> Self::Message;
    /// A message that is all that a member holds, its key and its beginning; the member stands for `field`. Of a list it
    /// may come `again`, after another.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begin_member(
        &mut self,
        field: Option<&FieldPlan>,
        _head: Head,
        plan: &MessagePlan,
        _again: bool,
    ) -> Self::Message {
        if let Some(field) = field {
            self.field(field);
        }
        self.begin_message(field, plan)
    }
    /// # Errors
    /// What was written since the message began is no valid value of its type in this format.
    fn end_message(
        &mut self,
        field: Option<&FieldPlan>,
        plan: &MessagePlan,
        message: Self::Message,
    ) -> Result<()>;

    /// A list that is not empty; `len` is a guess at its length. Each value follows an `element`.
    fn begin_list(&mut self, field: &FieldPlan, len: usize) -> Self::List;
    fn element(&mut self, field: &FieldPlan, first: bool);
    fn end_list(&mut self, field: &FieldPlan, list: Self::List);

    /// A map that is not empty: entries of a key that follows `begin_entry` and a value that follows `entry_value`.
    fn begin_map(&mut self, field: &FieldPlan);
    fn begin_entry(&mut self, field: &FieldPlan, key: &FieldPlan, first: bool) -> Self::Entry;
    fn entry_value(&mut self, value: &FieldPlan);
    fn end_entry(&mut self, entry: Self::Entry);
    fn end_map(&mut self, field: &FieldPlan);

    /// A single field and its value.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn field_value(&mut self, field: &FieldPlan, value: Single<'_>) {
        self.field(field);
        self.value(value);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn value(&mut self, value: Single<'_>) {
        match value {
            Single::Bool(value) => self.bool(value),
            Single::I32(kind, value) => self.i32(kind, value),
            Single::I64(kind, value) => self.i64(kind, value),
            Single::U32(kind, value) => self.u32(kind, value),
            Single::U64(kind, value) => self.u64(kind, value),
            Single::F32(value) => self.f32(value),
            Single::F64(value) => self.f64(value),
            Single::Str(value) => self.str(value),
            Single::Bytes(value) => self.bytes(value),
            Single::Enum(plan, number) => self.enumeration(plan, number),
        }
    }

    /// The field that the member of a bound type at `index`, or the variant behind them, stands for; false where there is
    /// none.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn member(&mut self, plan: &MessagePlan, index: usize) -> bool {
        let field = plan.member_field(index);
        if let Some(field) = field {
            self.field(field);
        }
        field.is_some()
    }

    /// Such a field and its value.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn member_value(&mut self, plan: &MessagePlan, index: usize, _head: Head, value: Single<'_>) {
        if self.member(plan, index) {
            self.value(value);
        }
    }

    fn bool(&mut self, value: bool);
    /// `kind` is int32, sint32 or sfixed32; likewise below.
    fn i32(&mut self, kind: Kind, value: i32);
    fn i64(&mut self, kind: Kind, value: i64);
    fn u32(&mut self, kind: Kind, value: u32);
    fn u64(&mut self, kind: Kind, value: u64);
    fn f32(&mut self, value: f32);
    fn f64(&mut self, value: f64);
    fn str(&mut self, value: &str);
    fn bytes(&mut self, value: &[u8]);
    /// The text of a string that is not UTF-8, in a schema that does not ask for it.
    ///
    /// # Errors
    /// The format has no room for such text.
    fn text_bytes(&mut self, value: &[u8]) -> Result<()>;
    fn enumeration(&mut self, plan: &EnumPlan, number: i32);

    /// Fields that the message does not name, as wire bytes; it comes once per message, unless the sink
    /// [merges](Self::MERGES).
    ///
    /// # Errors
    /// There are extensions among them that are malformed.
    fn unknown(&mut self, plan: &MessagePlan, fields: &[u8]) -> Result<()>;
}

/// A single value that is not a message.
#[derive(Clone, Copy)]
pub(crate) enum Single<'a> {
    Bool(bool),
    /// The kind is int32, sint32 or sfixed32; likewise below.
    I32(Kind, i32),
    I64(Kind, i64),
    U32(Kind, u32),
    U64(Kind, u64),
    F32(f32),
    F64(f64),
    Str(&'a str),
    Bytes(&'a [u8]),
    Enum(&'a EnumPlan, i32),
}

/// A sink that goes from hand to hand: who writes something takes it, and gives it back. So what it keeps of its own,
/// as where the output ends, stays in registers.
pub(crate) trait Handed: Sink {
    /// What is told with a member is used.
    const TOLD: bool;

    /// What a member's [`Head`] says is all that it needs for single values and messages, and for lists of values that
    /// each come with the tag. Fields that have their default are not written.
    const BY_HEAD: bool = false;

    /// A map entry. Where the sink goes by heads, key and value come as fields do; else as in a
    /// [`begin_entry`](Sink::begin_entry).
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begin_pair(&mut self, field: &FieldPlan, key: &FieldPlan, first: bool) -> Self::Entry {
        self.begin_entry(field, key, first)
    }

    /// The value of such an entry follows.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn pair_value(&mut self, value: &FieldPlan) {
        self.entry_value(value);
    }

    /// An entry of a key and a value of as many bytes, strings or bytes both, which come as in a
    /// [`begin_pair`](Self::begin_pair); none where the format has no use for the lengths. It is given back how long all
    /// is to be.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begin_known_pair(&mut self, _field: &FieldPlan, _key: usize, _value: usize) -> Option<usize> {
        None
    }

    /// True where the output is as long as that.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end_known_pair(&self, _len: usize) -> bool {
        true
    }

    /// A piece of output that is put in later.
    type Piece;
    /// A sink over a piece.
    type Over<'x>: Handed<Piece = Self::Piece>
    where
        Self: 'x;

    fn piece(&self) -> Self::Piece;
    fn over<'x>(piece: &'x mut Self::Piece) -> Self::Over<'x>
    where
        Self: 'x;
    fn append(&mut self, piece: Self::Piece) -> Result<()>;

    /// Puts down what it kept of its own; nothing is written any more.
    fn settle(self);
}

/// A sink that makes others like itself, to be handed on by reference.
pub(crate) trait Fork: Sink {
    /// As [`Handed::TOLD`].
    const TOLD: bool = false;

    /// An empty sink for a piece of output that is put in later with `append`.
    fn fork(&self) -> Self;
    fn append(&mut self, piece: Self) -> Result<()>;
}

impl<S: Fork> Handed for &mut S {
    const TOLD: bool = S::TOLD;

    type Piece = S;
    type Over<'x>
        = &'x mut S
    where
        Self: 'x;

    fn piece(&self) -> S {
        S::fork(self)
    }

    fn over<'x>(piece: &'x mut S) -> &'x mut S
    where
        Self: 'x,
    {
        piece
    }

    fn append(&mut self, piece: S) -> Result<()> {
        S::append(self, piece)
    }

    fn settle(self) {}
}

/// Forwards the methods of a sink to what is behind the reference.
macro_rules! forward {
    ($($method:ident($($arg:ident: $ty:ty),*) $(-> $out:ty)?;)*) => {
        $(
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn $method(&mut self, $($arg: $ty),*) $(-> $out)? {
                S::$method(self, $($arg),*)
            }
        )*
    };
}

impl<S: Sink> Sink for &mut S {
    type Message = S::Message;
    type List = S::List;
    type Entry = S::Entry;
    type Mark = S::Mark;

    const MERGES: bool = S::MERGES;
    const ZEROS: bool = S::ZEROS;

    fn mark(&self) -> S::Mark {
        S::mark(self)
    }

    forward! {
        rewind(mark: S::Mark);
        field(field: &FieldPlan);
        begin_message(field: Option<&FieldPlan>, plan: &MessagePlan) -> S::Message;
        begin_member(field: Option<&FieldPlan>, head: Head, plan: &MessagePlan, again: bool) -> S::Message;
        end_message(field: Option<&FieldPlan>, plan: &MessagePlan, message: S::Message) -> Result<()>;
        begin_list(field: &FieldPlan, len: usize) -> S::List;
        element(field: &FieldPlan, first: bool);
        end_list(field: &FieldPlan, list: S::List);
        begin_map(field: &FieldPlan);
        begin_entry(field: &FieldPlan, key: &FieldPlan, first: bool) -> S::Entry;
        entry_value(value: &FieldPlan);
        end_entry(entry: S::Entry);
        end_map(field: &FieldPlan);
        field_value(field: &FieldPlan, value: Single<'_>);
        value(value: Single<'_>);
        member(plan: &MessagePlan, index: usize) -> bool;
        member_value(plan: &MessagePlan, index: usize, head: Head, value: Single<'_>);
        bool(value: bool);
        i32(kind: Kind, value: i32);
        i64(kind: Kind, value: i64);
        u32(kind: Kind, value: u32);
        u64(kind: Kind, value: u64);
        f32(value: f32);
        f64(value: f64);
        str(value: &str);
        bytes(value: &[u8]);
        text_bytes(value: &[u8]) -> Result<()>;
        enumeration(plan: &EnumPlan, number: i32);
        unknown(plan: &MessagePlan, fields: &[u8]) -> Result<()>;
    }
}
