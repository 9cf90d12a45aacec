//! Messages that are written as objects.

use super::closed::Look;
use super::{Json, Opens};
use crate::de::source::{Context, Next};
use crate::error::{Error, Result};
use crate::known::text::quoted;
use crate::plan::{FieldPlan, MessagePlan, Shape, Target};
use std::borrow::Cow;

/// An object that is being read.
#[derive(Default)]
pub(crate) struct Object {
    /// The field that probably comes next.
    guess: u16,
    /// A member came.
    started: bool,
    /// It is the content of an `Any`: `@type` is none of its members.
    content: bool,
    /// Bits of the fields that came.
    seen: u64,
    /// Bits of the oneofs that have a value.
    set: u64,
    rare: Option<Box<Rare>>,
}

/// What few objects have.
#[derive(Default)]
struct Rare {
    seen: Vec<u64>,
    set: Vec<u64>,
    /// Numbers of the fields that came and that the plan does not have.
    outside: Vec<u32>,
    /// `@type` came.
    url: bool,
}

/// Notes a bit; false when it was noted before.
#[cfg_attr(not(debug_assertions), inline(always))]
fn note(
    low: &mut u64,
    rare: &mut Option<Box<Rare>>,
    high: fn(&mut Rare) -> &mut Vec<u64>,
    index: u16,
) -> bool {
    let bit = 1u64 << (index % 64);
    let word = match usize::from(index / 64).checked_sub(1) {
        None => low,
        Some(index) => word(high(rare.get_or_insert_default()), index),
    };
    let new = *word & bit == 0;
    *word |= bit;
    new
}

#[cold]
fn word(words: &mut Vec<u64>, index: usize) -> &mut u64 {
    if words.len() <= index {
        words.resize(index + 1, 0);
    }
    &mut words[index]
}

impl Object {
    /// Notes a field; false when it came before.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn note_field(&mut self, index: u16) -> bool {
        note(&mut self.seen, &mut self.rare, |rare| &mut rare.seen, index)
    }

    /// Notes a field of a oneof; false when another one came before.
    #[inline(never)]
    fn note_oneof(&mut self, oneof: u16) -> bool {
        note(&mut self.set, &mut self.rare, |rare| &mut rare.set, oneof)
    }

    /// Notes the number of a field that the plan does not have; false when it came before.
    pub(super) fn note_outside(&mut self, number: u32) -> bool {
        let outside = &mut self.rare.get_or_insert_default().outside;
        let new = !outside.contains(&number);
        outside.push(number);
        new
    }
}

