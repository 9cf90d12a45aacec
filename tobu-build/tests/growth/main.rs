//! What twice the `.proto` source takes, counted as in `tests/growth/` of the library: compiled, printed and compiled again,
//! and made into code.

#[path = "../../../tests/memory/counting.rs"]
mod counting;
#[path = "../../../tests/growth/family.rs"]
mod family;
#[path = "../../../tests/growth/meter.rs"]
mod meter;

use family::{Family, Verb, refused, run, taken};
use tobu::Pool;
use tobu_build::{Config, load_sources};

/// A line that begins the source of a file, with its name behind it; what comes before the first one is `a.proto`.
const FILE: &str = "//// ";

/// The files of an input.
fn files(input: &[u8]) -> Vec<(&str, &str)> {
    let text = std::str::from_utf8(input).expect("sources are text");
    let mut parts = text.split(FILE);
    let first = parts.next().map(|source| ("a.proto", source)).filter(|(_, source)| !source.is_empty());
    first.into_iter().chain(parts.filter_map(|part| part.split_once('\n'))).collect()
}

fn text(error: impl ToString) -> String {
    error.to_string()
}

fn load(input: &[u8]) -> Result<Pool, String> {
    load_sources(&files(input)).map_err(text)
}

const LOAD: &[Verb] =
    &[Verb { name: "load_sources", prepare: |input| Some(Box::new(move || load(input).map(|_| 0))) }];

const PRINT: Verb = Verb {
    name: "what is printed, compiled again",
    prepare: |input| {
        let pool = load(input).ok()?;
        let files = pool.files().map(|file| (file.name().to_owned(), file.to_proto_text()));
        let sources: Vec<_> = files.map(|(name, text)| (name, text.expect("it prints"))).collect();
        Some(Box::new(move || load_sources(&sources).map(|_| 0).map_err(text)))
    },
};

const GENERATE: Verb = Verb {
    name: "generate",
    prepare: |input| {
        let pool = load(input).ok()?;
        let names: Vec<_> = pool.files().map(|file| file.name().to_owned()).collect();
        let mut config = Config::new();
        config.client(true).server(true);
        Some(Box::new(move || {
            let files = config.generate(&pool, &names).map_err(text)?;
            Ok(files.values().map(String::len).sum())
        }))
    },
};

const VERBS: &[Verb] = &[LOAD[0], PRINT, GENERATE];

/// A source of pieces, each made of its number.
fn each(start: &str, count: usize, piece: impl Fn(usize) -> String, end: &str) -> Vec<u8> {
    let pieces: String = (0..count).map(piece).collect();
    [start, &pieces, end].concat().into()
}

const PROTO3: &str = "syntax = 'proto3'; package p;\n";

#[test]
fn declarations() {
    const FAMILIES: &[Family] = &[
        taken("messages", 16, |n| each(PROTO3, n, |at| format!("message M{at} {{}}\n"), "")),
        taken("services", 8, |n| each(PROTO3, n, |at| format!("service S{at} {{}}\n"), "")),
        taken("enums", 16, |n| each(PROTO3, n, |at| format!("enum E{at} {{ V{at} = 0; }}\n"), "")),
        taken("messages in a message", 16, |n| {
            each("message M {", n, |at| format!("message M{at} {{}}\n"), "}")
        }),
        taken("messages in each other", 1, |n| each("", n, |at| format!("message M{at} {{"), &"}".repeat(n))),
        taken("fields", 16, |n| {
            each("syntax = 'proto3'; message M {", n, |at| format!("int32 f{at} = {};\n", at + 1), "}")
        }),
        taken("fields of messages", 16, |n| {
            each("syntax = 'proto3'; message M {", n, |at| format!("M f{at} = {};\n", at + 1), "}")
        }),
        taken("fields of maps", 8, |n| {
            let map = |at| format!("map<int32, M> f{at} = {};\n", at + 1);
            each("syntax = 'proto3'; message M {", n, map, "}")
        }),
        taken("groups", 8, |n| {
            let group = |at| format!("optional group G{at} = {} {{}}\n", at + 1);
            each("message M {", n, group, "}")
        }),
        taken("oneofs", 8, |n| {
            let oneof = |at| format!("oneof o{at} {{ int32 f{at} = {}; }}\n", at + 1);
            each("syntax = 'proto3'; message M {", n, oneof, "}")
        }),
        taken("optional fields of proto3", 8, |n| {
            let field = |at| format!("optional int32 f{at} = {};\n", at + 1);
            each("syntax = 'proto3'; message M {", n, field, "}")
        }),
        taken("values of an enum", 16, |n| {
            each("syntax = 'proto3'; enum E {", n, |at| format!("V{at} = {at};\n"), "}")
        }),
        taken("methods", 4, |n| {
            let method = |at| format!("rpc Call{at}(M) returns (stream .M);\n");
            each("message M {} service S {", n, method, "}")
        }),
        taken("extensions in blocks of their own", 8, |n| {
            let extend = |at| format!("extend M {{ optional M e{at} = {}; }}\n", at + 100);
            each("message M { extensions 100 to max; }", n, extend, "")
        }),
        taken("reserved numbers and names", 16, |n| {
            let reserved = |at| {
                format!("reserved {}, {} to {}; reserved 'n{at}';\n", at * 9 + 1, at * 9 + 3, at * 9 + 5)
            };
            each("message M {", n, reserved, "}")
        }),
    ];
    run(FAMILIES, VERBS);
}

