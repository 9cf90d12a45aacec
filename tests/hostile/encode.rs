//! Encoding values that no reader would accept, and impls that break serde's contract.

use crate::messages::{derived, plain};
use crate::types::derived::{Leaf, Maps, Tree};
use serde::ser::{SerializeMap, SerializeSeq, SerializeStruct, Serializer};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::HashMap;
use tobu::{Category, EncodeOptions, Limits, Message, MessageDescriptorExt};

#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "derived.hostile")]
struct Blobs<'a> {
    #[tobu(1)]
    parts: Vec<&'a [u8]>,
    #[tobu(2)]
    inner: Option<Box<Blobs<'a>>>,
}

#[test]
fn lengths_past_the_maximum() {
    let part = vec![0; 64 << 20];
    let blobs = |count, inner| Blobs { parts: vec![&part[..]; count], inner };
    let each = (64 << 20) + 5;
    let len = |message: &Blobs<'_>| tobu::encoded_len(message);
    assert_eq!(len(&blobs(31, None)).unwrap(), 31 * each);
    let error = len(&blobs(32, None)).unwrap_err();
    let too_long = |len: usize| format!("length of {len} bytes is above the maximum of 2147483647");
    assert_eq!((error.category(), error.message()), (Category::Limit, too_long(32 * each)));
    // As much as would overflow 32 bits, and more than that in a nested message.
    assert_eq!(len(&blobs(64, None)).unwrap_err().message(), too_long(64 * each));
    assert_eq!(len(&blobs(1 << 20, None)).unwrap_err().message(), too_long(each << 20));
    let nested = blobs(0, Some(Box::new(blobs(64, None))));
    assert_eq!(len(&nested).unwrap_err().message(), too_long(64 * each + 6));
    // One byte more than fits, to the byte.
    let rest = vec![0; i32::MAX as usize - 31 * each - 5];
    let mut exact = blobs(31, None);
    exact.parts.push(&rest);
    assert_eq!(len(&exact).unwrap(), i32::MAX as usize);
    exact.parts.push(b"");
    assert_eq!(len(&exact).unwrap_err().message(), too_long(i32::MAX as usize + 2));
}

#[test]
fn what_is_too_long_is_not_written_first() {
    // A length that is refused on its own; its bytes are never touched.
    let part = vec![0; 1 << 31];
    let message = Blobs { parts: vec![b"a", &part, &part], inner: None };
    let text = "the message takes more than the maximum of 2147483647 bytes";
    assert_eq!(tobu::to_vec(&message).unwrap_err().message(), text);
    let counted = "length of 4294967311 bytes is above the maximum of 2147483647";
    assert_eq!(tobu::encoded_len(&message).unwrap_err().message(), counted);
    let mut bytes = b"before".to_vec();
    let error = EncodeOptions::new().append(&message, &mut bytes).unwrap_err();
    assert_eq!((error.message().as_str(), &bytes[..]), (text, &b"before"[..]));
    // As long as all copies of one part would need terabytes.
    let many = Blobs { parts: vec![&part; 1000], inner: Some(Box::new(message)) };
    assert_eq!(tobu::to_vec(&many).unwrap_err().category(), Category::Limit);
    let nested = Blobs { parts: vec![], inner: Some(Box::new(many)) };
    assert_eq!(tobu::to_vec(&nested).unwrap_err().category(), Category::Limit);
}

/// Nests a message this many levels deep, in each way that there is.
macro_rules! nested {
    ($types:ident) => {{
        use $types::{Deep, Kind};
        // The entry of a map is a level, too.
        type Wrap = fn(Deep) -> Deep;
        let wraps: [(usize, Wrap); 5] = [
            (1, |inner| Deep { one: Some(Box::new(inner)), ..Deep::default() }),
            (1, |inner| Deep { list: vec![inner], ..Deep::default() }),
            (2, |inner| Deep { map: HashMap::from([(7, inner)]), ..Deep::default() }),
            (1, |inner| Deep { group: Some(Box::new(inner)), ..Deep::default() }),
            (1, |inner| Deep { kind: Some(Kind::Chosen(Box::new(inner))), ..Deep::default() }),
        ];
        wraps.map(|(cost, wrap)| {
            let nested = move |levels: usize| {
                let empty = Deep { count: 5, ..Deep::default() };
                (0..(levels - 1) / cost).fold(empty, |inner, _| wrap(inner))
            };
            (100 / cost, nested)
        })
    }};
}

