//! Rows by the derive.

use crate::support::{message, pool};
use bytes::Bytes;
use std::borrow::Cow;
use std::sync::Arc;
use tobu::sink::{Row, RowPlan};
use tobu::{DecodeOptions, Limits, Result};

#[derive(Clone, Debug, PartialEq, tobu::Row)]
struct Outer<'a> {
    #[tobu(path = "name")]
    name: &'a str,
    #[tobu(path = "items[].id")]
    id: String,
    #[tobu(path = "items[].size")]
    size: i32,
    #[tobu(path = "items[].inner.size")]
    inner: Option<i64>,
    #[tobu(path = "items[].color")]
    color: Option<i32>,
    #[tobu(path = "ratio")]
    ratio: f64,
    #[tobu(path = "numbers[]")]
    numbers: Vec<i64>,
    #[tobu(path = "items[].left")]
    left: Option<i32>,
    #[tobu(path = "items[].right")]
    right: Option<i32>,
}

fn rows_of<'a, R: Row<'a>>(plan: &'a RowPlan, bytes: &'a [u8]) -> Result<Vec<R>> {
    plan.rows(bytes).collect()
}

#[test]
fn fields_around_elements_are_repeated_wherever_they_are() {
    let plan = RowPlan::new::<Outer<'_>>(&message("Root")).unwrap();
    let bytes = b"\x1a\x03\x0a\x01a\x4a\x02\x01\x02\x1a\x06\x10\x05\x1a\x02\x10\x06\x0a\x01n\x1a\x00\x48\x03";
    let rows: Vec<Outer<'_>> = rows_of(&plan, bytes).unwrap();
    let row = |id: &str, size, inner| Outer {
        name: "n",
        id: id.into(),
        size,
        inner,
        color: None,
        ratio: 2.5,
        numbers: vec![1, 2, 3],
        left: None,
        right: None,
    };
    // The size that the schema declares, where it is absent.
    assert_eq!(rows, [row("a", 7, None), row("", 5, Some(6)), row("", 7, None)]);
    assert_eq!(rows_of::<Outer<'_>>(&plan, b"\x0a\x01n").unwrap(), []);
    // The last member of a oneof counts.
    let rows: Vec<Outer<'_>> = rows_of(&plan, b"\x1a\x04\x28\x01\x30\x02\x1a\x04\x30\x02\x28\x01").unwrap();
    assert_eq!((rows[0].left, rows[0].right), (None, Some(2)));
    assert_eq!((rows[1].left, rows[1].right), (Some(1), None));
}

#[derive(Debug, PartialEq, tobu::Row)]
struct Single<'a> {
    #[tobu(path = "any_text")]
    slice: &'a [u8],
    #[tobu(path = "loose")]
    shared: Bytes,
    #[tobu(path = "name")]
    name: Arc<str>,
    #[tobu(path = "single.id")]
    id: Option<Cow<'a, str>>,
    #[tobu(path = "shades[]")]
    shades: Vec<i32>,
    #[tobu(path = "single.must")]
    must: i64,
}

#[test]
fn a_message_without_repeated_ones_is_a_row() {
    let plan = RowPlan::new::<Single<'_>>(&message("Root")).unwrap();
    let input = Bytes::from_static(
        b"\x0a\x01n\x72\x05\x0a\x01i\x38\x05\x5a\x03\x01\x09\x02\x7a\x02ab\x82\x01\x01\xff",
    );
    let rows: Vec<Single<'_>> = plan.rows_shared(&input).collect::<Result<_>>().unwrap();
    let row = Single {
        slice: b"\xff",
        shared: Bytes::from_static(b"ab"),
        name: "n".into(),
        id: Some("i".into()),
        shades: vec![1, 2],
        must: 5,
    };
    assert_eq!(rows, [row]);
    assert!(input.as_ptr_range().contains(&rows[0].shared.as_ptr()));
    let copied: Vec<Single<'_>> = rows_of(&plan, &input).unwrap();
    assert!(!input.as_ptr_range().contains(&copied[0].shared.as_ptr()));
    assert_eq!(rows_of::<Single<'_>>(&plan, b"").unwrap().len(), 1);
}

#[derive(Debug, PartialEq, tobu::Row)]
#[tobu(rows = "by_name[]")]
struct Entry {
    #[tobu(path = "by_name[].key")]
    key: String,
    #[tobu(path = "by_name[].value.size")]
    size: Option<i32>,
}

#[derive(Debug, PartialEq, tobu::Row)]
struct Extended<'a> {
    #[tobu(path = "[all.note]")]
    note: Option<&'a str>,
    #[tobu(path = "[all.extras][].id")]
    id: &'a str,
}

