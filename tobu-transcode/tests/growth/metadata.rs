//! Headers of requests and metadata of responses, a name and a value a line.

use http::{HeaderMap, HeaderName, HeaderValue};
use tobu_transcode::{request_metadata, response_metadata};

use crate::family::{Family, Verb, run, taken};

fn headers(lines: &[u8]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for line in lines.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
        let at = line.iter().position(|&byte| byte == b':').expect("a name and a value");
        let name = HeaderName::from_bytes(&line[..at]).expect("a name");
        headers.append(name, HeaderValue::from_bytes(&line[at + 1..]).expect("a value"));
    }
    headers
}

/// The bytes of headers.
fn size(headers: &HeaderMap) -> usize {
    headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum()
}

const VERBS: &[Verb] = &[
    Verb {
        name: "metadata of a request",
        prepare: |lines| {
            let headers = headers(lines);
            Some(Box::new(move || {
                request_metadata(&headers, &[]).map(|made| size(&made)).map_err(|error| error.to_string())
            }))
        },
    },
    Verb {
        name: "headers of a response",
        prepare: |lines| {
            let metadata = headers(lines);
            Some(Box::new(move || {
                let mut made = HeaderMap::new();
                response_metadata(&metadata, &mut made);
                Ok(size(&made))
            }))
        },
    },
];

#[test]
fn metadata() {
    fn each(count: usize, line: impl Fn(usize) -> String) -> Vec<u8> {
        (0..count).map(|at| line(at) + "\n").collect::<String>().into()
    }
    const FAMILIES: &[Family] = &[
        taken("names", 16, |n| each(n, |at| format!("grpc-metadata-n{at}:value"))),
        taken("values of one name", 16, |n| each(n, |at| format!("grpc-metadata-name:{at}"))),
        taken("a long value", 16, |n| format!("grpc-metadata-name:{}", "v".repeat(n)).into()),
        taken("bytes", 16, |n| format!("grpc-metadata-name-bin:{}", "AQID".repeat(n)).into()),
        taken("bytes of one name", 16, |n| each(n, |_| "grpc-metadata-name-bin:AQID".into())),
        taken("names that are kept back", 16, |n| each(n, |at| format!("grpc-metadata-grpc-n{at}:value"))),
        taken("names that the connection names", 16, |n| {
            each(n, |at| format!("connection:n{at}\ngrpc-metadata-n{at}:value"))
        }),
        taken("a connection that names many", 16, |n| {
            let names: Vec<_> = (0..n).map(|at| format!("n{at}")).collect();
            let headers = each(n, |at| format!("grpc-metadata-n{at}:value"));
            [format!("connection:{}\n", names.join(",")).as_bytes(), &headers].concat()
        }),
    ];
    run(FAMILIES, VERBS);
}
