//! From values to a path and back.

use super::call;
use http::Method;
use proptest::prelude::*;
use tobu_transcode::{HttpRule, Router, Segment, Template};

/// The fields that variables are given, in order.
const FIELDS: [&str; 4] = ["x", "y", "id", "sub.subfield"];

fn text() -> impl Strategy<Value = String> {
    // Letters, what paths and templates give a meaning to, and what is more than a byte.
    prop::collection::vec(
        prop::sample::select(vec![
            'a',
            'b',
            'Z',
            '0',
            '-',
            '.',
            '_',
            '~',
            '%',
            '2',
            'F',
            ':',
            '*',
            '{',
            '}',
            '?',
            '#',
            '&',
            '+',
            ' ',
            '\u{e9}',
            '\u{20ac}',
            '\u{1f980}',
            '=',
            '@',
            '\\',
            '"',
        ]),
        1..6,
    )
    .prop_map(|letters| letters.into_iter().collect())
}

#[derive(Clone, Debug)]
enum Piece {
    Literal,
    Star,
    Single,
    Multi,
    Rest,
}

fn pieces() -> impl Strategy<Value = Vec<Piece>> {
    let piece = prop_oneof![
        3 => Just(Piece::Literal),
        1 => Just(Piece::Star),
        2 => Just(Piece::Single),
        2 => Just(Piece::Multi),
        1 => Just(Piece::Rest),
    ];
    prop::collection::vec(piece, 1..6)
}

/// A template, and for each variable a way to make its value of a text.
fn template(pieces: &[Piece]) -> (String, Vec<&'static str>) {
    let (mut template, mut forms, mut rest) = (String::new(), Vec::new(), false);
    for (i, piece) in pieces.iter().enumerate() {
        let field = FIELDS.get(forms.len());
        let piece = match (piece, field) {
            (Piece::Literal | Piece::Star, _) | (_, Some(_)) => piece,
            (_, None) => &Piece::Star,
        };
        let field = field.copied().unwrap_or_default();
        template.push('/');
        match piece {
            Piece::Literal => template.push_str(&format!("l{i}")),
            Piece::Star => template.push('*'),
            Piece::Single => {
                template.push_str(&format!("{{{field}}}"));
                forms.push("_");
            }
            Piece::Rest if !rest => {
                rest = true;
                template.push_str(&format!("{{{field}=r/**}}"));
                forms.push("r/_/_");
            }
            Piece::Multi | Piece::Rest => {
                template.push_str(&format!("{{{field}=a/*/b/*}}"));
                forms.push("a/_/b/_");
            }
        }
    }
    (template, forms)
}

proptest! {
    #[test]
    fn paths_bring_back_their_values(
        pieces in pieces(),
        texts in prop::collection::vec(text(), 4),
        verb in prop::option::of(Just("go")),
    ) {
        let (mut text, forms) = template(&pieces);
        if let Some(verb) = verb {
            text.push(':');
            text.push_str(verb);
        }
        let values: Vec<String> =
            forms.iter().zip(&texts).map(|(form, text)| form.replace('_', text)).collect();
        let template = Template::parse(&text).unwrap();
        let path = template.expand(&values).unwrap();
        let mut router = Router::default();
        router.add_rule(&call(), &HttpRule::new("GET", &text)).unwrap();
        let found = router.find(&Method::GET, &path).unwrap();
        let got: Vec<String> = found.values().map(|(_, value)| value.into_owned()).collect();
        // A value that spells an escape is escaped once more, and comes back.
        prop_assert_eq!(got, values, "{} of {}", path, text);
    }

    #[test]
    fn no_path_and_no_template_is_a_panic(template in "[/a*{}x=:.%0-9]{0,24}", path in "[/ax:%0-9F]{0,24}") {
        let method = call();
        let mut router = Router::default();
        if router.add_rule(&method, &HttpRule::new("GET", &template)).is_ok() {
            let parsed = Template::parse(&template).unwrap();
            let is_empty = |segment: &Segment| matches!(segment, Segment::Literal(text) if text.is_empty());
            prop_assert!(!parsed.segments().iter().any(is_empty));
            if let Ok(found) = router.find(&Method::GET, &path) {
                let _ = found.values().count();
                let _ = found.bind(&Default::default(), &mut Vec::new());
            }
        }
    }
}
