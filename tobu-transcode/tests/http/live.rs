//! Rules that change while they serve.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tobu::Pool;
use tobu_transcode::{
    DescriptorFile, Error, Live, Observer, Outcome, SchemaSource, ServiceConfig, TranscodeOptions,
    Transcoder, TranscoderBuilder,
};
use tokio::io::AsyncWriteExt;
use tokio::sync::mpsc;

use super::serve::{Server, read_until};

pub(crate) const OFTEN: Duration = Duration::from_millis(5);

/// Notes what is told of changes: the number of rules, or what was wrong.
#[derive(Clone)]
pub(crate) struct Told(mpsc::UnboundedSender<String>);

pub(crate) struct Heard(mpsc::UnboundedReceiver<String>);

pub(crate) fn told() -> (Told, Heard) {
    let (sender, receiver) = mpsc::unbounded_channel();
    (Told(sender), Heard(receiver))
}

impl Observer for Told {
    fn answered(&self, _: &Outcome<'_>) {}

    fn reloaded(&self, outcome: Result<&Transcoder, &Error>) {
        let text = match outcome {
            Ok(transcoder) => transcoder.router().routes().len().to_string(),
            Err(error) => error.to_string(),
        };
        self.0.send(text).ok();
    }
}

impl Heard {
    pub(crate) async fn next(&mut self) -> String {
        tokio::time::timeout(Duration::from_secs(30), self.0.recv()).await.expect("in time").unwrap()
    }

