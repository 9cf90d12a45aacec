//! Those that tobu is held against.

mod buffa;
mod process;
mod prost;

use crate::exchange::{Answer, Format, Question};
use crate::random::Syntax;
use crate::schema::{COMPILED, Schema};
use process::Process;

/// The names by which they are chosen.
pub const NAMES: [&str; 4] = ["upb", "go", "prost", "buffa"];

/// Another library.
pub struct Peer {
    pub name: &'static str,
    kind: Kind,
}

enum Kind {
    Process(Process),
    Prost,
    Buffa,
}

impl Peer {
    /// Starts a peer, or says what it lacks.
    pub fn start(name: &'static str) -> Result<Self, String> {
        let kind = match name {
            "upb" => Kind::Process(Process::upb()?),
            "go" => Kind::Process(Process::go()?),
            "prost" => Kind::Prost,
            _ => {
                buffa::register();
                Kind::Buffa
            }
        };
        Ok(Peer { name, kind })
    }

    /// What it reads and writes.
    pub fn formats(&self) -> &'static [Format] {
        match self.kind {
            Kind::Prost => &[Format::Wire],
            _ => &Format::ALL,
        }
    }

    /// The schema of this number: any one, or one whose types are compiled.
    pub fn schema(&self, number: u64) -> Schema {
        match self.kind {
            Kind::Process(_) => Schema::random(number),
            Kind::Buffa => Schema::compiled(number % COMPILED),
            Kind::Prost => {
                // It does not know editions.
                let schema = Schema::compiled(number % COMPILED);
                if schema.syntax() == Syntax::Edition2023 {
                    self.schema(number % COMPILED - 1)
                } else {
                    schema
                }
            }
        }
    }

    /// Makes a schema that of the questions that follow.
    pub fn load(&mut self, schema: &Schema) -> Result<(), String> {
        match &mut self.kind {
            Kind::Process(process) => process.load(schema),
            Kind::Prost | Kind::Buffa => Ok(()),
        }
    }

    /// Answers questions of the schema that was loaded; an error where it is not there any more.
    pub fn answer(&mut self, schema: &Schema, questions: &[Question]) -> Result<Vec<Answer>, String> {
        match &mut self.kind {
            Kind::Process(process) => process.answer(questions),
            Kind::Prost => Ok(questions.iter().map(|question| prost::answer(schema, question)).collect()),
            Kind::Buffa => Ok(questions.iter().map(|question| buffa::answer(schema, question)).collect()),
        }
    }
}

/// Runs code of a peer, whose panic is an answer, too.
fn guarded(run: impl FnOnce() -> Answer) -> Answer {
    let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
    done.unwrap_or_else(|panic| {
        let said = panic.downcast_ref::<String>().map(String::as_str);
        Err(format!("panic: {}", said.or(panic.downcast_ref::<&str>().copied()).unwrap_or_default()))
    })
}
