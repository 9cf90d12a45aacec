//! Messages as structs that you write yourself. The example shows their bytes, their JSON, the schema that they declare, and a
//! struct with a borrowed string.

use std::collections::BTreeMap;
use tobu::{Deserialize, Enumeration, Message, Oneof, Serialize, UnknownFields};

#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "weather.v1")]
struct Report {
    #[tobu(1)]
    station: String,
    #[tobu(2)]
    readings: Vec<Reading>,
    #[tobu(3)]
    notes: BTreeMap<String, String>,
    // tobu keeps fields of newer versions of the schema here, and writes them back.
    #[tobu(unknown)]
    rest: UnknownFields,
}

#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "weather.v1")]
struct Reading {
    // The number is encoded as a zigzag varint, which is short for negative numbers, too.
    #[tobu(1, sint32)]
    celsius: i32,
    // The field has presence, so `None` and `Some(0)` differ.
    #[tobu(2)]
    humidity: Option<u32>,
    #[tobu(3)]
    sky: Sky,
    #[tobu(oneof)]
    wind: Option<Wind>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Enumeration, Serialize, Deserialize)]
#[tobu(package = "weather.v1", values(SKY_UNSPECIFIED = 0, SKY_CLEAR = 1, SKY_CLOUDY = 2))]
struct Sky(i32);

#[derive(Clone, Debug, PartialEq, Oneof, Serialize, Deserialize)]
enum Wind {
    #[tobu(4)]
    MetersPerSecond(f32),
    #[tobu(5)]
    Calm(bool),
}

// A struct for the same bytes. It borrows from the bytes, and has only the one field that the program needs.
#[derive(Debug, Message, Deserialize)]
#[tobu(package = "weather.view.v1")]
struct Station<'a> {
    #[tobu(1)]
    station: &'a str,
}

fn main() -> tobu::Result<()> {
    let report = Report {
        station: "Zugspitze".into(),
        readings: vec![Reading {
            celsius: -12,
            humidity: Some(0),
            sky: Sky::SKY_CLEAR,
            wind: Some(Wind::MetersPerSecond(7.5)),
        }],
        notes: BTreeMap::from([("observer".into(), "Ann".into())]),
        rest: UnknownFields::default(),
    };

    let bytes = report.encode_to_vec()?;
    assert_eq!(Report::decode(&bytes[..])?, report);
    println!("{} bytes", bytes.len());

    let station: Station<'_> = tobu::from_slice(&bytes)?;
    assert!(bytes.as_ptr_range().contains(&station.station.as_ptr()), "nothing was copied");
    println!("{}", station.station);

    println!("{}", report.to_json()?);
    assert_eq!(Report::from_json(&report.to_json()?)?, report);

    println!("\n{}", Report::descriptor().file().to_proto_text()?);
    Ok(())
}
