//! Reflection on typed messages next to the two ways that are common: to convert a struct into a tree of values and
//! back ("heavy"), and to keep the tree inside a struct from the start ("light"). Both are here in their best form.

#![allow(unreachable_pub, missing_docs, reason = "a program of its own")]
#![allow(clippy::field_reassign_with_default, reason = "fields are set one by one, as a tree is walked")]

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use std::collections::BTreeMap;
use std::hint::black_box;
use std::sync::{Arc, LazyLock};
use tobu::Message;

/// Declares the messages for tobu.
mod typed {
    use std::collections::BTreeMap;

    #[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
    #[tobu(package = "bench")]
    pub struct Simple {
        #[tobu(1)]
        pub simple_bool: bool,
        #[tobu(unknown)]
        pub unknown_fields: tobu::UnknownFields,
    }

    #[derive(
        Clone, Copy, Debug, Default, PartialEq, tobu::Enumeration, tobu::Serialize, tobu::Deserialize,
    )]
    #[tobu(package = "bench", values(ZERO = 0, ONE = 1))]
    pub struct Enum(pub i32);

    #[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
    #[tobu(package = "bench")]
    pub struct Nested {
        #[tobu(1)]
        pub optional_string: Option<String>,
        #[tobu(unknown)]
        pub unknown_fields: tobu::UnknownFields,
    }

    #[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
    #[tobu(package = "bench")]
    pub struct Complex {
        #[tobu(1)]
        pub optional_enum: Option<Enum>,
        #[tobu(2)]
        pub repeated_bytes: Vec<Vec<u8>>,
        #[tobu(3)]
        pub map_message: BTreeMap<i32, Nested>,
        #[tobu(unknown)]
        pub unknown_fields: tobu::UnknownFields,
    }
}

/// A tree of values: a message in a library without types.
#[derive(Clone, Debug, PartialEq)]
enum Tree {
    Bool(bool),
    Enum(i32),
    String(String),
    Bytes(Vec<u8>),
    List(Vec<Tree>),
    Map(BTreeMap<i32, Tree>),
    Message(Fields),
}

