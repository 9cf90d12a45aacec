//! Options and boxes.

use super::{At, Element, Slot, unmakable};
use crate::error::Result;
use crate::reflect::{Value, ValueMut, ValueRef};

impl<T: Element> Slot for Option<T> {
    #[inline]
    fn get(&self, at: At) -> Option<ValueRef<'_>> {
        self.as_ref()?.get(at)
    }

    fn get_mut(&mut self, at: At) -> Result<ValueMut<'_>> {
        if self.is_none() {
            *self = Some(T::empty().ok_or_else(unmakable)?);
        }
        match self {
            Some(value) => value.get_mut(at),
            None => Err(unmakable()),
        }
    }

    fn set(&mut self, at: At, value: Value) -> Result<()> {
        if let Some(slot) = self {
            return slot.set(at, value);
        }
        let mut new = T::empty().ok_or_else(unmakable)?;
        new.set(at, value)?;
        *self = Some(new);
        Ok(())
    }

    fn clear(&mut self, _: At) {
        *self = None;
    }
}

impl<T: Element> Element for Option<T> {
    #[inline]
    fn empty() -> Option<Self> {
        Some(None)
    }
}

impl<T: Element> Slot for Box<T> {
    #[inline]
    fn get(&self, at: At) -> Option<ValueRef<'_>> {
        T::get(self, at)
    }

    fn get_mut(&mut self, at: At) -> Result<ValueMut<'_>> {
        T::get_mut(self, at)
    }

    fn set(&mut self, at: At, value: Value) -> Result<()> {
        T::set(self, at, value)
    }

    fn clear(&mut self, at: At) {
        T::clear(self, at);
    }
}

impl<T: Element> Element for Box<T> {
    fn empty() -> Option<Self> {
        T::empty().map(Box::new)
    }
}
