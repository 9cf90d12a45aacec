//! Elements of an array of a JSON text received in chunks.

use crate::Made;
use crate::counting::peak;
use crate::ways::{Slow, framed, iterated};
use std::io::{Read, repeat};
use tobu::json::{self, ElementCodec, ElementDecoder, Elements, Options};
use tobu::{DynamicMessage, Limits, Message};
use tobu_schemas::library::v1::Book;

/// The titles of the books at a path, and the error that ends them: by a decoder, an iterator and a codec.
fn titles(path: &str, text: &[u8], size: usize) -> (Vec<String>, Option<String>) {
    let found = by_chunks(path, text, size);
    let titles = |(books, error): (Vec<Book>, _)| {
        (books.into_iter().map(|book| book.title).collect::<Vec<_>>(), error)
    };
    let stream = || Slow::new(text, size);
    assert_eq!(titles(iterated(Elements::new(stream(), path))), found, "iterated by {size}");
    assert_eq!(titles(framed(ElementCodec::new(path), stream())), found, "framed by {size}");
    found
}

fn by_chunks(path: &str, text: &[u8], size: usize) -> (Vec<String>, Option<String>) {
    let (mut decoder, mut all) = (ElementDecoder::new(path), Vec::new());
    let mut chunks = text.chunks(size);
    loop {
        match decoder.next_message::<Book>() {
            Ok(Some(book)) => all.push(book.title),
            Ok(None) if decoder.is_finished() => return (all, None),
            Ok(None) => match chunks.next() {
                Some(chunk) => decoder.push(chunk),
                None => decoder.finish(),
            },
            Err(error) => {
                assert!(decoder.is_finished());
                return (all, Some(error.to_string()));
            }
        }
    }
}

#[test]
fn they_are_the_same_however_the_text_is_cut() {
    #[rustfmt::skip]
    let rows: [(&str, &str, &[&str], Option<&str>); 36] = [
        ("", "[]", &[], None),
        ("", " [ {\"title\":\"a\"} , {} ]\n", &["a", ""], None),
        ("", "[{\"title\":\"]}\\\"\\u005d\",\"authors\":[\"x\",\"]\"]},{}]", &["]}\"]", ""], None),
        ("", "null", &[], None),
        ("a", "null", &[], None),
        ("a", "{}", &[], None),
        ("a", "{\"a\":null,\"b\":[1,{}]}", &[], None),
        ("a", "{\"b\":{\"a\":[{}]},\"c\":[[{\"a\":[1]}]],\"a\":[{\"title\":\"x\"}],\"d\":-1.5e3}", &["x"], None),
        ("a", "{\"\\u0061\":[{\"title\":\"x\"}]}", &["x"], None),
        ("a.b", "{\"b\":1,\"a\":{\"c\":{\"b\":[1]},\"b\":[{\"title\":\"x\"},{\"title\":\"y\"}],\"e\":true},\"f\":\"g\"}", &["x", "y"], None),
        ("a.b", "{\"a\":{\"c\":1}}", &[], None),
        // Errors have their exact position, in elements and around them.
        ("", "[{\"title\":\"a\"},\n  {\"titel\":1}]", &["a"], Some("library.v1.Book: unknown field \"titel\" (at line 2 column 4)")),
        ("", "[{\"title\":\n1}]", &[], Some("library.v1.Book.title: expected a string, but found the number 1 (at line 2 column 1)")),
        ("", "[{},1]", &[""], Some("library.v1.Book: expected a message of type library.v1.Book, but found the number 1 (at line 1 column 5)")),
        ("", "[{},null]", &[""], Some("library.v1.Book: expected a message of type library.v1.Book, but found null (at line 1 column 5)")),
        ("", "[{},\"x\"]", &[""], Some("library.v1.Book: expected a message of type library.v1.Book, but found the string \"x\" (at line 1 column 5)")),
        ("", "[{},]", &[""], Some("expected a value (at line 1 column 5)")),
        ("", "[{} {}]", &[""], Some("expected `,` or `]` (at line 1 column 5)")),
        ("", "[{}", &[""], Some("the text ends here (at line 1 column 4)")),
        ("", "[{\"title\":\"", &[], Some("the text ends here (at line 1 column 12)")),
        ("", "", &[], Some("the text ends here (at line 1 column 1)")),
        ("", "[{}] x", &[""], Some("expected the end of the text (at line 1 column 6)")),
        ("", "{}", &[], Some("expected `[` (at line 1 column 1)")),
        ("", "12", &[], Some("expected `[` (at line 1 column 1)")),
        ("a", "[]", &[], Some("expected `{` (at line 1 column 1)")),
        ("a", "{\"a\":{}}", &[], Some("expected `[` (at line 1 column 6)")),
        ("a.b", "{\"a\":[]}", &[], Some("expected `{` (at line 1 column 6)")),
        ("a", "{\"a\":[],\"a\":[{}]}", &[], Some("the member of the path comes twice (at line 1 column 11)")),
        ("a", "{\"b\":01}", &[], Some("this is not a JSON value (at line 1 column 6)")),
        ("a", "{\"b\":nul}", &[], Some("this is not a JSON value (at line 1 column 6)")),
        ("a", "{\"b\":\"\\x\"}", &[], Some("the escape is not valid (at line 1 column 8)")),
        ("a", "{\"b\":\"\\u00g\"}", &[], Some("expected a hexadecimal digit (at line 1 column 11)")),
        ("a", "{\"b\":\"\n\"}", &[], Some("a control character is in a string (at line 1 column 7)")),
        ("a", "{\"b\" 1}", &[], Some("expected `:` (at line 1 column 6)")),
        ("a", "{1:2}", &[], Some("expected a name (at line 1 column 2)")),
        ("a", "{\"b\":[}", &[], Some("expected a value (at line 1 column 7)")),
    ];
    for (path, text, wanted, error) in rows {
        for size in 1..text.len() + 2 {
            let (all, found) = titles(path, text.as_bytes(), size);
            assert_eq!((&all[..], found.as_deref()), (&wanted.map_strings()[..], error), "{text} by {size}");
        }
        if error.is_none() {
            // Every cut of it is known to be one.
            for cut in 0..text.trim_end().len() {
                assert!(titles(path, &text.as_bytes()[..cut], 3).1.is_some(), "{text} cut at {cut}");
            }
        }
    }
}

