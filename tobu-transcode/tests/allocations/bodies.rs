//! The bodies that are measured: two books of about six kilobytes of JSON.

/// A book of many small things: 90 tags, a map of 60, 20 authors.
pub(crate) fn dense() -> String {
    let tags: Vec<String> = (0..90).map(|i| format!(r#""a tag of some length, number {i}""#)).collect();
    let copies: Vec<String> = (0..60).map(|i| format!(r#""shelf number {i}":{}"#, i * 7)).collect();
    let others: Vec<String> =
        (0..20).map(|i| format!(r#"{{"fullName":"Author Number {i}","birthYear":{}}}"#, 1900 + i)).collect();
    format!(
        r#"{{"title":"Dune","pageCount":412,"acquireTime":"2020-01-02T03:04:05Z","tags":[{}],"copies":{{{}}},"others":[{}]}}"#,
        tags.join(","),
        copies.join(","),
        others.join(",")
    )
}

/// A book as most requests are: text of the usual length, a few numbers, no map.
pub(crate) fn usual() -> String {
    let sentence = "It was a time when nobody read what was written, and everybody wrote what nobody read. ";
    let tags: Vec<String> = (0..12).map(|i| format!(r#""{i}. {}""#, sentence.repeat(5).trim_end())).collect();
    let others: Vec<String> = (0..6)
        .map(|i| {
            format!(r#"{{"fullName":"An author whose name is long, the {i}th","birthYear":{}}}"#, 1900 + i)
        })
        .collect();
    format!(
        r#"{{"title":"Dune","author":{{"fullName":"Frank Herbert","birthYear":1920}},"pageCount":412,"acquireTime":"2020-01-02T03:04:05Z","tags":[{}],"others":[{}]}}"#,
        tags.join(","),
        others.join(",")
    )
}
