// Builders of tonic, given from call to call.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut builder = tobu_build::Config::new();
    builder.build_client(true).build_server(true);
    builder.out_dir("src");
    let mut builder = attributes(builder);
    for path in ["Book", "Shelf"] {
        builder.type_attribute(path, "#[must_use]");
    }
    let stubs = builder.clone().generate_default_stubs(true).clone();
    let mut other: tobu_build::Config = tobu_build::Config::new();
    other
        .build_server(true)
        .build_client(false)
        // Both have it.
        .server_attribute("Desk", "#[must_use]")
        .client_attribute("Desk", "#[must_use]");
    if std::env::var_os("STUBS").is_some() {
        stubs.compile_protos(&["proto/library.proto"], &["proto"])?;
    } else {
        builder.compile(&["proto/library.proto"], &["proto"])?;
    }
    other.compile_protos(&["proto/desk.proto"], &["proto"]).map_err(|error| error.to_string())?;
    plain();
    Ok(())
}

fn attributes(mut builder: tobu_build::Config) -> tobu_build::Config {
    builder
        .client_mod_attribute("library.v1", "#[cfg(feature = \"client\")]")
        .server_mod_attribute("library.v1", "#[cfg(feature = \"server\")]")
        .trait_attribute("Library", "#[must_use]")
        .clone()
}

fn base(clients: bool) -> tobu_build::Config {
    let mut builder = tobu_build::Config::new();
    builder.build_client(true).build_server(true).emit_rerun_if_changed(false);
    if clients { builder.build_server(false).clone() } else { builder }
}

fn plain() {
    base(true).compile_protos(&["proto/plain.proto"], &["proto"]).unwrap();
    let file = "proto/other.proto";
    tobu_build::Config::new().build_client(true).build_server(true).compile_protos(&[&file], &[std::path::Path::new(&file).parent().expect("a file in a directory")]).expect("a schema");
}

/// Methods that take and give builders.
trait Checked {
    fn checked(self, path: &str) -> Self;
    fn all_checked(self, paths: &[&str]) -> Self;
}

impl Checked for tobu_build::Config {
    fn checked(mut self, path: &str) -> Self {
        self.type_attribute(path, "#[must_use]").clone()
    }

    fn all_checked(self, paths: &[&str]) -> Self {
        paths.iter().fold(self, |builder, path| builder.checked(path))
    }
}

fn checked() -> std::io::Result<()> {
    let mut builder = tobu_build::Config::new().build_client(true).clone().checked("Shelf").build_server(false).clone();
    for path in ["Book", "Loan"].iter() {
        builder.type_attribute(path, "#[must_use]").skip_debug(path);
    }
    builder = builder.all_checked(&["Cover"]);
    builder.out_dir("checked").compile_protos(
        &["proto/checked.proto"], // The others are imported.
        &["proto"],
    ).map_err(std::io::Error::other)
}

// 23:17: by hand: each call writes `tobu.rs`: compile all files by one call, or name the files by `out_file`
// 25:30: by hand: each call writes `tobu.rs`: compile all files by one call, or name the files by `out_file`
// 43:16: by hand: each call writes `tobu.rs`: compile all files by one call, or name the files by `out_file`
// 45:5: by hand: each call writes `tobu.rs`: compile all files by one call, or name the files by `out_file`
// 9:42: note: `build_transport` is removed: `connect` comes with the feature `channel` of `tobu-tonic`
// 21:15: note: all packages are in one file, `tobu.rs`: include it once, by `tobu::include_proto!()`
// 25:11: note: `emit_package` is removed: clients and servers are beside the messages, whose names have the package
