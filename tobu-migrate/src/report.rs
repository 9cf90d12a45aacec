//! Reports what was rewritten, what was not rewritten, and why.

use std::fmt;

use super::script::Note;

/// How certain it is that a rewrite keeps the meaning of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// The type of the message is known, and the program keeps its meaning.
    #[default]
    Green,
    /// The program most likely keeps its meaning. For example, the type is inferred from the name of a member, because only
    /// messages have a member of this name, or a `&String` becomes a `&str` and the type that the other code expects is
    /// unknown.
    Yellow,
    /// A borrow or a move changes: a member is moved out of a message, or it is borrowed while the program uses
    /// another member. If this is not allowed, the compiler reports the place.
    Red,
}

/// An occurrence of a member, or a call of a build script, that was not changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    /// The line of the occurrence, counted from 1.
    pub line: usize,
    /// The column of the occurrence in characters, counted from 1.
    pub column: usize,
    /// The level at which the occurrence would be rewritten; `None` if a person must change it.
    pub level: Option<Level>,
    /// The reason why the occurrence was not rewritten.
    pub reason: String,
}

/// The outcome for one file.
#[derive(Clone, Debug, Default)]
pub(super) struct Report {
    /// The number of rewritten occurrences by level.
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

/// Prints `12:5: yellow: the reason`.
impl fmt::Display for Left {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: ", self.line, self.column)?;
        match self.level {
            Some(level) => write!(f, "{level}: {}", self.reason),
            None => write!(f, "by hand: {}", self.reason),
        }
    }
}
