//! The elements of an array of a JSON text that comes in chunks: many of them, large ones, and much around them.

use crate::family::{Family, Outcome, Verb, refused, run, taken};
use crate::types::derived::Tree;
use std::io::Read;
use tobu::json::{ElementDecoder, Elements};
use tobu::types::StringValue;
use tobu::{DynamicMessage, Message};

/// The array that is asked for in each text.
const PATH: &str = "a.b";

/// Takes all elements that there are.
fn drain<T: Message + serde::de::DeserializeOwned>(elements: &mut ElementDecoder) -> Outcome {
    let mut count = 0;
    while elements.next_message::<T>().map_err(|error| error.to_string())?.is_some() {
        count += 1;
    }
    Ok(count)
}

/// All elements of a text in chunks of a size; no more than one after each chunk, if that is asked for.
fn chunked<T: Message + serde::de::DeserializeOwned>(text: &[u8], size: usize, one_each: bool) -> Outcome {
    let mut elements = ElementDecoder::new(PATH);
    for chunk in text.chunks(size) {
        elements.push(chunk);
        match one_each {
            true => drop(elements.next_message::<T>().map_err(|error| error.to_string())?),
            false => drop(drain::<T>(&mut elements)?),
        }
    }
    elements.finish();
    drain::<T>(&mut elements).map(|count| count & 1)
}

/// A reader that gives a byte at a time.
struct Slowly<'a>(&'a [u8]);

impl Read for Slowly<'_> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let most = into.len().min(1);
        self.0.read(&mut into[..most])
    }
}

fn read<T: Message + serde::de::DeserializeOwned>(text: impl Read) -> Outcome {
    let mut elements = Elements::<_, T>::new(text, PATH);
    elements.try_for_each(|element| element.map(drop)).map(|()| 0).map_err(|error| error.to_string())
}

fn dynamic<T: Message>(text: &[u8]) -> Outcome {
    let descriptor = T::descriptor();
    let mut elements = Elements::<_, DynamicMessage>::dynamic(text, &descriptor, PATH);
    elements.try_for_each(|element| element.map(drop)).map(|()| 0).map_err(|error| error.to_string())
}

/// Each way to the elements.
fn verbs<T: Message + serde::de::DeserializeOwned>() -> Vec<Verb> {
    vec![
        Verb { name: "json::Elements", prepare: |text| Some(Box::new(move || read::<T>(text))) },
        Verb { name: "json::Elements, dynamic", prepare: |text| Some(Box::new(move || dynamic::<T>(text))) },
        Verb {
            name: "json::Elements, a byte at a time",
            prepare: |text| Some(Box::new(move || read::<T>(Slowly(text)))),
        },
        Verb {
            name: "json::ElementDecoder, whole",
            prepare: |text| Some(Box::new(move || chunked::<T>(text, text.len().max(1), false))),
        },
        Verb {
            name: "json::ElementDecoder, in chunks",
            prepare: |text| Some(Box::new(move || chunked::<T>(text, 16, false))),
        },
        Verb {
            name: "json::ElementDecoder, one after each chunk",
            prepare: |text| Some(Box::new(move || chunked::<T>(text, 64, true))),
        },
    ]
}

/// An array of a piece for each number, within what is around it.
fn array(before: &str, count: usize, piece: impl FnMut(usize) -> String, after: &str) -> Vec<u8> {
    let pieces = (0..count).map(piece).collect::<Vec<_>>().join(",");
    format!("{{{before}\"a\":{{\"b\":[{pieces}]}}{after}}}").into()
}

/// One element, or none, and the text before and after.
fn around(before: &str, element: &str, after: &str) -> Vec<u8> {
    array(before, usize::from(!element.is_empty()), |_| element.into(), after)
}

