//! A schema from the reflection service of a server.

use std::collections::{BTreeMap, BTreeSet};

use tobu::Pool;
use tobu::wire::{Reader, Tag, WireType, Writer};
use tobu_tonic::reflection::v1::server_reflection_client::ServerReflectionClient;
use tobu_tonic::reflection::v1::server_reflection_request::MessageRequest;
use tobu_tonic::reflection::v1::server_reflection_response::MessageResponse;
use tobu_tonic::reflection::v1::{ServerReflectionRequest, ServerReflectionResponse};
use tobu_tonic::reflection::v1alpha::server_reflection_client::ServerReflectionClient as AlphaClient;
use tokio_stream::iter;
use tonic::transport::Channel;
use tonic::{Code, Status, Streaming};

use crate::schema::Schema;

/// The most bytes of one answer.
const LIMIT: usize = 64 << 20;

/// Asks a server for the schema of all its services.
///
/// # Errors
/// The server has no reflection service, or what it tells is no schema with rules.
pub(crate) async fn schema(channel: Channel) -> Result<Schema, String> {
    let told = |status: Status| format!("the reflection service: {}: {}", status.code(), status.message());
    let files = match files(&Asked::V1(channel.clone())).await {
        Err(status) if status.code() == Code::Unimplemented => files(&Asked::V1Alpha(channel)).await,
        done => done,
    };
    let set = descriptor_set(files.map_err(told)?.values().map(Vec::as_slice));
    let pool = set.and_then(|set| Pool::from_descriptor_set(&set));
    Schema::new(&pool.map_err(|error| format!("what the reflection service tells: {error}"))?)
}

/// A serialized `google.protobuf.FileDescriptorSet`.
pub(crate) fn descriptor_set<'f>(files: impl Iterator<Item = &'f [u8]>) -> tobu::Result<Vec<u8>> {
    let mut set = Writer::new();
    for file in files {
        set.tag(Tag::new(1, WireType::Len));
        set.len_prefixed(file);
    }
    set.finish()
}

/// The files of all services, and all that they import, by their names.
async fn files(server: &Asked) -> Result<BTreeMap<String, Vec<u8>>, Status> {
    let mut questions = Vec::new();
    for answer in server.ask(vec![MessageRequest::ListServices(String::new())]).await? {
        let MessageResponse::ListServicesResponse(list) = answer else { return Err(unasked()) };
        let names = list.service.into_iter().map(|service| service.name);
        let names = names.filter(|name| !name.starts_with("grpc.reflection."));
        questions.extend(names.map(MessageRequest::FileContainingSymbol));
    }
    let mut files = BTreeMap::new();
    let (mut wanted, mut asked) = (BTreeSet::new(), BTreeSet::new());
    // Some servers send imports along, and others only what they are asked for.
    while !questions.is_empty() {
        for answer in server.ask(questions).await? {
            let MessageResponse::FileDescriptorResponse(answer) = answer else { return Err(unasked()) };
            for file in answer.file_descriptor_proto {
                let (name, imports) =
                    head(&file).map_err(|error| Status::internal(format!("a file is malformed: {error}")))?;
                wanted.extend(imports);
                files.insert(name, file);
            }
        }
        // Nothing is asked for twice: a server that goes on and on comes to an end.
        let missing =
            wanted.iter().filter(|name| !files.contains_key(*name) && asked.insert((*name).clone()));
        questions = missing.cloned().map(MessageRequest::FileByFilename).collect();
    }
    Ok(files)
}

fn unasked() -> Status {
    Status::internal("the answer is to another question")
}

/// The name and the imports of a serialized `google.protobuf.FileDescriptorProto`.
fn head(file: &[u8]) -> tobu::Result<(String, Vec<String>)> {
    let (mut name, mut imports) = (String::new(), Vec::new());
    let mut reader = Reader::new(file);
    while !reader.is_empty() {
        let tag = reader.tag()?;
        match (tag.number(), tag.wire_type()) {
            (1, WireType::Len) => name = reader.string()?.to_owned(),
            (3, WireType::Len) => imports.push(reader.string()?.to_owned()),
            _ => reader.skip(tag, 100)?,
        }
    }
    Ok((name, imports))
}

/// A server, and the version of the service that it is asked by; their messages are the same.
enum Asked {
    V1(Channel),
    V1Alpha(Channel),
}

impl Asked {
    /// The answers to some questions.
    async fn ask(&self, questions: Vec<MessageRequest>) -> Result<Vec<MessageResponse>, Status> {
        let count = questions.len();
        let questions = iter(questions.into_iter().map(|asked| ServerReflectionRequest {
            message_request: Some(asked),
            ..ServerReflectionRequest::default()
        }));
        let answers = match self {
            Asked::V1(channel) => {
                let client = ServerReflectionClient::new(channel.clone());
                client.max_decoding_message_size(LIMIT).server_reflection_info(questions).await?
            }
            Asked::V1Alpha(channel) => {
                let client = AlphaClient::new(channel.clone());
                client.max_decoding_message_size(LIMIT).server_reflection_info(questions).await?
            }
        };
        let answers = collect(answers.into_inner()).await?;
        match answers.len() == count {
            true => Ok(answers),
            false => Err(Status::internal(format!("{count} questions have {} answers", answers.len()))),
        }
    }
}

async fn collect(mut answers: Streaming<ServerReflectionResponse>) -> Result<Vec<MessageResponse>, Status> {
    let mut all = Vec::new();
    while let Some(answer) = answers.message().await? {
        match answer.message_response {
            Some(MessageResponse::ErrorResponse(error)) => {
                return Err(Status::new(Code::from(error.error_code), error.error_message));
            }
            Some(answer) => all.push(answer),
            None => return Err(unasked()),
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tobu_tonic::Reflection;
    use tokio::net::TcpListener;
    use tokio_stream::wrappers::TcpListenerStream;
    use tonic::service::Routes;
    use tonic::transport::{Endpoint, Server};

    use super::*;
    use crate::library::Library;
    use crate::proto::library::v1::library_server::{self, LibraryServer};
    use crate::store::Store;

    /// The number of rules that a server tells of, or what is wrong.
    async fn rules(routes: Routes) -> Result<usize, String> {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let server =
            Server::builder().add_routes(routes).serve_with_incoming(TcpListenerStream::new(listener));
        let server = tokio::spawn(server);
        let told = schema(Endpoint::from_shared(url).unwrap().connect().await.unwrap()).await;
        server.abort();
        told.map(|schema| schema.rules())
    }

    #[tokio::test]
    async fn either_version_will_do() {
        let reflection = Reflection::of([library_server::descriptor()]);
        assert_eq!(rules(Routes::new(reflection.v1())).await, Ok(12));
        assert_eq!(rules(Routes::new(reflection.v1alpha())).await, Ok(12));
        let library = LibraryServer::new(Library::new(Arc::new(Store::open(None).unwrap())));
        let none = "the reflection service: Operation is not implemented or not supported: ".to_owned();
        assert_eq!(rules(Routes::new(library)).await, Err(none));
    }

    #[tokio::test]
    async fn services_without_rules_are_refused() {
        let reflection = Reflection::new(&Pool::new());
        let error = "no method has a google.api.http rule".to_owned();
        assert_eq!(rules(Routes::new(reflection.v1())).await, Err(error));
    }
}
