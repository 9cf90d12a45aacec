//! What peers are asked and what they answer, also as bytes for those that are other programs.
//!
//! A frame is a length (u32, little endian) and so many bytes; what has a length in a frame has it in the same form. A
//! schema is `0`, the number of messages (u32), their names with lengths, and a descriptor set; the answer is empty or says
//! why it is refused. Questions are `1` and one after the other: message, format to read, format to write, a byte each, and
//! the input with its length. Each answer is `0` and an error, or `1`, the wire bytes, and what was written in the same form.

use crate::schema::Schema;

/// What a message is read from or written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Wire,
    Json,
    Text,
}

impl Format {
    pub const ALL: [Format; 3] = [Format::Wire, Format::Json, Format::Text];

    pub fn name(self) -> &'static str {
        ["wire", "json", "text"][self as usize]
    }
}

/// An input to be read, and the format in which the message is wanted back.
#[derive(Clone, Debug)]
pub struct Question {
    /// The index of its type in [`Schema::messages`].
    pub message: usize,
    pub read: Format,
    pub write: Format,
    pub input: Vec<u8>,
}

/// What became of an input, or why it is refused.
pub type Answer = Result<Message, String>;

/// A message that a peer has read.
#[derive(Clone, Debug)]
pub struct Message {
    pub wire: Vec<u8>,
    /// In the format that was wanted; empty where that is the wire format.
    pub written: Result<Vec<u8>, String>,
}

/// The frame of a schema, without its length.
pub fn schema_frame(schema: &Schema) -> Vec<u8> {
    let mut frame = vec![0];
    frame.extend((schema.messages.len() as u32).to_le_bytes());
    for message in &schema.messages {
        push(&mut frame, message.full_name().as_bytes());
    }
    frame.extend(schema.pool.to_descriptor_set());
    frame
}

/// The frame of questions, without its length.
pub fn question_frame(questions: &[Question]) -> Vec<u8> {
    let mut frame = vec![1];
    for question in questions {
        frame.extend([question.message as u8, question.read as u8, question.write as u8]);
        push(&mut frame, &question.input);
    }
    frame
}

/// The answers of a frame; `None` of one that is not in their form.
pub fn answers(frame: &[u8]) -> Option<Vec<Answer>> {
    let mut rest = frame;
    let mut answers = Vec::new();
    while !rest.is_empty() {
        answers.push(match outcome(&mut rest)? {
            Ok(wire) => Ok(Message { wire, written: outcome(&mut rest)? }),
            Err(error) => Err(error),
        });
    }
    Some(answers)
}

fn outcome(rest: &mut &[u8]) -> Option<Result<Vec<u8>, String>> {
    let (&accepted, after) = rest.split_first()?;
    let (len, after) = after.split_first_chunk()?;
    let (bytes, after) = after.split_at_checked(u32::from_le_bytes(*len) as usize)?;
    *rest = after;
    Some(if accepted == 1 { Ok(bytes.to_vec()) } else { Err(String::from_utf8_lossy(bytes).into_owned()) })
}

fn push(frame: &mut Vec<u8>, bytes: &[u8]) {
    frame.extend((bytes.len() as u32).to_le_bytes());
    frame.extend(bytes);
}
