//! Features: inheritance, and their equivalents in proto2 and proto3.

use super::build::*;
use crate::descriptor::raw::*;
use crate::descriptor::{FieldDescriptor, Pool};

/// The features of a field that a codec reads.
#[derive(Debug, PartialEq)]
struct Facts {
    presence: bool,
    required: bool,
    packed: bool,
    delimited: bool,
    utf8: bool,
}

fn facts(field: &FieldDescriptor) -> Facts {
    Facts {
        presence: field.has_presence(),
        required: field.is_required(),
        packed: field.is_packed(),
        delimited: field.is_delimited(),
        utf8: field.validates_utf8(),
    }
}

fn of(syntax: &str, field: FieldDescriptorProto<'static>) -> Facts {
    let proto = FileDescriptorProto { message_type: vec![message("M", vec![field])], ..file(syntax) };
    facts(&link(&proto).unwrap().field("p.M.f").unwrap())
}

const NONE: Facts = Facts { presence: false, required: false, packed: false, delimited: false, utf8: false };

#[test]
fn defaults_of_editions() {
    let int = || field("f", 1, OPTIONAL, INT32);
    let ints = || field("f", 1, REPEATED, INT32);
    let string = || field("f", 1, OPTIONAL, STRING);
    for (syntax, presence, packed, utf8) in [
        ("proto2", true, false, false),
        ("proto3", false, true, true),
        ("2023", true, true, true),
        ("2024", true, true, true),
        ("2026", true, true, true),
        ("unstable", true, true, true),
    ] {
        assert_eq!(of(syntax, int()), Facts { presence, ..NONE }, "{syntax}");
        assert_eq!(of(syntax, ints()), Facts { packed, ..NONE }, "{syntax}");
        assert_eq!(of(syntax, string()), Facts { presence, utf8, ..NONE }, "{syntax}");
        let message = of(syntax, typed("f", 1, OPTIONAL, MESSAGE, ".p.M"));
        assert_eq!(message, Facts { presence: true, ..NONE }, "{syntax}");
    }
}

#[test]
fn legacy_syntax_says_it_by_other_means() {
    let packed = |value| FieldDescriptorProto { options: flag(2, value), ..field("f", 1, REPEATED, INT32) };
    assert!(of("proto2", packed(1)).packed);
    assert!(!of("proto3", packed(0)).packed);
    assert_eq!(
        of("proto2", field("f", 1, REQUIRED, INT32)),
        Facts { presence: true, required: true, ..NONE }
    );
    assert_eq!(
        of("proto2", typed("f", 1, OPTIONAL, GROUP, ".p.M")),
        Facts { presence: true, delimited: true, ..NONE }
    );
    assert_eq!(of("proto2", typed("f", 1, REPEATED, GROUP, ".p.M")), Facts { delimited: true, ..NONE });

    let optional = FieldDescriptorProto {
        proto3_optional: Some(true),
        oneof_index: Some(0),
        ..field("f", 1, OPTIONAL, INT32)
    };
    let holder = DescriptorProto { oneof_decl: vec![oneof("_f")], ..message("M", vec![optional]) };
    let pool = link(&FileDescriptorProto { message_type: vec![holder], ..file("proto3") }).unwrap();
    let field = pool.field("p.M.f").unwrap();
    assert!(field.has_presence() && field.is_proto3_optional() && field.oneof().is_none());
    assert!(field.containing_oneof().unwrap().is_synthetic());
    assert_eq!((field.message().oneofs().len(), field.message().all_oneofs().len()), (0, 1));
}

#[test]
fn features_of_a_field() {
    let with =
        |features: &[(u32, u64)], field| FieldDescriptorProto { options: feature_set(21, features), ..field };
    let int = || field("f", 1, OPTIONAL, INT32);
    assert_eq!(of("2023", with(&[(1, 2)], int())), NONE);
    assert_eq!(of("2023", with(&[(1, 3)], int())), Facts { presence: true, required: true, ..NONE });
    assert_eq!(of("2023", with(&[(3, 2)], field("f", 1, REPEATED, INT32))), NONE);
    assert_eq!(
        of("2023", with(&[(4, 3)], field("f", 1, OPTIONAL, STRING))),
        Facts { presence: true, ..NONE }
    );
    assert_eq!(
        of("2023", with(&[(5, 2)], typed("f", 1, OPTIONAL, MESSAGE, ".p.M"))),
        Facts { presence: true, delimited: true, ..NONE }
    );
}

