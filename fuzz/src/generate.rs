//! Valid input of each kind, out of bytes that are choices.

use crate::entropy::Entropy;
use crate::mutate::{self, BUILT, Syntax};
use crate::rng::Rng;
use crate::subject::Subject;
use crate::wire::{self, Form};
use crate::{schema, settings, tree};
use arbitrary::{Arbitrary, Unstructured};
use std::borrow::Cow;
use std::sync::LazyLock;
use tobu::wire::{Tag, WireType, Writer};
use tobu::{DynamicMessage, Pool, text};

/// The choices for a schema and a message of it. Each byte is one choice: a fuzzer that changes a byte changes a field,
/// and not a length that all after it depends on. `arbitrary` cuts an input into these runs of choices, with lengths at
/// the end of the input; the generators of the property tests interpret the choices, so that there is one of each.
#[derive(Clone, Debug, Default)]
pub struct Choices<'a> {
    /// Which changes make the input hostile: each is a seed of one, so that they are added and removed separately.
    /// None: it is valid.
    pub damage: Vec<u16>,
    /// Which messages, fields and enums the schema has.
    pub schema: &'a [u8],
    /// The choices of set fields and their values.
    pub content: &'a [u8],
    /// In which of the forms that mean the same it is written.
    pub form: &'a [u8],
}

// Not derived: `arbitrary`'s derive takes features of `syn` that all derives would be compiled again
// for.
impl<'a> Arbitrary<'a> for Choices<'a> {
    fn arbitrary(data: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        let (damage, schema) = (data.arbitrary()?, data.arbitrary()?);
        Ok(Choices { damage, schema, content: data.arbitrary()?, form: data.arbitrary()? })
    }

    fn arbitrary_take_rest(mut data: Unstructured<'a>) -> arbitrary::Result<Self> {
        let (damage, schema) = (data.arbitrary()?, data.arbitrary()?);
        Ok(Choices { damage, schema, content: data.arbitrary()?, form: data.take_rest() })
    }
}

/// More changes leave nothing to recognize.
const CHANGES: usize = 6;

impl<'a> Choices<'a> {
    /// Cuts an input into choices; missing ones are empty.
    pub fn of(data: &'a [u8]) -> Self {
        Choices::arbitrary_take_rest(Unstructured::new(data)).unwrap_or_default()
    }

    /// The file of a schema.
    pub fn file(&self) -> Vec<u8> {
        schema::file(schema::PLAIN, &mut Entropy::new(self.schema))
    }

    /// The same as `.proto` source.
    ///
    /// # Panics
    /// When such a schema is refused.
    pub fn source(&self) -> String {
        let file = Pool::new().add_file(&self.file()).expect("a random schema is valid");
        file.to_proto_text().expect("a valid schema can be printed")
    }

    /// A subject of that schema: its first message.
    ///
    /// # Panics
    /// When such a schema is refused.
    pub fn subject(&self) -> Subject {
        let mut pool = Pool::new();
        pool.add_file(&self.file()).expect("a random schema is valid");
        Subject::of(pool.message("random.M0").expect("its first message"))
    }

    /// The wire bytes of a message of a subject.
    pub fn wire(&self, subject: &Subject) -> Vec<u8> {
        let tree = tree::message(&subject.descriptor, &mut Entropy::new(self.content), 4);
        let mut form = match self.form {
            [] => Form::Plain,
            form => Form::Scrambled(Entropy::new(form)),
        };
        wire::encode(&subject.descriptor, &tree, &mut form)
    }

    /// The source of the settings of a text: one byte.
    fn settings(&self) -> Rng {
        Rng::new(self.form.first().map_or(0, |&first| first.into()))
    }

    /// Its JSON; nothing of a message that has no JSON, as some of well-known types.
    pub fn json(&self, subject: &Subject) -> Option<String> {
        let options = settings::json(&mut self.settings());
        let message = DynamicMessage::decode(&subject.descriptor, &self.wire(subject)).ok()?;
        options.to_string(&message).ok()
    }

    /// The message in the text format.
    pub fn text(&self, subject: &Subject) -> Option<String> {
        let options = settings::text(&mut self.settings());
        let message = DynamicMessage::decode(&subject.descriptor, &self.wire(subject)).ok()?;
        options.to_string(&message).ok()
    }

    /// The message in a syntax, with its damage.
    pub fn message(&self, subject: &Subject, syntax: Syntax) -> Vec<u8> {
        let mut message = match syntax {
            Syntax::Json => self.json(subject).unwrap_or_else(|| "{}".into()).into(),
            Syntax::Text => self.text(subject).unwrap_or_default().into(),
            Syntax::Proto => self.source().into(),
            _ => self.wire(subject),
        };
        self.hurt(&mut message, syntax);
        message
    }

    /// Does the damage.
    pub fn hurt(&self, input: &mut Vec<u8>, syntax: Syntax) {
        for &seed in self.damage.iter().take(CHANGES) {
            mutate::once(syntax, input, &[], &mut Rng::new(seed.into()));
        }
    }

    /// The choices for two messages.
    pub fn halves(&self) -> (Self, Self) {
        let (content, more_content) = self.content.split_at(self.content.len() / 2);
        let (form, more_form) = self.form.split_at(self.form.len() / 2);
        let (damage, more_damage) = self.damage.split_at(self.damage.len() / 2);
        (
            Choices { damage: damage.into(), schema: self.schema, content, form },
            Choices {
                damage: more_damage.into(),
                schema: self.schema,
                content: more_content,
                form: more_form,
            },
        )
    }
}

/// Random bytes to choose by: few or many, for a message in its plain form or in any.
struct Random(Vec<u8>, Vec<u8>, Vec<u8>);

