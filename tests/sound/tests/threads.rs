//! The first use of tables by several threads: all threads see the data complete. Miri detects data races.

use std::collections::BTreeMap;
use std::sync::Barrier;
use tobu::reflect::MapKeyRef;
use tobu::{DynamicMessage, Message, json};

#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "threads")]
struct One {
    #[tobu(1)]
    number: i32,
    #[tobu(2)]
    other: Option<Box<Other>>,
}

#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "threads")]
struct Other {
    #[tobu(1)]
    ones: Vec<One>,
    #[tobu(2)]
    named: BTreeMap<String, Other>,
}

#[test]
fn tables_are_made_once() {
    let wire = b"\x08\x05\x12\x0b\x0a\x02\x08\x01\x12\x05\x0a\x01k\x12\x00";
    let start = Barrier::new(5);
    let outcomes: Vec<Vec<u8>> = std::thread::scope(|scope| {
        let threads = [0, 1, 1, 2, 3].map(|number| {
            let start = &start;
            scope.spawn(move || {
                start.wait();
                match number {
                    0 => tobu::from_slice::<One>(wire).and_then(|one| tobu::to_vec(&one)),
                    1 => tobu::from_slice::<One>(wire).and_then(|one| {
                        let other = one.as_reflect().get_by_name("other")?.as_message().unwrap();
                        let named = other.get_by_name("named")?.as_map().unwrap();
                        assert!(named.get(MapKeyRef::Str("k")).is_some());
                        tobu::to_vec(&one)
                    }),
                    2 => DynamicMessage::decode(&One::descriptor(), wire).and_then(|one| one.encode_to_vec()),
                    _ => json::from_str::<One>(
                        r#"{"number":5,"other":{"ones":[{"number":1}],"named":{"k":{}}}}"#,
                    )
                    .and_then(|one| tobu::to_vec(&one)),
                }
                .unwrap()
            })
        });
        threads.map(|thread| thread.join().unwrap()).into()
    });
    assert_eq!(outcomes, [wire; 5]);
}