#[test]
fn features_are_inherited() {
    // The file sets IMPLICIT and DELIMITED, the message EXPLICIT, the oneof NONE for UTF-8.
    let member = FieldDescriptorProto { oneof_index: Some(0), ..field("text", 1, OPTIONAL, STRING) };
    let entry = DescriptorProto {
        options: flag(7, 1),
        ..message(
            "MapEntry",
            vec![field("key", 1, OPTIONAL, STRING), typed("value", 2, OPTIONAL, MESSAGE, ".p.Plain")],
        )
    };
    let fields = vec![
        member,
        field("number", 2, OPTIONAL, INT32),
        typed("sub", 3, OPTIONAL, MESSAGE, ".p.Plain"),
        typed("map", 4, REPEATED, MESSAGE, ".p.Set.MapEntry"),
    ];
    let set = DescriptorProto {
        options: feature_set(12, &[(1, 1)]),
        oneof_decl: vec![OneofDescriptorProto { options: feature_set(1, &[(4, 3)]), ..oneof("o") }],
        nested_type: vec![entry],
        extension_range: vec![extensions(10, 20)],
        ..message("Set", fields)
    };
    let plain = message("Plain", vec![field("number", 1, OPTIONAL, INT32)]);
    let proto = FileDescriptorProto {
        options: feature_set(50, &[(1, 2), (5, 2)]),
        message_type: vec![set, plain],
        extension: vec![extension("x", 10, ".p.Set")],
        enum_type: vec![EnumDescriptorProto {
            options: feature_set(7, &[(2, 2)]),
            ..enumeration("E", &[("A", 1)])
        }],
        ..file("2023")
    };
    let pool = link(&proto).unwrap();
    let facts = |name| facts(&pool.field(name).unwrap());
    assert_eq!(facts("p.Plain.number"), NONE);
    assert_eq!(facts("p.Set.number"), Facts { presence: true, ..NONE });
    assert_eq!(facts("p.Set.text"), Facts { presence: true, ..NONE });
    assert_eq!(facts("p.Set.sub"), Facts { presence: true, delimited: true, ..NONE });
    // Neither a map nor its value is ever delimited.
    assert_eq!(facts("p.Set.map"), NONE);
    assert!(!facts("p.Set.MapEntry.value").delimited);
    assert!(pool.extension("p.x").unwrap().has_presence());
    assert!(pool.enumeration("p.E").unwrap().is_closed());
    assert_eq!(
        pool.file("a.proto").unwrap().features().field_presence,
        crate::descriptor::FieldPresence::Implicit
    );
}

#[test]
fn enums_are_closed_by_their_own_file() {
    let closed = FileDescriptorProto { enum_type: vec![enumeration("E", &[("A", 0)])], ..file("proto2") };
    let user = FileDescriptorProto {
        name: Some("b.proto".into()),
        package: Some("q".into()),
        dependency: vec!["a.proto".into()],
        message_type: vec![message("M", vec![typed("f", 1, OPTIONAL, ENUM, ".p.E")])],
        ..file("2023")
    };
    let pool = Pool::from_descriptor_set(&set(&[user, closed])).unwrap();
    assert!(pool.field("q.M.f").unwrap().enum_type().unwrap().is_closed());
}