impl Random {
    fn new(rng: &mut Rng) -> Self {
        let most = *rng.pick(&[20, 60, 200, 600]);
        let form = if rng.chance(3) { 0 } else { 300 };
        Random(rng.bytes(160), rng.bytes(most), rng.bytes(form))
    }

    fn choices(&self) -> Choices<'_> {
        Choices { damage: Vec::new(), schema: &self.0, content: &self.1, form: &self.2 }
    }
}

/// A stream of messages, each put into it by `frame`: the bytes after the first one of an input, or messages made from
/// them.
pub fn stream<'a>(
    kind: u8,
    rest: &'a [u8],
    subject: &Subject,
    frame: fn(&[u8], &mut Vec<u8>),
) -> Cow<'a, [u8]> {
    if kind & BUILT == 0 {
        return rest.into();
    }
    let mut out = Vec::new();
    let mut choices = Unstructured::new(rest);
    for choices in choices.arbitrary_iter::<Choices<'_>>().into_iter().flatten().flatten().take(8) {
        frame(&choices.message(subject, Syntax::Wire), &mut out);
    }
    out.into()
}

/// An input for [`stream`].
pub fn stream_seed(rng: &mut Rng, subject: &Subject, frame: fn(&[u8], &mut Vec<u8>)) -> Vec<u8> {
    let mut seed = vec![*rng.pick(&[1, 3, 5, 64, 127]) | *rng.pick(&[0, BUILT])];
    if seed[0] & BUILT == 0 {
        for _ in 0..rng.below(5) {
            frame(&wire(subject, rng), &mut seed);
        }
    } else {
        seed.extend(choices(rng));
    }
    seed
}

/// Bytes that [`Choices::of`] takes apart.
pub fn choices(rng: &mut Rng) -> Vec<u8> {
    let most = *rng.pick(&[60, 200, 600]);
    rng.bytes(most)
}

/// The file of a random schema.
pub fn schema(rng: &mut Rng) -> Vec<u8> {
    Random::new(rng).choices().file()
}

/// One of the [`EXAMPLES`] of a subject, if it has any, most of the time.
fn example(subject: &Subject, rng: &mut Rng) -> Option<&'static str> {
    let name = subject.typed.as_ref()?.name;
    let (_, texts) = EXAMPLES.iter().find(|(of, _)| *of == name)?;
    (!rng.chance(4)).then(|| *rng.pick(texts))
}

/// The same as a message.
fn example_message(subject: &Subject, rng: &mut Rng) -> Option<DynamicMessage> {
    let text = example(subject, rng)?;
    Some(DynamicMessage::from_json(&subject.descriptor, text).expect("an example is valid"))
}

/// The wire bytes of a random message of a subject, in any form that means the same.
pub fn wire(subject: &Subject, rng: &mut Rng) -> Vec<u8> {
    match example_message(subject, rng) {
        Some(message) => message.encode_to_vec().expect("an example can be written"),
        None => Random::new(rng).choices().wire(subject),
    }
}

/// The JSON of a random message of a subject.
pub fn json(subject: &Subject, rng: &mut Rng) -> String {
    if let Some(text) = example(subject, rng) {
        return text.into();
    }
    let found = (0..8).find_map(|_| Random::new(rng).choices().json(subject));
    found.unwrap_or_else(|| "{}".into())
}

/// A message in the text format.
pub fn text(subject: &Subject, rng: &mut Rng) -> String {
    match example_message(subject, rng) {
        Some(message) => text::to_string(&message).expect("an example can be printed"),
        None => Random::new(rng).choices().text(subject).unwrap_or_default(),
    }
}

/// The schemas of the tests of transcoding.
static TRANSCODE: LazyLock<Vec<u8>> = LazyLock::new(tobu_transcode_schemas::descriptor_set);

/// A descriptor set: a random one, or one of the project's own.
pub fn descriptor_set(rng: &mut Rng) -> Vec<u8> {
    match rng.below(8) {
        0 => TRANSCODE.clone(),
        1 => {
            let files = ["corpus/corpus3.proto", "corpus/corpus2.proto", "json/sets.proto"];
            let pool = Pool::global();
            set_of(files.iter().filter_map(|name| Some(pool.file(name)?.encoded().to_vec())))
        }
        _ => set_of([schema(rng)]),
    }
}

/// A descriptor set of these files.
pub fn set_of(files: impl IntoIterator<Item = Vec<u8>>) -> Vec<u8> {
    let mut writer = Writer::new();
    for file in files {
        writer.tag(Tag::new(1, WireType::Len));
        writer.len_prefixed(&file);
    }
    writer.finish().expect("a descriptor set below 2 GiB")
}

/// JSON of messages of which chance hits few valid values.
const EXAMPLES: &[(&str, &[&str])] = &[
    (
        "json.v1.Known",
        &[
            r#"{"time":"2024-02-29T23:59:59.123456789Z","span":"-1.5s","mask":"a,bC.d","null":null,"maybeNull":null}"#,
            r#"{"object":{"a":1,"b":[true,null,"x",{"c":{}}],"":""},"value":[1,[2,{"k":-0}]],"list":[[],{},null]}"#,
            r#"{"any":{"@type":"type.googleapis.com/corpus.v3.Leaf","a":1,"b":"x","c":[1]},"empty":{}}"#,
            r#"{"any":{"@type":"type.googleapis.com/google.protobuf.Duration","value":"1s"},"value":null}"#,
            r#"{"any":{"value":{"@type":"x/google.protobuf.Int64Value","value":"7"},"@type":"x/google.protobuf.Any"}}"#,
            r#"{"time":"0001-01-01T01:00:00+01:00","span":"315576000000.999999999s","any":{},"mask":""}"#,
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
