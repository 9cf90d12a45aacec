//! The reflection service, both versions, with exact answers.

use std::collections::HashSet;

use tobu::{DynamicMessage, OptionsExt, Pool, json};
use tobu_tonic::reflection::v1::server_reflection_client::ServerReflectionClient;
use tobu_tonic::reflection::v1::server_reflection_request::MessageRequest;
use tobu_tonic::reflection::v1::server_reflection_response::MessageResponse;
use tobu_tonic::reflection::v1::{
    ErrorResponse, ExtensionNumberResponse, ExtensionRequest, ServerReflectionRequest,
    ServerReflectionResponse,
};
use tobu_tonic::reflection::v1alpha::server_reflection_client::ServerReflectionClient as AlphaClient;
use tobu_tonic::{DynamicClient, ReflectionService};
use tobu_tonic_service::Room;
use tobu_tonic_service::reading::v1::reading_room_server::{self, ReadingRoomServer};
use tokio_stream::{StreamExt, iter};
use tonic::transport::{Channel, Server};
use tonic::{Code, Status};

use super::serve;

const READING: &str = "reading/v1/reading.proto";
const MARKS: &str = "reading/v1/marks.proto";
const DESCRIPTOR: &str = "google/protobuf/descriptor.proto";
const SERVICES: &[&str] = &[
    "grpc.reflection.v1.ServerReflection",
    "grpc.reflection.v1alpha.ServerReflection",
    "reading.v1.ReadingRoom",
];

async fn server(reflection: ReflectionService) -> Channel {
    let server = Server::builder()
        .add_service(ReadingRoomServer::new(Room::default()))
        .add_service(reflection.v1())
        .add_service(reflection.v1alpha());
    serve(server).await
}

fn reflection() -> ReflectionService {
    ReflectionService::of([reading_room_server::descriptor()])
}

fn question(asked: MessageRequest) -> ServerReflectionRequest {
    ServerReflectionRequest {
        host: "desk".to_owned(),
        message_request: Some(asked),
        ..ServerReflectionRequest::default()
    }
}

/// Asks all questions on one stream of each version, which must answer alike.
async fn ask(reflection: ReflectionService, asked: Vec<MessageRequest>) -> Vec<MessageResponse> {
    let channel = server(reflection).await;
    let questions: Vec<_> = asked.into_iter().map(question).collect();
    let stream =
        ServerReflectionClient::new(channel.clone()).server_reflection_info(iter(questions.clone())).await;
    let answers: Vec<_> = stream.unwrap().into_inner().map(Result::unwrap).collect().await;
    let stream = AlphaClient::new(channel).server_reflection_info(iter(questions.clone())).await;
    let alpha: Vec<ServerReflectionResponse> =
        stream.unwrap().into_inner().map(Result::unwrap).collect().await;
    assert_eq!(answers, alpha);
    assert_eq!(answers.len(), questions.len());
    let answers = answers.into_iter().zip(questions);
    answers
        .map(|(answer, question)| {
            assert_eq!(answer.valid_host, "desk");
            assert_eq!(answer.original_request, Some(question));
            answer.message_response.unwrap()
        })
        .collect()
}

async fn ask_one(asked: MessageRequest) -> MessageResponse {
    ask(reflection(), vec![asked]).await.remove(0)
}

/// The names of the files in an answer, each of which must be what the pool has, byte for byte.
fn names(answer: &MessageResponse) -> Vec<String> {
    let MessageResponse::FileDescriptorResponse(files) = answer else { panic!("no files: {answer:?}") };
    let mut known = Pool::global();
    known.add_file(tobu::types::files::DESCRIPTOR.encoded()).unwrap();
    let find = |encoded: &Vec<u8>| known.files().find(|file| file.encoded() == encoded).unwrap();
    files.file_descriptor_proto.iter().map(|encoded| find(encoded).name().to_owned()).collect()
}

fn not_found(text: &str) -> MessageResponse {
    MessageResponse::ErrorResponse(ErrorResponse {
        error_code: 5,
        error_message: text.to_owned(),
        ..ErrorResponse::default()
    })
}

fn listed(answer: &MessageResponse) -> Vec<&str> {
    let MessageResponse::ListServicesResponse(list) = answer else { panic!("no list: {answer:?}") };
    list.service.iter().map(|service| service.name.as_str()).collect()
}

