//! Shows the features of tobu on one example: generated types, derived types, plain serde structs with a run-time schema, a
//! struct that keeps unknown fields, a descriptor that is decoded as a message, JSON, transcoding and reflection. The program
//! checks everything that it prints.
//!
//! `cargo run --example tour`

use std::collections::{BTreeMap, HashMap};
use std::error::Error;
use tobu::{
    Deserialize, DynamicMessage, Message, MessageDescriptorExt, Pool, Reflect, Serialize, UnknownFields,
    convert, json,
};
use tobu_schemas::library::v1::{Book, Genre, Loan, Shelf, book};
use tobu_schemas::{hybrid, opaque};

fn main() -> Result<(), Box<dyn Error>> {
    let bytes = generated()?;
    derived(&bytes)?;
    run_time_schema(&bytes)?;
    partial(&bytes)?;
    own_descriptor()?;
    json(&bytes)?;
    transcoding(&bytes)?;
    reflection(&bytes)?;
    apis(&bytes)?;
    println!("\nEverything is as it should be.");
    Ok(())
}

/// Uses types that a build script generated from the schema: messages, enums, oneofs and maps.
fn generated() -> Result<Vec<u8>, tobu::Error> {
    println!("1. Generated types");
    let lent = book::Place::Loan(Loan { reader: "Ann".into(), days: -3, ..Loan::default() });
    let dune = Book {
        title: "Dune".into(),
        authors: vec!["Frank Herbert".into()],
        pages: 412,
        acquired: Some(tobu::types::Timestamp::new(1_700_000_000, 0)),
        genre: Genre::FICTION,
        place: Some(lent),
        grades: vec![5, 4, -1],
        ..Book::default()
    };
    let shelf = Shelf {
        name: "shelves/fiction".into(),
        theme: Some("science fiction".into()),
        books: vec![dune],
        copies: HashMap::from([("9780441013593".to_owned(), 2)]),
        ..Shelf::default()
    };
    let bytes = tobu::to_vec(&shelf)?;
    println!("   a shelf of {} book takes {} bytes", shelf.books.len(), bytes.len());
    assert_eq!(bytes.len(), tobu::encoded_len(&shelf)?);

    let again: Shelf = tobu::from_slice(&bytes)?;
    assert_eq!(again, shelf);
    println!("   and comes back: theme {:?}, acquired {}", again.theme(), again.books[0].acquired().seconds);
    assert_eq!(Book::default().acquired().seconds, 0, "what is not set reads as its default");

    let error = tobu::from_slice::<Shelf>(&bytes[..bytes.len() - 30]).unwrap_err();
    println!("   cut short: {error}");
    Ok(bytes)
}

/// Uses a hand-written struct for the same schema. The struct borrows from the input.
fn derived(bytes: &[u8]) -> Result<(), tobu::Error> {
    println!("\n2. A hand-written struct");

    #[derive(Debug, Message, Serialize, Deserialize)]
    #[tobu(package = "tour", name = "Shelf")]
    struct ShelfView<'a> {
        #[tobu(1)]
        name: &'a str,
        #[tobu(2)]
        theme: Option<&'a str>,
        #[tobu(4)]
        copies: BTreeMap<&'a str, u32>,
    }

    let view: ShelfView<'_> = tobu::from_slice(bytes)?;
    println!("   {view:?}");
    assert_eq!(view.copies["9780441013593"], 2);

    let schema = ShelfView::descriptor().file().to_proto_text()?;
    println!("   its schema, as the compiler would read it:");
    for line in schema.lines().filter(|line| !line.trim().is_empty()) {
        println!("   | {line}");
    }
    assert!(schema.contains("map<string, uint32> copies = 4;"));
    Ok(())
}

