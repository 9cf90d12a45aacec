//! A schema from a file, which may change while the proxy runs.

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tobu::Pool;
use tokio::sync::watch;

use crate::schema::Schema;

/// A file with a serialized `google.protobuf.FileDescriptorSet`.
pub(crate) struct Descriptors {
    path: PathBuf,
    /// What the file was when it was last read.
    seen: Option<Stamp>,
}

type Stamp = (SystemTime, u64);

impl Descriptors {
    /// # Errors
    /// The file cannot be read, or is no schema with rules.
    pub(crate) fn open(path: PathBuf) -> Result<(Self, Schema), String> {
        // Looked at before it is read: a change between the two is seen the next time.
        let seen = stamp(&path);
        let schema = read(&path)?;
        Ok((Descriptors { path, seen }, schema))
    }

    /// Reads the file again when it has changed; what is wrong with it leaves the schema as it is.
    pub(crate) async fn watch(mut self, every: Duration, schema: watch::Sender<Arc<Schema>>) -> Infallible {
        loop {
            tokio::time::sleep(every).await;
            let path = self.path.clone();
            let last = self.seen;
            let work = tokio::task::spawn_blocking(move || {
                let now = stamp(&path);
                (now != last).then(|| (now, read(&path)))
            });
            // A read that was given up is tried again.
            let Ok(Some((seen, changed))) = work.await else { continue };
            self.seen = seen;
            match changed {
                Ok(changed) => {
                    tracing::info!(rules = changed.rules(), "the schema has changed");
                    schema.send_replace(Arc::new(changed));
                }
                Err(error) => tracing::error!("the schema stays as it was: {error}"),
            }
        }
    }
}

fn stamp(path: &Path) -> Option<Stamp> {
    let file = path.metadata().ok()?;
    Some((file.modified().ok()?, file.len()))
}

fn read(path: &Path) -> Result<Schema, String> {
    let named = |error: String| format!("{}: {error}", path.display());
    let bytes = std::fs::read(path).map_err(|error| named(error.to_string()))?;
    let pool = Pool::from_descriptor_set(&bytes).map_err(|error| named(error.to_string()))?;
    Schema::new(&pool).map_err(named)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::proto::library::v1::library_server;
    use crate::remote;

    const OFTEN: Duration = Duration::from_millis(5);

    #[tokio::test]
    async fn follows_the_file() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("set.binpb");
        let error = Descriptors::open(path.clone()).err().unwrap();
        let why = std::fs::read(&path).unwrap_err();
        assert_eq!(error, format!("{}: {why}", path.display()));

        let encoded = library();
        std::fs::write(&path, &encoded).unwrap();
        let (descriptors, schema) = Descriptors::open(path.clone()).unwrap();
        assert_eq!(schema.rules(), 12);
        let (sender, mut schema) = watch::channel(Arc::new(schema));
        let first = Arc::clone(&schema.borrow());
        let watching = tokio::spawn(descriptors.watch(OFTEN, sender));

        // Half a file, and none: the schema stays.
        std::fs::write(&path, &encoded[..encoded.len() / 2]).unwrap();
        tokio::time::sleep(OFTEN * 10).await;
        std::fs::remove_file(&path).unwrap();
        tokio::time::sleep(OFTEN * 10).await;
        assert!(!schema.has_changed().unwrap());
        assert!(Arc::ptr_eq(&first, &schema.borrow()));

        // Written aside and renamed, as it should be.
        let aside = directory.path().join("aside");
        std::fs::write(&aside, &encoded).unwrap();
        std::fs::rename(&aside, &path).unwrap();
        schema.changed().await.unwrap();
        assert!(!Arc::ptr_eq(&first, &schema.borrow()));
        assert_eq!(schema.borrow().rules(), 12);
        watching.abort();
    }

    /// The descriptor set of the library.
    pub(crate) fn library() -> Vec<u8> {
        let files = with_imports(&library_server::descriptor().file());
        remote::descriptor_set(files.iter().map(|file| file.encoded())).unwrap()
    }

    /// A file after all that it imports.
    fn with_imports(file: &tobu::FileDescriptor) -> Vec<tobu::FileDescriptor> {
        let mut files: Vec<tobu::FileDescriptor> = Vec::new();
        for file in file.dependencies().flat_map(|import| with_imports(&import)).chain([file.clone()]) {
            if !files.iter().any(|known| known.name() == file.name()) {
                files.push(file);
            }
        }
        files
    }
}
