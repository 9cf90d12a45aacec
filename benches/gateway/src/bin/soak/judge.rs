//! Whether an answer is the right one, and memory stays as it is.

use tobu_gateway_bench::Error;

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
    let (status, body, found, text) = match (wanted, came) {
        (Wanted::Nothing, None) => return Ok(Verdict::Exact),
        (Wanted::Nothing, Some((found, text))) => (&0, "", found, text),
        (Wanted::Answer(..), None) => return Err("nobody waited for the answer".to_owned()),
        (Wanted::Answer(status, body), Some((found, text))) => (status, &**body, found, text),
    };
    if status == found && body.as_bytes() == text {
        return Ok(Verdict::Exact);
    }
    let text = String::from_utf8_lossy(text);
    match away && is_unreachable(*found, &text, body) {
        true => Ok(Verdict::Excused),
        false => Err(format!("{found} {text}\n  came, and wanted was\n  {status} {body}")),
    }
}

const UNAVAILABLE: &str = "{\"code\":14,";

/// A status that says so, or a stream that begins as it should and ends with one.
fn is_unreachable(found: u16, text: &str, wanted: &str) -> bool {
    match found {
        503 => text.starts_with(UNAVAILABLE),
        200 => {
            let last = text.rfind("{\"error\":{\"code\":14,");
            let begin = last.map(|at| &text[..at]).unwrap_or_default();
            let begin = begin.strip_suffix("event: error\ndata: ").unwrap_or(begin);
            !begin.is_empty() && wanted.starts_with(begin.trim_end_matches(','))
        }
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
        Wanted::Answer(200, "{\"a\":1}\n{\"a\":2}\n".to_owned())
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
