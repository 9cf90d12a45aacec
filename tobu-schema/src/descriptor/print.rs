//! Prints a linked file as `.proto` source. A compiler turns this source into the same descriptor.
//!
//! Specification: <https://protobuf.dev/reference/protobuf/edition-2023-spec/>.

mod message;
mod options;

use std::cell::OnceCell;
use std::sync::Arc;

use super::handle::{self, Numbers, each};
use crate::descriptor::names::{json_name, written};
use crate::descriptor::print::message::{is_group, range, visibility};
use crate::descriptor::print::options::brackets;
use crate::descriptor::tables::{FileTables, ImportKind};
use crate::descriptor::{
    Cardinality, Comments, Edition, EnumDescriptor, ExtensionDescriptor, FieldDescriptor, FileDescriptor,
    MethodDescriptor, ServiceDescriptor, raw,
};
use crate::error::Result;
use options::{default, quote};

impl FileDescriptor {
    /// Returns the file as `.proto` source. If the file was added with source info, the source contains its comments.
    ///
    /// A custom option is printed if a direct or indirect import declares it. Otherwise a comment replaces it. Empty
    /// options are kept for methods, `rpc A(M) returns (M) {}`, because the language can express them only there.
    ///
    /// # Errors
    /// The function fails only if [`encoded`](Self::encoded) does not parse. This is impossible for a linked file.
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
            // For compilers, a block without options means empty options, and no block means no options.
            let end = if raw.options.is_some() { " {}" } else { ";" };
            self.line(&written(format_args!("{signature}{end}")), &comments);
            return;
        }
        self.open(&written(format_args!("{signature} {{")), &comments);
        self.option_lines(options);
        self.close();
    }

    /// Writes a line that opens a block, and the comment after it.
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

    /// Writes a line, and the comment after it.
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

    /// Writes an empty line, unless the last line is empty or opens a block.
    fn blank(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with("\n\n") && !self.out.ends_with("{\n") {
            self.out.push('\n');
        }
    }

    /// Writes lines at the current indentation.
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

/// Returns each line of a comment as a comment that ends with the line, so that no text can end the comment early.
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

impl Printer<'_> {
    /// Writes a field or, inside an `extend` block, an extension. `messages` are the messages in the scope of the field.
    fn field(&mut self, field: &FieldDescriptor, messages: &[raw::DescriptorProto<'_>]) {
        let comments = field.comments();
        self.leading(&comments);
        let mut first = Vec::new();
        if let Some(value) = field.default().and_then(|value| default(field, value)) {
            first.push(("default", value));
        }
        if !field.is_extension() && field.json_name() != json_name(field.name()) {
            first.push(("json_name", quote(field.json_name().as_bytes(), true)));
        }
        let options = self.options(field.options(), &first);
        self.unknown_options(&options.unknown);
        let (label, ty, number) = (self.label(field), self.type_of(field), field.number());
        let brackets = brackets(&options);
        let group = field.message_type().filter(|_| is_group(field));
        match group.as_ref().and_then(|group| Some((group, messages.get(group.index())?))) {
            Some((group, raw)) => {
                self.open(
                    &written(format_args!("{label}group {} = {number}{brackets} {{", group.name())),
                    &comments,
                );
                self.body(group, raw);
                self.close();
            }
            None => self.line(
                &written(format_args!("{label}{ty} {} = {number}{brackets};", field.name())),
                &comments,
            ),
        }
    }

    fn label(&self, field: &FieldDescriptor) -> &'static str {
        if field.is_map() || field.oneof().is_some() {
            return "";
        }
        match (field.cardinality(), self.file.edition()) {
            (Cardinality::Repeated, _) => "repeated ",
            (Cardinality::Required, Edition::Proto2) => "required ",
            (Cardinality::Optional, Edition::Proto2) => "optional ",
            _ if field.is_proto3_optional() => "optional ",
            _ => "",
        }
    }

    fn type_of(&self, field: &FieldDescriptor) -> String {
        if let (Some(key), Some(value)) = (field.map_key(), field.map_value()) {
            return written(format_args!("map<{}, {}>", key.ty(), self.type_of(&value)));
        }
        match (field.message_type(), field.enum_type()) {
            (Some(message), _) => self.scope.type_name(message.full_name()),
            (_, Some(enumeration)) => self.scope.type_name(enumeration.full_name()),
            _ => field.ty().to_string(),
        }
    }

    fn enumeration(&mut self, enumeration: &EnumDescriptor, raw: &raw::EnumDescriptorProto<'_>) {
        self.blank();
        let comments = enumeration.comments();
        self.leading(&comments);
        self.open(
            &written(format_args!("{}enum {} {{", visibility(raw.visibility), enumeration.name())),
            &comments,
        );
        let options = self.options(enumeration.options(), &[]);
        self.option_lines(options);
        self.reserved_line(each(&raw.reserved_range, |reserved| {
            range(reserved.start.unwrap_or_default(), reserved.end.unwrap_or_default(), i32::MAX)
        }));
        self.reserved_names(&raw.reserved_name);
        for value in enumeration.values() {
            let comments: Comments = value.comments();
            self.leading(&comments);
            let options = self.options(value.options(), &[]);
            self.unknown_options(&options.unknown);
            let line = written(format_args!("{} = {}{};", value.name(), value.number(), brackets(&options)));
            self.line(&line, &comments);
        }
        self.close();
    }
}