    /// Nothing more is told for some time.
    pub(crate) async fn nothing(&mut self) {
        assert_eq!(tokio::time::timeout(OFTEN * 20, self.0.recv()).await.ok().flatten(), None);
    }
}

pub(crate) fn recipe() -> TranscoderBuilder {
    Transcoder::builder().service("library.v1.Library")
}

/// The schemas with every `title` called something else, of the same length.
pub(crate) fn renamed(title: &str) -> Vec<u8> {
    let mut set = tobu_transcode_schemas::descriptor_set();
    for at in 0..set.len() - 5 {
        if &set[at..at + 5] == b"title" {
            set[at..at + 5].copy_from_slice(title.as_bytes());
        }
    }
    set
}

pub(crate) fn pool(title: &str) -> Pool {
    Pool::from_descriptor_set(&renamed(title)).unwrap()
}

const BOOK: &str = "GET /v1/shelves/1/books/dune";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_answer_is_lost_to_a_change() {
    const ASKED: usize = 60;
    let pools = [pool("title"), pool("titel")];
    let live = Live::new(recipe().pool(&pools[0])).unwrap();
    let server = Arc::new(Server::of(live.clone(), false).await);
    let clients: Vec<_> = (0..4)
        .map(|_| {
            let server = Arc::clone(&server);
            tokio::spawn(async move {
                let mut answers = Vec::new();
                for _ in 0..ASKED {
                    answers.push(server.ask(BOOK, "").await.text());
                }
                answers
            })
        })
        .collect();
    let mut changes = 0;
    while clients.iter().any(|client| !client.is_finished()) {
        changes += 1;
        live.reload(&pools[changes % 2]).unwrap();
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let mut seen = [0, 0];
    for client in clients {
        for answer in client.await.unwrap() {
            let known = [r#"200 {"title":"Dune"}"#, r#"200 {"titel":"Dune"}"#];
            seen[known.iter().position(|known| *known == answer).expect(&answer)] += 1;
        }
    }
    assert_eq!(seen[0] + seen[1], 4 * ASKED);
    assert!(seen[0] > 0 && seen[1] > 0 && changes > 10, "{seen:?} in {changes} changes");
}

#[tokio::test]
async fn a_request_ends_with_the_rules_that_it_began_with() {
    let live = Live::new(recipe().pool(&pool("title"))).unwrap();
    let server = Server::of(live.clone(), false).await;
    let head = "POST /v1/books:sort HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n";
    let mut stream = server.raw(head.as_bytes()).await;
    for title in ["Dune", "Emma"] {
        let line = format!("{{\"title\":\"{title}\"}}\n");
        stream.write_all(format!("{:x}\r\n{line}\r\n", line.len()).as_bytes()).await.unwrap();
        let text = read_until(&mut stream, title).await;
        assert!(text.contains(&line), "{text}");
        live.reload(&pool("titel")).unwrap();
    }
    assert_eq!(server.ask(BOOK, "").await.text(), r#"200 {"titel":"Dune"}"#);
}

#[tokio::test]
async fn what_is_wrong_leaves_the_rules_as_they_were() {
    let (observer, mut heard) = told();
    let live = Live::new(recipe().pool(&pool("title")).observer(observer)).unwrap();
    let error = live.reload(&Pool::new()).unwrap_err().to_string();
    assert_eq!(error, r#"the pool has no service "library.v1.Library""#);
    assert_eq!(heard.next().await, error);
    live.reload(&pool("titel")).unwrap();
    assert_eq!(heard.next().await, "14");
}

fn moved_to(version: u8) -> ServiceConfig {
    let rule = "selector: library.v1.Library.GetBook, get: '/vX/{name=shelves/*/books/*}'";
    let yaml = format!("http: {{rules: [{{{}}}]}}", rule.replace('X', &version.to_string()));
    ServiceConfig::from_yaml(&yaml).unwrap()
}

/// Rules, options and limits are replaced together, or not at all.
#[tokio::test]
async fn all_of_a_builder_is_replaced() {
    let (first, mut first_heard) = told();
    let live = Live::new(recipe().pool(&pool("title")).observer(first)).unwrap();
    let server = Server::of(live.clone(), false).await;
    let gone = |version: u8| {
        let path = format!(r#"\"/v{version}/shelves/1/books/dune\""#);
        format!(r#"404 {{"code":5,"message":"no rule has the path {path}","details":[]}}"#)
    };
    let book = |version: u8| format!("GET /v{version}/shelves/1/books/dune");
    assert_eq!(server.ask(&book(1), "").await.text(), r#"200 {"title":"Dune"}"#);
    assert_eq!(server.ask(&book(2), "").await.text(), gone(2));

    // The pool stays where the builder has none.
    let (second, mut second_heard) = told();
    let numbers =
        TranscodeOptions::new().response_json(tobu::json::Options::new().emit_defaults(true)).fields(true);
    let builder = || recipe().config(moved_to(2)).options(numbers.clone()).max_body(20);
    live.replace(builder().observer(second)).unwrap();
    assert_eq!(second_heard.next().await, "14");
    first_heard.nothing().await;
    let answer = server.ask(&format!("{}?fields=title,pageCount", book(2)), "").await.text();
    assert_eq!(answer, r#"200 {"title":"Dune","pageCount":0}"#);
    let long = r#"{"title":"A title that is too long"}"#;
    assert_eq!(server.ask("POST /v1/shelves/1/books", long).await.status, 413);

    // A later pool is for the new builder.
    live.reload(&pool("titel")).unwrap();
    assert_eq!(second_heard.next().await, "14");
    let answer = server.ask(&format!("{}?fields=titel,pageCount", book(2)), "").await.text();
    assert_eq!(answer, r#"200 {"titel":"Dune","pageCount":0}"#);

    // What cannot be served changes nothing, and those who look after it are told.
    let (third, mut third_heard) = told();
    let bad =
        ServiceConfig::from_yaml("http: {rules: [{selector: library.v1.Library.GetBook, get: '/{nope}'}]}");
    for (builder, wanted) in [
        (
            builder().config(bad.unwrap()),
            r#"library/v1/library.proto: library.v1.Library.GetBook: GET "/{nope}": the variable nope: library.v1.GetBookRequest has no field "nope""#,
        ),
        (builder().service("a.Nope"), r#"the pool has no service "a.Nope""#),
        (builder().page("/"), "the page is made from the OpenAPI description, which has no path"),
    ] {
        let error = live.replace(builder.max_body(1 << 20).observer(third.clone())).unwrap_err();
        assert_eq!(error.to_string(), wanted);
        assert_eq!(second_heard.next().await, wanted);
        let answer = server.ask(&format!("{}?fields=titel", book(2)), "").await.text();
        assert_eq!(answer, r#"200 {"titel":"Dune"}"#);
        assert_eq!(server.ask("POST /v1/shelves/1/books", &long.replace("title", "titel")).await.status, 413);
    }
    third_heard.nothing().await;

    // A builder with a pool brings its own.
    live.replace(recipe().pool(&pool("title"))).unwrap();
    assert_eq!(server.ask(&book(1), "").await.text(), r#"200 {"title":"Dune"}"#);
    assert_eq!(server.ask(&book(2), "").await.text(), gone(2));
}

/// A request sees one configuration: its rule and its options are of the same one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_configuration_is_replaced_at_once() {
    let options = |yes: bool| {
        TranscodeOptions::new().response_json(tobu::json::Options::new().emit_defaults(yes)).fields(yes)
    };
    let builder = |version: u8| recipe().config(moved_to(version)).options(options(version == 2));
    let live = Live::new(builder(1).pool(&pool("title"))).unwrap();
    let server = Arc::new(Server::of(live.clone(), false).await);
    let clients: Vec<_> = (0..2)
        .map(|_| {
            let server = Arc::clone(&server);
            tokio::spawn(async move {
                let mut seen = [0, 0];
                for at in 0..120 {
                    let version = at % 2 + 1;
                    let path = format!("/v{version}/shelves/1/books/dune");
                    let query = if version == 2 { "?fields=title,pageCount" } else { "" };
                    let answer = server.ask(&format!("GET {path}{query}"), "").await;
                    match answer.status.as_u16() {
                        404 | 405 => continue,
                        _ if version == 1 => assert_eq!(answer.text(), r#"200 {"title":"Dune"}"#),
                        _ => assert_eq!(answer.text(), r#"200 {"title":"Dune","pageCount":0}"#),
                    }
                    seen[version - 1] += 1;
                }
                seen
            })
        })
        .collect();
    let mut changes = 0;
    while clients.iter().any(|client| !client.is_finished()) {
        live.replace(builder(changes % 2 + 1)).unwrap();
        changes += 1;
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    for client in clients {
        let seen = client.await.unwrap();
        assert!(seen[0] > 0 && seen[1] > 0, "{seen:?} in {changes} changes");
    }
}

/// Looks again, once, when it hears of a change.
struct Again(Mutex<Option<Live>>);

impl Observer for Again {
    fn answered(&self, _: &Outcome<'_>) {}

    fn reloaded(&self, _: Result<&Transcoder, &Error>) {
        let live = self.0.lock().unwrap().take();
        live.inspect(|live| live.replace(recipe().config(moved_to(3))).unwrap());
    }
}

#[test]
fn an_observer_may_change_the_rules() {
    let live = Live::new(recipe().pool(&pool("title"))).unwrap();
    live.replace(recipe().observer(Again(Mutex::new(Some(live.clone()))))).unwrap();
    let current = live.current();
    let found = current.router().find(&http::Method::GET, "/v3/shelves/1/books/dune").unwrap();
    assert_eq!(found.route().method().name(), "GetBook");
}

/// A schema of somebody else may have a rule that nothing can be done with: the others are served, and it is said which is not.
#[tokio::test]
async fn a_bad_rule_costs_its_own_path_alone() {
    let mut bytes = renamed("title");
    let at = bytes.windows(14).position(|piece| piece == b"/v1/{name=shel").unwrap();
    // The variable of GetShelf has a name that no field has.
    bytes[at + 5] = b'_';
    let bad = Pool::from_descriptor_set(&bytes).unwrap();
    let place = "library/v1/library.proto: library.v1.Library.GetShelf: GET \"/v1/{_ame=shelves/*}\"";
    let text = format!("{place}: the variable _ame: library.v1.GetShelfRequest has no field \"_ame\"");

    let (observer, mut heard) = told();
    let strict = Live::new(recipe().pool(&pool("title")).observer(observer)).unwrap();
    assert_eq!(strict.reload(&bad).unwrap_err().to_string(), text);
    assert_eq!(heard.next().await, text);

    let (observer, mut heard) = told();
    let recipe = recipe().pool(&pool("title")).skip_bad_rules(true).observer(observer);
    let live = Live::new(recipe.clone()).unwrap();
    assert!(live.current().router().skipped().is_empty());
    let log = Arc::new(Mutex::new(Vec::new()));
    let writer = Arc::clone(&log);
    let subscriber = tracing_subscriber::fmt().without_time().with_ansi(false).with_target(false);
    let subscriber = subscriber.with_writer(move || Written(Arc::clone(&writer))).finish();
    tracing::subscriber::with_default(subscriber, || live.reload(&bad).unwrap());
    assert_eq!(heard.next().await, "13");
    let current = live.current();
    let [skipped] = current.router().skipped() else { panic!("{:?}", current.router().skipped()) };
    assert_eq!(skipped.to_string(), text);
    let log = String::from_utf8(log.lock().unwrap().clone()).unwrap();
    assert!(log.starts_with(&format!(" WARN a rule is skipped error={text:?}\n")), "{log}");
    let server = Server::of(live, false).await;
    assert_eq!(server.ask(BOOK, "").await.text(), r#"200 {"title":"Dune"}"#);
    let gone = r#"404 {"code":5,"message":"no rule has the path \"/v1/shelves/1\"","details":[]}"#;
    assert_eq!(server.ask("GET /v1/shelves/1", "").await.text(), gone);

    // Where none is left, there is nothing to serve.
    let text = "syntax = 'proto3'; package a; import 'google/api/annotations.proto'; message M {}
        service S { rpc Call(M) returns (M) { option (google.api.http) = { get: '//' }; } }";
    let pool = tobu_transcode_schemas::pool_of("a.proto", text);
    let all = Transcoder::builder().pool(&pool).all_services().skip_bad_rules(true);
    let error = all.build().unwrap_err();
    assert_eq!(error.to_string(), r#"a.proto: a.S.Call: template "//": a segment is empty (at byte 1)"#);
    assert_eq!(error.rules().len(), 1);
}

/// Follows a file; what comes of it.
async fn follow(path: &Path) -> (Live, Heard) {
    let (observer, heard) = told();
    let mut file = DescriptorFile::new(path).max_bytes(1 << 20);
    let live = Live::load(recipe().observer(observer), &mut file).await.unwrap();
    let following = live.clone();
    tokio::spawn(async move { following.follow(file, OFTEN).await });
    (live, heard)
}

#[tokio::test]
async fn a_file_is_followed() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("set.binpb");
    let (first, second) = (renamed("title"), renamed("titel"));
    std::fs::write(&path, &first).unwrap();
    let (live, mut heard) = follow(&path).await;
    let server = Server::of(live.clone(), false).await;
    assert_eq!(server.ask(BOOK, "").await.text(), r#"200 {"title":"Dune"}"#);

    // Written aside and renamed; then in place, with the same length.
    let aside = directory.path().join("aside");
    std::fs::write(&aside, &second).unwrap();
    std::fs::rename(&aside, &path).unwrap();
    assert_eq!(heard.next().await, "14");
    assert_eq!(server.ask(BOOK, "").await.text(), r#"200 {"titel":"Dune"}"#);
    std::fs::write(&path, &first).unwrap();
    while heard.next().await != "14" {}
    assert_eq!(server.ask(BOOK, "").await.text(), r#"200 {"title":"Dune"}"#);

    // The same again is no change.
    std::fs::write(&aside, &first).unwrap();
    std::fs::rename(&aside, &path).unwrap();
    heard.nothing().await;
}

/// Puts a file aside and renames it, so that none sees half of it.
fn put(path: &Path, bytes: &[u8]) {
    let aside = path.with_extension("aside");
    std::fs::write(&aside, bytes).unwrap();
    std::fs::rename(&aside, path).unwrap();
}

#[cfg(unix)]
#[tokio::test]
async fn a_link_to_another_file_is_followed() {
    use std::os::unix::fs::symlink;

    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    std::fs::write(at("one"), renamed("title")).unwrap();
    std::fs::write(at("two"), renamed("titel")).unwrap();
    symlink(at("one"), at("link")).unwrap();
    let (live, mut heard) = follow(&at("link")).await;
    let server = Server::of(live, false).await;
    assert_eq!(server.ask(BOOK, "").await.text(), r#"200 {"title":"Dune"}"#);
    symlink(at("two"), at("aside")).unwrap();
    std::fs::rename(at("aside"), at("link")).unwrap();
    assert_eq!(heard.next().await, "14");
    assert_eq!(server.ask(BOOK, "").await.text(), r#"200 {"titel":"Dune"}"#);
}

/// And is a line of the log each time, whatever is in its name.
#[cfg(unix)]
#[tokio::test]
async fn a_file_that_is_wrong_is_told_once() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a\nset.binpb");
    let (first, second) = (renamed("title"), renamed("titel"));
    put(&path, &first);

    let log = Arc::new(Mutex::new(Vec::new()));
    let writer = Arc::clone(&log);
    let subscriber = tracing_subscriber::fmt().without_time().with_ansi(false).with_target(false);
    let subscriber = subscriber.with_writer(move || Written(Arc::clone(&writer))).finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let (live, mut heard) = follow(&path).await;
    let name = path.display();

    put(&path, &first[..first.len() / 2]);
    let told = heard.next().await;
    assert!(told.starts_with(&format!("{name}: ")) && told.contains("bytes are left"), "{told}");
    heard.nothing().await;

    std::fs::remove_file(&path).unwrap();
    let gone = format!("{name}: {}", std::fs::read(&path).unwrap_err());
    assert_eq!(heard.next().await, gone);
    heard.nothing().await;

    put(&path, &vec![0; (1 << 20) + 1]);
    let long = format!("{name}: the file is longer than the limit of 1048576 bytes");
    assert_eq!(heard.next().await, long);

    // A valid schema without the service, such as none at all.
    put(&path, b"");
    let empty = r#"the pool has no service "library.v1.Library""#;
    assert_eq!(heard.next().await, empty);
    heard.nothing().await;
    assert_eq!(live.current().router().routes().len(), 14);

    put(&path, &second);
    assert_eq!(heard.next().await, "14");
    let log = String::from_utf8(log.lock().unwrap().clone()).unwrap();
    let line = |text: &String| format!("ERROR the rules stay as they were error={text:?}\n");
    let wanted = [&told, &gone, &long].map(line);
    assert_eq!(log, wanted.concat());
}

/// A log in memory.
pub(crate) struct Written(pub(crate) Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Written {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn a_file_that_is_not_there_is_tried_again() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("set.binpb");
    let mut file = DescriptorFile::new(&path);
    let error = Live::load(recipe(), &mut file).await.unwrap_err();
    let why = std::fs::read(&path).unwrap_err();
    assert_eq!(error.to_string(), format!("{}: {why}", path.display()));
    assert_eq!(error.category(), tobu_transcode::Category::Schema);
    put(&path, b"\x0a");
    assert!(file.next().await.is_err());
    assert!(file.next().await.is_err());
    put(&path, &renamed("title"));
    Live::load(recipe(), &mut file).await.unwrap();
    assert!(file.next().await.unwrap().is_none());
}
