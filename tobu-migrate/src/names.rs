//! Resolves names in a Rust file through `use` declarations, and finds the generated types that paths name.

use std::collections::{HashMap, HashSet};

use syn::UseTree;

use super::ty::Ty;
use tobu_build::catalog::Catalog;

/// The generated types by the last name of their paths. The list next to each type is its full path.
#[derive(Debug, Default)]
pub(super) struct Types(HashMap<String, Vec<(Vec<String>, Ty)>>);

impl Types {
    pub(super) fn new(catalog: &Catalog) -> Self {
        let mut types = Types::default();
        let messages = catalog.messages.iter().map(|message| &message.path).zip((0..).map(Ty::Message));
        let oneofs = catalog.oneofs.iter().map(|oneof| &oneof.path).zip((0..).map(Ty::Oneof));
        let clients = catalog.clients.iter().map(|client| &client.path).zip((0..).map(Ty::Client));
        for (path, ty) in messages.chain(oneofs).chain(clients) {
            if let Some(name) = path.last() {
                types.0.entry(name.clone()).or_default().push((path.clone(), ty));
            }
        }
        types
    }

    /// Returns the type that a path names; `None` if the path may name no type or several. The position of the generated
    /// modules in the crate is unknown, so a path matches if it ends with the type's path, or if the type's path ends with it.
    /// A single name that the crate declares matches no generated type.
    fn find(&self, path: &[String], declared: &HashSet<String>) -> Option<&Ty> {
        let is_root = |name: &&String| matches!(name.as_str(), "crate" | "self" | "super");
        let path = &path[path.iter().take_while(is_root).count()..];
        let name = path.last()?;
        let mut found = self.0.get(name)?.iter().filter(|(full, _)| {
            let is_distinct = path.len().min(full.len()) > 1 || !declared.contains(name);
            is_distinct && (path.ends_with(full) || full.ends_with(path))
        });
        let (_, ty) = found.next()?;
        found.next().is_none().then_some(ty)
    }
}

/// The names in scope, with one layer for each module from the root of the file to the innermost module.
#[derive(Clone, Debug, Default)]
pub(super) struct Names(Vec<Layer>);

#[derive(Clone, Debug, Default)]
struct Layer {
    imports: HashMap<String, Vec<String>>,
    globs: Vec<Vec<String>>,
}

impl Names {
    /// Opens a module, and adds the `use` declarations among its items.
    pub(super) fn open<'i>(&mut self, items: impl IntoIterator<Item = &'i syn::Item>) {
        self.0.push(Layer::default());
        for item in items {
            if let syn::Item::Use(item) = item {
                self.import(&item.tree);
            }
        }
    }

    pub(super) fn close(&mut self) {
        self.0.pop();
    }

    /// Adds a `use` declaration to the innermost module.
    pub(super) fn import(&mut self, tree: &UseTree) {
        if let Some(layer) = self.0.last_mut() {
            layer.add(&mut Vec::new(), tree);
        }
    }

    /// Returns the generated type that a path names in this scope.
    pub(super) fn find(&self, path: &[String], types: &Types, declared: &HashSet<String>) -> Option<Ty> {
        let (first, rest) = path.split_first()?;
        let imported = self.imported(first, 8);
        if let Some(mut full) = imported {
            full.extend(rest.iter().cloned());
            return types.find(&full, declared).cloned();
        }
        let globs = self.0.iter().rev().flat_map(|layer| &layer.globs);
        let through_glob = globs.filter(|glob| !glob.is_empty()).find_map(|glob| {
            let full = [glob.as_slice(), path].concat();
            types.find(&full, declared)
        });
        through_glob.or_else(|| types.find(path, declared)).cloned()
    }

    /// True if the first segment of a path is the name of a type, without arguments, that no `use` declaration adds.
    pub(super) fn is_free(&self, path: &syn::Path) -> bool {
        let Some(first) = path.segments.first() else { return false };
        let name = plain(&first.ident);
        first.arguments.is_none() && name.starts_with(char::is_uppercase) && self.imported(&name, 0).is_none()
    }

    /// Returns the path that a `use` declaration gives to a name. If this path begins with an imported name, resolves
    /// that name, too.
    fn imported(&self, name: &str, steps: usize) -> Option<Vec<String>> {
        let path = self.0.iter().rev().find_map(|layer| layer.imports.get(name))?;
        let (first, rest) = path.split_first()?;
        if steps == 0 || first == name {
            return Some(path.clone());
        }
        match self.imported(first, steps - 1) {
            Some(mut full) => {
                full.extend(rest.iter().cloned());
                Some(full)
            }
            None => Some(path.clone()),
        }
    }
}

impl Layer {
    fn add(&mut self, before: &mut Vec<String>, tree: &UseTree) {
        match tree {
            UseTree::Path(path) => {
                before.push(plain(&path.ident));
                self.add(before, &path.tree);
                before.pop();
            }
            UseTree::Name(name) if name.ident == "self" => {
                if let Some(last) = before.last() {
                    self.imports.insert(last.clone(), before.clone());
                }
            }
            UseTree::Name(name) => self.insert(before, &name.ident, &name.ident),
            UseTree::Rename(renamed) => self.insert(before, &renamed.ident, &renamed.rename),
            UseTree::Glob(_) => self.globs.push(before.clone()),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.add(before, tree)),
        }
    }

    fn insert(&mut self, before: &[String], name: &syn::Ident, alias: &syn::Ident) {
        let mut path = before.to_vec();
        if name != "self" {
            path.push(plain(name));
        }
        self.imports.insert(plain(alias), path);
    }
}

/// Returns a name without the `r#` of a raw identifier.
pub(super) fn plain(ident: &syn::Ident) -> String {
    let name = ident.to_string();
    name.strip_prefix("r#").map(str::to_owned).unwrap_or(name)
}

/// Returns the names in a path, without type arguments.
pub(super) fn segments(path: &syn::Path) -> Vec<String> {
    path.segments.iter().map(|segment| plain(&segment.ident)).collect()
}
