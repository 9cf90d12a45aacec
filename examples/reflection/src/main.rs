//! Removes IP addresses from any message, typed or dynamic. It finds them in nested messages, lists and maps.

use std::collections::HashMap;
use std::net::IpAddr;
use tobu::reflect::{Reflect, Visit};
use tobu::{Deserialize, DynamicMessage, Message, Serialize};

/// Replaces every string that is an IP address, at any depth, and returns the number of replaced strings.
fn redact_ip(message: &mut dyn Reflect) -> tobu::Result<usize> {
    let mut count = 0;
    message.visit_mut(|place| {
        let text = place.value().and_then(|value| value.as_str());
        if text.is_some_and(|text| text.parse::<IpAddr>().is_ok()) {
            place.set("[redacted]")?;
            count += 1;
        }
        Ok(Visit::Continue)
    })?;
    Ok(count)
}

#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "example.redact")]
struct Request {
    #[tobu(1)]
    path: String,
    #[tobu(2)]
    peer: Option<Peer>,
    #[tobu(3)]
    hops: Vec<Peer>,
    #[tobu(4)]
    headers: HashMap<String, String>,
    #[tobu(5)]
    by_zone: HashMap<u32, Peer>,
    #[tobu(oneof)]
    client: Option<Client>,
}

#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "example.redact")]
struct Peer {
    #[tobu(1)]
    name: String,
    #[tobu(2)]
    addresses: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, tobu::Oneof, Serialize, Deserialize)]
enum Client {
    #[tobu(6)]
    Address(String),
    #[tobu(7)]
    Session(u64),
}

fn peer(address: &str) -> Peer {
    Peer { name: "gate".into(), addresses: vec![address.into(), "gate.example".into()] }
}

fn main() -> tobu::Result<()> {
    let request = |address: &str| Request {
        path: "/books".into(),
        peer: Some(peer(address)),
        hops: vec![peer(address), Peer::default()],
        headers: HashMap::from([("forwarded".into(), address.into()), ("accept".into(), "text/html".into())]),
        by_zone: HashMap::from([(1, peer(address))]),
        client: Some(Client::Address(address.into())),
    };

    // Change a typed message in place.
    let mut typed = request("192.0.2.7");
    assert_eq!(redact_ip(&mut typed)?, 5);
    assert_eq!(typed, request("[redacted]"));
    println!("{:#?}", typed.as_reflect());

    // Change a message with the same content whose type is known only at run time.
    let bytes = tobu::to_vec(&request("2001:db8::1"))?;
    let mut dynamic = DynamicMessage::decode(&<Request as Message>::descriptor(), &bytes)?;
    assert_eq!(redact_ip(&mut dynamic)?, 5);
    assert!(dynamic.equals(typed.as_reflect()));
    assert_eq!(dynamic.absorb::<Request>()?, typed);
    Ok(())
}
