//! What the command line says.

use std::path::PathBuf;

pub(crate) const USAGE: &str = "usage: gateway [--smoke] [--address HOST:PORT] [--database FILE]

  --smoke     start on a free port, play requests, check the answers, and end
  --address   where to listen; 127.0.0.1:8080 by default
  --database  where the data is kept; a temporary file by default";

#[derive(Debug, PartialEq)]
pub(crate) struct Arguments {
    pub(crate) smoke: bool,
    pub(crate) address: String,
    pub(crate) database: Option<PathBuf>,
}

impl Arguments {
    /// # Errors
    /// There is no such argument, or it has no value.
    pub(crate) fn of(mut given: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut arguments = Arguments { smoke: false, address: "127.0.0.1:8080".to_owned(), database: None };
        while let Some(argument) = given.next() {
            let mut value = || given.next().ok_or_else(|| format!("{argument} needs a value"));
            match argument.as_str() {
                "--smoke" => arguments.smoke = true,
                "--address" => arguments.address = value()?,
                "--database" => arguments.database = Some(value()?.into()),
                _ => return Err(format!("there is no argument {argument:?}")),
            }
        }
        Ok(arguments)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(arguments: &[&str]) -> Result<Arguments, String> {
        Arguments::of(arguments.iter().map(|&argument| argument.to_owned()))
    }

    #[test]
    fn arguments() {
        let none = Arguments { smoke: false, address: "127.0.0.1:8080".to_owned(), database: None };
        assert_eq!(given(&[]), Ok(none));
        let all = ["--smoke", "--address", "[::1]:0", "--database", "x.redb"];
        let wanted =
            Arguments { smoke: true, address: "[::1]:0".to_owned(), database: Some("x.redb".into()) };
        assert_eq!(given(&all), Ok(wanted));
        assert_eq!(given(&["--port"]), Err("there is no argument \"--port\"".to_owned()));
        assert_eq!(given(&["--address"]), Err("--address needs a value".to_owned()));
    }
}
