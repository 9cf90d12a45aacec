//! Example requests over HTTP. They run one after the other on a library that is empty at first. The program shows them as
//! `curl` commands, and the smoke test sends them.

/// A request and the expected answer.
pub(crate) struct Example {
    /// A title that says what the example shows. It is empty if the example continues the one before.
    pub(crate) title: &'static str,
    pub(crate) method: &'static str,
    pub(crate) path: &'static str,
    pub(crate) headers: &'static [(&'static str, &'static str)],
    pub(crate) body: &'static str,
    pub(crate) status: u16,
    /// All headers but `date`, sorted by name.
    pub(crate) answer_headers: &'static [(&'static str, &'static str)],
    pub(crate) answer: &'static str,
}

const JSON: (&str, &str) = ("content-type", "application/json");
const NOSNIFF: (&str, &str) = ("x-content-type-options", "nosniff");
const DUNE: &str =
    r#"{"name":"shelves/fiction/books/dune","title":"Dune","authors":["Frank Herbert"],"pages":412}"#;

/// The examples that the program shows.
pub(crate) const SHOWN: &[Example] = &[
    Example {
        title: "Set up a shelf",
        method: "POST",
        path: "/v1/shelves",
        headers: &[JSON],
        body: r#"{"name":"shelves/fiction","theme":"Invented"}"#,
        status: 200,
        answer_headers: &[("content-length", "45"), JSON, NOSNIFF],
        answer: r#"{"name":"shelves/fiction","theme":"Invented"}"#,
    },
    Example {
        title: "Get it",
        method: "GET",
        path: "/v1/shelves/fiction",
        headers: &[],
        body: "",
        status: 200,
        answer_headers: &[("content-length", "45"), JSON, NOSNIFF],
        answer: r#"{"name":"shelves/fiction","theme":"Invented"}"#,
    },
    Example {
        title: "List the shelves, with a query",
        method: "GET",
        path: "/v1/shelves?pageSize=1",
        headers: &[],
        body: "",
        status: 200,
        answer_headers: &[("content-length", "93"), JSON, NOSNIFF],
        answer: r#"{"shelves":[{"name":"shelves/fiction","theme":"Invented"}],"nextPageToken":"shelves/fiction"}"#,
    },
    Example {
        title: "Put books on the shelf",
        method: "POST",
        path: "/v1/shelves/fiction/books?bookId=dune",
        headers: &[JSON],
        body: r#"{"title":"Dune","authors":["Frank Herbert"],"pages":412}"#,
        status: 200,
        answer_headers: &[("content-length", "92"), JSON, NOSNIFF],
        answer: DUNE,
    },
    Example {
        title: "",
        method: "POST",
        path: "/v1/shelves/fiction/books?bookId=emma",
        headers: &[JSON],
        body: r#"{"title":"Emma"}"#,
        status: 200,
        answer_headers: &[("content-length", "52"), JSON, NOSNIFF],
        answer: r#"{"name":"shelves/fiction/books/emma","title":"Emma"}"#,
    },
    Example {
        title: "Get one: a name of four segments",
        method: "GET",
        path: "/v1/shelves/fiction/books/dune",
        headers: &[],
        body: "",
        status: 200,
        answer_headers: &[("content-length", "92"), JSON, NOSNIFF],
        answer: DUNE,
    },
    Example {
        title: "Change some of its fields: those in the mask",
        method: "PATCH",
        path: "/v1/shelves/fiction/books/emma?updateMask=pages",
        headers: &[JSON],
        body: r#"{"title":"Emily","pages":474}"#,
        status: 200,
        answer_headers: &[("content-length", "64"), JSON, NOSNIFF],
        answer: r#"{"name":"shelves/fiction/books/emma","title":"Emma","pages":474}"#,
    },
    Example {
        title: "Or those in the body",
        method: "PATCH",
        path: "/v1/shelves/fiction/books/emma",
        headers: &[JSON],
        body: r#"{"genre":"GENRE_FICTION"}"#,
        status: 200,
        answer_headers: &[("content-length", "88"), JSON, NOSNIFF],
        answer: r#"{"name":"shelves/fiction/books/emma","title":"Emma","pages":474,"genre":"GENRE_FICTION"}"#,
    },
    Example {
        title: "Stream the books as lines of JSON",
        method: "GET",
        path: "/v1/shelves/fiction/books:stream",
        headers: &[],
        body: "",
        status: 200,
        answer_headers: &[
            ("content-type", "application/x-ndjson"),
            ("transfer-encoding", "chunked"),
            NOSNIFF,
        ],
        answer: r#"{"name":"shelves/fiction/books/dune","title":"Dune","authors":["Frank Herbert"],"pages":412}
{"name":"shelves/fiction/books/emma","title":"Emma","pages":474,"genre":"GENRE_FICTION"}
"#,
    },
    Example {
        title: "Or as events",
        method: "GET",
        path: "/v1/shelves/fiction/books:stream",
        headers: &[("accept", "text/event-stream")],
        body: "",
        status: 200,
        answer_headers: &[("content-type", "text/event-stream"), ("transfer-encoding", "chunked"), NOSNIFF],
        answer: r#"data: {"name":"shelves/fiction/books/dune","title":"Dune","authors":["Frank Herbert"],"pages":412}

data: {"name":"shelves/fiction/books/emma","title":"Emma","pages":474,"genre":"GENRE_FICTION"}

"#,
    },
    Example {
        title: "Upload a cover as it is",
        method: "PUT",
        path: "/v1/shelves/fiction/books/dune/cover",
        headers: &[("content-type", "image/svg+xml")],
        body: "<svg/>",
        status: 200,
        answer_headers: &[("content-length", "2"), JSON, NOSNIFF],
        answer: "{}",
    },
    Example {
        title: "And download it",
        method: "GET",
        path: "/v1/shelves/fiction/books/dune/cover",
        headers: &[],
        body: "",
        status: 200,
        // The headers make a browser save an uploaded file, whatever its content, and not run it.
        answer_headers: &[
            ("content-disposition", "attachment; filename=\"cover.bin\""),
            ("content-length", "6"),
            ("content-security-policy", "sandbox; default-src 'none'"),
            ("content-type", "image/svg+xml"),
            NOSNIFF,
        ],
        answer: "<svg/>",
    },
    Example {
        title: "Move a book to another shelf: a verb of its own",
        method: "POST",
        path: "/v1/shelves",
        headers: &[JSON],
        body: r#"{"name":"shelves/classics"}"#,
        status: 200,
        answer_headers: &[("content-length", "27"), JSON, NOSNIFF],
        answer: r#"{"name":"shelves/classics"}"#,
    },
    Example {
        title: "",
        method: "POST",
        path: "/v1/shelves/fiction/books/emma:move",
        headers: &[JSON],
        body: r#"{"otherShelf":"shelves/classics"}"#,
        status: 200,
        answer_headers: &[("content-length", "89"), JSON, NOSNIFF],
        answer: r#"{"name":"shelves/classics/books/emma","title":"Emma","pages":474,"genre":"GENRE_FICTION"}"#,
    },
    Example {
        title: "Throw it away",
        method: "DELETE",
        path: "/v1/shelves/classics/books/emma",
        headers: &[],
        body: "",
        status: 200,
        answer_headers: &[("content-length", "2"), JSON, NOSNIFF],
        answer: "{}",
    },
];

