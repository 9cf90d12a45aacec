//! Rows by a derive.

use crate::Totals;
use tobu::sink::RowPlan;

/// What is kept of a span.
#[derive(Debug, PartialEq, tobu::Row)]
pub struct SpanRow<'a> {
    /// The instrumentation that made it.
    #[tobu(path = "resource_spans[].scope_spans[].scope.name")]
    pub scope: &'a str,
    /// The trace that it is in.
    #[tobu(path = "resource_spans[].scope_spans[].spans[].trace_id")]
    pub trace_id: &'a [u8],
    /// The operation.
    #[tobu(path = "resource_spans[].scope_spans[].spans[].name")]
    pub name: &'a str,
    /// Who made it: a client, a server, and so on.
    #[tobu(path = "resource_spans[].scope_spans[].spans[].kind")]
    pub kind: i32,
    /// When it began, in nanoseconds since 1970.
    #[tobu(path = "resource_spans[].scope_spans[].spans[].start_time_unix_nano")]
    pub start: u64,
    /// When it ended.
    #[tobu(path = "resource_spans[].scope_spans[].spans[].end_time_unix_nano")]
    pub end: u64,
    /// Whether it is an error; absent where nobody said.
    #[tobu(path = "resource_spans[].scope_spans[].spans[].status.code")]
    pub status: Option<i32>,
}

/// Adds the spans of a request. The plan is made once, by `RowPlan::new::<SpanRow>`.
///
/// # Errors
/// The bytes are no request.
pub fn add(plan: &RowPlan, request: &[u8], totals: &mut Totals) -> tobu::Result<()> {
    for row in plan.rows::<SpanRow<'_>>(request) {
        let row = row?;
        let total = totals.entry((row.scope.to_owned(), row.name.to_owned())).or_default();
        total.spans += 1;
        total.errors += u64::from(row.status == Some(2));
        total.nanoseconds += row.end.saturating_sub(row.start);
    }
    Ok(())
}
