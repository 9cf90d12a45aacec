//! Enum values with separate JSON names, on every path: `(pb.enumvalue.json).string`.

use std::collections::BTreeMap;

use tobu::{DynamicMessage, Enumeration, Error, Message, convert, json, text};
use tobu_schemas::armor::armor::Knight as Generated;

/// The same message hand-written, once for each pair of derives.
macro_rules! knight {
    ($package:literal, $($derive:path),+) => {
        use std::collections::BTreeMap;

        #[derive(Clone, Copy, Debug, Default, PartialEq, tobu::Enumeration, tobu::Serialize, tobu::Deserialize)]
        #[tobu(package = $package, values(
            ARMOR_UNKNOWN = 0,
            #[tobu(json_name = "gr8 helm")]
            ARMOR_GREAT_HELM = 1,
            ARMOR_GORGET = 2,
            /// It covers a hand.
            #[tobu(json_name = "a\"b")]
            ARMOR_GAUNTLET = 3,
            #[tobu(json_name = "")]
            ARMOR_COIF = 5,
            #[tobu(json_name = "sabaton")]
            ARMOR_SABATON = 7,
            #[tobu(json_name = "8")]
            ARMOR_HACHI_MAI_DO = 8,
            #[tobu(json_name = "ARMOR_GREAVES")]
            ARMOR_GREAVES = 9
        ))]
        pub(super) struct Armor(pub(super) i32);

        #[derive(Clone, Debug, Default, PartialEq, tobu::Message, $($derive),+)]
        #[tobu(package = $package)]
        pub(super) struct Knight {
            #[tobu(1)]
            pub(super) armor: Option<Armor>,
            #[tobu(2)]
            pub(super) armors: Vec<Armor>,
            #[tobu(3)]
            pub(super) by_name: BTreeMap<String, Armor>,
        }
    };
}

mod derived {
    knight!("derived", tobu::Serialize, tobu::Deserialize);
}

mod foreign {
    knight!("foreign", serde::Serialize, serde::Deserialize);
}

/// A path from the wire format to JSON, and back.
struct Path {
    name: &'static str,
    print: fn(&[u8]) -> Result<String, Error>,
    parse: fn(&str) -> Result<Vec<u8>, Error>,
}

fn print<T: Message + serde::Serialize + serde::de::DeserializeOwned>(wire: &[u8]) -> Result<String, Error> {
    json::to_string(&tobu::from_slice::<T>(wire)?)
}

fn parse<T: Message + serde::Serialize + serde::de::DeserializeOwned>(text: &str) -> Result<Vec<u8>, Error> {
    tobu::to_vec(&json::from_str::<T>(text)?)
}

const PATHS: [Path; 5] = [
    Path { name: "generated", print: print::<Generated>, parse: parse::<Generated> },
    Path { name: "derived", print: print::<derived::Knight>, parse: parse::<derived::Knight> },
    Path { name: "foreign", print: print::<foreign::Knight>, parse: parse::<foreign::Knight> },
    Path {
        name: "dynamic",
        print: |wire| json::to_string(&DynamicMessage::decode(&Generated::descriptor(), wire)?),
        parse: |text| DynamicMessage::from_json(&Generated::descriptor(), text)?.encode_to_vec(),
    },
    Path {
        name: "transcode",
        print: |wire| {
            let mut out = Vec::new();
            convert::wire_to_json(&Generated::descriptor(), wire, &mut out)?;
            Ok(String::from_utf8(out).unwrap())
        },
        parse: |text| {
            let mut out = Vec::new();
            convert::json_to_wire(&Generated::descriptor(), text.as_bytes(), &mut out)?;
            Ok(out)
        },
    },
];

