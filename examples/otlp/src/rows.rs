//! Reads requests as rows, with `derive(tobu::Row)`.

use crate::Totals;
use tobu::sink::RowPlan;

/// The values of a span that the example uses.
#[derive(Debug, PartialEq, tobu::Row)]
pub struct SpanRow<'a> {
    /// The instrumentation library that recorded the span.
    #[tobu(path = "resource_spans[].scope_spans[].scope.name")]
    pub scope: &'a str,
    /// The id of the trace to which the span belongs.
    #[tobu(path = "resource_spans[].scope_spans[].spans[].trace_id")]
    pub trace_id: &'a [u8],
    /// The name of the operation.
    #[tobu(path = "resource_spans[].scope_spans[].spans[].name")]
    pub name: &'a str,
    /// The kind of the span: client, server, and so on.
    #[tobu(path = "resource_spans[].scope_spans[].spans[].kind")]
    pub kind: i32,
    /// The start of the span, in nanoseconds since 1970.
    #[tobu(path = "resource_spans[].scope_spans[].spans[].start_time_unix_nano")]
    pub start: u64,
    /// The end of the span, in nanoseconds since 1970.
    #[tobu(path = "resource_spans[].scope_spans[].spans[].end_time_unix_nano")]
    pub end: u64,
    /// The status code, where 2 is an error, or `None` if the span has no status.
    #[tobu(path = "resource_spans[].scope_spans[].spans[].status.code")]
    pub status: Option<i32>,
}

/// Adds the spans of a request to `totals`. Create the plan once, with `RowPlan::new::<SpanRow>`.
///
/// # Errors
/// The bytes are not a valid request.
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
