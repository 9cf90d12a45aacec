//! What was rewritten, and what was left and why.

use std::fmt;

use super::script::Note;

/// How sure a rewrite is to keep the meaning of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// The type is known, and the program does the same.
    #[default]
    Green,
    /// The program most likely does the same: the type is guessed from the name of a member that only messages have, or
    /// a `&String` becomes a `&str` where the other side is not known.
    Yellow,
    /// What is borrowed or moved changes: a member is moved out of a message, or borrowed while another one is used. The
    /// compiler says where that does not work.
    Red,
}

/// An occurrence of a member, or a call of a build script, that is as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
    /// The level at which it would be rewritten; nothing where that is for a person.
    pub level: Option<Level>,
    /// Why it was left.
    pub reason: String,
}

/// What was done in one file.
#[derive(Clone, Debug, Default)]
pub(super) struct Report {
    /// How many occurrences were rewritten, by level.
    pub(super) rewritten: [usize; 3],
    pub(super) left: Vec<Left>,
    pub(super) notes: Vec<Note>,
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Level::Green => "green",
            Level::Yellow => "yellow",
            Level::Red => "red",
        })
    }
}

/// `12:5: yellow: the reason`.
impl fmt::Display for Left {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: ", self.line, self.column)?;
        match self.level {
            Some(level) => write!(f, "{level}: {}", self.reason),
            None => write!(f, "by hand: {}", self.reason),
        }
    }
}
