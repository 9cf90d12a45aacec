use tobu::Row;

#[derive(Row)]
struct Unbound {
    title: String,
    #[tobu(path = "")]
    empty: String,
    #[tobu(path = "a..b")]
    no_name: String,
    #[tobu(path = "a[0].b")]
    index: String,
    #[tobu(path = "[pkg.ext")]
    open: String,
    #[tobu(path = "a", path = "b")]
    two_paths: String,
    #[tobu(number = 1)]
    number: u32,
}

#[derive(Row)]
struct Branches<'a> {
    #[tobu(path = "books[].authors[].name")]
    author: &'a str,
    #[tobu(path = "shelves[].name")]
    shelf: &'a str,
    #[tobu(path = "books[].authors[].name")]
    again: &'a str,
}

#[derive(Row)]
#[tobu(rows = "books", package = "p")]
struct NoRows {
    #[tobu(path = "books[].title")]
    title: String,
}

#[derive(Row)]
#[tobu(message = "library.v1.Shelf")]
struct ByName {
    #[tobu(path = "name")]
    name: String,
}

#[derive(Row)]
#[tobu(descriptor = POOL)]
struct WithoutName {
    #[tobu(path = "name")]
    name: String,
}

#[derive(Row)]
struct Generic<T> {
    #[tobu(path = "name")]
    name: T,
}

#[derive(Row)]
struct Tuple(String);

#[derive(Row)]
enum Choice {
    One,
}

fn main() {}