/// The maximum number of files that may be visible through public imports. If there are more, types are printed as full
/// names with a leading dot. This is always correct, and needs no search in all these files.
const MOST_EXPORTED: usize = 64;

struct Scope {
    file: Arc<FileTables>,
    /// All extensions that visible files declare, by extended message and number. They are collected when they are
    /// needed for the first time.
    extensions: OnceCell<Extensions>,
    /// All extensions that indirect imports declare. They are only used for options that no visible file declares.
    remote: OnceCell<Extensions>,
    /// The names that a relative name could mean by mistake; `None` if too many files are visible. They are collected
    /// when they are needed for the first time.
    names: OnceCell<Option<Names>>,
}

/// Extensions, and the index of each extension by the extended message and the number.
type Extensions = (Vec<ExtensionDescriptor>, handle::Names);

#[derive(Default)]
struct Names {
    /// For each name, the number of declarations with this last component that a relative name could mean.
    declared: handle::Names,
    /// The messages and enums without a package. A full name may start with one of their names.
    roots: handle::Names,
}

impl Names {
    /// Returns the names that are visible in a file; `None` if too many files are visible.
    fn of(file: &Arc<FileTables>) -> Option<Names> {
        let mut names = Names::default();
        let mut packages = handle::Names::new();
        let most = 1 + file.imports.len() + MOST_EXPORTED;
        let visible = visible(file, most);
        if visible.len() > most {
            return None;
        }
        for tables in visible {
            for part in tables.package().split('.').skip(1) {
                if packages.insert(part.to_owned(), 0).is_none() {
                    *names.declared.entry(part.to_owned()).or_default() += 1;
                }
            }
            names.declare(&tables, Arc::ptr_eq(&tables, file));
        }
        Some(names)
    }

    fn declare(&mut self, tables: &Arc<FileTables>, is_own: bool) {
        let mut name = |name: &str| *self.declared.entry(name.to_owned()).or_default() += 1;
        for message in &tables.messages {
            if is_own || message.parent.is_none() {
                name(tables.text(message.name.last));
            }
        }
        for enumeration in &tables.enums {
            if is_own || enumeration.parent.is_none() {
                name(tables.text(enumeration.name.last));
                for value in enumeration.values.of(&tables.values) {
                    name(tables.text(value.name.last));
                }
            }
        }
        for field in &tables.fields {
            if is_own || (field.is_extension && field.scope.is_none()) {
                name(tables.text(field.name.last));
            }
        }
        if is_own {
            for oneof in &tables.oneofs {
                name(tables.text(oneof.name.last));
            }
        }
        if tables.package().is_empty() {
            for message in tables.top_messages.of(&tables.messages) {
                self.roots.insert(tables.text(message.name.last).to_owned(), 0);
            }
            for enumeration in tables.top_enums.of(&tables.enums) {
                self.roots.insert(tables.text(enumeration.name.last).to_owned(), 0);
            }
        }
        for service in &tables.services {
            name(tables.text(service.name.last));
        }
    }
}

