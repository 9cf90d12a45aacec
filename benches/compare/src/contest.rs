//! A task on a data set, and the libraries that take part: each is checked before it is timed.

use crate::data::{DataSet, Found};
use crate::task::{Lane, Task};
use bytes::Bytes;
use std::borrow::Borrow;
use std::error::Error;
use std::hint::black_box;
use tobu_compare::read::Sum;

/// The result of a library's run.
pub type Outcome<T> = Result<T, Box<dyn Error>>;

/// A library in one of its ways.
#[derive(Clone, Copy, Debug)]
pub struct Entrant {
    pub name: &'static str,
    pub ours: bool,
    pub lane: Lane,
}

/// tobu.
pub fn ours(name: &'static str) -> Entrant {
    Entrant { name, ours: true, lane: Lane::First }
}

/// A library that does the same work.
pub fn peer(name: &'static str) -> Entrant {
    Entrant { name, ours: false, lane: Lane::First }
}

impl Entrant {
    /// In the second comparison of the task.
    pub fn second(self) -> Self {
        Entrant { lane: Lane::Second, ..self }
    }

    /// In the third comparison of the task.
    #[cfg(feature = "google")]
    pub fn third(self) -> Self {
        Entrant { lane: Lane::Third, ..self }
    }

    /// Shown, but not compared.
    pub fn beside(self) -> Self {
        Entrant { lane: Lane::Beside, ..self }
    }
}

/// An entrant that is ready: each run is one pass over the data set.
pub struct Contender<'s> {
    pub entrant: Entrant,
    pub run: Box<dyn FnMut() + 's>,
}

/// A remark about a library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Note {
    DropsUnknown,
    SkipsUtf8,
    RoundsFloats,
    Fails,
}

/// The input of decoding.
pub trait Input {
    /// A message with a string that is not UTF-8.
    fn not_utf8(set: &DataSet) -> Option<&Self>;
}

impl Input for Vec<u8> {
    fn not_utf8(set: &DataSet) -> Option<&Self> {
        set.not_utf8.as_ref().map(|(bytes, _)| bytes)
    }
}

impl Input for Bytes {
    fn not_utf8(set: &DataSet) -> Option<&Self> {
        set.not_utf8.as_ref().map(|(_, bytes)| bytes)
    }
}

impl Input for String {
    fn not_utf8(_: &DataSet) -> Option<&Self> {
        None
    }
}

/// A task on a data set.
pub struct Contest<'s> {
    pub task: Task,
    pub set: &'s DataSet,
    pub contenders: Vec<Contender<'s>>,
    pub notes: Vec<(Note, &'static str, String)>,
    /// The sums that the first library computed by reflection.
    sums: Option<Vec<u64>>,
}

/// Something that can take part.
pub trait Library {
    /// Enters the library into a contest with each way that it has for the task.
    fn enter<'s>(&'s self, contest: &mut Contest<'s>) -> Outcome<()>;
}

impl<'s> Contest<'s> {
    pub fn new(task: Task, set: &'s DataSet) -> Self {
        Contest { task, set, contenders: Vec::new(), notes: Vec::new(), sums: None }
    }

