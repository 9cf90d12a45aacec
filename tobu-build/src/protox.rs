//! The compiler for `proto2` and `proto3`; it knows no editions, which `source` does.

use std::fs;
use std::path::Path;

use ::protox::file::{ChainFileResolver, File, FileResolver, GoogleFileResolver, IncludeFileResolver};

use crate::compile::Compiled;
use crate::error::{Error, Kind};
use crate::options::{OPTIONS, OPTIONS_PROTO};

/// Why protox did not compile a file.
pub(crate) enum Failure {
    /// A file uses editions.
    Editions,
    Other(Error),
}

/// Finds the options of tobu.
struct Options;

impl FileResolver for Options {
    fn open_file(&self, name: &str) -> Result<File, ::protox::Error> {
        match name {
            OPTIONS => File::from_source(name, OPTIONS_PROTO),
            _ => Err(::protox::Error::file_not_found(name)),
        }
    }
}

/// Compiles files.
pub(crate) fn compile(files: &[&Path], includes: &[&Path]) -> Result<Compiled, Failure> {
    let mut resolver = ChainFileResolver::new();
    for include in includes {
        resolver.add(IncludeFileResolver::new(include.to_path_buf()));
    }
    resolver.add(GoogleFileResolver::new());
    resolver.add(Options);
    let mut compiler = ::protox::Compiler::with_file_resolver(resolver);
    compiler.include_imports(true).include_source_info(true);
    compiler.open_files(files).map_err(|error| failure(&error, files, includes))?;
    Ok(Compiled {
        set: compiler.encode_file_descriptor_set(),
        files: compiler.files().filter(|file| !file.is_import()).map(|file| file.name().to_owned()).collect(),
        read: compiler.files().filter_map(|file| file.path().map(Path::to_owned)).collect(),
    })
}

fn failure(error: &::protox::Error, files: &[&Path], includes: &[&Path]) -> Failure {
    if error.is_parse()
        && let Some(name) = error.file()
    {
        let candidates = includes.iter().map(|include| include.join(name));
        let candidates = candidates.chain(files.iter().map(|file| file.to_path_buf()));
        let source = candidates.filter(|path| path.ends_with(name)).find_map(|path| fs::read(path).ok());
        if source.is_some_and(|source| uses_editions(&source)) {
            return Failure::Editions;
        }
    }
    // The `Debug` of a protox error is its message with the position.
    let file = error.file().map(str::to_owned);
    Failure::Other(Kind::Compile { file, message: format!("{error:?}") }.into())
}

/// True where the first statement of a `.proto` source is `edition = ...`.
fn uses_editions(source: &[u8]) -> bool {
    let mut rest = source.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(source);
    loop {
        rest = rest.trim_ascii_start();
        let skipped = if rest.starts_with(b"//") {
            rest.iter().position(|&byte| byte == b'\n')
        } else if rest.starts_with(b"/*") {
            rest.windows(2).skip(2).position(|pair| pair == b"*/").map(|at| at + 4)
        } else if rest.starts_with(b";") {
            Some(1)
        } else {
            let after = rest.strip_prefix(b"edition");
            return after.is_some_and(|after| {
                !after.first().is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_')
            });
        };
        match skipped {
            Some(end) => rest = &rest[end..],
            None => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::uses_editions;

    #[test]
    fn finds_the_edition() {
        for source in
            ["edition = \"2023\";", "// a\n/* b */ ; edition=\"2024\";", "\u{feff}/**/edition = '2023';"]
        {
            assert!(uses_editions(source.as_bytes()), "{source:?}");
        }
        for source in ["", "syntax = \"proto3\";", "// edition", "/* edition", "/*/ edition", "editions = 1;"]
        {
            assert!(!uses_editions(source.as_bytes()), "{source:?}");
        }
    }
}
