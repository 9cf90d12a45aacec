//! JSON as a sink.
//!
//! Messages that have a text of their own are put together when they end: until then their parts are captured, or
//! stand in the output under keys that are no JSON. A message that is its one field, as a wrapper is, needs nothing:
//! its plan has an empty key for that field.
//!
//! Specification: <https://protobuf.dev/programming-guides/json/>.

mod any;
mod extension;
mod known;

use self::any::Captured;
use self::known::Capture;
use super::Sink;
use super::sink::Fork;
use crate::error::{Error, Result};
use crate::json::Options;
use crate::json::print::{Mark as Place, Numbers, Printer, Start};
use crate::plan::{EnumPlan, FieldPlan, Kind, MessagePlan, WellKnown};

/// JSON text over an output.
pub(crate) struct Json<'o> {
    pub(crate) out: Printer,
    options: &'o Options,
    proto_names: bool,
    /// Keys are other than the short JSON names that most are.
    other_keys: bool,
    enum_numbers: bool,
    quote64: bool,
    /// How many messages are open.
    level: u32,
    /// Where the value of a message that is its one field begins.
    in_place: usize,
    /// Where strings and bytes go instead of into the output.
    capture: Capture,
    captured: Option<Box<Captured>>,
    /// Where the last NaN or infinity was written.
    not_finite: usize,
    /// What could not be told when it was found; the end of the message tells it.
    error: Option<Error>,
}

/// A message that is being written.
#[derive(Clone, Copy)]
pub(crate) struct Message {
    start: Start,
    /// What `Json::in_place` was before.
    in_place: usize,
}

/// A place in the output to go back to.
pub(crate) struct Mark {
    place: Place,
    level: u32,
    in_place: usize,
}

impl<'o> Json<'o> {
    /// A sink that appends to `buf`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn append_to(buf: Vec<u8>, options: &'o Options) -> Self {
        Self::new(Printer::append_to(buf, options.pretty), options)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn new(out: Printer, options: &'o Options) -> Self {
        Json {
            out,
            options,
            proto_names: options.proto_field_names,
            other_keys: options.proto_field_names || options.pretty,
            enum_numbers: options.enums_as_integers,
            quote64: !options.int64_as_numbers,
            level: 0,
            in_place: 0,
            capture: Capture::No,
            captured: None,
            not_finite: usize::MAX,
            error: None,
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn key(&mut self, field: &FieldPlan) {
        if self.other_keys || !self.out.short_member(field.json_key.short()) {
            self.other_key(field);
        }
    }

    /// Writes elements of a list of numbers that are finite, where they stand in one line; told is whether those of 64
    /// bits have quotes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn numbers(&mut self, write: impl for<'b> FnOnce(Numbers<'b>, bool) -> Numbers<'b>) {
        if self.out.is_one_line() {
            let quote64 = self.quote64;
            self.out.numbers(|numbers| write(numbers, quote64));
        }
    }

    /// The key of a member that is not written at once; false where it stands for no field.
    #[inline(never)]
    fn other_member(&mut self, plan: &MessagePlan, index: usize) -> bool {
        let field = plan.member_field(index);
        if let Some(field) = field {
            self.key(field);
        }
        field.is_some()
    }

    /// A key that is long, laid out in lines, a proto name, or not that of a member.
    #[inline(never)]
    fn other_key(&mut self, field: &FieldPlan) {
        let key = if self.proto_names { field.proto_key.text() } else { field.json_key.text() };
        match key.first() {
            Some(b',') => self.out.member(key),
            _ => self.known_key(key),
        }
    }
}

impl Fork for Json<'_> {
    const TOLD: bool = true;

    fn fork(&self) -> Self {
        Json { level: self.level, ..Json::new(self.out.fork(), self.options) }
    }

    fn append(&mut self, piece: Self) -> Result<()> {
        self.out.append_entry(piece.out);
        Ok(())
    }
}

