// All settings of prost-build that tobu-build has.

use std::io::Result;

use prost_build::Config;

const TYPES: &[&str] = &[".library.v1.Book", ".library.v1.Shelf"];

fn main() -> Result<()> {
    let mut config = Config::new();
    config.btree_map(["."]);
    config.format(false); // It takes long.
    config.enable_type_names();
    config
        .bytes(&[".library.v1.Cover.image"])
        // Types.
        .type_attribute(".", "#[non_exhaustive]")
        .enum_attribute(".library.v1", "#[non_exhaustive]")
        .message_attribute("Book", "#[must_use]")
        .field_attribute("Book.title", "#[doc = \"It is not empty.\"]")
        .skip_debug(vec![".library.v1.Secret"])
        .boxed("Shelf.catalog")
        .retain_enum_prefix()
        .extern_path(".money", "::money::money")
        .compile_well_known_types()
        .type_name_domain(["."], "type.googleapis.com")
        .skip_source_info();
    for path in TYPES {
        config.enum_attribute(path, "#[must_use]");
    }
    output(&mut config);
    config.compile_protos(&["proto/library.proto"], &["proto"])?;
    Ok(())
}

fn output(config: &mut Config) {
    config.out_dir("src/generated").include_file("mod.rs").file_descriptor_set_path("library.fds");
    config.protoc_arg("--experimental_editions").protoc_executable("protoc");
    config.prost_types_path("::prost_types").disable_comments(["."]).default_package_filename("library");
}
