//! Converts comments of the schema to documentation: Markdown that rustdoc neither runs nor warns about.
//!
//! Comments are written for people and not for rustdoc: indented text is not Rust code, `<id>` is not an HTML tag and `[0, 1]`
//! is not a link. Code blocks become fenced blocks of text at the left edge, so that a block ends only at its fence.

use std::collections::HashMap;

use proc_macro2::TokenStream;
use quote::quote;
use tobu_schema::descriptor::Comments;

use crate::config::Config;

/// Returns the doc attributes of the element `full_name`, made from its comments.
pub(super) fn comments(config: &Config, full_name: &str, comments: &Comments) -> TokenStream {
    if !config.comments || config.disabled_comments.get(full_name).is_some() {
        return TokenStream::new();
    }
    let mut lines = markdown(comments.leading());
    let mut more = markdown(comments.trailing());
    if !lines.is_empty() && !more.is_empty() {
        lines.push(String::new());
    }
    lines.append(&mut more);
    attributes(&lines)
}

/// Adds an empty line to documentation that is not empty.
pub(super) fn with_line(docs: TokenStream) -> TokenStream {
    if docs.is_empty() { docs } else { quote!(#docs #[doc = ""]) }
}

/// Returns the doc attribute of a line that is already Markdown.
pub(super) fn line(text: &str) -> TokenStream {
    attributes(&[text.to_owned()])
}

fn attributes(lines: &[String]) -> TokenStream {
    let lines = lines.iter().map(|line| if line.is_empty() { String::new() } else { format!(" {line}") });
    quote!(#(#[doc = #lines])*)
}

/// Returns the lines of a comment as Markdown, without blank lines at the start and end.
fn markdown(comment: &str) -> Vec<String> {
    let source = source_lines(comment);
    let mut lines = Vec::with_capacity(source.len());
    let mut in_list = false;
    let mut after_blank = true;
    let mut i = 0;
    while i < source.len() {
        let line = source[i].as_str();
        let indent = indentation(line);
        if let Some(fence) = fence(line) {
            let close = source[i + 1..].iter().position(|line| closes(line, fence));
            let end = close.map_or(source.len(), |n| i + 1 + n);
            code_block(&source[i + 1..end], indent, &mut lines);
            in_list = false;
            i = end;
        } else if indent >= 4 && after_blank && !in_list && !line.is_empty() {
            let length =
                source[i..].iter().take_while(|line| line.is_empty() || indentation(line) >= 4).count();
            let mut end = i + length;
            while source[end - 1].is_empty() {
                end -= 1;
            }
            let indent =
                source[i..end].iter().filter(|line| !line.is_empty()).map(|line| indentation(line)).min();
            code_block(&source[i..end], indent.unwrap_or(0), &mut lines);
            i = end - 1;
        } else {
            let text = text(line);
            in_list = is_list_item(&text) || in_list && (indent > 0 || line.is_empty() || !after_blank);
            lines.push(text);
        }
        after_blank = source.get(i).is_none_or(|line| line.is_empty());
        i += 1;
    }
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    let blank = lines.iter().take_while(|line| line.is_empty()).count();
    lines.drain(..blank);
    lines
}

/// Returns the lines of a comment with spaces instead of tabs, without control characters, and without the indentation that all
/// lines share.
fn source_lines(comment: &str) -> Vec<String> {
    let lines: Vec<String> = comment
        .trim_end()
        .replace("\r\n", "\n")
        .split(['\n', '\r'])
        .map(|line| {
            let line = line.replace('\t', "    ");
            line.chars().filter(|c| !c.is_control()).collect::<String>().trim_end().to_owned()
        })
        .collect();
    let common =
        lines.iter().filter(|line| !line.is_empty()).map(|line| indentation(line)).min().unwrap_or(0);
    lines.into_iter().map(|line| line.get(common..).unwrap_or("").to_owned()).collect()
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// Returns the character and the length of a fence, if the line opens a fenced code block.
fn fence(line: &str) -> Option<(char, usize)> {
    let line = line.trim_start_matches(' ');
    let first = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let rest = line.trim_start_matches(first);
    let length = line.len() - rest.len();
    (length >= 3 && !(first == '`' && rest.contains('`'))).then_some((first, length))
}

fn closes(line: &str, (first, length): (char, usize)) -> bool {
    let line = line.trim_start_matches(' ');
    line.len() >= length && line.chars().all(|c| c == first)
}

/// Appends a block of plain text, in a fence that is longer than any run of backticks inside the block.
fn code_block(code: &[String], indent: usize, lines: &mut Vec<String>) {
    let longest = code.iter().flat_map(|line| line.split(|c| c != '`')).map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    lines.push(format!("{fence}text"));
    lines.extend(code.iter().map(|line| line[indent.min(indentation(line))..].to_owned()));
    lines.push(fence);
}

fn is_list_item(line: &str) -> bool {
    let line = line.trim_start_matches(' ');
    let after = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let marker = if after.len() < line.len() {
        after.strip_prefix(['.', ')'])
    } else {
        line.strip_prefix(['-', '*', '+'])
    };
    marker.is_some_and(|rest| rest.starts_with(' '))
}

/// Returns one line outside of code blocks as Markdown. It keeps at most three spaces at the start of the line and one
/// space after a list or quote marker, because four spaces would begin an indented code block.
fn text(line: &str) -> String {
    let mut out = " ".repeat(indentation(line).min(3));
    let mut rest = line.trim_start_matches(' ');
    loop {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let marker = match rest.as_bytes().get(digits) {
            Some(b'-' | b'*' | b'+' | b'>') if digits == 0 => 1,
            Some(b'.' | b')') if digits > 0 => digits + 1,
            _ => break,
        };
        let (head, tail) = rest.split_at(marker);
        if !(tail.starts_with(' ') || head == ">" && !tail.is_empty()) {
            break;
        }
        out.push_str(head);
        if tail.starts_with(' ') {
            out.push(' ');
        }
        rest = tail.trim_start_matches(' ');
    }
    if rest.starts_with("~~~") {
        out.push('\\');
    }
    inline(rest, &mut out);
    out
}

/// Appends a line as Markdown. It keeps code spans and links to URLs, and escapes everything else that rustdoc could
/// misread.
fn inline(line: &str, out: &mut String) {
    let runs = last_runs(line);
    let mut rest = line;
    let mut previous = ' ';
    while let Some(c) = rest.chars().next() {
        let taken = match c {
            '`' => code_span(line, line.len() - rest.len(), &runs, out),
            '\\' => escaped(rest, out),
            '[' => link(rest, out),
            '<' => autolink(rest, out),
            ']' => {
                out.push_str("\\]");
                1
            }
            'h' if !previous.is_alphanumeric() => url(rest)
                .map(|url| {
                    out.push_str(&format!("<{url}>"));
                    url.len()
                })
                .unwrap_or_else(|| {
                    out.push('h');
                    1
                }),
            _ => {
                out.push(c);
                c.len_utf8()
            }
        };
        previous = rest[..taken].chars().next_back().unwrap_or(' ');
        rest = &rest[taken..];
    }
}

/// Returns the start of the last run of backticks for each length of a run.
fn last_runs(line: &str) -> HashMap<usize, usize> {
    let mut runs = HashMap::new();
    let mut at = 0;
    while let Some(next) = line[at..].find('`') {
        let start = at + next;
        let ticks = count_ticks(&line[start..]);
        runs.insert(ticks, start);
        at = start + ticks;
    }
    runs
}

fn count_ticks(text: &str) -> usize {
    text.len() - text.trim_start_matches('`').len()
}

/// Appends a code span if it ends on this line; otherwise escapes the backticks. Returns how many bytes of the line it
/// has handled.
fn code_span(line: &str, start: usize, runs: &HashMap<usize, usize>, out: &mut String) -> usize {
    let ticks = count_ticks(&line[start..]);
    let mut at = start + ticks;
    // The search runs only if the span has an end. Otherwise the rest of the line would be searched again for each span without
    // an end.
    if runs.get(&ticks).is_some_and(|last| *last >= at) {
        while let Some(next) = line[at..].find('`') {
            at += next;
            let length = count_ticks(&line[at..]);
            at += length;
            if length == ticks {
                out.push_str(&line[start..at]);
                return at - start;
            }
        }
    }
    out.push_str(&"\\`".repeat(ticks));
    ticks
}

/// Appends a backslash with the punctuation that it escapes, and doubles any other backslash. Returns how many bytes
/// of `rest` it has handled.
fn escaped(rest: &str, out: &mut String) -> usize {
    match rest[1..].chars().next() {
        Some(next) if next.is_ascii_punctuation() => {
            out.push_str(&rest[..2]);
            2
        }
        _ => {
            out.push_str("\\\\");
            1
        }
    }
}

/// Appends `[text](https://...)` as a link, and escapes any other bracket. Returns how many bytes of `rest` it has
/// handled.
fn link(rest: &str, out: &mut String) -> usize {
    let parse = || {
        // The search stops at the next bracket, so that no part of the line is searched again for each bracket.
        let end = rest[1..].find(ends_text)?;
        let (text, after) = rest[1..].split_at(end);
        let target = after.strip_prefix("](").filter(|_| !text.is_empty() && !text.contains("http"))?;
        let url = url(target)?;
        target[url.len()..].starts_with(')').then_some((text, url))
    };
    match parse() {
        Some((text, url)) => {
            out.push_str(&format!("[{text}](<{url}>)"));
            text.len() + url.len() + 4
        }
        None => {
            out.push_str("\\[");
            1
        }
    }
}

/// True for the bracket that ends the text of a link, and for characters that the text cannot contain.
fn ends_text(c: char) -> bool {
    matches!(c, '[' | ']' | '<' | '`' | '\\')
}

fn autolink(rest: &str, out: &mut String) -> usize {
    match url(&rest[1..]) {
        Some(url) if rest[1 + url.len()..].starts_with('>') => {
            out.push_str(&format!("<{url}>"));
            url.len() + 2
        }
        _ => {
            out.push_str("\\<");
            1
        }
    }
}

/// Returns the URL at the start of a text, without the punctuation that ends a sentence; `None` if the text does not
/// start with a URL.
fn url(text: &str) -> Option<&str> {
    let scheme = ["https://", "http://"].into_iter().find(|scheme| text.starts_with(scheme))?;
    let end = text
        .find(|c: char| {
            c.is_whitespace() || c.is_control() || matches!(c, '<' | '>' | '"' | '`' | ')' | ']' | '\\' | '|')
        })
        .unwrap_or(text.len());
    let url = text[..end].trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '*', '_']);
    (url.len() > scheme.len()).then_some(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(comment: &str, expected: &[&str]) {
        assert_eq!(markdown(comment), expected, "{comment:?}");
    }

    #[test]
    fn plain_text_stays() {
        check(" One line.\n", &["One line."]);
        check(
            "\n A *bold* word,\n and `Vec<T>`.\n\n More.\n",
            &["A *bold* word,", "and `Vec<T>`.", "", "More."],
        );
        check("", &[]);
        check("  \n \t\n", &[]);
    }

    #[test]
    fn code_is_text() {
        check(
            " See:\n\n     fn main() {\n       ```\n     }\n\n end",
            &["See:", "", "````text", "fn main() {", "  ```", "}", "````", "", "end"],
        );
        check(" ```rust\n panic!()\n ```\n", &["```text", "panic!()", "```"]);
        check(" ~~~\n panic!()\n", &["```text", "panic!()", "```"]);
        check("     indented\n", &["indented"]);
        check("a\n\tb\n", &["a", "   b"]);
    }

    #[test]
    fn lists_hold_no_code() {
        check("- one\n\n      still one\n", &["- one", "", "   still one"]);
        check("-      one\n", &["- one"]);
        check("- ```\n  x\n  ```\n", &["- \\`\\`\\`", "  x", "```text", "```"]);
        check("- a\n  ```\nx\n  ```\n", &["- a", "```text", "x", "```"]);
        check(">      one\n", &["> one"]);
        check(">~~~\n", &[">\\~~~"]);
    }

    #[test]
    fn html_and_links_are_escaped() {
        check("a <b> [c] [d][e.F] [0, 1)", &["a \\<b> \\[c\\] \\[d\\]\\[e.F\\] \\[0, 1)"]);
        check("\\<b> \\", &["\\<b> \\\\"]);
        check("`a and ``b", &["\\`a and \\`\\`b"]);
        check("``a`b``` c``d`", &["``a`b``` c``d\\`"]);
        check("a\\``b``c`d", &["a\\``b``c`d"]);
        check("see https://a.b/c?d=e_f.", &["see <https://a.b/c?d=e_f>."]);
        check("see <https://a.b> and [x](http://a.b/c)", &["see <https://a.b> and [x](<http://a.b/c>)"]);
        check(
            "[](http://a) [a[b](http://a) [c](http://a[d](http://b",
            &["\\[\\](<http://a>) \\[a[b](<http://a>) \\[c\\](<http://a[d>\\](<http://b>"],
        );
        check("(see http://a.b/)", &["(see <http://a.b/>)"]);
        check("end */ /* of \0 comment", &["end */ /* of  comment"]);
    }
}
