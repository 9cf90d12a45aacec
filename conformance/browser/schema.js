// The schema of a server, as its reflection service tells it. A gateway takes that call by gRPC-Web, so that fetch is enough.

import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

/** The files of the given names of services and messages, with all that they import: encoded FileDescriptorProtos. */
export async function filesOf(url, symbols) {
  const files = new Map();
  for (const symbol of symbols) {
    await add(files, url, [4, symbol]);
  }
  return [...files.values()];
}

/** Asks for one file, by field 3 (its name) or field 4 (what it contains) of `ServerReflectionRequest`. */
async function add(files, url, [field, name]) {
  for (const bytes of await ask(url, field, name)) {
    const { file, imports } = parse(bytes);
    if (files.has(file)) {
      continue;
    }
    for (const path of imports) {
      if (!files.has(path)) {
        await add(files, url, [3, path]);
      }
    }
    // After its imports, as in every descriptor set.
    files.set(file, bytes);
  }
}

async function ask(url, field, name) {
  const message = new BinaryWriter().tag(field, WireType.LengthDelimited).string(name).finish();
  const frame = new Uint8Array(5 + message.length);
  new DataView(frame.buffer).setUint32(1, message.length);
  frame.set(message, 5);
  const response = await fetch(`${url}/grpc.reflection.v1.ServerReflection/ServerReflectionInfo`, {
    method: "POST",
    headers: { "content-type": "application/grpc-web+proto" },
    body: frame,
  });
  const body = new Uint8Array(await response.arrayBuffer());
  const length = new DataView(body.buffer).getUint32(1);
  // `file_descriptor_response` is field 4 of `ServerReflectionResponse`, and its field 1 has the files.
  const answers = fields(body.subarray(5, 5 + length)).filter(([field]) => field === 4);
  const found = answers.flatMap(([, answer]) => fields(answer)).filter(([field]) => field === 1);
  if (found.length === 0) {
    throw new Error(`the server does not tell about ${name}`);
  }
  return found.map(([, bytes]) => bytes);
}

/** Name and imports: fields 1 and 3 of `FileDescriptorProto`. */
function parse(bytes) {
  const text = (bytes) => new TextDecoder().decode(bytes);
  const all = fields(bytes);
  const [[, file]] = all.filter(([field]) => field === 1);
  return { file: text(file), imports: all.filter(([field]) => field === 3).map(([, path]) => text(path)) };
}

/** The fields of a message that have a length. */
function fields(bytes) {
  const reader = new BinaryReader(bytes);
  const found = [];
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (type === WireType.LengthDelimited) {
      found.push([field, reader.bytes()]);
    } else {
      reader.skip(type, field);
    }
  }
  return found;
}
