//! Knows methods of the standard library and of tonic: the types of their results, and of the parameters of
//! closures.

use syn::{Expr, ExprMethodCall};

use super::infer::unwrapped;
use super::ty::Ty;
use super::walk::Walker;

impl Walker<'_> {
    /// Returns the type of the result of a method that another crate declares.
    pub(super) fn infer_std_method(&mut self, receiver: &Ty, name: &str, call: &ExprMethodCall) -> Ty {
        let ty = receiver.target();
        match name {
            "clone" | "to_owned" | "cloned" | "copied" | "borrow" | "into_inner" | "deref"
            | "as_mut_slice" | "as_slice" | "to_vec" | "by_ref" => return copied(receiver, name),
            "as_ref" | "as_mut" | "get_ref" | "get_mut" if !matches!(ty, Ty::Generic(..)) => {
                return receiver.clone();
            }
            "to_string" | "as_str" | "trim" => return Ty::Text,
            "len" | "is_empty" | "is_some" | "is_none" | "is_ok" | "is_err" | "contains" | "contains_key"
            | "any" | "all" | "count" | "position" | "encoded_len" => return Ty::Scalar,
            _ => {}
        }
        let Ty::Generic(kind, _) = ty else {
            return match ty {
                Ty::Unknown => Ty::Unknown,
                _ if matches!(name, "then" | "then_some") => {
                    let body = self.infer_argument(call, &[]);
                    Ty::generic("Option", if name == "then" { body } else { self.infer_first(call) })
                }
                // The method may belong to a trait, and may return anything.
                _ => Ty::Unknown,
            };
        };
        match kind.as_str() {
            "Option" => self.infer_option_method(receiver, name, call),
            "Result" => self.infer_result_method(receiver, name, call),
            "Iter" | "Streaming" | "ReceiverStream" | "Receiver" => {
                self.infer_iterator_method(receiver, name, call)
            }
            _ => self.infer_collection_method(receiver, name, call),
        }
    }

    /// Returns the types of the parameters of a closure that is the argument of a method.
    pub(super) fn closure_parameters(&mut self, receiver: &Ty, name: &str, call: &ExprMethodCall) -> Vec<Ty> {
        let ty = receiver.target();
        let Ty::Generic(kind, arguments) = ty else {
            return Vec::new();
        };
        let inner = || unwrapped(&keep_reference(receiver, ty));
        match (kind.as_str(), name) {
            ("Option", "filter" | "inspect" | "take_if") => vec![inner().reference()],
            ("Option" | "Result", "map" | "and_then" | "is_some_and" | "is_none_or" | "is_ok_and") => {
                vec![inner()]
            }
            ("Option" | "Result", "map_or" | "map_or_else") => vec![inner()],
            (
                "Iter" | "Streaming" | "ReceiverStream",
                "filter" | "find" | "inspect" | "take_while" | "skip_while" | "partition" | "max_by_key"
                | "min_by_key" | "is_sorted_by_key",
            ) => vec![self.item(ty).reference()],
            ("Iter", "fold" | "try_fold") => {
                let first = self.infer_first(call);
                vec![first, self.item(ty)]
            }
            ("Iter", "max_by" | "min_by") => vec![self.item(ty).reference(), self.item(ty).reference()],
            ("Iter" | "Streaming" | "ReceiverStream", _) => vec![self.item(ty)],
            ("Vec", "sort_by" | "sort_unstable_by" | "dedup_by") => vec![arguments[0].clone().reference(); 2],
            ("Vec", _) => vec![arguments.first().cloned().unwrap_or(Ty::Unknown).reference()],
            ("HashMap" | "BTreeMap", _) => arguments.iter().cloned().map(Ty::reference).collect(),
            ("Entry", "and_modify") => vec![arguments.last().cloned().unwrap_or(Ty::Unknown).reference()],
            _ => Vec::new(),
        }
    }

    fn infer_option_method(&mut self, receiver: &Ty, name: &str, call: &ExprMethodCall) -> Ty {
        let inner = unwrapped(&keep_reference(receiver, receiver.target()));
        match name {
            "as_ref" | "as_mut" | "as_deref" | "as_deref_mut" | "iter" => {
                Ty::generic("Option", inner.reference())
            }
            "unwrap" | "expect" | "unwrap_or_default" | "unwrap_or" | "unwrap_or_else" => inner,
            "ok_or" | "ok_or_else" => Ty::generic("Result", inner),
            "take" | "filter" | "or" | "or_else" | "replace" | "inspect" => {
                Ty::generic("Option", inner.peeled_once())
            }
            "get_or_insert_default" | "get_or_insert_with" | "get_or_insert" | "insert" => inner.reference(),
            "map" => Ty::generic("Option", self.infer_argument(call, &[inner])),
            "and_then" => self.infer_argument(call, &[inner]),
            "into_iter" => Ty::generic("Iter", inner),
            "map_or" => self.infer_first(call),
            _ => Ty::Unknown,
        }
    }

    fn infer_result_method(&mut self, receiver: &Ty, name: &str, call: &ExprMethodCall) -> Ty {
        let inner = unwrapped(&keep_reference(receiver, receiver.target()));
        match name {
            "unwrap" | "expect" | "unwrap_or_default" | "unwrap_or" | "unwrap_or_else" => inner,
            "map_err" | "or_else" | "inspect" | "inspect_err" => Ty::generic("Result", inner),
            "as_ref" | "as_mut" => Ty::generic("Result", inner.reference()),
            "ok" => Ty::generic("Option", inner),
            "err" | "unwrap_err" | "expect_err" => Ty::Other,
            "map" => Ty::generic("Result", self.infer_argument(call, &[inner])),
            "and_then" => self.infer_argument(call, &[inner]),
            _ => Ty::Unknown,
        }
    }

    fn infer_iterator_method(&mut self, receiver: &Ty, name: &str, call: &ExprMethodCall) -> Ty {
        let ty = receiver.target().clone();
        let item = self.item(&ty);
        match name {
            "map" | "then" => {
                let output = self.infer_argument(call, &[item]);
                Ty::generic("Iter", output)
            }
            "flat_map" => {
                let output = self.infer_argument(call, &[item]);
                Ty::generic("Iter", output.element())
            }
            "flatten" => Ty::generic("Iter", item.element()),
            "filter_map" | "map_while" => {
                let output = self.infer_argument(call, &[item]);
                Ty::generic("Iter", unwrapped(&output))
            }
            "filter" | "rev" | "skip" | "take" | "chain" | "peekable" | "step_by" | "inspect"
            | "take_while" | "skip_while" | "by_ref" | "cycle" | "into_iter" | "iter" => {
                Ty::generic("Iter", item)
            }
            "enumerate" => Ty::generic("Iter", Ty::Tuple(vec![Ty::Scalar, item])),
            "zip" => {
                let other = self.infer_first(call).element();
                Ty::generic("Iter", Ty::Tuple(vec![item, other]))
            }
            // tonic's `message` returns a `Result` of an `Option`.
            "message" => Ty::generic("Result", Ty::generic("Option", unwrapped(&item))),
            "next" | "last" | "nth" | "find" | "max_by_key" | "min_by_key" | "max_by" | "min_by" | "recv"
            | "next_back" | "reduce" => Ty::generic("Option", item),
            "peek" => Ty::generic("Option", item.reference()),
            "find_map" => self.infer_argument(call, &[item]),
            "fold" => self.infer_first(call),
            "sum" | "product" | "min" | "max" => Ty::Scalar,
            "for_each" => Ty::Other,
            _ => Ty::Unknown,
        }
    }

    fn infer_collection_method(&mut self, receiver: &Ty, name: &str, call: &ExprMethodCall) -> Ty {
        let ty = receiver.target();
        let by_reference = keep_reference(&Ty::Other.clone().reference(), ty);
        let Ty::Generic(kind, arguments) = ty else { return Ty::Unknown };
        let last = arguments.last().cloned().unwrap_or(Ty::Unknown);
        let is_map = matches!(kind.as_str(), "HashMap" | "BTreeMap" | "VecMap");
        match (kind.as_str(), name) {
            ("Request" | "Response", "get_ref" | "get_mut") => last.reference(),
            ("Request" | "Response", "map") => {
                let output = self.infer_argument(call, &[last]);
                Ty::generic(kind, output)
            }
            ("Mutex" | "RwLock", "lock" | "read" | "write") => {
                Ty::generic("Result", Ty::generic("MutexGuard", last))
            }
            ("RefCell", "borrow" | "borrow_mut") => Ty::generic("Ref", last),
            ("Entry", "or_default" | "or_insert" | "or_insert_with") => last.reference(),
            (_, "iter" | "iter_mut") => Ty::generic("Iter", Ty::Ref(Box::new(by_reference)).element()),
            (_, "into_iter") => Ty::generic("Iter", receiver.element()),
            (_, "drain") => Ty::generic("Iter", ty.element()),
            (_, "values" | "values_mut") if is_map => Ty::generic("Iter", last.reference()),
            (_, "into_values") if is_map => Ty::generic("Iter", last),
            (_, "get" | "get_mut" | "first" | "first_mut" | "last" | "last_mut") => {
                Ty::generic("Option", last.reference())
            }
            (_, "pop" | "pop_front" | "pop_back" | "insert") => Ty::generic("Option", last),
            (_, "remove") if is_map => Ty::generic("Option", last),
            (_, "remove" | "swap_remove") => last,
            (_, "entry") => Ty::generic("Entry", last),
            (_, "chunks" | "windows") => Ty::generic("Iter", ty.clone().reference()),
            _ => Ty::Unknown,
        }
    }

    /// Returns the type of the items of an iterator or a stream. tonic's streams have results as items.
    fn item(&self, ty: &Ty) -> Ty {
        match ty {
            Ty::Generic(kind, arguments) => {
                let item = arguments.first().cloned().unwrap_or(Ty::Unknown);
                if kind == "Streaming" { Ty::generic("Result", item) } else { item }
            }
            _ => Ty::Unknown,
        }
    }

    fn infer_first(&mut self, call: &ExprMethodCall) -> Ty {
        call.args.first().map_or(Ty::Unknown, |argument| self.infer(argument))
    }

    /// Returns the type of the result of the closure or function that is the last argument of a method.
    fn infer_argument(&mut self, call: &ExprMethodCall, parameters: &[Ty]) -> Ty {
        match call.args.last() {
            Some(Expr::Closure(closure)) => self.infer_closure(closure, parameters),
            Some(Expr::Path(path)) => {
                let path = &path.path;
                match path.segments.last().map(|segment| segment.ident.to_string()).as_deref() {
                    Some("Ok") => Ty::generic("Result", parameters.first().cloned().unwrap_or(Ty::Unknown)),
                    Some("Some") => Ty::generic("Option", parameters.first().cloned().unwrap_or(Ty::Unknown)),
                    _ => self.function_of(path).map_or(Ty::Unknown, |found| found.output),
                }
            }
            _ => Ty::Unknown,
        }
    }
}

impl Ty {
    /// Removes one outer reference.
    fn peeled_once(self) -> Ty {
        match self {
            Ty::Ref(inner) => *inner,
            ty => ty,
        }
    }
}

/// Returns the type of the result of a method that copies its receiver or the value inside it.
fn copied(receiver: &Ty, name: &str) -> Ty {
    let peel = |ty: &Ty| ty.peeled().clone();
    match (name, receiver.peeled()) {
        ("cloned" | "copied", Ty::Generic(kind, arguments)) => {
            Ty::generic(kind, arguments.last().map_or(Ty::Unknown, peel))
        }
        ("into_inner", Ty::Generic(kind, arguments)) => {
            let inner = arguments.last().cloned().unwrap_or(Ty::Unknown);
            if matches!(kind.as_str(), "Mutex" | "RwLock") { Ty::generic("Result", inner) } else { inner }
        }
        (_, ty) => ty.clone(),
    }
}

/// Returns the type `ty`, as a reference if the receiver is a reference or a pointer.
fn keep_reference(receiver: &Ty, ty: &Ty) -> Ty {
    if receiver.is_pointer() && !matches!(ty, Ty::Ref(_)) { ty.clone().reference() } else { ty.clone() }
}
