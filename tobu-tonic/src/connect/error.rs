//! Converts errors of Connect, which are JSON, to statuses.

use base64::Engine as _;
use base64::alphabet;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use serde_json::Value;
use tobu::types::Any;
use tonic::{Code, Status};

use crate::rpc::{self, StatusExt};

const BYTES: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Returns the status of an error response. Its body may be an error of Connect or anything else.
pub(super) fn of_response(http: StatusCode, body: &[u8]) -> Status {
    let inferred = by_http(http);
    let error = serde_json::from_slice(body).ok().and_then(|error: Value| of_json(&error, inferred));
    error.unwrap_or_else(|| Status::new(inferred, format!("the server answered with HTTP status {http}")))
}

/// Converts the last envelope of a stream to trailers: the metadata and the status.
pub(super) fn of_end(end: &[u8]) -> HeaderMap {
    let Ok(Value::Object(end)) = serde_json::from_slice(end) else {
        return trailers(&Status::internal("the end of the stream is not a JSON object"));
    };
    let mut map = HeaderMap::new();
    if let Some(Value::Object(metadata)) = end.get("metadata") {
        for (name, values) in metadata {
            let Ok(name) = HeaderName::try_from(name) else { continue };
            for value in values.as_array().into_iter().flatten().filter_map(Value::as_str) {
                if let Ok(value) = HeaderValue::try_from(value) {
                    map.append(name.clone(), value);
                }
            }
        }
    }
    let status = match end.get("error") {
        None | Some(Value::Null) => Status::new(Code::Ok, ""),
        Some(error) => of_json(error, Code::Unknown)
            .unwrap_or_else(|| Status::unknown("the end of the stream has a malformed error")),
    };
    map.extend(trailers(&status));
    map
}

pub(super) fn trailers(status: &Status) -> HeaderMap {
    let mut map = HeaderMap::new();
    // If the status cannot be written as headers, only its code is written.
    if status.add_header(&mut map).is_err() {
        map.insert("grpc-status", HeaderValue::from(status.code() as i32));
    }
    map
}

/// Converts an error of Connect to a status. `inferred` is the code if the error has no code or an unknown code. Returns
/// `None` if the JSON is not an error of Connect.
fn of_json(error: &Value, inferred: Code) -> Option<Status> {
    let error = error.as_object()?;
    let code = match error.get("code") {
        Some(Value::String(name)) => by_name(name).unwrap_or(inferred),
        None | Some(Value::Null) => inferred,
        Some(_) => return None,
    };
    let message = match error.get("message") {
        None | Some(Value::Null) => "",
        Some(message) => message.as_str()?,
    };
    let mut status = rpc::Status::new(rpc::Code(code as i32), message);
    for detail in error.get("details").and_then(Value::as_array).into_iter().flatten() {
        let part = |name: &str| detail.get(name).and_then(Value::as_str);
        let (Some(name), Some(value)) = (part("type"), part("value")) else { continue };
        let Ok(value) = BYTES.decode(value) else { continue };
        let type_url =
            if name.contains('/') { name.to_owned() } else { format!("type.googleapis.com/{name}") };
        status.details.push(Any { type_url, value, ..Any::default() });
    }
    match status.details.is_empty() {
        true => Some(Status::new(code, message)),
        false => Some(Status::from_rpc(status)),
    }
}

fn by_name(name: &str) -> Option<Code> {
    Some(match name {
        "canceled" => Code::Cancelled,
        "unknown" => Code::Unknown,
        "invalid_argument" => Code::InvalidArgument,
        "deadline_exceeded" => Code::DeadlineExceeded,
        "not_found" => Code::NotFound,
        "already_exists" => Code::AlreadyExists,
        "permission_denied" => Code::PermissionDenied,
        "resource_exhausted" => Code::ResourceExhausted,
        "failed_precondition" => Code::FailedPrecondition,
        "aborted" => Code::Aborted,
        "out_of_range" => Code::OutOfRange,
        "unimplemented" => Code::Unimplemented,
        "internal" => Code::Internal,
        "unavailable" => Code::Unavailable,
        "data_loss" => Code::DataLoss,
        "unauthenticated" => Code::Unauthenticated,
        _ => return None,
    })
}

fn by_http(status: StatusCode) -> Code {
    match status.as_u16() {
        400 => Code::Internal,
        401 => Code::Unauthenticated,
        403 => Code::PermissionDenied,
        404 => Code::Unimplemented,
        429 | 502 | 503 | 504 => Code::Unavailable,
        _ => Code::Unknown,
    }
}
