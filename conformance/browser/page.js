// What runs in the page: the same calls by each client. `run` gives what came, as JSON.

import { createFileRegistry, create, fromBinary, fromJson, toBinary, toJson } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcWebTransport } from "@connectrpc/connect-web";
import { GrpcWebClientBase, MethodDescriptor, MethodType } from "grpc-web";

const bytesOf = (base64) => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));

/** The types of a schema, without generated code. */
function registryOf(files) {
  const file = files.map((base64) => fromBinary(FileDescriptorProtoSchema, bytesOf(base64)));
  return createFileRegistry(create(FileDescriptorSetSchema, { file }));
}

/** Connect and gRPC-Web by connect-es. */
function connectEs(registry, service, transport) {
  const client = createClient(service, transport);
  const failed = (error) => {
    const { code, rawMessage } = ConnectError.from(error);
    const details = ConnectError.from(error).details.map(({ type, value }) => detail(registry, type, value));
    return { code: Code[code], message: rawMessage, details };
  };
  return {
    async call(method, request) {
      const { localName, input, output } = service.method[method];
      try {
        const response = client[localName](fromJson(input, request, { registry }));
        const messages = [];
        for await (const message of localName === "streamBooks" ? response : [await response]) {
          messages.push(toJson(output, message, { registry }));
        }
        return messages;
      } catch (error) {
        return failed(error);
      }
    },
  };
}

/** gRPC-Web by grpc-web. */
function grpcWeb(registry, service, url, format) {
  const client = new GrpcWebClientBase({ format });
  const failed = (error) => {
    const bytes = error.metadata?.["grpc-status-details-bin"];
    const status = registry.getMessage("google.rpc.Status");
    const details = bytes ? toJson(status, fromBinary(status, bytesOf(bytes)), { registry }).details : [];
    const name = Code[error.code];
    return { code: name, message: error.message, details };
  };
  return {
    call(method, request) {
      const { localName, name, input, output } = service.method[method];
      const isStream = localName === "streamBooks";
      const described = new MethodDescriptor(
        `/${service.typeName}/${name}`,
        isStream ? MethodType.SERVER_STREAMING : MethodType.UNARY,
        Object,
        Object,
        (message) => toBinary(input, message),
        (bytes) => fromBinary(output, bytes),
      );
      const path = `${url}/${service.typeName}/${name}`;
      const message = fromJson(input, request, { registry });
      return new Promise((done) => {
        const messages = [];
        const add = (response) => messages.push(toJson(output, response, { registry }));
        if (isStream) {
          const stream = client.serverStreaming(path, message, {}, described);
          stream.on("data", add);
          stream.on("error", (error) => done(failed(error)));
          stream.on("end", () => done(messages));
        } else {
          client.rpcCall(path, message, {}, described, (error, response) => {
            if (error) {
              done(failed(error));
            } else {
              add(response);
              done(messages);
            }
          });
        }
      });
    },
  };
}

function detail(registry, type, value) {
  const schema = registry.getMessage(type);
  return { "@type": `type.googleapis.com/${type}`, ...toJson(schema, fromBinary(schema, value), { registry }) };
}

/** Makes calls by one client, one after the other: `[method, request]`. */
window.run = async (url, files, kind, calls) => {
  const registry = registryOf(files);
  const service = registry.getService("library.v1.Library");
  const connect = (options) =>
    connectEs(registry, service, createConnectTransport({ baseUrl: url, jsonOptions: { registry }, ...options }));
  const clients = {
    "Connect, JSON": () => connect({}),
    "Connect, JSON by GET": () => connect({ useHttpGet: true }),
    "Connect, binary": () => connect({ useBinaryFormat: true }),
    "gRPC-Web by connect-es": () => connectEs(registry, service, createGrpcWebTransport({ baseUrl: url })),
    "gRPC-Web by grpc-web": () => grpcWeb(registry, service, url, "text"),
    "gRPC-Web by grpc-web, binary": () => grpcWeb(registry, service, url, "binary"),
  };
  const client = clients[kind]();
  const results = [];
  for (const [method, request] of calls) {
    results.push(await client.call(method, request));
  }
  return results;
};
