//! Generated messages that are messages of prost, with members that are.

use tobu::{Message, json};
use tobu_generated_tests::ProstHeader;
use tobu_generated_tests::prost::bridge::v1::{Reply, reply};

fn header(revision: u64) -> ProstHeader {
    ProstHeader { revision, members: vec!["a".into()] }
}

#[test]
fn prost_takes_them() {
    fn through<T: prost::Message + prost::Name + Default>(message: &T) -> (T, String) {
        (T::decode(&message.encode_to_vec()[..]).unwrap(), T::full_name())
    }
    let mut reply = Reply {
        header: Some(header(1)),
        pairs: vec![reply::Pair { key: b"k".to_vec(), ..Default::default() }],
        by_name: [("x".to_owned(), header(2))].into(),
        more: vec![header(3), ProstHeader::default()],
        of: Some(reply::Of::Other(header(4))),
        ..Reply::default()
    };
    assert_eq!(through(&reply), (reply.clone(), "bridge.v1.Reply".to_owned()));
    assert_eq!(through(&reply.pairs[0]).1, "bridge.v1.Reply.Pair");
    let bytes = reply.encode_to_vec().unwrap();
    assert_eq!(bytes, prost::Message::encode_to_vec(&reply));
    assert_eq!(<Reply as Message>::decode(&bytes[..]).unwrap(), reply);
    let text = r#"{"header":{"revision":"1","members":["a"]},"pairs":[{"key":"aw=="}],"byName":{"x":{"revision":"2","members":["a"]}},"more":[{"revision":"3","members":["a"]},{}],"other":{"revision":"4","members":["a"]}}"#;
    assert_eq!(json::to_string(&reply).unwrap(), text);
    assert_eq!(json::from_str::<Reply>(text).unwrap(), reply);
    assert_eq!(json::to_string(&reply.clone().into_dynamic().unwrap()).unwrap(), text);

    reply.header_mut().revision = 9;
    reply.set_other(header(5));
    assert_eq!((reply.header(), reply.other()), (Some(&header(9)), Some(&header(5))));
}
