//! Rows and messages of prost give the same totals, and the same errors of bytes that are no request.

use example_otlp::rows::SpanRow;
use example_otlp::{Totals, by_prost, message, request, rows};
use tobu::sink::RowPlan;

#[test]
fn both_ways_give_the_same_totals() {
    let plan = RowPlan::new::<SpanRow<'_>>(&message().unwrap()).unwrap();
    let (mut by_rows, mut by_messages) = (Totals::new(), Totals::new());
    for seed in 0..20 {
        let request = request::encoded(seed);
        rows::add(&plan, &request, &mut by_rows).unwrap();
        by_prost::add(&request, &mut by_messages).unwrap();
    }
    assert_eq!(by_rows, by_messages);
    assert_eq!(by_rows.values().map(|total| total.spans).sum::<u64>(), 8_000);
    assert_eq!(by_rows.len(), 8);
}

#[test]
fn a_request_that_is_cut_is_refused_by_both() {
    let plan = RowPlan::new::<SpanRow<'_>>(&message().unwrap()).unwrap();
    let request = request::encoded(1);
    let cut = &request[..request.len() - 1];
    assert!(by_prost::add(cut, &mut Totals::new()).is_err());
    let error = rows::add(&plan, cut, &mut Totals::new()).unwrap_err().to_string();
    let name = "opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest.resource_spans[1]";
    assert!(error.starts_with(name), "{error}");
}
