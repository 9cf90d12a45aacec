//! Choices that the specification leaves open, with the choices of other systems.
//!
//! This file is in layer 2 (see DESIGN.md), and of this crate uses only `percent` and `value`.

use tobu::{Pool, json};

use crate::percent::Decode;
use crate::value::Form;

/// The accepted requests, and the form of responses; strict by default.
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
    /// Returns the defaults: strict.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the choices of Envoy's transcoder: slashes at the end are dropped, reserved characters in variables of
    /// several segments stay escaped, and `+` in a query is a plus. The path has priority over the body if both set a
    /// field. Streams are JSON arrays, both ways.
    pub fn envoy() -> Self {
        TranscodeOptions {
            trailing_slash: true,
            plus_is_space: false,
            reserved: Decode::ExceptReserved,
            ignore_unbound_body: true,
            allow_overlap: true,
            arrays: true,
            ..Self::default()
        }
    }

    /// Returns the choices of grpc-gateway: unknown query parameters and members are ignored, and so are unused bodies.
    /// The path has priority over body and query, whose values have the forms of Go. Defaults are written, with `null`
    /// for messages that are not set. Elements of a stream are lines, wrapped in `{"result": ...}`, and of the type
    /// `application/json`.
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

    /// Returns the choices of vanguard-go: unknown members are ignored, the path has priority over the body, and
    /// defaults are written.
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

    /// Ignores query parameters that the request message has no field for.
    #[must_use]
    pub fn ignore_unknown_query(mut self, yes: bool) -> Self {
        self.ignore_unknown_query = yes;
        self
    }

    /// Ignores query parameters of these names, such as `key` and `alt`.
    #[must_use]
    pub fn ignore_query<N: Into<Box<str>>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.ignored_query = names.into_iter().map(Into::into).collect();
        self
    }

    /// Sets whether a `+` in a query is a space; yes by default, as browsers write forms.
    #[must_use]
    pub fn plus_is_space(mut self, yes: bool) -> Self {
        self.plus_is_space = yes;
        self
    }

    /// Sets which escapes are decoded in variables of several segments. By default all except for `%2F`.
    #[must_use]
    pub fn decode_multi_segment(mut self, which: Decode) -> Self {
        self.reserved = which;
        self
    }

    /// Decodes `%2F`, too, in the text matched by the `**` of a variable; the default is the setting of the
    /// service configuration.
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

    /// Lets the body have a field that the path binds to another value. The value of the path is used.
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

    /// Reads values of paths and queries as Go does: `1`, `t` and `T` are true, numbers may have a plus and zeros before them,
    /// durations of queries are `1h2m`. A `Struct` or a `Value` of a query is JSON. Numbers
    /// of enums must be those of values.
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

    /// Reads bodies as JSON whatever their content type says. A page of another origin can then send one without the consent of
    /// the server (CORS), with the cookies that a browser adds.
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

    /// Writes streams as lines of the content type `application/json`, whatever `Accept` says, and an error before the
    /// first element as `{"error": ...}`, like an error after an element.
    #[must_use]
    pub fn json_lines(mut self, yes: bool) -> Self {
        self.json_lines = yes;
        self
    }

    /// Reads and writes streams as JSON arrays, whatever `Accept` says.
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

    /// Prints a `response_body` that is not set and whose message type has a special JSON form as the zero of its type:
    /// a `Timestamp` as `"1970-01-01T00:00:00Z"`, not as `null`.
    #[must_use]
    pub fn zero_body(mut self, yes: bool) -> Self {
        self.zero_body = yes;
        self
    }

    /// Reads streams of requests as JSON values one after the other, which may or may not have line ends between them or inside.
    #[must_use]
    pub fn concatenated(mut self, yes: bool) -> Self {
        self.concatenated = yes;
        self
    }

    /// If the rule has no body, reads a body of the type `application/x-www-form-urlencoded` as a part of the query. A
    /// `POST` of such a body that matches no rule is treated as a `GET`.
    #[must_use]
    pub fn forms(mut self, yes: bool) -> Self {
        self.forms = yes;
        self
    }

    /// If a request matches several rules, uses the rule that was added last, and not the most specific rule. To find
    /// the rule of a request then takes time that grows with the number of rules.
    #[must_use]
    pub fn last_rule_first(mut self, yes: bool) -> Self {
        self.last_rule_first = yes;
        self
    }

    /// Serves methods without a rule, too: a `POST` of `/package.Service/Method` whose body is the message, as Envoy does.
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

    /// Makes metadata of the permanent request headers, such as `Accept` and `Cookie`, with `grpcgateway-` before their names, and
    /// `x-forwarded-host` of the host. Only the tower layer does so.
    #[must_use]
    pub fn permanent_headers(mut self, yes: bool) -> Self {
        self.permanent_headers = yes;
        self
    }

    /// Sends metadata received after a response as trailers with `Grpc-Trailer-` before their names, to clients whose header
    /// `TE` has `trailers`, and to no others. Only the tower layer does so.
    #[must_use]
    pub fn trailers(mut self, yes: bool) -> Self {
        self.trailers = yes;
        self
    }

    /// Lets requests select fields of the response, by the system parameter of Google's APIs: the query parameter
    /// `$fields` or `fields`, or the header `X-Goog-FieldMask`; see
    /// [`Route::response_fields`](crate::Route::response_fields). Off by default, when `fields` is a parameter like any
    /// other. If the request message has a field of that name, `fields` sets that field, and only `$fields` selects.
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

    /// Sets the pool in which the types of `Any` and extensions are looked up; the global pool without it.
    #[must_use]
    pub fn pool(mut self, pool: &Pool) -> Self {
        self.request = self.request.pool(pool);
        self.response = self.response.pool(pool);
        self.pool = Some(pool.clone());
        self
    }
}
