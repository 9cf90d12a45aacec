//! Rewrites the expressions in macros such as `println!`, `assert_eq!`, `vec!` and `matches!`.

use proc_macro2::{TokenStream, TokenTree};
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Expr, Macro, Pat, Token};

use super::bind::bound_names;
use super::names::plain;
use super::walk::{Use, Walker};

/// Macros that use their arguments by reference.
const LOOKING: &[&str] = &[
    "assert",
    "dbg",
    "debug",
    "debug_assert",
    "eprint",
    "eprintln",
    "error",
    "format",
    "format_args",
    "info",
    "log",
    "panic",
    "print",
    "println",
    "todo",
    "trace",
    "unimplemented",
    "unreachable",
    "warn",
    "write",
    "writeln",
    "bail",
    "anyhow",
    "ensure",
];

const COMPARING: &[&str] = &["assert_eq", "assert_ne", "debug_assert_eq", "debug_assert_ne"];

/// Macros that move their arguments.
const MOVING: &[&str] = &["join", "try_join", "vec"];

impl Walker<'_> {
    pub(super) fn macro_call(&mut self, item: &Macro) {
        let name = item.path.segments.last().map(|segment| plain(&segment.ident)).unwrap_or_default();
        if name == "matches" {
            return match matched.parse2(item.tokens.clone()) {
                Ok((expr, pattern)) => self.matches(&expr, &pattern),
                Err(_) => self.unread_macro(item),
            };
        }
        let (is_looking, is_comparing) =
            (LOOKING.contains(&name.as_str()), COMPARING.contains(&name.as_str()));
        let is_known = is_looking || is_comparing || MOVING.contains(&name.as_str());
        let Some(arguments) = arguments(item).filter(|_| is_known) else { return self.unread_macro(item) };
        if is_comparing && let [left, right, ..] = arguments.as_slice() {
            self.compared(left, right);
            self.compared(right, left);
        }
        for argument in arguments.iter().skip(if is_comparing { 2 } else { 0 }) {
            let usage = if is_looking || is_comparing { Use::Shared } else { Use::Value };
            match argument {
                // The argument is `name = value` of a format string.
                Expr::Assign(named) if usage == Use::Shared => self.walk(&named.right, usage),
                _ => self.walk(argument, usage),
            }
        }
    }

    fn matches(&mut self, expr: &Expr, pattern: &Pat) {
        let ty = self.infer(expr);
        let binds = !bound_names(pattern).is_empty();
        self.walk(expr, Use::Scrutinee(binds));
        self.scoped(|walker| {
            walker.bind(pattern, &ty);
            walker.pattern(pattern);
        });
    }

    /// Reports the members in the tokens of an unknown macro.
    pub(super) fn unread_macro(&mut self, item: &Macro) {
        let mut members = Vec::new();
        accessed(item.tokens.clone(), &mut members);
        for (name, span) in members {
            let is_member = |member: &tobu_build::catalog::MemberType| member.name == name;
            if self.catalog.messages.iter().any(|message| message.members.iter().any(is_member)) {
                let at = self.range(span).start;
                self.leave(None, at, "it is in a macro that is not read");
            }
        }
    }
}

/// Returns the arguments of a macro: expressions with commas between them, or the two parts of `[value; count]`.
pub(super) fn arguments(item: &Macro) -> Option<Vec<Expr>> {
    let list = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(item.tokens.clone());
    if let Ok(list) = list {
        return Some(list.into_iter().collect());
    }
    let repeated = |input: ParseStream<'_>| {
        let value: Expr = input.parse()?;
        input.parse::<Token![;]>()?;
        Ok(vec![value, input.parse()?])
    };
    repeated.parse2(item.tokens.clone()).ok()
}

/// Parses the arguments of `matches!`. If there is a guard, it becomes a part of the pattern.
fn matched(input: ParseStream<'_>) -> syn::Result<(Expr, Pat)> {
    let expr = input.parse()?;
    input.parse::<Token![,]>()?;
    let pat = Pat::parse_multi_with_leading_vert(input)?;
    let pat = match input.parse::<Option<Token![if]>>()? {
        Some(if_token) => Pat::Guard(syn::PatGuard {
            attrs: Vec::new(),
            pat: Box::new(pat),
            if_token,
            guard: Box::new(input.parse()?),
        }),
        None => pat,
    };
    input.parse::<Option<Token![,]>>()?;
    Ok((expr, pat))
}

/// Finds the names after dots, except for names of methods.
fn accessed(tokens: TokenStream, found: &mut Vec<(String, proc_macro2::Span)>) {
    let tokens: Vec<_> = tokens.into_iter().collect();
    for (i, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => accessed(group.stream(), found),
            TokenTree::Ident(ident) => {
                let is_dot = |at: Option<&TokenTree>| matches!(at, Some(TokenTree::Punct(punct)) if punct.as_char() == '.');
                let before = i.checked_sub(1).and_then(|at| tokens.get(at));
                let is_range = is_dot(i.checked_sub(2).and_then(|at| tokens.get(at)));
                let is_call = matches!(tokens.get(i + 1), Some(TokenTree::Group(group)) if group.delimiter() == proc_macro2::Delimiter::Parenthesis);
                if is_dot(before) && !is_range && !is_call {
                    found.push((plain(ident), ident.span()));
                }
            }
            _ => {}
        }
    }
}