impl Scope {
    fn of(file: &FileDescriptor) -> Self {
        Scope {
            file: Arc::clone(file.tables()),
            extensions: OnceCell::new(),
            remote: OnceCell::new(),
            names: OnceCell::new(),
        }
    }

    fn extension(&self, extendee: &str, number: u32) -> Option<&ExtensionDescriptor> {
        let key = key(extendee, number);
        let (visible, by_key) = self.extensions.get_or_init(|| extensions(&visible(&self.file, usize::MAX)));
        if let Some(at) = by_key.get(&key) {
            return Some(&visible[*at]);
        }
        let (remote, by_key) = self.remote.get_or_init(|| extensions(&reaching_extensions(&self.file)));
        Some(&remote[*by_key.get(&key)?])
    }

    /// Returns a full name, with a leading dot if a compiler would otherwise resolve it to another element.
    fn type_name(&self, full: &str) -> String {
        let Some(names) = self.names.get_or_init(|| Names::of(&self.file)) else {
            return written(format_args!(".{full}"));
        };
        let first = full.split('.').next().unwrap_or_default();
        // `declared` also counts a top-level type without a package that has the name `first`. One such count is allowed,
        // because `full` is the name of this type or of an element in it.
        let own = usize::from(names.roots.contains_key(first));
        let is_plain =
            names.declared.get(first).copied().unwrap_or_default() <= own && !WORDS.contains(&first);
        if is_plain { full.to_owned() } else { written(format_args!(".{full}")) }
    }
}

/// Returns a file and the files whose names are visible in it: its imports, their public imports, the public imports of those
/// files, and so on. If there are more than `most` files, the result is incomplete, but has more than `most` files.
fn visible(file: &Arc<FileTables>, most: usize) -> Vec<Arc<FileTables>> {
    let mut seen = Numbers::from([(Arc::as_ptr(file) as usize, 0)]);
    let mut files = vec![Arc::clone(file)];
    let mut next = 0;
    while let Some(tables) = files.get(next).filter(|_| files.len() <= most).cloned() {
        for import in &tables.imports {
            if (next == 0 || import.kind == ImportKind::Public)
                && let Some(at) = import.file
                && let import = &tables.reach[at as usize]
                && seen.insert(Arc::as_ptr(import) as usize, 0).is_none()
            {
                files.push(Arc::clone(import));
            }
        }
        next += 1;
    }
    files
}

/// Returns the files in reach that declare extensions or reach files that declare extensions. Even a long chain of imports
/// usually has no such files.
fn reaching_extensions(file: &Arc<FileTables>) -> Vec<Arc<FileTables>> {
    let mut seen = Numbers::new();
    let mut files = vec![Arc::clone(file)];
    let mut next = 0;
    while let Some(tables) = files.get(next).cloned() {
        for file in &tables.reach {
            if file.reaches_extensions && seen.insert(Arc::as_ptr(file) as usize, 0).is_none() {
                files.push(Arc::clone(file));
            }
        }
        next += 1;
    }
    files
}

fn key(extendee: &str, number: u32) -> String {
    written(format_args!("{extendee}:{number}"))
}

fn extensions(files: &[Arc<FileTables>]) -> Extensions {
    let (mut extensions, mut by_key) = (Vec::new(), handle::Names::new());
    for file in files {
        for extension in FileDescriptor::new(Arc::clone(file)).all_extensions() {
            by_key.insert(key(extension.extendee().full_name(), extension.number()), extensions.len());
            extensions.push(extension);
        }
    }
    (extensions, by_key)
}

/// Names that mean something else at the place of a type.
const WORDS: [&str; 27] = [
    "double",
    "float",
    "int32",
    "int64",
    "uint32",
    "uint64",
    "sint32",
    "sint64",
    "fixed32",
    "fixed64",
    "sfixed32",
    "sfixed64",
    "bool",
    "string",
    "bytes",
    "map",
    "group",
    "optional",
    "required",
    "repeated",
    "oneof",
    "message",
    "enum",
    "extend",
    "option",
    "reserved",
    "extensions",
];
