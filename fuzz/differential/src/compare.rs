//! What must be alike, and what is found where it is not.

use crate::exchange::{Answer, Format, Question};
use crate::ours;
use crate::schema::Schema;
use tobu::DynamicMessage;

/// An input and what tobu makes of it.
pub struct Case {
    pub question: Question,
    pub read: Result<DynamicMessage, String>,
    /// In the format that is wanted; an error, too, where the input is refused.
    pub written: Result<Vec<u8>, String>,
}

impl Case {
    pub fn new(schema: &Schema, question: Question) -> Self {
        let read = ours::read(schema, question.message, question.read, &question.input);
        let written = match &read {
            Ok(message) => ours::write(schema, message, question.write),
            Err(_) => Err(String::new()),
        };
        Case { question, read, written }
    }

    /// What the peer is asked: the input, and what tobu has written.
    pub fn questions(&self) -> impl Iterator<Item = Question> {
        let Question { message, write, .. } = self.question;
        let written = self.written.iter();
        let second = written.map(move |input| Question {
            message,
            read: write,
            write: Format::Wire,
            input: input.clone(),
        });
        std::iter::once(self.question.clone()).chain(second)
    }
}

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Check {
    /// Both take the input, or neither does.
    Accept,
    /// Both understand the same by it.
    Content,
    /// Both can write it in the other format, or neither can.
    Write,
    /// tobu takes what the peer has written, and understands the same.
    Theirs,
    /// The peer takes what tobu has written, and understands the same.
    Ours,
}

/// A difference.
#[derive(Clone, Debug)]
pub struct Found {
    pub check: Check,
    /// Of what is read or written.
    pub format: Format,
    /// What was read.
    pub input: Vec<u8>,
    /// Why tobu refuses, where the peer does not.
    pub we_refuse: Option<String>,
    /// Why the peer refuses, where tobu does not.
    pub they_refuse: Option<String>,
    /// What both understand, as canonical bytes of the flat message; tobu's first.
    pub contents: Option<(Vec<u8>, Vec<u8>)>,
}

impl Found {
    /// The same for inputs that differ for one reason: without numbers and names.
    pub fn kind(&self) -> String {
        let plain = |text: &Option<String>| {
            let text = text.as_deref().unwrap_or_default().to_owned();
            let text = text.split_once(": ").map_or(text.as_str(), |(_, text)| text);
            text.chars()
                .filter(|char| char.is_ascii_alphabetic() || " :`".contains(*char))
                .take(40)
                .collect::<String>()
        };
        format!(
            "{:?} {:?} {} / {}",
            self.check,
            self.format,
            plain(&self.we_refuse),
            plain(&self.they_refuse)
        )
    }
}

/// The first difference between tobu and the answers to [`Case::questions`].
pub fn compare(schema: &Schema, case: &Case, answers: &[Answer]) -> Option<Found> {
    let Question { message, read, write, ref input } = case.question;
    let mut flat = &schema.flat[message];
    let found = |check, format, input: &[u8]| Found {
        check,
        format,
        input: input.to_vec(),
        we_refuse: None,
        they_refuse: None,
        contents: None,
    };
    let accept = found(Check::Accept, read, input);
    let (ours, theirs) = match (&case.read, &answers[0]) {
        (Err(_), Err(_)) => return None,
        (Ok(_), Err(error)) => return Some(Found { they_refuse: Some(error.clone()), ..accept }),
        (Err(error), Ok(_)) => return Some(Found { we_refuse: Some(error.clone()), ..accept }),
        (Ok(ours), Ok(theirs)) => (ours, theirs),
    };

    let content = found(Check::Content, read, input);
    let wire = match ours::write(schema, ours, Format::Wire) {
        Ok(wire) => wire,
        Err(error) => return Some(Found { we_refuse: Some(error), ..content }),
    };
    // In the flat schema, so that extensions are compared like fields, but where they are not valid.
    if ours::canonical(flat, &wire).is_err() {
        flat = &schema.messages[message];
    }
    let canonical = |wire: &[u8]| ours::canonical(flat, wire);
    let expected = match canonical(&wire) {
        Ok(bytes) => bytes,
        Err(error) => return Some(Found { we_refuse: Some(error), ..content }),
    };
    match canonical(&theirs.wire) {
        Ok(bytes) if bytes == expected => {}
        Ok(bytes) if read != Format::Wire && ours::similar(schema, flat, &expected, &bytes) => {}
        Ok(bytes) => return Some(Found { contents: Some((expected, bytes)), ..content }),
        Err(error) => return Some(Found { we_refuse: Some(error), ..content }),
    }

    let same = |bytes: &[u8]| match write {
        Format::Wire => bytes == expected,
        _ => ours::similar(schema, flat, &expected, bytes),
    };
    let writes = found(Check::Write, write, &wire);
    let written = match (&case.written, &theirs.written) {
        (Err(_), Err(_)) => return None,
        (Ok(_), Err(error)) => return Some(Found { they_refuse: Some(error.clone()), ..writes }),
        (Err(error), Ok(_)) => return Some(Found { we_refuse: Some(error.clone()), ..writes }),
        (Ok(_), Ok(written)) => written,
    };
    if write != Format::Wire {
        let back = found(Check::Theirs, write, written);
        let again = ours::read(schema, message, write, written);
        let again = again.and_then(|message| ours::write(schema, &message, Format::Wire));
        match again.and_then(|wire| canonical(&wire)) {
            Ok(bytes) if same(&bytes) => {}
            Ok(bytes) => return Some(Found { contents: Some((expected, bytes)), ..back }),
            Err(error) => return Some(Found { we_refuse: Some(error), ..back }),
        }
    }
    let back = found(Check::Ours, write, case.written.as_ref().map_or(&[], Vec::as_slice));
    match &answers[1] {
        Err(error) => Some(Found { they_refuse: Some(error.clone()), ..back }),
        Ok(theirs) => match canonical(&theirs.wire) {
            Ok(bytes) if same(&bytes) => None,
            Ok(bytes) => Some(Found { contents: Some((expected, bytes)), ..back }),
            Err(error) => Some(Found { we_refuse: Some(error), ..back }),
        },
    }
}
