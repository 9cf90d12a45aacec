//! What a crate declares itself: structs and the types of their members, functions and what they give.

use std::collections::{HashMap, HashSet};

use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{FnArg, GenericArgument, PathArguments, ReceiverKind, ReturnType, Signature, Type, TypeParamBound};

use super::names::{Names, Types, plain, segments};
use super::ty::Ty;

/// The declarations of all files of a crate, by name.
#[derive(Default)]
pub(super) struct Index {
    /// Structs, enums, unions and traits.
    pub(super) types: HashSet<String>,
    /// The members of all structs and of variants with names.
    pub(super) members: HashSet<String>,
    /// The types of the members of each struct.
    pub(super) structs: HashMap<String, HashMap<String, Ty>>,
    pub(super) functions: HashMap<String, Function>,
    /// By what they are implemented for, too.
    pub(super) methods: HashMap<(String, String), Function>,
    /// Constants and statics.
    pub(super) values: HashMap<String, Ty>,
    aliases: HashMap<String, Type>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Function {
    /// All parameters but `self`.
    pub(super) parameters: Vec<Parameter>,
    /// True for a method that takes `&mut self`.
    pub(super) changes_self: bool,
    pub(super) output: Ty,
}

/// What a parameter takes of a string.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Parameter {
    /// A `&str`.
    Str,
    /// A `&String`, or a closure that gives one.
    String,
    /// Not known, or another type.
    #[default]
    Other,
}

impl Index {
    pub(super) fn new<'f>(files: impl Iterator<Item = &'f syn::File> + Clone, types: &Types) -> Self {
        let mut index = Index::default();
        for file in files.clone() {
            Declarations(&mut index).visit_file(file);
        }
        for file in files {
            let mut names = Names::default();
            names.open(&file.items);
            Signatures { index: &mut index, types, names, self_ty: None }.visit_file(file);
        }
        index
    }

    /// What a type is; `self_ty` is that of the `impl` around it.
    pub(super) fn resolve(&self, ty: &Type, names: &Names, types: &Types, self_ty: Option<&Ty>) -> Ty {
        let resolve = |ty: &Type| self.resolve(ty, names, types, self_ty);
        match ty {
            Type::Reference(reference) => resolve(&reference.elem).reference(),
            Type::Paren(inner) => resolve(&inner.elem),
            Type::Group(inner) => resolve(&inner.elem),
            Type::Slice(slice) => Ty::generic("Vec", resolve(&slice.elem)),
            Type::Array(array) => Ty::generic("Vec", resolve(&array.elem)),
            Type::Tuple(tuple) => Ty::Tuple(tuple.elems.iter().map(resolve).collect()),
            Type::ImplTrait(item) => iterated(&item.bounds, resolve),
            Type::TraitObject(item) => iterated(&item.bounds, resolve),
            Type::Infer(_) | Type::Macro(_) => Ty::Unknown,
            Type::Path(path) if path.qself.is_none() => self.resolve_path(&path.path, names, types, self_ty),
            _ => Ty::Other,
        }
    }

    /// What a path leads to where it is the path of a type.
    pub(super) fn resolve_path(
        &self,
        path: &syn::Path,
        names: &Names,
        types: &Types,
        self_ty: Option<&Ty>,
    ) -> Ty {
        let Some(last) = path.segments.last() else { return Ty::Other };
        let name = plain(&last.ident);
        if name == "Self" && path.segments.len() == 1 {
            return self_ty.cloned().unwrap_or(Ty::Other);
        }
        if let Some(found) = names.find(&segments(path), types, &self.types) {
            return found;
        }
        let arguments: Vec<Ty> = match &last.arguments {
            PathArguments::AngleBracketed(given) => given
                .args
                .iter()
                .filter_map(|argument| match argument {
                    GenericArgument::Type(ty) => Some(self.resolve(ty, names, types, self_ty)),
                    _ => None,
                })
                .collect(),
            _ => Vec::new(),
        };
        match name.as_str() {
            "String" | "str" => Ty::Text,
            "bool" | "char" | "f32" | "f64" | "i8" | "i16" | "i32" | "i64" | "i128" | "isize" | "u8" | "u16"
            | "u32" | "u64" | "u128" | "usize" => Ty::Scalar,
            _ if self.types.contains(&name) => Ty::Declared(name),
            _ => match self.aliases.get(&name) {
                Some(alias) if arguments.is_empty() => self.resolve(alias, names, types, self_ty),
                // `Result<T, E>` is about its first argument, and so are all others that have one.
                _ if name == "Result" && !arguments.is_empty() => Ty::generic("Result", arguments[0].clone()),
                _ if arguments.is_empty() => Ty::Other,
                _ => Ty::Generic(name, arguments),
            },
        }
    }
}

