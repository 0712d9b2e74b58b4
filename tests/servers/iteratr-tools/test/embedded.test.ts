/** The embedded server: its life, its sessions, and what it refuses. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, test } from "node:test";
import { IteratrTools } from "iteratr-tools";
import { ENTRY, overHttp, overStdio, withServer, withSession } from "./clients.js";

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
};
const HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };

describe("life", () => {
  test("start gives the port, url names it, and starting again changes nothing", () =>
    withServer(async (tools) => {
      const port = await tools.start();
      assert.equal(tools.url(), `http://127.0.0.1:${port}/mcp`);
      assert.deepEqual(tools.acpServer(), { type: "http", name: "iteratr-tools", url: tools.url(), headers: [] });
    }));

  test("stop is idempotent, ends open streams, and the tracker can start again", async () => {
    const tools = new IteratrTools({ session: "life", memory: true });
    await tools.stop();
    await tools.start();
    const url = tools.url();
    const begun = await fetch(url, { method: "POST", headers: HEADERS, body: JSON.stringify(INITIALIZE) });
    const session = { ...HEADERS, "mcp-session-id": begun.headers.get("mcp-session-id") ?? "" };
    await begun.text();
    const stream = await fetch(url, { headers: session });
    assert.equal(stream.status, 200);
    const end = stream.text().then(
      () => "ended",
      () => "ended",
    );
    await Promise.all([tools.stop(), tools.stop()]);
    await tools.stop();
    assert.equal(await end, "ended");
    await assert.rejects(fetch(url));
    assert.throws(() => tools.url(), /not started/);
    await tools.start();
    await withSession(overHttp("v2", tools.url()), async (client) => {
      assert.equal((await client.call("task-list")).structured.total, 0);
    });
    await tools.stop();
  });

  test("a port that is taken is an error, and the next start may succeed", () =>
    withServer(async (first) => {
      const second = new IteratrTools({ session: "second", memory: true, port: await first.start() });
      await assert.rejects(second.start(), /EADDRINUSE/);
      await first.stop();
      await second.start();
      await second.stop();
    }));

  test("a session without a name, or with two stores, is refused", () => {
    assert.throws(() => new IteratrTools({ session: " ", memory: true }), /name must not be empty/);
    assert.throws(() => new IteratrTools({ session: "x", memory: true, store: "x.json" }), /exclude each other/);
  });
});

describe("HTTP", () => {
  test("clients of all eras share the tracker at the same time", () =>
    withServer(async (tools) => {
      const sessions = [await overHttp("v1", tools.url()), await overHttp("v2 modern", tools.url())];
      await sessions[0]!.call("task-add", { content: "by one" });
      assert.equal((await sessions[1]!.call("task-list")).structured.total, 1);
      assert.deepEqual(sessions.map((session) => session.version()), ["2025-11-25", "2026-07-28"]);
      await sessions[0]!.close();
      assert.equal((await sessions[1]!.call("task-list")).structured.total, 1, "the end of one session ends no other");
      await sessions[1]!.close();
    }));

  test("an ended or unknown session is 404, a request without one is 400", () =>
    withServer(async (tools) => {
      const call = { jsonrpc: "2.0", id: 2, method: "tools/list" };
      const post = (headers: Record<string, string>) =>
        fetch(tools.url(), { method: "POST", headers: { ...HEADERS, ...headers }, body: JSON.stringify(call) });
      assert.equal((await post({ "mcp-session-id": "unknown" })).status, 404);
      assert.equal((await post({})).status, 400);
      const begun = await fetch(tools.url(), { method: "POST", headers: HEADERS, body: JSON.stringify(INITIALIZE) });
      const id = begun.headers.get("mcp-session-id") ?? "";
      assert.equal((await fetch(tools.url(), { method: "DELETE", headers: { "mcp-session-id": id } })).status, 200);
      assert.equal((await post({ "mcp-session-id": id })).status, 404);
    }));

  test("other paths, foreign origins and malformed bodies are refused, and the server lives on", () =>
    withServer(async (tools) => {
      assert.equal((await fetch(tools.url().replace("/mcp", "/other"))).status, 404);
      const foreign = { ...HEADERS, origin: "https://example.com" };
      const attack = await fetch(tools.url(), { method: "POST", headers: foreign, body: JSON.stringify(INITIALIZE) });
      assert.equal(attack.status, 403);
      assert.equal((await fetch(tools.url(), { method: "POST", headers: HEADERS, body: "{" })).status, 400);
      await withSession(overHttp("v1", tools.url()), async (client) => assert.equal((await client.tools()).length, 11));
    }));

  test("an era that is switched off is refused", async () => {
    for (const [era, sdk] of [["modern", "v2"], ["legacy", "v2 modern"]] as const) {
      const tools = new IteratrTools({ session: "era", memory: true, era });
      await tools.start();
      await assert.rejects(overHttp(sdk, tools.url()));
      await tools.stop();
      await assert.rejects(overStdio(sdk, { args: ["--memory", "--era", era] }));
    }
  });
});

describe("processes", () => {
  test("closing stdin ends the process with 0, after malformed lines as well", async () => {
    const child = spawn(process.execPath, [ENTRY, "--memory"], { stdio: ["pipe", "pipe", "ignore"] });
    child.stdin.write(`this is not JSON\n{"half":\n${JSON.stringify(INITIALIZE)}\n`);
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    assert.equal(JSON.parse(line.toString()).result.serverInfo.name, "iteratr-tools");
    child.stdin.end();
    assert.deepEqual(await once(child, "exit"), [0, null]);
  });

  test("the HTTP entry prints its address and ends on SIGTERM with 0", async () => {
    const entry = fileURLToPath(new URL("../serve.js", import.meta.url));
    const child = spawn(process.execPath, [entry, "--memory"], { stdio: ["ignore", "pipe", "inherit"] });
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    await withSession(overHttp("v2 modern", line.toString().trim()), async (client) => {
      assert.equal((await client.tools()).length, 11);
      child.kill("SIGTERM");
      assert.deepEqual(await once(child, "exit"), [0, null]);
    });
  });

  test("wrong arguments end with 2 and a sentence on stderr", async () => {
    for (const args of [["--era", "stone"], ["--what"], ["--store", "/dev/null/x"], ["--port", "1"]]) {
      const child = spawn(process.execPath, [ENTRY, ...args], { stdio: ["ignore", "ignore", "pipe"] });
      const errors = child.stderr.toArray();
      assert.deepEqual(await once(child, "exit"), [2, null], args.join(" "));
      assert.match(Buffer.concat(await errors).toString(), /^iteratr-tools: .+\n$/);
    }
  });
});
