//! Reads one Rust value for each element of a repeated message.

use super::node::{Nodes, Tree};
use super::path::{self, Found};
use super::plan::{Plan, first_error};
use super::value::Scalar;
use super::walk::{Ended, entry_key, walk};
use super::{Flow, Sink, Stop};
use crate::descriptor::{DefaultValue, FieldDescriptor, FieldShape, Kind, MessageDescriptor, Pool};
use crate::error::{Error, Result};
use crate::object::wire::{Fields, Next, Noted, after_tag, len_prefixed};
use crate::options::DecodeOptions;
use crate::table::{self, Row as TableRow, Shape};
use crate::wire::Reader;
use bytes::Bytes;
use once_cell::sync::OnceCell;
use std::fmt;

/// A struct whose members are fields of a message, each bound by a path: [derive it](derive@crate::Row).
///
/// There is one row for each element of the innermost repeated message on the paths, in the order of the input. Fields
/// outside of the element are repeated in each of its rows. A message without such elements has no row. If no path
/// leads through a repeated message, each message has one row.
///
/// ```
/// # use tobu_schemas::library;
/// use library::v1::{Genre, Shelf};
/// use tobu::sink::rows;
///
/// #[derive(Debug, PartialEq, tobu::Row)]
/// #[tobu(message = Shelf)]
/// struct BookRow<'a> {
///     #[tobu(path = "name")]
///     shelf: &'a str,
///     #[tobu(path = "books[].title")]
///     title: &'a str,
///     #[tobu(path = "books[].pages")]
///     pages: u32,
///     #[tobu(path = "books[].genre")]
///     genre: Genre,
///     #[tobu(path = "books[].loan.reader")]
///     reader: Option<&'a str>,
///     #[tobu(path = "books[].authors[]")]
///     authors: Vec<String>,
/// }
///
/// let bytes = b"\x0a\x01A\x1a\x0b\x0a\x04Dune\x18\x9c\x03\x28\x01\x1a\x0b\x0a\x04Emma\x3a\x03\x0a\x01I";
/// let mut titles = Vec::new();
/// for row in rows::<BookRow>(bytes) {
///     let row = row?;
///     assert_eq!(row.shelf, "A");
///     titles.push((row.title, row.pages, row.genre, row.reader));
/// }
/// assert_eq!(titles, [
///     ("Dune", 412, Genre::FICTION, None),
///     ("Emma", 0, Genre::UNSPECIFIED, Some("I")),
/// ]);
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// # The types of members
///
/// | field | types |
/// | --- | --- |
/// | `int32`, `sint32`, `sfixed32` | `i32`, `i64` |
/// | `uint32`, `fixed32` | `u32`, `u64`, `i64` |
/// | 64 bits | `i64`, or `u64` for `uint64` and `fixed64` |
/// | `float`, `double` | `f32` for a `float`, `f64` for both |
/// | `bool` | `bool` |
/// | an enum | its Rust type, or `i32` |
/// | `string` | `&str`, `String`, `Box<str>`, `Arc<str>`, `Cow<str>`, and all types of `bytes` |
/// | `bytes` | `&[u8]`, `Vec<u8>`, `Cow<[u8]>`, [`Bytes`] |
///
/// If the field is absent, an `Option` of such a type is `None`. Other types then have the default of the field, even
/// if the message around it is absent. A repeated field, whose path ends with `[]`, is a `Vec` of such a type.
///
/// If a field occurs several times, the last value counts. The entries of a map become rows in the order of the input,
/// even if keys are equal.
pub trait Row<'a>: Sized {
    #[doc(hidden)]
    const NAME: &'static str;
    /// The path of the repeated message whose elements are rows. It is empty if there is no such message.
    #[doc(hidden)]
    const ROWS: &'static str;
    #[doc(hidden)]
    const MEMBERS: &'static [Member];

    /// Creates a row of empty members.
    #[doc(hidden)]
    fn empty() -> Self;
    /// Puts a value into the member with the index `member`.
    #[doc(hidden)]
    fn put(&mut self, member: u32, value: Scalar<'a>, shared: Option<&'a Bytes>) -> Flow;
    /// Empties the member with the index `member`.
    #[doc(hidden)]
    fn reset(&mut self, member: u32);
    /// Returns the row, and empties the members of its own level.
    #[doc(hidden)]
    fn take(&mut self) -> Self;
}

