//! Visible names, and the warnings of compilers. All rules for sources are rows of `tests/rules.txt`.

use super::build::*;
use crate::Pool;
use crate::descriptor::raw::*;

/// A pool with these files, and the findings of a compiler in the last.
#[track_caller]
fn findings(files: &[FileDescriptorProto<'_>]) -> (Pool, Vec<String>, Vec<String>) {
    let pool = Pool::from_descriptor_set(&set(files)).unwrap();
    let file = pool.file(files.last().unwrap().name.as_deref().unwrap()).unwrap();
    let found = file.findings(&pool, &Pool::new());
    let texts = |list: Vec<crate::Error>| list.iter().map(ToString::to_string).collect();
    (pool, texts(found.errors), texts(found.warnings))
}

fn extending(name: &str, package: &str, extension_name: &str) -> FileDescriptorProto<'static> {
    FileDescriptorProto {
        package: Some(package.to_owned().into()),
        extension: vec![extension(extension_name, 100, ".M")],
        ..named(name, &["base.proto"])
    }
}

#[test]
fn an_extension_number_of_two_files() {
    let base = FileDescriptorProto {
        message_type: vec![DescriptorProto {
            extension_range: vec![extensions(100, 200)],
            ..message("M", vec![])
        }],
        ..named("base.proto", &[])
    };
    let files = [base, extending("b.proto", "b", "x"), extending("c.proto", "c", "y")];
    let (pool, errors, warnings) = findings(&files);
    assert_eq!(errors, [""; 0]);
    assert_eq!(warnings, ["c.proto: c.y: extension number 100 of M is already taken by b.x in b.proto"]);
    // Both are found by name, and the first by its number.
    let message = pool.message("M").unwrap();
    assert_eq!(pool.extension("c.y").unwrap().extendee(), message);
    assert_eq!(pool.extension_of(&message, 100).unwrap().full_name(), "b.x");
    assert_eq!(pool.extensions_of(&message).count(), 1);
    // The layers of a pool give one result, whether files are added together or one by one.
    let mut layered = Pool::new();
    for file in &files {
        let clone = layered.clone();
        layered.add_file(&file.encode()).unwrap();
        drop(clone);
    }
    assert_eq!(layered.extension_of(&message, 100).unwrap().full_name(), "b.x");
    assert!(layered.extension("b.x").is_some() && layered.extension("c.y").is_some());
}

#[test]
fn packages_of_files_that_are_not_imported() {
    let in_package =
        |package: &str, file| FileDescriptorProto { package: Some(package.to_owned().into()), ..file };
    let declaring = |name: &str, package: &str, message_name: &str| FileDescriptorProto {
        message_type: vec![message(message_name, vec![])],
        ..in_package(package, named(name, &[]))
    };
    let using = |imports: &[&str]| FileDescriptorProto {
        message_type: vec![message("M", vec![typed("f", 1, OPTIONAL, MESSAGE, "config.D")])],
        ..in_package("x.y.a", named("a.proto", imports))
    };
    let (b, c) = (declaring("b.proto", "x.config", "D"), declaring("c.proto", "x.y.config", "Other"));
    let (pool, ..) = findings(&[b.clone(), c.clone(), using(&["b.proto"])]);
    assert_eq!(pool.field("x.y.a.M.f").unwrap().message_type().unwrap().full_name(), "x.config.D");
    // A file that is imported, directly or publicly by an import, makes its package visible.
    let error =
        Pool::from_descriptor_set(&set(&[b.clone(), c.clone(), using(&["b.proto", "c.proto"])])).unwrap_err();
    assert_eq!(error.to_string(), "a.proto: x.y.a.M.f: type config.D is not declared");
    let exporting = publicly("e.proto", &["c.proto"]);
    let files = [b.clone(), c.clone(), exporting, using(&["b.proto", "e.proto"])];
    let error = Pool::from_descriptor_set(&set(&files)).unwrap_err();
    assert_eq!(error.to_string(), "a.proto: x.y.a.M.f: type config.D is not declared");
    // So does an import for options only.
    let user = FileDescriptorProto { option_dependency: vec!["c.proto".into()], ..using(&["b.proto"]) };
    let error = Pool::from_descriptor_set(&set(&[b, c, user])).unwrap_err();
    assert_eq!(error.to_string(), "a.proto: x.y.a.M.f: type config.D is not declared");
}

#[test]
fn types_of_files_that_are_imported_for_options() {
    let other = FileDescriptorProto { message_type: vec![message("T", vec![])], ..named("b.proto", &[]) };
    let user = FileDescriptorProto {
        option_dependency: vec!["b.proto".into()],
        message_type: vec![message("M", vec![typed("f", 1, OPTIONAL, MESSAGE, ".T")])],
        ..named("a.proto", &[])
    };
    let error = Pool::from_descriptor_set(&set(&[other, user])).unwrap_err();
    assert_eq!(error.to_string(), "a.proto: M.f: type .T is declared in b.proto, which is not imported");
}

#[test]
fn the_innermost_element_of_a_name() {
    let method = |input: &str| MethodDescriptorProto {
        name: Some("Version".into()),
        input_type: Some(input.to_owned().into()),
        output_type: Some(".Version".into()),
        ..Default::default()
    };
    let service = |input| FileDescriptorProto {
        message_type: vec![message("Version", vec![])],
        service: vec![ServiceDescriptorProto {
            name: Some("S".into()),
            method: vec![method(input)],
            ..Default::default()
        }],
        ..named("a.proto", &[])
    };
    assert!(link(&service(".Version")).is_ok());
    refused(&service("Version"), "a.proto: S.Version: Version is a method, not a type");
    // The type of a field is searched among types only.
    let field = FileDescriptorProto {
        message_type: vec![message("A", vec![]), message("M", vec![typed("A", 1, OPTIONAL, MESSAGE, "A")])],
        ..named("a.proto", &[])
    };
    assert!(link(&field).is_ok());
}

#[test]
fn elements_by_position() {
    let fields = (1..=3).map(|at| FieldDescriptorProto {
        oneof_index: Some(0),
        ..field(&format!("f{at}"), at, OPTIONAL, INT32)
    });
    let holder = DescriptorProto { oneof_decl: vec![oneof("o")], ..message("M", fields.collect()) };
    let proto = FileDescriptorProto {
        message_type: vec![holder, message("N", vec![]), message("O", vec![])],
        ..named("a.proto", &[])
    };
    let pool = link(&proto).unwrap();
    let file = pool.file("a.proto").unwrap();
    let mut messages = file.messages();
    assert_eq!(messages.nth(1).unwrap().name(), "N");
    assert_eq!((messages.len(), messages.next().unwrap().name(), messages.next()), (1, "O", None));
    let oneof = pool.oneof("M.o").unwrap();
    let mut fields = oneof.fields();
    assert_eq!((fields.nth(2).unwrap().name(), fields.len(), fields.nth(7)), ("f3", 0, None));
    let mut files = pool.files();
    assert_eq!(
        (files.len(), files.next().unwrap().name(), files.nth(usize::MAX), files.len()),
        (1, "a.proto", None, 0)
    );
}
