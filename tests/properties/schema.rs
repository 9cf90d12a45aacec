//! Random schemas, as the bytes of a FileDescriptorProto.

use crate::entropy::Entropy;
use tobu::wire::{Tag, WireType, Writer};

/// Writes a descriptor field by field.
#[derive(Default)]
struct Proto(Writer);

impl Proto {
    fn number(mut self, field: u32, value: u64) -> Self {
        self.0.tag(Tag::new(field, WireType::Varint));
        self.0.varint(value);
        self
    }

    fn bytes(mut self, field: u32, value: &[u8]) -> Self {
        self.0.tag(Tag::new(field, WireType::Len));
        self.0.len_prefixed(value);
        self
    }

    fn text(self, field: u32, value: &str) -> Self {
        self.bytes(field, value.as_bytes())
    }

    fn message(self, field: u32, value: Proto) -> Self {
        self.bytes(field, &value.0.finish().unwrap())
    }
}

const OPTIONAL: u64 = 1;
const REQUIRED: u64 = 2;
const REPEATED: u64 = 3;
const TYPE_STRING: u64 = 9;
const TYPE_GROUP: u64 = 10;
const TYPE_MESSAGE: u64 = 11;
const TYPE_BYTES: u64 = 12;
const TYPE_ENUM: u64 = 14;
/// The types but group, message and enum.
const SCALARS: [u64; 15] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 15, 16, 17, 18];
/// The types of map keys.
const KEYS: [u64; 12] = [3, 4, 5, 6, 7, 8, 9, 13, 15, 16, 17, 18];
/// The numbers of the extensions of each message.
const EXTENSIONS: std::ops::Range<u32> = 1_000_000..1_001_000;
/// The imports of the files of [`Style::rich`].
const IMPORTS: [&str; 7] = ["any", "duration", "empty", "field_mask", "struct", "timestamp", "wrappers"];
/// Messages of those files.
const WELL_KNOWN: [&str; 17] = [
    "Any",
    "Duration",
    "Empty",
    "FieldMask",
    "Struct",
    "Value",
    "ListValue",
    "Timestamp",
    "DoubleValue",
    "FloatValue",
    "Int64Value",
    "UInt64Value",
    "Int32Value",
    "UInt32Value",
    "BoolValue",
    "StringValue",
    "BytesValue",
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    Proto2,
    Proto3,
    Edition2023,
}

/// The parameters of a schema.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style<'a> {
    pub(crate) package: &'a str,
    pub(crate) syntax: Syntax,
    /// With nested types, groups, extensions, aliases, well-known types and explicit JSON names.
    pub(crate) rich: bool,
}

/// A file of edition 2023 without features that serde's trees cannot express.
pub(crate) const PLAIN: Style<'static> =
    Style { package: "random", syntax: Syntax::Edition2023, rich: false };

/// A file `PACKAGE.proto` with messages `M0` and so on, and enums.
pub(crate) fn file(style: Style<'_>, entropy: &mut Entropy<'_>) -> Vec<u8> {
    let (messages, enums) = (1 + entropy.below(3), 1 + entropy.below(3));
    let closed = (0..enums).map(|_| match style.syntax {
        Syntax::Proto2 => true,
        Syntax::Proto3 => false,
        Syntax::Edition2023 => entropy.chance(2),
    });
    let closed: Vec<bool> = closed.collect();
    let mut file = Proto::default().text(1, &format!("{}.proto", style.package)).text(2, style.package);
    file = match style.syntax {
        Syntax::Proto2 => file,
        Syntax::Proto3 => file.text(12, "proto3"),
        Syntax::Edition2023 => file.text(12, "editions").number(14, 1000),
    };
    if style.rich {
        for import in IMPORTS {
            file = file.text(3, &format!("google/protobuf/{import}.proto"));
        }
    }
    let mut generator = Generator { style, messages, closed, entropy };
    for index in 0..messages {
        file = file.message(4, generator.message(index));
    }
    for index in 0..enums {
        let closed = generator.closed[index];
        file = file.message(5, generator.enumeration(&format!("E{index}"), closed));
    }
    if generator.is_extendable() {
        for index in 0..generator.entropy.below(5) {
            file = file.message(7, generator.extension(index));
        }
    }
    file.0.finish().unwrap()
}

