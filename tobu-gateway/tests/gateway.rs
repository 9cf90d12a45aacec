//! The program in front of a server of gRPC in this process.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Request};
use http_body_util::{BodyExt, Full};
use hyper_util::rt::TokioIo;
use tobu_tonic::health::ServingStatus;
use tobu_tonic::{HealthService, ReflectionService};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::process::{Child, Command};
use tokio_stream::wrappers::TcpListenerStream;

/// A server with health and reflection; its address, and its health.
async fn upstream() -> (String, HealthService) {
    let health = HealthService::new();
    let descriptor = tobu_tonic::health::v1::health_server::descriptor();
    let reflection = ReflectionService::of([descriptor]);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let router = tonic::transport::Server::builder()
        .add_service(health.server())
        .add_service(reflection.v1())
        .add_service(reflection.v1alpha());
    tokio::spawn(router.serve_with_incoming(TcpListenerStream::new(listener)));
    (url, health)
}

struct Gateway {
    child: Child,
    address: String,
    first_line: String,
    // Kept open: a closed pipe would end the program.
    _output: BufReader<tokio::process::ChildStdout>,
}

impl Gateway {
    async fn start(arguments: &[&str]) -> Self {
        let mut child = command(arguments).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut first_line = String::new();
        let read = output.read_line(&mut first_line);
        tokio::time::timeout(Duration::from_secs(20), read).await.unwrap().unwrap();
        let address = first_line.split("://").nth(1).and_then(|rest| rest.split(',').next());
        let address = address.unwrap_or_else(|| panic!("{first_line:?}")).to_owned();
        Gateway { child, address, first_line, _output: output }
    }

    async fn send(&self, line: &str, headers: &[(&str, &str)], body: &[u8]) -> (u16, HeaderMap, String) {
        let (method, path) = line.split_once(' ').unwrap();
        let mut request = Request::builder().method(method).uri(path).header("host", "gate.example.com");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Full::new(Bytes::copy_from_slice(body))).unwrap();
        let stream = TcpStream::connect(&self.address).await.unwrap();
        let (mut sender, connection) =
            hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.unwrap();
        tokio::spawn(connection);
        let (head, body) = sender.send_request(request).await.unwrap().into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        (head.status.as_u16(), head.headers, body.escape_ascii().to_string().replace("\\\"", "\""))
    }

    async fn get(&self, path: &str) -> String {
        let (status, _, body) = self.send(&format!("GET {path}"), &[], b"").await;
        format!("{status} {body}")
    }

    fn signal(&self, name: &str) {
        let id = self.child.id().unwrap().to_string();
        assert!(std::process::Command::new("kill").args([name, &id]).status().unwrap().success());
    }
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tobu-gateway"));
    command.args(arguments).kill_on_drop(true);
    command
}

/// A file in a folder, and its path as an argument.
fn write(folder: &Path, name: &str, text: &str) -> String {
    let file: PathBuf = folder.join(name);
    std::fs::write(&file, text).unwrap();
    file.display().to_string()
}

const CHECK: &str = "/grpc.health.v1.Health/Check";

