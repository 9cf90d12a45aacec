// All settings of prost-build that tobu-build has.

use tobu_build::Config;

const TYPES: &[&str] = &[".library.v1.Book", ".library.v1.Shelf"];

fn main() -> tobu_build::Result<()> {
    let mut config = Config::new();
    config.btree_map(["."]);
    // It takes long.
    config
        .bytes(&[".library.v1.Cover.image"])
        // Types.
        .type_attribute(".", "#[non_exhaustive]")
        .enum_attribute(".library.v1", "#[non_exhaustive]")
        .oneof_attribute(".library.v1", "#[non_exhaustive]")
        .message_attribute("Book", "#[must_use]")
        .field_attribute("Book.title", "#[doc = \"It is not empty.\"]")
        .skip_debug(vec![".library.v1.Secret"])
        .boxed("Shelf.catalog")
        .retain_enum_prefix()
        .extern_path(".money", "::money::money")
        .compile_well_known_types(true)
        .comments(false);
    for path in TYPES {
        config.enum_attribute(&path, "#[must_use]").oneof_attribute(path, "#[must_use]");
    }
    output(&mut config);
    config.compile_protos(&["proto/library.proto"], &["proto"])?;
    Ok(())
}

fn output(config: &mut Config) {
    config.out_dir("src/generated").include_file("mod.rs").file_descriptor_set_path("library.fds");
    config.protoc_arg("--experimental_editions").protoc_executable("protoc");
    config.disable_comments(["."]).out_file("library.rs");
}

// 12:12: note: `format` is removed: the code is always formatted
// 13:12: note: `enable_type_names` is removed: every message knows its name; type URLs begin with `type.googleapis.com/`
// 15:10: note: `bytes`: the crate needs a dependency on `bytes`
// 18:10: note: `enum_attribute` of prost-build holds for oneofs, too: they have `oneof_attribute`
// 24:10: note: `extern_path`: the crate with these types must use tobu, too; with tobu's output at its root, it has a module for each part of a package
// 26:10: note: `type_name_domain` is removed: every message knows its name; type URLs begin with `type.googleapis.com/`
// 29:16: note: `enum_attribute` of prost-build holds for oneofs, too: they have `oneof_attribute`
// 32:12: note: all packages are in one file, `tobu.rs`: include it once, by `tobu::include_proto!()`
// 32:12: note: cargo runs the script again for the `.proto` files that it reads, and no longer for each file of the crate
// 38:12: note: `protoc_arg`: it has no effect unless `protoc_executable` names a protoc
// 38:50: note: `protoc_executable`: no protoc is needed: without this line none is run
// 39:12: note: `prost_types_path` is removed: the well-known types are those of `tobu`
// 39:70: note: `default_package_filename`: `out_file` names the file of all packages, and not only that of files without a package
