//! Whether an answer is the right one, and memory stays as it is.

use tobu_gateway_bench::Error;

use crate::calls::frame;
use crate::client::Came;
use crate::kinds::Wanted;

/// The verdict on an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Exactly the expected answer.
    Exact,
    /// That the server behind cannot be reached, while it could not; or that a body took too long, when it did.
    Excused,
}

/// Judges an answer. The server behind was `away` for some of the time.
///
/// # Errors
/// It is something else.
pub fn judge(wanted: &Wanted, came: &Came, away: bool) -> Result<Verdict, String> {
    let (status, body, found, bytes) = match (wanted, came) {
        (Wanted::Nothing, None) => return Ok(Verdict::Exact),
        (Wanted::Nothing, Some((found, bytes))) => (&0, &[][..], found, bytes),
        (Wanted::Answer(..), None) => return Err("nobody waited for the answer".to_owned()),
        (Wanted::Answer(status, body), Some((found, bytes))) => (status, &**body, found, bytes),
    };
    if status == found && body == bytes {
        return Ok(Verdict::Exact);
    }
    match away && is_unreachable(*found, bytes, body) {
        true => Ok(Verdict::Excused),
        false => {
            let [came, wanted] = [&**bytes, body].map(|bytes| bytes.escape_ascii().to_string());
            Err(format!("{found} {came}\n  came, and wanted was\n  {status} {wanted}"))
        }
    }
}

/// How the statuses of REST, and those of Connect, begin.
const UNAVAILABLE: [&[u8]; 2] = [b"{\"code\":14,", b"{\"code\":\"unavailable\","];
/// How the last one of a stream begins: of lines and arrays, of Connect, and of gRPC and gRPC-Web.
const ENDS: [&[u8]; 3] =
    [b"{\"error\":{\"code\":14,", b"{\"error\":{\"code\":\"unavailable\",", b"grpc-status: 14\r\n"];

/// A status that says so, or a stream that begins as it should and ends with one.
fn is_unreachable(found: u16, came: &[u8], wanted: &[u8]) -> bool {
    match found {
        503 => UNAVAILABLE.iter().any(|start| came.starts_with(start)),
        200 => ENDS.iter().any(|end| {
            let last = came.windows(end.len()).rposition(|bytes| bytes == *end);
            let Some((begin, end)) = last.map(|at| came.split_at(at)) else { return false };
            // In a frame of its own, a status may be all that there is.
            for flags in [0x80, 2] {
                let header = &frame(flags, end)[..5];
                if let Some(begin) = begin.strip_suffix(header) {
                    return wanted.starts_with(begin);
                }
            }
            let begin = begin.strip_suffix(b"event: error\ndata: ").unwrap_or(begin);
            !begin.is_empty() && wanted.starts_with(begin.strip_suffix(b",").unwrap_or(begin))
        }),
        _ => false,
    }
}

/// KiB of memory, with how many requests were done by then.
#[derive(Debug, Default)]
pub struct Memory {
    samples: Vec<(u64, u64)>,
}

/// The most memory at the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peaks {
    /// From a tenth of the requests to half of them.
    pub first: u64,
    /// After that.
    pub second: u64,
}

/// The memory that the second half may need more than the first, in KiB.
const ALLOWANCE: u64 = 4 << 10;

impl Memory {
    /// Notes a sample.
    pub fn note(&mut self, done: u64, kib: u64) {
        self.samples.push((done, kib));
    }

    /// The peaks of a run of so many requests.
    ///
    /// # Errors
    /// There are too few samples.
    pub fn peaks(&self, requests: u64) -> Result<Peaks, Error> {
        let most = |from: u64, to: u64| {
            let within = self.samples.iter().filter(|(done, _)| (from..to).contains(done));
            within.map(|(_, kib)| *kib).max().ok_or("there are too few samples of memory")
        };
        Ok(Peaks { first: most(requests / 10, requests / 2)?, second: most(requests / 2, u64::MAX)? })
    }
}

impl Peaks {
    /// Whether the second half needs no more than the first, within 3 % and 4 MiB.
    pub fn are_flat(self) -> bool {
        self.second <= self.first + self.first * 3 / 100 + ALLOWANCE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted() -> Wanted {
        Wanted::Answer(200, b"{\"a\":1}\n{\"a\":2}\n".to_vec())
    }

    fn came(status: u16, body: &str) -> Came {
        Some((status, body.as_bytes().to_vec()))
    }

    #[test]
    fn answers_are_exact() {
        let right = came(200, "{\"a\":1}\n{\"a\":2}\n");
        assert_eq!(judge(&wanted(), &right, false), Ok(Verdict::Exact));
        assert_eq!(judge(&Wanted::Nothing, &None, false), Ok(Verdict::Exact));
        let short = came(200, "{\"a\":1}\n");
        assert!(judge(&wanted(), &short, true).is_err());
        assert!(judge(&wanted(), &None, true).is_err());
        assert!(judge(&Wanted::Nothing, &right, true).is_err());
    }

    #[test]
    fn the_server_behind_is_an_excuse_while_it_is_away() {
        for (status, body) in [
            (503, "{\"code\":14,\"message\":\"x\"}"),
            (200, "{\"a\":1}\n{\"error\":{\"code\":14,\"message\":\"x\"}}\n"),
        ] {
            assert_eq!(judge(&wanted(), &came(status, body), true), Ok(Verdict::Excused));
            assert!(judge(&wanted(), &came(status, body), false).is_err());
        }
        for (status, body) in [
            (503, "{\"code\":13,\"message\":\"x\"}"),
            (500, "{\"code\":14,\"message\":\"x\"}"),
            (200, "{\"a\":2}\n{\"error\":{\"code\":14,\"message\":\"x\"}}\n"),
        ] {
            assert!(judge(&wanted(), &came(status, body), true).is_err());
        }
    }

    #[test]
    fn frames_may_end_with_an_excuse() {
        let [one, two] = [frame(0, b"one"), frame(0, b"two")];
        let wanted = Wanted::Answer(200, [&one[..], &two, &frame(0x80, b"grpc-status: 0\r\n")].concat());
        let away = frame(0x80, b"grpc-status: 14\r\ngrpc-message: away\r\n");
        let connect = frame(2, br#"{"error":{"code":"unavailable","message":"away"}}"#);
        for end in [away, connect] {
            for begin in [&[][..], &one] {
                let came = Some((200, [begin, &end].concat()));
                assert_eq!(judge(&wanted, &came, true), Ok(Verdict::Excused));
                assert!(judge(&wanted, &came, false).is_err());
            }
            assert!(judge(&wanted, &Some((200, [&two[..], &end].concat())), true).is_err());
        }
        let other = Some((200, frame(0x80, b"grpc-status: 13\r\n")));
        assert!(judge(&wanted, &other, true).is_err());
    }

    #[test]
    fn memory_is_flat_or_grows() {
        let peaks = |last| {
            let mut memory = Memory::default();
            for (done, kib) in [(5, 90_000), (20, 50_000), (60, 40_000), (100, last)] {
                memory.note(done, kib);
            }
            memory.peaks(100).unwrap()
        };
        assert_eq!(peaks(55_596), Peaks { first: 50_000, second: 55_596 });
        assert!(peaks(55_596).are_flat());
        assert!(!peaks(55_597).are_flat());
    }
}