    /// Enters a way to turn inputs into messages; `encode` is how the check looks at these.
    pub fn decode<I: Input, M>(
        &mut self,
        entrant: Entrant,
        inputs: &'s [I],
        decode: impl Fn(&'s I) -> Outcome<M> + 's,
        encode: impl Fn(&M) -> Outcome<Vec<u8>>,
    ) -> Outcome<()> {
        for (index, input) in inputs.iter().enumerate() {
            let found =
                decode(input).and_then(|message| Ok(self.set.check_wire(index, &encode(&message)?)?));
            if !self.accept(entrant, found) {
                return Ok(());
            }
        }
        if I::not_utf8(self.set).is_some_and(|input| decode(input).is_ok()) {
            self.note(Note::SkipsUtf8, entrant);
        }
        self.add(entrant, move || {
            for input in inputs {
                black_box(decode(black_box(input)).is_ok());
            }
        });
        Ok(())
    }

    /// Enters a way to decode into a message that was used before.
    pub fn reuse<M: 's>(
        &mut self,
        entrant: Entrant,
        mut message: M,
        decode: impl Fn(&mut M, &'s [u8]) -> Outcome<()> + 's,
        encode: impl Fn(&M) -> Outcome<Vec<u8>>,
    ) -> Outcome<()> {
        let set = self.set;
        for (index, bytes) in set.payloads.iter().enumerate() {
            let found =
                decode(&mut message, bytes).and_then(|()| Ok(set.check_wire(index, &encode(&message)?)?));
            if !self.accept(entrant, found) {
                return Ok(());
            }
        }
        self.add(entrant, move || {
            for bytes in &set.payloads {
                black_box(decode(&mut message, black_box(bytes)).is_ok());
                black_box(&mut message);
            }
        });
        Ok(())
    }

    /// Enters a way to encode messages to new vectors.
    pub fn encode<M: 's>(
        &mut self,
        entrant: Entrant,
        messages: Outcome<Vec<M>>,
        encode: impl Fn(&M) -> Outcome<Vec<u8>> + 's,
    ) -> Outcome<()> {
        let Some(messages) = self.messages(entrant, messages) else { return Ok(()) };
        for (index, message) in messages.iter().enumerate() {
            let found = encode(message).and_then(|bytes| self.check(index, &bytes));
            if !self.accept(entrant, found) {
                return Ok(());
            }
        }
        self.add(entrant, move || {
            for message in &messages {
                let _ = black_box(encode(black_box(message)));
            }
        });
        Ok(())
    }

