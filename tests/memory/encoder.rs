//! Encoders allocate nothing once their buffers have grown.

use crate::counting::calls;
use tobu::Message;
use tobu::dynamic::{Encoder, List, Map, Nested};
use tobu_schemas::corpus::corpus::v3;

#[test]
fn records_ask_for_no_memory() {
    let mut encoder = Encoder::new(&v3::Tree::descriptor()).unwrap().by_number(true);
    encoder.disable("leaf.b").unwrap();
    let name = encoder.field::<str>("name").unwrap();
    let left = encoder.field::<Nested>("left").unwrap();
    let children = encoder.field::<List<Nested>>("children").unwrap();
    let named = encoder.field::<Map<str, Nested>>("named").unwrap();
    let leaf = encoder.field::<Nested>("leaf").unwrap();
    let (a, b) = (leaf.field::<i32>("a").unwrap(), leaf.field::<str>("b").unwrap());
    let c = leaf.field::<List<i32>>("c").unwrap();
    // Long enough that lengths of lengths are not guessed, and are put in at the end.
    let long = "x".repeat(20_000);
    let mut out = Vec::new();
    let mut write = |delimited: bool| {
        out.clear();
        let mut record = match delimited {
            true => encoder.record_delimited(&mut out),
            false => encoder.record(&mut out),
        };
        record.put_message(&leaf, |leaf| {
            leaf.put(&b, "disabled");
            leaf.put(&a, 7);
            leaf.put_list(&c, 0..100);
        });
        record.put_messages(&children, 0..10, |child, at| {
            if at % 3 == 0 {
                child.put_message(&left, |left| left.put(&name, &long));
            }
            child.put(&name, "child");
        });
        record.put_message_map(&named, [("a", 1), ("b", 2)], |message, at| {
            message.put_message(&leaf, |leaf| leaf.put(&a, at));
        });
        record.put(&name, "root");
        record.finish().unwrap();
        out.len()
    };
    let wanted = [true, false].map(&mut write);
    for (delimited, len) in [true, false].into_iter().zip(wanted) {
        assert_eq!(calls(|| write(delimited)), (0, len), "{delimited}");
    }
}
