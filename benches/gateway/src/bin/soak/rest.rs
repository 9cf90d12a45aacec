//! The requests, by number: how they are sent, and the expected answers.

use tobu::json;
use tobu_gateway_bench::Error;
use tobu_gateway_bench::library::{BROKEN_AFTER, book, books};
use tobu_gateway_bench::proto::library::v1::{ImportBooksResponse, ListBooksResponse};

use crate::front::MAX_BODY;

/// How a request is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// As all clients do.
    Plain,
    /// In chunks of a few bytes.
    Pieces,
    /// Byte by byte, with pauses.
    Slow,
    /// Half of the body, and then nothing, while the client waits.
    Stops,
    /// With a length larger than the body.
    Boasts,
    /// Half of the body, and then the client hangs up.
    Cut,
    /// Half of the head, and then the client hangs up.
    CutHead,
    /// The client hangs up when the answer has begun.
    HangsUp,
}

/// The expected answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Exactly this.
    Answer(u16, String),
    /// The client is gone, or does not listen.
    Nothing,
}

/// A request, and the expected answer.
#[derive(Clone, Debug)]
pub struct Exchange {
    pub method: &'static str,
    pub path: String,
    pub headers: Vec<(&'static str, &'static str)>,
    pub body: Vec<u8>,
    pub manner: Manner,
    pub wanted: Wanted,
}

/// The kinds of requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Get,
    List,
    Create,
    Echo,
    WatchLines,
    WatchEvents,
    WatchArray,
    Import,
    NotJson,
    WrongType,
    NotUtf8Body,
    NotUtf8Path,
    UnknownPath,
    WrongMethod,
    UnknownParameter,
    UnknownMember,
    TooLarge,
    TooLargeInPieces,
    BadLine,
    Missing,
    CutBody,
    CutHead,
    CutImport,
    SlowBody,
    StoppedBody,
    AbortedStream,
    Late,
    BrokenStream,
}

/// How many of a thousand requests are of each kind.
pub const SHARES: [(Kind, u64); 28] = [
    (Kind::Get, 300),
    (Kind::List, 60),
    (Kind::Create, 200),
    (Kind::Echo, 40),
    (Kind::WatchLines, 40),
    (Kind::WatchEvents, 40),
    (Kind::WatchArray, 40),
    (Kind::Import, 60),
    (Kind::NotJson, 15),
    (Kind::WrongType, 15),
    (Kind::NotUtf8Body, 10),
    (Kind::NotUtf8Path, 10),
    (Kind::UnknownPath, 15),
    (Kind::WrongMethod, 10),
    (Kind::UnknownParameter, 10),
    (Kind::UnknownMember, 10),
    (Kind::TooLarge, 5),
    (Kind::TooLargeInPieces, 5),
    (Kind::BadLine, 10),
    (Kind::Missing, 15),
    (Kind::CutBody, 15),
    (Kind::CutHead, 5),
    (Kind::CutImport, 10),
    (Kind::SlowBody, 12),
    (Kind::StoppedBody, 1),
    (Kind::AbortedStream, 15),
    (Kind::Late, 12),
    (Kind::BrokenStream, 20),
];

const JSON: (&str, &str) = ("content-type", "application/json");
const LINES: (&str, &str) = ("content-type", "application/x-ndjson");

impl Kind {
    /// The kind of a request by its number.
    pub fn of(id: u64) -> Self {
        let mut left = mix(id) % 1000;
        for (kind, share) in SHARES {
            if left < share {
                return kind;
            }
            left -= share;
        }
        Kind::Get
    }

    /// Whether the client or its input is at fault.
    pub fn is_bad(self) -> bool {
        self >= Kind::NotJson && self < Kind::Late
    }

