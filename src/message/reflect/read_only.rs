//! The mutating methods of read-only views.

/// Implements the methods of `Reflect` that change a message: each returns an error or does nothing.
macro_rules! read_only_message {
    () => {
        fn get_mut(
            &mut self,
            _: &crate::descriptor::FieldDescriptor,
        ) -> crate::error::Result<crate::message::reflect::ValueMut<'_>> {
            Err(crate::message::reflect::check::read_only())
        }

        fn set(
            &mut self,
            _: &crate::descriptor::FieldDescriptor,
            _: crate::message::reflect::Value,
        ) -> crate::error::Result<()> {
            Err(crate::message::reflect::check::read_only())
        }

        fn clear(&mut self, _: &crate::descriptor::FieldDescriptor) -> crate::error::Result<()> {
            Err(crate::message::reflect::check::read_only())
        }

        fn set_unknown_fields(&mut self, _: &[u8]) -> crate::error::Result<()> {
            Err(crate::message::reflect::check::read_only())
        }

        fn clear_all(&mut self) {}
    };
}

/// Implements the methods of `ReflectList` that change a list: each returns an error or does nothing.
macro_rules! read_only_list {
    () => {
        fn get_mut(&mut self, _: usize) -> crate::error::Result<crate::message::reflect::MessageMut<'_>> {
            Err(crate::message::reflect::check::read_only())
        }

        fn set(&mut self, _: usize, _: crate::message::reflect::Value) -> crate::error::Result<()> {
            Err(crate::message::reflect::check::read_only())
        }

        fn push(&mut self, _: crate::message::reflect::Value) -> crate::error::Result<()> {
            Err(crate::message::reflect::check::read_only())
        }

        fn push_message(&mut self) -> crate::error::Result<crate::message::reflect::MessageMut<'_>> {
            Err(crate::message::reflect::check::read_only())
        }

        fn remove(&mut self, _: usize) -> crate::error::Result<()> {
            Err(crate::message::reflect::check::read_only())
        }

        fn truncate(&mut self, _: usize) {}
    };
}

/// Implements the methods of `ReflectMap` that change a map: each returns an error or does nothing.
macro_rules! read_only_map {
    () => {
        fn get_mut(
            &mut self,
            _: crate::message::reflect::MapKey,
        ) -> crate::error::Result<crate::message::reflect::MessageMut<'_>> {
            Err(crate::message::reflect::check::read_only())
        }

        fn insert(
            &mut self,
            _: crate::message::reflect::MapKey,
            _: crate::message::reflect::Value,
        ) -> crate::error::Result<()> {
            Err(crate::message::reflect::check::read_only())
        }

        fn remove(&mut self, _: crate::message::reflect::MapKeyRef<'_>) -> bool {
            false
        }

        fn visit_mut(
            &mut self,
            _: &mut dyn FnMut(
                crate::message::reflect::MapKeyRef<'_>,
                crate::message::reflect::MessageMut<'_>,
            ) -> bool,
        ) {
        }

        fn clear(&mut self) {}
    };
}

pub(crate) use {read_only_list, read_only_map, read_only_message};
