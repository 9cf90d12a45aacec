//! Rewrites members that are read: `book.title` becomes `book.title()`, or `book.take_title()` if it is moved.

use syn::ExprField;

use super::access::{Access, Home, Target};
use crate::report::Level;
use crate::walk::{Use, Walker};
use tobu_build::catalog::{FieldMethods, OneofMethods};
use tobu_build::catalog::{MemberKind, Shape, Value};

/// The reason why a member with a type of the user is not rewritten.
const CUSTOM: &str = "the member has a type of its own, which accessors do not convert";

impl Walker<'_> {
    pub(crate) fn field(&mut self, field: &ExprField, usage: Use) {
        match self.access_field(field) {
            Some(access) => self.read(&access, usage),
            None => {
                // A value that is moved out of a struct of the crate may be a message. The struct itself does not
                // change.
                self.walk(&field.base, Use::Base(usage == Use::Base(true)));
            }
        }
    }

    /// Rewrites a member, depending on its use and on the place of its message.
    pub(super) fn read(&mut self, access: &Access<'_, '_>, usage: Use) {
        match access.target {
            Target::UnknownFields(message) => {
                let method =
                    if usage == Use::Base(true) { &message.unknown_mut } else { &message.unknown_get };
                match usage {
                    Use::Value | Use::Operand | Use::Argument(_) | Use::Kept => {
                        self.decline(access, usage, "the unknown fields are moved out of the message");
                    }
                    _ => self.call_accessor(access, access.level, method, usage),
                }
            }
            Target::Member(member) => match &member.kind {
                MemberKind::Field(Shape::Optional { value, .. }, methods) => {
                    self.read_optional(access, *value, methods, usage);
                }
                MemberKind::Field(shape, methods) => self.read_plain(access, shape, methods, usage),
                MemberKind::Oneof(_, methods) => self.read_oneof(access, methods, usage),
            },
        }
    }

    fn read_plain(&mut self, access: &Access<'_, '_>, shape: &Shape, methods: &FieldMethods, usage: Use) {
        let is_scalar = *shape == Shape::Plain(Value::Scalar);
        let is_text = matches!(shape, Shape::Plain(Value::Text | Value::Bytes));
        match usage {
            _ if matches!(shape, Shape::Plain(Value::Custom | Value::Message(_))) => {
                self.decline(access, usage, CUSTOM);
            }
            Use::Base(true) => self.call_accessor(access, access.level, &methods.get_mut, usage),
            _ if is_scalar => self.call_accessor(access, access.level, &methods.get, usage),
            Use::Base(false) | Use::Shared => self.call_accessor(access, access.level, &methods.get, usage),
            Use::Compared if is_text => self.call_accessor(access, access.level, &methods.get, usage),
            // A list or a map is compared as a whole, as in the old code.
            Use::Compared => {
                if self.allows(access, access.level) {
                    self.edits.insert(self.range_of(access.base).start, "*");
                    self.edits.replace(access.name.clone(), format!("{}()", methods.get));
                }
                self.walk(access.base, Use::Base(false));
            }
            Use::Value | Use::Operand | Use::Argument(_) | Use::Kept | Use::Scrutinee(_) => {
                self.take(access, &methods.take, "", usage);
            }
        }
    }

    fn read_optional(&mut self, access: &Access<'_, '_>, value: Value, methods: &FieldMethods, usage: Use) {
        match (usage, value) {
            (_, Value::Custom) => self.decline(access, usage, CUSTOM),
            (Use::Base(_), _) => self.decline(access, usage, "accessors have no `Option` to call this on"),
            (_, Value::Scalar) => self.option_of(access, access.level, methods, ""),
            (Use::Shared, _) => self.option_of(access, access.level, methods, ""),
            (Use::Compared, _) => self.decline(access, usage, "accessors have no `Option` to compare"),
            // The old code moves the message out of a reference, so the message is `Copy`, and `*` copies it.
            (_, Value::Message(_)) if access.owner.is_pointer() => {
                self.option_of(access, access.level, methods, "*");
            }
            _ => {
                let unboxed = match access.field() {
                    Some((Shape::Optional { is_boxed: true, .. }, _)) => ".map(Box::new)",
                    _ => "",
                };
                self.take(access, &methods.take, unboxed, usage);
            }
        }
    }

    fn read_oneof(&mut self, access: &Access<'_, '_>, methods: &OneofMethods, usage: Use) {
        match usage {
            Use::Shared | Use::Scrutinee(false) => {
                self.call_accessor(access, access.level, &methods.which, usage)
            }
            Use::Compared => {
                self.decline(
                    access,
                    usage,
                    "a oneof is compared; `which_…()` gives an option of a reference",
                );
            }
            Use::Base(_) => self.decline(access, usage, "accessors have no `Option` to call this on"),
            _ => self.take(access, &methods.take, "", usage),
        }
    }

    /// Replaces the name of a member by the call of an accessor.
    pub(super) fn call_accessor(&mut self, access: &Access<'_, '_>, level: Level, method: &str, usage: Use) {
        if self.allows(access, level) {
            self.edits.replace(access.name.clone(), format!("{method}()"));
        }
        self.walk(access.base, Use::Base(usage == Use::Base(true)));
    }

    /// Replaces the name of a member by `has_x().then(|| x())`, because accessors return no `Option`. `prefix`,
    /// such as `*`, comes before the getter.
    pub(super) fn option_of(
        &mut self,
        access: &Access<'_, '_>,
        level: Level,
        methods: &FieldMethods,
        prefix: &str,
    ) {
        let name = access.name.clone();
        self.option_in(access, level, name, (&methods.has, &format!("{prefix}#.{}()", methods.get)));
    }

    /// Replaces a range that begins with the name of a member by `has_x().then(|| ...)`. In `get`, `#` stands for
    /// the expression before the member.
    pub(super) fn option_in(
        &mut self,
        access: &Access<'_, '_>,
        level: Level,
        range: std::ops::Range<usize>,
        (has, get): (&str, &str),
    ) {
        if !access.is_plain(self) {
            return self.decline(access, Use::Base(false), "what the member is of would be evaluated twice");
        }
        if self.allows(access, level) {
            let get = get.replace('#', self.text_of(access.base));
            self.edits.replace(range, format!("{has}().then(|| {get})"));
        }
    }

    /// Moves a member out of its message. Afterwards the message lacks the member, so the level is red, unless the message is a
    /// temporary value. A member behind a reference is reported instead.
    pub(super) fn take(&mut self, access: &Access<'_, '_>, method: &str, then: &str, usage: Use) {
        match self.home(access) {
            Home::Temporary => {
                if self.allows(access, access.level) {
                    self.edits.replace(access.name.clone(), format!("{method}(){then}"));
                }
                self.walk(access.base, Use::Base(true));
            }
            Home::Variable(name) => {
                let can_change =
                    self.local(&name).is_some_and(|local| local.is_mut || local.declared.is_some());
                if !can_change {
                    self.decline(access, usage, "it is moved out of a variable that is not `mut`");
                    return self.set_moved(&name);
                }
                let reason = "it is moved out of the message, which must be `mut` then";
                if self.may(Level::Red, access.name.start, reason) {
                    self.make_mut(&name);
                    self.edits.replace(access.name.clone(), format!("{method}(){then}"));
                } else {
                    self.set_moved(&name);
                }
                self.walk(access.base, Use::Base(true));
            }
            Home::Behind => {
                self.decline(access, usage, "it is not known whether it is moved, and out of what")
            }
        }
    }

    /// Reports that a member is not rewritten, and continues with the expression before it.
    pub(super) fn decline(&mut self, access: &Access<'_, '_>, usage: Use, reason: &str) {
        self.leave(None, access.name.start, reason);
        self.walk(access.base, Use::Base(usage == Use::Base(true)));
    }
}
