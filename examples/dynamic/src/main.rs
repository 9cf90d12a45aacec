//! Uses a schema that the program loads while it runs. No Rust type is generated for the schema.

use serde::Deserialize;
use std::path::Path;
use tobu::convert::{json_to_wire, wire_to_json};
use tobu::{DynamicMessage, MessageDescriptorExt};

const ORDER: &str = r#"{"id":"A-17","items":[{"name":"tea","quantity":2,"price":"450"},{"name":"cup","quantity":1,"price":"1200"}]}"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The pool holds the descriptors. Here they come from .proto files; they can also come from a descriptor set or from a
    // server's reflection service.
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("proto");
    let pool = tobu_build::load(&[directory.join("shop/v1/order.proto")], &[directory])?;
    let order = pool.message("shop.v1.Order").ok_or("no such message")?;

    // Convert JSON to bytes, without building a message.
    let mut bytes = Vec::new();
    json_to_wire(&order, ORDER.as_bytes(), &mut bytes)?;
    println!("{} bytes of JSON are {} bytes of protobuf", ORDER.len(), bytes.len());

    // Read and change a message by the names of its fields.
    let mut message = DynamicMessage::decode(&order, &bytes)?;
    message.set_by_name("id", "B-18")?;
    let items = message.get_by_name("items")?;
    for item in items.as_list().ok_or("items are not a list")? {
        let item = item.as_message().ok_or("an item is not a message")?;
        println!("{:?} x {:?}", item.get_by_name("quantity")?, item.get_by_name("name")?);
    }

    // Decode into any type that implements serde's `Deserialize`. The type has only the fields that the program needs.
    #[derive(Deserialize)]
    struct Order {
        items: Vec<Item>,
    }
    #[derive(Deserialize)]
    struct Item {
        quantity: u32,
        price: i64,
    }
    let read: Order = order.decode(&bytes)?;
    let total: i64 = read.items.iter().map(|item| i64::from(item.quantity) * item.price).sum();
    println!("{total} cents");
    assert_eq!(total, 2100);

    // Convert bytes to JSON.
    let mut json = Vec::new();
    wire_to_json(&order, &message.encode_to_vec()?, &mut json)?;
    println!("{}", String::from_utf8(json)?);
    Ok(())
}
