//! A task on a data set, and the libraries that take part: each is checked before it is timed.

use crate::data::{DataSet, Found};
use crate::task::{Lane, Task};
use std::error::Error;
use std::hint::black_box;

/// What a library may fail with.
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

/// What has to be said about a library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Note {
    DropsUnknown,
    SkipsUtf8,
    Fails,
}

/// A task on a data set.
pub struct Contest<'s> {
    pub task: Task,
    pub set: &'s DataSet,
    pub contenders: Vec<Contender<'s>>,
    pub notes: Vec<(Note, &'static str, String)>,
}

/// Something that can take part.
pub trait Library {
    /// Enters the library into a contest with each way that it has for the task.
    fn enter<'s>(&'s self, contest: &mut Contest<'s>) -> Outcome<()>;
}

impl<'s> Contest<'s> {
    pub fn new(task: Task, set: &'s DataSet) -> Self {
        Contest { task, set, contenders: Vec::new(), notes: Vec::new() }
    }

    /// Enters a way to turn inputs into messages; `encode` is how the check looks at these.
    pub fn decode<I, M>(
        &mut self,
        entrant: Entrant,
        inputs: &'s [I],
        decode: impl Fn(&'s I) -> Outcome<M> + 's,
        encode: impl Fn(&M) -> Outcome<Vec<u8>>,
    ) -> Outcome<()> {
        for (index, input) in inputs.iter().enumerate() {
            let found = decode(input).and_then(|message| Ok(self.set.check_wire(index, &encode(&message)?)?));
            if !self.accept(entrant, found) {
                return Ok(());
            }
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

    /// Enters anything; the caller has checked it.
    pub fn add(&mut self, entrant: Entrant, run: impl FnMut() + 's) {
        self.contenders.push(Contender { entrant, run: Box::new(run) });
    }

    /// Notes a failure.
    pub fn fail(&mut self, entrant: Entrant, error: impl ToString) {
        self.notes.push((Note::Fails, entrant.name, error.to_string()));
    }

    fn messages<M>(&mut self, entrant: Entrant, messages: Outcome<Vec<M>>) -> Option<Vec<M>> {
        messages.map_err(|error| self.fail(entrant, error)).ok()
    }

    /// Compares output of the task with the data set.
    fn check(&self, index: usize, output: &[u8]) -> Outcome<Found> {
        match self.task {
            Task::JsonEncode | Task::WireToJson => Ok(self.set.check_json(index, std::str::from_utf8(output)?)?),
            _ => Ok(self.set.check_wire(index, output)?),
        }
    }

    /// Whether a result is good enough to go on, with a note on what it lacks.
    fn accept(&mut self, entrant: Entrant, found: Outcome<Found>) -> bool {
        // JSON has no unknown fields.
        let json = matches!(self.task, Task::JsonEncode | Task::JsonDecode | Task::WireToJson | Task::JsonToWire);
        match found {
            Ok(Found::Same) => true,
            Ok(Found::WithoutUnknown) => {
                let note = (Note::DropsUnknown, entrant.name, String::new());
                if !json && !self.notes.contains(&note) {
                    self.notes.push(note);
                }
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
