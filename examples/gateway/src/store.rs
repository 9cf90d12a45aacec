//! Stores the data in one file: messages in the wire format, with their names as keys.

use std::fmt;
use std::ops::Bound;
use std::path::Path;

use redb::{Database, ReadableTable, TableDefinition};
use tempfile::NamedTempFile;
use tobu::Message;

use crate::proto::google::api::HttpBody;
use crate::proto::library::v1::{Book, Shelf};

type Table = TableDefinition<'static, &'static str, &'static [u8]>;

const SHELVES: Table = Table::new("shelves");
const BOOKS: Table = Table::new("books");
const COVERS: Table = Table::new("covers");

/// A database of shelves, books and covers.
pub(crate) struct Store {
    database: Database,
    /// The temporary file, if there is one. It is dropped after the database, and dropping it deletes the file.
    _file: Option<NamedTempFile>,
}

/// The reason why an operation on the store failed.
#[derive(Debug)]
pub(crate) enum Error {
    NotFound(String),
    Exists(String),
    /// The change does not fit the message.
    Change(tobu::Error),
    /// A message cannot be encoded, or the stored bytes cannot be decoded.
    Message(tobu::Error),
    Database(Box<redb::Error>),
}

impl Store {
    /// Opens the database in a file, or a new one in a temporary file if there is no path.
    pub(crate) fn open(path: Option<&Path>) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        let file = if path.is_none() { Some(NamedTempFile::with_prefix("library")?) } else { None };
        let path = path.or(file.as_ref().map(NamedTempFile::path)).ok_or("no file")?;
        let database = Database::create(path)?;
        // Create all tables, because reading fails if a table does not exist.
        let write = database.begin_write()?;
        for table in [SHELVES, BOOKS, COVERS] {
            write.open_table(table)?;
        }
        write.commit()?;
        Ok(Store { database, _file: file })
    }

    pub(crate) fn create_shelf(&self, shelf: &Shelf) -> Result<(), Error> {
        self.change(|shelves, _, _| {
            if shelves.get(shelf.name.as_str())?.is_some() {
                return Err(Error::Exists(shelf.name.clone()));
            }
            put(shelves, &shelf.name, shelf)
        })
    }

    pub(crate) fn shelf(&self, name: &str) -> Result<Shelf, Error> {
        get(&self.database.begin_read()?.open_table(SHELVES)?, name)
    }

    /// Returns at most `count` shelves, in the order of their names, from the first name after `after` on.
    pub(crate) fn shelves(&self, after: &str, count: usize) -> Result<Vec<Shelf>, Error> {
        page(&self.database.begin_read()?.open_table(SHELVES)?, "shelves/", after, count)
    }

    /// Adds a book to a shelf, which must exist.
    pub(crate) fn create_book(&self, shelf: &str, book: &Book) -> Result<(), Error> {
        self.change(|shelves, books, _| {
            get::<Shelf>(shelves, shelf)?;
            if books.get(book.name.as_str())?.is_some() {
                return Err(Error::Exists(book.name.clone()));
            }
            put(books, &book.name, book)
        })
    }

    pub(crate) fn book(&self, name: &str) -> Result<Book, Error> {
        get(&self.database.begin_read()?.open_table(BOOKS)?, name)
    }

    /// Returns at most `count` books of a shelf, from the first name after `after` on.
    pub(crate) fn books(&self, shelf: &str, after: &str, count: usize) -> Result<Vec<Book>, Error> {
        let read = self.database.begin_read()?;
        get::<Shelf>(&read.open_table(SHELVES)?, shelf)?;
        page(&read.open_table(BOOKS)?, &format!("{shelf}/books/"), after, count)
    }

    /// Changes a book. If the change fails, the stored book stays the same.
    pub(crate) fn update_book(
        &self,
        name: &str,
        change: impl FnOnce(&mut Book) -> tobu::Result<()>,
    ) -> Result<Book, Error> {
        self.change(|_, books, _| {
            let mut book: Book = get(books, name)?;
            change(&mut book).map_err(Error::Change)?;
            put(books, name, &book)?;
            Ok(book)
        })
    }

    /// Moves a book to another shelf, which must exist, under another name.
    pub(crate) fn move_book(&self, name: &str, shelf: &str, new_name: &str) -> Result<Book, Error> {
        self.change(|shelves, books, covers| {
            let mut book: Book = get(books, name)?;
            get::<Shelf>(shelves, shelf)?;
            if books.get(new_name)?.is_some() {
                return Err(Error::Exists(new_name.to_owned()));
            }
            books.remove(name)?;
            book.name = new_name.to_owned();
            put(books, new_name, &book)?;
            let cover = covers.remove(name)?.map(|cover| cover.value().to_vec());
            if let Some(cover) = cover {
                covers.insert(new_name, cover.as_slice())?;
            }
            Ok(book)
        })
    }

    pub(crate) fn delete_book(&self, name: &str) -> Result<(), Error> {
        self.change(|_, books, covers| {
            if books.remove(name)?.is_none() {
                return Err(Error::NotFound(name.to_owned()));
            }
            covers.remove(name)?;
            Ok(())
        })
    }

    pub(crate) fn set_cover(&self, name: &str, cover: &HttpBody) -> Result<(), Error> {
        self.change(|_, books, covers| {
            get::<Book>(books, name)?;
            put(covers, name, cover)
        })
    }

    pub(crate) fn cover(&self, name: &str) -> Result<HttpBody, Error> {
        get(&self.database.begin_read()?.open_table(COVERS)?, name).map_err(|error| match error {
            Error::NotFound(name) => Error::NotFound(format!("cover of {name}")),
            error => error,
        })
    }

    /// Runs a transaction on the shelves, books and covers. If the function fails, nothing is stored.
    fn change<T>(
        &self,
        change: impl FnOnce(&mut Rows<'_>, &mut Rows<'_>, &mut Rows<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let write = self.database.begin_write()?;
        let done = {
            let (mut shelves, mut books) = (write.open_table(SHELVES)?, write.open_table(BOOKS)?);
            change(&mut shelves, &mut books, &mut write.open_table(COVERS)?)?
        };
        write.commit()?;
        Ok(done)
    }
}

