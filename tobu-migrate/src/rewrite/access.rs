//! Finds the member of a message that an expression names.

use std::ops::Range;

use syn::{Expr, ExprField};

use crate::names::plain;
use crate::report::Level;
use crate::ty::Ty;
use crate::walk::Walker;
use crate::writes;
use tobu_build::catalog::FieldMethods;
use tobu_build::catalog::{MemberKind, MemberType, MessageType, Shape};

/// An expression that names a member of a message.
#[derive(Clone)]
pub(crate) struct Access<'e, 'w> {
    pub(super) base: &'e Expr,
    /// The position of the member's name in the source.
    pub(crate) name: Range<usize>,
    pub(super) target: Target<'w>,
    /// The type of the expression before the dot.
    pub(super) owner: Ty,
    /// The most certain level at which the expression may be rewritten.
    pub(crate) level: Level,
    /// True if only the name shows that the member belongs to a message.
    is_guessed: bool,
}

#[derive(Clone, Copy)]
pub(super) enum Target<'w> {
    Member(&'w MemberType),
    UnknownFields(&'w MessageType),
}

/// The place of the message with the member.
pub(super) enum Home {
    /// The message is a temporary value, which ends with the expression.
    Temporary,
    /// The message belongs to this variable.
    Variable(String),
    /// The message is behind a reference or a pointer, or its place is unknown.
    Behind,
}

impl<'w> Walker<'w> {
    /// Returns the member that an expression names; `None` if the expression names no member of a message. Also returns `None`,
    /// and reports the expression, if the member is uncertain.
    pub(crate) fn access<'e>(&mut self, expr: &'e Expr) -> Option<Access<'e, 'w>> {
        match expr {
            Expr::Field(field) => self.access_field(field),
            Expr::Paren(inner) => self.access(&inner.expr),
            _ => None,
        }
    }

    pub(super) fn access_field<'e>(&mut self, field: &'e ExprField) -> Option<Access<'e, 'w>> {
        let syn::Member::Named(ident) = &field.member else { return None };
        let name = plain(ident);
        let owner = self.infer(&field.base);
        let at = self.range(ident.span());
        // Accessors borrow or move the whole variable. A variable is not whole if a member was moved out of it, and must not be
        // borrowed again while it is pinned. In both cases the level is red.
        let is_pinned = writes::root(&field.base).is_some_and(|root| {
            self.pinned.contains(&root) || self.local(&root).is_some_and(|local| local.is_moved)
        });
        let least = if is_pinned { Level::Red } else { Level::Green };
        let found = |target, level: Level| Access {
            base: &field.base,
            name: at.clone(),
            target,
            owner: owner.clone(),
            level: level.max(least),
            is_guessed: level == Level::Yellow,
        };
        match owner.target() {
            Ty::Message(index) => {
                let message = self.catalog.messages.get(*index).filter(|_| self.is_chosen(*index))?;
                if message.unknown.as_deref() == Some(name.as_str()) {
                    return Some(found(Target::UnknownFields(message), Level::Green));
                }
                let member = message.members.iter().find(|member| member.name == name)?;
                Some(found(Target::Member(member), Level::Green))
            }
            Ty::Unknown => {
                let messages =
                    self.catalog.messages.iter().zip(0..).filter(|(_, index)| self.is_chosen(*index));
                let members = messages.flat_map(|(message, _)| &message.members);
                let mut members = members.filter(|member| member.name == name);
                let first = members.next()?;
                let is_one = members.all(|member| is_alike(first, member));
                let is_declared = self.index.members.contains(&name);
                if is_one && !is_declared {
                    return Some(found(Target::Member(first), Level::Yellow));
                }
                let reason = match is_one {
                    true => "the type is not known, and structs of the crate have a member of this name, too",
                    false => "the type is not known, and messages have different members of this name",
                };
                self.leave(None, at.start, reason);
                None
            }
            _ => None,
        }
    }

    /// Returns the place of the message with the member.
    pub(super) fn home(&mut self, access: &Access<'_, '_>) -> Home {
        if access.owner.is_pointer() || access.owner.is_unknown() {
            return Home::Behind;
        }
        let mut base = access.base;
        loop {
            match base {
                Expr::Paren(inner) => base = &inner.expr,
                Expr::Field(field) => {
                    if self.infer(&field.base).is_pointer() {
                        return Home::Behind;
                    }
                    base = &field.base;
                }
                Expr::Path(path) => {
                    return match path.path.get_ident() {
                        Some(name) => Home::Variable(plain(name)),
                        None => Home::Behind,
                    };
                }
                Expr::Call(_) | Expr::MethodCall(_) | Expr::Try(_) | Expr::Await(_) | Expr::Struct(_) => {
                    return Home::Temporary;
                }
                _ => return Home::Behind,
            }
        }
    }
}

impl Access<'_, '_> {
    /// Returns the reason why a rewrite has this level.
    pub(crate) fn reason(&self, level: Level) -> &'static str {
        match level {
            Level::Red => "a borrow of the member becomes one of the whole message",
            _ if self.is_guessed => "the type is guessed from the name of the member",
            _ => "a reference to a `String` or a `Vec` becomes a `&str` or a slice",
        }
    }

    /// Returns the variable that contains the member.
    pub(super) fn root(&self) -> Option<String> {
        writes::root(self.base)
    }

    /// True if the expression before the member can be repeated in the new code, because the expression contains no
    /// call and nothing to rewrite.
    pub(super) fn is_plain(&self, walker: &mut Walker<'_>) -> bool {
        fn is_plain(expr: &Expr, walker: &mut Walker<'_>) -> bool {
            match expr {
                Expr::Path(_) => true,
                Expr::Field(field) => {
                    !matches!(walker.infer(&field.base).target(), Ty::Message(_) | Ty::Unknown)
                        && is_plain(&field.base, walker)
                }
                _ => false,
            }
        }
        is_plain(self.base, walker)
    }

    pub(super) fn field(&self) -> Option<(&Shape, &FieldMethods)> {
        match self.target {
            Target::Member(MemberType { kind: MemberKind::Field(shape, methods), .. }) => {
                Some((shape, methods))
            }
            _ => None,
        }
    }
}

/// True if two members are rewritten in the same way.
fn is_alike(a: &MemberType, b: &MemberType) -> bool {
    match (&a.kind, &b.kind) {
        (MemberKind::Field(a_shape, a), MemberKind::Field(b_shape, b)) => {
            a_shape == b_shape && (&a.get, &a.set, &a.get_mut) == (&b.get, &b.set, &b.get_mut)
        }
        (MemberKind::Oneof(a, _), MemberKind::Oneof(b, _)) => a == b,
        _ => false,
    }
}
