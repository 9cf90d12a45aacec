//! A compact string as a member allocates no more than by itself.

use crate::counting::calls;
use smol_str::SmolStr;
use tobu::member::Convert;

enum Smol {}

impl Convert<SmolStr> for Smol {
    type Proto = str;
    const EXPECTED: &'static str = "a string";

    fn as_proto(text: &SmolStr) -> &str {
        text
    }

    fn from_proto(text: &str) -> Option<SmolStr> {
        Some(text.into())
    }
}

#[derive(Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "memory.compact")]
struct Label {
    #[tobu(1, with = Smol)]
    name: SmolStr,
    #[tobu(2, with = Smol)]
    owner: Option<SmolStr>,
}

#[test]
fn short_strings_are_decoded_without_an_allocation() {
    let wire = b"\x0a\x17twenty-three bytes long\x12\x03ann";
    let decode = || tobu::from_slice::<Label>(wire).unwrap();
    // Tables are built by the first call.
    let wanted = decode();
    assert_eq!((wanted.name.as_str(), wanted.owner.as_deref()), ("twenty-three bytes long", Some("ann")));
    assert_eq!(calls(decode), (0, wanted));
    let long = b"\x0a\x18twenty-four bytes longer";
    assert_eq!(calls(|| tobu::from_slice::<Label>(long).unwrap().name.len()), (1, 24));
}
