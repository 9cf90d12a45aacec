//! The effects of writing messages by one descriptor and reading them by another.

mod difference;
mod enums;
mod fields;
mod types;

use super::MessageDescriptor;
use difference::Walk;
pub use difference::{Difference, Severity};

/// Compares the writer's descriptor of a message with the reader's, and all types that they refer to. Returns the
/// differences in the order of the writer's fields.
///
/// Two types are compared once, however often they meet, and not at all if their differences follow from others: where the
/// reader has one type for two of the writer's, and one of these was compared with a second one, too. So the time is linear
/// in the size of both schemas. Extensions are not compared.
///
/// Specification: <https://protobuf.dev/programming-guides/proto3/#updating>.
///
/// ```
/// use tobu::Message;
/// use tobu::descriptor::{Severity, compare};
///
/// #[derive(Message)]
/// #[tobu(package = "library.v1", name = "Loan")]
/// struct Old {
///     #[tobu(1)]
///     title: String,
///     #[tobu(2)]
///     days: u64,
/// }
///
/// #[derive(Message)]
/// #[tobu(package = "library.v2", name = "Loan")]
/// struct New {
///     #[tobu(1)]
///     title: String,
///     #[tobu(2)]
///     days: u32,
/// }
///
/// let differences = compare(&Old::descriptor(), &New::descriptor());
/// assert_eq!(differences[0].to_string(), "library.v1.Loan: the reader calls it library.v2.Loan");
/// assert_eq!(differences[1].severity(), Severity::Lossy);
/// assert_eq!(
///     differences[1].to_string(),
///     "library.v1.Loan.days: is uint64, but uint32 for the reader: numbers that do not fit are changed"
/// );
/// ```
pub fn compare(writer: &MessageDescriptor, reader: &MessageDescriptor) -> Vec<Difference> {
    let mut walk = Walk::new(Severity::Note, usize::MAX);
    run(&mut walk, writer, reader);
    walk.found
}

/// The first difference for which messages cannot be read.
pub fn find_breaking(writer: &MessageDescriptor, reader: &MessageDescriptor) -> Option<String> {
    let mut walk = Walk::new(Severity::Breaking, 1);
    run(&mut walk, writer, reader);
    walk.found.first().map(Difference::to_string)
}

/// Compares all pairs that can be reached from one.
fn run(walk: &mut Walk, writer: &MessageDescriptor, reader: &MessageDescriptor) {
    walk.messages.add(writer, reader);
    while walk.found.len() < walk.most {
        if let Some((writer, reader)) = walk.enums.next() {
            enums::compare(walk, &writer, &reader);
        } else if let Some((writer, reader)) = walk.messages.next() {
            fields::compare(walk, &writer, &reader);
        } else {
            break;
        }
    }
}
