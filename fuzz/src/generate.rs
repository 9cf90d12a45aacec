//! Valid input of each kind, made by chance.

use crate::entropy::Entropy;
use crate::rng::Rng;
use crate::subject::Subject;
use crate::wire::{self, Form};
use crate::{schema, settings, tree};
use tobu::{DynamicMessage, Pool};

/// The file of a random schema.
pub fn schema(rng: &mut Rng) -> Vec<u8> {
    schema::file(schema::PLAIN, &mut Entropy::new(&rng.bytes(160)))
}

/// The wire bytes of a random message of a subject, in any form that means the same.
pub fn wire(subject: &Subject, rng: &mut Rng) -> Vec<u8> {
    let most = *rng.pick(&[20, 60, 200, 600]);
    let content = rng.bytes(most);
    let tree = tree::message(&subject.descriptor, &mut Entropy::new(&content), 4);
    let form = rng.bytes(300);
    let mut form = if rng.chance(3) { Form::Plain } else { Form::Scrambled(Entropy::new(&form)) };
    wire::encode(&subject.descriptor, &tree, &mut form)
}

/// The JSON of a random message of a subject.
pub fn json(subject: &Subject, rng: &mut Rng) -> String {
    if let Some(typed) = &subject.typed
        && let Some((_, texts)) = JSON.iter().find(|(name, _)| *name == typed.name)
        && !rng.chance(8)
    {
        return (*rng.pick(texts)).into();
    }
    let options = settings::json(rng);
    // Some messages of well-known types have no JSON.
    for _ in 0..8 {
        let wire = wire(subject, rng);
        if let Ok(message) = DynamicMessage::decode(&subject.descriptor, &wire)
            && let Ok(text) = options.to_string(&message)
        {
            return text;
        }
    }
    "{}".into()
}

/// A message in the text format.
pub fn text(subject: &Subject, rng: &mut Rng) -> String {
    let options = settings::text(rng);
    let wire = wire(subject, rng);
    let message = DynamicMessage::decode(&subject.descriptor, &wire);
    message.and_then(|message| options.to_string(&message)).unwrap_or_default()
}

/// A descriptor set: a random one, or one of the project's own.
pub fn descriptor_set(rng: &mut Rng) -> Vec<u8> {
    match rng.below(8) {
        0 => tobu_transcode_schemas::descriptor_set(),
        1 => {
            let files = ["corpus/corpus3.proto", "corpus/corpus2.proto", "json/sets.proto"];
            let mut set = Vec::new();
            let pool = Pool::global();
            for file in files.iter().filter_map(|name| pool.file(name)) {
                file_of_set(file.encoded(), &mut set);
            }
            set
        }
        _ => {
            let mut set = Vec::new();
            file_of_set(&schema(rng), &mut set);
            set
        }
    }
}

/// Adds a file to a descriptor set.
fn file_of_set(file: &[u8], set: &mut Vec<u8>) {
    let mut writer = tobu::wire::Writer::append_to(std::mem::take(set));
    writer.tag(tobu::wire::Tag::new(1, tobu::wire::WireType::Len));
    writer.len_prefixed(file);
    *set = writer.finish().expect("a descriptor set below 2 GiB");
}

/// JSON of messages of which chance hits few valid values.
const JSON: &[(&str, &[&str])] = &[
    (
        "json.v1.Known",
        &[
            r#"{"time":"2024-02-29T23:59:59.123456789Z","span":"-1.5s","mask":"a,bC.d","null":null,"maybeNull":null}"#,
            r#"{"object":{"a":1,"b":[true,null,"x",{"c":{}}],"":""},"value":[1,[2,{"k":-0}]],"list":[[],{},null]}"#,
            r#"{"any":{"@type":"type.googleapis.com/corpus.v3.Leaf","a":1,"b":"x","c":[1]},"empty":{}}"#,
            r#"{"any":{"@type":"type.googleapis.com/google.protobuf.Duration","value":"1s"},"value":null}"#,
            r#"{"any":{"value":{"@type":"x/google.protobuf.Int64Value","value":"7"},"@type":"x/google.protobuf.Any"}}"#,
            r#"{"time":"0001-01-01T00:00:00+01:00","span":"315576000000.999999999s","any":{},"mask":""}"#,
        ],
    ),
    (
        "json.v1.Wrapped",
        &[
            r#"{"fDouble":1e3,"fFloat":"NaN","fInt64":"-9223372036854775808","fUint64":18446744073709551615}"#,
            r#"{"fInt32":-1,"fUint32":"1e2","fBool":false,"fString":"","fBytes":"-_8=","fDouble":null}"#,
        ],
    ),
    (
        "json.v1.KnownLists",
        &[
            r#"{"times":["1970-01-01T00:00:00Z"],"spans":["0s","1.000001s"],"masks":["a","b.c"],"numbers":["1",2]}"#,
            r#"{"objects":[{},{"a":null}],"values":[null,1,"",[],{}],"lists":[[],[1]],"nulls":[null,"NULL_VALUE"]}"#,
            r#"{"anys":[{},{"@type":"x/corpus.v3.Tree","name":"n","children":[{"name":"m"}]}]}"#,
        ],
    ),
    (
        "json.v1.KnownMaps",
        &[
            r#"{"times":{"a":"1970-01-01T00:00:00Z"},"spans":{"-1":"1s","1":"2s"},"values":{"true":null,"false":[]}}"#,
            r#"{"anys":{"":{"@type":"x/json.v1.Known","value":1}},"texts":{"18446744073709551615":"x"},"nulls":{"n":null}}"#,
        ],
    ),
    (
        "json.v1.KnownChoice",
        &[r#"{"time":"1970-01-01T00:00:00Z"}"#, r#"{"value":null}"#, r#"{"null":null}"#, r#"{"flag":true}"#],
    ),
    (
        "json.v2.Open",
        &[
            r#"{"id":1,"child":{"[json.v2.number]":-7},"[json.v2.texts]":["a",""],"[json.v2.big_number]":"1"}"#,
            r#"{"[json.v2.nested]":{"id":2,"set":{"[json.v2.Item.item]":{"value":3}}},"[json.v2.Scope.scope]":{"name":"s"}}"#,
        ],
    ),
    ("json.v2.Set", &[r#"{"[json.v2.Item.item]":{"value":3}}"#]),
];
