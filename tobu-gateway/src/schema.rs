//! Loads the schema from a descriptor set, from `.proto` files, or from the reflection service of the upstream
//! server.

use std::path::PathBuf;
use std::time::Duration;

use tobu::Pool;
use tobu::source::Compiler;
use tobu_tonic::reflection::ReflectionClient;
use tobu_transcode::{RemoteSchema, SchemaSource};
use tonic::transport::Channel;

use crate::config::{Config, Upstream};

/// Returns the schema in files, and the paths of the imported files; `None` if the configuration names no files
/// with a schema.
///
/// # Errors
/// A file cannot be read, or does not contain a valid schema.
pub(crate) fn of_files(config: &Config) -> Result<Option<(Pool, Vec<PathBuf>)>, String> {
    let Upstream { descriptors, protos, includes, .. } = &config.tables.upstream;
    if let Some(file) = descriptors {
        let pool = Pool::from_descriptor_set(&config.content(file)?);
        let named = |error| format!("{}: {error}", config.path(file).display());
        return pool.map(|pool| Some((pool, Vec::new()))).map_err(|error| config.wrong(file, named(error)));
    }
    let Some(first) = protos.first() else { return Ok(None) };
    let mut compiler = Compiler::new();
    for folder in includes {
        compiler.include(config.path(folder));
    }
    if includes.is_empty() {
        compiler.include(config.path(first).parent().map(PathBuf::from).unwrap_or_default());
    }
    let files: Vec<PathBuf> = protos.iter().map(|file| config.path(file)).collect();
    let compiled = compiler.compile(&files).map_err(|errors| config.wrong(first, errors))?;
    let read = compiled.read().to_vec();
    Ok(Some((compiled.into_pool(), read)))
}

/// Loads the schema from the reflection service of the upstream server.
pub(crate) struct Remote(RemoteSchema<Channel>);

impl Remote {
    pub(crate) fn new(channel: &Channel, timeout: Duration) -> Self {
        Remote(RemoteSchema::new(ReflectionClient::new(channel.clone())).timeout(timeout))
    }

    /// Returns the schema if it has changed since the last call.
    ///
    /// # Errors
    /// The server cannot be reached, or does not provide a schema.
    pub(crate) async fn next(&mut self) -> Result<Option<Pool>, String> {
        self.0.next().await.map_err(|error| error.to_string())
    }
}
