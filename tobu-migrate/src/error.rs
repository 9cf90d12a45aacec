//! The error type of the crate. Its message names the file, the type or the setting.

use std::path::{Path, PathBuf};
use std::{fmt, io};

/// The result of every fallible function of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The reason why no file was rewritten. If only one of several files fails, its error is in
/// [`Outcome::error`](crate::Outcome::error).
///
/// `Debug` prints the same text as `Display`.
#[derive(thiserror::Error)]
#[error(transparent)]
pub struct Error(Box<Kind>);

#[derive(Debug, thiserror::Error)]
pub(crate) enum Kind {
    #[error(transparent)]
    Generator(tobu_build::Error),
    #[error("the descriptors are not valid: {0}")]
    Descriptors(tobu_schema::Error),
    #[error("the type {0:?} is not valid: the descriptors have no such message")]
    NoSuchType(String),
    #[error("{path}: {source}", path = path.display())]
    Io { path: PathBuf, source: io::Error },
}

impl Error {
    pub(crate) fn io(path: &Path, source: io::Error) -> Self {
        Kind::Io { path: path.to_owned(), source }.into()
    }
}

impl From<Kind> for Error {
    fn from(kind: Kind) -> Self {
        Error(Box::new(kind))
    }
}

impl From<tobu_build::Error> for Error {
    fn from(error: tobu_build::Error) -> Self {
        Kind::Generator(error).into()
    }
}

impl From<tobu_schema::Error> for Error {
    fn from(error: tobu_schema::Error) -> Self {
        Kind::Descriptors(error).into()
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
