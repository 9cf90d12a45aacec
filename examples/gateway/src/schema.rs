//! What is known of the services: their rules, and the description of these.

use bytes::Bytes;
use tobu::Pool;
use tobu_transcode::openapi::Document;
use tobu_transcode::{Observer, Outcome, Transcoder};

/// The rules of all services in a pool, and the OpenAPI document of them.
pub(crate) struct Schema {
    pub(crate) transcoder: Transcoder,
    pub(crate) openapi: Bytes,
}

impl Schema {
    /// # Errors
    /// A rule is not valid, or there is none.
    pub(crate) fn new(pool: &Pool) -> Result<Self, String> {
        let mut builder = Transcoder::builder().pool(pool).observer(Log);
        for service in pool.services() {
            builder = builder.descriptor(&service);
        }
        let transcoder = builder.build().map_err(|error| error.to_string())?;
        let mut services: Vec<_> =
            transcoder.router().routes().map(|route| route.method().service()).collect();
        services.dedup_by(|one, other| one.full_name() == other.full_name());
        let Some(first) = services.first() else {
            return Err("no method has a google.api.http rule".to_owned());
        };
        let title: Vec<&str> = services.iter().map(|service| service.full_name()).collect();
        let file = first.file();
        let version = file.package().rsplit('.').next().filter(|part| part.starts_with('v')).unwrap_or("v0");
        let openapi = Document::new(title.join(", "), version).describe(transcoder.router());
        Ok(Schema { transcoder, openapi: openapi.into() })
    }

    /// The number of rules.
    pub(crate) fn rules(&self) -> usize {
        self.transcoder.router().routes().len()
    }
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
    use super::*;
    use crate::proto::library::v1::library_server;

    #[test]
    fn services_give_the_title() {
        library_server::descriptor();
        let schema = Schema::new(&Pool::global()).unwrap();
        let document: serde_json::Value = serde_json::from_slice(&schema.openapi).unwrap();
        let info = serde_json::json!({"title": "library.v1.Library", "version": "v1"});
        assert_eq!((schema.rules(), &document["info"]), (12, &info));
        let error = Schema::new(&Pool::new()).err();
        assert_eq!(error.as_deref(), Some("no method has a google.api.http rule"));
    }
}