#[test]
fn syntax() {
    const FAMILIES: &[Family] = &[
        taken("space", 32, |n| each("", n, |_| " \t\r\n".into(), PROTO3)),
        taken("comments in lines", 32, |n| each("", n, |_| "// a comment\n".into(), PROTO3)),
        taken("comments apart from each other", 32, |n| each("", n, |_| "// a comment\n\n".into(), PROTO3)),
        taken("comments in blocks", 32, |n| each("", n, |_| "/* a\n * comment */".into(), PROTO3)),
        taken("a long comment", 32, |n| each("/*", n, |_| "*\n".into(), "*/ message M {}")),
        taken("comments of fields", 8, |n| {
            let field = |at| format!("// before\nint32 f{at} = {}; // behind\n", at + 1);
            each("syntax = 'proto3'; message M {", n, field, "}")
        }),
        taken("empty statements", 32, |n| each("message M {", n, |_| ";".into(), "}")),
        taken("a default in pieces", 32, |n| {
            each("message M { optional string s = 1 [default = ", n, |_| "'a' ".into(), "]; }")
        }),
        taken("a default of escapes", 32, |n| {
            each("message M { optional bytes s = 1 [default = '", n, |_| "\\377\\n".into(), "']; }")
        }),
        taken("a long name", 8, |n| each("message M", n, |_| "m".into(), " {}")),
        taken("a package of many parts", 1, |n| {
            each("package p", n, |at| format!(".p{at}"), "; message M { optional M m = 1; }")
        }),
    ];
    run(FAMILIES, VERBS);
    const REFUSED: &[Family] = &[
        refused("a comment that does not end", 32, |n| each("/*", n, |_| "*\n".into(), ""), "has no end"),
        refused(
            "a string that does not end",
            32,
            |n| each("option a = '", n, |_| "a".into(), ""),
            "a.proto:1:12: ",
        ),
        refused(
            "a number of many digits",
            32,
            |n| each("enum E { A = ", n, |_| "9".into(), "; }"),
            "a.proto:1:14: ",
        ),
        refused(
            "messages that do not end",
            1,
            |n| each("", n, |at| format!("message M{at} {{"), ""),
            "expected `}`",
        ),
        refused(
            "messages too deep in each other",
            101,
            |n| each("", n, |_| "message M {".into(), ""),
            "nested deeper",
        ),
        refused(
            "statements of which none parses",
            16,
            |n| each("", n, |_| "message 1; ".into(), ""),
            ":1:9: ",
        ),
        refused(
            "types of which none is there",
            16,
            |n| each("syntax = 'proto3'; message M {", n, |at| format!("T{at} f{at} = {};\n", at + 1), "}"),
            "is not declared",
        ),
        refused("braces that close nothing", 32, |n| each("", n, |_| "} ".into(), ""), "no `{` before"),
        refused("an error after many lines", 32, |n| each("", n, |_| "\n".into(), "?"), ":1: "),
        refused("an error after a long line", 32, |n| each("", n, |_| " ".into(), "?"), "a.proto:1:"),
        refused(
            "the last of many names again",
            16,
            |n| each(PROTO3, n, |at| format!("message M{at} {{}}\n"), "message M0 {}"),
            "p.M0",
        ),
        refused(
            "the last of many numbers again",
            16,
            |n| {
                each(
                    "syntax = 'proto3'; message M {",
                    n,
                    |at| format!("int32 f{at} = {};\n", at + 1),
                    "int32 again = 1; }",
                )
            },
            "again",
        ),
        refused(
            "a type that is not there",
            16,
            |n| each("message M { optional ", n, |_| "a.".into(), "A f = 1; }"),
            "is not declared",
        ),
    ];
    run(REFUSED, LOAD);
}

