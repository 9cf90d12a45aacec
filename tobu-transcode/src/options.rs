//! Options for the choices that the specification leaves open, and presets with the choices of other systems.
//!
//! This file is in layer 2 (see DESIGN.md). It uses only the modules `percent` and `value` of this crate.

use tobu::{Pool, json};

use crate::percent::Decode;
use crate::value::Form;

/// Options that say which requests are accepted, and how responses are written. The defaults are strict.
///
/// ```
/// use tobu_transcode::TranscodeOptions;
///
/// let options = TranscodeOptions::new().trailing_slash(true).ignore_query(["key", "alt"]);
/// let like_envoy = TranscodeOptions::envoy();
/// # let _ = (options, like_envoy);
/// ```
#[derive(Clone, Debug)]
pub struct TranscodeOptions {
    pub(crate) trailing_slash: bool,
    pub(crate) ignore_unknown_query: bool,
    pub(crate) ignored_query: Vec<Box<str>>,
    pub(crate) plus_is_space: bool,
    pub(crate) reserved: Decode,
    pub(crate) fully_decode: bool,
    pub(crate) ignore_unbound_body: bool,
    pub(crate) allow_overlap: bool,
    pub(crate) path_over_query: bool,
    pub(crate) go_values: bool,
    pub(crate) any_media_type: bool,
    pub(crate) wrap_stream: bool,
    pub(crate) json_lines: bool,
    pub(crate) arrays: bool,
    pub(crate) zero_body: bool,
    pub(crate) concatenated: bool,
    pub(crate) forms: bool,
    pub(crate) last_rule_first: bool,
    pub(crate) auto_mapping: bool,
    pub(crate) permanent_headers: bool,
    pub(crate) trailers: bool,
    pub(crate) fields: bool,
    pub(crate) max_parameters: usize,
    pub(crate) request: json::Options,
    pub(crate) response: json::Options,
    pub(crate) pool: Option<Pool>,
}

impl Default for TranscodeOptions {
    fn default() -> Self {
        TranscodeOptions {
            trailing_slash: false,
            ignore_unknown_query: false,
            ignored_query: Vec::new(),
            plus_is_space: true,
            reserved: Decode::ExceptSlash,
            fully_decode: false,
            ignore_unbound_body: false,
            allow_overlap: false,
            path_over_query: false,
            go_values: false,
            any_media_type: false,
            wrap_stream: false,
            json_lines: false,
            arrays: false,
            zero_body: false,
            concatenated: false,
            forms: false,
            last_rule_first: false,
            auto_mapping: false,
            permanent_headers: false,
            trailers: false,
            fields: false,
            max_parameters: 1024,
            request: json::Options::new(),
            response: json::Options::new(),
            pool: None,
        }
    }
}

impl TranscodeOptions {
    /// Returns the strict default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the choices of Envoy's transcoder. Slashes at the end of a path are dropped, reserved characters in variables of
    /// several segments stay escaped, and `+` in a query is a plus. A body is ignored if the rule has none. Unknown members of
    /// bodies are ignored, but unknown parameters of queries are errors. If both the path and the body set a field, the value
    /// in the path is used; Envoy uses the value in the body. Streams are JSON arrays in both directions. The guide lists all
    /// differences.
    pub fn envoy() -> Self {
        TranscodeOptions {
            trailing_slash: true,
            plus_is_space: false,
            reserved: Decode::ExceptReserved,
            ignore_unbound_body: true,
            allow_overlap: true,
            arrays: true,
            request: json::Options::new().ignore_unknown(true),
            ..Self::default()
        }
    }

    /// Returns the choices of grpc-gateway. Unknown query parameters and unknown members of JSON objects are ignored, and so
    /// is a body if the rule has none. If the path and the body or the query set the same field, the value in the path is
    /// used. Values in paths and queries have the syntax of Go. Responses include default values, with `null` for messages
    /// that are not set. Each element of a stream is a line `{"result": ...}`, and the content type is `application/json`.
    pub fn grpc_gateway() -> Self {
        TranscodeOptions {
            ignore_unknown_query: true,
            ignore_unbound_body: true,
            allow_overlap: true,
            path_over_query: true,
            go_values: true,
            any_media_type: true,
            wrap_stream: true,
            json_lines: true,
            zero_body: true,
            concatenated: true,
            forms: true,
            last_rule_first: true,
            permanent_headers: true,
            trailers: true,
            request: json::Options::new().ignore_unknown(true),
            response: json::Options::new().emit_defaults(true).emit_nulls(true),
            ..Self::default()
        }
    }