trait MapStrings {
    fn map_strings(&self) -> Vec<String>;
}

impl MapStrings for &[&str] {
    fn map_strings(&self) -> Vec<String> {
        self.iter().map(ToString::to_string).collect()
    }
}

#[test]
fn elements_of_a_schema_at_run_time_and_what_is_no_utf8() {
    let mut decoder = ElementDecoder::with_options("books", Options::new().ignore_unknown(true));
    decoder.push(b"{\"x\":\"\xff\",\"books\":[{\"title\":\"\xc3\xa4\",\"no\":1},{\"title\":\"\xff\"}]}");
    decoder.finish();
    let book: DynamicMessage = decoder.next_dynamic(&Book::descriptor()).unwrap().unwrap();
    assert_eq!(json::to_string(&book).unwrap(), "{\"title\":\"\u{e4}\"}");
    let error = decoder.next_dynamic(&Book::descriptor()).unwrap_err();
    assert_eq!(error.to_string(), "library.v1.Book.title: invalid UTF-8 (at line 1 column 51)");
}

#[test]
fn limits() {
    let options = || Options::new().limits(Limits::default().input(10).depth(3));
    let run = |text: &[u8]| {
        let mut decoder = ElementDecoder::with_options("a", options());
        decoder.push(text);
        decoder.finish();
        let mut count = 0;
        loop {
            match decoder.next_message::<Book>() {
                Ok(Some(_)) => count += 1,
                Ok(None) => return Ok(count),
                Err(error) => return Err(error.to_string()),
            }
        }
    };
    assert_eq!(
        run(b"{\"b\":\"much more than ten bytes\",\"a\":[{},{\"pages\":1}"[..40].into()),
        Err(String::from("the text ends here (at line 1 column 41)"))
    );
    let error = "input of 11 bytes is larger than the limit of 10 bytes (at line 1 column 10)";
    assert_eq!(run(b"{\"a\":[{},{\"pages\":10}]}"), Err(error.into()));
    assert_eq!(run(b"{\"b\":[[[[[1]]]]]}"), Ok(0));
    let error = "messages are nested deeper than 3 levels (at line 1 column 11)";
    assert_eq!(run(b"{\"b\":[[[[[[1]]]]]]}"), Err(error.into()));
    let long = [&b"{\"b\":"[..], &[b'1'; 5000]].concat();
    assert_eq!(run(&long), Err("a number is too long (at line 1 column 4102)".into()));
}