/// The type of a field.
struct Ty {
    number: u64,
    /// Of a message or enum.
    name: Option<String>,
    is_closed: bool,
}

impl Ty {
    fn set(&self, field: Proto) -> Proto {
        match &self.name {
            Some(name) => field.number(5, self.number).text(6, name),
            None => field.number(5, self.number),
        }
    }

    fn is_packable(&self) -> bool {
        ![TYPE_STRING, TYPE_BYTES, TYPE_MESSAGE].contains(&self.number)
    }
}

struct Generator<'a, 'e> {
    style: Style<'a>,
    messages: usize,
    /// Of each enum, whether it is closed.
    closed: Vec<bool>,
    entropy: &'a mut Entropy<'e>,
}

impl Generator<'_, '_> {
    fn is_extendable(&self) -> bool {
        self.style.rich && self.style.syntax != Syntax::Proto3
    }

    fn enumeration(&mut self, name: &str, closed: bool) -> Proto {
        let mut proto = Proto::default().text(1, name);
        let mut numbers = vec![0i32];
        for _ in 0..self.entropy.below(5) {
            let number = match self.entropy.below(3) {
                0 => self.entropy.number() as i32,
                _ => self.entropy.below(9) as i32 - 3,
            };
            if !numbers.contains(&number) {
                numbers.push(number);
            }
        }
        let mut options = Proto::default();
        if self.style.rich && self.entropy.chance(4) {
            numbers.push(numbers[numbers.len() - 1]);
            options = options.number(2, 1);
        }
        for (value, number) in numbers.into_iter().enumerate() {
            let name = format!("{name}_{value}");
            proto = proto.message(2, Proto::default().text(1, &name).number(2, i64::from(number) as u64));
        }
        if closed && self.style.syntax == Syntax::Edition2023 {
            options = options.message(7, Proto::default().number(2, 2));
        }
        if options.0.is_empty() { proto } else { proto.message(3, options) }
    }

