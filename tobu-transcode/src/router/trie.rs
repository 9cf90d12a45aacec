//! The templates of a router, as trees of segments. Each verb has its own tree.
//!
//! A node of a tree always matches the same position of a path. Before a `**`, the position is counted from the start of the
//! path, and after a `**`, from its end. So the number of visits to a node does not depend on the length of the path.

use std::borrow::Cow;
use std::collections::HashMap;

use http::Method;

use super::path::PathView;
use crate::percent::{self, Decode};
use crate::route::{HttpMethod, Route};
use crate::template::{Segment, Template};

#[derive(Debug, Default)]
pub(super) struct Trie {
    nodes: Vec<Node>,
    /// The root of the templates without a verb.
    plain: Option<usize>,
    verbs: HashMap<Box<str>, usize>,
    longest_verb: usize,
}

#[derive(Debug, Default)]
struct Node {
    /// The indices of the nodes after literals, sorted by the texts of the literals.
    literals: Vec<(Box<str>, usize)>,
    any: Option<usize>,
    /// The index of the node after a `**` in this position.
    rest: Option<usize>,
    /// For the node after a `**`: how many segments templates have after the `**`, in descending order.
    depths: Vec<usize>,
    /// The indices of the routes whose templates end at this node.
    routes: Vec<(HttpMethod, usize)>,
}

impl Trie {
    /// Returns the index of the route that has the same HTTP method and the same shape as `route`.
    pub(super) fn find_same(&self, route: &Route) -> Option<usize> {
        let template = route.template();
        let mut node = match &template.verb {
            Some(verb) => *self.verbs.get(verb)?,
            None => self.plain?,
        };
        for segment in &template.segments {
            node = match segment {
                Segment::Literal(text) => self.nodes[node].literal(text)?,
                Segment::Any => self.nodes[node].any?,
                Segment::Rest => self.nodes[node].rest?,
            };
        }
        let routes = &self.nodes[node].routes;
        routes.iter().find(|(method, _)| method == route.http_method()).map(|(_, index)| *index)
    }

    pub(super) fn insert(&mut self, route: &Route, index: usize) {
        let template = route.template();
        let mut node = self.root(template);
        for (at, segment) in template.segments.iter().enumerate() {
            node = self.child(node, segment);
            if *segment == Segment::Rest {
                let depth = template.segments.len() - at - 1;
                let depths = &mut self.nodes[node].depths;
                if let Err(place) = depths.binary_search_by(|known| depth.cmp(known)) {
                    depths.insert(place, depth);
                }
            }
        }
        self.nodes[node].routes.push((route.http_method().clone(), index));
    }

    fn root(&mut self, template: &Template) -> usize {
        let next = self.nodes.len();
        let root = match &template.verb {
            Some(verb) => {
                self.longest_verb = self.longest_verb.max(verb.len());
                *self.verbs.entry(verb.clone()).or_insert(next)
            }
            None => *self.plain.get_or_insert(next),
        };
        if root == next {
            self.nodes.push(Node::default());
        }
        root
    }

    fn child(&mut self, node: usize, segment: &Segment) -> usize {
        let next = self.nodes.len();
        let parent = &mut self.nodes[node];
        let child = match segment {
            Segment::Any => *parent.any.get_or_insert(next),
            Segment::Rest => *parent.rest.get_or_insert(next),
            Segment::Literal(text) => {
                match parent.literals.binary_search_by(|(known, _)| (**known).cmp(text)) {
                    Ok(place) => parent.literals[place].1,
                    Err(place) => {
                        parent.literals.insert(place, (text.clone(), next));
                        next
                    }
                }
            }
        };
        if child == next {
            self.nodes.push(Node::default());
        }
        child
    }

    /// Returns the index of the route of a request. Adds to `allowed` the HTTP methods of routes that match the path, but not
    /// `method`.
    pub(super) fn find(
        &self,
        method: &Method,
        path: &mut PathView<'_>,
        allowed: &mut Vec<Method>,
    ) -> Option<usize> {
        // The longest possible verb is tried first: it starts at the first colon. With all its bytes escaped, a verb takes
        // three times its length. So no verb starts further from the end than three times the longest verb's length.
        let last = path.last();
        let from = last.len().saturating_sub(self.longest_verb.saturating_mul(3) + 1);
        if self.longest_verb > 0 {
            for colon in memchr::memchr_iter(b':', &last.as_bytes()[from..]) {
                let verb = last.get(from + colon + 1..).unwrap_or_default();
                let Ok(verb) = percent::decode(verb, Decode::All) else { continue };
                if let Some(&root) = self.verbs.get(&*verb) {
                    path.trim_last(from + colon);
                    if let Some(found) = self.walk(root, 0, method, path, allowed) {
                        return Some(found);
                    }
                    path.trim_last(last.len());
                }
            }
        }
        self.walk(self.plain?, 0, method, path, allowed)
    }

    /// Finds the route of a request below a node. The segments of the path from `at` on are still to match. The recursion is at
    /// most as deep as the longest template.
    fn walk(
        &self,
        node: usize,
        at: usize,
        method: &Method,
        path: &PathView<'_>,
        allowed: &mut Vec<Method>,
    ) -> Option<usize> {
        let node = &self.nodes[node];
        let left = path.len() - at;
        if left == 0 {
            if let Some(found) = node.route(method, allowed) {
                return Some(found);
            }
        } else {
            let segment = path.segment(at);
            if !node.literals.is_empty() {
                let text = percent::decode(segment, Decode::All).unwrap_or(Cow::Borrowed(segment));
                let found = node.literal(&text);
                if let Some(found) = found.and_then(|next| self.walk(next, at + 1, method, path, allowed)) {
                    return Some(found);
                }
            }
            let any = node.any.filter(|_| !segment.is_empty());
            if let Some(found) = any.and_then(|next| self.walk(next, at + 1, method, path, allowed)) {
                return Some(found);
            }
        }
        let rest = node.rest?;
        let depths = self.nodes[rest].depths.iter().filter(|&&depth| depth <= left);
        depths.filter_map(|depth| self.walk(rest, path.len() - depth, method, path, allowed)).next()
    }
}

impl Node {
    #[inline]
    fn literal(&self, text: &str) -> Option<usize> {
        let place = self.literals.binary_search_by(|(known, _)| (**known).cmp(text)).ok()?;
        Some(self.literals[place].1)
    }

    /// Returns the index of the route of an HTTP method, or else of the route of any method. If there is neither, adds the
    /// methods of the other routes to `allowed`.
    fn route(&self, method: &Method, allowed: &mut Vec<Method>) -> Option<usize> {
        let mut any = None;
        for (known, index) in &self.routes {
            match known {
                HttpMethod::Any => any = Some(*index),
                HttpMethod::One(known) if known == method => return Some(*index),
                HttpMethod::One(_) => {}
            }
        }
        if any.is_none() {
            allowed.extend(self.routes.iter().filter_map(|(known, _)| known.as_method().cloned()));
        }
        any
    }
}
