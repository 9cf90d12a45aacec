//! What is made of a schema: the HTTP rules of all services, and the description of these.

use tobu_transcode::openapi::Document;
use tobu_transcode::{Observer, Outcome, Transcoder, TranscoderBuilder};

/// What every schema is made a transcoder by.
pub(crate) fn recipe() -> TranscoderBuilder {
    Transcoder::builder().all_services().observer(Log)
}

/// The OpenAPI document of all rules.
pub(crate) fn openapi(transcoder: &Transcoder) -> String {
    let mut services: Vec<_> = transcoder.router().routes().map(|route| route.method().service()).collect();
    services.dedup_by(|one, other| one.full_name() == other.full_name());
    let title: Vec<&str> = services.iter().map(|service| service.full_name()).collect();
    let file = services.first().map(|service| service.file());
    let package = file.as_ref().map_or("", |file| file.package());
    let version = package.rsplit('.').next().filter(|part| part.starts_with('v')).unwrap_or("v0");
    Document::new(title.join(", "), version).describe(transcoder.router())
}

/// Notes the route for the line that the request will have in the access log.
struct Log;

impl Observer for Log {
    fn answered(&self, outcome: &Outcome<'_>) {
        if let Some(route) = outcome.route {
            tracing::Span::current().record("route", route.template().as_str());
        }
    }
}

#[cfg(test)]
mod tests {
    use tobu::Pool;

    use super::*;
    use crate::proto::library::v1::library_server;

    #[test]
    fn services_give_the_title() {
        library_server::descriptor();
        let transcoder = recipe().pool(&Pool::global()).build().unwrap();
        let document: serde_json::Value = serde_json::from_str(&openapi(&transcoder)).unwrap();
        let info = serde_json::json!({"title": "library.v1.Library", "version": "v1"});
        assert_eq!((transcoder.router().routes().len(), &document["info"]), (12, &info));
    }
}