#[tokio::test]
async fn services() {
    let list = || MessageRequest::ListServices("*".to_owned());
    assert_eq!(listed(&ask_one(list()).await), SERVICES);

    reading_room_server::descriptor();
    let of_pool = ask(ReflectionService::new(&Pool::global()), vec![list()]).await;
    assert_eq!(listed(&of_pool[0]), SERVICES);

    let named = ask(ReflectionService::new(&Pool::global()).list(["a.B"]), vec![list()]).await;
    assert_eq!(listed(&named[0])[..1], ["a.B"]);
    assert_eq!(listed(&named[0])[1..], SERVICES[..2]);
}

#[tokio::test]
async fn a_file_comes_with_its_imports_once_per_stream() {
    let file = |name: &str| MessageRequest::FileByFilename(name.to_owned());
    let asked =
        vec![file(MARKS), file(READING), file(READING), file(DESCRIPTOR), file("lost.proto"), file("")];
    let answers = ask(reflection(), asked).await;
    assert_eq!(names(&answers[0]), [MARKS, DESCRIPTOR]);
    assert_eq!(names(&answers[1]), [READING]);
    assert_eq!(names(&answers[2]), [READING]);
    assert_eq!(names(&answers[3]), [DESCRIPTOR]);
    assert_eq!(answers[4], not_found("there is no file \"lost.proto\""));
    assert_eq!(answers[5], not_found("there is no file \"\""));
}

#[tokio::test]
async fn symbols_of_every_kind() {
    let symbol = |name: &str| MessageRequest::FileContainingSymbol(name.to_owned());
    let in_reading = [
        "reading.v1.ReadingRoom",
        "reading.v1.ReadingRoom.Borrow",
        "reading.v1.Book",
        "reading.v1.Book.title",
        "reading.v1.Book.holder",
        "reading.v1.Book.room",
        "reading.v1.Book.Binding",
        "reading.v1.Book.BINDING_CLOTH",
    ];
    for name in in_reading {
        assert_eq!(names(&ask_one(symbol(name)).await), [READING, MARKS, DESCRIPTOR], "{name}");
    }
    let in_marks =
        ["reading.v1.Mark", "reading.v1.color", "reading.v1.Bookmark.page", "reading.v1.Bookmark.Material"];
    for name in in_marks {
        assert_eq!(names(&ask_one(symbol(name)).await), [MARKS, DESCRIPTOR], "{name}");
    }
    for version in ["v1", "v1alpha"] {
        let answer = ask_one(symbol(&format!("grpc.reflection.{version}.ServerReflection"))).await;
        assert_eq!(names(&answer), [format!("grpc/reflection/{version}/reflection.proto")]);
    }
    for name in ["reading", "reading.v1", "reading.v1.Lost", "reading.v1.Book.lost", ".reading.v1.Book", ""] {
        assert_eq!(ask_one(symbol(name)).await, not_found(&format!("there is no symbol {name:?}")));
    }
}

#[tokio::test]
async fn extensions() {
    let extension = |name: &str, number| {
        MessageRequest::FileContainingExtension(ExtensionRequest {
            containing_type: name.to_owned(),
            extension_number: number,
            ..ExtensionRequest::default()
        })
    };
    let found =
        [("reading.v1.Mark", 100), ("reading.v1.Mark", 102), ("google.protobuf.MethodOptions", 50001)];
    for (name, number) in found {
        assert_eq!(names(&ask_one(extension(name, number)).await), [MARKS, DESCRIPTOR], "{name} {number}");
    }
    for (name, number) in [("reading.v1.Mark", 101), ("reading.v1.Mark", -1), ("reading.v1.Lost", 100)] {
        let text = format!("there is no extension {number} of {name:?}");
        assert_eq!(ask_one(extension(name, number)).await, not_found(&text));
    }
}

