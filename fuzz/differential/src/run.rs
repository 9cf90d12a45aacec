//! Runs inputs through a peer, and reports.

use crate::arguments::{Arguments, Input};
use crate::compare::{Case, Found, compare};
use crate::exchange::{Format, Question};
use crate::input;
use crate::known;
use crate::peers::Peer;
use crate::rng::Rng;
use crate::schema::Schema;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Inputs of one schema at a time.
const BATCH: u64 = 250;
/// Kinds of findings after which a peer is given up.
const MOST: usize = 20;

/// A difference that no row is about, with what it takes to see it again.
struct Finding {
    schema: u64,
    question: Question,
}

/// Tries inputs; true where nothing was found.
pub fn run(peer: &mut Peer, arguments: &Arguments) -> bool {
    if let Some(input) = &arguments.input {
        return show(peer, input);
    }
    let start = Instant::now();
    let mut tally = Tally::default();
    let mut findings: BTreeMap<String, Finding> = BTreeMap::new();
    let mut rng = Rng::new(arguments.seed);
    while tally.inputs() < arguments.count && findings.len() < MOST {
        let number = rng.next();
        let size = BATCH.min(arguments.count - tally.inputs());
        match batch(peer, &peer.schema(number), size, &mut rng, &mut tally) {
            Ok(found) => {
                for (kind, finding) in found {
                    findings.entry(kind).or_insert(finding);
                }
            }
            Err(error) => {
                println!("{}: {error}", peer.name);
                return false;
            }
        }
    }
    tally.print(peer.name, start.elapsed());
    for (kind, finding) in &findings {
        report(peer, kind, finding);
    }
    findings.is_empty()
}

/// Inputs of one schema, and the differences that are not known.
fn batch(
    peer: &mut Peer,
    schema: &Schema,
    size: u64,
    rng: &mut Rng,
    tally: &mut Tally,
) -> Result<Vec<(String, Finding)>, String> {
    peer.load(schema).map_err(|error| format!("it refuses a schema: {error}\n{}", schema.text()))?;
    let case = |_| Case::new(schema, input::question(schema, peer.formats(), rng));
    let cases: Vec<Case> = (0..size).map(case).collect();
    let questions: Vec<Question> = cases.iter().flat_map(Case::questions).collect();
    let answers = peer.answer(schema, &questions).map_err(|error| {
        let died = deadly(peer, schema, &questions);
        format!("{error}\n{}", died.unwrap_or_else(|| format!("after schema {}", schema.number)))
    })?;
    let (mut answers, mut findings) = (&answers[..], Vec::new());
    for case in cases {
        let (of_this, rest) = answers.split_at(case.questions().count());
        answers = rest;
        tally.count(&case);
        let Some(found) = compare(schema, &case, of_this) else { continue };
        match known::row(peer.name, schema, &case, &found) {
            Some(row) => *tally.known.entry(row).or_default() += 1,
            None => findings.push((found.kind(), Finding { schema: schema.number, question: case.question })),
        }
    }
    Ok(findings)
}

/// The question that a peer does not survive, asked anew one by one.
fn deadly(peer: &mut Peer, schema: &Schema, questions: &[Question]) -> Option<String> {
    *peer = Peer::start(peer.name).ok()?;
    peer.load(schema).ok()?;
    let mut questions = questions.iter();
    let question = questions.find(|question| peer.answer(schema, std::slice::from_ref(question)).is_err())?;
    Some(format!("{}\n{}", arguments_of(peer, schema, question), schema.text()))
}

/// How many inputs there were, and what came of them.
#[derive(Default)]
struct Tally {
    /// By format: those that tobu takes, and those that it refuses.
    inputs: [[u64; 2]; 3],
    /// By row of the table.
    known: BTreeMap<usize, u64>,
}

impl Tally {
    fn count(&mut self, case: &Case) {
        self.inputs[case.question.read as usize][usize::from(case.read.is_err())] += 1;
    }

    fn inputs(&self) -> u64 {
        self.inputs.iter().flatten().sum()
    }

    fn print(&self, peer: &str, taken: Duration) {
        let taken = taken.as_secs_f64();
        println!(
            "{peer}: {} inputs in {taken:.0} s, {:.0} a second",
            self.inputs(),
            self.inputs() as f64 / taken
        );
        for format in Format::ALL {
            let [taken, refused] = self.inputs[format as usize];
            if taken + refused > 0 {
                println!("  {}: {taken} taken, {refused} refused", format.name());
            }
        }
        for (row, known) in known::rows().enumerate() {
            if let Some(count) = self.known.get(&row) {
                println!("  {count} times known: {}\n    {}", known.what, known.reason);
            }
        }
    }
}

