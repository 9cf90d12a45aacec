//! Decoding and encoding the data sets by tobu and by prost, in one process, in turns, with medians.
//!
//! `cargo run --release --manifest-path benches/compare/Cargo.toml [DATA SET]`

#[cfg(not(tobu_datasets))]
fn main() {
    println!("there are no data sets: put them into ../shared/datasets, or say where with TOBU_SHARED");
}

#[cfg(tobu_datasets)]
fn main() {
    datasets::main();
}

#[cfg(tobu_datasets)]
mod datasets {
    use std::hint::black_box;
    use std::path::PathBuf;
    use std::time::{Duration, Instant};
    use tobu_compare::prost_datasets as p;
    use tobu_compare::tobu_schemas::datasets as t;

    pub(crate) fn main() {
        let only = std::env::args().nth(1);
        println!("{:24} {:>21} {:>21} {:>21}", "MiB/s (tobu prost ratio)", "decode", "encode", "decode in place");
        macro_rules! run {
            ($($file:literal: $($path:ident)::+;)*) => {
                $(if only.as_deref().is_none_or(|only| only == $file) {
                    compare::<t::$($path)::+, p::$($path)::+>($file);
                })*
            };
        }
        run! {
            "api_response": bench::ApiResponse;
            "log_record": bench::LogRecord;
            "analytics_event": bench::AnalyticsEvent;
            "google_message1_proto3": benchmarks::proto3::GoogleMessage1;
            "media_frame": bench::MediaFrame;
            "mesh": bench::TriMesh;
            "packed_tile": bench::PackedTile;
            "packed_signed": bench::PackedSigned;
            "column_batch": bench::ColumnBatch;
            "descriptor_set": google::protobuf::FileDescriptorSet;
            "shape_tiny": gobshape::Tiny;
            "shape_medium": gobshape::Medium;
            "shape_big": gobshape::Big;
            "shape_huge": gobshape::Huge;
            "shape_map_heavy": gobshape::MapHeavy;
        }
    }

    fn payloads(name: &str) -> Vec<Vec<u8>> {
        let shared = std::env::var_os("TOBU_SHARED").map_or_else(
            || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")),
            PathBuf::from,
        );
        let bytes = std::fs::read(shared.join(format!("datasets/{name}.pb"))).expect("the data set");
        tobu::from_slice::<t::benchmarks::BenchmarkDataset>(&bytes).expect("a data set").payload
    }

    fn compare<T, P>(name: &str)
    where
        T: tobu::Message + tobu::Serialize + for<'de> tobu::Deserialize<'de> + for<'de> tobu::Merge<'de> + Default,
        P: prost::Message + Default + std::fmt::Debug,
    {
        let payloads = payloads(name);
        let size: usize = payloads.iter().map(Vec::len).sum();
        let tobu: Vec<T> = payloads.iter().map(|bytes| tobu::from_slice(bytes).expect("decodes")).collect();
        let prost: Vec<P> = payloads.iter().map(|bytes| P::decode(&**bytes).expect("decodes")).collect();
        for (a, b) in tobu.iter().zip(&prost) {
            // Maps are written in any order: compare what the other side makes of it.
            let again = P::decode(&*tobu::to_vec(a).expect("encodes")).expect("decodes");
            assert_eq!(format!("{again:?}").len(), format!("{b:?}").len(), "{name}: equal content");
        }
        let decode = turns(
            || payloads.iter().for_each(|bytes| drop(black_box(tobu::from_slice::<T>(black_box(bytes))))),
            || payloads.iter().for_each(|bytes| drop(black_box(P::decode(&**black_box(bytes))))),
        );
        let encode = turns(
            || tobu.iter().for_each(|message| drop(black_box(tobu::to_vec(black_box(message))))),
            || prost.iter().for_each(|message| drop(black_box(black_box(message).encode_to_vec()))),
        );
        let (mut a, mut b) = (T::default(), P::default());
        let reuse = turns(
            || payloads.iter().for_each(|bytes| tobu::from_slice_in_place(&mut a, black_box(bytes)).expect("decodes")),
            || {
                for bytes in &payloads {
                    b.clear();
                    b.merge(&**black_box(bytes)).expect("decodes");
                }
            },
        );
        let cell = |(a, b): (Duration, Duration)| {
            let rate = |time: Duration| size as f64 / time.as_secs_f64() / (1 << 20) as f64;
            format!("{:7.0} {:7.0} {:5.2}", rate(a), rate(b), rate(a) / rate(b))
        };
        println!("{name:24} {:>21} {:>21} {:>21}", cell(decode), cell(encode), cell(reuse));
    }

    /// The median time of one pass of each, in turns.
    fn turns(mut a: impl FnMut(), mut b: impl FnMut()) -> (Duration, Duration) {
        let start = Instant::now();
        a();
        b();
        let passes = (20_000_000 / start.elapsed().as_nanos().max(1)).clamp(1, 2000) as u32;
        let mut times = (Vec::new(), Vec::new());
        let time = |run: &mut dyn FnMut()| {
            let start = Instant::now();
            (0..passes).for_each(|_| run());
            start.elapsed() / passes
        };
        for _ in 0..15 {
            times.0.push(time(&mut a));
            times.1.push(time(&mut b));
        }
        times.0.sort();
        times.1.sort();
        (times.0[7], times.1[7])
    }
}
