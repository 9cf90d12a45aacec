//! The JSON form of the paths of a field mask: camel case, comma-separated.
//!
//! Names no message: only strings. Specification: <https://protobuf.dev/programming-guides/json/#field-masks>.

use super::text::quoted;
use crate::error::{Error, Result};

/// Writes paths; only those that are the same when they are read again.
pub(crate) fn to_json(paths: &[&str]) -> Result<String> {
    let mut text = String::new();
    for path in paths {
        let error = |problem: &str| {
            Error::ty(format!("the path {} of a field mask has no form in JSON: {problem}", quoted(path)))
        };
        if path.is_empty() {
            return Err(error("it is empty"));
        }
        if !text.is_empty() {
            text.push(',');
        }
        let mut chars = path.chars();
        while let Some(c) = chars.next() {
            match c {
                '_' => match chars.next() {
                    Some(c) if c.is_ascii_lowercase() => text.push(c.to_ascii_uppercase()),
                    _ => return Err(error("an underscore is not followed by a lower-case letter")),
                },
                'A'..='Z' => return Err(error("it has an upper-case letter")),
                ',' => return Err(error("it has a comma")),
                _ => text.push(c),
            }
        }
        if !has_names(path) {
            return Err(error(NO_NAME));
        }
    }
    Ok(text)
}

/// Reads paths; only those that are the same when they are written again.
pub(crate) fn from_json(text: &str) -> Result<Vec<String>> {
    let mut paths = Vec::new();
    for path in split(text)? {
        if !has_names(path) {
            return Err(Error::ty(format!(
                "the path {} of a field mask is invalid: {NO_NAME}",
                quoted(path)
            )));
        }
        let mut snake = String::with_capacity(path.len() + 4);
        for c in path.chars() {
            match c {
                'A'..='Z' => {
                    snake.push('_');
                    snake.push(c.to_ascii_lowercase());
                }
                '_' => {
                    let path = quoted(path);
                    return Err(Error::ty(format!(
                        "the path {path} of a field mask has an underscore in JSON"
                    )));
                }
                _ => snake.push(c),
            }
        }
        paths.push(snake);
    }
    Ok(paths)
}

const NO_NAME: &str = "a part between dots is neither the name of a field nor `*`";

/// True for a path of names as fields have them, and of `*`, which APIs let stand for all.
fn has_names(path: &str) -> bool {
    path.split('.').all(|part| {
        let mut bytes = part.bytes();
        let starts = bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_');
        part == "*" || starts && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

/// The paths between the commas of a text.
pub(crate) fn split(text: &str) -> Result<Vec<&str>> {
    let mut paths = Vec::new();
    if text.is_empty() {
        return Ok(paths);
    }
    for path in text.split(',') {
        if path.is_empty() {
            return Err(Error::ty(format!("{} is not a field mask: a path is empty", quoted(text))));
        }
        paths.push(path);
    }
    Ok(paths)
}
