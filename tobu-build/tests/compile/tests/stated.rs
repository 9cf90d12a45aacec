//! What generated types state of their schemas is what their descriptors say, for all settings of the generator.

use tobu::__private::stated_differences;
use tobu_generated_tests::*;

/// Compares the tables of types, of all that they lead to, and how many of these state their schemas.
macro_rules! compare {
    ($($ty:ty: $count:literal;)*) => {$({
        let mut seen = std::collections::BTreeSet::new();
        let differences = stated_differences::<$ty>(&mut |name| {
            seen.insert(name);
        });
        assert_eq!(differences.unwrap(), [""; 0], stringify!($ty));
        assert_eq!(seen.len(), $count, "{}: {seen:?}", stringify!($ty));
    })*};
}

#[test]
#[expect(deprecated, reason = "it is generated all the same")]
fn tables() {
    compare! {
        proto2::Defaults: 5;
        hybrid::Defaults: 5;
        opaque_of_all::Defaults: 5;
        accessors_of_all::Defaults: 5;
        recursive::recursive::Node: 2;
        rust_enums::rust_enums::v1::Book: 4;
        views::views::Shelf: 5;
        views::views::ShelfView<'static>: 5;
        editions::editions::Edition: 4;
        edition_2024::golden::edition2024::Everything: 4;
        edition_2024::golden::edition2024::Rule: 1;
        edition_2024::b::Open: 1;
        edition_2026::golden::edition2026::Knight: 3;
        edition_2026::golden::edition2026::Names: 1;
        names::Root: 3;
        names::names::r#type::self_::Same: 5;
        extensions::extensions::v1::Base: 1;
        accessors::library::v1::Shelf: 10;
        traits::traits::v1::Path: 5;
        options::options::v1::Blob: 2;
        well_known::library::v1::Shelf: 10;
        serde_derives::library::v1::Shelf: 10;
        // A conversion stands for a type that only its author knows.
        with::with::v1::Span: 0;
        // It leads to a type of another crate, and so states none itself: what is counted are `Any` and `Status`.
        operations::operations::v1::Operation: 2;
    }
}
