"""Reads a described stream, by the page of its format alone, and writes each message as JSON on a line.

read.py STREAM: needs Python's protobuf.
"""
import struct, sys, zlib
from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory

TABLE = []
for byte in range(256):
    for _ in range(8):
        byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
    TABLE.append(byte)


def checksum(data):
    value = 0xFFFFFFFF
    for byte in data:
        value = value >> 8 ^ TABLE[(value ^ byte) & 255]
    return value ^ 0xFFFFFFFF


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 128:
            return value, at


def fields(data):
    """The length-delimited fields of a message that has no others."""
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        assert tag & 7 == 2
        size, at = varint(data, at)
        yield tag >> 3, data[at:at + size]
        at += size


assert checksum(b"123456789") == 0xE3069283
stream = open(sys.argv[1], "rb")
prefix = stream.read(32)
assert prefix[:12] == b"\x89TOBU\r\n\x1a\x01\0\0\0"
assert checksum(prefix[:28]) == struct.unpack("<I", prefix[28:])[0]
marker = prefix[12:28]
pool, types, count = descriptor_pool.DescriptorPool(), [], 0
while True:
    header = stream.read(48)
    assert header[:16] == marker
    assert checksum(header[:44]) == struct.unpack("<I", header[44:])[0]
    kind, compression, flags, stored, length, first, number, total = struct.unpack("<BBHIIQII", header[16:44])
    assert flags == 0
    content = stream.read(stored)
    assert len(content) == stored and checksum(content) == total
    if compression == 1:
        content = zlib.decompress(content, zlib.MAX_WBITS | 16)
    else:
        assert compression == 0
    assert len(content) == length
    if kind == 1:
        assert first == len(types)
        for field, value in fields(content):
            if field == 1:
                pool.Add(descriptor_pb2.FileDescriptorProto.FromString(value))
            elif field == 2:
                types.append(message_factory.GetMessageClass(pool.FindMessageTypeByName(value.decode())))
        assert len(types) == first + number
    elif kind == 2:
        assert first == count
        at = 0
        for _ in range(number):
            index, at = varint(content, at)
            size, at = varint(content, at)
            message = types[index].FromString(content[at:at + size])
            # The schema has all that is in the message.
            assert message.ByteSize() == size
            text = json_format.MessageToJson(message, indent=None, sort_keys=True, descriptor_pool=pool)
            print(f"{message.DESCRIPTOR.full_name} {text}")
            at += size
        assert at == len(content)
        count += number
    elif kind == 3:
        assert (first, number, stored) == (count, len(types), 0)
        break
    else:
        assert kind >= 128
assert stream.read() == b""
