//! One rewrite a row: the level at which it happens, a statement before and after it. At a lower level it is reported.

mod change;
mod presence;
mod read;

use tobu_migrate::Level::{self, Red};

use crate::{LEVELS, is_stable, migration, rewritten};

type Row = (Level, &'static str, &'static str);

/// The statement stands in a function with these variables.
const BEFORE: &str = "\
use crate::library::v1::{Address, Book, ListRequest, Shelf, shelf};
struct State { shelf: Shelf, all: Vec<Shelf>, title: String }
fn takes_str(text: &str) {}
fn takes_string(text: &String) {}
fn reads(with: impl Fn(&Book) -> u32) {}
async fn row(book: &Book, edited: &mut Book, own: Book, address: &Address, shelf: &Shelf, changed: &mut Shelf, taken: Shelf, state: &mut State) {
    ";
const AFTER: &str = "\n}\n";

#[track_caller]
fn check(rows: &[Row]) {
    let whole = |statement: &str| format!("{BEFORE}{statement}{AFTER}");
    for tried in LEVELS {
        let migration = migration("library.proto", tried);
        for (level, before, after) in rows {
            let outcome = rewritten(&migration, &whole(before));
            assert_eq!(outcome.error, None, "{before}");
            let found = outcome.text.strip_prefix(BEFORE).and_then(|text| text.strip_suffix(AFTER));
            if tried >= *level {
                assert_eq!(found, Some(*after), "{before} at level {tried}");
            } else {
                // Other parts of the statement may be of a lower level.
                assert_ne!(found, Some(*after), "at level {tried}");
                let levels: Vec<_> = outcome.left.iter().map(|left| left.level).collect();
                assert!(levels.contains(&Some(*level)), "{before}: {:?}", outcome.left);
            }
            is_stable(&migration, &outcome.text);
        }
    }
}

/// Asserts that a statement is left at all levels, for a reason.
#[track_caller]
fn check_left(rows: &[(&str, &str)]) {
    let migration = migration("library.proto", Red);
    for (statement, reason) in rows {
        let text = format!("{BEFORE}{statement}{AFTER}");
        let outcome = rewritten(&migration, &text);
        assert_eq!((outcome.text, outcome.error), (text, None));
        let reasons: Vec<_> = outcome.left.iter().map(|left| (left.level, left.reason.as_str())).collect();
        assert_eq!(reasons, [(None, *reason)], "{statement}");
    }
}

#[test]
fn variables_become_mut_where_they_are_declared() {
    let migration = migration("library.proto", Red);
    for (before, after) in [
        ("fn f(book: Book) -> String { book.title }", "fn f(mut book: Book) -> String { book.take_title() }"),
        (
            "fn f(all: Vec<Book>) { all.into_iter().map(|book| book.title); }",
            "fn f(all: Vec<Book>) { all.into_iter().map(|mut book| book.take_title()); }",
        ),
        (
            "fn f(mut book: Book) { let one = book.title; let two = book.authors; }",
            "fn f(mut book: Book) { let one = book.take_title(); let two = book.take_authors(); }",
        ),
    ] {
        assert_eq!(rewritten(&migration, before).text, after);
        is_stable(&migration, after);
    }
}
