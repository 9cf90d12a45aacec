//! `google.rpc.Status`: a code, a text, and details.

use super::{BadRequest, Code, Detail, ErrorDetails, Status};
use crate::error::{Category, Error, Result};
use crate::message::MessageName;
use crate::types::Any;

impl Status {
    /// A status without details.
    ///
    /// ```
    /// use tobu::rpc::{Code, Status};
    ///
    /// let status = Status::new(Code::NOT_FOUND, "no such book");
    /// assert_eq!(tobu::to_vec(&status)?, b"\x08\x05\x12\x0cno such book");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Status { code: code.into(), message: message.into(), ..Status::default() }
    }

    /// The code; a number that is none of `google.rpc.Code` stays what it is.
    ///
    /// ```
    /// use tobu::rpc::{Code, Status};
    ///
    /// assert_eq!(Status::new(Code::NOT_FOUND, "").code(), Code::NOT_FOUND);
    /// assert_eq!(Code::NOT_FOUND.to_string(), "NOT_FOUND");
    /// ```
    pub fn code(&self) -> Code {
        Code::from(self.code)
    }

    /// The same with more details.
    ///
    /// ```
    /// use tobu::rpc::{BadRequest, Code, Status};
    ///
    /// let wrong = BadRequest::new([("title", "it is empty")]);
    /// let status = Status::new(Code::INVALID_ARGUMENT, "no title").with_details([wrong]);
    /// assert_eq!(status.details[0].type_url, "type.googleapis.com/google.rpc.BadRequest");
    /// ```
    #[must_use]
    pub fn with_details(mut self, details: impl IntoIterator<Item: Into<Detail>>) -> Self {
        self.details.extend(details.into_iter().map(|detail| Any::from(detail.into())));
        self
    }

    /// The details, decoded where they are of one of the usual types.
    ///
    /// ```
    /// use tobu::rpc::{Code, RequestInfo, Status};
    ///
    /// let mut status = Status::new(Code::INTERNAL, "").with_details([RequestInfo::new("r-17", "")]);
    /// assert_eq!(status.error_details()?.request_info().unwrap().request_id, "r-17");
    ///
    /// status.details[0].value = b"\x0a\x04r-1".to_vec();
    /// let error = status.error_details().unwrap_err();
    /// let text = "google.rpc.Status.details[0].request_id: length of 4 bytes, but only 3 bytes are left";
    /// assert_eq!(error.to_string(), text);
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// A detail of a usual type is malformed. The member `details` has all of them as they came.
    pub fn error_details(&self) -> Result<ErrorDetails> {
        let decode = |(index, any): (usize, &Any)| {
            Detail::try_from(any.clone()).map_err(|error| {
                // A position in one detail is none in the status.
                error.nowhere().in_index(index).in_field("details").within_message(Status::FULL_NAME)
            })
        };
        self.details.iter().enumerate().map(decode).collect()
    }
}

/// What to answer to a client whose message cannot be read. The client may learn what is wrong with its message, and
/// nothing of the types and schemas of the program.
///
/// | category | code | text |
/// | --- | --- | --- |
/// | `Malformed`, `Required` | `INVALID_ARGUMENT` | that of the error; a [`BadRequest`] names the field |
/// | `Limit` | `RESOURCE_EXHAUSTED` | that of the error |
/// | others | `INTERNAL` | one for each category |
///
/// The field is the [`field_path`](Error::field_path) of the error, by names as in the schema. Indices count from zero,
/// as they do in the text.
///
/// ```
/// use tobu::rpc::{Code, Status};
/// use tobu::types::ListValue;
///
/// let error = tobu::from_slice::<ListValue>(b"\x0a\x03\x1a\x01\xff").unwrap_err();
/// let status = Status::from(&error);
/// let text = "google.protobuf.ListValue.values[0].string_value: invalid UTF-8 in a string (at byte 4)";
/// assert_eq!((status.code(), status.message.as_str()), (Code::INVALID_ARGUMENT, text));
///
/// let details = status.error_details()?;
/// let violation = &details.bad_request().unwrap().field_violations[0];
/// assert_eq!(violation.field, "values[0].string_value");
/// assert_eq!(violation.description, "invalid UTF-8 in a string");
/// # Ok::<(), tobu::Error>(())
/// ```
impl From<&Error> for Status {
    fn from(error: &Error) -> Self {
        match error.category() {
            Category::Malformed | Category::Required => {
                let status = Status::new(Code::INVALID_ARGUMENT, error.to_string());
                let field = error.field_path();
                match field.is_empty() {
                    true => status,
                    false => status.with_details([BadRequest::new([(field, error.message())])]),
                }
            }
            Category::Limit => Status::new(Code::RESOURCE_EXHAUSTED, error.to_string()),
            Category::Type => Status::new(Code::INTERNAL, "the message and its type do not fit together"),
            Category::Schema => Status::new(Code::INTERNAL, "the schema of the message is not valid"),
            Category::Io => Status::new(Code::INTERNAL, "a stream of messages failed"),
            _ => Status::new(Code::INTERNAL, "the message could not be read or written"),
        }
    }
}
