//! Schemas with editions, compiled without protoc: what compiles, to which descriptors, and what is refused.

use std::fs;
use std::path::{Path, PathBuf};

use tobu::{DynamicMessage, Pool};
use tobu_build::Config;

/// An empty directory.
fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("editions").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

/// Compiles `a.proto`, which may import the other files.
fn compile(directory: &Path, files: &[(&str, &str)]) -> Result<Pool, String> {
    for (name, source) in files {
        fs::write(directory.join(name), source).unwrap();
    }
    let set = directory.join("set");
    let mut config = Config::new();
    config.out_dir(directory).rerun_if_changed(false).descriptor_set_path(&set);
    config.compile(&[directory.join("a.proto")], &[directory]).map_err(|error| error.to_string())?;
    Ok(Pool::from_descriptor_set(&fs::read(set).unwrap()).unwrap())
}

/// A file that others import.
const B: &str = include_str!("golden/b.proto");

#[test]
fn schemas_that_compile() {
    let directory = scratch("compile");
    let fields = |count: usize| {
        (1..=count)
            .map(|i| format!("int32 f{i} = {};", if i < 19_000 { i } else { i + 1_000 }))
            .collect::<String>()
    };
    for source in [
        // Names of any style, where the style is not asked for.
        "edition = '2023'; package Bad.Package; message bad_name { int32 BadField = 1; } enum e { a = 0; }".to_owned(),
        "edition = '2024'; option features.enforce_naming_style = STYLE_LEGACY; message bad { int32 Bad = 1; }".into(),
        "edition = '2024'; message M { int32 Bad = 1 [features.enforce_naming_style = STYLE_LEGACY]; }".into(),
        "edition = '2024'; package a_b.c; message Good1 { int32 a_b2 = 1; oneof o { int32 c = 2; } }
         enum Kind { KIND_A1 = 0; } service Do { rpc It(Good1) returns (Good1); }"
            .into(),
        "edition = '2024'; package a._b;".into(),
        // Names that meet those of accessors, up to 2024.
        "edition = '2024'; message M { int32 has_x = 1; int32 x = 2; int32 descriptor = 3; }".into(),
        "edition = '2026'; message M { int32 has_y = 1; int32 x = 2; int32 y_value = 3; }".into(),
        // Many members.
        format!("edition = '2026'; message M {{ {} }}", fields(1_500)),
        format!("edition = '2024'; message M {{ {} }}", fields(1_501)),
        format!(
            "edition = '2026'; message M {{ option features.enforce_proto_limits = LEGACY_NO_EXPLICIT_LIMITS; {} }}",
            fields(1_501)
        ),
        // What may be used, and exported.
        "edition = '2024'; import 'b.proto'; message M { b.Open a = 1; b.Open.Out b = 2; }".into(),
        "edition = '2023'; import 'b.proto'; extend b.Extended { int32 x = 100; }".into(),
        "edition = '2026'; local message Names { export enum Kind { KIND_NONE = 0; } reserved 1 to max; }".into(),
        "edition = '2026'; message Names { export enum Kind { KIND_NONE = 0; } reserved 1 to max; }".into(),
        "edition = '2024'; option features.default_symbol_visibility = LOCAL_ALL;
         message M { export message N {} }"
            .into(),
    ] {
        if let Err(error) = compile(&directory, &[("a.proto", &source), ("b.proto", B)]) {
            panic!("{error}\n{}", &source[..source.len().min(200)]);
        }
    }
}

const STYLE: &str = "(features.enforce_naming_style = STYLE_LEGACY opts out of this rule)";
const ACCESSORS: &str =
    "generated accessors could collide (features.enforce_naming_style = STYLE2024 opts out of this rule)";
const LIMITS: &str = "(features.enforce_proto_limits = LEGACY_NO_EXPLICIT_LIMITS opts out of this rule)";

