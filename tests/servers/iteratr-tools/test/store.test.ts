/** The store: it outlives processes, is written as a whole, and loses nothing to parallel callers. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { defaultStore, FileStore, IteratrTools, Tracker } from "iteratr-tools";
import { ENTRY, overHttp, overStdio, withFolder, withSession } from "./clients.js";

test("tasks outlive the process, whichever transport comes next", () =>
  withFolder(async (folder) => {
    const store = join(folder, "deep", "store.json");
    const args = ["--session", "build", "--store", store];
    await withSession(overStdio("v1", { args }), async (session) => {
      await session.call("task-add", { content: "first" });
      await session.call("note-add", { content: "kept", type: "tip" });
      await session.call("iteration-summary", { summary: "one" });
    });
    await withSession(overStdio("v2 modern", { args }), async (session) => {
      assert.equal((await session.call("task-add", { content: "second" })).structured.id, "T-2");
    });
    const tools = new IteratrTools({ session: "build", store });
    await tools.start();
    await withSession(overHttp("v2", tools.url()), async (session) => {
      const list = (await session.call("task-list")).structured;
      assert.deepEqual(list.tasks.remaining.map((task: any) => task.content), ["first", "second"]);
      assert.equal(list.iterations, 1);
      assert.equal((await session.call("note-list")).structured.total, 1);
    });
    await tools.stop();
  }));

test("a process that is killed while it writes loses nothing that it acknowledged", () =>
  withFolder(async (folder) => {
    const path = join(folder, "store.json");
    for (let round = 0, acknowledged = 0; round < 3; round += 1) {
      const child = spawn(process.execPath, [ENTRY, "--session", "killed", "--store", path], { stdio: ["pipe", "pipe", "inherit"] });
      const write = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
      const clientInfo = { name: "raw", version: "1" };
      write({ id: 0, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } });
      for (let id = 1; id <= 50; id += 1) {
        write({ id, method: "tools/call", params: { name: "task-add", arguments: { content: `${round}.${id}` } } });
      }
      for await (const line of createInterface({ input: child.stdout })) {
        if (JSON.parse(line).id > 0) acknowledged += 1;
        if (JSON.parse(line).id === 7) child.kill("SIGKILL");
      }
      const { tasks } = JSON.parse(await readFile(path, "utf8"));
      assert.ok(tasks.length >= acknowledged, `${tasks.length} of ${acknowledged} are kept`);
      assert.equal(new Set(tasks.map((task: any) => task.id)).size, tasks.length);
    }
  }));

test("the lock of a process that is gone is taken over", () =>
  withFolder(async (folder) => {
    const path = join(folder, "store.json");
    const tracker = new Tracker(new FileStore("killed", path));
    await tracker.addTask({ content: "before" });
    // The lock of a process that is gone: no process has the highest number.
    await writeFile(`${path}.lock`, "4194304");
    await tracker.addTask({ content: "after" });
    assert.equal((await tracker.list()).total, 2);
    assert.deepEqual(await readdir(folder), ["store.json"], "neither a lock nor a temporary file stays");
  }));

test("readers see whole states while the file is being replaced", () =>
  withFolder(async (folder) => {
    const path = join(folder, "store.json");
    const tracker = new Tracker(new FileStore("atomic", path));
    await tracker.addTask({ content: "x".repeat(200_000) });
    let writing = true;
    const writes = (async () => {
      for (let i = 0; i < 20; i += 1) await tracker.addTask({ content: "y".repeat(50_000) });
      writing = false;
    })();
    let seen = 0;
    while (writing) {
      const state = JSON.parse(await readFile(path, "utf8"));
      assert.ok(state.tasks.length >= seen, "states only move on");
      assert.equal(state.next_task, state.tasks.length + 1);
      seen = state.tasks.length;
    }
    await writes;
    assert.equal((await tracker.list()).total, 21);
  }));

test("a change that fails half way changes nothing", () =>
  withFolder(async (folder) => {
    const path = join(folder, "store.json");
    const store = new FileStore("half", path);
    await new Tracker(store).addTask({ content: "whole" });
    const before = await readFile(path, "utf8");
    const failing = store.update((state) => {
      state.tasks.length = 0;
      throw new Error("power cut");
    });
    await assert.rejects(failing, /power cut/);
    assert.equal(await readFile(path, "utf8"), before);
  }));

test("a store that cannot be written leaves the old one and says why", () =>
  withFolder(async (folder) => {
    const path = join(folder, "store.json");
    await mkdir(path);
    const tracker = new Tracker(new FileStore("blocked", path));
    await assert.rejects(tracker.addTask({ content: "x" }), /cannot read the store .*store\.json/);
    assert.deepEqual(await readdir(folder), ["store.json"]);
  }));

test("parallel callers in one process lose nothing and share no id", () =>
  withFolder(async (folder) => {
    const path = join(folder, "store.json");
    const trackers = [0, 1].map(() => new Tracker(new FileStore("parallel", path)));
    const added = await Promise.all(
      Array.from({ length: 30 }, (_, i) => trackers[i % 2]!.addTask({ content: `task ${i}` })),
    );
    assert.equal(new Set(added.map((task) => task.id)).size, 30);
    assert.equal((await trackers[0]!.list()).total, 30);
  }));

test("two processes on one store lose nothing and share no id", () =>
  withFolder(async (folder) => {
    const command = { args: ["--session", "shared", "--store", join(folder, "store.json")] };
    const sessions = await Promise.all([overStdio("v1", command), overStdio("v2", command)]);
    const calls = Array.from({ length: 20 }, (_, i) => sessions[i % 2]!.call("task-add", { content: `task ${i}` }));
    const ids = (await Promise.all(calls)).map((answer) => answer.structured.id);
    assert.equal(new Set(ids).size, 20);
    assert.equal((await sessions[0]!.call("task-list")).structured.total, 20);
    await Promise.all(sessions.map((session) => session.close()));
  }));

test("parallel calls of one client lose nothing, in memory and on HTTP", async () => {
  const tools = new IteratrTools({ session: "parallel", memory: true });
  await tools.start();
  await withSession(overHttp("v2 modern", tools.url()), async (session) => {
    await Promise.all(Array.from({ length: 25 }, (_, i) => session.call("note-add", { content: `note ${i}`, type: "tip" })));
    const notes = (await session.call("note-list")).structured.notes as { id: string; content: string }[];
    assert.equal(new Set(notes.map((note) => note.id)).size, 25);
    assert.equal(new Set(notes.map((note) => note.content)).size, 25);
  });
  await tools.stop();
});

test("a file that is no store, or another session's, is refused and left alone", () =>
  withFolder(async (folder) => {
    const path = join(folder, "store.json");
    await writeFile(path, "my shopping list");
    const start = new IteratrTools({ session: "x", store: path }).start();
    await assert.rejects(start, /is no task store: it is not JSON/);
    assert.equal(await readFile(path, "utf8"), "my shopping list");
    const other = join(folder, "other.json");
    await new Tracker(new FileStore("theirs", other)).addTask({ content: "x" });
    await assert.rejects(new FileStore("mine", other).read(), /belongs to the session "theirs", not to "mine"/);
  }));

test("the default store is one plain file per session in the user's data folder", () => {
  const env = { XDG_DATA_HOME: "/data" };
  assert.equal(defaultStore("nightly build", env), "/data/iteratr-tools/nightly%20build.json");
  assert.equal(defaultStore("../../etc/passwd", env), "/data/iteratr-tools/%2e%2e%2F%2e%2e%2Fetc%2Fpasswd.json");
});

test("processes with a home of their own begin empty; with the same home they go on", () =>
  withFolder(async (folder) => {
    const add = (home: string) =>
      withSession(overStdio("v2", { args: [], env: { HOME: join(folder, home) } }), async (session) => {
        return (await session.call("task-add", { content: "x" })).structured.id as string;
      });
    assert.deepEqual([await add("one"), await add("two"), await add("one")], ["T-1", "T-1", "T-2"]);
  }));
