//! Data built on first use, by many threads at once: tables of types and of run-time schemas, pools, default instances.
//! All get the same data. Under ThreadSanitizer a race would be seen even where the outcome is right.

use std::sync::Barrier;
use tobu::reflect::{MapKeyRef, ValueMut};
use tobu::{DefaultInstance, DynamicMessage, Message, Pool, convert, json, text};
use tobu_schemas::corpus::corpus::{v2, v3};
use tobu_schemas::known::json::v1::Known;
use tobu_schemas::library::v1::{Book, Shelf};

/// How many threads start at once.
const THREADS: usize = 8;

/// Runs the same on all threads, each of which is given its number; all outcomes are equal.
#[track_caller]
fn at_once<T: PartialEq + std::fmt::Debug + Send>(run: impl Fn(usize) -> T + Sync) {
    let start = Barrier::new(THREADS);
    let outcomes: Vec<T> = std::thread::scope(|scope| {
        let threads = (0..THREADS).map(|number| {
            let (start, run) = (&start, &run);
            scope.spawn(move || {
                start.wait();
                run(number)
            })
        });
        let threads: Vec<_> = threads.collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    assert!(outcomes.windows(2).all(|pair| pair[0] == pair[1]), "{outcomes:?}");
}

#[test]
fn tables_of_types() {
    // Each thread gets the table of a type by another verb.
    at_once(|number| match number % 4 {
        0 => tobu::from_slice::<v3::Tree>(b"\x12\x02\x12\x00").and_then(|tree| tobu::to_vec(&tree)).unwrap(),
        1 => json::from_str::<v3::Tree>(r#"{"left":{"left":{}}}"#)
            .and_then(|tree| tobu::to_vec(&tree))
            .unwrap(),
        2 => text::from_str::<v3::Tree>("left { left {} }").and_then(|tree| tobu::to_vec(&tree)).unwrap(),
        _ => DynamicMessage::decode(&v3::Tree::descriptor(), b"\x12\x02\x12\x00")
            .unwrap()
            .encode_to_vec()
            .unwrap(),
    });
    at_once(|_| {
        let mut shelf = Shelf::default();
        tobu::merge(&mut shelf, b"\x1a\x06\x0a\x04Dune\x22\x05\x0a\x01a\x10\x01").unwrap();
        json::to_string(&shelf).unwrap()
    });
    at_once(|_| format!("{:?}", v2::Groups::default().as_reflect()));
    at_once(|_| {
        let mut known = Known::default();
        known
            .as_reflect_mut()
            .set_by_name(
                "any",
                tobu::reflect::Value::from(DynamicMessage::new(&tobu::types::Any::descriptor()).unwrap()),
            )
            .unwrap();
        tobu::encoded_len(&known).unwrap()
    });
}

#[test]
fn default_instances() {
    at_once(|_| std::ptr::from_ref(Book::default_instance()).addr());
    at_once(|_| std::ptr::from_ref(v3::Scalars::default_instance()).addr());
    at_once(|_| Book::descriptor());
    // Registered here: another test may register it while the threads look.
    tobu::types::Any::descriptor();
    at_once(|_| Pool::global().file("google/protobuf/any.proto").is_some());
}

/// Every schema that is known here, loaded anew, so that its tables are, too.
#[test]
fn tables_of_run_time_schemas() {
    v3::Tree::descriptor();
    v2::Required::descriptor();
    Known::descriptor();
    let set = Pool::global().to_descriptor_set();
    for _ in 0..4 {
        let pool = Pool::from_descriptor_set(&set).unwrap();
        let names: Vec<_> = pool.messages().map(|message| message.full_name().to_owned()).collect();
        at_once(|number| {
            let mut lens = vec![0; names.len()];
            // Each thread starts at another message.
            for index in (0..names.len()).map(|index| (index + number * names.len() / THREADS) % names.len())
            {
                let message = pool.message(&names[index]).unwrap();
                let mut out = Vec::new();
                let done = convert::wire_to_json(&message, b"", &mut out);
                let decoded = DynamicMessage::decode(&message, b"\xfa\xff\xff\xff\x0f\x01a")
                    .map(|message| message.encoded_len());
                lens[index] = out.len() + usize::from(done.is_ok()) + decoded.unwrap_or(0);
            }
            lens
        });
    }
}

#[test]
fn maps_of_types_that_are_reflected() {
    at_once(|number| {
        let mut maps = v3::Maps::default();
        let message = maps.as_reflect_mut();
        let fields: Vec<_> = message.message_descriptor().fields().filter(|field| field.is_map()).collect();
        assert!(!fields.is_empty());
        // Each thread starts at another map.
        for index in 0..fields.len() {
            let field = &fields[(index + number) % fields.len()];
            match message.get_mut(field).unwrap() {
                ValueMut::Map(mut map) => assert!(!map.remove(MapKeyRef::Str("none"))),
                _ => panic!("{}", field.full_name()),
            }
        }
        fields.len()
    });
}

#[test]
fn pools() {
    tobu::types::Any::descriptor();
    let set = Pool::global().to_descriptor_set();
    let pool = Pool::from_descriptor_set(&set).unwrap();
    // Clones share their data, and are extended independently.
    at_once(|_| {
        let mut clone = pool.clone();
        clone.add_file(b"\x0a\x07a.proto\x22\x03\x0a\x01M").unwrap();
        (clone.files().len(), clone.message("M").is_some(), pool.message("M").is_none())
    });
    // The last handle of a pool is dropped by whichever thread.
    let message = pool.message("google.protobuf.Any").unwrap();
    drop(pool);
    let messages = std::sync::Mutex::new(vec![message; THREADS]);
    at_once(|_| {
        let message = messages.lock().unwrap().pop().unwrap();
        DynamicMessage::decode(&message, b"\x0a\x01a").unwrap().encode_to_vec().unwrap()
    });
}
