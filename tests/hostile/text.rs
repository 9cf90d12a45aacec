//! Hostile text: unterminated, nested too deep, or much longer than its content.

use crate::types::derived::{Level, Lists, Maps, Required, Tree};
use tobu::text::Options;
use tobu::{Category, DynamicMessage, Limits, Message};

/// Reads a text by each way; all say the same, to the letter of the error.
fn read<T>(text: &[u8], options: &Options) -> Result<Vec<u8>, String>
where
    T: Message + serde::Serialize + serde::de::DeserializeOwned,
{
    let deterministic = tobu::EncodeOptions::new().deterministic(true);
    let typed = options.from_slice::<T>(text).and_then(|message| deterministic.to_vec(&message));
    let typed = typed.map_err(|error| error.to_string());
    let dynamic = DynamicMessage::from_text_with(&T::descriptor(), text, options);
    let dynamic = dynamic.and_then(|message| deterministic.to_vec(&message));
    assert_eq!(dynamic.map_err(|error| error.to_string()), typed, "{:?}", String::from_utf8_lossy(text));
    typed
}

#[test]
fn a_hundred_levels_and_no_more() {
    let levels =
        |count: usize, open: &str, close: &str| format!("{}{}", open.repeat(count), close.repeat(count));
    // The entry of a map is a level, too.
    let forms = [
        ("left{", "}", 99),
        ("left:<", ">", 99),
        ("children[{", "}]", 99),
        ("named{value{", "}}", 49),
        ("gone{", "}", 99),
    ];
    let options = Options::new().ignore_unknown(true);
    for (open, close, most) in forms {
        read::<Tree>(levels(most, open, close).as_bytes(), &options).unwrap();
        for count in [most + 1, 100_000] {
            let error = read::<Tree>(levels(count, open, close).as_bytes(), &options).unwrap_err();
            assert!(error.contains(": messages are nested deeper than 100 levels (at line 1"), "{error}");
        }
        // Without an end, too.
        let error = read::<Tree>(open.repeat(100_000).as_bytes(), &options).unwrap_err();
        assert!(error.contains("nested deeper than 100 levels"), "{error}");
    }
    let by_number = Options::new().unknown_fields(true);
    let error = read::<Tree>(levels(101, "99{", "}").as_bytes(), &by_number).unwrap_err();
    assert!(error.contains("nested deeper than 100 levels"), "{error}");
}

/// A text that has everything, cut everywhere: an error, or a message, but the same by each way.
#[test]
fn cut_everywhere() {
    let text = r#"name: 'a\x41\u00e4\101\n' "b" # c
        left { leaf: < a: -0x1F b: "\U0001f600" c: [1, 017, 3] > }
        children [{ name: '' }, {}]; named { key: "k\"" value { leaf { c: 5 c: 6 } } },
        [ext.name] { a: 1.5e-7f b: -inf c: [true, FOO] }"#;
    let options = Options::new().ignore_unknown(true);
    read::<Tree>(text.as_bytes(), &options).unwrap();
    let mut refused = 0;
    for end in 0..text.len() {
        refused += usize::from(read::<Tree>(&text.as_bytes()[..end], &options).is_err());
        // And the rest of it.
        let _ = read::<Tree>(&text.as_bytes()[end..], &options);
        let mut without = text.as_bytes().to_vec();
        without.remove(end);
        let _ = read::<Tree>(&without, &options);
    }
    assert!(refused > text.len() / 2, "{refused} of {}", text.len());
}

#[test]
fn what_does_not_end() {
    let rows = [
        ("left {", "derived.v3.Tree.left: expected a field or `}`, but the input ends"),
        ("left <", "derived.v3.Tree.left: expected a field or `>`, but the input ends"),
        ("name: '", "derived.v3.Tree.name: the string does not end"),
        ("name: 'a\\", "derived.v3.Tree.name: the string does not end"),
        ("[", "derived.v3.Tree: expected the name of an extension or of a type, or `]`, but the input ends"),
        (
            "children [",
            "derived.v3.Tree.children[0]: expected a message of type derived.v3.Tree, but the input ends",
        ),
        ("name", "derived.v3.Tree.name: expected `:`, but the input ends"),
        ("left #", "derived.v3.Tree.left: expected a message of type derived.v3.Tree, but the input ends"),
        ("named {", "derived.v3.Tree.named: expected `key` or `value`, but the input ends"),
    ];
    for (text, wanted) in rows {
        let error = read::<Tree>(text.as_bytes(), &Options::new()).unwrap_err();
        assert!(error.starts_with(wanted), "{text:?}: {error}");
    }
}

