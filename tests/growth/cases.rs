//! Which families are of which kind of hostile input: so that none is forgotten.
//!
//! A kind whose input cannot grow has none: it is a row elsewhere. `tests/corpus/malformed.toml` and `tests/hostile/` have
//! those of messages, `tests/json/` and `tests/corpus/text.toml` those of texts, `tobu-schema/src/descriptor/tests/hostile.rs` those of
//! schemas, `tobu-transcode/tests/` and `examples/gateway/src/attacks/` those of HTTP.

/// The families of a crate, and where their names are.
struct Module {
    name: &'static str,
    source: &'static str,
}

macro_rules! modules {
    ($($name:literal: $path:literal,)*) => {
        [$(Module { name: $name, source: include_str!($path) },)*]
    };
}

const MODULES: [Module; 14] = modules! {
    "lists": "lists.rs",
    "maps": "maps.rs",
    "tree": "tree.rs",
    "known": "known.rs",
    "json": "json.rs",
    "text": "text.rs",
    "schema": "schema.rs",
    "masks": "masks.rs",
    "lazy": "lazy.rs",
    "elements": "elements.rs",
    "source": "../../tobu-build/tests/growth/main.rs",
    "http": "../../tobu-transcode/tests/growth/main.rs",
    "bodies": "../../tobu-transcode/tests/growth/bodies.rs",
    "metadata": "../../tobu-transcode/tests/growth/metadata.rs",
};

