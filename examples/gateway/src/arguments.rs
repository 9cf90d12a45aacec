//! Parses the command line.

use std::path::PathBuf;

use crate::rate;

pub(crate) const USAGE: &str = "usage: gateway [--smoke] [--address HOST:PORT] [--database FILE] [GUARDS]
       gateway --proxy URL [--descriptors FILE] [--ca FILE] [--address HOST:PORT] [GUARDS]

  --smoke        start on a free port, play requests, check the answers, and end
  --address      where to listen; 127.0.0.1:8080 by default
  --database     where the data is kept; a temporary file by default
  --proxy        stand in front of the gRPC server at this URL
  --descriptors  take its schema from this descriptor set, and follow its changes; without it, the
                 server is asked by its reflection service
  --ca           trust what this authority vouches for, too, where the URL is of https; a PEM file

guards:
  --cert, --key  speak TLS with the certificates in this file and the key in that one, both PEM
  --token-file   ask for the bearer token in the first line of this file, but for methods that only read the library
  --rate         how many requests a client may make by the second, and at once; 100 by default";

#[derive(Debug, PartialEq)]
pub(crate) struct Arguments {
    pub(crate) smoke: bool,
    pub(crate) address: String,
    pub(crate) database: Option<PathBuf>,
    pub(crate) proxy: Option<String>,
    pub(crate) descriptors: Option<PathBuf>,
    pub(crate) ca: Option<PathBuf>,
    pub(crate) token: Option<PathBuf>,
    pub(crate) rate: u32,
    /// The file of the certificate and the file of its private key.
    pub(crate) tls: Option<(PathBuf, PathBuf)>,
}

impl Default for Arguments {
    fn default() -> Self {
        Arguments {
            smoke: false,
            address: "127.0.0.1:8080".to_owned(),
            database: None,
            proxy: None,
            descriptors: None,
            ca: None,
            token: None,
            rate: rate::DEFAULT,
            tls: None,
        }
    }
}

impl Arguments {
    /// Parses the arguments.
    ///
    /// # Errors
    /// An argument is unknown, lacks its value, has a value that is not valid, or does not go with another argument.
    pub(crate) fn of(mut given: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut arguments = Arguments::default();
        let (mut cert, mut key) = (None, None);
        while let Some(argument) = given.next() {
            let mut value = || given.next().ok_or_else(|| format!("{argument} needs a value"));
            match argument.as_str() {
                "--smoke" => arguments.smoke = true,
                "--address" => arguments.address = value()?,
                "--database" => arguments.database = Some(value()?.into()),
                "--proxy" => arguments.proxy = Some(value()?),
                "--descriptors" => arguments.descriptors = Some(value()?.into()),
                "--ca" => arguments.ca = Some(value()?.into()),
                "--token-file" => arguments.token = Some(value()?.into()),
                "--cert" => cert = Some(value()?.into()),
                "--key" => key = Some(value()?.into()),
                "--rate" => arguments.rate = per_second(&value()?)?,
                _ => return Err(format!("there is no argument {argument:?}")),
            }
        }
        arguments.tls = match (cert, key) {
            (Some(cert), Some(key)) => Some((cert, key)),
            (None, None) => None,
            _ => return Err("--cert and --key need each other".to_owned()),
        };
        match &arguments {
            Arguments { proxy: None, descriptors: Some(_), .. } => {
                Err("--descriptors is for --proxy".to_owned())
            }
            Arguments { proxy: None, ca: Some(_), .. } => Err("--ca is for --proxy".to_owned()),
            Arguments { proxy: Some(_), database: Some(_), .. } => {
                Err("a proxy has no --database".to_owned())
            }
            _ => Ok(arguments),
        }
    }
}

fn per_second(text: &str) -> Result<u32, String> {
    let rate = text.parse().ok().filter(|&rate| rate > 0);
    rate.ok_or_else(|| format!("--rate needs a number of at least 1, not {text:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(arguments: &[&str]) -> Result<Arguments, String> {
        Arguments::of(arguments.iter().map(|&argument| argument.to_owned()))
    }

    #[test]
    fn arguments() {
        assert_eq!(given(&[]), Ok(Arguments::default()));
        let address = "[::1]:0".to_owned();
        let wanted =
            Arguments { smoke: true, address, database: Some("x.redb".into()), ..Arguments::default() };
        assert_eq!(given(&["--smoke", "--address", "[::1]:0", "--database", "x.redb"]), Ok(wanted));
        let wanted = Arguments {
            proxy: Some("http://x".to_owned()),
            descriptors: Some("x.binpb".into()),
            ca: Some("x.pem".into()),
            ..Arguments::default()
        };
        assert_eq!(given(&["--proxy", "http://x", "--descriptors", "x.binpb", "--ca", "x.pem"]), Ok(wanted));
        assert_eq!(given(&["--descriptors", "x"]), Err("--descriptors is for --proxy".to_owned()));
        assert_eq!(given(&["--ca", "x"]), Err("--ca is for --proxy".to_owned()));
        let both = ["--proxy", "http://x", "--database", "x"];
        assert_eq!(given(&both), Err("a proxy has no --database".to_owned()));
        assert_eq!(given(&["--port"]), Err("there is no argument \"--port\"".to_owned()));
        let wanted = Arguments { token: Some("t".into()), rate: 7, ..Arguments::default() };
        assert_eq!(given(&["--token-file", "t", "--rate", "7"]), Ok(wanted));
        let wanted = Arguments { tls: Some(("c".into(), "k".into())), ..Arguments::default() };
        assert_eq!(given(&["--cert", "c", "--key", "k"]), Ok(wanted));
        assert_eq!(given(&["--key", "k"]), Err("--cert and --key need each other".to_owned()));
        for text in ["0", "-1", "fast"] {
            let error = format!("--rate needs a number of at least 1, not {text:?}");
            assert_eq!(given(&["--rate", text]), Err(error));
        }
        assert_eq!(given(&["--address"]), Err("--address needs a value".to_owned()));
    }
}
