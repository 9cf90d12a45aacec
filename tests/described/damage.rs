//! Streams that are cut off or changed on their way.

use crate::support::{fixed, read, stream};
use tobu::stream::described::{Options, Reader, Writer};
use tobu::types::StringValue;

const TEXTS: [&str; 5] = ["one", "two", "", "three", "five"];

/// A stream in which each block has two messages, the ends of these blocks, and the end of the whole.
fn blocks() -> (Vec<u8>, Vec<usize>) {
    let stream = stream(fixed().block_size(8), &TEXTS);
    let marker = &stream[12..28];
    let starts = (28..stream.len() - 16).filter(|at| &stream[*at..*at + 16] == marker);
    let ends: Vec<usize> = starts.skip(1).chain([stream.len()]).collect();
    (stream, ends)
}

#[test]
fn every_cut() {
    let (stream, ends) = blocks();
    // Of descriptors, two and two messages and one, and of the end.
    assert_eq!(ends.len(), 5);
    for cut in 0..stream.len() {
        let whole = [ends[1], ends[2], ends[3]].iter().filter(|end| **end <= cut).count();
        let count = [0, 2, 4, 5][whole];
        let start = ends.iter().rev().find(|end| **end <= cut).copied();
        let start = start.unwrap_or(if cut < 32 { 0 } else { 32 });
        let error = format!("the stream is cut off after {count} whole messages (at byte {start})");
        let (texts, end) = read(Options::new(), &stream[..cut]);
        assert_eq!(texts, TEXTS[..count], "cut at {cut}");
        assert_eq!(end, Err(error), "cut at {cut}");
        // Nor does a reader that skips damage accept it as complete.
        let mut reader = Reader::with_options(&stream[..cut], Options::new().skip_damage(true));
        let texts = reader.messages::<StringValue>().filter_map(Result::ok).map(|text| text.value);
        assert_eq!(texts.collect::<Vec<_>>(), TEXTS[..count]);
        assert!(reader.is_cut_off(), "cut at {cut}");
        let error = reader.next().unwrap_err().to_string();
        assert!(error.starts_with(&format!("the stream is cut off after {count} whole messages")), "{error}");
    }
    assert_eq!(read(Options::new(), &stream), (TEXTS.map(str::to_owned).to_vec(), Ok(())));
}