/// A [`Row`] of a message that is known at compile time. The attribute `#[tobu(message = ...)]` names the message.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not name the message of its rows",
    note = "derive `tobu::Row` with `#[tobu(message = ...)]`, or read them by a `tobu::sink::RowPlan`"
)]
pub trait KnownRow<'a>: Row<'a> {
    /// Returns the plan of the rows. The first call makes the plan.
    ///
    /// # Errors
    /// Fails if [`RowPlan::new`] would fail.
    fn plan() -> Result<&'static RowPlan>;
}

/// A member of a row.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Member {
    name: &'static str,
    path: &'static str,
    ty: &'static str,
    fits: fn(&Kind) -> bool,
    is_list: bool,
    is_option: bool,
}

impl Member {
    #[must_use]
    pub const fn new<'a, V: super::Value<'a>>(
        name: &'static str,
        path: &'static str,
        ty: &'static str,
    ) -> Self {
        Member { name, path, ty, fits: V::fits, is_list: V::IS_LIST, is_option: V::IS_OPTION }
    }
}

/// The slot in which the plan of a type is kept.
#[doc(hidden)]
#[derive(Debug)]
pub struct PlanSlot(OnceCell<Result<RowPlan, Box<str>>>);

impl PlanSlot {
    #[must_use]
    #[expect(clippy::new_without_default, reason = "it is for statics")]
    pub const fn new() -> Self {
        PlanSlot(OnceCell::new())
    }

    /// # Errors
    /// Fails if [`RowPlan::new`] would fail.
    pub fn get<'a, R: Row<'a>>(
        &'static self,
        descriptor: fn() -> Result<MessageDescriptor>,
    ) -> Result<&'static RowPlan> {
        let made = self.0.get_or_init(|| {
            let made = descriptor().and_then(|descriptor| RowPlan::new::<R>(&descriptor));
            made.map_err(|error| error.to_string().into())
        });
        made.as_ref().map_err(|error| Error::schema(error.to_string()))
    }
}

/// How messages become rows of a type: a [`Plan`] for each level of repeated messages.
///
/// For a [`KnownRow`], [`rows`] has a plan. You can also make a plan for a message that is found at run time:
///
/// ```
/// # use tobu_schemas::library;
/// # use library::v1::Shelf;
/// # use tobu::Message;
/// use tobu::sink::RowPlan;
///
/// #[derive(tobu::Row)]
/// struct Copies<'a> {
///     #[tobu(path = "copies[].key")]
///     isbn: &'a str,
///     #[tobu(path = "copies[].value")]
///     count: u32,
/// }
///
/// let descriptor = Shelf::descriptor(); // of any pool
/// let plan = RowPlan::new::<Copies>(&descriptor)?;
/// let rows: Vec<Copies> = plan.rows(b"\x22\x05\x0a\x01a\x10\x02").collect::<tobu::Result<_>>()?;
/// assert_eq!((rows[0].isbn, rows[0].count), ("a", 2));
/// # Ok::<(), tobu::Error>(())
/// ```
pub struct RowPlan {
    descriptor: MessageDescriptor,
    members: &'static [Member],
    /// A plan of all members, which finds the exact error of malformed bytes.
    whole: Plan,
    levels: Vec<RowMembers>,
    /// The fields on the way from the message to the element that is a row.
    hops: Vec<Hop>,
}

/// The members in one message: the outermost message, or an element on the way to a row.
struct RowMembers {
    /// `None` if there are no members.
    nodes: Option<Nodes>,
    /// The members in this message and in the elements inside it.
    members: Vec<u32>,
    /// The members of this message itself whose default is not the empty value.
    defaults: Vec<(u32, FieldDescriptor)>,
}

/// One field on the way to a row.
struct Hop {
    nodes: Nodes,
    /// The level of its elements, if it is repeated.
    level: Option<usize>,
}

impl RowPlan {
    /// Returns the plan of the rows of a type. Extensions are looked up in the [global pool](Pool::global).
    ///
    /// # Errors
    /// A path names no field of the message, or names a field that the type of the member does not fit.
    pub fn new<'a, R: Row<'a>>(descriptor: &MessageDescriptor) -> Result<RowPlan> {
        Self::with_pool::<R>(descriptor, &Pool::global())
    }

    /// Does what [`new`](Self::new) does, and looks extensions up in `pool`.
    ///
    /// # Errors
    /// Fails if [`new`](Self::new) would fail.
    pub fn with_pool<'a, R: Row<'a>>(descriptor: &MessageDescriptor, pool: &Pool) -> Result<RowPlan> {
        Self::make(R::NAME, R::ROWS, R::MEMBERS, descriptor, pool)
    }

