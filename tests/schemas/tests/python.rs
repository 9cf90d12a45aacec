//! Python's protobuf reads tobu's JSON and text format, and the reverse, on every recorded data set.
//!
//! It needs the data sets (`../shared`, or where `TOBU_SHARED` points) and a Python with `protobuf` (`$PYTHON`, or
//! `python3`); without them it says so. Of each set a mebibyte is taken, or all with `TOBU_ALL_PAYLOADS=1`.

#[cfg(not(tobu_datasets))]
#[test]
fn python_agrees() {
    println!(
        "there are no data sets in ../shared/datasets, nor where TOBU_SHARED points: nothing was checked"
    );
}

#[cfg(tobu_datasets)]
mod python {
    use std::path::Path;
    use std::process::Command;
    use tobu::{DecodeOptions, Message, json, text};
    use tobu_schemas::datasets::benchmarks::BenchmarkDataset;
    use tobu_schemas::recorded::{check_each, folder};

    fn records(records: impl IntoIterator<Item = impl AsRef<[u8]>>) -> Vec<u8> {
        let mut bytes = Vec::new();
        for record in records {
            let record = record.as_ref();
            bytes.extend(u32::try_from(record.len()).expect("a short record").to_le_bytes());
            bytes.extend(record);
        }
        bytes
    }

    type Print = fn(&[u8]) -> tobu::Result<String>;

    fn print<T: Message + tobu::Serialize + for<'de> tobu::Deserialize<'de>>(
        payload: &[u8],
    ) -> tobu::Result<String> {
        json::to_string(&DecodeOptions::new().from_slice::<T>(payload)?)
    }

    fn print_text<T: Message + tobu::Serialize + for<'de> tobu::Deserialize<'de>>(
        payload: &[u8],
    ) -> tobu::Result<String> {
        text::to_string(&DecodeOptions::new().from_slice::<T>(payload)?)
    }

    /// Reads text and writes it as JSON, canonically and in one order.
    fn reprint_text<T: Message + tobu::Serialize + for<'de> tobu::Deserialize<'de>>(
        text: &[u8],
    ) -> tobu::Result<String> {
        json::Options::new().deterministic(true).to_string(&text::from_slice::<T>(text)?)
    }

    /// Reads JSON and writes it again, canonically and in one order.
    fn reprint<T: Message + tobu::Serialize + for<'de> tobu::Deserialize<'de>>(
        text: &[u8],
    ) -> tobu::Result<String> {
        json::Options::new().deterministic(true).to_string(&json::from_slice::<T>(text)?)
    }

    #[test]
    fn python_agrees() {
        let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".into());
        let there = Command::new(&python).args(["-c", "import google.protobuf"]).output();
        if !there.is_ok_and(|output| output.status.success()) {
            println!("{python} has no protobuf: nothing was checked");
            return;
        }
        check_each(|path| check(&python, path));
    }

    /// A mebibyte of payloads, and one in any case; all where `TOBU_ALL_PAYLOADS` is set.
    fn payloads(set: &BenchmarkDataset) -> &[impl AsRef<[u8]> + use<>] {
        let mut left = if std::env::var_os("TOBU_ALL_PAYLOADS").is_some() { usize::MAX } else { 1 << 20 };
        let fits = |payload: &&_| {
            let payload: &[u8] = AsRef::as_ref(*payload);
            let fits = left > 0;
            left = left.saturating_sub(payload.len());
            fits
        };
        &set.payload[..set.payload.iter().take_while(fits).count()]
    }

    fn check(python: &str, path: &Path) {
        let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let set: BenchmarkDataset =
            tobu::from_slice(&std::fs::read(path).expect("the data set")).expect("a data set");
        let name = set.message_name.as_str();
        let print = tobu_schemas::data_set_function!(name, print as Print).expect("a type");
        let reprint = tobu_schemas::data_set_function!(name, reprint as Print).expect("a type");
        let print_text = tobu_schemas::data_set_function!(name, print_text as Print).expect("a type");
        let reprint_text = tobu_schemas::data_set_function!(name, reprint_text as Print).expect("a type");
        let written = payloads(&set);
        let each = |print: Print| -> Vec<String> {
            written.iter().map(|payload| print(payload.as_ref()).expect("prints")).collect()
        };
        let (ours, ours_text) = (each(print), each(print_text));

        let file = |kind: &str| scratch.join(format!("{}.{kind}", set.name));
        let (payloads, json_in, json_out) = (file("payloads"), file("ours"), file("theirs"));
        std::fs::write(&payloads, records(written)).expect("writes");
        let (text_in, text_out) = (file("ours.text"), file("theirs.text"));
        std::fs::write(&json_in, records(&ours)).expect("writes");
        std::fs::write(&text_in, records(&ours_text)).expect("writes");
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/python.py");
        let schemas = folder().join("schemas.fds");
        let output = Command::new(python)
            .arg(script)
            .arg(schemas)
            .arg(name)
            .args([&payloads, &json_in, &json_out, &text_in, &text_out])
            .output()
            .expect("python runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));

        for (answer, ours, reprint) in [(json_out, &ours, reprint), (text_out, &ours_text, reprint_text)] {
            let theirs = std::fs::read(&answer).expect("the answer");
            let mut rest = &theirs[..];
            for ours in ours {
                let (length, after) = rest.split_first_chunk::<4>().expect("a record");
                let (text, after) = after.split_at(u32::from_le_bytes(*length) as usize);
                rest = after;
                let (theirs, ours) =
                    (reprint(text).expect("reads"), reprint(ours.as_bytes()).expect("reads"));
                assert_eq!(theirs, ours, "{name}");
            }
            assert!(rest.is_empty());
        }
    }
}
