//! Describes what is known about the type of an expression.

use tobu_build::catalog::{Catalog, MemberKind, MemberType, Shape, Value};

/// The type of an expression, as far as it is important for members of messages.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Ty {
    /// Any type; it may be a message.
    Unknown,
    /// Neither a message, nor a type from which code can reach a message.
    Other,
    /// A number, a bool or an enum.
    Scalar,
    /// A `String` or a `str`.
    Text,
    /// A message, by its index in the catalog. The next three variants also have an index in the catalog.
    Message(usize),
    Oneof(usize),
    Client(usize),
    /// The builder of a message.
    Builder(usize),
    Ref(Box<Ty>),
    /// A type with type arguments, such as `Option`, `Vec` and `Arc`, by the last name of its path.
    Generic(String, Vec<Ty>),
    /// A struct or an enum that the crate declares.
    Declared(String),
    Tuple(Vec<Ty>),
    /// A closure, by the type of its result.
    Closure(Box<Ty>),
}

/// Pointer types. A member or a method may belong to their first type argument.
const POINTERS: &[&str] =
    &["Arc", "Box", "MutexGuard", "Rc", "Ref", "RefMut", "RwLockReadGuard", "RwLockWriteGuard"];

impl Ty {
    pub(super) fn reference(self) -> Ty {
        match self {
            Ty::Unknown | Ty::Other => self,
            ty => Ty::Ref(Box::new(ty)),
        }
    }

    pub(super) fn generic(name: &str, argument: Ty) -> Ty {
        Ty::Generic(name.to_owned(), vec![argument])
    }

    /// Returns the type without references.
    pub(super) fn peeled(&self) -> &Ty {
        match self {
            Ty::Ref(inner) => inner.peeled(),
            ty => ty,
        }
    }

    /// Returns the type without references and pointers. A field expression looks up members in this type.
    pub(super) fn target(&self) -> &Ty {
        match self.peeled() {
            Ty::Generic(name, arguments) if POINTERS.contains(&name.as_str()) => {
                arguments.first().map_or(&Ty::Unknown, Ty::target)
            }
            ty => ty,
        }
    }

    pub(super) fn is_pointer(&self) -> bool {
        matches!(self, Ty::Ref(_)) || self != self.target()
    }

    pub(super) fn is_unknown(&self) -> bool {
        *self == Ty::Unknown
    }

    /// Returns the last type argument, if the type without references has the name `name`. If the type is a reference, returns
    /// a reference to the argument.
    pub(super) fn argument_of(&self, name: &str) -> Option<Ty> {
        match self.peeled() {
            Ty::Generic(found, arguments) if found == name => {
                let argument = arguments.last().cloned().unwrap_or(Ty::Unknown);
                Some(if matches!(self, Ty::Ref(_)) { argument.reference() } else { argument })
            }
            _ => None,
        }
    }

    /// Returns the type of the items of a loop over this type.
    pub(super) fn element(&self) -> Ty {
        let by_reference = |ty: Ty| if matches!(self, Ty::Ref(_)) { ty.reference() } else { ty };
        match self.target() {
            Ty::Generic(name, arguments) => match (name.as_str(), arguments.as_slice()) {
                ("Iter" | "Receiver" | "IntoIter", [item]) => item.clone(),
                ("Vec" | "VecDeque" | "HashSet" | "BTreeSet" | "Option", [item, ..]) => {
                    by_reference(item.clone())
                }
                ("HashMap" | "BTreeMap" | "VecMap", [key, value, ..]) => {
                    Ty::Tuple(vec![by_reference(key.clone()), by_reference(value.clone())])
                }
                _ => Ty::Unknown,
            },
            Ty::Unknown => Ty::Unknown,
            _ => Ty::Other,
        }
    }

    /// Returns the type of a single value of a field.
    pub(super) fn of_value(value: Value) -> Ty {
        match value {
            Value::Scalar => Ty::Scalar,
            Value::Text => Ty::Text,
            Value::Bytes => Ty::generic("Vec", Ty::Scalar),
            Value::Custom | Value::Message(None) => Ty::Other,
            Value::Message(Some(index)) => Ty::Message(index),
        }
    }

    /// Returns the type of a stored value, which may be in a box.
    pub(super) fn of_stored(value: Value, is_boxed: bool) -> Ty {
        if is_boxed { Ty::generic("Box", Ty::of_value(value)) } else { Ty::of_value(value) }
    }

    /// Returns the type of a public member.
    pub(super) fn of_member(member: &MemberType) -> Ty {
        match &member.kind {
            MemberKind::Oneof(index, _) => Ty::generic("Option", Ty::Oneof(*index)),
            MemberKind::Field(Shape::Optional { value, is_boxed, .. }, _) => {
                Ty::generic("Option", Ty::of_stored(*value, *is_boxed))
            }
            MemberKind::Field(shape, _) => Ty::of_shape(shape),
        }
    }

    /// Returns the type of the value that a getter returns, without the reference.
    pub(super) fn of_shape(shape: &Shape) -> Ty {
        match shape {
            Shape::Plain(value) | Shape::Optional { value, .. } => Ty::of_value(*value),
            Shape::List(value) => Ty::generic("Vec", Ty::of_value(*value)),
            Shape::Map(value) => Ty::Generic("HashMap".to_owned(), vec![Ty::Other, Ty::of_value(*value)]),
        }
    }

    /// Returns the type of the result of a message's accessor. `name` has no `r#`.
    pub(super) fn of_accessor(catalog: &Catalog, message: usize, name: &str) -> Option<Ty> {
        let message = catalog.messages.get(message)?;
        let is = |method: &str| method.strip_prefix("r#").unwrap_or(method) == name;
        message.members.iter().find_map(|member| match &member.kind {
            MemberKind::Field(shape, methods) => {
                let value = Ty::of_shape(shape);
                let is_scalar = value == Ty::Scalar;
                if is(&methods.get) {
                    Some(if is_scalar { value } else { value.reference() })
                } else if is(&methods.get_mut) {
                    Some(value.reference())
                } else if is(&methods.take) {
                    let is_optional = matches!(shape, Shape::Optional { .. });
                    Some(if is_optional { Ty::generic("Option", value) } else { value })
                } else {
                    None
                }
            }
            MemberKind::Oneof(index, methods) => {
                let of_enum = || Ty::Oneof(*index);
                if is(&methods.which) || is(&methods.get_mut) {
                    return Some(Ty::generic("Option", of_enum().reference()));
                }
                if is(&methods.take) {
                    return Some(Ty::generic("Option", of_enum()));
                }
                let variants = &catalog.oneofs.get(*index)?.variants;
                variants.iter().zip(&methods.fields).find_map(|(variant, methods)| {
                    let value = Ty::of_value(variant.value);
                    if is(&methods.get) || is(&methods.get_mut) {
                        Some(if value == Ty::Scalar { value } else { value.reference() })
                    } else if is(&methods.take) {
                        Some(Ty::generic("Option", value))
                    } else {
                        None
                    }
                })
            }
        })
    }
}
