//! Makes columns from a descriptor and options. Columns have an Arrow schema, a plan that reads the fields, and slots that
//! store the values.

use crate::options::{Enums, Oneofs, Options, Texts};
use crate::slot::{Fixed, List, Presence, Slot, Special, Text, Values, View};
use crate::wanted::{Wanted, step};
use arrow_schema::{DataType, Field, FieldRef, Fields, Schema, SchemaRef, UnionFields, UnionMode};
use std::collections::HashMap;
use std::sync::Arc;
use tobu::descriptor::Type;
use tobu::sink::Plan;
use tobu::{EnumDescriptor, Error, FieldDescriptor, Kind, MessageDescriptor, Pool, Result};

/// The columns of a message type: their Arrow schema, and everything that is necessary to fill them.
///
/// You make the columns once, for any number of [batchers](crate::Batcher) and threads. A clone shares them.
///
/// ```
/// # use tobu_schemas::library;
/// use library::v1::Book;
/// use tobu::Message;
/// use tobu_arrow::{Batcher, Columns};
///
/// let columns = Columns::new(&Book::descriptor())?;
/// let mut batcher = Batcher::new(&columns);
/// batcher.push(b"\x0a\x04Dune\x18\x9c\x03")?;
/// let batch = batcher.finish()?.unwrap();
/// assert_eq!(batch.num_rows(), 1);
/// assert_eq!(batch.schema(), columns.schema());
/// # Ok::<(), tobu::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Columns(pub(crate) Arc<Inner>);

#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) descriptor: MessageDescriptor,
    pub(crate) schema: SchemaRef,
    pub(crate) plan: Plan,
    pub(crate) options: Options,
    /// A slot for each field of the plan, without values.
    pub(crate) slots: Vec<Slot>,
    pub(crate) nodes: Vec<Node>,
    /// The number of spaces. A space is a sequence of rows: one row for each message, or for each element of one list.
    pub(crate) spaces: usize,
    /// The number of bytes that a message takes in the columns, without its lists and strings.
    pub(crate) cost: usize,
    pub(crate) enums: Vec<Names>,
}

/// A column, and how the Arrow array of the column is made.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) field: FieldRef,
    /// The index of the space that has the rows of the column.
    pub(crate) space: usize,
    pub(crate) shape: Shape,
}

#[derive(Debug)]
pub(crate) enum Shape {
    /// The values of a slot, by the index of the slot.
    Leaf(usize),
    /// The names of the enum numbers in a slot, by the index of the slot and the index of the enum in `Inner::enums`.
    Enum(usize, usize),
    /// A message. The slot says which messages are present; it is `None` if all are present. The nodes are the columns of the
    /// fields.
    Struct(Option<usize>, Vec<Node>),
    List(usize, Box<Node>),
    Map(usize, Box<[Node; 2]>),
    Union(Vec<Node>),
}

/// The names of the values of an enum.
#[derive(Debug)]
pub(crate) struct Names {
    pub(crate) ty: EnumDescriptor,
    /// Each number and the index of its name in `names`, in ascending order of the numbers.
    pub(crate) numbers: Vec<(i32, i32)>,
    pub(crate) names: Vec<String>,
}

impl Names {
    fn new(ty: EnumDescriptor) -> Self {
        let (mut numbers, mut names) = (Vec::new(), Vec::new());
        for value in names_of(&ty) {
            numbers.push((value.number(), names.len() as i32));
            names.push(value.name().to_owned());
        }
        numbers.sort_unstable();
        Names { ty, numbers, names }
    }

    pub(crate) fn index_of(&self, number: i32) -> Option<i32> {
        // The numbers of most enums count up from 0, so a number is usually also an index.
        match self.numbers.get(number as usize) {
            Some((found, index)) if *found == number => Some(*index),
            _ => {
                let at = self.numbers.binary_search_by_key(&number, |(number, _)| *number).ok()?;
                Some(self.numbers[at].1)
            }
        }
    }
}

impl Columns {
    /// Makes a column for each field of the message. [`Options`] says which types the columns have.
    ///
    /// # Errors
    /// A type contains itself, messages nest deeper than 100 levels, or there are more than 10,000 columns.
    pub fn new(descriptor: &MessageDescriptor) -> Result<Columns> {
        Self::with_options(descriptor, &Options::new())
    }

