//! Receives generated text and writes it to memory or to files.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// Receives generated files, one after the other.
pub(crate) trait Output {
    fn begin(&mut self, file: &str) -> Result<()>;

    fn text(&mut self, text: String) -> Result<()>;
}

/// Files in memory, in the order of generation.
#[derive(Default)]
pub(crate) struct Files(Vec<(String, Vec<String>)>);

impl Files {
    pub(crate) fn finish(self) -> BTreeMap<String, String> {
        self.0.into_iter().map(|(name, content)| (name, content.concat())).collect()
    }
}

impl Output for Files {
    fn begin(&mut self, file: &str) -> Result<()> {
        self.0.push((file.to_owned(), Vec::new()));
        Ok(())
    }

    fn text(&mut self, text: String) -> Result<()> {
        if let Some((_, content)) = self.0.last_mut() {
            content.push(text);
        }
        Ok(())
    }
}

/// Files in a directory. They have temporary names until all are complete, so that an error during generation leaves the old
/// files unchanged.
pub(crate) struct Directory<'p> {
    path: &'p Path,
    open: Option<(PathBuf, BufWriter<File>)>,
    /// The temporary and the final names of the complete files.
    written: Vec<(PathBuf, PathBuf)>,
}

impl<'p> Directory<'p> {
    pub(crate) fn new(path: &'p Path) -> Self {
        Directory { path, open: None, written: Vec::new() }
    }

    /// Gives all files their final names.
    pub(crate) fn finish(mut self) -> Result<()> {
        self.close()?;
        for (from, to) in &self.written {
            fs::rename(from, to).map_err(|error| Error::io(to, error))?;
        }
        self.written.clear();
        Ok(())
    }

    fn close(&mut self) -> Result<()> {
        match self.open.take() {
            Some((path, mut file)) => file.flush().map_err(|error| Error::io(&path, error)),
            None => Ok(()),
        }
    }
}

impl Output for Directory<'_> {
    fn begin(&mut self, file: &str) -> Result<()> {
        self.close()?;
        let path = self.path.join(file);
        let unfinished = self.path.join(format!(".{file}.unfinished"));
        let writer = File::create(&unfinished).map_err(|error| Error::io(&path, error))?;
        self.written.push((unfinished, path.clone()));
        self.open = Some((path, BufWriter::new(writer)));
        Ok(())
    }

    fn text(&mut self, text: String) -> Result<()> {
        match &mut self.open {
            Some((path, file)) => file.write_all(text.as_bytes()).map_err(|error| Error::io(path, error)),
            None => Ok(()),
        }
    }
}

impl Drop for Directory<'_> {
    fn drop(&mut self) {
        for (unfinished, _) in &self.written {
            // An error here would hide the error that the caller returns.
            let _ = fs::remove_file(unfinished);
        }
    }
}
