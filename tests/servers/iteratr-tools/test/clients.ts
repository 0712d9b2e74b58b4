/** Ways to reach the server with official clients: two SDKs, two eras, two transports. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { IteratrTools } from "iteratr-tools";

export const ENTRY = fileURLToPath(new URL("../stdio.js", import.meta.url));
const WHO = { name: "iteratr-tools-test", version: "1" };

/** What the tests need of a tool result. */
export interface Result {
  isError: boolean;
  text: string;
  structured: any;
}

export interface Tool {
  name: string;
  description?: string | undefined;
  inputSchema: any;
  outputSchema?: any;
  annotations?: any;
}

/** One client session, the same for every SDK. */
export interface Session {
  call(tool: string, args?: Record<string, unknown>): Promise<Result>;
  tools(): Promise<Tool[]>;
  version(): string | undefined;
  close(): Promise<void>;
}

export type Sdk = "v1" | "v2" | "v2 modern";
export const SDKS: readonly Sdk[] = ["v1", "v2", "v2 modern"];

/** A process to start: its arguments after the entry and what its environment has more. */
export interface Command {
  args: string[];
  env?: Record<string, string>;
}

export function overStdio(sdk: Sdk, command: Command): Promise<Session> {
  const parameters = {
    command: process.execPath,
    args: [ENTRY, ...command.args],
    env: { PATH: process.env["PATH"] ?? "", ...command.env },
    stderr: "inherit" as const,
  };
  return sdk === "v1" ? sessionV1(new StdioV1(parameters)) : sessionV2(sdk, new StdioV2(parameters));
}

export async function overHttp(sdk: Sdk, url: string): Promise<Session> {
  if (sdk !== "v1") return sessionV2(sdk, new HttpV2(new URL(url)));
  const transport = new HttpV1(new URL(url));
  const session = await sessionV1(transport as never);
  return { ...session, close: () => transport.terminateSession().then(() => session.close()) };
}

/** A folder that is removed after `use`. */
export async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "iteratr-tools-"));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** An embedded server on a new session in memory that is stopped after `use`. */
export async function withServer<T>(use: (tools: IteratrTools) => Promise<T>): Promise<T> {
  const tools = new IteratrTools({ session: "test", memory: true });
  await tools.start();
  try {
    return await use(tools);
  } finally {
    await tools.stop();
  }
}

/** A session on a fresh server, over every transport with every client. */
export const WAYS = SDKS.flatMap((sdk) => [
  {
    name: `${sdk}, http`,
    use: <T>(work: (session: Session) => Promise<T>) =>
      withServer(async (tools) => withSession(overHttp(sdk, tools.url()), work)),
  },
  {
    name: `${sdk}, stdio`,
    use: <T>(work: (session: Session) => Promise<T>) => withSession(overStdio(sdk, { args: ["--memory"] }), work),
  },
]);

export async function withSession<T>(opening: Promise<Session>, work: (session: Session) => Promise<T>): Promise<T> {
  const session = await opening;
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}

async function sessionV1(transport: StdioV1): Promise<Session> {
  const client = new ClientV1(WHO);
  await client.connect(transport);
  return {
    call: async (name, args) => result(await client.callTool({ name, ...(args && { arguments: args }) })),
    tools: async () => (await client.listTools()).tools,
    version: () => (transport as { protocolVersion?: string }).protocolVersion,
    close: () => client.close(),
  };
}

async function sessionV2(sdk: Sdk, transport: StdioV2 | HttpV2): Promise<Session> {
  const mode = sdk === "v2" ? "legacy" : { pin: "2026-07-28" };
  const client = new ClientV2(WHO, { versionNegotiation: { mode } });
  await client.connect(transport);
  return {
    call: async (name, args) => result(await client.callTool({ name, ...(args && { arguments: args }) })),
    tools: async () => (await client.listTools(undefined, { cacheMode: "bypass" })).tools,
    version: () => client.getNegotiatedProtocolVersion(),
    close: () => client.close(),
  };
}

function result(raw: any): Result {
  const text = (raw.content as { type: string; text?: string }[]).map((block) => block.text ?? "").join("\n");
  return { isError: raw.isError === true, text, structured: raw.structuredContent };
}