    pub(crate) fn with_options(descriptor: &MessageDescriptor, options: &Options) -> Result<Columns> {
        let wanted = match &options.fields {
            Some(paths) => Wanted::new(descriptor, paths, &pool_of(options))?,
            None => Wanted::Whole,
        };
        Self::of_wanted(descriptor, options, &wanted)
    }

    /// Returns the columns with these indices in the schema, in the order of the schema.
    ///
    /// ```
    /// # use tobu_schemas::library;
    /// use library::v1::Book;
    /// use tobu::Message;
    /// use tobu_arrow::Columns;
    ///
    /// let columns = Columns::new(&Book::descriptor())?;
    /// let some = columns.project(&[2, 0])?;
    /// let names: Vec<_> = some.schema().fields().iter().map(|field| field.name().clone()).collect();
    /// assert_eq!(names, ["title", "pages"]);
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// An index is not the index of a column.
    pub fn project(&self, indices: &[usize]) -> Result<Columns> {
        let (descriptor, options) = (&self.0.descriptor, &self.0.options);
        let mut names = Vec::with_capacity(indices.len());
        for index in indices {
            let Some(node) = self.0.nodes.get(*index) else {
                let error = Error::schema(format!("there is no column {index}"));
                return Err(error.in_message(descriptor.full_name()));
            };
            names.push(node.field.name().as_str());
        }
        let wanted = match &options.fields {
            Some(paths) => Wanted::new(descriptor, paths, &pool_of(options))?,
            None => Wanted::Whole,
        };
        let is_wanted = |field: &FieldDescriptor| {
            let oneof = field.oneof().filter(|_| options.oneofs == Oneofs::Union);
            let column = oneof.map_or_else(|| step(field), |oneof| oneof.name().to_owned());
            names.contains(&column.as_str())
        };
        Self::of_wanted(descriptor, options, &wanted.only(descriptor, is_wanted))
    }

    fn of_wanted(descriptor: &MessageDescriptor, options: &Options, wanted: &Wanted) -> Result<Columns> {
        let pool = pool_of(options);
        let mut compiler = Compiler {
            options,
            paths: Vec::new(),
            empty: Vec::new(),
            slots: Vec::new(),
            costs: vec![0],
            open: vec![descriptor.full_name().to_owned()],
            columns: 0,
            enums: Vec::new(),
        };
        let at = At { space: 0, path: String::new() };
        let nodes = compiler
            .members(descriptor, wanted, &at)
            .map_err(|error| error.in_message(descriptor.full_name()))?;
        let Compiler { paths, empty, mut slots, costs, enums, .. } = compiler;
        for list in slots.iter_mut().filter_map(|slot| slot.list.as_mut()) {
            list.cost = costs[list.child as usize];
        }
        let mut plan = Plan::builder(descriptor).pool(&pool);
        for path in &paths {
            plan = plan.field(path)?;
        }
        // The plan gives the unknown fields of these messages the indices after the slots, which the sink ignores.
        for path in &empty {
            plan = plan.unknown(path)?;
        }
        let message = (Kept::MESSAGE.to_owned(), descriptor.full_name().to_owned());
        let fields: Fields = nodes.iter().map(|node| node.field.clone()).collect();
        let schema = Schema::new_with_metadata(fields, HashMap::from([message]));
        Ok(Columns(Arc::new(Inner {
            descriptor: descriptor.clone(),
            schema: Arc::new(schema),
            plan: plan.build()?,
            options: options.clone(),
            slots,
            nodes,
            spaces: costs.len(),
            cost: costs[0].max(1),
            enums,
        })))
    }

    /// Returns the message type.
    pub fn descriptor(&self) -> &MessageDescriptor {
        &self.0.descriptor
    }

    /// Returns the schema of the batches.
    pub fn schema(&self) -> SchemaRef {
        self.0.schema.clone()
    }
}

/// The keys of the metadata with which Arrow fields describe protobuf fields, and values of this metadata.
pub(crate) struct Kept;

impl Kept {
    /// The full name of the message. It is in the metadata of the schema.
    pub(crate) const MESSAGE: &str = "protobuf.message";
    pub(crate) const NUMBER: &str = "protobuf.number";
    /// The scalar type of the field, or the full name of its message or enum.
    pub(crate) const TYPE: &str = "protobuf.type";
    /// The type of a message that is encoded as a group, between two tags.
    pub(crate) const GROUP: &str = "group";
    /// The values of an enum: `A=0,B=1`.
    pub(crate) const VALUES: &str = "protobuf.values";
}

