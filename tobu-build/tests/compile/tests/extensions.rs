//! The generated handles of extensions, of every kind.

use tobu::descriptor::ServiceDescriptor;
use tobu::reflect::{Extensions, Value};
use tobu::{Category, DynamicMessage, ExtensionDescriptor, Message, OptionsExt, Pool};
use tobu_generated_tests::extensions::extensions::v1::*;

#[track_caller]
fn round_trip<T: tobu::reflect::ExtensionValue + Clone + PartialEq + std::fmt::Debug>(
    extension: &tobu::Extension<T>,
    value: T,
    bytes: &[u8],
) {
    let mut typed = Base::default();
    assert_eq!(typed.extension(extension).unwrap(), None);
    typed.set_extension(extension, value.clone()).unwrap();
    assert!(typed.has_extension(extension).unwrap());
    assert_eq!(typed.extension(extension).unwrap().as_ref(), Some(&value));
    assert_eq!(tobu::to_vec(&typed).unwrap(), bytes);

    // The same through the descriptor, on a dynamic message.
    let descriptor = tobu::reflect::ExtensionKey::extension_descriptor(extension).unwrap();
    let mut dynamic = DynamicMessage::decode(&Base::descriptor(), bytes).unwrap();
    assert_eq!(dynamic.extension(extension).unwrap(), Some(value));
    let read: Value = dynamic.extension(&descriptor).unwrap().unwrap();
    dynamic.clear_extension(&descriptor).unwrap();
    assert_eq!(dynamic.encode_to_vec().unwrap(), b"");
    dynamic.set_extension(&descriptor, read).unwrap();
    assert_eq!(dynamic.encode_to_vec().unwrap(), bytes);

    typed.clear_extension(extension).unwrap();
    assert_eq!(typed, Base::default());
}

