//! Reflection from the outside: the same tables over generated, derived and dynamic messages.

#![cfg(feature = "derive")]

mod reflect {
    mod algebra;
    mod derived;
    mod entries;
    mod extensions;
    mod fields;
    mod laws;
    mod misuse;
    mod support;
    mod verbs;
    mod visit;
}
