//! The pool: all or nothing, snapshots, lookups, options, comments, generated files.

use std::collections::HashSet;

use super::build::*;
use crate::descriptor::raw::*;
use crate::descriptor::{GeneratedFile, Pool, global};

fn state(pool: &Pool) -> (Vec<u8>, Vec<String>) {
    let mut names: Vec<_> = pool.messages().map(|message| message.full_name().to_owned()).collect();
    names.extend(pool.extensions().map(|extension| extension.full_name().to_owned()));
    (pool.to_descriptor_set(), names)
}

#[test]
fn a_failed_addition_changes_nothing() {
    let base = FileDescriptorProto {
        message_type: vec![DescriptorProto {
            extension_range: vec![extensions(1, 9)],
            ..message("M", vec![])
        }],
        ..file("proto2")
    };
    let mut pool = link(&base).unwrap();
    let before = state(&pool);
    let good = FileDescriptorProto {
        package: Some("q.r".into()),
        message_type: vec![message("N", vec![])],
        extension: vec![extension("x", 1, ".p.M")],
        ..named("b.proto", &["a.proto"])
    };
    let bad = FileDescriptorProto {
        extension: vec![extension("y", 2, ".p.M"), extension("z", 2, ".p.M")],
        ..named("c.proto", &["a.proto"])
    };
    let error = pool.add_descriptor_set(&set(&[good.clone(), bad])).unwrap_err();
    assert_eq!(error.to_string(), "c.proto: z: extension number 2 of p.M is already taken by y");
    assert_eq!(state(&pool), before);
    assert!(pool.file("b.proto").is_none() && pool.extension_of(&pool.message("p.M").unwrap(), 1).is_none());

    let snapshot = pool.clone();
    pool.add_descriptor_set(&set(&[good])).unwrap();
    assert!(pool.extension("q.r.x").is_some() && snapshot.extension("q.r.x").is_none());
    assert_eq!(pool.message("p.M"), snapshot.message("p.M"));
    assert_eq!(state(&snapshot), before);
}

#[test]
fn files_added_one_by_one_between_clones() {
    let file = |i: usize| {
        let fields = vec![field("a", 1, OPTIONAL, INT32), field("b", 2, OPTIONAL, STRING)];
        let imports: &[&str] = if i == 0 { &[] } else { &["0.proto"] };
        FileDescriptorProto {
            package: Some(format!("p.q{}", i % 7).into()),
            message_type: vec![DescriptorProto {
                extension_range: vec![extensions(1_000, 10_000)],
                ..message(&format!("M{i}"), fields)
            }],
            extension: vec![extension(&format!("x{i}"), 1_000 + (i as i32 * 37) % 5_000, ".p.q0.M0")],
            ..named(&format!("{i}.proto"), imports)
        }
    };
    const FILES: usize = 4_000;
    let started = std::time::Instant::now();
    let mut pool = Pool::new();
    let mut clones = Vec::new();
    for i in 0..FILES {
        pool.add_file(&file(i).encode()).unwrap();
        clones.push(pool.clone());
    }
    // Once this took twenty times as long, and four times as long for twice as many.
    assert!(started.elapsed().as_secs() < 10, "{:?}", started.elapsed());
    for (i, clone) in clones.iter().enumerate().step_by(271) {
        assert_eq!(clone.files().len(), i + 1);
        let wanted = (0..=i).map(|i| format!("{i}.proto"));
        assert!(clone.files().map(|file| file.name().to_owned()).eq(wanted));
        for other in (0..FILES).step_by(97) {
            let name = format!("p.q{}.M{other}", other % 7);
            assert_eq!(clone.message(&name).is_some(), other <= i, "{name} after {i}");
            assert_eq!(clone.file(&format!("{other}.proto")).is_some(), other <= i);
            assert_eq!(clone.field(&format!("{name}.b")).is_some(), other <= i);
        }
        let base = clone.message("p.q0.M0").unwrap();
        let numbers: Vec<_> = clone.extensions_of(&base).map(|extension| extension.number()).collect();
        assert!(numbers.len() == i + 1 && numbers.is_sorted());
        let number = 1_000 + (i as u32 * 37) % 5_000;
        assert_eq!(clone.extension_of(&base, number).unwrap().name(), format!("x{i}"));
    }
    // A failed addition changes nothing, and neither do dropped clones.
    let before = state(&pool);
    let taken = FileDescriptorProto { name: Some("new.proto".into()), ..file(17) };
    let error = pool.add_file(&taken.encode()).unwrap_err();
    assert_eq!(error.to_string(), "new.proto: p.q3.M17: already declared as a message in 17.proto");
    assert_eq!(state(&pool), before);
    drop(clones);
    pool.add_file(&file(FILES).encode()).unwrap();
    assert!(pool.message("p.q0.M0").is_some() && pool.extension("p.q1.x8").is_some());
    assert_eq!(pool.files().len(), FILES + 1);
}

