//! The page in a browser, where there is one.
#![cfg(unix)]

mod chromium;

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use chromium::Browser;
use serde_json::json;

/// The program, until this is dropped.
struct Gateway {
    child: Child,
    url: String,
}

impl Gateway {
    fn start(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_gateway"))
            .args(["--address", "127.0.0.1:0"])
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.strip_prefix("listening on ").and_then(|rest| rest.split(',').next()).unwrap();
        Gateway { url: format!("http://{address}/"), child }
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// The browser, or a word about it.
fn browser() -> Option<Browser> {
    let found = chromium::find();
    if found.is_none() {
        eprintln!("skipped: there is no chromium on this machine");
    }
    found.map(|program| Browser::start(&program))
}

/// What markup in a text would do.
const MARKUP: &str = r#"<img src=x onerror="window.hacked = 1">"#;

impl Browser {
    /// Presses the button of an operation, and gives what comes: status line and body.
    fn send(&mut self, operation: &str) -> String {
        // What came before must not be taken for the answer.
        self.value(&format!("document.querySelector('#{operation} pre').replaceChildren()"));
        self.click(&format!("#{operation} button:not([type])"));
        let over = "button[type=button]:not(fieldset *)";
        self.wait(&format!("document.querySelector('#{operation} .status') && document.querySelector('#{operation} {over}').hidden"));
        let text = |what| format!("document.querySelector('#{operation} {what}')?.textContent ?? ''");
        let (status, answer) = (self.value(&text(".status")), self.value(&text(".answer")));
        format!("{} {}", status.as_str().unwrap(), answer.as_str().unwrap())
    }

    /// No text has become markup, and nothing went wrong.
    fn is_safe(&mut self) {
        // An image that is none fails soon; what it would do is done by then.
        self.value("new Promise((done) => setTimeout(done, 200))");
        let found = self.value(
            "[window.hacked ?? null, document.querySelectorAll('img, b, iframe, script[src]').length]",
        );
        assert_eq!(found, json!([null, 0]));
        assert_eq!(self.exceptions, [""; 0]);
    }
}

#[test]
fn operations_can_be_tried() {
    let Some(mut browser) = browser() else { return };
    let gateway = Gateway::start(&[]);
    browser.open(&gateway.url, "document.title === 'library.v1.Library v1'");

    let operations = browser.value("[...document.querySelectorAll('main details')].map((it) => [...it.querySelectorAll('summary > *')].map((part) => part.textContent).join(' '))");
    let mut operations: Vec<&str> =
        operations.as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
    operations.sort_unstable();
    assert_eq!(
        operations,
        [
            "DELETE /v1/shelves/{shelvesId}/books/{booksId} Throws a book away.",
            "GET /v1/shelves Lists the shelves.",
            "GET /v1/shelves/{shelf} Gets a shelf.",
            "GET /v1/shelves/{shelvesId}/books Lists the books of a shelf, by pages.",
            "GET /v1/shelves/{shelvesId}/books/{booksId} Gets a book.",
            "GET /v1/shelves/{shelvesId}/books/{booksId}/cover Downloads the cover of a book.",
            "GET /v1/shelves/{shelvesId}/books:stream Sends the books of a shelf, however many there are.",
            "PATCH /v1/shelves/{shelvesId}/books/{booksId} Changes the fields of a book that the mask names, or all that it has where there is no mask.",
            "POST /v1/shelves Sets up a shelf.",
            "POST /v1/shelves/{shelvesId}/books Puts a book on a shelf.",
            "POST /v1/shelves/{shelvesId}/books/{booksId}:move Moves a book to another shelf.",
            "PUT /v1/shelves/{shelvesId}/books/{booksId}/cover Sets the cover of a book.",
        ]
    );

    // The members of a body have inputs of their own.
    browser.click("#Library_CreateShelf summary");
    browser.write("#Library_CreateShelf [name=name]", "shelves/fiction");
    let body = browser.value("document.querySelector('#Library_CreateShelf [name=body]').value");
    assert_eq!(body, "{\n  \"name\": \"shelves/fiction\"\n}");
    assert_eq!(browser.send("Library_CreateShelf"), "200 OK {\n  \"name\": \"shelves/fiction\"\n}");
    assert_eq!(
        browser.send("Library_CreateShelf"),
        "409 Conflict {\n  \"code\": 6,\n  \"message\": \"shelves/fiction is there already\",\n  \"details\": []\n}"
    );

    // An enum is a choice, a list is JSON, and a title is no markup.
    let book = "#Library_CreateBook";
    browser.click(&format!("{book} summary"));
    let choices = browser.value(&format!(
        "[...document.querySelectorAll('{book} [name=genre] option')].map((it) => it.value)"
    ));
    assert_eq!(choices, json!(["", "GENRE_UNSPECIFIED", "GENRE_FICTION", "GENRE_SCIENCE"]));
    browser.write(&format!("{book} [name=shelvesId]"), "fiction");
    browser.write(&format!("{book} [name=bookId]"), "dune");
    browser.write(&format!("{book} [name=title]"), MARKUP);
    browser.write(&format!("{book} [name=authors]"), "[\"Frank");
    assert_eq!(
        browser.value(&format!("document.querySelector('{book} [name=authors]').validity.customError")),
        true
    );
    browser.write(&format!("{book} [name=authors]"), " Herbert\"]");
    browser.write(&format!("{book} [name=pages]"), "412");
    browser.choose(&format!("{book} [name=genre]"), "GENRE_FICTION");
    let made = r#"200 OK {
  "name": "shelves/fiction/books/dune",
  "title": "<img src=x onerror=\"window.hacked = 1\">",
  "authors": [
    "Frank Herbert"
  ],
  "pages": 412,
  "genre": "GENRE_FICTION"
}"#;
    assert_eq!(browser.send("Library_CreateBook"), made);
    browser.is_safe();

    // A stream, as events.
    browser.click("#Library_StreamBooks summary");
    browser.write("#Library_StreamBooks [name=shelvesId]", "fiction");
    browser.choose("#Library_StreamBooks [name=Accept]", "text/event-stream");
    let event = r#"200 OK data: {"name":"shelves/fiction/books/dune","title":"<img src=x onerror=\"window.hacked = 1\">","authors":["Frank Herbert"],"pages":412,"genre":"GENRE_FICTION"}"#;
    assert_eq!(browser.send("Library_StreamBooks").trim_end(), event);

    // What goes wrong is shown as it comes.
    browser.click("#Library_GetShelf summary");
    browser.write("#Library_GetShelf [name=shelf]", "no/such?shelf");
    assert_eq!(
        browser.send("Library_GetShelf"),
        "400 Bad Request {\n  \"code\": 3,\n  \"message\": \"\\\"no/such?shelf\\\" is not part of a name: a-z, 0-9 and - are\",\n  \"details\": []\n}"
    );
    browser.click("#Library_ListShelves summary");
    browser.write("#Library_ListShelves [name=pageSize]", "some");
    assert_eq!(
        browser.send("Library_ListShelves"),
        "400 Bad Request {\n  \"code\": 3,\n  \"message\": \"the query parameter \\\"pageSize\\\": \\\"some\\\" is not a uint32\",\n  \"details\": []\n}"
    );

    // Bytes of any type go up, and come down as a file.
    browser.click("#Library_SetCover summary");
    browser.write("#Library_SetCover [name=shelvesId]", "fiction");
    browser.write("#Library_SetCover [name=booksId]", "dune");
    browser.choose("#Library_SetCover [name='Content-Type']", "image/png");
    browser.write("#Library_SetCover [name=Text]", "no picture");
    assert_eq!(browser.send("Library_SetCover"), "200 OK {}");
    browser.click("#Library_GetCover summary");
    browser.write("#Library_GetCover [name=shelvesId]", "fiction");
    browser.write("#Library_GetCover [name=booksId]", "dune");
    assert_eq!(browser.send("Library_GetCover"), "200 OK 10 bytes");

    // Finding hides the rest.
    browser.write("#find", "cover put");
    let shown =
        browser.value("[...document.querySelectorAll('main details:not([hidden])')].map((it) => it.id)");
    assert_eq!(shown, json!(["Library_SetCover"]));
    browser.is_safe();
}

/// A schema whose texts are markup wherever they can be.
const HOSTILE: &str = r##"
    syntax = "proto3";
    // <img src=x onerror="window.hacked = 1"> in the file
    package hostile.v1;
    import "google/api/annotations.proto";
    // <img src=x onerror="window.hacked = 1"> of the service
    service Hostile {
      // <img src=x onerror="window.hacked = 1"> of the method
      rpc Get(Request) returns (Request) {
        option (google.api.http) = { post: "/v1/texts/{id}" body: "*" };
      }
    }
    // <img src=x onerror="window.hacked = 1"> of the message
    message Request {
      // <img src=x onerror="window.hacked = 1"> of the path
      string id = 1;
      // </script><img src=x onerror="window.hacked = 1"> of the field
      string text = 2 [json_name = "<img src=x onerror='window.hacked = 1'>"];
      // <img src=x onerror="window.hacked = 1"> of the enum
      Kind kind = 3;
    }
    // <b>
    enum Kind {
      // <img src=x onerror="window.hacked = 1"> of the value
      KIND = 0;
    }
"##;

#[test]
fn texts_of_the_schema_are_no_markup() {
    let Some(mut browser) = browser() else { return };
    let directory = tempfile::tempdir().unwrap();
    let (source, set) = (directory.path().join("hostile.proto"), directory.path().join("set.binpb"));
    std::fs::write(&source, HOSTILE).unwrap();
    let mut compiler =
        protox::Compiler::new([directory.path(), concat!(env!("CARGO_MANIFEST_DIR"), "/proto").as_ref()])
            .unwrap();
    compiler.include_imports(true).include_source_info(true).open_file(&source).unwrap();
    std::fs::write(&set, compiler.encode_file_descriptor_set()).unwrap();
    // Nothing listens behind it.
    let gateway = Gateway::start(&["--proxy", "http://127.0.0.1:1", "--descriptors", set.to_str().unwrap()]);
    browser.open(&gateway.url, "document.title === 'hostile.v1.Hostile v1'");
    browser.click("#Hostile_Get summary");
    let text = browser.value("document.body.innerText");
    let text = text.as_str().unwrap();
    for of in ["service", "method", "path", "enum"] {
        assert!(text.contains(&format!("{MARKUP} of the {of}")), "{of} is missing:\n{text}");
    }
    assert!(text.contains(&format!("</script>{MARKUP} of the field")), "{text}");
    assert!(text.contains("<img src=x onerror='window.hacked = 1'>"), "{text}");
    browser.write("#Hostile_Get [name=id]", MARKUP);
    browser.write("#Hostile_Get [name^='<img']", MARKUP);
    assert_eq!(
        browser.send("Hostile_Get"),
        "503 Service Unavailable {\n  \"code\": 14,\n  \"message\": \"the service cannot be reached\",\n  \"details\": []\n}"
    );
    browser.is_safe();
}

/// What somebody uploaded does not run on the origin of the page, and the page runs nothing but its own script.
#[test]
fn uploads_do_not_run() {
    let Some(mut browser) = browser() else { return };
    let gateway = Gateway::start(&[]);
    browser.open(&gateway.url, "document.title === 'library.v1.Library v1'");
    let upload = |kind: &str, text: &str| {
        format!(
            "fetch('/v1/shelves/a/books/b/cover', {{method: 'PUT', headers: {{'content-type': {kind:?}}}, body: {text:?}}}) \
             .then((answer) => answer.status)"
        )
    };
    for (path, body) in [("/v1/shelves", "{name: 'shelves/a'}"), ("/v1/shelves/a/books?bookId=b", "{}")] {
        let send = format!(
            "fetch({path:?}, {{method: 'POST', headers: {{'content-type': 'application/json'}}, body: JSON.stringify({body})}}) \
             .then((answer) => answer.status)"
        );
        assert_eq!(browser.value(&send), 200);
    }
    for kind in ["text/html", "image/svg+xml"] {
        let program =
            "<svg xmlns='http://www.w3.org/2000/svg'><script>localStorage.hacked = 1</script></svg>";
        assert_eq!(browser.value(&upload(kind, program)), 200);
        // The browser makes it a file, and stays where it was.
        let gone = browser
            .call("Page.navigate", json!({"url": format!("{}v1/shelves/a/books/b/cover", gateway.url)}));
        assert_eq!(gone["errorText"], "net::ERR_ABORTED", "{kind}");
        browser.is_safe();
        let found = browser.value("[location.pathname, localStorage.getItem('hacked')]");
        assert_eq!(found, json!(["/", null]), "{kind}");
    }

    // Whatever would find its way into the page: a script, one that was uploaded, a handler, and words for others.
    assert_eq!(browser.value(&upload("text/javascript", "window.hacked = 1")), 200);
    let refused = browser.value(
        "new Promise((done) => {
            const refused = [];
            addEventListener('securitypolicyviolation', (event) => refused.push(event.effectiveDirective));
            const inline = document.createElement('script');
            inline.textContent = 'window.hacked = 1';
            const uploaded = document.createElement('script');
            uploaded.src = '/v1/shelves/a/books/b/cover';
            const clicked = document.createElement('p');
            clicked.setAttribute('onclick', 'window.hacked = 1');
            document.body.append(inline, uploaded, clicked);
            clicked.click();
            fetch('http://127.0.0.1:1/').catch(() => {});
            setTimeout(() => { uploaded.remove(); done(refused.sort()); }, 500);
        })",
    );
    assert_eq!(refused, json!(["connect-src", "script-src-attr", "script-src-elem", "script-src-elem"]));
    browser.is_safe();
}
