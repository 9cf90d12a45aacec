//! Reads the system parameter `fields`, with which a request selects fields of the response.
//!
//! This file is in layer 3 (see DESIGN.md). It uses only the modules `route`, `options`, `percent` and `error` of this crate.
//!
//! Specification: <https://cloud.google.com/apis/docs/system-parameters>.

use http::HeaderMap;
use tobu::{MessageDescriptorExt, Projection};

use crate::error::{Error, Result};
use crate::options::TranscodeOptions;
use crate::percent;
use crate::route::{ResponseBody, Route};

/// The header that may replace the parameter.
const HEADER: &str = "x-goog-fieldmask";

/// How many names the paths of a mask may have in total, because each name takes memory while a request is served.
const MOST_NAMES: usize = 1024;

impl Route {
    /// Returns the fields of a response that a request selects. A request selects fields with the query parameter `$fields`
    /// or `fields`, or with the header `X-Goog-FieldMask`. The query has priority over the header. Returns `None`, which
    /// selects all fields, if the request has neither, or if [`TranscodeOptions::fields`] is off.
    ///
    /// The mask is a list of paths separated by commas, such as `name,books.title`. The paths are relative to the message in
    /// the body of the response. If the body is a list or a map, they are relative to the messages in its elements or values.
    /// See [`MessageDescriptorExt::project`](tobu::MessageDescriptorExt::project) for the syntax of paths. An empty mask and
    /// `*` select all fields.
    ///
    /// ```
    /// # let pool = tobu_transcode_schemas::pool();
    /// # let service = pool.service("library.v1.Library").unwrap();
    /// use tobu_transcode::{TranscodeOptions, Router};
    ///
    /// let router = Router::builder().options(TranscodeOptions::new().fields(true)).service(&service).build()?;
    /// let found = router.find(&http::Method::GET, "/v1/shelves/1/books/2")?;
    /// let (route, options) = (found.route(), router.options());
    /// let fields = route.response_fields(options, "fields=title", &http::HeaderMap::new())?;
    /// let mut json = Vec::new();
    /// route.respond_fields(options, fields.as_ref(), b"\x12\x04Dune\x20\x9c\x03", &mut json)?;
    /// assert_eq!(json, br#"{"title":"Dune"}"#);
    /// # Ok::<(), tobu_transcode::Error>(())
    /// ```
    ///
    /// # Errors
    /// The parameter is given twice, its percent escapes are malformed, the mask has more than 1,024 names, a path does not fit
    /// the response, or the response has no fields to select.
    pub fn response_fields(
        &self,
        options: &TranscodeOptions,
        query: &str,
        headers: &HeaderMap,
    ) -> Result<Option<Projection>> {
        if !options.fields {
            return Ok(None);
        }
        let mut given = None;
        for pair in query.split('&') {
            let (name, text) = pair.split_once('=').unwrap_or((pair, ""));
            let Ok(name) = percent::decode_query(name, options.plus_is_space) else { continue };
            if !self.is_fields_parameter(options, &name) {
                continue;
            }
            let text = percent::decode_query(text, options.plus_is_space)
                .map_err(|error| Error::argument(format!("the query: the value {text:?}: {error}")))?;
            if given.replace((format!("the query parameter {name:?}"), text.into_owned())).is_some() {
                return Err(Error::argument(format!("the query parameter {name:?} is given twice")));
            }
        }
        if given.is_none()
            && let Some(value) = headers.get(HEADER)
        {
            let text = String::from_utf8_lossy(value.as_bytes()).into_owned();
            given = Some(("the header X-Goog-FieldMask".to_owned(), text));
        }
        match given {
            Some((place, text)) => {
                self.projection(&text).map_err(|wrong| Error::argument(format!("{place}: {wrong}")))
            }
            None => Ok(None),
        }
    }

    /// True if `name` is the name of the system parameter. If the request message has a field named `fields`, then `fields`
    /// sets that field, and only `$fields` is the system parameter.
    pub(crate) fn is_fields_parameter(&self, options: &TranscodeOptions, name: &str) -> bool {
        let input = &self.input;
        let is_field =
            || input.field_by_name("fields").or_else(|| input.field_by_json_name("fields")).is_some();
        options.fields && (name == "$fields" || name == "fields" && !is_field())
    }

    /// Returns the name of the parameter for an OpenAPI document, or `None` if the response has no fields to select.
    pub(crate) fn fields_parameter(&self, options: &TranscodeOptions) -> Option<&'static str> {
        let body = match &self.response_body {
            ResponseBody::All => Some(self.output.clone()),
            ResponseBody::Field(field) => field.map_value().as_ref().unwrap_or(field).message_type(),
            ResponseBody::Raw | ResponseBody::RawField(_) => None,
        };
        body.filter(|message| message.fields().len() > 0)?;
        ["fields", "$fields"].into_iter().find(|name| self.is_fields_parameter(options, name))
    }

    /// Parses a mask. Returns `None` if the mask selects all fields.
    fn projection(&self, text: &str) -> Result<Option<Projection>, String> {
        let paths: Vec<&str> = text.split(',').map(str::trim).collect();
        if text.trim().is_empty() || paths.contains(&"*") {
            return Ok(None);
        }
        if text.split([',', '.']).count() > MOST_NAMES {
            return Err(format!("the mask has more than {MOST_NAMES} names"));
        }
        let no_fields = || Err("the response has no fields".to_owned());
        let projected = match &self.response_body {
            ResponseBody::All => self.output.project(&paths),
            ResponseBody::Raw | ResponseBody::RawField(_) => return no_fields(),
            ResponseBody::Field(field) => match field.map_value().as_ref().unwrap_or(field).message_type() {
                None => return no_fields(),
                Some(inner) if !field.is_list() && !field.is_map() => inner.project(&paths),
                // A list or a map is printed as a member of the response message. So the paths begin with the name of the
                // field.
                Some(_) => {
                    let within = |path: &&str| format!("{}.{path}", field.name());
                    self.output.project(&paths.iter().map(within).collect::<Vec<_>>())
                }
            },
        };
        projected.map(Some).map_err(|error| error.to_string())
    }
}
