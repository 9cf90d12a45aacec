//! Members that know whether they are set.

use tobu_migrate::Level::{Green, Red, Yellow};

use super::{check, check_left};

#[test]
fn members_that_know_whether_they_are_set() {
    check(&[
        (Green, "if shelf.theme.is_some() {}", "if shelf.has_theme() {}"),
        (Green, "if shelf.theme.is_none() && other() {}", "if !shelf.has_theme() && other() {}"),
        (Green, "let n = shelf.theme.is_none().then_some(1);", "let n = (!shelf.has_theme()).then_some(1);"),
        (Green, "if shelf.theme == None {}", "if !shelf.has_theme() {}"),
        (Green, "if None != shelf.theme {}", "if shelf.has_theme() {}"),
        (Green, "if shelf.height == Some(1.5) {}", "if shelf.has_height() && shelf.height() == 1.5 {}"),
        (
            Green,
            "if shelf.height == Some(1.5) || other() {}",
            "if (shelf.has_height() && shelf.height() == 1.5) || other() {}",
        ),
        (Green, "if shelf.height != Some(1.5) {}", "if !shelf.has_height() || shelf.height() != 1.5 {}"),
        (Green, "let t = shelf.theme.as_deref().unwrap_or(\"\");", "let t = shelf.theme();"),
        (Green, "let t = shelf.theme.as_deref().unwrap_or_default();", "let t = shelf.theme();"),
        (Green, "let t = shelf.theme.clone().unwrap_or_default();", "let t = shelf.theme().to_owned();"),
        (
            Green,
            "let t = shelf.theme.as_deref().unwrap_or(\"sea\");",
            "let t = shelf.has_theme().then(|| shelf.theme()).unwrap_or(\"sea\");",
        ),
        (Green, "let h = shelf.height.unwrap_or_default();", "let h = shelf.height();"),
        (Green, "let h = shelf.height.unwrap_or(0.0);", "let h = shelf.height();"),
        (
            Green,
            "let h = shelf.height.unwrap_or(2.5);",
            "let h = shelf.has_height().then(|| shelf.height()).unwrap_or(2.5);",
        ),
        (
            Green,
            "let h: Option<f64> = shelf.height;",
            "let h: Option<f64> = shelf.has_height().then(|| shelf.height());",
        ),
        (
            Green,
            "let t = shelf.theme.clone();",
            "let t = shelf.has_theme().then(|| shelf.theme().to_owned());",
        ),
        (
            Green,
            "let a = shelf.address.clone();",
            "let a = shelf.has_address().then(|| shelf.address().clone());",
        ),
        (
            Green,
            "let n = shelf.address.clone().unwrap_or_default().number;",
            "let n = shelf.address().number();",
        ),
        (Green, "other(&shelf.address.clone().unwrap_or_default());", "other(shelf.address());"),
        (
            Green,
            "let n = shelf.address.as_ref().map(|address| address.number);",
            "let n = shelf.has_address().then(|| shelf.address()).map(|address| address.number());",
        ),
        (
            Green,
            "if let Some(address) = &shelf.address { println!(\"{}\", address.street); }",
            "if shelf.has_address() { let address = shelf.address(); println!(\"{}\", address.street()); }",
        ),
        (
            Green,
            "if let Some(theme) = shelf.theme.as_deref() {\n        takes_str(theme);\n    }",
            "if shelf.has_theme() {\n        let theme = shelf.theme();\n        takes_str(theme);\n    }",
        ),
        (
            Green,
            "if let Some(height) = &shelf.height { other(*height); }",
            "if shelf.has_height() { let height = &shelf.height(); other(*height); }",
        ),
        (
            Green,
            "if let Some(address) = &mut changed.address { address.number = 5; }",
            "if changed.has_address() { let address = changed.address_mut(); address.set_number(5); }",
        ),
        (
            Red,
            "if let Some(address) = &mut changed.address { address.street = changed.name.clone(); }",
            "if changed.has_address() { let address = changed.address_mut(); address.set_street(changed.name().to_owned()); }",
        ),
        (
            Green,
            "let Some(address) = &shelf.address else { return };",
            "let Some(address) = shelf.has_address().then(|| shelf.address()) else { return };",
        ),
        (
            Yellow,
            "match &shelf.height { Some(h) => other(h), None => {} }",
            "match shelf.has_height().then(|| shelf.height()) { Some(h) => other(h), None => {} }",
        ),
        (Green, "let a = changed.address.take();", "let a = changed.take_address();"),
        (
            Green,
            "changed.address.get_or_insert_default().number = 3;",
            "changed.address_mut().set_number(3);",
        ),
        (
            Green,
            "changed.address.get_or_insert_with(Address::default).street.push('a');",
            "changed.address_mut().street_mut().push('a');",
        ),
        (
            Green,
            "changed.address.as_mut().unwrap().number = 3;",
            "changed.has_address().then(|| changed.address_mut()).unwrap().set_number(3);",
        ),
    ]);
    check_left(&[
        ("other(&shelf.theme);", "a reference to an `Option`, which accessors do not have"),
        ("changed.theme.insert(other());", "accessors have no `Option` to change in place"),
        ("let n = state.all[0].address.as_ref().unwrap();", "what the member is of would be evaluated twice"),
    ]);
}
