//! Generated messages with members of the types in `tobu::rpc`.

use tobu::Message;
use tobu::rpc::{BadRequest, Code, Status};
use tobu_generated_tests::{operations, operations_of_old};

#[test]
fn members_of_another_crate() {
    use operations::operations::v1::{Operation, operation};

    let operation = Operation {
        code: Code::NOT_FOUND,
        result: Some(operation::Result::Error(Status::new(Code::NOT_FOUND, "no"))),
        violations: vec![("f", "d").into()],
        parts: [("a".to_owned(), Status::new(Code::OK, "").with_details([BadRequest::default()]))].into(),
        ..Operation::default()
    };
    let bytes = operation.encode_to_vec().unwrap();
    assert_eq!(bytes[..10], *b"\x08\x05\x12\x06\x08\x05\x12\x02no");
    assert_eq!(tobu::from_slice::<Operation>(&bytes).unwrap(), operation);
    let json = concat!(
        r#"{"code":"NOT_FOUND","error":{"code":5,"message":"no"},"violations":[{"field":"f","description":"d"}],"#,
        r#""parts":{"a":{"details":[{"@type":"type.googleapis.com/google.rpc.BadRequest"}]}}}"#
    );
    assert_eq!(tobu::json::to_string(&operation).unwrap(), json);
}

/// The schema was compiled with an older copy of Google's files. Whichever test runs first, its file is in the global pool,
/// and the other clashes with it.
#[test]
fn of_an_older_schema() {
    use operations_of_old::operations::v1::Operation;

    let operation = Operation { error: Some(Status::new(Code::NOT_FOUND, "no")), ..Operation::default() };
    let bytes = tobu::to_vec(&operation).unwrap();
    assert_eq!(bytes, b"\x12\x06\x08\x05\x12\x02no");
    assert_eq!(tobu::from_slice::<Operation>(&bytes).unwrap(), operation);
    assert_eq!(tobu::json::to_string(&operation).unwrap(), r#"{"error":{"code":5,"message":"no"}}"#);
}
