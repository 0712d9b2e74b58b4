// The official TypeScript clients list and call everything that `tooltest mcp` offers.
//
// Arguments: the program, the URL of a running `tooltest mcp --http`, and the URL of another one to test.
import assert from "node:assert/strict";
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const WHO = { name: "tooltest-clients", version: "1" };
const TOOLS = ["tooltest", "lint", "replay", "explain_lint", "list_lints"];

/** The clients: what each is called, how it is made, how it calls a tool, and its transports. */
const CLIENTS = [
  {
    name: "v1",
    make: () => new ClientV1(WHO),
    call: (client, params, options) => client.callTool(params, undefined, options),
    Stdio: StdioV1,
    Http: HttpV1,
  },
  ...["legacy", { pin: "2026-07-28" }].map((mode) => ({
    name: `v2 ${JSON.stringify(mode)}`,
    make: () => new ClientV2(WHO, { versionNegotiation: { mode } }),
    call: (client, params, options) => client.callTool(params, options),
    Stdio: StdioV2,
    Http: HttpV2,
  })),
];

/** Lists, reads and calls everything; a run of `target` must end with `outcome`. */
async function everything(client, call, target, outcome) {
  const document = async (name, args, options) => {
    const result = await call(client, { name, arguments: args }, options);
    assert.ok(!result.isError, JSON.stringify(result));
    assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
    return result.structuredContent;
  };

  // Once the tools are listed, the client checks each answer against the output schema.
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map((tool) => tool.name), TOOLS);
  assert.ok(tools.every((tool) => tool.outputSchema && tool.annotations && tool.description));

  const { prompts } = await client.listPrompts();
  assert.deepEqual(prompts.map((prompt) => prompt.name), ["tooltest-fix-loop"]);
  const prompt = await client.getPrompt({ name: "tooltest-fix-loop" });
  const { resources } = await client.listResources();
  assert.deepEqual(resources.map((resource) => resource.uri), ["tooltest://guides/fix-loop"]);
  const guide = await client.readResource({ uri: "tooltest://guides/fix-loop" });
  assert.equal(guide.contents[0].text, prompt.messages[0].content.text);

  const { lints } = await document("list_lints", {});
  assert.ok(lints.some((lint) => lint.id === "no_crash"));
  assert.equal((await document("explain_lint", { id: "no_crash" })).level, "error");
  assert.equal((await document("lint", { target })).outcome, "passed");

  const told = [];
  const wanted = { target, tool_blocklist: ["tooltest", "lint", "replay"], seed: 1, max_calls: 120, time_limit: 60 };
  const options = { onprogress: (progress) => told.push(progress.progress), resetTimeoutOnProgress: true };
  const result = await document("tooltest", wanted, options);
  assert.equal(result.outcome, outcome, JSON.stringify(result.findings));
  assert.deepEqual(told, told.toSorted((a, b) => a - b));
  if (outcome === "failed") {
    const files = result.findings.map((finding) => finding.failure_file);
    const { replayed } = await document("replay", { files });
    assert.deepEqual(new Set(replayed.map((one) => one.status)), new Set(["failing"]));
  }
  const refused = await call(client, { name: "replay", arguments: { files: [] } });
  assert.ok(refused.isError && refused.content[0].text.includes("files"));
}

const [program, url, other] = process.argv.slice(2);
const demo = { stdio: { command: program, args: ["demo", "--serve"] } };
for (const { name, make, call, Stdio, Http } of CLIENTS) {
  const ways = [
    ["stdio", new Stdio({ command: program, args: ["mcp"] }), demo, "failed"],
    ["http", new Http(new URL(url)), { http: { url: other } }, "passed"],
  ];
  for (const [way, transport, target, outcome] of ways) {
    const client = make();
    await client.connect(transport);
    await everything(client, call, target, outcome);
    await transport.terminateSession?.();
    await client.close();
    console.log(`${name}, ${way}: everything works`);
  }
}