struct Compiler<'o> {
    options: &'o Options,
    /// The path of each slot, for the plan.
    paths: Vec<String>,
    /// The paths of messages without columns. Their bytes are checked nevertheless.
    empty: Vec<String>,
    slots: Vec<Slot>,
    /// For each space, the number of bytes that a row takes.
    costs: Vec<usize>,
    /// The full names of the message types around the fields that are compiled, from the outermost to the innermost.
    open: Vec<String>,
    columns: usize,
    enums: Vec<Names>,
}

/// The maximum number of nested messages. By default no reader accepts deeper messages.
const DEEPEST: usize = 100;

/// The place of a message in the message type of the columns.
#[derive(Clone)]
struct At {
    space: usize,
    /// The path of the message, to which the names of its fields are appended.
    path: String,
}

impl At {
    fn step(&self, field: &FieldDescriptor) -> String {
        let name = step(field);
        let brackets = if field.is_list() || field.is_map() { "[]" } else { "" };
        match self.path.is_empty() {
            true => format!("{name}{brackets}"),
            false => format!("{}.{name}{brackets}", self.path),
        }
    }
}

/// How the values of a field are stored: their Arrow type, and their slot.
struct Leaf {
    ty: DataType,
    values: Values,
    special: Special,
    /// The number of bytes that a value takes.
    width: usize,
    names: Option<usize>,
    json: bool,
}

