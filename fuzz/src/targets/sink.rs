//! Selected fields given to a sink, which puts them together to a message again.

#[path = "../../../tests/properties/rebuild.rs"]
mod rebuild;

use crate::mutate::Syntax;
use crate::oracle::{Alike, agree, bounded, canonical};
use crate::subject::Case;
use rebuild::Rebuild;
use tobu::sink::Plan;
use tobu::{MessageDescriptor, MessageDescriptorExt};

/// What a sink is given is what a projection to the same fields decodes, and so are the errors.
pub(super) fn sink(data: &[u8]) {
    let Some(case) = Case::of(data, Syntax::Wire) else { return };
    let (subject, wire) = (&*case, case.payload());
    let (mut paths, mut mask) = (Vec::new(), Vec::new());
    for which in 0..1 + u32::from(case.flags % 3) {
        let choice = u32::from(case.flags) * 31 + which * 7;
        add_path(&subject.descriptor, choice, &mut paths, &mut mask);
    }
    paths.sort();
    paths.dedup();
    let plan = Plan::new(&subject.descriptor, &paths).expect("the paths are of the schema");
    let mut sink = Rebuild::new(&plan);
    let read = bounded("sink", wire.len(), || plan.read(wire, &mut sink));
    if sink.has_odd_key {
        return;
    }
    let rebuilt = read.map(|is_whole| {
        assert!(is_whole, "nobody stopped it");
        canonical(&sink.finish())
    });
    let projection = subject.descriptor.project(&mask).expect("the paths are of the schema");
    let projected = projection.decode(wire).map(|message: tobu::DynamicMessage| canonical(&message));
    agree(subject, ("projected", "given to a sink"), &projected, &rebuilt, Alike::Text);
}

/// Adds the path to a field without messages, by a number, with all that lead to it; and the same to a mask.
fn add_path(
    descriptor: &MessageDescriptor,
    mut choice: u32,
    paths: &mut Vec<String>,
    mask: &mut Vec<String>,
) {
    let (mut path, mut masked, mut leads) = (String::new(), Vec::new(), Vec::new());
    let mut within = descriptor.clone();
    while within.fields().len() > 0 && masked.len() < 5 {
        let field = within.fields().nth(choice as usize % within.fields().len()).expect("it is one of them");
        choice = choice.wrapping_mul(0x9e37_79b9).rotate_left(7);
        let (dot, brackets) = (
            if path.is_empty() { "" } else { "." },
            if field.is_list() || field.is_map() { "[]" } else { "" },
        );
        path = format!("{path}{dot}{}{brackets}", field.name());
        masked.push(field.name().to_owned());
        leads.push(path.clone());
        let inside = match field.map_value() {
            Some(value) => {
                leads.push(format!("{path}.key"));
                path.push_str(".value");
                leads.push(path.clone());
                value.message_type()
            }
            None => field.message_type(),
        };
        match inside {
            // Those with a form of their own are projected as a whole.
            Some(inside) if inside.full_name().starts_with("google.protobuf.") => return,
            Some(inside) => within = inside,
            None => {
                paths.append(&mut leads);
                mask.push(masked.join("."));
                return;
            }
        }
    }
}
