//! Resource names: `shelves/fiction`, `shelves/fiction/books/dune`.

use tonic::Status;

/// Returns the name of the shelf with this id.
pub(crate) fn shelf(id: &str) -> Result<String, Status> {
    check(id)?;
    Ok(format!("shelves/{id}"))
}

/// Returns the name of the book with this id on a shelf.
pub(crate) fn book(shelf: &str, id: &str) -> Result<String, Status> {
    check_shelf(shelf)?;
    check(id)?;
    Ok(format!("{shelf}/books/{id}"))
}

/// Returns an error if the text is not the name of a shelf.
pub(crate) fn check_shelf(name: &str) -> Result<(), Status> {
    match name.strip_prefix("shelves/") {
        Some(id) => check(id),
        None => Err(Status::invalid_argument(format!("{name:?} is not a name like shelves/fiction"))),
    }
}

/// Splits the name of a book into the name of the shelf and the id of the book.
pub(crate) fn split_book(name: &str) -> Result<(&str, &str), Status> {
    let Some((shelf, id)) = name.split_once("/books/") else {
        let message = format!("{name:?} is not a name like shelves/fiction/books/dune");
        return Err(Status::invalid_argument(message));
    };
    check_shelf(shelf)?;
    check(id)?;
    Ok((shelf, id))
}

fn check(id: &str) -> Result<(), Status> {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if !id.is_empty() && id.chars().all(fits) {
        return Ok(());
    }
    Err(Status::invalid_argument(format!("{id:?} is not part of a name: a-z, 0-9 and - are")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fit() {
        assert_eq!(shelf("fiction").unwrap(), "shelves/fiction");
        assert_eq!(book("shelves/fiction", "dune-2").unwrap(), "shelves/fiction/books/dune-2");
        assert_eq!(split_book("shelves/fiction/books/dune").unwrap(), ("shelves/fiction", "dune"));
    }

    #[test]
    fn do_not_fit() {
        let cases = [
            ("Dune", "\"Dune\" is not a name like shelves/fiction/books/dune"),
            ("fiction/books/dune", "\"fiction\" is not a name like shelves/fiction"),
            ("shelves//books/dune", "\"\" is not part of a name: a-z, 0-9 and - are"),
            ("shelves/a/books/b/books/c", "\"b/books/c\" is not part of a name: a-z, 0-9 and - are"),
        ];
        for (name, message) in cases {
            assert_eq!(split_book(name).unwrap_err().message(), message);
        }
    }
}