#[test]
fn a_text_of_any_size_takes_the_memory_of_an_element() {
    let book = format!("{{\"title\":\"{}\"}},", "x".repeat(1000));
    let around = format!("\"{}\"", "y".repeat(1000));
    let (held, count) = peak(|| {
        let (mut decoder, mut count) = (ElementDecoder::new("books"), 0);
        decoder.push(b"{\"before\":[");
        for _ in 0..1000 {
            decoder.push(around.as_bytes());
            decoder.push(b",");
            assert!(decoder.next_message::<Book>().unwrap().is_none());
        }
        decoder.push(b"1],\"books\":[");
        for _ in 0..4000 {
            decoder.push(book.as_bytes());
            while let Some(book) = decoder.next_message::<Book>().unwrap() {
                count += usize::from(book.title.len() == 1000);
            }
        }
        count
    });
    assert_eq!(count, 4000);
    assert!(held < 200_000, "{held} bytes were held");
}

#[test]
fn a_stream_of_any_size_takes_the_memory_of_an_element() {
    let book = format!("{{\"title\":\"{}\"}},", "x".repeat(1000)).into_bytes();
    let around = format!("\"{}\",", "y".repeat(1000)).into_bytes();
    let (held, count) = peak(|| {
        let before = (&b"{\"before\":["[..]).chain(Made::new(around, 4000));
        let books = (&b"1],\"books\":["[..]).chain(Made::new(book, 8000)).chain(&b"{}]}"[..]);
        Elements::<_, Book>::new(before.chain(books), "books").map(Result::unwrap).count()
    });
    assert_eq!(count, 8001);
    assert!(held < 300_000, "{held} bytes were held");
}

#[test]
fn endless_texts_end_at_a_limit() {
    let options = || Options::new().limits(Limits::default().input(1000).depth(50));
    let rows: [(&str, &[u8], u8, &str); 6] = [
        ("", b"", b'[', "messages are nested deeper than 50 levels (at line 1 column 101)"),
        ("a", b"{\"b\":", b'[', "messages are nested deeper than 50 levels (at line 1 column 105)"),
        ("", b"[\"", b'x', "input of 1001 bytes is larger than the limit of 1000 bytes (at line 1 column 2)"),
        ("", b"[", b'1', "input of 1001 bytes is larger than the limit of 1000 bytes (at line 1 column 2)"),
        ("", b"[{", b' ', "input of 1001 bytes is larger than the limit of 1000 bytes (at line 1 column 2)"),
        ("a", b"{\"b\":", b'1', "a number is too long (at line 1 column 4102)"),
    ];
    for (path, start, endless, wanted) in rows {
        let stream = || start.chain(repeat(endless));
        let (held, (books, error)) =
            peak(|| iterated(Elements::<_, Book>::with_options(stream(), path, options())));
        assert_eq!((books, error.as_deref()), (Vec::new(), Some(wanted)));
        assert!(held < 200_000, "{held} bytes were held");
        let codec = ElementCodec::<Book>::with_options(path, options());
        let (books, error) = framed(codec, Slow::new(stream(), 700));
        assert_eq!((books, error.as_deref()), (Vec::new(), Some(wanted)));
    }
}

#[test]
fn a_stream_of_messages_of_a_schema_at_run_time() {
    let (book, text) = (Book::descriptor(), &b"{\"books\":[{\"title\":\"a\"},{\"title\":1}]}"[..]);
    let wanted = (
        vec![String::from("{\"title\":\"a\"}")],
        Some(String::from(
            "library.v1.Book.title: expected a string, but found the number 1 (at line 1 column 34)",
        )),
    );
    let texts = |(books, error): (Vec<DynamicMessage>, _)| {
        (books.iter().map(|book| book.to_json().unwrap()).collect::<Vec<_>>(), error)
    };
    assert_eq!(texts(iterated(Elements::dynamic(text, &book, "books"))), wanted);
    assert_eq!(texts(framed(ElementCodec::dynamic(&book, "books"), text)), wanted);
}
