//! Writes the JSON values of a stream of responses.

use http::HeaderMap;
use http::header::ACCEPT;

/// The form of the body of a response with a stream of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Framing {
    /// Lines, with one value each: `application/x-ndjson`.
    Lines,
    /// Events, with one value each: `text/event-stream`.
    ///
    /// Specification: <https://html.spec.whatwg.org/multipage/server-sent-events.html>.
    Events,
    /// One JSON array, whose elements are the values: `application/json`.
    Array,
}

impl Framing {
    /// Returns the framing that a client prefers, according to its header `Accept`. Returns [`Framing::Lines`] if the header
    /// names no framing.
    ///
    /// ```
    /// use http::{HeaderMap, HeaderValue};
    /// use tobu_transcode::Framing;
    ///
    /// let mut headers = HeaderMap::new();
    /// assert_eq!(Framing::of_accept(&headers), Framing::Lines);
    /// headers.insert("accept", HeaderValue::from_static("application/json;q=0.5, text/event-stream"));
    /// assert_eq!(Framing::of_accept(&headers), Framing::Events);
    /// ```
    pub fn of_accept(headers: &HeaderMap) -> Self {
        let mut best = (0, Framing::Lines);
        let values = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
        for range in values.flat_map(|value| value.split(',')) {
            let mut parts = range.split(';').map(str::trim);
            let name = parts.next().unwrap_or_default().to_ascii_lowercase();
            let framing = match &*name {
                "application/x-ndjson" | "application/ndjson" | "application/jsonl" => Framing::Lines,
                "text/event-stream" => Framing::Events,
                "application/json" => Framing::Array,
                _ => continue,
            };
            let weight = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
            let weight = weight.map_or(1.0, |weight| weight.parse::<f32>().unwrap_or(0.0));
            // A weight has at most three digits after the point, so thousandths are exact.
            let weight = (weight.clamp(0.0, 1.0) * 1000.0) as u32;
            if weight > best.0 {
                best = (weight, framing);
            }
        }
        best.1
    }

    /// Returns the content type.
    pub fn content_type(self) -> &'static str {
        match self {
            Framing::Lines => "application/x-ndjson",
            Framing::Events => "text/event-stream",
            Framing::Array => "application/json",
        }
    }
}

/// Writes the values of a stream to the body of a response.
///
/// ```
/// use tobu_transcode::{Framing, StreamEncoder};
///
/// let mut encoder = StreamEncoder::new(Framing::Array);
/// let mut body = Vec::new();
/// encoder.value(b"{}", &mut body);
/// encoder.value(b"{}", &mut body);
/// encoder.finish(&mut body);
/// assert_eq!(body, b"[{},{}]");
/// ```
#[derive(Clone, Debug)]
pub struct StreamEncoder {
    framing: Framing,
    wrapped: bool,
    any: bool,
}

impl StreamEncoder {
    /// Creates an encoder for a new stream.
    pub fn new(framing: Framing) -> Self {
        StreamEncoder { framing, wrapped: false, any: false }
    }

    /// Sets whether values are wrapped in `{"result": ...}`.
    #[must_use]
    pub fn wrapped(mut self, yes: bool) -> Self {
        self.wrapped = yes;
        self
    }

    /// Appends a value.
    pub fn value(&mut self, json: &[u8], out: &mut Vec<u8>) {
        match self.wrapped {
            true => self.element("", &[br#"{"result":"#, json, b"}"], out),
            false => self.element("", &[json], out),
        }
    }

    /// Appends `{"error": status}`, the last element of a stream that failed, and the end of the body. In a stream of events,
    /// this event has the name `error`.
    pub fn error(&mut self, status: &str, out: &mut Vec<u8>) {
        self.element("event: error\n", &[br#"{"error":"#, status.as_bytes(), b"}"], out);
        self.finish(out);
    }

    fn element(&mut self, event: &str, parts: &[&[u8]], out: &mut Vec<u8>) {
        match self.framing {
            Framing::Lines => {}
            Framing::Events => {
                out.extend_from_slice(event.as_bytes());
                out.extend_from_slice(b"data: ");
            }
            Framing::Array => out.push(if self.any { b',' } else { b'[' }),
        }
        self.any = true;
        let start = out.len();
        parts.iter().for_each(|part| out.extend_from_slice(part));
        // JSON has line ends only between tokens, so a space can replace each of them.
        out[start..].iter_mut().filter(|byte| **byte == b'\n').for_each(|byte| *byte = b' ');
        match self.framing {
            Framing::Lines => out.push(b'\n'),
            Framing::Events => out.extend_from_slice(b"\n\n"),
            Framing::Array => {}
        }
    }

    /// Appends the end of the body.
    pub fn finish(&mut self, out: &mut Vec<u8>) {
        if self.framing == Framing::Array {
            out.extend_from_slice(if self.any { b"]" } else { b"[]" });
        }
    }
}