/// Requests that fail.
pub(crate) const REFUSED: &[Example] = &[
    Example {
        title: "What is not there",
        method: "GET",
        path: "/v1/shelves/poetry",
        headers: &[],
        body: "",
        status: 404,
        answer_headers: &[("content-length", "62"), JSON, NOSNIFF],
        answer: r#"{"code":5,"message":"there is no shelves/poetry","details":[]}"#,
    },
    Example {
        title: "What is there already",
        method: "POST",
        path: "/v1/shelves",
        headers: &[JSON],
        body: r#"{"name":"shelves/fiction"}"#,
        status: 409,
        answer_headers: &[("content-length", "68"), JSON, NOSNIFF],
        answer: r#"{"code":6,"message":"shelves/fiction is there already","details":[]}"#,
    },
    Example {
        title: "A body that does not fit",
        method: "POST",
        path: "/v1/shelves/fiction/books?bookId=lost",
        headers: &[JSON],
        body: r#"{"pages":-1}"#,
        status: 400,
        answer_headers: &[("content-length", "115"), JSON, NOSNIFF],
        answer: r#"{"code":3,"message":"the body: library.v1.Book.pages: -1 does not fit a uint32 (at line 1 column 10)","details":[]}"#,
    },
    Example {
        title: "A path without a rule",
        method: "GET",
        path: "/v2/shelves",
        headers: &[],
        body: "",
        status: 404,
        answer_headers: &[("content-length", "72"), JSON, NOSNIFF],
        answer: r#"{"code":5,"message":"no rule has the path \"/v2/shelves\"","details":[]}"#,
    },
    Example {
        title: "A method without a rule",
        method: "DELETE",
        path: "/v1/shelves",
        headers: &[],
        body: "",
        status: 405,
        answer_headers: &[("allow", "GET, HEAD, POST"), ("content-length", "93"), JSON, NOSNIFF],
        answer: r#"{"code":12,"message":"the path \"/v1/shelves\" has GET, HEAD, POST, not DELETE","details":[]}"#,
    },
    Example {
        title: "A stream that cannot begin",
        method: "GET",
        path: "/v1/shelves/poetry/books:stream",
        headers: &[],
        body: "",
        status: 404,
        answer_headers: &[("content-length", "62"), JSON, NOSNIFF],
        answer: r#"{"code":5,"message":"there is no shelves/poetry","details":[]}"#,
    },
];

impl Example {
    /// Returns the request as a `curl` command.
    pub(crate) fn curl(&self, url: &str) -> String {
        let mut line = "curl".to_owned();
        // The method that curl uses by default.
        let method = if self.body.is_empty() { "GET" } else { "POST" };
        if self.method != method {
            line += &format!(" -X {}", self.method);
        }
        line += &format!(" '{url}{}'", self.path);
        for (name, value) in self.headers {
            line += &format!(" -H '{name}: {value}'");
        }
        if !self.body.is_empty() {
            line += &format!(" -d '{}'", self.body);
        }
        line
    }
}

/// Returns the commands of all examples in [`SHOWN`], for a server at `url`.
pub(crate) fn lines(url: &str) -> String {
    let mut lines = String::new();
    for example in SHOWN {
        if !example.title.is_empty() {
            lines += &format!("# {}\n", example.title);
        }
        lines += &format!("{}\n", example.curl(url));
    }
    lines + &format!("# All of it as OpenAPI\ncurl '{url}/openapi.json'\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_in_the_readme() {
        let readme = include_str!("../README.md");
        let lines = lines("http://127.0.0.1:8080");
        assert!(readme.contains(&lines), "the README does not have these lines:\n{lines}");
    }
}
