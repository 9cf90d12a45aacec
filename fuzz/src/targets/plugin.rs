//! The request of a protoc, which need not be one.

use crate::counting;
use crate::generate::{self, Choices};
use crate::mutate::{BUILT, Syntax};
use crate::rng::Rng;
use std::borrow::Cow;
use std::path::{Component, Path};
use tobu::Pool;
use tobu::wire::{Reader, Tag, WireType, Writer};
use tobu_build::run_plugin;

/// Parameters of requests.
const PARAMETERS: &[&str] = &[
    "",
    "client,server,generate_default_stubs",
    "views=both,getters=false,accessors",
    "views=only,bytes_type=bytes,string_type=box_str,map_type=vec_map",
    "enum_type=rust,derive_eq_hash,derive_copy,strip_enum_prefix=false",
    "serde_derives,map_type=btree_map,skip_debug@.random.M0,boxed@.random.M0",
    "file_per_package,all_imports,well_known_types=false",
    "out_file=a.rs,runtime_path=::tobu,comments=false,keep_source_info,unknown_fields=false",
    "extern_path@.random.M1=::other::M1,with@f1=::acme::Id;::acme::Hex",
    "type_attribute=#[allow(dead_code)],field_attribute@f0=#[doc(hidden)]",
];

/// The `CodeGeneratorRequest` of an input: the bytes after its first one, or one for a random schema with damage.
fn request(data: &[u8]) -> Option<Cow<'_, [u8]>> {
    let (&kind, rest) = data.split_first()?;
    if kind & BUILT == 0 {
        return Some(rest.into());
    }
    let choices = Choices::of(rest);
    let parameter = PARAMETERS[usize::from(kind & !BUILT) % PARAMETERS.len()];
    let mut request = for_files(parameter, &generate::set_of([choices.file()]));
    choices.hurt(&mut request, Syntax::Wire);
    Some(request.into())
}

/// A request for code of each file of a descriptor set.
fn for_files(parameter: &str, set: &[u8]) -> Vec<u8> {
    let pool = Pool::from_descriptor_set(set).expect("a set that was generated");
    let mut request = Writer::new();
    let mut field = |number, value: &[u8]| {
        request.tag(Tag::new(number, WireType::Len));
        request.len_prefixed(value);
    };
    for file in pool.files() {
        field(1, file.name().as_bytes());
    }
    field(2, parameter.as_bytes());
    for file in pool.files() {
        field(15, file.encoded());
    }
    request.finish().expect("a request below 2 GiB")
}

/// A request, or choices for one.
pub(super) fn seed(rng: &mut Rng) -> Vec<u8> {
    let kind = rng.next() as u8;
    let rest = match kind & BUILT {
        0 => for_files(rng.pick::<&str>(PARAMETERS), &generate::descriptor_set(rng)),
        _ => generate::choices(rng),
    };
    [&[kind][..], &rest].concat()
}

/// A request is refused, or answered alike each time: with an error, or with files in the output directory whose code
/// parses.
pub(super) fn plugin(data: &[u8]) {
    let Some(request) = request(data) else { return };
    let (held, response) = counting::peak(|| run_plugin(&request));
    // Of a message come a type, its documentation, and clients and servers, as text and as syntax.
    let most = 1024 * request.len() + (16 << 20);
    assert!(held <= most, "{held} bytes for a request of {}", request.len());
    let Ok(response) = response else { return };
    assert!(run_plugin(&request).is_ok_and(|again| again == response), "another response the second time");
    let mut reader = Reader::new(&response);
    while !reader.is_empty() {
        let tag = reader.tag().expect("a well-formed response");
        match tag.number() {
            1 => {
                let error = reader.string().expect("a text");
                assert!(!error.contains("which is a bug"), "{error}");
            }
            15 => file(reader.len_prefixed().expect("a file")),
            _ => reader.skip(tag, 1).map(drop).expect("a number"),
        }
    }
}

/// A file of a response has a name that leads nowhere else.
fn file(encoded: &[u8]) {
    let mut reader = Reader::new(encoded);
    assert_eq!(reader.tag().ok(), Some(Tag::new(1, WireType::Len)));
    let name = reader.string().expect("a name");
    let mut parts = Path::new(name).components();
    assert!(parts.all(|part| matches!(part, Component::Normal(_))) && !name.contains('\\'), "{name:?}");
    assert_eq!(reader.tag().ok(), Some(Tag::new(15, WireType::Len)));
    let code = reader.string().expect("the code is text");
    assert!(reader.is_empty() && !code.is_empty(), "{name}");
}