impl Compiler<'_> {
    /// Makes the columns of the fields of a message.
    fn members(&mut self, message: &MessageDescriptor, wanted: &Wanted, at: &At) -> Result<Vec<Node>> {
        let mut nodes = Vec::new();
        let mut fields: Vec<(FieldDescriptor, &Wanted)> = Vec::new();
        for field in message.fields() {
            if let Some(wanted) = wanted.find(field.number()) {
                fields.push((field, wanted));
            }
        }
        fields.extend(wanted.extensions());
        let mut unions: Vec<String> = Vec::new();
        for (field, inside) in &fields {
            match field.oneof().filter(|_| self.options.oneofs == Oneofs::Union) {
                None => nodes.push(self.field(field, inside, at).map_err(|e| e.in_field(field.name()))?),
                Some(oneof) if unions.iter().any(|known| known == oneof.name()) => {}
                Some(oneof) => {
                    unions.push(oneof.name().to_owned());
                    nodes.push(self.union(&oneof, &fields, at)?);
                }
            }
        }
        Ok(nodes)
    }

    fn union(
        &mut self,
        oneof: &tobu::OneofDescriptor,
        fields: &[(FieldDescriptor, &Wanted)],
        at: &At,
    ) -> Result<Node> {
        let (mut ids, mut types, mut members) = (vec![0], vec![none_set()], Vec::new());
        for (index, member) in oneof.fields().enumerate() {
            let Some((field, inside)) = fields.iter().find(|(field, _)| *field == member) else { continue };
            let Ok(id) = i8::try_from(index + 1) else {
                let text = format!(
                    "the oneof {} has more than 127 members, but a union has at most 127",
                    oneof.name()
                );
                return Err(Error::schema(text));
            };
            let node = self.field(field, inside, at).map_err(|error| error.in_field(field.name()))?;
            ids.push(id);
            types.push(node.field.clone());
            members.push(node);
        }
        self.costs[at.space] += 1;
        let fields = UnionFields::try_new(ids, types).map_err(|error| Error::schema(error.to_string()))?;
        let field = Field::new(oneof.name(), DataType::Union(fields, UnionMode::Sparse), true);
        Ok(Node { field: Arc::new(field), space: at.space, shape: Shape::Union(members) })
    }

    fn field(&mut self, field: &FieldDescriptor, wanted: &Wanted, at: &At) -> Result<Node> {
        self.columns += 1;
        if self.columns > self.options.most {
            let text = format!("the message has more than {} columns", self.options.most);
            return Err(Error::schema(text));
        }
        let path = at.step(field);
        if let (Some(key), Some(value)) = (field.map_key(), field.map_value()) {
            return self.map(field, &key, &value, wanted, at, path);
        }
        if field.is_list() {
            let child = self.space();
            let slot = self.slot(path.clone(), child, Values::Inside);
            self.slots[slot].list = Some(List::new(at.space as u32, child as u32));
            self.costs[at.space] += 4;
            let inside = At { space: child, path };
            let item = self.value(field, wanted, &inside, Some(slot), "item", false)?;
            let ty = DataType::List(item.field.clone());
            let list = self.arrow(field, field.name(), ty, false);
            return Ok(Node { field: list, space: at.space, shape: Shape::List(slot, Box::new(item)) });
        }
        let is_nullable = field.has_presence() && !field.is_required();
        let inside = At { space: at.space, path };
        self.value(field, wanted, &inside, None, field.name(), is_nullable)
    }

    fn map(
        &mut self,
        field: &FieldDescriptor,
        key: &FieldDescriptor,
        value: &FieldDescriptor,
        wanted: &Wanted,
        at: &At,
        path: String,
    ) -> Result<Node> {
        let child = self.space();
        let slot = self.slot(path.clone(), child, Values::Inside);
        self.costs[at.space] += 4;
        let inside = |name| At { space: child, path: format!("{path}.{name}") };
        let keys = self.value(key, &Wanted::Whole, &inside("key"), None, "key", false)?;
        let mut list = List::new(at.space as u32, child as u32);
        list.keys = Some(slot as u32 + 1);
        self.slots[slot].list = Some(list);
        // Every entry has a value, so a value is never null, and a message value needs no slot for its presence.
        let values = self.value(value, wanted, &inside("value"), None, "value", false)?;
        let entry = DataType::Struct([keys.field.clone(), values.field.clone()].into_iter().collect());
        let ty = DataType::Map(Arc::new(Field::new("entries", entry, false)), false);
        let map = self.arrow(field, field.name(), ty, false);
        Ok(Node { field: map, space: at.space, shape: Shape::Map(slot, Box::new([keys, values])) })
    }

    /// Makes the column of the values of a field, one per row. If the field is a list, `slot` is the slot that was made for the
    /// list.
    fn value(
        &mut self,
        field: &FieldDescriptor,
        wanted: &Wanted,
        at: &At,
        slot: Option<usize>,
        name: &str,
        is_nullable: bool,
    ) -> Result<Node> {
        if let Some(message) = field.message_type()
            && let Some(special) = self.special(&message, wanted)?
        {
            let leaf = self.leaf_of(special, is_nullable)?;
            return Ok(self.leaf(field, leaf, at, slot, name, is_nullable));
        }
        let Some(message) = field.message_type() else {
            let leaf = self.scalar(field, is_nullable)?;
            return Ok(self.leaf(field, leaf, at, slot, name, is_nullable));
        };
        let own = match slot {
            None if is_nullable => {
                self.costs[at.space] += 1;
                Some(self.slot(at.path.clone(), at.space, Values::Struct(Presence::default())))
            }
            _ => None,
        };
        if self.open.len() >= DEEPEST {
            return Err(Error::schema(format!("messages are nested deeper than {DEEPEST} levels")));
        }
        self.open.push(message.full_name().to_owned());
        let members = self.members(&message, wanted, at)?;
        self.open.pop();
        if members.is_empty() {
            self.empty.push(at.path.clone());
        }
        let fields: Fields = members.iter().map(|node| node.field.clone()).collect();
        let column = self.arrow(field, name, DataType::Struct(fields), is_nullable);
        Ok(Node { field: column, space: at.space, shape: Shape::Struct(own, members) })
    }

    fn leaf(
        &mut self,
        field: &FieldDescriptor,
        leaf: Leaf,
        at: &At,
        slot: Option<usize>,
        name: &str,
        is_nullable: bool,
    ) -> Node {
        let slot = slot.unwrap_or_else(|| self.slot(at.path.clone(), at.space, Values::Inside));
        self.slots[slot].values = leaf.values;
        self.slots[slot].special = leaf.special;
        self.slots[slot].is_text = matches!(leaf.ty, DataType::Utf8 | DataType::Utf8View);
        self.costs[at.space] += leaf.width;
        let mut column = self.arrow(field, name, leaf.ty, is_nullable);
        if leaf.json {
            let mut metadata = column.metadata().clone();
            metadata.insert("ARROW:extension:name".to_owned(), "arrow.json".to_owned());
            column = Arc::new((*column).clone().with_metadata(metadata));
        }
        let shape = match leaf.names {
            Some(names) => Shape::Enum(slot, names),
            None => Shape::Leaf(slot),
        };
        Node { field: column, space: at.space, shape }
    }

    /// Makes the Arrow field. Its metadata describes the protobuf field.
    fn arrow(&self, field: &FieldDescriptor, name: &str, ty: DataType, is_nullable: bool) -> FieldRef {
        let mut metadata = HashMap::new();
        if !matches!(ty, DataType::List(_)) {
            let kind = match field.kind() {
                _ if field.is_map() && name == field.name() => "map".to_owned(),
                Kind::Message(_) if field.is_delimited() => Kept::GROUP.to_owned(),
                Kind::Message(message) => message.full_name().to_owned(),
                Kind::Enum(ty) => {
                    let value =
                        |value: tobu::EnumValueDescriptor| format!("{}={}", value.name(), value.number());
                    let values: Vec<String> = names_of(&ty).map(value).collect();
                    metadata.insert(Kept::VALUES.to_owned(), values.join(","));
                    ty.full_name().to_owned()
                }
                _ => field.ty().name().to_owned(),
            };
            metadata.insert(Kept::TYPE.to_owned(), kind);
        }
        if name == field.name() && !field.message().is_map_entry() {
            metadata.insert(Kept::NUMBER.to_owned(), field.number().to_string());
        }
        let name = match field.is_extension() && name == field.name() {
            true => step(field),
            false => name.to_owned(),
        };
        Arc::new(Field::new(name, ty, is_nullable).with_metadata(metadata))
    }

    /// Returns how the messages of a type are stored, if each of them is stored as a single value. Otherwise returns `None`.
    /// Fails if the type contains itself and the options do not allow this.
    fn special(&self, message: &MessageDescriptor, wanted: &Wanted) -> Result<Option<Special>> {
        let name = message.full_name();
        if let Some(special) = well_known(message) {
            return Ok(Some(special));
        }
        let levels = self.open.iter().filter(|open| *open == name).count();
        if levels == 0 || !matches!(wanted, Wanted::Whole) {
            return Ok(None);
        }
        match self.options.recursion {
            Some(most) if levels < most => Ok(None),
            Some(_) => Ok(Some(Special::Raw)),
            None => {
                let text =
                    format!("{name} contains itself: set `recursion`, or leave the field out by `fields`");
                Err(Error::schema(text))
            }
        }
    }

    fn leaf_of(&self, special: Special, is_nullable: bool) -> Result<Leaf> {
        let word = || Values::Word(Fixed::new(0, is_nullable));
        let leaf = |ty, values, special, width| Leaf { ty, values, special, width, names: None, json: false };
        Ok(match special {
            Special::Timestamp => {
                let ty = DataType::Timestamp(self.options.unit, Some("UTC".into()));
                leaf(ty, word(), special, 8)
            }
            Special::Duration => leaf(DataType::Duration(self.options.unit), word(), special, 8),
            Special::Wrapper(ty) => {
                let (ty, values, width) = self.number(ty, is_nullable);
                leaf(ty, values, special, width)
            }
            Special::Json(_) => {
                let (ty, values, width) = self.number(Type::String, is_nullable);
                Leaf { json: true, ..leaf(ty, values, special, width) }
            }
            Special::Raw | Special::None => {
                let (ty, values, width) = self.number(Type::Bytes, is_nullable);
                leaf(ty, values, special, width)
            }
        })
    }

    fn scalar(&mut self, field: &FieldDescriptor, is_nullable: bool) -> Result<Leaf> {
        let Kind::Enum(enumeration) = field.kind() else {
            let (ty, values, width) = self.number(field.ty(), is_nullable);
            return Ok(Leaf { ty, values, special: Special::None, width, names: None, json: false });
        };
        let values = Values::Half(Fixed::new(first_number(&enumeration), is_nullable));
        let (ty, width) = match self.options.enums {
            Enums::Number => (DataType::Int32, 4),
            Enums::Dictionary => {
                (DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8)), 4)
            }
            // The bytes of strings are counted in the input. It does not have the names, so the width includes the longest
            // name.
            Enums::Text => (DataType::Utf8, 4 + longest_name(&enumeration)),
        };
        let names = match self.options.enums {
            Enums::Number => None,
            _ => Some(self.names(enumeration)),
        };
        Ok(Leaf { ty, values, special: Special::None, width, names, json: false })
    }

    /// Returns the Arrow type of a scalar, how the slot stores its values, and the size of a value in bytes.
    fn number(&self, ty: Type, is_nullable: bool) -> (DataType, Values, usize) {
        let word = || Values::Word(Fixed::new(0, is_nullable));
        let half = || Values::Half(Fixed::new(0, is_nullable));
        let text = || match self.options.texts {
            Texts::Plain => Values::Text(Text::new(is_nullable)),
            Texts::Views => Values::View(View::new(is_nullable)),
        };
        let views = self.options.texts == Texts::Views;
        match ty {
            Type::Int64 | Type::SInt64 | Type::SFixed64 => (DataType::Int64, word(), 8),
            Type::UInt64 | Type::Fixed64 => (DataType::UInt64, word(), 8),
            Type::Double => (DataType::Float64, word(), 8),
            Type::UInt32 | Type::Fixed32 => (DataType::UInt32, half(), 4),
            Type::Float => (DataType::Float32, half(), 4),
            Type::Bool => (DataType::Boolean, Values::Bit(Fixed::new(false, is_nullable)), 1),
            Type::String if views => (DataType::Utf8View, text(), 16),
            Type::String => (DataType::Utf8, text(), 4),
            Type::Bytes if views => (DataType::BinaryView, text(), 16),
            Type::Bytes => (DataType::Binary, text(), 4),
            _ => (DataType::Int32, half(), 4),
        }
    }

    fn names(&mut self, ty: EnumDescriptor) -> usize {
        if let Some(at) = self.enums.iter().position(|names| names.ty == ty) {
            return at;
        }
        self.enums.push(Names::new(ty));
        self.enums.len() - 1
    }

    fn space(&mut self) -> usize {
        // An element takes memory in its list even if it has no columns.
        self.costs.push(1);
        self.costs.len() - 1
    }

    fn slot(&mut self, path: String, space: usize, values: Values) -> usize {
        self.paths.push(path);
        self.slots.push(Slot {
            space: space as u32,
            list: None,
            values,
            special: Special::None,
            is_text: false,
        });
        self.slots.len() - 1
    }
}

