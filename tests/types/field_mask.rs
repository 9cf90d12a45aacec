//! FieldMask: sets of paths, and their texts.

use tobu::types::FieldMask;

fn mask(text: &str) -> FieldMask {
    text.parse().unwrap()
}

#[test]
fn contains() {
    for (paths, path, is_there) in [
        ("", "a", false),
        ("a", "a", true),
        ("a", "a.b", true),
        ("a", "a.b.c", true),
        ("a", "ab", false),
        ("a", "a_b", false),
        ("a.b", "a", false),
        ("x,a.b", "a.b.c", true),
    ] {
        assert_eq!(mask(paths).contains(path), is_there, "{path} in {paths:?}");
    }
}

#[test]
fn sets() {
    for (a, b, union, intersection) in [
        ("", "", "", ""),
        ("a", "", "a", ""),
        ("a", "a", "a", "a"),
        ("a", "b", "a,b", ""),
        ("a", "a.b", "a", "a.b"),
        ("a.b,c", "a,c.d,e", "a,c,e", "a.b,c.d"),
        ("a.b", "a.c", "a.b,a.c", ""),
    ] {
        assert_eq!(mask(a).union(&mask(b)).to_string(), union, "{a} and {b}");
        assert_eq!(mask(b).union(&mask(a)).to_string(), union, "{b} and {a}");
        assert_eq!(mask(a).intersect(&mask(b)).to_string(), intersection, "{a} and {b}");
        assert_eq!(mask(b).intersect(&mask(a)).to_string(), intersection, "{b} and {a}");
    }
}

#[test]
fn normalized() {
    // In the order of characters, `a-b` would be between `a` and `a.b`.
    for (from, to) in [("", ""), ("b,a", "a,b"), ("a.b,a-b,a,a", "a,a-b"), ("a.b.c,a.b,a_b", "a.b,a_b")] {
        assert_eq!(mask(from).normalized().to_string(), to);
    }
}

#[test]
fn texts() {
    assert_eq!(mask("a,b.c").paths, ["a", "b.c"]);
    assert_eq!(FieldMask::from_paths(["a", "b.c"]).to_string(), "a,b.c");
    for text in [",", "a,", ",a", "a,,b"] {
        let error = text.parse::<FieldMask>().unwrap_err();
        assert_eq!(error.to_string(), format!("{text:?} is not a field mask: a path is empty"));
        assert_eq!(FieldMask::from_json(text).unwrap_err().to_string(), error.to_string());
    }
}

#[test]
fn json() {
    for (text, json) in [
        ("", ""),
        ("foo", "foo"),
        ("foo_bar,baz.foo_bar_q", "fooBar,baz.fooBarQ"),
        ("_foo", "Foo"),
        ("foo1.bar_b2", "foo1.barB2"),
        ("*", "*"),
        ("a.*.b_c", "a.*.bC"),
    ] {
        assert_eq!(mask(text).to_json().unwrap(), json);
        assert_eq!(FieldMask::from_json(json).unwrap(), mask(text));
    }
    for (path, problem) in [
        ("", "it is empty"),
        ("fooBar", "it has an upper-case letter"),
        ("foo_", "an underscore is not followed by a lower-case letter"),
        ("foo__bar", "an underscore is not followed by a lower-case letter"),
        ("foo_3_bar", "an underscore is not followed by a lower-case letter"),
        ("foo_Bar", "an underscore is not followed by a lower-case letter"),
        ("foo,bar", "it has a comma"),
        ("foo@bar", "a part between dots is neither the name of a field nor `*`"),
        (" a", "a part between dots is neither the name of a field nor `*`"),
        ("a.", "a part between dots is neither the name of a field nor `*`"),
        ("a..b", "a part between dots is neither the name of a field nor `*`"),
        ("1a", "a part between dots is neither the name of a field nor `*`"),
        ("a*", "a part between dots is neither the name of a field nor `*`"),
        ("é", "a part between dots is neither the name of a field nor `*`"),
    ] {
        let error = FieldMask::from_paths([path]).to_json().unwrap_err();
        let wanted = format!("the path {path:?} of a field mask has no form in JSON: {problem}");
        assert_eq!(error.to_string(), wanted);
    }
    let error = FieldMask::from_json("foo,bar_bar").unwrap_err();
    assert_eq!(error.to_string(), "the path \"bar_bar\" of a field mask has an underscore in JSON");
    for (text, path) in [
        ("foo@bar", "foo@bar"),
        ("foo,  ,bar", "  "),
        (" a", " a"),
        ("a ", "a "),
        ("a, b", " b"),
        ("a.,b", "a."),
        (".a", ".a"),
        ("a..b", "a..b"),
        ("a.2", "a.2"),
        ("a-b", "a-b"),
        ("a.`b`", "a.`b`"),
        ("é", "é"),
        ("a\n", "a\n"),
    ] {
        let wanted = format!(
            "the path {path:?} of a field mask is invalid: a part between dots is neither the name of a field nor `*`"
        );
        assert_eq!(FieldMask::from_json(text).unwrap_err().to_string(), wanted);
        let json = serde_json::to_string(text).unwrap();
        let error = tobu::json::from_str::<FieldMask>(&json).unwrap_err();
        assert_eq!(error.to_string(), format!("google.protobuf.FieldMask: {wanted} (at line 1 column 1)"));
        let error = serde_json::from_str::<FieldMask>(&json).unwrap_err().to_string();
        assert!(error.contains(&wanted), "{error}");
    }
}
