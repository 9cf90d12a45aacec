//! prost, by the types that it generated: the wire format alone.

use super::guarded;
use crate::exchange::{Answer, Message, Question};
use crate::schema::Schema;

include!(concat!(env!("OUT_DIR"), "/prost/types.rs"));
include!(concat!(env!("OUT_DIR"), "/prost/find.rs"));

pub(super) fn answer(schema: &Schema, question: &Question) -> Answer {
    let name = schema.messages[question.message].full_name();
    let read = find(name).ok_or_else(|| format!("there is no type of {name}"))?;
    guarded(|| read(&question.input))
}

fn read<M: prost::Message + Default>(input: &[u8]) -> Answer {
    let message = M::decode(input).map_err(|error| error.to_string())?;
    Ok(Message { wire: message.encode_to_vec(), written: Ok(Vec::new()) })
}