/// A line of the comment of a message.
fn comment(line: String) -> Vec<u8> {
    format!("{PROTO3}// {line}\nmessage M {{}}").into()
}

/// What becomes documentation, where brackets, backticks and URLs are read as Markdown.
#[test]
fn comments() {
    const FAMILIES: &[Family] = &[
        taken("words", 64, |n| comment("a word ".repeat(n))),
        taken("brackets that open", 64, |n| comment("[".repeat(n))),
        taken("brackets with text", 64, |n| comment("[a".repeat(n))),
        taken("brackets of CDATA", 32, |n| comment("<![CDATA[".repeat(n))),
        taken("links that do not end", 32, |n| comment("[a](http://b".repeat(n))),
        taken("links without text", 32, |n| comment("[](http://b".repeat(n))),
        taken("backticks of each length", 8, |n| comment((1..n).map(|at| "`".repeat(at) + "a").collect())),
        taken("backticks and a pair of them", 64, |n| comment("\\``".repeat(n))),
        taken("schemes", 32, |n| comment("http://".repeat(n))),
        taken("schemes in angle brackets", 32, |n| comment("<http://".repeat(n))),
        taken("dots behind a scheme", 64, |n| comment("http://".to_owned() + &".".repeat(n))),
        taken("markers of quotes", 64, |n| comment("> ".repeat(n))),
        taken("markers of lists", 64, |n| comment("1. ".repeat(n))),
        taken("digits", 64, |n| comment("1".repeat(n))),
        taken("backslashes", 64, |n| comment("\\".repeat(n))),
        taken("fences", 32, |n| comment("```\n// ~~~\n// ".repeat(n))),
        taken("indented lines between empty ones", 32, |n| comment("a\n//\n//     b\n//\n//\n// ".repeat(n))),
    ];
    run(FAMILIES, &[GENERATE]);
}

