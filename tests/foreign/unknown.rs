//! Members of JSON that the schema does not have: an error, unless the type says otherwise.

use tobu::json;

#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "foreign.unknown")]
struct Strict {
    #[tobu(1)]
    name: String,
    #[tobu(2)]
    inner: Option<Box<Lenient>>,
}

#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "foreign.unknown", json(ignore_unknown))]
struct Lenient {
    #[tobu(1)]
    name: String,
    #[tobu(2)]
    inner: Vec<Strict>,
}

fn lenient(name: &str) -> Lenient {
    Lenient { name: name.into(), inner: Vec::new() }
}

#[test]
fn the_type_that_serde_reads_says_it() {
    let text = r#"{"more": [{"name": null}], "name": "a", "inner": [{"other": {}, "name": "b"}]}"#;
    let wanted = Lenient { name: "a".into(), inner: vec![Strict { name: "b".into(), inner: None }] };
    assert_eq!(serde_json::from_str::<Lenient>(text).unwrap(), wanted);
    assert_eq!(serde_yaml_ng::from_str::<Lenient>(text).unwrap(), wanted);
    assert_eq!(serde_json::from_value::<Vec<Lenient>>(serde_json::json!([{"x": 1}])).unwrap(), [lenient("")]);
    // What is around it says it for what is in it.
    let error = serde_json::from_str::<Strict>(r#"{"inner": {"more": 1}}"#).unwrap_err().to_string();
    assert_eq!(error, "foreign.unknown.Strict.inner: unknown field \"more\"");
    // Other mistakes stay errors.
    let error = serde_json::from_str::<Lenient>(r#"{"more": 1, "name": 2}"#).unwrap_err().to_string();
    assert_eq!(error, "foreign.unknown.Lenient.name: expected a string, but found the number 2");
    // tobu's own parser has an option.
    assert!(json::from_str::<Lenient>(text).is_err());
    assert_eq!(json::Options::new().ignore_unknown(true).from_str::<Lenient>(text).unwrap(), wanted);
}
