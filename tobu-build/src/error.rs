//! The error type of the crate. Its text is for the author of a build script.

use std::path::{Path, PathBuf};
use std::{fmt, io};

use tobu_schema::source::{Diagnostics, Severity};

/// The result of every fallible function of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error that says why no code was generated.
///
/// `Debug` writes the same text as `Display` with `{:#}`. So if the `main` function of a build script returns the error, cargo
/// prints a readable message, with the source lines of errors in `.proto` files.
#[derive(thiserror::Error)]
#[error(transparent)]
pub struct Error(Box<Kind>);

#[derive(Debug, thiserror::Error)]
pub(crate) enum Kind {
    #[error(transparent)]
    Sources(Diagnostics),
    #[error("{protoc}: could not be run: {source}; is PROTOC the path of the protoc program?")]
    RunProtoc { protoc: PathBuf, source: io::Error },
    #[error("protoc failed:\n{stderr}")]
    Protoc { stderr: String },
    #[error("the descriptors are not valid: {0}")]
    Descriptors(#[from] tobu_schema::Error),
    #[error("{file}: no file of this name in the descriptors; are its imports included?")]
    UnknownFile { file: String },
    #[error("{file:?}: a file name must be relative, without `..`, `\\` and control characters")]
    FileName { file: String },
    #[error("{file}: {name:?} is not an identifier")]
    Name { file: String, name: String },
    #[error("{what} {text:?} is not valid: {message}")]
    Option { what: &'static str, text: String, message: String },
    #[error(
        "{service}: a service takes and returns types that own their contents, but `Views::Only` generates no such types"
    )]
    BorrowedService { service: String },
    #[error(
        "{message}: an opaque message has presence bits, which serde's own derives do not know: `serde_derives` is for the other APIs"
    )]
    OpaqueSerde { message: String },
    #[error("{path}: {source}", path = path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("{0}")]
    Custom(String),
    #[error("there is no OUT_DIR: this is not a build script; call `Config::out_dir`")]
    NoOutDir,
    #[error("the generated code does not parse, which is a bug of tobu-build: {0}")]
    Print(syn::Error),
    #[error("the request of protoc is not valid: {0}")]
    Request(tobu_schema::Error),
    #[error("the response to protoc could not be written: {0}")]
    Response(io::Error),
}

impl Error {
    /// Returns the `.proto` file in which the error is, or `None` if the error is not about a file.
    pub fn file(&self) -> Option<&str> {
        match &*self.0 {
            Kind::Sources(errors) => {
                errors.list().iter().find(|one| one.severity() == Severity::Error).map(|one| one.file())
            }
            Kind::UnknownFile { file } | Kind::FileName { file } | Kind::Name { file, .. } => Some(file),
            _ => None,
        }
    }

    /// Creates an error of a [`ServiceGenerator`](crate::ServiceGenerator). The build script prints the text.
    pub fn custom(message: impl fmt::Display) -> Self {
        Kind::Custom(message.to_string()).into()
    }

    /// True if the response of the plugin could not be written.
    pub(crate) fn is_output(&self) -> bool {
        matches!(*self.0, Kind::Response(_))
    }

    pub(crate) fn io(path: &Path, source: io::Error) -> Self {
        Kind::Io { path: path.to_owned(), source }.into()
    }

    pub(crate) fn option(what: &'static str, text: &str, message: impl fmt::Display) -> Self {
        Kind::Option { what, text: text.to_owned(), message: message.to_string() }.into()
    }
}

impl From<Kind> for Error {
    fn from(kind: Kind) -> Self {
        Error(Box::new(kind))
    }
}

impl From<tobu_schema::Error> for Error {
    fn from(error: tobu_schema::Error) -> Self {
        Kind::Descriptors(error).into()
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:#}")
    }
}
