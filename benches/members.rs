//! What a value costs by the Rust type of its member: a table of nanoseconds, to find types that take a slow way.
//!
//! `cargo bench --bench members`, or with `-- map` for the rows whose names have that in them. Each figure is the least of
//! some turns over a message of four such members, divided by how many values these hold.

use bytes::Bytes;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tobu::{Deserialize, Enumeration, Merge, Message, Serialize, VecMap, json};

#[derive(Clone, Copy, Debug, Default, PartialEq, Enumeration, Serialize, Deserialize)]
#[tobu(package = "members")]
enum Color {
    #[default]
    Red = 0,
    Blue = 1,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Enumeration, Serialize, Deserialize)]
#[tobu(package = "members", values(LOW = 0, HIGH = 1))]
struct Level(i32);

#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "members")]
struct Point {
    #[tobu(1)]
    x: i32,
    #[tobu(2)]
    y: i64,
}

#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "members")]
struct Named {
    #[tobu(1)]
    id: i32,
    #[tobu(2)]
    name: String,
}

/// How the table is made.
struct Table {
    /// Only rows whose names have this in them.
    part: Option<String>,
    /// How long a turn takes; nothing runs more than once where that is no time.
    turn: Duration,
}

impl Table {
    /// Nanoseconds for a call.
    fn time<R>(&self, call: impl Fn() -> R) -> f64 {
        let turn = |calls: u32| {
            let start = Instant::now();
            (0..calls).for_each(|_| drop(black_box(call())));
            start.elapsed()
        };
        let mut calls = 1;
        while turn(calls) < self.turn {
            calls *= 2;
        }
        let least = (0..5).map(|_| turn(calls)).min().unwrap_or_default();
        least.as_secs_f64() * 1e9 / f64::from(calls)
    }

    /// Prints a row for a message, which holds so many values.
    fn row<'de, T>(&self, name: &str, values: usize, bytes: &'de [u8], text: &'de str)
    where
        T: Message + Serialize + Deserialize<'de> + Merge<'de> + PartialEq + Debug,
    {
        if self.part.as_ref().is_some_and(|part| !name.contains(&**part)) {
            return;
        }
        let message: T = tobu::from_slice(bytes).expect("decodes");
        assert_eq!(json::from_str::<T>(text).expect("parses"), message, "{name}");
        let used = std::cell::RefCell::new(tobu::from_slice::<T>(bytes).expect("decodes"));
        let each = [
            self.time(|| tobu::from_slice::<T>(bytes)),
            self.time(|| tobu::from_slice_in_place(&mut *used.borrow_mut(), bytes)),
            self.time(|| tobu::to_vec(&message)),
            self.time(|| json::to_vec(&message)),
            self.time(|| json::from_str::<T>(text)),
        ];
        assert_eq!(*used.borrow(), message, "{name}");
        let each = each.map(|time| format!("{:8.1}", time / values as f64)).join("");
        println!("{name:<20}{:>6}{each}", bytes.len());
    }
}

/// Declares a message of four members for each row, and prints it.
macro_rules! rows {
    ($table:ident; $($name:literal, $ty:ty, $value:expr $(, $as:meta)?;)*) => {$({
        #[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
        #[tobu(package = $name)]
        struct Four {
            #[tobu(1 $(, $as)?)]
            a: $ty,
            #[tobu(2 $(, $as)?)]
            b: $ty,
            #[tobu(3 $(, $as)?)]
            c: $ty,
            #[tobu(4 $(, $as)?)]
            d: $ty,
        }

        let (value, values): ($ty, usize) = $value;
        let four = Four { a: value.clone(), b: value.clone(), c: value.clone(), d: value };
        let (bytes, text) = (tobu::to_vec(&four).expect("encodes"), json::to_string(&four).expect("prints"));
        $table.row::<Four>($name, 4 * values, &bytes, &text);
    })*};
    // The same of types that borrow.
    (borrowed $table:ident; $($name:literal, $ty:ty, $value:expr;)*) => {$({
        #[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
        #[tobu(package = $name)]
        struct Four<'a> {
            #[tobu(1)]
            a: $ty,
            #[tobu(2)]
            b: $ty,
            #[tobu(3)]
            c: $ty,
            #[tobu(4)]
            d: $ty,
            #[tobu(skip)]
            lifetime: std::marker::PhantomData<&'a ()>,
        }

        fn four<'a>((value, values): ($ty, usize)) -> (Four<'a>, usize) {
            let [a, b, c] = [value.clone(), value.clone(), value.clone()];
            (Four { a, b, c, d: value, ..Four::default() }, values)
        }

        let (four, values) = four($value);
        let (bytes, text) = (tobu::to_vec(&four).expect("encodes"), json::to_string(&four).expect("prints"));
        $table.row::<Four<'_>>($name, 4 * values, &bytes, &text);
    })*};
}

const TEXT: &str = "hello world";

/// Some values, and how many.
fn list<T: Clone, L: FromIterator<T>>(value: T) -> (L, usize) {
    (vec![value; 8].into_iter().collect(), 8)
}

/// Some entries, and how many.
fn numbered<V: Clone, M: FromIterator<(i32, V)>>(value: V) -> (M, usize) {
    ((1..=8).map(|key| (key, value.clone())).collect(), 8)
}

/// The same with keys that are strings.
fn named<V: Clone, M: FromIterator<(&'static str, V)>>(value: V) -> (M, usize) {
    (["a", "b", "c", "d", "e", "f", "g", "h"].map(|key| (key, value.clone())).into_iter().collect(), 8)
}

