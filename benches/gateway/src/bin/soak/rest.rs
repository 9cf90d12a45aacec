//! Requests of REST, by number: how they are sent, and the expected answers.

use tobu::json;
use tobu_gateway_bench::Error;
use tobu_gateway_bench::library::{BROKEN_AFTER, book, books};
use tobu_gateway_bench::proto::library::v1::{ImportBooksResponse, ListBooksResponse};

use crate::front::MAX_BODY;
use crate::kinds::{Exchange, Manner, Told, Wanted, Wire, name};

/// The kinds of requests of REST.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rest {
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
pub const SHARES: [(Rest, u64); 28] = [
    (Rest::Get, 300),
    (Rest::List, 60),
    (Rest::Create, 200),
    (Rest::Echo, 40),
    (Rest::WatchLines, 40),
    (Rest::WatchEvents, 40),
    (Rest::WatchArray, 40),
    (Rest::Import, 60),
    (Rest::NotJson, 15),
    (Rest::WrongType, 15),
    (Rest::NotUtf8Body, 10),
    (Rest::NotUtf8Path, 10),
    (Rest::UnknownPath, 15),
    (Rest::WrongMethod, 10),
    (Rest::UnknownParameter, 10),
    (Rest::UnknownMember, 10),
    (Rest::TooLarge, 5),
    (Rest::TooLargeInPieces, 5),
    (Rest::BadLine, 10),
    (Rest::Missing, 15),
    (Rest::CutBody, 15),
    (Rest::CutHead, 5),
    (Rest::CutImport, 10),
    (Rest::SlowBody, 12),
    (Rest::StoppedBody, 1),
    (Rest::AbortedStream, 15),
    (Rest::Late, 12),
    (Rest::BrokenStream, 20),
];

const JSON: (&str, &str) = ("content-type", "application/json");
const LINES: (&str, &str) = ("content-type", "application/x-ndjson");

impl Rest {
    /// The kind that a random number chooses.
    pub fn of(random: u64) -> Self {
        let mut left = random % 1000;
        for (kind, share) in SHARES {
            if left < share {
                return kind;
            }
            left -= share;
        }
        Rest::Get
    }

    /// Whether the client or its input is at fault.
    pub fn is_bad(self) -> bool {
        self >= Rest::NotJson && self < Rest::Late
    }

    /// What the observer is told: the method of gRPC, where a rule leads to one, and the code.
    fn told(self) -> Told {
        use Rest::*;
        let method = match self {
            Get | UnknownParameter | Missing | Late => "GetBook",
            List => "ListBooks",
            Echo => "CreateBooks",
            WatchLines | WatchEvents | WatchArray | AbortedStream | BrokenStream => "WatchBooks",
            Import | BadLine | CutImport => "ImportBooks",
            NotUtf8Path | UnknownPath | WrongMethod | CutHead => "",
            Create | NotJson | WrongType | NotUtf8Body | UnknownMember | TooLarge | TooLargeInPieces
            | CutBody | SlowBody | StoppedBody => "CreateBook",
        };
        let code = match self {
            Get | List | Create | Echo | WatchLines | WatchEvents | WatchArray | Import | SlowBody => "OK",
            NotJson | WrongType | NotUtf8Body | NotUtf8Path | UnknownParameter | UnknownMember | BadLine => {
                "INVALID_ARGUMENT"
            }
            UnknownPath | Missing => "NOT_FOUND",
            WrongMethod => "UNIMPLEMENTED",
            TooLarge | TooLargeInPieces => "RESOURCE_EXHAUSTED",
            StoppedBody => "CANCELLED",
            Late => "DEADLINE_EXCEEDED",
            BrokenStream => "DATA_LOSS",
            CutBody | CutImport | AbortedStream => return Told::Any(method),
            CutHead => return Told::Nothing,
        };
        Told::Code(method, code)
    }

