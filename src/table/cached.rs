//! Builds each table once, and keeps it for later uses.
//!
//! The table of a Rust type is kept in a static and wrapped in `ManuallyDrop`, so that a program needs no code to
//! drop it.

use super::build::build;
use super::link::{link, linked};
use super::stated::stated;
use super::tabled::Tabled;
use super::{EnumTable, Table};
use crate::descriptor::{EnumDescriptor, MessageDescriptor};
use crate::error::{Error, Result};
use crate::layout::{EnumShape, MessageShape};
use once_cell::sync::OnceCell;
use std::any::Any;
use std::mem::ManuallyDrop;
use std::sync::{Mutex, PoisonError};

/// The cache of a message struct: the table for the struct's own descriptor, and the tables for other descriptors with which
/// the type is used.
#[derive(Default)]
struct ShapeCache {
    own: OnceCell<Result<&'static Table, Box<str>>>,
    others: Mutex<Vec<&'static (MessageDescriptor, Table)>>,
}

/// # Errors
/// The message has more than 65,534 fields.
impl Tabled for MessageDescriptor {
    type Table<'d> = Result<&'d Table>;

    #[inline]
    fn table(&self) -> Result<&Table> {
        match linked(self) {
            Some(table) => Ok(table),
            None => first_table(self),
        }
    }
}

#[cold]
#[inline(never)]
fn first_table(descriptor: &MessageDescriptor) -> Result<&Table> {
    let build = || match build(descriptor, None, Vec::new()) {
        Ok(table) => Ok(Box::new(table)),
        Err(error) => Err(error.to_string().into()),
    };
    match link(descriptor, build) {
        Ok(table) => Ok(table),
        Err(error) => Err(Error::schema(error.to_string())),
    }
}

impl Tabled for EnumDescriptor {
    type Table<'d> = &'d EnumTable;

    fn table(&self) -> &EnumTable {
        self.cache(|| EnumTable::new(self, None))
    }
}

impl EnumShape {
    /// Returns the table of the Rust type, which is built on first use.
    pub(crate) fn table_of(&'static self, descriptor: &EnumDescriptor) -> &'static EnumTable {
        let table = self.cached_table(|| EnumTable::new(descriptor, Some(self)));
        // The table may have been built from attributes of the type before the file was registered. In this case, the table has
        // no values yet.
        table.learn(descriptor);
        table
    }

    /// Returns the table of the Rust type, which `make` builds on first use.
    pub(super) fn cached_table(&'static self, make: impl FnOnce() -> EnumTable) -> &'static EnumTable {
        let cached = self.cache.get_or_init(|| Box::new(ManuallyDrop::new(make())));
        cached.downcast_ref::<ManuallyDrop<EnumTable>>().expect("only one type is ever cached")
    }
}

/// Builds the table of a type from its descriptor. The derive macro puts this function into the shape of each type that does
/// not declare its schema in attributes.
///
/// # Errors
/// The descriptor of the type cannot be found, or the type does not fit the descriptor.
pub fn build_table(shape: &'static MessageShape) -> Result<&'static (dyn Any + Send + Sync)> {
    let table = build(shape.descriptor()?, Some(shape), Vec::new())?;
    Ok(&*Box::leak(Box::new(ManuallyDrop::new(table))))
}

/// Builds the table of a type that declares its schema in attributes.
fn stated_table(shape: &'static MessageShape) -> Result<&'static (dyn Any + Send + Sync)> {
    match shape.stated_name() {
        Some(full_name) => Ok(&*Box::leak(Box::new(ManuallyDrop::new(stated(shape, full_name)?)))),
        None => unreachable!("what does not state its schema says how its table is built"),
    }
}

impl MessageShape {
    /// Returns the table of the Rust type, which is built on first use.
    ///
    /// # Errors
    /// The type declares a schema that is not valid, or the type does not fit the descriptor to which it is bound.
    #[inline]
    pub(crate) fn table(&'static self) -> Result<&'static Table> {
        match self.cells().linked() {
            Some(table) => Ok(table),
            None => self.first_table(),
        }
    }

    #[cold]
    #[inline(never)]
    fn first_table(&'static self) -> Result<&'static Table> {
        let build = || -> Result<&'static Table, Box<str>> {
            match self.build().unwrap_or(stated_table)(self) {
                Ok(table) => {
                    Ok(table.downcast_ref::<ManuallyDrop<Table>>().expect("what builds tables makes one"))
                }
                Err(error) => Err(error.to_string().into()),
            }
        };
        match self.tables().own.get_or_init(build) {
            Ok(table) => {
                self.cells().link(table);
                Ok(table)
            }
            Err(error) => Err(Error::schema(error.to_string())),
        }
    }

    /// Returns the table of the Rust type for a message. The type may be bound to another message.
    ///
    /// # Errors
    /// The Rust type and the message do not fit together.
    pub(crate) fn table_of(&'static self, descriptor: &MessageDescriptor) -> Result<&'static Table> {
        if self.is_bound_to(descriptor)? {
            return self.table();
        }
        let mut others = self.tables().others.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, table)) = others.iter().find(|other| other.0 == *descriptor) {
            return Ok(table);
        }
        let table = build(descriptor, Some(self), Vec::new())?;
        let other: &'static _ = Box::leak(Box::new((descriptor.clone(), table)));
        others.push(other);
        Ok(&other.1)
    }

    /// True if `descriptor` is the descriptor of the type. If the file of the type is not registered, the result is false even
    /// if `descriptor` is from an equal copy of the file, so the message gets a separate table.
    fn is_bound_to(&'static self, descriptor: &MessageDescriptor) -> Result<bool> {
        match self.descriptor() {
            Ok(own) => Ok(own == descriptor),
            Err(_) if self.stated_name().is_some() => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn tables(&'static self) -> &'static ShapeCache {
        let cached = self.cells().cache.get_or_init(|| Box::new(ManuallyDrop::new(ShapeCache::default())));
        cached.downcast_ref::<ManuallyDrop<ShapeCache>>().expect("only one type is ever cached")
    }
}
