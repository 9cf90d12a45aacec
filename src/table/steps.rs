//! From the rows of a Rust type to the steps of its encoder.

use super::step::OneofMembers;
use super::{Action, Inner, Kind, Location, Op, Presence, Row, Shape, Step, Steps, Straight, Table};
use crate::layout::{BoxStorage, OptionStorage, Storage};

impl Table {
    /// How a message of the Rust type is encoded to the wire format.
    #[inline]
    pub(crate) fn steps(&self) -> &Steps {
        match self.steps.get() {
            Some(steps) => steps,
            None => self.find_steps(),
        }
    }

    #[cold]
    #[inline(never)]
    fn find_steps(&self) -> &Steps {
        debug_assert!(self.projected.is_none(), "a projection is dropped, and only decoded into");
        self.steps.get_or_init(|| {
            let list = Step::all(&self.rows);
            let straight = self.shape.and_then(|shape| Straight::new(shape, &self.rows, list, self.unknown));
            Steps::new(list, self.unknown, straight)
        })
    }
}

impl Step {
    /// The steps of the rows of a message struct.
    pub(super) fn all(rows: &[Row]) -> &'static [Step] {
        let mut steps = Vec::with_capacity(rows.len());
        // Two oneofs may lie at one address: one of them takes no room.
        let mut index = 0;
        while let Some(row) = rows.get(index) {
            index += 1;
            match row.location {
                Location::Variant { offset, variant, oneof, storage } => {
                    let value = |row: &Row, storage| Step { always: true, ..Step::value(row, storage) };
                    let mut members = vec![(variant, value(row, storage))];
                    while let Some(next) = rows.get(index).filter(|next| next.oneof == row.oneof) {
                        if let Location::Variant { variant, storage, .. } = next.location {
                            members.push((variant, value(next, storage)));
                        }
                        index += 1;
                    }
                    let inner = Inner::Oneof(leak(OneofMembers::new(oneof.functions, members)));
                    steps.push(Step { offset, action: Action::Oneof, inner, ..Step::new(row, storage) });
                }
                Location::Member { offset, storage } => {
                    steps.push(Step { offset, ..Step::field(row, storage) });
                }
                Location::Arena => {}
            }
        }
        steps.leak()
    }

    fn new(row: &Row, storage: Storage) -> Step {
        Step {
            tag: u64::from_le_bytes(row.tag_bytes),
            tag_len: row.tag_len,
            action: Action::Other,
            always: row.presence != Presence::Implicit,
            required: row.presence == Presence::Required,
            packed: row.packed,
            row: row.index,
            offset: 0,
            storage,
            presence: None,
            inner: Inner::None,
        }
    }

    /// A field of any shape.
    pub(crate) fn field(row: &Row, storage: Storage) -> Step {
        let mut step = Step::new(row, storage);
        match (row.shape, storage) {
            (Shape::Singular, Storage::Option(option)) => {
                step.action = Action::option(row, option);
                step.inner = Inner::Value(leak(Step::value(row, option.value())));
                step.presence = option.bit().filter(|_| !step.required);
            }
            (Shape::Singular, _) => return Step::value(row, storage),
            (Shape::List, Storage::List(list)) => {
                step.action = Action::List;
                step.inner = Inner::Value(leak(Step { always: true, ..Step::value(row, list.element) }));
            }
            (Shape::Map, Storage::Map(map)) => {
                let rows = row.map();
                step.action = Action::Map;
                let entry = [Step::value(&rows.key, map.key), Step::value(&rows.value, map.value)];
                step.inner = Inner::Entry(leak(entry));
            }
            // No other type fits.
            _ => {}
        }
        step
    }

    /// A single value.
    fn value(row: &Row, storage: Storage) -> Step {
        Step { action: Action::value(row, storage), ..Step::new(row, storage) }
    }
}

/// What is never dropped.
fn leak<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

/// Lists the actions that are named like the operations of the decoder.
macro_rules! actions_of {
    ($op:expr, $($same:ident)*) => {
        match $op {
            $(Op::$same => Some(Action::$same),)*
            _ => None,
        }
    };
}

impl Action {
    /// The encoder's action for an operation of the decoder, if it needs no further distinction.
    fn of(op: Op) -> Option<Action> {
        actions_of!(op,
            Int32 UInt32 Int64 SInt32 SInt64 Bool Fixed32 Fixed64
            OptionI32 OptionU32 OptionI64 OptionU64 OptionSInt32 OptionSInt64 OptionBool
            OptionF32 OptionFixedU32 OptionFixedI32 OptionF64 OptionFixedU64 OptionFixedI64
            String OptionString Str Vec OptionVec Slice Message OptionMessage OptionBoxMessage
        )
    }

    pub(super) fn value(row: &Row, storage: Storage) -> Action {
        use Storage as S;
        match (row.kind, storage) {
            // Closed enums, too, and groups like other messages: only to read them is something else.
            (Kind::Enum, S::I32 | S::OpenEnum(_)) => Action::Int32,
            (Kind::Enum, S::ClosedEnum(_)) => Action::Enum,
            (Kind::Message | Kind::Group, S::Message(_)) => Action::Message,
            (Kind::Message | Kind::Group, S::Box(BoxStorage { content: S::Message(_), .. })) => {
                Action::BoxMessage
            }
            (Kind::String | Kind::Bytes, S::Text(functions))
                if functions.is_string || row.kind == Kind::Bytes || !row.utf8 =>
            {
                Action::Text
            }
            _ => Action::of(Op::single(row, storage)).unwrap_or(Action::Other),
        }
    }

    fn option(row: &Row, option: OptionStorage) -> Action {
        let value = option.value();
        match (Action::value(row, value), value) {
            _ if option.lazy().is_some() => Action::Option,
            // Only a field that is set comes to its action: see `Step::presence`.
            (action, _) if option.bit().is_some() => {
                match action.is_plain() && row.presence != Presence::Required {
                    true => action,
                    false => Action::Option,
                }
            }
            (Action::Int32, Storage::I32) => Action::OptionI32,
            (Action::BoxMessage, _) => Action::OptionBoxMessage,
            (_, Storage::OpenEnum(_) | Storage::ClosedEnum(_)) if row.kind == Kind::Enum => {
                Action::OptionEnum
            }
            (Action::Str | Action::Slice | Action::Text, _) => Action::OptionText,
            _ => Action::of(Op::option(row, option)).unwrap_or(Action::Option),
        }
    }

    /// True for a number or a string that needs no storage to be read.
    fn is_plain(self) -> bool {
        use Action as A;
        matches!(
            self,
            A::Int32 | A::UInt32 | A::Int64 | A::SInt32 | A::SInt64 | A::Bool | A::Fixed32 | A::Fixed64
        ) || matches!(self, A::String | A::Vec | A::Str | A::Slice)
    }
}