    /// Enters a way to encode messages, or other inputs, into a vector that was used before.
    pub fn encode_into<M: 's>(
        &mut self,
        entrant: Entrant,
        messages: Outcome<Vec<M>>,
        encode: impl Fn(&M, &mut Vec<u8>) -> Outcome<()> + 's,
    ) -> Outcome<()> {
        let Some(messages) = self.messages(entrant, messages) else { return Ok(()) };
        let mut bytes = Vec::new();
        for (index, message) in messages.iter().enumerate() {
            bytes.clear();
            let found = encode(message, &mut bytes).and_then(|()| self.check(index, &bytes));
            if !self.accept(entrant, found) {
                return Ok(());
            }
        }
        self.add(entrant, move || {
            for message in &messages {
                bytes.clear();
                black_box(encode(black_box(message), &mut bytes).is_ok());
                black_box(&mut bytes);
            }
        });
        Ok(())
    }

    /// Enters a way to visit messages by reflection. What `visit` adds up must be the same for all.
    pub fn visit<M: 's>(
        &mut self,
        entrant: Entrant,
        messages: Outcome<Vec<M>>,
        visit: impl Fn(&M) -> u64 + 's,
    ) -> Outcome<()> {
        let Some(messages) = self.messages(entrant, messages) else { return Ok(()) };
        let sums: Vec<u64> = messages.iter().map(&visit).collect();
        if *self.sums.get_or_insert_with(|| sums.clone()) != sums {
            self.fail(entrant, "it sees other content");
            return Ok(());
        }
        self.add(entrant, move || {
            for message in &messages {
                black_box(visit(black_box(message)));
            }
        });
        Ok(())
    }

    /// Enters a way to decode inputs and to read their fields. What `read` adds up must be the same for all.
    pub fn read<I: Borrow<B>, B: ?Sized + 's>(
        &mut self,
        entrant: Entrant,
        inputs: &'s [I],
        read: impl Fn(&'s B, &mut Sum) -> Outcome<()> + 's,
    ) -> Outcome<()> {
        let mut sums = Vec::new();
        for input in inputs {
            let mut sum = Sum::default();
            if let Err(error) = read(input.borrow(), &mut sum) {
                self.fail(entrant, error);
                return Ok(());
            }
            sums.push(sum.total());
        }
        if *self.sums.get_or_insert_with(|| sums.clone()) != sums {
            self.fail(entrant, "it sees other content");
            return Ok(());
        }
        self.add(entrant, move || {
            let mut sum = Sum::default();
            for input in inputs {
                black_box(read(black_box(input.borrow()), &mut sum).is_ok());
            }
            black_box(sum);
        });
        Ok(())
    }

    /// Enters a way to load descriptor sets; `has` returns whether a message is in the pool.
    pub fn load<P, E: Into<Box<dyn Error>>>(
        &mut self,
        entrant: Entrant,
        load: impl Fn(&'s [u8]) -> Result<P, E> + 's,
        has: impl Fn(&P, &str) -> bool,
    ) -> Outcome<()> {
        let set = self.set;
        for bytes in &set.payloads {
            let pool = match without_panic(|| load(bytes)) {
                Some(Ok(pool)) => pool,
                Some(Err(error)) => {
                    self.fail(entrant, error.into());
                    return Ok(());
                }
                None => {
                    self.fail(entrant, "it panics");
                    return Ok(());
                }
            };
            let all = tobu::Pool::from_descriptor_set(bytes)?;
            for message in all.messages() {
                if !message.is_map_entry() && !has(&pool, message.full_name()) {
                    self.fail(entrant, format!("{} is missing", message.full_name()));
                    return Ok(());
                }
            }
        }
        self.add(entrant, move || {
            for bytes in &set.payloads {
                black_box(load(black_box(bytes)).is_ok());
            }
        });
        Ok(())
    }

    /// Enters anything; the caller has checked it.
    pub fn add(&mut self, entrant: Entrant, run: impl FnMut() + 's) {
        self.contenders.push(Contender { entrant, run: Box::new(run) });
    }

    /// Notes a failure.
    pub fn fail(&mut self, entrant: Entrant, error: impl ToString) {
        self.notes.push((Note::Fails, entrant.name, error.to_string()));
    }

    /// tobu's failure, if any.
    pub fn failure_of_ours(&self) -> Option<&str> {
        let ours = |name: &str| name == "tobu" || name.starts_with("tobu ");
        let mut failures = self.notes.iter().filter(|(note, name, _)| *note == Note::Fails && ours(name));
        failures.next().map(|(_, _, error)| error.as_str())
    }

    fn note(&mut self, note: Note, entrant: Entrant) {
        let note = (note, entrant.name, String::new());
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    fn messages<M>(&mut self, entrant: Entrant, messages: Outcome<Vec<M>>) -> Option<Vec<M>> {
        messages.map_err(|error| self.fail(entrant, error)).ok()
    }

    /// Compares output of the task with the data set.
    fn check(&self, index: usize, output: &[u8]) -> Outcome<Found> {
        match self.task {
            Task::JsonEncode | Task::WireToJson => {
                Ok(self.set.check_json(index, std::str::from_utf8(output)?)?)
            }
            Task::TextEncode => Ok(self.set.check_text(index, output)?),
            _ => Ok(self.set.check_wire(index, output)?),
        }
    }

    /// Whether a result is good enough to continue, with a note on what it lacks.
    fn accept(&mut self, entrant: Entrant, found: Outcome<Found>) -> bool {
        match found {
            Ok(Found::Same) => true,
            Ok(Found::WithoutUnknown) => {
                if !self.task.drops_unknown() {
                    self.note(Note::DropsUnknown, entrant);
                }
                true
            }
            Ok(Found::Rounded) => {
                self.note(Note::RoundsFloats, entrant);
                true
            }
            Ok(Found::Different) => {
                self.fail(entrant, "the content differs");
                false
            }
            Err(error) => {
                self.fail(entrant, error);
                false
            }
        }
    }
}

/// The result of `run`, if it does not panic; the panic's message is not printed.
fn without_panic<T>(run: impl FnOnce() -> T) -> Option<T> {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
    std::panic::set_hook(hook);
    result.ok()
}