#[test]
fn a_hundred_levels_and_no_more() {
    fn check<T: Message + Serialize + for<'de> Deserialize<'de>>(fields: usize, nested: impl Fn(usize) -> T) {
        for options in [EncodeOptions::new(), EncodeOptions::new().deterministic(true)] {
            let bytes = options.to_vec(&nested(100)).unwrap();
            assert_eq!(options.encoded_len(&nested(100)).unwrap(), bytes.len());
            tobu::from_slice::<T>(&bytes).unwrap();
            let tree: Value = T::descriptor().decode(&bytes).unwrap();
            assert_eq!(T::descriptor().encode_with(&tree, options).unwrap(), bytes);
            let deep = nested(101);
            let error = options.to_vec(&deep).unwrap_err();
            assert_eq!(error.category(), Category::Limit);
            assert_eq!(error.message(), "messages are nested deeper than 100 levels");
            assert_eq!(error.path().filter(|s| matches!(s, tobu::Segment::Field(_))).count(), fields);
            assert_eq!(options.encoded_len(&deep).unwrap_err().to_string(), error.to_string());
            let mut bytes = b"before".to_vec();
            assert!(options.append(&deep, &mut bytes).is_err());
            assert_eq!(bytes, b"before");
            let deeper = options.limits(Limits::default().depth(101));
            assert!(deeper.to_vec(&deep).is_ok());
            let flat = options.limits(Limits::default().depth(1));
            let error = flat.to_vec(&nested(3)).unwrap_err();
            assert_eq!(error.message(), "messages are nested deeper than 1 levels");
        }
    }
    for (fields, nested) in nested!(derived) {
        check(fields, nested);
    }
    for (fields, nested) in nested!(plain) {
        check(fields, nested);
    }
}

#[test]
fn the_path_of_an_error_is_told() {
    let tree = derived::Deep::descriptor();
    let deep = (0..100).fold(json!({}), |inner, _| json!({"list": [{"count": 1}, inner]}));
    let text = tree.encode(&deep).unwrap_err().to_string();
    let expected = format!(
        "derived.hostile.Deep{}: messages are nested deeper than 100 levels",
        ".list[1]".repeat(99) + ".list[0]"
    );
    assert_eq!(text, expected);
    let error = tree.encode(&json!({"map": {"7": {"one": {"count": "x"}}}})).unwrap_err();
    assert_eq!(
        error.to_string(),
        "derived.hostile.Deep.map[\"7\"].one.count: the field is a int32, which a string does not fit"
    );
}

#[test]
fn deterministic_output() {
    let named = |i: i32| {
        let leaf = Some(Leaf { a: i, ..Leaf::default() });
        let inner = HashMap::from_iter((0..20).map(|k| (k.to_string(), Tree::default())));
        (format!("{i:03}"), Tree { leaf, named: inner, ..Tree::default() })
    };
    let up = Tree { named: HashMap::from_iter((0..200).map(named)), ..Tree::default() };
    let down = Tree { named: HashMap::from_iter((0..200).rev().map(named)), ..Tree::default() };
    let options = EncodeOptions::new().deterministic(true);
    let bytes = options.to_vec(&up).unwrap();
    assert_eq!(options.to_vec(&down).unwrap(), bytes);
    assert_eq!(options.encoded_len(&up).unwrap(), bytes.len());
    // Keys in their order: numbers as numbers, strings by their bytes.
    let maps = Maps {
        f_sint64: HashMap::from([(-1, 0), (i64::MIN, 0), (i64::MAX, 0), (10, 0), (9, 0)]),
        f_fixed64: HashMap::from([(u64::MAX, 0), (0, 0), (1 << 63, 0)]),
        f_bool: HashMap::from([(true, false), (false, true)]),
        f_bytes: HashMap::from_iter(["b", "a", "", "é", "a\0", "B"].map(|key| (key.into(), vec![]))),
        ..Maps::default()
    };
    let tree: Value = Maps::descriptor().decode(&options.to_vec(&maps).unwrap()).unwrap();
    let keys = |name: &str| tree[name].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys("f_sint64"), ["-9223372036854775808", "-1", "9", "10", "9223372036854775807"]);
    assert_eq!(keys("f_fixed64"), ["0", "9223372036854775808", "18446744073709551615"]);
    assert_eq!(keys("f_bool"), ["false", "true"]);
    assert_eq!(keys("f_bytes"), ["", "B", "a", "a\0", "b", "é"]);
}

