//! Infers the types of expressions, as far as the source shows them: from declared types, literals and calls.

use syn::{Expr, ExprCall, ExprMethodCall, Pat};

use super::functions::Function;
use super::index::owner;
use super::names::{plain, segments};
use super::ty::Ty;
use super::walk::Walker;
use tobu_build::catalog::{BUILD, MemberType};

impl Walker<'_> {
    /// Returns the type of an expression. This function changes no text.
    pub(super) fn infer(&mut self, expr: &Expr) -> Ty {
        match expr {
            Expr::Path(path) => self.infer_path(path),
            Expr::Paren(inner) => self.infer(&inner.expr),
            Expr::Group(inner) => self.infer(&inner.expr),
            Expr::Await(inner) => self.infer_await(&inner.base),
            Expr::Reference(inner) => self.infer(&inner.expr).reference(),
            Expr::Unary(inner) => match inner.op {
                syn::UnOp::Deref(_) => self.infer_deref(&inner.expr),
                _ => self.infer(&inner.expr),
            },
            Expr::Try(inner) => {
                let ty = self.infer(&inner.expr);
                unwrapped(&ty)
            }
            Expr::Field(field) => self.infer_field(field),
            Expr::Index(index) => {
                let base = self.infer(&index.expr);
                let is_range = matches!(&*index.index, Expr::Range(_));
                match base.target() {
                    list @ (Ty::Generic(..) | Ty::Text) if is_range => list.clone(),
                    Ty::Generic(_, arguments) => arguments.last().cloned().unwrap_or(Ty::Unknown),
                    Ty::Unknown => Ty::Unknown,
                    _ => Ty::Other,
                }
            }
            Expr::Struct(literal) => self.resolve_path(&literal.path),
            Expr::Call(call) => self.infer_call(call),
            Expr::MethodCall(call) => self.infer_method_call(call),
            Expr::Macro(item) => self.infer_macro(&item.mac),
            Expr::Lit(literal) => match literal.lit {
                syn::Lit::Str(_) => Ty::Text.reference(),
                _ => Ty::Scalar,
            },
            Expr::Tuple(tuple) => Ty::Tuple(tuple.elems.iter().map(|item| self.infer(item)).collect()),
            Expr::Array(array) => {
                Ty::generic("Vec", array.elems.first().map_or(Ty::Unknown, |item| self.infer(item)))
            }
            Expr::Repeat(array) => Ty::generic("Vec", self.infer(&array.expr)),
            Expr::Block(block) => self.infer_block(&block.block),
            Expr::Async(block) => self.infer_block(&block.block),
            Expr::Unsafe(block) => self.infer_block(&block.block),
            Expr::If(branch) => self.scoped(|walker| {
                walker.bind_condition(&branch.cond);
                walker.infer_block(&branch.then_branch)
            }),
            Expr::Match(item) => {
                let ty = self.infer(&item.expr);
                let of_arms = item.arms.iter().map(|arm| {
                    self.scoped(|walker| {
                        walker.bind(&arm.pat, &ty);
                        walker.infer(&arm.body)
                    })
                });
                of_arms.into_iter().find(|ty| !matches!(ty, Ty::Unknown | Ty::Other)).unwrap_or(Ty::Unknown)
            }
            Expr::Closure(closure) => Ty::Closure(Box::new(self.infer_closure(closure, &[]))),
            Expr::Cast(_) | Expr::Binary(_) | Expr::Range(_) => Ty::Scalar,
            Expr::Assign(_) | Expr::ForLoop(_) | Expr::While(_) => Ty::Other,
            _ => Ty::Unknown,
        }
    }

    /// Returns the type of a closure's result. `parameters` are the types of the closure's parameters.
    pub(super) fn infer_closure(&mut self, closure: &syn::ExprClosure, parameters: &[Ty]) -> Ty {
        if let syn::ReturnType::Type(_, ty) = &closure.output {
            return self.resolve(ty);
        }
        self.scoped(|walker| {
            walker.bind_parameters(closure, parameters);
            walker.infer(&closure.body)
        })
    }

    pub(super) fn infer_block(&mut self, block: &syn::Block) -> Ty {
        self.scoped(|walker| {
            let Some((last, before)) = block.stmts.split_last() else { return Ty::Other };
            for statement in before {
                if let syn::Stmt::Local(local) = statement {
                    walker.bind_local(local);
                }
            }
            match last {
                syn::Stmt::Expr(expr, None) => walker.infer(expr),
                syn::Stmt::Macro(item) if item.semi_token.is_none() => walker.infer_macro(&item.mac),
                _ => Ty::Other,
            }
        })
    }

    /// Returns the member of a message that a field expression names; `None` if `ty` is not a known message with
    /// this member. Also returns the index of the message.
    pub(super) fn member_of(&self, ty: &Ty, member: &syn::Member) -> Option<(usize, &MemberType)> {
        let (Ty::Message(index), syn::Member::Named(name)) = (ty.target(), member) else { return None };
        let name = plain(name);
        let found = self.catalog.messages.get(*index)?.members.iter().find(|member| member.name == name)?;
        Some((*index, found))
    }

    fn infer_path(&mut self, path: &syn::ExprPath) -> Ty {
        if let Some(name) = path.path.get_ident() {
            let name = plain(name);
            if let Some(local) = self.local(&name) {
                return local.ty.clone();
            }
            return self.index.values.get(&name).cloned().unwrap_or(Ty::Other);
        }
        let name = path.path.segments.last().map(|segment| plain(&segment.ident)).unwrap_or_default();
        self.index.values.get(&name).cloned().unwrap_or(Ty::Other)
    }

    fn infer_await(&mut self, base: &Expr) -> Ty {
        let ty = self.infer(base);
        // `lock` of an asynchronous mutex cannot fail and returns the guard, so the inferred `Result` is removed.
        match (base, ty.argument_of("Result")) {
            (Expr::MethodCall(call), Some(guard))
                if matches!(call.method.to_string().as_str(), "lock" | "read" | "write") =>
            {
                guard
            }
            _ => ty,
        }
    }

    fn infer_deref(&mut self, expr: &Expr) -> Ty {
        match self.infer(expr) {
            Ty::Ref(inner) => *inner,
            ty => ty.target().clone(),
        }
    }

    fn infer_field(&mut self, field: &syn::ExprField) -> Ty {
        let base = self.infer(&field.base);
        if let Some((_, member)) = self.member_of(&base, &field.member) {
            return Ty::of_member(member);
        }
        let name = match &field.member {
            syn::Member::Named(name) => plain(name),
            syn::Member::Unnamed(index) => index.index.to_string(),
        };
        match base.target() {
            Ty::Declared(owner) => self
                .index
                .structs
                .get(owner)
                .and_then(|fields| fields.get(&name))
                .cloned()
                .unwrap_or(Ty::Unknown),
            Ty::Tuple(items) => {
                name.parse().ok().and_then(|i: usize| items.get(i)).cloned().unwrap_or(Ty::Unknown)
            }
            Ty::Unknown => Ty::Unknown,
            // The members of a type of another crate are unknown.
            Ty::Generic(..) => Ty::Unknown,
            _ => Ty::Other,
        }
    }

    fn infer_call(&mut self, call: &ExprCall) -> Ty {
        let Expr::Path(path) = &*call.func else {
            return match self.infer(&call.func).target() {
                Ty::Closure(output) => (**output).clone(),
                _ => Ty::Unknown,
            };
        };
        let path = &path.path;
        let names = segments(path);
        let Some((name, before)) = names.split_last() else { return Ty::Unknown };
        if before.is_empty()
            && let Some(local) = self.local(name)
        {
            return match &local.ty {
                Ty::Closure(output) => (**output).clone(),
                _ => Ty::Unknown,
            };
        }
        let first =
            |walker: &mut Self| call.args.first().map_or(Ty::Other, |argument| walker.infer(argument));
        match name.as_str() {
            "Some" => return Ty::generic("Option", first(self)),
            "Ok" => return Ty::generic("Result", first(self)),
            _ => {}
        }
        if let Some(owner) = before.last() {
            match (owner.as_str(), name.as_str()) {
                ("Arc" | "Box" | "Rc" | "Mutex" | "RwLock" | "RefCell" | "Request" | "Response", "new") => {
                    return Ty::generic(owner, first(self));
                }
                ("Arc" | "Rc", "clone") => return first(self).peeled().clone(),
                ("mem", "take" | "replace") => return first(self).peeled().clone(),
                _ => {}
            }
            let parent = self.parent(path);
            return self.infer_associated(&parent, name).unwrap_or_else(|| self.infer_free(path, name));
        }
        self.infer_free(path, name)
    }

    /// Returns the type of the result of an associated function, such as `Book::default()` or `Store::open()`.
    fn infer_associated(&mut self, parent: &Ty, name: &str) -> Option<Ty> {
        if let Some(function) =
            owner(parent).and_then(|owner| self.index.methods.get(&(owner, name.to_owned())))
        {
            return Some(function.output.clone());
        }
        match parent {
            Ty::Message(index) => Some(match name {
                "default" | "new" => parent.clone(),
                "default_instance" => parent.clone().reference(),
                "decode" | "decode_length_delimited" | "from_json" | "from_text" => {
                    Ty::generic("Result", parent.clone())
                }
                name if self.catalog.messages.get(*index).is_some_and(|message| message.builder == name) => {
                    Ty::Builder(*index)
                }
                _ => Ty::Unknown,
            }),
            Ty::Client(_) => Some(match name {
                "connect" => Ty::generic("Result", parent.clone()),
                _ => parent.clone(),
            }),
            Ty::Declared(_) if matches!(name, "default") => Some(parent.clone()),
            _ => None,
        }
    }

    /// Returns the type of the result of a free function.
    fn infer_free(&mut self, path: &syn::Path, name: &str) -> Ty {
        if let Some(function) = self.function_of(path) {
            return function.output;
        }
        // For a function such as `from_slice::<Book>`, only the type argument shows the result.
        let argument = path.segments.last().and_then(|segment| match &segment.arguments {
            syn::PathArguments::AngleBracketed(given) => given.args.first().cloned(),
            _ => None,
        });
        match (name, argument) {
            (
                "from_slice" | "from_str" | "from_reader" | "from_buf",
                Some(syn::GenericArgument::Type(ty)),
            ) => Ty::generic("Result", self.resolve(&ty)),
            _ => Ty::Unknown,
        }
    }

    /// Returns the function that a path names, if the crate declares it.
    pub(super) fn function_of(&mut self, path: &syn::Path) -> Option<Function> {
        let names = segments(path);
        let (name, before) = names.split_last()?;
        if let Some(owner) = owner(&self.parent(path)) {
            return self.index.methods.get(&(owner, name.clone())).cloned();
        }
        let module = self.modules.last().map(String::as_str).unwrap_or_default();
        self.index.functions.get(module, before.last().map(String::as_str), name)
    }

    fn infer_method_call(&mut self, call: &ExprMethodCall) -> Ty {
        let receiver = self.infer(&call.receiver);
        let name = plain(&call.method);
        if let Some(ty) = self.infer_own_method(&receiver, &name) {
            return ty;
        }
        if let ("collect", Some(turbofish)) = (name.as_str(), &call.turbofish)
            && let Some(syn::GenericArgument::Type(ty)) = turbofish.args.first()
        {
            return match self.resolve(ty) {
                // `Vec<_>` and `Result<_, _>` do not name the type of the items, so the iterator determines it.
                Ty::Generic(name, arguments) if arguments.first().is_some_and(Ty::is_unknown) => {
                    match name.as_str() {
                        "Result" => Ty::generic(&name, Ty::generic("Vec", unwrapped(&receiver.element()))),
                        _ => Ty::generic(&name, receiver.element()),
                    }
                }
                ty => ty,
            };
        }
        self.infer_std_method(&receiver, &name, call)
    }

    /// Returns the type of the result of a method that the crate or generated code declares.
    fn infer_own_method(&mut self, receiver: &Ty, name: &str) -> Option<Ty> {
        let target = receiver.target();
        if let Some(function) =
            owner(target).and_then(|owner| self.index.methods.get(&(owner, name.to_owned())))
        {
            return Some(function.output.clone());
        }
        match target {
            Ty::Message(index) => Ty::of_accessor(self.catalog, *index, name),
            Ty::Builder(index) => Some(match name {
                BUILD => Ty::Message(*index),
                _ => target.clone(),
            }),
            Ty::Client(index) => {
                let functions = &self.catalog.clients.get(*index)?.functions;
                let Some((_, answer, is_streaming)) =
                    functions.iter().find(|(function, ..)| function == name)
                else {
                    return Some(target.clone());
                };
                let answer = Ty::of_value(*answer);
                let answer = if *is_streaming { Ty::generic("Streaming", answer) } else { answer };
                Some(Ty::generic("Result", Ty::generic("Response", answer)))
            }
            _ => None,
        }
    }

    fn infer_macro(&mut self, item: &syn::Macro) -> Ty {
        match item.path.segments.last().map(|segment| segment.ident.to_string()).as_deref() {
            Some("vec") => match super::macros::arguments(item).as_deref() {
                Some([first, ..]) => Ty::generic("Vec", self.infer(first)),
                _ => Ty::generic("Vec", Ty::Unknown),
            },
            Some("format") => Ty::Text,
            Some("assert" | "assert_eq" | "println" | "eprintln" | "print" | "eprint") => Ty::Other,
            Some("matches") => Ty::Scalar,
            _ => Ty::Unknown,
        }
    }

    /// Binds the names in the patterns of a condition such as `if let Some(x) = y && let ...`.
    pub(super) fn bind_condition(&mut self, cond: &Expr) {
        match cond {
            Expr::Let(item) => {
                let ty = self.infer(&item.expr);
                self.bind(&item.pat, &ty);
            }
            Expr::Binary(both) => {
                self.bind_condition(&both.left);
                self.bind_condition(&both.right);
            }
            Expr::Paren(inner) => self.bind_condition(&inner.expr),
            _ => {}
        }
    }

    /// Binds the parameters of a closure. Their types are declared, or else come from `types`.
    pub(super) fn bind_parameters(&mut self, closure: &syn::ExprClosure, types: &[Ty]) {
        for (i, pattern) in closure.inputs.iter().enumerate() {
            let ty = types.get(i).cloned().unwrap_or(Ty::Unknown);
            self.bind(pattern, &ty);
        }
    }

    pub(super) fn bind_local(&mut self, local: &syn::Local) {
        let ty = match (&local.pat, &local.init) {
            (Pat::Type(_), _) | (_, None) => Ty::Unknown,
            (_, Some(init)) => self.infer(&init.expr),
        };
        self.bind(&local.pat, &ty);
    }
}

/// Returns the type of the value that `?` and `unwrap` return.
pub(super) fn unwrapped(ty: &Ty) -> Ty {
    ty.argument_of("Option").or_else(|| ty.argument_of("Result")).unwrap_or(Ty::Unknown)
}