#[test]
fn values_are_written_by_their_names_in_json() {
    for (wire, text) in [
        (&b"\x08\x01"[..], r#"{"armor":"gr8 helm"}"#),
        (b"\x08\x02", r#"{"armor":"ARMOR_GORGET"}"#),
        (b"\x08\x03", r#"{"armor":"a\"b"}"#),
        (b"\x08\x05", r#"{"armor":""}"#),
        (b"\x08\x07", r#"{"armor":"sabaton"}"#),
        (b"\x08\x08", r#"{"armor":"8"}"#),
        (b"\x08\x09", r#"{"armor":"ARMOR_GREAVES"}"#),
        (b"\x08\x63", r#"{"armor":99}"#),
        (b"\x12\x03\x01\x02\x07", r#"{"armors":["gr8 helm","ARMOR_GORGET","sabaton"]}"#),
        (b"\x1a\x05\x0a\x01a\x10\x01", r#"{"byName":{"a":"gr8 helm"}}"#),
    ] {
        for path in &PATHS {
            assert_eq!((path.print)(wire).unwrap(), text, "{}", path.name);
            assert_eq!((path.parse)(text).unwrap(), wire, "{}: {text}", path.name);
        }
    }
}

#[test]
fn values_are_read_by_either_name_and_by_number() {
    for (text, wire) in [
        (r#"{"armor":"ARMOR_GREAT_HELM"}"#, &b"\x08\x01"[..]),
        (r#"{"armor":"\u0067r8 helm"}"#, b"\x08\x01"),
        (r#"{"armor":1}"#, b"\x08\x01"),
        (r#"{"armor":8}"#, b"\x08\x08"),
        (r#"{"armor":"ARMOR_HACHI_MAI_DO"}"#, b"\x08\x08"),
        (r#"{"armors":["ARMOR_SABATON","gr8 helm",2]}"#, b"\x12\x03\x07\x01\x02"),
        (r#"{"byName":{"a":"ARMOR_COIF"}}"#, b"\x1a\x05\x0a\x01a\x10\x05"),
    ] {
        for path in &PATHS {
            assert_eq!((path.parse)(text).unwrap(), wire, "{}: {text}", path.name);
        }
    }
    // An alias is declared in the schema alone.
    let alias = r#"{"armor":"ARMOR_SOLLERET"}"#;
    for path in PATHS.iter().filter(|path| !["derived", "foreign"].contains(&path.name)) {
        assert_eq!((path.parse)(alias).unwrap(), b"\x08\x07", "{}", path.name);
    }
}

#[test]
fn names_are_exact() {
    for (path, package) in PATHS.iter().zip(["armor", "derived", "foreign", "armor", "armor"]) {
        let error = (path.parse)(r#"{"armor":"Gr8 helm"}"#).unwrap_err().to_string();
        let expected = format!("{package}.Armor has no value \"Gr8 helm\"");
        assert!(error.contains(&expected), "{}: {error}", path.name);
    }
    let ignoring = json::Options::new().ignore_unknown(true);
    let read: Generated = ignoring.from_str(r#"{"armor":"none","armors":["gr8 helm","none"]}"#).unwrap();
    assert_eq!(tobu::to_vec(&read).unwrap(), b"\x12\x01\x01");
}

#[test]
fn numbers_and_the_text_format_know_nothing_of_it() {
    let knight: Generated = tobu::from_slice(b"\x08\x01").unwrap();
    assert_eq!(json::Options::new().enums_as_integers(true).to_string(&knight).unwrap(), r#"{"armor":1}"#);
    assert_eq!(text::to_string(&knight).unwrap(), "armor: ARMOR_GREAT_HELM\n");
    let error = text::from_str::<Generated>("armor: sabaton").unwrap_err().to_string();
    assert!(error.contains("armor.Armor has no value \"sabaton\""), "{error}");
    assert_eq!(derived::Armor::ARMOR_GREAT_HELM.name(), Some("ARMOR_GREAT_HELM"));
}

#[test]
fn formats_of_others_that_people_read_have_the_names_of_json() {
    let by_name = BTreeMap::from([("a".to_owned(), derived::Armor(7))]);
    let knight = derived::Knight { armor: Some(derived::Armor(1)), armors: vec![derived::Armor(2)], by_name };
    let text = serde_json::to_string(&knight).unwrap();
    assert_eq!(text, r#"{"armor":"gr8 helm","armors":["ARMOR_GORGET"],"byName":{"a":"sabaton"}}"#);
    assert_eq!(serde_json::from_str::<derived::Knight>(&text).unwrap(), knight);
    let own = r#"{"armor":"ARMOR_GREAT_HELM","armors":[2],"byName":{"a":"ARMOR_SABATON"}}"#;
    assert_eq!(serde_json::from_str::<derived::Knight>(own).unwrap(), knight);
    // By itself, too.
    for (value, text) in [(1, r#""gr8 helm""#), (2, r#""ARMOR_GORGET""#), (99, "99")] {
        assert_eq!(serde_json::to_string(&derived::Armor(value)).unwrap(), text);
        assert_eq!(serde_json::from_str::<derived::Armor>(text).unwrap(), derived::Armor(value));
    }
    let generated: Generated = tobu::from_slice(b"\x08\x03").unwrap();
    assert_eq!(serde_json::to_string(&generated).unwrap(), r#"{"armor":"a\"b"}"#);
}

#[test]
fn variants_of_a_rust_enum_have_names_too() {
    #[derive(Clone, Copy, Debug, PartialEq, tobu::Enumeration, tobu::Serialize, tobu::Deserialize)]
    #[tobu(package = "closed")]
    enum Gait {
        #[tobu(json_name = "on foot")]
        Walk = 0,
        #[tobu(name = "GAIT_RIDE", json_name = "on a horse")]
        Ride = 1,
    }

    #[derive(Clone, Debug, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
    #[tobu(package = "closed")]
    struct Squire {
        #[tobu(1)]
        gait: Gait,
    }

    let squire = Squire { gait: Gait::Ride };
    assert_eq!(json::to_string(&squire).unwrap(), r#"{"gait":"on a horse"}"#);
    for text in [r#"{"gait":"on a horse"}"#, r#"{"gait":"GAIT_RIDE"}"#] {
        assert_eq!(json::from_str::<Squire>(text).unwrap(), squire);
    }
    let value = Gait::descriptor().value_by_name("WALK").unwrap();
    assert_eq!((value.name(), value.json_name()), ("WALK", "on foot"));
}