/// Decodes into types that implement only serde's `Deserialize`, with a descriptor that is found by its name.
fn run_time_schema(bytes: &[u8]) -> Result<(), Box<dyn Error>> {
    println!("\n3. Plain serde types over a run-time schema");
    // The global pool has the files of all types whose descriptors the program has used.
    assert_eq!(Shelf::descriptor().full_name(), "library.v1.Shelf");
    let pool = Pool::from_descriptor_set(&Pool::global().to_descriptor_set())?;
    let descriptor = pool.message("library.v1.Shelf").ok_or("no such message")?;

    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Titles {
        books: Vec<Title>,
    }
    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Title {
        title: String,
        genre: String,
    }
    let titles: Titles = descriptor.decode(bytes)?;
    println!("   {titles:?}");
    assert_eq!(titles.books, [Title { title: "Dune".into(), genre: "GENRE_FICTION".into() }]);

    let tree: serde_json::Value = descriptor.decode(bytes)?;
    println!("   {}", tree["books"][0]);
    let same: Shelf = tobu::from_slice(&descriptor.encode(&tree)?)?;
    assert_eq!(same, tobu::from_slice::<Shelf>(bytes)?);
    Ok(())
}

/// Decodes only some fields. The struct keeps the bytes of the other fields, and writes them back.
fn partial(bytes: &[u8]) -> Result<(), tobu::Error> {
    println!("\n4. A struct that keeps what it does not know");

    #[derive(Debug, Message, Serialize, Deserialize)]
    #[tobu(descriptor = Shelf::descriptor())]
    struct Renamed {
        name: String,
        #[tobu(unknown)]
        rest: UnknownFields,
    }

    let mut renamed: Renamed = tobu::from_slice(bytes)?;
    println!("   {} bytes of fields that it does not name", renamed.rest.as_bytes().len());
    renamed.name = "shelves/classics".into();
    let shelf: Shelf = tobu::from_slice(&tobu::to_vec(&renamed)?)?;
    println!("   {} still has {:?}", shelf.name, shelf.books[0].title);
    assert_eq!((shelf.name.as_str(), shelf.books[0].pages), ("shelves/classics", 412));
    Ok(())
}

/// Decodes the descriptor of a file, because a descriptor is a message, too.
fn own_descriptor() -> Result<(), Box<dyn Error>> {
    println!("\n5. The schema's own descriptor, decoded as a message");

    #[derive(Debug, serde::Deserialize)]
    #[serde(default)]
    #[derive(Default)]
    struct File {
        name: String,
        package: String,
        message_type: Vec<Named>,
        enum_type: Vec<Named>,
        service: Vec<Named>,
    }
    #[derive(Debug, Default, serde::Deserialize)]
    #[serde(default)]
    struct Named {
        name: String,
        field: Vec<Named>,
        value: Vec<Named>,
        method: Vec<Named>,
    }
    let embedded = Shelf::descriptor().file().encoded().to_vec();
    let schema =
        tobu::types::files::DESCRIPTOR.message("google.protobuf.FileDescriptorProto").ok_or("no schema")?;
    let file: File = schema.decode(&embedded)?;
    println!("   {} ({} bytes), package {}", file.name, embedded.len(), file.package);
    for message in &file.message_type {
        let fields: Vec<&str> = message.field.iter().map(|field| &*field.name).collect();
        println!("   message {}: {}", message.name, fields.join(", "));
    }
    for item in file.enum_type.iter().chain(&file.service) {
        let parts: Vec<&str> = item.value.iter().chain(&item.method).map(|part| &*part.name).collect();
        println!("   {}: {}", item.name, parts.join(", "));
    }
    assert_eq!(file.message_type.len(), 4);
    assert_eq!(file.service[0].method[0].name, "Find");
    Ok(())
}

