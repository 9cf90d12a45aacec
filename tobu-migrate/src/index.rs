//! Collects the declarations of a crate: structs with the types of their members, and functions with their results.

use std::collections::{HashMap, HashSet};

use syn::visit::{self, Visit};
use syn::{GenericArgument, PathArguments, Type, TypeParamBound};

use super::functions::{Function, Functions};
use super::names::{Names, Types, plain, segments};
use super::ty::Ty;
use super::writes;

/// The declarations in all files of a crate, by name.
#[derive(Default)]
pub(super) struct Index {
    /// The names of structs, enums, unions and traits.
    pub(super) types: HashSet<String>,
    /// The names of the members of all structs, and of variants with named members.
    pub(super) members: HashSet<String>,
    /// The types of the members of each struct.
    pub(super) structs: HashMap<String, HashMap<String, Ty>>,
    pub(super) functions: Functions,
    /// The methods by two names: the name of the type that implements the method, and the name of the method.
    pub(super) methods: HashMap<(String, String), Function>,
    /// The types of constants and statics.
    pub(super) values: HashMap<String, Ty>,
    aliases: HashMap<String, Type>,
}

impl Index {
    /// Creates the index of files. The string next to each file is the name of its module.
    pub(super) fn new<'f>(
        files: impl Iterator<Item = (String, &'f syn::File)> + Clone,
        types: &Types,
    ) -> Self {
        let mut index = Index::default();
        for (_, file) in files.clone() {
            Declarations(&mut index).visit_file(file);
        }
        index.drop_circles();
        for (module, file) in files {
            let mut names = Names::default();
            names.open(&file.items);
            Signatures { index: &mut index, types, names, self_ty: None, modules: vec![module] }
                .visit_file(file);
        }
        index
    }

    /// Removes aliases that lead back to themselves. Such a circle can appear if several modules use the same
    /// names.
    fn drop_circles(&mut self) {
        let edges: HashMap<String, Vec<String>> = self
            .aliases
            .iter()
            .map(|(name, ty)| {
                let named = writes::idents(ty).into_iter();
                (name.clone(), named.filter(|other| self.aliases.contains_key(other)).collect())
            })
            .collect();
        self.aliases.retain(|name, _| {
            let (mut seen, mut open) = (HashSet::new(), edges[name].clone());
            while let Some(next) = open.pop() {
                if seen.insert(next.clone()) {
                    open.extend(edges[&next].iter().cloned());
                }
            }
            !seen.contains(name)
        });
    }

    /// Returns the type that the code means by `ty`. `self_ty` is the type of the `impl` around the code.
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

    /// Returns the type to which a path refers; `Ty::Other` or `Ty::Unknown` if it is not the path of a known type.
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
            "bool" | "char" | "f32" | "f64" | "i8" | "i16" | "i32" | "i64" | "i128" | "isize" | "u8"
            | "u16" | "u32" | "u64" | "u128" | "usize" => Ty::Scalar,
            _ if self.types.contains(&name) => Ty::Declared(name),
            _ => match self.aliases.get(&name) {
                Some(alias) if arguments.is_empty() => self.resolve(alias, names, types, self_ty),
                // Only the first argument of `Result` matters; the error type does not.
                _ if name == "Result" && !arguments.is_empty() => Ty::generic("Result", arguments[0].clone()),
                // The path is a type parameter of a function or an `impl`, or an associated type.
                _ if names.is_free(path) => Ty::Unknown,
                _ if arguments.is_empty() => Ty::Other,
                _ => Ty::Generic(name, arguments),
            },
        }
    }
}

/// Returns the type of an iterator or a stream with these bounds. The bounds say the type of its items.
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

/// The first pass, which collects names.
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

/// The second pass, which collects types. It needs the names from the first pass.
struct Signatures<'i> {
    index: &'i mut Index,
    types: &'i Types,
    names: Names,
    self_ty: Option<Ty>,
    modules: Vec<String>,
}

impl Signatures<'_> {
    fn resolve(&self, ty: &Type) -> Ty {
        self.index.resolve(ty, &self.names, self.types, self.self_ty.as_ref())
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
        self.modules.push(plain(&item.ident));
        visit::visit_item_mod(self, item);
        self.modules.pop();
        self.names.close();
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        let fields = self.fields(&item.fields);
        let name = plain(&item.ident);
        // If two structs have the same name, the types of their members are uncertain.
        let known = self.index.structs.insert(name.clone(), fields);
        if known.is_some() {
            self.index.structs.insert(name, HashMap::new());
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        let function = Function::of(&item.sig, |ty| self.resolve(ty));
        let module = self.modules.last().map(String::as_str).unwrap_or_default();
        self.index.functions.insert(module, plain(&item.sig.ident), function);
        visit::visit_item_fn(self, item);
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let around = self.self_ty.replace(self.resolve(&item.self_ty));
        visit::visit_item_impl(self, item);
        self.self_ty = around;
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if let Some(owner) = self.self_ty.as_ref().and_then(owner) {
            let function = Function::of(&item.sig, |ty| self.resolve(ty));
            let key = (owner, plain(&item.sig.ident));
            let function = match self.index.methods.remove(&key) {
                Some(known) => known.common(function),
                None => function,
            };
            self.index.methods.insert(key, function);
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

/// Returns the name of a file's module: `names` for `src/names.rs` and `src/names/mod.rs`.
pub(super) fn module_of(file: &str) -> String {
    let mut parts = file.trim_end_matches(".rs").rsplit(['/', '\\']);
    match parts.next().unwrap_or_default() {
        "mod" => parts.next().unwrap_or_default().to_owned(),
        "lib" | "main" => String::new(),
        name => name.to_owned(),
    }
}

/// Returns the key under which the index stores the methods of a type; `None` if the index cannot have methods of the type.
pub(super) fn owner(ty: &Ty) -> Option<String> {
    match ty {
        Ty::Declared(name) => Some(name.clone()),
        Ty::Message(index) => Some(format!("message {index}")),
        _ => None,
    }
}