#[test]
fn every_kind() {
    round_trip(&NUMBER, -1, b"\xa0\x06\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
    round_trip(&TEXT, "a".to_owned(), b"\xaa\x06\x01a");
    round_trip(&RAW, vec![0xff], b"\xb2\x06\x01\xff");
    round_trip(&NUMBERS, vec![1, -1], b"\xba\x06\x02\x02\x01");
    round_trip(&TEXTS, vec!["a".to_owned(), String::new()], b"\xc2\x06\x01a\xc2\x06\x00");
    round_trip(&LEVEL, Level::LOW, b"\xc8\x06\x01");
    let note = Note { text: Some("n".to_owned()), ..Note::default() };
    round_trip(&NOTES, vec![note.clone(), Note::default()], b"\xd2\x06\x03\x0a\x01n\xd2\x06\x00");
    round_trip(&A__, true, b"\xd8\x06\x01");
    round_trip(&A_, 1.0, b"\xe5\x06\x00\x00\x80\x3f");
    round_trip(&SELF, 1.0, b"\xe9\x06\x00\x00\x00\x00\x00\x00\xf0\x3f");
    round_trip(&CAMEL_CASE, 1, b"\xf1\x06\x01\x00\x00\x00\x00\x00\x00\x00");
    round_trip(&GROUP, Group { value: Some(1), ..Group::default() }, b"\xfb\x06\x08\x01\xfc\x06");
    round_trip(&note::NOTE, note, b"\xc2\x07\x03\x0a\x01n");
    round_trip(&note::TYPE, vec![Level::LOW], b"\xc8\x07\x01");
}

#[test]
fn defaults_and_empty_values() {
    let base = Base::default();
    assert_eq!(base.extension_or_default(&NUMBER).unwrap(), 7);
    assert_eq!(base.extension_or_default(&TEXT).unwrap(), "");
    assert_eq!(base.extension_or_default(&LEVEL).unwrap(), Level::LOW);
    assert_eq!(base.extension_or_default(&NUMBERS).unwrap(), [0; 0]);
    assert_eq!(base.extension_or_default(&note::NOTE).unwrap(), Note::default());
    assert_eq!(base.extension_or_default(&GROUP).unwrap(), Group::default());
    let number = Pool::global().extension("extensions.v1.number").unwrap();
    assert_eq!(base.extension_or_default(&number).unwrap(), Value::I32(7));
    let mut base = base;
    base.set_extension(&NUMBERS, vec![1]).unwrap();
    base.set_extension(&NUMBERS, Vec::new()).unwrap();
    assert!(!base.has_extension(&NUMBERS).unwrap());
}

#[test]
fn other_wire_types_are_unknown_fields() {
    let group = Pool::global().extension(GROUP.full_name()).unwrap();
    for (bytes, value) in [
        (&b"\xfa\x06\x02\x08\x01"[..], None),
        (b"\xfa\x06\x02\x08\x01\xfb\x06\x08\x02\xfc\x06\xfa\x06\x01\xff", Some(2)),
    ] {
        let base: Base = tobu::from_slice(bytes).unwrap();
        let found = base.extension(&GROUP).unwrap();
        assert_eq!(found.map(|group| group.value), value.map(Some));
        assert_eq!(base.has_extension(&group).unwrap(), value.is_some());
        assert_eq!(tobu::to_vec(&base).unwrap(), bytes);
    }
}

#[test]
fn other_fields_stay() {
    let mut base: Base = tobu::from_slice(b"\xa0\x06\x01\xaa\x06\x01a\xa0\x06\x02\xd8\x06\x01").unwrap();
    assert_eq!(base.extension(&NUMBER).unwrap(), Some(2));
    base.set_extension(&NUMBER, 3).unwrap();
    assert_eq!(tobu::to_vec(&base).unwrap(), b"\xaa\x06\x01a\xd8\x06\x01\xa0\x06\x03");
    base.clear_extension(&NUMBER).unwrap();
    assert_eq!(tobu::to_vec(&base).unwrap(), b"\xaa\x06\x01a\xd8\x06\x01");
    // A message in pieces is merged, packed and single numbers are one list.
    let base: Base =
        tobu::from_slice(b"\xc2\x07\x03\x0a\x01n\xb8\x06\x02\xc2\x07\x00\xba\x06\x01\x01").unwrap();
    assert_eq!(base.extension(&note::NOTE).unwrap().unwrap().text.as_deref(), Some("n"));
    assert_eq!(base.extension(&NUMBERS).unwrap(), Some(vec![1, -1]));
    let numbers: ExtensionDescriptor = Pool::global().extension("extensions.v1.numbers").unwrap();
    assert_eq!(base.extension(&numbers).unwrap(), Some(Value::List(vec![Value::I64(1), Value::I64(-1)])));
}

#[test]
fn misuse() {
    let mut note = Note::default();
    let error = note.set_extension(&NUMBER, 1).unwrap_err();
    assert_eq!(error.to_string(), "extensions.v1.number extends extensions.v1.Base, not extensions.v1.Note");
    assert_eq!(note.extension(&NUMBER).unwrap_err().category(), Category::Type);
    let mut base = Base::default();
    let number = Pool::global().extension("extensions.v1.number").unwrap();
    let error = base.set_extension(&number, Value::from("x")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "extensions.v1.Base.[extensions.v1.number]: the field is an int32, but the value is a string"
    );
    let level = Pool::global().extension("extensions.v1.level").unwrap();
    let error = base.set_extension(&level, Value::Enum(9)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "extensions.v1.Base.[extensions.v1.level]: the closed enum extensions.v1.Level has no value of number 9"
    );
    assert_eq!(base, Base::default());
}

#[test]
fn options_of_methods() {
    let file = tobu_generated_tests::extensions::FILE_EXTENSIONS.descriptor();
    let service: ServiceDescriptor = file.services().next().unwrap();
    let method = service.method("Find").unwrap();
    let rule = method.options().extension(&RULE).unwrap().unwrap();
    assert_eq!(rule.text.as_deref(), Some("rule of find"));

    let options = method.options().message(&Pool::global()).unwrap();
    assert_eq!(options.extension(&RULE).unwrap().unwrap(), rule);
    let error = service.options().extension(&RULE).unwrap_err();
    assert_eq!(
        error.to_string(),
        "extensions.v1.rule extends google.protobuf.MethodOptions, not google.protobuf.ServiceOptions"
    );
}

#[test]
fn message_sets() {
    use tobu_generated_tests::extensions::extensions::v1::item::SET_ITEM;
    let mut set = Set::default();
    set.set_extension(&SET_ITEM, Item { id: Some(5), ..Item::default() }).unwrap();
    assert_eq!(tobu::to_vec(&set).unwrap(), b"\x0b\x10\x04\x1a\x02\x08\x05\x0c");
    assert_eq!(set.extension(&SET_ITEM).unwrap().unwrap().id, Some(5));
    set.clear_extension(&SET_ITEM).unwrap();
    assert_eq!(set, Set::default());
}
