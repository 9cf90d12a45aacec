//! Rewrites calls whose arguments change.

use syn::visit::Visit;
use syn::{Expr, ExprMethodCall};

use super::chain::links;
use super::names::Named;
use super::table::{Change, Library};
use super::values::Value;
use super::walk::Walker;

impl<'s> Walker<'s> {
    /// Rewrites a call whose arguments change. Returns true if the chain still has this call or a replacement.
    pub(super) fn change(
        &mut self,
        change: Change,
        call: &'s ExprMethodCall,
        calls: &[&'s ExprMethodCall],
    ) -> bool {
        let arguments: Vec<_> = call.args.iter().collect();
        match (change, arguments.as_slice()) {
            (Change::Oneofs, [path, attribute]) => {
                let texts = [path, attribute].map(|argument| self.text_of(*argument));
                for argument in [path, attribute] {
                    if matches!(argument, Expr::Path(_)) {
                        self.edits.insert(self.range(*argument).start, "&");
                    }
                }
                let text = format!("{}.oneof_attribute({}, {})", self.separator(call), texts[0], texts[1]);
                self.edits.insert(self.range(call).end, text);
                self.note(
                    &call.method,
                    "`enum_attribute` of prost-build holds for oneofs, too: they have `oneof_attribute`",
                );
            }
            (Change::FileName, [name]) => {
                if calls.iter().any(|call| call.method == "include_file") {
                    self.cut(call);
                    return false;
                }
                let text = self.text_of(*name);
                let text = match text.strip_suffix('"').filter(|text| text.starts_with('"')) {
                    Some(text) => format!("out_file({text}.rs\")"),
                    None => format!("out_file(format!(\"{{}}.rs\", {text}))"),
                };
                self.edits.replace(self.range(&call.method).start..self.range(call).end, text);
            }
            (Change::ReadSet, []) => {
                let find = |name: &str| calls.iter().find(|call| call.method == name).copied();
                let end = find("compile_protos").or(find("compile"));
                let (Some(path), Some(end)) = (find("file_descriptor_set_path"), end) else {
                    let reason = "`skip_protoc_run`: remove it, and call `compile_descriptor_set` with the path of the set \
                                  instead of the compiler";
                    self.leave(&call.method, reason);
                    return true;
                };
                self.cut(call);
                self.cut(path);
                let path = path.args.first().map_or("", |path| self.text_of(path));
                let range = self.range(&end.method).start..self.range(end).end;
                self.edits.replace(range, format!("compile_descriptor_set({path})"));
                return true;
            }
            (Change::DescriptorSet, [set]) => self.compile_set(call, set),
            (Change::WithConfig, _) => self.with_config(call, calls, &arguments),
            (Change::Services, [generator]) => self.services(call, generator),
            _ => self.leave(&call.method, format!("`{}` has other arguments than are known", call.method)),
        }
        true
    }

    /// Rewrites `compile_fds(set)`, so that it compiles the files from which the set was made.
    fn compile_set(&mut self, call: &'s ExprMethodCall, set: &'s Expr) {
        match self.files_text(set) {
            Some(text) => {
                self.edits.replace(self.range(&call.method), "compile_protos");
                self.edits.replace(self.range(set), text);
            }
            None => {
                self.leave(
                    &call.method,
                    format!("`{}`: call `compile_protos` with the files, or `compile_descriptor_set_bytes` with the bytes of the set", call.method),
                );
                self.visit_expr(set);
            }
        }
    }

    /// Returns the code for the files and the include directories of a set; `None` if the set has another use.
    pub(super) fn files_text(&mut self, set: &'s Expr) -> Option<String> {
        let (files, includes, is_protox) = match set {
            Expr::Path(path) => {
                let variable = self.variable(&path.path.get_ident()?.to_string())?;
                let Value::Set(set) = &mut variable.value else { return None };
                set.is_taken = true;
                (set.files, set.includes, set.is_protox)
            }
            set => self.files_of_set(set).filter(|(_, _, is_protox)| *is_protox)?,
        };
        let [files, includes] = [files, includes].map(|list| {
            let is_slice = !is_protox || matches!(list, Expr::Reference(_));
            format!("{}{}", if is_slice { "" } else { "&" }, self.text_of(list))
        });
        Some(format!("{files}, {includes}"))
    }

    /// Rewrites `configure().x().compile_with_config(config, ..)`, so that the chain starts with `config`.
    fn with_config(
        &mut self,
        call: &'s ExprMethodCall,
        calls: &[&'s ExprMethodCall],
        arguments: &[&'s Expr],
    ) {
        let (root, _) = links(&call.receiver);
        let is_new = matches!(root, Expr::Call(call) if self.callee(call) == Some(Named::Configure));
        let place = self.other_config(calls).filter(|_| is_new).and_then(|base| {
            let start = self.range(base).start;
            arguments.iter().position(|argument| self.range(*argument).start == start)
        });
        let Some(place) = place else {
            self.leave(
                &call.method,
                format!("`{}`: there is one `Config`, which has all settings", call.method),
            );
            arguments.iter().for_each(|argument| self.visit_expr(argument));
            return;
        };
        let range = match place {
            0 if arguments.len() > 1 => self.range(arguments[0]).start..self.range(arguments[1]).start,
            0 => self.range(arguments[0]),
            place => self.range(arguments[place - 1]).end..self.range(arguments[place]).end,
        };
        self.edits.remove(range);
        let rest: Vec<_> =
            arguments.iter().enumerate().filter(|(at, _)| *at != place).map(|(_, rest)| *rest).collect();
        match rest.as_slice() {
            [set] => self.compile_set(call, set),
            _ => {
                self.edits.replace(self.range(&call.method), "compile_protos");
                rest.iter().for_each(|argument| self.visit_expr(argument));
            }
        }
    }

    /// Rewrites `service_generator(configure().x().service_generator())`, so that the chain sets the options of the generator
    /// on the settings themselves.
    fn services(&mut self, call: &'s ExprMethodCall, generator: &'s Expr) {
        let (root, calls) = links(generator);
        let is_new = matches!(root, Expr::Call(call) if self.callee(call) == Some(Named::Configure));
        let Some((last, calls)) =
            calls.split_last().filter(|(last, _)| is_new && last.method == "service_generator")
        else {
            let reason = "`service_generator`: there are no generators of services; `build_client` and `build_server` are those of tonic";
            self.leave(&call.method, reason);
            return;
        };
        let separator = self.separator(call);
        let defaults = self.defaults(calls, &separator);
        self.edits.replace(self.range(&call.receiver).end..self.range(root).end, defaults);
        for &call in calls {
            self.call(Library::Tonic, call, calls, None);
        }
        self.edits.remove(self.range(&last.receiver).end..self.range(call).end);
    }

    /// Returns the settings of prost-build that are an argument of the last call in a chain.
    pub(super) fn other_config(&self, calls: &[&'s ExprMethodCall]) -> Option<&'s Expr> {
        let call = calls.iter().find(|call| call.method.to_string().ends_with("_with_config"))?;
        call.args.iter().find(|argument| {
            let is_plain = match argument {
                Expr::MethodCall(call) => call.method == "clone" && matches!(&*call.receiver, Expr::Path(_)),
                Expr::Path(_) | Expr::Call(_) => true,
                _ => false,
            };
            is_plain && self.settings(argument) == Some(Library::Prost)
        })
    }
}
