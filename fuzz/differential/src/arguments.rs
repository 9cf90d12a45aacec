//! The command line.

use crate::exchange::Format;
use crate::peers::NAMES;

pub struct Arguments {
    pub peers: Vec<&'static str>,
    pub count: u64,
    pub seed: u64,
    /// Whether every peer must be there.
    pub require: bool,
    /// The one input that is tried.
    pub input: Option<Input>,
}

/// An input of the command line.
#[derive(Clone, Debug, Default)]
pub struct Input {
    pub schema: u64,
    pub message: String,
    pub read: Option<Format>,
    pub write: Option<Format>,
    pub bytes: Vec<u8>,
}

impl Arguments {
    /// Those of the program; `None` where they are not understood.
    pub fn read() -> Option<Self> {
        let mut arguments =
            Arguments { peers: NAMES.to_vec(), count: 10_000, seed: 1, require: false, input: None };
        let mut given = std::env::args().skip(1);
        while let Some(option) = given.next() {
            if option == "--require" {
                arguments.require = true;
                continue;
            }
            let value = given.next()?;
            let format = || Format::ALL.into_iter().find(|format| format.name() == value);
            let input = || arguments.input.clone().unwrap_or_default();
            match &*option {
                "--count" => arguments.count = value.parse().ok()?,
                "--seed" => arguments.seed = value.parse().ok()?,
                "--peer" => arguments.peers = vec![NAMES.into_iter().find(|name| *name == value)?],
                "--schema" => arguments.input = Some(Input { schema: value.parse().ok()?, ..input() }),
                "--message" => arguments.input = Some(Input { message: value, ..input() }),
                "--read" => arguments.input = Some(Input { read: Some(format()?), ..input() }),
                "--write" => arguments.input = Some(Input { write: Some(format()?), ..input() }),
                "--input" => arguments.input = Some(Input { bytes: from_hex(&value)?, ..input() }),
                _ => return None,
            }
        }
        Some(arguments)
    }
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes().chunks(2);
    digits.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}