#[test]
fn what_is_visible_through_public_imports() {
    // Any file may import any earlier one, publicly or not.
    const FILES: usize = 24;
    let mut seed = 1u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    for _ in 0..20 {
        let mut exports: Vec<HashSet<usize>> = Vec::new();
        let mut files = Vec::new();
        for i in 0..FILES {
            let imports: Vec<_> = (0..i).filter(|_| random(i) < 2).collect();
            let public: Vec<_> = (0..imports.len()).filter(|_| random(3) > 0).collect();
            let exported = public.iter().flat_map(|at| &exports[imports[*at]]).copied();
            exports.push(exported.chain([i]).collect());
            let names: Vec<_> = imports.iter().map(|import| format!("{import}.proto")).collect();
            let names: Vec<_> = names.iter().map(String::as_str).collect();
            files.push(FileDescriptorProto {
                message_type: vec![message(&format!("M{i}"), vec![])],
                public_dependency: public.iter().map(|at| *at as i32).collect(),
                ..named(&format!("{i}.proto"), &names)
            });
        }
        // All files are added at once, and in two steps with a clone between them.
        let whole = Pool::from_descriptor_set(&set(&files)).unwrap();
        let mut parts = Pool::from_descriptor_set(&set(&files[..FILES / 2])).unwrap();
        let clone = parts.clone();
        parts.add_descriptor_set(&set(&files[FILES / 2..])).unwrap();
        assert_eq!(clone.files().len(), FILES / 2);
        for _ in 0..200 {
            let (imports, target) = ([random(FILES), random(FILES)], random(FILES));
            let [a, b] = imports.map(|import| format!("{import}.proto"));
            let user = FileDescriptorProto {
                message_type: vec![message(
                    "U",
                    vec![typed("f", 1, OPTIONAL, MESSAGE, &format!(".M{target}"))],
                )],
                ..named("user.proto", &[&*a, &*b][..if a == b { 1 } else { 2 }])
            };
            let visible = imports.iter().any(|import| exports[*import].contains(&target));
            for pool in [&whole, &parts] {
                let added =
                    pool.clone().add_file(&user.encode()).map(drop).map_err(|error| error.to_string());
                let text = format!(
                    "user.proto: U.f: type .M{target} is declared in {target}.proto, which is not imported"
                );
                assert_eq!(added, if visible { Ok(()) } else { Err(text) }, "{imports:?}");
            }
        }
    }
}

#[test]
fn the_same_file_twice() {
    let proto = FileDescriptorProto { message_type: vec![message("M", vec![])], ..file("proto2") };
    let mut pool = Pool::from_descriptor_set(&set(&[proto.clone(), proto.clone()])).unwrap();
    pool.add_file(&proto.encode()).unwrap();
    assert_eq!(pool.files().len(), 1);
    let other = FileDescriptorProto { message_type: vec![message("N", vec![])], ..file("proto2") };
    let error = pool.add_file(&other.encode()).unwrap_err();
    assert_eq!(error.to_string(), "a.proto: another file of this name is already in the pool");
}

