//! `.proto` source from a linked file; compiled again, it gives the same descriptor.
//!
//! Specification: <https://protobuf.dev/reference/protobuf/edition-2023-spec/>.

mod builtin;
mod element;
mod literal;
mod message;
mod once;
mod options;
mod scope;
mod value;

use super::names::written;
use super::raw;
use super::{Comments, Edition, FileDescriptor, MethodDescriptor, ServiceDescriptor};
use crate::error::Result;
use literal::quote;
use scope::Scope;

impl FileDescriptor {
    /// The file as `.proto` source, with its comments if it was added with source info.
    ///
    /// Custom options are printed where an import, at any remove, declares them; an option that none declares is
    /// replaced by a comment. Options that are there and empty are kept where the language can say so, which is at methods:
    /// `rpc A(M) returns (M) {}`.
    ///
    /// # Errors
    /// Only where [`encoded`](Self::encoded) does not parse, which linking has ruled out.
    ///
    /// ```
    /// let mut pool = tobu::Pool::new();
    /// let file = pool.add_file(b"\x0a\x07a.proto\x22\x03\x0a\x01M\x62\x06proto3")?;
    /// assert_eq!(file.to_proto_text()?, "syntax = \"proto3\";\n\nmessage M {}\n");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    pub fn to_proto_text(&self) -> Result<String> {
        let raw = raw::FileDescriptorProto::decode(self.encoded())?;
        let mut printer = Printer { out: String::new(), indent: 0, file: self, scope: Scope::of(self) };
        printer.file(&raw);
        Ok(printer.out)
    }
}

/// Writes one file, line by line.
struct Printer<'a> {
    out: String,
    indent: usize,
    file: &'a FileDescriptor,
    scope: Scope,
}

impl Printer<'_> {
    fn file(&mut self, raw: &raw::FileDescriptorProto<'_>) {
        let (file, comments) = (self.file, self.file.syntax_comments());
        self.leading(&comments);
        let line = match file.edition() {
            Edition::Proto2 => "syntax = \"proto2\";".into(),
            Edition::Proto3 => "syntax = \"proto3\";".into(),
            edition => written(format_args!("edition = \"{edition}\";")),
        };
        self.line(&line, &comments);
        if !file.package().is_empty() {
            self.blank();
            let comments = file.comments();
            self.leading(&comments);
            self.line(&written(format_args!("package {};", file.package())), &comments);
        }
        self.imports(raw);
        let options = self.options(file.options(), &[]);
        if !options.is_empty() {
            self.blank();
        }
        self.option_lines(options);
        self.top_level(raw);
        for (service, raw) in file.services().zip(&raw.service) {
            self.service(&service, raw);
        }
    }

    fn imports(&mut self, raw: &raw::FileDescriptorProto<'_>) {
        if raw.dependency.len() + raw.option_dependency.len() > 0 {
            self.blank();
        }
        for (i, name) in raw.dependency.iter().enumerate() {
            let is_in = |list: &[i32]| list.contains(&(i as i32));
            let kind = match (is_in(&raw.public_dependency), is_in(&raw.weak_dependency)) {
                (true, _) => "public ",
                (_, true) => "weak ",
                _ => "",
            };
            let comments = self.file.tables().comments(&[3, i as i32]);
            self.leading(&comments);
            self.line(&written(format_args!("import {kind}{};", quote(name.as_bytes(), true))), &comments);
        }
        for name in &raw.option_dependency {
            self.line(
                &written(format_args!("import option {};", quote(name.as_bytes(), true))),
                &Comments::default(),
            );
        }
    }

    fn service(&mut self, service: &ServiceDescriptor, raw: &raw::ServiceDescriptorProto<'_>) {
        self.blank();
        let comments = service.comments();
        self.leading(&comments);
        let options = self.options(service.options(), &[]);
        if options.is_empty() && service.methods().len() == 0 {
            self.line(&written(format_args!("service {} {{}}", service.name())), &comments);
            return;
        }
        self.open(&written(format_args!("service {} {{", service.name())), &comments);
        self.option_lines(options);
        for (method, raw) in service.methods().zip(&raw.method) {
            self.method(&method, raw);
        }
        self.close();
    }

    fn method(&mut self, method: &MethodDescriptor, raw: &raw::MethodDescriptorProto<'_>) {
        let comments = method.comments();
        self.leading(&comments);
        let stream = |is_stream| if is_stream { "stream " } else { "" };
        let signature = written(format_args!(
            "rpc {}({}{}) returns ({}{})",
            method.name(),
            stream(method.is_client_streaming()),
            self.scope.type_name(method.input().full_name()),
            stream(method.is_server_streaming()),
            self.scope.type_name(method.output().full_name()),
        ));
        let options = self.options(method.options(), &[]);
        if options.is_empty() {
            // Compilers take a block without options for options that are empty, and no block for none.
            let end = if raw.options.is_some() { " {}" } else { ";" };
            self.line(&written(format_args!("{signature}{end}")), &comments);
            return;
        }
        self.open(&written(format_args!("{signature} {{")), &comments);
        self.option_lines(options);
        self.close();
    }

    /// A line that opens a block.
    fn open(&mut self, text: &str, comments: &Comments) {
        self.write(text);
        self.indent += 1;
        if !comments.trailing().is_empty() {
            self.comment(comments.trailing());
            self.blank();
        }
    }

    fn close(&mut self) {
        self.indent -= 1;
        self.write("}");
    }

    /// A line with the comment that trails it.
    fn line(&mut self, text: &str, comments: &Comments) {
        let mut lines = comment_lines(comments.trailing()).into_iter();
        match lines.next() {
            None => self.write(text),
            Some(first) => {
                self.write(&written(format_args!("{text}  {first}")));
                let mut is_long = false;
                for line in lines {
                    self.write(&line);
                    is_long = true;
                }
                if is_long {
                    self.blank();
                }
            }
        }
    }

    fn leading(&mut self, comments: &Comments) {
        for detached in comments.detached() {
            self.comment(detached);
            self.blank();
        }
        self.comment(comments.leading());
    }

    fn comment(&mut self, text: &str) {
        for line in comment_lines(text) {
            self.write(&line);
        }
    }

    /// An empty line, unless there is one or a block has just been opened.
    fn blank(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with("\n\n") && !self.out.ends_with("{\n") {
            self.out.push('\n');
        }
    }

    /// Lines at the current indentation.
    fn write(&mut self, text: &str) {
        for line in text.split('\n') {
            for _ in 0..self.indent {
                self.out.push_str("  ");
            }
            self.out.push_str(line);
            self.out.push('\n');
        }
    }
}

/// Every line of a comment, as one that runs to the end of its line: nothing in it can end it.
fn comment_lines(text: &str) -> Vec<String> {
    let text = text.strip_suffix('\n').unwrap_or(text);
    let mut lines = Vec::new();
    if text.is_empty() {
        return lines;
    }
    for line in text.split('\n') {
        let mut comment = String::from("//");
        for c in line.chars() {
            comment.push(if c.is_control() && c != '\t' { ' ' } else { c });
        }
        comment.truncate(2 + comment[2..].trim_end().len());
        lines.push(comment);
    }
    lines
}
