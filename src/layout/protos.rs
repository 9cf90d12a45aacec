//! Keeps the proto values that conversions make for members, so that reflection can lend them.

use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::OnceLock;

/// The member in which a message keeps the proto values that conversions make for its other members.
///
/// A [`Convert`](super::member::Convert) whose [`Proto`](super::member::Convert::Proto) is a message, a list, a map, a `String`
/// or a `Vec<u8>` makes a new proto value each time. Reflection lends values for as long as the message is borrowed, so it
/// needs a place to keep them, which is this member. It is not part of the schema; two values of this type are always equal,
/// and a clone is empty, because the clone of a message makes its own proto values. The member stays empty until reflection
/// reads a member with such a conversion; encoding, JSON and the text format do not use it.
///
/// A value that was lent is kept until the message is dropped or cleared, or [`clear`](Self::clear) is called, because
/// other code may still borrow it. After a program assigns to a member with such a conversion, reflection makes a new value
/// when it next reads the member.
///
/// ```
/// use std::time::{Duration, SystemTime};
/// use tobu::member::{Convert, Protos};
/// use tobu::types::Timestamp;
///
/// enum AsTimestamp {}
///
/// impl Convert<SystemTime> for AsTimestamp {
///     type Proto = Timestamp;
///     const EXPECTED: &'static str = "a time that the system can hold";
///
///     fn as_proto(time: &SystemTime) -> Timestamp {
///         (*time).try_into().unwrap_or_default()
///     }
///
///     fn from_proto(time: Timestamp) -> Option<SystemTime> {
///         time.try_into().ok()
///     }
/// }
///
/// #[derive(Debug, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
/// struct Loan {
///     #[tobu(1, with = AsTimestamp)]
///     until: Option<SystemTime>,
///     #[tobu(protos)]
///     protos: Protos,
/// }
///
/// let until = SystemTime::UNIX_EPOCH + Duration::from_secs(86_400);
/// let loan = Loan { until: Some(until), protos: Protos::new() };
/// let json = tobu::json::to_string(&loan)?;
/// assert_eq!(json, r#"{"until":"1970-01-02T00:00:00Z"}"#);
/// assert_eq!(tobu::json::from_str::<Loan>(&json)?, loan);
/// # Ok::<(), tobu::Error>(())
/// ```
#[derive(Default)]
pub struct Protos(Next);

/// A link in the list of kept values. Through a shared reference, the list can only grow.
type Next = OnceLock<Box<Node>>;

struct Node {
    field: u32,
    proto: Box<dyn Any + Send + Sync>,
    next: Next,
}

impl Protos {
    /// Creates an empty store, which keeps no proto values.
    pub const fn new() -> Self {
        Protos(OnceLock::new())
    }

    /// Drops the values that are kept.
    pub fn clear(&mut self) {
        // Nodes are dropped in a loop, because recursion over a long list could exhaust the stack.
        let mut next = self.0.take();
        while let Some(mut node) = next {
            next = node.next.take();
        }
    }

    /// Keeps `proto`, a proto value of the field with the number `field`, and returns a reference to it. If an equal
    /// value of this field is kept already, drops `proto` and returns a reference to the kept value.
    pub(super) fn keep<P: PartialEq + Send + Sync + 'static>(&self, field: u32, proto: P) -> &P {
        let (mut proto, mut slot) = (proto, &self.0);
        loop {
            match slot.get() {
                Some(node) => {
                    match node.proto.downcast_ref::<P>() {
                        Some(kept) if node.field == field && *kept == proto => return kept,
                        _ => slot = &node.next,
                    }
                    continue;
                }
                None => {
                    // Another thread may have added a value meanwhile, so the loop compares that value, too.
                    if let Err(node) =
                        slot.set(Box::new(Node { field, proto: Box::new(proto), next: Next::new() }))
                    {
                        proto = *node.proto.downcast().expect("it was put in above");
                        continue;
                    }
                }
            }
            let kept = slot.get().and_then(|node| node.proto.downcast_ref());
            return kept.expect("it was put in above");
        }
    }
}

impl Drop for Protos {
    fn drop(&mut self) {
        self.clear();
    }
}

/// A clone starts without kept values, because the clone of the message makes its own.
impl Clone for Protos {
    fn clone(&self) -> Self {
        Protos::new()
    }

    fn clone_from(&mut self, _: &Self) {
        self.clear();
    }
}

/// Kept values are not part of the data of the message, so they do not matter for equality.
impl PartialEq for Protos {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Protos {}

impl PartialOrd for Protos {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Protos {
    fn cmp(&self, _: &Self) -> std::cmp::Ordering {
        std::cmp::Ordering::Equal
    }
}

impl Hash for Protos {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl fmt::Debug for Protos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Protos")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ptr;

    #[test]
    fn an_equal_value_is_kept_once_and_stays_where_it_is() {
        let protos = Protos::new();
        let first: &String = protos.keep(1, "a".to_owned());
        let other = protos.keep(1, "b".to_owned());
        assert_eq!((first.as_str(), other.as_str()), ("a", "b"));
        assert!(ptr::eq(first, protos.keep(1, "a".to_owned())));
        assert!(ptr::eq(other, protos.keep(1, "b".to_owned())));
        // Another field has its own value, and a value of another type is kept separately.
        assert!(!ptr::eq(first, protos.keep(2, "a".to_owned())));
        assert_eq!(*protos.keep(1, 7u64), 7);
    }

    #[test]
    fn threads_that_keep_at_once_all_get_their_values() {
        let protos = Protos::new();
        std::thread::scope(|scope| {
            for thread in 0..4u64 {
                let protos = &protos;
                scope.spawn(move || {
                    for value in 0..50 {
                        assert_eq!(*protos.keep(1, value * 4 + thread), value * 4 + thread);
                        assert_eq!(*protos.keep(1, value), value);
                    }
                });
            }
        });
    }

    #[test]
    fn many_values_are_dropped_without_recursion() {
        let mut protos = Protos::new();
        // Nodes are added at the front, so this does not take quadratic time.
        for value in 0..200_000u64 {
            let rest = std::mem::take(&mut protos.0);
            let node = Node { field: 1, proto: Box::new(value), next: rest };
            assert!(protos.0.set(Box::new(node)).is_ok());
        }
        protos.clear();
        assert!(protos.0.get().is_none());
    }
}
