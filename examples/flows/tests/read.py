"""Reads a stream of flows.Record with the descriptor set of its schema, and prints what is in it."""

import collections
import pathlib
import sys

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

schema, stream = (pathlib.Path(path).read_bytes() for path in sys.argv[1:])
pool = descriptor_pool.DescriptorPool()
for file in descriptor_pb2.FileDescriptorSet.FromString(schema).file:
    pool.Add(file)
Record = message_factory.GetMessageClass(pool.FindMessageTypeByName("flows.Record"))

records = total = at = 0
columns = collections.Counter()
while at < len(stream):
    length = shift = 0
    while True:
        byte = stream[at]
        length |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            break
    record = Record.FromString(stream[at : at + length])
    at += length
    records += 1
    total += record.bytes
    columns.update(field.name for field, _ in record.ListFields())
print(f"{records} records, {total} bytes")
for column, count in sorted(columns.items()):
    print(column, count)
