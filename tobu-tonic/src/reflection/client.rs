//! A client of the reflection service, which reads the schema of a server.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use tobu::Pool;
use tobu::wire::{Reader, Tag, WireType, Writer};
use tonic::{Code, Request, Response, Status, Streaming};

use super::v1::server_reflection_client::ServerReflectionClient;
use super::v1::server_reflection_request::MessageRequest;
use super::v1::server_reflection_response::MessageResponse;
use super::v1::{ServerReflectionRequest, ServerReflectionResponse};
use super::v1alpha::server_reflection_client::ServerReflectionClient as AlphaClient;
use crate::client::Transport;
use crate::codec;
use crate::stream::Ready;

/// Asks a server for the schema of its services.
///
/// The client calls the service of `grpc.reflection.v1`, or of `grpc.reflection.v1alpha` if the server does not have `v1`. The
/// client limits the size of the schema, so that a server cannot send answers without end.
///
/// ```
/// # use tobu_tonic_service::reading::v1::reading_room_server;
/// # use tobu_tonic_service::run;
/// # use tobu_tonic::ReflectionService;
/// use tobu_tonic::reflection::ReflectionClient;
///
/// # run(async {
/// # let channel = ReflectionService::of([reading_room_server::descriptor()]).v1();
/// let mut client = ReflectionClient::new(channel);
/// assert_eq!(client.services().await?, ["reading.v1.ReadingRoom"]);
///
/// let pool = client.pool().await?;
/// assert_eq!(pool.method("reading.v1.ReadingRoom.Borrow").unwrap().output().name(), "Book");
/// # Ok(())
/// # });
/// ```
#[derive(Clone, Debug)]
pub struct ReflectionClient<T> {
    transport: T,
    max_bytes: usize,
    max_files: usize,
    deadline: Option<Duration>,
    version: Version,
}

/// The version of the service that a server has. Both versions have the same messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Version {
    V1,
    V1Alpha,
}

impl<T: Transport + Clone> ReflectionClient<T> {
    /// Creates a client that sends its calls through a channel, or through another service that takes requests.
    pub fn new(transport: T) -> Self {
        let (max_bytes, max_files) = (64 << 20, 10_000);
        ReflectionClient { transport, max_bytes, max_files, deadline: None, version: Version::V1 }
    }

    /// Sets how many bytes all files together may have; 64 MiB by default.
    #[must_use]
    pub fn max_bytes(mut self, limit: usize) -> Self {
        self.max_bytes = limit;
        self
    }

    /// Sets how many services and how many files the server may have; 10,000 each by default.
    #[must_use]
    pub fn max_files(mut self, limit: usize) -> Self {
        self.max_files = limit;
        self
    }

    /// Sets how long each call may take. The client may need several calls: one for the list of services (two if the server has
    /// only `v1alpha`), one for their files, and one for each level of imports that the server did not send.
    #[must_use]
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// Returns the sorted full names of the services, without the reflection services themselves.
    ///
    /// # Errors
    /// The server has neither version of the reflection service, cannot be reached, or has more services than the limit.
    pub async fn services(&mut self) -> Result<Vec<String>, Status> {
        let list = || vec![MessageRequest::ListServices(String::new())];
        self.version = Version::V1;
        let answers = match self.ask(list()).await {
            Err(status) if status.code() == Code::Unimplemented => {
                self.version = Version::V1Alpha;
                self.ask(list()).await
            }
            done => done,
        };
        let mut names = BTreeSet::new();
        for answer in answers? {
            let MessageResponse::ListServicesResponse(list) = answer else { return Err(unasked()) };
            names.extend(list.service.into_iter().map(|service| service.name));
        }
        names.retain(|name| !name.starts_with("grpc.reflection."));
        match names.len() > self.max_files {
            true => Err(self.too_many("services")),
            false => Ok(names.into_iter().collect()),
        }
    }

