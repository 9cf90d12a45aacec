//! Where sources come from, and what their files are called.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use super::compile_error;
use crate::error::{Error, Result};

/// The sources that there are.
pub(crate) enum Files<'f> {
    /// The files below these directories; the first one that has a file counts.
    Directories(&'f [&'f Path]),
    /// By name.
    Memory(HashMap<&'f str, &'f str>),
}

impl<'f> Files<'f> {
    /// # Errors
    /// Two sources have one name.
    pub(super) fn memory(sources: &[(&'f str, &'f str)]) -> Result<Self> {
        let mut files = HashMap::with_capacity(sources.len());
        for &(name, source) in sources {
            if files.insert(name, source).is_some() {
                return Err(compile_error(name, format!("there are two sources of the name {name:?}")));
            }
        }
        Ok(Files::Memory(files))
    }

    /// The source of a file; the path that was read is added to `read`.
    pub(super) fn source(&self, name: &str, read: &mut Vec<PathBuf>) -> Result<Option<Cow<'f, str>>> {
        let includes = match self {
            Files::Directories(includes) => includes,
            Files::Memory(files) => return Ok(files.get(name).map(|&source| source.into())),
        };
        let path = includes.iter().map(|include| include.join(name)).find(|path| path.is_file());
        let Some(path) = path else { return Ok(None) };
        let bytes = fs::read(&path).map_err(|error| Error::io(&path, error))?;
        read.push(path);
        let source = String::from_utf8(bytes);
        Ok(Some(source.map_err(|_| compile_error(name, "the file is not UTF-8".into()))?.into()))
    }
}

/// The name by which imports call a file: its path from one of the include directories.
pub(super) fn import_name(file: &Path, includes: &[&Path]) -> Option<String> {
    let canonical = file.canonicalize().ok();
    for include in includes {
        let relative = file.strip_prefix(include).ok().map(Path::to_owned).or_else(|| {
            let canonical = canonical.as_ref()?.strip_prefix(include.canonicalize().ok()?).ok()?;
            Some(canonical.to_owned())
        });
        if let Some(name) =
            relative.filter(|path| include.join(path).is_file()).and_then(|path| file_name(&path))
        {
            return Some(name);
        }
    }
    let is_there = includes.iter().any(|include| include.join(file).is_file());
    is_there.then(|| file_name(file)).flatten()
}

/// A relative path as imports write it.
pub(super) fn file_name(path: &Path) -> Option<String> {
    let parts = path.components().map(|part| match part {
        Component::Normal(part) => part.to_str(),
        _ => None,
    });
    parts.collect::<Option<Vec<_>>>().map(|parts| parts.join("/"))
}
