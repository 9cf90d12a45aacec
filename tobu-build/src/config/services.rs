//! Settings of clients and servers.

use std::sync::Arc;

use super::Config;
use crate::hook::ServiceGenerator;
use crate::paths::Paths;

impl Config {
    /// Generates a tonic client for each service; off by default.
    ///
    /// A service `Library` becomes a module `library_client` with the struct `LibraryClient`. The crate needs a
    /// dependency on `tobu-tonic`. With the feature `channel` of that crate, clients have `connect`.
    pub fn client(&mut self, yes: bool) -> &mut Self {
        self.client = yes;
        self
    }

    /// Generates a tonic server for each service; off by default.
    ///
    /// A service `Library` becomes a module `library_server` with the trait `Library`, which you implement, and the
    /// struct `LibraryServer`, which serves it. The crate needs a dependency on `tobu-tonic`.
    pub fn server(&mut self, yes: bool) -> &mut Self {
        self.server = yes;
        self
    }

    /// Gives each method of a server's trait a default body, which answers `UNIMPLEMENTED`; off by default.
    ///
    /// A method that is added to the schema is then not an error in programs that serve it. Methods that answer with
    /// a stream use a boxed one, because a trait cannot have a default for the type of the stream.
    pub fn generate_default_stubs(&mut self, yes: bool) -> &mut Self {
        self.default_stubs = yes;
        self
    }

    /// Lets servers decode the requests of these methods into messages of a pool, whose memory is used again.
    ///
    /// The trait of the server then takes `tonic::Request<tobu::reuse::Pooled<BorrowRequest>>`, which is used like a
    /// `BorrowRequest`, and returns to the pool when it is dropped. Each method has a pool, and `pool_bounds` of the
    /// server limits how much it keeps. A path is that of a method, or of a service or package for all of their
    /// methods. It cannot be combined with [`serde_derives`](Self::serde_derives), whose types cannot be filled
    /// again.
    ///
    /// ```
    /// let mut config = tobu_build::Config::new();
    /// config.server(true).pool_requests(".library.v1.Library.AddBook");
    /// ```
    pub fn pool_requests(&mut self, paths: impl Paths) -> &mut Self {
        for path in paths.into_paths() {
            self.pool_requests.insert(path, ());
        }
        self
    }

    /// Lets servers decode the requests of these methods to parsed messages, which are read by accessors.
    ///
    /// The trait of the server then takes `tonic::Request<tobu::Parsed<BorrowRequest>>`. A path is that of a method,
    /// or of a service or package for all of their methods. [`parsed`](Self::parsed) generates the accessors; without
    /// them a parsed request can only be read by reflection. [`pool_requests`](Self::pool_requests) does not apply to
    /// these methods.
    ///
    /// ```
    /// let mut config = tobu_build::Config::new();
    /// config.server(true).parsed(".library.v1").parsed_requests(".library.v1.Library.AddBook");
    /// ```
    pub fn parsed_requests(&mut self, paths: impl Paths) -> &mut Self {
        for path in paths.into_paths() {
            self.parsed_requests.insert(path, ());
        }
        self
    }

    /// Lets clients decode the answers of these methods to parsed messages, as
    /// [`parsed_requests`](Self::parsed_requests) does for the requests of servers.
    ///
    /// ```
    /// let mut config = tobu_build::Config::new();
    /// config.client(true).parsed(".library.v1").parsed_answers(".library.v1.Library");
    /// ```
    pub fn parsed_answers(&mut self, paths: impl Paths) -> &mut Self {
        for path in paths.into_paths() {
            self.parsed_answers.insert(path, ());
        }
        self
    }

    /// Adds attributes to the modules of clients.
    ///
    /// The path is that of a service, or that of its package with or without a leading dot, as in
    /// [`server_mod_attribute`](Self::server_mod_attribute).
    ///
    /// ```
    /// let mut config = tobu_build::Config::new();
    /// config.client_mod_attribute("library.v1", "#[cfg(feature = \"client\")]");
    /// ```
    pub fn client_mod_attribute(&mut self, path: impl AsRef<str>, attribute: impl AsRef<str>) -> &mut Self {
        self.client_mod_attributes.insert(path.as_ref(), attribute.as_ref().to_owned());
        self
    }

    /// Adds attributes to the structs of clients; the path is that of a service.
    ///
    /// ```
    /// let mut config = tobu_build::Config::new();
    /// config.client_attribute("Library", "#[must_use]");
    /// ```
    pub fn client_attribute(&mut self, path: impl AsRef<str>, attribute: impl AsRef<str>) -> &mut Self {
        self.client_attributes.insert(path.as_ref(), attribute.as_ref().to_owned());
        self
    }

    /// Adds attributes to the modules of servers.
    ///
    /// ```
    /// let mut config = tobu_build::Config::new();
    /// config.server_mod_attribute(".library.v1.Library", "#[cfg(feature = \"server\")]");
    /// ```
    pub fn server_mod_attribute(&mut self, path: impl AsRef<str>, attribute: impl AsRef<str>) -> &mut Self {
        self.server_mod_attributes.insert(path.as_ref(), attribute.as_ref().to_owned());
        self
    }

    /// Adds attributes to the structs of servers; the path is that of a service.
    ///
    /// ```
    /// let mut config = tobu_build::Config::new();
    /// config.server_attribute("Library", "#[must_use]");
    /// ```
    pub fn server_attribute(&mut self, path: impl AsRef<str>, attribute: impl AsRef<str>) -> &mut Self {
        self.server_attributes.insert(path.as_ref(), attribute.as_ref().to_owned());
        self
    }

    /// Adds attributes to the traits of servers; the path is that of a service.
    ///
    /// ```
    /// let mut config = tobu_build::Config::new();
    /// config.trait_attribute("Library", "#[diagnostic::on_unimplemented(note = \"it serves the desk\")]");
    /// ```
    pub fn trait_attribute(&mut self, path: impl AsRef<str>, attribute: impl AsRef<str>) -> &mut Self {
        self.trait_attributes.insert(path.as_ref(), attribute.as_ref().to_owned());
        self
    }

    /// Adds a generator of code for each service, beside the [client](Self::client) and the [server](Self::server), which are
    /// off by default. See [`ServiceGenerator`].
    pub fn service_generator(
        &mut self,
        generator: impl ServiceGenerator + Send + Sync + 'static,
    ) -> &mut Self {
        self.service_generators.0.push(Arc::new(generator));
        self
    }

    /// Sets the path of the `tobu-tonic` crate, if it is not `::tobu_tonic`.
    pub fn tonic_path(&mut self, path: impl Into<String>) -> &mut Self {
        self.tonic = path.into();
        self
    }

    /// True if the settings generate something for services.
    pub(crate) fn has_services(&self) -> bool {
        self.client || self.server || !self.service_generators.0.is_empty()
    }
}
