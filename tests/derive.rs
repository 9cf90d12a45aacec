//! The derives from the outside: what every attribute does, to the byte.

#![forbid(unsafe_code)]
#![cfg(feature = "derive")]

mod derive {
    mod borrowed;
    mod bound;
    mod debug;
    mod enumeration;
    mod fields;
    mod foreign;
    mod hygiene;
    mod maps;
    mod oneof;
    mod schema;
}
