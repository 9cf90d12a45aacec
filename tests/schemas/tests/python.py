"""Reads the JSON and the text of every payload of a data set, and writes its own, with Python's protobuf.

python.py SCHEMAS.fds MESSAGE PAYLOADS JSON_IN JSON_OUT TEXT_IN TEXT_OUT: the files after MESSAGE hold records of a
length (u32 LE) and bytes.
"""
import struct, sys
from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory, text_format

schemas, name, payloads, json_in, json_out, text_in, text_out = sys.argv[1:]
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


def check(inputs, output, kind, read, write):
    out = open(output, "wb")
    for i, (payload, text) in enumerate(zip(records(payloads), records(inputs), strict=True)):
        message = cls.FromString(payload)
        message.DiscardUnknownFields()
        # Compared as bytes: a NaN is equal to itself there.
        if read(text.decode()).SerializeToString(deterministic=True) != message.SerializeToString(deterministic=True):
            sys.exit(f"{name} [{i}]: the {kind} says something else than the payload: {text[:300]!r}")
        written = write(message).encode()
        out.write(struct.pack("<I", len(written)) + written)


check(
    json_in, json_out, "JSON",
    lambda text: json_format.Parse(text, cls(), descriptor_pool=pool),
    lambda message: json_format.MessageToJson(message, descriptor_pool=pool),
)
check(
    text_in, text_out, "text",
    lambda text: text_format.Parse(text, cls(), descriptor_pool=pool),
    lambda message: text_format.MessageToString(message, descriptor_pool=pool),
)
