//! A client of others that knows no schema: grpcurl, where there is one, `go install github.com/fullstorydev/grpcurl/cmd/grpcurl`.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::Command;

use tobu_tonic::ReflectionService;
use tobu_tonic_service::Room;
use tobu_tonic_service::reading::v1::reading_room_server::{self, ReadingRoomServer};
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::transport::Server;
use tonic::transport::server::Router;

/// The program that `GRPCURL` names, or that is on the path.
fn find() -> Option<PathBuf> {
    let named = std::env::var_os("GRPCURL").map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut candidates =
        named.into_iter().chain(std::env::split_paths(&path).map(|path| path.join("grpcurl")));
    candidates.find(|candidate| candidate.is_file())
}

/// What the program says, to a server on a port of its own.
async fn say(program: PathBuf, router: Router, lines: &'static [&'static [&'static str]]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address: SocketAddr = listener.local_addr().unwrap();
    tokio::spawn(router.serve_with_incoming(TcpListenerStream::new(listener)));
    let talk = move || {
        let mut said = String::new();
        for line in lines {
            let line = line.iter().map(|word| word.replace("ADDRESS", &address.to_string()));
            let output = Command::new(&program).arg("-plaintext").args(line).output().unwrap();
            said += &String::from_utf8(output.stdout).unwrap();
            said += &String::from_utf8(output.stderr).unwrap();
        }
        said
    };
    tokio::task::spawn_blocking(talk).await.unwrap()
}

const LINES: &[&[&str]] = &[
    &["ADDRESS", "list"],
    &["ADDRESS", "describe", "reading.v1.ReadingRoom.Borrow"],
    &["ADDRESS", "describe", "reading.v1.Book"],
    &["-d", r#"{"title":"Emma"}"#, "ADDRESS", "reading.v1.ReadingRoom/Borrow"],
    &["-d", r#"{"titles":["Emma","Dune"]}"#, "ADDRESS", "reading.v1.ReadingRoom/Browse"],
    &["-d", r#"{"text":"one"} {"text":"two"}"#, "ADDRESS", "reading.v1.ReadingRoom/Talk"],
];

const SAID: &str = r#"reading.v1.ReadingRoom
reading.v1.ReadingRoom.Borrow is a method:
rpc Borrow ( .reading.v1.BorrowRequest ) returns ( .reading.v1.Book ) {
  option (.reading.v1.sign) = "One book each.";
}
reading.v1.Book is a message:
message Book {
  string title = 1;
  uint32 pages = 2;
  bytes cover = 3;
  .reading.v1.Book.Binding binding = 4;
  oneof holder {
    string reader = 5;
    uint32 room = 6;
  }
  repeated .reading.v1.Mark marks = 7;
  enum Binding {
    BINDING_UNSPECIFIED = 0;
    BINDING_CLOTH = 1;
  }
}
{
  "title": "Emma",
  "pages": 474,
  "cover": "Z3JlZW4="
}
{
  "title": "Emma",
  "pages": 474,
  "cover": "Z3JlZW4="
}
{
  "title": "Dune",
  "pages": 412
}
{
  "text": "one, one"
}
{
  "text": "two, two"
}
"#;

#[tokio::test(flavor = "multi_thread")]
async fn lists_describes_and_calls_over_either_version() {
    let Some(program) = find() else {
        eprintln!("skipped: there is no grpcurl on this machine");
        return;
    };
    let reflection = ReflectionService::of([reading_room_server::descriptor()]);
    let room = || Server::builder().add_service(ReadingRoomServer::new(Room::default()));
    // It asks in the newer version first, and takes the older one where there is no newer one.
    let v1 = say(program.clone(), room().add_service(reflection.v1()), LINES).await;
    let v1alpha = say(program, room().add_service(reflection.v1alpha()), LINES).await;
    // The service tells of both versions, whichever is served.
    let wanted =
        format!("grpc.reflection.v1.ServerReflection\ngrpc.reflection.v1alpha.ServerReflection\n{SAID}");
    assert_eq!(v1, wanted);
    assert_eq!(v1alpha, wanted);
}
