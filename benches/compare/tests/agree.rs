//! Random messages: what tobu writes, prost reads alike and writes back to the same.

use proptest::collection::{btree_map, hash_map, vec};
use proptest::option;
use proptest::prelude::*;
use tobu_compare::prost_corpus::v3 as p;
use tobu_compare::tobu_schemas::corpus::corpus::v3 as t;

/// tobu's bytes, through prost and back.
fn agree<T, P>(message: &T, same_bytes: bool) -> Result<(), TestCaseError>
where
    T: tobu::Message + tobu::Serialize + for<'de> tobu::Deserialize<'de> + std::fmt::Debug,
    P: prost::Message + Default + PartialEq,
{
    let bytes = tobu::to_vec(message).unwrap();
    let theirs = P::decode(&*bytes).map_err(|error| TestCaseError::fail(error.to_string()))?;
    let back = theirs.encode_to_vec();
    prop_assert_eq!(tobu::encoded_len(message).unwrap(), bytes.len());
    // prost leaves defaults out of map entries, where the specification and tobu write both halves.
    if same_bytes {
        prop_assert_eq!(&back, &bytes);
    }
    let ours: T = tobu::from_slice(&back).unwrap();
    // NaN is not equal to itself: bytes in a fixed order are.
    let canonical = |message: &T| tobu::EncodeOptions::new().deterministic(true).to_vec(message).unwrap();
    prop_assert_eq!(canonical(&ours), canonical(message));
    // They read the same from our bytes as from theirs, except NaN.
    prop_assert_eq!(P::decode(&*back).unwrap().encoded_len(), back.len());
    Ok(())
}

fn color() -> impl Strategy<Value = t::Color> {
    prop_oneof![-1..=2, any::<i32>()].prop_map(t::Color)
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    vec(any::<u8>(), 0..40)
}

prop_compose! {
    fn leaf()(a in any::<i32>(), b in ".{0,20}", c in vec(any::<i32>(), 0..5)) -> t::Leaf {
        t::Leaf { a, b, c, ..Default::default() }
    }
}

prop_compose! {
    fn scalars()(
        (f_double, f_float, f_int32, f_int64, f_uint32) in any::<(f64, f32, i32, i64, u32)>(),
        (f_uint64, f_sint32, f_sint64, f_fixed32, f_fixed64) in any::<(u64, i32, i64, u32, u64)>(),
        (f_sfixed32, f_sfixed64, f_bool) in any::<(i32, i64, bool)>(),
        f_string in ".{0,300}", f_bytes in bytes(), f_color in color(),
    ) -> t::Scalars {
        // prost takes negative zero for the default and drops it; the specification keeps it.
        let (f_double, f_float) = (f_double + 0.0, f_float + 0.0);
        t::Scalars {
            f_double, f_float, f_int32, f_int64, f_uint32, f_uint64, f_sint32, f_sint64, f_fixed32, f_fixed64,
            f_sfixed32, f_sfixed64, f_bool, f_string, f_bytes, f_color, ..Default::default()
        }
    }
}

prop_compose! {
    fn optionals()(
        (f_double, f_int32, f_uint64, f_sint32, f_fixed64, f_bool)
            in any::<(Option<f64>, Option<i32>, Option<u64>, Option<i32>, Option<u64>, Option<bool>)>(),
        f_string in option::of(".{0,20}"), f_bytes in option::of(bytes()), f_color in option::of(color()),
    ) -> t::Optionals {
        t::Optionals {
            f_double, f_int32, f_uint64, f_sint32, f_fixed64, f_bool, f_string, f_bytes, f_color, ..Default::default()
        }
    }
}

prop_compose! {
    fn lists()(
        f_double in vec(any::<f64>(), 0..50), f_int32 in vec(any::<i32>(), 0..200), f_uint64 in vec(any::<u64>(), 0..20),
        f_sint64 in vec(any::<i64>(), 0..20), f_fixed32 in vec(any::<u32>(), 0..20), f_bool in vec(any::<bool>(), 0..200),
        f_string in vec(".{0,20}", 0..8), f_bytes in vec(bytes(), 0..8), f_color in vec(color(), 0..8),
        f_leaf in vec(leaf(), 0..8), f_expanded in vec(any::<i32>(), 0..8),
    ) -> t::Lists {
        t::Lists {
            f_double, f_int32, f_uint64, f_sint64, f_fixed32, f_bool, f_string, f_bytes, f_color, f_leaf, f_expanded,
            ..Default::default()
        }
    }
}

prop_compose! {
    fn maps()(
        f_int32 in hash_map(any::<i32>(), any::<i32>(), 0..5), f_sint64 in hash_map(any::<i64>(), any::<i64>(), 0..5),
        f_fixed32 in hash_map(any::<u32>(), any::<u32>(), 0..5), f_bool in hash_map(any::<bool>(), any::<bool>(), 0..3),
        f_string in hash_map(".{0,9}", ".{0,9}", 0..5), f_bytes in hash_map(".{0,9}", bytes(), 0..5),
        f_color in hash_map(".{0,9}", color(), 0..5), f_leaf in hash_map(".{0,9}", leaf(), 0..5),
    ) -> t::Maps {
        t::Maps { f_int32, f_sint64, f_fixed32, f_bool, f_string, f_bytes, f_color, f_leaf, ..Default::default() }
    }
}

fn choice() -> impl Strategy<Value = t::Choice> {
    use t::choice::Kind;
    let kind = prop_oneof![
        any::<i32>().prop_map(Kind::Number),
        ".{0,20}".prop_map(Kind::Text),
        bytes().prop_map(Kind::Raw),
        leaf().prop_map(Kind::Leaf),
        color().prop_map(Kind::Color),
        any::<i64>().prop_map(Kind::Zigzag),
    ];
    (".{0,9}", option::of(kind), ".{0,9}").prop_map(|(before, kind, after)| t::Choice {
        before,
        kind,
        after,
        ..Default::default()
    })
}

/// Trees whose nested lengths cross every size of varint that fits a test.
fn tree() -> impl Strategy<Value = t::Tree> {
    let tip = (".{0,200}", option::of(leaf())).prop_map(|(name, leaf)| t::Tree {
        name,
        leaf,
        ..Default::default()
    });
    tip.prop_recursive(6, 40, 4, |inner| {
        (
            ".{0,9}",
            option::of(inner.clone()),
            option::of(inner.clone()),
            vec(inner.clone(), 0..4),
            btree_map(".{0,4}", inner, 0..2),
        )
            .prop_map(|(name, left, right, children, named)| t::Tree {
                name,
                left: left.map(Box::new),
                right: right.map(Box::new),
                children,
                named: named.into_iter().collect(),
                ..Default::default()
            })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn scalars_agree(message in scalars()) { agree::<_, p::Scalars>(&message, true)? }

    #[test]
    fn optionals_agree(message in optionals()) { agree::<_, p::Optionals>(&message, true)? }

    #[test]
    fn lists_agree(message in lists()) { agree::<_, p::Lists>(&message, true)? }

    #[test]
    fn maps_agree(message in maps()) { agree::<_, p::Maps>(&message, false)? }

    #[test]
    fn trees_agree(message in tree()) { agree::<_, p::Tree>(&message, false)? }

    #[test]
    fn choices_agree(message in choice()) { agree::<_, p::Choice>(&message, true)? }
}
