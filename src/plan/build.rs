//! Compiling plans from descriptors.

use super::{
    EnumPlan, FieldPlan, Head, Keys, Kind, MapPlan, MemberPlan, MemberRole, MessagePlan, Name, NumberTable,
    OneofPlan, Op, PlanSet, Presence, Route, Shape, TagTable, WellKnown, bind, head, names,
};
use crate::descriptor::{
    self, EnumDescriptor, ExtensionDescriptor, FieldDescriptor, FieldShape as Declared, MessageDescriptor,
};
use crate::error::{Error, Result};
use crate::json::print::{self, Key};
use crate::shape::{EnumShape, FieldShape, MessageShape, Role, TypeShape};
use crate::wire::{Tag, WireType};
use std::collections::HashMap;

impl PlanSet {
    /// The plans of a message type and all that it reaches, bound to no Rust type.
    pub(crate) fn of_descriptor(root: &MessageDescriptor) -> Result<PlanSet> {
        Builder::default().build(root.clone(), None)
    }

    /// The plan of a message that has an extension and nothing else, and of all that it reaches.
    ///
    /// # Errors
    /// It extends a message set, whose items are not fields, or a message that it reaches is larger than a codec can
    /// take.
    pub(crate) fn of_extension(extension: &ExtensionDescriptor) -> Result<PlanSet> {
        if extension.extendee().is_message_set() {
            let message =
                format!("{} is in a message set, which is not read as fields", extension.full_name());
            return Err(Error::schema(message));
        }
        Self::of_extensions(extension.extendee(), vec![extension.field().clone()])
    }

    /// The plan of a message that has these extensions and nothing else, and of all that it reaches.
    ///
    /// # Errors
    /// A message that it reaches is larger than a codec can take.
    pub(crate) fn of_extensions(
        extendee: MessageDescriptor,
        fields: Vec<FieldDescriptor>,
    ) -> Result<PlanSet> {
        Builder { only: Some(fields), ..Builder::default() }.build(extendee, None)
    }

    /// The plan of a message that has an extension and nothing else, bound to the Rust type of its value.
    ///
    /// # Errors
    /// The type and the schema do not fit together, or a message that it reaches is larger than a codec can take.
    pub(crate) fn of_typed_extension(extension: &ExtensionDescriptor, ty: TypeShape) -> Result<PlanSet> {
        let only = Some(vec![extension.field().clone()]);
        Builder { only, only_type: Some(ty), ..Builder::default() }.build(extension.extendee(), None)
    }

    /// The plans of a Rust type and all that it reaches.
    ///
    /// # Errors
    /// The type and its descriptor do not fit together.
    pub(crate) fn of_shape(shape: &'static MessageShape) -> Result<PlanSet> {
        Builder::default().build(shape.descriptor()?.clone(), Some(shape))
    }
}

