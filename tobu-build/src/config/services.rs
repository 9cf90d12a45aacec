//! Settings for the code of clients and servers.

use std::sync::Arc;

use super::Config;
use crate::hook::ServiceGenerator;
use crate::paths::Paths;

impl Config {
    /// Generates a tonic client for each service. Off by default.
    ///
    /// For a service `Library`, the client is the struct `LibraryClient` in a module `library_client`. The crate needs a
    /// dependency on `tobu-tonic`. If the feature `channel` of `tobu-tonic` is on, clients have a function `connect`.
    pub fn client(&mut self, yes: bool) -> &mut Self {
        self.client = yes;
        self
    }

    /// Generates a tonic server for each service. Off by default.
    ///
    /// For a service `Library`, the module `library_server` has the trait `Library`, which you implement, and the struct
    /// `LibraryServer`, which serves your implementation. The crate needs a dependency on `tobu-tonic`.
    pub fn server(&mut self, yes: bool) -> &mut Self {
        self.server = yes;
        self
    }

    /// Gives each method of a server's trait a default body, which returns the status `UNIMPLEMENTED`. Off by default.
    ///
    /// If a method is added to the schema, programs that implement the trait then still compile. Methods that return a stream
    /// use a boxed stream, because a trait cannot have a default for the type of the stream.
    pub fn generate_default_stubs(&mut self, yes: bool) -> &mut Self {
        self.default_stubs = yes;
        self
    }

    /// Makes servers decode the requests of these methods into messages from a pool, whose memory is reused.
    ///
    /// The trait of the server then takes `tonic::Request<tobu::reuse::Pooled<BorrowRequest>>`. You use a
    /// `Pooled<BorrowRequest>` like a `BorrowRequest`. A `Pooled` returns to the pool when it is dropped. Each method has its
    /// own pool, and `pool_bounds` of the server limits how much memory the pool keeps. A path is the full name of a method, or
    /// of a service or package for all methods in it. You cannot combine this setting with
    /// [`serde_derives`](Self::serde_derives), because tobu cannot decode into an existing message whose type has serde's
    /// derives.
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

    /// Makes servers decode the requests of these methods to parsed messages, which you read with accessors.
    ///
    /// The trait of the server then takes `tonic::Request<tobu::Parsed<BorrowRequest>>`. A path is the full name of a method,
    /// or of a service or package for all methods in it. [`parsed`](Self::parsed) generates the accessors. Without accessors,
    /// you can read a parsed request only by reflection. [`pool_requests`](Self::pool_requests) does not apply to these
    /// methods.
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

    /// Makes clients decode the responses of these methods to parsed messages. [`parsed_requests`](Self::parsed_requests) is
    /// the same setting for the requests of servers.
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

    /// Adds an attribute to the modules of clients.
    ///
    /// The path is the name of a service, or the name of its package with or without a leading dot.
    ///
    /// ```
    /// let mut config = tobu_build::Config::new();
    /// config.client_mod_attribute("library.v1", "#[cfg(feature = \"client\")]");
    /// ```
    pub fn client_mod_attribute(&mut self, path: impl AsRef<str>, attribute: impl AsRef<str>) -> &mut Self {
        self.client_mod_attributes.insert(path.as_ref(), attribute.as_ref().to_owned());
        self
    }

    /// Adds an attribute to the structs of clients. The path is the name of a service.
    ///
    /// ```
    /// let mut config = tobu_build::Config::new();
    /// config.client_attribute("Library", "#[must_use]");
    /// ```
    pub fn client_attribute(&mut self, path: impl AsRef<str>, attribute: impl AsRef<str>) -> &mut Self {
        self.client_attributes.insert(path.as_ref(), attribute.as_ref().to_owned());
        self
    }

    /// Adds an attribute to the modules of servers. [`client_mod_attribute`](Self::client_mod_attribute) describes the path.
    ///
    /// ```
    /// let mut config = tobu_build::Config::new();
    /// config.server_mod_attribute(".library.v1.Library", "#[cfg(feature = \"server\")]");
    /// ```
    pub fn server_mod_attribute(&mut self, path: impl AsRef<str>, attribute: impl AsRef<str>) -> &mut Self {
        self.server_mod_attributes.insert(path.as_ref(), attribute.as_ref().to_owned());
        self
    }

    /// Adds an attribute to the structs of servers. The path is the name of a service.
    ///
    /// ```
    /// let mut config = tobu_build::Config::new();
    /// config.server_attribute("Library", "#[must_use]");
    /// ```
    pub fn server_attribute(&mut self, path: impl AsRef<str>, attribute: impl AsRef<str>) -> &mut Self {
        self.server_attributes.insert(path.as_ref(), attribute.as_ref().to_owned());
        self
    }

    /// Adds an attribute to the traits of servers. The path is the name of a service.
    ///
    /// ```
    /// let mut config = tobu_build::Config::new();
    /// config.trait_attribute("Library", "#[diagnostic::on_unimplemented(note = \"it serves the desk\")]");
    /// ```
    pub fn trait_attribute(&mut self, path: impl AsRef<str>, attribute: impl AsRef<str>) -> &mut Self {
        self.trait_attributes.insert(path.as_ref(), attribute.as_ref().to_owned());
        self
    }

    /// Adds a generator that writes more code for each service. The generator runs whatever the settings
    /// [`client`](Self::client) and [`server`](Self::server) are. See [`ServiceGenerator`].
    pub fn service_generator(
        &mut self,
        generator: impl ServiceGenerator + Send + Sync + 'static,
    ) -> &mut Self {
        self.service_generators.0.push(Arc::new(generator));
        self
    }

    /// Sets the path of the `tobu-tonic` crate. The default is `::tobu_tonic`.
    pub fn tonic_path(&mut self, path: impl Into<String>) -> &mut Self {
        self.tonic = path.into();
        self
    }

    /// True if the settings generate code for services.
    pub(crate) fn has_services(&self) -> bool {
        self.client || self.server || !self.service_generators.0.is_empty()
    }
}
