//! Types that state their schemas: what they state is what their descriptors say, and each verb finds the descriptor where
//! it needs one.

mod alone;

use std::collections::BTreeSet;
use tobu::__private::stated_differences;
use tobu::Message;
use tobu::descriptor::FileDescriptor;

/// Compares the tables of types and of those that they lead to.
macro_rules! compare {
    ($($ty:ty),* $(,)?) => {{
        let mut seen = BTreeSet::new();
        let mut files = Vec::new();
        $(
            let differences = stated_differences::<$ty>(&mut |name| {
                seen.insert(name);
            }).unwrap();
            assert!(differences.is_empty(), "{}", differences.join("\n"));
            let file = <$ty>::descriptor().file();
            if !files.contains(&file) {
                files.push(file);
            }
        )*
        (seen, files)
    }};
}

/// The messages and enums of the files that were not seen.
fn missing(seen: &BTreeSet<&str>, files: &[FileDescriptor]) -> Vec<String> {
    let messages =
        files.iter().flat_map(FileDescriptor::all_messages).filter(|message| !message.is_map_entry());
    let messages = messages.map(|message| message.full_name().to_owned());
    let enums =
        files.iter().flat_map(FileDescriptor::all_enums).map(|declared| declared.full_name().to_owned());
    messages.chain(enums).filter(|name| !seen.contains(name.as_str())).collect()
}

#[test]
fn the_corpus() {
    macro_rules! corpus {
        ($($module:ident),*) => {$({
            use tobu_schemas::$module::corpus::{v2, v3};
            let (seen, files) = compare!(
                v2::Groups, v2::Required, v2::Defaults, v2::Closed, v2::Lists, v2::Loose, v2::Extensible,
                v3::Tree, v3::Scalars, v3::Optionals, v3::Lists, v3::Maps, v3::Choice, v3::Numbers, v3::Empty,
            );
            assert_eq!(missing(&seen, &files), [""; 0]);
        })*};
    }
    corpus!(corpus, corpus_opaque, corpus_lazy);
}

#[test]
fn the_library() {
    macro_rules! library {
        ($($($module:ident)::*),*) => {$({
            use tobu_schemas::$($module)::*::v1;
            let (seen, files) = compare!(v1::Book, v1::Shelf, v1::FindRequest);
            assert_eq!(missing(&seen, &files), [""; 0]);
        })*};
    }
    library!(library, hybrid::library, opaque::library);
}

#[test]
fn json_and_debug() {
    use tobu_schemas::armor::armor::Knight;
    use tobu_schemas::known::json::{v1, v2};
    use tobu_schemas::secret::secret::Account;
    let (seen, files) = compare!(
        v1::Known,
        v1::Wrapped,
        v1::KnownLists,
        v1::KnownMaps,
        v1::KnownChoice,
        v1::Names,
        v2::Open,
        v2::Scope,
        v2::Set,
        v2::Item,
        Knight,
        Account,
    );
    // The items of a message set are no fields.
    assert_eq!(missing(&seen, &files), ["json.v2.Set"]);
}

/// Those that the library has itself.
#[test]
fn the_types_of_the_library() {
    use tobu::types::descriptor::feature_set::{ProtoLimitsFeature, VisibilityFeature};
    use tobu::types::descriptor::{FeatureSetDefaults, FileDescriptorSet, UninterpretedOption};
    use tobu::types::plugin::{CodeGeneratorRequest, CodeGeneratorResponse};
    use tobu::types::{api, *};
    let (seen, files) = compare!(
        Any,
        Duration,
        Empty,
        FieldMask,
        Struct,
        Value,
        ListValue,
        Timestamp,
        DoubleValue,
        FloatValue,
        Int64Value,
        UInt64Value,
        Int32Value,
        UInt32Value,
        BoolValue,
        StringValue,
        BytesValue,
        FileDescriptorSet,
        UninterpretedOption,
        FeatureSetDefaults,
        ProtoLimitsFeature,
        VisibilityFeature,
        CodeGeneratorRequest,
        CodeGeneratorResponse,
        api::Api,
        api::Type,
        api::Enum,
    );
    // Types of another module are in two messages, and the enum stands for bits of a number.
    let others = ["CodeGeneratorRequest", "CodeGeneratorResponse.File", "CodeGeneratorResponse.Feature"];
    assert_eq!(missing(&seen, &files), others.map(|name| format!("google.protobuf.compiler.{name}")));
}
