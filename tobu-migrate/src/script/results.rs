//! Rewrites the results of functions in a script, because tobu-build's errors are not of the type `std::io::Error`.

use std::collections::HashSet;
use std::ops::Range;

use syn::{Block, Expr, GenericArgument, PathArguments, ReturnType, Signature, Stmt, Type};

use super::walk::Walker;

/// The error type of a function.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Returned {
    /// The error is an I/O error.
    Io,
    /// Every error can be converted to this type.
    Any,
    /// The error has another type.
    Other,
    /// The function returns no error, or the type is unknown.
    #[default]
    Unknown,
}

/// A function around the current code.
#[derive(Debug, Default)]
pub(super) struct Function<'s> {
    returned: Returned,
    is_main: bool,
    ty: Range<usize>,
    inner: &'s str,
    /// The ends of the expressions that run the compiler and whose result the function returns. The text is the line break and
    /// the indentation for a method call that is added there, or empty.
    ends: Vec<(usize, String)>,
    /// The ranges of the expressions that the function returns.
    returns: HashSet<(usize, usize)>,
    /// How many expressions with other errors the function returns.
    others: usize,
    body: Range<usize>,
}

impl<'s> Walker<'s> {
    pub(super) fn enter_function(&mut self, signature: &'s Signature, block: &'s Block) {
        let mut function =
            Function { is_main: signature.ident == "main", body: self.range(block), ..Function::default() };
        if let ReturnType::Type(_, ty) = &signature.output {
            (function.returned, function.inner) = self.returned(ty);
            function.ty = self.range(&**ty);
        }
        let returns = function.returned != Returned::Unknown;
        self.functions.push(function);
        if let Some(Stmt::Expr(last, None)) = block.stmts.last()
            && returns
        {
            self.result(last);
        }
    }

    /// Returns the text of the outermost function around the current code.
    pub(super) fn body(&self) -> &'s str {
        let body = self.functions.iter().map(|function| &function.body).find(|body| !body.is_empty());
        body.map_or(self.text, |body| &self.text[body.clone()])
    }

    pub(super) fn leave_function(&mut self) {
        let Some(function) = self.functions.pop() else { return };
        if function.returned != Returned::Io || function.ends.is_empty() {
            return;
        }
        if function.is_main && function.others == 0 {
            let (ty, inner) = (function.ty, function.inner);
            self.edits.replace(ty.clone(), format!("tobu_build::Result<{inner}>"));
            self.unused_import(&self.text[ty]);
            return;
        }
        for (end, separator) in function.ends {
            self.edits.insert(end, format!("{separator}.map_err(std::io::Error::other)"));
        }
    }

    /// Records an expression that is returned or that precedes a `?`, because its error type may have to change.
    pub(super) fn question(&mut self, expr: &'s Expr) {
        let compiles = self.compiles(expr);
        let separator = self.separator_of(expr);
        let end = self.range(expr).end;
        let Some(function) = self.functions.last_mut() else { return };
        match (compiles, function.returned) {
            (true, Returned::Io) => function.ends.push((end, separator)),
            (true, Returned::Other) => {
                self.leave(expr, "the error of the function must be made of a `tobu_build::Error`");
            }
            (true, Returned::Any | Returned::Unknown) => {}
            (false, _) => function.others += 1,
        }
    }

    /// Records the expressions whose values the function returns. The walk rewrites these expressions later, when their
    /// variables are known.
    pub(super) fn result(&mut self, expr: &'s Expr) {
        match expr {
            Expr::Paren(expr) => self.result(&expr.expr),
            Expr::Block(expr) => self.result_of_block(&expr.block),
            Expr::If(expr) => {
                self.result_of_block(&expr.then_branch);
                if let Some((_, expr)) = &expr.else_branch {
                    self.result(expr);
                }
            }
            Expr::Match(expr) => expr.arms.iter().for_each(|arm| self.result(&arm.body)),
            // The walk handles a `return` separately.
            Expr::Return(_) => {}
            Expr::Call(call) if matches!(&*call.func, Expr::Path(path) if path.path.is_ident("Ok")) => {}
            expr => {
                let range = self.range(expr);
                if let Some(function) = self.functions.last_mut() {
                    function.returns.insert((range.start, range.end));
                }
            }
        }
    }

    /// True for an expression whose value the function returns.
    pub(super) fn is_returned(&self, expr: &Expr) -> bool {
        self.functions.last().is_some_and(|function| {
            let range = self.range(expr);
            function.returns.contains(&(range.start, range.end))
        })
    }

    fn result_of_block(&mut self, block: &'s Block) {
        if let Some(Stmt::Expr(expr, None)) = block.stmts.last() {
            self.result(expr);
        }
    }

    fn separator_of(&self, expr: &Expr) -> String {
        match expr {
            Expr::MethodCall(call) => self.separator(call),
            _ => String::new(),
        }
    }

    /// Returns the error type of a `Result`, and the text of the type of its value.
    fn returned(&self, ty: &'s Type) -> (Returned, &'s str) {
        let Type::Path(ty) = ty else { return (Returned::Other, "") };
        let path = self.names.resolve(&ty.path);
        let path: Vec<_> = path.iter().map(String::as_str).collect();
        let arguments: Vec<_> = match ty.path.segments.last().map(|segment| &segment.arguments) {
            Some(PathArguments::AngleBracketed(arguments)) => arguments.args.iter().collect(),
            _ => Vec::new(),
        };
        let inner = arguments.first().map_or("()", |inner| self.text_of(*inner));
        let error = match arguments.get(1) {
            Some(GenericArgument::Type(error)) => Some(error),
            _ => None,
        };
        let returned = match (path.as_slice(), error) {
            (["std", "io", "Result"], None) => Returned::Io,
            ([first, ..], None) if is_any(first) => Returned::Any,
            (["Result"] | ["std", "result", "Result"] | [_, "Result"], Some(Type::Path(error))) => {
                let path = self.names.resolve(&error.path);
                match path.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
                    ["std", "io", "Error"] => Returned::Io,
                    ["Box"] => Returned::Any,
                    [first, ..] if is_any(first) => Returned::Any,
                    _ => Returned::Other,
                }
            }
            _ => Returned::Other,
        };
        (returned, inner)
    }

    /// Removes the `use` declaration of a name, if a removed type was its only use.
    fn unused_import(&mut self, ty: &str) {
        let name: String = ty.chars().take_while(|text| text.is_alphanumeric() || *text == '_').collect();
        let declaration = format!("use std::io::{name};");
        let declaration = if name == "io" { "use std::io;" } else { declaration.as_str() };
        let is_alone = Self::occurrences(self.text, &name) == 2;
        if let Some(start) = self.text.find(declaration).filter(|_| is_alone) {
            self.remove_line(start..start + declaration.len());
        }
    }
}

/// True for a crate with an error type to which every error can be converted.
fn is_any(name: &str) -> bool {
    matches!(name, "anyhow" | "eyre" | "color_eyre")
}
