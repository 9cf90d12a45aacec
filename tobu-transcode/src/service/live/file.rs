//! A source that reads the schema from a file.

use std::fs::{File, Metadata};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tobu::Pool;

use super::{Last, SchemaSource};
use crate::error::{Error, Result};

/// If a file changes twice within this time, both changes may have the same modification time.
const COARSE: Duration = Duration::from_secs(2);

/// A file with a serialized `google.protobuf.FileDescriptorSet`, as `protoc --include_imports --descriptor_set_out` and
/// `buf build` write it.
///
/// When the source is polled, it reads the file again if the modification time, the length or the identity of the file has
/// changed. You may also change a link, so that it points to another file. It is best to write a new file and rename it,
/// because a file that is only partly written is an error. If the content is the same as before, the schema does not count as
/// changed.
#[derive(Debug)]
pub struct DescriptorFile {
    path: PathBuf,
    max_bytes: u64,
    /// The state of the file when it was last read. `None` until the file was first read as a valid schema.
    seen: Option<Seen>,
    last: Last,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Seen {
    stamp: Option<Stamp>,
    /// True if every later change will change the stamp.
    is_settled: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    modified: Option<SystemTime>,
    len: u64,
    /// The device, the inode and the change time, or zeros if the system does not provide them.
    identity: [i64; 4],
}

impl DescriptorFile {
    /// Creates a source that reads the file at `path` when the source is polled.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        DescriptorFile { path: path.into(), max_bytes: 256 << 20, seen: None, last: Last::default() }
    }

    /// Sets how many bytes the file may have; 256 MiB by default.
    #[must_use]
    pub fn max_bytes(mut self, bytes: u64) -> Self {
        self.max_bytes = bytes;
        self
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl SchemaSource for DescriptorFile {
    async fn next(&mut self) -> Result<Option<Pool>> {
        let (path, max, seen) = (self.path.clone(), self.max_bytes, self.seen);
        let work = tokio::task::spawn_blocking(move || look(&path, max, seen));
        let Some((now, set)) = work.await.map_err(Error::schema)? else { return Ok(None) };
        let named = |error: Error| error.within(self.path.display());
        let is_first = self.seen.is_none();
        if !is_first {
            self.seen = Some(now);
        }
        let set = match set {
            Ok(set) => set,
            Err(error) => {
                self.last.forget();
                return Err(named(error));
            }
        };
        if !self.last.differs(&set) && !is_first {
            return Ok(None);
        }
        let pool = tokio::task::spawn_blocking(move || Pool::from_descriptor_set(&set));
        let pool = pool.await.map_err(Error::schema)?.map_err(|error| named(Error::schema(error)))?;
        self.seen = Some(now);
        Ok(Some(pool))
    }
}

/// Returns the state and the content of the file, or `None` if the file is unchanged.
fn look(path: &Path, max: u64, seen: Option<Seen>) -> Option<(Seen, Result<Vec<u8>>)> {
    // The stamp is taken before the file is read. So a change between the two is noticed the next time.
    let stamp = path.metadata().ok().map(|file| Stamp::of(&file));
    let modified = stamp.and_then(|stamp| stamp.modified);
    let age = modified.and_then(|modified| SystemTime::now().duration_since(modified).ok());
    let now = Seen { stamp, is_settled: stamp.is_none() || age.is_some_and(|age| age > COARSE) };
    let is_same = seen.is_some_and(|seen| seen.is_settled && seen.stamp == stamp);
    (!is_same).then(|| (now, read(path, max)))
}

impl Stamp {
    fn of(file: &Metadata) -> Self {
        Stamp { modified: file.modified().ok(), len: file.len(), identity: identity(file) }
    }
}

#[cfg(unix)]
fn identity(file: &Metadata) -> [i64; 4] {
    use std::os::unix::fs::MetadataExt;
    [file.dev() as i64, file.ino() as i64, file.ctime(), file.ctime_nsec()]
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> [i64; 4] {
    [0; 4]
}

fn read(path: &Path, max: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(Error::schema)?;
    file.take(max.saturating_add(1)).read_to_end(&mut bytes).map_err(Error::schema)?;
    match bytes.len() as u64 > max {
        true => Err(Error::schema(format!("the file is longer than the limit of {max} bytes"))),
        false => Ok(bytes),
    }
}
