//! The ids of requests, and the clients that send them.

use std::sync::{Arc, Mutex};

use http::{HeaderName, Request};
use http_body_util::BodyExt;
use tobu_transcode::{Body, Cors, Ending, Forwarded, Live, Observer, Outcome, Peer, RequestId, Transcoder};
use tonic::transport::server::TcpConnectInfo;
use tower::{Layer, ServiceExt};

use super::desk::Desk;
use super::serve::Server;

/// Requests of each protocol, with the status of the answer.
const REQUESTS: [(&str, &str, &[u8], u16); 7] = [
    ("GET /v1/shelves/1", "", b"", 200),
    ("GET /v1/shelves/missing", "", b"", 404),
    ("GET /v2", "", b"", 404),
    ("POST /library.v1.Library/GetShelf", "application/json", br#"{"name":"shelves/1"}"#, 200),
    ("POST /library.v1.Library/GetShelf", "application/json", br#"{"name":"shelves/denied"}"#, 403),
    ("POST /library.v1.Library/GetShelf", "application/grpc-web", b"\0\0\0\0\x0b\x0a\x09shelves/1", 200),
    ("POST /library.v1.Library/GetShelf", "application/grpc", b"\0\0\0\0\x0b\x0a\x09shelves/1", 200),
];

#[derive(Clone, Default)]
struct Ids(Arc<Mutex<Vec<String>>>);

impl Ids {
    fn note(&self, id: Option<&str>) {
        self.0.lock().unwrap().push(id.unwrap_or("-").to_owned());
    }
}

impl Observer for Ids {
    fn answered(&self, outcome: &Outcome<'_>) {
        self.note(outcome.request_id);
    }

    fn ended(&self, ending: &Ending<'_>) {
        self.note(ending.request_id);
    }
}

#[tokio::test]
async fn the_service_the_client_and_the_observer_get_the_id() {
    for name in ["x-request-id", "x-trace"] {
        let header = RequestId::of(HeaderName::from_static(name));
        let ids = Ids::default();
        let observer = ids.clone();
        let server = Server::with(|builder| builder.request_id(header).observer(observer)).await;
        for (line, kind, body, status) in REQUESTS {
            let calls = server.desk.calls().len();
            let headers = [("content-type", kind), (name, "7a"), ("connection", name)];
            let headers = if kind.is_empty() { &headers[1..] } else { &headers };
            let answer = server.send(line, headers, body).await;
            assert_eq!((answer.status.as_u16(), answer.header(name)), (status, "7a"), "{line} {kind}");
            if server.desk.calls().len() > calls {
                assert_eq!(server.desk.headers()[name], "7a", "{line} {kind}");
            }
            // The end of a call of gRPC comes after its answer.
            while ids.0.lock().unwrap().len() < 2 {
                tokio::task::yield_now().await;
            }
            assert_eq!(std::mem::take(&mut *ids.0.lock().unwrap()), ["7a", "7a"], "{line} {kind}");
        }
    }
}

#[tokio::test]
async fn an_id_that_is_not_good_is_replaced() {
    let ids = Ids::default();
    let observer = ids.clone();
    let server = Server::with(|builder| builder.request_id(RequestId::new()).observer(observer)).await;
    let (longest, too_long) = ("x".repeat(128), "x".repeat(129));
    let mut made = Vec::new();
    for (given, is_kept) in
        [("a b", false), ("Zürich", false), ("", false), (&too_long, false), (&longest, true), ("{7}", true)]
    {
        let answer = server.send("GET /v1/shelves/1", &[("x-request-id", given)], b"").await;
        let id = answer.header("x-request-id").to_owned();
        assert_eq!(server.desk.headers()["x-request-id"], *id);
        assert_eq!(*ids.0.lock().unwrap().last().unwrap(), id);
        match is_kept {
            true => assert_eq!(id, given),
            false => {
                assert!(id.len() == 24 && id.bytes().all(|byte| byte.is_ascii_hexdigit()), "{given:?}: {id}");
                made.push(id);
            }
        }
    }
    made.dedup();
    assert_eq!(made.len(), 4);
    // Of several, the first counts, and the service gets no other.
    let twice = [("x-request-id", "a"), ("x-request-id", "b")];
    assert_eq!(server.send("GET /v1/shelves/1", &twice, b"").await.header("x-request-id"), "a");
    assert_eq!(server.desk.headers().get_all("x-request-id").iter().count(), 1);
    // A page of the service behind has one, too.
    assert_eq!(server.send("GET /page", &[("x-request-id", "7a")], b"").await.header("x-request-id"), "7a");
}

#[tokio::test]
async fn without_the_setting_there_is_no_id() {
    let ids = Ids::default();
    let observer = ids.clone();
    let server = Server::with(|builder| builder.observer(observer)).await;
    let answer = server.send("GET /v1/shelves/1", &[("x-request-id", "7a")], b"").await;
    assert_eq!(answer.header("x-request-id"), "");
    assert!(!server.desk.headers().contains_key("x-request-id"));
    assert_eq!(*ids.0.lock().unwrap(), ["-", "-"]);
}

#[tokio::test]
async fn pages_of_other_origins_read_and_send_the_id() {
    let server = Server::with(|builder| builder.request_id(RequestId::new()).cors(Cors::any())).await;
    let asks = [("origin", "https://a.example"), ("access-control-request-method", "GET")];
    let answer = server.send("OPTIONS /v1/shelves/1", &asks, b"").await;
    assert!(answer.header("access-control-allow-headers").ends_with(", x-request-id, x-user-agent"));
    assert_eq!(answer.header("x-request-id").len(), 24);
    let answer = server.send("GET /v1/shelves/1", &asks[..1], b"").await;
    assert!(answer.header("access-control-expose-headers").ends_with(", x-request-id"));
}

/// The addresses, host and protocol that the service gets.
fn forwarded(desk: &Desk) -> [String; 3] {
    let headers = desk.headers();
    ["x-forwarded-for", "x-forwarded-host", "x-forwarded-proto"].map(|name| {
        let values = headers.get_all(name).iter().map(|value| value.to_str().unwrap());
        values.collect::<Vec<_>>().join(" | ")
    })
}

#[tokio::test]
async fn the_service_learns_where_a_request_comes_from() {
    let claims = [
        ("x-forwarded-for", "203.0.113.7"),
        ("x-forwarded-for", "198.51.100.1, 198.51.100.2"),
        ("x-forwarded-host", "shop.example.com"),
        ("x-forwarded-proto", "https"),
    ];
    let peer = |address: &str| Some(Peer::new(address.parse().unwrap()));
    let many = "203.0.113.7, 198.51.100.1, 198.51.100.2";
    #[rustfmt::skip]
    let rows = [
        (None, false, &[][..], ["", "localhost", ""]),
        (None, false, &claims[..], ["", "localhost", ""]),
        (None, true, &claims[..], ["203.0.113.7 | 198.51.100.1, 198.51.100.2", "shop.example.com", "https"]),
        (peer("192.0.2.1"), false, &[], ["192.0.2.1", "localhost", "http"]),
        (peer("192.0.2.1"), false, &claims, ["192.0.2.1", "localhost", "http"]),
        (peer("192.0.2.1"), true, &[], ["192.0.2.1", "localhost", "http"]),
        (peer("192.0.2.1"), true, &claims, [&format!("{many}, 192.0.2.1"), "shop.example.com", "https"]),
        (peer("::ffff:192.0.2.1").map(|peer| peer.tls(true)), false, &claims, ["192.0.2.1", "localhost", "https"]),
        (peer("2001:db8::1"), false, &[("connection", "x-forwarded-for, x-forwarded-host")], ["2001:db8::1", "localhost", "http"]),
    ];
    for (peer, trust, claims, wanted) in rows {
        let server =
            Server::with(|builder| builder.forwarded(Forwarded::new(move |_| peer).trust(trust))).await;
        for (line, kind, body, _) in REQUESTS {
            let calls = server.desk.calls().len();
            let kind = [("content-type", kind)];
            let headers = [if kind[0].1.is_empty() { &[] } else { &kind[..] }, claims].concat();
            server.send(line, &headers, body).await;
            if server.desk.calls().len() > calls {
                assert_eq!(forwarded(&server.desk), wanted, "{line} {kind:?} {claims:?}");
            }
        }
    }
}

/// tonic's server adds the address of the connection to the extensions. Over HTTP/2, the host is the authority.
#[tokio::test]
async fn a_server_of_tonic_knows_its_peers() {
    let pool = tobu_transcode_schemas::pool();
    let transcoder = Transcoder::builder()
        .pool(&pool)
        .service("library.v1.Library")
        .forwarded(Forwarded::new(|extensions| {
            Some(Peer::new(extensions.get::<TcpConnectInfo>()?.remote_addr()?.ip()))
        }))
        .build()
        .unwrap();
    let desk = Desk::default();
    let mut request = Request::get("http://shop.example.com/v1/shelves/1").body(Body::empty()).unwrap();
    let address = "192.0.2.1:7000".parse().unwrap();
    let info = TcpConnectInfo { local_addr: None, remote_addr: Some(address) };
    request.extensions_mut().insert(info);
    let response = transcoder.layer(desk.clone()).oneshot(request).await.unwrap();
    assert_eq!(response.status(), 200);
    response.into_body().collect().await.unwrap();
    assert_eq!(forwarded(&desk), ["192.0.2.1", "shop.example.com", "http"]);
}

#[tokio::test]
async fn both_change_while_they_are_served() {
    let pool = tobu_transcode_schemas::pool();
    let recipe = || Transcoder::builder().service("library.v1.Library");
    let live = Live::new(recipe().pool(&pool)).unwrap();
    let server = Server::of(live.clone(), false).await;
    assert_eq!(server.ask("GET /v1/shelves/1", "").await.header("x-request-id"), "");
    let peer = Forwarded::new(|_| Some(Peer::new([192, 0, 2, 1].into())));
    live.replace(recipe().request_id(RequestId::new()).forwarded(peer)).unwrap();
    assert_eq!(server.ask("GET /v1/shelves/1", "").await.header("x-request-id").len(), 24);
    assert_eq!(forwarded(&server.desk), ["192.0.2.1", "localhost", "http"]);
}
