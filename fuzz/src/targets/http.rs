//! The input of a gateway from the network: templates, paths, queries, and the messages of
//! responses.

use crate::generate::{self, Choices};
use crate::mutate::{BUILT, Syntax};
use crate::oracle::{self, bounded, lean};
use crate::rng::Rng;
use crate::subject::Subject;
use http::Method;
use std::borrow::Cow;
use std::sync::LazyLock;
use tobu::{DynamicMessage, Pool};
use tobu_transcode::{
    Category, Content, HttpRule, Request, RequestBody, ResponseBody, Route, Router, Segment, Template,
    Variable,
};

static POOL: LazyLock<Pool> = LazyLock::new(tobu_transcode_schemas::pool);

/// Templates over the message of every shape.
const TEMPLATES: &[&str] = &[
    "/shape/{x}",
    "/shape/{x}/{y}",
    "/many/{x=**}",
    "/some/{x=a/*/b}/{y=**}",
    "/verb/{id}:go",
    "/sub/{sub.subfield}",
    "/int/{int_field}",
    "/bytes/{data}",
    "/any/*/**",
    "/deep/{sub.inner.inner.count}",
    "/flag/{flag}",
];

/// The rules of the library, and of the shapes with and without a body.
static ROUTER: LazyLock<Router> = LazyLock::new(|| {
    let library = POOL.service("library.v1.Library").expect("the service");
    let mut router = Router::builder().service(&library).build().expect("valid rules");
    let call = POOL.service("shapes.Shapes").and_then(|service| service.method("Call")).expect("the method");
    for template in TEMPLATES {
        router.add_rule(&call, &HttpRule::new("GET", template)).expect("a valid rule");
        // Not every body fits every template.
        let _ = router.add_rule(&call, &HttpRule::new("POST", template).body("*"));
        let _ = router.add_rule(&call, &HttpRule::new("PUT", template).body("sub"));
    }
    router
});

const METHODS: [Method; 6] =
    [Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::HEAD];

/// A template is rejected, or its printed form parses to the same, and a router finds the paths
/// that it expands to.
pub(super) fn template(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(template) = lean("parse", data.len(), || Template::parse(text)) else { return };
    assert_eq!(template.as_str(), text);
    // A slash in a literal is an escaped one, which a value keeps as it is: values of such templates are not made here.
    if template
        .segments()
        .iter()
        .any(|segment| matches!(segment, Segment::Literal(text) if text.contains('/')))
    {
        return;
    }
    let values: Vec<String> = template.variables().map(|variable| value(&template, variable)).collect();
    let expanded = template.expand(&values);
    let call = POOL.service("shapes.Shapes").and_then(|service| service.method("Call")).expect("the method");
    let mut router = Router::new(tobu_transcode::TranscodeOptions::new());
    if router.add_rule(&call, &HttpRule::new("GET", text)).is_err() {
        return;
    }
    let path = expanded.expect("values of the right form");
    let found =
        router.find(&Method::GET, &path).unwrap_or_else(|error| panic!("{text:?}, {path:?}: {error}"));
    let bound: Vec<String> = found.values().map(|(_, value)| value.into_owned()).collect();
    assert_eq!(bound, values, "{text:?}, {path:?}");
}

/// Some value that a variable takes.
fn value(template: &Template, variable: &Variable) -> String {
    let segments = template.segments()[variable.segments()].iter().map(|segment| match segment {
        Segment::Literal(text) => &**text,
        Segment::Any => "v w",
        Segment::Rest => "r/s",
    });
    segments.collect::<Vec<_>>().join("/")
}

/// A path is refused, or the values that were found in it lead to the same rule and values again.
pub(super) fn path(data: &[u8]) {
    let Some((&method, path)) = data.split_first() else { return };
    let Ok(path) = std::str::from_utf8(path) else { return };
    let method = &METHODS[usize::from(method) % METHODS.len()];
    // It is built on first use, which must not be measured.
    let router = LazyLock::force(&ROUTER);
    let found = match lean("find", path.len(), || router.find(method, path)) {
        Ok(found) => found,
        Err(error) => {
            let categories =
                [Category::Argument, Category::NotFound, Category::Method, Category::PathTooLong];
            assert!(categories.contains(&error.category()), "{error}");
            return;
        }
    };
    let values: Vec<_> = found.values().map(|(_, value)| value.into_owned()).collect();
    if let Ok(expanded) = found.route().template().expand(&values) {
        let again =
            ROUTER.find(method, &expanded).unwrap_or_else(|error| panic!("{path:?}, {expanded:?}: {error}"));
        let same: Vec<_> = again.values().map(|(_, value)| value.into_owned()).collect();
        if std::ptr::eq(again.route(), found.route()) {
            assert_eq!(same, values, "{path:?}, {expanded:?}");
        }
    }
}

