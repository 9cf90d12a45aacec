//! Descriptors that must be refused, each with its exact error.

use super::build::*;
use crate::descriptor::Pool;
use crate::descriptor::raw::*;

fn with(messages: Vec<DescriptorProto<'static>>) -> FileDescriptorProto<'static> {
    FileDescriptorProto { message_type: messages, ..file("proto2") }
}

fn one(field: FieldDescriptorProto<'static>) -> FileDescriptorProto<'static> {
    with(vec![message("M", vec![field])])
}

#[test]
fn imports() {
    let cycle = set(&[named("a", &["b"]), named("b", &["c"]), named("c", &["b"])]);
    let error = Pool::from_descriptor_set(&cycle).unwrap_err();
    assert_eq!(error.to_string(), "b: imports form a cycle: b -> c -> b");
    let own = Pool::from_descriptor_set(&set(&[named("a", &["a"])])).unwrap_err();
    assert_eq!(own.to_string(), "a: imports form a cycle: a -> a");
    refused(&named("a.proto", &["b.proto"]), "a.proto: import \"b.proto\" is missing");
    let twice = set(&[named("b", &[]), named("a", &["b", "b"])]);
    assert_eq!(Pool::from_descriptor_set(&twice).unwrap_err().to_string(), "a: import \"b\" is listed twice");
    for (index, text) in [(-1, "-1"), (i32::MAX, "2147483647"), (0, "0")] {
        let public = FileDescriptorProto { public_dependency: vec![index], ..named("a.proto", &[]) };
        refused(
            &public,
            &format!("a.proto: public_dependency {text} is out of range: the file has 0 imports"),
        );
    }
    let weak = FileDescriptorProto { weak_dependency: vec![1], ..named("a.proto", &[]) };
    refused(&weak, "a.proto: weak_dependency 1 is out of range: the file has 0 imports");
}

#[test]
fn a_type_must_be_imported() {
    let declares = FileDescriptorProto { message_type: vec![message("T", vec![])], ..named("t", &[]) };
    let uses = |imports: &[&str]| FileDescriptorProto {
        message_type: vec![message("M", vec![typed("f", 1, OPTIONAL, MESSAGE, ".T")])],
        ..named("u", imports)
    };
    let plain = named("between", &["t"]);
    let public = FileDescriptorProto { public_dependency: vec![0], ..plain.clone() };
    let result = Pool::from_descriptor_set(&set(&[declares.clone(), plain, uses(&["between"])]));
    assert_eq!(result.unwrap_err().to_string(), "u: M.f: type .T is declared in t, which is not imported");
    let pool = Pool::from_descriptor_set(&set(&[declares, public, uses(&["between"])])).unwrap();
    let field = pool.field("M.f").unwrap();
    assert_eq!(field.message_type(), pool.message("T"));
    assert_eq!(pool.file("u").unwrap().dependencies().count(), 1);
}

#[test]
fn a_chain_of_100_000_imports() {
    const LONG: usize = 100_000;
    let mut files = vec![named("0", &[])];
    for i in 1..LONG {
        files.push(named(&i.to_string(), &[&(i - 1).to_string()]));
    }
    files.reverse();
    let pool = Pool::from_descriptor_set(&set(&files)).unwrap();
    let last = pool.file(&(LONG - 1).to_string()).unwrap();
    drop(pool);
    drop(last);
    files.last_mut().unwrap().dependency.push((LONG - 1).to_string().into());
    assert!(Pool::from_descriptor_set(&set(&files)).is_err());
}

#[test]
fn a_chain_of_10_000_public_imports() {
    const LONG: usize = 10_000;
    // Types at the start of the chain, in its middle and at its end.
    let file = |i: usize| {
        let fields = [(1, 0), (2, i / 2), (3, i.saturating_sub(1))];
        let fields = fields.map(|(n, to)| typed(&format!("f{n}"), n, OPTIONAL, MESSAGE, &format!(".M{to}")));
        let before = i.checked_sub(1).map(|before| before.to_string());
        let public = publicly(&i.to_string(), before.as_deref().as_slice());
        FileDescriptorProto { message_type: vec![message(&format!("M{i}"), fields.into())], ..public }
    };
    let files: Vec<_> = (0..LONG).rev().map(file).collect();
    let started = std::time::Instant::now();
    let pool = Pool::from_descriptor_set(&set(&files)).unwrap();
    // Once this was refused after 7,072 files, and took four times as long for twice as many.
    assert!(started.elapsed().as_secs() < 10, "{:?}", started.elapsed());
    let field = pool.field(&format!("M{}.f2", LONG - 1)).unwrap();
    assert_eq!(field.message_type().unwrap().file().name(), (LONG / 2 - 1).to_string());
    // A file to which thousands of others are visible is printed without a search in all of them.
    let printed: std::collections::HashMap<_, _> =
        pool.files().map(|file| (file.name().to_owned(), file.to_proto_text().unwrap())).collect();
    assert!(printed["9"].contains("optional M8 f3 = 3;"), "{}", printed["9"]);
    assert!(printed["9999"].contains("optional .M9998 f3 = 3;"), "{}", printed["9999"]);
}

#[test]
fn public_imports_that_overlap_in_every_way_are_refused() {
    // A file with gaps between its imports, and then files that each add another import.
    let names: Vec<_> = (0..6_000).map(|i| i.to_string()).collect();
    let mut files: Vec<_> = names.iter().map(|name| named(name, &[])).collect();
    let even: Vec<_> = names.iter().take(2_000).step_by(2).map(String::as_str).collect();
    files.push(publicly("all", &even));
    files.extend(names.iter().map(|name| publicly(&format!("x{name}"), &["all", name])));
    let error = Pool::from_descriptor_set(&set(&files)).unwrap_err();
    assert_eq!(error.to_string(), "x3991: there are too many public imports to search");
}

#[test]
fn messages_nested_deeply() {
    let nest = |levels| {
        let mut outer = message("M", vec![]);
        for _ in 1..levels {
            outer = DescriptorProto { nested_type: vec![outer], ..message("M", vec![]) };
        }
        with(vec![outer])
    };
    assert_eq!(link(&nest(100)).unwrap().messages().count(), 100);
    let error = link(&nest(101)).unwrap_err();
    assert_eq!(error.category(), crate::Category::Limit);
    assert_eq!(error.message(), "messages are nested deeper than 100 levels");
    assert!(
        error.to_string().starts_with(
            "google.protobuf.FileDescriptorSet.file[\"a.proto\"].message_type[0].nested_type[0]"
        )
    );

    // Deeper than the structs could be nested, so the bytes are built from the inside out.
    let mut body = vec![0x0a, 1, b'M'];
    for _ in 0..1_000 {
        let mut outer = Options::default();
        outer.push_bytes(3, &body);
        body = outer.into_encoded();
    }
    let mut file = Options::default();
    file.push_bytes(1, b"a.proto");
    file.push_bytes(4, &body);
    let error = Pool::new().add_file(file.encoded()).unwrap_err();
    assert_eq!(error.message(), "messages are nested deeper than 100 levels");
}

#[test]
fn symbols() {
    let earlier = FileDescriptorProto {
        package: Some("p.M".into()),
        message_type: vec![message("N", vec![])],
        ..named("b.proto", &[])
    };
    refused(
        &with(vec![message("M", vec![]), message("M", vec![])]),
        "a.proto: p.M: already declared as a message in this file",
    );
    let error = Pool::from_descriptor_set(&set(&[earlier, with(vec![message("M", vec![])])])).unwrap_err();
    assert_eq!(error.to_string(), "a.proto: p.M: already declared as a package in b.proto");
    let nested = DescriptorProto {
        nested_type: vec![message("x", vec![])],
        ..message("M", vec![field("x", 1, OPTIONAL, INT32)])
    };
    refused(&with(vec![nested]), "a.proto: p.M.x: already declared as a field in this file");
    let sibling = FileDescriptorProto {
        enum_type: vec![enumeration("E", &[("M", 0)])],
        ..with(vec![message("M", vec![])])
    };
    refused(&sibling, "a.proto: p.M: already declared as a message in this file");
}

#[test]
fn names() {
    for (name, shown) in [
        ("", ""),
        ("9a", "9a"),
        ("a-b", "a-b"),
        ("a.b", "a.b"),
        ("a\0", "a\\0"),
        ("a\n", "a\\n"),
        ("é", "é"),
        ("M {} message", "M {} message"),
    ] {
        refused(
            &with(vec![message(name, vec![])]),
            &format!("a.proto: p: \"{shown}\" is not a name for a message"),
        );
        refused(
            &one(field(name, 1, OPTIONAL, INT32)),
            &format!("a.proto: p.M: \"{shown}\" is not a name for a field"),
        );
    }
    for package in ["a..b", ".a", "a.", "a\0", "a/b", "a b"] {
        let file = FileDescriptorProto { package: Some(package.into()), ..file("proto2") };
        let shown = package.escape_debug();
        refused(&file, &format!("a.proto: \"{shown}\" is not a package name"));
    }
    for name in ["", "/a.proto", "../a.proto", "a/../b.proto", "a//b", "./a", "a\\b", "a\0.proto", "a/"] {
        let error = link(&named(name, &[])).unwrap_err().to_string();
        assert!(
            error.ends_with(": this is not a file name: it must be a relative path without `..`"),
            "{error}"
        );
    }
    let long = "x".repeat(1_023);
    refused(&with(vec![message(&long, vec![])]), "a.proto: p: a full name is longer than 1024 bytes");
    let nul = FieldDescriptorProto { json_name: Some("a\0".into()), ..field("f", 1, OPTIONAL, INT32) };
    refused(&one(nul), "a.proto: p.M.f: the JSON name contains a NUL character");
}

#[test]
fn json_names() {
    let clash = || vec![field("foo_bar", 1, OPTIONAL, INT32), field("fooBar", 2, OPTIONAL, INT32)];
    let text = "a.proto: p.M.fooBar: JSON name \"fooBar\" is already taken by foo_bar";
    for syntax in ["proto3", "2023", "2024"] {
        refused(&FileDescriptorProto { message_type: vec![message("M", clash())], ..file(syntax) }, text);
    }
    let lenient = link(&with(vec![message("M", clash())])).unwrap();
    let found = lenient.message("p.M").unwrap().field_by_json_name("fooBar").unwrap();
    assert_eq!(found.number(), 1);

    let mut custom = clash();
    for field in &mut custom {
        field.json_name = Some("same".into());
    }
    refused(
        &with(vec![message("M", custom)]),
        "a.proto: p.M.fooBar: JSON name \"same\" is already taken by foo_bar",
    );
    let allowed = DescriptorProto { options: flag(11, 1), ..message("M", clash()) };
    assert!(link(&FileDescriptorProto { message_type: vec![allowed], ..file("proto3") }).is_ok());
}

#[test]
fn oneofs() {
    for index in [-1, 1, i32::MAX] {
        let member = FieldDescriptorProto { oneof_index: Some(index), ..field("f", 1, OPTIONAL, INT32) };
        let message = DescriptorProto { oneof_decl: vec![oneof("o")], ..message("M", vec![member]) };
        refused(
            &with(vec![message]),
            &format!("a.proto: p.M.f: oneof_index {index} is out of range: the message has 1 oneofs"),
        );
    }
    let empty = DescriptorProto { oneof_decl: vec![oneof("o")], ..message("M", vec![]) };
    refused(&with(vec![empty]), "a.proto: p.M.o: a oneof must have at least one field");
    let member = FieldDescriptorProto { oneof_index: Some(0), ..field("f", 1, REPEATED, INT32) };
    let repeated = DescriptorProto { oneof_decl: vec![oneof("o")], ..message("M", vec![member]) };
    refused(&with(vec![repeated]), "a.proto: p.M.f: a field of a oneof cannot be repeated");
}

#[test]
fn proto3_optional() {
    let lone = FieldDescriptorProto { proto3_optional: Some(true), ..field("f", 1, OPTIONAL, INT32) };
    let proto3 = |message| FileDescriptorProto { message_type: vec![message], ..file("proto3") };
    refused(
        &proto3(message("M", vec![lone.clone()])),
        "a.proto: p.M.f: a proto3 optional field must be in a oneof of its own",
    );
    refused(&one(lone.clone()), "a.proto: p.M.f: proto3_optional is only valid in proto3");
    let member = FieldDescriptorProto { oneof_index: Some(0), ..lone };
    let other = FieldDescriptorProto { oneof_index: Some(0), ..field("g", 2, OPTIONAL, INT32) };
    let shared =
        DescriptorProto { oneof_decl: vec![oneof("_f")], ..message("M", vec![member.clone(), other]) };
    refused(
        &proto3(shared),
        "a.proto: p.M._f: the oneof of a proto3 optional field must have no other field",
    );
    let real = FieldDescriptorProto { oneof_index: Some(1), ..field("g", 2, OPTIONAL, INT32) };
    let order =
        DescriptorProto { oneof_decl: vec![oneof("_f"), oneof("o")], ..message("M", vec![member, real]) };
    refused(&proto3(order), "a.proto: p.M.o: a real oneof must come before synthetic oneofs such as _f");
}

#[test]
fn map_entries() {
    let entry = |fields: Vec<FieldDescriptorProto<'static>>| {
        let entry = DescriptorProto { options: flag(7, 1), ..message("FEntry", fields) };
        let map = typed("f", 1, REPEATED, MESSAGE, ".p.M.FEntry");
        with(vec![DescriptorProto { nested_type: vec![entry], ..message("M", vec![map]) }])
    };
    let key = || field("key", 1, OPTIONAL, STRING);
    let value = || field("value", 2, OPTIONAL, INT32);
    assert!(link(&entry(vec![key(), value()])).unwrap().field("p.M.f").unwrap().is_map());
    let refuse = |fields, text: &str| {
        refused(&entry(fields), &format!("a.proto: p.M.FEntry: malformed map entry: {text}"));
    };
    refuse(vec![], "it must have two fields, key and value");
    refuse(vec![key()], "it must have two fields, key and value");
    refuse(vec![value(), key()], "its fields must be key = 1 and value = 2");
    refuse(vec![field("key", 3, OPTIONAL, STRING), value()], "its fields must be key = 1 and value = 2");
    refuse(vec![key(), field("value", 2, REPEATED, INT32)], "key and value must be optional");
    refuse(vec![field("key", 1, OPTIONAL, FLOAT), value()], "float is not a type for a key");
    refuse(vec![field("key", 1, OPTIONAL, BYTES), value()], "bytes is not a type for a key");
    refuse(vec![typed("key", 1, OPTIONAL, MESSAGE, ".p.M"), value()], "message is not a type for a key");

    let mut singular = entry(vec![key(), value()]);
    singular.message_type[0].field[0].label = Some(OPTIONAL);
    let text =
        "a.proto: p.M.f: a map entry may only be the type of a repeated field of the message it is nested in";
    refused(&singular, text);
    let mut elsewhere = entry(vec![key(), value()]);
    elsewhere.message_type.push(message("N", vec![typed("f", 1, REPEATED, MESSAGE, ".p.M.FEntry")]));
    refused(&elsewhere, &text.replace("p.M.f", "p.N.f"));
    let top = DescriptorProto { options: flag(7, 1), ..message("E", vec![key(), value()]) };
    refused(&with(vec![top]), "a.proto: p.E: malformed map entry: it must be nested in a message");
}

#[test]
fn types() {
    refused(&one(field("f", 1, OPTIONAL, 19)), "a.proto: p.M.f: type 19 does not exist");
    refused(&one(field("f", 1, OPTIONAL, 0)), "a.proto: p.M.f: type 0 does not exist");
    refused(&one(field("f", 1, 4, INT32)), "a.proto: p.M.f: label 4 does not exist");
    refused(&one(field("f", 1, OPTIONAL, MESSAGE)), "a.proto: p.M.f: the name of the type is missing");
    refused(
        &one(FieldDescriptorProto { ty: None, ..field("f", 1, OPTIONAL, 1) }),
        "a.proto: p.M.f: the type is missing",
    );
    refused(
        &one(typed("f", 1, OPTIONAL, INT32, ".p.M")),
        "a.proto: p.M.f: a field of a scalar type cannot name a type",
    );
    refused(&one(typed("f", 1, OPTIONAL, MESSAGE, ".p.X")), "a.proto: p.M.f: type .p.X is not declared");
    refused(&one(typed("f", 1, OPTIONAL, MESSAGE, "X.Y")), "a.proto: p.M.f: type X.Y is not declared");
    refused(&one(typed("f", 1, OPTIONAL, ENUM, ".p.M")), "a.proto: p.M.f: type .p.M is not an enum");
    refused(&one(typed("f", 1, OPTIONAL, MESSAGE, ".p")), "a.proto: p.M.f: .p is a package, not a type");
    refused(
        &one(typed("f", 1, OPTIONAL, MESSAGE, ".p.M.f")),
        "a.proto: p.M.f: .p.M.f is a field, not a type",
    );
    let method = MethodDescriptorProto {
        name: Some("Call".into()),
        input_type: Some(".p.M".into()),
        output_type: Some(".p.E".into()),
        ..Default::default()
    };
    let service =
        ServiceDescriptorProto { name: Some("S".into()), method: vec![method], ..Default::default() };
    let service = FileDescriptorProto {
        service: vec![service],
        enum_type: vec![enumeration("E", &[("ZERO", 0)])],
        ..with(vec![message("M", vec![])])
    };
    refused(&service, "a.proto: p.S.Call: output .p.E is not a message");
}

#[test]
fn syntaxes() {
    refused(&file("proto4"), "a.proto: syntax \"proto4\" does not exist");
    refused(&file("editions"), "a.proto: edition 0 is not supported");
    let next = FileDescriptorProto { edition: Some(1003), ..file("editions") };
    refused(&next, "a.proto: edition 1003 is not supported");
    let proto3 =
        |field| FileDescriptorProto { message_type: vec![message("M", vec![field])], ..file("proto3") };
    refused(
        &proto3(field("f", 1, REQUIRED, INT32)),
        "a.proto: p.M.f: required fields are not valid in edition proto3",
    );
    refused(
        &proto3(typed("f", 1, OPTIONAL, GROUP, ".p.M")),
        "a.proto: p.M.f: groups are not valid in edition proto3",
    );
    let packed = FieldDescriptorProto { options: flag(2, 1), ..field("f", 1, REPEATED, INT32) };
    let edition = FileDescriptorProto { message_type: vec![message("M", vec![packed])], ..file("2023") };
    refused(&edition, "a.proto: p.M.f: the option packed is not valid from edition 2023 on");
    let features = FileDescriptorProto { options: feature_set(50, &[(1, 1)]), ..file("proto2") };
    refused(&features, "a.proto: p: features are only valid from edition 2023 on");
    let unknown = FileDescriptorProto { options: feature_set(50, &[(1, 9)]), ..file("2023") };
    refused(&unknown, "a.proto: p: feature field_presence has no value 9");
    let closed = FileDescriptorProto { enum_type: vec![enumeration("E", &[("ZERO", 0)])], ..file("proto2") };
    let user = FileDescriptorProto {
        name: Some("b.proto".into()),
        package: None,
        dependency: vec!["a.proto".into()],
        ..proto3(typed("f", 1, OPTIONAL, ENUM, ".p.E"))
    };
    let error = Pool::from_descriptor_set(&set(&[closed, user])).unwrap_err();
    assert_eq!(
        error.to_string(),
        "b.proto: M.f: enum p.E is closed: a field of it cannot have implicit presence"
    );
}

#[test]
fn malformed_bytes_tell_where() {
    let mut bytes = one(field("f", 1, OPTIONAL, INT32)).encode();
    let at = bytes.iter().position(|&byte| byte == b'f').unwrap();
    bytes[at] = 0xff;
    let error = Pool::new().add_file(&bytes).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "google.protobuf.FileDescriptorSet.file[\"a.proto\"].message_type[0].field[0].name: \
             invalid UTF-8 in a string (at byte {at})"
        )
    );
    for end in 0..bytes.len() {
        // Some prefixes are valid files; none may panic.
        let _ = Pool::new().add_file(&bytes[..end]);
    }
}
