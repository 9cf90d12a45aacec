//! Collects the functions of a crate: their results, and what their parameters say about the arguments.

use std::collections::HashMap;

use quote::ToTokens;
use syn::{
    FnArg, Generics, PathArguments, ReceiverKind, ReturnType, Signature, Type, TypeParamBound, WherePredicate,
};

use super::names::plain;
use super::ty::Ty;

/// The functions by their names. The string next to each function is the name of its module.
#[derive(Debug, Default)]
pub(super) struct Functions(HashMap<String, Vec<(String, Function)>>);

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Function {
    /// The parameters without `self`.
    pub(super) parameters: Vec<Parameter>,
    /// True for a method that takes `&mut self`.
    pub(super) changes_self: bool,
    pub(super) output: Ty,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Parameter {
    pub(super) text: Text,
    /// The types of the closure's arguments, if the parameter is a closure.
    pub(super) closure: Vec<Ty>,
}

/// The type of string that a parameter accepts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Text {
    /// The parameter is a `&str`.
    Str,
    /// The parameter is a `&String`, or its type contains `&String`, for example as the result of a closure.
    String,
    /// The parameter has another type, or its type is unknown.
    #[default]
    Other,
}

impl Functions {
    pub(super) fn insert(&mut self, module: &str, name: String, function: Function) {
        self.0.entry(name).or_default().push((module.to_owned(), function));
    }

    /// Returns the function to which a name in a module refers. `qualifier` is the segment before the name in a path. If
    /// several functions match, returns their [common](Function::common) facts.
    pub(super) fn get(&self, module: &str, qualifier: Option<&str>, name: &str) -> Option<Function> {
        let all = self.0.get(name)?;
        let module = match qualifier {
            Some(qualifier) if !matches!(qualifier, "self" | "super" | "crate") => qualifier,
            _ => module,
        };
        let near = all.iter().filter(|(found, _)| found == module).map(|(_, function)| function);
        let near = near.cloned().reduce(Function::common);
        near.or_else(|| all.iter().map(|(_, function)| function.clone()).reduce(Function::common))
    }
}

impl Function {
    /// Returns the facts in a signature. `resolve` finds the types.
    pub(super) fn of(signature: &Signature, resolve: impl Fn(&Type) -> Ty) -> Self {
        let typed = signature.inputs.iter().filter_map(|input| match input {
            FnArg::Typed(input) => Some(&*input.ty),
            FnArg::Receiver(_) => None,
        });
        let parameters = typed
            .map(|ty| Parameter {
                text: Text::of(ty),
                closure: called_with(ty, &signature.generics, &resolve),
            })
            .collect();
        let changes_self = matches!(
            signature.inputs.first(),
            Some(FnArg::Receiver(receiver)) if matches!(receiver.kind, ReceiverKind::Reference(_, _, Some(_)))
        );
        let output = match &signature.output {
            ReturnType::Default => Ty::Other,
            ReturnType::Type(_, ty) => resolve(ty),
        };
        Function { parameters, changes_self, output }
    }

    /// Returns the facts on which two functions with the same name agree. `changes_self` is true if one of them changes `self`.
    pub(super) fn common(self, other: Function) -> Function {
        let is_same = self.parameters == other.parameters;
        Function {
            parameters: if is_same { self.parameters } else { Vec::new() },
            changes_self: self.changes_self || other.changes_self,
            output: if self.output == other.output { self.output } else { Ty::Unknown },
        }
    }
}

impl Text {
    fn of(ty: &Type) -> Self {
        match ty {
            Type::Reference(reference) if matches!(&*reference.elem, Type::Path(path) if path.path.is_ident("str")) => {
                Text::Str
            }
            _ if ty.to_token_stream().to_string().contains("& String") => Text::String,
            _ => Text::Other,
        }
    }
}

/// Returns the types of the closure's arguments for a parameter such as `impl Fn(&Book)`, or `F` with this bound.
fn called_with(ty: &Type, generics: &Generics, resolve: &impl Fn(&Type) -> Ty) -> Vec<Ty> {
    match ty {
        Type::Reference(reference) => called_with(&reference.elem, generics, resolve),
        Type::ImplTrait(item) => arguments(&item.bounds, resolve),
        Type::TraitObject(item) => arguments(&item.bounds, resolve),
        Type::Path(path) => {
            let Some(name) = path.path.get_ident() else { return Vec::new() };
            let declared = generics.type_params().filter(|parameter| parameter.ident == *name);
            let declared = declared.map(|parameter| arguments(&parameter.bounds, resolve));
            let predicates = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
            let bound = predicates.filter_map(|predicate| match predicate {
                WherePredicate::Type(item) => match &item.bounded_ty {
                    Type::Path(path) if path.path.get_ident().map(plain) == Some(plain(name)) => {
                        Some(arguments(&item.bounds, resolve))
                    }
                    _ => None,
                },
                _ => None,
            });
            declared.chain(bound).find(|types| !types.is_empty()).unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

/// Returns the argument types in the bound `Fn`, `FnMut` or `FnOnce`.
fn arguments<'b>(
    bounds: impl IntoIterator<Item = &'b TypeParamBound>,
    resolve: &impl Fn(&Type) -> Ty,
) -> Vec<Ty> {
    let traits = bounds.into_iter().filter_map(|bound| match bound {
        TypeParamBound::Trait(bound) => bound.path.segments.last(),
        _ => None,
    });
    let found = traits.filter_map(|segment| match &segment.arguments {
        PathArguments::Parenthesized(given) => {
            Some(given.inputs.iter().map(|input| resolve(&input.ty)).collect())
        }
        _ => None,
    });
    found.into_iter().next().unwrap_or_default()
}
