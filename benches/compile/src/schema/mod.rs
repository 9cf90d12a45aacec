//! A schema of every shape, modelled on the APIs of public clouds: the same text in each run.

mod fixed;
mod package;
mod shapes;
mod source;
mod words;

use crate::rng::Rng;
use source::Type;

/// The messages of a full run, and of `--quick`.
pub const FULL: usize = 700;
pub const QUICK: usize = 60;

/// A `.proto` file.
pub struct File {
    pub name: String,
    pub text: String,
}

/// State shared by packages while the schema is generated.
pub(crate) struct Context {
    pub(crate) rng: Rng,
    /// Messages of finished files, for fields of other packages.
    pub(crate) messages: Vec<Type>,
    pub(crate) enums: Vec<Type>,
}

/// Files with about so many messages, nested ones included.
pub fn generate(messages: usize) -> Vec<File> {
    let mut context = Context { rng: Rng::new(0x70_6f_74_61_74_6f), messages: Vec::new(), enums: Vec::new() };
    let mut files = Vec::new();
    let mut count = 0;
    let mut add = |source: source::Source| {
        count += source.messages;
        files.push(File { name: source.name.clone(), text: source.finish() });
        count
    };
    add(fixed::common(&mut context));
    add(fixed::tree());
    add(fixed::legacy());
    for (index, service) in words::SERVICES.iter().enumerate() {
        let [resources, requests] = package::package(&mut context, service, index);
        add(resources);
        if add(requests) >= messages {
            break;
        }
    }
    files
}
