//! Loads every `google.api.http` rule of a set of schemas into routers: one router for each service, and one router for all
//! services. Then it checks for each rule that a path of the rule is routed to the rule.
//!
//! ```console
//! $ cargo run --release -p tobu-transcode --example survey -- path/to/googleapis
//! $ cargo run --release -p tobu-transcode --example survey -- descriptor_set.bin
//! ```

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};

use http::Method;
use tobu::{MethodDescriptor, Pool};
use tobu_transcode::{HttpMethod, HttpRule, Route, Router, Segment, Template};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).map(PathBuf::from);
    let path = path.ok_or("tell a directory of .proto files, or a file with a descriptor set")?;
    let pool = match path.is_dir() {
        true => compile(&path)?,
        false => Pool::from_descriptor_set(&std::fs::read(&path)?)?,
    };
    let survey = Survey::of(&pool);
    survey.print();
    match survey.wrong.is_empty() {
        true => Ok(()),
        false => Err("some rules do not load or do not route".into()),
    }
}

#[derive(Default)]
struct Survey {
    services: usize,
    methods: usize,
    bindings: usize,
    /// The number of rules that have the same HTTP method and the same shape as another rule of their service.
    twice: usize,
    /// The number of paths that are routed to a more specific rule of the same service.
    taken_over: usize,
    together: usize,
    /// The number of bindings that have the same HTTP method and the same shape as another binding of any service.
    clashes: usize,
    taken_over_together: usize,
    wrong: BTreeMap<String, usize>,
}

impl Survey {
    fn of(pool: &Pool) -> Self {
        let mut survey = Survey::default();
        let mut together = Router::default();
        for service in pool.services() {
            let rules: Vec<(MethodDescriptor, HttpRule)> = service
                .methods()
                .filter_map(|method| match HttpRule::of(&method) {
                    Ok(rule) => Some((method, rule?)),
                    Err(error) => {
                        survey.wrong(error.to_string());
                        None
                    }
                })
                .collect();
            if rules.is_empty() {
                continue;
            }
            survey.services += 1;
            survey.methods += rules.len();
            let mut router = Router::default();
            for (method, rule) in &rules {
                match router.add_rule(method, rule) {
                    Err(error) if is_clash(&error) => survey.twice += 1,
                    Err(error) => survey.wrong(error.to_string()),
                    Ok(()) => {}
                }
                // The bindings of a rule are added one by one, so that a clash concerns only one binding.
                for binding in std::iter::once(rule).chain(&rule.additional_bindings) {
                    let binding = HttpRule { additional_bindings: Vec::new(), ..binding.clone() };
                    if let Err(error) = together.add_rule(method, &binding) {
                        match is_clash(&error) {
                            true => survey.clashes += 1,
                            false => survey.wrong(error.to_string()),
                        }
                    }
                }
            }
            survey.bindings += router.routes().len();
            survey.taken_over += survey.route_back(&router);
        }
        survey.together = together.routes().len();
        survey.taken_over_together = survey.route_back(&together);
        survey
    }

    /// Looks up a path of each route. Returns how many of the paths lead to a more specific route.
    fn route_back(&mut self, router: &Router) -> usize {
        let mut taken_over = 0;
        for route in router.routes() {
            let path = example(route.template());
            match router.find(http_method(route), &path) {
                Ok(found) if found.route().to_string() == route.to_string() => {}
                Ok(found) if is_more_specific(found.route().template(), route.template()) => {
                    println!("{path} goes to {}, not to {}", found.route().template(), route.template());
                    taken_over += 1;
                }
                Ok(found) => self.wrong(format!("{route}: {path} goes to {}", found.route())),
                Err(error) => self.wrong(format!("{route}: {error}")),
            }
        }
        taken_over
    }

    fn wrong(&mut self, what: String) {
        *self.wrong.entry(what).or_default() += 1;
    }

    fn print(&self) {
        println!("{} services, {} methods, {} bindings", self.services, self.methods, self.bindings);
        println!(
            "one router per service: {} rules have the method and shape of another, {} paths go to a more specific rule",
            self.twice, self.taken_over
        );
        println!(
            "one router of all: {} bindings, {} more clash, {} paths go to a more specific rule",
            self.together, self.clashes, self.taken_over_together
        );
        println!("{} rules are wrong", self.wrong.values().sum::<usize>());
        for (what, count) in &self.wrong {
            println!("{count} x {what}");
        }
    }
}

fn is_clash(error: &tobu_transcode::Error) -> bool {
    error.to_string().contains("have the same method and the same shape")
}

fn http_method(route: &Route) -> &Method {
    match route.http_method() {
        HttpMethod::One(method) => method,
        HttpMethod::Any => &Method::GET,
    }
}

/// Returns a path that matches a template.
fn example(template: &Template) -> String {
    let mut path = String::new();
    for (i, segment) in template.segments().iter().enumerate() {
        match segment {
            Segment::Literal(text) => path.push_str(&format!("/{text}")),
            Segment::Any => path.push_str(&format!("/any{i}")),
            Segment::Rest => path.push_str(&format!("/any{i}/more{i}")),
        }
    }
    path.extend(template.verb().iter().flat_map(|verb| [":", verb]));
    path
}

/// True if `one` is more specific than `other`: only `one` has a verb, or at the first difference from the left, `one` has a
/// literal and `other` a wildcard, or `one` has `*` and `other` `**`.
fn is_more_specific(one: &Template, other: &Template) -> bool {
    let rank = |segment: &Segment| match segment {
        Segment::Literal(_) => 0,
        Segment::Any => 1,
        Segment::Rest => 2,
    };
    let ranks = |template: &Template| template.segments().iter().map(rank).collect::<Vec<_>>();
    (one.verb().is_some() && other.verb().is_none()) || {
        let (one, other) = (ranks(one), ranks(other));
        let differs = one.iter().zip(&other).find(|(one, other)| one != other);
        // If one template begins with all segments of the other, the longer template is more specific.
        differs.map_or(one.len() > other.len(), |(one, other)| one < other || (*other == 2))
    }
}

fn compile(root: &Path) -> Result<Pool, Box<dyn Error>> {
    let mut files = Vec::new();
    let mut directories = vec![root.to_owned()];
    while let Some(directory) = directories.pop() {
        for entry in std::fs::read_dir(directory)? {
            let path = entry?.path();
            if path.is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|extension| extension == "proto")
                && std::fs::read_to_string(&path)?.contains("google.api.http")
            {
                files.push(path);
            }
        }
    }
    files.sort();
    let mut compiler = protox::Compiler::new([root])?;
    compiler.include_imports(true);
    let mut left_out = 0;
    for file in &files {
        if let Err(error) = compiler.open_file(file) {
            left_out += 1;
            println!("left out {}: {error}", file.display());
        }
    }
    println!("{} files, {left_out} left out", files.len());
    Ok(Pool::from_descriptor_set(&compiler.encode_file_descriptor_set())?)
}
