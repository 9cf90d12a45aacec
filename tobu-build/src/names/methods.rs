//! The methods that read and change a message, and their names, also where two would be equal.

use tobu_schema::descriptor::{FieldDescriptor, FieldShape, OneofDescriptor};

use super::{Scope, accessor_name, field_name};

/// The function that returns a builder of a message.
pub(crate) const BUILDER: &str = "builder";

/// The method of a builder that returns the message.
pub const BUILD: &str = "build";

/// Methods that a setter of a builder would hide: the one that returns the message, and that of `Clone`.
const RESERVED_IN_BUILDERS: [&str; 2] = [BUILD, "clone"];

/// The methods that read the unknown fields and return them to be changed.
pub(crate) const UNKNOWN_FIELDS: [&str; 2] = ["unknown_fields", "unknown_fields_mut"];

/// A member of a message: a field with the name of its member, or a oneof.
pub(crate) enum Member<'d> {
    Field(&'d FieldDescriptor, &'d str),
    Oneof(&'d OneofDescriptor),
}

/// The methods of one message.
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

/// The names of a field's methods; empty for methods that the kind of field does not have.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct FieldMethods {
    /// Reads the field.
    pub get: String,
    /// Says whether the field is set, if it has presence.
    pub has: String,
    /// Sets the field.
    pub set: String,
    /// Clears the field.
    pub clear: String,
    /// Clears the field and returns its old value.
    pub take: String,
    /// Returns the field to be changed.
    pub get_mut: String,
    /// The builder's, for a value.
    pub build: String,
    /// The builder's, for an option, if the field has presence and is in no oneof.
    pub maybe: String,
}

/// The names of a oneof's methods.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct OneofMethods {
    /// Those of its fields, in their order.
    pub fields: Vec<FieldMethods>,
    /// Says whether one of its fields is set.
    pub has: String,
    /// Clears it.
    pub clear: String,
    /// Returns an option of a reference to the enum.
    pub which: String,
    /// Takes an option of the enum, or the enum.
    pub set: String,
    /// Clears it and returns an option of the enum.
    pub take: String,
    /// Returns an option of a mutable reference to the enum.
    pub get_mut: String,
    /// The builder's, for an option of the enum.
    pub maybe: String,
}

impl Methods {
    /// The names of all methods. `scope` has the names that no method can have.
    ///
    /// Getters of fields with presence come first, because they exist without other accessors. Methods that only
    /// messages with builders have come last, so that they do not change the names of the others.
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
    /// The order is that of a field's accessors in the output.
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

/// Names the methods of the builder, starting with those that are named like fields.
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
