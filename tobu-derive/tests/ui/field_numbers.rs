use tobu::{Deserialize, Message, Serialize};

#[derive(Message, Serialize, Deserialize)]
struct Numbers {
    missing: i32,
    #[tobu(0)]
    zero: i32,
    #[tobu(19000)]
    reserved: i32,
    #[tobu(number = 19999)]
    reserved_too: i32,
    #[tobu(536870912)]
    too_large: i32,
    #[tobu(99999999999999999999)]
    far_too_large: i32,
    #[tobu(-1)]
    negative: i32,
    #[tobu(number = "5")]
    string: i32,
    #[tobu(7)]
    first: i32,
    #[tobu(sint32, number = 7)]
    second: i32,
    #[tobu(8, 9)]
    two: i32,
}

fn main() {
    // The stand-ins keep the errors above from being followed by others.
    let _ = tobu::to_vec(&None::<Numbers>.unwrap());
    let _ = tobu::from_slice::<Numbers>(&[]);
}
