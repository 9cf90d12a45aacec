//! Runs a test over a typed message and over a dynamic one.

use tobu::reflect::{Reflect, Value};
use tobu::{DynamicMessage, Message};

/// Runs `test` on an empty message of type `T`, as it is and as a dynamic message.
#[track_caller]
pub(super) fn both<T: Message + Default + 'static>(test: impl Fn(&mut dyn Reflect)) {
    test(&mut T::default());
    test(&mut DynamicMessage::new(&<T as Message>::descriptor()).unwrap());
}

/// The value of a field, to be compared.
#[track_caller]
pub(super) fn get(message: &dyn Reflect, name: &str) -> Value {
    message.get_by_name(name).unwrap().to_value().unwrap()
}

/// What a message prints as.
pub(super) fn shown(message: &dyn Reflect) -> String {
    format!("{message}")
}

/// The text of the error.
#[track_caller]
pub(super) fn error<T>(result: tobu::Result<T>) -> String {
    match result {
        Ok(_) => panic!("no error"),
        Err(error) => error.to_string(),
    }
}

/// A pool of one file.
pub(super) fn pool(name: &str, source: &str) -> tobu::Pool {
    let dir = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("reflect");
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(dir.join(name), source).unwrap();
    let mut compiler = protox::Compiler::new([&dir]).unwrap();
    compiler.include_imports(true).open_file(name).unwrap();
    tobu::Pool::from_descriptor_set(&compiler.encode_file_descriptor_set()).unwrap()
}