#[test]
fn rules_of_editions() {
    use crate::descriptor::{DefaultSymbolVisibility::*, EnforceNamingStyle::*, EnforceProtoLimits::*};
    for (syntax, naming, visibility, limits) in [
        ("proto2", StyleLegacy, ExportAll, LegacyNoExplicitLimits),
        ("proto3", StyleLegacy, ExportAll, LegacyNoExplicitLimits),
        ("2023", StyleLegacy, ExportAll, LegacyNoExplicitLimits),
        ("2024", Style2024, ExportTopLevel, LegacyNoExplicitLimits),
        ("2026", Style2026, Strict, ProtoLimits2026),
        ("unstable", Style2026, Strict, ProtoLimits2026),
    ] {
        let features = link(&file(syntax)).unwrap().file("a.proto").unwrap().features();
        let rules = (
            features.enforce_naming_style,
            features.default_symbol_visibility,
            features.enforce_proto_limits,
        );
        assert_eq!(rules, (naming, visibility, limits), "{syntax}");
    }
}

#[test]
fn rules_are_features() {
    use crate::descriptor::{DefaultSymbolVisibility::*, EnforceNamingStyle::*, EnforceProtoLimits::*};
    let of = |number, value| {
        let proto = FileDescriptorProto { options: feature_set(50, &[(number, value)]), ..file("2026") };
        link(&proto).map(|pool| pool.file("a.proto").unwrap().features())
    };
    for (value, style) in [(1, Style2024), (2, StyleLegacy), (3, Style2026)] {
        assert_eq!(of(7, value).unwrap().enforce_naming_style, style);
    }
    for (value, visibility) in [(1, ExportAll), (2, ExportTopLevel), (3, LocalAll), (4, Strict)] {
        assert_eq!(of(8, value).unwrap().default_symbol_visibility, visibility);
    }
    for (value, limits) in [(1, LegacyNoExplicitLimits), (2, ProtoLimits2026)] {
        assert_eq!(of(9, value).unwrap().enforce_proto_limits, limits);
    }
    for (number, value, error) in [
        (7, 0, "a.proto: p: feature enforce_naming_style has no value 0"),
        (8, 5, "a.proto: p: feature default_symbol_visibility has no value 5"),
        (9, 3, "a.proto: p: feature enforce_proto_limits has no value 3"),
    ] {
        assert_eq!(of(number, value).unwrap_err().to_string(), error);
    }
}

#[test]
fn symbols_are_local_as_declared_or_by_default() {
    // Enums in a message without a declared visibility, in a local one and in an exported one; at the top level, then
    // nested.
    for (syntax, feature, expected) in [
        ("2023", None, [false, true, false, false, true, false]),
        ("2024", None, [false, true, false, true, true, false]),
        ("2026", None, [true, true, false, true, true, false]),
        ("2026", Some(1), [false, true, false, false, true, false]),
        ("2024", Some(3), [true, true, false, true, true, false]),
    ] {
        let messages = || {
            [("Unset", None), ("Local", Some(1)), ("Export", Some(2))]
                .map(|(name, visibility)| DescriptorProto { visibility, ..message(name, vec![]) })
        };
        let enums = [("A", None), ("B", Some(1)), ("C", Some(2))].map(|(name, visibility)| {
            EnumDescriptorProto { visibility, ..enumeration(name, &[(&name.repeat(2), 0)]) }
        });
        let mut top = messages().to_vec();
        top.push(DescriptorProto {
            nested_type: messages().into(),
            enum_type: enums.into(),
            ..message("Outer", vec![])
        });
        let proto = FileDescriptorProto {
            message_type: top,
            options: feature.and_then(|value| feature_set(50, &[(8, value)])),
            ..file(syntax)
        };
        let pool = link(&proto).unwrap();
        let is_local = |name: &str| pool.message(name).unwrap().is_local();
        let actual = ["p.Unset", "p.Local", "p.Export", "p.Outer.Unset", "p.Outer.Local", "p.Outer.Export"];
        assert_eq!(actual.map(is_local), expected, "{syntax}");
        let enums = ["p.Outer.A", "p.Outer.B", "p.Outer.C"];
        assert_eq!(enums.map(|name| pool.enumeration(name).unwrap().is_local()), expected[3..], "{syntax}");
        assert_eq!(
            pool.message("p.Outer.Export").unwrap().visibility(),
            crate::descriptor::Visibility::Export
        );
    }
}
