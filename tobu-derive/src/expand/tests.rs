//! Tests that crates that use derived code compile it, and that the crate that defines a type does not.

use super::derive;
use crate::Derive;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, DeriveInput, ImplItemFn, ItemFn, ItemImpl, parse_quote};

/// The functions that a crate compiles whether or not it calls them: those that are neither generic nor inlined.
#[derive(Default)]
struct Roots {
    found: Vec<String>,
    in_generic: bool,
}

fn is_inlined(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| attribute.path().is_ident("inline"))
}

impl VisitMut for Roots {
    fn visit_item_impl_mut(&mut self, item: &mut ItemImpl) {
        self.in_generic = item.generics.type_params().next().is_some();
        visit_mut::visit_item_impl_mut(self, item);
        self.in_generic = false;
    }

    fn visit_impl_item_fn_mut(&mut self, method: &mut ImplItemFn) {
        let is_generic = self.in_generic || method.sig.generics.type_params().next().is_some();
        if !is_generic && !is_inlined(&method.attrs) {
            self.found.push(method.sig.ident.to_string());
        }
    }

    fn visit_item_fn_mut(&mut self, function: &mut ItemFn) {
        // This function is only checked, and never called.
        let is_called = !function.attrs.iter().any(|attribute| attribute.path().is_ident("allow"));
        let is_generic = function.sig.generics.type_params().next().is_some();
        if is_called && !is_generic && !is_inlined(&function.attrs) {
            self.found.push(function.sig.ident.to_string());
        }
        visit_mut::visit_item_fn_mut(self, function);
    }
}

fn roots(which: Derive, input: &DeriveInput) -> Vec<String> {
    let mut file = syn::parse2(derive(which, input)).expect("items");
    let mut roots = Roots::default();
    roots.visit_file_mut(&mut file);
    roots.found
}

/// Otherwise, a crate with many messages would compile the code that reads and writes each of them, and so would each
/// crate that uses them.
#[test]
fn a_crate_compiles_nothing_for_a_type_that_it_only_defines() {
    let message: DeriveInput = parse_quote! {
        #[tobu(package = "p")]
        struct Book {
            #[tobu(1)]
            title: String,
            #[tobu(2)]
            parts: std::collections::HashMap<String, Part>,
            #[tobu(oneof)]
            place: Option<Place>,
        }
    };
    let oneof: DeriveInput = parse_quote! {
        enum Place {
            #[tobu(3)]
            Shelf(u32),
            #[tobu(4)]
            Room(Room),
        }
    };
    let open: DeriveInput = parse_quote! {
        #[tobu(package = "p", conversions, values(UNKNOWN = 0, GOOD = 1))]
        struct Grade(i32);
    };
    let enumeration: DeriveInput = parse_quote! {
        #[tobu(package = "p", conversions)]
        #[repr(i32)]
        enum Genre {
            Unknown = 0,
            Novel = 1,
        }
    };
    for which in [Derive::Message, Derive::Serialize, Derive::Deserialize, Derive::Debug] {
        assert_eq!(roots(which, &message), [""; 0]);
    }
    for which in [Derive::Oneof, Derive::Serialize, Derive::Deserialize, Derive::Debug] {
        assert_eq!(roots(which, &oneof), [""; 0]);
    }
    for which in [Derive::Serialize, Derive::Deserialize, Derive::Debug] {
        assert_eq!(roots(which, &enumeration), [""; 0]);
    }
    // Names and numbers are data, not code.
    for enumeration in [&enumeration, &open] {
        assert_eq!(roots(Derive::Enumeration, enumeration), ["shape"]);
        assert_eq!(roots(Derive::Debug, enumeration), [""; 0]);
    }
}
