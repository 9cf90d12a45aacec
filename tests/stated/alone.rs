//! Each verb as the first use of its types, in a process of its own: it registers the file if it needs descriptors, and
//! encoding and decoding do not.

use serde::Serialize;
use std::process::Command;
use tobu::dynamic::DynamicMessage;
use tobu::reflect::{Extensions, Value, ValueRef};
use tobu::stream::described;
use tobu::types::{Any, Empty, Timestamp};
use tobu::{
    DecodeOptions, DefaultInstance, Deserializer, EncodeOptions, Enumeration, Merge, Message,
    MessageDescriptorExt, MessageReader, MessageWriter, Pool, Projection, Serializer, json, text,
};
use tobu_schemas::corpus::corpus::{v2, v3};
use tobu_schemas::known::json::v1::{Known, KnownChoice, known_choice};
use tobu_schemas::library::v1::{Book, Genre, Loan, Shelf, book};

/// What says to a process which verb it is to use.
const VERB: &str = "TOBU_TEST_VERB";

/// A shelf with one book, which leads to another file and to an enum.
const SHELF: &[u8] = b"\x1a\x0d\x0a\x04Dune\x22\x03\x08\xe8\x07\x28\x01";

fn shelf() -> Shelf {
    let acquired = Some(Timestamp::new(1000, 0));
    let book = Book { title: "Dune".into(), acquired, genre: Genre::FICTION, ..Book::default() };
    Shelf { books: vec![book], ..Shelf::default() }
}

/// The last names of the files that are registered, with spaces between them.
fn registered() -> String {
    let pool = Pool::global();
    let files = FILES.iter().filter(|file| pool.file(file).is_some());
    let names = files.map(|file| file.rsplit('/').next().unwrap_or_default().trim_end_matches(".proto"));
    names.collect::<Vec<_>>().join(" ")
}

/// A type that declares its schema, with members that state theirs.
#[derive(Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "stated.v1")]
struct Visit {
    #[tobu(1)]
    at: Option<Timestamp>,
    #[tobu(2)]
    books: Vec<Book>,
    #[tobu(3)]
    genre: Genre,
    #[tobu(4)]
    by_day: std::collections::BTreeMap<i32, Loan>,
    #[tobu(oneof)]
    place: Option<Place>,
}

/// The same with a oneof that is generated.
#[derive(Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "stated.v1")]
struct Stay {
    #[tobu(oneof)]
    place: Option<book::Place>,
}

/// A type that is bound to a schema of the run time, with an enum that states its own.
#[derive(Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(descriptor = run_time_book(), message = "library.v1.Book")]
struct Kind {
    #[tobu(5)]
    genre: Genre,
}

/// A message of the same name in a pool of the run time.
fn run_time_book() -> tobu::MessageDescriptor {
    let file = "\x0a\x09run.proto\x12\x0alibrary.v1\x22\x28\x0a\x04Book\x12\x20\x0a\x05genre\x18\x05 \x01(\x0e2\x11.library.v1.Genre*\x2d\x0a\x05Genre\x12\x11\x0a\x0dGENRE_UNKNOWN\x10\x00\x12\x11\x0a\x0dGENRE_FICTION\x10\x01b\x06proto3";
    let mut pool = Pool::new();
    pool.add_file(file.as_bytes()).unwrap().messages().next().unwrap()
}

#[derive(Debug, PartialEq, tobu::Oneof, tobu::Serialize, tobu::Deserialize)]
enum Place {
    #[tobu(5)]
    Loan(Loan),
}

/// A type of serde's, in which one of tobu's is.
#[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
struct Envelope {
    book: Book,
}

/// The files that a verb may register.
const FILES: &[&str] =
    &["library/v1/library.proto", "corpus/corpus2.proto", "corpus/corpus3.proto", "json/known.proto"];

