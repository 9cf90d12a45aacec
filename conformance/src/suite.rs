//! Requests and answers.

/// The messages of the suite.
#[allow(missing_docs, reason = "written by others")]
mod open {
    include!(concat!(env!("OUT_DIR"), "/open.rs"));
}

/// The same with private members.
#[allow(missing_docs, reason = "written by others")]
mod opaque {
    include!(concat!(env!("OUT_DIR"), "/opaque.rs"));
}

use crate::Via;
use open::conformance::conformance_request::Payload;
use open::conformance::conformance_response::Result as Answer;
use open::conformance::{ConformanceRequest, ConformanceResponse, TestCategory, WireFormat};
use std::io::{Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use tobu::{DynamicMessage, Encode, Message, Parsed, Pool, convert, json, text};

type Failure = Box<dyn std::error::Error>;

/// Answers requests until there are no more.
pub(crate) fn run(
    via: Via,
    mut requests: impl Read,
    mut answers: impl Write,
) -> std::result::Result<(), Failure> {
    let pool = Pool::from_descriptor_set(include_bytes!(env!("CONFORMANCE_FDS")))?;
    let mut bytes = Vec::new();
    loop {
        let mut length = [0; 4];
        match requests.read_exact(&mut length) {
            Ok(()) => {}
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => return Ok(()),
            Err(error) => return Err(error.into()),
        }
        bytes.resize(u32::from_le_bytes(length) as usize, 0);
        requests.read_exact(&mut bytes)?;
        let request: ConformanceRequest = tobu::from_slice(&bytes)?;
        let answer = catch_unwind(AssertUnwindSafe(|| Test { via, pool: &pool, request: &request }.answer()))
            .unwrap_or_else(|_| Answer::RuntimeError("it panicked".into()));
        let response = tobu::to_vec(&ConformanceResponse { result: Some(answer), ..Default::default() })?;
        answers.write_all(&u32::try_from(response.len())?.to_le_bytes())?;
        answers.write_all(&response)?;
        answers.flush()?;
    }
}

/// Answers by the types of a module: they have the same names in both.
macro_rules! generated {
    ($test:ident, $module:ident, $answer:ident) => {{
        use $module::protobuf_test_messages::{edition_unstable, editions, proto2, proto3};
        match $test.request.message_type.strip_prefix("protobuf_test_messages.") {
            Some("proto2.TestAllTypesProto2") => $test.$answer::<proto2::TestAllTypesProto2>(),
            Some("proto3.TestAllTypesProto3") => $test.$answer::<proto3::TestAllTypesProto3>(),
            Some("editions.TestAllTypesEdition2023") => $test.$answer::<editions::TestAllTypesEdition2023>(),
            Some("editions.proto2.TestAllTypesProto2") => {
                $test.$answer::<editions::proto2::TestAllTypesProto2>()
            }
            Some("editions.proto3.TestAllTypesProto3") => {
                $test.$answer::<editions::proto3::TestAllTypesProto3>()
            }
            Some("edition_unstable.TestAllTypesEditionUnstable") => {
                $test.$answer::<edition_unstable::TestAllTypesEditionUnstable>()
            }
            _ => Answer::Skipped(format!("no type {}", $test.request.message_type)),
        }
    }};
}

/// One request.
#[derive(Clone, Copy)]
struct Test<'a> {
    via: Via,
    pool: &'a Pool,
    request: &'a ConformanceRequest,
}