#[derive(Debug, tobu::Row)]
struct Grouped<'a> {
    #[tobu(path = "groups[].id")]
    id: &'a str,
}

#[test]
fn entries_extensions_and_groups() {
    let plan = RowPlan::new::<Entry>(&message("Root")).unwrap();
    let rows: Vec<Entry> = rows_of(&plan, b"\x22\x07\x0a\x01k\x12\x02\x10\x05\x22\x00").unwrap();
    let entry = |key: &str, size| Entry { key: key.into(), size };
    assert_eq!(rows, [entry("k", Some(5)), entry("", None)]);
    let pool = pool();
    let plan = RowPlan::with_pool::<Extended<'_>>(&pool.message("all.Root").unwrap(), &pool).unwrap();
    let rows: Vec<Extended<'_>> = rows_of(&plan, b"\xaa\x06\x03\x0a\x01x\xa2\x06\x01n\xaa\x06\x00").unwrap();
    assert_eq!(rows, [Extended { note: Some("n"), id: "x" }, Extended { note: Some("n"), id: "" }]);
    let plan = RowPlan::new::<Grouped<'_>>(&message("Root")).unwrap();
    let rows: Vec<Grouped<'_>> = rows_of(&plan, b"\x6b\x0a\x01a\x6c\x6b\x6c").unwrap();
    assert_eq!(rows.iter().map(|row| row.id).collect::<Vec<_>>(), ["a", ""]);
}

#[derive(Debug, tobu::Row)]
struct Required {
    #[tobu(path = "list[].must")]
    must: i32,
}

#[test]
fn errors_come_after_the_rows_before_them() {
    let plan = RowPlan::new::<Outer<'_>>(&message("Root")).unwrap();
    let read = |bytes: &[u8]| {
        let mut rows = plan.rows::<Outer<'_>>(bytes);
        let good = rows.by_ref().take_while(|row| row.is_ok()).count();
        let mut rows = plan.rows::<Outer<'_>>(bytes).skip(good);
        let error = rows.next().map(|row| row.unwrap_err().to_string()).unwrap_or_default();
        assert!(rows.next().is_none());
        (good, error)
    };
    let utf8 = "all.Root.items[1].id: invalid UTF-8 in a string (at byte 6)".to_owned();
    assert_eq!(read(b"\x1a\x00\x1a\x03\x0a\x01\xff"), (1, utf8));
    let cut = "all.Root.items[1]: length of 3 bytes, but only 1 bytes are left (at byte 4)".to_owned();
    assert_eq!(read(b"\x1a\x00\x1a\x03\x0a"), (0, cut));
    assert_eq!(read(b""), (0, String::new()));
    let plan = RowPlan::new::<Required>(&message("Strict")).unwrap();
    let rows: Vec<Result<Required>> = plan.rows(b"\x12\x02\x08\x01\x12\x00").collect();
    assert_eq!(rows.len(), 3);
    assert_eq!((rows[0].as_ref().unwrap().must, rows[1].as_ref().unwrap().must), (1, 0));
    let error = rows[2].as_ref().unwrap_err().to_string();
    assert_eq!(error, "all.Strict.list[1]: required field must has no value (at byte 6)");
    let partial = DecodeOptions::new().partial(true);
    assert!(plan.rows::<Required>(b"\x12\x00").options(partial).all(|row| row.is_ok()));
    let small = DecodeOptions::new().limits(Limits::default().input(1));
    let error = plan.rows::<Required>(b"\x12\x00").options(small).next().unwrap().unwrap_err();
    assert_eq!(error.to_string(), "all.Strict: input of 2 bytes is larger than the limit of 1 bytes");
    let flat = DecodeOptions::new().limits(Limits::default().depth(1));
    let error = plan.rows::<Required>(b"\x12\x00").options(flat).next().unwrap().unwrap_err();
    assert_eq!(error.to_string(), "all.Strict.list[0]: messages are nested deeper than 1 levels (at byte 1)");
}

