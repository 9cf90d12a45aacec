//! The messages that all benchmarks work on.

use std::collections::HashMap;
use tobu_schemas::corpus::corpus::v3::{Leaf, Lists, Maps, Scalars, Tree};
use tobu_schemas::library::v1::{Book, Genre, Loan, Shelf, book};

/// Calls a function with the name and the value of each message.
macro_rules! for_each_message {
    ($measure:ident, $c:expr) => {
        $measure($c, "library", &sample::library());
        $measure($c, "packed", &sample::packed());
        $measure($c, "scalars", &sample::scalars());
        $measure($c, "maps", &sample::maps());
        $measure($c, "deep", &sample::deep());
    };
}
pub(crate) use for_each_message;

/// Strings, small messages, a oneof, a map: an ordinary message.
pub(crate) fn library() -> Shelf {
    let book = |i: u32| Book {
        title: format!("The title of book {i}"),
        authors: vec!["First Author".into(), "Second Author".into()],
        pages: 100 + i,
        genre: Genre::FICTION,
        place: Some(match i % 2 {
            0 => book::Place::Position(i),
            _ => book::Place::Loan(Loan { reader: "A reader".into(), days: -3, ..Loan::default() }),
        }),
        grades: vec![1, -2, 3, -4, 5],
        ..Book::default()
    };
    Shelf {
        name: "shelves/fiction".into(),
        theme: Some("science fiction".into()),
        books: (0..20).map(book).collect(),
        copies: (0..20).map(|i| (format!("97804410{i:05}"), i)).collect(),
        ..Shelf::default()
    }
}

/// Long packed lists.
pub(crate) fn packed() -> Lists {
    Lists {
        f_double: (0..1000).map(f64::from).collect(),
        f_float: vec![1.5; 1000],
        f_int32: (-500..500).collect(),
        f_uint64: (0..1000).map(|i| i << 20).collect(),
        ..Lists::default()
    }
}

/// A few numbers and a string.
pub(crate) fn scalars() -> Scalars {
    Scalars {
        f_double: 1.5,
        f_int32: -1,
        f_uint64: 1 << 40,
        f_sint32: -7,
        f_string: "text".into(),
        ..Scalars::default()
    }
}

/// Maps with numbers and with messages.
pub(crate) fn maps() -> Maps {
    Maps {
        f_int32: (0..100).map(|i| (i, i)).collect(),
        f_leaf: HashMap::from_iter((0..100).map(|i| (i.to_string(), Leaf { a: i, ..Leaf::default() }))),
        ..Maps::default()
    }
}

/// Sixty levels.
pub(crate) fn deep() -> Tree {
    (0..60).fold(Tree::default(), |inner, i| Tree {
        name: format!("level {i}"),
        left: Some(Box::new(inner)),
        ..Tree::default()
    })
}