#[test]
fn schemas_that_break_rules() {
    let directory = scratch("rules");
    let list = |count: usize, write: fn(usize) -> String| (1..=count).map(write).collect::<String>();
    let field: fn(usize) -> String = |i| format!("int32 f{i} = {i};");
    let oneof: fn(usize) -> String = |i| format!("oneof o{i} {{ int32 f{i} = {i}; }}");
    let value: fn(usize) -> String = |i| format!("V{i} = {};", i - 1);
    for (source, error) in [
        // Style of names.
        ("edition = '2024';\npackage Bad;".to_owned(), format!("a.proto:2:1: Bad: a package name should be lower_snake_case {STYLE}")),
        ("edition = '2024'; package a_.b;".into(), format!("a.proto:1:19: a_.b: a package name should have a letter after each underscore {STYLE}")),
        ("edition = '2024'; message bad {}".into(), format!("a.proto:1:27: bad: a message name should begin with a capital letter {STYLE}")),
        ("edition = '2024'; message Ba_d {}".into(), format!("a.proto:1:27: Ba_d: a message name should be TitleCase {STYLE}")),
        ("edition = '2024'; message M { int32 Bad = 1; }".into(), format!("a.proto:1:37: M.Bad: a field name should be lower_snake_case {STYLE}")),
        ("edition = '2024'; message M { int32 f_1 = 1; }".into(), format!("a.proto:1:37: M.f_1: a field name should have a letter after each underscore {STYLE}")),
        ("edition = '2024'; message M { int32 _f = 1; }".into(), format!("a.proto:1:37: M._f: a field name should begin with a lower case letter {STYLE}")),
        ("edition = '2024'; message M { oneof o_ { int32 f = 1; } }".into(), format!("a.proto:1:37: M.o_: a oneof name should have a letter after each underscore {STYLE}")),
        ("edition = '2024'; enum Bad_ { A = 0; }".into(), format!("a.proto:1:24: Bad_: an enum name should be TitleCase {STYLE}")),
        ("edition = '2024'; enum E { Bad = 0; }".into(), format!("a.proto:1:28: Bad: an enum value name should be UPPER_SNAKE_CASE {STYLE}")),
        ("edition = '2024'; enum E { _BAD = 0; }".into(), format!("a.proto:1:28: _BAD: an enum value name should begin with an upper case letter {STYLE}")),
        ("edition = '2024'; service bad {}".into(), format!("a.proto:1:27: bad: a service name should begin with a capital letter {STYLE}")),
        ("edition = '2024'; message M {} service S { rpc do_it(M) returns (M); }".into(), format!("a.proto:1:48: S.do_it: a method name should be TitleCase {STYLE}")),
        ("edition = '2024'; import 'b.proto'; extend b.Extended { int32 Bad = 100; }".into(), format!("a.proto:1:63: Bad: a field name should be lower_snake_case {STYLE}")),
        // All that is wrong is said, each in a line.
        (
            "edition = '2024'; message M { int32 A = 1; int32 B = 2; }".into(),
            format!("a.proto:1:37: M.A: a field name should be lower_snake_case {STYLE}\na.proto:1:50: M.B: a field name should be lower_snake_case {STYLE}"),
        ),
        // Names that meet those of accessors.
        ("edition = '2026'; message M { int32 x = 1; int32 has_x = 2; }".into(), format!("a.proto:1:50: M.has_x: a field name should not begin with has_ because there is a field x: {ACCESSORS}")),
        ("edition = '2026'; message M { int32 clear_o = 1; oneof o { int32 y = 2; } }".into(), format!("a.proto:1:37: M.clear_o: a field name should not begin with clear_ because there is a field o: {ACCESSORS}")),
        ("edition = '2026'; message M { int32 x = 1; oneof x_value { int32 y = 2; } }".into(), format!("a.proto:1:50: M.x_value: a oneof name should not end with _value because there is a field x: {ACCESSORS}")),
        ("edition = '2026'; message M { int32 descriptor = 1; }".into(), format!("a.proto:1:37: M.descriptor: a field name should not be descriptor: {ACCESSORS}")),
        ("edition = '2024'; message M { int32 x = 1; int32 get_x = 2 [features.enforce_naming_style = STYLE2026]; }".into(), format!("a.proto:1:50: M.get_x: a field name should not begin with get_ because there is a field x: {ACCESSORS}")),
        // Many members.
        (format!("edition = '2026'; message M {{ {} }}", list(1_501, field)), format!("a.proto:1:27: M: a message should have no more than 1500 fields, and this one has 1501 {LIMITS}")),
        (format!("edition = '2026'; message M {{ {} }}", list(1_001, oneof)), format!("a.proto:1:27: M: a message should have no more than 1000 oneofs, and this one has 1001 {LIMITS}")),
        (format!("edition = '2026'; message M {{ oneof o {{ {} }} }}", list(1_201, field)), format!("a.proto:1:37: M.o: a oneof should have no more than 1200 fields, and this one has 1201 {LIMITS}")),
        (format!("edition = '2026'; enum E {{ {} }}", list(1_701, value)), format!("a.proto:1:24: E: an enum should have no more than 1700 values, and this one has 1701 {LIMITS}")),
        // What may not be used, or exported.
        ("edition = '2024'; import 'b.proto'; message M { b.Closed f = 1; }".into(), "a.proto:1:58: M.f: type b.Closed is local to b.proto, as it is declared".into()),
        ("edition = '2023'; import 'b.proto'; message M { b.Open.Nested f = 1; }".into(), "a.proto:1:63: M.f: type b.Open.Nested is local to b.proto, by features.default_symbol_visibility = EXPORT_TOP_LEVEL".into()),
        ("edition = '2024'; import 'b.proto'; message M { b.Open.Kind f = 1; }".into(), "a.proto:1:61: M.f: type b.Open.Kind is local to b.proto, by features.default_symbol_visibility = EXPORT_TOP_LEVEL".into()),
        ("edition = '2024'; import 'b.proto'; message M { map<string, b.Closed> f = 1; }".into(), "a.proto:1:61: M.FEntry.value: type b.Closed is local to b.proto, as it is declared".into()),
        ("edition = '2024'; import 'b.proto'; extend b.Hidden { int32 x = 100; }".into(), "a.proto:1:61: x: type b.Hidden is local to b.proto, as it is declared".into()),
        (
            "edition = '2024'; import 'b.proto'; service S { rpc Do(b.Closed) returns (b.Open); rpc It(b.Open) returns (b.Closed); }".into(),
            "a.proto:1:53: S.Do: type b.Closed is local to b.proto, as it is declared\na.proto:1:88: S.It: type b.Closed is local to b.proto, as it is declared".into(),
        ),
        ("edition = '2026'; message M { export message N {} }".into(), "a.proto:1:46: M.N: a nested message cannot be exported, by features.default_symbol_visibility = STRICT".into()),
        (
            "edition = '2026'; message M { export enum E { A = 0; } }".into(),
            "a.proto:1:43: M.E: a nested enum cannot be exported, by features.default_symbol_visibility = STRICT, \
             unless its message is local and has only `reserved 1 to max;`"
                .into(),
        ),
        (
            "edition = '2026'; export message M { export enum E { A = 0; } reserved 1 to max; }".into(),
            "a.proto:1:50: M.E: a nested enum cannot be exported, by features.default_symbol_visibility = STRICT, \
             unless its message is local and has only `reserved 1 to max;`"
                .into(),
        ),
    ] {
        let outcome = compile(&directory, &[("a.proto", &source), ("b.proto", B)]);
        let actual = outcome.err().unwrap_or_default();
        assert_eq!(actual, error, "{}", &source[..source.len().min(200)]);
    }
}