    fn make(
        name: &str,
        rows: &str,
        members: &'static [Member],
        descriptor: &MessageDescriptor,
        pool: &Pool,
    ) -> Result<RowPlan> {
        let named = |error: Error| error.in_message(descriptor.full_name());
        let mut whole = Plan::builder(descriptor).pool(pool);
        let mut found = Vec::with_capacity(members.len());
        for member in members {
            let fields = path::fields(descriptor, member.path, pool).map_err(named)?;
            check(name, member, &fields).map_err(named)?;
            whole = whole.field(member.path)?;
            found.push(fields);
        }
        let way = path::fields(descriptor, rows, pool).map_err(named)?;
        for (member, fields) in members.iter().zip(&found) {
            check_way(name, member, fields, &way).map_err(named)?;
        }
        let (mut levels, mut hops) = (Vec::new(), Vec::new());
        // `start` is the number of fields on the way before the level.
        let (mut start, mut message) = (0, descriptor.clone());
        loop {
            levels.push(level(&message, &way[..start], members, &found)?);
            let mut next = start;
            while next < way.len() && !is_repeated(&way[next].field) {
                next += 1;
            }
            if next == way.len() {
                break;
            }
            for (index, found) in way.iter().enumerate().take(next + 1).skip(start) {
                let level = (index == next).then_some(levels.len());
                hops.push(Hop { nodes: one(&message, found)?, level });
                message = inside(&found.field)?;
            }
            start = next + 1;
        }
        Ok(RowPlan { descriptor: descriptor.clone(), members, whole: whole.build()?, levels, hops })
    }

    /// Returns the message that is read.
    pub fn descriptor(&self) -> &MessageDescriptor {
        &self.descriptor
    }

    /// Returns the rows of an encoded message: see [`rows`].
    pub fn rows<'a, R: Row<'a>>(&'a self, bytes: &'a [u8]) -> Rows<'a, R> {
        Rows::new(self.fitting::<R>(), bytes)
    }

    /// Returns the rows of an encoded message. Members of type [`Bytes`] share the input.
    pub fn rows_shared<'a, R: Row<'a>>(&'a self, bytes: &'a Bytes) -> Rows<'a, R> {
        Rows { shared: Some(bytes), ..self.rows(bytes) }
    }

    /// Returns the plan, for rows of the type that it was made for.
    fn fitting<'a, R: Row<'a>>(&self) -> Result<&Self> {
        let is_same = |(own, other): (&Member, &Member)| {
            (own.name, own.path, own.ty) == (other.name, other.path, other.ty)
        };
        let fits = std::ptr::eq(self.members, R::MEMBERS)
            || self.members.len() == R::MEMBERS.len() && self.members.iter().zip(R::MEMBERS).all(is_same);
        if fits { Ok(self) } else { Err(other_type(R::NAME)) }
    }
}

#[cold]
fn other_type(name: &str) -> Error {
    Error::ty(format!("the plan was not made for rows of `{name}`"))
}

fn is_repeated(field: &FieldDescriptor) -> bool {
    field.is_list() || field.is_map()
}

/// Returns the type of the messages in a field on the way to a row.
fn inside(field: &FieldDescriptor) -> Result<MessageDescriptor> {
    let none = || Error::schema(format!("{} holds no messages, which could be rows", field.full_name()));
    field.message_type().ok_or_else(none)
}

/// Checks the type of a member.
fn check(row: &str, member: &Member, fields: &[Found]) -> Result<()> {
    let Member { name, path, ty, .. } = member;
    let Some(last) = fields.last() else {
        return Err(Error::schema(format!("the path of `{row}.{name}` is empty")));
    };
    let field = &last.field;
    let kind = table::Kind::of(field).as_str();
    let is = match field.shape() {
        FieldShape::Singular(_) => kind.to_owned(),
        FieldShape::List(_) => format!("a list of {kind}"),
        FieldShape::Map { .. } => "a map".to_owned(),
    };
    let fits = !field.is_map() && field.is_list() == member.is_list && (member.fits)(&field.kind());
    match fits {
        true => Ok(()),
        false => {
            Err(Error::ty(format!("`{row}.{name}` has the type `{ty}`, which does not take {path:?}: {is}")))
        }
    }
}

