// Builders of tonic, given from call to call.

use std::error::Error;

use tonic_build::{Builder, configure};

fn main() -> Result<(), Box<dyn Error>> {
    let builder = configure();
    let builder = builder.out_dir("src").build_transport(false);
    let mut builder = attributes(builder);
    for path in ["Book", "Shelf"] {
        builder = builder.type_attribute(path, "#[must_use]");
    }
    let stubs = builder.clone().generate_default_stubs(true);
    let other: Builder = tonic_build::configure()
        .build_client(false)
        // Both have it.
        .server_attribute("Desk", "#[must_use]")
        .client_attribute("Desk", "#[must_use]");
    if std::env::var_os("STUBS").is_some() {
        stubs.compile_protos(&["proto/library.proto"], &["proto"])?;
    } else {
        builder.compile(&["proto/library.proto"], &["proto"])?;
    }
    other.emit_package(true).compile_protos(&["proto/desk.proto"], &["proto"]).map_err(|error| error.to_string())?;
    plain();
    Ok(())
}

fn attributes(builder: Builder) -> Builder {
    builder
        .client_mod_attribute("library.v1", "#[cfg(feature = \"client\")]")
        .server_mod_attribute("library.v1", "#[cfg(feature = \"server\")]")
        .trait_attribute("Library", "#[must_use]")
}

fn base(clients: bool) -> Builder {
    let builder = tonic_build::configure().emit_rerun_if_changed(false);
    if clients { builder.build_server(false) } else { builder }
}

fn plain() {
    base(true).compile_protos(&["proto/plain.proto"], &["proto"]).unwrap();
    let file = "proto/other.proto";
    tonic_build::compile_protos(file).expect("a schema");
}

/// Methods that take and give builders.
trait Checked {
    fn checked(self, path: &str) -> Self;
    fn all_checked(self, paths: &[&str]) -> Self;
}

impl Checked for Builder {
    fn checked(self, path: &str) -> Self {
        self.type_attribute(path, "#[must_use]")
    }

    fn all_checked(self, paths: &[&str]) -> Self {
        paths.iter().fold(self, |builder, path| builder.checked(path))
    }
}

fn checked() -> std::io::Result<()> {
    let mut builder = tonic_build::configure().checked("Shelf").build_server(false);
    for path in ["Book", "Loan"].iter() {
        builder = builder.type_attribute(path, "#[must_use]").skip_debug(path)
    }
    builder = builder.all_checked(&["Cover"]);
    builder.out_dir("checked").compile_protos(
        &["proto/checked.proto"], // The others are imported.
        &["proto"],
    )
}
