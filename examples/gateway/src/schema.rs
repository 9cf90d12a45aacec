//! What is known of the services: their rules.

use tobu::Pool;
use tobu_transcode::{Observer, Outcome, Transcoder};

/// The rules of all services in a pool, with their OpenAPI document and a page.
pub(crate) struct Schema {
    pub(crate) transcoder: Transcoder,
}

impl Schema {
    /// # Errors
    /// A rule is not valid, or there is none.
    pub(crate) fn new(pool: &Pool) -> Result<Self, String> {
        let mut builder = Transcoder::builder().pool(pool).observer(Log).openapi("/openapi.json").page("/");
        for service in pool.services() {
            builder = builder.descriptor(&service);
        }
        let transcoder = builder.build().map_err(|error| error.to_string())?;
        let schema = Schema { transcoder };
        match schema.rules() {
            0 => Err("no method has a google.api.http rule".to_owned()),
            _ => Ok(schema),
        }
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
    fn a_schema_has_rules() {
        library_server::descriptor();
        assert_eq!(Schema::new(&Pool::global()).unwrap().rules(), 12);
        let error = Schema::new(&Pool::new()).err();
        assert_eq!(error.as_deref(), Some("no method has a google.api.http rule"));
    }
}
