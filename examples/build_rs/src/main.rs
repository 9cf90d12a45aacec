tobu::include_proto!();

use library::v1::{Book, Genre};
use tobu::Message;

fn main() -> tobu::Result<()> {
    let book = Book {
        title: "Dune".into(),
        authors: vec!["Frank Herbert".into()],
        pages: 412,
        genre: Genre::FICTION,
        ..Book::default()
    };

    let bytes = book.encode_to_vec()?;
    assert_eq!(Book::decode(&bytes[..])?, book);
    println!("{} bytes", bytes.len());

    let json = book.to_json()?;
    assert_eq!(Book::from_json(&json)?, book);
    println!("{json}");
    Ok(())
}
