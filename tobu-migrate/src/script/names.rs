//! Resolves the names in a build script through its `use` declarations.

use std::collections::HashMap;
use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{ItemUse, Path, UseTree};

use super::table::Library;

/// The crates that the new script no longer uses.
pub(super) const CRATES: &[&str] = &["prost_build", "tonic_build", "tonic_prost_build"];

/// An item of one of the [`CRATES`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Named {
    Config,
    /// The function `Config::new` or `Config::default`.
    Constructor,
    Builder,
    Configure,
    /// The function that compiles files with the default options.
    CompileProtos(Library),
    /// The function that compiles a descriptor set with the default options.
    CompileSet(Library),
    Other,
}

/// A name that a `use` declares.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    pub(super) name: String,
    pub(super) path: Vec<String>,
    /// True if the new script needs the name, because it still has a call that uses it.
    is_kept: bool,
}

#[derive(Debug, Default)]
pub(super) struct Names {
    leaves: HashMap<String, Leaf>,
    /// The `use` items that name one of the crates in [`CRATES`].
    items: Vec<Item>,
}

#[derive(Debug)]
struct Item {
    range: Range<usize>,
    /// The start of the keyword `use`, after attributes and visibility.
    start: usize,
    /// True if the item only has names of one of the crates, and no glob.
    is_plain: bool,
    /// True if the item is neither in a function nor in a module.
    is_root: bool,
    leaves: Vec<String>,
}

impl Names {
    pub(super) fn new(file: &syn::File) -> Self {
        let mut names = Names::default();
        names.visit_file(file);
        let is_root = |start: usize| {
            let mut uses = file.items.iter().filter(|item| matches!(item, syn::Item::Use(_)));
            uses.any(|item| item.span().byte_range().start == start)
        };
        names.items.iter_mut().for_each(|item| item.is_root = is_root(item.range.start));
        names
    }

    /// Returns the names in a path. If the first name is imported, the path of the import replaces it.
    pub(super) fn resolve(&self, path: &Path) -> Vec<String> {
        let mut names: Vec<_> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if let Some(leaf) = self.leaves.get(&names[0]).filter(|_| path.leading_colon.is_none()) {
            names.splice(..1, leaf.path.iter().cloned());
        }
        names
    }

    /// Returns the item that a path names, if it belongs to one of the [`CRATES`].
    pub(super) fn named(&self, path: &Path) -> Option<Named> {
        let full = self.resolve(path);
        let full: Vec<_> = full.iter().map(String::as_str).collect();
        let (first, rest) = full.split_first()?;
        let index = CRATES.iter().position(|name| name == first)?;
        let library = if index == 0 { Library::Prost } else { Library::Tonic };
        Some(match (rest, library) {
            (["Config"], _) => Named::Config,
            (["Config", "new" | "default"], _) => Named::Constructor,
            (["Builder"], Library::Tonic) => Named::Builder,
            (["configure"], Library::Tonic) => Named::Configure,
            (["compile_protos"], _) => Named::CompileProtos(library),
            (["compile_fds"], _) => Named::CompileSet(library),
            _ => Named::Other,
        })
    }

    /// Keeps the declaration of the name with which a path begins.
    pub(super) fn keep(&mut self, path: &Path) {
        let first = path.segments.first().map(|segment| segment.ident.to_string());
        if let Some(leaf) = first.and_then(|name| self.leaves.get_mut(&name)) {
            leaf.is_kept = true;
        }
    }

    /// Returns the ranges of `use` items with their replacements. The replacement is `None` if the new script does
    /// not need the item.
    pub(super) fn rewritten(&self) -> Vec<(Range<usize>, Option<String>)> {
        let mut taken = Vec::new();
        let mut out = Vec::new();
        for item in self.items.iter().filter(|item| item.is_plain) {
            let mut lines = Vec::new();
            for leaf in item.leaves.iter().filter_map(|name| self.leaves.get(name)) {
                let renamed = match leaf.path.last() {
                    Some(last) if *last != leaf.name => format!(" as {}", leaf.name),
                    _ => String::new(),
                };
                if leaf.is_kept {
                    lines.push(format!("use {}{renamed};", leaf.path.join("::")));
                } else if leaf.path.len() == 2 && leaf.path[1] == "Config" {
                    // Both prost-build and tonic-prost-build export this type. The new script declares it only
                    // once.
                    if item.is_root && taken.contains(&&leaf.name) {
                        continue;
                    }
                    taken.push(&leaf.name);
                    lines.push(format!("use tobu_build::Config{renamed};"));
                }
            }
            out.push(match lines.is_empty() {
                true => (item.range.clone(), None),
                false => (item.start..item.range.end, Some(lines.join("\n"))),
            });
        }
        out
    }

    /// Returns the positions of `use` items that are not rewritten: globs, and groups with other crates.
    pub(super) fn unread(&self) -> impl Iterator<Item = usize> {
        self.items.iter().filter(|item| !item.is_plain).map(|item| item.range.start)
    }

    fn add(&mut self, tree: &UseTree, path: &mut Vec<String>, leaves: &mut Vec<Leaf>, has_all: &mut bool) {
        let mut leaf = |name: String, path: Vec<String>| leaves.push(Leaf { name, path, is_kept: false });
        match tree {
            UseTree::Path(tree) => {
                path.push(tree.ident.to_string());
                self.add(&tree.tree, path, leaves, has_all);
                path.pop();
            }
            UseTree::Name(tree) if tree.ident == "self" => {
                leaf(path.last().cloned().unwrap_or_default(), path.clone());
            }
            UseTree::Name(tree) => {
                let name = tree.ident.to_string();
                leaf(name.clone(), [path.as_slice(), &[name]].concat());
            }
            UseTree::Rename(tree) if tree.ident == "self" => leaf(tree.rename.to_string(), path.clone()),
            UseTree::Rename(tree) => {
                leaf(tree.rename.to_string(), [path.as_slice(), &[tree.ident.to_string()]].concat());
            }
            UseTree::Glob(_) => *has_all = true,
            UseTree::Group(tree) => {
                tree.items.iter().for_each(|tree| self.add(tree, path, leaves, has_all));
            }
        }
    }
}

impl<'ast> Visit<'ast> for Names {
    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        let (mut leaves, mut has_all) = (Vec::new(), false);
        self.add(&item.tree, &mut Vec::new(), &mut leaves, &mut has_all);
        let is_ours = |path: &[String]| path.first().is_some_and(|name| CRATES.contains(&name.as_str()));
        let starts_ours = match &item.tree {
            UseTree::Path(tree) => CRATES.iter().any(|name| tree.ident == name),
            UseTree::Rename(tree) => CRATES.iter().any(|name| tree.ident == name),
            UseTree::Name(tree) => CRATES.iter().any(|name| tree.ident == name),
            UseTree::Group(_) | UseTree::Glob(_) => false,
        };
        if starts_ours || leaves.iter().any(|leaf| is_ours(&leaf.path)) {
            self.items.push(Item {
                range: item.span().byte_range(),
                start: item.use_token.span().byte_range().start,
                is_plain: starts_ours && !has_all,
                is_root: false,
                leaves: leaves.iter().map(|leaf| leaf.name.clone()).collect(),
            });
        }
        self.leaves.extend(leaves.into_iter().map(|leaf| (leaf.name.clone(), leaf)));
        visit::visit_item_use(self, item);
    }
}