/// A kind of hostile input, and its families as `module: family`.
type Case = (&'static str, &'static [&'static str]);

const WIRE: &[Case] = &[
    ("varints that are long, or go past 64 bits", &["lists: a number in ten bytes"]),
    ("tags that are long, of field 0, or of no wire type", &["lists: unknown fields of all numbers"]),
    (
        "groups that end without a start, by another number, or not at all",
        &["lists: groups that are not closed", "lists: a group that another number closes"],
    ),
    (
        "lengths past the input or the message around",
        &[
            "lists: a message that is cut",
            "lists: unknown fields, then a cut",
            "tree: malformed at the bottom",
        ],
    ),
    ("a packed list that ends inside an element", &["lists: a list that ends inside an element"]),
    (
        "nesting, to 100 levels and beyond",
        &[
            "tree: too deep",
            "tree: too deep in lists in pieces",
            "lists: unknown groups in each other, too deep",
            "known: extensions in each other",
            "json: too deep",
            "json: Any in Any, too deep",
            "text: too deep",
            "source: messages too deep in each other",
        ],
    ),
    ("fields of another wire type", &["lists: an unknown field of another type"]),
    (
        "lists that are packed where they are not declared so, and the reverse",
        &["lists: a packed list, expanded", "lists: an expanded list, packed"],
    ),
    (
        "strings that are not UTF-8",
        &["lists: the last of many strings is not UTF-8", "maps: the last key is not UTF-8"],
    ),
    (
        "values that an enum has not",
        &["lists: values that it has not in a list", "lists: values that it has not in a map"],
    ),
    (
        "entries of maps without key or value, or with more",
        &[
            "maps: empty entries",
            "maps: entries of all keys with unknown fields",
            "maps: one entry in fragments",
        ],
    ),
    ("keys again", &["maps: one key", "maps: all keys twice", "tree: one key twice at every level"]),
    (
        "a oneof or a message again",
        &[
            "lists: members that replace each other",
            "lists: a message in fragments",
            "tree: one message in fragments",
        ],
    ),
    ("empty messages, each of two bytes", &["lists: empty messages", "tree: lists of lists"]),
    (
        "a message in fragments, at one level and at each",
        &["tree: one message in fragments", "tree: a piece on both sides at every level"],
    ),
    ("fields in turns", &["lists: lists of everything in turns", "maps: maps in turns"]),
    (
        "required fields that are missing, at the bottom and in pieces",
        &["tree: missing at the bottom", "tree: missing everywhere in pieces", "tree: missing in all pieces"],
    ),
    (
        "messages that are read late, in each other, again and in pieces",
        &[
            "lazy: late messages on both sides at every level",
            "lazy: late messages that come again at every level",
            "lazy: a late message in many pieces",
        ],
    ),
];

const JSON: &[Case] = &[
    ("names of members again", &["json: a name again", "json: a name again after many elements"]),
    ("names that nobody knows", &["json: unknown names", "json: a long name that is not known"]),
    ("lone surrogates and broken escapes", &["json: a lone surrogate after many pairs"]),
    (
        "numbers of many digits and large exponents",
        &[
            "json: a number of many digits",
            "json: an exponent of many zeros",
            "json: a float of many digits in a string",
        ],
    ),
    ("base64 of either alphabet", &["json: base64", "json: base64 of the other alphabet"]),
    (
        "times, durations and masks",
        &[
            "json: a long text that is not a time",
            "json: a long text that is not a duration",
            "json: a mask of a long path",
        ],
    ),
    (
        "an Any whose type comes last",
        &["json: an Any with its type last", "json: Any in Any with their types last"],
    ),
    ("null where there is none", &["json: nulls", "json: a null among many"]),
    ("names of enum values that it has not", &["json: an enum value of a long name"]),
    ("what trails, and commas too many", &["json: much that trails", "json: a comma too many"]),
    (
        "arrays that come in chunks: long ones, and much around them",
        &["elements: many elements", "elements: members before", "elements: a number of many digits"],
    ),
];

const TEXT: &[Case] = &[
    (
        "numbers in each base, out of range",
        &["text: a number of many digits", "text: an octal number of many digits"],
    ),
    (
        "strings in pieces, and broken ones",
        &["text: a string in pieces", "text: pieces, then one that is broken"],
    ),
    (
        "separators, and lists that do not end",
        &["text: fields with separators", "text: a list that does not end"],
    ),
    ("types of Any that nobody knows", &["text: a long type that is not known"]),
];

const SCHEMAS: &[Case] = &[
    (
        "imports in a ring, missing, or in a long chain",
        &[
            "schema: a ring of imports",
            "schema: a chain whose first is not there",
            "schema: a chain of public imports",
            "source: a ring of imports",
            "source: a chain of imports",
        ],
    ),
    ("names again", &["schema: the last of many names again", "source: the last of many names again"]),
    (
        "numbers again, and ranges that overlap",
        &["schema: the last of many numbers again", "schema: ranges that overlap after many that do not"],
    ),
    ("messages in each other", &["schema: messages in each other", "source: messages in each other"]),
    (
        "messages that hold each other",
        &["schema: a ring of messages", "schema: messages that all know each other"],
    ),
    ("names of many parts", &["schema: a package of many parts", "source: a package of many parts"]),
    (
        "comments and literals that do not end",
        &["source: a comment that does not end", "source: a string that does not end"],
    ),
    ("options of any size", &["source: a message of many fields", "source: a value in pieces"]),
    (
        "masks of many paths, and of long ones",
        &["masks: paths of all ways", "masks: a path of many names", "masks: a path of too many names"],
    ),
];

const HTTP: &[Case] = &[
    ("escapes in paths, broken ones and NUL", &["http: escapes", "http: an escape that is none after many"]),
    ("slashes and dots", &["http: empty segments", "http: segments that fit several rules"]),
    ("long paths and many parameters", &["http: a long segment", "http: unknown parameters"]),
    ("parameters again", &["http: a parameter again after a list"]),
    ("headers of requests", &["metadata: names", "metadata: bytes of one name"]),
    (
        "metadata of responses",
        &["metadata: values of one name", "metadata: a connection that names many", "metadata: a long value"],
    ),
    (
        "compressed bodies: many frames, many blocks, repetitions, and cut ones",
        &[
            "bodies: frames",
            "bodies: blocks",
            "bodies: repetitions",
            "bodies: members",
            "bodies: a member that does not end",
        ],
    ),
    ("streams in small chunks", &["http: frames", "http: one long line", "http: empty lines"]),
];

#[test]
fn each_kind_has_families() {
    for (case, families) in [WIRE, JSON, TEXT, SCHEMAS, HTTP].concat() {
        assert!(!families.is_empty(), "{case}");
        for family in families {
            let (module, name) = family.split_once(": ").expect("a module and a family");
            let module = MODULES.iter().find(|it| it.name == module).expect("a module of the table");
            let is_there = module.source.contains(&format!("\"{name}\","));
            assert!(is_there, "{case}: there is no family {name:?} in {}", module.name);
        }
    }
}

/// Each line of the table of findings names a file and a text that is in it.
#[test]
fn each_finding_has_its_row() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let Ok(findings) = std::fs::read_to_string(root.join("fuzz/FINDINGS.md")) else { return };
    let lines: Vec<&str> = findings.lines().filter(|line| line.starts_with("| ")).skip(2).collect();
    assert!(lines.len() > 20, "{findings}");
    for line in lines {
        let cells: Vec<&str> =
            line.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`')).collect();
        let [_, _, file, row] = cells[..] else { panic!("four cells: {line}") };
        let source =
            std::fs::read_to_string(root.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert!(source.contains(row), "there is no {row:?} in {file}");
    }
}
