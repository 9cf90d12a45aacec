//! Configures the transcoder that is built from a schema: the HTTP rules of all services, the OpenAPI document, and a page.

use std::time::Duration;

use http::header::WWW_AUTHENTICATE;
use tobu_transcode::{Observer, Outcome, Transcoder, TranscoderBuilder};

/// How long a client may take to send a body.
const READ: Duration = Duration::from_secs(30);

/// Returns the settings with which a transcoder is built from each schema.
pub(crate) fn recipe() -> TranscoderBuilder {
    Transcoder::builder()
        .all_services()
        .observer(Log)
        .openapi("/openapi.json")
        .page("/")
        .response_header(WWW_AUTHENTICATE)
        .read_timeout(READ)
}

/// Adds the route of a request to the request's line in the access log.
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
    fn a_schema_has_rules() {
        library_server::descriptor();
        let transcoder = recipe().pool(&Pool::global()).build().unwrap();
        assert_eq!(transcoder.router().routes().len(), 12);
    }
}