    fn message(&mut self, index: usize) -> Proto {
        let name = format!("M{index}");
        let full_name = format!(".{}.{name}", self.style.package);
        let mut proto = Proto::default().text(1, &name);
        let mut numbers = Vec::new();
        // Oneofs of proto3's optional fields are after the others.
        let (mut in_oneof, mut synthetic) = ([false; 2], Vec::new());
        let mut fields = Vec::new();
        for i in 0..1 + self.entropy.below(9) {
            let number = self.number(&numbers);
            numbers.push(number);
            let (name, json_name) = self.names(i);
            let field = Proto::default().text(1, &name).number(3, u64::from(number)).text(10, &json_name);
            let form = self.entropy.below(8);
            let ty = self.ty();
            let (mut features, mut options) = (Proto::default(), Proto::default());
            let mut field = match (form, self.style.syntax) {
                (0 | 1, syntax) => {
                    if ty.is_packable() {
                        let packed = self.entropy.below(2) as u64;
                        match syntax {
                            Syntax::Edition2023 => features = features.number(3, 1 + packed),
                            _ => options = options.number(2, packed),
                        }
                    }
                    ty.set(field.number(4, REPEATED))
                }
                (2, _) => {
                    let entry = format!("{}Entry", camel(&name));
                    proto = proto.message(3, self.entry(&entry, &ty));
                    let entry = format!("{full_name}.{entry}");
                    field.number(4, REPEATED).number(5, TYPE_MESSAGE).text(6, &entry)
                }
                (3 | 4, _) => {
                    let oneof = form - 3;
                    in_oneof[oneof] = true;
                    ty.set(field.number(4, OPTIONAL)).number(9, oneof as u64)
                }
                (5, Syntax::Edition2023) if ty.number != TYPE_MESSAGE => {
                    features = features.number(1, 3);
                    ty.set(field.number(4, OPTIONAL))
                }
                (5, Syntax::Proto2) if ty.number != TYPE_MESSAGE => ty.set(field.number(4, REQUIRED)),
                (6, Syntax::Edition2023) if ty.number != TYPE_MESSAGE && !ty.is_closed => {
                    features = features.number(1, 2);
                    ty.set(field.number(4, OPTIONAL))
                }
                (6, Syntax::Proto2) if self.style.rich => {
                    let group = format!("G{i}");
                    proto = proto.message(3, small(&group, None));
                    let label = if self.entropy.chance(2) { REPEATED } else { OPTIONAL };
                    let field = Proto::default().text(1, &group.to_lowercase()).number(3, u64::from(number));
                    let field = field.text(10, &group.to_lowercase()).number(4, label);
                    field.number(5, TYPE_GROUP).text(6, &format!("{full_name}.{group}"))
                }
                (6, Syntax::Proto3) => {
                    let oneof = 2 + synthetic.len() as u64;
                    synthetic.push(format!("_{name}"));
                    ty.set(field.number(4, OPTIONAL)).number(9, oneof).number(17, 1)
                }
                _ => ty.set(field.number(4, OPTIONAL)),
            };
            if self.style.syntax == Syntax::Edition2023 && form != 2 {
                if ty.number == TYPE_MESSAGE && self.entropy.chance(2) {
                    features = features.number(5, 2);
                }
                if ty.number == TYPE_STRING && self.style.rich && self.entropy.chance(3) {
                    features = features.number(4, 3);
                }
            }
            if !features.0.is_empty() {
                options = options.message(21, features);
            }
            if !options.0.is_empty() {
                field = field.message(8, options);
            }
            fields.push((if let 3 | 4 = form { form } else { 0 }, field));
        }
        // A oneof without fields is not valid: those that stayed empty get one.
        for (oneof, used) in in_oneof.into_iter().enumerate() {
            if !used {
                let number = (1..).find(|number| !numbers.contains(number)).unwrap();
                numbers.push(number);
                let name = format!("o{oneof}");
                let field = Proto::default().text(1, &name).number(3, u64::from(number)).number(4, OPTIONAL);
                let field = field.number(5, 5).number(9, oneof as u64).text(10, &name);
                fields.push((3 + oneof, field));
            }
            proto = proto.message(8, Proto::default().text(1, &format!("choice{oneof}")));
        }
        // The compiler would have put the fields of a oneof next to each other.
        if self.style.rich {
            fields.sort_by_key(|(oneof, _)| *oneof);
        }
        for (_, field) in fields {
            proto = proto.message(2, field);
        }
        for name in synthetic {
            proto = proto.message(8, Proto::default().text(1, &name));
        }
        if self.style.rich {
            proto = proto.message(3, small("Inner", Some(&format!("{full_name}.Inner"))));
            let closed = self.style.syntax == Syntax::Proto2;
            proto = proto.message(4, self.enumeration("Kind", closed));
        }
        if self.is_extendable() {
            let range = Proto::default().number(1, EXTENSIONS.start.into());
            proto = proto.message(5, range.number(2, EXTENSIONS.end.into()));
        }
        proto
    }

    /// A field number that is free.
    fn number(&mut self, taken: &[u32]) -> u32 {
        let mut number = match self.entropy.below(4) {
            0 => 1 + self.entropy.number() as u32 % 536_870_911,
            1 => 1 + self.entropy.number() as u32 % 4096,
            _ => 1 + self.entropy.below(30) as u32,
        };
        let reserved = |number| (19_000..20_000).contains(&number) || EXTENSIONS.contains(&number);
        while taken.contains(&number) || reserved(number) {
            number = if number >= 536_870_911 { 1 } else { number + 1 };
        }
        number
    }

