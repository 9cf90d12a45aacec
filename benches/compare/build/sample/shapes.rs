//! The sets, and what the values of their fields are like.

use super::Set;

/// The distribution of a field's values.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    /// In how many of a hundred messages the field is set.
    pub(super) chance: usize,
    /// Elements of a list or a map, at least and at most.
    pub(super) count: (usize, usize),
    /// Letters of a string, bytes of a byte string, or bits of a whole number behind its first, at least and at most.
    pub(super) size: (usize, usize),
    /// How many of a hundred words are not ASCII.
    pub(super) foreign: usize,
    /// Whole numbers are less than zero.
    pub(super) negative: bool,
}

/// The shape of all other fields.
pub(super) const ANY: Shape =
    Shape { chance: 100, count: (2, 5), size: (4, 18), foreign: 0, negative: false };

/// Fields of `gobshape`.
const SHAPE: Shape = Shape { foreign: 5, ..ANY };

impl Shape {
    const fn chance(self, chance: usize) -> Self {
        Shape { chance, ..self }
    }

    const fn count(self, least: usize, most: usize) -> Self {
        Shape { count: (least, most), ..self }
    }

    pub(super) const fn size(self, least: usize, most: usize) -> Self {
        Shape { size: (least, most), ..self }
    }

    const fn negative(self) -> Self {
        Shape { negative: true, ..self }
    }
}

/// All sets but those of descriptors. Their order is that of their seeds.
pub(super) const SETS: &[Set] = &[
    Set { name: "api_response", message: "bench.ApiResponse", payloads: 50 },
    Set { name: "log_record", message: "bench.LogRecord", payloads: 50 },
    Set { name: "analytics_event", message: "bench.AnalyticsEvent", payloads: 50 },
    Set { name: "google_message1_proto3", message: "benchmarks.proto3.GoogleMessage1", payloads: 1 },
    Set { name: "media_frame", message: "bench.MediaFrame", payloads: 50 },
    Set { name: "mesh", message: "bench.TriMesh", payloads: 50 },
    Set { name: "packed_tile", message: "bench.PackedTile", payloads: 50 },
    Set { name: "packed_signed", message: "bench.PackedSigned", payloads: 50 },
    Set { name: "column_batch", message: "bench.ColumnBatch", payloads: 50 },
    Set { name: "shape_tiny", message: "gobshape.Tiny", payloads: 200 },
    Set { name: "shape_medium", message: "gobshape.Medium", payloads: 100 },
    Set { name: "shape_big", message: "gobshape.Big", payloads: 50 },
    Set { name: "shape_huge", message: "gobshape.Huge", payloads: 4 },
    Set { name: "shape_map_heavy", message: "gobshape.MapHeavy", payloads: 1 },
];

/// By the name of a field, of a message or of a package.
pub(super) const SHAPES: &[(&str, Shape)] = &[
    ("bench.ApiResponse.call", ANY.size(20, 40)),
    ("bench.ApiResponse.reason", ANY.size(4, 60)),
    ("bench.ApiResponse.span", ANY.chance(50).size(16, 32)),
    ("bench.ApiResponse.try_again_ms", ANY.chance(30)),
    ("bench.ApiResponse.hints", ANY.count(0, 6)),
    ("bench.LogRecord.logged_at", ANY.size(60, 60)),
    ("bench.LogRecord.text", ANY.size(60, 300)),
    ("bench.LogRecord.fields", ANY.count(3, 12).size(8, 32)),
    ("bench.LogRecord.trace", ANY.size(32, 32)),
    ("bench.LogRecord.span", ANY.size(16, 16)),
    ("bench.LogRecord.origin", ANY.chance(80)),
    ("bench.LogRecord.Origin.path", ANY.size(20, 60)),
    ("bench.AnalyticsEvent.key", ANY.size(32, 32)),
    ("bench.AnalyticsEvent.happened_at", ANY.size(40, 40)),
    ("bench.AnalyticsEvent.facts", ANY.count(4, 10)),
    ("bench.AnalyticsEvent.groups", ANY.count(1, 6)),
    ("bench.AnalyticsEvent.Group.facts", ANY.count(3, 8)),
    ("bench.AnalyticsEvent.Group.groups", ANY.count(0, 4)),
    ("benchmarks.proto3.GoogleMessage1", ANY.chance(80).count(1, 3).size(3, 13)),
    ("benchmarks.proto3.GoogleMessage1SubMessage", ANY.chance(80).size(3, 13)),
    ("bench.MediaFrame.shown_at", ANY.size(60, 60)),
    ("bench.MediaFrame.picture", ANY.size(2_000, 8_000)),
    ("bench.MediaFrame.layers", ANY.count(1, 5).size(500, 2_000)),
    ("bench.MediaFrame.extras", ANY.count(1, 5).size(200, 800)),
    ("bench.TriMesh.triangles", ANY.count(256, 256)),
    ("bench.PackedTile.features", ANY.count(54, 57)),
    ("bench.PackedTile.Feature.outline", ANY.count(8, 16).size(1, 13)),
    ("bench.PackedTile.Feature.heights", ANY.count(4, 8)),
    ("bench.PackedTile.Feature.anchors", ANY.count(4, 8)),
    ("bench.PackedTile.digests", ANY.count(8, 8).size(50, 63)),
    ("bench.PackedSigned.steps", ANY.count(50, 90).negative()),
    ("bench.PackedSigned.long_steps", ANY.count(50, 90).size(4, 40).negative()),
    ("bench.ColumnBatch.names", ANY.count(64, 64)),
    ("bench.ColumnBatch.name_indices", ANY.count(1_000, 1_000).size(0, 5)),
    ("bench.ColumnBatch.instants", ANY.count(1_000, 1_000).size(60, 60)),
    ("bench.ColumnBatch.prices", ANY.count(1_000, 1_000)),
    ("bench.ColumnBatch.shares", ANY.count(1_000, 1_000)),
    ("gobshape", SHAPE),
    ("gobshape.Part", SHAPE.count(1, 3).size(4, 10)),
    ("gobshape.Site", SHAPE.size(3, 11)),
    ("gobshape.Tiny.label", SHAPE.size(8, 20)),
    ("gobshape.Medium.owner", SHAPE.size(12, 30)),
    ("gobshape.Medium.icon", SHAPE.size(16, 48)),
    ("gobshape.Medium.made_at", SHAPE.size(30, 40)),
    ("gobshape.Big.mail", SHAPE.size(16, 32)),
    ("gobshape.Big.remarks", SHAPE.size(60, 240)),
    ("gobshape.Big.icon", SHAPE.size(32, 96)),
    ("gobshape.Big.seal", SHAPE.size(32, 64)),
    ("gobshape.Big.parts", SHAPE.count(1, 3)),
    ("gobshape.Big.grades", SHAPE.count(4, 12).size(1, 10)),
    ("gobshape.Big.readings", SHAPE.count(4, 12)),
    ("gobshape.Big.rank", SHAPE.chance(50)),
    ("gobshape.Big.alias", SHAPE.chance(50)),
    ("gobshape.Huge.parts", SHAPE.count(1_000, 1_000)),
    ("gobshape.MapHeavy.people", SHAPE.count(5_000, 5_000)),
];
