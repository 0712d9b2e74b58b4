/** Every tool, over both transports, with both official SDKs, in both eras. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { WAYS, type Session } from "./clients.js";

const NAMES = [
  "iteration-summary",
  "note-add",
  "note-list",
  "session-complete",
  "task-add",
  "task-batch-add",
  "task-depends",
  "task-list",
  "task-next",
  "task-priority",
  "task-status",
];
const READERS = ["note-list", "task-list", "task-next"];
const TEXT_ONLY = ["iteration-summary", "session-complete", "task-depends", "task-priority"];

for (const way of WAYS) {
  describe(way.name, () => {
    test("lists eleven described tools with truthful annotations", () => way.use(checkTools));
    test("plans, orders and completes a session", () => way.use(checkWork));
    test("keeps notes and summaries", () => way.use(checkNotes));
    test("answers mistakes with an error result that names them", () => way.use(checkMistakes));
    test("keeps any text as it is", () => way.use(checkUnicode));
  });
}

async function checkTools(session: Session): Promise<void> {
  const tools = await session.tools();
  assert.deepEqual(tools.map((tool) => tool.name).sort(), NAMES);
  for (const tool of tools) {
    assert.ok(tool.description, `${tool.name} has a description`);
    assert.equal(tool.annotations.readOnlyHint, READERS.includes(tool.name), tool.name);
    assert.equal(tool.outputSchema === undefined, TEXT_ONLY.includes(tool.name), tool.name);
    assert.equal(tool.inputSchema.additionalProperties, false, tool.name);
  }
}

async function checkWork(session: Session): Promise<void> {
  const first = await session.call("task-add", { content: "lay the foundation" });
  const { created_at, updated_at, ...task } = first.structured;
  assert.deepEqual(task, { id: "T-1", content: "lay the foundation", status: "remaining", priority: 2, depends_on: [] });
  assert.ok(Date.parse(created_at) <= Date.parse(updated_at));
  assert.deepEqual(JSON.parse(first.text), first.structured);

  const batch = await session.call("task-batch-add", {
    tasks: [
      { content: "build the walls", priority: 0, depends_on: ["T-1"] },
      { content: "draw the plan", status: "completed" },
    ],
  });
  assert.deepEqual(batch.structured.tasks.map((added: any) => added.id), ["T-2", "T-3"]);
  const asText = await session.call("task-batch-add", { tasks: '[{"content":"paint","status":"blocked"}]' });
  assert.equal(asText.structured.tasks[0].id, "T-4");

  assert.match((await session.call("task-depends", { id: "T-4", depends_on: "T-2" })).text, /T-4 depends on T-2/);
  assert.match((await session.call("task-priority", { id: "T-4", priority: 1 })).text, /priority 1 \(high\)/);
  assert.equal((await session.call("task-next")).structured.task.id, "T-1", "T-2 is more urgent, but waits for T-1");

  await refuseToComplete(session, /T-1 is remaining, T-2 is remaining, T-4 is blocked/);
  assert.equal((await session.call("task-status", { id: "T-1", status: "completed" })).structured.status, "completed");
  assert.equal((await session.call("task-next", {})).structured.task.id, "T-2");
  await session.call("task-status", { id: "T-2", status: "completed" });
  assert.deepEqual((await session.call("task-next")).structured, { task: null, reason: "no task remains to be begun" });

  const list = (await session.call("task-list")).structured;
  assert.equal(list.total, 4);
  assert.deepEqual(ids(list.tasks.completed), ["T-1", "T-2", "T-3"]);
  assert.deepEqual(ids(list.tasks.blocked), ["T-4"]);
  assert.equal(list.tasks.blocked[0].priority, 1);
  assert.deepEqual(list.tasks.blocked[0].depends_on, ["T-2"]);

  await refuseToComplete(session, /T-4 is blocked/);
  await session.call("task-status", { id: "T-4", status: "completed" });
  assert.match((await session.call("session-complete")).text, /is complete \(tasks: 4, notes: 0, iterations: 0\)/);
  assert.equal((await session.call("task-list")).structured.complete, true);
  await session.call("task-add", { content: "one thing more" });
  assert.equal((await session.call("task-list")).structured.complete, false, "a new task opens the session again");
}

async function refuseToComplete(session: Session, reason: RegExp): Promise<void> {
  const refused = await session.call("session-complete");
  assert.ok(refused.isError);
  assert.match(refused.text, reason);
  assert.equal((await session.call("task-list")).structured.complete, false);
}

async function checkNotes(session: Session): Promise<void> {
  for (const type of ["learning", "stuck", "tip", "decision", "tip"]) {
    assert.equal((await session.call("note-add", { content: `a ${type}`, type })).structured.type, type);
  }
  assert.equal((await session.call("note-list")).structured.total, 5);
  const tips = (await session.call("note-list", { type: "tip" })).structured;
  assert.deepEqual(ids(tips.notes), ["N-3", "N-5"]);
  assert.match((await session.call("iteration-summary", { summary: "walls stand" })).text, /iteration 1\b/);
  assert.match((await session.call("iteration-summary", { summary: "roof too" })).text, /iteration 2\b/);
  assert.equal((await session.call("task-list")).structured.iterations, 2);
}

async function checkMistakes(session: Session): Promise<void> {
  await session.call("task-batch-add", { tasks: ["a", "b", "c"].map((content) => ({ content })) });
  await session.call("task-depends", { id: "T-1", depends_on: "T-2" });
  await session.call("task-depends", { id: "T-2", depends_on: "T-3" });
  const before = (await session.call("task-list")).structured;
  const mistakes: [string, Record<string, unknown>, RegExp][] = [
    ["task-add", { content: "" }, /content/],
    ["task-add", { content: " \n\t" }, /content.*not be empty/],
    ["task-add", {}, /content/],
    ["task-add", { content: "x", status: "done" }, /status.*remaining/],
    ["task-add", { content: "x", stauts: "blocked" }, /stauts/],
    ["task-batch-add", { tasks: [] }, /tasks: Too small/],
    ["task-batch-add", { tasks: [{ content: "x" }, { content: "" }] }, /tasks.*1.*content.*: Too small/],
    ["task-batch-add", { tasks: [{ content: "x", colour: "red" }] }, /tasks.*0.*: Unrecognized key: "colour"/],
    ["task-batch-add", { tasks: 7 }, /tasks: .*expected array/],
    ["task-batch-add", { tasks: "[{" }, /tasks: the text must be a JSON array/],
    ["task-batch-add", { tasks: "[1]" }, /tasks: \[0\]: .*expected object/],
    ["task-batch-add", { tasks: "[nonsense]" }, /not JSON/],
    ["task-batch-add", { tasks: '[{"content":"x"},{"content":" "}]' }, /tasks: \[1\]\["content"\]: .*empty/],
    ["task-batch-add", { tasks: [{ content: "x" }, { content: "y", depends_on: ["T-9"] }] }, /tasks\[1\]: there is no task "T-9"/],
    ["task-status", { id: "T-9", status: "completed" }, /there is no task "T-9"/],
    ["task-status", { id: "T-1", status: "paused" }, /status.*remaining/],
    ["task-priority", { id: "T-1", priority: 5 }, /priority/],
    ["task-priority", { id: "T-1", priority: 1.5 }, /priority/],
    ["task-priority", { id: "T-0", priority: 1 }, /there is no task "T-0"/],
    ["task-depends", { id: "T-1", depends_on: "T-1" }, /cannot depend on itself/],
    ["task-depends", { id: "T-2", depends_on: "T-1" }, /cycle T-2 -> T-1 -> T-2/],
    ["task-depends", { id: "T-3", depends_on: "T-1" }, /cycle T-3 -> T-1 -> T-2 -> T-3/],
    ["task-depends", { id: "T-1", depends_on: "T-7" }, /there is no task "T-7"/],
    ["task-depends", { id: "", depends_on: "T-1" }, /there is no task ""/],
    ["note-add", { content: "  ", type: "tip" }, /not be empty/],
    ["note-add", { content: "x", type: "rumour" }, /type/],
    ["note-list", { type: "rumour" }, /type/],
    ["iteration-summary", { summary: "" }, /summary/],
  ];
  for (const [tool, args, message] of mistakes) {
    const answer = await session.call(tool, args);
    assert.ok(answer.isError, `${tool} ${JSON.stringify(args)} is an error`);
    assert.match(answer.text, message);
    assert.doesNotMatch(answer.text, /\n\s+at /, "no stack trace");
  }
  assert.deepEqual((await session.call("task-list")).structured, before, "a refused call changes nothing");
}

async function checkUnicode(session: Session): Promise<void> {
  const texts = ["naïve café", "日本語", "👩‍👩‍👧 🧪", "שלום", "\u0000\u0001", "line\nbreak\ttab", "\ufeffx", '"quotes" \\ %s', "__proto__", "x".repeat(100_000)];
  for (const content of texts) {
    assert.equal((await session.call("task-add", { content })).structured.content, content);
  }
  const kept = (await session.call("task-list")).structured.tasks.remaining.map((task: any) => task.content);
  assert.deepEqual(kept, texts);
}

function ids(items: { id: string }[]): string[] {
  return items.map((item) => item.id);
}
