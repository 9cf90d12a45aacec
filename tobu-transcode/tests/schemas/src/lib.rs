//! The schemas of the tests and examples of `tobu-transcode`, as a pool loaded at run time.

use std::sync::LazyLock;

use protox::Compiler;
use protox::file::{ChainFileResolver, File, FileResolver, GoogleFileResolver};
use tobu::Pool;

const FILES: &[(&str, &str)] = &[
    ("google/api/annotations.proto", include_str!("../proto/google/api/annotations.proto")),
    ("google/api/http.proto", include_str!("../proto/google/api/http.proto")),
    ("google/api/httpbody.proto", include_str!("../proto/google/api/httpbody.proto")),
    ("google/rpc/error_details.proto", include_str!("../proto/google/rpc/error_details.proto")),
    ("google/rpc/status.proto", include_str!("../proto/google/rpc/status.proto")),
    ("library/v1/library.proto", include_str!("../proto/library/v1/library.proto")),
    ("shapes/shapes.proto", include_str!("../proto/shapes/shapes.proto")),
];

/// The pool of all schemas.
///
/// # Panics
/// When they do not compile.
pub fn pool() -> Pool {
    static POOL: LazyLock<Pool> = LazyLock::new(|| {
        let names: Vec<&str> = FILES.iter().map(|(name, _)| *name).collect();
        compile(&names, &[])
    });
    POOL.clone()
}

/// The schemas as a serialized `google.protobuf.FileDescriptorSet`.
///
/// # Panics
/// When they do not compile.
pub fn descriptor_set() -> Vec<u8> {
    let names: Vec<&str> = FILES.iter().map(|(name, _)| *name).collect();
    compiled(&names, &[])
}

/// The pool of one file of this text, which may import the others.
///
/// # Panics
/// When it does not compile.
pub fn pool_of(name: &str, text: &str) -> Pool {
    compile(&[name], &[(name, text)])
}

fn compile(names: &[&str], more: &[(&str, &str)]) -> Pool {
    Pool::from_descriptor_set(&compiled(names, more)).expect("the schemas link")
}

fn compiled(names: &[&str], more: &[(&str, &str)]) -> Vec<u8> {
    let sources = FILES.iter().chain(more).map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
    let mut resolver = ChainFileResolver::new();
    resolver.add(Sources(sources.collect()));
    resolver.add(GoogleFileResolver::new());
    let mut compiler = Compiler::with_file_resolver(resolver);
    compiler.include_imports(true).include_source_info(true).open_files(names).expect("the schemas compile");
    compiler.encode_file_descriptor_set()
}

struct Sources(Vec<(String, String)>);

impl FileResolver for Sources {
    fn open_file(&self, name: &str) -> Result<File, protox::Error> {
        match self.0.iter().find(|(known, _)| known == name) {
            Some((_, text)) => File::from_source(name, text),
            None => Err(protox::Error::file_not_found(name)),
        }
    }
}
