//! Files that are written out: what every package uses, recursion, proto2.

use super::Context;
use super::source::Source;

/// Types that other packages import.
pub fn common(context: &mut Context) -> Source {
    let mut source = Source::new("proto3", "acme.common.v1", "common");
    source.import("google/protobuf/any.proto");
    source.import("google/protobuf/struct.proto");
    source.messages = COMMON_MESSAGES.len();
    COMMON.lines().for_each(|line| source.line(line));
    context.messages.extend(COMMON_MESSAGES.iter().map(|name| source.own_type(name)));
    context.enums.extend(["Code", "Weekday"].map(|name| source.own_type(name)));
    source
}

/// Messages that contain themselves, directly and by way of others, in every kind of field.
pub fn tree() -> Source {
    let mut source = Source::new("proto3", "acme.tree.v1", "tree");
    source.messages = 8;
    TREE.lines().for_each(|line| source.line(line));
    source
}

/// proto2: required fields, defaults, closed enums, explicit packing.
pub fn legacy() -> Source {
    let mut source = Source::new("proto2", "acme.legacy.v1", "legacy");
    source.messages = 5;
    LEGACY.lines().for_each(|line| source.line(line));
    source
}

const COMMON_MESSAGES: &[&str] =
    &["Money", "LatLng", "PostalAddress", "TimeOfDay", "Status", "Fraction", "Color", "Nothing"];

const COMMON: &str = r#"
// The outcome of a call.
enum Code {
  CODE_UNSPECIFIED = 0;
  CODE_CANCELLED = 1;
  CODE_NOT_FOUND = 5;
  CODE_INTERNAL = 13;
}

enum Weekday {
  WEEKDAY_UNSPECIFIED = 0;
  WEEKDAY_MONDAY = 1;
  WEEKDAY_FRIDAY = 5;
  WEEKDAY_SUNDAY = 7;
}

// An amount of a currency.
message Money {
  string currency_code = 1;
  int64 units = 2;
  sint32 nanos = 3;
}

message LatLng {
  double latitude = 1;
  double longitude = 2;
}

message PostalAddress {
  int32 revision = 1;
  string region_code = 2;
  string postal_code = 4;
  repeated string address_lines = 9;
  repeated string recipients = 10;
  optional string organization = 11;
}

message TimeOfDay {
  int32 hours = 1;
  int32 minutes = 2;
  int32 seconds = 3;
  repeated Weekday days = 4;
}

// An error, with details of any type.
message Status {
  Code code = 1;
  string message = 2;
  repeated google.protobuf.Any details = 3;
  google.protobuf.Struct context = 4;
}

message Fraction {
  sint64 numerator = 1;
  fixed64 denominator = 2;
}

message Color {
  float red = 1;
  float green = 2;
  float blue = 3;
  optional float alpha = 4;
}

message Nothing {}
"#;

const TREE: &str = r#"
// A node of a tree.
message Node {
  string name = 1;
  Node parent = 2;
  repeated Node children = 3;
  map<string, Node> named = 4;
  oneof content {
    Node link = 5;
    Leaf leaf = 6;
    bytes blob = 7;
  }
}

message Leaf {
  map<int64, double> samples = 1;
  repeated sfixed32 packed = 2;
  repeated bool flags = 3 [packed = false];
}

// An expression calls functions, whose arguments are expressions.
message Expression {
  oneof term {
    int64 number = 1;
    string variable = 2;
    Call call = 3;
    Lambda lambda = 4;
  }
}

message Call {
  string function = 1;
  repeated Expression arguments = 2;
  Expression receiver = 3;
}

message Lambda {
  message Parameter {
    string name = 1;
    Expression default_value = 2;
  }
  repeated Parameter parameters = 1;
  Expression body = 2;
  map<string, Expression> captured = 3;
}

// Lists of numbers of every kind.
message Columns {
  repeated int32 ids = 1;
  repeated int64 times = 2;
  repeated uint32 counts = 3;
  repeated uint64 totals = 4;
  repeated sint32 steps = 5;
  repeated sint64 changes = 6;
  repeated fixed32 checksums = 7;
  repeated fixed64 keys = 8;
  repeated sfixed32 shifts = 9;
  repeated sfixed64 offsets = 10;
  repeated float weights = 11;
  repeated double samples = 12;
}

message Forest {
  map<uint32, Node> roots = 1;
  map<bool, Forest> sections = 2;
  Columns columns = 3;
}
"#;

const LEGACY: &str = r#"
enum Flavor {
  FLAVOR_PLAIN = 1;
  FLAVOR_SWEET = 2;
  FLAVOR_SOUR = 7;
}

// A record of the old service.
message Record {
  required string id = 1;
  required int32 revision = 2;
  optional string owner = 3 [default = "nobody"];
  optional int32 size = 4 [default = -1];
  optional double ratio = 5 [default = 0.5];
  optional bool enabled = 6 [default = true];
  optional Flavor flavor = 7 [default = FLAVOR_SWEET];
  optional bytes magic = 8 [default = "\001magic"];
  repeated int32 offsets = 9 [packed = true];
  repeated int32 loose = 10;
  required Origin origin = 11;
  message Origin {
    required string host = 1;
    optional uint32 port = 2 [default = 443];
  }
}

message Batch {
  repeated Record records = 1;
  optional Record header = 2;
  repeated Flavor flavors = 3;
  optional float weight = 4;
}

message Query {
  required string text = 1;
  optional uint64 limit = 2 [default = 100];
  oneof position {
    string cursor = 3;
    sint64 offset = 4;
  }
}

message Answer {
  required Batch batch = 1;
  optional string cursor = 2;
  optional fixed32 checksum = 3;
}
"#;