/// A message type to be compiled: its descriptor and the Rust type bound to it.
type Job = (MessageDescriptor, Option<&'static MessageShape>);

#[derive(Default)]
struct Builder {
    /// Every message type seen; its index in the set. A Rust type is told by the address of its shape.
    seen: HashMap<(MessageDescriptor, usize), u32>,
    jobs: Vec<Job>,
    maps: Vec<MapPlan>,
    enums: Vec<EnumPlan>,
    seen_enums: HashMap<(EnumDescriptor, usize), u32>,
    /// The fields that stand in the place of those of the root.
    only: Option<Vec<FieldDescriptor>>,
    /// The Rust type of the one field in `only`.
    only_type: Option<TypeShape>,
}

impl Builder {
    fn build(mut self, root: MessageDescriptor, shape: Option<&'static MessageShape>) -> Result<PlanSet> {
        if self.only.is_some() {
            // Not noted: where the root type is reached again, it has all its fields.
            self.jobs.push((root, shape));
        } else {
            self.message_index(root, shape);
        }
        let mut messages = Vec::new();
        while let Some((descriptor, shape)) = self.jobs.get(messages.len()).cloned() {
            let plan = self.message(&descriptor, shape);
            messages.push(plan.map_err(|error| match shape {
                Some(shape) => error.in_message(shape.rust_name),
                None => error.in_message(descriptor.full_name()),
            })?);
        }
        let subs: Vec<_> = messages.iter().map(|plan| (plan.size, plan.glanced)).collect();
        for plan in &mut messages {
            for member in plan.members.iter_mut().filter(|member| member.head.holds.is_message()) {
                (member.sub_size, member.sub_glanced) = subs[member.sub as usize];
            }
        }
        Ok(PlanSet {
            messages: messages.into(),
            maps: self.maps.into(),
            enums: self.enums.into(),
            last_size: Default::default(),
            last_json_size: Default::default(),
            words_per_byte: Default::default(),
        })
    }

    fn message_index(&mut self, descriptor: MessageDescriptor, shape: Option<&'static MessageShape>) -> u32 {
        let address = shape.map_or(0, |shape| std::ptr::from_ref(shape) as usize);
        let next = self.jobs.len() as u32;
        *self.seen.entry((descriptor, address)).or_insert_with_key(|(descriptor, _)| {
            self.jobs.push((descriptor.clone(), shape));
            next
        })
    }

    fn message(
        &mut self,
        descriptor: &MessageDescriptor,
        shape: Option<&'static MessageShape>,
    ) -> Result<MessagePlan> {
        let mut layout = Layout::default();
        match shape {
            Some(shape) => self.bound(descriptor, shape, &mut layout)?,
            None => self.unbound(descriptor, &mut layout)?,
        }
        let Layout { mut fields, mut members, mut variants, routes, oneofs, unknown, told } = layout;
        if fields.len() >= usize::from(u16::MAX) || members.len() + variants.len() >= usize::from(u16::MAX) {
            return Err(Error::schema(format!("{} has more than 65534 fields", descriptor.full_name())));
        }
        let known = WellKnown::of(descriptor.full_name());
        for ((index, field), route) in (0u16..).zip(&mut fields).zip(&routes) {
            field.index = index;
            field.route = *route;
            (field.json_key, field.proto_key) = known.json_keys(field);
        }
        for member in members.iter_mut().chain(&mut variants) {
            member.json_key =
                member.role.field(&fields).map(|field| field.json_key.short()).unwrap_or_default();
        }
        let numbers: Vec<u32> = fields.iter().map(|field| field.number).collect();
        let mut by_number: Box<[u16]> = fields.iter().map(|field| field.index).collect();
        by_number.sort_unstable_by_key(|&index| numbers[usize::from(index)]);
        let required: Box<[u16]> =
            (0u16..).zip(&fields).filter(|(_, f)| f.presence == Presence::Required).map(|(i, _)| i).collect();
        let names = names::index(&fields, &oneofs);
        let merges = shape.is_some() && required.is_empty();
        let sorts = fields.iter().any(|field| self.sorts(field));
        Ok(MessagePlan {
            full_name: descriptor.full_name().into(),
            descriptor: descriptor.downgrade(),
            tags: TagTable::new(&fields),
            numbers: NumberTable::new(&numbers),
            ascends: shape.is_some_and(|shape| bind::ascends(shape, &members, &oneofs, &numbers)),
            by_number,
            merges,
            required,
            crossed: names::crossed(&fields, &names),
            keys: Keys::new(&fields),
            names,
            bound: shape.is_some(),
            told,
            glanced: if merges { told } else { 0 },
            variants: variants.into(),
            sorts,
            size: shape.map_or(32 + 24 * fields.len() as u32, |shape| shape.size),
            known,
            extendable: descriptor.extension_ranges().len() > 0,
            message_set: descriptor.is_message_set(),
            fields: fields.into(),
            members: members.into(),
            routes: routes.into(),
            oneofs: oneofs.into(),
            unknown,
            bindings: Default::default(),
        })
    }

    /// True when values of the field may turn out to be unknown fields.
    fn sorts(&self, field: &FieldPlan) -> bool {
        match field.shape {
            Shape::Map => self.maps[field.sub as usize].value.closed,
            _ => field.closed,
        }
    }

    fn unbound(&mut self, descriptor: &MessageDescriptor, layout: &mut Layout) -> Result<()> {
        let ty = self.only_type.take();
        let mut fields: Vec<FieldDescriptor> = match self.only.take() {
            Some(only) => only,
            None => descriptor.fields().collect(),
        };
        fields.sort_by_key(|field| field.number());
        for (member, field) in (0u16..).zip(&fields) {
            let mut plan = self.field(field, ty)?;
            plan.oneof = field.oneof().map(|oneof| oneof.index() as u16);
            layout.fields.push(plan);
            layout.routes.push(Route { member, variant: Route::NO_VARIANT });
        }
        for oneof in descriptor.oneofs() {
            let position = |member: &FieldDescriptor| fields.iter().position(|field| field == member);
            layout.oneofs.push(OneofPlan {
                name: oneof.name().into(),
                fields: oneof.fields().filter_map(|field| position(&field)).map(|i| i as u16).collect(),
                variants: Box::default(),
                first: 0,
                told: 0,
            });
        }
        Ok(())
    }

    fn bound(
        &mut self,
        descriptor: &MessageDescriptor,
        shape: &'static MessageShape,
        layout: &mut Layout,
    ) -> Result<()> {
        let mut names = Told::default();
        for (member, told) in (0u16..).zip(shape.members) {
            let role = match &told.role {
                Role::Field(field) => {
                    let route = Route { member, variant: Route::NO_VARIANT };
                    MemberRole::Field(self.member_field(descriptor, field, route, None, layout)?)
                }
                Role::Oneof(name, oneof) => {
                    let index = layout.oneofs.len() as u16;
                    let first = (shape.members.len() + layout.variants.len()) as u16;
                    let mut fields = Vec::new();
                    let mut told = Told::default();
                    for (variant, (name, field)) in (0u16..).zip(oneof().variants) {
                        let route = Route { member, variant };
                        let variant_name = head::name_of_variant(field);
                        let field = self.member_field(descriptor, field, route, Some(index), layout)?;
                        let plan = MemberPlan::new(name, MemberRole::Field(field), &layout.fields);
                        told.add(variant_name, plan.head);
                        layout.variants.push(plan);
                        fields.push(field);
                    }
                    let variants = oneof().variants.iter().map(|(variant, _)| *variant).collect();
                    layout.oneofs.push(OneofPlan {
                        name: (*name).into(),
                        fields: fields.into(),
                        variants,
                        first,
                        told: told.mark(),
                    });
                    MemberRole::Oneof(index)
                }
                Role::Unknown => {
                    layout.unknown = Some(member);
                    MemberRole::Unknown
                }
            };
            let plan = MemberPlan::new(told.name, role, &layout.fields);
            names.add(head::name_of(told), plan.head);
            layout.members.push(plan);
        }
        layout.told = names.mark();
        Ok(())
    }

    fn member_field(
        &mut self,
        descriptor: &MessageDescriptor,
        told: &FieldShape,
        route: Route,
        oneof: Option<u16>,
        layout: &mut Layout,
    ) -> Result<u16> {
        let found = match told.number {
            Some(number) => descriptor.field_by_number(number),
            None => descriptor.field_by_name(told.name),
        };
        let Some(field) = found else {
            let what =
                told.number.map_or(format!("named {}", told.name), |number| format!("with number {number}"));
            let message = format!("{} has no field {what}", descriptor.full_name());
            return Err(Error::schema(message).in_field(told.name));
        };
        if layout.fields.iter().any(|other| other.number == field.number()) {
            let message = format!("field number {} is taken by another member", field.number());
            return Err(Error::schema(message).in_field(told.name));
        }
        let in_oneof = field.oneof().is_some();
        if oneof.is_some() && !in_oneof {
            return Err(Error::schema("the field is not in a oneof of the schema").in_field(told.name));
        }
        let mut plan = self.field(&field, Some(told.ty)).map_err(|error| error.in_field(told.name))?;
        plan.oneof = oneof;
        let explicit = plan.shape == Shape::Singular && matches!(told.ty, TypeShape::Option(_));
        if explicit && plan.presence == Presence::Implicit {
            // The option is the member's presence; a value that is there is written.
            plan.presence = Presence::Explicit;
        }
        layout.fields.push(plan);
        layout.routes.push(route);
        Ok((layout.fields.len() - 1) as u16)
    }

    /// The plan of a field; `ty` is what its Rust type looks like, where one is bound.
    fn field(&mut self, field: &FieldDescriptor, ty: Option<TypeShape>) -> Result<FieldPlan> {
        let name = |own: &str| match field.is_extension() {
            true => format!("[{}]", field.full_name()).into(),
            false => own.into(),
        };
        let mut plan = FieldPlan {
            tag: 0,
            other_tag: 0,
            tag_bytes: [0; 8],
            tag_len: 0,
            kind: Kind::of(field),
            shape: Shape::Singular,
            op: Op::Varint64,
            presence: if field.is_required() {
                Presence::Required
            } else if field.has_presence() {
                Presence::Explicit
            } else {
                Presence::Implicit
            },
            packed: false,
            utf8: field.validates_utf8(),
            closed: false,
            sub: 0,
            number: field.number(),
            oneof: None,
            index: 0,
            single: None,
            single_message: false,
            route: Route::SKIP,
            place: field.place(),
            name: name(field.name()),
            json_name: name(field.json_name()),
            json_key: Key::default(),
            proto_key: Key::default(),
            default: field.default().map(|value| Box::new(value.clone())),
        };
        let mut wire_type = plan.kind.wire_type();
        match field.shape() {
            Declared::Singular(_) => {
                if let Some(ty) = ty {
                    bind::check(ty, Shape::Singular, plan.kind, None)?;
                }
                self.value(&mut plan, field.kind(), ty);
            }
            Declared::List(_) => {
                plan.shape = Shape::List;
                if let Some(ty) = ty {
                    bind::check(ty, Shape::List, plan.kind, None)?;
                }
                self.value(&mut plan, field.kind(), ty);
                if wire_type != WireType::Len && wire_type != WireType::StartGroup {
                    plan.packed = field.is_packed();
                    let packed = Tag::new(field.number(), WireType::Len).value();
                    let single = Tag::new(field.number(), wire_type).value();
                    plan.other_tag = if plan.packed { single } else { packed };
                    if plan.packed {
                        wire_type = WireType::Len;
                    }
                }
            }
            Declared::Map { key, value } => {
                plan.shape = Shape::Map;
                let inner = match ty {
                    Some(TypeShape::Map(k, v)) => (Some(*k), Some(*v)),
                    _ => (None, None),
                };
                if let Some(ty) = ty {
                    bind::check(ty, Shape::Map, Kind::of(&value), Some(Kind::of(&key)))?;
                }
                let mut entry =
                    MapPlan { key: self.field(&key, inner.0)?, value: self.field(&value, inner.1)? };
                // Both halves of an entry are always written, whatever the presence of their fields says.
                entry.key.presence = Presence::Explicit;
                entry.value.presence = Presence::Explicit;
                entry.value.index = 1;
                plan.kind = Kind::Message;
                plan.sub = self.maps.len() as u32;
                wire_type = WireType::Len;
                self.maps.push(entry);
            }
        }
        plan.tag = Tag::new(field.number(), wire_type).value();
        let mut bytes = [0; 10];
        plan.tag_len = crate::wire::put_varint(&mut bytes, u64::from(plan.tag)) as u8;
        plan.tag_bytes.copy_from_slice(&bytes[..8]);
        plan.single = (plan.shape == Shape::Singular).then_some(plan.kind);
        plan.single_message = plan.shape == Shape::Singular && plan.is_message();
        plan.op = Op::of(&plan);
        Ok(plan)
    }

    /// Sets what depends on the message or enum type of a single value.
    fn value(&mut self, plan: &mut FieldPlan, kind: descriptor::Kind, ty: Option<TypeShape>) {
        let leaf = ty.map(|ty| match ty {
            TypeShape::Option(inner) | TypeShape::List(inner) => *inner,
            other => other,
        });
        match kind {
            descriptor::Kind::Message(message) => {
                let shape = match leaf {
                    Some(TypeShape::Message(shape)) => Some(shape()),
                    _ => None,
                };
                plan.sub = self.message_index(message, shape);
            }
            descriptor::Kind::Enum(enumeration) => {
                plan.closed = enumeration.is_closed();
                let shape = match leaf {
                    Some(TypeShape::Enum(shape)) => Some(shape()),
                    _ => None,
                };
                plan.sub = self.enum_index(enumeration, shape);
            }
            _ => {}
        }
    }

    fn enum_index(&mut self, descriptor: EnumDescriptor, shape: Option<&'static EnumShape>) -> u32 {
        let address = shape.map_or(0, |shape| std::ptr::from_ref(shape) as usize);
        let enums = &mut self.enums;
        *self.seen_enums.entry((descriptor, address)).or_insert_with_key(|(descriptor, _)| {
            enums.push(EnumPlan::new(descriptor, shape));
            (enums.len() - 1) as u32
        })
    }
}

#[derive(Default)]
struct Layout {
    fields: Vec<FieldPlan>,
    members: Vec<MemberPlan>,
    variants: Vec<MemberPlan>,
    routes: Vec<Route>,
    oneofs: Vec<OneofPlan>,
    unknown: Option<u16>,
    told: u64,
}

/// What a derive tells of members, as long as it is what the plan says.
#[derive(Default)]
struct Told {
    names: Vec<Name>,
    differs: bool,
}

impl Told {
    fn add(&mut self, name: Name, head: Head) {
        self.differs |= Head::told(&name).is_some_and(|told| told != head);
        self.names.push(name);
    }

    fn mark(&self) -> u64 {
        if self.differs { 0 } else { head::mark(&self.names) }
    }
}

impl EnumPlan {
    fn new(descriptor: &EnumDescriptor, shape: Option<&'static EnumShape>) -> Self {
        let mut values: Vec<(i32, Box<str>)> =
            descriptor.values().map(|value| (value.number(), value.name().into())).collect();
        let by_name = values.iter().map(|(number, name)| (name.clone(), *number)).collect();
        let default = values.first().map_or(0, |(number, _)| *number);
        // A stable sort: of several names of one number the one declared first stays.
        values.sort_by_key(|(number, _)| *number);
        values.dedup_by_key(|(number, _)| *number);
        let first = values.first().map_or(0, |(number, _)| *number);
        let dense = (i64::from(first)..).zip(&values).all(|(i, (number, _))| i == i64::from(*number));
        let variants = shape.map_or_else(Box::default, |shape| {
            shape.values.iter().map(|(variant, _, number)| (*variant, *number)).collect()
        });
        let full_name = descriptor.full_name().into();
        let null = descriptor.full_name() == "google.protobuf.NullValue";
        let json_name = |name: &str| if null { b"null".as_slice().into() } else { print::quoted(name) };
        let json_names = values.iter().map(|(_, name)| json_name(name)).collect();
        EnumPlan {
            full_name,
            values: values.into(),
            by_name,
            variants,
            default,
            null,
            json_names,
            first,
            dense,
        }
    }
}

impl WellKnown {
    fn of(full_name: &str) -> Self {
        let Some(name) = full_name.strip_prefix("google.protobuf.") else { return WellKnown::No };
        match name {
            "Any" => WellKnown::Any,
            "Timestamp" => WellKnown::Timestamp,
            "Duration" => WellKnown::Duration,
            "FieldMask" => WellKnown::FieldMask,
            "Struct" => WellKnown::Struct,
            "Value" => WellKnown::Value,
            "ListValue" => WellKnown::ListValue,
            "DoubleValue" | "FloatValue" | "Int64Value" | "UInt64Value" | "Int32Value" | "UInt32Value"
            | "BoolValue" | "StringValue" | "BytesValue" => WellKnown::Wrapper,
            _ => WellKnown::No,
        }
    }

    /// What JSON writes before a field of such a message, by JSON name and by proto name.
    fn json_keys(self, field: &FieldPlan) -> (Key, Key) {
        match self {
            WellKnown::No => (Key::member(&field.json_name), Key::member(&field.name)),
            // Two numbers that become one text.
            WellKnown::Timestamp | WellKnown::Duration => {
                let part = if field.number == 1 { b"s" } else { b"n" };
                (Key::mark(part), Key::mark(part))
            }
            _ => Default::default(),
        }
    }
}

impl Kind {
    fn of(field: &FieldDescriptor) -> Kind {
        use crate::descriptor::Kind as K;
        match field.kind() {
            K::Double => Kind::Double,
            K::Float => Kind::Float,
            K::Int32 => Kind::Int32,
            K::Int64 => Kind::Int64,
            K::UInt32 => Kind::UInt32,
            K::UInt64 => Kind::UInt64,
            K::SInt32 => Kind::SInt32,
            K::SInt64 => Kind::SInt64,
            K::Fixed32 => Kind::Fixed32,
            K::Fixed64 => Kind::Fixed64,
            K::SFixed32 => Kind::SFixed32,
            K::SFixed64 => Kind::SFixed64,
            K::Bool => Kind::Bool,
            K::String => Kind::String,
            K::Bytes => Kind::Bytes,
            K::Enum(_) => Kind::Enum,
            K::Message(_) if field.is_delimited() => Kind::Group,
            K::Message(_) => Kind::Message,
        }
    }

    /// The wire type of a single value.
    pub(crate) fn wire_type(self) -> WireType {
        match self {
            Kind::Double | Kind::Fixed64 | Kind::SFixed64 => WireType::Fixed64,
            Kind::Float | Kind::Fixed32 | Kind::SFixed32 => WireType::Fixed32,
            Kind::String | Kind::Bytes | Kind::Message => WireType::Len,
            Kind::Group => WireType::StartGroup,
            _ => WireType::Varint,
        }
    }
}
