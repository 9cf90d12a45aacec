//! `Any`: its content as members beside `@type`.

use super::Json;
use super::known::Capture;
use crate::de::Wire;
use crate::descriptor::{MessageDescriptor, Pool};
use crate::error::{Error, Result};
use crate::known::text::quoted;
use crate::plan::{PlanSet, WellKnown};
use crate::relay::Relay;
use bytes::Bytes;

/// What was captured of a message that is put together when it ends.
#[derive(Debug, Default)]
pub(super) struct Captured {
    pub(super) paths: Vec<String>,
    url: String,
    content: Bytes,
    /// The content that is being written: that of an `Any` in it is a part of the same memory.
    outer: Bytes,
}

impl Captured {
    pub(super) fn clear(&mut self) {
        self.paths.clear();
        self.url.clear();
        self.content = Bytes::new();
    }
}

impl Json<'_> {
    /// What was captured; most messages have nothing to.
    pub(super) fn captured(&mut self) -> &mut Captured {
        self.captured.get_or_insert_default()
    }

    #[cold]
    pub(super) fn captured_str(&mut self, value: &str) {
        match self.capture {
            Capture::Mask => self.captured().paths.push(value.to_owned()),
            _ => value.clone_into(&mut self.captured().url),
        }
    }

    #[cold]
    pub(super) fn captured_bytes(&mut self, value: &[u8]) {
        let captured = self.captured();
        let (outer, inner) = (captured.outer.as_ptr_range(), value.as_ptr_range());
        // Shared where that is possible: each level of a chain would copy what is inside it.
        captured.content = match outer.start <= inner.start && inner.end <= outer.end {
            true => captured.outer.slice_ref(value),
            false => Bytes::copy_from_slice(value),
        };
    }

    /// Writes the `Any` that was captured.
    pub(super) fn any(&mut self) -> Result<()> {
        let captured = self.captured();
        let (url, content) = (std::mem::take(&mut captured.url), std::mem::take(&mut captured.content));
        if url.is_empty() && content.is_empty() {
            self.out.raw(b"{}");
            return Ok(());
        }
        let descriptor = self.resolve(&url)?;
        let set = descriptor.plans()?;
        let object = self.out.open();
        self.out.member(b",\"@type\":");
        self.out.string(&url);
        let outer = std::mem::replace(&mut self.captured().outer, content.clone());
        self.content(set, &content).map_err(Error::nowhere)?;
        self.captured().outer = outer;
        self.out.close(object, *b"{}");
        Ok(())
    }

    fn content(&mut self, set: &PlanSet, content: &[u8]) -> Result<()> {
        let plan = set.root();
        if plan.known != WellKnown::No {
            self.out.member(b",\"value\":");
            return self.relay(&mut Wire::new(content, true), set, self.level).message(None, plan);
        }
        let level = self.level;
        self.level += 1;
        self.relay(&mut Wire::new(content, true), set, level).bare_message(plan)?;
        self.level = level;
        Ok(())
    }

    /// What hands the fields of encoded bytes to this sink; `level` messages are open around them.
    pub(super) fn relay<'a, 'p, 'de>(
        &'a mut self,
        source: &'a mut Wire<'de>,
        set: &'p PlanSet,
        level: u32,
    ) -> Relay<'a, 'p, Wire<'de>, Self> {
        let max_depth = self.options.limits.max_depth();
        Relay {
            source,
            set,
            depth: max_depth.saturating_sub(level),
            max_depth,
            partial: self.options.partial,
            defaults: self.options.emit_defaults,
            sink: self,
        }
    }

    /// The type that a URL names after its last slash.
    fn resolve(&self, url: &str) -> Result<MessageDescriptor> {
        let Some(name) = url.rsplit_once('/').map(|(_, name)| name).filter(|name| !name.is_empty()) else {
            let url = quoted(url);
            return Err(Error::ty(format!("the type URL {url} has no name of a type after a slash")));
        };
        let found = match &self.options.pool {
            Some(pool) => pool.message(name),
            None => Pool::global().message(name).or_else(|| well_known(name)),
        };
        found.ok_or_else(|| {
            let name = quoted(name);
            Error::schema(format!("there is no message named {name} in the pool, as an Any wants it"))
        })
    }
}

/// The well-known types are in the global pool only when something used them before.
#[cfg(feature = "derive")]
fn well_known(full_name: &str) -> Option<MessageDescriptor> {
    use crate::types::files;
    let name = full_name.strip_prefix("google.protobuf.")?;
    let file = match name {
        "Any" => &files::ANY,
        "Duration" => &files::DURATION,
        "Empty" => &files::EMPTY,
        "FieldMask" => &files::FIELD_MASK,
        "Struct" | "Value" | "ListValue" => &files::STRUCT,
        "Timestamp" => &files::TIMESTAMP,
        _ => &files::WRAPPERS,
    };
    file.message(full_name)
}

#[cfg(not(feature = "derive"))]
fn well_known(_: &str) -> Option<MessageDescriptor> {
    None
}
