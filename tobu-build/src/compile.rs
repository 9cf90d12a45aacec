//! The public functions for build scripts. They compile `.proto` files, generate and write code, and report to cargo which
//! files were read.

use std::path::{Component, Path, PathBuf};
use std::{env, fs};

use tobu_schema::Pool;
use tobu_schema::source::{Compiler, Diagnostic};

use crate::config::Config;
use crate::error::{Error, Kind, Result};
use crate::options::{OPTIONS, OPTIONS_PROTO};
use crate::output::Directory;
use crate::protoc;

/// `.proto` files whose references are resolved.
pub(crate) struct Compiled {
    /// The requested files and all their imports, including their comments.
    pub(crate) pool: Pool,
    /// The names of the requested files.
    pub(crate) files: Vec<String>,
    pub(crate) read: Vec<PathBuf>,
    pub(crate) warnings: Vec<Diagnostic>,
}

/// Compiles files with the compiler of `tobu-schema`.
fn compile(files: &[&Path], includes: &[&Path]) -> Result<Compiled> {
    let mut compiler = Compiler::new();
    for include in includes {
        compiler.include(include);
    }
    compiler.source(OPTIONS, OPTIONS_PROTO);
    let compiled = compiler.compile(files).map_err(Kind::Sources)?;
    Ok(Compiled {
        files: compiled.files().to_vec(),
        read: compiled.read().to_vec(),
        warnings: compiled.warnings().to_vec(),
        pool: compiled.into_pool(),
    })
}

/// Compiles `.proto` files into a pool, for a program that uses schemas at run time. Generates no code.
///
/// [`Config::compile`] says how files are found.
///
/// ```
/// # let directory = std::env::temp_dir().join("tobu-build-load");
/// # std::fs::create_dir_all(&directory)?;
/// std::fs::write(directory.join("a.proto"), "syntax = \"proto3\"; message A { string name = 1; }")?;
///
/// let pool = tobu_build::load(&[directory.join("a.proto")], &[&directory])?;
/// let message = pool.message("A").unwrap();
/// assert_eq!(message.field_by_name("name").unwrap().number(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A file or an import is not found or does not compile. The error names the file and the line.
pub fn load<F: AsRef<Path>, I: AsRef<Path>>(files: &[F], includes: &[I]) -> Result<Pool> {
    let files: Vec<_> = files.iter().map(AsRef::as_ref).collect();
    let includes: Vec<_> = includes.iter().map(AsRef::as_ref).collect();
    Ok(compile(&files, &includes)?.pool)
}

/// Compiles `.proto` sources in memory into a pool. Each source has a name, by which other sources import it.
///
/// Imports are looked up among the sources. The files of `google/protobuf/` are built in. No file is read from disk.
///
/// ```
/// let money = "syntax = \"proto3\"; package shop; message Money { int64 cents = 1; }";
/// let cart = "edition = \"2023\"; package shop; import \"money.proto\"; message Cart { Money total = 1; }";
///
/// let pool = tobu_build::load_sources(&[("cart.proto", cart), ("money.proto", money)])?;
/// let total = pool.message("shop.Cart").unwrap().field_by_name("total").unwrap();
/// assert_eq!(total.message_type().unwrap().full_name(), "shop.Money");
///
/// let error = tobu_build::load_sources(&[("a.proto", "message A {\n  B b = 1;\n}")]).unwrap_err();
/// assert_eq!(error.to_string(), "a.proto:2:3: a field of proto2 is `optional`, `required` or `repeated`");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A source does not compile, or an import is missing. The error names the file and the line.
pub fn load_sources<N: AsRef<str>, S: AsRef<str>>(sources: &[(N, S)]) -> Result<Pool> {
    Ok(Pool::from_sources(sources).map_err(Kind::Sources)?)
}