/// The difference that an input shows, if it is not known.
fn ask(peer: &mut Peer, schema: &Schema, question: Question) -> Option<Found> {
    let case = Case::new(schema, question);
    let questions: Vec<Question> = case.questions().collect();
    let answers = peer.answer(schema, &questions).ok()?;
    let found = compare(schema, &case, &answers)?;
    if known::row(peer.name, schema, &case, &found).is_none() { Some(found) } else { None }
}

/// Prints a difference with the smallest input that shows it.
fn report(peer: &mut Peer, kind: &str, finding: &Finding) {
    let schema = peer.schema(finding.schema);
    let mut question = finding.question.clone();
    if peer.load(&schema).is_err() {
        return;
    }
    smaller(peer, &schema, &mut question, kind);
    println!("\n-- {}: {kind}", peer.name);
    describe(peer, &schema, &question);
    println!("{}", schema.text());
}

/// The arguments that show an input again.
fn arguments_of(peer: &Peer, schema: &Schema, question: &Question) -> String {
    let Question { message, read, write, input } = question;
    format!(
        "--peer {} --schema {} --message {} --read {} --write {} --input {}",
        peer.name,
        schema.number,
        schema.messages[*message].full_name(),
        read.name(),
        write.name(),
        hex(input)
    )
}

/// Prints an input and what both make of it.
fn describe(peer: &mut Peer, schema: &Schema, question: &Question) {
    println!("{}", arguments_of(peer, schema, question));
    if question.read != Format::Wire {
        println!("{}", String::from_utf8_lossy(&question.input));
    }
    let case = Case::new(schema, question.clone());
    let questions: Vec<Question> = case.questions().collect();
    let answers = peer.answer(schema, &questions).unwrap_or_else(|error| vec![Err(error)]);
    let written = case.written.as_ref().map(|bytes| String::from_utf8_lossy(bytes));
    println!("tobu: {:?}\n  writes {written:?}", case.read);
    for (answer, name) in answers.iter().zip(["", " of what tobu has written"]) {
        match answer {
            Ok(message) => {
                let written = message.written.as_ref().map(|bytes| String::from_utf8_lossy(bytes));
                println!("{}{name}: {}\n  writes {written:?}", peer.name, hex(&message.wire));
            }
            Err(error) => println!("{}{name}: {error}", peer.name),
        }
    }
    if let Some(found) = ask(peer, schema, question.clone()) {
        println!("{:?} of {}", found.check, found.format.name());
        if let Some((ours, theirs)) = found.contents {
            println!("  tobu {}\n  {} {}", hex(&ours), peer.name, hex(&theirs));
        }
    }
}

/// Takes out of an input what is not needed to show the same kind of difference, for some seconds.
fn smaller(peer: &mut Peer, schema: &Schema, question: &mut Question, kind: &str) {
    let start = Instant::now();
    let mut len = question.input.len().div_ceil(2);
    while len > 0 {
        let (mut at, before) = (0, question.input.len());
        while at < question.input.len() && start.elapsed() < Duration::from_secs(1) {
            let mut candidate = question.clone();
            candidate.input.drain(at..before.min(at + len).min(question.input.len()));
            match ask(peer, schema, candidate.clone()) {
                Some(found) if found.kind() == kind => *question = candidate,
                _ => at += len,
            }
        }
        if len > 1 || question.input.len() == before {
            len /= 2;
        }
    }
}

/// Shows one input; true where it is no finding.
fn show(peer: &mut Peer, input: &Input) -> bool {
    let schema = peer.schema(input.schema);
    let index = schema.messages.iter().position(|message| message.full_name() == input.message);
    let question = Question {
        message: index.unwrap_or(0),
        read: input.read.unwrap_or(Format::Wire),
        write: input.write.unwrap_or(Format::Wire),
        input: input.bytes.clone(),
    };
    if let Err(error) = peer.load(&schema) {
        println!("it refuses the schema: {error}");
        return false;
    }
    println!("{}", schema.text());
    describe(peer, &schema, &question);
    ask(peer, &schema, question).is_none()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