#[test]
fn elements_of_json() {
    const TAKEN: &[Family] = &[
        taken("many elements", 32, |n| array("", n, |at| format!("{{\"name\":\"{at}\"}}"), "")),
        taken("empty elements", 32, |n| array("", n, |_| "{}".into(), "")),
        taken("elements with space around", 32, |n| array("", n, |_| " \n\t{ }\r ".into(), "")),
        taken("an element of a long string", 32, |n| {
            around("", &format!("{{\"name\":\"{}\"}}", "a".repeat(n)), "")
        }),
        taken("an element of escapes", 32, |n| {
            around("", &format!("{{\"name\":\"{}\"}}", "\\u00e9\\n".repeat(n)), "")
        }),
        taken("an element with much space in it", 32, |n| around("", &format!("{{{}}}", " ".repeat(n)), "")),
        taken("an element of many elements", 16, |n| {
            around("", &format!("{{\"children\":[{{}}{}]}}", ",{\"name\":\"a\"}".repeat(n)), "")
        }),
        taken("a deep element", 2, |n| {
            around("", &format!("{}{{}}{}", "{\"left\":".repeat(n), "}".repeat(n)), "")
        }),
        taken("members before", 32, |n| around(&"\"c\":[{\"a\":{\"b\":1}},2],".repeat(n), "{}", "")),
        taken("members after", 32, |n| around("", "{}", &",\"c\":\"\\u0041\"".repeat(n))),
        taken("a long string before", 32, |n| around(&format!("\"c\":\"{}\",", "s".repeat(n)), "{}", "")),
        taken("a long name before", 32, |n| around(&format!("\"{}\":0,", "n".repeat(n)), "{}", "")),
        taken("a long name of escapes before", 32, |n| {
            around(&format!("\"{}\":0,", "\\u0061".repeat(n)), "{}", "")
        }),
        taken("a deep value before", 3, |n| {
            around(&format!("\"c\":{}{},", "[".repeat(n), "]".repeat(n)), "{}", "")
        }),
        taken("lines before", 32, |n| [vec![b'\n'; n], around("", "{}", "")].concat()),
        taken("no such array", 32, |n| format!("{{\"a\":{{{}\"d\":0}}}}", "\"c\":{},".repeat(n)).into()),
    ];
    const REFUSED: &[Family] = &[
        refused("a comma too many", 32, |n| array("", n, |_| "{},".into(), ""), ""),
        refused(
            "an element that is none, after many",
            32,
            |n| array("", n + 1, |at| if at == n { "1".into() } else { "{}".into() }, ""),
            "expected",
        ),
        refused(
            "an element that does not end",
            32,
            |n| [&b"{\"a\":{\"b\":["[..], &vec![b'{'; n]].concat(),
            "",
        ),
        refused("a string that does not end", 32, |n| around(&format!("\"{}", "s".repeat(n)), "", ""), ""),
        refused("the path again", 32, |n| around("", "{}", &format!("{},\"a\":0", " ".repeat(n))), "twice"),
        refused(
            "a number of many digits",
            4097,
            |n| around(&format!("\"c\":{},", "1".repeat(n)), "", ""),
            "long",
        ),
        refused("too deep before", 201, |n| around(&format!("\"c\":{}", "[".repeat(n)), "", ""), "deeper"),
        refused("too deep", 201, |n| around("", &"{\"left\":".repeat(n), ""), "deeper"),
        refused("much that trails", 32, |n| [around("", "{}", ""), b" {}".repeat(n)].concat(), ""),
    ];
    run(TAKEN, &verbs::<Tree>());
    run(REFUSED, &verbs::<Tree>());
    const STRINGS: &[Family] = &[
        taken("strings", 32, |n| array("", n, |at| format!("\"{at}\""), "")),
        taken("a long string", 32, |n| around("", &format!("\"{}\"", "s".repeat(n)), "")),
        refused(
            "a number after many strings",
            32,
            |n| array("", n + 1, |at| if at == n { "1".into() } else { "\"\"".into() }, ""),
            "expected",
        ),
    ];
    run(STRINGS, &verbs::<StringValue>());
}