/// Returns the values of an enum. If a number has several names, returns only the first one.
fn names_of(ty: &EnumDescriptor) -> impl Iterator<Item = tobu::EnumValueDescriptor> + '_ {
    let mut known = std::collections::HashSet::new();
    ty.values().filter(move |value| known.insert(value.number()))
}

fn pool_of(options: &Options) -> Pool {
    options.pool.clone().unwrap_or_else(Pool::global)
}

fn none_set() -> FieldRef {
    Arc::new(Field::new("none", DataType::Null, true))
}

/// Returns the number of an enum field that is not set.
fn first_number(ty: &EnumDescriptor) -> u32 {
    match ty.is_closed() {
        true => ty.values().next().map_or(0, |value| value.number() as u32),
        false => 0,
    }
}

fn longest_name(ty: &EnumDescriptor) -> usize {
    // A number without a name is written as a number of up to eleven characters.
    ty.values().map(|value| value.name().len()).max().unwrap_or(0).max(11)
}

/// Returns how the messages of a well-known type are stored, if each of them is stored as a single value. Otherwise returns
/// `None`.
pub(crate) fn well_known(message: &MessageDescriptor) -> Option<Special> {
    let name = message.full_name().strip_prefix("google.protobuf.")?;
    let field = message.field_by_number(1).filter(|_| message.fields().len() == 1);
    match name {
        "Timestamp" => Some(Special::Timestamp),
        "Duration" => Some(Special::Duration),
        "Struct" | "Value" | "ListValue" => Some(Special::Json(message.clone())),
        "DoubleValue" | "FloatValue" | "Int64Value" | "UInt64Value" | "Int32Value" | "UInt32Value"
        | "BoolValue" | "StringValue" | "BytesValue" => Some(Special::Wrapper(field?.ty())),
        _ => None,
    }
}
