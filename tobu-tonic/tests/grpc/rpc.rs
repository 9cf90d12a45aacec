//! Details of errors, as they travel.

use std::error::Error as _;

use bytes::Bytes;
use tobu::types::{Any, Duration};
use tobu_tonic::rpc::{self, BadRequest, Detail, ErrorDetails, RequestInfo, StatusExt};
use tobu_tonic_service::Room;
use tobu_tonic_service::reading::v1::reading_room_client::ReadingRoomClient;
use tobu_tonic_service::reading::v1::reading_room_server::ReadingRoomServer;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::Server;
use tonic::{Code, Status};

use super::{borrow, serve};

#[test]
fn bytes() {
    let status =
        Status::with_error_details(Code::InvalidArgument, "bad", [BadRequest::new([("title", "no")])]);
    assert_eq!((status.code(), status.message()), (Code::InvalidArgument, "bad"));
    let bytes = b"\x08\x03\x12\x03bad\x1a\x3a\x0a\x29type.googleapis.com/google.rpc.BadRequest\
        \x12\x0d\x0a\x0b\x0a\x05title\x12\x02no";
    assert_eq!(status.details(), bytes);
    let headers = status.into_http::<()>().into_parts().0.headers;
    assert_eq!(headers["grpc-status"], "3");
    assert_eq!(headers["grpc-message"], "bad");
    let bytes = "CAMSA2JhZBo6Cil0eXBlLmdvb2dsZWFwaXMuY29tL2dvb2dsZS5ycGMuQmFkUmVxdWVzdBINCgsKBXRpdGxlEgJubw";
    assert_eq!(headers["grpc-status-details-bin"], bytes);
}

#[test]
fn no_details_are_no_bytes() {
    for status in [
        Status::with_error_details(Code::Ok, "", ErrorDetails::new()),
        Status::from_rpc(rpc::Status::new(rpc::Code::OK, "")),
    ] {
        assert_eq!(status.details(), b"");
        assert!(!status.into_http::<()>().headers().contains_key("grpc-status-details-bin"));
    }
    assert_eq!(Status::aborted("").error_details().unwrap(), ErrorDetails::new());
}

/// What a client gets of what a server answers.
#[tokio::test]
async fn from_end_to_end() {
    let server = InterceptedService::new(ReadingRoomServer::new(Room::default()), |_| {
        let details = ErrorDetails::new()
            .with(BadRequest::new([("title", "no")]))
            .with(Detail::Other(Any::pack(&Duration::new(1, 0)).unwrap()))
            .with(RequestInfo::new("r", ""));
        Err::<tonic::Request<()>, _>(Status::with_error_details(Code::DataLoss, "gone", details))
    });
    let mut client = ReadingRoomClient::new(serve(Server::builder().add_service(server)).await);
    let status = client.borrow(borrow("Dune")).await.unwrap_err();
    assert_eq!((status.code(), status.message()), (Code::DataLoss, "gone"));
    let details = status.error_details().unwrap();
    assert_eq!(details.bad_request(), Some(&BadRequest::new([("title", "no")])));
    assert_eq!(details.request_info(), Some(&RequestInfo::new("r", "")));
    assert_eq!(details.help(), None);
    let others: Vec<_> = details.others().map(|any| any.unpack::<Duration>().unwrap()).collect();
    assert_eq!(others, [Duration::new(1, 0)]);

    let whole = status.to_rpc().unwrap();
    assert_eq!((whole.code(), whole.message.as_str()), (rpc::Code::DATA_LOSS, "gone"));
    assert_eq!(Status::from_rpc(whole).details(), status.details());
}

/// Code and text are those of the call, and stay where the details are malformed.
#[test]
fn of_others() {
    let of =
        |details: &'static [u8]| Status::with_details(Code::NotFound, "gone", Bytes::from_static(details));
    let status = of(b"\x08\x0d\x12\x05other\x1a\x05\x0a\x03a/b").to_rpc().unwrap();
    assert_eq!((status.code(), status.message.as_str()), (rpc::Code::NOT_FOUND, "gone"));
    assert_eq!(status.details, [Any::new("a/b", [])]);

    let rows: [(&[u8], &str); 3] = [
        (
            b"\x1a\x05\x0a",
            "google.rpc.Status.details[0]: length of 5 bytes, but only 1 bytes are left (at byte 2)",
        ),
        (b"\x12\x01\xff", "google.rpc.Status.message: invalid UTF-8 in a string (at byte 2)"),
        (
            b"\x1a\x1e\x0a\x19x/google.rpc.RequestInfo.\x12\x01\x0a\
              \x1a\x1f\x0a\x18x/google.rpc.RequestInfo\x12\x03\x0a\x05i",
            "google.rpc.Status.details[1].request_id: length of 5 bytes, but only 1 bytes are left",
        ),
    ];
    for (details, text) in rows {
        let status = of(details);
        assert_eq!(status.error_details().unwrap_err().to_string(), text);
        assert_eq!((status.code(), status.message()), (Code::NotFound, "gone"));
    }
}

#[test]
fn codes() {
    for number in 0..=17 {
        let status = Status::from_rpc(rpc::Status { code: number, ..rpc::Status::default() });
        let known = if number == 17 { 2 } else { number };
        assert_eq!(i32::from(status.code()), known);
        assert_eq!(status.to_rpc().unwrap().code(), rpc::Code(known));
    }
}

/// The client learns of its message; what the program does is for the log.
#[test]
fn from_errors() {
    let wrong = tobu::from_slice::<BadRequest>(b"\x0a\x03\x0a\x01\xff").unwrap_err();
    let text = wrong.to_string();
    let status = Status::from_tobu(wrong);
    assert_eq!((status.code(), status.message()), (Code::InvalidArgument, text.as_str()));
    assert_eq!(
        text,
        "google.rpc.BadRequest.field_violations[0].field: invalid UTF-8 in a string (at byte 4)"
    );
    let violation = ("field_violations[0].field", "invalid UTF-8 in a string");
    assert_eq!(status.error_details().unwrap().bad_request(), Some(&BadRequest::new([violation])));

    let status = Status::from_tobu(std::io::Error::other("/etc/secret").into());
    assert_eq!((status.code(), status.message()), (Code::Internal, "a stream of messages failed"));
    assert_eq!(status.details(), b"");
    assert_eq!(status.source().unwrap().to_string(), "/etc/secret");
    assert_eq!(status.into_http::<()>().headers()["grpc-message"], "a%20stream%20of%20messages%20failed");
}
