//! Generated code: what the build script makes, and the golden files, all of which must compile without a warning.
#![deny(warnings)]

/// The output of the build script.
pub mod built {
    tobu::include_proto!();
}

/// The same with a Rust file per package.
pub mod packages {
    tobu::include_proto!("packages");
}

macro_rules! golden {
    ($($name:ident)*) => {
        $(
            #[allow(missing_docs)]
            pub mod $name {
                include!(concat!("../../golden/", stringify!($name), ".rs"));
            }
        )*
    };
}

golden! { comments edition_2024 edition_2026 editions extensions external library names options proto2 recursive services views views_only well_known serde_derives }
