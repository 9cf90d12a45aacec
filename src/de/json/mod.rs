//! JSON as a source.
//!
//! Nothing is read twice: a message is walked as it stands, its members found by name. A message with a form of its
//! own, such as a timestamp, is taken apart into the fields that it has. Such fields have no place in the input: they
//! are *put*, that is kept aside, while the cursor is parked at the end, so that only the slow paths look for them.
//!
//! Specification: <https://protobuf.dev/programming-guides/json/>.

mod any;
mod closed;
mod known;
mod list;
mod map;
mod object;
mod outside;
mod scalar;

use self::known::Parts;
use self::list::List;
use self::map::Map;
use self::object::Object;
pub(crate) use self::scalar::Float;
use super::source::{Context, Next, Source};
use crate::descriptor::Pool;
use crate::error::{Error, Result};
use crate::json::lex::Cursor;
use crate::plan::{EnumPlan, FieldPlan, Kind, MapPlan, MessagePlan, Route, WellKnown};
use std::borrow::Cow;

/// JSON being read.
pub(crate) struct Json<'de> {
    cursor: Cursor<'de>,
    /// Where the value at hand starts.
    start: usize,
    /// The value at hand, where it has no place in the input.
    put: Put<'de>,
    /// How the next message is opened.
    opens: Opens,
    /// Unknown fields that were told, or are to be told next.
    unknown: Vec<u8>,
    /// The unknown fields were told.
    told: bool,
    settings: Settings,
}

/// How JSON is read.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) ignore_unknown: bool,
    /// Required fields may be missing in the content of an `Any`.
    pub(crate) partial: bool,
    /// Levels of messages, for errors.
    pub(crate) max_depth: u32,
    /// Where the types of `Any` and extensions are looked up, if not in the global pool.
    pub(crate) pool: Option<Pool>,
}

/// A value that has no place in the input.
#[derive(Debug)]
enum Put<'de> {
    Nothing,
    Bool(bool),
    Int(i64),
    UInt(u64),
    Str(Cow<'de, str>),
    Bytes(Vec<u8>),
    List(std::vec::IntoIter<String>),
}

/// What stands at the cursor when a message is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opens {
    /// What the type is written as.
    Value,
    /// The content of an `Any`: an object with `@type` among its members.
    Content,
    /// The value of the one field that the message has, by its index.
    Field(u16),
}

/// A message that is being read.
pub(crate) enum Message<'de> {
    Object(Object),
    /// A message of one field at the most, whose value is at the cursor.
    One(Option<u16>),
    Parts(Parts<'de>),
}

impl<'de> Json<'de> {
    /// A text, up to the first token.
    ///
    /// # Errors
    /// There is a byte order mark.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn new(mut cursor: Cursor<'de>, settings: Settings) -> Result<Self> {
        cursor.start()?;
        let start = cursor.position();
        Ok(Json {
            cursor,
            start,
            put: Put::Nothing,
            opens: Opens::Value,
            unknown: Vec::new(),
            told: false,
            settings,
        })
    }

    /// How many bytes were read.
    pub(crate) fn position(&self) -> usize {
        self.cursor.position()
    }

    /// Makes sure that nothing comes after the message.
    ///
    /// # Errors
    /// There is more.
    pub(crate) fn finish(mut self) -> Result<()> {
        self.cursor.end()
    }

    /// Goes to a value.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn at_value(&mut self) -> Option<u8> {
        let byte = self.cursor.token();
        self.start = self.cursor.position();
        byte
    }

    /// Keeps a value aside, and parks the cursor.
    fn put(&mut self, value: Put<'de>) {
        self.put = value;
        self.cursor.park();
    }

    /// Takes the value that was kept aside.
    fn take(&mut self) -> Put<'de> {
        std::mem::replace(&mut self.put, Put::Nothing)
    }

    /// Another value is at the cursor than what the field holds.
    #[cold]
    fn mismatch(&mut self, wanted: &str) -> Error {
        if !matches!(self.take(), Put::Nothing) {
            // Only a schema that gives a well-known name to a message of other fields gets here.
            return self
                .error(format!("the field is {wanted}, which the well-known type of its name has not"));
        }
        match self.cursor.describe() {
            Some(found) => self.error(format!("expected {wanted}, but found {found}")),
            None => self.cursor.unexpected(wanted),
        }
    }

    /// An error in the value at hand.
    #[cold]
    fn error(&self, message: impl Into<Cow<'static, str>>) -> Error {
        self.cursor.error(self.start, message)
    }

    /// Drops the value at hand.
    fn skip(&mut self, cx: Context<'_>) -> Result<()> {
        match self.take() {
            Put::Nothing => {
                let skipped = self.cursor.skip(cx.depth);
                skipped.map_err(|error| error.of_max_depth(self.settings.max_depth))
            }
            _ => Ok(()),
        }
    }

    /// The pool of `Any` types and extensions.
    fn pool(&mut self) -> Pool {
        self.settings.pool.get_or_insert_with(Pool::global).clone()
    }

    /// True where `null` is a value of the field, and does not stand for a field that is not set.
    fn takes_null(cx: Context<'_>, field: &FieldPlan) -> bool {
        match field.kind {
            Kind::Enum => cx.set.enums[field.sub as usize].null,
            Kind::Message | Kind::Group => cx.set.messages[field.sub as usize].known == WellKnown::Value,
            _ => false,
        }
    }

    /// True for enum fields whose values must be looked at before they are delivered.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn looks_at(&self, field: &FieldPlan) -> bool {
        field.kind == Kind::Enum && (field.closed || self.settings.ignore_unknown)
    }
}

