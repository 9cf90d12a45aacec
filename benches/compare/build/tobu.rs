//! tobu: owned and borrowed types, and references to parsed messages; the same with `Bytes`; with private members; with those and lazy fields.

use crate::Result;
use crate::schemas::Schemas;
use tobu_build::{Api, BytesType, Config, Views};

pub(crate) fn generate(schemas: &Schemas) -> Result {
    let config = || {
        let mut config = Config::new();
        config.well_known_types(false);
        config
    };
    config()
        .out_file("tobu.rs")
        .views(Views::Both)
        .parsed(".")
        .compile_descriptor_set_bytes(&schemas.bytes)?;
    config()
        .out_file("tobu_bytes.rs")
        .bytes_type(".", BytesType::Bytes)
        .compile_descriptor_set_bytes(&schemas.bytes)?;
    config().out_file("tobu_opaque.rs").api(Api::Opaque).compile_descriptor_set_bytes(&schemas.bytes)?;
    config()
        .out_file("tobu_lazy.rs")
        .api(Api::Opaque)
        .lazy(".", true)
        .compile_descriptor_set_bytes(&schemas.bytes)?;
    Ok(())
}