#[tokio::test]
async fn every_protocol() {
    let (url, health) = upstream().await;
    let gateway = Gateway::start(&["--upstream", &url, "--listen", "127.0.0.1:0"]).await;
    assert!(
        gateway.first_line.ends_with(&format!(", with 0 rules in front of {url}\n")),
        "{}",
        gateway.first_line
    );
    let post = format!("POST {CHECK}");
    // Connect.
    let (status, headers, body) = gateway.send(&post, &[("content-type", "application/json")], b"{}").await;
    assert_eq!((status, &*body), (200, r#"{"status":"SERVING"}"#));
    assert_eq!(headers["x-request-id"].len(), 24);
    let named = br#"{"service":"none"}"#;
    let (status, _, body) = gateway.send(&post, &[("content-type", "application/json")], named).await;
    assert_eq!((status, body.contains(r#""code":"not_found""#)), (404, true), "{body}");
    // gRPC-Web.
    let web = [("content-type", "application/grpc-web"), ("x-request-id", "mine")];
    let (status, headers, body) = gateway.send(&post, &web, b"\0\0\0\0\0").await;
    assert_eq!((status, &headers["x-request-id"]), (200, &"mine".parse().unwrap()));
    assert!(body.starts_with(r"\x00\x00\x00\x00\x02\x08\x01\x80"), "{body}");
    // gRPC, by a channel over HTTP/2.
    let channel = tonic::transport::Endpoint::from_shared(format!("http://{}", gateway.address)).unwrap();
    let mut client =
        tobu_tonic::health::v1::health_client::HealthClient::new(channel.connect().await.unwrap());
    let answer = client.check(tobu_tonic::health::v1::HealthCheckRequest::default()).await.unwrap();
    assert_eq!(answer.into_inner().status, ServingStatus::SERVING);
    // Its own paths; calls of each protocol count.
    assert_eq!(gateway.get("/healthz").await, r"200 ok\n");
    assert_eq!(gateway.get("/readyz").await, r"200 ready\n");
    assert!(gateway.get("/openapi.json").await.starts_with("200 {"));
    let metrics = gateway.get("/metrics").await;
    let line = r#"tobu_transcode_requests_total{grpc_method="grpc.health.v1.Health.Check",http_method="POST",code="OK"} 3"#;
    assert!(metrics.contains(line), "{metrics}");
    health.set("", ServingStatus::NOT_SERVING);
    assert_eq!(gateway.get("/readyz").await, r"503 not ready\n");
    let unknown = gateway.get("/elsewhere").await;
    assert_eq!(unknown, r#"404 {"code":5,"message":"no rule has the path \\"/elsewhere\\"","details":[]}"#);
}

#[tokio::test]
async fn tokens_and_other_origins() {
    let (url, _) = upstream().await;
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "tokens.txt", "secret\nother\n");
    let config = format!(
        "listen = \"127.0.0.1:0\"\n[upstream]\nurl = {url:?}\n[auth]\ntokens = \"tokens.txt\"\npublic = [\"/openapi.json\"]\n\
         [cors]\norigins = [\"https://shop.example.com\"]\n"
    );
    let config = write(folder.path(), "gateway.toml", &config);
    let gateway = Gateway::start(&["--config", &config]).await;
    let post = format!("POST {CHECK}");
    let json = ("content-type", "application/json");
    let refused = r#"{"code":16,"message":"the request has no token that is known","details":[]}"#;
    for token in ["", "Bearer", "Bearer wrong", "Basic secret", "Bearer secre", "Bearer secret2"] {
        let (status, headers, body) = gateway.send(&post, &[json, ("authorization", token)], b"{}").await;
        assert_eq!((status, &*body), (401, refused), "{token}");
        assert_eq!(headers["www-authenticate"], "Bearer");
    }
    for token in ["Bearer secret", "bearer other"] {
        assert_eq!(gateway.send(&post, &[json, ("authorization", token)], b"{}").await.0, 200, "{token}");
    }
    let web = [("content-type", "application/grpc-web")];
    let (status, headers, _) = gateway.send(&post, &web, b"\0\0\0\0\0").await;
    assert_eq!((status, &headers["grpc-status"]), (200, &"16".parse().unwrap()));
    assert_eq!(gateway.get("/metrics").await, format!("401 {refused}"));
    assert!(gateway.get("/openapi.json").await.starts_with("200 "));
    assert_eq!(gateway.get("/healthz").await, r"200 ok\n");
    let asks = [("origin", "https://shop.example.com"), ("access-control-request-method", "POST")];
    let (status, headers, _) = gateway.send(&format!("OPTIONS {CHECK}"), &asks, b"").await;
    assert_eq!(
        (status, &headers["access-control-allow-origin"]),
        (204, &"https://shop.example.com".parse().unwrap())
    );
}

const PROTO: &str = "syntax = \"proto3\";\npackage grpc.health.v1;\n\
    message HealthCheckRequest { string service = 1; }\n\
    message HealthCheckResponse { int32 status = 1; }\n\
    service Health { rpc Check(HealthCheckRequest) returns (HealthCheckResponse); }\n";

#[tokio::test]
async fn changes_are_followed() {
    let (url, _) = upstream().await;
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "health.proto", PROTO);
    write(
        folder.path(),
        "rules.yaml",
        "http:\n  rules:\n  - selector: grpc.health.v1.Health.Check\n    get: /v1/health\n",
    );
    let text = format!(
        "listen = \"127.0.0.1:0\"\n[upstream]\nurl = {url:?}\nprotos = [\"health.proto\"]\n\
         [rest]\nservice_config = \"rules.yaml\"\n"
    );
    let config = write(folder.path(), "gateway.toml", &text);
    let gateway = Gateway::start(&["--config", &config]).await;
    assert!(gateway.first_line.contains(", with 1 rules "), "{}", gateway.first_line);
    assert_eq!(gateway.get("/v1/health").await, r#"200 {"status":1}"#);
    // A file, and then the signal, which needs no wait for the clock.
    write(
        folder.path(),
        "rules.yaml",
        "http:\n  rules:\n  - selector: grpc.health.v1.Health.Check\n    get: /v2/health\n",
    );
    wait(&gateway, "/v2/health", r#"200 {"status":1}"#).await;
    assert!(gateway.get("/v1/health").await.starts_with("404 "));
    // What is wrong is refused, and the one before goes on.
    write(folder.path(), "gateway.toml", "[upstream]\nurl = 7\n");
    gateway.signal("-HUP");
    let refused = "tobu_transcode_reloads_total{result=\"refused\"} ";
    for _ in 0..100 {
        let metrics = gateway.get("/metrics").await;
        if metrics.contains(refused) && !metrics.contains(&format!("{refused}0")) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(!gateway.get("/metrics").await.contains(&format!("{refused}0")));
    assert_eq!(gateway.get("/v2/health").await, r#"200 {"status":1}"#);
    write(
        folder.path(),
        "gateway.toml",
        &format!("{text}\nauto_mapping = true\n[paths]\nhealth = \"/alive\"\n"),
    );
    wait(&gateway, "/alive", r"200 ok\n").await;
}

async fn wait(gateway: &Gateway, path: &str, wanted: &str) {
    for _ in 0..100 {
        if gateway.get(path).await == wanted {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(gateway.get(path).await, wanted);
}

#[tokio::test]
async fn it_ends_when_it_is_told() {
    let (url, _) = upstream().await;
    let mut gateway = Gateway::start(&["--upstream", &url, "--listen", "127.0.0.1:0"]).await;
    // A client that says nothing is not waited for.
    let _silent = TcpStream::connect(&gateway.address).await.unwrap();
    assert_eq!(gateway.get("/healthz").await, r"200 ok\n");
    gateway.signal("-TERM");
    let status = tokio::time::timeout(Duration::from_secs(10), gateway.child.wait()).await.unwrap().unwrap();
    assert!(status.success());
}

#[tokio::test]
async fn the_configuration_is_checked() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "health.proto", PROTO);
    write(folder.path(), "bad.proto", "syntax = \"proto3\";\nmessage M { string s = 0; }\n");
    write(folder.path(), "empty.txt", "\n");
    let upstream = "[upstream]\nurl = \"http://127.0.0.1:1\"\n";
    let protos = "protos = [\"health.proto\"]\n";
    #[rustfmt::skip]
    let rows = [
        (upstream.to_owned(), true, "the configuration is valid; the schema is that of the server\n".to_owned()),
        (format!("{upstream}{protos}"), true, "the configuration is valid, with 0 rules\n".into()),
        (format!("{upstream}{protos}[rest]\nauto_mapping = true\n"), true, "the configuration is valid, with 1 rules\n".into()),
        ("[upstream]\nurl = \"nowhere\"\n".into(), false, "g.toml:2:7: the upstream server is named by a URL, such as `http://127.0.0.1:50051`\n".into()),
        (format!("{upstream}[rest]\npreset = \"nginx\"\n"), false, "g.toml:4:10: \"nginx\" is not a preset: there are tobu, envoy, grpc_gateway and vanguard\n".into()),
        (format!("{upstream}[headers]\nrequest = [\"a b\"]\n"), false, "g.toml:4:12: \"a b\": invalid HTTP header name\n".into()),
        (format!("{upstream}[auth]\ntokens = \"empty.txt\"\n"), false, "g.toml:4:10: the file has no token\n".into()),
        (format!("{upstream}[cors]\norigins = [\"*\", \"https://a\"]\n"), false, "g.toml:4:11: `*` is any origin, and stands alone\n".into()),
        (format!("{upstream}[tls]\ncert = \"none.pem\"\nkey = \"none.key\"\n"), false, "g.toml:4:8: DIR/none.pem: No such file or directory (os error 2)\n".into()),
        (format!("{upstream}[tls]\ncert = \"empty.txt\"\nkey = \"empty.txt\"\n"), false, "g.toml:4:8: the file has no certificate\n".into()),
        (format!("{upstream}descriptors = \"health.proto\"\n"), false, "g.toml:3:15: DIR/health.proto: ".into()),
        (format!("{upstream}protos = [\"bad.proto\"]\n"), false, "g.toml:3:11: bad.proto:2:".into()),
    ];
    for (text, is_valid, wanted) in rows {
        let config = write(folder.path(), "g.toml", &text);
        let mut child = command(&["--config", &config, "--check"]);
        let output = child.output().await.unwrap();
        let told = if is_valid { output.stdout } else { output.stderr };
        let told = String::from_utf8(told).unwrap().replace(&config, "g.toml");
        let told = told.replace(&folder.path().display().to_string(), "DIR");
        assert_eq!(output.status.success(), is_valid, "{text}: {told}");
        assert!(told == wanted || !wanted.ends_with('\n') && told.starts_with(&wanted), "{text}: {told:?}");
    }
    let output = command(&["--check"]).output().await.unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[tokio::test]
async fn a_client_that_says_nothing_is_closed() {
    let (url, _) = upstream().await;
    let folder = tempfile::tempdir().unwrap();
    let text =
        format!("listen = \"127.0.0.1:0\"\n[upstream]\nurl = {url:?}\n[limits]\nhead_timeout_ms = 200\n");
    let config = write(folder.path(), "gateway.toml", &text);
    let gateway = Gateway::start(&["--config", &config]).await;
    for start in [&b""[..], b"PRI * HTTP/2.0", b"GET / HTTP/1.1\r\n"] {
        let mut stream = TcpStream::connect(&gateway.address).await.unwrap();
        tokio::io::AsyncWriteExt::write_all(&mut stream, start).await.unwrap();
        let mut rest = Vec::new();
        let read = tokio::time::timeout(Duration::from_secs(10), stream.read_to_end(&mut rest)).await;
        assert!(read.is_ok(), "{}", start.escape_ascii());
    }
}

/// Over TLS a client chooses the version of HTTP, and one without TLS is no client.
#[tokio::test]
async fn over_tls() {
    let (url, _) = upstream().await;
    let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/gateway/tests/tls");
    let file = |name: &str| files.join(name).canonicalize().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let text = format!(
        "listen = \"127.0.0.1:0\"\n[upstream]\nurl = {url:?}\n[tls]\ncert = {:?}\nkey = {:?}\n",
        file("server.pem"),
        file("server.key")
    );
    let config = write(folder.path(), "gateway.toml", &text);
    let gateway = Gateway::start(&["--config", &config]).await;
    assert!(gateway.first_line.starts_with("listening on https://"), "{}", gateway.first_line);
    let ca = tonic::transport::Certificate::from_pem(std::fs::read(file("ca.pem")).unwrap());
    let tls = tonic::transport::ClientTlsConfig::new().ca_certificate(ca);
    let channel = tonic::transport::Endpoint::from_shared(format!("https://{}", gateway.address)).unwrap();
    let channel = channel.tls_config(tls).unwrap().connect().await.unwrap();
    let mut client = tobu_tonic::health::v1::health_client::HealthClient::new(channel);
    let answer = client.check(tobu_tonic::health::v1::HealthCheckRequest::default()).await.unwrap();
    assert_eq!(answer.into_inner().status, ServingStatus::SERVING);
    let mut plain = TcpStream::connect(&gateway.address).await.unwrap();
    tokio::io::AsyncWriteExt::write_all(&mut plain, b"GET / HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    let mut told = Vec::new();
    let _ = plain.read_to_end(&mut told).await;
    assert!(!told.starts_with(b"HTTP"), "{}", told.escape_ascii());
}

/// One gateway asks clients for certificates, and another one, in front of it, has one to show, or none that counts.
#[tokio::test]
async fn certificates_of_clients() {
    let (url, _) = upstream().await;
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = |name: &str| crate_folder.join(name).canonicalize().unwrap();
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "health.proto", PROTO);
    let [cert, key, ca] = ["server.pem", "server.key", "ca.pem"]
        .map(|name| file(&format!("../examples/gateway/tests/tls/{name}")));
    let text = format!(
        "listen = \"127.0.0.1:0\"\n[upstream]\nurl = {url:?}\n[tls]\ncert = {cert:?}\nkey = {key:?}\nclient_ca = {:?}\n",
        file("tests/tls/clients-ca.pem")
    );
    let guarded = Gateway::start(&["--config", &write(folder.path(), "guarded.toml", &text)]).await;
    let unreachable = r#"{"code":"unavailable","message":"the service cannot be reached"}"#;
    for (name, status, answer) in
        [("client", 200, r#"{"status":1}"#), ("stranger", 503, unreachable), ("", 503, unreachable)]
    {
        let mut text = format!(
            "listen = \"127.0.0.1:0\"\n[upstream]\nurl = \"https://{}\"\nprotos = [\"health.proto\"]\nca = {ca:?}\n",
            guarded.address
        );
        if !name.is_empty() {
            let [cert, key] = ["pem", "key"].map(|kind| file(&format!("tests/tls/{name}.{kind}")));
            text += &format!("cert = {cert:?}\nkey = {key:?}\n");
        }
        let gateway = Gateway::start(&["--config", &write(folder.path(), "gateway.toml", &text)]).await;
        let json = [("content-type", "application/json")];
        let (found, _, body) = gateway.send(&format!("POST {CHECK}"), &json, b"{}").await;
        assert_eq!((found, &*body), (status, answer), "{name:?}");
    }
}

/// The upstream server learns where a request comes from. The gateway believes such headers of clients only if the configuration
/// says so.
#[tokio::test]
async fn where_a_request_comes_from() {
    let seen = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let recorder = std::sync::Arc::clone(&seen);
    let health = HealthService::new();
    let recorded = tonic::service::interceptor::InterceptedService::new(
        health.server(),
        move |request: tonic::Request<()>| {
            let names = ["x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-request-id"];
            let value =
                |name| request.metadata().get(name).map_or("-", |value| value.to_str().unwrap()).to_owned();
            *recorder.lock().unwrap() = names.map(value).to_vec();
            Ok(request)
        },
    );
    let reflection = ReflectionService::of([tobu_tonic::health::v1::health_server::descriptor()]);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let router = tonic::transport::Server::builder().add_service(recorded).add_service(reflection.v1());
    tokio::spawn(router.serve_with_incoming(TcpListenerStream::new(listener)));
    let folder = tempfile::tempdir().unwrap();
    let rules = "http:\n  rules:\n  - selector: grpc.health.v1.Health.Check\n    get: /v1/health\n";
    write(folder.path(), "rules.yaml", rules);
    for trust in [false, true] {
        let text = format!(
            "listen = \"127.0.0.1:0\"\n[upstream]\nurl = {url:?}\n[rest]\nservice_config = \"rules.yaml\"\n\
             [headers]\ntrust_forwarded = {trust}\n"
        );
        let config = write(folder.path(), "gateway.toml", &text);
        let gateway = Gateway::start(&["--config", &config]).await;
        let json = ("content-type", "application/json");
        let headers = [
            json,
            ("x-forwarded-for", "203.0.113.7"),
            ("x-forwarded-host", "shop.example.com"),
            ("x-forwarded-proto", "https"),
            ("x-request-id", "mine"),
        ];
        let wanted = match trust {
            true => ["203.0.113.7, 127.0.0.1", "shop.example.com", "https", "mine"],
            false => ["127.0.0.1", "gate.example.com", "http", "mine"],
        };
        for (line, body) in [("GET /v1/health", &b""[..]), (&format!("POST {CHECK}"), b"{}")] {
            let (status, _, _) = gateway.send(line, &headers, body).await;
            assert_eq!(status, 200, "{line}");
            assert_eq!(*seen.lock().unwrap(), wanted, "{line} {trust}");
        }
        let (_, headers, _) = gateway.send("GET /v1/health", &[], b"").await;
        let told = seen.lock().unwrap().clone();
        assert_eq!(told[..3], ["127.0.0.1", "gate.example.com", "http"]);
        assert_eq!(headers["x-request-id"], told[3]);
    }
}
