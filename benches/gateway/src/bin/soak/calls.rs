//! Calls by the protocols that need no rule, by number: how they are sent, and the expected answers.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use serde::Serialize;
use tobu::{Message, json};
use tobu_gateway_bench::Error;
use tobu_gateway_bench::library::{BROKEN_AFTER, book, books};
use tobu_gateway_bench::proto::library::v1::{
    Book, CreateBookRequest, GetBookRequest, ImportBooksResponse, ListBooksRequest, ListBooksResponse,
};

use crate::kinds::{Exchange, Kind, Manner, Told, Wanted, Wire, name};

/// The protocols.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Protocol {
    ConnectJson,
    ConnectProto,
    /// Unary calls alone.
    ConnectGet,
    Grpc,
    Web,
    WebText,
}

/// What a call is, and what goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Case {
    Get,
    Echo,
    Watch,
    Import,
    Missing,
    Broken,
    Late,
    BadMessage,
    BadFrame,
    Cut,
    HangsUp,
}

/// How many of a hundred calls are of each case.
pub const SHARES: [(Case, u64); 11] = [
    (Case::Get, 36),
    (Case::Echo, 12),
    (Case::Watch, 14),
    (Case::Import, 12),
    (Case::Missing, 5),
    (Case::Broken, 4),
    (Case::Late, 3),
    (Case::BadMessage, 4),
    (Case::BadFrame, 4),
    (Case::Cut, 3),
    (Case::HangsUp, 3),
];

/// A frame of gRPC with flags that it does not have; Connect does not have them either.
const BAD_FLAGS: u8 = 7;

impl Case {
    /// Whether the client or its input is at fault.
    pub fn is_bad(self) -> bool {
        matches!(self, Case::Missing | Case::BadMessage | Case::BadFrame | Case::Cut | Case::HangsUp)
    }

    fn is_unary(self) -> bool {
        matches!(self, Case::Get | Case::Echo | Case::Missing | Case::Late | Case::BadMessage)
    }

    fn method(self) -> &'static str {
        match self {
            Case::Get | Case::Missing | Case::Late | Case::BadMessage => "GetBook",
            Case::Echo => "CreateBooks",
            Case::Watch | Case::Broken | Case::HangsUp => "WatchBooks",
            Case::Import | Case::BadFrame | Case::Cut => "ImportBooks",
        }
    }
}

