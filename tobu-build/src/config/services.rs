//! Settings of clients and servers.

use std::sync::Arc;

use super::Config;
use crate::hook::ServiceGenerator;
use crate::paths::Paths;

impl Config {
    /// Generates a tonic client for each service; off by default.
    ///
    /// A service `Library` gives a module `library_client` with the struct `LibraryClient`. The crate needs a
    /// dependency on `tobu-tonic`. With the feature `channel` of that crate, clients have `connect`.
    pub fn client(&mut self, yes: bool) -> &mut Self {
        self.client = yes;
        self
    }

    /// Generates a tonic server for each service; off by default.
    ///
    /// A service `Library` gives a module `library_server` with the trait `Library`, which says what to implement, and
    /// the struct `LibraryServer`, which serves it. The crate needs a dependency on `tobu-tonic`.
    pub fn server(&mut self, yes: bool) -> &mut Self {
        self.server = yes;
        self
    }

    /// Gives each method of a server's trait a body, which answers `UNIMPLEMENTED`; off by default.
    ///
    /// A method that is added to the schema is then no error in the programs that serve it. Methods that answer with a
    /// stream answer with a boxed one, since a trait cannot have a default for the type of the stream.
    pub fn generate_default_stubs(&mut self, yes: bool) -> &mut Self {
        self.default_stubs = yes;
        self
    }

    /// Lets servers decode the requests of these methods into messages of a pool, which are used again.
    ///
    /// The trait of the server then takes `tonic::Request<tobu::reuse::Pooled<BorrowRequest>>`, which is used like a
    /// `BorrowRequest`, and goes back to the pool when it is dropped. Each method has a pool; `pool_bounds` of the server
    /// says how much they keep. A path is that of a method, or of a service or package for all of their methods. It does
    /// not go with [`serde_derives`](Self::serde_derives), whose types cannot be filled again.
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

    /// Lets servers decode the requests of these methods to parsed messages, which accessors read.
    ///
    /// The trait of the server then takes `tonic::Request<tobu::Parsed<BorrowRequest>>`. A path is that of a method, or of a
    /// service or package for all of their methods. [`parsed`](Self::parsed) generates the accessors, which a message needs to
    /// be read by them; without, a parsed request is read by reflection. These methods take nothing from a pool, whatever
    /// [`pool_requests`](Self::pool_requests) says.
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
    /// [`parsed_requests`](Self::parsed_requests) does it for the requests of servers.
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
    /// The path is that of a service, or its package with or without a leading dot; so it is for
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

    /// The path of the `tobu-tonic` crate, where it is not `::tobu_tonic`.
    pub fn tonic_path(&mut self, path: impl Into<String>) -> &mut Self {
        self.tonic = path.into();
        self
    }

    /// True where there is something to generate for services.
    pub(crate) fn has_services(&self) -> bool {
        self.client || self.server || !self.service_generators.0.is_empty()
    }
}