#[test]
fn sources_that_do_not_parse() {
    let directory = scratch("syntax");
    for (source, error) in [
        ("edition = '2025';", "a.proto:1:11: edition \"2025\" is not supported"),
        (
            "edition = '2023';\nmessage M { optional int32 f = 1; }",
            "a.proto:2:13: there is no `optional` in editions: fields have presence unless features say otherwise",
        ),
        (
            "edition = '2023'; message M { required int32 f = 1; }",
            "a.proto:1:31: there is no `required` in editions: use features.field_presence = LEGACY_REQUIRED",
        ),
        (
            "edition = '2023'; message M { group G = 1 {} }",
            "a.proto:1:37: only proto2 has groups: use a message, with DELIMITED encoding in editions",
        ),
        (
            "edition = '2023'; message M { reserved 'f'; }",
            "a.proto:1:40: reserved names are written without quotes in editions",
        ),
        (
            "edition = '2023'; import option 'b.proto';",
            "a.proto:1:19: `import option` needs edition 2024 or later",
        ),
        (
            "edition = '2024'; import weak 'b.proto';",
            "a.proto:1:19: there is no `import weak` from edition 2024 on: use `import option`",
        ),
        (
            "edition = '2024'; import option 'b.proto'; import 'b.proto';",
            "a.proto:1:44: imports for options only come after all other imports",
        ),
        (
            "edition = '2024'; export service S {}",
            "a.proto:1:26: only a message or an enum can be `export` or `local`",
        ),
        (
            "edition = '2023'; export message M {}",
            "a.proto:1:19: expected a declaration such as `message`, found `export`",
        ),
        (
            "edition = '2023'; message M { int32 f = 1;",
            "a.proto:1:43: expected `}`, found the end of the file",
        ),
        ("edition = '2023'; message M { int32 f = 0x; }", "a.proto:1:41: 0x is not a number"),
        ("edition = '2023'; message M { int32 f = 4294967296; }", "a.proto:1:41: 4294967296 is too large"),
        (
            "edition = '2023'; message M { string f = 1 [default = 'a\\q']; }",
            "a.proto:1:55: \\q is not an escape",
        ),
        (
            "edition = '2023'; message M { string f = 1 [default = 'a]; }",
            "a.proto:1:55: the string has no end on its line",
        ),
        ("edition = '2023'; /* message", "a.proto:1:19: the comment has no end: `*/` is missing"),
        ("edition = '2023'; message M { int32 f = 1 } ", "a.proto:1:43: expected `;`, found `}`"),
        ("edition = '2023'; message \u{fc} {}", "a.proto:1:27: '\u{fc}' is not allowed here"),
        (
            "edition = '2023'; message M { map<string, M> f = 1; oneof o { map<string, M> g = 2; } }",
            "a.proto:1:63: a map has no label, and is neither in a oneof nor an extension",
        ),
        (
            "edition = '2023'; option java_package = ;",
            "a.proto:1:41: expected the value of an option, found `;`",
        ),
        // What linking finds has its place, too.
        ("edition = '2023';\nmessage M {\n  None f = 1;\n}", "a.proto:3:8: M.f: type None is not declared"),
        (
            "edition = '2023'; message M { int32 f = 1; int32 g = 1; }",
            "a.proto:1:50: M.g: field number 1 is already taken by f",
        ),
        ("edition = '2023'; enum E { A = 1; }", "a.proto:1:28: A: the first value of an open enum must be 0"),
        ("edition = '2023'; import 'c.proto';", "a.proto:1:19: import 'c.proto' not found"),
        ("edition = '2023'; import 'a.proto';", "a.proto:1:19: a.proto imports itself, by way of a.proto"),
        (
            "edition = '2023'; import '../b.proto';",
            "a.proto:1:19: \"../b.proto\" is not a file name: it must be a relative path without `..`",
        ),
        (
            "edition = '2023'; import '/b.proto';",
            "a.proto:1:19: \"/b.proto\" is not a file name: it must be a relative path without `..`",
        ),
        (
            "edition = '2023'; import './b.proto';",
            "a.proto:1:19: \"./b.proto\" is not a file name: it must be a relative path without `..`",
        ),
        // Options.
        (
            "edition = '2023'; option none = 1;",
            "a.proto:1:26: google.protobuf.FileOptions has no option none",
        ),
        ("edition = '2023'; option (none) = 1;", "a.proto:1:26: extension none is not declared"),
        ("edition = '2023'; option deprecated = 7x;", "a.proto:1:39: 7x is not a number"),
        (
            "edition = '2023'; option deprecated.x = 7;",
            "a.proto:1:26: option deprecated is not a message, and has no field x",
        ),
        ("edition = '2023'; option java_package = 7;", "a.proto:1:41: expected a string, but found `7`"),
        (
            "edition = '2023'; option features.enum_type = AJAR;",
            "a.proto:1:47: expected a value of google.protobuf.FeatureSet.EnumType, but found `AJAR`",
        ),
        (
            "edition = '2023'; message M { option features.enum_type = OPEN; }",
            "a.proto:1:38: M: option google.protobuf.FeatureSet.enum_type is not valid for a message",
        ),
        (
            "edition = '2023'; option features.enforce_naming_style = STYLE2024;",
            "a.proto:1:26: google.protobuf.FeatureSet.enforce_naming_style is not valid before edition 2024",
        ),
        (
            "edition = '2024'; message M { option features.enforce_proto_limits = PROTO_LIMITS2026; }",
            "a.proto:1:38: M: google.protobuf.FeatureSet.enforce_proto_limits is not valid before edition 2026",
        ),
        (
            "edition = '2026'; option cc_enable_arenas = true;",
            "a.proto:1:26: google.protobuf.FileOptions.cc_enable_arenas is not valid from edition 2026 on: cc_enable_arenas is enabled by default in every edition and overrides are ignored.This option is removed in editions 2026 and above.",
        ),
        ("edition = '2023';\nimport 'a\\nb';", "a.proto:2:1: import 'a\\nb' not found"),
        (
            "edition = '2023';\nimport 'google/protobuf/any.proto';\n  import 'google/protobuf/any.proto';",
            "a.proto:3:3: import \"google/protobuf/any.proto\" is listed twice",
        ),
        (
            "edition = '2023'; message M { extensions 1; }\nextend M { int32 e = 1 [json_name = 'x']; }",
            "a.proto:2:25: an extension has no `json_name`: JSON has its full name",
        ),
        // What the field declares besides itself has its position, too.
        (
            "edition = '2023';\nmessage M {\n  map<Gone, int32> m = 1;\n}",
            "a.proto:3:7: M.MEntry.key: type Gone is not declared",
        ),
        (
            "edition = '2023';\nmessage M {\n  map<int32, Gone> m = 1;\n}",
            "a.proto:3:14: M.MEntry.value: type Gone is not declared",
        ),
        (
            "edition = '2024'; import option 'google/protobuf/json_options.proto';\nenum E { A = 0 [(pb.enumvalue.json).string = 'a']; }",
            "a.proto:2:17: A: pb.enumvalue.json is not valid before edition 2026",
        ),
        (
            "edition = '2026'; import 'google/protobuf/json_options.proto';\nenum E { A = 0 [(pb.enumvalue.json).string = '1']; }",
            "a.proto:2:10: A: the JSON name \"1\" is a number, but not 0",
        ),
    ] {
        let outcome = compile(&directory, &[("a.proto", source), ("b.proto", B)]);
        assert_eq!(outcome.err().unwrap_or_default(), error, "{source}");
    }
}

