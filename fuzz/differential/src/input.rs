//! Random inputs: messages in each format, as they are and changed.

use crate::entropy::Entropy;
use crate::exchange::{Format, Question};
use crate::mutate::{Syntax, mutate};
use crate::rng::Rng;
use crate::schema::Schema;
use crate::wire::{self, Form};
use crate::{settings, tree};
use tobu::DynamicMessage;

/// An input for one of a schema's messages, in some of these formats.
pub fn question(schema: &Schema, formats: &[Format], rng: &mut Rng) -> Question {
    let message = rng.below(schema.messages.len());
    let (read, write) = (*rng.pick(formats), *rng.pick(formats));
    let mut input = valid(schema, message, read, rng);
    if !rng.chance(3) {
        let syntax = match read {
            Format::Wire => Syntax::Wire,
            Format::Json => Syntax::Json,
            Format::Text => Syntax::Text,
        };
        let other = valid(schema, message, read, rng);
        mutate(syntax, 0, &mut input, &other, rng);
    }
    Question { message, read, write, input }
}

fn valid(schema: &Schema, message: usize, format: Format, rng: &mut Rng) -> Vec<u8> {
    // Some messages of well-known types have no JSON.
    for _ in 0..4 {
        let wire = encoded(schema, message, rng);
        let read = || DynamicMessage::decode(&schema.messages[message], &wire);
        let text = match format {
            Format::Wire => return wire,
            Format::Json => {
                read().and_then(|message| settings::json(rng).pool(&schema.pool).to_vec(&message))
            }
            Format::Text => {
                read().and_then(|message| settings::text(rng).pool(&schema.pool).to_vec(&message))
            }
        };
        if let Ok(text) = text {
            return text;
        }
    }
    Vec::new()
}

/// A message in any form that means the same, with extensions.
fn encoded(schema: &Schema, message: usize, rng: &mut Rng) -> Vec<u8> {
    let message = &schema.messages[message];
    let most = *rng.pick(&[20, 60, 200, 400]);
    let (content, form) = (rng.bytes(most), rng.bytes(300));
    let (mut content, form) = (Entropy::new(&content), Entropy::new(&form));
    let mut form = if rng.chance(3) { Form::Plain } else { Form::Scrambled(form) };
    let mut extensions = Vec::new();
    for extension in schema.pool.extensions_of(message) {
        if rng.chance(2)
            && let Some(value) = tree::field(&extension, &mut content, 3)
        {
            extensions.extend(wire::field(&extension, &value, &mut form).concat());
        }
    }
    let mut bytes = wire::encode(message, &tree::message(message, &mut content, 4), &mut form);
    bytes.extend(extensions);
    bytes
}
