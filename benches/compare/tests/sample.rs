//! The data sets that are made where there are no recorded ones: the same bytes everywhere, and messages of their types.

use std::path::{Path, PathBuf};
use tobu::{DynamicMessage, EncodeOptions, MessageDescriptorExt, Pool};
use tobu_compare::SAMPLE;

/// Name, type, number of payloads, bytes of all of them, and their hash.
type Row = (String, String, usize, usize, u64);

/// Figures on other data cannot be compared: a change of a set must be recorded here.
const SETS: &[(&str, &str, usize, usize, u64)] = &[
    ("analytics_event", "bench.AnalyticsEvent", 50, 187_960, 0xc7e4_df86_1560_0b05),
    ("api_response", "bench.ApiResponse", 50, 5_586, 0xb50d_3c98_adf0_d4bb),
    ("column_batch", "bench.ColumnBatch", 50, 1_142_588, 0x6648_0598_f7c5_2885),
    ("descriptor_set", "google.protobuf.FileDescriptorSet", 1, 280_140, 0x322b_7b2e_1cb5_6ec4),
    ("descriptor_set_src", "google.protobuf.FileDescriptorSet", 1, 763_595, 0x1774_f66b_9b4a_9b6b),
    ("google_message1_proto3", "benchmarks.proto3.GoogleMessage1", 1, 235, 0xf953_f0d7_1b02_82aa),
    ("log_record", "bench.LogRecord", 50, 27_391, 0xe0ff_3113_08b4_9494),
    ("media_frame", "bench.MediaFrame", 50, 544_409, 0xa0f1_d27f_32f3_e7eb),
    ("mesh", "bench.TriMesh", 50, 896_000, 0xd68e_3f88_3600_074e),
    ("packed_signed", "bench.PackedSigned", 50, 70_780, 0x82cf_1c8a_647b_3896),
    ("packed_tile", "bench.PackedTile", 50, 285_099, 0xfde8_4731_d39a_b3b4),
    ("shape_big", "gobshape.Big", 50, 51_890, 0xd7bf_f984_b498_907f),
    ("shape_huge", "gobshape.Huge", 4, 482_870, 0xd15e_54a9_1ae0_b6ac),
    ("shape_map_heavy", "gobshape.MapHeavy", 1, 5_155_241, 0x9457_0646_98fa_8ee0),
    ("shape_medium", "gobshape.Medium", 100, 14_083, 0xdc6a_d061_4cc5_4410),
    ("shape_tiny", "gobshape.Tiny", 200, 5_895, 0x2050_bc0c_72e3_2709),
];

fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn pool() -> Pool {
    Pool::from_descriptor_set(&read(&Path::new(SAMPLE).join("schemas.fds"))).unwrap()
}

/// A data set: the name of its type, and its payloads.
fn load(pool: &Pool, path: &Path) -> (String, Vec<Vec<u8>>) {
    #[derive(serde::Deserialize)]
    struct File {
        name: String,
        message_name: String,
        payload: Vec<bytes::Bytes>,
    }
    let file: File = pool.message("benchmarks.BenchmarkDataset").unwrap().decode(&read(path)).unwrap();
    assert_eq!(Some(&*file.name), path.file_stem().and_then(|name| name.to_str()));
    (file.message_name, file.payload.iter().map(|bytes| bytes.to_vec()).collect())
}

fn files() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(SAMPLE).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = entries.filter(|path| path.extension().is_some_and(|end| end == "pb")).collect();
    files.sort();
    files
}

/// FNV-1a.
fn hash(payloads: &[Vec<u8>]) -> u64 {
    payloads.iter().flatten().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[test]
fn the_data_are_the_same_in_each_build() {
    let pool = pool();
    let found: Vec<Row> = files()
        .iter()
        .map(|path| {
            let (message, payloads) = load(&pool, path);
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            (name, message, payloads.len(), payloads.iter().map(Vec::len).sum(), hash(&payloads))
        })
        .collect();
    let expected: Vec<Row> = SETS
        .iter()
        .map(|&(name, message, count, size, hash)| (name.into(), message.into(), count, size, hash))
        .collect();
    assert_eq!(found, expected, "{found:#?}");
}

#[test]
fn every_message_reads_back_to_the_same_bytes() {
    let pool = pool();
    for path in files() {
        let (message, payloads) = load(&pool, &path);
        let descriptor = pool.message(&message).unwrap();
        for bytes in &payloads {
            let message = DynamicMessage::decode(&descriptor, bytes).unwrap();
            let back = EncodeOptions::new().deterministic(true).to_vec(&message).unwrap();
            assert_eq!(&back, bytes, "{}", path.display());
        }
    }
}
