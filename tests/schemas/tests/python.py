"""Reads the JSON of every payload of a data set, and writes JSON of its own, with Python's protobuf.

python.py SCHEMAS.fds MESSAGE PAYLOADS JSON_IN JSON_OUT: the last three hold records of a length (u32 LE) and bytes.
"""
import struct, sys
from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory

schemas, name, payloads, json_in, json_out = sys.argv[1:]
files = descriptor_pb2.FileDescriptorSet()
files.ParseFromString(open(schemas, "rb").read())
pool = descriptor_pool.DescriptorPool()
for file in files.file:
    pool.Add(file)
cls = message_factory.GetMessageClass(pool.FindMessageTypeByName(name))


def records(path):
    data, at = open(path, "rb").read(), 0
    while at < len(data):
        (size,) = struct.unpack_from("<I", data, at)
        yield data[at + 4:at + 4 + size]
        at += 4 + size


out = open(json_out, "wb")
for i, (payload, text) in enumerate(zip(records(payloads), records(json_in), strict=True)):
    message = cls.FromString(payload)
    message.DiscardUnknownFields()
    read = json_format.Parse(text.decode(), cls(), descriptor_pool=pool)
    # Compared as bytes: a NaN is equal to itself there.
    if read.SerializeToString(deterministic=True) != message.SerializeToString(deterministic=True):
        sys.exit(f"{name} [{i}]: the JSON says something else than the payload: {text[:300]!r}")
    written = json_format.MessageToJson(message, descriptor_pool=pool).encode()
    out.write(struct.pack("<I", len(written)) + written)
