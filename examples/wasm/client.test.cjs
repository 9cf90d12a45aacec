// The client in WebAssembly calls examples/gateway over HTTP/1.1.

const assert = require("node:assert/strict");
const { spawn } = require("node:child_process");
const { once } = require("node:events");
const { createInterface } = require("node:readline");
const { after, before, test } = require("node:test");

const { Library } = require(process.env.CLIENT);

let gateway, library;

before(async () => {
  gateway = spawn(process.env.GATEWAY, ["--address", "127.0.0.1:0"], { stdio: ["ignore", "pipe", "ignore"] });
  const [line] = await once(createInterface(gateway.stdout), "line");
  library = new Library(`http://${/^listening on (?:http:\/\/)?([^,]+),/.exec(line)[1]}`);
});

after(() => gateway.kill());

test("unary calls and streams", async () => {
  await library.add("fiction", ["Dune", "Emma"]);
  assert.equal(await library.title("shelves/fiction/books/dune"), "Dune");
  assert.deepEqual(await library.titles("fiction"), ["Dune", "Emma"]);
});

test("errors", async () => {
  await assert.rejects(library.title("shelves/fiction/books/ulysses"), { message: /not found/ });
  const nobody = new Library("http://127.0.0.1:1");
  await assert.rejects(nobody.title("shelves/fiction/books/dune"), { message: /fetch failed/ });
});
