//! Iterators over the messages of a described stream.

use super::reader::Reader;
use crate::dynamic::DynamicMessage;
use crate::error::Result;
use crate::message::{Message, described};
use serde::de::DeserializeOwned;
use std::io::Read;
use std::marker::PhantomData;

impl<R: Read> Reader<R> {
    /// The messages of a Rust type, by its full name; all others are skipped.
    ///
    /// ```
    /// # use tobu::stream::described::{Reader, Writer};
    /// # use tobu::types::{Duration, StringValue};
    /// # let mut writer = Writer::new(Vec::new());
    /// # writer.write(&StringValue::from("a"))?;
    /// # writer.write(&Duration::new(1, 0))?;
    /// # writer.finish()?;
    /// # let stream = writer.into_inner();
    /// let mut reader = Reader::new(&stream[..]);
    /// let durations: Vec<Duration> = reader.messages().collect::<Result<_, _>>()?;
    /// assert_eq!(durations, [Duration::new(1, 0)]);
    /// # Ok::<(), tobu::Error>(())
    /// ```
    pub fn messages<T: Message + DeserializeOwned>(&mut self) -> Messages<'_, R, T> {
        Messages { reader: Some(self), message: PhantomData }
    }

    /// All messages.
    pub fn dynamic_messages(&mut self) -> DynamicMessages<'_, R> {
        DynamicMessages { reader: Some(self) }
    }
}

/// The messages of one type; ends with the stream, or after the first error. Returned by [`Reader::messages`].
#[derive(Debug)]
pub struct Messages<'r, R, T> {
    reader: Option<&'r mut Reader<R>>,
    message: PhantomData<fn() -> T>,
}

/// All messages; ends with the stream, or after the first error. Returned by [`Reader::dynamic_messages`].
#[derive(Debug)]
pub struct DynamicMessages<'r, R> {
    reader: Option<&'r mut Reader<R>>,
}

impl<R: Read, T: Message + DeserializeOwned> Messages<'_, R, T> {
    fn read(reader: &mut Reader<R>) -> Result<Option<T>> {
        let wanted = described::<T>().descriptor()?;
        while let Some(entry) = reader.next()? {
            if entry.descriptor().full_name() == wanted.full_name() {
                return entry.read().map(Some);
            }
        }
        Ok(None)
    }
}

impl<R: Read, T: Message + DeserializeOwned> Iterator for Messages<'_, R, T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        let next = Self::read(self.reader.as_mut()?).transpose();
        if !matches!(next, Some(Ok(_))) {
            self.reader = None;
        }
        next
    }
}

impl<R: Read> Iterator for DynamicMessages<'_, R> {
    type Item = Result<DynamicMessage>;

    fn next(&mut self) -> Option<Result<DynamicMessage>> {
        let entry = self.reader.as_mut()?.next();
        let next = entry.and_then(|entry| entry.map(|entry| entry.to_dynamic()).transpose()).transpose();
        if !matches!(next, Some(Ok(_))) {
            self.reader = None;
        }
        next
    }
}