fn owned<V: Clone, M: FromIterator<(String, V)>>(value: V) -> (M, usize) {
    let (entries, len): (Vec<(&str, V)>, usize) = named(value);
    (entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect(), len)
}

fn numbers(table: &Table) {
    rows! { table;
        "int32", i32, (123_456, 1);
        "int32_negative", i32, (-5, 1);
        "sint32", i32, (-123_456, 1), sint32;
        "fixed32", u32, (123_456, 1), fixed32;
        "uint64", u64, (123_456_789_012, 1);
        "bool", bool, (true, 1);
        "double", f64, (1.5, 1);
        "closed_enum", Color, (Color::Blue, 1);
        "open_enum", Level, (Level(1), 1);
        "maybe_int32", Option<i32>, (Some(123_456), 1);
        "maybe_bool", Option<bool>, (Some(true), 1);
        "maybe_double", Option<f64>, (Some(1.5), 1);
        "maybe_closed_enum", Option<Color>, (Some(Color::Blue), 1);
        "maybe_open_enum", Option<Level>, (Some(Level(1)), 1);
        "list_int32", Vec<i32>, list(300);
        "list_sint64", Vec<i64>, list(-300), sint64;
        "list_double", Vec<f64>, list(1.5);
        "list_bool", Vec<bool>, list(true);
        "list_closed_enum", Vec<Color>, list(Color::Blue);
        "list_open_enum", Vec<Level>, list(Level(1));
    }
}

fn texts(table: &Table) {
    rows! { table;
        "string", String, (TEXT.into(), 1);
        "box_str", Box<str>, (TEXT.into(), 1);
        "arc_str", Arc<str>, (TEXT.into(), 1);
        "bytes_vec", Vec<u8>, (TEXT.into(), 1);
        "bytes", Bytes, (TEXT.into(), 1);
        "maybe_string", Option<String>, (Some(TEXT.into()), 1);
        "maybe_box_str", Option<Box<str>>, (Some(TEXT.into()), 1);
        "maybe_bytes_vec", Option<Vec<u8>>, (Some(TEXT.into()), 1);
        "maybe_bytes", Option<Bytes>, (Some(TEXT.into()), 1);
        "list_string", Vec<String>, list(TEXT.into());
        "list_box_str", Vec<Box<str>>, list(TEXT.into());
        "list_bytes_vec", Vec<Vec<u8>>, list(TEXT.into());
        "list_bytes", Vec<Bytes>, list(TEXT.into());
    }
    rows! { borrowed table;
        "str", &'a str, (TEXT, 1);
        "cow_str", Cow<'a, str>, (Cow::from(TEXT), 1);
        "cow_bytes", Cow<'a, [u8]>, (Cow::from(TEXT.as_bytes()), 1);
        "maybe_str", Option<&'a str>, (Some(TEXT), 1);
        "maybe_cow_str", Option<Cow<'a, str>>, (Some(Cow::from(TEXT)), 1);
        "list_str", Vec<&'a str>, list(TEXT);
        "list_cow_str", Vec<Cow<'a, str>>, list(Cow::from(TEXT));
        "map_str_str", VecMap<&'a str, &'a str>, named(TEXT);
        "map_str_int64", VecMap<&'a str, i64>, named(5);
        "hash_map_str_str", HashMap<&'a str, &'a str>, named(TEXT);
    }
}

fn maps_and_messages(table: &Table) {
    rows! { table;
        "map_string_string", HashMap<String, String>, owned(TEXT.into());
        "map_string_bytes", HashMap<String, Bytes>, owned(TEXT.into());
        "map_string_int64", HashMap<String, i64>, owned(5);
        "map_string_double", HashMap<String, f64>, owned(1.5);
        "map_string_enum", HashMap<String, Color>, owned(Color::Blue);
        "map_int32_string", HashMap<i32, String>, numbered(TEXT.into());
        "map_int32_int32", HashMap<i32, i32>, numbered(5);
        "btree_int32_int32", BTreeMap<i32, i32>, numbered(5);
        "vec_map_int32_int32", VecMap<i32, i32>, numbered(5);
        "map_string_message", HashMap<String, Named>, owned(Named { id: 1, name: "x".into() });
        "message", Named, (Named { id: 1, name: "x".into() }, 1);
        "maybe_message", Option<Named>, (Some(Named { id: 1, name: "x".into() }), 1);
        "box_message", Option<Box<Named>>, (Some(Box::new(Named { id: 1, name: "x".into() })), 1);
        "maybe_numbers", Option<Point>, (Some(Point { x: 1, y: 2 }), 1);
        "list_message", Vec<Named>, list(Named { id: 1, name: "x".into() });
        "list_box_message", Vec<Box<Named>>, list(Box::new(Named { id: 1, name: "x".into() }));
        "list_numbers", Vec<Point>, list(Point { x: 1, y: 2 });
    }
}

fn main() {
    let (mut part, mut turn) = (None, Duration::from_millis(5));
    for arg in std::env::args().skip(1) {
        match &*arg {
            "--test" => turn = Duration::ZERO,
            "--bench" => {}
            _ => part = Some(arg),
        }
    }
    let table = Table { part, turn };
    let titles = ["bytes", "decode", "reuse", "encode", "print", "parse"];
    println!(
        "{:<20}{:>6}{}",
        "ns per value",
        titles[0],
        titles[1..].iter().map(|title| format!("{title:>8}")).collect::<String>()
    );
    numbers(&table);
    texts(&table);
    maps_and_messages(&table);
}
