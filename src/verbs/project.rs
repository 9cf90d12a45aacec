//! Decoding selected fields of a message.

use crate::codec::wire::Mode;
use crate::dynamic::DynamicMessage;
use crate::error::Result;
use crate::message::{Merge, Message};
use crate::options::DecodeOptions;
use crate::projection::{Decoding, Projection};
use crate::serde::Schema;
use crate::table::Tabled;
use bytes::Bytes;
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// [`DecodeOptions`] with the selected fields of a message.
#[derive(Clone, Copy, Debug)]
pub struct ProjectedOptions<'p>(Decoding<'p>, &'p Projection);

impl DecodeOptions {
    /// Decodes no more of a message than a [`Projection`] names.
    ///
    /// ```
    /// # use tobu_schemas::library;
    /// use tobu::prelude::*;
    /// use library::v1::Book;
    /// use tobu::{DecodeOptions, Message};
    ///
    /// let projection = Book::descriptor().project(&["title"])?;
    /// let book: Book = DecodeOptions::new().fields(&projection).from_slice(b"\x0a\x04Dune\x10\x9c\x03")?;
    /// assert_eq!(book, Book { title: "Dune".into(), ..Book::default() });
    /// # Ok::<(), tobu::Error>(())
    /// ```
    pub fn fields<'p>(&self, projection: &'p Projection) -> ProjectedOptions<'p> {
        ProjectedOptions(Decoding { options: *self, projection: Some(projection) }, projection)
    }
}

// A projection is compared with the descriptor of the type, whose file may be another copy of the same: so it is registered.
impl ProjectedOptions<'_> {
    /// Decodes a message of the type that the projection is of.
    ///
    /// # Errors
    /// As [`DecodeOptions::from_slice`], except in skipped fields; also if the projection is of another message.
    pub fn from_slice<'de, T: Message + Deserialize<'de>>(&self, bytes: &'de [u8]) -> Result<T> {
        T::register();
        self.0.read_message(bytes, None)
    }

    /// Decodes a message from shared bytes: members of type [`Bytes`] share them instead of copying.
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice).
    pub fn from_bytes<T: Message + DeserializeOwned>(&self, bytes: &Bytes) -> Result<T> {
        T::register();
        self.0.read_message(bytes, Some(bytes))
    }

    /// Decodes into a used message: all of its content is replaced, and its allocations are reused where possible. On
    /// an error the message is empty.
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice).
    pub fn from_slice_in_place<'de, T: Message + Merge<'de>>(
        &self,
        message: &mut T,
        bytes: &'de [u8],
    ) -> Result<()> {
        T::register();
        self.0.fill(message, bytes, None, Mode::Refill).map(drop)
    }

    /// Decodes into any type that serde can deserialize, as [`MessageDescriptorExt::decode`](crate::MessageDescriptorExt::decode)
    /// does.
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice).
    pub fn decode<'de, T: Deserialize<'de>>(&self, bytes: &'de [u8]) -> Result<T> {
        self.0.read(Schema::Table(self.1.descriptor().table()?), bytes, None)
    }

    /// Decodes a dynamic message; the bytes are copied once.
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice).
    pub fn decode_dynamic(&self, bytes: &[u8]) -> Result<DynamicMessage> {
        let name = self.1.descriptor().full_name();
        // Before they are copied.
        self.0.options.check_input(bytes.len()).map_err(|error| error.in_message(name))?;
        self.decode_dynamic_bytes(Bytes::copy_from_slice(bytes))
    }

    /// Decodes a dynamic message from shared bytes: its strings and bytes stay there, nothing is copied.
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice).
    pub fn decode_dynamic_bytes(&self, bytes: Bytes) -> Result<DynamicMessage> {
        DynamicMessage::decode_projected(self.1, bytes, self.0.options)
    }
}

impl Projection {
    /// Decodes a dynamic message with default options; see [`DecodeOptions::fields`] for others, and for Rust types.
    ///
    /// ```
    /// use tobu::prelude::*;
    /// # use tobu_schemas::library;
    /// # let descriptor = library::v1::Book::descriptor();
    /// let title = descriptor.project(&["title"])?;
    /// assert_eq!(title.decode(b"\x0a\x04Dune\x10\x9c\x03")?.encode_to_vec()?, b"\x0a\x04Dune");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`DynamicMessage::decode`], except in skipped fields.
    pub fn decode(&self, bytes: &[u8]) -> Result<DynamicMessage> {
        DecodeOptions::new().fields(self).decode_dynamic(bytes)
    }
}
