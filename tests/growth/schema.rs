//! Schemas: loaded, looked into, printed as source, and used for the first time.

use crate::family::{Family, Verb, refused, run, taken};
use prost::Message as _;
use prost_types::field_descriptor_proto::{Label, Type};
use prost_types::{
    DescriptorProto, EnumDescriptorProto, EnumValueDescriptorProto, FieldDescriptorProto,
    FileDescriptorProto, FileDescriptorSet, MethodDescriptorProto, OneofDescriptorProto,
    ServiceDescriptorProto,
    descriptor_proto::{ExtensionRange, ReservedRange},
};
use tobu::descriptor::compare;
use tobu::stream::described::{Options, Reader, Writer};
use tobu::{DynamicMessage, Pool, convert};

/// The bytes of a set of these files.
fn set(files: impl IntoIterator<Item = FileDescriptorProto>) -> Vec<u8> {
    FileDescriptorSet { file: files.into_iter().collect() }.encode_to_vec()
}

/// A file of these messages.
fn file(messages: impl IntoIterator<Item = DescriptorProto>) -> FileDescriptorProto {
    FileDescriptorProto {
        name: Some("a.proto".into()),
        package: Some("p".into()),
        syntax: Some("proto3".into()),
        message_type: messages.into_iter().collect(),
        ..FileDescriptorProto::default()
    }
}

/// A file that has a message and imports others, each publicly or not.
fn importing(number: usize, imports: impl IntoIterator<Item = usize>, public: bool) -> FileDescriptorProto {
    let dependency: Vec<_> = imports.into_iter().map(|number| format!("f{number}.proto")).collect();
    let count = if public { dependency.len() as i32 } else { 0 };
    FileDescriptorProto {
        name: Some(format!("f{number}.proto")),
        dependency,
        public_dependency: (0..count).collect(),
        ..file([message(format!("M{number}"), [])])
    }
}

fn message(
    name: impl Into<String>,
    fields: impl IntoIterator<Item = FieldDescriptorProto>,
) -> DescriptorProto {
    DescriptorProto {
        name: Some(name.into()),
        field: fields.into_iter().collect(),
        ..DescriptorProto::default()
    }
}

fn field(name: impl Into<String>, number: usize, ty: Type) -> FieldDescriptorProto {
    FieldDescriptorProto {
        name: Some(name.into()),
        number: Some(number as i32),
        label: Some(Label::Optional.into()),
        r#type: Some(ty.into()),
        ..FieldDescriptorProto::default()
    }
}

/// A field of a message or of an enum.
fn of(
    name: impl Into<String>,
    number: usize,
    ty: Type,
    type_name: impl Into<String>,
) -> FieldDescriptorProto {
    FieldDescriptorProto { type_name: Some(type_name.into()), ..field(name, number, ty) }
}

fn numbered(count: usize) -> impl Iterator<Item = FieldDescriptorProto> {
    (1..=count).map(|number| field(format!("field_{number}"), number, Type::Int32))
}

fn enumeration(name: &str, count: usize, number: fn(usize) -> i32) -> EnumDescriptorProto {
    let value = |index| EnumValueDescriptorProto {
        name: Some(format!("{name}_{index}")),
        number: Some(number(index)),
        ..EnumValueDescriptorProto::default()
    };
    EnumDescriptorProto {
        name: Some(name.into()),
        value: (0..count).map(value).collect(),
        ..EnumDescriptorProto::default()
    }
}

/// Messages that are in each other, from the outermost to the innermost.
fn nested(levels: usize) -> DescriptorProto {
    let inner = message(format!("M{levels}"), [field("a", 1, Type::Int32)]);
    (0..levels).rev().fold(inner, |inner, level| DescriptorProto {
        nested_type: vec![inner],
        ..message(format!("M{level}"), [])
    })
}

fn text(error: tobu::Error) -> String {
    error.to_string()
}

