use std::collections::HashMap;
use tobu::Message;

#[derive(Message)]
struct Attributes {
    #[tobu(1, nmae = "x")]
    unknown: i32,
    #[tobu(2, package = "x")]
    elsewhere: i32,
    #[tobu(3, sint64)]
    kind: i32,
    #[tobu(4, fixed32)]
    kind_of_string: Option<String>,
    #[tobu(5, sint32 = true)]
    flag: i32,
    #[tobu(6, key = "sint32")]
    key: i32,
    #[tobu(7, key = "sint32")]
    key_of_string: HashMap<String, i32>,
    #[tobu(8, value = "int32")]
    value: HashMap<String, i32>,
    #[tobu(9, packed)]
    packed: i32,
    #[tobu(10, packed = 1)]
    packed_number: Vec<i32>,
    #[tobu(11, packed = false)]
    packed_strings: Vec<String>,
    #[tobu(12, required)]
    required: Vec<i32>,
    #[tobu(13, default = 5)]
    default_of_list: Vec<i32>,
    #[tobu(14, default = 5)]
    default_of_plain: i32,
    #[tobu(15, default = 2 + 3)]
    default_of_expression: Option<i32>,
    #[tobu(16, delimited)]
    delimited: Option<i32>,
    #[tobu(17, name = "no name")]
    name: i32,
    #[tobu(18, name = "name")]
    same_name: i32,
    #[tobu(19, name = "key")]
    taken_name: i32,
}

fn main() {}
