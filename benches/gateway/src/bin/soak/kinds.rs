//! Requests by number, of all protocols.

use tobu_gateway_bench::Error;

use crate::calls::{Case, Protocol};
use crate::rest::Rest;

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

/// How the bytes of answers are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wire {
    /// The body over HTTP/1.1, as it is.
    Http,
    /// Over HTTP/2, with the trailers as the last frame that they are in gRPC-Web.
    Grpc,
    /// Over HTTP/1.1, with a status among the headers as a last frame.
    Web,
    /// Base64 of that.
    WebText,
}

/// The expected answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Exactly this.
    Answer(u16, Vec<u8>),
    /// The client is gone, or does not listen.
    Nothing,
}

/// What the observer is told of a request: the method of gRPC, and how its call ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// With this code, if the answer is the expected one.
    Code(&'static str, &'static str),
    /// With one that depends on who is faster.
    Any(&'static str),
    /// So, or the request did not arrive.
    Maybe(&'static str),
    /// The head of the request is no whole one.
    Nothing,
}

/// A request, and the expected answer.
#[derive(Clone, Debug)]
pub struct Exchange {
    pub method: &'static str,
    pub path: String,
    pub headers: Vec<(&'static str, &'static str)>,
    pub body: Vec<u8>,
    pub wire: Wire,
    pub manner: Manner,
    pub wanted: Wanted,
    pub told: Told,
}

/// The kinds of requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Rest(Rest),
    Call(Protocol, Case),
}

impl Kind {
    /// The kind of a request by its number: half of them are REST.
    pub fn of(id: u64) -> Self {
        let random = mix(id);
        match random % 2 {
            0 => Kind::Rest(Rest::of(random / 2)),
            _ => Protocol::of(random / 2),
        }
    }

    /// Whether the client or its input is at fault.
    pub fn is_bad(self) -> bool {
        match self {
            Kind::Rest(kind) => kind.is_bad(),
            Kind::Call(_, case) => case.is_bad(),
        }
    }

    /// The request of a number.
    ///
    /// # Errors
    /// None, where messages are valid.
    pub fn exchange(self, id: u64) -> Result<Exchange, Error> {
        match self {
            Kind::Rest(kind) => kind.exchange(id),
            Kind::Call(protocol, case) => protocol.exchange(case, id),
        }
    }
}

/// The book that a request is about.
pub fn name(id: u64) -> String {
    format!("shelves/s{}/books/b{id}", id % 97)
}

/// Numbers that look random, always the same (splitmix64).
pub fn mix(id: u64) -> u64 {
    let mut mixed = id.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