/// The operations on a newly loaded set.
macro_rules! loaded {
    ($($name:literal => |$pool:ident| $run:expr;)*) => {
        [$(Verb {
            name: $name,
            prepare: |set| {
                let $pool = Pool::from_descriptor_set(set).ok()?;
                Some(Box::new(move || $run))
            },
        }),*]
    };
}

fn load() -> Vec<Verb> {
    vec![
        Verb {
            name: "from_descriptor_set",
            prepare: |set| Some(Box::new(move || Pool::from_descriptor_set(set).map(|_| 0).map_err(text))),
        },
        Verb {
            name: "add_descriptor_set",
            prepare: |set| {
                Some(Box::new(move || Pool::new().add_descriptor_set(set).map(|()| 0).map_err(text)))
            },
        },
        Verb {
            name: "add_file, file by file, beside a clone",
            prepare: |set| {
                let set = FileDescriptorSet::decode(set).ok()?;
                let files: Vec<_> = set.file.iter().map(prost::Message::encode_to_vec).collect();
                Some(Box::new(move || {
                    let mut pool = Pool::new();
                    for file in files {
                        let clone = pool.clone();
                        pool.add_file(&file).map_err(text)?;
                        drop(clone);
                    }
                    Ok(0)
                }))
            },
        },
    ]
}

fn verbs() -> Vec<Verb> {
    let loaded = loaded! {
        "to_descriptor_set" => |pool| Ok(pool.to_descriptor_set().len());
        "to_proto_text" => |pool| {
            let mut len = 0;
            for file in pool.files() {
                len += file.to_proto_text().map_err(text)?.len();
            }
            Ok(len)
        };
        "look up all messages and fields" => |pool| {
            let mut found = 0;
            for message in pool.messages() {
                found += usize::from(pool.message(message.full_name()).is_some());
                for field in message.fields() {
                    found += usize::from(message.field_by_number(field.number()).is_some());
                    found += usize::from(message.field_by_name(field.name()).is_some());
                    found += usize::from(message.field_by_json_name(field.json_name()).is_some());
                }
            }
            Ok(found)
        };
        "look up all enum values" => |pool| {
            let mut found = 0;
            for enumeration in pool.enums() {
                for value in enumeration.values() {
                    found += usize::from(enumeration.value_by_number(value.number()).is_some());
                    found += usize::from(enumeration.value_by_name(value.name()).is_some());
                }
            }
            Ok(found)
        };
        "look up all extensions" => |pool| {
            let mut found = 0;
            for message in pool.messages() {
                for extension in pool.extensions_of(&message) {
                    found += usize::from(pool.extension_of(&message, extension.number()).is_some());
                }
            }
            Ok(found)
        };
        "every element by its position" => |pool| {
            let mut found = 0;
            for file in pool.files() {
                found += (0..file.messages().len()).filter_map(|i| file.messages().nth(i)).count();
                found += (0..file.enums().len()).filter_map(|i| file.enums().nth(i)).count();
                found += (0..file.services().len()).filter_map(|i| file.services().nth(i)).count();
                found += (0..file.extensions().len()).filter_map(|i| file.extensions().nth(i)).count();
                for message in file.all_messages() {
                    found += (0..message.fields().len()).filter_map(|i| message.fields().nth(i)).count();
                    found += (0..message.oneofs().len()).filter_map(|i| message.oneofs().nth(i)).count();
                    found += (0..message.messages().len()).filter_map(|i| message.messages().nth(i)).count();
                }
                for enumeration in file.all_enums() {
                    found += (0..enumeration.values().len()).filter_map(|i| enumeration.values().nth(i)).count();
                }
            }
            Ok(found)
        };
        "findings" => |pool| {
            Ok(pool.files().map(|file| file.findings(&pool, &pool).errors.len()).sum())
        };
        "options and comments of all" => |pool| {
            let mut len = 0;
            for file in pool.files() {
                for message in file.all_messages() {
                    len += message.options().encoded().len() + message.comments().leading().len();
                    len += message.fields().map(|field| field.options().encoded().len()).sum::<usize>();
                }
            }
            Ok(len)
        };
        "decode by every message" => |pool| {
            for message in pool.messages().filter(|message| !message.is_map_entry()) {
                DynamicMessage::decode(&message, b"\x08\x01\xf8\xff\xff\xff\x0f\x05").map_err(text)?;
            }
            Ok(0)
        };
        "JSON of every message" => |pool| {
            let mut out = Vec::new();
            for message in pool.messages().filter(|message| !message.is_map_entry()) {
                convert::json_to_wire(&message, b"{}", &mut out).map_err(text)?;
                convert::wire_to_json(&message, b"\xf8\xff\xff\xff\x0f\x05", &mut out).map_err(text)?;
            }
            Ok(0)
        };
        "a stream that declares every message" => |pool| {
            let mut writer = Writer::with_options(Vec::new(), Options::new().block_size(1));
            for message in pool.messages().filter(|message| !message.is_map_entry()) {
                // Each in a separate block.
                writer.declare(&message).map_err(text)?;
                writer.flush().map_err(text)?;
            }
            writer.finish().map_err(text)?;
            let stream = writer.into_inner();
            let mut reader = Reader::new(&stream[..]);
            let end = reader.next().map_err(text)?;
            assert!(end.is_none());
            Ok(stream.len())
        };
        "compare a message with the same of another pool" => |pool| {
            let other = Pool::from_descriptor_set(&pool.to_descriptor_set()).map_err(text)?;
            for message in pool.messages().take(1) {
                let same = other.message(message.full_name()).ok_or("a message is missing")?;
                assert_eq!(compare(&message, &same), []);
            }
            Ok(0)
        };
        "text of every message" => |pool| {
            let (mut out, options) = (Vec::new(), tobu::text::Options::new());
            for message in pool.messages().filter(|message| !message.is_map_entry()) {
                convert::text_to_wire(&message, b"", &mut out, &options).map_err(text)?;
            }
            Ok(0)
        };
    };
    [load(), loaded.to_vec()].concat()
}