/// An iterator or a stream, by what it gives.
fn iterated<'b>(bounds: impl IntoIterator<Item = &'b TypeParamBound>, resolve: impl Fn(&Type) -> Ty) -> Ty {
    let traits = bounds.into_iter().filter_map(|bound| match bound {
        TypeParamBound::Trait(bound) => bound.path.segments.last(),
        _ => None,
    });
    for segment in traits {
        if let PathArguments::AngleBracketed(given) = &segment.arguments {
            for argument in &given.args {
                if let GenericArgument::AssocType(item) = argument
                    && item.ident == "Item"
                {
                    return Ty::generic("Iter", resolve(&item.ty));
                }
            }
        }
    }
    Ty::Other
}

/// The first pass: names.
struct Declarations<'i>(&'i mut Index);

impl Declarations<'_> {
    fn members(&mut self, fields: &syn::Fields) {
        self.0.members.extend(fields.iter().filter_map(|field| field.ident.as_ref()).map(plain));
    }
}

impl<'ast> Visit<'ast> for Declarations<'_> {
    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.0.types.insert(plain(&item.ident));
        self.members(&item.fields);
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.0.types.insert(plain(&item.ident));
        item.variants.iter().for_each(|variant| self.members(&variant.fields));
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.0.types.insert(plain(&item.ident));
        visit::visit_item_trait(self, item);
    }

    fn visit_item_type(&mut self, item: &'ast syn::ItemType) {
        if item.generics.params.is_empty() {
            self.0.aliases.insert(plain(&item.ident), (*item.ty).clone());
        }
    }
}

/// The second pass: types, which need the names.
struct Signatures<'i> {
    index: &'i mut Index,
    types: &'i Types,
    names: Names,
    self_ty: Option<Ty>,
}

impl Signatures<'_> {
    fn resolve(&self, ty: &Type) -> Ty {
        self.index.resolve(ty, &self.names, self.types, self.self_ty.as_ref())
    }

    fn function(&self, signature: &Signature) -> Function {
        let parameters = signature
            .inputs
            .iter()
            .filter_map(|input| match input {
                FnArg::Typed(input) => Some(parameter(&input.ty)),
                FnArg::Receiver(_) => None,
            })
            .collect();
        let output = match &signature.output {
            ReturnType::Default => Ty::Other,
            ReturnType::Type(_, ty) => self.resolve(ty),
        };
        let changes_self = matches!(
            signature.inputs.first(),
            Some(FnArg::Receiver(receiver)) if matches!(receiver.kind, ReceiverKind::Reference(_, _, Some(_)))
        );
        Function { parameters, changes_self, output }
    }

    fn fields(&self, fields: &syn::Fields) -> HashMap<String, Ty> {
        let named = fields.iter().enumerate().map(|(i, field)| {
            let name = field.ident.as_ref().map_or_else(|| i.to_string(), plain);
            (name, self.resolve(&field.ty))
        });
        named.collect()
    }
}

impl<'ast> Visit<'ast> for Signatures<'_> {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        self.names.open(item.content.iter().flat_map(|(_, items)| items));
        visit::visit_item_mod(self, item);
        self.names.close();
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        let fields = self.fields(&item.fields);
        let name = plain(&item.ident);
        // Of two structs of one name, neither is sure.
        let known = self.index.structs.insert(name.clone(), fields);
        if known.is_some() {
            self.index.structs.insert(name, HashMap::new());
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        let function = self.function(&item.sig);
        insert(&mut self.index.functions, plain(&item.sig.ident), function);
        visit::visit_item_fn(self, item);
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let around = self.self_ty.replace(self.resolve(&item.self_ty));
        visit::visit_item_impl(self, item);
        self.self_ty = around;
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if let Some(owner) = self.self_ty.as_ref().and_then(owner) {
            let function = self.function(&item.sig);
            insert(&mut self.index.methods, (owner, plain(&item.sig.ident)), function);
        }
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        let ty = self.resolve(&item.ty);
        self.index.values.insert(plain(&item.ident), ty);
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        let ty = self.resolve(&item.ty);
        self.index.values.insert(plain(&item.ident), ty);
    }
}

/// The name under which the methods of a type are kept.
pub(super) fn owner(ty: &Ty) -> Option<String> {
    match ty {
        Ty::Declared(name) => Some(name.clone()),
        Ty::Message(index) => Some(format!("message {index}")),
        _ => None,
    }
}

/// Adds a function; one of the same name with another signature leaves neither sure.
fn insert<K: std::hash::Hash + Eq>(functions: &mut HashMap<K, Function>, key: K, function: Function) {
    let unsure = Function { parameters: Vec::new(), changes_self: false, output: Ty::Unknown };
    functions.entry(key).and_modify(|known| if *known != function { *known = unsure }).or_insert(function);
}

fn parameter(ty: &Type) -> Parameter {
    let tokens = ty.to_token_stream().to_string();
    match ty {
        Type::Reference(reference) if matches!(&*reference.elem, Type::Path(path) if path.path.is_ident("str")) => {
            Parameter::Str
        }
        _ if tokens.contains("& String") => Parameter::String,
        _ => Parameter::Other,
    }
}