impl Test<'_> {
    fn answer(self) -> Answer {
        let from = match self.request.payload {
            Some(Payload::ProtobufPayload(_)) => WireFormat::PROTOBUF,
            Some(Payload::JsonPayload(_)) => WireFormat::JSON,
            Some(Payload::TextPayload(_)) => WireFormat::TEXT_FORMAT,
            _ => return Answer::Skipped("no payload of a format that there is here".into()),
        };
        let to = self.request.requested_output_format;
        if ![WireFormat::PROTOBUF, WireFormat::JSON, WireFormat::TEXT_FORMAT].contains(&to) {
            return Answer::Skipped("no format that there is here".into());
        }
        match self.via {
            Via::Transcode if from != to => self.transcode(),
            Via::Transcode | Via::Dynamic => self.dynamic(),
            Via::Typed => generated!(self, open, typed),
            Via::Opaque => generated!(self, opaque, typed),
            Via::View => generated!(self, open, parsed),
        }
    }

    fn options(self) -> json::Options {
        let ignore = self.request.test_category == TestCategory::JSON_IGNORE_UNKNOWN_PARSING_TEST;
        json::Options::new().ignore_unknown(ignore).pool(self.pool)
    }

    fn text_options(self) -> text::Options {
        text::Options::new().unknown_fields(self.request.print_unknown_fields).pool(self.pool)
    }

    fn typed<T: Message + tobu::Serialize + for<'de> tobu::Deserialize<'de>>(self) -> Answer {
        let parsed: tobu::Result<T> = match &self.request.payload {
            Some(Payload::ProtobufPayload(bytes)) => tobu::from_slice(bytes),
            Some(Payload::JsonPayload(text)) => self.options().from_str(text),
            Some(Payload::TextPayload(text)) => self.text_options().from_str(text),
            _ => return Answer::Skipped("no payload".into()),
        };
        match parsed {
            Err(error) => Answer::ParseError(error.to_string()),
            Ok(message) => match message.as_reflect().check_extensions(self.pool) {
                Err(error) => Answer::ParseError(error.to_string()),
                Ok(()) => self.written(&message, || tobu::to_vec(&message)),
            },
        }
    }

    fn parsed<T: Message>(self) -> Answer {
        let parsed = match &self.request.payload {
            Some(Payload::ProtobufPayload(bytes)) => Parsed::<T>::decode(bytes),
            Some(Payload::JsonPayload(text)) => Parsed::from_json_with(text.as_bytes(), &self.options()),
            Some(Payload::TextPayload(text)) => Parsed::from_text_with(text.as_bytes(), &self.text_options()),
            _ => return Answer::Skipped("no payload".into()),
        };
        match parsed {
            Err(error) => Answer::ParseError(error.to_string()),
            Ok(message) => match message.reflect().check_extensions(self.pool) {
                Err(error) => Answer::ParseError(error.to_string()),
                Ok(()) => self.written(&message, || message.encode_to_vec()),
            },
        }
    }

    fn dynamic(self) -> Answer {
        let Some(descriptor) = self.pool.message(&self.request.message_type) else {
            return Answer::Skipped(format!("no type {}", self.request.message_type));
        };
        let parsed = match &self.request.payload {
            Some(Payload::ProtobufPayload(bytes)) => DynamicMessage::decode(&descriptor, bytes),
            Some(Payload::JsonPayload(text)) => {
                DynamicMessage::from_json_with(&descriptor, text.as_bytes(), &self.options())
            }
            Some(Payload::TextPayload(text)) => {
                DynamicMessage::from_text_with(&descriptor, text.as_bytes(), &self.text_options())
            }
            _ => return Answer::Skipped("no payload".into()),
        };
        match parsed {
            Err(error) => Answer::ParseError(error.to_string()),
            Ok(message) => match message.check_extensions(self.pool) {
                Err(error) => Answer::ParseError(error.to_string()),
                Ok(()) => self.written(&message, || message.encode_to_vec()),
            },
        }
    }

    /// The message in the format that is asked for.
    fn written<M: Encode>(self, message: &M, encode: impl FnOnce() -> tobu::Result<Vec<u8>>) -> Answer {
        let written = match self.request.requested_output_format {
            WireFormat::JSON => self.options().to_string(message).map(Answer::JsonPayload),
            WireFormat::TEXT_FORMAT => self.text_options().to_string(message).map(Answer::TextPayload),
            _ => encode().map(Answer::ProtobufPayload),
        };
        written.unwrap_or_else(|error| Answer::SerializeError(error.to_string()))
    }

    /// Parsing and writing are one here; what went wrong tells them apart.
    fn transcode(self) -> Answer {
        let Some(descriptor) = self.pool.message(&self.request.message_type) else {
            return Answer::Skipped(format!("no type {}", self.request.message_type));
        };
        let (json, text, mut out) = (self.options(), self.text_options(), Vec::new());
        let to = self.request.requested_output_format;
        let (done, is_valid) = match &self.request.payload {
            Some(Payload::ProtobufPayload(bytes)) => {
                let done = match to {
                    WireFormat::JSON => convert::wire_to_json_with(&descriptor, bytes, &mut out, &json),
                    _ => convert::wire_to_text(&descriptor, bytes, &mut out, &text),
                };
                (done, DynamicMessage::decode(&descriptor, bytes).is_ok())
            }
            Some(Payload::JsonPayload(input)) => {
                let input = input.as_bytes();
                let done = match to {
                    WireFormat::PROTOBUF => convert::json_to_wire_with(&descriptor, input, &mut out, &json),
                    _ => convert::json_to_text(&descriptor, input, &mut out, &json, &text),
                };
                (done, DynamicMessage::from_json_with(&descriptor, input, &json).is_ok())
            }
            Some(Payload::TextPayload(input)) => {
                let input = input.as_bytes();
                let done = match to {
                    WireFormat::PROTOBUF => convert::text_to_wire(&descriptor, input, &mut out, &text),
                    _ => convert::text_to_json(&descriptor, input, &mut out, &text, &json),
                };
                (done, DynamicMessage::from_text_with(&descriptor, input, &text).is_ok())
            }
            _ => return Answer::Skipped("no payload".into()),
        };
        let text = |out| String::from_utf8(out).map_err(|_| "not UTF-8".to_owned());
        let answer = done.map_err(|error| error.to_string()).and_then(|()| match to {
            WireFormat::JSON => text(out).map(Answer::JsonPayload),
            WireFormat::TEXT_FORMAT => text(out).map(Answer::TextPayload),
            _ => Ok(Answer::ProtobufPayload(out)),
        });
        match answer {
            Ok(answer) => answer,
            Err(error) if is_valid => Answer::SerializeError(error),
            Err(error) => Answer::ParseError(error),
        }
    }
}
