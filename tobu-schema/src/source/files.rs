//! Where sources come from, and what their files are called.

use std::borrow::Cow;
use std::fs;
use std::path::{Component, Path, PathBuf};

use super::Compiler;

impl Compiler {
    /// The source of a file; the path that was read is added to `read`.
    pub(super) fn find(&self, name: &str, read: &mut Vec<PathBuf>) -> Result<Option<Cow<'_, str>>, String> {
        if let Some(&index) = self.by_name.get(name) {
            return Ok(Some(Cow::Borrowed(&self.sources[index].1)));
        }
        let path = self.includes.iter().map(|include| include.join(name)).find(|path| path.is_file());
        let Some(path) = path else { return Ok(None) };
        let bytes =
            fs::read(&path).map_err(|error| format!("{} could not be read: {error}", path.display()))?;
        read.push(path);
        let source = String::from_utf8(bytes).map_err(|_| "the file is not UTF-8".to_owned())?;
        Ok(Some(Cow::Owned(source)))
    }

    /// The name by which imports call a file: its path from one of the include directories.
    pub(super) fn import_name(&self, file: &Path) -> Option<String> {
        if let Some(name) = file.to_str().filter(|name| self.by_name.contains_key(*name)) {
            return Some(name.to_owned());
        }
        let canonical = file.canonicalize().ok();
        for include in &self.includes {
            let relative = file.strip_prefix(include).ok().map(Path::to_owned).or_else(|| {
                let canonical = canonical.as_ref()?.strip_prefix(include.canonicalize().ok()?).ok()?;
                Some(canonical.to_owned())
            });
            let name = relative.filter(|path| include.join(path).is_file()).and_then(|path| file_name(&path));
            if name.is_some() {
                return name;
            }
        }
        let is_there = self.includes.iter().any(|include| include.join(file).is_file());
        is_there.then(|| file_name(file)).flatten()
    }
}

/// A relative path as imports write it.
pub(super) fn file_name(path: &Path) -> Option<String> {
    let mut name = String::new();
    for part in path.components() {
        let Component::Normal(part) = part else { return None };
        if !name.is_empty() {
            name.push('/');
        }
        name.push_str(part.to_str()?);
    }
    Some(name)
}