/// Checks that all repeated messages on a path are on the way to a row.
fn check_way(row: &str, member: &Member, fields: &[Found], way: &[Found]) -> Result<()> {
    let before = fields.len().saturating_sub(1);
    let mut is_on_way = true;
    for (at, found) in fields[..before].iter().enumerate() {
        is_on_way &= way.get(at).is_some_and(|way| way.field == found.field);
        if !is_on_way && is_repeated(&found.field) {
            let (name, field) = (member.name, found.field.full_name());
            let text =
                format!("the path of `{row}.{name}` goes through {field}, whose elements are not rows");
            return Err(Error::schema(text));
        }
    }
    Ok(())
}

/// Returns the level of a message. `way` is the way to this message.
fn level(
    message: &MessageDescriptor,
    way: &[Found],
    members: &[Member],
    found: &[Vec<Found>],
) -> Result<RowMembers> {
    let (mut tree, mut extensions) = (Tree::EMPTY, Vec::new());
    let (mut inside, mut defaults, mut is_empty) = (Vec::new(), Vec::new(), true);
    for (index, (member, fields)) in (0..).zip(members.iter().zip(found)) {
        let Some((last, to)) = fields.split_last() else { continue };
        if to.len() < way.len() || !to.iter().zip(way).all(|(own, way)| own.field == way.field) {
            continue;
        }
        inside.push(index);
        let own = &to[way.len()..];
        if own.iter().any(|found| is_repeated(&found.field)) {
            continue;
        }
        is_empty = false;
        let mut node = &mut tree;
        for found in own.iter().chain([last]) {
            extensions.extend(found.extension.clone());
            node = node.field(found.field.number());
        }
        node.index = index;
        if !member.is_option && last.field.default().is_some() {
            defaults.push((index, last.field.clone()));
        }
    }
    let nodes = match is_empty {
        true => None,
        false => Some(Nodes::new(message, &tree, &extensions)?),
    };
    Ok(RowMembers { nodes, members: inside, defaults })
}

/// Returns nodes that find one field of a message.
fn one(message: &MessageDescriptor, found: &Found) -> Result<Nodes> {
    let mut tree = Tree::EMPTY;
    tree.field(found.field.number()).index = 0;
    Nodes::new(message, &tree, found.extension.as_slice())
}

/// Returns the rows of an encoded message. The row type `R` knows the type of the message: see [`Row`].
///
/// The message is read while the iterator is advanced. At each level, the fields outside of the elements are read
/// first, wherever they are in the message. After an error there are no more rows.
///
/// # Errors
/// An item is an error if the bytes are malformed or exceed a limit, if a required field of a member is missing, or if
/// an enum type does not have a number. The error names the path.
pub fn rows<'a, R: KnownRow<'a>>(bytes: &'a [u8]) -> Rows<'a, R> {
    Rows::new(R::plan(), bytes)
}

/// Returns the rows of an encoded message, as [`rows`] does. Members of type [`Bytes`] share the input.
///
/// # Errors
/// An item is an error for the reasons that [`rows`] lists.
pub fn rows_shared<'a, R: KnownRow<'a>>(bytes: &'a Bytes) -> Rows<'a, R> {
    Rows { shared: Some(bytes), ..rows(bytes) }
}

/// An iterator over the rows of an encoded message. [`rows`] and [`RowPlan::rows`] return this iterator.
pub struct Rows<'a, R> {
    plan: Option<&'a RowPlan>,
    bytes: &'a [u8],
    shared: Option<&'a Bytes>,
    options: DecodeOptions,
    row: R,
    /// A cursor for each hop that was taken.
    stack: Vec<Cursor<'a>>,
    state: State,
    is_incomplete: bool,
}

/// What comes next.
enum State {
    Failed(Error),
    Start,
    Running,
    Done,
}

/// The occurrences of a field in a message.
struct Cursor<'a> {
    row: &'a TableRow,
    fields: Fields<'a, 'a, true>,
    /// The number of occurrences that came.
    count: usize,
    /// The bytes of the last occurrence.
    body: &'a [u8],
}

impl<'a> Cursor<'a> {
    fn new(nodes: &'a Nodes, message: &'a [u8], depth: u32) -> Result<Self> {
        let (row, fields) = (&nodes.table.rows[0], Fields::new(&nodes.table, message, depth, nodes.order)?);
        Ok(Cursor { row, fields, count: 0, body: &[] })
    }