type Rows<'t> = redb::Table<'t, &'static str, &'static [u8]>;

fn get<T>(rows: &impl ReadableTable<&'static str, &'static [u8]>, name: &str) -> Result<T, Error>
where
    T: Message + serde::de::DeserializeOwned,
{
    let row = rows.get(name)?.ok_or_else(|| Error::NotFound(name.to_owned()))?;
    tobu::from_slice(row.value()).map_err(Error::Message)
}

fn put(rows: &mut Rows<'_>, name: &str, message: &(impl Message + serde::Serialize)) -> Result<(), Error> {
    let bytes = tobu::to_vec(message).map_err(Error::Message)?;
    rows.insert(name, bytes.as_slice())?;
    Ok(())
}

/// Returns at most `count` messages whose names begin with `prefix`, from the first name after `after` on.
fn page<T>(
    rows: &impl ReadableTable<&'static str, &'static [u8]>,
    prefix: &str,
    after: &str,
    count: usize,
) -> Result<Vec<T>, Error>
where
    T: Message + serde::de::DeserializeOwned,
{
    let start = Bound::Excluded(after.max(prefix));
    let mut found = Vec::new();
    for row in rows.range::<&str>((start, Bound::Unbounded))?.take(count) {
        let (name, value) = row?;
        if !name.value().starts_with(prefix) {
            break;
        }
        found.push(tobu::from_slice(value.value()).map_err(Error::Message)?);
    }
    Ok(found)
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NotFound(name) => write!(f, "there is no {name}"),
            Error::Exists(name) => write!(f, "{name} is there already"),
            Error::Change(error) | Error::Message(error) => error.fmt(f),
            Error::Database(error) => write!(f, "the database: {error}"),
        }
    }
}

/// Implements `From` for the error types of the database.
macro_rules! database_errors {
    ($($error:ty),*) => {
        $(
            impl From<$error> for Error {
                fn from(error: $error) -> Self {
                    Error::Database(Box::new(error.into()))
                }
            }
        )*
    };
}

database_errors!(redb::CommitError, redb::StorageError, redb::TableError, redb::TransactionError);

#[cfg(test)]
mod tests {
    use super::*;

    fn shelf(name: &str) -> Shelf {
        Shelf { name: name.to_owned(), ..Shelf::default() }
    }

    fn book(name: &str) -> Book {
        Book { name: name.to_owned(), ..Book::default() }
    }

    #[test]
    fn pages_end_with_the_shelf() {
        let store = Store::open(None).unwrap();
        for name in ["shelves/a", "shelves/a-b", "shelves/c"] {
            store.create_shelf(&shelf(name)).unwrap();
            for id in ["x", "y", "z"] {
                store.create_book(name, &book(&format!("{name}/books/{id}"))).unwrap();
            }
        }
        let names = |after, count| {
            let books = store.books("shelves/a", after, count).unwrap();
            books.into_iter().map(|book| book.name).collect::<Vec<_>>()
        };
        let all = ["shelves/a/books/x", "shelves/a/books/y", "shelves/a/books/z"];
        assert_eq!(names("", 100), all);
        assert_eq!(names("", 2), all[..2]);
        assert_eq!(names("shelves/a/books/x", 2), all[1..]);
        assert_eq!(names("shelves/b", 100), [""; 0]);
        assert_eq!(store.shelves("shelves/a", 1).unwrap(), [shelf("shelves/a-b")]);
        assert_eq!(store.books("shelves/d", "", 1).unwrap_err().to_string(), "there is no shelves/d");
    }

    #[test]
    fn a_change_that_fails_changes_nothing() {
        let store = Store::open(None).unwrap();
        store.create_shelf(&shelf("shelves/a")).unwrap();
        store.create_book("shelves/a", &book("shelves/a/books/x")).unwrap();
        let refused = store.update_book("shelves/a/books/x", |book| {
            book.pages = 7;
            book.as_reflect_mut().set_by_name("pages", "seven")
        });
        assert_eq!(
            refused.unwrap_err().to_string(),
            "library.v1.Book.pages: the field is a uint32, but the value is a string"
        );
        assert_eq!(store.book("shelves/a/books/x").unwrap().pages, 0);
        let error = store.move_book("shelves/a/books/x", "shelves/b", "shelves/b/books/x").unwrap_err();
        assert_eq!(error.to_string(), "there is no shelves/b");
        assert_eq!(store.books("shelves/a", "", 9).unwrap(), [book("shelves/a/books/x")]);
    }

    #[test]
    fn data_stays_in_its_file() {
        let file = NamedTempFile::new().unwrap();
        let store = Store::open(Some(file.path())).unwrap();
        store.create_shelf(&shelf("shelves/a")).unwrap();
        drop(store);
        let store = Store::open(Some(file.path())).unwrap();
        assert_eq!(store.shelf("shelves/a").unwrap(), shelf("shelves/a"));
        let path = Store::open(None).unwrap()._file.as_ref().unwrap().path().to_owned();
        assert!(!path.exists());
    }
}
