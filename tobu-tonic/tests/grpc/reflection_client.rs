//! The client of the reflection service: against our own, and against servers that are strange or wicked.

use std::sync::Arc;
use std::time::Duration;

use tobu::wire::{Tag, WireType, Writer};
use tobu_tonic::ReflectionService;
use tobu_tonic::reflection::ReflectionClient;
use tobu_tonic::reflection::v1::server_reflection_request::MessageRequest;
use tobu_tonic::reflection::v1::server_reflection_response::MessageResponse;
use tobu_tonic::reflection::v1::server_reflection_server::{ServerReflection, ServerReflectionServer};
use tobu_tonic::reflection::v1::{
    ErrorResponse, FileDescriptorResponse, ListServiceResponse, ServerReflectionRequest,
    ServerReflectionResponse, ServiceResponse,
};
use tobu_tonic_service::reading::v1::reading_room_server::{self, ReadingRoomServer};
use tobu_tonic_service::{Lines, Room};
use tokio_stream::StreamExt;
use tonic::transport::Server;
use tonic::{Code, Request, Response, Status, Streaming};

use super::serve;

fn reflection() -> ReflectionService {
    ReflectionService::of([reading_room_server::descriptor()])
}

#[tokio::test]
async fn either_version_will_do() {
    let v1 = serve(Server::builder().add_service(reflection().v1())).await;
    let alpha = serve(Server::builder().add_service(reflection().v1alpha())).await;
    let mut sets = Vec::new();
    for channel in [v1, alpha] {
        let mut client = ReflectionClient::new(channel).deadline(Duration::from_secs(60));
        assert_eq!(client.services().await.unwrap(), ["reading.v1.ReadingRoom"]);
        let pool = client.pool().await.unwrap();
        let mut files: Vec<String> = pool.files().map(|file| file.name().to_owned()).collect();
        files.sort();
        let wanted =
            ["google/protobuf/descriptor.proto", "reading/v1/marks.proto", "reading/v1/reading.proto"];
        assert_eq!(files, wanted);
        for file in pool.files() {
            let known = tobu::Pool::global().file(file.name());
            assert!(known.is_none_or(|known| known.encoded() == file.encoded()), "{}", file.name());
        }
        sets.push(client.descriptor_set().await.unwrap());
    }
    assert_eq!(sets[0], sets[1]);
}

#[tokio::test]
async fn a_server_without_reflection_says_so() {
    let channel = serve(Server::builder().add_service(ReadingRoomServer::new(Room::default()))).await;
    let error = ReflectionClient::new(channel).pool().await.unwrap_err();
    assert_eq!(error.code(), Code::Unimplemented);
}

/// A server that answers as a function says.
#[derive(Clone)]
struct Strange(Arc<AnswerTo>);

type AnswerTo = dyn Fn(&MessageRequest) -> Option<MessageResponse> + Send + Sync;

impl ServerReflection for Strange {
    type ServerReflectionInfoStream = Lines<ServerReflectionResponse>;

    async fn server_reflection_info(
        &self,
        request: Request<Streaming<ServerReflectionRequest>>,
    ) -> Result<Response<Self::ServerReflectionInfoStream>, Status> {
        let answer = Arc::clone(&self.0);
        let answers = request.into_inner().filter_map(move |question| {
            let message_response = answer(&question.unwrap().message_request.unwrap())?;
            Some(Ok(ServerReflectionResponse {
                message_response: Some(message_response),
                ..ServerReflectionResponse::default()
            }))
        });
        Ok(Response::new(Box::pin(answers)))
    }
}

/// What is told of a server with the service `a.B`, whose files are answered by a function; it may tell 1,000 bytes in 10 files.
async fn told(
    files: impl Fn(&str) -> Option<MessageResponse> + Send + Sync + 'static,
) -> Result<Vec<u8>, String> {
    let server = Strange(Arc::new(move |question| match question {
        MessageRequest::ListServices(_) => Some(services(&["a.B", "grpc.reflection.v1.ServerReflection"])),
        MessageRequest::FileContainingSymbol(name) | MessageRequest::FileByFilename(name) => files(name),
        _ => None,
    }));
    let channel = serve(Server::builder().add_service(ServerReflectionServer::new(server))).await;
    let mut client = ReflectionClient::new(channel).max_bytes(1000).max_files(10);
    client.descriptor_set().await.map_err(|status| format!("{:?}: {}", status.code(), status.message()))
}

