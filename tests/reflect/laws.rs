//! Laws that hold for every message, with messages decoded from random bytes.

use super::support::seen;
use proptest::prelude::*;
use std::hash::{DefaultHasher, Hasher};
use tobu::reflect::{Equality, Reflect};
use tobu::{DynamicMessage, Message};
use tobu_schemas::corpus::corpus::v3::{Choice, Leaf, Maps, Optionals, Tree};

fn leaf() -> impl Strategy<Value = Leaf> {
    (any::<i32>(), "[a-c]{0,2}", prop::collection::vec(0..3i32, 0..3)).prop_map(|(a, b, c)| Leaf {
        a,
        b,
        c,
        ..Leaf::default()
    })
}

fn tree() -> impl Strategy<Value = Tree> {
    let tip = ("[a-c]{0,1}", prop::option::of(leaf())).prop_map(|(name, leaf)| Tree {
        name,
        leaf,
        ..Tree::default()
    });
    tip.prop_recursive(3, 12, 3, |inner| {
        let list = prop::collection::vec(inner.clone(), 0..3);
        let map = prop::collection::hash_map("[a-c]{0,1}", inner.clone(), 0..3);
        ("[a-c]{0,1}", prop::option::of(inner), list, map).prop_map(|(name, left, children, named)| Tree {
            name,
            left: left.map(Box::new),
            children,
            named,
            ..Tree::default()
        })
    })
}

fn hash(message: &dyn Reflect) -> u64 {
    let mut hasher = DefaultHasher::new();
    message.stable_hash(&mut hasher);
    hasher.finish()
}

fn paths() -> impl Strategy<Value = Vec<&'static str>> {
    let all =
        ["name", "left", "left.name", "left.leaf", "left.leaf.a", "children", "named", "leaf.b", "leaf"];
    prop::sample::subsequence(all.to_vec(), 0..5)
}

fn dynamic(message: &dyn Reflect) -> DynamicMessage {
    message.to_dynamic().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn merging_into_nothing_is_copying(message in tree()) {
        let mut copy = Tree::default();
        copy.as_reflect_mut().merge_from(message.as_reflect()).unwrap();
        prop_assert_eq!(&copy, &message);
        let dynamic = dynamic(message.as_reflect());
        let mut copy = Tree::default();
        copy.as_reflect_mut().merge_from(&dynamic).unwrap();
        prop_assert_eq!(&copy, &message);
        prop_assert_eq!(dynamic.absorb::<Tree>().unwrap(), message);
    }

    #[test]
    fn merging_is_what_the_wire_does(a in tree(), b in tree()) {
        let mut merged = a.clone();
        merged.as_reflect_mut().merge_from(b.as_reflect()).unwrap();
        let bytes = [tobu::to_vec(&a).unwrap(), tobu::to_vec(&b).unwrap()].concat();
        prop_assert_eq!(tobu::from_slice::<Tree>(&bytes).unwrap(), merged);
    }

    #[test]
    fn no_difference_is_equality(a in tree(), b in tree()) {
        let (x, y) = (a.as_reflect(), b.as_reflect());
        prop_assert_eq!(x.equals(y), a == b);
        prop_assert_eq!(x.diff(y).is_empty(), a == b);
        prop_assert_eq!(x.equals(&dynamic(y)), a == b);
        prop_assert_eq!((&dynamic(x) as &dyn Reflect).diff(y).is_empty(), a == b);
        if a == b {
            prop_assert_eq!(hash(x), hash(y));
        }
        prop_assert_eq!(hash(x), hash(&dynamic(x)));
    }

    #[test]
    fn every_way_to_read_tells_the_same(message in tree()) {
        prop_assert_eq!(seen(message.as_reflect()), seen(&dynamic(message.as_reflect())));
    }

    #[test]
    fn masks(a in tree(), b in tree(), paths in paths()) {
        // The result equals that of trimming, except messages that trimming leaves empty.
        let part = a.as_reflect().get_masked(&paths).unwrap();
        let again = (&part as &dyn Reflect).get_masked(&paths).unwrap();
        prop_assert!((&part as &dyn Reflect).equals(&again), "getting twice is getting once");
        let mut trimmed = a.clone();
        trimmed.as_reflect_mut().trim(&paths).unwrap();
        prop_assert!(trimmed.as_reflect().get_masked(&paths).unwrap() == part);
        // After applying, the parts are the same.
        let mut applied = a.clone();
        applied.as_reflect_mut().apply_masked(b.as_reflect(), &paths).unwrap();
        let leaves: Vec<_> = paths.iter().filter(|path| !path.contains('.')).collect();
        prop_assert!(
            applied.as_reflect().get_masked(&leaves).unwrap() == b.as_reflect().get_masked(&leaves).unwrap()
        );
        // Applying a message to itself, or nothing at all, changes nothing.
        let mut same = a.clone();
        same.as_reflect_mut().apply_masked(a.as_reflect(), &paths).unwrap();
        prop_assert_eq!(&same, &a);
        same.as_reflect_mut().apply_masked::<&str>(b.as_reflect(), &[]).unwrap();
        prop_assert_eq!(same, a);
    }

    #[test]
    fn bytes_read_both_ways_are_equal(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
        fn check<T: Message + serde::de::DeserializeOwned + 'static>(bytes: &[u8]) {
            let dynamic = DynamicMessage::decode(&<T as Message>::descriptor(), bytes);
            let Ok(typed) = tobu::from_slice::<T>(bytes) else { return };
            let dynamic = dynamic.unwrap();
            let (typed, dynamic): (&dyn Reflect, &dyn Reflect) = (&typed, &dynamic);
            let how = Equality::new().nan(true);
            assert!(typed.equals_with(dynamic, how), "{typed:?} {dynamic:?}");
            assert!(typed.diff(dynamic).is_empty());
            assert_eq!(hash(typed), hash(dynamic));
            assert_eq!(format!("{typed:#?}"), format!("{dynamic:#?}"));
            if typed.equals(typed) {
                assert_eq!(seen(typed), seen(dynamic));
            }
        }
        check::<Optionals>(&bytes);
        check::<Choice>(&bytes);
        check::<Maps>(&bytes);
        check::<Leaf>(&bytes);
    }
}
