//! Converts codes and statuses of tonic.
//!
//! This file is in layer 2 (see DESIGN.md). It uses only the modules `code` and `status` of this crate.

use tobu::rpc;
use tobu_tonic::codegen::tonic;
use tobu_tonic::rpc::StatusExt as _;

use crate::code::Code;
use crate::status::Status;

impl From<tonic::Code> for Code {
    fn from(code: tonic::Code) -> Self {
        Code::from_number(code.into())
    }
}

impl From<Code> for tonic::Code {
    fn from(code: Code) -> Self {
        tonic::Code::from(code.number())
    }
}

/// Converts a status of tonic. Malformed details are left out, and so is the metadata.
impl From<tonic::Status> for Status {
    fn from(status: tonic::Status) -> Self {
        match status.to_rpc() {
            Ok(status) => status.into(),
            Err(_) => Status::new(status.code().into(), status.message()),
        }
    }
}

impl From<Status> for tonic::Status {
    fn from(status: Status) -> Self {
        tonic::Status::from_rpc(rpc::Status::from(status))
    }
}
