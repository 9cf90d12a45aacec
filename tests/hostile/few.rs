//! Small messages of numbers, which have a fast path for fields in order: in every order, and without fields.

use tobu::{DynamicMessage, Message, UnknownFields};

#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "few")]
struct Cloud {
    #[tobu(1)]
    one: Option<Point>,
    #[tobu(2)]
    many: Vec<Point>,
    #[tobu(3)]
    bare: Option<Bare>,
    #[tobu(unknown)]
    unknown_fields: UnknownFields,
}

/// Not in the order of the numbers.
#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "few")]
struct Point {
    #[tobu(3, sint32)]
    z: i32,
    #[tobu(1)]
    x: i32,
    #[tobu(2)]
    y: Option<f32>,
    #[tobu(unknown)]
    unknown_fields: UnknownFields,
}

/// Keeps nothing that it does not know.
#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "few")]
struct Bare {
    #[tobu(1)]
    x: i64,
}

/// Fields of a point, whole and broken.
const FIELDS: [&[u8]; 10] = [
    b"\x08\x05",
    b"\x08\x00",
    b"\x15\x00\x00\x80\x3f",
    b"\x18\x03",
    b"\x20\x01",
    b"\x2a\x01A",
    // A tag longer than it need be, a value that is, and another wire type.
    b"\x88\x00\x07",
    b"\x08\x80\x01",
    b"\x0a\x01A",
    // Cut off.
    b"\x15\x00",
];

/// All points of at most three such fields.
fn points() -> Vec<Vec<u8>> {
    let mut all = vec![Vec::new()];
    let mut last = all.clone();
    for _ in 0..3 {
        last = last.iter().flat_map(|point| FIELDS.map(|field| [point, field].concat())).collect();
        all.extend(last.iter().cloned());
    }
    all
}

/// A field of a cloud that holds a point.
fn field(number: u8, point: &[u8]) -> Vec<u8> {
    [&[number << 3 | 2, point.len() as u8], point].concat()
}

#[test]
fn members_in_any_order_are_those_of_a_dynamic_message() {
    let descriptor = Cloud::descriptor();
    let used = Cloud {
        one: Some(Point { z: 9, x: 9, y: Some(9.0), ..Point::default() }),
        many: vec![Point { z: 8, x: 8, y: Some(8.0), ..Point::default() }; 2],
        bare: Some(Bare { x: 7 }),
        ..Cloud::default()
    };
    let (mut good, mut bad) = (0, 0);
    for point in points() {
        let other = field(1, b"\x08\x01\x18\x01");
        for wire in [
            field(1, &point),
            [&field(1, &point)[..], &other].concat(),
            [&other[..], &field(1, &point)].concat(),
            [&field(2, &point)[..], &other, &field(2, &point), b"\x40\x01"].concat(),
            field(3, &point),
        ] {
            let dynamic = DynamicMessage::decode(&descriptor, &wire);
            let mut refilled = used.clone();
            let refill = tobu::from_slice_in_place(&mut refilled, &wire);
            match tobu::from_slice::<Cloud>(&wire) {
                Ok(cloud) => {
                    refill.unwrap();
                    assert_eq!(cloud, refilled, "{wire:x?}");
                    let dynamic = dynamic.unwrap();
                    if wire[0] == 0x1a {
                        // Of a bare one the unknown fields are dropped.
                        let as_one = [b"\x0a", &wire[1..]].concat();
                        let x = tobu::from_slice::<Cloud>(&as_one).unwrap().one.unwrap().x;
                        assert_eq!(cloud.bare, Some(Bare { x: x.into() }), "{wire:x?}");
                    } else {
                        let again = tobu::to_vec(&cloud).unwrap();
                        let again = DynamicMessage::decode(&descriptor, &again).unwrap();
                        assert_eq!(
                            again.encode_to_vec().unwrap(),
                            dynamic.encode_to_vec().unwrap(),
                            "{wire:x?}"
                        );
                    }
                    good += 1;
                }
                Err(error) => {
                    let text = dynamic.unwrap_err().to_string();
                    assert_eq!((error.to_string(), refill.unwrap_err().to_string()), (text.clone(), text));
                    bad += 1;
                }
            }
        }
    }
    assert!(good > 3000 && bad > 1000, "{good} {bad}");
}
