//! The rules of transcoding without any I/O: a behaviour is a row of a table.

mod bind;
mod enum_names;
mod envoy;
mod fields;
mod grpc_gateway;
mod metadata;
mod openapi;
mod properties;
mod query;
mod router;
mod shapes;
mod status;
mod stream;
mod template;

use http::Method;
use tobu::MethodDescriptor;
use tobu_transcode::{HttpRule, Request, Router, TranscodeOptions};

/// The method that takes a message of every shape.
fn call() -> MethodDescriptor {
    tobu_transcode_schemas::pool().method("shapes.Shapes.Call").unwrap()
}

/// A router of rules for that method.
fn router(rules: impl IntoIterator<Item = HttpRule>) -> Router {
    router_with(TranscodeOptions::new(), rules)
}

fn router_with(options: TranscodeOptions, rules: impl IntoIterator<Item = HttpRule>) -> Router {
    let mut router = Router::new(options);
    let method = call();
    for rule in rules {
        router.add_rule(&method, &rule).unwrap();
    }
    router
}

/// What a request becomes, as JSON of the message; or the status and the error.
fn bind(router: &Router, method: &str, path: &str, request: Request<'_>) -> Result<String, String> {
    let method = Method::from_bytes(method.as_bytes()).unwrap();
    let told = |error: tobu_transcode::Error| format!("{} {error}", error.status().as_u16());
    let found = router.find(&method, path).map_err(told)?;
    let mut wire = Vec::new();
    found.bind(&request, &mut wire).map_err(told)?;
    let mut json = Vec::new();
    tobu::convert::wire_to_json(&found.route().method().input(), &wire, &mut json).unwrap();
    Ok(String::from_utf8(json).unwrap())
}
