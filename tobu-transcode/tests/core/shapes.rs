//! Case 3: templates of the shapes that the public Google APIs have, many of them in one router.

use super::call;
use http::Method;
use std::collections::HashSet;
use tobu_transcode::{HttpRule, Router, Segment, Template};

/// `#` is a resource or a version of which there are many, `x`, `y` and `id` are fields.
const SHAPES: &[&str] = &[
    "/v#/{x=projects/*}/col#",
    "/v#/{x=projects/*/locations/*}/col#",
    "/v#/{x=projects/*/locations/*/col#/*}",
    "/v#/{x=projects/*/locations/*/col#/*}:act#",
    "/v#/{x=projects/*/locations/*/col#/*/versions/*}",
    "/v#/{x=organizations/*/locations/*/col#/*}/items",
    "/v#/{sub.subfield=projects/*/locations/*/col#/*}",
    "/v#/projects/{x}/col#/{y}",
    "/v#/projects/{x}/zones/{y}/col#/{id}/act#",
    "/v#/{x=projects/*/col#/*}/{y=entries/*}:move",
    "/v#/{x=col#/**}:getPolicy",
    "/v#/{x=projects/*/databases#/*/documents/**}/{y}",
    "/v#/{x=projects/*/databases#/*/documents/*/**}/{y}",
    "/v#/{x=**}/col#",
    "/v#/{x=**/sessions#/*}",
    "/v#/{x=projects/*/keyRings#/*/cryptoKeys/**}/summary",
    "/compute/v#/projects/{x}/global/col#",
    "/v#:batch#",
    "/v#/col#:search",
];

/// A path of a template, whose wildcards become `seg0`, `seg1` and so on.
fn example(template: &Template) -> String {
    let mut path = String::new();
    for (i, segment) in template.segments().iter().enumerate() {
        match segment {
            Segment::Literal(text) => path.push_str(&format!("/{text}")),
            Segment::Any => path.push_str(&format!("/seg{i}")),
            Segment::Rest => path.push_str(&format!("/seg{i}/more")),
        }
    }
    path.extend(template.verb().iter().flat_map(|verb| [":", verb]));
    path
}

#[test]
fn each_route_takes_its_own_path() {
    let method = call();
    let mut router = Router::default();
    let methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];
    let mut templates = HashSet::new();
    for (i, shape) in SHAPES.iter().enumerate() {
        for number in 0..160 {
            let template = shape.replace('#', &number.to_string());
            let kind = methods[(i + number) % methods.len()];
            router.add_rule(&method, &HttpRule::new(kind, &template)).unwrap();
            templates.insert(template);
        }
    }
    assert_eq!((router.routes().len(), templates.len()), (3040, 3040));
    for route in router.routes() {
        let path = example(route.template());
        let http_method = route.http_method().as_method().unwrap();
        let found = router.find(http_method, &path).unwrap();
        assert_eq!(found.route().template(), route.template(), "{path}");
        let wrong = router.find(&Method::TRACE, &path).unwrap_err();
        assert_eq!(wrong.status(), 405);
        assert!(wrong.allow().contains(http_method));
    }
}
