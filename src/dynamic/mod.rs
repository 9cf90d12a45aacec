//! Messages whose type is known only at run time. STUB of the contract.
#![allow(missing_docs, clippy::todo)]

use crate::descriptor::*;
use crate::error::Result;
use crate::plan::PlanSet;
use crate::reflect::*;

/// A message of any descriptor.
#[derive(Clone, Debug, PartialEq)]
pub struct DynamicMessage {
    pub(crate) descriptor: MessageDescriptor,
}

impl DynamicMessage {
    pub fn decode(_: &MessageDescriptor, _: &[u8]) -> Result<Self> {
        todo!()
    }
    pub fn decode_with(_: &MessageDescriptor, _: &[u8], _: crate::DecodeOptions) -> Result<Self> {
        todo!()
    }
    pub fn encode_with(&self, _: crate::EncodeOptions) -> Result<Vec<u8>> {
        todo!()
    }
    pub fn encode(&self) -> Result<Vec<u8>> {
        todo!()
    }
    pub fn new(descriptor: &MessageDescriptor) -> Result<Self> {
        Ok(DynamicMessage { descriptor: descriptor.clone() })
    }
}

/// A message in an arena, or one with nothing in it.
#[derive(Clone, Copy)]
pub(crate) struct MessageAt<'a> {
    plans: &'a PlanSet,
    index: u32,
}

impl<'a> MessageAt<'a> {
    /// A message with nothing in it, by its plan; the plans may be those of a Rust type.
    pub(crate) fn empty(plans: &'a PlanSet, index: u32) -> Self {
        MessageAt { plans, index }
    }

    pub(crate) fn unknown_at(self) -> &'a [u8] {
        todo!()
    }

    /// As `Reflect::get`, for as long as the arena lives.
    pub(crate) fn get_at(self, _: &FieldDescriptor) -> Result<ValueRef<'a>> {
        todo!("{:?} {}", self.plans.root(), self.index)
    }
}
pub(crate) struct MessageAtMut<'a>(pub(crate) &'a mut DynamicMessage);
/// A list in an arena, or an empty one.
#[derive(Clone, Copy)]
pub(crate) struct ListAt<'a>(pub(crate) Option<&'a DynamicMessage>);
impl<'a> ListAt<'a> {
    pub(crate) const EMPTY: ListAt<'static> = ListAt(None);
    pub(crate) fn get_at(self, _: usize) -> Option<ValueRef<'a>> {
        todo!()
    }
}
pub(crate) struct ListAtMut<'a>(pub(crate) &'a mut DynamicMessage);
/// A map in an arena, or an empty one.
#[derive(Clone, Copy)]
pub(crate) struct MapAt<'a>(pub(crate) Option<&'a DynamicMessage>);
impl<'a> MapAt<'a> {
    pub(crate) const EMPTY: MapAt<'static> = MapAt(None);
    pub(crate) fn get_at(self, _: MapKeyRef<'_>) -> Option<ValueRef<'a>> {
        todo!()
    }
    pub(crate) fn visit_at(self, _: &mut dyn FnMut(MapKeyRef<'a>, ValueRef<'a>) -> bool) {
        todo!()
    }
}
pub(crate) struct MapAtMut<'a>(pub(crate) &'a mut DynamicMessage);

macro_rules! stub { ($($ty:ty),*) => {$(
    impl Reflect for $ty {
        fn descriptor(&self) -> MessageDescriptor { todo!() }
        fn has(&self, _: &FieldDescriptor) -> Result<bool> { todo!() }
        fn get(&self, _: &FieldDescriptor) -> Result<ValueRef<'_>> { todo!() }
        fn get_mut(&mut self, _: &FieldDescriptor) -> Result<ValueMut<'_>> { todo!() }
        fn set(&mut self, _: &FieldDescriptor, _: Value) -> Result<()> { todo!() }
        fn clear(&mut self, _: &FieldDescriptor) -> Result<()> { todo!() }
        fn which_oneof(&self, _: &OneofDescriptor) -> Result<Option<FieldDescriptor>> { todo!() }
        fn next_field(&self, _: u32) -> Option<(FieldDescriptor, ValueRef<'_>)> { todo!() }
        fn unknown_fields(&self) -> &[u8] { todo!() }
        fn set_unknown_fields(&mut self, _: &[u8]) -> Result<()> { todo!() }
        fn clear_all(&mut self) { todo!() }
    }
)*} }
stub!(DynamicMessage, MessageAt<'_>, MessageAtMut<'_>);
macro_rules! lists { ($($ty:ty),*) => {$(
    impl ReflectList for $ty {
        fn len(&self) -> usize { todo!() }
        fn get(&self, _: usize) -> Option<ValueRef<'_>> { todo!() }
        fn get_mut(&mut self, _: usize) -> Result<MessageMut<'_>> { todo!() }
        fn set(&mut self, _: usize, _: Value) -> Result<()> { todo!() }
        fn push(&mut self, _: Value) -> Result<()> { todo!() }
        fn push_message(&mut self) -> Result<MessageMut<'_>> { todo!() }
        fn remove(&mut self, _: usize) -> Result<()> { todo!() }
        fn truncate(&mut self, _: usize) { todo!() }
    }
)*} }
lists!(ListAt<'_>, ListAtMut<'_>);
macro_rules! maps { ($($ty:ty),*) => {$(
    impl ReflectMap for $ty {
        fn len(&self) -> usize { todo!() }
        fn get(&self, _: MapKeyRef<'_>) -> Option<ValueRef<'_>> { todo!() }
        fn get_mut(&mut self, _: MapKey) -> Result<MessageMut<'_>> { todo!() }
        fn insert(&mut self, _: MapKey, _: Value) -> Result<()> { todo!() }
        fn remove(&mut self, _: MapKeyRef<'_>) -> bool { todo!() }
        fn visit<'a>(&'a self, _: &mut dyn FnMut(MapKeyRef<'a>, ValueRef<'a>) -> bool) { todo!() }
        fn visit_mut(&mut self, _: &mut dyn FnMut(MapKeyRef<'_>, MessageMut<'_>) -> bool) { todo!() }
        fn clear(&mut self) { todo!() }
    }
)*} }
maps!(MapAt<'_>, MapAtMut<'_>);
