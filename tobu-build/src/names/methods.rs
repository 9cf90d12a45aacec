//! Names the generated methods that read and change a message. If several methods would have the same name, all but the first
//! get underscores.

use tobu_schema::descriptor::{FieldDescriptor, FieldShape, OneofDescriptor};

use super::{Scope, accessor_name, field_name};

/// The function that creates the builder of a message.
pub(crate) const BUILDER: &str = "builder";

/// The method of a builder that returns the message.
pub const BUILD: &str = "build";

/// The names that a setter of a builder cannot have, because it would hide `build` or `Clone::clone`.
const RESERVED_IN_BUILDERS: [&str; 2] = [BUILD, "clone"];

/// The getter of the unknown fields, and the method that returns a mutable reference to them.
pub(crate) const UNKNOWN_FIELDS: [&str; 2] = ["unknown_fields", "unknown_fields_mut"];

/// A member of the generated struct: a field, with the name of the Rust member, or a oneof.
pub(crate) enum Member<'d> {
    Field(&'d FieldDescriptor, &'d str),
    Oneof(&'d OneofDescriptor),
}

/// The names of the methods of one message.
#[derive(Clone, Debug)]
pub(crate) struct Methods {
    pub(crate) members: Vec<MemberMethods>,
    pub(crate) unknown_fields: String,
    pub(crate) unknown_fields_mut: String,
    pub(crate) builder: String,
}

#[derive(Clone, Debug)]
pub(crate) enum MemberMethods {
    Field(FieldMethods),
    Oneof(OneofMethods),
}

/// The names of a field's methods. The name of a method that the kind of field does not have is empty.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct FieldMethods {
    /// The getter, which returns the value.
    pub get: String,
    /// The method that says whether the field is set. Only fields with presence have it.
    pub has: String,
    /// The method that sets the field.
    pub set: String,
    /// The method that clears the field.
    pub clear: String,
    /// The method that clears the field and returns its old value.
    pub take: String,
    /// The method that returns a mutable reference to the field.
    pub get_mut: String,
    /// The setter of the builder that takes a value.
    pub build: String,
    /// The setter of the builder that takes an option. Only fields with presence outside of oneofs have it.
    pub maybe: String,
}

/// The names of a oneof's methods.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct OneofMethods {
    /// The names of the methods of each field in the oneof, in the order of the fields.
    pub fields: Vec<FieldMethods>,
    /// The method that says whether a field of the oneof is set.
    pub has: String,
    /// The method that clears the oneof.
    pub clear: String,
    /// The method that returns an option of a reference to the enum.
    pub which: String,
    /// The method that takes an option of the enum, or the enum, and sets the oneof.
    pub set: String,
    /// The method that clears the oneof and returns an option of the enum.
    pub take: String,
    /// The method that returns an option of a mutable reference to the enum.
    pub get_mut: String,
    /// The setter of the builder that takes an option of the enum.
    pub maybe: String,
}