#[test]
fn much_that_says_nothing() {
    const MUCH: usize = 1 << 20;
    let comments = "# a comment\n".repeat(MUCH / 12);
    assert_eq!(
        read::<Tree>(format!("{comments}name: 'a'#").as_bytes(), &Options::new()).unwrap(),
        b"\x0a\x01a"
    );
    read::<Tree>(" ".repeat(MUCH).as_bytes(), &Options::new()).unwrap();
    let pieces = format!("name: {}", "'' ".repeat(MUCH / 3));
    assert_eq!(read::<Tree>(pieces.as_bytes(), &Options::new()).unwrap(), b"");
    let digits = format!("leaf {{ a: {} }}", "9".repeat(MUCH));
    let error = read::<Tree>(digits.as_bytes(), &Options::new()).unwrap_err();
    assert!(error.len() < 200 && error.contains("999... does not fit an int32"), "{error}");
    let name = format!("{}: 5", "n".repeat(MUCH));
    let error = read::<Tree>(name.as_bytes(), &Options::new()).unwrap_err();
    assert!(error.len() < 500, "{}", error.len());
    // One message with many occurrences is counted as memory once.
    read::<Tree>("left { leaf { a: 1 } }".replace("a: 1", "").repeat(MUCH / 20).as_bytes(), &Options::new())
        .unwrap();
}

#[test]
fn limits() {
    let text = "f_leaf {} ".repeat(10_000);
    let error = |options: Options, text: &str| {
        let error = options.from_str::<Lists>(text).unwrap_err();
        assert_eq!(error.category(), Category::Limit);
        assert_eq!(read::<Lists>(text.as_bytes(), &options).unwrap_err(), error.to_string());
        error.to_string()
    };
    assert_eq!(
        error(Options::new().limits(Limits::default().input(5)), "f_leaf {}"),
        "derived.v3.Lists: input of 9 bytes is larger than the limit of 5 bytes"
    );
    read::<Lists>(text.as_bytes(), &Options::new()).unwrap();
    let few = Options::new().limits(Limits::default().memory(1 << 10));
    let error = few.from_str::<Lists>(&text).unwrap_err();
    assert_eq!(error.category(), Category::Limit);
    assert!(error.to_string().contains("the decoded message would take more than"), "{error}");
    let entries = "f_int32 { } ".repeat(100);
    assert_eq!(few.from_str::<Maps>(&entries).unwrap_err().category(), Category::Limit);
}

/// Twice as much takes twice as long: lists in turns, and entries with one key.
#[test]
fn in_linear_time() {
    let turns = "f_int32: 1 f_int64: 2 f_string: 'a' f_leaf {} ".repeat(20_000);
    read::<Lists>(turns.as_bytes(), &Options::new()).unwrap();
    // Messages that lack something, each of which might have it in another occurrence.
    let incomplete =
        format!("id: 1 name: 'a' child {{}} child {{ id: 1 name: 'b' }} {}", "children {} ".repeat(100_000));
    let error = read::<Required>(incomplete.as_bytes(), &Options::new()).unwrap_err();
    assert_eq!(error, "derived.v2.Required.children[0]: required field id has no value");
    let entries = "f_string { key: 'k' value: 'v' }".repeat(50_000);
    assert_eq!(read::<Maps>(entries.as_bytes(), &Options::new()).unwrap(), b"\x62\x06\x0a\x01k\x12\x01v");
}

#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "hostile.v2")]
struct Must {
    #[tobu(1, required)]
    level: Option<Level>,
}

/// A value that an enum does not have may be passed over, but then the field has none.
#[test]
fn a_required_enum_that_is_passed_over_is_missing() {
    let error = read::<Must>(b"level: GONE", &Options::new().ignore_unknown(true)).unwrap_err();
    assert_eq!(error, "hostile.v2.Must: required field level has no value (at line 1 column 12)");
}