#[tokio::test]
async fn extension_numbers() {
    let numbers = |name: &str| MessageRequest::AllExtensionNumbersOfType(name.to_owned());
    let cases: [(&str, &[i32]); 3] = [
        ("reading.v1.Mark", &[100, 102]),
        ("google.protobuf.MethodOptions", &[50001]),
        ("reading.v1.Book", &[]),
    ];
    for (name, extensions) in cases {
        let expected = MessageResponse::AllExtensionNumbersResponse(ExtensionNumberResponse {
            base_type_name: name.to_owned(),
            extension_number: extensions.to_vec(),
            ..ExtensionNumberResponse::default()
        });
        assert_eq!(ask_one(numbers(name)).await, expected);
    }
    let lost = ask_one(numbers("reading.v1.ReadingRoom")).await;
    assert_eq!(lost, not_found("there is no message \"reading.v1.ReadingRoom\""));
}

#[tokio::test]
async fn a_question_for_nothing_ends_the_stream() {
    let channel = server(reflection()).await;
    let list = || question(MessageRequest::ListServices(String::new()));
    let questions = iter([list(), ServerReflectionRequest::default(), list()]);
    let stream = ServerReflectionClient::new(channel).server_reflection_info(questions).await;
    let answers: Vec<Result<_, Status>> = stream.unwrap().into_inner().collect().await;
    assert_eq!(answers.len(), 2);
    assert!(answers[0].is_ok());
    let status = answers[1].as_ref().unwrap_err();
    let text = "message_request: the request asks for nothing";
    assert_eq!((status.code(), status.message()), (Code::InvalidArgument, text));
}

#[tokio::test]
async fn a_client_without_a_schema() {
    let channel = server(reflection()).await;
    let symbol = question(MessageRequest::FileContainingSymbol("reading.v1.ReadingRoom".to_owned()));
    let stream = ServerReflectionClient::new(channel.clone()).server_reflection_info(iter([symbol])).await;
    let answer = stream.unwrap().into_inner().message().await.unwrap().unwrap();
    let Some(MessageResponse::FileDescriptorResponse(files)) = answer.message_response else {
        panic!("no files")
    };

    // Imports come after the files that import them.
    let mut pool = Pool::new();
    for file in files.file_descriptor_proto.iter().rev() {
        pool.add_file(file).unwrap();
    }
    let method = pool.method("reading.v1.ReadingRoom.Borrow").unwrap();
    let sign: Option<String> = method.options().get("reading.v1.sign").unwrap();
    assert_eq!(sign.as_deref(), Some("One book each."));
    let request = DynamicMessage::from_json(&method.input(), r#"{"title":"Dune"}"#).unwrap();
    let book = DynamicClient::new(channel).unary(&method, request).await.unwrap().into_inner();
    assert_eq!(json::to_string(&book).unwrap(), r#"{"title":"Dune","pages":412}"#);
}

#[tokio::test]
async fn a_wide_schema_is_walked_once() {
    // Each file imports the two before it: as many paths as the Fibonacci numbers.
    let mut pool = Pool::new();
    for i in 0..60 {
        let mut file = tobu::wire::Writer::new();
        let mut text = |number, text: &str| {
            file.tag(tobu::wire::Tag::new(number, tobu::wire::WireType::Len));
            file.len_prefixed(text.as_bytes());
        };
        text(1, &format!("{i}.proto"));
        (i.max(2) - 2..i).for_each(|import| text(3, &format!("{import}.proto")));
        pool.add_file(&file.finish().unwrap()).unwrap();
    }
    let asked = MessageRequest::FileByFilename("59.proto".to_owned());
    let answer = ask(ReflectionService::new(&pool), vec![asked]).await.remove(0);
    let MessageResponse::FileDescriptorResponse(files) = answer else { panic!("no files") };
    let distinct: HashSet<_> = files.file_descriptor_proto.iter().collect();
    assert_eq!((files.file_descriptor_proto.len(), distinct.len()), (60, 60));
}

/// The details of an error are messages that no method names.
#[tokio::test]
async fn further_files_are_known() {
    use tobu::Message;

    let asked = || vec![MessageRequest::FileContainingSymbol("google.rpc.BadRequest".to_owned())];
    let [MessageResponse::ErrorResponse(_)] = ask(reflection(), asked()).await[..] else {
        panic!("it is known")
    };
    let details = tobu::rpc::BadRequest::descriptor().file();
    let answers = ask(reflection().with_files([details.clone()]), asked()).await;
    let [MessageResponse::FileDescriptorResponse(found)] = &answers[..] else { panic!("it is not known") };
    let files = &found.file_descriptor_proto;
    assert!(files.iter().any(|file| file == details.encoded()), "{} files", files.len());
}
