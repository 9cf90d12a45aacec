//! The schema, compiled: a descriptor set, and the messages in it.

use crate::Outcome;
use crate::schema::File;
use heck::ToSnakeCase;
use prost_types::{DescriptorProto, FileDescriptorProto, FileDescriptorSet};
use std::path::{Path, PathBuf};

/// The input of the generators.
pub struct Protos {
    /// The files and their imports, with comments.
    pub set: FileDescriptorSet,
    /// The same as a file.
    pub path: PathBuf,
    /// Where the sources are.
    pub directory: PathBuf,
    /// The files of the schema itself, by name.
    pub files: Vec<String>,
    pub messages: Vec<Message>,
    /// Of all messages.
    pub fields: usize,
}

/// A message type.
pub struct Message {
    /// Where the generators put the type: they all name modules after packages and after the messages around one.
    pub path: String,
}

impl Protos {
    /// Writes the files into a directory and compiles them.
    pub fn compile(files: &[File], directory: &Path) -> Outcome<Self> {
        for file in files {
            let path = directory.join(&file.name);
            std::fs::create_dir_all(path.parent().unwrap_or(directory))?;
            std::fs::write(path, &file.text)?;
        }
        let names: Vec<String> = files.iter().map(|file| file.name.clone()).collect();
        let set = protox::compile(&names, [directory])?;
        let path = directory.join("schema.fds");
        std::fs::write(&path, prost::Message::encode_to_vec(&set))?;
        let directory = directory.to_owned();
        let mut protos = Protos { set, path, directory, files: names, messages: Vec::new(), fields: 0 };
        for file in protos.own_files().file {
            let module = file.package().replace('.', "::");
            file.message_type.iter().for_each(|message| protos.add(&module, message));
        }
        Ok(protos)
    }

    /// The files without those of `google.protobuf`, whose types the libraries have.
    pub fn own_files(&self) -> FileDescriptorSet {
        let own = |file: &&FileDescriptorProto| self.files.iter().any(|name| *name == file.name());
        FileDescriptorSet { file: self.set.file.iter().filter(own).cloned().collect() }
    }

    /// Some messages from all over the schema.
    pub fn sample(&self, count: usize) -> Vec<&Message> {
        let count = count.min(self.messages.len());
        (0..count).map(|index| &self.messages[index * self.messages.len() / count]).collect()
    }

    fn add(&mut self, module: &str, message: &DescriptorProto) {
        self.messages.push(Message { path: format!("{module}::{}", message.name()) });
        self.fields += message.field.len();
        let inside = format!("{module}::{}", message.name().to_snake_case());
        let is_entry =
            |nested: &DescriptorProto| nested.options.as_ref().is_some_and(|options| options.map_entry());
        message
            .nested_type
            .iter()
            .filter(|nested| !is_entry(nested))
            .for_each(|nested| self.add(&inside, nested));
    }
}
