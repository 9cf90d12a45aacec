//! `Debug`: names of enum values, set fields only, and no secret values.

use tobu::types::Any;
use tobu::{DynamicMessage, Message, UnknownFields};
use tobu_schemas::secret::secret::marked::{Card, card};
use tobu_schemas::secret::secret::{Account, Level, account};

#[derive(Clone, Default, PartialEq, Message, tobu::Serialize, tobu::Deserialize, tobu::Debug)]
#[tobu(package = "debugged")]
struct Login<'a> {
    #[tobu(1)]
    user: &'a str,
    #[tobu(2, redact)]
    password: Option<&'a str>,
    #[tobu(3)]
    color: Color,
    #[tobu(oneof)]
    proof: Option<Proof>,
    #[tobu(unknown)]
    unknown_fields: UnknownFields,
}

#[derive(
    Clone, Copy, Default, PartialEq, tobu::Enumeration, tobu::Serialize, tobu::Deserialize, tobu::Debug,
)]
#[tobu(package = "debugged", values(WHITE = 0, BLACK = 1))]
struct Color(pub i32);

#[derive(Clone, PartialEq, tobu::Oneof, tobu::Serialize, tobu::Deserialize, tobu::Debug)]
enum Proof {
    #[tobu(4, redact)]
    Token(String),
    #[tobu(5)]
    Number(i32),
    #[tobu(skip)]
    Nothing(u8),
}

#[test]
fn derived() {
    let login = Login {
        user: "ann",
        password: Some("x"),
        color: Color(1),
        proof: Some(Proof::Token("y".into())),
        ..Login::default()
    };
    let text = r#"Login { user: "ann" password: [REDACTED] color: BLACK token: [REDACTED] }"#;
    assert_eq!(format!("{login:?}"), text);
    assert_eq!(format!("{:?}", Login::default()), "Login {}");
    assert_eq!(format!("{:#?}", Login::default()), "Login {}");
    assert_eq!(
        format!("{:#?}", Some(Login { user: "ann", color: Color(7), ..Login::default() })),
        "Some(\n    Login {\n      user: \"ann\"\n      color: 7\n    },\n)"
    );
    let unknown: Login<'_> = tobu::from_slice(b"\x30\x05\x0a\x01a").unwrap();
    assert_eq!(format!("{unknown:?}"), r#"Login { user: "a" 6: UNKNOWN_VARINT [REDACTED] }"#);
    assert_eq!(format!("{:?} {:?}", Color(0), Color(-7)), "WHITE -7");
    let proofs = [Proof::Token("y".into()), Proof::Number(5), Proof::Nothing(1)];
    assert_eq!(format!("{proofs:?}"), "[Token([REDACTED]), Number(5), Nothing]");
    // The schema marks secret fields, too.
    assert!(Login::descriptor().field_by_name("password").unwrap().debug_redact());
    assert!(!Login::descriptor().field_by_name("user").unwrap().debug_redact());
}

fn account(name: &str) -> Account {
    Account { name: name.into(), password: "secret".into(), ..Account::default() }
}

fn full() -> Account {
    Account {
        level: Level::ADMIN,
        parent: Some(Box::new(account("p"))),
        shadow: Some(Box::new(account("secret"))),
        children: vec![account("c")],
        pins: vec![1234, 5678],
        named: [("k".to_owned(), account("n"))].into(),
        answers: [("secret".to_owned(), "secret".to_owned())].into(),
        proof: Some(account::Proof::Other(Box::new(account("o")))),
        any: Some(Any::pack(&account("a")).unwrap()),
        ..account("x")
    }
}

#[test]
fn generated_and_dynamic() {
    let text = r#"{ name: "x" password: [REDACTED] level: LEVEL_ADMIN \
        parent { name: "p" password: [REDACTED] } shadow: [REDACTED] \
        children { name: "c" password: [REDACTED] } pins: [REDACTED] \
        named { key: "k" value { name: "n" password: [REDACTED] } } answers: [REDACTED] \
        other { name: "o" password: [REDACTED] } \
        any { [type.googleapis.com/secret.Account] { name: "a" password: [REDACTED] } } }"#
        .replace("\\\n        ", "");
    let message = full();
    assert_eq!(format!("{message:?}"), format!("Account {text}"));
    assert_eq!(format!("{:?}", message.as_reflect()), format!("secret.Account {text}"));
    let bytes = tobu::to_vec(&message).unwrap();
    let dynamic = DynamicMessage::decode(&Account::descriptor(), &bytes).unwrap();
    assert_eq!(format!("{dynamic:?}"), format!("secret.Account {text}"));
    assert!(!format!("{message:#?}").contains("secret\""));
}

