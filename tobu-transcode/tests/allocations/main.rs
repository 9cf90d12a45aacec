//! How often requests and responses ask for memory, once a router has seen some.

#[path = "../../../tests/memory/counting.rs"]
mod counting;

mod bodies;
#[cfg(feature = "tower")]
mod lists;

use http::Method;
use std::sync::{Mutex, PoisonError};
use tobu_transcode::{Request, Router};

const PATH: &str = "/v1/shelves/fiction/books";

/// The calls of a request, from its path to its message, and of a response with the same book.
fn calls(body: &str) -> (usize, usize) {
    // The size of the last message is a guess at the next one: another test's must not come in between.
    static ALONE: Mutex<()> = Mutex::new(());
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let pool = tobu_transcode_schemas::pool();
    let router = Router::builder().service(&pool.service("library.v1.Library").unwrap()).build().unwrap();
    let request = Request::new().query("bookId=dune").body(body.as_bytes());
    let (mut message, mut wire, mut json) = (Vec::new(), Vec::new(), Vec::new());
    tobu::convert::json_to_wire(&pool.message("library.v1.Book").unwrap(), body.as_bytes(), &mut wire)
        .unwrap();
    let mut counted = (0, 0);
    // Buffers have their size after the first time, and plans are made.
    for _ in 0..2 {
        message.clear();
        json.clear();
        let (request, done) =
            counting::calls(|| router.find(&Method::POST, PATH).unwrap().bind(&request, &mut message));
        done.unwrap();
        let (response, done) = counting::calls(|| {
            let found = router.find(&Method::GET, "/v1/shelves/1/books/2").unwrap();
            found.route().respond(router.options(), &wire, &mut json)
        });
        done.unwrap();
        counted = (request, response);
    }
    counted
}

#[test]
fn no_book_needs_memory() {
    assert_eq!(calls("{}"), (0, 0));
    assert_eq!(calls(&bodies::usual()), (0, 0));
}

/// Keys of a map that do not come in order are remembered, to see that none comes twice: a table of 60 grows by doubling.
#[test]
fn a_map_needs_a_table() {
    assert_eq!(calls(r#"{"copies":{"a":1,"b":2}}"#), (1, 1));
    assert_eq!(calls(&bodies::dense()), (8, 8));
}