#[test]
fn relative_names_look_from_the_inside_out() {
    let inner = DescriptorProto {
        field: vec![
            typed("near", 1, OPTIONAL, MESSAGE, "T"),
            typed("far", 2, OPTIONAL, MESSAGE, "p.T"),
            typed("nested", 3, OPTIONAL, MESSAGE, "M.T"),
        ],
        ..message("Inner", vec![])
    };
    let outer = DescriptorProto { nested_type: vec![inner, message("T", vec![])], ..message("M", vec![]) };
    let proto = FileDescriptorProto { message_type: vec![outer, message("T", vec![])], ..file("proto2") };
    let pool = link(&proto).unwrap();
    let target = |name| pool.field(name).unwrap().message_type().unwrap().full_name().to_owned();
    assert_eq!(target("p.M.Inner.near"), "p.M.T");
    assert_eq!(target("p.M.Inner.far"), "p.T");
    assert_eq!(target("p.M.Inner.nested"), "p.M.T");
}

#[test]
fn options_keep_every_byte() {
    let mut options = Options::default();
    options.push_varint(3, 1);
    options.push_bytes(50_000, b"custom");
    options.push_varint(50_000, 7);
    let encoded = options.encoded().to_vec();
    let f = FieldDescriptorProto { options: Some(options), ..field("f", 1, OPTIONAL, INT32) };
    let proto = FileDescriptorProto { message_type: vec![message("M", vec![f])], ..file("proto3") };
    let pool = link(&proto).unwrap();
    let field = pool.field("p.M.f").unwrap();
    assert!(field.is_deprecated() && field.options().is_deprecated());
    assert_eq!(field.options().encoded(), encoded);
    assert_eq!(field.options().message_name(), "google.protobuf.FieldOptions");
    assert_eq!(field.options().raw(50_000).map(<[u8]>::len).collect::<Vec<_>>(), [10, 4]);
    assert_eq!(field.options().varint(50_000), Some(7));
    assert_eq!(field.options().len_prefixed(50_000).collect::<Vec<_>>(), [b"custom"]);
    assert!(field.message().options().is_empty());
}

#[test]
fn unknown_fields_survive() {
    let mut proto = file("proto3");
    proto.unknown = vec![0xf8, 0x3f, 1];
    proto.message_type = vec![DescriptorProto { unknown: vec![0xfa, 0x3f, 1, b'x'], ..message("M", vec![]) }];
    let encoded = proto.encode();
    assert_eq!(FileDescriptorProto::decode(&encoded).unwrap(), proto);
    assert_eq!(link(&proto).unwrap().file("a.proto").unwrap().encoded(), encoded);
}

#[test]
fn comments_are_found_by_handle() {
    let location = |path: &[u8], comments: &[(u32, &str)]| {
        let mut location = Options::default();
        location.push_bytes(1, path);
        for &(number, text) in comments {
            location.push_bytes(number, text.as_bytes());
        }
        location
    };
    let mut info = Options::default();
    for location in [
        location(&[12], &[(6, " Licence.\n")]),
        location(&[4, 0], &[(3, " A message.\n"), (6, " One.\n"), (6, " Two.\n")]),
        location(&[4, 0, 3, 0, 2, 0], &[(4, " A field.\n")]),
        location(&[5, 0, 2, 0], &[(3, " A value.\n")]),
    ] {
        info.push_bytes(1, location.encoded());
    }
    let inner = message("N", vec![field("f", 1, OPTIONAL, INT32)]);
    let proto = FileDescriptorProto {
        message_type: vec![DescriptorProto { nested_type: vec![inner], ..message("M", vec![]) }],
        enum_type: vec![enumeration("E", &[("A", 0)])],
        source_code_info: Some(info.into_encoded()),
        ..file("proto3")
    };
    let pool = link(&proto).unwrap();
    let message = pool.message("p.M").unwrap().comments();
    assert_eq!((message.leading(), message.trailing()), (" A message.\n", ""));
    assert_eq!(message.detached(), [" One.\n", " Two.\n"]);
    assert_eq!(pool.field("p.M.N.f").unwrap().comments().trailing(), " A field.\n");
    assert_eq!(pool.enum_value("p.A").unwrap().comments().leading(), " A value.\n");
    assert_eq!(pool.file("a.proto").unwrap().syntax_comments().detached(), [" Licence.\n"]);
    assert!(pool.message("p.M.N").unwrap().comments().is_empty());
}