fn services(names: &[&str]) -> MessageResponse {
    let service = |name: &&str| ServiceResponse { name: (*name).to_owned(), ..ServiceResponse::default() };
    let service = names.iter().map(service).collect();
    MessageResponse::ListServicesResponse(ListServiceResponse { service, ..ListServiceResponse::default() })
}

fn of_bytes(files: Vec<Vec<u8>>) -> Option<MessageResponse> {
    let files = FileDescriptorResponse { file_descriptor_proto: files, ..FileDescriptorResponse::default() };
    Some(MessageResponse::FileDescriptorResponse(files))
}

/// A file of a name and imports.
fn file(name: &str, imports: &[&str]) -> Vec<u8> {
    let mut file = Writer::new();
    let fields = [(1, name)].into_iter().chain(imports.iter().map(|import| (3, *import)));
    for (number, text) in fields {
        file.tag(Tag::new(number, WireType::Len));
        file.len_prefixed(text.as_bytes());
    }
    file.finish().unwrap()
}

#[tokio::test]
async fn imports_are_asked_for_one_by_one() {
    let set = told(|name| match name {
        "a.B" => of_bytes(vec![file("b", &["a", "c"])]),
        "a" => of_bytes(vec![file("a", &["c"])]),
        name => of_bytes(vec![file(name, &[])]),
    });
    assert_eq!(set.await.unwrap(), b"\n\x06\n\x01a\x1a\x01c\n\x09\n\x01b\x1a\x01a\x1a\x01c\n\x03\n\x01c");
}

#[tokio::test]
async fn a_server_cannot_tell_too_much() {
    // Each file imports another one.
    let endless = told(|name| of_bytes(vec![file(name, &[&format!("{name}'")])])).await;
    assert_eq!(endless, Err("ResourceExhausted: there are more than 10 files".to_owned()));
    let names: Vec<String> = (0..11).map(|number| number.to_string()).collect();
    let wide =
        told(move |_| of_bytes(vec![file("x", &names.iter().map(String::as_str).collect::<Vec<_>>())])).await;
    assert_eq!(wide, Err("ResourceExhausted: there are more than 10 files".to_owned()));
    // Two of 600 bytes, in one answer each.
    let large = told(|name| of_bytes(vec![file(&name.repeat(600 / name.len()), &["c"])])).await;
    assert_eq!(large, Err("ResourceExhausted: the files have more than 1000 bytes".to_owned()));
    // A file under a name that nobody asked for does not go round in a circle.
    let other = told(|_| of_bytes(vec![file("x", &["y"])])).await;
    assert_eq!(other.unwrap(), b"\n\x06\n\x01x\x1a\x01y");
}

#[tokio::test]
async fn a_server_that_is_wrong_is_not_believed() {
    let rows = [
        (of_bytes(vec![vec![0x0a, 9]]), "Internal: length of 9 bytes, but only 0 bytes are left (at byte 2)"),
        (Some(services(&[])), "Internal: an answer belongs to another question"),
        (None, "Internal: 1 questions have 0 answers"),
        (
            Some(MessageResponse::ErrorResponse(ErrorResponse {
                error_code: 5,
                error_message: "lost".to_owned(),
                ..ErrorResponse::default()
            })),
            "NotFound: a.B: lost",
        ),
    ];
    for (answer, wanted) in rows {
        assert_eq!(told(move |_| answer.clone()).await, Err(wanted.to_owned()));
    }
}

#[tokio::test]
async fn files_that_are_no_schema_are_refused() {
    let server = Strange(Arc::new(|question| match question {
        MessageRequest::ListServices(_) => Some(services(&["a.B"])),
        _ => of_bytes(vec![file("x", &["y"])]),
    }));
    let channel = serve(Server::builder().add_service(ServerReflectionServer::new(server))).await;
    let error = ReflectionClient::new(channel).pool().await.unwrap_err();
    assert_eq!((error.code(), error.message()), (Code::Internal, "x: import \"y\" is missing"));
}