impl Sink for Json<'_> {
    type Message = Message;
    type List = Start;
    type Entry = ();
    type Mark = Mark;

    const MERGES: bool = false;

    fn mark(&self) -> Mark {
        Mark { place: self.out.mark(), level: self.level, in_place: self.in_place }
    }

    fn rewind(&mut self, mark: Mark) {
        self.out.rewind(mark.place);
        self.level = mark.level;
        self.in_place = mark.in_place;
        self.capture = Capture::No;
        self.not_finite = usize::MAX;
        self.error = None;
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn field(&mut self, field: &FieldPlan) {
        self.key(field);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begin_message(&mut self, _field: Option<&FieldPlan>, plan: &MessagePlan) -> Message {
        self.level += 1;
        match plan.known {
            WellKnown::No => Message { start: self.out.open(), in_place: 0 },
            known => self.begin_known(known),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end_message(
        &mut self,
        _field: Option<&FieldPlan>,
        plan: &MessagePlan,
        message: Message,
    ) -> Result<()> {
        if plan.known != WellKnown::No {
            self.end_known(plan, message)?;
        } else {
            self.out.close(message.start, *b"{}");
        }
        self.level -= 1;
        Ok(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begin_list(&mut self, field: &FieldPlan, _len: usize) -> Start {
        self.key(field);
        self.out.open()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn element(&mut self, _field: &FieldPlan, _first: bool) {
        self.out.element();
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end_list(&mut self, _field: &FieldPlan, list: Start) {
        self.out.close(list, *b"[]");
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begin_map(&mut self, field: &FieldPlan) {
        self.key(field);
        self.out.open_map();
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begin_entry(&mut self, _field: &FieldPlan, key: &FieldPlan, _first: bool) {
        self.out.entry();
        let quotes_itself = match key.kind {
            Kind::String => true,
            Kind::Int64 | Kind::SInt64 | Kind::SFixed64 | Kind::UInt64 | Kind::Fixed64 => self.quote64,
            _ => false,
        };
        if !quotes_itself {
            self.out.quote();
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn entry_value(&mut self, _value: &FieldPlan) {
        self.out.colon();
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end_entry(&mut self, (): ()) {}

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end_map(&mut self, _field: &FieldPlan) {
        self.out.close_map();
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn member(&mut self, plan: &MessagePlan, index: usize) -> bool {
        match plan.members.get(index) {
            Some(member) if !self.other_keys && self.out.short_member(member.json_key) => true,
            _ => self.other_member(plan, index),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn bool(&mut self, value: bool) {
        self.out.bool(value);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn i32(&mut self, _kind: Kind, value: i32) {
        self.out.signed(value.into());
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn i64(&mut self, _kind: Kind, value: i64) {
        if !self.quote64 {
            return self.out.signed(value);
        }
        self.out.quoted_signed(value);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn u32(&mut self, _kind: Kind, value: u32) {
        self.out.unsigned(value.into());
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn u64(&mut self, _kind: Kind, value: u64) {
        if !self.quote64 {
            return self.out.unsigned(value);
        }
        self.out.quoted_unsigned(value);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn f32(&mut self, value: f32) {
        match value.is_finite() {
            true => self.out.float(value),
            false => self.not_finite(value.into()),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn f64(&mut self, value: f64) {
        match value.is_finite() {
            true => self.out.float(value),
            false => self.not_finite(value),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn str(&mut self, value: &str) {
        match self.capture {
            Capture::No => self.out.string(value),
            _ => self.captured_str(value),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn bytes(&mut self, value: &[u8]) {
        match self.capture {
            Capture::No => self.out.base64(value),
            _ => self.captured_bytes(value),
        }
    }

    #[cold]
    fn text_bytes(&mut self, _value: &[u8]) -> Result<()> {
        Err(Error::ty("the string is not valid UTF-8, as JSON wants it"))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn enumeration(&mut self, plan: &EnumPlan, number: i32) {
        match plan.json_name(number) {
            Some(name) if !self.enum_numbers => self.out.raw(name),
            _ => self.enum_number(plan, number),
        }
    }

    #[cold]
    fn unknown(&mut self, plan: &MessagePlan, fields: &[u8]) -> Result<()> {
        if !plan.extendable {
            return Ok(());
        }
        self.extensions(plan, fields)
    }
}

impl Json<'_> {
    #[cold]
    fn not_finite(&mut self, value: f64) {
        self.not_finite = self.out.len();
        self.out.raw(match value {
            f64::INFINITY => b"\"Infinity\"",
            f64::NEG_INFINITY => b"\"-Infinity\"",
            _ => b"\"NaN\"",
        });
    }

    #[cold]
    fn enum_number(&mut self, plan: &EnumPlan, number: i32) {
        match plan.null {
            true => self.out.raw(b"null"),
            false => self.out.signed(number.into()),
        }
    }
}