#[test]
fn declarations() {
    const FAMILIES: &[Family] = &[
        taken("messages", 16, |n| set([file((0..n).map(|at| message(format!("M{at}"), [])))])),
        taken("messages in a message", 16, |n| {
            let nested_type = (0..n).map(|at| message(format!("M{at}"), [])).collect();
            set([file([DescriptorProto { nested_type, ..message("M", []) }])])
        }),
        taken("messages in each other", 1, |n| set([file([nested(n)])])),
        taken("fields", 16, |n| set([file([message("M", numbered(n))])])),
        taken("fields in falling order", 16, |n| {
            let mut fields: Vec<_> = numbered(n).collect();
            fields.reverse();
            set([file([message("M", fields)])])
        }),
        taken("fields with far numbers", 16, |n| {
            set([file([message("M", (1..=n).map(|at| field(format!("f{at}"), at * 100_000, Type::Int32)))])])
        }),
        taken("messages of some fields", 8, |n| {
            set([file((0..n).map(|at| message(format!("M{at}"), numbered(5))))])
        }),
        taken("long names", 8, |n| {
            set([file([message("M".repeat(n), [field("f".repeat(n), 1, Type::Int32)])])])
        }),
        taken("oneofs", 16, |n| {
            let oneof_decl = (0..n)
                .map(|at| OneofDescriptorProto { name: Some(format!("o{at}")), options: None })
                .collect();
            let fields = (0..n).map(|at| FieldDescriptorProto {
                oneof_index: Some(at as i32),
                ..field(format!("f{at}"), at + 1, Type::Int32)
            });
            set([file([DescriptorProto { oneof_decl, ..message("M", fields) }])])
        }),
        taken("a oneof of many fields", 16, |n| {
            let oneof_decl = vec![OneofDescriptorProto { name: Some("o".into()), options: None }];
            let fields = numbered(n).map(|field| FieldDescriptorProto { oneof_index: Some(0), ..field });
            set([file([DescriptorProto { oneof_decl, ..message("M", fields) }])])
        }),
        taken("values of an enum", 16, |n| {
            set([FileDescriptorProto { enum_type: vec![enumeration("E", n, |at| at as i32)], ..file([]) }])
        }),
        taken("values of an enum with far numbers", 16, |n| {
            set([FileDescriptorProto {
                enum_type: vec![enumeration("E", n, |at| at as i32 * -70_000)],
                ..file([])
            }])
        }),
        taken("aliases of an enum value", 16, |n| {
            let options = prost_types::EnumOptions { allow_alias: Some(true), ..Default::default() };
            let enumeration = EnumDescriptorProto { options: Some(options), ..enumeration("E", n, |_| 0) };
            set([FileDescriptorProto { enum_type: vec![enumeration], ..file([]) }])
        }),
        taken("enums", 16, |n| {
            let enum_type = (0..n).map(|at| enumeration(&format!("E{at}"), 1, |_| 0)).collect();
            set([FileDescriptorProto { enum_type, ..file([]) }])
        }),
        taken("services", 16, |n| {
            let service = |at| ServiceDescriptorProto { name: Some(format!("S{at}")), ..Default::default() };
            set([FileDescriptorProto { service: (0..n).map(service).collect(), ..file([]) }])
        }),
        taken("methods", 16, |n| {
            let method = |at| MethodDescriptorProto {
                name: Some(format!("Call{at}")),
                input_type: Some(".p.M".into()),
                output_type: Some("M".into()),
                ..Default::default()
            };
            let service = ServiceDescriptorProto {
                name: Some("S".into()),
                method: (0..n).map(method).collect(),
                options: None,
            };
            set([FileDescriptorProto { service: vec![service], ..file([message("M", [])]) }])
        }),
        taken("extensions", 16, |n| set([extended(n, |at| 100 + at)])),
        taken("extensions with far numbers", 16, |n| set([extended(n, |at| (at + 1) * 70_000)])),
        taken("ranges of extensions", 16, |n| {
            let range =
                |at: i32| ExtensionRange { start: Some(10 * at + 1), end: Some(10 * at + 5), options: None };
            let extension_range = (0..n as i32).map(range).collect();
            let message = DescriptorProto { extension_range, ..message("M", []) };
            set([FileDescriptorProto { syntax: None, ..file([message]) }])
        }),
        taken("reserved ranges and names", 16, |n| {
            let range = |at: i32| ReservedRange { start: Some(10 * at + 5), end: Some(10 * at + 9) };
            let reserved_range = (0..n as i32).map(range).collect();
            let reserved_name = (0..n).map(|at| format!("gone{at}")).collect();
            set([file([DescriptorProto {
                reserved_range,
                reserved_name,
                ..message("M", [field("a", 1, Type::Int32)])
            }])])
        }),
        taken("long defaults", 16, |n| {
            let field = FieldDescriptorProto {
                default_value: Some("\\001a\"".repeat(n)),
                ..field("f", 1, Type::Bytes)
            };
            set([FileDescriptorProto { syntax: None, ..file([message("M", [field])]) }])
        }),
    ];
    run(FAMILIES, &verbs());
}