impl Config {
    /// Compiles `.proto` files and writes Rust code to `OUT_DIR`.
    ///
    /// Each file must be in one of the include directories, which are also searched for imports. The well-known files
    /// (`google/protobuf/*.proto`) are built in. The function runs protoc only if [`protoc`](Config::protoc) names a program.
    /// Warnings are printed as warnings of cargo, or to stderr outside of a build script. For example, an unused import causes
    /// a warning, and so does a setting whose path matches nothing in the schema.
    ///
    /// # Errors
    /// A file or an import is not found or does not compile, or writing fails. An error in a file names the file and the line.
    pub fn compile<F: AsRef<Path>, I: AsRef<Path>>(&self, files: &[F], includes: &[I]) -> Result<()> {
        let out_dir = self.output_directory()?;
        let files: Vec<_> = files.iter().map(AsRef::as_ref).collect();
        let includes: Vec<_> = includes.iter().map(AsRef::as_ref).collect();
        let compiled = match &self.protoc {
            Some(program) => protoc::compile(program, &self.protoc_args, &files, &includes, &out_dir)?,
            None => compile(&files, &includes)?,
        };
        self.read(&compiled.read);
        for warning in &compiled.warnings {
            warn(&warning.to_string(), &format!("{warning:#}"));
        }
        if let Some(path) = &self.descriptor_set_path {
            write(path, &compiled.pool.to_descriptor_set())?;
        }
        self.write_files(&out_dir, &compiled.pool, &compiled.files)
    }

    /// Writes Rust code to `OUT_DIR` for a file that contains a serialized `google.protobuf.FileDescriptorSet`. The command
    /// `protoc --include_imports --include_source_info --descriptor_set_out` writes such a file.
    ///
    /// # Errors
    /// The set is not valid, the set lacks an import, or reading or writing fails.
    pub fn compile_descriptor_set(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        let bytes = fs::read(path).map_err(|error| Error::io(path, error))?;
        self.read(&[path.to_owned()]);
        self.compile_set(bytes)
    }

    /// Writes Rust code to `OUT_DIR` for a serialized `google.protobuf.FileDescriptorSet`.
    ///
    /// Code is generated for every file, except for the files of `google/protobuf/` that tobu contains. With
    /// [`well_known_types(false)`](Self::well_known_types), code is generated for these files, too.
    ///
    /// # Errors
    /// The set is not valid, the set lacks an import, or writing fails.
    pub fn compile_descriptor_set_bytes(&self, bytes: &[u8]) -> Result<()> {
        self.compile_set(bytes.to_vec())
    }

    fn compile_set(&self, bytes: Vec<u8>) -> Result<()> {
        let out_dir = self.output_directory()?;
        if let Some(path) = &self.descriptor_set_path {
            write(path, &bytes)?;
        }
        let pool = Pool::from_descriptor_set_bytes(bytes)?;
        let files: Vec<_> =
            pool.files().map(|file| file.name().to_owned()).filter(|name| !self.is_own(name)).collect();
        self.write_files(&out_dir, &pool, &files)
    }

    fn write_files(&self, out_dir: &Path, pool: &Pool, files: &[String]) -> Result<()> {
        for unused in self.unused(pool) {
            warn(&unused, &format!("warning: {unused}"));
        }
        let mut out = Directory::new(out_dir);
        self.generate_to(pool, files, &mut out)?;
        out.finish()
    }

    fn output_directory(&self) -> Result<PathBuf> {
        self.check_out_file()?;
        match &self.out_dir {
            Some(directory) => Ok(directory.clone()),
            None => env::var_os("OUT_DIR").map(PathBuf::from).ok_or_else(|| Kind::NoOutDir.into()),
        }
    }

    /// Checks that the output file is in the output directory.
    pub(crate) fn check_out_file(&self) -> Result<()> {
        let mut parts = Path::new(&self.out_file).components();
        match (parts.next(), parts.next()) {
            (Some(Component::Normal(_)), None) if !self.out_file.contains(['\0', '\\', '/']) => Ok(()),
            _ => Err(Error::option(
                "the output file",
                &self.out_file,
                "it must be a file name without a directory",
            )),
        }
    }

    fn read(&self, paths: &[PathBuf]) {
        if self.rerun {
            for path in paths {
                println!("cargo:rerun-if-changed={}", path.display());
            }
        }
    }
}

/// Prints a warning. In a build script, it prints `line` as a warning of cargo. Otherwise it prints `text` to stderr.
fn warn(line: &str, text: &str) {
    match env::var_os("OUT_DIR") {
        Some(_) => println!("cargo::warning={line}"),
        None => eprintln!("{text}"),
    }
}

fn write(path: &Path, content: &[u8]) -> Result<()> {
    fs::write(path, content).map_err(|error| Error::io(path, error))
}
