//! What twice the input takes: templates, routes, paths, queries, headers, bodies and streams that grow, counted as in `tests/growth/` of
//! the library.

#[cfg(all(feature = "gzip", feature = "zstd"))]
mod bodies;
#[path = "../../../tests/memory/counting.rs"]
mod counting;
#[path = "../../../tests/growth/family.rs"]
mod family;
mod metadata;
#[path = "../../../tests/growth/meter.rs"]
mod meter;

use family::{Family, Outcome, Verb, refused, run, taken};
use http::Method;
use std::sync::LazyLock;
use tobu::MethodDescriptor;
use tobu_transcode::{FrameDecoder, HttpRule, LineDecoder, Request, Router, Template, TranscodeOptions};

/// The method that takes a message of every shape.
static CALL: LazyLock<MethodDescriptor> =
    LazyLock::new(|| tobu_transcode_schemas::pool().method("shapes.Shapes.Call").expect("the method"));

/// Rules that look far into a path before they fail, and one for bodies.
static ROUTER: LazyLock<Router> = LazyLock::new(|| {
    let rules =
        ["/{x=**}/b/{y}", "/a/**", "/a/*/**", "/{x=a/**}/c", "/s/{x}"].map(|path| HttpRule::new("GET", path));
    routes(rules.into_iter().chain([HttpRule::new("POST", "/s").body("*")]))
});

fn routes(rules: impl IntoIterator<Item = HttpRule>) -> Router {
    let mut router = Router::new(TranscodeOptions::new());
    for rule in rules {
        router.add_rule(&CALL, &rule).expect("a valid rule");
    }
    router
}

fn str(input: &[u8]) -> &str {
    std::str::from_utf8(input).expect("text")
}

fn text(error: impl ToString) -> String {
    error.to_string()
}

/// What a request becomes.
fn bind(method: &Method, path: &str, query: &str, body: &[u8]) -> Outcome {
    let found = ROUTER.find(method, path).map_err(text)?;
    let mut out = Vec::new();
    let request = Request::new().query(query).body(body).content_type("application/json");
    found.bind(&request, &mut out).map(|()| out.len()).map_err(text)
}

#[test]
fn templates() {
    let verbs = [Verb {
        name: "Template::parse",
        prepare: |template| Some(Box::new(move || Template::parse(str(template)).map(|_| 0).map_err(text))),
    }];
    let families: &[Family] = &[
        taken("segments", 3, |n| "/a".repeat(n).into()),
        taken("stars", 3, |n| "/*".repeat(n).into()),
        taken("a long segment", 3, |n| format!("/{}", "a".repeat(n)).into()),
        taken("variables", 3, |n| (0..n).map(|at| format!("/{{v{at}}}")).collect::<String>().into()),
        taken("a variable of many segments", 3, |n| format!("/{{x=a{}}}", "/*".repeat(n)).into()),
        taken("a variable of a long name", 3, |n| format!("/{{x{}}}", ".x".repeat(n)).into()),
        refused("an error after many segments", 3, |n| format!("{}/{{", "/a".repeat(n)).into(), ""),
        refused(
            "a variable again",
            16,
            |n| {
                let variables: String = (0..n).map(|at| format!("/{{v{at}}}")).collect();
                format!("{variables}/{{v0}}").into()
            },
            "",
        ),
    ];
    run(families, &verbs);
}

/// Templates, one a line, are made rules, and each is found.
#[test]
fn rules() {
    let verbs = [
        Verb {
            name: "add_rule",
            prepare: |lines| {
                Some(Box::new(move || {
                    routes(str(lines).lines().map(|path| HttpRule::new("GET", path)));
                    Ok(0)
                }))
            },
        },
        Verb {
            name: "find",
            prepare: |lines| {
                let router = routes(str(lines).lines().map(|path| HttpRule::new("GET", path)));
                Some(Box::new(move || {
                    for path in str(lines).lines() {
                        router
                            .find(&Method::GET, &path.replace("**", "r").replace('*', "s"))
                            .map_err(text)?;
                    }
                    Ok(0)
                }))
            },
        },
    ];
    fn lines(count: usize, line: impl Fn(usize) -> String) -> Vec<u8> {
        (0..count).map(|at| line(at) + "\n").collect::<String>().into()
    }
    let families: &[Family] = &[
        taken("literals", 8, |n| lines(n, |at| format!("/v1/r{at}"))),
        taken("literals that start alike", 8, |n| lines(n, |at| format!("/v1/resources-{at:05}/items"))),
        taken("stars before literals", 8, |n| lines(n, |at| format!("/*/r{at}"))),
        taken("verbs", 8, |n| lines(n, |at| format!("/v1/*:verb{at}"))),
        taken("rests after literals", 8, |n| lines(n, |at| format!("/r{at}/**"))),
    ];
    run(families, &verbs);
}

