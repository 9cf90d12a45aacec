//! The typed messages of descriptor.proto, plugin.proto and api.proto.

use tobu::types::descriptor::{FileDescriptorProto, FileDescriptorSet};
use tobu::types::plugin::{CodeGeneratorRequest, CodeGeneratorResponse, Version, code_generator_response};
use tobu::types::{api, files};

/// Each file of `google/protobuf/`, decoded and encoded again.
#[test]
fn descriptors_come_through_byte_for_byte() {
    let mut set = FileDescriptorSet::default();
    for file in [&files::DESCRIPTOR, &files::PLUGIN, &files::API, &files::TYPE, &files::STRUCT] {
        let encoded = file.descriptor().encoded();
        let typed: FileDescriptorProto = tobu::from_slice(encoded).unwrap();
        assert_eq!(typed.name.as_deref(), Some(file.descriptor().name()));
        let names = file.descriptor().messages().map(|message| message.name().to_owned()).collect::<Vec<_>>();
        assert_eq!(
            typed.message_type.iter().filter_map(|message| message.name.clone()).collect::<Vec<_>>(),
            names
        );
        assert!(typed.unknown_fields.is_empty());
        set.file.push(typed);
    }
    let pool = tobu::Pool::from_descriptor_set(&tobu::to_vec(&set).unwrap());
    let error = pool.unwrap_err().to_string();
    assert!(error.contains("google/protobuf/any.proto"), "{error}");
    for file in [&files::ANY, &files::SOURCE_CONTEXT] {
        set.file.push(tobu::from_slice(file.descriptor().encoded()).unwrap());
    }
    let pool = tobu::Pool::from_descriptor_set(&tobu::to_vec(&set).unwrap()).unwrap();
    let field = pool.message("google.protobuf.FieldDescriptorProto").unwrap().field_by_name("label").unwrap();
    assert_eq!(field.number(), 4);
}

#[test]
fn a_request_and_a_response_of_a_plugin() {
    let request = CodeGeneratorRequest {
        file_to_generate: vec!["a.proto".to_owned()],
        parameter: Some("x=1,y".to_owned()),
        proto_file: vec![FileDescriptorProto { name: Some("a.proto".to_owned()), ..Default::default() }],
        compiler_version: Some(Version { major: Some(5), minor: Some(29), ..Default::default() }),
        ..Default::default()
    };
    let bytes = b"\x0a\x07a.proto\x12\x05x=1,y\x1a\x04\x08\x05\x10\x1d\x7a\x09\x0a\x07a.proto";
    assert_eq!(tobu::to_vec(&request).unwrap(), bytes);
    assert_eq!(tobu::from_slice::<CodeGeneratorRequest>(bytes).unwrap(), request);

    let file = code_generator_response::File {
        name: Some("a.rs".to_owned()),
        content: Some("mod a;".to_owned()),
        ..Default::default()
    };
    let response =
        CodeGeneratorResponse { supported_features: Some(3), file: vec![file], ..Default::default() };
    assert_eq!(tobu::to_vec(&response).unwrap(), b"\x10\x03\x7a\x0e\x0a\x04a.rs\x7a\x06mod a;");
}

#[test]
fn an_api_as_json() {
    files::WRAPPERS.register();
    let json = concat!(
        r#"{"name":"a.S","methods":[{"name":"Get","requestTypeUrl":"type.googleapis.com/a.M","#,
        r#""options":[{"name":"deprecated","#,
        r#""value":{"@type":"type.googleapis.com/google.protobuf.BoolValue","value":true}}]}],"#,
        r#""sourceContext":{"fileName":"a.proto"},"syntax":"SYNTAX_PROTO3"}"#
    );
    let api: api::Api = tobu::json::from_str(json).unwrap();
    assert_eq!(api.syntax, api::Syntax::PROTO3);
    assert_eq!(api.source_context.as_ref().unwrap().file_name, "a.proto");
    assert_eq!(tobu::json::to_string(&api).unwrap(), json);
}
