//! JSON to wire.

use super::{Ordinary, begins};
use crate::de::{Json, JsonFloat, JsonSettings, Keys};
use crate::json::lex::{Cursor, from_base64, signed_of, unsigned_of};
use crate::plan::{EnumPlan, FieldPlan, Kind, MapPlan, MessagePlan, PlanSet, Shape, Target, WellKnown};
use crate::relay::Relay;
use crate::ser::{Sink, Wire};
use crate::wire::Tip;
use std::borrow::Cow;
use std::hash::Hash;

/// Hands a JSON text to a sink of wire bytes.
///
/// A place in the text goes from function to function, and comes back as the place after what was read.
pub(crate) struct ToWire<'a, 'w, 'p, 't> {
    pub(crate) sink: &'a mut Wire<Tip<'w>>,
    pub(crate) set: &'p PlanSet,
    pub(crate) text: &'t str,
    pub(crate) settings: &'a JsonSettings,
}

/// What comes next in an object.
enum Member {
    /// The field of an index, and the place after the colon.
    Field(usize, usize),
    /// The place after the object.
    End(usize),
}

impl<'t> ToWire<'_, '_, '_, 't> {
    /// Writes the message that the whole text is, where `depth` more may be opened.
    pub(crate) fn whole(&mut self, plan: &MessagePlan, depth: u32) -> Ordinary<()> {
        let at = self.message(plan, self.token(0), depth)?;
        (self.token(at) == self.text.len()).then_some(())
    }

    /// Writes a message; its begin and end are the caller's to write.
    fn message(&mut self, plan: &MessagePlan, at: usize, depth: u32) -> Ordinary<usize> {
        if !super::is_plain(plan) || plan.crossed {
            return self.relayed(plan, at, depth);
        }
        let depth = depth.checked_sub(1)?;
        if self.byte(at) != Some(b'{') {
            return None;
        }
        let mut at = at + 1;
        // Bits of the fields that came, of those of them that were null, and of the oneofs that have a value.
        let (mut seen, mut nulls, mut set) = (0u64, 0u64, 0u64);
        let mut guess = 0;
        loop {
            let started = seen != 0;
            // Mostly it is the next field, with nothing between the tokens.
            let from = at - usize::from(!started);
            let rest = self.text.as_bytes().get(from..)?;
            let guessed = plan.fields.get(guess).and_then(|field| field.json_key.starts(rest, started));
            let index = match guessed {
                Some(len) => {
                    at = from + len;
                    guess
                }
                None => match self.other_member(plan, guess, at, started)? {
                    Member::Field(index, after) => {
                        at = after;
                        index
                    }
                    Member::End(after) => {
                        at = after;
                        break;
                    }
                },
            };
            guess = index + 1;
            let field = plan.fields.get(index)?;
            if seen >> index & 1 != 0 {
                return None;
            }
            seen |= 1 << index;
            at = self.token(at);
            if self.byte(at) == Some(b'n') {
                at = self.null(field, at)?;
                nulls |= 1 << index;
                continue;
            }
            if let Some(oneof) = field.oneof {
                if set >> oneof & 1 != 0 {
                    return None;
                }
                set |= 1 << oneof;
            }
            at = match field.shape {
                Shape::Singular => self.value::<true>(at, field, depth)?,
                Shape::List => self.list(at, field, depth)?,
                Shape::Map => self.map(at, field, depth)?,
            };
        }
        if !self.settings.partial && plan.required.iter().any(|index| (seen & !nulls) >> index & 1 == 0) {
            return None;
        }
        Some(at)
    }

    /// A message that is no plain object, by the relay.
    #[inline(never)]
    fn relayed(&mut self, plan: &MessagePlan, at: usize, depth: u32) -> Ordinary<usize> {
        let mut cursor = Cursor::new(self.text);
        cursor.seek(at);
        let mut source = Json::new(cursor, self.settings.clone()).ok()?;
        let (set, max_depth, partial) = (self.set, self.settings.max_depth, self.settings.partial);
        let sink = &mut *self.sink;
        let mut relay = Relay { source: &mut source, sink, set, depth, max_depth, partial, defaults: false };
        relay.bare_message(plan).ok()?;
        Some(source.position())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    /// The place of the next token.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn token(&self, at: usize) -> usize {
        match self.byte(at) {
            Some(byte) if byte > b' ' => at,
            _ => self.token_after_space(at),
        }
    }

    #[inline(never)]
    fn token_after_space(&self, at: usize) -> usize {
        let mut cursor = self.cursor(at);
        cursor.token();
        cursor.position()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn cursor(&self, at: usize) -> Cursor<'t> {
        let mut cursor = Cursor::new(self.text);
        cursor.seek(at);
        cursor
    }

    /// What comes next, which is not the field that was guessed, or not written as it mostly is.
    #[inline(never)]
    fn other_member(&self, plan: &MessagePlan, guess: usize, at: usize, started: bool) -> Ordinary<Member> {
        let mut cursor = self.cursor(at);
        match cursor.token()? {
            b'}' => return Some(Member::End(cursor.position() + 1)),
            b',' if started => {
                cursor.bump();
                cursor.token();
            }
            b'"' if !started => {}
            _ => return None,
        }
        // Writers leave fields out more often than they change the order.
        for index in plan.keys.nearby(guess, cursor.rest()) {
            if cursor.eat_key(&plan.fields.get(index)?.json_key, false) {
                return Some(Member::Field(index, cursor.position()));
            }
        }
        if cursor.peek() != Some(b'"') {
            return None;
        }
        let name = cursor.string().ok()?;
        cursor.colon().ok()?;
        match plan.names.get(&*name)? {
            Target::Field(index) => Some(Member::Field(usize::from(*index), cursor.position())),
            _ => None,
        }
    }

    /// Goes past a null that stands for a field that is not set.
    #[inline(never)]
    fn null(&self, field: &FieldPlan, at: usize) -> Ordinary<usize> {
        let is_value = match field.kind {
            Kind::Enum => self.set.enums.get(field.sub as usize)?.null,
            Kind::Message | Kind::Group if field.shape == Shape::Singular => {
                self.set.messages.get(field.sub as usize)?.known == WellKnown::Value
            }
            _ => false,
        };
        let mut cursor = self.cursor(at);
        (!is_value && cursor.literal("null")).then(|| cursor.position())
    }

    /// Writes a single value, after its tag where it is a `FIELD`, and not an element or a part of an entry.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn value<const FIELD: bool>(&mut self, at: usize, field: &FieldPlan, depth: u32) -> Ordinary<usize> {
        let after;
        match field.kind {
            kind @ (Kind::Int32 | Kind::SInt32 | Kind::SFixed32) => {
                let value;
                (value, after) = self.int32(at)?;
                if begins::<FIELD, _>(self.sink, field, value == 0) {
                    self.sink.i32(kind, value);
                }
            }
            kind @ (Kind::Int64 | Kind::SInt64 | Kind::SFixed64) => {
                let value;
                (value, after) = self.int64(at)?;
                if begins::<FIELD, _>(self.sink, field, value == 0) {
                    self.sink.i64(kind, value);
                }
            }
            kind @ (Kind::UInt32 | Kind::Fixed32) => {
                let value;
                (value, after) = self.uint32(at)?;
                if begins::<FIELD, _>(self.sink, field, value == 0) {
                    self.sink.u32(kind, value);
                }
            }
            kind @ (Kind::UInt64 | Kind::Fixed64) => {
                let value;
                (value, after) = self.uint64(at)?;
                if begins::<FIELD, _>(self.sink, field, value == 0) {
                    self.sink.u64(kind, value);
                }
            }
            Kind::Float => {
                let value: f32;
                (value, after) = self.float(at)?;
                if begins::<FIELD, _>(self.sink, field, value.to_bits() == 0) {
                    self.sink.f32(value);
                }
            }
            Kind::Double => {
                let value: f64;
                (value, after) = self.float(at)?;
                if begins::<FIELD, _>(self.sink, field, value.to_bits() == 0) {
                    self.sink.f64(value);
                }
            }
            Kind::Bool => {
                let value;
                (value, after) = self.boolean(at)?;
                if begins::<FIELD, _>(self.sink, field, !value) {
                    self.sink.bool(value);
                }
            }
            Kind::Enum => {
                let plan = self.set.enums.get(field.sub as usize)?;
                let value;
                (value, after) = self.enumeration(at, plan)?;
                if field.closed && !plan.contains(value) {
                    return None;
                }
                if begins::<FIELD, _>(self.sink, field, value == 0) {
                    self.sink.enumeration(plan, value);
                }
            }
            Kind::String => {
                let value;
                (value, after) = self.string(at)?;
                if begins::<FIELD, _>(self.sink, field, value.is_empty()) {
                    self.sink.str(&value);
                }
            }
            Kind::Bytes => {
                let value;
                (value, after) = self.bytes(at)?;
                if begins::<FIELD, _>(self.sink, field, value.is_empty()) {
                    self.sink.bytes(&value);
                }
            }
            Kind::Message | Kind::Group => {
                if FIELD {
                    self.sink.field(field);
                }
                let plan = self.set.messages.get(field.sub as usize)?;
                let message = self.sink.begin_message(Some(field), plan);
                after = self.message(plan, at, depth)?;
                self.sink.end_message(Some(field), plan, message).ok()?;
            }
        }
        Some(after)
    }

    #[inline(never)]
    fn list(&mut self, at: usize, field: &FieldPlan, depth: u32) -> Ordinary<usize> {
        if self.byte(at) != Some(b'[') {
            return None;
        }
        let at = self.token(at + 1);
        if self.byte(at) == Some(b']') {
            return Some(at + 1);
        }
        let list = self.sink.begin_list(field, 1);
        /// One loop per kind of number.
        macro_rules! each {
            ($($($kind:ident)+ : $read:ident $write:ident;)+) => {
                match field.kind {
                    $($(Kind::$kind => self.elements(at, field, |this, at| {
                        let (value, after) = this.$read(at)?;
                        this.sink.$write(Kind::$kind, value);
                        Some(after)
                    }),)+)+
                    Kind::Float => self.elements(at, field, |this, at| {
                        let (value, after) = this.float(at)?;
                        this.sink.f32(value);
                        Some(after)
                    }),
                    Kind::Double => self.elements(at, field, |this, at| {
                        let (value, after) = this.float(at)?;
                        this.sink.f64(value);
                        Some(after)
                    }),
                    _ => self.elements(at, field, |this, at| this.value::<false>(at, field, depth)),
                }
            };
        }
        let after = each! {
            Int32 SInt32 SFixed32: int32 i32;
            Int64 SInt64 SFixed64: int64 i64;
            UInt32 Fixed32: uint32 u32;
            UInt64 Fixed64: uint64 u64;
        }?;
        self.sink.end_list(field, list);
        Some(after)
    }

    /// The elements of a list, from the first one on.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn elements(
        &mut self,
        mut at: usize,
        field: &FieldPlan,
        value: impl Fn(&mut Self, usize) -> Ordinary<usize>,
    ) -> Ordinary<usize> {
        loop {
            self.sink.element(field, false);
            at = value(self, at)?;
            at = self.token(at);
            match self.byte(at) {
                Some(b',') => at = self.token(at + 1),
                Some(b']') => return Some(at + 1),
                _ => return None,
            }
        }
    }

    #[inline(never)]
    fn map(&mut self, at: usize, field: &FieldPlan, depth: u32) -> Ordinary<usize> {
        let plan = self.set.maps.get(field.sub as usize)?;
        match plan.key.kind {
            Kind::String => {
                let write = |sink: &mut Wire<Tip<'_>>, key: &Cow<'_, str>| sink.str(key);
                self.entries(at, field, plan, depth, |this, at| this.string(at), write)
            }
            kind @ (Kind::Int32 | Kind::SInt32 | Kind::SFixed32) => {
                let write = |sink: &mut Wire<Tip<'_>>, key: &i32| sink.i32(kind, *key);
                self.entries(at, field, plan, depth, |this, at| this.int32(at), write)
            }
            kind @ (Kind::Int64 | Kind::SInt64 | Kind::SFixed64) => {
                let write = |sink: &mut Wire<Tip<'_>>, key: &i64| sink.i64(kind, *key);
                self.entries(at, field, plan, depth, |this, at| this.int64(at), write)
            }
            kind @ (Kind::UInt32 | Kind::Fixed32) => {
                let write = |sink: &mut Wire<Tip<'_>>, key: &u32| sink.u32(kind, *key);
                self.entries(at, field, plan, depth, |this, at| this.uint32(at), write)
            }
            kind @ (Kind::UInt64 | Kind::Fixed64) => {
                let write = |sink: &mut Wire<Tip<'_>>, key: &u64| sink.u64(kind, *key);
                self.entries(at, field, plan, depth, |this, at| this.uint64(at), write)
            }
            Kind::Bool => {
                let write = |sink: &mut Wire<Tip<'_>>, key: &bool| sink.bool(*key);
                let read = |this: &Self, at: usize| {
                    let (key, end) = this.boolean(at + 1)?;
                    (this.byte(end) == Some(b'"')).then_some((key, end + 1))
                };
                self.entries(at, field, plan, depth, read, write)
            }
            _ => None,
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn entries<K: Clone + Ord + Hash>(
        &mut self,
        at: usize,
        field: &FieldPlan,
        plan: &MapPlan,
        depth: u32,
        read: impl Fn(&Self, usize) -> Ordinary<(K, usize)>,
        write: impl Fn(&mut Wire<Tip<'_>>, &K),
    ) -> Ordinary<usize> {
        if self.byte(at) != Some(b'{') {
            return None;
        }
        let mut at = self.token(at + 1);
        if self.byte(at) == Some(b'}') {
            return Some(at + 1);
        }
        let mut keys = Keys::default();
        self.sink.begin_map(field);
        loop {
            if self.byte(at) != Some(b'"') {
                return None;
            }
            let (key, after) = read(self, at)?;
            if !keys.note(&key) {
                return None;
            }
            at = self.token(after);
            if self.byte(at) != Some(b':') {
                return None;
            }
            at = self.token(at + 1);
            let entry = self.sink.begin_entry(field, &plan.key, false);
            write(self.sink, &key);
            self.sink.entry_value(&plan.value);
            at = self.value::<false>(at, &plan.value, depth)?;
            self.sink.end_entry(entry);
            at = self.token(at);
            match self.byte(at) {
                Some(b',') => at = self.token(at + 1),
                Some(b'}') => break,
                _ => return None,
            }
        }
        self.sink.end_map(field);
        Some(at + 1)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn integer<T>(&self, at: usize, of: impl Fn(bool, u64) -> Option<T>) -> Ordinary<(T, usize)> {
        let mut cursor = self.cursor(at);
        let (negative, magnitude) = cursor.short_integer()?;
        Some((of(negative, magnitude)?, cursor.position()))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn int32(&self, at: usize) -> Ordinary<(i32, usize)> {
        let of = |negative, magnitude| signed_of(negative, magnitude, i32::MAX as u64);
        self.integer(at, |negative, magnitude| Some(of(negative, magnitude)? as i32))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn int64(&self, at: usize) -> Ordinary<(i64, usize)> {
        self.integer(at, |negative, magnitude| signed_of(negative, magnitude, i64::MAX as u64))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn uint32(&self, at: usize) -> Ordinary<(u32, usize)> {
        let of = |negative, magnitude| unsigned_of(negative, magnitude, u64::from(u32::MAX));
        self.integer(at, |negative, magnitude| Some(of(negative, magnitude)? as u32))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn uint64(&self, at: usize) -> Ordinary<(u64, usize)> {
        self.integer(at, |negative, magnitude| unsigned_of(negative, magnitude, u64::MAX))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn float<T: JsonFloat>(&self, at: usize) -> Ordinary<(T, usize)> {
        let mut cursor = self.cursor(at);
        match cursor.short_float().and_then(T::of_double) {
            Some(value) => Some((value, cursor.position())),
            None => self.other_float(at),
        }
    }

    /// A number with an exponent, or with very many digits.
    #[inline(never)]
    fn other_float<T: JsonFloat>(&self, at: usize) -> Ordinary<(T, usize)> {
        let mut cursor = self.cursor(at);
        let value: T = cursor.number().ok()?.raw.parse().ok()?;
        (!value.is_infinite()).then(|| (value, cursor.position()))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn boolean(&self, at: usize) -> Ordinary<(bool, usize)> {
        let mut cursor = self.cursor(at);
        let value = cursor.literal("true");
        (value || cursor.literal("false")).then(|| (value, cursor.position()))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn string(&self, at: usize) -> Ordinary<(Cow<'t, str>, usize)> {
        if self.byte(at) != Some(b'"') {
            return None;
        }
        match self.cursor(at).plain_string() {
            Some(text) => Some((Cow::Borrowed(text), at + text.len() + 2)),
            None => self.escaped_string(at),
        }
    }

    #[inline(never)]
    fn escaped_string(&self, at: usize) -> Ordinary<(Cow<'t, str>, usize)> {
        let mut cursor = self.cursor(at);
        let text = cursor.string().ok()?;
        Some((text, cursor.position()))
    }

    #[inline(never)]
    fn bytes(&self, at: usize) -> Ordinary<(Vec<u8>, usize)> {
        let (text, after) = self.string(at)?;
        Some((from_base64(text.as_bytes())?, after))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn enumeration(&self, at: usize, plan: &EnumPlan) -> Ordinary<(i32, usize)> {
        if self.byte(at) != Some(b'"') {
            return self.int32(at);
        }
        let mut cursor = self.cursor(at);
        match plan.json_names().find_map(|(name, number)| cursor.eat(name).then_some(number)) {
            Some(number) => Some((number, cursor.position())),
            None => self.other_enumeration(at, plan),
        }
    }

    /// A value of an enum with many values.
    #[inline(never)]
    fn other_enumeration(&self, at: usize, plan: &EnumPlan) -> Ordinary<(i32, usize)> {
        let (name, after) = self.string(at)?;
        Some((*plan.by_name.get(&*name)?, after))
    }
}
