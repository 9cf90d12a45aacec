//! Finds messages that contain themselves. Such messages form strongly connected components of the graph in which each message
//! leads to the types of its single message fields.
//!
//! Lists and maps keep their elements on the heap, so a cycle through a list or map needs no box.

use std::collections::HashMap;

use tobu_schema::descriptor::{FieldShape, Kind, MessageDescriptor};

/// The component of each message, by full name. A message that does not contain itself has no component.
#[derive(Debug, Default)]
pub(super) struct Components(HashMap<String, usize>);

impl Components {
    /// Runs Tarjan's algorithm with an explicit stack, because a chain of messages may have thousands of steps.
    pub(super) fn of(messages: &[MessageDescriptor]) -> Self {
        let index: HashMap<&str, usize> =
            messages.iter().enumerate().map(|(i, message)| (message.full_name(), i)).collect();
        let edges: Vec<Vec<usize>> = messages
            .iter()
            .map(|message| {
                let targets = message.fields().filter_map(|field| match field.shape() {
                    FieldShape::Singular(Kind::Message(target)) => index.get(target.full_name()).copied(),
                    _ => None,
                });
                targets.collect()
            })
            .collect();
        let components = components(&edges);
        let mut sizes = vec![0; messages.len()];
        components.iter().for_each(|&component| sizes[component] += 1);
        let recursive = |i: &usize| sizes[components[*i]] > 1 || edges[*i].contains(i);
        let names = messages.iter().enumerate().filter(|(i, _)| recursive(i));
        Components(names.map(|(i, message)| (message.full_name().to_owned(), components[i])).collect())
    }

    /// True if each of the two messages contains the other.
    pub(super) fn together(&self, a: &str, b: &str) -> bool {
        self.0.get(a).is_some_and(|component| self.0.get(b) == Some(component))
    }
}

fn components(edges: &[Vec<usize>]) -> Vec<usize> {
    const NONE: usize = usize::MAX;
    let mut order = vec![NONE; edges.len()];
    let mut low = vec![0; edges.len()];
    let mut component = vec![NONE; edges.len()];
    let (mut clock, mut count) = (0, 0);
    let mut pending = Vec::new();
    for root in 0..edges.len() {
        if order[root] != NONE {
            continue;
        }
        let mut open = vec![(root, 0)];
        while let Some((node, next)) = open.last_mut() {
            let node = *node;
            if *next == 0 && order[node] == NONE {
                order[node] = clock;
                low[node] = clock;
                clock += 1;
                pending.push(node);
            }
            match edges[node].get(*next) {
                Some(&target) => {
                    *next += 1;
                    if order[target] == NONE {
                        open.push((target, 0));
                    } else if component[target] == NONE {
                        low[node] = low[node].min(order[target]);
                    }
                }
                None => {
                    open.pop();
                    if let Some(&(parent, _)) = open.last() {
                        low[parent] = low[parent].min(low[node]);
                    }
                    if low[node] == order[node] {
                        while let Some(member) = pending.pop() {
                            component[member] = count;
                            if member == node {
                                break;
                            }
                        }
                        count += 1;
                    }
                }
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use super::components;

    #[test]
    fn finds_cycles() {
        // The edges are 0 -> 1 -> 2 -> 0, 2 -> 3, 3 -> 3 and 4 -> 3.
        let found = components(&[vec![1], vec![2], vec![0, 3], vec![3], vec![3]]);
        assert!(found[0] == found[1] && found[1] == found[2]);
        assert!(found[3] != found[0] && found[4] != found[3] && found[4] != found[0]);
    }

    #[test]
    fn long_chains_need_no_stack() {
        let edges: Vec<_> = (0..200_000).map(|i| vec![(i + 1) % 200_000]).collect();
        assert!(components(&edges).iter().all(|&component| component == 0));
    }
}