impl<'de> Json<'de> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn open_object(&mut self, plan: &MessagePlan) -> Result<Object> {
        if self.cursor.peek() != Some(b'{') {
            return Err(self.no_object(plan));
        }
        self.cursor.bump();
        Ok(Object::default())
    }

    /// The content of an `Any`.
    pub(super) fn open_content(&mut self, plan: &MessagePlan) -> Result<Object> {
        self.opens = Opens::Value;
        Ok(Object { content: true, ..self.open_object(plan)? })
    }

    #[cold]
    fn no_object(&mut self, plan: &MessagePlan) -> Error {
        self.mismatch(&format!("a message of type {}", plan.full_name))
    }

    /// The next member that is a field with a value.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn next_member(
        &mut self,
        cx: Context<'_>,
        object: &mut Object,
        plan: &MessagePlan,
    ) -> Result<Next> {
        if !self.unknown.is_empty() && self.tells_kept(cx, plan) {
            return Ok(Next::Unknown);
        }
        loop {
            // Mostly it is the field that was guessed, with nothing between the tokens.
            let guessed = plan.fields.get(usize::from(object.guess)).filter(|_| !plan.crossed);
            let at = self.cursor.position() + usize::from(object.started);
            let index = match guessed {
                Some(field) if self.cursor.eat_key(&field.json_key, object.started) => {
                    self.start = at;
                    object.guess
                }
                _ if self.cursor.peek() == Some(b'}') => {
                    self.start = self.cursor.position();
                    self.cursor.bump();
                    return Ok(Next::End);
                }
                _ => match self.other_member(cx, object, plan)? {
                    Member::Field(index) => index,
                    Member::Told => return Ok(Next::Unknown),
                    Member::Passed => continue,
                    Member::End => return Ok(Next::End),
                },
            };
            object.started = true;
            object.guess = index + 1;
            let field = &plan.fields[usize::from(index)];
            if !object.note_field(index) {
                return Err(self.twice(field));
            }
            let byte = self.at_value();
            if byte == Some(b'n') && self.is_unset(cx, field)? {
                continue;
            }
            if self.looks_at(field) && field.shape == Shape::Singular && !self.takes(cx, field)? {
                if !self.unknown.is_empty() && self.tells_kept(cx, plan) {
                    return Ok(Next::Unknown);
                }
                continue;
            }
            if let Some(oneof) = field.oneof
                && !object.note_oneof(oneof)
            {
                return Err(self.second_of_oneof(plan, oneof).in_field(&field.name));
            }
            return Ok(Next::Field(usize::from(index)));
        }
    }

    /// Passes over a null that stands for a field that is not set.
    #[inline(never)]
    fn is_unset(&mut self, cx: Context<'_>, field: &FieldPlan) -> Result<bool> {
        if field.shape == Shape::Singular && Self::takes_null(cx, field) {
            return Ok(false);
        }
        if self.cursor.literal("null") {
            Ok(true)
        } else {
            Err(self.cursor.unexpected("a value").in_field(&field.name))
        }
    }

    /// False when the enum value at hand is not delivered, and was passed over.
    #[cold]
    pub(super) fn takes(&mut self, cx: Context<'_>, field: &FieldPlan) -> Result<bool> {
        match self.look(cx, field).map_err(|error| error.in_field(&field.name))? {
            Look::Deliver => return Ok(true),
            Look::Drop => {}
            Look::Keep(number) => self.keep_number(field, number)?,
        }
        Ok(false)
    }

    /// True when unknown fields, of which there are some, are to be told: once, if the message keeps them.
    #[cold]
    fn tells_kept(&mut self, cx: Context<'_>, plan: &MessagePlan) -> bool {
        self.told = !self.told && cx.keeps_unknown(plan);
        if !self.told {
            self.unknown.clear();
        }
        self.told
    }

    #[cold]
    fn twice(&self, field: &FieldPlan) -> Error {
        self.error("the field comes twice").in_field(&field.name)
    }

    #[cold]
    fn second_of_oneof(&self, plan: &MessagePlan, oneof: u16) -> Error {
        let name = &plan.oneofs[usize::from(oneof)].name;
        self.error(format!("another field of the oneof {name} came before"))
    }

    /// What comes next, which is not the field that was guessed, or not written as it mostly is.
    #[inline(never)]
    fn other_member(&mut self, cx: Context<'_>, object: &mut Object, plan: &MessagePlan) -> Result<Member> {
        let byte = match self.at_value() {
            Some(b'}') => {
                self.cursor.bump();
                return Ok(Member::End);
            }
            Some(b',') if object.started => {
                self.cursor.bump();
                self.at_value()
            }
            byte if !object.started => byte,
            _ => return Err(self.cursor.unexpected("`,` or `}`")),
        };
        if byte != Some(b'"') {
            return Err(self.cursor.unexpected("the name of a member"));
        }
        object.started = true;
        self.find_member(cx, object, plan)
    }

    /// The member at the cursor; for a field the cursor goes to its value.
    fn find_member(&mut self, cx: Context<'_>, object: &mut Object, plan: &MessagePlan) -> Result<Member> {
        if !plan.crossed {
            // Writers leave fields out more often than they change the order.
            for index in plan.keys.nearby(object.guess.into(), self.cursor.rest()) {
                if self.cursor.eat_key(&plan.fields[index].json_key, false) {
                    return Ok(Member::Field(index as u16));
                }
            }
        }
        let name = self.cursor.string()?;
        let found = match plan.crossed {
            true => plan.fields.iter().position(|field| *field.json_name == *name).map(|index| index as u16),
            false => None,
        };
        let found = found.map(Target::Field).or_else(|| plan.names.get(&*name).copied());
        if let Some(Target::Field(index)) = found {
            self.cursor.colon()?;
            return Ok(Member::Field(index));
        }
        self.odd_member(cx, object, plan, name)
    }

    /// A member that the plan does not have.
    #[cold]
    fn odd_member(
        &mut self,
        cx: Context<'_>,
        object: &mut Object,
        plan: &MessagePlan,
        name: Cow<'de, str>,
    ) -> Result<Member> {
        if object.content && name == "@type" {
            if std::mem::replace(&mut object.rare.get_or_insert_default().url, true) {
                return Err(self.error("the member \"@type\" comes twice"));
            }
            self.cursor.colon()?;
            self.at_value();
            self.skip(cx)?;
            return Ok(Member::Passed);
        }
        if self.outside(cx, object, plan, &name)? {
            let told = !self.unknown.is_empty() && self.tells_kept(cx, plan);
            return Ok(if told { Member::Told } else { Member::Passed });
        }
        if !self.settings.ignore_unknown {
            return Err(self.no_field(&name));
        }
        self.cursor.colon()?;
        self.at_value();
        self.skip(cx)?;
        Ok(Member::Passed)
    }

    #[cold]
    pub(super) fn no_field(&self, name: &str) -> Error {
        self.error(format!("unknown field {}", quoted(name)))
    }
}

/// What a member of an object is.
enum Member {
    /// A field, by its index.
    Field(u16),
    /// A field that the plan does not have, noted as unknown.
    Told,
    /// Nothing: it was passed over.
    Passed,
    /// The object ended.
    End,
}
