//! Reads the configuration. An error names the line and the column of the wrong value.

use std::fmt::Display;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;
use toml::Spanned;

/// The source of the configuration.
pub(crate) struct Place {
    /// The path of the file; if it is `None`, `text` is the configuration.
    pub(crate) file: Option<PathBuf>,
    pub(crate) text: Option<String>,
    /// An address that replaces the address in the configuration.
    pub(crate) listen: Option<String>,
}

/// A configuration, with the text from which it was parsed.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    pub(crate) tables: Tables,
    source: Arc<Source>,
}

#[derive(Debug)]
struct Source {
    name: String,
    text: String,
    /// The folder to which relative paths in the configuration refer.
    folder: PathBuf,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Tables {
    #[serde(default = "default_listen")]
    pub(crate) listen: String,
    pub(crate) upstream: Upstream,
    pub(crate) tls: Option<Tls>,
    pub(crate) cors: Option<Cors>,
    pub(crate) auth: Option<Auth>,
    #[serde(default)]
    pub(crate) rest: Rest,
    #[serde(default)]
    pub(crate) paths: Paths,
    #[serde(default)]
    pub(crate) headers: Headers,
    #[serde(default)]
    pub(crate) limits: Limits,
}

fn default_listen() -> String {
    "127.0.0.1:8080".into()
}

/// The upstream server, which is the gRPC server that the gateway calls.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Upstream {
    pub(crate) url: Spanned<String>,
    /// A file with a descriptor set. If it is `None`, the schema comes from `protos` or from the server's reflection service.
    pub(crate) descriptors: Option<Spanned<PathBuf>>,
    /// The `.proto` files with the schema. If `descriptors` is set, the list must be empty.
    #[serde(default)]
    pub(crate) protos: Vec<Spanned<PathBuf>>,
    /// The folders in which imports are looked up.
    #[serde(default)]
    pub(crate) includes: Vec<Spanned<PathBuf>>,
    /// The time between two requests to the reflection service.
    #[serde(default = "default_refresh")]
    pub(crate) refresh_seconds: u64,
    /// A certificate authority that may sign the certificate of the server, in addition to the authorities of the
    /// system.
    pub(crate) ca: Option<Spanned<PathBuf>>,
    /// The certificate with which the gateway authenticates itself to the server. `key` is its key.
    pub(crate) cert: Option<Spanned<PathBuf>>,
    pub(crate) key: Option<Spanned<PathBuf>>,
    #[serde(default = "default_connect")]
    pub(crate) connect_timeout_ms: u64,
    /// The timeout of calls for which the client sets no timeout.
    pub(crate) timeout_ms: Option<u64>,
}

fn default_refresh() -> u64 {
    30
}

fn default_connect() -> u64 {
    5000
}

/// The settings of TLS for connections of clients.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Tls {
    pub(crate) cert: Spanned<PathBuf>,
    pub(crate) key: Spanned<PathBuf>,
    /// The certificate authority that must have signed the certificates of clients.
    pub(crate) client_ca: Option<Spanned<PathBuf>>,
}

/// The settings of CORS, which say which pages of other origins may call the server.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Cors {
    /// The allowed origins. `*` alone allows any origin.
    pub(crate) origins: Spanned<Vec<String>>,
    #[serde(default)]
    pub(crate) credentials: bool,
    pub(crate) max_age_seconds: Option<u64>,
}

/// The settings for bearer tokens. A request must have one of the tokens.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Auth {
    /// A file with one token on each line.
    pub(crate) tokens: Spanned<PathBuf>,
    /// The paths that need no token. `/a/*` stands for all paths that start with `/a/`.
    #[serde(default)]
    pub(crate) public: Vec<String>,
}

/// The settings of the mapping from HTTP and JSON to calls.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rest {
    /// The name of the preset whose options the gateway uses: `tobu`, `envoy`, `grpc_gateway` or `vanguard`.
    pub(crate) preset: Option<Spanned<String>>,
    /// True if methods without a rule are served at paths with their names.
    #[serde(default)]
    pub(crate) auto_mapping: bool,
    /// The file with a service configuration. Its rules replace the annotations in the schema.
    pub(crate) service_config: Option<Spanned<PathBuf>>,
    /// The names of the services that the gateway serves. If the list is empty, it serves all services.
    #[serde(default)]
    pub(crate) services: Vec<Spanned<String>>,
    /// True if an invalid rule in a schema is an error. Otherwise the gateway ignores the rule.
    #[serde(default)]
    pub(crate) strict_rules: bool,
    /// True if the gateway does not serve the Connect protocol.
    #[serde(default)]
    pub(crate) no_connect: bool,
}