    /// The request of a number.
    ///
    /// # Errors
    /// None, where messages are valid.
    pub fn exchange(self, id: u64) -> Result<Exchange, Error> {
        let name = format!("shelves/s{}/books/b{id}", id % 97);
        let shelf = format!("shelves/s{id}");
        let one = Exchange {
            method: "GET",
            path: format!("/v1/{name}"),
            headers: vec![],
            body: vec![],
            manner: Manner::Plain,
            wanted: Wanted::Nothing,
        };
        let post = |path: String, body: Vec<u8>| Exchange {
            method: "POST",
            path,
            headers: vec![JSON],
            body,
            ..one.clone()
        };
        let watch = |accept, begin: &str, between: &str, end: &str| {
            let all: Result<Vec<_>, _> = books(&shelf, 5).map(|book| json::to_string(&book)).collect();
            Ok::<_, Error>(Exchange {
                path: format!("/v1/{shelf}/books:watch?pageSize=5"),
                headers: vec![("accept", accept)],
                wanted: Wanted::Answer(200, format!("{begin}{}{end}", all?.join(between))),
                ..one.clone()
            })
        };
        let create = || {
            let mut new = book(&name);
            new.title = format!("Title \u{1f4d6} {id}");
            let answer = json::to_string(&new)?;
            new.name.clear();
            let (shelf, last) = name.split_once("/books/").unwrap_or_default();
            let path = format!("/v1/{shelf}/books?bookId={last}");
            Ok::<_, Error>(Exchange {
                wanted: Wanted::Answer(200, answer),
                ..post(path, json::to_vec(&new)?)
            })
        };
        let import = || {
            let titles: Vec<_> = (0..5).map(|number| format!("{id}-{number}")).collect();
            let lines: String = titles
                .iter()
                .map(|title| format!("{{\"parent\":\"{shelf}\",\"book\":{{\"title\":\"{title}\"}}}}\n"))
                .collect();
            let done = ImportBooksResponse {
                parent: shelf.clone(),
                count: 5,
                titles,
                ..ImportBooksResponse::default()
            };
            Ok::<_, Error>(Exchange {
                headers: vec![LINES],
                manner: Manner::Pieces,
                wanted: Wanted::Answer(200, json::to_string(&done)?),
                ..post("/v1/books:import".to_owned(), lines.into_bytes())
            })
        };
        // Invalid bodies, with their errors.
        let wrong = |body: Vec<u8>, http: u16, code: u8, text: &str| {
            Ok::<_, Error>(Exchange { body, wanted: refused(http, code, text), ..create()? })
        };
        Ok(match self {
            Kind::Get => Exchange { wanted: Wanted::Answer(200, json::to_string(&book(&name))?), ..one },
            Kind::List => {
                let books = books(&shelf, 20).collect();
                let list = ListBooksResponse { books, ..ListBooksResponse::default() };
                let wanted = Wanted::Answer(200, json::to_string(&list)?);
                Exchange { path: format!("/v1/{shelf}/books?pageSize=20"), wanted, ..one }
            }
            Kind::Create => create()?,
            Kind::Echo => {
                let books = books(&shelf, 20).collect();
                let list = json::to_string(&ListBooksResponse { books, ..ListBooksResponse::default() })?;
                Exchange {
                    wanted: Wanted::Answer(200, list.clone()),
                    ..post("/v1/books".to_owned(), list.into_bytes())
                }
            }
            Kind::WatchLines => watch("application/x-ndjson", "", "\n", "\n")?,
            Kind::WatchEvents => watch("text/event-stream", "data: ", "\n\ndata: ", "\n\n")?,
            Kind::WatchArray => watch("application/json", "[", ",", "]")?,
            Kind::Import => import()?,
            Kind::NotJson => {
                let body = format!("{{\"title\":\"{id}\"").into_bytes();
                let text = format!(
                    "the body: library.v1.Book: expected `,` or `}}`, but the input ends (at line 1 column {})",
                    body.len() + 1
                );
                wrong(body, 400, 3, &text)?
            }
            Kind::WrongType => {
                let text = "the body: library.v1.Book.title: expected a string, but found a list (at line 1 column 10)";
                wrong(format!("{{\"title\":[{id}]}}").into(), 400, 3, text)?
            }
            Kind::NotUtf8Body => {
                let body = [b"{\"title\":\"\xff", id.to_string().as_bytes(), b"\"}"].concat();
                wrong(body, 400, 3, "the body: library.v1.Book.title: invalid UTF-8 (at line 1 column 11)")?
            }
            Kind::NotUtf8Path => {
                let path = format!("/v1/shelves/%ff{id}/books/b");
                let text = format!("the path \\\"{path}\\\": the escapes are not valid UTF-8");
                Exchange { path, wanted: refused(400, 3, &text), ..one }
            }
            Kind::UnknownPath => {
                let path = format!("/v1/nothing/{id}");
                let wanted = refused(404, 5, &format!("no rule has the path \\\"{path}\\\""));
                Exchange { path, wanted, ..one }
            }
            Kind::WrongMethod => {
                let wanted =
                    refused(405, 12, &format!("the path \\\"/v1/{name}\\\" has GET, HEAD, not DELETE"));
                Exchange { method: "DELETE", wanted, ..one }
            }
            Kind::UnknownParameter => {
                let text = format!(
                    "the query parameter \\\"shoe{id}\\\": library.v1.GetBookRequest has no field \\\"shoe{id}\\\""
                );
                Exchange { path: format!("/v1/{name}?shoe{id}=1"), wanted: refused(400, 3, &text), ..one }
            }
            Kind::UnknownMember => {
                let text =
                    format!("the body: library.v1.Book: unknown field \\\"shoe{id}\\\" (at line 1 column 2)");
                wrong(format!("{{\"shoe{id}\":1}}").into(), 400, 3, &text)?
            }
            Kind::TooLarge => {
                let wanted = refused(413, 8, "the body is longer than the limit of 262144 bytes");
                Exchange { manner: Manner::Boasts, wanted, ..create()? }
            }
            Kind::TooLargeInPieces => {
                let mut body = format!("{{\"title\":\"{id}").into_bytes();
                body.resize(MAX_BODY + 1, b'x');
                let text = "the body is longer than the limit of 262144 bytes";
                Exchange { manner: Manner::Pieces, ..wrong(body, 413, 8, text)? }
            }
            Kind::BadLine => {
                let body = format!("{{\"bookId\":\"{id}\"}}\n{{\"book\":{id}}}\n{{}}\n").into_bytes();
                let text = format!(
                    "the body: library.v1.CreateBookRequest.book: expected a message of type library.v1.Book, but \
                     found the number {id} (at line 1 column 9)"
                );
                Exchange { body, wanted: refused(400, 3, &text), ..import()? }
            }
            Kind::Missing => {
                let path = format!("/v1/{shelf}/books/lost");
                Exchange { path, wanted: refused(404, 5, &format!("there is no {shelf}/books/lost")), ..one }
            }
            Kind::CutBody => Exchange { manner: Manner::Cut, wanted: Wanted::Nothing, ..create()? },
            Kind::CutHead => Exchange { manner: Manner::CutHead, ..one },
            Kind::CutImport => Exchange { manner: Manner::Cut, wanted: Wanted::Nothing, ..import()? },
            Kind::SlowBody => Exchange { manner: Manner::Slow, ..create()? },
            Kind::StoppedBody => Exchange {
                manner: Manner::Stops,
                wanted: refused(408, 1, "the body did not come in time"),
                ..create()?
            },
            Kind::AbortedStream => Exchange {
                path: format!("/v1/{shelf}/books:watch?pageSize=500"),
                manner: Manner::HangsUp,
                ..one
            },
            Kind::Late => Exchange {
                path: format!("/v1/shelves/late/books/b{id}"),
                headers: vec![("grpc-timeout", "50m")],
                wanted: refused(504, 4, "the deadline of the call has passed"),
                ..one
            },
            Kind::BrokenStream => {
                let mut lines = String::new();
                for book in books("shelves/broken", BROKEN_AFTER) {
                    lines += &json::to_string(&book)?;
                    lines.push('\n');
                }
                lines += "{\"error\":{\"code\":15,\"message\":\"the shelf broke\",\"details\":[]}}\n";
                let path = "/v1/shelves/broken/books:watch".to_owned();
                Exchange { path, wanted: Wanted::Answer(200, lines), ..one }
            }
        })
    }
}

/// An error answer.
fn refused(http: u16, code: u8, text: &str) -> Wanted {
    Wanted::Answer(http, format!("{{\"code\":{code},\"message\":\"{text}\",\"details\":[]}}"))
}

/// Numbers that look random, always the same (splitmix64).
pub fn mix(id: u64) -> u64 {
    let mut mixed = id.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_a_whole() {
        assert_eq!(SHARES.iter().map(|(_, share)| share).sum::<u64>(), 1000);
        // So many of a thousand are bad input and bad clients.
        let bad: u64 = SHARES.iter().filter(|(kind, _)| kind.is_bad()).map(|(_, share)| share).sum();
        assert_eq!(bad, 188);
        let gets = (0..100_000).filter(|id| Kind::of(*id) == Kind::Get).count();
        assert!((29_000..31_000).contains(&gets), "{gets}");
    }

    #[test]
    fn requests_differ_by_their_number() {
        for (kind, _) in SHARES {
            let [one, other] = [7, 8].map(|id| kind.exchange(id).unwrap());
            let is_same = (one.path, one.body) == (other.path, other.body);
            assert_eq!(is_same, kind == Kind::BrokenStream, "{kind:?}");
        }
    }
}