/// A message with `count` extensions.
fn extended(count: usize, number: fn(usize) -> usize) -> FileDescriptorProto {
    let extension = (0..count).map(|at| FieldDescriptorProto {
        extendee: Some(".p.M".into()),
        ..field(format!("e{at}"), number(at), Type::Int32)
    });
    let extension_range = vec![ExtensionRange { start: Some(100), end: Some(536_870_912), options: None }];
    FileDescriptorProto {
        syntax: None,
        extension: extension.collect(),
        ..file([DescriptorProto { extension_range, ..message("M", []) }])
    }
}

#[test]
fn references() {
    const FAMILIES: &[Family] = &[
        taken("a ring of messages", 16, |n| {
            set([file((0..n).map(|at| {
                message(format!("M{at}"), [of("next", 1, Type::Message, format!(".p.M{}", (at + 1) % n))])
            }))])
        }),
        taken("messages that all know each other", 2, |n| {
            let fields = |_| (0..n).map(|at| of(format!("f{at}"), at + 1, Type::Message, format!("M{at}")));
            set([file((0..n).map(|at| message(format!("M{at}"), fields(at))))])
        }),
        taken("fields of one message", 16, |n| {
            set([file([message("M", (1..=n).map(|at| of(format!("f{at}"), at, Type::Message, "M")))])])
        }),
        taken("lists of the message around", 16, |n| {
            let list = |at| FieldDescriptorProto {
                label: Some(Label::Repeated.into()),
                ..of(format!("f{at}"), at, Type::Message, ".p.M")
            };
            set([file([message("M", (1..=n).map(list))])])
        }),
        taken("names that are looked for in all scopes", 1, |n| {
            let inner = message("Inner", (1..=20).map(|at| of(format!("f{at}"), at, Type::Message, "Outer")));
            let scopes = (0..n).fold(inner, |inner, level| DescriptorProto {
                nested_type: vec![inner],
                ..message(format!("S{level}"), [])
            });
            set([file([scopes, message("Outer", [])])])
        }),
        taken("a package of many parts", 2, |n| {
            let package = (0..n).map(|at| format!("p{at}")).collect::<Vec<_>>().join(".");
            let fields = (1..=10).map(|at| of(format!("f{at}"), at, Type::Message, "M"));
            set([FileDescriptorProto { package: Some(package), ..file([message("M", fields)]) }])
        }),
    ];
    run(FAMILIES, &verbs());
    const REFUSED: &[Family] = &[
        refused(
            "the last of many names again",
            16,
            |n| set([file((0..n).map(|at| message(format!("M{at}"), [])).chain([message("M0", [])]))]),
            "p.M0",
        ),
        refused(
            "the last of many numbers again",
            16,
            |n| set([file([message("M", numbered(n).chain([field("again", 1, Type::Int32)]))])]),
            "again",
        ),
        refused(
            "a type that is not there after many that are",
            16,
            |n| {
                set([file((0..n).map(|at| {
                    message(
                        format!("M{at}"),
                        [of("f", 1, Type::Message, if at + 1 == n { "Gone" } else { ".p.M0" })],
                    )
                }))])
            },
            "Gone",
        ),
        refused(
            "ranges that overlap after many that do not",
            16,
            |n| {
                let range = |at: i32| ReservedRange { start: Some(10 * at + 5), end: Some(10 * at + 9) };
                let reserved_range = (0..n as i32).chain([0]).map(range).collect();
                set([file([DescriptorProto { reserved_range, ..message("M", []) }])])
            },
            "p.M",
        ),
    ];
    run(REFUSED, &load());
}