/// The paths of the gateway's own pages. An empty path turns the page off.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Paths {
    pub(crate) health: String,
    pub(crate) ready: String,
    pub(crate) metrics: String,
    pub(crate) openapi: String,
    pub(crate) page: String,
}

impl Default for Paths {
    fn default() -> Self {
        Paths {
            health: "/healthz".into(),
            ready: "/readyz".into(),
            metrics: "/metrics".into(),
            openapi: "/openapi.json".into(),
            page: String::new(),
        }
    }
}

/// The settings for headers and metadata that the gateway forwards.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Headers {
    /// The headers of REST requests that are forwarded as metadata.
    pub(crate) request: Vec<Spanned<String>>,
    /// The names of metadata that are forwarded as headers with the same names in REST responses.
    pub(crate) response: Vec<Spanned<String>>,
    /// True if the gateway trusts the `X-Forwarded-*` headers of requests, because a proxy in front of the gateway
    /// sets them.
    pub(crate) trust_forwarded: bool,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Limits {
    pub(crate) connections: Spanned<usize>,
    /// The maximum number of concurrent requests on an HTTP/2 connection.
    pub(crate) streams: u32,
    pub(crate) max_body: usize,
    pub(crate) max_response: usize,
    pub(crate) read_timeout_ms: u64,
    /// The timeout for a handshake and for the headers of a request.
    pub(crate) head_timeout_ms: u64,
    /// How long the gateway waits for running requests before it stops.
    pub(crate) shutdown_timeout_ms: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            connections: Spanned::new(0..0, 10_000),
            streams: 100,
            max_body: 4 << 20,
            max_response: 64 << 20,
            read_timeout_ms: 30_000,
            head_timeout_ms: 10_000,
            shutdown_timeout_ms: 30_000,
        }
    }
}

impl Config {
    /// Reads a configuration.
    ///
    /// # Errors
    /// The file cannot be read, or its text is not a valid configuration.
    pub(crate) fn read(place: &Place) -> Result<Self, String> {
        let (name, text, folder) = match (&place.file, &place.text) {
            (Some(file), _) => {
                let text =
                    std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
                let folder = file.parent().map(Path::to_owned).unwrap_or_default();
                (file.display().to_string(), text, folder)
            }
            (None, text) => ("the arguments".to_owned(), text.clone().unwrap_or_default(), PathBuf::new()),
        };
        let source = Arc::new(Source { name, text, folder });
        let mut tables: Tables = toml::from_str(&source.text)
            .map_err(|error| source.wrong(error.span(), error.message().trim_end()))?;
        if let Some(listen) = &place.listen {
            tables.listen.clone_from(listen);
        }
        let config = Config { tables, source };
        config.checked()
    }

    fn checked(self) -> Result<Self, String> {
        let Upstream { descriptors, protos, includes, cert, key, .. } = &self.tables.upstream;
        match (descriptors, protos.first()) {
            (Some(_), Some(protos)) => {
                return Err(self.wrong(protos, "the schema comes from `descriptors` already"));
            }
            (_, None) if !includes.is_empty() => {
                return Err(self.wrong(&includes[0], "there are no `protos` that import something"));
            }
            _ => {}
        }
        match (cert, key) {
            (Some(cert), None) => return Err(self.wrong(cert, "there is no `key` for the certificate")),
            (None, Some(key)) => return Err(self.wrong(key, "there is no `cert` for the key")),
            _ => {}
        }
        let connections = &self.tables.limits.connections;
        if *connections.get_ref() == 0 {
            return Err(self.wrong(connections, "there must be at least one connection"));
        }
        Ok(self)
    }

