//! A schema with everything, and a sink that writes down what it is given.

use tobu::sink::{Flow, Sink, Stop, Unknown};
use tobu::{MessageDescriptor, Pool};

const SOURCE: &str = r#"
edition = "2023";
package all;
message Root {
  string name = 1;
  int32 zero = 2 [features.field_presence = IMPLICIT];
  repeated Item items = 3;
  map<string, Item> by_name = 4;
  map<int32, Color> colors = 5;
  oneof choice { int32 count = 6; string word = 7; Item item = 8; Color tint = 18; }
  repeated int32 numbers = 9;
  repeated fixed64 fixed = 10 [features.repeated_field_encoding = EXPANDED];
  repeated Color shades = 11;
  Item group = 12 [features.message_encoding = DELIMITED];
  repeated Item groups = 13 [features.message_encoding = DELIMITED];
  Item single = 14;
  bytes loose = 15;
  string any_text = 16 [features.utf8_validation = NONE];
  double ratio = 17 [default = 2.5];
  extensions 100 to 200;
}
message Item {
  string id = 1;
  int32 size = 2 [default = 7];
  Item inner = 3;
  Color color = 4;
  oneof either { int32 left = 5; int32 right = 6; }
  int32 must = 7;
}
message Strict { Needed needed = 1; repeated Needed list = 2; }
message Needed { int32 must = 1 [features.field_presence = LEGACY_REQUIRED]; int32 may = 2; }
enum Color { option features.enum_type = CLOSED; NONE = 0; RED = 1; GREEN = 2; }
extend Root { string note = 100; repeated Item extras = 101; }
"#;

pub(crate) fn pool() -> Pool {
    Pool::from_sources(&[("all.proto", SOURCE)]).unwrap()
}

pub(crate) fn message(name: &str) -> MessageDescriptor {
    pool().message(&format!("all.{name}")).unwrap()
}

/// What came, a text for each event.
#[derive(Default)]
pub(crate) struct Log {
    pub(crate) lines: Vec<String>,
    /// Stops at the event with this number.
    pub(crate) stop: Option<(usize, fn() -> Stop)>,
}

impl Log {
    fn line(&mut self, text: String) -> Flow {
        if let Some((at, stop)) = self.stop
            && at == self.lines.len()
        {
            return Err(stop());
        }
        self.lines.push(text);
        Ok(())
    }
}

macro_rules! logged {
    ($($method:ident: $ty:ty;)*) => {
        $(
            fn $method(&mut self, field: u32, value: $ty) -> Flow {
                self.line(format!("{field} {} {value:?}", stringify!($method)))
            }
        )*
    };
}

impl<'a> Sink<'a> for Log {
    logged! {
        i32: i32;
        i64: i64;
        u32: u32;
        u64: u64;
        f32: f32;
        f64: f64;
        bool: bool;
        enumeration: i32;
        str: &'a str;
        bytes: &'a [u8];
        i32s: &[i32];
        u64s: &[u64];
        enumerations: &[i32];
    }

    fn begin(&mut self, field: u32, message: &'a [u8]) -> Flow {
        self.line(format!("{field} begin {}", message.len()))
    }

    fn end(&mut self, field: u32) -> Flow {
        self.line(format!("{field} end"))
    }

    fn clear(&mut self, field: u32) -> Flow {
        self.line(format!("{field} clear"))
    }

    fn unknown(&mut self, field: u32, number: u32, value: Unknown<'a>) -> Flow {
        self.line(format!("{field} unknown {number} {value:?}"))
    }
}
