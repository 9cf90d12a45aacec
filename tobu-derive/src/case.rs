//! Converts the case of names, for serde's `rename_all` and for the proto names of variants.

/// A rule of serde's attribute `rename_all`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    Lower,
    Upper,
    Pascal,
    Camel,
    Snake,
    ScreamingSnake,
    Kebab,
    ScreamingKebab,
}

impl Rule {
    pub(crate) const NAMES: [(&'static str, Rule); 8] = [
        ("lowercase", Rule::Lower),
        ("UPPERCASE", Rule::Upper),
        ("PascalCase", Rule::Pascal),
        ("camelCase", Rule::Camel),
        ("snake_case", Rule::Snake),
        ("SCREAMING_SNAKE_CASE", Rule::ScreamingSnake),
        ("kebab-case", Rule::Kebab),
        ("SCREAMING-KEBAB-CASE", Rule::ScreamingKebab),
    ];

    pub(crate) fn parse(name: &str) -> Option<Rule> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|(_, rule)| *rule)
    }

    /// Returns the name that serde gives to a struct's field with this rule. serde assumes that the field's name is
    /// in snake case.
    pub(crate) fn field(self, name: &str) -> String {
        match self {
            Rule::Lower | Rule::Snake => name.to_owned(),
            Rule::Upper | Rule::ScreamingSnake => name.to_ascii_uppercase(),
            Rule::Pascal => pascal(name),
            Rule::Camel => first_lower(&pascal(name)),
            Rule::Kebab => name.replace('_', "-"),
            Rule::ScreamingKebab => name.to_ascii_uppercase().replace('_', "-"),
        }
    }

    /// Returns the name that serde gives to a variant with this rule. serde assumes that the variant's name is in
    /// Pascal case.
    pub(crate) fn variant(self, name: &str) -> String {
        match self {
            Rule::Pascal => name.to_owned(),
            Rule::Lower => name.to_ascii_lowercase(),
            Rule::Upper => name.to_ascii_uppercase(),
            Rule::Camel => first_lower(name),
            Rule::Snake => serde_snake(name),
            Rule::ScreamingSnake => serde_snake(name).to_ascii_uppercase(),
            Rule::Kebab => serde_snake(name).replace('_', "-"),
            Rule::ScreamingKebab => serde_snake(name).to_ascii_uppercase().replace('_', "-"),
        }
    }
}

/// Returns the proto name of a oneof's variant: `http_code` for `HttpCode` and `HTTPCode`.
pub(crate) fn snake(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let mut out = String::new();
    for (i, &c) in letters.iter().enumerate() {
        if c.is_uppercase() && i > 0 && letters[i - 1] != '_' {
            let ends_acronym =
                letters[i - 1].is_uppercase() && letters.get(i + 1).is_some_and(|n| n.is_lowercase());
            if !letters[i - 1].is_uppercase() || ends_acronym {
                out.push('_');
            }
        }
        out.extend(c.to_lowercase());
    }
    out
}

/// Returns the proto name of an enumeration's variant: `HARD_COVER` for `HardCover`.
pub(crate) fn screaming_snake(name: &str) -> String {
    snake(name).to_uppercase()
}

fn pascal(name: &str) -> String {
    let mut out = String::new();
    let mut up = true;
    for c in name.chars() {
        if c == '_' {
            up = true;
        } else if up {
            out.push(c.to_ascii_uppercase());
            up = false;
        } else {
            out.push(c);
        }
    }
    out
}

fn first_lower(name: &str) -> String {
    let mut letters = name.chars();
    letters
        .next()
        .map_or_else(String::new, |first| format!("{}{}", first.to_ascii_lowercase(), letters.as_str()))
}

/// Converts a name to snake case as serde does: with an underscore before every capital letter.
fn serde_snake(name: &str) -> String {
    let mut out = String::new();
    for (i, c) in name.char_indices() {
        if i > 0 && c.is_uppercase() {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Rule, screaming_snake, snake};

    #[test]
    fn proto_names() {
        for (name, expected) in [
            ("Person", "person"),
            ("CompanyId", "company_id"),
            ("HTTPCode", "http_code"),
            ("Int32Value", "int32_value"),
            ("Already_There", "already_there"),
            ("A", "a"),
        ] {
            assert_eq!(snake(name), expected);
            assert_eq!(screaming_snake(name), expected.to_uppercase());
        }
    }

    #[test]
    fn rename_all_as_in_serde() {
        for (rule, field, variant) in [
            ("lowercase", "very_tasty", "verytasty"),
            ("UPPERCASE", "VERY_TASTY", "VERYTASTY"),
            ("PascalCase", "VeryTasty", "VeryTasty"),
            ("camelCase", "veryTasty", "veryTasty"),
            ("snake_case", "very_tasty", "very_tasty"),
            ("SCREAMING_SNAKE_CASE", "VERY_TASTY", "VERY_TASTY"),
            ("kebab-case", "very-tasty", "very-tasty"),
            ("SCREAMING-KEBAB-CASE", "VERY-TASTY", "VERY-TASTY"),
        ] {
            let rule = Rule::parse(rule).unwrap();
            assert_eq!(rule.field("very_tasty"), field);
            assert_eq!(rule.variant("VeryTasty"), variant);
        }
        assert_eq!(Rule::parse("Title Case"), None);
    }
}
