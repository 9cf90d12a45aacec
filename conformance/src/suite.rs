//! Requests and answers.

/// The messages of the suite.
#[allow(missing_docs, reason = "written by others")]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/tobu.rs"));
}

use crate::Via;
use generated::conformance::conformance_request::Payload;
use generated::conformance::conformance_response::Result as Answer;
use generated::conformance::{ConformanceRequest, ConformanceResponse, TestCategory, WireFormat};
use generated::protobuf_test_messages::{edition_unstable, editions, proto2, proto3};
use std::io::{Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use tobu::{DynamicMessage, Message, Pool, json, transcode};

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

/// One request.
#[derive(Clone, Copy)]
struct Test<'a> {
    via: Via,
    pool: &'a Pool,
    request: &'a ConformanceRequest,
}

impl Test<'_> {
    fn answer(self) -> Answer {
        let text = matches!(self.request.payload, Some(Payload::TextPayload(_) | Payload::JspbPayload(_)));
        if text || !(self.json() || self.request.requested_output_format == WireFormat::PROTOBUF) {
            return Answer::Skipped("neither binary nor JSON".into());
        }
        let differ = matches!(self.request.payload, Some(Payload::JsonPayload(_))) != self.json();
        match self.via {
            Via::Transcode if differ => self.transcode(),
            Via::Transcode | Via::Dynamic => self.dynamic(),
            Via::Typed => match self.request.message_type.strip_prefix("protobuf_test_messages.") {
                Some("proto2.TestAllTypesProto2") => self.typed::<proto2::TestAllTypesProto2>(),
                Some("proto3.TestAllTypesProto3") => self.typed::<proto3::TestAllTypesProto3>(),
                Some("editions.TestAllTypesEdition2023") => self.typed::<editions::TestAllTypesEdition2023>(),
                Some("editions.proto2.TestAllTypesProto2") => {
                    self.typed::<editions::proto2::TestAllTypesProto2>()
                }
                Some("editions.proto3.TestAllTypesProto3") => {
                    self.typed::<editions::proto3::TestAllTypesProto3>()
                }
                Some("edition_unstable.TestAllTypesEditionUnstable") => {
                    self.typed::<edition_unstable::TestAllTypesEditionUnstable>()
                }
                _ => Answer::Skipped(format!("no type {}", self.request.message_type)),
            },
        }
    }

    fn json(self) -> bool {
        self.request.requested_output_format == WireFormat::JSON
    }

    fn options(self) -> json::Options {
        let ignore = self.request.test_category == TestCategory::JSON_IGNORE_UNKNOWN_PARSING_TEST;
        json::Options::new().ignore_unknown(ignore).pool(self.pool)
    }

    fn typed<T: Message + tobu::Serialize + for<'de> tobu::Deserialize<'de>>(self) -> Answer {
        let parsed: tobu::Result<T> = match &self.request.payload {
            Some(Payload::ProtobufPayload(bytes)) => tobu::from_slice(bytes),
            Some(Payload::JsonPayload(text)) => self.options().from_str(text),
            _ => return Answer::Skipped("no payload".into()),
        };
        match parsed {
            Err(error) => Answer::ParseError(error.to_string()),
            Ok(message) => match message.as_reflect().check_extensions(self.pool) {
                Err(error) => Answer::ParseError(error.to_string()),
                Ok(()) if self.json() => json_answer(self.options().to_string(&message)),
                Ok(()) => wire_answer(tobu::to_vec(&message)),
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
            _ => return Answer::Skipped("no payload".into()),
        };
        match parsed {
            Err(error) => Answer::ParseError(error.to_string()),
            Ok(message) => match message.check_extensions(self.pool) {
                Err(error) => Answer::ParseError(error.to_string()),
                Ok(()) if self.json() => json_answer(self.options().to_string(&message)),
                Ok(()) => wire_answer(message.encode()),
            },
        }
    }

    /// Parsing and writing are one here; what went wrong tells them apart.
    fn transcode(self) -> Answer {
        let Some(descriptor) = self.pool.message(&self.request.message_type) else {
            return Answer::Skipped(format!("no type {}", self.request.message_type));
        };
        let mut out = Vec::new();
        match &self.request.payload {
            Some(Payload::ProtobufPayload(bytes)) => {
                match transcode::wire_to_json_with(&descriptor, bytes, &mut out, &self.options()) {
                    Ok(()) => json_answer(
                        String::from_utf8(out)
                            .map_err(|_| tobu::Error::from(std::io::Error::other("not UTF-8"))),
                    ),
                    Err(error) if DynamicMessage::decode(&descriptor, bytes).is_ok() => {
                        Answer::SerializeError(error.to_string())
                    }
                    Err(error) => Answer::ParseError(error.to_string()),
                }
            }
            Some(Payload::JsonPayload(text)) => {
                match transcode::json_to_wire_with(&descriptor, text.as_bytes(), &mut out, &self.options()) {
                    Ok(()) => Answer::ProtobufPayload(out),
                    Err(error) => Answer::ParseError(error.to_string()),
                }
            }
            _ => Answer::Skipped("no payload".into()),
        }
    }
}

fn json_answer(written: tobu::Result<String>) -> Answer {
    match written {
        Ok(text) => Answer::JsonPayload(text),
        Err(error) => Answer::SerializeError(error.to_string()),
    }
}

fn wire_answer(written: tobu::Result<Vec<u8>>) -> Answer {
    match written {
        Ok(bytes) => Answer::ProtobufPayload(bytes),
        Err(error) => Answer::SerializeError(error.to_string()),
    }
}