#[test]
fn required_fields_may_be_missing_when_asked() {
    use derived::Strict;
    let message = Strict { inner: Some(Box::default()), note: "n".into(), ..Strict::default() };
    let error = tobu::to_vec(&message).unwrap_err();
    assert_eq!(error.to_string(), "derived.hostile.Strict.id: required field id has no value");
    let partial = EncodeOptions::new().partial(true);
    assert_eq!(partial.to_vec(&message).unwrap(), b"\x12\x00\x1a\x01n");
    let tree = json!({"id": 1, "inner": {"id": null}});
    let error = Strict::descriptor().encode(&tree).unwrap_err();
    assert_eq!(error.to_string(), "derived.hostile.Strict.inner.id: required field id has no value");
    let error = Strict::descriptor().encode(&json!({"id": 1, "inner": {}})).unwrap_err();
    assert_eq!(error.to_string(), "derived.hostile.Strict.inner: required field id has no value");
    assert_eq!(Strict::descriptor().encode_with(&tree, partial).unwrap(), b"\x08\x01\x12\x00");
}

/// Says that it has more elements than there is memory.
struct Boasting;

impl Serialize for Boasting {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(Some(usize::MAX))?;
        seq.serialize_element(&1)?;
        seq.end()
    }
}

/// A map that ends behind a key, or has a value without one.
struct Half(&'static str);

impl Serialize for Half {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry(&1, &2)?;
        match self.0 {
            "key" => map.serialize_key(&3)?,
            _ => map.serialize_value(&4)?,
        }
        map.end()
    }
}

/// A struct whose name passes for that of tobu's derive, with members in another order, too many, too few.
struct Impostor(&'static [&'static str]);

impl Serialize for Impostor {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_struct("$tobu::Message", self.0.len())?;
        for name in self.0 {
            members.serialize_field(name, &1)?;
        }
        members.end()
    }
}

#[test]
fn values_that_break_serdes_contract() {
    #[derive(Serialize)]
    struct With<T> {
        f_int32: T,
    }
    let lists = crate::types::derived::Lists::descriptor();
    assert_eq!(lists.encode(&With { f_int32: Boasting }).unwrap(), b"\x1a\x01\x01");
    let scalars = crate::types::derived::Scalars::descriptor();
    let error = scalars.encode(&HashMap::from([("f_bytes", Boasting)])).map(|bytes| bytes.len());
    assert_eq!(error.unwrap(), 3);
    for deterministic in [false, true] {
        let options = EncodeOptions::new().deterministic(deterministic);
        let encode = |what| Maps::descriptor().encode_with(&With { f_int32: Half(what) }, options);
        let error = encode("key").unwrap_err();
        assert_eq!(error.to_string(), "derived.v3.Maps.f_int32: a map key came without its value");
        let error = encode("value").unwrap_err();
        assert_eq!(error.to_string(), "derived.v3.Maps.f_int32: a map value came without its key");
    }
    let leaf = Leaf::descriptor();
    assert_eq!(leaf.encode(&Impostor(&["a"])).unwrap(), b"\x08\x01");
    assert_eq!(leaf.encode(&Impostor(&["a", "a"])).unwrap(), b"\x08\x01", "the last one counts");
    let error = leaf.encode(&Impostor(&["z"])).unwrap_err();
    assert_eq!(error.to_string(), "derived.v3.Leaf: derived.v3.Leaf has no field or oneof named \"z\"");
}