#[derive(Clone, Copy, Debug, PartialEq, tobu::Enumeration)]
#[tobu(package = "rows.test")]
enum Narrow {
    Zero = 0,
    One = 1,
}

#[derive(Debug, tobu::Row)]
struct Colored {
    #[tobu(path = "by_name[].value.color")]
    color: Narrow,
}

#[test]
fn a_number_that_the_type_of_a_member_does_not_have() {
    let plan = RowPlan::new::<Colored>(&message("Root")).unwrap();
    let rows: Vec<Result<Colored>> = plan
        .rows(b"\x22\x07\x0a\x01k\x12\x02\x20\x01\x22\x03\x0a\x01l\x22\x07\x0a\x01m\x12\x02\x20\x02")
        .collect();
    let colors: Vec<Narrow> = rows[..2].iter().map(|row| row.as_ref().unwrap().color).collect();
    assert_eq!(colors, [Narrow::One, Narrow::Zero]);
    let expected =
        "all.Root.by_name[\"m\"].value.color: the enum of `Colored.color` has no value 2 (at byte 22)";
    assert_eq!(rows[2].as_ref().unwrap_err().to_string(), expected);
}

/// A row with one member.
macro_rules! one {
    ($($name:ident: $path:literal, $ty:ty;)*) => {
        $(
            #[derive(Debug, tobu::Row)]
            struct $name {
                #[tobu(path = $path)]
                member: $ty,
            }
        )*
    };
}

one! {
    Text: "zero", String;
    Narrower: "fixed[]", Vec<i64>;
    NoList: "numbers[]", i32;
    AList: "zero", Vec<i32>;
    AMessage: "single", i32;
    AMap: "by_name[]", String;
    NoField: "zeros", i32;
}

#[test]
fn members_that_do_not_fit() {
    let root = message("Root");
    let made = [
        RowPlan::new::<Text>(&root),
        RowPlan::new::<Narrower>(&root),
        RowPlan::new::<NoList>(&root),
        RowPlan::new::<AList>(&root),
        RowPlan::new::<AMessage>(&root),
        RowPlan::new::<AMap>(&root),
        RowPlan::new::<NoField>(&root),
    ];
    let errors = made.map(|made| made.unwrap_err().to_string());
    let expected = [
        "`Text.member` has the type `String`, which does not take \"zero\": int32",
        "`Narrower.member` has the type `Vec<i64>`, which does not take \"fixed[]\": a list of fixed64",
        "`NoList.member` has the type `i32`, which does not take \"numbers[]\": a list of int32",
        "`AList.member` has the type `Vec<i32>`, which does not take \"zero\": int32",
        "`AMessage.member` has the type `i32`, which does not take \"single\": message",
        "`AMap.member` has the type `String`, which does not take \"by_name[]\": a map",
        "the path \"zeros\": all.Root has no field \"zeros\"",
    ];
    assert_eq!(errors, expected.map(|text| format!("all.Root: {text}")));
    let plan = RowPlan::new::<Entry>(&root).unwrap();
    let error = plan.rows::<Colored>(b"").next().unwrap().unwrap_err();
    assert_eq!(error.to_string(), "the plan was not made for rows of `Colored`");
}