    /// The name of a field, and that in JSON.
    fn names(&mut self, index: usize) -> (String, String) {
        let plain = format!("f{index}");
        match if self.style.rich { self.entropy.below(5) } else { 0 } {
            1 => (format!("f{index}_name"), format!("f{index}Name")),
            2 => (plain, format!("j-{index} \u{e9}\"")),
            _ => (plain.clone(), plain),
        }
    }

    /// The message of a map's entries.
    fn entry(&mut self, name: &str, value: &Ty) -> Proto {
        let half = |name, number| Proto::default().text(1, name).number(3, number).number(4, OPTIONAL);
        let half = |name, number| half(name, number).text(10, name);
        let key = half("key", 1).number(5, KEYS[self.entropy.below(KEYS.len())]);
        let value = value.set(half("value", 2));
        let entry = Proto::default().text(1, name).message(2, key).message(2, value);
        entry.message(7, Proto::default().number(7, 1))
    }

    fn ty(&mut self) -> Ty {
        let package = self.style.package;
        let open = |number, name| Ty { number, name, is_closed: false };
        match self.entropy.below(5) {
            0 | 1 => {
                let message = format!(".{package}.M{}", self.entropy.below(self.messages));
                let name = match if self.style.rich { self.entropy.below(5) } else { 0 } {
                    1 | 2 => {
                        let known = WELL_KNOWN[self.entropy.below(WELL_KNOWN.len())];
                        format!(".google.protobuf.{known}")
                    }
                    3 => format!("{message}.Inner"),
                    _ => message,
                };
                open(TYPE_MESSAGE, Some(name))
            }
            2 if self.style.rich && self.entropy.chance(4) => {
                let name = match self.entropy.below(8) {
                    0 => ".google.protobuf.NullValue".into(),
                    _ => format!(".{package}.M{}.Kind", self.entropy.below(self.messages)),
                };
                let is_closed = self.style.syntax == Syntax::Proto2 && name.ends_with(".Kind");
                Ty { number: TYPE_ENUM, name: Some(name), is_closed }
            }
            2 => {
                let index = self.entropy.below(self.closed.len());
                let name = format!(".{package}.E{index}");
                Ty { number: TYPE_ENUM, name: Some(name), is_closed: self.closed[index] }
            }
            _ => open(SCALARS[self.entropy.below(SCALARS.len())], None),
        }
    }

    /// A field that extends one of the messages.
    fn extension(&mut self, index: usize) -> Proto {
        let name = format!("x{index}");
        let extendee = format!(".{}.M{}", self.style.package, self.entropy.below(self.messages));
        let number = u64::from(EXTENSIONS.start) + index as u64 * 7;
        let label = if self.entropy.chance(3) { REPEATED } else { OPTIONAL };
        let field = Proto::default().text(1, &name).text(2, &extendee).number(3, number).number(4, label);
        self.ty().set(field.text(10, &name))
    }
}

/// A message with a number and a string, and with itself where it has a full name.
fn small(name: &str, full_name: Option<&str>) -> Proto {
    let field =
        |name, number| Proto::default().text(1, name).number(3, number).number(4, OPTIONAL).text(10, name);
    let proto = Proto::default().text(1, name);
    let proto = proto.message(2, field("a", 1).number(5, 5)).message(2, field("b", 2).number(5, TYPE_STRING));
    match full_name {
        Some(full_name) => proto.message(2, field("c", 3).number(5, TYPE_MESSAGE).text(6, full_name)),
        None => proto,
    }
}

/// A field's name as the compiler writes it in the name of a map's entry.
fn camel(name: &str) -> String {
    let words = name.split('_').map(|word| word[..1].to_uppercase() + &word[1..]);
    words.collect()
}