#[test]
fn every_byte_garbled() {
    let (stream, ends) = blocks();
    for at in 0..stream.len() {
        for flip in [0x01, 0x80, 0xff] {
            let mut garbled = stream.clone();
            garbled[at] ^= flip;
            let whole = [ends[1], ends[2], ends[3]].iter().filter(|end| **end <= at).count();
            let count = [0, 2, 4, 5][whole];
            let (texts, end) = read(Options::new(), &garbled);
            assert_eq!(texts, TEXTS[..count], "byte {at}");
            assert!(end.is_err(), "byte {at}");
            // Passing over it loses the messages of its block, or all where nothing can be read without it.
            let mut reader = Reader::with_options(&garbled[..], Options::new().skip_damage(true));
            let read: Vec<_> =
                reader.messages::<StringValue>().map(|text| text.map(|text| text.value)).collect();
            let left: Vec<&str> = match at {
                _ if at < ends[0] => vec![],
                _ if at < ends[3] => {
                    let lost = [0..2, 2..4, 4..5][whole].clone();
                    let kept = |(i, text): (usize, &&'static str)| (!lost.contains(&i)).then_some(*text);
                    TEXTS.iter().enumerate().filter_map(kept).collect()
                }
                _ => TEXTS.to_vec(),
            };
            let (texts, errors): (Vec<_>, Vec<_>) = read.into_iter().partition(Result::is_ok);
            let texts: Vec<String> = texts.into_iter().map(Result::unwrap).collect();
            assert_eq!(texts, left, "byte {at}");
            let messages = match at {
                _ if at < 32 || at >= ends[3] => 0,
                _ => 5 - left.len() as u64,
            };
            assert_eq!(reader.left_out().messages, messages, "byte {at}");
            // Without the prefix nothing is found, without the end it is not known whether there was more.
            assert_eq!(errors.len(), usize::from(at < 32 || at >= ends[3]), "byte {at}");
            assert_eq!(reader.is_cut_off(), at >= ends[3], "byte {at}");
        }
    }
}

#[test]
fn every_byte_missing_or_doubled() {
    let (stream, ends) = blocks();
    for at in 32..stream.len() {
        for doubled in [false, true] {
            let rest = if doubled { at } else { at + 1 };
            let changed = [&stream[..at + usize::from(doubled)], &stream[rest..]].concat();
            if changed == stream {
                continue;
            }
            let (texts, end) = read(Options::new(), &changed);
            assert_eq!(texts, TEXTS[..texts.len()]);
            assert!(end.is_err() || doubled && at == stream.len() - 1, "byte {at}");
            // No more than the block is lost, and the one before it if the boundary is damaged.
            let mut reader = Reader::with_options(&changed[..], Options::new().skip_damage(true));
            let read: Vec<_> = reader.messages::<StringValue>().filter_map(Result::ok).collect();
            let most = if at < ends[0] { 5 } else { 2 };
            assert!(read.len() + most >= 5, "byte {at}: {read:?}");
        }
    }
}

#[test]
fn blocks_that_are_missing_doubled_or_in_another_order() {
    let (stream, ends) = blocks();
    let block = |i: usize| &stream[if i == 0 { 32 } else { ends[i - 1] }..ends[i]];
    let of = |blocks: &[usize]| {
        blocks.iter().fold(stream[..32].to_vec(), |mut all, i| {
            all.extend(block(*i));
            all
        })
    };
    let whole = |blocks: &[usize]| {
        let (texts, end) = read(Options::new(), &of(blocks));
        (texts.len(), end.unwrap_err())
    };
    let at = |i: usize| ends[i];
    let missing = |count, offset| (count, format!("blocks are missing before this one (at byte {offset})"));
    let misplaced =
        |count, offset| (count, format!("a block stands where it does not belong (at byte {offset})"));
    assert_eq!(of(&[0, 1, 2, 3, 4]), stream);
    assert_eq!(whole(&[0, 2, 3, 4]), missing(0, at(0)));
    assert_eq!(whole(&[0, 1, 2, 4]), missing(4, at(2)));
    assert_eq!(whole(&[0, 1, 1, 2, 3, 4]), misplaced(2, at(1)));
    assert_eq!(whole(&[0, 2, 1, 3, 4]), missing(0, at(0)));
    assert_eq!(whole(&[0, 0, 1, 2, 3, 4]), misplaced(0, at(0)));
    assert_eq!(whole(&[0, 1, 4]), missing(2, at(1)));
    assert_eq!(
        whole(&[1, 2, 3, 4]),
        (0, "message 0 is of type 0, which was not declared (at byte 32)".into())
    );
    // The end says how many types and messages there are.
    assert_eq!(whole(&[4]), missing(0, 32));
    let parts = of(&[0, 2, 4]);
    let mut reader = Reader::with_options(&parts[..], Options::new().skip_damage(true));
    assert_eq!(
        reader.messages::<StringValue>().map(|text| text.unwrap().value).collect::<Vec<_>>(),
        ["", "three"]
    );
    assert_eq!((reader.left_out().bytes, reader.left_out().messages, reader.count()), (0, 3, 2));
    assert!(!reader.is_cut_off());
}

#[test]
fn what_follows_is_not_read() {
    let (stream, _) = blocks();
    let both = [&stream[..], b"rest"].concat();
    let mut reader = Reader::new(&both[..]);
    while reader.next().unwrap().is_some() {}
    assert_eq!(reader.into_inner(), b"rest");
}

/// Types are added to a stream; those that need declarations from skipped blocks cannot be read.
#[test]
fn types_that_need_what_is_missing() {
    use tobu_schemas::library::v1::{Book, Loan, Shelf};
    let mut writer = Writer::with_options(Vec::new(), fixed());
    writer.write(&Loan { days: 1, ..Loan::default() }).unwrap();
    writer.flush().unwrap();
    writer.write(&StringValue::from("a")).unwrap();
    writer.flush().unwrap();
    writer.write(&Shelf { books: vec![Book::default()], ..Shelf::default() }).unwrap();
    writer.write(&StringValue::from("b")).unwrap();
    writer.finish().unwrap();
    let mut stream = writer.into_inner();
    // In the first block, which declares loans.
    stream[32 + 48] ^= 1;
    let mut reader = Reader::with_options(&stream[..], Options::new().skip_damage(true));
    let texts: Vec<_> = reader.messages::<StringValue>().map(|text| text.unwrap().value).collect();
    assert_eq!(texts, ["a", "b"]);
    assert_eq!((reader.left_out().messages, reader.is_cut_off()), (2, false));
    let types: Vec<_> = reader.types().map(|ty| ty.map(|ty| ty.full_name().to_owned())).collect();
    assert_eq!(types, [None, Some("google.protobuf.StringValue".to_owned())]);
    // Without `skip_damage` each of these is an error.
    let mut reader = Reader::new(&stream[..]);
    let (mut errors, mut messages) = (Vec::new(), 0);
    loop {
        match reader.next() {
            Ok(Some(_)) => messages += 1,
            Ok(None) => break,
            Err(error) => {
                errors.push(error.message());
                assert!(reader.resync().unwrap());
            }
        }
    }
    assert_eq!(messages, 2);
    assert_eq!(
        errors,
        [
            "a block is damaged",
            "message 0 is of type 0, which was not declared",
            "library/v1/library.proto#2: import \"library/v1/library.proto\" is missing",
            "message 2 is of type 2, which was not declared",
        ]
    );
}
