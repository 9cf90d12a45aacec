//! The schema that a server describes, and the answers to the requests of clients.

use std::collections::{BTreeSet, HashSet, VecDeque};

use tobu::{FileDescriptor, Pool, ServiceDescriptor};
use tonic::{Code, Status};

use super::generated::{FILE_GRPC_REFLECTION_V1_REFLECTION, FILE_GRPC_REFLECTION_V1ALPHA_REFLECTION};
use super::v1::server_reflection_request::MessageRequest;
use super::v1::server_reflection_response::MessageResponse;
use super::v1::{
    ErrorResponse, ExtensionNumberResponse, ExtensionRequest, FileDescriptorResponse, ListServiceResponse,
    ServerReflectionRequest, ServerReflectionResponse, ServiceResponse,
};

/// The schema, and the names of the services that the server lists.
#[derive(Debug)]
pub(super) struct Catalog {
    pool: Pool,
    /// The full names of the listed services.
    services: BTreeSet<String>,
}

/// The names of the files that were already sent on a stream.
pub(super) type Sent = HashSet<String>;

/// Returns a pool with the files of services and everything that they import, and the full names of the services.
pub(super) fn collect(services: impl IntoIterator<Item = ServiceDescriptor>) -> (Pool, BTreeSet<String>) {
    let (mut pool, mut names) = (Pool::new(), BTreeSet::new());
    for service in services {
        add(&mut pool, &service.file());
        names.insert(service.full_name().to_owned());
    }
    (pool, names)
}

/// Adds a file and its imports to a pool. If the file clashes with a file of the pool, it is left out, and so is every file
/// that imports it.
fn add(pool: &mut Pool, file: &FileDescriptor) {
    if pool.file(file.name()).is_none() {
        for import in file.dependencies() {
            add(pool, &import);
        }
        let _ = pool.add_file(file.encoded());
    }
}

impl Catalog {
    /// Creates a catalog that lists `services` and the reflection services themselves.
    pub(super) fn new(mut pool: Pool, mut services: BTreeSet<String>) -> Self {
        for file in [&FILE_GRPC_REFLECTION_V1_REFLECTION, &FILE_GRPC_REFLECTION_V1ALPHA_REFLECTION] {
            add(&mut pool, file.descriptor());
            services.extend(file.descriptor().services().map(|service| service.full_name().to_owned()));
        }
        Catalog { pool, services }
    }

    /// Returns a catalog with further files, which lists the same services.
    pub(super) fn with_files(&self, files: impl IntoIterator<Item = FileDescriptor>) -> Self {
        let mut pool = self.pool.clone();
        files.into_iter().for_each(|file| add(&mut pool, &file));
        Catalog { pool, services: self.services.clone() }
    }

    pub(super) fn pool(&self) -> &Pool {
        &self.pool
    }

    /// Answers a request. If the catalog does not have the requested element, the answer says so. The function fails, which
    /// ends the stream, only if the request asks for nothing.
    pub(super) fn answer(
        &self,
        request: ServerReflectionRequest,
        sent: &mut Sent,
    ) -> Result<ServerReflectionResponse, Status> {
        let Some(question) = &request.message_request else {
            return Err(Status::invalid_argument("message_request: the request asks for nothing"));
        };
        let answer = match question {
            MessageRequest::FileByFilename(name) => self.file(name).map(|file| files(file, sent)),
            MessageRequest::FileContainingSymbol(name) => self.symbol(name).map(|file| files(file, sent)),
            MessageRequest::FileContainingExtension(asked) => {
                self.extension(asked).map(|file| files(file, sent))
            }
            MessageRequest::AllExtensionNumbersOfType(name) => self.extension_numbers(name),
            MessageRequest::ListServices(_) => Ok(self.list()),
        };
        let answer = answer.unwrap_or_else(|message| {
            MessageResponse::ErrorResponse(ErrorResponse {
                error_code: Code::NotFound as i32,
                error_message: message,
                ..ErrorResponse::default()
            })
        });
        Ok(ServerReflectionResponse {
            valid_host: request.host.clone(),
            original_request: Some(request),
            message_response: Some(answer),
            ..ServerReflectionResponse::default()
        })
    }

    fn file(&self, name: &str) -> Result<FileDescriptor, String> {
        self.pool.file(name).ok_or_else(|| format!("there is no file {name:?}"))
    }

    /// Returns the file that declares an element of any kind. A package is not an element of one file, so it is not found.
    fn symbol(&self, name: &str) -> Result<FileDescriptor, String> {
        let pool = &self.pool;
        let service = || pool.service(name).map(|found| found.file());
        let method = || pool.method(name).map(|found| found.service().file());
        let message = || pool.message(name).map(|found| found.file());
        let enumeration = || pool.enumeration(name).map(|found| found.file());
        let value = || pool.enum_value(name).map(|found| found.enumeration().file());
        let field = || pool.field(name).map(|found| found.file());
        let oneof = || pool.oneof(name).map(|found| found.file());
        let extension = || pool.extension(name).map(|found| found.file());
        service()
            .or_else(message)
            .or_else(method)
            .or_else(enumeration)
            .or_else(extension)
            .or_else(field)
            .or_else(value)
            .or_else(oneof)
            .ok_or_else(|| format!("there is no symbol {name:?}"))
    }

    fn extension(&self, asked: &ExtensionRequest) -> Result<FileDescriptor, String> {
        let (name, number) = (&asked.containing_type, asked.extension_number);
        let found = self.pool.message(name).and_then(|message| {
            let number = u32::try_from(number).ok()?;
            self.pool.extension_of(&message, number)
        });
        match found {
            Some(extension) => Ok(extension.file()),
            None => Err(format!("there is no extension {number} of {name:?}")),
        }
    }

    fn extension_numbers(&self, name: &str) -> Result<MessageResponse, String> {
        let message = self.pool.message(name).ok_or_else(|| format!("there is no message {name:?}"))?;
        let numbers = self.pool.extensions_of(&message).map(|extension| extension.number() as i32);
        Ok(MessageResponse::AllExtensionNumbersResponse(ExtensionNumberResponse {
            base_type_name: name.to_owned(),
            extension_number: numbers.collect(),
            ..ExtensionNumberResponse::default()
        }))
    }

    fn list(&self) -> MessageResponse {
        let services = self.services.iter();
        let service =
            services.map(|name| ServiceResponse { name: name.clone(), ..ServiceResponse::default() });
        MessageResponse::ListServicesResponse(ListServiceResponse {
            service: service.collect(),
            ..ListServiceResponse::default()
        })
    }
}

/// Returns an answer with a file and all files that it imports. Imports that were already sent on the stream are left out.
fn files(file: FileDescriptor, sent: &mut Sent) -> MessageResponse {
    let mut encoded = Vec::new();
    let mut seen = HashSet::from([file.name().to_owned()]);
    let mut open = VecDeque::from([file]);
    while let Some(file) = open.pop_front() {
        // The first file is the requested file. It is sent even if it was sent before.
        if sent.insert(file.name().to_owned()) || encoded.is_empty() {
            encoded.push(file.encoded().to_vec());
        }
        open.extend(file.dependencies().filter(|import| seen.insert(import.name().to_owned())));
    }
    MessageResponse::FileDescriptorResponse(FileDescriptorResponse {
        file_descriptor_proto: encoded,
        ..FileDescriptorResponse::default()
    })
}