    /// Returns the files of all services and everything that they import, as a serialized
    /// `google.protobuf.FileDescriptorSet`. The files are sorted by name, so the same schema has the same bytes.
    ///
    /// # Errors
    /// [`services`](Self::services) fails, the server does not send a file, a file is malformed, or a limit is exceeded.
    pub async fn descriptor_set(&mut self) -> Result<Vec<u8>, Status> {
        let services = self.services().await?;
        let mut questions: Vec<_> = services.into_iter().map(MessageRequest::FileContainingSymbol).collect();
        let mut files = BTreeMap::new();
        let (mut wanted, mut asked) = (BTreeSet::new(), BTreeSet::new());
        // Some servers also send the imports of a file. Others send only the requested file, so the client asks for the
        // imports that are missing.
        while !questions.is_empty() {
            for answer in self.ask(questions).await? {
                let MessageResponse::FileDescriptorResponse(answer) = answer else { return Err(unasked()) };
                for file in answer.file_descriptor_proto {
                    let (name, imports) = head(&file).map_err(codec::status)?;
                    wanted.extend(imports);
                    files.insert(name, file);
                }
            }
            if files.values().map(Vec::len).sum::<usize>() > self.max_bytes {
                return Err(self.too_large());
            }
            // The client asks for no file twice.
            let missing = wanted.iter().filter(|name| !files.contains_key(*name) && !asked.contains(*name));
            let missing: Vec<String> = missing.cloned().collect();
            if files.len() + missing.len() > self.max_files {
                return Err(self.too_many("files"));
            }
            asked.extend(missing.iter().cloned());
            questions = missing.into_iter().map(MessageRequest::FileByFilename).collect();
        }
        let mut set = Writer::new();
        for file in files.values() {
            set.tag(Tag::new(1, WireType::Len));
            set.len_prefixed(file);
        }
        set.finish().map_err(codec::status)
    }

    /// Returns the schema of all services.
    ///
    /// # Errors
    /// [`descriptor_set`](Self::descriptor_set) fails, or the files are not a valid schema.
    pub async fn pool(&mut self) -> Result<Pool, Status> {
        Pool::from_descriptor_set(&self.descriptor_set().await?).map_err(codec::status)
    }

    /// Sends requests on one stream, and returns the answers. Fails if an answer is an error, or if a request has no answer.
    async fn ask(&self, questions: Vec<MessageRequest>) -> Result<Vec<MessageResponse>, Status> {
        let names: Vec<String> = questions.iter().map(name_of).collect();
        let questions = questions.into_iter().map(|asked| ServerReflectionRequest {
            message_request: Some(asked),
            ..ServerReflectionRequest::default()
        });
        let mut request = Request::new(Ready::new(questions.collect::<Vec<_>>()));
        if let Some(deadline) = self.deadline {
            request.set_timeout(deadline);
        }
        let mut answers = self.call(request).await?.into_inner();
        let (mut all, mut room) = (Vec::with_capacity(names.len()), self.max_bytes);
        while let Some(answer) = answers.message().await? {
            let Some(name) = names.get(all.len()) else { return Err(unasked()) };
            match answer.message_response {
                Some(MessageResponse::ErrorResponse(error)) => {
                    let code = Code::from(error.error_code);
                    return Err(Status::new(code, format!("{name}: {}", error.error_message)));
                }
                Some(answer) => {
                    room = room.checked_sub(size_of(&answer)).ok_or_else(|| self.too_large())?;
                    all.push(answer);
                }
                None => return Err(unasked()),
            }
        }
        match all.len() == names.len() {
            true => Ok(all),
            false => Err(Status::internal(format!("{} questions have {} answers", names.len(), all.len()))),
        }
    }

    async fn call(
        &self,
        request: Request<Ready<std::vec::IntoIter<ServerReflectionRequest>>>,
    ) -> Result<Response<Streaming<ServerReflectionResponse>>, Status> {
        let transport = self.transport.clone();
        match self.version {
            Version::V1 => {
                let client = ServerReflectionClient::new(transport);
                client.max_decoding_message_size(self.max_bytes).server_reflection_info(request).await
            }
            Version::V1Alpha => {
                let client = AlphaClient::new(transport);
                client.max_decoding_message_size(self.max_bytes).server_reflection_info(request).await
            }
        }
    }

    #[cold]
    fn too_many(&self, what: &str) -> Status {
        Status::resource_exhausted(format!("there are more than {} {what}", self.max_files))
    }

    #[cold]
    fn too_large(&self) -> Status {
        Status::resource_exhausted(format!("the files have more than {} bytes", self.max_bytes))
    }
}

fn unasked() -> Status {
    Status::internal("an answer belongs to another question")
}

/// Returns the name of the requested element, for an error text.
fn name_of(question: &MessageRequest) -> String {
    match question {
        MessageRequest::FileByFilename(name) | MessageRequest::FileContainingSymbol(name) => name.clone(),
        _ => "the services".to_owned(),
    }
}

fn size_of(answer: &MessageResponse) -> usize {
    match answer {
        MessageResponse::FileDescriptorResponse(files) => {
            files.file_descriptor_proto.iter().map(Vec::len).sum()
        }
        _ => 0,
    }
}

/// Returns the name and the imports of a serialized `google.protobuf.FileDescriptorProto`.
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