impl<'de> Source<'de> for Json<'de> {
    type Message = Message<'de>;
    type List = List<'de>;
    type Map = Map<'de>;
    type Mark = usize;
    type Front = ();
    type Outer = ();
    type Closed = ();

    const UNIQUE: bool = true;

    fn mark(&self) -> usize {
        self.start
    }

    #[cold]
    fn reopen_grouped(
        &mut self,
        _: usize,
        _: Context<'_>,
        _: Option<&FieldPlan>,
        _: &MessagePlan,
    ) -> Result<Message<'de>> {
        Err(Error::ty("JSON has no field twice, and yet is to be read grouped"))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn open_message(
        &mut self,
        cx: Context<'_>,
        _field: Option<&FieldPlan>,
        plan: &MessagePlan,
        _routes: &[Route],
    ) -> Result<Message<'de>> {
        if plan.known != WellKnown::No || self.opens != Opens::Value {
            return self.open_known(cx, plan);
        }
        self.open_object(plan).map(Message::Object)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_field(
        &mut self,
        cx: Context<'_>,
        message: &mut Message<'de>,
        plan: &MessagePlan,
    ) -> Result<Next> {
        match message {
            Message::Object(object) => self.next_member(cx, object, plan),
            Message::One(index) => {
                Ok(index.take().map_or(Next::End, |index| Next::Field(usize::from(index))))
            }
            Message::Parts(parts) => Ok(self.next_part(parts, plan)),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn closed(_: &Message<'de>) {}

    fn close_message(&mut self, (): (), (): ()) {}

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn outer(&self) {}

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_grouped(&self, _: &Message<'de>) -> bool {
        true
    }

    fn unknown(&mut self) -> Cow<'de, [u8]> {
        self.told = false;
        Cow::Owned(std::mem::take(&mut self.unknown))
    }

    fn skip_value(&mut self, cx: Context<'_>, _: &FieldPlan) -> Result<()> {
        self.skip(cx)
    }

    fn skip_element(&mut self, cx: Context<'_>, _: &FieldPlan) -> Result<()> {
        self.skip(cx)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn open_list(&mut self, field: &FieldPlan) -> Result<List<'de>> {
        self.list(field)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_element(&mut self, cx: Context<'_>, list: &mut List<'de>, field: &FieldPlan) -> Result<bool> {
        self.element(cx, list, field)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn list_hint(&self, list: &List<'de>, field: &FieldPlan) -> Option<usize> {
        self.hint(list, field)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn open_map(&mut self) -> Map<'de> {
        Map::default()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_entry(
        &mut self,
        cx: Context<'_>,
        map: &mut Map<'de>,
        field: &FieldPlan,
        plan: &MapPlan,
    ) -> Result<bool> {
        self.entry(cx, map, field, plan)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn entry_value(&mut self, map: &mut Map<'de>, _: &MapPlan) -> bool {
        self.at_entry_value(map);
        true
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end_entry(&mut self, _: &mut Map<'de>) {}

    fn describe_key(&self, map: &Map<'de>, _: &FieldPlan) -> String {
        map.key_in_words()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn bool(&mut self) -> Result<bool> {
        self.boolean()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn i32(&mut self, kind: Kind) -> Result<i32> {
        let value = self.signed(kind, i32::MAX as u64)?;
        Ok(value as i32)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn i64(&mut self, kind: Kind) -> Result<i64> {
        self.signed(kind, i64::MAX as u64)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn u32(&mut self, kind: Kind) -> Result<u32> {
        let value = self.unsigned(kind, u64::from(u32::MAX))?;
        Ok(value as u32)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn u64(&mut self, kind: Kind) -> Result<u64> {
        self.unsigned(kind, u64::MAX)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn f32(&mut self) -> Result<f32> {
        self.float()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn f64(&mut self) -> Result<f64> {
        self.float()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn enumeration(&mut self, plan: &EnumPlan) -> Result<i32> {
        self.enum_number(plan)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn str(&mut self, _: &FieldPlan) -> Result<Cow<'de, str>> {
        self.text()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn bytes(&mut self, field: &FieldPlan) -> Result<Cow<'de, [u8]>> {
        match field.kind {
            Kind::Bytes => self.binary().map(Cow::Owned),
            _ => Ok(match self.text()? {
                Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
                Cow::Owned(text) => Cow::Owned(text.into_bytes()),
            }),
        }
    }

    #[cold]
    fn locate(&self, error: Error) -> Error {
        self.cursor.locate(self.start, error)
    }
}
