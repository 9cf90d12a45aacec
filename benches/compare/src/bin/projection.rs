//! Three of the forty fields of a message: read alone, next to reading all of it.
//!
//! ```console
//! $ cargo run --release --manifest-path benches/compare/Cargo.toml --bin projection
//! ```
//!
//! `--write` keeps the table in `benches/RESULTS.md`.

use bytes::Bytes;
use std::error::Error;
use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Duration;
use tobu::MessageDescriptorExt;
use tobu::{DecodeOptions, Deserialize, DynamicMessage, Message, Serialize, convert, json};
use tobu_compare::{least, sections};

/// The passes of a turn, and the number of turns.
const PASSES: usize = 200;
const TURNS: u32 = 300;

#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
struct Point {
    #[tobu(1)]
    x: i32,
    #[tobu(2)]
    y: i32,
    #[tobu(3, fixed32)]
    z: u32,
}

#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
struct Person {
    #[tobu(1)]
    name: String,
    #[tobu(2)]
    mail: Option<String>,
    #[tobu(3)]
    age: i32,
    #[tobu(4)]
    at: Option<Point>,
    #[tobu(5)]
    friends: Vec<Person>,
}

#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
struct Forty {
    #[tobu(1)]
    number_1: i64,
    #[tobu(2)]
    person_1: Option<Person>,
    #[tobu(3)]
    names_1: Vec<String>,
    #[tobu(4)]
    people_1: Vec<Person>,
    #[tobu(5)]
    ids_1: Vec<i32>,
    #[tobu(6)]
    weight_1: f64,
    #[tobu(7)]
    blob_1: Vec<u8>,
    #[tobu(8)]
    text_1: String,
    #[tobu(9)]
    number_2: i64,
    #[tobu(10)]
    person_2: Option<Person>,
    #[tobu(11)]
    names_2: Vec<String>,
    #[tobu(12)]
    people_2: Vec<Person>,
    #[tobu(13)]
    ids_2: Vec<i32>,
    #[tobu(14)]
    weight_2: f64,
    #[tobu(15)]
    blob_2: Vec<u8>,
    #[tobu(16)]
    text_2: String,
    #[tobu(17)]
    number_3: i64,
    #[tobu(18)]
    person_3: Option<Person>,
    #[tobu(19)]
    names_3: Vec<String>,
    #[tobu(20)]
    people_3: Vec<Person>,
    #[tobu(21)]
    ids_3: Vec<i32>,
    #[tobu(22)]
    weight_3: f64,
    #[tobu(23)]
    blob_3: Vec<u8>,
    #[tobu(24)]
    text_3: String,
    #[tobu(25)]
    number_4: i64,
    #[tobu(26)]
    person_4: Option<Person>,
    #[tobu(27)]
    names_4: Vec<String>,
    #[tobu(28)]
    people_4: Vec<Person>,
    #[tobu(29)]
    ids_4: Vec<i32>,
    #[tobu(30)]
    weight_4: f64,
    #[tobu(31)]
    blob_4: Vec<u8>,
    #[tobu(32)]
    text_4: String,
    #[tobu(33)]
    number_5: i64,
    #[tobu(34)]
    person_5: Option<Person>,
    #[tobu(35)]
    names_5: Vec<String>,
    #[tobu(36)]
    people_5: Vec<Person>,
    #[tobu(37)]
    ids_5: Vec<i32>,
    #[tobu(38)]
    weight_5: f64,
    #[tobu(39)]
    blob_5: Vec<u8>,
    #[tobu(40)]
    text_5: String,
}

/// The fields that are read of it.
#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
struct Three {
    #[tobu(1)]
    number_1: i64,
    #[tobu(16)]
    text_2: String,
    #[tobu(39)]
    blob_5: Vec<u8>,
}

fn person(number: usize, friends: usize) -> Person {
    let friend = Person { name: "f".into(), ..Person::default() };
    Person {
        name: format!("person {number}"),
        mail: Some("a@b.c".into()),
        age: number as i32,
        at: Some(Point { x: 1, y: 300, z: 7 }),
        friends: vec![friend; friends],
    }
}