    /// Returns the text of an error that names the position of `value`.
    pub(crate) fn wrong<T>(&self, value: &Spanned<T>, what: impl Display) -> String {
        self.source.wrong(Some(value.span()), what)
    }

    /// Returns the path of a file whose name is in the configuration.
    pub(crate) fn path(&self, file: &Spanned<PathBuf>) -> PathBuf {
        self.source.folder.join(file.get_ref())
    }

    /// Returns the content of a file whose name is in the configuration.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(crate) fn content(&self, file: &Spanned<PathBuf>) -> Result<Vec<u8>, String> {
        let path = self.path(file);
        std::fs::read(&path).map_err(|error| self.wrong(file, format!("{}: {error}", path.display())))
    }

    /// Returns the paths of all files that the configuration names. If one of these files changes, the gateway loads the
    /// configuration again.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let Tables { upstream, tls, auth, rest, .. } = &self.tables;
        let Upstream { descriptors, protos, ca, cert, key, .. } = upstream;
        let tls = tls.iter().flat_map(|tls| [Some(&tls.cert), Some(&tls.key), tls.client_ca.as_ref()]);
        let named =
            [descriptors.as_ref(), ca.as_ref(), cert.as_ref(), key.as_ref(), rest.service_config.as_ref()];
        let named = named.into_iter().chain(tls).flatten();
        let named = named.chain(protos).chain(auth.iter().map(|auth| &auth.tokens));
        named.map(|file| self.path(file)).collect()
    }
}

impl Source {
    fn wrong(&self, span: Option<Range<usize>>, what: impl Display) -> String {
        let name = &self.name;
        let Some(span) = span else { return format!("{name}: {what}") };
        let before = &self.text[..span.start.min(self.text.len())];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        format!("{name}:{line}:{column}: {what}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Config, String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        let name = file.path().display().to_string();
        let place = Place { file: Some(file.path().to_owned()), text: None, listen: None };
        Config::read(&place).map_err(|error| error.replace(&name, "g.toml"))
    }

    #[test]
    fn errors_name_line_and_column() {
        #[rustfmt::skip]
        let rows = [
            ("", "g.toml:1:1: missing field `upstream`"),
            ("[upstream]\nurl = 7\n", "g.toml:2:7: invalid type: integer `7`, expected a string"),
            ("[upstream]\nurl = \"a\"\nurn = \"b\"\n", "g.toml:3:1: unknown field `urn`, expected one of `url`, `descriptors`, `protos`, `includes`, `refresh_seconds`, `ca`, `cert`, `key`, `connect_timeout_ms`, `timeout_ms`"),
            ("[upstream\nurl = \"a\"\n", "g.toml:1:10: unclosed table, expected `]`"),
            ("[upstream]\nurl = \"a\"\ncert = \"c.pem\"\n", "g.toml:3:8: there is no `key` for the certificate"),
            ("[upstream]\nurl = \"a\"\nkey = \"c.pem\"\n", "g.toml:3:7: there is no `cert` for the key"),
            ("[upstream]\nurl = \"a\"\ndescriptors = \"a\"\nprotos = [\"b\"]\n", "g.toml:4:11: the schema comes from `descriptors` already"),
            ("[upstream]\nurl = \"a\"\nincludes = [\"b\"]\n", "g.toml:3:13: there are no `protos` that import something"),
            ("[upstream]\nurl = \"a\"\n[limits]\nconnections = 0\n", "g.toml:4:15: there must be at least one connection"),
        ];
        for (text, wanted) in rows {
            assert_eq!(read(text).unwrap_err(), wanted, "{text}");
        }
    }

    #[test]
    fn defaults() {
        let tables = read("[upstream]\nurl = \"http://a\"\n").unwrap().tables;
        assert_eq!((&*tables.listen, tables.upstream.refresh_seconds), ("127.0.0.1:8080", 30));
        assert_eq!((&*tables.paths.metrics, &*tables.paths.page), ("/metrics", ""));
        assert!(tables.tls.is_none() && tables.auth.is_none() && tables.cors.is_none());
    }

    /// The README shows this configuration file.
    #[test]
    fn the_example() {
        let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/gateway.toml")).unwrap();
        assert!(read(&text).is_ok(), "{:?}", read(&text));
    }
}
