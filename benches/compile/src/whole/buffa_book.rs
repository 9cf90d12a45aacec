include!(concat!(env!("OUT_DIR"), "/types.rs"));

use buffa::Message;
use library::v1::{Book, Genre};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let book = Book {
        title: "Dune".into(),
        authors: vec!["Frank Herbert".into()],
        pages: 412,
        genre: Genre::GENRE_FICTION.into(),
        ..Book::default()
    };

    let bytes = book.encode_to_vec();
    assert_eq!(Book::decode_from_slice(&bytes)?, book);
    println!("{} bytes", bytes.len());
    Ok(())
}