#[test]
fn requests() {
    let path = [Verb {
        name: "find and bind a path",
        prepare: |path| Some(Box::new(move || bind(&Method::GET, str(path), "", b""))),
    }];
    let families: &[Family] = &[
        taken("segments of a rest", 16, |n| format!("/a{}", "/s".repeat(n)).into()),
        taken("segments that fit several rules", 16, |n| format!("/a{}/c", "/b".repeat(n)).into()),
        taken("empty segments", 16, |n| format!("/a{}/c", "/b/b".repeat(n)).into()),
        taken("a long segment", 16, |n| format!("/s/{}", "s".repeat(n)).into()),
        taken("escapes", 16, |n| format!("/s/{}", "%C3%A9".repeat(n)).into()),
        refused("no rule", 16, |n| format!("/x{}", "/s".repeat(n)).into(), "no rule"),
        refused("an escape that is none after many", 16, |n| format!("/s/{}%zz", "%41".repeat(n)).into(), ""),
        refused("no UTF-8 after many", 16, |n| format!("/s/{}%ff", "%41".repeat(n)).into(), ""),
    ];
    run(families, &path);
    let query = [Verb {
        name: "bind a query",
        prepare: |query| Some(Box::new(move || bind(&Method::GET, "/s/x", str(query), b""))),
    }];
    let families: &[Family] = &[
        taken("a list", 16, |n| "numbers=1&".repeat(n).into()),
        taken("lists in turns", 8, |n| "numbers=1&colors=1&".repeat(n).into()),
        taken("separators", 16, |n| "&".repeat(n).into()),
        taken("a long value", 16, |n| format!("y={}", "v".repeat(n)).into()),
        taken("escapes", 16, |n| format!("y={}", "%C3%A9+".repeat(n)).into()),
        refused(
            "a parameter again after a list",
            16,
            |n| format!("{}y=1&y=2", "numbers=1&".repeat(n)).into(),
            "",
        ),
        refused("a long name that is not known", 16, |n| format!("{}=1", "n".repeat(n)).into(), ""),
        refused("a long path of names", 16, |n| format!("sub{}=1", ".inner".repeat(n)).into(), ""),
        refused(
            "unknown parameters",
            16,
            |n| (0..n).map(|at| format!("n{at}=1&")).collect::<String>().into(),
            "",
        ),
    ];
    run(families, &query);
    let body = [Verb {
        name: "bind a body",
        prepare: |body| Some(Box::new(move || bind(&Method::POST, "/s", "", body))),
    }];
    let families: &[Family] = &[
        taken("a list", 16, |n| format!("{{\"numbers\":[1{}]}}", ",1".repeat(n)).into()),
        taken("a long string", 16, |n| format!("{{\"y\":\"{}\"}}", "\\n".repeat(n)).into()),
        refused("a member again", 16, |n| format!("{{\"y\":\"\"{},\"y\":\"\"}}", " ".repeat(n)).into(), "y"),
    ];
    run(families, &body);
}

#[test]
fn streams() {
    let verbs = [
        Verb {
            name: "frames, byte by byte",
            prepare: |bytes| {
                Some(Box::new(move || {
                    let mut decoder = FrameDecoder::new(1 << 20);
                    for byte in bytes.chunks(1) {
                        decoder.push(byte);
                        while decoder.next_frame().map_err(text)?.is_some() {}
                    }
                    Ok(0)
                }))
            },
        },
        Verb {
            name: "frames in one piece",
            prepare: |bytes| {
                Some(Box::new(move || {
                    let mut decoder = FrameDecoder::new(1 << 20);
                    decoder.push(bytes);
                    while decoder.next_frame().map_err(text)?.is_some() {}
                    Ok(0)
                }))
            },
        },
    ];
    let families: &[Family] = &[
        taken("empty frames", 16, |n| [0; 5].repeat(n)),
        taken("frames", 16, |n| b"\0\0\0\0\x03abc".repeat(n)),
        taken("one long frame", 16, |n| [&[0, 0, 0, (n >> 8) as u8, n as u8], &b"a".repeat(n)[..]].concat()),
    ];
    run(families, &verbs);
    let lines = [
        Verb {
            name: "lines, byte by byte",
            prepare: |bytes| {
                Some(Box::new(move || {
                    let mut decoder = LineDecoder::new(1 << 20);
                    for byte in bytes.chunks(1) {
                        decoder.push(byte);
                        while decoder.next_line().map_err(text)?.is_some() {}
                    }
                    Ok(0)
                }))
            },
        },
        Verb {
            name: "lines in one piece",
            prepare: |bytes| {
                Some(Box::new(move || {
                    let mut decoder = LineDecoder::new(1 << 20);
                    decoder.push(bytes);
                    while decoder.next_line().map_err(text)?.is_some() {}
                    Ok(0)
                }))
            },
        },
    ];
    let families: &[Family] = &[
        taken("empty lines", 16, |n| b"\n".repeat(n)),
        taken("lines", 16, |n| b"{\"y\":\"\"}\r\n".repeat(n)),
        taken("one long line", 16, |n| b"a".repeat(n)),
    ];
    run(families, &lines);
}
