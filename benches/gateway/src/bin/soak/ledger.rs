//! Whether the observer was told of every request, exactly once.

use std::collections::BTreeMap;

use tobu_gateway_bench::Error;

use crate::kinds::Told;

/// A method of HTTP, and one of gRPC, if any.
type Method = (String, String);

/// What the observer should have been told, by methods.
#[derive(Debug, Default, PartialEq)]
pub struct Ledger(BTreeMap<Method, Calls>);

#[derive(Debug, Default, PartialEq)]
struct Calls {
    by_code: BTreeMap<String, u64>,
    /// With any code.
    any: u64,
    /// With any code, or not at all.
    maybe: u64,
}

impl Ledger {
    /// Notes a request. If its answer was not exactly the expected one, its code is not known either.
    pub fn note(&mut self, method: &str, told: Told, is_exact: bool) {
        let (grpc, add): (_, fn(&mut Calls, &str)) = match told {
            Told::Nothing => return,
            Told::Code(grpc, _) if is_exact => {
                (grpc, |calls, code| *calls.by_code.entry(code.to_owned()).or_default() += 1)
            }
            Told::Code(grpc, _) | Told::Any(grpc) => (grpc, |calls, _| calls.any += 1),
            Told::Maybe(grpc) => (grpc, |calls, _| calls.maybe += 1),
        };
        let code = if let Told::Code(_, code) = told { code } else { "" };
        let grpc = if grpc.is_empty() { String::new() } else { format!("library.v1.Library.{grpc}") };
        add(self.0.entry((method.to_owned(), grpc)).or_default(), code);
    }

    /// Adds the requests of another client.
    pub fn add(&mut self, other: Ledger) {
        for (method, other) in other.0 {
            let calls = self.0.entry(method).or_default();
            for (code, count) in other.by_code {
                *calls.by_code.entry(code).or_default() += count;
            }
            calls.any += other.any;
            calls.maybe += other.maybe;
        }
    }

    /// How many requests the observer must have been told of.
    pub fn count(&self) -> u64 {
        self.0.values().map(|calls| calls.by_code.values().sum::<u64>() + calls.any).sum()
    }

    /// How the counters of the observer differ, in the text format of Prometheus with a `;` for each end of a line.
    ///
    /// # Errors
    /// The text has another form.
    pub fn differences(&self, text: &str) -> Result<Vec<String>, Error> {
        let told = Self::parse(text)?;
        let mut differences = Vec::new();
        let nothing = Calls::default();
        for method in self.0.keys().chain(told.0.keys().filter(|method| !self.0.contains_key(method))) {
            let [sent, told] = [self, &told].map(|ledger| ledger.0.get(method).unwrap_or(&nothing));
            let [all_sent, all_told] = [sent, told].map(|calls| calls.by_code.values().sum::<u64>());
            let bounds = all_sent + sent.any..=all_sent + sent.any + sent.maybe;
            if !bounds.contains(&all_told) {
                differences.push(format!("{method:?}: {all_told} were observed, and {bounds:?} were sent"));
            }
            for (code, count) in &sent.by_code {
                let found = told.by_code.get(code).unwrap_or(&0);
                if found < count {
                    differences
                        .push(format!("{method:?}: {found} ended with {code}, where {count} should have"));
                }
            }
        }
        Ok(differences)
    }

    fn parse(text: &str) -> Result<Self, Error> {
        let mut ledger = Ledger::default();
        for line in text.split(';').filter_map(|line| line.strip_prefix("tobu_transcode_requests_total{")) {
            let parts: Vec<&str> = line.split('"').collect();
            let [_, grpc, _, http, _, code, count] = parts[..] else {
                return Err(format!("the counter {line:?} has another form").into());
            };
            let count = count.trim_start_matches("} ").parse()?;
            let calls = ledger.0.entry((http.to_owned(), grpc.to_owned())).or_default();
            calls.by_code.insert(code.to_owned(), count);
        }
        Ok(ledger)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_told_of_once() {
        let mut ledger = Ledger::default();
        let told =
            [Told::Code("A", "OK"), Told::Code("A", "OK"), Told::Any("A"), Told::Maybe("A"), Told::Nothing];
        for told in told {
            ledger.note("POST", told, true);
        }
        ledger.note("GET", Told::Code("", "NOT_FOUND"), true);
        ledger.note("POST", Told::Code("A", "OK"), false);
        assert_eq!(ledger.count(), 5);
        let row = |grpc: &str, http: &str, code: &str, count: u64| {
            format!(
                "tobu_transcode_requests_total{{grpc_method=\"{grpc}\",http_method=\"{http}\",code=\"{code}\"}} {count};"
            )
        };
        let a = "library.v1.Library.A";
        let lost = row("", "GET", "NOT_FOUND", 1);
        for (more, wanted) in [
            (row(a, "POST", "OK", 4), &[][..]),
            (row(a, "POST", "OK", 5), &[]),
            (row(a, "POST", "OK", 2) + &row(a, "POST", "CANCELLED", 2), &[]),
            (
                row(a, "POST", "OK", 3),
                &["(\"POST\", \"library.v1.Library.A\"): 3 were observed, and 4..=5 were sent"],
            ),
            (
                row(a, "POST", "OK", 6),
                &["(\"POST\", \"library.v1.Library.A\"): 6 were observed, and 4..=5 were sent"],
            ),
            (
                row(a, "POST", "OK", 1) + &row(a, "POST", "CANCELLED", 3),
                &["(\"POST\", \"library.v1.Library.A\"): 1 ended with OK, where 2 should have"],
            ),
            (
                row(a, "POST", "OK", 4) + &row("", "PUT", "OK", 1),
                &["(\"PUT\", \"\"): 1 were observed, and 0..=0 were sent"],
            ),
        ] {
            assert_eq!(ledger.differences(&format!("{lost}{more}")).unwrap(), wanted);
        }
    }
}
