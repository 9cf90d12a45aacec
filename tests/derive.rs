//! The derives from the outside: the exact bytes of every attribute.

#![forbid(unsafe_code)]
#![cfg(feature = "derive")]

mod derive {
    mod borrowed;
    mod bound;
    mod compact;
    mod crates;
    mod debug;
    mod enumeration;
    mod fields;
    mod foreign;
    mod hygiene;
    mod lazy;
    mod maps;
    mod oneof;
    mod own;
    mod presence;
    mod same_address;
    mod schema;
    mod with;
}
