//! What is asked of a deserializer, as a seed: so that it can be asked later, or elsewhere.

use crate::methods::deserializer_methods;
use serde::de::{DeserializeSeed, Deserializer, Visitor};

macro_rules! ask {
    ($($method:ident($($arg:ident: $ty:ty),*);)*) => {
        $(
            #[cfg_attr(not(debug_assertions), inline(always))]
            pub(super) fn $method<'de, V: Visitor<'de>>(
                $($arg: $ty,)*
                visitor: V,
            ) -> impl DeserializeSeed<'de, Value = V::Value> {
                struct Ask<V>($($ty,)* V);
                impl<'de, V: Visitor<'de>> DeserializeSeed<'de> for Ask<V> {
                    type Value = V::Value;
                    #[cfg_attr(not(debug_assertions), inline(always))]
                    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
                        let Ask($($arg,)* visitor) = self;
                        deserializer.$method($($arg,)* visitor)
                    }
                }
                Ask($($arg,)* visitor)
            }
        )*
    };
}

deserializer_methods!(ask! all);
ask! {
    deserialize_any();
    deserialize_option();
    deserialize_newtype_struct(name: &'static str);
}

/// Methods that ask for the same by a seed, of `self.by_plan`.
macro_rules! by_plan {
    ($($method:ident($($arg:ident: $ty:ty),*);)*) => {
        $(
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn $method<V: Visitor<'de>>(self, $($arg: $ty,)* visitor: V) -> Result<V::Value> {
                self.by_plan(crate::de::ask::$method($($arg,)* visitor))
            }
        )*
    };
}
pub(super) use by_plan;
