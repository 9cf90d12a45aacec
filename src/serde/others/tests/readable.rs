//! Human-readable formats: canonical ProtoJSON.

use crate::serde::others::tests::*;
use serde::de::DeserializeOwned;
use serde_json::json;
use std::fmt::{Debug, Display};

fn outcome<T, E: Display>(read: Result<T, E>) -> Result<T, String> {
    read.map_err(|error| error.to_string())
}

/// MessagePack that claims to be human-readable: it distinguishes types that JSON does not.
fn calls<T: Serialize>(value: &T) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    value
        .serialize(&mut rmp_serde::Serializer::new(&mut bytes).with_human_readable())
        .map_err(|error| error.to_string())?;
    Ok(bytes)
}

fn check<T>(values: Vec<T>)
where
    T: Message + Serialize + DeserializeOwned + for<'de> Merge<'de> + PartialEq + Clone + Debug,
{
    for value in values {
        let bridged = Bridged(value.clone());
        assert_eq!(calls(&bridged), calls(&value), "{value:?}");
        let (text, old) = (serde_json::to_string(&bridged), serde_json::to_string(&value));
        assert_eq!(outcome(text), outcome(old));
        assert_eq!(outcome(serde_yaml_ng::to_string(&bridged)), outcome(serde_yaml_ng::to_string(&value)));
        let Ok(text) = serde_json::to_string(&value) else { continue };
        let yaml = serde_yaml_ng::to_string(&value).unwrap();
        let (old, new) = (serde_yaml_ng::from_str::<T>(&yaml), serde_yaml_ng::from_str::<Bridged<T>>(&yaml));
        assert_eq!(format!("{:?}", outcome(old)), format!("{:?}", outcome(new).map(|new| new.0)));
        let read = |text: &str| {
            let (old, new) = (serde_json::from_str::<T>(text), serde_json::from_str::<Bridged<T>>(text));
            let (old, new) = (outcome(old), outcome(new).map(|new| new.0));
            assert_eq!(format!("{old:?}"), format!("{new:?}"), "{text}");
        };
        read(&text);
        let step = text.len() / 40 + 1;
        for (at, _) in text.char_indices().step_by(step) {
            read(&text[..at]);
            for other in ["1", "\"", "x", "-", "null"] {
                read(&format!("{}{other}{}", &text[..at], &text[at..]));
            }
        }
    }
}

#[test]
fn calls_stay_as_they_are() {
    check(values());
}

#[test]
fn well_known_types_have_a_form_of_their_own() {
    check(known());
    let bad = [
        Known { time: Some(Timestamp::new(i64::MAX, 0)), ..Known::default() },
        Known { took: Some(Duration::new(1, -1)), ..Known::default() },
        Known { mask: Some(FieldMask::from_paths(["aB"])), ..Known::default() },
        Known { any: Some(Any::new("nothing", vec![1])), ..Known::default() },
        Known { any: Some(Any::new("a/google.protobuf.Duration", vec![1])), ..Known::default() },
        Known { value: Some(Value::default()), ..Known::default() },
        Known { values: vec![Value::from(1.0), Value::from(f64::NAN)], ..Known::default() },
        Known { times: BTreeMap::from([("late".into(), Timestamp::new(0, -1))]), ..Known::default() },
    ];
    for bad in &bad {
        assert!(serde_json::to_string(&Bridged(bad.clone())).is_err(), "{bad:?}");
    }
    check(bad.to_vec());
    check(vec![Timestamp::new(5, 0)]);
    check(vec![Value::from("x"), Value::default()]);
    check(vec![Any::pack(&Duration::new(1, 0)).unwrap()]);
}

#[test]
fn required_fields_are_required() {
    let fine = Needs { name: Some(String::new()), inner: vec![] };
    check(vec![
        fine.clone(),
        Needs::default(),
        Needs { inner: vec![fine.clone(), Needs::default()], ..fine },
    ]);
}

#[test]
fn depth_is_limited() {
    let mut deep = Needs { name: Some("x".into()), ..Needs::default() };
    for _ in 0..99 {
        deep = Needs { inner: vec![deep.clone()], name: deep.name };
    }
    let deeper = Needs { inner: vec![deep.clone()], name: deep.name.clone() };
    for value in [deep, deeper] {
        let new = outcome(serde_json::to_string(&Bridged(value.clone())));
        let old = outcome(serde_json::to_string(&value));
        assert_eq!(new, old);
    }
}

#[test]
fn types_that_borrow_can_be_written() {
    let lent = Lent { text: "x", number: 1, ..Lent::default() };
    let text = serde_json::to_string(&Bridged(lent.clone())).unwrap();
    assert_eq!(text, r#"{"text":"x","number":1}"#);
    let error = serde_json::from_str::<Bridged<Lent<'_>>>(&text).unwrap_err();
    assert_eq!(error.to_string(), serde_json::from_str::<Lent<'_>>(&text).unwrap_err().to_string());
    let text = r#"{"either":"x","number":1}"#;
    let read: Bridged<Lent<'_>> = serde_json::from_str(text).unwrap();
    assert_eq!(read.0, serde_json::from_str::<Lent<'_>>(text).unwrap());
}

#[test]
fn messages_inside_types_of_others() {
    let inside = json!({"took": "1.500s", "more": [{"number": 5}]});
    #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    struct Answer {
        took: Bridged<Duration>,
        more: Vec<Bridged<All>>,
    }
    let answer = Answer {
        took: Bridged(Duration::new(1, 500_000_000)),
        more: vec![Bridged(All { number: 5, ..All::default() })],
    };
    assert_eq!(serde_json::to_value(&answer).unwrap(), inside);
    assert_eq!(serde_json::from_value::<Answer>(inside).unwrap(), answer);
}