/// protoc stores an edition under the number of `syntax`, other compilers under its own number.
#[test]
fn comments_around_an_edition_are_found_at_either_number() {
    for path in [12, 14] {
        let (mut location, mut info) = (Options::default(), Options::default());
        location.push_bytes(1, &[path]);
        location.push_bytes(3, b" What it is.\n");
        info.push_bytes(1, location.encoded());
        let proto = FileDescriptorProto { source_code_info: Some(info.into_encoded()), ..file("2023") };
        let file = link(&proto).unwrap().file("a.proto").unwrap();
        assert_eq!(file.syntax_comments().leading(), " What it is.\n", "{path}");
    }
}

#[test]
fn a_cache_is_filled_once() {
    let proto = FileDescriptorProto { message_type: vec![message("M", vec![])], ..file("proto3") };
    let pool = link(&proto).unwrap();
    let first: *const u32 = pool.message("p.M").unwrap().cache(|| 7u32);
    let message = pool.message("p.M").unwrap();
    let second: &u32 = message.cache(|| 8);
    assert_eq!((second, std::ptr::from_ref(second)), (&7, first));
}

#[test]
fn generated_files_share_one_pool() {
    fn leak(file: &FileDescriptorProto<'_>, imports: &[&'static GeneratedFile]) -> &'static GeneratedFile {
        let encoded = Box::leak(file.encode().into_boxed_slice());
        let imports: &'static [&'static GeneratedFile] = Box::leak(imports.to_vec().into_boxed_slice());
        Box::leak(Box::new(GeneratedFile::new(encoded, imports)))
    }
    let proto = |name: &str, imports: &[&str], m: &str| FileDescriptorProto {
        message_type: vec![message(m, vec![])],
        ..named(name, imports)
    };
    let base = leak(&proto("generated/base.proto", &[], "GeneratedBase"), &[]);
    let top = leak(&proto("generated/top.proto", &["generated/base.proto"], "GeneratedTop"), &[base]);
    assert!(top.message("GeneratedTop").is_some() && top.message("GeneratedBase").is_none());
    assert_eq!(global().file("generated/base.proto").as_ref(), Some(base.descriptor()));

    // Another version of the base, and a file that imports it, go to a separate pool.
    let other = leak(&proto("generated/base.proto", &[], "GeneratedOther"), &[]);
    let on_other = leak(&proto("generated/on_other.proto", &["generated/base.proto"], "OnOther"), &[other]);
    assert!(on_other.message("OnOther").is_some());
    assert!(on_other.pool().message("GeneratedOther").is_some());
    assert!(on_other.pool().message("GeneratedTop").is_none());
    assert!(global().file("generated/on_other.proto").is_none());
    assert_eq!(on_other.descriptor().dependencies().next().as_ref(), Some(other.descriptor()));

    let runtime = proto("generated/runtime.proto", &["generated/base.proto"], "GeneratedRuntime");
    let file = crate::descriptor::register(&runtime.encode()).unwrap();
    assert_eq!(global().message("GeneratedRuntime").unwrap().file(), file);
}

#[test]
fn real_files_survive_the_raw_structs() {
    let shared = std::env::var_os("TOBU_SHARED").map_or_else(
        || std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared"),
        std::path::PathBuf::from,
    );
    for name in ["conformance/conformance.fds", "datasets/schemas.fds", "datasets/descriptor_set_src.pb"] {
        let Ok(bytes) = std::fs::read(shared.join(name)) else {
            println!("skipped: {} is absent", shared.join(name).display());
            continue;
        };
        // The payloads of a data set are in field 3, the files of a descriptor set in field 1.
        let number = if name.ends_with(".pb") { 3 } else { 0 };
        let mut sets: Vec<_> = options::messages(&bytes, number).collect();
        if number == 0 {
            sets = vec![&bytes];
        }
        for encoded in sets.into_iter().flat_map(|set| options::messages(set, 1)) {
            let file = FileDescriptorProto::decode(encoded).unwrap();
            assert_eq!(file.encode(), encoded, "{:?}", file.name);
        }
    }
}
