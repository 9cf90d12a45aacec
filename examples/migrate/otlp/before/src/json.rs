//! Implements the parts of OTLP/JSON that differ from the output of serde's derive.

use serde::{Deserialize, Deserializer, Serializer, de::Error};

/// Writes and reads ids in hexadecimal.
pub mod hex {
    use super::*;

    pub fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        serializer.serialize_str(&digits)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        let digits = String::deserialize(deserializer)?;
        let byte = |at| u8::from_str_radix(digits.get(at..at + 2).unwrap_or_default(), 16);
        (0..digits.len()).step_by(2).map(|at| byte(at).map_err(Error::custom)).collect()
    }
}

/// Writes and reads 64-bit numbers as strings.
pub mod number {
    use super::*;
    use std::fmt::Display;
    use std::str::FromStr;

    pub fn serialize<S: Serializer>(number: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(number)
    }

    pub fn deserialize<'de, D: Deserializer<'de>, T: FromStr<Err: Display>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(Error::custom)
    }
}