#[test]
fn imports() {
    const FAMILIES: &[Family] = &[
        taken("files", 16, |n| set((0..n).map(|at| importing(at, None, false)))),
        taken("a chain of imports", 16, |n| set((0..n).map(|at| importing(at, at.checked_sub(1), false)))),
        taken("a chain of public imports", 16, |n| {
            set((0..n).map(|at| importing(at, at.checked_sub(1), true)))
        }),
        taken("a file that imports all", 16, |n| {
            set((0..=n).map(|at| importing(at, 0..if at == n { n } else { 0 }, false)))
        }),
        taken("files that import all before them", 2, |n| set((0..n).map(|at| importing(at, 0..at, false)))),
        taken("files that import all before them publicly", 2, |n| {
            set((0..n).map(|at| importing(at, 0..at, true)))
        }),
        taken("files that each import two before them publicly", 16, |n| {
            set((0..n).map(|at| importing(at, at.saturating_sub(2)..at, true)))
        }),
    ];
    run(FAMILIES, &verbs());
    const REFUSED: &[Family] = &[
        refused(
            "a ring of imports",
            16,
            |n| set((0..n).map(|at| importing(at, [(at + 1) % n], false))),
            "import",
        ),
        refused(
            "a chain whose first is not there",
            16,
            |n| set((1..=n).map(|at| importing(at, [at - 1], false))),
            "f0.proto",
        ),
    ];
    run(REFUSED, &load());
}
