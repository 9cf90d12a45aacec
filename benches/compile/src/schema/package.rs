//! One package: resources in one file, the requests and responses of their service in another.

use super::Context;
use super::shapes::Shapes;
use super::source::{Source, Type};
use super::words::RESOURCES;

/// The two files of the `index`th package.
pub fn package(context: &mut Context, service: &str, index: usize) -> [Source; 2] {
    let package = format!("acme.{service}.v1");
    let nouns: Vec<&str> =
        (0..context.rng.range(2, 3)).map(|n| RESOURCES[(index * 3 + n) % RESOURCES.len()]).collect();

    let mut resources = Source::new("proto3", &package, "resources");
    let mut shapes = Shapes::new(context);
    let types: Vec<Type> = nouns.iter().map(|noun| shapes.resource(&mut resources, noun)).collect();
    if index.is_multiple_of(3) {
        shapes.mutual(&mut resources, nouns[0]);
    }

    let mut requests = Source::new("proto3", &package, "service");
    for (noun, resource) in nouns.iter().zip(&types) {
        methods(&mut shapes, &mut requests, noun, resource);
    }
    service_of(&mut requests, &types, &nouns);
    let own = shapes.finish();
    context.messages.extend(types);
    context.enums.extend(own.into_iter().take(2));
    [resources, requests]
}

/// The requests and responses for one resource.
fn methods(shapes: &mut Shapes<'_>, source: &mut Source, noun: &str, resource: &Type) {
    let snake = noun.to_lowercase();
    let ty = source.reference(resource);
    let mask = "google.protobuf.FieldMask";
    source.import("google/protobuf/field_mask.proto");

    shapes.message(source, &format!("Get{noun}Request"), &[("string", "name")], (0, 2));
    let list = [("string", "parent"), ("int32", "page_size"), ("string", "page_token"), ("string", "filter")];
    shapes.message(source, &format!("List{noun}Request"), &list, (0, 3));
    let page =
        [(&*format!("repeated {ty}"), "items"), ("string", "next_page_token"), ("int32", "total_size")];
    shapes.message(source, &format!("List{noun}Response"), &page, (0, 1));
    let create = [("string", "parent"), ("string", "request_id"), (&*ty, &*snake)];
    shapes.message(source, &format!("Create{noun}Request"), &create, (0, 3));
    let update = [(&*ty, &*snake), (mask, "update_mask"), ("bool", "allow_missing")];
    shapes.message(source, &format!("Update{noun}Request"), &update, (0, 2));
    shapes.message(
        source,
        &format!("Delete{noun}Request"),
        &[("string", "name"), ("string", "etag")],
        (0, 0),
    );
    if shapes.rng().chance(50) {
        let many = [("string", "parent"), (&*format!("map<string, {ty}>"), "items_by_name")];
        shapes.message(source, &format!("BatchUpdate{noun}Response"), &many, (1, 4));
    }
    if shapes.rng().chance(50) {
        shapes.message(source, &format!("Watch{noun}Request"), &[("string", "name")], (2, 8));
    }
    if shapes.rng().chance(25) {
        shapes.message(source, &format!("Purge{noun}Response"), &[], (0, 0));
    }
}

fn service_of(source: &mut Source, resources: &[Type], nouns: &[&str]) {
    let mut service = String::new();
    nouns.iter().for_each(|noun| service += noun);
    source.import("google/protobuf/empty.proto");
    source.line("");
    source.open(&format!("service {service}Service"));
    for (noun, resource) in nouns.iter().zip(resources) {
        let ty = source.reference(resource);
        source.line(&format!("rpc Get{noun}(Get{noun}Request) returns ({ty});"));
        source.line(&format!("rpc List{noun}(List{noun}Request) returns (List{noun}Response);"));
        source.line(&format!("rpc Create{noun}(Create{noun}Request) returns ({ty});"));
        source.line(&format!("rpc Update{noun}(Update{noun}Request) returns ({ty});"));
        source.line(&format!("rpc Delete{noun}(Delete{noun}Request) returns (google.protobuf.Empty);"));
    }
    source.close();
}
