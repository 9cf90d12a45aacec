//! The traits that settings derive for messages.

use std::collections::{BTreeMap, HashSet};

use tobu::types::Timestamp;
use tobu_generated_tests::traits::traits::v1::{Path, Point, Side, Tree, point};

#[test]
fn messages_are_ordered_by_their_members() {
    let point = |x, y| Point { x, y, ..Point::default() };
    let path = |name: &str, points: &[Point], seconds| Path {
        name: name.into(),
        points: points.into(),
        tree: BTreeMap::new(),
        walked: Some(Timestamp::new(seconds, 0)),
    };
    let ascending = [
        Path::default(),
        path("a", &[], 9),
        path("a", &[point(1, None)], 1),
        path("a", &[point(1, Some(0))], 0),
        path("a", &[point(1, Some(0))], 1),
        path("b", &[], 0),
    ];
    let mut sorted = ascending.clone();
    sorted.reverse();
    sorted.sort();
    assert_eq!(sorted, ascending);
    let open = |kind| Point { kind: Some(kind), ..Point::default() };
    assert!(point(0, None) < open(point::Kind::Open(true)));
    assert!(open(point::Kind::Open(true)) < open(point::Kind::Closed(Default::default())));
    let tree = Tree { left: Some(Box::default()), side: Side::LEFT };
    assert!(Tree::default() < tree);
    assert_eq!(ascending.into_iter().collect::<HashSet<_>>().len(), 6);
}