/// The name of a message: a tree must know its type.
#[derive(Debug, PartialEq)]
struct Type(&'static str);

/// Types come from schemas that are loaded, as in every such library: they are shared, not static.
static SIMPLE: LazyLock<Arc<Type>> = LazyLock::new(|| Arc::new(Type("bench.Simple")));
static COMPLEX: LazyLock<Arc<Type>> = LazyLock::new(|| Arc::new(Type("bench.Complex")));
static NESTED: LazyLock<Arc<Type>> = LazyLock::new(|| Arc::new(Type("bench.Nested")));

/// The fields of a message by number. As the typed messages here it keeps fields that it does not know.
#[derive(Clone, Debug, PartialEq)]
struct Fields {
    ty: Arc<Type>,
    fields: BTreeMap<u32, Tree>,
    unknown: Vec<u8>,
}

impl Fields {
    fn new(ty: &Arc<Type>) -> Self {
        Fields { ty: Arc::clone(ty), fields: BTreeMap::new(), unknown: Vec::new() }
    }

    fn get(&self, number: u32) -> Option<&Tree> {
        self.fields.get(&number)
    }

    fn get_mut(&mut self, number: u32) -> Option<&mut Tree> {
        self.fields.get_mut(&number)
    }

    fn set(&mut self, number: u32, value: Tree) {
        self.fields.insert(number, value);
    }
}

/// Structs that are converted into a tree and back.
mod heavy {
    use super::{COMPLEX, Fields, NESTED, SIMPLE, Tree};
    use std::collections::BTreeMap;

    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Simple {
        pub simple_bool: bool,
        pub unknown_fields: tobu::UnknownFields,
    }

    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Nested {
        pub optional_string: Option<String>,
        pub unknown_fields: tobu::UnknownFields,
    }

    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Complex {
        pub optional_enum: Option<i32>,
        pub repeated_bytes: Vec<Vec<u8>>,
        pub map_message: BTreeMap<i32, Nested>,
        pub unknown_fields: tobu::UnknownFields,
    }

    impl Simple {
        pub fn reflect(self) -> Fields {
            let mut fields = Fields::new(&SIMPLE);
            fields.unknown.extend_from_slice(self.unknown_fields.as_bytes());
            if self.simple_bool {
                fields.set(1, Tree::Bool(true));
            }
            fields
        }

        pub fn absorb(fields: Fields) -> Self {
            let mut out = Simple::default();
            out.unknown_fields = tobu::UnknownFields::from_bytes(&fields.unknown).unwrap_or_default();
            for (_, value) in fields.fields {
                if let Tree::Bool(value) = value {
                    out.simple_bool = value;
                }
            }
            out
        }
    }

    impl Nested {
        fn reflect(self) -> Fields {
            let mut fields = Fields::new(&NESTED);
            fields.unknown.extend_from_slice(self.unknown_fields.as_bytes());
            if let Some(text) = self.optional_string {
                fields.set(1, Tree::String(text));
            }
            fields
        }

        fn absorb(fields: Fields) -> Self {
            let mut out = Nested::default();
            out.unknown_fields = tobu::UnknownFields::from_bytes(&fields.unknown).unwrap_or_default();
            for (_, value) in fields.fields {
                if let Tree::String(text) = value {
                    out.optional_string = Some(text);
                }
            }
            out
        }
    }

    impl Complex {
        pub fn reflect(self) -> Fields {
            let mut fields = Fields::new(&COMPLEX);
            fields.unknown.extend_from_slice(self.unknown_fields.as_bytes());
            if let Some(value) = self.optional_enum {
                fields.set(1, Tree::Enum(value));
            }
            if !self.repeated_bytes.is_empty() {
                fields.set(2, Tree::List(self.repeated_bytes.into_iter().map(Tree::Bytes).collect()));
            }
            if !self.map_message.is_empty() {
                let entries = self.map_message.into_iter();
                fields.set(
                    3,
                    Tree::Map(entries.map(|(key, value)| (key, Tree::Message(value.reflect()))).collect()),
                );
            }
            fields
        }

        pub fn absorb(fields: Fields) -> Self {
            let mut out = Complex::default();
            out.unknown_fields = tobu::UnknownFields::from_bytes(&fields.unknown).unwrap_or_default();
            for (number, value) in fields.fields {
                match (number, value) {
                    (1, Tree::Enum(value)) => out.optional_enum = Some(value),
                    (2, Tree::List(values)) => {
                        let bytes = |value| if let Tree::Bytes(bytes) = value { bytes } else { Vec::new() };
                        out.repeated_bytes = values.into_iter().map(bytes).collect();
                    }
                    (3, Tree::Map(values)) => {
                        let message = |value| match value {
                            Tree::Message(fields) => Nested::absorb(fields),
                            _ => Nested::default(),
                        };
                        out.map_message =
                            values.into_iter().map(|(key, value)| (key, message(value))).collect();
                    }
                    _ => {}
                }
            }
            out
        }
    }
}

/// Structs that are trees from the start.
mod light {
    use super::{COMPLEX, Fields, SIMPLE, Tree};

    #[derive(Clone, Debug, PartialEq)]
    pub struct Simple(pub Fields);

    #[derive(Clone, Debug, PartialEq)]
    pub struct Complex(pub Fields);

    impl Default for Simple {
        fn default() -> Self {
            Simple(Fields::new(&SIMPLE))
        }
    }

    impl Default for Complex {
        fn default() -> Self {
            Complex(Fields::new(&COMPLEX))
        }
    }

    impl Simple {
        pub fn simple_bool(&self) -> bool {
            matches!(self.0.get(1), Some(Tree::Bool(true)))
        }

        pub fn set_simple_bool(&mut self, value: bool) {
            self.0.set(1, Tree::Bool(value));
        }

        pub fn reflect(self) -> Fields {
            self.0
        }

        pub fn absorb(fields: Fields) -> Self {
            Simple(fields)
        }
    }

    impl Complex {
        pub fn optional_enum(&self) -> i32 {
            if let Some(Tree::Enum(value)) = self.0.get(1) { *value } else { 0 }
        }

        pub fn repeated_bytes(&self) -> &[Tree] {
            if let Some(Tree::List(values)) = self.0.get(2) { values } else { &[] }
        }

        pub fn optional_string(&self, key: i32) -> &str {
            let Some(Tree::Map(values)) = self.0.get(3) else { return "" };
            let Some(Tree::Message(nested)) = values.get(&key) else { return "" };
            if let Some(Tree::String(text)) = nested.get(1) { text } else { "" }
        }

        pub fn set_optional_enum(&mut self, value: i32) {
            self.0.set(1, Tree::Enum(value));
        }

        pub fn repeated_bytes_mut(&mut self) -> Option<&mut Vec<Tree>> {
            if let Some(Tree::List(values)) = self.0.get_mut(2) { Some(values) } else { None }
        }

        pub fn nested_mut(&mut self, key: i32) -> Option<&mut Fields> {
            let Some(Tree::Map(values)) = self.0.get_mut(3) else { return None };
            if let Some(Tree::Message(nested)) = values.get_mut(&key) { Some(nested) } else { None }
        }

        pub fn reflect(self) -> Fields {
            self.0
        }

        pub fn absorb(fields: Fields) -> Self {
            Complex(fields)
        }
    }
}

fn typed_complex() -> typed::Complex {
    let nested = typed::Nested { optional_string: Some("nested".to_owned()), ..Default::default() };
    typed::Complex {
        optional_enum: Some(typed::Enum::ONE),
        repeated_bytes: vec![b"hello".to_vec(), b"bye".to_vec()],
        map_message: BTreeMap::from([(66, nested.clone()), (9, nested)]),
        ..Default::default()
    }
}

fn heavy_complex() -> heavy::Complex {
    let nested = heavy::Nested { optional_string: Some("nested".to_owned()), ..Default::default() };
    heavy::Complex {
        optional_enum: Some(1),
        repeated_bytes: vec![b"hello".to_vec(), b"bye".to_vec()],
        map_message: BTreeMap::from([(66, nested.clone()), (9, nested)]),
        ..Default::default()
    }
}

/// Takes a message that was just made, and drops it in place: criterion would move it once more, and wait for stores
/// still pending, which takes longer than the measured work.
#[inline(always)]
fn made<T>(message: T) {
    black_box(&message);
}

/// So many messages that they stay in the cache: batches that grow with the number of passes measure how fast the
/// system allocates new pages.
const BATCH: BatchSize = BatchSize::NumIterations(256);

fn simple(c: &mut Criterion) {
    let mut group = c.benchmark_group("simple");
    group.bench_function("new/tobu", |b| b.iter(|| made(typed::Simple::default())));
    group.bench_function("new/heavy", |b| b.iter(|| made(heavy::Simple::default())));
    group.bench_function("new/light", |b| b.iter(|| made(light::Simple::default())));

    let typed = typed::Simple { simple_bool: true, ..Default::default() };
    let heavy = heavy::Simple { simple_bool: true, ..Default::default() };
    let light = light::Simple::absorb(heavy.clone().reflect());
    group.bench_function("access/tobu", |b| b.iter(|| black_box(&typed).simple_bool));
    group.bench_function("access/heavy", |b| b.iter(|| black_box(&heavy).simple_bool));
    group.bench_function("access/light", |b| b.iter(|| black_box(&light).simple_bool()));

    let (mut t, mut h, mut l) = (typed.clone(), heavy.clone(), light.clone());
    group.bench_function("mutate/tobu", |b| b.iter(|| black_box(&mut t).simple_bool = black_box(true)));
    group.bench_function("mutate/heavy", |b| b.iter(|| black_box(&mut h).simple_bool = black_box(true)));
    group.bench_function("mutate/light", |b| b.iter(|| black_box(&mut l).set_simple_bool(black_box(true))));

    group.bench_function("reflect/tobu", |b| {
        b.iter_batched(|| typed.clone(), |message| message.reflect(), BATCH);
    });
    group.bench_function("reflect/heavy", |b| {
        b.iter_batched(|| heavy.clone(), heavy::Simple::reflect, BATCH);
    });
    group.bench_function("reflect/light", |b| {
        b.iter_batched(|| light.clone(), light::Simple::reflect, BATCH);
    });

    group.bench_function("absorb/tobu", |b| {
        b.iter_batched(|| typed.clone().reflect(), |message| message.absorb(), BATCH);
    });
    group.bench_function("absorb/heavy", |b| {
        b.iter_batched(|| heavy.clone().reflect(), heavy::Simple::absorb, BATCH);
    });
    group.bench_function("absorb/light", |b| {
        b.iter_batched(|| light.clone().reflect(), light::Simple::absorb, BATCH);
    });
    group.finish();
}

fn complex(c: &mut Criterion) {
    let mut group = c.benchmark_group("complex");
    group.bench_function("new/tobu", |b| b.iter(|| made(typed::Complex::default())));
    group.bench_function("new/heavy", |b| b.iter(|| made(heavy::Complex::default())));
    group.bench_function("new/light", |b| b.iter(|| made(light::Complex::default())));

    let (typed, heavy) = (typed_complex(), heavy_complex());
    let light = light::Complex::absorb(heavy.clone().reflect());
    group.bench_function("access/tobu", |b| {
        b.iter(|| {
            let message = black_box(&typed);
            let text =
                message.map_message.get(&black_box(66)).and_then(|nested| nested.optional_string.as_deref());
            black_box((message.optional_enum.map_or(0, |value| value.0), message.repeated_bytes.len(), text))
        });
    });
    group.bench_function("access/heavy", |b| {
        b.iter(|| {
            let message = black_box(&heavy);
            let text =
                message.map_message.get(&black_box(66)).and_then(|nested| nested.optional_string.as_deref());
            black_box((message.optional_enum.unwrap_or(0), message.repeated_bytes.len(), text))
        });
    });
    group.bench_function("access/light", |b| {
        b.iter(|| {
            let message = black_box(&light);
            let text = message.optional_string(black_box(66));
            black_box((message.optional_enum(), message.repeated_bytes().len(), text.len()))
        });
    });

    // Memory is allocated before a step: the lengths do not change.
    let (mut t, mut h, mut l) = (typed.clone(), heavy.clone(), light.clone());
    group.bench_function("mutate/tobu", |b| {
        b.iter(|| {
            let message = black_box(&mut t);
            message.optional_enum = Some(typed::Enum(black_box(1)));
            if let Some(bytes) = message.repeated_bytes.get_mut(1) {
                bytes.clear();
                bytes.extend_from_slice(black_box(b"hi"));
            }
            if let Some(nested) = message.map_message.get_mut(&black_box(66)) {
                let text = nested.optional_string.get_or_insert_default();
                text.clear();
                text.push_str(black_box("text"));
            }
        });
    });
    group.bench_function("mutate/heavy", |b| {
        b.iter(|| {
            let message = black_box(&mut h);
            message.optional_enum = Some(black_box(1));
            if let Some(bytes) = message.repeated_bytes.get_mut(1) {
                bytes.clear();
                bytes.extend_from_slice(black_box(b"hi"));
            }
            if let Some(nested) = message.map_message.get_mut(&black_box(66)) {
                let text = nested.optional_string.get_or_insert_default();
                text.clear();
                text.push_str(black_box("text"));
            }
        });
    });
    group.bench_function("mutate/light", |b| {
        b.iter(|| {
            let message = black_box(&mut l);
            message.set_optional_enum(black_box(1));
            if let Some(Tree::Bytes(bytes)) = message.repeated_bytes_mut().and_then(|list| list.get_mut(1)) {
                bytes.clear();
                bytes.extend_from_slice(black_box(b"hi"));
            }
            let nested = message.nested_mut(black_box(66));
            if let Some(Tree::String(text)) = nested.and_then(|nested| nested.get_mut(1)) {
                text.clear();
                text.push_str(black_box("text"));
            }
        });
    });

    group.bench_function("reflect/tobu", |b| {
        b.iter_batched(|| typed.clone(), |message| message.reflect(), BATCH);
    });
    group.bench_function("reflect/heavy", |b| {
        b.iter_batched(|| heavy.clone(), heavy::Complex::reflect, BATCH);
    });
    group.bench_function("reflect/light", |b| {
        b.iter_batched(|| light.clone(), light::Complex::reflect, BATCH);
    });

    group.bench_function("absorb/tobu", |b| {
        b.iter_batched(|| typed.clone().reflect(), |message| message.absorb(), BATCH);
    });
    group.bench_function("absorb/heavy", |b| {
        b.iter_batched(|| heavy.clone().reflect(), heavy::Complex::absorb, BATCH);
    });
    group.bench_function("absorb/light", |b| {
        b.iter_batched(|| light.clone().reflect(), light::Complex::absorb, BATCH);
    });
    group.finish();
}

criterion_group!(benches, simple, complex);
criterion_main!(benches);
