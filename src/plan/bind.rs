//! Which member of a Rust struct takes which field.

use super::{Kind, MemberPlan, MemberRole, MessagePlan, OneofPlan, Route, Shape, Target};
use crate::error::{Error, Result};
use crate::shape::{MessageShape, TypeShape};
use once_cell::sync::OnceCell;

/// How the fields of a message go to the members of one struct that only serde knows.
#[derive(Debug)]
pub(crate) struct Binding {
    pub(crate) members: &'static [&'static str],
    /// What each member stands for; none for a member that the message does not have.
    pub(crate) roles: Box<[Option<MemberRole>]>,
    /// One per field of the plan.
    pub(crate) routes: Box<[Route]>,
}

/// The bindings that were made so far, as a list that only grows.
#[derive(Debug, Default)]
pub(crate) struct Bindings {
    first: OnceCell<Box<Node>>,
}

#[derive(Debug)]
struct Node {
    binding: Binding,
    next: OnceCell<Box<Node>>,
}

impl MessagePlan {
    /// How the fields go to a struct with these members, matched by proto name or JSON name.
    ///
    /// The list is told apart by its address, so that a type is matched by name only once.
    pub(crate) fn binding(&self, members: &'static [&'static str]) -> &Binding {
        let mut cell = &self.bindings.first;
        loop {
            let new = || Box::new(Node { binding: self.bind(members), next: OnceCell::new() });
            let node = cell.get_or_init(new);
            if std::ptr::eq(node.binding.members, members) {
                return &node.binding;
            }
            cell = &node.next;
        }
    }

    fn bind(&self, members: &'static [&'static str]) -> Binding {
        let mut routes = vec![Route::SKIP; self.fields.len()].into_boxed_slice();
        let mut roles = Vec::with_capacity(members.len());
        for (member, name) in (0u16..).zip(members) {
            let target = self.find(name, usize::MAX);
            roles.push(target.map(|target| match target {
                Target::Field(field) => MemberRole::Field(field),
                Target::Oneof(oneof) => MemberRole::Oneof(oneof),
            }));
            match target {
                Some(Target::Field(field)) => {
                    routes[usize::from(field)] = Route { member, variant: Route::NO_VARIANT };
                }
                Some(Target::Oneof(oneof)) => {
                    for (variant, &field) in (0u16..).zip(&self.oneofs[usize::from(oneof)].fields) {
                        let route = &mut routes[usize::from(field)];
                        if *route == Route::SKIP {
                            *route = Route { member, variant };
                        }
                    }
                }
                None => {}
            }
        }
        Binding { members, roles: roles.into(), routes }
    }
}

/// True when a type hands out its members in the order of their numbers, and the fields of each oneof are next to each
/// other.
pub(crate) fn ascends(
    shape: &MessageShape,
    members: &[MemberPlan],
    oneofs: &[OneofPlan],
    numbers: &[u32],
) -> bool {
    let mut order: Vec<usize> = shape.visits.iter().map(|&member| usize::from(member)).collect();
    if order.is_empty() {
        order = (0..members.len()).collect();
    }
    let mut visited = Vec::with_capacity(numbers.len());
    for member in order {
        match members.get(member).map(|member| member.role) {
            Some(MemberRole::Field(field)) => visited.push(numbers[usize::from(field)]),
            Some(MemberRole::Oneof(oneof)) => {
                let fields = &oneofs[usize::from(oneof)].fields;
                let start = visited.len();
                visited.extend(fields.iter().map(|&field| numbers[usize::from(field)]));
                visited[start..].sort_unstable();
                if fields.is_empty() {
                    return false;
                }
            }
            Some(MemberRole::Unknown) | None => {}
        }
    }
    visited.len() == numbers.len() && visited.is_sorted()
}

/// Checks that a Rust type can hold a field of the schema.
///
/// # Errors
/// It cannot; the message names both.
pub(crate) fn check(ty: TypeShape, shape: Shape, kind: Kind, key: Option<Kind>) -> Result<()> {
    let fits = match (shape, ty) {
        (Shape::List, TypeShape::List(element)) => single_fits(*element, kind),
        (Shape::Map, TypeShape::Map(k, v)) => {
            key.is_some_and(|key| single_fits(*k, key)) && single_fits(*v, kind)
        }
        (Shape::Singular, TypeShape::Option(inner)) => single_fits(*inner, kind),
        (Shape::Singular, single) => single_fits(single, kind),
        _ => false,
    };
    if fits {
        return Ok(());
    }
    let wanted = match (shape, key) {
        (Shape::List, _) => format!("repeated {}", kind.as_str()),
        (Shape::Map, Some(key)) => format!("map<{}, {}>", key.as_str(), kind.as_str()),
        _ => kind.as_str().to_owned(),
    };
    Err(Error::schema(format!(
        "the field is a {wanted} in the schema, but the Rust type is {}",
        rust_name(ty)
    )))
}

fn single_fits(ty: TypeShape, kind: Kind) -> bool {
    use TypeShape as T;
    match kind {
        Kind::Double => matches!(ty, T::F64),
        Kind::Float => matches!(ty, T::F32),
        Kind::Int32 | Kind::SInt32 | Kind::SFixed32 => matches!(ty, T::I32),
        Kind::Int64 | Kind::SInt64 | Kind::SFixed64 => matches!(ty, T::I64),
        Kind::UInt32 | Kind::Fixed32 => matches!(ty, T::U32),
        Kind::UInt64 | Kind::Fixed64 => matches!(ty, T::U64),
        Kind::Bool => matches!(ty, T::Bool),
        // A schema need not ask for UTF-8, and then only bytes take everything.
        Kind::String => matches!(ty, T::Str | T::Bytes),
        Kind::Bytes => matches!(ty, T::Bytes | T::Str),
        Kind::Enum => matches!(ty, T::Enum(_) | T::I32),
        Kind::Message | Kind::Group => matches!(ty, T::Message(_)),
    }
}

fn rust_name(ty: TypeShape) -> String {
    match ty {
        TypeShape::Bool => "bool".into(),
        TypeShape::I32 => "i32".into(),
        TypeShape::I64 => "i64".into(),
        TypeShape::U32 => "u32".into(),
        TypeShape::U64 => "u64".into(),
        TypeShape::F32 => "f32".into(),
        TypeShape::F64 => "f64".into(),
        TypeShape::Str => "a string".into(),
        TypeShape::Bytes => "a byte string".into(),
        TypeShape::Enum(shape) => shape().rust_name.into(),
        TypeShape::Message(shape) => shape().rust_name.into(),
        TypeShape::Option(inner) => format!("an option of {}", rust_name(*inner)),
        TypeShape::List(element) => format!("a list of {}", rust_name(*element)),
        TypeShape::Map(key, value) => format!("a map from {} to {}", rust_name(*key), rust_name(*value)),
    }
}