/// Writes and reads canonical ProtoJSON, with tobu's functions and with serde_json.
fn json(bytes: &[u8]) -> Result<(), Box<dyn Error>> {
    println!("\n6. JSON");
    let shelf: Shelf = tobu::from_slice(bytes)?;
    let text = json::to_string(&shelf)?;
    println!("   {text}");
    assert_eq!(json::from_str::<Shelf>(&text)?, shelf);

    // With serde_json, the output is the same. The message can also be a member of a struct that is not a message.
    #[derive(serde::Serialize, serde::Deserialize)]
    struct Page {
        shelf: Shelf,
        next: Option<String>,
    }
    let page = serde_json::to_string(&Page { shelf: shelf.clone(), next: None })?;
    assert_eq!(page, format!(r#"{{"shelf":{text},"next":null}}"#));
    assert_eq!(serde_json::from_str::<Page>(&page)?.shelf, shelf);

    let pretty = json::Options::new().pretty(true).proto_field_names(true).enums_as_integers(true);
    println!("   {}", pretty.to_string(&shelf.books[0])?.replace('\n', "\n   "));

    let error = json::from_str::<Shelf>("{\n  \"books\": [{\"pages\": \"many\"}]\n}").unwrap_err();
    println!("   a mistake: {error}");
    assert!(error.to_string().starts_with("library.v1.Shelf.books[0].pages: "));
    Ok(())
}

/// Converts bytes to JSON and back with a descriptor, without building a message.
fn transcoding(bytes: &[u8]) -> Result<(), Box<dyn Error>> {
    println!("\n7. Transcoding");
    let descriptor = Shelf::descriptor();
    let (mut text, mut wire) = (Vec::new(), Vec::new());
    convert::wire_to_json(&descriptor, bytes, &mut text)?;
    convert::json_to_wire(&descriptor, &text, &mut wire)?;
    println!("   {} bytes of wire, {} of JSON, {} of wire again", bytes.len(), text.len(), wire.len());
    assert_eq!(tobu::from_slice::<Shelf>(&wire)?, tobu::from_slice::<Shelf>(bytes)?);
    Ok(())
}

/// Calls one function with a typed message, and then with a dynamic message.
fn reflection(bytes: &[u8]) -> Result<(), Box<dyn Error>> {
    println!("\n8. Reflection");

    fn describe(message: &dyn Reflect) -> Vec<String> {
        message.fields().map(|(field, _)| field.name().to_owned()).collect()
    }

    let mut shelf: Shelf = tobu::from_slice(bytes)?;
    println!("   the shelf has {}", describe(shelf.as_reflect()).join(", "));
    let mut reflection = shelf.clone().reflect();
    reflection.set_by_name("theme", "dunes")?;
    shelf = reflection.absorb();
    assert_eq!(shelf.theme.as_deref(), Some("dunes"));

    let dynamic = DynamicMessage::decode(&Shelf::descriptor(), bytes)?;
    assert_eq!(describe(&dynamic), describe(shelf.as_reflect()));
    let before = dynamic.clone().absorb::<Shelf>()?;
    println!("   what was changed: {}", before.as_reflect().diff(shelf.as_reflect()));
    let error = shelf.as_reflect_mut().set_by_name("copies", true).unwrap_err();
    println!("   a mistake: {error}");
    Ok(())
}

/// Uses public members, public members with accessors, and private members. The content and the bytes are equal.
fn apis(bytes: &[u8]) -> Result<(), tobu::Error> {
    println!("\n9. Three levels of access");

    // Open: the members are public, so code that uses the type depends on how fields are stored.
    let mut open: Shelf = tobu::from_slice(bytes)?;
    open.theme = Some("dunes".to_owned());

    // Hybrid: the members are public, too, but the accessors do not depend on how fields are stored.
    let mut both: hybrid::library::v1::Shelf = tobu::from_slice(bytes)?;
    both.set_theme("dunes");
    assert_eq!(both.theme.as_deref(), Some(both.theme()));

    // Opaque: only accessors and builders are public. Presence is a bit, large messages are boxed, and lazy messages stay
    // bytes.
    let mut private: opaque::library::v1::Shelf = tobu::from_slice(bytes)?;
    private.set_theme("dunes");
    let loan = opaque::library::v1::Loan::builder().reader("Ben").build();
    let book = opaque::library::v1::Book::builder().title("Emma").loan(loan).build();
    assert_eq!((book.title(), book.loan().reader(), book.has_acquired()), ("Emma", "Ben", false));

    let sizes = (size_of_val(&open.books[0]), size_of_val(&book));
    println!("   an open book takes {} bytes of memory, an opaque one {}", sizes.0, sizes.1);
    assert_eq!(tobu::to_vec(&open)?, tobu::to_vec(&both)?);
    assert_eq!(tobu::to_vec(&open)?, tobu::to_vec(&private)?);
    assert_eq!(open.to_json()?, private.to_json()?);
    Ok(())
}
