//! Compiles the schema that the tests read and write, and one with a Rust file per package.

fn main() -> tobu_build::Result<()> {
    tobu_build::Config::new().compile(&["../golden/library.proto"], &["../golden"])?;
    tobu_build::Config::new().accessors(true).out_file("accessors_of_all.rs").compile(
        &["names.proto", "options.proto", "proto2.proto", "recursive.proto", "rust_enums.proto"]
            .map(|name| format!("../golden/{name}")),
        &["../golden"],
    )?;
    for (api, out) in [(tobu_build::Api::Hybrid, "hybrid.rs"), (tobu_build::Api::Opaque, "opaque_of_all.rs")]
    {
        let protos = ["library", "names", "options", "proto2", "recursive", "rust_enums"];
        tobu_build::Config::new()
            .api(api)
            .lazy("Shelf.address", true)
            .lazy(".Defaults.Pair.right", true)
            .out_file(out)
            .compile(&protos.map(|name| format!("../golden/{name}.proto")), &["../golden"])?;
    }
    let protos = ["enum_numbers", "open_enum_numbers"].map(|name| format!("../golden/{name}.proto"));
    for (api, accessors, out) in [
        (tobu_build::Api::Open, false, "enum_numbers.rs"),
        (tobu_build::Api::Open, true, "enum_numbers_with_accessors.rs"),
        (tobu_build::Api::Opaque, true, "enum_numbers_opaque.rs"),
    ] {
        tobu_build::Config::new()
            .enum_type(".", tobu_build::EnumType::I32)
            .arbitrary(true)
            .api(api)
            .accessors(accessors)
            .out_file(out)
            .compile(&protos, &["../golden"])?;
    }
    tobu_build::Config::new().parsed(".").out_file("parsed_of_all.rs").compile(
        &["editions", "library", "names", "options", "proto2", "recursive", "rust_enums", "with"]
            .map(|name| format!("../golden/{name}.proto")),
        &["../golden"],
    )?;
    let rpc = "../../../src/rpc/proto";
    for (file, includes, out) in [
        ("proto/operations.proto", ["proto", rpc], "operations.rs"),
        ("proto/old/old_operations.proto", ["proto/old", rpc], "operations_of_old.rs"),
    ] {
        let mut config = tobu_build::Config::new();
        config.extern_path(".google.rpc", "::tobu::rpc").out_file(out).compile(&[file], &includes)?;
    }
    types_of_users()?;
    tobu_build::Config::new()
        .views(tobu_build::Views::Both)
        .file_per_package(true)
        .out_file("packages.rs")
        .compile(&["../golden/names.proto", "../golden/module_of_both.proto"], &["../golden"])
}

/// Types of other crates and of users for all kinds of fields.
fn types_of_users() -> tobu_build::Result<()> {
    let mut config = tobu_build::Config::new();
    // The path of a message is for all fields of its type, except for those that have a setting of their own.
    config.with(".google.protobuf.Timestamp", "::std::time::SystemTime", "crate::AsTimestamp").with(
        ".google.protobuf.Duration",
        "::std::time::Duration",
        "crate::AsDuration",
    );
    for (field, ty, convert) in [
        ("id", "::uuid::Uuid", "UuidText"),
        ("key", "::uuid::Uuid", "UuidBytes"),
        ("parents", "::uuid::Uuid", "UuidText"),
        ("by_key", "::uuid::Uuid", "UuidBytes"),
        ("shelf", "::std::num::NonZeroU32", "NonZero"),
        ("shelves", "::std::num::NonZeroU32", "NonZero"),
        ("row", "::std::option::Option<::std::num::NonZeroU32>", "OrNone"),
        ("placed", "::jiff::Timestamp", "Jiff"),
        ("took", "::jiff::SignedDuration", "Jiff"),
        ("sent", "::chrono::DateTime<::chrono::Utc>", "Chrono"),
        ("waits", "::chrono::TimeDelta", "Chrono"),
        ("user", "crate::own::UserId", "UserId"),
        ("users", "crate::own::UserId", "UserId"),
        ("by", "crate::own::UserId", "UserId"),
    ] {
        config.with(format!(".own.v1.Order.{field}"), ty, format!("crate::own::{convert}"));
    }
    config
        .with(".own.v1.Order.price", "crate::Cents", "crate::Cents")
        .with_whole(".own.v1.Order.small", "::smallvec::SmallVec<[u32; 4]>", "crate::own::Small")
        .with_whole(".own.v1.Order.boxed", "::std::boxed::Box<[i32]>", "crate::Boxed")
        .with_whole(".own.v1.Loan.length", "::std::time::Duration", "crate::AsDuration")
        .with_whole(".own.v1.Loan.until", "::jiff::Timestamp", "crate::own::Jiff")
        .out_file("own.rs")
        .compile(&["proto/own.proto"], &["proto"])
}
