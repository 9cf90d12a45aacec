//! Rewrites calls of methods on members: `shelf.books.push(x)` becomes `shelf.books_mut().push(x)`, and
//! `shelf.theme.is_some()` becomes `shelf.has_theme()`.

use std::ops::Range;

use syn::{Expr, ExprCall, ExprMethodCall};

use super::access::{Access, Target};
use crate::functions::{Parameter, Text};
use crate::index::owner;
use crate::methods::{CHANGING, MOVING, READING, READING_TEXT};
use crate::names::{plain, segments};
use crate::report::Level;
use crate::ty::Ty;
use crate::walk::{Use, Walker};
use tobu_build::catalog::{FieldMethods, OneofMethods};
use tobu_build::catalog::{MemberKind, Shape, Value};

impl Walker<'_> {
    pub(crate) fn method_call(&mut self, call: &ExprMethodCall, usage: Use) {
        self.pinned_in_call(Some(call), call.args.iter(), |walker| walker.method_call_in(call, usage));
    }

    fn method_call_in(&mut self, call: &ExprMethodCall, usage: Use) {
        if self.unwrapped(call, usage) {
            return self.arguments(call);
        }
        match self.access(&call.receiver) {
            Some(access) => self.member_call(call, &access, usage),
            None => {
                let changes = self.changes_receiver(call);
                self.walk(&call.receiver, Use::Base(changes));
                self.arguments(call);
            }
        }
    }

    /// Rewrites the arguments of a method call. The method determines the parameter types of closures.
    fn arguments(&mut self, call: &ExprMethodCall) {
        let name = plain(&call.method);
        let has_closure = call.args.iter().any(|argument| matches!(argument, Expr::Closure(_)));
        let receiver = if has_closure { self.infer(&call.receiver) } else { Ty::Other };
        let parameters = self.parameters_of_method(call, &name);
        for (i, argument) in call.args.iter().enumerate() {
            let parameter = parameters.get(i).cloned().unwrap_or_default();
            match argument {
                Expr::Closure(closure) if parameter.closure.is_empty() => {
                    let types = self.closure_parameters(&receiver, &name, call);
                    self.closure(closure, &types, Use::Argument(parameter.text));
                }
                _ => self.argument(argument, &parameter),
            }
        }
    }

    fn argument(&mut self, argument: &Expr, parameter: &Parameter) {
        let usage = Use::Argument(parameter.text);
        match argument {
            Expr::Closure(closure) => self.closure(closure, &parameter.closure, usage),
            Expr::Reference(_) => self.walk(argument, usage),
            _ => self.walk(argument, Use::Value),
        }
    }

    fn parameters_of_method(&mut self, call: &ExprMethodCall, name: &str) -> Vec<Parameter> {
        // These methods also accept a `&str`.
        if matches!(
            name,
            "push_str" | "starts_with" | "ends_with" | "contains" | "contains_key" | "get" | "eq"
        ) {
            return vec![Parameter { text: Text::Str, closure: Vec::new() }];
        }
        let receiver = self.infer(&call.receiver);
        let key = owner(receiver.target()).map(|owner| (owner, name.to_owned()));
        key.and_then(|key| self.index.methods.get(&key))
            .map(|found| found.parameters.clone())
            .unwrap_or_default()
    }

    /// True for a method that changes its receiver, as far as its name or its declaration in the crate shows.
    fn changes_receiver(&mut self, call: &ExprMethodCall) -> bool {
        let name = plain(&call.method);
        let is_accessor = || {
            name.starts_with("set_")
                || name.starts_with("clear_")
                || name.starts_with("take_")
                || name.ends_with("_mut")
        };
        if !CHANGING.contains(&name.as_str()) && !is_accessor() && !name.starts_with("merge") {
            let receiver = self.infer(&call.receiver);
            let key = owner(receiver.target()).map(|owner| (owner, name));
            return key.and_then(|key| self.index.methods.get(&key)).is_some_and(|found| found.changes_self);
        }
        true
    }

    fn member_call(&mut self, call: &ExprMethodCall, access: &Access<'_, '_>, usage: Use) {
        match access.target {
            Target::UnknownFields(_) => self.read(access, Use::Base(self.is_changing(call))),
            Target::Member(member) => match &member.kind {
                MemberKind::Field(Shape::Optional { value, is_boxed, has_default }, methods) => {
                    let field =
                        Optional { value: *value, is_boxed: *is_boxed, has_default: *has_default, methods };
                    self.call_on_optional(call, access, &field, usage);
                }
                MemberKind::Field(shape, methods) => self.call_on_plain(call, access, shape, methods),
                MemberKind::Oneof(_, methods) => self.call_on_oneof(call, access, methods, usage),
            },
        }
        self.arguments(call);
    }

    fn is_changing(&self, call: &ExprMethodCall) -> bool {
        let name = plain(&call.method);
        CHANGING.contains(&name.as_str()) || name.ends_with("_mut")
    }

    fn call_on_plain(
        &mut self,
        call: &ExprMethodCall,
        access: &Access<'_, '_>,
        shape: &Shape,
        methods: &FieldMethods,
    ) {
        let (name, level) = (plain(&call.method), access.level);
        let whole = access.name.start..self.range_of(call).end;
        let instead = match (shape, name.as_str()) {
            (Shape::Plain(Value::Text), "clone") => Some(format!("{}().to_owned()", methods.get)),
            (Shape::Plain(Value::Bytes), "clone") => Some(format!("{}().to_vec()", methods.get)),
            (Shape::Plain(Value::Text), "as_str" | "as_ref" | "borrow" | "deref")
            | (Shape::Plain(Value::Bytes), "as_slice" | "as_ref" | "borrow" | "deref") => {
                Some(format!("{}()", methods.get))
            }
            (Shape::List(_) | Shape::Map(_) | Shape::Plain(Value::Text | Value::Bytes), "clear") => {
                Some(format!("{}()", methods.clear))
            }
            _ => None,
        };
        if let Some(text) = instead {
            let changes = name == "clear";
            if self.allows(access, level) {
                self.edits.replace(whole, text);
            }
            return self.walk(access.base, Use::Base(changes));
        }
        let is_scalar = *shape == Shape::Plain(Value::Scalar);
        let is_list = matches!(shape, Shape::List(_) | Shape::Map(_));
        let is_custom = matches!(shape, Shape::Plain(Value::Custom | Value::Message(_)));
        if is_custom {
            self.read(access, Use::Base(false));
        } else if self.is_changing(call) && !is_scalar {
            self.call_accessor(access, level, &methods.get_mut, Use::Base(true));
        } else if MOVING.contains(&name.as_str()) && !is_scalar {
            self.read(access, Use::Value);
        } else if is_scalar || if is_list { READING } else { READING_TEXT }.contains(&name.as_str()) {
            self.call_accessor(access, level, &methods.get, Use::Base(false));
        } else {
            self.call_accessor(access, level.max(Level::Yellow), &methods.get, Use::Base(false));
        }
    }

    fn call_on_optional(
        &mut self,
        call: &ExprMethodCall,
        access: &Access<'_, '_>,
        field: &Optional<'_>,
        usage: Use,
    ) {
        let (methods, level) = (field.methods, access.level);
        let whole = access.name.start..self.range_of(call).end;
        match (call.method.to_string().as_str(), field.value) {
            ("is_some", _) => self.replace_call(access, whole, &format!("{}()", methods.has), false),
            ("is_none", _) => self.negated(call, access, &methods.has, usage),
            ("take", _) if !field.is_boxed => {
                self.replace_call(access, whole, &format!("{}()", methods.take), true)
            }
            (_, Value::Custom) => self.read(access, Use::Base(false)),
            ("get_or_insert_default", _) if !field.has_default => {
                self.replace_call(access, whole, &format!("{}()", methods.get_mut), true);
            }
            ("get_or_insert_with", _)
                if !field.has_default && call.args.first().is_some_and(is_default_function) =>
            {
                self.replace_call(access, whole, &format!("{}()", methods.get_mut), true);
            }
            ("as_ref" | "as_deref", Value::Text | Value::Bytes | Value::Message(_)) => {
                self.option_in(access, level, whole, (&methods.has, &format!("#.{}()", methods.get)));
            }
            ("as_mut" | "as_deref_mut", Value::Text | Value::Bytes | Value::Message(_)) => {
                self.option_in(access, level, whole, (&methods.has, &format!("#.{}()", methods.get_mut)));
            }
            ("clone", Value::Text) => {
                self.option_in(
                    access,
                    level,
                    whole,
                    (&methods.has, &format!("#.{}().to_owned()", methods.get)),
                );
            }
            ("clone", Value::Bytes) => {
                self.option_in(
                    access,
                    level,
                    whole,
                    (&methods.has, &format!("#.{}().to_vec()", methods.get)),
                );
            }
            ("clone", Value::Message(_)) if !field.is_boxed => {
                self.option_in(access, level, whole, (&methods.has, &format!("#.{}().clone()", methods.get)));
            }
            ("clone" | "copied", Value::Scalar) => {
                self.option_in(access, level, whole, (&methods.has, &format!("#.{}()", methods.get)));
            }
            (
                "insert"
                | "replace"
                | "get_or_insert"
                | "get_or_insert_with"
                | "get_or_insert_default"
                | "iter_mut",
                _,
            ) => {
                self.decline(access, Use::Base(true), "accessors have no `Option` to change in place");
            }
            ("iter" | "as_ref" | "as_mut", _) => {
                self.decline(access, Use::Base(false), "accessors have no `Option` to borrow");
            }
            // All other methods take the option by value.
            _ => self.read(access, Use::Value),
        }
    }

    fn call_on_oneof(
        &mut self,
        call: &ExprMethodCall,
        access: &Access<'_, '_>,
        methods: &OneofMethods,
        usage: Use,
    ) {
        let whole = access.name.start..self.range_of(call).end;
        let method = |name: &str| format!("{name}()");
        match call.method.to_string().as_str() {
            "is_some" => self.replace_call(access, whole, &method(&methods.has), false),
            "is_none" => self.negated(call, access, &methods.has, usage),
            "take" => self.replace_call(access, whole, &method(&methods.take), true),
            "as_ref" => self.replace_call(access, whole, &method(&methods.which), false),
            "as_mut" => self.replace_call(access, whole, &method(&methods.get_mut), true),
            "clone" => self.replace_call(access, whole, &format!("{}().cloned()", methods.which), false),
            "insert" | "replace" | "get_or_insert" | "get_or_insert_with" | "iter" | "iter_mut" => {
                self.decline(access, Use::Base(true), "accessors have no `Option` to change in place");
            }
            _ => self.read(access, Use::Value),
        }
    }

    /// Replaces the name of a member and the call of a method on the member by `text`.
    fn replace_call(&mut self, access: &Access<'_, '_>, whole: Range<usize>, text: &str, changes: bool) {
        if self.allows(access, access.level) {
            self.edits.replace(whole, text);
        }
        self.walk(access.base, Use::Base(changes));
    }

    /// Rewrites `x.theme.is_none()` to `!x.has_theme()`.
    fn negated(&mut self, call: &ExprMethodCall, access: &Access<'_, '_>, has: &str, usage: Use) {
        let whole = self.range_of(call);
        if self.allows(access, access.level) {
            let is_tight = matches!(usage, Use::Base(_));
            self.edits.insert(whole.start, if is_tight { "(!" } else { "!" });
            self.edits
                .replace(access.name.start..whole.end, format!("{has}(){}", if is_tight { ")" } else { "" }));
        }
        self.walk(access.base, Use::Base(false));
    }

    /// Rewrites `x.theme.as_deref().unwrap_or("")` and similar expressions to `x.theme()`. Returns true if the expression
    /// has such a form.
    pub(super) fn unwrapped(&mut self, call: &ExprMethodCall, usage: Use) -> bool {
        let is_unwrap = match call.method.to_string().as_str() {
            "unwrap_or_default" => true,
            "unwrap_or" => call.args.first().is_some_and(is_zero),
            _ => false,
        };
        if !is_unwrap {
            return false;
        }
        let (inner, between) = match &*call.receiver {
            Expr::MethodCall(inner) if inner.args.is_empty() => (&*inner.receiver, plain(&inner.method)),
            receiver => (receiver, String::new()),
        };
        if !matches!(between.as_str(), "" | "as_deref" | "as_ref" | "clone" | "cloned" | "copied") {
            return false;
        }
        let Some(access) = self.access(inner) else { return false };
        let Some((&Shape::Optional { value, has_default: false, .. }, methods)) = access.field() else {
            return false;
        };
        let get = methods.get.clone();
        let is_copied = access.owner.is_pointer();
        let (before, after) = match (between.as_str(), value) {
            ("as_deref", Value::Text | Value::Bytes) | ("" | "clone" | "copied", Value::Scalar) => ("", ""),
            ("clone", Value::Text) => ("", ".to_owned()"),
            ("clone", Value::Bytes) => ("", ".to_vec()"),
            // If the following code only reads the message, no copy is necessary.
            ("" | "clone" | "as_ref", Value::Message(_)) if usage == Use::Base(false) => ("", ""),
            ("clone", Value::Message(_)) => ("", ".clone()"),
            // The old code moves the message out of a reference, so the message is `Copy`, and `*` copies it.
            ("", Value::Message(_)) if is_copied => ("*", ""),
            _ => return false,
        };
        if self.allows(&access, access.level) {
            let whole = self.range_of(call);
            self.edits.insert(whole.start, before);
            self.edits.replace(access.name.start..whole.end, format!("{get}(){after}"));
        }
        self.walk(access.base, Use::Base(false));
        true
    }

    pub(crate) fn call(&mut self, call: &ExprCall) {
        self.pinned_in_call(None, call.args.iter(), |walker| walker.call_in(call));
    }

    fn call_in(&mut self, call: &ExprCall) {
        if self.mem_take(call) {
            return;
        }
        self.walk(&call.func, Use::Base(false));
        let parameters = match &*call.func {
            Expr::Path(path) => {
                let function = self.function_of(&path.path);
                function.map(|function| function.parameters).unwrap_or_default()
            }
            _ => Vec::new(),
        };
        for (i, argument) in call.args.iter().enumerate() {
            self.argument(argument, &parameters.get(i).cloned().unwrap_or_default());
        }
    }

    /// Rewrites `std::mem::take(&mut book.title)` to `book.take_title()`. Returns true if the expression has this form.
    fn mem_take(&mut self, call: &ExprCall) -> bool {
        let (Expr::Path(path), Some(Expr::Reference(reference)), 1) =
            (&*call.func, call.args.first(), call.args.len())
        else {
            return false;
        };
        if segments(&path.path).last().is_none_or(|name| name != "take") || reference.mutability.is_none() {
            return false;
        }
        let Some(access) = self.access(&reference.expr) else { return false };
        let take = match access.target {
            Target::Member(member) => match &member.kind {
                MemberKind::Field(Shape::Optional { is_boxed: true, .. }, _) => return false,
                MemberKind::Field(_, methods) => methods.take.clone(),
                MemberKind::Oneof(_, methods) => methods.take.clone(),
            },
            Target::UnknownFields(_) => return false,
        };
        if self.allows(&access, access.level) {
            let whole = self.range_of(call);
            self.edits.remove(whole.start..self.range_of(access.base).start);
            self.edits.replace(access.name.start..whole.end, format!("{take}()"));
        }
        self.walk(access.base, Use::Base(true));
        true
    }
}

/// A field with presence.
struct Optional<'m> {
    value: Value,
    is_boxed: bool,
    has_default: bool,
    methods: &'m FieldMethods,
}

/// True for the value that a getter returns if the field is not set.
fn is_zero(expr: &Expr) -> bool {
    let Expr::Lit(literal) = expr else { return super::value::is_default(expr) };
    match &literal.lit {
        syn::Lit::Str(text) => text.value().is_empty(),
        syn::Lit::ByteStr(bytes) => bytes.value().is_empty(),
        syn::Lit::Int(int) => int.base10_digits() == "0",
        syn::Lit::Float(float) => float.base10_parse::<f64>().is_ok_and(|value| value == 0.0),
        syn::Lit::Bool(is) => !is.value,
        _ => false,
    }
}

/// True for a path such as `Default::default`, `Book::default` or `String::new`.
fn is_default_function(expr: &Expr) -> bool {
    let Expr::Path(path) = expr else { return false };
    matches!(segments(&path.path).last().map(String::as_str), Some("default" | "new"))
}