/// The verbs, each with those of the files that it registers, by their last names.
const VERBS: &[(&str, &str, fn())] = &[
    ("decode", "", || assert_eq!(tobu::from_slice::<Shelf>(SHELF).unwrap(), shelf())),
    ("decode shared bytes", "", || {
        assert_eq!(tobu::from_bytes::<Shelf>(&SHELF.into()).unwrap(), shelf());
    }),
    ("decode a mistake", "", || {
        let error = tobu::from_slice::<Shelf>(&SHELF[..SHELF.len() - 1]).unwrap_err();
        assert!(error.to_string().starts_with("library.v1.Shelf.books"), "{error}");
    }),
    ("encode", "", || assert_eq!(tobu::to_vec(&shelf()).unwrap(), SHELF)),
    ("encoded_len", "", || assert_eq!(tobu::encoded_len(&shelf()).unwrap(), SHELF.len())),
    ("merge", "", || tobu::merge(&mut shelf(), SHELF).unwrap()),
    ("refill", "", || DecodeOptions::new().from_slice_in_place(&mut shelf(), SHELF).unwrap()),
    ("clear", "", || {
        let mut shelf = shelf();
        Merge::clear(&mut shelf);
        assert_eq!(shelf, Shelf::default());
    }),
    ("delimited streams", "", || {
        let mut writer = MessageWriter::new(Vec::new());
        writer.write(&shelf()).unwrap();
        let bytes = writer.into_inner();
        let read: Vec<Shelf> = MessageReader::new(&bytes[..]).map(Result::unwrap).collect();
        assert_eq!(read, [shelf()]);
    }),
    ("pools of messages", "", || {
        let pool = tobu::reuse::MessagePool::<Shelf>::new();
        assert_eq!(*pool.decode(SHELF).unwrap(), shelf());
        drop(pool.decode(SHELF).unwrap());
    }),
    ("a closed enum", "", || {
        let closed = tobu::from_slice::<v2::Closed>(b"\x08\x03\x10\x01\x10\x02\x1a\x02\x03\x05").unwrap();
        assert_eq!(
            (closed.level, closed.levels.len(), closed.packed_levels.len()),
            (Some(v2::Level::HIGH), 1, 1)
        );
        assert_eq!(tobu::to_vec(&closed).unwrap(), b"\x08\x03\x10\x01\x1a\x01\x03\x10\x02\x18\x05");
    }),
    ("a required field that is missing", "", || {
        let error = tobu::to_vec(&v2::Required::default()).unwrap_err();
        assert_eq!(error.to_string(), "corpus.v2.Required.id: required field id has no value");
        let error = tobu::from_slice::<v2::Required>(b"\x12\x01a").unwrap_err();
        assert_eq!(error.to_string(), "corpus.v2.Required: required field id has no value");
    }),
    ("lazy messages", "", || {
        use tobu_schemas::corpus_lazy::corpus::v3::Tree;
        let tree = tobu::from_slice::<Tree>(b"\x12\x02\x12\x00").unwrap();
        assert!(tree.left().has_left());
    }),
    ("well-known types", "", || {
        assert_eq!(tobu::to_vec(&Timestamp::new(1000, 0)).unwrap(), b"\x08\xe8\x07");
        assert_eq!(tobu::from_slice::<Empty>(b"").unwrap(), Empty::new());
        assert_eq!(tobu::from_slice::<Any>(b"\x0a\x01a").unwrap().type_url, "a");
    }),
    ("projections of another copy of the file", "corpus2 corpus3", || {
        let projection: Projection = v3::Tree::descriptor().project(&["left"]).unwrap();
        let options = DecodeOptions::new();
        type Opaque = tobu_schemas::corpus_opaque::corpus::v3::Tree;
        let read: Opaque = options.fields(&projection).from_slice(b"\x12\x00").unwrap();
        assert!(read.has_left());
    }),
    ("default instances", "", || assert_eq!(Shelf::default_instance(), &Shelf::default())),
    ("numbers of enums", "", || assert_eq!(Genre::from(1).number(), 1)),
    ("names of enums", "library", || assert_eq!(Genre::FICTION.name(), Some("GENRE_FICTION"))),
    ("enums by their names", "library", || {
        assert_eq!(Genre::from_name("GENRE_FICTION"), Some(Genre::FICTION))
    }),
    ("enums as text", "library", || assert_eq!(Genre::FICTION.to_string(), "GENRE_FICTION")),
    ("enums of text", "library", || assert_eq!("GENRE_FICTION".parse::<Genre>().unwrap(), Genre::FICTION)),
    ("enums for people", "", || assert_eq!(format!("{:?}", Genre::FICTION), "GENRE_FICTION")),
    ("enums in other formats", "library", || {
        assert_eq!(serde_json::to_string(&Genre::FICTION).unwrap(), "\"GENRE_FICTION\"");
    }),
    ("enums of other formats", "library", || {
        assert_eq!(serde_json::from_str::<Genre>("\"GENRE_FICTION\"").unwrap(), Genre::FICTION);
    }),
    ("descriptors", "library", || assert_eq!(Shelf::descriptor().full_name(), "library.v1.Shelf")),
    ("descriptors of enums", "library", || assert_eq!(Genre::descriptor().full_name(), "library.v1.Genre")),
    ("JSON of", "library", || {
        let text =
            r#"{"books":[{"title":"Dune","acquired":"1970-01-01T00:16:40Z","genre":"GENRE_FICTION"}]}"#;
        assert_eq!(json::to_string(&shelf()).unwrap(), text);
    }),
    ("JSON to", "library", || {
        let text =
            r#"{"books":[{"title":"Dune","acquired":"1970-01-01T00:16:40Z","genre":"GENRE_FICTION"}]}"#;
        assert_eq!(json::from_str::<Shelf>(text).unwrap(), shelf());
    }),
    ("JSON into", "library", || {
        let mut shelf = Shelf::default();
        json::merge(&mut shelf, r#"{"books": [{"genre": "GENRE_FICTION"}]}"#).unwrap();
        assert_eq!(shelf.books[0].genre, Genre::FICTION);
    }),
    ("JSON with what is unknown", "library", || {
        assert!(json::from_str::<Shelf>(r#"{"books": [{"colour": 1}]}"#).is_err());
    }),
    ("JSON of extensions", "corpus2 corpus3", || {
        let text = r#"{"[corpus.v2.note]":"x"}"#;
        let message = json::from_str::<v2::Extensible>(text).unwrap();
        assert_eq!(json::to_string(&message).unwrap(), text);
    }),
    ("JSON of what was decoded with extensions", "corpus2 corpus3", || {
        let message = tobu::from_slice::<v2::Extensible>(b"\xa2\x06\x01x").unwrap();
        assert_eq!(json::to_string(&message).unwrap(), r#"{"[corpus.v2.note]":"x"}"#);
    }),
    ("JSON of an Any", "known", || {
        let text = r#"{"any":{"@type":"type.googleapis.com/google.protobuf.Duration","value":"1s"}}"#;
        let known = json::from_str::<Known>(text).unwrap();
        assert_eq!(json::to_string(&known).unwrap(), text);
    }),
    ("text of", "library", || {
        let text =
            "books {\n  title: \"Dune\"\n  acquired {\n    seconds: 1000\n  }\n  genre: GENRE_FICTION\n}\n";
        assert_eq!(text::to_string(&shelf()).unwrap(), text);
    }),
    ("text to", "library", || {
        let text = "books { title: 'Dune' acquired { seconds: 1000 } genre: GENRE_FICTION }";
        assert_eq!(text::from_str::<Shelf>(text).unwrap(), shelf());
    }),
    ("text of groups", "corpus2 corpus3", || {
        let groups = text::from_str::<v2::Groups>("Single { a: 1 } Many { b: 'x' }").unwrap();
        assert_eq!(text::to_string(&groups).unwrap(), "Single {\n  a: 1\n}\nMany {\n  b: \"x\"\n}\n");
    }),
    ("Debug", "", || assert!(format!("{:?}", shelf()).contains("GENRE_FICTION"))),
    ("Debug of oneofs", "", || {
        assert!(format!("{:?}", book::Place::Loan(Loan::default())).contains("Loan"));
    }),
    ("reading by reflection", "library", || {
        let shelf = shelf();
        let books = shelf.as_reflect().get_by_name("books").unwrap();
        assert_eq!(books.as_list().unwrap().len(), 1);
    }),
    ("visiting", "library", || {
        let mut names = Vec::new();
        shelf().as_reflect().visit_fields(&mut |field, _| {
            names.push(field.descriptor().full_name().to_owned());
            true
        });
        assert_eq!(names, ["library.v1.Shelf.books"]);
    }),
    ("visiting with nothing before", "library", || {
        let shelf = shelf();
        let (field, value) = shelf.as_reflect().next_field(0).unwrap();
        let list = value.as_list().unwrap();
        let Some(ValueRef::Message(book)) = list.get(0) else { panic!() };
        let names: Vec<_> = book.fields().map(|(field, _)| field.name().to_owned()).collect();
        assert_eq!((field.name(), names), ("books", vec!["title".into(), "acquired".into(), "genre".into()]));
    }),
    ("writing by reflection", "library", || {
        let mut shelf = shelf();
        shelf.as_reflect_mut().set_by_name("theme", Value::from("x")).unwrap();
        assert_eq!(shelf.theme.as_deref(), Some("x"));
    }),
    ("defaults by reflection", "corpus2 corpus3", || {
        let defaults = v2::Defaults::default();
        assert_eq!(defaults.as_reflect().get_by_name("number").unwrap(), ValueRef::I32(-7));
        assert_eq!(defaults.as_reflect().get_by_name("level").unwrap(), ValueRef::Enum(3));
    }),
    ("wrapping for reflection", "library", || {
        let mut reflection = shelf().reflect();
        reflection.clear_all();
        assert_eq!(reflection.absorb(), Shelf::default());
    }),
    ("extensions", "corpus2 corpus3", || {
        let mut message = v2::Extensible::default();
        message.as_reflect_mut().set_extension(&v2::NOTE, "x".to_owned()).unwrap();
        assert_eq!(message.as_reflect().extension(&v2::NOTE).unwrap(), Some("x".to_owned()));
    }),
    ("merging of messages", "library", || {
        let mut into = Shelf::default();
        into.merge_from(&shelf()).unwrap();
        assert_eq!(into, shelf());
    }),
    ("differences", "library", || {
        let (a, b) = (shelf(), Shelf::default());
        assert!(!a.as_reflect().diff(b.as_reflect()).is_empty());
    }),
    ("dynamic from typed", "library", || {
        let dynamic = shelf().into_dynamic().unwrap();
        assert_eq!(dynamic.absorb::<Shelf>().unwrap(), shelf());
    }),
    ("packing into an Any", "library", || {
        let any = Any::pack(&shelf()).unwrap();
        assert!(any.is::<Shelf>());
        assert_eq!(any.unpack::<Shelf>().unwrap(), shelf());
    }),
    ("what an Any is", "library", || assert!(!Any::default().is::<Shelf>())),
    ("unpacking of an Any", "library", || {
        let any = Any::new("type.googleapis.com/library.v1.Shelf", SHELF.to_vec());
        assert_eq!(any.unpack::<Shelf>().unwrap(), shelf());
    }),
    ("the serializer", "library", || {
        let mut serializer = Serializer::of::<Shelf>().unwrap();
        shelf().serialize(&mut serializer).unwrap();
        assert_eq!(serializer.finish().unwrap(), SHELF);
    }),
    ("the deserializer", "library", || {
        let mut deserializer = Deserializer::of::<Shelf>(SHELF).unwrap();
        let read: Shelf = serde::Deserialize::deserialize(&mut deserializer).unwrap();
        assert_eq!(read, shelf());
    }),
    ("described streams", "library", || {
        let mut writer = described::Writer::new(Vec::new());
        writer.write(&shelf()).unwrap();
        writer.finish().unwrap();
        let bytes = writer.into_inner();
        let mut reader = described::Reader::new(&bytes[..]);
        assert_eq!(reader.messages::<Shelf>().next().unwrap().unwrap(), shelf());
    }),
    ("projections", "library", || {
        let projection: Projection = Shelf::descriptor().project(&["books.title"]).unwrap();
        let read: Shelf = DecodeOptions::new().fields(&projection).from_slice(SHELF).unwrap();
        assert_eq!(read.books[0], Book { title: "Dune".into(), ..Book::default() });
    }),
    ("JSON of other libraries", "library", || {
        let text = serde_json::to_string(&shelf()).unwrap();
        assert_eq!(serde_json::from_str::<Shelf>(&text).unwrap(), shelf());
    }),
    ("reading JSON by other libraries", "library", || {
        assert_eq!(serde_json::from_str::<Shelf>("{\"theme\": \"x\"}").unwrap().theme.as_deref(), Some("x"));
    }),
    ("binary formats of other libraries", "library", || {
        let bytes = postcard::to_stdvec(&shelf()).unwrap();
        assert_eq!(postcard::from_bytes::<Shelf>(&bytes).unwrap(), shelf());
    }),
    ("in types of serde's", "library", || {
        let envelope = Envelope { book: shelf().books.remove(0) };
        let text = serde_json::to_string(&envelope).unwrap();
        assert_eq!(serde_json::from_str::<Envelope>(&text).unwrap(), envelope);
    }),
    ("oneofs alone", "", || {
        let kind = known_choice::Kind::Any(Any::default());
        assert_eq!(serde_json::to_string(&kind).unwrap(), r#"{"Any":{}}"#);
    }),
    ("oneofs alone, read", "", || {
        let kind: known_choice::Kind = serde_json::from_str(r#"{"Time":"1970-01-01T00:16:40Z"}"#).unwrap();
        assert_eq!(kind, known_choice::Kind::Time(Timestamp::new(1000, 0)));
        drop(KnownChoice { kind: Some(kind), ..Default::default() });
    }),
    ("oneofs with messages of the file", "library", || {
        let place = book::Place::Loan(Loan { reader: "a".into(), ..Loan::default() });
        assert_eq!(serde_json::to_string(&place).unwrap(), r#"{"Loan":{"reader":"a"}}"#);
    }),
    ("declared types", "library", || {
        let visit = Visit {
            at: Some(Timestamp::new(1, 0)),
            books: shelf().books,
            genre: Genre::SCIENCE,
            by_day: [(1, Loan::default())].into(),
            place: Some(Place::Loan(Loan::default())),
        };
        let bytes = tobu::to_vec(&visit).unwrap();
        assert_eq!(tobu::from_slice::<Visit>(&bytes).unwrap(), visit);
        let text = json::to_string(&visit).unwrap();
        assert_eq!(json::from_str::<Visit>(&text).unwrap(), visit);
    }),
    ("declared types with generated oneofs", "library", || {
        let stay = Stay { place: Some(book::Place::Loan(Loan::default())) };
        let bytes = tobu::to_vec(&stay).unwrap();
        assert_eq!(tobu::from_slice::<Stay>(&bytes).unwrap(), stay);
    }),
    ("types of run-time schemas with enums that were decoded", "", || {
        let book = tobu::from_slice::<Book>(b"\x28\x01").unwrap();
        let text = json::to_string(&Kind { genre: book.genre }).unwrap();
        assert_eq!(text, r#"{"genre":"GENRE_FICTION"}"#);
    }),
    ("dynamic messages", "library", || {
        let dynamic = DynamicMessage::decode(&Shelf::descriptor(), SHELF).unwrap();
        assert_eq!(EncodeOptions::new().to_vec(&dynamic).unwrap(), SHELF);
    }),
    ("values of messages", "library corpus2 corpus3", || {
        let tree = v3::Tree { left: Some(Box::default()), ..Default::default() };
        assert_eq!(tree.as_reflect().to_string(), "left {}");
        let _ = Shelf::descriptor();
    }),
];

#[test]
fn each_verb_in_a_process_of_its_own() {
    if let Ok(verb) = std::env::var(VERB) {
        let (_, registers, use_it) = VERBS.iter().find(|(name, ..)| *name == verb).unwrap();
        assert_eq!(registered(), "");
        use_it();
        assert_eq!(registered(), *registers, "registered");
        return;
    }
    let mut failures = String::new();
    for (verb, ..) in VERBS {
        let mut child = Command::new(std::env::current_exe().unwrap());
        let output = child
            .args(["--exact", "alone::each_verb_in_a_process_of_its_own"])
            .env(VERB, verb)
            .env("RUST_BACKTRACE", "0")
            .output()
            .unwrap();
        let out = String::from_utf8_lossy(&output.stdout);
        if !output.status.success() || !out.contains("1 passed") {
            let reason = out.split("panicked at").nth(1).and_then(|rest| rest.split("note:").next());
            failures += &format!("\n{verb}: {}", reason.unwrap_or(&out));
        }
    }
    assert!(failures.is_empty(), "{failures}");
}
