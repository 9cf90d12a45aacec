// Clients of Connect and gRPC-Web in headless Chromium call tobu-gateway, which stands in front of examples/gateway. Their page
// comes from another port, so that each call crosses origins.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";
import { chromium } from "playwright-core";

import { filesOf } from "./schema.js";

const { CHROMIUM, EXAMPLE, GATEWAY } = process.env;
const ends = [];
let gateway, files, allowed, refused;

/** Starts a program whose first line says where it listens. */
async function start(program, args) {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "ignore"] });
  ends.push(() => child.kill());
  for await (const line of createInterface(child.stdout)) {
    const address = /^listening on (?:http:\/\/)?([^,]+),/.exec(line)?.[1];
    assert.ok(address, `${program} says ${line}`);
    return `http://${address}`;
  }
  throw new Error(`${program} does not listen`);
}

/** Serves a page with the script, on a port of its own. */
async function origin(script) {
  const server = createServer((request, response) => {
    const isScript = request.url === "/page.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    response.end(isScript ? script : "<!doctype html><script src=/page.js></script>");
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  ends.push(() => server.close());
  return `http://127.0.0.1:${server.address().port}`;
}

before(async () => {
  const bundle = { entryPoints: [fileURLToPath(new URL("page.js", import.meta.url))], bundle: true, write: false };
  const script = (await build({ ...bundle, format: "iife", logLevel: "warning" })).outputFiles[0].text;
  const origins = [await origin(script), await origin(script)];
  const folder = await mkdtemp(join(tmpdir(), "tobu-browser-"));
  ends.push(() => rm(folder, { recursive: true }));
  const upstream = await start(EXAMPLE, ["--address", "127.0.0.1:0", "--rate", "10000"]);
  const config = join(folder, "gateway.toml");
  await writeFile(
    config,
    `listen = "127.0.0.1:0"\n[upstream]\nurl = "${upstream}"\n[cors]\norigins = ["${origins[0]}"]\n`,
  );
  gateway = await start(GATEWAY, ["--config", config]);
  const names = ["library.v1.Library", "google.rpc.BadRequest", "google.rpc.Status"];
  files = (await filesOf(gateway, names)).map((bytes) => Buffer.from(bytes).toString("base64"));
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  ends.push(() => browser.close());
  [allowed, refused] = await Promise.all(origins.map(async (url) => {
    const page = await browser.newPage();
    await page.goto(url);
    return page;
  }));
});

after(async () => {
  for (const end of ends.reverse()) {
    await end();
  }
});

/** Makes calls in a page; what came, and the requests that the browser sent for it but for those of CORS itself. */
async function run(page, kind, calls) {
  const sent = [];
  const note = (request) => {
    if (request.method() !== "OPTIONS") {
      sent.push(`${request.method()} ${request.headers()["content-type"] ?? "-"}`);
    }
  };
  page.on("request", note);
  const found = await page.evaluate((args) => window.run(...args), [gateway, files, kind, calls]);
  page.off("request", note);
  return { found, sent };
}

// What each client sends for a unary call that changes something, one that does not, and a stream.
const CLIENTS = {
  "Connect, JSON": ["POST application/json", "POST application/json", "POST application/connect+json"],
  "Connect, JSON by GET": ["POST application/json", "GET -", "POST application/connect+json"],
  "Connect, binary": ["POST application/proto", "POST application/proto", "POST application/connect+proto"],
  "gRPC-Web by connect-es": Array(3).fill("POST application/grpc-web+proto"),
  "gRPC-Web by grpc-web": Array(3).fill("POST application/grpc-web-text"),
  "gRPC-Web by grpc-web, binary": Array(3).fill("POST application/grpc-web+proto"),
};

let number = 0;
for (const [kind, [change, read, stream]] of Object.entries(CLIENTS)) {
  test(kind, async () => {
    number += 1;
    const name = `shelves/shelf-${number}`;
    const shelf = { name, theme: "Fiction \u{1f4d6}" };
    const books = ["dune", "emma", "ulysses"].map((id) => ({ name: `${name}/books/${id}`, title: `The book ${id}`, pages: 412 }));
    const create = books.map((book) => {
      const { title, pages } = book;
      return ["createBook", { parent: name, bookId: book.name.split("/").at(-1), book: { title, pages } }];
    });
    const { found, sent } = await run(allowed, kind, [
      ["createShelf", { shelf }],
      ...create,
      ["getBook", { name: books[1].name }],
      ["streamBooks", { parent: name }],
      ["streamBooks", { parent: "shelves/lost" }],
      ["createShelf", {}],
      ["getBook", { name: `${name}/books/lost` }],
    ]);
    const wrong = { field: "shelf", description: "it is not set" };
    assert.deepEqual(found, [
      [shelf],
      ...books.map((book) => [book]),
      [books[1]],
      books,
      { code: "NotFound", message: "there is no shelves/lost", details: [] },
      {
        code: "InvalidArgument",
        message: "shelf is not set",
        details: [{ "@type": "type.googleapis.com/google.rpc.BadRequest", fieldViolations: [wrong] }],
      },
      { code: "NotFound", message: `there is no ${name}/books/lost`, details: [] },
    ]);
    assert.deepEqual(sent, [change, change, change, change, read, stream, stream, change, read]);
  });
}

test("pages of other origins are refused", async () => {
  for (const kind of Object.keys(CLIENTS)) {
    const { found } = await run(refused, kind, [["getBook", { name: "shelves/shelf-1/books/dune" }]]);
    assert.equal(found[0].code, "Unknown", kind);
  }
});
