//! Properties that must hold for every input.

use crate::counting;
use crate::known::is_known;
use crate::subject::Subject;
use tobu::{Category, DecodeOptions, DynamicMessage, EncodeOptions, Error, Limits, MessageDescriptor};

/// The result of a way of reading: the deterministic bytes of the message, or an error.
pub type Outcome = Result<Vec<u8>, Error>;

/// The bytes of a message with map keys in order, whether required fields are there or not.
pub fn canonical(message: &DynamicMessage) -> Vec<u8> {
    let options = EncodeOptions::new().deterministic(true).partial(true);
    options.to_vec(message).expect("what was read can be written")
}

/// Decodes into a dynamic message.
pub fn dynamic(descriptor: &MessageDescriptor, wire: &[u8], options: &DecodeOptions) -> Outcome {
    DynamicMessage::decode_with(descriptor, wire, *options).map(|message| canonical(&message))
}

/// How alike two errors must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alike {
    /// Of the same category.
    Category,
    /// The same, with the same words about the same field where they are about the same position.
    Text,
}

/// Two ways of reading agree on accepting the input, on its content, and on its error.
#[track_caller]
pub fn agree<T: PartialEq + std::fmt::Debug>(
    subject: &Subject,
    names: (&str, &str),
    one: &Result<T, Error>,
    other: &Result<T, Error>,
    alike: Alike,
) {
    let (first, second) = names;
    match (one, other) {
        (Ok(one), Ok(other)) => {
            assert!(
                one == other,
                "{first} and {second} differ in content of {subject:?}\n{one:02x?}\n{other:02x?}"
            );
        }
        (_, Err(error)) if is_known(subject, error) => {}
        (Err(one), Err(other)) => {
            // Of several errors one way may report a length that is too large, another malformed bytes before
            // it.
            let broken = |error: &Error| matches!(error.category(), Category::Malformed | Category::Limit);
            let several = one.position() != other.position() && broken(one) && broken(other);
            let same = (several || one.category() == other.category())
                && (alike == Alike::Category
                    || one.position() != other.position()
                    || words(one) == words(other) && one.path().eq(other.path()));
            assert!(same, "{first} and {second} differ in their errors of {subject:?}\n{one}\n{other}");
        }
        (Ok(_), Err(error)) => panic!("only {second} refuses after {first} {subject:?}: {error}"),
        (Err(error), Ok(_)) => panic!("only {first} refuses before {second} {subject:?}: {error}"),
    }
}

/// The text of an error without the names of types, whose packages differ between schemas.
fn words(error: &Error) -> String {
    let text = error.message();
    let names = ["corpus.v", "derived.v", "plain.v"];
    let words = text.split(' ').filter(|word| !names.iter().any(|name| word.contains(name)));
    words.collect::<Vec<_>>().join(" ")
}

/// Runs a reader of `input` bytes under the default limits, and checks its peak memory.
#[track_caller]
pub fn bounded<T>(name: &str, input: usize, read: impl FnOnce() -> T) -> T {
    within(name, input, Limits::default().max_memory(input as u64) as usize, read)
}

/// The same for results without a budget, because their size is that of the input.
#[track_caller]
pub fn lean<T>(name: &str, input: usize, read: impl FnOnce() -> T) -> T {
    within(name, input, 0, read)
}

/// A budget that inputs of some kilobytes can go past.
pub const BUDGET: usize = 256 << 10;

/// The limits with that budget.
pub fn tight() -> Limits {
    Limits::default().memory(BUDGET as u64)
}

/// The same under [`tight`] limits. A list with one element has room for four, and is copied when it grows.
#[track_caller]
pub fn bounded_tightly<T>(name: &str, input: usize, read: impl FnOnce() -> T) -> T {
    within(name, input, 4 * BUDGET, read)
}

#[track_caller]
fn within<T>(name: &str, input: usize, budget: usize, read: impl FnOnce() -> T) -> T {
    let (held, done) = counting::peak(read);
    let most = budget + 32 * input + (1 << 20);
    assert!(held <= most, "{name} held {held} bytes for an input of {input}, not {most}");
    done
}

/// Runs on a stack of this many KiB; without optimization on a larger one, since frames are many times
/// as large.
pub fn on_stack<T: Send>(kib: usize, run: impl FnOnce() -> T + Send) -> T {
    let kib = if env!("TOBU_FUZZ_PROFILE") == "release" { kib } else { 32 * kib };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(kib << 10);
        match thread.spawn_scoped(scope, run).expect("a thread").join() {
            Ok(done) => done,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// Makes sure that a text is the same after a way there and back, of which a function gives the JSON and the text.
///
/// A number of `NullValue` other than 0 becomes 0 in JSON, which need not be printed (`known::LOST`): but once.
pub fn stays(text: &[u8], there_and_back: impl Fn(&[u8]) -> (Vec<u8>, Vec<u8>)) {
    let (json, again) = there_and_back(text);
    let shown = || (String::from_utf8_lossy(text), String::from_utf8_lossy(&again));
    if again != text {
        assert!(json.windows(4).any(|word| word == b"null"), "there and back: {:?}", shown());
        assert!(there_and_back(&again).1 == again, "there and back twice: {:?}", shown());
    }
}
