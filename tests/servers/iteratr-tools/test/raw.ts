/** A client without an SDK: it sees crashes, silence, stray output and answers that break their schema. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export type Era = "legacy" | "modern";

/** What came back, in the terms of the witnesses. */
export interface Seen {
  outcome: "ok" | "tool_error" | "rpc_error" | "none";
  result?: any;
  error?: unknown;
  structured?: unknown;
  text?: string;
  /** Stdio: lines that are no messages, messages that answer nothing, and whether the process has ended. */
  junk?: string;
  notifications?: unknown[];
  exited?: boolean;
  http?: { status: number };
}

/** What a step does: a tool call or another request, or a bare HTTP method. */
export interface Request {
  tool?: string;
  arguments?: Params;
  method?: string;
  http?: string;
  /** HTTP: which client does it. */
  session?: string;
  /** The call is taken back at once, and nothing is waited for. */
  cancel?: boolean;
}

export interface RawClient {
  /** Does one step and waits for its answer, at most `patience` milliseconds. */
  perform(request: Request, patience: number): Promise<Seen>;
  /** Ends the process, by force if it no longer listens. */
  close(): Promise<void>;
}

type Params = Record<string, unknown>;
interface Message {
  id?: number;
  result?: any;
  error?: unknown;
}

const CLIENT = { name: "raw", version: "1" };
const MODERN = "2026-07-28";
const LEGACY = "2025-11-25";
const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": MODERN,
  "io.modelcontextprotocol/clientInfo": CLIENT,
  "io.modelcontextprotocol/clientCapabilities": {},
};
const INITIALIZE = { protocolVersion: LEGACY, capabilities: {}, clientInfo: CLIENT };

function start(entry: "stdio" | "serve", env: Record<string, string>): ChildProcess {
  const file = fileURLToPath(new URL(`../${entry}.js`, import.meta.url));
  return spawn(process.execPath, [file, "--memory"], {
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: [entry === "stdio" ? "pipe" : "ignore", "pipe", "ignore"],
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}

function withEnvelope(era: Era, params: Params): Params {
  return era === "modern" ? { ...params, _meta: ENVELOPE } : params;
}

function paramsOf(era: Era, request: Request): { method: string; params: Params } {
  if (request.tool === undefined) return { method: request.method ?? "", params: withEnvelope(era, {}) };
  return { method: "tools/call", params: withEnvelope(era, { name: request.tool, arguments: request.arguments ?? {} }) };
}

function view(message: Message | undefined): Seen {
  if (message === undefined) return { outcome: "none" };
  const { result, error } = message;
  if (result === undefined) return { outcome: "rpc_error", error };
  const text = (result.content as { text?: string }[] | undefined)?.map((block) => block.text ?? "").join("\n");
  return {
    outcome: result.isError === true ? "tool_error" : "ok",
    result,
    ...(result.structuredContent !== undefined && { structured: result.structuredContent }),
    ...(text !== undefined && { text }),
  };
}

/** The answer, or undefined when none comes in time. */
async function within<T>(patience: number, answer: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), patience);
  });
  return Promise.race([answer, silence]).finally(() => clearTimeout(timer));
}

export async function rawStdio(era: Era, env: Record<string, string>): Promise<RawClient> {
  const wire = new StdioWire(start("stdio", env));
  if (era === "legacy") {
    await wire.send("initialize", INITIALIZE).answer;
    wire.write({ method: "notifications/initialized" });
  }
  return {
    async perform(request, patience) {
      const { method, params } = paramsOf(era, request);
      const { id, answer } = wire.send(method, params);
      if (request.cancel) {
        wire.write({ method: "notifications/cancelled", params: withEnvelope(era, { requestId: id }) });
        return { outcome: "none" };
      }
      const seen = view(await within(patience, answer));
      return { ...seen, ...wire.strays(), exited: wire.exited };
    },
    close: () => end(wire.child),
  };
}

/** The pipes of one server process; keeps everything that arrives. */
class StdioWire {
  readonly child: ChildProcess;
  exited = false;
  readonly #pending = new Map<number, (message: Message | undefined) => void>();
  #junk = "";
  #notifications: Message[] = [];

  constructor(child: ChildProcess) {
    this.child = child;
    createInterface({ input: child.stdout! }).on("line", (line) => this.#read(line));
    child.stdin!.on("error", () => undefined);
    child.on("exit", () => {
      this.exited = true;
      this.#pending.forEach((settle) => settle(undefined));
    });
  }

  send(method: string, params: Params): { id: number; answer: Promise<Message | undefined> } {
    const id = this.#pending.size + 1;
    const answer = new Promise<Message | undefined>((resolve) => this.#pending.set(id, resolve));
    this.write({ id, method, params });
    return { id, answer };
  }

  write(message: object): void {
    this.child.stdin!.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  /** What came unasked since the last time. */
  strays(): { junk: string; notifications: Message[] } {
    const strays = { junk: this.#junk, notifications: this.#notifications };
    this.#junk = "";
    this.#notifications = [];
    return strays;
  }

  #read(line: string): void {
    try {
      const message = JSON.parse(line) as Message;
      if (message.id === undefined) this.#notifications.push(message);
      else this.#pending.get(message.id)?.(message);
    } catch {
      this.#junk += `${line}\n`;
    }
  }
}

export async function rawHttp(era: Era, env: Record<string, string>): Promise<RawClient> {
  const child = start("serve", env);
  const [line] = (await once(child.stdout!, "data")) as [Buffer];
  const url = line.toString().trim();
  const sessions = new Map<string, Record<string, string>>();
  let lastId = 0;

  const post = (message: Params, headers: Record<string, string>): Promise<Response> =>
    fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    });
  const sessionOf = async (name: string): Promise<Record<string, string>> => {
    const known = sessions.get(name);
    if (known !== undefined) return known;
    const response = await post({ id: 0, method: "initialize", params: INITIALIZE }, {});
    await response.text();
    const headers = { "mcp-protocol-version": LEGACY, "mcp-session-id": response.headers.get("mcp-session-id") ?? "" };
    sessions.set(name, headers);
    await (await post({ method: "notifications/initialized" }, headers)).text();
    return headers;
  };

  return {
    async perform(request, patience) {
      const session = era === "legacy" ? await sessionOf(request.session ?? "a") : {};
      if (request.http !== undefined) {
        const { status } = await fetch(url, { method: request.http, headers: session });
        return { outcome: "none", http: { status } };
      }
      const { method, params } = paramsOf(era, request);
      const headers = era === "legacy" ? session : modernHeaders(method, params);
      const answer = post({ id: (lastId += 1), method, params }, headers).then(async (response) => ({
        ...view(readAnswer(await response.text())),
        http: { status: response.status },
      }));
      return (await within(patience, answer)) ?? { outcome: "none" };
    },
    close: () => end(child),
  };
}

function modernHeaders(method: string, params: Params): Record<string, string> {
  const headers = { "mcp-protocol-version": MODERN, "mcp-method": method };
  return typeof params["name"] === "string" ? { ...headers, "mcp-name": params["name"] } : headers;
}

/** The response in a JSON body or in a stream of server-sent events. */
function readAnswer(body: string): Message | undefined {
  if (body.startsWith("{")) return JSON.parse(body) as Message;
  const data = body.split("\n").filter((line) => line.startsWith("data: {"));
  const messages = data.map((line) => JSON.parse(line.slice("data: ".length)) as Message);
  return messages.find((message) => message.id !== undefined);
}