#[derive(Debug, Default, tobu::Message)]
#[tobu(package = "derived.hostile")]
struct Labels {
    #[tobu(1)]
    labels: HashMap<String, String>,
}

/// A string that is different on each call.
struct Changing<'a>(std::cell::Cell<usize>, &'a [&'a str]);

impl Serialize for Changing<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.1[self.0.replace(self.0.get() + 1)])
    }
}

#[test]
fn map_entries_that_change_while_they_are_written() {
    let encode = |values: &[&str]| {
        let value = Changing(std::cell::Cell::new(0), values);
        let labels = HashMap::from([("labels", HashMap::from([("key", value)]))]);
        Labels::descriptor().encode(&labels)
    };
    // Each is requested once.
    assert_eq!(encode(&["same", "size"]).unwrap(), b"\x0a\x0b\x0a\x03key\x12\x04same");
    assert_eq!(encode(&["short", "longer"]).unwrap(), b"\x0a\x0c\x0a\x03key\x12\x05short");
}

#[test]
fn map_entries_of_every_length() {
    let text = "x".repeat(5000);
    let lengths = [0, 1, 126, 127, 128, 129, 2000, 4094, 4095, 4096, 4097, 5000];
    for (key, value) in lengths.iter().flat_map(|key| lengths.map(|value| (*key, value))) {
        let labels = HashMap::from([(&text[..key], &text[..value])]);
        let bytes = Labels::descriptor().encode(&HashMap::from([("labels", &labels)])).unwrap();
        let tree: HashMap<String, HashMap<String, String>> = Labels::descriptor().decode(&bytes).unwrap();
        assert_eq!(tree["labels"][&text[..key]], text[..value]);
        // As the one that does not know the lengths writes it.
        let one_by_one = EncodeOptions::new().deterministic(true);
        let options = Labels::descriptor().encode_with(&HashMap::from([("labels", &labels)]), one_by_one);
        assert_eq!(options.unwrap(), bytes, "{key} {value}");
    }
}

/// A number that is serialized with 32 or 64 bits, or as another type.
enum Mixed {
    Narrow(i32),
    Wide(i64),
    Text(&'static str),
}

impl serde::Serialize for Mixed {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Mixed::Narrow(number) => serializer.serialize_i32(*number),
            Mixed::Wide(number) => serializer.serialize_i64(*number),
            Mixed::Text(text) => serializer.serialize_str(text),
        }
    }
}

#[test]
fn numbers_of_one_list_are_told_in_several_ways() {
    use Mixed::{Narrow, Text, Wide};
    let encode = |list: Vec<Mixed>| {
        let message = std::collections::BTreeMap::from([("f_int32", list)]);
        let descriptor = tobu_schemas::corpus::corpus::v3::Lists::descriptor();
        descriptor.encode(&message).map_err(|error| error.to_string())
    };
    assert_eq!(encode(vec![]).unwrap(), b"");
    for list in [vec![Narrow(1), Wide(2), Narrow(-1)], vec![Wide(1), Narrow(2), Wide(-1)]] {
        let minus_one = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
        assert_eq!(encode(list).unwrap(), [&b"\x1a\x0c\x01\x02"[..], &minus_one].concat());
    }
    let errors =
        [vec![Narrow(1), Wide(1 << 31)], vec![Narrow(1), Narrow(2), Text("3")], vec![Text("1"), Narrow(2)]];
    let wanted = [
        "corpus.v3.Lists.f_int32[1]: 2147483648 is out of range for int32",
        "corpus.v3.Lists.f_int32[2]: the field is a int32, which a string does not fit",
        "corpus.v3.Lists.f_int32[0]: the field is a int32, which a string does not fit",
    ];
    assert_eq!(errors.map(|list| encode(list).unwrap_err()), wanted);
}
