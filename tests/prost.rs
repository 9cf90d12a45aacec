//! The bridge to prost: messages of each library where the other one is asked for.

#![forbid(unsafe_code)]
#![cfg(all(feature = "derive", feature = "prost"))]

use ::prost::Message as _;
use ::prost::Name;
use tobu::member::Protos;
use tobu::prost::{Via, to_prost, to_tobu};
use tobu::{Message, json, text};

/// Messages as prost has them.
mod ours {
    #[derive(Clone, PartialEq, prost::Message)]
    pub(super) struct Header {
        #[prost(uint64, tag = "1")]
        pub(super) revision: u64,
        #[prost(string, repeated, tag = "2")]
        pub(super) members: Vec<String>,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    pub(super) struct Reply {
        #[prost(message, optional, tag = "1")]
        pub(super) header: Option<Header>,
        #[prost(message, repeated, tag = "2")]
        pub(super) pairs: Vec<Pair>,
        #[prost(int64, tag = "3")]
        pub(super) count: i64,
        #[prost(map = "string, message", tag = "4")]
        pub(super) by_name: std::collections::HashMap<String, Header>,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    pub(super) struct Pair {
        #[prost(bytes = "vec", tag = "1")]
        pub(super) key: Vec<u8>,
    }
}

#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "bridge.v1")]
struct Header {
    #[tobu(1)]
    revision: u64,
    #[tobu(2)]
    members: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "bridge.v1")]
struct Pair {
    #[tobu(1)]
    key: Vec<u8>,
}

#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "bridge.v1")]
struct Reply {
    #[tobu(1, with = Via<Header>)]
    header: Option<ours::Header>,
    #[tobu(2)]
    pairs: Vec<Pair>,
    #[tobu(3)]
    count: i64,
    #[tobu(4, with = Via<Header>)]
    by_name: std::collections::HashMap<String, ours::Header>,
    #[tobu(unknown)]
    unknown_fields: tobu::UnknownFields,
    #[tobu(protos)]
    protos: Protos,
}

tobu::prost::message!(Pair, "bridge.v1", "Reply.Pair");
tobu::prost::message!(Reply, "bridge.v1", "Reply");

/// A message of prost that has one of tobu.
#[derive(Clone, PartialEq, prost::Message)]
struct Outer {
    #[prost(message, optional, tag = "1")]
    reply: Option<Reply>,
    #[prost(message, repeated, tag = "2")]
    pairs: Vec<Pair>,
    #[prost(uint32, tag = "3")]
    after: u32,
}

fn header(revision: u64) -> ours::Header {
    ours::Header { revision, members: vec!["a".into(), "b".into()] }
}

fn reply() -> Reply {
    Reply {
        header: Some(header(7)),
        pairs: vec![Pair { key: b"k".to_vec() }, Pair::default()],
        count: -1,
        by_name: [("x".to_owned(), header(0))].into(),
        ..Reply::default()
    }
}

#[test]
fn both_write_and_read_the_same_bytes() {
    let theirs = ours::Reply {
        header: Some(header(7)),
        pairs: vec![ours::Pair { key: b"k".to_vec() }, ours::Pair { key: Vec::new() }],
        count: -1,
        by_name: [("x".to_owned(), header(0))].into(),
    };
    let bytes = tobu::to_vec(&reply()).unwrap();
    assert_eq!(theirs.encode_to_vec(), bytes);
    assert_eq!(prost::Message::encode_to_vec(&reply()), bytes);
    assert_eq!(prost::Message::encoded_len(&reply()), bytes.len());
    assert_eq!(<Reply as prost::Message>::decode(&bytes[..]).unwrap(), reply());
    assert_eq!(ours::Reply::decode(&bytes[..]).unwrap(), theirs);
    assert_eq!((to_tobu::<Reply>(&theirs), to_prost::<ours::Reply>(&reply()).unwrap()), (reply(), theirs));

    let delimited = prost::Message::encode_length_delimited_to_vec(&reply());
    assert_eq!(<Reply as prost::Message>::decode_length_delimited(&delimited[..]).unwrap(), reply());
    let mut used = reply();
    prost::Message::clear(&mut used);
    assert_eq!(used, Reply::default());
}

#[test]
fn a_message_of_prost_may_have_messages_of_tobu() {
    let outer = Outer { reply: Some(reply()), pairs: vec![Pair { key: b"p".to_vec() }], after: 3 };
    let bytes = outer.encode_to_vec();
    assert_eq!(Outer::decode(&bytes[..]).unwrap(), outer);
    // A field that occurs again is merged; fields that nobody knows are kept: of all wire types, a group among them.
    let unknown =
        b"\x50\x01\x59\x01\x02\x03\x04\x05\x06\x07\x08\x65\x01\x02\x03\x04\x6b\x08\x01\x73\x74\x6c\x7a\x01u";
    let mut again = bytes.clone();
    again.push(0x0a);
    again.push(2 + unknown.len() as u8);
    again.extend_from_slice(b"\x18\x05");
    again.extend_from_slice(unknown);
    let merged = Outer::decode(&again[..]).unwrap().reply.unwrap();
    assert_eq!((merged.count, &merged.header), (5, &Some(header(7))));
    assert_eq!(merged.unknown_fields.as_bytes(), unknown);

    for (bytes, error) in [
        (
            &b"\x0a\x02\x0a\x05"[..],
            "failed to decode Protobuf message: Outer.reply: length of 5 bytes, but only 0 bytes are left",
        ),
        (
            b"\x0a\x03\x12\x01\xff",
            "failed to decode Protobuf message: Outer.reply: bridge.v1.Reply.pairs[0]: input ends inside a varint (at byte 2)",
        ),
        (
            b"\x0a\x01\x2c",
            "failed to decode Protobuf message: Outer.reply: the group 5 ends, but has not begun",
        ),
    ] {
        assert_eq!(Outer::decode(bytes).unwrap_err().to_string(), error);
    }
    let deep: Vec<u8> = [0x2b].repeat(200);
    let error = prost::Message::merge_field(
        &mut Reply::default(),
        5,
        prost::encoding::WireType::StartGroup,
        &mut &deep[..],
        prost::encoding::DecodeContext::default(),
    );
    assert_eq!(
        error.unwrap_err().to_string(),
        "failed to decode Protobuf message: groups nest deeper than 100 levels"
    );
}

#[test]
fn a_member_of_prost_is_seen_by_its_schema() {
    let text_form = r#"{"header":{"revision":"7","members":["a","b"]},"count":"-1"}"#;
    let reply = Reply { pairs: Vec::new(), by_name: Default::default(), ..reply() };
    assert_eq!(json::to_string(&reply).unwrap(), text_form);
    assert_eq!(json::from_str::<Reply>(text_form).unwrap(), reply);
    assert_eq!(text::from_str::<Reply>(&text::to_string(&reply).unwrap()).unwrap(), reply);
    let dynamic = reply.clone().into_dynamic().unwrap();
    assert_eq!(json::to_string(&dynamic).unwrap(), text_form);
    assert!(reply.as_reflect().equals(&dynamic));
    assert_eq!(dynamic.absorb::<Reply>().unwrap(), reply);
    let member = reply.as_reflect().get_by_name("header").unwrap().as_message().unwrap();
    assert_eq!(member.get_by_name("revision").unwrap().as_u64(), Some(7));
    let error = json::from_str::<Reply>(r#"{"header": {"members": [1]}}"#).unwrap_err().to_string();
    assert_eq!(
        error,
        "bridge.v1.Reply.header.members[0]: expected a string, but found the number 1 (at line 1 column 25)"
    );
}

#[test]
fn names_are_those_of_the_schema() {
    fn names<T: Name>() -> (&'static str, &'static str, String, String) {
        (T::NAME, T::PACKAGE, T::full_name(), T::type_url())
    }
    let url = |name: &str| format!("type.googleapis.com/{name}");
    assert_eq!(names::<Reply>(), ("Reply", "bridge.v1", "bridge.v1.Reply".into(), url("bridge.v1.Reply")));
    assert_eq!(
        names::<Pair>(),
        ("Pair", "bridge.v1", "bridge.v1.Reply.Pair".into(), url("bridge.v1.Reply.Pair"))
    );
    assert_eq!(tobu::prost::full_name("", "Root"), "Root");
    // What packs any message of prost takes one of tobu.
    let any = prost_types::Any::from_msg(&Pair { key: b"k".to_vec() }).unwrap();
    assert_eq!(any.to_msg::<Pair>().unwrap(), Pair { key: b"k".to_vec() });
}
