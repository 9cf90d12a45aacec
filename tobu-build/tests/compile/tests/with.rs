//! Fields of types of one's own in generated messages.

use std::time::{Duration, SystemTime};
use tobu::{Message, json};
use tobu_generated_tests::with::with::v1::{Job, JobView, Span, SpanView, job, span};
use tobu_generated_tests::{Cents, Id, Word};

#[test]
fn members_are_of_the_types_that_the_settings_say() {
    let mut span = Span {
        trace_id: Id([1, 2]),
        links: vec![Id([3, 4])],
        by_name: [("a".to_owned(), Id([5, 6]))].into(),
        of: Some(span::Of::Word(Word("w".into()))),
        digest: vec![0xff],
        ..Span::default()
    };
    let bytes = b"\x0a\x02\x01\x02\x1a\x02\x03\x04\x22\x07\x0a\x01a\x12\x02\x05\x06\x32\x01w\x42\x01\xff";
    assert_eq!(span.encode_to_vec().unwrap(), bytes);
    assert_eq!(Span::decode(&bytes[..]).unwrap(), span);
    let text = r#"{"traceId":"0102","links":["0304"],"byName":{"a":"0506"},"word":"w","digest":"ff"}"#;
    assert_eq!(json::to_string(&span).unwrap(), text);
    assert_eq!(json::from_str::<Span>(text).unwrap(), span);
    assert_eq!(span.word().map(|word| &*word.0), Some("w"));
    assert_eq!((span.trace_id(), span.parent()), (&Id([1, 2]), None));
    span.set_parent(Id([7, 8]));
    assert_eq!(span.parent(), Some(&Id([7, 8])));

    let error = json::from_str::<Span>(r#"{"word":"a b"}"#).unwrap_err();
    assert_eq!(error.to_string(), "with.v1.Span.word: expected a word (at line 1 column 9)");
    // A view borrows what there is, whatever that is.
    let view = tobu::from_slice::<SpanView<'_>>(b"\x0a\x01\x09").unwrap();
    assert_eq!(view.trace_id, [9]);
    assert_eq!(json::to_string(&view).unwrap(), r#"{"traceId":"CQ=="}"#);
}

#[test]
fn members_of_any_field() {
    let second = Duration::from_secs(1);
    let mut job = Job {
        started: Some(SystemTime::UNIX_EPOCH + second),
        waits: vec![second, Duration::ZERO],
        by_name: [("a".to_owned(), second)].into(),
        timeout: second,
        port: 80,
        other_port: Some(0),
        ports: vec![1, 2],
        numbers: Box::new([3]),
        price: Cents(150),
        of: Some(job::Of::At(SystemTime::UNIX_EPOCH)),
        parent: Some(Box::default()),
        plain: 7,
        protos_: "p".into(),
        ..Job::default()
    };
    let bytes = b"\x0a\x02\x08\x01\x12\x02\x08\x01\x12\x00\x1a\x07\x0a\x01a\x12\x02\x08\x01\x22\x02\x08\x01\x28\x50\x30\x00\x3a\x02\x01\x02\
        \x42\x01\x03\x4a\x041.50\x52\x00\x62\x02\x22\x00\x68\x07\x72\x01p";
    assert_eq!(job.encode_to_vec().unwrap(), bytes);
    assert_eq!(Job::decode(&bytes[..]).unwrap(), job);
    let text = r#"{"started":"1970-01-01T00:00:01Z","waits":["1s","0s"],"byName":{"a":"1s"},"timeout":"1s","port":80,"otherPort":0,"ports":[1,2],"numbers":[3],"price":"1.50","at":"1970-01-01T00:00:00Z","parent":{"timeout":"0s"},"plain":7,"protos":"p"}"#;
    assert_eq!(json::to_string(&job).unwrap(), text);
    assert_eq!(json::from_str::<Job>(text).unwrap(), job);
    // The same by its schema, which knows no conversion.
    let dynamic = job.clone().into_dynamic().unwrap();
    assert_eq!(json::to_string(&dynamic).unwrap(), text);
    assert!(job.as_reflect().equals(&dynamic));
    assert_eq!(dynamic.absorb::<Job>().unwrap(), job);

    assert_eq!((job.started(), job.other_port()), (Some(&(SystemTime::UNIX_EPOCH + second)), Some(&0)));
    assert_eq!((job.timeout(), job.numbers()), (&second, &Box::from([3])));
    job.set_timeout(Duration::ZERO);
    job.set_port(81);
    *job.other_port_mut() += 1;
    assert_eq!(job.other_port, Some(1));
    *Job::default().started_mut() += second;
    assert_eq!(
        (job.take_started(), job.timeout, job.port),
        (Some(SystemTime::UNIX_EPOCH + second), Duration::ZERO, 81)
    );

    let error = json::from_str::<Job>(r#"{"parent": {"ports": [1, 65536]}}"#).unwrap_err();
    assert_eq!(
        error.to_string(),
        "with.v1.Job.parent.ports[1]: expected a number below 65,536 (at line 1 column 26)"
    );
    // A view has the types of the schema.
    let view = tobu::from_slice::<JobView<'_>>(b"\x28\x80\x80\x04\x22\x02\x08\x01").unwrap();
    assert_eq!((view.port, view.timeout.map(|timeout| timeout.seconds)), (65536, Some(1)));
}
