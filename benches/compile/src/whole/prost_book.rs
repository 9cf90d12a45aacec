include!(concat!(env!("OUT_DIR"), "/types.rs"));

use library::v1::{Book, Genre};
use prost::Message;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let book = Book {
        title: "Dune".into(),
        authors: vec!["Frank Herbert".into()],
        pages: 412,
        genre: Genre::Fiction as i32,
    };

    let bytes = book.encode_to_vec();
    assert_eq!(Book::decode(&bytes[..])?, book);
    println!("{} bytes", bytes.len());
    Ok(())
}