/// Path, query and body bind to a valid message or to nothing.
pub(super) fn query(data: &[u8]) {
    let mut parts = data.splitn(3, |&byte| byte == b'\n');
    let mut part = || parts.next().unwrap_or_default();
    let (target, query, body) = (part(), part(), part());
    let Some((&method, path)) = target.split_first() else { return };
    let (Ok(path), Ok(query)) = (std::str::from_utf8(path), std::str::from_utf8(query)) else { return };
    let Ok(found) = ROUTER.find(&METHODS[usize::from(method) % METHODS.len()], path) else { return };
    let request = Request::new().query(query).body(body).content_type("application/json");
    let mut out = b"kept".to_vec();
    let size = query.len() + body.len();
    match bounded("bind", size, || found.bind(&request, &mut out)) {
        Ok(()) => {
            let input = found.route().method().input();
            let message = DynamicMessage::decode(&input, &out[4..]);
            let message = message.unwrap_or_else(|error| panic!("{path:?} {query:?}: {error}"));
            let bytes = oracle::canonical(&message);
            assert_eq!(oracle::canonical(&DynamicMessage::decode(&input, &bytes).unwrap()), bytes);
        }
        Err(error) => {
            let wanted = [Category::Argument, Category::MediaType, Category::TooLarge];
            assert!(wanted.contains(&error.category()), "{error}");
            assert_eq!(out, b"kept", "after an error");
        }
    }
    // If all fields are in the body, the result equals transcoding the body.
    let route = found.route();
    let alone = query.is_empty() && route.template().variables().next().is_none();
    if alone && !body.is_empty() && *route.body() == RequestBody::All {
        let mut wire = b"kept".to_vec();
        let done = tobu::convert::json_to_wire(&route.method().input(), body, &mut wire);
        assert!(out == wire, "{path:?}, transcoding: {done:?}, {:?}", body.escape_ascii().to_string());
    }
}

/// A message of a service becomes the JSON that transcoding makes of it, or an error and nothing.
pub(super) fn respond(data: &[u8]) {
    let Some((route, kind, rest)) = choose(data) else { return };
    let output = route.method().output();
    let message = match kind & BUILT {
        0 => Cow::Borrowed(rest),
        _ => Choices::of(rest).message(&Subject::of(output.clone()), Syntax::Wire).into(),
    };
    let mut out = b"kept".to_vec();
    let done = bounded("respond", message.len(), || route.respond(ROUTER.options(), &message, &mut out));
    let added = out.strip_prefix(b"kept").expect("what was there");
    let mut whole = Vec::new();
    let transcoded = tobu::convert::wire_to_json(&output, &message, &mut whole);
    match done {
        Ok(Content::Json) => {
            let text = serde_json::from_slice::<serde::de::IgnoredAny>(added);
            assert!(text.is_ok(), "{:?}", added.escape_ascii().to_string());
            if *route.response_body() == ResponseBody::All {
                assert!(transcoded.is_ok(), "only a response accepts: {transcoded:?}");
                assert!(added == whole, "{:?}", added.escape_ascii().to_string());
            }
        }
        Ok(_) => {}
        Err(error) => {
            assert_eq!(error.category(), Category::Response, "{error}");
            assert!(added.is_empty(), "after an error");
            assert!(transcoded.is_err() || *route.response_body() != ResponseBody::All, "{error}");
        }
    }
}

/// The rule that the second byte of an input chooses, the first byte, and the rest.
fn choose(data: &[u8]) -> Option<(&'static Route, u8, &[u8])> {
    let (&[kind, index], rest) = data.split_first_chunk()?;
    let routes = ROUTER.routes();
    let len = routes.len();
    Some((ROUTER.routes().nth(usize::from(index) % len)?, kind, rest))
}

/// A message that a method answers with.
pub(super) fn respond_seed(rng: &mut Rng) -> Vec<u8> {
    let header = [rng.next() as u8, rng.next() as u8];
    let rest = match choose(&header) {
        Some((route, kind, _)) if kind & BUILT == 0 => {
            generate::wire(&Subject::of(route.method().output()), rng)
        }
        _ => generate::choices(rng),
    };
    [&header[..], &rest].concat()
}

pub(super) fn template_seed(rng: &mut Rng) -> Vec<u8> {
    rng.pick(TEMPLATES).as_bytes().to_vec()
}

/// A method, and a path that a rule has.
pub(super) fn path_seed(rng: &mut Rng) -> Vec<u8> {
    let routes: Vec<_> = ROUTER.routes().collect();
    let route = rng.pick(&routes);
    let method = METHODS.iter().position(|method| Some(method) == route.http_method().as_method());
    let mut seed = vec![method.unwrap_or(0) as u8];
    let template = route.template();
    let values: Vec<_> = template.variables().map(|variable| value(template, variable)).collect();
    seed.extend(template.expand(&values).expect("values of the right form").into_bytes());
    seed
}

/// The same with a query and a body.
pub(super) fn query_seed(rng: &mut Rng) -> Vec<u8> {
    let mut seed = path_seed(rng);
    seed.push(b'\n');
    seed.extend(
        rng.pick(&[
            "",
            "numbers=1&numbers=2",
            "x=a+b&maybe=",
            "color=COLOR_RED&colors=1",
            "m[a]=1",
            "sub.inner.count=7",
            "time=1970-01-01T00:00:00Z&duration=1.5s&mask=a,b",
            "data=AQI&ratio=1e3&flag=true",
            "view=VIEW_FULL&bookId=d",
            "string_value=%C3%A9&int64_value=-1",
            "subs.1.count=1",
            "text=a&number=1",
            "$alt=json",
            "updateMask=title",
        ])
        .bytes(),
    );
    seed.push(b'\n');
    let bodies = [
        "",
        "{}",
        r#"{"subfield":"s","inner":{"count":"1"}}"#,
        r#"{"y":"b","numbers":[1,2],"choice":null}"#,
        r#"{"title":"Dune","pageCount":412}"#,
        r#"{"struct":{"a":[1,null]},"values":[1],"value":null,"null":null}"#,
    ];
    seed.extend(rng.pick(&bodies).bytes());
    seed
}