#[test]
fn options() {
    const FAMILIES: &[Family] = &[
        taken("fields with options", 8, |n| {
            let field =
                |at| format!("repeated int32 f{at} = {} [packed = false, deprecated = true];\n", at + 1);
            each("syntax = 'proto3'; message M {", n, field, "}")
        }),
        taken("one list of options", 8, |n| each(CUSTOM, n, |_| "(tags) = 'a',".into(), "(tags) = 'b']; }")),
        taken("a value in pieces", 16, |n| {
            let start = [CUSTOM, "(tags) = "].concat();
            each(&start, n, |_| "'a' ".into(), "]; }")
        }),
        taken("a message of many fields", 8, |n| {
            let start = [CUSTOM, "(rule) = {"].concat();
            each(&start, n, |_| "numbers: 1 ".into(), "}]; }")
        }),
        taken("a message in each other", 3, |n| {
            let start = [CUSTOM, "(rule) = {"].concat();
            each(&start, n, |_| "inner {".into(), &("}".repeat(n) + "}]; }"))
        }),
        taken("fields of a message, one by one", 8, |n| {
            each(CUSTOM, n, |_| "(rule).numbers = 1,".into(), "(rule).least = 1]; }")
        }),
        taken("a message as a whole, and fields of it", 8, |n| {
            let start = [CUSTOM, "(rule).inner = {", &"numbers: 1 ".repeat(n), "}, "].concat();
            each(&start, n, |_| "(rule).inner.inner.numbers = 1,".into(), "(rule).least = 1]; }")
        }),
        taken("options of a file", 8, |n| each(OF_FILE, n, |_| "option (p.words) = 'a';\n".into(), "")),
        taken("names of extensions in messages", 8, |n| {
            let start = [OF_FILE, "option (p.list) = {"].concat();
            each(&start, n, |_| "many { [p.extra]: 1 } ".into(), "};")
        }),
        taken("ranges with options", 4, |n| {
            let start = [OF_FILE, "message R { extensions 1"].concat();
            each(&start, n, |at| format!(", {}", at + 2), " [verification = UNVERIFIED]; }")
        }),
    ];
    run(FAMILIES, &[LOAD[0], PRINT]);
    const REFUSED: &[Family] = &[
        refused(
            "an option again",
            16,
            |n| each(CUSTOM, n, |_| "(tags) = 'a',".into(), "deprecated = true, deprecated = true]; }"),
            "is set already",
        ),
        refused("a value that has no end", 16, |n| each(CUSTOM, n, |_| "(rule) = {".into(), ""), "a.proto:"),
    ];
    run(REFUSED, LOAD);
}

/// Options of a file.
const OF_FILE: &str = "import 'google/protobuf/descriptor.proto'; package p;
message List { repeated List many = 1; extensions 100; } extend List { optional int32 extra = 100; }
extend google.protobuf.FileOptions { repeated string words = 50000; optional List list = 50001; }
";

/// Custom options, and a field that has some.
const CUSTOM: &str = "import 'google/protobuf/descriptor.proto';
message Rule { repeated int32 numbers = 1; optional int32 least = 2; optional Rule inner = 3; }
extend google.protobuf.FieldOptions { repeated string tags = 50000; optional Rule rule = 50001; }
message M { optional int32 f = 1 [";

/// Files with a message each, which import those that a function of their number names.
fn importing(count: usize, kind: &str, imports: impl Fn(usize) -> Vec<usize>) -> Vec<u8> {
    let import = |at: usize| format!("import {kind}'f{at}.proto';\n");
    let file = |at: usize| {
        let imports: String = imports(at).into_iter().map(import).collect();
        format!("{FILE}f{at}.proto\n{imports}message M{at} {{}}\n")
    };
    // The last one first, so that the others are found by its imports.
    (0..count).rev().map(file).collect::<String>().into()
}

fn before(at: usize) -> Vec<usize> {
    at.checked_sub(1).into_iter().collect()
}

#[test]
fn imports() {
    const FAMILIES: &[Family] = &[
        taken("files", 8, |n| importing(n, "", |_| Vec::new())),
        taken("a chain of imports", 8, |n| importing(n, "", before)),
        taken("a chain of public imports", 8, |n| importing(n, "public ", before)),
        taken("a file that imports all publicly", 8, |n| {
            importing(n, "public ", |at| if at + 1 == n { (0..at).collect() } else { Vec::new() })
        }),
        taken("a file that imports all", 8, |n| {
            importing(n, "", |at| if at + 1 == n { (0..at).collect() } else { Vec::new() })
        }),
    ];
    run(FAMILIES, VERBS);
    const REFUSED: &[Family] = &[
        refused("a ring of imports", 8, |n| importing(n, "", move |at| vec![(at + 1) % n]), "imports itself"),
        refused(
            "a chain whose first is not there",
            8,
            |n| importing(n, "", |at| vec![at.wrapping_sub(1).min(1 << 20)]),
            "not found",
        ),
    ];
    run(REFUSED, LOAD);
}

/// As deep as no stack is: files are opened on the heap.
#[test]
fn a_chain_of_many_files() {
    let chain = importing(20_000, "", before);
    let pool =
        std::thread::Builder::new().stack_size(512 << 10).spawn(move || load(&chain).unwrap().files().len());
    assert_eq!(pool.unwrap().join().unwrap(), 20_000);
}