/// A message whose lists have four elements or so for each of `size`, and whose people have twice as many friends.
fn forty(size: usize) -> Forty {
    let person = |number| person(number, 2 * size);
    let (names, people, ids, blob) = (5 * size, 4 * size, 40 * size as i32, 100 * size);
    Forty {
        number_1: 1_234_567,
        person_1: Some(person(3)),
        names_1: vec!["abcdef".into(); names],
        people_1: (0..people).map(person).collect(),
        ids_1: (0..ids).collect(),
        weight_1: 1.5,
        blob_1: vec![7; blob],
        text_1: "a text of some thirty characters".into(),
        number_2: 1_234_567,
        person_2: Some(person(3)),
        names_2: vec!["abcdef".into(); names],
        people_2: (0..people).map(person).collect(),
        ids_2: (0..ids).collect(),
        weight_2: 1.5,
        blob_2: vec![7; blob],
        text_2: "a text of some thirty characters".into(),
        number_3: 1_234_567,
        person_3: Some(person(3)),
        names_3: vec!["abcdef".into(); names],
        people_3: (0..people).map(person).collect(),
        ids_3: (0..ids).collect(),
        weight_3: 1.5,
        blob_3: vec![7; blob],
        text_3: "a text of some thirty characters".into(),
        number_4: 1_234_567,
        person_4: Some(person(3)),
        names_4: vec!["abcdef".into(); names],
        people_4: (0..people).map(person).collect(),
        ids_4: (0..ids).collect(),
        weight_4: 1.5,
        blob_4: vec![7; blob],
        text_4: "a text of some thirty characters".into(),
        number_5: 1_234_567,
        person_5: Some(person(3)),
        names_5: vec!["abcdef".into(); names],
        people_5: (0..people).map(person).collect(),
        ids_5: (0..ids).collect(),
        weight_5: 1.5,
        blob_5: vec![7; blob],
        text_5: "a text of some thirty characters".into(),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    tobu_compare::heap::keep_what_is_freed();
    let write = std::env::args().any(|argument| argument == "--write");
    let mut table = String::from(
        "| what | bytes | whole ns | 3 of 40 ns | times faster |\n| --- | --: | --: | --: | --: |\n",
    );
    for size in [1, 8] {
        measure(&forty(size), &mut table)?;
    }
    println!("{table}");
    if write {
        sections::write("projection", &format!("{ABOUT}\n{}.\n\n{table}", sections::machine()))?;
    }
    Ok(())
}

/// Adds the rows of one message to the table.
fn measure(message: &Forty, table: &mut String) -> Result<(), Box<dyn Error>> {
    let bytes = tobu::to_vec(message)?;
    let shared = Bytes::from(bytes.clone());
    let descriptor = Forty::descriptor();
    let part = descriptor.project(&["number_1", "text_2", "blob_5"])?;
    let some = DecodeOptions::new().fields(&part);
    let three = tobu::to_vec(&tobu::from_slice::<Three>(&bytes)?)?;
    assert_eq!(tobu::to_vec(&some.from_slice::<Forty>(&bytes)?)?, three, "another part is read");
    assert_eq!(some.decode_dynamic_bytes(shared.clone())?.encode_to_vec()?, three, "another part is read");

    let decode = |bytes: &Bytes| DynamicMessage::decode_bytes(&descriptor, bytes.clone());
    let json = json::Options::new();
    let (mut whole_text, mut some_text) = (Vec::new(), Vec::new());
    let mut runs: Vec<least::Run<'_>> = vec![
        passes(|| drop(black_box(tobu::from_slice::<Forty>(&bytes).expect("a message")))),
        passes(|| drop(black_box(some.from_slice::<Forty>(&bytes).expect("a message")))),
        passes(|| drop(black_box(tobu::from_slice::<Three>(&bytes).expect("a message")))),
        passes(|| drop(black_box(decode(&shared).expect("a message")))),
        passes(|| drop(black_box(some.decode_dynamic_bytes(shared.clone()).expect("a message")))),
        passes(|| {
            whole_text.clear();
            convert::wire_to_json(&descriptor, &bytes, &mut whole_text).expect("a message");
            black_box(&whole_text);
        }),
        passes(|| {
            some_text.clear();
            convert::wire_to_json_projected(&part, &bytes, &mut some_text, &json).expect("a message");
            black_box(&some_text);
        }),
    ];
    let times = least::least(&mut runs, TURNS, Duration::MAX);
    let [typed, typed_some, typed_three, dynamic, dynamic_some, text, text_some] = times[..] else {
        return Err("as many times as runs".into());
    };
    for (what, whole, some) in [
        ("typed", typed, typed_some),
        ("typed, into a struct of the three", typed, typed_three),
        ("dynamic", dynamic, dynamic_some),
        ("wire to JSON", text, text_some),
    ] {
        let nanoseconds = |time: Duration| time.as_secs_f64() * 1e9 / PASSES as f64;
        let (whole, some) = (nanoseconds(whole), nanoseconds(some));
        let faster = whole / some;
        writeln!(table, "| {what} | {} | {whole:.0} | {some:.0} | {faster:.1} |", bytes.len())?;
    }
    Ok(())
}

const ABOUT: &str = "\
## projection

Three of the forty fields of a message: read alone, next to reading all of it, by
`benches/compare/streams --write`. What is skipped are numbers, texts, lists and nested messages. Of the two messages one
is small, of 2 KB, with up to five strings or messages in a list. The other is large, of 27 KB, with eight times as many.
A field is skipped with all that is in it, so that the large message gains more. A figure is the shortest of many short turns.
";

fn passes<'a>(mut run: impl FnMut() + 'a) -> least::Run<'a> {
    Box::new(move || (0..PASSES).for_each(|_| run()))
}
