//! Fields that the plan of a message does not have: extensions, and fields that a Rust type leaves out. They are
//! unknown fields as far as the message is concerned, and are delivered as wire bytes.

use super::object::Object;
use super::{Json, Opens};
use crate::de::source::Context;
use crate::error::Result;
use crate::plan::{MessagePlan, PlanSet, Shape, Target, extension_plans};
use crate::relay::Relay;
use crate::ser::at_tip;
use crate::wire::{Writer, message_set};

impl Json<'_> {
    /// Reads the member after `name` where it is a field that is not in the plan; false where there is none, either.
    pub(super) fn outside(
        &mut self,
        cx: Context<'_>,
        object: &mut Object,
        plan: &MessagePlan,
        name: &str,
    ) -> Result<bool> {
        if name.starts_with('[') {
            if !plan.extendable {
                return Ok(false);
            }
            let Some(plans) = extension_plans(&self.pool(), &plan.full_name)? else { return Ok(false) };
            return self.field_of(cx, object, plan, &plans, name);
        }
        if !plan.bound {
            return Ok(false);
        }
        match plan.descriptor.upgrade() {
            Some(descriptor) if descriptor.field_count() > plan.fields.len() => {
                self.field_of(cx, object, plan, descriptor.plans()?, name)
            }
            _ => Ok(false),
        }
    }

    /// Reads the member as a field of the root of `set`.
    fn field_of(
        &mut self,
        cx: Context<'_>,
        object: &mut Object,
        plan: &MessagePlan,
        set: &PlanSet,
        name: &str,
    ) -> Result<bool> {
        let Some(Target::Field(index)) = set.root().names.get(name).copied() else { return Ok(false) };
        let field = &set.root().fields[usize::from(index)];
        if !object.note_outside(field.number) {
            return Err(self.error("the field comes twice").in_field(&field.name));
        }
        self.cursor.colon()?;
        let byte = self.at_value();
        let inner = Context { set, ..cx };
        let is_singular = field.shape == Shape::Singular;
        if byte == Some(b'n')
            && !(is_singular && Self::takes_null(inner, field))
            && self.cursor.literal("null")
        {
            return Ok(true);
        }
        if self.looks_at(field) && is_singular && !self.takes(inner, field)? {
            return Ok(true);
        }
        let bytes = self.field_bytes(cx, set, index)?;
        let bytes = match plan.message_set {
            true => message_set::fields_to_items(&bytes)?,
            false => bytes,
        };
        self.unknown.extend_from_slice(&bytes);
        Ok(true)
    }

    /// The field of the root of `set` whose value is at the cursor, as wire bytes.
    fn field_bytes(&mut self, cx: Context<'_>, set: &PlanSet, index: u16) -> Result<Vec<u8>> {
        // Fields that were noted belong to this message, and not to one inside the value.
        let kept = std::mem::take(&mut self.unknown);
        self.opens = Opens::Field(index);
        // The message around the field is the one that was entered already.
        let bytes = self.relay(set, cx.depth.saturating_add(1))?;
        let inner = std::mem::replace(&mut self.unknown, kept);
        self.unknown.extend(inner);
        Ok(bytes)
    }

    /// The message at the cursor as wire bytes.
    pub(super) fn relay(&mut self, set: &PlanSet, depth: u32) -> Result<Vec<u8>> {
        let (max_depth, partial) = (self.settings.max_depth, self.settings.partial);
        let mut writer = Writer::new();
        at_tip(&mut writer, |sink| {
            let mut relay = Relay { source: self, sink, set, depth, max_depth, partial, defaults: false };
            relay.bare_message(set.root())
        })?;
        writer.finish()
    }
}
