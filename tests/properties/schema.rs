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
const REPEATED: u64 = 3;
const TYPE_MESSAGE: u64 = 11;
const TYPE_ENUM: u64 = 14;
/// The types but group, message and enum.
const SCALARS: [u64; 15] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 15, 16, 17, 18];
/// What a map key can be.
const KEYS: [u64; 12] = [3, 4, 5, 6, 7, 8, 9, 13, 15, 16, 17, 18];

/// A file of edition 2023 with messages `random.M0` and so on, and enums.
pub(crate) fn file(entropy: &mut Entropy<'_>) -> Vec<u8> {
    let (messages, enums) = (1 + entropy.below(3), 1 + entropy.below(3));
    let closed: Vec<bool> = (0..enums).map(|_| entropy.chance(2)).collect();
    let mut file =
        Proto::default().text(1, "random.proto").text(2, "random").text(12, "editions").number(14, 1000);
    for index in 0..messages {
        file = file.message(4, message(index, messages, &closed, entropy));
    }
    for (index, &closed) in closed.iter().enumerate() {
        file = file.message(5, enumeration(index, closed, entropy));
    }
    file.0.finish().unwrap()
}

fn enumeration(index: usize, closed: bool, entropy: &mut Entropy<'_>) -> Proto {
    let mut proto = Proto::default().text(1, &format!("E{index}"));
    let mut numbers = vec![0i32];
    for _ in 0..entropy.below(5) {
        let number = match entropy.below(3) {
            0 => entropy.number() as i32,
            _ => entropy.below(9) as i32 - 3,
        };
        if !numbers.contains(&number) {
            numbers.push(number);
        }
    }
    for (value, number) in numbers.into_iter().enumerate() {
        let name = format!("E{index}_{value}");
        proto = proto.message(2, Proto::default().text(1, &name).number(2, i64::from(number) as u64));
    }
    if closed {
        proto = proto.message(3, Proto::default().message(7, Proto::default().number(2, 2)));
    }
    proto
}

fn message(index: usize, messages: usize, closed: &[bool], entropy: &mut Entropy<'_>) -> Proto {
    let full_name = format!(".random.M{index}");
    let mut proto = Proto::default().text(1, &full_name[".random.".len()..]);
    let mut numbers = Vec::new();
    let mut in_oneof = [false; 2];
    for i in 0..1 + entropy.below(9) {
        let mut number = match entropy.below(4) {
            0 => 1 + entropy.number() as u32 % 536_870_911,
            1 => 1 + entropy.number() as u32 % 4096,
            _ => 1 + entropy.below(30) as u32,
        };
        while numbers.contains(&number) || (19_000..20_000).contains(&number) {
            number = if number >= 536_870_911 { 1 } else { number + 1 };
        }
        numbers.push(number);
        let name = format!("f{i}");
        let field = Proto::default().text(1, &name).number(3, u64::from(number)).text(10, &name);
        let form = entropy.below(8);
        let (ty, type_name, is_closed) = ty(messages, closed, entropy);
        let mut features = Proto::default();
        let typed = |field: Proto| match &type_name {
            Some(name) => field.number(5, ty).text(6, name),
            None => field.number(5, ty),
        };
        let mut field = match form {
            0 | 1 => {
                if ![9, 12, TYPE_MESSAGE].contains(&ty) {
                    features = features.number(3, 1 + entropy.below(2) as u64);
                }
                typed(field.number(4, REPEATED))
            }
            2 => {
                let entry = format!("F{i}Entry");
                let half =
                    |name, number| Proto::default().text(1, name).number(3, number).number(4, OPTIONAL);
                let key = half("key", 1).number(5, KEYS[entropy.below(KEYS.len())]);
                let nested = Proto::default()
                    .text(1, &entry)
                    .message(2, key)
                    .message(2, typed(half("value", 2)))
                    .message(7, Proto::default().number(7, 1));
                proto = proto.message(3, nested);
                field.number(4, REPEATED).number(5, TYPE_MESSAGE).text(6, &format!("{full_name}.{entry}"))
            }
            3 | 4 => {
                let oneof = form - 3;
                in_oneof[oneof] = true;
                typed(field.number(4, OPTIONAL)).number(9, oneof as u64)
            }
            5 if ty != TYPE_MESSAGE => {
                features = features.number(1, 3);
                typed(field.number(4, OPTIONAL))
            }
            6 if ty != TYPE_MESSAGE && !is_closed => {
                features = features.number(1, 2);
                typed(field.number(4, OPTIONAL))
            }
            _ => typed(field.number(4, OPTIONAL)),
        };
        if ty == TYPE_MESSAGE && form != 2 && entropy.chance(2) {
            features = features.number(5, 2);
        }
        if !features.0.is_empty() {
            field = field.message(8, Proto::default().message(21, features));
        }
        proto = proto.message(2, field);
    }
    // A oneof without fields is not valid: those that stayed empty get one.
    for (oneof, used) in in_oneof.into_iter().enumerate() {
        if !used {
            let number = (1..).find(|number| !numbers.contains(number)).unwrap();
            numbers.push(number);
            let name = format!("o{oneof}");
            let field = Proto::default().text(1, &name).number(3, u64::from(number)).number(4, OPTIONAL);
            proto = proto.message(2, field.number(5, 5).number(9, oneof as u64).text(10, &name));
        }
        proto = proto.message(8, Proto::default().text(1, &format!("choice{oneof}")));
    }
    proto
}

/// A type, its name, and whether it is a closed enum.
fn ty(messages: usize, closed: &[bool], entropy: &mut Entropy<'_>) -> (u64, Option<String>, bool) {
    match entropy.below(5) {
        0 | 1 => (TYPE_MESSAGE, Some(format!(".random.M{}", entropy.below(messages))), false),
        2 => {
            let index = entropy.below(closed.len());
            (TYPE_ENUM, Some(format!(".random.E{index}")), closed[index])
        }
        _ => (SCALARS[entropy.below(SCALARS.len())], None, false),
    }
}
