//! The order in which files that import each other can be linked.

use std::collections::HashMap;

use bytes::Bytes;

use super::super::errors::error_at;
use super::super::list::each;
use super::super::names::printable;
use super::super::raw::shallow::Header;
use crate::error::{Error, Result};

/// The order that puts imports first, otherwise as given; with an explicit stack, since imports may be deep.
pub(super) fn order(files: &[(Header<'_>, &Bytes)]) -> Result<Vec<usize>> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut by_name = HashMap::with_capacity(files.len());
    for (i, (header, _)) in files.iter().enumerate() {
        by_name.insert(header.name.unwrap_or_default(), i);
    }
    let imports = |i: usize| files[i].0.imports.iter();
    let mut state = vec![State::New; files.len()];
    let mut order = Vec::with_capacity(files.len());
    for root in 0..files.len() {
        if state[root] != State::New {
            continue;
        }
        state[root] = State::Open;
        let mut open = vec![(root, imports(root))];
        while let Some((file, rest)) = open.last_mut() {
            let Some(import) = rest.next() else {
                state[*file] = State::Done;
                order.push(*file);
                open.pop();
                continue;
            };
            let Some(&next) = by_name.get(import) else { continue };
            match state[next] {
                State::Done => {}
                State::New => {
                    state[next] = State::Open;
                    open.push((next, imports(next)));
                }
                State::Open => {
                    let mut cycle = each(&open, |(file, _)| *file);
                    cycle.reverse();
                    while cycle.last() != Some(&next) {
                        cycle.pop();
                    }
                    cycle.reverse();
                    return Err(cyclic(files, cycle));
                }
            }
        }
    }
    Ok(order)
}

#[cold]
fn cyclic(files: &[(Header<'_>, &Bytes)], cycle: Vec<usize>) -> Error {
    const MOST: usize = 8;
    let name = |i: usize| printable(files[i].0.name.unwrap_or_default());
    let mut text = String::from("imports form a cycle: ");
    for &file in cycle.iter().take(MOST) {
        text.push_str(&name(file));
        text.push_str(" -> ");
    }
    if cycle.len() > MOST {
        text.push_str("... -> ");
    }
    text.push_str(&name(cycle[0]));
    error_at(&name(cycle[0]), None, text)
}
