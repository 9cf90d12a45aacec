//! `FieldMask`: a set of paths to fields.

use crate::UnknownFields;
use crate::error::{Error, Result};
use crate::sort::sort_by;
use crate::syntax::well_known;
use std::fmt;
use std::str::FromStr;

/// A set of paths to fields, such as `author.name`. It says which fields to read or to change.
///
/// A path stands for a field and everything inside the field.
///
/// ```
/// use tobu::types::FieldMask;
///
/// let mask = FieldMask::from_paths(["title", "author.last_name"]);
/// assert!(mask.contains("author.last_name"));
/// assert!(!mask.contains("author"));
///
/// assert_eq!(mask.to_string(), "title,author.last_name");
/// assert_eq!(mask.to_json()?, "title,author.lastName");
/// assert_eq!(FieldMask::from_json("title,author.lastName")?, mask);
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// Reference: <https://protobuf.dev/reference/protobuf/google.protobuf/#field-mask>.
#[derive(
    Clone,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    crate::Message,
    crate::Serialize,
    crate::Deserialize,
)]
#[tobu(descriptor = crate::types::files::FIELD_MASK, stated = crate::types::files::FIELD_MASK_SLOT, message = "google.protobuf.FieldMask", direct)]
pub struct FieldMask {
    /// The paths: names of fields from the schema, joined by dots.
    #[tobu(1)]
    pub paths: Vec<String>,
    /// Fields that the schema of this message does not have.
    #[tobu(unknown)]
    pub unknown_fields: UnknownFields,
}

impl FieldMask {
    /// Creates a mask without paths.
    pub const fn new() -> Self {
        FieldMask { paths: Vec::new(), unknown_fields: UnknownFields::new() }
    }

    /// Creates a mask with these paths, unchanged.
    pub fn from_paths<P: Into<String>>(paths: impl IntoIterator<Item = P>) -> Self {
        paths.into_iter().collect()
    }

    /// True if the mask has `path`, or the path of a field that contains it.
    ///
    /// ```
    /// use tobu::types::FieldMask;
    ///
    /// let mask = FieldMask::from_paths(["author"]);
    /// assert!(mask.contains("author.name"));
    /// assert!(!mask.contains("author_name"));
    /// ```
    pub fn contains(&self, path: &str) -> bool {
        self.paths.iter().any(|outer| covers(outer, path))
    }

    /// Returns a normalized mask of the fields that are in at least one of the two masks.
    ///
    /// ```
    /// use tobu::types::FieldMask;
    ///
    /// let mask = FieldMask::from_paths(["b", "a.x"]).union(&FieldMask::from_paths(["a"]));
    /// assert_eq!(mask.to_string(), "a,b");
    /// ```
    #[must_use]
    pub fn union(&self, other: &FieldMask) -> FieldMask {
        let paths = [&self.paths[..], &other.paths].concat();
        FieldMask { paths, unknown_fields: UnknownFields::new() }.normalized()
    }

    /// Returns a normalized mask of the fields that are in both masks.
    ///
    /// ```
    /// use tobu::types::FieldMask;
    ///
    /// let mask = FieldMask::from_paths(["a", "b.x"]).intersect(&FieldMask::from_paths(["a.y", "b"]));
    /// assert_eq!(mask.to_string(), "a.y,b.x");
    /// ```
    #[must_use]
    pub fn intersect(&self, other: &FieldMask) -> FieldMask {
        let (ours, theirs) = (self.clone().normalized(), other.clone().normalized());
        let mut paths = Vec::new();
        for (mine, other) in [(&ours, &theirs), (&theirs, &ours)] {
            for path in &mine.paths {
                if other.covers_in_order(path) {
                    paths.push(path.clone());
                }
            }
        }
        FieldMask { paths, unknown_fields: UnknownFields::new() }.normalized()
    }

    /// Sorts the paths, and removes duplicates and paths that are inside other paths of the mask.
    ///
    /// ```
    /// use tobu::types::FieldMask;
    ///
    /// let mask = FieldMask::from_paths(["b", "a.x", "a", "b"]).normalized();
    /// assert_eq!(mask.to_string(), "a,b");
    /// ```
    #[must_use]
    pub fn normalized(mut self) -> FieldMask {
        // Paths are compared name by name and not byte by byte, so that everything inside a path comes directly after it.
        sort_by(&mut self.paths, |a, b| a.split('.').cmp(b.split('.')));
        self.paths.dedup_by(|path, outer| covers(outer, path));
        self
    }

    /// Returns what [`contains`](Self::contains) would return, for a normalized mask. Its paths are sorted, so only the
    /// greatest path that is not greater than `path` can contain `path`.
    fn covers_in_order(&self, path: &str) -> bool {
        let behind = self.paths.partition_point(|outer| outer.split('.').le(path.split('.')));
        self.paths[..behind].last().is_some_and(|outer| covers(outer, path))
    }

    /// Checks that every path names a field of the message. All names of a path but the last must be message fields that are
    /// neither lists nor maps.
    ///
    /// The methods `get_masked`, `trim`, `apply_masked` and `merge_masked` of [`dyn
    /// Reflect`](crate::reflect::Reflect) apply the paths of a mask to messages.
    ///
    /// ```
    /// use tobu::{Message, types::{FieldMask, Timestamp}};
    ///
    /// let mask = FieldMask::from_paths(["seconds", "minutes"]);
    /// let error = mask.validate(&Timestamp::descriptor()).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     r#"google.protobuf.Timestamp: the path "minutes": google.protobuf.Timestamp has no field "minutes""#
    /// );
    /// ```
    ///
    /// # Errors
    /// A path does not name a field of the message.
    pub fn validate(&self, descriptor: &crate::MessageDescriptor) -> Result<()> {
        crate::message::reflect::algebra::validate(descriptor, &self.paths)
    }

    /// Returns the JSON form of the mask: the paths in camel case, separated by commas.
    ///
    /// # Errors
    /// A path would change when the JSON is read again, because the path has an upper-case letter, or an underscore without a
    /// lower-case letter after it. Or a path has a part that is not a name.
    pub fn to_json(&self) -> Result<String> {
        well_known::to_json(&self.paths.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// Reads a mask from its JSON form.
    ///
    /// # Errors
    /// A path is empty, has an underscore, or has a part that is not a name.
    pub fn from_json(text: &str) -> Result<Self> {
        Ok(FieldMask { paths: well_known::from_json(text)?, unknown_fields: UnknownFields::new() })
    }
}

impl<P: Into<String>> FromIterator<P> for FieldMask {
    fn from_iter<I: IntoIterator<Item = P>>(paths: I) -> Self {
        let paths = paths.into_iter().map(Into::into).collect();
        FieldMask { paths, unknown_fields: UnknownFields::new() }
    }
}

/// Writes the paths unchanged, separated by commas.
impl fmt::Display for FieldMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, path) in self.paths.iter().enumerate() {
            if i > 0 {
                f.write_str(",")?;
            }
            f.write_str(path)?;
        }
        Ok(())
    }
}

impl FromStr for FieldMask {
    type Err = Error;

    /// Reads paths separated by commas. The paths have the field names of the schema, not the JSON names.
    ///
    /// # Errors
    /// A path is empty.
    fn from_str(text: &str) -> Result<Self> {
        Ok(well_known::split(text)?.into_iter().collect())
    }
}

/// True if `path` equals `outer` or is inside it.
fn covers(outer: &str, path: &str) -> bool {
    path.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}
