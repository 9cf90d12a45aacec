//! Assigns settings to elements of a schema by their full names.

/// Values for elements of a schema. A value applies to the elements whose full names match its pattern.
///
/// A pattern with a leading dot applies to the element with this full name and to everything inside the element; `.` applies to
/// everything. A pattern without a leading dot applies to every full name that ends with the same components.
#[derive(Clone, Debug)]
pub(crate) struct PathMap<T>(Vec<(String, T)>);

impl<T> Default for PathMap<T> {
    fn default() -> Self {
        PathMap(Vec::new())
    }
}

impl<T> PathMap<T> {
    pub(crate) fn insert(&mut self, pattern: impl Into<String>, value: T) {
        self.0.push((pattern.into(), value));
    }

    /// Returns all patterns, in the order in which they were added.
    pub(crate) fn patterns(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(pattern, _)| pattern.as_str())
    }

    /// Returns the value of the longest pattern that applies to a full name. If several patterns are equally long, the last one
    /// wins.
    pub(crate) fn get(&self, full_name: &str) -> Option<&T> {
        self.get_where(full_name, |_| true)
    }

    /// Returns the value of the longest pattern that applies to a full name and for which `takes` is true.
    pub(crate) fn get_where(&self, full_name: &str, takes: impl Fn(&str) -> bool) -> Option<&T> {
        self.0
            .iter()
            .filter(|(pattern, _)| takes(pattern) && holds(pattern, full_name))
            .max_by_key(|(pattern, _)| pattern.len())
            .map(|(_, value)| value)
    }

    /// Returns the values of all patterns that apply to at least one of these full names, in the order in which they
    /// were added.
    pub(crate) fn all<const N: usize>(&self, full_names: [&str; N]) -> impl Iterator<Item = &T> {
        let fits = move |pattern: &str| full_names.iter().any(|full_name| holds(pattern, full_name));
        self.0.iter().filter(move |(pattern, _)| fits(pattern)).map(|(_, value)| value)
    }

    /// Finds the longest pattern with a leading dot that applies to a full name. Returns the rest of the name and the
    /// value.
    pub(crate) fn prefix<'n>(&self, full_name: &'n str) -> Option<(&'n str, &T)> {
        let (pattern, value) = self
            .0
            .iter()
            .filter(|(pattern, _)| pattern.starts_with('.') && holds(pattern, full_name))
            .max_by_key(|(pattern, _)| pattern.len())?;
        let rest = if pattern == "." { full_name } else { full_name.get(pattern.len()..).unwrap_or("") };
        Some((rest, value))
    }
}

/// One path or several: a string, or an array, a slice or a vector of strings.
///
/// ```
/// let mut config = tobu_build::Config::new();
/// config.skip_debug(".library.v1.Book");
/// config.skip_debug([".library.v1.Shelf", ".library.v1.Loan"]);
/// ```
pub trait Paths {
    /// Returns the paths in order.
    fn into_paths(self) -> Vec<String>;
}

impl Paths for &str {
    fn into_paths(self) -> Vec<String> {
        vec![self.to_owned()]
    }
}

impl Paths for &&str {
    fn into_paths(self) -> Vec<String> {
        vec![(*self).to_owned()]
    }
}

impl Paths for String {
    fn into_paths(self) -> Vec<String> {
        vec![self]
    }
}

impl Paths for &String {
    fn into_paths(self) -> Vec<String> {
        vec![self.clone()]
    }
}

impl<S: AsRef<str>> Paths for &[S] {
    fn into_paths(self) -> Vec<String> {
        self.iter().map(|path| path.as_ref().to_owned()).collect()
    }
}

impl<S: AsRef<str>, const N: usize> Paths for [S; N] {
    fn into_paths(self) -> Vec<String> {
        self.as_slice().into_paths()
    }
}

impl<S: AsRef<str>, const N: usize> Paths for &[S; N] {
    fn into_paths(self) -> Vec<String> {
        self.as_slice().into_paths()
    }
}

impl<S: AsRef<str>> Paths for Vec<S> {
    fn into_paths(self) -> Vec<String> {
        self.as_slice().into_paths()
    }
}

impl<S: AsRef<str>> Paths for &Vec<S> {
    fn into_paths(self) -> Vec<String> {
        self.as_slice().into_paths()
    }
}

pub(crate) fn holds(pattern: &str, full_name: &str) -> bool {
    match pattern.strip_prefix('.') {
        Some("") => true,
        Some(prefix) => {
            full_name.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        }
        None => full_name.strip_suffix(pattern).is_some_and(|rest| rest.is_empty() || rest.ends_with('.')),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_pattern_wins() {
        let mut map = PathMap::default();
        map.insert(".", 0);
        map.insert(".a.B", 1);
        map.insert("c", 2);
        map.insert(".a.B.c", 3);
        map.insert(".a.B.c", 4);
        assert_eq!(map.get("x"), Some(&0));
        assert_eq!(map.get("a.B"), Some(&1));
        assert_eq!(map.get("a.Bc"), Some(&0));
        assert_eq!(map.get("a.B.c"), Some(&4));
        assert_eq!(map.get("a.B.d"), Some(&1));
        assert_eq!(map.all(["a.B.c"]).copied().collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
        assert_eq!(map.all(["a.D", "a.B.c"]).copied().collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
        assert_eq!(map.all(["a.D", "c"]).copied().collect::<Vec<_>>(), [0, 2]);
    }

    #[test]
    fn a_prefix_leaves_the_rest() {
        let mut map = PathMap::default();
        map.insert(".a", 1);
        map.insert("c", 2);
        assert_eq!(map.prefix("a.B.c"), Some(("B.c", &1)));
        assert_eq!(map.prefix("a"), Some(("", &1)));
        assert_eq!(map.prefix("c"), None);
    }
}