#[test]
fn oneofs_that_stand_alone() {
    assert_eq!(format!("{:?}", account::Proof::Token("secret".into())), "Token([REDACTED])");
    assert_eq!(format!("{:?}", account::Proof::Visible("v".into())), "Visible(\"v\")");
    let other = account::Proof::Other(Box::new(account("o")));
    assert_eq!(format!("{other:?}"), r#"Other(Account { name: "o" password: [REDACTED] })"#);
    assert_eq!(format!("{:?} {:?}", Level::ADMIN, Level(7)), "LEVEL_ADMIN 7");
}

/// Unknown content may be secret: the content of an `Any` of an unknown type, and of one that is broken.
#[test]
fn what_is_not_known() {
    for any in [Any::new("example.com/not.Known", b"secret"), Any::new("x/secret.Account", b"\x0a\x09secret")]
    {
        let url = any.type_url.clone();
        assert_eq!(format!("{any:?}"), format!("Any {{ type_url: \"{url}\" value: [REDACTED] }}"));
        let dynamic = DynamicMessage::decode(&Any::descriptor(), &tobu::to_vec(&any).unwrap()).unwrap();
        assert!(format!("{dynamic:?}").ends_with("value: [REDACTED] }"));
    }
}

/// A type may leave out fields of the schema: they are among the unknown fields, and stay secret.
#[test]
fn what_the_type_leaves_out() {
    #[derive(Default, Message, tobu::Deserialize, tobu::Debug)]
    #[tobu(descriptor = Account::descriptor().file(), message = "secret.Account")]
    struct Part {
        #[tobu(1)]
        name: String,
        #[tobu(unknown)]
        unknown_fields: UnknownFields,
    }

    let part: Part = tobu::from_slice(&tobu::to_vec(&account("x")).unwrap()).unwrap();
    assert_eq!(format!("{part:?}"), r#"Part { name: "x" 2: UNKNOWN_STRING [REDACTED] }"#);
    assert_eq!(part.name, "x");
    assert!(!part.unknown_fields.is_empty());
}

/// The text format does the same on request, and cannot be parsed then.
#[test]
fn the_text_format() {
    let options = tobu::text::Options::new().redact(true).one_line(true);
    assert_eq!(options.to_string(&account("x")).unwrap(), r#"name: "x" password: [REDACTED]"#);
    let error = options.from_str::<Account>(r#"name: "x" password: [REDACTED]"#).unwrap_err();
    assert_eq!(
        error.to_string(),
        "secret.Account.password: expected a string, but found `[` (at line 1 column 21)"
    );
    assert_eq!(tobu::text::to_string(&account("x")).unwrap(), "name: \"x\"\npassword: \"secret\"\n");
}

#[test]
fn messages_that_nest_too_deep_are_cut() {
    let mut deep = account("x");
    for _ in 0..200 {
        deep = Account { parent: Some(Box::new(deep)), ..Account::default() };
    }
    assert!(format!("{deep:?}").contains("parent { ... } }"));
}

fn card(owner: &str) -> Card {
    Card {
        owner: Some(owner.into()),
        number: Some("secret".into()),
        pin: Some(1234),
        codes: vec![1, 2],
        flag: Some(true),
        count: Some(3),
        either: Some(card::Either::Hidden("secret".into())),
        ..Card::default()
    }
}

/// The options of a field may have values of enums that are marked: custom options, lists of these, messages in these.
#[test]
fn by_values_of_enums_in_options() {
    let full = Card {
        cards: [("secret".to_owned(), card("in a map"))].into(),
        card: Some(Box::new(card("inside"))),
        ..card("ann")
    };
    let text = "{ owner: \"ann\" number: [REDACTED] pin: [REDACTED] codes: [REDACTED] cards: [REDACTED] \
                card: [REDACTED] flag: [REDACTED] count: 3 hidden: [REDACTED] }";
    assert_eq!(format!("{full:?}"), format!("Card {text}"));
    let dynamic = DynamicMessage::decode(&Card::descriptor(), &tobu::to_vec(&full).unwrap()).unwrap();
    assert_eq!(format!("{dynamic:?}"), format!("secret.marked.Card {text}"));
    assert_eq!(
        tobu::text::Options::new().redact(true).one_line(true).to_string(&card("bob")).unwrap(),
        "owner: \"bob\" number: [REDACTED] pin: [REDACTED] codes: [REDACTED] flag: [REDACTED] count: 3 \
         hidden: [REDACTED]"
    );
    let diff = full.as_reflect().diff(Card::default().as_reflect()).to_string();
    assert_eq!(
        diff,
        "owner: \"ann\" -> none\nnumber: [REDACTED] -> none\npin: [REDACTED] -> none\ncodes: [REDACTED] -> none\n\
         cards: [REDACTED] -> none\ncard: [REDACTED] -> none\nflag: [REDACTED] -> none\ncount: 3 -> none\n\
         hidden: [REDACTED] -> none\n"
    );
    let mut redacted = full;
    redacted.as_reflect_mut().redact().unwrap();
    assert_eq!(redacted, Card { owner: Some("ann".into()), count: Some(3), ..Card::default() });
}

/// A difference inside a secret value is one of that value, and says nothing of it.
#[test]
fn differences() {
    let (old, mut new) = (full(), full());
    new.shadow = Some(Box::new(account("other")));
    new.pins = vec![1234, 9];
    new.answers = [("other".to_owned(), "x".to_owned())].into();
    assert_eq!(
        old.as_reflect().diff(new.as_reflect()).to_string(),
        "shadow: [REDACTED] -> [REDACTED]\npins: [REDACTED] -> [REDACTED]\nanswers: [REDACTED] -> [REDACTED]\n"
    );
    let unknown = |bytes: &[u8]| Login {
        unknown_fields: UnknownFields::from_bytes(bytes).unwrap(),
        ..Login::default()
    };
    let (old, new) = (unknown(b"\x30\x05"), unknown(b"\x30\x06"));
    assert_eq!(
        old.as_reflect().diff(new.as_reflect()).to_string(),
        "(unknown fields): [REDACTED] -> [REDACTED]\n"
    );
}

/// Numbers and wire types are shown, also of the fields of a group.
#[test]
fn unknown_fields() {
    let bytes = b"\x30\x05\x3d\x01\0\0\0\x41\x01\0\0\0\0\0\0\0\x4a\x02\x08\x05\x53\x08\x07\x5a\x01x\x54";
    let unknown = "6: UNKNOWN_VARINT [REDACTED] 7: UNKNOWN_FIXED32 [REDACTED] 8: UNKNOWN_FIXED64 [REDACTED] \
                   9: UNKNOWN_STRING [REDACTED] 10 { 1: UNKNOWN_VARINT [REDACTED] 11: UNKNOWN_STRING [REDACTED] }";
    let login: Login<'_> = tobu::from_slice(bytes).unwrap();
    assert_eq!(format!("{login:?}"), format!("Login {{ {unknown} }}"));
    let dynamic = DynamicMessage::decode(&Login::descriptor(), &bytes[..]).unwrap();
    assert_eq!(format!("{dynamic:?}"), format!("debugged.Login {{ {unknown} }}"));
    let options = tobu::text::Options::new().one_line(true).unknown_fields(true);
    assert_eq!(options.clone().redact(true).to_string(&login).unwrap(), unknown);
    assert_eq!(
        options.to_string(&login).unwrap(),
        "6: 5 7: 0x00000001 8: 0x0000000000000001 9 { 1: 5 } 10 { 1: 7 11: \"x\" }"
    );
    assert_eq!(
        format!("{:?}", login.unknown_fields),
        "{6: Varint [REDACTED], 7: Fixed32 [REDACTED], 8: Fixed64 [REDACTED], 9: Len [REDACTED], \
         10: StartGroup [REDACTED]}"
    );
}
