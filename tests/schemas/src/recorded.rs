//! The recorded data sets.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Where they are: in `../shared`, or where `TOBU_SHARED` points.
pub fn folder() -> PathBuf {
    let shared = std::env::var_os("TOBU_SHARED").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")),
        PathBuf::from,
    );
    shared.join("datasets")
}

/// Checks each data set, as many at once as there are processors.
///
/// # Panics
/// A check does, or there are fewer data sets than were recorded.
pub fn check_each(check: impl Fn(&Path) + Sync) {
    let is_set = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "pb");
    let paths = std::fs::read_dir(folder()).expect("the folder of the data sets");
    let mut paths: Vec<PathBuf> = paths.map(|entry| entry.expect("an entry").path()).filter(is_set).collect();
    assert!(paths.len() >= 16, "only {} data sets", paths.len());
    // The largest are first.
    paths.sort_by_key(|path| std::fs::metadata(path).map_or(0, |file| file.len()));
    let left = Mutex::new(paths);
    let next = || left.lock().expect("no other failed").pop();
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(path) = next() {
                    check(&path);
                }
            });
        }
    });
}