    /// Returns the next message; an error if the bytes are malformed, whose text nobody sees.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next(&mut self) -> Result<Option<&'a [u8]>> {
        if let Some(mut rest) = after_tag(self.row, self.fields.rest)
            && self.row.kind == table::Kind::Message
            && let Some(body) = len_prefixed(&mut rest)
        {
            self.fields.rest = rest;
            self.count += 1;
            self.body = body;
            return Ok(Some(body));
        }
        self.find()
    }

    /// Returns the next message after other fields.
    #[inline(never)]
    fn find(&mut self) -> Result<Option<&'a [u8]>> {
        loop {
            return match self.fields.next(&mut Noted::default())? {
                Next::Field(row, _) => {
                    self.count += 1;
                    self.body = match row.kind {
                        table::Kind::Group => self.group(row)?,
                        _ => len_prefixed(&mut self.fields.rest).ok_or_else(malformed)?,
                    };
                    Ok(Some(self.body))
                }
                Next::End => Ok(None),
                Next::Unknown(_) | Next::Replaced(_) => continue,
            };
        }
    }

    #[cold]
    fn group(&mut self, row: &TableRow) -> Result<&'a [u8]> {
        let mut reader = Reader::new(self.fields.rest);
        let body = reader.group(row.number, self.fields.depth)?;
        self.fields.rest = reader.rest();
        Ok(body)
    }
}

#[cold]
fn malformed() -> Error {
    Error::ty("the bytes are malformed")
}

impl<'a, R: Row<'a>> Rows<'a, R> {
    fn new(plan: Result<&'a RowPlan>, bytes: &'a [u8]) -> Self {
        let (plan, state) = match plan {
            Ok(plan) => (Some(plan), State::Start),
            Err(error) => (None, State::Failed(error)),
        };
        let options = DecodeOptions::new();
        let (row, stack) = (R::empty(), Vec::new());
        Rows { plan, bytes, shared: None, options, row, stack, state, is_incomplete: false }
    }

    /// Sets limits, and whether required fields may be missing.
    #[must_use]
    pub fn options(self, options: DecodeOptions) -> Self {
        Rows { options, ..self }
    }

    /// Reads the fields of a level, except for the fields of elements inside the level.
    fn begin(&mut self, level: &'a RowMembers, message: &'a [u8], depth: u32) -> Result<Ended, Stop> {
        // The members of the innermost level were taken with the row.
        if self.stack.len() < self.plan.map_or(0, |plan| plan.hops.len()) {
            level.members.iter().for_each(|member| self.row.reset(*member));
        }
        for (member, field) in &level.defaults {
            if let Some(default) = field.default() {
                self.row.put(*member, scalar(default), self.shared)?;
            }
        }
        match &level.nodes {
            None => Ok(Ended::Whole),
            Some(nodes) => {
                let mut sink = Fill { row: &mut self.row, shared: self.shared };
                walk(nodes, self.bytes, message, depth, &mut sink)
            }
        }
    }

    /// Advances to the next element that is a row. Returns `None` after the last row.
    fn advance(&mut self, plan: &'a RowPlan) -> Result<Option<()>, RowsEnd> {
        if let State::Start = self.state {
            plan.whole.check_input(self.bytes, self.options).map_err(RowsEnd::Error)?;
            self.state = State::Running;
            let depth = self.options.max_depth();
            self.enter(&plan.levels[0], self.bytes, depth)?;
            let Some(hop) = plan.hops.first() else {
                self.state = State::Done;
                return Ok(Some(()));
            };
            self.stack.push(Cursor::new(&hop.nodes, self.bytes, depth)?);
        }
        loop {
            let at = self.stack.len();
            let Some(cursor) = self.stack.last_mut() else { return Ok(None) };
            let Some(body) = cursor.next()? else {
                self.stack.pop();
                continue;
            };
            let depth = cursor.fields.depth;
            if let Some(level) = plan.hops[at - 1].level {
                self.enter(&plan.levels[level], body, depth)?;
            }
            match plan.hops.get(at) {
                None => return Ok(Some(())),
                Some(hop) => self.stack.push(Cursor::new(&hop.nodes, body, depth)?),
            }
        }
    }

    fn enter(&mut self, level: &'a RowMembers, message: &'a [u8], depth: u32) -> Result<(), RowsEnd> {
        match self.begin(level, message, depth) {
            Ok(Ended::Whole) => Ok(()),
            Ok(Ended::Incomplete) => {
                self.is_incomplete = true;
                Ok(())
            }
            Ok(Ended::Malformed) => Err(RowsEnd::Malformed),
            Err(stop) => Err(RowsEnd::Error(first_error(stop))),
        }
    }

    /// Returns the error of a row, with its path from the outermost message.
    #[cold]
    fn failed(&mut self, plan: &RowPlan, left: RowsEnd) -> Error {
        self.state = State::Done;
        let outcome = match left {
            RowsEnd::Malformed => plan.whole.outcome(Ok(Ended::Malformed), self.bytes, self.options),
            RowsEnd::Error(mut error) => {
                for (cursor, hop) in self.stack.iter().zip(&plan.hops).rev() {
                    let row = &hop.nodes.table.rows[0];
                    error = match row.shape {
                        Shape::Singular => error,
                        Shape::List => error.in_index(cursor.count.saturating_sub(1)),
                        Shape::Map => error.in_key(entry_key(row, cursor.body)),
                    };
                    error = error.in_field(&row.name);
                }
                plan.whole.outcome(Err(error.into()), self.bytes, self.options)
            }
        };
        outcome.err().unwrap_or_else(malformed)
    }
}