/// How a call that fails ends: the number and the names of its code, and its message.
struct Failed(u8, &'static str, String);

impl Protocol {
    /// All of them.
    pub const ALL: [Protocol; 6] = [
        Protocol::ConnectJson,
        Protocol::ConnectProto,
        Protocol::ConnectGet,
        Protocol::Grpc,
        Protocol::Web,
        Protocol::WebText,
    ];

    /// The protocol and the case that a random number chooses.
    pub fn of(random: u64) -> Kind {
        let protocol = Self::ALL[(random % 6) as usize];
        let mut left = random / 6 % 100;
        for (case, share) in SHARES {
            if left < share {
                let has = protocol != Protocol::ConnectGet || case.is_unary() && case != Case::Echo;
                return Kind::Call(protocol, if has { case } else { Case::Get });
            }
            left -= share;
        }
        Kind::Call(protocol, Case::Get)
    }

    fn is_connect(self) -> bool {
        matches!(self, Protocol::ConnectJson | Protocol::ConnectProto | Protocol::ConnectGet)
    }

    fn bytes<M: Message + Serialize>(self, message: &M) -> Result<Vec<u8>, Error> {
        Ok(match self {
            Protocol::ConnectJson | Protocol::ConnectGet => json::to_vec(message)?,
            _ => message.encode_to_vec()?,
        })
    }

    /// The request of a number.
    ///
    /// # Errors
    /// None, where messages are valid.
    pub fn exchange(self, case: Case, id: u64) -> Result<Exchange, Error> {
        let messages = self.request(case, id)?;
        let (answer, failed) = self.answer(case, id)?;
        let is_framed = !self.is_connect() || !case.is_unary();
        let mut body = Vec::new();
        for (index, message) in messages.iter().enumerate() {
            let flags = if case == Case::BadFrame && index == 1 { BAD_FLAGS } else { 0 };
            match is_framed {
                true => body.extend(frame(flags, message)),
                false => body.extend_from_slice(message),
            }
        }
        let mut path = format!("/library.v1.Library/{}", case.method());
        if self == Protocol::ConnectGet {
            path += &format!("?connect=v1&encoding=json&base64=1&message={}", URL_SAFE_NO_PAD.encode(&body));
            body.clear();
        }
        let manner = match case {
            Case::Cut => Manner::Cut,
            Case::HangsUp => Manner::HangsUp,
            Case::Import => Manner::Pieces,
            _ => Manner::Plain,
        };
        let wanted = match case {
            Case::Cut | Case::HangsUp => Wanted::Nothing,
            _ => self.wanted(case, answer, failed.as_ref()),
        };
        let code = failed.as_ref().map_or("OK", |failed| failed.1);
        let told = match case {
            // The client may reset the stream before its head is sent.
            Case::Cut if self == Protocol::Grpc => Told::Maybe(case.method()),
            Case::Cut | Case::HangsUp => Told::Any(case.method()),
            _ => Told::Code(case.method(), code),
        };
        Ok(Exchange {
            method: if self == Protocol::ConnectGet { "GET" } else { "POST" },
            path,
            headers: self.headers(case),
            body: if self == Protocol::WebText { STANDARD.encode(body).into() } else { body },
            wire: match self {
                Protocol::Grpc => Wire::Grpc,
                Protocol::Web => Wire::Web,
                Protocol::WebText => Wire::WebText,
                _ => Wire::Http,
            },
            manner,
            wanted,
            told,
        })
    }

    fn headers(self, case: Case) -> Vec<(&'static str, &'static str)> {
        let kind = match (self, case.is_unary()) {
            (Protocol::ConnectJson, true) => "application/json",
            (Protocol::ConnectProto, true) => "application/proto",
            (Protocol::ConnectJson, false) => "application/connect+json",
            (Protocol::ConnectProto, false) => "application/connect+proto",
            (Protocol::ConnectGet, _) => "",
            (Protocol::Grpc, _) => "application/grpc",
            (Protocol::Web, _) => "application/grpc-web+proto",
            (Protocol::WebText, _) => "application/grpc-web-text+proto",
        };
        let mut headers = Vec::new();
        if !kind.is_empty() {
            headers.push(("content-type", kind));
        }
        if self.is_connect() && self != Protocol::ConnectGet {
            headers.push(("connect-protocol-version", "1"));
        }
        if case == Case::Late {
            headers.push(match self.is_connect() {
                true => ("connect-timeout-ms", "50"),
                false => ("grpc-timeout", "50m"),
            });
        }
        headers
    }

    fn request(self, case: Case, id: u64) -> Result<Vec<Vec<u8>>, Error> {
        let shelf = format!("shelves/s{id}");
        let get = |name| self.bytes(&GetBookRequest { name, ..GetBookRequest::default() });
        let watch = |parent: &str, page_size| {
            self.bytes(&ListBooksRequest {
                parent: parent.to_owned(),
                page_size,
                ..ListBooksRequest::default()
            })
        };
        Ok(match case {
            Case::Get => vec![get(name(id))?],
            Case::Missing => vec![get(format!("{shelf}/books/lost"))?],
            Case::Late => vec![get(format!("shelves/late/books/b{id}"))?],
            Case::BadMessage => vec![match self {
                Protocol::ConnectJson | Protocol::ConnectGet => format!("{{\"name\":[{id}]}}").into(),
                // A string that is longer than its message.
                _ => b"\x0a\x09abc".to_vec(),
            }],
            Case::Echo => vec![self.bytes(&list(&shelf))?],
            Case::Watch => vec![watch(&shelf, 5)?],
            Case::HangsUp => vec![watch(&shelf, 500)?],
            Case::Broken => vec![watch("shelves/broken", 0)?],
            Case::Import | Case::BadFrame | Case::Cut => {
                let messages = titles(id).map(|title| {
                    let book = Some(Book { title, ..Book::default() });
                    let request =
                        CreateBookRequest { parent: shelf.clone(), book, ..CreateBookRequest::default() };
                    self.bytes(&request)
                });
                messages.collect::<Result<_, _>>()?
            }
        })
    }

    /// The messages of the answer, and how the call fails.
    fn answer(self, case: Case, id: u64) -> Result<(Vec<Vec<u8>>, Option<Failed>), Error> {
        let shelf = format!("shelves/s{id}");
        let failed = |number, name, text: &str| (vec![], Some(Failed(number, name, text.to_owned())));
        let all = |shelf: &str, count| {
            books(shelf, count).map(|book| self.bytes(&book)).collect::<Result<Vec<_>, _>>()
        };
        Ok(match case {
            Case::Get => (vec![self.bytes(&book(&name(id)))?], None),
            Case::Echo => (vec![self.bytes(&list(&shelf))?], None),
            Case::Watch => (all(&shelf, 5)?, None),
            Case::Import => {
                let titles = titles(id).collect();
                let done =
                    ImportBooksResponse { parent: shelf, count: 5, titles, ..ImportBooksResponse::default() };
                (vec![self.bytes(&done)?], None)
            }
            Case::Missing => failed(5, "NOT_FOUND", &format!("there is no {shelf}/books/lost")),
            Case::Broken => {
                let failed = Failed(15, "DATA_LOSS", "the shelf broke".to_owned());
                (all("shelves/broken", BROKEN_AFTER)?, Some(failed))
            }
            Case::Late => failed(4, "DEADLINE_EXCEEDED", "the deadline of the call has passed"),
            Case::BadMessage => match self {
                Protocol::ConnectJson | Protocol::ConnectGet => {
                    let text = "the message: library.v1.GetBookRequest.name: expected a string, but found a list (at line 1 column 9)";
                    failed(3, "INVALID_ARGUMENT", text)
                }
                _ => failed(
                    13,
                    "INTERNAL",
                    "library.v1.GetBookRequest.name: length of 9 bytes, but only 3 bytes are left (at byte 2)",
                ),
            },
            Case::BadFrame => match self.is_connect() {
                true => failed(
                    3,
                    "INVALID_ARGUMENT",
                    "an envelope of a request has the flags 7, but only 0 and 1 are defined",
                ),
                false => failed(
                    13,
                    "INTERNAL",
                    "protocol error: received message with invalid compression flag: 7 (valid flags are 0 and 1), while sending request",
                ),
            },
            Case::Cut | Case::HangsUp => (vec![], None),
        })
    }

    fn wanted(self, case: Case, messages: Vec<Vec<u8>>, failed: Option<&Failed>) -> Wanted {
        let is_stream = !case.is_unary();
        if self.is_connect() && !is_stream {
            return match failed {
                None => Wanted::Answer(200, messages.concat()),
                Some(failed) => {
                    let http = [(3, 400), (4, 504), (5, 404), (13, 500)];
                    let http = http.iter().find(|(number, _)| *number == failed.0);
                    Wanted::Answer(http.map_or(0, |(_, http)| *http), failed.json().into())
                }
            };
        }
        let mut body: Vec<u8> = messages.iter().flat_map(|message| frame(0, message)).collect();
        let end = match (self.is_connect(), failed) {
            (true, None) => frame(2, b"{}"),
            (true, Some(failed)) => frame(2, format!("{{\"error\":{}}}", failed.json()).as_bytes()),
            (false, None) => frame(0x80, b"grpc-status: 0\r\n"),
            (false, Some(Failed(number, _, text))) => {
                let text = format!("grpc-status: {number}\r\ngrpc-message: {}\r\n", text.replace(' ', "%20"));
                frame(0x80, text.as_bytes())
            }
        };
        body.extend(end);
        Wanted::Answer(200, body)
    }
}

impl Failed {
    fn json(&self) -> String {
        let Failed(_, code, text) = self;
        format!("{{\"code\":\"{}\",\"message\":\"{text}\"}}", code.to_lowercase())
    }
}

fn list(shelf: &str) -> ListBooksResponse {
    ListBooksResponse { books: books(shelf, 20).collect(), ..ListBooksResponse::default() }
}

fn titles(id: u64) -> impl Iterator<Item = String> {
    (0..5).map(move |number| format!("{id}-{number}"))
}

/// A frame of gRPC, or an envelope of Connect, which has the same form.
pub fn frame(flags: u8, content: &[u8]) -> Vec<u8> {
    // Contents are some kilobytes.
    let len = u32::try_from(content.len()).unwrap_or(u32::MAX);
    [&[flags][..], &len.to_be_bytes(), content].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_a_whole() {
        assert_eq!(SHARES.iter().map(|(_, share)| share).sum::<u64>(), 100);
        // So many of a hundred are bad input and bad clients.
        let bad: u64 = SHARES.iter().filter(|(case, _)| case.is_bad()).map(|(_, share)| share).sum();
        assert_eq!(bad, 19);
    }

    #[test]
    fn a_call_is_the_same_by_each_protocol() {
        let [json, get, grpc, text] =
            [Protocol::ConnectJson, Protocol::ConnectGet, Protocol::Grpc, Protocol::WebText]
                .map(|protocol| protocol.exchange(Case::Missing, 7).unwrap());
        assert_eq!(json.body, br#"{"name":"shelves/s7/books/lost"}"#);
        let wanted = br#"{"code":"not_found","message":"there is no shelves/s7/books/lost"}"#;
        assert_eq!(json.wanted, Wanted::Answer(404, wanted.to_vec()));
        assert_eq!(
            get.path,
            "/library.v1.Library/GetBook?connect=v1&encoding=json&base64=1&\
             message=eyJuYW1lIjoic2hlbHZlcy9zNy9ib29rcy9sb3N0In0"
        );
        assert_eq!((get.wanted, get.told), (json.wanted, Told::Code("GetBook", "NOT_FOUND")));
        assert_eq!(grpc.body, b"\0\0\0\0\x17\x0a\x15shelves/s7/books/lost");
        let wanted = b"\x80\0\0\0\x47grpc-status: 5\r\n\
                       grpc-message: there%20is%20no%20shelves/s7/books/lost\r\n";
        assert_eq!(grpc.wanted, Wanted::Answer(200, wanted.to_vec()));
        assert_eq!(text.body, b"AAAAABcKFXNoZWx2ZXMvczcvYm9va3MvbG9zdA==");
        assert_eq!(text.wanted, grpc.wanted);
    }
}