    /// Returns the choices of vanguard-go. Unknown members of JSON objects are ignored, the path has priority over the body,
    /// and responses include default values.
    pub fn vanguard() -> Self {
        TranscodeOptions {
            allow_overlap: true,
            request: json::Options::new().ignore_unknown(true),
            response: json::Options::new().emit_defaults(true),
            ..Self::default()
        }
    }

    /// Treats `/a/` as `/a` if no rule has `/a/`.
    #[must_use]
    pub fn trailing_slash(mut self, yes: bool) -> Self {
        self.trailing_slash = yes;
        self
    }

    /// Ignores query parameters that name no field of the request message.
    #[must_use]
    pub fn ignore_unknown_query(mut self, yes: bool) -> Self {
        self.ignore_unknown_query = yes;
        self
    }

    /// Ignores query parameters with these names, such as `key` and `alt`.
    #[must_use]
    pub fn ignore_query<N: Into<Box<str>>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.ignored_query = names.into_iter().map(Into::into).collect();
        self
    }

    /// Sets whether a `+` in a query is a space. By default it is, because browsers write a space in forms as `+`.
    #[must_use]
    pub fn plus_is_space(mut self, yes: bool) -> Self {
        self.plus_is_space = yes;
        self
    }

    /// Sets which percent escapes are decoded in variables of several segments. By default, all except for `%2F` are.
    #[must_use]
    pub fn decode_multi_segment(mut self, which: Decode) -> Self {
        self.reserved = which;
        self
    }

    /// Decodes `%2F`, too, in the text that the `**` of a variable matches. The default is the setting of the service
    /// configuration.
    #[must_use]
    pub fn fully_decode_reserved_expansion(mut self, yes: bool) -> Self {
        self.fully_decode = yes;
        self
    }

    /// Ignores bodies of requests whose rule has no body.
    #[must_use]
    pub fn ignore_unbound_body(mut self, yes: bool) -> Self {
        self.ignore_unbound_body = yes;
        self
    }

    /// Accepts a body that sets a field to another value than the path. The value in the path is used.
    #[must_use]
    pub fn path_over_body(mut self, yes: bool) -> Self {
        self.allow_overlap = yes;
        self
    }

    /// Ignores query parameters of fields that the path or the body binds.
    #[must_use]
    pub fn path_over_query(mut self, yes: bool) -> Self {
        self.path_over_query = yes;
        self
    }

    /// Reads values in paths and queries in the syntax of Go: `1`, `t` and `T` are true, numbers may begin with a plus and with
    /// zeros, and durations in queries are written as `1h2m`. A `Struct` or a `Value` in a query is JSON. The number of an enum
    /// must be declared.
    ///
    /// ```
    /// # let pool = tobu_transcode_schemas::pool();
    /// use tobu_transcode::{HttpRule, Request, Router, TranscodeOptions};
    ///
    /// let mut router = Router::new(TranscodeOptions::new().go_values(true));
    /// let method = pool.method("shapes.Shapes.Call").unwrap();
    /// router.add_rule(&method, &HttpRule::new("GET", "/{int_field}"))?;
    /// let found = router.find(&http::Method::GET, "/+016")?;
    /// let mut message = Vec::new();
    /// found.bind(&Request::new().query("flag=T"), &mut message)?;
    /// assert_eq!(message, b"\xc8\x01\x01\x20\x10");
    /// # Ok::<(), tobu_transcode::Error>(())
    /// ```
    #[must_use]
    pub fn go_values(mut self, yes: bool) -> Self {
        self.go_values = yes;
        self
    }

    /// Reads bodies as JSON with any content type. A page of another origin can then make a browser send a request with a
    /// body and with cookies, and the browser does not ask the server for its consent (CORS).
    #[must_use]
    pub fn any_media_type(mut self, yes: bool) -> Self {
        self.any_media_type = yes;
        self
    }

    pub(crate) fn path_form(&self) -> Form {
        if self.go_values { Form::GoPath } else { Form::Json }
    }

    pub(crate) fn query_form(&self) -> Form {
        if self.go_values { Form::GoQuery } else { Form::Json }
    }

    /// Writes elements of streams as `{"result": ...}`.
    #[must_use]
    pub fn wrap_stream(mut self, yes: bool) -> Self {
        self.wrap_stream = yes;
        self
    }

    /// Writes streams as lines with the content type `application/json`, even if `Accept` asks for another type. Writes an
    /// error before the first element as `{"error": ...}`, like an error after an element.
    #[must_use]
    pub fn json_lines(mut self, yes: bool) -> Self {
        self.json_lines = yes;
        self
    }

    /// Reads and writes streams as JSON arrays, even if `Accept` asks for another type.
    ///
    /// ```
    /// use tobu_transcode::TranscodeOptions;
    ///
    /// let options = TranscodeOptions::grpc_gateway().arrays(true);
    /// # drop(options);
    /// ```
    #[must_use]
    pub fn arrays(mut self, yes: bool) -> Self {
        self.arrays = yes;
        self
    }

    /// Writes the zero value of the message type if the field of a `response_body` is not set and its message type has a
    /// special JSON form. For instance, a `Timestamp` is written as `"1970-01-01T00:00:00Z"`, not as `null`.
    #[must_use]
    pub fn zero_body(mut self, yes: bool) -> Self {
        self.zero_body = yes;
        self
    }

    /// Reads streams of requests as concatenated JSON values. Line ends between and inside the values are optional.
    #[must_use]
    pub fn concatenated(mut self, yes: bool) -> Self {
        self.concatenated = yes;
        self
    }

    /// Reads a body of the type `application/x-www-form-urlencoded` as a part of the query if the rule has no body. If a
    /// `POST` with such a body matches no rule, it is treated as a `GET`.
    #[must_use]
    pub fn forms(mut self, yes: bool) -> Self {
        self.forms = yes;
        self
    }

    /// Uses the rule that was added last, instead of the most specific rule, if a request matches several rules. The time to
    /// find the rule of a request then grows with the number of rules.
    #[must_use]
    pub fn last_rule_first(mut self, yes: bool) -> Self {
        self.last_rule_first = yes;
        self
    }

    /// Serves methods without a rule, too, as Envoy does. Such a method is called with a `POST` of `/package.Service/Method`
    /// whose body is the message.
    ///
    /// ```
    /// # let pool = tobu_transcode_schemas::pool();
    /// use tobu_transcode::{Router, TranscodeOptions};
    ///
    /// let options = TranscodeOptions::new().auto_mapping(true);
    /// let service = pool.service("library.v1.Library").unwrap();
    /// let router = Router::builder().service(&service).options(options).build()?;
    /// let found = router.find(&http::Method::POST, "/library.v1.Library/Count")?;
    /// assert_eq!(found.route().method().name(), "Count");
    /// # Ok::<(), tobu_transcode::Error>(())
    /// ```
    #[must_use]
    pub fn auto_mapping(mut self, yes: bool) -> Self {
        self.auto_mapping = yes;
        self
    }

    /// Converts the permanent request headers, such as `Accept` and `Cookie`, to metadata whose names have the prefix
    /// `grpcgateway-`, and the host to the metadata `x-forwarded-host`. This option applies only to the tower layer.
    #[must_use]
    pub fn permanent_headers(mut self, yes: bool) -> Self {
        self.permanent_headers = yes;
        self
    }

    /// Sends the trailing metadata of a call as HTTP trailers, whose names have the prefix `Grpc-Trailer-`. Only clients whose
    /// header `TE` has `trailers` get them. This option applies only to the tower layer.
    #[must_use]
    pub fn trailers(mut self, yes: bool) -> Self {
        self.trailers = yes;
        self
    }

    /// Lets requests select fields of the response, with the system parameter of Google's APIs: the query parameter
    /// `$fields` or `fields`, or the header `X-Goog-FieldMask`. See
    /// [`Route::response_fields`](crate::Route::response_fields). This option is off by default, and then `fields` is an
    /// ordinary parameter. If the request message has a field named `fields`, the parameter `fields` sets that field, and
    /// only `$fields` selects fields of the response.
    #[must_use]
    pub fn fields(mut self, yes: bool) -> Self {
        self.fields = yes;
        self
    }

    /// Sets how many parameters a query may have; 1,024 by default.
    #[must_use]
    pub fn max_query_parameters(mut self, count: usize) -> Self {
        self.max_parameters = count;
        self
    }

    /// Sets how bodies of requests are read.
    #[must_use]
    pub fn request_json(mut self, options: json::Options) -> Self {
        self.request = options;
        self
    }

    /// Sets how responses are written.
    #[must_use]
    pub fn response_json(mut self, options: json::Options) -> Self {
        self.response = options;
        self
    }

    /// Sets the pool that has the types of `Any` and extensions. The default is the global pool.
    #[must_use]
    pub fn pool(mut self, pool: &Pool) -> Self {
        self.request = self.request.pool(pool);
        self.response = self.response.pool(pool);
        self.pool = Some(pool.clone());
        self
    }
}