/// Why an iterator of rows ends.
enum RowsEnd {
    Malformed,
    Error(Error),
}

/// An error of a cursor means that the bytes are malformed.
impl From<Error> for RowsEnd {
    #[cold]
    fn from(_: Error) -> RowsEnd {
        RowsEnd::Malformed
    }
}

impl<'a, R: Row<'a>> Iterator for Rows<'a, R> {
    type Item = Result<R>;

    fn next(&mut self) -> Option<Result<R>> {
        let plan = match (&self.state, self.plan) {
            (State::Start | State::Running, Some(plan)) => plan,
            (State::Failed(_), _) => match std::mem::replace(&mut self.state, State::Done) {
                State::Failed(error) => return Some(Err(error)),
                _ => return None,
            },
            _ if self.is_incomplete => return self.incomplete(),
            _ => return None,
        };
        match self.advance(plan) {
            Ok(Some(())) => Some(Ok(self.row.take())),
            Ok(None) => {
                self.state = State::Done;
                if self.is_incomplete { self.incomplete() } else { None }
            }
            Err(left) => {
                self.is_incomplete = false;
                Some(Err(self.failed(plan, left)))
            }
        }
    }
}

impl<'a, R: Row<'a>> Rows<'a, R> {
    /// Returns the error for a missing required field. It comes after the last row.
    #[cold]
    fn incomplete(&mut self) -> Option<Result<R>> {
        self.is_incomplete = false;
        let outcome = self.plan?.whole.outcome(Ok(Ended::Incomplete), self.bytes, self.options);
        outcome.err().map(Err)
    }
}

impl<R> fmt::Debug for Rows<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = self.plan.map(|plan| plan.descriptor.full_name());
        f.debug_struct("Rows").field("of", &of).field("bytes", &self.bytes.len()).finish()
    }
}

impl fmt::Debug for RowPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RowPlan").field("plan", &self.whole).field("levels", &self.levels.len()).finish()
    }
}

fn scalar(default: &DefaultValue) -> Scalar<'_> {
    match default {
        DefaultValue::Bool(value) => Scalar::Bool(*value),
        DefaultValue::I32(value) => Scalar::I32(*value),
        DefaultValue::I64(value) => Scalar::I64(*value),
        DefaultValue::U32(value) => Scalar::U32(*value),
        DefaultValue::U64(value) => Scalar::U64(*value),
        DefaultValue::F32(value) => Scalar::F32(*value),
        DefaultValue::F64(value) => Scalar::F64(*value),
        DefaultValue::String(value) => Scalar::Str(value),
        DefaultValue::Bytes(value) => Scalar::Bytes(value),
        DefaultValue::Enum(number) => Scalar::Enum(*number),
    }
}

/// Fills a row with values by the indices of members.
struct Fill<'r, 'a, R> {
    row: &'r mut R,
    shared: Option<&'a Bytes>,
}

macro_rules! fill {
    ($($method:ident($ty:ty) $scalar:ident;)*) => {
        $(
            #[inline(always)]
            fn $method(&mut self, field: u32, value: $ty) -> Flow {
                self.row.put(field, Scalar::$scalar(value), self.shared)
            }
        )*
    };
}

impl<'a, R: Row<'a>> Sink<'a> for Fill<'_, 'a, R> {
    fill! {
        i32(i32) I32;
        i64(i64) I64;
        u32(u32) U32;
        u64(u64) U64;
        f32(f32) F32;
        f64(f64) F64;
        bool(bool) Bool;
        enumeration(i32) Enum;
        str(&'a str) Str;
        bytes(&'a [u8]) Bytes;
    }

    #[cold]
    fn clear(&mut self, field: u32) -> Flow {
        self.row.reset(field);
        Ok(())
    }
}