impl Methods {
    /// Chooses the names of all methods. `scope` has the names that no method can have.
    ///
    /// Getters of fields with presence take their names first, because they can be generated without the other
    /// methods, and must have the same names in both cases. The methods for builders take their names last, so that
    /// builders do not change the names of the other methods.
    pub(crate) fn claim(members: &[Member<'_>], scope: &mut Scope) -> Self {
        let mut methods: Vec<_> = members.iter().map(MemberMethods::empty).collect();
        for (member, methods) in members.iter().zip(&mut methods) {
            if let (Member::Field(field, name), MemberMethods::Field(methods)) = (member, methods)
                && has_presence(field)
            {
                methods.get = scope.claim((*name).to_owned());
            }
        }
        for (member, methods) in members.iter().zip(&mut methods) {
            if let (Member::Oneof(oneof), MemberMethods::Oneof(methods)) = (member, methods) {
                for (field, methods) in oneof.fields().zip(&mut methods.fields) {
                    methods.get = scope.claim(field_name(field.name()));
                }
            }
        }
        for (member, methods) in members.iter().zip(&mut methods) {
            match (member, methods) {
                (Member::Field(field, _), MemberMethods::Field(methods)) => methods.claim(field, scope),
                (Member::Oneof(oneof), MemberMethods::Oneof(methods)) => methods.claim(oneof, scope),
                _ => {}
            }
        }
        for (member, methods) in members.iter().zip(&mut methods) {
            if let (Member::Oneof(oneof), MemberMethods::Oneof(methods)) = (member, methods) {
                let mut method = |before, after| scope.claim(accessor_name(before, oneof.name(), after));
                methods.which = method("which_", "");
                methods.set = method("set_", "");
                methods.take = method("take_", "");
                methods.get_mut = method("", "_mut");
            }
        }
        let [unknown_fields, unknown_fields_mut] = UNKNOWN_FIELDS.map(|name| scope.claim(name.to_owned()));
        let builder = scope.claim(BUILDER.to_owned());
        let mut setters = Scope::default();
        for name in RESERVED_IN_BUILDERS {
            setters.claim(name.to_owned());
        }
        claim_setters(members, &mut methods, &mut setters);
        Methods { members: methods, unknown_fields, unknown_fields_mut, builder }
    }
}

impl MemberMethods {
    fn empty(member: &Member<'_>) -> Self {
        match member {
            Member::Field(..) => MemberMethods::Field(FieldMethods::default()),
            Member::Oneof(oneof) => MemberMethods::Oneof(OneofMethods {
                fields: vec![FieldMethods::default(); oneof.fields().len()],
                ..OneofMethods::default()
            }),
        }
    }
}

impl FieldMethods {
    /// Chooses the names of the field's methods, in the order in which the output has the methods.
    fn claim(&mut self, field: &FieldDescriptor, scope: &mut Scope) {
        let mut method = |before, after| scope.claim(accessor_name(before, field.name(), after));
        if self.get.is_empty() {
            self.get = method("", "");
        }
        if has_presence(field) {
            self.has = method("has_", "");
        }
        self.set = method("set_", "");
        self.clear = method("clear_", "");
        self.take = method("take_", "");
        self.get_mut = method("", "_mut");
    }
}

impl OneofMethods {
    fn claim(&mut self, oneof: &OneofDescriptor, scope: &mut Scope) {
        for (field, methods) in oneof.fields().zip(&mut self.fields) {
            methods.claim(&field, scope);
        }
        self.has = scope.claim(accessor_name("has_", oneof.name(), ""));
        self.clear = scope.claim(accessor_name("clear_", oneof.name(), ""));
    }
}

/// Chooses the names of the builder's setters. Setters named like a field take their names first, those with the prefix
/// `maybe_` last.
fn claim_setters(members: &[Member<'_>], methods: &mut [MemberMethods], scope: &mut Scope) {
    for (member, methods) in members.iter().zip(&mut *methods) {
        match (member, methods) {
            (Member::Field(field, _), MemberMethods::Field(methods)) => {
                methods.build = scope.claim(field_name(field.name()));
            }
            (Member::Oneof(oneof), MemberMethods::Oneof(methods)) => {
                for (field, methods) in oneof.fields().zip(&mut methods.fields) {
                    methods.build = scope.claim(field_name(field.name()));
                }
            }
            _ => {}
        }
    }
    for (member, methods) in members.iter().zip(methods) {
        match (member, methods) {
            (Member::Field(field, _), MemberMethods::Field(methods)) if has_presence(field) => {
                methods.maybe = scope.claim(accessor_name("maybe_", field.name(), ""));
            }
            (Member::Oneof(oneof), MemberMethods::Oneof(methods)) => {
                methods.maybe = scope.claim(accessor_name("maybe_", oneof.name(), ""));
            }
            _ => {}
        }
    }
}

fn has_presence(field: &FieldDescriptor) -> bool {
    matches!(field.shape(), FieldShape::Singular(_)) && field.has_presence()
}
