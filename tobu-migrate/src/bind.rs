//! Tracks the local variables in scope, and the types that patterns give them.

use std::collections::HashMap;

use syn::Pat;

use super::names::{plain, segments};
use super::ty::Ty;
use super::walk::Walker;

#[derive(Clone, Debug)]
pub(super) struct Local {
    pub(super) ty: Ty,
    /// The position of the variable's name in its declaration, if a `mut` can be inserted there.
    pub(super) declared: Option<usize>,
    pub(super) is_mut: bool,
    /// True if a member was moved out of the variable. Then no accessor can be called, because accessors need the
    /// whole value.
    pub(super) is_moved: bool,
}

/// The variables of one block.
pub(super) type Locals = HashMap<String, Local>;

impl Walker<'_> {
    pub(super) fn local(&self, name: &str) -> Option<&Local> {
        self.locals.iter().rev().find_map(|locals| locals.get(name))
    }

    /// Calls `work` with a new block, and removes the block afterwards.
    pub(super) fn scoped<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        self.locals.push(Locals::default());
        let done = work(self);
        self.locals.pop();
        done
    }

    /// Binds the names in a pattern that destructures a value of the type `ty`.
    pub(super) fn bind(&mut self, pattern: &Pat, ty: &Ty) {
        match pattern {
            Pat::Ident(ident) => {
                if let Some((_, inner)) = &ident.subpat {
                    self.bind(inner, ty);
                }
                let name = plain(&ident.ident);
                // A name that starts with an uppercase letter, such as `None`, is not a variable.
                if name.starts_with(char::is_uppercase) {
                    return;
                }
                let ty = if ident.by_ref.is_some() { ty.clone().reference() } else { ty.clone() };
                let declared = ident.by_ref.is_none().then(|| self.range(ident.ident.span()).start);
                let local = Local { ty, declared, is_mut: ident.mutability.is_some(), is_moved: false };
                if let Some(locals) = self.locals.last_mut() {
                    locals.insert(name, local);
                }
            }
            Pat::Type(typed) => {
                let ty = self.declared(&typed.ty, ty);
                self.bind(&typed.pat, &ty);
            }
            Pat::Reference(inner) => match ty {
                Ty::Ref(ty) => self.bind(&inner.pat, ty),
                _ => self.bind(&inner.pat, &Ty::Unknown),
            },
            Pat::Paren(inner) => self.bind(&inner.pat, ty),
            Pat::Guard(inner) => self.bind(&inner.pat, ty),
            Pat::Or(cases) => cases.cases.iter().for_each(|case| self.bind(case, ty)),
            Pat::Tuple(tuple) => {
                let items = match ty.peeled() {
                    Ty::Tuple(items) if items.len() == tuple.elems.len() => items.clone(),
                    _ => Vec::new(),
                };
                for (i, pattern) in tuple.elems.iter().enumerate() {
                    let item = items.get(i).cloned().unwrap_or(Ty::Unknown);
                    self.bind(pattern, &within(ty, item));
                }
            }
            Pat::Slice(slice) => {
                slice.elems.iter().for_each(|pattern| self.bind(pattern, &ty.element()));
            }
            Pat::TupleStruct(variant) => self.bind_variant(variant, ty),
            Pat::Struct(item) => {
                let found = self.resolve_path(&item.path);
                for field in &item.fields {
                    let member = match (&found, &field.member) {
                        (Ty::Declared(name), syn::Member::Named(member)) => self
                            .index
                            .structs
                            .get(name)
                            .and_then(|fields| fields.get(&plain(member)))
                            .cloned(),
                        _ => self.member_of(&found, &field.member).map(|(_, member)| Ty::of_member(member)),
                    };
                    self.bind(&field.pat, &within(ty, member.unwrap_or(Ty::Unknown)));
                }
            }
            _ => {}
        }
    }

    pub(super) fn bind_self(&mut self, receiver: &syn::Receiver) {
        let own = self.self_ty.clone().unwrap_or(Ty::Other);
        let ty = match &receiver.kind {
            syn::ReceiverKind::Reference(..) => own.reference(),
            syn::ReceiverKind::Typed(_, ty) => self.resolve(ty),
            _ => own,
        };
        let local = Local { ty, declared: None, is_mut: receiver.mutability.is_some(), is_moved: false };
        if let Some(locals) = self.locals.last_mut() {
            locals.insert("self".to_owned(), local);
        }
    }

    /// Binds the names in a pattern such as `Some(x)`, `Ok(x)` or `shelf::Owner::Person(x)`.
    fn bind_variant(&mut self, variant: &syn::PatTupleStruct, ty: &Ty) {
        let path = segments(&variant.path);
        let inner = match path.last().map(String::as_str) {
            Some("Some") => ty.argument_of("Option"),
            Some("Ok") => ty.argument_of("Result"),
            Some(name) => match self.parent(&variant.path) {
                Ty::Oneof(index) => {
                    let found = self.catalog.oneofs.get(index);
                    let variants = found.map(|oneof| oneof.variants.as_slice()).unwrap_or_default();
                    let found = variants.iter().find(|variant| variant.name == name);
                    found.map(|variant| within(ty, Ty::of_stored(variant.value, variant.is_boxed)))
                }
                _ => None,
            },
            None => None,
        };
        let inner = inner.unwrap_or(Ty::Unknown);
        variant.elems.iter().for_each(|pattern| self.bind(pattern, &inner));
    }

    /// Returns the declared type of a variable. If the declaration does not name a type, returns the type of the value.
    fn declared(&mut self, declared: &syn::Type, value: &Ty) -> Ty {
        match self.resolve(declared) {
            Ty::Unknown => value.clone(),
            ty => ty,
        }
    }

    /// Records that a member was moved out of a variable.
    pub(super) fn set_moved(&mut self, name: &str) {
        if let Some(local) = self.locals.iter_mut().rev().find_map(|locals| locals.get_mut(name)) {
            local.is_moved = true;
        }
    }

    /// Inserts `mut` into the declaration of a variable.
    pub(super) fn make_mut(&mut self, name: &str) {
        let Some(local) = self.locals.iter_mut().rev().find_map(|locals| locals.get_mut(name)) else {
            return;
        };
        if !local.is_mut
            && let Some(at) = local.declared
        {
            local.is_mut = true;
            self.edits.insert(at, "mut ");
        }
    }

    /// Returns the type that `path` names without its last segment.
    pub(super) fn parent(&mut self, path: &syn::Path) -> Ty {
        let mut parent = path.clone();
        parent.segments.pop();
        parent.segments.pop_punct();
        if parent.segments.is_empty() { Ty::Other } else { self.resolve_path(&parent) }
    }
}

/// Returns the type of a part of a destructured value. If the value is a reference, the part is a reference, too.
fn within(whole: &Ty, part: Ty) -> Ty {
    if matches!(whole, Ty::Ref(_)) && !matches!(part, Ty::Ref(_)) { part.reference() } else { part }
}

pub(super) fn bound_names(pattern: &Pat) -> Vec<String> {
    struct Names(Vec<String>);
    impl<'ast> syn::visit::Visit<'ast> for Names {
        fn visit_pat_ident(&mut self, ident: &'ast syn::PatIdent) {
            let name = plain(&ident.ident);
            if !name.starts_with(char::is_uppercase) {
                self.0.push(name);
            }
            syn::visit::visit_pat_ident(self, ident);
        }
    }
    let mut names = Names(Vec::new());
    syn::visit::Visit::visit_pat(&mut names, pattern);
    names.0
}
