"""Answers for Python's protobuf; the frames are described in src/exchange.rs."""
import struct
import sys

from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory, text_format
from google.protobuf.internal import api_implementation

assert api_implementation.Type() == "upb", api_implementation.Type()

WIRE, JSON, TEXT = range(3)


def load(frame):
    """The pool and the message classes of a schema."""
    (count,), at = struct.unpack_from("<I", frame, 1), 5
    names = []
    for _ in range(count):
        (size,) = struct.unpack_from("<I", frame, at)
        names.append(frame[at + 4:at + 4 + size].decode())
        at += 4 + size
    pool = descriptor_pool.DescriptorPool()
    for file in descriptor_pb2.FileDescriptorSet.FromString(frame[at:]).file:
        pool.Add(file)
    return pool, [message_factory.GetMessageClass(pool.FindMessageTypeByName(name)) for name in names]


def read(pool, cls, form, data):
    if form == WIRE:
        message = cls.FromString(data)
    elif form == JSON:
        message = json_format.Parse(data.decode(), cls(), descriptor_pool=pool)
    else:
        message = text_format.Parse(data.decode(), cls(), descriptor_pool=pool)
    if not message.IsInitialized():
        # Which ones is not asked: upb 7.36 crashes on `FindInitializationErrors` where one is missing in an extension.
        raise ValueError("required fields are missing")
    return message


def write(pool, message, form):
    if form == WIRE:
        return b""
    if form == JSON:
        return json_format.MessageToJson(message, descriptor_pool=pool, indent=None).encode()
    return text_format.MessageToString(message, descriptor_pool=pool).encode()


def outcome(out, verb):
    """Appends what came of a call, which is returned where it was one."""
    try:
        done = verb()
        data = done if isinstance(done, bytes) else done.SerializeToString(deterministic=True)
    except Exception as error:
        done, data = None, f"{type(error).__name__}: {error}".encode("utf-8", "replace")
    out += struct.pack("<BI", done is not None, len(data)) + data
    return done


def answers(pool, classes, frame):
    out, at = bytearray(), 1
    while at < len(frame):
        kind, reads, writes, size = struct.unpack_from("<BBBI", frame, at)
        data = frame[at + 7:at + 7 + size]
        at += 7 + size
        message = outcome(out, lambda: read(pool, classes[kind], reads, data))
        if message is not None:
            outcome(out, lambda: write(pool, message, writes))
    return out


def main():
    pool, classes = None, []
    while header := sys.stdin.buffer.read(4):
        frame = sys.stdin.buffer.read(*struct.unpack("<I", header))
        if frame[0] == 0:
            answer = b""
            try:
                pool, classes = load(frame)
            except Exception as error:
                answer = f"{type(error).__name__}: {error}".encode()
        else:
            answer = answers(pool, classes, frame)
        sys.stdout.buffer.write(struct.pack("<I", len(answer)) + answer)
        sys.stdout.buffer.flush()


main()