/// What a descriptor says, as JSON: an option that is set in pieces is printed as one.
fn content(pool: &Pool, file: &[u8]) -> String {
    let descriptor = tobu::types::files::DESCRIPTOR.descriptor();
    let message = descriptor.messages().find(|message| message.name() == "FileDescriptorProto").unwrap();
    let message = DynamicMessage::decode(&message, file).unwrap();
    tobu::json::Options::new().pool(pool).to_string(&message).unwrap()
}

/// Every construct, compiled, printed and compiled again.
#[test]
fn what_is_printed_compiles_to_the_same_descriptor() {
    let directory = scratch("print");
    for name in ["editions.proto", "edition_2024.proto", "edition_2026.proto"] {
        let source =
            fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name))
                .unwrap();
        let compile = |source: &str| {
            let pool = compile(&directory, &[("a.proto", source), ("b.proto", B)]).unwrap();
            let file = pool.file("a.proto").unwrap();
            (file.to_proto_text().unwrap(), content(&pool, &without_source(file.encoded())))
        };
        let (text, descriptor) = compile(&source);
        let (again, same) = compile(&text);
        assert_eq!(text, again, "printing is stable");
        assert!(descriptor == same, "{text}");
    }
}

/// A method with a block has options, even if there are none in it.
#[test]
fn empty_options_are_printed_and_compiled_again() {
    let directory = scratch("empty_options");
    let source = "edition = \"2023\";\n\nmessage M {}\n\n\
                  service S {\n  rpc A(M) returns (M);\n  rpc B(M) returns (M) {}\n}\n";
    let file = compile(&directory, &[("a.proto", source)]).unwrap().file("a.proto").unwrap();
    assert_eq!(file.to_proto_text().unwrap(), source);
    let contains = |bytes: &[u8]| file.encoded().windows(bytes.len()).any(|window| window == bytes);
    assert!(contains(b"\x0a\x01A\x12\x02.M\x1a\x02.M\x12"));
    assert!(contains(b"\x0a\x01B\x12\x02.M\x1a\x02.M\x22\x00"));
}

/// A source that ends too early is refused with a position; no cut makes the compiler panic.
#[test]
fn every_cut_has_its_error() {
    let directory = scratch("cuts");
    let source = include_str!("golden/edition_2024.proto");
    let start = source.find("message Everything").unwrap();
    for cut in (start..source.trim_end().len()).step_by(11) {
        let Err(error) = compile(&directory, &[("a.proto", &source[..cut]), ("b.proto", B)]) else {
            continue;
        };
        let (line, _) = error.strip_prefix("a.proto:").and_then(|rest| rest.split_once(':')).unwrap();
        assert!(line.parse::<usize>().is_ok(), "{cut}: {error}");
    }
}

fn without_source(encoded: &[u8]) -> Vec<u8> {
    let mut reader = tobu::wire::Reader::new(encoded);
    let mut out = Vec::new();
    while !reader.is_empty() {
        let start = reader.position();
        let tag = reader.tag().unwrap();
        reader.skip(tag, 100).unwrap();
        if tag.number() != 9 {
            out.extend_from_slice(&encoded[start..reader.position()]);
        }
    }
    out
}