    /// The request of a number.
    ///
    /// # Errors
    /// None, where messages are valid.
    pub fn exchange(self, id: u64) -> Result<Exchange, Error> {
        let name = name(id);
        let shelf = format!("shelves/s{id}");
        let one = Exchange {
            method: "GET",
            path: format!("/v1/{name}"),
            headers: vec![],
            body: vec![],
            wire: Wire::Http,
            manner: Manner::Plain,
            wanted: Wanted::Nothing,
            told: self.told(),
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
                wanted: Wanted::Answer(200, format!("{begin}{}{end}", all?.join(between)).into()),
                ..one.clone()
            })
        };
        let create = || {
            let mut new = book(&name);
            new.title = format!("Title \u{1f4d6} {id}");
            let answer = json::to_vec(&new)?;
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
                wanted: Wanted::Answer(200, json::to_vec(&done)?),
                ..post("/v1/books:import".to_owned(), lines.into_bytes())
            })
        };
        // Invalid bodies, with their errors.
        let wrong = |body: Vec<u8>, http: u16, code: u8, text: &str| {
            Ok::<_, Error>(Exchange { body, wanted: refused(http, code, text), ..create()? })
        };
        Ok(match self {
            Rest::Get => Exchange { wanted: Wanted::Answer(200, json::to_vec(&book(&name))?), ..one },
            Rest::List => {
                let books = books(&shelf, 20).collect();
                let list = ListBooksResponse { books, ..ListBooksResponse::default() };
                let wanted = Wanted::Answer(200, json::to_vec(&list)?);
                Exchange { path: format!("/v1/{shelf}/books?pageSize=20"), wanted, ..one }
            }
            Rest::Create => create()?,
            Rest::Echo => {
                let books = books(&shelf, 20).collect();
                let list = json::to_string(&ListBooksResponse { books, ..ListBooksResponse::default() })?;
                Exchange {
                    wanted: Wanted::Answer(200, list.clone().into()),
                    ..post("/v1/books".to_owned(), list.into_bytes())
                }
            }
            Rest::WatchLines => watch("application/x-ndjson", "", "\n", "\n")?,
            Rest::WatchEvents => watch("text/event-stream", "data: ", "\n\ndata: ", "\n\n")?,
            Rest::WatchArray => watch("application/json", "[", ",", "]")?,
            Rest::Import => import()?,
            Rest::NotJson => {
                let body = format!("{{\"title\":\"{id}\"").into_bytes();
                let text = format!(
                    "the body: library.v1.Book: expected `,` or `}}`, but the input ends (at line 1 column {})",
                    body.len() + 1
                );
                wrong(body, 400, 3, &text)?
            }
            Rest::WrongType => {
                let text = "the body: library.v1.Book.title: expected a string, but found a list (at line 1 column 10)";
                wrong(format!("{{\"title\":[{id}]}}").into(), 400, 3, text)?
            }
            Rest::NotUtf8Body => {
                let body = [b"{\"title\":\"\xff", id.to_string().as_bytes(), b"\"}"].concat();
                wrong(body, 400, 3, "the body: library.v1.Book.title: invalid UTF-8 (at line 1 column 11)")?
            }
            Rest::NotUtf8Path => {
                let path = format!("/v1/shelves/%ff{id}/books/b");
                let text = format!("the path \\\"{path}\\\": the escapes are not valid UTF-8");
                Exchange { path, wanted: refused(400, 3, &text), ..one }
            }
            Rest::UnknownPath => {
                let path = format!("/v1/nothing/{id}");
                let wanted = refused(404, 5, &format!("no rule has the path \\\"{path}\\\""));
                Exchange { path, wanted, ..one }
            }
            Rest::WrongMethod => {
                let wanted =
                    refused(405, 12, &format!("the path \\\"/v1/{name}\\\" has GET, HEAD, not DELETE"));
                Exchange { method: "DELETE", wanted, ..one }
            }
            Rest::UnknownParameter => {
                let text = format!(
                    "the query parameter \\\"shoe{id}\\\": library.v1.GetBookRequest has no field \\\"shoe{id}\\\""
                );
                Exchange { path: format!("/v1/{name}?shoe{id}=1"), wanted: refused(400, 3, &text), ..one }
            }
            Rest::UnknownMember => {
                let text =
                    format!("the body: library.v1.Book: unknown field \\\"shoe{id}\\\" (at line 1 column 2)");
                wrong(format!("{{\"shoe{id}\":1}}").into(), 400, 3, &text)?
            }
            Rest::TooLarge => {
                let wanted = refused(413, 8, "the body is longer than the limit of 262144 bytes");
                Exchange { manner: Manner::Boasts, wanted, ..create()? }
            }
            Rest::TooLargeInPieces => {
                let mut body = format!("{{\"title\":\"{id}").into_bytes();
                body.resize(MAX_BODY + 1, b'x');
                let text = "the body is longer than the limit of 262144 bytes";
                Exchange { manner: Manner::Pieces, ..wrong(body, 413, 8, text)? }
            }
            Rest::BadLine => {
                let body = format!("{{\"bookId\":\"{id}\"}}\n{{\"book\":{id}}}\n{{}}\n").into_bytes();
                let text = format!(
                    "the body: library.v1.CreateBookRequest.book: expected a message of type library.v1.Book, but \
                     found the number {id} (at line 1 column 9)"
                );
                Exchange { body, wanted: refused(400, 3, &text), ..import()? }
            }
            Rest::Missing => {
                let path = format!("/v1/{shelf}/books/lost");
                Exchange { path, wanted: refused(404, 5, &format!("there is no {shelf}/books/lost")), ..one }
            }
            Rest::CutBody => Exchange { manner: Manner::Cut, wanted: Wanted::Nothing, ..create()? },
            Rest::CutHead => Exchange { manner: Manner::CutHead, ..one },
            Rest::CutImport => Exchange { manner: Manner::Cut, wanted: Wanted::Nothing, ..import()? },
            Rest::SlowBody => Exchange { manner: Manner::Slow, ..create()? },
            Rest::StoppedBody => Exchange {
                manner: Manner::Stops,
                wanted: refused(408, 1, "the body did not come in time"),
                ..create()?
            },
            Rest::AbortedStream => Exchange {
                path: format!("/v1/{shelf}/books:watch?pageSize=500"),
                manner: Manner::HangsUp,
                ..one
            },
            Rest::Late => Exchange {
                path: format!("/v1/shelves/late/books/b{id}"),
                headers: vec![("grpc-timeout", "50m")],
                wanted: refused(504, 4, "the deadline of the call has passed"),
                ..one
            },
            Rest::BrokenStream => {
                let mut lines = String::new();
                for book in books("shelves/broken", BROKEN_AFTER) {
                    lines += &json::to_string(&book)?;
                    lines.push('\n');
                }
                lines += "{\"error\":{\"code\":15,\"message\":\"the shelf broke\",\"details\":[]}}\n";
                let path = "/v1/shelves/broken/books:watch".to_owned();
                Exchange { path, wanted: Wanted::Answer(200, lines.into()), ..one }
            }
        })
    }
}

/// An error answer.
fn refused(http: u16, code: u8, text: &str) -> Wanted {
    Wanted::Answer(http, format!("{{\"code\":{code},\"message\":\"{text}\",\"details\":[]}}").into())
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
        let gets = (0..100_000).filter(|random| Rest::of(*random) == Rest::Get).count();
        assert!((29_000..31_000).contains(&gets), "{gets}");
    }

    #[test]
    fn requests_differ_by_their_number() {
        for (kind, _) in SHARES {
            let [one, other] = [7, 8].map(|id| kind.exchange(id).unwrap());
            let is_same = (one.path, one.body) == (other.path, other.body);
            assert_eq!(is_same, kind == Rest::BrokenStream, "{kind:?}");
        }
    }
}
